//! The last row of each player. A row has several texts. Copying and dropping them takes longer than writing the row,
//! so the last row is reused for the next one, and only changed texts are copied.

use super::people::People;
use super::trail::TrailSpot;
use super::{HarvestPosition, OpenLevel};
use crate::tables::{Positions, Ticks};
use std::collections::BTreeMap;

/// The last rows by the slots of their players.
#[derive(Debug, Default)]
pub(super) struct SlotRows<R> {
    rows: BTreeMap<u8, R>,
}

impl SlotRows<Positions> {
    /// The row of a player at this position. Its other cells are those of the player's last row.
    pub(super) fn at(
        &mut self,
        (slot, seen): (u8, &TrailSpot),
        velocity: Option<[f32; 3]>,
        (level, people, here): (&OpenLevel, &People, &HarvestPosition),
    ) -> &mut Positions {
        let row = self.rows.entry(slot).or_default();
        row.recording.share(&here.recording);
        row.map.share(&level.row.map);
        people.share(slot, &mut row.name, &mut row.team);
        (row.block, row.level, row.slot) = (here.block, here.level, slot.into());
        (row.level_time, row.recording_time) = (here.time.unwrap_or_default(), seen.time);
        [row.x, row.y, row.z] = seen.origin;
        [row.pitch, row.yaw, row.roll] = seen.angles;
        [row.velocity_x, row.velocity_y, row.velocity_z] = velocity.map_or([None; 3], |it| it.map(Some));
        row.is_told = true;
        row
    }
}

impl SlotRows<Ticks> {
    /// The row of a player, or of the recorder, at this moment. Its other cells are those of the last row.
    pub(super) fn now(&mut self, client: Option<u8>, here: &HarvestPosition) -> &mut Ticks {
        let row = self.rows.entry(client.unwrap_or_default()).or_default();
        row.recording.share(&here.recording);
        (row.block, row.level, row.client) = (here.block, here.level, client.map(i32::from));
        row.level_time = here.time.unwrap_or_default();
        row.recording_time = here.recording_time.unwrap_or_default();
        row
    }
}
