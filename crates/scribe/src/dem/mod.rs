//! Quake's DEM: the messages of protocol 15 and of the engines that extended it.

mod client;
mod delta;
mod entity;
mod every;
mod fitz;
mod message;
mod nehahra;
mod net;
mod odd;
mod packs;
mod plain;
mod play;
mod sound;
mod temp;
mod wide;

pub use client::{Clientdata, High, Items, clientdata};
pub use entity::{
    Baseline, DarkPlaces, Trans, U_EXTEND1, U_EXTEND2, U_LONGENTITY, U_MOREBITS, U_STEP, Update,
    darkplaces_update, spawnbaseline, spawnstatic, updateentity,
};
pub use every::{Variant, dem_messages};
pub use fitz::{
    B_ALPHA, B_LARGE_FRAME, B_LARGE_MODEL, B_SCALE, Baseline2, bf, fog, skybox, spawnbaseline2, spawnstatic2,
    spawnstaticsound2,
};
pub use message::*;
pub use nehahra::{hidelmp, nehahra_fog, showlmp};
pub use net::{Index, Net};
pub use play::{Level, Play};
pub use sound::{SND_LARGEENTITY, SND_LARGESOUND, SND_LOOPING, Sound, sound, spawnstaticsound, stopsound};
pub use temp::{
    TeBeam, temp_beam, temp_example, temp_explosion2, temp_explosion3, temp_lightning4, temp_point,
};

use crate::Sample;

/// Every DEM sample.
pub fn samples() -> Vec<Sample> {
    let mut all = plain::samples();
    all.extend(packs::samples());
    all.extend(odd::samples());
    all.extend(wide::samples());
    all.extend(delta::samples());
    all
}
