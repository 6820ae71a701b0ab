//! The players in the slots of a level, each with the first and last block of the player's presence.

use super::{HarvestPosition, RowOutput};
use crate::Word;
use crate::tables::Players;
use std::collections::BTreeMap;
use std::io::Write;

/// The players of a level by their slots.
#[derive(Debug, Default)]
pub(super) struct People {
    here: BTreeMap<u8, Players>,
}

impl People {
    /// Handles a new name in a slot; an empty one means that the player left.
    pub(super) fn name<W: Write + Send>(
        &mut self,
        slot: u8,
        name: &[u8],
        here: &HarvestPosition,
        recorder: Option<u8>,
        out: &mut RowOutput<'_, W>,
    ) {
        if name.is_empty() {
            if let Some(player) = self.here.remove(&slot) {
                close(player, here, recorder, out);
            }
            return;
        }
        let player = self.here.entry(slot).or_insert_with(|| Players {
            recording: here.recording.clone(),
            level: here.level,
            slot: i32::from(slot),
            first_block: here.block,
            ..Players::default()
        });
        player.name = Word::of(name);
        player.name_hex = Word::hex(name);
    }

    /// The player in a slot.
    pub(super) fn get(&mut self, slot: u8) -> Option<&mut Players> {
        self.here.get_mut(&slot)
    }

    /// The name of the player in a slot.
    pub(super) fn name_of(&self, slot: u8) -> Option<Word> {
        self.here.get(&slot).map(|player| player.name.clone())
    }

    /// The team of the player in a slot.
    pub(super) fn team(&self, slot: u8) -> Option<Word> {
        self.here.get(&slot).and_then(|player| player.team.clone())
    }

    /// Copies the name and team of the player in a slot, if they differ.
    pub(super) fn share(&self, slot: u8, name: &mut Word, team: &mut Option<Word>) {
        let player = self.here.get(&slot);
        match player {
            Some(player) => name.share(&player.name),
            None => *name = Word::default(),
        }
        match (team, player.and_then(|player| player.team.as_ref())) {
            (Some(team), Some(now)) => team.share(now),
            (team, now) => *team = now.cloned(),
        }
    }

    /// The slot of the player of this name, if exactly one has it.
    pub(super) fn slot_of(&self, name: &Word) -> Option<u8> {
        let mut found = self.here.iter().filter(|(_, player)| player.name == *name);
        let slot = found.next().map(|(slot, _)| *slot);
        slot.filter(|_| found.next().is_none())
    }

    /// Ends the level.
    pub(super) fn end<W: Write + Send>(
        &mut self,
        here: &HarvestPosition,
        recorder: Option<u8>,
        out: &mut RowOutput<'_, W>,
    ) {
        for player in std::mem::take(&mut self.here).into_values() {
            close(player, here, recorder, out);
        }
    }
}

fn close<W: Write + Send>(
    player: Players,
    here: &HarvestPosition,
    recorder: Option<u8>,
    out: &mut RowOutput<'_, W>,
) {
    let is_recorder = recorder.is_some_and(|slot| i32::from(slot) == player.slot);
    out.row(&Players { is_recorder, last_block: here.block, ..player });
}
