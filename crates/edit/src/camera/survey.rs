//! Where the shots of a script are in a recording, and which numbers of entities are free there.

use super::script::{Script, within};
use crate::film::Film;
use crate::span::Found;
use crate::{Error, Out, Pen, Rewrite, rewrite};
use moviola_format::names::quake2::CS_MODELS;
use moviola_format::{Entry, Format, Game, dem, dm2};
use std::collections::BTreeSet;
use std::io::{self, Read};

/// Blocks that one shot takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Take {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) shot: usize,
}

/// What is known of a recording before it is filmed anew.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// In the order of the recording.
    pub(super) takes: Vec<Take>,
    /// When, in seconds of the film, each shot begins and ends.
    pub(super) times: Vec<Option<(f64, f64)>>,
    /// The names of the levels' files.
    pub(super) levels: BTreeSet<Vec<u8>>,
    /// An entity's number that nothing in the recording uses.
    pub(super) free: Option<u16>,
}

impl Plan {
    /// The shot that a block is in.
    pub(super) fn shot(&self, block: u64) -> Option<usize> {
        let after = self.takes.partition_point(|take| take.first <= block);
        let take = self.takes.get(after.checked_sub(1)?)?;
        (block <= take.last).then_some(take.shot)
    }

    /// How far a shot is at a time of the film, from 0 to 1.
    pub(super) fn progress(&self, shot: usize, now: f64) -> f64 {
        match self.times.get(shot) {
            Some(Some((from, to))) if to > from => ((now - from) / (to - from)).clamp(0.0, 1.0),
            _ => 0.0,
        }
    }
}

/// Reads a recording: once for each shot, and once more.
pub(super) fn survey<R: Read>(
    script: &Script,
    mut open: impl FnMut() -> io::Result<R>,
) -> Result<Plan, Error> {
    let mut found = Vec::new();
    let mut mistakes = Vec::new();
    for shot in &script.shots {
        match shot.spans.find(open()?) {
            Ok(it) => found.push(it),
            Err(Error::Mistakes(all)) => {
                mistakes.extend(all.iter().map(|it| within(&script.text, shot.said.clone(), it)));
            }
            Err(error) => return Err(error),
        }
    }
    if !mistakes.is_empty() {
        return Err(Error::Mistakes(mistakes));
    }
    let times = vec![None; found.len()];
    let mut survey = Survey {
        found,
        plan: Plan { times, ..Plan::default() },
        film: Film::default(),
        used: vec![false; 1 << 10],
        game: Game::Quake,
    };
    rewrite(open()?, &mut survey, io::sink())?;
    let used = &survey.used;
    // Players have the first numbers; above them the lowest one is in every engine's reach.
    let free = (64..=highest(survey.game)).find(|number| used.get(usize::from(*number)) == Some(&false));
    Ok(Plan { free, ..survey.plan })
}

/// The highest number that an entity has in the first engines.
fn highest(game: Game) -> u16 {
    match game {
        Game::Quake => 448,
        Game::Quake2 => 1023,
    }
}

struct Survey {
    found: Vec<Found>,
    plan: Plan,
    film: Film,
    used: Vec<bool>,
    game: Game,
}

/// More levels than this are in no recording.
const MOST_LEVELS: usize = 1000;

impl Survey {
    fn enters(&mut self, level: &[u8]) {
        if !level.is_empty() && self.plan.levels.len() < MOST_LEVELS {
            self.plan.levels.insert(level.to_vec());
        }
    }

    fn uses(&mut self, number: u16) {
        if let Some(used) = self.used.get_mut(usize::from(number)) {
            *used = true;
        }
    }
}

impl Rewrite for Survey {
    fn begin(&mut self, format: Format, _: &mut Out<'_>) -> Result<(), Error> {
        self.game = Error::game(format)?;
        Ok(())
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, _: &mut Pen<'_>) {
        self.film.quake(&entry.message);
        match &entry.message {
            dem::Message::ServerInfo(it) => {
                self.enters(it.precache.models().iter().next().unwrap_or_default().bytes());
            }
            dem::Message::UpdateEntity(it) => self.uses(it.entity.0),
            dem::Message::SpawnBaseline(it) => self.uses(it.entity as u16),
            dem::Message::SpawnBaseline2(it) => self.uses(it.entity as u16),
            dem::Message::SetView(it) => self.uses(it.entity as u16),
            dem::Message::Sound(it) => self.uses(it.source.entity),
            _ => {}
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, _: &mut Pen<'_>) {
        self.film.quake2(&entry.message);
        match &entry.message {
            dm2::Message::ConfigString(it) if i32::from(it.index) == i32::from(CS_MODELS) + 1 => {
                self.enters(it.string.bytes());
            }
            dm2::Message::PacketEntities(it) => it.entities.iter().for_each(|it| self.uses(it.entity.0)),
            dm2::Message::SpawnBaseline(it) => self.uses(it.entity.0),
            dm2::Message::MuzzleFlash2(it) => self.uses(it.entity as u16),
            _ => {}
        }
    }

    fn block_end(&mut self, pen: &mut Pen<'_>, _: &mut Out<'_>) -> Result<(), Error> {
        let place = pen.place();
        // The last shot that is said of a moment is shown.
        let Some(shot) = self.found.iter().rposition(|found| found.holds(place)) else { return Ok(()) };
        match self.plan.takes.last_mut() {
            Some(take) if take.shot == shot && take.last.wrapping_add(1) == place.block => {
                take.last = place.block;
            }
            _ => self.plan.takes.push(Take { first: place.block, last: place.block, shot }),
        }
        if let Some(times) = self.plan.times.get_mut(shot) {
            let now = self.film.now;
            *times = Some(times.map_or((now, now), |(from, _)| (from, now)));
        }
        Ok(())
    }
}
