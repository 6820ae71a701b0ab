//! A scene with files that are made here, and the hashes of its pictures.

#[allow(dead_code, reason = "the tests of the files' readers use the rest")]
#[path = "../../../assets/tests/common/made.rs"]
mod made;

use moviola_assets::GameFiles;
use moviola_render::{LookKind, LookOptions, RenderedFrame, Renderer};
use moviola_scene::{Beam, DynamicLight, Eye, FogAt, LevelView, Model, Particle, Pose, Scene};
use std::sync::Arc;

/// A square floor with a light over it, a model, particles of several sizes, a beam, fog.
pub(crate) fn scene() -> Scene {
    let model = Model {
        file: "progs/a.mdl".into(),
        pose: Pose { frame: 1, before: 0, blend: 0.3, time: 0.15 },
        place: [14.0, 12.0, 6.0],
        angles: [10.0, 40.0, 5.0],
        lit_at: [16.0, 16.0, 8.0],
        scale: 4.0,
        ..Model::default()
    };
    let light = DynamicLight { place: [24.0, 8.0, 6.0], radius: 90.0, least: 0.0, color: [1.0, 0.6, 0.2] };
    Scene {
        time: 1.25,
        camera: Eye { eye: [-20.0, 10.0, 24.0], angles: [35.0, 8.0, 3.0], fov: [90.0, 73.74] },
        level: Some(LevelView { file: "maps/a.bsp".into(), styles: vec![1.5], areas: None }),
        // The first of the two models shows its front side.
        models: vec![Model { angles: [60.0, 230.0, 45.0], ..model.clone() }, model],
        particles: vec![
            Particle { place: [8.0, 8.0, 4.0], color: 200, alpha: 0.5 },
            Particle { place: [-4.0, 12.0, 13.0], color: 90, alpha: 1.0 },
            Particle { place: [-10.0, 8.0, 16.0], color: 33, alpha: 1.0 },
        ],
        beams: vec![Beam {
            from: [0.0, 0.0, 2.0],
            to: [30.0, 20.0, 9.0],
            radius: 1.0,
            color: 120,
            alpha: 0.6,
        }],
        lights: vec![light],
        fog: Some(FogAt { density: 0.3, color: [0.2, 0.3, 0.4], sky: 0.5 }),
        ..Scene::default()
    }
}

pub(crate) fn renderer() -> Renderer {
    let mut files = files(*b"floor", 37);
    files.add_file("gfx/palette.lmp", palette());
    Renderer::new(Arc::new(files))
}

pub(crate) fn palette() -> Vec<u8> {
    (0..768u32).map(|at| (at * 7 % 251) as u8).collect()
}

/// All files but the palette: with the name of the floor's texture, and the distance of its colors.
pub(crate) fn files(name: [u8; 5], step: u32) -> GameFiles {
    let mut files = GameFiles::default();
    let mut level = made::square();
    // The texture's four sizes follow its name and head.
    let texture = level.windows(5).position(|it| it == b"floor").unwrap() + 40;
    level[texture..texture + 340]
        .iter_mut()
        .zip(0u32..)
        .for_each(|(texel, at)| *texel = (at * step % 199) as u8);
    level[texture - 40..texture - 35].copy_from_slice(&name);
    // The leaf above the floor shows the floor: it gets bounds, and the face in its list.
    let leaves = u32::from_le_bytes(level[84..88].try_into().unwrap()) as usize;
    let leaf = [-64i16, -64, -64, 64, 64, 64, 0, 1].iter().flat_map(|part| part.to_le_bytes());
    level.splice(leaves + 36..leaves + 52, leaf);
    files.add_file("maps/a.bsp", level);
    // Rows of the colormap lead to darker and darker colors.
    let rows = (0..64u32).flat_map(|row| (0..256u32).map(move |color| (color * (64 - row) / 64) as u8));
    files.add_file("gfx/colormap.lmp", rows.collect());
    files.add_file("progs/a.mdl", made::mdl());
    files
}

fn hash(frame: &RenderedFrame) -> u64 {
    // FNV-1a.
    frame
        .rgba
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The hashes of the scene in both looks.
pub(crate) fn hashes() -> [u64; 2] {
    let (renderer, scene) = (renderer(), scene());
    let of = |kind| {
        hash(&renderer.render(&scene, &LookOptions { kind, size: [160, 100], ..LookOptions::default() }))
    };
    [of(LookKind::Gl), of(LookKind::Software)]
}

/// These are the same on every machine.
pub(crate) const PINNED: [u64; 2] = [2_909_396_757_908_607_372, 4_540_752_984_817_422_685];
