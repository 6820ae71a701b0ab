//! Every table under its name, for the manual and for the tests below.

use super::Meaning::{self, Bits, Range, Value};
use super::{quake, quake2, quakeworld};

/// Every table, as `game.table`, in the order of the manual.
///
/// ```
/// use moviola_format::names::ALL;
/// let (_, signon) = ALL.iter().find(|(table, _)| *table == "quake.signon").unwrap();
/// assert_eq!(signon.name(1).unwrap().to_string(), "prespawn");
/// ```
pub const ALL: &[(&str, Meaning)] = &[
    ("quake.protocol", Value(quake::PROTOCOL)),
    ("quake.protocol_flags", Bits(quake::PROTOCOL_FLAGS)),
    ("quake.game_type", Value(quake::GAME_TYPE)),
    ("quake.signon", Value(quake::SIGNON)),
    ("quake.pause", Value(quake::PAUSE)),
    ("quake.print_mark", Value(quake::PRINT_MARK)),
    ("quake.stat", Value(quake::STAT)),
    ("quake.items", Bits(quake::ITEMS)),
    ("quake.items_hipnotic", Bits(quake::ITEMS_HIPNOTIC)),
    ("quake.items_rogue", Bits(quake::ITEMS_ROGUE)),
    ("quake.weapon", Value(quake::WEAPON)),
    ("quake.weapon_hipnotic", Value(quake::WEAPON_HIPNOTIC)),
    ("quake.weapon_rogue", Value(quake::WEAPON_ROGUE)),
    ("quake.list_weapons", Value(quake::LIST_WEAPONS)),
    ("quake.list_ammo", Value(quake::LIST_AMMO)),
    ("quake.list_armor", Value(quake::LIST_ARMOR)),
    ("quake.list_keys", Value(quake::LIST_KEYS)),
    ("quake.list_power_ups", Value(quake::LIST_POWER_UPS)),
    ("quake.list_runes", Value(quake::LIST_RUNES)),
    ("quake.effects", Bits(quake::EFFECTS)),
    ("quake.alpha", Value(quake::ALPHA)),
    ("quake.player_frame", Range(quake::PLAYER_FRAME)),
    ("quake.player_color", Value(quake::PLAYER_COLOR)),
    ("quake.temp_entity", Value(quake::TEMP_ENTITY)),
    ("quake.particle_color", Range(quake::PARTICLE_COLOR)),
    ("quake.particle_count", Value(quake::PARTICLE_COUNT)),
    ("quake.sound_channel", Value(quake::SOUND_CHANNEL)),
    ("quake.attenuation", Value(quake::ATTENUATION)),
    ("quake.attenuation_raw", Value(quake::ATTENUATION_RAW)),
    ("quake.light_style", Range(quake::LIGHT_STYLE)),
    ("quake.palette", Range(quake::PALETTE)),
    ("quake2.protocol", Value(quake2::PROTOCOL)),
    ("quake2.record", Value(quake2::RECORD)),
    ("quake2.client", Value(quake2::CLIENT)),
    ("quake2.config", Range(quake2::CONFIG)),
    ("quake2.print_level", Value(quake2::PRINT_LEVEL)),
    ("quake2.delta_frame", Value(quake2::DELTA_FRAME)),
    ("quake2.pm_type", Value(quake2::PM_TYPE)),
    ("quake2.pm_flags", Bits(quake2::PM_FLAGS)),
    ("quake2.rdflags", Bits(quake2::RDFLAGS)),
    ("quake2.blend", Value(quake2::BLEND)),
    ("quake2.stat", Value(quake2::STAT)),
    ("quake2.stat_ctf", Value(quake2::STAT_CTF)),
    ("quake2.layouts", Value(quake2::LAYOUTS)),
    ("quake2.flashes", Value(quake2::FLASHES)),
    ("quake2.spectator", Value(quake2::SPECTATOR)),
    ("quake2.inventory", Value(quake2::INVENTORY)),
    ("quake2.model_special", Value(quake2::MODEL_SPECIAL)),
    ("quake2.player_frame", Range(quake2::PLAYER_FRAME)),
    ("quake2.effects", Bits(quake2::EFFECTS)),
    ("quake2.renderfx", Bits(quake2::RENDERFX)),
    ("quake2.mvd2_flags", Bits(quake2::MVD2_FLAGS)),
    ("quake2.event", Value(quake2::EVENT)),
    ("quake2.solid", Value(quake2::SOLID)),
    ("quake2.muzzleflash", Value(quake2::MUZZLEFLASH)),
    ("quake2.muzzleflash2", Value(quake2::MUZZLEFLASH2)),
    ("quake2.temp_entity", Value(quake2::TEMP_ENTITY)),
    ("quake2.temp_entity_old", Value(quake2::TEMP_ENTITY_OLD)),
    ("quake2.temp_entity_q2pro", Value(quake2::TEMP_ENTITY_Q2PRO)),
    ("quake2.splash", Value(quake2::SPLASH)),
    ("quake2.steam_id", Value(quake2::STEAM_ID)),
    ("quake2.widow_beam", Value(quake2::WIDOW_BEAM)),
    ("quake2.download_size", Value(quake2::DOWNLOAD_SIZE)),
    ("quake2.palette", Range(quake2::PALETTE)),
    ("quakeworld.protocol", Value(quakeworld::PROTOCOL)),
    ("quakeworld.extension", Value(quakeworld::EXTENSION)),
    ("quakeworld.fte", Bits(quakeworld::FTE)),
    ("quakeworld.fte2", Bits(quakeworld::FTE2)),
    ("quakeworld.mvd1", Bits(quakeworld::MVD1)),
    ("quakeworld.print_level", Value(quakeworld::PRINT_LEVEL)),
    ("quakeworld.temp_entity", Value(quakeworld::TEMP_ENTITY)),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The name that the table of that name has for `value`.
    fn name_of(table: &str, value: i64) -> String {
        let (_, meaning) = ALL.iter().find(|row| row.0 == table).unwrap();
        meaning.name(value).map_or(String::new(), |name| name.to_string())
    }

    fn rows(meaning: Meaning) -> Vec<(i128, i128, &'static str)> {
        match meaning {
            Value(table) => table.iter().map(|row| (row.0.into(), row.0.into(), row.1)).collect(),
            Bits(table) => table.iter().map(|row| (row.0.into(), row.0.into(), row.1)).collect(),
            Range(table) => table.iter().map(|row| (row.0.into(), row.1.into(), row.2)).collect(),
            other => panic!("{other:?} is not a table"),
        }
    }

    #[test]
    fn tables_are_sorted_and_free_of_duplicates() {
        for &(table, meaning) in ALL {
            let rows = rows(meaning);
            assert!(!rows.is_empty(), "{table}");
            for pair in rows.windows(2) {
                assert!(pair[0].1 < pair[1].0, "{table}: {:?} stands before {:?}", pair[0], pair[1]);
            }
            for &(first, last, name) in &rows {
                assert!(first <= last, "{table}: {name}");
                assert!(name.is_ascii() && !name.is_empty() && name.trim() == name, "{table}: {name:?}");
                if matches!(meaning, Bits(_)) {
                    assert_eq!(first.count_ones(), 1, "{table}: {name}");
                }
            }
        }
    }

    #[test]
    fn a_name_stands_for_one_thing() {
        for &(table, meaning) in ALL {
            // A named color can split a range in two, and the axe has two numbers.
            if matches!(meaning, Range(_)) || table == "quake.weapon" {
                continue;
            }
            let rows = rows(meaning);
            let names: BTreeSet<_> = rows.iter().map(|row| row.2).collect();
            assert_eq!(names.len(), rows.len(), "{table}");
        }
    }

    #[test]
    fn no_table_is_missing() {
        let sources = [
            ("quake", include_str!("quake.rs")),
            ("quake", include_str!("quake/lists.rs")),
            ("quake", include_str!("quake/wire.rs")),
            ("quake2", include_str!("quake2.rs")),
            ("quake2", include_str!("quake2/config.rs")),
            ("quake2", include_str!("quake2/flash.rs")),
            ("quake2", include_str!("quake2/wire.rs")),
            ("quakeworld", include_str!("quakeworld.rs")),
        ];
        let mut written = BTreeSet::new();
        for (game, source) in sources {
            for line in source.lines() {
                let Some((name, kind)) = line.strip_prefix("pub static ").and_then(|l| l.split_once(": "))
                else {
                    continue;
                };
                if kind.starts_with("&[") {
                    written.insert(format!("{game}.{}", name.to_lowercase()));
                }
            }
        }
        let listed: BTreeSet<_> = ALL.iter().map(|row| String::from(row.0)).collect();
        assert_eq!(written, listed);
        assert_eq!(listed.len(), ALL.len());
    }

    #[test]
    fn quake_as_documented() {
        assert_eq!(name_of("quake.protocol", 15), "NetQuake");
        assert_eq!(name_of("quake.protocol", i64::from(i32::from_le_bytes(*b"FTEX"))), "FTEX extensions");
        assert_eq!(name_of("quake.protocol_flags", 0x82), "PRFL_SHORTANGLE | PRFL_INT32COORD");
        assert_eq!(name_of("quake.items", 0x4001), "Shotgun | Yellow Armor");
        assert_eq!(name_of("quake.items_hipnotic", 1 << 16), "Proximity Gun");
        assert_eq!(name_of("quake.items_rogue", 1 << 11), "Axe");
        assert_eq!(name_of("quake.weapon", 64), "Thunderbolt");
        assert_eq!(name_of("quake.temp_entity", 4), "TE_TAREXPLOSION");
        assert_eq!(name_of("quake.temp_entity", 13), "TE_BEAM");
        assert_eq!(name_of("quake.stat", 11), "TOTALSECRETS");
        assert_eq!(name_of("quake.stat", 14), "MONSTERS");
        assert_eq!(name_of("quake.particle_color", 73), "blood");
        assert_eq!(name_of("quake.particle_color", 75), "barrel");
        assert_eq!(name_of("quake.particle_color", 225), "thunderbolt");
        assert_eq!(name_of("quake.sound_channel", 4), "CHAN_BODY");
        assert_eq!(name_of("quake.attenuation", 3), "ATTN_STATIC");
        assert_eq!(name_of("quake.effects", 10), "EF_MUZZLEFLASH | EF_DIMLIGHT");
        assert_eq!(name_of("quake.light_style", 40), "switched lamp");
        assert_eq!(name_of("quake.light_style", 20), "");
        assert_eq!(name_of("quake.player_frame", 49), "axdeath");
    }

    #[test]
    fn quake2_as_documented() {
        assert_eq!(name_of("quake2.protocol", 31), "Quake II 3.12 to 3.14");
        assert_eq!(name_of("quake2.record", 0x80), "RECORD_RELAY");
        assert_eq!(name_of("quake2.temp_entity", 26), "TE_GREENBLOOD");
        assert_eq!(name_of("quake2.temp_entity", 55), "TE_FLECHETTE");
        assert_eq!(name_of("quake2.temp_entity_old", 26), "TE_PLASMATRAIL");
        assert_eq!(name_of("quake2.temp_entity_old", 27), "TE_GREENBLOOD");
        assert_eq!(name_of("quake2.effects", 0x8000_0108), "EF_BLASTER | EF_COLOR_SHELL | EF_TRACKERTRAIL");
        assert_eq!(name_of("quake2.renderfx", 0x1C00), "RF_SHELL_RED | RF_SHELL_GREEN | RF_SHELL_BLUE");
        assert_eq!(name_of("quake2.renderfx", 0x8000), "RF_IR_VISIBLE");
        assert_eq!(name_of("quake2.muzzleflash", 0x86), "MZ_RAILGUN | MZ_SILENCED");
        assert_eq!(name_of("quake2.muzzleflash2", 101), "MZ2_MAKRON_BFG");
        assert_eq!(name_of("quake2.muzzleflash2", 210), "MZ2_WIDOW2_BEAM_SWEEP_11");
        assert_eq!(name_of("quake2.event", 7), "EV_OTHER_TELEPORT");
        assert_eq!(name_of("quake2.pm_flags", 36), "PMF_ON_GROUND | PMF_TIME_TELEPORT");
        assert_eq!(name_of("quake2.stat", 0), "HEALTH_ICON");
        assert_eq!(name_of("quake2.stat", 17), "SPECTATOR");
        assert_eq!(name_of("quake2.stat_ctf", 28), "MATCH");
        assert_eq!(name_of("quake2.inventory", 7), "Blaster");
        assert_eq!(name_of("quake2.inventory", 41), "Health");
        assert_eq!(name_of("quake2.layouts", 0), "popup off");
        assert_eq!(name_of("quake2.player_frame", 178), "death1");
    }

    /// Box sizes are packed in the server's way: half width, depth, height over 32 below.
    #[test]
    fn players_are_as_big_as_players() {
        let packed =
            |half: i64, depth: i64, top: i64| (half / 8) + (depth / 8) * 32 + ((top + 32) / 8) * 1024;
        assert_eq!(name_of("quake2.solid", packed(16, 24, 32)), "standing player");
        assert_eq!(name_of("quake2.solid", packed(16, 24, 4)), "crouching player");
    }
}
