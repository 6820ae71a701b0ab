//! Quake II: the frames of a block, and the block with some of them encoded against other frames.

use super::Blocks;
use super::quake2 as bridge;
use crate::machinery::ordered::{Suspects, Visit};
use moviola_format::{Block, Context, Entry, Quake2, dm2};
use moviola_state::quake2::{Frame, World};
use moviola_state::{Playhead, World as _};
use std::sync::Arc;

/// A frame that is encoded again: against `base`, or in full if there is none.
#[derive(Clone, Copy)]
pub(crate) struct Reencoded<'f> {
    pub(crate) frame: &'f Frame,
    pub(crate) base: Option<&'f Frame>,
    /// The entities in which the two may differ, if they are known.
    pub(crate) suspects: Option<&'f Suspects>,
    /// Whether only the numbers of the frame and of its base are new, so that the differences between them stay as they
    /// were recorded.
    pub(crate) is_same: bool,
}

impl<'f> Reencoded<'f> {
    pub(crate) fn new(frame: &'f Frame, base: Option<&'f Frame>) -> Self {
        Self { frame, base, suspects: None, is_same: false }
    }
}

/// The frames of a block in their order, `None` for a frame without entities. `head` is the state before the
/// block.
pub(crate) fn frames(block: &Block<'_>, head: &Playhead<World>) -> Vec<Option<Arc<Frame>>> {
    play(block, &mut head.clone())
}

/// The same, but plays the block on `head` itself and not on a copy. A copy for each block would take longer than
/// all the rest, because whatever two copies share is copied once more where the block changes it.
pub(crate) fn play(block: &Block<'_>, head: &mut Playhead<World>) -> Vec<Option<Arc<Frame>>> {
    let mut frames = FramesOfBlock::default();
    frames.begin(block, head);
    let mut messages = block.messages::<Quake2>(head.context);
    while let Some(entry) = &messages.next() {
        frames.message(entry, messages.pos(), head);
    }
    frames.end(*messages.context(), head)
}

/// The part that a message of a block has in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockMessage {
    /// The bytes of the frame in the block.
    pub(crate) at: usize,
    pub(crate) end: usize,
    pub(crate) part: FramePart,
    /// The only client that it was for (Relay).
    unicast: Option<u8>,
}

/// The part of a frame that a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FramePart {
    Head,
    Player,
    Entities,
    /// The message does not belong to a frame.
    Nothing,
}

impl BlockMessage {
    fn of(entry: &Entry<dm2::Message<'_>>, end: usize) -> Self {
        let part = match entry.message {
            dm2::Message::FrameMessage(_) => FramePart::Head,
            dm2::Message::PlayerInfo(_) => FramePart::Player,
            dm2::Message::PacketEntities(_) => FramePart::Entities,
            _ => FramePart::Nothing,
        };
        Self { at: entry.at, end, part, unicast: entry.unicast }
    }
}

/// The frames of a block, for an edit that is handed the block's messages one by one and so need not read them again.
#[derive(Clone, Debug, Default)]
pub(crate) struct FramesOfBlock {
    frames: Vec<Option<Arc<Frame>>>,
    /// All messages of the block.
    pub(crate) messages: Vec<BlockMessage>,
    /// Whether the last frame has its entities and is not among `frames` yet. It is complete only when the next
    /// message of a frame or the end of the block comes.
    is_due: bool,
}

impl FramesOfBlock {
    /// A block begins; `head` is the state before it.
    pub(crate) fn begin(&mut self, block: &Block<'_>, head: &mut Playhead<World>) {
        self.frames.clear();
        self.messages.clear();
        self.is_due = false;
        head.world.begin_block(block);
    }

    /// Takes a message of the block, which ends at this place, and applies it to `head`.
    #[inline]
    pub(crate) fn message(
        &mut self,
        entry: &Entry<dm2::Message<'_>>,
        end: usize,
        head: &mut Playhead<World>,
    ) {
        let message = BlockMessage::of(entry, end);
        self.messages.push(message);
        let is_level = matches!(entry.message, dm2::Message::ServerData(_));
        if self.is_due && (is_level || message.part != FramePart::Nothing) {
            let mut done = head.world.clone();
            done.end_block();
            self.complete(&done);
        }
        head.world.apply(entry);
        match message.part {
            FramePart::Head => self.frames.push(None),
            FramePart::Entities => self.is_due = true,
            FramePart::Player | FramePart::Nothing => {}
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

    /// Takes the list that `end` returned back, so that the next block can use its memory.
    pub(crate) fn reuse(&mut self, mut frames: Vec<Option<Arc<Frame>>>) {
        frames.clear();
        self.frames = frames;
    }

    /// Puts the frame that has just ended in its place.
    fn complete(&mut self, world: &World) {
        self.is_due = false;
        if let Some(place) = self.frames.last_mut() {
            *place = Some(world.shared_frame());
        }
    }
}

/// The block with some frames encoded again. `frames` has an item for each frame; a frame with `None` stays unchanged.
/// The context is that of the block; of the world, only the baselines matter.
pub(crate) fn reencode(
    block: &Block<'_>,
    context: &Context,
    world: &World,
    frames: &[Option<Reencoded<'_>>],
) -> Vec<u8> {
    let (mut read, mut messages) = (Vec::new(), block.messages::<Quake2>(*context));
    while let Some(entry) = &messages.next() {
        read.push(BlockMessage::of(entry, messages.pos()));
    }
    let mut out = Vec::with_capacity(block.data.len());
    reencode_read(block, &read, context, world, frames, &mut out);
    out
}

/// Like [`reencode`], for a block whose messages were read already; appends its bytes.
pub(crate) fn reencode_read(
    block: &Block<'_>,
    messages: &[BlockMessage],
    context: &Context,
    world: &World,
    frames: &[Option<Reencoded<'_>>],
    out: &mut Vec<u8>,
) {
    let mut frames = frames.iter();
    let mut now: Option<&Reencoded<'_>> = None;
    for it in messages {
        if it.part == FramePart::Head {
            now = frames.next().and_then(Option::as_ref);
        }
        match (it.part, now) {
            (FramePart::Head, Some(anew)) => bridge::head(anew.frame, anew.base, context, out),
            (FramePart::Player, Some(anew)) if !anew.is_same => {
                if let Some(state) = anew.frame.player(it.unicast) {
                    bridge::player(it.unicast, state, anew.base, context, out);
                }
            }
            (FramePart::Entities, Some(anew)) if !anew.is_same => {
                let visit = anew.suspects.map_or_else(Visit::all, Suspects::visit);
                bridge::entities(anew.frame, anew.base, visit, world, context, out);
            }
            _ => out.extend_from_slice(block.data.get(it.at..it.end).unwrap_or_default()),
        }
    }
    let read = messages.last().map_or(0, |it| it.end);
    out.extend_from_slice(block.data.get(read..).unwrap_or_default());
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
