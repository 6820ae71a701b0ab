//! Measures the speed of each analysis: `cargo run --release -p moviola-audit --example speed -- FILES`.

use moviola_analyse::{Events, Reporter, Watch, watch};
use moviola_audit::audit;
use std::time::Instant;

/// A watcher that does nothing, which shows the cost of stepping alone.
struct Idle;
impl Watch for Idle {}

/// The processor time that this program used, in seconds, or the elapsed time if the system does not report
/// it.
fn worked(start: Instant) -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedule.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |it| it as f64 / 1e9)
}

/// A task that reads a file.
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
        // The best of several runs, because other work of the machine only makes a run slower.
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
