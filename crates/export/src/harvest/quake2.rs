//! Quake II's rows.

use super::names::{Bits, Carried};
use super::people::People;
use super::slots::SlotRows;
use super::trail::TrailSpot;
use super::{HarvestPosition, LastEntityRows, OpenLevel, RowOutput, map};
use crate::tables::{Entities, Positions, Ticks};
use crate::word::EMPTY;
use crate::{FixedWord, Word};
use moviola_analyse::vocabulary;
use moviola_format::Q2proLimits;
use moviola_format::dm2::Message;
use moviola_format::names::quake2::{
    self, CS_MAXCLIENTS, CS_MODELS, CS_PLAYERSKINS, CS_SOUNDS, RECORD_RELAY, RECORD_SERVER,
};
use moviola_format::names::{range_name, value_name};
use moviola_state::quake2::layout::{Progress, progress, run, scores};
use moviola_state::quake2::{Entity, PlayerState, Stat, World};
use std::io::Write;

/// The number of frames in a second.
const FRAMES: f64 = 10.0;

/// The bit of a player's movement that is set on the ground.
const ON_GROUND: u8 = 4;

/// The number of models that config strings can name.
const MODELS: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Quake2Harvest {
    pub(super) level: OpenLevel,
    people: People,
    /// The slot of the recorder.
    recorder: Option<u8>,
    models: Vec<Word>,
    stale: bool,
    /// The limits of the level, which decide the numbers of its config strings.
    limits: Q2proLimits,
    /// Whether the block brought a frame, or a layout.
    framed: bool,
    laid_out: bool,
    /// Slots whose names changed in the block.
    renamed: Vec<u8>,
    last_rows: LastEntityRows<Entity>,
    positions: SlotRows<Positions>,
    ticks: SlotRows<Ticks>,
    /// The number of frames drawn at the last examination of the entities; `None` if a frame had a number twice.
    looked: Option<u64>,
    /// The recorder's weapons by the number of their model, and the weapons that other players carry.
    weapons: Vec<Option<FixedWord>>,
    carried: Carried,
    bits: BitNames,
}

/// The names of the entities' bits, for each column.
#[derive(Debug, Default)]
struct BitNames {
    effects: Bits,
    renderfx: Bits,
}

/// The team whose skin a player wears in capture the flag.
fn team(skin: &[u8]) -> Option<Word> {
    match skin.rsplit(|byte| *byte == b'/').next() {
        // not from SCHEMA: a team's color
        Some(b"ctf_r") => Some(Word::from_static("red")),
        // not from SCHEMA: a team's color
        Some(b"ctf_b") => Some(Word::from_static("blue")),
        _ => None,
    }
}

/// The name for the model of players, who all have models of their own.
static PLAYER: Word = Word::from_static("player"); // not from SCHEMA: a value of the column

/// The name of a model.
fn model(models: &[Word], number: u8) -> &Word {
    if number == u8::MAX { &PLAYER } else { models.get(usize::from(number)).unwrap_or(&EMPTY) }
}

impl Quake2Harvest {
    /// The level, its players, and the slot of the recorder.
    pub(super) fn level_and_players(&self) -> (&OpenLevel, &People, Option<u8>) {
        (&self.level, &self.people, self.recorder)
    }

    /// Reads the facts about the level from the config strings and the server's data.
    fn announce(&mut self, world: &World) {
        let (row, title) = (&mut self.level.row, world.server.title.bytes());
        row.map = map(world.config.model(1));
        row.title = Word::of(title);
        row.title_hex = Word::hex(title);
        row.protocol = world.server.protocol;
        row.max_clients = Some(i32::from(world.config.max_clients()));
        self.recorder = u8::try_from(world.server.client).ok();
        self.last_rows.forget();
        self.models = (0..MODELS).map(|number| Word::of(world.config.model(number as u8))).collect();
        let weapon =
            |number| vocabulary::weapon(world.config.model(number as u8)).map(FixedWord::from_static);
        self.weapons = (0..MODELS).map(weapon).collect();
        self.carried = Carried::of((0..MODELS).map(|number| world.config.model(number as u8)));
    }

    fn tick(&mut self, client: Option<u8>, state: &PlayerState, here: &HarvestPosition) -> &Ticks {
        let stat = |stat| i32::from(state.stat(stat));
        let row = self.ticks.now(client, here);
        [row.x, row.y, row.z] = state.origin.map(|place| Some(place.value() as f32));
        [row.velocity_x, row.velocity_y, row.velocity_z] = state.velocity.map(|speed| speed.value() as f32);
        [row.pitch, row.yaw, row.roll] = state.view_angles.map(|angle| angle.value() as f32);
        row.health = stat(Stat::Health);
        row.armor = stat(Stat::Armor);
        row.ammo = stat(Stat::Ammo);
        row.weapon = self.weapons.get(usize::from(state.gun_model)).cloned().flatten();
        row.weapon_model.share(named_model(&self.models, state.gun_model));
        row.weapon_frame = i32::from(state.gun_frame);
        row.frags = stat(Stat::Frags);
        row.on_ground = Some(state.pm_flags & ON_GROUND != 0);
        row.move_type = value_name(quake2::PM_TYPE, state.pm_type.into()).map(FixedWord::from_static);
        row.fov = Some(i32::from(state.fov));
        row
    }

    fn entities<W: Write + Send>(
        &mut self,
        world: &World,
        here: &HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        let Self { last_rows: again, models, bits, looked, .. } = self;
        let entities = &world.drawn().entities;
        // In a damaged frame a number may occur twice; such a frame is not used.
        let is_sound = entities.is_sorted_by(|one, other| one.number < other.number);
        let last = std::mem::replace(looked, is_sound.then(|| world.frames_drawn())).filter(|_| is_sound);
        let mut updated = last.and_then(|last| world.changes(last)).map(|it| it.updated.iter().peekable());
        again.frame(here.block, here.time.unwrap_or_default(), here.recording_time.unwrap_or_default());
        for (place, entity) in (0u32..).zip(entities) {
            let stays = updated.as_mut().is_some_and(|it| it.next_if(|it| **it == place).is_none());
            again.row((entity.number, entity, stays), out, |row, last| {
                change_row(row, last, entity, models, bits, here);
            });
        }
    }

    /// Reads the scores and the field computer.
    fn read_screen(&mut self, world: &World) {
        let frame = world.drawn();
        let mut clients: Vec<Option<u8>> = world.screens.iter().map(|(client, _)| *client).collect();
        clients.truncate(usize::from(u8::MAX));
        for client in clients {
            let Some(screen) = world.screen(client) else { continue };
            let state = frame.player(client).copied().unwrap_or_default();
            let shown = run(screen.layout.bytes(), &state, &world.config);
            for score in scores(&shown) {
                if let Some(player) = self.people.get(score.number) {
                    player.frags = Some(score.score);
                    player.ping = Some(score.ping);
                }
            }
            if let Some(Progress { kills, goals, secrets }) = progress(&shown) {
                let row = &mut self.level.row;
                [row.monsters, row.total_monsters] = pair(kills);
                [row.goals, row.total_goals] = pair(goals);
                [row.secrets, row.total_secrets] = pair(secrets);
            }
        }
    }
}

/// Updates the row of an entity, which it had in the state `last`.
fn change_row(
    row: &mut Entities,
    last: Option<&Entity>,
    entity: &Entity,
    models: &[Word],
    bits: &mut BitNames,
    here: &HarvestPosition,
) {
    let [own, carried, ..] = entity.models;
    if last.is_none_or(|last| last.models != entity.models) {
        row.model = named_model(models, own).clone();
        row.model_id = i32::from(own);
        row.model2 = (carried != 0).then(|| model(models, carried).clone());
    }
    if last.is_none_or(|last| (last.effects, last.renderfx) != (entity.effects, entity.renderfx)) {
        row.effects = bits.effects.names(quake2::EFFECTS, entity.effects).clone();
        row.renderfx = Some(bits.renderfx.names(quake2::RENDERFX, entity.renderfx).clone());
    }
    if last.is_none() {
        row.recording = here.recording.clone();
        row.level = here.level;
        row.entity = i32::from(entity.number);
    }
    row.event = value_name(quake2::EVENT, entity.event.into()).map(FixedWord::from_static);
    row.frame = entity.frame;
    row.skin = entity.skin as i32;
    row.sound_id = Some(i32::from(entity.sound));
    [row.x, row.y, row.z] = entity.origin.map(|place| place.value() as f32);
    [row.pitch, row.yaw, row.roll] = entity.angles.map(|angle| angle.value() as f32);
}

/// The file of a model; an empty text for number 0, which is not a model.
fn named_model(models: &[Word], number: u8) -> &Word {
    if number == 0 { &EMPTY } else { model(models, number) }
}

/// Whether a player who looks like this is alive; `None` if the model does not show it.
fn is_alive(entity: &Entity, models: &[Word]) -> Option<bool> {
    let [own, ..] = entity.models;
    if own != u8::MAX {
        return model(models, own).as_str().contains("/gibs/").then_some(false);
    }
    let name = range_name(quake2::PLAYER_FRAME, entity.frame.into());
    Some(!name.is_some_and(|name| name.contains("death")))
}

impl Quake2Harvest {
    /// Adds the players of this frame to the trail and writes their rows of `positions`.
    fn positions<W: Write + Send>(
        &mut self,
        world: &World,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        let frame = world.drawn();
        let mut listed = Vec::new();
        for (client, state) in &frame.players {
            let Some(slot) = client.or(self.recorder) else { continue };
            listed.push(slot);
            self.own_position(slot, state, here, out);
        }
        let others = frame.entities.iter().take_while(|it| it.number <= world.config.max_clients().into());
        for entity in others {
            let Some(slot) = entity.number.checked_sub(1).and_then(|slot| u8::try_from(slot).ok()) else {
                continue;
            };
            if listed.contains(&slot) || entity.models.iter().all(|model| *model == 0) {
                continue;
            }
            self.other_position(slot, entity, here, out);
        }
    }

    /// Adds a player whose state is in the recording.
    fn own_position<W: Write + Send>(
        &mut self,
        slot: u8,
        state: &PlayerState,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        let stat = |stat| i32::from(state.stat(stat));
        let seen = TrailSpot {
            block: here.block,
            time: here.recording_time.unwrap_or_default(),
            origin: state.origin.map(|place| place.value() as f32),
            angles: state.view_angles.map(|angle| angle.value() as f32),
            health: Some(stat(Stat::Health)),
            armor: Some(stat(Stat::Armor)),
        };
        here.trail.add(slot, seen);
        if !out.wants::<Positions>() {
            return;
        }
        let speed = state.velocity.map(|speed| speed.value() as f32);
        let row = self.positions.at((slot, &seen), Some(speed), (&self.level, &self.people, here));
        row.is_recorder = self.recorder == Some(slot);
        row.is_velocity_told = true;
        row.is_alive = Some(stat(Stat::Health) > 0);
        row.weapon = self.weapons.get(usize::from(state.gun_model)).cloned().flatten();
        row.on_ground = Some(state.pm_flags & ON_GROUND != 0);
        out.row_like(row, slot.into());
    }

    /// Adds a player of whom the recording has only the entity.
    fn other_position<W: Write + Send>(
        &mut self,
        slot: u8,
        entity: &Entity,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        let seen = TrailSpot {
            block: here.block,
            time: here.recording_time.unwrap_or_default(),
            origin: entity.origin.map(|place| place.value() as f32),
            angles: entity.angles.map(|angle| angle.value() as f32),
            health: None,
            armor: None,
        };
        let way = here.trail.add(slot, seen);
        if !out.wants::<Positions>() {
            return;
        }
        let [_, second, ..] = entity.models;
        let row = self.positions.at((slot, &seen), way, (&self.level, &self.people, here));
        row.is_recorder = false;
        row.is_velocity_told = false;
        row.is_alive = is_alive(entity, &self.models);
        row.weapon = (second == u8::MAX).then(|| self.carried.weapon(entity.skin)).flatten();
        row.on_ground = None;
        out.row_like(row, slot.into());
    }
}

fn pair(pair: [u32; 2]) -> [Option<i32>; 2] {
    pair.map(|number| i32::try_from(number).ok())
}

/// The index of a config string within the range of its kind.
fn within(index: i16, first: u16, behind: u16) -> Option<u8> {
    let index = u16::try_from(index).ok().filter(|index| *index < behind)?;
    u8::try_from(index.checked_sub(first)?).ok()
}

impl Quake2Harvest {
    #[inline]
    pub(super) fn message<W: Write + Send>(
        &mut self,
        message: &Message<'_>,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        match message {
            Message::FrameMessage(it) => {
                self.framed = true;
                let time = (f64::from(it.head.seq1) / FRAMES) as f32;
                here.time = Some(time);
                self.level.tick(time);
            }
            Message::Layout(_) => self.laid_out = true,
            Message::ConfigString(it) => {
                let Some(index) = self.limits.id_config(it.index) else {
                    // A model beyond id's limits has another number in the world.
                    self.stale = true;
                    return;
                };
                self.stale |= u16::try_from(index) == Ok(CS_MAXCLIENTS);
                self.stale |= within(index, CS_MODELS, CS_SOUNDS).is_some();
                self.renamed.extend(within(index, CS_PLAYERSKINS, CS_PLAYERSKINS.saturating_add(256)));
            }
            Message::ServerData(it) => {
                self.limits = Q2proLimits::of_protocol(it.serverversion);
                here.level = here.level.saturating_add(1);
                here.time = None;
                self.level.begin(here);
                self.stale = true;
                out.recording.protocol.get_or_insert(it.serverversion);
                out.recording.side = match it.isdemo {
                    RECORD_SERVER if it.client < 0 => FixedWord::from_static("server"),
                    RECORD_RELAY => FixedWord::from_static("relay"),
                    _ => out.recording.side.clone(),
                };
            }
            _ => {}
        }
    }

    /// Handles the announcement of another level; `world` is the state of the old one.
    pub(super) fn leave<W: Write + Send>(
        &mut self,
        world: &World,
        here: &HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        if std::mem::take(&mut self.laid_out) {
            self.read_screen(world);
        }
        self.end(here, out);
    }

    pub(super) fn block<W: Write + Send>(
        &mut self,
        world: &World,
        places: bool,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        if std::mem::take(&mut self.stale) {
            self.announce(world);
        }
        for slot in std::mem::take(&mut self.renamed) {
            let (name, skin) = world.config.player(slot);
            self.people.name(slot, name, here, self.recorder, out);
            if let Some(player) = self.people.get(slot) {
                player.skin = Some(Word::of(skin));
                player.team = team(skin);
            }
        }
        if std::mem::take(&mut self.laid_out) {
            self.read_screen(world);
        }
        let framed = std::mem::take(&mut self.framed);
        if !self.level.is_on || !framed || !world.frame().validity.is_drawn() {
            return;
        }
        if places {
            self.positions(world, here, out);
        }
        if out.wants::<Ticks>() {
            for (client, state) in &world.drawn().players {
                out.row_like(self.tick(*client, state, here), client.unwrap_or_default().into());
            }
        }
        if out.wants::<Entities>() {
            self.entities(world, here, out);
        }
    }

    pub(super) fn end<W: Write + Send>(&mut self, here: &HarvestPosition, out: &mut RowOutput<'_, W>) {
        self.people.end(here, self.recorder, out);
        self.level.end(here, out);
    }
}
