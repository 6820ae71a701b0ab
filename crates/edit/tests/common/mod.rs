//! The recordings that the tests use, from the tests of `state`.
#![allow(dead_code, unused_imports, reason = "each test uses its part")]

#[path = "../../../state/tests/common/mod.rs"]
mod state;

use moviola_format::{Demo, Game, Piece};
use moviola_state::{Playhead, World, quake, quake2};
pub(crate) use state::{Dice, Recording, corpus, real, recordings};

/// The result of `see` for the world after each block.
pub(crate) fn seen<W: World, T>(file: &[u8], mut see: impl FnMut(&W) -> T) -> Vec<T> {
    let mut demo = Demo::new(file).unwrap();
    let (mut head, mut all) = (Playhead::<W>::new(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            head.step(&block);
            all.push(see(&head.world));
        }
    }
    all
}

/// Whether its messages cannot be read, because its protocol is unknown: edits refuse it.
pub(crate) fn is_kept_raw(file: &[u8]) -> bool {
    fn is_raw<W: World>(file: &[u8]) -> bool {
        let mut demo = Demo::new(file).unwrap();
        let mut head = Playhead::<W>::new();
        let mut is_raw = false;
        while let Some(piece) = demo.next_piece().unwrap() {
            if let Piece::Block(block) = piece {
                head.step(&block);
                is_raw |= head.context.raw;
            }
        }
        is_raw
    }
    match Demo::new(file).unwrap().game() {
        Some(Game::Quake) => is_raw::<quake::World>(file),
        Some(Game::Quake2) => is_raw::<quake2::World>(file),
        Some(Game::QuakeWorld) | None => false,
    }
}

/// The hash of the view after each block.
pub(crate) fn views<W: World>(file: &[u8]) -> Vec<u64> {
    seen(file, W::view_hash)
}
