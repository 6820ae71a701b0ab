//! The editing deck for the recordings of Quake (`.dem`), QuakeWorld (`.qwd`, `.mvd`) and Quake II (`.dm2`), as a
//! library.
//!
//! [`open`] a recording and call its methods; the results have the same types for both games:
//!
//! ```no_run
//! # fn main() -> std::io::Result<()> {
//! let recording = moviola::open("run.dem")?;
//!
//! // The events: levels, kills, chat, pickups, secrets.
//! for event in recording.events()? {
//!     println!("{:8.2} {}: {}", event.time.unwrap_or(0.0), event.name(), event.kind);
//! }
//!
//! // Where every player was, frame by frame.
//! recording.positions(|at| println!("{:.2} {} {:?}", at.time, at.name, at.origin))?;
//!
//! // Times, scores, kills and secrets; and whether it is exact and which engines play it.
//! let (report, check) = (recording.report()?, recording.check()?);
//! println!("{} levels finished, exact: {}", report.timed_levels, check.exact);
//! # Ok(())
//! # }
//! ```
//!
//! Events, reports and positions implement [`serde::Serialize`]. The modules below have the rest, each with an example
//! on its first page: [`format`](mod@format) reads and writes messages, [`text`] prints and parses them, [`state`] is
//! the game's world after each block, [`analyse`] makes events from worlds, [`edit`] changes recordings, [`export`]
//! makes tables, pictures and pages, [`container`] opens archives.
//!
//! Memory does not grow with the file: everything is read block by block, from anything that implements
//! [`Read`](std::io::Read).
#![forbid(unsafe_code)]

mod recording;

pub use moviola_analyse as analyse;
pub use moviola_assets as assets;
pub use moviola_audit as audit;
pub use moviola_catalog as catalog;
pub use moviola_check as check;
pub use moviola_container as container;
pub use moviola_deck as deck;
pub use moviola_diff as diff;
pub use moviola_edit as edit;
pub use moviola_export as export;
pub use moviola_film as film;
pub use moviola_format as format;
pub use moviola_index as index;
pub use moviola_input as input;
pub use moviola_net as net;
pub use moviola_render as render;
pub use moviola_scene as scene;
pub use moviola_sound as sound;
pub use moviola_stage as stage;
pub use moviola_state as state;
pub use moviola_text as text;
pub use recording::{Position, Recording, open};
