//! Compares the public interface of the libraries with that of the last release, with cargo-semver-checks: a breaking
//! change needs a new version number.

use crate::{Outcome, run};
use std::process::Command;

pub(crate) fn check() -> Outcome {
    let tags = run::output(Command::new("git").args(["tag", "--list", "v*", "--sort=-v:refname"]))?;
    let tags = String::from_utf8_lossy(&tags);
    let Some(release) = tags.lines().next() else {
        println!("NOT CHECKED: no version is tagged yet, so there is none to compare with");
        return Ok(());
    };
    if !run::has_cargo_tool("semver-checks") {
        return Err("cargo-semver-checks is missing: `cargo install cargo-semver-checks --locked`".into());
    }
    run::cargo_with(&["semver-checks", "--workspace", "--baseline-rev", release])
}
