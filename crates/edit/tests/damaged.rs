//! Recordings that were cut off and damaged at random play again when they were mended.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail")]

mod common;

use common::Dice;
use moviola_check::{Plays, Report, check};
use moviola_edit::{Error, Repair, Summary, rewrite};

/// Recordings that play, of each game and way of playing.
const SOUND: [&str; 6] = [
    "qs_15_lq_e0m9.dem",
    "qs_999_lq_e0m9.dem",
    "qs_15_dm2p.dem",
    "qs_15_changelevel.dem",
    "yq_sp.dm2",
    "yq_cl2.dm2",
];

fn sound(name: &str) -> Option<Vec<u8>> {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/");
    std::fs::read(format!("{samples}{name}")).ok().or_else(|| common::real(&format!("ours/{name}")))
}

fn repaired(file: &[u8]) -> Result<(Vec<u8>, Summary), Error> {
    let mut repair = Repair::look(file)?;
    let mut whole = Vec::new();
    let summary = rewrite(file, &mut repair, &mut whole)?;
    Ok((whole, summary))
}

/// What the engine for which it was mended makes of it.
fn verdict(report: &Report, name: &str) -> (Plays, String) {
    let engine = if name.ends_with("dem") { "quakespasm" } else { "yamagi" };
    let verdict = report.engines.iter().find(|it| it.engine == engine).unwrap();
    let reasons: Vec<String> = verdict.reasons.iter().map(|it| it.message.clone()).collect();
    (verdict.plays, reasons.join(", "))
}

/// Mends what `damage` makes of the recordings, again and again, and says of how many blocks how many are left.
fn mends(tries: u64, damage: impl Fn(&mut Dice, &mut Vec<u8>)) {
    let mut played = 0;
    for name in SOUND {
        let Some(file) = sound(name) else { continue };
        for seed in 0..tries {
            let mut hurt = file.clone();
            damage(&mut Dice(seed), &mut hurt);
            let (whole, summary) = repaired(&hurt).expect(name);
            let report = check(&whole[..]).unwrap();
            assert!(report.exact && report.raw.is_empty(), "{name}, seed {seed}: {:?}", report.raw);
            let (plays, why) = verdict(&report, name);
            assert!(
                matches!(plays, Plays::Yes | Plays::WithDefects),
                "{name}, seed {seed}: {plays:?}, {why}; {summary}"
            );
            assert_eq!(repaired(&whole).unwrap().0, whole, "{name}, seed {seed}: mended twice");
            played += 1;
        }
    }
    assert!(played == 0 || played >= tries, "{played}");
}

/// A place in the last two thirds: the beginning of a level cannot be made up.
fn place(dice: &mut Dice, file: &[u8]) -> usize {
    let third = file.len() / 3;
    third + dice.below(file.len() - third)
}

#[test]
fn cut_off_anywhere() {
    mends(50, |dice, file| {
        let at = place(dice, file);
        file.truncate(at);
    });
}

#[test]
fn bytes_are_wrong() {
    mends(40, |dice, file| {
        for _ in 0..5 {
            let at = place(dice, file);
            file[at] ^= 1 + dice.below(255) as u8;
        }
    });
}

#[test]
fn bytes_are_missing() {
    mends(40, |dice, file| {
        let at = place(dice, file);
        let end = (at + 1 + dice.below(300)).min(file.len());
        file.drain(at..end);
    });
}

#[test]
fn bytes_are_too_many() {
    mends(40, |dice, file| {
        let at = place(dice, file);
        let noise: Vec<u8> = (0..=dice.below(300)).map(|_| dice.below(256) as u8).collect();
        file.splice(at..at, noise);
    });
}
