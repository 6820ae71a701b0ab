//! Recognizes blocks of Quake II that need no repair, as nearly all do, while the driver reads them. The rounds, which
//! read a block once for each question, look only at the other blocks.

use super::clean::sends_away;
use super::connect::{LEVEL, loads};
use super::engines::Origin;
use super::filter::engine_for;
use super::{Repair, frames};
use crate::BlockWriter;
use moviola_check::OpenBlock;
use moviola_format::dm2::SpawnBaseline;
use moviola_format::{Context, Entry, Flags, FrameForm, Game, dm2};

/// A block that is being read.
#[derive(Clone)]
pub(super) struct UsualBlock {
    open: OpenBlock,
    frame: FramePart,
    /// Whether a message was met on which the rounds must decide.
    is_unusual: bool,
    /// Whether the last message is a list of entities, which has no text at its end.
    ends_in_list: bool,
}

/// How far the block's frame was read.
#[derive(Clone, Copy)]
enum FramePart {
    Nothing,
    /// The frame's list of entities has not come yet. The frame builds on the frame with this number, if a client
    /// recorded it.
    Head(Option<i32>),
    Whole,
}

impl UsualBlock {
    fn see(&mut self, entry: &Entry<dm2::Message<'_>>, plays: bool, mender: &frames::Mender) {
        self.ends_in_list = false;
        let is_usual = match &entry.message {
            dm2::Message::FrameMessage(it) => {
                let is_first = matches!(self.frame, FramePart::Nothing);
                let is_clients = it.head.form == FrameForm::Client;
                self.frame = FramePart::Head(is_clients.then_some(it.head.seq2));
                is_first && plays && !mender.lacks_base(&it.head)
            }
            dm2::Message::PacketEntities(it) => {
                self.ends_in_list = true;
                let base = if let FramePart::Head(base) = self.frame { base } else { None };
                self.frame = FramePart::Whole;
                base.is_none_or(|base| !mender.removes_missing_entities(base, it))
            }
            dm2::Message::ConfigString(it) => it.index != LEVEL,
            dm2::Message::StuffText(it) => !loads(it.string) && !sends_away(&entry.message),
            dm2::Message::ServerData(_) | dm2::Message::Disconnect(_) => false,
            message => !sends_away(message),
        };
        self.is_unusual |= !is_usual;
    }
}

impl frames::Mender {
    /// Whether a list that changes the frame with this number removes entities which that does not have.
    fn removes_missing_entities(&self, base: i32, it: &dm2::PacketEntities<'_>) -> bool {
        const REMOVE: u32 = SpawnBaseline::remove;
        if it.entities.bits() & REMOVE == 0 {
            return false;
        }
        it.entities.heads().any(|(flags, number)| flags.has(REMOVE) && !self.holds(base, number))
    }
}

impl Repair {
    /// Begins a block if it is of the kind whose messages alone can show that it needs no repair.
    pub(super) fn begin_usual(&mut self, writer: &BlockWriter<'_>) -> Option<UsualBlock> {
        let block = writer.block();
        let (is_torn, is_hurt) = (
            self.framing_fixes.blocks.binary_search(&writer.place().offset).is_ok(),
            self.required.is_hurt(),
        );
        let can_be = self.pass.game == Some(Game::Quake2)
            && self.pass.context.as_ref() == Some(writer.context())
            && !writer.context().raw
            && !block.is_truncated()
            && !block.is_from_client()
            && !is_torn
            && !is_hurt;
        can_be.then(|| UsualBlock {
            open: self.stops.open_quake2(),
            frame: FramePart::Nothing,
            is_unusual: false,
            ends_in_list: false,
        })
    }

    /// Shows the block its next message.
    pub(super) fn see_usual(&mut self, entry: &Entry<dm2::Message<'_>>, context: &Context) {
        if let Some(block) = self.usual_block.as_mut().filter(|block| !block.is_unusual) {
            block.see(entry, self.pass.connection.plays(), &self.frames);
            self.stops.take_message(&mut block.open, entry, context);
        }
    }

    /// Plays the block and returns true if it needs no repair; otherwise the state is as before the block.
    pub(super) fn end_usual(&mut self, writer: &BlockWriter<'_>, origin: Origin) -> bool {
        let (Some(before), Some(mut block)) = (self.pass.context, self.usual_block.take()) else {
            return false;
        };
        let data = writer.block().data;
        let is_unfinished = matches!(block.frame, FramePart::Head(_));
        let is_open = || !block.ends_in_list && writer.ends_open();
        if block.is_unusual || is_unfinished || data.is_empty() || is_open() {
            self.stops.take_back(block.open);
            return false;
        }
        let played = self.stops.close(&mut block.open, data.len(), *writer.context());
        let engine = engine_for(if before.protocol == 0 { &played.after } else { &before });
        if engine.is_none_or(|engine| !played.problems(engine).is_empty()) {
            self.stops.take_back(block.open);
            return false;
        }
        self.pass.ends = false;
        self.played(data, &before, &played, origin);
        self.pass.context = Some(played.after);
        true
    }

    /// A part of the block cannot be read.
    pub(super) fn is_unusual(&mut self) {
        if let Some(block) = &mut self.usual_block {
            block.is_unusual = true;
        }
    }
}
