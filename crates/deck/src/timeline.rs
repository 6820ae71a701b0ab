//! The timeline of a recording: its events, and the player's health and armor.

use crate::clock::Clock;
use moviola_analyse::{Event, EventKind, Events, Listed, PassPosition, Watch, watch};
use moviola_state::{quake, quake2, quakeworld};
use serde::Serialize;
use std::io;

/// The most marks, and the most changes of health and armor: a page could show no more.
const MOST_MARKS: usize = 20_000;
const MOST_VITALS: usize = 8_000;

/// The events of a recording, and the player's health and armor.
///
/// ```
/// let timeline = moviola_deck::Timeline::default();
/// assert!(timeline.marks.is_empty() && !timeline.more);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Timeline {
    /// The events, in their order.
    pub marks: Vec<TimelineMark>,
    /// The player's health and armor, with an entry for each change.
    pub vitals: Vec<Vitals>,
    /// Whether there are more events than `marks` has.
    pub more: bool,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimelineMark {
    /// The seconds of the recording.
    pub seconds: f64,
    /// The time on the game's clock, as `events` lists it.
    pub game_time: Option<f64>,
    /// The block, counted from 0.
    pub block: u64,
    /// The name of its kind: `kill`, `secret`.
    pub kind: &'static str,
    /// The event in words.
    pub text: String,
}

/// Seconds of the recording, health and armor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Vitals(pub f64, pub i32, pub i32);

/// All results of one pass.
#[derive(Debug, Default)]
pub(crate) struct FirstPass {
    /// The events; their times are not known yet.
    timeline: Timeline,
    /// The block of each change of health or armor, and the new values.
    vitals: Vec<(u64, [i32; 2])>,
    /// The game's times of the blocks.
    pub(crate) game_times: Clock,
    /// The number of blocks that were not read to their end.
    pub(crate) damaged: u64,
    /// The levels: the block at which each begins, its map and its title.
    pub(crate) levels: Vec<(u64, String, String)>,
}

/// Whether events of this kind are too frequent for a timeline.
fn is_busy(kind: &EventKind) -> bool {
    kind.row().listed == Listed::OnRequest
        || matches!(kind, EventKind::Console { .. } | EventKind::Command { danger: None, .. })
}

/// Reads a recording. If it is of all players, `player` is the number of the player whose health and armor are shown.
pub(crate) fn read(recording: &[u8], player: Option<u16>) -> io::Result<FirstPass> {
    let mut gathered = FirstPass::default();
    let FirstPass { timeline, levels, .. } = &mut gathered;
    let mut events = Events::new(|event: Event| {
        if let EventKind::LevelStart { map, title, .. } = &event.kind {
            let or_empty = |it: Option<String>| it.unwrap_or_default();
            levels.push((event.block, or_empty(map.as_ref().map(ToString::to_string)), title.to_string()));
        }
        if is_busy(&event.kind) {
            return;
        }
        if timeline.marks.len() >= MOST_MARKS {
            timeline.more = true;
            return;
        }
        let text = event.kind.to_string().trim_end().to_owned();
        let (game_time, block) = (event.time, event.block);
        timeline.marks.push(TimelineMark { seconds: 0.0, game_time, block, kind: event.name(), text });
    });
    let mut own = RecorderVitals { player, ..RecorderVitals::default() };
    watch(recording, &mut [&mut events, &mut own])?;
    drop(events);
    (gathered.vitals, gathered.game_times, gathered.damaged) = (own.vitals, own.game_times, own.damaged);
    Ok(gathered)
}

impl FirstPass {
    /// The timeline, with the times that a clock has for the blocks.
    pub(crate) fn timeline(self, clock: &Clock) -> Timeline {
        let mut timeline = self.timeline;
        for mark in &mut timeline.marks {
            mark.seconds = clock.seconds_of(mark.block);
        }
        let timed =
            |(block, [health, armor]): (u64, [i32; 2])| Vitals(clock.seconds_of(block), health, armor);
        timeline.vitals = self.vitals.into_iter().map(timed).collect();
        timeline
    }
}

/// A watcher that collects the recorder's health and armor, and the blocks' times and damage.
#[derive(Debug, Default)]
struct RecorderVitals {
    player: Option<u16>,
    game_times: Clock,
    damaged: u64,
    vitals: Vec<(u64, [i32; 2])>,
    /// One in this many changes is kept. The number doubles when there are too many.
    every: usize,
    changes: usize,
}

impl RecorderVitals {
    fn note(&mut self, here: &PassPosition) {
        self.game_times.push_game_time(here.block, here.time);
        self.damaged += u64::from(here.fault.is_some() || here.truncated);
    }

    fn vitals(&mut self, here: &PassPosition, values: [i32; 2]) {
        if self.vitals.last().is_some_and(|(_, last)| *last == values) {
            return;
        }
        self.changes += 1;
        if self.changes.is_multiple_of(self.every.max(1)) {
            self.vitals.push((here.block, values));
        }
        if self.vitals.len() > MOST_VITALS {
            let mut keep = false;
            self.vitals.retain(|_| {
                keep = !keep;
                keep
            });
            self.every = self.every.max(1) * 2;
        }
    }
}

impl Watch for RecorderVitals {
    fn quake(&mut self, world: &quake::World, here: &PassPosition) {
        use quake::Stat;
        self.note(here);
        self.vitals(here, [Stat::Health, Stat::Armor].map(|stat| world.stats.get(stat)));
    }

    fn quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        use quake2::Stat;
        let frame = world.drawn();
        // A match has the states of all players.
        let slot = self.player.and_then(|player| u8::try_from(player.checked_sub(1)?).ok());
        let own = slot.and_then(|slot| frame.player(Some(slot)).copied());
        let state = own.or_else(|| frame.players.first().map(|(_, state)| *state)).unwrap_or_default();
        self.note(here);
        self.vitals(here, [Stat::Health, Stat::Armor].map(|stat| i32::from(state.stat(stat))));
    }

    fn quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition) {
        use quake::Stat;
        let slot = usize::from(self.player.unwrap_or_default()).checked_sub(1);
        self.note(here);
        let Some(stats) = slot.and_then(|slot| world.stats.get(slot)) else { return };
        // In Quake and Quake II these two stats have the same numbers.
        let values = [Stat::Health, Stat::Armor];
        self.vitals(here, values.map(|stat| stats.get(stat as usize).copied().unwrap_or_default()));
    }
}
