//! Replacing a block by its own text changes nothing, and replacing it by another text changes only this block.

use moviola_edit::{EditCode, Error, Replace, Script, rewrite};
use moviola_format::{Demo, Piece};
use moviola_text::{DecompileOptions, decompile};

/// The text of one block in the form that a line of a script has.
fn text_of(recording: &[u8], block: u64) -> String {
    let options = DecompileOptions { blocks: Some((block, block)), ..DecompileOptions::default() };
    let mut text = Vec::new();
    decompile(recording, &mut text, &options).unwrap();
    String::from_utf8(text).unwrap()
}

fn replaced(recording: &[u8], block: u64, text: &str) -> Result<Vec<u8>, Error> {
    let line = Replace::line(block, text);
    let script = Script::parse(&line).unwrap();
    let [_, place, text] = script.lines()[0].words().collect::<Vec<_>>()[..] else { panic!("{line}") };
    let mut edited = Vec::new();
    rewrite(recording, &mut Replace::parse(place, text).unwrap(), &mut edited)?;
    Ok(edited)
}

fn blocks(recording: &[u8]) -> u64 {
    let mut demo = Demo::new(recording).unwrap();
    let mut blocks = 0;
    while let Some(piece) = demo.next_piece().unwrap() {
        blocks += u64::from(matches!(piece, Piece::Block(_)));
    }
    blocks
}

#[test]
fn the_text_of_a_block_gives_the_same_block() {
    let mut tried = 0;
    for sample in moviola_scribe::samples() {
        let recording = &sample.bytes[..];
        if Demo::new(recording).unwrap().game().is_none() {
            continue;
        }
        let all = blocks(recording);
        for block in (0..all).step_by(1 + all as usize / 40) {
            let text = text_of(recording, block);
            // A block that was cut off has a length that only the end of the file explains.
            if text.contains("length") {
                continue;
            }
            let same = replaced(recording, block, &text);
            let same = same.unwrap_or_else(|error| panic!("{} #{block}: {error}\n{text}", sample.name));
            let differs = same.iter().zip(recording).position(|(one, other)| one != other);
            let sizes = [same.len(), recording.len()];
            assert!(
                same == recording,
                "{} #{block} of {all}: other bytes at {differs:?} of {sizes:?}\n{text}",
                sample.name
            );
            tried += 1;
        }
    }
    assert!(tried > 500, "only {tried} blocks were tried");
}

#[test]
fn another_text_changes_this_block_alone() {
    let sample = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap();
    let recording = &sample.bytes[..];
    let two = "block { camera 0.0 90.0 0.0; nop; } // and another\nblock { camera 0.0 0.0 0.0; print \"// \\\" '\"; }";
    let edited = replaced(recording, 3, two).unwrap();
    assert_eq!(blocks(&edited), blocks(recording) + 1);
    for (at, other) in [(0, 0), (2, 2), (4, 5)] {
        let text =
            |recording: &[u8], block| text_of(recording, block).split_once(" camera").unwrap().1.to_owned();
        assert_eq!(text(recording, at), text(&edited, other));
    }
    assert!(text_of(&edited, 4).contains(r#"print "// \" '";"#), "{}", text_of(&edited, 4));
}

#[test]
fn mistakes_have_their_place_in_the_line() {
    let sample = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap();
    let text = "block { camera 0.0 90.0 0.0; nopp; }";
    let Err(Error::Mistakes(found)) = replaced(&sample.bytes, 3, text) else {
        panic!("nopp is not a message")
    };
    let script = Script::parse(&Replace::line(3, text)).unwrap();
    let placed = script.lines()[0].place(found[0].clone());
    assert_eq!(
        (placed.code, placed.source.get(placed.column - 1..placed.column + 3)),
        (EditCode::BlockText, Some("nopp"))
    );
    let none = replaced(&sample.bytes, 1 << 40, text).unwrap_err();
    assert_eq!(none.to_string(), "there is no block #1099511627776");
}
