//! The checks of CI, in order, cheapest first. `.ci/run` prepares a machine and calls this.

use crate::args::Args;
use crate::{
    Outcome, book, datasets, deny, engines, examples, files, fuzz, generated, links, package, run, schema,
    shells, targets,
};
use std::time::{Duration, Instant};

struct Stage {
    name: &'static str,
    run: fn(&Plan) -> Outcome,
}

#[rustfmt::skip]
const STAGES: &[Stage] = &[
    Stage { name: "fmt", run: fmt },
    Stage { name: "files", run: |_| files::check() },
    Stage { name: "links", run: |_| links::check() },
    Stage { name: "deny", run: |_| deny::check() },
    Stage { name: "clippy", run: clippy },
    Stage { name: "schema-once", run: |_| schema::check() },
    Stage { name: "examples", run: |_| examples::check() },
    Stage { name: "generated", run: |_| generated::check(false) },
    Stage { name: "book", run: |_| book::check() },
    Stage { name: "package", run: |_| package::check() },
    Stage { name: "shells", run: |_| shells::check() },
    Stage { name: "targets", run: |_| targets::check() },
    Stage { name: "test", run: test },
    Stage { name: "doctest", run: |_| run::cargo_with(&["test", "--workspace", "--doc"]) },
    Stage { name: "doc", run: doc },
    Stage { name: "bench", run: bench },
    Stage { name: "datasets", run: |_| datasets::check() },
    Stage { name: "page", run: |_| datasets::check_page() },
    Stage { name: "fuzz", run: |plan| fuzz::smoke(plan.fuzz_seconds) },
    Stage { name: "engines", run: |_| engines::check() },
];

struct Plan {
    from: usize,
    to: usize,
    keep_going: bool,
    fuzz_seconds: u64,
}

pub(crate) fn task(args: Args) -> Outcome {
    let plan = Plan::from_args(args)?;
    let mut times: Vec<(&str, Duration, Outcome)> = Vec::new();
    for stage in STAGES.iter().take(plan.to).skip(plan.from) {
        println!("==> {}", stage.name);
        let start = Instant::now();
        let outcome = (stage.run)(&plan);
        let time = start.elapsed();
        match &outcome {
            Ok(()) => println!("<== {}: ok in {:.1} s\n", stage.name, time.as_secs_f64()),
            Err(why) => println!("<== {}: FAILED in {:.1} s: {why}\n", stage.name, time.as_secs_f64()),
        }
        let stop = outcome.is_err() && !plan.keep_going;
        times.push((stage.name, time, outcome));
        if stop {
            break;
        }
    }
    report(&times)
}

pub(crate) fn stage_names() -> String {
    STAGES.iter().map(|stage| stage.name).collect::<Vec<_>>().join(", ")
}

impl Plan {
    fn from_args(mut args: Args) -> Result<Self, String> {
        let from: Option<String> = args.value("--from")?;
        let only: Option<String> = args.value("--only")?;
        let keep_going = args.flag("--keep-going");
        let fuzz_seconds = args.value("--fuzz-seconds")?.unwrap_or(fuzz::SECONDS);
        args.finish()?;
        let (from, to) = match (from, only) {
            (None, None) => (0, STAGES.len()),
            (Some(name), None) => (position(&name)?, STAGES.len()),
            (None, Some(name)) => (position(&name)?, position(&name)? + 1),
            (Some(_), Some(_)) => return Err("--from and --only exclude each other".into()),
        };
        Ok(Self { from, to, keep_going, fuzz_seconds })
    }
}

fn position(name: &str) -> Result<usize, String> {
    let found = STAGES.iter().position(|stage| stage.name == name);
    found.ok_or_else(|| format!("there is no stage `{name}`; there are {}", stage_names()))
}

fn report(times: &[(&str, Duration, Outcome)]) -> Outcome {
    for (name, time, outcome) in times {
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("{name:<14} {:>7.1} s  {word}", time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(_, time, _)| *time).sum();
    println!("{:<14} {:>7.1} s", "total", total.as_secs_f64());
    let failed: Vec<&str> =
        times.iter().filter(|(.., outcome)| outcome.is_err()).map(|(name, ..)| *name).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// The fuzz crate is outside of the workspace, so it is named beside it.
fn fmt(_: &Plan) -> Outcome {
    run::cargo_with(&["fmt", "--all", "--check"])?;
    run::cargo_with(&["fmt", "--manifest-path", fuzz::MANIFEST, "--check"])
}

fn clippy(_: &Plan) -> Outcome {
    run::cargo_with(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    run::cargo_with(&["clippy", "--manifest-path", fuzz::MANIFEST, "--all-targets", "--", "-D", "warnings"])
}

/// nextest where it is installed: the same tests, faster, each in a process of its own.
fn test(_: &Plan) -> Outcome {
    if run::has_cargo_tool("nextest") {
        run::cargo_with(&["nextest", "run", "--workspace", "--no-fail-fast"])
    } else {
        run::cargo_with(&[
            "test",
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
            "--examples",
            "--no-fail-fast",
        ])
    }
}

/// Counts instructions; clippy has seen that the other benches compile. Only the package of the benches is built: each
/// crate of the workspace counts as a bench too, and would be optimised once more.
fn bench(_: &Plan) -> Outcome {
    run::cargo_with(&["bench", "--package", "moviola-benches", "--bench", "instructions"])
}

fn doc(_: &Plan) -> Outcome {
    let mut doc = run::cargo();
    doc.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    run::command(&mut doc)
}
