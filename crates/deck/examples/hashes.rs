//! Computes the same hashes as a browser, and compares: `hashes FILE.json`, a file that `web/test` writes.
#![allow(clippy::indexing_slicing, reason = "a key that is missing in JSON is null")]

use moviola_deck::{Deck, PictureView};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn sample(name: &str) -> Result<Vec<u8>, String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

fn word<'v>(value: &'v Value, key: &str) -> Result<&'v str, String> {
    value[key].as_str().ok_or_else(|| format!("there is no `{key}`"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name the file of hashes")?;
    let browser_hashes: Value = serde_json::from_slice(&fs::read(Path::new(&path))?)?;
    let mut compared = 0;
    for (name, hashes) in browser_hashes["states"].as_object().ok_or("there are no states")? {
        let mut deck = Deck::open(name, sample(name)?)?;
        let hashes = hashes.as_array().ok_or("states are a list")?;
        if hashes.len() as u64 != deck.about().blocks {
            return Err(format!("{name}: {} states, {} blocks", hashes.len(), deck.about().blocks).into());
        }
        for (block, hash) in (0..).zip(hashes) {
            let at = deck.seconds_of(block);
            let ours = format!("{:016x}", deck.state_hash(at));
            if Some(ours.as_str()) != hash.as_str() {
                return Err(format!("{name}, block {block}: the state is {ours} here, {hash} there").into());
            }
            compared += 1;
        }
    }
    let drawn = word(&browser_hashes, "recording")?;
    let mut deck = Deck::open(drawn, sample(drawn)?)?;
    deck.add_game("game.pk3", sample(word(&browser_hashes, "game")?)?)?;
    let side = |key: &str| browser_hashes["view"][key].as_u64().ok_or_else(|| format!("there is no `{key}`"));
    let view =
        PictureView { size: [side("width")? as u32, side("height")? as u32], ..PictureView::default() };
    let frames = browser_hashes["frames"].as_array().ok_or("there are no frames")?;
    for frame in frames {
        let seconds = frame["seconds"].as_f64().ok_or("a frame has no time")?;
        let hash = Sha256::digest(&deck.draw(seconds, &view).rgba);
        let ours = hash.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        if ours != word(frame, "sha256")? {
            return Err(format!("{drawn} at {seconds} s: another picture than in the browser").into());
        }
    }
    println!("{compared} states and {} pictures are those of the browser", frames.len());
    Ok(())
}
