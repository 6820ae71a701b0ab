//! A recording of any game, read block by block; scenes are made of its last seconds.

use crate::quake2::hud as quake2_pictures;
use crate::quakeworld::Screen;
use crate::tape::{Tape, lead};
use crate::{Library, Moment, Scene, SceneOptions};
use moviola_format::mvd2::Relay;
use moviola_format::names::quake2::CONFIG;
use moviola_format::{Block, Fault, Game, Stamp, header_track};
use moviola_state::quake2::Stat;
use moviola_state::{Strings, quake, quake2};
use std::cmp::Reverse;

/// A recording of any game up to a block.
///
/// ```
/// use moviola_format::{Block, Game};
/// use moviola_scene::{Moment, NoFiles, Reel, SceneOptions};
/// let mut reel = Reel::new(Game::Quake);
/// reel.step(&Block::new(b"\x07\0\0\x80\x3f"));
/// reel.step(&Block::new(b"\x07\0\0\x84\x3f"));
/// assert_eq!((reel.blocks(), reel.seconds()), (2, 0.03125));
/// let scene = reel.scene(Moment::At(0.03), &SceneOptions::default(), &NoFiles);
/// assert!((scene.time - 1.03).abs() < 1e-9);
/// ```
#[derive(Clone, Debug)]
pub struct Reel {
    kind: GameTape,
    /// The adapter that converts an MVD2's blocks to Quake II's. It exists from the first block on, or from the moment
    /// at which a player is followed.
    relay: Option<Box<Relay>>,
    /// The CD track in the file's header, which engines play instead of those of the levels.
    header_track: Option<u8>,
}

#[derive(Clone, Debug)]
enum GameTape {
    Quake(Tape<quake::World>),
    Quake2(Tape<quake2::World>),
    QuakeWorld(Box<Tape<Screen>>),
}

/// Evaluates the same expression for the tape of each game.
macro_rules! tape {
    ($kind:expr, $tape:ident => $what:expr) => {
        match $kind {
            GameTape::Quake($tape) => $what,
            GameTape::Quake2($tape) => $what,
            GameTape::QuakeWorld($tape) => $what,
        }
    };
}

impl Reel {
    /// A reel before the first block of a recording of this game.
    pub fn new(game: Game) -> Self {
        let kind = match game {
            Game::Quake => GameTape::Quake(Tape::new()),
            Game::Quake2 => GameTape::Quake2(Tape::new()),
            Game::QuakeWorld => GameTape::QuakeWorld(Box::new(Tape::new())),
        };
        Self { kind, relay: None, header_track: None }
    }

    /// A reel before the first block, for the view of the player with this entity in a match (MVD, MVD2). In other
    /// recordings the view is the recorder's.
    ///
    /// ```
    /// use moviola_format::Game;
    /// assert_eq!(moviola_scene::Reel::through(Game::QuakeWorld, 3).recorder_entity(), Some(3));
    /// ```
    pub fn through(game: Game, player: u16) -> Self {
        let slot = player.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
        match (game, slot) {
            (Game::QuakeWorld, Some(slot)) => {
                let kind = GameTape::QuakeWorld(Box::new(Tape::of(Screen::through(slot))));
                Self { kind, relay: None, header_track: None }
            }
            (Game::Quake2, Some(slot)) => {
                Self { relay: Some(Box::new(Relay::through(slot))), ..Self::new(game) }
            }
            _ => Self::new(game),
        }
    }

    /// Takes the bytes before the first block, which contain Quake's CD track.
    ///
    /// ```
    /// use moviola_format::{Block, Game};
    /// let mut reel = moviola_scene::Reel::new(Game::Quake);
    /// reel.set_header(b"7\n");
    /// assert_eq!(reel.track(), None, "no level has begun to play music");
    /// reel.step(&Block::new(b"\x20\x04\x04"));
    /// assert_eq!(reel.track(), Some(7));
    /// ```
    pub fn set_header(&mut self, header: &[u8]) {
        let is_quake = matches!(self.kind, GameTape::Quake(_));
        let track = header_track(header).filter(|_| is_quake);
        self.header_track = track.and_then(|track| track.try_into().ok());
    }

    /// Reads the next block; returns the fault if it could not be read to its end.
    pub fn step(&mut self, block: &Block<'_>) -> Option<Fault> {
        let made = self.relayed(block);
        let block = made.as_deref().map_or(*block, Block::new);
        tape!(&mut self.kind, tape => tape.step(&block))
    }

    /// Reads the next block without keeping its state for scenes, on the way to a distant moment.
    pub(crate) fn pass(&mut self, block: &Block<'_>) -> Option<Fault> {
        let made = self.relayed(block);
        let block = made.as_deref().map_or(*block, Block::new);
        tape!(&mut self.kind, tape => tape.pass(&block))
    }

    /// The messages of Quake II that a block of an MVD2 becomes.
    fn relayed(&mut self, block: &Block<'_>) -> Option<Vec<u8>> {
        if block.stamp != Stamp::Mvd2 {
            return None;
        }
        let mut made = Vec::new();
        self.relay.get_or_insert_default().block(block, &mut made);
        Some(made)
    }

    /// Whether the blocks that are kept suffice for a scene at that time.
    pub(crate) fn covers(&self, time: f64) -> bool {
        tape!(&self.kind, tape => tape.covers(time))
    }

    /// Whether no later block changes the scene of a moment that is reached.
    pub(crate) fn is_settled(&self, moment: Moment) -> bool {
        tape!(&self.kind, tape => tape.is_settled(moment))
    }

    /// A copy without the blocks that are kept for scenes.
    pub(crate) fn without_beats(&self) -> Self {
        let kind = match &self.kind {
            GameTape::Quake(tape) => GameTape::Quake(tape.without_beats()),
            GameTape::Quake2(tape) => GameTape::Quake2(tape.without_beats()),
            GameTape::QuakeWorld(tape) => GameTape::QuakeWorld(Box::new(tape.without_beats())),
        };
        Self { kind, relay: self.relay.clone(), header_track: self.header_track }
    }

    /// The number of blocks read.
    pub fn blocks(&self) -> u64 {
        tape!(&self.kind, tape => tape.head().blocks)
    }

    /// The seconds of the recording up to the last block.
    pub fn seconds(&self) -> f64 {
        tape!(&self.kind, tape => tape.moment())
    }

    /// For how many seconds before a block is reached an engine moves towards it alone: Quake II's frames begin when they
    /// arrive, the other games' blocks are moments.
    ///
    /// ```
    /// use moviola_format::Game;
    /// use moviola_scene::Reel;
    /// assert_eq!([Game::Quake, Game::Quake2].map(|game| Reel::new(game).lead()), [0.0, 0.1]);
    /// ```
    pub fn lead(&self) -> f64 {
        tape!(&self.kind, tape => lead(tape))
    }

    /// The track of music that is to be played, by its number on the game's CD.
    ///
    /// ```
    /// use moviola_format::{Block, Game};
    /// let mut reel = moviola_scene::Reel::new(Game::Quake);
    /// assert_eq!(reel.track(), None);
    /// reel.step(&Block::new(b"\x20\x04\x04"));
    /// assert_eq!(reel.track(), Some(4));
    /// ```
    pub fn track(&self) -> Option<u8> {
        let quake = |world: &quake::World| world.music.map(|[first, _]| first);
        match &self.kind {
            GameTape::Quake(tape) => {
                quake(&tape.head().world).map(|of_level| self.header_track.unwrap_or(of_level))
            }
            GameTape::QuakeWorld(tape) => quake(&tape.head().world.quake),
            GameTape::Quake2(tape) => {
                let (number, ..) = CONFIG.iter().find(|row| row.2 == "CD track")?;
                let text = tape.head().world.config.get(usize::try_from(*number).ok()?);
                std::str::from_utf8(text).ok()?.trim().parse().ok()
            }
        }
        .filter(|track| *track > 0)
    }

    /// The level's clock after the last block, in seconds.
    pub(crate) fn clock(&self) -> f64 {
        tape!(&self.kind, tape => tape.clock())
    }

    /// The entity of the recorder, or of the followed player of a match; a server's recording has none.
    pub fn recorder_entity(&self) -> Option<u16> {
        match &self.kind {
            GameTape::Quake(tape) => u16::try_from(tape.head().world.view.entity).ok(),
            GameTape::Quake2(tape) => tape.head().world.own_entity(),
            GameTape::QuakeWorld(tape) => tape.head().world.recorder_entity(),
        }
    }

    /// Whether the last block showed the screen of a player. In the recording of a Quake II server there is none.
    ///
    /// ```
    /// use moviola_format::Game;
    /// use moviola_scene::Reel;
    /// assert!(Reel::new(Game::Quake).has_screen() && !Reel::new(Game::Quake2).has_screen());
    /// ```
    pub fn has_screen(&self) -> bool {
        match &self.kind {
            GameTape::Quake(_) | GameTape::QuakeWorld(_) => true,
            GameTape::Quake2(tape) => !tape.head().world.drawn().players.is_empty(),
        }
    }

    /// Whether the last block shows this entity; `None` if there is nothing to show.
    ///
    /// ```
    /// assert_eq!(moviola_scene::Reel::new(moviola_format::Game::Quake).shows(2), None);
    /// ```
    pub fn shows(&self, entity: u16) -> Option<bool> {
        let is_shown =
            |world: &quake::World| world.entity(entity).is_some_and(|it| it.is_shown(&world.clock));
        match &self.kind {
            GameTape::Quake(tape) => tape.shown_world().map(is_shown),
            GameTape::QuakeWorld(tape) => tape.shown_world().map(|screen| is_shown(&screen.quake)),
            GameTape::Quake2(tape) => tape.shown_world().map(|world| world.drawn().entity(entity).is_some()),
        }
    }

    /// The number of levels that have begun.
    pub(crate) fn levels(&self) -> u64 {
        tape!(&self.kind, tape => tape.levels())
    }

    /// The player with the most frags so far: the entity, the name and the frags.
    ///
    /// ```
    /// use moviola_format::Game;
    /// assert_eq!(moviola_scene::Reel::new(Game::QuakeWorld).leader(), None);
    /// ```
    pub fn leader(&self) -> Option<(u16, String, i16)> {
        // If several players have the same score, the first one is taken.
        match &self.kind {
            GameTape::Quake(_) => None,
            GameTape::Quake2(tape) => {
                let world = &tape.head().world;
                let players = world.drawn().players.iter().filter_map(|(client, state)| {
                    let client = (*client)?;
                    Some((client, world.config.player(client).0, state.stat(Stat::Frags)))
                });
                let (client, name, frags) = players
                    .filter(|(_, name, _)| !name.is_empty())
                    .max_by_key(|(number, _, frags)| (*frags, Reverse(*number)))?;
                Some((u16::from(client) + 1, plain(name), frags))
            }
            GameTape::QuakeWorld(tape) => {
                let players = tape.head().world.players();
                let best = players.max_by_key(|(number, _, frags)| (*frags, Reverse(*number)))?;
                Some((best.0, plain(best.1), best.2))
            }
        }
    }

    /// The players known so far: the entity of each, which is also his number, and his name.
    pub fn players(&self) -> Vec<(u16, String)> {
        let named_players: Vec<(u16, String)> = match &self.kind {
            GameTape::Quake(tape) => {
                let players = tape.head().world.players.iter();
                (1..).zip(players).map(|(number, it)| (number, plain(it.name.bytes()))).collect()
            }
            GameTape::Quake2(tape) => {
                let players = tape.head().world.config.players();
                players.map(|(number, it, _)| (u16::from(number) + 1, plain(it))).collect()
            }
            GameTape::QuakeWorld(tape) => {
                tape.head().world.players().map(|(number, name, _)| (number, plain(name))).collect()
            }
        };
        named_players.into_iter().filter(|(_, name)| !name.is_empty()).collect()
    }

    /// The names of the game's files that pictures of the current level may need: its models, the level itself first,
    /// and in Quake II the pictures of the status bar. A moment may need others, such as skins.
    ///
    /// ```
    /// use moviola_format::{Block, Game};
    /// let mut reel = moviola_scene::Reel::new(Game::Quake);
    /// reel.step(&Block::new(b"\x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0progs/ogre.mdl\0\0\0"));
    /// assert_eq!(reel.files(), ["maps/hall.bsp", "progs/ogre.mdl"]);
    /// ```
    pub fn files(&self) -> Vec<String> {
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let named = |models: &Strings| models.iter().map(|name| text(name.bytes())).collect();
        let mut files: Vec<String> = match &self.kind {
            GameTape::Quake(tape) => named(&tape.head().world.level.models),
            GameTape::QuakeWorld(tape) => named(&tape.head().world.quake.level.models),
            GameTape::Quake2(tape) => {
                let config = &tape.head().world.config;
                let models = (1..=u8::MAX).map(|number| text(config.model(number)));
                let images = (1..=u8::MAX).map(|number| text(config.image(number)));
                let images = images.filter(|name| !name.is_empty()).chain(quake2_pictures::digits());
                models.chain(images.map(|name| quake2_pictures::picture_file(&name))).collect()
            }
        };
        files.retain(|name| !name.is_empty() && !name.starts_with('*'));
        files
    }

    /// A hash of the state after the last block.
    ///
    /// ```
    /// use moviola_format::{Block, Game};
    /// let [mut one, other] = [moviola_scene::Reel::new(Game::Quake), moviola_scene::Reel::new(Game::Quake)];
    /// one.step(&Block::new(b"\x07\0\0\x80\x3f"));
    /// assert_ne!(one.state_hash(), other.state_hash());
    /// ```
    pub fn state_hash(&self) -> u64 {
        tape!(&self.kind, tape => tape.state_hash())
    }

    /// The block that the scene of a moment shows or is moving to; `None` before the first one.
    ///
    /// ```
    /// use moviola_format::{Block, Game};
    /// use moviola_scene::{Moment, Reel};
    /// let mut reel = Reel::new(Game::Quake);
    /// reel.step(&Block::new(b"\x07\0\0\x80\x3f"));
    /// assert_eq!(reel.shown_block(Moment::At(0.0)), Some(0));
    /// ```
    pub fn shown_block(&self, moment: Moment) -> Option<u64> {
        let options = SceneOptions::default();
        tape!(&self.kind, tape => tape.cue(moment, &options).map(|cue| cue.beat.block))
    }

    /// A moment of the last seconds on the game's clock, by which events are listed; `None` before the first one. In
    /// QuakeWorld this is the recording's clock, and not that of the [`Scene`], which begins anew in each level.
    ///
    /// ```
    /// use moviola_format::{Block, Game};
    /// use moviola_scene::{Moment, Reel};
    /// let mut reel = Reel::new(Game::Quake);
    /// assert_eq!(reel.game_time(Moment::At(0.0)), None);
    /// reel.step(&Block::new(b"\x07\0\0\x80\x3f"));
    /// assert_eq!(reel.game_time(Moment::AfterBlock(0)), Some(1.0));
    /// ```
    pub fn game_time(&self, moment: Moment) -> Option<f64> {
        let options = SceneOptions::default();
        let time = tape!(&self.kind, tape => tape.cue(moment, &options).map(|cue| cue.beat.clock - (cue.beat.at - cue.now)));
        time.filter(|time| time.is_finite())
    }

    /// The scene at a moment of the last seconds.
    pub fn scene(&self, moment: Moment, options: &SceneOptions, library: &dyn Library) -> Scene {
        let mut scene = match &self.kind {
            GameTape::Quake(tape) => tape.scene(moment, options, library),
            GameTape::Quake2(tape) => tape.scene(moment, options, library),
            GameTape::QuakeWorld(tape) => tape.scene(moment, options, library),
        };
        scene.clean();
        scene
    }
}

/// A name in plain letters.
fn plain(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(byte & 0x7f)).filter(|it| !it.is_control()).collect()
}
