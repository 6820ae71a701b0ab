//! The options of printing and parsing, and their results.

use crate::Diagnostic;
use moviola_format::Game;
use std::io;

/// The options for printing a recording.
///
/// ```
/// use moviola_text::{DecompileOptions, decompile};
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let mut text = Vec::new();
/// let options = DecompileOptions { bare: true, ..DecompileOptions::default() };
/// decompile(&file[..], &mut text, &options).unwrap();
/// assert!(!text.windows(2).any(|two| two == b"//"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct DecompileOptions {
    /// Print no comments.
    pub bare: bool,
    /// Print block numbers and the file offset of every message, in comments.
    pub offsets: bool,
    /// Print only statements that LMPC understands; omitted blocks are listed in [`Decompiled::omissions`].
    pub lmpc: bool,
    /// Print messages as LMPC does, without the statements that only this language has: habits, `mask`,
    /// strings without their end, blocks with only a camera. Compiled, the text gives the recording after
    /// LMPC's round trip.
    pub normal: bool,
    /// Print only these blocks, counted from 0, the last included.
    pub blocks: Option<(u64, u64)>,
    /// Print only blocks of these game times in seconds, the last included.
    pub time: Option<(f64, f64)>,
    /// The name of the recording, for the first line's comment.
    pub source: Option<String>,
}

/// The result of printing.
///
/// ```
/// use moviola_format::Game;
/// use moviola_text::{DecompileOptions, decompile};
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let made = decompile(&file[..], Vec::new(), &DecompileOptions::default()).unwrap();
/// assert_eq!((made.game, made.blocks, made.bytes), (Some(Game::Quake), 1, 20));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decompiled {
    /// The game; `None` if the input was not a recording, or empty.
    pub game: Option<Game>,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of bytes read.
    pub bytes: u64,
    /// The number of blocks in the text.
    pub printed: u64,
    /// With [`DecompileOptions::time`]: the least and the greatest game time in seconds, if blocks contain
    /// times.
    pub times: Option<(f64, f64)>,
    /// The number of blocks of a known protocol that could not be read to their end, which is a sign of
    /// damage.
    pub damaged: u64,
    /// The number of the first of these blocks, and the reason why reading stopped there.
    pub damage: Option<(u64, String)>,
    /// The number of bytes outside of blocks.
    pub outside: u64,
    /// With [`DecompileOptions::lmpc`]: the number of messages printed as their bytes, because LMPC has no
    /// words for them, or would compile them to other bytes.
    pub in_bytes: u64,
    /// With [`DecompileOptions::lmpc`]: the parts that LMPC's language cannot express, by reason.
    pub omissions: Vec<Omission>,
}

/// The parts of a recording that LMPC's language cannot express for one reason.
///
/// ```
/// use moviola_text::{DecompileOptions, decompile};
/// // Two blocks with only a camera, and one with a message that does nothing.
/// let (camera, nop) = ([0; 16], b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01");
/// let file = [b"-1\n", &nop[..], &camera, &camera].concat();
/// let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
/// let made = decompile(&file[..], Vec::new(), &options).unwrap();
/// let [omission] = &made.omissions[..] else { panic!("it has one reason") };
/// assert_eq!((omission.blocks, &omission.ranges[..]), (2, &[(1, 2)][..]));
/// assert_eq!(omission.why, "a block without messages");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omission {
    /// The reason.
    pub why: String,
    /// The number of blocks left out for this reason; 0 if it does not concern a block.
    pub blocks: u64,
    /// The ranges of these blocks, the last of each included; of very many ranges only the first.
    pub ranges: Vec<(u64, u64)>,
}

impl Omission {
    /// The number of ranges kept.
    const RANGES: usize = 1000;

    /// Adds blocks that follow the blocks added so far.
    pub(crate) fn add(&mut self, first: u64, last: u64) {
        self.blocks += last - first + 1;
        if self.ranges.len() < Self::RANGES {
            self.ranges.push((first, last));
        }
    }
}

/// The options for reading a text.
///
/// ```
/// use moviola_text::{CompileOptions, compile};
/// let text = b"track \"4\\n\";\nblock { nopp; nopp; }\n";
/// let options = CompileOptions { limit: 1, ..CompileOptions::default() };
/// let made = compile(&text[..], Vec::new(), &options);
/// assert!(matches!(made, Err(moviola_text::CompileError::Mistakes(list)) if list.len() == 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CompileOptions {
    /// Truncate, wrap and ignore values as LMPC did, instead of reporting a mistake.
    pub lmpc: bool,
    /// The number of mistakes collected before reading stops.
    pub limit: usize,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self { lmpc: false, limit: 20 }
    }
}

/// The result of compiling.
///
/// ```
/// use moviola_text::{CompileOptions, compile};
/// let mut file = Vec::new();
/// let made = compile(&b"track \"-1\\n\";\nblock { camera 0.0 0.0 0.0; nop; }\n"[..], &mut file, &CompileOptions::default());
/// let made = made.unwrap();
/// assert_eq!((made.blocks, made.bytes), (1, file.len() as u64));
/// assert!(made.warnings.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compiled {
    /// The game, if the text shows it.
    pub game: Option<Game>,
    /// The number of blocks.
    pub blocks: u64,
    /// The number of bytes written.
    pub bytes: u64,
    /// Valid but probably unintended parts of the text; at most as many as the limit of mistakes.
    pub warnings: Vec<Diagnostic>,
}

/// The reason why a text could not be turned into a recording.
///
/// ```
/// use moviola_text::{CompileError, CompileOptions, compile};
/// let made = compile(&b"track \"4\\n\";\nblock { camera 0.0 0.0 0.0; nopp; }\n"[..], Vec::new(), &CompileOptions::default());
/// let Err(CompileError::Mistakes(mistakes)) = made else { panic!("it has a mistake") };
/// assert_eq!(mistakes[0].code.number(), "T002");
/// ```
#[derive(Debug)]
pub enum CompileError {
    /// Reading or writing failed.
    Io(io::Error),
    /// All mistakes of the text, in order, up to the limit.
    Mistakes(Vec<Diagnostic>),
}

impl From<io::Error> for CompileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
