//! The slower or faster parts are complete, and the recording outside of the spans looks as before.

use crate::common::{Dice, recordings};
use moviola_edit::{Error, FoundSpans, Retime, Spans, Speed, rewrite};
use moviola_format::{
    Block, Context, Coord, Demo, Flags, Game, Piece, Quake2, Seconds, dem, dm2, write_message,
};
use moviola_state::quake2::Validity;
use moviola_state::{Playhead, World, quake, quake2};
use std::collections::{BTreeMap, BTreeSet};

const QUAKE: moviola_scribe::Game = moviola_scribe::Game::Quake;
const QUAKE2: moviola_scribe::Game = moviola_scribe::Game::Quake2;

fn retimed(file: &[u8], speed: &str, found: FoundSpans) -> Result<Vec<u8>, Error> {
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
        match retimed(&recording.bytes, "100%", FoundSpans::all()) {
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
            let Ok(new) = retimed(&recording.bytes, speed, FoundSpans::all()) else { continue };
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
            // With such times the picture is undefined, at any speed.
            if before.iter().any(|(_, time)| time.is_nan() || time.abs() > 1e6) {
                continue;
            }
            let factor = 1.0 / Speed::parse(speed).unwrap().factor();
            for (at, pair) in before.iter().zip(&after).collect::<Vec<_>>().windows(2).enumerate() {
                let [(one, other), (next, other_next)] = pair else { unreachable!() };
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

/// The number of each message, without frames.
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
            assert!(messages(file) == messages(&new), "{name}: messages are lost or doubled");
            let after = seen(&new);
            assert!(before.events == after.events, "{name}: events are lost");
            assert_eq!(after.broken, 0, "{name}: frames that cannot be drawn");
            assert!(after.longest <= before.longest.max(1392), "{name}: a block of {} bytes", after.longest);
            // Before the span and after it, the recording looks unchanged.
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

/// The bytes of the players' states and entities, frame by frame.
fn differences(file: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    play::<quake2::World>(file, |block, head, _| {
        let mut messages = block.messages::<Quake2>(head.context);
        let mut at = 0;
        while let Some(entry) = &messages.next() {
            let bytes = &block.data[std::mem::replace(&mut at, messages.pos())..messages.pos()];
            match entry.message {
                dm2::Message::FrameMessage(_) => all.push(Vec::new()),
                dm2::Message::PlayerInfo(_) | dm2::Message::PacketEntities(_) => {
                    all.last_mut().unwrap().extend_from_slice(bytes);
                }
                _ => {}
            }
        }
    });
    all
}

#[test]
fn frames_after_a_span_keep_the_bytes_of_their_deltas() {
    let file = std::fs::read("../../samples/yq_sp.dm2").unwrap();
    let found = Spans::parse("#30..#60").unwrap().find(&file[..]).unwrap();
    let (before, after) = (differences(&file), differences(&retimed(&file, "1/2", found).unwrap()));
    // The first frames after the span build on frames of the span, which have changed.
    let tail = |all: &[Vec<u8>]| all[all.len() - 60..].to_vec();
    assert!(after.len() > before.len() && tail(&before) == tail(&after));
}

#[test]
fn slow_motion_has_frames_on_the_way() {
    let sample = moviola_scribe::samples().into_iter().find(|it| it.name == "dm2-34-client").unwrap().bytes;
    let (before, after) = (seen(&sample), seen(&retimed(&sample, "0.25", FoundSpans::all()).unwrap()));
    assert_eq!((after.frames.len() - 1), (before.frames.len() - 1) * 4);
    assert!(after.frames.windows(2).all(|pair| pair[1] == pair[0] + 1));
}

fn smoothed(file: &[u8], speed: &str) -> Vec<u8> {
    let mut new = Vec::new();
    let speed = Speed::parse(speed).unwrap();
    rewrite(file, &mut Retime::new(speed, FoundSpans::all()).smoothed(), &mut new).unwrap();
    new
}

/// The time, the place of an entity and the yaw of the view after each block in which the game is on.
fn poses(file: &[u8], number: u16) -> Vec<(f64, f64, f64)> {
    let mut all = Vec::new();
    play::<quake::World>(file, |_, head, is_torn| {
        let world = &head.world;
        assert!(!is_torn);
        let entity = world.entity(number).filter(|it| world.signon == 4 && it.is_shown(&world.clock));
        if let Some(entity) = entity {
            let time = f64::from(world.clock.now.value());
            let [_, yaw, _] = world.view.angles;
            all.push((time, entity.place.origin[0].value(), f64::from(yaw.value())));
        }
    });
    all
}

#[test]
fn smooth_slow_motion_has_no_long_step_and_every_place_on_its_way() {
    for name in ["qs_15_lq_e0m9.dem", "qs_999_lq_e0m9.dem"] {
        let file = std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let (plain, smooth) = (retimed(&file, "1/8", FoundSpans::all()).unwrap(), smoothed(&file, "1/8"));
        let (before, after) = (poses(&plain, 1), poses(&smooth, 1));
        assert!(after.len() > 3 * before.len(), "{name}: {} of {}", after.len(), before.len());
        let (mut moved, mut turned) = (0, 0);
        for pair in before.windows(2) {
            let [(from, x, yaw), (to, next_x, next_yaw)] = pair else { unreachable!() };
            let between: Vec<_> = after.iter().filter(|(time, ..)| time > from && time < to).collect();
            if to - from > 2.0 || to <= from {
                continue;
            }
            let mut last = *from;
            let turn = (next_yaw - yaw + 180.0).rem_euclid(360.0) - 180.0;
            for (time, place, angle) in &between {
                assert!(time - last < 0.0507, "{name}: {last} to {time}");
                last = *time;
                let way = (time - from) / (to - from);
                let is_jump = (next_x - x).abs() > 100.0;
                let wanted = if is_jump { *x } else { x + (next_x - x) * way };
                assert!((place - wanted).abs() < 0.2, "{name}: {place}, not {wanted}, at {time}");
                let wrong = (angle - yaw - turn * way + 180.0).rem_euclid(360.0) - 180.0;
                assert!(is_jump || wrong.abs() < 0.1, "{name}: {angle} at {time}");
                moved += usize::from((next_x - x).abs() > 0.1);
                turned += usize::from(turn.abs() > 0.1);
            }
            assert!(to - last < 0.0507, "{name}: {last} to {to}");
        }
        assert!(moved > 100 && turned > 50, "{name}: {moved} {turned}");
        // The blocks of the recording are unchanged.
        let hashes = |file: &[u8]| {
            let mut all = Vec::new();
            play::<quake::World>(file, |_, head, _| all.push((head.world.clock.now, head.world.view_hash())));
            all
        };
        let (old, new) = (hashes(&plain), hashes(&smooth));
        let kept = old.iter().filter(|it| new.contains(it)).count();
        assert!(kept * 10 > old.len() * 9, "{name}: {kept} of {}", old.len());
    }
}

/// A Quake recording of a player and a monster that makes a step each tenth of a second; after the last step it is
/// teleported.
fn of_a_monster() -> Vec<u8> {
    fn put<'m>(bytes: &mut Vec<u8>, message: impl Into<dem::Message<'m>>) {
        write_message(&message.into(), bytes, &Context::quake());
    }
    let mut file = b"-1\n".to_vec();
    let mut block = |bytes: &[u8]| Piece::Block(Block::new(bytes)).write(Game::Quake, &mut file).unwrap();
    let mut bytes = Vec::new();
    put(&mut bytes, dem::SetView { entity: 1 });
    put(&mut bytes, dem::SignonNum { signon: 3 });
    block(&bytes);
    for tick in 0..40_u8 {
        bytes.clear();
        put(&mut bytes, dem::Time { time: Seconds::new(1.0 + f32::from(tick) / 20.0).into() });
        let x = if tick < 38 { f64::from(tick / 2) * 10.0 } else { 900.0 };
        for (number, x, bits) in [(1, 7.0, 0), (9, x, dem::UpdateEntity::new)] {
            let mut it = dem::UpdateEntity {
                origin_x: Coord::nearest(Context::quake().coord, x),
                ..Default::default()
            };
            (it.entity.0, it.modelindex.0) = (number, 2);
            let bits = bits | dem::UpdateEntity::origin_x | dem::UpdateEntity::modelindex;
            it.flags = moviola_format::UpdateBits::canonical(bits, &Context::quake());
            put(&mut bytes, it);
        }
        block(&bytes);
    }
    file
}

#[test]
fn a_monsters_steps_are_drawn_out() {
    let monster = poses(&smoothed(&of_a_monster(), "1/4"), 9);
    // The monster moves evenly, a tenth of a second later than its steps: 10 units in 0.4 s.
    for pair in monster.windows(2) {
        let [(from, x, _), (to, next, _)] = pair else { unreachable!() };
        let (from, to) = (from - 1.0, to - 1.0);
        let is_going = from > 0.45 && to < 7.5;
        if is_going {
            let speed = (next - x) / (to - from);
            assert!((20.0..30.0).contains(&speed), "{x} at {from}, {next} at {to}");
        }
        let jumps = (next - x).abs() > 20.0;
        assert!(!jumps || (next - 900.0).abs() < 0.1, "{x} {next}");
    }
    // Engines interpolate it from block to block.
    play::<quake::World>(&smoothed(&of_a_monster(), "1/4"), |_, head, _| {
        assert!(!head.world.entity(9).is_some_and(|it| it.step && it.seen.value() > 1.1));
    });
}
