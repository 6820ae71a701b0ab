//! Makes a film of a recording: one thread makes the scenes, several draw them, and one writes the film.

use crate::caption::draw_over;
use crate::music::MusicPlayer;
use crate::{Caption, Film, FilmFrame, FrameRate, Music, OverheadMoment, OverheadRecording, Yuv};
use moviola_render::{LookOptions, RenderedFrame, Renderer};
use moviola_scene::{Moment, Reel, Scene, SceneOptions, Seeker};
use moviola_sound::Mixer;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// A part of a recording, in seconds of the recording.
///
/// ```
/// use moviola_film::{FrameRate, FilmPart};
/// let part = FilmPart { from: 1.0, to: 2.5, ..FilmPart::default() };
/// assert_eq!(part.frames(FrameRate::of(60.0)), 90);
/// // From half speed to full: a second and a half take two.
/// let faster = FilmPart { speed: [0.5, 1.0], ..part };
/// assert_eq!((faster.seconds(), faster.at(0.0), faster.at(2.0)), (2.0, 1.0, 2.5));
/// assert!(faster.at(1.0) < 1.75);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmPart {
    /// Its start.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// Seconds of the recording per second of the film, at its start and at its end; the speed changes
    /// evenly.
    pub speed: [f64; 2],
}

impl Default for FilmPart {
    fn default() -> Self {
        Self { from: 0.0, to: 0.0, speed: [1.0; 2] }
    }
}

impl FilmPart {
    /// Its duration in the film, in seconds.
    pub fn seconds(&self) -> f64 {
        let [first, last] = self.speed;
        (2.0 * (self.to - self.from) / (first + last)).max(0.0)
    }

    /// The number of its frames.
    pub fn frames(&self, rate: FrameRate) -> u64 {
        (self.seconds() * f64::from(rate.units) / f64::from(rate.step)).round() as u64
    }

    /// The moment of the recording that is shown this many seconds after the part's first frame.
    pub fn at(&self, seconds: f64) -> f64 {
        let [first, last] = self.speed;
        let all = self.seconds();
        let gain = if all > 0.0 { (last - first) / (2.0 * all) } else { 0.0 };
        self.from + first * seconds + gain * seconds * seconds
    }
}

/// The options of a film.
///
/// ```
/// use moviola_film::{FrameRate, FilmOptions};
/// let blurred = FilmOptions { blur: 8, ..FilmOptions::default() };
/// assert_eq!(blurred.rate, FrameRate::of(60.0));
/// ```
#[derive(Clone, Debug)]
pub struct FilmOptions {
    /// The frame rate.
    pub rate: FrameRate,
    /// The options of the pictures.
    pub look: LookOptions,
    /// The options of the scenes.
    pub options: SceneOptions,
    /// The number of threads that draw.
    pub threads: usize,
    /// The number of pictures that are averaged into a frame, like a shutter that is open for half of the time; 1 gives
    /// sharp frames.
    pub blur: u32,
    /// Texts over the film.
    pub captions: Vec<Caption>,
    /// The view from above, for levels whose files are missing.
    pub above: Option<Arc<OverheadRecording>>,
    /// The music.
    pub music: Option<Music>,
}

impl Default for FilmOptions {
    fn default() -> Self {
        let (look, options) = (LookOptions::default(), SceneOptions::default());
        let rate = FrameRate::of(60.0);
        Self { rate, look, options, threads: 1, blur: 1, captions: Vec::new(), above: None, music: None }
    }
}

/// The part of a frame's time in which a shutter is open.
const SHUTTER: f64 = 0.5;

/// The most pictures for a frame.
const MOST_BLUR: u32 = 64;

/// Films parts of a recording, one after another; returns the number of frames written. `frames_before` is the
/// number of frames that the film already has. `goes_on` is called before each frame with the number of
/// frames made so far; if it returns `false`, the film ends.
///
/// ```
/// use moviola_film::{FilmPart, FilmOptions, Y4mFilm, shoot};
/// use moviola_render::{LookOptions, Renderer};
/// use moviola_scene::Seeker;
/// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
/// let how = FilmOptions { look: LookOptions { size: [16, 16], ..LookOptions::default() }, ..FilmOptions::default() };
/// let mut film = Y4mFilm::new(Vec::new(), [16, 16], how.rate).unwrap();
/// let renderer = Renderer::new(moviola_assets::GameFiles::default().into());
/// let all = [FilmPart { to: 0.25, ..FilmPart::default() }];
/// assert_eq!(shoot(&mut seeker, &renderer, &all, &how, 0, &mut film, &mut |_| true).unwrap(), 15);
/// ```
pub fn shoot<R: Read, O: FnMut() -> io::Result<R>>(
    seeker: &mut Seeker<O, R>,
    renderer: &Renderer,
    parts: &[FilmPart],
    options: &FilmOptions,
    frames_before: u64,
    film: &mut (dyn Film + Send),
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<u64> {
    let wants_yuv = film.wants_yuv();
    let threads = options.threads.clamp(1, 64);
    thread::scope(|scope| {
        // The threads get frames in turn, and the pictures are collected in the same order.
        let (mut jobs, mut pictures) = (Vec::new(), Vec::new());
        for _ in 0..threads {
            let (to_draw, jobs_here) = sync_channel::<Vec<ShownMoment>>(1);
            let (drawn, pictures_here) = sync_channel::<FilmFrame>(1);
            scope.spawn(move || {
                for scenes in jobs_here {
                    if drawn.send(draw(renderer, &scenes, options, wants_yuv)).is_err() {
                        break;
                    }
                }
            });
            jobs.push(to_draw);
            pictures.push(pictures_here);
        }
        let (to_film, sounds) = sync_channel::<Vec<[i16; 2]>>(3 * threads);
        let writer = scope.spawn(move || write(film, &pictures, &sounds));
        let mut shot = Shot { options, frames_before, frames_written: 0 };
        let made = shot.all(seeker, renderer, parts, goes_on, |number, scenes, sound| {
            let job = jobs.get(number as usize % threads);
            job.is_some_and(|job| job.send(scenes).is_ok()) && to_film.send(sound).is_ok()
        });
        drop((jobs, to_film));
        let written = writer.join().unwrap_or_else(|_| Err(io::Error::other("the film's writer failed")));
        made.and(written).map(|()| shot.frames_written)
    })
}

/// Writes frames in their order, with their sound.
fn write(
    film: &mut (dyn Film + Send),
    pictures: &[Receiver<FilmFrame>],
    sounds: &Receiver<Vec<[i16; 2]>>,
) -> io::Result<()> {
    let mut turns = pictures.iter().cycle();
    for sound in sounds {
        let picture = turns.next().and_then(|turn| turn.recv().ok());
        film.frame(&picture.ok_or_else(|| io::Error::other("a frame could not be drawn"))?)?;
        film.sound(&sound)?;
    }
    Ok(())
}

/// The state of making a film.
struct Shot<'h> {
    options: &'h FilmOptions,
    frames_before: u64,
    frames_written: u64,
}

impl Shot<'_> {
    /// A moment through the player's eyes, or from above where the level is missing.
    fn shown(&self, reel: &Reel, moment: Moment, renderer: &Renderer) -> ShownMoment {
        let (options, files) = (&self.options.options, renderer.files());
        let above = self.options.above.as_ref().and_then(|above| above.look(reel, moment, options, files));
        above.map_or_else(|| ShownMoment::Eyes(reel.scene(moment, options, &**files)), ShownMoment::Above)
    }

    /// Makes the scenes and the sound of all frames; ends early if `take` returns `false`.
    fn all<R: Read, O: FnMut() -> io::Result<R>>(
        &mut self,
        seeker: &mut Seeker<O, R>,
        renderer: &Renderer,
        parts: &[FilmPart],
        goes_on: &mut dyn FnMut(u64) -> bool,
        mut take: impl FnMut(u64, Vec<ShownMoment>, Vec<[i16; 2]>) -> bool,
    ) -> io::Result<()> {
        let (rate, blur) = (self.options.rate, self.options.blur.clamp(1, MOST_BLUR));
        let mut track = SoundTrack {
            renderer,
            options: self.options,
            mixer: Mixer::new(),
            player: MusicPlayer::default(),
        };
        let mut end = None;
        for part in parts {
            // If a part continues the last one, its sounds continue as well.
            if end.replace(part.to) != Some(part.from) {
                track.mixer = Mixer::new();
            }
            // A frame's sound is mixed when the next scene is known, which has the sounds that start in between.
            let mut waiting: Option<WaitingFrame> = None;
            let frames = part.frames(rate);
            for frame in 0..=frames {
                let time = part.at(rate.seconds(frame));
                let open = (part.at(rate.seconds(frame + 1)) - time) * SHUTTER / f64::from(blur);
                // The moment after the last frame is only heard.
                let is_last = frame == frames || !goes_on(self.frames_written + u64::from(waiting.is_some()));
                let now = self.frames_before + self.frames_written + u64::from(waiting.is_some());
                let mut scenes = Vec::new();
                for picture in 0..if is_last { 1 } else { blur } {
                    let moment = Moment::At(time + f64::from(picture) * open);
                    seeker.go(moment)?;
                    let mut shown = self.shown(seeker.reel(), moment, renderer);
                    draw_over(&self.options.captions, rate.seconds(now), shown.scene_mut());
                    scenes.push(shown);
                }
                let next = WaitingFrame { now, time, scenes, music: seeker.reel().track() };
                if let Some(shown) = waiting.take() {
                    let sound = track.between(&shown, &next);
                    if !take(self.frames_written, shown.scenes, sound) {
                        return Ok(());
                    }
                    self.frames_written += 1;
                }
                if is_last {
                    if frame < frames {
                        return Ok(());
                    }
                    break;
                }
                waiting = Some(next);
            }
        }
        Ok(())
    }
}

/// A frame whose sound is not mixed yet.
struct WaitingFrame {
    /// Its number in the film.
    now: u64,
    /// Its time in seconds of the recording.
    time: f64,
    scenes: Vec<ShownMoment>,
    /// The track of music.
    music: Option<u8>,
}

/// The sound of a film up to a frame.
struct SoundTrack<'s> {
    renderer: &'s Renderer,
    options: &'s FilmOptions,
    mixer: Mixer,
    player: MusicPlayer,
}

impl SoundTrack<'_> {
    /// The sound between a frame and the next one.
    fn between(&mut self, shown: &WaitingFrame, next: &WaitingFrame) -> Vec<[i16; 2]> {
        let (rate, files) = (self.options.rate, self.renderer.files());
        let from = rate.sample(shown.now);
        let samples = (rate.sample(shown.now + 1) - from) as usize;
        let (Some(here), Some(there)) = (shown.scenes.first(), next.scenes.first()) else {
            return vec![[0; 2]; samples];
        };
        let (here, starts) = (here.scene(), &there.scene().sounds);
        let mut sound = self.mixer.mix_between(here, starts, [shown.time, next.time], samples, files);
        if let Some(music) = &self.options.music {
            self.player.add(music, shown.music, files, from, &mut sound);
        }
        sound
    }
}

/// A moment, and how it is drawn.
enum ShownMoment {
    Eyes(Scene),
    Above(OverheadMoment),
}

impl ShownMoment {
    fn scene(&self) -> &Scene {
        match self {
            Self::Eyes(scene) => scene,
            Self::Above(seen) => &seen.scene,
        }
    }

    fn scene_mut(&mut self) -> &mut Scene {
        match self {
            Self::Eyes(scene) => scene,
            Self::Above(seen) => &mut seen.scene,
        }
    }

    fn draw(&self, renderer: &Renderer, how: &FilmOptions) -> RenderedFrame {
        match (self, &how.above) {
            (Self::Above(seen), Some(above)) => above.frame(seen, how.look.size),
            _ => renderer.render(self.scene(), &how.look),
        }
    }
}

/// Draws a frame, which is the mean of its pictures.
fn draw(renderer: &Renderer, pictures: &[ShownMoment], how: &FilmOptions, wants_yuv: bool) -> FilmFrame {
    let frame = match pictures {
        [shown] => shown.draw(renderer, how),
        several => blurred(renderer, several, how),
    };
    if wants_yuv { FilmFrame::Yuv(Yuv::of(frame.size, &frame.rgba)) } else { FilmFrame::Rgba(frame) }
}

fn blurred(renderer: &Renderer, pictures: &[ShownMoment], how: &FilmOptions) -> RenderedFrame {
    let mut sums: Vec<u16> = Vec::new();
    let mut size = [0; 2];
    for shown in pictures {
        let frame = shown.draw(renderer, how);
        size = frame.size;
        sums.resize(frame.rgba.len(), 0);
        // The sum of 64 pictures fits: 64 times 255.
        for (sum, part) in sums.iter_mut().zip(&frame.rgba) {
            *sum += u16::from(*part);
        }
    }
    let count = pictures.len().max(1) as u16;
    RenderedFrame { size, rgba: sums.into_iter().map(|sum| ((sum + count / 2) / count) as u8).collect() }
}
