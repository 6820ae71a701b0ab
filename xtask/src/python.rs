//! The Python package, built and tried in an environment of its own with what analysts use.
//!
//! Checks whose program is missing are skipped, with a message. The wheel is that of a release, since its size and
//! the time of its import are promised.

use crate::args::Args;
use crate::{Outcome, run};
use std::path::Path;
use std::process::Command;

/// The package, and the folder for everything that is made from it.
const PACKAGE: &str = "crates/python";
const FOLDER: &str = "target/python";

/// Its manifest.
pub(crate) const MANIFEST: &str = "crates/python/Cargo.toml";

/// The most bytes that a wheel may have.
const MOST_BYTES: u64 = 6_000_000;

/// In versions that are known to work.
#[rustfmt::skip]
const PACKAGES: &[&str] = &[
    "maturin==1.16.0", "duckdb==2.0.0", "polars==2.1.0", "pyarrow==26.0.1", "pandas==3.1.1", "mypy==2.4.1",
    "matplotlib==3.11.2", "pyright==1.1.414",
];

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let root = std::env::current_dir().map_err(|why| why.to_string())?;
    let folder = root.join(FOLDER);
    let venv = folder.join("venv");
    let tool = |name: &str| Command::new(venv.join("bin").join(name));
    if !run::works(
        tool("python").args(["-c", "import duckdb, polars, pyarrow, pandas, mypy, matplotlib, pyright"]),
    ) {
        let made = run::works(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv));
        let install = ["-m", "pip", "install", "-q", "--disable-pip-version-check"];
        if !made || !run::works(tool("python").args(install).args(PACKAGES)) {
            println!("NOT CHECKED: {} cannot be installed here", PACKAGES.join(", "));
            return Ok(());
        }
    }
    let wheels = folder.join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let mut build = tool("maturin");
    build.args(["build", "-q", "--locked", "--release", "-o"]).arg(&wheels);
    run::command(build.current_dir(root.join(PACKAGE)).env("CARGO_TARGET_DIR", &folder))?;
    let wheel = only(&wheels)?;
    weigh(&wheel)?;
    let install =
        ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--force-reinstall", "--no-deps"];
    run::command(tool("python").args(install).arg(wheel))?;
    let program = run::ours("moviola")?;
    run::command(tool("python").arg(format!("{PACKAGE}/tests/check.py")).arg(program.get_program()))?;
    run::command(tool("python").arg(format!("{PACKAGE}/tests/notebook.py")))?;
    // Runs tools as modules, because the scripts in a virtual environment contain the interpreter's path, which is
    // wrong after the folder was moved.
    run::command(tool("python").args(["-m", "mypy", "--strict", "-p", "moviola"]))?;
    // Checks that every public name has a type. The tool asks the first `python` in the search path where modules are.
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", venv.join("bin").display());
    run::command(tool("python").args(["-m", "pyright", "--verifytypes", "moviola"]).env("PATH", path))
}

/// Checks the size of a wheel.
fn weigh(wheel: &Path) -> Outcome {
    let bytes = std::fs::metadata(wheel).map_err(|why| format!("{}: {why}", wheel.display()))?.len();
    println!("the wheel: {bytes} bytes of {MOST_BYTES}");
    if bytes > MOST_BYTES {
        Err(format!("the wheel has {bytes} bytes, more than {MOST_BYTES}"))
    } else {
        Ok(())
    }
}

/// The only file in a folder.
fn only(folder: &Path) -> Result<std::path::PathBuf, String> {
    let mut files = std::fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let file = files.next().and_then(Result::ok).map(|entry| entry.path());
    file.ok_or_else(|| format!("{}: there is no wheel", folder.display()))
}
