//! Formatting keeps every comment in any place, and does not change decompiled texts.

use crate::common::{compiled, same, scribe_samples, text_with};
use moviola_format::{Game, Message as _, dem, dm2, sniff};
use moviola_text::{CompileError, CompileOptions, Compiled, DecompileOptions, compile, format};

fn formatted(text: &str) -> String {
    let mut out = Vec::new();
    format(text.as_bytes(), &mut out).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    String::from_utf8(out).unwrap()
}

/// The places where tokens begin, and the end of the text. The texts are canonical: blanks, braces and `;`
/// separate tokens.
fn gaps(text: &str) -> Vec<usize> {
    let (mut gaps, mut quoted, mut inside) = (Vec::new(), false, false);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let escaped = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
        match byte {
            b'"' if !(quoted && escaped) => {
                if !quoted {
                    gaps.push(at);
                }
                quoted = !quoted;
                inside = false;
            }
            _ if quoted => {}
            b' ' | b'\n' => inside = false,
            b';' | b'{' | b'}' => {
                gaps.push(at);
                inside = false;
            }
            _ if !inside => {
                gaps.push(at);
                inside = true;
            }
            _ => {}
        }
    }
    gaps.push(bytes.len());
    gaps
}

fn with_comments(text: &str, gaps: &[usize], own_line: bool) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for (number, gap) in gaps.iter().enumerate() {
        out += &text[from..*gap];
        out += if own_line { "\n" } else { " " };
        out += &format!("// <{number}>\n");
        from = *gap;
    }
    out + &text[from..]
}

/// The comments of a text; never two in one line.
fn comments(text: &str) -> Vec<usize> {
    text.lines()
        .filter_map(|line| {
            let (_, comment) = line.split_once("// <")?;
            assert!(!comment.contains("// <"), "two in one line: {line}");
            comment.split('>').next()?.parse().ok()
        })
        .collect()
}

#[test]
fn every_comment_of_every_gap_survives_in_order() {
    let bare = DecompileOptions { bare: true, ..DecompileOptions::default() };
    for (name, recording) in scribe_samples() {
        let mut text = String::from_utf8(text_with(&recording, &bare)).unwrap();
        if text.len() > 200_000 {
            text.truncate(text[..200_000].rfind("\n}\n").unwrap() + 3);
        }
        let recording = compiled(text.as_bytes());
        let all = gaps(&text);
        for own_line in [false, true] {
            for step in [1, 2, 3] {
                let some: Vec<usize> = all.iter().copied().skip(step - 1).step_by(step).collect();
                let commented = with_comments(&text, &some, own_line);
                let tidy = formatted(&commented);
                let expected: Vec<usize> = (0..some.len()).collect();
                assert_eq!(comments(&tidy), expected, "{name}, step {step}, own line: {own_line}");
                same(&name, &compiled(tidy.as_bytes()), &recording);
                assert!(formatted(&tidy) == tidy, "{name}: formatting twice");
            }
        }
    }
}

#[test]
fn decompiled_text_is_already_formatted() {
    let plain = DecompileOptions::default();
    let with_offsets = DecompileOptions { offsets: true, source: Some("a.dem".into()), ..plain.clone() };
    for (name, recording) in scribe_samples() {
        for options in [&plain, &with_offsets] {
            let text = String::from_utf8(text_with(&recording, options)).unwrap();
            let tidy = formatted(&text);
            let differs = text.lines().zip(tidy.lines()).find(|(a, b)| a != b);
            assert!(text == tidy, "{name}: {differs:?}");
        }
    }
}

#[test]
fn offsets_are_those_of_the_messages() {
    let options = DecompileOptions { offsets: true, ..DecompileOptions::default() };
    let mut seen = 0;
    for (name, recording) in scribe_samples() {
        let rows = match sniff(&recording, true).game() {
            Some(Game::Quake) => dem::Message::SCHEMA,
            Some(Game::Quake2) => dm2::Message::SCHEMA,
            Some(Game::QuakeWorld) | None => continue,
        };
        let text = String::from_utf8(text_with(&recording, &options)).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for pair in lines.windows(2) {
            let Some(offset) = pair[0].strip_prefix("// 0x") else { continue };
            let word = pair[1].split([' ', ';']).next().unwrap();
            let at = usize::from_str_radix(offset, 16).unwrap();
            // Only the updates of Quake's entities have several ids, whose bits are flags.
            if let Some(row) = rows.iter().find(|row| row.name == word && row.name != "updateentity") {
                assert_eq!(recording[at], row.op, "{name}: {word} at {at:#x}");
                seen += 1;
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}

#[test]
fn comments_stay_where_they_are_put() {
    for (written, expected) in [
        ("block // a\n{ nop; }\n", "block { // a\n nop;\n}\n"),
        ("block // a\n{ // b\n nop; }\n", "// a\nblock { // b\n nop;\n}\n"),
        ("block {\n setpause 1 // a\n ; // b\n}\n", "block {\n // a\n setpause 1; // b\n}\n"),
        ("block {\n nop; // a\n // b\n} // c\n", "block {\n nop; // a\n // b\n} // c\n"),
        // A field moves with its comments.
        (
            "block { camera 0 0 0;\n updatefrags { // m\n // f\n frags 1; // g\n // p\n player 2; // q\n // e\n } // z\n}\n",
            "block {\n camera 0.0 0.0 0.0;\n updatefrags { // m\n  // p\n  player 2; // q\n  // f\n  frags 1; // g\n  // e\n } // z\n}\n",
        ),
        // Removed braces leave their comments behind.
        ("block { playerinfo { // a\n // b\n } // c\n}\n", "block {\n // a\n // b\n playerinfo; // c\n}\n"),
    ] {
        let text = written.replace("setpause 1", "centerprint \"x\"");
        let expected = expected.replace("setpause 1", "centerprint \"x\"");
        let tidy = formatted(&text);
        assert_eq!(tidy, expected);
        assert_eq!(formatted(&tidy), tidy);
    }
}

/// A text that cannot be compiled has the same mistakes, in the same order, when it is formatted.
#[test]
fn mistakes_are_those_of_compiling() {
    let text = "track \"x\";\nblock {\n damage {\n  orgin 1 2 3;\n  save 300;\n  take 1;\n }\n pirnt \"a\";\n}\n}\nblock\n";
    let mistakes = |outcome: Result<Compiled, CompileError>| match outcome {
        Err(CompileError::Mistakes(mistakes)) => mistakes,
        other => panic!("{other:?}"),
    };
    let mut out = Vec::new();
    let found = mistakes(format(text.as_bytes(), &mut out));
    let compiled = compile(text.as_bytes(), &mut Vec::new(), &CompileOptions::default());
    assert_eq!(found, mistakes(compiled));
    assert!(found.len() > 3 && out.is_empty());
}

/// A text longer than one read, with parts that end anywhere.
#[test]
fn long_texts_stay_unchanged() {
    let block = concat!(
        "block { // a comment\n camera 0.0 90.0 0.0;\n\n // another\n // and one\n time 1.5s; // of the game\n",
        " damage { // it hurts\n  save 5;\n  take 10; // more\n  // from where\n  origin 1.0 2.0 3.0;\n }\n",
        " // at the end\n}\n\n// between\n// blocks\n"
    );
    let long = |start: &str| format!("{start}// {}\n", "a long comment ".repeat(200_000).trim_end());
    let texts = [
        format!("track \"-1\\n\";\n{}", block.repeat(20_000)),
        format!("// the first\ntrack \"-1\\n\";\n{}", "block {\n camera 0.0 0.0 0.0;\n}\n".repeat(100_000)),
        format!("block {{\n camera 0.0 0.0 0.0;\n{}}}\n", " // said\n\n nop; // here\n".repeat(200_000)),
        format!(
            "{}\n{}block {{\n camera 0.0 0.0 0.0;\n{}\n nop;\n}}\n{}",
            long(""),
            long(""),
            long(" "),
            long("")
        ),
    ];
    for text in texts {
        let mut out = Vec::new();
        moviola_text::format(text.as_bytes(), &mut out).unwrap();
        let differs =
            out.iter().zip(text.bytes()).position(|(a, b)| *a != b).unwrap_or(out.len().min(text.len()));
        let around = |text: &[u8]| {
            let part = &text[differs.saturating_sub(60)..text.len().min(differs + 60)];
            String::from_utf8_lossy(part).into_owned()
        };
        assert!(out == text.as_bytes(), "{}\nwas\n{}", around(&out), around(text.as_bytes()));
    }
    // Any number of empty lines.
    let mut out = Vec::new();
    let blank = format!("block {{ camera 0 0 0; }}{}nop_", " \n".repeat(2_000_000))
        .replace("nop_", "block { camera 0 0 0; }");
    moviola_text::format(blank.as_bytes(), &mut out).unwrap();
    assert_eq!(out, b"block {\n camera 0.0 0.0 0.0;\n}\n\nblock {\n camera 0.0 0.0 0.0;\n}\n");
}
