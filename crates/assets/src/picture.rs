//! Reads pictures of palette colors: `.lmp`, PCX, WAL; the palette and the colormap; and TGA, which has true
//! colors.
// not from SCHEMA, all words: parts of the files of pictures.

use crate::bsp::MipTexture;
use crate::error::AssetError;
use crate::record::{Bytes, Pad, records};

/// A picture whose pixels are indices of palette colors, row by row from the top.
///
/// ```
/// use moviola_assets::Picture;
/// let picture = Picture::read(b"\x02\0\0\0\x01\0\0\0\x0A\xFF").unwrap();
/// assert_eq!((picture.width, picture.height), (2, 1));
/// assert_eq!((picture.pixel(1, 0), picture.pixel(2, 0)), (Some(255), None));
/// assert_eq!(Picture::empty(), Picture::default());
/// assert!(Picture::read_pcx(b"no PCX").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// `width` times `height` palette colors.
    pub pixels: Vec<u8>,
}

/// A picture in true colors: red, green, blue, opacity.
///
/// ```
/// // One pixel of 32 bits, as TGA files have it: blue first.
/// let file = [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 8][..], &[1, 2, 3, 255]].concat();
/// let picture = moviola_assets::ColorPicture::read_tga(&file).unwrap();
/// assert_eq!(picture.pixels, [[3, 2, 1, 255]]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColorPicture {
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// `width` times `height` colors.
    pub pixels: Vec<[u8; 4]>,
}

/// The red, green and blue of all palette colors.
///
/// ```
/// use moviola_assets::Palette;
/// let palette = Palette::read(&[7; 768]).unwrap();
/// assert_eq!(palette.0[255], [7, 7, 7]);
/// assert!(Palette::read(&[7; 767]).is_err());
/// assert_eq!(Palette::default().0[15], [15, 15, 15], "shades of gray, where there is no file");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette(pub Box<[[u8; 3]; 256]>);

impl Default for Palette {
    fn default() -> Self {
        Self(Box::new(std::array::from_fn(|color| [color as u8; 3])))
    }
}

/// The palette color that each color becomes in each of 64 lights; row 0 is the brightest.
///
/// ```
/// use moviola_assets::Colormap;
/// let rows = [[9; 256]; 64].concat();
/// let colormap = Colormap::read(&rows).unwrap();
/// assert_eq!(colormap.row(63)[0], 9);
/// assert_eq!(colormap.row(64), colormap.row(63));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colormap(Box<[[u8; 256]; 64]>);

impl Default for Colormap {
    fn default() -> Self {
        Self(Box::new([std::array::from_fn(|color| color as u8); 64]))
    }
}

records! {
    pub(crate) struct PictureHeader {
        width: i32 = [i32];
        height: i32 = [i32];
    }

    struct PcxHeader {
        manufacturer: u8 = [u8];
        version: u8 = [u8];
        encoding: u8 = [u8];
        bits: u8 = [u8];
        mins: [u32; 2] = [[u16; 2]];
        maxs: [u32; 2] = [[u16; 2]];
        unread: () = [Pad<54>];
        row: u32 = [u16];
        rest: () = [Pad<60>];
    }

    struct TgaHeader {
        id_length: u8 = [u8];
        colormap: u8 = [u8];
        kind: u8 = [u8];
        unread: () = [Pad<9>];
        width: u32 = [u16];
        height: u32 = [u16];
        bits: u8 = [u8];
        attributes: u8 = [u8];
    }

    struct WalHeader {
        name: String = [[u8; 32]];
        width: u32 = [u32];
        height: u32 = [u32];
        offsets: [u32; 4] = [[u32; 4]];
        next: String = [[u8; 32]];
        flags: u32 = [u32];
        contents: i32 = [i32];
        value: i32 = [i32];
    }
}

/// The flag of TGA files that store the top row first.
const FROM_TOP: u8 = 0x20;

/// The most pixels of a picture.
const MOST_PIXELS: usize = 1 << 26;

/// The longest side of a picture.
const MAX_SIDE: u32 = 1 << 14;

impl Picture {
    /// A picture without pixels.
    pub const fn empty() -> Self {
        Self { width: 0, height: 0, pixels: Vec::new() }
    }

    /// The color of a pixel.
    pub fn pixel(&self, x: u32, y: u32) -> Option<u8> {
        let at = (y as usize).checked_mul(self.width as usize)?.checked_add(x as usize)?;
        (x < self.width).then_some(*self.pixels.get(at)?)
    }

    /// Reads a picture of Quake, `.lmp`: width, height, colors.
    pub fn read(file: &[u8]) -> Result<Self, AssetError> {
        let mut bytes = Bytes::new("header", file);
        let start = bytes;
        let PictureHeader { width, height } = bytes.record(0)?;
        let side = |side: i32| u32::try_from(side).ok().filter(|side| *side <= MAX_SIDE);
        let (Some(width), Some(height)) = (side(width), side(height)) else {
            return Err(start.error(format!("no picture is {width}x{height}")));
        };
        let pixels = bytes.named("pixels").take_many(width as usize, height as usize)?.to_vec();
        Ok(Self { width, height, pixels })
    }

    /// Reads a PCX file, and the palette at its end.
    pub fn read_pcx(file: &[u8]) -> Result<(Self, Option<Palette>), AssetError> {
        let mut bytes = Bytes::new("header", file);
        let start = bytes;
        let it: PcxHeader = bytes.record(0)?;
        if (it.manufacturer, it.encoding, it.bits) != (10, 1, 8) {
            return Err(start.error("it is not a PCX file with a byte a pixel"));
        }
        let [[left, top], [right, bottom]] = [it.mins, it.maxs];
        let (Some(width), Some(height)) = (right.checked_sub(left), bottom.checked_sub(top)) else {
            return Err(start.error("its corners are in the wrong order"));
        };
        let (width, height) = (width.saturating_add(1), height.saturating_add(1));
        let row = it.row.max(width) as usize;
        let length = row.saturating_mul(height as usize);
        // Two bytes make at most 63 pixels.
        if length > MOST_PIXELS || length / 32 > file.len() {
            return Err(start.error(format!("{width}x{height} pixels do not fit into {} bytes", file.len())));
        }
        let mut data = bytes.named("pixels");
        let mut pixels = Vec::with_capacity(length);
        while pixels.len() < length {
            let byte: u8 = data.value()?;
            let (count, color) =
                if byte >= 0xC0 { (usize::from(byte & 0x3F), data.value()?) } else { (1, byte) };
            let count = count.min(length.saturating_sub(pixels.len()));
            pixels.extend(std::iter::repeat_n(color, count));
        }
        let cut = |row: &[u8]| row.get(..width as usize).unwrap_or_default().to_vec();
        let pixels = pixels.chunks_exact(row.max(1)).flat_map(cut).collect();
        let palette = file
            .len()
            .checked_sub(769)
            .and_then(|at| file.get(at..))
            .and_then(|end| end.strip_prefix(&[0x0C]))
            .and_then(|colors| Palette::read(colors).ok());
        Ok((Self { width, height, pixels }, palette))
    }
}

impl MipTexture {
    /// Reads a WAL file, a texture of Quake II.
    ///
    /// ```
    /// let error = moviola_assets::MipTexture::read_wal(b"too short").unwrap_err();
    /// assert_eq!(error.part, "header");
    /// ```
    pub fn read_wal(file: &[u8]) -> Result<Self, AssetError> {
        let bytes = Bytes::new("header", file);
        let WalHeader { name, width, height, offsets, .. } = Bytes::new("header", file).record(0)?;
        if width > crate::bsp::LARGEST_TEXTURE || height > crate::bsp::LARGEST_TEXTURE {
            return Err(bytes.error(format!("{name} has {width}x{height} texels")));
        }
        let mips = crate::bsp::mips(bytes, width, height, offsets, &mut file.len())?;
        Ok(Self { name, width, height, mips })
    }
}

impl ColorPicture {
    /// Reads a TGA file with 24 or 32 bits per pixel, compressed or not. As in the games, its rows run from
    /// the bottom to the top unless the file has the flag for the opposite.
    pub fn read_tga(file: &[u8]) -> Result<Self, AssetError> {
        let mut bytes = Bytes::new("header", file);
        let start = bytes;
        let it: TgaHeader = bytes.record(0)?;
        if it.colormap != 0 || !matches!(it.kind, 2 | 10) || !matches!(it.bits, 24 | 32) {
            return Err(start.error("it is not a TGA file of 24 or 32 bits without a color map"));
        }
        bytes.take(usize::from(it.id_length))?;
        let (size, length) = (usize::from(it.bits / 8), it.width as usize * it.height as usize);
        // A packet of two to five bytes makes at most 128 pixels.
        if length > MOST_PIXELS || length / 64 > file.len() {
            let problem = format!("{}x{} pixels do not fit into {} bytes", it.width, it.height, file.len());
            return Err(start.error(problem));
        }
        let mut data = bytes.named("pixels");
        let mut pixels = Vec::with_capacity(length);
        while pixels.len() < length {
            let left = length.saturating_sub(pixels.len());
            if it.kind == 2 {
                pixels.extend(data.take_many(left, size)?.chunks_exact(size).map(color));
                continue;
            }
            let head: u8 = data.value()?;
            let count = usize::from(head & 0x7F).saturating_add(1).min(left);
            if head & 0x80 == 0 {
                pixels.extend(data.take_many(count, size)?.chunks_exact(size).map(color));
            } else {
                pixels.extend(std::iter::repeat_n(color(data.take(size)?), count));
            }
        }
        if it.attributes & FROM_TOP == 0 && it.width > 0 {
            let rows = pixels.chunks_exact(it.width as usize);
            pixels = rows.rev().flat_map(<[_]>::to_vec).collect();
        }
        Ok(Self { width: it.width, height: it.height, pixels })
    }
}

/// Converts blue, green, red, and opacity if there is one.
fn color(bytes: &[u8]) -> [u8; 4] {
    let part = |at: usize| bytes.get(at).copied();
    [part(2), part(1), part(0), part(3)].map(|part| part.unwrap_or(255))
}

impl Palette {
    /// Reads `gfx/palette.lmp`: 256 times red, green, blue.
    pub fn read(file: &[u8]) -> Result<Self, AssetError> {
        let mut bytes = Bytes::new("palette", file);
        Ok(Self(Box::new(bytes.value::<[[u8; 3]; 256]>()?)))
    }
}

impl Colormap {
    /// Reads `gfx/colormap.lmp`. The byte after the rows, the number of colors that glow in the dark, may be
    /// missing.
    pub fn read(file: &[u8]) -> Result<Self, AssetError> {
        let mut bytes = Bytes::new("colormap", file);
        Ok(Self(Box::new(bytes.value::<[[u8; 256]; 64]>()?)))
    }

    /// The palette color for each color in a light. There are 64 lights; higher numbers are as dark as the
    /// last.
    pub fn row(&self, light: usize) -> &[u8; 256] {
        let [first, ..] = &*self.0;
        self.0.get(light.min(63)).unwrap_or(first)
    }
}
