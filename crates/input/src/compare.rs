//! Compares two recordings of input tic by tic, to show where one was edited. Tics that only one recording has are
//! listed, and the comparison continues after them.

use crate::footer::{Footer, LARGEST, lines};
use crate::reader::{InputPiece, Recording};
use crate::record::RecordText;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{self, Read};

/// How tics differ.
///
/// ```
/// use moviola_input::{TicChange, compare};
/// let longer = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x32\0\0\0\x80";
/// let shorter = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
/// let differences = compare(&longer[..], &shorter[..], None, 10).unwrap();
/// assert_eq!((differences.runs[0].how, differences.runs[0].first), (TicChange::OnlyInFirst, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TicChange {
    /// The records of these tics differ.
    Changed,
    /// The second recording lacks these tics, and continues with the next ones.
    OnlyInFirst,
    /// The first recording lacks these tics, and continues with the next ones.
    OnlyInSecond,
}

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
    /// Whether the tics were changed, or only one recording has them.
    pub how: TicChange,
    /// The first tic, counted from 1 in the first recording, or in the only one that has it.
    pub first: u64,
    /// The last tic.
    pub last: u64,
    /// The words of these tics in the first recording, with players separated by `|`; `nothing` if it lacks the tics.
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
    /// The texts of the footers that differ, as `key: old -> new`; empty if a footer does not consist of texts.
    pub texts: Vec<String>,
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

    /// Adds a tic to the last run if it differs in the same way; otherwise begins a new run.
    fn add(&mut self, limit: usize, tic: InputDifference) {
        self.tics += 1;
        let goes_on = |run: &&mut InputDifference| {
            run.last + 1 == tic.first && (run.how, &run.was, &run.is) == (tic.how, &tic.was, &tic.is)
        };
        if let Some(run) = self.runs.last_mut().filter(goes_on) {
            run.last = tic.last;
        } else if self.runs.len() < limit {
            self.runs.push(tic);
        }
    }
}

/// How many tics are searched for a place from which the recordings agree again: half a minute.
const LOOKAHEAD_TICS: usize = 1050;
/// The number of equal tics that proves it: a second.
const PROOF: usize = 35;

/// Compares two recordings; lists at most `limit` runs of tics that differ. Up to half a minute of tics that only one
/// recording has is skipped, and the comparison continues after them.
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
    // Records with different layouts are compared by their words.
    let by_words = first.record.length != second.record.length;
    (first.by_words, second.by_words) = (by_words, by_words);
    let mut found = InputDifferences { header: headers(&first, &second), ..InputDifferences::default() };
    loop {
        first.fill(1)?;
        second.fill(1)?;
        let count = match (first.ahead.front(), second.ahead.front()) {
            (None, None) => break,
            (Some(one), Some(two)) if one.is_same(two) => {
                first.take_tic();
                second.take_tic();
                continue;
            }
            _ => agree_again(&mut first, &mut second)?,
        };
        match count {
            (TicChange::Changed, count) => {
                for _ in 0..count {
                    change(&mut first, &mut second, limit, &mut found);
                }
            }
            (how @ TicChange::OnlyInFirst, count) => only(&mut first, how, count, limit, &mut found),
            (how @ TicChange::OnlyInSecond, count) => only(&mut second, how, count, limit, &mut found),
        }
    }
    footers(&mut first, &mut second, &mut found)?;
    Ok(found)
}

/// Finds the nearest place where both recordings agree for a second: after as many tics in both, or after more tics
/// in one of them.
fn agree_again<A: Read, B: Read>(
    first: &mut Tics<A>,
    second: &mut Tics<B>,
) -> io::Result<(TicChange, usize)> {
    first.fill(LOOKAHEAD_TICS + PROOF)?;
    second.fill(LOOKAHEAD_TICS + PROOF)?;
    let (one, two) = (&first.ahead, &second.ahead);
    let agree = |at: usize, other: usize| {
        let (left, right) = (one.range(at.min(one.len())..), two.range(other.min(two.len())..));
        // At the ends of both recordings fewer equal tics are enough.
        let is_end = left.len() == right.len() && left.len() < PROOF;
        (is_end || left.len().min(right.len()) >= PROOF)
            && left.zip(right).take(PROOF).all(|(one, two)| one.is_same(two))
    };
    let found = (1..=LOOKAHEAD_TICS).find_map(|count| {
        let places = [
            (TicChange::Changed, count, count),
            (TicChange::OnlyInFirst, count, 0),
            (TicChange::OnlyInSecond, 0, count),
        ];
        let fits = |(_, at, other): &&(TicChange, usize, usize)| {
            *at <= one.len() && *other <= two.len() && agree(*at, *other)
        };
        places.iter().find(fits).map(|(how, ..)| (*how, count))
    });
    // Recordings of different runs never agree again, so the next search begins after all that was looked at.
    Ok(found.unwrap_or((TicChange::Changed, LOOKAHEAD_TICS)))
}

/// Compares the next tic of both recordings.
fn change<A: Read, B: Read>(
    first: &mut Tics<A>,
    second: &mut Tics<B>,
    limit: usize,
    found: &mut InputDifferences,
) {
    let (one, two) = (first.take_tic(), second.take_tic());
    let (how, tic) = match (&one, &two) {
        (None, None) => return,
        (Some(one), Some(two)) if one.is_same(two) => return,
        (Some(_), Some(_)) => (TicChange::Changed, first.passed),
        (Some(_), None) => (TicChange::OnlyInFirst, first.passed),
        (None, Some(_)) => (TicChange::OnlyInSecond, second.passed),
    };
    let (was, is) = (first.words(one.as_ref()), second.words(two.as_ref()));
    found.add(limit, InputDifference { how, first: tic, last: tic, was, is });
}

/// Counts tics that only one of the recordings has.
fn only<R: Read>(
    tics: &mut Tics<R>,
    change: TicChange,
    count: usize,
    limit: usize,
    found: &mut InputDifferences,
) {
    for _ in 0..count {
        let Some(tic) = tics.take_tic() else { return };
        let (words, nothing) = (tics.words(Some(&tic)), tics.words(None));
        let (was, is) = if change == TicChange::OnlyInFirst { (words, nothing) } else { (nothing, words) };
        found.add(limit, InputDifference { how: change, first: tics.passed, last: tics.passed, was, is });
    }
}

fn headers<A: Read, B: Read>(first: &Tics<A>, second: &Tics<B>) -> Vec<String> {
    let lines =
        |lines: Vec<crate::header::Line>| lines.into_iter().map(|it| (it.0, it.1)).collect::<Vec<_>>();
    changed_lines(&lines(first.recording.header().lines()), &lines(second.recording.header().lines()))
}

/// The lines that differ, by their keys.
fn changed_lines(one: &[(String, String)], two: &[(String, String)]) -> Vec<String> {
    let value =
        |lines: &[(String, String)], key: &str| lines.iter().find(|it| it.0 == key).map(|it| it.1.clone());
    let mut keys: Vec<&String> = one.iter().map(|it| &it.0).collect();
    keys.extend(two.iter().map(|it| &it.0).filter(|key| value(one, key).is_none()));
    let line = |key: &String| {
        let (was, is) = (value(one, key), value(two, key));
        let say = |it: Option<String>| it.unwrap_or_else(|| "nothing".to_owned());
        (was != is).then(|| format!("{key}: {} -> {}", say(was), say(is)))
    };
    keys.into_iter().filter_map(line).collect()
}

/// Compares the bytes after the records, and the named texts of footers that have them.
fn footers<A: Read, B: Read>(
    first: &mut Tics<A>,
    second: &mut Tics<B>,
    found: &mut InputDifferences,
) -> io::Result<()> {
    let (mut one, mut two) = (Vec::new(), Vec::new());
    loop {
        let (more_of_one, more_of_two) = (first.tail()?, second.tail()?);
        if more_of_one.is_empty() && more_of_two.is_empty() {
            break;
        }
        one.extend(more_of_one);
        two.extend(more_of_two);
        let is_long = one.len().max(two.len()) > LARGEST + 1;
        if is_long {
            found.footer |= one != two;
            one.clear();
            two.clear();
        }
        if is_long && found.footer {
            return Ok(());
        }
    }
    found.footer |= one != two;
    let texts =
        |tail: &[u8]| tail.get(1..).and_then(Footer::read).map(|_| lines(tail.get(1..).unwrap_or_default()));
    if let (true, Some(one), Some(two)) = (found.footer, texts(&one), texts(&two)) {
        found.texts = changed_lines(&one, &two);
    }
    Ok(())
}

/// The records of a tic, and the offset where each ends.
struct Tic {
    records: Vec<u8>,
    ends: Vec<usize>,
    /// The words, if words are compared.
    words: Option<String>,
}

impl Tic {
    fn is_same(&self, other: &Self) -> bool {
        match (&self.words, &other.words) {
            (Some(one), Some(two)) => one == two,
            _ => self.records == other.records,
        }
    }
}

/// A recording that is read tic by tic.
struct Tics<R> {
    recording: Recording<R>,
    record: crate::record::RecordForm,
    players: usize,
    by_words: bool,
    /// The tics that were read and not compared yet.
    ahead: VecDeque<Tic>,
    /// The number of tics that were compared.
    passed: u64,
    is_over: bool,
    tail: Vec<u8>,
}

impl<R: Read> Tics<R> {
    fn open(source: R, game: Option<&str>) -> io::Result<Self> {
        let recording = Recording::open(source, game)?;
        let (record, players) = (recording.record_form(), recording.players());
        Ok(Self {
            recording,
            record,
            players,
            by_words: false,
            ahead: VecDeque::new(),
            passed: 0,
            is_over: false,
            tail: Vec::new(),
        })
    }

    /// Reads until this many tics are ahead, or the records end.
    fn fill(&mut self, count: usize) -> io::Result<()> {
        while self.ahead.len() < count && !self.is_over {
            let Some(mut tic) = self.next_tic()? else {
                self.is_over = true;
                break;
            };
            tic.words = self.by_words.then(|| self.words(Some(&tic)));
            self.ahead.push_back(tic);
        }
        Ok(())
    }

    /// Takes the next tic.
    fn take_tic(&mut self) -> Option<Tic> {
        let tic = self.ahead.pop_front()?;
        self.passed += 1;
        Some(tic)
    }

    fn next_tic(&mut self) -> io::Result<Option<Tic>> {
        let mut tic = Tic { records: Vec::new(), ends: Vec::new(), words: None };
        while tic.ends.len() < self.players {
            match self.recording.next_piece()? {
                Some(InputPiece::Record { bytes, .. }) => {
                    tic.records.extend_from_slice(bytes);
                    tic.ends.push(tic.records.len());
                }
                Some(InputPiece::Packing(_)) => {}
                Some(InputPiece::Damaged(bytes)) => self.tail.extend_from_slice(bytes),
                Some(InputPiece::Tail(bytes)) => {
                    self.tail.extend_from_slice(bytes);
                    break;
                }
                Some(InputPiece::End) => {
                    self.tail.push(crate::record::END);
                    break;
                }
                None => break,
            }
        }
        Ok((!tic.ends.is_empty()).then_some(tic))
    }

    fn words(&self, tic: Option<&Tic>) -> String {
        let Some(tic) = tic else { return "nothing".to_owned() };
        let (mut words, mut from, mut all) = (RecordText::default(), 0, Vec::new());
        for end in &tic.ends {
            self.record.print(tic.records.get(from..*end).unwrap_or_default(), false, &mut words);
            all.push(String::from_utf8_lossy(words.bytes()).into_owned());
            from = *end;
        }
        all.join(" | ")
    }

    /// The next bytes after the records, including the end mark; empty at the end.
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
