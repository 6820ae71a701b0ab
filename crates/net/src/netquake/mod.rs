//! NetQuake's packets: control packets, reliable parts, acknowledgements, unreliable messages.

mod beginning;
mod moves;
mod stream;
mod tape;
mod viewer;

pub use moves::{Move, moves};
pub use stream::{Delivered, Incoming, Outgoing};
pub use tape::DemTape;
pub use viewer::NetQuakeViewer;

use crate::bytes::Bytes;

/// The longest datagram of any engine; QuakeSpasm sends the whole beginning of a level in one.
pub const LONGEST: usize = 65_535;

/// The most bytes of a reliable message that this crate's server sends in one packet: all engines read this
/// much.
pub const FRAGMENT: usize = 1024;

const LENGTH_MASK: u32 = 0x0000_ffff;
const DATA: u32 = 0x0001_0000;
const ACK: u32 = 0x0002_0000;
const END_OF_MESSAGE: u32 = 0x0008_0000;
const UNRELIABLE: u32 = 0x0010_0000;
const CONTROL: u32 = 0x8000_0000;

/// The name of the game in the control packets of a connection.
const GAME: &[u8] = b"QUAKE";
/// The version of the control packets, in every engine since 1996.
const NET_VERSION: u8 = 3;

/// A datagram between a NetQuake client and server.
///
/// ```
/// use moviola_net::netquake::Packet;
/// let packet = Packet::Unreliable { sequence: 7, body: b"\x01" };
/// let mut wire = Vec::new();
/// packet.write(&mut wire);
/// assert_eq!(wire, b"\0\x10\0\x09\0\0\0\x07\x01");
/// assert_eq!(Packet::parse(&wire), Some(packet));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet<'a> {
    /// A packet outside of a connection.
    Control(Control<'a>),
    /// A part of a reliable message.
    Reliable {
        /// Its number; each is acknowledged before the next is sent.
        sequence: u32,
        /// Whether it is the last part of its message.
        last: bool,
        /// The part's bytes.
        body: &'a [u8],
    },
    /// Acknowledges a reliable part. Engines ignore bytes after the number, so these are not kept.
    Ack {
        /// The number of the part.
        sequence: u32,
    },
    /// A message that is not sent again if it is lost.
    Unreliable {
        /// Its number; packets older than the newest are dropped.
        sequence: u32,
        /// The message.
        body: &'a [u8],
    },
}

/// A control packet. Answers to queries are `Other`: nothing here reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control<'a> {
    /// A client asks for a connection. ProQuake's client adds data, which is ignored.
    Connect,
    /// A client asks for the server's name, map and number of players.
    ServerInfo,
    /// A client asks for the player with this number, counted from 0.
    PlayerInfo(u8),
    /// A client asks for the rule after the one with this name; the first one if it is empty.
    RuleInfo(&'a [u8]),
    /// The server accepts, on this port.
    Accept {
        /// The port of the connection.
        port: u32,
        /// Data that ProQuake's server adds.
        more: &'a [u8],
    },
    /// The server refuses, with a reason.
    Reject(&'a [u8]),
    /// Anything else, by its number.
    Other(u8),
}

impl<'a> Packet<'a> {
    /// Parses a datagram; `None` if no engine would read it.
    pub fn parse(datagram: &'a [u8]) -> Option<Self> {
        let mut bytes = Bytes::new(datagram);
        let head = bytes.u32_be()?;
        if head == u32::MAX || (head & LENGTH_MASK) as usize != datagram.len() {
            return None;
        }
        if head & CONTROL != 0 {
            return Control::parse(bytes).map(Self::Control);
        }
        let sequence = bytes.u32_be()?;
        let body = bytes.rest();
        match head & !LENGTH_MASK {
            flags if flags == DATA || flags == DATA | END_OF_MESSAGE => {
                Some(Self::Reliable { sequence, last: flags & END_OF_MESSAGE != 0, body })
            }
            ACK => Some(Self::Ack { sequence }),
            UNRELIABLE => Some(Self::Unreliable { sequence, body }),
            _ => None,
        }
    }

    /// Appends the datagram to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let at = out.len();
        let flags = match *self {
            Self::Control(_) => CONTROL,
            Self::Reliable { last, .. } => DATA | if last { END_OF_MESSAGE } else { 0 },
            Self::Ack { .. } => ACK,
            Self::Unreliable { .. } => UNRELIABLE,
        };
        out.extend([0; 4]);
        match *self {
            Self::Control(control) => control.write(out),
            Self::Ack { sequence } => out.extend(sequence.to_be_bytes()),
            Self::Reliable { sequence, body, .. } | Self::Unreliable { sequence, body } => {
                out.extend(sequence.to_be_bytes());
                out.extend(body);
            }
        }
        let head = flags | (out.len() - at) as u32 & LENGTH_MASK;
        if let Some(place) = out.get_mut(at..at + 4) {
            place.copy_from_slice(&head.to_be_bytes());
        }
    }
}

/// Numbers of control packets.
mod op {
    pub(super) const CONNECT: u8 = 0x01;
    pub(super) const SERVER_INFO: u8 = 0x02;
    pub(super) const PLAYER_INFO: u8 = 0x03;
    pub(super) const RULE_INFO: u8 = 0x04;
    /// Requests end with this number, which is that of rcon.
    pub(super) const LAST_REQUEST: u8 = 0x05;
    pub(super) const ACCEPT: u8 = 0x81;
    pub(super) const REJECT: u8 = 0x82;
    pub(super) const SERVER_INFO_REPLY: u8 = 0x83;
    pub(super) const PLAYER_INFO_REPLY: u8 = 0x84;
    pub(super) const RULE_INFO_REPLY: u8 = 0x85;
}

impl<'a> Control<'a> {
    fn parse(mut bytes: Bytes<'a>) -> Option<Self> {
        let op = bytes.u8()?;
        Some(match op {
            op::CONNECT | op::SERVER_INFO => {
                let ours = bytes.string()? == GAME && bytes.u8()? == NET_VERSION;
                match (ours, op) {
                    (false, _) => Self::Other(op),
                    (true, op::CONNECT) => Self::Connect,
                    (true, _) => Self::ServerInfo,
                }
            }
            op::PLAYER_INFO => Self::PlayerInfo(bytes.u8()?),
            op::RULE_INFO => Self::RuleInfo(bytes.string()?),
            op::ACCEPT => Self::Accept { port: bytes.u32()?, more: bytes.rest() },
            op::REJECT => Self::Reject(bytes.string()?),
            op => Self::Other(op),
        })
    }

    /// Whether it is a request of a client.
    pub(crate) fn is_request(&self) -> bool {
        match *self {
            Self::Connect | Self::ServerInfo | Self::PlayerInfo(_) | Self::RuleInfo(_) => true,
            Self::Accept { .. } | Self::Reject(_) => false,
            Self::Other(op) => (op::CONNECT..=op::LAST_REQUEST).contains(&op),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match *self {
            Self::Connect | Self::ServerInfo => {
                out.push(if *self == Self::Connect { op::CONNECT } else { op::SERVER_INFO });
                out.extend(GAME);
                out.extend([0, NET_VERSION]);
            }
            Self::PlayerInfo(number) => out.extend([op::PLAYER_INFO, number]),
            Self::RuleInfo(before) => {
                out.push(op::RULE_INFO);
                out.extend(before);
                out.push(0);
            }
            Self::Accept { port, more } => {
                out.push(op::ACCEPT);
                out.extend(port.to_le_bytes());
                out.extend(more);
            }
            Self::Reject(reason) => {
                out.push(op::REJECT);
                out.extend(reason);
                out.push(0);
            }
            Self::Other(op) => out.push(op),
        }
    }
}

/// The datagram that answers [`Control::ServerInfo`].
///
/// ```
/// let answer = moviola_net::netquake::server_info("127.0.0.1:26000", "Moviola", "e1m1", 0, 8);
/// assert_eq!(&answer[..5], b"\x80\0\0\x25\x83");
/// ```
pub fn server_info(address: &str, host: &str, map: &str, players: u8, most: u8) -> Vec<u8> {
    let mut body = vec![op::SERVER_INFO_REPLY];
    for text in [address, host, map] {
        string(text, &mut body);
    }
    body.extend([players, most, NET_VERSION]);
    control(&body)
}

/// The datagram that answers [`Control::PlayerInfo`]. Viewers have no colors and no score, and their addresses are kept
/// secret.
pub(crate) fn player_info(number: u8, name: &str, seconds: u32) -> Vec<u8> {
    let mut body = vec![op::PLAYER_INFO_REPLY, number];
    string(name, &mut body);
    for value in [0, 0, seconds] {
        body.extend(value.to_le_bytes());
    }
    string("", &mut body);
    control(&body)
}

/// The datagram that answers [`Control::RuleInfo`]; without a rule it ends the list.
pub(crate) fn rule_info(rule: Option<(&str, &str)>) -> Vec<u8> {
    let mut body = vec![op::RULE_INFO_REPLY];
    if let Some((name, value)) = rule {
        string(name, &mut body);
        string(value, &mut body);
    }
    control(&body)
}

fn string(text: &str, out: &mut Vec<u8>) {
    out.extend(text.bytes().filter(|byte| *byte != 0).take(63));
    out.push(0);
}

fn control(body: &[u8]) -> Vec<u8> {
    let head = CONTROL | (body.len() + 4) as u32;
    [&head.to_be_bytes(), body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The packets with which QuakeSpasm 0.95.1 connects and accepts, from `net.md`.
    #[test]
    fn the_handshake_of_quakespasm() {
        let connect = b"\x80\0\0\x0c\x01QUAKE\0\x03";
        assert_eq!(Packet::parse(connect), Some(Packet::Control(Control::Connect)));
        let accept = b"\x80\0\0\x09\x81\xdd\xc8\0\0";
        let parsed = Packet::parse(accept).unwrap();
        assert_eq!(parsed, Packet::Control(Control::Accept { port: 51421, more: b"" }));
        let mut wire = Vec::new();
        parsed.write(&mut wire);
        assert_eq!(wire, accept);
    }

    #[test]
    fn a_wrong_length_is_not_a_packet() {
        assert_eq!(Packet::parse(b"\x80\0\0\x0d\x01QUAKE\0\x03"), None);
        assert_eq!(Packet::parse(b"\0\x10\0\x09\0\0"), None);
        assert_eq!(Packet::parse(b"\xff\xff\xff\xffgetchallenge"), None);
    }
}
