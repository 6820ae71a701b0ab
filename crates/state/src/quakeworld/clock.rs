//! The clock of a match, which is in no message. KTX announces the beginning of a match, and the server info has the
//! minutes that are left. A part that was cut out of the middle has only the latter.

/// When the match began, in milliseconds of the recording; before its first block where that was cut away.
///
/// ```
/// use moviola_format::{Block, Stamp};
/// use moviola_state::{Playhead, quakeworld::World};
/// let mut head = Playhead::<World>::new();
/// let stamp = |msec| Stamp::Mvd { msec, kind: 6, players: 0 };
/// head.step(&Block { stamp: stamp(50), ..Block::new(b"\x09//ktx matchstart\n\0") });
/// head.step(&Block { stamp: stamp(200), ..Block::new(b"") });
/// assert_eq!((head.world.clock.seconds(head.world.now), head.world.clock.is_exact()), (Some(0.2), true));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchClock {
    start: Option<i64>,
    is_exact: bool,
}

const MINUTE: i64 = 60_000;

impl MatchClock {
    /// When the match began, in seconds of the recording.
    pub fn start(self) -> Option<f64> {
        self.start.map(|start| start as f64 / 1000.0)
    }

    /// Whether that is known to the block. If not, the match may have begun up to a minute earlier.
    pub fn is_exact(self) -> bool {
        self.is_exact
    }

    /// The time of the match at a moment of the recording, in seconds.
    pub fn seconds(self, now: Option<u64>) -> Option<f64> {
        let now = i64::try_from(now?).ok()?;
        Some(now.saturating_sub(self.start?) as f64 / 1000.0)
    }

    /// The minutes that are left, from the value of `status` in the server info; `None` if no match is in progress.
    ///
    /// ```
    /// use moviola_state::quakeworld::MatchClock;
    /// assert_eq!(MatchClock::minutes_left(b"7 min left"), Some(7));
    /// assert_eq!(MatchClock::minutes_left(b"Standby"), None);
    /// ```
    pub fn minutes_left(status: &[u8]) -> Option<i64> {
        status.strip_suffix(b" min left").and_then(number)
    }

    /// Handles KTX's announcement that the match begins.
    pub(super) fn begin(&mut self, now: Option<u64>) {
        *self = Self { start: now.and_then(|now| i64::try_from(now).ok()), is_exact: true };
    }

    /// Sets the minutes that are left, from the server info; `is_change` is true if they changed at this moment.
    pub(super) fn set(&mut self, status: &[u8], limit: &[u8], now: Option<u64>, is_change: bool) {
        let (Some(left), Some(limit)) = (Self::minutes_left(status), number(limit)) else {
            // The status before a match, and after it.
            if status == b"Countdown" || status == b"Standby" {
                *self = Self::default();
            }
            return;
        };
        // In overtime more minutes may be left than the limit has; then the beginning cannot be computed.
        let gone = limit.saturating_sub(left).saturating_mul(MINUTE);
        let Some(now) = now.and_then(|now| i64::try_from(now).ok()).filter(|_| gone >= 0) else { return };
        if self.start.is_none() || is_change && !self.is_exact {
            *self = Self { start: Some(now.saturating_sub(gone)), is_exact: is_change };
        }
    }
}

fn number(text: &[u8]) -> Option<i64> {
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_a_whole_number() {
        let left =
            [&b"12 min left"[..], b" 3 min left", b"-1 min left", b"x min left", b"5 min", b"Countdown"]
                .map(MatchClock::minutes_left);
        assert_eq!(left, [Some(12), Some(3), Some(-1), None, None, None]);
    }

    #[test]
    fn a_part_knows_the_clock_of_its_match() {
        let mut clock = MatchClock::default();
        clock.set(b"7 min left", b"10", Some(500), false);
        assert_eq!((clock.seconds(Some(500)), clock.is_exact()), (Some(180.0), false));
        // The minute begins 12.5 seconds later.
        clock.set(b"6 min left", b"10", Some(13_000), true);
        assert_eq!((clock.seconds(Some(500)), clock.is_exact()), (Some(227.5), true));
        clock.set(b"5 min left", b"10", Some(73_100), true);
        assert_eq!(clock.start(), Some(-227.0));
        clock.set(b"Standby", b"10", Some(80_000), true);
        assert_eq!(clock.start(), None);
        clock.set(b"12 min left", b"10", Some(1), true);
        clock.set(b"x min left", b"10", Some(1), true);
        assert_eq!(clock, MatchClock::default());
    }
}
