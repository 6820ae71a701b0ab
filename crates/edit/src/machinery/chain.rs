//! `Chain`: several edits in one pass, as if each read the file that the one before it wrote.
//!
//! Each edit is a reader of the edited recording, block by block, so no whole recording is kept between two
//! of them. An edit that has to look at the recording first gets it from the edits before it, which then work
//! once more.

use crate::{EditSummary, Error, PieceSink, Rewrite, Stage, rewrite};
use moviola_check::{CheckCode, Inspection, Playability, Reason, Verdict};
use moviola_format::Demo;
use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;
use std::{fmt, mem};

/// Opens a recording at its start; each call returns a new reader.
///
/// ```
/// use moviola_edit::{OpenInput, levels};
/// let recording = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let open: OpenInput<'_> = std::rc::Rc::new(|| Ok(Box::new(&recording[..])));
/// assert_eq!(levels(open().unwrap()).unwrap().len(), 1);
/// ```
pub type OpenInput<'r> = Rc<dyn Fn() -> io::Result<Box<dyn Read + 'r>> + 'r>;

/// Several edits, one after the other, in one pass over a recording.
///
/// ```
/// use moviola_edit::{Chain, Cut, Spans, Strip};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
/// # let recording = &recording[..];
/// let mut chain = Chain::of(std::rc::Rc::new(move || Ok(Box::new(recording))));
/// chain.then(Strip::parse("prints").unwrap());
/// // Where a part is stands in the recording as it is by now.
/// let found = Spans::parse("#5..").unwrap().find(chain.open().unwrap()).unwrap();
/// chain.then(Cut::keep(found));
/// let mut edited = Vec::new();
/// let summaries = chain.write(&mut edited).unwrap();
/// assert_eq!(summaries.len(), 2);
/// assert_eq!(summaries[1].bytes_out, edited.len() as u64);
/// ```
pub struct Chain<'r> {
    open: OpenInput<'r>,
    edits: Vec<Box<dyn EditTemplate + 'r>>,
    /// Notes about the results of edits, each with the number of its edit.
    notes: Vec<(usize, String)>,
}

/// The summary of an edit, filled in when the edit is finished.
type SharedSummary = Rc<RefCell<EditSummary>>;

/// An edit that has not begun, of which each pass takes a copy.
trait EditTemplate {
    fn copied<'c>(&self) -> Box<dyn Rewrite + 'c>
    where
        Self: 'c;
}

impl<R: Rewrite + Clone> EditTemplate for R {
    fn copied<'c>(&self) -> Box<dyn Rewrite + 'c>
    where
        Self: 'c,
    {
        Box::new(self.clone())
    }
}

impl<'r> Chain<'r> {
    /// A chain without edits, for the recording that this opens.
    pub fn of(open: OpenInput<'r>) -> Self {
        Self { open, edits: Vec::new(), notes: Vec::new() }
    }

    /// Adds an edit.
    pub fn then(&mut self, edit: impl Rewrite + Clone + 'r) {
        self.edits.push(Box::new(edit));
    }

    /// How many edits there are.
    ///
    /// ```
    /// use moviola_edit::{Chain, Identity};
    /// let mut chain = Chain::of(std::rc::Rc::new(|| Ok(Box::new(std::io::empty()))));
    /// chain.then(Identity);
    /// assert_eq!((chain.len(), chain.is_empty()), (1, false));
    /// ```
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether the chain has no edits.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Opens the recording as the edits so far make it, for an edit that has to look at it before it is
    /// added.
    ///
    /// # Errors
    /// When it cannot be opened. If one of the edits fails, reading fails; [`find_failed`](Self::find_failed) returns the
    /// edit.
    pub fn open(&self) -> io::Result<Box<dyn Read + 'r>> {
        self.through(self.edits.len(), &mut Vec::new())
    }

    /// The recording after the first `count` edits. Pushes their summaries onto `summaries`, which are filled in
    /// while reading.
    fn through(&self, count: usize, summaries: &mut Vec<SharedSummary>) -> io::Result<Box<dyn Read + 'r>> {
        let mut reader = (self.open)()?;
        for (number, edit) in self.edits.iter().take(count).enumerate() {
            let summary = SharedSummary::default();
            summaries.push(Rc::clone(&summary));
            reader = Box::new(Edited::new(number, reader, edit.copied(), summary));
        }
        Ok(reader)
    }

    /// Writes the edited recording, and returns the summary of each edit.
    ///
    /// # Errors
    /// When reading or writing fails, or an edit is impossible.
    pub fn write<W: Write>(&self, mut sink: W) -> Result<Vec<EditSummary>, FailedEdit> {
        let last = self.edits.len().saturating_sub(1);
        let wrong = |error: Error| find_failed(last, error);
        let mut summaries = Vec::new();
        let mut source = self.through(last, &mut summaries).map_err(|error| wrong(error.into()))?;
        let Some(edit) = self.edits.last() else {
            io::copy(&mut source, &mut sink).map_err(|error| wrong(error.into()))?;
            return Ok(Vec::new());
        };
        let done = rewrite(source, edit.copied().as_mut(), sink).map_err(wrong)?;
        let mut all: Vec<EditSummary> =
            summaries.iter().map(|summary| summary.borrow().clone()).chain([done]).collect();
        for (edit, note) in &self.notes {
            if let Some(summary) = all.get_mut(*edit) {
                summary.notes.push(note.clone());
            }
        }
        Ok(all)
    }

    /// Adds a note to the summary of the last edit.
    ///
    /// ```
    /// use moviola_edit::{Chain, Identity};
    /// let mut chain = Chain::of(std::rc::Rc::new(|| Ok(Box::new(&b"-1\n"[..]))));
    /// chain.then(Identity);
    /// chain.note("that was all");
    /// assert_eq!(chain.write(Vec::new()).unwrap()[0].notes, ["that was all"]);
    /// ```
    pub fn note(&mut self, what: impl Into<String>) {
        self.notes.push((self.edits.len().saturating_sub(1), what.into()));
    }

    /// Checks the recording that the edits so far produce against this engine, and notes the engine's
    /// objections for the last edit. Without an engine, it notes the objections that every engine has.
    ///
    /// ```
    /// use moviola_edit::{Chain, Identity};
    /// // A block with message number 0, at which every engine stops.
    /// let recording = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    /// let mut chain = Chain::of(std::rc::Rc::new(|| Ok(Box::new(&recording[..]))));
    /// chain.then(Identity);
    /// chain.judge(None).unwrap();
    /// let summaries = chain.write(Vec::new()).unwrap();
    /// assert!(summaries[0].notes[0].starts_with("no engine plays it to its end: "));
    /// ```
    ///
    /// # Errors
    /// When reading fails, or one of the edits.
    pub fn judge(&mut self, engine: Option<&str>) -> Result<(), Error> {
        let (mut start, mut rest) = (Vec::new(), self.open()?);
        rest.by_ref().take(Inspection::START as u64).read_to_end(&mut start)?;
        let mut inspection =
            if engine.is_some() { Inspection::of_all(&start) } else { Inspection::new(&start) };
        let mut demo = Demo::new(start.as_slice().chain(rest))?;
        inspection.take_format(demo.format());
        while let Some(piece) = demo.next_piece()? {
            inspection.take_piece(&piece);
        }
        let verdicts = inspection.end().engines;
        let last = self.edits.len().saturating_sub(1);
        let stops = |it: &Verdict| matches!(it.plays, Playability::No | Playability::StopsEarly);
        let reason_text = |it: &Reason| {
            let (block, code) = (it.place.block.unwrap_or(0), it.code.number());
            format!("{} (block {block}, {code})", it.message)
        };
        let objections: Vec<String> = if let Some(engine) = engine {
            let reasons = verdicts.iter().filter(|it| it.engine == engine).flat_map(|it| &it.reasons);
            let remedy = |code: CheckCode| code.remedy().map_or_else(String::new, |what| format!("; {what}"));
            let objection = |it| {
                format!(
                    "left as it is, although {engine} objects to it: {}{}",
                    reason_text(it),
                    remedy(it.code)
                )
            };
            reasons.map(objection).collect()
        } else {
            let all = Some(&verdicts).filter(|all| all.iter().all(stops));
            let reason = all.and_then(|all| all.first()?.reasons.last());
            reason
                .map(|it| format!("no engine plays it to its end: {}", reason_text(it)))
                .into_iter()
                .collect()
        };
        self.notes.extend(objections.into_iter().map(|note| (last, note)));
        Ok(())
    }

    /// Finds the edit of an error: one of those that were added, or the next, which looked at their result.
    pub fn find_failed(&self, error: Error) -> FailedEdit {
        find_failed(self.len(), error)
    }
}

/// The edit that failed, and the reason.
///
/// ```
/// use moviola_edit::{Chain, Error, Identity, Squeeze, levels};
/// let text = b"no recording";
/// let mut chain = Chain::of(std::rc::Rc::new(|| Ok(Box::new(&text[..]))));
/// chain.then(Identity);
/// chain.then(Squeeze::default());
/// let failed = chain.write(Vec::new()).unwrap_err();
/// assert_eq!(failed.to_string(), "edit 2: the input is not a recording of Quake, QuakeWorld or Quake II");
/// // An error that an edit passes to its reader is the edit's, not the reader's.
/// let error = levels(chain.open().unwrap()).unwrap_err();
/// assert_eq!(chain.find_failed(error).edit, 1);
/// ```
#[derive(Debug)]
pub struct FailedEdit {
    /// The number of the edit, counted from 0.
    pub edit: usize,
    /// The reason.
    pub error: Error,
}

impl fmt::Display for FailedEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edit {}: {}", self.edit.saturating_add(1), self.error)
    }
}

impl std::error::Error for FailedEdit {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The failure of an earlier edit arrives as an error of reading, with the edit in it.
fn find_failed(edit: usize, error: Error) -> FailedEdit {
    let Error::Io(error) = error else { return FailedEdit { edit, error } };
    match error.downcast::<FailedEdit>() {
        Ok(failed) => failed,
        Err(error) => FailedEdit { edit, error: Error::Io(error) },
    }
}

/// A reader of the recording that an edit makes.
struct Edited<'r> {
    number: usize,
    source: Source<'r>,
    stage: Stage<'r>,
    output: SharedBuffer,
    /// The number of bytes that were read.
    at: usize,
    summary: SharedSummary,
}

enum Source<'r> {
    New(Box<dyn Read + 'r>),
    Open(Demo<Box<dyn Read + 'r>>),
    Over,
}

/// The buffer into which an edit writes.
#[derive(Clone, Default)]
struct SharedBuffer(Rc<RefCell<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'r> Edited<'r> {
    fn new(
        number: usize,
        source: Box<dyn Read + 'r>,
        edit: Box<dyn Rewrite + 'r>,
        summary: SharedSummary,
    ) -> Self {
        let made = SharedBuffer::default();
        let source = edit.source(source);
        let stage = Stage::owning(edit, made.clone());
        Self { number, source: Source::New(source), stage, output: made, at: 0, summary }
    }

    /// Takes the next piece through the edit.
    fn step(&mut self) -> Result<(), Error> {
        match &mut self.source {
            Source::Open(demo) => {
                if !self.stage.is_done()
                    && let Some(piece) = demo.next_piece()?
                {
                    return self.stage.take(&piece);
                }
                self.source = Source::Over;
                self.stage.end()?;
                self.summary.replace(self.stage.summary().clone());
                Ok(())
            }
            Source::New(_) => {
                let Source::New(source) = mem::replace(&mut self.source, Source::Over) else { return Ok(()) };
                let demo = Demo::new(source)?;
                self.stage.begin(demo.format())?;
                self.source = Source::Open(demo);
                Ok(())
            }
            Source::Over => Ok(()),
        }
    }
}

impl Read for Edited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            {
                let mut made = self.output.0.borrow_mut();
                let mut rest = made.get(self.at..).unwrap_or_default();
                if !rest.is_empty() || buffer.is_empty() {
                    let got = rest.read(buffer)?;
                    self.at = self.at.saturating_add(got);
                    return Ok(got);
                }
                made.clear();
                self.at = 0;
            }
            if let Source::Over = self.source {
                return Ok(0);
            }
            if let Err(error) = self.step() {
                self.source = Source::Over;
                return Err(match error {
                    Error::Io(error) => error,
                    error => io::Error::other(FailedEdit { edit: self.number, error }),
                });
            }
        }
    }
}
