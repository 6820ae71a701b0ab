//! The heads of the blocks in QuakeWorld's two containers: time and packet in `.qwd`, milliseconds and
//! audience in `.mvd`; and the length of 16 bits in Q2PRO's `.mvd2`.

use crate::demo::MAX_BLOCK;
use std::io::{self, Write};

/// The head of a block of a QuakeWorld recording or of an MVD2, except its length.
///
/// ```
/// use moviola_format::{Block, Game, Piece, Stamp};
/// let stamp = Stamp::Mvd { msec: 13, kind: 6, players: 0 };
/// let mut out = Vec::new();
/// Piece::Block(Block { stamp, ..Block::new(b"\x01") }).write(Game::QuakeWorld, &mut out).unwrap();
/// assert_eq!(out, b"\x0d\x06\x01\0\0\0\x01");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stamp {
    /// A block of Quake, or of Quake II in a `.dm2`.
    #[default]
    None,
    /// `.qwd`: a packet that the server sent.
    Qwd {
        /// The time of the packet in seconds, as the bits of a float.
        time: u32,
        /// The packet's sequence number and the one that it acknowledges, each with the bit of the reliable
        /// channel; `None` in connectionless packets and in packets shorter than eight bytes.
        numbers: Option<[u32; 2]>,
    },
    /// `.mvd`: messages for some of the players.
    Mvd {
        /// Milliseconds since the block before.
        msec: u8,
        /// The [`Audience`] in the low three bits, a player's number in the others.
        kind: u8,
        /// A bit for each addressed player, if the audience is [`Audience::Multiple`].
        players: u32,
    },
    /// MVD2: messages of Q2PRO's recording of all players.
    Mvd2,
    /// A record that is not a message of a server; `data` of the block is the whole record
    /// ([`client`](crate::client)).
    Record {
        /// Whether the record is in an MVD.
        mvd: bool,
    },
}

/// The players to whom a block of an MVD is addressed.
///
/// ```
/// use moviola_format::Audience;
/// // The kind is in the low bits, the player above them.
/// assert_eq!((Audience::of(3 << 3 | 4), Audience::player(3 << 3 | 4)), (Some(Audience::Single), 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// The audience of the block before (`dem_read`).
    Same,
    /// Several players; an empty set marks a hidden block (`dem_multiple`).
    Multiple,
    /// One player (`dem_single`).
    Single,
    /// The viewers who follow one player: that player's stats (`dem_stats`).
    Stats,
    /// Everybody (`dem_all`).
    All,
}

impl Audience {
    /// Every audience, with its number on the wire and its word in a text.
    pub const ALL: [(Self, u8, &str); 5] = [
        (Self::Same, 1, "same"),
        (Self::Multiple, 3, "multiple"),
        (Self::Single, 4, "single"),
        // not from SCHEMA: a kind of block
        (Self::Stats, 5, "stats"),
        (Self::All, 6, "all"),
    ];

    /// The audience in a block's type byte.
    pub fn of(kind: u8) -> Option<Self> {
        Self::ALL.iter().find(|(_, number, _)| *number == kind & KIND).map(|(it, ..)| *it)
    }

    /// The player's number in a block's type byte.
    pub const fn player(kind: u8) -> u8 {
        kind >> 3
    }

    /// The type byte for this audience; `player` is its upper five bits.
    ///
    /// ```
    /// use moviola_format::Audience;
    /// assert_eq!(Audience::Stats.kind(2), 2 << 3 | 5);
    /// ```
    pub fn kind(self, player: u8) -> u8 {
        player << 3 | Self::ALL.iter().find(|(it, ..)| *it == self).map_or(0, |(_, number, _)| *number)
    }
}

/// The bits of a type byte that hold the kind of the record.
const KIND: u8 = 7;
/// The kinds of records: the player's commands, a packet, sequence numbers. Both containers use the same
/// numbers.
pub(crate) const COMMAND: u8 = 0;
const READ: u8 = 1;
pub(crate) const SET: u8 = 2;
const MULTIPLE: u8 = 3;

/// The number of bytes that suffice to frame any record.
pub(crate) const ENOUGH: usize = 64;

/// The outcome of reading a record's first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framed {
    /// A block: the number of bytes in its head, and the length that it claims.
    Block { stamp: Stamp, head: usize, length: i32 },
    /// This number of bytes is not a block; framing starts again after them.
    Raw(u64),
}

/// The reason why no block of QuakeWorld begins at a place.
///
/// ```
/// use moviola_format::{HeadFault, Stamp};
/// assert_eq!(Stamp::head_fault(true, b"\x0d\x07\x01\0\0\0\x01"), Some(HeadFault::Kind(7)));
/// assert_eq!(Stamp::head_fault(true, b"\x0d\x06\xff\xff\xff\xff"), Some(HeadFault::Length(-1)));
/// assert_eq!(Stamp::head_fault(true, b"\x0d\x06\x01"), Some(HeadFault::Cut));
/// assert_eq!(Stamp::head_fault(true, b"\x0d\x06\x01\0\0\0\x01"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadFault {
    /// No block has this type.
    Kind(u8),
    /// The length is negative, or greater than [`MAX_BLOCK`].
    Length(i32),
    /// The file ends inside the block's head or inside the record.
    Cut,
}

/// Everything up to the file's end is kept raw.
const LOST: Framed = Framed::Raw(u64::MAX);

impl Stamp {
    /// Whether it is a hidden block of an MVD, which clients never receive.
    pub fn is_hidden(&self) -> bool {
        matches!(self, Self::Mvd { kind, players: 0, .. } if kind & KIND == MULTIPLE)
    }

    /// Whether it is a block or record of an MVD, or a block of an MVD2.
    pub fn is_mvd(&self) -> bool {
        matches!(self, Self::Mvd { .. } | Self::Record { mvd: true } | Self::Mvd2)
    }

    /// The bytes between the start of a block that claims this length and its messages; empty in Quake and
    /// Quake II.
    ///
    /// ```
    /// use moviola_format::Stamp;
    /// assert!(Stamp::None.bytes(1).is_empty());
    /// assert_eq!(Stamp::Mvd { msec: 3, kind: 6, players: 0 }.bytes(1), [3, 6, 1, 0, 0, 0]);
    /// ```
    pub fn bytes(&self, length: i32) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing into memory cannot fail.
        let _ = self.write(length, &mut bytes);
        bytes
    }

    /// The number of bytes before the messages; `None` in Quake and Quake II.
    pub(crate) fn size(&self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Qwd { numbers, .. } => Some(if numbers.is_some() { 17 } else { 9 }),
            Self::Mvd { kind, .. } => Some(if kind & KIND == MULTIPLE { 10 } else { 6 }),
            Self::Record { .. } => Some(0),
            Self::Mvd2 => Some(2),
        }
    }

    /// Writes the bytes before the messages of a block that claims this length.
    pub(crate) fn write(&self, length: i32, out: &mut impl Write) -> io::Result<()> {
        match *self {
            Self::None | Self::Record { .. } => Ok(()),
            Self::Mvd2 => out.write_all(&(length as u16).to_le_bytes()),
            Self::Qwd { time, numbers } => {
                out.write_all(&time.to_le_bytes())?;
                out.write_all(&[READ])?;
                let length = if numbers.is_some() { length.wrapping_add(NUMBERS as i32) } else { length };
                out.write_all(&length.to_le_bytes())?;
                for number in numbers.into_iter().flatten() {
                    out.write_all(&number.to_le_bytes())?;
                }
                Ok(())
            }
            Self::Mvd { msec, kind, players } => {
                out.write_all(&[msec, kind])?;
                if kind & KIND == MULTIPLE {
                    out.write_all(&players.to_le_bytes())?;
                }
                out.write_all(&length.to_le_bytes())
            }
        }
    }

    /// The head of the block at the start of these bytes of a QWD or MVD, the number of its bytes, and the length of the
    /// messages that it claims; `None` where no block begins. 64 bytes are enough.
    ///
    /// ```
    /// use moviola_format::Stamp;
    /// let stamp = Stamp::Mvd { msec: 13, kind: 6, players: 0 };
    /// assert_eq!(Stamp::head(true, b"\x0d\x06\x01\0\0\0\x01"), Some((stamp, 6, 1)));
    /// assert_eq!(Stamp::head(true, b"\x0d\x07\x01\0\0\0\x01"), None);
    /// ```
    pub fn head(is_mvd: bool, bytes: &[u8]) -> Option<(Self, usize, usize)> {
        match Self::frame(is_mvd, bytes) {
            Framed::Block { stamp, head, length } => Some((stamp, head, usize::try_from(length).ok()?)),
            Framed::Raw(_) => None,
        }
    }

    /// The reason why no engine finds a block at the start of these bytes of a QWD or MVD; 64 bytes are enough. Bits of a
    /// known type that no engine sets are no reason.
    pub fn head_fault(is_mvd: bool, bytes: &[u8]) -> Option<HeadFault> {
        let Framed::Raw(_) = Self::frame(is_mvd, bytes) else { return None };
        let at = if is_mvd { 1 } else { 4 };
        let Some(kind) = bytes.get(at) else { return Some(HeadFault::Cut) };
        let type_of = kind & KIND;
        let (is_known, is_record) = if is_mvd {
            (type_of == SET || Audience::of(*kind).is_some(), type_of == SET)
        } else {
            (type_of <= SET, type_of != READ)
        };
        let length = word(bytes, at + if is_mvd && type_of == MULTIPLE { 5 } else { 1 }).map(|it| it as i32);
        let bad_length = length.filter(|it| !is_record && !(0..=MAX_BLOCK as i32).contains(it));
        match bad_length {
            _ if !is_known => Some(HeadFault::Kind(*kind)),
            Some(length) => Some(HeadFault::Length(length)),
            None if kind & !KIND != 0 => None,
            None => Some(HeadFault::Cut),
        }
    }

    /// Frames the record at the start of `bytes`. The caller gives at least [`ENOUGH`] bytes unless the file
    /// ends.
    pub(crate) fn frame(is_mvd: bool, bytes: &[u8]) -> Framed {
        if is_mvd { frame_mvd(bytes) } else { frame_qwd(bytes) }
    }
}

/// The number of bytes of a packet's two sequence numbers.
const NUMBERS: usize = 8;

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// A block after `head` bytes if its length is at most [`MAX_BLOCK`], raw bytes otherwise.
fn block(stamp: Stamp, head: usize, length: i32) -> Framed {
    match usize::try_from(length) {
        Ok(claimed) if claimed <= MAX_BLOCK => Framed::Block { stamp, head, length },
        Ok(claimed) => Framed::Raw((head + claimed) as u64),
        Err(_) => LOST,
    }
}

/// A record of this size. It is kept raw if its type byte has bits that no engine sets, since the table of
/// records takes that byte as the message's id.
fn record(mvd: bool, kind: u8, size: usize, bytes: &[u8]) -> Framed {
    if bytes.len() < size {
        LOST
    } else if kind & !KIND == 0 {
        Framed::Block { stamp: Stamp::Record { mvd }, head: 0, length: size as i32 }
    } else {
        Framed::Raw(size as u64)
    }
}

fn frame_qwd(bytes: &[u8]) -> Framed {
    const HEAD: usize = 5;
    let (Some(time), Some(kind)) = (word(bytes, 0), bytes.get(4)) else { return LOST };
    match kind & KIND {
        COMMAND => record(false, *kind, HEAD + command_size(bytes), bytes),
        SET => record(false, *kind, HEAD + 8, bytes),
        READ => {
            let head = HEAD + 4;
            let Some(length) = word(bytes, HEAD).map(|it| it as i32) else { return LOST };
            if *kind != READ {
                return u64::try_from(length).map_or(LOST, |length| Framed::Raw(head as u64 + length));
            }
            match (word(bytes, head), word(bytes, head + 4)) {
                (Some(sequence), Some(acknowledged)) if length >= NUMBERS as i32 && sequence != u32::MAX => {
                    let numbers = Some([sequence, acknowledged]);
                    block(Stamp::Qwd { time, numbers }, head + NUMBERS, length - NUMBERS as i32)
                }
                _ => block(Stamp::Qwd { time, numbers: None }, head, length),
            }
        }
        _ => LOST,
    }
}

/// The length of a record of commands. Builds of ezQuake from June 2026 on write a structure of 28 bytes
/// where all others write one of 24, and no field records the size. The longer one is assumed if another
/// record begins only after it.
fn command_size(bytes: &[u8]) -> usize {
    const USUAL_SIZE: usize = 24 + 12;
    const LONGER: usize = 28 + 12;
    let begins = |at: usize| match bytes.get(5 + at..) {
        None => false,
        Some([]) => true,
        Some(next) => {
            let time = word(next, 0).map(f32::from_bits);
            time.is_some_and(|it| (0.0..1e9).contains(&it)) && next.get(4).is_some_and(|kind| *kind <= SET)
        }
    };
    if !begins(USUAL_SIZE) && begins(LONGER) { LONGER } else { USUAL_SIZE }
}

fn frame_mvd(bytes: &[u8]) -> Framed {
    let (Some(msec), Some(kind)) = (bytes.first().copied(), bytes.get(1).copied()) else { return LOST };
    let (players, head) = match kind & KIND {
        SET => return record(true, kind, 10, bytes),
        MULTIPLE => (word(bytes, 2), 6),
        _ if Audience::of(kind).is_some() => (Some(0), 2),
        _ => return LOST,
    };
    match (players, word(bytes, head)) {
        (Some(players), Some(length)) => block(Stamp::Mvd { msec, kind, players }, head + 4, length as i32),
        _ => LOST,
    }
}
