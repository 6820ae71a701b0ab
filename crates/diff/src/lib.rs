//! The differences between two recordings.
//!
//! [`diff`] compares message by message: blocks are aligned by their contents, so that insertions and cuts
//! are found, and within blocks that changed the messages are aligned and compared field by field.
//! [`diff_views`] compares the pictures that a person sees, regardless of the bytes.
//!
//! Both recordings are read twice. Between the readings a few bytes are kept of each block; otherwise there is one
//! block of each in memory.
//!
//! ```
//! let a = b"-1\n\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x20\x02\x02";
//! let b = b"-1\n\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x20\x02\x03";
//! let mut seen = Vec::new();
//! let totals = moviola_diff::diff(|| Ok(&a[..]), || Ok(&b[..]), &mut |change| {
//!     seen.push(change);
//!     Ok(())
//! })
//! .unwrap();
//! assert!(!totals.is_same());
//! let field = &seen[0].messages[0].fields[0];
//! assert_eq!((field.name.as_str(), field.old.as_deref(), field.new.as_deref()), ("totrack", Some("2"), Some("3")));
//! ```

#![forbid(unsafe_code)]

mod align;
mod change;
mod messages;
mod parts;
mod reel;
mod runs;
mod stamps;
mod view;
mod worded;

pub use change::{Change, ChangeKind, DiffTotals, FieldChange, MessageChange, PiecePlace};
pub use messages::diff;
pub use view::{ViewChange, ViewTotals, diff_views};
