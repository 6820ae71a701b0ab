//! QuakeWorld's recordings are seen: through the eyes of the recorder, and in a match of every player.

use moviola_format::{Block, Coord, Demo, Piece};
use moviola_scene::{Moment, NoFiles, Scene, SceneOptions, Seeker};
use moviola_state::Playhead;
use moviola_state::quakeworld::World;
use std::fs;
use std::path::PathBuf;

fn recordings() -> Vec<(String, Vec<u8>)> {
    let Some(root) = crate::corpus::corpus() else { return Vec::new() };
    let folder = fs::read_dir(root.join("qw/ours")).unwrap();
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "qwd" || it == "mvd"));
    paths.sort();
    assert!(paths.len() > 10);
    paths.into_iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

fn at(
    seeker: &Seeker<impl FnMut() -> std::io::Result<&'static [u8]>, &'static [u8]>,
    moment: Moment,
) -> Scene {
    seeker.reel().scene(moment, &SceneOptions::default(), &NoFiles)
}

fn leak(bytes: Vec<u8>) -> &'static [u8] {
    bytes.leak()
}

#[test]
fn a_seek_sees_what_a_playthrough_sees() {
    for (name, bytes) in recordings() {
        let bytes = leak(bytes);
        let mut player = Seeker::new(|| Ok(bytes)).unwrap().unwrap();
        let (mut moments, mut time) = (Vec::new(), 0.3);
        while player.go(Moment::At(time)).unwrap() && time < 25.0 {
            moments.push((time, at(&player, Moment::At(time))));
            time += 0.37;
        }
        let mut seeker = Seeker::new(|| Ok(bytes)).unwrap().unwrap();
        for (time, scene) in moments.iter().rev().chain(&moments).step_by(5) {
            seeker.go(Moment::At(*time)).unwrap();
            let found = at(&seeker, Moment::At(*time));
            assert!(found == *scene, "{name} at {time} s: another scene by a seek");
        }
    }
}

/// The places of all players after a block.
fn places(bytes: &[u8], block: u64) -> Vec<[f64; 3]> {
    let (mut demo, mut playhead) = (Demo::new(bytes).unwrap(), Playhead::<World>::new());
    while playhead.blocks <= block
        && let Some(piece) = demo.next_piece().unwrap()
    {
        if let Piece::Block(block) = piece {
            playhead.step(&block);
        }
    }
    playhead.world.bodies.iter().map(|body| body.origin.map(Coord::value)).collect()
}

#[test]
fn a_match_is_seen_through_the_eyes_of_each_player() {
    let Some((_, bytes)) = recordings().into_iter().find(|(name, _)| name.ends_with("bots.mvd")) else {
        return;
    };
    let bytes = leak(bytes);
    let mut seeker = Seeker::new(|| Ok(bytes)).unwrap().unwrap();
    assert!(seeker.has_all());
    seeker.walk(|_| {}).unwrap();
    let players = seeker.reel().players();
    assert!(players.len() >= 4, "{players:?}");
    let (leader, _, frags) = seeker.reel().leader().unwrap();
    assert!(frags > 0 && players.iter().any(|(number, _)| *number == leader));
    for (number, name) in players {
        seeker.follow(number).unwrap();
        assert_eq!(seeker.reel().recorder_entity(), Some(number));
        let moment = Moment::At(20.0);
        seeker.go(moment).unwrap();
        let scene = seeker.reel().scene(moment, &SceneOptions::plain(), &NoFiles);
        // The recording's clock begins with its first block.
        let places = places(bytes, seeker.reel().blocks());
        let [x, y, _] = places[usize::from(number) - 1];
        let [eye_x, eye_y, _] = scene.camera.eye.map(f64::from);
        assert!((x - eye_x).abs() < 40.0 && (y - eye_y).abs() < 40.0, "{name}: {x} {y}, eye {eye_x} {eye_y}");
        assert!(
            scene.level.is_some() && scene.models.iter().all(|it| it.entity != number),
            "{name} sees himself"
        );
        assert!(scene.models.iter().any(|it| &*it.file == "progs/player.mdl"), "{name} sees nobody");
    }
}

#[test]
fn blocks_of_one_time_are_one_beat_with_all_that_happens_in_them() {
    let Some((_, bytes)) = recordings().into_iter().find(|(name, _)| name.ends_with("bots.mvd")) else {
        return;
    };
    let bytes = leak(bytes);
    // Every sound of the recording, by its start.
    let (mut demo, mut playhead) = (Demo::new(bytes).unwrap(), Playhead::<World>::new());
    let mut starts = 0;
    let mut play = |block: &Block<'_>| {
        playhead.step(block);
        let heard = |it: &&moviola_state::quakeworld::Happening| {
            matches!(it, moviola_state::quakeworld::Happening::Sound { .. })
        };
        if playhead.world.seconds().is_some_and(|now| (1.0..20.0).contains(&now)) {
            starts += playhead.world.moment.iter().filter(heard).count();
        }
    };
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            play(&block);
        }
    }
    let mut seeker = Seeker::new(|| Ok(bytes)).unwrap().unwrap();
    let mut heard = std::collections::BTreeSet::new();
    for step in 0..=26 {
        let moment = Moment::At(f64::from(step));
        seeker.go(moment).unwrap();
        heard.extend(
            at(&seeker, moment)
                .sounds
                .iter()
                // The client itself plays a sound for chat.
                .filter(|it| {
                    (1.0..20.0).contains(&it.start) && !it.sample.contains("talk") && it.voice.entity >= 0
                })
                .map(|it| it.id),
        );
    }
    assert!(starts > 20 && heard.len().abs_diff(starts) * 50 <= starts, "{} of {starts} sounds", heard.len());
}

#[test]
fn a_spectator_has_no_body_before_the_eyes_that_he_follows() {
    for (_, bytes) in recordings().into_iter().filter(|(name, _)| name.ends_with("bots.qwd")) {
        let bytes = leak(bytes);
        let mut seeker = Seeker::new(|| Ok(bytes)).unwrap().unwrap();
        let moment = Moment::At(29.6);
        assert!(seeker.go(moment).unwrap());
        let options = SceneOptions { who: Some(1), ..SceneOptions::default() };
        let scene = seeker.reel().scene(moment, &options, &NoFiles);
        let is_near =
            |place: [f32; 3]| place.iter().zip(scene.camera.eye).all(|(it, eye)| (it - eye).abs() < 40.0);
        let near: Vec<_> = scene.models.iter().filter(|it| is_near(it.place)).collect();
        assert!(scene.models.len() > 3 && near.is_empty(), "{near:?}");
    }
}
