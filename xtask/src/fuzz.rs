//! Fuzzing: cargo-fuzz on stable Rust, which takes `--sanitizer none` (coverage works all the same).
//!
//! Seeds in `fuzz/seeds/TARGET` are only read. Inputs that a run discovers go to `fuzz/corpus/TARGET`. The smoke test
//! of CI has no coverage and depends only on committed files: see `fuzz/src/smoke.rs`.

use crate::args::Args;
use crate::{Outcome, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The default time for all targets together.
pub(crate) const SECONDS: u64 = 100;

/// The limits for one input, in seconds and megabytes. An input that exceeds them is a finding.
const LIMITS: &[&str] = &["-timeout=10", "-rss_limit_mb=1024"];

/// A file for each target.
const TARGETS: &str = "fuzz/fuzz_targets";

/// The program that tries all targets without coverage.
const SMOKE: &str = "smoke";

/// The version that is known to work.
const VERSION: &str = "0.13.2";

pub(crate) fn task(mut args: Args) -> Outcome {
    let seconds = args.value("--seconds")?.unwrap_or(SECONDS);
    let target = args.word();
    args.finish()?;
    let all = targets()?;
    let chosen = match target {
        None => all,
        Some(name) if all.contains(&name) => vec![name],
        Some(name) => return Err(format!("there is no target `{name}`; there are {}", all.join(", "))),
    };
    if !run::has_cargo_tool("fuzz") {
        return Err(format!("cargo-fuzz is missing: cargo install cargo-fuzz --version {VERSION} --locked"));
    }
    run::command(&mut cargo_fuzz("build"))?;
    let each = (seconds / chosen.len() as u64).max(1);
    let mut table = Vec::new();
    for target in chosen {
        let executions = run_one(&target, each)?;
        table.push(format!("{target:<24} {executions:>12} executions in {each} s"));
    }
    println!("{}", table.join("\n"));
    Ok(())
}

/// Runs every target on its committed seeds only.
pub(crate) fn smoke(seconds: u64) -> Outcome {
    // Builds everything that the tests build, since cargo would otherwise choose fewer features and compile most crates
    // again.
    run::cargo_with(&["build", "-q", "--workspace", "--exclude", "xtask", "--bin", SMOKE, "--examples"])?;
    let each = (seconds / targets()?.len() as u64).max(1);
    run::command(Command::new(Path::new("target/debug").join(SMOKE)).arg(each.to_string()))
}

/// A release's optimization across crates would take longer than it saves.
fn cargo_fuzz(verb: &str) -> Command {
    let mut command = run::cargo();
    command.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    command.args(["fuzz", verb, "--fuzz-dir", "fuzz", "--sanitizer", "none"]);
    command
}

fn seeds(target: &str) -> PathBuf {
    Path::new("fuzz/seeds").join(target)
}

/// The names of the targets, in their order.
fn targets() -> Result<Vec<String>, String> {
    let files = fs::read_dir(TARGETS).map_err(|why| format!("{TARGETS}: {why}"))?;
    let mut names: Vec<String> =
        files.flatten().filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    if names.is_empty() { Err(format!("{TARGETS}: there is no target")) } else { Ok(names) }
}

/// Runs one target and returns how many inputs it tried.
fn run_one(target: &str, seconds: u64) -> Result<u64, String> {
    let found = Path::new("fuzz/corpus").join(target);
    fs::create_dir_all(&found).map_err(|why| format!("{}: {why}", found.display()))?;
    let mut command = cargo_fuzz("run");
    command.args([target, "--"]).arg(found);
    if seeds(target).is_dir() {
        command.arg(seeds(target));
    }
    command.arg("-print_final_stats=1").arg(format!("-max_total_time={seconds}")).args(LIMITS);
    let dictionary = Path::new("fuzz/dictionaries").join(target).with_extension("dict");
    if dictionary.is_file() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    println!("$ {}", run::line(&command));
    let executions = watch(&mut command)?;
    executions.ok_or_else(|| format!("{target}: libFuzzer did not say how many inputs it tried"))
}

/// Passes on libFuzzer's output without the progress lines, and finds the number of inputs in it.
fn watch(command: &mut Command) -> Result<Option<u64>, String> {
    let failed = |why: std::io::Error| format!("libFuzzer: {why}");
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut executions = None;
    let mut voice = child.stderr.take().map(BufReader::new);
    let mut line = Vec::new();
    while let Some(voice) = &mut voice {
        line.clear();
        if voice.read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        executions = executed_units(&text).or(executions);
        if !is_progress(&text) {
            eprint!("{text}");
        }
    }
    let status = child.wait().map_err(failed)?;
    if status.success() { Ok(executions) } else { Err(format!("`{}`: {status}", run::line(command))) }
}

fn executed_units(line: &str) -> Option<u64> {
    line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok()
}

fn is_progress(line: &str) -> bool {
    line.starts_with('#') || line.trim_start().starts_with("NEW_FUNC")
}

#[cfg(test)]
mod tests {
    use super::{executed_units, is_progress};

    #[test]
    fn reads_what_libfuzzer_says() {
        assert_eq!(executed_units("stat::number_of_executed_units: 661741\n"), Some(661_741));
        assert_eq!(executed_units("stat::peak_rss_mb: 27\n"), None);
        assert!(is_progress("#467\tNEW    cov: 10\n"));
        assert!(is_progress("\tNEW_FUNC[1/3]: 0x55\n"));
        assert!(!is_progress("thread '<unnamed>' panicked\n"));
    }
}
