//! The meanings of Quake's models and sounds: id's game and both mission packs, by the `QuakeC` of each
//! (`items.qc`, `weapons.qc`, `models.qc`, and a monster's own file).

use crate::events::boss::BossSound;

/// The kinds of items, each with its own pickup sound.
///
/// ```
/// use moviola_analyse::vocabulary::{ModelMeaning, ItemKind};
/// assert_eq!(ModelMeaning::of(b"maps/b_bh25.bsp").item(0), Some(("Health 25", ItemKind::Health)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// Health of all sizes.
    Health,
    /// Armor of all colors.
    Armor,
    /// Weapons.
    Weapon,
    /// Ammunition and backpacks.
    Ammo,
    /// Keys and runes.
    Key,
    /// Powerups.
    Powerup,
}

/// The meaning of a sound.
///
/// ```
/// use moviola_analyse::vocabulary::{SoundMeaning, ItemKind};
/// assert_eq!(SoundMeaning::of(b"items/armor1.wav"), SoundMeaning::Pickup(ItemKind::Armor));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundMeaning {
    /// A sound that is no evidence of an event, like those of doors, steps and monsters.
    Nothing,
    /// A player picks something up.
    Pickup(ItemKind),
    /// A player or a monster shoots.
    Shot(&'static str),
    /// An item is back.
    Back,
    /// A boss is awake, hurt or dead.
    Boss(BossSound),
}

impl SoundMeaning {
    /// The meaning of the sound in this file.
    pub fn of(name: &[u8]) -> Self {
        match SOUNDS.iter().find(|row| row.0 == name) {
            Some(row) => row.1,
            None => BossSound::of(name).map_or(Self::Nothing, Self::Boss),
        }
    }
}

const SOUNDS: &[(&[u8], SoundMeaning)] = &[
    (b"items/health1.wav", SoundMeaning::Pickup(ItemKind::Health)),
    (b"items/r_item1.wav", SoundMeaning::Pickup(ItemKind::Health)),
    (b"items/r_item2.wav", SoundMeaning::Pickup(ItemKind::Health)),
    (b"items/armor1.wav", SoundMeaning::Pickup(ItemKind::Armor)),
    (b"weapons/pkup.wav", SoundMeaning::Pickup(ItemKind::Weapon)),
    (b"weapons/lock4.wav", SoundMeaning::Pickup(ItemKind::Ammo)),
    (b"misc/medkey.wav", SoundMeaning::Pickup(ItemKind::Key)),
    (b"misc/runekey.wav", SoundMeaning::Pickup(ItemKind::Key)),
    (b"misc/basekey.wav", SoundMeaning::Pickup(ItemKind::Key)),
    (b"items/damage.wav", SoundMeaning::Pickup(ItemKind::Powerup)),
    (b"items/protect.wav", SoundMeaning::Pickup(ItemKind::Powerup)),
    (b"items/inv1.wav", SoundMeaning::Pickup(ItemKind::Powerup)),
    (b"items/suit.wav", SoundMeaning::Pickup(ItemKind::Powerup)),
    (b"items/itembk2.wav", SoundMeaning::Back),
    (b"weapons/ax1.wav", SoundMeaning::Shot("Axe")),
    (b"soldier/sattck1.wav", SoundMeaning::Shot("Shotgun")),
    (b"weapons/guncock.wav", SoundMeaning::Shot("Shotgun")),
    (b"weapons/shotgn2.wav", SoundMeaning::Shot("Super Shotgun")),
    (b"weapons/rocket1i.wav", SoundMeaning::Shot("Nailgun")),
    (b"weapons/spike2.wav", SoundMeaning::Shot("Super Nailgun")),
    (b"weapons/grenade.wav", SoundMeaning::Shot("Grenade Launcher")),
    (b"weapons/sgun1.wav", SoundMeaning::Shot("Rocket Launcher")),
    (b"hipweap/laserg.wav", SoundMeaning::Shot("Laser Cannon")),
    (b"hipweap/proxbomb.wav", SoundMeaning::Shot("Proximity Gun")),
    (b"plasma/fire.wav", SoundMeaning::Shot("Plasma Gun")),
];

/// A monster: its name, the first frames of its deaths, and the head that remains if it is gibbed.
///
/// ```
/// use moviola_analyse::vocabulary::ModelMeaning;
/// let ModelMeaning::Monster(ogre) = ModelMeaning::of(b"progs/ogre.mdl") else { unreachable!() };
/// assert!(ogre.name == "Ogre" && ogre.is_dying(112) && !ogre.is_dying(0));
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Monster {
    /// Its name.
    pub name: &'static str,
    model: &'static [u8],
    head: &'static [u8],
    deaths: &'static [u16],
}

impl Monster {
    /// Whether a frame is one of the first of a death animation; later ones show a corpse.
    pub fn is_dying(&self, frame: u16) -> bool {
        self.deaths.iter().any(|first| (*first..first.saturating_add(3)).contains(&frame))
    }
}

const fn monster(
    name: &'static str,
    model: &'static [u8],
    head: &'static [u8],
    deaths: &'static [u16],
) -> Monster {
    Monster { name, model, head, deaths }
}

pub(crate) const MONSTERS: &[Monster] = &[
    monster("Grunt", b"progs/soldier.mdl", b"progs/h_guard.mdl", &[8, 18]),
    monster("Rottweiler", b"progs/dog.mdl", b"progs/h_dog.mdl", &[8, 17]),
    monster("Enforcer", b"progs/enforcer.mdl", b"progs/h_mega.mdl", &[41, 55]),
    monster("Ogre", b"progs/ogre.mdl", b"progs/h_ogre.mdl", &[112, 126]),
    monster("Knight", b"progs/knight.mdl", b"progs/h_knight.mdl", &[76, 86]),
    monster("Death Knight", b"progs/hknight.mdl", b"progs/h_hellkn.mdl", &[42, 54]),
    monster("Fiend", b"progs/demon.mdl", b"progs/h_demon.mdl", &[45]),
    monster("Scrag", b"progs/wizard.mdl", b"progs/h_wizard.mdl", &[46]),
    monster("Zombie", b"progs/zombie.mdl", b"progs/h_zombie.mdl", &[]),
    monster("Shambler", b"progs/shambler.mdl", b"progs/h_shams.mdl", &[83]),
    monster("Vore", b"progs/shalrath.mdl", b"progs/h_shal.mdl", &[16]),
    monster("Rotfish", b"progs/fish.mdl", b"", &[18]),
    monster("Spawn", b"progs/tarbaby.mdl", b"", &[60]),
    monster("Chthon", b"progs/boss.mdl", b"", &[48]),
    monster("Shub-Niggurath", b"progs/oldone.mdl", b"", &[]),
    monster("Gremlin", b"progs/grem.mdl", b"progs/h_grem.mdl", &[]),
    monster("Centroid", b"progs/scor.mdl", b"", &[]),
    monster("Eel", b"progs/eel2.mdl", b"", &[]),
    monster("Mummy", b"progs/mummy.mdl", b"", &[]),
    monster("Phantom Swordsman", b"progs/sword.mdl", b"", &[]),
    monster("Hephaestus", b"progs/lavaman.mdl", b"", &[]),
    monster("Wrath", b"progs/wrath.mdl", b"", &[]),
    monster("Overlord", b"progs/s_wrath.mdl", b"", &[]),
    monster("Dragon", b"progs/dragon.mdl", b"", &[]),
];

/// The meaning of a model.
///
/// ```
/// use moviola_analyse::vocabulary::ModelMeaning;
/// assert_eq!(ModelMeaning::of(b"progs/player.mdl"), ModelMeaning::Player);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelMeaning {
    /// A model that is no evidence of an event, like those of doors, flames and debris.
    Nothing,
    /// An item.
    Item(&'static str, ItemKind),
    /// Armor, whose kind is in its skin.
    Armor,
    /// A monster.
    Monster(&'static Monster),
    /// The head of a gibbed monster.
    Head(&'static Monster),
    /// A player.
    Player,
    /// A player with the Ring of Shadows.
    Eyes,
    /// The head of a gibbed player.
    PlayerHead,
    /// A missile, which is removed when it hits, and the cause to report for its damage.
    Missile(&'static str),
}

impl ModelMeaning {
    /// The meaning of the model in this file.
    pub fn of(name: &[u8]) -> Self {
        if name.is_empty() {
            return Self::Nothing;
        }
        if let Some(row) = MODELS.iter().find(|row| row.0 == name) {
            return row.1;
        }
        for monster in MONSTERS {
            if monster.model == name {
                return Self::Monster(monster);
            }
            if monster.head == name {
                return Self::Head(monster);
            }
        }
        Self::Nothing
    }

    /// The item that is shown by a model with this skin.
    pub fn item(self, skin: u8) -> Option<(&'static str, ItemKind)> {
        match self {
            Self::Item(name, sort) => Some((name, sort)),
            Self::Armor => Some((
                match skin {
                    0 => "Green Armor",
                    1 => "Yellow Armor",
                    _ => "Red Armor",
                },
                ItemKind::Armor,
            )),
            _ => None,
        }
    }
}

/// The backpack of a dead player: no level begins with one, and it does not come back.
pub(crate) const BACKPACK: &[u8] = b"progs/backpack.mdl";

const MODELS: &[(&[u8], ModelMeaning)] = &[
    (b"progs/player.mdl", ModelMeaning::Player),
    (b"progs/eyes.mdl", ModelMeaning::Eyes),
    (b"progs/h_player.mdl", ModelMeaning::PlayerHead),
    (b"progs/armor.mdl", ModelMeaning::Armor),
    (b"progs/spike.mdl", ModelMeaning::Missile("a nail")),
    (b"progs/s_spike.mdl", ModelMeaning::Missile("a super nail")),
    (b"progs/w_spike.mdl", ModelMeaning::Missile("Scrag")),
    (b"progs/k_spike.mdl", ModelMeaning::Missile("Death Knight")),
    (b"progs/laser.mdl", ModelMeaning::Missile("Enforcer")),
    (b"progs/g_shot.mdl", ModelMeaning::Item("Super Shotgun", ItemKind::Weapon)),
    (b"progs/g_nail.mdl", ModelMeaning::Item("Nailgun", ItemKind::Weapon)),
    (b"progs/g_nail2.mdl", ModelMeaning::Item("Super Nailgun", ItemKind::Weapon)),
    (b"progs/g_rock.mdl", ModelMeaning::Item("Grenade Launcher", ItemKind::Weapon)),
    (b"progs/g_rock2.mdl", ModelMeaning::Item("Rocket Launcher", ItemKind::Weapon)),
    (b"progs/g_light.mdl", ModelMeaning::Item("Thunderbolt", ItemKind::Weapon)),
    (b"progs/g_hammer.mdl", ModelMeaning::Item("Mjolnir", ItemKind::Weapon)),
    (b"progs/g_laserg.mdl", ModelMeaning::Item("Laser Cannon", ItemKind::Weapon)),
    (b"progs/g_prox.mdl", ModelMeaning::Item("Proximity Gun", ItemKind::Weapon)),
    (b"maps/b_bh10.bsp", ModelMeaning::Item("Health 15", ItemKind::Health)),
    (b"maps/b_bh25.bsp", ModelMeaning::Item("Health 25", ItemKind::Health)),
    (b"maps/b_bh100.bsp", ModelMeaning::Item("Megahealth", ItemKind::Health)),
    (b"maps/b_shell0.bsp", ModelMeaning::Item("Shells 20", ItemKind::Ammo)),
    (b"maps/b_shell1.bsp", ModelMeaning::Item("Shells 40", ItemKind::Ammo)),
    (b"maps/b_nail0.bsp", ModelMeaning::Item("Nails 25", ItemKind::Ammo)),
    (b"maps/b_nail1.bsp", ModelMeaning::Item("Nails 50", ItemKind::Ammo)),
    (b"maps/b_rock0.bsp", ModelMeaning::Item("Rockets 5", ItemKind::Ammo)),
    (b"maps/b_rock1.bsp", ModelMeaning::Item("Rockets 10", ItemKind::Ammo)),
    (b"maps/b_batt0.bsp", ModelMeaning::Item("Cells 6", ItemKind::Ammo)),
    (b"maps/b_batt1.bsp", ModelMeaning::Item("Cells 12", ItemKind::Ammo)),
    (BACKPACK, ModelMeaning::Item("Backpack", ItemKind::Ammo)),
    (b"progs/quaddama.mdl", ModelMeaning::Item("Quad Damage", ItemKind::Powerup)),
    (b"progs/invulner.mdl", ModelMeaning::Item("Pentagram of Protection", ItemKind::Powerup)),
    (b"progs/invisibl.mdl", ModelMeaning::Item("Ring of Shadows", ItemKind::Powerup)),
    (b"progs/suit.mdl", ModelMeaning::Item("Biosuit", ItemKind::Powerup)),
    (b"progs/w_s_key.mdl", ModelMeaning::Item("Silver Key", ItemKind::Key)),
    (b"progs/m_s_key.mdl", ModelMeaning::Item("Silver Key", ItemKind::Key)),
    (b"progs/b_s_key.mdl", ModelMeaning::Item("Silver Key", ItemKind::Key)),
    (b"progs/w_g_key.mdl", ModelMeaning::Item("Gold Key", ItemKind::Key)),
    (b"progs/m_g_key.mdl", ModelMeaning::Item("Gold Key", ItemKind::Key)),
    (b"progs/b_g_key.mdl", ModelMeaning::Item("Gold Key", ItemKind::Key)),
    (b"progs/end1.mdl", ModelMeaning::Item("Rune of Earth Magic", ItemKind::Key)),
    (b"progs/end2.mdl", ModelMeaning::Item("Rune of Black Magic", ItemKind::Key)),
    (b"progs/end3.mdl", ModelMeaning::Item("Rune of Hell Magic", ItemKind::Key)),
    (b"progs/end4.mdl", ModelMeaning::Item("Rune of Elder Magic", ItemKind::Key)),
];

/// The frames in which a player's model dies or lies dead.
pub(crate) const PLAYER_DEATHS: std::ops::RangeInclusive<u16> = 41..=102;

/// The name of a level's file without folder and extension.
pub(crate) fn map_name(model: &[u8]) -> &[u8] {
    let name = model.strip_prefix(b"maps/").unwrap_or(model);
    name.strip_suffix(b".bsp").unwrap_or(name)
}
