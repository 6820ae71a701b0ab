//! Measures how fast recordings are analysed: `cargo run --release -p moviola-audit --example speed -- FILES`.

use moviola_analyse::{Events, Reporter, Watch, watch};
use moviola_audit::audit;
use std::time::Instant;

/// Who does not look: what stepping alone costs.
struct Idle;
impl Watch for Idle {}

/// How many seconds the processor worked for this program; where the system does not tell, how many went by.
fn worked(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |it| it as f64 / 1e9)
}

/// Something that is done with a file.
type Job = fn(&[u8]) -> std::io::Result<()>;

fn main() -> std::io::Result<()> {
    let files: Vec<Vec<u8>> = std::env::args_os().skip(1).map(std::fs::read).collect::<Result<_, _>>()?;
    let bytes: usize = files.iter().map(Vec::len).sum();
    let jobs: [(&str, Job); 4] = [
        ("the worlds alone", |file| watch(file, &mut [&mut Idle])),
        ("events", |file| {
            let mut events = Events::new(|event| drop(std::hint::black_box(event)));
            watch(file, &mut [&mut events])
        }),
        ("report", |file| watch(file, &mut [&mut Reporter::new()])),
        ("audit", |file| audit(file).map(drop)),
    ];
    let start = Instant::now();
    for (name, job) in jobs {
        // The best of several: what else the machine does only makes it slower.
        let mut best = f64::MAX;
        for _ in 0..5 {
            let before = worked(start);
            for file in &files {
                job(file)?;
            }
            best = best.min(worked(start) - before);
        }
        println!("{name}: {:.0} MB/s", bytes as f64 / 1e6 / best);
    }
    Ok(())
}
