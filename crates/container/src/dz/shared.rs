//! The single zlib stream of version 1, which contains all files.

use crate::archive::metered;
use crate::fault::ContainerFault;
use crate::inflate::Inflate;
use crate::limits::{Budget, Metered};
use crate::section::Section;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the layer in error messages.
pub(super) const LAYER: &str = "Dzip";

/// The stream, with its current position. Reading the files in the order of the directory takes one pass; going back
/// takes another.
#[derive(Clone)]
pub(crate) struct SharedStream(Arc<Mutex<Stream>>);

struct Stream {
    data: Section,
    budget: Budget,
    inflate: Metered<Inflate<Section>>,
    offset: u64,
}

impl SharedStream {
    pub(crate) fn new(data: Section, budget: Budget) -> Self {
        let inflate = metered(Inflate::zlib(data.clone(), LAYER), &budget);
        Self(Arc::new(Mutex::new(Stream { data, budget, inflate, offset: 0 })))
    }
}

impl Stream {
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if at < self.offset {
            self.inflate = metered(Inflate::zlib(self.data.clone(), LAYER), &self.budget);
            self.offset = 0;
        }
        let missing = at.saturating_sub(self.offset);
        let skipped = io::copy(&mut self.inflate.by_ref().take(missing), &mut io::sink());
        if skipped.as_ref().ok() != Some(&missing) {
            // Its position is unknown after an error, so the next reader starts again.
            self.offset = u64::MAX;
            skipped?;
            return Err(ContainerFault::wrong(LAYER, "the stream of all files ends before this one"));
        }
        self.offset = at;
        let got = self.inflate.read(buffer).inspect_err(|_| self.offset = u64::MAX)?;
        self.offset = self.offset.saturating_add(got as u64);
        Ok(got)
    }
}

/// A part of the stream.
pub(crate) struct Piece {
    stream: SharedStream,
    offset: u64,
    end: u64,
}

impl Piece {
    pub(crate) fn new(stream: SharedStream, at: u64, length: u64) -> Self {
        Self { stream, offset: at, end: at.saturating_add(length) }
    }
}

impl Read for Piece {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let (buffer, _) = buffer.split_at_mut(left.min(buffer.len()));
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut stream = self.stream.0.lock().unwrap_or_else(PoisonError::into_inner);
        let got = stream.read_at(self.offset, buffer)?;
        self.offset = self.offset.saturating_add(got as u64);
        Ok(got)
    }
}
