//! Finds the shots of a script in a recording, and an entity's number that is free there.

use super::script::{Script, within};
use crate::machinery::film::Film;
use crate::machinery::players::Players;
use crate::machinery::span::FoundSpans;
use crate::machinery::used::UsedNumbers;
use crate::{BlockWriter, EditOutput, Error, Rewrite, rewrite};
use moviola_format::names::quake2::CS_MODELS;
use moviola_format::{Entry, Format, Game, dem, dm2, info_value, qw};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

/// Blocks that one shot takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShotBlocks {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) shot: usize,
}

/// A shot, and the later one in the script that is shown in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HiddenShot {
    pub(super) shot: usize,
    pub(super) by: usize,
}

/// Facts about a recording that the camera needs before it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// In the order of the recording.
    pub(super) takes: Vec<ShotBlocks>,
    /// When, in seconds of the film, each shot begins and ends.
    pub(super) times: Vec<Option<(f64, f64)>>,
    /// The shots that a later shot covers, each with its beginning and end in game time.
    pub(super) covered: BTreeMap<HiddenShot, (f64, f64)>,
    /// All players who occur in the recording.
    pub(super) players: Players,
    /// The game of the recording.
    pub(super) game: Game,
    /// The names of the levels' files.
    pub(super) levels: BTreeSet<Vec<u8>>,
    /// An entity's number that nothing in the recording uses.
    pub(super) free: Option<u16>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            takes: Vec::new(),
            times: Vec::new(),
            covered: BTreeMap::new(),
            players: Players::default(),
            game: Game::Quake,
            levels: BTreeSet::new(),
            free: None,
        }
    }
}

impl Plan {
    /// The shot that a block is in.
    pub(super) fn shot(&self, block: u64) -> Option<usize> {
        let after = self.takes.partition_point(|take| take.first <= block);
        let take = self.takes.get(after.checked_sub(1)?)?;
        (block <= take.last).then_some(take.shot)
    }

    /// The length of a shot in seconds of the film.
    pub(super) fn length(&self, shot: usize) -> f64 {
        self.times.get(shot).copied().flatten().map_or(0.0, |(from, to)| to - from)
    }

    /// The progress of a shot at a time of the film, from 0 to 1.
    pub(super) fn progress(&self, shot: usize, now: f64) -> f64 {
        match self.times.get(shot) {
            Some(Some((from, to))) if to > from => ((now - from) / (to - from)).clamp(0.0, 1.0),
            _ => 0.0,
        }
    }
}

/// Reads a recording: once, and once more for each shot at an event or at seconds of the film.
pub(super) fn survey<R: Read>(
    script: &Script,
    mut open: impl FnMut() -> io::Result<R>,
) -> Result<Plan, Error> {
    let (mut found, mut unmet) = (Vec::new(), Vec::new());
    for shot in &script.shots {
        let known = shot.spans.known();
        unmet.push(known.as_ref().map_or_else(Vec::new, FoundSpans::places));
        match known.map_or_else(|| shot.spans.find(open()?), Ok) {
            Ok(it) => found.push(it),
            Err(Error::Mistakes(_)) => return Err(mistakes(script, open)),
            Err(error) => return Err(error),
        }
    }
    let times = vec![None; found.len()];
    let mut survey = Survey {
        found,
        unmet,
        plan: Plan { times, ..Plan::default() },
        film: Film::default(),
        used: UsedNumbers::new(),
        game: Game::Quake,
    };
    rewrite(open()?, &mut survey, io::sink())?;
    if !survey.unmet.iter().all(Vec::is_empty) {
        return Err(mistakes(script, open));
    }
    let free = match survey.game {
        // A slot that no player has.
        Game::QuakeWorld => (0..SLOTS).find(|slot| !survey.plan.players.has(*slot)).map(u16::from),
        game => survey.used.free(game).next(),
    };
    Ok(Plan { free, game: survey.game, ..survey.plan })
}

/// The mistakes in the spans of all shots.
fn mistakes<R: Read>(script: &Script, mut open: impl FnMut() -> io::Result<R>) -> Error {
    let mut mistakes = Vec::new();
    for shot in &script.shots {
        match open().map_err(Error::from).and_then(|recording| shot.spans.find(recording)) {
            Ok(_) => {}
            Err(Error::Mistakes(all)) => {
                mistakes.extend(all.iter().map(|it| within(&script.text, shot.range.clone(), it)));
            }
            Err(error) => return error,
        }
    }
    Error::Mistakes(mistakes)
}

struct Survey {
    found: Vec<FoundSpans>,
    /// The parts of each shot's spans in which no block was yet.
    unmet: Vec<Vec<usize>>,
    plan: Plan,
    film: Film,
    used: UsedNumbers,
    game: Game,
}

/// How many players a server of QuakeWorld has room for.
const SLOTS: u8 = moviola_state::quakeworld::SLOTS as u8;

/// A recording with more levels than this is damaged.
const MOST_LEVELS: usize = 1000;

impl Survey {
    fn enters(&mut self, level: &[u8]) {
        if !level.is_empty() && self.plan.levels.len() < MOST_LEVELS {
            self.plan.levels.insert(level.to_vec());
        }
    }
}

impl Rewrite for Survey {
    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.game = Error::any_game(format)?;
        Ok(())
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, _: &mut BlockWriter<'_>) {
        self.film.quake(&entry.message);
        if let dem::Message::ServerInfo(it) = &entry.message {
            self.enters(it.precache.models().iter().next().unwrap_or_default().bytes());
        }
        self.plan.players.read_quake(&entry.message);
        self.used.quake(&entry.message);
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, _: &mut BlockWriter<'_>) {
        self.film.quake2(&entry.message);
        if let dm2::Message::ConfigString(it) = &entry.message
            && i32::from(it.index) == i32::from(CS_MODELS) + 1
        {
            self.enters(it.string.bytes());
        }
        self.plan.players.read_quake2(&entry.message);
        self.used.quake2(&entry.message);
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.film.block(self.game, writer);
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, _: &mut BlockWriter<'_>) {
        match &entry.message {
            qw::Message::UpdateUserInfo(it) => {
                // not from SCHEMA: a key of the player's information.
                let name = info_value(it.string.bytes(), b"name").unwrap_or_default();
                self.plan.players.set_name(it.player, name);
            }
            qw::Message::ModelList(it) if it.list.first.unwrap_or_default() == 0 => {
                self.enters(it.list.names.iter().next().unwrap_or_default().bytes());
            }
            _ => {}
        }
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        let place = writer.place();
        for (found, unmet) in self.found.iter().zip(&mut self.unmet) {
            found.meet(place, unmet);
        }
        // If several shots are for a moment, the last one in the script is shown.
        let mut shots = self.found.iter().enumerate().rev().filter(|(_, found)| found.holds(place));
        let Some((shot, _)) = shots.next() else { return Ok(()) };
        for (covered, _) in shots {
            let time = place.time.unwrap_or_default();
            let times =
                self.plan.covered.entry(HiddenShot { shot: covered, by: shot }).or_insert((time, time));
            times.1 = time;
        }
        match self.plan.takes.last_mut() {
            Some(take) if take.shot == shot && take.last.wrapping_add(1) == place.block => {
                take.last = place.block;
            }
            _ => self.plan.takes.push(ShotBlocks { first: place.block, last: place.block, shot }),
        }
        if let Some(times) = self.plan.times.get_mut(shot) {
            let now = self.film.now;
            *times = Some(times.map_or((now, now), |(from, _)| (from, now)));
        }
        Ok(())
    }
}
