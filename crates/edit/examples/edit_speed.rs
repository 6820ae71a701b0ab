//! Measures the edits that encode every frame again: `cargo run --release -p moviola-edit --example edit_speed --
//! FILES`.

use moviola_edit::{Camera, Capture, Error, FoundSpans, Repair, Retime, Rewrite, Spans, Speed, rewrite};
use std::time::Instant;

/// The processor time that this thread used, in seconds, or the elapsed time if the system does not report it.
fn worked(start: Instant) -> f64 {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedule.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |it| it as f64 / 1e9)
}

/// Edits a file and returns the number of bytes written.
fn edited(file: &[u8], mut edit: impl Rewrite) -> Result<u64, Error> {
    Ok(rewrite(file, &mut edit, std::io::sink())?.bytes_out)
}

/// An edit of a file in memory.
type Job = fn(&[u8]) -> Result<u64, Error>;

const JOBS: [(&str, Job); 5] = [
    ("retime to half the speed", |file| {
        edited(file, Retime::new(Speed::parse("1/2").map_err(Error::from)?, FoundSpans::all()))
    }),
    ("retime of a tenth", |file| {
        let found = Spans::parse("+10..+20").map_err(Error::from)?.find(file)?;
        edited(file, Retime::new(Speed::parse("1/2").map_err(Error::from)?, found))
    }),
    ("capture at 30 pictures a second", |file| {
        edited(file, Capture::new(30.0, "screenshot").map_err(Error::from)?)
    }),
    ("camera", |file| {
        let script = "[[shot]]\nat = \"#20..\"\nchase = \"me\"\n";
        let mut camera = Camera::parse(script).map_err(Error::Mistakes)?;
        camera.find(|| Ok(file))?;
        edited(file, camera)
    }),
    ("repair", |file| edited(file, Repair::look(file)?)),
];

fn main() -> Result<(), Error> {
    let files: Vec<Vec<u8>> = std::env::args_os().skip(1).map(std::fs::read).collect::<Result<_, _>>()?;
    let bytes: usize = files.iter().map(Vec::len).sum();
    let start = Instant::now();
    for (name, job) in JOBS {
        let (mut best, mut written) = (f64::MAX, 0);
        // The best of several runs, because other work of the machine only makes a run slower.
        for _ in 0..3 {
            let before = worked(start);
            written = files.iter().map(|file| job(file)).sum::<Result<u64, Error>>()?;
            best = best.min(worked(start) - before);
        }
        let rate = |bytes: f64| bytes / 1e6 / best;
        println!("{name}: {:.0} MB/s read, {:.0} written", rate(bytes as f64), rate(written as f64));
    }
    Ok(())
}
