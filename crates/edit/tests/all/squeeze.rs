//! A squeezed recording is smaller, and the state after each of its blocks is the same. In Quake II only the frames on
//! which frames build may differ.

use crate::common::{corpus, is_kept_raw, recordings, seen};
use moviola_edit::{Cut, Spans, Squeeze, rewrite};
use moviola_format::Demo;
use moviola_state::{World, quake, quake2};

fn squeezed(file: &[u8]) -> Vec<u8> {
    let mut small = Vec::new();
    rewrite(file, &mut Squeeze::default(), &mut small).unwrap();
    small
}

fn check<W: World>(game: moviola_scribe::Game, hash: fn(&W) -> u64) -> (usize, usize) {
    let (mut before, mut after) = (0, 0);
    for recording in recordings(game).into_iter().filter(|it| it.bytes.len() < 700_000) {
        if Demo::new(&recording.bytes[..]).unwrap().game().is_none() || is_kept_raw(&recording.bytes) {
            continue;
        }
        let small = squeezed(&recording.bytes);
        assert!(small.len() <= recording.bytes.len(), "{} grew", recording.name);
        let (old, new) = (seen(&recording.bytes, hash), seen(&small, hash));
        let first = old.iter().zip(&new).position(|(old, new)| old != new);
        assert!(old == new, "{}: another state at {first:?} of {}, {}", recording.name, old.len(), new.len());
        assert!(squeezed(&small) == small, "{}: a second time changes something", recording.name);
        before += recording.bytes.len();
        after += small.len();
    }
    (before, after)
}

#[test]
fn quake_keeps_its_state() {
    let (before, after) = check(moviola_scribe::Game::Quake, quake::World::state_hash);
    assert!(after < before);
}

#[test]
fn quake2_keeps_its_state() {
    let (before, after) = check(moviola_scribe::Game::Quake2, quake2::World::hash_without_bases);
    // The samples alone are small, and most of them synthetic.
    let most = if corpus().is_some() { 95 } else { 99 };
    assert!(after * 100 < before * most, "{before} -> {after}");
}

/// A client forgets all frames when a level begins, even if their numbers continue.
#[test]
fn no_frame_builds_on_one_of_another_level() {
    let file = include_bytes!("../../../../samples/yq_sp.dm2");
    let part = |spans: &str| {
        let found = Spans::parse(spans).unwrap().find(&file[..]).unwrap();
        let mut part = Vec::new();
        rewrite(&file[..], &mut Cut::keep(found), &mut part).unwrap();
        part
    };
    let first = part("..#120");
    let levels = [first.strip_suffix(&[0xFF; 4]).unwrap(), &part("#121..")].concat();
    let small = squeezed(&levels);
    assert!(small.len() < levels.len());
    let hash = quake2::World::hash_without_bases;
    assert_eq!(seen(&levels, hash), seen(&small, hash));
}
