//! Spans: the parts of a recording to edit, in words that all edits share.
//!
//! ```text
//! 12.5..1:30            by the game's clock, in seconds, m:ss or h:mm:ss, ends included; either may be left out, or both
//! +12.5..+1:30          the same, counted from the first picture that an engine shows
//! #100..#200            blocks, counted from 0
//! level 2               a level, counted from 1; level 2 0:10..0:20 is a part of it
//! level 2..4            levels 2 to 4; level 2.. is level 2 and all behind it
//! chat "cut here" +5    from an event until 5 seconds after it; -5 is before, -5 +5 around it
//! chat "in"..chat "out" from one event to another
//! kill -2 +2            what happens: kill, pickup, secret and the other kinds of events, with a text or without
//! ```
//!
//! Several of them have commas between.

mod empty_span;
mod find;
mod found;
mod level_marks;
mod parse;
mod runs;
mod sections;
mod similar_words;
mod survey;

pub use found::{FoundSpans, SpanLevel, SpanStart, levels};
pub(crate) use level_marks::Run;
pub use runs::BlockRun;
pub use sections::{Section, SectionKind, sections};
pub(crate) use survey::follow;

use crate::Mistake;
use std::fmt::Write;
use std::ops::Range;

/// Spans as they were given.
///
/// ```
/// use moviola_edit::Spans;
/// let spans = Spans::parse("12.5..1:30, level 2, chat \"cut here\" +5").unwrap();
/// assert_eq!(spans.iter().count(), 3);
/// let mistake = Spans::parse("12.5..x").unwrap_err();
/// assert_eq!((mistake.code.number(), mistake.column), ("E001", 7));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spans {
    text: String,
    spans: Vec<(Span, Range<usize>)>,
}

/// One span.
///
/// ```
/// use moviola_edit::{SpanEnd, Span, Spans};
/// let spans = Spans::parse("level 2 ..0:30").unwrap();
/// let wanted = Span { levels: Some((2, 2)), from: None, to: Some(SpanEnd::Time(30.0)) };
/// assert_eq!(spans.iter().next(), Some(&wanted));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The first and the last of its levels; `None` for all levels.
    pub levels: Option<(u32, u32)>,
    /// Its beginning; `None` for the beginning of the recording, or of the level.
    pub from: Option<SpanEnd>,
    /// Its end, itself included; `None` for the end of the recording, or of the level.
    pub to: Option<SpanEnd>,
}

/// One end of a span.
///
/// ```
/// use moviola_edit::{SpanEnd, Spans};
/// let spans = Spans::parse("#3..").unwrap();
/// assert_eq!(spans.iter().next().unwrap().from, Some(SpanEnd::Block(3)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum SpanEnd {
    /// A game time in seconds.
    Time(f64),
    /// Seconds since the first picture, or for a span of one level since the first picture of that level.
    Film(f64),
    /// A block, counted from 0.
    Block(u64),
    /// Seconds after an event, or before it if negative.
    Event(SpanEvent, f64),
}

/// An event, by its kind and text.
///
/// ```
/// use moviola_edit::{SpanEvent, SpanEventKind, SpanEnd, Spans};
/// let spans = Spans::parse("chat \"gg\" +5..").unwrap();
/// let gg = SpanEvent { kind: SpanEventKind::Chat, text: "gg".into() };
/// assert_eq!(spans.iter().next().unwrap().from, Some(SpanEnd::Event(gg, 5.0)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanEvent {
    /// Its kind.
    pub kind: SpanEventKind,
    /// A part of its text; empty for any text.
    pub text: String,
}

/// The kinds of events that spans know.
///
/// ```
/// assert_eq!(moviola_edit::SpanEventKind::Chat.word(), "chat");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanEventKind {
    /// A line of chat.
    Chat,
    /// Any line of the console, chat too.
    Print,
    /// Text in the middle of the screen.
    CenterPrint,
    /// A command for the client's console.
    Command,
    /// An event of the analysis: the name of a [kind of events](moviola_analyse::EventKind::ROWS).
    Happens(&'static str),
}

impl Span {
    /// The events at its ends.
    fn events(&self) -> [Option<&SpanEvent>; 2] {
        [&self.from, &self.to].map(|end| match end {
            Some(SpanEnd::Event(event, _)) => Some(event),
            _ => None,
        })
    }

    /// Whether it is an event without seconds, and so a single block.
    fn is_one_moment(&self) -> bool {
        matches!((&self.from, &self.to), (Some(SpanEnd::Event(one, 0.0)), Some(SpanEnd::Event(other, 0.0))) if one == other)
    }
}

impl SpanEventKind {
    /// Events that are texts of messages.
    const TEXTS: [Self; 4] = [Self::Chat, Self::Print, Self::CenterPrint, Self::Command];

    /// All kinds.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let is_text = |name: &str| Self::TEXTS.iter().any(|kind| kind.word() == name);
        let names = moviola_analyse::EventKind::ROWS.iter().map(|row| row.name);
        Self::TEXTS.into_iter().chain(names.filter(move |name| !is_text(name)).map(Self::Happens))
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Print => moviola_format::dem::Print::SCHEMA.name,
            Self::CenterPrint => moviola_format::dem::CenterPrint::SCHEMA.name,
            // not from SCHEMA: a word of the spans.
            Self::Command => "command",
            Self::Happens(name) => name,
        }
    }
}

impl Spans {
    /// Reads spans.
    ///
    /// # Errors
    /// A mistake, with its place in the text.
    pub fn parse(text: &str) -> Result<Self, Mistake> {
        Ok(Self { text: text.to_owned(), spans: parse::spans(text)? })
    }

    /// The spans in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Span> {
        self.spans.iter().map(|(span, _)| span)
    }

    /// Each span by itself, in the order of the words.
    ///
    /// ```
    /// use moviola_edit::Spans;
    /// let spans = Spans::parse("level 2, +5..+6").unwrap();
    /// let words: Vec<String> = spans.each().map(|span| span.text().to_owned()).collect();
    /// assert_eq!(words, ["level 2", "+5..+6"]);
    /// ```
    pub fn each(&self) -> impl Iterator<Item = Self> {
        self.spans.iter().map(|(span, place)| {
            let text = self.text.get(place.clone()).unwrap_or_default().to_owned();
            Self { spans: vec![(span.clone(), 0..text.len())], text }
        })
    }

    /// The words that were parsed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The spans of these blocks, the last ones included, for a program that found them itself.
    ///
    /// ```
    /// use moviola_edit::Spans;
    /// assert_eq!(Spans::of_blocks([(3, 5), (9, 9)]).text(), "#3..#5, #9..#9");
    /// ```
    pub fn of_blocks(blocks: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let (mut text, mut spans) = (String::new(), Vec::new());
        for (from, to) in blocks {
            let start = text.len();
            // Writing into memory cannot fail.
            let _ = write!(text, "#{from}..#{to}, ");
            let span = Span { levels: None, from: Some(SpanEnd::Block(from)), to: Some(SpanEnd::Block(to)) };
            spans.push((span, start..text.len().saturating_sub(2)));
        }
        text.truncate(text.len().saturating_sub(2));
        Self { text, spans }
    }
}

/// A time in the form of spans, to the hundredth of a second.
///
/// ```
/// use moviola_edit::span_time;
/// assert_eq!([span_time(0.05), span_time(61.5), span_time(16_420.25)], ["0.05", "1:01.50", "4:33:40.25"]);
/// ```
pub fn span_time(seconds: f64) -> String {
    let hundredths = (seconds * 100.0).round() as i64;
    let (minutes, rest) = (hundredths / 6000, hundredths % 6000);
    let rest = format!("{:02}.{:02}", rest / 100, rest % 100);
    match (minutes / 60, minutes % 60) {
        (0, 0) => rest.strip_prefix('0').unwrap_or(&rest).to_owned(),
        (0, minutes) => format!("{minutes}:{rest}"),
        (hours, minutes) => format!("{hours}:{minutes:02}:{rest}"),
    }
}
