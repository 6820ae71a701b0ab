//! The contents of an index, and its form in a file: tables of fixed width after a header, then the names.

use moviola_format::Game;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};

/// The first bytes of an index. The first version, which listed every block, ended in 1.
const MAGIC: &[u8; 8] = b"DEMSEEK2";

/// The sizes of the header and of the entries of the three tables, in bytes.
pub(crate) const HEADER: usize = 56;
pub(crate) const STOP: usize = 20;
pub(crate) const LEVEL: usize = 28;
pub(crate) const MARK: usize = 12;

/// The greatest length of a name or a text in bytes.
const LONGEST: usize = 1000;

/// The index of a recording: some of the places at which playback can begin, and the levels and events with
/// their places.
///
/// ```
/// use moviola_index::Index;
/// let index = Index::of(&b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02"[..]).unwrap().unwrap();
/// assert_eq!((index.length, index.blocks, index.stops.len()), (20, 1, 0));
/// assert_eq!(Index::of(&b"a text"[..]).unwrap(), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Index {
    /// The length of the recording, in bytes.
    pub length: u64,
    /// The number of blocks in the recording.
    pub blocks: u32,
    /// The first half of the SHA-256 of the recording.
    pub id: [u8; 16],
    /// The game.
    pub game: Game,
    /// The blocks from which playback can begin, in order.
    pub stops: Vec<WholeBlock>,
    /// The levels, in order.
    pub levels: Vec<IndexedLevel>,
    /// The events, in order.
    pub marks: Vec<IndexedEvent>,
}

/// A block that sends everything in sight without building on earlier blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WholeBlock {
    /// Its offset in the file.
    pub offset: u64,
    /// The block's number in the recording, counted from 0.
    pub block: u32,
    /// The level's clock after the block, in seconds; `None` before the level's first time.
    pub time: Option<f32>,
    /// The level, counted from 1; 0 before the first one.
    pub level: u32,
}

/// A level of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedLevel {
    /// The number of the level, counted from 1.
    pub number: u32,
    /// The file offset of the block that announces the level.
    pub offset: u64,
    /// The block that announces it.
    pub first_block: u32,
    /// The first block of the level from which playback can begin; `first_block` if there is none.
    pub first_frame: u32,
    /// The name of its file, without folder and ending.
    pub name: String,
}

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedEvent {
    /// The block in which it happened.
    pub block: u32,
    /// The kind of event, by its name in `moviola events`.
    pub kind: String,
    /// The event in words.
    pub text: String,
}

/// The reason why bytes are not an index.
///
/// ```
/// use moviola_index::{Index, NoIndex};
/// assert_eq!(Index::read(b"DEMSEEK2"), Err(NoIndex::Short));
/// assert_eq!(Index::read(&[0; 100]).unwrap_err().to_string(), "it does not begin as a seek index does");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoIndex {
    /// The bytes do not begin like those of an index.
    Magic,
    /// The length differs from the sum of the tables.
    Short,
    /// The game is unknown.
    Game,
    /// A name points outside of the names, or is not UTF-8.
    Name,
    /// The entries of a table are out of order, or name a block beyond the recording's end.
    Order,
}

impl fmt::Display for NoIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Magic => "it does not begin as a seek index does",
            Self::Short => "its length differs from the sum of its tables",
            Self::Game => "it is for an unknown game",
            Self::Name => "a name in it is broken",
            Self::Order => "its entries are out of order, or name a block that is not there",
        })
    }
}

impl std::error::Error for NoIndex {}

impl Index {
    /// The last stop of a level, counted from 1, that is not later than a time.
    ///
    /// State that lasts for the rest of the level (names, scores, lights, the strings of Quake II) is sent in
    /// the blocks from the level's first one on; read them without showing them before playback begins at the
    /// stop.
    pub fn seek(&self, level: u32, time: f32) -> Option<&WholeBlock> {
        self.stops.iter().rfind(|stop| stop.level == level && stop.time.is_some_and(|at| at <= time))
    }

    /// Writes the index.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let mut names = Names::default();
        let mut tables: Vec<u8> = Vec::new();
        for stop in &self.stops {
            tables.extend(stop.offset.to_le_bytes());
            tables.extend(stop.block.to_le_bytes());
            tables.extend(stop.time.unwrap_or(f32::NAN).to_le_bytes());
            tables.extend(stop.level.to_le_bytes());
        }
        for level in &self.levels {
            let text = shortened(&level.name);
            tables.extend(level.offset.to_le_bytes());
            let numbers =
                [level.number, level.first_block, level.first_frame, names.place(text), text.len() as u32];
            tables.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        }
        for mark in &self.marks {
            let (kind, text) = (shortened(&mark.kind), shortened(&mark.text));
            tables.extend(mark.block.to_le_bytes());
            tables.extend(names.place(&[kind, text].concat()).to_le_bytes());
            tables.extend((kind.len() as u16).to_le_bytes());
            tables.extend((text.len() as u16).to_le_bytes());
        }
        let game = match self.game {
            Game::Quake => 1,
            Game::Quake2 => 2,
            Game::QuakeWorld => 3,
        };
        let counts = [self.stops.len(), self.levels.len(), self.marks.len(), names.bytes.len()];
        out.write_all(MAGIC)?;
        out.write_all(&self.length.to_le_bytes())?;
        out.write_all(&self.id)?;
        out.write_all(&u32::to_le_bytes(game))?;
        for count in counts {
            let count = u32::try_from(count).map_err(|_| io::ErrorKind::FileTooLarge)?;
            out.write_all(&count.to_le_bytes())?;
        }
        out.write_all(&self.blocks.to_le_bytes())?;
        out.write_all(&tables)?;
        out.write_all(&names.bytes)
    }

    /// Reads an index and checks its numbers, so that they are safe to use.
    pub fn read(bytes: &[u8]) -> Result<Self, NoIndex> {
        let mut header = Cursor(bytes);
        if header.array() != Some(*MAGIC) {
            return Err(NoIndex::Magic);
        }
        let mut short =
            || -> Option<_> { Some((header.read_u32()?, header.array()?, header.numbers::<6>()?)) };
        let (length, id, [game, stops, levels, marks, names, blocks]) = short().ok_or(NoIndex::Short)?;
        let game = match game {
            1 => Game::Quake,
            2 => Game::Quake2,
            3 => Game::QuakeWorld,
            _ => return Err(NoIndex::Game),
        };
        let sizes = [(stops, STOP), (levels, LEVEL), (marks, MARK), (names, 1)];
        let sum =
            sizes.iter().fold(HEADER as u64, |sum, (count, size)| sum + u64::from(*count) * *size as u64);
        if sum != bytes.len() as u64 {
            return Err(NoIndex::Short);
        }
        let mut tables = header;
        let names = bytes.get(bytes.len() - names as usize..).unwrap_or_default();
        let name = |at: u32, length: u32| {
            let text = names.get(at as usize..at.checked_add(length)? as usize)?;
            std::str::from_utf8(text).ok().map(str::to_owned)
        };
        let (mut read_stops, mut read_levels, mut read_marks) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..stops {
            let offset = tables.read_u32().ok_or(NoIndex::Short)?;
            let [block, time, level] = tables.numbers().ok_or(NoIndex::Short)?;
            let time = Some(f32::from_bits(time)).filter(|time| time.is_finite());
            read_stops.push(WholeBlock { offset, block, time, level });
        }
        for _ in 0..levels {
            let offset = tables.read_u32().ok_or(NoIndex::Short)?;
            let [number, first_block, first_frame, at, length] = tables.numbers().ok_or(NoIndex::Short)?;
            let name = name(at, length).ok_or(NoIndex::Name)?;
            read_levels.push(IndexedLevel { number, offset, first_block, first_frame, name });
        }
        for _ in 0..marks {
            let [block, at, lengths] = tables.numbers().ok_or(NoIndex::Short)?;
            let (kind, text) = (lengths & 0xFFFF, lengths >> 16);
            let behind = at.checked_add(kind).ok_or(NoIndex::Name)?;
            let kind = name(at, kind).ok_or(NoIndex::Name)?;
            let text = name(behind, text).ok_or(NoIndex::Name)?;
            read_marks.push(IndexedEvent { block, kind, text });
        }
        let (stops, levels, marks) = (read_stops, read_levels, read_marks);
        let index = Self { length, blocks, id, game, stops, levels, marks };
        if index.is_in_order() { Ok(index) } else { Err(NoIndex::Order) }
    }

    /// Whether every entry is inside of the recording, and each table is in ascending order.
    fn is_in_order(&self) -> bool {
        let rises =
            |one: &WholeBlock, other: &WholeBlock| one.offset < other.offset && one.block < other.block;
        self.stops.is_sorted_by(rises)
            && self.levels.is_sorted_by(|one, other| one.number < other.number)
            && self.marks.is_sorted_by_key(|mark| mark.block)
            && self.stops.iter().all(|stop| stop.offset < self.length && stop.block < self.blocks)
            && self.marks.iter().all(|mark| mark.block < self.blocks)
            && self.levels.iter().all(|level| {
                level.offset < self.length
                    && level.first_block < self.blocks
                    && level.first_frame < self.blocks
            })
    }

    /// The greatest possible size of the index in a file, in bytes: each text counts as often as it occurs.
    pub(crate) fn most_bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(level_bytes).sum();
        let marks: usize = self.marks.iter().map(mark_bytes).sum();
        HEADER + self.stops.len() * STOP + levels + marks
    }
}

/// The number of bytes of a level in a file.
pub(crate) fn level_bytes(level: &IndexedLevel) -> usize {
    LEVEL + shortened(&level.name).len()
}

/// The number of bytes of a mark in a file.
pub(crate) fn mark_bytes(mark: &IndexedEvent) -> usize {
    MARK + shortened(&mark.kind).len() + shortened(&mark.text).len()
}

/// The text, cut to [`LONGEST`] bytes.
pub(crate) fn shortened(text: &str) -> &str {
    text.get(..text.floor_char_boundary(text.len().min(LONGEST))).unwrap_or_default()
}

/// The names of an index; equal texts are stored once.
#[derive(Default)]
struct Names {
    bytes: Vec<u8>,
    places: HashMap<String, u32>,
}

impl Names {
    fn place(&mut self, text: &str) -> u32 {
        if let Some(place) = self.places.get(text) {
            return *place;
        }
        let place = self.bytes.len() as u32;
        self.bytes.extend(text.as_bytes());
        self.places.insert(text.to_owned(), place);
        place
    }
}

/// A reader of numbers.
#[derive(Clone, Copy)]
struct Cursor<'b>(&'b [u8]);

impl Cursor<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn read_u32(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn numbers<const N: usize>(&mut self) -> Option<[u32; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = u32::from_le_bytes(self.array()?);
        }
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> Index {
        let stop = |offset, block, time| WholeBlock { offset, block, time, level: 1 };
        Index {
            length: 400,
            blocks: 9,
            id: *b"0123456789abcdef",
            game: Game::Quake2,
            stops: vec![stop(3, 0, None), stop(9, 1, Some(0.5)), stop(300, 8, Some(-1.0))],
            levels: vec![IndexedLevel {
                number: 1,
                offset: 9,
                first_block: 1,
                first_frame: 2,
                name: "caf\u{e9}".into(),
            }],
            marks: vec![
                IndexedEvent::default(),
                IndexedEvent { block: 2, kind: "kill".into(), text: "Al kills Bob".into() },
            ],
        }
    }

    fn bytes(index: &Index) -> Vec<u8> {
        let mut bytes = Vec::new();
        index.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn an_index_reads_back() {
        assert_eq!(Index::read(&bytes(&index())), Ok(index()));
        assert_eq!(bytes(&index()).len(), index().most_bytes());
        let none = Index { stops: vec![], levels: vec![], marks: vec![], ..index() };
        assert_eq!(bytes(&none).len(), HEADER);
        assert_eq!(Index::read(&bytes(&none)), Ok(none));
        let long = IndexedEvent { block: 0, kind: "\u{e9}".repeat(3000), text: "x".repeat(3000) };
        let read = Index::read(&bytes(&Index { marks: vec![long], ..index() })).unwrap();
        assert_eq!((read.marks[0].kind.len(), read.marks[0].text.len()), (LONGEST, LONGEST));
    }

    #[test]
    fn equal_texts_are_kept_once() {
        let mark = IndexedEvent { block: 2, kind: "kill".into(), text: "Al kills Bob".into() };
        let index = Index { marks: vec![mark; 5], ..index() };
        assert_eq!(bytes(&index).len(), index.most_bytes() - 4 * "killAl kills Bob".len());
        assert_eq!(Index::read(&bytes(&index)), Ok(index));
    }

    #[test]
    fn broken_ones_are_refused() {
        let index_bytes = bytes(&index());
        for length in 8..index_bytes.len() {
            assert_eq!(Index::read(&index_bytes[..length]), Err(NoIndex::Short));
        }
        let with_byte = |at: usize, value: u8| {
            let mut bytes = index_bytes.clone();
            bytes[at] = value;
            Index::read(&bytes)
        };
        assert_eq!(with_byte(0, b'X'), Err(NoIndex::Magic));
        assert_eq!(with_byte(32, 9), Err(NoIndex::Game));
        assert_eq!(with_byte(36, 255), Err(NoIndex::Short));
        assert_eq!(with_byte(HEADER, 200), Err(NoIndex::Order));
        assert_eq!(with_byte(HEADER + 3 * STOP + 12, 30), Err(NoIndex::Order));
        assert_eq!(with_byte(HEADER + 3 * STOP + LEVEL + MARK + 4, 255), Err(NoIndex::Name));
        // No changed byte makes the reader crash.
        for at in 0..index_bytes.len() {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let _ = with_byte(at, value);
            }
        }
    }
}
