//! The same scene gives the same bytes: with any number of threads, and on every machine.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[allow(dead_code, reason = "the tests of the files' readers use the rest")]
#[path = "../../assets/tests/common/made.rs"]
mod made;

use moviola_assets::GameFiles;
use moviola_render::{Frame, Look, LookKind, Renderer};
use moviola_scene::{DynamicLight, Eye, FogAt, LevelView, Model, Particle, Pose, Scene};
use std::sync::Arc;

/// A square floor with a light over it, a model, a particle, fog.
fn scene() -> Scene {
    let model = Model {
        file: "progs/a.mdl".into(),
        pose: Pose { frame: 1, before: 0, blend: 0.3, time: 0.15 },
        place: [20.0, 12.0, 6.0],
        angles: [10.0, 40.0, 5.0],
        lit_at: [16.0, 16.0, 8.0],
        scale: 2.0,
        ..Model::default()
    };
    let light = DynamicLight { place: [24.0, 8.0, 6.0], radius: 90.0, least: 0.0, color: [1.0, 0.6, 0.2] };
    Scene {
        time: 1.25,
        camera: Eye { eye: [-20.0, 10.0, 24.0], angles: [35.0, 8.0, 3.0], fov: [90.0, 73.74] },
        level: Some(LevelView { file: "maps/a.bsp".into(), styles: vec![1.5], areas: None }),
        models: vec![model],
        particles: vec![Particle { place: [8.0, 8.0, 4.0], color: 200, alpha: 0.5 }],
        lights: vec![light],
        fog: Some(FogAt { density: 0.3, color: [0.2, 0.3, 0.4], sky: 0.5 }),
        ..Scene::default()
    }
}

fn renderer() -> Renderer {
    let mut files = GameFiles::default();
    files.add_file("maps/a.bsp", made::square());
    files.add_file("progs/a.mdl", made::mdl());
    let palette = (0..768u32).map(|at| (at * 7 % 251) as u8).collect();
    files.add_file("gfx/palette.lmp", palette);
    Renderer::new(Arc::new(files))
}

fn hash(frame: &Frame) -> u64 {
    // FNV-1a.
    frame
        .rgba
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[test]
fn threads_do_not_change_a_byte() {
    let (renderer, scene) = (renderer(), scene());
    for kind in [LookKind::Gl, LookKind::Software] {
        for samples in [1, 3] {
            let look = |threads| Look { kind, samples, threads, size: [161, 103], ..Look::default() };
            let one = renderer.render(&scene, &look(1));
            assert!(one.rgba.chunks(4).any(|pixel| pixel[..3] != [0, 0, 0]), "something is seen");
            for threads in [2, 5, 64] {
                assert!(one == renderer.render(&scene, &look(threads)), "{kind:?}, {threads} threads");
            }
        }
    }
}

#[test]
fn the_bytes_are_those_of_every_machine() {
    let (renderer, scene) = (renderer(), scene());
    let of = |kind| hash(&renderer.render(&scene, &Look { kind, size: [160, 100], ..Look::default() }));
    let pinned = (1_940_381_215_387_633_077, 1_940_381_215_387_633_077);
    assert_eq!((of(LookKind::Gl), of(LookKind::Software)), pinned);
}

#[test]
fn more_samples_are_the_mean_of_more_pixels() {
    let (renderer, scene) = (renderer(), scene());
    let of = |size, samples| renderer.render(&scene, &Look { size, samples, ..Look::default() });
    let (fine, mean) = (of([64, 48], 1), of([32, 24], 2));
    let four = |x: u32, y: u32| {
        let part = |dx, dy| u32::from(fine.pixel(2 * x + dx, 2 * y + dy).unwrap()[0]);
        (part(0, 0) + part(1, 0) + part(0, 1) + part(1, 1) + 2) / 4
    };
    for (x, y) in (0..32).flat_map(|x| (0..24).map(move |y| (x, y))) {
        assert_eq!(u32::from(mean.pixel(x, y).unwrap()[0]), four(x, y), "at {x}, {y}");
    }
}

#[test]
fn pictures_of_any_size_have_particles() {
    let (renderer, scene) = (renderer(), scene());
    for side in [1, 7, 40, 79, 80, 81, 320, 333] {
        for kind in [LookKind::Gl, LookKind::Software] {
            let frame = renderer.render(&scene, &Look { kind, size: [side, side], ..Look::default() });
            assert_eq!(frame.rgba.len(), (side * side * 4) as usize);
        }
    }
}
