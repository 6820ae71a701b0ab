//! Shots with the view of another player, shots along the path of another recording, and shots without the status bar.

use crate::common::{real, seen};
use moviola_edit::{Camera, Cut, Error, Spans, rewrite};
use moviola_format::names::quake2::CS_STATUSBAR;
use moviola_format::{Angle16, Coord, Short8};
use moviola_state::quake2::Stat;
use moviola_state::{quake, quake2};

type Point = [f64; 3];

const QUAKE: &[u8] = include_bytes!("../../../../samples/qs_15_lq_e0m9.dem");
const QUAKE2: &[u8] = include_bytes!("../../../../samples/yq_sp.dm2");

/// The first and the last block of the shots.
const FIRST: usize = 100;
const LAST: usize = 220;

/// The height of a player's eyes.
const EYES: f64 = 22.0;

fn shot(words: &str) -> String {
    format!("[[shot]]\nat = '#{FIRST}..#{LAST}'\n{words}\n")
}

fn filmed(file: &[u8], words: &str) -> Vec<u8> {
    filmed_by(file, &shot(words))
}

fn filmed_by(file: &[u8], script: &str) -> Vec<u8> {
    let mut camera = Camera::parse(script).unwrap();
    camera.find(|| Ok(file)).unwrap();
    let mut edited = Vec::new();
    rewrite(file, &mut camera, &mut edited).unwrap();
    edited
}

/// The eyes and their angles after each block.
fn quake_eyes(file: &[u8]) -> Vec<Option<(Point, Point)>> {
    seen(file, |world: &quake::World| {
        let [x, y, z] = world.eyes()?.place.origin.map(Coord::value);
        let eye = [x, y, z + f64::from(world.vitals.view_height)];
        Some((eye, world.view.angles.map(|it| f64::from(it.value()))))
    })
}

fn quake2_eyes(file: &[u8]) -> Vec<Option<(Point, Point)>> {
    seen(file, |world: &quake2::World| {
        let state = world.drawn().player(None)?;
        let origin = state.origin.map(Short8::value);
        let eye = [0, 1, 2].map(|axis| origin[axis] + state.view_offset[axis].value());
        Some((eye, state.view_angles.map(Angle16::value)))
    })
}

fn distance(one: Point, other: Point) -> f64 {
    (0..3).map(|axis| (one[axis] - other[axis]).abs()).fold(0.0, f64::max)
}

fn turned(one: Point, other: Point) -> f64 {
    let turn = |axis: usize| ((one[axis] - other[axis] + 180.0).rem_euclid(360.0) - 180.0).abs();
    (0..3).map(turn).fold(0.0, f64::max)
}

#[test]
fn a_path_is_the_way_of_another_recording() {
    // The other recording is this one without its first blocks, so that the camera is ahead.
    const AHEAD: usize = 20;
    for (file, eyes) in [(QUAKE, quake_eyes as fn(&[u8]) -> _), (QUAKE2, quake2_eyes)] {
        let part = Spans::parse(&format!("#{}..", FIRST + AHEAD)).unwrap().find(file).unwrap();
        let mut ahead_recording = Vec::new();
        rewrite(file, &mut Cut::keep(part), &mut ahead_recording).unwrap();
        let mut camera = Camera::parse(&shot("path = 'other'")).unwrap();
        assert_eq!(camera.paths(), ["other"]);
        camera.find(|| Ok(file)).unwrap();
        camera.path("other", &ahead_recording[..]).unwrap();
        let mut edited = Vec::new();
        rewrite(file, &mut camera, &mut edited).unwrap();
        let (before, after) = (eyes(file), eyes(&edited));
        assert_eq!(before.len(), after.len());
        let mut moved = 0.0;
        for at in FIRST + 1..LAST - 1 {
            // Blocks differ in length: the camera is between the blocks around the time that is ahead.
            let (eye, angles) = after[at].unwrap();
            let near = |other: usize| {
                let (there, angles_there) = before[other].unwrap();
                (distance(eye, there), turned(angles, angles_there))
            };
            let around: Vec<(f64, f64)> = (at + AHEAD - 2..=at + AHEAD + 2).map(near).collect();
            let best = |part: fn(&(f64, f64)) -> f64| around.iter().map(part).fold(f64::MAX, f64::min);
            assert!(best(|it| it.0) < 20.0, "block {at}: {around:?}");
            assert!(best(|it| it.1) < 20.0, "block {at}: {around:?}");
            moved += distance(eye, before[at].unwrap().0);
        }
        assert!(moved > 100.0, "the camera is elsewhere than the player");
        for at in (0..FIRST).chain(LAST + 1..before.len()) {
            assert_eq!(before[at], after[at], "block {at}");
        }
    }
}

#[test]
fn a_path_needs_the_same_level_and_game() {
    let path = |other: &[u8]| {
        let mut camera = Camera::parse(&shot("path = 'other'")).unwrap();
        camera.find(|| Ok(QUAKE)).unwrap();
        match camera.path("other", other).unwrap_err() {
            Error::Impossible(why) => why,
            error => error.to_string(),
        }
    };
    assert_eq!(path(QUAKE2), "other is of another game");
    let elsewhere = include_bytes!("../../../../samples/quake1.07_DM1.dem");
    assert_eq!(
        path(elsewhere),
        "other is on maps/e1m4.bsp, not on maps/lq_e0m9.bsp: a path needs the same level"
    );
}

#[test]
fn an_entity_of_quake_lends_its_eyes() {
    const NUMBER: u16 = 13;
    let sent = seen(QUAKE, |world: &quake::World| {
        world.entity(NUMBER).filter(|it| it.is_shown(&world.clock)).map(|it| it.place)
    });
    let first = sent.iter().position(Option::is_some).unwrap();
    let last = first + 60;
    let script = format!("[[shot]]\nat = '#{first}..#{last}'\neyes = 'entity {NUMBER}'\n");
    let after = filmed_by(QUAKE, &script);
    let own = seen(QUAKE, |world: &quake::World| world.view.entity);
    let views = seen(&after, |world: &quake::World| world.view.entity);
    let eyes = quake_eyes(&after);
    let mut looked = 0;
    for at in 0..views.len() {
        let is_shot = (first..=last).contains(&at);
        assert_eq!(views[at], if is_shot { NUMBER as i16 } else { own[at] }, "block {at}");
        if let (true, Some(place)) = (is_shot, sent[at]) {
            let [x, y, z] = place.origin.map(Coord::value);
            let (eye, [_, yaw, _]) = eyes[at].unwrap();
            assert!(distance(eye, [x, y, z + EYES]) < 0.01, "block {at}");
            assert!(turned([0.0, yaw, 0.0], [0.0, place.angles[1].value(), 0.0]) < 0.01);
            looked += 1;
        }
    }
    assert!(looked > 20, "{looked}");
}

#[test]
fn another_players_body_leans_a_third_as_far_as_he_looks() {
    let Some(file) = real("ours/qs_15_dm2p.dem") else { return };
    let after = filmed_by(&file, "[[shot]]\nat = '#300..#420'\neyes = 'player 2'\n");
    let bodies = seen(&file, |world: &quake::World| world.entity(2).map(|it| it.place.angles[0].value()));
    let eyes = quake_eyes(&after);
    let mut differs = 0;
    for at in 320..420 {
        let (Some(body), Some((_, [pitch, ..]))) = (bodies[at], eyes[at]) else { continue };
        let wanted = ((body + 180.0).rem_euclid(360.0) - 180.0) * -3.0;
        differs += usize::from((pitch - wanted).abs() > 15.0);
    }
    // The pitch follows within a tenth of a second.
    assert!(differs < 12, "{differs}");
}

#[test]
fn an_entity_of_quake2_lends_its_eyes_and_its_body_is_hidden() {
    let frames = seen(QUAKE2, |world: &quake2::World| world.drawn().clone());
    let own_entity = seen(QUAKE2, quake2::World::own_entity)[FIRST];
    let is_good = |it: &&quake2::Entity| Some(it.number) != own_entity && it.models[0] > 1;
    let number = frames[FIRST].entities.iter().find(is_good).unwrap().number;
    let after = filmed(QUAKE2, &format!("eyes = 'entity {number}'"));
    let (eyes, filmed) = (quake2_eyes(&after), seen(&after, |world: &quake2::World| world.drawn().clone()));
    let mut looked = 0;
    for at in FIRST..LAST {
        let Some(body) = frames[at].entity(number) else { continue };
        let [x, y, z] = body.origin.map(Short8::value);
        let (eye, [_, yaw, _]) = eyes[at].unwrap();
        assert!(distance(eye, [x, y, z + EYES]) < 0.13, "block {at}");
        assert!(turned([0.0, yaw, 0.0], [0.0, body.angles[1].value(), 0.0]) < 0.1);
        assert_eq!(filmed[at].entity(number).unwrap().models, [0; 4], "the body hides the view");
        // The recorder is seen.
        let me = frames[at].player(None).unwrap().origin;
        let is_me =
            |it: &quake2::Entity| Some(it.number) != own_entity && it.origin == me && it.models[0] != 0;
        assert!(filmed[at].entities.iter().any(is_me), "block {at}");
        looked += 1;
    }
    assert!(looked > 50, "{looked}");
    assert_eq!(filmed[LAST + 5].entities, frames[LAST + 5].entities);
}

#[test]
fn quakes_status_bar_goes_and_comes_back() {
    let sizes = |words: &str| {
        let sizes = seen(&filmed(QUAKE, words), |world: &quake::World| {
            world.console.get("viewsize").map(|it| String::from_utf8_lossy(it).trim().to_owned())
        });
        [FIRST - 1, FIRST, LAST, LAST + 1].map(|at| sizes[at].clone().unwrap_or_default())
    };
    assert_eq!(sizes("chase = 'me'\nhud = false"), ["", "120", "120", "100"]);
    assert_eq!(sizes("chase = 'me'"), [""; 4]);
    // A shot up to the end of the recording, whose last message disconnects the player.
    let mut camera = Camera::parse("[[shot]]\nat = '#100..'\nchase = 'me'\nhud = false\nfov = 60\n").unwrap();
    camera.find(|| Ok(QUAKE)).unwrap();
    let mut edited = Vec::new();
    rewrite(QUAKE, &mut camera, &mut edited).unwrap();
    let settings = seen(&edited, |world: &quake::World| {
        ["viewsize", "fov"].map(|it| world.console.get(it).map(<[u8]>::to_vec).unwrap_or_default())
    });
    assert_eq!(settings[300], [b"120".to_vec(), b"60".to_vec()]);
    assert_eq!(settings.last().unwrap(), &[b"100".to_vec(), b"90".to_vec()]);
}

#[test]
fn quake2s_status_bar_goes_and_comes_back() {
    let bars = |file: &[u8]| {
        let all = seen(file, |world: &quake2::World| {
            let layouts = world.drawn().player(None).map_or(0, |it| it.stats[Stat::Layouts as usize]);
            (world.config.get(usize::from(CS_STATUSBAR)).to_vec(), layouts)
        });
        [FIRST - 1, FIRST + 1, LAST, LAST + 2].map(|at| all[at].clone())
    };
    let before = bars(QUAKE2);
    assert!(before.iter().all(|(bar, _)| bar.len() > 100));
    let after = bars(&filmed(QUAKE2, "chase = 'me'\nhud = false"));
    assert_eq!([&after[0], &after[3]], [&before[0], &before[3]]);
    assert_eq!([&after[1], &after[2]], [&(Vec::new(), 0); 2]);
    assert_eq!(bars(&filmed(QUAKE2, "chase = 'me'")).map(|it| it.0), before.map(|it| it.0));
}

#[test]
fn mistakes_of_standpoints_have_their_place() {
    let place = |words: &str| {
        let found = Camera::parse(&format!("[[shot]]\nat = '1..2'\n{words}\n")).unwrap_err();
        (found[0].line, found[0].column, found[0].length)
    };
    assert_eq!(place("eyes = 'me'"), (3, 8, 4));
    assert_eq!(place("eyes = 'player 2'\nview = 'me'"), (4, 8, 4));
    assert_eq!(place("eyes = 'player 2'\npath = 'x.dem'"), (4, 8, 7));
    assert_eq!(place("path = 7"), (3, 8, 1));
    assert_eq!(place("stay = [1, 2, 3]\nhud = 'off'"), (4, 7, 5));
}
