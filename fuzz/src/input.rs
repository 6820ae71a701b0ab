//! The fuzz target `input`.

use moviola_input::{
    InputReport, InputSummary, InputTextOptions, compile, decompile, format, games, text_kind,
};
use std::io::Cursor;

/// Any bytes as an input recording, with or without a game that the first byte selects: their text compiles to the same
/// bytes, and the other readers accept them as well.
pub fn input(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let game = games().nth(usize::from(*choice)).map(str::to_owned);
    let options = InputTextOptions { game: game.clone(), ..InputTextOptions::default() };
    let (mut text, mut again) = (Vec::new(), Vec::new());
    decompile(bytes, &mut text, &options).expect("a recording has a text");
    assert!(text_kind(&text).is_some(), "a text that is not known as one");
    compile(&text[..], &mut again, Cursor::new(Vec::new())).expect("its own text compiles");
    assert!(again == bytes, "lost bytes");
    let summary = InputSummary::read(bytes, game.as_deref()).expect("a recording has a summary");
    assert_eq!(summary.bytes, bytes.len() as u64);
    drop(InputReport::of(&summary));
    // The bytes as a text: the compiler reports mistakes or makes a recording. A text with `*` is skipped, since its
    // repetitions can be very long.
    if !bytes.contains(&b'*') {
        drop(compile(bytes, &mut Vec::new(), Cursor::new(Vec::new())));
    }
    format(bytes, &mut Vec::new()).expect("a text is tidied");
}
