//! The slower or faster parts are complete, and the recording outside of the spans looks as before.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod common;

use common::{Dice, recordings};
use moviola_edit::{Error, Found, Retime, Spans, Speed, rewrite};
use moviola_format::{Demo, Piece, Quake2, dm2};
use moviola_state::quake2::Validity;
use moviola_state::{Playhead, World, quake, quake2};
use std::collections::{BTreeMap, BTreeSet};

const QUAKE: moviola_scribe::Game = moviola_scribe::Game::Quake;
const QUAKE2: moviola_scribe::Game = moviola_scribe::Game::Quake2;

fn retimed(file: &[u8], speed: &str, found: Found) -> Result<Vec<u8>, Error> {
    let mut new = Vec::new();
    rewrite(file, &mut Retime::new(Speed::parse(speed).unwrap(), found), &mut new)?;
    Ok(new)
}

/// The blocks that can be read, stepped through.
fn play<W: World>(file: &[u8], mut see: impl FnMut(&moviola_format::Block<'_>, &Playhead<W>, bool)) {
    let mut demo = Demo::new(file).unwrap();
    let mut head = Playhead::<W>::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            let fault = head.step(&block);
            see(&block, &head, fault.is_some());
        }
    }
}

#[test]
fn the_speed_of_one_changes_nothing() {
    for recording in [QUAKE, QUAKE2].into_iter().flat_map(recordings) {
        match retimed(&recording.bytes, "100%", Found::all()) {
            Ok(same) => assert!(same == recording.bytes, "{}", recording.name),
            Err(Error::Impossible(_) | Error::NotARecording(_)) => {}
            Err(error) => panic!("{}: {error}", recording.name),
        }
    }
}

#[test]
fn quake_shows_the_same_at_other_times() {
    let mut blocks = 0;
    for recording in recordings(QUAKE).into_iter().filter(|it| it.bytes.len() < 200_000) {
        for speed in ["0.25", "3"] {
            let Ok(new) = retimed(&recording.bytes, speed, Found::all()) else { continue };
            let see = |file: &[u8]| {
                let mut all = Vec::new();
                // A truncated block stays as it is.
                play::<quake::World>(file, |block, head, _| {
                    if !block.is_truncated() {
                        all.push((head.world.view_hash(), f64::from(head.world.clock.now.value())));
                    }
                });
                all
            };
            let (before, after) = (see(&recording.bytes), see(&new));
            assert_eq!(before.len(), after.len(), "{}", recording.name);
            // The picture of such a clock at another speed is undefined.
            if before.iter().any(|(_, time)| time.is_nan() || time.abs() > 1e6) {
                continue;
            }
            let factor = 1.0 / Speed::parse(speed).unwrap().factor();
            for (at, pair) in before.iter().zip(&after).collect::<Vec<_>>().windows(2).enumerate() {
                let [(one, other), (next, other_next)] = pair else { unreachable!() };
                // An entity sent for the first time at an equal time may count as new at another one.
                assert_eq!(next.0, other_next.0, "{}: block {at} looks otherwise", recording.name);
                let (step, new_step) = (next.1 - one.1, other_next.1 - other.1);
                if step > 0.0 && one.1 > 0.0 && step < 1.0 {
                    let near = (new_step - step * factor).abs() < 1e-3 * (1.0 + other_next.1.abs() / 50.0);
                    assert!(near, "{}: block {at}: {step} became {new_step}", recording.name);
                }
            }
            blocks += before.len();
        }
    }
    assert!(blocks > 2000, "only {blocks} blocks");
}

/// How often each message comes that is no frame.
fn messages(file: &[u8]) -> BTreeMap<Vec<u8>, usize> {
    let mut all = BTreeMap::new();
    let mut context = moviola_format::Context::quake2();
    let mut demo = Demo::new(file).unwrap();
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let mut messages = block.messages::<Quake2>(context);
        let mut at = 0;
        while let Some(entry) = messages.next() {
            // The last string of a block may have no end.
            let bytes = &block.data[at..messages.pos()];
            at = messages.pos();
            if !matches!(
                entry.message,
                dm2::Message::FrameMessage(_) | dm2::Message::PlayerInfo(_) | dm2::Message::PacketEntities(_)
            ) {
                let bytes = bytes.strip_suffix(b"\0").unwrap_or(bytes);
                *all.entry(bytes.to_vec()).or_default() += 1;
            }
        }
        context = *messages.context();
    }
    all
}

#[derive(Default)]
struct Seen {
    views: Vec<u64>,
    frames: Vec<i32>,
    broken: usize,
    longest: usize,
    /// The entities that had events.
    events: BTreeSet<(u16, u8)>,
}

fn seen(file: &[u8]) -> Seen {
    let mut seen = Seen::default();
    let mut last = 0;
    play::<quake2::World>(file, |block, head, faulty| {
        seen.longest = seen.longest.max(block.data.len());
        seen.broken += usize::from(faulty);
        let frame = head.world.frame();
        if frame.number != last {
            last = frame.number;
            seen.frames.push(frame.number);
            let events = frame.entities.iter().filter(|it| it.event != 0);
            seen.events.extend(events.map(|it| (it.number, it.event)));
            seen.views.push(head.world.view_hash());
            seen.broken += usize::from(!matches!(frame.validity, Validity::Full | Validity::Delta));
        }
    });
    seen
}

#[test]
fn quake2_has_all_of_it_in_order() {
    let mut dice = Dice(0x7469_6d65);
    let (mut frames, mut speeds) = (0, ["0.3", "1/2", "2", "7.5"].iter().cycle());
    for recording in recordings(QUAKE2).into_iter().filter(|it| it.bytes.len() < 1_300_000) {
        let file = &recording.bytes[..];
        let before = seen(file);
        let Some(most) = before.frames.len().checked_sub(1).filter(|_| before.broken == 0) else { continue };
        for _ in 0..3 {
            let speed = speeds.next().unwrap();
            let (from, to) = (dice.below(most + 1), dice.below(most + 1));
            let [from, to] = [from.min(to), from.max(to)].map(|at| f64::from(before.frames[at]) / 10.0);
            let spans = Spans::parse(&format!("{from}..{to}")).unwrap();
            let Ok(found) = spans.find(file) else { continue };
            let name = format!("{}: {from}..{to} at {speed}", recording.name);
            let new = match retimed(file, speed, found) {
                Ok(new) => new,
                Err(Error::Impossible(_)) => continue,
                Err(error) => panic!("{name}: {error}"),
            };
            assert!(messages(file) == messages(&new), "{name}: messages are lost or said twice");
            let after = seen(&new);
            assert!(before.events == after.events, "{name}: events are lost");
            assert_eq!(after.broken, 0, "{name}: frames that cannot be drawn");
            assert!(after.longest <= before.longest.max(1392), "{name}: a block of {} bytes", after.longest);
            // The recording before the span, and behind it, looks as before.
            let inside = |number: i32| (from - 1e-3..=to + 1e-3).contains(&(f64::from(number) / 10.0));
            let first = before.frames.iter().position(|number| inside(*number)).unwrap();
            let rest = before.frames.iter().rev().position(|number| inside(*number)).unwrap();
            assert!(before.views[..first] == after.views[..first], "{name}: what is before");
            let tail = |all: &[u64]| all[all.len() - rest..].to_vec();
            assert!(tail(&before.views) == tail(&after.views), "{name}: what is behind");
            frames += after.frames.len();
        }
    }
    assert!(frames > 1000, "only {frames} frames");
}

#[test]
fn slow_motion_has_frames_on_the_way() {
    let sample = moviola_scribe::samples().into_iter().find(|it| it.name == "dm2-34-client").unwrap().bytes;
    let (before, after) = (seen(&sample), seen(&retimed(&sample, "0.25", Found::all()).unwrap()));
    assert_eq!((after.frames.len() - 1), (before.frames.len() - 1) * 4);
    assert!(after.frames.windows(2).all(|pair| pair[1] == pair[0] + 1));
}
