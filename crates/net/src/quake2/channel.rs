//! The server's end of a connection: numbers, acknowledgements, and one reliable part at a time.

use super::Head;

/// The server's end of a connection of Quake II or `QuakeWorld`.
#[derive(Debug, Default)]
pub(crate) struct Channel {
    /// The number of the client's newest packet.
    last_in: u32,
    odd_in: bool,
    /// The number of the last packet that was sent.
    sequence: u32,
    /// The parity of the last reliable part.
    odd_out: bool,
    flight: Option<UnacknowledgedPart>,
}

/// The reliable part that is not acknowledged yet.
#[derive(Debug)]
struct UnacknowledgedPart {
    /// The number of the packet that contained it; `None` if it must be sent, or sent again.
    sent: Option<u32>,
    body: Vec<u8>,
}

impl Channel {
    /// Takes the head of a client's packet; returns `false` if a newer one arrived before.
    pub(crate) fn receive(&mut self, head: &Head) -> bool {
        if head.sequence <= self.last_in {
            return false;
        }
        self.last_in = head.sequence;
        self.odd_in ^= head.reliable;
        if let Some(flight) = &mut self.flight
            && let Some(sent) = flight.sent
            && head.ack >= sent
        {
            if head.ack_odd == self.odd_out {
                self.flight = None;
            } else if head.ack > sent {
                // A client reads every packet with a reliable part as a new one, so the part may be repeated only after
                // a later packet was acknowledged without it.
                flight.sent = None;
            }
        }
        true
    }

    /// The number of the client's newest packet.
    pub(crate) fn last_in(&self) -> u32 {
        self.last_in
    }

    /// Whether all reliable parts have arrived, so that the next one can be sent.
    pub(crate) fn is_free(&self) -> bool {
        self.flight.is_none()
    }

    /// Whether the next packet has a reliable part.
    pub(crate) fn is_due(&self) -> bool {
        self.flight.as_ref().is_some_and(|flight| flight.sent.is_none())
    }

    /// Puts a reliable part into the next packet. The one before it must have arrived.
    pub(crate) fn begin(&mut self, body: Vec<u8>) {
        self.odd_out = !self.odd_out;
        self.flight = Some(UnacknowledgedPart { sent: None, body });
    }

    /// Makes the next packet: the reliable part if it is due, then messages that may get lost.
    pub(crate) fn next(&mut self, messages: &[u8]) -> Vec<u8> {
        self.numbered(self.sequence.wrapping_add(1), messages)
    }

    /// Makes a packet with this number.
    pub(crate) fn numbered(&mut self, sequence: u32, messages: &[u8]) -> Vec<u8> {
        self.sequence = sequence;
        let due = self.flight.as_mut().filter(|flight| flight.sent.is_none());
        let reliable = due.is_some();
        let head = Head { sequence, reliable, ack: self.last_in, ack_odd: self.odd_in, qport: None };
        let mut datagram = Vec::new();
        head.write(&mut datagram);
        if let Some(flight) = due {
            flight.sent = Some(sequence);
            datagram.extend_from_slice(&flight.body);
        }
        datagram.extend_from_slice(messages);
        datagram
    }
}
