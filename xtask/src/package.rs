//! Checks the crates as they would be published: their files, and whether each compiles from its package alone.

use crate::args::Args;
use crate::{Outcome, run};
use std::time::{SystemTime, UNIX_EPOCH};

/// The packages that are only for this repository.
const NOT_PUBLISHED: &[&str] = &["xtask", "moviola-benches", "moviola-fuzz", "moviola-scribe"];

/// Packs each crate, which fails if its manifest is incomplete. The task also compiles them.
pub(crate) fn check() -> Outcome {
    pack(&["--no-verify"])
}

/// Each run has its own folder: cargo unpacks a crate only once for a folder and a version, and would compile the
/// others with an old version of it.
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
