//! The checks of CI. `.ci/run` prepares a machine and calls this; run `--quick` before a commit.
//!
//! The cheap stages come first, one after the other. Then two workers run side by side: one builds and tests in the usual
//! target folder, the other takes the stages that need little of that folder. A worker that has finished its own stages
//! takes over the latter ones that are left.

use crate::args::Args;
use crate::{
    Outcome, api, book, commits, counts, datasets, deny, doom, engines, files, films, fuzz, generated, links,
    node, package, packages, python, run, schema, shells, targets, web, wire,
};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

struct Stage {
    name: &'static str,
    lane: Lane,
    run: fn(&Plan) -> Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    /// Runs before all others. With the tests, these stages are the quick tier.
    First,
    /// Builds in the usual target folder.
    Main,
    /// Runs beside the main lane, in its own process, whose output is shown at its end.
    Beside,
    /// Like `Beside`, but never two at once: the engines listen on the same ports and write into the same folder.
    Engines,
}

#[rustfmt::skip]
const STAGES: &[Stage] = &[
    Stage { name: "fmt", lane: Lane::First, run: fmt },
    Stage { name: "locks", lane: Lane::First, run: locks },
    Stage { name: "files", lane: Lane::First, run: |_| files::check() },
    Stage { name: "commits", lane: Lane::First, run: |_| commits::check() },
    Stage { name: "links", lane: Lane::First, run: |_| links::check() },
    Stage { name: "clippy", lane: Lane::First, run: clippy },
    Stage { name: "schema-once", lane: Lane::Main, run: |_| schema::check() },
    Stage { name: "generated", lane: Lane::Main, run: |_| generated::check(false) },
    Stage { name: "book", lane: Lane::Main, run: |_| book::check() },
    Stage { name: TEST, lane: Lane::Main, run: test },
    Stage { name: "fuzz", lane: Lane::Main, run: |plan| fuzz::smoke(plan.fuzz_seconds) },
    Stage { name: "doc", lane: Lane::Main, run: doc },
    Stage { name: "doom", lane: Lane::Main, run: |_| doom::check() },
    Stage { name: "films", lane: Lane::Main, run: |_| films::check() },
    Stage { name: "datasets", lane: Lane::Main, run: |_| datasets::check() },
    Stage { name: "python", lane: Lane::Main, run: |_| python::check() },
    Stage { name: "page", lane: Lane::Main, run: |_| datasets::check_page() },
    // While the main lane compiles, a stage that uses the same folder would have to wait, so a stage that does not
    // comes first.
    Stage { name: "bench", lane: Lane::Beside, run: |_| counts::check(false) },
    // Stages with engines run one at a time, so they begin early in order not to end last. Stages with browsers and
    // sessions depend on timing, so they come when the tests are nearly over.
    Stage { name: "engines", lane: Lane::Engines, run: |_| engines::check() },
    Stage { name: "web", lane: Lane::Engines, run: |_| web::check() },
    Stage { name: "wire", lane: Lane::Engines, run: |_| wire::check() },
    Stage { name: "deny", lane: Lane::Beside, run: |_| deny::check() },
    Stage { name: "api", lane: Lane::Beside, run: |_| api::check() },
    Stage { name: "package", lane: Lane::Beside, run: |_| package::check() },
    Stage { name: "packaging", lane: Lane::Beside, run: |_| packages::check() },
    Stage { name: "node", lane: Lane::Beside, run: |_| node::check() },
    Stage { name: "targets", lane: Lane::Beside, run: |_| targets::check() },
    Stage { name: "shells", lane: Lane::Beside, run: |_| shells::check() },
];

const TEST: &str = "test";

/// The folder for the output of the stages beside the main lane.
const LOGS: &str = "target/ci";

/// How many of the last lines of a failed stage's log are shown once more at the end.
const REASON_LINES: usize = 12;

struct Plan {
    stages: Vec<&'static Stage>,
    keep_going: bool,
    quick: bool,
    fuzz_seconds: u64,
}

/// A stage's name, its time, and how it ended.
type Ran = (&'static str, Duration, Outcome);

pub(crate) fn task(args: Args) -> Outcome {
    let plan = Plan::from_args(args)?;
    let start = Instant::now();
    // A build may replace the file from which this program was started.
    let this = std::env::current_exe().map_err(|why| format!("where xtask is: {why}"))?;
    let failed = AtomicBool::new(false);
    let alone = plan.stages.len() == 1 || plan.quick;
    let in_lanes = |lanes: &'static [Lane]| plan.stages.iter().copied().filter(|it| lanes.contains(&it.lane));
    if alone {
        return report(&plan.run(plan.stages.iter().copied(), &failed), start.elapsed());
    }
    let mut results = plan.run(in_lanes(&[Lane::First]), &failed);
    let queue = Queue::new(in_lanes(&[Lane::Beside, Lane::Engines]).collect());
    let (main, apart) = std::thread::scope(|scope| {
        let apart = scope.spawn(|| plan.run_queue(&queue, &this, &failed));
        let mut main = plan.run(in_lanes(&[Lane::Main]), &failed);
        main.extend(plan.run_queue(&queue, &this, &failed));
        (main, apart.join())
    });
    results.extend(main);
    results.extend(apart.map_err(|_| "the worker beside the main one panicked")?);
    report(&results, start.elapsed())
}

pub(crate) fn stage_names() -> String {
    STAGES.iter().map(|stage| stage.name).collect::<Vec<_>>().join(", ")
}

impl Plan {
    fn from_args(mut args: Args) -> Result<Self, String> {
        let from: Option<String> = args.value("--from")?;
        let single_stage: Option<String> = args.value("--only")?;
        let quick = args.flag("--quick");
        let keep_going = args.flag("--keep-going");
        let fuzz_seconds = args.value("--fuzz-seconds")?.unwrap_or(fuzz::SECONDS);
        args.finish()?;
        let mut stages: Vec<&Stage> = STAGES.iter().collect();
        match (from, single_stage, quick) {
            (None, None, false) => {}
            (Some(name), None, false) => drop(stages.drain(..position(&name)?)),
            (None, Some(name), false) => stages = stages.get(position(&name)?).copied().into_iter().collect(),
            (None, None, true) => stages.retain(|stage| stage.lane == Lane::First || stage.name == TEST),
            _ => return Err("--quick, --from and --only exclude each other".into()),
        }
        Ok(Self { stages, keep_going, quick, fuzz_seconds })
    }

    /// Runs stages here, in their order, until a stage fails anywhere.
    fn run(&self, stages: impl Iterator<Item = &'static Stage>, failed: &AtomicBool) -> Vec<Ran> {
        let mut results = Vec::new();
        for stage in stages {
            if !self.goes_on(failed) {
                break;
            }
            results.push(timed(stage, failed, || self.run_here(stage)));
        }
        results
    }

    /// Runs the stages in the queue, each in its own process.
    fn run_queue(&self, queue: &Queue, this: &Path, failed: &AtomicBool) -> Vec<Ran> {
        let mut results = Vec::new();
        while self.goes_on(failed)
            && let Some(stage) = queue.take()
        {
            results.push(timed(stage, failed, || self.run_in_process(this, stage)));
            queue.ended(stage);
        }
        results
    }

    fn goes_on(&self, failed: &AtomicBool) -> bool {
        self.keep_going || !failed.load(Ordering::Relaxed)
    }

    fn run_here(&self, stage: &Stage) -> Outcome {
        println!("==> {}", stage.name);
        let start = Instant::now();
        let outcome = (stage.run)(self);
        println!("{}\n", ending(stage, start.elapsed(), &outcome));
        outcome
    }

    /// Runs the stage in its own process, so that the outputs of two stages do not mix.
    fn run_in_process(&self, this: &Path, stage: &Stage) -> Outcome {
        let start = Instant::now();
        let log = log_of(stage)?;
        let mut command = Command::new(this);
        command.args(["ci", "--only", stage.name, "--fuzz-seconds", &self.fuzz_seconds.to_string()]);
        let open =
            || File::options().append(true).open(&log).map_err(|why| format!("{}: {why}", log.display()));
        let status = command.stdout(open()?).stderr(open()?).status().map_err(|why| why.to_string())?;
        let outcome = if status.success() { Ok(()) } else { Err(format!("see {}", log.display())) };
        let mut out = std::io::stdout().lock();
        let shown = fs::read(&log).unwrap_or_default();
        let written = out
            .write_all(&shown)
            .and_then(|()| writeln!(out, "{} (beside)\n", ending(stage, start.elapsed(), &outcome)));
        written.map_err(|why| why.to_string())?;
        outcome
    }
}

fn timed(stage: &Stage, failed: &AtomicBool, run: impl FnOnce() -> Outcome) -> Ran {
    let start = Instant::now();
    let outcome = run();
    failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
    (stage.name, start.elapsed(), outcome)
}

/// The stages that wait for a worker.
struct Queue {
    waiting: Mutex<WaitingStage>,
    change: Condvar,
}

struct WaitingStage {
    stages: VecDeque<&'static Stage>,
    /// Whether a stage that starts engines is running.
    engines: bool,
}

impl Queue {
    fn new(stages: VecDeque<&'static Stage>) -> Self {
        Self { waiting: Mutex::new(WaitingStage { stages, engines: false }), change: Condvar::new() }
    }

    /// Takes the first stage that may run now. Waits while the remaining ones are blocked; `None` when none
    /// remain.
    fn take(&self) -> Option<&'static Stage> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let may_run = |stage: &&Stage| !(waiting.engines && stage.lane == Lane::Engines);
            let first = waiting.stages.iter().position(may_run);
            if let Some(stage) = first.and_then(|at| waiting.stages.remove(at)) {
                waiting.engines |= stage.lane == Lane::Engines;
                return Some(stage);
            }
            if waiting.stages.is_empty() {
                return None;
            }
            waiting = self.change.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn ended(&self, stage: &Stage) {
        if stage.lane == Lane::Engines {
            self.waiting.lock().unwrap_or_else(PoisonError::into_inner).engines = false;
            self.change.notify_all();
        }
    }
}

fn log_path(stage: &str) -> PathBuf {
    Path::new(LOGS).join(stage).with_extension("log")
}

/// An empty log for a stage.
fn log_of(stage: &Stage) -> Result<PathBuf, String> {
    let log = log_path(stage.name);
    let made = fs::create_dir_all(LOGS).and_then(|()| fs::write(&log, ""));
    made.map_err(|why| format!("{}: {why}", log.display()))?;
    Ok(log)
}

fn ending(stage: &Stage, time: Duration, outcome: &Outcome) -> String {
    let seconds = time.as_secs_f64();
    match outcome {
        Ok(()) => format!("<== {}: ok in {seconds:.1} s", stage.name),
        Err(why) => format!("<== {}: FAILED in {seconds:.1} s: {why}", stage.name),
    }
}

fn position(name: &str) -> Result<usize, String> {
    let found = STAGES.iter().position(|stage| stage.name == name);
    found.ok_or_else(|| format!("there is no stage `{name}`; there are {}", stage_names()))
}

fn report(results: &[Ran], total: Duration) -> Outcome {
    for (name, time, outcome) in results {
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("{name:<14} {:>7.1} s  {word}", time.as_secs_f64());
    }
    println!("{:<14} {:>7.1} s", "total", total.as_secs_f64());
    // A log may be cut to its end by whoever shows it, so the reasons stand there too.
    for (name, _, outcome) in results {
        if let Err(why) = outcome {
            println!("\n{name} FAILED: {why}");
            let log = fs::read_to_string(log_path(name)).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            lines
                .iter()
                .skip(lines.len().saturating_sub(REASON_LINES))
                .for_each(|line| println!("    {line}"));
        }
    }
    let failed: Vec<&str> =
        results.iter().filter(|(.., outcome)| outcome.is_err()).map(|(name, ..)| *name).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// Some crates are outside of the workspace, so they are formatted by name.
fn fmt(_: &Plan) -> Outcome {
    run::cargo_with(&["fmt", "--all", "--check"])?;
    run::cargo_with(&["fmt", "--all", "--manifest-path", web::MANIFEST, "--check"])
}

/// The lock files name every dependency. Those outside of the workspace are easily forgotten when a crate gets a new one.
fn locks(_: &Plan) -> Outcome {
    for manifest in ["Cargo.toml", python::MANIFEST, web::MANIFEST] {
        let words = ["metadata", "--locked", "--format-version", "1", "--manifest-path", manifest];
        run::output(run::cargo().args(words)).map_err(|why| format!("{manifest}: {why}"))?;
    }
    Ok(())
}

/// The quick tier leaves out the fuzz targets, which need a C++ compiler.
fn clippy(plan: &Plan) -> Outcome {
    let packages: &[&str] = if plan.quick { &[] } else { &["--workspace"] };
    run::cargo_with(&[&["clippy"], packages, &["--all-targets", "--", "-D", "warnings"]].concat())
}

/// Runs the tests, including documentation tests. The quick tier leaves out documentation tests and real recordings.
/// With nextest, if it is installed, a slow test does not delay the others.
fn test(plan: &Plan) -> Outcome {
    if !plan.quick {
        return run::cargo_with(&["test", "--no-fail-fast"]);
    }
    let mut tests = run::cargo();
    if run::has_cargo_tool("nextest") {
        tests.args(["nextest", "run", "--no-fail-fast", "--status-level=fail"]);
    } else {
        tests.args(["test", "--lib", "--bins", "--tests", "--no-fail-fast"]);
    }
    run::command(tests.env("MOVIOLA_CORPUS", "none"))
}

fn doc(_: &Plan) -> Outcome {
    let mut doc = run::cargo();
    doc.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    run::command(&mut doc)
}
