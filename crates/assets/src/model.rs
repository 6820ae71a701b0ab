//! Reads models of triangles: MDL of Quake and MD2 of Quake II, as one type.
// not from SCHEMA, all words: names in the files of models.

use crate::error::AssetError;
use crate::groups::AnimationGroup;
use crate::picture::Picture;
use crate::record::{Bytes, Pad, Record, records};

/// The kind of a model's file.
///
/// ```
/// assert_ne!(moviola_assets::ModelKind::Mdl, moviola_assets::ModelKind::Md2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelKind {
    /// Quake's.
    #[default]
    Mdl,
    /// Quake II's.
    Md2,
}

/// A model of triangles.
///
/// ```
/// use moviola_assets::AliasModel;
/// let error = AliasModel::read(b"IDPO\x06\0\0\0").unwrap_err();
/// assert_eq!(error.part, "header");
/// let empty = AliasModel::default();
/// assert_eq!(empty.pose_at(3, 0.0), None, "it has no frame");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AliasModel {
    /// The kind of the model's file.
    pub kind: ModelKind,
    /// Quake's flags: trails, rotation.
    pub flags: u32,
    /// Whether each entity has a random start time for groups.
    pub is_random: bool,
    /// Its radius (Quake).
    pub radius: f32,
    /// The pictures of Quake's skins.
    pub skins: Vec<AnimationGroup<Picture>>,
    /// The files of Quake II's skins.
    pub skin_files: Vec<String>,
    /// The width and height of its skins, in texels.
    pub skin_size: [u32; 2],
    /// Coordinates on the skin, 0 to 1.
    pub coords: Vec<[f32; 2]>,
    /// The triangles.
    pub triangles: Vec<ModelTriangle>,
    /// The frames; a frame that is a group has several poses.
    pub frames: Vec<ModelFrame>,
    /// All poses.
    pub poses: Vec<ModelPose>,
}

/// A triangle, clockwise as seen from outside.
///
/// ```
/// let triangle = moviola_assets::ModelTriangle { points: [0, 1, 2], coords: [0, 1, 2] };
/// assert_eq!(triangle.points, triangle.coords);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelTriangle {
    /// The indices of its corners among a pose's points.
    pub points: [u32; 3],
    /// The indices of its corners among the coordinates on the skin.
    pub coords: [u32; 3],
}

/// A frame.
///
/// ```
/// let frame = moviola_assets::ModelFrame { name: "stand1".into(), ..Default::default() };
/// assert!(frame.poses.items.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelFrame {
    /// Its name.
    pub name: String,
    /// The indices of its poses.
    pub poses: AnimationGroup<usize>,
}

/// The places of all points of a model in a pose.
///
/// ```
/// use moviola_assets::ModelPose;
/// let pose = ModelPose { scale: [2.0; 3], translate: [-1.0; 3], points: vec![[0, 1, 2, 5]] };
/// assert_eq!(pose.place(0), Some([-1.0, 1.0, 3.0]));
/// assert_eq!(pose.place(1), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPose {
    /// Factors: a point's coordinate is its number times this, plus `translate`.
    pub scale: [f32; 3],
    /// Offsets that are added after the multiplication.
    pub translate: [f32; 3],
    /// For each point, three coordinates as numbers of 0 to 255, and the index of its normal.
    pub points: Vec<[u8; 4]>,
}

impl ModelPose {
    /// The place of a point.
    pub fn place(&self, point: usize) -> Option<[f32; 3]> {
        let [x, y, z, _] = *self.points.get(point)?;
        let [[sx, sy, sz], [tx, ty, tz]] = [self.scale, self.translate];
        Some([f32::from(x) * sx + tx, f32::from(y) * sy + ty, f32::from(z) * sz + tz])
    }
}

records! {
    struct MdlHeader {
        magic: [u8; 4] = [[u8; 4]];
        version: i32 = [i32];
        scale: [f32; 3] = [[f32; 3]];
        translate: [f32; 3] = [[f32; 3]];
        radius: f32 = [f32];
        eyes: [f32; 3] = [[f32; 3]];
        skins: u32 = [i32];
        skin_width: u32 = [i32];
        skin_height: u32 = [i32];
        points: u32 = [i32];
        triangles: u32 = [i32];
        frames: u32 = [i32];
        sync: i32 = [i32];
        flags: u32 = [u32];
        size: f32 = [f32];
    }

    struct MdlCoord {
        on_seam: i32 = [i32];
        s: i32 = [i32];
        t: i32 = [i32];
    }

    struct MdlTriangle {
        is_front: i32 = [i32];
        points: [u32; 3] = [[i32; 3]];
    }

    /// A pose, before its points.
    struct MdlPose {
        mins: [u8; 4] = [[u8; 4]];
        maxs: [u8; 4] = [[u8; 4]];
        name: String = [[u8; 16]];
    }

    struct Md2Header {
        magic: [u8; 4] = [[u8; 4]];
        version: i32 = [i32];
        skin_width: u32 = [i32];
        skin_height: u32 = [i32];
        frame_size: u32 = [i32];
        skins: u32 = [i32];
        points: u32 = [i32];
        coords: u32 = [i32];
        triangles: u32 = [i32];
        commands: u32 = [i32];
        frames: u32 = [i32];
        skins_at: i32 = [i32];
        coords_at: i32 = [i32];
        triangles_at: i32 = [i32];
        frames_at: i32 = [i32];
        commands_at: i32 = [i32];
        end: i32 = [i32];
    }

    struct Md2Skin {
        name: String = [[u8; 64]];
    }

    struct Md2Coord {
        s: i32 = [i16];
        t: i32 = [i16];
    }

    struct Md2Triangle {
        points: [u32; 3] = [[u16; 3]];
        coords: [u32; 3] = [[u16; 3]];
    }

    struct Md2Frame {
        scale: [f32; 3] = [[f32; 3]];
        translate: [f32; 3] = [[f32; 3]];
        name: String = [[u8; 16]];
    }

    /// The box around a group's poses, which is not used.
    struct GroupBox {
        unread: () = [Pad<8>];
    }
}

impl AliasModel {
    /// Reads an MDL or an MD2 file.
    pub fn read(file: &[u8]) -> Result<Self, AssetError> {
        let bytes = Bytes::new("header", file);
        match file.get(..8) {
            Some([b'I', b'D', b'P', b'O', 6, 0, 0, 0]) => mdl(bytes),
            Some([b'I', b'D', b'P', b'2', 8, 0, 0, 0]) => md2(bytes),
            _ => Err(bytes.error("it is not a model: neither MDL 6 nor MD2 8")),
        }
    }

    /// The index of the pose that a frame shows at a time. A frame that the model does not have shows the
    /// first.
    pub fn pose_at(&self, frame: usize, time: f64) -> Option<usize> {
        let frame = self.frames.get(frame).or(self.frames.first())?;
        frame.poses.at(time).copied()
    }
}

/// Reads an item or a group: first a number that is 0 for one item, then that item, or items with their end
/// times.
pub(crate) fn group<'f, T>(
    bytes: &mut Bytes<'f>,
    has_box: bool,
    mut item: impl FnMut(&mut Bytes<'f>) -> Result<T, AssetError>,
) -> Result<AnimationGroup<T>, AssetError> {
    if bytes.value::<i32>()? == 0 {
        return Ok(AnimationGroup { items: vec![item(bytes)?], ends: Vec::new() });
    }
    let most = bytes.len() / 4;
    let count = bytes.count("items of a group", most)?;
    if has_box {
        bytes.record::<GroupBox>(0)?;
    }
    let ends = bytes.take_many(count, 4)?;
    let ends = ends.chunks_exact(4).filter_map(crate::record::Wire::get).collect();
    let items = (0..count).map(|_| item(bytes)).collect::<Result<_, _>>()?;
    Ok(AnimationGroup { items, ends })
}

fn mdl(mut bytes: Bytes<'_>) -> Result<AliasModel, AssetError> {
    let start = bytes;
    let it: MdlHeader = bytes.record(0)?;
    let [width, height] = [it.skin_width, it.skin_height];
    let mut left = bytes.len();
    let claims = [it.skins, it.points, it.triangles, it.frames].map(|count| count as usize);
    if claims.iter().any(|count| *count > left) || width.max(height) > crate::bsp::LARGEST_TEXTURE {
        return Err(start.error("its counts do not fit into the file"));
    }
    let mut bytes = bytes.named("skins");
    let mut skins = Vec::new();
    for _ in 0..it.skins {
        skins.push(group(&mut bytes, false, |bytes| {
            let pixels = bytes.take_many(width as usize, height as usize)?.to_vec();
            // An empty skin also reduces the limit, so that the number of skins is limited.
            left = left.checked_sub(pixels.len().max(4)).ok_or_else(|| bytes.error("too many skins"))?;
            Ok(Picture { width, height, pixels })
        })?);
    }
    let mut bytes = bytes.named("coordinates");
    let on_skin: Vec<MdlCoord> = bytes.some_records(it.points as usize, 0)?;
    let mut bytes = bytes.named("triangles");
    let faces: Vec<MdlTriangle> = bytes.some_records(it.triangles as usize, 0)?;
    let place = |at: &MdlCoord, shift: u32| {
        let s = at.s as f32 + shift as f32;
        [(s + 0.5) / width.max(1) as f32, (at.t as f32 + 0.5) / height.max(1) as f32]
    };
    // The back half of the skin, for triangles that face backwards, is to the right of the front half.
    let front = on_skin.iter().map(|at| place(at, 0));
    let back = on_skin.iter().map(|at| place(at, if at.on_seam == 0 { 0 } else { width / 2 }));
    let coords = front.chain(back).collect();
    let triangle = |face: &MdlTriangle| {
        let shift = if face.is_front == 0 { it.points } else { 0 };
        let coords = face.points.map(|point| point.saturating_add(shift));
        ModelTriangle { points: face.points, coords }
    };
    let triangles = faces.iter().map(triangle).collect();
    let mut bytes = bytes.named("frames");
    let mut poses = Vec::new();
    let mut frames = Vec::new();
    for _ in 0..it.frames {
        let mut name = String::new();
        let poses = group(&mut bytes, true, |bytes| {
            name = bytes.record::<MdlPose>(0)?.name;
            let points = bytes.value_list(it.points as usize)?;
            poses.push(ModelPose { scale: it.scale, translate: it.translate, points });
            Ok(poses.len() - 1)
        })?;
        frames.push(ModelFrame { name, poses });
    }
    Ok(AliasModel {
        kind: ModelKind::Mdl,
        flags: it.flags,
        is_random: it.sync == 1,
        radius: it.radius,
        skins,
        skin_files: Vec::new(),
        skin_size: [width, height],
        coords,
        triangles,
        frames,
        poses,
    })
}

fn md2(file: Bytes<'_>) -> Result<AliasModel, AssetError> {
    let it: Md2Header = Bytes::record(&mut file.clone(), 0)?;
    let part = |name: &'static str, at: i32| file.from(name, at.into());
    let skins: Vec<Md2Skin> = part("skins", it.skins_at)?.some_records(it.skins as usize, 0)?;
    let coords: Vec<Md2Coord> = part("coordinates", it.coords_at)?.some_records(it.coords as usize, 0)?;
    let faces: Vec<Md2Triangle> =
        part("triangles", it.triangles_at)?.some_records(it.triangles as usize, 0)?;
    let size = Md2Frame::size(0).saturating_add(4 * it.points as usize);
    let all = part("frames", it.frames_at)?;
    if (it.frame_size as usize) < size {
        return Err(all.error(format!("a frame has {} bytes and needs {size}", it.frame_size)));
    }
    let [width, height] = [it.skin_width, it.skin_height];
    let place = |at: &Md2Coord| {
        [(at.s as f32 + 0.5) / width.max(1) as f32, (at.t as f32 + 0.5) / height.max(1) as f32]
    };
    let mut list = all;
    let all = list.take_many(it.frames as usize, it.frame_size as usize)?;
    let (mut poses, mut frames) = (Vec::new(), Vec::new());
    for frame in all.chunks_exact(it.frame_size as usize) {
        let mut bytes = Bytes::new("frames", frame);
        let Md2Frame { scale, translate, name } = bytes.record(0)?;
        frames
            .push(ModelFrame { name, poses: AnimationGroup { items: vec![poses.len()], ends: Vec::new() } });
        poses.push(ModelPose { scale, translate, points: bytes.value_list(it.points as usize)? });
    }
    Ok(AliasModel {
        kind: ModelKind::Md2,
        skin_files: skins.into_iter().map(|skin| skin.name).collect(),
        skin_size: [width, height],
        coords: coords.iter().map(place).collect(),
        triangles: faces
            .into_iter()
            .map(|face| ModelTriangle { points: face.points, coords: face.coords })
            .collect(),
        frames,
        poses,
        ..AliasModel::default()
    })
}
