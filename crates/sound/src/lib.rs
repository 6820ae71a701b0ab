//! Mixes the sounds of scenes into samples, for films and for the page.
//!
//! ```
//! use moviola_sound::{Mixer, RATE};
//! let sound = Mixer::new().mix(&Default::default(), 0.0, RATE as usize, &Default::default());
//! assert_eq!(sound.len(), 48_000);
//! ```
#![forbid(unsafe_code)]

mod mix;

pub use mix::{Mixer, RATE};
