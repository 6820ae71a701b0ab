//! The mixer: the sound of each moment, mixed as the engines of both games do, with 48000 samples a second. Sounds
//! start at the exact sample of their time. Their volume changes evenly from frame to frame as the listener moves, so
//! that there are no clicks.

use moviola_assets::{GameFiles, Wave};
use moviola_format::Game;
use moviola_scene::{Listener, Scene, SoundStart, Vec3, Voice};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// The number of samples per second.
///
/// ```
/// assert_eq!(moviola_sound::RATE, 48_000);
/// ```
pub const RATE: u32 = 48_000;

/// The default volume of engines.
const VOLUME: f32 = 0.7;

/// The most sounds that play at once, as in today's engines.
const MAX_VOICES: usize = 128;

/// Sounds within this distance have their full volume (Quake II).
const FULL_VOLUME_DISTANCE: f32 = 80.0;

/// The playing sounds, and the ids of all that were started.
///
/// ```
/// use moviola_sound::Mixer;
/// use moviola_scene::Scene;
/// let files = moviola_assets::GameFiles::default();
/// let mut mixer = Mixer::new();
/// // A tenth of a second of silence, left and right.
/// let sound = mixer.mix(&Scene::default(), 0.0, 4800, &files);
/// assert_eq!((sound.len(), sound.iter().any(|sample| *sample != [0, 0])), (4800, false));
/// ```
#[derive(Debug, Default)]
pub struct Mixer {
    playing: Vec<Playing>,
    started: HashSet<(u64, u32)>,
    /// The volume of each loop at the end of the last piece, by name.
    loops: BTreeMap<String, [f32; 2]>,
}

#[derive(Debug)]
struct Playing {
    wave: Arc<Wave>,
    voice: Voice,
    volume: f32,
    reach: f32,
    place: Option<Vec3>,
    /// The position in the sound's own samples.
    at: f64,
    /// The number of samples until it begins.
    wait: usize,
    gain: Option<[f32; 2]>,
}

impl Mixer {
    /// A mixer without sounds.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next `samples` of sound, left and right. They begin at `from`, in seconds of the recording, and
    /// have the sounds of `scene`.
    pub fn mix(&mut self, scene: &Scene, from: f64, samples: usize, files: &GameFiles) -> Vec<[i16; 2]> {
        let until = from + samples as f64 / f64::from(RATE);
        self.mix_between(scene, &scene.sounds, [from, until], samples, files)
    }

    /// The next `samples` of sound, left and right, between two times in seconds of the recording, as they are heard in
    /// `scene`. `starts` are the sounds up to the second time: the scene at the first time does not have those that start
    /// in between, and one that is added later would lack its beginning.
    ///
    /// ```
    /// use moviola_sound::Mixer;
    /// let (now, next) = (moviola_scene::Scene::default(), moviola_scene::Scene::default());
    /// let files = moviola_assets::GameFiles::default();
    /// // A tenth of a second in slow motion.
    /// let sound = Mixer::new().mix_between(&now, &next.sounds, [1.0, 1.05], 4800, &files);
    /// assert_eq!(sound.len(), 4800);
    /// ```
    pub fn mix_between(
        &mut self,
        scene: &Scene,
        starts: &[SoundStart],
        [from, until]: [f64; 2],
        samples: usize,
        files: &GameFiles,
    ) -> Vec<[i16; 2]> {
        let rate = if until > from { samples as f64 / (until - from) } else { f64::from(RATE) };
        for start in starts {
            if start.start < until && self.started.insert(start.id) {
                self.start(start, ((start.start - from) * rate).round(), scene, files);
            }
        }
        // Scenes have only the sounds of the last seconds, so the ids of older ones can be dropped.
        let oldest = starts.iter().map(|start| start.id).min();
        self.started.retain(|id| oldest.is_some_and(|oldest| *id >= oldest));
        let mut sum = vec![[0.0f32; 2]; samples];
        for playing in &mut self.playing {
            playing.add(&mut sum, scene);
        }
        self.playing.retain(|it| !it.is_over());
        self.add_loops(&mut sum, scene, from, files);
        sum.into_iter().map(|both| both.map(|it| (it * VOLUME).clamp(-32_768.0, 32_767.0) as i16)).collect()
    }

    /// Starts a sound after this many samples; if the number is negative, the sound started before.
    fn start(&mut self, start: &SoundStart, wait: f64, scene: &Scene, files: &GameFiles) {
        let Voice { entity, channel } = start.voice;
        let is_same =
            |it: &Playing| it.voice.entity == entity && (it.voice.channel == channel || channel == -1);
        if channel != 0 || start.sample.is_empty() {
            for it in self.playing.iter_mut().filter(|it| is_same(it)) {
                it.end_in(wait.max(0.0) as usize);
            }
        }
        let Some(wave) = (!start.sample.is_empty()).then(|| files.wave(&start.sample)).flatten() else {
            return;
        };
        let late = (-wait).max(0.0) / f64::from(RATE);
        let playing = Playing {
            voice: start.voice,
            volume: start.volume,
            reach: start.reach,
            place: start.place,
            at: late * f64::from(wave.rate),
            wait: wait.max(0.0) as usize,
            gain: None,
            wave,
        };
        let is_heard =
            gains(scene, playing.voice.entity, playing.place, playing.reach).iter().any(|it| *it > 0.0);
        if playing.is_over() || !is_heard {
            return;
        }
        if self.playing.len() >= MAX_VOICES {
            self.playing.remove(0);
        }
        self.playing.push(playing);
    }

    fn add_loops(&mut self, sum: &mut [[f32; 2]], scene: &Scene, from: f64, files: &GameFiles) {
        let mut now: BTreeMap<&str, (bool, [f32; 2])> = BTreeMap::new();
        for it in &scene.loops {
            let [left, right] = gains(scene, NOBODY, Some(it.place), it.reach).map(|gain| gain * it.volume);
            let (_, gain) = now.entry(&it.sample).or_insert((it.repeats_all, [0.0; 2]));
            *gain = [(gain[0] + left).min(LOUDEST), (gain[1] + right).min(LOUDEST)];
        }
        let ambience = [
            ("sound/ambience/water1.wav", scene.ambience.water),
            ("sound/ambience/wind2.wav", scene.ambience.wind),
        ];
        for (name, volume) in ambience.into_iter().filter(|(_, volume)| *volume > 0.0) {
            now.insert(name, (false, [volume; 2]));
        }
        let names: Vec<String> =
            now.keys().map(|name| (*name).to_owned()).chain(self.loops.keys().cloned()).collect();
        for name in names {
            let (whole, to) = now.get(name.as_str()).copied().unwrap_or((true, [0.0; 2]));
            let old_gains = self.loops.get(&name).copied().unwrap_or([0.0; 2]);
            if to.iter().chain(&old_gains).all(|gain| *gain <= 0.0) {
                self.loops.remove(&name);
                continue;
            }
            self.loops.insert(name.clone(), to);
            let Some(wave) = files.wave(&name) else { continue };
            let first = if whole { 0 } else { wave.loop_start.unwrap_or(0) };
            let length = wave.samples.len().saturating_sub(first) as f64;
            if length < 1.0 {
                continue;
            }
            let step = f64::from(wave.rate) / f64::from(RATE);
            let mut at = (from * f64::from(wave.rate)).rem_euclid(length);
            let count = sum.len().max(1) as f32;
            for (both, number) in sum.iter_mut().zip(0u32..) {
                let part = number as f32 / count;
                let sample = sample(&wave, first as f64 + at, Some(first));
                for (out, (before, to)) in both.iter_mut().zip(old_gains.iter().zip(&to)) {
                    *out += sample * (before + (to - before) * part);
                }
                at += step;
                if at >= length {
                    at -= length;
                }
            }
        }
    }
}

/// The number of no entity, since a loop is never the listener's own sound.
const NOBODY: i32 = -1;

/// The most volume of equal loops together.
const LOUDEST: f32 = 1.0;

impl Playing {
    fn is_over(&self) -> bool {
        self.wave.loop_start.is_none() && self.at >= self.wave.samples.len() as f64
    }

    /// Ends the sound after this many samples, when another replaces it.
    fn end_in(&mut self, samples: usize) {
        if self.wait >= samples {
            self.at = f64::INFINITY;
        }
        let step = f64::from(self.wave.rate) / f64::from(RATE);
        let end = (self.at + samples.saturating_sub(self.wait) as f64 * step) as usize;
        if self.wave.loop_start.is_some() || end < self.wave.samples.len() {
            let mut samples = self.wave.samples.clone();
            samples.truncate(end);
            self.wave = Arc::new(Wave { rate: self.wave.rate, samples, loop_start: None });
        }
    }

    fn add(&mut self, sum: &mut [[f32; 2]], scene: &Scene) {
        let to = gains(scene, self.voice.entity, self.place, self.reach).map(|gain| gain * self.volume);
        let from = self.gain.replace(to).unwrap_or(to);
        let skip = self.wait.min(sum.len());
        self.wait -= skip;
        let step = f64::from(self.wave.rate) / f64::from(RATE);
        let end = self.wave.samples.len() as f64;
        let count = sum.len().max(1) as f32;
        for (both, number) in sum.iter_mut().zip(0u32..).skip(skip) {
            if self.at >= end {
                match self.wave.loop_start {
                    Some(start) if (start as f64) < end => {
                        self.at = start as f64 + (self.at - end) % (end - start as f64);
                    }
                    _ => break,
                }
            }
            let part = number as f32 / count;
            let sample = sample(&self.wave, self.at, self.wave.loop_start);
            for (out, (from, to)) in both.iter_mut().zip(from.iter().zip(&to)) {
                *out += sample * (from + (to - from) * part);
            }
            self.at += step;
        }
    }
}

/// The sound at a position between two samples.
fn sample(wave: &Wave, at: f64, loop_start: Option<usize>) -> f32 {
    let first = at as usize;
    let get = |at: usize| wave.samples.get(at).copied();
    let here = f32::from(get(first).unwrap_or(0));
    let next = get(first + 1).or_else(|| get(loop_start?)).map_or(0.0, f32::from);
    here + (next - here) * (at - first as f64) as f32
}

/// The volume of a sound on the left and on the right.
fn gains(scene: &Scene, entity: i32, place: Option<Vec3>, reach: f32) -> [f32; 2] {
    let Listener { entity: own, place: ears, right } = scene.listener;
    let Some(place) = place.filter(|_| entity != i32::from(own) || own == 0) else { return [1.0; 2] };
    let way: Vec3 = [place[0] - ears[0], place[1] - ears[1], place[2] - ears[2]];
    let distance = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
    let side = if distance > 0.0 {
        (way[0] * right[0] + way[1] * right[1] + way[2] * right[2]) / distance
    } else {
        0.0
    };
    if scene.game == Game::Quake2 {
        if reach == 0.0 {
            return [1.0; 2];
        }
        let left = (1.0 - (distance - FULL_VOLUME_DISTANCE).max(0.0) * reach).max(0.0);
        return [left * 0.5 * (1.0 - side), left * 0.5 * (1.0 + side)];
    }
    let left = (1.0 - distance * reach).max(0.0);
    [left * (1.0 - side), left * (1.0 + side)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A WAV file with a tone, in 16 bits at this rate.
    fn tone(hertz: f64, rate: u32, seconds: f64) -> Vec<u8> {
        let samples = (f64::from(rate) * seconds) as u32;
        let mut file = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
        file.extend(rate.to_le_bytes());
        file.extend((rate * 2).to_le_bytes());
        file.extend(b"\x02\0\x10\0data");
        file.extend((samples * 2).to_le_bytes());
        for number in 0..samples {
            let turn = f64::from(number) / f64::from(rate) * hertz * std::f64::consts::TAU;
            file.extend(((turn.sin() * 16_000.0) as i16).to_le_bytes());
        }
        file
    }

    fn play(start: SoundStart, listener: Listener, pieces: usize) -> Vec<[i16; 2]> {
        let mut files = GameFiles::default();
        files.add_file("sound/tone.wav", tone(1000.0, 11_025, 0.5));
        let scene = Scene { sounds: vec![start], listener, ..Scene::default() };
        let mut mixer = Mixer::new();
        let piece = 800;
        (0..pieces)
            .flat_map(|number| mixer.mix(&scene, (number * piece) as f64 / f64::from(RATE), piece, &files))
            .collect()
    }

    fn start() -> SoundStart {
        SoundStart { sample: "sound/tone.wav".into(), start: 0.0321, ..SoundStart::default() }
    }

    #[test]
    fn a_tone_starts_at_its_sample_and_keeps_its_pitch_and_length() {
        let sound = play(start(), Listener::default(), 40);
        let first = sound.iter().position(|it| it[0] != 0).unwrap();
        // The first sample of a sine is 0.
        assert!((first as f64 / f64::from(RATE) - 0.0321).abs() < 0.00005, "starts at sample {first}");
        let last = sound.iter().rposition(|it| it[0] != 0).unwrap();
        assert!(((last - first) as f64 / f64::from(RATE) - 0.5).abs() < 0.001);
        let samples = &sound[first..last];
        let turns = samples.windows(2).filter(|pair| pair[0][0] < 0 && pair[1][0] >= 0).count();
        assert!((turns as i32 - 500).abs() <= 1, "{turns} turns in half a second of 1000 Hz");
        let peak = samples.iter().map(|it| it[0]).max().unwrap();
        assert!((f32::from(peak) - 16_000.0 * VOLUME).abs() < 500.0, "peak {peak}");
    }

    #[test]
    fn sounds_are_heard_on_their_side_and_fade_with_distance() {
        let listener = Listener { entity: 1, place: [0.0; 3], right: [0.0, -1.0, 0.0] };
        let at = |place| SoundStart { place: Some(place), voice: Voice { entity: 7, channel: 1 }, ..start() };
        let peak = |sound: &[[i16; 2]], side: usize| sound.iter().map(|it| it[side]).max().unwrap();
        let sound = play(at([0.0, -500.0, 0.0]), listener, 20);
        assert_eq!(peak(&sound, 0), 0);
        let right = f32::from(peak(&sound, 1));
        // Directly at one side a sound has twice its volume, and at half of its range half of that.
        assert!((right - 16_000.0 * VOLUME).abs() < 500.0, "{right}");
        let far = play(at([0.0, -1001.0, 0.0]), listener, 20);
        assert_eq!(peak(&far, 1), 0);
    }

    #[test]
    fn a_sound_between_two_frames_has_its_beginning() {
        let mut files = GameFiles::default();
        files.add_file("sound/tone.wav", tone(1000.0, 11_025, 0.5));
        // At half speed, a sound may start in the middle of a frame whose scene does not have it yet.
        let next = [SoundStart { start: 1.025, ..start() }];
        let sound = Mixer::new().mix_between(&Scene::default(), &next, [1.0, 1.05], 4800, &files);
        let first = sound.iter().position(|it| it[0] != 0).unwrap();
        // A tone's first sample is zero, and the next one of 11025 Hz is four samples later.
        assert!((2400..=2405).contains(&first), "starts at sample {first}");
    }

    #[test]
    fn a_channel_plays_one_sound() {
        let mut files = GameFiles::default();
        files.add_file("sound/tone.wav", tone(1000.0, 11_025, 0.5));
        let voice = Voice { entity: 3, channel: 2 };
        let mut scene = Scene::default();
        scene.sounds.push(SoundStart { id: (1, 0), voice, start: 0.0, ..start() });
        scene.sounds.push(SoundStart { id: (2, 0), voice, start: 0.1, sample: "".into(), ..start() });
        let mut mixer = Mixer::new();
        let sound = mixer.mix(&scene, 0.0, 24_000, &files);
        let last = sound.iter().rposition(|it| it[0] != 0).unwrap();
        assert!((last as f64 / f64::from(RATE) - 0.1).abs() < 0.001, "stops at sample {last}");
    }
}
