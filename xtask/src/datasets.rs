//! Checks the tables and the page in the programs for which they are made: `DuckDB`, Polars and Spark from `PyPI`, and
//! a browser. A check whose program is missing is skipped, with a message.

use crate::args::Args;
use crate::{Outcome, repo, run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder for all files of this stage.
const FOLDER: &str = "target/datasets";

/// The script, in versions that are known to work.
const SCRIPT: &str = "xtask/datasets.py";
const ARCHIVE_SCRIPT: &str = "xtask/archive.py";
const PACKAGES: &[&str] = &["duckdb==2.0.0", "polars==2.1.0", "pyspark==4.3.0"];

/// The paper with the queries.
const PAPER: &str = "docs/export.md";
/// It shows a query with its answer.
const README: &str = "README.md";

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let folder = root.join(FOLDER);
    for name in ["tables", "csv", "jsonl"] {
        // The virtual environment beside them is kept.
        let _ = std::fs::remove_dir_all(folder.join(name));
    }
    for (form, name) in [("parquet", "tables"), ("csv", "csv"), ("jsonl", "jsonl")] {
        export(form, &folder.join(name))?;
    }
    let Some(python) = python(&folder) else { return Ok(()) };
    let archive_folder = folder.join("archive");
    std::fs::create_dir_all(&archive_folder).map_err(|why| format!("{}: {why}", archive_folder.display()))?;
    let mut archive = Command::new(&python);
    archive.current_dir(archive_folder).arg(root.join(ARCHIVE_SCRIPT));
    run::command(archive.arg(run::ours("moviola")?.get_program()).arg(root.join("samples")))?;
    let mut script = Command::new(python);
    script.current_dir(&folder).arg(root.join(SCRIPT)).args([root.join(PAPER), root.join(README)]);
    if run::works(Command::new("java").arg("-version")) {
        script.arg("--spark");
    } else {
        println!("NOT CHECKED: Spark needs java, which is not there");
    }
    run::command(&mut script)
}

/// The tables of the samples.
fn export(form: &str, into: &Path) -> Outcome {
    let tables = "recordings,levels,players,kills,damages,pickups,positions,shots,chat,items,ticks,entities,events,messages";
    let mut command = run::ours("moviola")?;
    command.args(["export", "-q", "samples", "--to", form]);
    run::command(command.args(["--tables", tables, "-o"]).arg(into))
}

/// A Python with the needed packages; `None` if they are not available.
fn python(folder: &Path) -> Option<PathBuf> {
    let venv = folder.join("venv");
    let python = venv.join("bin/python");
    if !run::works(Command::new(&python).args(["-c", "import duckdb, polars, pyspark"])) {
        if !run::works(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv)) {
            println!("NOT CHECKED: python3 cannot make a venv here");
            return None;
        }
        let pip = ["-m", "pip", "install", "-q", "--disable-pip-version-check"];
        if !run::works(Command::new(&python).args(pip).args(PACKAGES)) {
            println!("NOT CHECKED: {} cannot be installed here", PACKAGES.join(", "));
            return None;
        }
    }
    Some(python)
}

/// The actions of a browser on a page; its title shows the result.
const CLICKS: &str = include_str!("../clicks.html");

pub(crate) fn page_task(args: Args) -> Outcome {
    args.finish()?;
    check_page()
}

/// Opens the page of a sample in a browser without a window, at a moment, and clicks.
pub(crate) fn check_page() -> Outcome {
    let Some(browser) = run::browser() else {
        println!("NOT CHECKED: there is no Chromium for the page");
        return Ok(());
    };
    let folder = std::env::current_dir().map_err(|why| why.to_string())?.join(FOLDER);
    let profile = folder.join("profile");
    let _ = std::fs::remove_dir_all(&profile);
    std::fs::create_dir_all(&profile).map_err(|why| format!("{}: {why}", profile.display()))?;
    let path = folder.join("page.html");
    let _ = std::fs::remove_file(&path);
    let mut report = run::ours("moviola")?;
    run::output(
        report.args(["report", "-q", "samples/qs_15_lq_e0m9.dem", "--no-player", "--html"]).arg(&path),
    )?;
    let page = std::fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    if let Some(outside) =
        ["src=", "href=", "url(", "import(", "fetch("].iter().find(|word| page.contains(**word))
    {
        return Err(format!("the page wants something from outside: {outside}"));
    }
    std::fs::write(&path, page.replace("</body>", CLICKS))
        .map_err(|why| format!("{}: {why}", path.display()))?;
    let mut command = run::headless(browser, &profile);
    command.arg("--dump-dom");
    command.arg(format!("file://{}#level=1&t=0:03.5", path.display())).stderr(Stdio::null());
    let dom = command.output().map_err(|why| format!("{browser}: {why}"))?.stdout;
    let dom = String::from_utf8_lossy(&dom);
    let title = dom.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let found = title.map_or("nothing", |(title, _)| title);
    let expected = "linked 0:03.5; scrubbed 0:05.0; jumped; marked; drawn";
    if found == expected {
        repo::verdict(&[], "the page of a sample in a browser")
    } else {
        Err(format!("the page in {browser} said: {found}\n      instead of: {expected}"))
    }
}
