//! Quake II: frames are numbered and name the frame on which they build, so missing frames are noticeable.

use super::{Farewell, proof};
use crate::book::{FindingList, PendingEvidence, Proof};
use crate::findings::AuditCode;
use moviola_analyse::AuditSeverity;
use moviola_analyse::PassPosition;
use moviola_analyse::space::{distance, spot};
use moviola_format::dm2::Message;
use moviola_format::{EntityBits, Flags, FrameForm, FrameHead};
use moviola_state::quake2::{Validity, World};

/// A body farther than this from its view is at another place; it is the width of a player.
const BODY: f64 = 32.0;

/// The forensics of a Quake II recording.
#[derive(Debug, Default)]
pub(super) struct Quake2Forensics {
    last_frame: Option<i32>,
    /// The number of full frames in the level.
    full: u64,
    frames: u64,
    fresh: bool,
    solo: bool,
    missing: PendingEvidence,
    /// The missing frames that may have been too large for a message of the server.
    overflown: PendingEvidence,
    /// The sizes of the last block and the one before.
    sizes: [usize; 2],
    /// The protocol of the level.
    protocol: i32,
    farewell: Farewell,
    /// The first message after the farewell; its weight depends on whether another level follows.
    after: Option<Proof>,
    spare: PendingEvidence,
    /// Whether the view was away from the player in the frame before.
    away: bool,
}

/// A server drops a frame that does not fit into its message of 1400 bytes (`SV_SendClientDatagram`). If
/// frames are nearly that large, some may be missing.
const CROWDED: usize = 1000;
/// The last protocol without a meaning for the spare bits.
const OLD_PROTOCOL: i32 = 34;

impl Quake2Forensics {
    pub(super) fn begin(&mut self, size: usize) {
        self.sizes = [size, self.sizes[0]];
    }

    pub(super) fn message(&mut self, message: &Message<'_>, here: &PassPosition, book: &mut FindingList) {
        if self.farewell.is_passed() {
            self.after = Some(proof(here, "a message after the server's disconnect"));
        }
        match message {
            Message::ServerData(it) => {
                if let Some(after) = self.after.take() {
                    book.weigh(AuditCode::AfterFarewell, AuditCode::AfterFarewell.severity(), || after);
                }
                self.finish_level(book);
                self.protocol = it.serverversion;
                (self.last_frame, self.full, self.frames) = (None, 0, 0);
            }
            Message::FrameMessage(it) => self.frame(&it.head, here, book),
            Message::PacketEntities(it) if it.entities.bits() & EntityBits::SPARE != 0 => {
                for entity in it.entities.iter() {
                    self.bits(entity.flags, here);
                }
            }
            Message::SpawnBaseline(it) => self.bits(it.flags, here),
            Message::Disconnect(_) => self.farewell.mark_sent(),
            _ => {}
        }
    }

    #[inline]
    fn bits(&mut self, flags: EntityBits, here: &PassPosition) {
        let spare = flags.bits() & EntityBits::SPARE;
        if spare != 0 {
            self.spare.add(|| {
                Proof::new(here, format!("bits 0x{spare:X} of an entity"), &[("bits", f64::from(spare))])
            });
        }
    }

    fn frame(&mut self, head: &FrameHead<'_>, here: &PassPosition, book: &mut FindingList) {
        self.fresh = true;
        self.frames = self.frames.saturating_add(1);
        let number = head.seq1;
        if head.form != FrameForm::Client {
            return;
        }
        if let Some(last) = self.last_frame.replace(number) {
            let step = i64::from(number) - i64::from(last);
            let numbers = [("from", f64::from(last)), ("to", f64::from(number))];
            if step < 0 {
                book.add(AuditCode::FrameBack, || {
                    Proof::new(here, format!("frame {number} after {last}"), &numbers)
                });
            } else if step > 1 {
                let crowded = self.sizes.iter().any(|size| *size >= CROWDED);
                let found = if crowded { &mut self.overflown } else { &mut self.missing };
                found.add(|| Proof::new(here, format!("frame {number} after {last}"), &numbers));
            }
        }
        if head.seq2 <= 0 {
            self.full = self.full.saturating_add(1);
            if self.full > 1 {
                book.add(AuditCode::SecondFullFrame, || {
                    proof(here, format!("frame {number} builds on none"))
                });
            }
        }
    }

    /// Judges a complete block.
    pub(super) fn judge(&mut self, world: &World, here: &PassPosition, book: &mut FindingList) {
        self.solo = world.config.max_clients() == 1;
        if !std::mem::take(&mut self.fresh) {
            return;
        }
        self.observe_view(world, here, book);
        if matches!(world.frame().validity, Validity::TooOld | Validity::EntitiesTooOld)
            && Some(world.frame().number) == self.last_frame
        {
            let (number, base) = (world.frame().number, world.frame().base);
            let numbers = [("frame_number", f64::from(number)), ("builds_on", f64::from(base))];
            let description = format!("frame {number} builds on {base}, which is not there");
            // This error is the client's: it drops the entities of crowded frames too early.
            let forgotten = world.frame().validity == Validity::EntitiesTooOld;
            let weight = if forgotten { AuditSeverity::Note } else { AuditCode::LostReference.severity() };
            book.weigh(AuditCode::LostReference, weight, || Proof::new(here, description, &numbers));
        }
    }

    /// Servers put the player's body at the position of the view, also in scenes and chases. A view elsewhere
    /// is a camera.
    fn observe_view(&mut self, world: &World, here: &PassPosition, book: &mut FindingList) {
        let frame = world.frame();
        let body = world.own_entity().and_then(|own| frame.entity(own));
        let (Some(state), Some(body), true) = (frame.player(None), body, frame.validity.is_drawn()) else {
            return;
        };
        let apart = distance(spot(state.origin), spot(body.origin));
        let was_away = std::mem::replace(&mut self.away, apart > BODY);
        if self.away && !was_away {
            let description = format!("the view is {apart:.0} units from the player");
            book.add(AuditCode::Camera, || Proof::new(here, description, &[("units", apart)]));
        }
    }

    fn finish_level(&mut self, book: &mut FindingList) {
        if self.solo {
            self.missing.enter(book, AuditCode::FramesMissing, AuditCode::FramesMissing.severity());
            self.overflown.enter(book, AuditCode::FramesMissing, AuditSeverity::Note);
        }
        self.missing.clear();
        self.overflown.clear();
        // Later protocols use these bits for velocities and more.
        let known = self.protocol > OLD_PROTOCOL;
        self.spare.enter(
            book,
            AuditCode::SpareBit,
            if known { AuditSeverity::Note } else { AuditCode::SpareBit.severity() },
        );
    }

    pub(super) fn end(&mut self, book: &mut FindingList) {
        self.finish_level(book);
        if let Some(after) = self.after.take() {
            book.weigh(AuditCode::AfterFarewell, AuditSeverity::Note, || after);
        }
    }
}
