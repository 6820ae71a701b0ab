//! The open recording: its pictures, its text, and its edited versions.

#[cfg(feature = "whole")]
use crate::EditedRecording;
use crate::clock::Clock;
use crate::sound::PlayingSounds;
use crate::timeline::{self, Timeline};
use crate::{MapView, PictureView, SharedBytes, drop, overlay};
use moviola_assets::GameFiles;
use moviola_export::Story;
use moviola_film::OverheadRecording;
use moviola_format::Demo;
use moviola_render::{RenderedFrame, Renderer};
use moviola_scene::{Moment, Scene, SceneOptions, Seeker, Vec3};
use serde::Serialize;
use std::fmt;
use std::io::{self, Cursor};
use std::mem;
use std::sync::Arc;

type Bytes = Cursor<SharedBytes>;
type Opener = Box<dyn FnMut() -> io::Result<Bytes> + Send>;

/// The facts about a recording.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
/// assert_eq!((deck.about().game, deck.about().blocks), ("Quake", 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordingFacts {
    /// The name of its file.
    pub name: String,
    /// The game's name.
    pub game: &'static str,
    /// Its size in bytes.
    pub bytes: u64,
    /// The number of its blocks.
    pub blocks: u64,
    /// The number of blocks that could not be read completely.
    pub damaged: u64,
    /// Its playing time in seconds.
    pub seconds: f64,
    /// The first moment with a player in the level; before it, pictures are black.
    pub first: f64,
    /// The title of its first level.
    pub title: String,
    /// Its levels.
    pub levels: Vec<LevelFacts>,
    /// The players whose view can be shown.
    pub players: Vec<PlayerFacts>,
    /// The number of the recorder, or in a match of the player with the most frags.
    pub recorder: Option<u16>,
    /// Whether it is the result of edits.
    pub edited: bool,
}

/// A level of a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LevelFacts {
    /// Its beginning, in seconds of the recording.
    pub seconds: f64,
    /// The name of its map.
    pub map: String,
    /// Its title.
    pub title: String,
}

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerFacts {
    /// The number.
    pub number: u16,
    /// The name.
    pub name: String,
}

/// An open recording.
pub struct Deck {
    pub(crate) name: String,
    /// The recording as it was opened.
    #[cfg(feature = "whole")]
    pub(crate) original: SharedBytes,
    /// The edited recording.
    pub(crate) shown: SharedBytes,
    seeker: Seeker<Opener, Bytes>,
    pub(crate) clock: Clock,
    timeline: Timeline,
    facts: RecordingFacts,
    /// The archives and files of the game: all are opened again when one is added.
    game: Vec<(String, SharedBytes)>,
    renderer: Renderer,
    /// The recording from above, once it was seen so.
    above: Option<OverheadRecording>,
    /// The place and the angles of the eye of the last picture.
    eye: [Vec3; 2],
    pub(crate) playing_sounds: PlayingSounds,
    /// Notes about the last edits for the user, each with its line.
    notes: Vec<(u64, String)>,
    /// The paths of the cameras.
    ways: Vec<Vec<[f64; 3]>>,
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deck").field("about", &self.facts).finish_non_exhaustive()
    }
}

/// The parts of a deck that are computed from the recording's bytes, again after each edit.
struct Opened {
    seeker: Seeker<Opener, Bytes>,
    clock: Clock,
    timeline: Timeline,
    about: RecordingFacts,
}

impl Deck {
    /// Opens a recording. In an archive with several recordings, the name selects one: `demos.zip:run.dem`.
    ///
    /// # Errors
    /// A sentence for people, if it is not a recording.
    pub fn open(name: &str, bytes: Vec<u8>) -> Result<Self, String> {
        let recording: SharedBytes = drop::recording(name, bytes)?.into();
        let Opened { seeker, clock, timeline, about } = opened(name, &recording)?;
        let renderer = Renderer::new(Arc::new(GameFiles::default()));
        let name = name.to_owned();
        Ok(Self {
            name,
            #[cfg(feature = "whole")]
            original: recording.clone(),
            shown: recording,
            seeker,
            clock,
            timeline,
            facts: about,
            game: Vec::new(),
            renderer,
            above: None,
            eye: [[0.0; 3]; 2],
            playing_sounds: PlayingSounds::default(),
            notes: Vec::new(),
            ways: Vec::new(),
        })
    }

    /// Shows the result of edits instead of the recording.
    #[cfg(feature = "whole")]
    pub(crate) fn show(&mut self, made: EditedRecording) -> Result<(), String> {
        let EditedRecording { recording, notes, ways } = made;
        let recording: SharedBytes = recording.into();
        let Opened { seeker, clock, timeline, mut about } = opened(&self.name, &recording)?;
        about.edited = recording != self.original;
        (self.seeker, self.clock, self.timeline, self.facts) = (seeker, clock, timeline, about);
        (self.shown, self.notes, self.ways) = (recording, notes, ways);
        (self.playing_sounds, self.above) = (PlayingSounds::default(), None);
        Ok(())
    }

    /// The facts about the recording after its edits.
    pub fn about(&self) -> &RecordingFacts {
        &self.facts
    }

    /// The events of the recording after its edits.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Adds an archive of the game (`pak0.pak`), or one file with its path in the game. As in the games, an archive has
    /// precedence over those whose names sort before its own.
    ///
    /// # Errors
    /// A sentence for people, if it is a damaged archive.
    ///
    /// ```
    /// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
    /// let mut deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// deck.add_game("pak0.pak", moviola_deck::pack(&[])).unwrap();
    /// assert!(deck.add_game("pak1.pak", b"PACK".to_vec()).is_err());
    /// ```
    pub fn add_game(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        let mut game = self.game.clone();
        game.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        game.push((name.to_owned(), bytes.into()));
        game.sort_by_key(|(name, _)| name.to_ascii_lowercase());
        let files = game_files(&game)?;
        self.game = game;
        self.renderer = Renderer::new(Arc::new(files));
        Ok(())
    }

    /// Takes the game's files from folders and archives of the disk.
    ///
    /// ```
    /// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
    /// let mut deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// deck.set_game(moviola_assets::GameFiles::default());
    /// assert!(deck.game_files().places().is_empty());
    /// ```
    pub fn set_game(&mut self, files: GameFiles) {
        self.renderer = Renderer::new(Arc::new(files));
    }

    /// The game's files.
    pub fn game_files(&self) -> &GameFiles {
        self.renderer.files()
    }

    /// The picture of a moment, in seconds since the recording began. Where the file of its level is missing, and the
    /// camera does not fly, the moment is seen from above.
    pub fn draw(&mut self, seconds: f64, view: &PictureView) -> RenderedFrame {
        let moment = self.moment(seconds);
        let scene = self.scene(moment, &view.options());
        self.eye = [scene.camera.eye, scene.camera.angles];
        let level = scene.level.as_ref();
        let is_missing = level.is_some_and(|level| self.game_files().bsp(&level.file).is_none());
        let size = view.look().size;
        if view.map == MapView::Alone || is_missing && view.free.is_none() {
            return self.seen_from_above(moment, view, size);
        }
        let mut frame = self.renderer.render(&scene, &view.look());
        if view.free.is_some() && view.ways {
            overlay::ways(&mut frame, &scene.camera, &self.ways);
        }
        let [across, down] = view.options().screen;
        let [width, height] = frame.size.map(|side| side as f32);
        // Above a status bar the level is seen in a part of the picture.
        let part = [
            scene.view.size[0] as f32 * width / across.max(1) as f32,
            scene.view.size[1] as f32 * height / down.max(1) as f32,
        ];
        for place in &view.marked {
            overlay::mark_in_view(&mut frame, part, &scene.camera, *place);
        }
        if view.map == MapView::Corner {
            let texts_once = PictureView { hud: false, ..view.clone() };
            let map = self.seen_from_above(moment, &texts_once, size.map(|side| (side * 2 / 5).max(1)));
            overlay::corner(&mut frame, &map);
        }
        frame
    }

    /// Draws a view, even if the level's file is missing, so that all files that it shows are read.
    pub(crate) fn read_files_of(&mut self, seconds: f64, view: &PictureView) {
        let scene = self.scene(self.moment(seconds), &view.options());
        self.renderer.render(&scene, &view.look());
    }

    pub(crate) fn moment(&self, seconds: f64) -> Moment {
        Moment::At(if seconds.is_finite() { seconds.clamp(0.0, self.clock.end()) } else { 0.0 })
    }

    /// Draws a moment from above. The paths of all players are read when the first such picture is requested.
    fn seen_from_above(&mut self, moment: Moment, view: &PictureView, size: [u32; 2]) -> RenderedFrame {
        let shown = &self.shown;
        let above = self.above.get_or_insert_with(|| {
            // Reading from memory cannot fail.
            OverheadRecording::new(Story::read(&**shown, &self.name).unwrap_or_default())
        });
        let mut seen = OverheadRecording::moment(self.seeker.reel(), moment, &view.options());
        // A page shows the seconds since the recording began beside the map, and two clocks for one moment would confuse.
        if let Moment::At(seconds) = moment {
            seen.clock = seconds;
        }
        let mut frame = above.frame(&seen, size);
        for [x, y] in view.marked.iter().filter_map(|place| above.pixel(&seen, size, *place)) {
            // The map covers only the places where players walked. For things outside of it, the edge shows their
            // direction.
            let [width, height] = size.map(|side| side as f32);
            overlay::mark(&mut frame, [(x as f32).clamp(0.0, width), (y as f32).clamp(0.0, height)], 0.0);
        }
        frame
    }

    /// The scene of a moment; seeks in the recording.
    pub(crate) fn scene(&mut self, moment: Moment, options: &SceneOptions) -> Scene {
        let mut options = options.clone();
        if self.seeker.has_all() {
            let player = options.who.take().or(self.facts.recorder);
            let _ = player.map_or(Ok(()), |player| self.seeker.follow(player));
        }
        // Reading from memory cannot fail.
        let _ = self.seeker.go(moment);
        self.seeker.reel().scene(moment, &options, &**self.renderer.files())
    }

    /// The names of the game's files that the level at the last picture names.
    pub(crate) fn files_named(&self) -> Vec<String> {
        self.seeker.reel().files()
    }

    /// Reads files of the game as the kinds of files that their names suggest.
    pub(crate) fn load(&self, names: &[String]) {
        let files = self.renderer.files();
        for name in names {
            match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
                "bsp" => drop(files.bsp(name)),
                "mdl" | "md2" => drop(files.model(name)),
                "spr" | "sp2" => drop(files.sprite(name)),
                "pcx" => drop(files.picture(name)),
                _ => {}
            }
        }
    }

    /// The place and the angles of the eye of the last picture, from which a free camera starts.
    pub fn eye(&self) -> [Vec3; 2] {
        self.eye
    }

    /// Whether a player's position is known at the moment of the last picture. If it is not, the picture shows the view
    /// from the player's last known position, or before that the recorder's view.
    ///
    /// ```
    /// let file = b"-1\n\x0b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x83\x04\x05\x02\x50\0";
    /// let mut deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// deck.draw(0.0, &moviola_deck::PictureView { size: [16, 9], ..Default::default() });
    /// assert_eq!([5, 6].map(|player| deck.is_in_sight(player)), [true, false]);
    /// ```
    pub fn is_in_sight(&self, player: u16) -> bool {
        self.seeker.has_all() || self.seeker.reel().shows(player) != Some(false)
    }

    /// The last block that is seen at a moment.
    pub fn block_at(&self, seconds: f64) -> u64 {
        self.clock.block_at(seconds)
    }

    /// The seconds of the recording at which a block is seen.
    pub fn seconds_of(&self, block: u64) -> f64 {
        self.clock.seconds_of(block)
    }

    /// The time of a block on the game's clock, by which `moviola events` and the report list what happened; `None` before
    /// the level's first time.
    ///
    /// ```
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// let deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// assert_eq!([0, 1].map(|block| deck.game_time_of(block)), [Some(1.0), Some(2.0)]);
    /// ```
    pub fn game_time_of(&self, block: u64) -> Option<f64> {
        self.clock.game_time_of(block)
    }

    /// The part between two moments as scripts name it: by its blocks, which need no clock.
    ///
    /// ```
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// let deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// assert_eq!(deck.span(0.01, 5.0), "#0..#1");
    /// ```
    pub fn span(&self, from: f64, to: f64) -> String {
        let [first, last] = [from.min(to), from.max(to)].map(|at| self.clock.block_at(at));
        format!("#{first}..#{last}")
    }

    /// Notes about the last edits for the user, each with its line of the script, counted from 1.
    pub fn notes(&self) -> &[(u64, String)] {
        &self.notes
    }

    /// The edited recording.
    pub fn save(&self) -> &[u8] {
        &self.shown
    }

    /// A hash of the state at a moment, to compare machines by.
    pub fn state_hash(&mut self, seconds: f64) -> u64 {
        let _ = self.seeker.go(Moment::At(seconds));
        self.seeker.reel().state_hash()
    }
}

/// Reads a recording for the first time.
fn opened(name: &str, bytes: &SharedBytes) -> Result<Opened, String> {
    let failed = |error: io::Error| format!("{name}: {error}");
    let game = Demo::new(&**bytes).map_err(failed)?.game();
    let none = || format!("{name} is not a recording of Quake, Quake II or QuakeWorld");
    let game = game.ok_or_else(none)?;
    let kept = bytes.clone();
    let open: Opener = Box::new(move || Ok(Cursor::new(kept.clone())));
    let mut seeker = Seeker::new(open).map_err(failed)?.ok_or_else(none)?;
    let mut clock = Clock::read(&mut seeker).map_err(failed)?;
    let players = seeker.reel().players();
    let players = players.into_iter().map(|(number, name)| PlayerFacts { number, name }).collect();
    // A match is first seen through the eyes of the best player.
    if let Some((player, ..)) = seeker.reel().leader().filter(|_| seeker.has_all()) {
        seeker.follow(player).map_err(failed)?;
    }
    let recorder = seeker.reel().recorder_entity();
    let mut gathered = timeline::read(bytes, recorder).map_err(failed)?;
    let levels: Vec<LevelFacts> = mem::take(&mut gathered.levels)
        .into_iter()
        .map(|(block, map, title)| LevelFacts { seconds: clock.seconds_of(block), map, title })
        .collect();
    clock.take_game_times(mem::take(&mut gathered.game_times));
    let damaged = gathered.damaged;
    let timeline = gathered.timeline(&clock);
    let facts = RecordingFacts {
        name: name.to_owned(),
        game: game.title(),
        bytes: bytes.len() as u64,
        blocks: clock.blocks(),
        damaged,
        seconds: clock.end(),
        first: timeline.vitals.iter().find(|it| it.1 > 0).map_or(0.0, |it| it.0),
        title: levels.first().map(|level| level.title.clone()).unwrap_or_default(),
        levels,
        players,
        recorder,
        edited: false,
    };
    Ok(Opened { seeker, clock, timeline, about: facts })
}

/// Opens the files of a game. Later ones have precedence.
fn game_files(game: &[(String, SharedBytes)]) -> Result<GameFiles, String> {
    let mut files = GameFiles::default();
    for (name, bytes) in game {
        let is_archive =
            [".pak", ".pk2", ".pk3", ".zip"].iter().any(|it| name.to_ascii_lowercase().ends_with(it));
        if is_archive {
            let opened = files.add_archive(name, Cursor::new(bytes.clone()));
            opened.map_err(|error| {
                if error.get_ref().is_some() { error.to_string() } else { format!("{name}: {error}") }
            })?;
        } else {
            files.add_file(name, bytes.to_vec());
        }
    }
    Ok(files)
}
