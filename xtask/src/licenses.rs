//! The licenses of a program's dependencies, as found in the sources of each.

use crate::run;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The names of files with a license.
const NAMES: &[&str] = &["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// A text with the license of each dependency: its name and version, the license, and the license files.
pub(crate) fn of(package: &str, target: &str) -> Result<String, String> {
    let tree = [
        "tree", "-p", package, "-e", "normal", "--prefix", "none", "--format", "{p}|{l}", "--target", target,
    ];
    let tree = run::output(run::cargo().args(tree))?;
    let sources = sources()?;
    let mut page = format!("{package} contains the following, under these licenses.\n");
    for (name, license) in dependencies(&String::from_utf8_lossy(&tree)) {
        let folder = sources.get(&name).ok_or_else(|| format!("{name}: its sources are not found"))?;
        let _ = write!(page, "\n{}\n{name}: {license}\n", "=".repeat(72));
        for file in files(folder)? {
            let text = fs::read(&file).map_err(|why| format!("{}: {why}", file.display()))?;
            let _ = write!(page, "\n{}\n\n{}\n", "-".repeat(72), String::from_utf8_lossy(&text).trim_end());
        }
    }
    Ok(page)
}

/// The packages of others in the lines of `cargo tree`, as `name-version`, with their licenses.
fn dependencies(tree: &str) -> BTreeMap<String, String> {
    let lines = tree.lines().filter_map(|line| line.split_once('|'));
    let others = lines.filter(|(package, _)| !package.contains('/'));
    others
        .filter_map(|(package, license)| {
            let mut words = package.split_whitespace();
            let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
            Some((format!("{name}-{version}"), license.trim_end_matches(" (*)").to_owned()))
        })
        .collect()
}

/// The folders of all packages, by `name-version`, as cargo names them.
fn sources() -> Result<BTreeMap<String, PathBuf>, String> {
    let metadata = run::output(run::cargo().args(["metadata", "--format-version", "1", "--locked"]))?;
    let metadata = String::from_utf8_lossy(&metadata);
    let paths = metadata.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let folders = paths.filter_map(|path| Path::new(path).parent());
    Ok(folders
        .filter_map(|folder| Some((folder.file_name()?.to_str()?.to_owned(), folder.to_owned())))
        .collect())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listing = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut files: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        path.is_file() && NAMES.iter().any(|start| name.starts_with(start))
    });
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::dependencies;

    #[test]
    fn ours_are_left_out() {
        let tree = "moviola v0.1.0 (/here/moviola)|MIT\nitoa v1.0.2|MIT OR Apache-2.0\nitoa v1.0.2|MIT OR Apache-2.0 (*)\n";
        let found = dependencies(tree);
        assert_eq!(found.len(), 1);
        assert_eq!(found.get("itoa-1.0.2").map(String::as_str), Some("MIT OR Apache-2.0"));
    }
}
