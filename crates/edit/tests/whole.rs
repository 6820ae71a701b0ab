//! Levels taken apart, recordings joined, damage mended.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail")]

mod common;

use common::recordings;
use moviola_edit::{Cut, Error, FixMulti, Found, Repair, Summary, join, levels, rewrite, rewrite_all};
use moviola_format::{Demo, Game, Piece};
use moviola_state::{Playhead, World, quake, quake2};

fn both() -> Vec<common::Recording> {
    [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2].into_iter().flat_map(recordings).collect()
}

fn sample(name: &str) -> Vec<u8> {
    moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes
}

fn repaired(file: &[u8]) -> Result<(Vec<u8>, Summary), Error> {
    let mut repair = Repair::look(file)?;
    let mut whole = Vec::new();
    let summary = rewrite(file, &mut repair, &mut whole)?;
    Ok((whole, summary))
}

/// The view after each block of the play; and how many blocks cannot be read, or hold nothing.
fn play<W: World>(file: &[u8]) -> (Vec<u64>, usize) {
    let mut demo = Demo::new(file).unwrap();
    let (mut head, mut views, mut bad) = (Playhead::<W>::new(), Vec::new(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        match piece {
            Piece::Block(block) => {
                let fault = head.step(&block);
                bad += usize::from(fault.is_some() || block.is_truncated() || block.data.is_empty());
                views.push(head.world.view_hash());
            }
            Piece::Raw(_) => bad += 1,
            _ => {}
        }
    }
    (views, bad)
}

fn play_of(game: Game, file: &[u8]) -> (Vec<u64>, usize) {
    match game {
        Game::Quake => play::<quake::World>(file),
        Game::Quake2 => play::<quake2::World>(file),
    }
}

#[test]
fn what_was_mended_is_sound_and_stays_as_it_is() {
    let (mut mended, mut sound) = (0, 0);
    for recording in both() {
        let Some(game) = Demo::new(&recording.bytes[..]).unwrap().game() else { continue };
        let Ok((whole, _)) = repaired(&recording.bytes) else { continue };
        let (views, bad) = play_of(game, &whole);
        assert_eq!(bad, 0, "{}", recording.name);
        assert!(!views.is_empty(), "{}", recording.name);
        let (again, summary) = repaired(&whole).unwrap();
        assert!(again == whole, "{}: a second time changes something: {summary}", recording.name);
        assert!(summary.to_string().starts_with("nothing to mend"), "{}: {summary}", recording.name);
        if whole == recording.bytes { sound += 1 } else { mended += 1 }
    }
    assert!(mended > 10 && sound > 20, "{mended} mended, {sound} sound");
}

#[test]
fn damage_is_told() {
    let said = |name: &str| repaired(&sample(name)).unwrap().1.about;
    assert_eq!(said("dem-15-v109"), "nothing to mend");
    assert_eq!(said("dem-no-disconnect"), "its end put in");
    assert!(said("dem-damaged-block").contains("could not be read and are lost"));
    assert!(said("dem-cut-block").contains("the block in which it ends made whole"));
    assert!(said("dem-empty-blocks").contains("without messages left out"));
    assert!(said("dem-glued").contains("on which players stop left out"));
    assert!(said("dm2-34-no-mark").contains("its end put in"));
    assert!(matches!(repaired(&sample("dem-no-serverinfo")), Err(Error::Impossible(_))));
}

#[test]
fn levels_stand_alone_and_can_be_joined_again() {
    let mut parts = 0;
    for recording in both() {
        let Ok(all) = levels(&recording.bytes[..]) else { continue };
        let game = Demo::new(&recording.bytes[..]).unwrap().game().unwrap();
        if all.len() < 2 || play_of(game, &recording.bytes).1 > 0 && game == Game::Quake {
            continue;
        }
        let mut files = Vec::new();
        for number in 1..=all.len() as u32 {
            let (mut cut, mut fix, mut part) =
                (Cut::keep(Found::level(number)), FixMulti::default(), Vec::new());
            rewrite_all(&recording.bytes[..], &mut [&mut cut, &mut fix], &mut part).unwrap();
            let alone = levels(&part[..]).unwrap();
            assert_eq!(alone.len(), 1, "{}", recording.name);
            assert_eq!(alone[0].map, all[number as usize - 1].map, "{}", recording.name);
            assert_eq!(play_of(game, &part).1, 0, "{} level {number}", recording.name);
            files.push(part);
            parts += 1;
        }
        let mut joined = Vec::new();
        join(files.iter().map(Vec::as_slice).collect(), &mut joined).unwrap();
        assert_eq!(levels(&joined[..]).unwrap().len(), all.len(), "{}", recording.name);
        // Every moment of the parts but their ends is there, in its order.
        let views = play_of(game, &joined).0;
        let mut at = 0;
        for part in &files {
            let wanted = play_of(game, part).0;
            for view in &wanted[..wanted.len() - 1] {
                at += views[at..].iter().position(|it| it == view).expect("a moment of a part") + 1;
            }
        }
    }
    assert!(parts >= 6, "only {parts} levels");
}

#[test]
fn games_are_not_mixed() {
    let (quake, quake2) = (sample("dem-15-v109"), sample("dm2-34-client"));
    assert!(matches!(join(vec![&quake[..], &quake2[..]], Vec::new()), Err(Error::Impossible(_))));
}
