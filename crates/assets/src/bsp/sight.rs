//! Visibility in a level: leafs, clusters, the rows of visibility data, and lines that end at walls.

use super::{Bsp, Leaf};
use crate::record::{Bytes, Wire};

/// The length of a step along a line, which is thinner than walls, and the most steps of a line.
const STEP: f64 = 2.0;
const MOST_STEPS: f64 = 4096.0;

/// The distance that a camera keeps from a wall, so that it does not see through it.
const MARGIN: f64 = 10.0;

/// The distance around the eyes within which servers look (`SV_FatPVS`).
const AROUND: f64 = 8.0;

/// Sets the cluster of each of Quake's leafs. The first leaf is the outside of the level, so the visibility data begin
/// with the second.
pub(super) fn numbered(mut leafs: Vec<Leaf>) -> Vec<Leaf> {
    for (leaf, number) in leafs.iter_mut().zip(-1i32..) {
        leaf.cluster = number;
    }
    leafs
}

impl Leaf {
    /// The visibility cluster; `None` outside of the level or in a solid leaf.
    pub fn cluster(&self) -> Option<usize> {
        usize::try_from(self.cluster).ok()
    }
}

impl Bsp {
    /// The leaf that contains a place; `None` if the tree is damaged.
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

    /// The cluster of a place; `None` outside of the level or in a solid leaf.
    pub fn cluster_at(&self, place: [f64; 3]) -> Option<usize> {
        self.leafs.get(self.leaf_at(place)?)?.cluster()
    }

    /// The number of clusters of the level.
    pub fn clusters(&self) -> usize {
        if self.kind.is_quake2() {
            let count = Bytes::new("visibility", &self.visibility).value::<i32>().unwrap_or_default();
            return usize::try_from(count).unwrap_or_default().min(self.visibility.len() / 8);
        }
        let most = self.leafs.len().saturating_sub(1);
        self.models.first().map_or(0, |level| level.leafs as usize).min(most)
    }

    /// The offset of a cluster's row in the visibility data; `None` means that the cluster sees everything.
    fn row(&self, cluster: usize) -> Option<usize> {
        if self.kind.is_quake2() {
            let at = cluster.checked_mul(8)?.checked_add(4)?;
            return usize::try_from(i32::get(self.visibility.get(at..)?)?).ok();
        }
        usize::try_from(self.leafs.get(cluster.checked_add(1)?)?.visibility).ok()
    }

    /// Marks the clusters that are visible from a cluster.
    fn add_visible(&self, cluster: usize, seen: &mut [bool]) {
        let row = self.row(cluster).filter(|_| !self.visibility.is_empty());
        let Some(row) = row else { return seen.fill(true) };
        let mut at = 0usize;
        let mut bytes = self.visibility.get(row..).unwrap_or_default().iter();
        while at < seen.len() {
            match bytes.next() {
                None => return,
                // A zero precedes a number of zeros.
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

    /// Whether each cluster is visible from any of these places; `None` if all of them are in walls.
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

    /// The end of a straight line from one place to another: some distance before the first wall, or `to` if there is
    /// none. If the line begins in a wall, the result is `to` too.
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

    /// The share of the leafs in a camera's view that a player with eyes at `eyes` could not see, from 0 to 1; `None`
    /// if one of the two positions is in a wall, or the view has no leafs.
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

/// The places around the eyes from which servers look: an entity that is visible from one of them is sent.
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
    /// Whether a corner of the leaf, or the camera itself, is in the camera's view. The view is wide, because
    /// screens differ.
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

    /// Two rooms with a wall at x = 0, each with a row of visibility data.
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
