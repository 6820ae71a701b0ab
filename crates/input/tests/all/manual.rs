//! The examples of the manual compile, are well formatted, and survive decompiling and compiling.

use moviola_input::{InputTextOptions, compile, decompile, format};
use std::io::Cursor;
use std::path::Path;

fn compiled(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    compile(text.as_bytes(), &mut bytes, Cursor::new(Vec::new())).unwrap();
    bytes
}

#[test]
fn examples_of_the_manual() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/text.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let examples: Vec<&str> =
        manual.split("```lmp\n").skip(1).map(|it| it.split("```").next().unwrap()).collect();
    assert!(examples.len() > 1);
    for example in examples {
        let (bytes, mut text, mut tidy) = (compiled(example), Vec::new(), Vec::new());
        decompile(&bytes[..], &mut text, &InputTextOptions::default()).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(compiled(&text), bytes);
        let mut tidied = Vec::new();
        format(text.as_bytes(), &mut tidied).unwrap();
        assert_eq!(String::from_utf8(tidied).unwrap(), text);
        let header = |text: &str| {
            text.split("DataStart").next().unwrap().split("HeaderStart").nth(1).unwrap().to_owned()
        };
        assert_eq!(header(&text), header(example));
        format(example.as_bytes(), &mut tidy).unwrap();
        assert_eq!(String::from_utf8(tidy).unwrap(), example);
    }
}
