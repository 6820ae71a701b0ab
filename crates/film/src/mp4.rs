//! Writes MP4 (ISO 14496-12): samples as they arrive, and at the end the tables of their offsets. A film that is ended
//! early gets its tables too, so it can be played.

use crate::{Caption, words};
use std::io::{self, Seek, SeekFrom, Write};

/// The sizes and offsets of a track's samples.
#[derive(Debug, Default)]
struct Track {
    sizes: Vec<u32>,
    /// The offset of each sample in the file.
    offsets: Vec<u64>,
    /// The key samples, counted from 1; empty if all are.
    keys: Vec<u32>,
}

/// The frame rate as a fraction: units per second, and units per frame.
///
/// ```
/// use moviola_film::FrameRate;
/// assert_eq!(FrameRate::of(60.0).seconds(90), 1.5);
/// assert_eq!(FrameRate::of(29.97).units, 29_970);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRate {
    /// Units per second.
    pub units: u32,
    /// Units per frame.
    pub step: u32,
}

impl FrameRate {
    /// A rate in frames per second, from 1 to 1000, rounded to a thousandth; the rates of television (30000/1001) are
    /// exact.
    ///
    /// ```
    /// use moviola_film::FrameRate;
    /// assert_eq!(FrameRate::of(30000.0 / 1001.0).seconds(30000), 1001.0);
    /// assert_eq!(FrameRate::of(29.97).seconds(2997), 100.0);
    /// ```
    pub fn of(fps: f64) -> Self {
        const TELEVISION: u32 = 1001;
        let fps = if fps.is_finite() { fps.clamp(1.0, 1000.0) } else { 60.0 };
        let units = (fps * f64::from(TELEVISION) / 1000.0).round() as u32 * 1000;
        if (f64::from(units) / f64::from(TELEVISION) - fps).abs() < 1e-9 {
            return Self { units, step: TELEVISION };
        }
        Self { units: (fps * 1000.0).round() as u32, step: 1000 }
    }

    /// The time of a frame in seconds; frames are counted from 0.
    pub fn seconds(self, frame: u64) -> f64 {
        frame as f64 * f64::from(self.step) / f64::from(self.units)
    }

    /// The sample of sound at the time of a frame.
    pub(crate) fn sample(self, frame: u64) -> u64 {
        frame * u64::from(self.step) * u64::from(crate::RATE) / u64::from(self.units)
    }
}

/// The samples of sound in a packet.
pub(crate) const PACKET: u32 = 960;

/// The delay of the sound's encoder in samples.
pub(crate) const PRE_SKIP: u16 = 312;

/// Units per second of the film's own clock.
const CLOCK: u32 = 1000;

/// Writes an MP4.
#[derive(Debug)]
pub(crate) struct Mp4<W: Write + Seek> {
    out: W,
    offset: u64,
    size: [u32; 2],
    rate: FrameRate,
    video: Track,
    audio: Track,
    /// The parameter sets of sequence and picture, which a player needs before the first picture.
    sets: [Vec<u8>; 2],
    /// The texts of the subtitle track, and the film's title.
    captions: Vec<Caption>,
    title: String,
}

/// The offsets of the length of all samples, and of the samples.
const LENGTH_AT: u64 = HEAD + 8;
const SAMPLES_AT: u64 = HEAD + 16;

/// The length of the box before the samples.
const HEAD: u64 = 32;

impl<W: Write + Seek> Mp4<W> {
    pub(crate) fn new(mut out: W, size: [u32; 2], rate: FrameRate) -> io::Result<Self> {
        let mut head = Vec::new();
        boxed(&mut head, *b"ftyp", |it| it.extend(b"isom\0\0\x02\0isomiso2avc1mp41"));
        head.extend(1u32.to_be_bytes());
        head.extend(b"mdat");
        head.extend(0u64.to_be_bytes());
        out.write_all(&head)?;
        let (video, audio) = (Track::default(), Track::default());
        let (sets, captions, title) = ([Vec::new(), Vec::new()], Vec::new(), String::new());
        Ok(Self { out, offset: SAMPLES_AT, size, rate, video, audio, sets, captions, title })
    }

    /// Sets the texts and the title of the film.
    pub(crate) fn words(&mut self, captions: Vec<Caption>, title: &str) {
        self.captions = captions;
        title.clone_into(&mut self.title);
    }

    /// Writes the samples of the subtitle track; returns their durations, their texts and their offsets.
    fn texts(&mut self, film: u64) -> io::Result<(words::Turns, Vec<u64>)> {
        if self.captions.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let texts =
            words::in_turn(&self.captions, (film * u64::from(words::CLOCK) / u64::from(CLOCK)) as u32);
        let mut offsets = Vec::new();
        for (_, text) in &texts {
            let sample = words::sample(text);
            offsets.push(self.offset);
            self.offset += sample.len() as u64;
            self.out.write_all(&sample)?;
        }
        Ok((texts, offsets))
    }

    /// Writes a picture: parts of a stream of H.264 without their start codes.
    pub(crate) fn picture(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let mut sample = Vec::new();
        let mut is_key = false;
        for part in parts {
            match part.first().map_or(0, |byte| byte & 31) {
                kind @ (SEQUENCE | PICTURE) => {
                    if let Some(set) = self.sets.get_mut(usize::from(kind - SEQUENCE)) {
                        set.clear();
                        set.extend_from_slice(part);
                    }
                }
                DELIMITER => {}
                kind => {
                    is_key |= kind == KEY;
                    sample.extend((part.len() as u32).to_be_bytes());
                    sample.extend_from_slice(part);
                }
            }
        }
        if is_key {
            self.video.keys.push(self.video.sizes.len() as u32 + 1);
        }
        let at = self.offset;
        self.video.add(at, sample.len());
        self.offset += sample.len() as u64;
        self.out.write_all(&sample)
    }

    /// Writes a packet of Opus.
    pub(crate) fn packet(&mut self, packet: &[u8]) -> io::Result<()> {
        let at = self.offset;
        self.audio.add(at, packet.len());
        self.offset += packet.len() as u64;
        self.out.write_all(packet)
    }

    /// Ends the film by writing the tables.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        let frames = self.video.sizes.len() as u64;
        let media = frames * u64::from(self.rate.step);
        let film = media * u64::from(CLOCK) / u64::from(self.rate.units);
        let (texts, offsets) = self.texts(film)?;
        let mut moov = Vec::new();
        boxed(&mut moov, *b"moov", |it| {
            boxed(it, *b"mvhd", |it| {
                it.extend([0; 12]);
                longs(it, &[CLOCK, film as u32, 0x0001_0000]);
                it.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
                matrix(it);
                it.extend([0; 24]);
                longs(it, &[4]);
            });
            self.track(it, 1, film as u32, media as u32);
            if !self.audio.sizes.is_empty() {
                self.track(it, 2, film as u32, self.audio.sizes.len() as u32 * PACKET);
            }
            if !texts.is_empty() {
                words::track(it, 3, &texts, &offsets, film as u32);
            }
            if !self.title.is_empty() {
                words::title(it, &self.title);
            }
        });
        self.out.write_all(&moov)?;
        self.out.seek(SeekFrom::Start(LENGTH_AT))?;
        let length = self.offset - SAMPLES_AT + 16;
        self.out.write_all(&length.to_be_bytes())?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()
    }

    pub(crate) fn into_inner(self) -> W {
        self.out
    }

    fn track(&self, out: &mut Vec<u8>, number: u32, film: u32, media: u32) {
        let is_video = number == 1;
        let track = if is_video { &self.video } else { &self.audio };
        let (units, step) = if is_video { (self.rate.units, self.rate.step) } else { (crate::RATE, PACKET) };
        boxed(out, *b"trak", |it| {
            boxed(it, *b"tkhd", |it| {
                longs(it, &[3, 0, 0, number, 0, film, 0, 0]);
                it.extend([0, 0, 0, 0, u8::from(!is_video), 0, 0, 0]);
                matrix(it);
                let [width, height] = if is_video { self.size } else { [0; 2] };
                longs(it, &[width << 16, height << 16]);
            });
            boxed(it, *b"edts", |it| {
                boxed(it, *b"elst", |it| {
                    let skip = if is_video { 0 } else { u32::from(PRE_SKIP) };
                    longs(it, &[0, 1, film, skip, 0x0001_0000]);
                });
            });
            boxed(it, *b"mdia", |it| {
                boxed(it, *b"mdhd", |it| {
                    longs(it, &[0, 0, 0, units, media]);
                    // The language is undetermined.
                    it.extend([0x55, 0xc4, 0, 0]);
                });
                boxed(it, *b"hdlr", |it| {
                    longs(it, &[0, 0]);
                    it.extend(if is_video { b"vide" } else { b"soun" });
                    it.extend([0; 13]);
                });
                boxed(it, *b"minf", |it| {
                    if is_video {
                        boxed(it, *b"vmhd", |it| it.extend([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]));
                    } else {
                        boxed(it, *b"smhd", |it| it.extend([0; 8]));
                    }
                    data_in_this_file(it);
                    boxed(it, *b"stbl", |it| {
                        boxed(it, *b"stsd", |it| {
                            longs(it, &[0, 1]);
                            if is_video { self.video_entry(it) } else { audio_entry(it) }
                        });
                        track.tables(it, step);
                    });
                });
            });
        });
    }

    fn video_entry(&self, out: &mut Vec<u8>) {
        boxed(out, *b"avc1", |it| {
            it.extend([0, 0, 0, 0, 0, 0, 0, 1]);
            it.extend([0; 16]);
            for side in self.size {
                it.extend((side as u16).to_be_bytes());
            }
            longs(it, &[0x0048_0000, 0x0048_0000, 0]);
            it.extend([0, 1]);
            it.extend([0; 32]);
            it.extend([0, 24, 0xff, 0xff]);
            boxed(it, *b"avcC", |it| {
                let [sequence, picture] = &self.sets;
                it.push(1);
                // Profile, compatible profiles, level.
                it.extend([1, 2, 3].map(|at| sequence.get(at).copied().unwrap_or_default()));
                it.extend([0xff, 0xe1]);
                it.extend((sequence.len() as u16).to_be_bytes());
                it.extend(sequence);
                it.push(1);
                it.extend((picture.len() as u16).to_be_bytes());
                it.extend(picture);
            });
        });
    }
}

/// Kinds of parts of a stream of H.264: the parameter sets of a sequence and of a picture, a key picture, and
/// the delimiter between pictures.
const SEQUENCE: u8 = 7;
const PICTURE: u8 = 8;
const KEY: u8 = 5;
const DELIMITER: u8 = 9;

fn audio_entry(out: &mut Vec<u8>) {
    boxed(out, *b"Opus", |it| {
        it.extend([0, 0, 0, 0, 0, 0, 0, 1]);
        it.extend([0; 8]);
        it.extend([0, 2, 0, 16, 0, 0, 0, 0]);
        longs(it, &[crate::RATE << 16]);
        boxed(it, *b"dOps", |it| {
            it.extend([0, 2]);
            it.extend(PRE_SKIP.to_be_bytes());
            longs(it, &[crate::RATE]);
            it.extend([0; 3]);
        });
    });
}

impl Track {
    fn add(&mut self, at: u64, length: usize) {
        self.sizes.push(length as u32);
        self.offsets.push(at);
    }

    fn tables(&self, out: &mut Vec<u8>, step: u32) {
        let count = self.sizes.len() as u32;
        boxed(out, *b"stts", |it| longs(it, &[0, 1, count, step]));
        if !self.keys.is_empty() && self.keys.len() < self.sizes.len() {
            boxed(out, *b"stss", |it| {
                longs(it, &[0, self.keys.len() as u32]);
                longs(it, &self.keys);
            });
        }
        boxed(out, *b"stsc", |it| longs(it, &[0, 1, 1, 1, 1]));
        boxed(out, *b"stsz", |it| {
            longs(it, &[0, 0, count]);
            longs(it, &self.sizes);
        });
        boxed(out, *b"co64", |it| {
            longs(it, &[0, count]);
            for at in &self.offsets {
                it.extend(at.to_be_bytes());
            }
        });
    }
}

/// Writes the box that names the files with a track's samples: this file alone.
pub(crate) fn data_in_this_file(out: &mut Vec<u8>) {
    boxed(out, *b"dinf", |it| {
        boxed(it, *b"dref", |it| {
            longs(it, &[0, 1]);
            boxed(it, *b"url ", |it| longs(it, &[1]));
        });
    });
}

/// Writes a box of this kind: `fill` writes its content, before which its length is inserted.
pub(crate) fn boxed(out: &mut Vec<u8>, kind: [u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let at = out.len();
    out.extend([0; 4]);
    out.extend(kind);
    fill(out);
    let length = (out.len() - at) as u32;
    if let Some(place) = out.get_mut(at..at + 4) {
        place.copy_from_slice(&length.to_be_bytes());
    }
}

pub(crate) fn longs(out: &mut Vec<u8>, values: &[u32]) {
    out.extend(values.iter().flat_map(|value| value.to_be_bytes()));
}

pub(crate) fn matrix(out: &mut Vec<u8>) {
    longs(out, &[0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000]);
}
