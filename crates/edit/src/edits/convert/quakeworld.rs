//! A recording of QuakeWorld as one of Quake: converted to Quake's messages for the view of one player, and then to
//! the target protocol like any other recording.

use super::losses::Losses;
use super::quake::QuakeConverter;
use super::target::Target;
use crate::machinery::bridge::Blocks;
use crate::machinery::players::Players;
use crate::{EditOutput, Error};
use moviola_format::{Block, Context, Entry, dem, qw};
use moviola_state::quake::Stat;
use moviola_state::quakeworld::{AsQuake, Entity, Level, World};
use moviola_state::{Playhead, World as _};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most players that all clients of Quake have room for.
const MAX_PLAYERS: u8 = 16;

/// The longest block that all clients of Quake read, less a margin.
const LONGEST: usize = 7000;

/// The effects that Quake has.
const EFFECTS: u8 = 15;

/// The conversion of one recording of QuakeWorld.
#[derive(Clone)]
pub(super) struct QuakeWorldConverter {
    as_quake: AsQuake,
    world: World,
    side: QuakeConverter,
    /// The messages that wait for the next frame.
    waiting: Vec<Vec<u8>>,
    /// Whether the waiting messages have a frame.
    has_frame: bool,
    pub(super) frames: u64,
}

impl QuakeWorldConverter {
    pub(super) fn new(target: Target, who: &ShownPlayers) -> Self {
        let as_quake = AsQuake::default().with_room(MAX_PLAYERS, &who.playing);
        Self {
            as_quake: who.eyes.map_or_else(|| as_quake.clone(), |slot| as_quake.clone().through(slot)),
            world: World::new(),
            side: QuakeConverter::for_made_messages(target, who.models.clone()),
            waiting: Vec::new(),
            has_frame: false,
            frames: 0,
        }
    }

    pub(super) fn begin_block(&mut self, block: &Block<'_>, context: &Context) {
        self.world.begin_block(block);
        self.as_quake.record(block, context);
    }

    pub(super) fn message(&mut self, entry: &Entry<qw::Message<'_>>, losses: &mut Losses) {
        self.world.apply(entry);
        // A QTV stream goes on behind the end of a match. The edited recording gets its own end.
        match &entry.message {
            qw::Message::Disconnect(_) => return,
            qw::Message::Connless(it) if it.packet.ends() => return,
            _ => {}
        }
        self.convert(losses, |as_quake, world, emit| as_quake.message(world, &entry.message, emit));
    }

    fn convert(
        &mut self,
        losses: &mut Losses,
        say: impl FnOnce(&mut AsQuake, &World, moviola_state::quakeworld::MessageSink<'_>),
    ) {
        let Self { as_quake, world, side, waiting, has_frame, .. } = self;
        say(as_quake, world, &mut |message| {
            *has_frame |= matches!(message, dem::Message::Time(_));
            let plain = match message {
                dem::Message::UpdateEntity(it) => {
                    dem::Message::from(dem::UpdateEntity { effects: it.effects & EFFECTS, ..*it })
                }
                other => *other,
            };
            let mut bytes = Vec::new();
            side.turned(
                &Entry { at: 0, unicast: None, message: plain },
                &Context::quake(),
                losses,
                &mut bytes,
            );
            if !bytes.is_empty() {
                waiting.push(bytes);
            }
        });
    }

    /// Ends the block. If it has a frame, all waiting messages are written as a block.
    pub(super) fn block_end(&mut self, losses: &mut Losses, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.world.end_block();
        self.convert(losses, AsQuake::end_block);
        if self.has_frame { self.write(out) } else { Ok(()) }
    }

    fn write(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.frames = self.frames.saturating_add(u64::from(self.has_frame));
        self.has_frame = false;
        self.side.world.moment.clear();
        let mut blocks = Blocks::new(Context::quake(), LONGEST);
        self.waiting.drain(..).for_each(|message| blocks.put_bytes(&message));
        let angles = self.as_quake.turn(&self.world).map(|angle| angle.0);
        blocks.finish().iter().try_for_each(|messages| out.block(angles, messages))
    }

    pub(super) fn end(&mut self, losses: &mut Losses, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.convert(losses, |_, _, emit| emit(&dem::Message::from(dem::Disconnect {})));
        self.write(out)
    }
}

/// The player whose view is shown, and all players.
#[derive(Clone, Debug, Default)]
pub(super) struct ShownPlayers {
    eyes: Option<u8>,
    playing: Vec<u8>,
    /// The names of all models that are shown; `None` before the recording was examined.
    models: Option<BTreeSet<Vec<u8>>>,
    /// The player's name.
    pub(super) name: String,
}

/// Collects the players of a QuakeWorld recording and the models that it shows, block by block.
#[derive(Default)]
pub(super) struct PlayerCollector {
    head: Playhead<World>,
    players: Players,
    scores: BTreeMap<u8, i16>,
    /// The names of the models that are shown.
    models: BTreeSet<Vec<u8>>,
    /// The level, and for each of its models whether its name is in `models`.
    level: Arc<Level>,
    is_listed: Vec<bool>,
}

impl PlayerCollector {
    pub(super) fn step(&mut self, block: &Block<'_>) {
        self.head.step(block);
        for (slot, it) in (0..).zip(self.head.world.players.iter()) {
            if it.is_here() && !it.is_spectator() {
                self.players.set_name(slot, it.name());
                self.scores.insert(slot, it.frags);
            }
        }
        self.list_models();
    }

    /// Notes the models of static entities, which are not a part of the world.
    pub(super) fn message(&mut self, message: &qw::Message<'_>) {
        match message {
            qw::Message::SpawnStatic(it) => self.list_model(it.default_modelindex.into()),
            qw::Message::SpawnStatic2(it) => self.list_model(it.modelindex.0),
            _ => {}
        }
    }

    fn list_models(&mut self) {
        let world = &self.head.world;
        if !Arc::ptr_eq(&self.level, &world.level) {
            self.level = Arc::clone(&world.level);
            self.is_listed = vec![false; self.level.models.iter().count()];
        }
        let entities = world.entities.all().iter().map(|(_, it)| it.model());
        let things = world.baselines.values().map(Entity::model);
        let players = world.bodies.iter().map(|it| it.model);
        let weapons = world.stats.iter().filter_map(|stats| stats.get(Stat::WeaponModel as usize));
        let weapons = weapons.filter_map(|number| u16::try_from(*number).ok());
        let is_new = |number: &u16| self.is_listed.get(usize::from(*number)) == Some(&false);
        let new: Vec<u16> = entities.chain(things).chain(players).chain(weapons).filter(is_new).collect();
        for number in new {
            self.list_model(number);
        }
    }

    fn list_model(&mut self, number: u16) {
        if let Some(is_listed) = self.is_listed.get_mut(usize::from(number))
            && !std::mem::replace(is_listed, true)
        {
            self.models.insert(self.level.models.get(number.into()).to_vec());
        }
    }

    /// The selected player. Without a name it is the recorder, or in a recording of a match the player with the most
    /// frags.
    pub(super) fn find(self, asked: Option<&str>) -> Result<ShownPlayers, Error> {
        let Self { head, players, scores, mut models, .. } = self;
        models.extend(AsQuake::MODELS.map(<[u8]>::to_vec));
        let best = scores.iter().max_by_key(|(slot, frags)| (**frags, std::cmp::Reverse(**slot)));
        let recorder = head.world.recorder.map(|(slot, _)| slot);
        let asked = asked.map(|who| players.find(who, 0..who.len())).transpose()?;
        if asked.is_some() && recorder.is_some() && asked != recorder {
            return Err(Error::Impossible("a .qwd has the view of its recorder, and nobody else's".into()));
        }
        let eyes = asked.or(recorder).or(best.map(|(slot, _)| *slot));
        let name = eyes.and_then(|slot| players.name(slot)).unwrap_or("nobody").to_owned();
        Ok(ShownPlayers { eyes, playing: scores.into_keys().collect(), models: Some(models), name })
    }
}
