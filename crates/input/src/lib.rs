//! Recordings of player input: DOOM's `.lmp` with its relatives in Heretic, Hexen and Strife, and Duke Nukem
//! 3D's `.dmo`.
//!
//! They hold the keys and turns of the players, tic by tic, but not the play that results. This crate
//! converts bytes to records and records to LMPC's text, both ways, and compares, edits and summarizes
//! recordings without the game.
//!
//! ```
//! use moviola_input::{InputTextOptions, compile, decompile};
//! use std::io::Cursor;
//! let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
//! let (mut text, mut again) = (Vec::new(), Vec::new());
//! decompile(&recording[..], &mut text, &InputTextOptions::default()).unwrap();
//! compile(&text[..], &mut again, Cursor::new(Vec::new())).unwrap();
//! assert_eq!(again, recording);
//! ```
#![forbid(unsafe_code)]

mod cache;
mod chart;
mod compare;
mod compile;
mod edit;
mod escape;
mod evidence;
mod fmt;
mod footer;
mod form;
mod header;
mod pack;
mod print;
mod reader;
mod record;
mod summary;
mod topics;
mod verdicts;
mod words;

pub use chart::plot;
pub use compare::{InputDifference, InputDifferences, TicChange, compare};
pub use compile::{InputCompiled, MISTAKES, compile};
pub use edit::{InputEdit, edit};
pub use evidence::{fits, games, kind, text_kind};
pub use fmt::format;
pub use print::{InputTextOptions, decompile};
pub use reader::layout;
pub use record::{TicInput, TicPlace};
pub use summary::{InputSummary, PressedKeys};
pub use topics::{explain, topics};
pub use verdicts::{InputCode, InputEngine, InputReport};
