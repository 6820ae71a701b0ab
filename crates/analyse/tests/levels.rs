//! What a report says of levels is what a second, independent reading counts: maps, frames, times, kills, secrets,
//! scores, of every recording.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may fail, and compares floats that have to be the very same"
)]

#[path = "../../state/tests/common/mod.rs"]
mod common;
#[path = "../../state/tests/reference/mod.rs"]
mod reference;

use common::{Recording, recordings};
use moviola_analyse::{LevelReport, Report};
use moviola_format::names::readable;
use moviola_format::{Demo, Piece};
use reference::Stop;
use reference::dem::{Dem, Tally};
use reference::dm2::Dm2;

/// The file of a level, without folder and ending.
fn bare(map: &[u8]) -> String {
    let map = readable(map);
    let map = map.strip_prefix("maps/").unwrap_or(&map);
    map.strip_suffix(".bsp").unwrap_or(map).to_owned()
}

/// What the slow reading counts; none where it does not know the dialect.
fn tallies(recording: &Recording) -> Option<Vec<Tally>> {
    // Where the blocks begin is no matter of levels.
    let mut demo = Demo::new(&recording.bytes[..]).unwrap();
    let Some(Piece::Header(line)) = demo.next_piece().unwrap() else { return None };
    let start = line.len();
    let mut count = 0;
    while let Some(piece) = demo.next_piece().unwrap() {
        count += usize::from(matches!(piece, Piece::Block(_)));
    }
    let mut expected = Dem::default();
    let blocks = reference::bytes::blocks(&recording.bytes, 16, start);
    // What goes from a client to its server is foreign too.
    if blocks.len() != count {
        return None;
    }
    for (head, data) in blocks {
        if let Err(Stop::Foreign) = expected.block(head, data) {
            return None;
        }
    }
    expected.close();
    Some(expected.tallies)
}

fn same(level: &LevelReport, tally: &Tally, recording: &str) {
    assert_eq!(level.map.clone().unwrap_or_default(), bare(&tally.map), "{recording}");
    let what = format!("{recording}, {}", bare(&tally.map));
    assert_eq!(level.frames, tally.frames as u64, "{what}: frames");
    assert_eq!(level.seconds, tally.ended.map(f64::from), "{what}: time");
    let (kills, secrets) = (level.kills.unwrap(), level.secrets.unwrap());
    let found = [kills.done, kills.total, secrets.done, secrets.total];
    assert_eq!(found, tally.counts.map(i64::from), "{what}: kills and secrets");
    let mut found: Vec<_> =
        level.scores.iter().map(|it| (i32::from(it.slot), it.name.clone(), it.frags.unwrap())).collect();
    found.sort_unstable();
    let expected: Vec<_> =
        tally.frags.iter().map(|(slot, name, frags)| (*slot, readable(name), *frags)).collect();
    assert_eq!(found, expected, "{what}: scores");
}

#[test]
fn quake_of_every_recording() {
    let (mut levels, mut timed) = (0, 0);
    for recording in recordings(moviola_scribe::Game::Quake) {
        let Some(tallies) = tallies(&recording) else {
            println!("{}: foreign", recording.name);
            continue;
        };
        let report = Report::read(&recording.bytes[..]).unwrap();
        assert_eq!(report.level_count, tallies.len() as u64, "{}", recording.name);
        for (level, tally) in report.levels.iter().zip(&tallies) {
            same(level, tally, &recording.name);
            levels += 1;
            timed += usize::from(level.seconds.is_some());
        }
    }
    println!("{levels} levels, {timed} of them with a time");
    let least = if common::corpus().is_some() { [100, 12] } else { [10, 0] };
    assert!(levels >= least[0] && timed >= least[1], "{levels} {timed}");
}

#[test]
fn quake2_of_every_recording() {
    let mut levels = 0;
    for recording in recordings(moviola_scribe::Game::Quake2) {
        let mut expected = Dm2::default();
        // A level for each announcement: its file and the recording player's score when it was left.
        let mut tallies: Vec<(String, Option<i64>)> = Vec::new();
        let mut foreign = false;
        for (_, data) in reference::bytes::blocks(&recording.bytes, 4, 0) {
            let before = (expected.key, expected.title.clone(), expected.config.len());
            foreign |= expected.block(data) == Err(Stop::Foreign);
            let now = (expected.key, expected.title.clone(), expected.config.len());
            if (before.0, &before.1) != (now.0, &now.1) || (before.2 > now.2) {
                tallies.push((String::new(), None));
            }
            if let Some(tally) = tallies.last_mut() {
                tally.0 = bare(expected.config.get(&33).map_or(&[], |it| &it[..]));
            }
        }
        if foreign {
            continue;
        }
        let report = Report::read(&recording.bytes[..]).unwrap();
        // A level of which nothing is told but its announcement has no name.
        let found: Vec<_> = report.levels.iter().map(|level| level.map.clone().unwrap_or_default()).collect();
        let expected: Vec<_> = tallies.iter().map(|tally| tally.0.clone()).collect();
        assert_eq!(found, expected, "{}", recording.name);
        levels += found.len();
    }
    let least = if common::corpus().is_some() { 15 } else { 3 };
    assert!(levels >= least, "{levels}");
}
