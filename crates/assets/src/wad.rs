//! Reads WAD2 files: `gfx.wad` has the pictures of Quake's status bar, and its font.
// not from SCHEMA, all words: they are of the file's directory.

use crate::error::AssetError;
use crate::picture::Picture;
use crate::record::{Bytes, Record, records};

/// A WAD2 file.
///
/// ```
/// use moviola_assets::Wad;
/// # let mut file = b"WAD2\x01\0\0\0\x16\0\0\0\x01\0\0\0\x01\0\0\0\x07\x00".to_vec();
/// # file.extend(b"\x0C\0\0\0\x09\0\0\0\x09\0\0\0\x42\0\0\0NUM_0\0\0\0\0\0\0\0\0\0\0\0");
/// let wad = Wad::read(file).unwrap();
/// assert_eq!(wad.picture("num_0").unwrap().unwrap().pixels, [7]);
/// assert!(wad.picture("num_1").is_none());
/// assert_eq!(wad.lump("num_0").unwrap().len(), 9);
/// assert_eq!(wad.names().collect::<Vec<_>>(), ["num_0"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Wad {
    file: Vec<u8>,
    lumps: Vec<WadLump>,
}

records! {
    struct WadHeader {
        magic: [u8; 4] = [[u8; 4]];
        lumps: u32 = [i32];
        directory: i32 = [i32];
    }

    struct WadLump {
        offset: i32 = [i32];
        packed: i32 = [i32];
        length: i32 = [i32];
        kind: u8 = [u8];
        compression: u8 = [u8];
        pad: [u8; 2] = [[u8; 2]];
        name: String = [[u8; 16]];
    }
}

/// The font's name, and its width and height: 16 columns and rows of characters with 8 by 8 pixels.
const FONT: &str = "conchars";
const FONT_SIZE: u32 = 128;

impl Wad {
    /// Reads a file's directory.
    pub fn read(file: Vec<u8>) -> Result<Self, AssetError> {
        let bytes = Bytes::new("header", &file);
        let it: WadHeader = { bytes }.record(0)?;
        if it.magic != *b"WAD2" {
            return Err(bytes.error("it is not a WAD2 file"));
        }
        let mut list = bytes.from("directory", it.directory.into())?;
        let mut lumps: Vec<WadLump> = list.some_records(it.lumps as usize, 0)?;
        for lump in &mut lumps {
            lump.name.make_ascii_lowercase();
        }
        debug_assert_eq!(WadLump::size(0), 32);
        Ok(Self { file, lumps })
    }

    /// The names of the lumps.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.lumps.iter().map(|lump| lump.name.as_str())
    }

    /// The bytes of a lump; `None` if the file has no such lump, or the lump reaches beyond the file.
    pub fn lump(&self, name: &str) -> Option<&[u8]> {
        let found = self.lumps.iter().find(|lump| lump.name.eq_ignore_ascii_case(name))?;
        let start = usize::try_from(found.offset).ok()?;
        self.file.get(start..start.checked_add(usize::try_from(found.length).ok()?)?)
    }

    /// A lump as a picture. The font is a picture too, although its pixels do not follow a width and height.
    pub fn picture(&self, name: &str) -> Option<Result<Picture, AssetError>> {
        let lump = self.lump(name)?;
        if name.eq_ignore_ascii_case(FONT) {
            let pixels = Bytes::new("font", lump).take_many(FONT_SIZE as usize, FONT_SIZE as usize);
            return Some(pixels.map(|it| Picture {
                width: FONT_SIZE,
                height: FONT_SIZE,
                pixels: it.to_vec(),
            }));
        }
        Some(Picture::read(lump))
    }
}
