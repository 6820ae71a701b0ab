//! `--bare` text is at most twelve times its recording.

use moviola_text::{DecompileOptions, decompile};
use std::path::Path;

/// Smaller recordings are not checked: a few messages consist mostly of their names. `nop;` and its line end
/// stand for one byte, and a block without messages is 35 characters for 16 bytes.
const SMALL: usize = 10_000;

#[test]
fn bare_text_is_at_most_twelve_times_its_recording() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let (mut count, mut tall) = (0, Vec::new());
    for path in crate::common::files(&samples)
        .into_iter()
        .chain(crate::common::corpus().iter().flat_map(|it| crate::common::files(it)))
    {
        let is_recording =
            |it: &std::ffi::OsStr| it.eq_ignore_ascii_case("dem") || it.eq_ignore_ascii_case("dm2");
        if !path.extension().is_some_and(is_recording) {
            continue;
        }
        let recording = std::fs::read(&path).unwrap();
        let mut text = Vec::new();
        let options = DecompileOptions { bare: true, ..DecompileOptions::default() };
        let summary = decompile(&recording[..], &mut text, &options).unwrap();
        if summary.game.is_none() || recording.len() < SMALL {
            continue;
        }
        count += 1;
        if text.len() > 12 * recording.len() {
            let ratio = text.len() as f64 / recording.len() as f64;
            tall.push(format!("{}: {ratio:.2} times", path.display()));
        }
    }
    assert!(count >= 6, "only {count} recordings were found");
    assert!(tall.is_empty(), "{}", tall.join("\n"));
}
