//! Writes frames and sound of recordings as files for common players: MP4, Y4M, WAV, PNG, GIF, WebP.
//!
//! ```
//! use moviola_film::{Film, FilmFrame, FrameRate, Y4mFilm, Yuv};
//! let mut film = Y4mFilm::new(Vec::new(), [2, 2], FrameRate::of(60.0)).unwrap();
//! film.frame(&FilmFrame::Yuv(Yuv::of([2, 2], &[128; 16]))).unwrap();
//! film.finish().unwrap();
//! ```
#![forbid(unsafe_code)]

mod canvas;
#[cfg(feature = "encode")]
mod caption;
#[cfg(feature = "encode")]
mod files;
mod floors;
mod growth;
mod letters;
mod map;
#[cfg(feature = "encode")]
mod moving;
#[cfg(feature = "encode")]
mod mp4;
#[cfg(feature = "encode")]
mod music;
mod overhead;
#[cfg(feature = "encode")]
mod picture;
#[cfg(feature = "encode")]
mod shoot;
#[cfg(feature = "encode")]
mod vorbis;
#[cfg(feature = "encode")]
mod words;
#[cfg(feature = "encode")]
mod yuv;

pub use overhead::{OverheadMoment, OverheadRecording};
#[cfg(feature = "encode")]
pub use {
    caption::{Caption, CaptionPlace},
    files::{Film, FilmFrame, Mp4Film, PngFilm, WavFilm, Y4mFilm},
    moving::{GifFilm, WebpFilm},
    mp4::FrameRate,
    music::{FileBytes, Music, MusicPlayer},
    picture::{Sheet, write_png},
    shoot::{FilmOptions, FilmPart, shoot},
    yuv::Yuv,
};

#[cfg(feature = "encode")]
use moviola_sound::RATE;
