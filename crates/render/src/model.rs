//! Triangle models: their pose between two frames, the light at their corners, and their skins.

use crate::level::{DrawnLevel, model_size};
use crate::look::{LookKind, LookOptions};
use crate::soft;
use crate::space::{Placement, Slope, V3, View, add, dot, inverse, scale, spread, sub, to_f64};
use crate::store::{SkinWanted, Store};
use crate::texture::Rgba;
use crate::work::{Blend, Light, Paint, Waves, Work};
use moviola_assets::{AliasModel, ModelKind};
use moviola_format::{Direction, Game};
use moviola_scene::{Model, ModelSkin, Scene, Shade};
use std::sync::Arc;

/// The factor by which the weapon in hand is drawn nearer than it is, so that it never enters a wall.
const WEAPON_NEARER: f64 = 64.0;

/// The light of a model's corners, which `ModelJob::light` computes.
enum Glow {
    Even([f32; 3]),
    /// In the GL look: the brightness, the direction of the light relative to the model, and the most
    /// brightness of a corner.
    Dots([f32; 3], V3, f32),
    /// In the software look: light from everywhere, and light from a direction.
    Rows {
        ambient: f64,
        shade: f64,
        from: V3,
    },
}

/// The inputs of drawing models.
pub(crate) struct ModelJob<'j> {
    pub(crate) store: &'j Store,
    pub(crate) level: Option<&'j Arc<DrawnLevel>>,
    pub(crate) scene: &'j Scene,
    pub(crate) look: &'j LookOptions,
    pub(crate) view: &'j View,
}

impl ModelJob<'_> {
    /// Draws a model; `is_weapon` marks the weapon in hand.
    pub(crate) fn draw(&self, work: &mut Work, it: &Model, is_weapon: bool) {
        let is_quake2 = self.scene.game == Game::Quake2;
        let [pitch, yaw, roll] = to_f64(it.angles);
        // The games turn their models in opposite directions.
        let angles = if is_quake2 { [pitch, yaw, -roll] } else { [-pitch, yaw, roll] };
        let stand = Placement::new(to_f64(it.place), angles);
        let found = self.store.files.model(&it.file);
        let Some(model) = found.filter(|model| !model.poses.is_empty()) else {
            // In place of the weapon in hand, the box would hide the whole view, since the eye is inside of it.
            if !is_weapon {
                self.draw_missing(work, it);
            }
            return;
        };
        let glow = self.light(it, &stand, yaw);
        let Some(points) = self.points(&model, it, &stand, &glow) else { return };
        let (number, file) = match &it.skin {
            ModelSkin::Number(number) => (*number, None),
            ModelSkin::File(file) => (0, Some(&**file)),
        };
        let flat = if let Shade::Flat(color) = it.shade { Some(flat(color)) } else { None };
        let wanted =
            SkinWanted { model: &model, name: &it.file, number, file, time: it.pose.time, colors: it.colors };
        let texture = if flat.is_some() { None } else { self.store.skin(&wanted, self.look, is_quake2) };
        let texture = texture.unwrap_or_else(|| crate::texture::Texture::plain(0x0090_8880));
        let (blend, nearer) = (Blend::of(it.alpha, false), if is_weapon { WEAPON_NEARER } else { 1.0 });
        let size = model_size(self.look, is_quake2);
        let is_software = self.look.kind == LookKind::Software;
        let pixels: Vec<[f64; 2]> = if is_software {
            points.iter().map(|(place, _)| soft::pixel(self.view, *place)).collect()
        } else {
            Vec::new()
        };
        for triangle in &model.triangles {
            let [Some(a), Some(b), Some(c)] = triangle.points.map(|point| points.get(point as usize)) else {
                continue;
            };
            let [Some(ua), Some(ub), Some(uc)] = triangle.coords.map(|at| model.coords.get(at as usize))
            else {
                continue;
            };
            if is_software {
                let pixels =
                    triangle.points.map(|point| pixels.get(point as usize).copied().unwrap_or_default());
                let [width, height] = model.skin_size.map(|side| f64::from(side.max(1)));
                let corners = [(a, ua), (b, ub), (c, uc)].map(|((place, [light, ..]), [s, t])| {
                    // These renderers take the texel under a point without half a texel's offset. The constant is a
                    // little below one half, so that rounding does not choose the neighbor.
                    let (s, t) = (f64::from(*s) - 0.48 / width, f64::from(*t) - 0.48 / height);
                    (*place, [s, t, f64::from(*light)])
                });
                soft::triangle(work, self.view, (corners, pixels), (it.mirrored, nearer), |[s, t, shade]| {
                    if let Some(color) = flat {
                        return Paint::Flat { color, blend };
                    }
                    let light = match glow {
                        Glow::Even(light) => Light::Even(light),
                        _ => Light::Corners([shade; 3]),
                    };
                    let texture = Arc::clone(&texture);
                    Paint::Texture { texture, s, t, light, blend, waves: Waves::None, size, flat: true }
                });
                continue;
            }
            let corners = [a.0, b.0, c.0];
            let Some(turned) = inverse(corners) else { continue };
            // Triangles whose corners run clockwise face the eye; in a mirrored model the direction is reversed.
            let [first, ..] = corners;
            if (dot(crate::space::cross(sub(b.0, first), sub(c.0, first)), first) > 0.0) != it.mirrored {
                continue;
            }
            work.add(self.view, corners, |_, _| {
                let slope = |values: [f64; 3]| self.view.slope(spread(&turned, values)).times(nearer);
                let depth: Slope = slope([1.0; 3]);
                if let Some(color) = flat {
                    return Some((depth, Paint::Flat { color, blend }));
                }
                let part = |at: usize| {
                    slope([ua, ub, uc].map(|it| f64::from(it.get(at).copied().unwrap_or_default())))
                };
                let channel = |at: usize| {
                    slope([a, b, c].map(|it| f64::from(it.1.get(at).copied().unwrap_or_default())))
                };
                let light = match glow {
                    Glow::Even(light) => Light::Even(light),
                    _ => Light::Corners([0, 1, 2].map(channel)),
                };
                let (texture, s, t) = (Arc::clone(&texture), part(0), part(1));
                Some((
                    depth,
                    Paint::Texture { texture, s, t, light, blend, waves: Waves::None, size, flat: false },
                ))
            });
        }
    }

    /// The points of a pose relative to the eye, and their light.
    fn points(
        &self,
        model: &AliasModel,
        shown: &Model,
        stand: &Placement,
        glow: &Glow,
    ) -> Option<Vec<(V3, [f32; 3])>> {
        let pose = model.poses.get(model.pose_at(shown.pose.frame as usize, shown.pose.time)?)?;
        let before = model.poses.get(model.pose_at(shown.pose.before as usize, shown.pose.time)?)?;
        let blend = f64::from(shown.pose.blend).clamp(0.0, 1.0);
        let size = f64::from(shown.scale);
        let points = pose.points.iter().zip(&before.points).enumerate().map(|(index, (now, old))| {
            let [to, from] = [pose, before].map(|pose| to_f64(pose.place(index).unwrap_or_default()));
            let mut place = add(from, scale(sub(to, from), blend));
            let [normal, old] = [now, old].map(|[.., normal]| direction(*normal));
            if shown.swell != 0.0 {
                place = add(place, scale(normal, f64::from(shown.swell)));
            }
            let [x, y, z] = scale(place, size);
            let y = if shown.mirrored { -y } else { y };
            let [forward, left, up] = stand.axes;
            let at = add(add(scale(forward, x), scale(left, y)), add(scale(up, z), stand.place));
            // Quake II uses the normals of the new pose only.
            let old = if model.kind == ModelKind::Md2 { normal } else { old };
            (self.view.seen(at), glow.color_at(normal, old, blend))
        });
        Some(points.collect())
    }

    /// The light on a model, in 0 to 255: of the level below it, and of the lights nearby.
    fn light(&self, it: &Model, stand: &Placement, yaw: f64) -> Glow {
        let Shade::Level { least, glow } = it.shade else {
            return match crate::level::even(self.look, false) {
                Light::Even(light) => Glow::Even(light),
                _ => Glow::Even([256.0; 3]),
            };
        };
        let is_quake2 = self.scene.game == Game::Quake2;
        let styles = self.scene.level.as_ref().map(|level| level.styles.as_slice()).unwrap_or_default();
        let style = |style: u8| styles.get(usize::from(style)).copied().unwrap_or(1.0);
        let software = self.look.kind == LookKind::Software;
        let color = self.look.color_light && !software;
        let below = self.level.map(|level| {
            if level.bsp.lighting.is_empty() {
                return [255.0; 3];
            }
            level.bsp.light_below(it.lit_at, color, &style).unwrap_or_default()
        });
        let fixed = below.unwrap_or([255.0; 3]);
        let mut nearby = [0.0f32; 3];
        for light in &self.scene.lights {
            let way = sub(to_f64(light.place), to_f64(it.lit_at));
            let arrives = light.radius - dot(way, way).sqrt() as f32;
            if arrives > 0.0 {
                for (sum, part) in nearby.iter_mut().zip(light.color) {
                    *sum += arrives * part;
                }
            }
        }
        if software {
            let [red, green, blue] = fixed;
            let value = if is_quake2 { (red + green + blue) / 3.0 } else { red };
            let value = value.max(least * 255.0);
            let added = nearby.iter().copied().fold(0.0, f32::max);
            let ambient = f64::from(value + added).clamp(5.0, 128.0);
            let shade = f64::from(value).min(192.0 - ambient).max(0.0);
            return Glow::Rows { ambient, shade, from: stand.turned_in([0.0, 0.0, -1.0]) };
        }
        let mut light = fixed;
        for (sum, part) in light.iter_mut().zip(nearby) {
            *sum = (*sum + part).max(0.0);
        }
        let sum = light.iter().sum::<f32>();
        if is_quake2 {
            if light.iter().all(|part| *part <= least * 255.0) {
                light = [least * 255.0; 3];
            }
            if let Some(added) = glow {
                light = light.map(|part| (part + added * 255.0).max(part * 0.8));
            }
            light = light.map(|part| part * 256.0 / 255.0);
        } else {
            // QuakeSpasm limits the sum of the three channels from below and above.
            const MAX_SUM: f32 = 288.0;
            let missing = (least * 255.0 * 3.0 - sum).max(0.0) / 3.0;
            light = light.map(|part| part + missing);
            let sum = light.iter().sum::<f32>();
            let factor = if sum > MAX_SUM { MAX_SUM / sum } else { 1.0 };
            light = light.map(|part| part * factor * 2.0 * 256.0 / 200.0);
        }
        // The light falls from one of 16 directions around the model.
        let index = (yaw * 16.0 / 360.0) as i64 & 15;
        let (sin, cos) = libm::sincos(index as f64 * std::f64::consts::TAU / 16.0);
        // Quake II limits a corner to the texture's own brightness. QuakeSpasm doubles the result, so its
        // limit is twice as high.
        let most = if is_quake2 { 256.0 } else { 512.0 };
        Glow::Dots(light, scale([cos, -sin, 1.0], std::f64::consts::FRAC_1_SQRT_2), most)
    }

    /// Draws a box in place of a missing model.
    fn draw_missing(&self, work: &mut Work, it: &Model) {
        let place = to_f64(it.place);
        let [low, high] = stand_in(&it.file).map(|end| add(place, scale(end, f64::from(it.scale))));
        for (corners, shade) in SIDES {
            let [a, b, c, d] = corners.map(|corner| {
                let [x, y, z] = [0, 1, 2].map(|axis| {
                    let end = if corner >> axis & 1 == 0 { low } else { high };
                    end.get(axis).copied().unwrap_or_default()
                });
                self.view.seen([x, y, z])
            });
            for corners in [[a, b, c], [b, d, c]] {
                let Some(turned) = inverse(corners) else { continue };
                work.add(self.view, corners, |_, _| {
                    let depth = self.view.slope(spread(&turned, [1.0; 3]));
                    let blend = Blend::of(it.alpha, false);
                    Some((depth, Paint::Flat { color: flat([shade, shade * 0.9, shade * 0.7]), blend }))
                });
            }
        }
    }
}

impl Glow {
    fn color_at(&self, normal: V3, old: V3, blend: f64) -> [f32; 3] {
        match self {
            Self::Even(light) => *light,
            Self::Dots(light, from, most) => {
                let one = |normal: V3| {
                    let cosine = dot(normal, *from);
                    1.0 + if cosine > 0.0 { cosine } else { cosine * 13.0 / 44.0 }
                };
                let dots = (one(old) * (1.0 - blend) + one(normal) * blend) as f32;
                light.map(|part| (part * dots).min(*most))
            }
            Self::Rows { ambient, shade, from } => {
                let one = |normal: V3| {
                    let cosine = dot(normal, *from);
                    (255.0 - ambient) * 64.0 + if cosine < 0.0 { shade * 64.0 * cosine } else { 0.0 }
                };
                [(one(old) * (1.0 - blend) + one(normal) * blend).clamp(0.0, 16383.0) as f32; 3]
            }
        }
    }
}

/// One of the 162 directions of normals; higher numbers point up.
fn direction(number: u8) -> V3 {
    Direction(number).vector().map_or([0.0, 0.0, 1.0], to_f64)
}

/// The sides of a box and their brightness. The bits of a corner's number select the higher x, y and z.
const SIDES: [([u8; 4], f32); 6] = [
    ([0, 1, 2, 3], 0.3),
    ([4, 5, 6, 7], 0.6),
    ([0, 1, 4, 5], 0.4),
    ([2, 3, 6, 7], 0.45),
    ([0, 2, 4, 6], 0.5),
    ([1, 3, 5, 7], 0.55),
];

/// The boxes in place of missing models: the lowest and the highest corner.
const PERSON: [V3; 2] = [[-16.0, -16.0, -24.0], [16.0, 16.0, 32.0]];
const BEAST: [V3; 2] = [[-32.0, -32.0, -24.0], [32.0, 32.0, 64.0]];
const DOG: [V3; 2] = [[-32.0, -32.0, -24.0], [32.0, 32.0, 40.0]];
const FISH: [V3; 2] = [[-16.0, -16.0, -24.0], [16.0, 16.0, 24.0]];
const SMALL: [V3; 2] = [[-8.0; 3], [8.0; 3]];

/// Models of unusual size: the start and the end of their names, and the box with which the game's code moves them.
/// Quake II gives each monster another size, so a person's size is used for all.
const STAND_INS: [(&str, &str, [V3; 2]); 17] = [
    ("players/", "/tris.md2", PERSON),
    ("models/monsters/", "/tris.md2", PERSON),
    ("progs/player", ".mdl", PERSON),
    ("progs/soldier", ".mdl", PERSON),
    ("progs/enforcer", ".mdl", PERSON),
    ("progs/knight", ".mdl", PERSON),
    ("progs/hknight", ".mdl", PERSON),
    ("progs/wizard", ".mdl", PERSON),
    ("progs/zombie", ".mdl", PERSON),
    ("progs/tarbaby", ".mdl", PERSON),
    ("progs/eyes", ".mdl", PERSON),
    ("progs/ogre", ".mdl", BEAST),
    ("progs/demon", ".mdl", BEAST),
    ("progs/shambler", ".mdl", BEAST),
    ("progs/shalrath", ".mdl", BEAST),
    ("progs/dog", ".mdl", DOG),
    ("progs/fish", ".mdl", FISH),
];

/// The box in place of a missing model.
fn stand_in(file: &str) -> [V3; 2] {
    let row = STAND_INS.iter().find(|(start, end, _)| file.starts_with(start) && file.ends_with(end));
    row.map_or(SMALL, |(.., ends)| *ends)
}

/// Converts a color with parts of 0 to 1.
pub(crate) fn flat(color: [f32; 3]) -> Rgba {
    let [red, green, blue] = color.map(|part| (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
    u32::from_le_bytes([red, green, blue, 0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Renderer;
    use moviola_scene::Eye;

    /// The number of bright pixels in a picture with this missing model 200 units before the eye, or in hand.
    fn bright(file: &str, in_hand: bool) -> usize {
        let place = if in_hand { [0.0; 3] } else { [200.0, 0.0, 0.0] };
        let model = Model { file: file.into(), place, ..Model::default() };
        let camera = Eye { fov: [90.0; 2], ..Eye::default() };
        let mut scene = Scene { camera, ..Scene::default() };
        if in_hand {
            scene.weapon = Some(model);
        } else {
            scene.models.push(model);
        }
        let look = LookOptions { size: [100, 100], ..LookOptions::default() };
        let frame = Renderer::new(Arc::default()).render(&scene, &look);
        frame.rgba.chunks_exact(4).filter(|pixel| pixel.first().is_some_and(|red| *red > 40)).count()
    }

    #[test]
    fn a_missing_weapon_hides_nothing() {
        assert_eq!(bright("progs/v_shot.mdl", true), 0);
    }

    #[test]
    fn a_missing_model_is_a_box_of_its_size() {
        // At a distance of 200, 50 pixels are 200 units, and the near side is 16 units nearer.
        let [small, person] = ["progs/armor.mdl", "progs/player.mdl"].map(|file| bright(file, false));
        assert!((12..=30).contains(&small), "{small}");
        assert!((110..=160).contains(&person), "{person}");
    }
}
