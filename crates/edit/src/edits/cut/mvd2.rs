//! MVD2: each frame builds on the frame before it, so the first block of a part has to bring the whole state. It does so
//! with the message that begins a level; if an earlier part of the level was kept, only with the changes since then.

use crate::{BlockWriter, EditOutput, Error};
use moviola_format::mvd2::{MatchState, Message};
use moviola_format::{Block, Context, Mvd2, Piece};

/// Cuts an MVD2.
#[derive(Clone)]
pub(super) struct Cutter {
    /// The state after the last block, and the context of the next one.
    state: MatchState,
    context: Context,
    /// The level, and its state after the last block that was written.
    seen: Option<(u32, MatchState)>,
    /// Whether the last block was written.
    goes_on: bool,
}

impl Default for Cutter {
    fn default() -> Self {
        Self { state: MatchState::default(), context: Context::quake2(), seen: None, goes_on: false }
    }
}

impl Cutter {
    pub(super) fn block(
        &mut self,
        writer: &mut BlockWriter<'_>,
        is_kept: bool,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        if !is_kept && std::mem::take(&mut self.goes_on) {
            self.seen = Some((writer.place().level, self.state.clone()));
        }
        let had_level = self.state.has_level();
        let others = self.apply(&block);
        if !is_kept {
            return Ok(());
        }
        let continues = std::mem::replace(&mut self.goes_on, true);
        // A block that begins a level brings the state itself.
        let Some(others) = others.filter(|_| !continues && had_level) else { return writer.write(out) };
        let mut bytes = Vec::new();
        match self.seen.as_ref().filter(|(level, _)| *level == writer.place().level) {
            Some((_, seen)) => self.state.follow(seen, &mut bytes),
            None => self.state.write_beginning(&mut bytes),
        }
        bytes.extend(others);
        if bytes.len() > MAX_BLOCK {
            return Err(Error::Impossible(
                "the state at a cut is longer than a block of an MVD2 can be".into(),
            ));
        }
        writer.clear();
        writer.put_bytes(&bytes);
        writer.write(out)
    }

    /// Applies the messages of a block, and returns the messages that the state does not contain; `None` if the block
    /// begins a level.
    fn apply(&mut self, block: &Block<'_>) -> Option<Vec<u8>> {
        let mut messages = block.messages::<Mvd2>(self.context);
        let (mut others, mut at, mut begins) = (Vec::new(), 0, false);
        while let Some(entry) = messages.next() {
            self.state.apply(&entry.message);
            begins |= matches!(entry.message, Message::ServerData(_));
            if !matches!(entry.message, Message::FrameMessage(_) | Message::ConfigString(_)) {
                others.extend_from_slice(block.data.get(at..messages.pos()).unwrap_or_default());
            }
            at = messages.pos();
        }
        self.context = *messages.context();
        others.extend_from_slice(block.data.get(at..).unwrap_or_default());
        (!begins).then_some(others)
    }

    pub(super) fn end(out: &mut EditOutput<'_>) -> Result<(), Error> {
        if out.blocks() > 0 { out.piece(&Piece::EndOfMvd2) } else { Ok(()) }
    }
}

/// The length of a block is written with 16 bits.
const MAX_BLOCK: usize = u16::MAX as usize;
