//! Quake II's rows.

use super::people::People;
use super::{Again, Here, Open, Out, map};
use crate::Word;
use crate::tables::{Entities, Ticks};
use moviola_format::dm2::Message;
use moviola_format::names::quake2::{
    CS_MAXCLIENTS, CS_MODELS, CS_PLAYERSKINS, CS_SOUNDS, RECORD_RELAY, RECORD_SERVER,
};
use moviola_state::quake2::layout::{Progress, progress, run, scores};
use moviola_state::quake2::{Entity, PlayerState, Stat, World};
use std::io::Write;

/// How many frames make a second.
const FRAMES: f64 = 10.0;

/// The bit of a player's movement that says that there is ground.
const ON_GROUND: u8 = 4;

/// How many models config strings can name.
const MODELS: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) level: Open,
    people: People,
    /// The place of the recording player.
    recorder: Option<u8>,
    models: Vec<Word>,
    stale: bool,
    /// Whether the block brought a frame, or a layout.
    framed: bool,
    laid_out: bool,
    /// Places whose names changed in the block.
    renamed: Vec<u8>,
    again: Again<Entity>,
}

/// The name of a model.
fn model(models: &[Word], number: u8) -> Word {
    if number == u8::MAX {
        return Word::known("player"); // schema-once: a value of the column
    }
    models.get(usize::from(number)).cloned().unwrap_or_default()
}

impl Side {
    /// What config strings and the server say of the level.
    fn announce(&mut self, world: &World) {
        let (row, title) = (&mut self.level.row, world.server.title.bytes());
        row.map = map(world.config.model(1));
        row.title = Word::of(title);
        row.title_hex = Word::hex(title);
        row.protocol = world.server.protocol;
        row.max_clients = Some(i32::from(world.config.max_clients()));
        self.recorder = u8::try_from(world.server.client).ok();
        self.again.forget();
        self.models = (0..MODELS).map(|number| Word::of(world.config.model(number as u8))).collect();
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
            time: here.time.unwrap_or_default(),
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
            weapon: if state.gun_model == 0 { Word::default() } else { model(&self.models, state.gun_model) },
            weapon_frame: i32::from(state.gun_frame),
            frags: stat(Stat::Frags),
            on_ground: state.pm_flags & ON_GROUND != 0,
            move_type: Some(i32::from(state.pm_type)),
            fov: Some(i32::from(state.fov)),
            ..Ticks::default()
        }
    }

    fn entities<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) {
        let Self { again, models, .. } = self;
        for entity in &world.drawn().entities {
            let now = (here.block, here.time.unwrap_or_default());
            again.row((entity.number, entity), now, out, || entity_row(entity, models, here));
        }
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
            if let Some(Progress { kills, goals, secrets }) = progress(&shown) {
                let row = &mut self.level.row;
                [row.kills, row.total_kills] = pair(kills);
                [row.goals, row.total_goals] = pair(goals);
                [row.secrets, row.total_secrets] = pair(secrets);
            }
        }
    }
}

fn entity_row(entity: &Entity, models: &[Word], here: &Here) -> Entities {
    let [own, carried, ..] = entity.models;
    let [x, y, z] = entity.origin.map(|place| place.value() as f32);
    let [pitch, yaw, roll] = entity.angles.map(|angle| angle.value() as f32);
    Entities {
        recording: here.recording.clone(),
        level: here.level,
        entity: i32::from(entity.number),
        model: if own == 0 { Word::default() } else { model(models, own) },
        frame: entity.frame,
        skin: entity.skin as i32,
        effects: i64::from(entity.effects),
        x,
        y,
        z,
        pitch,
        yaw,
        roll,
        renderfx: Some(i64::from(entity.renderfx)),
        sound: Some(i32::from(entity.sound)),
        event: Some(i32::from(entity.event)),
        model2: (carried != 0).then(|| model(models, carried)),
        ..Entities::default()
    }
}

fn pair(pair: [u32; 2]) -> [Option<i32>; 2] {
    pair.map(|number| i32::try_from(number).ok())
}

/// Which number of a kind of config string an index is.
fn within(index: i16, first: u16, behind: u16) -> Option<u8> {
    let index = u16::try_from(index).ok().filter(|index| *index < behind)?;
    u8::try_from(index.checked_sub(first)?).ok()
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
            Message::FrameMessage(it) => {
                self.framed = true;
                let time = (f64::from(it.head.seq1) / FRAMES) as f32;
                here.time = Some(time);
                self.level.tick(time);
            }
            Message::Layout(_) => self.laid_out = true,
            Message::ConfigString(it) => {
                self.stale |= u16::try_from(it.index) == Ok(CS_MAXCLIENTS);
                self.stale |= within(it.index, CS_MODELS, CS_SOUNDS).is_some();
                self.renamed.extend(within(it.index, CS_PLAYERSKINS, CS_PLAYERSKINS.saturating_add(256)));
            }
            Message::ServerData(it) => {
                here.level = here.level.saturating_add(1);
                here.time = None;
                self.level.begin(here);
                self.stale = true;
                out.told.protocol.get_or_insert(it.serverversion);
                out.told.side = match it.isdemo {
                    RECORD_SERVER if it.client < 0 => Word::known("server"),
                    RECORD_RELAY => Word::known("relay"),
                    _ => out.told.side.clone(),
                };
                let folder = it.game.bytes();
                if !folder.is_empty() {
                    out.told.version.get_or_insert_with(|| Word::of(folder));
                }
            }
            _ => {}
        }
    }

    /// Another level is announced; `world` is the old one's.
    pub(super) fn leave<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) {
        if std::mem::take(&mut self.laid_out) {
            self.read_screen(world);
        }
        self.end(here, out);
    }

    pub(super) fn block<W: Write + Send>(&mut self, world: &World, here: &Here, out: &mut Out<'_, W>) {
        if std::mem::take(&mut self.stale) {
            self.announce(world);
        }
        for slot in std::mem::take(&mut self.renamed) {
            let (name, skin) = world.config.player(slot);
            self.people.name(slot, name, here, self.recorder, out);
            if let Some(player) = self.people.get(slot) {
                player.skin = Some(Word::of(skin));
            }
        }
        if std::mem::take(&mut self.laid_out) {
            self.read_screen(world);
        }
        let framed = std::mem::take(&mut self.framed);
        if !self.level.is_on || !framed || !world.frame().validity.is_drawn() {
            return;
        }
        let frame = world.drawn();
        if out.want::<Ticks>() {
            for (client, state) in &frame.players {
                out.row(&self.tick(*client, state, here));
            }
        }
        if out.want::<Entities>() {
            self.entities(world, here, out);
        }
    }

    pub(super) fn end<W: Write + Send>(&mut self, here: &Here, out: &mut Out<'_, W>) {
        self.people.end(here, self.recorder, out);
        self.level.end(here, out);
    }
}
