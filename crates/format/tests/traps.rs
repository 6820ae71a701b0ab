//! The fifty traps in which a reader and writer of recordings can lose a byte, by their numbers in the sheet of
//! facts that this project began with. Each is a test, or is none of this crate's, and here is why.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a failure fails the test"
)]

use std::collections::BTreeSet;

/// Traps of formats that are recognised and kept raw.
const NOT_HERE: [(u8, &str); 11] = [
    (7, "QuakeWorld's usercmd: .qwd is kept raw"),
    (8, "the type byte of MVD: kept raw"),
    (9, "sequence words of QuakeWorld's packets: .qwd is kept raw"),
    (27, "QuakeWorld's packetentities: kept raw"),
    (28, "QuakeWorld's usercmd: kept raw"),
    (29, "QuakeWorld's lists of models in pieces: kept raw"),
    (30, "QuakeWorld's packed nails: kept raw"),
    (31, "playerinfo of MVD: kept raw"),
    (32, "setangle of MVD: kept raw"),
    (33, "QuakeWorld's user infos: kept raw"),
    (42, "numbers of variable length occur in Q2PRO's extensions only: kept raw"),
];

const TESTS: [&str; 5] = [
    include_str!("traps_files.rs"),
    include_str!("traps_quake.rs"),
    include_str!("traps_quake2.rs"),
    // Limits of engines are findings, and never errors of the reader.
    include_str!("../../check/tests/verdicts.rs"),
    include_str!("../../edit/tests/traps.rs"),
];

/// The functions that the test harness runs, each with what it does.
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
        let insists = ["assert", "exactly", "plays("].iter().any(|word| body.contains(word));
        assert!(insists, "the test of trap {number} insists on nothing");
        assert!(!NOT_HERE.iter().any(|it| it.0 == number), "trap {number} is here after all");
    }
    let tested = tests().map(|(number, _)| number);
    let numbers: BTreeSet<u8> = tested.chain(NOT_HERE.iter().map(|(number, _)| *number)).collect();
    assert!(numbers.iter().copied().eq(1..=50), "{numbers:?}");
}
