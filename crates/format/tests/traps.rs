//! The fifty traps in which a reader and writer of recordings can lose a byte, by their numbers in the sheet of
//! facts that this project began with. Each is a test, or is none of this crate's, and here is why.

/// Traps of formats that this crate recognises and keeps raw, and of edits, which this crate does not make.
const NOT_HERE: [(u8, &str); 16] = [
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
    (46, "changing the protocol is an edit"),
    (47, "inserting and removing frames is an edit"),
    (48, "the two CD tracks disagree only for who would set one from the other: an edit"),
    (49, "removing blocks is an edit"),
    (50, "limits of engines are findings, never errors of the reader"),
];

const TESTS: [&str; 3] =
    [include_str!("traps_files.rs"), include_str!("traps_quake.rs"), include_str!("traps_quake2.rs")];

#[test]
fn all_fifty_are_there() {
    let tested = TESTS.iter().flat_map(|source| source.split("fn trap_").skip(1));
    let tested = tested.map(|name| name[..2].parse::<u8>().expect("two digits behind `fn trap_`"));
    let mut numbers: Vec<u8> = tested.chain(NOT_HERE.iter().map(|(number, _)| *number)).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=50).collect::<Vec<_>>());
}
