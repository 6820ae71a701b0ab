//! Shared by several tests: the collection of real recordings, and recordings without texts.

pub(crate) use crate::files::corpus;
use moviola_format::{Block, Context, Demo, Dialect, Game, Message, Piece, Quake, Quake2};
use std::fs;
use std::path::{Path, PathBuf};

/// The recordings in a folder, in order.
pub(crate) fn recordings(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The recording without the game's texts and its console commands.
pub(crate) fn without_words(bytes: &[u8]) -> Vec<u8> {
    const WORDS: [&str; 3] = ["print", "centerprint", "stufftext"];
    rewritten(bytes, |name| !WORDS.contains(&name))
}

/// The recording with only those messages whose names `keep` accepts.
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
            Game::Quake => kept_messages::<Quake>(&block, &mut context, &keep),
            Game::Quake2 => kept_messages::<Quake2>(&block, &mut context, &keep),
            Game::QuakeWorld => panic!("no recording of QuakeWorld is played here"),
        };
        // A block that consisted only of texts is dropped.
        if !data.is_empty() || block.data.is_empty() {
            let piece = Piece::Block(Block { angles: block.angles, ..Block::new(&data) });
            piece.write(game, &mut out).expect("memory is written");
        }
    }
    out
}

/// Whether a Quake recording has several players in a level.
pub(crate) fn of_several(bytes: &[u8]) -> bool {
    /// Counts the players of each level.
    #[derive(Default)]
    struct Players(Vec<u8>);
    impl moviola_analyse::Watch for Players {
        fn quake(&mut self, world: &moviola_state::quake::World, here: &moviola_analyse::PassPosition) {
            if here.level as usize > self.0.len() {
                self.0.push(world.level.max_clients);
            }
        }
    }
    let mut players = Players::default();
    moviola_analyse::watch(bytes, &mut [&mut players]).expect("bytes are read");
    !players.0.is_empty() && players.0.iter().all(|most| *most > 1)
}

/// The recording after a lossy network: one of every `every` frames is lost, or comes after the next one.
pub(crate) fn shaken(bytes: &[u8], late: bool, every: usize) -> Vec<u8> {
    let mut demo = Demo::new(bytes).expect("bytes are read");
    let (mut out, mut held, mut frames) = (Vec::new(), None, 0);
    while let Some(piece) = demo.next_piece().expect("bytes are read") {
        let is_frame = matches!(&piece, Piece::Block(block) if block.data.first() == Some(&TIME));
        frames += usize::from(is_frame);
        if is_frame && frames % every == 0 {
            let mut block = Vec::new();
            piece.write(Game::Quake, &mut block).expect("memory is written");
            held = late.then_some(block);
            continue;
        }
        piece.write(Game::Quake, &mut out).expect("memory is written");
        if is_frame && let Some(block) = held.take() {
            out.extend_from_slice(&block);
        }
    }
    out
}

/// The first byte of a frame's block.
const TIME: u8 = 7;

/// The Quake recording with a clock that was made slower by this factor in these blocks.
pub(crate) fn retimed(bytes: &[u8], times: f64, blocks: std::ops::Range<usize>) -> Vec<u8> {
    let (mut was, mut now) = (0.0, None);
    each_block(bytes, |number, block, out| {
        let mut data = block.data.to_vec();
        if let [TIME, time @ ..] = &mut data[..]
            && let Some(time) = time.first_chunk_mut::<4>()
        {
            let is = f64::from(f32::from_le_bytes(*time));
            let step = if blocks.contains(&number) { (is - was) * times } else { is - was };
            let shifted = now.map_or(is, |now| if step < 0.0 { is } else { now + step });
            (was, now) = (is, Some(shifted));
            *time = (shifted as f32).to_le_bytes();
        }
        Piece::Block(Block { angles: block.angles, ..Block::new(&data) })
            .write(Game::Quake, out)
            .expect("memory is written");
    })
}

/// The Quake recording without these blocks.
pub(crate) fn cut(bytes: &[u8], blocks: std::ops::Range<usize>) -> Vec<u8> {
    each_block(bytes, |number, block, out| {
        if !blocks.contains(&number) {
            Piece::Block(*block).write(Game::Quake, out).expect("memory is written");
        }
    })
}

fn each_block(bytes: &[u8], mut put: impl FnMut(usize, &Block<'_>, &mut Vec<u8>)) -> Vec<u8> {
    let mut demo = Demo::new(bytes).expect("bytes are read");
    let (mut out, mut number) = (Vec::new(), 0);
    while let Some(piece) = demo.next_piece().expect("bytes are read") {
        if let Piece::Block(block) = &piece {
            put(number, block, &mut out);
            number += 1;
        } else {
            piece.write(Game::Quake, &mut out).expect("memory is written");
        }
    }
    out
}

fn kept_messages<D: Dialect>(
    block: &Block<'_>,
    context: &mut Context,
    keep: impl Fn(&str) -> bool,
) -> Vec<u8> {
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
