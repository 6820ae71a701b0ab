//! The camera of Quake II and the weapon in hand: the server sends all of their motion.

use super::Maker;
use crate::options::fields;
use crate::vector::{add, axes, lerp, lerp_angles, sub, tame};
use crate::{Eye, Hud, Listener, Model, Pose, Rect, Scene, Shade, Tint, Vec3};
use moviola_format::{Angle16, Quarters};
use moviola_state::quake2::PlayerState;

/// The protocol counts in eighths; the eye is in the middle of one.
const OFF_THE_GRID: f32 = 1.0 / 16.0;

/// A view that moves farther in one frame was moved there at once.
const JUMP: f32 = 256.0;

fn quarters(parts: [Quarters; 3]) -> Vec3 {
    parts.map(|part| part.value() as f32)
}

fn turned(parts: [Angle16; 3]) -> Vec3 {
    parts.map(|part| part.value() as f32)
}

fn eye(state: &PlayerState) -> Vec3 {
    add(super::point(state.origin), quarters(state.view_offset))
}

impl Maker<'_> {
    /// The state of the frame before, where the view goes evenly from there.
    fn from(&self) -> Option<&PlayerState> {
        let (old, new) = (self.old.as_ref()?, self.player.as_ref()?);
        let way = sub(super::point(old.origin), super::point(new.origin));
        let even = self.options.interpolate && !way.iter().any(|part| part.abs() > JUMP);
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

    /// Where the eye is and looks, before the camera's own settings.
    fn eyes(&self) -> (Vec3, Vec3) {
        let place = add(self.blend(eye), [OFF_THE_GRID; 3]);
        let angles = self.blend_angles(|it| turned(it.view_angles));
        (place, add(angles, self.blend_angles(|it| quarters(it.kick_angles))))
    }

    pub(super) fn look(&self, scene: &mut Scene) {
        let screen = self.options.screen.map(|it| it.clamp(8, 16_384));
        scene.overlay.screen = screen;
        scene.view = Rect::new(0, 0, screen[0], screen[1]);
        let (eye, angles) = self.eyes();
        let eye = tame(self.options.eye.unwrap_or(eye));
        let angles = tame(self.options.angles.unwrap_or(angles));
        let fov = self.player.as_ref().map_or(90.0, |it| f32::from(it.fov));
        let fov = self.from().map_or(fov, |old| f32::from(old.fov) + (fov - f32::from(old.fov)) * self.part);
        let fov = self.options.fov.unwrap_or(if fov < 1.0 { 90.0 } else { fov });
        scene.camera = Eye { eye, angles, fov: fields(fov, scene.view.size, screen) };
        let listener =
            Listener { entity: self.beat.seen.own.unwrap_or(0), place: eye, right: axes(angles)[1] };
        scene.listener = listener;
        let Some(player) = &self.player else { return };
        scene.underwater = player.rdflags & UNDERWATER != 0;
        let [red, green, blue, alpha] = player.blend.map(|part| part.value() as f32);
        if self.options.tints && !self.options.free && alpha > 0.0 {
            scene.tints.push(Tint { color: [red, green, blue], alpha });
        }
    }

    pub(super) fn hold_weapon(&self, scene: &mut Scene) {
        let Some(player) = &self.player else { return };
        let wanted = self.options.weapon && !self.options.free && player.gun_model != 0;
        let file = self.file(player.gun_model);
        if !wanted || file.is_empty() {
            return;
        }
        let (eye, angles) = self.eyes();
        let eye = self.options.eye.unwrap_or(eye);
        let angles = self.options.angles.unwrap_or(angles);
        let place = add(eye, self.blend(|it| quarters(it.gun_offset)));
        let frame = u32::from(player.gun_frame);
        let mut pose = Pose::still(frame, self.clock);
        if let Some(old) = self.from().filter(|old| frame != 0 && old.gun_model == player.gun_model) {
            (pose.before, pose.blend) = (u32::from(old.gun_frame), self.part);
        }
        scene.weapon = Some(Model {
            file,
            pose,
            place: tame(place),
            angles: tame(add(angles, self.blend_angles(|it| quarters(it.gun_angles)))),
            shade: Shade::Level { least: 0.1, glow: None },
            lit_at: eye,
            ..Model::default()
        });
    }

    /// Whether anything is written over the picture.
    pub(super) fn has_hud(&self) -> bool {
        self.options.hud != Hud::Off && !self.options.free
    }
}

/// The bit of a view from under water.
const UNDERWATER: u8 = 1;
