//! A recording on disk, with methods for what most programs need; the results have the same types for both games.

use moviola_analyse::{Event, Events, PassPosition, Report, Watch, watch};
use moviola_container::{ContainerEntry, Walk, WalkOptions};
use moviola_format::sniff;
use moviola_state::{quake, quake2};
use serde::Serialize;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// The number of first bytes by which a file's format is recognized.
const START: usize = 1 << 16;

/// A recording in a file, or the only one in an archive. Each method reads the file again, block by block.
#[derive(Clone, Debug)]
pub struct Recording {
    path: PathBuf,
}

/// Opens a recording: a `.dem` or `.dm2`, or a `.dz`, `.zip`, `.pak` or `.gz` with one in it.
///
/// ```no_run
/// for event in moviola::open("run.dem")?.events()? {
///     println!("{:?} {}", event.time, event.kind);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> io::Result<Recording> {
    let recording = Recording { path: path.as_ref().to_owned() };
    recording.bytes()?;
    Ok(recording)
}

/// A player's position at a moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Position {
    /// The block, counted from 0.
    pub block: u64,
    /// The level, counted from 1.
    pub level: u32,
    /// The level's clock in seconds.
    pub time: f64,
    /// The number of the player's entity, counted from 1.
    pub player: u16,
    /// The name.
    pub name: String,
    /// Whether the recording is this player's own.
    pub is_recorder: bool,
    /// East, north and up, in units.
    pub origin: [f32; 3],
    /// The direction of the view, in degrees: 0 is east, 90 north.
    pub yaw: f32,
}

impl Recording {
    /// The recording's bytes from the start, extracted if it is in an archive.
    pub fn bytes(&self) -> io::Result<impl Read + use<>> {
        let mut others = 0_usize;
        let mut found: Option<io::Chain<Cursor<Vec<u8>>, ContainerEntry>> = None;
        for entry in Walk::new(File::open(&self.path)?, WalkOptions::default())? {
            let mut entry = entry.map_err(|trouble| trouble.error)?;
            let mut start = Vec::new();
            entry.by_ref().take(START as u64).read_to_end(&mut start)?;
            if sniff(&start, start.len() < START).game().is_none() {
                continue;
            }
            if found.is_some() {
                others = others.saturating_add(1);
                continue;
            }
            found = Some(Cursor::new(start).chain(entry));
        }
        let path = self.path.display();
        match (found, others) {
            (Some(found), 0) => Ok(found),
            (None, _) => {
                Err(io::Error::new(io::ErrorKind::InvalidData, format!("{path} is not a recording")))
            }
            (Some(_), _) => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("{path} holds several recordings: unpack the one that is meant"),
            )),
        }
    }

    /// The events of the recording, in order.
    ///
    /// ```no_run
    /// let events = moviola::open("match.dm2")?.events()?;
    /// let deaths = events.iter().filter(|event| event.name() == "death").count();
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn events(&self) -> io::Result<Vec<Event>> {
        let mut found = Vec::new();
        let mut events = Events::new(|event| found.push(event));
        watch(self.bytes()?, &mut [&mut events])?;
        drop(events);
        Ok(found)
    }

    /// The report of the recording: players, levels, durations and scores.
    pub fn report(&self) -> io::Result<Report> {
        Report::read(self.bytes()?)
    }

    /// The results of `moviola check`: whether the recording is read exactly, its oddities, and the engines
    /// that play it.
    pub fn check(&self) -> io::Result<moviola_check::CheckReport> {
        moviola_check::check(self.bytes()?)
    }

    /// Calls `each` with every visible player in each frame, in the order of the recording.
    ///
    /// ```no_run
    /// moviola::open("run.dem")?.positions(|at| println!("{:.2} {} {:?}", at.time, at.name, at.origin))?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn positions(&self, each: impl FnMut(Position)) -> io::Result<()> {
        watch(self.bytes()?, &mut [&mut Positions { each, last: None }])
    }
}

/// Calls `each` with the players of each new frame.
struct Positions<F> {
    each: F,
    /// The level and time of the last frame, so that a block without a new frame is skipped.
    last: Option<(u32, f64)>,
}

impl<F: FnMut(Position)> Positions<F> {
    /// Returns the time of a new frame; `None` if the block has no new one.
    fn frame(&mut self, here: &PassPosition, time: f64) -> Option<f64> {
        let now = Some((here.level, time));
        (here.level > 0 && std::mem::replace(&mut self.last, now) != now).then_some(time)
    }
}

impl<F: FnMut(Position)> Watch for Positions<F> {
    fn quake(&mut self, world: &quake::World, here: &PassPosition) {
        let Some(time) = here.time.and_then(|time| self.frame(here, time)) else { return };
        for (number, entity) in world.shown() {
            if number == 0 || number > u16::from(world.level.max_clients) {
                continue;
            }
            let is_recorder = i32::from(number) == i32::from(world.view.entity);
            let name =
                world.players.get(usize::from(number).saturating_sub(1)).map(|player| player.name.bytes());
            let own_yaw = world.view.angles.get(1).map(|yaw| yaw.value());
            let yaw = entity.place.angles.get(1).map(|yaw| yaw.value() as f32);
            (self.each)(Position {
                block: here.block,
                level: here.level,
                time,
                player: number,
                name: text(name.unwrap_or_default()),
                is_recorder,
                origin: entity.place.origin.map(|at| at.value() as f32),
                yaw: own_yaw.filter(|_| is_recorder).or(yaw).unwrap_or_default(),
            });
        }
    }

    fn quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        /// The model number that means the model of a player's skin.
        const PLAYER: u8 = 255;
        let frame = world.drawn();
        let Some(time) = here.time.filter(|_| frame.number > 0) else { return };
        let Some(time) = self.frame(here, time) else { return };
        let recorder = u8::try_from(world.server.client).ok();
        let recorder_state = frame.players.first().map(|(_, state)| state);
        let name = |slot: u8| text(world.config.player(slot).0);
        if let (Some(slot), Some(state)) = (recorder, recorder_state) {
            (self.each)(Position {
                block: here.block,
                level: here.level,
                time,
                player: u16::from(slot).saturating_add(1),
                name: name(slot),
                is_recorder: true,
                origin: state.origin.map(|at| at.value() as f32),
                yaw: state.view_angles.get(1).map(|yaw| yaw.value() as f32).unwrap_or_default(),
            });
        }
        for entity in &frame.entities {
            let slot = entity.number.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
            let Some(slot) = slot.filter(|slot| *slot < world.config.max_clients()) else { continue };
            if entity.models.first() != Some(&PLAYER) || (recorder_state.is_some() && recorder == Some(slot))
            {
                continue;
            }
            (self.each)(Position {
                block: here.block,
                level: here.level,
                time,
                player: entity.number,
                name: name(slot),
                is_recorder: false,
                origin: entity.origin.map(|at| at.value() as f32),
                yaw: entity.angles.get(1).map(|yaw| yaw.value() as f32).unwrap_or_default(),
            });
        }
    }
}

/// A name in the game's font as text, with the characters that the font shows.
fn text(name: &[u8]) -> String {
    moviola_export::Word::of(name).as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Position, open};
    use std::path::{Path, PathBuf};

    fn sample(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)
    }

    fn positions(name: &str) -> Vec<Position> {
        let mut all = Vec::new();
        open(sample(name)).unwrap().positions(|at| all.push(at)).unwrap();
        all
    }

    #[test]
    fn both_games_answer_alike() {
        for name in ["qs_15_lq_e0m9.dem", "yq_sp.dm2"] {
            let recording = open(sample(name)).unwrap();
            assert!(recording.check().unwrap().exact, "{name}");
            assert!(!recording.events().unwrap().is_empty(), "{name}");
            let all = positions(name);
            assert!(
                all.len() > 50 && all.iter().all(|at| at.is_recorder && at.level == 1),
                "{name}: {}",
                all.len()
            );
            assert!(all.iter().all(|at| !at.name.is_empty()), "{name}");
            assert!(all.is_sorted_by_key(|at| at.block), "{name}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        let error = open(sample("README.md")).unwrap_err();
        assert!(error.to_string().ends_with("is not a recording"), "{error}");
        assert!(open(sample("none.dem")).is_err());
    }
}
