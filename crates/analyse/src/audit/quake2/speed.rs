//! Place against speed: a Quake II recording tells both in each frame, and one follows from the other (`pmove.c`).
//!
//! Only in games for one player: a network holds a player's commands back and brings several at once.

use super::distance;
use crate::Here;
use crate::audit::book::{Book, Held, Proof};
use crate::audit::findings::{Code, Severity};
use moviola_format::Short8;
use moviola_state::quake2::PlayerState;

/// Judges how place and speed agree.
#[derive(Debug, Default)]
pub(super) struct Speed {
    /// Frames in a row in which they do not.
    running: Held,
    apart: Held,
}

/// Seconds of a frame.
const FRAME: f64 = 0.1;
/// Faster than lifts and trains carry players, in units a second.
const CARRIED: f64 = 800.0;
/// Who is stopped has no speed left: of a speed like this some way must come.
const FAST: f64 = 600.0;
const PART: f64 = 0.25;
/// So many frames in a row are no hitch of a machine.
const SURE: u64 = 4;

impl Speed {
    /// Two frames that follow each other, of a player who moves by himself.
    pub(super) fn judge(&mut self, before: &PlayerState, now: &PlayerState, here: &Here) {
        let speeds = [before, now].map(|it| distance(it.velocity, [Short8::default(); 3]));
        let (least, most) = speeds.into_iter().fold((f64::MAX, 0.0f64), |(a, b), it| (a.min(it), b.max(it)));
        let way = distance(before.origin, now.origin);
        let stuck = least > FAST && way < PART * least * FRAME;
        let carried = way > (most + CARRIED) * FRAME;
        if !stuck && !carried {
            self.end_run();
            return;
        }
        let (told, made) = (most.round(), (way / FRAME).round());
        let says = format!("{told} units a second are told, {made} are made");
        self.running.add(|| Proof::new(here, says, &[("told", told), ("made", made)]));
    }

    /// Nothing goes on: a teleport, a leap, a missing frame.
    pub(super) fn end_run(&mut self) {
        if self.running.count >= SURE {
            self.apart.take(&mut self.running);
        }
        self.running.clear();
    }

    /// The level is over.
    pub(super) fn leave(&mut self, weight: Option<Severity>, book: &mut Book) {
        self.end_run();
        if let Some(weight) = weight {
            self.apart.enter(book, Code::PlaceAndSpeed, weight);
        }
        self.apart.clear();
    }
}
