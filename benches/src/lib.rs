//! The jobs and the recordings that both benches measure.

#![forbid(unsafe_code)]

mod inputs;
mod jobs;

pub use inputs::{Input, chosen, committed, one_block, pressed};
pub use jobs::{
    compile, compile_pressed, copy, count_prints, cut, decompile, decompile_pressed, events, read,
    read_write, report, step,
};
