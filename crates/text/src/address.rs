//! The statements for the head of a QuakeWorld block: its time, the numbers of its packet, and its audience.
//!
//! `sblock` is LMPC's word for a packet in a QWD. LMPC does not know MVDs: `mblock` and `hblock` are our own
//! words.

use crate::Code;
use crate::parse::{Parser, Stop};
use crate::print::Printer;
use crate::scan::Span;
use moviola_format::{Audience, Meaning, Stamp, Table, ValueSink, ValueSource};

/// The kinds of QuakeWorld blocks, except records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// A packet in a QWD.
    Packet,
    /// Messages for some of the players, in an MVD.
    Addressed,
    /// Messages in an MVD that the server does not send to clients.
    Hidden,
}

impl Container {
    /// Every kind with its word.
    const ALL: [(Self, &'static str); 3] =
        [(Self::Packet, "sblock"), (Self::Addressed, "mblock"), (Self::Hidden, "hblock")];

    /// The kind with this word.
    pub(crate) fn called(word: &[u8]) -> Option<Self> {
        Self::ALL.iter().find(|(_, name)| name.as_bytes() == word).map(|(it, _)| *it)
    }

    /// The kind of a block with this stamp; `None` for records.
    pub(crate) fn of(stamp: &Stamp) -> Option<Self> {
        match stamp {
            Stamp::None | Stamp::Record { .. } => None,
            Stamp::Qwd { .. } => Some(Self::Packet),
            Stamp::Mvd { .. } if stamp.is_hidden() => Some(Self::Hidden),
            Stamp::Mvd { .. } => Some(Self::Addressed),
        }
    }

    /// The word of the kind.
    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(it, _)| *it == self).map_or("", |(_, word)| word)
    }

    /// The table of the kind's messages.
    pub(crate) fn table(self) -> Table {
        if self == Self::Hidden { Table::Hidden } else { Table::QuakeWorld }
    }

    /// Whether the kind occurs in MVDs.
    pub(crate) fn is_mvd(self) -> bool {
        self != Self::Packet
    }
}

/// A statement about the time and audience of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// `time 1.5s;`: the time of the packet, as the bits of a float.
    Time(u32),
    /// `seq1 5;` and `seq2 4;`: the packet's number, and the one that it acknowledges.
    Number(usize, u32),
    /// `reliable 1 2;`: which of the two numbers have the bit of the reliable channel.
    Reliable(u8),
    /// `msec 13;`: milliseconds since the block before.
    Msec(u8),
    /// `to single 3;`: the audience, with one player's slot or the bits of several.
    To(Audience, u8, u32),
    /// `spare 3;`: the upper bits of the kind, if they are not a player's slot.
    Spare(u8),
}

// The words of these statements. The first three are also names of messages and fields of the other games.
const TIME: &str = "time"; // schema-once: a statement before a block of QuakeWorld
const SEQ1: &str = "seq1"; // schema-once: a statement before a block of QuakeWorld
const SEQ2: &str = "seq2"; // schema-once: a statement before a block of QuakeWorld
const RELIABLE_BITS: &str = "reliable";
const MSEC: &str = "msec";
const TO: &str = "to";
const SPARE: &str = "spare";

/// The words of all statements.
pub(crate) const WORDS: [&str; 7] = [TIME, SEQ1, SEQ2, RELIABLE_BITS, MSEC, TO, SPARE];

/// The bit of the reliable channel in a packet's number.
const RELIABLE: u32 = 1 << 31;

/// The values of a block's statements.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Address {
    time: Option<u32>,
    numbers: [Option<u32>; 2],
    reliable: u8,
    msec: u8,
    to: Option<(Audience, u8, u32)>,
    spare: u8,
}

impl Address {
    /// Stores the value of a statement.
    pub(crate) fn take(&mut self, line: Line) {
        match line {
            Line::Time(time) => self.time = Some(time),
            Line::Number(which, number) => {
                if let Some(place) = self.numbers.get_mut(which) {
                    *place = Some(number);
                }
            }
            Line::Reliable(bits) => self.reliable = bits,
            Line::Msec(msec) => self.msec = msec,
            Line::To(audience, player, players) => self.to = Some((audience, player, players)),
            Line::Spare(bits) => self.spare = bits,
        }
    }

    /// The stamp from the stored values, or a message and a help text about a missing one.
    pub(crate) fn stamp(&self, container: Container) -> Result<Stamp, (&'static str, &'static str)> {
        match container {
            Container::Packet => {
                let time = self.time.ok_or(("this packet has no `time`", "`time 12.5s;`"))?;
                let numbers = match self.numbers {
                    [Some(first), Some(second)] => {
                        let bit = |which: u8| if self.reliable & which != 0 { RELIABLE } else { 0 };
                        Some([first | bit(1), second | bit(2)])
                    }
                    [None, None] => None,
                    _ => return Err(("this packet has one of its numbers only", "`seq1 5; seq2 4;`")),
                };
                Ok(Stamp::Qwd { time, numbers })
            }
            Container::Addressed => {
                let help = "`to all;`, `to single 3;`, `to stats 3;`, `to multiple 0 1;` or `to same;`";
                let (audience, player, players) = self.to.ok_or(("this block is for nobody", help))?;
                Ok(Stamp::Mvd { msec: self.msec, kind: audience.kind(player | self.spare), players })
            }
            Container::Hidden => {
                Ok(Stamp::Mvd { msec: self.msec, kind: Audience::Multiple.kind(self.spare), players: 0 })
            }
        }
    }

    /// The statements for a stamp.
    pub(crate) fn lines(stamp: &Stamp) -> impl Iterator<Item = Line> {
        let mut lines = [None; 4];
        match *stamp {
            Stamp::None | Stamp::Record { .. } => {}
            Stamp::Qwd { time, numbers } => {
                lines = [Some(Line::Time(time)), None, None, None];
                if let Some([first, second]) = numbers {
                    let bits = (first >> 31 | second >> 31 << 1) as u8;
                    let reliable = (bits != 0).then_some(Line::Reliable(bits));
                    let [first, second] = [first & !RELIABLE, second & !RELIABLE];
                    lines = [lines[0], Some(Line::Number(0, first)), Some(Line::Number(1, second)), reliable];
                }
            }
            Stamp::Mvd { msec, kind, players } => {
                let (audience, upper) = (Audience::of(kind), Audience::player(kind));
                let named = matches!(audience, Some(Audience::Single | Audience::Stats));
                let to = audience.filter(|_| !stamp.is_hidden());
                lines = [
                    Some(Line::Msec(msec)),
                    to.map(|it| Line::To(it, if named { upper } else { 0 }, players)),
                    (!named && upper != 0).then_some(Line::Spare(upper)),
                    None,
                ];
            }
        }
        lines.into_iter().flatten()
    }
}

impl Line {
    /// Parses the statement with this word, which was taken already; `None` if no statement has this word.
    pub(crate) fn parse(parser: &mut Parser<'_, '_>, word: Span) -> Option<Result<Self, Stop>> {
        let word = WORDS.into_iter().find(|known| known.as_bytes() == parser.scan.slice(word))?;
        Some(Self::values(parser, word))
    }

    fn values(parser: &mut Parser<'_, '_>, word: &str) -> Result<Self, Stop> {
        Ok(match word {
            TIME => Self::Time(parser.seconds()?),
            SEQ1 | SEQ2 => {
                Self::Number(usize::from(word == SEQ2), parser.int(0, i64::from(!RELIABLE))? as u32)
            }
            RELIABLE_BITS => {
                let mut bits = 0;
                while parser.more() {
                    bits |= 1 << (parser.int(1, 2)? - 1);
                }
                Self::Reliable(bits)
            }
            MSEC => Self::Msec(parser.int(0, 0xFF)? as u8),
            TO => Self::audience(parser)?,
            _ => Self::Spare(parser.int(0, 31)? as u8),
        })
    }

    fn audience(parser: &mut Parser<'_, '_>) -> Result<Self, Stop> {
        let found = Audience::ALL.iter().find(|(.., word)| parser.scan.take_word(word)).map(|(it, ..)| *it);
        let Some(audience) = found else {
            let token = parser.scan.token();
            let help = Audience::ALL.map(|(.., word)| format!("`to {word}`")).join(", ");
            parser.scan.mistake(Code::NotPossible, token, "this is no audience".into(), help);
            return Err(Stop::Mistake);
        };
        let (mut player, mut players) = (0, 0);
        match audience {
            Audience::All | Audience::Same => {}
            Audience::Single | Audience::Stats => player = parser.int(0, 31)? as u8,
            Audience::Multiple => {
                players = 1 << parser.int(0, 31)?;
                while parser.more() {
                    players |= 1 << parser.int(0, 31)?;
                }
            }
        }
        Ok(Self::To(audience, player, players))
    }

    /// Prints the statement.
    pub(crate) fn print(self, printer: &mut Printer) {
        match self {
            Self::Time(time) => {
                printer.words(TIME, Meaning::Number);
                printer.seconds(time);
            }
            Self::Number(which, number) => {
                printer.words(if which == 0 { SEQ1 } else { SEQ2 }, Meaning::Number);
                printer.int(i64::from(number));
            }
            Self::Reliable(bits) => {
                printer.words(RELIABLE_BITS, Meaning::Number);
                (1..=2).filter(|bit| bits & bit != 0).for_each(|bit| printer.int(i64::from(bit)));
            }
            Self::Msec(msec) => {
                printer.words(MSEC, Meaning::Number);
                printer.int(i64::from(msec));
            }
            Self::To(audience, player, players) => {
                printer.words(TO, Meaning::Player);
                let word = Audience::ALL.iter().find(|(it, ..)| *it == audience).map_or("", |(.., it)| it);
                printer.out.push(b' ');
                printer.out.extend_from_slice(word.as_bytes());
                match audience {
                    Audience::All | Audience::Same => {}
                    Audience::Single | Audience::Stats => printer.int(i64::from(player)),
                    Audience::Multiple => {
                        (0..32).filter(|bit| players >> bit & 1 != 0).for_each(|bit| printer.int(bit));
                    }
                }
            }
            Self::Spare(bits) => {
                printer.words(SPARE, Meaning::Number);
                printer.int(i64::from(bits));
            }
        }
        printer.end();
    }
}
