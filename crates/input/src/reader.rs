//! Reads a recording piece by piece, in bounded memory: its header, each record, and the bytes after them.

use crate::evidence::{self, Verdict, WINDOW, codes};
use crate::header::Header;
use crate::pack::{CodeWidths, LARGEST, RECORD, measure_run, pack_run, run_records, unpack_run};
use crate::record::{END, RecordForm};
use std::io::{self, Read};

/// The number of bytes to read at once, and the longest tail piece.
const CHUNK: usize = 1 << 16;
/// The number of bytes that is enough for the longest record.
const NEAR: usize = 32;

/// A piece of a recording.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputPiece<'r> {
    /// The input of one player in one tic.
    Record { tic: u64, player: usize, bytes: &'r [u8] },
    /// The packed bytes of the next run, if the game would have packed it in another way.
    Packing(&'r [u8]),
    /// Packed bytes of a run that are damaged.
    Damaged(&'r [u8]),
    /// The byte that ends a recording.
    End,
    /// Bytes of a footer, or bytes that could not be read as records.
    Tail(&'r [u8]),
}

/// A recording that is being read.
pub(crate) struct Recording<R> {
    source: R,
    buffer: Vec<u8>,
    offset: usize,
    /// The number of bytes before those in the buffer.
    dropped: u64,
    /// Whether the source has ended.
    drained: bool,
    pub(crate) verdict: Verdict,
    record: RecordForm,
    players: usize,
    /// The number of records read.
    pub(crate) records: u64,
    pub(crate) ended: bool,
    in_tail: bool,
    run: Run,
}

/// A packed run.
struct Run {
    codes: Option<CodeWidths>,
    records: Vec<u8>,
    at: usize,
    /// The run's packed bytes, and whether the game would have packed it in another way.
    packing: Vec<u8>,
    differs: bool,
    /// The number of damaged bytes after these records.
    damaged: usize,
    /// How many records remain, according to the header; `None` if the header does not contain their number.
    promised: Option<usize>,
}

/// The layout of a recording's records: its game and version, and the slots of its players. Recordings with the same
/// layout can be joined.
///
/// ```
/// use moviola_input::layout;
/// let one = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x80";
/// let map_2 = b"\x6d\x03\x01\x02\0\0\0\0\0\x01\0\0\0\x80";
/// assert_eq!(layout(&one[..]).unwrap(), layout(&map_2[..]).unwrap());
/// ```
pub fn layout(source: impl Read) -> io::Result<String> {
    let recording = Recording::open(source, None)?;
    let header = recording.header();
    Ok(format!("{} {:?} {:?} {:?}", header.form.game, header.version_byte(), header.wrapper, header.active()))
}

impl<R: Read> Recording<R> {
    /// Reads the start of a recording and finds its layout. `game` forces a layout.
    pub(crate) fn open(mut source: R, game: Option<&str>) -> io::Result<Self> {
        let mut buffer = Vec::new();
        source.by_ref().take(WINDOW as u64).read_to_end(&mut buffer)?;
        let drained = buffer.len() < WINDOW;
        let verdict = match game {
            Some(word) => evidence::forced(&buffer, drained, word),
            None => evidence::recognize(&buffer, drained),
        };
        let verdict = verdict.unwrap_or_else(|| Verdict::raw(None));
        let header = &verdict.header;
        let (record, players) = (header.record(), header.players());
        let is_packed = header.form.is_packed();
        let promised =
            header.claims().count.filter(|count| *count > 0 && is_packed).map(|count| count as usize);
        let run = Run {
            codes: is_packed.then(|| codes(header.form)),
            records: Vec::new(),
            at: 0,
            packing: Vec::new(),
            differs: false,
            damaged: 0,
            promised,
        };
        let in_tail = !evidence::is_known(header) || is_packed && !(1..=16).contains(&players);
        let at = header.bytes.len();
        let mut recording = Self {
            source,
            buffer,
            offset: at,
            dropped: 0,
            drained,
            verdict,
            record,
            players,
            records: 0,
            ended: false,
            in_tail,
            run,
        };
        if let (Some(codes), false) = (recording.run.codes, in_tail) {
            // The first run shows whether last codes are written twice, which is a line of the header.
            recording.in_tail = !recording.next_run(codes)?;
        }
        Ok(recording)
    }

    pub(crate) fn header(&self) -> &Header {
        &self.verdict.header
    }

    pub(crate) fn record_form(&self) -> RecordForm {
        self.record
    }

    /// The number of players.
    pub(crate) fn players(&self) -> usize {
        self.players
    }

    /// The number of bytes read.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.dropped + self.offset as u64
    }

    /// The number of tics that have begun.
    pub(crate) fn tics(&self) -> u64 {
        self.records.div_ceil(self.players.max(1) as u64)
    }

    /// Reads until the buffer has `wanted` bytes, or the source ends.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.drained || self.buffer.len() - self.offset >= wanted {
            return Ok(());
        }
        self.buffer.drain(..self.offset);
        self.dropped += self.offset as u64;
        self.offset = 0;
        let missing = wanted.max(CHUNK) - self.buffer.len();
        let got = self.source.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
        self.drained = got < missing;
        Ok(())
    }

    /// The next piece; `None` at the end.
    pub(crate) fn next_piece(&mut self) -> io::Result<Option<InputPiece<'_>>> {
        if self.in_tail {
            return self.tail();
        }
        if let Some(codes) = self.run.codes {
            return self.unpacked(codes);
        }
        self.fill(NEAR)?;
        let rest = self.buffer.get(self.offset..).unwrap_or_default();
        match (rest.first(), self.record.measure(rest)) {
            (Some(&END), _) => {
                self.offset += 1;
                (self.ended, self.in_tail) = (true, true);
                Ok(Some(InputPiece::End))
            }
            (Some(_), Some(length)) if self.players > 0 => {
                let from = self.offset;
                self.offset += length;
                self.records += 1;
                Ok(Some(self.place(self.buffer.get(from..self.offset).unwrap_or_default())))
            }
            _ => {
                self.in_tail = true;
                self.tail()
            }
        }
    }

    /// The piece for the last record read.
    fn place<'r>(&self, bytes: &'r [u8]) -> InputPiece<'r> {
        let (before, players) = (self.records - 1, self.players as u64);
        // Most recordings have one player, and a division would take as long as reading a record.
        let (tic, player) = if players == 1 { (before, 0) } else { (before / players, before % players) };
        InputPiece::Record { tic, player: player as usize, bytes }
    }

    fn tail(&mut self) -> io::Result<Option<InputPiece<'_>>> {
        self.fill(CHUNK)?;
        let from = self.offset;
        self.offset = self.buffer.len().min(from + CHUNK);
        Ok(self.buffer.get(from..self.offset).filter(|it| !it.is_empty()).map(InputPiece::Tail))
    }

    fn unpacked(&mut self, codes: CodeWidths) -> io::Result<Option<InputPiece<'_>>> {
        while self.run.at >= self.run.records.len() {
            let from = self.offset;
            self.offset += std::mem::take(&mut self.run.damaged);
            if self.offset > from {
                return Ok(self.buffer.get(from..self.offset).map(InputPiece::Damaged));
            }
            if !self.next_run(codes)? {
                self.in_tail = true;
                return self.tail();
            }
        }
        if std::mem::take(&mut self.run.differs) {
            return Ok(Some(InputPiece::Packing(&self.run.packing)));
        }
        let from = self.run.at;
        self.run.at += RECORD;
        self.records += 1;
        Ok(Some(self.place(self.run.records.get(from..from + RECORD).unwrap_or_default())))
    }

    /// Unpacks the next run; returns `false` if there is none.
    fn next_run(&mut self, codes: CodeWidths) -> io::Result<bool> {
        self.fill(LARGEST)?;
        let full = run_records(self.players);
        // A run consists of whole groups, which have one record of each player.
        let record_count =
            self.run.promised.map_or(full, |left| left.min(full) / self.players * self.players);
        let rest = self.buffer.get(self.offset..).unwrap_or_default();
        let rest = rest.get(..rest.len().min(LARGEST)).unwrap_or_default();
        if record_count == 0 || rest.is_empty() {
            return Ok(false);
        }
        let mut records = std::mem::take(&mut self.run.records);
        let length = unpack_run(rest, self.players, codes, record_count, &mut records);
        self.run.records = records;
        self.run.at = 0;
        let length = length.filter(|_| self.run.records.len().is_multiple_of(RECORD * self.players));
        if length.is_none() {
            self.run.records.clear();
        }
        let length = length.unwrap_or_default();
        if self.run.records.len() < record_count * RECORD {
            // The sound blocks of a damaged run are read. The next run is found if the heads lead to it.
            match measure_run(rest, record_count) {
                Some(whole) => self.run.damaged = whole - length,
                None if length == 0 => return Ok(false),
                None => self.run.promised = Some(self.run.records.len() / RECORD),
            }
        }
        let bytes = rest.get(..length).unwrap_or_default();
        let header = &mut self.verdict.header;
        let mut differs = |twice: bool| {
            self.run.packing.clear();
            pack_run(&self.run.records, self.players, codes, twice, &mut self.run.packing);
            self.run.packing != bytes
        };
        self.run.differs = differs(header.twice);
        // Later the lines of the header may be printed already.
        let is_first = self.dropped + self.offset as u64 == header.bytes.len() as u64;
        if self.run.differs && is_first {
            self.run.differs = differs(true);
            header.twice = !self.run.differs;
        }
        self.run.packing.clear();
        self.run.packing.extend_from_slice(bytes);
        self.offset += length;
        if let Some(promised) = &mut self.run.promised {
            let lost = if self.run.damaged > 0 { record_count } else { self.run.records.len() / RECORD };
            *promised -= lost.min(*promised);
        }
        Ok(true)
    }
}
