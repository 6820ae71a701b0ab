//! The camera of Quake II and the weapon in hand, whose motion the server sends completely.

use super::Maker;
use crate::chase::camera_behind;
use crate::options::fields;
use crate::vector::{add, axes, bounded, lerp, lerp_angles, sub};
use crate::{Eye, Hud, Listener, Model, Pose, Rect, Scene, Shade, Tint, Vec3};
use moviola_format::names::bit;
use moviola_format::names::quake2::RDFLAGS;
use moviola_format::{Angle16, Quarters};
use moviola_state::quake2::PlayerState;

/// Places are sent in eighths of a unit; this offset puts the eye in the middle of an eighth.
const OFF_THE_GRID: f32 = 1.0 / 16.0;

/// A view that moves farther than this in one frame jumps there.
const JUMP: f32 = 256.0;

/// The height of a player's eyes above his middle.
const EYES: f32 = 22.0;

fn quarters(parts: [Quarters; 3]) -> Vec3 {
    parts.map(|part| part.value() as f32)
}

fn to_degrees(parts: [Angle16; 3]) -> Vec3 {
    parts.map(|part| part.value() as f32)
}

fn eye(state: &PlayerState) -> Vec3 {
    add(super::point(state.origin), quarters(state.view_offset))
}

impl Maker<'_> {
    /// The player's state in the last frame, if the view is interpolated from there.
    fn from(&self) -> Option<&PlayerState> {
        let (old, new) = (self.last_player.as_ref()?, self.player.as_ref()?);
        let way = sub(super::point(old.origin), super::point(new.origin));
        let even = self.options.interpolate && !self.is_cut && !way.iter().any(|part| part.abs() > JUMP);
        even.then_some(old)
    }

    fn blend(&self, of: impl Fn(&PlayerState) -> Vec3) -> Vec3 {
        let new = self.player.as_ref().map(&of).unwrap_or_default();
        self.from().map_or(new, |old| lerp(of(old), new, self.part))
    }

    fn blend_angles(&self, of: impl Fn(&PlayerState) -> Vec3) -> Vec3 {
        let new = self.player.as_ref().map(&of).unwrap_or_default();
        self.from().map_or(new, |old| lerp_angles(of(old), new, self.part))
    }

    /// The player's eye and its angles.
    fn eyes(&self) -> (Vec3, Vec3) {
        let place = add(self.blend(eye), [OFF_THE_GRID; 3]);
        let angles = self.blend_angles(|it| to_degrees(it.view_angles));
        (place, add(angles, self.blend_angles(|it| quarters(it.kick_angles))))
    }

    /// The eyes of another player, at his last known place and with the angles of his body, which leans as in
    /// Quake.
    fn other_eyes(&self) -> Option<(Vec3, Vec3)> {
        let number = self.options.who?;
        let seen = self.window.back_from(self.place).find_map(|beat| beat.seen.entity(number))?;
        let at = self.between(seen);
        let [pitch, yaw, _] = at.angles;
        let pitch = if pitch > 180.0 { pitch - 360.0 } else { pitch };
        Some((add(at.place, [0.0, 0.0, EYES]), [pitch * 3.0, yaw, 0.0]))
    }

    pub(super) fn look(&self, scene: &mut Scene) {
        let screen = self.options.screen.map(|it| it.clamp(8, 16_384));
        scene.overlay.screen = screen;
        scene.view = Rect::new(0, 0, screen[0], screen[1]);
        let (eye, angles) = self.other_eyes().unwrap_or_else(|| self.eyes());
        let (eye, angles) = if self.options.chase {
            camera_behind(self.files, &self.level, eye, angles)
        } else {
            (eye, angles)
        };
        let eye = bounded(self.options.eye.unwrap_or(eye));
        let angles = bounded(self.options.angles.unwrap_or(angles));
        let fov = self.player.as_ref().map_or(90.0, |it| f32::from(it.fov));
        let fov = self.from().map_or(fov, |old| f32::from(old.fov) + (fov - f32::from(old.fov)) * self.part);
        let fov = self.options.fov.unwrap_or(if fov < 1.0 { 90.0 } else { fov });
        scene.camera = Eye { eye, angles, fov: fields(fov, scene.view.size, screen) };
        let listener = Listener {
            entity: self.beat.seen.recorder_entity.unwrap_or(0),
            place: eye,
            right: axes(angles)[1],
        };
        scene.listener = listener;
        let Some(player) = &self.player else { return };
        scene.underwater = player.rdflags & UNDERWATER != 0;
        let [red, green, blue, alpha] = player.blend.map(|part| part.value() as f32);
        if self.options.tints && self.options.is_own() && alpha > 0.0 {
            scene.tints.push(Tint { color: [red, green, blue], alpha });
        }
    }

    pub(super) fn hold_weapon(&self, scene: &mut Scene) {
        let Some(player) = &self.player else { return };
        let wanted = self.options.weapon && self.options.is_in_own_head() && player.gun_model != 0;
        let file = self.file(player.gun_model);
        if !wanted || file.is_empty() {
            return;
        }
        let (eye, angles) = self.eyes();
        let eye = self.options.eye.unwrap_or(eye);
        let angles = self.options.angles.unwrap_or(angles);
        // Engines place the weapon before they offset the eye.
        let held_at = sub(eye, [OFF_THE_GRID; 3]);
        let place = add(held_at, self.blend(|it| quarters(it.gun_offset)));
        let frame = u32::from(player.gun_frame);
        let mut pose = Pose::still(frame, self.clock);
        if let Some(old) = self.from().filter(|old| frame != 0 && old.gun_model == player.gun_model) {
            (pose.before, pose.blend) = (u32::from(old.gun_frame), self.part);
        }
        scene.weapon = Some(Model {
            file,
            pose,
            place: bounded(place),
            angles: bounded(add(angles, self.blend_angles(|it| quarters(it.gun_angles)))),
            shade: Shade::Level { least: 0.1, glow: None },
            lit_at: eye,
            ..Model::default()
        });
    }

    /// Whether an overlay is shown.
    pub(super) fn has_hud(&self) -> bool {
        self.options.hud != Hud::Off && self.options.is_own()
    }
}

/// The bit of `rdflags` for a view from under water.
const UNDERWATER: u8 = bit(RDFLAGS, "RDF_UNDERWATER") as u8;
