//! Writes the README of each crate, which registries show: the head of the crate's documentation.

use crate::repo;
use std::path::{Path, PathBuf};

const END: &str = "A part of Moviola, the editing deck for recordings of Quake, QuakeWorld and Quake II, under the MIT or the\n\
                   Apache license. The crate `moviola` has all parts behind one door.\n";

/// Each crate's README and its text.
pub(crate) fn all() -> Result<Vec<(PathBuf, String)>, String> {
    let crates = repo::tracked()?
        .into_iter()
        .filter(|file| file.ends_with("src/lib.rs") && file.starts_with("crates"));
    crates
        .filter_map(|file| Some((file.parent()?.parent()?.to_owned(), file)))
        // Crates in workspaces of their own are packages for Python and for pages, and not meant for other crates.
        .filter(|(folder, _)| folder.components().count() == 2 && !folder.join("Cargo.lock").exists())
        .map(|(folder, file)| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let name = if name == "moviola" { name } else { format!("moviola-{name}") };
            Ok((folder.join("README.md"), readme(&name, &repo::text(Path::new(&file))?)))
        })
        .collect()
}

/// The README of a crate whose `lib.rs` this is.
fn readme(name: &str, source: &str) -> String {
    let mut text = format!("# {name}\n\n");
    let mut in_code = false;
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if let Some(language) = line.strip_prefix("```") {
            in_code = !in_code;
            let is_rust = in_code && matches!(language, "" | "no_run");
            text.push_str(if is_rust { "```rust" } else { line });
        } else if in_code {
            // rustdoc runs these lines and does not show them.
            if line.starts_with("# ") || line == "#" {
                continue;
            }
            text.push_str(line);
        } else {
            // A page may have only one heading of the first level.
            if line.starts_with('#') {
                text.push('#');
            }
            text.push_str(&without_links(line));
        }
        text.push('\n');
    }
    format!("{}\n\n{END}", text.trim_end())
}

/// The line with links to items of the crate replaced by plain words, since only rustdoc can resolve them.
fn without_links(line: &str) -> String {
    let (mut plain, mut rest) = (String::new(), line);
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((word, behind)) = after.split_once("`]") else { break };
        plain.push_str(before);
        plain.push('`');
        plain.push_str(word);
        plain.push('`');
        let target = behind.strip_prefix('(').and_then(|it| it.split_once(')'));
        rest = target.map_or(behind, |(_, behind)| behind);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::readme;

    #[test]
    fn the_head_of_the_documentation_is_the_page() {
        let source = "//! Reads [`Demo`]s and [`walk`](crate::walk)s.\n//!\n//! ```\n//! # hidden();\n//! shown();\n//! ```\n\n//! no more";
        let page = readme("moviola-x", source);
        assert!(
            page.starts_with("# moviola-x\n\nReads `Demo`s and `walk`s.\n\n```rust\nshown();\n```\n\nA part"),
            "{page}"
        );
        assert!(!page.contains("no more"));
    }
}
