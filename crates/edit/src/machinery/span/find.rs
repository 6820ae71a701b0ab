//! Finds spans in a recording in one pass, which keeps only the levels and the requested events.

use super::empty_span;
use super::found::{ALL, FoundSpans, SpanPart};
use super::survey::{End, Survey};
use super::{Span, SpanEnd, Spans};
use crate::Error;
use std::io::Read;

impl Spans {
    /// The spans, if they can be resolved without reading the recording: none may have an event or a film time. Whether
    /// the recording has blocks in them is not checked.
    pub(crate) fn known(&self) -> Option<FoundSpans> {
        let parts = self.iter().map(plain).collect::<Option<_>>()?;
        Some(FoundSpans { parts, ..FoundSpans::default() })
    }

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
    /// A span with nothing in it, with its place in the words; a protocol that cannot be read; or a failure
    /// of reading.
    pub fn find<R: Read>(&self, source: R) -> Result<FoundSpans, Error> {
        let mut survey = Survey::new(self);
        survey.read(source)?;
        let holds_all = survey.is_all_held();
        let runs = survey.film();
        let Survey { levels, courses, sought: asked, unread, .. } = survey;
        let mut found = FoundSpans { levels, courses, holds_all, ..FoundSpans::default() };
        for ((span, place), asked) in self.spans.iter().zip(&asked) {
            let mut parts = asked.plain.clone().map_or_else(|| parts(span, &asked.ends), |part| vec![part]);
            if let Some(film) = asked.film {
                // The film's clock runs through all levels, so a span of its seconds is a run of blocks.
                parts.retain_mut(|part| film.blocks.is_some_and(|blocks| part.narrow(blocks)));
            }
            // Of a span with events only the beginnings and ends of its parts are known.
            let is_there = if asked.plain.is_some() { asked.is_met } else { found.touches(&parts) };
            if !is_there {
                let mistake = || empty_span::mistake(self, span, place.clone(), asked, &found.levels, runs);
                return Err(
                    unread.map_or_else(|| mistake().into(), |it| Error::unread(&it, "searched for spans"))
                );
            }
            let words = self.text.get(place.clone()).unwrap_or_default().trim();
            found.notes.extend(
                empty_span::end_before(span, &found.levels).map(|end| format!("{words} goes on after {end}")),
            );
            found.notes.extend(empty_span::in_several(span, words, &found.levels));
            found.parts.extend(parts);
        }
        Ok(found)
    }
}

/// The place of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) block: u64,
    pub(super) level: u32,
    pub(super) time: f64,
}

/// The greatest number of places of an event, so that memory does not grow with the recording.
pub(super) const MOST: usize = 10_000;

/// The parts of a span, from the places of its events.
fn parts(span: &Span, [start, end]: &[End<'_>; 2]) -> Vec<SpanPart> {
    let (first, last) = span.levels.unwrap_or(ALL);
    let fits = |hit: &&Hit| (first..=last).contains(&hit.level);
    let (starts, ends) = (start.hits.iter().filter(fits), end.hits.iter().filter(fits));
    match span.events() {
        [None, None] => vec![part(span, [None, None])],
        [Some(_), None] => starts.map(|hit| part(span, [Some(hit), None])).collect(),
        [None, Some(_)] => ends.map(|hit| part(span, [None, Some(hit)])).collect(),
        [Some(event), Some(same)] if event == same => starts.map(|hit| part(span, [Some(hit); 2])).collect(),
        // From each first event to the next second one in its level.
        [Some(_), Some(_)] => starts
            .filter_map(|start| {
                let end = ends.clone().find(|end| end.level == start.level && end.block >= start.block)?;
                Some(part(span, [Some(start), Some(end)]))
            })
            .collect(),
    }
}

/// The part of a span that has neither events nor film times, so that the words alone determine it; `None`
/// for other spans.
pub(super) fn plain(span: &Span) -> Option<SpanPart> {
    let is_film = |end: &Option<SpanEnd>| matches!(end, Some(SpanEnd::Film(_)));
    let is_plain = matches!(span.events(), [None, None]) && !is_film(&span.from) && !is_film(&span.to);
    is_plain.then(|| part(span, [None, None]))
}

/// The part of a span, from the places of its two events if it has any.
fn part(span: &Span, [start, end]: [Option<&Hit>; 2]) -> SpanPart {
    let mut part = SpanPart::of_levels(span.levels.unwrap_or(ALL));
    if let Some(hit) = start.or(end) {
        part.levels = (hit.level, hit.level);
        if span.is_one_moment() {
            return SpanPart { blocks: (hit.block, hit.block), ..part };
        }
    }
    let time = |point: &Option<SpanEnd>, hit: Option<&Hit>| match (point, hit) {
        (Some(SpanEnd::Time(time)), _) => Some(*time),
        (Some(SpanEnd::Event(_, seconds)), Some(hit)) => Some(hit.time + seconds),
        _ => None,
    };
    let (from, to) = (time(&span.from, start), time(&span.to, end));
    if from.is_some() || to.is_some() {
        part.times = Some((from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY)));
    }
    if let Some(SpanEnd::Block(first)) = span.from {
        part.blocks.0 = first;
    }
    if let Some(SpanEnd::Block(last)) = span.to {
        part.blocks.1 = last;
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockWriter, Rewrite, rewrite};
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

    struct Mark(FoundSpans, Vec<u64>);
    impl Rewrite for Mark {
        fn block_end(
            &mut self,
            writer: &mut BlockWriter<'_>,
            _: &mut crate::EditOutput<'_>,
        ) -> Result<(), Error> {
            if self.0.holds(writer.place()) {
                self.1.push(writer.place().block);
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
        // The second level begins where the first is over, 9.9 seconds after the first picture.
        assert_eq!(found("+0.25..+0.4"), [4, 5]);
        assert_eq!(found("..+0.2"), [1, 2, 3]);
        assert_eq!(found("+9.8..+10"), [99, 100, 101, 102, 103]);
        assert_eq!(found("level 2 ..+0.1"), [101, 102, 103]);
        assert_eq!(found("+19.8.."), [201]);
        assert_eq!(found("chat \"cut\"..+5.2"), [51, 52, 53]);
        assert_eq!(found("level 2 chat \"cut\" -0.15, level_start \"a: \" +0.05"), [1, 102, 151, 152]);
    }

    #[test]
    fn spans_beyond_the_end_are_reported() {
        let notes =
            |text: &str| Spans::parse(text).unwrap().find(&recording()[..]).unwrap().notes().join(", ");
        assert_eq!(notes("#3..#201, level 2 1..2, chat \"cut\" -1 +90, .., +1..+2, level 1.."), "");
        let both = "5..9 is in 2 levels (1, 2) and selects each of them: level 1 5..9 selects one, +5..+9 counts from the first frame";
        assert_eq!(notes("5..9"), both);
        assert_eq!(notes("level 2 5..500"), "level 2 5..500 goes on after the level's end, which is at 9.90");
        assert_eq!(notes("#5..#202"), "#5..#202 goes on after the last block, which is #201");
        assert_eq!(
            notes("#1, level 2 5..500"),
            "level 2 5..500 goes on after the level's end, which is at 9.90"
        );
    }

    #[test]
    fn everything_is_everything() {
        let all = |text: &str| Spans::parse(text).unwrap().find(&recording()[..]).unwrap().is_everything();
        let whole = ["..5, 5..", "#0..#99, #100..", "level 2, ..9.9", "level_start -1 +90"];
        assert!(whole.into_iter().all(all));
        assert!(
            !["..5, 5.2..", "#0..#99, #101..", "level_start -1 +5", "level 2, ..9.8"].into_iter().any(all)
        );
        let whole = ["..", "0..", "#0..", "level 1..2", "level 1.., #3", "..9.9", "#0..#201", "..#900"];
        assert!(whole.into_iter().all(all));
        assert!(!["0.1..", "#1..", "..9.8", "..#200", "level 2..", "level 1"].into_iter().any(all));
    }

    #[test]
    fn missing_events_are_reported() {
        let mistake_of = |text: &str| {
            let Error::Mistakes(mistakes) = Spans::parse(text).unwrap().find(&recording()[..]).unwrap_err()
            else {
                panic!("no mistake")
            };
            (mistakes[0].code.number(), mistakes[0].column, mistakes[0].help.clone().unwrap())
        };
        assert_eq!(
            mistake_of("1..2, 11.."),
            (
                "E003",
                7,
                "its times are level 1: 0.00..9.90, level 2: 0.00..9.90; +11.. counts from the first frame"
                    .into()
            )
        );
        assert_eq!(mistake_of("#900.."), ("E003", 1, "the blocks are #0..#201".into()));
        assert_eq!(mistake_of("level 3"), ("E003", 1, "there is no level 3: the recording has 2".into()));
        assert_eq!(mistake_of("level 3.."), ("E003", 1, "there is no level 3: the recording has 2".into()));
        assert_eq!(
            mistake_of("3.01..3.09"),
            ("E003", 1, "there is no frame in it: there is one at 3.00, and the next at 3.10".into())
        );
        assert_eq!(mistake_of("chat \"x\"").0, "E004");
        assert_eq!(mistake_of("0.., chat \"hare\""), ("E004", 6, "did you mean chat \"here\"?".into()));
        assert_eq!(mistake_of("print \"Rob\"..5").2, "did you mean print \"Bob\"?");
        assert_eq!(mistake_of("level_start \"protocl 15\"").2, "did you mean level_start \"protocol 15\"?");
    }

    #[test]
    fn unreadable_recordings_are_reported() {
        // A level of DarkPlaces' fourth protocol.
        let raw = b"-1\n\x13\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0b\xad\x0d\0\0\x01\0a\0maps/a\0\0\0\x0f";
        for spans in ["0..", "level 2", "chat \"x\"", "kill"] {
            let error = Spans::parse(spans).unwrap().find(&raw[..]).unwrap_err();
            let why = "protocol 3501 (DarkPlaces 4) cannot be read, so it cannot be searched for spans";
            assert_eq!(error.to_string(), why, "{spans}");
        }
        assert!(Spans::parse("#0").unwrap().find(&raw[..]).is_ok());
        let error = crate::Highlights::new(1.0, 1.0).find(&raw[..]).unwrap_err();
        let why = "protocol 3501 (DarkPlaces 4) cannot be read, so it cannot be searched";
        assert_eq!(error.to_string(), why);
    }

    #[test]
    fn a_file_that_is_not_a_recording_has_no_spans() {
        assert!(matches!(Spans::parse("1..").unwrap().find(&b"no"[..]), Err(Error::NotARecording(_))));
    }
}
