//! The smoke test of CI: every target on its seeds, and on mutations of them, for some seconds each. libFuzzer cannot
//! choose inputs without coverage, which needs a separate build of all crates that takes ten minutes. This test is
//! built like all others, and tries the same inputs in every run, so it finds what a change breaks at once. `cargo
//! xtask fuzz` searches for more.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

mod assets;
mod audit;
mod containers;
mod datagrams;
mod edit;
mod events;
mod input;
mod music;
mod packets;
mod qtv;
mod render;
mod scene;
mod seek;
mod text;

type Target = (&'static str, fn(&[u8]));

const TARGETS: &[Target] = &[
    ("assets", assets::assets),
    ("audit", audit::audit),
    ("chunks", moviola_fuzz::chunks),
    ("containers", containers::containers),
    ("datagrams", datagrams::datagrams),
    ("edit_identity", edit::edit_identity),
    ("events", events::events),
    ("input", input::input),
    ("music", music::music),
    ("packets", packets::packets),
    ("qtv", qtv::qtv),
    ("read_write", moviola_fuzz::read_write),
    ("render", render::render),
    ("scene", scene::scene),
    ("seek", seek::seek),
    ("structured", moviola_fuzz::structured),
    ("text_any", text::text_any),
    ("text_round_trip", text::text_round_trip),
    ("text_structured", text::text_structured),
];

/// The most time that one input may take, and the most memory of the whole run.
const MOST_TIME: Duration = Duration::from_secs(10);
const MOST_KILOBYTES: u64 = 1 << 20;

/// The longest input.
const LONGEST: usize = 1 << 16;

/// The words are the seconds for each target and, if it is not for all, the target's name.
fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
    let only = words.next();
    let chosen: Vec<Target> = TARGETS
        .iter()
        .copied()
        .filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name))
        .collect();
    match chosen.iter().try_for_each(|target| try_target(*target, Duration::from_secs(seconds))) {
        Ok(()) if !chosen.is_empty() && every_target_is_listed() => ExitCode::SUCCESS,
        Ok(()) => fail("a target is missing in fuzz/src/smoke.rs, or has another name"),
        Err(why) => fail(&why),
    }
}

fn fail(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::FAILURE
}

fn every_target_is_listed() -> bool {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    fs::read_dir(folder).is_ok_and(|files| files.count() == TARGETS.len())
}

fn try_target((name, target): Target, time: Duration) -> Result<(), String> {
    let seeds = seeds(name)?;
    let mut random = Random(1);
    let end = Instant::now() + time;
    let mut tried = 0u64;
    for seed in &seeds {
        check(name, target, seed)?;
    }
    while Instant::now() < end {
        let mut input = random.choose(&seeds).to_vec();
        for _ in 0..=random.below(4) {
            change(&mut input, &seeds, &mut random);
        }
        input.truncate(LONGEST);
        check(name, target, &input)?;
        tried += 1;
    }
    let kilobytes = peak_kilobytes();
    println!("{name:<16} {} seeds, {tried:>7} changes of them; {} MB", seeds.len(), kilobytes / 1024);
    if kilobytes > MOST_KILOBYTES {
        Err(format!("{name}: more memory than {MOST_KILOBYTES} kB"))
    } else {
        Ok(())
    }
}

/// Reads the seeds in the order of their names, so that all machines try the same inputs.
fn seeds(name: &str) -> Result<Vec<Vec<u8>>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
    let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).map_err(failed)?.flatten().map(|file| file.path()).collect();
    files.sort();
    let seeds: Vec<Vec<u8>> = files.iter().map(fs::read).collect::<Result<_, _>>().map_err(failed)?;
    if seeds.is_empty() { Err(format!("{}: every target has seeds", folder.display())) } else { Ok(seeds) }
}

/// Runs a target on an input. After a panic or a slow run, the input is kept as a file.
fn check(name: &str, target: fn(&[u8]), input: &[u8]) -> Result<(), String> {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| target(input)));
    let message = match result {
        Err(_) => "panics at",
        Ok(()) if start.elapsed() > MOST_TIME => "is too slow at",
        Ok(()) => return Ok(()),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(name);
    let file = folder.join(format!("smoke-{}", input.len()));
    let kept = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, input));
    kept.map_err(|why| format!("{}: {why}", file.display()))?;
    Err(format!("{name} {message} {}", file.display()))
}

/// Numbers that lengths and counts often fail at.
const ODD: [u8; 8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF, b'\n', b'"'];

/// Makes one mutation: a bit, a byte, a number of four bytes, or a piece that is removed, doubled or taken from another
/// seed.
fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + 1 + random.below(32)).min(input.len());
    match (random.below(8), input.get_mut(at)) {
        (0 | 1, Some(byte)) => *byte ^= 1 << random.below(8),
        (2, Some(byte)) => *byte = ODD[random.below(ODD.len())],
        (3, Some(byte)) => *byte = random.next() as u8,
        (4, Some(_)) => {
            let number = random.next().to_le_bytes();
            input.iter_mut().skip(at).zip(number).take(4).for_each(|(byte, new)| *byte = new);
        }
        (5, Some(_)) => drop(input.drain(at..end)),
        (6, Some(_)) => {
            let piece = input[at..end].to_vec();
            input.splice(at..at, piece);
        }
        _ => {
            let other = random.choose(seeds);
            let from = random.below(other.len() + 1);
            let piece = &other[from..(from + random.below(64)).min(other.len())];
            input.splice(at..at, piece.iter().copied());
        }
    }
}

/// The peak memory of this process; 0 if the system does not report it.
fn peak_kilobytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

/// Marsaglia's xorshift generator, with the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from 0 to one less than `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    fn choose<'s>(&mut self, seeds: &'s [Vec<u8>]) -> &'s [u8] {
        &seeds[self.below(seeds.len())]
    }
}
