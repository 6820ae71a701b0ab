//! Measures how fast recordings become tables: `cargo run --release -p moviola-export --example export_speed -- FILES`.

use moviola_export::schema::Table;
use moviola_export::{Files, Id, TableFormat, harvest, tables};
use std::time::Instant;

/// How often each is measured.
const RUNS: usize = 9;

/// The processor time of this thread in seconds; the elapsed time if the system does not report it.
fn worked(start: Instant) -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedule.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |it| it as f64 / 1e9)
}

fn main() -> std::io::Result<()> {
    // All of the work is done in one thread, whose time is measured.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(std::io::Error::other)?;
    pool.install(measure)
}

fn measure() -> std::io::Result<()> {
    let start = Instant::now();
    // The arguments before the files name a form or a table; all others are left out.
    let words: Vec<String> = std::env::args().skip(1).collect();
    let form = |word: &String| TableFormat::of(word);
    let table = |word: &String| tables::ALL.iter().find(|table| table.name == word).copied();
    let forms: Vec<TableFormat> = words.iter().filter_map(form).collect();
    let forms = if forms.is_empty() { TableFormat::ALL.to_vec() } else { forms };
    let named: Vec<&Table> = words.iter().filter_map(table).collect();
    let usual = tables::ALL.iter().copied().filter(|table| table.name != "messages");
    let named = if named.is_empty() { usual.collect() } else { named };
    for name in words.iter().filter(|word| form(word).is_none() && table(word).is_none()) {
        let recording = std::fs::read(name)?;
        let id = Id::of(&recording[..])?;
        for form in &forms {
            // The best of several runs, because other work of the machine only makes a run slower.
            let (mut best, mut size) = (f64::MAX, 0);
            for _ in 0..RUNS {
                let before = worked(start);
                let mut files = Files::new(*form);
                for table in &named {
                    files.add(table, Vec::new())?;
                }
                harvest(&recording[..], id, "", &mut files)?;
                size = files.finish()?.iter().map(|(_, file)| file.len()).sum();
                best = best.min(worked(start) - before);
            }
            let speed = recording.len() as f64 / 1e6 / best;
            println!("{name}: {}: {speed:.1} MB/s, {size} bytes", form.name());
        }
    }
    Ok(())
}
