//! Judges movements against the physics of the game.
//!
//! The physics are those of id's `sv_phys.c` and `sv_user.c`: 320 units per second on foot, gravity, and the
//! flag for standing on ground, which is updated in each frame but not in noclip.

use super::super::book::{FindingList, PendingEvidence, Proof};
use super::super::findings::AuditCode;
use super::super::pace::{PaceJudge, Span, Step};
use super::super::rules::{GameCode, GameMode, Rules};
use super::tempo::Tempo;
use super::{FramePair, Signs, Tick};
use moviola_analyse::AuditSeverity;
use moviola_analyse::space::distance;

/// Judges movements.
#[derive(Debug, Default)]
pub(super) struct MotionJudge {
    /// The time of the last teleport.
    teleported: Option<f64>,
    /// The time of the last wind sound on the player.
    wind: Option<f64>,
    steep: Span,
    fast: Span,
    pace: PaceJudge,
    floating: Floating,
    hovering: Hovering,
    /// Whether the level has any sounds: if not, those of winds may have been removed.
    sounds: bool,
    starts: Starts,
    jumps: Jumps,
    /// The view angles that the server set last.
    set: Option<[i32; 3]>,
}

/// Starts to full speed within a frame.
#[derive(Debug, Default)]
struct Starts {
    /// The time of the last cause that explains a start: a blow, a jump, or water.
    excused: Option<f64>,
    /// The velocity after the first start: a wind always gives the same one.
    first: Option<[f64; 3]>,
    varied: bool,
    evidence: PendingEvidence,
}

/// The greatest acceleration of a player, on the ground or in the air.
const MAX_ACCELERATION: f64 = 3200.0;
/// The greatest speed that the movement keys give, plus the rounding error.
const MAX_WALKING_SPEED: f64 = 345.0;
/// The seconds during which a blow or water explains a start.
const EXCUSE_SECONDS: f64 = 0.6;
/// This many starts, if two velocities differ by this much, cannot be chance.
const STARTS: u64 = 2;
const DIFFERENT: f64 = 48.0;

impl Starts {
    fn judge(&mut self, pair: &FramePair<'_>, teleported: bool, tempo: &mut Tempo) {
        let (before, now) = (pair.before, pair.now);
        // A blow changes health even if its message was removed. A loss of a single point may be the decay of a
        // megahealth.
        let hurt = before.health.saturating_sub(now.health) > 1 || now.armor < before.armor;
        // A teleport also gives the player a velocity; jumps are judged separately.
        let set_down = movement(pair, BLUR).is_some_and(|way| way.is_leap(MIN_JUMP));
        let wet = before.vitals.in_water || now.vitals.in_water;
        if pair.signs.blow.is_some() || hurt || set_down || wet {
            self.excused = Some(now.time);
        }
        let excused = teleported || self.excused.is_some_and(|when| now.time - when <= EXCUSE_SECONDS);
        let (was, is) = (before.ground_speed(), now.ground_speed());
        let most = MAX_ACCELERATION * 1.1 * pair.step() + BLUR + GRAIN;
        // A landing on a slope turns a fall into horizontal movement, but the total speed does not grow.
        let gained = (is - was).min(now.speed() - before.speed());
        if excused || is > MAX_WALKING_SPEED || gained <= most || pair.step() <= 0.0 {
            return;
        }
        if let Some(gait) = pair.gait.filter(|gait| gait.fits() == Some(false)) {
            return tempo.count_as_edited_clock(pair, gait.share(), 1);
        }
        match self.first {
            None => self.first = Some(now.velocity),
            Some(first) => self.varied |= distance(first, now.velocity) > DIFFERENT,
        }
        let description =
            format!("from {} to {} units a second in {:.3} seconds", was.round(), is.round(), pair.step());
        self.evidence
            .add(|| pair.proof(description, &[("before", was), ("after", is), ("seconds", pair.step())]));
    }

    fn finish_level(&mut self, rules: Rules, book: &mut FindingList) {
        if self.varied
            && self.evidence.count >= STARTS
            && let Some(weight) = rules.weight(AuditSeverity::Strong)
        {
            self.evidence.enter(book, AuditCode::AtOnce, weight);
        }
    }
}

/// A run of frames in the air without gravity.
#[derive(Debug, Default)]
struct Floating {
    span: Span,
    /// The vertical speed at the start, which gravity should have changed, and the heading at the start.
    fall: f64,
    heading: Option<f64>,
    turned: f64,
}

/// The least distance of a jump.
const MIN_JUMP: f64 = 160.0;
/// The rounding error of a speed, of which each component is sent in steps of 16 units.
const BLUR: f64 = 28.0;
/// About half of the rounding error.
const GRAIN: f64 = 12.0;
/// The seconds after a teleport during which it explains a jump.
const ARRIVAL_SECONDS: f64 = 0.3;
/// The seconds for which a wind's sound counts; a wind (`trigger_push`) repeats it every second and a half.
const WIND_SECONDS: f64 = 2.5;
/// The steepest slope on which a player stands (its normal has a z of 0.7).
const SLOPE: f64 = 1.02;
const STEEP_SPEED: f64 = 96.0;
/// The least duration of a steep movement to be reported, and to be certain.
const STEEP_SPAN: f64 = 0.12;
const STEEP_SURE: f64 = 0.25;
/// The movement keys add 3200 units per second in a second while the speed in their direction is below 320,
/// and friction takes four times the speed. Along walls and around curves the two balance at 480 (72 frames
/// per second) to 500 (250).
const GROUND_SPEED: f64 = 520.0;
const GROUND_SPAN: f64 = 1.0;
/// The speeds of flying, which is not faster than walking.
const FLIGHT: std::ops::Range<f64> = 100.0..340.0;
const FLIGHT_SPAN: f64 = 1.0;
/// Without gravity, the vertical speed changes by no more than this, in units per second.
const FALL: f64 = 32.0;
/// A turn that no wind causes, in degrees, since winds blow in one direction.
const MIN_TURN: f64 = 60.0;

impl MotionJudge {
    /// Takes the signs of a block.
    pub(super) fn take_signs(&mut self, signs: &Signs) {
        self.jumps.effects |= signs.effect;
        self.sounds |= signs.sound;
    }

    /// Stops all measurements across frames, since a frame is missing.
    pub(super) fn forget(&mut self) {
        let (starts, jumps) = (std::mem::take(&mut self.starts), std::mem::take(&mut self.jumps));
        let (teleported, wind, set, sounds) = (self.teleported, self.wind, self.set, self.sounds);
        *self = Self { teleported, wind, sounds, starts, jumps, set, ..Self::default() };
    }

    /// Judges the level at its end. `clocked` is true if its clock is the game's own.
    pub(super) fn leave(&mut self, rules: Rules, clocked: bool, book: &mut FindingList) {
        if clocked {
            self.starts.finish_level(rules, book);
        }
        self.jumps.finish_level(book);
        *self = Self::default();
    }

    /// Judges the movement of a frame, and returns whether a wind or a teleport carries the player.
    pub(super) fn judge(&mut self, pair: &FramePair<'_>, tempo: &mut Tempo, book: &mut FindingList) -> bool {
        if pair.signs.teleport {
            self.teleported = Some(pair.now.time);
        }
        if pair.signs.wind {
            self.wind = Some(pair.now.time);
        }
        let set = pair.world.view.set.map(|angles| angles.map(|angle| (angle.value() * 256.0) as i32));
        let turned_by_server = std::mem::replace(&mut self.set, set) != set;
        // In deathmatch game code may add observers, hooks and other movements, but setpos and noclip do not work.
        let weight =
            pair.rules.weight(AuditSeverity::Strong).filter(|_| pair.rules.play != GameMode::Deathmatch);
        let Some(weight) = weight.filter(|_| pair.before.in_play() && pair.now.in_play()) else {
            self.forget();
            return true;
        };
        let excused = self.arrives(pair);
        if !excused {
            let weight = if turned_by_server { weight.min(AuditSeverity::Suspicious) } else { weight };
            self.jumps.judge(pair, weight, book);
        }
        let windy = self.wind.is_some_and(|when| pair.now.time - when <= WIND_SECONDS);
        self.starts.judge(pair, excused || windy, tempo);
        self.steep(pair, weight, book);
        // Modified games have conveyor belts, silent winds, and frictions of their own.
        self.fast(pair, windy || pair.rules.code == GameCode::Modified, book);
        self.float(pair, windy, book);
        self.check_pace(pair, excused, tempo, book);
        if self.sounds && pair.rules.code != GameCode::Modified {
            self.hovering.judge(pair, windy || excused, book);
        }
        windy || excused
    }

    /// Whether the level has sounds. Without any, the sounds of winds are missing too.
    pub(super) fn has_sounds(&self) -> bool {
        self.sounds
    }

    /// The number of sudden starts.
    pub(super) fn sure(&self) -> u64 {
        self.starts.evidence.count
    }

    /// Whether a recent teleport explains the player's position.
    fn arrives(&self, pair: &FramePair<'_>) -> bool {
        self.teleported.is_some_and(|when| pair.now.time - when <= ARRIVAL_SECONDS)
    }

    fn steep(&mut self, pair: &FramePair<'_>, weight: AuditSeverity, book: &mut FindingList) {
        let now = pair.now;
        let [_, _, up] = now.velocity;
        let steep = up.abs() >= STEEP_SPEED && (now.ground_speed() + BLUR) * SLOPE < up.abs();
        let standing = now.vitals.on_ground && pair.before.vitals.on_ground && !now.vitals.in_water;
        // On a lift the player moves without a speed; here the movement and the speed must agree.
        let rises = climb(pair).is_some_and(|way| (way - up * pair.step()).abs() <= BLUR * pair.step() + 2.0);
        let span = self.steep.go_on(steep && standing && rises, pair.before.time, now.time);
        let Some(span) = span.filter(|span| *span >= STEEP_SPAN && self.steep.frames >= 4) else { return };
        if self.steep.is_first() || span >= STEEP_SURE {
            let weight = if span >= STEEP_SURE { weight } else { weight.min(AuditSeverity::Suspicious) };
            let numbers = [("seconds", span), ("up", up), ("along", now.ground_speed())];
            let description = format!(
                "on the ground, {} units a second up, {} along",
                up.round(),
                now.ground_speed().round()
            );
            book.weigh(AuditCode::Noclip, weight, || pair.proof(description, &numbers));
            if span >= STEEP_SURE {
                self.steep = Span::default();
            }
        }
    }

    fn fast(&mut self, pair: &FramePair<'_>, excused: bool, book: &mut FindingList) {
        let (speed, now) = (pair.now.ground_speed(), pair.now);
        let clocked = pair.gait.and_then(|gait| gait.fits()) != Some(false);
        let fast = !excused && clocked && now.vitals.on_ground && speed > GROUND_SPEED;
        if let Some(span) = self.fast.go_on(fast, pair.before.time, now.time)
            && span >= GROUND_SPAN
            && self.fast.is_first()
        {
            let description = format!("{} units a second on the ground for {span:.1} seconds", speed.round());
            book.add(AuditCode::GroundSpeed, || {
                // not from SCHEMA: the name of a number in the evidence
                pair.proof(description, &[("speed", speed), ("seconds", span)])
            });
        }
    }

    /// Reports movements that are longer than the speed explains, frame after frame.
    fn check_pace(&mut self, pair: &FramePair<'_>, excused: bool, tempo: &mut Tempo, book: &mut FindingList) {
        let Some(way) = movement(pair, 2.0) else { return };
        let known = !excused && way.seconds > 0.0 && pair.rules.code != GameCode::Modified;
        if let Some((description, numbers)) =
            self.pace.judge(&way, known && way.is_too_far(), [pair.before.time, pair.now.time])
        {
            // A constant ratio of distance to speed and time shows a rewritten clock.
            if let Some(gait) = pair.gait {
                return tempo.count_as_edited_clock(pair, gait.share(), 3);
            }
            book.add(AuditCode::PlaceAndSpeed, || pair.proof(description, &numbers));
        }
    }

    fn float(&mut self, pair: &FramePair<'_>, excused: bool, book: &mut FindingList) {
        let now = pair.now;
        let [x, y, up] = now.velocity;
        let air = !excused && !now.vitals.on_ground && !now.vitals.in_water && FLIGHT.contains(&now.speed());
        let floats = air && (self.floating.span.frames == 0 || (up - self.floating.fall).abs() <= FALL);
        let Some(span) = self.floating.span.go_on(floats, pair.before.time, now.time) else {
            self.floating = Floating::default();
            return;
        };
        if self.floating.span.frames == 1 {
            self.floating.fall = up;
        }
        if now.ground_speed() >= FLIGHT.start {
            let heading = y.atan2(x).to_degrees();
            let first = *self.floating.heading.get_or_insert(heading);
            let turn = (heading - first).rem_euclid(360.0);
            self.floating.turned = self.floating.turned.max(turn.min(360.0 - turn));
        }
        if span >= FLIGHT_SPAN && self.floating.turned >= MIN_TURN && self.floating.span.is_first() {
            let turned = self.floating.turned;
            let description =
                format!("{span:.1} seconds in the air without falling, turned by {} degrees", turned.round());
            // Modified games also have ladders, hooks and wings.
            let modified = pair.rules.code == GameCode::Modified;
            let weight = if modified { AuditSeverity::Note } else { AuditCode::Weightless.severity() };
            book.weigh(AuditCode::Weightless, weight, || {
                pair.proof(description, &[("seconds", span), ("turned", turned)])
            });
        }
    }
}

/// A run of frames in the air with the same vertical speed.
#[derive(Debug, Default)]
struct Hovering {
    span: Span,
    rise: f64,
    /// The height at its start.
    from: f64,
}

/// The least duration of hovering to be reported, in seconds.
const MIN_HOVERING: f64 = 2.5;
/// Gravity changes the vertical speed of every player within this time, in seconds.
const AIRBORNE: f64 = 0.5;
/// The speed at which the engine no longer accelerates a fall.
const FASTEST_FALL: f64 = -1900.0;
/// The tolerated error of the height difference, as a share of the height difference by speed and time.
const MISS: f64 = 0.25;
/// The greatest distance of an entity on which the player may stand.
const SUPPORT: f64 = 160.0;

impl Hovering {
    fn judge(&mut self, pair: &FramePair<'_>, excused: bool, book: &mut FindingList) {
        let now = pair.now;
        let [_, _, up] = now.velocity;
        let air = |tick: &Tick| !tick.vitals.on_ground && !tick.vitals.in_water;
        let steady = self.span.frames == 0 || (up - self.rise).abs() <= FALL;
        let hangs = !excused && air(now) && air(pair.before) && steady && up > FASTEST_FALL;
        let span = self.span.go_on(hangs, pair.before.time, now.time);
        // Jumps and falls end within this time, so nearby entities are checked only after it.
        let Some(span) = span.filter(|span| *span < AIRBORNE || !supported(pair)) else {
            return *self = Self::default();
        };
        if self.span.frames == 1 {
            self.rise = up;
            self.from = height(pair.before).unwrap_or_default();
        }
        // With a rewritten clock, short falls look long, so height and speed must agree.
        let way = height(now).map_or(0.0, |height| height - self.from);
        let clocked = (way - self.rise * span).abs() <= (FALL + MISS * self.rise.abs()) * span;
        if span >= MIN_HOVERING && clocked && self.span.is_first() {
            // A player who is stuck does not move either.
            let sure = now.speed() > BLUR && pair.rules.code == GameCode::Original;
            let weight = if sure { AuditCode::Hovering.severity() } else { AuditSeverity::Note };
            let description =
                format!("{span:.1} seconds in the air, {} units a second up all the time", up.round());
            let numbers = [("seconds", span), ("up", up), ("along", now.ground_speed())];
            book.weigh(AuditCode::Hovering, weight, || pair.proof(description, &numbers));
        }
    }
}

/// Whether an entity is near enough to stand on: on monsters and boxes, the flag for the ground is not set.
pub(super) fn supported(pair: &FramePair<'_>) -> bool {
    let Some(place) = pair.now.origin else { return true };
    let own = u16::try_from(pair.world.view.entity).unwrap_or_default();
    let others = pair.world.shown().filter(|(number, entity)| *number != own && entity.look.model > 0);
    others
        .map(|(_, entity)| entity.place.origin.map(moviola_format::Coord::value))
        .any(|it| distance(it, place) <= SUPPORT)
}

/// The change of the player's height.
fn climb(pair: &FramePair<'_>) -> Option<f64> {
    Some(height(pair.now)? - height(pair.before)?)
}

fn height(tick: &Tick) -> Option<f64> {
    tick.origin.map(|[_, _, height]| height)
}

/// The jumps, which are judged at the end of the level: if it has no effects at all, those of teleports may
/// have been removed.
#[derive(Debug, Default)]
struct Jumps {
    effects: bool,
    weight: Option<AuditSeverity>,
    evidence: PendingEvidence,
}

impl Jumps {
    fn judge(&mut self, pair: &FramePair<'_>, weight: AuditSeverity, book: &mut FindingList) {
        let Some(way) = movement(pair, BLUR).filter(|way| is_jump(pair, way)) else { return };
        if pair.gap {
            // The missing frame may contain the teleport.
            book.weigh(AuditCode::Splice, AuditSeverity::Suspicious, || leap(pair, &way));
        } else {
            self.weight = self.weight.max(Some(weight));
            self.evidence.add(|| leap(pair, &way));
        }
    }

    fn finish_level(&mut self, book: &mut FindingList) {
        if let Some(weight) = self.weight {
            self.evidence.enter(
                book,
                AuditCode::Jump,
                if self.effects { weight } else { AuditSeverity::Note },
            );
        }
    }
}

/// Whether the distance is greater than speed and time explain, with an unchanged view height.
fn is_jump(pair: &FramePair<'_>, way: &Step) -> bool {
    way.is_leap(MIN_JUMP) && pair.before.vitals.view_height == pair.now.vitals.view_height
}

/// The player's movement; `None` if a position is not known.
fn movement(pair: &FramePair<'_>, grain: f64) -> Option<Step> {
    Some(Step {
        length: distance(pair.before.origin?, pair.now.origin?),
        speeds: [pair.before.speed(), pair.now.speed()],
        seconds: pair.step(),
        blur: BLUR,
        grain,
    })
}

fn leap(pair: &FramePair<'_>, way: &Step) -> Proof {
    let place = |place: Option<[f64; 3]>| {
        let [x, y, z] = place.unwrap_or_default();
        format!("{x:.0} {y:.0} {z:.0}")
    };
    let (was, is) = (place(pair.before.origin), place(pair.now.origin));
    let description = format!("from {was} to {is}: {:.0} units in {:.3} seconds", way.length, way.seconds);
    let speed = way.most() + way.blur;
    // not from SCHEMA: the name of a number in the evidence.
    pair.proof(description, &[("distance", way.length), ("seconds", way.seconds), ("speed", speed)])
}
