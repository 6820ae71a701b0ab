//! Checks internal links of the papers: the file must exist, and so must the heading that the anchor names.

use crate::args::Args;
use crate::{Outcome, repo};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// The papers at the root; everything under `docs` is checked too.
const PAPERS: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    let mut papers = repo::tracked()?;
    papers.retain(|path| is_paper(path));
    let mut findings = Vec::new();
    for path in &papers {
        for (line, target) in links(&repo::text(path)?) {
            if let Some(why) = broken(path, &target)? {
                findings.push(format!("{}:{line}: {target}: {why}", path.display()));
            }
        }
    }
    repo::verdict(&findings, &format!("{} papers", papers.len()))
}

fn is_paper(path: &Path) -> bool {
    PAPERS.iter().any(|paper| path == Path::new(paper))
        || (path.starts_with("docs") && repo::has_extension(path, &["md"]))
}

/// The problem with a link; `None` if it is good.
fn broken(from: &Path, target: &str) -> Result<Option<String>, String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(None);
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { from.to_path_buf() } else { resolve(from, file) };
    if !path.exists() {
        return Ok(Some("no such file".into()));
    }
    let is_text = repo::has_extension(&path, &["md"]);
    if anchor.is_empty() || !is_text || anchors(&repo::text(&path)?).iter().any(|one| one == anchor) {
        return Ok(None);
    }
    Ok(Some(format!("{} has no such heading", path.display())))
}

/// The path of a link, seen from the root of the repository.
fn resolve(from: &Path, file: &str) -> PathBuf {
    let start = if file.starts_with('/') { Path::new("") } else { from.parent().unwrap_or(Path::new("")) };
    let mut path = PathBuf::new();
    for part in start.join(file.trim_start_matches('/')).components() {
        match part {
            Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

/// The lines of a paper outside of fenced code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, Some(opened)) => fence = Some(opened),
            (Some(opened), Some(mark)) if opened == mark => fence = None,
            (None, None) => return Some((number + 1, line)),
            _ => {}
        }
        None
    })
}

/// The targets of inline links and of definitions, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (number, line) in prose(text) {
        let line = without_code(line);
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let definition = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        for target in inline.chain(definition.map(|(_, target)| target)) {
            let target = target.split_whitespace().next().unwrap_or_default();
            links.push((number, target.trim_matches(['<', '>']).to_owned()));
        }
    }
    links
}

/// A line without the parts between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The anchors of a paper: its headings the way GitHub spells them, and explicit `id="…"`.
fn anchors(text: &str) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut anchors = Vec::new();
    for (_, line) in prose(text) {
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            let slug = slug(heading.trim());
            let count = seen.entry(slug.clone()).or_default();
            anchors.push(if *count == 0 { slug } else { format!("{slug}-{count}") });
            *count += 1;
        }
        anchors
            .extend(line.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(String::from));
    }
    anchors
}

fn slug(heading: &str) -> String {
    let shown = heading.split("](").map(|part| part.split_once(')').map_or(part, |(_, after)| after));
    let shown: String = if heading.contains("](") { shown.collect() } else { heading.to_owned() };
    let kept = shown.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::{anchors, links, resolve};
    use std::path::Path;

    #[test]
    fn links_of_both_kinds_outside_of_code() {
        let text = "a [b](c.md) and [d](<e.md#f> \"title\"), `[g](h)`\n```\n[i](j)\n```\n[k]: l.md";
        let expected = [(1, "c.md"), (1, "e.md#f"), (5, "l.md")].map(|(line, to)| (line, to.to_owned()));
        assert_eq!(links(text), expected);
    }

    #[test]
    fn anchors_as_github_spells_them() {
        let text = "# The `info` command, again\n## A [link](x.md) here\n## Twice\n## Twice\n#no\n<a id=\"own\"></a>";
        assert_eq!(anchors(text), ["the-info-command-again", "a-link-here", "twice", "twice-1", "own"]);
    }

    #[test]
    fn links_are_seen_from_the_paper() {
        assert_eq!(resolve(Path::new("docs/a.md"), "../README.md"), Path::new("README.md"));
        assert_eq!(resolve(Path::new("docs/a.md"), "./b.md"), Path::new("docs/b.md"));
        assert_eq!(resolve(Path::new("docs/a.md"), "/b.md"), Path::new("b.md"));
    }
}
