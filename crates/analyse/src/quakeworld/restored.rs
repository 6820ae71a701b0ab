//! The moment in a level to which a cut jumps. The part begins with the whole state of that moment, and the changes
//! since the part before it are no events.

use moviola_state::Text;
use moviola_state::quakeworld::{Happening, World};

/// The command with the whole server info. A server sends it only before a level is played.
const WHOLE_INFO: &[u8] = b"fullserverinfo ";

/// Whether a command is the whole server info.
pub(super) fn is_whole_info(command: &Text) -> bool {
    command.bytes().starts_with(WHOLE_INFO)
}

/// Tracks whether the blocks at hand still restore the state after a cut.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RestoredMoment {
    /// Its time, and whether the places of players have come since it began.
    since: Option<(Option<u64>, bool)>,
}

impl RestoredMoment {
    /// Whether the block belongs to such a moment: from the whole server info in a level that is played, until that time is
    /// over and the players' places have come.
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
