//! Bridges: the messages that take a client from one state to another. Every cut is closed with one.

pub(crate) mod added;
pub(crate) mod quake;
pub(crate) mod quake2;
pub(crate) mod quakeworld;
pub(crate) mod reencode;

use moviola_format::{Context, Message, write_message};

/// Collects messages into blocks that are short enough for every engine.
#[derive(Debug)]
pub(crate) struct Blocks {
    context: Context,
    limit: usize,
    finished: Vec<Vec<u8>>,
    current: Vec<u8>,
    spare: Vec<u8>,
}

impl Blocks {
    pub(crate) fn new(context: Context, limit: usize) -> Self {
        Self { context, limit, finished: Vec::new(), current: Vec::new(), spare: Vec::new() }
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// Adds a message; one that does not fit any more begins the next block.
    pub(crate) fn put<'m, M: Message<'m>>(&mut self, message: &M) {
        self.spare.clear();
        write_message(message, &mut self.spare, &self.context);
        self.fit();
    }

    /// Adds a message that is bytes already.
    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) {
        self.spare.clear();
        self.spare.extend_from_slice(bytes);
        self.fit();
    }

    fn fit(&mut self) {
        if !self.current.is_empty() && self.current.len().saturating_add(self.spare.len()) > self.limit {
            self.end_block();
        }
        self.current.extend_from_slice(&self.spare);
    }

    /// Ends the current block.
    pub(crate) fn end_block(&mut self) {
        if !self.current.is_empty() {
            self.finished.push(std::mem::take(&mut self.current));
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Vec<u8>> {
        self.end_block();
        self.finished
    }
}

/// The bytes of a string on the wire, with its NUL.
pub(crate) fn wire(bytes: &[u8]) -> Vec<u8> {
    [bytes, &[0]].concat()
}
