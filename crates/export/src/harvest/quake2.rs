//! Quake II's rows.

use super::people::People;
use super::{Here, Open, Out, map};
use crate::Word;
use crate::tables::{Entities, Levels, Ticks};
use moviola_format::dm2::Message;
use moviola_format::names::quake2::{CS_MODELS, CS_PLAYERSKINS, CS_SOUNDS};
use moviola_state::quake2::layout::{Progress, progress, run, scores};
use moviola_state::quake2::{PlayerState, Stat, World};
use std::io::{self, Write};

/// How long a frame lasts, in seconds.
const FRAME: f32 = 0.1;

/// The way of moving of an intermission. Some games freeze who plays as well, but leave the weapon there.
const FROZEN: u8 = 4;

/// The bit of a player's movement that says that there is ground.
const ON_GROUND: u8 = 4;

/// How many models config strings can name.
const MODELS: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Side {
    level: Option<Open>,
    people: People,
    models: Vec<Word>,
    stale: bool,
    /// The clock when the players were frozen.
    frozen: Option<f32>,
    progress: Option<Progress>,
    /// Whether the block brought a frame, or a layout.
    framed: bool,
    laid_out: bool,
    /// Places whose names changed in the block.
    renamed: Vec<u8>,
}

impl Side {
    pub(super) fn new() -> Self {
        Self::default()
    }

    fn model(&self, number: u8) -> Word {
        if number == u8::MAX {
            return Word::known("player"); // schema-once: a value of the column
        }
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
        let (frozen, progress) = (self.frozen.take(), self.progress.take());
        let [kills, total_kills] = pair(progress.map(|it| it.kills));
        let [secrets, total_secrets] = pair(progress.map(|it| it.secrets));
        let [goals, total_goals] = pair(progress.map(|it| it.goals));
        let title = world.server.title.bytes();
        out.files.row(&Levels {
            recording: here.recording.clone(),
            level: here.level,
            map: map(world.config.model(1)),
            title: Word::of(title),
            title_hex: Word::hex(title),
            protocol: world.server.protocol,
            max_clients: Some(i32::from(world.config.max_clients())),
            game_type: None,
            first_block: open.first_block,
            last_block: here.block,
            begin: open.begin,
            end: open.end,
            // schema-once: a value of the column
            ending: frozen.map(|_| Word::known("intermission")),
            ending_time: frozen,
            kills,
            total_kills,
            secrets,
            total_secrets,
            goals,
            total_goals,
        })
    }

    fn tick(&self, client: Option<u8>, state: &PlayerState, here: &Here) -> Ticks {
        let stat = |stat| i32::from(state.stat(stat));
        let [x, y, z] = state.origin.map(|place| Some(place.value() as f32));
        let [velocity_x, velocity_y, velocity_z] = state.velocity.map(|speed| speed.value() as f32);
        let [pitch, yaw, roll] = state.view_angles.map(|angle| angle.value() as f32);
        Ticks {
            recording: here.recording.clone(),
            block: here.block,
            level: here.level,
            time: here.time,
            client: client.map(i32::from),
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
            weapon: if state.gun_model == 0 { Word::default() } else { self.model(state.gun_model) },
            weapon_frame: i32::from(state.gun_frame),
            frags: stat(Stat::Frags),
            on_ground: state.pm_flags & ON_GROUND != 0,
            move_type: Some(i32::from(state.pm_type)),
            fov: Some(i32::from(state.fov)),
            ..Ticks::default()
        }
    }

    fn entities<W: Write + Send>(&self, world: &World, here: &Here, out: &mut Out<'_, W>) -> io::Result<()> {
        let mut row = Entities {
            recording: here.recording.clone(),
            block: here.block,
            level: here.level,
            time: here.time,
            ..Entities::default()
        };
        for entity in &world.drawn().entities {
            let [model, model2, ..] = entity.models;
            row.entity = i32::from(entity.number);
            row.model = if model == 0 { Word::default() } else { self.model(model) };
            row.frame = entity.frame;
            row.skin = entity.skin as i32;
            row.effects = i64::from(entity.effects);
            [row.x, row.y, row.z] = entity.origin.map(|place| place.value() as f32);
            [row.pitch, row.yaw, row.roll] = entity.angles.map(|angle| angle.value() as f32);
            row.renderfx = Some(i64::from(entity.renderfx));
            row.sound = Some(i32::from(entity.sound));
            row.event = Some(i32::from(entity.event));
            row.model2 = (model2 != 0).then(|| self.model(model2));
            out.files.row(&row)?;
        }
        Ok(())
    }

    /// What the scores and the field computer say.
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
            self.progress = progress(&shown).or(self.progress);
        }
    }
}

fn is_frozen(state: &PlayerState) -> bool {
    state.pm_type == FROZEN && state.gun_model == 0
}

fn pair(pair: Option<[u32; 2]>) -> [Option<i32>; 2] {
    pair.map_or([None; 2], |pair| pair.map(|number| i32::try_from(number).ok()))
}

fn recorder(world: &World) -> Option<u8> {
    u8::try_from(world.server.client).ok()
}

/// Which number of a kind of config string an index is.
fn within(index: i16, first: u16, behind: u16) -> Option<u8> {
    let index = u16::try_from(index).ok().filter(|index| *index < behind)?;
    u8::try_from(index.checked_sub(first)?).ok()
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
            Message::FrameMessage(it) => {
                self.framed = true;
                here.time = it.head.seq1 as f32 * FRAME;
                if let Some(level) = &mut self.level {
                    level.tick(here.time);
                }
            }
            Message::Layout(_) => self.laid_out = true,
            Message::ConfigString(it) => {
                self.stale |= within(it.index, CS_MODELS, CS_SOUNDS).is_some();
                self.renamed.extend(within(it.index, CS_PLAYERSKINS, CS_PLAYERSKINS.saturating_add(256)));
            }
            Message::ServerData(it) => {
                self.end_level(world, here, out)?;
                here.level = here.level.saturating_add(1);
                here.time = 0.0;
                self.level = Some(Open::new(here));
                self.stale = true;
                out.told.protocol.get_or_insert(it.serverversion);
                out.told.side = match it.isdemo {
                    // schema-once: who recorded
                    2 if it.client < 0 => Word::known("server"),
                    3 => Word::known("relay"),
                    _ => out.told.side.clone(),
                };
                let folder = it.game.bytes();
                if !folder.is_empty() {
                    out.told.version.get_or_insert_with(|| Word::of(folder));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn block<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) -> io::Result<()> {
        if std::mem::take(&mut self.stale) {
            self.models = (0..MODELS).map(|number| Word::of(world.config.model(number as u8))).collect();
        }
        for slot in std::mem::take(&mut self.renamed) {
            let (name, skin) = world.config.player(slot);
            self.people.name(slot, name, here, recorder(world), out)?;
            if let Some(player) = self.people.get(slot) {
                player.skin = Some(Word::of(skin));
            }
        }
        if std::mem::take(&mut self.laid_out) {
            self.read_screen(world);
        }
        let framed = std::mem::take(&mut self.framed);
        if self.level.is_none() || !framed || !world.frame().validity.is_drawn() {
            return Ok(());
        }
        let frame = world.drawn();
        if self.frozen.is_none() && frame.players.iter().any(|(_, state)| is_frozen(state)) {
            self.frozen = Some(here.time);
        }
        if out.files.want::<Ticks>() {
            for (client, state) in &frame.players {
                out.files.row(&self.tick(*client, state, here))?;
            }
        }
        if out.files.want::<Entities>() {
            self.entities(world, here, out)?;
        }
        Ok(())
    }

    fn end<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) -> io::Result<()> {
        self.end_level(world, here, out)
    }
}
