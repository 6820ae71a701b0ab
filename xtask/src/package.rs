//! Checks the crates as they would be published: their files, and that each compiles from its package alone.

use crate::args::Args;
use crate::{Outcome, run};
use std::time::{SystemTime, UNIX_EPOCH};

/// The packages that are only for this repository.
const NOT_PUBLISHED: &[&str] = &["xtask", "moviola-benches", "moviola-fuzz", "moviola-scribe"];

/// Packs each crate, which fails where a manifest lacks something; compiling is for the task.
pub(crate) fn check() -> Outcome {
    pack(&["--no-verify"])
}

/// Each run has a folder of its own: cargo unpacks a crate once for a folder and a version, and would compile the
/// others against the last run's version.
pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|why| why.to_string())?;
    let folder = format!("target/packages-{}", now.as_secs());
    let packed = pack(&["--target-dir", &folder]);
    let _ = std::fs::remove_dir_all(folder);
    packed
}

fn pack(more: &[&str]) -> Outcome {
    let mut cargo = run::cargo();
    cargo.args(["package", "--workspace", "--quiet", "--allow-dirty"]).args(more);
    for name in NOT_PUBLISHED {
        cargo.args(["--exclude", name]);
    }
    run::command(&mut cargo)
}
