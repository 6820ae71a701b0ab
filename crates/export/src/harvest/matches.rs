//! The rows of `match_counts`.

use super::{HarvestPosition, RowOutput};
use crate::tables::MatchCounts;
use crate::{FixedWord, Word};
use moviola_analyse::{Event, Matches, PassPosition};
use moviola_state::quakeworld::World;
use std::io::Write;

/// The matches of a recording, and the number of those whose rows are written.
#[derive(Debug, Default)]
pub(super) struct MatchRows {
    matches: Matches,
    written: i32,
}

impl MatchRows {
    /// Counts an event.
    pub(super) fn event(&mut self, event: &Event) {
        self.matches.event(event);
    }

    /// Follows the matches through a block, whose events were counted.
    pub(super) fn block(&mut self, world: &World, there: &PassPosition) {
        self.matches.look(world, there);
    }

    /// Writes the rows of the matches of a level that is over.
    pub(super) fn close<W: Write + Send>(
        &mut self,
        map: &Word,
        here: &HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        self.matches.close();
        for one in self.matches.take() {
            self.written = self.written.saturating_add(1);
            for count in one.counts() {
                let player = count.player;
                out.row(&MatchCounts {
                    recording: here.recording.clone(),
                    match_number: self.written,
                    level: i32::try_from(one.level).unwrap_or(i32::MAX),
                    map: map.clone(),
                    mode: one.mode.as_deref().map(Word::from),
                    player: player.name.as_str().into(),
                    slot: player.slot.map(i32::from),
                    team: player.team.as_deref().map(Word::from),
                    is_bot: player.is_bot,
                    weapon: count.weapon.map(Word::from),
                    item: count.item.map(Word::from),
                    what: FixedWord::from_static(count.what),
                    shown: count.shown,
                    reported: count.reported,
                });
            }
        }
    }
}
