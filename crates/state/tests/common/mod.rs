//! The recordings that the tests run over.
#![allow(dead_code, reason = "each test uses its part")]

#[path = "../../../format/tests/common/corpus.rs"]
mod corpus;

pub(crate) use corpus::corpus;
use std::path::{Path, PathBuf};

/// A recording.
pub(crate) struct Recording {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// One real recording.
pub(crate) fn real(path: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(corpus()?.join(path)).expect("a file of the corpus"))
}

/// The recordings of a game: the real ones, or without them the samples that come with the sources, and those
/// that the independent writer makes.
pub(crate) fn recordings(game: moviola_scribe::Game) -> Vec<Recording> {
    let ending = if game == moviola_scribe::Game::Quake { "dem" } else { "dm2" };
    let made = moviola_scribe::samples().into_iter().filter(|sample| sample.game == game);
    let mut all: Vec<Recording> = made
        .map(|sample| Recording { name: format!("sample {}", sample.name), bytes: sample.bytes })
        .collect();
    let samples = || vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")];
    let folders = corpus().map_or_else(samples, |it| ["dem", "dm2", "ours"].map(|name| it.join(name)).into());
    for folder in folders {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
            .expect("a folder of recordings")
            .map(|entry| entry.expect("a recording").path())
            .filter(|path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(ending)))
            .collect();
        paths.sort();
        for path in paths {
            let bytes = std::fs::read(&path).expect("a recording");
            all.push(Recording { name: path.file_name().unwrap().to_string_lossy().into_owned(), bytes });
        }
    }
    all
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub u64);

impl Dice {
    /// The next number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize).checked_rem(limit).unwrap_or(0)
    }
}
