//! The end of an MVD in the middle of it.
//!
//! QTV's streams go on behind a match's `EndOfDemo`, and so do recordings that somebody put one behind the other into one
//! file. `ezQuake` and FTE stop at the first end in a file, whatever follows.

use crate::machinery::bridge::quakeworld::last_block;
use moviola_format::qw::Disconnect;
use moviola_format::{Block, Piece, Stamp};

/// The ends of an MVD: each is held back until it is known whether anything follows.
#[derive(Default)]
pub(crate) struct EarlyEnd {
    held: Option<(Block<'static>, Vec<u8>)>,
    /// The number of the first block whose end was left out.
    first: Option<u64>,
    /// Whether no end has come since then.
    is_missing: bool,
}

impl EarlyEnd {
    /// Holds a piece back if it is a block that ends an MVD. Writers put the end alone or last into a block.
    pub(crate) fn holds(&mut self, piece: &Piece<'_>) -> bool {
        let Piece::Block(block) = piece else { return false };
        let is_alone = || block.data.first() == Some(&Disconnect::SCHEMA.op);
        let ends = || is_alone() || block.data.ends_with(&last_block(true, 0).1);
        let is_server = matches!(block.stamp, Stamp::Mvd { .. }) && !block.stamp.is_hidden();
        if !is_server || block.is_truncated() || !ends() {
            return false;
        }
        self.held = Some((Block { data: &[], ..*block }, block.data.to_vec()));
        true
    }

    /// The block that was held back, whose number this is. Its end is left out if more follows.
    pub(crate) fn release(&mut self, number: u64, goes_on: bool) -> Option<(Block<'static>, Vec<u8>)> {
        let held = self.held.take()?;
        self.is_missing = goes_on;
        self.first = self.first.or(goes_on.then_some(number));
        Some(held)
    }

    /// The end that belongs behind the last block, because an earlier one was left out.
    pub(crate) fn missing(&mut self) -> Option<(Stamp, Vec<u8>)> {
        std::mem::take(&mut self.is_missing).then(|| last_block(true, 0))
    }

    /// What was done, for the summary of the edit.
    pub(crate) fn note(&self) -> Option<String> {
        let number = self.first?;
        Some(format!("the end in block {number} was left out, since players would stop there"))
    }
}
