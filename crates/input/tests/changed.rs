//! Edits give recordings that are read back as what they are, or refuse; `fmt` keeps the meaning of a text.

#![allow(clippy::unwrap_used)]

use moviola_input::{InputEdit, InputSummary, InputTextOptions, compile, decompile, edit, format};
use std::io::Cursor;

/// DOOM 1.9 with two tics, and a `PrBoom` footer of two lumps.
fn recording() -> Vec<u8> {
    let footer =
        b"PWAD\x02\0\0\0\x17\0\0\0\"109\"one\0\0\0\x0c\0\0\0\x05\0\0\0VERSION\0\x11\0\0\0\x03\0\0\0PORTNAME";
    let mut bytes = b"\x6d\x03\x01\x04\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x32\0\0\0\x80".to_vec();
    bytes.extend(footer);
    bytes
}

fn edited(bytes: &[u8], change: &InputEdit) -> Result<Vec<u8>, String> {
    let mut made = Vec::new();
    let done = edit(bytes, &mut made, Cursor::new(Vec::new()), change);
    done.map(|()| made).map_err(|error| error.to_string())
}

fn with_version(version: &str) -> InputEdit {
    InputEdit { version: Some(version.into()), ..InputEdit::default() }
}

fn set(key: &str, value: &str) -> InputEdit {
    InputEdit { set: vec![(key.into(), value.into())], ..InputEdit::default() }
}

#[test]
fn versions_with_another_header_are_refused() {
    let one = recording();
    for version in ["99", "101", "202", "203", "214", "221", "255"] {
        let why = edited(&one, &set("Version", version)).unwrap_err();
        assert!(why.contains("another header") || version == "255", "{version}: {why}");
        let why = edited(&one, &with_version(version)).unwrap_err();
        assert!(why.contains("104, 105, 106, 107, 108, 109, 110, 111, and 0"), "{version}: {why}");
    }
    // Versions before 1.6 are of DOOM alone.
    for (version, map) in [
        ("104", "E1M4"),
        ("108", "E1M4 or MAP04"),
        ("110", "E1M4 or MAP04"),
        ("111", "E1M4 or MAP04"),
        ("0", "E1M4"),
    ] {
        let made = edited(&one, &with_version(version)).unwrap();
        let game = (version == "0").then_some("doom");
        let summary = InputSummary::read(&made[..], game).unwrap();
        assert_eq!((summary.tics, summary.map().as_str()), (2, map), "{version}");
    }
}

#[test]
fn doom_before_1_4_can_be_named() {
    let old = edited(&recording(), &with_version("0")).unwrap();
    for word in ["doom", "d", "doom2", "doom-1.2"] {
        assert_eq!(InputSummary::read(&old[..], Some(word)).unwrap().tics, 2, "{word}");
    }
}

#[test]
fn values_that_no_game_has_are_refused() {
    for (key, value) in [("Skill", "0"), ("Map", "0"), ("Episode", "0")] {
        let why = edited(&recording(), &set(key, value)).unwrap_err();
        assert!(why.contains("skills are 1 to 5"), "{key}: {why}");
    }
    assert!(edited(&recording(), &set("Skill", "5")).is_ok());
}

#[test]
fn names_of_lumps_stay_as_they_are() {
    let (mut text, mut tidy, mut made) = (Vec::new(), Vec::new(), Vec::new());
    decompile(&recording()[..], &mut text, &InputTextOptions::default()).unwrap();
    assert!(String::from_utf8_lossy(&text).contains(" VERSION:"), "{}", String::from_utf8_lossy(&text));
    format(&text[..], &mut tidy).unwrap();
    compile(&tidy[..], &mut made, Cursor::new(Vec::new())).unwrap();
    assert_eq!(made, recording());
}

#[test]
fn doom_before_1_4_has_no_map_of_doom_ii() {
    let high = edited(&recording(), &set("Map", "15")).unwrap();
    assert!(edited(&high, &with_version("0")).unwrap_err().contains("no game has such"));
}

#[test]
fn without_an_end_mark_there_is_no_place_for_a_footer() {
    let whole = recording();
    let mark = whole.iter().position(|byte| *byte == 0x80).unwrap();
    let why = edited(&whole[..mark], &set("PORTNAME", "mine")).unwrap_err();
    assert!(why.contains("no end mark"), "{why}");
}
