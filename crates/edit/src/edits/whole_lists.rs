//! `WholeLists`: a player's recording of QuakeWorld in which no packet builds on an earlier one.

use crate::machinery::bridge::quakeworld::entities;
use crate::{BlockWriter, Rewrite};
use moviola_format::{Entry, qw};
use moviola_state::Playhead;
use moviola_state::quakeworld::World;

/// Writes each list of changed entities in a QWD as a whole list. A list of changes builds on a packet by its number,
/// and a client that gets the recording's messages from a server has other numbers.
///
/// ```
/// use moviola_edit::{WholeLists, rewrite};
/// let mut whole = Vec::new();
/// rewrite(&b"-1\n"[..], &mut WholeLists::default(), &mut whole).unwrap();
/// assert_eq!(whole, b"-1\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct WholeLists {
    head: Playhead<World>,
}

impl Rewrite for WholeLists {
    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.head.step(writer.block());
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if matches!(entry.message, qw::Message::DeltaPacketEntities(_)) && !writer.block().stamp.is_mvd() {
            let list = entities(&self.head.world, writer.context());
            writer.put_bytes(&list);
        } else {
            writer.keep();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::rewrite;
    use moviola_format::{Demo, Piece, Stamp};

    /// A hash of the visible state after each packet of a recording, and whether any packet builds on an earlier one.
    fn looks(recording: &[u8]) -> (Vec<u64>, bool) {
        let (mut demo, mut head) = (Demo::new(recording).unwrap(), Playhead::<World>::new());
        let (mut looks, mut builds) = (Vec::new(), false);
        while let Some(piece) = demo.next_piece().unwrap() {
            if let Piece::Block(block) = piece {
                head.step(&block);
                looks.push(moviola_state::World::view_hash(&head.world));
                if matches!(block.stamp, Stamp::Record { .. }) {
                    continue;
                }
                let mut messages = block.messages::<moviola_format::QuakeWorld>(head.context);
                builds |= messages.any(|it| matches!(it.message, qw::Message::DeltaPacketEntities(_)));
            }
        }
        (looks, builds)
    }

    #[test]
    fn no_packet_builds_on_an_earlier_one_and_all_look_the_same() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/ez_duo_lqdm2.qwd");
        let (recording, mut whole) = (std::fs::read(path).unwrap(), Vec::new());
        rewrite(&recording[..], &mut WholeLists::default(), &mut whole).unwrap();
        let (was, built) = looks(&recording);
        assert!(built, "the sample has no list of changes");
        assert_eq!(looks(&whole), (was, false));
    }
}
