//! Where spans are in a recording: one pass over it, which keeps no more than its levels and the events that were asked.

use super::course::{Course, Run};
use super::survey::Survey;
use super::{Event, Point, Span, Spans};
use crate::{Code, Error, Mistake, Place};
use std::io::Read;

/// A level of a recording, as far as spans need to know.
///
/// ```
/// use moviola_edit::levels;
/// // One block, in which the time is 2.
/// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let levels = levels(&recording[..]).unwrap();
/// assert_eq!((levels[0].first, levels[0].last, levels[0].times), (0, 0, Some((2.0, 2.0))));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Its first block.
    pub first: u64,
    /// Its last block.
    pub last: u64,
    /// The first and the last game time in it.
    pub times: Option<(f64, f64)>,
    /// The name of its map, as its file is called; empty where nothing says it.
    pub map: String,
}

/// The levels of a recording, in their order.
///
/// ```
/// use moviola_edit::levels;
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-levels").unwrap().bytes;
/// let levels = levels(&recording[..]).unwrap();
/// assert_eq!(levels.len(), 2);
/// assert_eq!(levels[0].map, "e1m1");
/// ```
///
/// # Errors
/// When it is no recording, or reading fails.
pub fn levels<R: Read>(source: R) -> Result<Vec<Level>, Error> {
    Ok(Spans::of_blocks([(0, u64::MAX)]).find(source)?.levels)
}

/// Spans, found in a recording: says of each block whether it is in one of them.
///
/// ```
/// use moviola_edit::{Error, Found, Out, Pen, Rewrite, rewrite};
/// /// Counts the blocks of a part.
/// struct Count(Found, u64);
/// impl Rewrite for Count {
///     fn block_end(&mut self, pen: &mut Pen<'_>, out: &mut Out<'_>) -> Result<(), Error> {
///         self.1 += u64::from(self.0.holds(pen.place()));
///         pen.write(out)
///     }
/// }
/// let recording = b"\x01\0\0\0\x06\x01\0\0\0\x06";
/// let (mut all, mut second) = (Count(Found::all(), 0), Count(Found::level(2), 0));
/// rewrite(&recording[..], &mut all, Vec::new()).unwrap();
/// rewrite(&recording[..], &mut second, Vec::new()).unwrap();
/// assert_eq!((all.1, second.1), (2, 0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    parts: Vec<Part>,
    /// The levels, in their order; those behind the last that the spans are about may be missing.
    pub levels: Vec<Level>,
    /// How they go, as far as it is known.
    courses: Vec<Course>,
    /// What is to be said of the spans.
    notes: Vec<String>,
}

/// A part of a recording. All that is said must hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    /// The first and the last.
    pub(super) levels: (u32, u32),
    pub(super) blocks: (u64, u64),
    pub(super) times: Option<(f64, f64)>,
}

/// All levels; what comes before the first one belongs to it.
const ALL: (u32, u32) = (0, u32::MAX);

/// Quake's clock is a float of 32 bits: 0.2 is a little more than what people call 0.2.
pub(super) const NEAR: f64 = 0.0005;

impl Part {
    /// Whether it may be in a level, counted from 0.
    fn is_of(&self, at: usize) -> bool {
        let (first, last) = self.levels;
        (first as usize..=last as usize).contains(&at.saturating_add(1))
    }

    /// Whether something is so of its times, which are a bit longer than said; what has no times has all.
    pub(super) fn is_timed(&self, is_so: impl Fn(f64, f64) -> bool) -> bool {
        self.times.is_none_or(|(from, to)| is_so(from - NEAR, to + NEAR))
    }

    fn holds(&self, place: &Place) -> bool {
        let (first, last) = self.blocks;
        (self.levels.0..=self.levels.1).contains(&place.level)
            && (first..=last).contains(&place.block)
            && match (self.times, place.time) {
                (None, _) => true,
                (Some((from, to)), Some(time)) => from - NEAR <= time && time <= to + NEAR,
                (Some(_), None) => false,
            }
    }
}

impl Found {
    /// Everything.
    pub fn all() -> Self {
        Self { parts: vec![Part { levels: ALL, blocks: (0, u64::MAX), times: None }], ..Self::none() }
    }

    fn none() -> Self {
        Self { parts: Vec::new(), levels: Vec::new(), courses: Vec::new(), notes: Vec::new() }
    }

    /// Times of levels: the level, from when, until when.
    pub(crate) fn of_times(windows: Vec<(u32, f64, f64)>) -> Self {
        let part = |(level, from, to)| Part {
            levels: (level, level),
            blocks: (0, u64::MAX),
            times: Some((from, to)),
        };
        Self { parts: windows.into_iter().map(part).collect(), ..Self::none() }
    }

    /// One level, counted from 1.
    pub fn level(number: u32) -> Self {
        Self {
            parts: vec![Part { levels: (number, number), blocks: (0, u64::MAX), times: None }],
            ..Self::none()
        }
    }

    /// Whether a block that was read to its end here is in one of the spans.
    pub fn holds(&self, place: &Place) -> bool {
        self.parts.iter().any(|part| part.holds(place))
    }

    /// What is to be said of the spans: those that go on behind the end of what there is.
    ///
    /// ```
    /// use moviola_edit::Spans;
    /// // One block, in which the time is 2.
    /// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// let found = Spans::parse("1..3, #0..").unwrap().find(&recording[..]).unwrap();
    /// assert_eq!(found.notes(), ["1..3 goes on behind the end, which is at 2.00"]);
    /// ```
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether all of the recording is in one of the spans.
    pub(crate) fn is_everything(&self) -> bool {
        let Some(last) = self.levels.last() else { return false };
        let is_all = |part: &Part| {
            let levels = self.levels.iter().filter_map(|level| level.times);
            part.levels.0 <= 1
                && part.levels.1 as usize >= self.levels.len()
                && part.blocks.0 == 0
                && part.blocks.1 >= last.last
                && { levels }.all(|(first, last)| part.is_timed(|from, to| from <= first && last <= to))
        };
        self.parts.iter().any(is_all)
    }

    /// Whether no block behind this one can be in one of the spans.
    pub(crate) fn is_over(&self, place: &Place) -> bool {
        let at = (place.level as usize).saturating_sub(1);
        let is_over = |part: &Part| {
            let is_past = place.block >= part.blocks.1 || place.level > part.levels.1;
            // Of a level that is not known, anything may come.
            let is_late = |(_, to): (f64, f64)| {
                let now = self.courses.get(at).is_some_and(|course| course.is_steady)
                    && place.time.is_some_and(|time| time > to + NEAR);
                let mut later = self.levels.iter().enumerate().skip(at.saturating_add(1));
                now && !later.any(|(at, level)| {
                    part.is_of(at) && level.times.is_some_and(|(from, _)| from - NEAR <= to)
                })
            };
            is_past || part.times.is_some_and(is_late)
        };
        self.parts.iter().all(is_over)
    }

    /// The blocks behind this one that are all kept, or all dropped, and of which it is known without reading them.
    pub(crate) fn run(&self, place: &Place, drops: bool) -> Option<Run> {
        let at = (place.level as usize).checked_sub(1)?;
        self.courses.get(at)?.run(place.block, self.parts.iter().filter(|part| part.is_of(at)), drops)
    }

    /// Has every block read.
    #[cfg(test)]
    pub(super) fn forbid_runs(&mut self) {
        self.courses.iter_mut().for_each(Course::forbid_runs);
    }
}

impl Spans {
    /// Finds the spans in a recording.
    ///
    /// ```
    /// use moviola_edit::Spans;
    /// // One block, in which the time is 2.
    /// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// assert!(Spans::parse("1..3").unwrap().find(&recording[..]).is_ok());
    /// let error = Spans::parse("1:00..").unwrap().find(&recording[..]).unwrap_err();
    /// assert_eq!(error.to_string(), "nothing of the recording is in this span");
    /// ```
    ///
    /// # Errors
    /// A span in which nothing is, with its place in the words; or when reading fails.
    pub fn find<R: Read>(&self, source: R) -> Result<Found, Error> {
        let mut survey = Survey::new(self);
        survey.read(source)?;
        let mut found = Found { levels: survey.levels, courses: survey.courses, ..Found::none() };
        for ((span, place), hits) in self.spans.iter().zip(&survey.hits) {
            let parts = parts(span, hits);
            if parts.is_empty() || !found.levels_touch(&parts) {
                return Err(nothing(self, span, place.clone(), hits, &found.levels).into());
            }
            let said = self.text.get(place.clone()).unwrap_or_default().trim();
            found.notes.extend(found.end_before(span).map(|end| format!("{said} goes on behind {end}")));
            found.parts.extend(parts);
        }
        Ok(found)
    }
}

impl Found {
    /// The end of what a span is about, if it says a later one.
    fn end_before(&self, span: &Span) -> Option<String> {
        let (_, last) = span.levels.unwrap_or(ALL);
        match span.to {
            Some(Point::Block(to)) => {
                let end = self.levels.last()?.last;
                (to > end).then(|| format!("the last block, which is #{end}"))
            }
            Some(Point::Time(to)) => {
                let of = self.levels.iter().take(usize::try_from(last).unwrap_or(usize::MAX));
                let ends = of.filter_map(|level| Some(level.times?.1));
                let end = ends.max_by(f64::total_cmp)?;
                let what = if span.levels.is_some() { "the level's end" } else { "the end" };
                (to > end + NEAR).then(|| format!("{what}, which is at {}", clock(end)))
            }
            _ => None,
        }
    }

    /// Whether anything can be in one of these parts, by what is known of the levels.
    fn levels_touch(&self, parts: &[Part]) -> bool {
        let touches = |part: &Part, number: usize, level: &Level| {
            let (first, last) = part.blocks;
            let in_time = match (part.times, level.times) {
                (None, _) => true,
                (Some((from, to)), Some((start, end))) => from - NEAR <= end && start <= to + NEAR,
                (Some(_), None) => false,
            };
            part.is_of(number) && first <= level.last && level.first <= last && in_time
        };
        parts.iter().any(|part| self.levels.iter().enumerate().any(|(at, level)| touches(part, at, level)))
    }
}

/// Where an event was.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) block: u64,
    pub(super) level: u32,
    pub(super) time: f64,
}

/// The hits of a span's two ends.
pub(super) type Hits = [Vec<Hit>; 2];

/// How many times an event counts at most, so that memory does not grow with the recording.
pub(super) const MOST: usize = 10_000;

/// The parts that a span is, now that its events are found.
fn parts(span: &Span, [starts, ends]: &Hits) -> Vec<Part> {
    let mut part = Part { levels: span.levels.unwrap_or(ALL), blocks: (0, u64::MAX), times: None };
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    if let Some(Point::Block(first)) = span.from {
        part.blocks.0 = first;
    }
    if let Some(Point::Block(last)) = span.to {
        part.blocks.1 = last;
    }
    if let Some(Point::Time(time)) = span.from {
        from = time;
    }
    if let Some(Point::Time(time)) = span.to {
        to = time;
    }
    let time = |event: &Option<Point>| match event {
        Some(Point::Event(_, seconds)) => Some(*seconds),
        _ => None,
    };
    let levels = part.levels;
    let fits = |hit: &&Hit| (levels.0..=levels.1).contains(&hit.level);
    let timed = |part: Part, from: f64, to: f64| {
        let open = from == f64::NEG_INFINITY && to == f64::INFINITY;
        Part { times: if open { None } else { Some((from, to)) }, ..part }
    };
    match (time(&span.from), time(&span.to)) {
        (None, None) => vec![timed(part, from, to)],
        (Some(before), None) => starts
            .iter()
            .filter(fits)
            .map(|hit| timed(Part { levels: (hit.level, hit.level), ..part.clone() }, hit.time + before, to))
            .collect(),
        (None, Some(after)) => ends
            .iter()
            .filter(fits)
            .map(|hit| timed(Part { levels: (hit.level, hit.level), ..part.clone() }, from, hit.time + after))
            .collect(),
        (Some(before), Some(after)) => {
            let same = span_events(span).is_some_and(|(first, second)| first == second);
            let mut all = Vec::new();
            for start in starts.iter().filter(fits) {
                // From each first event to the next second one in its level.
                let end = if same {
                    Some(start)
                } else {
                    ends.iter().find(|end| end.level == start.level && end.block >= start.block)
                };
                if let Some(end) = end {
                    let part = Part { levels: (start.level, start.level), ..part.clone() };
                    // An event without seconds is its block.
                    let alone = same && before == 0.0 && after == 0.0;
                    all.push(if alone {
                        Part { blocks: (start.block, start.block), ..part }
                    } else {
                        timed(part, start.time + before, end.time + after)
                    });
                }
            }
            all
        }
    }
}

fn span_events(span: &Span) -> Option<(&Event, &Event)> {
    match (&span.from, &span.to) {
        (Some(Point::Event(first, _)), Some(Point::Event(second, _))) => Some((first, second)),
        _ => None,
    }
}

/// Says why nothing is in a span.
fn nothing(spans: &Spans, span: &Span, at: std::ops::Range<usize>, hits: &Hits, levels: &[Level]) -> Mistake {
    let asked = [&span.from, &span.to].into_iter().zip(hits);
    for (point, hits) in asked {
        if let (Some(Point::Event(event, _)), true) = (point, hits.is_empty()) {
            let word = event.kind.word();
            if event.text.is_empty() {
                let message = format!("there is no `{word}` in the recording");
                return Mistake::new(Code::NoSuchEvent, message, &spans.text, at)
                    .help("`moviola events` lists what there is");
            }
            let message = format!("nothing in the recording has the text \"{}\"", event.text);
            return Mistake::new(Code::NoSuchEvent, message, &spans.text, at)
                .help(format!("`{word}` looks for a part of the text, whatever its capitals"));
        }
    }
    let mistake =
        Mistake::new(Code::NothingThere, "nothing of the recording is in this span", &spans.text, at);
    mistake.help(extent(span, levels))
}

/// What of the recording there is.
fn extent(span: &Span, levels: &[Level]) -> String {
    let Some(last) = levels.last() else { return "the recording has no blocks".into() };
    let count = levels.len();
    let (level, last_level) = span.levels.unwrap_or(ALL);
    if level as usize > count {
        return format!("there is no level {level}: the recording has {count}");
    }
    if matches!((&span.from, &span.to), (Some(Point::Block(_)), _) | (_, Some(Point::Block(_)))) {
        return format!("the blocks are #0..#{}", last.last);
    }
    let times: Vec<String> = levels
        .iter()
        .enumerate()
        .filter(|(at, _)| (level as usize..=last_level as usize).contains(&(at + 1)))
        .filter_map(|(at, level)| {
            let (from, to) = level.times?;
            let said = format!("{}..{}", clock(from), clock(to));
            Some(if count > 1 { format!("level {}: {said}", at + 1) } else { said })
        })
        .take(8)
        .collect();
    if times.is_empty() {
        "no game time passes in it".into()
    } else {
        format!("its times are {}", times.join(", "))
    }
}

/// A time as spans take it.
fn clock(seconds: f64) -> String {
    let hundredths = (seconds * 100.0).round() as i64;
    let (minutes, rest) = (hundredths / 6000, hundredths % 6000);
    if minutes == 0 {
        return format!("{}.{:02}", rest / 100, rest % 100);
    }
    format!("{minutes}:{:02}.{:02}", rest / 100, rest % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pen, Rewrite, rewrite};
    use std::io;

    /// A Quake recording: each block is a time and perhaps more.
    fn recording() -> Vec<u8> {
        let mut file = b"-1\n".to_vec();
        let mut block = |messages: &[u8]| {
            file.extend((messages.len() as u32).to_le_bytes());
            file.extend([0; 12]);
            file.extend(messages);
        };
        let time = |seconds: f32, more: &[u8]| [&[7][..], &seconds.to_le_bytes(), more].concat();
        for _ in 0..2 {
            block(b"\x0b\x0f\0\0\0\x01\0a\0maps/a.bsp\0\0b.wav\0\0");
            for tenth in 0..100u8 {
                let chat: &[u8] = if tenth == 50 { b"\x08\x01Bob: Cut \xe8ere\n\0" } else { b"" };
                block(&time(f32::from(tenth) / 10.0, chat));
            }
        }
        file
    }

    struct Mark(Found, Vec<u64>);
    impl Rewrite for Mark {
        fn block_end(&mut self, pen: &mut Pen<'_>, _: &mut crate::Out<'_>) -> Result<(), Error> {
            if self.0.holds(pen.place()) {
                self.1.push(pen.place().block);
            }
            Ok(())
        }
    }

    fn found(text: &str) -> Vec<u64> {
        let found = Spans::parse(text).unwrap().find(&recording()[..]).unwrap();
        let mut mark = Mark(found, Vec::new());
        rewrite(&recording()[..], &mut mark, io::sink()).unwrap();
        mark.1
    }

    #[test]
    fn spans_are_found() {
        assert_eq!(found("#3..#5"), [3, 4, 5]);
        assert_eq!(found("..").len(), 202);
        assert_eq!(found("level 1 ..0.2"), [1, 2, 3]);
        assert_eq!(found("0.05..0.25"), [2, 3, 103, 104]);
        assert_eq!(found("level 2").len(), 101);
        assert_eq!(found("level 2.."), found("level 2"));
        assert_eq!(found("level 1..2").len(), 202);
        assert_eq!(found("level 1..9, #3"), found("..level 2"));
        assert_eq!(found("..level 1").len(), 101);
        assert_eq!(found("chat \"cut here\""), [51, 152]);
        assert_eq!(found("level 2 chat \"CUT\" -0.15 +0.15"), [151, 152, 153]);
        assert_eq!(found("level 1 chat \"cut\"..5.25"), [51, 52, 53]);
        assert_eq!(found("level 1 9.85.., #0"), [0, 100]);
        assert_eq!(found("level_start"), [0, 101]);
        assert_eq!(found("level 2 chat \"cut\" -0.15, level_start \"a: \" +0.05"), [1, 102, 151, 152]);
    }

    #[test]
    fn what_goes_on_behind_the_end_is_said() {
        let notes =
            |text: &str| Spans::parse(text).unwrap().find(&recording()[..]).unwrap().notes().join(", ");
        assert_eq!(notes("1..9.9, #3..#201, level 2 1..2, chat \"cut\" -1 +90"), "");
        assert_eq!(notes("5..500"), "5..500 goes on behind the end, which is at 9.90");
        assert_eq!(notes("#5..#202"), "#5..#202 goes on behind the last block, which is #201");
        assert_eq!(
            notes("1..2, level 2 5..500"),
            "level 2 5..500 goes on behind the level's end, which is at 9.90"
        );
    }

    #[test]
    fn everything_is_everything() {
        let all = |text: &str| Spans::parse(text).unwrap().find(&recording()[..]).unwrap().is_everything();
        let whole = ["..", "0..", "#0..", "level 1..2", "level 1.., #3", "..9.9", "#0..#201", "..#900"];
        assert!(whole.into_iter().all(all));
        assert!(!["0.1..", "#1..", "..9.8", "..#200", "level 2..", "level 1"].into_iter().any(all));
    }

    #[test]
    fn what_is_not_there_is_said() {
        let said = |text: &str| {
            let Error::Mistakes(mistakes) = Spans::parse(text).unwrap().find(&recording()[..]).unwrap_err()
            else {
                panic!("no mistake")
            };
            (mistakes[0].code.number(), mistakes[0].column, mistakes[0].help.clone().unwrap())
        };
        assert_eq!(
            said("1..2, 11.."),
            ("E003", 7, "its times are level 1: 0.00..9.90, level 2: 0.00..9.90".into())
        );
        assert_eq!(said("#900.."), ("E003", 1, "the blocks are #0..#201".into()));
        assert_eq!(said("level 3"), ("E003", 1, "there is no level 3: the recording has 2".into()));
        assert_eq!(said("level 3.."), ("E003", 1, "there is no level 3: the recording has 2".into()));
        assert_eq!(said("chat \"x\"").0, "E004");
    }

    #[test]
    fn what_is_no_recording_has_no_spans() {
        assert!(matches!(Spans::parse("1..").unwrap().find(&b"no"[..]), Err(Error::NotARecording(_))));
    }
}
