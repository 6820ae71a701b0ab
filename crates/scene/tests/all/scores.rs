//! The scores of a deathmatch beside Quake's status bar.

use moviola_format::{Block, Game};
use moviola_scene::{Draw, Moment, NoFiles, Rect, Reel, Scene, SceneOptions};

/// A deathmatch of two, with the messages that start it.
const MATCH: &[u8] = b"\x0b\x0f\0\0\0\x02\x01Hall\0maps/hall.bsp\0\0\0\x05\x01\0\x0d\0Ann\0\x0d\x01Bob\0\
    \x03\0\x64\0\0\0\x19\x03\x07\0\0\x80\x3f\x80\x01";

/// The scene of the deathmatch after these further messages, in a picture of this width.
fn scene(width: i32, messages: &[u8]) -> Scene {
    let mut reel = Reel::new(Game::Quake);
    assert_eq!(reel.step(&Block::new(&[MATCH, messages].concat())), None);
    let options = SceneOptions { screen: [width, 360], ..SceneOptions::default() };
    reel.scene(Moment::AfterBlock(0), &options, &NoFiles)
}

/// The letters to the right of the scores in a picture of this width.
fn names(width: i32) -> String {
    let scene = scene(width, b"");
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

#[test]
fn a_score_has_the_colors_of_its_player_and_the_own_one_brackets() {
    // Ann wears 2 above 13, has 12 frags and records; Bob's colors are 0 and his frags 0.
    let scene = scene(640, b"\x11\0\x2d\x0e\0\x0c\0");
    let fills: Vec<(Rect, u8)> = scene
        .overlay
        .draws
        .iter()
        .filter_map(|draw| match draw {
            Draw::Fill { area, color, .. } => Some((*area, *color)),
            _ => None,
        })
        .collect();
    let of = |x, y, width, heights: [i32; 2], colors: [u8; 2]| {
        let [upper, lower] = heights;
        [(Rect::new(x, y, width, upper), colors[0]), (Rect::new(x, y + upper, width, lower), colors[1])]
    };
    let (ann, bob) = ([2 * 16 + 8, 13 * 16 + 8], [8, 8]);
    let on_bar = [of(194, 313, 28, [4, 3], ann), of(226, 313, 28, [4, 3], bob)];
    let beside = [of(324, 313, 40, [3, 4], ann), of(324, 321, 40, [3, 4], bob)];
    assert_eq!(fills, [on_bar, beside].concat().concat());
    let characters = |wanted: &[u8]| -> Vec<(u8, [i32; 2])> {
        let draws = scene.overlay.draws.iter();
        let all = draws.filter_map(|draw| match draw {
            Draw::Character { code, at } => Some((*code, *at)),
            _ => None,
        });
        all.filter(|(code, _)| wanted.contains(code)).collect()
    };
    assert_eq!(
        characters(&[16, 17]),
        [(16, [190, 312]), (17, [216, 312]), (16, [324, 312]), (17, [356, 312])]
    );
}
