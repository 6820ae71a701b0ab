//! QuakeWorld's recordings through the text: both containers, their records and hidden messages, intact and
//! damaged.

use crate::common::{Random, compiled, corpus, files, one_shown, same, shown, text_with, try_compile};
use crate::every_message::{in_hex, with_comments};
use moviola_text::{CompileOptions, DecompileOptions, decompile, format};
use std::fs;

/// The recordings of the collection, smallest first.
fn recordings() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = corpus().map(|folder| folder.join("qw")) else { return Vec::new() };
    let mut all = Vec::new();
    for path in files(&folder) {
        if path.extension().is_some_and(|it| it == "qwd" || it == "mvd" || it == "mvd2") {
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
            all.push((name, fs::read(&path).unwrap()));
        }
    }
    all.sort_by_key(|(_, bytes)| bytes.len());
    all
}

#[track_caller]
fn comes_back(name: &str, recording: &[u8], options: &DecompileOptions) -> Vec<u8> {
    let text = text_with(recording, options);
    let again = try_compile(&text, &CompileOptions::default()).unwrap_or_else(|mistakes| {
        panic!("{name}: {}", mistakes.iter().take(3).map(one_shown).collect::<String>())
    });
    same(name, &again, recording);
    text
}

#[test]
fn every_recording_comes_back() {
    let plain = DecompileOptions::default();
    for (number, (name, recording)) in recordings().into_iter().enumerate() {
        let bare = DecompileOptions { bare: true, ..plain.clone() };
        let text = comes_back(&name, &recording, if number % 3 == 2 { &bare } else { &plain });
        // Every message is printed by its fields, none as bytes.
        let text = String::from_utf8(text).unwrap();
        assert!(!text.contains("unknown {") && !text.contains("\nraw "), "{name}");
        assert!(
            ["sblock {", "mblock {", "cblock {", "mvd2;\n"].iter().any(|start| text.starts_with(start)),
            "{name}"
        );
    }
}

#[test]
fn parts_and_damaged_ones_come_back() {
    let mut random = Random(11);
    for (name, recording) in recordings().into_iter().filter(|(_, bytes)| bytes.len() < 40_000) {
        for round in 0..24 {
            let mut changed = recording.clone();
            let at = random.below(changed.len());
            match round % 3 {
                0 => changed.truncate(at),
                1 => changed[at] ^= 1 << random.below(8),
                _ => drop(changed.splice(at..at, random.bytes(3))),
            }
            comes_back(&format!("{name}, {round} at {at}"), &changed, &DecompileOptions::default());
        }
    }
}

/// The text of a part of a recording begins with its protocol and extensions.
#[test]
fn parts_know_their_protocol() {
    let mut parts = 0;
    for (name, recording) in recordings().into_iter().filter(|(_, bytes)| bytes.len() < 200_000) {
        let part = DecompileOptions { blocks: Some((150, 160)), ..DecompileOptions::default() };
        let bytes = compiled(&text_with(&recording, &part));
        let is_part = bytes.is_empty() || recording.windows(bytes.len()).any(|it| it == bytes);
        assert!(is_part, "{name}: the part is not of it");
        parts += usize::from(bytes.len() > 100);
    }
    assert!(parts > 10 || corpus().is_none(), "{parts}");
}

/// Numbers in hexadecimal, and comments between all tokens: the lines of blocks and records can be spelled in other
/// ways too.
#[test]
fn other_spellings_come_back() {
    let mut random = Random(12);
    let bare = DecompileOptions { bare: true, ..DecompileOptions::default() };
    for (name, recording) in recordings().into_iter().filter(|(_, bytes)| bytes.len() < 100_000) {
        let text = String::from_utf8(text_with(&recording, &bare)).unwrap();
        for spelling in [in_hex(&text), with_comments(&text, &mut random)] {
            let again = try_compile(spelling.as_bytes(), &CompileOptions::default())
                .unwrap_or_else(|mistakes| panic!("{name}: {}", shown(&mistakes)));
            same(&name, &again, &recording);
        }
    }
}

/// The lines of a nail may be in any order, in some nails of a message or in all.
#[test]
fn nails_are_read_in_any_order() {
    let text = |second: &str| {
        let first = "nail { number 1; origin 2 4 6; angles_1 22.5; angles_2 90.0; }";
        format!("mblock {{ to all; nails2 {{ {first} nail {{ {second} }} {first} }} nop; }}")
    };
    let expected = compiled(text("number 7; origin 8 10 12; angles_1 45.0; angles_2 180.0;").as_bytes());
    for second in [
        "origin 8 10 12; number 7; angles_1 45.0; angles_2 180.0;",
        "angles_2 180.0; angles_1 45.0; origin 0x8 0xA 0xC; number 0x7;",
        "angles_2 // one\n 180.0; angles_1 45.0; number 7; // two\n origin 8 10 12;",
    ] {
        same(second, &compiled(text(second).as_bytes()), &expected);
    }
    for (second, place, expected) in [
        ("origin 8 10 12; angles_1 45.0; angles_2 0.0;", "nail { origin", "`nail` needs the field `number`"),
        ("origin 8 10 12; number 7; angles_2 0.0;", "nail { origin", "`nail` needs the field `angles_1`"),
        (
            "origin 8 10 12; number 7; number 9; angles_1 1.0; angles_2 1.0;",
            "number 9",
            "`number` is given twice",
        ),
        (
            "angle 3; number 7; origin 8 10 12; angles_1 1.0; angles_2 1.0;",
            "angle 3",
            "`nail` has no field `angle`",
        ),
    ] {
        let text = text(second);
        let mistakes = try_compile(text.as_bytes(), &CompileOptions::default()).unwrap_err();
        let shown_mistakes = shown(&mistakes);
        assert_eq!(mistakes.len(), 1, "{shown_mistakes}");
        assert_eq!(mistakes[0].column, text.find(place).unwrap() + 1, "{shown_mistakes}");
        assert_eq!(mistakes[0].message, expected, "{shown_mistakes}");
    }
}

#[test]
fn formatting_changes_nothing() {
    for (name, recording) in recordings().into_iter().filter(|(_, bytes)| bytes.len() < 100_000) {
        let text = text_with(&recording, &DecompileOptions::default());
        let mut tidy = Vec::new();
        format(&text[..], &mut tidy).unwrap();
        same(&name, &tidy, &text);
    }
}

/// LMPC's text of our own recording compiles back to it. From the other text LMPC's compiler loses bytes, and
/// ours does not.
#[test]
fn lmpcs_own_texts_compile() {
    let Some(folder) = corpus() else { return };
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let text = read("lmpc-text/qw_duo.qwd.txt");
    for lmpc in [false, true] {
        let options = CompileOptions { lmpc, ..CompileOptions::default() };
        same("duo", &try_compile(&text, &options).unwrap(), &read("qw/ours/duo.qwd"));
        assert!(try_compile(&read("lmpc-text/qw_demo01.qwd.txt"), &options).is_ok());
    }
}

/// The text for LMPC has only LMPC's words; an MVD gives no blocks at all, since LMPC does not know MVDs.
#[test]
fn lmpc_gets_the_messages_that_it_knows() {
    let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
    for (name, recording) in recordings().into_iter().filter(|(_, bytes)| bytes.len() < 300_000) {
        let text = text_with(&recording, &options);
        let compiled = try_compile(&text, &CompileOptions::default());
        assert!(compiled.is_ok(), "{name}");
        // LMPC's compiler refuses lists of changes.
        assert!(!String::from_utf8(text).unwrap().contains("deltapacketentity {"), "{name}");
        if name.ends_with("mvd") {
            assert!(compiled.unwrap().is_empty(), "{name}");
        } else if name.contains("duo") || name.contains("noext") {
            same(&name, &compiled.unwrap(), &recording);
        }
    }
}

#[test]
fn addresses_and_records_compile_to_their_bytes() {
    for (text, bytes) in [
        ("mblock { to all; nop; }", &b"\0\x06\x01\0\0\0\x01"[..]),
        ("mblock { msec 13; to single 3; nop; nop; }", b"\x0d\x1c\x02\0\0\0\x01\x01"),
        ("mblock { to stats 2; }", b"\0\x15\0\0\0\0"),
        ("mblock { to same; }", b"\0\x01\0\0\0\0"),
        ("mblock { to multiple 0 31; spare 2; }", b"\0\x13\x01\0\0\x80\0\0\0\0"),
        ("hblock { paused_duration { msec 9; } }", b"\0\x03\0\0\0\0\x07\0\0\0\x01\0\0\0\x0a\0\x09"),
        ("hblock { unknown_hidden { kind 99; } }", b"\0\x03\0\0\0\0\x06\0\0\0\0\0\0\0\x63\0"),
        (
            "hblock { unknown_hidden { kind 65540; data 01 02; } }",
            b"\0\x03\0\0\0\0\x0a\0\0\0\x02\0\0\0\xff\xff\x05\0\x01\x02",
        ),
        ("hblock { paused_duration_bare 9; }", b"\0\x03\0\0\0\0\x03\0\0\0\x0a\0\x09"),
        ("fblock { time 1.0s; seq1 5; seq2 4; }", b"\0\0\x80\x3f\x02\x05\0\0\0\x04\0\0\0"),
        ("fblock { msec 3; seq1 5; seq2 4; }", b"\x03\x02\x05\0\0\0\x04\0\0\0"),
        (
            "sblock { time 1.0s; seq1 1; seq2 2; reliable 2; nop; }",
            b"\0\0\x80\x3f\x01\x09\0\0\0\x01\0\0\0\x02\0\0\x80\x01",
        ),
        (
            "sblock { time 1.0s; connless { console \"a\"; } }",
            b"\0\0\x80\x3f\x01\x07\0\0\0\xff\xff\xff\xffna\0",
        ),
    ] {
        same(text, &compiled(text.as_bytes()), bytes);
    }
}

#[test]
fn mistakes_are_reported() {
    for (text, expected) in [
        ("sblock { nop; }", "this packet has no `time`"),
        ("sblock { time 1.0; seq1 4; nop; }", "this packet has one of its numbers only"),
        ("mblock { nop; }", "this block is for nobody"),
        ("mblock { to nobody; }", "this is not an audience"),
        ("mblock { to all; camera 0.0 0.0 0.0; }", "QuakeWorld has no `camera`"),
        ("mblock { to all; } block { nop; }", "this is not QuakeWorld's"),
        ("track \"-1\\n\"; mblock { to all; }", "this is QuakeWorld's"),
        ("mblock { to all; nop;", "this block is not closed"),
        ("mblock { to all; modellist \"a\"; }", "from protocol 26 on a list has `first` and `next`"),
        (
            "mblock { to all; protocol 24; modellist { first 0; models \"a\"; next 0; } }",
            "before protocol 26 a list comes in one message",
        ),
        (
            "mblock { to all; clientdata; }",
            "`clientdata` is a message of Quake, and this is a recording of QuakeWorld",
        ),
    ] {
        let mistakes = try_compile(text.as_bytes(), &CompileOptions::default()).unwrap_err();
        assert!(mistakes[0].message.starts_with(expected), "{text}: {}", mistakes[0].message);
    }
}

/// LMPC refuses long blocks of a QWD, so they are left out and listed.
#[test]
fn lmpc_gets_no_long_blocks_of_a_qwd() {
    let sample = std::fs::read("../../samples/ez_duo_lqdm2.qwd").unwrap();
    let printed = |recording: &[u8]| {
        let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
        decompile(recording, &mut Vec::new(), &options).unwrap().printed
    };
    let before = printed(&sample);
    let block = |size: usize| {
        // A message of one byte that LMPC knows: `killedmonster`.
        let packet = [&[1, 0, 0, 0, 1, 0, 0, 0][..], &vec![27; size - 17]].concat();
        [&[0, 0, 0x80, 0x3f, 1][..], &(packet.len() as u32).to_le_bytes(), &packet].concat()
    };
    // The recording's last block says "EndOfDemo", and nothing after it is printed for LMPC.
    let end = sample.windows(9).rposition(|bytes| bytes == b"EndOfDemo").unwrap() - 14;
    let (played, end) = sample.split_at(end);
    for (size, more) in [(100, 1), (2048, 1), (2049, 0)] {
        let recording = [played, &block(size), end].concat();
        assert_eq!(printed(&recording), before + more, "{size}");
    }
}
