//! The reports about a recording that is printed in LMPC's language only.

use moviola_text::{CompileOptions, DecompileOptions, compile, decompile};

#[test]
fn a_clear_items_bit_is_printed_in_bytes() {
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
    let (mut recording, mut printed) = (Vec::new(), Vec::new());
    compile(text.as_bytes(), &mut recording, &CompileOptions::default()).unwrap();
    let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
    let summary = decompile(&recording[..], &mut printed, &options).unwrap();
    assert_eq!((summary.in_bytes, summary.omissions), (2, vec![]));
    let printed = String::from_utf8(printed).unwrap();
    let why = "unknown { // a flag word that LMPC would write otherwise: `clientdata`";
    assert!(!printed.contains("clientdata {") && printed.matches(why).count() == 2, "{printed}");
    let mut again = Vec::new();
    let lmpc = CompileOptions { lmpc: true, ..CompileOptions::default() };
    compile(printed.as_bytes(), &mut again, &lmpc).unwrap();
    assert!(again == recording);
}

/// The numbers of LMPC's lexer: a float has a point with a digit before it, a whole number has none.
#[test]
fn lmpc_reads_numbers_as_its_lexer_did() {
    let options = CompileOptions { lmpc: true, ..CompileOptions::default() };
    let numbers = |text: &str| {
        let text = format!("track \"\";\nblock {{ camera 0.0 0.0 0.0; {text} }}\n");
        compile(text.as_bytes(), &mut Vec::new(), &options).map_err(|error| format!("{error:?}"))
    };
    for good in [
        "setangle 1. -2.5 +5.0;",
        "setangle 1.5e1 1.5E+1 1.5e-1;",
        "setview 0x10;",
        "setview #5;",
        "updatefrags = { player 1; frags 5; }",
        "sound +{ soundnum 1; channel 1; entity 5; origin 1.0 2.0 3.0; }",
        "serverinfo { serverversion 15; maxclients 1; multi 0; mapname \"x\"; models \"a\" = \"b\"(; sounds; }",
        "time 90.5s;",
        "time 1.5;",
        "time 1:1.5m;",
        "time 1 : 02 : 1.25 h;",
        // Characters directly after a number, which end it.
        "setangle 0.0 1..  -45.5. ;",
        "setangle 1.0-2.0-3.0;",
        "setview 1(;",
        "setview 0x10.;",
        "setview 15+, ;",
        "setview --5 - ;",
        "time 1.5+s=;",
        "print +'\"a\"';",
        "print \u{201C}\"a\"\u{201D};",
        "updatefrags { player* 1; . frags 5;- } .",
        "unknown #{ id 1; data 0x02 #; +}",
        // LMPC's own spelling of floats that are not finite, which it could not read.
        "time -2147483648:-2147483648:nanh;",
        "time nan s;",
    ] {
        numbers(good).unwrap_or_else(|error| panic!("{good}: {error}"));
    }
    for bad in [
        "setangle 5 0.0 0.0;",
        "setangle .5 0.0 0.0;",
        "setangle 1e5 0.0 0.0;",
        "setangle 0x5A 0.0 0.0;",
        "time 5s;",
        "time .5s;",
        "time 1:1.5;",
        "time 1:1.5s;",
        "time 1.0:1.5m;",
        "time 1:1m;",
        "setview 5.0;",
        "setview 1e1;",
        "print \"\\400\";",
        "setview 1-5;",
        "setview 5x;",
        "setangle 1.5.5 0.0 0.0;",
        "setangle 1.0e5x 0.0 0.0;",
        "nop;;",
    ] {
        let error = numbers(bad).expect_err(bad);
        assert_eq!(error.matches("Diagnostic {").count(), 1, "{bad}: {error}");
        assert!(!error.contains("help: None"), "{bad}: {error}");
        if bad.contains(" .5") {
            assert!(error.contains("has no digit before its point"), "{bad}: {error}");
        }
    }
}
