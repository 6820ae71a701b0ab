//! A second reader of recordings, simple and slow, written directly from the documents and their errata. It shares no
//! code with the crates that it tests: it has its own bytes, messages and state, in hash maps and floating point. It
//! stops at a dialect that it does not know.
#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod bytes;
pub(crate) mod dem;
pub(crate) mod dem_messages;
pub(crate) mod dm2;
pub(crate) mod dm2_messages;

/// The reason why a block was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The bytes are meaningless, or they end too soon.
    Illegible,
    /// A protocol or an extension that this reader does not know.
    Foreign,
}

/// The result of reading.
pub(crate) type Read<T> = Result<T, Stop>;
