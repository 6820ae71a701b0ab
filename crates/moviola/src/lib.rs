//! The editing deck for Quake `.dem` and Quake II `.dm2` recordings: one name for all of its libraries.
//!
//! ```
//! use moviola::text::{DecompileOptions, decompile};
//! let mut text = Vec::new();
//! let said = decompile(&b"-1\n"[..], &mut text, &DecompileOptions::default()).unwrap();
//! assert_eq!(said.blocks, 0);
//! ```
#![forbid(unsafe_code)]

pub use moviola_analyse as analyse;
pub use moviola_catalog as catalog;
pub use moviola_check as check;
pub use moviola_container as container;
pub use moviola_diff as diff;
pub use moviola_edit as edit;
pub use moviola_export as export;
pub use moviola_format as format;
pub use moviola_index as index;
pub use moviola_stage as stage;
pub use moviola_state as state;
pub use moviola_text as text;
