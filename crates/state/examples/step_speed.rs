//! Measures how fast worlds are stepped: `cargo run --release -p moviola-state --example step_speed -- FILES`.

use moviola_format::{Context, Demo, Dialect, Game, Piece};
use moviola_state::{Playhead, World, quake, quake2};
use std::time::{Duration, Instant};

/// The time that a file takes: to read, to read and step through, to copy the world at its end, and to hash
/// it.
fn measure<W: World>(file: &[u8]) -> std::io::Result<[Duration; 4]> {
    let start = Instant::now();
    let mut demo = Demo::new(file)?;
    let mut context = Context::of(W::Dialect::GAME);
    while let Some(piece) = demo.next_piece()? {
        if let Piece::Block(block) = piece {
            let mut messages = block.messages::<W::Dialect>(context);
            for entry in messages.by_ref() {
                std::hint::black_box(&entry);
            }
            context = *messages.context();
        }
    }
    let read = start.elapsed();
    let start = Instant::now();
    let mut demo = Demo::new(file)?;
    let mut head = Playhead::<W>::new();
    while let Some(piece) = demo.next_piece()? {
        if let Piece::Block(block) = piece {
            head.step(&block);
        }
    }
    let step = start.elapsed();
    let start = Instant::now();
    std::hint::black_box(head.clone());
    let copy = start.elapsed();
    let start = Instant::now();
    std::hint::black_box((head.world.state_hash(), head.world.view_hash()));
    Ok([read, step, copy, start.elapsed()])
}

fn main() -> std::io::Result<()> {
    for game in [Game::Quake, Game::Quake2] {
        let (mut files, mut bytes, mut times) = (0, 0, [Duration::ZERO; 4]);
        for path in std::env::args_os().skip(1) {
            let file = std::fs::read(path)?;
            if Demo::new(&file[..])?.game() != Some(game) {
                continue;
            }
            files += 1;
            bytes += file.len();
            let found = match game {
                Game::Quake => measure::<quake::World>(&file)?,
                Game::Quake2 => measure::<quake2::World>(&file)?,
                // This example measures only Quake and Quake II.
                Game::QuakeWorld => continue,
            };
            for (sum, time) in times.iter_mut().zip(found) {
                *sum += time;
            }
        }
        if files == 0 {
            continue;
        }
        let [read, step, copy, hash] = times;
        let speed = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "{game:?}: {files} files, reading alone {:.0} MB/s, with stepping {:.0} MB/s",
            speed(read),
            speed(step)
        );
        println!("  a copy takes {:?}, both hashes {:?}", copy / files, hash / files);
    }
    Ok(())
}
