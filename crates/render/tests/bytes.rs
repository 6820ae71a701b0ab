//! The same scene gives the same bytes: with any number of threads, and on every machine.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod pinned;

use moviola_render::{LookKind, LookOptions, Renderer};
use moviola_scene::{Scene, Sky};
use pinned::{PINNED, files, hashes, palette, renderer, scene};
use std::sync::Arc;

#[test]
fn threads_do_not_change_a_byte() {
    let (renderer, scene) = (renderer(), scene());
    for kind in [LookKind::Gl, LookKind::Software] {
        for samples in [1, 3] {
            let look =
                |threads| LookOptions { kind, samples, threads, size: [161, 103], ..LookOptions::default() };
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
    assert_eq!(hashes(), PINNED);
    let [gl, software] = PINNED;
    assert_ne!(gl, software, "the scene does not tell the looks apart");
}

#[test]
fn a_sky_box_without_pictures_is_the_clouds_of_the_level() {
    let mut files = files(*b"sky\0\0", 37);
    files.add_file("gfx/palette.lmp", palette());
    let renderer = Renderer::new(Arc::new(files));
    for kind in [LookKind::Gl, LookKind::Software] {
        let [clouds, boxed] = [None, Some("nowhere".into())].map(|name| {
            let scene = Scene { sky: Sky { name, ..Sky::default() }, ..scene() };
            renderer.render(&scene, &LookOptions { kind, size: [160, 100], ..LookOptions::default() })
        });
        assert!(clouds == boxed, "{kind:?}");
    }
}

#[test]
fn without_a_palette_textures_are_flat_colors() {
    let [one, other] = [37, 41].map(|step| {
        let renderer = Renderer::new(Arc::new(files(*b"floor", step)));
        renderer.render(&scene(), &LookOptions { size: [160, 100], ..LookOptions::default() })
    });
    assert!(one == other, "the numbers of colors are seen");
}

#[test]
fn particles_tell_the_looks_apart() {
    let (renderer, scene) = (renderer(), scene());
    let dots = |kind, particles| {
        let scene = Scene { particles, level: None, models: Vec::new(), beams: Vec::new(), ..scene.clone() };
        renderer.render(&scene, &LookOptions { kind, size: [160, 100], ..LookOptions::default() })
    };
    // The far particle is a single pixel.
    for particle in scene.particles.iter().filter(|it| it.alpha > 0.9) {
        let [round, square] = [LookKind::Gl, LookKind::Software].map(|kind| dots(kind, vec![*particle]));
        let none = dots(LookKind::Gl, Vec::new());
        assert!(round != none && square != none, "{particle:?} is not seen");
        assert!(round != square, "{particle:?} is the same in both looks");
    }
}

#[test]
fn more_samples_are_the_mean_of_more_pixels() {
    let (renderer, scene) = (renderer(), scene());
    let of =
        |size, samples| renderer.render(&scene, &LookOptions { size, samples, ..LookOptions::default() });
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
            let frame =
                renderer.render(&scene, &LookOptions { kind, size: [side, side], ..LookOptions::default() });
            assert_eq!(frame.rgba.len(), (side * side * 4) as usize);
        }
    }
}

#[test]
fn the_software_look_has_no_fog() {
    let (renderer, scene) = (renderer(), scene());
    let clear = Scene { fog: None, ..scene.clone() };
    let is_same = |kind| {
        let [foggy, clear] = [&scene, &clear].map(|scene| {
            renderer.render(scene, &LookOptions { kind, size: [64, 48], ..LookOptions::default() })
        });
        foggy == clear
    };
    assert!(scene.fog.is_some() && !is_same(LookKind::Gl) && is_same(LookKind::Software));
}
