//! QuakeWorld is shown as Quake: the recording is converted to Quake's messages, and pictures are made from their
//! world. A moment consists of several blocks, of which the last completes it, so blocks with the same time are one
//! beat.

use crate::Vec3;
use crate::quake::BlockState;
use crate::tape::SceneWorld;
use crate::vector::bounded;
use moviola_format::names::quake::PRINT_MARK;
use moviola_format::names::value;
use moviola_format::{Block, Context, Entry, Fault, Float, Game, QuakeWorld, Str, dem, qw};
use moviola_state::World as _;
use moviola_state::quake::{self, Level};
use moviola_state::quakeworld::{self, AsQuake, without_chat_colors};
use std::sync::Arc;

/// The most directions of a recorder's view between two packets.
const MOST_TURNS: usize = 256;

/// The first byte of a line of chat.
const CHAT_MARK: u8 = value(PRINT_MARK, "chat sound, colored") as u8;

/// The visible and audible side of a QuakeWorld recording, for scenes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Screen {
    as_quake: AsQuake,
    pub(crate) world: quakeworld::World,
    pub(crate) quake: quake::World,
    /// The recorder's view angles since the last beat, each with its time.
    turns: Vec<(u64, Vec3)>,
    has_beat: bool,
}

impl Screen {
    /// The adapter for the view of the player in this slot; in a QWD for the recorder's.
    pub(crate) fn through(slot: u8) -> Self {
        Self { as_quake: AsQuake::default().through(slot), ..Self::default() }
    }

    /// The entity of the player whose view is shown.
    pub(crate) fn recorder_entity(&self) -> Option<u16> {
        self.as_quake.eyes(&self.world).map(|slot| self.as_quake.entity(u16::from(slot) + 1))
    }

    /// The players: the entity, the name and the frags of each.
    pub(crate) fn players(&self) -> impl Iterator<Item = (u16, &[u8], i16)> {
        let players = (1..).zip(self.world.players.iter());
        let here = players.filter(|(_, it)| it.is_here() && !it.is_spectator());
        here.map(|(number, it)| (number, it.name(), it.frags))
    }
}

/// Applies a message of Quake to its world. Chat is shown without the braces of QuakeWorld's clients.
fn feed(quake: &mut quake::World) -> impl FnMut(&dem::Message<'_>) {
    |message| match message {
        dem::Message::Print(it) if it.string.bytes().first() == Some(&CHAT_MARK) => {
            let text = [&without_chat_colors(it.string.bytes())[..], &[0]].concat();
            let message = dem::Message::from(dem::Print { string: Str::new(&text) });
            quake.apply(&Entry { at: 0, unicast: None, message });
        }
        message => quake.apply(&Entry { at: 0, unicast: None, message: *message }),
    }
}

fn seen_turn(turn: [Float; 3]) -> Vec3 {
    bounded(turn.map(|angle| angle.value() % 360.0))
}

impl moviola_state::World for Screen {
    type Dialect = QuakeWorld;

    fn begin_block(&mut self, block: &Block<'_>) {
        self.world.begin_block(block);
        if self.has_beat {
            self.quake.moment.clear();
            self.turns.clear();
        }
    }

    fn apply_other_table(&mut self, block: &Block<'_>, context: &Context) -> Option<Option<Fault>> {
        let turn = self.as_quake.record(block, context);
        if let (Some(turn), Some(now)) = (turn, self.world.now)
            && self.turns.len() < MOST_TURNS
        {
            self.turns.push((now, seen_turn(turn)));
        }
        self.world.apply_other_table(block, context)
    }

    fn apply(&mut self, entry: &Entry<qw::Message<'_>>) {
        self.world.apply(entry);
        self.as_quake.message(&self.world, &entry.message, &mut feed(&mut self.quake));
    }

    fn end_block(&mut self) {
        self.world.end_block();
        self.as_quake.end_block(&self.world, &mut feed(&mut self.quake));
        self.quake.end_block();
        self.has_beat = self.as_quake.is_frame(&self.world);
        self.quake.view.angles = self.as_quake.turn(&self.world);
    }

    fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    fn view_hash(&self) -> u64 {
        self.quake.view_hash()
    }
}

impl SceneWorld for Screen {
    type BlockState = BlockState;
    type Tick = Option<u64>;
    type Level = Level;
    const GAME: Game = Game::QuakeWorld;
    const FIRST_STEP: f64 = 0.0;
    const LONGEST_STEP: f64 = 0.2;
    const LEVELS_HAVE_CLOCKS: bool = false;
    const JOINS: bool = true;

    fn block_state(&self) -> BlockState {
        let now = self.world.now.unwrap_or_default();
        let ago = |then: u64| now.saturating_sub(then) as f64 / 1000.0;
        let turns = self.turns.iter().map(|(then, turn)| (ago(*then), *turn)).collect();
        BlockState::of(&self.quake).turning(turns)
    }

    fn join(seen: &mut BlockState, before: BlockState) {
        seen.join(before);
    }

    fn has_beat(&self) -> bool {
        self.has_beat
    }

    fn level(&self) -> &Arc<Level> {
        &self.quake.level
    }

    fn tick(&self) -> Option<u64> {
        self.world.now
    }

    fn seconds(&self) -> f64 {
        self.world.seconds().unwrap_or_default()
    }
}
