//! The `console` blocks of the papers, run as they are written.
//!
//! A paper is one session, from its first block to its last, in a folder with the samples in `samples`. The
//! lines are those of the sessions in `tests/cli`: `$ command`, and its output.
#![cfg(unix)]

mod session;

use session::{Stage, matches, steps};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_documentation_shows_the_printed_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut papers: Vec<PathBuf> =
        fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    papers.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    papers.push(root.join("README.md"));
    let (mut wrong, mut played) = (String::new(), 0);
    for paper in papers {
        let name = paper.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let blocks = consoles(&fs::read_to_string(&paper).unwrap());
        if blocks.is_empty() {
            continue;
        }
        // Readers paste commands and the lines of here-documents, and a shell would write into a file at a `>`.
        if let Some(line) = blocks.iter().flat_map(|block| block.lines()).find(|line| line.starts_with('>')) {
            writeln!(wrong, "{name}: this line cannot be pasted: {line}").unwrap();
        }
        let stage = Stage::new(&format!("paper-{name}"), "samples").unwrap();
        for step in blocks.iter().flat_map(|block| steps(block).0) {
            let printed = stage.run(&step.command).unwrap();
            played += 1;
            if !matches(&step.expected, &printed) {
                writeln!(wrong, "{name}: {}--- printed\n{printed}", step.text).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(played > 5, "only {played} commands were found");
}

#[test]
fn the_cookbook_has_a_recipe_a_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cookbook = fs::read_to_string(root.join("docs/cookbook.md")).unwrap();
    let help = Stage::new("recipes", "").unwrap().run("moviola --help").unwrap();
    let (commands, _) = help.split_once("Options:").unwrap();
    let commands = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(' '));
    let commands: Vec<&str> = commands.map(|(name, _)| name).filter(|name| *name != "help").collect();
    assert!(commands.len() > 30, "{commands:?}");
    for name in commands {
        assert!(cookbook.contains(&format!("moviola {name} ")), "{name}");
    }
}

/// The lines in the `console` fences of a paper; a fence may be indented.
fn consoles(paper: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut indent = None;
    for line in paper.lines() {
        let bare = line.trim_start();
        match (indent, bare.strip_prefix("```")) {
            (None, Some("console")) => {
                indent = Some(line.len() - bare.len());
                blocks.push(String::new());
            }
            (Some(_), Some(_)) => indent = None,
            (Some(indent), None) => {
                if let Some(block) = blocks.last_mut() {
                    block.push_str(line.get(indent..).unwrap_or_default());
                    block.push('\n');
                }
            }
            (None, _) => {}
        }
    }
    blocks
}
