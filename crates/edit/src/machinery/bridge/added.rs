//! Quake II: more entities in the frames of a recording, each frame encoded against its old base.

use super::quake2::LIMIT;
use super::reencode::{Reencoded, play, reencode};
use crate::{BlockWriter, Error};
use moviola_format::{Block, Context};
use moviola_state::Playhead;
use moviola_state::quake2::{Entity, Frame, World};
use std::collections::VecDeque;
use std::sync::Arc;

/// The frames that an edit writes into a recording of one player, with the entities that it adds.
#[derive(Clone)]
pub(crate) struct AddedEntities {
    /// The state after the current block, and the context before it.
    pub(crate) head: Playhead<World>,
    pub(crate) context: Context,
    sent: VecDeque<Frame>,
    /// Whether an entity was added to a frame of this level. Earlier frames are copied unchanged.
    is_used: bool,
    /// The number of frames with an added entity, and of blocks without room for one.
    pub(crate) shown: u64,
    pub(crate) full_blocks: u64,
}

/// How many frames a client holds.
const RING: usize = 16;

impl Default for AddedEntities {
    fn default() -> Self {
        let (head, sent) = (Playhead::default(), VecDeque::new());
        Self { context: head.context, head, sent, is_used: false, shown: 0, full_blocks: 0 }
    }
}

impl AddedEntities {
    /// A level begins.
    pub(crate) fn forget(&mut self) {
        self.sent.clear();
        self.is_used = false;
    }

    /// The frames of a block, as they were read.
    pub(crate) fn play(&mut self, block: &Block<'_>) -> Vec<Option<Arc<Frame>>> {
        self.context = self.head.context;
        play(block, &mut self.head)
    }

    /// Puts the entities that `more` has for each frame into the block. `frames` are the frames as they were read.
    pub(crate) fn put(
        &mut self,
        frames: &[Option<Arc<Frame>>],
        writer: &mut BlockWriter<'_>,
        mut more: impl FnMut(&Frame) -> Result<Vec<Entity>, Error>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        let (mut new_frames, mut is_added) = (Vec::new(), false);
        for frame in frames {
            let Some(frame) = frame.as_ref().filter(|frame| frame.validity.is_drawn()) else {
                new_frames.push(None);
                continue;
            };
            let mut new = Frame::clone(frame);
            for mut entity in more(frame)? {
                if let Some(old) = self.sent.back().and_then(|old| old.entity(entity.number)) {
                    entity.old_origin = old.origin;
                }
                let at = new.entities.partition_point(|it| it.number < entity.number);
                new.entities.insert(at, entity);
            }
            is_added |= new.entities.len() > frame.entities.len();
            new_frames.push(Some(new));
        }
        let mut bytes = self.encoded(&block, frames, &new_frames);
        if bytes.len() > LIMIT && bytes.len() > block.data.len() && is_added {
            self.full_blocks += 1;
            for (new, old) in new_frames.iter_mut().zip(frames) {
                if let (Some(new), Some(old)) = (new, old) {
                    new.entities.clone_from(&old.entities);
                }
            }
            bytes = self.encoded(&block, frames, &new_frames);
        }
        self.is_used |= is_added;
        if self.is_used && new_frames.iter().any(Option::is_some) {
            writer.clear();
            writer.put_bytes(&bytes);
        }
        for (new, old) in new_frames.into_iter().zip(frames) {
            let (Some(new), Some(old)) = (new, old) else { continue };
            self.shown += u64::from(new.entities.len() > old.entities.len());
            if self.sent.len() >= RING {
                self.sent.pop_front();
            }
            self.sent.push_back(new);
        }
        Ok(())
    }

    /// The block with these frames.
    fn encoded(
        &self,
        block: &Block<'_>,
        frames: &[Option<Arc<Frame>>],
        new_frames: &[Option<Frame>],
    ) -> Vec<u8> {
        let reencoded: Vec<Option<Reencoded<'_>>> = new_frames
            .iter()
            .zip(frames)
            .map(|(new, old)| {
                let (frame, old) = (new.as_ref()?, old.as_ref()?);
                let base = self.sent.iter().rev().find(|sent| old.base > 0 && sent.number == old.base);
                let in_block =
                    || new_frames.iter().flatten().find(|it| old.base > 0 && it.number == old.base);
                Some(Reencoded::new(frame, base.or_else(in_block)))
            })
            .collect();
        reencode(block, &self.context, &self.head.world, &reencoded)
    }
}
