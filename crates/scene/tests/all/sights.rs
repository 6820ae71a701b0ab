//! The times in which another player is in sight.

use moviola_scene::{Moment, NoFiles, SceneOptions, Seeker};

/// A block of a recording.
fn block(data: &[u8]) -> Vec<u8> {
    [&(data.len() as u32).to_le_bytes()[..], &[0; 12], data].concat()
}

/// A recording with ten blocks a second, in which entity 2 is seen in these blocks, ten units farther in each. It has two
/// levels of 80 blocks.
fn recording(seen: &[std::ops::Range<u16>]) -> Vec<u8> {
    let mut file = b"-1\n".to_vec();
    for number in 0..160u16 {
        let mut data = Vec::new();
        if number % 80 == 0 {
            data.extend(b"\x0b\x0f\0\0\0\x02\x01Hall\0maps/hall.bsp\0\0\0\x05\x01\0\x19\x03");
        }
        data.push(7);
        data.extend((1.0 + f32::from(number % 80) / 10.0).to_le_bytes());
        data.extend(b"\x80\x01");
        if seen.iter().any(|it| it.contains(&number)) {
            data.extend(b"\x83\x04\x02\x01");
            data.extend((number * 80).to_le_bytes());
        }
        file.extend(block(&data));
    }
    file
}

#[test]
fn short_gaps_are_left_out_and_levels_begin_anew() {
    let file = recording(&[10..20, 30..40, 65..70, 78..79, 81..90]);
    let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    let sights = seeker.sights(2).unwrap();
    let tenths: Vec<[i64; 2]> =
        sights.iter().map(|times| times.map(|time| (time * 10.0).round() as i64)).collect();
    // Between blocks 19 and 30 there are 1.1 seconds, which is a short gap; between 39 and 65 the gap is too long. The
    // clock does not run between the levels.
    assert_eq!(tenths, [[10, 39], [65, 78], [80, 88]]);
}

#[test]
fn in_these_times_the_eyes_are_the_players() {
    let file = recording(&[10..20, 30..40, 65..70, 81..90]);
    let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    let options = SceneOptions { who: Some(2), ..SceneOptions::default() };
    for [from, to] in seeker.sights(2).unwrap() {
        for part in 0..=50 {
            let moment = Moment::At(from + (to - from) * f64::from(part) / 50.0);
            seeker.go(moment).unwrap();
            let scene = seeker.reel().scene(moment, &options, &NoFiles);
            assert!(scene.camera.eye[0] > 90.0, "at {moment:?} the eyes are the recorder's");
        }
    }
}
