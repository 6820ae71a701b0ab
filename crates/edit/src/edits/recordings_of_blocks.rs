//! Recordings of given blocks, for the tests of edits that remove messages and blocks.

use moviola_format::{Block, Game, Piece};

pub(super) fn quake(blocks: &[&[u8]]) -> Vec<u8> {
    let mut file = b"-1\n".to_vec();
    for block in blocks {
        Piece::Block(Block { angles: [7, 8, 9], ..Block::new(block) }).write(Game::Quake, &mut file).unwrap();
    }
    file
}

pub(super) fn quake2(blocks: &[&[u8]]) -> Vec<u8> {
    let mut file = Vec::new();
    for block in blocks {
        Piece::Block(Block::new(block)).write(Game::Quake2, &mut file).unwrap();
    }
    Piece::End.write(Game::Quake2, &mut file).unwrap();
    file
}
