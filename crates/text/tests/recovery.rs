//! After a mistake the rest of a text is still read, and nothing in it is taken for what it is not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::naive_bytecount,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::excessive_precision,
    clippy::format_push_string,
    reason = "what fails in a test's helper fails the test"
)]

use moviola_text::{CompileError, CompileOptions, compile};

/// The codes of the mistakes in a block's statements, and their lines.
#[allow(clippy::panic, reason = "a text without mistakes is a failed test")]
fn mistakes(statements: &str) -> Vec<(&'static str, u64)> {
    let text = format!("block {{ camera 0 0 0;\n{statements}\n}}");
    match compile(text.as_bytes(), Vec::new(), &CompileOptions::default()) {
        Err(CompileError::Mistakes(mistakes)) => {
            mistakes.iter().map(|it| (it.code.number(), it.line)).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_mistake_inside_of_a_message_is_one() {
    assert_eq!(mistakes("updatestat { index # 3; value 1; }"), [("T001", 2)]);
    assert_eq!(mistakes("updatestat { index \"a\"; value 1; }\nnop;"), [("T008", 2)]);
    assert_eq!(mistakes("updatestat { index 1 2; value 1; }"), [("T014", 2)]);
}

#[test]
fn what_is_read_twice_is_said_once() {
    let sound = "sound { channel 9; entity 9000;\nsoundnum 300;\norigin 5000.0 5000.0 5000.0; vol 2.0; }";
    let said = mistakes(sound);
    assert_eq!(said.iter().filter(|(_, line)| *line == 3).count(), 1, "{said:?}");
    assert_eq!(mistakes("damage { take 1; save 300; origin 0 0 0; }"), [("T009", 2)]);
}

#[test]
fn the_statement_behind_a_mistaken_message_is_read() {
    assert_eq!(mistakes("updatestat { value 1; }\nsetpause 256;"), [("T004", 2), ("T009", 3)]);
    assert_eq!(mistakes("updatestat { index # 3; value 1; }\nsetpause 256;"), [("T001", 2), ("T009", 3)]);
}

#[test]
fn a_slip_of_the_finger_is_said_before_what_is_missing_for_it() {
    assert_eq!(mistakes("updatestat { indx 3; value 1; }"), [("T003", 2)]);
    assert_eq!(mistakes("updatestat { health 3; value 1; }"), [("T003", 2)]);
}

#[test]
fn a_mask_says_what_it_disagrees_with() {
    assert_eq!(mistakes("updateentity { entity 3; mask 0x40; }"), [("T016", 2)]);
    assert_eq!(mistakes("updateentity { entity 3; mask 0x40; frame 1; origin_x 1.0; }"), [("T016", 2)]);
}
