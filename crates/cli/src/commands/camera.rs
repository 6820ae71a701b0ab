//! `moviola camera`: a recording filmed anew.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError, beside};
use crate::inside::{self, WantedFiles};
use crate::maps;
use crate::scenes::GamePlaces;
use clap::Args;
use moviola::edit::{Camera, View};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

const AFTER_HELP: &str = "\
A script is a TOML file with a table for each shot:

  [[shot]]
  at = \"0:05..0:10\"              time: spans, as in `moviola cut`
  stay = [480, -300, 100]         position of the camera
  view = \"me\"                     direction of the camera

Position:        stay = [x, y, z]          in one place
                 move = [[x, y, z], ...]   on a smooth path through these places
                 chase = TARGET            behind it: behind = 96, above = 40
                 orbit = TARGET            around it: distance = 160, above = 48,
                                           from = 0, to = 360 degrees
                 eyes = TARGET             through another player's eyes
                 path = \"other.dem\"        on the path of the player who recorded
                                           other.dem, from its beginning
Direction:       view = TARGET or [x, y, z]
                 pan = [[x, y, z], ...]    at a place that moves
                 turn = [[pitch, yaw], ...]
Other:           lean = degrees, or roll = [from, ..., to]
                 fov = degrees, or [from, ..., to]
                 hud = false               without the status bar
                 ease = true               start and stop softly
                 when = [0, 2.5, 4]        the times of the places of `move` and
                                           the angles of `turn`, after the first
TARGET is \"me\" (the recorder), \"player 2\", \"player Ranger\" or \"entity 17\".
Places are in game coordinates: `moviola export --tables ticks` lists those of the
recorder, and `moviola plot` draws the recorder's path with a scale.

Without a direction the camera looks at the target that it follows, or at the
recorder; on a path, in the direction of the other recording. If two shots
overlap, the later one in the script is shown. The weapon is hidden, and the
recorder's body is visible. Far from the recorder, parts of the game are missing,
because a server sends a player only what this player could see; shots of such
places are listed. With --maps, the files of the levels show how much of the
picture is missing, and a camera that chases or orbits stays on its side of the
walls; without --maps, the command judges by the distance from the recorder.

A .qwd can be filmed too. An .mvd has all players, so it is first converted to a
.qwd of its first player. The recorder is then shown in an unused slot of the
scoreboard. `fov`, `hud` and `path` do not work for these recordings.

Through the eyes of another player, that player's body is hidden, and so is the
status bar unless hud = true, because its numbers are those of the recorder. No
weapon is visible, because a player's recording does not contain the weapons in the
hands of others. A recording of a QuakeWorld server does: use `film --who` or
`convert --player`. Quake's status bar depends on the command `viewsize`, which is
set back to the value in the recording, or to 100.

A shot can also be written in the command, in one line with commas. Then a script
for `moviola edit` needs no file beside it.

Examples:
  moviola camera run.dem film.toml -o film.dem
  moviola camera run.dem --shot 'at = \"+5..+8\", chase = \"me\"' -o film.dem
  moviola camera duel.dem --shot 'at = \"kill -2 +2\", eyes = \"player 2\"' -o film.dem
  moviola camera duel.dm2 film.toml -o film.dm2
  moviola camera run.dem film.toml --maps quake/id1 -o film.dem";

/// The arguments of `camera`.
#[derive(Debug, Default, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CameraArgs {
    /// The script.
    #[arg(value_name = "SCRIPT", required_unless_present = "shot", conflicts_with = "shot")]
    script: Option<PathBuf>,
    /// A shot in one line, instead of a script; may be repeated.
    #[arg(long, value_name = "SHOT")]
    shot: Vec<String>,
    /// The files of the levels: a folder of the game, or a .pak, .pk3 or .zip file.
    #[arg(long, value_name = "DIR|PAK")]
    maps: Option<PathBuf>,
    /// The game's files, where a film is made with them.
    #[arg(skip)]
    game: GamePlaces,
    /// The blocks at which the view changes at once, known when the shots were found.
    #[arg(skip)]
    cuts: Rc<RefCell<BTreeSet<u64>>>,
}

impl CameraArgs {
    /// A script, for a film with the levels of this game.
    pub(crate) fn of(script: &Path, game: &GamePlaces) -> Self {
        Self { script: Some(script.to_owned()), game: game.clone(), ..Self::default() }
    }

    /// The blocks at which the view changes at once, after the recording was edited.
    pub(crate) fn cuts(&self) -> BTreeSet<u64> {
        self.cuts.take()
    }
}

impl EditArgs for CameraArgs {
    fn files(&self) -> &[PathBuf] {
        self.script.as_slice()
    }

    fn plan(&self, folder: &Path) -> Result<Plan, PlanError> {
        // A path in a script is relative to the script.
        let mut paths_folder = folder.to_owned();
        let (asked, camera) = match &self.script {
            None => (MistakePlace::Word("--shot"), Camera::shots(&self.shot)),
            Some(script) => {
                let place = beside(folder, script);
                paths_folder = place.parent().map_or_else(PathBuf::new, Path::to_owned);
                let mut script = inside::single(&place, WantedFiles::Files)?;
                let mut text = Vec::new();
                script.read_to_end(&mut text)?;
                (MistakePlace::File(script.name().to_owned()), Camera::parse(&String::from_utf8_lossy(&text)))
            }
        };
        let mut camera = match camera {
            Ok(camera) => camera,
            Err(found) => return Err(PlanError::Mistakes(asked, found)),
        };
        let place = self.maps.as_ref().map(|place| beside(folder, place));
        let (game, cuts) = (self.game.open()?, Rc::clone(&self.cuts));
        Ok(Plan::looking(asked, move |chain| {
            if let Some(view) = View::of_match(|| chain.open())? {
                chain.then(view);
            }
            camera.find(|| chain.open())?;
            cuts.borrow_mut().extend(camera.cuts());
            for path in camera.paths() {
                let place = beside(&paths_folder, Path::new(&path));
                let other = inside::single(&place, WantedFiles::Recordings).map_err(io::Error::other)?;
                camera.path(&path, other)?;
            }
            let levels: Vec<String> = camera.levels().collect();
            for name in &levels {
                if let Some(place) = &place {
                    camera.map(name, &maps::level(place, name).map_err(io::Error::other)?)?;
                } else if let Some(Ok(file)) = game.read(name) {
                    // The film itself says which levels are damaged.
                    let _ = camera.map(name, &file);
                }
            }
            chain.then(camera);
            Ok(())
        }))
    }
}
