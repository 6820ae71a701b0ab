//! Quake's rows.

use super::names::Bits;
use super::people::People;
use super::slots::SlotRows;
use super::trail::TrailSpot;
use super::{HarvestPosition, LastEntityRows, OpenLevel, RowOutput, map};
use crate::tables::{Entities, Positions, Ticks};
use crate::word::EMPTY;
use crate::{FixedWord, Word};
use moviola_analyse::vocabulary::MissionPack;
use moviola_format::Placement;
use moviola_format::dem::Message;
use moviola_format::names::{PrintMark, quake, range_name, value_name};
use moviola_state::quake::{Entity, EntityLook, Stat, World};
use std::io::Write;

/// The units per second of one step of a sent velocity.
const SPEED: f32 = 16.0;

#[derive(Debug, Default)]
pub(super) struct QuakeHarvest {
    pub(super) level: OpenLevel,
    people: People,
    /// The slot of the recorder.
    recorder: Option<u8>,
    /// The models' names by number, and whether they must be updated.
    models: Vec<Word>,
    stale: bool,
    /// Whether the block brought entities.
    updated: bool,
    /// Whether the level has sent the state of the player.
    has_state: bool,
    again: LastEntityRows<(EntityLook, Placement)>,
    positions: SlotRows<Positions>,
    ticks: SlotRows<Ticks>,
    /// The names of the level's weapons and items: Quake's, or a mission pack's.
    pack: MissionPack,
    items: Bits,
    effects: Bits,
}

/// The name of a model.
fn model(models: &[Word], number: u16) -> &Word {
    models.get(usize::from(number)).unwrap_or(&EMPTY)
}

/// Whether a player who looks like this is alive; `None` if the model does not show it.
fn is_alive(look: &EntityLook, model: &Word) -> Option<bool> {
    match model.as_str().rsplit('/').next() {
        Some("player.mdl") => {
            let name = range_name(quake::PLAYER_FRAME, look.frame.into());
            Some(!name.is_some_and(|name| name.contains("death")))
        }
        Some("eyes.mdl") => Some(true),
        Some("h_player.mdl") => Some(false),
        _ => None,
    }
}

impl QuakeHarvest {
    /// The level, its players, and the slot of the recorder.
    pub(super) fn level_and_players(&self) -> (&OpenLevel, &People, Option<u8>) {
        (&self.level, &self.people, self.recorder)
    }

    /// Reads the facts in a level's announcement that do not change during the level.
    fn announce(&mut self, world: &World) {
        let (row, title) = (&mut self.level.row, world.level.title.bytes());
        row.map = map(world.level.models.get(1));
        row.title = Word::of(title);
        row.title_hex = Word::hex(title);
        row.protocol = world.level.protocol;
        row.max_clients = Some(i32::from(world.level.max_clients));
        row.game_type = match world.level.game_type {
            0 => Some(FixedWord::from_static("coop")),
            1 => Some(FixedWord::from_static("deathmatch")),
            _ => None,
        };
        self.pack = MissionPack::of(&world.level.models);
        self.items.forget();
        self.again.forget();
        self.models = world.level.models.iter().map(|name| Word::of(name.bytes())).collect();
    }

    /// The weapon in the recorder's hand.
    fn weapon(&self, world: &World) -> Option<FixedWord> {
        if world.stats.get(Stat::WeaponModel) == 0 {
            return None;
        }
        value_name(self.pack.weapons(), world.stats.get(Stat::Weapon).into()).map(FixedWord::from_static)
    }

    /// Adds the players of this block to the trail and writes their rows of `positions`.
    fn positions<W: Write + Send>(
        &mut self,
        world: &World,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        for (number, entity) in
            world.shown().take_while(|(number, _)| *number <= world.level.max_clients.into())
        {
            let Ok(slot) = u8::try_from(number - 1) else { break };
            self.position(slot, entity, world, here, out);
        }
    }

    fn position<W: Write + Send>(
        &mut self,
        slot: u8,
        entity: &Entity,
        world: &World,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        let is_recorder = self.recorder == Some(slot);
        let vitals = &world.vitals;
        let has_own_state = is_recorder && self.has_state;
        let mut angles = entity.place.angles.map(|angle| angle.value() as f32);
        if is_recorder {
            angles = world.view.angles.map(moviola_format::Float::value);
        }
        let stat = |stat| has_own_state.then(|| world.stats.get(stat));
        let seen = TrailSpot {
            block: here.block,
            time: here.recording_time.unwrap_or_default(),
            origin: entity.place.origin.map(|place| place.value() as f32),
            angles,
            health: stat(Stat::Health),
            armor: stat(Stat::Armor),
        };
        let way = here.trail.add(slot, seen);
        if !out.wants::<Positions>() {
            return;
        }
        let weapon = has_own_state.then(|| self.weapon(world)).flatten();
        let sent = has_own_state.then(|| vitals.velocity.map(|speed| f32::from(speed) * SPEED));
        let row = self.positions.at((slot, &seen), sent.or(way), (&self.level, &self.people, here));
        row.level_time = world.clock.now.value();
        row.is_recorder = is_recorder;
        row.is_velocity_told = sent.is_some();
        let model = model(&self.models, entity.look.model);
        row.is_alive = seen.health.map(|health| health > 0).or_else(|| is_alive(&entity.look, model));
        row.weapon = weapon;
        row.on_ground = has_own_state.then_some(vitals.on_ground);
        out.row_like(row, slot.into());
    }

    fn tick(&mut self, world: &World, here: &HarvestPosition) -> &Ticks {
        let stat = |stat| world.stats.get(stat);
        let vitals = &world.vitals;
        let weapon = self.weapon(world);
        let row = self.ticks.now(None, here);
        row.level_time = world.clock.now.value();
        let eyes = world.eyes().filter(|entity| entity.place != Placement::default());
        [row.x, row.y, row.z] =
            eyes.map_or([None; 3], |eyes| eyes.place.origin.map(|place| Some(place.value() as f32)));
        [row.velocity_x, row.velocity_y, row.velocity_z] =
            vitals.velocity.map(|speed| f32::from(speed) * SPEED);
        [row.pitch, row.yaw, row.roll] = world.view.angles.map(moviola_format::Float::value);
        row.health = stat(Stat::Health);
        row.armor = stat(Stat::Armor);
        row.ammo = stat(Stat::Ammo);
        row.shells = Some(stat(Stat::Shells));
        row.nails = Some(stat(Stat::Nails));
        row.rockets = Some(stat(Stat::Rockets));
        row.cells = Some(stat(Stat::Cells));
        row.weapon = weapon;
        row.weapon_model.share(model(&self.models, stat(Stat::WeaponModel) as u16));
        row.weapon_frame = stat(Stat::WeaponFrame);
        let items = self.items.names(self.pack.items(), vitals.items);
        row.items.get_or_insert_default().share(items);
        let frags = recorder(world).and_then(|slot| world.players.get(usize::from(slot)));
        row.frags = frags.map_or(0, |player| i32::from(player.frags));
        row.monsters = Some(stat(Stat::Monsters));
        row.secrets = Some(stat(Stat::Secrets));
        row.on_ground = Some(vitals.on_ground);
        row.in_water = Some(vitals.in_water);
        row.is_paused = Some(world.paused);
        row
    }

    fn entities<W: Write + Send>(
        &mut self,
        world: &World,
        here: &HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        let Self { again, models, effects, .. } = self;
        again.frame(here.block, world.clock.now.value(), here.recording_time.unwrap_or_default());
        for (number, entity) in world.shown() {
            let seen = (entity.look, entity.place);
            again.row((number, &seen, false), out, |row, last| {
                change_row(row, last, number, seen, models, effects, here);
            });
        }
    }
}

/// Updates the row of an entity, which it had in the state `last`.
fn change_row(
    row: &mut Entities,
    last: Option<&(EntityLook, Placement)>,
    number: u16,
    (look, place): (EntityLook, Placement),
    models: &[Word],
    effects: &mut Bits,
    here: &HarvestPosition,
) {
    if last.is_none_or(|(last, _)| *last != look) {
        row.recording = here.recording.clone();
        row.level = here.level;
        row.entity = i32::from(number);
        row.model = model(models, look.model).clone();
        row.model_id = i32::from(look.model);
        row.frame = i32::from(look.frame);
        row.skin = i32::from(look.skin);
        row.effects = effects.names(quake::EFFECTS, look.effects.into()).clone();
        row.colormap = Some(i32::from(look.colormap));
        row.alpha = Some(i32::from(look.alpha));
    }
    [row.x, row.y, row.z] = place.origin.map(|place| place.value() as f32);
    [row.pitch, row.yaw, row.roll] = place.angles.map(|angle| angle.value() as f32);
}

/// The slot of the player whose view the camera shows.
fn recorder(world: &World) -> Option<u8> {
    let slot = world.view.entity.checked_sub(1)?;
    u8::try_from(slot).ok().filter(|slot| *slot < world.level.max_clients)
}

impl QuakeHarvest {
    #[inline]
    pub(super) fn message<W: Write + Send>(
        &mut self,
        message: &Message<'_>,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        match message {
            Message::UpdateEntity(_) | Message::DarkPlacesFrame(_) | Message::UpdateEntities(_) => {
                self.updated = true;
            }
            Message::ClientData(_) | Message::PlayerData(_) => self.has_state = true,
            Message::Time(it) => {
                here.time = Some(it.time.value());
                self.level.tick(it.time.value());
            }
            Message::ServerInfo(it) => {
                here.level = here.level.saturating_add(1);
                here.time = None;
                self.level.begin(here);
                self.has_state = false;
                self.stale = true;
                out.recording.protocol.get_or_insert(it.protocol.version());
            }
            Message::UpdateName(it) => {
                self.people.name(it.player, it.netname.bytes(), here, self.recorder, out);
            }
            Message::UpdateFrags(it) => {
                if let Some(player) = self.people.get(it.player) {
                    player.frags = Some(i32::from(it.frags));
                }
            }
            Message::UpdateColors(it) => {
                if let Some(player) = self.people.get(it.player) {
                    player.shirt = Some(i32::from(it.colors.shirt()));
                    player.pants = Some(i32::from(it.colors.pants()));
                }
            }
            Message::Print(it) if out.recording.server_version.is_none() && self.level.is_on => {
                let text = Word::of(PrintMark::split(it.string.bytes()).1);
                // Only a server's version is printed with this word, at the beginning of a level.
                if text.as_str().to_ascii_lowercase().contains("server") {
                    out.recording.server_version = Some(text);
                }
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
        self.recorder = recorder(world);
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
        let updated = std::mem::take(&mut self.updated);
        if !self.level.is_on {
            return;
        }
        self.recorder = recorder(world);
        // Before the level's first time and state, the world has only initial values, which were not sent.
        if self.level.row.first_time.is_none() {
            return;
        }
        if updated && places {
            self.positions(world, here, out);
        }
        if self.has_state && out.wants::<Ticks>() {
            out.row(self.tick(world, here));
        }
        if updated && out.wants::<Entities>() {
            self.entities(world, here, out);
        }
    }

    pub(super) fn end<W: Write + Send>(&mut self, here: &HarvestPosition, out: &mut RowOutput<'_, W>) {
        self.people.end(here, self.recorder, out);
        self.level.end(here, out);
    }
}
