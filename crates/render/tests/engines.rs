//! Compares pictures with those of the engines: the same moments of the same recordings, with the same
//! settings.
//!
//! The mean difference in brightness and the structural similarity of each pair are limited.
//! `MOVIOLA_PICTURES=FOLDER` writes each pair of pictures side by side.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../../assets/tests/common/game.rs"]
mod game;
mod measure;

use game::game;
use measure::{Gray, difference, silhouettes, similarity};
use moviola_assets::GameFiles;
use moviola_render::{LookKind, LookOptions, RenderedFrame, Renderer};
use moviola_scene::{Hud, Model, Moment, Scene, SceneOptions, Seeker};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest difference from an engine's picture, in parts of 255, and the least similarity.
const MOST_DIFFERENCE: f64 = 10.0;
const LEAST_SIMILARITY: f64 = 0.85;

/// The least share of models' silhouettes that must be the same.
const LEAST_OVERLAP: f64 = 0.9;

/// Whether engines turn a model at random, as Quake II's explosions. Such models cover others at random too, like
/// particles.
fn is_by_chance(model: &Model) -> bool {
    model.file.starts_with("models/objects/")
}

/// The data of a picture: its recording, moment and camera.
struct Shot {
    picture: String,
    recording: String,
    block: u64,
    eye: [f32; 3],
    angles: [f32; 3],
    fov: f32,
}

fn shots(folder: &Path) -> Vec<Shot> {
    let index = fs::read_to_string(folder.join("reference/INDEX.tsv")).unwrap();
    let vector = |text: &str| -> [f32; 3] {
        let parts: Vec<f32> = text.split(' ').map(|part| part.parse().unwrap()).collect();
        [parts[0], parts[1], parts[2]]
    };
    let shot = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let punch = if fields[6].is_empty() { [0.0; 3] } else { vector(fields[6]) };
        let angles = vector(fields[5]);
        Shot {
            picture: fields[0].to_owned(),
            recording: fields[1].to_owned(),
            block: fields[2].parse().unwrap(),
            eye: vector(fields[4]),
            angles: std::array::from_fn(|at| angles[at] + punch[at]),
            fov: fields[7].parse().unwrap(),
        }
    };
    index.lines().skip(1).map(shot).collect()
}

fn recording(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let places = ["big", "../corpus/ours", "../engine-kit/demos"];
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let all = places.iter().map(|place| folder.join(place)).chain([own]);
    all.map(|place| place.join(name)).find(|path| path.is_file()).map(|path| fs::read(path).unwrap())
}

fn scene(renderer: &Renderer, shot: &Shot, file: &[u8]) -> Scene {
    let full = shot.picture.contains("/full_");
    let quake2 = shot.recording.ends_with("dm2");
    let options = SceneOptions {
        eye: Some(shot.eye),
        angles: Some(shot.angles),
        fov: Some(shot.fov),
        fog: full,
        tints: full,
        particles: full,
        weapon: !shot.picture.contains("/nearest_"),
        // These pictures were taken with blended poses, in an engine that plays block for block.
        interpolate: full,
        hud: if full || quake2 { Hud::On } else { Hud::Off },
        ..SceneOptions::plain()
    };
    let mut seeker = Seeker::new(|| Ok(file)).unwrap().unwrap();
    seeker.go(Moment::AfterBlock(shot.block)).unwrap();
    seeker.reel().scene(Moment::AfterBlock(shot.block), &options, &**renderer.files())
}

fn look(shot: &Shot) -> LookOptions {
    let colored = shot.picture.contains("/full_") || shot.recording.ends_with("dm2");
    let software = shot.picture.contains("software");
    let kind = if software { LookKind::Software } else { LookKind::Gl };
    let nearest = shot.picture.contains("/nearest_");
    LookOptions { kind, nearest, color_light: colored, threads: 2, ..LookOptions::default() }
}

fn read_png(path: &Path) -> RenderedFrame {
    let mut decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgba).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    RenderedFrame { size: [info.width, info.height], rgba }
}

/// Writes two pictures side by side.
fn write_png(path: &Path, ours: &RenderedFrame, theirs: &RenderedFrame) {
    let [width, height] = ours.size;
    let mut encoder = png::Encoder::new(fs::File::create(path).unwrap(), width * 2, height);
    encoder.set_color(png::ColorType::Rgba);
    let rows = ours.rgba.chunks(width as usize * 4).zip(theirs.rgba.chunks(width as usize * 4));
    let both: Vec<u8> = rows.flat_map(|(one, other)| [one, other].concat()).collect();
    encoder.write_header().unwrap().write_image_data(&both).unwrap();
}

#[test]
fn pictures_are_those_of_the_engines() {
    let Some(folder) = game() else { return };
    let open = |paths: &[&str]| {
        let paths: Vec<PathBuf> = paths.iter().map(|path| folder.join(path)).collect();
        Renderer::new(Arc::new(GameFiles::open(&paths).unwrap()))
    };
    let renderers = [open(&["big", "id1"]), open(&["baseq2"])];
    let mut bad = BTreeMap::new();
    let mut drawn = 0;
    for shot in shots(&folder) {
        let Some(file) = recording(&folder, &shot.recording) else { continue };
        let renderer = &renderers[usize::from(shot.recording.ends_with("dm2"))];
        let ours = renderer.render(&scene(renderer, &shot, &file), &look(&shot));
        let theirs = read_png(&folder.join("reference").join(&shot.picture));
        let (one, other) = (Gray::of(&ours), Gray::of(&theirs));
        let (error, same) = (difference(&one, &other), similarity(&one, &other));
        println!("{:60} difference {error:6.2}  similarity {same:.3}", shot.picture);
        if let Ok(place) = std::env::var("MOVIOLA_PICTURES") {
            let name = shot.picture.replace('/', "_");
            write_png(&Path::new(&place).join(name), &ours, &theirs);
        }
        let scene = scene(renderer, &shot, &file);
        let gray = |scene: &Scene| Gray::of(&renderer.render(scene, &look(&shot)));
        let mut sure = Scene { particles: Vec::new(), ..scene.clone() };
        sure.models.retain(|model| !is_by_chance(model));
        let by_chance: Vec<bool> =
            gray(&sure).luma.iter().zip(&one.luma).map(|(sure, one)| (sure - one).abs() > 1.0).collect();
        let models = scene.models.iter().filter(|model| is_by_chance(model)).cloned().collect();
        let bare = gray(&Scene { models, weapon: None, ..scene });
        let (both, either) = silhouettes(&bare, &one, &other, &by_chance);
        let part = f64::from(both) / f64::from(either.max(1));
        println!("{:60} models {part:.3} of {either} pixels", "");
        if part < LEAST_OVERLAP && either > 1000 {
            bad.insert(format!("{} (models)", shot.picture), (part, 0.0));
        }
        drawn += 1;
        if error > MOST_DIFFERENCE || same < LEAST_SIMILARITY {
            bad.insert(shot.picture, (error, same));
        }
    }
    for renderer in &renderers {
        for trouble in renderer.files().troubles() {
            println!("{trouble}");
        }
    }
    assert!(drawn >= 20, "only {drawn} pictures could be drawn");
    assert!(bad.is_empty(), "other than the engine's: {bad:#?}");
}
