//! `moviola camera`: a recording filmed anew.

use crate::edits::{Asked, EditArgs, Plan, Refused, beside};
use crate::inside::{self, Wanted};
use crate::maps;
use clap::Args;
use moviola::edit::{Camera, View};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const MORE: &str = "\
A script is a TOML file with a table for each shot:

  [[shot]]
  at = \"0:05..0:10\"              when: spans, as `moviola cut` takes them
  stay = [480, -300, 100]         where the camera is
  view = \"me\"                     where it looks

Where it is:     stay = [x, y, z]          in one place
                 move = [[x, y, z], ...]   on a smooth way through these places
                 chase = TARGET            behind it: behind = 96, above = 40
                 orbit = TARGET            around it: distance = 160, above = 48,
                                           from = 0, to = 360 degrees
                 eyes = TARGET             in the eyes of another player
                 path = \"other.dem\"        on the way of whoever recorded that,
                                           who began with the shot
Where it looks:  view = TARGET or [x, y, z]
                 pan = [[x, y, z], ...]    at a place that moves
                 turn = [[pitch, yaw], ...]
How:             lean = degrees, or roll = [from, ..., to]
                 fov = degrees, or [from, ..., to]
                 hud = false               without the status bar
                 ease = true               start and stop softly
                 when = [0, 2.5, 4]        the times of the places of `move` and
                                           the angles of `turn`, from the first on
TARGET is \"me\", the player, \"player 2\", \"player Ranger\" or \"entity 17\".
Places are the game's: `moviola export --tables ticks` tells where who recorded
was, `moviola plot` draws his way with a scale.

A shot without a view looks at what it follows, or at who recorded; on a path it
looks where the other one looked. Of two shots
at the same time the later one in the script is shown. The weapon is hidden, and
the player's body is there. Far from him a recording has holes, because a server
tells a player only what he could see: shots that show more are listed. With --maps
the levels' own data tell how much of the picture that is, and a camera that
chases or circles stays on its side of the walls; without, the distance from him
has to do.

A .qwd is filmed as well; of an .mvd, which has everybody, a .qwd of its first
player is made for it. The player who recorded is seen in a place that nobody
has on the scoreboard. `fov`, `hud` and `path` are not for these recordings.

In the eyes of another player his body is hidden, and so is the status bar unless
hud = true, since its numbers are those of who recorded. No weapon is in the
picture: a player's recording does not say what another one holds in his hands.
One of a QuakeWorld server does: `film --who`, `convert --player`. Quake's bar goes
by the command `viewsize`, which is set back to what the recording set or to 100.

A shot can also be given in the command, in one line with commas between. A script
for `moviola edit` then needs no file beside it.

Examples:
  moviola camera run.dem film.toml -o film.dem
  moviola camera run.dem --shot 'at = \"+5..+8\", chase = \"me\"' -o film.dem
  moviola camera duel.dem --shot 'at = \"kill -2 +2\", eyes = \"player 2\"' -o film.dem
  moviola camera duel.dm2 film.toml -o film.dm2
  moviola camera run.dem film.toml --maps quake/id1 -o film.dem";

/// The arguments of `camera`.
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct CameraArgs {
    /// The script.
    #[arg(value_name = "SCRIPT", required_unless_present = "shot", conflicts_with = "shot")]
    script: Option<PathBuf>,
    /// A shot in one line, in place of a script; may be given several times.
    #[arg(long, value_name = "SHOT")]
    shot: Vec<String>,
    /// Where the levels' files are: a folder of the game, or a .pak, .pk3 or .zip file.
    #[arg(long, value_name = "DIR|PAK")]
    maps: Option<PathBuf>,
}

impl CameraArgs {
    /// A script, without maps.
    pub(crate) fn of(script: &Path) -> Self {
        Self { script: Some(script.to_owned()), shot: Vec::new(), maps: None }
    }
}

impl EditArgs for CameraArgs {
    fn files(&self) -> &[PathBuf] {
        self.script.as_slice()
    }

    fn plan(&self, folder: &Path) -> Result<Plan, Refused> {
        // A path in a script is relative to the script.
        let mut paths_folder = folder.to_owned();
        let (asked, camera) = match &self.script {
            None => (Asked::Word("--shot"), Camera::shots(&self.shot)),
            Some(script) => {
                let place = beside(folder, script);
                paths_folder = place.parent().map_or_else(PathBuf::new, Path::to_owned);
                let mut script = inside::single(&place, Wanted::Files)?;
                let mut text = Vec::new();
                script.read_to_end(&mut text)?;
                (Asked::File(script.name().to_owned()), Camera::parse(&String::from_utf8_lossy(&text)))
            }
        };
        let mut camera = match camera {
            Ok(camera) => camera,
            Err(found) => return Err(Refused::Mistakes(asked, found)),
        };
        let place = self.maps.as_ref().map(|place| beside(folder, place));
        Ok(Plan::looking(asked, move |chain| {
            if let Some(view) = View::of_match(|| chain.open())? {
                chain.then(view);
            }
            camera.find(|| chain.open())?;
            for path in camera.paths() {
                let place = beside(&paths_folder, Path::new(&path));
                let other = inside::single(&place, Wanted::Recordings).map_err(io::Error::other)?;
                camera.path(&path, other)?;
            }
            if let Some(place) = place {
                let levels: Vec<String> = camera.levels().collect();
                levels.iter().try_for_each(|name| {
                    let file = maps::level(&place, name).map_err(io::Error::other)?;
                    camera.map(name, &file)
                })?;
            }
            chain.then(camera);
            Ok(())
        }))
    }
}
