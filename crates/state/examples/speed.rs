//! Measures how fast worlds are stepped: `cargo run --release -p moviola-state --example speed -- FILES`.

use moviola_format::{Context, Demo, Dialect, Game, Piece};
use moviola_state::{Playhead, World, quake, quake2};
use std::time::{Duration, Instant};

/// What stepping through a file costs: its blocks' times with and without a world.
fn measure<W: World>(file: &[u8]) -> std::io::Result<[Duration; 2]> {
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
    std::hint::black_box(&head);
    Ok([read, start.elapsed()])
}

fn main() -> std::io::Result<()> {
    for game in [Game::Quake, Game::Quake2] {
        let (mut bytes, mut times) = (0, [Duration::ZERO; 2]);
        for path in std::env::args_os().skip(1) {
            let file = std::fs::read(path)?;
            if Demo::new(&file[..])?.game() != Some(game) {
                continue;
            }
            bytes += file.len();
            let found = match game {
                Game::Quake => measure::<quake::World>(&file)?,
                Game::Quake2 => measure::<quake2::World>(&file)?,
            };
            for (sum, time) in times.iter_mut().zip(found) {
                *sum += time;
            }
        }
        let [read, step] = times.map(|time| bytes as f64 / 1e6 / time.as_secs_f64());
        println!(
            "{game:?}: {bytes} bytes, reading alone {read:.0} MB/s, reading and stepping {step:.0} MB/s"
        );
    }
    Ok(())
}
