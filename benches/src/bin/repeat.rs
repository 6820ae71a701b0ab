//! Makes a recording of any size: `repeat FILE BYTES` writes the header of FILE once, its blocks over and over until
//! there are BYTES, and its end mark. It serves to show that memory does not grow with the file.

#![forbid(unsafe_code)]

use moviola_format::{Demo, Game, Piece};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (Some(file), Some(Ok(bytes)), None) = (words.next(), words.next().map(|it| it.parse()), words.next())
    else {
        eprintln!("usage: repeat FILE BYTES > RECORDING");
        return ExitCode::FAILURE;
    };
    match repeat(&file, bytes) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn repeat(file: &str, bytes: u64) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = 0;
    let mut first = true;
    let mut game = None;
    while written < bytes {
        let before = written;
        let mut demo = Demo::new(File::open(file)?)?;
        game = demo.game();
        let Some(game) = game else { return Err(io::Error::other("not a recording")) };
        while written < bytes
            && let Some(piece) = demo.next_piece()?
        {
            written += match piece {
                Piece::Header(header) if first => header.len() as u64,
                // The length of a truncated block would include the next block.
                Piece::Block(block) if !block.is_truncated() => piece.size(game),
                _ => continue,
            };
            piece.write(game, &mut out)?;
        }
        first = false;
        if written == before {
            return Err(io::Error::other("no whole block"));
        }
    }
    if game == Some(Game::Quake2) {
        Piece::End.write(Game::Quake2, &mut out)?;
    }
    out.flush()
}
