//! Quake II's packets: a sequence number, an acknowledgement and messages; and texts outside of connections.

mod channel;
mod tape;
mod viewer;
mod whole_frames;

pub(crate) use channel::Channel;
pub use tape::Dm2Tape;
pub use viewer::Quake2Viewer;
pub(crate) use whole_frames::WholeFrames;

use crate::bytes::Bytes;

// Messages of a client.
const CLIENT_NOP: u8 = 1;
const MOVE: u8 = 2;
const USERINFO: u8 = 3;
const STRING_COMMAND: u8 = 4;

/// The bit of a sequence number that marks a packet with a reliable part.
const RELIABLE: u32 = 1 << 31;

/// The head of a packet of Quake II or QuakeWorld.
///
/// ```
/// use moviola_net::{Direction, quake2::Head};
/// let (head, body) = Head::parse(b"\x02\0\0\x80\x01\0\0\0\x06", Direction::Down).unwrap();
/// assert_eq!((head.sequence, head.reliable, head.ack, body), (2, true, 1, &b"\x06"[..]));
/// let mut wire = Vec::new();
/// head.write(&mut wire);
/// assert_eq!(wire, b"\x02\0\0\x80\x01\0\0\0");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The packet's number.
    pub sequence: u32,
    /// Whether it begins with a reliable part; the packet does not contain the length of that part.
    pub reliable: bool,
    /// The number of the last packet that the sender has received.
    pub ack: u32,
    /// Whether the sender has received an odd number of reliable parts.
    pub ack_odd: bool,
    /// The number by which a server identifies a client whose port changes; only clients send it.
    pub qport: Option<u16>,
}

impl Head {
    /// Splits a packet of a connection into its head and its messages.
    pub fn parse(datagram: &[u8], way: crate::Direction) -> Option<(Self, &[u8])> {
        let mut bytes = Bytes::new(datagram);
        let (sequence, ack) = (bytes.u32()?, bytes.u32()?);
        if sequence == u32::MAX {
            return None;
        }
        let qport = if way == crate::Direction::Up { Some(bytes.u16()?) } else { None };
        let head = Self {
            sequence: sequence & !RELIABLE,
            reliable: sequence & RELIABLE != 0,
            ack: ack & !RELIABLE,
            ack_odd: ack & RELIABLE != 0,
            qport,
        };
        Some((head, bytes.rest()))
    }

    /// Appends the head to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let bit = |set: bool| if set { RELIABLE } else { 0 };
        out.extend((self.sequence | bit(self.reliable)).to_le_bytes());
        out.extend((self.ack | bit(self.ack_odd)).to_le_bytes());
        if let Some(qport) = self.qport {
            out.extend(qport.to_le_bytes());
        }
    }
}

/// The place of the user info in a client's packet that has one.
pub(crate) fn user_info(datagram: &[u8]) -> Option<std::ops::Range<usize>> {
    let (_, body) = Head::parse(datagram, crate::Direction::Up)?;
    let mut bytes = Bytes::new(body);
    loop {
        match bytes.u8()? {
            CLIENT_NOP => {}
            STRING_COMMAND => drop(bytes.string()?),
            USERINFO => {
                let from = datagram.len() - bytes.rest().len();
                return Some(from..from + bytes.string()?.len());
            }
            _ => return None,
        }
    }
}

/// Rewrites a challenge that offers newer protocols, so that the client asks for 34; `None` for other
/// packets.
///
/// The newer protocols compress and split packets, which therefore differ from the blocks of a recording.
///
/// ```
/// use moviola_net::quake2::plain_challenge;
/// let offered = b"\xff\xff\xff\xffchallenge 1234 p=34,35,36";
/// assert_eq!(plain_challenge(offered).unwrap(), b"\xff\xff\xff\xffchallenge 1234 p=34");
/// assert_eq!(plain_challenge(b"\xff\xff\xff\xffclient_connect"), None);
/// ```
pub fn plain_challenge(datagram: &[u8]) -> Option<Vec<u8>> {
    let text = crate::bytes::out_of_band(datagram)?.strip_prefix(b"challenge ")?;
    let (number, behind) =
        text.split_at(text.iter().take_while(|it| it.is_ascii_digit() || **it == b'-').count());
    // The number of DarkPlaces may have letters.
    if number.is_empty() || behind.first().is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != 0) {
        return None;
    }
    let mut out = crate::bytes::OUT_OF_BAND.to_vec();
    out.extend(b"challenge ");
    out.extend(number);
    out.extend(b" p=34");
    Some(out)
}
