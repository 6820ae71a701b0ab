//! The events and statistics of a recording, all made here in one pass over the file.
//!
//! [`watch`] reads a recording, steps the world through it and shows it to watchers. A new analysis is a type
//! that implements [`Watch`]; several can run in the same pass:
//!
//! ```
//! use moviola_analyse::{PassPosition, Watch, watch};
//! use moviola_state::{quake, quake2};
//!
//! /// The lowest health that the recorder had.
//! #[derive(Default)]
//! struct Lowest(Option<i32>);
//!
//! impl Watch for Lowest {
//!     fn quake(&mut self, world: &quake::World, _: &PassPosition) {
//!         let health = world.stats.get(quake::Stat::Health);
//!         self.0 = Some(self.0.map_or(health, |lowest| lowest.min(health)));
//!     }
//!     fn quake2(&mut self, world: &quake2::World, _: &PassPosition) {
//!         if let Some(player) = world.drawn().player(None) {
//!             let health = player.stat(quake2::Stat::Health).into();
//!             self.0 = Some(self.0.map_or(health, |lowest| lowest.min(health)));
//!         }
//!     }
//! }
//!
//! # fn main() -> std::io::Result<()> {
//! # let file = &b"-1\n\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x01\x02"[..];
//! let mut lowest = Lowest::default();
//! let mut other = Lowest::default();
//! watch(file, &mut [&mut lowest, &mut other])?;
//! # Ok(())
//! # }
//! ```
//!
//! A watcher stores only the data that it needs, and nothing that grows with the file, unless that is its
//! purpose. It sees worlds, not bytes; only the audit (a crate of its own), which looks for the marks that
//! editors leave, also requests the messages ([`Watch::wants_messages`]).
#![forbid(unsafe_code)]

pub mod digits;
mod event;
mod events;
mod game_text;
mod lines;
mod numbered;
mod obituary;
mod pass;
mod quake;
mod quake2;
mod quakeworld;
mod report;
pub mod space;
mod standing;
mod unread;

/// The meaning of models, sounds and lines of the console, in id's games and the mission packs.
pub mod vocabulary {
    pub use crate::events::boss::BossSound;
    pub use crate::quake::pickup::{PickupLine, taken};
    pub use crate::quake::tables::{ItemKind, ModelMeaning, Monster, SoundMeaning};
    pub use crate::quake2::tables::{carried, weapon};
    pub use moviola_state::quake::MissionPack;
}

pub use digits::in_few_digits;
pub use event::{
    Event, EventField, EventKind, EventPlayer, Evidence, FieldRow, FieldValue, KindRow, Listed, MeantEvent,
};
pub use events::Events;
pub use game_text::GameText;
pub use lines::{Line, Lines};
pub use pass::{PassPosition, Watch, watch};
pub use report::{
    AuditSeverity, CountDifference, DamageTally, Hits, LevelReport, MatchCount, MatchItem, MatchPlayer,
    MatchReport, MatchTable, MatchTeam, MatchWeapon, Matches, PlayerReport, Report, Reporter, Statistics,
    Tally, WeaponReport, printed_time,
};
pub use standing::Standing;
pub use unread::UnreadParts;
