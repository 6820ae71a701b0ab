//! Muzzle flashes of Quake II: their light and smoke, and the sound of the shot, which the client adds by
//! itself.

use super::effects::NORMAL;
use super::muzzle::muzzle;
use super::sparks::{Burst, FALLS};
use super::{FRAME, Maker};
use crate::Scene;
use crate::dice::Dice;
use moviola_format::names::{quake2, value, value_name};
use moviola_state::quake2::Entity;

const fn mz(name: &str) -> u8 {
    value(quake2::MUZZLEFLASH, name) as u8
}

/// The bit of a silenced shot, and its volume.
pub(super) const SILENCED: u8 = mz("MZ_BLASTER | MZ_SILENCED");
pub(super) const SILENCED_VOLUME: f32 = 0.2;

const YELLOW: [f32; 3] = [1.0, 1.0, 0.0];

/// A shot: its number, the least radius and the color of its light, its sound, and the sound that follows a tenth of a
/// second later. `%` stands for 1 to 5, at random.
struct Shot(u8, f32, [f32; 3], &'static str, &'static str);

const SHOTS: &[Shot] = &[
    Shot(mz("MZ_BLASTER"), 200.0, YELLOW, "weapons/blastf1a.wav", ""),
    Shot(mz("MZ_MACHINEGUN"), 200.0, YELLOW, "weapons/machgf%b.wav", ""),
    Shot(mz("MZ_SHOTGUN"), 200.0, YELLOW, "weapons/shotgf1b.wav", "weapons/shotgr1b.wav"),
    Shot(mz("MZ_CHAINGUN1"), 200.0, [1.0, 0.25, 0.0], "weapons/machgf%b.wav", ""),
    Shot(mz("MZ_CHAINGUN2"), 225.0, [1.0, 0.5, 0.0], "weapons/machgf%b.wav", ""),
    Shot(mz("MZ_CHAINGUN3"), 250.0, YELLOW, "weapons/machgf%b.wav", ""),
    Shot(mz("MZ_RAILGUN"), 200.0, [0.5, 0.5, 1.0], "weapons/railgf1a.wav", ""),
    Shot(mz("MZ_ROCKET"), 200.0, [1.0, 0.5, 0.2], "weapons/rocklf1a.wav", "weapons/rocklr1b.wav"),
    Shot(mz("MZ_GRENADE"), 200.0, [1.0, 0.5, 0.0], "weapons/grenlf1a.wav", "weapons/grenlr1b.wav"),
    Shot(mz("MZ_LOGIN"), 200.0, [0.0, 1.0, 0.0], "weapons/grenlf1a.wav", ""),
    Shot(mz("MZ_LOGOUT"), 200.0, [1.0, 0.0, 0.0], "weapons/grenlf1a.wav", ""),
    Shot(mz("MZ_RESPAWN"), 200.0, YELLOW, "weapons/grenlf1a.wav", ""),
    Shot(mz("MZ_BFG"), 200.0, [0.0, 1.0, 0.0], "weapons/bfg__f1y.wav", ""),
    Shot(mz("MZ_SSHOTGUN"), 200.0, YELLOW, "weapons/sshotf1b.wav", ""),
    Shot(mz("MZ_HYPERBLASTER"), 200.0, YELLOW, "weapons/hyprbf1a.wav", ""),
    Shot(mz("MZ_IONRIPPER"), 200.0, [1.0, 0.5, 0.5], "weapons/rippfire.wav", ""),
    Shot(mz("MZ_BLUEHYPERBLASTER"), 200.0, [0.0, 0.0, 1.0], "weapons/hyprbf1a.wav", ""),
    Shot(mz("MZ_PHALANX"), 200.0, [1.0, 0.5, 0.5], "weapons/plasshot.wav", ""),
    Shot(mz("MZ_ETF_RIFLE"), 200.0, [0.9, 0.7, 0.0], "weapons/nail1.wav", ""),
    Shot(mz("MZ_SHOTGUN2"), 200.0, YELLOW, "weapons/shotg2.wav", ""),
    Shot(mz("MZ_HEATBEAM"), 200.0, YELLOW, "", ""),
    Shot(mz("MZ_BLASTER2"), 200.0, [0.0, 1.0, 0.0], "weapons/blastf1a.wav", ""),
    Shot(mz("MZ_TRACKER"), 200.0, [-1.0; 3], "weapons/disint2.wav", ""),
    Shot(mz("MZ_NUKE1"), 200.0, [1.0, 0.0, 0.0], "", ""),
    Shot(mz("MZ_NUKE2"), 200.0, YELLOW, "", ""),
    Shot(mz("MZ_NUKE4"), 200.0, [0.0, 0.0, 1.0], "", ""),
    Shot(mz("MZ_NUKE8"), 200.0, [0.0, 1.0, 1.0], "", ""),
];

/// The sound and the color of a monster's flash, by a part of its name; the first match wins.
struct MonsterShot(&'static str, &'static str, [f32; 3], bool);

/// A part of the name, the sound, the color, and whether dust flies.
const MONSTERS: &[MonsterShot] = &[
    MonsterShot("INFANTRY_MACHINEGUN", "infantry/infatck1.wav", YELLOW, true),
    MonsterShot("ACTOR_MACHINEGUN", "infantry/infatck1.wav", YELLOW, true),
    MonsterShot("SOLDIER_MACHINEGUN", "soldier/solatck3.wav", YELLOW, true),
    MonsterShot("SOLDIER_BLASTER", "soldier/solatck2.wav", YELLOW, false),
    MonsterShot("SOLDIER_SHOTGUN", "soldier/solatck1.wav", YELLOW, true),
    MonsterShot("GUNNER_MACHINEGUN", "gunner/gunatck2.wav", YELLOW, true),
    MonsterShot("GUNNER_GRENADE", "gunner/gunatck3.wav", [1.0, 0.5, 0.0], false),
    MonsterShot("TANK_BLASTER", "tank/tnkatck3.wav", YELLOW, false),
    MonsterShot("SUPERTANK_MACHINEGUN", "infantry/infatck1.wav", YELLOW, true),
    MonsterShot("TANK_MACHINEGUN", "tank/tnkatk2@.wav", YELLOW, true),
    MonsterShot("SUPERTANK_ROCKET", "tank/rocket.wav", [1.0, 0.5, 0.2], false),
    MonsterShot("TANK_ROCKET", "tank/tnkatck1.wav", [1.0, 0.5, 0.2], false),
    MonsterShot("CHICK_ROCKET", "chick/chkatck2.wav", [1.0, 0.5, 0.2], false),
    MonsterShot("FLYER_BLASTER", "flyer/flyatck3.wav", YELLOW, false),
    MonsterShot("MEDIC_BLASTER", "medic/medatck1.wav", YELLOW, false),
    MonsterShot("HOVER_BLASTER", "hover/hovatck1.wav", YELLOW, false),
    MonsterShot("FLOAT_BLASTER", "floater/fltatck1.wav", YELLOW, false),
    MonsterShot("MAKRON_BLASTER", "makron/blaster.wav", YELLOW, false),
    MonsterShot("BOSS2_ROCKET", "tank/rocket.wav", [1.0, 0.5, 0.2], false),
    MonsterShot("BOSS2_MACHINEGUN", "infantry/infatck1.wav", YELLOW, true),
    MonsterShot("JORG_MACHINEGUN", "boss3/xfire.wav", YELLOW, true),
    MonsterShot("BFG", "", [0.5, 1.0, 0.5], false),
    MonsterShot("RAIL", "", [0.5, 0.5, 1.0], false),
    MonsterShot("ROCKET", "", [1.0, 0.5, 0.2], false),
    MonsterShot("GRENADE", "", [1.0, 0.5, 0.0], false),
    MonsterShot("MACHINEGUN", "", YELLOW, true),
    MonsterShot("DISRUPTOR", "weapons/disint2.wav", [-1.0; 3], false),
    MonsterShot("STALKER", "", [0.0, 1.0, 0.0], false),
    MonsterShot("DAEDALUS", "", [0.0, 1.0, 0.0], false),
    MonsterShot("", "", YELLOW, false),
];

fn shot(weapon: u8) -> Option<&'static Shot> {
    SHOTS.iter().find(|shot| shot.0 == weapon & !SILENCED)
}

fn monster_shot(weapon: u8) -> Option<&'static MonsterShot> {
    let name = value_name(quake2::MUZZLEFLASH2, i64::from(weapon)).unwrap_or_default();
    MONSTERS.iter().find(|row| name.contains(row.0))
}

/// The radius and the color of a shot's light; a silencer takes 100 units off the radius.
pub(super) fn flash_light(weapon: u8) -> (f32, [f32; 3]) {
    let (radius, color) = shot(weapon).map_or((200.0, YELLOW), |shot| (shot.1, shot.2));
    (if weapon & SILENCED == 0 { radius } else { radius - 100.0 }, color)
}

/// The sounds of a player's shot, each with its delay in seconds and its attenuation.
pub(super) fn shot_sounds(weapon: u8, dice: &mut Dice) -> Vec<(String, f64, f32)> {
    let Some(shot) = shot(weapon) else { return Vec::new() };
    let one = char::from(b'1' + dice.below(5) as u8);
    let sounds = [(shot.3, 0.0), (shot.4, FRAME)].into_iter().filter(|(file, _)| !file.is_empty());
    sounds.map(|(file, after)| (file.replace('%', &one.to_string()), after, NORMAL)).collect()
}

/// The sound of a monster's shot.
pub(super) fn monster_sound(weapon: u8, dice: &mut Dice) -> Option<String> {
    let file = monster_shot(weapon)?.1;
    let one = char::from(b'a' + dice.below(5) as u8);
    (!file.is_empty()).then(|| file.replace('@', &one.to_string()))
}

impl Maker<'_> {
    pub(super) fn flash(
        &self,
        entity: Option<&Entity>,
        weapon: u8,
        age: f64,
        dice: &mut Dice,
        scene: &mut Scene,
    ) {
        let Some(it) = entity else { return };
        if self.is_first(age) {
            Self::shot_light(Self::muzzle_of(it, [18.0, 16.0, 0.0]), weapon, dice, scene);
        }
        let color = match weapon & !SILENCED {
            weapon if weapon == mz("MZ_LOGIN") => 0xd0,
            weapon if weapon == mz("MZ_LOGOUT") => 0x40,
            weapon if weapon == mz("MZ_RESPAWN") => 0xe0,
            _ => return,
        };
        self.burst(Burst::Player { color }, super::point(it.origin), [0.0; 3], age, dice, scene);
    }

    pub(super) fn monster_flash(
        &self,
        entity: Option<&Entity>,
        weapon: u8,
        age: f64,
        dice: &mut Dice,
        scene: &mut Scene,
    ) {
        let (Some(it), Some(row)) = (entity, monster_shot(weapon)) else { return };
        let at = Self::muzzle_of(it, muzzle(weapon));
        if self.is_first(age) {
            let radius = 200.0 + dice.whole_number(32);
            scene.lights.push(crate::DynamicLight { place: at, radius, least: 0.0, color: row.2 });
        }
        if row.3 {
            let dust = Burst::Dust { color: 0, row: 8, count: 40, reach: 32, pull: FALLS };
            self.burst(dust, at, [0.0; 3], age, dice, scene);
            self.smoke(at, [0.0; 3], age, dice, scene);
        }
    }
}
