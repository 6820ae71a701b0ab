//! Nothing is lost: for any bytes, the text compiles to the same bytes.

use crate::common::{Random, real_recordings, same, scribe_samples, stored_samples, text_with, try_compile};
use moviola_text::{CompileOptions, DecompileOptions};

/// The ways of printing that keep every byte.
fn ways() -> [DecompileOptions; 3] {
    let plain = DecompileOptions::default();
    [
        plain.clone(),
        DecompileOptions { bare: true, ..plain.clone() },
        DecompileOptions { offsets: true, source: Some("a\nb\u{e9}.dem".into()), ..plain },
    ]
}

#[track_caller]
fn comes_back(name: &str, recording: &[u8], options: &DecompileOptions) -> Vec<u8> {
    let text = text_with(recording, options);
    let again = try_compile(&text, &CompileOptions::default()).unwrap_or_else(|mistakes| {
        panic!("{name} {:02x?}\n{}", &recording[..recording.len().min(200)], crate::common::shown(&mistakes))
    });
    same(name, &again, recording);
    text
}

/// Checks the properties of every text.
#[track_caller]
fn is_tidy(name: &str, text: &[u8]) {
    let text = std::str::from_utf8(text).unwrap();
    assert!(text.is_ascii(), "{name}: not ASCII");
    assert!(text.is_empty() || text.ends_with('\n'), "{name}: the last line has no end");
    for line in text.lines() {
        assert!(line.trim_end() == line, "{name}: blanks at the end of {line:?}");
        assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{name}: {line:?}");
        let code = without_strings_and_comments(line);
        for word in code.split([' ', ';']) {
            let number =
                word.starts_with(|it: char| it.is_ascii_digit() || it == '-') && !word.starts_with("0x");
            assert!(!number || !word.contains(['e', 'E']), "{name}: an exponent in {line:?}");
        }
    }
}

fn without_strings_and_comments(line: &str) -> String {
    let (mut code, mut quoted, mut escaped) = (String::new(), false, false);
    for letter in line.chars() {
        match letter {
            '"' if !escaped => quoted = !quoted,
            _ if !quoted => code.push(letter),
            _ => {}
        }
        escaped = quoted && letter == '\\' && !escaped;
    }
    code.split("//").next().unwrap_or_default().to_string()
}

fn every_way(name: &str, recording: &[u8]) {
    for way in ways() {
        let text = comes_back(name, recording, &way);
        is_tidy(name, &text);
    }
}

#[test]
fn recordings_made_from_the_documents() {
    for (name, recording) in scribe_samples() {
        every_way(&name, &recording);
    }
}

#[test]
fn recordings_of_the_repository() {
    for (name, recording) in stored_samples() {
        every_way(&name, &recording);
    }
}

#[test]
fn real_recordings_come_back() {
    for (number, (name, recording)) in real_recordings().into_iter().enumerate() {
        // Small recordings with two sets of options, large ones with one.
        let which = if recording.len() < 200_000 { 0..2 } else { number % 2..number % 2 + 1 };
        for way in &ways()[which] {
            comes_back(&name, &recording, way);
        }
    }
}

#[test]
fn noise() {
    let mut random = Random(7);
    for round in 0..60_000 {
        let length = if round < 6500 { round / 100 } else { random.below(400) };
        let mut bytes = random.bytes(length);
        // Small numbers and marks turn random bytes into blocks.
        for byte in &mut bytes {
            match random.below(3) {
                0 => *byte &= 0x1F,
                1 => *byte = *[0, 0, 0xFF, b'\n', 0x80].get(usize::from(*byte) % 5).unwrap(),
                _ => {}
            }
        }
        comes_back("noise", &bytes, &ways()[round % 3]);
    }
}

/// Random bytes after the start of a game's block.
#[test]
fn noise_in_blocks() {
    let mut random = Random(8);
    let levels = levels();
    for round in 0..20_000 {
        let length = random.below(200);
        let noise = random.bytes(length);
        let (quake, start) = &levels[round % levels.len()];
        let mut recording = start.clone();
        recording.extend_from_slice(&(noise.len() as u32).to_le_bytes());
        if *quake {
            recording.extend_from_slice(&random.bytes(12));
        }
        recording.extend_from_slice(&noise);
        comes_back("a block of noise", &recording, &ways()[round % 3]);
    }
}

/// The starts of recordings of every protocol, up to the first block that announces it.
fn levels() -> Vec<(bool, Vec<u8>)> {
    let mut all = vec![(true, b"-1\n".to_vec()), (false, Vec::new())];
    for protocol in [15, 250, 666, 668, 999, 10000, 10001, 10002] {
        for flags in [0u32, 0x82, 0x14, 0x0A].iter().take(if protocol == 999 { 4 } else { 1 }) {
            let mut block = vec![11];
            block.extend_from_slice(&i32::to_le_bytes(protocol));
            if protocol == 999 {
                block.extend_from_slice(&flags.to_le_bytes());
            }
            block.extend_from_slice(b"\x01\x00title\0maps/e1m1.bsp\0\0\0");
            let mut start = b"-1\n".to_vec();
            start.extend_from_slice(&(block.len() as u32).to_le_bytes());
            start.extend_from_slice(&[0; 12]);
            start.extend_from_slice(&block);
            all.push((true, start));
        }
    }
    for protocol in [26i32, 31, 34] {
        for isdemo in [1, 2, 0x80] {
            let mut block = vec![12];
            block.extend_from_slice(&protocol.to_le_bytes());
            block.extend_from_slice(&[0, 0, 0, 0, isdemo, 0, 0, 0, b'x', 0]);
            let mut start = (block.len() as u32).to_le_bytes().to_vec();
            start.extend_from_slice(&block);
            all.push((false, start));
        }
    }
    all
}

/// Recordings cut at every length; large ones at a limited number of lengths.
#[test]
fn cut_recordings() {
    for (name, recording) in scribe_samples() {
        let step = (recording.len() / 120).max(1);
        for end in (0..recording.len()).step_by(step) {
            comes_back(&format!("{name} up to {end}"), &recording[..end], &ways()[end % 3]);
        }
    }
}

#[test]
fn changed_recordings() {
    let mut random = Random(9);
    for (name, recording) in scribe_samples() {
        let mut changed = recording.clone();
        if recording.is_empty() {
            continue;
        }
        for round in 0..120 {
            let at = random.below(recording.len());
            changed[at] = match round % 4 {
                0 => changed[at] ^ 1 << random.below(8),
                1 => [0, 0xFF, 0x7F, 0x80][random.below(4)],
                2 => changed[at].wrapping_add(1),
                _ => random.next() as u8,
            };
            comes_back(&format!("{name}, byte {at} changed"), &changed, &ways()[round % 3]);
            if round % 3 != 0 {
                changed[at] = recording[at];
            }
        }
    }
}

/// Nehahra's transparency behind a flag word that differs from the fields: alone, its bytes could be another
/// engine's.
#[test]
fn transparency_after_a_mask() {
    for mark in ["159.0 nan(0x7FC01234)", "nan(0xFFFFFF00) 0.000000000000000000000000000000000000004775803"] {
        let fields = "entity 0; modelindex 61; effects 35; angles_1 0.0; origin_y 0.0; angles_2 0.0; origin_z 0.0; new;";
        let update = format!("{fields} transparency {mark}; mask 0xE53D;");
        let text = format!("track \"-1\\n\";\nblock {{ camera 0.0 0.0 0.0; updateentity {{ {update} }} }}\n");
        let recording = crate::common::compiled(text.as_bytes());
        comes_back(mark, &recording, &DecompileOptions::default());
    }
}

/// A compiled recording is recognized again, even if its first block is longer than an engine's.
#[test]
fn a_first_block_can_be_long() {
    for (start, line) in [
        ("track \"-1\\n\"; block { camera 0 0 0;", "print \"a long line\\n\";"),
        ("block { camera 0 0 0;", "print \"a long line\\n\";"),
        ("block {", "print { level 2; string \"a long line\\n\"; }"),
    ] {
        for lines in [4000, 6000, 60_000] {
            let text = format!("{start}\n{}}}\n", format!("{line}\n").repeat(lines));
            let recording = crate::common::compiled(text.as_bytes());
            let again = comes_back(start, &recording, &DecompileOptions::default());
            assert!(again.windows(11).any(|it| it == b"a long line"), "{start}: {lines} lines are raw");
        }
    }
}
