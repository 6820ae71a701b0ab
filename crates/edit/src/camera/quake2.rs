//! The camera in Quake II: the player's state of each frame, and a double of the player, whom no client draws himself.

use super::operate::{CameraOperator, Stage, Subject, is_near};
use super::script::{CameraStand, Shot};
use super::survey::Plan;
use crate::machinery::bridge::reencode::{FramesOfBlock, Reencoded, reencode_read, short_blocks};
use crate::machinery::ordered::{OrderedEntities, Suspects};
use crate::machinery::pose::{Point, Pose, turn};
use crate::{BlockWriter, Error};
use moviola_check::largest_block;
use moviola_format::dm2::{ConfigString, Message};
use moviola_format::names::{
    quake2::{CS_MODELS, CS_PLAYERSKINS, CS_STATUSBAR},
    readable,
};
use moviola_format::{Angle16, Block, Entry, FrameForm, Game, Quarters, Short8, Str, Volume, write_message};
use moviola_state::Playhead;
use moviola_state::quake2::{Entity, Frame, PlayerState, Stat, World};
use std::collections::VecDeque;
use std::sync::Arc;

/// The state of the recording while it is filmed.
#[derive(Clone, Debug, Default)]
pub(super) struct FilmedState {
    /// The state after the last message.
    head: Playhead<World>,
    /// The frames of the current block.
    frames: FramesOfBlock,
    /// The frames as they went out, the youngest last.
    sent: VecDeque<SentFrame>,
    /// A frame whose memory the next filmed one can use, and the memory for a block.
    spare: Option<Arc<Frame>>,
    bytes: Vec<u8>,
    /// The entities in which the current frame may differ from the last one that went out, and whether the entities of
    /// the last recorded frame are in order.
    suspects: Suspects,
    is_ordered: bool,
    /// The entity in whose eyes the camera was in the last frame.
    eyes: Option<u16>,
    /// The times of the block's frames in the film.
    times: Vec<f64>,
    /// The number of them before another level, if one begins in the block.
    before_level: Option<usize>,
    /// The number of frames that have become larger than old engines take in a block.
    pub(super) large: u64,
    /// The blocks that replace the current one if it would be too long.
    pub(super) parts: Vec<Vec<u8>>,
    /// Whether the shot has taken the program of the status bar away.
    is_bare: bool,
    /// Whether the block has such a program.
    has_bar: bool,
}

#[derive(Clone, Debug)]
struct SentFrame {
    frame: Arc<Frame>,
    /// Whether it differs from the recording's.
    is_changed: bool,
}

/// The entities that the camera sees while a frame is filmed.
struct Scene<'s> {
    world: &'s World,
    frame: &'s Frame,
    sent: &'s VecDeque<SentFrame>,
}

/// The config string with the name of the level's file.
const LEVEL: usize = CS_MODELS as usize + 1;

/// How many frames a client holds.
const RING: usize = 16;

/// The largest block that the first engines take.
const MAX_BLOCK: usize = largest_block(Game::Quake2);

impl FilmedState {
    pub(super) fn block(&mut self, block: &Block<'_>) {
        self.frames.begin(block, &mut self.head);
        self.times.clear();
        self.before_level = None;
        self.has_bar = false;
        self.parts.clear();
    }

    pub(super) fn message(&mut self, now: f64, entry: &Entry<Message<'_>>, end: usize) {
        self.frames.message(entry, end, &mut self.head);
        match &entry.message {
            Message::ServerData(_) => self.before_level = Some(self.times.len()),
            Message::FrameMessage(_) => self.times.push(now),
            Message::ConfigString(it) if it.index == BAR as i16 => self.has_bar = true,
            _ => {}
        }
    }

    fn sent(&self, number: i32) -> Option<&SentFrame> {
        self.sent.iter().rev().find(|sent| number > 0 && sent.frame.number == number)
    }

    pub(super) fn block_end(
        &mut self,
        shot: Option<(usize, &Shot)>,
        operator: &mut CameraOperator,
        plan: &Plan,
        writer: &mut BlockWriter<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        let mut recorded_frames = self.frames.end(*writer.context(), &mut self.head);
        self.compare(&recorded_frames);
        if shot.is_none() {
            operator.rest();
        }
        if shot.is_some() && recorded_frames.iter().flatten().any(|frame| frame.form != FrameForm::Client) {
            let why = "only a client's recording can have a camera: make one with `moviola view`";
            return Err(Error::Impossible(why.into()));
        }
        let mut anew = Vec::with_capacity(recorded_frames.len());
        for (at, frame) in recorded_frames.drain(..).enumerate() {
            if self.before_level == Some(at) {
                self.sent.clear();
            }
            let now = self.times.get(at).copied().unwrap_or_default();
            let shot = shot.map(|(number, shot)| (number, shot, plan.progress(number, now)));
            anew.push(frame.and_then(|frame| self.frame(frame, shot, operator, now, plan)));
        }
        self.frames.reuse(recorded_frames);
        if self.before_level == Some(anew.len()) {
            self.sent.clear();
        }
        let is_filmed = self.sent.back().is_some_and(|sent| sent.is_changed);
        let bar = self.bar(shot.filter(|_| is_filmed).map(|(_, shot)| shot.hud), writer);
        if anew.iter().all(Option::is_none) && bar.is_empty() {
            return Ok(());
        }
        let frames: Vec<Option<Reencoded<'_>>> = anew
            .iter()
            .map(|it| {
                let (frame, base) = it.as_ref()?;
                let suspects = Some(&self.suspects);
                Some(Reencoded { suspects, ..Reencoded::new(frame, base.as_deref()) })
            })
            .collect();
        // The block's own program of the status bar is written before the one of the shot, and a new level's program
        // after it.
        let (messages, context) = (&self.frames.messages, writer.context_before());
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        reencode_read(&block, messages, context, &self.head.world, &frames, &mut bytes);
        bytes.extend_from_slice(&bar);
        if bytes.len() > MAX_BLOCK && block.data.len() <= MAX_BLOCK {
            let (parts, fits) = short_blocks(&bytes, MAX_BLOCK, writer.context());
            self.large += u64::from(!fits);
            self.parts = parts;
        }
        writer.clear();
        writer.put_bytes(&bytes);
        self.bytes = bytes;
        Ok(())
    }

    /// Finds out in which entities the frame of a block differs from the one before. Of several frames in a block this is
    /// not known.
    fn compare(&mut self, frames: &[Option<Arc<Frame>>]) {
        match frames {
            [] => {}
            [Some(frame)] => {
                let is_ordered = frame.entities.is_sorted_by(|one, other| one.number < other.number);
                let was_ordered = std::mem::replace(&mut self.is_ordered, is_ordered);
                self.suspects.set_changed(&self.head.world, was_ordered && is_ordered);
            }
            _ => {
                self.is_ordered = false;
                self.suspects.forget();
            }
        }
    }

    /// The message that takes the program of the status bar away in a shot without it, or gives it back.
    fn bar(&mut self, is_shown: Option<bool>, writer: &BlockWriter<'_>) -> Vec<u8> {
        if self.before_level.is_some() {
            self.is_bare = false;
        }
        let is_bare = is_shown == Some(false);
        let was_bare = std::mem::replace(&mut self.is_bare, is_bare);
        if if is_bare { was_bare && !self.has_bar } else { !was_bare } {
            return Vec::new();
        }
        let program = if is_bare { &[] } else { self.head.world.config.get(BAR) };
        let (text, mut bytes) = ([program, &[0]].concat(), Vec::new());
        let message = ConfigString { index: BAR as i16, string: Str::new(&text) };
        write_message(&Message::from(message), &mut bytes, writer.context());
        bytes
    }

    /// Films a frame. Returns the changed frame and the frame against which it is encoded, or `None` if it stays
    /// unchanged.
    fn frame(
        &mut self,
        mut frame: Arc<Frame>,
        shot: Option<(usize, &Shot, f64)>,
        operator: &mut CameraOperator,
        now: f64,
        plan: &Plan,
    ) -> Option<(Arc<Frame>, Option<Arc<Frame>>)> {
        let base = self.sent(frame.base);
        // A frame whose base is missing cannot be encoded again.
        let is_decodable = frame.validity.is_drawn() && (frame.base <= 0 || base.is_some());
        let builds_on_changed = base.is_some_and(|base| base.is_changed);
        let base = base.map(|base| Arc::clone(&base.frame));
        let scene = Scene { world: &self.head.world, frame: &frame, sent: &self.sent };
        let length = shot.map_or(0.0, |(number, ..)| plan.length(number));
        let pose = shot.filter(|_| is_decodable).and_then(|shot| operator.film(shot, (now, length), &scene));
        let eyes = shot.and_then(|(_, shot, _)| match &shot.stand {
            CameraStand::Eyes(target) => scene.number(target, &operator.players),
            _ => None,
        });
        // A filmed frame has the double and no body of the camera's eyes, and an unfilmed one has not.
        let builds_on_last = self.sent.back().is_some_and(|last| {
            base.as_ref().is_some_and(|base| Arc::ptr_eq(base, &last.frame)) && last.frame.validity.is_drawn()
        });
        if !builds_on_last || plan.free.is_none() {
            self.suspects.forget();
        }
        for number in [plan.free, eyes, self.eyes].into_iter().flatten() {
            self.suspects.add(number, &frame);
        }
        self.eyes = eyes;
        let is_changed = pose.is_some();
        if let (Some((pose, _)), Some((number, shot, progress))) = (pose, shot) {
            operator.check_sent(number, pose.origin, pose.origin.map(|it| Short8::nearest(it).value()));
            let fov = shot.fov.as_ref().map(|path| shot.on(path, progress));
            let mut made = self.spare.take().unwrap_or_default();
            let filmed = Arc::make_mut(&mut made);
            filmed.clone_from(&frame);
            self.film(filmed, &pose, fov.map(|[degrees]| degrees), plan.free.unwrap_or(u16::MAX));
            if !shot.hud {
                hide_layouts(filmed);
            }
            if let Some(head) = filmed.entities.iter_mut().find(|it| Some(it.number) == eyes) {
                // The body is not seen from its own eyes, but its steps are audible.
                (head.models, head.effects) = ([0; 4], 0);
            }
            frame = made;
        }
        if self.sent.len() >= RING {
            // A frame of the recording is still in the world.
            let oldest = self.sent.pop_front().filter(|oldest| oldest.is_changed);
            self.spare = oldest.map(|oldest| oldest.frame);
        }
        self.sent.push_back(SentFrame { frame: Arc::clone(&frame), is_changed });
        (is_decodable && (is_changed || builds_on_changed)).then_some((frame, base))
    }

    /// Makes the camera's frame of the player's.
    fn film(&self, frame: &mut Frame, pose: &Pose, fov: Option<f64>, free: u16) {
        for (_, state) in &mut frame.players {
            film_state(state, pose, fov);
        }
        // The camera may be in an area whose doors are shut for the recorder.
        frame.areas.fill(u8::MAX);
        let own =
            self.head.world.own_entity().and_then(|own| frame.entities.iter().find(|it| it.number == own));
        if let Some(own) = own {
            // Its sounds already come from the player's entity.
            let double = Entity { number: free, event: 0, sound: 0, ..*own };
            let at = frame.entities.partition_point(|it| it.number < free);
            frame.entities.insert(at, double);
        }
    }
}

/// The kind of movement of a client that cannot move (`PM_FREEZE`), and the flag against prediction.
const FREEZE: u8 = 4;
const NO_PREDICTION: u8 = 1 << 6;

/// The config string with the program of the status bar.
const BAR: usize = CS_STATUSBAR as usize;

/// Hides the scores and the inventory, which a client shows by one of the numbers of the status bar.
fn hide_layouts(frame: &mut Frame) {
    for (_, state) in &mut frame.players {
        if let Some(stat) = state.stats.get_mut(Stat::Layouts as usize) {
            *stat = 0;
        }
    }
}

fn film_state(state: &mut PlayerState, pose: &Pose, fov: Option<f64>) {
    let zero = [Quarters(0); 3];
    *state = PlayerState {
        pm_type: FREEZE,
        pm_flags: state.pm_flags | NO_PREDICTION,
        origin: pose.origin.map(Short8::nearest),
        velocity: [Short8(0); 3],
        view_offset: zero,
        view_angles: pose.angles.map(Angle16::nearest),
        kick_angles: zero,
        gun_model: 0,
        gun_frame: 0,
        gun_offset: zero,
        gun_angles: zero,
        blend: [Volume(0); 4],
        rdflags: 0,
        fov: fov.map_or(state.fov, |degrees| degrees.round() as u8),
        ..*state
    };
}

impl Stage for Scene<'_> {
    fn recorder(&self) -> Option<Subject> {
        let state = self.frame.player(None)?;
        let [pitch, yaw, _] = state.view_angles.map(Angle16::value);
        Some(Subject { origin: state.origin.map(Short8::value), yaw, pitch, is_sent: true })
    }

    fn level(&self) -> &[u8] {
        self.world.config.get(LEVEL)
    }

    fn entity(&self, number: u16) -> Option<Subject> {
        let find = |frame: &Frame| {
            let entity = frame.entity(number)?;
            let [pitch, yaw, _] = entity.angles;
            // A body leans a third as far as its player looks up or down.
            let pitch = turn(0.0, pitch.value()) * 3.0;
            let origin = entity.origin.map(Short8::value);
            Some(Subject { origin, yaw: yaw.value(), pitch, is_sent: true })
        };
        // Its last known place, if that is recent.
        let old = || self.sent.iter().rev().find_map(|sent| find(&sent.frame));
        find(self.frame).or_else(|| old().map(|it| Subject { is_sent: false, ..it }))
    }

    fn unsent_near(&self, place: &Point) -> usize {
        // Things that are sent rarely count as recent.
        let mut now = OrderedEntities::of(self.frame);
        let Some(before) = self.sent.front() else { return 0 };
        let (mut before, mut near) = (&before.frame.entities[..], 0);
        while let [gone, rest @ ..] = now.skip_same(before) {
            before = rest;
            let [x, y, z] = gone.origin;
            let is_gone = now.find(gone.number).is_none();
            near += usize::from(is_gone && is_near([x.value(), y.value(), z.value()], place));
        }
        near
    }

    fn players(&self) -> Vec<(u16, String)> {
        let named = (0..=u8::MAX).map(u16::from).filter_map(|player| {
            let text = self.world.config.get(usize::from(CS_PLAYERSKINS + player));
            let name = text.split(|byte| *byte == b'\\').next().unwrap_or_default();
            (!name.is_empty()).then(|| (player + 1, readable(name)))
        });
        named.collect()
    }
}
