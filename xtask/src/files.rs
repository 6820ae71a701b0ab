//! Checks the files of the repository: their length, their safety and their origin.

use crate::args::Args;
use crate::{Outcome, repo};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A file is one idea; more lines than this are too many to keep in mind.
const MOST_LINES: usize = 700;

/// The kinds of file for which this limit holds.
const SOURCES: &[&str] = &["rs", "ts", "mjs", "js", "css", "py", "html"];

/// Kinds of files that are recordings, or contain some.
const RECORDINGS: &[&str] = &["dem", "dm2", "dz", "hlkz", "mvd", "mvd2", "pak", "qwd", "qwz", "rla"];

/// The only folder for them.
const SAMPLES: &str = "samples";

/// A folder of recordings that were made for one test each, and do not help a newcomer.
const MADE_FOR_TESTS: &str = "crates/edit/tests/recordings";

/// Folders at the root of a machine, which no file here should name. They are written without their slash, so that
/// this file passes its own check.
const MACHINE_FOLDERS: &[&str] = &["work", "root", "home", "Users"];

/// Hosts whose names begin with such a label serve packages. No file here names one, since each machine may have its
/// own.
const REGISTRY_LABELS: &[&str] = &["deb", "files", "index", "mirror", "proxy", "pypi", "registry", "static"];
const DOMAINS: &[&str] = &["com", "dev", "io", "net", "org"];

/// Recordings by others, beside the repository on some machines: test input without a license.
const FOREIGN: &[&str] = &["../shared/corpus/dem", "../shared/corpus/dm2"];

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let files = repo::tracked()?;
    let foreign = Foreign::open();
    let mut findings = Vec::new();
    for path in &files {
        let bytes = repo::bytes(path)?;
        let text = std::str::from_utf8(&bytes).ok();
        if let Some(text) = text.filter(|_| !path.starts_with(SAMPLES)) {
            places(path, text, &mut findings);
        }
        if let Some(text) = text.filter(|_| repo::has_extension(path, SOURCES)) {
            source(path, text, &mut findings);
        }
        recording(path, &bytes, &foreign, &mut findings);
    }
    repo::verdict(&findings, &format!("{} files", files.len()))
}

fn source(path: &Path, text: &str, findings: &mut Vec<String>) {
    let lines = text.lines().count();
    if lines > MOST_LINES {
        findings.push(format!("{}: {lines} lines; at most {MOST_LINES}", path.display()));
    }
    if is_crate_root(path) && !text.lines().any(|line| line.trim() == "#![forbid(unsafe_code)]") {
        findings.push(format!("{}: a crate root without #![forbid(unsafe_code)]", path.display()));
    }
}

/// Folders of code that cannot forbid unsafe code: fuzz targets, and the bindings for Python and for pages.
const UNSAFE: [&str; 3] = ["fuzz", "crates/python", "crates/web"];

/// `lib.rs`, `main.rs` and `bin/*.rs` of the workspace.
fn is_crate_root(path: &Path) -> bool {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else {
        return false;
    };
    let named = folder.ends_with("src") && (name == "lib.rs" || name == "main.rs");
    (named || folder.ends_with("src/bin")) && !UNSAFE.iter().any(|apart| path.starts_with(apart))
}

fn places(path: &Path, text: &str, findings: &mut Vec<String>) {
    for (number, line) in text.lines().enumerate() {
        if let Some(folder) = machine_path(line) {
            findings.push(format!("{}:{}: a path of one machine, /{folder}", path.display(), number + 1));
        }
        if let Some(host) = registry_host(line) {
            findings.push(format!("{}:{}: the host of a registry, {host}", path.display(), number + 1));
        }
    }
}

/// The first folder at the root of a machine that is named in the line.
fn machine_path(line: &str) -> Option<&'static str> {
    let inside = |c: char| c.is_alphanumeric() || "_-./*}])>".contains(c);
    line.match_indices('/').find_map(|(at, _)| {
        let (before, after) = line.split_at(at);
        if before.ends_with(inside) {
            return None;
        }
        let after = after.strip_prefix('/')?;
        MACHINE_FOLDERS.iter().copied().find(|folder| {
            let rest = after.strip_prefix(folder);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "_-".contains(c)))
        })
    })
}

/// The first word of the line that is the name of a package host.
fn registry_host(line: &str) -> Option<&str> {
    let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-'));
    words.map(|word| word.trim_matches('.')).find(|word| {
        let mut labels = word.split('.');
        let first = labels.next().is_some_and(|label| REGISTRY_LABELS.contains(&label));
        first && labels.next_back().is_some_and(|label| DOMAINS.contains(&label))
    })
}

fn recording(path: &Path, bytes: &[u8], foreign: &Foreign, findings: &mut Vec<String>) {
    let may_be_here = [SAMPLES, MADE_FOR_TESTS].iter().any(|folder| path.starts_with(folder));
    if repo::has_extension(path, RECORDINGS) && !may_be_here {
        findings.push(format!("{}: recordings belong into {SAMPLES}/", path.display()));
    }
    if let Some(twin) = foreign.twin(bytes) {
        findings.push(format!("{}: is {}, which has no license", path.display(), twin.display()));
    }
}

/// The recordings that must not be copied, by their length.
struct Foreign(HashMap<u64, Vec<PathBuf>>);

impl Foreign {
    fn open() -> Self {
        let mut by_length: HashMap<u64, Vec<PathBuf>> = HashMap::new();
        for entry in FOREIGN.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten() {
            let length = entry.metadata().map_or(0, |data| data.len());
            if length > 0 {
                by_length.entry(length).or_default().push(entry.path());
            }
        }
        Self(by_length)
    }

    fn twin(&self, bytes: &[u8]) -> Option<&Path> {
        let candidates = self.0.get(&(bytes.len() as u64))?;
        candidates.iter().map(PathBuf::as_path).find(|path| fs::read(path).is_ok_and(|other| other == bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_LINES, is_crate_root, machine_path, registry_host, source};
    use std::path::Path;

    #[test]
    fn paths_of_a_machine_are_seen() {
        for folder in super::MACHINE_FOLDERS {
            assert_eq!(machine_path(&format!("open /{folder}/x")), Some(*folder));
            assert_eq!(machine_path(&format!("\"/{folder}\"")), Some(*folder));
            assert_eq!(
                machine_path(&format!("a{folder} b/{folder} ./{folder} /{folder}ing */{folder}")),
                None
            );
        }
    }

    #[test]
    fn hosts_of_registries_are_seen() {
        let host = |first: &str| format!("https://{first}.example.org/simple");
        assert_eq!(registry_host(&host("registry")), Some(["registry", "example", "org"].join(".").as_str()));
        assert_eq!(registry_host(&host("www")), None);
        assert_eq!(registry_host("let files = index.rs;"), None);
    }

    #[test]
    fn roots_of_crates_are_known() {
        assert!(is_crate_root(Path::new("crates/format/src/lib.rs")));
        assert!(is_crate_root(Path::new("crates/cli/src/bin/other.rs")));
        assert!(!is_crate_root(Path::new("crates/format/src/quake.rs")));
        assert!(!is_crate_root(Path::new("fuzz/src/lib.rs")));
    }

    #[test]
    fn long_and_careless_sources_are_found() {
        let mut findings = Vec::new();
        source(Path::new("crates/a/src/lib.rs"), &"\n".repeat(MOST_LINES + 1), &mut findings);
        assert_eq!(findings.len(), 2, "{findings:?}");
    }
}
