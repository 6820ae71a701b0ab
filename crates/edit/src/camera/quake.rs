//! The camera in Quake: an entity of its own that the view is from, and the angles of the blocks.
//!
//! The rules are those of id's view (`V_CalcRefdef`): it adds the player's bobbing, kicks and height to the place of
//! the view entity, so these are 0 while the camera is filming.

use super::operate::{CameraOperator, EYES, Stage, Subject, is_near};
use super::script::{CameraStand, Shot};
use super::survey::Plan;
use crate::BlockWriter;
use crate::machinery::bridge::quake::update;
use crate::machinery::pose::{Point, turn};
use moviola_format::dem::{self, ClientData, Message};
use moviola_format::names::readable;
use moviola_format::{Angle, ClientBits, Coord, Entry, Placement, Str, Whole};
use moviola_state::World as _;
use moviola_state::quake::{Baseline, Entity, PLAYING, World};

/// The state of the recording while it is filmed.
#[derive(Clone, Debug, Default)]
pub(super) struct FilmedState {
    world: World,
    /// Whether the block is a frame of the game.
    is_frame: bool,
    /// The entity from which the shot is seen.
    rolling: Option<u16>,
    /// The angles of the last frame.
    angles: Option<[u32; 3]>,
    /// The field of view in degrees that the shot has set, and the one before it.
    fov: Option<(i32, Vec<u8>)>,
    /// The size of the view before the shot hid the status bar.
    bar: Option<Vec<u8>>,
}

/// The command that sets the field of view.
const FOV: &str = "fov"; // not from SCHEMA: a command of the console
/// The engines' default field of view.
const USUAL_FOV: &[u8] = b"90";

/// The command that sets the size of the view. The largest one leaves no room for the status bar.
const VIEW_SIZE: &str = "viewsize"; // not from SCHEMA: a command of the console
const USUAL_SIZE: &[u8] = b"100";
const WITHOUT_BAR: &[u8] = b"120";

/// The powers of Quake, which tint the screen of the player who has them.
const POWERS: u32 = 0xF << 19;

impl FilmedState {
    pub(super) fn block(&mut self, is_shot: bool, writer: &mut BlockWriter<'_>) {
        self.world.begin_block(writer.block());
        self.is_frame = false;
        if !is_shot && !writer.block().is_from_client() {
            self.angles = None;
            if self.rolling.take().is_some() {
                writer.put(&Message::from(dem::SetView { entity: self.world.view.entity }));
            }
            self.restore(writer);
        }
    }

    /// Restores the settings that the shot changed in the engine that plays the recording.
    fn restore(&mut self, writer: &mut BlockWriter<'_>) {
        if let Some((_, before)) = self.fov.take() {
            command(FOV, &before, writer);
        }
        if let Some(before) = self.bar.take() {
            command(VIEW_SIZE, &before, writer);
        }
    }

    /// Hides the status bar, or shows it again.
    fn show_bar(&mut self, is_shown: bool, writer: &mut BlockWriter<'_>) {
        match (is_shown, self.bar.take()) {
            (false, None) => {
                let before = self.world.console.get(VIEW_SIZE).unwrap_or(USUAL_SIZE);
                self.bar = Some(before.to_vec());
                command(VIEW_SIZE, WITHOUT_BAR, writer);
            }
            (true, Some(before)) => command(VIEW_SIZE, &before, writer),
            (_, before) => self.bar = before,
        }
    }

    /// Sets the field of view where it changes. It is a setting of the person who plays the recording, so after the
    /// shot it is set back.
    fn set_field_of_view(&mut self, degrees: f64, writer: &mut BlockWriter<'_>) {
        let degrees = degrees.round() as i32;
        let before = match self.fov.take() {
            Some((now, before)) if now == degrees => return self.fov = Some((now, before)),
            Some((_, before)) => before,
            None => self.world.console.get(FOV).map_or(USUAL_FOV, <[u8]>::as_ref).to_vec(),
        };
        command(FOV, degrees.to_string().as_bytes(), writer);
        self.fov = Some((degrees, before));
    }

    pub(super) fn message(
        &mut self,
        shot: Option<&Shot>,
        entry: &Entry<Message<'_>>,
        writer: &mut BlockWriter<'_>,
    ) {
        self.world.apply(entry);
        match &entry.message {
            Message::Time(_) => self.is_frame = true,
            Message::ServerInfo(_) => self.rolling = None,
            // Where the recording ends in a shot, no block after it can restore the settings.
            Message::Disconnect(_) => self.restore(writer),
            _ => {}
        }
        let Some(shot) = shot.filter(|_| self.world.signon >= PLAYING) else {
            writer.keep();
            return;
        };
        match &entry.message {
            Message::ClientData(it) => {
                let height = if matches!(shot.stand, CameraStand::Eyes(_)) { EYES as i8 } else { 0 };
                writer.put(&Message::from(unmoved(it, height)));
            }
            // It would take the view away from the camera.
            Message::SetView(_) if self.rolling.is_some() => {}
            // The screen flashes only for the recorder.
            Message::Damage(_) | Message::BonusFlash(_) => {}
            Message::StuffText(it) if it.string.bytes() == b"bf\n" => {}
            _ => writer.keep(),
        }
    }

    pub(super) fn block_end(
        &mut self,
        shot: Option<(usize, &Shot)>,
        operator: &mut CameraOperator,
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
            let clock = (now, plan.length(number));
            let Some((pose, is_cut)) = operator.film((number, shot, progress), clock, self) else { return };
            match (&shot.fov, self.fov.take()) {
                (Some(fov), before) => {
                    let [degrees] = fov.timed(shot.path_share(progress));
                    self.fov = before;
                    self.set_field_of_view(degrees, writer);
                }
                (None, Some((_, before))) => command(FOV, &before, writer),
                (None, None) => {}
            }
            self.show_bar(shot.hud, writer);
            self.angles = Some(pose.angles.map(|angle| (angle as f32).to_bits()));
            let eyes = match &shot.stand {
                CameraStand::Eyes(target) => self.number(target, &operator.players),
                _ => None,
            };
            if let Some(eyes) = eyes {
                // Engines do not draw the entity from which they see.
                self.see_from(eyes, writer);
                return self.turn_view(writer);
            }
            let context = *writer.context();
            let mut place = Placement::default();
            for (to, from) in place.origin.iter_mut().zip(pose.origin) {
                *to = Coord::nearest(context.coord, from);
            }
            operator.check_sent(number, pose.origin, place.origin.map(Coord::value));
            for (to, from) in place.angles.iter_mut().zip(pose.angles) {
                *to = Angle::nearest(context.entity_angle, from);
            }
            // An engine follows only an entity with a model, and does not draw the model of the entity that it
            // follows.
            let mut camera = Entity::default();
            camera.look.model = self.model();
            camera.place = place;
            camera.step = is_cut;
            let none = Baseline::default();
            let free = plan.free.unwrap_or(u16::MAX);
            writer.put(&Message::from(update(free, &camera, &none, &context)));
            self.see_from(free, writer);
        }
        self.turn_view(writer);
    }

    fn see_from(&mut self, entity: u16, writer: &mut BlockWriter<'_>) {
        if self.rolling != Some(entity) {
            self.rolling = Some(entity);
            writer.put(&Message::from(dem::SetView { entity: entity as i16 }));
        }
    }

    /// Gives the block the angles of the camera.
    fn turn_view(&self, writer: &mut BlockWriter<'_>) {
        if let (Some(angles), Some(_)) = (self.angles, self.rolling) {
            writer.angles = angles;
        }
    }

    /// A model for the camera: that of the recorder.
    fn model(&self) -> u16 {
        let own = self.world.view.entity as u16;
        let shown = self.world.eyes().map_or(0, |eyes| eyes.look.model);
        let model = if shown == 0 { self.world.baseline(own).look.model } else { shown };
        // The level itself is always visible.
        model.max(1)
    }
}

impl Stage for FilmedState {
    fn recorder(&self) -> Option<Subject> {
        let subject = self.entity(self.world.view.entity as u16)?;
        let [pitch, yaw, _] = self.world.view.angles.map(|angle| f64::from(angle.value()));
        Some(Subject { yaw, pitch, ..subject })
    }

    fn level(&self) -> &[u8] {
        self.world.level.models.get(1)
    }

    fn entity(&self, number: u16) -> Option<Subject> {
        let entity = self.world.entity(number)?;
        let [pitch, yaw, _] = entity.place.angles;
        // An entity that was never sent has no place.
        (entity.look.model != 0).then(|| Subject {
            origin: entity.place.origin.map(Coord::value),
            yaw: yaw.value(),
            pitch: turn(0.0, pitch.value()) * NOD,
            is_sent: entity.is_shown(&self.world.clock),
        })
    }

    fn unsent_near(&self, place: &Point) -> usize {
        let is_unsent = |entity: &Entity| entity.look.model != 0 && !entity.is_shown(&self.world.clock);
        let unsent = self.world.entities().filter(|(_, entity)| is_unsent(entity));
        let near = unsent.filter(|(_, entity)| {
            let [x, y, z] = entity.place.origin;
            is_near([x.value(), y.value(), z.value()], place)
        });
        near.count()
    }

    fn players(&self) -> Vec<(u16, String)> {
        let named =
            (1..).zip(self.world.players.iter()).filter(|(_, player)| !player.name.bytes().is_empty());
        named.map(|(number, player)| (number, readable(player.name.bytes()))).collect()
    }
}

/// The pitch of a player's eyes beside that of the body, which leans a third as far in the opposite direction.
const NOD: f64 = -3.0;

fn command(name: &str, value: &[u8], writer: &mut BlockWriter<'_>) {
    let line = [name.as_bytes(), b" ", value, b"\n\0"].concat();
    writer.put(&Message::from(dem::StuffText { string: Str::new(&line) }));
}

/// The player's state with the eyes at this height, without the fields that move and tint the view, and without a
/// weapon.
fn unmoved(it: &ClientData, height: i8) -> ClientData {
    let removed_bits = ClientData::angles_1
        | ClientData::angles_2
        | ClientData::angles_3
        | ClientData::vel_x
        | ClientData::vel_y
        | ClientData::vel_z
        | ClientData::uk_bit_b10
        | ClientData::weaponmodel
        | ClientData::weaponmodel_high;
    let mut new = *it;
    new.flags = ClientBits(it.flags.0 & !removed_bits | ClientData::view_ofs_z);
    new.view_ofs_z = Whole(height);
    new.items.bits &= !POWERS;
    // The view of the dead lies on its side.
    new.health = it.health.max(1);
    new
}
