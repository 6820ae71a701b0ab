//! Promise 1 on arbitrary bytes, through text: every recording, however odd, comes back byte by byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moviola_text::{CompileOptions, DecompileOptions, compile, decompile};

fuzz_target!(|recording: &[u8]| {
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
});
