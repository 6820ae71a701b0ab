//! Writes frames and sound of recordings as files for common players: MP4, Y4M, WAV, PNG, GIF, WebP.
//!
//! ```
//! use moviola_film::{Film, FilmFrame, FrameRate, Y4mFilm, Yuv};
//! let mut film = Y4mFilm::new(Vec::new(), [2, 2], FrameRate::of(60.0)).unwrap();
//! film.frame(&FilmFrame::Yuv(Yuv::of([2, 2], &[128; 16]))).unwrap();
//! film.finish().unwrap();
//! ```
#![forbid(unsafe_code)]

mod above;
mod canvas;
mod caption;
mod files;
mod letters;
mod map;
mod moving;
mod mp4;
mod picture;
mod shoot;
mod words;
mod yuv;

pub use above::{Above, FromAbove};
pub use caption::{Caption, CaptionPlace};
pub use files::{Film, FilmFrame, Mp4Film, PngFilm, WavFilm, Y4mFilm};
pub use moving::{GifFilm, WebpFilm};
pub use mp4::FrameRate;
pub use picture::{Sheet, write_png};
pub use shoot::{Part, Shoot, shoot};
pub use yuv::Yuv;

use moviola_sound::RATE;
