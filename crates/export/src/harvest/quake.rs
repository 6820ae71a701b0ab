//! Quake's rows.

use super::people::People;
use super::{Again, Here, Open, Out, map};
use crate::Word;
use crate::tables::{Entities, Ticks};
use moviola_format::Placement;
use moviola_format::dem::Message;
use moviola_format::names::PrintMark;
use moviola_state::quake::{Look, Stat, World};
use std::io::Write;

/// How many units a second one step of a sent velocity is.
const SPEED: f32 = 16.0;

#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) level: Open,
    people: People,
    /// The place of the recording player.
    recorder: Option<u8>,
    /// The models' names by number, and whether they have to be asked for.
    models: Vec<Word>,
    stale: bool,
    /// Whether the block brought entities.
    updated: bool,
    /// Whether the level told the state of the player.
    is_told: bool,
    again: Again<(Look, Placement)>,
}

/// The name of a model.
fn model(models: &[Word], number: u16) -> Word {
    models.get(usize::from(number)).cloned().unwrap_or_default()
}

impl Side {
    /// The level is announced: what does not change in it.
    fn announce(&mut self, world: &World) {
        let (row, title) = (&mut self.level.row, world.level.title.bytes());
        row.map = map(world.level.models.get(1));
        row.title = Word::of(title);
        row.title_hex = Word::hex(title);
        row.protocol = world.level.protocol;
        row.max_clients = Some(i32::from(world.level.max_clients));
        row.game_type = Some(i32::from(world.level.game_type));
        self.again.forget();
        self.models = world.level.models.iter().map(|name| Word::of(name.bytes())).collect();
    }

    fn tick(&self, world: &World, here: &Here) -> Ticks {
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
            time: world.clock.now.value(),
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
            weapon: model(&self.models, stat(Stat::WeaponModel) as u16),
            weapon_frame: stat(Stat::WeaponFrame),
            items: Some(i64::from(vitals.items)),
            frags: frags.map_or(0, |player| i32::from(player.frags)),
            kills: Some(stat(Stat::Monsters)),
            secrets: Some(stat(Stat::Secrets)),
            on_ground: vitals.on_ground,
            in_water: Some(vitals.in_water),
            paused: Some(world.paused),
            move_type: None,
            fov: None,
        }
    }

    fn entities<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) {
        let Self { again, models, .. } = self;
        let now = (here.block, world.clock.now.value());
        for (number, entity) in world.shown() {
            let seen = (entity.look, entity.place);
            again.row((number, &seen), now, out, || entity_row(number, seen, models, here));
        }
    }
}

fn entity_row(number: u16, (look, place): (Look, Placement), models: &[Word], here: &Here) -> Entities {
    let [x, y, z] = place.origin.map(|place| place.value() as f32);
    let [pitch, yaw, roll] = place.angles.map(|angle| angle.value() as f32);
    Entities {
        recording: here.recording.clone(),
        level: here.level,
        entity: i32::from(number),
        model: model(models, look.model),
        frame: i32::from(look.frame),
        skin: i32::from(look.skin),
        effects: i64::from(look.effects),
        x,
        y,
        z,
        pitch,
        yaw,
        roll,
        colormap: Some(i32::from(look.colormap)),
        alpha: Some(i32::from(look.alpha)),
        ..Entities::default()
    }
}

/// The place of the player whose eyes are the camera.
fn recorder(world: &World) -> Option<u8> {
    let slot = world.view.entity.checked_sub(1)?;
    u8::try_from(slot).ok().filter(|slot| *slot < world.level.max_clients)
}

impl Side {
    #[inline]
    pub(super) fn message<W: Write + Send>(
        &mut self,
        message: &Message<'_>,
        here: &mut Here,
        out: &mut Out<'_, W>,
    ) {
        match message {
            Message::UpdateEntity(_) => self.updated = true,
            Message::ClientData(_) => self.is_told = true,
            Message::Time(it) => {
                here.time = Some(it.time.value());
                self.level.tick(it.time.value());
            }
            Message::ServerInfo(it) => {
                here.level = here.level.saturating_add(1);
                here.time = None;
                self.level.begin(here);
                self.is_told = false;
                self.stale = true;
                out.told.protocol.get_or_insert(it.protocol.version);
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
            Message::Print(it) if out.told.version.is_none() && self.level.is_on => {
                let text = Word::of(PrintMark::split(it.string.bytes()).1);
                // Servers begin a level by saying what they are.
                if text.as_str().to_ascii_lowercase().contains("server") {
                    out.told.version = Some(text);
                }
            }
            _ => {}
        }
    }

    /// Another level is announced; `world` is the old one's.
    pub(super) fn leave<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) {
        self.recorder = recorder(world);
        self.end(here, out);
    }

    pub(super) fn block<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) {
        if std::mem::take(&mut self.stale) {
            self.announce(world);
        }
        let updated = std::mem::take(&mut self.updated);
        if !self.level.is_on {
            return;
        }
        self.recorder = recorder(world);
        // Before its first time and state, the world is what a client begins with, which nobody told.
        if self.level.row.begin.is_none() {
            return;
        }
        if self.is_told && out.want::<Ticks>() {
            out.row(&self.tick(world, here));
        }
        if updated && out.want::<Entities>() {
            self.entities(world, here, out);
        }
    }

    pub(super) fn end<W: Write + Send>(&mut self, here: &Here, out: &mut Out<'_, W>) {
        self.people.end(here, self.recorder, out);
        self.level.end(here, out);
    }
}
