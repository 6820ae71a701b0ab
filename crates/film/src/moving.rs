//! Short clips that any browser shows: GIF with 256 colors per frame, and lossless WebP. Neither has sound.

use crate::{Film, FilmFrame, FrameRate};
use gif::{Encoder, Repeat};
use image_webp::{ColorType, WebPEncoder};
use std::io::{self, Seek, SeekFrom, Write};

/// The time units per second: hundredths in a GIF, thousandths in a WebP.
const GIF_UNITS: f64 = 100.0;
const WEBP_UNITS: f64 = 1000.0;

/// The effort for a GIF's colors: 1 is most, 30 least.
const GIF_SPEED: i32 = 10;

/// The duration of a frame in time units. The rounding error of a frame is compensated by a later one.
fn units(rate: FrameRate, frame: u64, in_second: f64) -> u32 {
    let at = |frame: u64| (rate.seconds(frame) * in_second).round() as u64;
    (at(frame + 1) - at(frame)) as u32
}

fn failed(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

/// A GIF that repeats.
///
/// ```
/// use moviola_film::{Film, FilmFrame, FrameRate, GifFilm};
/// let mut film = GifFilm::new(Vec::new(), [1, 1], FrameRate::of(25.0)).unwrap();
/// film.frame(&FilmFrame::Rgba(moviola_render::RenderedFrame { size: [1, 1], rgba: vec![255; 4] })).unwrap();
/// film.finish().unwrap();
/// assert!(film.into_inner().unwrap().starts_with(b"GIF89a"));
/// ```
pub struct GifFilm<W: Write> {
    gif: Encoder<W>,
    rate: FrameRate,
    pictures: u64,
}

impl<W: Write> GifFilm<W> {
    /// Begins a clip of at most 65535 pixels across and down.
    pub fn new(out: W, size: [u32; 2], rate: FrameRate) -> io::Result<Self> {
        let [width, height] = size.map(|side| side.min(u32::from(u16::MAX)) as u16);
        let mut gif = Encoder::new(out, width, height, &[]).map_err(failed)?;
        gif.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self { gif, rate, pictures: 0 })
    }

    /// The file, after [`finish`](Film::finish).
    pub fn into_inner(self) -> io::Result<W> {
        self.gif.into_inner().map_err(failed)
    }
}

impl<W: Write> Film for GifFilm<W> {
    fn frame(&mut self, picture: &FilmFrame) -> io::Result<()> {
        let FilmFrame::Rgba(picture) = picture else { return Ok(()) };
        let [width, height] = picture.size.map(|side| side as u16);
        let mut rgba = picture.rgba.clone();
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut rgba, GIF_SPEED);
        frame.delay = units(self.rate, self.pictures, GIF_UNITS) as u16;
        self.pictures += 1;
        self.gif.write_frame(&frame).map_err(failed)
    }

    fn wants_yuv(&self) -> bool {
        false
    }

    fn sound(&mut self, _: &[[i16; 2]]) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A WebP that repeats; each frame is stored whole and without loss.
///
/// ```
/// use moviola_film::{Film, FilmFrame, FrameRate, WebpFilm};
/// let mut film = WebpFilm::new(std::io::Cursor::new(Vec::new()), [1, 1], FrameRate::of(25.0)).unwrap();
/// film.frame(&FilmFrame::Rgba(moviola_render::RenderedFrame { size: [1, 1], rgba: vec![255; 4] })).unwrap();
/// film.finish().unwrap();
/// let file = film.into_inner().into_inner();
/// assert_eq!((&file[..4], &file[8..16]), (&b"RIFF"[..], &b"WEBPVP8X"[..]));
/// assert_eq!(u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize, file.len() - 8);
/// ```
pub struct WebpFilm<W> {
    out: W,
    rate: FrameRate,
    pictures: u64,
    /// The number of bytes after the first eight.
    length: u64,
}

/// The flag of an animated WebP.
const MOVES: u8 = 0x02;

/// The flags of a frame that replaces the one before without blending.
const INSTEAD: u8 = 0x02;

/// The number of bytes before the chunk of a single picture's file.
const SINGLE_HEADER: usize = 12;

impl<W: Write + Seek> WebpFilm<W> {
    /// Begins a clip of at most 16384 pixels across and down.
    pub fn new(mut out: W, size: [u32; 2], rate: FrameRate) -> io::Result<Self> {
        let mut head = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0".to_vec();
        head.extend([MOVES, 0, 0, 0]);
        for side in size {
            head.extend(three(side.saturating_sub(1)));
        }
        // A black background, and no limit of repetitions.
        head.extend(b"ANIM\x06\0\0\0\0\0\0\xff\0\0");
        out.write_all(&head)?;
        Ok(Self { out, rate, pictures: 0, length: head.len() as u64 - 8 })
    }

    /// The file, after [`finish`](Film::finish).
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// A number in three bytes.
fn three(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}

impl<W: Write + Seek> Film for WebpFilm<W> {
    fn frame(&mut self, picture: &FilmFrame) -> io::Result<()> {
        let FilmFrame::Rgba(picture) = picture else { return Ok(()) };
        let [width, height] = picture.size;
        let rgb: Vec<u8> =
            picture.rgba.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        let mut alone = Vec::new();
        WebPEncoder::new(&mut alone).encode(&rgb, width, height, ColorType::Rgb8).map_err(failed)?;
        let chunk = alone.get(SINGLE_HEADER..).unwrap_or_default();
        let mut frame = b"ANMF".to_vec();
        frame.extend((chunk.len() as u32 + 16).to_le_bytes());
        frame.extend([0; 6]);
        frame.extend(three(width.saturating_sub(1)));
        frame.extend(three(height.saturating_sub(1)));
        frame.extend(three(units(self.rate, self.pictures, WEBP_UNITS)));
        frame.push(INSTEAD);
        frame.extend_from_slice(chunk);
        self.pictures += 1;
        self.length += frame.len() as u64;
        self.out.write_all(&frame)
    }

    fn wants_yuv(&self) -> bool {
        false
    }

    fn sound(&mut self, _: &[[i16; 2]]) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let length = u32::try_from(self.length).map_err(|_| failed("a WebP has at most 4 GB"))?;
        self.out.seek(SeekFrom::Start(4))?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_is_a_second_at_any_rate() {
        for fps in [10.0, 24.0, 29.97, 50.0] {
            let rate = FrameRate::of(fps);
            let frames = (0..3000).take_while(|frame| rate.seconds(*frame) < 60.0);
            let sum: u32 = frames.map(|frame| units(rate, frame, GIF_UNITS)).sum();
            assert!(sum.abs_diff(6000) <= 4, "{fps}: {sum}");
        }
    }
}
