//! Levels: their visible faces, with their textures and their light at a moment.
// not from SCHEMA, all words: they are names of textures.

use crate::band::mix;
use crate::lightmap::{AddNearby, KnownLight, LightSamples, shade};
use crate::space::{Placement, V3, View, add, dot, scale, to_f64};
use crate::store::{Store, TextureSet};
use crate::texture::Rgba;
use crate::work::{Blend, Light, MOST_LIGHTS, Paint, Waves, Work};
use crate::{LookKind, LookOptions};
use moviola_assets::surface::{FLOWING, NODRAW, SKY, TRANS33, TRANS66, WARP};
use moviola_assets::{Bsp, TexInfo};
use moviola_scene::{Brush, DynamicLight, Scene};
use std::sync::Arc;

/// A level prepared for drawing: its file, and data that are computed once.
#[derive(Debug)]
pub(crate) struct DrawnLevel {
    pub(crate) bsp: Arc<Bsp>,
    /// The corners, plane and kind of surface of each face.
    faces: Vec<DrawnFace>,
    /// The node above each leaf and above each node.
    above_leafs: Vec<Option<usize>>,
    above_nodes: Vec<Option<usize>>,
    pub(crate) textures: TextureSet,
}

#[derive(Debug)]
struct DrawnFace {
    corners: Vec<V3>,
    normal: V3,
    distance: f64,
    surface: Surface,
    texinfo: usize,
    /// The first texel and the size of its lightmap, if it has one.
    light: Option<([i32; 2], [usize; 2])>,
    known: KnownLight,
}

/// The surface of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surface {
    Wall,
    Sky,
    /// A liquid, with the index of its opacity among Quake's four.
    Liquid(usize),
    /// Quake II's see-through surfaces, with their opacity in 256ths.
    Glass(u32),
    Hidden,
}

/// The opacity of Quake II's two kinds of glass, in 256ths.
const PART33: u32 = 84;
const PART66: u32 = 169;

/// The faces that are drawn after everything solid.
pub(crate) type LaterFaces = Vec<LaterFace>;

/// A see-through face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaterFace {
    face: usize,
    blend: Blend,
}

impl DrawnLevel {
    pub(crate) fn new(bsp: Arc<Bsp>, textures: TextureSet) -> Self {
        let faces = (0..bsp.faces.len()).map(|face| DrawnFace::new(&bsp, face)).collect();
        let mut above_leafs = vec![None; bsp.leafs.len()];
        let mut above_nodes = vec![None; bsp.nodes.len()];
        for (index, node) in bsp.nodes.iter().enumerate() {
            for child in node.children {
                let slot = match usize::try_from(child) {
                    Ok(node) => above_nodes.get_mut(node),
                    Err(_) => above_leafs.get_mut((-1i64 - i64::from(child)) as usize),
                };
                if let Some(slot) = slot {
                    *slot = Some(index);
                }
            }
        }
        Self { bsp, faces, above_leafs, above_nodes, textures }
    }

    /// Marks the faces and nodes that are seen from a place.
    fn seen(&self, eye: V3, areas: Option<&[u8]>) -> (Vec<bool>, Vec<bool>) {
        let bsp = &self.bsp;
        let mut places = vec![eye];
        if bsp.kind.is_quake2() {
            // At the surface of water the game draws the areas that are visible from either side.
            let contents =
                bsp.leaf_at(eye).and_then(|leaf| bsp.leafs.get(leaf)).map_or(0, |leaf| leaf.contents);
            let [x, y, z] = eye;
            places.push([x, y, if contents == 0 { z - 16.0 } else { z + 16.0 }]);
        }
        let clusters = bsp.cluster_at(eye).and_then(|_| bsp.visible(&places));
        let is_open = |area: i32| {
            let Some(areas) = areas else { return true };
            let Ok(area) = usize::try_from(area) else { return true };
            areas.get(area / 8).is_none_or(|bits| bits & 1 << (area % 8) != 0)
        };
        let mut faces = vec![false; self.faces.len()];
        let mut nodes = vec![false; self.above_nodes.len()];
        for (leaf, above) in bsp.leafs.iter().zip(&self.above_leafs) {
            let is_seen = match (&clusters, leaf.cluster()) {
                (None, _) => true,
                (Some(seen), Some(cluster)) => seen.get(cluster) == Some(&true),
                (Some(_), None) => false,
            };
            if !is_seen || !is_open(leaf.area) {
                continue;
            }
            let first = leaf.first_face as usize;
            let list = bsp.leaf_faces.get(first..first.saturating_add(leaf.faces as usize));
            for face in list.unwrap_or_default() {
                if let Some(face) = faces.get_mut(*face as usize) {
                    *face = true;
                }
            }
            let mut node = *above;
            while let Some(index) = node {
                let Some(marked) = nodes.get_mut(index).filter(|marked| !**marked) else { break };
                *marked = true;
                node = self.above_nodes.get(index).copied().flatten();
            }
        }
        (faces, nodes)
    }

    /// The visible faces of the level itself, from near to far.
    pub(crate) fn ordered(&self, view: &View, areas: Option<&[u8]>) -> Vec<usize> {
        let (faces, mut nodes) = self.seen(view.eye, areas);
        let planes = view.planes();
        let mut order = Vec::new();
        let Some(root) = self.bsp.models.first().map(|model| model.node) else { return order };
        // Each node is visited twice, before and after its near side; a damaged tree may lead to a node twice.
        let mut ways = vec![(root, false)];
        while let Some((at, is_back)) = ways.pop() {
            let Ok(index) = usize::try_from(at) else { continue };
            let Some(node) = self.bsp.nodes.get(index) else { continue };
            let Some(plane) = self.bsp.planes.get(node.plane as usize) else { continue };
            let is_front = dot(to_f64(plane.normal), view.eye) >= f64::from(plane.dist);
            let [front, back] = node.children;
            let (near, far) = if is_front { (front, back) } else { (back, front) };
            if is_back {
                let first = node.first_face as usize;
                let end = first.saturating_add(node.faces as usize).min(faces.len());
                order.extend((first..end).filter(|face| faces.get(*face) == Some(&true)));
                ways.push((far, false));
                continue;
            }
            match nodes.get_mut(index) {
                Some(seen) if *seen => *seen = false,
                _ => continue,
            }
            if is_in_view(&planes, to_f64(node.mins), to_f64(node.maxs)) {
                ways.push((at, true));
                ways.push((near, false));
            }
        }
        order
    }

    /// Draws faces in this order; transparent ones are collected for later.
    pub(crate) fn draw(&self, job: &mut FaceJob<'_>, order: impl IntoIterator<Item = usize>) {
        for index in order {
            let Some(face) = self.faces.get(index) else { continue };
            if face.normal_side(job.view.eye) <= 0.01 {
                continue;
            }
            let blend = match face.surface {
                Surface::Hidden => continue,
                Surface::Wall | Surface::Sky => Blend::of(job.alpha, job.holes(self, face)),
                Surface::Liquid(kind) => {
                    let alpha = job.scene.liquid_alpha.get(kind).copied().unwrap_or(1.0);
                    Blend::of(alpha * job.alpha, false)
                }
                Surface::Glass(part) => Blend::Part(part),
            };
            if matches!(blend, Blend::Part(_)) {
                job.later.push(LaterFace { face: index, blend });
            } else {
                self.face(job, index, blend);
            }
        }
    }

    /// Draws the see-through faces that were put off, the farthest first.
    pub(crate) fn draw_later(&self, job: &mut FaceJob<'_>) {
        for LaterFace { face, blend } in std::mem::take(&mut job.later).into_iter().rev() {
            self.face(job, face, blend);
        }
    }

    fn face(&self, job: &mut FaceJob<'_>, index: usize, blend: Blend) {
        let Some(face) = self.faces.get(index) else { return };
        let Some(info) = self.bsp.texinfos.get(face.texinfo) else { return };
        let view = job.view;
        // The face's plane relative to the eye gives depth and texture coordinates at each pixel.
        let distance = -face.normal_side(view.eye);
        let normal = view.along(face.normal);
        let depth = scale(normal, 1.0 / distance);
        let corners = face.corners.iter().map(|corner| view.seen(*corner));
        let (look, scene) = (job.look, job.scene);
        let (lights, bright) = (LightJob { nearby: &job.lights, styles: job.styles, look }, job.bright);
        job.work.add(view, corners, |lit, nearest| {
            let slope = view.slope(depth);
            if face.surface == Surface::Sky {
                return Some((slope, Paint::Sky));
            }
            let texture = self.textures.at(&self.bsp, face.texinfo, scene.time, job.frame)?;
            // The GL renderers map a liquid to 64 texels regardless of its size, and without the texture's offset.
            let is_liquid =
                face.surface != Surface::Wall && (!self.bsp.kind.is_quake2() || info.flags & WARP != 0);
            let is_fixed = is_liquid && look.kind == LookKind::Gl;
            let [width, height] = if is_fixed { [64.0; 2] } else { texture.size };
            let flow = flow(&self.bsp, info, scene.time, width);
            let axis = |[x, y, z, offset]: [f32; 4], size: f64, flow: f64| {
                let along = to_f64([x, y, z]);
                let at_eye = dot(along, view.eye) + if is_fixed { 0.0 } else { f64::from(offset) };
                let along = view.along(along);
                view.slope(scale(add(along, scale(depth, at_eye + flow * size)), 1.0 / size))
            };
            let waves = match (is_liquid, look.kind) {
                (false, _) => Waves::None,
                (true, LookKind::Software) => Waves::Steps,
                (true, LookKind::Gl) if self.bsp.kind.is_quake2() => Waves::Sine,
                (true, LookKind::Gl) => Waves::SlowSine,
            };
            let light = match face.light.filter(|_| !bright) {
                None => even(look, self.bsp.kind.is_quake2() && face.surface != Surface::Wall),
                Some((mins, size)) => match self.lightmap(index, &lights, lit) {
                    Some(samples) => {
                        let low = [f64::from(mins[0]) + flow * width, f64::from(mins[1])];
                        Light::Map { samples, size, low }
                    }
                    // A level without any light is bright; in a level with light, a face without light is dark.
                    None if !self.bsp.kind.is_quake2() && !self.bsp.lighting.is_empty() => {
                        Light::Even(shade(look, false, [0.0; 3]))
                    }
                    None => even(look, false),
                },
            };
            let (s, t) = (axis(info.s, width, flow), axis(info.t, height, 0.0));
            // The software renderers draw liquids at their full size, at any distance.
            let size = if waves == Waves::Steps {
                Some(0)
            } else {
                texture_size(look, info, view.focus[0] / nearest)
            };
            Some((slope, Paint::Texture { texture, s, t, light, blend, waves, size, flat: false }))
        });
    }

    /// The light of a face: its lightmaps by their styles, and the lights nearby; `None` if it has none. `lit` counts the
    /// samples of the picture.
    fn lightmap(&self, index: usize, job: &LightJob<'_>, lit: &mut usize) -> Option<LightSamples> {
        let is_quake2 = self.bsp.kind.is_quake2();
        if self.bsp.lighting.is_empty() && !is_quake2 {
            return None;
        }
        let color = job.look.color_light && job.look.kind == LookKind::Gl;
        let face = self.faces.get(index)?;
        let light = self.bsp.light_within(index, face.light?, color)?;
        let [width, height] = light.size;
        let all = lit.saturating_add(width * height);
        if light.samples.is_empty() || all > MOST_LIGHTS {
            return None;
        }
        *lit = all;
        let reaches = |light: &&DynamicLight| face.reach(&self.bsp, light).is_some();
        let add = |samples: &mut [[f32; 3]]| {
            for source in job.nearby.iter().filter(reaches) {
                face.add_light(&self.bsp, source, light.texture_mins, width, samples);
            }
        };
        let nearby: Option<AddNearby<'_>> =
            if job.nearby.iter().any(|it| reaches(&it)) { Some(&add) } else { None };
        Some(face.known.samples(&light, job.styles, job.look, is_quake2, nearby))
    }
}

/// The inputs of the light of faces.
struct LightJob<'j> {
    nearby: &'j [DynamicLight],
    styles: &'j [f32],
    look: &'j LookOptions,
}

/// The light of surfaces without a lightmap. Quake II's liquids are darker than its walls.
pub(crate) fn even(look: &LookOptions, is_dim: bool) -> Light {
    match look.kind {
        // The row of the colormap that changes no color.
        LookKind::Software => Light::Even([32.0 * 256.0; 3]),
        LookKind::Gl => Light::Even([if is_dim { 128.0 } else { 256.0 }; 3]),
    }
}

/// The mip level for a whole face, or `None` if it is chosen for each piece. The software renderers choose it
/// by the nearest point of the face, where a unit of the level has `pixels` pixels.
fn texture_size(look: &LookOptions, info: &TexInfo, pixels: f64) -> Option<usize> {
    /// Below this number of pixels per texel the next smaller mip level is taken.
    const MIN_PIXELS_PER_TEXEL: [f64; 3] = [1.0, 0.4, 0.2];
    if look.kind == LookKind::Gl {
        return look.nearest.then_some(0);
    }
    let length = |[x, y, z, _]: [f32; 4]| dot(to_f64([x, y, z]), to_f64([x, y, z])).sqrt();
    let factor = match f64::midpoint(length(info.s), length(info.t)) {
        stretched if stretched < 0.32 => 4.0,
        stretched if stretched < 0.49 => 3.0,
        stretched if stretched < 0.99 => 2.0,
        _ => 1.0,
    };
    Some(MIN_PIXELS_PER_TEXEL.iter().filter(|least| pixels * factor < **least).count())
}

/// The mip level for models and sprites, or `None` if it is chosen for each piece: Quake's renderers have
/// only one.
pub(crate) fn model_size(look: &LookOptions, is_quake2: bool) -> Option<usize> {
    (look.kind == LookKind::Software || look.nearest || !is_quake2).then_some(0)
}

/// The distance that Quake II's flowing surfaces have moved, in widths of the texture.
fn flow(bsp: &Bsp, info: &TexInfo, time: f64, width: f64) -> f64 {
    if !bsp.kind.is_quake2() || info.flags & FLOWING == 0 {
        return 0.0;
    }
    let part = |of: f64| of - of.floor();
    if info.flags & WARP != 0 { -64.0 * part(time * 0.5) / width } else { -64.0 * part(time / 40.0) }
}

/// The inputs and the state of drawing faces.
pub(crate) struct FaceJob<'j> {
    pub(crate) work: &'j mut Work,
    pub(crate) view: &'j View,
    pub(crate) scene: &'j Scene,
    pub(crate) look: &'j LookOptions,
    pub(crate) styles: &'j [f32],
    pub(crate) lights: Vec<DynamicLight>,
    pub(crate) later: LaterFaces,
    pub(crate) alpha: f32,
    /// The frame of animated textures.
    pub(crate) frame: u32,
    /// Whether it is drawn at full brightness.
    pub(crate) bright: bool,
}

impl FaceJob<'_> {
    fn holes(&self, level: &DrawnLevel, face: &DrawnFace) -> bool {
        level
            .textures
            .at(&level.bsp, face.texinfo, self.scene.time, self.frame)
            .is_some_and(|texture| texture.has_holes)
    }
}

impl DrawnFace {
    fn new(bsp: &Bsp, face: usize) -> Self {
        let corners: Vec<V3> = bsp.corners(face).map(to_f64).collect();
        let (normal, distance) = bsp.plane_of(face).unwrap_or_default();
        let texinfo = bsp.faces.get(face).map_or(usize::MAX, |face| face.texinfo as usize);
        let surface = bsp.texture_of(face).map_or(Surface::Hidden, |info| surface(bsp, info));
        let is_lit =
            bsp.texture_of(face).is_some_and(|info| !bsp.is_special(info)) && surface == Surface::Wall;
        let light = bsp.light_extent(face).filter(|_| is_lit);
        Self {
            corners,
            normal: to_f64(normal),
            distance: f64::from(distance),
            surface,
            texinfo,
            light,
            known: KnownLight::default(),
        }
    }

    /// The distance of a place in front of the face.
    fn normal_side(&self, place: V3) -> f64 {
        dot(self.normal, place) - self.distance
    }

    /// How far a dynamic light lies from the face, the radius that is left of it there, and the least one that lights;
    /// `None` if it does not reach the face.
    fn reach(&self, bsp: &Bsp, light: &DynamicLight) -> Option<[f64; 3]> {
        let away = self.normal_side(to_f64(light.place));
        let radius = f64::from(light.radius) - away.abs();
        let least = if bsp.kind.is_quake2() { 64.0 } else { f64::from(light.least) };
        // This also rejects NaN.
        (radius > least).then_some([away, radius, least])
    }

    /// Adds a dynamic light as the games do: in a diamond around the nearest place of the face.
    fn add_light(&self, bsp: &Bsp, light: &DynamicLight, mins: [i32; 2], width: usize, all: &mut [[f32; 3]]) {
        let Some([away, radius, least]) = self.reach(bsp, light) else { return };
        let place = to_f64(light.place);
        let Some(info) = bsp.texinfos.get(self.texinfo) else { return };
        let impact = add(place, scale(self.normal, -away));
        let at = |[x, y, z, offset]: [f32; 4]| dot(to_f64([x, y, z]), impact) + f64::from(offset);
        let [low_s, low_t] = mins.map(f64::from);
        let (s, t) = (at(info.s) - low_s, at(info.t) - low_t);
        for (row, samples) in all.chunks_exact_mut(width.max(1)).enumerate() {
            let down = (t - row as f64 * 16.0).abs();
            for (column, sample) in samples.iter_mut().enumerate() {
                let along = (s - column as f64 * 16.0).abs();
                let far = if along > down { along + down / 2.0 } else { down + along / 2.0 };
                if far < radius - least {
                    for (sum, part) in sample.iter_mut().zip(light.color) {
                        *sum += (radius - far) as f32 * part;
                    }
                }
            }
        }
    }
}

fn surface(bsp: &Bsp, info: &TexInfo) -> Surface {
    if bsp.kind.is_quake2() {
        return match info.flags {
            flags if flags & NODRAW != 0 => Surface::Hidden,
            flags if flags & SKY != 0 => Surface::Sky,
            flags if flags & TRANS33 != 0 => Surface::Glass(PART33),
            flags if flags & TRANS66 != 0 => Surface::Glass(PART66),
            flags if flags & WARP != 0 => Surface::Liquid(usize::MAX),
            _ => Surface::Wall,
        };
    }
    let Some(texture) = bsp.textures.get(info.texture as usize).and_then(Option::as_ref) else {
        return Surface::Wall;
    };
    let liquids = ["*lava", "*slime", "*tele"];
    match liquids.iter().position(|it| texture.begins_with(it)) {
        Some(kind) => Surface::Liquid(kind + 1),
        None if texture.is_liquid() => Surface::Liquid(0),
        None if texture.is_sky() => Surface::Sky,
        None => Surface::Wall,
    }
}

/// Whether some of a box is on the inner side of each plane.
pub(crate) fn is_in_view(planes: &[(V3, f64); 4], mins: V3, maxs: V3) -> bool {
    planes.iter().all(|(normal, least)| {
        let best: f64 = normal
            .iter()
            .zip(mins.iter().zip(maxs))
            .map(|(part, (low, high))| if *part > 0.0 { part * high } else { part * low })
            .sum();
        // A box with NaN counts as in view.
        !(best < *least)
    })
}

/// Draws a moving part of the level, or a small level, at its own place and with its own angles.
pub(crate) fn draw_brush(
    store: &Store,
    level: Option<&Arc<DrawnLevel>>,
    brush: &Brush,
    job: &mut FaceJob<'_>,
) {
    let (found, model) = match brush.file.strip_prefix('*') {
        Some(number) => (level.cloned(), number.parse().unwrap_or(usize::MAX)),
        None => (store.level(&brush.file, job.look), 0),
    };
    let Some(level) = found else { return };
    let Some(part) = level.bsp.models.get(model) else { return };
    let stand = Placement::new(to_f64(brush.place), to_f64(brush.angles));
    let view = job.view.seen_from(&stand);
    if !is_in_view(&view.planes(), to_f64(part.mins), to_f64(part.maxs)) {
        return;
    }
    let first = part.first_face as usize;
    let faces = first..first.saturating_add(part.faces as usize).min(level.faces.len());
    let rotated = |light: &DynamicLight| DynamicLight {
        place: stand.inside(to_f64(light.place)).map(|part| part as f32),
        ..*light
    };
    let mut inner = FaceJob {
        work: &mut *job.work,
        view: &view,
        scene: job.scene,
        look: job.look,
        styles: job.styles,
        lights: job.lights.iter().map(rotated).collect(),
        later: Vec::new(),
        alpha: brush.alpha,
        frame: brush.frame,
        bright: brush.bright,
    };
    level.draw(&mut inner, faces);
    level.draw_later(&mut inner);
}

/// A color in place of a missing texture, by the texture's name.
pub(crate) fn color_of(name: &str) -> Rgba {
    let hash =
        name.bytes().fold(0x811C_9DC5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let known = [
        ("water", 0x0080_5030),
        ("slime", 0x0020_6030),
        ("lava", 0x0010_40E0),
        ("sky", 0x00C0_9070),
        ("tele", 0x0040_2020),
    ];
    let lower = name.to_ascii_lowercase();
    let kind = known.iter().find(|(word, _)| lower.contains(word)).map(|(_, color)| *color);
    mix(kind.unwrap_or(0x0070_7880), hash & 0x00FF_FFFF, 40)
}
