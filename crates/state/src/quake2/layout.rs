//! The small language of Quake II's status bar and layouts, in which scores and the field computer are
//! programs.
//!
//! The rules are those of id's `SCR_ExecuteLayoutString` and `COM_Parse`. Where an engine would stop with an
//! error, the program ends.

use super::{Config, PlayerState, Stat};
use crate::Text;

/// The overlays on the picture, from the value of the stat `Layouts`.
///
/// ```
/// use moviola_state::quake2::layout::ShownOverlays;
/// let shown = ShownOverlays::of(1);
/// assert!(shown.layout && !shown.inventory);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShownOverlays {
    /// The layout is shown.
    pub layout: bool,
    /// The inventory is shown.
    pub inventory: bool,
}

impl ShownOverlays {
    /// The overlays that a value of the stat stands for.
    pub fn of(value: i16) -> Self {
        Self { layout: value & 1 != 0, inventory: value & 2 != 0 }
    }
}

/// The edge from which a position on the screen is counted.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::{ScreenEdge, run}};
/// let screen = run(b"xr -50 yt 2 string \"15 frags\"", &PlayerState::default(), &Config::default());
/// assert_eq!((screen[0].x.edge, screen[0].x.pixels), (ScreenEdge::End, -50));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScreenEdge {
    /// The left or the upper edge.
    #[default]
    Start,
    /// The right or the lower edge.
    End,
    /// The edge of a 320 by 240 screen that is centered in the real one.
    Middle,
}

/// A position on the screen along one axis.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::run};
/// let screen = run(b"xv 32 yv 8 string \"x\"", &PlayerState::default(), &Config::default());
/// assert_eq!((screen[0].x.pixels, screen[0].y.pixels), (32, 8));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeOffset {
    /// The edge from which it is counted.
    pub edge: ScreenEdge,
    /// The distance in pixels.
    pub pixels: i32,
}

/// An item drawn on the screen, with its position.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::{LayoutContent, run}};
/// let screen = run(b"xv 0 yv 0 picn tag1", &PlayerState::default(), &Config::default());
/// assert!(matches!(&screen[0].what, LayoutContent::Picture(name) if name.bytes() == b"tag1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutItem {
    /// The position from left to right.
    pub x: EdgeOffset,
    /// The position from top to bottom.
    pub y: EdgeOffset,
    /// The content that is drawn.
    pub what: LayoutContent,
}

/// The content of an item on the screen.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::{LayoutContent, run}};
/// let screen = run(b"xv 0 yv 0 string2 \"Scores\"", &PlayerState::default(), &Config::default());
/// assert!(matches!(&screen[0].what, LayoutContent::Text { text, bronze: true, .. } if text.bytes() == b"Scores"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutContent {
    /// A picture, by name.
    Picture(Text),
    /// A number in large digits.
    Number {
        /// The number.
        value: i16,
        /// The number of digits for which there is room.
        width: i32,
        /// The number's stat.
        stat: u8,
    },
    /// A text.
    Text {
        /// The text.
        text: Text,
        /// It is written in bronze letters.
        bronze: bool,
        /// It is centered in the 320 pixels after the position.
        centered: bool,
    },
    /// A player's line in the scores of a deathmatch or, without a time, of capture the flag.
    Client {
        /// The player's number.
        number: u8,
        /// The score.
        score: i32,
        /// The ping, in thousandths of a second.
        ping: i32,
        /// Minutes in the game.
        minutes: Option<i32>,
    },
}

/// Runs a program and returns the items that it draws.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::{run, scores}};
/// let screen = run(b"xv 32 yv 8 picn i_fixme client 0 32 3 17 42 12", &PlayerState::default(), &Config::default());
/// let score = scores(&screen).next().unwrap();
/// assert_eq!((score.number, score.score, score.ping, score.minutes), (3, 17, 42, Some(12)));
/// ```
pub fn run(program: &[u8], player: &PlayerState, config: &Config) -> Vec<LayoutItem> {
    let mut run =
        Run { rest: Some(program), player, config, x: EdgeOffset::default(), y: EdgeOffset::default() };
    let mut items = Vec::new();
    while let Some(word) = run.word() {
        // Each step consumes a word, known or not, so the loop ends.
        match run.command(word) {
            Ok(Some((x, y, what))) => items.push(LayoutItem { x, y, what }),
            Ok(None) => {}
            Err(LayoutError) => break,
        }
    }
    items
}

struct Run<'p> {
    rest: Option<&'p [u8]>,
    player: &'p PlayerState,
    config: &'p Config,
    x: EdgeOffset,
    y: EdgeOffset,
}

/// The position of an item, and its content.
type Placed = (EdgeOffset, EdgeOffset, LayoutContent);

/// A mistake at which an engine would stop.
struct LayoutError;

/// The longest word; engines read a longer one as an empty one.
const LONGEST: usize = 128;

impl<'p> Run<'p> {
    /// The next word: up to white space, or between quotes. Bytes above 127 are negative to an engine and
    /// count as white space.
    fn word(&mut self) -> Option<&'p [u8]> {
        let mut rest = self.rest?;
        loop {
            let start = rest.iter().position(|byte| (0x21..0x80).contains(byte));
            let Some(found) = start.and_then(|start| rest.get(start..)) else {
                self.rest = None;
                return None;
            };
            rest = found;
            if !rest.starts_with(b"//") {
                break;
            }
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            rest = rest.get(end..).unwrap_or_default();
        }
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            let end = quoted.iter().position(|byte| *byte == b'"').unwrap_or(quoted.len());
            self.rest = quoted.get(end.saturating_add(1)..);
            let word = quoted.get(..end).unwrap_or_default();
            return Some(word.get(..LONGEST).unwrap_or(word));
        }
        let end = rest.iter().position(|byte| !(0x21..0x80).contains(byte)).unwrap_or(rest.len());
        self.rest = rest.get(end..);
        let word = rest.get(..end).unwrap_or_default();
        Some(if word.len() >= LONGEST { &[] } else { word })
    }

    /// The next word as a number, as C's `atoi` reads it.
    fn number(&mut self) -> i32 {
        let word = self.word().unwrap_or_default();
        let (negative, digits) = match word {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] | digits => (false, digits),
        };
        let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
        let value =
            digits.fold(0i32, |sum, byte| sum.saturating_mul(10).saturating_add(i32::from(byte & 15)));
        if negative { value.saturating_neg() } else { value }
    }

    fn place(&mut self, edge: ScreenEdge) -> EdgeOffset {
        EdgeOffset { edge, pixels: self.number() }
    }

    /// The stat whose number is the next word.
    fn stat(&mut self) -> Result<(u8, i16), LayoutError> {
        let place = u8::try_from(self.number()).map_err(|_| LayoutError)?;
        let value = self.player.stats.get(usize::from(place)).ok_or(LayoutError)?;
        Ok((place, *value))
    }

    fn text(&mut self, bronze: bool, centered: bool) -> LayoutContent {
        LayoutContent::Text { text: Text::new(self.word().unwrap_or_default()), bronze, centered }
    }

    fn named(&self, stat: Stat, width: i32) -> LayoutContent {
        LayoutContent::Number { value: self.player.stat(stat), width, stat: stat as u8 }
    }

    /// Runs a command; a word that is not a command is ignored.
    fn command(&mut self, word: &[u8]) -> Result<Option<Placed>, LayoutError> {
        match word {
            b"xl" => self.x = self.place(ScreenEdge::Start),
            b"xr" => self.x = self.place(ScreenEdge::End),
            b"xv" => self.x = self.place(ScreenEdge::Middle),
            b"yt" => self.y = self.place(ScreenEdge::Start),
            b"yb" => self.y = self.place(ScreenEdge::End),
            b"yv" => self.y = self.place(ScreenEdge::Middle),
            b"if" => {
                if self.stat()?.1 == 0 {
                    while self.word().is_some_and(|word| word != b"endif") {}
                }
            }
            // not from SCHEMA: a command of layouts
            b"client" => return self.client(true).map(Some),
            b"ctf" => return self.client(false).map(Some),
            _ => return Ok(self.draw(word)?.map(|what| (self.x, self.y, what))),
        }
        Ok(None)
    }

    /// The item that a command draws at the current position.
    fn draw(&mut self, word: &[u8]) -> Result<Option<LayoutContent>, LayoutError> {
        /// The number of digits of the stats that have their own commands: health, ammunition, armor.
        const WIDTH: i32 = 3;
        Ok(match word {
            b"pic" => {
                let (_, value) = self.stat()?;
                let name = Text::new(self.config.image(u8::try_from(value).map_err(|_| LayoutError)?));
                (!name.is_empty()).then_some(LayoutContent::Picture(name))
            }
            b"picn" => Some(LayoutContent::Picture(Text::new(self.word().unwrap_or_default()))),
            b"num" => {
                let width = self.number();
                let (stat, value) = self.stat()?;
                Some(LayoutContent::Number { value, width, stat })
            }
            b"hnum" => Some(self.named(Stat::Health, WIDTH)),
            b"anum" => (self.player.stat(Stat::Ammo) >= 0).then(|| self.named(Stat::Ammo, WIDTH)),
            b"rnum" => (self.player.stat(Stat::Armor) >= 1).then(|| self.named(Stat::Armor, WIDTH)),
            b"stat_string" => {
                let (_, index) = self.stat()?;
                let text = Text::new(self.config.get(usize::try_from(index).map_err(|_| LayoutError)?));
                Some(LayoutContent::Text { text, bronze: false, centered: false })
            }
            // not from SCHEMA: a command of layouts
            b"string" => Some(self.text(false, false)),
            b"string2" => Some(self.text(true, false)),
            b"cstring" => Some(self.text(false, true)),
            b"cstring2" => Some(self.text(true, true)),
            _ => None,
        })
    }

    fn client(&mut self, timed: bool) -> Result<Placed, LayoutError> {
        let (x, y) = (self.place(ScreenEdge::Middle), self.place(ScreenEdge::Middle));
        let number = u8::try_from(self.number()).map_err(|_| LayoutError)?;
        let (score, ping) = (self.number(), self.number());
        let minutes = timed.then(|| self.number());
        Ok((x, y, LayoutContent::Client { number, score, ping, minutes }))
    }
}

/// A line of the scores.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::{run, scores}};
/// let screen = run(b"client 0 32 3 17 42 12", &PlayerState::default(), &Config::default());
/// assert_eq!(scores(&screen).next().unwrap().score, 17);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The player's number.
    pub number: u8,
    /// The score.
    pub score: i32,
    /// The ping, in thousandths of a second.
    pub ping: i32,
    /// Minutes in the game, if the line contains them.
    pub minutes: Option<i32>,
}

/// The scores on a screen, in the order of the program: the best first.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::{run, scores}};
/// let program = b"client 0 32 3 17 42 12 client 160 32 1 9 30 12";
/// let screen = run(program, &PlayerState::default(), &Config::default());
/// assert_eq!(scores(&screen).map(|score| score.number).collect::<Vec<_>>(), [3, 1]);
/// ```
pub fn scores(screen: &[LayoutItem]) -> impl Iterator<Item = Score> {
    screen.iter().filter_map(|item| match item.what {
        LayoutContent::Client { number, score, ping, minutes } => {
            Some(Score { number, score, ping, minutes })
        }
        _ => None,
    })
}

/// The level's progress, as the field computer shows it.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::{progress, run}};
/// let screen = run(b"string2 \"  7/ 12     0/2       1/3\"", &PlayerState::default(), &Config::default());
/// let progress = progress(&screen).unwrap();
/// assert_eq!((progress.kills, progress.goals), ([7, 12], [0, 2]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The monsters killed, and their total.
    pub kills: [u32; 2],
    /// The goals reached, and their total.
    pub goals: [u32; 2],
    /// The secrets found, and their total.
    pub secrets: [u32; 2],
}

/// The progress in the field computer on a screen, if it is shown there.
///
/// It is the text of three pairs of numbers (`%3i/%3i     %i/%i       %i/%i` in id's game), under a line of headings.
///
/// ```
/// use moviola_state::quake2::{Config, PlayerState, layout::{progress, run}};
/// let program = b"xv 50 yv 164 string2 \" kills     goals    secrets\" xv 50 yv 172 string2 \"  7/ 12     0/2       1/3\"";
/// let screen = run(program, &PlayerState::default(), &Config::default());
/// assert_eq!(progress(&screen).unwrap().secrets, [1, 3]);
/// ```
pub fn progress(screen: &[LayoutItem]) -> Option<Progress> {
    screen.iter().find_map(|item| match &item.what {
        LayoutContent::Text { text, .. } => pairs(text.bytes()),
        _ => None,
    })
}

/// Reads three pairs of numbers with slashes between; `None` for any other text.
fn pairs(text: &[u8]) -> Option<Progress> {
    let is_numbers = text.iter().all(|byte| matches!(byte, b' ' | b'/' | b'0'..=b'9'));
    if !is_numbers || text.split(|byte| *byte == b'/').count() != 4 {
        return None;
    }
    let mut found =
        text.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty()).map(|digits| {
            digits.iter().fold(0u32, |sum, byte| sum.saturating_mul(10).saturating_add(u32::from(byte & 15)))
        });
    let mut pair = || Some([found.next()?, found.next()?]);
    let progress = Progress { kills: pair()?, goals: pair()?, secrets: pair()? };
    found.next().is_none().then_some(progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(program: &[u8], stats: &[(usize, i16)]) -> Vec<LayoutItem> {
        let mut player = PlayerState::default();
        for (place, value) in stats {
            player.stats[*place] = *value;
        }
        run(program, &player, &Config::default())
    }

    #[test]
    fn the_status_bar_of_deathmatch_shows_what_the_player_has() {
        let program =
            b"yb -24 xv 0 hnum xv 50 pic 0 if 2 xv 100 anum endif if 4 xv 200 rnum endif yb -50 num 3 14";
        let values = |stats: &[(usize, i16)]| -> Vec<(u8, i16, EdgeOffset)> {
            let number = |item: &LayoutItem| match item.what {
                LayoutContent::Number { value, stat, .. } => Some((stat, value, item.y)),
                _ => None,
            };
            draw(program, stats).iter().filter_map(number).collect()
        };
        let (low, high) = (
            EdgeOffset { edge: ScreenEdge::End, pixels: -24 },
            EdgeOffset { edge: ScreenEdge::End, pixels: -50 },
        );
        assert_eq!(values(&[(1, 100)]), [(1, 100, low), (14, 0, high)]);
        assert_eq!(
            values(&[(1, 100), (2, 1), (3, 20), (4, 1), (14, 5)]),
            [(1, 100, low), (3, 20, low), (14, 5, high)]
        );
    }

    #[test]
    fn words_are_cut_as_engines_cut_them() {
        let texts = |program: &[u8]| -> Vec<Vec<u8>> {
            let text = |item: &LayoutItem| match &item.what {
                LayoutContent::Text { text, .. } => Some(text.bytes().to_vec()),
                _ => None,
            };
            draw(program, &[]).iter().filter_map(text).collect()
        };
        assert_eq!(texts(b"string \"a b\" // string c\n\xd2string2 \"\xd2\""), [&b"a b"[..], b"\xd2"]);
        assert_eq!(texts(b"string"), [b""]);
        assert_eq!(texts(b"string \"open"), [b"open"]);
        let long = [b"string ".as_slice(), &[b'x'; 200], b" string y"].concat();
        assert_eq!(texts(&long), [&b""[..], b"y"]);
    }

    #[test]
    fn a_statement_that_engines_refuse_ends_the_layout() {
        assert_eq!(draw(b"client 0 0 256 1 1 1 string a", &[]), []);
        assert_eq!(draw(b"num 3 32 string a", &[]), []);
        assert_eq!(draw(b"nonsense 1 string a", &[]).len(), 1);
    }
}
