//! Quake's rows.

use super::people::People;
use super::{Here, Open, Out, finite, map};
use crate::Word;
use crate::tables::{Entities, Levels, Ticks};
use moviola_format::Placement;
use moviola_format::dem::Message;
use moviola_format::names::PrintMark;
use moviola_state::quake::{Scene, Stat, World};
use std::io::{self, Write};

/// How many units a second one step of a sent velocity is.
const SPEED: f32 = 16.0;

#[derive(Debug, Default)]
pub(super) struct Side {
    level: Option<Open>,
    people: People,
    /// The models' names by number, and whether they have to be asked for.
    models: Vec<Word>,
    stale: bool,
    /// Whether the block brought entities.
    updated: bool,
}

impl Side {
    pub(super) fn new() -> Self {
        Self::default()
    }

    fn model(&self, number: u16) -> Word {
        self.models.get(usize::from(number)).cloned().unwrap_or_default()
    }

    fn end_level<W: Write + Send>(
        &mut self,
        world: &World,
        here: &Here,
        out: &mut Out<'_, W>,
    ) -> io::Result<()> {
        let Some(open) = self.level.take() else { return Ok(()) };
        self.people.end(here, recorder(world), out)?;
        out.told.duration += open.duration();
        let ending = match world.ending.scene {
            Scene::Play => None,
            Scene::Intermission => Some(Word::known("intermission")), // schema-once: a value of the column
            Scene::Finale => Some(Word::known("finale")),             // schema-once: a value of the column
            Scene::Cutscene => Some(Word::known("cutscene")),         // schema-once: a value of the column
        };
        let stat = |stat| Some(world.stats.get(stat));
        let title = world.level.title.bytes();
        out.files.row(&Levels {
            recording: here.recording.clone(),
            level: here.level,
            map: map(world.level.models.get(1)),
            title: Word::of(title),
            title_hex: Word::hex(title),
            protocol: world.level.protocol,
            max_clients: Some(i32::from(world.level.max_clients)),
            game_type: Some(i32::from(world.level.game_type)),
            first_block: open.first_block,
            last_block: here.block,
            begin: open.begin,
            end: open.end,
            ending_time: ending.as_ref().and_then(|_| finite(world.ending.time.value())),
            ending,
            kills: stat(Stat::Monsters),
            total_kills: stat(Stat::TotalMonsters),
            secrets: stat(Stat::Secrets),
            total_secrets: stat(Stat::TotalSecrets),
            goals: None,
            total_goals: None,
        })
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
            weapon: self.model(stat(Stat::WeaponModel) as u16),
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

    fn entities<W: Write + Send>(&self, world: &World, here: &Here, out: &mut Out<'_, W>) -> io::Result<()> {
        let mut row = Entities {
            recording: here.recording.clone(),
            block: here.block,
            level: here.level,
            time: world.clock.now.value(),
            ..Entities::default()
        };
        for (number, entity) in world.shown() {
            let look = &entity.look;
            row.entity = i32::from(number);
            row.model = self.model(look.model);
            row.frame = i32::from(look.frame);
            row.skin = i32::from(look.skin);
            row.effects = i64::from(look.effects);
            [row.x, row.y, row.z] = entity.place.origin.map(|place| place.value() as f32);
            [row.pitch, row.yaw, row.roll] = entity.place.angles.map(|angle| angle.value() as f32);
            row.colormap = Some(i32::from(look.colormap));
            row.alpha = Some(i32::from(look.alpha));
            out.files.row(&row)?;
        }
        Ok(())
    }
}

/// The place of the player whose eyes are the camera.
fn recorder(world: &World) -> Option<u8> {
    let slot = world.view.entity.checked_sub(1)?;
    u8::try_from(slot).ok().filter(|slot| *slot < world.level.max_clients)
}

impl super::Side for Side {
    type World = World;

    #[inline]
    fn message<W: Write + Send>(
        &mut self,
        world: &World,
        message: &Message<'_>,
        here: &mut Here,
        out: &mut Out<'_, W>,
    ) -> io::Result<()> {
        match message {
            Message::UpdateEntity(_) => self.updated = true,
            Message::Time(it) => {
                here.time = it.time.value();
                if let Some(level) = &mut self.level {
                    level.tick(here.time);
                }
            }
            Message::ServerInfo(it) => {
                self.end_level(world, here, out)?;
                here.level = here.level.saturating_add(1);
                here.time = 0.0;
                self.level = Some(Open::new(here));
                self.stale = true;
                out.told.protocol.get_or_insert(it.protocol.version);
            }
            Message::UpdateName(it) => {
                self.people.name(it.player, it.netname.bytes(), here, recorder(world), out)?;
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
            Message::Print(it) if out.told.version.is_none() && self.level.is_some() => {
                let text = Word::of(PrintMark::split(it.string.bytes()).1);
                // Servers begin a level by saying what they are.
                if text.as_str().to_ascii_lowercase().contains("server") {
                    out.told.version = Some(text);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn block<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) -> io::Result<()> {
        if std::mem::take(&mut self.stale) {
            self.models = world.level.models.iter().map(|name| Word::of(name.bytes())).collect();
        }
        let updated = std::mem::take(&mut self.updated);
        if self.level.is_none() {
            return Ok(());
        }
        if out.files.want::<Ticks>() {
            out.files.row(&self.tick(world, here))?;
        }
        if updated && out.files.want::<Entities>() {
            self.entities(world, here, out)?;
        }
        Ok(())
    }

    fn end<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) -> io::Result<()> {
        self.end_level(world, here, out)
    }
}
