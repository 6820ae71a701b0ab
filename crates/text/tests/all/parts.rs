//! A part of a recording, as text, compiles to the bytes of that part, even if its first blocks depend on
//! earlier ones.

use crate::common::{compiled, real_recordings, same, scribe_samples, stored_samples};
use moviola_format::{Demo, Game, Piece};
use moviola_text::{DecompileOptions, decompile};
use std::collections::BTreeSet;

fn part(recording: &[u8], options: &DecompileOptions) -> Vec<u8> {
    let mut text = Vec::new();
    decompile(recording, &mut text, options).unwrap();
    text
}

/// The recording with only these blocks, and the pieces after them that are not blocks.
fn cut(recording: &[u8], wanted: impl Fn(u64) -> bool) -> Vec<u8> {
    let mut demo = Demo::new(recording).unwrap();
    let game = demo.game().unwrap_or(Game::Quake2);
    let (mut out, mut number, mut inside) = (Vec::new(), 0, wanted(0));
    while let Some(piece) = demo.next_piece().unwrap() {
        let keep = match piece {
            Piece::Block(_) => {
                inside = wanted(number);
                number += 1;
                inside
            }
            Piece::Raw(_) => inside,
            Piece::Header(_) | Piece::End | Piece::EndOfMvd2 => true,
        };
        if keep {
            piece.write(game, &mut out).unwrap();
        }
    }
    out
}

fn blocks(recording: &[u8]) -> u64 {
    let mut demo = Demo::new(recording).unwrap();
    let mut count = 0;
    while let Some(piece) = demo.next_piece().unwrap() {
        count += u64::from(matches!(piece, Piece::Block(_)));
    }
    count
}

#[test]
fn parts_compile_to_their_bytes() {
    let mut reminded = BTreeSet::new();
    for (name, recording) in scribe_samples().into_iter().chain(stored_samples()).chain(real_recordings()) {
        if recording.len() > 1_500_000 {
            continue;
        }
        let count = blocks(&recording);
        let long = if recording.len() < 300_000 { u64::MAX } else { count / 2 + 40 };
        let last = count.saturating_sub(2);
        for (number, (from, to)) in
            [(1, 1), (2, long), (count / 3, count / 3 + 3), (count / 2, long), (last, count)]
                .into_iter()
                .enumerate()
        {
            let options =
                DecompileOptions { blocks: Some((from, to)), bare: number % 2 == 0, ..Default::default() };
            let text = part(&recording, &options);
            let expected = cut(&recording, |number| from <= number && number <= to);
            same(&format!("{name}, blocks {from} to {to}"), &compiled(&text), &expected);
            let text = String::from_utf8(text).unwrap();
            let protocols = text.lines().filter_map(|line| line.strip_prefix(" protocol "));
            reminded.extend(protocols.map(|line| line.split(';').next().unwrap_or_default().to_owned()));
        }
    }
    for protocol in ["666", "668", "999 8", "10002", "26"] {
        assert!(reminded.contains(protocol), "no part was of protocol {protocol}: {reminded:?}");
    }
}

#[test]
fn spans_of_time_compile_to_their_bytes() {
    let mut jumps = 0;
    for (name, recording) in stored_samples().into_iter().chain(real_recordings()) {
        if recording.len() > 1_000_000 || !name.to_ascii_lowercase().ends_with(".dem") {
            continue;
        }
        for span in [(3.0, 5.0), (10.0, 30.0)] {
            let text = part(&recording, &DecompileOptions { time: Some(span), ..Default::default() });
            let printed = String::from_utf8(text.clone()).unwrap();
            let numbers: BTreeSet<u64> = printed
                .lines()
                .filter_map(|line| line.strip_prefix("block { // ")?.split(',').next()?.parse().ok())
                .collect();
            jumps += usize::from(numbers.iter().zip(numbers.iter().skip(1)).any(|(a, b)| a + 1 != *b));
            let mut expected = cut(&recording, |number| numbers.contains(&number));
            // The wanted times are before all blocks, which raw bytes may follow.
            if numbers.is_empty() {
                expected = compiled(&text);
            }
            same(&format!("{name}, {span:?}"), &compiled(&text), &expected);
        }
    }
    assert!(jumps > 0 || crate::common::corpus().is_none(), "no span has a part of two levels");
}

/// The text of a whole recording without a protocol contains no `protocol` statement.
#[test]
fn whole_recordings_need_no_reminder() {
    for (name, recording) in scribe_samples().into_iter().chain(stored_samples()) {
        let text = String::from_utf8(part(&recording, &DecompileOptions::default())).unwrap();
        assert!(!text.contains("\n protocol "), "{name}");
    }
}
