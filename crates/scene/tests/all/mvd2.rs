//! An MVD2 is shown from the view of each of its players.

use moviola_scene::{Moment, NoFiles, SceneOptions, Seeker};
use std::path::Path;

#[test]
fn a_match_is_seen_through_each_players_eyes() {
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/scene/mvd2-2010");
    let file = std::fs::read(seed).unwrap();
    let mut seeker = Seeker::new(|| Ok(&file[..])).unwrap().unwrap();
    assert!(seeker.has_all());
    seeker.go(Moment::AfterBlock(3)).unwrap();
    assert_eq!(
        (seeker.reel().recorder_entity(), seeker.reel().leader()),
        (None, Some((1, "grunt".into(), 0)))
    );
    for player in [1, 2] {
        seeker.follow(player).unwrap();
        assert!(seeker.go(Moment::AfterBlock(1)).unwrap());
        assert_eq!((seeker.reel().recorder_entity(), seeker.reel().blocks()), (Some(player), 2));
        let scene = seeker.reel().scene(Moment::AfterBlock(1), &SceneOptions::plain(), &NoFiles);
        // Engines move the eye by a sixteenth, so that it is never exactly on a plane.
        assert_eq!(scene.camera.eye.map(|it| (it * 16.0) as i32), [1601, -155, 737]);
        assert!(scene.level.is_some_and(|level| &*level.file == "maps/q2dm1.bsp"));
        // Seeking back and forth leads to the same state.
        let behind = seeker.reel().state_hash();
        seeker.go(Moment::AfterBlock(4)).unwrap();
        seeker.go(Moment::AfterBlock(1)).unwrap();
        assert_eq!(seeker.reel().state_hash(), behind);
    }
}
