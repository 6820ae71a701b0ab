//! Measures how fast recordings become tables: `cargo run --release -p moviola-export --example export_speed -- FILES`.

use moviola_export::{Files, Form, Id, harvest, tables};
use std::time::Instant;

/// The processor seconds of this thread; where the system does not report them, the seconds that passed.
fn worked(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |it| it as f64 / 1e9)
}

fn main() -> std::io::Result<()> {
    let start = Instant::now();
    for name in std::env::args_os().skip(1) {
        let recording = std::fs::read(&name)?;
        let id = Id::of(&recording[..])?;
        for form in Form::ALL {
            // The best of several runs: other work of the machine only makes one slower.
            let (mut best, mut size) = (f64::MAX, 0);
            for _ in 0..3 {
                let before = worked(start);
                let mut files = Files::new(*form);
                for table in tables::ALL.iter().filter(|table| table.name != "messages") {
                    files.add(table, Vec::new())?;
                }
                harvest(&recording[..], id, "", &mut files)?;
                size = files.finish()?.iter().map(|(_, file)| file.len()).sum();
                best = best.min(worked(start) - before);
            }
            let speed = recording.len() as f64 / 1e6 / best;
            println!("{}: {}: {speed:.1} MB/s, {size} bytes", name.display(), form.name());
        }
    }
    Ok(())
}
