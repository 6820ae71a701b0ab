//! Recordings as tables for other programs: Parquet, CSV and JSON Lines, one schema for all three.
//!
//! ```
//! use moviola_export::{Files, TableFormat, Id, harvest, tables};
//! # fn main() -> std::io::Result<()> {
//! # let demo = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
//! let mut files = Files::new(TableFormat::Csv);
//! for table in tables::ALL {
//!     files.add(table, Vec::new())?;
//! }
//! harvest(&demo[..], Id::of(&demo[..])?, "run.dem", &mut files)?;
//! let (table, csv) = files.finish()?.swap_remove(0);
//! assert_eq!(table.name, "recordings");
//! assert_eq!(csv.iter().filter(|byte| **byte == b'\n').count(), 2);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

pub mod columns;
mod harvest;
mod id;
mod page;
mod passes;
mod plot;
mod read;
mod recent;
pub mod schema;
mod story;
pub mod tables;
pub mod tics;
mod word;
mod write;

pub use harvest::{Harvest, harvest};
pub use id::{Hashed, Id};
pub use page::{FolderPage, PLAYER, page, page_on_maps};
pub use passes::passes;
pub use plot::{Chart, MapFiles, NoPicture, PlotOptions, plot, plot_on_maps};
#[cfg(feature = "png")]
pub use plot::{PngError, png};
pub use read::{columns, rows};
pub use story::{PlayerPath, RecorderSample, ScoreboardPlayer, Story, StoryLevel};
pub use word::{FixedWord, Word, WordList};
pub use write::{Files, TableFormat};
