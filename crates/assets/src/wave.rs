//! Reads sounds: WAV files with their loops.
// not from SCHEMA, all words: names in the files of sounds.

use crate::error::AssetError;
use crate::record::{Bytes, records};

/// A sound.
///
/// ```
/// use moviola_assets::Wave;
/// # let mut file = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0".to_vec();
/// # file.extend(b"data\x02\0\0\0\x80\xFF");
/// let wave = Wave::read(&file).unwrap();
/// assert_eq!((wave.rate, wave.samples.as_slice(), wave.loop_start), (11025, &[0, 0x7F00][..], None));
/// assert!(wave.seconds() < 0.001);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wave {
    /// The number of samples per second.
    pub rate: u32,
    /// The samples.
    pub samples: Vec<i16>,
    /// The sample at which the sound continues after its end; `None` if it does not loop.
    pub loop_start: Option<usize>,
}

records! {
    struct Chunk {
        kind: [u8; 4] = [[u8; 4]];
        length: u32 = [u32];
    }

    struct WaveFormat {
        coding: u32 = [u16];
        channels: u32 = [u16];
        rate: u32 = [u32];
        bytes_per_second: u32 = [u32];
        align: u32 = [u16];
        bits: u32 = [u16];
    }
}

/// The code of uncompressed samples, and the code of files with an extended format.
const PLAIN: [u32; 2] = [1, 0xFFFE];

impl Wave {
    /// Its duration in seconds.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate.max(1))
    }

    /// Reads a WAV file with uncompressed samples of 8 or 16 bits. Of several channels the first is taken;
    /// the games refuse such files.
    pub fn read(file: &[u8]) -> Result<Self, AssetError> {
        let start = Bytes::new("header", file);
        let mut bytes = start;
        let (riff, _, wave) = (bytes.take(4)?, bytes.take(4)?, bytes.take(4)?);
        if riff != b"RIFF" || wave != b"WAVE" {
            return Err(start.error("it is not a WAV file"));
        }
        let (mut format, mut data, mut loop_start, mut loop_length) = (None, None, None, None);
        while bytes.len() >= 8 {
            let Chunk { kind, length } = bytes.record(0)?;
            // A last chunk that is cut off ends with the file.
            let length = (length as usize).min(bytes.len());
            let mut chunk = bytes.part("chunk", 0, length as i64)?;
            match &kind {
                b"fmt " => format = Some(chunk.named("format").record::<WaveFormat>(0)?),
                b"data" => data = data.or(Some(chunk.named("samples"))),
                // The position of the first mark, in samples.
                b"cue " => loop_start = chunk.from("cue", 24).and_then(|mut it| it.value::<u32>()).ok(),
                // The length of the loop, if an editor wrote it into the chunk after the mark.
                b"LIST" if chunk.remaining().get(20..24) == Some(b"mark") => {
                    loop_length = chunk.take(16).and_then(|_| chunk.value::<u32>()).ok();
                }
                _ => {}
            }
            bytes.take((length.saturating_add(length & 1)).min(bytes.len()))?;
        }
        let Some(WaveFormat { coding, channels, rate, bits, .. }) = format else {
            return Err(start.error("it does not say how its samples are coded"));
        };
        if !PLAIN.contains(&coding) || channels == 0 || !matches!(bits, 8 | 16) || rate == 0 {
            let problem = format!("coding {coding}, {channels} channels of {bits} bits, {rate} Hz");
            return Err(start.error(problem));
        }
        let Some(data) = data else { return Err(start.error("it has no samples")) };
        let size = channels as usize * (bits as usize / 8);
        let mut samples: Vec<i16> = data
            .remaining()
            .chunks_exact(size)
            .map(|sample| match *sample {
                [low, high, ..] if bits == 16 => i16::from_le_bytes([low, high]),
                [byte, ..] => (i16::from(byte) - 128) << 8,
                [] => 0,
            })
            .collect();
        let loop_start = loop_start.map(|at| at as usize).filter(|at| *at < samples.len());
        if let (Some(start), Some(length)) = (loop_start, loop_length) {
            samples.truncate(start.saturating_add(length as usize).max(start.saturating_add(1)));
        }
        Ok(Self { rate, samples, loop_start })
    }
}
