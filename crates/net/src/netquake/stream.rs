//! Both halves of a NetQuake connection: assembles messages from packets, and splits reliable messages into
//! packets.

use super::{FRAGMENT, Packet};
use std::time::Duration;

/// The longest reliable message that is assembled; QuakeSpasm's longest has 64,000 bytes.
const LONGEST_MESSAGE: usize = 65_536;

/// How long a sender waits for an acknowledgement before it repeats a packet; the same in all engines.
const RESEND: Duration = Duration::from_secs(1);

/// A message as the receiving engine gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivered<'a> {
    /// A whole reliable message.
    Reliable(&'a [u8]),
    /// A whole unreliable message.
    Unreliable(&'a [u8]),
}

/// One direction of a connection, as its receiver sees it: duplicates and late packets are dropped.
///
/// ```
/// use moviola_net::netquake::{Delivered, Incoming, Packet};
/// let mut incoming = Incoming::default();
/// let first = Packet::Reliable { sequence: 0, last: false, body: b"ab" };
/// let second = Packet::Reliable { sequence: 1, last: true, body: b"c" };
/// assert_eq!(incoming.receive(&first), None);
/// assert_eq!(incoming.receive(&first), None);
/// assert_eq!(incoming.receive(&second), Some(Delivered::Reliable(b"abc")));
/// ```
#[derive(Debug, Default)]
pub struct Incoming {
    reliable: u32,
    unreliable: u32,
    message: Vec<u8>,
    complete: bool,
}

impl Incoming {
    /// Receives a packet; returns the message that it completes, if any.
    pub fn receive<'a>(&'a mut self, packet: &Packet<'a>) -> Option<Delivered<'a>> {
        match *packet {
            Packet::Reliable { sequence, last, body } => {
                if sequence != self.reliable {
                    return None;
                }
                self.reliable = self.reliable.wrapping_add(1);
                if std::mem::take(&mut self.complete) {
                    self.message.clear();
                }
                if self.message.len() + body.len() <= LONGEST_MESSAGE {
                    self.message.extend_from_slice(body);
                }
                self.complete = last;
                last.then_some(Delivered::Reliable(&self.message))
            }
            Packet::Unreliable { sequence, body } => {
                if sequence < self.unreliable {
                    return None;
                }
                self.unreliable = sequence.wrapping_add(1);
                Some(Delivered::Unreliable(body))
            }
            Packet::Control(_) | Packet::Ack { .. } => None,
        }
    }
}

/// The sending half: one reliable packet is in flight, repeated every second until it is acknowledged.
///
/// ```
/// use moviola_net::netquake::{Outgoing, Packet};
/// use std::time::Duration;
/// let (mut outgoing, mut wire) = (Outgoing::default(), Vec::new());
/// outgoing.queue(b"hello");
/// assert!(outgoing.due(Duration::ZERO, &mut wire));
/// assert!(!outgoing.due(Duration::from_millis(900), &mut wire));
/// assert!(outgoing.due(Duration::from_millis(1100), &mut wire));
/// outgoing.acknowledged(0);
/// assert!(outgoing.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Outgoing {
    queue: std::collections::VecDeque<(bool, Vec<u8>)>,
    sequence: u32,
    unreliable: u32,
    sent: Option<Duration>,
}

impl Outgoing {
    /// Queues a reliable message.
    pub fn queue(&mut self, message: &[u8]) {
        let count = message.len().div_ceil(FRAGMENT).max(1);
        let mut parts = message.chunks(FRAGMENT);
        for number in 1..=count {
            self.queue.push_back((number == count, parts.next().unwrap_or_default().to_vec()));
        }
    }

    /// Whether all queued messages have arrived.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Writes the reliable packet that is due at `now`; returns `false` if none is.
    pub fn due(&mut self, now: Duration, out: &mut Vec<u8>) -> bool {
        let waits = self.sent.is_some_and(|sent| now.saturating_sub(sent) <= RESEND);
        let Some((last, body)) = self.queue.front() else { return false };
        if waits {
            return false;
        }
        Packet::Reliable { sequence: self.sequence, last: *last, body }.write(out);
        self.sent = Some(now);
        true
    }

    /// Writes an unreliable packet.
    pub fn unreliable(&mut self, body: &[u8], out: &mut Vec<u8>) {
        Packet::Unreliable { sequence: self.unreliable, body }.write(out);
        self.unreliable = self.unreliable.wrapping_add(1);
    }

    /// Handles an acknowledgement; it is ignored unless it is for the packet in flight.
    pub fn acknowledged(&mut self, sequence: u32) {
        if sequence == self.sequence && self.sent.is_some() {
            self.queue.pop_front();
            self.sequence = self.sequence.wrapping_add(1);
            self.sent = None;
        }
    }
}
