//! Colors over the view: liquids, blows, pickups and powers. Also fog, sky, and the opacity of liquids.

// not from SCHEMA, all words: keys that levels have, and settings of the console

use super::Maker;
use super::bar;
use crate::{FogAt, Medium, Scene, Sky, Tint};
use moviola_format::commands;
use moviola_format::names::{bit, quake};
use moviola_state::quake::{Damage, Fog, Happening};

/// The command by which game code makes the screen flash.
// not from SCHEMA: a command of the console
const FLASH: &[u8] = b"bf";

const fn item(name: &str) -> u32 {
    bit(quake::ITEMS, name) as u32
}

/// Powers by rank, with color and strength: only the first that is carried tints the view.
const POWERS: &[(u32, [u8; 3], u8)] = &[
    (item(bar::QUAD), [0, 0, 255], 30),
    (item("Biosuit"), [0, 255, 0], 20),
    (item(bar::RING), [100, 100, 100], 100),
    (item(bar::PENTAGRAM), [255, 255, 0], 30),
];

/// The strength of a blow to the view.
pub(super) fn strength(damage: &Damage) -> f32 {
    (f32::from(damage.health) * 0.5 + f32::from(damage.armor) * 0.5).max(10.0)
}

fn tint(color: [u8; 3], percent: f32) -> Tint {
    Tint { color: color.map(|part| f32::from(part) / 255.0), alpha: (percent / 255.0).clamp(0.0, 1.0) }
}

impl Maker<'_> {
    pub(super) fn tint(&self, scene: &mut Scene) {
        if self.options.fog {
            scene.fog = self.fog();
        }
        scene.sky = self.sky();
        scene.liquid_alpha = self.liquids();
        if !self.options.tints || !self.options.is_own() {
            return;
        }
        let medium = self.files.surroundings(&self.level, scene.camera.eye).medium;
        scene.tints.extend(match medium {
            Medium::Air | Medium::Solid => self.shifted(),
            Medium::Water => Some(tint([130, 80, 50], 128.0)),
            Medium::Slime => Some(tint([0, 25, 5], 150.0)),
            Medium::Lava => Some(tint([255, 80, 0], 150.0)),
        });
        scene.tints.push(self.blows());
        scene.tints.extend(self.flash());
        let items = self.world().vitals.items;
        let power = POWERS.iter().find(|(bit, ..)| items & bit != 0);
        scene.tints.extend(power.map(|(_, color, percent)| tint(*color, f32::from(*percent))));
        scene.tints.retain(|tint| tint.alpha > 0.0);
    }

    /// The tint that the game has set by `v_cshift`.
    fn shifted(&self) -> Option<Tint> {
        let words = std::str::from_utf8(self.world().console.get("v_cshift")?).ok()?;
        let mut numbers = words.split_whitespace().map(|word| word.parse::<f32>().unwrap_or(0.0));
        let mut next = || numbers.next().filter(|it| it.is_finite()).unwrap_or(0.0).clamp(0.0, 255.0);
        let color = [next() as u8, next() as u8, next() as u8];
        Some(tint(color, next()))
    }

    /// The tint of blows, which add up and fade.
    fn blows(&self) -> Tint {
        let (mut percent, mut last, mut color) = (0.0f32, 0.0f64, [255, 0, 0]);
        for (_, beat) in self.window.since(self.place, self.now, 1.5) {
            for happening in &beat.seen.world.moment {
                let Happening::Damage(damage) = happening else { continue };
                percent = (percent - (beat.from - last) as f32 * 150.0).max(0.0);
                percent = (percent + 3.0 * strength(damage)).min(150.0);
                last = beat.from;
                color = match (damage.armor, damage.health) {
                    (armor, health) if armor > health => [200, 100, 100],
                    (0, _) => [255, 0, 0],
                    _ => [220, 50, 50],
                };
            }
        }
        tint(color, percent - (self.now - last) as f32 * 150.0)
    }

    fn flash(&self) -> Option<Tint> {
        let is_flash = |happening: &Happening| match happening {
            Happening::Flash => true,
            Happening::Command(text) => commands(text.bytes()).any(|it| it.name() == FLASH),
            _ => false,
        };
        let flashes = self.window.since(self.place, self.now, 0.6);
        let last = flashes.filter(|(_, beat)| beat.seen.world.moment.iter().any(is_flash)).last();
        last.map(|(_, beat)| tint([215, 186, 69], 50.0 - (self.now - beat.from) as f32 * 100.0))
    }

    fn fog(&self) -> Option<FogAt> {
        let sky = self.keys.numbers("skyfog").first().copied().unwrap_or(0.5);
        let fog_of = |numbers: &[f32]| {
            let density = numbers.first().copied().filter(|it| *it > 0.0)?;
            let color = [1, 2, 3].map(|at| numbers.get(at).copied().unwrap_or(0.3));
            Some(FogAt { density, color, sky })
        };
        match self.world().fog {
            Fog::Fitz(parts, _) => fog_of(&parts.map(|part| part.value() as f32)),
            Fog::Nehahra(fog) if fog.enable != 0 => {
                let density = f32::from_bits(fog.density);
                let density = if density.is_finite() { density.clamp(0.0, 10.0) } else { 0.0 };
                let [red, green, blue] = fog.color.map(|part| f32::from(part) / 255.0);
                fog_of(&[density, red, green, blue])
            }
            Fog::Nehahra(_) => None,
            Fog::Usual => {
                let words = self.world().console.get("fog").and_then(|it| std::str::from_utf8(it).ok());
                let words =
                    words.map(|it| it.split_whitespace().map_while(|word| word.parse().ok()).collect());
                let numbers: Vec<f32> = words.unwrap_or_else(|| self.keys.numbers("fog"));
                fog_of(&numbers)
            }
        }
    }

    fn sky(&self) -> Sky {
        let sky = self.world().sky.bytes();
        let command = self.world().console.get("sky").or_else(|| self.world().console.get("loadsky"));
        let name = if sky.is_empty() { command.unwrap_or_default() } else { sky };
        let name = String::from_utf8_lossy(name).trim_matches('"').to_owned();
        let name = if name.is_empty() {
            ["sky", "skyname", "qlsky"].iter().find_map(|key| self.keys.get(key)).unwrap_or_default()
        } else {
            name
        };
        Sky { name: (!name.is_empty()).then(|| name.as_str().into()), ..Sky::default() }
    }

    /// The opacity of water, lava, slime and teleporters; the last three follow water unless they are set.
    fn liquids(&self) -> [f32; 4] {
        let alpha_of = |key: &str| {
            let set = self.setting(&format!("r_{key}")).or_else(|| self.keys.numbers(key).first().copied());
            set.filter(|it| *it > 0.0).map(|it| it.min(1.0))
        };
        let water = alpha_of("wateralpha").unwrap_or(1.0);
        [
            water,
            alpha_of("lavaalpha").unwrap_or(water),
            alpha_of("slimealpha").unwrap_or(water),
            alpha_of("telealpha").unwrap_or(water),
        ]
    }
}
