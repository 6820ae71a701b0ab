//! Builds for other systems: the pure libraries for wasm32, everything for Windows. Also compares the renderer's
//! pictures on wasm32.
//!
//! A target that cannot be added, or that lacks its C compiler, is skipped, with a message.

use crate::args::Args;
use crate::{Outcome, run};
use std::process::{Command, Stdio};

struct Target {
    name: &'static str,
    /// The C compiler that is needed for dependencies with C code.
    compiler: Option<&'static str>,
    /// The packages to build; the default ones if none is named.
    packages: &'static [&'static str],
}

const TARGETS: &[Target] = &[
    Target {
        name: WASM,
        compiler: None,
        packages: &[
            "--package=moviola-format",
            "--package=moviola-text",
            "--package=moviola-state",
            "--package=moviola-analyse",
            "--package=moviola-audit",
            "--package=moviola-edit",
            "--package=moviola-diff",
            "--package=moviola-check",
        ],
    },
    Target { name: "x86_64-pc-windows-gnu", compiler: Some("x86_64-w64-mingw32-gcc"), packages: &[] },
];

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    for target in TARGETS {
        if !can_have(target.name) {
            println!("NOT CHECKED: the target {} cannot be added here", target.name);
        } else if let Some(missing) =
            target.compiler.filter(|name| !run::works(Command::new(name).arg("--version")))
        {
            println!("NOT CHECKED: {} needs {missing}, which is not there", target.name);
        } else {
            let mut check = run::cargo();
            check.args(["check", "--target", target.name]).args(target.packages);
            // The result is never run, so the C in dependencies need not be optimized: it compiles in half the time.
            run::command(check.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0"))?;
        }
    }
    pictures()
}

const WASM: &str = "wasm32-unknown-unknown";

/// Calls the `main` of a module, which has no imports; a failed assertion is a trap.
const CALL: &str = "require('fs').promises.readFile(process.argv[1]).then(it => WebAssembly.instantiate(it, {})).then(\
                    ({ instance }) => instance.exports.main(0, 0)).catch(why => { console.error(why); process.exit(1) })";

/// Checks that the renderer's pictures have the same bytes in WebAssembly.
fn pictures() -> Outcome {
    if !can_have(WASM) || !run::works(Command::new("node").arg("--version")) {
        println!("NOT CHECKED: pictures in WebAssembly need the target {WASM} and node");
        return Ok(());
    }
    let example = ["build", "--package=moviola-render", "--example=pins", "--target", WASM];
    run::command(run::cargo().args(example))?;
    let module = format!("target/{WASM}/debug/examples/pins.wasm");
    run::command(Command::new("node").args(["-e", CALL, &module]))?;
    println!("{module}: the same pictures");
    Ok(())
}

/// Whether the standard library for a target is installed, or can be.
pub(crate) fn can_have(target: &str) -> bool {
    let listing =
        Command::new("rustup").args(["target", "list", "--installed"]).stderr(Stdio::null()).output();
    let installed = listing.is_ok_and(|listing| {
        String::from_utf8_lossy(&listing.stdout).lines().any(|installed| installed.trim() == target)
    });
    installed || run::works(Command::new("rustup").args(["target", "add", target]))
}
