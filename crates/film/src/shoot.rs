//! From a recording to a film: scenes one after the other, pictures of them on all processors, and one writer.

use crate::{Film, FilmFrame, FrameRate, Mixer, Yuv};
use moviola_render::{Look, Renderer};
use moviola_scene::{Moment, Scene, SceneOptions, Seeker};
use std::io::{self, Read};
use std::sync::mpsc::sync_channel;
use std::thread;

/// A part of a recording, in seconds of it.
///
/// ```
/// use moviola_film::{FrameRate, Part};
/// assert_eq!(Part { from: 1.0, to: 2.5 }.frames(FrameRate::of(60.0), 1.0), 90);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

impl Part {
    /// How many frames it has at a speed.
    pub fn frames(&self, rate: FrameRate, speed: f64) -> u64 {
        let seconds = ((self.to - self.from) / speed).max(0.0);
        (seconds * f64::from(rate.units) / f64::from(rate.step)).round() as u64
    }
}

/// How a film is made.
///
/// ```
/// use moviola_film::{FrameRate, Shoot};
/// let slow = Shoot { speed: 0.5, ..Shoot::default() };
/// assert_eq!(slow.rate, FrameRate::of(60.0));
/// ```
#[derive(Clone, Debug)]
pub struct Shoot {
    /// Frames a second.
    pub rate: FrameRate,
    /// Seconds of the recording in a second of the film.
    pub speed: f64,
    /// How the pictures look.
    pub look: Look,
    /// What is seen.
    pub options: SceneOptions,
    /// How many threads draw.
    pub threads: usize,
}

impl Default for Shoot {
    fn default() -> Self {
        let (look, options) = (Look::default(), SceneOptions::default());
        Self { rate: FrameRate::of(60.0), speed: 1.0, look, options, threads: 1 }
    }
}

/// Frames that are drawn at once, for each thread.
const BATCH: usize = 4;

/// Films parts of a recording, one behind the other; says how many frames were written. `goes_on` is asked before each
/// batch of frames, and hears how many there are; where it says no, the film ends.
///
/// ```
/// use moviola_film::{Part, Shoot, Y4mFilm, shoot};
/// use moviola_render::{Look, Renderer};
/// use moviola_scene::Seeker;
/// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
/// let how = Shoot { look: Look { size: [16, 16], ..Look::default() }, ..Shoot::default() };
/// let mut film = Y4mFilm::new(Vec::new(), [16, 16], how.rate).unwrap();
/// let renderer = Renderer::new(moviola_assets::GameFiles::default().into());
/// let all = [Part { from: 0.0, to: 0.25 }];
/// assert_eq!(shoot(&mut seeker, &renderer, &all, &how, &mut film, &mut |_| true).unwrap(), 15);
/// ```
pub fn shoot<R: Read, O: FnMut() -> io::Result<R>>(
    seeker: &mut Seeker<O, R>,
    renderer: &Renderer,
    parts: &[Part],
    how: &Shoot,
    film: &mut (dyn Film + Send),
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<u64> {
    let (to_film, frames) = sync_channel::<(Vec<FilmFrame>, Vec<[i16; 2]>)>(1);
    let wants_yuv = film.wants_yuv();
    thread::scope(|scope| {
        let writer = scope.spawn(move || -> io::Result<()> {
            for (pictures, sound) in frames {
                for picture in &pictures {
                    film.frame(picture)?;
                }
                film.sound(&sound)?;
            }
            Ok(())
        });
        let mut done = 0;
        let made = (|| {
            for part in parts {
                let mut mixer = Mixer::new();
                let count = part.frames(how.rate, how.speed);
                let mut frame = 0;
                while frame < count && goes_on(done) {
                    let batch = (how.threads.max(1) * BATCH) as u64;
                    let batch = batch.min(count - frame);
                    let mut scenes = Vec::new();
                    let mut sound = Vec::new();
                    for number in 0..batch {
                        let time = part.from + how.rate.seconds(frame + number) * how.speed;
                        seeker.go(Moment::At(time))?;
                        let scene = seeker.reel().scene(Moment::At(time), &how.options, &**renderer.files());
                        let samples = how.rate.sample(done + number + 1) - how.rate.sample(done + number);
                        sound.extend(mixer.mix(&scene, time, samples as usize, renderer.files()));
                        scenes.push(scene);
                    }
                    let pictures = draw(renderer, &scenes, how, wants_yuv);
                    if to_film.send((pictures, sound)).is_err() {
                        return Ok(());
                    }
                    frame += batch;
                    done += batch;
                }
            }
            Ok(())
        })();
        drop(to_film);
        let written = writer.join().unwrap_or_else(|_| Err(io::Error::other("the film's writer failed")));
        made.and(written).map(|()| done)
    })
}

/// Pictures of scenes, in their order.
fn draw(renderer: &Renderer, scenes: &[Scene], how: &Shoot, wants_yuv: bool) -> Vec<FilmFrame> {
    let one = |scene: &Scene| {
        let frame = renderer.render(scene, &how.look);
        if wants_yuv { FilmFrame::Yuv(Yuv::of(frame.size, &frame.rgba)) } else { FilmFrame::Rgba(frame) }
    };
    let share = scenes.len().div_ceil(how.threads.max(1)).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = scenes
            .chunks(share)
            .map(|scenes| scope.spawn(move || scenes.iter().map(one).collect::<Vec<_>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    })
}
