//! The sound of a recording, piece by piece, as a page plays it.

use crate::{Deck, PictureView};
use moviola_scene::Moment;
use moviola_sound::{Mixer, RATE};

/// The scenes of a second by which sounds start and volumes change, as in films at this rate.
const STEPS: f64 = 60.0;

/// If the gap between two pieces, in seconds, is shorter than this, the second one continues the first.
const CLOSE: f64 = 0.001;

/// The longest piece, in seconds.
const MAX_PIECE: f64 = 4.0;

/// The sounds that continue from piece to piece, and the moment at which the next piece begins.
#[derive(Debug, Default)]
pub(crate) struct PlayingSounds {
    mixer: Mixer,
    next: f64,
}

impl Deck {
    /// The sound from a moment on, as samples for left and right, alternating, with 48000 a second for each side. A
    /// piece that begins where the last one ended continues its sounds.
    ///
    /// ```
    /// use moviola_deck::{Deck, PictureView};
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
    /// let mut deck = Deck::open("run.dem", file.to_vec()).unwrap();
    /// assert_eq!(deck.sound(0.0, 0.25, &PictureView::default()).len(), 24_000);
    /// ```
    pub fn sound(&mut self, from: f64, seconds: f64, view: &PictureView) -> Vec<i16> {
        let steps = (seconds.clamp(0.0, MAX_PIECE) * STEPS).round() as u32;
        let mut heard = std::mem::take(&mut self.playing_sounds);
        let goes_on = (heard.next - from).abs() < CLOSE;
        if !goes_on {
            heard.mixer = Mixer::new();
            heard.next = if from.is_finite() { from.max(0.0) } else { 0.0 };
        }
        let (options, samples) = (view.options(), (f64::from(RATE) / STEPS) as usize);
        let mut sound = Vec::with_capacity(steps as usize * samples * 2);
        for _ in 0..steps {
            let scene = self.scene(Moment::At(heard.next), &options);
            let mixed = heard.mixer.mix(&scene, heard.next, samples, self.game_files());
            sound.extend(mixed.into_iter().flatten());
            heard.next += 1.0 / STEPS;
        }
        self.playing_sounds = heard;
        sound
    }
}
