//! Reads levels: BSP 29, 2PSB and BSP2 of Quake, IBSP 38 of Quake II.
//!
//! A damaged lump stays empty and is listed in [`Bsp::damage`], so that a level with damaged light is still a
//! level. Indices from one lump into another are not checked here: using a wrong one gives `None` or ends a
//! list.
// not from SCHEMA, all words: names in the files of levels.

mod entities;
mod light;
mod records;
mod sight;
pub mod surface;
mod textures;

pub use entities::EntityText;
pub use light::FaceLight;
pub use records::{BrushModel, Edge, Face, Leaf, Node, Plane, TexInfo, Vertex};
pub use sight::around;
pub use textures::MipTexture;
pub(crate) use textures::{LARGEST_TEXTURE, mips};

use crate::error::AssetError;
use crate::record::{Bytes, Record};
use records::{ExtraLump, FaceEdge, LeafFace, Lump};

/// The kind of a level's file.
///
/// ```
/// use moviola_assets::BspKind;
/// assert_eq!(BspKind::of(b"BSP2...."), Some(BspKind::Bsp2));
/// assert_eq!(BspKind::of(b"IBSP\x2e\0\0\0"), None, "that is Quake III's");
/// assert!(BspKind::Ibsp38.is_quake2());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(usize)]
pub enum BspKind {
    /// Quake's own format, BSP 29.
    #[default]
    Bsp29,
    /// Like BSP 29 with wide numbers, as the RMQ engine introduced them.
    Psb2,
    /// With wide numbers, and boxes in floating point.
    Bsp2,
    /// Quake II's format, IBSP 38.
    Ibsp38,
}

impl BspKind {
    /// The kind of a file, by its first bytes.
    pub fn of(file: &[u8]) -> Option<Self> {
        match *file.first_chunk::<4>()? {
            [29, 0, 0, 0] => Some(Self::Bsp29),
            [b'2', b'P', b'S', b'B'] => Some(Self::Psb2),
            [b'B', b'S', b'P', b'2'] => Some(Self::Bsp2),
            [b'I', b'B', b'S', b'P'] => (file.get(4..8)? == [38, 0, 0, 0]).then_some(Self::Ibsp38),
            _ => None,
        }
    }

    /// Whether it is a level of Quake II.
    pub fn is_quake2(self) -> bool {
        self == Self::Ibsp38
    }

    /// The column of the record tables.
    fn layout(self) -> usize {
        self as usize
    }
}

/// A level.
///
/// ```
/// use moviola_assets::Bsp;
/// let error = Bsp::read(b"no level").unwrap_err();
/// assert_eq!(error.part, "header");
///
/// # let mut file = b"BSP2".to_vec();
/// # file.resize(4 + 15 * 8, 0);
/// // A level in which every lump is empty.
/// let level = Bsp::read(&file).unwrap();
/// assert!(level.damage.is_empty() && level.faces.is_empty());
/// assert_eq!(level.corners(0).count(), 0);
/// assert_eq!((level.texture_of(0), level.plane_of(0)), (None, None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Bsp {
    /// The kind of the level's file.
    pub kind: BspKind,
    /// The entity lump, as text.
    pub entities: Vec<u8>,
    /// The planes of faces and nodes.
    pub planes: Vec<Plane>,
    /// The textures of Quake; `None` for one that is not in the level.
    pub textures: Vec<Option<MipTexture>>,
    /// The corners of faces.
    pub vertexes: Vec<Vertex>,
    /// The visibility data, compressed.
    pub visibility: Vec<u8>,
    /// The nodes of the BSP tree.
    pub nodes: Vec<Node>,
    /// The mappings of textures to faces.
    pub texinfos: Vec<TexInfo>,
    /// The faces.
    pub faces: Vec<Face>,
    /// The lightmaps: one byte for each sample in Quake, three in Quake II.
    pub lighting: Vec<u8>,
    /// Quake's lightmaps in color, three bytes for each sample, from a `.lit` file or from a lump of newer
    /// compilers.
    pub color_lighting: Vec<u8>,
    /// The leafs of the BSP tree.
    pub leafs: Vec<Leaf>,
    /// The faces of the leafs, leaf by leaf.
    pub leaf_faces: Vec<u32>,
    /// The edges of faces.
    pub edges: Vec<Edge>,
    /// The edges of each face, one face after another.
    pub face_edges: Vec<i32>,
    /// The level itself, then its moving parts.
    pub models: Vec<BrushModel>,
    /// The errors in the file, lump by lump.
    pub damage: Vec<AssetError>,
}

/// The lumps, with their indices in Quake's header and in Quake II's.
const ENTITIES: [usize; 2] = [0, 0];
const PLANES: [usize; 2] = [1, 1];
const TEXTURES: usize = 2;
const VERTEXES: [usize; 2] = [3, 2];
const VISIBILITY: [usize; 2] = [4, 3];
const NODES: [usize; 2] = [5, 4];
const TEXINFOS: [usize; 2] = [6, 5];
const FACES: [usize; 2] = [7, 6];
const LIGHTING: [usize; 2] = [8, 7];
const LEAFS: [usize; 2] = [10, 8];
const LEAF_FACES: [usize; 2] = [11, 9];
const EDGES: [usize; 2] = [12, 11];
const FACE_EDGES: [usize; 2] = [13, 12];
const MODELS: [usize; 2] = [14, 13];

/// The number of lumps in Quake's header; newer compilers add more after them.
const QUAKE_LUMPS: usize = 15;

/// A file that is being read, and the errors found so far.
struct Reading<'f> {
    file: Bytes<'f>,
    kind: BspKind,
    damage: Vec<AssetError>,
}

impl<'f> Reading<'f> {
    fn lump(&self, part: &'static str, index: usize) -> Result<Bytes<'f>, AssetError> {
        let start = if self.kind.is_quake2() { 8i64 } else { 4 };
        let at = start.saturating_add((index as i64).saturating_mul(8));
        let lump: Lump = self.file.part(part, at, 8)?.record(self.kind.layout())?;
        if lump.length == 0 {
            return self.file.part(part, 0, 0);
        }
        self.file.part(part, lump.offset.into(), lump.length.into())
    }

    fn index(&self, lump: [usize; 2]) -> usize {
        let [quake, quake2] = lump;
        if self.kind.is_quake2() { quake2 } else { quake }
    }

    /// Returns the value that was read, or an empty one after an error, which is listed.
    fn keep<T: Default>(&mut self, read: Result<T, AssetError>) -> T {
        read.unwrap_or_else(|error| {
            self.damage.push(error);
            T::default()
        })
    }

    fn bytes(&mut self, part: &'static str, lump: [usize; 2]) -> Vec<u8> {
        let bytes = self.lump(part, self.index(lump)).map(|lump| lump.remaining().to_vec());
        self.keep(bytes)
    }

    fn records<R: Record>(&mut self, part: &'static str, lump: [usize; 2]) -> Vec<R> {
        let layout = self.kind.layout();
        let records = self.lump(part, self.index(lump)).and_then(|lump| lump.records(layout));
        self.keep(records)
    }
}

impl Bsp {
    /// Reads a level's file.
    pub fn read(file: &[u8]) -> Result<Self, AssetError> {
        let bytes = Bytes::new("header", file);
        let Some(kind) = BspKind::of(file) else {
            return Err(bytes.error("it is not a level of Quake (29, BSP2, 2PSB) or Quake II (IBSP 38)"));
        };
        let mut it = Reading { file: bytes, kind, damage: Vec::new() };
        let textures = if kind.is_quake2() {
            Vec::new()
        } else {
            let textures =
                it.lump("textures", TEXTURES).and_then(|lump| textures::read(lump, &mut it.damage));
            it.keep(textures)
        };
        let leafs = it.records::<Leaf>("leafs", LEAFS);
        let mut level = Self {
            kind,
            entities: it.bytes("entities", ENTITIES),
            planes: it.records("planes", PLANES),
            textures,
            vertexes: it.records("vertexes", VERTEXES),
            visibility: it.bytes("visibility", VISIBILITY),
            nodes: it.records("nodes", NODES),
            texinfos: it.records("texinfos", TEXINFOS),
            faces: it.records("faces", FACES),
            lighting: it.bytes("lighting", LIGHTING),
            color_lighting: Vec::new(),
            leafs: if kind.is_quake2() { leafs } else { sight::numbered(leafs) },
            leaf_faces: it.records::<LeafFace>("leaf faces", LEAF_FACES).iter().map(|it| it.face).collect(),
            edges: it.records("edges", EDGES),
            face_edges: it.records::<FaceEdge>("face edges", FACE_EDGES).iter().map(|it| it.edge).collect(),
            models: it.records("models", MODELS),
            damage: Vec::new(),
        };
        if !kind.is_quake2() {
            let extra = extra_light(&it);
            level.color_lighting =
                it.keep(extra).filter(|it| it.len() == 3 * level.lighting.len()).unwrap_or_default();
        }
        level.damage = it.damage;
        Ok(level)
    }

    /// The corners of a face, in their order around it.
    pub fn corners(&self, face: usize) -> impl Iterator<Item = [f32; 3]> + '_ {
        let edges = self.faces.get(face).and_then(|face| {
            let first = face.first_edge as usize;
            self.face_edges.get(first..first.checked_add(face.edges as usize)?)
        });
        edges.unwrap_or_default().iter().map_while(|edge| {
            let [one, other] = self.edges.get(edge.unsigned_abs() as usize)?.vertexes;
            let vertex = if *edge < 0 { other } else { one };
            Some(self.vertexes.get(vertex as usize)?.point)
        })
    }

    /// The mapping of a face's texture.
    pub fn texture_of(&self, face: usize) -> Option<&TexInfo> {
        self.texinfos.get(self.faces.get(face)?.texinfo as usize)
    }

    /// The plane of a face, with the normal on the face's front side.
    pub fn plane_of(&self, face: usize) -> Option<([f32; 3], f32)> {
        let face = self.faces.get(face)?;
        let plane = self.planes.get(face.plane as usize)?;
        let turned = |plane: &Plane| (plane.normal.map(|part| -part), -plane.dist);
        Some(if face.side == 0 { (plane.normal, plane.dist) } else { turned(plane) })
    }
}

/// The colored lightmaps that newer compilers append to the file (`BSPX`), if there are any.
fn extra_light(it: &Reading<'_>) -> Result<Option<Vec<u8>>, AssetError> {
    const PART: &str = "extra lumps";
    let mut end = 0i64;
    for index in 0..QUAKE_LUMPS {
        let Ok(mut lump) = it.file.part(PART, (index as i64).saturating_mul(8).saturating_add(4), 8) else {
            return Ok(None);
        };
        let lump: Lump = lump.record(it.kind.layout())?;
        end = end.max(i64::from(lump.offset).saturating_add(lump.length.into()));
    }
    let Ok(mut list) = it.file.from(PART, end.saturating_add(3) & !3) else { return Ok(None) };
    if list.take(4) != Ok(b"BSPX") {
        return Ok(None);
    }
    let count = list.count("lumps", 64)?;
    for _ in 0..count {
        let lump: ExtraLump = list.record(0)?;
        if lump.name == "RGBLIGHTING" {
            return Ok(Some(
                it.file.part(PART, lump.offset.into(), lump.length.into())?.remaining().to_vec(),
            ));
        }
    }
    Ok(None)
}
