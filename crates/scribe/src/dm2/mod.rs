//! Quake II's DM2: the messages of protocols 26 to 34, client, server and Relay recordings; and Q2PRO's extended limits.

mod entity;
mod every;
mod known;
mod message;
mod odd;
mod plain;
mod play;
mod player;
mod q2pro;
mod server;
mod temp;

pub use entity::{
    E_MOREBITS1, E_MOREBITS2, E_MOREBITS3, E_NUMBER16, E_UNUSED, Entity, Num, packetentities,
    packetentities_until, spawnbaseline,
};
pub use every::dm2_messages;
pub use message::*;
pub use play::{Level, Play};
pub use player::{Gun, Player, playerinfo};
pub use q2pro::q2pro_samples;
pub use temp::{
    Flame, Steam, temp_beam, temp_example, temp_flame, temp_flashlight, temp_forcewall, temp_grapple,
    temp_impact, temp_lightning, temp_line, temp_point, temp_splash, temp_steam, temp_widow,
};

use crate::Sample;

/// Every DM2 sample.
pub fn samples() -> Vec<Sample> {
    let mut all = plain::samples();
    all.extend(odd::samples());
    all.extend(server::samples());
    all.extend(known::samples());
    all
}
