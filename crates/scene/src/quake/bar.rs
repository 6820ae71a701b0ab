//! Quake's status bar and scores. `packs.rs` has the differences of the mission packs.

use super::Maker;
use super::packs::{BarKind, ITEM_WIDTH, Icons, WEAPON_WIDTH};
use super::screen::BAR_LINES;
use crate::text::{BRONZE, CHARACTER};
use crate::{Draw, Hud, PictureFile, Rect, Scene};
use moviola_format::names::{bit, quake};
use moviola_state::quake::{MissionPack, Player, Stat};

pub(super) const RING: &str = "Ring of Shadows";
pub(super) const PENTAGRAM: &str = "Pentagram of Protection";
pub(super) const QUAD: &str = "Quad Damage";

const fn item(name: &str) -> u32 {
    bit(quake::ITEMS, name) as u32
}

/// Weapons from left to right: each with its bit, and the ending of the names of its pictures.
const WEAPONS: Icons = &[
    (item("Shotgun"), "shotgun"),
    (item("Super Shotgun"), "sshotgun"),
    (item("Nailgun"), "nailgun"),
    (item("Super Nailgun"), "snailgun"),
    (item("Grenade Launcher"), "rlaunch"),
    (item("Rocket Launcher"), "srlaunch"),
    (item("Thunderbolt"), "lightng"),
];

/// The counts in the inventory, from left to right.
const COUNTS: [Stat; 4] = [Stat::Shells, Stat::Nails, Stat::Rockets, Stat::Cells];

/// The character of the small golden zero.
const SMALL_ZERO: u8 = 18;

/// The golden brackets around the player's own score.
const BRACKETS: [u8; 2] = [16, 17];

/// Seconds that a face shows pain.
const PAIN: f64 = 0.2;

/// Seconds that a new weapon blinks.
pub(super) const BLINK: f64 = 1.0;

impl Maker<'_> {
    pub(super) fn lump(name: &str, x: i32, y: i32, scene: &mut Scene) {
        scene.overlay.picture(PictureFile::Lump(name.into()), x, y);
    }

    /// Draws a number in large digits, right-aligned.
    pub(super) fn number(value: i32, width: usize, red: bool, x: i32, y: i32, scene: &mut Scene) {
        let digits = value.to_string();
        let digits = digits.get(digits.len().saturating_sub(width)..).unwrap_or_default();
        let mut x = x + (width.saturating_sub(digits.len()) as i32) * 24;
        for digit in digits.chars() {
            let part = if digit == '-' { "minus".to_owned() } else { digit.to_string() };
            let family = if red { "anum" } else { "num" };
            Self::lump(&format!("{family}_{part}"), x, y, scene);
            x += 24;
        }
    }

    pub(super) fn draw_bar(&self, scene: &mut Scene) {
        let world = self.world();
        if self.options.hud == Hud::Minimal {
            self.small_bar(scene);
            return;
        }
        let lines = self.bar_lines();
        if lines == 0 {
            return;
        }
        let (width, height) = (scene.overlay.width(), scene.overlay.height());
        let x = if world.level.game_type == 0 { (width - 320) / 2 } else { 0 };
        let y = height - 24;
        let tile = PictureFile::Lump("backtile".into());
        for (from, to) in [(0, x), (x + 320, width)] {
            let area = Rect::new(from, height - lines, to - from, lines);
            if to > from && scene.view.size[1] < height {
                scene.overlay.draws.push(Draw::Tile { picture: tile.clone(), area });
            }
        }
        if lines == BAR_LINES {
            self.inventory(x, y, scene);
        }
        if world.level.game_type != 0 {
            self.small_rankings(lines, scene);
        }
        if world.stats.get(Stat::Health) <= 0 {
            Self::lump("scorebar", x, y, scene);
            self.solo_scores(x, y, scene);
            if world.level.game_type != 0 {
                self.rankings(scene);
            }
            return;
        }
        Self::lump("sbar", x, y, scene);
        self.armor(x, y, scene);
        Self::lump(&self.face(), x + 112, y, scene);
        let health = world.stats.get(Stat::Health);
        Self::number(health, 3, health <= 25, x + 136, y, scene);
        let items = world.vitals.items;
        let kind = BarKind::of(self.pack());
        if let Some((_, picture)) = kind.ammo.iter().find(|(bit, _)| items & bit != 0) {
            Self::lump(picture, x + 224, y, scene);
        }
        for ((_, picture), row) in kind.keys.iter().zip(0..).filter(|((bit, _), _)| items & bit != 0) {
            Self::lump(picture, x + 209, y + 3 + row * 9, scene);
        }
        let ammo = world.stats.get(Stat::Ammo);
        Self::number(ammo, 3, ammo <= 10, x + 248, y, scene);
    }

    fn armor(&self, x: i32, y: i32, scene: &mut Scene) {
        let items = self.world().vitals.items;
        if items & item(PENTAGRAM) != 0 {
            Self::number(666, 3, true, x + 24, y, scene);
            Self::lump("disc", x, y, scene);
            return;
        }
        let armor = self.world().stats.get(Stat::Armor);
        Self::number(armor, 3, armor <= 25, x + 24, y, scene);
        if let Some((_, picture)) = BarKind::of(self.pack()).armor.iter().find(|(bit, _)| items & bit != 0) {
            Self::lump(picture, x, y, scene);
        }
    }

    fn face(&self) -> String {
        let world = self.world();
        let has = |name: u32| world.vitals.items & name != 0;
        if has(item(RING)) && has(item(PENTAGRAM)) {
            return "face_inv2".to_owned();
        }
        let powers =
            [(item(QUAD), "face_quad"), (item(RING), "face_invis"), (item(PENTAGRAM), "face_invul2")];
        if let Some((_, face)) = powers.iter().find(|(bit, _)| has(*bit)) {
            return (*face).to_owned();
        }
        let face = 5 - (world.stats.get(Stat::Health) / 20).clamp(0, 4);
        let hurts = world
            .damage
            .is_some_and(|(when, _)| (0.0..=PAIN).contains(&(self.clock - f64::from(when.value()))));
        if hurts { format!("face_p{face}") } else { format!("face{face}") }
    }

    fn inventory(&self, x: i32, y: i32, scene: &mut Scene) {
        let world = self.world();
        let (pack, items) = (self.pack(), world.vitals.items);
        let (kind, in_hand) = (BarKind::of(pack), pack.weapon_bit(world.stats.get(Stat::Weapon)));
        Self::lump(kind.inventory(in_hand), x, y - 24, scene);
        for ((bit, name), column) in WEAPONS.iter().zip(0..).filter(|((bit, _), _)| items & bit != 0) {
            let family = self.family(*bit, in_hand);
            Self::lump(&format!("{family}_{name}"), x + column * WEAPON_WIDTH, y - 16, scene);
        }
        for (picture, right) in self.weapons_of_pack(pack, in_hand) {
            Self::lump(&picture, x + right, y - 16, scene);
        }
        for (stat, column) in COUNTS.iter().zip(0..) {
            let number = format!("{:3}", world.stats.get(*stat).clamp(-99, 999));
            for (digit, place) in number.bytes().zip(0..).filter(|(digit, _)| digit.is_ascii_digit()) {
                let code = digit - b'0' + SMALL_ZERO;
                let at = [x + (6 * column + 1 + place) * 8 + 2, y - 24];
                scene.overlay.draws.push(Draw::Character { code, at });
            }
        }
        for (icons, left, width) in
            [(kind.items.0, kind.items.1, ITEM_WIDTH), (kind.last.0, 288, kind.last.1)]
        {
            for ((_, name), column) in icons.iter().zip(0..).filter(|((bit, _), _)| items & bit != 0) {
                Self::lump(name, x + left + column * width, y - 16, scene);
            }
        }
        if world.level.max_clients > 1 {
            self.frags(x, y, scene);
        }
    }

    /// The game code whose items the level has.
    fn pack(&self) -> MissionPack {
        MissionPack::of(&self.world().level.models)
    }

    /// The beginning of the name of a weapon's picture. Five pictures flash while the weapon is new, and another shows
    /// the weapon in hand.
    pub(super) fn family(&self, weapon: u32, in_hand: u32) -> String {
        match self.picked_up(weapon) {
            Some(age) if age < BLINK => format!("inva{}", (age * 10.0) as i32 % 5 + 1),
            _ if in_hand == weapon => "inv2".to_owned(),
            _ => "inv".to_owned(),
        }
    }

    /// The seconds since an item was picked up; `None` if it does not flash any more.
    pub(super) fn picked_up(&self, bit: u32) -> Option<f64> {
        let mut since = None;
        for beat in self.window.back_from(self.place) {
            if beat.seen.world.vitals.items & bit == 0 {
                return since;
            }
            since = Some(self.now - beat.from);
            if self.now - beat.from > BLINK {
                break;
            }
        }
        None
    }

    /// The slots of the players, the best first.
    fn ranked(&self) -> Vec<usize> {
        let players = &self.world().players;
        let named = players.iter().enumerate().filter(|(_, player)| !player.name.is_empty());
        let mut ranked: Vec<usize> = named.map(|(slot, _)| slot).collect();
        ranked.sort_by_key(|slot| -players.get(*slot).map_or(0, |player| i32::from(player.frags)));
        ranked
    }

    fn is_own(&self, slot: usize) -> bool {
        i32::try_from(slot).is_ok_and(|slot| slot + 1 == i32::from(self.world().view.entity))
    }

    /// Draws up to four scores on the bar.
    fn frags(&self, x: i32, y: i32, scene: &mut Scene) {
        for (slot, place) in self.ranked().into_iter().take(4).zip(0..) {
            let Some(player) = self.world().players.get(slot) else { continue };
            let column = 23 + place * 4;
            let colors = Rect::new(x + column * 8 + 10, y - 23, 28, 7);
            draw_score(player, colors, 4, [x + (column + 1) * 8 + 4, y - 24], scene);
            if self.is_own(slot) {
                draw_brackets([x + column * 8 + 6, x + (column + 4) * 8], y - 24, scene);
            }
        }
    }

    /// Draws the scores of a deathmatch beside the bar, where there is room: as many rows as fit, with the player's own.
    fn small_rankings(&self, lines: i32, scene: &mut Scene) {
        const LEFT: i32 = 324;
        let rows = lines / CHARACTER;
        if scene.overlay.width() < 512 || rows < 3 {
            return;
        }
        let ranked = self.ranked();
        let own = ranked.iter().position(|slot| self.is_own(*slot)).unwrap_or_default();
        let rows = rows as usize;
        let first = own.saturating_sub(rows / 2).min(ranked.len().saturating_sub(rows));
        let top = scene.overlay.height() - lines;
        // The lowest row stays free.
        for (slot, row) in ranked.into_iter().skip(first).take(rows - 1).zip(0..) {
            let Some(player) = self.world().players.get(slot) else { continue };
            let y = top + row * CHARACTER;
            draw_score(player, Rect::new(LEFT, y + 1, 40, 7), 3, [LEFT + 8, y], scene);
            if self.is_own(slot) {
                draw_brackets([LEFT, LEFT + 32], y, scene);
            }
            scene.overlay.text(LEFT + 48, y, player.name.bytes(), 0);
        }
    }

    fn solo_scores(&self, x: i32, y: i32, scene: &mut Scene) {
        let world = self.world();
        let stat = |stat| world.stats.get(stat);
        let seconds = self.clock.clamp(0.0, 1e6) as i32;
        let title = world.level.title.bytes();
        let title = title.get(..40).unwrap_or(title);
        let overlay = &mut scene.overlay;
        let kills = format!("Monsters:{:3} /{:3}", stat(Stat::Monsters), stat(Stat::TotalMonsters));
        let secrets = format!("Secrets :{:3} /{:3}", stat(Stat::Secrets), stat(Stat::TotalSecrets));
        let time = format!("Time :{:3}:{:02}", seconds / 60, seconds % 60);
        overlay.text(x + 8 + 4, y + 4, kills.as_bytes(), 0);
        overlay.text(x + 8 + 4, y + 12, secrets.as_bytes(), 0);
        overlay.text(x + 184 + 4, y + 4, time.as_bytes(), 0);
        overlay.text(x + 232 - title.len() as i32 * 4, y + 12, title, 0);
    }

    /// Draws the scores of a deathmatch.
    pub(super) fn rankings(&self, scene: &mut Scene) {
        let picture = PictureFile::File("gfx/ranking.lmp".into());
        let [width, _] = self.files.picture_size(&picture).unwrap_or([160, 24]);
        let left = (scene.overlay.width() - 320) / 2;
        scene.overlay.picture(picture, left + (320 - width) / 2, 8);
        for (slot, place) in self.ranked().into_iter().take(16).zip(0..) {
            let Some(player) = self.world().players.get(slot) else { continue };
            let (x, y) = (left + 80, 40 + place * 10);
            draw_score(player, Rect::new(x, y, 40, 8), 4, [x + 8, y], scene);
            if self.is_own(slot) {
                scene.overlay.text(x - 8, y, &[12], 0);
            }
            scene.overlay.text(x + 64, y, player.name.bytes(), 0);
        }
    }

    /// Draws health, armor and ammunition in small characters.
    fn small_bar(&self, scene: &mut Scene) {
        let stats = &self.world().stats;
        let text = format!(
            "{:3}  {:3}  {:3}",
            stats.get(Stat::Health),
            stats.get(Stat::Armor),
            stats.get(Stat::Ammo)
        );
        let y = scene.overlay.height() - 2 * CHARACTER;
        scene.overlay.text(2 * CHARACTER, y, text.as_bytes(), BRONZE);
    }
}

/// Draws a player's score over the colors: the shirt's in the upper rows of the area, the trousers' below.
fn draw_score(player: &Player, colors: Rect, shirt_height: i32, text: [i32; 2], scene: &mut Scene) {
    let ([x, y], [width, height]) = (colors.at, colors.size);
    let fill = |y, height, row| {
        let (area, color) = (Rect::new(x, y, width, height), row_color(row));
        Draw::Fill { area, color, alpha: 1.0 }
    };
    let shirt = fill(y, shirt_height, player.colors.shirt());
    let trousers = fill(y + shirt_height, height - shirt_height, player.colors.pants());
    scene.overlay.draws.extend([shirt, trousers]);
    scene.overlay.text(text[0], text[1], format!("{:3}", player.frags).as_bytes(), 0);
}

/// Draws the brackets around the player's own score.
fn draw_brackets(columns: [i32; 2], y: i32, scene: &mut Scene) {
    for (x, bracket) in columns.into_iter().zip(BRACKETS) {
        scene.overlay.text(x, y, &[bracket], 0);
    }
}

/// The palette color for a shirt or trousers in the scores.
fn row_color(row: u8) -> u8 {
    (row & 15) * 16 + 8
}
