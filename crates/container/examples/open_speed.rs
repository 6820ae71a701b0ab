//! Measures how fast a container is read: `cargo run --release -p moviola-container --example open_speed FILE
//! [TIMES]`.

use moviola_container::{Walk, WalkOptions};
use std::fs;
use std::io::{self, Cursor};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args_os().skip(1);
    let file = fs::read(words.next().ok_or("which file?")?)?;
    let times: u32 = words.next().and_then(|it| it.to_str()?.parse().ok()).unwrap_or(10);
    let start = Instant::now();
    let mut bytes = 0;
    for _ in 0..times {
        for entry in Walk::new(Cursor::new(file.clone()), WalkOptions::default())? {
            bytes += io::copy(&mut entry?, &mut io::sink())?;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{bytes} bytes in {seconds:.2} s: {:.0} MB/s", bytes as f64 / seconds / 1e6);
    Ok(())
}
