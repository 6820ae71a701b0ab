//! The view at the moment of a shot: whether it snapped onto another player or a monster, again and again.

use super::super::Coverage;
use super::super::book::{FindingList, PendingEvidence};
use super::super::findings::AuditCode;
use super::super::rules::GameMode;
use super::FramePair;
use moviola_analyse::AuditSeverity;
use moviola_analyse::vocabulary::ModelMeaning;
use moviola_format::Coord;

/// Judges the aim.
#[derive(Debug, Default)]
pub(super) struct Aim {
    /// The number of shots with a target in sight.
    shots: u64,
    snaps: PendingEvidence,
}

/// A turn within one frame that a hand seldom makes, in degrees.
const MIN_TURN: f64 = 30.0;
/// A turning rate that a hand seldom reaches, in degrees per second; in long frames a large turn means
/// little.
const RATE: f64 = 1500.0;
/// The greatest horizontal deviation from the target, in degrees.
const MAX_DEVIATION: f64 = 0.75;
/// The vertical deviation from the target's origin, in units, that is within its body.
const BODY: std::ops::RangeInclusive<f64> = -32.0..=72.0;
/// The number of snaps that are not chance, and the share of all shots that they must have.
const SNAPS: u64 = 12;
const MIN_SHARE: f64 = 0.3;

impl Aim {
    pub(super) fn judge(&mut self, pair: &FramePair<'_>, looked: &mut Coverage) {
        if !(pair.signs.shot && pair.before.in_play() && pair.now.in_play()) {
            return;
        }
        let Some(eyes) = pair.now.origin else { return };
        let Some(miss) = nearest(pair, eyes) else { return };
        looked.shots = looked.shots.saturating_add(1);
        self.shots = self.shots.saturating_add(1);
        let ([pitch, yaw], [pitch_before, yaw_before]) = (pair.now.angles, pair.before.angles);
        let turn = angle_between(yaw, yaw_before).max(angle_between(pitch, pitch_before));
        let AimDeviation { horizontal: beside, vertical: above } = miss;
        if turn >= MIN_TURN.max(RATE * pair.step()) && beside <= MAX_DEVIATION && BODY.contains(&above) {
            let description = format!(
                "a turn of {turn:.0} degrees, {beside:.2} beside the target, {above:.0} units above it"
            );
            self.snaps
                .add(|| pair.proof(description, &[("turn", turn), ("beside", beside), ("above", above)]));
        }
    }

    pub(super) fn finish_level(&mut self, book: &mut FindingList) {
        if self.snaps.count >= SNAPS && self.snaps.count as f64 >= MIN_SHARE * self.shots as f64 {
            self.snaps.enter(book, AuditCode::Snaps, AuditSeverity::Suspicious);
        }
        *self = Self::default();
    }
}

/// The deviation of a view from a target: in degrees horizontally, and in units above the target's origin.
#[derive(Clone, Copy, Debug)]
struct AimDeviation {
    horizontal: f64,
    vertical: f64,
}

/// The deviation of the view from the nearest target: another player, or outside of deathmatch a monster.
fn nearest(pair: &FramePair<'_>, [x, y, z]: [f64; 3]) -> Option<AimDeviation> {
    let view_entity = u16::try_from(pair.world.view.entity).ok()?;
    let players = 1..=u16::from(pair.world.level.max_clients);
    let hunts = pair.rules.play != GameMode::Deathmatch;
    let is_monster = |model: u16| {
        let name = pair.world.level.models.get(usize::from(model));
        matches!(ModelMeaning::of(name), ModelMeaning::Monster(_))
    };
    let targets = pair.world.shown().filter(|(number, entity)| {
        *number != view_entity && (players.contains(number) || hunts && is_monster(entity.look.model))
    });
    let [pitch, yaw] = pair.now.angles;
    let eyes = z + f64::from(pair.now.vitals.view_height);
    let misses = targets.map(|(_, entity)| {
        let [ex, ey, ez] = entity.place.origin.map(Coord::value);
        let (dx, dy) = (ex - x, ey - y);
        // A pitch below the horizon is positive.
        let above = eyes - pitch.to_radians().tan() * dx.hypot(dy) - ez;
        AimDeviation { horizontal: angle_between(dy.atan2(dx).to_degrees(), yaw), vertical: above }
    });
    misses.min_by(|a, b| a.horizontal.total_cmp(&b.horizontal))
}

/// The difference between two angles in degrees.
fn angle_between(a: f64, b: f64) -> f64 {
    let turn = (a - b).rem_euclid(360.0);
    turn.min(360.0 - turn)
}
