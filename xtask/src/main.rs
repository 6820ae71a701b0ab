//! The repository's own tasks: `cargo xtask` lists them, `cargo xtask ci` is all that CI calls.
//!
//! Standard library only, so that the door opens in a second on a fresh clone.
#![forbid(unsafe_code)]

mod api;
mod args;
mod book;
mod ci;
mod commits;
mod counts;
mod datasets;
mod deny;
mod doom;
mod effects;
mod engines;
mod files;
mod films;
mod fuzz;
mod generated;
mod hour;
mod lex;
mod licenses;
mod links;
mod node;
mod package;
mod packages;
mod python;
mod readmes;
mod release;
mod repo;
mod run;
mod schema;
mod shells;
mod targets;
mod terminal;
mod web;
mod wire;

use args::Args;
use std::process::ExitCode;

/// The result of a task or a stage; an error is one line with the reason.
type Outcome = Result<(), String>;

struct Task {
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    run: fn(Args) -> Outcome,
}

#[rustfmt::skip]
const TASKS: &[Task] = &[
    Task { name: "ci", usage: "[--quick | --from STAGE | --only STAGE] [--keep-going] [--fuzz-seconds N]", help: "every check; the first failure stops it; --quick: fmt, clippy, tests", run: ci::task },
    Task { name: "files", usage: "", help: "length, lints, paths and recordings of the tracked files", run: files::task },
    Task { name: "links", usage: "", help: "internal links and anchors of the papers exist", run: links::task },
    Task { name: "schema-once", usage: "", help: "no keyword of SCHEMA is written outside of the tables", run: schema::task },
    Task { name: "generated", usage: "[--bless]", help: "checked-in generated files are up to date; --bless rewrites them", run: generated::task },
    Task { name: "datasets", usage: "", help: "DuckDB, Polars and Spark on the tables of the samples", run: datasets::task },
    Task { name: "web", usage: "[--bless]", help: "the page: built, tried in browsers; --bless renews the player of the program", run: web::task },
    Task { name: "node", usage: "", help: "the package for Node.js: built, and compared with the program", run: node::task },
    Task { name: "python", usage: "", help: "the Python package in an environment of its own, with Polars, DuckDB, pyarrow", run: python::task },
    Task { name: "page", usage: "", help: "the page of a sample in a browser: scrub and click", run: datasets::page_task },
    Task { name: "films", usage: "", help: "films of the samples, counted by ffprobe and played in a browser", run: films::task },
    Task { name: "doom", usage: "", help: "recordings of input, played to the end in Debian's DOOM engines", run: doom::task },
    Task { name: "engines", usage: "", help: "what the cutting room makes, played to the end in real engines", run: engines::task },
    Task { name: "wire", usage: "[--sessions N]", help: "record and serve between real engines, on loopback", run: wire::task },
    Task { name: "shells", usage: "", help: "completions and manual pages, read by shells and by groff", run: shells::task },
    Task { name: "targets", usage: "", help: "the libraries for wasm32, everything for Windows", run: targets::task },
    Task { name: "advisories", usage: "", help: "what is known to be wrong with the dependencies; needs the network", run: deny::advisories },
    Task { name: "pictures", usage: "", help: "draws the pictures of the book anew", run: book::pictures },
    Task { name: "effects", usage: "", help: "draws each effect anew, ours beside an engine's, for docs/effects.md", run: effects::task },
    Task { name: "package", usage: "", help: "each crate compiled from its package alone", run: package::task },
    Task { name: "packaging", usage: "", help: "the files for package managers, read by what will read them", run: packages::task },
    Task { name: "release", usage: "[--only SYSTEM] [--packages] [--url URL]", help: "static programs for each system that can be built for here, .deb, checksums, licenses, files for package managers", run: release::task },
    Task { name: "fuzz", usage: "[TARGET] [--seconds N]", help: "fuzz one target, or all of them in turn, N seconds in all", run: fuzz::task },
    Task { name: "counts", usage: "[--bless]", help: "instructions of the benches against those recorded; --bless records them", run: counts::task },
    Task { name: "bench", usage: "[ARGS...]", help: "cargo bench with ARGS", run: run::bench },
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let Some(name) = words.next() else {
        return list();
    };
    if matches!(name.as_str(), "help" | "-h" | "--help") {
        return list();
    }
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprintln!("xtask: there is no task `{name}`; `cargo xtask` lists them");
        return ExitCode::from(2);
    };
    match repo::enter().and_then(|()| (task.run)(Args::new(words))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {name}: {why}");
            ExitCode::FAILURE
        }
    }
}

fn list() -> ExitCode {
    println!("cargo xtask TASK\n");
    for task in TASKS {
        println!("  {:<12} {}", task.name, task.help);
        if !task.usage.is_empty() {
            println!("  {:<12}   {}", "", task.usage);
        }
    }
    println!("\nstages of ci: {}", ci::stage_names());
    ExitCode::SUCCESS
}
