//! The textures in a level of Quake, each in four sizes.

use super::records::MipHeader;
use crate::error::AssetError;
use crate::picture::Picture;
use crate::record::Bytes;

/// A texture of a level or of a WAL file: four mip levels, each half as large as the one before.
///
/// ```
/// let texture = moviola_assets::MipTexture { name: "+0slip".into(), ..Default::default() };
/// assert!(texture.mips.iter().all(|mip| mip.pixels.is_empty()), "its pixels are elsewhere");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MipTexture {
    /// Its name, without folder and extension.
    pub name: String,
    /// Its width in texels, even if its pixels are in another file.
    pub width: u32,
    /// Its height in texels.
    pub height: u32,
    /// Its pixels; empty if they are in another file.
    pub mips: [Picture; 4],
}

impl MipTexture {
    /// Whether its name begins with this word, in capitals or not.
    ///
    /// ```
    /// let texture = moviola_assets::MipTexture { name: "*LAVA1".into(), ..Default::default() };
    /// assert!(texture.begins_with("*lava") && !texture.begins_with("sky"));
    /// ```
    pub fn begins_with(&self, word: &str) -> bool {
        self.name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    }

    /// Whether Quake draws its surfaces as the sky.
    ///
    /// ```
    /// let texture = moviola_assets::MipTexture { name: "sky4".into(), ..Default::default() };
    /// assert!(texture.is_sky() && !texture.is_liquid());
    /// ```
    pub fn is_sky(&self) -> bool {
        self.begins_with("sky") // not from SCHEMA: the name of a texture
    }

    /// Whether Quake draws its surfaces as water, slime, lava or a teleport.
    ///
    /// ```
    /// let texture = moviola_assets::MipTexture { name: "*04water1".into(), ..Default::default() };
    /// assert!(texture.is_liquid() && !texture.is_sky());
    /// ```
    pub fn is_liquid(&self) -> bool {
        self.begins_with("*")
    }
}

/// The largest width and height of a texture.
pub(crate) const LARGEST_TEXTURE: u32 = 8192;

/// Reads the lump of textures. A damaged texture becomes `None`, and its error is listed.
pub(super) fn read(
    lump: Bytes<'_>,
    damage: &mut Vec<AssetError>,
) -> Result<Vec<Option<MipTexture>>, AssetError> {
    if lump.len() == 0 {
        return Ok(Vec::new());
    }
    let mut list = lump;
    let count = list.count("textures", lump.len() / 4)?;
    // The total size is limited, since textures that overlap would need more memory than the file has bytes.
    let mut left = lump.len();
    let mut textures = Vec::with_capacity(count);
    for _ in 0..count {
        let offset: i32 = list.value()?;
        let texture = (offset >= 0)
            .then(|| lump.from("textures", offset.into()).and_then(|bytes| texture(bytes, &mut left)))
            .transpose();
        textures.push(texture.unwrap_or_else(|error| {
            // One error is enough for a lump in which nothing is valid.
            if damage.last().is_none_or(|last| last.part != error.part) {
                damage.push(error);
            }
            None
        }));
    }
    Ok(textures)
}

fn texture(bytes: Bytes<'_>, left: &mut usize) -> Result<MipTexture, AssetError> {
    let mut header = bytes;
    let MipHeader { name, width, height, offsets } = header.record(0)?;
    if width > LARGEST_TEXTURE || height > LARGEST_TEXTURE {
        return Err(bytes.error(format!("{name} has {width}x{height} texels")));
    }
    let mips = mips(bytes, width, height, offsets, left)?;
    Ok(MipTexture { name, width, height, mips })
}

/// The four pictures after a header. Pictures in another file have the offset zero.
pub(crate) fn mips(
    bytes: Bytes<'_>,
    width: u32,
    height: u32,
    offsets: [u32; 4],
    budget: &mut usize,
) -> Result<[Picture; 4], AssetError> {
    let mut mips = [const { Picture::empty() }; 4];
    for ((mip, offset), level) in mips.iter_mut().zip(offsets).zip(0u32..) {
        let (width, height) = (width >> level, height >> level);
        let length = width as usize * height as usize;
        if offset == 0 || length == 0 {
            continue;
        }
        let pixels = bytes.part("textures", offset.into(), length as i64)?.remaining();
        *budget = budget.checked_sub(length).ok_or_else(|| bytes.error("textures stand on each other"))?;
        *mip = Picture { width, height, pixels: pixels.to_vec() };
    }
    Ok(mips)
}
