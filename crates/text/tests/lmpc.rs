//! What is told of a recording when only LMPC's language may be used.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::naive_bytecount,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::excessive_precision,
    clippy::format_push_string,
    reason = "what fails in a test's helper fails the test"
)]

use moviola_text::{CompileOptions, DecompileOptions, compile, decompile};

#[test]
fn every_block_with_a_clear_items_bit_is_listed() {
    let state = "clientdata { health 100; currentammo 0; ammo_shells 0; ammo_nails 0; ammo_rockets 0; ammo_cells 0; \
                 weapon 1; }";
    let block = |what: &str| format!("block {{ camera 0 0 0; {what} }}\n");
    let text = format!(
        "track \"-1\\n\";\n{}{}{}{}",
        block(&format!("habit items_bit clear; {state}")),
        block("nop;"),
        block(state),
        block("disconnect;"),
    );
    let (mut recording, mut said) = (Vec::new(), Vec::new());
    compile(text.as_bytes(), &mut recording, &CompileOptions::default()).unwrap();
    let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
    let told = decompile(&recording[..], &mut said, &options).unwrap();
    let blocks: Vec<u64> = told.unsaid.iter().map(|(block, _)| *block).collect();
    assert_eq!(blocks, [0, 2]);
    assert!(!String::from_utf8(said).unwrap().contains("clientdata"));
}
