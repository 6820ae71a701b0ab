//! Writes the page of a recording to standard output: `cargo run -p moviola-export --example page -- FILE`.

use moviola_export::{Story, page};
use std::fs::File;
use std::io::{self, Write};

fn main() -> io::Result<()> {
    for path in std::env::args().skip(1) {
        io::stdout().write_all(page(&Story::read(File::open(&path)?, &path)?).as_bytes())?;
    }
    Ok(())
}
