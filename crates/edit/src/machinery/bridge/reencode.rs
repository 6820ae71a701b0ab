//! Quake II: the frames of a block, and the block with some of them encoded against other frames.

use super::Blocks;
use super::quake2 as bridge;
use moviola_format::{Block, Context, Entry, Quake2, dm2};
use moviola_state::quake2::{Frame, World};
use moviola_state::{Playhead, World as _};
use std::sync::Arc;

/// A frame that is encoded again: against `base`, or in full if there is none.
#[derive(Clone, Copy)]
pub(crate) struct Reencoded<'f> {
    pub(crate) frame: &'f Frame,
    pub(crate) base: Option<&'f Frame>,
    /// Whether only the numbers of the frame and of its base are new, so that the differences between them stay as they
    /// were recorded.
    pub(crate) is_same: bool,
}

impl<'f> Reencoded<'f> {
    pub(crate) fn new(frame: &'f Frame, base: Option<&'f Frame>) -> Self {
        Self { frame, base, is_same: false }
    }
}

/// The frames of a block in their order, `None` for a frame without entities. `head` is the state before the
/// block.
pub(crate) fn frames(block: &Block<'_>, head: &Playhead<World>) -> Vec<Option<Arc<Frame>>> {
    play(block, &mut head.clone())
}

/// The same, but takes `head` itself through the block instead of a copy. A copy for each block would take longer than
/// all the rest, because whatever two copies share is copied once more where the block changes it.
pub(crate) fn play(block: &Block<'_>, head: &mut Playhead<World>) -> Vec<Option<Arc<Frame>>> {
    let mut frames = FramesOfBlock::default();
    frames.begin(block, head);
    let mut messages = block.messages::<Quake2>(head.context);
    while let Some(entry) = &messages.next() {
        frames.message(entry, head);
    }
    frames.end(*messages.context(), head)
}

/// The frames of a block, for an edit that is handed the block's messages one by one and so need not read them again.
#[derive(Clone, Debug, Default)]
pub(crate) struct FramesOfBlock {
    frames: Vec<Option<Arc<Frame>>>,
    /// Whether the last frame has its entities and is not among `frames` yet. It is complete only when the next
    /// message of a frame or the end of the block comes.
    is_due: bool,
}

impl FramesOfBlock {
    /// A block begins; `head` is the state before it.
    pub(crate) fn begin(&mut self, block: &Block<'_>, head: &mut Playhead<World>) {
        self.frames.clear();
        self.is_due = false;
        head.world.begin_block(block);
    }

    /// A message of the block, by which `head` goes on.
    #[inline]
    pub(crate) fn message(&mut self, entry: &Entry<dm2::Message<'_>>, head: &mut Playhead<World>) {
        use dm2::Message::{FrameMessage, PacketEntities, PlayerInfo, ServerData};
        if self.is_due
            && matches!(entry.message, FrameMessage(_) | PlayerInfo(_) | PacketEntities(_) | ServerData(_))
        {
            let mut done = head.world.clone();
            done.end_block();
            self.complete(&done);
        }
        head.world.apply(entry);
        match entry.message {
            FrameMessage(_) => self.frames.push(None),
            PacketEntities(_) => self.is_due = true,
            _ => {}
        }
    }

    /// The block is over, and this is the context after it. Returns the block's frames in their order, `None` for a
    /// frame without entities.
    pub(crate) fn end(&mut self, after: Context, head: &mut Playhead<World>) -> Vec<Option<Arc<Frame>>> {
        head.context = after;
        head.blocks = head.blocks.saturating_add(1);
        head.world.end_block();
        if self.is_due {
            self.complete(&head.world);
        }
        std::mem::take(&mut self.frames)
    }

    /// Puts the frame that has just ended in its place.
    fn complete(&mut self, world: &World) {
        self.is_due = false;
        if let Some(place) = self.frames.last_mut() {
            *place = Some(world.shared_frame());
        }
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
            (dm2::Message::PlayerInfo(_), Some(anew)) if !anew.is_same => {
                if let Some(state) = anew.frame.player(entry.unicast) {
                    bridge::player(entry.unicast, state, anew.base, context, &mut out);
                }
            }
            (dm2::Message::PacketEntities(_), Some(anew)) if !anew.is_same => {
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
