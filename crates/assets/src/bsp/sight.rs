//! What can be seen from where in a level: leafs, clusters, rows of visibility data, ways that end at walls.

use super::{Bsp, Leaf};
use crate::record::{Bytes, Wire};

/// A way is looked at in pieces of this length, thinner than walls are; and at most so many of them.
const STEP: f64 = 2.0;
const MOST_STEPS: f64 = 4096.0;

/// How far from a wall a camera stays, so that it does not see through it.
const MARGIN: f64 = 10.0;

/// How far around the eyes servers look (`SV_FatPVS`).
const AROUND: f64 = 8.0;

/// Quake's leafs with the numbers of their clusters. The first is what lies outside, and the bits begin with the second.
pub(super) fn numbered(mut leafs: Vec<Leaf>) -> Vec<Leaf> {
    for (leaf, number) in leafs.iter_mut().zip(-1i32..) {
        leaf.cluster = number;
    }
    leafs
}

impl Leaf {
    /// What sees the same; none is outside of the level, or inside of a wall.
    pub fn cluster(&self) -> Option<usize> {
        usize::try_from(self.cluster).ok()
    }
}

impl Bsp {
    /// The leaf of a place. None is where the tree is damaged.
    pub fn leaf_at(&self, point: [f64; 3]) -> Option<usize> {
        let mut at = 0i32;
        for _ in 0..=self.nodes.len() {
            let Ok(node) = usize::try_from(at) else {
                return usize::try_from(at.checked_add(1)?.checked_neg()?).ok();
            };
            let node = self.nodes.get(node)?;
            let plane = self.planes.get(node.plane as usize)?;
            let [front, back] = node.children;
            at = if dot(plane.normal.map(f64::from), point) > f64::from(plane.dist) { front } else { back };
        }
        None
    }

    /// The cluster of a place; none is outside of the level, or inside of a wall.
    pub fn cluster_at(&self, place: [f64; 3]) -> Option<usize> {
        self.leafs.get(self.leaf_at(place)?)?.cluster()
    }

    /// How many clusters the level has.
    pub fn clusters(&self) -> usize {
        if self.kind.is_quake2() {
            let count = Bytes::new("visibility", &self.visibility).value::<i32>().unwrap_or_default();
            return usize::try_from(count).unwrap_or_default().min(self.visibility.len() / 8);
        }
        let most = self.leafs.len().saturating_sub(1);
        self.models.first().map_or(0, |level| level.leafs as usize).min(most)
    }

    /// Where a cluster's row begins in the visibility data; none sees everything.
    fn row(&self, cluster: usize) -> Option<usize> {
        if self.kind.is_quake2() {
            let at = cluster.checked_mul(8)?.checked_add(4)?;
            return usize::try_from(i32::get(self.visibility.get(at..)?)?).ok();
        }
        usize::try_from(self.leafs.get(cluster.checked_add(1)?)?.visibility).ok()
    }

    /// Adds what is visible from a cluster.
    fn add_visible(&self, cluster: usize, seen: &mut [bool]) {
        let row = self.row(cluster).filter(|_| !self.visibility.is_empty());
        let Some(row) = row else { return seen.fill(true) };
        let mut at = 0usize;
        let mut bytes = self.visibility.get(row..).unwrap_or_default().iter();
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

    /// What is visible from any of these places, cluster by cluster; none if all are in walls.
    ///
    /// ```
    /// let level = moviola_assets::Bsp::default();
    /// let place = [0.0, 0.0, 24.0];
    /// assert_eq!((level.leaf_at(place), level.cluster_at(place), level.clusters()), (None, None, 0));
    /// assert_eq!(level.visible(&moviola_assets::around(place)), None);
    /// assert_eq!(level.reach(place, [64.0, 0.0, 24.0]), [64.0, 0.0, 24.0], "no wall is in the way");
    /// assert_eq!(level.hidden(place, [1.0, 0.0, 0.0], place), None);
    /// assert_eq!(moviola_assets::Leaf { cluster: -1, ..Default::default() }.cluster(), None);
    /// ```
    pub fn visible(&self, places: &[[f64; 3]]) -> Option<Vec<bool>> {
        let mut clusters: Vec<usize> = places.iter().filter_map(|place| self.cluster_at(*place)).collect();
        clusters.sort_unstable();
        clusters.dedup();
        if clusters.is_empty() {
            return None;
        }
        let mut seen = vec![false; self.clusters()];
        for cluster in clusters {
            self.add_visible(cluster, &mut seen);
        }
        Some(seen)
    }

    /// How far one gets from a place on the straight way to another before a wall, at some distance from it. A way that
    /// begins in a wall has no end before its own.
    pub fn reach(&self, from: [f64; 3], to: [f64; 3]) -> [f64; 3] {
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
        if steps == 0.0 || self.cluster_at(from).is_none() {
            return to;
        }
        let mut step = 1.0;
        while step <= steps {
            if self.cluster_at(at(step / steps)).is_none() {
                return at((step / steps - MARGIN / length).max(0.0));
            }
            step += 1.0;
        }
        to
    }

    /// Which part of what is before a camera could not be seen by a player with his eyes at `eyes`, from 0 to 1; none
    /// where one of them is in a wall.
    pub fn hidden(&self, camera: [f64; 3], forward: [f64; 3], eyes: [f64; 3]) -> Option<f64> {
        let by_camera = self.visible(&[camera])?;
        let by_player = self.visible(&around(eyes))?;
        let (mut before, mut hidden) = (0u32, 0u32);
        for leaf in &self.leafs {
            let Some(cluster) = leaf.cluster() else { continue };
            if by_camera.get(cluster) == Some(&true) && leaf.is_before(camera, forward) {
                before = before.saturating_add(1);
                hidden = hidden.saturating_add(u32::from(by_player.get(cluster) != Some(&true)));
            }
        }
        (before > 0).then(|| f64::from(hidden) / f64::from(before))
    }
}

/// Places around the eyes, as servers look from: an entity that one of them sees is sent.
///
/// ```
/// let places = moviola_assets::around([0.0, 0.0, 22.0]);
/// assert_eq!((places.len(), places[1]), (7, [-8.0, 0.0, 22.0]));
/// ```
pub fn around([x, y, z]: [f64; 3]) -> [[f64; 3]; 7] {
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
        let [[x0, y0, z0], [x1, y1, z1]] = [self.mins, self.maxs].map(|corner| corner.map(f64::from));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BrushModel, BspKind, Node, Plane};

    /// Two rooms with a wall at x = 0, each with its row of visibility data.
    fn rooms(visibility: [u8; 2]) -> Bsp {
        let leaf = |row: i32, from: f32, to: f32| Leaf {
            visibility: row,
            mins: [from, -64.0, -64.0],
            maxs: [to, 64.0, 64.0],
            ..Leaf::default()
        };
        Bsp {
            kind: BspKind::Bsp29,
            planes: vec![Plane { normal: [1.0, 0.0, 0.0], ..Plane::default() }],
            nodes: vec![Node { children: [-2, -3], ..Node::default() }],
            leafs: numbered(vec![leaf(-1, 0.0, 0.0), leaf(0, 0.0, 64.0), leaf(1, -64.0, 0.0)]),
            models: vec![BrushModel { leafs: 2, ..BrushModel::default() }],
            visibility: visibility.to_vec(),
            ..Bsp::default()
        }
    }

    #[test]
    fn a_camera_behind_a_wall_sees_what_the_player_could_not() {
        let (camera, player) = ([-32.0, 0.0, 0.0], [32.0, 0.0, 0.0]);
        let away = [-1.0, 0.0, 0.0];
        assert_eq!(rooms([1, 2]).hidden(camera, away, player), Some(1.0), "neither room sees the other");
        assert_eq!(rooms([3, 3]).hidden(camera, away, player), Some(0.0), "both rooms see each other");
        assert_eq!(rooms([1, 2]).hidden(player, away, player), Some(0.0));
        assert_eq!(rooms([1, 2]).cluster_at(player), Some(0));
    }
}
