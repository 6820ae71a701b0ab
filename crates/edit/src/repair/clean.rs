//! The first step of repairing a block: removes its unreadable rest and the messages that disconnect the player.

use super::header::without_damage;
use crate::machinery::block_writer::is_open;
use moviola_format::{Context, Dialect, Game, Message, Messages, Quake, Quake2, dem, dm2};

/// A block whose messages can all be read.
#[derive(Debug, Default)]
pub(super) struct CleanBlock {
    pub(super) data: Vec<u8>,
    /// The number of removed bytes: unreadable ones, and those of a frame whose entities are missing.
    pub(super) lost: u64,
    /// Whether the last text lacked its NUL, which was added.
    pub(super) is_ended: bool,
    /// The number of removed messages that send the player away.
    pub(super) stops: u64,
    /// Whether the block has the `disconnect` with which a recording of Quake ends.
    pub(super) ends: bool,
}

/// The facts about a block that do not follow from its bytes.
#[derive(Clone, Copy)]
pub(super) struct BlockFacts<'s> {
    pub(super) context: &'s Context,
    /// The recording ends in it.
    pub(super) is_truncated: bool,
    /// Whether the block may be the last one, so that a `disconnect` in it is right.
    pub(super) may_end: bool,
}

/// Commands that make a player of Quake II leave the recording.
// not from SCHEMA: console commands; one is called like a message.
const LEAVING_COMMANDS: [&[u8]; 3] = [b"reconnect", b"changing", b"disconnect"];

/// Whether a message of Quake II, other than a `disconnect`, makes the player leave the recording or stops it.
pub(super) fn sends_away(message: &dm2::Message<'_>) -> bool {
    match message {
        dm2::Message::StuffText(text) => LEAVING_COMMANDS.contains(&text.string.bytes().trim_ascii()),
        dm2::Message::Reconnect(_) => true,
        // Engines add the size to their reading position: a negative one makes them read the message again.
        dm2::Message::Download(download) => download.piece.size < -1,
        _ => false,
    }
}

impl BlockFacts<'_> {
    /// The block without the bytes that cannot be read.
    pub(super) fn clean(&self, data: &[u8]) -> CleanBlock {
        match self.context.game {
            Game::Quake | Game::QuakeWorld => {
                self.keep_messages::<Quake>(data, |message, it| match message {
                    dem::Message::Disconnect(_) => {
                        it.ends |= self.may_end;
                        it.stops = it.stops.saturating_add(u64::from(!self.may_end));
                        self.may_end
                    }
                    _ => true,
                })
            }
            Game::Quake2 => self.keep_messages::<Quake2>(data, |message, it| match message {
                message if sends_away(message) => {
                    it.stops = it.stops.saturating_add(1);
                    false
                }
                dm2::Message::Disconnect(_) => {
                    it.stops = it.stops.saturating_add(u64::from(!self.may_end));
                    self.may_end
                }
                _ => true,
            }),
        }
    }

    fn keep_messages<D: Dialect>(
        &self,
        data: &[u8],
        mut stays: impl for<'m> FnMut(&D::Message<'m>, &mut CleanBlock) -> bool,
    ) -> CleanBlock {
        let mut clean = CleanBlock { data: Vec::with_capacity(data.len()), ..CleanBlock::default() };
        let mut messages = Messages::<D>::new(data, *self.context);
        // The start of a frame whose entities were not read yet.
        let (mut frame, mut at, mut last) = (None, 0, None);
        loop {
            let start_context = *messages.context();
            let Some(entry) = &messages.next() else { break };
            let bytes = data.get(at..messages.pos()).unwrap_or_default();
            at = messages.pos();
            last = None;
            if D::GAME == Game::Quake2 {
                match entry.message.op() {
                    dm2::FrameMessage::OP => frame = Some(clean.data.len()),
                    dm2::PacketEntities::OP => frame = None,
                    _ => {}
                }
            }
            if stays(&entry.message, &mut clean) {
                last = Some((bytes.len(), start_context));
                clean.data.extend_from_slice(bytes);
            }
        }
        let rest = messages.rest();
        clean.lost = rest.len() as u64;
        if !rest.is_empty()
            && !self.is_truncated
            && let Some((data, lost)) = without_damage(data, self.context)
        {
            return CleanBlock { data, lost: lost as u64, ..CleanBlock::default() };
        }
        let rest = rest.len();
        if let Some(from) = frame {
            // Engines cannot use a frame without entities.
            if !self.is_truncated {
                clean.lost = clean.lost.saturating_add(clean.data.len().saturating_sub(from) as u64);
            }
            clean.data.truncate(from);
        } else if let Some((length, context)) = last.filter(|_| rest == 0) {
            let from = clean.data.len().saturating_sub(length);
            if is_open(clean.data.get(from..).unwrap_or_default(), context) {
                // If the recording ends inside the text, its rest is missing too.
                if self.is_truncated {
                    clean.data.truncate(from);
                } else {
                    clean.data.push(0);
                    clean.is_ended = true;
                }
            }
        }
        clean
    }
}
