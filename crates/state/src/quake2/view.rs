//! Hashes the picture and sound that a person at the screen gets after a block.
//!
//! Models, sounds and pictures are hashed by name. Only the frame that is drawn counts: a frame whose base is gone
//! leaves the picture unchanged. The frame's number, the ring and the choice of the base do not count, and neither does
//! data that steers only a live client: movement, collisions, commands.

use super::{Happening, MomentKind, Sound, Stat, World, layout};
use crate::hash::{Fold, Hash64};

impl World {
    pub(super) fn fold_view(&self, hash: &mut Hash64) {
        self.server.title.fold(hash);
        self.server.client.fold(hash);
        self.disconnected.fold(hash);
        self.config.fold_view(hash);
        self.fold_frame(hash);
        for happening in self.moment.iter().filter(|happening| happening.is_perceived()) {
            let Happening { client, what } = happening;
            match what {
                MomentKind::Sound(sound) => {
                    hash.bytes(self.config.sound(sound.number));
                    let what = MomentKind::Sound(Sound { number: 0, ..*sound });
                    Happening { client: *client, what }.fold(hash);
                }
                _ => happening.fold(hash),
            }
        }
    }

    fn fold_frame(&self, hash: &mut Hash64) {
        let frame = self.drawn();
        frame.areas.fold(hash);
        hash.add(frame.players.len() as u64);
        for (client, state) in &frame.players {
            client.fold(hash);
            state.fold_view(&self.config, hash);
            let shown = layout::ShownOverlays::of(state.stat(Stat::Layouts));
            let Some(screen) = self.screen(*client) else { continue };
            if shown.layout {
                screen.layout.fold(hash);
            }
            if shown.inventory {
                screen.inventory.fold(hash);
            }
            screen.own.values().for_each(|text| text.fold(hash));
        }
        hash.add(frame.entities.len() as u64);
        for entity in &frame.entities {
            entity.fold_view(&self.config, hash);
        }
    }
}
