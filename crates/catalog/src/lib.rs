//! The catalog of an archive: a row for each recording, kept in a file and asked with a small language.
//!
//! ```
//! use moviola_catalog::{Depth, Query, recording};
//! // A level, a moment of it, and the end.
//! let file = b"-1\n\x24\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
//!     \x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0s\0\0\x07\0\0\x80\x3f\x02";
//! let row = recording(&file[..], Depth::Full).unwrap().unwrap();
//! assert_eq!((row.maps.to_json().as_str(), row.protocol, row.ending.as_str()), (r#"["hall"]"#, Some(15), "disconnect"));
//! assert!(Query::parse("map=hall length<2:00").unwrap().takes(&row));
//! ```
#![forbid(unsafe_code)]

mod catalog;
mod key;
mod match_data;
mod query;
mod read;
mod table;

pub use catalog::{Catalog, FileStamp, KnownFiles};
pub use key::{CatalogColumn, moment};
pub use query::{Query, QueryMistake};
pub use read::{Depth, recording};
pub use table::{FULL, ROWS, Recording};
