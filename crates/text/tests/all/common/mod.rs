//! Helpers of several tests: texts and recordings converted into each other, and all kinds of recordings.

#![allow(
    dead_code,
    unused_imports,
    reason = "each test file is a program of its own and uses a part of this"
)]

#[path = "../../../../format/tests/common/mod.rs"]
pub(crate) mod format;

pub(crate) use format::{Random, corpus, files, first_difference};
use moviola_text::*;
use std::fs;
use std::path::Path;

/// A recording as text, comments and all.
pub(crate) fn text_of(recording: &[u8]) -> Vec<u8> {
    text_with(recording, &DecompileOptions::default())
}

/// A recording as text.
pub(crate) fn text_with(recording: &[u8], options: &DecompileOptions) -> Vec<u8> {
    let mut text = Vec::new();
    let summary = decompile(recording, &mut text, options).unwrap();
    assert_eq!(summary.bytes, recording.len() as u64, "not all was read");
    text
}

/// A text as recording, or its mistakes.
pub(crate) fn try_compile(text: &[u8], options: &CompileOptions) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let mut recording = Vec::new();
    match compile(text, &mut recording, options) {
        Ok(summary) => {
            assert_eq!(summary.bytes, recording.len() as u64);
            Ok(recording)
        }
        Err(CompileError::Mistakes(mistakes)) => {
            assert!(!mistakes.is_empty());
            Err(mistakes)
        }
        Err(CompileError::Io(error)) => panic!("{error}"),
    }
}

/// A text without mistakes as recording.
pub(crate) fn compiled(text: &[u8]) -> Vec<u8> {
    try_compile(text, &CompileOptions::default())
        .unwrap_or_else(|mistakes| panic!("{}\n{}", shown(&mistakes), String::from_utf8_lossy(text)))
}

/// Mistakes in a form for people.
pub(crate) fn shown(mistakes: &[Diagnostic]) -> String {
    mistakes.iter().map(one_shown).collect::<Vec<_>>().join("\n")
}

pub(crate) fn one_shown(it: &Diagnostic) -> String {
    let place = format!("{}:{}", it.line, it.column);
    let before: String =
        String::from_utf8_lossy(it.source.as_bytes().get(..it.column - 1 - it.skipped).unwrap_or_default())
            .chars()
            .map(|letter| if letter == '\t' { letter } else { ' ' })
            .collect();
    let carets = "^".repeat(it.length.clamp(1, 60));
    let mut out =
        format!("{} at {place}: {}\n  | {}\n  | {before}{carets}\n", it.code.number(), it.message, it.source);
    if let Some(help) = &it.help {
        out.push_str("  help: ");
        out.push_str(help);
        out.push('\n');
    }
    out
}

/// Fails with the place where two recordings differ, if they do.
#[track_caller]
pub(crate) fn same(name: &str, found: &[u8], expected: &[u8]) {
    if let Some(at) = first_difference(found, expected) {
        let near = |bytes: &[u8]| {
            let from = at.saturating_sub(8).min(bytes.len());
            format!("{:02x?}", &bytes[from..bytes.len().min(at + 24)])
        };
        panic!(
            "{name}: byte {at} differs ({} bytes, {} expected)\n   found {}\nexpected {}",
            found.len(),
            expected.len(),
            near(found),
            near(expected)
        );
    }
}

/// The recordings that the writer of samples makes.
pub(crate) fn scribe_samples() -> Vec<(String, Vec<u8>)> {
    moviola_scribe::samples().into_iter().map(|it| (it.name.to_string(), it.bytes)).collect()
}

/// The recordings of the repository.
pub(crate) fn stored_samples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    if folder.is_dir() { recordings(&folder) } else { Vec::new() }
}

/// The real recordings, if they are available.
pub(crate) fn real_recordings() -> Vec<(String, Vec<u8>)> {
    corpus().map(|folder| recordings(&folder)).unwrap_or_default()
}

fn recordings(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for path in files(folder) {
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        if ending == "dem" || ending == "dm2" {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            all.push((name, fs::read(&path).unwrap()));
        }
    }
    all
}
