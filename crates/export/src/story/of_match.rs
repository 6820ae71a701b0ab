//! The players of a `QuakeWorld` match: their scores, and the paths of all of them.

use super::other_players::{PathsBySlot, thin_out_levels};
use super::{FASTEST, PAUSE, PlayerPath, RecorderSample, ScoreboardPlayer, StoryLevel, rank};
use crate::Word;
use moviola_analyse::PassPosition;
use moviola_state::quake::Stat;
use moviola_state::quakeworld::{Player, World};
use std::sync::Arc;

/// The players of the current level.
#[derive(Debug, Default)]
pub(super) struct Match {
    /// The last scoreboard; keeping it is cheap.
    players: Arc<Vec<Player>>,
    /// The paths by slot, and the last sample of each, which may not be kept.
    ways: PathsBySlot,
    last: Vec<Option<RecorderSample>>,
    /// Whether a player recorded, so that the recorder's path is elsewhere.
    is_of_one: bool,
}

impl Match {
    /// Updates the players in the level, if their data changed.
    pub(super) fn look(&mut self, level: &mut StoryLevel, world: &World, own: Option<u8>) {
        if Arc::ptr_eq(&self.players, &world.players) {
            return;
        }
        self.players = Arc::clone(&world.players);
        let players = (0..=u8::MAX).zip(world.players.iter());
        level.players = players
            .filter(|(_, player)| player.is_here() && !player.is_spectator())
            .map(|(slot, player)| ScoreboardPlayer {
                name: Word::of(player.name()),
                name_hex: Word::hex(player.name()),
                frags: Some(player.frags.into()),
                colors: Some(player.colors()),
                is_recorder: own == Some(slot),
            })
            .collect();
        rank(&mut level.players);
    }

    /// A sample of a player at this moment, if the moment brought the player's place.
    pub(super) fn sample(&mut self, world: &World, slot: u8, here: &PassPosition) -> Option<RecorderSample> {
        let body = world.bodies.get(usize::from(slot)).filter(|body| body.seen == world.now)?;
        let stats = world.stats.get(usize::from(slot)).copied().unwrap_or_default();
        let stat = |which: Stat| stats.get(which as usize).copied().unwrap_or_default() as i16;
        let at = body.origin.map(|place| place.value() as f32);
        let time = here.time? as f32;
        let place = usize::from(slot);
        if self.last.len() <= place {
            self.last.resize(place.saturating_add(1), None);
        }
        let last = self.last.get_mut(place)?;
        let before = last.and_then(|last| Some((last.time, last.at?)));
        if before.is_some_and(|(before, _)| before >= time) {
            return None;
        }
        let way = |[x, y, _]: [f32; 3], from: [f32; 3]| (x - from[0]).hypot(y - from[1]);
        let sent = body.velocity.map(|[x, y, _]| f32::from(x).hypot(f32::from(y)));
        let gone = before.map_or(0.0, |(before, from)| way(at, from) / (time - before));
        let begins = before.is_none_or(|(before, _)| time - before > PAUSE) || gone > FASTEST;
        let speed = if begins { 0.0 } else { sent.unwrap_or(gone) };
        let sample = RecorderSample {
            block: here.block,
            time,
            at: Some(at),
            yaw: body.angles[1].value() as f32,
            speed,
            health: stat(Stat::Health),
            armor: stat(Stat::Armor),
            ammo: stat(Stat::Ammo),
            begins,
        };
        *last = Some(sample);
        Some(sample)
    }

    /// Adds the positions of all players except the recorder.
    pub(super) fn step(&mut self, world: &World, here: &PassPosition, own: Option<u8>) {
        self.is_of_one = own.is_some();
        let players = Arc::clone(&self.players);
        for (slot, player) in (0..=u8::MAX).zip(players.iter()) {
            if !player.is_here() || player.is_spectator() || own == Some(slot) {
                continue;
            }
            let Some(sample) = self.sample(world, slot, here) else { continue };
            self.ways.put(slot, sample, || Word::of(player.name()));
        }
    }

    /// Ends the level: the best player's path becomes the main path.
    pub(super) fn settle(&mut self, levels: &mut [StoryLevel]) {
        let mut paths = self.ways.take();
        let ended = std::mem::take(self);
        self.ways = ended.ways;
        let Some(level) = levels.last_mut() else { return };
        let place = |way: &PlayerPath| level.players.iter().position(|player| player.name == way.name);
        paths.sort_by_key(|way| place(way).unwrap_or(usize::MAX));
        if ended.is_of_one {
            level.others = paths;
        } else if let Some(best) = paths.first() {
            (level.samples, level.seen) = (best.samples.clone(), Some(best.name.clone()));
            level.ways = paths;
        }
        self.ways.widen(thin_out_levels(levels));
    }
}
