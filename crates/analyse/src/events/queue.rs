//! The queue of finished events: in order, with some held back until later blocks have confirmed or completed
//! them.

use crate::{Event, EventKind, EventPlayer, Evidence, PassPosition};
use std::collections::VecDeque;

/// The treatment of an event at the end of its waiting time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitEnd {
    /// It is passed on.
    Stands,
    /// The event counts only if there is other evidence besides this.
    NeedsMore(Evidence),
}

#[derive(Clone, Debug)]
struct PendingEvent {
    event: Event,
    /// The last block that may add to it; `None` if it is complete.
    until: Option<u64>,
    wait_end: WaitEnd,
}

/// The greatest number of waiting events, which limits the cost of a hostile recording.
const MAX_WAITING: usize = 4096;

/// The queue.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventQueue {
    queue: VecDeque<PendingEvent>,
    /// The number of events that wait.
    waiting: usize,
    /// The recorder's position in the current block, and those of visible players by slot.
    pub(crate) own: Option<[f32; 3]>,
    pub(crate) seen: Vec<(u8, [f32; 3])>,
}

impl EventQueue {
    /// Adds a complete event.
    pub(crate) fn push(&mut self, here: &PassPosition, kind: EventKind, evidence: Evidence) {
        self.add(here, kind, evidence, None, WaitEnd::Stands);
    }

    /// Adds an event that may be completed up to this block.
    pub(crate) fn hold(
        &mut self,
        here: &PassPosition,
        kind: EventKind,
        evidence: Evidence,
        until: u64,
        wait_end: WaitEnd,
    ) {
        self.add(here, kind, evidence, Some(until), wait_end);
    }

    /// The last shot.
    pub(crate) fn last_shot(&mut self) -> Option<&mut EventKind> {
        let shot = self.queue.iter_mut().rev().find(|held| matches!(held.event.kind, EventKind::Shot { .. }));
        shot.map(|held| &mut held.event.kind)
    }

    fn add(
        &mut self,
        here: &PassPosition,
        kind: EventKind,
        evidence: Evidence,
        until: Option<u64>,
        wait_end: WaitEnd,
    ) {
        let origin = self.origin(&kind);
        let event = Event { time: here.time, block: here.block, level: here.level, kind, evidence, origin };
        self.waiting = self.waiting.saturating_add(usize::from(until.is_some()));
        self.queue.push_back(PendingEvent { event, until, wait_end });
    }

    /// The position of an event whose kind does not contain one.
    fn origin(&self, kind: &EventKind) -> Option<[f32; 3]> {
        let position_of =
            |who: &EventPlayer| self.seen.iter().find(|(slot, _)| Some(*slot) == who.slot).map(|(_, at)| *at);
        match kind {
            EventKind::Pickup { player: Some(player), .. }
            | EventKind::Drop { player, .. }
            | EventKind::Hit { victim: player, .. } => position_of(player),
            EventKind::Pickup { .. }
            | EventKind::Weapon { .. }
            | EventKind::Secret { .. }
            | EventKind::PowerupStart { .. }
            | EventKind::PowerupEnd { .. }
            | EventKind::Shot { own: true, .. } => self.own,
            EventKind::Shot { player, .. } | EventKind::Kill { victim: Some(player), .. } => {
                position_of(player)
            }
            _ => None,
        }
    }

    /// Passes the waiting events to `look`, the oldest first, until it accepts one.
    pub(crate) fn amend(&mut self, mut look: impl FnMut(&mut Event) -> bool) -> bool {
        self.waiting > 0 && self.queue.iter_mut().any(|held| held.until.is_some() && look(&mut held.event))
    }

    /// Passes on the events that need not wait for later blocks; at the end of the file or level, all of them.
    pub(crate) fn settle(&mut self, block: u64, all: bool, sink: &mut dyn FnMut(Event)) {
        while let Some(held) = self.queue.front() {
            let over = all || self.queue.len() > MAX_WAITING || held.until.is_none_or(|until| until < block);
            if !over {
                return;
            }
            let Some(held) = self.queue.pop_front() else { return };
            self.waiting = self.waiting.saturating_sub(usize::from(held.until.is_some()));
            let stands = match held.wait_end {
                WaitEnd::Stands => true,
                WaitEnd::NeedsMore(less) => !less.has(held.event.evidence),
            };
            if stands {
                sink(held.event);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_event_holds_back_later_ones() {
        let mut out = EventQueue::default();
        let here = PassPosition::default();
        let kind = |on| EventKind::Pause { on };
        out.hold(&here, kind(true), Evidence::SOUND, 3, WaitEnd::NeedsMore(Evidence::SOUND));
        out.hold(&here, kind(true), Evidence::PRINT, 3, WaitEnd::NeedsMore(Evidence::PRINT));
        out.push(&here, kind(false), Evidence::MESSAGE);
        let mut found = Vec::new();
        out.settle(3, false, &mut |event| found.push(event));
        assert_eq!(found, []);
        assert!(out.amend(|event| {
            let is_it = event.evidence == Evidence::PRINT;
            event.evidence |= if is_it { Evidence::FRAGS } else { Evidence::NONE };
            is_it
        }));
        out.settle(4, false, &mut |event| found.push(event));
        let signs: Vec<Evidence> = found.iter().map(|event| event.evidence).collect();
        assert_eq!(signs, [Evidence::PRINT | Evidence::FRAGS, Evidence::MESSAGE]);
        assert!(!out.amend(|_| true));
    }
}
