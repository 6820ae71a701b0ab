//! The summary and findings of a recording whose pieces a caller reads: like `check`, but nothing is written again.

use crate::gather::Gather;
use crate::header::START;
use crate::measure::Measure;
use crate::report::{Finding, Verdict};
use crate::scan::Scanner;
use crate::summary::Summary;
use moviola_format::{Format, Piece};

/// Looks at a recording piece by piece. A caller that reads a file for another reason gets its summary and
/// findings too, and the file is read once.
///
/// ```
/// use moviola_check::Inspection;
/// use moviola_format::Demo;
/// # fn main() -> std::io::Result<()> {
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let mut inspection = Inspection::new(&file[..]);
/// let mut demo = Demo::new(&file[..])?;
/// inspection.take_format(demo.format());
/// while let Some(piece) = demo.next_piece()? {
///     inspection.take_piece(&piece);
/// }
/// let found = inspection.end();
/// assert_eq!((found.summary.format, found.summary.blocks), ("dem", 1));
/// assert!(found.findings.iter().any(|it| it.code.number() == "M012"));
/// # Ok(())
/// # }
/// ```
pub struct Inspection(Scanner<(Gather, Measure)>);

/// The results of an [`Inspection`].
///
/// ```
/// use moviola_check::{RecordingEnd, Inspection, Inspected};
/// let Inspected { summary, findings, engines } = Inspection::new(b"").end();
/// assert_eq!((summary.end, findings.len(), engines.len()), (RecordingEnd::NoRecording, 0, 0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Inspected {
    /// A summary of the file.
    pub summary: Summary,
    /// The findings in order of appearance, each once.
    pub findings: Vec<Finding>,
    /// The verdict of every engine of the game.
    pub engines: Vec<Verdict>,
}

impl Inspection {
    /// The number of a file's first bytes that [`new`](Self::new) needs.
    pub const START: usize = START;

    /// Begins with the first bytes of the file: [`START`](Self::START) of them, or all if there are fewer.
    pub fn new(start: &[u8]) -> Self {
        Self(Scanner::new((Gather::new(start.to_vec()), Measure::new(start.to_vec()))))
    }

    /// An inspection that judges each engine as if it continued after the place where it stops.
    ///
    /// ```
    /// use moviola_check::Inspection;
    /// use moviola_format::{Block, Format, Piece};
    /// // A light style and a text, neither of which there is room for.
    /// let block = [b"\x0c\x40a\0\x1a", &[b'a'; 3000][..], b"\0"].concat();
    /// let objections = |mut inspection: Inspection| {
    ///     inspection.take_format(Format::Quake { header: 0 });
    ///     inspection.take_piece(&Piece::Block(Block::new(&block)));
    ///     let engines = inspection.end().engines;
    ///     engines.iter().find(|it| it.engine == "quakespasm").unwrap().reasons.len()
    /// };
    /// assert_eq!(objections(Inspection::new(b"")), 1);
    /// assert!(objections(Inspection::of_all(b"")) > 2);
    /// ```
    pub fn of_all(start: &[u8]) -> Self {
        Self(Scanner::new((Gather::new(start.to_vec()), Measure::new(start.to_vec()).without_stopping())))
    }

    /// Sets the kind of the file, before its pieces.
    pub fn take_format(&mut self, format: Format) {
        self.0.take_format(format);
    }

    /// The next piece of the file.
    pub fn take_piece(&mut self, piece: &Piece<'_>) {
        self.0.take_piece(piece);
    }

    /// Finishes after the last piece.
    pub fn end(self) -> Inspected {
        let (gather, measure) = self.0.end();
        let (findings, engines) = measure.close().1.close();
        Inspected { summary: gather.summary(), findings, engines }
    }
}

impl std::fmt::Debug for Inspection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inspection").finish_non_exhaustive()
    }
}
