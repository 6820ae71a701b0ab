//! Changed recordings, for all tests of verdicts.

// Several test files include this module, and not each of them uses every function.
#![allow(dead_code)]

use moviola_check::{CheckReport, Playability, check};
use moviola_scribe::{Sample, samples};

/// A recording in pieces: the bytes before the first block, the blocks with their heads, and what follows.
pub(crate) struct Cut {
    pub(crate) header: Vec<u8>,
    pub(crate) blocks: Vec<Vec<u8>>,
    pub(crate) tail: Vec<u8>,
    head: usize,
}

impl Cut {
    pub(crate) fn of(name: &str) -> Self {
        let Sample { bytes, header, .. } = samples().into_iter().find(|sample| sample.name == name).unwrap();
        let head = if name.starts_with("dem") { 16 } else { 4 };
        let (mut at, mut blocks) = (header, Vec::new());
        while let Some(length) = bytes.get(at..at + 4) {
            let length = i32::from_le_bytes(length.try_into().unwrap());
            let Some(block) =
                usize::try_from(length).ok().and_then(|length| bytes.get(at..at + head + length))
            else {
                break;
            };
            blocks.push(block.to_vec());
            at += block.len();
        }
        Self { header: bytes[..header].to_vec(), blocks, tail: bytes[at..].to_vec(), head }
    }

    /// Quake, as 1.09 writes it.
    pub(crate) fn quake() -> Self {
        Self::of("dem-15-v109")
    }

    /// Quake II, without the pieces of downloads that the sample has in its frames.
    pub(crate) fn quake2() -> Self {
        Self::of("dm2-34-isdemo-0")
    }

    pub(crate) fn block(&self, messages: &[u8]) -> Vec<u8> {
        let mut block = (messages.len() as i32).to_le_bytes().to_vec();
        block.resize(self.head, 0);
        block.extend_from_slice(messages);
        block
    }

    pub(crate) fn insert(mut self, at: usize, messages: &[u8]) -> Self {
        let block = self.block(messages);
        self.blocks.insert(at, block);
        self
    }

    /// Adds messages at the end of a block.
    pub(crate) fn append(mut self, at: usize, messages: &[u8]) -> Self {
        let old = self.blocks[at][self.head..].to_vec();
        self.blocks[at] = self.block(&[&old, messages].concat());
        self
    }

    /// Puts messages before the others of a block.
    pub(crate) fn prepend(mut self, at: usize, messages: &[u8]) -> Self {
        let old = self.blocks[at][self.head..].to_vec();
        self.blocks[at] = self.block(&[messages, &old].concat());
        self
    }

    /// Changes the bytes of the first block's messages.
    pub(crate) fn patch(mut self, block: usize, old: &[u8], new: &[u8]) -> Self {
        let bytes = &mut self.blocks[block];
        let at = bytes.windows(old.len()).position(|window| window == old).unwrap();
        bytes.splice(at..at + old.len(), new.iter().copied());
        let length = (bytes.len() - self.head) as i32;
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        [&self.header[..], &self.blocks.concat(), &self.tail].concat()
    }

    pub(crate) fn report(&self) -> CheckReport {
        let report = check(&self.bytes()[..]).unwrap();
        assert!(report.exact);
        report
    }

    #[track_caller]
    pub(crate) fn plays(&self, expected: &str) {
        plays(&self.report(), expected);
    }
}

/// One letter for each engine: Yes, Defects, Stops early, No, or `?`.
#[track_caller]
pub(crate) fn plays(report: &CheckReport, expected: &str) {
    let letter = |plays| match plays {
        Playability::Yes => 'Y',
        Playability::WithDefects => 'D',
        Playability::StopsEarly => 'S',
        Playability::No => 'N',
        Playability::Unknown => '?',
    };
    let found: String = report.engines.iter().map(|verdict| letter(verdict.plays)).collect();
    assert_eq!(found, expected, "{:#?}", report.engines);
}

/// Where a frame in the middle is.
pub(crate) const MIDDLE: usize = 12;
