//! The camera in Quake: an entity of its own that the view is from, and the angles of the blocks.
//!
//! The rules are those of id's view (`V_CalcRefdef`): it adds the player's bobbing, kicks and height to the place of
//! the view entity, so these are told as none while the camera is filming.

use super::operate::{Operator, Stage, Subject};
use super::script::Shot;
use super::survey::Plan;
use crate::BlockWriter;
use crate::machinery::bridge::quake::update;
use moviola_format::dem::{self, ClientData, Message};
use moviola_format::names::readable;
use moviola_format::{Angle, ClientBits, Coord, Entry, Placement, Str, Whole};
use moviola_state::World as _;
use moviola_state::quake::{Baseline, Entity, World};

/// The state of the recording while it is filmed.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    world: World,
    /// Whether the block is a frame of the game.
    is_frame: bool,
    /// Whether the view is from the camera.
    is_rolling: bool,
    /// The angles of the last frame.
    angles: Option<[u32; 3]>,
    /// The field of view in degrees that the shot has set, and the one before it.
    fov: Option<(i32, Vec<u8>)>,
}

/// The command that sets the field of view.
const FOV: &str = "fov"; // schema-once: a command of the console
/// The field of view that engines have unless they are told otherwise.
const USUAL_FOV: &[u8] = b"90";

/// The powers of Quake, which tint the screen of the player who has them.
const POWERS: u32 = 0xF << 19;

impl Set {
    pub(super) fn block(&mut self, is_shot: bool, writer: &mut BlockWriter<'_>) {
        self.world.begin_block(writer.block());
        self.is_frame = false;
        if self.is_rolling && !is_shot && !writer.block().is_from_client() {
            self.is_rolling = false;
            self.angles = None;
            writer.put(&Message::from(dem::SetView { entity: self.world.view.entity }));
            if let Some((_, before)) = self.fov.take() {
                set_fov(&before, writer);
            }
        }
    }

    /// Sets the field of view where it changes. It is a setting of whoever plays the recording, so behind the shot it is
    /// set to what it was.
    fn widen(&mut self, degrees: f64, writer: &mut BlockWriter<'_>) {
        let degrees = degrees.round() as i32;
        let before = match self.fov.take() {
            Some((now, before)) if now == degrees => return self.fov = Some((now, before)),
            Some((_, before)) => before,
            None => self.world.console.get(FOV).map_or(USUAL_FOV, <[u8]>::as_ref).to_vec(),
        };
        set_fov(degrees.to_string().as_bytes(), writer);
        self.fov = Some((degrees, before));
    }

    pub(super) fn message(
        &mut self,
        is_shot: bool,
        entry: &Entry<Message<'_>>,
        writer: &mut BlockWriter<'_>,
    ) {
        self.world.apply(entry);
        match &entry.message {
            Message::Time(_) => self.is_frame = true,
            Message::ServerInfo(_) => self.is_rolling = false,
            _ => {}
        }
        if !is_shot || self.world.signon < PLAYING {
            writer.keep();
            return;
        }
        match &entry.message {
            Message::ClientData(it) => writer.put(&Message::from(unmoved(it))),
            // It would take the view away from the camera.
            Message::SetView(_) if self.is_rolling => {}
            // The screen flashes for who recorded alone.
            Message::Damage(_) | Message::BonusFlash(_) => {}
            Message::StuffText(it) if it.string.bytes() == b"bf\n" => {}
            _ => writer.keep(),
        }
    }

    pub(super) fn block_end(
        &mut self,
        shot: Option<(usize, &Shot)>,
        operator: &mut Operator,
        plan: &Plan,
        now: f64,
        writer: &mut BlockWriter<'_>,
    ) {
        self.world.end_block();
        if writer.written().is_empty() && !writer.block().data.is_empty() {
            // Engines end the playback at a block without messages, and without the block a frame would be missing.
            writer.put(&Message::from(dem::Nop {}));
        }
        let Some((number, shot)) = shot else { return operator.rest() };
        if self.is_frame && self.world.signon == PLAYING {
            let progress = plan.progress(number, now);
            let Some((pose, is_cut)) = operator.film((number, shot, progress), now, self) else { return };
            if let Some(fov) = &shot.fov {
                let [degrees] = fov.timed(shot.way(progress));
                self.widen(degrees, writer);
            }
            let context = *writer.context();
            let mut place = Placement::default();
            for (to, from) in place.origin.iter_mut().zip(pose.origin) {
                *to = Coord::nearest(context.coord, from);
            }
            operator.tell(number, pose.origin, place.origin.map(Coord::value));
            for (to, from) in place.angles.iter_mut().zip(pose.angles) {
                *to = Angle::nearest(context.entity_angle, from);
            }
            // An engine follows only an entity with a model; of the one that it sees with it draws none.
            let mut camera = Entity::default();
            camera.look.model = self.model();
            camera.place = place;
            camera.step = is_cut;
            let none = Baseline::default();
            let free = plan.free.unwrap_or(u16::MAX);
            writer.put(&Message::from(update(free, &camera, &none, &context)));
            if !self.is_rolling {
                self.is_rolling = true;
                writer.put(&Message::from(dem::SetView { entity: free as i16 }));
            }
            self.angles = Some(pose.angles.map(|angle| (angle as f32).to_bits()));
        }
        if let (Some(angles), true) = (self.angles, self.is_rolling) {
            writer.angles = angles;
        }
    }

    /// A model for the camera: that of who recorded.
    fn model(&self) -> u16 {
        let own = self.world.view.entity as u16;
        let shown = self.world.eyes().map_or(0, |eyes| eyes.look.model);
        let model = if shown == 0 { self.world.baseline(own).look.model } else { shown };
        // The level itself is there always.
        model.max(1)
    }
}

impl Stage for Set {
    fn me(&self) -> Option<Subject> {
        let subject = self.entity(self.world.view.entity as u16)?;
        let [_, yaw, _] = self.world.view.angles;
        Some(Subject { yaw: f64::from(yaw.value()), ..subject })
    }

    fn level(&self) -> &[u8] {
        self.world.level.models.get(1)
    }

    fn entity(&self, number: u16) -> Option<Subject> {
        let entity = self.world.entity(number)?;
        let [_, yaw, _] = entity.place.angles;
        // An entity that was never sent has no place.
        (entity.look.model != 0).then(|| Subject {
            origin: entity.place.origin.map(Coord::value),
            yaw: yaw.value(),
            is_sent: entity.is_shown(&self.world.clock),
        })
    }

    fn unsent(&self) -> Vec<[f64; 3]> {
        let is_unsent = |entity: &Entity| entity.look.model != 0 && !entity.is_shown(&self.world.clock);
        let unsent = self.world.entities().filter(|(_, entity)| is_unsent(entity));
        unsent.map(|(_, entity)| entity.place.origin.map(Coord::value)).collect()
    }

    fn players(&self) -> Vec<(u16, String)> {
        let named =
            (1..).zip(self.world.players.iter()).filter(|(_, player)| !player.name.bytes().is_empty());
        named.map(|(number, player)| (number, readable(player.name.bytes()))).collect()
    }
}

/// The stage of the connection at which the game is on.
const PLAYING: u8 = 4;

fn set_fov(degrees: &[u8], writer: &mut BlockWriter<'_>) {
    let line = [FOV.as_bytes(), b" ", degrees, b"\n\0"].concat();
    writer.put(&Message::from(dem::StuffText { string: Str::new(&line) }));
}

/// The player's state without what moves and tints the view, and without a weapon.
fn unmoved(it: &ClientData) -> ClientData {
    let gone = ClientData::angles_1
        | ClientData::angles_2
        | ClientData::angles_3
        | ClientData::vel_x
        | ClientData::vel_y
        | ClientData::vel_z
        | ClientData::uk_bit_b10
        | ClientData::weaponmodel
        | ClientData::weaponmodel_high;
    let mut new = *it;
    new.flags = ClientBits(it.flags.0 & !gone | ClientData::view_ofs_z);
    new.view_ofs_z = Whole(0);
    new.items.bits &= !POWERS;
    // The view of the dead lies on its side.
    new.health = it.health.max(1);
    new
}
