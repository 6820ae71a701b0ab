//! Quake II: a frame between two others, interpolated as an engine's client does it.
//!
//! The rules are those of id's `CL_AddPacketEntities`, `CL_DeltaEntity` and `CL_CalcViewValues`: positions,
//! angles and the weapon are interpolated; an entity that jumps far or changes its model keeps the state of
//! the first frame.

use crate::machinery::ordered::{Visit, change_others};
use moviola_format::names::{bit, quake2::RENDERFX};
use moviola_format::{Angle8, Angle16, Quarters, Short8, Volume};
use moviola_state::quake2::{Entity, Frame, PlayerState};

/// The bit of `renderfx` by which an entity is a beam, from one place to another.
const BEAM: u32 = bit(RENDERFX, "RF_BEAM") as u32;

/// The events of an entity that jumps to another place.
const TELEPORTS: [u8; 2] = [6, 7];

/// A longer step of an entity, or of a player, is a jump, in units of the level; coordinates are eighths of them.
const JUMP: u32 = 512;
const PLAYER_JUMP: u32 = 256;

/// Moves the entities of a frame towards their places in the frame `to`: `way` is 0 for none of the way and 1 for all
/// of it. Adds no entity and no event. Only the visited entities can differ.
pub(super) fn tween(frame: &mut Frame, to: &Frame, visit: Visit<'_>, way: f64) {
    // Most entities stand still.
    let stands = |entity: &Entity, next: &Entity| entity.event == 0 && stands(entity, next);
    change_others(&mut frame.entities, to, visit, stands, |entity, next| {
        entity.event = 0;
        // The number of an entity that was removed may belong to another entity in the second frame.
        let Some(next) = next.filter(|next| goes_on(entity, next)) else { return };
        entity.origin = places(entity.origin, next.origin, way);
        if is_beam(entity) {
            entity.old_origin = places(entity.old_origin, next.old_origin, way);
        }
        for (one, other) in entity.angles.iter_mut().zip(next.angles) {
            *one = Angle8(one.0.wrapping_add(fraction_of(other.0.wrapping_sub(one.0), way) as i8));
        }
    });
    for (client, state) in &mut frame.players {
        if let Some(next) = to.player(*client) {
            *state = between(state, next, way);
        }
    }
}

/// Whether an entity is as it is in the next frame. Of its old place only a beam is drawn.
fn stands(from: &Entity, to: &Entity) -> bool {
    from.is_alike(to) && (!is_beam(from) || from.old_origin == to.old_origin)
}

/// Whether an entity's old place is its other end.
pub(super) fn is_beam(entity: &Entity) -> bool {
    entity.renderfx & BEAM != 0
}

fn goes_on(from: &Entity, to: &Entity) -> bool {
    from.models == to.models && !TELEPORTS.contains(&to.event) && !jumps(from.origin, to.origin, JUMP)
}

fn jumps([x, y, z]: [Short8; 3], [to_x, to_y, to_z]: [Short8; 3], far: u32) -> bool {
    let is_far = |from: Short8, to: Short8| i32::from(from.0).abs_diff(i32::from(to.0)) > 8 * far;
    is_far(x, to_x) || is_far(y, to_y) || is_far(z, to_z)
}

/// The part `way` of a difference.
fn fraction_of(whole: impl Into<i32>, way: f64) -> i32 {
    // Most values do not change.
    match whole.into() {
        0 => 0,
        whole => nearest(f64::from(whole) * way),
    }
}

/// What `f64::round` gives, which is a call of the C library for each number.
fn nearest(number: f64) -> i32 {
    let whole = number as i32;
    let rest = number - f64::from(whole);
    whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)
}

fn number(from: impl Into<i32>, to: impl Into<i32>, way: f64) -> i32 {
    let from = from.into();
    from + fraction_of(to.into() - from, way)
}

fn places(from: [Short8; 3], to: [Short8; 3], way: f64) -> [Short8; 3] {
    let mut all = from;
    for (one, to) in all.iter_mut().zip(to) {
        one.0 = number(one.0, to.0, way) as i16;
    }
    all
}

fn quarters(from: [Quarters; 3], to: [Quarters; 3], way: f64) -> [Quarters; 3] {
    let mut all = from;
    for (one, to) in all.iter_mut().zip(to) {
        one.0 = number(one.0, to.0, way) as i8;
    }
    all
}

fn between(from: &PlayerState, to: &PlayerState, way: f64) -> PlayerState {
    let mut state = *from;
    if !jumps(from.origin, to.origin, PLAYER_JUMP) {
        state.origin = places(from.origin, to.origin, way);
        state.velocity = places(from.velocity, to.velocity, way);
        state.view_offset = quarters(from.view_offset, to.view_offset, way);
        for (one, other) in state.view_angles.iter_mut().zip(to.view_angles) {
            *one = Angle16(one.0.wrapping_add(fraction_of(other.0.wrapping_sub(one.0), way) as i16));
        }
    }
    state.kick_angles = quarters(from.kick_angles, to.kick_angles, way);
    if from.gun_model == to.gun_model {
        state.gun_offset = quarters(from.gun_offset, to.gun_offset, way);
        state.gun_angles = quarters(from.gun_angles, to.gun_angles, way);
    }
    state.fov = number(from.fov, to.fov, way) as u8;
    for (one, to) in state.blend.iter_mut().zip(to.blend) {
        *one = Volume(number(one.0, to.0, way) as u8);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(x: i16, angle: i8, event: u8) -> Frame {
        let mut frame = Frame::default();
        let mut entity = Entity { number: 7, event, ..Entity::default() };
        (entity.origin, entity.angles) = ([Short8(x); 3], [Angle8(angle); 3]);
        let state = PlayerState { origin: [Short8(x); 3], ..PlayerState::default() };
        (frame.entities, frame.players) = (vec![entity], vec![(None, state)]);
        frame
    }

    /// The frame, moved towards the frame `to`.
    fn on_the_way(mut frame: Frame, to: &Frame) -> Frame {
        tween(&mut frame, to, Visit::all(), 0.5);
        frame
    }

    #[test]
    fn things_are_on_their_way_and_turn_the_short_way() {
        let half = on_the_way(frame(0, 120, 2), &frame(80, -120, 3));
        let [entity] = half.entities[..] else { panic!("one entity") };
        assert_eq!((entity.origin[0], entity.angles[0], entity.event), (Short8(40), Angle8(-128), 0));
        assert_eq!(half.player(None).map(|state| state.origin[2]), Some(Short8(40)));
    }

    #[test]
    fn numbers_are_rounded_away_from_zero() {
        for number in [0.5, -0.5, 1.5, 0.499_999_999_999_999_94, -0.499_999_999_999_999_94, 2.4, -2.6, 0.0] {
            assert_eq!(nearest(number), f64::round(number) as i32, "{number}");
        }
    }

    #[test]
    fn jumps_are_not_interpolated() {
        let jump = on_the_way(frame(0, 0, 0), &frame(8 * 600, 0, 0));
        assert_eq!(jump.entities[0].origin[0], Short8(0));
        assert_eq!(jump.player(None).map(|state| state.origin[0]), Some(Short8(0)));
        let teleport = on_the_way(frame(0, 0, 0), &frame(80, 0, 6));
        assert_eq!(teleport.entities[0].origin[0], Short8(0));
        let gone = on_the_way(frame(0, 0, 0), &Frame::default());
        assert_eq!(gone.entities[0].origin[0], Short8(0));
    }
}
