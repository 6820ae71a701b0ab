//! Keeps the bytes that were read until they have been compared.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// How many compared bytes may stay in the buffer.
const MAX_COMPARED: usize = 1 << 17;

#[derive(Debug, Default)]
struct Buffer {
    bytes: Vec<u8>,
    /// The end of the bytes that were compared.
    done: usize,
}

/// The kept bytes: little more than the bytes that are read ahead, which are one block.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptBytes(Rc<RefCell<Buffer>>);

impl KeptBytes {
    /// Removes the next bytes and compares them. `Err` has the offset of the first difference, and the bytes that were
    /// read.
    pub(crate) fn compare(&self, written: &[u8]) -> Result<(), (usize, Vec<u8>)> {
        let mut kept = self.0.borrow_mut();
        let rest = kept.bytes.get(kept.done..).unwrap_or_default();
        let read = rest.get(..written.len()).unwrap_or(rest);
        let outcome = if read == written {
            Ok(())
        } else {
            let differs = read.iter().zip(written).position(|(a, b)| a != b);
            Err((differs.unwrap_or(read.len().min(written.len())), read.to_vec()))
        };
        kept.done += read.len();
        outcome
    }

    /// The bytes that were read and never taken out.
    pub(crate) fn rest(&self) -> Vec<u8> {
        let kept = self.0.borrow();
        kept.bytes.get(kept.done..).unwrap_or_default().to_vec()
    }

    fn keep(&self, more: &[u8]) {
        let mut kept = self.0.borrow_mut();
        if kept.done > MAX_COMPARED {
            let done = std::mem::take(&mut kept.done);
            kept.bytes.drain(..done);
        }
        kept.bytes.extend_from_slice(more);
    }
}

/// A reader that keeps copies of its bytes.
#[derive(Debug)]
pub(crate) struct KeepingReader<R> {
    source: R,
    bytes: KeptBytes,
}

impl<R> KeepingReader<R> {
    pub(crate) fn new(source: R) -> (Self, KeptBytes) {
        let kept = KeptBytes::default();
        (Self { source, bytes: kept.clone() }, kept)
    }
}

impl<R: Read> Read for KeepingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.source.read(buffer)?;
        self.bytes.keep(buffer.get(..got).unwrap_or_default());
        Ok(got)
    }
}
