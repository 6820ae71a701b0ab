//! Checks the subjects of new commits: imperative and short, so that the log is readable as a list of
//! changes.

use crate::{Outcome, repo, run};
use std::process::Command;

/// When the rule began, in seconds since 1970: subjects of commits that were written before are not checked. A time and
/// not a hash, since hashes change when a history is moved to another place.
const SINCE: u64 = 1_795_726_800;

/// The greatest length of a subject in characters, since tools cut off longer ones.
const MAX_SUBJECT: usize = 72;

/// First words that show that a subject is not in the imperative.
const NO_VERBS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "what", "whatever", "who", "whoever",
    "where", "when", "which", "whether", "each", "every", "all", "some", "no", "there", "one", "two",
];

pub(crate) fn check() -> Outcome {
    let log = run::output(Command::new("git").args(["log", "--no-merges", "--format=%at%x09%h%x09%s"]))?;
    let log = String::from_utf8_lossy(&log);
    let new: Vec<&str> = log.lines().filter_map(since).collect();
    let findings: Vec<String> = new.iter().filter_map(|line| complaint(line)).collect();
    repo::verdict(&findings, &format!("{} subjects of commits", new.len()))
}

/// The rest of the line after the commit's time, if the commit is new enough for the rule.
fn since(line: &str) -> Option<&str> {
    let (time, rest) = line.split_once('\t')?;
    (time.parse::<u64>().ok()? >= SINCE).then_some(rest)
}

/// The complaint about a commit, from a line with its hash, a tab and its subject; `None` if it follows the rule.
fn complaint(line: &str) -> Option<String> {
    let (hash, subject) = line.split_once('\t')?;
    let first = subject.split_whitespace().next().unwrap_or_default();
    let length = subject.chars().count();
    let problem = if length > MAX_SUBJECT {
        format!("{length} characters; at most {MAX_SUBJECT}")
    } else if subject.ends_with('.') {
        "a subject has no full stop".to_owned()
    } else if first.starts_with(char::is_lowercase) {
        "a subject begins with a capital letter".to_owned()
    } else if NO_VERBS.contains(&first.to_ascii_lowercase().as_str()) {
        format!("begin with a verb in the imperative, not with `{first}`")
    } else {
        return None;
    };
    Some(format!("{hash} {subject}: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::{SINCE, complaint, since};

    #[test]
    fn only_commits_since_the_rule_are_checked() {
        assert_eq!(since(&format!("{SINCE}\t1a2b\tBound it")), Some("1a2b\tBound it"));
        assert_eq!(since(&format!("{}\t1a2b\tBound it", SINCE - 1)), None);
    }

    #[test]
    fn subjects_are_short_and_imperative() {
        assert_eq!(complaint("1a2b\tBound the index by the length of its recording"), None);
        for subject in ["the index is bounded", "The index is bounded", "Bound it.", &"Bound ".repeat(13)] {
            assert!(complaint(&format!("1a2b\t{subject}")).is_some(), "{subject}");
        }
    }
}
