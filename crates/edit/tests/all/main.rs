//! The tests of the edits, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "what fails in a test or its helper fails the test"
)]

#[path = "../common/mod.rs"]
mod common;

mod actors;
mod block_writer;
mod camera;
mod camera_quakeworld;
mod capture;
mod chain;
mod convert;
mod convert_quakeworld;
mod cut;
mod damaged;
mod damaged_quakeworld;
mod every_command;
mod fuzz_seeds;
mod ghost;
mod highlights;
mod identity;
mod insert;
mod left;
mod lens;
mod lent;
mod mvd2;
mod quakeworld;
mod remedies;
mod replace;
mod retime;
mod sight;
mod squeeze;
mod standpoints;
mod strip;
mod subtitle;
mod traps;
mod view;
mod whole;
