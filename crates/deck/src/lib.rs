//! The deck: one open recording and its edits, for a page or a window.
//!
//! A [`Deck`] has pictures of moments, a timeline, the text of a block, and edits whose result is what it shows. It
//! knows neither pages nor files: bytes go in, bytes and plain values come out. `crates/web` makes WebAssembly of it,
//! and the program uses it to choose the files that a page needs.
//!
//! ```
//! use moviola_deck::Deck;
//! let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
//! let mut deck = Deck::open("run.dem", file.to_vec()).unwrap();
//! assert_eq!((deck.about().blocks, deck.about().seconds), (2, 0.1));
//! let frame = deck.draw(0.05, &Default::default());
//! assert_eq!(frame.rgba.len(), 640 * 360 * 4);
//! ```
#![forbid(unsafe_code)]

mod bytes;
mod clock;
mod deck;
mod drop;
#[cfg(feature = "whole")]
mod edits;
#[cfg(feature = "whole")]
mod inspection;
#[cfg(feature = "whole")]
mod linked;
mod overlay;
mod pack;
mod page;
#[cfg(feature = "whole")]
mod script;
#[cfg(feature = "whole")]
mod shot_path;
mod sound;
mod timeline;
mod view;

pub use bytes::SharedBytes;
pub use deck::{Deck, RecordingFacts};
pub use drop::{ArchivedRecording, Dropped, look_into};
#[cfg(feature = "whole")]
pub use inspection::{
    AuditFindingSummary, AuditSummary, EngineAnswer, FindingPlace, FindingSummary, RecordingInspection,
};
#[cfg(feature = "whole")]
pub use linked::LinkedMessage;
pub use pack::pack;
pub use page::{game_needed, page, page_with_player};
#[cfg(feature = "whole")]
pub use script::{EditedRecording, ScriptError, carried_out, edited};
pub use timeline::{Timeline, TimelineMark, Vitals};
pub use view::{MapView, PictureView};
