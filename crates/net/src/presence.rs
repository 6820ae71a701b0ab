//! Decides whether the client of a viewer is still there.

use std::time::Duration;

/// A client that is silent for this long is gone; engines wait five minutes for a server.
const SILENCE: Duration = Duration::from_mins(1);
/// A client that never answers is gone sooner: its request may have had a forged address.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(10);

/// A viewer's client: when it asked for the connection, and its signs of life since then.
#[derive(Debug)]
pub(crate) struct Presence {
    opened: Duration,
    last_received: Duration,
    is_known: bool,
    is_over: bool,
}

impl Presence {
    pub(crate) fn new(now: Duration) -> Self {
        Self { opened: now, last_received: now, is_known: false, is_over: false }
    }

    /// When the client asked for the connection.
    pub(crate) fn opened(&self) -> Duration {
        self.opened
    }

    /// Notes that a packet came from the client's address.
    pub(crate) fn answered(&mut self, now: Duration) {
        (self.last_received, self.is_known) = (now, true);
    }

    /// Whether the client has answered from its address.
    pub(crate) fn is_known(&self) -> bool {
        self.is_known
    }

    /// The connection is over.
    pub(crate) fn leave(&mut self) {
        self.is_over = true;
    }

    /// Whether the client is gone.
    pub(crate) fn is_gone(&self, now: Duration) -> bool {
        let timeout = if self.is_known { SILENCE } else { HANDSHAKE };
        self.is_over || now.saturating_sub(self.last_received) > timeout
    }
}
