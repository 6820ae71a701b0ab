//! Checks the licenses, sources and versions of dependencies against `deny.toml`. Checking for known vulnerabilities is
//! a separate task, since it needs a database from the network.

use crate::args::Args;
use crate::{Outcome, run};

pub(crate) fn check() -> Outcome {
    if !run::has_cargo_tool("deny") {
        println!("NOT CHECKED: cargo-deny is not there: `cargo install cargo-deny --locked`");
        return Ok(());
    }
    run::cargo_with(&["deny", "--locked", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"])
}

/// The task `advisories`.
pub(crate) fn advisories(args: Args) -> Outcome {
    args.finish()?;
    run::cargo_with(&["deny", "--locked", "check", "--hide-inclusion-graph", "advisories"])
}
