//! The fifty traps in which a reader and writer of recordings can lose a byte, numbered as in the list with
//! which this project began. Each has a test.

use std::collections::BTreeSet;

const TESTS: [&str; 6] = [
    include_str!("traps_files.rs"),
    include_str!("traps_quake.rs"),
    include_str!("traps_quake2.rs"),
    include_str!("traps_foreign.rs"),
    // Limits of engines are findings, never errors of the reader.
    include_str!("../../../check/tests/all/verdicts.rs"),
    include_str!("../../../edit/tests/all/traps.rs"),
];

/// The functions that the test harness runs, each with its purpose.
fn tests() -> impl Iterator<Item = (u8, &'static str)> {
    let bodies = TESTS.iter().flat_map(|source| source.split("\n#[test]\nfn ").skip(1));
    let bodies = bodies.filter_map(|test| test.strip_prefix("trap_"));
    bodies.map(|test| {
        let number = test[..2].parse().expect("two digits behind `fn trap_`");
        (number, &test[..test.find("\n}\n").expect("the end of the function")])
    })
}

#[test]
fn all_fifty_are_there() {
    for (number, body) in tests() {
        let insists =
            ["assert", "exactly", "plays(", "comes_back(", "message("].iter().any(|word| body.contains(word));
        assert!(insists, "the test of trap {number} insists on nothing");
    }
    let numbers: BTreeSet<u8> = tests().map(|(number, _)| number).collect();
    assert!(numbers.iter().copied().eq(1..=50), "{numbers:?}");
}
