//! Recordings in the containers in which people keep them: gzip, zip (pk3), Quake's PAK and Dzip, also nested.
//!
//! A [`Walk`] returns every file in a container as a stream. A file that is not a container counts as a container of
//! itself, so that callers need no second case. Formats are recognized by content. Paths name the files inside:
//! `pak0.pak:demo1.dem`.
//!
//! No number in a container is trusted. Everything is a stream in bounded memory, all output is counted against
//! [`Limits`], and checksums are checked.
//!
//! ```
//! use moviola_container::{WalkOptions, Walk};
//! # fn main() -> std::io::Result<()> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
//! for file in Walk::new(std::fs::File::open(path)?, WalkOptions::default())? {
//!     match file {
//!         Ok(mut file) => {
//!             let size = std::io::copy(&mut file, &mut std::io::sink())?;
//!             println!("{}: {size} bytes", file.path());
//!         }
//!         Err(trouble) => eprintln!("{trouble}"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod archive;
mod date;
mod directory;
mod dz;
mod fault;
mod inflate;
mod kind;
mod limits;
mod name;
mod pak;
mod salvage;
mod section;
mod walk;
mod zip;

pub use directory::Directory;
pub use fault::{ContainerError, ContainerFault};
pub use kind::ContainerKind;
pub use limits::Limits;
pub use name::{INSIDE, name_text, safe_path};
pub use section::{NewSpill, Spill};
pub use walk::{ContainerEntry, ContainerWarning, Walk, WalkOptions};
