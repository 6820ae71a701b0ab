//! Writes the page of a recording to standard output: `cargo run -p moviola-export --example page -- FILE`.

use moviola_analyse::Report;
use moviola_export::{Story, page};
use std::fs::File;
use std::io::{self, Write};

fn main() -> io::Result<()> {
    for path in std::env::args().skip(1) {
        let (story, report) = (Story::read(File::open(&path)?, &path)?, Report::read(File::open(&path)?)?);
        io::stdout().write_all(page(&story, &report).as_bytes())?;
    }
    Ok(())
}
