//! What both benches measure, and on what.

#![forbid(unsafe_code)]

mod inputs;
mod jobs;

pub use inputs::{Input, chosen, committed, one_block};
pub use jobs::{compile, copy, count_prints, cut, decompile, events, read, read_write, report, step};
