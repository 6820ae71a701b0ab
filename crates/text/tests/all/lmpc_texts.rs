//! Texts that LMPC wrote compile to the recordings that they came from; where LMPC has errors, to the right
//! bytes.
//!
//! The second half compares with an independent writer: LMPC's words for a message mean its bytes.

use crate::common::{compiled, corpus, same, text_of, text_with, try_compile};
use moviola_scribe::dm2::{self, Entity, Num, Sound};
use moviola_text::*;
use std::fs;

/// Each text and its recording, from the list in the same folder.
const TEXTS: [(&str, &str); 6] = [
    ("qs_15_lq_e0m9.dem.txt", "ours/qs_15_lq_e0m9.dem"),
    ("qs_15_secret.dem.txt", "ours/qs_15_secret.dem"),
    ("yq_sp.dm2.txt", "ours/yq_sp.dm2"),
    ("yq_chg.dm2.txt", "ours/yq_chg.dm2"),
    ("qp_net36.dm2.txt", "ours/qp_net36.dm2"),
    ("all-messages.dem.txt", "lmpc-text/all-messages.compiled.dem"),
];

const LMPC: CompileOptions = CompileOptions { lmpc: true, limit: 20 };

#[test]
fn real_texts_compile_to_their_recordings() {
    let Some(folder) = corpus() else { return };
    for (text, recording) in TEXTS {
        let text_bytes = fs::read(folder.join("lmpc-text").join(text)).unwrap();
        let expected = fs::read(folder.join(recording)).unwrap();
        for options in [CompileOptions::default(), LMPC] {
            let found = try_compile(&text_bytes, &options)
                .unwrap_or_else(|it| panic!("{text}: {}", crate::common::shown(&it)));
            same(text, &found, &expected);
        }
        // With the line ends of DOS.
        let dos = text_bytes
            .split_inclusive(|byte| *byte == b'\n')
            .map(|line| line.strip_suffix(b"\n").unwrap_or(line));
        let dos: Vec<u8> = dos.flat_map(|line| [line, b"\r\n"].concat()).collect();
        same(text, &compiled(&dos), &expected);
    }
}

/// The sections of the file with spellings: name, protocol, text. Texts that LMPC refused are missing.
fn sections() -> Vec<(String, i32, Vec<u8>)> {
    let Some(folder) = corpus() else { return Vec::new() };
    let file = fs::read(folder.join("lmpc-text/dm2-messages.sections.txt")).unwrap();
    let mut all: Vec<(String, i32, Vec<u8>)> = Vec::new();
    for line in file.split_inclusive(|byte| *byte == b'\n') {
        if let Some(head) = line.strip_prefix(b"== ") {
            let head = String::from_utf8_lossy(head).trim().trim_end_matches(')').to_string();
            let (name, protocol) = head.split_once(" (v").unwrap();
            all.push((name.to_string(), protocol.parse().unwrap(), Vec::new()));
        } else {
            all.last_mut().unwrap().2.extend_from_slice(line);
        }
    }
    assert_eq!(all.len(), 124);
    all
}

/// The section's text after a block that names the protocol.
fn with_protocol(protocol: i32, text: &[u8]) -> Vec<u8> {
    let head = format!(
        "block {{ serverdata {{ serverversion {protocol}; key 0; isdemo 1; game \"\"; client 0; mapname \"\"; }} }}\n"
    );
    [head.as_bytes(), text].concat()
}

#[test]
fn every_spelling_compiles_and_comes_back() {
    for (name, protocol, mut text) in sections() {
        if text.trim_ascii().is_empty() {
            continue;
        }
        if name == "inv" {
            // The file's longest line is cut; its numbers count up.
            let counts: Vec<String> = (0..256).map(|count| count.to_string()).collect();
            let whole = format!("block {{\n inventory {};\n}}\nendblock;\n", counts.join(" "));
            assert!(whole.as_bytes().starts_with(text.trim_ascii_end()));
            text = whole.into_bytes();
        }
        for text in [text.clone(), with_protocol(protocol, &text)] {
            let recording = compiled(&text);
            for bare in [false, true] {
                let again = text_with(&recording, &DecompileOptions { bare, ..DecompileOptions::default() });
                same(&name, &compiled(&again), &recording);
            }
            assert!(try_compile(&text, &LMPC).is_ok(), "{name}");
        }
    }
}

/// The bytes of the only block of a text, without those of the protocol.
#[track_caller]
fn block(text: &str, options: &CompileOptions) -> Vec<u8> {
    let found =
        try_compile(text.as_bytes(), options).unwrap_or_else(|it| panic!("{}", crate::common::shown(&it)));
    let length = u32::from_le_bytes(*found.first_chunk().unwrap()) as usize;
    found[4..4 + length].to_vec()
}

/// The bytes of our own text of a message with numbers in LMPC's spelling.
fn section_bytes(wanted: &str) -> Option<Vec<u8>> {
    let (_, _, text) = sections().into_iter().find(|(name, ..)| name == wanted)?;
    Some(block(&String::from_utf8_lossy(&text), &CompileOptions::default()))
}

/// Sections that the independent writer can produce too.
#[test]
fn spellings_mean_the_bytes_of_the_documents() {
    if corpus().is_none() {
        return;
    }
    let [one, two, three] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let small = Entity { number: 9, ..Entity::default() };
    let flame = dm2::Flame { entity: 33, count: 7, places: [one; 6] };
    let sound = Sound { index: 1, ..Sound::default() };
    let expected: Vec<(&str, Vec<u8>)> = vec![
        ("muzzle", [dm2::muzzleflash(5, 3), dm2::muzzleflash2(6, 40)].concat()),
        ("te 5", dm2::temp_point(5, one)),
        ("te 54", dm2::temp_point(54, one)),
        ("te 3", dm2::temp_line(3, one, two)),
        ("te26 v31", dm2::temp_line(26, one, two)),
        ("te 27", dm2::temp_line(27, one, two)),
        ("te 16", dm2::temp_beam(16, 33, one, two)),
        ("te 24", dm2::temp_grapple(33, one, two, three)),
        ("te 32", dm2::temp_flame(&flame)),
        ("te 33", dm2::temp_lightning(33, 7, one, two)),
        ("te 36", dm2::temp_flashlight(one, 7)),
        // The wall's color, and the byte that LMPC swallowed with it.
        ("te 37", [dm2::temp_forcewall(one, two, 0x09), vec![0x73]].concat()),
        ("te 50", dm2::temp_widow(5, one)),
        ("layout", dm2::layout("xv 32 \"hi\"")),
        ("sound 0", dm2::sound(&sound)),
        ("sound ent 2047", dm2::sound(&Sound { source: Some((2047, 2)), ..sound })),
        ("sound neg", dm2::sound(&Sound { source: Some((0x1FFF, 7)), ..sound })),
        ("stuff", dm2::stufftext("cmd configstrings 1 0\n")),
        ("config", dm2::configstring(1313, "name\\male/grunt")),
        ("config -1", dm2::configstring(-1, "x")),
        ("pe empty", dm2::packetentities(&[])),
        ("pe remove", dm2::packetentities(&[Entity { remove: true, ..small }])),
        ("pe frame short", dm2::packetentities(&[Entity { frame16: Some(300), ..small }])),
        ("pe frame short but small", dm2::packetentities(&[Entity { frame8: Some(3), ..small }])),
        ("pe skin short", dm2::packetentities(&[Entity { skin: Num::Short(0x1203), ..small }])),
        ("pe skin short neg", dm2::packetentities(&[Entity { skin: Num::Long(0xFFFF_FFFE), ..small }])),
        ("pe skin long", dm2::packetentities(&[Entity { skin: Num::Long(0x1234_5678), ..small }])),
        ("pe eff short", dm2::packetentities(&[Entity { effects: Num::Short(0x1203), ..small }])),
        ("pe eff long", dm2::packetentities(&[Entity { effects: Num::Long(0x1234_5678), ..small }])),
        ("pe eff neg", dm2::packetentities(&[Entity { effects: Num::Long(0xF234_5678), ..small }])),
        ("pe eff short 0x8000", dm2::packetentities(&[Entity { effects: Num::Long(0xFFFF_8000), ..small }])),
        ("pe rfx long small", dm2::packetentities(&[Entity { renderfx: Num::Byte(8), ..small }])),
        ("pe unk bits", dm2::packetentities(&[Entity { bits: dm2::E_UNUSED, ..small }])),
        ("pe solid neg", dm2::packetentities(&[Entity { solid: Some(-5), ..small }])),
        ("download 3", dm2::download(34, 50, Some(b"abc"))),
        ("download 0", dm2::download(34, 50, Some(b""))),
        ("unknown 0x15", vec![0x15, 1, 2, 3]),
        ("unknown 0x1f alone", vec![0x1F]),
        ("unicast unknown", vec![0x95, 1, 2, 3]),
        ("dpe", vec![0x13, 1, 2, 3]),
    ];
    for (name, bytes) in expected {
        let found = section_bytes(name).unwrap_or_else(|| panic!("there is no section {name}"));
        same(name, &found, &bytes);
    }
}

/// LMPC's errors: its words compile to one byte string by default, and to another in LMPC's mode.
#[test]
fn errors_of_lmpc_are_not_repeated() {
    let cases: [(&str, &[u8], &[u8]); 8] = [
        // LMPC reads every frame below 256 as a byte.
        (
            "spawnbaseline { entity 9; frame -1; }",
            &[14, 0x80, 0x80, 0x02, 9, 0xFF, 0xFF],
            &[14, 0x10, 9, 0xFF],
        ),
        // A wall's color has one byte.
        (
            "temp_entity { entitytype 37; origin 0.0 0.0 0.0; trace_endpos 0.0 0.0 0.0; style 208; }",
            &[3, 37, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 208],
            &[3, 37, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 208, 0],
        ),
        // The sign of effects and of renderfx.
        (
            "spawnbaseline { entity 9; effects -32768; }",
            &[14, 0x80, 0xC0, 0x08, 9, 0, 0x80, 0xFF, 0xFF],
            &[14, 0x80, 0x40, 9, 0],
        ),
        (
            "spawnbaseline { entity 9; renderfx -231451015; }",
            &[14, 0x80, 0x90, 0x04, 9, 0x79, 0x56, 0x34, 0xF2],
            &[14, 0x80, 0x10, 9, 0x79],
        ),
        // A sound's entity has 13 bits.
        ("sound { soundnum 1; channel 7; entity -1; }", &[9, 8, 1, 0xFF, 0xFF], &[9, 8, 1, 0xFF, 0x3F]),
        // The recipient of an unknown message.
        ("unicast 1; unknown { id 0x15; data 0x02; }", &[0x95, 1, 2], &[0x15, 2]),
        // Numbers are rounded, not truncated.
        ("sound { soundnum 1; timeofs 0.0149; }", &[9, 0x10, 1, 15], &[9, 0x10, 1, 14]),
        ("muzzleflash { entity -1; value 255; }", &[1, 0xFF, 0xFF, 255], &[1, 0xFF, 0xFF, 255]),
    ];
    for (text, right, lmpc) in cases {
        let text = format!("block {{ {text} }}");
        same(&text, &block(&text, &CompileOptions::default()), right);
        same(&text, &block(&text, &LMPC), lmpc);
    }
}

/// Values that LMPC truncated and ignored are mistakes by default.
#[test]
fn mistakes_that_lmpc_accepts_are_reported() {
    let cases: [(&str, &[u8], TextCode); 8] = [
        ("updateentity { entity -5; }", &[0x80, 0xFB], TextCode::OutOfRange),
        ("updatefrags { player 300; frags 1; }", &[14, 44, 1, 0], TextCode::OutOfRange),
        ("updatefrags { player -1; frags 40000; }", &[14, 255, 0x40, 0x9C], TextCode::OutOfRange),
        ("setangle +90.0 0.0 0.0;", &[10, 64, 0, 0], TextCode::StrayCharacter),
        ("# nop;", &[1], TextCode::StrayCharacter),
        ("setview 1*;", &[5, 1, 0], TextCode::StrayCharacter),
        ("print \"a\\000b\";", &[8, b'a', 0], TextCode::NulInString),
        (
            "damage { save 1; take 2; origin 5000.0 0.0 0.0; }",
            &[19, 1, 2, 0x40, 0x9C, 0, 0, 0, 0],
            TextCode::OutOfRange,
        ),
    ];
    for (text, lmpc, code) in cases {
        let text = format!("track \"\";\nblock {{ camera 0.0 0.0 0.0; {text} }}");
        let found =
            try_compile(text.as_bytes(), &LMPC).unwrap_or_else(|it| panic!("{}", crate::common::shown(&it)));
        same(&text, &found[16..], lmpc);
        let mistakes = try_compile(text.as_bytes(), &CompileOptions::default()).unwrap_err();
        assert_eq!(mistakes[0].code, code, "{}", crate::common::shown(&mistakes));
    }
}

/// The same for entities that end their list, and for removed entities with fields.
#[test]
fn mistakes_in_lists_that_lmpc_accepts() {
    let cases: [(&str, &[u8]); 2] = [
        ("{ entity 0; frame 3; }", &[18, 0x10, 0, 3, 0, 0]),
        ("{ entity 9; remove; frame 3; }", &[18, 0x50, 9, 3, 0, 0]),
    ];
    for (entity, lmpc) in cases {
        let text = format!("block {{ packetentities {{ packetentity {entity} }} }}");
        same(&text, &block(&text, &LMPC), lmpc);
        let mistakes = try_compile(text.as_bytes(), &CompileOptions::default()).unwrap_err();
        assert_eq!(mistakes[0].code, TextCode::NotPossible, "{}", crate::common::shown(&mistakes));
    }
}

/// Forms that LMPC wrote and could not read, or read in several ways.
#[test]
fn liberal_forms() {
    let quake = |it: &str| {
        compiled(format!("track \"\";\nblock {{ camera 0.0 0.0 0.0; {it} }}").as_bytes())[16..].to_vec()
    };
    let info = "serverinfo { serverversion 15; maxclients 1; multi 0; mapname \"\"; models; sounds; }";
    assert_eq!(quake(info), [11, 15, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(quake("stopsound 42;"), [16, 42, 0]);
    assert_eq!(quake("time 5;"), [&[7][..], &5f32.to_le_bytes()].concat());
    assert_eq!(quake("time 1:1.5m;"), [&[7][..], &61.5f32.to_le_bytes()].concat());
    assert_eq!(quake("time 1:01:1.25h;"), [&[7][..], &3661.25f32.to_le_bytes()].concat());
    assert_eq!(quake("time -2147483648:-2147483648:nanh;")[1..], 0x7FC0_0000u32.to_le_bytes());
    assert_eq!(quake("time -nans;")[1..], 0xFFC0_0000u32.to_le_bytes());
    assert_eq!(quake("setangle 1. 0 0.;"), [10, 1, 0, 0]);
    assert_eq!(quake("print \"\\1\\0377\\t\\q\\377\";"), b"\x08\x01\x1f7tq\xff\0");
    assert_eq!(quake("unknown { id 0x3C; }"), [0x3C]);
    assert_eq!(quake("unknown { data; id 0x3C; }"), [0x3C]);
    assert_eq!(block("block { playerinfo; packetentities; }", &LMPC), [17, 0, 0, 0, 0, 0, 0, 18, 0, 0]);
    assert_eq!(
        compiled(b"betweenblock; endblock; block { nop; }"),
        b"\0\0\0\0\xff\xff\xff\xff\x01\0\0\0\x06"
    );
    // A comment without an end of its line.
    assert_eq!(compiled(b"block { nop; } // no more"), b"\x01\0\0\0\x06");
}

/// A compiled text is printed again in the same words, for all forms of numbers.
#[test]
fn text_of_a_compiled_text_is_canonical() {
    let Some(folder) = corpus() else { return };
    for (text, _) in TEXTS {
        let text = fs::read(folder.join("lmpc-text").join(text)).unwrap();
        let ours = text_of(&compiled(&text));
        assert!(text_of(&compiled(&ours)) == ours);
    }
}
