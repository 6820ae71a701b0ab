//! Measures seeks: `seeks RECORDING [GAME]...` draws moments all over a recording, through the eyes and from above.

use moviola_assets::GameFiles;
use moviola_deck::{Deck, MapView, PictureView};
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

const SEEKS: u32 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("name a recording")?;
    let mut deck = Deck::open(&path, fs::read(&path)?)?;
    deck.set_game(GameFiles::open(&words.map(PathBuf::from).collect::<Vec<_>>())?);
    let end = deck.about().seconds;
    for (what, map) in [("through the eyes", MapView::Off), ("from above", MapView::Alone)] {
        for size in [[800, 450], [1280, 720]] {
            let view = PictureView { size, map, ..PictureView::default() };
            let start = Instant::now();
            deck.draw(0.0, &view);
            let first = start.elapsed();
            let mut times = Vec::new();
            for number in 0..SEEKS {
                // Multiples of the golden ratio are spread over the whole recording, and consecutive ones are far
                // apart.
                let at = (f64::from(number) * 0.618_034).fract() * end;
                let start = Instant::now();
                deck.draw(at, &view);
                times.push(start.elapsed());
            }
            times.sort();
            let part = |of: usize| times.get(times.len() * of / 100).copied().unwrap_or_default();
            let [width, height] = size;
            println!(
                "{what}, {width}x{height}: the first {first:.1?}, half within {:.1?}, 95 of 100 within {:.1?}",
                part(50),
                part(95)
            );
        }
    }
    Ok(())
}
