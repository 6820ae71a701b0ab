//! One file of HTML that plays a recording: the player, the recording, and what it needs of the game.

use crate::{Deck, View, pack};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// The place in the player at which the data goes.
const DATA: &str = "<!--moviola:data-->";

/// The moments at which a recording is drawn to see which files it needs: one each quarter of a second, but no
/// more than these.
const STEP: f64 = 0.25;
const MOST_MOMENTS: f64 = 2000.0;

/// The picture that is drawn for it: small, since only what is asked of the game counts.
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
        // One picture in the software look: it alone reads the colormap.
        let view = View { size: SIZE, software: moment == 0, ..View::default() };
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
/// assert!(page.contains("data-name=\"run &quot;1&quot;.dem\">LTEK</script>"));
/// assert!(moviola_deck::page("<p></p>", "run.dem", b"", &[]).is_err());
/// ```
pub fn page(player: &str, name: &str, recording: &[u8], game: &[(String, Vec<u8>)]) -> io::Result<String> {
    let none = || io::Error::new(io::ErrorKind::InvalidData, "the player has no place for a recording");
    let (before, after) = player.split_once(DATA).ok_or_else(none)?;
    let name = name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let mut page =
        format!("{before}<script type=\"text/plain\" id=\"moviola-recording\" data-name=\"{name}\">");
    STANDARD.encode_string(recording, &mut page);
    page.push_str("</script>");
    if !game.is_empty() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&pack(game))?;
        page.push_str("<script type=\"text/plain\" id=\"moviola-game\">");
        STANDARD.encode_string(packed.finish()?, &mut page);
        page.push_str("</script>");
    }
    page.push_str(after);
    Ok(page)
}
