//! The moment in a level to which a cut jumps. The part begins with the whole state of that moment, and the changes
//! since the part before it are not events.

use moviola_format::names::quakeworld::WHOLE_INFO;
use moviola_state::Text;
use moviola_state::quakeworld::{Happening, World};

/// Whether a command is the whole server info. A server sends it only before a level is played.
pub(super) fn is_whole_info(command: &Text) -> bool {
    command.bytes().starts_with(WHOLE_INFO)
}

/// Tracks whether the current blocks still restore the state after a cut.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RestoredMoment {
    /// The time of the restored moment, and whether the players' positions were sent since it began; `None` between
    /// cuts.
    since: Option<(Option<u64>, bool)>,
}

impl RestoredMoment {
    /// Whether the block restores the state after a cut. Such blocks begin with the whole server info while a level is
    /// played, and end when the clock goes on and the players' positions were sent.
    pub(super) fn has<'w>(
        &mut self,
        world: &World,
        mut happenings: impl Iterator<Item = &'w Happening>,
    ) -> bool {
        let is_whole = |it: &Happening| matches!(it, Happening::Command { text, .. } if is_whole_info(text));
        if happenings.any(is_whole) {
            self.since = Some((world.now, false));
        }
        self.since = self.since.filter(|(now, has_places)| *now == world.now || !has_places);
        if let Some((_, has_places)) = &mut self.since {
            *has_places |= world.has_bodies();
        }
        self.since.is_some()
    }
}
