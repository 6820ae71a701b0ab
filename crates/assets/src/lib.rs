//! Reads the files of Quake and Quake II from folders and archives: levels, models, sprites, pictures,
//! sounds.
//!
//! [`GameFiles`] finds a file as the games do, and reads it once. Each kind of file has a reader of its own,
//! whose layouts are in tables: a row for each field, a column for each kind of file. Nothing in a file is
//! trusted: damage gives an [`AssetError`] with the part and the offset, and the memory used is at most a
//! small multiple of the file's size.
//!
//! ```
//! use moviola_assets::GameFiles;
//! # fn main() -> std::io::Result<()> {
//! # let game = env!("CARGO_MANIFEST_DIR");
//! let files = GameFiles::open(&[game])?;
//! if let Some(level) = files.bsp("maps/e1m1.bsp") {
//!     println!("{} faces", level.faces.len());
//! }
//! for trouble in files.troubles() {
//!     println!("{trouble}");
//! }
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod bsp;
mod error;
mod files;
mod groups;
mod loaded;
mod model;
mod picture;
mod plan;
mod record;
mod sprite;
mod wad;
mod wave;

pub use bsp::{
    BrushModel, Bsp, BspKind, Edge, EntityText, Face, FaceLight, Leaf, MipTexture, Node, Plane, TexInfo,
    Vertex, around, surface,
};
pub use error::AssetError;
pub use files::GameFiles;
pub use groups::AnimationGroup;
pub use loaded::AssetTrouble;
pub use model::{AliasModel, ModelFrame, ModelKind, ModelPose, ModelTriangle};
pub use picture::{ColorPicture, Colormap, Palette, Picture};
pub use plan::{FloorPlan, PlanLayer};
pub use sprite::{Facing, SpriteModel, SpritePicture};
pub use wad::Wad;
pub use wave::Wave;
