//! Draws pictures of scenes on the processor.
//!
//! A [`Renderer`] makes a [`RenderedFrame`] from a `moviola_scene::Scene` and the game's files. It uses no clock and
//! no mathematics of the platform, and computes every pixel from its place alone: a scene gives the same
//! bytes on every machine, with any number of threads.
//!
//! ```
//! use moviola_render::{LookOptions, Renderer};
//! use moviola_scene::Scene;
//! let renderer = Renderer::new(Default::default());
//! let frame = renderer.render(&Scene::default(), &LookOptions { size: [4, 2], ..LookOptions::default() });
//! assert_eq!(frame.rgba.len(), 4 * 2 * 4);
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::many_single_char_names, reason = "places are x, y, z; on a texture s, t; in a picture u, v")]
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "what is not a number goes where nothing is drawn")]

mod band;
mod fog;
mod level;
mod lightmap;
mod look;
mod model;
mod overlay;
mod piece;
mod render;
mod sky;
mod soft;
mod space;
mod sprite;
mod store;
mod texture;
mod wall;
mod work;

pub use look::{LookKind, LookOptions, RenderedFrame};
pub use render::Renderer;
