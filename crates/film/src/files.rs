//! Films as files: the interface of each kind of file, and how frames and sound are written.

use crate::mp4::{FrameRate, Mp4, PACKET};
use crate::{Caption, RATE, Yuv, write_png};
use moviola_render::RenderedFrame;
use opus_rs::{Application, OpusEncoder};
use rusty_h264::{Encoder, EncoderConfig, Preset, YuvPlanes};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A film that is being written.
///
/// ```
/// use moviola_film::{Film, WavFilm};
/// let mut film: Box<dyn Film> = Box::new(WavFilm::new(std::io::Cursor::new(Vec::new())).unwrap());
/// film.sound(&[[0, 0]; 48_000]).unwrap();
/// film.finish().unwrap();
/// ```
pub trait Film {
    /// Writes the next frame.
    fn frame(&mut self, picture: &FilmFrame) -> io::Result<()>;

    /// Whether the film stores brightness and color instead of red, green and blue.
    fn wants_yuv(&self) -> bool {
        true
    }

    /// Writes the next samples of sound.
    fn sound(&mut self, samples: &[[i16; 2]]) -> io::Result<()>;

    /// Ends the film: writes the data after its frames.
    fn finish(&mut self) -> io::Result<()>;
}

/// A frame in the form that the film stores.
///
/// ```
/// use moviola_film::{FilmFrame, Yuv};
/// let frame = FilmFrame::Yuv(Yuv::of([2, 2], &[0; 16]));
/// assert_eq!(frame.yuv().y.len(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilmFrame {
    /// Brightness and color.
    Yuv(Yuv),
    /// Red, green, blue and opacity.
    Rgba(RenderedFrame),
}

impl FilmFrame {
    /// The frame as brightness and color.
    pub fn yuv(&self) -> Cow<'_, Yuv> {
        match self {
            Self::Yuv(it) => Cow::Borrowed(it),
            Self::Rgba(it) => Cow::Owned(Yuv::of(it.size, &it.rgba)),
        }
    }
}

fn failed(what: impl std::fmt::Display) -> io::Error {
    io::Error::other(what.to_string())
}

/// An MP4 with H.264 and Opus.
///
/// ```
/// use moviola_film::{Film, FilmFrame, FrameRate, Mp4Film, Yuv};
/// let mut film = Mp4Film::new(std::io::Cursor::new(Vec::new()), [64, 32], FrameRate::of(60.0), 24).unwrap();
/// film.frame(&FilmFrame::Yuv(Yuv::of([64, 32], &[99; 64 * 32 * 4]))).unwrap();
/// film.sound(&[[0, 0]; 800]).unwrap();
/// film.finish().unwrap();
/// assert!(film.into_inner().into_inner().len() > 1000);
/// ```
pub struct Mp4Film<W: Write + Seek> {
    file: Mp4<W>,
    video: Encoder,
    audio: OpusEncoder,
    size: [u32; 2],
    /// Sound that does not fill a packet yet.
    left: Vec<i16>,
    /// The parts of a picture that is not complete yet.
    open: Vec<Vec<u8>>,
}

/// Bits per second of sound, and the effort of its encoder (of 10).
const SOUND_BITS: i32 = 160_000;
const SOUND_EFFORT: i32 = 9;

/// Seconds between two key frames.
const KEY_SECONDS: f64 = 2.0;

/// H.264 level 5.2, which has room for films of games: 4096 by 2304 at 60 frames a second.
const LEVEL: u8 = 52;

impl<W: Write + Seek> Mp4Film<W> {
    /// Begins a film. The lower `quality`, the finer the picture: 18 hardly differs from the original, 30 is
    /// coarse.
    pub fn new(out: W, size: [u32; 2], rate: FrameRate, quality: u8) -> io::Result<Self> {
        let [width, height] = size;
        let fps = f64::from(rate.units) / f64::from(rate.step);
        let mut config = EncoderConfig::new(width as usize, height as usize);
        config.qp = quality.min(51);
        config.bitrate = 0;
        config.framerate = fps as f32;
        config.gop_size = (fps * KEY_SECONDS) as u32;
        config.level_idc = LEVEL;
        config.preset = Preset::Fast;
        // Without look-ahead each frame is encoded at once, and in the order of the film.
        config.lookahead = 0;
        config.scenecut = 0;
        config.mbtree = false;
        // These settings of the encoder cost half of its time, and most of them make films larger and less faithful:
        // measured on films of games, whose pictures have no noise (docs/performance.md).
        config.num_ref_frames = 1;
        config.weightp = false;
        config.tune_lme_hi = None;
        config.cabac_rdoq_p = 0.0;
        config.transform_8x8 = false;
        let video = Encoder::new(config).map_err(|error| failed(format!("{error:?}")))?;
        let mut audio = OpusEncoder::new(RATE as i32, 2, Application::Audio).map_err(failed)?;
        audio.bitrate_bps = SOUND_BITS;
        audio.complexity = SOUND_EFFORT;
        Ok(Self { file: Mp4::new(out, size, rate)?, video, audio, size, left: Vec::new(), open: Vec::new() })
    }

    /// Adds texts for a subtitle track, which players show on request, and a title that players list.
    #[must_use]
    pub fn with_words(mut self, captions: &[Caption], title: &str) -> Self {
        self.file.words(captions.to_vec(), title);
        self
    }

    /// The file, after [`finish`](Film::finish).
    pub fn into_inner(self) -> W {
        self.file.into_inner()
    }

    /// Splits a stream into its parts, and writes each complete picture.
    fn take(&mut self, stream: &[u8]) -> io::Result<()> {
        for part in parts(stream) {
            let is_slice = matches!(part.first().map_or(0, |byte| byte & 31), 1..=5);
            // A single bit, for a slice that begins at block 0, marks the first slice of a picture.
            let is_first = is_slice && part.get(1).is_some_and(|byte| byte & 0x80 != 0);
            let has_slice =
                self.open.iter().any(|part| matches!(part.first().map_or(0, |byte| byte & 31), 1..=5));
            if has_slice && (is_first || !is_slice) {
                self.write_picture()?;
            }
            self.open.push(part.to_vec());
        }
        Ok(())
    }

    fn write_picture(&mut self) -> io::Result<()> {
        let parts = std::mem::take(&mut self.open);
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        if parts.is_empty() { Ok(()) } else { self.file.picture(&parts) }
    }

    fn packet(&mut self, samples: &[i16]) -> io::Result<()> {
        let mut packet = vec![0; 4000];
        let length = self.audio.encode_i16(samples, PACKET as usize, &mut packet).map_err(failed)?;
        self.file.packet(packet.get(..length).unwrap_or_default())
    }
}

impl<W: Write + Seek> Film for Mp4Film<W> {
    fn frame(&mut self, picture: &FilmFrame) -> io::Result<()> {
        let [width, height] = self.size.map(|side| side as usize);
        let picture = picture.yuv();
        let planes = YuvPlanes::tight(width, height, &picture.y, &picture.u, &picture.v);
        let planes = planes.ok_or_else(|| failed("a frame has another size than its film"))?;
        let stream = self.video.encode_planes(&planes).map_err(|error| failed(format!("{error:?}")))?;
        self.take(&stream)
    }

    fn sound(&mut self, samples: &[[i16; 2]]) -> io::Result<()> {
        self.left.extend(samples.as_flattened());
        let packet = PACKET as usize * 2;
        while self.left.len() >= packet {
            let rest = self.left.split_off(packet);
            let now = std::mem::replace(&mut self.left, rest);
            self.packet(&now)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let stream = self.video.try_flush().map_err(|error| failed(format!("{error:?}")))?;
        self.take(&stream)?;
        self.write_picture()?;
        // The encoder delays the sound, so a little silence at the end flushes it out.
        self.left.resize(self.left.len() + usize::from(crate::mp4::PRE_SKIP) * 2, 0);
        while !self.left.is_empty() {
            let mut now = std::mem::take(&mut self.left);
            self.left = now.split_off(now.len().min(PACKET as usize * 2));
            now.resize(PACKET as usize * 2, 0);
            self.packet(&now)?;
        }
        self.file.finish()
    }
}

/// Splits a stream of H.264 at its start codes 0, 0, 1.
fn parts(stream: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut start = None;
    let mut at = 0;
    while at + 3 <= stream.len() {
        if stream.get(at..at + 3) == Some(&[0, 0, 1]) {
            found.extend(start.and_then(|start| stream.get(start..at)));
            start = Some(at + 3);
            at += 3;
        } else {
            at += 1;
        }
    }
    found.extend(start.and_then(|start| stream.get(start..)));
    // Zeros before a start code belong to that code.
    let end = |part: &[u8]| part.iter().rposition(|it| *it != 0).map_or(0, |at| at + 1);
    found.into_iter().filter_map(|part| part.get(..end(part))).collect()
}

/// Pictures only, for other programs: YUV4MPEG2.
///
/// ```
/// use moviola_film::{Film, FilmFrame, FrameRate, Y4mFilm, Yuv};
/// let mut film = Y4mFilm::new(Vec::new(), [2, 2], FrameRate::of(25.0)).unwrap();
/// film.frame(&FilmFrame::Yuv(Yuv::of([2, 2], &[0; 16]))).unwrap();
/// film.finish().unwrap();
/// assert!(film.into_inner().starts_with(b"YUV4MPEG2 W2 H2 F25000:1000 Ip A1:1 C420jpeg"));
/// ```
#[derive(Debug)]
pub struct Y4mFilm<W>(W);

impl<W: Write> Y4mFilm<W> {
    /// Begins a film.
    pub fn new(mut out: W, [width, height]: [u32; 2], rate: FrameRate) -> io::Result<Self> {
        let FrameRate { units, step } = rate;
        writeln!(out, "YUV4MPEG2 W{width} H{height} F{units}:{step} Ip A1:1 C420jpeg XCOLORRANGE=LIMITED")?;
        Ok(Self(out))
    }

    /// The file, after [`finish`](Film::finish).
    pub fn into_inner(self) -> W {
        self.0
    }
}

impl<W: Write> Film for Y4mFilm<W> {
    fn frame(&mut self, picture: &FilmFrame) -> io::Result<()> {
        self.0.write_all(b"FRAME\n")?;
        let picture = picture.yuv();
        [&picture.y, &picture.u, &picture.v].into_iter().try_for_each(|plane| self.0.write_all(plane))
    }

    fn sound(&mut self, _: &[[i16; 2]]) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Sound only: WAV.
///
/// ```
/// use moviola_film::{Film, WavFilm};
/// let mut film = WavFilm::new(std::io::Cursor::new(Vec::new())).unwrap();
/// film.sound(&[[1, -1]; 10]).unwrap();
/// film.finish().unwrap();
/// assert_eq!(film.into_inner().into_inner().len(), 44 + 40);
/// ```
#[derive(Debug)]
pub struct WavFilm<W> {
    out: W,
    bytes: u32,
}

/// The number of bytes before the samples of a WAV.
const WAV_HEAD: u32 = 44;

impl<W: Write + Seek> WavFilm<W> {
    /// Begins a file.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(&[0; WAV_HEAD as usize])?;
        Ok(Self { out, bytes: 0 })
    }

    /// The file, after [`finish`](Film::finish).
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write + Seek> Film for WavFilm<W> {
    fn frame(&mut self, _: &FilmFrame) -> io::Result<()> {
        Ok(())
    }

    fn sound(&mut self, samples: &[[i16; 2]]) -> io::Result<()> {
        let bytes: Vec<u8> = samples.as_flattened().iter().flat_map(|sample| sample.to_le_bytes()).collect();
        self.bytes = self.bytes.saturating_add(bytes.len() as u32);
        self.out.write_all(&bytes)
    }

    fn finish(&mut self) -> io::Result<()> {
        let mut head = b"RIFF".to_vec();
        head.extend(self.bytes.saturating_add(WAV_HEAD - 8).to_le_bytes());
        head.extend(b"WAVEfmt \x10\0\0\0\x01\0\x02\0");
        head.extend(RATE.to_le_bytes());
        head.extend((RATE * 4).to_le_bytes());
        head.extend(b"\x04\0\x10\0data");
        head.extend(self.bytes.to_le_bytes());
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head)?;
        self.out.flush()
    }
}

/// A folder of PNGs, `000000.png` and so on.
///
/// ```
/// use moviola_film::{Film, PngFilm};
/// let mut film = PngFilm::new(&std::env::temp_dir());
/// assert!(!film.wants_yuv());
/// film.finish().unwrap();
/// ```
#[derive(Debug)]
pub struct PngFilm {
    folder: PathBuf,
    next: u64,
}

impl PngFilm {
    /// A film of PNGs in an existing folder.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), next: 0 }
    }
}

impl Film for PngFilm {
    fn frame(&mut self, picture: &FilmFrame) -> io::Result<()> {
        let FilmFrame::Rgba(frame) = picture else { return Ok(()) };
        let file = File::create(self.folder.join(format!("{:06}.png", self.next)))?;
        self.next += 1;
        write_png(BufWriter::new(file), frame.size, &frame.rgba)
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
