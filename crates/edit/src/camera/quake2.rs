//! The camera in Quake II: the player's state of each frame, and a double of the player, whom no client draws himself.

use super::operate::{Operator, Stage, Subject};
use super::rig::Pose;
use super::script::Shot;
use super::survey::Plan;
use crate::machinery::bridge::reencode::{Reencoded, frames, reencode, short_blocks};
use crate::{BlockWriter, Error};
use moviola_check::largest_block;
use moviola_format::dm2::Message;
use moviola_format::names::{
    quake2::{CS_MODELS, CS_PLAYERSKINS},
    readable,
};
use moviola_format::{Angle16, FrameForm, Game, Quarters, Short8, Volume};
use moviola_state::Playhead;
use moviola_state::quake2::{Entity, Frame, PlayerState, World};
use std::collections::VecDeque;

/// The state of the recording while it is filmed.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    /// The state before the current block.
    head: Playhead<World>,
    /// The frames as they went out, the youngest last.
    sent: VecDeque<Sent>,
    /// The times of the block's frames in the film.
    times: Vec<f64>,
    /// How many of them come before another level, where one begins in the block.
    before_level: Option<usize>,
    /// How many frames have become larger than old engines take in a block.
    pub(super) large: u64,
    /// The blocks in whose place these go out, where it would be too long.
    pub(super) parts: Vec<Vec<u8>>,
}

#[derive(Clone, Debug)]
struct Sent {
    frame: Frame,
    /// Whether it is another one than the recording's.
    is_changed: bool,
}

/// The entities that the camera sees while a frame is filmed.
struct Scene<'s> {
    world: &'s World,
    frame: &'s Frame,
    sent: &'s VecDeque<Sent>,
}

/// The config string with the name of the level's file.
const LEVEL: usize = CS_MODELS as usize + 1;

/// How many frames a client holds.
const RING: usize = 16;

/// The largest block that the first engines take.
const LARGEST: usize = largest_block(Game::Quake2);

impl Set {
    pub(super) fn block(&mut self) {
        self.times.clear();
        self.before_level = None;
        self.parts.clear();
    }

    pub(super) fn message(&mut self, now: f64, message: &Message<'_>) {
        match message {
            Message::ServerData(_) => self.before_level = Some(self.times.len()),
            Message::FrameMessage(_) => self.times.push(now),
            _ => {}
        }
    }

    fn sent(&self, number: i32) -> Option<&Sent> {
        self.sent.iter().rev().find(|sent| number > 0 && sent.frame.number == number)
    }

    pub(super) fn block_end(
        &mut self,
        shot: Option<(usize, &Shot)>,
        operator: &mut Operator,
        plan: &Plan,
        writer: &mut BlockWriter<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        let head = self.head.clone();
        self.head.step(&block);
        if shot.is_none() {
            operator.rest();
        }
        let all = frames(&block, &head);
        if shot.is_some() && all.iter().flatten().any(|frame| frame.form != FrameForm::Client) {
            let why = "only a client's recording has a camera: make one of it with `moviola view`";
            return Err(Error::Impossible(why.into()));
        }
        let mut anew = Vec::with_capacity(all.len());
        for (at, frame) in all.into_iter().enumerate() {
            if self.before_level == Some(at) {
                self.sent.clear();
            }
            let now = self.times.get(at).copied().unwrap_or_default();
            let shot = shot.map(|(number, shot)| (number, shot, plan.progress(number, now)));
            anew.push(frame.and_then(|frame| self.frame(frame, shot, operator, now, plan.free)));
        }
        if self.before_level == Some(anew.len()) {
            self.sent.clear();
        }
        if anew.iter().all(Option::is_none) {
            return Ok(());
        }
        let told: Vec<Option<Reencoded<'_>>> = anew
            .iter()
            .map(|it| it.as_ref().map(|(frame, base)| Reencoded { frame, base: base.as_ref() }))
            .collect();
        let bytes = reencode(&block, &head, &told);
        if bytes.len() > LARGEST && block.data.len() <= LARGEST {
            let (parts, fits) = short_blocks(&bytes, LARGEST, writer.context());
            self.large += u64::from(!fits);
            self.parts = parts;
        }
        writer.clear();
        writer.put_bytes(&bytes);
        Ok(())
    }

    /// Films a frame. Returns the changed frame and the frame against which it is encoded, or `None` if it
    /// stays as it is.
    fn frame(
        &mut self,
        mut frame: Frame,
        shot: Option<(usize, &Shot, f64)>,
        operator: &mut Operator,
        now: f64,
        free: Option<u16>,
    ) -> Option<(Frame, Option<Frame>)> {
        let base = self.sent(frame.base);
        // A frame whose base is missing cannot be encoded again.
        let can_be_told = frame.validity.is_drawn() && (frame.base <= 0 || base.is_some());
        let builds_on_changed = base.is_some_and(|base| base.is_changed);
        let base = base.map(|base| base.frame.clone());
        let scene = Scene { world: &self.head.world, frame: &frame, sent: &self.sent };
        let pose = shot.filter(|_| can_be_told).and_then(|shot| operator.film(shot, now, &scene));
        let is_changed = pose.is_some();
        if let (Some((pose, _)), Some((number, shot, progress))) = (pose, shot) {
            operator.tell(number, pose.origin, pose.origin.map(|it| Short8::nearest(it).value()));
            let fov = shot.fov.as_ref().map(|path| shot.on(path, progress));
            self.film(&mut frame, &pose, fov.map(|[degrees]| degrees), free.unwrap_or(u16::MAX));
        }
        if self.sent.len() >= RING {
            self.sent.pop_front();
        }
        self.sent.push_back(Sent { frame: frame.clone(), is_changed });
        (can_be_told && (is_changed || builds_on_changed)).then_some((frame, base))
    }

    /// Makes the camera's frame of the player's.
    fn film(&self, frame: &mut Frame, pose: &Pose, fov: Option<f64>, free: u16) {
        for (_, state) in &mut frame.players {
            film_state(state, pose, fov);
        }
        // The camera may be where doors are shut for who recorded.
        frame.areas.fill(u8::MAX);
        let own =
            self.head.world.own_entity().and_then(|own| frame.entities.iter().find(|it| it.number == own));
        if let Some(own) = own {
            // Its sounds come from the player already.
            let double = Entity { number: free, event: 0, sound: 0, ..*own };
            let at = frame.entities.partition_point(|it| it.number < free);
            frame.entities.insert(at, double);
        }
    }
}

/// The way that a client moves who cannot move (`PM_FREEZE`), and the mark that he shall not guess where he will be.
const FREEZE: u8 = 4;
const NO_PREDICTION: u8 = 1 << 6;

fn film_state(state: &mut PlayerState, pose: &Pose, fov: Option<f64>) {
    let none = [Quarters(0); 3];
    *state = PlayerState {
        pm_type: FREEZE,
        pm_flags: state.pm_flags | NO_PREDICTION,
        origin: pose.origin.map(Short8::nearest),
        velocity: [Short8(0); 3],
        view_offset: none,
        view_angles: pose.angles.map(Angle16::nearest),
        kick_angles: none,
        gun_model: 0,
        gun_frame: 0,
        gun_offset: none,
        gun_angles: none,
        blend: [Volume(0); 4],
        rdflags: 0,
        fov: fov.map_or(state.fov, |degrees| degrees.round() as u8),
        ..*state
    };
}

impl Stage for Scene<'_> {
    fn me(&self) -> Option<Subject> {
        let state = self.frame.player(None)?;
        let [_, yaw, _] = state.view_angles;
        Some(Subject { origin: state.origin.map(Short8::value), yaw: yaw.value(), is_sent: true })
    }

    fn level(&self) -> &[u8] {
        self.world.config.get(LEVEL)
    }

    fn entity(&self, number: u16) -> Option<Subject> {
        let find = |frame: &Frame| {
            let entity = frame.entity(number)?;
            let [_, yaw, _] = entity.angles;
            Some(Subject { origin: entity.origin.map(Short8::value), yaw: yaw.value(), is_sent: true })
        };
        // The last place that it had not long ago.
        let old = || self.sent.iter().rev().find_map(|sent| find(&sent.frame));
        find(self.frame).or_else(|| old().map(|it| Subject { is_sent: false, ..it }))
    }

    fn unsent(&self) -> Vec<[f64; 3]> {
        // What is told of seldom was there not long ago.
        let now = self.frame;
        let Some(before) = self.sent.front() else { return Vec::new() };
        let gone = before.frame.entities.iter().filter(|it| now.entity(it.number).is_none());
        gone.map(|it| it.origin.map(Short8::value)).collect()
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
