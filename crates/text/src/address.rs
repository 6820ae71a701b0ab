//! The statements for the head of a QuakeWorld block: its time, the numbers of its packet, and its audience.
//!
//! `sblock` is LMPC's word for a packet in a QWD. LMPC does not know MVDs and MVD2s: `mblock`, `hblock` and `m2block` are
//! our own words.

use crate::TextCode;
use crate::parse::{ParseStop, Parser};
use crate::print::Printer;
use crate::statement_kind::StatementKind;
use moviola_format::{Audience, Game, Meaning, Stamp, Table, ValueSink, ValueSource};

/// The kinds of blocks that are not called `block`, except records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// A packet in a QWD.
    Packet,
    /// Messages for some of the players, in an MVD.
    Addressed,
    /// Messages in an MVD that the server does not send to clients.
    Hidden,
    /// Messages in an MVD2.
    Mvd2,
}

impl Container {
    /// The container whose blocks are such statements.
    pub(crate) fn of_kind(kind: StatementKind) -> Option<Self> {
        match kind {
            StatementKind::Packet => Some(Self::Packet),
            StatementKind::Addressed => Some(Self::Addressed),
            StatementKind::Hidden => Some(Self::Hidden),
            StatementKind::Mvd2 => Some(Self::Mvd2),
            _ => None,
        }
    }

    /// The kind of a block with this stamp; `None` for records.
    pub(crate) fn of(stamp: &Stamp) -> Option<Self> {
        match stamp {
            Stamp::None | Stamp::Record { .. } => None,
            Stamp::Qwd { .. } => Some(Self::Packet),
            Stamp::Mvd { .. } if stamp.is_hidden() => Some(Self::Hidden),
            Stamp::Mvd { .. } => Some(Self::Addressed),
            Stamp::Mvd2 => Some(Self::Mvd2),
        }
    }

    /// The statement with which a block of this container begins in the text.
    pub(crate) fn kind(self) -> StatementKind {
        match self {
            Self::Packet => StatementKind::Packet,
            Self::Addressed => StatementKind::Addressed,
            Self::Hidden => StatementKind::Hidden,
            Self::Mvd2 => StatementKind::Mvd2,
        }
    }

    /// The table of the kind's messages.
    pub(crate) fn table(self) -> Table {
        match self {
            Self::Packet | Self::Addressed => Table::QuakeWorld,
            Self::Hidden => Table::Hidden,
            Self::Mvd2 => Table::Mvd2,
        }
    }

    /// The game whose recordings have such blocks.
    pub(crate) fn game(self) -> Game {
        self.table().game()
    }

    /// Whether the kind occurs in MVDs or MVD2s.
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
            Container::Mvd2 => Ok(Stamp::Mvd2),
        }
    }

    /// The statements for a stamp.
    pub(crate) fn lines(stamp: &Stamp) -> impl Iterator<Item = Line> {
        let mut lines = [None; 4];
        match *stamp {
            Stamp::None | Stamp::Mvd2 | Stamp::Record { .. } => {}
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
    /// Parses the values of a statement of this kind; `None` if it is none of these.
    pub(crate) fn parse(parser: &mut Parser<'_, '_>, kind: StatementKind) -> Option<Result<Self, ParseStop>> {
        let number = |parser: &mut Parser<'_, '_>, which: usize| {
            parser.int(0, i64::from(!RELIABLE)).map(|number| Self::Number(which, number as u32))
        };
        Some(match kind {
            StatementKind::Time => parser.seconds().map(Self::Time),
            StatementKind::Seq1 => number(parser, 0),
            StatementKind::Seq2 => number(parser, 1),
            StatementKind::Reliable => Self::reliable(parser),
            StatementKind::Msec => parser.int(0, 0xFF).map(|msec| Self::Msec(msec as u8)),
            StatementKind::To => Self::audience(parser),
            StatementKind::Spare => parser.int(0, 31).map(|bits| Self::Spare(bits as u8)),
            _ => return None,
        })
    }

    fn reliable(parser: &mut Parser<'_, '_>) -> Result<Self, ParseStop> {
        let mut bits = 0;
        while parser.more() {
            bits |= 1 << (parser.int(1, 2)? - 1);
        }
        Ok(Self::Reliable(bits))
    }

    fn audience(parser: &mut Parser<'_, '_>) -> Result<Self, ParseStop> {
        let found = Audience::ALL.iter().find(|(.., word)| parser.scan.take_word(word)).map(|(it, ..)| *it);
        let Some(audience) = found else {
            let token = parser.scan.token();
            let help = Audience::ALL.map(|(.., word)| format!("`to {word}`")).join(", ");
            parser.scan.mistake(TextCode::NotPossible, token, "this is not an audience".into(), help);
            return Err(ParseStop::Mistake);
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
        let (kind, meaning) = match self {
            Self::Time(_) => (StatementKind::Time, Meaning::Number),
            Self::Number(0, _) => (StatementKind::Seq1, Meaning::Number),
            Self::Number(..) => (StatementKind::Seq2, Meaning::Number),
            Self::Reliable(_) => (StatementKind::Reliable, Meaning::Number),
            Self::Msec(_) => (StatementKind::Msec, Meaning::Number),
            Self::To(..) => (StatementKind::To, Meaning::Player),
            Self::Spare(_) => (StatementKind::Spare, Meaning::Number),
        };
        printer.words(kind.keyword(), meaning);
        match self {
            Self::Time(time) => printer.seconds(time),
            Self::Number(_, number) => printer.int(i64::from(number)),
            Self::Reliable(bits) => {
                (1..=2).filter(|bit| bits & bit != 0).for_each(|bit| printer.int(i64::from(bit)));
            }
            Self::Msec(number) | Self::Spare(number) => printer.int(i64::from(number)),
            Self::To(audience, player, players) => {
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
        }
        printer.end();
    }
}
