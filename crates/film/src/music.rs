//! Music under a film: a file, or the tracks that the recording names, of Ogg Vorbis or FLAC, as engines play them.
//!
//! Tracks are decoded while the film is made, so that a long track takes no more memory than its file.

use crate::RATE;
use moviola_assets::GameFiles;
use std::collections::VecDeque;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

/// The music of a film.
///
/// ```
/// use moviola_film::Music;
/// assert_eq!(Music::file("a.wav", b"RIFF".to_vec()).unwrap_err().to_string(), "neither Ogg Vorbis nor FLAC");
/// ```
#[derive(Clone, Debug)]
pub enum Music {
    /// One track, repeated from the film's beginning to its end.
    Track {
        /// The name of its file.
        name: String,
        /// Its bytes.
        bytes: FileBytes,
    },
    /// The tracks that the recording names, if the game's files have them: `music/track02.ogg`.
    OfTheGame,
}

/// The bytes of a file, which are not printed.
#[derive(Clone)]
pub struct FileBytes(Arc<[u8]>);

impl std::fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl Music {
    /// The music of a file.
    ///
    /// # Errors
    /// It is neither Ogg Vorbis nor FLAC, or damaged at its beginning.
    pub fn file(name: &str, bytes: Vec<u8>) -> io::Result<Self> {
        let bytes = FileBytes(bytes.into());
        Decoder::open(&bytes)?;
        Ok(Self::Track { name: name.to_owned(), bytes })
    }
}

/// Plays the music along with a film.
///
/// ```
/// use moviola_film::{Music, MusicPlayer};
/// let mut sound = [[5, -5]; 4];
/// MusicPlayer::default().add(&Music::OfTheGame, None, &Default::default(), 0, &mut sound);
/// assert_eq!(sound, [[5, -5]; 4], "the recording names no track");
/// ```
#[derive(Debug, Default)]
pub struct MusicPlayer {
    track: Option<u8>,
    /// The name of the file that plays, and its stream until it turns out to be damaged.
    playing: Option<(String, Option<Stream>)>,
}

impl MusicPlayer {
    /// Adds the music to the samples of a frame, which begin at the film's sample `at`. `track` is the one that the
    /// recording names at this moment. If a track turns out to be damaged, it is listed in
    /// [troubles](GameFiles::troubles), and silent from there on.
    pub fn add(
        &mut self,
        music: &Music,
        track: Option<u8>,
        files: &GameFiles,
        at: u64,
        samples: &mut [[i16; 2]],
    ) {
        let found = match music {
            Music::Track { name, bytes } if self.playing.is_none() => {
                Some((name.clone(), Stream::new(bytes.clone(), at)))
            }
            Music::OfTheGame if self.track != track => {
                self.track = track;
                self.playing = None;
                let found = track.and_then(|track| files.music(track));
                found.map(|(name, bytes)| (name, Stream::new(FileBytes(bytes.into()), 0)))
            }
            _ => None,
        };
        let failed = |name: &str, error: &io::Error| {
            let seconds = at as f64 / f64::from(RATE);
            files.trouble(name, format!("{error}, so there is no music from {seconds:.1} s of the film on"));
        };
        if let Some((name, stream)) = found {
            let stream = stream.map_err(|error| failed(&name, &error)).ok();
            self.playing = Some((name, stream));
        }
        if let Some((name, stream)) = &mut self.playing
            && let Some(Err(error)) = stream.as_mut().map(|stream| stream.add(samples))
        {
            failed(name, &error);
            *stream = None;
        }
    }
}

/// A track that repeats, in the film's sample rate.
#[derive(Debug)]
struct Stream {
    bytes: FileBytes,
    decoder: Decoder,
    rate: u64,
    /// Decoded samples that are still needed, and the number of samples before them.
    ahead: VecDeque<[i16; 2]>,
    samples_passed: u64,
    /// The number of the next sample in the film's rate.
    next: u64,
    /// Whether nothing could be decoded since the track last began.
    is_empty: bool,
}

impl Stream {
    fn new(bytes: FileBytes, next: u64) -> io::Result<Self> {
        let (decoder, rate) = Decoder::open(&bytes)?;
        Ok(Self { bytes, decoder, rate, ahead: VecDeque::new(), samples_passed: 0, next, is_empty: true })
    }

    fn add(&mut self, samples: &mut [[i16; 2]]) -> io::Result<()> {
        for sample in samples {
            let place = self.next.saturating_mul(self.rate);
            self.next += 1;
            let (whole, part) = (place / u64::from(RATE), place % u64::from(RATE));
            let Some([one, other]) = self.pair(whole)? else { return Ok(()) };
            for (side, sum) in sample.iter_mut().enumerate() {
                let [one, other] =
                    [one, other].map(|it| i64::from(it.get(side).copied().unwrap_or_default()));
                let between = one + (other - one) * part as i64 / i64::from(RATE);
                *sum = sum.saturating_add(between as i16);
            }
        }
        Ok(())
    }

    /// A decoded sample and the next one; `None` if the track has no samples.
    fn pair(&mut self, number: u64) -> io::Result<Option<[[i16; 2]; 2]>> {
        loop {
            while self.samples_passed < number && self.ahead.pop_front().is_some() {
                self.samples_passed += 1;
            }
            if let (true, Some(one), Some(other)) =
                (self.samples_passed == number, self.ahead.front(), self.ahead.get(1))
            {
                return Ok(Some([*one, *other]));
            }
            if self.decoder.more(&mut self.ahead)? {
                self.is_empty = self.is_empty && self.ahead.is_empty();
            } else if self.is_empty {
                return Ok(None);
            } else {
                (self.decoder, _) = Decoder::open(&self.bytes)?;
                self.is_empty = true;
            }
        }
    }
}

type Source = Cursor<FileBytes>;

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The greatest sample rate. A damaged header may claim one at which decoding would take too long.
const MOST_RATE: u32 = 768_000;

enum Decoder {
    Vorbis(Box<lewton::inside_ogg::OggStreamReader<Source>>),
    Flac { reader: Box<claxon::FlacReader<Source>>, buffer: Vec<i32> },
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self, Self::Vorbis(_)) { "Vorbis" } else { "FLAC" })
    }
}

impl Decoder {
    /// The decoder of a file, and the rate of its samples.
    fn open(bytes: &FileBytes) -> io::Result<(Self, u64)> {
        let mut source = Cursor::new(bytes.clone());
        let mut magic = [0; 4];
        let _ = source.read(&mut magic)?;
        source.seek(SeekFrom::Start(0))?;
        let (decoder, rate) = match &magic {
            b"OggS" if is_opus(bytes.as_ref()) => {
                return Err(io::Error::other("Ogg Opus, where engines play Ogg Vorbis or FLAC"));
            }
            b"OggS" => {
                crate::vorbis::check(bytes.as_ref())?;
                let reader = lewton::inside_ogg::OggStreamReader::new(source).map_err(damaged)?;
                let rate = reader.ident_hdr.audio_sample_rate;
                (Self::Vorbis(Box::new(reader)), rate)
            }
            b"fLaC" => {
                let reader = claxon::FlacReader::new(source).map_err(damaged)?;
                let rate = reader.streaminfo().sample_rate;
                (Self::Flac { reader: Box::new(reader), buffer: Vec::new() }, rate)
            }
            _ => return Err(io::Error::other("neither Ogg Vorbis nor FLAC")),
        };
        if rate == 0 || rate > MOST_RATE {
            return Err(io::Error::other("music with an impossible rate"));
        }
        Ok((decoder, u64::from(rate)))
    }

    /// Decodes the next samples; `false` at the end.
    fn more(&mut self, to: &mut VecDeque<[i16; 2]>) -> io::Result<bool> {
        match self {
            Self::Vorbis(reader) => {
                let channels = usize::from(reader.ident_hdr.audio_channels).max(1);
                let Some(packet) = reader.read_dec_packet_itl().map_err(damaged)? else { return Ok(false) };
                to.extend(packet.chunks_exact(channels).filter_map(|all| stereo(all.iter().copied())));
                Ok(true)
            }
            Self::Flac { reader, buffer } => {
                let bits = reader.streaminfo().bits_per_sample;
                let block = reader.blocks().read_next_or_eof(std::mem::take(buffer)).map_err(damaged)?;
                let Some(block) = block else { return Ok(false) };
                let sixteen =
                    |it: i32| if bits >= 16 { it >> (bits - 16).min(16) } else { it << (16 - bits) };
                for at in 0..block.duration() {
                    let all = (0..block.channels()).map(|channel| sixteen(block.sample(channel, at)) as i16);
                    to.extend(stereo(all));
                }
                *buffer = block.into_buffer();
                Ok(true)
            }
        }
    }
}

/// Whether an Ogg file begins with a stream of Opus. The first packet follows the list of the page's segments, whose
/// length is the 27th byte.
fn is_opus(bytes: &[u8]) -> bool {
    let packet = bytes.get(26).and_then(|segments| bytes.get(27 + usize::from(*segments)..));
    packet.is_some_and(|packet| packet.starts_with(b"OpusHead"))
}

/// The first two channels; a single channel is used for both sides.
fn stereo(mut all: impl Iterator<Item = i16>) -> Option<[i16; 2]> {
    let left = all.next()?;
    Some([left, all.next().unwrap_or(left)])
}

fn damaged(why: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("the music is damaged: {why}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]
mod tests {
    use super::*;

    /// A FLAC of one block: 16 samples of one channel, 16 bits, 24 kHz, all with this value.
    fn flac(value: i16) -> Vec<u8> {
        let mut bits: Vec<u8> = b"fLaC".to_vec();
        bits.extend([0x80, 0, 0, 34, 0, 16, 0, 16, 0, 0, 0, 0, 0, 0]);
        // 24000 Hz in 20 bits, one channel, 16 bits, 16 samples.
        bits.extend([0x05, 0xdc, 0x00, 0xf0, 0, 0, 0, 16]);
        bits.extend([0; 16]);
        // A frame: 16 samples, whose number is in a byte; rate and size as in the header; one channel with a constant
        // value.
        let mut frame = vec![0xff, 0xf8, 0x60, 0x08, 0x00, 15];
        frame.push(crc(&frame, 8, 0x07) as u8);
        frame.push(0x00);
        frame.extend(value.to_be_bytes());
        let check = crc(&frame, 16, 0x8005);
        frame.extend(check.to_be_bytes());
        bits.extend(frame);
        bits
    }

    fn crc(bytes: &[u8], width: u32, polynomial: u16) -> u16 {
        let mask = if width == 8 { 0xff } else { 0xffff };
        bytes.iter().fold(0u16, |mut sum, byte| {
            sum ^= u16::from(*byte) << (width - 8);
            for _ in 0..8 {
                let top = sum >> (width - 1) & 1 == 1;
                sum = (sum << 1 ^ if top { polynomial } else { 0 }) & mask;
            }
            sum
        })
    }

    #[test]
    fn music_is_added_in_the_rate_of_the_film_and_goes_round() {
        let music = Music::file("a.flac", flac(1000)).unwrap();
        let mut player = MusicPlayer::default();
        let mut samples = vec![[100, -100]; 500];
        player.add(&music, None, &GameFiles::default(), 0, &mut samples);
        assert!(samples.iter().all(|it| *it == [1100, 900]), "{:?}", &samples[..40]);
        let mut loud = vec![[i16::MAX, 0]];
        player.add(&music, None, &GameFiles::default(), 500, &mut loud);
        assert_eq!(loud, [[i16::MAX, 1000]]);
    }

    #[test]
    fn tracks_are_those_that_the_recording_names() {
        let mut files = GameFiles::default();
        files.add_file("music/track04.flac", flac(7));
        let mut player = MusicPlayer::default();
        let mut play = |track| {
            let mut samples = vec![[0; 2]; 4];
            player.add(&Music::OfTheGame, track, &files, 0, &mut samples);
            samples[0]
        };
        assert_eq!(
            (play(None), play(Some(4)), play(Some(5)), play(Some(4))),
            ([0; 2], [7; 2], [0; 2], [7; 2])
        );
    }

    #[test]
    fn opus_is_named() {
        let mut file = b"OggS\0\x02".to_vec();
        file.resize(26, 0);
        file.extend(b"\x01\x13OpusHead\x01\x02\0\0\x80\xbb\0\0\0\0\0");
        let error = Music::file("a.ogg", file).unwrap_err().to_string();
        assert_eq!(error, "Ogg Opus, where engines play Ogg Vorbis or FLAC");
    }

    #[test]
    fn damaged_music_is_an_error_or_silence() {
        let whole = flac(1000);
        for length in 0..whole.len() {
            let Ok(music) = Music::file("a.flac", whole[..length].to_vec()) else { continue };
            let (files, mut samples) = (GameFiles::default(), [[5; 2]; 64]);
            MusicPlayer::default().add(&music, None, &files, 0, &mut samples);
            assert_eq!(samples, [[5; 2]; 64]);
        }
    }

    #[test]
    fn the_film_goes_on_without_a_track_that_is_damaged() {
        let mut broken = flac(1000);
        let check = broken.len() - 1;
        broken[check] ^= 1;
        let mut files = GameFiles::default();
        files.add_file("music/track04.flac", broken);
        files.add_file("music/track05.ogg", b"no music".to_vec());
        files.add_file("music/track06.flac", flac(7));
        let (mut player, mut samples) = (MusicPlayer::default(), [[5; 2]; 4]);
        for track in [4, 4, 5] {
            player.add(&Music::OfTheGame, Some(track), &files, u64::from(2 * RATE), &mut samples);
            assert_eq!(samples, [[5; 2]; 4]);
        }
        player.add(&Music::OfTheGame, Some(6), &files, 0, &mut samples);
        assert_eq!(samples, [[12; 2]; 4]);
        let troubles: Vec<String> = files.troubles().iter().map(ToString::to_string).collect();
        assert_eq!(troubles.len(), 2);
        assert!(troubles[0].starts_with("music/track04.flac: the music is damaged"), "{troubles:?}");
        assert!(troubles[0].ends_with("no music from 2.0 s of the film on"), "{troubles:?}");
        assert!(troubles[1].starts_with("music/track05.ogg: neither Ogg Vorbis nor FLAC"), "{troubles:?}");
    }
}
