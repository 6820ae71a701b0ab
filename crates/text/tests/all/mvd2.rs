//! MVD2 through the text: every version of the scribe's match, whole, in parts and damaged; and what its texts refuse.

use crate::common::{Random, compiled, one_shown, same, text_with, try_compile};
use moviola_scribe::{MVD2_VERSIONS, mvd2_match};
use moviola_text::{CompileOptions, DecompileOptions, format};

#[test]
fn matches_come_back() {
    for version in MVD2_VERSIONS {
        for open in [false, true] {
            let recording = mvd2_match(version, open);
            let text = text_with(&recording, &DecompileOptions::default());
            same("a match", &compiled(&text), &recording);
            let mut formatted = Vec::new();
            format(&text[..], &mut formatted).unwrap();
            assert!(formatted == text, "{}", String::from_utf8_lossy(&formatted));
        }
    }
}

#[test]
fn letters_have_their_messages_in_words() {
    let text = String::from_utf8(text_with(&mvd2_match(2010, false), &DecompileOptions::default())).unwrap();
    assert!(text.starts_with("mvd2;\nm2block { // 0, 0:00.10\n serverdata {\n  serverversion 37;"), "{text}");
    let letter = " mvd_multicast_all_r {\n  message {\n   print {\n    level 3; // PRINT_CHAT\n    string \"hello\";\n   }\n  }\n }\n";
    assert!(text.contains(letter), "{text}");
    // A string without its end, and bytes that are no messages.
    assert!(text.contains("  leaf 1;\n  rest 0x0F 0x63 0x75 0x74"), "{text}");
    assert!(text.contains("   nop {\n   }\n  }\n  rest 0xEE 0x01;\n"), "{text}");
    assert!(text.contains("   player 1; // bot\n   remove;\n   fov 110;\n   stats {\n   }\n"), "{text}");
    assert!(text.contains("skin 1; // bot\n"), "{text}");
    assert!(text.ends_with("}\nendblock;\n"), "{text}");
}

#[test]
fn parts_are_of_the_recording() {
    let recording = mvd2_match(2012, false);
    let part = DecompileOptions { blocks: Some((1, 2)), ..DecompileOptions::default() };
    let bytes = compiled(&text_with(&recording, &part));
    // A part has the header and the end mark of the whole.
    let rest = bytes.strip_prefix(b"MVD2").unwrap_or(&bytes);
    let rest = rest.strip_suffix(&[0, 0]).unwrap_or(rest);
    assert!(rest.len() > 200 && recording.windows(rest.len()).any(|it| it == rest), "{rest:x?}");
}

#[test]
fn damaged_matches_come_back() {
    let mut random = Random(17);
    let recording = mvd2_match(2011, false);
    for round in 0..600 {
        let mut changed = recording.clone();
        let at = random.below(changed.len());
        match round % 3 {
            0 => changed.truncate(at),
            1 => changed[at] ^= 1 << random.below(8),
            _ => drop(changed.splice(at..at, random.bytes(3))),
        }
        let text = text_with(&changed, &DecompileOptions::default());
        let again = try_compile(&text, &CompileOptions::default())
            .unwrap_or_else(|mistakes| panic!("{}", mistakes.iter().map(one_shown).collect::<String>()));
        same("damaged", &again, &changed);
    }
}

#[test]
fn impossible_texts_of_mvd2_are_refused() {
    let long = "a".repeat(2040);
    for (text, message) in [
        ("mvd2; block { nop; }", "this is a recording MVD2, which has no such blocks"),
        ("mvd2; betweenblock;", "this is a recording MVD2, which has no such blocks"),
        ("block { nop; } mvd2;", "this is of a recording MVD2, and this is another recording"),
        ("block { nop; } m2block { nop; }", "this is of a recording MVD2, and this is another recording"),
        ("mvd2; m2block { }", "a block without messages would end the recording"),
        ("mvd2; m2block { length 70000; nop; }", "this block is 70000 bytes long"),
        ("mvd2; m2block { frame { areas; packetentity { entity 0; } } }", "the entity 0 would end the list"),
        (
            "mvd2; m2block { frame { areas; packetplayer { player 255; } } }",
            "the player 255 would end the list",
        ),
        ("mvd2; m2block { mvd_multicast_all { message { } } }", "this needs one message of Quake II"),
        (
            &format!(
                "mvd2; m2block {{ mvd_multicast_all {{ message {{ print {{ level 1; string \"{long}\"; }} }} message {{ stufftext {{ string \"more\"; }} }} }} }}"
            ),
            "these messages are longer than 2047 bytes",
        ),
        (
            "mvd2; m2block { serverdata { serverversion 37; version 2012; flags 4; key 1; game \"\"; client 0; areas; } }",
            "an MVD2 has protocol 37",
        ),
    ] {
        let mistakes = try_compile(text.as_bytes(), &CompileOptions::default()).unwrap_err();
        assert!(mistakes[0].message.starts_with(message), "{text}\n{}", one_shown(&mistakes[0]));
    }
}

/// An entity that is removed keeps its other fields, unlike in a frame of Quake II.
#[test]
fn removals_have_fields() {
    let text = "mvd2;\nm2block {\nframe {\nareas 0x01;\npacketentity {\nentity 9;\nremove;\norigin_x 101.0;\n}\n}\n}\n";
    let bytes = compiled(text.as_bytes());
    assert_eq!(bytes, b"MVD2\x0a\0\x06\x01\x01\xff\x41\x09\x28\x03\0\0");
    let bare = DecompileOptions { bare: true, ..DecompileOptions::default() };
    assert_eq!(String::from_utf8(text_with(&bytes, &bare)).unwrap(), text);
}
