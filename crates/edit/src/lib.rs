//! The cutting room: a recording into another recording.
//!
//! Every edit is a [`Rewrite`]: identity by default, override what changes. [`rewrite`] drives it over a recording
//! block by block; what it does not touch is copied as bytes. The edits of the house are types that implement it.
//!
//! Take the texts in the middle of the screen out of a recording of either game:
//!
//! ```
//! use moviola_edit::{Pen, Rewrite, rewrite};
//! use moviola_format::{Entry, dem, dm2};
//!
//! struct NoCenterPrints;
//!
//! impl Rewrite for NoCenterPrints {
//!     fn quake(&mut self, entry: &Entry<dem::Message<'_>>, pen: &mut Pen<'_>) {
//!         // What is not kept is gone.
//!         if !matches!(entry.message, dem::Message::CenterPrint(_)) {
//!             pen.keep();
//!         }
//!     }
//!     fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, pen: &mut Pen<'_>) {
//!         if !matches!(entry.message, dm2::Message::CenterPrint(_)) {
//!             pen.keep();
//!         }
//!     }
//! }
//!
//! let recording = b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x1ahi\0\x02";
//! let mut edited = Vec::new();
//! let summary = rewrite(&recording[..], &mut NoCenterPrints, &mut edited).unwrap();
//! assert_eq!(edited, b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x02");
//! assert_eq!(summary.to_string(), "1 block: 1 changed; 25 -> 21 bytes");
//! ```
#![forbid(unsafe_code)]

mod bridge;
mod camera;
mod capture;
mod chain;
mod convert;
mod cut;
mod drive;
mod error;
mod film;
mod fix_multi;
mod ghost;
mod highlights;
mod join;
mod mistake;
mod pen;
mod place;
mod players;
mod remedy;
mod repair;
mod retime;
mod rewrite;
mod script;
mod set;
mod signon;
mod span;
mod squeeze;
mod strip;
mod subtitle;
mod summary;
mod used;
mod view;

pub use camera::Camera;
pub use capture::Capture;
pub use chain::{Chain, Failed, Open};
pub use convert::Convert;
pub use cut::Cut;
pub use drive::{Out, Stage, Take, rewrite};
pub use error::Error;
pub use fix_multi::{FixMulti, Fixed, fix_multi};
pub use ghost::Ghost;
pub use highlights::highlights;
pub use join::join;
pub use mistake::{Code, Mistake};
pub use pen::Pen;
pub use place::Place;
pub use repair::{Damage, Repair};
pub use retime::{Retime, Speed};
pub use rewrite::{Identity, Rewrite};
pub use script::{Line, Script};
pub use set::Set;
pub use signon::Signon;
pub use span::{Event, Found, Kind, Level, Point, Span, Spans, levels};
pub use squeeze::Squeeze;
pub use strip::Strip;
pub use subtitle::{Cue, Subtitle};
pub use summary::Summary;
pub use view::View;
