//! The view from above over the bundled recordings: its moments are those at which the story has the players.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its sample has failed")]

use moviola_export::Story;
use moviola_film::OverheadRecording;
use moviola_scene::{Moment, SceneOptions, Seeker};
use std::fs;
use std::io::Cursor;
use std::path::Path;

#[test]
fn players_are_where_they_were_at_the_moment() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for name in ["qs_15_lq_e0m9.dem", "yq_sp.dm2", "ez_duo_lqdm2.qwd", "mvdsv_bots_lqdm2.mvd"] {
        let file = fs::read(samples.join(name)).unwrap();
        let story = Story::read_paths(&file[..], name).unwrap();
        let mut seeker = Seeker::new(|| Ok(Cursor::new(file.clone()))).unwrap().unwrap();
        let mut seen = 0;
        for sample in story.levels.iter().flat_map(|level| &level.samples).step_by(9) {
            let moment = Moment::AfterBlock(sample.block);
            seeker.go(moment).unwrap();
            let above = OverheadRecording::moment(seeker.reel(), moment, &SceneOptions::default());
            // The first blocks of a level may have a time before there is a picture.
            if above.block > sample.block {
                continue;
            }
            assert!(
                (above.time - f64::from(sample.time)).abs() < 0.01,
                "{name}: {} at {sample:?}",
                above.time
            );
            seen += 1;
        }
        assert!(seen >= 10, "{name}: {seen} places");
    }
}
