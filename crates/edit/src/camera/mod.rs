//! The camera leaves the player: a recording is filmed anew, by a script.

mod operate;
mod quake;
mod quake2;
mod quakeworld;
mod read;
mod rig;
mod route;
mod script;
mod survey;

use crate::machinery::film::Film;
use crate::{BlockWriter, EditCode, EditOutput, Error, Mistake, Rewrite};
use moviola_assets::Bsp;
use moviola_check::largest_block;
use moviola_format::names::readable;
use moviola_format::{Entry, Fault, Format, Game, client, dem, dm2, qw};
use operate::{CameraOperator, ShotResult};
use route::Route;
use script::{Script, Shot};
use std::io::{self, Read};
use survey::{HiddenShot, Plan};

/// Films a recording anew, by a script.
///
/// ```
/// use moviola_edit::{Camera, rewrite};
/// let script = r#"
///     [[shot]]
///     at = "1..2"
///     stay = [480, -300, 100]
///     view = "me"
/// "#;
/// let mut camera = Camera::parse(script).unwrap();
/// // Nobody is in this recording, so there is nobody to look at.
/// let recording = &b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f"[..];
/// camera.find(|| Ok(recording)).unwrap();
/// let error = rewrite(recording, &mut camera, Vec::new()).unwrap_err();
/// assert_eq!(error.to_string(), "the target of this shot is not there while the shot lasts");
/// ```
#[derive(Clone, Debug)]
pub struct Camera {
    script: Script,
    plan: Plan,
    game: Game,
    film: Film,
    operator: CameraOperator,
    quake: quake::FilmedState,
    quake2: quake2::FilmedState,
    quakeworld: quakeworld::FilmedState,
    /// The shot that the block is in.
    shot: Option<usize>,
    /// Whether the block was read to its end.
    is_readable: bool,
}

impl Camera {
    /// Reads a script.
    ///
    /// # Errors
    /// All mistakes of the script, with their places.
    pub fn parse(script: &str) -> Result<Self, Vec<Mistake>> {
        Script::parse(script).map(Self::of)
    }

    /// Takes shots of one line each: the lines of a script below `[[shot]]`, separated by commas.
    ///
    /// # Errors
    /// All mistakes in them; the source of each is its line.
    ///
    /// ```
    /// use moviola_edit::Camera;
    /// assert!(Camera::shots(&["at = '1..2', stay = [0, 0, 0], turn = [[0, 90]]".to_owned()]).is_ok());
    /// let mistakes = Camera::shots(&["at = '1..2', stay = [0, 0]".to_owned()]).unwrap_err();
    /// assert_eq!((mistakes[0].line, mistakes[0].column), (1, 21));
    /// ```
    pub fn shots(lines: &[String]) -> Result<Self, Vec<Mistake>> {
        Script::of_lines(lines).map(Self::of)
    }

    /// The ways of the camera, each as places one after the other. Shots that follow something have none.
    pub fn ways(&self) -> Vec<Vec<[f64; 3]>> {
        let way = |shot: &Shot| match &shot.stand {
            script::CameraStand::Way(path) => Some(path.places()),
            _ => None,
        };
        self.script.shots.iter().filter_map(way).collect()
    }

    fn of(script: Script) -> Self {
        Self {
            operator: CameraOperator::new(script.shots.len()),
            script,
            plan: Plan::default(),
            game: Game::Quake,
            film: Film::default(),
            quake: quake::FilmedState::default(),
            quake2: quake2::FilmedState::default(),
            quakeworld: quakeworld::FilmedState::default(),
            shot: None,
            is_readable: true,
        }
    }

    /// Finds the shots in the recording, which `open` opens anew each time it is asked. Without it, nothing is filmed.
    ///
    /// # Errors
    /// Shots outside of the recording, with their places in the script; or when reading fails.
    pub fn find<R: Read>(&mut self, open: impl FnMut() -> io::Result<R>) -> Result<(), Error> {
        self.plan = survey::survey(&self.script, open)?;
        self.operator.players = std::mem::take(&mut self.plan.players);
        Ok(())
    }

    /// The blocks at which the view changes at once, because a shot begins or has ended; known when the shots were found.
    ///
    /// ```
    /// use moviola_edit::Camera;
    /// let mut camera = Camera::parse("[[shot]]\nat = '1..2'\nstay = [0, 0, 0]\nview = 'me'").unwrap();
    /// # let recording = &b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f"[..];
    /// camera.find(|| Ok(recording)).unwrap();
    /// assert_eq!(camera.cuts(), [0, 1]);
    /// ```
    pub fn cuts(&self) -> Vec<u64> {
        self.plan.takes.iter().flat_map(|shot| [shot.first, shot.last.saturating_add(1)]).collect()
    }

    /// The files of the recordings whose ways the camera takes, as the script names them; each is needed by
    /// [`Camera::path`].
    ///
    /// ```
    /// use moviola_edit::Camera;
    /// let camera = Camera::parse("[[shot]]\nat = '1..2'\npath = 'other.dem'").unwrap();
    /// assert_eq!(camera.paths(), ["other.dem"]);
    /// ```
    pub fn paths(&self) -> Vec<String> {
        let file = |shot: &Shot| match &shot.stand {
            script::CameraStand::Recorded(file) => Some(file.clone()),
            _ => None,
        };
        let mut paths: Vec<String> = self.script.shots.iter().filter_map(file).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Takes in a recording whose way the camera takes, by the name that the script has for it. The shots must
    /// be [found](Self::find) before.
    ///
    /// # Errors
    /// When the recording is of another game, or was in none of the levels, or cannot be read.
    pub fn path(&mut self, name: &str, recording: impl Read) -> Result<(), Error> {
        let is_it = |shot: &Shot| matches!(&shot.stand, script::CameraStand::Recorded(file) if file == name);
        let shots = self.script.shots.iter().enumerate().filter(|(_, shot)| is_it(shot));
        let longest = shots.map(|(number, _)| self.plan.length(number)).fold(0.0, f64::max);
        let route = Route::read(name, recording, self.plan.game, &self.plan.levels, longest)?;
        self.operator.routes.insert(name.to_owned(), route);
        Ok(())
    }

    /// The files of the levels in the recording, `maps/e1m1.bsp`; known when the shots were found.
    pub fn levels(&self) -> impl Iterator<Item = String> + '_ {
        self.plan.levels.iter().map(|name| readable(name))
    }

    /// Takes in the file of a level, whose visibility data shows what the recorder could see. Without
    /// it a shot is judged by the distance between the camera and that player.
    ///
    /// ```
    /// use moviola_edit::Camera;
    /// let mut camera = Camera::parse("[[shot]]\nat = '1..2'\nstay = [0, 0, 0]\nview = 'me'").unwrap();
    /// # let recording = &b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f"[..];
    /// camera.find(|| Ok(recording)).unwrap();
    /// assert_eq!(camera.levels().count(), 0);
    /// let error = camera.map("maps/e1m1.bsp", b"no level").unwrap_err();
    /// assert!(error.to_string().starts_with("maps/e1m1.bsp cannot be used: it is not a level"));
    /// ```
    ///
    /// # Errors
    /// When the file is not a level, or damaged.
    pub fn map(&mut self, name: &str, file: &[u8]) -> Result<(), Error> {
        let level =
            level_to_see(file).map_err(|why| Error::Impossible(format!("{name} cannot be used: {why}")))?;
        let known = self.plan.levels.iter().find(|known| readable(known) == name);
        self.operator.maps.insert(known.map_or_else(|| name.as_bytes().to_vec(), Vec::clone), level);
        Ok(())
    }

    /// Uses the files of levels for notes alone: the result is the same with and without them.
    ///
    /// ```
    /// let mut camera = moviola_edit::Camera::parse("[[shot]]\nat = '1..2'\nchase = 'me'").unwrap();
    /// camera.ignore_walls();
    /// ```
    pub fn ignore_walls(&mut self) {
        self.operator.held_by_walls = false;
    }
}

/// A level in which the parts that [`Bsp::hidden`] and [`Bsp::reach`] need are whole. Damaged light or textures are no
/// reason to refuse it.
fn level_to_see(file: &[u8]) -> Result<Bsp, String> {
    // not from SCHEMA: the lumps of a level's file
    const NEEDED: [&str; 5] = ["planes", "nodes", "leafs", "models", "visibility"];
    let level = Bsp::read(file).map_err(|error| error.problem.into_owned())?;
    if let Some(damage) = level.damage.iter().find(|damage| NEEDED.contains(&damage.part)) {
        return Err(format!("its {damage}"));
    }
    if level.nodes.is_empty() || level.leafs.is_empty() {
        return Err("its tree is empty".into());
    }
    Ok(level)
}

/// The mistakes in the shots, once they were filmed.
impl Camera {
    fn takes(&self) -> impl Iterator<Item = (usize, &Shot, &ShotResult)> {
        self.script
            .shots
            .iter()
            .zip(&self.operator.results)
            .enumerate()
            .map(|(at, (shot, take))| (at, shot, take))
    }

    /// Shots that follow something that is not there.
    fn not_there(&self) -> impl Iterator<Item = Mistake> {
        let is_due = |number: usize| self.plan.times.get(number).is_some_and(Option::is_some);
        self.takes().filter(move |(number, _, take)| take.frames == 0 && is_due(*number)).map(
            |(_, shot, take)| {
                let message = match &shot.stand {
                    script::CameraStand::Recorded(file) if self.operator.routes.contains_key(file) => {
                        "the path of this shot is on another level"
                    }
                    script::CameraStand::Recorded(_) => "the recording of this path is not at hand",
                    _ => "the target of this shot is not there while the shot lasts",
                };
                let range = take.missing.as_ref().map_or_else(|| shot.range.clone(), |it| shot.place_of(it));
                let mistake = script::mistake(&self.script.text, range, message);
                let help =
                    take.missing.as_ref().and_then(|target| target.suggest_player(&self.operator.players));
                let help =
                    help.unwrap_or_else(|| "`moviola info` lists players, `decompile` entities".into());
                Mistake { code: EditCode::NoTarget, ..mistake }.help(help)
            },
        )
    }

    /// Shots whose camera is at a place that the recording does not give.
    fn shots_without_view(&self) -> impl Iterator<Item = Mistake> {
        self.takes().filter_map(|(_, shot, take)| {
            let (place, nearest) = take.beyond?;
            let message = format!(
                "the camera would be at {place:.0}, but coordinates in the recording reach only {nearest:.0}"
            );
            let help =
                "levels are smaller than that; in Quake, `moviola convert --to 666` or 999 may allow more";
            Some(script::mistake(&self.script.text, shot.range.clone(), message).help(help))
        })
    }
}

impl Rewrite for Camera {
    fn needs_updates(&self) -> Option<&'static str> {
        Some("filmed by a camera")
    }

    fn needs_messages(&self) -> Option<&'static str> {
        Some("filmed")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.game = Error::any_game(format)?;
        if format == Format::Mvd {
            let why = "an .mvd has no camera: a `View` of a player makes a .qwd, which has one";
            return Err(Error::Impossible(why.into()));
        }
        Ok(())
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.shot = self.plan.shot(writer.place().block);
        self.is_readable = !writer.block().is_from_client() && !writer.block().is_truncated();
        match self.game {
            Game::Quake => self.quake.block(self.shot.is_some(), writer),
            Game::Quake2 => self.quake2.block(writer.block()),
            Game::QuakeWorld => {
                self.film.block(self.game, writer);
                self.quakeworld.block(self.shot.is_some(), writer);
            }
        }
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.quakeworld.message(entry, writer);
    }

    fn record(&mut self, entry: &Entry<client::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.quakeworld.record(entry, writer);
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.film.quake(&entry.message);
        let shot = self.shot.and_then(|number| self.script.shots.get(number));
        self.quake.message(shot, entry, writer);
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.film.quake2(&entry.message);
        self.quake2.message(self.film.now, entry, writer.end());
        writer.keep();
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        self.is_readable = false;
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let shot = self.shot.filter(|_| self.is_readable);
        let shot = shot.and_then(|number| Some((number, self.script.shots.get(number)?)));
        match self.game {
            Game::Quake => {
                self.quake.block_end(shot, &mut self.operator, &self.plan, self.film.now, writer);
            }
            Game::QuakeWorld => {
                self.quakeworld.block_end(shot, &mut self.operator, &self.plan, self.film.now, writer);
            }
            Game::Quake2 => self.quake2.block_end(shot, &mut self.operator, &self.plan, writer)?,
        }
        match self.quake2.parts.as_slice() {
            [] => writer.write(out),
            parts => parts.iter().try_for_each(|messages| out.block([0; 3], messages)),
        }
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let mistakes: Vec<Mistake> = self.not_there().chain(self.shots_without_view()).collect();
        if !mistakes.is_empty() {
            return Err(Error::Mistakes(mistakes));
        }
        for (HiddenShot { shot, by }, (from, to)) in
            self.plan.covered.iter().filter(|(_, (from, to))| from < to)
        {
            let (shot, by) = (self.script.called(*shot), self.script.called(*by));
            out.note(format!("{by} is shown instead of {shot}, {from:.1}..{to:.1}"));
        }
        for (number, take) in self.operator.results.iter().enumerate() {
            take.notes().into_iter().for_each(|note| out.note(format!("shot {}: {note}", number + 1)));
        }
        if self.operator.results.iter().any(|take| take.unjudged > 0) {
            out.note("without the level's file, walls are unknown: the camera may be in one, or see places that were not recorded");
        }
        let is_changed = |shot: &Shot| shot.fov.is_some() || !shot.hud;
        if self.game == Game::QuakeWorld && self.script.shots.iter().any(is_changed) {
            out.note(
                "`fov` and `hud` have no effect, because QuakeWorld's clients use the viewer's own settings",
            );
        }
        if self.quake2.large > 0 {
            out.note(format!(
                "{} frames have more than {} bytes now, which old engines refuse",
                self.quake2.large,
                largest_block(Game::Quake2)
            ));
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let filmed = self.operator.results.iter().filter(|take| take.frames > 0).count();
        let frames: u64 = self.operator.results.iter().map(|take| take.frames).sum();
        format!("{filmed} shot{}, {frames} frames", if filmed == 1 { "" } else { "s" })
    }
}
