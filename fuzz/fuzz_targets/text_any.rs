//! Any text gives a recording or mistakes, never a panic; a recording comes back through its own text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moviola_text::{CompileError, CompileOptions, DecompileOptions, compile, decompile};

fuzz_target!(|text: &[u8]| {
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
});

fn comes_back(recording: &[u8]) {
    let (mut text, mut again) = (Vec::new(), Vec::new());
    decompile(recording, &mut text, &DecompileOptions::default()).expect("memory can be written");
    if let Err(why) = compile(&text[..], &mut again, &CompileOptions::default()) {
        panic!("{why:?}\n{}", String::from_utf8_lossy(&text));
    }
    assert!(again == recording, "other bytes came back from\n{}", String::from_utf8_lossy(&text));
}
