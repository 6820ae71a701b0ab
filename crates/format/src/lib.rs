//! Reads and writes every byte of Quake `.dem` and Quake II `.dm2` recordings, losing none.
//!
//! A [`Demo`] gives a file piece by piece: header, [`Block`]s, end mark, and bytes that are none of these. A block's
//! [`Messages`] are typed structs that borrow from it; [`Entry::write`] gives their bytes back. Each message is defined
//! in one row of a [`messages!`] table ([`dem`], [`dm2`]), as data in [`Message::SCHEMA`].
//!
//! Count the messages of a file by kind:
//!
//! ```
//! use moviola_format::{Context, Demo, Message, Piece, Quake};
//! use std::collections::BTreeMap;
//!
//! # fn main() -> std::io::Result<()> {
//! # let file = &b"-1\n\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x01\x02"[..];
//! let mut counts = BTreeMap::new();
//! let (mut demo, mut context) = (Demo::new(file)?, Context::quake());
//! while let Some(piece) = demo.next_piece()? {
//!     let Piece::Block(block) = piece else { continue };
//!     let mut messages = block.messages::<Quake>(context);
//!     for entry in messages.by_ref() {
//!         *counts.entry(entry.message.schema().name).or_insert(0) += 1;
//!     }
//!     context = *messages.context();
//! }
//! assert_eq!(counts["nop"], 2);
//! # Ok(())
//! # }
//! ```
//!
//! Print its chat, which begins with a byte 1:
//!
//! ```
//! use moviola_format::{Context, Demo, Piece, Quake, dem::Message, names::readable};
//!
//! # fn main() -> std::io::Result<()> {
//! # let file = &b"-1\n\x0c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\x01Bob: hi\n\0\x02"[..];
//! # let mut chat = Vec::new();
//! let (mut demo, mut context) = (Demo::new(file)?, Context::quake());
//! while let Some(piece) = demo.next_piece()? {
//!     let Piece::Block(block) = piece else { continue };
//!     let mut messages = block.messages::<Quake>(context);
//!     for entry in messages.by_ref() {
//!         if let Message::Print(print) = entry.message
//!             && let Some(text) = print.string.bytes().strip_prefix(b"\x01")
//!         {
//!             println!("{}", readable(text));
//! #           chat.push(readable(text));
//!         }
//!     }
//!     context = *messages.context();
//! }
//! # assert_eq!(chat, ["Bob: hi"]);
//! # Ok(())
//! # }
//! ```
//!
//! Drop a kind of message and write the rest:
//!
//! ```
//! use moviola_format::{Block, Context, Demo, Game, Piece, Quake, dem::Message};
//!
//! # fn main() -> std::io::Result<()> {
//! # let file = &b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x1ahi\0\x02"[..];
//! let (mut demo, mut context) = (Demo::new(file)?, Context::quake());
//! let (mut out, mut data) = (Vec::new(), Vec::new());
//! while let Some(piece) = demo.next_piece()? {
//!     let Piece::Block(block) = piece else {
//!         piece.write(Game::Quake, &mut out)?;
//!         continue;
//!     };
//!     data.clear();
//!     let mut messages = block.messages::<Quake>(context);
//!     while let Some(entry) = messages.next() {
//!         if !matches!(entry.message, Message::CenterPrint(_)) {
//!             entry.write(&mut data, messages.context());
//!         }
//!     }
//!     data.extend_from_slice(messages.rest());
//!     context = *messages.context();
//!     Piece::Block(Block { angles: block.angles, ..Block::new(&data) }).write(Game::Quake, &mut out)?;
//! }
//! assert_eq!(out, b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x02");
//! # Ok(())
//! # }
//! ```
//!
//! No real recordings of Quake II protocols 26 to 32, Relay, BJP 10001 and some mission-pack messages were
//! found. Tests make such recordings with an independent writer, straight from the documents.

#![forbid(unsafe_code)]
pub mod client;
mod codes;
mod console;
mod context;
mod danger;
pub mod deltas;
pub mod dem;
mod demo;
pub mod dm2;
pub mod entropy;
mod game;
mod header;
pub mod hidden;
mod info;
mod kinds;
mod length;
mod messages;
pub mod mvd2;
pub mod names;
mod normals;
pub mod q2pro;
pub mod qw;
mod rules;
mod scalar;
mod sniff;
mod stamp;
mod table;
mod trace;
mod wire;
mod words;

pub use client::ClientRecords;
pub use console::*;
pub use context::*;
pub use danger::{Danger, OpenCommand};
pub use dem::Quake;
pub use demo::*;
pub use dm2::Quake2;
pub use game::*;
pub use header::*;
pub use hidden::Hidden;
pub use info::*;
pub use kinds::*;
pub use length::*;
pub use messages::*;
pub use mvd2::Mvd2;
pub use names::Meaning;
pub use qw::QuakeWorld;
pub use scalar::*;
pub use sniff::*;
pub use stamp::{Audience, HeadFault, Stamp};
pub use table::*;
pub use trace::*;
pub use wire::*;
pub use words::words;
