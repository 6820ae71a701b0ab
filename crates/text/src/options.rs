//! What callers can ask of printing and parsing, and what they are told afterwards.

use crate::Diagnostic;
use moviola_format::Game;
use std::io;

/// How a recording is printed.
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
    /// Leave comments out.
    pub bare: bool,
    /// Say block numbers and the file offset of every message, in comments.
    pub offsets: bool,
    /// Only what LMPC understands; blocks that cannot be said are listed in [`Decompiled::unsaid`].
    pub lmpc: bool,
    /// Say messages as LMPC's own printer did, without what only this language has words for: habits, `mask`,
    /// strings without their end, blocks with nothing but a camera. Compiled, it is what LMPC made of a recording.
    pub normal: bool,
    /// Only these blocks, counted from 0, the last included.
    pub blocks: Option<(u64, u64)>,
    /// Only blocks of these game times in seconds, the last included.
    pub time: Option<(f64, f64)>,
    /// The name of the recording, for the first line's comment.
    pub source: Option<String>,
}

/// What was printed.
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
    /// The game; none where the input was no recording, or empty.
    pub game: Option<Game>,
    /// How many blocks.
    pub blocks: u64,
    /// How many bytes were read.
    pub bytes: u64,
    /// How many blocks are in the text.
    pub said: u64,
    /// With [`DecompileOptions::time`]: the least and the greatest game time in seconds, where blocks tell any.
    pub times: Option<(f64, f64)>,
    /// The number of blocks of a known protocol that could not be read to their end, which is a sign of
    /// damage.
    pub damaged: u64,
    /// The number of the first of these blocks, and the reason why reading stopped there.
    pub damage: Option<(u64, String)>,
    /// The number of bytes outside of blocks.
    pub outside: u64,
    /// With [`DecompileOptions::lmpc`]: how many messages stand in the text as their bytes, since LMPC has no words for
    /// them, or would write them otherwise.
    pub in_bytes: u64,
    /// With [`DecompileOptions::lmpc`]: what LMPC's language cannot say, reason by reason.
    pub unsaid: Vec<Unsaid>,
}

/// What LMPC's language cannot say of a recording, for one reason.
///
/// ```
/// use moviola_text::{DecompileOptions, decompile};
/// // A block of nothing but a camera, twice, and one that does nothing.
/// let (camera, nop) = ([0; 16], b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01");
/// let file = [b"-1\n", &nop[..], &camera, &camera].concat();
/// let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
/// let made = decompile(&file[..], Vec::new(), &options).unwrap();
/// let [unsaid] = &made.unsaid[..] else { panic!("it has one reason") };
/// assert_eq!((unsaid.blocks, &unsaid.ranges[..]), (2, &[(1, 2)][..]));
/// assert_eq!(unsaid.why, "a block without messages");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsaid {
    /// Why.
    pub why: String,
    /// How many blocks are left out for it; none where it is about no block.
    pub blocks: u64,
    /// Which blocks these are, the last of each range included; of very many ranges the first.
    pub ranges: Vec<(u64, u64)>,
}

impl Unsaid {
    /// So many ranges are kept.
    const RANGES: usize = 1000;

    /// Adds blocks that lie behind those known.
    pub(crate) fn add(&mut self, first: u64, last: u64) {
        self.blocks += last - first + 1;
        if self.ranges.len() < Self::RANGES {
            self.ranges.push((first, last));
        }
    }
}

/// How a text is read.
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
    /// Truncate, wrap and ignore as LMPC did, instead of refusing.
    pub lmpc: bool,
    /// How many mistakes are collected before reading stops.
    pub limit: usize,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self { lmpc: false, limit: 20 }
    }
}

/// What was made of a text.
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
    /// The game, as far as the text says.
    pub game: Option<Game>,
    /// How many blocks.
    pub blocks: u64,
    /// How many bytes were written.
    pub bytes: u64,
    /// What is probably not meant, though it can be said; at most as many as the limit of mistakes.
    pub warnings: Vec<Diagnostic>,
}

/// Why a text could not be turned into a recording.
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
    /// The text has mistakes: all of them, in order, up to the limit.
    Mistakes(Vec<Diagnostic>),
}

impl From<io::Error> for CompileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
