//! Checked-in files that are generated: generating them again must change nothing.

use crate::args::Args;
use crate::{Outcome, readmes, repo, run};
use std::path::{Path, PathBuf};

/// A checked-in file, and the program whose standard output it must equal.
type Generator = (&'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const GENERATORS: &[Generator] = &[
    ("editors/vscode/moviola.tmLanguage.json", "examples/editors", &["textmate"]),
    ("editors/sublime/moviola.sublime-syntax", "examples/editors", &["sublime"]),
    ("editors/vim/syntax/moviola.vim", "examples/editors", &["vim"]),
    ("docs/text.md", "examples/manual", &["text"]),
    ("docs/values.md", "examples/manual", &["values"]),
    ("docs/events.md", "examples/event_manual", &[]),
    ("docs/diagnostics.md", "examples/manual", &["diagnostics"]),
    ("docs/commands.md", "moviola", &["man", "--markdown"]),
    ("docs/findings.md", "examples/findings", &[]),
    ("docs/schema.md", "examples/columns", &[]),
    ("web/node/src/tables.ts", "examples/columns", &["typescript"]),
    ("web/node/src/events.ts", "examples/event_manual", &["typescript"]),
];

pub(crate) fn task(mut args: Args) -> Outcome {
    let bless = args.flag("--bless");
    args.finish()?;
    check(bless)
}

/// Compares every generated file with the present output of its generator, or rewrites it.
pub(crate) fn check(bless: bool) -> Outcome {
    let mut findings = Vec::new();
    let readmes = readmes::all()?;
    let count = GENERATORS.len() + readmes.len();
    let made = GENERATORS.iter().map(|(path, program, words)| {
        let fresh = run::output(run::ours(program)?.args(*words))?;
        Ok::<_, String>((PathBuf::from(path), fresh))
    });
    for file in made.chain(readmes.into_iter().map(|(path, text)| Ok((path, text.into_bytes())))) {
        let (path, fresh) = file?;
        let old = repo::bytes(&path).unwrap_or_default();
        let (name, path) = (path.display(), Path::new(&path));
        if fresh == old {
            continue;
        }
        if bless {
            std::fs::write(path, &fresh).map_err(|why| format!("{name}: {why}"))?;
            println!("{name}: rewritten");
        } else {
            let line = first_difference(&old, &fresh);
            findings.push(format!("{name}:{line}: out of date; `cargo xtask generated --bless` rewrites it"));
        }
    }
    repo::verdict(&findings, &format!("{count} generated files"))
}

/// The number of the first line that differs.
fn first_difference(old: &[u8], fresh: &[u8]) -> usize {
    let same = old.iter().zip(fresh).take_while(|(old, fresh)| old == fresh);
    1 + same.filter(|(old, _)| **old == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_line_of_the_first_difference() {
        assert_eq!(first_difference(b"", b"a"), 1);
        assert_eq!(first_difference(b"a\nb\nc", b"a\nb\nd"), 3);
        assert_eq!(first_difference(b"a\nb", b"a\n"), 2);
    }
}
