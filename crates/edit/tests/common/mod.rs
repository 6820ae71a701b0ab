//! The recordings that the tests run over: those of the worlds' tests.
#![allow(dead_code, unused_imports, reason = "each test uses its part")]

#[path = "../../../state/tests/common/mod.rs"]
mod state;

pub(crate) use state::{Dice, Recording, corpus, real, recordings};
