//! Files of subtitles: `SubRip` (.srt) and `WebVTT` (.vtt), distinguished by their first line.

use super::markup::to_font;
use super::wrap::wrap;
use crate::{EditCode, Mistake};
use std::fmt;
use std::ops::Range;

/// A subtitle.
///
/// ```
/// use moviola_edit::{Cue, Subtitle};
/// let subtitle = Subtitle::parse(b"00:01,0 --> 00:02,5\nHello\n").unwrap();
/// assert_eq!(subtitle.cues(), [Cue { from: 1.0, to: 2.5, text: b"Hello".to_vec(), marked: "Hello".into(), line: 1 }]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// The time at which it appears, in seconds of the film.
    pub from: f64,
    /// The time at which it disappears.
    pub to: f64,
    /// Its text, in the games' font and in lines that fit.
    pub text: Vec<u8>,
    /// Its text in the letters and lines of the file; bronze letters are between `**`.
    pub marked: String,
    /// The line of the file that has its times.
    pub line: u64,
}

/// A subtitle in one line, as in a script: its times, and its text.
///
/// ```
/// use moviola_edit::OneLine;
/// let cue = OneLine::parse("00:07.5 --> 00:10 It begins|here").unwrap();
/// assert_eq!((cue.from, cue.to, &*cue.text), (7.5, 10.0, "It begins\nhere"));
/// assert_eq!(cue.to_string(), "00:07.500 --> 00:10.000 It begins|here");
/// assert_eq!(cue.srt(1), "1\n00:00:07,500 --> 00:00:10,000\nIt begins\nhere\n");
/// assert!(OneLine::parse("00:07.5 --> 00:10").is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OneLine {
    /// The time at which it appears, in seconds of the film.
    pub from: f64,
    /// The time at which it disappears.
    pub to: f64,
    /// Its text; lines end as in a file of subtitles.
    pub text: String,
}

impl OneLine {
    /// Reads a subtitle. `|` begins a new line, as in `MicroDVD`'s files.
    ///
    /// # Errors
    /// A mistake, where the times or the text are missing.
    pub fn parse(line: &str) -> Result<Self, Mistake> {
        let (from, to, end) = times(line)?;
        let text = line.get(end..).unwrap_or_default().trim();
        if text.is_empty() {
            let mistake =
                Mistake::new(EditCode::SubtitleTime, "this subtitle has no text", line, 0..line.len());
            return Err(mistake.help("write it after the times: 00:05.0 --> 00:08.5 It begins"));
        }
        Ok(Self { from, to, text: text.replace('|', "\n") })
    }

    /// This cue as a subtitle of a `.srt` file.
    pub fn srt(&self, number: usize) -> String {
        let time = |seconds: f64| {
            let [hours, minutes, seconds, thousandths] = parts(seconds);
            format!("{hours:02}:{minutes:02}:{seconds:02},{thousandths:03}")
        };
        format!("{number}\n{} --> {}\n{}\n", time(self.from), time(self.to), self.text)
    }
}

impl fmt::Display for OneLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |seconds: f64| {
            let [hours, minutes, seconds, thousandths] = parts(seconds);
            let hours = if hours > 0 { format!("{hours}:") } else { String::new() };
            format!("{hours}{minutes:02}:{seconds:02}.{thousandths:03}")
        };
        let lines: Vec<&str> = self.text.lines().collect();
        write!(f, "{} --> {} {}", time(self.from), time(self.to), lines.join("|"))
    }
}

/// Hours, minutes, seconds and thousandths.
fn parts(seconds: f64) -> [u64; 4] {
    let all = (seconds.max(0.0) * 1000.0).round() as u64;
    [all / 3_600_000, all / 60_000 % 60, all / 1000 % 60, all % 1000]
}

/// Reads subtitles, each in one line; also returns the number of letters that the font lacks.
pub(super) fn parse_lines(lines: &[String]) -> Result<(Vec<Cue>, usize), Vec<Mistake>> {
    let (mut cues, mut strange, mut mistakes) = (Vec::new(), 0, Vec::new());
    for (number, line) in (1..).zip(lines) {
        let cue = OneLine::parse(line).and_then(|it| {
            let (marked, text, odd) = to_font(&it.text);
            strange += odd;
            let text = wrap(&text);
            if text.len() > LONGEST {
                return Err(too_long(text.len(), line));
            }
            Ok(Cue { from: it.from, to: it.to, text, marked, line: number })
        });
        match cue {
            Ok(cue) => cues.push(cue),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    cues.sort_by(|one, other| one.from.total_cmp(&other.from));
    if mistakes.is_empty() { Ok((cues, strange)) } else { Err(mistakes) }
}

fn too_long(length: usize, line: &str) -> Mistake {
    let message = format!("this subtitle has {length} characters, and engines keep {LONGEST}");
    Mistake::new(EditCode::SubtitleLong, message, line, 0..line.len()).help("split it into two")
}

/// The number of reported mistakes of a file.
const MAX_MISTAKES: usize = 20;

/// The longest text that engines keep for the middle of the screen.
const LONGEST: usize = 1000;

const ARROW: &str = "-->";

/// Reads a file of either kind; also returns the number of letters that the font lacks.
pub(super) fn cues(file: &[u8]) -> Result<(Vec<Cue>, usize), Vec<Mistake>> {
    let text = decode(file);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    let mut reader =
        Reader { lines: &lines, offset: 0, cues: Vec::new(), unreadable: 0, mistakes: Vec::new() };
    reader.read();
    let Reader { mut cues, mut mistakes, unreadable: strange, .. } = reader;
    if cues.is_empty() && mistakes.is_empty() {
        let first = lines.first().copied().unwrap_or_default();
        mistakes.push(
            Mistake::new(
                EditCode::SubtitleTime,
                "there is no subtitle in this file",
                first,
                0..first.len().min(1),
            )
            .help("a subtitle is a line like 00:00:05,000 --> 00:00:08,500 and its text below"),
        );
    }
    mistakes.sort_by_key(|mistake| mistake.line);
    cues.sort_by(|one, other| one.from.total_cmp(&other.from));
    if mistakes.is_empty() { Ok((cues, strange)) } else { Err(mistakes) }
}

/// Decodes the encodings that subtitle files have: UTF-16 if there is a byte order mark, UTF-8, or else Latin-1.
fn decode(file: &[u8]) -> String {
    let wide = |rest: &[u8], number: fn([u8; 2]) -> u16| {
        let numbers = rest.as_chunks().0.iter().map(|pair| number(*pair));
        char::decode_utf16(numbers).map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match file {
        [0xff, 0xfe, rest @ ..] => return wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return wide(rest, u16::from_be_bytes),
        _ => {}
    }
    String::from_utf8(file.to_vec()).unwrap_or_else(|_| file.iter().copied().map(char::from).collect())
}

struct Reader<'t> {
    lines: &'t [&'t str],
    offset: usize,
    cues: Vec<Cue>,
    unreadable: usize,
    mistakes: Vec<Mistake>,
}

impl<'t> Reader<'t> {
    fn line(&self) -> Option<&'t str> {
        self.lines.get(self.offset).copied()
    }

    /// The number of the current line, counted from 1.
    fn number(&self) -> u64 {
        self.offset as u64 + 1
    }

    fn read(&mut self) {
        if self.line().is_some_and(|line| line.starts_with("WEBVTT")) {
            self.skip_block();
        }
        while let Some(line) = self.line()
            && self.mistakes.len() < MAX_MISTAKES
        {
            let next = self.lines.get(self.offset + 1).copied().unwrap_or_default();
            if line.trim().is_empty() {
                self.offset += 1;
            } else if line.contains(ARROW) {
                self.cue(line);
            } else if next.contains(ARROW) {
                // The number or the name of a subtitle.
                self.offset += 1;
            } else if ["NOTE", "STYLE", "REGION"].iter().any(|word| line.starts_with(word)) {
                self.skip_block();
            } else {
                let mistake = Mistake::new(
                    EditCode::SubtitleTime,
                    "a line with times was expected",
                    line,
                    0..line.len(),
                )
                .help("each subtitle begins with its times: 00:00:05,000 --> 00:00:08,500")
                .in_line(self.number());
                self.mistakes.push(mistake);
                self.skip_block();
            }
        }
    }

    fn skip_block(&mut self) {
        while self.line().is_some_and(|line| !line.trim().is_empty()) {
            self.offset += 1;
        }
    }

    /// The line with the times, and the text below it.
    fn cue(&mut self, line: &str) {
        let number = self.number();
        let times = times(line).map_err(|mistake| mistake.in_line(number));
        self.offset += 1;
        let start = self.offset;
        while let Some(line) = self.line()
            && !line.trim().is_empty()
        {
            if line.contains(ARROW) {
                let mistake =
                    Mistake::new(EditCode::SubtitleTime, "times inside of a subtitle", line, 0..line.len())
                        .help("put an empty line before the next subtitle")
                        .in_line(self.number());
                self.mistakes.push(mistake);
                break;
            }
            self.offset += 1;
        }
        let lines = self.lines.get(start..self.offset).unwrap_or_default().join("\n");
        let (marked, text, strange) = to_font(&lines);
        let text = wrap(&text);
        self.unreadable += strange;
        match times {
            Err(mistake) => self.mistakes.push(mistake),
            Ok(_) if text.len() > LONGEST => {
                let first = self.lines.get(start).copied().unwrap_or_default();
                self.mistakes.push(too_long(text.len(), first).in_line(start as u64 + 1));
            }
            Ok((from, to, _)) => self.cues.push(Cue { from, to, text, marked, line: number }),
        }
    }
}

/// The two times of a line, and the offset at which the second one ends.
fn times(line: &str) -> Result<(f64, f64, usize), Mistake> {
    let arrow = line.find(ARROW).unwrap_or(line.len());
    let after_arrow = (arrow + ARROW.len()).min(line.len());
    let place = |range: Range<usize>| {
        let part = line.get(range.clone()).unwrap_or_default();
        let start = range.start + (part.len() - part.trim_start().len());
        // The settings after the second time place the text on the screen of a video player.
        let word = part.split_whitespace().next().unwrap_or_default();
        start..start + word.len()
    };
    let [first, second] = [place(0..arrow), place(after_arrow..line.len())];
    let [from, to] = [first.clone(), second.clone()].map(|place| {
        let word = line.get(place.clone()).unwrap_or_default();
        seconds(word).ok_or_else(|| {
            let message =
                if word.is_empty() { "a time is missing".into() } else { format!("`{word}` is not a time") };
            let place = if word.is_empty() { arrow..after_arrow } else { place };
            Mistake::new(EditCode::SubtitleTime, message, line, place)
                .help("times are hours:minutes:seconds,thousandths: 00:01:05,500; hours may be left out")
        })
    });
    let (from, to) = (from?, to?);
    if to <= from {
        let message = "this subtitle ends before it begins";
        return Err(Mistake::new(EditCode::Backwards, message, line, first.start..second.end)
            .help("the second time has to be later than the first"));
    }
    Ok((from, to, second.end))
}

/// A time like `00:01:05,500`; a point may replace the comma, and the hours may be missing.
fn seconds(word: &str) -> Option<f64> {
    let (whole, part) = word.split_once([',', '.']).unwrap_or((word, "0"));
    let is_number =
        |text: &str| !text.is_empty() && text.len() <= 9 && text.bytes().all(|it| it.is_ascii_digit());
    let parts: Vec<&str> = whole.split(':').collect();
    if !(2..=3).contains(&parts.len()) || !parts.iter().all(|it| is_number(it)) || !is_number(part) {
        return None;
    }
    let numbers: Vec<f64> = parts.iter().filter_map(|it| it.parse().ok()).collect();
    if numbers.iter().skip(1).any(|number| *number >= 60.0) {
        return None;
    }
    let part: f64 = format!("0.{part}").parse().ok()?;
    Some(numbers.into_iter().fold(0.0, |sum, number| sum * 60.0 + number) + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(file: &str) -> Vec<(f64, f64, String)> {
        let found = cues(file.as_bytes()).unwrap().0;
        found
            .into_iter()
            .map(|cue| (cue.from, cue.to, String::from_utf8_lossy(&cue.text).into_owned()))
            .collect()
    }

    fn places(file: &str) -> Vec<(EditCode, u64, usize, usize)> {
        let mistakes = cues(file.as_bytes()).unwrap_err();
        mistakes.iter().map(|it| (it.code, it.line, it.column, it.length)).collect()
    }

    #[test]
    fn both_kinds_of_file_are_read() {
        let srt = "\u{feff}1\r\n00:00:01,500 --> 00:00:03,000\r\nHello\r\nthere\r\n\r\n2\r\n00:01:00,000 --> 00:01:02,5\r\nBye\r\n";
        assert_eq!(plain(srt), [(1.5, 3.0, "Hello\nthere".into()), (60.0, 62.5, "Bye".into())]);
        let vtt = "WEBVTT - a title\nKind: captions\n\nNOTE\nnothing\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Bob>Hi\n\n01:00:00.000 --> 01:00:01.000\nLate\n";
        assert_eq!(plain(vtt), [(1.0, 2.0, "Hi".into()), (3600.0, 3601.0, "Late".into())]);
    }

    #[test]
    fn subtitles_come_in_the_order_of_their_times() {
        let file = "00:05,0 --> 00:06,0\nb\n\n00:01,0 --> 00:02,0\na\n";
        assert_eq!(plain(file).first().unwrap().2, "a");
    }

    #[test]
    fn old_files_are_in_latin_1() {
        let wide: Vec<u8> =
            "\u{feff}00:01,0 --> 00:02,0\ncaf\u{e9}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(cues(&wide).unwrap().0[0].text, b"cafe");
        let found = cues(b"00:01,0 --> 00:02,0\ncaf\xe9\n").unwrap().0;
        assert_eq!(found.first().unwrap().text, b"cafe");
    }

    #[test]
    fn every_mistake_is_reported_with_its_place() {
        use EditCode::{Backwards, SubtitleLong, SubtitleTime};
        assert_eq!(places("1\n00:00:01,5 -> 00:00:02,0\nx\n"), [(SubtitleTime, 1, 1, 1)]);
        assert_eq!(places("1\n00:00:61,500 --> 00:00:02,000\nx\n"), [(SubtitleTime, 2, 1, 12)]);
        assert_eq!(places("1\n00:00:01,500 --> 0:0x:02\nx\n"), [(SubtitleTime, 2, 18, 7)]);
        assert_eq!(places("1\n00:00:01,500 -->\nx\n"), [(SubtitleTime, 2, 14, 3)]);
        assert_eq!(places("1\n00:00:03,0 --> 00:00:02,0\nx\n"), [(Backwards, 2, 1, 25)]);
        assert_eq!(places("\n00:01,0 --> 00:02,0\nx\n00:03,0 --> 00:04,0\ny\n"), [(SubtitleTime, 4, 1, 19)]);
        assert_eq!(places(""), [(SubtitleTime, 1, 1, 0)]);
        let long = format!("00:01,0 --> 00:02,0\n{}\n", "word ".repeat(300));
        assert_eq!(places(&long), [(SubtitleLong, 2, 1, 1500)]);
        let two = "00:01,x --> 00:02,0\na\n\n00:03,0 --> 00:02,0\nb\n";
        assert_eq!(places(two), [(SubtitleTime, 1, 1, 7), (Backwards, 4, 1, 19)]);
    }

    #[test]
    fn no_file_is_too_odd() {
        let words = [
            "-->", "\n", "00:01", " ", ",5", "x", "WEBVTT", "NOTE", "1", "\u{e9}", "<b>", "**", "&amp;", "\r",
        ];
        let mut seed = 1_u32;
        for _ in 0..2000 {
            let mut file = String::new();
            for _ in 0..20 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                file.push_str(words[(seed >> 16) as usize % words.len()]);
            }
            drop(cues(file.as_bytes()));
        }
    }
}
