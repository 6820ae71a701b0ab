//! What an index holds, and how it lies in a file: tables of fixed width behind a header, and the names behind them.

use moviola_format::Game;
use std::fmt;
use std::io::{self, Write};

/// The first bytes of an index.
const MAGIC: &[u8; 8] = b"DEMSEEK1";

/// How long the header and the entries of the three tables are.
const HEADER: usize = 56;
const BLOCK: usize = 16;
const LEVEL: usize = 16;
const MARK: usize = 12;

/// The bit of a block by which it can be shown by itself.
const WHOLE: u32 = 1 << 31;

/// The index of a recording.
///
/// ```
/// use moviola_index::Index;
/// let index = Index::of(&b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02"[..]).unwrap().unwrap();
/// assert_eq!((index.length, index.blocks.len(), index.levels.len()), (20, 1, 0));
/// assert_eq!(Index::of(&b"a text"[..]).unwrap(), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The length of the recording, in bytes.
    pub length: u64,
    /// The first half of the SHA-256 of the recording.
    pub id: [u8; 16],
    /// The game.
    pub game: Game,
    /// Every block of the recording, in order.
    pub blocks: Vec<Block>,
    /// The levels, in order.
    pub levels: Vec<Level>,
    /// What happened, in order.
    pub marks: Vec<Mark>,
}

/// A block of a recording.
///
/// ```
/// use moviola_index::{Block, Index};
/// let index = Index::of(&b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02"[..]).unwrap().unwrap();
/// assert_eq!(index.blocks, [Block { offset: 3, time: None, level: 0, is_whole: false }]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Block {
    /// Where in the file it begins.
    pub offset: u64,
    /// The level's clock behind it, in seconds; none before the level's first time.
    pub time: Option<f32>,
    /// The level, counted from 1; 0 before the first one.
    pub level: u32,
    /// It says all that is in sight, without building on the block before.
    pub is_whole: bool,
}

/// A level of a recording.
///
/// ```
/// let level = moviola_index::Level { name: "e1m1".into(), ..Default::default() };
/// assert_eq!(level.first_block, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The block that announces it.
    pub first_block: u32,
    /// The first block in which something is to be seen.
    pub first_frame: u32,
    /// The name of its file, without folder and ending.
    pub name: String,
}

/// Something that happened.
///
/// ```
/// let mark = moviola_index::Mark { block: 7, kind: "secret".into(), text: String::new() };
/// assert_eq!(mark.block, 7);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The block in which it happened.
    pub block: u32,
    /// The kind of event, as `moviola events` calls it.
    pub kind: String,
    /// The event in words.
    pub text: String,
}

/// Why bytes are no index.
///
/// ```
/// use moviola_index::{Index, NoIndex};
/// assert_eq!(Index::read(b"DEMSEEK1"), Err(NoIndex::Short));
/// assert_eq!(Index::read(&[0; 100]).unwrap_err().to_string(), "it does not begin as a seek index does");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoIndex {
    /// It does not begin like one.
    Magic,
    /// It is shorter than it says, or longer.
    Short,
    /// The game is none that is known.
    Game,
    /// A name is not where it is said to be, or is no UTF-8.
    Name,
    /// The blocks do not follow each other, or something is said to be in a block that is not there.
    Order,
}

impl fmt::Display for NoIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Magic => "it does not begin as a seek index does",
            Self::Short => "its length is not what its tables need",
            Self::Game => "it is for a game that is not known",
            Self::Name => "a name in it is broken",
            Self::Order => "its blocks are out of order, or one is missing",
        })
    }
}

impl std::error::Error for NoIndex {}

impl Index {
    /// The last block of a level, counted from 1, that can be shown by itself and is not later than a time.
    ///
    /// What was said for good before it - names, scores, lights, the strings of Quake II - is in the blocks from the
    /// level's first one on; they can be read without being shown.
    pub fn seek(&self, level: u32, time: f32) -> Option<usize> {
        let is_it =
            |block: &Block| block.level == level && block.is_whole && block.time.is_some_and(|at| at <= time);
        self.blocks.iter().rposition(is_it)
    }

    /// Writes the index.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let mut names: Vec<u8> = Vec::new();
        let mut name = |text: &[&str]| {
            let at = names.len() as u32;
            for text in text {
                names.extend(text.as_bytes());
            }
            at
        };
        let mut tables: Vec<u8> = Vec::new();
        for block in &self.blocks {
            tables.extend(block.offset.to_le_bytes());
            tables.extend(block.time.unwrap_or(f32::NAN).to_le_bytes());
            let whole = if block.is_whole { WHOLE } else { 0 };
            tables.extend((block.level & !WHOLE | whole).to_le_bytes());
        }
        for level in &self.levels {
            let text = cut(&level.name);
            let numbers = [level.first_block, level.first_frame, name(&[text]), text.len() as u32];
            tables.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        }
        for mark in &self.marks {
            let (kind, text) = (cut(&mark.kind), cut(&mark.text));
            tables.extend(mark.block.to_le_bytes());
            tables.extend(name(&[kind, text]).to_le_bytes());
            tables.extend((kind.len() as u16).to_le_bytes());
            tables.extend((text.len() as u16).to_le_bytes());
        }
        let game = match self.game {
            Game::Quake => 1,
            Game::Quake2 => 2,
        };
        let counts = [self.blocks.len(), self.levels.len(), self.marks.len(), names.len(), 0];
        out.write_all(MAGIC)?;
        out.write_all(&self.length.to_le_bytes())?;
        out.write_all(&self.id)?;
        out.write_all(&u32::to_le_bytes(game))?;
        for count in counts {
            let count = u32::try_from(count).map_err(|_| io::ErrorKind::FileTooLarge)?;
            out.write_all(&count.to_le_bytes())?;
        }
        out.write_all(&tables)?;
        out.write_all(&names)
    }

    /// Reads an index. What it says of itself is checked, so that its numbers can be used as they are.
    pub fn read(bytes: &[u8]) -> Result<Self, NoIndex> {
        let mut header = Cursor(bytes);
        if header.array() != Some(*MAGIC) {
            return Err(NoIndex::Magic);
        }
        let mut short = || -> Option<_> { Some((header.long()?, header.array()?, header.numbers::<6>()?)) };
        let (length, id, [game, blocks, levels, marks, names, _]) = short().ok_or(NoIndex::Short)?;
        let game = match game {
            1 => Game::Quake,
            2 => Game::Quake2,
            _ => return Err(NoIndex::Game),
        };
        let sizes = [(blocks, BLOCK), (levels, LEVEL), (marks, MARK), (names, 1)];
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
        let mut read = Self { length, id, game, blocks: Vec::new(), levels: Vec::new(), marks: Vec::new() };
        for _ in 0..blocks {
            let offset = tables.long().ok_or(NoIndex::Short)?;
            let [time, info] = tables.numbers().ok_or(NoIndex::Short)?;
            let time = Some(f32::from_bits(time)).filter(|time| time.is_finite());
            read.blocks.push(Block { offset, time, level: info & !WHOLE, is_whole: info & WHOLE != 0 });
        }
        for _ in 0..levels {
            let [first_block, first_frame, at, length] = tables.numbers().ok_or(NoIndex::Short)?;
            let name = name(at, length).ok_or(NoIndex::Name)?;
            read.levels.push(Level { first_block, first_frame, name });
        }
        for _ in 0..marks {
            let [block, at, lengths] = tables.numbers().ok_or(NoIndex::Short)?;
            let (kind, text) = (lengths & 0xFFFF, lengths >> 16);
            let behind = at.checked_add(kind).ok_or(NoIndex::Name)?;
            let kind = name(at, kind).ok_or(NoIndex::Name)?;
            let text = name(behind, text).ok_or(NoIndex::Name)?;
            read.marks.push(Mark { block, kind, text });
        }
        let rise = read.blocks.is_sorted_by(|one, other| one.offset < other.offset);
        let is_inside = read.blocks.last().is_none_or(|block| block.offset < length);
        let mut begins = read.levels.iter().flat_map(|it| [it.first_block, it.first_frame]);
        let mut marked = read.marks.iter().map(|it| it.block);
        let there = |block: u32| block < blocks;
        if rise && is_inside && begins.all(there) && marked.all(there) {
            Ok(read)
        } else {
            Err(NoIndex::Order)
        }
    }
}

/// A text as it fits.
fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(text.len().min(1000))).unwrap_or_default()
}

/// Numbers, one after the other.
#[derive(Clone, Copy)]
struct Cursor<'b>(&'b [u8]);

impl Cursor<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn long(&mut self) -> Option<u64> {
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
        let block = |offset, level, time| Block { offset, time, level, is_whole: time.is_some() };
        Index {
            length: 400,
            id: *b"0123456789abcdef",
            game: Game::Quake2,
            blocks: vec![block(3, 0, None), block(9, 1, Some(0.5)), block(300, 1, Some(-1.0))],
            levels: vec![Level { first_block: 1, first_frame: 2, name: "caf\u{e9}".into() }],
            marks: vec![Mark { block: 2, kind: "kill".into(), text: "Al kills Bob".into() }, Mark::default()],
        }
    }

    fn bytes(index: &Index) -> Vec<u8> {
        let mut bytes = Vec::new();
        index.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Index::read(&bytes(&index())), Ok(index()));
        let none = Index { blocks: vec![], levels: vec![], marks: vec![], ..index() };
        assert_eq!(bytes(&none).len(), HEADER);
        assert_eq!(Index::read(&bytes(&none)), Ok(none));
        let long = Mark { block: 0, kind: "\u{e9}".repeat(3000), text: "x".repeat(3000) };
        let read = Index::read(&bytes(&Index { marks: vec![long], ..index() })).unwrap();
        assert_eq!((read.marks[0].kind.len(), read.marks[0].text.len()), (1000, 1000));
    }

    #[test]
    fn broken_ones_are_told() {
        let whole = bytes(&index());
        for length in 8..whole.len() {
            assert_eq!(Index::read(&whole[..length]), Err(NoIndex::Short));
        }
        let with = |at: usize, value: u8| {
            let mut bytes = whole.clone();
            bytes[at] = value;
            Index::read(&bytes)
        };
        assert_eq!(with(0, b'X'), Err(NoIndex::Magic));
        assert_eq!(with(32, 3), Err(NoIndex::Game));
        assert_eq!(with(36, 255), Err(NoIndex::Short));
        assert_eq!(with(HEADER, 200), Err(NoIndex::Order));
        assert_eq!(with(HEADER + 3 * BLOCK, 3), Err(NoIndex::Order));
        assert_eq!(with(HEADER + 3 * BLOCK + 12, 255), Err(NoIndex::Name));
        // Whatever is changed, nothing breaks.
        for at in 0..whole.len() {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let _ = with(at, value);
            }
        }
    }
}
