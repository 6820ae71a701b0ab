//! What the dependencies may be: licences, sources and versions, as `deny.toml` says; and what is known to be wrong
//! with them, which needs a database from the network and is a task of its own.

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
