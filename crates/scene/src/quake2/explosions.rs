//! Explosions of Quake II: models whose frames are counted from their start, with a light that fades.

use crate::dice::Dice;
use crate::library::ends;
use crate::{DynamicLight, Model, ModelSkin, Pose, Scene, Shade, Sprite, Vec3};

/// How an explosion fades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fade {
    /// It fades evenly.
    Even,
    /// It does not fade.
    None,
    /// Over sixteen frames, through the skins of fire and smoke.
    Poly,
}

/// An explosion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boom {
    file: &'static str,
    frames: u32,
    /// Its first frame; `alternate_base` replaces it in half of the cases, at random.
    base: u32,
    alternate_base: u32,
    fade: Fade,
    skin: u32,
    bright: bool,
    /// The light's radius and color.
    light: (f32, [f32; 3]),
    /// Whether it is turned along the direction of the hit.
    aimed: bool,
}

const DARK: (f32, [f32; 3]) = (0.0, [0.0; 3]);

const HIT_OF: Boom = Boom {
    file: "models/objects/explode/tris.md2",
    frames: 4,
    base: 0,
    alternate_base: 0,
    fade: Fade::Even,
    skin: 0,
    bright: true,
    light: (150.0, [1.0, 1.0, 0.0]),
    aimed: true,
};
pub(super) const HIT: Boom = HIT_OF;
pub(super) const HIT2: Boom = Boom { skin: 1, light: (150.0, [0.0, 1.0, 0.0]), ..HIT_OF };
pub(super) const HIT3: Boom = Boom { skin: 2, light: (150.0, [0.19, 0.41, 0.75]), ..HIT_OF };

const FIRE_OF: Boom = Boom {
    file: "models/objects/r_explode/tris.md2",
    frames: 15,
    base: 0,
    alternate_base: 15,
    fade: Fade::Poly,
    light: (350.0, [1.0, 0.5, 0.5]),
    aimed: false,
    ..HIT_OF
};
pub(super) const SHORT: Boom = FIRE_OF;
pub(super) const LONG: Boom = Boom { frames: 19, base: 30, alternate_base: 30, ..FIRE_OF };
pub(super) const BIG: Boom = Boom { file: "models/objects/r_explode2/tris.md2", ..FIRE_OF };
pub(super) const BFG: Boom = Boom {
    file: "sprites/s_bfg2.sp2",
    frames: 4,
    base: 0,
    alternate_base: 0,
    light: (350.0, [0.0, 1.0, 0.0]),
    ..FIRE_OF
};
pub(super) const SMOKE: Boom =
    Boom { file: "models/objects/smoke/tris.md2", bright: false, light: DARK, aimed: false, ..HIT_OF };
pub(super) const FLASH: Boom = Boom {
    file: "models/objects/flash/tris.md2",
    frames: 2,
    fade: Fade::None,
    light: DARK,
    aimed: false,
    ..HIT_OF
};

impl Boom {
    /// Adds the explosion at this age in frames; the model is blended between two frames by the fraction.
    pub(super) fn show(
        &self,
        origin: Vec3,
        direction: Vec3,
        (frac, blend): (f32, f32),
        dice: &mut Dice,
        scene: &mut Scene,
    ) {
        let (second, yaw) = (dice.below(2) == 1, dice.whole_number(360));
        let frame = libm::floorf(frac);
        let last = self.frames.saturating_sub(1);
        if frac < 0.0 || frame >= last as f32 {
            return;
        }
        let frame = frame as u32;
        let (alpha, skin) = match self.fade {
            Fade::Even => (1.0 - frac / last.max(1) as f32, self.skin),
            Fade::None => (1.0, self.skin),
            Fade::Poly => {
                let skin = if frame < 10 {
                    frame >> 1
                } else if frame < 13 {
                    5
                } else {
                    6
                };
                ((16.0 - frame as f32) / 16.0, skin)
            }
        };
        // Fire is opaque until it becomes smoke.
        let drawn = if self.fade == Fade::Poly && frame < 10 { 1.0 } else { alpha };
        let (radius, color) = self.light;
        if radius > 0.0 {
            scene.lights.push(DynamicLight { place: origin, radius: radius * alpha, least: 0.0, color });
        }
        let base = if second { self.alternate_base } else { self.base };
        if ends(self.file, ".sp2") {
            scene.sprites.push(Sprite {
                file: self.file.into(),
                frame: base + frame + 1,
                place: origin,
                alpha,
                ..Sprite::default()
            });
            return;
        }
        let angles = if self.aimed {
            let pitch = libm::acosf(direction[2].clamp(-1.0, 1.0)).to_degrees();
            [pitch, libm::atan2f(direction[1], direction[0]).to_degrees(), 0.0]
        } else {
            // Only fire is turned at random; smoke and flashes keep the angles of their files.
            [0.0, if self.fade == Fade::Poly { yaw } else { 0.0 }, 0.0]
        };
        scene.models.push(Model {
            file: self.file.into(),
            pose: Pose {
                frame: base + frame + 1,
                before: base + frame,
                blend,
                time: f64::from(frac) * super::FRAME,
            },
            skin: ModelSkin::Number(skin),
            alpha: drawn,
            place: origin,
            angles,
            shade: if self.bright { Shade::Full } else { Shade::default() },
            lit_at: origin,
            ..Model::default()
        });
    }
}
