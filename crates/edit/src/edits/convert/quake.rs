//! Converts Quake's messages to another protocol, or to the form that the target engine reads.

use super::losses::Losses;
use super::survey::NewNumbers;
use super::target::Target;
use super::turn::MessageConversion;
use crate::{BlockWriter, EditOutput};
use moviola_check::CheckCode;
use moviola_format::{Block, Context, Entry, HeaderReader, dem};
use moviola_state::World as _;
use moviola_state::quake::{LAST_STAGE, World};
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};

/// The conversion of one recording of Quake.
#[derive(Clone, Default)]
pub(super) struct QuakeConverter {
    pub(super) target: Target,
    pub(super) world: World,
    /// The new numbers of the models and sounds of the next levels.
    fits: VecDeque<NewNumbers>,
    pub(super) fit: NewNumbers,
    /// The models that are shown, if all others are left out.
    shown_models: Option<BTreeSet<Vec<u8>>>,
    /// The context in which this level is written; `None` while the protocol stays.
    pub(super) context: Option<Context>,
    /// Whether the messages were made in memory and never read from bytes, so that all of them must be encoded.
    has_no_bytes: bool,
    spare: Vec<u8>,
}

impl QuakeConverter {
    pub(super) fn new(target: Target, fits: Vec<NewNumbers>) -> Self {
        Self { target, fits: fits.into(), ..Self::default() }
    }

    /// A converter for messages that were made from those of another game.
    pub(super) fn for_made_messages(target: Target, shown_models: Option<BTreeSet<Vec<u8>>>) -> Self {
        Self { target, has_no_bytes: true, shown_models, ..Self::default() }
    }

    /// The first line, as the engine reads it.
    pub(super) fn header<'l>(&self, line: &'l [u8]) -> Cow<'l, [u8]> {
        let rejected = HeaderReader::ALL.iter().zip(0i64..).any(|(reader, number)| {
            self.target.rejects(CheckCode::HeaderUnreadable, number)
                && reader.read(line).is_none_or(|it| it.length != line.len())
        });
        let track = HeaderReader::StepByStep.read(line).and_then(|it| it.track).unwrap_or(-1);
        if rejected { Cow::Owned(format!("{track}\n").into_bytes()) } else { Cow::Borrowed(line) }
    }

    /// The context for writing messages that were read in this context.
    fn target_context(&self, from: &Context) -> Context {
        self.context.unwrap_or(*from)
    }

    /// Whether unreadable bytes may stay: they are of the same protocol, and the engine does not stop at them.
    pub(super) fn keeps_unread(&self, code: CheckCode, value: i64) -> bool {
        self.context.is_none() && !self.target.rejects(code, value)
    }

    pub(super) fn message(
        &mut self,
        entry: &Entry<dem::Message<'_>>,
        writer: &mut BlockWriter<'_>,
        losses: &mut Losses,
    ) {
        let mut spare = std::mem::take(&mut self.spare);
        spare.clear();
        self.turned(entry, writer.context(), losses, &mut spare);
        if spare == writer.bytes() {
            writer.keep();
        } else if !spare.is_empty() {
            writer.put_bytes(&spare);
        }
        self.spare = spare;
    }

    /// Writes a message, which was read in this context, in the form of the target protocol.
    pub(super) fn turned(
        &mut self,
        entry: &Entry<dem::Message<'_>>,
        context: &Context,
        losses: &mut Losses,
        out: &mut Vec<u8>,
    ) {
        self.world.apply(entry);
        if let dem::Message::ServerInfo(it) = &entry.message {
            let mut from = *context;
            from.enter_level(it);
            let to = self.target.context(&from);
            self.context = (self.has_no_bytes || to.protocol != from.protocol).then_some(to);
            self.fit = self.fits.pop_front().unwrap_or_else(|| NewNumbers::first(it, &self.target, &from));
            if let Some(names) = &self.shown_models {
                self.fit = std::mem::take(&mut self.fit).of_models(it, &self.target, &from, names);
            }
        }
        let context = self.target_context(context);
        MessageConversion { side: self, context: &context, losses, out }.message(&entry.message);
    }

    /// Writes the block, split where it is too long, and padded so that the first engines find it.
    pub(super) fn block_end(
        &mut self,
        writer: &mut BlockWriter<'_>,
        losses: &mut Losses,
        out: &mut EditOutput<'_>,
    ) -> Result<(), crate::Error> {
        self.world.moment.clear();
        let block = *writer.block();
        if block.is_from_client() {
            let rejected = self.target.rejects(CheckCode::NegativeBlock, block.data.len() as i64);
            return if rejected { Ok(()) } else { writer.write(out) };
        }
        if writer.written().is_empty() && self.target.rejects(CheckCode::EmptyBlock, 0) {
            return Ok(());
        }
        if self.target.rejects(CheckCode::HeaderUnreadable, 0) {
            out.pad_any();
        }
        let limit = self.target.engine.and_then(|it| it.most(CheckCode::BlockSize)).unwrap_or(i64::MAX);
        if writer.written().len() as i64 <= limit {
            return writer.write(out);
        }
        if self.world.signon >= LAST_STAGE {
            losses.add_loss(format!("a block of the play is longer than {limit} bytes and stays so"));
            return writer.write(out);
        }
        let context = self.target_context(writer.context());
        let mut blocks =
            crate::machinery::bridge::Blocks::new(context, usize::try_from(limit).unwrap_or(usize::MAX));
        let long = Block::new(writer.written());
        let mut messages = long.messages::<moviola_format::Quake>(context);
        let mut at = 0;
        while messages.next().is_some() {
            let to = messages.pos();
            blocks.put_bytes(long.data.get(at..to).unwrap_or_default());
            at = to;
        }
        blocks.put_bytes(long.data.get(at..).unwrap_or_default());
        blocks.finish().iter().try_for_each(|messages| out.block(block.angles, messages))
    }
}
