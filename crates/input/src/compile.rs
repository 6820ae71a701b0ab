//! Compiles a text into a recording of input: LMPC's texts, and those of `decompile`, which keep details that
//! LMPC loses.
// not from SCHEMA, all words: keys of a footer

use crate::cache::Cache;
use crate::escape::unquoted;
use crate::evidence::can_be_recognized;
use crate::footer::{self, FooterPart};
use crate::header::{Header, HeaderCounts, Line};
use crate::pack::{LARGEST, RECORD, pack_run, run_records, unpack_run};
use crate::print::real_counts;
use crate::record::{END, Packed, RecordForm, Slip, number};
use moviola_text::{CompileError, Diagnostic, TextCode};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};

/// The result of [`compile`].
///
/// ```
/// use moviola_input::compile;
/// use std::io::Cursor;
/// let text = b"HeaderStart\n Game: HERETIC\n Skill: 4\n Episode: 1\n Map: 2\nHeaderEnd\nDataStart\nGF50 ATa *2\nDataEnd\n";
/// let mut bytes = Vec::new();
/// let made = compile(&text[..], &mut bytes, Cursor::new(Vec::new())).unwrap();
/// assert_eq!(made.records, 2);
/// assert_eq!(bytes, b"\x03\x01\x02\x01\0\0\0\x32\0\0\0\0\x01\x32\0\0\0\0\x01\x80");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputCompiled {
    /// The number of records in the recording.
    pub records: u64,
    /// Whether the bytes do not show the game of the recording, because no game has such a skill, episode, map or
    /// player. Readers then need the game as an option.
    pub unrecognizable: bool,
    /// The number of lines after the data that are neither comments nor a footer: they are ignored, as by LMPC.
    pub ignored: u64,
}

/// The most mistakes that [`compile`] lists.
///
/// ```
/// assert_eq!(moviola_input::MISTAKES, 20);
/// ```
pub const MISTAKES: usize = 20;
/// The longest line in bytes.
const LONGEST: usize = 1 << 20;

/// Compiles a text into a recording. If the header contains the number of records, the records are stored in `spool`
/// until all are counted.
///
/// ```
/// use moviola_input::compile;
/// use moviola_text::CompileError;
/// use std::io::Cursor;
/// let text = b"HeaderStart\n Game: HERETIC\n Skill: 4\n Episode: 1\n Map: 2\nHeaderEnd\nDataStart\nGF500\nDataEnd\n";
/// let Err(CompileError::Mistakes(mistakes)) = compile(&text[..], Vec::new(), Cursor::new(Vec::new())) else { panic!() };
/// assert_eq!((mistakes[0].line, mistakes[0].code.number()), (8, "T009"));
/// ```
pub fn compile<R: Read, W: Write, S: Read + Write + Seek>(
    text: R,
    out: W,
    spool: S,
) -> Result<InputCompiled, CompileError> {
    let mut text = BufReader::with_capacity(1 << 16, text);
    let mut maker = RecordingMaker::new(out, spool);
    let (mut line, mut place) = (Vec::new(), Position { line: 0, offset: 0 });
    loop {
        line.clear();
        let length = text.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line)?;
        if length == 0 {
            break;
        }
        place.line += 1;
        if place.line == 1 && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if length > LONGEST {
            maker.mistakes.push(place.slip(
                &line,
                &line,
                TextCode::TooLong,
                "a line of more than a megabyte".to_owned(),
            ));
            break;
        }
        maker.line(&line, place)?;
        place.offset += length as u64;
        if maker.mistakes.len() >= MISTAKES {
            break;
        }
    }
    maker.finish(place)
}

/// A line of a text, without its comment.
pub(crate) fn without_comment(line: &[u8]) -> &[u8] {
    let Some(hash) = line.iter().position(|byte| *byte == b'#') else { return line.trim_ascii() };
    let is_plain = line.get(..hash).is_some_and(|before| !before.contains(&b'"'));
    if is_plain {
        return line.get(..hash).unwrap_or_default().trim_ascii();
    }
    let (mut quote, mut escaped) = (false, false);
    let end = line.iter().position(|byte| {
        let is_end = !quote && *byte == b'#';
        quote ^= *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        is_end
    });
    line.get(..end.unwrap_or(line.len())).unwrap_or_default().trim_ascii()
}

/// The key and the value of a line.
pub(crate) fn pair(line: &[u8]) -> Option<(String, String)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (key, value) = line.split_at(colon);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes.trim_ascii()).into_owned();
    Some((text(key), text(value.get(1..)?)))
}

#[derive(Clone, Copy)]
struct Position {
    line: u64,
    offset: u64,
}

impl Position {
    /// A mistake in `part` of the line.
    fn slip(self, line: &[u8], part: &[u8], code: TextCode, message: String) -> Diagnostic {
        // The part is a slice of the line, and may occur in it twice: its address shows which occurrence it is.
        let at =
            part.as_ptr().addr().checked_sub(line.as_ptr().addr()).filter(|at| at + part.len() <= line.len());
        let at = at.unwrap_or_default();
        let source: Vec<u8> = line.iter().copied().skip(at.saturating_sub(512)).take(1024).collect();
        Diagnostic {
            code,
            message,
            line: self.line,
            column: at + 1,
            length: part.len(),
            offset: Some(self.offset + at as u64),
            source: String::from_utf8_lossy(source.trim_ascii_end()).into_owned(),
            skipped: at.saturating_sub(512),
            help: None,
            fix: None,
        }
    }
}

/// The section of a text to which a line belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Before,
    Header,
    Between,
    Data,
    After,
    Footer,
}

impl Section {
    /// The section that a keyword begins, and whether it may begin here; `None` if the word is not a keyword.
    pub(crate) fn open(self, word: &[u8]) -> Option<(Self, bool)> {
        let words = [
            (&b"headerstart"[..], Self::Before, Self::Header),
            (b"headerend", Self::Header, Self::Between),
            (b"datastart", Self::Between, Self::Data),
            (b"dataend", Self::Data, Self::After),
            (b"footerstart", Self::After, Self::Footer),
            (b"footerend", Self::Footer, Self::After),
        ];
        let found = words.iter().find(|(name, _, _)| word.eq_ignore_ascii_case(name))?;
        Some((found.2, found.1 == self))
    }
}

pub(crate) struct RecordingMaker<W, S> {
    out: W,
    spool: S,
    part: Section,
    lines: Vec<Line>,
    /// The places of the header's lines, for reports about mistakes.
    places: Vec<(Position, Vec<u8>)>,
    pub(crate) header: Option<Header>,
    pub(crate) record: RecordForm,
    records: u64,
    length: u64,
    /// Duke's records that are not packed yet, and the packed bytes for them in the text.
    run: Vec<u8>,
    packing: Option<Vec<u8>>,
    players: usize,
    /// Parsed lines by their words: the record, and how often the line repeats it.
    known: Cache<(Packed, u64)>,
    footer: Vec<FooterPart>,
    /// Whether the footer's lumps are written as a WAD file.
    is_wad: bool,
    /// Whether the end mark is still to be written; `EndMark: none` in the footer clears it.
    mark: bool,
    claims: HeaderCounts,
    unrecognizable: bool,
    ignored: u64,
    mistakes: Vec<Diagnostic>,
}

impl<W: Write, S: Read + Write + Seek> RecordingMaker<W, S> {
    pub(crate) fn new(out: W, spool: S) -> Self {
        Self {
            out,
            spool,
            part: Section::Before,
            lines: Vec::new(),
            places: Vec::new(),
            header: None,
            record: crate::record::SHORT,
            records: 0,
            length: 0,
            run: Vec::new(),
            packing: None,
            players: 0,
            known: Cache::new(),
            footer: Vec::new(),
            is_wad: false,
            mark: false,
            claims: HeaderCounts::default(),
            unrecognizable: false,
            ignored: 0,
            mistakes: Vec::new(),
        }
    }

    /// Whether the records are stored in the spool because the header contains their number.
    fn is_spooled(&self) -> bool {
        self.header.as_ref().is_some_and(Header::counts)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_spooled() { self.spool.write_all(bytes) } else { self.out.write_all(bytes) }
    }

    fn line(&mut self, whole: &[u8], place: Position) -> io::Result<()> {
        if self.part == Section::Data
            && let Some((packed, times)) = self.known.get(words_of(whole)).copied()
        {
            return self.record(packed, times);
        }
        let line = without_comment(whole);
        if line.is_empty() {
            return Ok(());
        }
        if let Some((part, fits)) = self.part.open(line) {
            if !fits {
                let message = format!("{} is not allowed here", quote(line));
                self.mistakes.push(place.slip(whole, line, TextCode::Misplaced, message));
                return Ok(());
            }
            self.part = part;
            return match part {
                Section::Between => self.end_header(place, whole),
                Section::After => self.end_run(),
                _ => Ok(()),
            };
        }
        let unknown =
            |code: TextCode, what: &str| place.slip(whole, line, code, format!("{what} `{}`", quote(line)));
        match (self.part, pair(line)) {
            (Section::Header, Some((key, value))) => {
                self.lines.push((key, value, String::new()));
                self.places.push((place, whole.to_vec()));
            }
            (Section::Data, Some((key, value))) if key.eq_ignore_ascii_case("packed") && self.record.keys => {
                self.end_run()?;
                self.packing = unquoted(&value).filter(|bytes| bytes.len() <= LARGEST);
                if self.packing.is_none() {
                    self.mistakes.push(unknown(TextCode::ExpectedString, "not a string of packed bytes:"));
                }
            }
            (Section::Data, Some((key, value)))
                if key.eq_ignore_ascii_case("damaged") && self.record.keys =>
            {
                match unquoted(&value) {
                    Some(bytes) => self.damaged(&bytes)?,
                    None => {
                        self.mistakes
                            .push(unknown(TextCode::ExpectedString, "not a string of damaged bytes:"));
                    }
                }
            }
            (Section::Data, None) => {
                let words = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
                self.words(whole, words, place)?;
            }
            (Section::Footer, Some((key, value))) => {
                if self.footer_line(&key, &value)?.is_none() {
                    self.mistakes.push(unknown(TextCode::UnknownField, "not a line of a footer:"));
                }
            }
            (Section::Header | Section::Footer, None) => {
                self.mistakes
                    .push(unknown(TextCode::UnknownStatement, "a key and a colon are expected here, not"));
            }
            // LMPC ignores everything after the data, and people write notes there.
            (Section::After, _) => self.ignored += 1,
            _ => {
                self.mistakes.push(unknown(TextCode::Misplaced, "only a comment is expected here, not"));
            }
        }
        Ok(())
    }

    fn words<'w>(
        &mut self,
        line: &'w [u8],
        words: impl Iterator<Item = &'w [u8]>,
        place: Position,
    ) -> io::Result<()> {
        let (mut times, mut wrong) = (1, None);
        let plain = words.filter(|word| match word.strip_prefix(b"*") {
            Some(digits) => {
                match number(digits).filter(|it| (0..=100_000).contains(it)) {
                    Some(count) => times = count as u64,
                    None => wrong = Some(Slip::Number(word)),
                }
                false
            }
            None => true,
        });
        let done = self.record.parse(plain);
        let ends = |it: &Packed| !self.record.keys && it.bytes().first() == Some(&END);
        let (code, word, what) = match wrong.map_or(done, Err) {
            Err(Slip::Unknown(word)) => {
                (TextCode::UnknownStatement, word, "is not a word of this game's recordings")
            }
            Err(Slip::Number(word)) => (TextCode::ExpectedNumber, word, "has no number that can be read"),
            Err(Slip::Range(word)) => (TextCode::OutOfRange, word, "has a number that does not fit"),
            Err(Slip::Twice(word)) => (TextCode::RepeatedField, word, "contradicts another word of this tic"),
            Ok(packed) if ends(&packed) => {
                (TextCode::NotPossible, line.trim_ascii(), "begins with the byte that ends a recording")
            }
            Ok(packed) => {
                self.known.keep(words_of(line), (packed, times));
                return self.record(packed, times);
            }
        };
        let message = format!("`{}` {what}", quote(word));
        self.mistakes.push(place.slip(line, word, code, message));
        Ok(())
    }

    pub(crate) fn record(&mut self, packed: Packed, times: u64) -> io::Result<()> {
        if !self.mistakes.is_empty() {
            return Ok(());
        }
        for _ in 0..times {
            self.records += 1;
            if self.record.keys {
                self.run.extend_from_slice(packed.bytes());
                if self.run.len() >= run_records(self.players) * RECORD {
                    self.end_run()?;
                }
            } else {
                self.length += packed.bytes().len() as u64;
                self.put(packed.bytes())?;
            }
        }
        Ok(())
    }

    /// Packs the run. The packed bytes in the text are used if they unpack to these records.
    fn end_run(&mut self) -> io::Result<()> {
        let run = std::mem::take(&mut self.run);
        let (Some(header), false) = (&self.header, run.is_empty()) else { return Ok(()) };
        let codes = crate::evidence::codes(header.form);
        let mut again = Vec::new();
        let same = |packing: &Vec<u8>| {
            let length = unpack_run(packing, self.players, codes, run.len() / RECORD, &mut again);
            length == Some(packing.len()) && again == run
        };
        let packed = self.packing.take().filter(same).unwrap_or_else(|| {
            let mut packed = Vec::new();
            pack_run(&run, self.players, codes, header.twice, &mut packed);
            packed
        });
        self.put(&packed)?;
        self.run = run;
        self.run.clear();
        Ok(())
    }

    fn end_header(&mut self, place: Position, whole: &[u8]) -> io::Result<()> {
        let slip = match Header::parse(&self.lines) {
            Ok(header) => return self.start(header),
            Err(slip) => slip,
        };
        let of_line = slip.offset.and_then(|at| self.places.get(at));
        let (place, line) = of_line.map_or((place, whole), |(place, line)| (*place, line));
        self.mistakes.push(place.slip(line, without_comment(line), slip.code, slip.what));
        Ok(())
    }

    /// Takes the header for the following records, and writes it unless it has counts that are not known yet.
    pub(crate) fn start(&mut self, header: Header) -> io::Result<()> {
        self.record = header.record();
        self.players = header.players();
        self.mark = !header.form.is_packed();
        self.unrecognizable = !can_be_recognized(&header);
        let is_now = !header.counts() && self.mistakes.is_empty();
        if is_now {
            self.out.write_all(&header.bytes)?;
        }
        self.header = Some(header);
        Ok(())
    }

    fn footer_line(&mut self, key: &str, value: &str) -> io::Result<Option<()>> {
        let number_of = |value: &str| number(value.as_bytes()).and_then(|it| u32::try_from(it).ok());
        let lower = key.to_ascii_lowercase();
        Ok(match lower.as_str() {
            "endmark" if value.eq_ignore_ascii_case("none") => {
                self.mark = false;
                Some(())
            }
            "endoffset" => number_of(value).map(|it| self.claims.end = Some(it)),
            "count" => number_of(value).map(|it| self.claims.count = Some(it)),
            "format" if value.eq_ignore_ascii_case("pwad") => {
                self.is_wad = true;
                Some(())
            }
            "bytes" => {
                let Some(bytes) = unquoted(value) else { return Ok(None) };
                self.end_wad()?;
                self.put_unless_wrong(&bytes)?;
                Some(())
            }
            // Named texts are lumps, so a footer with named texts is a WAD file, whether its format is named or not.
            _ => footer::part(key, value).map(|part| {
                self.is_wad = true;
                self.footer.push(part);
            }),
        })
    }

    /// Writes the byte that ends the records, unless it was written already or the text has `EndMark: none`.
    fn end_mark(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.mark) { self.put_unless_wrong(&[END]) } else { Ok(()) }
    }

    /// Writes the end mark, and the WAD file with the lumps so far.
    fn end_wad(&mut self) -> io::Result<()> {
        self.end_mark()?;
        let parts = std::mem::take(&mut self.footer);
        if std::mem::take(&mut self.is_wad) {
            self.put_unless_wrong(&footer::wad_file(&parts))?;
        }
        Ok(())
    }

    fn put_unless_wrong(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.mistakes.is_empty() { self.put(bytes) } else { Ok(()) }
    }

    fn finish(mut self, place: Position) -> Result<InputCompiled, CompileError> {
        if self.part != Section::After && self.mistakes.is_empty() {
            let missing = match self.part {
                Section::Before => "HeaderStart",
                Section::Header => "HeaderEnd",
                Section::Between => "DataStart",
                Section::Data => "DataEnd",
                _ => "FooterEnd",
            };
            let message = format!("the text ends without {missing}");
            self.mistakes.push(place.slip(b"", b"", TextCode::MissingField, message));
        }
        if !self.mistakes.is_empty() {
            self.mistakes.truncate(MISTAKES);
            return Err(CompileError::Mistakes(self.mistakes));
        }
        Ok(self.close()?)
    }

    /// Leaves the end mark out.
    pub(crate) fn without_mark(&mut self) {
        self.mark = false;
    }

    /// Writes the bytes of a damaged run, after its sound records.
    pub(crate) fn damaged(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.end_run()?;
        self.put_unless_wrong(bytes)
    }

    /// Writes bytes after the records.
    pub(crate) fn tail(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.end_run()?;
        self.end_mark()?;
        self.put_unless_wrong(bytes)
    }

    /// Ends the recording: writes the last run, the end mark and the footer, and the header if it has counts.
    pub(crate) fn close(mut self) -> io::Result<InputCompiled> {
        self.end_run()?;
        self.end_wad()?;
        if let (true, Some(mut header)) = (self.is_spooled(), self.header.take()) {
            let tics = self.records.div_ceil(self.players.max(1) as u64);
            let truth = real_counts(&header, self.length, tics, self.records);
            header.claim(HeaderCounts {
                end: self.claims.end.or(truth.end),
                count: self.claims.count.or(truth.count),
            });
            self.out.write_all(&header.bytes)?;
            self.spool.seek(SeekFrom::Start(0))?;
            io::copy(&mut self.spool, &mut self.out)?;
        }
        self.out.flush()?;
        Ok(InputCompiled {
            records: self.records,
            unrecognizable: self.unrecognizable,
            ignored: self.ignored,
        })
    }
}

/// The start of a word or line, as a message quotes it.
fn quote(words: &[u8]) -> String {
    const MAX_CHARACTERS: usize = 60;
    let start = String::from_utf8_lossy(words.get(..MAX_CHARACTERS).unwrap_or(words)).into_owned();
    if words.len() > MAX_CHARACTERS { start + "..." } else { start }
}

/// The words of a line of records, without its comment.
fn words_of(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| matches!(byte, b'#' | b'\n' | b'\r')).unwrap_or(line.len());
    line.get(..end).unwrap_or_default().trim_ascii_end()
}
