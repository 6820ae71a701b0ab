//! The scores of a deathmatch beside Quake's status bar.

use moviola_format::{Block, Game};
use moviola_scene::{Draw, Moment, NoFiles, Reel, SceneOptions};

/// A deathmatch of two, with the messages that start it.
const MATCH: &[u8] = b"\x0b\x0f\0\0\0\x02\x01Hall\0maps/hall.bsp\0\0\0\x05\x01\0\x0d\0Ann\0\x0d\x01Bob\0\
    \x03\0\x64\0\0\0\x19\x03\x07\0\0\x80\x3f\x80\x01";

/// The letters to the right of the scores in a picture of this width.
fn names(width: i32) -> String {
    let mut reel = Reel::new(Game::Quake);
    assert_eq!(reel.step(&Block::new(MATCH)), None);
    let options = SceneOptions { screen: [width, 360], ..SceneOptions::default() };
    let scene = reel.scene(Moment::Behind(0), &options, &NoFiles);
    let letters = scene.overlay.draws.iter().filter_map(|draw| match draw {
        Draw::Character { code, at: [x, y] } if *x >= 324 + 48 && *y >= 360 - 48 => Some(char::from(*code)),
        _ => None,
    });
    letters.collect()
}

#[test]
fn the_scores_are_beside_the_bar_where_there_is_room() {
    assert_eq!(names(640), "AnnBob");
    assert_eq!(names(500), "");
}
