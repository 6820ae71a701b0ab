//! Camera scripts: outside of its shots a recording looks as before, block by block; in them the camera is where the
//! script places it.

use crate::common::{Recording, recordings};
use moviola_edit::{BlockWriter, Camera, EditCode, Error, Rewrite, rewrite};
use moviola_format::{Block, Context, Demo, Entry, Piece, Quake2, dem, dm2};
use moviola_scribe::Game;
use moviola_state::{Playhead, World, quake, quake2};

/// The view of a world after each block: its hash, and the place of the camera.
fn views<W: World>(file: &[u8], eye: impl Fn(&W) -> Option<[f64; 3]>) -> Vec<(u64, Option<[f64; 3]>)> {
    let (mut world, mut context) = (W::default(), Context::of(<W::Dialect as moviola_format::Dialect>::GAME));
    let mut demo = Demo::new(file).unwrap();
    let mut all = Vec::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            world.apply_block(&block, &mut context);
            all.push((world.view_hash(), eye(&world)));
        }
    }
    all
}

/// The blocks that cannot be read to their ends.
fn torn<W: World>(file: &[u8]) -> Vec<bool> {
    let (mut demo, mut head) = (Demo::new(file).unwrap(), Playhead::<W>::new());
    let mut all = Vec::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            all.push(head.step(&block).is_some());
        }
    }
    all
}

/// The times in the middle of a recording, if it has any.
#[derive(Default)]
struct Times(Vec<f64>);

impl Rewrite for Times {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, _: &mut BlockWriter<'_>) {
        match &entry.message {
            dem::Message::Time(it) => self.0.push(f64::from(it.time.value())),
            // The last level is enough.
            dem::Message::ServerInfo(_) => self.0.clear(),
            _ => {}
        }
    }
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, _: &mut BlockWriter<'_>) {
        match &entry.message {
            dm2::Message::FrameMessage(it) => self.0.push(f64::from(it.head.seq1) / 10.0),
            dm2::Message::ServerData(_) => self.0.clear(),
            _ => {}
        }
    }
}

fn middle(file: &[u8]) -> Option<(f64, f64)> {
    let mut times = Times::default();
    rewrite(file, &mut times, std::io::sink()).unwrap();
    let times = times.0;
    let at = |part: usize| times.get(times.len() * part / 10).copied();
    let (from, to) = (at(3)?, at(7)?);
    (times.len() > 20 && from > 0.0 && to > from && to < 1e6).then_some((from, to))
}

const PLACE: [f64; 3] = [100.0, -200.0, 50.0];

/// Films the middle of every recording from one position, and counts the recordings and the filmed blocks.
fn film<W: World>(game: Game, eye: impl Fn(&W) -> Option<[f64; 3]> + Copy) -> (usize, usize) {
    let (mut filmed, mut all) = (0, 0);
    for Recording { name, bytes } in recordings(game) {
        // Larger recordings would take minutes.
        if bytes.len() > 2 << 20 {
            continue;
        }
        let Some((from, to)) = middle(&bytes) else { continue };
        let script = format!("[[shot]]\nat = '{from:.3}..{to:.3}'\nstay = {PLACE:?}\nturn = [10, 90]\n");
        let mut camera = Camera::parse(&script).unwrap();
        match camera.find(|| Ok(&bytes[..])) {
            Ok(()) => {}
            Err(Error::Mistakes(found)) if found[0].code == EditCode::NothingThere => continue,
            Err(error) => panic!("{name}: {error}"),
        }
        let mut edited = Vec::new();
        match rewrite(&bytes[..], &mut camera, &mut edited) {
            Ok(_) => {}
            // A server's recording has no camera, and there are recordings in which the game never begins.
            Err(Error::Impossible(_) | Error::Mistakes(_)) => continue,
            Err(error) => panic!("{name}: {error}"),
        }
        let (before, after) = (views(&bytes, eye), views(&edited, eye));
        assert_eq!(before.len(), after.len(), "{name}");
        // A block whose time is not in the span is not a part of the shot, whatever its number is.
        let changed: Vec<usize> = (0..before.len()).filter(|at| before[*at].0 != after[*at].0).collect();
        let is_there = |at: &&usize| after[**at].1.is_some_and(|it| distance(it, PLACE) < 0.2);
        let frames = changed.iter().filter(is_there).count();
        assert!(frames > 0, "{name}");
        // Of a block that cannot be read to its end, only the player is changed, since engines stop there. If a shot's
        // first block ends before the player's state, the eyes still have their old height.
        let torn = torn::<W>(&bytes);
        let elsewhere: Vec<&usize> =
            changed.iter().filter(|at| !is_there(at) && !torn[**at] && **at != changed[0]).collect();
        assert!(elsewhere.is_empty(), "{name}: {elsewhere:?}");
        all += frames;
        filmed += 1;
        let around = before.len() - changed.len();
        assert!(around > before.len() / 4, "{name}: {around} blocks are left as they were");
    }
    (filmed, all)
}

fn distance(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

#[test]
fn quake_is_filmed_from_elsewhere() {
    let eye = |world: &quake::World| {
        let [x, y, z] = world.eyes()?.place.origin.map(moviola_format::Coord::value);
        Some([x, y, z + f64::from(world.vitals.view_height)])
    };
    let (filmed, frames) = film::<quake::World>(Game::Quake, eye);
    assert!(filmed >= 10 && frames > 1000, "{filmed} {frames}");
}

#[test]
fn quake2_is_filmed_from_elsewhere() {
    let eye = |world: &quake2::World| {
        let state = world.drawn().player(None)?;
        let offset = state.view_offset;
        let [x, y, z] = state.origin.map(moviola_format::Short8::value);
        Some([x + offset[0].value(), y + offset[1].value(), z + offset[2].value()])
    };
    let (filmed, frames) = film::<quake2::World>(Game::Quake2, eye);
    assert!(filmed >= 2 && frames > 100, "{filmed} {frames}");
}

/// The recording with two frames in each block, where engines accept such a block.
fn in_pairs(file: &[u8]) -> Vec<u8> {
    let (mut demo, mut context) = (Demo::new(file).unwrap(), Context::quake2());
    let (mut paired, mut waiting) = (Vec::new(), Vec::new());
    let write = |bytes: &[u8], to: &mut Vec<u8>| {
        if !bytes.is_empty() {
            Piece::Block(Block::new(bytes)).write(moviola_format::Game::Quake2, to).unwrap();
        }
    };
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else {
            write(&std::mem::take(&mut waiting), &mut paired);
            piece.write(moviola_format::Game::Quake2, &mut paired).unwrap();
            continue;
        };
        let mut messages = block.messages::<Quake2>(context);
        let mut is_frame = false;
        for entry in messages.by_ref() {
            is_frame |= matches!(entry.message, dm2::Message::FrameMessage(_));
        }
        context = *messages.context();
        let is_second = is_frame && !waiting.is_empty() && waiting.len() + block.data.len() < 1400;
        if !is_second {
            write(&std::mem::take(&mut waiting), &mut paired);
        }
        waiting.extend_from_slice(block.data);
        if is_second || !is_frame {
            write(&std::mem::take(&mut waiting), &mut paired);
        }
    }
    write(&waiting, &mut paired);
    paired
}

/// All frames, in their order.
fn frames(file: &[u8]) -> Vec<quake2::Frame> {
    let (mut world, mut context) = (quake2::World::new(), Context::quake2());
    let mut demo = Demo::new(file).unwrap();
    let mut all = Vec::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let mut messages = block.messages::<Quake2>(context);
        for entry in messages.by_ref() {
            world.apply(&entry);
            if let dm2::Message::PacketEntities(_) = entry.message {
                let mut done = world.clone();
                done.end_block();
                all.push(done.frame().clone());
            }
        }
        assert_eq!((messages.fault(), world.out_of_place), (None, 0));
        world.end_block();
        context = *messages.context();
    }
    all
}

#[test]
fn every_frame_of_a_block_is_filmed() {
    let file = include_bytes!("../../../../samples/yq_sp.dm2");
    let paired = in_pairs(file);
    assert_eq!(frames(file), frames(&paired));
    let (from, to) = middle(file).unwrap();
    let script = format!("[[shot]]\nat = '{from:.3}..{to:.3}'\nstay = {PLACE:?}\nturn = [10, 90]\n");
    let [alone, two] = [&file[..], &paired].map(|file| {
        let mut camera = Camera::parse(&script).unwrap();
        camera.find(|| Ok(file)).unwrap();
        let mut edited = Vec::new();
        rewrite(file, &mut camera, &mut edited).unwrap();
        frames(&edited)
    });
    assert_eq!(alone.len(), two.len());
    let is_filmed = |frame: &quake2::Frame| {
        let at = frame.player(None).map(|it| it.origin.map(moviola_format::Short8::value));
        at.is_some_and(|at| distance(at, PLACE) < 0.2)
    };
    let (mut same, mut at_its_ends) = (0, 0);
    for (alone, two) in alone.iter().zip(&two) {
        assert!(two.validity.is_drawn() || !alone.validity.is_drawn());
        assert_eq!(alone.number, two.number);
        if is_filmed(alone) == is_filmed(two) {
            assert_eq!((&alone.players, &alone.entities), (&two.players, &two.entities));
            same += usize::from(is_filmed(two));
        } else {
            // A shot consists of whole blocks.
            at_its_ends += 1;
        }
    }
    assert!(same > 20 && at_its_ends <= 2, "{same} {at_its_ends}");
}

#[test]
fn a_shot_in_quake_has_its_own_field_of_view() {
    let file = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
    let (from, to) = middle(&file).unwrap();
    let script =
        format!("[[shot]]\nat = '{from:.3}..{to:.3}'\nstay = {PLACE:?}\nview = 'me'\nfov = [100, 60]\n");
    let mut camera = Camera::parse(&script).unwrap();
    camera.find(|| Ok(&file[..])).unwrap();
    let mut edited = Vec::new();
    rewrite(&file[..], &mut camera, &mut edited).unwrap();
    let (mut world, mut context) = (quake::World::default(), Context::of(moviola_format::Game::Quake));
    let (mut demo, mut seen) = (Demo::new(&edited[..]).unwrap(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        world.apply_block(&block, &mut context);
        let fov = world.console.get("fov").map(|it| String::from_utf8_lossy(it).into_owned());
        if seen.last() != Some(&fov) {
            seen.push(fov);
        }
    }
    let seen: Vec<f64> = seen.into_iter().flatten().map(|it| it.trim().parse().unwrap()).collect();
    assert_eq!((seen.first(), seen.last()), (Some(&100.0), Some(&90.0)), "{seen:?}");
    assert!(seen[..seen.len() - 1].iter().rev().is_sorted() && seen.len() > 2, "{seen:?}");
}

/// Each pass over a long recording takes nearly a second.
#[test]
fn shots_whose_words_say_where_they_are_need_no_pass_of_their_own() {
    let file = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
    let find = |places: &[&str]| {
        let shot = |at: &&str| format!("at = '{at}', stay = [0, 0, 0], turn = [[0, 90]]");
        let mut camera = Camera::shots(&places.iter().map(shot).collect::<Vec<_>>()).unwrap();
        let mut passes = 0;
        let found = camera.find(|| {
            passes += 1;
            Ok(&file[..])
        });
        (passes, found)
    };
    let passes = |places: &[&str]| {
        let (passes, found) = find(places);
        found.map(|()| passes).unwrap()
    };
    assert_eq!(passes(&["..", "#1..", "level 1, 0.."]), 1);
    assert_eq!(passes(&["..", "+0.."]), 2);
    // All mistakes are reported, of whichever kind the shots are.
    let (_, found) = find(&["#0..#1, #900..", "..", "+900..", "level 7"]);
    let Err(Error::Mistakes(mistakes)) = found else { panic!("{found:?}") };
    assert_eq!(mistakes.len(), 3, "{mistakes:?}");
}
