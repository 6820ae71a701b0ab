//! The overlay of Quake II: the program of the status bar, layouts, inventory and texts.

// not from SCHEMA, all words: names of pictures

use super::Maker;
use crate::text::{BRONZE, CHARACTER};
use crate::{Hud, PictureFile, Scene};
use moviola_state::quake2::layout::{EdgeOffset, LayoutContent, LayoutItem, ScreenEdge, ShownOverlays, run};
use moviola_state::quake2::{MomentKind, PlayerState, Stat};

/// Seconds that console lines stay, and seconds that centered texts stay.
const NOTIFY: f64 = 3.0;
const CENTER: f64 = 2.5;

/// The width of a large digit.
const DIGIT: i32 = 16;

/// Rows of the inventory.
const INVENTORY_ROWS: usize = 17;

/// The character before the selected item.
const SELECTED: u8 = 15;

impl Maker<'_> {
    pub(super) fn write_over(&self, scene: &mut Scene) {
        let Some(player) = self.player.filter(|_| self.has_hud()) else { return };
        if self.options.hud == Hud::Minimal {
            let stat = |stat| player.stat(stat);
            let text = format!("{:3}  {:3}  {:3}", stat(Stat::Health), stat(Stat::Armor), stat(Stat::Ammo));
            let y = scene.overlay.height() - 2 * CHARACTER;
            scene.overlay.text(2 * CHARACTER, y, text.as_bytes(), BRONZE);
        } else {
            self.draw(&run(&self.config().status_bar(), &player, self.config()), &player, scene);
        }
        let shown = ShownOverlays::of(player.stat(Stat::Layouts));
        let client = self.beat.seen.frame.players.first().and_then(|(client, _)| *client);
        let of = |client| self.beat.seen.screens.iter().find(|(of, _)| *of == client);
        let screen = of(client).or_else(|| of(None)).map(|(_, screen)| screen);
        if let Some(screen) = screen.filter(|_| shown.layout) {
            self.draw(&run(screen.layout.bytes(), &player, self.config()), &player, scene);
        }
        if let Some(counts) = screen.and_then(|screen| screen.inventory.as_ref()).filter(|_| shown.inventory)
        {
            self.inventory(counts.as_slice(), &player, scene);
        }
        if self.options.texts {
            self.texts(scene);
        }
    }

    fn texts(&self, scene: &mut Scene) {
        let beats = self.window.since(self.place, self.now, NOTIFY);
        let prints = beats.flat_map(|(_, beat)| &beat.seen.moment).filter_map(|it| match &it.what {
            MomentKind::Print(_, text) => Some(text.bytes()),
            _ => None,
        });
        scene.overlay.notify(prints);
        let beats = self.window.since(self.place, self.now, CENTER);
        let center = beats.flat_map(|(_, beat)| &beat.seen.moment).filter_map(|it| match &it.what {
            MomentKind::CenterPrint(text) => Some(text.bytes()),
            _ => None,
        });
        if let Some(text) = center.last() {
            scene.overlay.centered(text, usize::MAX);
        }
    }

    fn draw(&self, items: &[LayoutItem], player: &PlayerState, scene: &mut Scene) {
        let place = |place: EdgeOffset, size: i32, virtual_size: i32| {
            let from = match place.edge {
                ScreenEdge::Start => 0,
                ScreenEdge::End => size,
                ScreenEdge::Middle => size / 2 - virtual_size / 2,
            };
            from.saturating_add(place.pixels).clamp(-MAX_COORDINATE, MAX_COORDINATE)
        };
        for item in items.iter().take(MOST_ITEMS) {
            let x = place(item.x, scene.overlay.width(), 320);
            let y = place(item.y, scene.overlay.height(), 240);
            match &item.what {
                LayoutContent::Picture(name) => {
                    Self::picture(&String::from_utf8_lossy(name.bytes()), x, y, scene);
                }
                LayoutContent::Number { value, width, stat } => {
                    let red = self.is_red(*stat, *value);
                    let flashes = player.stat(Stat::Flashes);
                    let field = match *stat {
                        stat if stat == Stat::Health as u8 => flashes & 1,
                        stat if stat == Stat::Ammo as u8 => flashes & 4,
                        stat if stat == Stat::Armor as u8 => flashes & 2,
                        _ => 0,
                    };
                    if field != 0 {
                        Self::picture("field_3", x, y, scene);
                    }
                    Self::number(i32::from(*value), *width, red, x, y, scene);
                }
                LayoutContent::Text { text, bronze, centered } => {
                    let or = if *bronze { BRONZE } else { 0 };
                    for (line, row) in text.bytes().split(|byte| *byte == b'\n').zip(0i32..64) {
                        let width = line.len().min(512) as i32 * CHARACTER;
                        let x = if *centered { x + (320 - width) / 2 } else { x };
                        scene.overlay.text(x, y + row * CHARACTER, line, or);
                    }
                }
                LayoutContent::Client { number, score, ping, minutes } => {
                    self.client(*number, [*score, *ping], *minutes, [x, y], scene);
                }
            }
        }
    }

    fn is_red(&self, stat: u8, value: i16) -> bool {
        let flash = (self.clock * 10.0) as i64 >> 2 & 1 == 1;
        match stat {
            stat if stat == Stat::Health as u8 => value <= 0 || value <= 25 && flash,
            stat if stat == Stat::Ammo as u8 => (0..=5).contains(&value) && flash,
            _ => false,
        }
    }

    fn picture(name: &str, x: i32, y: i32, scene: &mut Scene) {
        scene.overlay.picture(PictureFile::File(picture_file(name).into()), x, y);
    }

    fn number(value: i32, width: i32, red: bool, x: i32, y: i32, scene: &mut Scene) {
        let width = width.clamp(0, 5) as usize;
        let digits = value.to_string();
        let digits = digits.get(..width).unwrap_or(&digits);
        let mut x = x + 2 + DIGIT * (width.saturating_sub(digits.len()) as i32);
        for digit in digits.chars() {
            Self::picture(&digit_picture(digit, red), x, y, scene);
            x += DIGIT;
        }
    }

    /// Draws a line of a deathmatch's scores.
    fn client(
        &self,
        number: u8,
        [score, ping]: [i32; 2],
        minutes: Option<i32>,
        at: [i32; 2],
        scene: &mut Scene,
    ) {
        let [x, y] = at;
        let (name, _) = self.config().player(number);
        let own = self.beat.seen.recorder_entity.is_some_and(|own| own == u16::from(number) + 1);
        let Some(minutes) = minutes else {
            let name = name.get(..12).unwrap_or(name);
            let text = [format!("{score:3} {:3} ", ping.min(999)).as_bytes(), name].concat();
            scene.overlay.text(x, y, &text, if own { BRONZE } else { 0 });
            return;
        };
        let (model, skin) = self.player_model(number);
        Self::picture(&format!("/players/{model}/{skin}_i.pcx"), x, y, scene);
        scene.overlay.text(x + 32, y, name, BRONZE);
        scene.overlay.text(x + 32, y + 8, b"Score: ", 0);
        scene.overlay.text(x + 32 + 56, y + 8, score.to_string().as_bytes(), BRONZE);
        scene.overlay.text(x + 32, y + 16, format!("Ping:  {ping}").as_bytes(), 0);
        scene.overlay.text(x + 32, y + 24, format!("Time:  {minutes}").as_bytes(), 0);
    }

    fn inventory(&self, counts: &[i16], player: &PlayerState, scene: &mut Scene) {
        let selected = usize::try_from(player.stat(Stat::SelectedItem)).unwrap_or_default();
        let carried: Vec<(usize, i16)> =
            counts.iter().copied().enumerate().filter(|(_, count)| *count != 0).collect();
        let at = carried.iter().position(|(item, _)| *item == selected).unwrap_or(0);
        let first = at.saturating_sub(INVENTORY_ROWS / 2).min(carried.len().saturating_sub(INVENTORY_ROWS));
        let (x, y) = ((scene.overlay.width() - 256) / 2, (scene.overlay.height() - 240) / 2 + 8);
        Self::picture("inventory", x, y, scene);
        let (x, mut y) = (x + 24, y + 24);
        scene.overlay.text(x, y, b"hotkey ### item", 0);
        scene.overlay.text(x, y + CHARACTER, b"------ --- ----", 0);
        y += 2 * CHARACTER;
        for (item, count) in carried.into_iter().skip(first).take(INVENTORY_ROWS) {
            let name = self.config().item(u8::try_from(item).unwrap_or_default());
            let row = [format!("       {count:3} ").as_bytes(), name].concat();
            if item == selected {
                scene.overlay.text(x - CHARACTER, y, &[SELECTED], 0);
                scene.overlay.text(x, y, &row, 0);
            } else {
                scene.overlay.text(x, y, &row, BRONZE);
            }
            y += CHARACTER;
        }
    }
}

/// The largest coordinate of an item, in pixels.
const MAX_COORDINATE: i32 = 32_768;

const MOST_ITEMS: usize = 1024;

/// The file of a picture: a name alone is one of `pics`.
pub(crate) fn picture_file(name: &str) -> String {
    let path = name.strip_prefix(['/', '\\']);
    path.map_or_else(|| format!("pics/{name}.pcx"), ToOwned::to_owned)
}

/// The picture of a digit, or of the minus sign, in a large number.
fn digit_picture(digit: char, red: bool) -> String {
    let part = if digit == '-' { "minus".to_owned() } else { digit.to_string() };
    format!("{}_{part}", if red { "anum" } else { "num" })
}

/// The pictures of all digits.
pub(crate) fn digits() -> impl Iterator<Item = String> {
    [false, true]
        .into_iter()
        .flat_map(|red| "0123456789-".chars().map(move |digit| digit_picture(digit, red)))
}
