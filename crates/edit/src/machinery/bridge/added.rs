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
    pub(crate) full: u64,
}

/// How many frames a client holds.
const RING: usize = 16;

impl Default for AddedEntities {
    fn default() -> Self {
        let (head, sent) = (Playhead::default(), VecDeque::new());
        Self { context: head.context, head, sent, is_used: false, shown: 0, full: 0 }
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

    /// Puts the entities that `more` has for each frame into the block. `all` has the frames as they were read.
    pub(crate) fn put(
        &mut self,
        all: &[Option<Arc<Frame>>],
        writer: &mut BlockWriter<'_>,
        mut more: impl FnMut(&Frame) -> Result<Vec<Entity>, Error>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        let (mut with, mut adds) = (Vec::new(), false);
        for frame in all {
            let Some(frame) = frame.as_ref().filter(|frame| frame.validity.is_drawn()) else {
                with.push(None);
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
            adds |= new.entities.len() > frame.entities.len();
            with.push(Some(new));
        }
        let mut bytes = self.encoded(&block, all, &with);
        if bytes.len() > LIMIT && bytes.len() > block.data.len() && adds {
            self.full += 1;
            for (new, old) in with.iter_mut().zip(all) {
                if let (Some(new), Some(old)) = (new, old) {
                    new.entities.clone_from(&old.entities);
                }
            }
            bytes = self.encoded(&block, all, &with);
        }
        self.is_used |= adds;
        if self.is_used && with.iter().any(Option::is_some) {
            writer.clear();
            writer.put_bytes(&bytes);
        }
        for (new, old) in with.into_iter().zip(all) {
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
    fn encoded(&self, block: &Block<'_>, all: &[Option<Arc<Frame>>], with: &[Option<Frame>]) -> Vec<u8> {
        let reencoded: Vec<Option<Reencoded<'_>>> = with
            .iter()
            .zip(all)
            .map(|(new, old)| {
                let (frame, old) = (new.as_ref()?, old.as_ref()?);
                let base = self.sent.iter().rev().find(|sent| old.base > 0 && sent.number == old.base);
                let in_block = || with.iter().flatten().find(|it| old.base > 0 && it.number == old.base);
                Some(Reencoded::new(frame, base.or_else(in_block)))
            })
            .collect();
        reencode(block, &self.context, &self.head.world, &reencoded)
    }
}
