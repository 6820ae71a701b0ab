//! Quake's rows.

use super::names::Bits;
use super::people::People;
use super::trail::TrailSpot;
use super::{HarvestPosition, LastEntityRows, OpenLevel, Out, map};
use crate::tables::{Entities, Positions, Ticks};
use crate::{FixedWord, Word};
use moviola_analyse::vocabulary::Pack;
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
    /// The models' names by number, and whether they must be read again.
    models: Vec<Word>,
    stale: bool,
    /// Whether the block brought entities.
    updated: bool,
    /// Whether the level has sent the state of the player.
    has_state: bool,
    again: LastEntityRows<(EntityLook, Placement)>,
    /// The names of the level's weapons and items: Quake's, or a mission pack's.
    pack: Pack,
    items: Bits,
    effects: Bits,
}

/// The name of a model.
fn model(models: &[Word], number: u16) -> Word {
    models.get(usize::from(number)).cloned().unwrap_or_default()
}

/// Whether a player of this look is alive; `None` if the model does not show it.
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

    /// Takes the facts that do not change in a level from its announcement.
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
        self.pack = Pack::of(&world.level.models);
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
        out: &mut Out<'_, W>,
    ) {
        let wanted = out.wants::<Positions>();
        for (number, entity) in
            world.shown().take_while(|(number, _)| *number <= world.level.max_clients.into())
        {
            let Ok(slot) = u8::try_from(number - 1) else { break };
            let row = self.position(slot, entity, world, here);
            if wanted {
                out.row_like(&row, slot.into());
            }
        }
    }

    fn position(&self, slot: u8, entity: &Entity, world: &World, here: &mut HarvestPosition) -> Positions {
        let is_recorder = self.recorder == Some(slot);
        let vitals = &world.vitals;
        let own = is_recorder && self.has_state;
        let origin = entity.place.origin.map(|place| place.value() as f32);
        let mut angles = entity.place.angles.map(|angle| angle.value() as f32);
        if is_recorder {
            angles = world.view.angles.map(moviola_format::Float::value);
        }
        let stat = |stat| own.then(|| world.stats.get(stat));
        let seen = TrailSpot {
            block: here.block,
            time: here.recording_time.unwrap_or_default(),
            origin,
            angles,
            health: stat(Stat::Health),
            armor: stat(Stat::Armor),
        };
        let way = here.trail.add(slot, seen);
        let sent = own.then(|| vitals.velocity.map(|speed| f32::from(speed) * SPEED));
        let [velocity_x, velocity_y, velocity_z] = sent.or(way).map_or([None; 3], |speed| speed.map(Some));
        let [x, y, z] = origin;
        let [pitch, yaw, roll] = angles;
        let model = model(&self.models, entity.look.model);
        Positions {
            recording: here.recording.clone(),
            block: here.block,
            level: here.level,
            map: self.level.row.map.clone(),
            level_time: world.clock.now.value(),
            recording_time: seen.time,
            slot: slot.into(),
            name: self.people.name_of(slot).unwrap_or_default(),
            team: self.people.team(slot),
            is_recorder,
            x,
            y,
            z,
            velocity_x,
            velocity_y,
            velocity_z,
            is_velocity_told: sent.is_some(),
            pitch,
            yaw,
            roll,
            is_alive: seen.health.map(|health| health > 0).or_else(|| is_alive(&entity.look, &model)),
            weapon: own.then(|| self.weapon(world)).flatten(),
            on_ground: own.then_some(vitals.on_ground),
            is_told: true,
        }
    }

    fn tick(&mut self, world: &World, here: &HarvestPosition) -> Ticks {
        let items = self.items.names(self.pack.items(), world.vitals.items);
        let stat = |stat| world.stats.get(stat);
        let vitals = &world.vitals;
        let eyes = world.eyes().filter(|entity| entity.place != Placement::default());
        let [x, y, z] =
            eyes.map_or([None; 3], |eyes| eyes.place.origin.map(|place| Some(place.value() as f32)));
        let [velocity_x, velocity_y, velocity_z] = vitals.velocity.map(|speed| f32::from(speed) * SPEED);
        let [pitch, yaw, roll] = world.view.angles.map(moviola_format::Float::value);
        let frags = recorder(world).and_then(|slot| world.players.get(usize::from(slot)));
        Ticks {
            recording: here.recording.clone(),
            block: here.block,
            level: here.level,
            level_time: world.clock.now.value(),
            recording_time: here.recording_time.unwrap_or_default(),
            client: None,
            x,
            y,
            z,
            velocity_x,
            velocity_y,
            velocity_z,
            pitch,
            yaw,
            roll,
            health: stat(Stat::Health),
            armor: stat(Stat::Armor),
            ammo: stat(Stat::Ammo),
            shells: Some(stat(Stat::Shells)),
            nails: Some(stat(Stat::Nails)),
            rockets: Some(stat(Stat::Rockets)),
            cells: Some(stat(Stat::Cells)),
            weapon: self.weapon(world),
            weapon_model: model(&self.models, stat(Stat::WeaponModel) as u16),
            weapon_frame: stat(Stat::WeaponFrame),
            items: Some(items),
            frags: frags.map_or(0, |player| i32::from(player.frags)),
            monsters: Some(stat(Stat::Monsters)),
            secrets: Some(stat(Stat::Secrets)),
            on_ground: Some(vitals.on_ground),
            in_water: Some(vitals.in_water),
            is_paused: Some(world.paused),
            move_type: None,
            fov: None,
        }
    }

    fn entities<W: Write + Send>(&mut self, world: &World, here: &HarvestPosition, out: &mut Out<'_, W>) {
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
        row.model = model(models, look.model);
        row.model_id = i32::from(look.model);
        row.frame = i32::from(look.frame);
        row.skin = i32::from(look.skin);
        row.effects = effects.names(quake::EFFECTS, look.effects.into());
        row.colormap = Some(i32::from(look.colormap));
        row.alpha = Some(i32::from(look.alpha));
    }
    [row.x, row.y, row.z] = place.origin.map(|place| place.value() as f32);
    [row.pitch, row.yaw, row.roll] = place.angles.map(|angle| angle.value() as f32);
}

/// The slot of the player whose eyes are the camera.
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
        out: &mut Out<'_, W>,
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
                // Servers begin a level by printing their version.
                if text.as_str().to_ascii_lowercase().contains("server") {
                    out.recording.server_version = Some(text);
                }
            }
            _ => {}
        }
    }

    /// Another level is announced; `world` is the old one's.
    pub(super) fn leave<W: Write + Send>(
        &mut self,
        world: &World,
        here: &HarvestPosition,
        out: &mut Out<'_, W>,
    ) {
        self.recorder = recorder(world);
        self.end(here, out);
    }

    pub(super) fn block<W: Write + Send>(
        &mut self,
        world: &World,
        places: bool,
        here: &mut HarvestPosition,
        out: &mut Out<'_, W>,
    ) {
        if std::mem::take(&mut self.stale) {
            self.announce(world);
        }
        let updated = std::mem::take(&mut self.updated);
        if !self.level.is_on {
            return;
        }
        self.recorder = recorder(world);
        // Before its first time and state, the world is the one with which a client begins, and was not sent.
        if self.level.row.first_time.is_none() {
            return;
        }
        if updated && places {
            self.positions(world, here, out);
        }
        if self.has_state && out.wants::<Ticks>() {
            out.row(&self.tick(world, here));
        }
        if updated && out.wants::<Entities>() {
            self.entities(world, here, out);
        }
    }

    pub(super) fn end<W: Write + Send>(&mut self, here: &HarvestPosition, out: &mut Out<'_, W>) {
        self.people.end(here, self.recorder, out);
        self.level.end(here, out);
    }
}
