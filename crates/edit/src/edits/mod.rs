//! The edits, each a file or a folder of its own. An edit implements [`Rewrite`](crate::Rewrite).

mod broadcast;
mod capture;
mod convert;
mod copy;
mod cut;
mod fix_multi;
mod ghost;
mod highlights;
mod insert;
mod join;
mod lmpc_fix;
#[cfg(test)]
mod recordings_of_blocks;
mod replace;
mod retime;
mod set;
mod signon;
mod squeeze;
mod strip;
mod subtitle;
mod view;
mod whole_lists;

pub use broadcast::Broadcast;
pub use capture::Capture;
pub use convert::Convert;
pub use copy::{CopyEntity, CopyPlace};
pub use cut::{Cut, FromBlock};
pub use fix_multi::{FixMulti, RemovedStops};
pub use ghost::Ghost;
pub use highlights::Highlights;
pub use insert::Insert;
pub use join::join;
pub use lmpc_fix::LmpcFix;
pub use replace::Replace;
pub use retime::{Retime, Speed};
pub use set::Set;
pub use signon::Signon;
pub use squeeze::Squeeze;
pub use strip::Strip;
pub use subtitle::{Cue, OneLine, Subtitle};
pub use view::View;
pub use whole_lists::WholeLists;
