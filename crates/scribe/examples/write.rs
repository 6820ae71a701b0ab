//! Writes every sample into a directory: `cargo run -p moviola-scribe --example write -- DIRECTORY`.

use moviola_scribe::{Game, samples};
use std::io::{Error, ErrorKind};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let Some(directory) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(Error::new(ErrorKind::InvalidInput, "name a directory"));
    };
    std::fs::create_dir_all(&directory)?;
    for sample in samples() {
        let ending = match sample.game {
            Game::Quake => "dem",
            Game::Quake2 => "dm2",
        };
        std::fs::write(directory.join(format!("{}.{ending}", sample.name)), &sample.bytes)?;
        println!(
            "{:28} {:4} blocks {:5} messages  {}",
            sample.name, sample.blocks, sample.messages, sample.about
        );
    }
    Ok(())
}
