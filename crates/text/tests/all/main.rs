//! The tests of the text, in one program so that linking happens once.

#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::naive_bytecount,
    clippy::format_collect,
    clippy::needless_for_each,
    clippy::excessive_precision,
    clippy::format_push_string,
    reason = "what fails in a test's helper fails the test"
)]

mod bare;
mod comments;
mod common;
mod diagnostics;
mod every_message;
mod floats;
mod layout;
mod lmpc;
mod lmpc_output;
mod lmpc_texts;
mod manual;
mod mistakes;
mod mvd2;
mod normal;
mod one_definition;
mod parts;
mod quakeworld;
mod recovery;
mod removed_entities;
mod round_trip;
mod single_mistakes;
mod small_kinds;
mod text_limits;
