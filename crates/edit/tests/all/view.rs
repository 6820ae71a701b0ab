//! A player's view made from a server's recording is compared with what that player recorded at the same time.

use crate::common::real;
use moviola_edit::{EditSummary, Error, View, rewrite};
use moviola_format::{Block, Demo, Piece};
use moviola_state::Playhead;
use moviola_state::quake2::{Frame, Validity, World};
use std::collections::BTreeMap;

fn viewed(file: &[u8], who: &str) -> Result<(Vec<u8>, EditSummary), Error> {
    let mut view = View::of(who);
    view.find(file)?;
    let mut edited = Vec::new();
    let summary = rewrite(file, &mut view, &mut edited)?;
    Ok((edited, summary))
}

/// The frames of a client's recording by their numbers, its largest block, and whether it has its end mark.
fn frames(file: &[u8]) -> (BTreeMap<i32, Frame>, usize, bool) {
    let mut head = Playhead::<World>::new();
    let mut demo = Demo::new(file).unwrap();
    let (mut all, mut largest, mut ended) = (BTreeMap::new(), 0, false);
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            assert_eq!(head.step(&block), None, "every block is read");
            largest = largest.max(Block::new(block.data).data.len());
            let frame = head.world.frame();
            if frame.validity != Validity::None {
                assert!(frame.validity.is_drawn(), "frame {}: {:?}", frame.number, frame.validity);
                all.insert(frame.number, frame.clone());
            }
        }
        ended |= piece == Piece::End;
    }
    assert_eq!(head.world.out_of_place, 0);
    (all, largest, ended)
}

#[test]
fn the_view_equals_the_players_own_recording() {
    let (Some(server), Some(client)) = (real("ours/yq_srv.dm2"), real("ours/yq_cl2.dm2")) else { return };
    let (edited, summary) = viewed(&server, "oracle").unwrap();
    assert_eq!(summary.notes.len(), 1, "{:?}", summary.notes);
    let (ours, largest, ended) = frames(&edited);
    let (theirs, ..) = frames(&client);
    assert!(largest <= 1392 && ended, "{largest} {ended}");
    let (mut compared, mut entities, mut missing) = (0, 0, 0);
    for (number, frame) in &theirs {
        let Some(own) = ours.get(number) else { continue };
        let (state, other) = (frame.player(None).unwrap(), own.player(None).unwrap());
        assert_eq!(state.origin, other.origin, "frame {number}");
        for (one, other, most) in [(0, 0, 6.0), (1, 1, 1.5)]
            .map(|(at, same, most)| (state.view_angles[at].value(), other.view_angles[same].value(), most))
        {
            let apart = (one - other + 180.0).rem_euclid(360.0) - 180.0;
            // A dead player's view turns to the killer, but the entity does not show it.
            let is_dead = state.view_angles[2].value() > 39.0;
            assert!(apart.abs() <= most || is_dead, "frame {number}: {one} {other}");
        }
        for entity in &frame.entities {
            entities += 1;
            match own.entity(entity.number) {
                Some(other) => assert_eq!(
                    (entity.origin, entity.models, entity.frame, entity.effects, entity.event),
                    (other.origin, other.models, other.frame, other.effects, other.event),
                    "frame {number}: entity {}",
                    entity.number
                ),
                None => missing += 1,
            }
        }
        compared += 1;
    }
    assert!(compared > 200 && entities > 1000, "{compared} frames, {entities} entities");
    assert_eq!(missing, 0);
}

#[test]
fn relay_has_the_view_of_each_client() {
    let sample = moviola_scribe::samples().into_iter().find(|sample| sample.name.contains("relay")).unwrap();
    let (edited, summary) = viewed(&sample.bytes, "1").unwrap();
    let (ours, largest, _) = frames(&edited);
    assert!(ours.len() >= 10 && largest <= 1392, "{} {largest}", ours.len());
    assert!(summary.notes.is_empty(), "{:?}", summary.notes);
    // The states are those that the client was sent.
    let mut head = Playhead::<World>::new();
    let mut demo = Demo::new(&sample.bytes[..]).unwrap();
    let mut compared = 0;
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        head.step(&block);
        let frame = head.world.frame();
        if let (Some(own), Some(state)) = (ours.get(&frame.number), frame.player(Some(0))) {
            assert_eq!(own.player(None), Some(state));
            assert_eq!(own.entities, frame.entities);
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn an_absent_player_has_no_view() {
    let sample = moviola_scribe::samples().into_iter().find(|sample| sample.name.contains("relay")).unwrap();
    assert!(matches!(viewed(&sample.bytes, "nobody"), Err(Error::Mistakes(_))));
    let client = moviola_scribe::samples().into_iter().find(|sample| sample.name == "dm2-34-client").unwrap();
    assert!(matches!(viewed(&client.bytes, "1"), Err(Error::Impossible(_))));
}

#[test]
fn players_without_a_name_and_levels_without_an_announcement() {
    let sample = |name: &str| moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes;
    let (edited, _) = viewed(&sample("dm2-34-relay"), "4").unwrap();
    let (shown, _, ended) = frames(&edited);
    assert!(shown.len() > 10 && ended, "{} frames", shown.len());
    let server = sample("dm2-server-no-serverdata");
    let level = |file: &[u8]| {
        let (edited, summary) = viewed(file, "1").unwrap();
        let mut head = Playhead::<World>::new();
        let mut demo = Demo::new(&edited[..]).unwrap();
        while let Some(piece) = demo.next_piece().unwrap() {
            if let Piece::Block(block) = piece {
                let mut messages = block.messages::<moviola_format::Quake2>(head.context);
                messages.by_ref().for_each(drop);
                assert!(messages.fault().is_none());
                head.step(&block);
            }
        }
        assert_eq!(head.world.server.client, 0);
        (head.world.server.protocol, summary.notes.join("\n").contains("--to 34"))
    };
    assert_eq!(level(&server), (34, false));
    // Of a temporary entity that has two places only before protocol 32.
    let old = [&[3, 26][..], &[0; 12]].concat();
    let end = if server.ends_with(&[0xFF; 4]) { 4 } else { 0 };
    let (blocks, end) = server.split_at(server.len() - end);
    assert_eq!(level(&[blocks, &(old.len() as u32).to_le_bytes(), &old, end].concat()), (31, true));
}
