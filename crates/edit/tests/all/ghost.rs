//! Ghosts are where the other run was, and everything else looks as before.

use crate::common::{recordings, seen};
use moviola_edit::{
    BlockWriter, Cut, EditOutput, Error, FoundSpans, Ghost, Retime, Rewrite, Spans, Speed, rewrite,
};
use moviola_format::names::{quake2::CS_PLAYERSKINS, readable};
use moviola_format::{Context, Demo, Entry, Piece, Quake2, dem, dm2};
use moviola_state::quake2::Validity;
use moviola_state::{quake, quake2};
use std::io::{self, Cursor, Read};
use std::rc::Rc;

fn open<'r>(bytes: Vec<u8>) -> moviola_edit::OpenInput<'r> {
    Rc::new(move || -> io::Result<Box<dyn Read>> { Ok(Box::new(Cursor::new(bytes.clone()))) })
}

fn with_ghost(base: &[u8], other: &[u8]) -> Result<Vec<u8>, Error> {
    let mut ghost = Ghost::find(|| Ok(base), vec![("other".into(), open(other.to_vec()))])?;
    let mut race = Vec::new();
    rewrite(base, &mut ghost, &mut race)?;
    Ok(race)
}

fn sample(name: &str) -> Vec<u8> {
    moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes
}

#[test]
fn the_ghost_of_the_same_run_is_where_the_player_is() {
    let mut frames = 0;
    for recording in recordings(moviola_scribe::Game::Quake).into_iter().filter(|it| it.bytes.len() < 100_000)
    {
        let file = &recording.bytes[..];
        // In the sample that has one message of each kind, the view jumps between entities within a moment. If a
        // recording visits a level several times, the ghost shows only the first visit.
        let maps: Vec<_> =
            moviola_edit::levels(file).unwrap_or_default().into_iter().map(|it| it.map).collect();
        let is_again = maps.iter().enumerate().any(|(at, map)| maps[..at].contains(map));
        if is_again || recording.name.contains("every") {
            continue;
        }
        let Ok(race) = with_ghost(file, file) else { continue };
        // The ghost is the entity that only the new recording has.
        let numbers = |file: &[u8]| {
            let shown = seen(file, |world: &quake::World| {
                world.shown().map(|(number, entity)| (number, entity.place.origin)).collect::<Vec<_>>()
            });
            let eyes = seen(file, |world: &quake::World| {
                // The position of a camera is not that of the player.
                let is_player =
                    (1..=u16::from(world.level.max_clients)).contains(&(world.view.entity as u16));
                let eyes = world.eyes().filter(|it| is_player && it.is_shown(&world.clock));
                (world.clock.now, eyes.map(|it| it.place.origin))
            });
            (shown, eyes)
        };
        let ((before, _), (after, eyes)) = (numbers(file), numbers(&race));
        assert_eq!(before.len(), after.len(), "{}", recording.name);
        let mut last = None;
        for ((old, new), (now, eyes)) in before.iter().zip(&after).zip(&eyes) {
            // Of several blocks with the same time only the first is compared, since ghosts do not move within a
            // moment.
            if last.replace(*now) == Some(*now) {
                continue;
            }
            let ghosts: Vec<_> = new.iter().filter(|it| !old.contains(it)).collect();
            assert!(ghosts.len() <= 1 && old.iter().all(|it| new.contains(it)), "{}", recording.name);
            if let ([(_, place)], Some(eyes)) = (&ghosts[..], eyes) {
                let away = |at: usize| (place[at].value() - eyes[at].value()).abs();
                assert!((0..3).all(|at| away(at) <= 0.125), "{}: elsewhere", recording.name);
                frames += 1;
            }
        }
    }
    assert!(frames > 500, "only {frames} frames with a ghost");
}

/// Looks through a camera from some block on.
struct Camera;

impl Rewrite for Camera {
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if writer.place().block == 200 {
            writer.put(&dem::Message::from(dem::SetView { entity: 50 }));
        }
        writer.write(out)
    }
}

#[test]
fn a_recorder_who_looks_through_a_camera_has_a_ghost() {
    let file =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem")).unwrap();
    let mut filmed = Vec::new();
    rewrite(&file[..], &mut Camera, &mut filmed).unwrap();
    assert_eq!(with_ghost(&file, &filmed).unwrap(), with_ghost(&file, &file).unwrap());
}

#[test]
fn clocks_have_to_meet() {
    let file =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem")).unwrap();
    let part = |spans: &str| {
        let found = Spans::parse(spans).unwrap().find(&file[..]).unwrap();
        let mut part = Vec::new();
        rewrite(&file[..], &mut Cut::keep(found), &mut part).unwrap();
        part
    };
    let error = with_ghost(&part("..4"), &part("8..")).unwrap_err().to_string();
    assert!(error.starts_with("no ghost would be visible"), "{error}");
}

#[test]
fn quake2_frames_stay_sound_and_have_one_more() {
    let mut frames = 0;
    for recording in
        recordings(moviola_scribe::Game::Quake2).into_iter().filter(|it| it.bytes.len() < 100_000)
    {
        let file = &recording.bytes[..];
        let mut late = Vec::new();
        let mut retime = Retime::new(Speed::parse("0.8").unwrap(), FoundSpans::all());
        if rewrite(file, &mut retime, &mut late).is_err() {
            continue;
        }
        let Ok(race) = with_ghost(file, &late) else { continue };
        let all = |file: &[u8]| {
            let mut all = Vec::new();
            seen(file, |world: &quake2::World| {
                let frame = world.frame();
                if all.last().is_none_or(|(number, ..): &(i32, Validity, usize)| *number != frame.number) {
                    all.push((frame.number, frame.validity, frame.entities.len()));
                }
            });
            all
        };
        let (before, after) = (all(file), all(&race));
        assert_eq!(before.len(), after.len(), "{}", recording.name);
        for (old, new) in before.iter().zip(&after) {
            assert_eq!((old.0, old.1.is_drawn()), (new.0, new.1.is_drawn()), "{}", recording.name);
            assert!(new.2 == old.2 || new.2 == old.2 + 1, "{}", recording.name);
            frames += new.2 - old.2;
        }
    }
    assert!(frames > 300, "only {frames} frames with a ghost");
}

/// Engines forget their config strings when a level is announced.
#[test]
fn a_ghost_keeps_its_skin_where_the_beginning_is_one_block() {
    let file = include_bytes!("../../../../samples/yq_sp.dm2");
    let (mut header, mut merged) = (Vec::new(), Vec::new());
    let mut demo = Demo::new(&file[..]).unwrap();
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let is_frame =
            |entry: &Entry<dm2::Message<'_>>| matches!(entry.message, dm2::Message::FrameMessage(_));
        let plays = block.messages::<Quake2>(Context::quake2()).any(|entry| is_frame(&entry));
        let put = |merged: &mut Vec<u8>, data: &[u8]| {
            merged.extend((data.len() as u32).to_le_bytes());
            merged.extend(data);
        };
        if plays && !header.is_empty() {
            put(&mut merged, &std::mem::take(&mut header));
        }
        if plays { put(&mut merged, block.data) } else { header.extend(block.data) }
    }
    let race = with_ghost(&merged, &file[..]).unwrap();
    let skins = |file: &[u8]| {
        let mut skin = Vec::new();
        seen(file, |world: &quake2::World| {
            skin = world.config.get(usize::from(CS_PLAYERSKINS) + 255).to_vec();
        });
        skin
    };
    assert_eq!(skins(&merged), b"");
    assert!(skins(&race).starts_with(b"Oracle\\"), "{:?}", skins(&race).escape_ascii().to_string());
}

#[test]
fn a_run_of_another_game_or_level_gives_no_ghost() {
    let (one, other) = (sample("dem-15-v109"), sample("dm2-34-client"));
    assert!(matches!(with_ghost(&one, &other), Err(Error::Impossible(_))));
    assert!(matches!(with_ghost(&one, b"no recording"), Err(Error::OfFile(..))));
}

#[test]
fn a_ghost_that_is_shifted_comes_later() {
    let file = sample("dem-15-v109");
    let shown = |shift: f64| {
        let mut ghost =
            Ghost::find(|| Ok(&file[..]), vec![("other".into(), open(file.clone()))]).unwrap().shifted(shift);
        rewrite(&file[..], &mut ghost, io::sink()).map(|summary| summary.about)
    };
    let (together, later) = (shown(0.0).unwrap(), shown(0.1).unwrap());
    assert_ne!(together, later);
    assert!(shown(1e6).unwrap_err().to_string().contains("no ghost would be visible"));
}

/// The texts in the middle of the screen, with the time of each.
fn texts(file: &[u8]) -> Vec<(f64, String)> {
    struct Texts(Vec<(f64, String)>);
    impl Rewrite for Texts {
        fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
            if let dem::Message::CenterPrint(it) = &entry.message {
                self.0.push((writer.place().time.unwrap(), readable(it.string.bytes())));
            }
        }
        fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
            if let dm2::Message::CenterPrint(it) = &entry.message {
                self.0.push((writer.place().time.unwrap(), readable(it.string.bytes())));
            }
        }
    }
    let mut texts = Texts(Vec::new());
    rewrite(file, &mut texts, io::sink()).unwrap();
    texts.0
}

/// A race against the same run at nine tenths of the speed, with the gap.
fn race(name: &str, shift: f64) -> (Vec<u8>, Vec<u8>, String) {
    let file = std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut slow = Vec::new();
    rewrite(&file[..], &mut Retime::new(Speed::parse("0.9").unwrap(), FoundSpans::all()), &mut slow).unwrap();
    let ghost = Ghost::find(|| Ok(&file[..]), vec![("slow".into(), open(slow))]).unwrap();
    let mut race = Vec::new();
    let summary = rewrite(&file[..], &mut ghost.shifted(shift).with_gap(), &mut race).unwrap();
    (file, race, summary.about)
}

#[test]
fn the_gap_grows_as_one_run_falls_behind() {
    for (name, least) in [("qs_15_lq_e0m9.dem", 5), ("yq_sp.dm2", 12)] {
        let (file, race, about) = race(name, 0.0);
        let own_texts = texts(&file);
        let gaps: Vec<(f64, String)> =
            texts(&race).into_iter().filter(|it| !own_texts.contains(it)).collect();
        assert!(
            gaps.len() >= least && about.ends_with(&format!(", the gap {} times", gaps.len())),
            "{name}: {about}"
        );
        assert!(gaps.windows(2).all(|two| two[1].0 - two[0].0 >= 0.999), "{name}: {gaps:?}");
        let start = gaps[0].0;
        for (time, gap) in &gaps {
            let said: f64 = gap.parse().unwrap();
            // A player who stands still is at the same place at several moments.
            assert!(said <= 0.1 && said > -(time - start + 2.0) / 9.0 - 0.2, "{name}: {said} at {time}");
        }
        let (time, last) = gaps.last().unwrap();
        assert!(last.parse::<f64>().unwrap() < -(time - start) / 20.0, "{name}: {gaps:?}");
        // A text of the game stays for its two seconds.
        for (then, _) in &own_texts {
            assert!(
                gaps.iter().all(|(time, _)| *time < *then || *time >= then + 1.99),
                "{name} {then}: {gaps:?}"
            );
        }
    }
}

#[test]
fn a_shifted_ghost_is_measured_where_it_is_shown() {
    let gaps = |shift| -> Vec<f64> {
        let (file, race, _) = race("qs_15_lq_e0m9.dem", shift);
        let own = texts(&file);
        texts(&race).into_iter().filter(|it| !own.contains(it)).map(|(_, gap)| gap.parse().unwrap()).collect()
    };
    let (plain, early) = (gaps(0.0), gaps(-3.0));
    let [last, other] = [plain.last().unwrap(), early.last().unwrap()];
    assert!((other - last - 3.0).abs() < 0.11, "{last} {other}");
}
