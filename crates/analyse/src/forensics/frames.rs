//! How blocks are made up: what belongs to a frame comes in one order and alone.
//!
//! A server sends a frame as a datagram: time, blow, angles, the player's state, entities, then what happens. Texts,
//! scores and commands go another way and are recorded as blocks of their own.

use super::{Engine, Stage, proof};
use crate::Here;
use crate::audit::book::{Book, Held};
use crate::audit::findings::Code;
use moviola_format::dem::Message;

/// Judges blocks, level by level.
#[derive(Debug, Default)]
pub(super) struct Frames {
    block: Parts,
    strangers: Held,
    shapes: Held,
    orders: Held,
    nops: Held,
    entities: Held,
    /// Frames in which something happens.
    eventful: u64,
}

/// What a block is made of.
#[derive(Debug, Default)]
struct Parts {
    times: u32,
    states: u32,
    entities: u32,
    /// The last entity's number.
    last: u16,
    /// The last part's place in the order.
    part: u8,
    messages: u32,
    nops: u32,
    /// Something happens.
    events: bool,
    out_of_order: bool,
    entity_order: Option<(u16, u16)>,
    /// What does not belong into a frame.
    stranger: Option<&'static str>,
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

    /// The block is over.
    pub(super) fn judge(&mut self, stage: Stage, here: &Here) {
        let it = &self.block;
        // DarkPlaces sends everything in one packet, and in an order of its own.
        if !stage.playing || stage.engine == Engine::DarkPlaces {
            return;
        }
        if it.messages > 0 && it.nops == it.messages {
            self.nops.add(|| proof(here, "a block of nothing but `nop`"));
        }
        if it.times == 0 {
            if it.states > 0 || it.entities > 0 {
                self.shapes.add(|| proof(here, "a frame without its time"));
            }
            return;
        }
        if let Some(what) = it.stranger {
            self.strangers.add(|| proof(here, format!("{what} in the block of a frame")));
        }
        self.eventful = self.eventful.saturating_add(u64::from(it.events));
        if it.times > 1 {
            self.shapes.add(|| proof(here, format!("{} frames in one block", it.times)));
        } else if it.states == 0 {
            self.shapes.add(|| proof(here, "a frame without the player's state"));
        } else if it.out_of_order {
            self.orders.add(|| proof(here, "the parts of a frame in another order"));
        }
        // Engines of today send the nearest entities first.
        if let (Engine::WinQuake(_), Some((first, second))) = (stage.engine, it.entity_order) {
            self.entities.add(|| proof(here, format!("entity {second} behind entity {first}")));
        }
    }

    /// The level is over; says whether its engine has the habit of sending everything together, as `DarkPlaces` does:
    /// whatever happens then stands before the entities, in every frame.
    pub(super) fn leave(&mut self, book: &mut Book) -> bool {
        let habit = self.orders.count > SOME && self.orders.count as f64 >= MOST * self.eventful as f64;
        if !habit {
            for (held, code) in [
                (&mut self.strangers, Code::TextInFrame),
                (&mut self.shapes, Code::FrameShape),
                (&mut self.orders, Code::FrameShape),
                (&mut self.nops, Code::KeepAlive),
                (&mut self.entities, Code::EntityOrder),
            ] {
                held.enter(book, code, code.severity());
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
                // A second time begins anew, and is a mark of its own.
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
            Message::Print(_) => return self.strange("a text"),
            Message::CenterPrint(_) => return self.strange("a text in the middle of the screen"),
            Message::StuffText(_) => return self.strange("a command"),
            Message::UpdateName(_) => return self.strange("a name"),
            Message::UpdateFrags(_) => return self.strange("a score"),
            Message::UpdateColors(_) => return self.strange("colours"),
            Message::LightStyle(_) => return self.strange("a light"),
            Message::SetView(_) => return self.strange("a camera"),
            Message::CdTrack(_) => return self.strange("music"),
            Message::Intermission(_) | Message::Finale(_) | Message::Cutscene(_) => {
                return self.strange("a scene");
            }
            _ => return,
        };
        self.out_of_order |= part < self.part;
        self.part = part;
    }

    fn strange(&mut self, what: &'static str) {
        self.stranger.get_or_insert(what);
    }
}

/// So many frames in another order make a habit, if they are this part of those in which something happens.
const SOME: u64 = 8;
const MOST: f64 = 0.5;
