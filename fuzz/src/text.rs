//! The text language: any bytes as a text, as a recording, and as entropy for messages.

use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::{Context, Dialect, Mvd2, Quake, Quake2, mvd2, write_message};
use moviola_text::{
    Arena, CompileError, CompileOptions, DecompileOptions, compile, decompile, parse_message, print_message,
};

/// Any text gives a recording or mistakes, never a panic; a resulting recording survives the conversion to text and
/// back.
pub fn text_any(text: &[u8]) {
    for lmpc in [false, true] {
        let mut recording = Vec::new();
        match compile(text, &mut recording, &CompileOptions { lmpc, ..CompileOptions::default() }) {
            Ok(compiled) => {
                assert_eq!(compiled.bytes, recording.len() as u64);
                comes_back(&recording);
            }
            Err(CompileError::Mistakes(mistakes)) => {
                assert!(!mistakes.is_empty() && mistakes.len() <= CompileOptions::default().limit);
                for mistake in mistakes {
                    assert!(mistake.offset.is_some_and(|offset| offset <= text.len() as u64));
                    assert!(mistake.line >= 1 && mistake.column >= 1);
                }
            }
            Err(CompileError::Io(why)) => panic!("{why}"),
        }
    }
}

fn comes_back(recording: &[u8]) {
    let (mut text, mut again) = (Vec::new(), Vec::new());
    decompile(recording, &mut text, &DecompileOptions::default()).expect("memory can be written");
    if let Err(why) = compile(&text[..], &mut again, &CompileOptions::default()) {
        panic!("{why:?}\n{}", String::from_utf8_lossy(&text));
    }
    assert!(again == recording, "other bytes came back from\n{}", String::from_utf8_lossy(&text));
}

/// The text of any bytes as a recording compiles to the same bytes.
pub fn text_round_trip(recording: &[u8]) {
    // The length chooses, so that the recording is all of the input.
    let options = DecompileOptions {
        bare: recording.len().is_multiple_of(2),
        offsets: recording.len().is_multiple_of(3),
        ..DecompileOptions::default()
    };
    let (mut text, mut again) = (Vec::new(), Vec::new());
    decompile(recording, &mut text, &options).expect("memory can be written");
    assert!(text.is_ascii());
    if let Err(why) = compile(&text[..], &mut again, &CompileOptions::default()) {
        panic!("{why:?}\n{}", String::from_utf8_lossy(&text));
    }
    assert!(again == recording, "other bytes came back from\n{}", String::from_utf8_lossy(&text));
}

const QUAKE: [i32; 9] = [0, 15, 15, 250, 666, 668, 999, 10000, 10002];

/// The text of messages made from arbitrary bytes compiles to the same messages, alone and as a block.
pub fn text_structured(input: &[u8]) {
    let Some((&[which, more], entropy)) = input.split_first_chunk() else { return };
    if which & 1 == 0 {
        let mut context = Context::quake();
        let protocol = QUAKE[usize::from(which >> 1) % QUAKE.len()];
        if protocol != 0 {
            context.set_quake_protocol(protocol, u32::from(more) & 0x9E);
        }
        both_ways::<Quake>(entropy, context);
    } else if which & 2 == 0 && more & 1 != 0 {
        both_ways::<Mvd2>(entropy, Context { protocol: mvd2::PROTOCOL, mvd: true, ..Context::quake2() });
    } else {
        let mut context = Context::quake2();
        if which & 2 != 0 {
            context.set_quake2_protocol(26 + i32::from(which >> 2) % 9, more);
        }
        both_ways::<Quake2>(entropy, context);
    }
}

fn both_ways<D: Dialect>(entropy: &[u8], context: Context) {
    let (kept, arena) = (EntropyBytes::default(), Arena::default());
    if let Ok((message, _)) = Entropy::new(entropy, &kept, context).any_message::<D::Message<'_>>() {
        let text = print_message::<D>(&message, &context);
        let again: D::Message<'_> = match parse_message::<D>(text.as_bytes(), &context, &arena) {
            Ok(again) => again,
            Err(mistakes) => panic!("{mistakes:?}\n{text}"),
        };
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        write_message(&again, &mut found, &context);
        write_message(&message, &mut expected, &context);
        assert!(found == expected, "other bytes came back from\n{text}");
    }
    let mut block = Vec::new();
    Entropy::new(entropy, &kept, context).block::<D>(&mut block);
    let mut recording = (block.len() as u32).to_le_bytes().to_vec();
    if D::MVD2 {
        let Ok(length @ 1..) = u16::try_from(block.len()) else { return };
        recording = [&b"MVD2"[..], &length.to_le_bytes()].concat();
    }
    if D::GAME == moviola_format::Game::Quake {
        recording = [b"-1\n", &recording[..], &[0; 12]].concat();
    }
    recording.extend_from_slice(&block);
    let (mut text, mut again) = (Vec::new(), Vec::new());
    decompile(&recording[..], &mut text, &DecompileOptions::default()).expect("memory can be written");
    if let Err(why) = compile(&text[..], &mut again, &CompileOptions::default()) {
        panic!("{why:?}\n{}", String::from_utf8_lossy(&text));
    }
    assert!(again == recording, "other bytes came back from\n{}", String::from_utf8_lossy(&text));
}
