//! Checks the reader of levels against the engines: entities that servers sent must be visible according to the level's
//! data.

use moviola_assets::{Bsp, around};
use moviola_format::{Coord, Demo, Piece, Short8};
use moviola_state::{Playhead, World, quake, quake2};

/// A level of the engine kit, if it is available beside the corpus.
fn level(path: &str) -> Option<Bsp> {
    let file = crate::common::corpus()?.join("../engine-kit").join(path);
    Some(Bsp::read(&std::fs::read(file).ok()?).unwrap())
}

/// For all moments of a recording: how many of the entities that were sent can be seen from the player's eyes, and how
/// many cannot.
fn seen<W: World>(
    file: &[u8],
    level: &Bsp,
    look: impl Fn(&W) -> Option<([f64; 3], Vec<[f64; 3]>)>,
) -> [usize; 2] {
    let mut demo = Demo::new(file).unwrap();
    let (mut head, mut counts) = (Playhead::<W>::new(), [0; 2]);
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        head.step(&block);
        let Some((eyes, things)) = look(&head.world) else { continue };
        let Some(visible) = level.visible(&around(eyes)) else { continue };
        for thing in things.into_iter().filter_map(|thing| level.cluster_at(thing)) {
            counts[usize::from(visible.get(thing) != Some(&true))] += 1;
        }
    }
    counts
}

#[test]
fn most_sent_entities_are_in_sight() {
    for (map, demo) in [
        ("quake/id1/maps/lqdm2.bsp", "ours/qs_15_dm2p.dem"),
        ("quake/id1/maps/lq_e0m9.bsp", "ours/qs_15_lq_e0m9.dem"),
    ] {
        let (Some(level), Some(file)) = (level(map), crate::common::real(demo)) else { return };
        let [seen, hidden] = seen::<quake::World>(&file, &level, |world| {
            let place = |entity: &quake::Entity| entity.place.origin.map(Coord::value);
            let [x, y, z] = place(world.eyes()?);
            let is_thing = |entity: &quake::Entity| {
                // Doors and lifts are parts of the level, and have no position of their own.
                let name = world.level.models.get(usize::from(entity.look.model));
                entity.look.model != 0 && !name.starts_with(b"*")
            };
            let things = world.shown().filter(|(_, it)| is_thing(it)).map(|(_, it)| place(it)).collect();
            Some(([x, y, z + f64::from(world.vitals.view_height)], things))
        });
        // An entity is also sent if only a corner of its box is visible.
        assert!(seen > 500 && hidden * 20 < seen, "{demo}: {seen} seen, {hidden} hidden");
    }
    let (Some(level), Some(file)) =
        (level("quake2/baseq2/maps/oracle2.bsp"), crate::common::real("ours/yq_cl2.dm2"))
    else {
        return;
    };
    let [seen, hidden] = seen::<quake2::World>(&file, &level, |world| {
        let frame = world.drawn();
        let eyes = frame.player(None)?;
        let [x, y, z] = eyes.origin.map(Short8::value);
        let things = frame.entities.iter().filter(|it| it.models.iter().any(|model| *model > 1));
        let things = things.map(|it| it.origin.map(Short8::value)).collect();
        Some(([x, y, z + eyes.view_offset.map(moviola_format::Quarters::value)[2]], things))
    });
    assert!(seen > 100 && hidden * 20 < seen, "{seen} seen, {hidden} hidden");
}

#[test]
fn a_camera_stays_on_its_side_of_the_walls() {
    let (Some(level), Some(file)) =
        (level("quake/id1/maps/lqdm2.bsp"), crate::common::real("ours/qs_15_dm2p.dem"))
    else {
        return;
    };
    let mut demo = Demo::new(&file[..]).unwrap();
    let (mut head, mut free, mut walled) = (Playhead::<quake::World>::new(), 0, 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        head.step(&block);
        let Some(eyes) = head.world.eyes().map(|it| it.place.origin.map(Coord::value)) else { continue };
        if level.cluster_at(eyes).is_none() {
            continue;
        }
        for turn in 0..8u8 {
            let (sine, cosine) = (f64::from(turn) * 0.785).sin_cos();
            let far = [eyes[0] + 300.0 * cosine, eyes[1] + 300.0 * sine, eyes[2] + 40.0];
            let end = level.reach(eyes, far);
            assert!(level.cluster_at(end).is_some(), "{eyes:?} to {far:?} ends in a wall at {end:?}");
            (free, walled) = if end == far { (free + 1, walled) } else { (free, walled + 1) };
        }
    }
    assert!(free > 100 && walled > 100, "{free} free, {walled} walled");
}
