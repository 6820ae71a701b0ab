//! Texts over a film: subtitles above the status bar and titles in the middle, in the game's font.

use moviola_format::names::{unmarked, without_marks};
use moviola_scene::{Draw, Rect, Scene};

/// A text over the film, for some seconds of it.
///
/// ```
/// use moviola_film::{Caption, CaptionPlace};
/// let caption = Caption { from: 1.0, to: 2.5, text: "**Où** est-il ?".into(), place: CaptionPlace::Below };
/// assert_eq!(caption.plain(), "Où est-il ?");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// The second of the film at which it appears.
    pub from: f64,
    /// The second of the film at which it disappears.
    pub to: f64,
    /// Its text; lines end in `\n`, and `**` begins and ends the games' second color. Letters that the games' font
    /// lacks are shown as similar letters of ASCII.
    pub text: String,
    /// Its position.
    pub place: CaptionPlace,
}

/// The position of a text.
///
/// ```
/// assert_eq!(moviola_film::CaptionPlace::default(), moviola_film::CaptionPlace::Below);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CaptionPlace {
    /// The caption is at the lower edge of the view.
    #[default]
    Below,
    /// The caption is in the middle of the view.
    Middle,
}

/// The side of a character, the margin around a text, and the distance of lines.
const LETTER: i32 = 8;
const MARGIN: i32 = 4;
const LINE: i32 = 10;

/// The opacity of the dark background of a text. Black is the first color of both games' palettes.
const SHADE: f32 = 0.6;
const BLACK: u8 = 0;

impl Caption {
    /// Its text without the games' second color, as other programs show it.
    pub fn plain(&self) -> String {
        without_marks(&self.text)
    }
}

/// The lines of a text, and the height of its background.
fn laid_out(text: &[u8], columns: usize) -> Option<(Vec<&[u8]>, i32)> {
    let lines: Vec<&[u8]> =
        text.split(|byte| *byte == b'\n').flat_map(|line| wrapped(line, columns)).collect();
    let high = lines.len() as i32 * LINE - (LINE - LETTER) + 2 * MARGIN;
    lines.iter().any(|line| !line.is_empty()).then_some((lines, high))
}

/// Draws the lines of a text, and their background from this row of the screen on.
fn draw_lines(lines: &[&[u8]], y: i32, high: i32, scene: &mut Scene) {
    let Rect { at: [left, _], size: [width, _] } = scene.view;
    let longest = lines.iter().map(|line| line.len()).max().unwrap_or_default() as i32;
    let wide = longest * LETTER + 2 * MARGIN;
    let x = left + (width - wide) / 2;
    let draws = &mut scene.overlay.draws;
    draws.push(Draw::Fill { area: Rect::new(x, y, wide, high), color: BLACK, alpha: SHADE });
    for (line, row) in lines.iter().zip(0i32..) {
        let start = left + (width - line.len() as i32 * LETTER) / 2;
        for (code, column) in line.iter().zip(0i32..).filter(|(code, _)| *code & 0x7f != b' ') {
            let at = [start + column * LETTER, y + MARGIN + row * LINE];
            draws.push(Draw::Character { code: *code, at });
        }
    }
}

/// Splits a line into pieces that fit, after words if possible.
fn wrapped(line: &[u8], columns: usize) -> Vec<&[u8]> {
    let (mut pieces, mut rest) = (Vec::new(), line);
    while rest.len() > columns {
        let fits = rest.get(..=columns).unwrap_or(rest);
        let cut = fits.iter().rposition(|byte| *byte == b' ').filter(|at| *at > 0);
        let (piece, more) = rest.split_at(cut.unwrap_or(columns));
        pieces.push(piece);
        rest = if cut.is_some() { more.get(1..).unwrap_or_default() } else { more };
    }
    pieces.push(rest);
    pieces
}

/// Draws the texts of a moment of the film over its scene. Those in the same place are below each other, the one that
/// appeared first above.
pub(crate) fn draw_over(captions: &[Caption], seconds: f64, scene: &mut Scene) {
    let Rect { at: [_, top], size: [width, height] } = scene.view;
    if scene.overlay.screen[0] <= 0 {
        return;
    }
    let columns = ((width - 2 * MARGIN) / LETTER).clamp(1, 512) as usize;
    let mut shown: Vec<&Caption> =
        captions.iter().filter(|it| it.from <= seconds && seconds < it.to).collect();
    shown.sort_by(|one, other| one.from.total_cmp(&other.from));
    for place in [CaptionPlace::Below, CaptionPlace::Middle] {
        let here = shown.iter().filter(|it| it.place == place);
        let texts: Vec<Vec<u8>> = here.map(|it| unmarked(&it.text)).collect();
        let texts: Vec<_> = texts.iter().filter_map(|text| laid_out(text, columns)).collect();
        let room = height - texts.iter().map(|(_, high)| high).sum::<i32>();
        let mut y = match place {
            CaptionPlace::Below => top + room - LINE,
            CaptionPlace::Middle => top + room / 2,
        };
        for (lines, high) in texts {
            draw_lines(&lines, y, high, scene);
            y += high;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]
mod tests {
    use super::*;
    use moviola_scene::Overlay;

    #[test]
    fn long_lines_are_cut_after_words() {
        let cut = |line: &'static str| wrapped(line.as_bytes(), 6);
        assert_eq!(cut("one two three"), [&b"one"[..], b"two", b"three"]);
        assert_eq!(cut("one two"), [&b"one"[..], b"two"]);
        assert_eq!(cut("everlasting"), [&b"everla"[..], b"sting"]);
    }

    #[test]
    fn a_text_is_there_for_its_time_and_above_the_status_bar() {
        let caption = Caption { from: 1.0, to: 2.0, text: "one\ntwo".into(), place: CaptionPlace::Below };
        let at = |seconds: f64| {
            let overlay = Overlay { screen: [320, 240], ..Overlay::default() };
            let mut scene = Scene { overlay, view: Rect::new(0, 0, 320, 192), ..Scene::default() };
            draw_over(std::slice::from_ref(&caption), seconds, &mut scene);
            scene.overlay.draws
        };
        assert!(at(0.9).is_empty() && at(2.0).is_empty());
        assert_eq!(caption.plain(), "one\ntwo");
        let draws = at(1.5);
        assert_eq!(draws.len(), 1 + 6);
        let Some(Draw::Fill { area, .. }) = draws.first() else { panic!("no ground") };
        assert!(area.at[1] + area.size[1] <= 192);
    }

    #[test]
    fn texts_of_the_same_time_are_below_each_other() {
        let caption =
            |from: f64, text: &str, place: CaptionPlace| Caption { from, to: 9.0, text: text.into(), place };
        for place in [CaptionPlace::Below, CaptionPlace::Middle] {
            let captions = [caption(2.0, "later\nand more", place), caption(1.0, "earlier", place)];
            let overlay = Overlay { screen: [320, 240], ..Overlay::default() };
            let mut scene = Scene { overlay, view: Rect::new(0, 0, 320, 192), ..Scene::default() };
            draw_over(&captions, 3.0, &mut scene);
            let rows = |code: u8| {
                let rows = scene.overlay.draws.iter().filter_map(move |draw| match draw {
                    Draw::Character { code: it, at: [_, y] } if *it == code => Some(*y),
                    _ => None,
                });
                rows.collect::<Vec<i32>>()
            };
            // Only `earlier` has an i, only `later` a t.
            let (earlier, later) = (rows(b'i'), rows(b't'));
            assert!(earlier[0] + LINE <= later[0], "{place:?}: {earlier:?} {later:?}");
            assert!(later[0] + 2 * LINE <= 192, "{place:?}: {later:?}");
        }
    }

    #[test]
    fn letters_that_the_font_lacks_are_drawn_as_similar_ones() {
        let caption = Caption { from: 0.0, to: 1.0, text: "Ł**é**ц".into(), place: CaptionPlace::Middle };
        let overlay = Overlay { screen: [320, 240], ..Overlay::default() };
        let mut scene = Scene { overlay, view: Rect::new(0, 0, 320, 240), ..Scene::default() };
        draw_over(&[caption], 0.5, &mut scene);
        let codes = scene.overlay.draws.iter().filter_map(|draw| match draw {
            Draw::Character { code, .. } => Some(*code),
            _ => None,
        });
        assert_eq!(codes.collect::<Vec<u8>>(), b"L\xe5ts");
    }
}
