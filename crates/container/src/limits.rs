//! The limits for reading a container: the sizes in headers are not trusted, so the output is counted.
//!
//! Everything is read as a stream, so a decompression bomb costs time, which the limits bound, and no memory.

use crate::fault::ContainerFault;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The limits for one container, with everything nested in it.
///
/// ```
/// use moviola_container::Limits;
/// let limits = Limits { depth: 2, ..Limits::default() };
/// assert!(limits.total > 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The greatest number of bytes of output, counted at every layer.
    pub total: u64,
    /// The greatest ratio of the output to the size of the outermost file.
    ///
    /// One layer of deflate expands a byte to at most 1032, and a recording to far less: even one that
    /// contains only a pause to about twenty.
    pub ratio: u64,
    /// The number of bytes of output that are always allowed, at any ratio.
    pub free: u64,
    /// The greatest number of files in all directories together.
    pub entries: u64,
    /// The greatest depth of nested containers.
    pub depth: u32,
    /// The greatest length of a path, in bytes.
    pub name: usize,
    /// The greatest size of a nested archive that must be kept in memory to be read.
    ///
    /// A larger one needs [`WalkOptions::spill`](crate::WalkOptions::spill). Archives that are stored uncompressed
    /// are read in place, and gzip is a stream: neither counts.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total: 1 << 38,
            ratio: 250,
            free: 1 << 26,
            entries: 1 << 20,
            depth: 8,
            name: 1024,
            memory: 1 << 26,
        }
    }
}

/// The amounts used so far, shared by all readers of one container.
#[derive(Clone, Debug)]
pub(crate) struct Budget(Arc<Usage>);

#[derive(Debug)]
struct Usage {
    limits: Limits,
    /// The number of input bytes: the size of the outermost file, or the part of a stream read so far.
    input: AtomicU64,
    output: AtomicU64,
    entries: AtomicU64,
    /// Whether a limit was exceeded.
    over: AtomicBool,
}

impl Budget {
    pub(crate) fn new(limits: Limits, input: u64) -> Self {
        let [output, entries] = [AtomicU64::new(0), AtomicU64::new(0)];
        let over = AtomicBool::new(false);
        Self(Arc::new(Usage { limits, input: AtomicU64::new(input), output, entries, over }))
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Whether a limit was exceeded, so that no more output is allowed.
    pub(crate) fn is_over(&self) -> bool {
        self.0.over.load(Relaxed)
    }

    /// Marks that a limit was exceeded, and returns the error.
    fn exceed(&self, what: String) -> io::Error {
        self.0.over.store(true, Relaxed);
        ContainerFault::limit(what)
    }

    /// Counts bytes of input.
    fn count_input(&self, bytes: u64) {
        self.0.input.fetch_add(bytes, Relaxed);
    }

    /// Counts bytes of output.
    pub(crate) fn count_output(&self, bytes: u64) -> io::Result<()> {
        let Limits { total, ratio, free, .. } = self.0.limits;
        let output = self.0.output.fetch_add(bytes, Relaxed).saturating_add(bytes);
        let by_ratio = self.0.input.load(Relaxed).saturating_mul(ratio).max(free);
        if output > total {
            return Err(self.exceed(format!("more than {total} bytes come out of it, which is the limit")));
        }
        if output > by_ratio {
            let what =
                format!("more than {ratio} times its size comes out of it, as out of a decompression bomb");
            return Err(self.exceed(what));
        }
        Ok(())
    }

    /// Checks the depth of nested containers.
    pub(crate) fn check_depth(&self, depth: u32) -> io::Result<()> {
        let most = self.0.limits.depth;
        if depth > most {
            let what = format!("more than {most} containers stand in each other, which is the limit");
            return Err(self.exceed(what));
        }
        Ok(())
    }

    /// Counts the files of a directory.
    pub(crate) fn count_files(&self, entries: u64) -> io::Result<()> {
        let most = self.0.limits.entries;
        if self.0.entries.fetch_add(entries, Relaxed).saturating_add(entries) > most {
            return Err(self.exceed(format!("it names more than {most} files, which is the limit")));
        }
        Ok(())
    }
}

/// A reader whose bytes count as output.
pub(crate) struct Metered<R> {
    pub(crate) inner: R,
    pub(crate) budget: Budget,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.budget.count_output(got as u64)?;
        Ok(got)
    }
}

/// A stream whose bytes count as input.
pub(crate) struct CountedInput<R> {
    pub(crate) inner: R,
    pub(crate) budget: Budget,
}

impl<R: Read> Read for CountedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        self.budget.count_input(got as u64);
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_of_all_readers_is_counted_together() {
        let limits = Limits { total: 100, ratio: 10, free: 20, entries: 2, ..Limits::default() };
        let budget = Budget::new(limits, 3);
        assert!(budget.count_output(30).is_ok());
        assert!(budget.clone().count_output(1).is_err(), "ten times three is thirty");
        let mut nine = CountedInput { inner: io::repeat(0).take(9), budget: budget.clone() };
        assert_eq!(io::copy(&mut nine, &mut io::sink()).unwrap(), 9);
        assert!(budget.is_over(), "for all readers of it");
        assert!(budget.count_output(60).is_ok());
        assert!(budget.count_output(30).is_err(), "the total");
        assert!(budget.count_files(2).is_ok() && budget.count_files(1).is_err());
    }
}
