//! The view at the moment of a shot: whether it snapped onto another player, again and again.

use super::super::Looked;
use super::super::book::{Book, Held};
use super::super::findings::{Code, Severity};
use super::Pair;
use moviola_format::Coord;

/// Judges the aim.
#[derive(Debug, Default)]
pub(super) struct Aim {
    /// Shots with another player in sight.
    shots: u64,
    snaps: Held,
}

/// A turn within one frame that no hand makes often, in degrees.
const TURN: f64 = 30.0;
/// So exactly it must stand on the target.
const EXACT: f64 = 0.75;
/// So many snaps, and such a part of all shots, are no accident.
const SNAPS: u64 = 12;
const PART: f64 = 0.3;

impl Aim {
    pub(super) fn judge(&mut self, pair: &Pair<'_>, looked: &mut Looked) {
        if !(pair.signs.shot && pair.before.in_play() && pair.now.in_play()) {
            return;
        }
        let Some(eyes) = pair.now.origin else { return };
        let [_, yaw] = pair.now.angles;
        let Some(error) = nearest(pair, eyes) else { return };
        looked.shots = looked.shots.saturating_add(1);
        self.shots = self.shots.saturating_add(1);
        let turn = apart(yaw, pair.before.angles[1]);
        if turn >= TURN && error <= EXACT {
            let says = format!("a turn of {turn:.0} degrees, {error:.2} beside the target");
            self.snaps.add(|| pair.proof(says, &[("turn", turn), ("beside", error)]));
        }
    }

    pub(super) fn leave(&mut self, book: &mut Book) {
        if self.snaps.count >= SNAPS && self.snaps.count as f64 >= PART * self.shots as f64 {
            self.snaps.enter(book, Code::Snaps, Severity::Suspicious);
        }
        *self = Self::default();
    }
}

/// How far beside the nearest other player in sight the view goes by, in degrees around the vertical.
fn nearest(pair: &Pair<'_>, [x, y, _]: [f64; 3]) -> Option<f64> {
    let own = u16::try_from(pair.world.view.entity).ok()?;
    let others = (1..=u16::from(pair.world.level.max_clients)).filter(|number| *number != own);
    let shown =
        others.filter_map(|number| pair.world.entity(number)).filter(|it| it.is_shown(&pair.world.clock));
    let errors = shown.map(|it| {
        let [ex, ey, _] = it.place.origin.map(Coord::value);
        apart((ey - y).atan2(ex - x).to_degrees(), pair.now.angles[1])
    });
    errors.min_by(f64::total_cmp)
}

/// How far apart two directions are.
fn apart(a: f64, b: f64) -> f64 {
    let turn = (a - b).rem_euclid(360.0);
    turn.min(360.0 - turn)
}
