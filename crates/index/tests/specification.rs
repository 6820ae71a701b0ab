//! The worked example of `docs/seek-index.md` equals the actual output.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use moviola_index::Index;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Bytes as on the page: sixteen in each line, with the offset of the first.
fn dump(bytes: &[u8]) -> String {
    let lines = bytes.chunks(16).enumerate();
    lines.fold(String::new(), |mut text, (number, line)| {
        write!(text, "{:04x} ", number * 16).unwrap();
        for byte in line {
            write!(text, " {byte:02x}").unwrap();
        }
        text + "\n"
    })
}

/// The bytes of the dump after a heading of the page.
fn shown(page: &str, heading: &str) -> Vec<u8> {
    let behind = page.split_once(heading).unwrap().1;
    let block = behind.split("```").nth(1).unwrap();
    let lines = block.lines().filter(|line| line.starts_with('0'));
    let digits = lines.flat_map(|line| line.split_whitespace().skip(1));
    digits.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

#[test]
fn the_worked_example_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/seek-index.md");
    let page = fs::read_to_string(page).unwrap();
    let recording = shown(&page, "## The recording");
    let mut index = Vec::new();
    Index::of(&recording[..]).unwrap().unwrap().write(&mut index).unwrap();
    assert_eq!(dump(&shown(&page, "## Its index")), dump(&index));
}
