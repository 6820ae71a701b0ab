//! An inserted message is in the requested place, and everything else is unchanged.

use crate::common::recordings;
use moviola_edit::{EditSummary, Error, Insert, Spans, levels, rewrite};
use moviola_format::{Demo, Piece, Quake, Quake2, dem, dm2};
use moviola_scribe::Game;

fn inserted(file: &[u8], when: &str, what: &str) -> Result<(Vec<u8>, EditSummary), Error> {
    let found = Spans::parse(when).unwrap().find(file)?;
    let mut edited = Vec::new();
    let summary = rewrite(file, &mut Insert::parse(what).unwrap().at(found), &mut edited)?;
    Ok((edited, summary))
}

/// The texts in the middle of the screen and for the console, in their order.
fn texts(file: &[u8]) -> Vec<Vec<u8>> {
    let (mut texts, mut demo) = (Vec::new(), Demo::new(file).unwrap());
    let (mut quake, mut quake2) = (moviola_format::Context::quake(), moviola_format::Context::quake2());
    let is_quake = demo.format().game() == Some(moviola_format::Game::Quake);
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        if is_quake {
            let mut messages = block.messages::<Quake>(quake);
            for entry in messages.by_ref() {
                match entry.message {
                    dem::Message::CenterPrint(it) => texts.push(it.string.bytes().to_vec()),
                    dem::Message::StuffText(it) => texts.push(it.string.bytes().to_vec()),
                    _ => {}
                }
            }
            quake = *messages.context();
        } else {
            let mut messages = block.messages::<Quake2>(quake2);
            for entry in messages.by_ref() {
                match entry.message {
                    dm2::Message::CenterPrint(it) => texts.push(it.string.bytes().to_vec()),
                    dm2::Message::StuffText(it) => texts.push(it.string.bytes().to_vec()),
                    _ => {}
                }
            }
            quake2 = *messages.context();
        }
    }
    texts
}

#[test]
fn every_recording_takes_a_text_and_a_command() {
    let mut done = 0;
    for game in [Game::Quake, Game::Quake2] {
        for recording in recordings(game).into_iter().filter(|it| it.bytes.len() < 200_000) {
            let file = &recording.bytes[..];
            let Ok((with_text, summary)) = inserted(file, "..", "centerprint \"Look\\n\"") else { continue };
            assert_eq!(summary.changed, 1, "{}", recording.name);
            assert!(texts(&with_text).contains(&b"Look\n".to_vec()), "{}", recording.name);
            assert_eq!(texts(&with_text).len(), texts(file).len() + 1, "{}", recording.name);
            assert_eq!(levels(file).unwrap().len(), levels(&with_text[..]).unwrap().len());
            let (with_fov, _) = inserted(file, "..", "fov 110").unwrap();
            assert!(texts(&with_fov).contains(&b"fov 110\n".to_vec()), "{}", recording.name);
            done += 1;
        }
    }
    assert!(done > 10, "{done}");
}

/// A message with fields ends with its brace, after which no semicolon stands.
#[test]
fn messages_with_fields_are_inserted() {
    let in_quake = [
        "sound { channel 1; entity 1; soundnum 1; origin 0.0 0.0 0.0; }",
        "updatefrags { player 0; frags 5; };",
    ];
    for what in in_quake {
        assert_eq!(inserted(&sample("dem-15-v109"), "..", what).unwrap().1.changed, 1, "{what}");
    }
    let file = moviola_scribe::samples().into_iter().find(|it| it.name.starts_with("dm2-34")).unwrap().bytes;
    for what in ["print { level 2; string \"hi\\n\"; }", "muzzleflash { entity 1; value 1; }"] {
        assert_eq!(inserted(&file, "..", what).unwrap().1.changed, 1, "{what}");
    }
}

fn sample(name: &str) -> Vec<u8> {
    moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes
}

#[test]
fn a_fade_becomes_darker_until_it_is_black() {
    let file = sample("dem-15-v109");
    let shades = |what: &str| -> Vec<u8> {
        let (faded, _) = inserted(&file, "..", what).unwrap();
        let texts = texts(&faded);
        let shade = |text: &Vec<u8>| {
            let text = String::from_utf8(text.clone()).ok()?;
            text.trim().strip_prefix("v_cshift 0 0 0 ")?.parse().ok()
        };
        texts.iter().filter_map(shade).collect()
    };
    let dark = shades("fade 0.2");
    assert!(dark.len() > 1 && dark.is_sorted() && dark.last() == Some(&255), "{dark:?}");
    let light = shades("fade -0.2");
    assert!(light.iter().rev().is_sorted() && light.last() == Some(&0), "{light:?}");
    let two = sample("dm2-34-isdemo-0");
    assert!(inserted(&two, "..", "fade 2").unwrap_err().to_string().contains("no command that fades"));
}

#[test]
fn mistakes_are_in_their_words() {
    let why = |what: &str| Insert::parse(what).err().map(|it| it.message).unwrap_or_default();
    for what in ["", "fov", "fov wide", "fov 200", "fade 0", "fade", "command \"quit\"", "command exec a.cfg"]
    {
        assert!(!why(what).is_empty(), "{what}");
    }
    for what in ["command bf", "command \"bf\\n\"", "fov 90", "fade 1.5s", "nop;"] {
        assert_eq!(why(what), "", "{what}");
    }
    // A message is read under the protocol of its place.
    let Err(Error::Mistakes(mistakes)) = inserted(&sample("dem-15-v109"), "..", "centrprint \"x\"") else {
        panic!("no mistake");
    };
    assert_eq!((mistakes[0].column, mistakes[0].length), (1, 10));
}
