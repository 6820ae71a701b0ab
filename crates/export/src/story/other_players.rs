//! The paths of several players at once: of a match, or of the players who are visible in a recording of Quake and
//! Quake II.

use super::{FASTEST, FRAMES, PAUSE, PLAYER_MODEL, PlayerPath, RecorderSample, StoryLevel};
use crate::Word;
use moviola_analyse::PassPosition;
use moviola_state::{quake, quake2};

/// Twenty places a second show every turn of a player.
const SAMPLE_INTERVAL: f32 = 0.05;

/// The greatest number of samples of all players of a level. If there are more, every second one is dropped.
const MAX_SAMPLES: usize = 1 << 17;

/// The greatest number of such samples of all levels together. If there are more, every second one is dropped.
const MOST_OF_ALL: usize = 1 << 17;

/// Drops every second sample of all paths, repeatedly if necessary, until all levels together have few enough. Returns by
/// what the time between two samples has grown: later levels keep no more samples than earlier ones.
pub(super) fn thin_out_levels(levels: &mut [StoryLevel]) -> f32 {
    let count = |levels: &[StoryLevel]| -> usize {
        let ways =
            levels.iter().flat_map(|level| level.ways.iter().chain(level.ways.first()).chain(&level.others));
        ways.map(|way| way.samples.len()).sum()
    };
    let (mut before, mut factor) = (usize::MAX, 1.0);
    // The first samples of lines stay, so a recording of nothing but gaps cannot become smaller.
    while (MOST_OF_ALL..before).contains(&count(levels)) {
        before = count(levels);
        factor *= 2.0;
        for level in &mut *levels {
            level.ways.iter_mut().chain(&mut level.others).for_each(PlayerPath::thin_out);
            // In a match the best player's path is also the level's.
            if let Some(best) = level.ways.first() {
                level.samples.clone_from(&best.samples);
                level.samples.shrink_to_fit();
            }
        }
    }
    factor
}

impl PlayerPath {
    /// Drops every second sample, except those that begin a line.
    fn thin_out(&mut self) {
        let mut keep = false;
        self.samples.retain(|sample| {
            keep = !keep;
            keep || sample.begins
        });
        self.samples.shrink_to_fit();
    }
}

/// Paths by slot.
#[derive(Debug, Default)]
pub(super) struct PathsBySlot {
    paths: Vec<PlayerPath>,
    sample_count: usize,
    /// The least time between two samples of a player, in this level and in the next one; 0 for the usual one.
    least_interval: f32,
    next_interval: f32,
}

impl PathsBySlot {
    /// Adds a sample to the path of the player in a slot, unless the last one is too near.
    pub(super) fn put(&mut self, slot: u8, sample: RecorderSample, name: impl FnOnce() -> Word) {
        let place = usize::from(slot);
        if self.paths.len() <= place {
            self.paths.resize_with(place.saturating_add(1), PlayerPath::default);
        }
        let Some(way) = self.paths.get_mut(place) else { return };
        let apart = self.least_interval.max(SAMPLE_INTERVAL);
        let is_next = way.samples.last().is_none_or(|last| sample.begins || sample.time - last.time >= apart);
        if is_next {
            way.name = name();
            way.samples.push(sample);
            self.sample_count = self.sample_count.saturating_add(1);
        }
        if self.sample_count >= MAX_SAMPLES {
            self.thin_out();
        }
    }

    fn thin_out(&mut self) {
        self.least_interval = self.least_interval.max(SAMPLE_INTERVAL) * 2.0;
        self.paths.iter_mut().for_each(PlayerPath::thin_out);
        self.sample_count = self.paths.iter().map(|way| way.samples.len()).sum();
    }

    /// Takes fewer samples in the next levels.
    pub(super) fn widen(&mut self, factor: f32) {
        if factor > 1.0 {
            self.next_interval = self.next_interval.max(SAMPLE_INTERVAL) * factor;
            self.least_interval = self.next_interval;
        }
    }

    /// The last sample of the player in a slot.
    fn last(&self, slot: u8) -> Option<&RecorderSample> {
        self.paths.get(usize::from(slot))?.samples.last()
    }

    /// Takes the paths that are longer than a point. They are copied, and the next level uses the buffers again: to grow new
    /// ones for each level would leave holes in memory.
    pub(super) fn take(&mut self) -> Vec<PlayerPath> {
        let longer = self.paths.iter().filter(|way| way.samples.len() > 1);
        let taken =
            longer.map(|way| PlayerPath { name: way.name.clone(), samples: way.samples.clone() }).collect();
        self.paths.iter_mut().for_each(|way| way.samples.clear());
        (self.sample_count, self.least_interval) = (0, self.next_interval);
        taken
    }
}

/// The other players of the current level.
#[derive(Debug, Default)]
pub(super) struct OtherPlayers {
    ways: PathsBySlot,
}

impl OtherPlayers {
    /// Adds the positions of the other players who are visible to a recorder of Quake.
    pub(super) fn look(&mut self, world: &quake::World, here: &PassPosition) {
        let time = world.clock.now.value();
        for (number, entity) in
            world.shown().take_while(|(number, _)| usize::from(*number) <= world.players.len())
        {
            let slot = number.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
            let player = slot.and_then(|slot| world.players.get(usize::from(slot)));
            let (Some(slot), Some(player)) = (slot, player.filter(|it| !it.name.is_empty())) else {
                continue;
            };
            if i32::from(number) == i32::from(world.view.entity) || entity.look.model == 0 {
                continue;
            }
            let at = entity.place.origin.map(|place| place.value() as f32);
            let yaw = entity.place.angles[1].value() as f32;
            self.put(
                slot,
                RecorderSample { block: here.block, time, at: Some(at), yaw, ..RecorderSample::default() },
                || Word::of(player.name.bytes()),
            );
        }
    }

    /// Adds the positions of the other players who are visible in a recording of Quake II.
    pub(super) fn look2(&mut self, world: &quake2::World, here: &PassPosition, followed: Option<u16>) {
        let frame = world.drawn();
        let time = frame.number as f32 / FRAMES;
        let own = followed.or_else(|| world.own_entity());
        let players = u16::from(world.config.max_clients());
        for entity in frame.entities.iter().take_while(|it| it.number <= players) {
            let slot = entity.number.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
            let is_other = own != Some(entity.number) && entity.models.first() == Some(&PLAYER_MODEL);
            let Some(slot) = slot.filter(|_| is_other) else { continue };
            let at = entity.origin.map(|place| place.value() as f32);
            let yaw = entity.angles[1].value() as f32;
            self.put(
                slot,
                RecorderSample { block: here.block, time, at: Some(at), yaw, ..RecorderSample::default() },
                || Word::of(world.config.player(slot).0),
            );
        }
    }

    fn put(&mut self, slot: u8, sample: RecorderSample, name: impl FnOnce() -> Word) {
        let is_sound = sample.at.iter().flatten().chain([&sample.time, &sample.yaw]).all(|it| it.is_finite());
        if !is_sound {
            return;
        }
        let last = self.ways.last(slot).and_then(|last| Some((last.time, last.at?)));
        let (Some((before, from)), Some(at)) = (last, sample.at) else {
            return self.ways.put(slot, RecorderSample { begins: true, ..sample }, name);
        };
        let passed = sample.time - before;
        if passed <= 0.0 {
            return;
        }
        let speed = (at[0] - from[0]).hypot(at[1] - from[1]) / passed;
        // A speed above this is a respawn or a teleport. After a gap the path between is unknown.
        let begins = passed > PAUSE || speed > FASTEST;
        self.ways.put(
            slot,
            RecorderSample { speed: if begins { 0.0 } else { speed }, begins, ..sample },
            name,
        );
    }

    /// Ends the level.
    pub(super) fn settle(&mut self, levels: &mut [StoryLevel]) {
        let ways = self.ways.take();
        if let (Some(level), false) = (levels.last_mut(), ways.is_empty()) {
            level.others = ways;
            self.ways.widen(thin_out_levels(levels));
        }
    }
}
