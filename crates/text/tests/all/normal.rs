//! The effect of LMPC's options on recordings and texts.

use crate::common::{compiled, same, scribe_samples, stored_samples, text_with, try_compile};
use moviola_text::*;

const LMPC: CompileOptions = CompileOptions { lmpc: true, limit: 20 };

fn normal_text(recording: &[u8]) -> Vec<u8> {
    text_with(recording, &DecompileOptions { normal: true, ..DecompileOptions::default() })
}

/// A recording written in LMPC's form equals its compiled text, whether messages are copied or not.
#[test]
fn copied_messages_are_those_of_the_text() {
    let mut changed = 0;
    for (name, recording) in scribe_samples().into_iter().chain(stored_samples()) {
        let mut normal = Vec::new();
        normalize(&recording[..], &mut normal).unwrap();
        let Ok(through_text) = try_compile(&normal_text(&recording), &LMPC) else { continue };
        same(&name, &normal, &through_text);
        changed += usize::from(normal != recording);
    }
    assert!(changed > 2, "only {changed} recordings are not as LMPC writes them");
}

/// LMPC took every protocol for 15: in its texts, messages that another protocol encodes differently are
/// bytes, which it writes unchanged.
#[test]
fn other_protocols_come_back_from_their_texts() {
    let serverinfo = "serverinfo { serverversion 999; protocolflags 132; maxclients 1; multi 0; mapname \"\"; models \"a\"; sounds \"b\"; }";
    let text = format!(
        "track \"-1\\n\";\nblock {{ camera 0 0 0; {serverinfo} }}\n\
         block {{ camera 0 0 0; setangle 1.5 2.5 3.5; bf; particle {{ origin 1 2 3; vel 0 0 0; count 1; color 2; }} }}\n"
    );
    let recording = compiled(text.as_bytes());
    let text = String::from_utf8(normal_text(&recording)).unwrap();
    assert!(text.contains("unknown") && !text.contains("setangle 1.5"), "{text}");
    same("999", &try_compile(text.as_bytes(), &LMPC).unwrap(), &recording);
}

/// LMPC reads a text as protocol 15 even if the text names another protocol.
#[test]
fn lmpc_reads_all_texts_as_protocol_15() {
    let text = "track \"-1\\n\";\nblock { camera 0.0 0.0 0.0; \
                serverinfo { serverversion 10000; maxclients 1; multi 0; mapname \"x\"; models \"a\"; sounds \"b\"; } }\n\
                block { camera 0.0 0.0 0.0; updateentity { entity 5; modelindex 3; } }\n";
    let size = |recording: Vec<u8>| recording.len();
    let as_lmpc = size(try_compile(text.as_bytes(), &LMPC).unwrap());
    let told = compile(text.as_bytes(), Vec::new(), &LMPC).unwrap().warnings;
    assert!(
        told.iter().any(|it| it.code == TextCode::UnknownToLmpc && it.message.contains("10000")),
        "{told:?}"
    );
    assert_eq!(size(compiled(text.as_bytes())), as_lmpc + 1, "a model takes two bytes in 10000");
    let made = compile(
        ["// source: DEM binary file x.dem\n", text].concat().as_bytes(),
        Vec::new(),
        &CompileOptions::default(),
    );
    assert!(made.unwrap().warnings.iter().any(|it| it.code == TextCode::UnknownToLmpc));
}

/// If the first line of a recording has no end and continues through the first block, all of its bytes are
/// kept.
#[test]
fn a_header_that_swallows_a_block_is_kept() {
    let header = b"-1 L\0\0\0\0old\0\x02\n";
    let recording = [&header[..], b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02"].concat();
    same("header", &try_compile(&normal_text(&recording), &LMPC).unwrap(), &recording);
}

#[test]
fn vectors_are_printed_in_lmpcs_order() {
    let text = "track \"-1\\n\";\nblock { camera 0 0 0; updateentity { entity 5; origin_x 1; angles_1 0; origin_y 2; \
                angles_2 45; origin_z 3; angles_3 90; } }\n";
    let printed = String::from_utf8(normal_text(&compiled(text.as_bytes()))).unwrap();
    let at = |name: &str| printed.find(name).unwrap_or_else(|| panic!("no {name} in {printed}"));
    let names = ["entity 5", "origin_x", "origin_y", "origin_z", "angles_1", "angles_2", "angles_3"];
    assert!(names.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{printed}");
}

#[test]
fn a_block_at_which_lmpc_crashes_is_left_out() {
    for (length, is_expressible) in [(0xFFFF, true), (0x1_0000, false)] {
        let block = [&(length as u32).to_le_bytes()[..], &[0; 12], &vec![1; length]].concat();
        let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
        let summary = decompile(&[b"-1\n", &block[..]].concat()[..], Vec::new(), &options).unwrap();
        assert_eq!(summary.omissions.is_empty(), is_expressible, "{length}");
    }
}

#[test]
fn damage_is_reported_with_its_reason() {
    let block = [&[2, 0, 0, 0][..], &[0; 12], &[1, 0x3C]].concat();
    let recording = [b"-1\n", &block[..], b"\x05\0"].concat();
    let mut text = Vec::new();
    let summary = decompile(&recording[..], &mut text, &DecompileOptions::default()).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(
        (summary.damaged, summary.damage.as_ref().map(|it| it.0), summary.outside),
        (1, Some(0), 2),
        "{text}"
    );
    assert!(
        text.contains(" raw 0x3C; // ") && text.contains("raw 0x05 0x00; // these bytes are not a block"),
        "{text}"
    );
    same("damaged", &compiled(text.as_bytes()), &recording);
}
