//! The speed of drawing scenes, in pixels a second on one core, with the free game data beside the clone;
//! `docs/performance.md` has figures.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "the macros of criterion make public functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use moviola_assets::GameFiles;
use moviola_render::{LookKind, LookOptions, Renderer};
use moviola_scene::{Moment, Scene, SceneOptions, Seeker};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A moment in a level of Quake, a moment in a large level of Quake, and a moment in Quake II.
const MOMENTS: [(&str, &str, u64); 3] = [
    ("samples/qs_15_lq_e0m9.dem", "id1", 124),
    ("big/flight_lq_e1m1.dem", "big", 40),
    ("samples/yq_sp.dm2", "baseq2", 175),
];

fn moment(game: &Path, recording: &str, block: u64, folder: &str) -> Option<(Renderer, Scene)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let places = [own.join(recording), game.join(recording)];
    let file = places.iter().find_map(|path| std::fs::read(path).ok())?;
    let paths: Vec<PathBuf> = ["id1", folder].iter().map(|name| game.join(name)).collect();
    let renderer = Renderer::new(Arc::new(GameFiles::open(&paths).ok()?));
    let mut seeker = Seeker::new(|| Ok(&file[..])).ok()??;
    seeker.go(Moment::AfterBlock(block)).ok()?;
    let options = SceneOptions::default();
    let scene = seeker.reel().scene(Moment::AfterBlock(block), &options, &**renderer.files());
    Some((renderer, scene))
}

fn frames(criterion: &mut Criterion) {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let above = own.ancestors().map(|folder| folder.join("shared/game")).find(|it| it.is_dir());
    let Some(game) = std::env::var_os("MOVIOLA_GAME").map(PathBuf::from).filter(|it| it.is_dir()).or(above)
    else {
        eprintln!("NOT MEASURED: the free game data are not there; MOVIOLA_GAME names their folder");
        return;
    };
    for (recording, folder, block) in MOMENTS {
        let Some((renderer, scene)) = moment(&game, recording, block, folder) else { continue };
        let mut group = criterion.benchmark_group(recording);
        for (name, kind, size) in [
            ("software 640x480", LookKind::Software, [640, 480]),
            ("gl 640x480", LookKind::Gl, [640, 480]),
            ("gl 1280x720", LookKind::Gl, [1280, 720]),
        ] {
            let look = LookOptions { kind, size, ..LookOptions::default() };
            group.throughput(Throughput::Elements(u64::from(size[0] * size[1])));
            group.bench_function(name, |bench| bench.iter(|| renderer.render(&scene, &look)));
        }
        group.finish();
    }
}

criterion_group!(benches, frames);
criterion_main!(benches);
