//! The visibility data of a level's file, of both games: from where what can be seen.
//!
//! Levels come from anywhere, so nothing in them is believed: what does not fit is an error, and a way through the tree
//! is no longer than the tree has nodes.
// schema-once, all words: they are of the levels' files.

/// A level, as far as seeing is concerned.
#[derive(Clone, Debug)]
pub(super) struct Level {
    planes: Vec<([f64; 3], f64)>,
    nodes: Vec<Node>,
    leafs: Vec<Leaf>,
    /// Where each cluster's row of bits begins in `vis`; none sees everything.
    rows: Vec<Option<usize>>,
    vis: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    plane: usize,
    /// Below zero is a leaf.
    children: [i32; 2],
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// What sees the same; none is outside of the level, or inside of a wall.
    cluster: Option<usize>,
    mins: [f64; 3],
    maxs: [f64; 3],
}

/// A way is looked at in pieces of this length, thinner than walls are; and at most this many of them.
const STEP: f64 = 2.0;
const MOST_STEPS: f64 = 4096.0;

/// How far from a wall a camera stays, so that it does not see through it.
const MARGIN: f64 = 10.0;

/// How the parts of a kind of level are laid out.
struct Layout {
    lumps: Lumps,
    node: Record,
    leaf: Record,
    is_quake2: bool,
}

/// Which lumps hold what; models are of Quake alone.
struct Lumps {
    start: usize,
    vis: usize,
    nodes: usize,
    leafs: usize,
    models: usize,
}

/// How long a record is, and which of its numbers are wide.
struct Record {
    length: usize,
    wide_children: bool,
    wide_box: bool,
}

const PLANES: usize = 1;
const QUAKE: Lumps = Lumps { start: 4, vis: 4, nodes: 5, leafs: 10, models: 14 };
const QUAKE2: Lumps = Lumps { start: 8, vis: 3, nodes: 4, leafs: 8, models: 13 };

const fn record(length: usize, wide_children: bool, wide_box: bool) -> Record {
    Record { length, wide_children, wide_box }
}

impl Layout {
    fn of(file: &[u8]) -> Result<Self, String> {
        let quake = |node, leaf| Self { lumps: QUAKE, node, leaf, is_quake2: false };
        match (file.get(..4), number(file, 4)) {
            (Some([29, 0, 0, 0]), _) => Ok(quake(record(24, false, false), record(28, false, false))),
            (Some(b"BSP2"), _) => Ok(quake(record(44, true, true), record(44, true, true))),
            (Some(b"2PSB"), _) => Ok(quake(record(32, true, false), record(32, true, false))),
            (Some(b"IBSP"), Some(38)) => Ok(Self {
                lumps: QUAKE2,
                node: record(28, true, false),
                leaf: record(28, true, false),
                is_quake2: true,
            }),
            _ => Err("it is no level of Quake (29, BSP2, 2PSB) or Quake II (IBSP 38)".into()),
        }
    }

    fn lump<'f>(&self, file: &'f [u8], index: usize, what: &str) -> Result<&'f [u8], String> {
        let at = self.lumps.start.saturating_add(index.saturating_mul(8));
        let part = || {
            let start = usize::try_from(number(file, at)?).ok()?;
            let length = usize::try_from(number(file, at.checked_add(4)?)?).ok()?;
            file.get(start..start.checked_add(length)?)
        };
        part().ok_or_else(|| format!("its {what} are not in the file"))
    }
}

fn number(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn short(bytes: &[u8], at: usize) -> Option<i16> {
    Some(i16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn float(bytes: &[u8], at: usize) -> Option<f64> {
    Some(f64::from(f32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}

fn floats(bytes: &[u8], at: usize) -> Option<[f64; 3]> {
    Some([float(bytes, at)?, float(bytes, at.checked_add(4)?)?, float(bytes, at.checked_add(8)?)?])
}

fn shorts(bytes: &[u8], at: usize) -> Option<[f64; 3]> {
    let part = |part: usize| Some(f64::from(short(bytes, at.checked_add(part)?)?));
    Some([part(0)?, part(2)?, part(4)?])
}

impl Level {
    /// Reads a level's file; the error says what is wrong with it.
    pub(super) fn read(file: &[u8]) -> Result<Self, String> {
        let layout = Layout::of(file)?;
        let damaged = |what: &str| format!("its {what} are damaged");
        let planes = layout.lump(file, PLANES, "planes")?.chunks_exact(20);
        let planes: Option<Vec<_>> = planes.map(|it| Some((floats(it, 0)?, float(it, 12)?))).collect();
        let nodes = layout.lump(file, layout.lumps.nodes, "nodes")?.chunks_exact(layout.node.length);
        let nodes: Option<Vec<_>> = nodes.map(|it| node(it, &layout.node)).collect();
        let vis = layout.lump(file, layout.lumps.vis, "visibility data")?;
        let records = layout.lump(file, layout.lumps.leafs, "leafs")?.chunks_exact(layout.leaf.length);
        let (leafs, rows) = if layout.is_quake2 {
            let leafs: Option<Vec<_>> = records.map(leaf2).collect();
            (leafs, rows2(vis)?)
        } else {
            let models = layout.lump(file, layout.lumps.models, "models")?;
            let count = number(models, 52).and_then(|count| usize::try_from(count).ok());
            let count = count.ok_or_else(|| damaged("models"))?;
            let (leafs, mut rows): (Vec<_>, Vec<_>) =
                records.enumerate().filter_map(|(at, it)| leaf(it, at, &layout.leaf)).unzip();
            // The first leaf is what lies outside; the bits begin with the second.
            rows.drain(..rows.len().min(1));
            rows.truncate(count);
            (Some(leafs), rows)
        };
        let it = Self {
            planes: planes.ok_or_else(|| damaged("planes"))?,
            nodes: nodes.ok_or_else(|| damaged("nodes"))?,
            leafs: leafs.ok_or_else(|| damaged("leafs"))?,
            rows,
            vis: vis.to_vec(),
        };
        if it.nodes.is_empty() || it.leafs.is_empty() {
            return Err("there is nothing in it".into());
        }
        Ok(it)
    }

    /// The cluster of a place; none is outside of the level, or inside of a wall.
    pub(super) fn cluster(&self, place: [f64; 3]) -> Option<usize> {
        let mut at = 0i32;
        for _ in 0..=self.nodes.len() {
            let Ok(node) = usize::try_from(at) else {
                let leaf = usize::try_from(at.checked_add(1)?.checked_neg()?).ok()?;
                return self.leafs.get(leaf)?.cluster;
            };
            let node = self.nodes.get(node)?;
            let (normal, distance) = self.planes.get(node.plane)?;
            let [front, back] = node.children;
            at = if dot(*normal, place) > *distance { front } else { back };
        }
        None
    }

    /// How far one gets from a place on the straight way to another before a wall, at some distance from it. Who begins
    /// in a wall goes where he likes.
    pub(super) fn reach(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
        let mut way = to;
        way.iter_mut().zip(from).for_each(|(to, from)| *to -= from);
        let length = dot(way, way).sqrt();
        let steps = (length / STEP).ceil().clamp(0.0, MOST_STEPS);
        let at = |way: f64| {
            let mut place = from;
            for (place, to) in place.iter_mut().zip(to) {
                *place += (to - *place) * way;
            }
            place
        };
        if steps == 0.0 || self.cluster(from).is_none() {
            return to;
        }
        let mut step = 1.0;
        while step <= steps {
            if self.cluster(at(step / steps)).is_none() {
                return at((step / steps - MARGIN / length).max(0.0));
            }
            step += 1.0;
        }
        to
    }

    /// Adds what is visible from a cluster.
    fn add_visible(&self, cluster: usize, seen: &mut [bool]) {
        let Some(Some(start)) = self.rows.get(cluster).copied() else {
            return seen.fill(true);
        };
        let mut at = 0usize;
        let mut bytes = self.vis.get(start..).unwrap_or_default().iter();
        while at < seen.len() {
            match bytes.next() {
                None => return,
                // A zero stands before the number of zeros.
                Some(0) => {
                    let zeros = usize::from(bytes.next().copied().unwrap_or_default());
                    at = at.saturating_add(zeros.max(1).saturating_mul(8));
                }
                Some(bits) => {
                    for bit in (0..8).filter(|bit| bits & 1 << bit != 0) {
                        if let Some(place) = seen.get_mut(at.saturating_add(bit)) {
                            *place = true;
                        }
                    }
                    at = at.saturating_add(8);
                }
            }
        }
    }

    /// What is visible from around any of these places, cluster by cluster; none if all are in walls.
    pub(super) fn visible(&self, places: &[[f64; 3]]) -> Option<Vec<bool>> {
        let mut clusters: Vec<usize> = places.iter().filter_map(|place| self.cluster(*place)).collect();
        clusters.sort_unstable();
        clusters.dedup();
        if clusters.is_empty() {
            return None;
        }
        let mut seen = vec![false; self.rows.len()];
        for cluster in clusters {
            self.add_visible(cluster, &mut seen);
        }
        Some(seen)
    }

    /// Which part of what is before a camera could not be seen by a player with his eyes at `eyes`, from 0 to 1; none
    /// where one of them is in a wall.
    pub(super) fn hidden(&self, camera: [f64; 3], forward: [f64; 3], eyes: [f64; 3]) -> Option<f64> {
        let by_camera = self.visible(&[camera])?;
        let by_player = self.visible(&around(eyes))?;
        let (mut before, mut hidden) = (0u32, 0u32);
        for leaf in &self.leafs {
            let Some(cluster) = leaf.cluster else { continue };
            if by_camera.get(cluster) == Some(&true) && leaf.is_before(camera, forward) {
                before = before.saturating_add(1);
                hidden = hidden.saturating_add(u32::from(by_player.get(cluster) != Some(&true)));
            }
        }
        (before > 0).then(|| f64::from(hidden) / f64::from(before))
    }
}

/// How far around the eyes servers look (`SV_FatPVS`).
const AROUND: f64 = 8.0;

pub(super) fn around([x, y, z]: [f64; 3]) -> [[f64; 3]; 7] {
    [
        [x, y, z],
        [x - AROUND, y, z],
        [x + AROUND, y, z],
        [x, y - AROUND, z],
        [x, y + AROUND, z],
        [x, y, z - AROUND],
        [x, y, z + AROUND],
    ]
}

fn dot(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

impl Leaf {
    /// Whether a corner of it, or the camera itself, is in the camera's picture: a wide one, for screens differ.
    fn is_before(&self, camera: [f64; 3], forward: [f64; 3]) -> bool {
        /// The cosine of half the widest angle: 120 degrees.
        const WIDE: f64 = 0.5;
        let [[x0, y0, z0], [x1, y1, z1]] = [self.mins, self.maxs];
        let [x, y, z] = camera;
        let is_inside = (x0..=x1).contains(&x) && (y0..=y1).contains(&y) && (z0..=z1).contains(&z);
        let mut corners = [x0, x1].into_iter().flat_map(|x| {
            [y0, y1].into_iter().flat_map(move |y| [z0, z1].into_iter().map(move |z| [x, y, z]))
        });
        is_inside
            || corners.any(|[a, b, c]| {
                let way = [a - x, b - y, c - z];
                dot(way, forward) > WIDE * dot(way, way).sqrt()
            })
    }
}

fn node(it: &[u8], layout: &Record) -> Option<Node> {
    let plane = usize::try_from(number(it, 0)?).ok()?;
    let children = if layout.wide_children {
        [number(it, 4)?, number(it, 8)?]
    } else {
        [i32::from(short(it, 4)?), i32::from(short(it, 6)?)]
    };
    Some(Node { plane, children })
}

/// A leaf of Quake, and where its row begins.
fn leaf(it: &[u8], number_of: usize, layout: &Record) -> Option<(Leaf, Option<usize>)> {
    let row = usize::try_from(number(it, 4)?).ok();
    let (mins, maxs) =
        if layout.wide_box { (floats(it, 8)?, floats(it, 20)?) } else { (shorts(it, 8)?, shorts(it, 14)?) };
    Some((Leaf { cluster: number_of.checked_sub(1), mins, maxs }, row))
}

/// A leaf of Quake II.
fn leaf2(it: &[u8]) -> Option<Leaf> {
    let cluster = usize::try_from(short(it, 4)?).ok();
    Some(Leaf { cluster, mins: shorts(it, 8)?, maxs: shorts(it, 14)? })
}

/// Where the rows of Quake II's clusters begin.
fn rows2(vis: &[u8]) -> Result<Vec<Option<usize>>, String> {
    if vis.is_empty() {
        return Ok(Vec::new());
    }
    let count = number(vis, 0).and_then(|count| usize::try_from(count).ok()).unwrap_or(usize::MAX);
    let table = count.checked_mul(8).and_then(|size| vis.get(4..)?.get(..size));
    let table = table.ok_or("its visibility data are damaged")?;
    Ok(table.chunks_exact(8).map(|pair| usize::try_from(number(pair, 0)?).ok()).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]
    use super::*;

    /// Two rooms with a wall at x = 0; with `sees`, each is seen from the other.
    fn rooms(sees: bool) -> Vec<u8> {
        let plane = [1f32, 0.0, 0.0, 0.0].map(f32::to_le_bytes).concat();
        let planes = [plane, vec![0; 4]].concat();
        let mut node = 0i32.to_le_bytes().to_vec();
        node.extend([-2i16, -3].iter().flat_map(|child| child.to_le_bytes()));
        node.resize(24, 0);
        let leaf = |row: i32, from: i16, to: i16| {
            let mut leaf = (-1i32).to_le_bytes().to_vec();
            leaf.extend(row.to_le_bytes());
            leaf.extend([from, -64, -64, to, 64, 64].iter().flat_map(|part| part.to_le_bytes()));
            leaf.resize(28, 0);
            leaf
        };
        let leafs = [leaf(-1, 0, 0), leaf(0, 0, 64), leaf(1, -64, 0)].concat();
        let mut model = vec![0; 52];
        model.extend(2i32.to_le_bytes());
        model.resize(64, 0);
        let vis = if sees { vec![3, 3] } else { vec![1, 2] };
        let mut lumps = vec![Vec::new(); 15];
        for (at, lump) in [(1, planes), (4, vis), (5, node), (10, leafs), (14, model)] {
            lumps[at] = lump;
        }
        let (mut file, mut body) = (29i32.to_le_bytes().to_vec(), Vec::new());
        for lump in lumps {
            file.extend((124 + body.len() as i32).to_le_bytes());
            file.extend((lump.len() as i32).to_le_bytes());
            body.extend(lump);
        }
        [file, body].concat()
    }

    #[test]
    fn a_camera_behind_a_wall_sees_what_the_player_could_not() {
        let (camera, player) = ([-32.0, 0.0, 0.0], [32.0, 0.0, 0.0]);
        let away = [-1.0, 0.0, 0.0];
        let hidden = |sees: bool| Level::read(&rooms(sees)).unwrap().hidden(camera, away, player);
        assert_eq!((hidden(false), hidden(true)), (Some(1.0), Some(0.0)));
        let level = Level::read(&rooms(false)).unwrap();
        assert_eq!(level.hidden(player, away, player), Some(0.0));
        assert_eq!(level.cluster(player), Some(0));
    }

    #[test]
    fn damaged_levels_do_no_harm() {
        let file = rooms(false);
        let places = [[-32.0, 0.0, 0.0], [32.0, 0.0, 0.0]];
        assert!(Level::read(b"").is_err() && Level::read(b"IBSP\x2e\0\0\0").is_err());
        for length in 0..file.len() {
            let _ = Level::read(&file[..length]);
        }
        for at in 0..file.len() {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                if let Ok(level) = Level::read(&damaged) {
                    let _ = level.hidden(places[0], [1.0, 0.0, 0.0], places[1]);
                }
            }
        }
    }
}
