//! Makes a picture of a scene: decides the order of drawing, and draws bands of rows on all threads.

use crate::band::{Band, Scenery, mix, sorted, waves};
use crate::fog::Fog;
use crate::level::{DrawnLevel, FaceJob, draw_brush};
use crate::look::{LookKind, LookOptions, RenderedFrame};
use crate::model::{ModelJob, flat};
use crate::overlay;
use crate::sky::{Rotation, SkyPaint};
use crate::space::{View, to_f64};
use crate::sprite::{draw_beam, draw_particle, draw_sprite};
use crate::store::Store;
use crate::texture::{OPAQUE, Rgba};
use crate::work::Work;
use moviola_assets::GameFiles;
use moviola_format::Game;
use moviola_scene::{Eye, FogAt, Scene};
use std::sync::Arc;

/// Draws scenes, and caches the textures and levels made from the game's files.
///
/// ```
/// use moviola_render::{LookOptions, LookKind, Renderer};
/// use moviola_scene::{Draw, Overlay, Rect, Scene};
/// let renderer = Renderer::new(Default::default());
/// let area = Rect::new(0, 0, 1, 1);
/// let overlay = Overlay { screen: [2, 1], draws: vec![Draw::Fill { area, color: 200, alpha: 1.0 }] };
/// let scene = Scene { overlay, ..Scene::default() };
/// let look = LookOptions { size: [4, 2], kind: LookKind::Software, ..LookOptions::default() };
/// let frame = renderer.render(&scene, &look);
/// // Without a palette the colors are shades of gray.
/// assert_eq!(frame.pixel(1, 1), Some([200, 200, 200, 255]));
/// assert_eq!(frame.pixel(2, 1), Some([0, 0, 0, 255]));
/// assert!(!renderer.files().troubles().is_empty(), "there was no palette");
/// ```
#[derive(Debug)]
pub struct Renderer {
    store: Store,
}

/// The number of rows in a band. More would not fit into a core's cache.
const BAND_ROWS: usize = 32;

/// The largest width and height of a picture, and the most samples of a pixel in each direction.
const MAX_SIDE: u32 = 8192;
const MOST_SAMPLES: u32 = 8;

/// The vertical field of view in degrees with which Yamagi Quake II draws the weapon, independent of the view's
/// (`r_gunfov`).
const WEAPON_ANGLE: f64 = 80.0;

/// The data of a picture that all bands share.
struct Prepared<'r> {
    scenery: Scenery<'r>,
    /// The shapes of each band.
    bands: Vec<Vec<u32>>,
    fog: Option<Fog>,
    width: usize,
    samples: usize,
}

impl Renderer {
    /// A renderer for the files of a game.
    pub fn new(files: Arc<GameFiles>) -> Self {
        Self { store: Store::new(files) }
    }

    /// The game's files; [`GameFiles::troubles`] lists those that could not be used.
    pub fn files(&self) -> &Arc<GameFiles> {
        &self.store.files
    }

    /// Draws a scene.
    pub fn render(&self, scene: &Scene, look: &LookOptions) -> RenderedFrame {
        let [width, height] = look.size.map(|side| side.min(MAX_SIDE));
        let samples = look.samples.clamp(1, MOST_SAMPLES) as usize;
        let length = width as usize * height as usize * 4;
        let mut frame = RenderedFrame { size: [width, height], rgba: vec![0; length] };
        if length == 0 {
            return frame;
        }
        let rectangle = rectangle(scene, [width, height]);
        let view = View::new(&eye(scene, look), rectangle.map(|side| f64::from(side * samples as u32)));
        let level = scene.level.as_ref().and_then(|level| self.store.level(&level.file, look));
        let mut work = Work::default();
        self.fill(scene, look, &view, level.as_ref(), &mut work);
        let sky = self.sky(scene, look, level.as_ref());
        let is_quake2 = scene.game == Game::Quake2;
        let shades = (look.kind == LookKind::Software).then(|| self.store.shades(is_quake2));
        let time = if scene.time.is_finite() { scene.time } else { 0.0 };
        let scenery = Scenery {
            work: &work,
            view: &view,
            sky: &sky,
            shades: shades.as_ref().and_then(|it| it.as_array()),
            time,
            waves: waves(time),
            nearest: look.nearest && look.kind == LookKind::Gl,
        };
        let bands = sorted(&work, (height as usize).div_ceil(BAND_ROWS), BAND_ROWS * samples);
        let fog = fog(scene, look).as_ref().and_then(Fog::new);
        let prepared = Prepared { scenery, bands, fog, width: width as usize, samples };
        prepared.draw(&mut frame.rgba, look.threads.clamp(1, 64));
        if scene.underwater && look.kind == LookKind::Software {
            waver(&mut frame, rectangle, scene.time);
        }
        tint(scene, &mut frame, rectangle);
        overlay::draw(&self.store, scene, &mut frame);
        frame
    }

    /// Adds all visible shapes, in the order of drawing.
    fn fill(
        &self,
        scene: &Scene,
        look: &LookOptions,
        view: &View,
        level: Option<&Arc<DrawnLevel>>,
        work: &mut Work,
    ) {
        let styles = scene.level.as_ref().map(|level| level.styles.as_slice()).unwrap_or_default();
        let mut job = FaceJob {
            work,
            view,
            scene,
            look,
            styles,
            lights: scene.lights.clone(),
            later: Vec::new(),
            alpha: 1.0,
            frame: 0,
            bright: false,
        };
        if let Some(level) = level {
            let areas = scene.level.as_ref().and_then(|level| level.areas.as_deref());
            level.draw(&mut job, level.ordered(view, areas));
        }
        let see_through = |alpha: f32| alpha < 0.996;
        for brush in scene.brushes.iter().filter(|it| !see_through(it.alpha)) {
            draw_brush(&self.store, level, brush, &mut job);
        }
        let models = ModelJob { store: &self.store, level, scene, look, view };
        for model in scene.models.iter().filter(|it| !see_through(it.alpha)) {
            models.draw(job.work, model, false);
        }
        for sprite in &scene.sprites {
            draw_sprite(&self.store, scene, look, view, job.work, sprite);
        }
        for brush in scene.brushes.iter().filter(|it| see_through(it.alpha)) {
            draw_brush(&self.store, level, brush, &mut job);
        }
        for model in scene.models.iter().filter(|it| see_through(it.alpha)) {
            models.draw(job.work, model, false);
        }
        let colors = crate::texture::bright(&self.store.files.palette(scene.game == Game::Quake2), 1);
        for beam in &scene.beams {
            draw_beam(&colors, view, job.work, beam);
        }
        for particle in &scene.particles {
            draw_particle(&colors, scene.game == Game::Quake2, look, view, job.work, particle);
        }
        if let Some(level) = level {
            level.draw_later(&mut job);
        }
        if let Some(weapon) = &scene.weapon {
            let own = view.with_angle_up(WEAPON_ANGLE);
            let is_own = look.kind == LookKind::Gl && scene.game == Game::Quake2;
            let models = ModelJob { view: if is_own { &own } else { view }, ..models };
            models.draw(job.work, weapon, true);
        }
    }

    fn sky(&self, scene: &Scene, look: &LookOptions, level: Option<&Arc<DrawnLevel>>) -> SkyPaint {
        let name = scene.level.as_ref().map(|level| &*level.file).unwrap_or_default();
        SkyPaint {
            clouds: level.and_then(|level| self.store.clouds(name, &level.bsp)),
            sides: self.store.sky_box(&scene.sky, scene.game, look),
            turn: Rotation::new(f64::from(scene.sky.turned), to_f64(scene.sky.axis)),
            time: if scene.time.is_finite() { scene.time } else { 0.0 },
            filtered: look.kind == LookKind::Gl && !look.nearest,
            fog: fog(scene, look)
                .filter(|fog| fog.density > 0.0)
                .map(|fog| (flat(fog.color), (fog.sky.clamp(0.0, 1.0) * 256.0) as u32)),
        }
    }
}

/// The fog of a scene. The software renderers do not have any: their 256 colors could not show it.
fn fog(scene: &Scene, look: &LookOptions) -> Option<FogAt> {
    scene.fog.filter(|_| look.kind == LookKind::Gl)
}

/// The eye of a scene. Under water QuakeSpasm stretches the view back and forth.
fn eye(scene: &Scene, look: &LookOptions) -> Eye {
    let mut camera = scene.camera;
    if scene.underwater && look.kind == LookKind::Gl && scene.game == Game::Quake {
        let wave = libm::sin(scene.time * 1.5) as f32 * 0.03;
        let stretch = |fov: f32, by: f32| {
            let half = f64::from(fov.clamp(1.0, 170.0)).to_radians() / 2.0;
            (libm::atan(libm::tan(half) * f64::from(by)).to_degrees() * 2.0) as f32
        };
        let [across, up] = camera.fov;
        camera.fov = [stretch(across, 0.97 + wave), stretch(up, 1.03 - wave)];
    }
    camera
}

/// The part of the picture that shows the level: left, top, right, bottom.
fn rectangle(scene: &Scene, size: [u32; 2]) -> [u32; 4] {
    let [width, height] = size;
    let [across, down] = scene.overlay.screen;
    let ([x, y], [w, h]) = (scene.view.at, scene.view.size);
    if across <= 0 || down <= 0 || w <= 0 || h <= 0 {
        return [0, 0, width, height];
    }
    let edge = |at: i32, full: u32, screen: i32| {
        (i64::from(at) * i64::from(full)).div_euclid(i64::from(screen)).clamp(0, full.into()) as u32
    };
    let (left, top) = (edge(x, width, across), edge(y, height, down));
    let right = edge(x.saturating_add(w), width, across).max(left);
    let bottom = edge(y.saturating_add(h), height, down).max(top);
    [left, top, right, bottom]
}

impl Prepared<'_> {
    /// Draws all bands; threads take turns, each with memory for one band.
    fn draw(&self, rgba: &mut [u8], threads: usize) {
        let mut bands_of_thread: Vec<Vec<(usize, &mut [u8])>> = (0..threads).map(|_| Vec::new()).collect();
        for (index, rows) in rgba.chunks_mut(self.width * 4 * BAND_ROWS).enumerate() {
            if let Some(turn) = bands_of_thread.get_mut(index % threads) {
                turn.push((index, rows));
            }
        }
        let run = |turn: Vec<(usize, &mut [u8])>| {
            let room = self.width * BAND_ROWS * self.samples * self.samples;
            let (mut pixels, mut depths) = (vec![0; room], vec![0.0; room]);
            for (index, rows) in turn {
                self.band(index, rows, &mut pixels, &mut depths);
            }
        };
        if threads == 1 {
            bands_of_thread.into_iter().for_each(run);
        } else {
            std::thread::scope(|scope| {
                for turn in bands_of_thread {
                    scope.spawn(|| run(turn));
                }
            });
        }
    }

    fn band(&self, index: usize, out: &mut [u8], pixels: &mut [Rgba], depths: &mut [f32]) {
        let rows = out.len() / (self.width * 4);
        let width = self.width * self.samples;
        let length = width * rows * self.samples;
        let (Some(pixels), Some(depths)) = (pixels.get_mut(..length), depths.get_mut(..length)) else {
            return;
        };
        pixels.fill(OPAQUE);
        depths.fill(0.0);
        let top = index * BAND_ROWS * self.samples;
        let shapes = self.bands.get(index).map(Vec::as_slice).unwrap_or_default();
        Band { width, top, pixels, depths }.draw(&self.scenery, shapes);
        match &self.fog {
            Some(fog) if self.samples == 1 => return fog.finish(pixels, depths, out.as_chunks_mut().0),
            Some(fog) => fog.lay(pixels, depths),
            None => {}
        }
        if self.samples == 1 {
            for (out, pixel) in out.as_chunks_mut().0.iter_mut().zip(pixels.iter()) {
                *out = (*pixel | OPAQUE).to_le_bytes();
            }
            return;
        }
        self.average(out, pixels);
    }

    /// Averages the samples of each pixel.
    fn average(&self, out: &mut [u8], pixels: &[Rgba]) {
        let (samples, count) = (self.samples, (self.samples * self.samples) as u32);
        let lines = pixels.chunks_exact(self.width * samples * samples);
        for (out, lines) in out.chunks_exact_mut(self.width * 4).zip(lines) {
            for (at, out) in out.chunks_exact_mut(4).enumerate() {
                let mut sum = [count / 2; 3];
                for line in lines.chunks_exact(self.width * samples) {
                    for pixel in line.get(at * samples..(at + 1) * samples).unwrap_or_default() {
                        for (sum, part) in sum.iter_mut().zip(pixel.to_le_bytes()) {
                            *sum += u32::from(part);
                        }
                    }
                }
                let [red, green, blue] = sum.map(|part| (part / count) as u8);
                out.copy_from_slice(&[red, green, blue, 255]);
            }
        }
    }
}

/// How far waves of 128 steps have moved at a time. The result is within one wave, so that no sum overflows even if a
/// damaged recording has an absurd time.
pub(crate) fn phase(time: f64) -> i64 {
    (time * 20.0).rem_euclid(128.0) as i64
}

/// Moves rows and columns back and forth, as the software renderers do under water.
fn waver(frame: &mut RenderedFrame, [left, top, right, bottom]: [u32; 4], time: f64) {
    let from = frame.rgba.clone();
    let (width, shift) = (frame.size[0] as usize, phase(time));
    let (wide, high) = ((right - left) as usize, (bottom - top) as usize);
    // TyrQuake's waves have the same size in pixels in all pictures. Here they have that size in a picture 640 pixels
    // wide, and grow with the picture.
    let unit = (wide / 640).max(1);
    let wave = |at: usize| {
        let step = ((at / unit) as i64 + shift) & 127;
        (3.0 + 3.0 * libm::sin(step as f64 * std::f64::consts::TAU / 128.0)) as usize * unit
    };
    let squeezed = |at: usize, size: usize| (at * size / (size + 6 * unit)).min(size.saturating_sub(1));
    for y in 0..high {
        for x in 0..wide {
            let (u, v) = (squeezed(x + wave(y), wide), squeezed(y + wave(x), high));
            let place = |x: usize, y: usize| ((y + top as usize) * width + x + left as usize) * 4;
            let (at, source) = (place(x, y), place(u, v));
            if let (Some(to), Some(pixel)) = (frame.rgba.get_mut(at..at + 4), from.get(source..source + 4)) {
                to.copy_from_slice(pixel);
            }
        }
    }
}

/// Applies the colors over the view.
fn tint(scene: &Scene, frame: &mut RenderedFrame, [left, top, right, bottom]: [u32; 4]) {
    let width = frame.size[0] as usize;
    for tint in &scene.tints {
        let (color, part) = (flat(tint.color), (tint.alpha.clamp(0.0, 1.0) * 256.0) as u32);
        for row in frame.rgba.chunks_exact_mut(width * 4).take(bottom as usize).skip(top as usize) {
            let pixels = row.get_mut(left as usize * 4..right as usize * 4).unwrap_or_default();
            for pixel in pixels.chunks_exact_mut(4) {
                if let Some(it) = pixel.first_chunk_mut::<4>() {
                    *it = (mix(u32::from_le_bytes(*it), color, part) | OPAQUE).to_le_bytes();
                }
            }
        }
    }
}
