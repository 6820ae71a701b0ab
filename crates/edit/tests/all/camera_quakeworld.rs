//! A QWD that is filmed anew: the recorder is the camera, and is seen as another player.

use moviola_edit::{Camera, Error, Rewrite as _, View, rewrite};
use moviola_format::{Coord, Demo, Piece};
use moviola_state::Playhead;
use moviola_state::quakeworld::World;

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn filmed(file: &[u8], shot: &str) -> Result<Vec<u8>, Error> {
    let mut camera = Camera::shots(&[shot.to_owned()]).unwrap();
    camera.find(|| Ok(file))?;
    let mut out = Vec::new();
    rewrite(file, &mut camera, &mut out)?;
    Ok(out)
}

fn worlds(file: &[u8], mut see: impl FnMut(&World)) -> World {
    let (mut demo, mut head) = (Demo::new(file).unwrap(), Playhead::<World>::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            head.step(&block);
            see(&head.world);
        }
    }
    head.world
}

#[test]
fn the_camera_stands_and_the_player_is_there() {
    let file = sample("ez_duo_lqdm2.qwd");
    let shown = filmed(&file, "at = '+2..+4', stay = [100, 200, 300], view = 'me'").unwrap();
    let (mut frames, mut seen) = (0, 0);
    let me = usize::from(worlds(&file, |_| {}).recorder.unwrap().0);
    let after = worlds(&shown, |world| {
        let Some(body) = world.bodies.get(me) else { return };
        // The eyes are above the place of a player.
        let place = [100.0, 200.0, 278.0].map(|at| Coord::nearest(body.origin[0].kind(), at));
        if body.origin == place {
            frames += 1;
            let name = world.players[me].name();
            let others =
                world.players.iter().enumerate().filter(|(slot, it)| *slot != me && it.name() == name);
            let is_seen = |slot: usize| world.bodies[slot].seen == world.now;
            seen += others.filter(|(slot, _)| is_seen(*slot)).count();
            assert_eq!(world.stats[me][2], 0, "a weapon hangs in the picture");
        }
    });
    assert!(frames > 50 && seen > 50, "{frames}, {seen}");
    let before = worlds(&file, |_| {});
    assert_eq!((&after.stats, after.bodies[me]), (&before.stats, before.bodies[me]));
    let names = |world: &World| world.players.iter().filter(|it| it.is_here()).count();
    assert_eq!(names(&after), names(&before), "the one who stood in has left");
}

#[test]
fn a_match_is_filmed_as_the_view_of_a_player() {
    let file = sample("mvdsv_bots_lqdm2.mvd");
    let shot = "at = '+2..+4', chase = 'player 2'";
    assert!(filmed(&file, shot).is_err());
    let mut view = View::of_match(|| Ok(&file[..])).unwrap().unwrap();
    let mut seen = Vec::new();
    rewrite(&file[..], &mut view, &mut seen).unwrap();
    assert!(View::of_match(|| Ok(&seen[..])).unwrap().is_none());
    assert!(filmed(&seen, shot).is_ok());
}

/// A spectator in a lower slot is not the player through whose eyes a match is seen.
#[test]
fn a_match_is_seen_by_a_player_and_not_by_a_spectator() {
    let block = |data: &[u8]| [&[10, 6][..], &(data.len() as u32).to_le_bytes(), data].concat();
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let file = [
        block(&level),
        block(b"\x2d\0maps/hall.bsp\0\0\0"),
        block(b"\x28\0\x01\0\0\0\\*spectator\\1\\name\\Eve\0\x28\x03\x02\0\0\0\\name\\Bob\0\x09skins\n\0"),
        block(b"\x2a\x03\0\0\0"),
        block(b"\x02EndOfDemo\0"),
    ]
    .concat();
    let mut view = View::of_match(|| Ok(&file[..])).unwrap().unwrap();
    rewrite(&file[..], &mut view, &mut Vec::new()).unwrap();
    assert!(view.outcome().ends_with("of player 4"), "{}", view.outcome());
}
