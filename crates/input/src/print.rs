//! Prints a recording of input in LMPC's language, with extensions in the same style for details that LMPC loses.

use crate::cache::Cache;
use crate::escape::quoted;
use crate::evidence::Verdict;
use crate::footer::{self, Footer, LARGEST, WIDE};
use crate::form::game_of_wad;
use crate::header::{Header, HeaderCounts, Wrapper};
use crate::reader::{InputPiece, Recording};
use crate::record::{RecordForm, RecordText};
use std::io::{self, Read, Write};

/// Options of [`decompile`].
///
/// ```
/// use moviola_input::{InputTextOptions, decompile};
/// let mut text = Vec::new();
/// let options = InputTextOptions { bare: true, ..InputTextOptions::default() };
/// decompile(&b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80"[..], &mut text, &options).unwrap();
/// assert!(text.ends_with(b"DataStart\nGF50 FW\nDataEnd\n"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputTextOptions {
    /// Whether to leave out comments.
    pub bare: bool,
    /// Each tic whose number is a multiple of this one has its number in a comment; 0 means no numbers.
    pub step: u64,
    /// The first and the last tic to print, counted from 1; `None` prints all.
    pub tics: Option<(u64, u64)>,
    /// The origin of the recording, for the first comment.
    pub source: Option<String>,
    /// The layout to assume, one of [`games`](crate::games); `None` finds it by the bytes of the file.
    pub game: Option<String>,
}

impl Default for InputTextOptions {
    fn default() -> Self {
        Self { bare: false, step: 1, tics: None, source: None, game: None }
    }
}

/// Prints a recording as a text that [`compile`](crate::compile) converts to the same bytes. Any file can be printed.
///
/// ```
/// use moviola_input::{InputTextOptions, decompile};
/// let mut text = Vec::new();
/// decompile(&b"no recording"[..], &mut text, &InputTextOptions::default()).unwrap();
/// assert!(String::from_utf8(text).unwrap().contains("Bytes: \"no recording\""));
/// ```
pub fn decompile<R: Read, W: Write>(source: R, mut out: W, options: &InputTextOptions) -> io::Result<()> {
    let mut recording = Recording::open(source, options.game.as_deref())?;
    head(&mut out, &recording.verdict, options)?;
    let header = recording.header().clone();
    let mut lines = Lines::new(recording.record_form(), options);
    let mut footer = FooterText {
        out,
        tail: Vec::new(),
        has_mark: header.form.is_packed(),
        is_open: false,
        is_long: false,
    };
    let (mut length, mut printed, mut is_data) = (0u64, 0, true);
    while let Some(piece) = recording.next_piece()? {
        match piece {
            InputPiece::Record { tic, player, bytes } => {
                length += bytes.len() as u64;
                let line = lines.line(tic, player, bytes);
                if options.tics.is_none_or(|(from, to)| (from..=to).contains(&(tic + 1))) {
                    printed += u64::from(player == 0);
                    footer.out.write_all(line)?;
                }
            }
            InputPiece::Packing(bytes) if options.tics.is_none() => {
                writeln!(footer.out, "Packed: {}", quoted(bytes))?;
            }
            InputPiece::Damaged(bytes) if options.tics.is_none() => {
                writeln!(footer.out, "Damaged: {}", quoted(bytes))?;
            }
            InputPiece::Packing(_) | InputPiece::Damaged(_) => {}
            InputPiece::End => {
                footer.has_mark = true;
                footer.end_data(&mut is_data)?;
            }
            InputPiece::Tail(bytes) => {
                footer.end_data(&mut is_data)?;
                footer.take(bytes)?;
            }
        }
    }
    footer.end_data(&mut is_data)?;
    let truth = real_counts(&header, length, recording.tics(), recording.records);
    let claims = if options.tics.is_none() { header.claims() } else { truth };
    let iwad = footer.close(truth, claims)?;
    if !options.bare && recording.records > 0 {
        let time = duration(printed, rate(&header));
        // A part of a recording has the totals of this part.
        let of =
            if printed == recording.tics() { String::new() } else { format!(" of {}", recording.tics()) };
        let maps = header.maps(iwad.as_deref().and_then(game_of_wad)).join(" or ");
        writeln!(
            footer.out,
            "\n# Total play time:          {time}\n# Number of game tics:      {printed}{of}"
        )?;
        // Only the footer shows which game's map it is, so this is not in the header.
        writeln!(footer.out, "# Map:                      {maps}")?;
    }
    footer.out.flush()
}

/// The counts that the header should have.
pub(crate) fn real_counts(header: &Header, length: u64, tics: u64, records: u64) -> HeaderCounts {
    match header.wrapper {
        Wrapper::Dsda(_) => {
            HeaderCounts { end: Some((header.bytes.len() as u64 + length) as u32), count: Some(tics as u32) }
        }
        _ if header.form.is_packed() => HeaderCounts { end: None, count: Some(records as u32) },
        _ => HeaderCounts::default(),
    }
}

/// Tics per second. LMPC 3.4.5 uses 26 for Duke, but the engine runs at 120 / 4.
pub(crate) fn rate(header: &Header) -> u64 {
    if header.form.is_packed() { 30 } else { 35 }
}

/// The width of the key column in a header: LMPC's texts of Duke have longer keys.
pub(crate) fn key_width(is_packed: bool) -> usize {
    if is_packed { 18 } else { 13 }
}

fn head(out: &mut impl Write, verdict: &Verdict, options: &InputTextOptions) -> io::Result<()> {
    let header = &verdict.header;
    let width = key_width(header.form.is_packed());
    if !options.bare {
        let kind = if header.form.is_packed() { "DMO" } else { "LMP" };
        let title = match verdict.unread_format {
            Some(name) => format!("{name}, only recognized:"),
            None => format!("{} {kind} file:", header.game()),
        };
        let source: String = options
            .source
            .iter()
            .flat_map(|it| it.chars())
            .map(|it| if it.is_ascii_graphic() { it } else { '_' })
            .collect();
        writeln!(out, "{}", format!("# {title:<25} {source}").trim_end())?;
        if header.players() > 0 {
            writeln!(out, "# Number of players:        {}", header.players())?;
        }
        if let Some((why, is_guess)) = verdict.reason {
            let guess = if is_guess { ", a guess" } else { "" };
            writeln!(out, "# Taken for {}{guess}: {why}", header.form.game)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "HeaderStart")?;
    for (key, value, remark) in header.lines() {
        if remark.is_empty() || options.bare {
            writeln!(out, " {:<width$} {value}", key + ":")?;
        } else {
            writeln!(out, " {:<width$} {value:<8} # {remark}", key + ":")?;
        }
    }
    writeln!(out, "HeaderEnd\n\nDataStart")
}

/// The part of a text after the records.
struct FooterText<W> {
    out: W,
    tail: Vec<u8>,
    /// Whether the end mark was read, or the format has none.
    has_mark: bool,
    is_open: bool,
    /// Whether the bytes after the records are too long to be kept; they are then written while they are read.
    is_long: bool,
}

impl<W: Write> FooterText<W> {
    fn end_data(&mut self, is_data: &mut bool) -> io::Result<()> {
        if std::mem::take(is_data) { writeln!(self.out, "DataEnd") } else { Ok(()) }
    }

    fn line(&mut self, key: &str, value: &str) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_open, true) {
            writeln!(self.out, "\nFooterStart")?;
        }
        writeln!(self.out, " {key}: {value}")
    }

    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.tail.extend_from_slice(bytes);
        self.is_long |= self.tail.len() > LARGEST;
        if !self.is_long {
            return Ok(());
        }
        self.write_end_mark()?;
        let tail = std::mem::take(&mut self.tail);
        let mut lines = tail.chunks_exact(WIDE);
        for bytes in lines.by_ref() {
            self.line("Bytes", &quoted(bytes))?;
        }
        self.tail = lines.remainder().to_vec();
        Ok(())
    }

    /// Writes `EndMark: none` if there is no end mark. This line must precede the footer's bytes.
    fn write_end_mark(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.has_mark, true) { Ok(()) } else { self.line("EndMark", "none") }
    }

    /// Writes the footer; returns the game's WAD file that it names.
    fn close(&mut self, truth: HeaderCounts, claims: HeaderCounts) -> io::Result<Option<String>> {
        self.write_end_mark()?;
        let tail = std::mem::take(&mut self.tail);
        for (key, value) in footer::lines(&tail).into_iter().filter(|_| !tail.is_empty()) {
            self.line(&key, &value)?;
        }
        for (key, claim, truth) in
            [("EndOffset", claims.end, truth.end), ("Count", claims.count, truth.count)]
        {
            if let Some(claim) = claim.filter(|_| claim != truth) {
                self.line(key, &claim.to_string())?;
            }
        }
        if self.is_open {
            writeln!(self.out, "FooterEnd")?;
        }
        Ok(Footer::read(&tail).and_then(|footer| footer.iwad()))
    }
}

/// A number of tics as a time in LMPC's notation.
pub(crate) fn duration(tics: u64, rate: u64) -> String {
    let mut text = Vec::new();
    time(tics, rate, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn time(tics: u64, rate: u64, text: &mut Vec<u8>) {
    // Division by a constant is faster than by a number that is known only at run time.
    let hundredths = if rate == 35 { tics * 20 / 7 } else { tics * 10 / 3 };
    let (seconds, rest) = (hundredths / 100, hundredths % 100);
    let two =
        |value: u64, text: &mut Vec<u8>| text.extend([b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]);
    let unit = match seconds {
        0..60 => {
            decimal(seconds, 1, text);
            b's'
        }
        60..3600 => {
            decimal(seconds / 60, 1, text);
            text.push(b':');
            two(seconds % 60, text);
            b'm'
        }
        _ => {
            decimal(seconds / 3600, 1, text);
            text.push(b':');
            two(seconds / 60 % 60, text);
            text.push(b':');
            two(seconds % 60, text);
            b'h'
        }
    };
    text.push(b'.');
    two(rest, text);
    text.push(unit);
}

/// Writes a number, right-aligned in this many columns.
fn decimal(value: u64, least: usize, text: &mut Vec<u8>) {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(value).as_bytes();
    text.extend(std::iter::repeat_n(b' ', least.saturating_sub(digits.len())));
    text.extend_from_slice(digits);
}

/// Prints lines of records. Players press the same keys for many tics, so printed words are cached.
struct Lines {
    record: RecordForm,
    rate: u64,
    width: usize,
    bare: bool,
    step: u64,
    paused: bool,
    words: RecordText,
    /// The printed words of a record, and their comment.
    known: Cache<(Vec<u8>, &'static str)>,
    line: Vec<u8>,
}

impl Lines {
    fn new(record: RecordForm, options: &InputTextOptions) -> Self {
        Self {
            record,
            rate: if record.keys { 30 } else { 35 },
            width: if record.keys { 40 } else { 24 },
            bare: options.bare,
            step: options.step,
            paused: false,
            words: RecordText::default(),
            known: Cache::new(),
            line: Vec::with_capacity(256),
        }
    }

    fn line(&mut self, tic: u64, player: usize, bytes: &[u8]) -> &[u8] {
        self.line.clear();
        let is_pause = self.record.is_pause(bytes);
        let remark = match self.known.get(bytes) {
            // The record of a pause does not show whether the pause begins or ends.
            Some((text, remark)) if !is_pause => {
                self.line.extend_from_slice(text);
                remark
            }
            _ => self.write_words(bytes, is_pause),
        };
        let numbered = player == 0 && self.step > 0 && (tic + 1).is_multiple_of(self.step);
        if self.bare || !numbered && remark.is_empty() {
            while self.line.last() == Some(&b' ') {
                self.line.pop();
            }
        } else if numbered {
            self.line.extend_from_slice(b"# ");
            decimal(tic + 1, 5, &mut self.line);
            self.line.extend_from_slice(b" (");
            time(tic + 1, self.rate, &mut self.line);
            self.line.push(b')');
            if !remark.is_empty() {
                self.line.push(b' ');
                self.line.extend_from_slice(remark.as_bytes());
            }
        } else {
            self.line.extend_from_slice(b"# ");
            self.line.extend_from_slice(remark.as_bytes());
        }
        self.line.push(b'\n');
        &self.line
    }

    fn write_words(&mut self, bytes: &[u8], is_pause: bool) -> &'static str {
        self.record.print(bytes, self.paused, &mut self.words);
        self.paused ^= is_pause;
        self.line.extend_from_slice(self.words.bytes());
        self.line.resize(self.width.max(self.line.len() + 1), b' ');
        let remark = self.record.comment(bytes);
        self.known.keep(bytes, (self.line.clone(), remark));
        remark
    }
}
