//! A scene depends only on the recording, the moment and the camera: not on the way to the moment, nor on later blocks.
//! This is tested on every sample, and on damaged ones.

use moviola_format::{Demo, Piece};
use moviola_scene::{Moment, NoFiles, Reel, Scene, SceneOptions, Seeker};
use std::fs;
use std::path::{Path, PathBuf};

fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|it| it == "dem" || it == "dm2")).collect();
    files.sort();
    assert!(files.len() >= 4);
    files
}

fn at(reel: &Reel, moment: Moment) -> Scene {
    reel.scene(moment, &SceneOptions::default(), &NoFiles)
}

#[test]
fn a_seek_sees_what_a_playthrough_sees() {
    for path in samples() {
        let file = fs::read(&path).unwrap();
        let mut player = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
        let mut moments = Vec::new();
        let mut time = 0.3;
        while player.go(Moment::At(time)).unwrap() && time < 40.0 {
            moments.push((time, at(player.reel(), Moment::At(time))));
            time += 0.37;
        }
        assert!(moments.len() > 3, "{path:?}");
        let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
        for (time, scene) in moments.iter().rev().chain(&moments).step_by(5) {
            seeker.go(Moment::At(*time)).unwrap();
            let found = at(seeker.reel(), Moment::At(*time));
            assert!(found == *scene, "{path:?} at {time} s: another scene by a seek");
        }
    }
}

/// Engines show no picture before the game has begun, and an eye whose position is unknown would be at the world's
/// origin.
#[test]
fn a_recording_without_length_is_seen_again_after_its_end() {
    let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f";
    let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    seeker.go(Moment::At(f64::MAX)).unwrap();
    seeker.go(Moment::At(0.0)).unwrap();
    assert_eq!(seeker.reel().shown_block(Moment::At(0.0)), Some(0));
}

#[test]
fn no_moment_is_seen_from_the_origin_of_the_world() {
    for path in samples() {
        let file = fs::read(&path).unwrap();
        let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
        let mut check = |moment: Moment| {
            let is_there = seeker.go(moment).unwrap();
            let scene = at(seeker.reel(), moment);
            let away = scene.camera.eye.iter().map(|part| part.abs()).fold(0.0, f32::max);
            assert!(scene.level.is_some() && away > 30.0, "{path:?} {moment:?}: {:?}", scene.camera.eye);
            is_there
        };
        let mut time = 0.0;
        while check(Moment::At(time)) && time < 40.0 {
            time += 0.05;
        }
        for block in 0..1000 {
            if !check(Moment::AfterBlock(block)) {
                break;
            }
        }
    }
}

#[test]
fn after_a_block_is_the_state_of_that_block() {
    for path in samples() {
        let file = fs::read(&path).unwrap();
        let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
        for block in [400u64, 120, 121, 20] {
            if seeker.go(Moment::AfterBlock(block)).unwrap() {
                let mut reel = Reel::new(Demo::new(&file[..]).unwrap().game().unwrap());
                let mut demo = Demo::new(&file[..]).unwrap();
                // A level that is not shown yet has its first picture after some more blocks.
                while reel.blocks() < seeker.reel().blocks()
                    && let Some(piece) = demo.next_piece().unwrap()
                {
                    if let Piece::Block(block) = piece {
                        reel.step(&block);
                    }
                }
                assert!(block < 130 || reel.blocks() == block + 1, "{path:?}: {} blocks", reel.blocks());
                assert_eq!(seeker.reel().state_hash(), reel.state_hash());
                let one = at(&reel, Moment::AfterBlock(block));
                assert!(one == at(seeker.reel(), Moment::AfterBlock(block)), "{path:?} behind block {block}");
            }
        }
    }
}

#[test]
fn between_two_updates_things_move_evenly() {
    let path = samples().into_iter().find(|path| path.ends_with("qs_15_lq_e0m9.dem")).unwrap();
    let file = fs::read(path).unwrap();
    let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    let eyes: Vec<f32> = (0..40)
        .map(|step| {
            let time = 3.0 + f64::from(step) * 0.01;
            seeker.go(Moment::At(time)).unwrap();
            at(seeker.reel(), Moment::At(time)).camera.eye[1]
        })
        .collect();
    let steps: Vec<f32> = eyes.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    assert!(steps.iter().any(|step| *step > 0.5), "the player runs there: {eyes:?}");
    assert!(steps.iter().all(|step| *step < 8.0), "no step is a jump: {eyes:?}");
}

#[test]
fn the_sounds_of_a_scene_are_those_of_the_recording() {
    use moviola_state::Playhead;
    use moviola_state::quake::{Happening, World};
    let path = samples().into_iter().find(|path| path.ends_with("qs_15_lq_e0m9.dem")).unwrap();
    let file = fs::read(path).unwrap();
    let mut expected_scenes = Vec::new();
    let mut head = Playhead::<World>::new();
    let mut demo = Demo::new(&file[..]).unwrap();
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        head.step(&block);
        for happening in &head.world.moment {
            if let Happening::Sound(it) = happening {
                let name =
                    String::from_utf8_lossy(head.world.level.sounds.get(it.number.into())).into_owned();
                expected_scenes.push((
                    head.world.clock.now.value(),
                    it.source.entity,
                    format!("sound/{name}"),
                    it.volume.value() as f32,
                ));
            }
        }
    }
    let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    let mut played = std::collections::BTreeMap::new();
    let mut time = 0.0;
    loop {
        let goes_on = seeker.go(Moment::At(time)).unwrap();
        for sound in at(seeker.reel(), Moment::At(time)).sounds {
            played.insert(sound.id, sound);
        }
        time += 0.5;
        if !goes_on {
            break;
        }
    }
    let played: Vec<_> = played
        .into_values()
        .filter(|sound| {
            sound.voice.entity >= 0 && !sound.sample.ends_with("talk.wav") && !sound.sample.is_empty()
        })
        .map(|it| (it.clock as f32, it.voice.entity as u16, it.sample.to_string(), it.volume))
        .collect();
    assert!(expected_scenes.len() > 5, "{expected_scenes:?}");
    assert_eq!(played, expected_scenes);
}

/// Random bytes of samples are changed: every scene must still be possible, with finite and limited values.
#[test]
fn damage_never_stops_a_scene() {
    let mut seed = 7u64;
    let mut dice = move |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for path in samples() {
        let sound = fs::read(&path).unwrap();
        let sound = &sound[..sound.len().min(200_000)];
        for _ in 0..6 {
            let mut file = sound.to_vec();
            for _ in 0..file.len() / 200 {
                let at = 400.min(file.len() - 1) + dice(file.len().saturating_sub(400).max(1));
                if let Some(byte) = file.get_mut(at) {
                    *byte = dice(256) as u8;
                }
            }
            let Some(mut seeker) = Seeker::new(|| Ok(&file[..])).unwrap() else { continue };
            for time in [0.0, 1.0, 2.5, 4.0, 1.5, f64::MAX] {
                seeker.go(Moment::At(time)).unwrap();
                let scene = at(seeker.reel(), Moment::At(time.min(seeker.reel().seconds())));
                assert!(scene.camera.eye.iter().chain(&scene.camera.angles).all(|it| it.is_finite()));
                assert!(scene.models.iter().all(|it| it.place.iter().all(|part| part.is_finite())));
                assert!(scene.particles.len() <= 70_000 && scene.lights.len() <= 64);
            }
        }
    }
}
