//! Checks the subjects of new commits: imperative and short, so that the log is readable as a list of
//! changes.

use crate::{Outcome, repo, run};
use std::process::Command;

/// The last commit before the rule; subjects up to it are not checked.
const BEFORE: &str = "5f1dc04dccee6924a9ebd62ce6dfd66fd37a0055";

/// The greatest length of a subject in characters, since tools cut off longer ones.
const MOST: usize = 72;

/// First words that show that a subject is not in the imperative.
const NO_VERBS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "what", "whatever", "who", "whoever",
    "where", "when", "which", "whether", "each", "every", "all", "some", "no", "there", "one", "two",
];

pub(crate) fn check() -> Outcome {
    let known = ["merge-base", "--is-ancestor", BEFORE, "HEAD"];
    if !run::works(Command::new("git").args(known)) {
        println!("NOT CHECKED: the history does not reach back to {BEFORE}");
        return Ok(());
    }
    let log = run::output(
        Command::new("git").args(["log", "--no-merges", "--format=%h%x09%s"]).arg(format!("{BEFORE}..HEAD")),
    )?;
    let log = String::from_utf8_lossy(&log);
    let findings: Vec<String> = log.lines().filter_map(complaint).collect();
    repo::verdict(&findings, &format!("{} subjects of commits", log.lines().count()))
}

/// The complaint about a commit, given as its hash, a tab and its subject; `None` if it follows the rule.
fn complaint(line: &str) -> Option<String> {
    let (hash, subject) = line.split_once('\t')?;
    let first = subject.split_whitespace().next().unwrap_or_default();
    let length = subject.chars().count();
    let why = if length > MOST {
        format!("{length} characters; at most {MOST}")
    } else if subject.ends_with('.') {
        "a subject has no full stop".to_owned()
    } else if first.starts_with(char::is_lowercase) {
        "a subject begins with a capital letter".to_owned()
    } else if NO_VERBS.contains(&first.to_ascii_lowercase().as_str()) {
        format!("begin with a verb in the imperative, not with `{first}`")
    } else {
        return None;
    };
    Some(format!("{hash} {subject}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn subjects_are_short_and_imperative() {
        assert_eq!(complaint("1a2b\tBound the index by the length of its recording"), None);
        for subject in ["the index is bounded", "The index is bounded", "Bound it.", &"Bound ".repeat(13)] {
            assert!(complaint(&format!("1a2b\t{subject}")).is_some(), "{subject}");
        }
    }
}
