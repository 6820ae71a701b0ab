//! Compares two recordings of input tic by tic, to show where one was edited. A run that differs never gets
//! back in step.

use crate::reader::{InputPiece, Recording};
use crate::record::Words;
use serde::Serialize;
use std::io::{self, Read};

/// Consecutive tics that differ in the same way, with their words in both recordings.
///
/// ```
/// use moviola_input::compare;
/// let (a, b) = (b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80", b"\x6d\x02\x01\x01\0\0\0\0\0\x01\0\0\0\x19\0\0\x01\x80");
/// let differences = compare(&a[..], &b[..], None, 10).unwrap();
/// assert_eq!((differences.header[0].as_str(), differences.tics), ("Skill: 4 -> 3", 1));
/// assert_eq!((differences.runs[0].first, differences.runs[0].was.as_str()), (1, "GF50 FW"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputDifference {
    /// The first tic, counted from 1.
    pub first: u64,
    /// The last tic.
    pub last: u64,
    /// The words of these tics in the first recording, the players separated by `|`.
    pub was: String,
    /// Their words in the second recording.
    pub is: String,
}

/// The differences between two recordings.
///
/// ```
/// let same = moviola_input::compare(&b"x"[..], &b"x"[..], None, 10).unwrap();
/// assert!(same.are_same());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct InputDifferences {
    /// The header lines that differ, as `key: old -> new`.
    pub header: Vec<String>,
    /// The number of tics that differ.
    pub tics: u64,
    /// The runs of tics that differ, up to the limit of [`compare`].
    pub runs: Vec<InputDifference>,
    /// Whether the bytes after the records differ.
    pub footer: bool,
}

impl InputDifferences {
    /// Whether nothing differs.
    ///
    /// ```
    /// assert!(!moviola_input::compare(&b"x"[..], &b"y"[..], None, 10).unwrap().are_same());
    /// ```
    pub fn are_same(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares two recordings; lists at most `limit` runs of tics that differ.
///
/// ```
/// use moviola_input::compare;
/// let (a, b) = (b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80", b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x80");
/// assert_eq!(compare(&a[..], &b[..], None, 10).unwrap().runs[0].is, "nothing");
/// let c = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\0\x32\0\0\0\x19\0\0\0\x80";
/// let d = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x19\0\0\0\x19\0\0\0\x32\0\0\0\x80";
/// let runs = compare(&c[..], &d[..], None, 10).unwrap().runs;
/// assert_eq!(runs.iter().map(|run| (run.first, run.last)).collect::<Vec<_>>(), [(1, 2), (3, 3)]);
/// ```
pub fn compare(
    first: impl Read,
    second: impl Read,
    game: Option<&str>,
    limit: usize,
) -> io::Result<InputDifferences> {
    let (mut first, mut second) = (Tics::open(first, game)?, Tics::open(second, game)?);
    let mut found = InputDifferences { header: headers(&first, &second), ..InputDifferences::default() };
    let mut tic = 0;
    loop {
        let (one, two) = (first.next_tic()?, second.next_tic()?);
        if !one && !two {
            break;
        }
        tic += 1;
        if first.records == second.records && first.record.length == second.record.length {
            continue;
        }
        let (was, is) = (first.words(), second.words());
        if was == is {
            continue;
        }
        found.tics += 1;
        // A line speaks of all its tics, so a run is of tics that differ in the same way.
        let goes_on = |run: &&mut InputDifference| run.last + 1 == tic && run.was == was && run.is == is;
        if let Some(run) = found.runs.last_mut().filter(goes_on) {
            run.last = tic;
        } else if found.runs.len() < limit {
            found.runs.push(InputDifference { first: tic, last: tic, was, is });
        }
    }
    found.footer = loop {
        let (one, two) = (first.tail()?, second.tail()?);
        if one != two || one.is_empty() {
            break one != two;
        }
    };
    Ok(found)
}

fn headers<A: Read, B: Read>(first: &Tics<A>, second: &Tics<B>) -> Vec<String> {
    let (one, two) = (first.recording.header().lines(), second.recording.header().lines());
    let value =
        |lines: &[crate::header::Line], key: &str| lines.iter().find(|it| it.0 == key).map(|it| it.1.clone());
    let mut keys: Vec<&String> = one.iter().map(|it| &it.0).collect();
    keys.extend(two.iter().map(|it| &it.0).filter(|key| value(&one, key).is_none()));
    let line = |key: &String| {
        let (was, is) = (value(&one, key), value(&two, key));
        let say = |it: Option<String>| it.unwrap_or_else(|| "nothing".to_owned());
        (was != is).then(|| format!("{key}: {} -> {}", say(was), say(is)))
    };
    keys.into_iter().filter_map(line).collect()
}

/// A recording that is read tic by tic.
struct Tics<R> {
    recording: Recording<R>,
    record: crate::record::RecordForm,
    players: usize,
    /// The records of the current tic, one after another, and the offset where each ends.
    records: Vec<u8>,
    ends: Vec<usize>,
    tail: Vec<u8>,
}

impl<R: Read> Tics<R> {
    fn open(source: R, game: Option<&str>) -> io::Result<Self> {
        let recording = Recording::open(source, game)?;
        let (record, players) = (recording.record_form(), recording.players());
        Ok(Self { recording, record, players, records: Vec::new(), ends: Vec::new(), tail: Vec::new() })
    }

    /// Reads a tic; returns `false` at the end of the records.
    fn next_tic(&mut self) -> io::Result<bool> {
        self.records.clear();
        self.ends.clear();
        while self.ends.len() < self.players {
            match self.recording.next_piece()? {
                Some(InputPiece::Record { bytes, .. }) => {
                    self.records.extend_from_slice(bytes);
                    self.ends.push(self.records.len());
                }
                Some(InputPiece::Packing(_)) => {}
                Some(InputPiece::Damaged(bytes)) => self.tail.extend_from_slice(bytes),
                Some(InputPiece::Tail(bytes)) => {
                    self.tail.extend_from_slice(bytes);
                    break;
                }
                Some(InputPiece::End) | None => break,
            }
        }
        Ok(!self.ends.is_empty())
    }

    fn words(&self) -> String {
        let (mut words, mut from, mut all) = (Words::default(), 0, Vec::new());
        for end in &self.ends {
            self.record.print(self.records.get(from..*end).unwrap_or_default(), false, &mut words);
            all.push(String::from_utf8_lossy(words.bytes()).into_owned());
            from = *end;
        }
        if all.is_empty() { "nothing".to_owned() } else { all.join(" | ") }
    }

    /// The next bytes after the records; empty at the end.
    fn tail(&mut self) -> io::Result<Vec<u8>> {
        if !self.tail.is_empty() {
            return Ok(std::mem::take(&mut self.tail));
        }
        while let Some(piece) = self.recording.next_piece()? {
            match piece {
                InputPiece::Tail(bytes) => return Ok(bytes.to_vec()),
                InputPiece::End => return Ok(vec![crate::record::END]),
                _ => {}
            }
        }
        Ok(Vec::new())
    }
}
