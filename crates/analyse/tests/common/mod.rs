//! What several tests need: the collection of real recordings, and recordings with their words taken out.
#![allow(dead_code, reason = "each test uses its part")]
#![allow(clippy::expect_used, reason = "what fails in a test's helper fails the test")]

use moviola_format::{Block, Context, Demo, Dialect, Game, Message, Piece, Quake, Quake2};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of real recordings, if it is there. It has to be where `MOVIOLA_CORPUS` says `required`.
pub(crate) fn corpus() -> Option<PathBuf> {
    let named = std::env::var("MOVIOLA_CORPUS").ok();
    // It lies beside the clone, or beside a folder above it.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = here.ancestors().map(|folder| folder.join("shared/corpus")).find(|folder| folder.is_dir());
    let folder = match named.as_deref() {
        None | Some("" | "required") => beside.unwrap_or_default(),
        Some(folder) => PathBuf::from(folder),
    };
    let is_there = folder.is_dir();
    assert!(is_there || named.as_deref() != Some("required"), "{} is not there", folder.display());
    is_there.then_some(folder)
}

/// The recordings of a folder, in order.
pub(crate) fn recordings(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The recording without its texts and commands: what the game says, and what it makes the client do.
pub(crate) fn without_words(bytes: &[u8]) -> Vec<u8> {
    const WORDS: [&str; 3] = ["print", "centerprint", "stufftext"];
    rewritten(bytes, |name| !WORDS.contains(&name))
}

/// The recording with the messages whose names are to be kept.
pub(crate) fn rewritten(bytes: &[u8], keep: impl Fn(&str) -> bool) -> Vec<u8> {
    let mut demo = Demo::new(bytes).expect("bytes are read");
    let game = demo.game().unwrap_or(Game::Quake);
    let (mut context, mut out) = (Context::of(game), Vec::new());
    while let Some(piece) = demo.next_piece().expect("bytes are read") {
        let Piece::Block(block) = piece else {
            piece.write(game, &mut out).expect("memory is written");
            continue;
        };
        let data = match game {
            Game::Quake => kept::<Quake>(&block, &mut context, &keep),
            Game::Quake2 => kept::<Quake2>(&block, &mut context, &keep),
        };
        // A block of nothing but words is gone with them.
        if !data.is_empty() || block.data.is_empty() {
            let piece = Piece::Block(Block { angles: block.angles, ..Block::new(&data) });
            piece.write(game, &mut out).expect("memory is written");
        }
    }
    out
}

fn kept<D: Dialect>(block: &Block<'_>, context: &mut Context, keep: impl Fn(&str) -> bool) -> Vec<u8> {
    if block.is_from_client() {
        return block.data.to_vec();
    }
    let mut data = Vec::new();
    let mut messages = block.messages::<D>(*context);
    while let Some(entry) = messages.next() {
        if keep(entry.message.schema().name) {
            entry.write(&mut data, messages.context());
        }
    }
    data.extend_from_slice(messages.rest());
    *context = *messages.context();
    data
}
