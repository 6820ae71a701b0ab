//! Quake II: the frames of a block, and the block with some of them encoded against other frames.

use super::Blocks;
use super::quake2 as bridge;
use moviola_format::{Block, Context, Quake2, dm2};
use moviola_state::quake2::{Frame, World};
use moviola_state::{Playhead, World as _};
use std::sync::Arc;

/// A frame that is encoded again: against `base`, or in full if there is none.
#[derive(Clone, Copy)]
pub(crate) struct Reencoded<'f> {
    pub(crate) frame: &'f Frame,
    pub(crate) base: Option<&'f Frame>,
}

/// The frames of a block in their order, `None` for a frame without entities. `head` is the state before the
/// block.
pub(crate) fn frames(block: &Block<'_>, head: &Playhead<World>) -> Vec<Option<Arc<Frame>>> {
    play(block, &mut head.clone())
}

/// The same, but takes `head` itself through the block instead of a copy. A copy for each block would take longer than
/// all the rest, because whatever two copies share is copied once more where the block changes it.
pub(crate) fn play(block: &Block<'_>, head: &mut Playhead<World>) -> Vec<Option<Arc<Frame>>> {
    let (world, mut frames) = (&mut head.world, Vec::new());
    // Whether the last frame has its entities and is not among `frames` yet. It is complete only when the next
    // message of a frame or the end of the block comes.
    let mut is_due = false;
    world.begin_block(block);
    let mut messages = block.messages::<Quake2>(head.context);
    for entry in messages.by_ref() {
        use dm2::Message::{FrameMessage, PacketEntities, PlayerInfo, ServerData};
        if is_due
            && matches!(entry.message, FrameMessage(_) | PlayerInfo(_) | PacketEntities(_) | ServerData(_))
        {
            let mut done = world.clone();
            done.end_block();
            end(&mut frames, &done);
            is_due = false;
        }
        world.apply(&entry);
        match entry.message {
            FrameMessage(_) => frames.push(None),
            PacketEntities(_) => is_due = true,
            _ => {}
        }
    }
    head.context = *messages.context();
    head.blocks = head.blocks.saturating_add(1);
    world.end_block();
    if is_due {
        end(&mut frames, world);
    }
    frames
}

/// Puts the frame that has just ended in its place.
fn end(frames: &mut [Option<Arc<Frame>>], world: &World) {
    if let Some(place) = frames.last_mut() {
        *place = Some(world.shared_frame());
    }
}

/// The block with some frames encoded again. `frames` has an item for each frame; a frame with `None` stays
/// as it is. The context is that of the block; of the world, only the baselines matter.
pub(crate) fn reencode(
    block: &Block<'_>,
    context: &Context,
    world: &World,
    frames: &[Option<Reencoded<'_>>],
) -> Vec<u8> {
    let mut out = Vec::with_capacity(block.data.len());
    let mut frames = frames.iter();
    let mut now: Option<&Reencoded<'_>> = None;
    let mut messages = block.messages::<Quake2>(*context);
    let mut at = 0;
    while let Some(entry) = &messages.next() {
        let bytes = block.data.get(at..messages.pos()).unwrap_or_default();
        at = messages.pos();
        if let dm2::Message::FrameMessage(_) = entry.message {
            now = frames.next().and_then(Option::as_ref);
        }
        match (&entry.message, now) {
            (dm2::Message::FrameMessage(_), Some(anew)) => {
                bridge::head(anew.frame, anew.base, context, &mut out);
            }
            (dm2::Message::PlayerInfo(_), Some(anew)) => {
                if let Some(state) = anew.frame.player(entry.unicast) {
                    bridge::player(entry.unicast, state, anew.base, context, &mut out);
                }
            }
            (dm2::Message::PacketEntities(_), Some(anew)) => {
                bridge::entities(anew.frame, anew.base, world, context, &mut out);
            }
            _ => out.extend_from_slice(bytes),
        }
    }
    out.extend_from_slice(messages.rest());
    out
}

/// Splits the messages of a block into several blocks that are not too long, each frame in one piece. Also
/// returns whether all of them are short enough.
pub(crate) fn short_blocks(written: &[u8], limit: usize, context: &Context) -> (Vec<Vec<u8>>, bool) {
    let mut blocks = Blocks::new(*context, limit);
    let block = Block::new(written);
    let mut messages = block.messages::<Quake2>(*context);
    // `start` is the beginning of the current piece.
    let (mut start, mut at) = (0, 0);
    while let Some(entry) = &messages.next() {
        if !matches!(entry.message, dm2::Message::PlayerInfo(_) | dm2::Message::PacketEntities(_)) {
            blocks.put_bytes(written.get(start..at).unwrap_or_default());
            start = at;
        }
        at = messages.pos();
    }
    blocks.put_bytes(written.get(start..at).unwrap_or_default());
    blocks.put_bytes(written.get(at..).unwrap_or_default());
    let blocks = blocks.finish();
    let fits = blocks.iter().all(|block| block.len() <= limit);
    (blocks, fits)
}
