//! The package for Node.js: WebAssembly, TypeScript, and tests that compare it with the program.

use crate::args::Args;
use crate::web::{self, Module, npm};
use crate::{Outcome, run};
use std::process::Command;

const MODULE: Module = Module {
    name: "moviola_node",
    out: "node/wasm",
    words: &["--package", "moviola-node"],
    profile: "node",
    place: "node",
};

/// The package.
const PACKAGE: &str = "web/node";

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    if !web::has_tools()? {
        return Ok(());
    }
    MODULE.build()?;
    npm(&["run", "--silent", "node"])?;
    let program = run::ours("moviola")?;
    let mut tests = Command::new("npm");
    tests.args(["test", "--silent"]).current_dir(PACKAGE).env("MOVIOLA", program.get_program());
    run::command(&mut tests)
}
