//! A recording that is served and recorded again is the same recording, even over a bad line.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::watch::{watch_quake, watch_quake2};
use common::{One, bodies, sample};
use moviola_format::{Context, Game, Messages, Quake, dem};
use moviola_net::First;
use std::time::Duration;

fn for_minutes(minutes: u64) -> impl FnMut(Duration) -> bool {
    move |now| now < Duration::from_mins(minutes)
}

#[test]
fn a_quake_recording_comes_back() {
    for name in ["qs_15_lq_e0m9.dem", "qs_999_lq_e0m9.dem", "quake1.07_DM1.dem"] {
        let recording = sample(name);
        let expected = bodies(&recording);
        assert_eq!(bodies(&watch_quake(&One(recording), 0, for_minutes(5))), expected, "{name}");
    }
}

/// A bad line may lose frames, as in a game; reliable messages all arrive, in order.
#[test]
fn over_a_bad_line_nothing_is_wrong_and_nothing_reliable_is_lost() {
    let recording = sample("qs_15_lq_e0m9.dem");
    let expected = bodies(&recording);
    let served = bodies(&watch_quake(&One(recording), 20, for_minutes(10)));
    assert!(served.len() > expected.len() * 8 / 10, "{} of {}", served.len(), expected.len());
    let mut all = expected.iter();
    let mut kept = Vec::new();
    for body in &served {
        let at = all.by_ref().position(|it| it == body);
        assert!(at.is_some(), "a block that the recording has not, or out of its order: {body:?}");
        kept.push(body);
    }
    let is_reliable = |body: &&Vec<u8>| {
        let mut messages = Messages::<Quake>::new(body, Context::quake());
        !messages.any(|entry| matches!(entry.message, dem::Message::Time(_)))
    };
    let reliable: Vec<_> = expected.iter().filter(is_reliable).collect();
    assert_eq!(kept.into_iter().filter(is_reliable).collect::<Vec<_>>(), reliable);
}

#[test]
fn a_quake2_recording_comes_back_over_a_bad_line_too() {
    let recording = sample("yq_sp.dm2");
    for loss in [0, 20] {
        let served = watch_quake2(&One(recording.clone()), loss, for_minutes(2));
        assert_eq!(served, recording, "1 in {loss} lost");
    }
}

#[test]
fn a_recording_says_its_game_and_level() {
    let first = |name| First::of(&sample(name)[..]).unwrap();
    let quake = first("qs_15_lq_e0m9.dem").unwrap();
    assert_eq!((quake.game, &quake.map[..]), (Game::Quake, "lq_e0m9"));
    let quake2 = first("yq_sp.dm2").unwrap();
    assert_eq!((quake2.game, &quake2.map[..], quake2.is_players), (Game::Quake2, "oracle2", true));
    assert_eq!(First::of(&b"no recording at all"[..]).unwrap(), None);
}
