//! Recognizes the format of a file by its content.

use crate::context::Context;
use crate::demo::{Block, MAX_BLOCK};
use crate::dm2::{NEWEST, OLDEST};
use crate::game::Game;
use crate::header::HeaderReader;
use crate::kinds::ExtensionList;
use crate::messages::{Dialect, Messages};
use crate::names::{quake2, value_name};
use crate::stamp::{Framed, Stamp};
use crate::with_table;
use crate::{Quake, Quake2};

/// The number of bytes from the start of a file that decide.
pub(crate) const SNIFF: usize = 1 << 16;

/// The first bytes of an MVD2.
pub(crate) const MVD2: [u8; 4] = *b"MVD2";

/// The format of a file.
///
/// ```
/// use moviola_format::{Foreign, Format, sniff};
/// assert_eq!(sniff(b"-1\n", true), Format::Quake { header: 3 });
/// assert_eq!(sniff(b"HLDEMO\0\0", true), Format::Foreign(Foreign::HalfLife));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A Quake recording, with the size of its header.
    Quake {
        /// The bytes before the first block.
        header: usize,
    },
    /// A Quake II recording.
    Quake2,
    /// A Quake II server's recording of all players, by Q2PRO.
    Mvd2,
    /// A recording of a QuakeWorld player.
    Qwd,
    /// A recording of a QuakeWorld server.
    Mvd,
    /// Another known format.
    Foreign(Foreign),
    /// No known format: the file is kept unchanged.
    Unknown,
    /// A file without bytes.
    Empty,
}

impl Format {
    /// The game, if it is a recording that can be read.
    ///
    /// ```
    /// use moviola_format::{Format, Game};
    /// assert_eq!(Format::Quake2.game(), Some(Game::Quake2));
    /// assert_eq!(Format::Unknown.game(), None);
    /// ```
    pub fn game(self) -> Option<Game> {
        match self {
            Self::Quake { .. } => Some(Game::Quake),
            Self::Quake2 | Self::Mvd2 => Some(Game::Quake2),
            Self::Qwd | Self::Mvd => Some(Game::QuakeWorld),
            _ => None,
        }
    }

    /// Its name.
    ///
    /// ```
    /// use moviola_format::Format;
    /// assert_eq!(Format::Quake2.name(), "dm2");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Quake { .. } => "dem",
            Self::Quake2 => "dm2",
            Self::Mvd2 => "mvd2",
            Self::Qwd => "qwd",
            Self::Mvd => "mvd",
            Self::Foreign(foreign) => foreign.name(),
            Self::Unknown => "unknown",
            Self::Empty => "empty",
        }
    }
}

macro_rules! foreigners { ($( $(#[doc = $about:literal])* $name:ident $text:literal )*) => {
    /// Formats that are recognized but not read; such files are kept unchanged.
    ///
    /// ```
    /// use moviola_format::{Foreign, sniff, Format};
    /// assert_eq!(sniff(b"PACK", false), Format::Foreign(Foreign::Pak));
    /// assert_eq!(Foreign::Pak.name(), "pak");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Foreign { $( $(#[doc = $about])* $name, )* }

    impl Foreign {
        /// Its name.
        pub fn name(self) -> &'static str {
            match self { $( Self::$name => $text, )* }
        }
    }
} }

foreigners! {
    /// A recording of DOOM or a related game.
    Lmp "lmp" // not from SCHEMA: a file extension
    /// A Half-Life recording.
    HalfLife "hldemo"
    /// A gzip file.
    Gzip "gzip"
    /// A zip archive, which may have the extension pk3.
    Zip "zip"
    /// A Dzip archive.
    Dzip "dzip"
    /// A Quake PAK file.
    Pak "pak"
    /// A file compressed by xz.
    Xz "xz"
    /// A file compressed by LZMA alone.
    Lzma "lzma"
    /// A file compressed by bzip2.
    Bzip2 "bzip2"
    /// A file compressed by zstd.
    Zstd "zstd"
    /// A file compressed by compress, called `.Z`.
    Compress "compress"
    /// An archive of 7-Zip.
    SevenZip "7z"
    /// A RAR archive.
    Rar "rar"
}

const MAGICS: [(&[u8], Foreign); 10] = [
    (b"\x1f\x8b", Foreign::Gzip),
    (b"PK\x03\x04", Foreign::Zip),
    (b"PK\x05\x06", Foreign::Zip),
    (b"PACK", Foreign::Pak),
    (b"HLDEMO", Foreign::HalfLife),
    (b"\xfd7zXZ\0", Foreign::Xz),
    (b"BZh", Foreign::Bzip2),
    (b"\x28\xb5\x2f\xfd", Foreign::Zstd),
    (b"7z\xbc\xaf\x27\x1c", Foreign::SevenZip),
    (b"Rar!\x1a\x07", Foreign::Rar),
];

/// Recognizes a file by its first bytes, or if `complete` by all of them.
///
/// ```
/// use moviola_format::{sniff, Format};
/// assert_eq!(sniff(b"", true), Format::Empty);
/// assert_eq!(sniff(b"MVD2", true).name(), "mvd2");
/// ```
pub fn sniff(start: &[u8], complete: bool) -> Format {
    if start.is_empty() {
        return Format::Empty;
    }
    if let Some((_, foreign)) = MAGICS.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Format::Foreign(*foreign);
    }
    if matches!(start, [b'D', b'Z', 1..=3, ..]) && start.len() >= 12 {
        return Format::Foreign(Foreign::Dzip);
    }
    if start.starts_with(&MVD2) {
        return Format::Mvd2;
    }
    if announces_quake2(start) {
        return Format::Quake2;
    }
    // Quake's header may be any line, and a time of QuakeWorld may contain its end. A chain of whole blocks is the better
    // evidence.
    let chains = [(Format::Qwd, is_qwd(start)), (Format::Mvd, is_mvd(start))];
    let is_chain = |it: &&(Format, bool)| it.1 && has_whole_blocks(start, complete, it.0 == Format::Mvd);
    if let Some((format, _)) = chains.iter().find(is_chain) {
        return *format;
    }
    // Blocks without a header show only by their shape: first all messages must be readable, then most.
    for care in [Strictness::Every, Strictness::Most, Strictness::Some] {
        let chain = Chain { file: start, complete, care };
        if let Some(header) = quake_header(&chain) {
            return Format::Quake { header };
        }
        if chain.holds::<Quake2>(0) {
            return Format::Quake2;
        }
    }
    let foreign = [
        (Format::Foreign(Foreign::Lzma), is_lzma(start)),
        (Format::Foreign(Foreign::Compress), is_compress(start)),
        (Format::Qwd, is_qwd(start)),
        (Format::Mvd, is_mvd(start) || is_framed_mvd(start, complete)),
        (Format::Foreign(Foreign::Lmp), is_lmp(start)),
    ];
    foreign.into_iter().find(|(_, yes)| *yes).map_or(Format::Unknown, |(format, _)| format)
}

fn int(bytes: &[u8], at: usize) -> Option<i32> {
    bytes.get(at..)?.first_chunk().map(|bytes| i32::from_le_bytes(*bytes))
}

/// The largest block that is read as one; a compiled text may contain such a block, though no engine writes
/// one.
const PLAUSIBLE_BLOCK: i32 = MAX_BLOCK as i32;

/// A first block that begins with a serverdata of a known protocol.
fn announces_quake2(file: &[u8]) -> bool {
    let (Some(length), Some(op), Some(protocol)) = (int(file, 0), file.get(4), int(file, 5)) else {
        return false;
    };
    let known = (OLDEST..=NEWEST).contains(&protocol)
        || value_name(quake2::PROTOCOL, i64::from(protocol)).is_some_and(|_| protocol > NEWEST);
    (5..=PLAUSIBLE_BLOCK).contains(&length)
        && (*op == crate::dm2::ServerData::OP && known
            || file.get(4..).is_some_and(|block| block.starts_with(&crate::dm2::Q2TEST_START)))
}

/// The length of a Quake recording's header, if blocks follow one.
fn quake_header(chain: &Chain) -> Option<usize> {
    let Chain { file, complete, care } = *chain;
    let line = HeaderReader::StepByStep.read(file.get(..64.min(file.len()))?).map(|reading| reading.length);
    let number = HeaderReader::Fscanf.read(file).map(|reading| reading.length);
    // Quake 1.09 plays the file whatever the line contains, so blocks after a line without a number count
    // too.
    let candidates = [line.filter(|_| starts_as_number(file)), number, Some(0), line];
    let found = candidates.into_iter().flatten().find(|header| chain.holds::<Quake>(*header));
    // In a file with only a header, or a header and a damaged start, the line alone must decide.
    found.or_else(|| {
        let header = HeaderReader::QuakeSpasm.read(file).filter(|_| care == Strictness::Some)?.length;
        let rest = file.get(header..)?;
        let length = int(rest, 0);
        (header <= 13
            && (rest.is_empty() && complete || length.is_some_and(|it| (1..=PLAUSIBLE_BLOCK).contains(&it))))
        .then_some(header)
    })
}

fn starts_as_number(file: &[u8]) -> bool {
    file.iter().take_while(|byte| **byte != b'\n').any(u8::is_ascii_digit)
        && file.iter().take_while(|byte| **byte != b'\n').all(|byte| matches!(byte, b'\t'..=b'~'))
}

/// Whether Quake's blocks begin there.
pub(crate) fn blocks_begin(start: &[u8], at: usize, complete: bool) -> bool {
    Chain { file: start, complete, care: Strictness::Some }.holds::<Quake>(at)
}

/// The share of the blocks that must be readable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    /// Each block to its end.
    Every,
    /// At least three quarters of the blocks, each to its end. Some may be damaged, even the first.
    Most,
    /// A part of each block.
    Some,
}

/// A sequence of blocks.
struct Chain<'a> {
    file: &'a [u8],
    complete: bool,
    care: Strictness,
}

impl Chain<'_> {
    /// The number of blocks that must agree; and if some may be damaged, the number that is tried and the
    /// number of these that must be read.
    const BLOCKS: usize = 4;
    const WITH_DAMAGE: usize = 8;
    const UNDAMAGED: usize = 3;
    /// The greatest number of blocks without messages that are skipped, since they prove nothing.
    const EMPTY: usize = 64;

    /// Whether blocks of the game begin at `at`: their lengths chain, and the first complete one is read to
    /// its end, or at least begins a level.
    fn holds<D: Dialect>(&self, mut at: usize) -> bool {
        let head = D::GAME.block_head();
        let mut context = Context::of(D::GAME);
        let (mut read, mut count, mut empty, mut damaged) = (0, 0, 0, 0);
        let is_strictest = self.care == Strictness::Most;
        let wanted = if is_strictest { Self::WITH_DAMAGE } else { Self::BLOCKS };
        while count - empty < wanted && empty <= Self::EMPTY {
            let Some(rest) = self.file.get(at..).filter(|rest| !rest.is_empty()) else { break };
            let Some(length) = int(rest, 0).filter(|_| rest.len() >= head) else { break };
            if D::GAME == Game::Quake2 && length == -1 {
                break;
            }
            let from_client = length < 0 && D::GAME == Game::Quake;
            let length = if from_client { length & i32::MAX } else { length };
            if !(0..=PLAUSIBLE_BLOCK).contains(&length) {
                return false;
            }
            let end = head + length as usize;
            let block = match rest.get(head..end) {
                Some(block) => block,
                None if self.complete && count == 0 => return false,
                None if count == 0 && end > SNIFF => {
                    return begins::<D>(rest.get(head..).unwrap_or_default());
                }
                None => break,
            };
            at += end;
            count += 1;
            if from_client || block.is_empty() {
                empty += 1;
                continue;
            }
            let mut messages = Messages::<D>::new(block, context);
            // Runs of zeros read as messages that no server sends, so a file full of them is not a recording.
            let (mut got, mut zeros) = (0, 0);
            for entry in messages.by_ref() {
                *(if D::is_plausible(&entry.message) { &mut got } else { &mut zeros }) += 1;
            }
            context = *messages.context();
            let whole = zeros == 0 && messages.fault().is_none();
            if is_strictest {
                *(if whole { &mut read } else { &mut damaged }) += 1;
                continue;
            }
            let all = whole || context.raw;
            if got == 0 && !context.raw || self.care == Strictness::Every && !all {
                return false;
            }
            read += usize::from(all || got > 3 && got > zeros);
        }
        if is_strictest { read >= Self::UNDAMAGED && damaged * 3 <= read } else { count > 0 && read > 0 }
    }
}

/// Whether the first part of a very long block consists of messages, except the one that is cut off.
fn begins<D: Dialect>(part: &[u8]) -> bool {
    let mut messages = Messages::<D>::new(part, Context::of(D::GAME));
    let plausible = messages.by_ref().filter(|entry| D::is_plausible(&entry.message)).count();
    messages.context().raw || plausible > 3 && messages.rest().len() < part.len() / 4
}

/// The usual properties, a dictionary whose size is a power of two, and a size that is unknown or below 2 to the 40th.
fn is_lzma(file: &[u8]) -> bool {
    let (Some(0x5D), Some(dictionary), Some(low), Some(high)) =
        (file.first(), int(file, 1), int(file, 5), int(file, 9))
    else {
        return false;
    };
    let dictionary = dictionary as u32;
    dictionary.is_power_of_two()
        && (12..=30).contains(&dictionary.trailing_zeros())
        && ((low, high) == (-1, -1) || (0..256).contains(&high))
}

/// Two bytes, then the width of codes and a mark, between which two bits are unused.
fn is_compress(file: &[u8]) -> bool {
    matches!(file, [0x1F, 0x9D, codes, ..] if codes & 0x60 == 0 && (9..=16).contains(&(codes & 0x1F)))
}

/// Whether the file starts like a `QuakeWorld` recording: optionally a record of sequence numbers, then a
/// packet.
fn is_qwd(file: &[u8]) -> bool {
    const NUMBERS: usize = 13;
    match file.get(4) {
        Some(2) if opens_at_a_time(file) => file.get(NUMBERS..).is_some_and(|rest| {
            // Recorders give their first record the time 0, whatever its kind is.
            rest.starts_with(&[0; 4]) && rest.get(4).is_none_or(|kind| *kind <= 2) || is_qwd_packet(rest)
        }),
        _ => is_qwd_packet(file),
    }
}

/// Whether a file starts with four blocks of an MVD that can be read to their ends, the first of which begins
/// with a print or a command. `QWDTools` and FTE write such texts before the level, so that the test for a
/// level does not find it.
fn is_framed_mvd(file: &[u8], complete: bool) -> bool {
    let Some((_, head, _)) = Stamp::head(true, file) else { return false };
    matches!(file.get(head), Some(&crate::qw::Print::OP | &crate::qw::StuffText::OP))
        && has_whole_blocks(file, complete, true)
}

/// Whether a file starts with four blocks of an MVD or of a QWD that can be read to their ends, or consists of them.
fn has_whole_blocks(file: &[u8], complete: bool, is_mvd: bool) -> bool {
    /// The number of blocks that must be readable for a file to count as a recording.
    const BLOCKS: usize = 4;
    let (mut at, mut blocks, mut context) = (0, 0, Context::quakeworld());
    while blocks < BLOCKS && at < file.len() {
        let rest = file.get(at..).unwrap_or_default();
        let Framed::Block { stamp, head, length } = Stamp::frame(is_mvd, rest) else { return false };
        let end = head + length as usize;
        let Some(data) = rest.get(head..end) else { return !complete && blocks > 0 };
        let block = Block { stamp, ..Block::new(data) };
        let is_whole = with_table!(block.table(Game::QuakeWorld), D => {
            let mut messages = block.messages::<D>(context);
            messages.by_ref().for_each(drop);
            context = *messages.context();
            messages.fault().is_none()
        });
        if !is_whole && !context.raw {
            return false;
        }
        (at, blocks) = (at + end, blocks + 1);
    }
    blocks == BLOCKS || !is_mvd && blocks > 0
}

/// Time, kind, length, sequence numbers, and a serverdata or a packet without a connection.
fn is_qwd_packet(file: &[u8]) -> bool {
    let (Some(1), Some(length), Some(packet)) = (file.get(4), int(file, 5), file.get(9..)) else {
        return false;
    };
    let connectionless = packet.starts_with(&[0xFF; 4]);
    opens_at_a_time(file)
        && (1..=PLAUSIBLE_BLOCK).contains(&length)
        && (connectionless || opens_quakeworld(packet, 8))
}

/// Whether the file begins with a plausible client time: zero, or between a microsecond and a million
/// seconds. The first four bytes of other formats are often small numbers, which are far below that range as
/// floats.
fn opens_at_a_time(file: &[u8]) -> bool {
    int(file, 0).is_some_and(|bits| bits == 0 || (1e-6..1e6).contains(&f32::from_bits(bits as u32)))
}

/// A `QuakeWorld` serverdata: protocols 24 to 28, or one of the extensions announced before.
fn opens_quakeworld(bytes: &[u8], at: usize) -> bool {
    let extended = int(bytes, at + 1).is_some_and(ExtensionList::is_announced_by);
    // FTE's servers send the name of the protocol before the `serverdata`, as a comment in a `stufftext`.
    let names_it = bytes.get(at..).is_some_and(|bytes| bytes.starts_with(b"\x09//"));
    names_it
        || bytes.get(at) == Some(&11)
            && (extended || int(bytes, at + 1).is_some_and(|it| (24..=28).contains(&it)))
}

fn is_mvd(file: &[u8]) -> bool {
    match file {
        [_, kind, ..] if matches!(kind & 7, 1 | 4..=6) => opens_quakeworld(file, 6),
        [_, 3, ..] => opens_quakeworld(file, 10),
        _ => false,
    }
}

/// DOOM's header: version, skill, episode, map, and four flags or players.
fn is_lmp(file: &[u8]) -> bool {
    match file {
        [104..=111, skill, episode, map, mode, ..] => {
            *skill <= 4 && (1..=4).contains(episode) && (1..=32).contains(map) && *mode <= 2
        }
        [skill, episode, map, p1, p2, p3, p4, ..] => {
            *skill <= 4
                && (1..=4).contains(episode)
                && (1..=9).contains(map)
                && [p1, p2, p3, p4].iter().all(|it| **it <= 1)
                && *p1 == 1
        }
        _ => false,
    }
}
