//! Every public item of the libraries has an example that runs.
//!
//! A type, a function, a trait, a constant has one in its own words; a method may stand in the example of
//! another item of its crate. What macros hand out hidden is not counted.

use crate::args::Args;
use crate::{Outcome, repo};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Words of an item's declaration that have an example of their own at the margin.
const ITEMS: &[&str] = &["const", "enum", "fn", "static", "struct", "trait", "type", "union"];

/// Folders of `crates/` that are no libraries for others: the program, and the tests' own writer.
const NOT_LIBRARIES: &[&str] = &["moviola", "scribe"];

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let mut crates: BTreeMap<String, Found> = BTreeMap::new();
    for path in repo::tracked()? {
        if let Some(name) = library(&path) {
            crates.entry(name).or_default().read(&path, &repo::text(&path)?);
        }
    }
    let mut findings = Vec::new();
    let mut items = 0;
    for found in crates.values() {
        items += found.items;
        findings.extend(found.without.iter().cloned());
        let methods = found.methods.iter().filter(|method| !found.words.contains(&method.name));
        findings
            .extend(methods.map(|method| format!("{}: `{}` is in no example", method.place, method.name)));
    }
    repo::verdict(&findings, &format!("{items} public items"))
}

/// The library that a source belongs to.
fn library(path: &Path) -> Option<String> {
    let parts: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
    match parts.as_slice() {
        ["crates", name, "src", ..]
            if repo::has_extension(path, &["rs"]) && !NOT_LIBRARIES.contains(name) =>
        {
            Some((*name).to_owned())
        }
        _ => None,
    }
}

/// What a crate's sources have.
#[derive(Default)]
struct Found {
    items: usize,
    /// Items without an example, as findings.
    without: Vec<String>,
    methods: Vec<Method>,
    /// Every word of every example.
    words: BTreeSet<String>,
}

struct Method {
    name: String,
    place: String,
}

/// The papers above an item, as far as they were read.
#[derive(Default)]
struct Papers {
    /// Whether an example was seen.
    example: bool,
    /// Inside a fenced block, and whether it is Rust.
    fence: Option<bool>,
    hidden: bool,
    /// Inside an attribute of several lines.
    attribute: bool,
}

impl Found {
    fn read(&mut self, path: &Path, source: &str) {
        let mut papers = Papers::default();
        for (line, number) in source.lines().zip(1..) {
            let bare = line.trim_start();
            if bare.starts_with("#[cfg(test)]") {
                break;
            }
            if let Some(text) = bare.strip_prefix("///").or_else(|| bare.strip_prefix("//!")) {
                self.paper(text.trim(), &mut papers);
            } else if bare.starts_with("#[doc(hidden)]") {
                papers.hidden = true;
            } else if papers.attribute || bare.starts_with("#[") {
                papers.attribute = !bare.trim_end().ends_with(']');
            } else if !bare.starts_with("//") {
                if let Some((kind, name)) = declaration(bare).filter(|_| !papers.hidden) {
                    let method = line.len() > bare.len();
                    self.item(kind, name, method, papers.example, &format!("{}:{number}", path.display()));
                }
                papers = Papers::default();
            }
        }
    }

    fn paper(&mut self, text: &str, papers: &mut Papers) {
        if let Some(language) = text.strip_prefix("```") {
            papers.fence = match papers.fence {
                Some(_) => None,
                None => Some(matches!(language, "" | "rust" | "no_run" | "should_panic")),
            };
            papers.example |= papers.fence == Some(true);
        } else if papers.fence == Some(true) {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            self.words.extend(words.map(str::to_owned));
        }
    }

    fn item(&mut self, kind: &str, name: &str, indented: bool, example: bool, place: &str) {
        if indented {
            // Types and constants inside a macro or a module are shown with what they belong to.
            if kind == "fn" && !example {
                self.methods.push(Method { name: name.to_owned(), place: place.to_owned() });
            }
            self.items += usize::from(kind == "fn");
            return;
        }
        self.items += 1;
        if !example {
            self.without.push(format!("{place}: `{name}` has no example"));
        }
    }
}

/// What a line declares for everybody: kind and name.
fn declaration(line: &str) -> Option<(&str, &str)> {
    let mut words = line.strip_prefix("pub ")?.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut kind = words.next()?;
    let mut name = words.next()?;
    // `pub const fn`, `pub async fn`
    if name == "fn" || kind == "async" {
        (kind, name) = (name, words.next()?);
    }
    ITEMS.contains(&kind).then_some((kind, name))
}

#[cfg(test)]
mod tests {
    use super::{Found, declaration};
    use std::path::Path;

    fn found(source: &str) -> Found {
        let mut found = Found::default();
        found.read(Path::new("a.rs"), source);
        found
    }

    #[test]
    fn declarations() {
        assert_eq!(declaration("pub const fn f() {"), Some(("fn", "f")));
        assert_eq!(declaration("pub struct S;"), Some(("struct", "S")));
        assert_eq!(declaration("pub(crate) fn f() {"), None);
        assert_eq!(declaration("pub use other::Thing;"), None);
    }

    #[test]
    fn an_item_needs_its_own() {
        assert_eq!(found("/// Words.\npub struct A;\n").without, ["a.rs:2: `A` has no example"]);
        assert!(
            found("/// Words.\n///\n/// ```\n/// A;\n/// ```\n#[derive(Debug)]\npub struct A;\n")
                .without
                .is_empty()
        );
        assert_eq!(found("/// ```text\n/// A\n/// ```\npub struct A;\n").without.len(), 1);
    }

    #[test]
    fn a_method_may_be_shown_elsewhere() {
        let shown = "/// ```\n/// a.go();\n/// ```\npub struct A;\nimpl A {\n    /// Goes.\n    pub fn go() {}\n    pub fn stay() {}\n}\n";
        let found = found(shown);
        assert!(found.words.contains("go") && !found.words.contains("stay"));
        assert_eq!(found.methods.len(), 2);
    }
}
