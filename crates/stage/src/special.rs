//! Two recordings from the old documents: one with all characters of Quake's font, one with a CD track that engines
//! read in two ways.
// not from SCHEMA, all words: the text is the language's own

use crate::scene::Stage;
use std::fmt::Write;

/// Bytes that no print shows: the end of a string, the two ends of a line, and the byte that the first
/// engines read as an end.
const UNSEEN: [u8; 4] = [0, b'\n', b'\r', 0xFF];

/// The text of a recording that shows all 252 letters of Quake's font, sixteen in a row, on the screen and on the
/// console.
///
/// ```
/// use moviola_stage::{Stage, qfont, record};
/// let recording = record(&qfont(&Stage::new("start").unwrap())).unwrap();
/// let shown = (1..255_u8).filter(|it| recording.windows(2).any(|pair| pair == [*it, it + 1])).count();
/// assert!(shown > 200);
/// ```
pub fn qfont(stage: &Stage) -> String {
    let rows: Vec<String> = (0..16_u8)
        .map(|row| {
            let letters = (0..16_u8).map(|column| row << 4 | column);
            letters.fold(String::new(), |mut text, letter| {
                let letter = if UNSEEN.contains(&letter) { b' ' } else { letter };
                // Writing into a string cannot fail.
                let _ = write!(text, "\\{letter:03o}");
                text
            })
        })
        .collect();
    let mut text = String::from("// All 252 letters of Quake's font, sixteen in a row.\n\n");
    stage.quake_film(&mut text, "-1", |moment| {
        let mut more = String::new();
        if moment == 0 {
            for (number, row) in rows.iter().enumerate() {
                // The number comes first, because a print that begins with character 1 or 2 has a special meaning.
                let _ = writeln!(more, " print \"{number:X}0 {row}\\n\";");
            }
        }
        if moment % 10 == 0 {
            let _ = writeln!(more, " centerprint \"{}\";", rows.join("\\n"));
        }
        more
    });
    text
}

/// The text of a recording whose CD track is 8 for players that read the first line with C's `fscanf`, as Quake did
/// up to 1.08, and 10 for those that read it digit by digit. Both play it.
///
/// ```
/// use moviola_stage::{Stage, cdtrack, record};
/// let recording = record(&cdtrack(&Stage::new("start").unwrap())).unwrap();
/// assert!(recording.starts_with(b"010\n"));
/// ```
pub fn cdtrack(stage: &Stage) -> String {
    let mut text = String::from(
        "// `fscanf(\"%i\")` takes a number that begins with 0 for an octal one: track 8. Read digit by digit it is 10.\n\n",
    );
    stage.quake_film(&mut text, "010", |moment| {
        let text = " centerprint \"This recording asks for a CD track\\nthat is 8 for Quake up to 1.08\\nand 10 from 1.09 on\";\n";
        if moment == 0 { text.to_owned() } else { String::new() }
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;
    use moviola_format::{Context, Demo, HeaderReader, Messages, Piece, Quake, dem};
    use std::collections::BTreeSet;

    #[test]
    fn all_letters_are_printed_and_shown() {
        let recording = record(&qfont(&Stage::new("start").unwrap())).unwrap();
        let mut demo = Demo::new(&recording[..]).unwrap();
        let (mut printed, mut shown) = (BTreeSet::new(), BTreeSet::new());
        let mut context = Context::quake();
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { continue };
            let mut messages = Messages::<Quake>::new(block.data, context);
            for entry in messages.by_ref() {
                match entry.message {
                    dem::Message::Print(it) => printed.extend(it.string.bytes().iter().skip(2).copied()),
                    dem::Message::CenterPrint(it) => shown.extend(it.string.bytes().iter().copied()),
                    _ => {}
                }
            }
            assert!(messages.rest().is_empty());
            context = *messages.context();
        }
        // The end of the line is counted too.
        assert_eq!((printed.len(), shown.len()), (253, 253));
    }

    #[test]
    fn the_track_is_read_in_two_ways() {
        // If the length of a block began with a blank, the first engines would not find the block.
        for length in 1..=50 {
            let recording = record(&cdtrack(&Stage::new(&"m".repeat(length)).unwrap())).unwrap();
            let readings = HeaderReader::ALL.map(|it| it.read(&recording).unwrap());
            assert_eq!(readings.map(|it| it.length), [4; 3]);
            assert_eq!(readings.map(|it| it.track), [Some(8), Some(10), Some(8)]);
        }
    }
}
