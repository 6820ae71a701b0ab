//! The camera in Quake II: the player's state of each frame, and a double of the player, whom no client draws himself.

use super::operate::{Operator, Stage, Subject};
use super::rig::Pose;
use super::script::Shot;
use crate::bridge::quake2 as bridge;
use crate::bridge::retell::short_blocks;
use crate::{Error, Pen};
use moviola_format::dm2::Message;
use moviola_format::names::{
    quake2::{CS_MODELS, CS_PLAYERSKINS},
    readable,
};
use moviola_format::{Angle16, Entry, FrameForm, Game, Quarters, Short8, Volume};
use moviola_state::World as _;
use moviola_state::quake2::{Entity, Frame, PlayerState, World};

/// Where is filmed.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    world: World,
    /// The frames as they went out, the youngest last.
    sent: Vec<Sent>,
    /// The frame of the block as it came, where it may have to be told anew.
    held: Option<Vec<u8>>,
    /// What came behind it.
    after: Vec<u8>,
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

/// The config string with the name of the level's file.
const LEVEL: usize = CS_MODELS as usize + 1;

/// How many frames a client holds.
const RING: usize = 16;

/// The largest block that the first engines take.
const LARGEST: usize = Game::Quake2.largest_block();

impl Set {
    pub(super) fn block(&mut self, pen: &mut Pen<'_>) {
        self.world.begin_block(pen.block());
        self.held = None;
        self.after.clear();
        self.parts.clear();
    }

    fn sent(&self, number: i32) -> Option<&Sent> {
        self.sent.iter().rev().find(|sent| sent.frame.number == number)
    }

    pub(super) fn message(&mut self, is_shot: bool, entry: &Entry<Message<'_>>, pen: &mut Pen<'_>) {
        self.world.apply(entry);
        match &entry.message {
            Message::ServerData(_) => self.sent.clear(),
            Message::FrameMessage(it) if self.held.is_none() => {
                let builds_on_changed =
                    it.head.seq2 > 0 && self.sent(it.head.seq2).is_some_and(|it| it.is_changed);
                if is_shot || builds_on_changed {
                    self.held = Some(pen.bytes().to_vec());
                    return;
                }
            }
            _ => {}
        }
        match (&mut self.held, &entry.message) {
            (None, _) => pen.keep(),
            (Some(held), Message::PlayerInfo(_) | Message::PacketEntities(_)) => {
                held.extend_from_slice(pen.bytes());
            }
            (Some(_), _) => self.after.extend_from_slice(pen.bytes()),
        }
    }

    pub(super) fn block_end(
        &mut self,
        shot: Option<(usize, &Shot, f64)>,
        operator: &mut Operator,
        now: f64,
        free: u16,
        pen: &mut Pen<'_>,
    ) -> Result<(), Error> {
        let before = self.world.frame().number;
        self.world.end_block();
        if shot.is_none() {
            operator.rest();
        }
        let is_new = self.world.frame().number != before || self.held.is_some();
        if shot.is_some() && is_new && self.world.frame().form != FrameForm::Client {
            let why = "only a client's recording has a camera: make one of it with `moviola view`";
            return Err(Error::Impossible(why.into()));
        }
        let mut frame = self.world.frame().clone();
        let pose = shot
            .filter(|_| is_new && frame.validity.is_drawn())
            .and_then(|shot| operator.film(shot, now, self));
        let is_changed = pose.is_some();
        if let (Some((pose, _)), Some((number, shot, progress))) = (pose, shot) {
            operator.tell(number, pose.origin, pose.origin.map(|it| Short8::nearest(it).value()));
            let fov = shot.fov.as_ref().map(|path| path.timed(progress));
            self.film(&mut frame, &pose, fov.map(|[degrees]| degrees), free);
        }
        if let Some(held) = self.held.take() {
            let base = if frame.base > 0 { self.sent(frame.base) } else { None };
            let start = pen.written().len();
            // A frame that builds on what never came cannot be told anew.
            if frame.validity.is_drawn() && (frame.base <= 0 || base.is_some()) {
                let mut bytes = Vec::new();
                bridge::frame(&frame, base.map(|it| &it.frame), &self.world, pen.context(), &mut bytes);
                pen.put_bytes(&bytes);
            } else {
                pen.put_bytes(&held);
            }
            let bytes = pen.written().len() - start;
            pen.put_bytes(&self.after);
            if pen.written().len() > LARGEST && pen.block().data.len() <= LARGEST {
                let (parts, fits) =
                    short_blocks(pen.written(), Some((start, start + bytes)), LARGEST, pen.context());
                self.large += u64::from(!fits);
                self.parts = parts;
            }
        }
        if is_new {
            if self.sent.len() >= RING {
                self.sent.remove(0);
            }
            self.sent.push(Sent { frame, is_changed });
        }
        Ok(())
    }

    /// Makes the camera's frame of the player's.
    fn film(&self, frame: &mut Frame, pose: &Pose, fov: Option<f64>, free: u16) {
        for (_, state) in &mut frame.players {
            film_state(state, pose, fov);
        }
        // The camera may be where doors are shut for who recorded.
        frame.areas.fill(u8::MAX);
        let own = self.world.own_entity().and_then(|own| frame.entities.iter().find(|it| it.number == own));
        if let Some(own) = own {
            // What it sounds like comes from the player already.
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

impl Stage for Set {
    fn me(&self) -> Option<Subject> {
        let state = self.world.frame().player(None)?;
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
        find(self.world.frame()).or_else(|| old().map(|it| Subject { is_sent: false, ..it }))
    }

    fn unsent(&self) -> Vec<[f64; 3]> {
        // What is told of seldom was there not long ago.
        let now = self.world.frame();
        let Some(before) = self.sent.first() else { return Vec::new() };
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
