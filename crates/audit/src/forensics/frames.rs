//! The composition of blocks: the parts of a frame come in one order, and nothing else is among them.
//!
//! A server sends a frame as a datagram: time, damage, angles, the player's state, entities, and then
//! momentary effects. Texts, scores and commands are sent separately and recorded as blocks of their own. But
//! game code may write any message into the last part of the datagram (`WriteByte(MSG_BROADCAST, ...)`), and
//! bot programs do. id's game code writes only temporary entities there.

use super::{Engine, Stage, proof};
use crate::book::{FindingList, WeighedEvidence};
use crate::findings::AuditCode;
use moviola_analyse::{AuditSeverity, PassPosition};
use moviola_format::dem::Message;

/// Judges blocks, level by level.
#[derive(Debug, Default)]
pub(super) struct Frames {
    block: Parts,
    foreign: WeighedEvidence,
    shapes: WeighedEvidence,
    orders: WeighedEvidence,
    nops: WeighedEvidence,
    entities: WeighedEvidence,
    /// The number of frames with momentary messages.
    eventful: u64,
}

/// The parts of a block.
#[derive(Debug, Default)]
struct Parts {
    times: u32,
    states: u32,
    entities: u32,
    /// The number of the last entity.
    last: u16,
    /// The place of the last part in the order.
    part: u8,
    messages: u32,
    nops: u32,
    /// Whether the block has momentary messages.
    events: bool,
    out_of_order: bool,
    /// Whether damage or angles follow the entities, where game code can put them.
    broadcast: bool,
    entity_order: Option<(u16, u16)>,
    /// The first message that does not belong into a frame.
    foreign_message: Option<ForeignMessage>,
}

/// A message that does not belong into a frame.
#[derive(Clone, Copy, Debug)]
struct ForeignMessage {
    name: &'static str,
    /// Whether it is a text or a command, which game code sends with special functions.
    is_text: bool,
    /// Whether it is in the last part of the datagram, where game code can put it.
    is_last: bool,
}

impl ForeignMessage {
    fn severity(self, stage: Stage) -> AuditSeverity {
        match self {
            Self { is_last: true, is_text: true, .. } => {
                stage.unless_mod(AuditCode::TextInFrame).max(AuditSeverity::Suspicious)
            }
            Self { is_last: true, .. } => stage.unless_mod(AuditCode::TextInFrame),
            _ => AuditCode::TextInFrame.severity(),
        }
    }
}

impl Frames {
    pub(super) fn begin(&mut self) {
        self.block = Parts::default();
    }

    pub(super) fn is_frame(&self) -> bool {
        self.block.times > 0
    }

    pub(super) fn has_entities(&self) -> bool {
        self.block.times > 0 && self.block.entities > 0
    }

    #[inline]
    pub(super) fn message(&mut self, message: &Message<'_>) {
        self.block.message(message);
    }

    /// Judges a complete block.
    pub(super) fn judge(&mut self, stage: Stage, here: &PassPosition) {
        let it = &self.block;
        // DarkPlaces sends everything in one packet, in a different order.
        if !stage.playing || stage.engine == Engine::DarkPlaces {
            return;
        }
        if it.messages > 0 && it.nops == it.messages {
            let weight = AuditCode::KeepAlive.severity();
            self.nops.add(weight, || proof(here, "a block of nothing but `nop`"));
        }
        let weight = stage.unless_unknown(AuditCode::FrameShape);
        if it.times == 0 {
            if it.states > 0 || it.entities > 0 {
                self.shapes.add(weight, || proof(here, "a frame without its time"));
            }
            return;
        }
        if let Some(foreign_message) = it.foreign_message {
            let description = || proof(here, format!("{} in the block of a frame", foreign_message.name));
            self.foreign.add(foreign_message.severity(stage), description);
        }
        self.eventful = self.eventful.saturating_add(u64::from(it.events));
        if it.times > 1 {
            self.shapes.add(weight, || proof(here, format!("{} frames in one block", it.times)));
        } else if it.states == 0 {
            self.shapes.add(weight, || proof(here, "a frame without the player's state"));
        } else if it.out_of_order {
            let weight =
                if it.broadcast { weight.min(stage.unless_mod(AuditCode::FrameShape)) } else { weight };
            self.orders.add(weight, || proof(here, "the parts of a frame in another order"));
        }
        // Later engines send the nearest entities first.
        if let (Engine::WinQuake(ID_FIRST..=ID_LAST), Some((first, second))) = (stage.engine, it.entity_order)
        {
            let weight = AuditCode::EntityOrder.severity();
            self.entities.add(weight, || proof(here, format!("entity {second} after entity {first}")));
        }
    }

    /// Judges the level at its end. Returns whether its engine sends everything in one packet, as
    /// `DarkPlaces` does: then momentary messages precede the entities in every frame.
    pub(super) fn leave(&mut self, book: &mut FindingList) -> bool {
        let orders = self.orders.count();
        let habit = orders > SOME && orders as f64 >= MAX_SHARE * self.eventful as f64;
        if !habit {
            for (held, code) in [
                (&mut self.foreign, AuditCode::TextInFrame),
                (&mut self.shapes, AuditCode::FrameShape),
                (&mut self.orders, AuditCode::FrameShape),
                (&mut self.nops, AuditCode::KeepAlive),
                (&mut self.entities, AuditCode::EntityOrder),
            ] {
                held.enter(book, code);
            }
        }
        *self = Self::default();
        habit
    }
}

impl Parts {
    #[inline]
    fn message(&mut self, message: &Message<'_>) {
        self.messages = self.messages.saturating_add(1);
        let part = match message {
            Message::UpdateEntity(it) => {
                let number = it.entity.0;
                if number <= self.last && self.entities > 0 {
                    self.entity_order.get_or_insert((self.last, number));
                }
                self.last = number;
                self.entities = self.entities.saturating_add(1);
                4
            }
            Message::Time(_) => {
                self.times = self.times.saturating_add(1);
                // A second `time` begins another frame, which is reported separately.
                self.out_of_order |= self.messages > 1;
                0
            }
            Message::Damage(_) => 1,
            Message::SetAngle(_) => 2,
            Message::ClientData(_) => {
                self.states = self.states.saturating_add(1);
                3
            }
            Message::Sound(_) | Message::TempEntity(_) | Message::Particle(_) | Message::StopSound(_) => {
                self.events = true;
                5
            }
            Message::Nop(_) => {
                self.nops = self.nops.saturating_add(1);
                return;
            }
            Message::Print(_) => return self.count_foreign("a text", true),
            Message::CenterPrint(_) => return self.count_foreign("a text in the middle of the screen", true),
            Message::StuffText(_) => return self.count_foreign("a command", true),
            Message::UpdateName(_) => return self.count_foreign("a name", false),
            Message::UpdateFrags(_) => return self.count_foreign("a score", false),
            // not from SCHEMA: a word of the note
            Message::UpdateColors(_) => return self.count_foreign("colors", false),
            Message::LightStyle(_) => return self.count_foreign("a light", false),
            Message::SetView(_) => return self.count_foreign("a camera", false),
            Message::CdTrack(_) => return self.count_foreign("music", false),
            Message::Intermission(_) | Message::Finale(_) | Message::Cutscene(_) => {
                return self.count_foreign("a scene", false);
            }
            _ => return,
        };
        if part < self.part {
            self.broadcast =
                (self.broadcast || !self.out_of_order) && matches!(part, 1 | 2) && self.part >= STATE;
            self.out_of_order = true;
        }
        self.part = self.part.max(part);
    }

    fn count_foreign(&mut self, name: &'static str, is_text: bool) {
        let foreign_message = ForeignMessage { name, is_text, is_last: self.part >= STATE };
        // Only the message with the greatest weight is named.
        if self
            .foreign_message
            .is_none_or(|it| it.is_last && !foreign_message.is_last || !it.is_text && is_text && it.is_last)
        {
            self.foreign_message = Some(foreign_message);
        }
    }
}

/// The place of the player's state in a frame; entities and momentary messages follow it.
const STATE: u8 = 3;
/// The versions of id's own servers, times 100. Other servers that print "VERSION" may have an order of their
/// own.
const ID_FIRST: u16 = 100;
const ID_LAST: u16 = 109;
/// If there are this many frames in another order, and they are at least this share of the frames with momentary
/// messages, the server has this order.
const SOME: u64 = 8;
const MAX_SHARE: f64 = 0.5;
