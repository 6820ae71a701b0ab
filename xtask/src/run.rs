//! Runs other programs, cargo above all.

use crate::Outcome;
use crate::args::Args;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The cargo that runs us.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs `cargo ARGS` with the output streams of this program.
pub(crate) fn cargo_with(args: &[&str]) -> Outcome {
    command(cargo().args(args))
}

/// Runs a command with the output streams of this program.
pub(crate) fn command(command: &mut Command) -> Outcome {
    println!("$ {}", line(command));
    let status = command.status().map_err(|why| format!("{}: {why}", line(command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}`: {status}", line(command))) }
}

/// Runs a command and returns its output; its errors go to our standard error.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|why| format!("{}: {why}", line(command)))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("`{}`: {}", line(command), output.status))
    }
}

/// Whether a command succeeds; its output is not shown.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// A program or, with `examples/` before its name, an example of the workspace.
///
/// All of them are built at once, under the profile and the features of the tests, so that nothing is built twice.
pub(crate) fn ours(name: &str) -> Result<Command, String> {
    static BUILT: OnceLock<Outcome> = OnceLock::new();
    let build = [
        "build",
        "-q",
        "--workspace",
        "--exclude",
        "xtask",
        "--exclude",
        "moviola-fuzz",
        "--bins",
        "--examples",
    ];
    BUILT.get_or_init(|| cargo_with(&build)).clone()?;
    let this = std::env::current_exe().map_err(|why| format!("where xtask is: {why}"))?;
    Ok(Command::new(this.with_file_name(name)))
}

/// Whether `cargo TOOL` is installed.
pub(crate) fn has_cargo_tool(tool: &str) -> bool {
    works(cargo().args([tool, "--version"]))
}

/// The name of the installed browser, if there is one.
pub(crate) fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find(|name| works(Command::new(name).arg("--version")))
}

/// A browser without a window that never waits for an answer of the user.
pub(crate) fn headless(browser: &str, profile: &Path) -> Command {
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command
}

/// The task `bench`.
pub(crate) fn bench(args: Args) -> Outcome {
    command(cargo().arg("bench").args(args.rest()))
}

/// A command line as a person would type it: the program's name without its folder.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
