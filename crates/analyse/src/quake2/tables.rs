//! The meanings of Quake II's models, sounds, pictures and flashes: id's game, CTF and both mission packs, by
//! the item lists of each (`g_items.c`) and `q_shared.h`.

use moviola_format::names::quake2::{MUZZLEFLASH, PLAYERS_MODEL};
use moviola_format::names::value;

/// Items by the model that lies in the level and by the one in the hands, without `models/` and `/tris.md2`.
const MODELS: &[(&[u8], &[u8], &str)] = &[
    (b"items/armor/body", b"", "Body Armor"),
    (b"items/armor/combat", b"", "Combat Armor"),
    (b"items/armor/jacket", b"", "Jacket Armor"),
    (b"items/armor/shard", b"", "Armor Shard"),
    (b"items/armor/screen", b"", "Power Screen"),
    (b"items/armor/shield", b"", "Power Shield"),
    (b"", b"weapons/v_blast", "Blaster"),
    (b"weapons/g_shotg", b"weapons/v_shotg", "Shotgun"),
    (b"weapons/g_shotg2", b"weapons/v_shotg2", "Super Shotgun"),
    (b"weapons/g_machn", b"weapons/v_machn", "Machinegun"),
    (b"weapons/g_chain", b"weapons/v_chain", "Chaingun"),
    (b"items/ammo/grenades/medium", b"weapons/v_handgr", "Grenades"),
    (b"weapons/g_launch", b"weapons/v_launch", "Grenade Launcher"),
    (b"weapons/g_rocket", b"weapons/v_rocket", "Rocket Launcher"),
    (b"weapons/g_hyperb", b"weapons/v_hyperb", "HyperBlaster"),
    (b"weapons/g_rail", b"weapons/v_rail", "Railgun"),
    (b"weapons/g_bfg", b"weapons/v_bfg", "BFG10K"),
    (b"items/ammo/shells/medium", b"", "Shells"),
    (b"items/ammo/bullets/medium", b"", "Bullets"),
    (b"items/ammo/cells/medium", b"", "Cells"),
    (b"items/ammo/rockets/medium", b"", "Rockets"),
    (b"items/ammo/slugs/medium", b"", "Slugs"),
    (b"items/quaddama", b"", "Quad Damage"),
    (b"items/invulner", b"", "Invulnerability"),
    (b"items/silencer", b"", "Silencer"),
    (b"items/breather", b"", "Rebreather"),
    (b"items/enviro", b"", "Environment Suit"),
    (b"items/c_head", b"", "Ancient Head"),
    (b"items/adrenal", b"", "Adrenaline"),
    (b"items/band", b"", "Bandolier"),
    (b"items/pack", b"", "Ammo Pack"),
    (b"items/keys/data_cd", b"", "Data CD"),
    (b"items/keys/power", b"", "Power Cube"),
    (b"items/keys/pyramid", b"", "Pyramid Key"),
    (b"items/keys/spinner", b"", "Data Spinner"),
    (b"items/keys/pass", b"", "Security Pass"),
    (b"items/keys/key", b"", "Blue Key"),
    (b"items/keys/red_key", b"", "Red Key"),
    (b"items/keys/target", b"", "Airstrike Marker"),
    (b"items/healing/stimpack", b"", "Health 2"),
    (b"items/healing/medium", b"", "Health 10"),
    (b"items/healing/large", b"", "Health 25"),
    (b"items/mega_h", b"", "Mega Health"),
    (b"", b"weapons/grapple", "Grapple"),
    (b"ctf/resistance", b"", "Disruptor Shield"),
    (b"ctf/strength", b"", "Power Amplifier"),
    (b"ctf/haste", b"", "Time Accel"),
    (b"ctf/regeneration", b"", "AutoDoc"),
    (b"weapons/g_boom", b"weapons/v_boomer", "Ionripper"),
    (b"weapons/g_shotx", b"weapons/v_shotx", "Phalanx"),
    (b"weapons/g_trap", b"weapons/v_trap", "Trap"),
    (b"objects/ammo", b"", "Mag Slug"),
    (b"items/quadfire", b"", "DualFire Damage"),
    (b"weapons/g_etf_rifle", b"weapons/v_etf_rifle", "ETF Rifle"),
    (b"weapons/g_plaunch", b"weapons/v_plaunch", "Prox Launcher"),
    (b"weapons/g_beamer", b"weapons/v_beamer", "Plasma Beam"),
    (b"weapons/g_chainf", b"weapons/v_chainf", "Chainfist"),
    (b"weapons/g_dist", b"weapons/v_dist", "Disruptor"),
    (b"ammo/am_flechette", b"", "Flechettes"),
    (b"ammo/am_prox", b"", "Prox"),
    (b"ammo/am_tesl", b"weapons/v_tesla", "Tesla"),
    (b"ammo/am_disr", b"", "Rounds"),
    (b"items/goggles", b"", "IR Goggles"),
    (b"items/ddamage", b"", "Double Damage"),
];

fn bare(model: &[u8]) -> &[u8] {
    let model = model.strip_prefix(b"models/").unwrap_or(model);
    model.strip_suffix(b"/tris.md2").unwrap_or(model)
}

/// Monsters by their model, without `models/monsters/` and `/tris.md2`: id's game and both mission packs.
/// Soldiers and tanks of several kinds share theirs; allies of the player are not included.
const MONSTERS: &[(&[u8], &str)] = &[
    (b"soldier", "Guard"),
    (b"soldierh", "Guard"),
    (b"infantry", "Enforcer"),
    (b"gunner", "Gunner"),
    (b"tank", "Tank"),
    (b"ctank", "Tank Commander"),
    (b"bitch", "Iron Maiden"),
    (b"bitch2", "Iron Maiden"),
    (b"brain", "Brains"),
    (b"berserk", "Berserker"),
    (b"gladiatr", "Gladiator"),
    (b"gladb", "Gladiator"),
    (b"mutant", "Mutant"),
    (b"parasite", "Parasite"),
    (b"medic", "Medic"),
    (b"flyer", "Flyer"),
    (b"float", "Technician"),
    (b"hover", "Icarus"),
    (b"flipper", "Barracuda Shark"),
    (b"boss1", "Supertank"),
    (b"boss2", "Hornet"),
    (b"boss3/jorg", "Jorg"),
    (b"boss3/rider", "Makron"),
    (b"boss5", "Supertank"),
    (b"fixbot", "Fixbot"),
    (b"gekk", "Gekk"),
    (b"stalker", "Stalker"),
    (b"turret", "Turret"),
    (b"carrier", "Carrier"),
    (b"blackwidow", "Black Widow"),
    (b"blackwidow2", "Black Widow"),
];

/// The meaning of a model in the level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ModelMeaning {
    #[default]
    Nothing,
    /// An item.
    Item(&'static str),
    Monster(&'static str),
    /// A piece of a gibbed monster.
    Piece,
    /// A player. The player's skin determines the model.
    Player,
}

/// The meaning of a model in the level.
pub(super) fn seen(model: &[u8]) -> ModelMeaning {
    let bare = bare(model);
    if let Some(row) = MODELS.iter().find(|row| !row.0.is_empty() && row.0 == bare) {
        return ModelMeaning::Item(row.2);
    }
    if bare.starts_with(b"objects/gibs/") {
        return ModelMeaning::Piece;
    }
    let monster = bare.strip_prefix(b"monsters/");
    let row = monster.and_then(|name| MONSTERS.iter().find(|row| row.0 == name));
    row.map_or(ModelMeaning::Nothing, |row| ModelMeaning::Monster(row.1))
}

/// The weapon with this view model.
///
/// ```
/// use moviola_analyse::vocabulary::weapon;
/// assert_eq!(weapon(b"models/weapons/v_rail/tris.md2"), Some("Railgun"));
/// ```
pub fn weapon(model: &[u8]) -> Option<&'static str> {
    let bare = bare(model);
    MODELS.iter().find(|row| !row.1.is_empty() && row.1 == bare).map(|row| row.2)
}

/// The weapon that other Quake II players appear to carry, by the weapon's file in the folder of the player
/// model.
///
/// ```
/// use moviola_analyse::vocabulary::carried;
/// assert_eq!(carried(b"w_rlauncher.md2"), Some("Rocket Launcher"));
/// ```
pub fn carried(file: &[u8]) -> Option<&'static str> {
    const ROWS: &[(&[u8], &str)] = &[
        (b"w_blaster", "Blaster"),
        (b"w_shotgun", "Shotgun"),
        (b"w_sshotgun", "Super Shotgun"),
        (b"w_machinegun", "Machinegun"),
        (b"w_chaingun", "Chaingun"),
        (b"a_grenades", "Grenades"),
        (b"w_glauncher", "Grenade Launcher"),
        (b"w_rlauncher", "Rocket Launcher"),
        (b"w_hyperblaster", "HyperBlaster"),
        (b"w_railgun", "Railgun"),
        (b"w_bfg", "BFG10K"),
        (b"w_grapple", "Grapple"),
        (b"w_etfrifle", "ETF Rifle"),
        (b"w_plasma", "Plasma Beam"),
        (b"w_plauncher", "Prox Launcher"),
        (b"w_chainfist", "Chainfist"),
        (b"w_disrupt", "Disruptor"),
    ];
    let name = file.strip_suffix(b".md2").unwrap_or(file);
    ROWS.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// The item that runs out, by its picture.
pub(super) fn powerup(image: &[u8]) -> Option<&'static str> {
    const ROWS: &[(&[u8], &str)] = &[
        (b"p_quad", "Quad Damage"),
        (b"p_invulnerability", "Invulnerability"),
        (b"p_envirosuit", "Environment Suit"),
        (b"p_rebreather", "Rebreather"),
        (b"p_quadfire", "DualFire Damage"),
        (b"p_double", "Double Damage"),
        (b"p_ir", "IR Goggles"),
    ];
    ROWS.iter().find(|row| row.0 == image).map(|row| row.1)
}

const fn flash(name: &str) -> u8 {
    value(MUZZLEFLASH, name) as u8
}

/// Weapons by the muzzle flash of the player who fires them.
const SHOTS: &[(u8, &str)] = &[
    (flash("MZ_BLASTER"), "Blaster"),
    (flash("MZ_MACHINEGUN"), "Machinegun"),
    (flash("MZ_SHOTGUN"), "Shotgun"),
    (flash("MZ_SHOTGUN2"), "Shotgun"),
    (flash("MZ_CHAINGUN1"), "Chaingun"),
    (flash("MZ_CHAINGUN2"), "Chaingun"),
    (flash("MZ_CHAINGUN3"), "Chaingun"),
    (flash("MZ_RAILGUN"), "Railgun"),
    (flash("MZ_ROCKET"), "Rocket Launcher"),
    (flash("MZ_GRENADE"), "Grenade Launcher"),
    (flash("MZ_BFG"), "BFG10K"),
    (flash("MZ_SSHOTGUN"), "Super Shotgun"),
    (flash("MZ_HYPERBLASTER"), "HyperBlaster"),
    (flash("MZ_IONRIPPER"), "Ionripper"),
    (flash("MZ_BLUEHYPERBLASTER"), "HyperBlaster (blue)"),
    (flash("MZ_PHALANX"), "Phalanx"),
    (flash("MZ_ETF_RIFLE"), "ETF Rifle"),
    (flash("MZ_HEATBEAM"), "Plasma Beam"),
    (flash("MZ_BLASTER2"), "Blaster (green)"),
    (flash("MZ_TRACKER"), "Disruptor"),
    (flash("MZ_NUKE1"), "A-M Bomb"),
    (flash("MZ_NUKE2"), "A-M Bomb"),
    (flash("MZ_NUKE4"), "A-M Bomb"),
    (flash("MZ_NUKE8"), "A-M Bomb"),
];

/// The weapon of a muzzle flash; the highest bit only means that the weapon is silenced.
pub(super) fn shot(flash: u8) -> Option<&'static str> {
    SHOTS.iter().find(|(known, _)| *known == flash & 0x7F).map(|(_, weapon)| *weapon)
}

/// Whether a sound is that of a pickup.
pub(super) fn is_pickup(sound: &[u8]) -> bool {
    const SOUNDS: &[&[u8]] = &[
        b"misc/w_pkup.wav",
        b"misc/am_pkup.wav",
        b"misc/ar1_pkup.wav",
        b"misc/ar2_pkup.wav",
        b"misc/ar3_pkup.wav",
        b"items/pkup.wav",
        b"items/s_health.wav",
        b"items/n_health.wav",
        b"items/l_health.wav",
        b"items/m_health.wav",
    ];
    SOUNDS.contains(&sound)
}

/// The number of the model that the player's skin selects.
pub(super) const OWN_MODEL: u8 = PLAYERS_MODEL as u8;

/// The frames in which a player's model dies or lies dead.
pub(super) const PLAYER_DEATHS: std::ops::RangeInclusive<i32> = 173..=197;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_by_their_use() {
        assert_eq!(seen(b"models/weapons/g_shotg/tris.md2"), ModelMeaning::Item("Shotgun"));
        assert_eq!(seen(b"models/monsters/boss3/jorg/tris.md2"), ModelMeaning::Monster("Jorg"));
        assert_eq!(seen(b"models/objects/gibs/head2/tris.md2"), ModelMeaning::Piece);
        assert_eq!(weapon(b"models/weapons/v_shotg/tris.md2"), Some("Shotgun"));
        assert_eq!(weapon(b"models/weapons/g_shotg/tris.md2"), None);
        assert_eq!((seen(b""), weapon(b"")), (ModelMeaning::Nothing, None));
        assert_eq!(shot(128 + 13), Some("Super Shotgun"));
    }
}
