//! Edits of MVD2: a cut begins with the state that the recording has there, and each later block has the same state as
//! in the whole recording; stripped messages are gone, and all others stay.

use moviola_edit::{Cut, EditSummary, Error, Retime, Rewrite, Spans, Speed, Strip, View, rewrite};
use moviola_format::mvd2::{MatchState, Relay};
use moviola_format::{Block, Context, Demo, Format, Game, Mvd2, Piece};
use moviola_scribe::mvd2_match;
use moviola_state::{Playhead, quake2};

/// The blocks of a recording, each with the state after it.
fn blocks(file: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut demo = Demo::new(file).unwrap();
    let (mut state, mut context, mut all) = (MatchState::default(), Context::quake2(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let mut messages = block.messages::<Mvd2>(context);
        messages.by_ref().for_each(|entry| state.apply(&entry.message));
        assert!(messages.rest().is_empty(), "{:?}", messages.fault());
        context = *messages.context();
        let mut whole = Vec::new();
        state.write_beginning(&mut whole);
        all.push((block.data.to_vec(), whole));
    }
    all
}

fn edited(file: &[u8], mut edit: impl Rewrite) -> (Vec<u8>, EditSummary) {
    let mut made = Vec::new();
    let summary = rewrite(file, &mut edit, &mut made).unwrap();
    assert_eq!(Demo::new(&made[..]).unwrap().format(), Format::Mvd2);
    assert!(made.ends_with(&[0, 0]));
    (made, summary)
}

fn found(file: &[u8], spans: &str) -> moviola_edit::FoundSpans {
    Spans::parse(spans).unwrap().find(file).unwrap()
}

/// Real recordings, if they are available, and one made from the documents.
fn recordings() -> Vec<Vec<u8>> {
    let mut all = vec![mvd2_match(2010, false), mvd2_match(2013, false)];
    if let Some(folder) = crate::common::corpus() {
        all.push(std::fs::read(folder.join("qw/real/github_packetflinger_q2demo__test.mvd2")).unwrap());
    }
    all
}

#[test]
fn a_cut_has_the_states_of_the_whole() {
    for file in recordings() {
        let all_blocks = blocks(&file);
        let step = (all_blocks.len() / 12).max(1);
        for first in (0..all_blocks.len()).step_by(step) {
            let (made, _) = edited(&file, Cut::keep(found(&file, &format!("#{first}.."))));
            let part = blocks(&made);
            assert_eq!(part.len(), all_blocks.len() - first);
            for (number, (one, other)) in part.iter().zip(&all_blocks[first..]).enumerate() {
                assert!(one.1 == other.1, "block {} of a cut from {first}", first + number);
                assert!(number == 0 || one.0 == other.0, "copied");
            }
        }
        if all_blocks.len() < 20 {
            continue;
        }
        let (gap, behind) = (all_blocks.len() / 3, all_blocks.len() / 2);
        let (made, _) = edited(&file, Cut::drop(found(&file, &format!("#{gap}..#{}", behind - 1))));
        let part = blocks(&made);
        let rest = all_blocks[..gap].iter().chain(&all_blocks[behind..]);
        assert_eq!(part.len(), gap + all_blocks.len() - behind);
        assert!(part.iter().zip(rest).all(|(one, other)| one.1 == other.1));
        // The changes of the gap are shorter than the whole state.
        assert!(part[gap].0.len() < part[gap].1.len());
    }
}

#[test]
fn spans_are_times_levels_and_seconds() {
    let file = mvd2_match(2011, false);
    assert_eq!(blocks(&edited(&file, Cut::keep(found(&file, "level 2"))).0).len(), 1);
    assert_eq!(blocks(&edited(&file, Cut::keep(found(&file, "level 1 0.2.."))).0).len(), 3);
    assert_eq!(blocks(&edited(&file, Cut::keep(found(&file, "+0.1..+0.1"))).0).len(), 2);
    assert_eq!(blocks(&edited(&file, Cut::keep(found(&file, "print \"ready\".."))).0).len(), 3);
    // Keeping everything changes nothing.
    assert!(edited(&file, Cut::keep(found(&file, "#0.."))).0 == file);
}

#[test]
fn strip_also_removes_parts_inside_of_messages() {
    let file = mvd2_match(2010, false);
    let texts = |file: &[u8]| blocks(file).into_iter().map(|it| it.0).collect::<Vec<_>>().concat();
    let has = |file: &[u8], text: &[u8]| texts(file).windows(text.len()).any(|it| it == text);
    assert!(has(&file, b"hello") && has(&file, b"echo aaa"));
    let (made, summary) = edited(&file, Strip::parse("chat, stufftext").unwrap());
    assert!(!has(&made, b"hello") && !has(&made, b"echo aaa") && has(&made, b"is ready"));
    assert!(summary.about.contains("1 print"), "{}", summary.about);
    // The other messages of a letter stay, and the states are the same.
    let states = |file: &[u8]| blocks(file).into_iter().map(|it| it.1).collect::<Vec<_>>();
    assert!(states(&made) == states(&file));
    let (made, summary) = edited(&file, Strip::parse("entity:9").unwrap());
    assert!(summary.about.starts_with("2 updates"), "{}", summary.about);
    assert_eq!(blocks(&made).len(), blocks(&file).len());
    let (made, _) = edited(&file, Strip::parse("sounds").unwrap());
    assert!(made.len() < file.len());
}

#[test]
fn other_edits_name_the_way_out() {
    let file = mvd2_match(2010, false);
    let slow = Retime::new(Speed::parse("0.5").unwrap(), found(&file, "#0.."));
    let error = rewrite(&file[..], &mut { slow }, Vec::new()).unwrap_err();
    assert!(matches!(&error, Error::Impossible(why) if why.contains("moviola view")), "{error}");
}

/// The player's states of a recording's frames.
fn states(file: &[u8]) -> Vec<quake2::PlayerState> {
    let (mut demo, mut head, mut all) =
        (Demo::new(file).unwrap(), Playhead::<quake2::World>::new(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let before = head.world.frames_drawn();
        assert_eq!(head.step(&block), None);
        if head.world.frames_drawn() != before {
            all.extend(head.world.drawn().player(None).copied());
        }
    }
    all
}

#[test]
fn through_a_players_eyes_it_is_that_players_recording() {
    for file in recordings() {
        let mut view = View::of_match(|| Ok(&file[..])).unwrap().unwrap();
        let mut viewed = Vec::new();
        rewrite(&file[..], &mut view, &mut viewed).unwrap();
        let player = (0..=u8::MAX).find(|player| {
            let mut other = View::of((u16::from(*player) + 1).to_string());
            let mut same = Vec::new();
            other.find(&file[..]).is_ok()
                && rewrite(&file[..], &mut other, &mut same).is_ok()
                && same == viewed
        });
        let (mut demo, mut relay, mut made) =
            (Demo::new(&file[..]).unwrap(), Relay::through(player.unwrap()), Vec::new());
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { continue };
            let mut data = Vec::new();
            relay.block(&block, &mut data);
            Piece::Block(Block::new(&data)).write(Game::Quake2, &mut made).unwrap();
        }
        let (viewed, seen) = (states(&viewed), states(&made));
        assert!(viewed.len() > 1 && seen.ends_with(&viewed), "{} and {}", viewed.len(), seen.len());
    }
}
