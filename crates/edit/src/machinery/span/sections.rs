//! The sections of a recording that `split` makes files of: its levels, or the matches or rounds that KTX plays on them.

use super::found::{FoundSpans, SpanLevel};
use super::survey::follow;
use crate::Error;
use moviola_analyse::{Event, EventKind, Events};
use std::io::Read;

/// The parts that a recording is taken apart into.
///
/// ```
/// assert_eq!(moviola_edit::SectionKind::default(), moviola_edit::SectionKind::Level);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SectionKind {
    /// Levels.
    #[default]
    Level,
    /// Matches of `QuakeWorld`: each from its countdown to the next one's, or to the end of the level.
    Match,
    /// Rounds of Clan Arena, Wipeout and `HoonyMode`, in the same way.
    Round,
}

/// A level, match or round in a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its level, counted from 1.
    pub level: u32,
    /// The map of the level, as in its file's name.
    pub map: String,
    /// Its first and last blocks, within the level.
    pub blocks: (u64, u64),
}

/// A mark of a match: its block and level, and the name of the mark.
type Mark = (u64, u32, &'static str);

/// The greatest number of marks, so that memory does not grow with the recording.
const MAX_MARKS: usize = 10_000;

/// The sections of a recording, in their order.
///
/// ```
/// use moviola_edit::{SectionKind, sections};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-levels").unwrap().bytes;
/// let levels = sections(&recording[..], SectionKind::Level).unwrap();
/// assert_eq!((levels.len(), levels[0].map.as_str()), (2, "e1m1"));
/// assert!(sections(&recording[..], SectionKind::Match).is_err());
/// ```
///
/// # Errors
/// When there are none, it is not a recording, or reading fails.
pub fn sections<R: Read>(source: R, unit: SectionKind) -> Result<Vec<Section>, Error> {
    if unit == SectionKind::Level {
        let all = (1..).zip(super::levels(source)?);
        return Ok(all.map(|(level, it)| Section { level, map: it.map, blocks: (0, u64::MAX) }).collect());
    }
    let mut marks: Vec<Mark> = Vec::new();
    let mut events = Events::new(|event: Event| {
        if let EventKind::Match { what } = event.kind
            && marks.len() < MAX_MARKS
        {
            marks.push((event.block, event.level.max(1), what));
        }
    });
    let levels = follow(source, &mut [&mut events])?;
    drop(events);
    // Events that wait for others arrive out of order.
    marks.sort_by_key(|(block, ..)| *block);
    let mut sections = Vec::new();
    let (mut matches, mut rounds) = (0, 0);
    for (number, level) in (1..).zip(&levels) {
        let here: Vec<Mark> = marks.iter().copied().filter(|(_, of, _)| *of == number).collect();
        let mut starts = starts_of_matches(&here);
        matches += starts.len();
        if unit == SectionKind::Round {
            starts = starts_of_rounds(&here, &starts);
            rounds += starts.len();
        }
        sections.extend(between(&starts, number, level));
    }
    if matches == 0 {
        return Err(Error::Impossible(
            "there is no match in it: the game does not say where one begins".into(),
        ));
    }
    if unit == SectionKind::Round && rounds <= matches {
        let why = "there are no rounds in it: Clan Arena, Wipeout and HoonyMode have them";
        return Err(Error::Impossible(why.into()));
    }
    Ok(sections)
}

/// Sections that begin at these blocks, each up to the next one.
fn between(starts: &[u64], number: u32, level: &SpanLevel) -> Vec<Section> {
    let ends = starts.iter().skip(1).map(|next| next.saturating_sub(1)).chain([level.last]);
    let section = |(first, last): (&u64, u64)| Section {
        level: number,
        map: level.map.clone(),
        blocks: (*first, last),
    };
    starts.iter().zip(ends).map(section).collect()
}

/// The blocks in which the matches of a level begin: with the countdown if there is one.
// not from SCHEMA, all words: the phases of a match
fn starts_of_matches(marks: &[Mark]) -> Vec<u64> {
    let (mut starts, mut countdown, mut goes_on) = (Vec::new(), None, false);
    for (block, _, what) in marks {
        match *what {
            // HoonyMode counts down to each round.
            "countdown" if !goes_on => countdown = Some(*block),
            "start" if !goes_on => {
                starts.push(countdown.take().unwrap_or(*block));
                goes_on = true;
            }
            "break" | "end" => (countdown, goes_on) = (None, false),
            _ => {}
        }
    }
    starts
}

/// The blocks in which the rounds of a level's matches begin. The game announces those of Clan Arena and Wipeout; each
/// round of `HoonyMode` starts as a match does.
// not from SCHEMA, all words: the phases of a match
fn starts_of_rounds(marks: &[Mark], matches: &[u64]) -> Vec<u64> {
    let mut starts = Vec::new();
    let ends = matches.iter().skip(1).copied().chain([u64::MAX]);
    for (first, end) in matches.iter().zip(ends) {
        let inside = || marks.iter().filter(move |(block, ..)| (*first..end).contains(block));
        let word = if inside().any(|(.., what)| *what == "round") { "round" } else { "start" };
        let mut before = None;
        let mut rounds = Vec::new();
        for (block, _, what) in inside() {
            match *what {
                it if it == word => rounds.push(before.take().unwrap_or(*block)),
                "countdown" if word == "start" => before = Some(*block),
                _ => {}
            }
        }
        // The first round includes the countdown of the match.
        starts.push(*first);
        starts.extend(rounds.into_iter().skip(1));
    }
    starts
}

impl FoundSpans {
    /// A section of a recording.
    ///
    /// ```
    /// use moviola_edit::{Cut, FoundSpans, SectionKind, rewrite, sections};
    /// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-levels").unwrap().bytes;
    /// let second = &sections(&recording[..], SectionKind::Level).unwrap()[1];
    /// let mut file = Vec::new();
    /// rewrite(&recording[..], &mut Cut::keep(FoundSpans::section(second)), &mut file).unwrap();
    /// assert!(!file.is_empty());
    /// ```
    pub fn section(section: &Section) -> Self {
        let mut found = Self::level(section.level);
        found.parts.iter_mut().for_each(|part| part.blocks = section.blocks);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(words: &[&'static str]) -> Vec<Mark> {
        (10..).step_by(10).zip(words).map(|(block, what)| (block, 1, *what)).collect()
    }

    #[test]
    fn matches_begin_with_their_countdown() {
        let of = |words: &[&'static str]| starts_of_matches(&marks(words));
        assert_eq!(of(&["countdown", "start", "overtime", "end", "countdown", "start"]), [10, 50]);
        assert_eq!(of(&["start", "break", "countdown", "break", "countdown", "start"]), [10, 50]);
        assert_eq!(of(&["start", "start"]), [10]);
        assert!(of(&["countdown", "end"]).is_empty());
    }

    #[test]
    fn rounds_are_announced_or_start_like_matches() {
        let of = |words: &[&'static str]| {
            let marks = marks(words);
            starts_of_rounds(&marks, &starts_of_matches(&marks))
        };
        assert_eq!(of(&["countdown", "start", "round", "round", "end", "start"]), [10, 40, 60]);
        assert_eq!(of(&["countdown", "start", "countdown", "start", "start", "end"]), [10, 30, 50]);
    }
}
