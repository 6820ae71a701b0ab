//! Compares the benches' instruction counts with those recorded in the repository. A large increase fails, unless the
//! same commit records it with `cargo xtask counts --bless` and its message gives the reason.

use crate::args::Args;
use crate::{Outcome, repo, run};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The recorded counts: a line for each job of `benches/benches/instructions.rs`.
const RECORDED: &str = "benches/instructions.tsv";

/// The permitted increase in percent, with the compiler of the recorded counts and with another one.
/// Compilers differ in what they inline; a processor's choice of `memcpy` moves some jobs by a percent.
const SLACK: u64 = 5;
const SLACK_ELSEWHERE: u64 = 20;

/// The command `cargo xtask counts`.
pub(crate) fn task(mut args: Args) -> Outcome {
    let bless = args.flag("--bless");
    args.finish()?;
    check(bless)
}

/// Runs the benches, and compares or records the counts.
///
/// Only the package of the benches is built, since a build of the workspace would compile every crate as a
/// bench and optimize it once more. The crates are not optimized as one: that takes as long as all the rest, and a
/// step back shows without it.
pub(crate) fn check(bless: bool) -> Outcome {
    let mut bench = run::cargo();
    bench.args(["bench", "--package", "moviola-benches", "--bench", "instructions"]);
    bench.env("CARGO_PROFILE_BENCH_LTO", "off").env("CARGO_PROFILE_BENCH_CODEGEN_UNITS", "16");
    println!("$ {}", run::line(&bench));
    let printed = run::output(bench.env("CARGO_TERM_COLOR", "never"))?;
    let counted = counts(&String::from_utf8_lossy(&printed));
    if counted.is_empty() {
        return Err("the benches printed no counts".into());
    }
    let compiler = compiler()?;
    if bless {
        return std::fs::write(RECORDED, table(&compiler, &counted))
            .map_err(|why| format!("{RECORDED}: {why}"));
    }
    let recorded = repo::text(Path::new(RECORDED))?;
    let same_compiler = recorded.lines().next().is_some_and(|line| line.ends_with(&compiler));
    let slack = if same_compiler { SLACK } else { SLACK_ELSEWHERE };
    let findings = compare(&read(&recorded), &counted, slack);
    repo::verdict(&findings, &format!("{} counts of instructions, {slack} % let pass", counted.len()))
}

fn compiler() -> Result<String, String> {
    let printed = run::output(std::process::Command::new("rustc").arg("--version"))?;
    Ok(String::from_utf8_lossy(&printed).trim().to_owned())
}

/// Parses the counts from gungraun's output: a line with the job's path, and below it a line for each number.
fn counts(printed: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let mut job = None;
    for line in printed.lines() {
        if let Some(path) = line.strip_prefix("instructions::jobs::") {
            job = path.split(':').next().map(str::to_owned);
        } else if let Some(numbers) = line.trim_start().strip_prefix("Instructions:") {
            let number = numbers.trim_start().split(|c: char| !c.is_ascii_digit()).next();
            let number = number.and_then(|number| number.parse().ok());
            counts.extend(job.take().zip(number));
        }
    }
    counts
}

fn table(compiler: &str, counts: &BTreeMap<String, u64>) -> String {
    let mut table =
        format!("# Instructions of each bench; `cargo xtask counts --bless` records them. {compiler}\n");
    for (job, count) in counts {
        let _ = writeln!(table, "{job}\t{count}");
    }
    table
}

fn read(table: &str) -> BTreeMap<String, u64> {
    let pairs = table.lines().filter_map(|line| line.split_once('\t'));
    pairs.filter_map(|(job, count)| Some((job.to_owned(), count.parse().ok()?))).collect()
}

/// Prints every change of a percent or more, and returns the increases above the limit.
fn compare(recorded: &BTreeMap<String, u64>, counted: &BTreeMap<String, u64>, slack: u64) -> Vec<String> {
    let mut findings = Vec::new();
    for (job, &now) in counted {
        let Some(&before) = recorded.get(job) else {
            findings.push(format!("{RECORDED}: {job} is not in it"));
            continue;
        };
        let change = (now as f64 / before.max(1) as f64 - 1.0) * 100.0;
        let line = format!("{job}: {before} -> {now}, {change:+.1} %");
        if now > before + before / 100 * slack {
            findings.push(format!("{line}; if that is meant, `cargo xtask counts --bless`"));
        } else if change.abs() >= 1.0 {
            println!("{line}");
        }
    }
    let gone = recorded.keys().filter(|job| !counted.contains_key(*job));
    findings.extend(gone.map(|job| format!("{RECORDED}: {job} is no longer counted")));
    findings
}

#[cfg(test)]
mod tests {
    use super::{compare, counts, read, table};

    const PRINTED: &str = "instructions::jobs::read dem:(DEM)\n  Instructions:   1000|N/A   (*)\n  L1 Hits: 5|N/A\n\
        instructions::jobs::read dm2:(DM2)\n  Instructions:   2000|1900   (+5%)\n";

    #[test]
    fn counts_are_read_recorded_and_compared() {
        let counted = counts(PRINTED);
        assert_eq!(
            counted.iter().map(|(job, n)| (job.as_str(), *n)).collect::<Vec<_>>(),
            [("read dem", 1000), ("read dm2", 2000)]
        );
        let recorded = read(&table("rustc 1", &counted));
        assert_eq!(recorded, counted);
        assert!(compare(&recorded, &counted, 5).is_empty());
        let slower = counts(&PRINTED.replace("1000", "1051"));
        assert_eq!(compare(&recorded, &slower, 5).len(), 1);
        assert_eq!(compare(&counted, &read("read dem\t1000"), 5).len(), 1, "a job that is gone");
        assert_eq!(compare(&read("read dem\t1000"), &counted, 5).len(), 1, "a job that is new");
    }
}
