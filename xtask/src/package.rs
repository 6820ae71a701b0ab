//! The crates as they would be published: what they hold, and that each compiles from its package alone.

use crate::args::Args;
use crate::{Outcome, run};

/// What is only for this repository.
const NOT_PUBLISHED: &[&str] = &["xtask", "moviola-benches", "moviola-scribe"];

/// Packs each crate, which fails where a manifest lacks something; compiling is for the task.
pub(crate) fn check() -> Outcome {
    pack(&["--no-verify"])
}

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    pack(&[])
}

fn pack(more: &[&str]) -> Outcome {
    let mut cargo = run::cargo();
    cargo.args(["package", "--workspace", "--quiet", "--allow-dirty"]).args(more);
    for name in NOT_PUBLISHED {
        cargo.args(["--exclude", name]);
    }
    run::command(&mut cargo)
}
