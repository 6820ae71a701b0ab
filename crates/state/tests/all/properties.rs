//! Properties of every world: the same blocks give the same state, a snapshot can be continued, and damaged
//! recordings do no harm.

use crate::common::{Dice, recordings};
use moviola_format::{Block, Demo, Piece};
use moviola_state::{Playhead, World, quake, quake2};

/// The blocks of a recording, with copies of their bytes.
fn blocks(file: &[u8]) -> Vec<([u32; 3], i32, Vec<u8>)> {
    let mut demo = Demo::new(file).unwrap();
    let mut blocks = Vec::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            blocks.push((block.angles, block.length, block.data.to_vec()));
        }
    }
    blocks
}

fn step<W: World>(head: &mut Playhead<W>, (angles, length, data): &([u32; 3], i32, Vec<u8>)) {
    head.step(&Block { length: *length, angles: *angles, ..Block::new(data) });
}

fn hashes<W: World>(head: &Playhead<W>) -> [u64; 2] {
    [head.world.state_hash(), head.world.view_hash()]
}

/// Takes snapshots during playback and continues them: with the blocks that follow, and with others in between.
fn seek<W: World>(name: &str, file: &[u8]) -> usize {
    let blocks = blocks(file);
    let mut straight = Playhead::<W>::new();
    let mut snapshots = Vec::new();
    let every = (blocks.len() / 7).max(1);
    for (at, block) in blocks.iter().enumerate() {
        if at % every == 0 {
            snapshots.push((at, straight.clone(), hashes(&straight)));
        }
        step(&mut straight, block);
    }
    let end = hashes(&straight);
    for (at, snapshot, then) in &snapshots {
        assert_eq!(hashes(snapshot), *then, "{name}: the snapshot at {at} changed with what came after");
    }
    for (at, snapshot, then) in snapshots.iter().rev().take(3) {
        let mut head = snapshot.clone();
        blocks.iter().skip(*at).for_each(|block| step(&mut head, block));
        assert_eq!(hashes(&head), end, "{name}: from block {at} on");
        assert_eq!(hashes(snapshot), *then, "{name}: going on from {at} changed it");
    }
    blocks.len()
}

#[test]
fn a_snapshot_equals_the_world_that_was_played_to() {
    let mut blocks = 0;
    for recording in recordings(moviola_scribe::Game::Quake) {
        if recording.bytes.len() < 600_000 {
            blocks += seek::<quake::World>(&recording.name, &recording.bytes);
        }
    }
    for recording in recordings(moviola_scribe::Game::Quake2) {
        blocks += seek::<quake2::World>(&recording.name, &recording.bytes);
    }
    assert!(blocks > 500);
}

/// Steps through a damaged recording, and calls everything that a world offers.
fn survive<W: World>(file: &[u8], look: impl Fn(&W)) {
    let mut demo = Demo::new(file).unwrap();
    let mut head = Playhead::<W>::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            head.step(&block);
            if head.blocks.is_multiple_of(16) {
                hashes(&head);
                look(&head.world);
            }
        }
    }
    hashes(&head);
    look(&head.world);
}

fn look(world: &quake::World) {
    world.shown().for_each(drop);
    let _ = (world.eyes(), world.entity(u16::MAX), world.baseline(u16::MAX));
}

fn look2(world: &quake2::World) {
    let player = world.drawn().player(None).copied().unwrap_or_default();
    let bar = quake2::layout::run(&world.config.status_bar(), &player, &world.config);
    for (client, screen) in &world.screens {
        let player = world.frame().player(*client).copied().unwrap_or_default();
        let screen = quake2::layout::run(screen.layout.bytes(), &player, &world.config);
        quake2::layout::scores(&screen).for_each(drop);
        let _ = quake2::layout::progress(&screen);
    }
    let _ = (bar, world.config.players().count(), world.config.max_clients(), world.own_entity());
}

/// A copy with some bytes changed, removed, doubled, or replaced at likely places of lengths and ids.
fn damage(file: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut copy = file.to_vec();
    for _ in 0..=dice.below(12) {
        let at = dice.below(copy.len());
        match dice.below(5) {
            0 | 1 => copy[at] = dice.below(256) as u8,
            2 => copy[at] = [0, 1, 0x7F, 0x80, 0xFF, 11, 12, 20, 17, 18][dice.below(10)],
            3 => copy[at] ^= 1 << dice.below(8),
            _ => {
                let end = (at + dice.below(64)).min(copy.len());
                copy.drain(at..end);
            }
        }
        if copy.is_empty() {
            break;
        }
    }
    copy
}

#[test]
fn damaged_recordings_do_no_harm() {
    let mut dice = Dice(0x4D6F_7669_6F6C_6121);
    let small = |limit: usize| move |file: &crate::common::Recording| file.bytes.len() < limit;
    for recording in recordings(moviola_scribe::Game::Quake).into_iter().filter(small(60_000)) {
        for _ in 0..40 {
            survive(&damage(&recording.bytes, &mut dice), look);
        }
    }
    for recording in recordings(moviola_scribe::Game::Quake2).into_iter().filter(small(60_000)) {
        for _ in 0..60 {
            survive(&damage(&recording.bytes, &mut dice), look2);
        }
    }
}

#[test]
fn noise_does_no_harm() {
    let mut dice = Dice(0x6E6F_6973_6521);
    for _ in 0..3000 {
        let noise: Vec<u8> = (0..dice.below(300)).map(|_| dice.below(256) as u8).collect();
        let mut quake = Playhead::<quake::World>::new();
        let mut quake2 = Playhead::<quake2::World>::new();
        // One of the worlds has a level, so that the messages of its protocol are read.
        quake.step(&Block::new(b"\x0b\xe7\x03\0\0\x82\0\0\0\x01\0a\0maps/a.bsp\0\0b.wav\0\0"));
        quake2.step(&Block::new(b"\x0c\x22\0\0\0\x01\0\0\0\x80\0\0\0a\0"));
        for _ in 0..2 {
            quake.step(&Block::new(&noise));
            quake2.step(&Block::new(&noise));
        }
        hashes(&quake);
        hashes(&quake2);
        look(&quake.world);
        look2(&quake2.world);
    }
}
