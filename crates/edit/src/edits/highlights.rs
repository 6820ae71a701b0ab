//! Highlights: the parts of a recording in which something happens.
//!
//! Nearly every second of a deathmatch has some event, so keeping all of them (the first version did) keeps
//! 80 % of it. People cut the recorder's own kills out of a match. A recording without them falls
//! back to the kills of any player, and one without kills to the achievements of a single player.

use crate::machinery::span::follow;
use crate::{Error, FoundSpans, SpanLevel};
use moviola_analyse::{Event, EventKind, EventPlayer, Events, PassPosition, Watch};
use moviola_state::{quake, quake2, quakeworld};
use std::cell::RefCell;
use std::io::Read;

/// The greatest number of parts. More of them would not be highlights.
const MAX_PARTS: usize = 4096;

/// Kills less than this many seconds apart are a streak, in which each kill counts for more than the one before.
const STREAK: f64 = 4.0;

/// How near to a level's end a kill counts double.
const LAST_SECONDS: f64 = 10.0;

/// Finds the interesting events of a recording, with some seconds before and after each.
/// [`Cut::keep`](crate::Cut::keep) makes a recording of the result.
///
/// ```
/// use moviola_edit::{Cut, Highlights, rewrite};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-every-message").unwrap().bytes;
/// let found = Highlights::new(3.0, 2.0).find(&recording[..]).unwrap();
/// let mut film = Vec::new();
/// rewrite(&recording[..], &mut Cut::keep(found), &mut film).unwrap();
/// assert!(!film.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Highlights {
    seconds_before: f64,
    seconds_after: f64,
    kinds: Vec<String>,
    top: Option<usize>,
}

/// A kept part: a level, its seconds, and a score.
#[derive(Clone, Copy, Debug)]
struct Window {
    level: u32,
    from: f64,
    to: f64,
    score: u32,
    /// The time of the last event in it, and the number of events in its current streak.
    last: f64,
    streak: u32,
}

/// The time windows around events, in the order of the events.
#[derive(Debug, Default)]
struct Windows(Vec<Window>);

impl Windows {
    fn add(&mut self, level: u32, time: f64, before: f64, after: f64) {
        let (from, to) = (time - before, time + after);
        let is_full = self.0.len() >= MAX_PARTS;
        match self.0.last_mut() {
            // An obituary may be printed a little later than the kill.
            Some(window) if window.level == level && (is_full || from <= window.to) && to >= window.from => {
                let is_streak = time - window.last <= STREAK;
                window.streak = if is_streak { window.streak.saturating_add(1) } else { 1 };
                window.score = window.score.saturating_add(window.streak);
                window.last = time;
                (window.from, window.to) = (window.from.min(from), window.to.max(to));
            }
            _ => self.0.push(Window { level, from, to, score: 1, last: time, streak: 1 }),
        }
    }

    /// The best windows, in their order.
    fn best(mut self, count: Option<usize>, levels: &[SpanLevel]) -> Vec<(u32, f64, f64)> {
        let end = |level: u32| levels.get((level as usize).checked_sub(1)?)?.times.map(|(_, last)| last);
        for window in &mut self.0 {
            let is_last = end(window.level).is_some_and(|end| end - window.last <= LAST_SECONDS);
            window.score = window.score.saturating_mul(1 + u32::from(is_last));
        }
        if let Some(count) = count {
            let mut ranks: Vec<(usize, Window)> = self.0.drain(..).enumerate().collect();
            // The sort is stable: of two windows with the same score, the earlier one comes first.
            ranks.sort_by_key(|(_, window)| std::cmp::Reverse(window.score));
            ranks.truncate(count);
            ranks.sort_by_key(|(at, _)| *at);
            self.0 = ranks.into_iter().map(|(_, window)| window).collect();
        }
        self.0.into_iter().map(|it| (it.level, it.from, it.to)).collect()
    }
}

impl Highlights {
    /// Finds the recorder's kills, with this many seconds before and after each.
    pub fn new(before: f64, after: f64) -> Self {
        Self { seconds_before: before, seconds_after: after, kinds: Vec::new(), top: None }
    }

    /// Finds events of these kinds instead, by their names in [`EventKind::ROWS`](moviola_analyse::EventKind::ROWS), of
    /// any player.
    ///
    /// ```
    /// use moviola_edit::Highlights;
    /// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-every-message").unwrap().bytes;
    /// let kinds = ["kill", "pickup", "damage", "chat", "secret", "death", "monster", "flag", "powerup_start"];
    /// assert!(Highlights::new(1.0, 1.0).of_kinds(kinds).find(&recording[..]).is_ok());
    /// ```
    #[must_use]
    pub fn of_kinds<'k>(self, kinds: impl IntoIterator<Item = &'k str>) -> Self {
        Self { kinds: kinds.into_iter().map(str::to_owned).collect(), ..self }
    }

    /// Keeps only this many parts: those with the longest streaks, and those in a level's last seconds.
    ///
    /// ```
    /// use moviola_edit::Highlights;
    /// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-every-message").unwrap().bytes;
    /// assert!(Highlights::new(1.0, 1.0).top(1).find(&recording[..]).is_ok());
    /// ```
    #[must_use]
    pub fn top(self, count: usize) -> Self {
        Self { top: Some(count), ..self }
    }

    /// Finds the highlights of a recording.
    ///
    /// # Errors
    /// When nothing of the kind happens, it is not a recording or of a protocol that cannot be read, or reading fails.
    pub fn find<R: Read>(&self, source: R) -> Result<FoundSpans, Error> {
        let (before, after) = (self.seconds_before, self.seconds_after);
        let [mut asked, mut own, mut kills, mut other] = [(); 4].map(|()| Windows::default());
        let recorder = Recorder::default();
        let mut watch = &recorder;
        let mut events = Events::new(|event: Event| {
            let Some(time) = event.time.filter(|time| time.is_finite()) else { return };
            let add = |to: &mut Windows| to.add(event.level.max(1), time, before, after);
            if !self.kinds.is_empty() {
                if self.kinds.iter().any(|kind| kind == event.name()) {
                    add(&mut asked);
                }
                return;
            }
            if let EventKind::Kill { attacker, class: "kill", .. } = &event.kind {
                add(&mut kills);
                if recorder.matches(attacker.as_ref()) {
                    add(&mut own);
                }
            }
            if is_progress(&event.kind) {
                add(&mut other);
            }
        });
        let levels = follow(source, &mut [&mut watch, &mut events])?;
        drop(events);
        let found = [asked, own, kills, other].into_iter().find(|windows| !windows.0.is_empty());
        let Some(found) = found else {
            let why = if self.kinds.is_empty() {
                "it has no highlights: `moviola events` lists its events, and --kind selects some".into()
            } else {
                format!("there is no {} in it; `moviola events` lists all events", self.kinds.join(" or "))
            };
            return Err(Error::Impossible(why));
        };
        Ok(FoundSpans::of_times(found.best(self.top, &levels), levels))
    }
}

/// Whether the event is a highlight of a recording in which nobody kills another player.
fn is_progress(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::Kill { .. }
            | EventKind::Secret { .. }
            | EventKind::Monster { .. }
            | EventKind::Boss { .. }
            | EventKind::PowerupStart { .. }
            | EventKind::Flag { .. }
            | EventKind::Death { .. }
            | EventKind::Damage { .. }
            | EventKind::Pickup { .. }
            | EventKind::Chat { .. }
    )
}

/// The recorder, by the part of the recording that was read.
#[derive(Debug, Default)]
struct Recorder(RefCell<Option<EventPlayer>>);

impl Recorder {
    fn set(&self, slot: Option<u8>, name: &[u8]) {
        let is_same = |own: &EventPlayer| own.slot == slot && own.name.bytes() == name;
        if !name.is_empty() && !self.0.borrow().as_ref().is_some_and(is_same) {
            self.0.replace(Some(EventPlayer::new(slot, name)));
        }
    }

    fn matches(&self, who: Option<&EventPlayer>) -> bool {
        self.0.borrow().as_ref().zip(who).is_some_and(|(own, who)| match own.slot.zip(who.slot) {
            Some((own, who)) => own == who,
            None => own.name == who.name,
        })
    }
}

impl Watch for &Recorder {
    fn quake(&mut self, world: &quake::World, _: &PassPosition) {
        let slot = world.view.entity.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
        if let Some(player) = slot.and_then(|slot| world.players.get(usize::from(slot))) {
            self.set(slot, player.name.bytes());
        }
    }

    fn quake2(&mut self, world: &quake2::World, _: &PassPosition) {
        if let Ok(slot) = u8::try_from(world.server.client) {
            self.set(Some(slot), world.config.player(slot).0);
        }
    }

    fn quakeworld(&mut self, world: &quakeworld::World, _: &PassPosition) {
        if let Some((slot, _)) = world.recorder
            && let Some(player) = world.players.get(usize::from(slot))
        {
            self.set(Some(slot), player.name());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Windows;
    use crate::SpanLevel;

    fn best(count: usize) -> Vec<f64> {
        let mut windows = Windows::default();
        for time in [10.0, 40.0, 41.0, 43.0, 70.0, 95.0] {
            windows.add(1, time, 2.0, 1.0);
        }
        let levels = [SpanLevel { times: Some((0.0, 100.0)), ..SpanLevel::default() }];
        windows.best(Some(count), &levels).into_iter().map(|(_, from, _)| from).collect()
    }

    #[test]
    fn the_best_are_streaks_and_last_seconds() {
        assert_eq!(best(1), [38.0]);
        assert_eq!(best(2), [38.0, 93.0]);
        assert_eq!(best(3), [8.0, 38.0, 93.0]);
        assert_eq!(best(9).len(), 4);
    }
}
