//! After a mistake the rest of a text is still read, and nothing in it is misread.

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
fn a_place_read_twice_is_reported_once() {
    let sound = "sound { channel 9; entity 9000;\nsoundnum 300;\norigin 5000.0 5000.0 5000.0; vol 2.0; }";
    let found = mistakes(sound);
    assert_eq!(found.iter().filter(|(_, line)| *line == 3).count(), 1, "{found:?}");
    assert_eq!(mistakes("damage { take 1; save 300; origin 0 0 0; }"), [("T009", 2)]);
}

#[test]
fn the_statement_after_a_mistaken_message_is_read() {
    assert_eq!(mistakes("updatestat { value 1; }\nsetpause 256;"), [("T004", 2), ("T009", 3)]);
    assert_eq!(mistakes("updatestat { index # 3; value 1; }\nsetpause 256;"), [("T001", 2), ("T009", 3)]);
}

#[test]
fn a_slip_is_reported_before_the_field_it_hides() {
    assert_eq!(mistakes("updatestat { indx 3; value 1; }"), [("T003", 2)]);
    assert_eq!(mistakes("updatestat { health 3; value 1; }"), [("T003", 2)]);
}

#[test]
fn a_slip_after_a_missing_semicolon_is_reported() {
    let text = "updatestat {\n indx 1\n vale 2;\n}\nsetpause 256;";
    let found = mistakes(text);
    assert!(found.contains(&("T003", 4)) && found.contains(&("T009", 6)), "{found:?}");
    assert!(!found.iter().any(|(code, _)| *code == "T004"), "{found:?}");
    assert_eq!(
        mistakes("updatestat {\n index 1\n vale 2;\n}\nsetpause 256;"),
        [("T006", 3), ("T003", 4), ("T009", 6)]
    );
}

#[test]
fn an_open_string_is_reported_instead_of_its_fields() {
    assert_eq!(
        mistakes("updatename { netname \"abc; player 0; }\nsetpause 256;"),
        [("T011", 2), ("T009", 3)]
    );
    assert_eq!(mistakes("updatename {\n netname \"abc;\n}\nsetpause 256;"), [("T011", 3), ("T009", 5)]);
}

#[test]
fn mistakes_are_reported_in_the_order_of_their_places() {
    let long = " setview 300000;\n updatename { netname \"abc; player 0; }\n".repeat(6000);
    for statements in [
        "print \"abc; }\nblock { camera 0 0 0; setview 300000;",
        "updatename { player 0; netname \"abc }\n damage { save 1; take 2; origin 0 0 0; }",
        &long,
    ] {
        let found = mistakes(statements);
        assert!(found.is_sorted_by_key(|(_, line)| *line), "{found:?}");
    }
}

#[test]
fn a_wrong_mask_names_the_fields_that_contradict_it() {
    assert_eq!(mistakes("updateentity { entity 3; mask 0x40; }"), [("T016", 2)]);
    assert_eq!(mistakes("updateentity { entity 3; mask 0x40; frame 1; origin_x 1.0; }"), [("T016", 2)]);
}

#[test]
fn all_mistakes_of_a_message_are_reported() {
    let damage = "damage {\n save 1 2;\n take 300;\n origin 0 0 0 0;\n }\nsetpause 256;";
    assert_eq!(mistakes(damage), [("T014", 3), ("T009", 4), ("T014", 5), ("T009", 7)]);
    // The fields are in another order.
    let damage = "damage {\n take 300;\n save 1\n origin 0 0 0 0;\n }\nsetpause 256;";
    assert_eq!(mistakes(damage), [("T009", 3), ("T006", 4), ("T014", 5), ("T009", 7)]);
    let style = "lightstyle {\n style 1\n string m;\n}\nprint \"a\" \"b\"\nsetview x y z;\nsetpause 256;";
    assert_eq!(mistakes(style), [("T006", 3), ("T010", 4), ("T014", 6), ("T008", 7), ("T009", 8)]);
}

#[test]
fn a_missing_brace_is_reported_once() {
    let rest = "setview 1;\nprint \"a\";\ndamage { save 1; take 2; origin 0 0 0; }\n".repeat(30);
    let damage = "damage {\nsave 1;\ntake 2;\norigin 0 0 0;\n";
    assert_eq!(mistakes(&format!("{damage}{rest}")), [("T007", 2)]);
    assert_eq!(mistakes(&format!("{damage}{rest}setpause 256;")), [("T007", 2), ("T009", 96)]);
    // Other fields are missing as well.
    assert_eq!(
        mistakes(&format!("damage {{ save 1; take 300;\n{rest}")),
        [("T007", 2), ("T004", 2), ("T009", 2)]
    );
}

#[test]
fn a_needless_brace_is_reported_once() {
    let rest = "setview 1;\nprint \"a\";\ndamage { save 1; take 2; origin 0 0 0; }\n".repeat(30);
    assert_eq!(mistakes(&format!("nop;\n}}\n{rest}")), [("T021", 4)]);
    assert_eq!(
        mistakes(&format!("nop;\n}}\n{rest}}}\nblock {{ camera 0 0 0; setpause 256;")),
        [("T021", 4), ("T009", 95)]
    );
}
