//! Single pictures as PNG, and sheets of many pictures.

use std::io::{self, Write};

/// How hard a PNG is compressed. One step more, which is usual, takes more than twice the time to save a twentieth of the
/// size.
const EFFORT: u8 = 5;

/// Writes a picture in RGBA as a PNG, without its opacity.
///
/// ```
/// let mut file = Vec::new();
/// moviola_film::write_png(&mut file, [1, 1], &[255, 0, 0, 255]).unwrap();
/// assert!(file.starts_with(b"\x89PNG"));
/// ```
pub fn write_png(out: impl Write, size: [u32; 2], rgba: &[u8]) -> io::Result<()> {
    let [width, height] = size;
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_deflate_compression(png::DeflateCompression::Level(EFFORT));
    let rgb: Vec<u8> =
        rgba.as_chunks::<4>().0.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(())
}

/// A sheet of pictures of one size, with a gap between them.
///
/// ```
/// use moviola_film::Sheet;
/// let mut sheet = Sheet::new([2, 1], [10, 10]);
/// sheet.put(1, &[200; 400]);
/// let (size, rgba) = sheet.picture();
/// assert_eq!((size, rgba.len()), ([26, 14], 26 * 14 * 4));
/// ```
#[derive(Clone, Debug)]
pub struct Sheet {
    columns: u32,
    cell: [u32; 2],
    size: [u32; 2],
    rgba: Vec<u8>,
}

const GAP: u32 = 2;

impl Sheet {
    /// An empty sheet with room for this many pictures across and down.
    pub fn new([columns, rows]: [u32; 2], cell: [u32; 2]) -> Self {
        let whole = |count: u32, length: u32| count * (length + GAP) + GAP;
        let size = [whole(columns, cell[0]), whole(rows, cell[1])];
        let rgba = [24, 24, 24, 255].repeat(size[0] as usize * size[1] as usize);
        Self { columns, cell, size, rgba }
    }

    /// Puts a picture into a place; places are counted row by row.
    pub fn put(&mut self, place: u32, rgba: &[u8]) {
        let [width, height] = self.cell;
        let column = place % self.columns.max(1);
        let row = place / self.columns.max(1);
        let left = (GAP + column * (width + GAP)) as usize;
        for (line, number) in rgba.chunks_exact((width as usize * 4).max(1)).take(height as usize).zip(0u32..)
        {
            let top = (GAP + row * (height + GAP) + number) as usize;
            let at = (top * self.size[0] as usize + left) * 4;
            if let Some(place) = self.rgba.get_mut(at..at + line.len()) {
                place.copy_from_slice(line);
            }
        }
    }

    /// The size and the pixels of the sheet.
    pub fn picture(self) -> ([u32; 2], Vec<u8>) {
        (self.size, self.rgba)
    }
}
