//! Makes an HTML file that plays a recording: it contains the player, the recording, and the needed files of the game.

use crate::{Deck, PictureView, pack};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use moviola_export::PLAYER;
use std::io::{self, Write};

/// The mark in the player that is replaced by the data.
const DATA: &str = "<!--moviola:data-->";

/// The moments that are drawn to find out which files a recording needs: four each second, but at most this many.
const STEP: f64 = 0.25;
const MOST_MOMENTS: f64 = 2000.0;

/// The size of the pictures for that: small, since they are not shown.
const SIZE: [u32; 2] = [64, 36];

/// The files of the game that a recording needs, with their bytes.
///
/// ```
/// # let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let mut deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
/// assert!(moviola_deck::game_needed(&mut deck).is_empty(), "no game was added");
/// ```
pub fn game_needed(deck: &mut Deck) -> Vec<(String, Vec<u8>)> {
    let end = deck.about().seconds;
    let step = STEP.max(end / MOST_MOMENTS);
    let mut level = Vec::new();
    for moment in 0..=(end / step).ceil() as u32 {
        // One of the pictures has the software look, since only that look needs the colormap.
        let view = PictureView { size: SIZE, software: moment == 0, ..PictureView::default() };
        let at = f64::from(moment) * step;
        deck.read_files_of(at, &view);
        deck.sound(at, step, &view);
        let named = deck.files_named();
        if named != level {
            deck.load(&named);
            level = named;
        }
    }
    let files = deck.game_files();
    let read = |name: String| {
        let bytes = files.read(&name)?.ok()?;
        Some((name, bytes))
    };
    files.used().into_iter().filter_map(read).collect()
}

/// The page: a player with a recording and files of the game in it. `name` is the recording's name for
/// people.
///
/// # Errors
/// When the player has no place for the data.
///
/// ```
/// let page = moviola_deck::page("<p><!--moviola:data--></p>", "run \"1\".dem", b"-1\n", &[]).unwrap();
/// assert!(page.contains("data-name=\"run &quot;1&quot;.dem\">"));
/// assert!(moviola_deck::page("<p></p>", "run.dem", b"", &[]).is_err());
/// ```
pub fn page(player: &str, name: &str, recording: &[u8], game: &[(String, Vec<u8>)]) -> io::Result<String> {
    filled(player, DATA, &data(name, recording, game)?)
}

/// A report's page with a player of its recording in it, which is shown in place of its map.
///
/// ```
/// use moviola_export::{PLAYER, Story};
/// let report = moviola_export::page(&Story::default(), &Default::default());
/// let page = moviola_deck::page_with_player(&report, "<p></p>", "run.dem", b"-1\n", &[]).unwrap();
/// assert!(page.contains("moviola-recording") && !page.contains(PLAYER));
/// ```
///
/// # Errors
/// When the page has no place for a player.
pub fn page_with_player(
    page: &str,
    player: &str,
    name: &str,
    recording: &[u8],
    game: &[(String, Vec<u8>)],
) -> io::Result<String> {
    let mut parts = data(name, recording, game)?;
    part(&mut parts, "id=\"moviola-player\"", player.as_bytes())?;
    filled(page, PLAYER, &parts)
}

/// A page in which a mark is replaced by something.
fn filled(page: &str, mark: &str, parts: &str) -> io::Result<String> {
    let none = || io::Error::new(io::ErrorKind::InvalidData, format!("the page has no {mark}"));
    let (before, after) = page.split_once(mark).ok_or_else(none)?;
    Ok([before, parts, after].concat())
}

/// The recording and the files of the game as parts of a page.
fn data(name: &str, recording: &[u8], game: &[(String, Vec<u8>)]) -> io::Result<String> {
    let name = name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let mut parts = String::new();
    part(&mut parts, &format!("id=\"moviola-recording\" data-name=\"{name}\""), recording)?;
    if !game.is_empty() {
        part(&mut parts, "id=\"moviola-game\"", &pack(game))?;
    }
    Ok(parts)
}

/// Appends compressed bytes to a page; its script finds them by their id.
fn part(parts: &mut String, attributes: &str, bytes: &[u8]) -> io::Result<()> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    parts.extend(["<script type=\"text/plain\" ", attributes, ">"]);
    STANDARD.encode_string(packed.finish()?, parts);
    parts.push_str("</script>");
    Ok(())
}
