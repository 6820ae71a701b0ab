//! A match recorded by the server and by a client at the same time: both must have the same positions.

use moviola_format::{Demo, Piece};
use moviola_state::Playhead;
use moviola_state::quake2::{Frame, World};
use std::collections::HashMap;

/// The frames of a recording by their numbers, and the number of the recorder's own entity.
fn frames(file: &[u8]) -> (HashMap<i32, Frame>, Option<u16>) {
    let mut demo = Demo::new(file).unwrap();
    let mut head = Playhead::<World>::new();
    let mut frames = HashMap::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            head.step(&block);
            if head.world.frame().validity.is_drawn() {
                frames.insert(head.world.frame().number, head.world.frame().clone());
            }
        }
    }
    (frames, head.world.own_entity())
}

#[test]
fn client_and_server_agree() {
    let (Some(client), Some(server)) =
        (crate::common::real("ours/yq_cl2.dm2"), crate::common::real("ours/yq_srv.dm2"))
    else {
        return;
    };
    let ((client, own), (server, nobody)) = (frames(&client), frames(&server));
    assert_eq!(nobody, None);
    let own = own.expect("a client has an entity of his own");
    let (mut shared, mut entities, mut players) = (0, 0, 0);
    for (number, seen) in &client {
        let Some(known) = server.get(number) else { continue };
        shared += 1;
        for entity in &seen.entities {
            let truth = known.entity(entity.number).expect("the server knows what a client sees");
            assert_eq!(
                (entity.origin, entity.angles, entity.models, entity.frame, entity.skin, entity.effects),
                (truth.origin, truth.angles, truth.models, truth.frame, truth.skin, truth.effects),
                "entity {} of frame {number}",
                entity.number
            );
            entities += 1;
        }
        // The player's own state contains the position a second time.
        if let (Some(player), Some(truth)) = (seen.player(None), known.entity(own)) {
            assert_eq!(player.origin, truth.origin, "the player in frame {number}");
            players += 1;
        }
    }
    println!("{shared} frames are in both, with {entities} entities and {players} states of the player");
    assert!(shared > 200 && entities > 5000 && players > 200, "{shared} {entities} {players}");
}
