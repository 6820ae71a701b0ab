//! Reads sprites: SPR of Quake, with its pictures, and SP2 of Quake II, whose pictures are files of their
//! own.
// not from SCHEMA, all words: names in the files of sprites.

use crate::error::AssetError;
use crate::groups::AnimationGroup;
use crate::model::group;
use crate::picture::Picture;
use crate::record::{Bytes, records};

/// The direction in which a sprite faces.
///
/// ```
/// assert_eq!(moviola_assets::Facing::default(), moviola_assets::Facing::Parallel);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facing {
    /// Upright, and parallel to the screen.
    ParallelUpright,
    /// Upright, and turned to the eye.
    Upright,
    /// Parallel to the screen, as all sprites of Quake II are.
    #[default]
    Parallel,
    /// With the angles of its entity.
    Oriented,
    /// Parallel to the screen, and rotated by its entity's roll.
    ParallelOriented,
}

/// A sprite.
///
/// ```
/// use moviola_assets::{Facing, SpriteModel};
/// # let mut file = b"IDSP\x01\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0".to_vec();
/// # file.extend(b"\0\0\0\0\xFF\xFF\xFF\xFF\x02\0\0\0\x01\0\0\0\x01\0\0\0\x07");
/// let sprite = SpriteModel::read(&file).unwrap();
/// assert_eq!(sprite.facing, Facing::Parallel);
/// let picture = sprite.picture_at(0, 0.0).unwrap();
/// assert_eq!((picture.corner, picture.picture.pixel(0, 0)), ([-1, 2], Some(7)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpriteModel {
    /// The direction in which it faces.
    pub facing: Facing,
    /// The distance by which it is moved towards the eye.
    pub beam_length: f32,
    /// Whether each entity has a random start time for groups.
    pub is_random: bool,
    /// Its frames; a frame that is a group has several pictures.
    pub frames: Vec<AnimationGroup<SpritePicture>>,
}

/// A picture of a sprite.
///
/// ```
/// let picture = moviola_assets::SpritePicture { file: "sprites/s_bfg1_0.pcx".into(), ..Default::default() };
/// assert!(picture.picture.pixels.is_empty(), "its pixels are in the file");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpritePicture {
    /// The position of its left upper corner: to the right of the sprite's place, and above it.
    pub corner: [i32; 2],
    /// Its width and height.
    pub size: [u32; 2],
    /// Its pixels (Quake).
    pub picture: Picture,
    /// The file of its pixels (Quake II).
    pub file: String,
}

records! {
    struct SprHeader {
        magic: [u8; 4] = [[u8; 4]];
        version: i32 = [i32];
        facing: i32 = [i32];
        radius: f32 = [f32];
        width: i32 = [i32];
        height: i32 = [i32];
        frames: u32 = [i32];
        beam_length: f32 = [f32];
        sync: i32 = [i32];
    }

    struct SprPicture {
        corner: [i32; 2] = [[i32; 2]];
        size: [u32; 2] = [[i32; 2]];
    }

    struct Sp2Header {
        magic: [u8; 4] = [[u8; 4]];
        version: i32 = [i32];
        frames: u32 = [i32];
    }

    struct Sp2Frame {
        size: [u32; 2] = [[i32; 2]];
        origin: [i32; 2] = [[i32; 2]];
        file: String = [[u8; 64]];
    }
}

impl SpriteModel {
    /// Reads an SPR or an SP2 file.
    pub fn read(file: &[u8]) -> Result<Self, AssetError> {
        let bytes = Bytes::new("header", file);
        match file.get(..8) {
            Some([b'I', b'D', b'S', b'P', 1, 0, 0, 0]) => spr(bytes),
            Some([b'I', b'D', b'S', b'2', 2, 0, 0, 0]) => sp2(bytes),
            _ => Err(bytes.error("it is not a sprite: neither SPR 1 nor SP2 2")),
        }
    }

    /// The picture of a frame at a time. A frame that the sprite does not have shows the first.
    pub fn picture_at(&self, frame: usize, time: f64) -> Option<&SpritePicture> {
        self.frames.get(frame).or(self.frames.first())?.at(time)
    }
}

fn spr(mut bytes: Bytes<'_>) -> Result<SpriteModel, AssetError> {
    let it: SprHeader = bytes.record(0)?;
    let mut bytes = bytes.named("frames");
    let mut frames = Vec::new();
    for _ in 0..it.frames {
        frames.push(group(&mut bytes, false, |bytes| {
            let SprPicture { corner, size } = bytes.record(0)?;
            let [width, height] = size;
            let pixels = bytes.take_many(width as usize, height as usize)?.to_vec();
            Ok(SpritePicture {
                corner,
                size,
                picture: Picture { width, height, pixels },
                file: String::new(),
            })
        })?);
    }
    let facing = match it.facing {
        0 => Facing::ParallelUpright,
        1 => Facing::Upright,
        3 => Facing::Oriented,
        4 => Facing::ParallelOriented,
        _ => Facing::Parallel,
    };
    Ok(SpriteModel { facing, beam_length: it.beam_length, is_random: it.sync == 1, frames })
}

fn sp2(mut bytes: Bytes<'_>) -> Result<SpriteModel, AssetError> {
    let it: Sp2Header = bytes.record(0)?;
    let frames: Vec<Sp2Frame> = bytes.named("frames").some_records(it.frames as usize, 0)?;
    let picture = |Sp2Frame { size, origin: [x, y], file }: Sp2Frame| {
        let top = i32::try_from(size[1]).unwrap_or_default().saturating_sub(y);
        let corner = [x.saturating_neg(), top];
        let picture = SpritePicture { corner, size, picture: Picture::empty(), file };
        AnimationGroup { items: vec![picture], ends: Vec::new() }
    };
    Ok(SpriteModel { frames: frames.into_iter().map(picture).collect(), ..SpriteModel::default() })
}
