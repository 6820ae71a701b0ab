//! Cuts a file: `cargo run -p moviola-edit --example cut_file -- IN SPANS OUT`.

use moviola_edit::{Cut, Error, Spans, rewrite};
use std::fs::File;
use std::io::BufWriter;

fn main() -> Result<(), Error> {
    let mut words = std::env::args().skip(1);
    let (Some(input), Some(spans), Some(output)) = (words.next(), words.next(), words.next()) else {
        eprintln!("usage: cut_file IN SPANS OUT");
        return Ok(());
    };
    let found = Spans::parse(&spans)?.find(File::open(&input)?)?;
    let output = BufWriter::new(File::create(output)?);
    let summary = rewrite(File::open(&input)?, &mut Cut::keep(found), output)?;
    println!("{summary}");
    summary.notes.iter().for_each(|note| println!("{note}"));
    Ok(())
}
