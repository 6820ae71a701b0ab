//! The deck over the bundled recordings: pictures, times and edits.

#![allow(clippy::unwrap_used, reason = "a test that cannot read its sample has failed")]

use moviola_deck::{Deck, View, look_into};
use std::fs;
use std::path::PathBuf;

fn sample(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    fs::read(path).unwrap()
}

fn small() -> View {
    View { size: [160, 90], ..View::default() }
}

#[test]
fn a_recording_is_drawn_with_the_games_files() {
    let mut deck = Deck::open("qs_15_lq_e0m9.dem", sample("qs_15_lq_e0m9.dem")).unwrap();
    let about = deck.about().clone();
    assert_eq!((about.game, about.levels.len(), about.levels[0].map.as_str()), ("Quake", 1, "lq_e0m9"));
    let without = deck.draw(about.seconds / 2.0, &small()).unwrap();
    deck.add_game("lq_e0m9.pk3", sample("librequake/lq_e0m9.pk3")).unwrap();
    let with = deck.draw(about.seconds / 2.0, &small()).unwrap();
    assert_ne!(without.rgba, with.rgba);
    let eye = deck.eye();
    let from_there =
        deck.draw(about.seconds / 2.0, &View { free: Some(eye), hud: false, ..small() }).unwrap();
    assert_ne!(with.rgba, from_there.rgba);
}

#[test]
fn a_seek_and_a_playthrough_show_the_same() {
    for name in ["qs_15_lq_e0m9.dem", "yq_sp.dm2"] {
        let mut played = Deck::open(name, sample(name)).unwrap();
        let end = played.about().seconds;
        let times: Vec<f64> = (0..=8).map(|step| end * f64::from(step) / 8.0).collect();
        let frames: Vec<_> = times.iter().map(|at| played.draw(*at, &small()).unwrap().rgba).collect();
        let hashes: Vec<_> = times.iter().map(|at| played.state_hash(*at)).collect();
        for ((at, frame), hash) in times.iter().zip(&frames).zip(&hashes).rev() {
            assert!(played.draw(*at, &small()).unwrap().rgba == *frame, "{name} at {at}");
            assert_eq!(played.state_hash(*at), *hash, "{name} at {at}");
        }
    }
}

#[test]
fn events_and_vitals_lie_within_the_recording() {
    for name in ["quake1.07_DM1.dem", "yq_sp.dm2", "qs_999_lq_e0m9.dem"] {
        let deck = Deck::open(name, sample(name)).unwrap();
        let end = deck.about().seconds;
        let timeline = deck.timeline();
        assert!(!timeline.marks.is_empty() && !timeline.vitals.is_empty(), "{name}");
        assert!(timeline.marks.iter().all(|mark| (0.0..=end).contains(&mark.seconds)), "{name}");
        let times: Vec<f64> = timeline.vitals.iter().map(|it| it.0).collect();
        assert!(times.is_sorted() && times.iter().all(|at| (0.0..=end).contains(at)), "{name}");
    }
}

#[test]
fn a_block_is_seen_when_the_clock_says() {
    let deck = Deck::open("yq_sp.dm2", sample("yq_sp.dm2")).unwrap();
    for block in 0..deck.about().blocks {
        let at = deck.seconds_of(block);
        assert!(deck.block_at(at) >= block && deck.seconds_of(deck.block_at(at)) <= at, "{block}");
    }
}

#[test]
fn an_archive_lists_its_recordings() {
    let dropped = look_into("mixed.dz", sample("archives/mixed.dz"));
    assert!(dropped.kind == "archive" && dropped.recordings.len() > 1, "{dropped:?}");
    for inside in &dropped.recordings {
        let name = format!("mixed.dz:{}", inside.path);
        Deck::open(&name, sample("archives/mixed.dz")).unwrap();
    }
    assert!(Deck::open("mixed.dz", sample("archives/mixed.dz")).unwrap_err().contains("several"));
}
