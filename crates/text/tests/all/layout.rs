//! A text means the same in every layout: the usual layout is read by the fast path, any other by the careful
//! one.

use moviola_text::{CompileOptions, DecompileOptions, compile, decompile};

#[test]
fn every_layout_compiles_to_the_same_bytes() {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
    let mut count = 0;
    for entry in std::fs::read_dir(samples).unwrap() {
        let path = entry.unwrap().path();
        if !path.extension().is_some_and(|it| it == "dem" || it == "dm2") {
            continue;
        }
        let recording = std::fs::read(&path).unwrap();
        for bare in [true, false] {
            let mut text = Vec::new();
            let options = DecompileOptions { bare, ..DecompileOptions::default() };
            decompile(&recording[..], &mut text, &options).unwrap();
            let text = String::from_utf8(text).unwrap();
            let mut layouts = vec![
                text.clone(),
                text.replace(";\n", " ;\n"),
                text.replace('\n', "\r\n"),
                text.replace(" {", "{"),
            ];
            if bare {
                layouts.push(text.replace('\n', " "));
            }
            for (number, layout) in layouts.iter().enumerate() {
                let mut back = Vec::new();
                compile(layout.as_bytes(), &mut back, &CompileOptions::default())
                    .unwrap_or_else(|error| panic!("{}, layout {number}: {error:?}", path.display()));
                assert!(back == recording, "{}, layout {number}", path.display());
            }
        }
        count += 1;
    }
    assert!(count >= 5, "{samples} has recordings");
}
