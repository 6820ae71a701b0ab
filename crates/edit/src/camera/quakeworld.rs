//! The camera of a QWD: the recorder's own state is at the camera's place, and does not move by itself. The
//! recorder is shown as another player, in a slot that no player has.

use super::operate::{CameraOperator, EYES, Stage, Subject, is_near};
use super::script::{CameraStand, Shot, Target};
use super::survey::Plan;
use crate::BlockWriter;
use crate::machinery::bridge::quakeworld as bridge;
use crate::machinery::bridge::wire;
use crate::machinery::pose::Point;
use moviola_format::names::readable;
use moviola_format::qw::{Message, UpdateStat, UpdateStatLong, UpdateUserInfo};
use moviola_format::{Angle16, Block, Context, Coord, Entry, Float, Stamp, Str, client};
use moviola_state::World as _;
use moviola_state::quakeworld::{Body, World};

/// Stats that the client shows on the screen or tints it by: health, the weapon in hand, and the powers among items.
const HEALTH: u8 = 0;
const WEAPON: u8 = 2;
const ITEMS: u8 = 15;
const POWERS: i32 = 0xF << 19;

/// The stat with the height of the eyes, where the server sends it.
const VIEW_HEIGHT: usize = 16;

/// The kind of movement of a player who stays where the server says, in the bits of a player, and the extension (of the
/// key `*z_ext` in the server info) with which clients read it.
const STEPPING: u16 = 5 << 11;
const READS_KIND: u32 = 1;

/// The state of the recording while it is filmed.
#[derive(Clone, Debug, Default)]
pub(super) struct FilmedState {
    world: World,
    /// Whether the packet has the recorder.
    is_frame: bool,
    /// The direction of the player's own view, by the last command, and that of the camera.
    view: [f32; 3],
    angles: Option<[f32; 3]>,
    /// The slot in which the recorder is shown, while a shot lasts.
    stand_in: Option<u8>,
    /// Whether the screen is that of a shot.
    is_rolling: bool,
    is_shot: bool,
    /// The height of the camera above the place that is sent.
    height: f64,
}

impl FilmedState {
    pub(super) fn block(&mut self, is_shot: bool, writer: &mut BlockWriter<'_>) {
        self.world.begin_block(writer.block());
        self.is_frame = false;
        self.is_shot = is_shot;
        if !is_shot && self.is_rolling && is_packet(writer.block()) {
            self.restore(writer);
        }
    }

    fn recorder_slot(&self) -> Option<u8> {
        self.world.recorder.map(|(slot, _)| slot)
    }

    fn stat(&self, index: u8) -> i32 {
        let stats = self.recorder_slot().and_then(|slot| self.world.stats.get(usize::from(slot)));
        stats.and_then(|stats| stats.get(usize::from(index))).copied().unwrap_or_default()
    }

    /// Gives the viewer the screen of the player back.
    fn restore(&mut self, writer: &mut BlockWriter<'_>) {
        (self.is_rolling, self.angles) = (false, None);
        for index in [HEALTH, WEAPON, ITEMS] {
            put_stat(index, self.stat(index), writer);
        }
        if let Some(slot) = self.stand_in.take() {
            let nobody = UpdateUserInfo { player: slot, user: 0, string: Str::new(b"\0") };
            writer.put(&Message::from(nobody));
        }
    }

    /// Takes a record: the commands of the player turn the view.
    pub(super) fn record(&mut self, entry: &Entry<client::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let client::Message::Command(it) = &entry.message else { return writer.keep() };
        self.view = it.uk_angles.map(|angle| f32::from_bits(angle.0));
        match self.angles.filter(|_| self.is_shot) {
            Some(angles) => {
                let angles = angles.map(|angle| Float(angle.to_bits()));
                let command = client::Command { angles, speed: [0; 3], uk_angles: angles, ..*it };
                writer.put(&client::Message::from(command));
            }
            None => writer.keep(),
        }
    }

    /// Takes a message of the server.
    pub(super) fn message(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.world.apply(entry);
        if !self.is_shot {
            if let Message::ServerData(_) = entry.message {
                (self.is_rolling, self.angles, self.stand_in) = (false, None, None);
            }
            return writer.keep();
        }
        let me = self.recorder_slot();
        match &entry.message {
            Message::PlayerInfo(it) if Some(it.player) == me => self.is_frame = true,
            // They shake and tint only the recorder's screen.
            Message::Damage(_) | Message::SmallKick(_) | Message::BigKick(_) | Message::SetAngle(_) => {}
            Message::StuffText(it) if it.string.bytes() == b"bf\n" => {}
            Message::UpdateStat(it) if self.is_rolling => put_shown(it.index, it.value.into(), writer),
            Message::UpdateStatLong(it) if self.is_rolling => put_shown(it.index, it.value, writer),
            // Where the recording ends in a shot there is nothing to restore.
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
        let Some((number, shot)) = shot else { return operator.rest() };
        let Some(me) = self.recorder_slot().filter(|_| self.is_frame) else { return };
        let clock = (now, plan.length(number));
        let progress = plan.progress(number, now);
        let context = *writer.context();
        let Some((pose, _)) = operator.film((number, shot, progress), clock, self) else {
            // The target of the shot is not there: the player's own view stays.
            self.put_player(me, me, Some([0; 3]), 0, &context, writer);
            return;
        };
        if !std::mem::replace(&mut self.is_rolling, true) {
            self.begin(me, plan, &shot.stand, writer);
        }
        self.angles = Some(pose.angles.map(|angle| angle as f32));
        let mut place = pose.origin;
        let [.., z] = &mut place;
        *z -= self.height;
        let camera =
            Body { origin: place.map(|at| Coord::nearest(context.entity_coord, at)), ..Body::default() };
        operator.check_sent(number, place, camera.origin.map(Coord::value));
        let stays = if self.reads_kind() { STEPPING } else { 0 };
        writer.put_bytes(&bridge::player(me, &camera, Some([0; 3]), stays, &context));
        if let Some(slot) = self.stand_in {
            self.put_player(slot, me, None, 0, &context, writer);
        }
    }

    fn reads_kind(&self) -> bool {
        let value = std::str::from_utf8(self.world.value(b"*z_ext")).ok();
        value.and_then(|value| value.parse().ok()).is_some_and(|bits: u32| bits & READS_KIND != 0)
    }

    /// Writes a player under another player's number.
    fn put_player(
        &self,
        slot: u8,
        player: u8,
        own: Option<[i16; 3]>,
        extra_flags: u16,
        context: &Context,
        writer: &mut BlockWriter<'_>,
    ) {
        if let Some(body) = self.world.bodies.get(usize::from(player)) {
            let mut body = *body;
            if own.is_none() {
                body.angles = self.view.map(|angle| Angle16::nearest(angle.into()));
            }
            writer.put_bytes(&bridge::player(slot, &body, own, extra_flags, context));
        }
    }

    /// A shot begins: the screen is not a player's.
    fn begin(&mut self, me: u8, plan: &Plan, stand: &CameraStand, writer: &mut BlockWriter<'_>) {
        for index in [HEALTH, WEAPON, ITEMS] {
            put_shown(index, self.stat(index), writer);
        }
        let height = self.world.stats.get(usize::from(me)).and_then(|stats| stats.get(VIEW_HEIGHT));
        self.height = height.copied().filter(|height| *height != 0).map_or(EYES, f64::from);
        let is_playing = self.world.recorder.is_some_and(|(_, is_spectator)| !is_spectator);
        // Through the eyes of the recorder, no body is seen.
        let is_inside = matches!(stand, CameraStand::Eyes(Target::Me));
        let free = plan.free.and_then(|slot| u8::try_from(slot).ok()).filter(|_| is_playing && !is_inside);
        if let (Some(slot), Some(player)) = (free, self.world.players.get(usize::from(me))) {
            let info: Vec<u8> = player
                .info
                .iter()
                .flat_map(|(key, value)| [b"\\", key.bytes(), b"\\", value.bytes()].concat())
                .collect();
            let text = wire(&info);
            writer.put(&Message::from(UpdateUserInfo { player: slot, user: 0, string: Str::new(&text) }));
            self.stand_in = Some(slot);
        }
    }
}

/// Whether a block is a packet in which messages can be put.
fn is_packet(block: &Block<'_>) -> bool {
    matches!(block.stamp, Stamp::Qwd { numbers: Some(_), .. })
}

fn put_stat(index: u8, value: i32, writer: &mut BlockWriter<'_>) {
    match u8::try_from(value) {
        Ok(value) => writer.put(&Message::from(UpdateStat { index, value })),
        Err(_) => writer.put(&Message::from(UpdateStatLong { index, value })),
    }
}

/// Writes a stat with the value that it has during a shot: the view of the dead lies on its side, a weapon would hang
/// in the picture, and powers tint it.
fn put_shown(index: u8, value: i32, writer: &mut BlockWriter<'_>) {
    let shown = match index {
        HEALTH => value.max(1),
        WEAPON => 0,
        ITEMS => value & !POWERS,
        _ => value,
    };
    put_stat(index, shown, writer);
}

impl Stage for FilmedState {
    fn recorder(&self) -> Option<Subject> {
        let slot = Self::recorder_slot(self)?;
        let subject = self.entity(u16::from(slot) + 1)?;
        let [pitch, yaw, _] = self.view.map(f64::from);
        Some(Subject { yaw, pitch, ..subject })
    }

    fn level(&self) -> &[u8] {
        self.world.level.map()
    }

    /// Players have the numbers from 1 on, as their entities on the server.
    fn entity(&self, number: u16) -> Option<Subject> {
        let slot = usize::from(number).checked_sub(1)?;
        if let Some(body) = self.world.bodies.get(slot).filter(|body| body.seen.is_some()) {
            let [pitch, yaw, _] = body.angles.map(Angle16::value);
            let origin = body.origin.map(Coord::value);
            return Some(Subject { origin, yaw, pitch, is_sent: body.seen == self.world.now });
        }
        let all = self.world.entities.all();
        let at = all.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        let place = all.get(at)?.1.place();
        let [pitch, yaw, _] = place.angles;
        Some(Subject {
            origin: place.origin.map(Coord::value),
            yaw: yaw.value(),
            pitch: pitch.value(),
            is_sent: true,
        })
    }

    fn players(&self) -> Vec<(u16, String)> {
        let players = (1..).zip(self.world.players.iter()).filter(|(_, player)| player.is_here());
        players.map(|(number, player)| (number, readable(player.name()))).collect()
    }

    /// The last places of entities that are out of sight: a packet does not have them.
    fn unsent_near(&self, place: &Point) -> usize {
        let is_unsent = |body: &&Body| body.seen.is_some() && body.seen != self.world.now;
        let unsent = self.world.bodies.iter().filter(is_unsent);
        unsent.filter(|body| is_near(body.origin.map(Coord::value), place)).count()
    }
}
