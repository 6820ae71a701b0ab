//! Floor plans: a level seen from above, cut open at the heights at which players were.
//!
//! A roof must not hide the room below it. So a floor is drawn only if it is not above the eyes of players who were
//! near it, and an upright face is a wall only if it blocked the way of such a player.
// not from SCHEMA, all words: names in the files of levels.

use crate::bsp::surface;
use crate::{Bsp, MipTexture};
use std::collections::{BTreeMap, BTreeSet};

/// A layer of a plan: floors of about the same height, and the lines on them.
///
/// ```
/// let layer = moviola_assets::PlanLayer::default();
/// assert!(layer.floors.is_empty() && layer.walls.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanLayer {
    /// Its height: 0 for the lowest of the plan, 255 for the highest.
    pub shade: u8,
    /// The floors, as polygons in units of the level.
    pub floors: Vec<Vec<[i32; 2]>>,
    /// The surfaces of water, slime and lava.
    pub liquids: Vec<Vec<[i32; 2]>>,
    /// The edges of steps, ledges and parts that move.
    pub steps: Vec<[[i32; 2]; 2]>,
    /// The walls.
    pub walls: Vec<[[i32; 2]; 2]>,
}

/// A level from above: layers to be drawn one over the other, the lowest first.
///
/// ```
/// use moviola_assets::{Bsp, FloorPlan};
/// assert_eq!(FloorPlan::of(&Bsp::default(), &[[0.0; 3]], 1000), None, "no floor is in it");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FloorPlan {
    /// The layers.
    pub layers: Vec<PlanLayer>,
    /// The least x and y, and the greatest.
    pub corners: [[i32; 2]; 2],
}

/// The most layers, and the least height of one: a step of stairs.
const LAYERS: f32 = 24.0;
const STEP: f32 = 8.0;

/// A face with a greater upward part of its normal is a floor: players do not slide on it.
const FLOOR: f32 = 0.7;

/// The side of a cell in which places are gathered, and the most cells on a side of the level.
const CELL: f32 = 96.0;
const MOST_CELLS: usize = 512;

/// The height of a player's eyes above the recorded position, and the range of heights in which a face blocks the
/// player: from the knees, since steps are lower, to the chest.
const EYES: f32 = 22.0;
const BODY: [f32; 2] = [-4.0, 14.0];

/// The cell at a place and its neighbors, as steps to them.
const AROUND: [[f32; 2]; 9] = [
    [0.0, 0.0],
    [-1.0, 0.0],
    [1.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
    [-1.0, -1.0],
    [-1.0, 1.0],
    [1.0, -1.0],
    [1.0, 1.0],
];

/// The greatest number of corners of a face, which is more than compilers make, and of heights in a cell.
const MOST_CORNERS: usize = 64;
const MOST_HEIGHTS: usize = 256;

/// Heights are rounded to this many units.
const GRAIN: f32 = 8.0;

/// The heights of players' positions in each cell. Cells without positions get those of the nearest cell that has some.
struct Heights {
    low: [f32; 2],
    side: f32,
    columns: usize,
    rows: usize,
    nearest: Vec<u32>,
    known: Vec<BTreeSet<i16>>,
}

impl Heights {
    fn of(low: [f32; 2], high: [f32; 2], places: &[[f32; 3]]) -> Self {
        let length = (high[0] - low[0]).max(high[1] - low[1]).max(1.0);
        let side = CELL.max(length / (MOST_CELLS as f32 - 1.0));
        let count = |at: usize| {
            let span = high.get(at).unwrap_or(&0.0) - low.get(at).unwrap_or(&0.0);
            (((span / side).floor() as usize).saturating_add(1)).min(MOST_CELLS)
        };
        let (columns, rows) = (count(0), count(1));
        let nearest = vec![u32::MAX; columns.saturating_mul(rows)];
        let mut it = Self { low, side, columns, rows, nearest, known: Vec::new() };
        let mut cells: BTreeMap<usize, BTreeSet<i16>> = BTreeMap::new();
        for place in places.iter().filter(|place| place.iter().all(|it| it.is_finite())) {
            let [x, y, z] = *place;
            // In the cells around it too: a floor does not end where a cell does.
            for [dx, dy] in AROUND {
                let cell = it.cell([x + dx * side, y + dy * side]);
                let known = cells.entry(cell).or_default();
                if known.len() < MOST_HEIGHTS {
                    known.insert((z / GRAIN).floor() as i16);
                }
            }
        }
        let mut edge: Vec<usize> = Vec::new();
        for (cell, heights) in cells {
            if let Some(nearest) = it.nearest.get_mut(cell) {
                *nearest = it.known.len() as u32;
                it.known.push(heights);
                edge.push(cell);
            }
        }
        it.spread(edge);
        it
    }

    /// Gives each cell the heights of the nearest cell that has some, ring by ring.
    fn spread(&mut self, mut edge: Vec<usize>) {
        while !edge.is_empty() {
            let mut next = Vec::new();
            for cell in edge {
                let from = self.nearest.get(cell).copied().unwrap_or(u32::MAX);
                let (column, row) = (cell % self.columns, cell / self.columns);
                let beside = [
                    (column.wrapping_sub(1), row),
                    (column.saturating_add(1), row),
                    (column, row.wrapping_sub(1)),
                    (column, row.saturating_add(1)),
                ];
                for (column, row) in beside {
                    if column >= self.columns || row >= self.rows {
                        continue;
                    }
                    let at = row.saturating_mul(self.columns).saturating_add(column);
                    if let Some(free) = self.nearest.get_mut(at).filter(|it| **it == u32::MAX) {
                        *free = from;
                        next.push(at);
                    }
                }
            }
            edge = next;
        }
    }

    fn cell(&self, [x, y]: [f32; 2]) -> usize {
        let at = |value: f32, low: f32, count: usize| {
            (((value - low) / self.side).max(0.0) as usize).min(count.saturating_sub(1))
        };
        at(y, self.low[1], self.rows).saturating_mul(self.columns).saturating_add(at(
            x,
            self.low[0],
            self.columns,
        ))
    }

    /// The heights of places at or near a point, the lowest first.
    fn at(&self, point: [f32; 2]) -> impl DoubleEndedIterator<Item = f32> + '_ {
        let known = self.nearest.get(self.cell(point)).and_then(|at| self.known.get(*at as usize));
        known.into_iter().flatten().map(|grain| f32::from(*grain) * GRAIN)
    }

    /// The height above which nothing near a point is drawn.
    fn cut(&self, point: [f32; 2]) -> f32 {
        self.at(point).next_back().map_or(f32::INFINITY, |highest| highest + GRAIN + EYES)
    }
}

/// How the faces of a model of the level are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FaceDrawing {
    Still,
    Moving,
    Hidden,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Surface {
    Solid,
    Liquid,
    Hidden,
}

/// A shape before it has a layer: its height decides.
enum Shape {
    Floor(Vec<[i32; 2]>),
    Liquid(Vec<[i32; 2]>),
    Step([[i32; 2]; 2]),
    Wall([[i32; 2]; 2]),
}

impl Shape {
    /// Its greater side.
    fn size(&self) -> i32 {
        let span = |points: &[[i32; 2]]| {
            let axis = |at: usize| {
                let all = || points.iter().filter_map(|point| point.get(at));
                all().max().zip(all().min()).map_or(0, |(high, low)| high.saturating_sub(*low))
            };
            axis(0).max(axis(1))
        };
        match self {
            Self::Floor(points) | Self::Liquid(points) => span(points),
            Self::Step(ends) | Self::Wall(ends) => span(ends),
        }
    }
}

impl FloorPlan {
    /// The most shapes of a plan to be drawn, which keep a picture below 3 MB.
    pub const MOST_SHAPES: usize = 40_000;

    /// The plan of a level for players who were at these positions. The number of shapes is limited; if there are more,
    /// the smallest are left out. `None` if the level has no floor to draw.
    pub fn of(level: &Bsp, places: &[[f32; 3]], most: usize) -> Option<Self> {
        let whole = level.models.first()?;
        let bounded = |value: f32| value.clamp(-65_536.0, 65_536.0);
        let [[x0, y0, _], [x1, y1, _]] = [whole.mins, whole.maxs].map(|corner| corner.map(bounded));
        let heights = Heights::of([x0, y0], [x1, y1], places);
        let mut shapes: Vec<(f32, Shape)> = Vec::new();
        let parts = parts(level);
        // In a damaged file several models may contain the same faces.
        let mut is_drawn = vec![false; level.faces.len()];
        for (number, model) in level.models.iter().enumerate() {
            let part = parts.get(&number).copied().unwrap_or(FaceDrawing::Hidden);
            let first = model.first_face as usize;
            let faces = first..first.saturating_add(model.faces as usize).min(level.faces.len());
            for face in faces.filter(|_| part != FaceDrawing::Hidden) {
                if let Some(fresh) = is_drawn.get_mut(face).filter(|it| !**it) {
                    *fresh = true;
                    shapes.extend(shape(level, face, part, &heights));
                }
            }
        }
        let mut least = 0;
        while shapes.len() > most && least < i32::MAX / 2 {
            least = if least == 0 { 4 } else { least * 2 };
            shapes.retain(|(_, shape)| shape.size() > least);
        }
        Self::layered(shapes)
    }

    fn layered(shapes: Vec<(f32, Shape)>) -> Option<Self> {
        let floors =
            || shapes.iter().filter(|(_, it)| matches!(it, Shape::Floor(_))).map(|(height, _)| *height);
        let (low, high) = (floors().reduce(f32::min)?, floors().reduce(f32::max)?);
        let thick = ((high - low) / LAYERS).max(STEP);
        let count = ((high - low) / thick).floor() as usize;
        let mut layers: Vec<PlanLayer> = (0..=count)
            .map(|at| PlanLayer { shade: (at * 255 / count.max(1)) as u8, ..PlanLayer::default() })
            .collect();
        let mut lines = BTreeSet::new();
        let mut corners = [[i32::MAX; 2], [i32::MIN; 2]];
        for (height, shape) in shapes {
            let at = (((height - low) / thick).max(0.0) as usize).min(count);
            let Some(layer) = layers.get_mut(at) else { continue };
            match shape {
                Shape::Floor(points) => {
                    for [x, y] in &points {
                        corners[0] = [corners[0][0].min(*x), corners[0][1].min(*y)];
                        corners[1] = [corners[1][0].max(*x), corners[1][1].max(*y)];
                    }
                    layer.floors.push(points);
                }
                Shape::Liquid(points) => layer.liquids.push(points),
                // The faces of a wall are above each other, and make the same line.
                Shape::Step(ends) if lines.insert((at, false, ends)) => layer.steps.push(ends),
                Shape::Wall(ends) if lines.insert((at, true, ends)) => layer.walls.push(ends),
                Shape::Step(_) | Shape::Wall(_) => {}
            }
        }
        layers.retain(|layer| *layer != PlanLayer { shade: layer.shade, ..PlanLayer::default() });
        Some(Self { layers, corners })
    }

    /// The number of its shapes.
    ///
    /// ```
    /// assert_eq!(moviola_assets::FloorPlan::default().shapes(), 0);
    /// ```
    pub fn shapes(&self) -> usize {
        let of = |it: &PlanLayer| it.floors.len() + it.liquids.len() + it.steps.len() + it.walls.len();
        self.layers.iter().map(of).sum()
    }
}

/// How each model of the level is drawn: the first is the level itself, the others belong to entities.
fn parts(level: &Bsp) -> BTreeMap<usize, FaceDrawing> {
    let part = |entity: crate::EntityText<'_>| {
        let number = entity.get("model")?.strip_prefix(b"*")?;
        let number = std::str::from_utf8(number).ok()?.parse().ok()?;
        let is_area = entity.get("classname").is_none_or(|class| class.starts_with(b"trigger"));
        Some((number, if is_area { FaceDrawing::Hidden } else { FaceDrawing::Moving }))
    };
    let mut parts: BTreeMap<usize, FaceDrawing> = level.entities().filter_map(part).collect();
    parts.insert(0, FaceDrawing::Still);
    parts
}

fn surface_of(level: &Bsp, face: usize) -> Surface {
    let Some(info) = level.texture_of(face) else { return Surface::Solid };
    if level.kind.is_quake2() {
        return match info.flags {
            flags if flags & (surface::SKY | surface::NODRAW) != 0 => Surface::Hidden,
            flags if flags & surface::WARP != 0 => Surface::Liquid,
            _ => Surface::Solid,
        };
    }
    let is_tool =
        |it: &MipTexture| ["trigger", "clip", "skip", "hint"].iter().any(|word| it.begins_with(word));
    match level.textures.get(info.texture as usize).and_then(Option::as_ref) {
        Some(texture) if texture.is_liquid() => Surface::Liquid,
        Some(texture) if texture.is_sky() || is_tool(texture) => Surface::Hidden,
        _ => Surface::Solid,
    }
}

/// The shape of a face, and the height by which it gets a layer.
fn shape(level: &Bsp, face: usize, part: FaceDrawing, heights: &Heights) -> Option<(f32, Shape)> {
    let surface = surface_of(level, face);
    if surface == Surface::Hidden {
        return None;
    }
    let ([across, along, up], _) = level.plane_of(face)?;
    let corners: Vec<[f32; 3]> = level.corners(face).take(MOST_CORNERS).collect();
    if corners.len() < 3 || !corners.iter().flatten().all(|it| it.is_finite()) || up < -FLOOR {
        return None;
    }
    let low = corners.iter().map(|[_, _, z]| *z).fold(f32::INFINITY, f32::min);
    let high = corners.iter().map(|[_, _, z]| *z).fold(f32::NEG_INFINITY, f32::max);
    let flat = |[x, y, _]: [f32; 3]| [x.round() as i32, y.round() as i32];
    let count = corners.len() as f32;
    let sum = corners.iter().fold([0.0, 0.0], |[x, y], corner| [x + corner[0], y + corner[1]]);
    let middle = sum.map(|it| it / count);
    if up > FLOOR {
        let height = f32::midpoint(low, high);
        let points = corners.into_iter().map(flat).collect();
        let shape = if surface == Surface::Liquid { Shape::Liquid(points) } else { Shape::Floor(points) };
        return (height <= heights.cut(middle)).then_some((height, shape));
    }
    if surface == Surface::Liquid {
        return None;
    }
    // The line of an upright face runs at a right angle to its normal; the places before it count.
    let way = |point: &[f32; 3]| point[1] * across - point[0] * along;
    let first = corners.iter().copied().min_by(|one, other| way(one).total_cmp(&way(other)))?;
    let last = corners.iter().copied().max_by(|one, other| way(one).total_cmp(&way(other)))?;
    let mut ends = [flat(first), flat(last)];
    ends.sort_unstable();
    if ends[0] == ends[1] {
        return None;
    }
    let before = [middle[0] + across * STEP, middle[1] + along * STEP];
    let cut = heights.cut(before);
    let is_in_the_way = heights.at(before).any(|at| low < at + GRAIN + BODY[1] && high > at + BODY[0]);
    let height = high.min(cut);
    match part {
        _ if low > cut => None,
        FaceDrawing::Still if is_in_the_way || cut.is_infinite() && high - low > EYES * 2.0 => {
            Some((height, Shape::Wall(ends)))
        }
        _ if high <= cut || is_in_the_way => Some((height, Shape::Step(ends))),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;
    use crate::{BrushModel, BspKind, Edge, Face, Plane, Vertex};

    /// A level of polygons, each with its normal.
    fn level(polygons: &[([f32; 3], &[[f32; 3]])]) -> Bsp {
        let mut level = Bsp { kind: BspKind::Bsp29, edges: vec![Edge::default()], ..Bsp::default() };
        for (normal, points) in polygons {
            let first = level.vertexes.len() as u32;
            let first_edge = level.face_edges.len() as u32;
            let count = points.len() as u32;
            level.vertexes.extend(points.iter().map(|point| Vertex { point: *point }));
            for at in 0..count {
                level.face_edges.push(level.edges.len() as i32);
                level.edges.push(Edge { vertexes: [first + at, first + (at + 1) % count] });
            }
            let plane = level.planes.len() as u32;
            level.planes.push(Plane { normal: *normal, ..Plane::default() });
            level.faces.push(Face { plane, first_edge, edges: count, ..Face::default() });
        }
        let faces = level.faces.len() as u32;
        let (mins, maxs) = ([-512.0; 3], [512.0; 3]);
        level.models = vec![BrushModel { mins, maxs, faces, ..BrushModel::default() }];
        level
    }

    fn square(z: f32, from: f32, to: f32) -> [[f32; 3]; 4] {
        [[from, from, z], [to, from, z], [to, to, z], [from, to, z]]
    }

    fn wall(x: f32, low: f32, high: f32) -> [[f32; 3]; 4] {
        [[x, 0.0, low], [x, 64.0, low], [x, 64.0, high], [x, 0.0, high]]
    }

    const UP: [f32; 3] = [0.0, 0.0, 1.0];
    const EAST: [f32; 3] = [1.0, 0.0, 0.0];

    #[test]
    fn ceilings_above_a_player_are_not_drawn() {
        let (ground, gallery) = (square(0.0, 0.0, 256.0), square(128.0, 0.0, 256.0));
        let level = level(&[(UP, &ground), (UP, &gallery), ([0.0, 0.0, -1.0], &square(120.0, 0.0, 256.0))]);
        let below = FloorPlan::of(&level, &[[64.0, 64.0, 24.0]], 9).unwrap();
        assert_eq!((below.shapes(), below.corners), (1, [[0, 0], [256, 256]]));
        let above = FloorPlan::of(&level, &[[64.0, 64.0, 24.0], [64.0, 64.0, 152.0]], 9).unwrap();
        let shades: Vec<u8> = above.layers.iter().map(|layer| layer.shade).collect();
        assert_eq!((above.shapes(), shades), (2, vec![0, 255]), "the gallery is drawn over the ground");
    }

    #[test]
    fn walls_are_in_the_way_and_steps_are_not() {
        let ground = square(0.0, -64.0, 256.0);
        let (tall, step, beam) = (wall(8.0, 0.0, 128.0), wall(40.0, 0.0, 16.0), wall(80.0, 96.0, 128.0));
        let level = level(&[(UP, &ground), (EAST, &tall), (EAST, &step), (EAST, &beam)]);
        let plan = FloorPlan::of(&level, &[[64.0, 32.0, 24.0]], 9).unwrap();
        let lines = |of: fn(&PlanLayer) -> &Vec<[[i32; 2]; 2]>| -> Vec<_> {
            plan.layers.iter().flat_map(|layer| of(layer).clone()).collect()
        };
        assert_eq!(lines(|it| &it.walls), [[[8, 0], [8, 64]]]);
        assert_eq!(lines(|it| &it.steps), [[[40, 0], [40, 64]]], "the beam is above the player");
    }

    #[test]
    fn a_plan_is_bounded_and_no_number_of_a_file_breaks_it() {
        let tiny: Vec<[[f32; 3]; 4]> = (0..99).map(|_| square(0.0, 0.0, 3.0)).collect();
        let mut polygons: Vec<([f32; 3], &[[f32; 3]])> = tiny.iter().map(|it| (UP, &it[..])).collect();
        let ground = square(0.0, -64.0, 256.0);
        polygons.push((UP, &ground));
        let bad = [[f32::NAN, 0.0, 0.0], [f32::INFINITY, 1.0, 0.0], [1e38, -1e38, 0.0]];
        polygons.push((UP, &bad));
        let mut level = level(&polygons);
        assert_eq!(FloorPlan::of(&level, &[[64.0, 32.0, 24.0]], 50).unwrap().shapes(), 1);
        level.models[0].mins = [f32::NAN; 3];
        level.models[0].maxs = [f32::INFINITY; 3];
        level.models[0].faces = u32::MAX;
        assert!(FloorPlan::of(&level, &[[f32::NAN; 3], [f32::MAX; 3]], 50).is_some());
    }
}
