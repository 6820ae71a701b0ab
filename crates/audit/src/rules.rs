//! The rules of a level, which determine the weight of a deviation from id's rules.

use moviola_analyse::AuditSeverity;
use moviola_format::names::quake::{ITEMS, ITEMS_HIPNOTIC, ITEMS_ROGUE};
use moviola_state::quake::World;
use serde::Serialize;

/// The origin of the game code: id's or another.
///
/// ```
/// use moviola_audit::{GameCode, audit};
/// // The server says whose code it runs.
/// let file = b"-1\n\x23\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\x02\nVERSION 1.09 SERVER (24778 CRC)\0";
/// assert_eq!(audit(&file[..]).unwrap().looked.game_code, GameCode::Original);
/// assert_eq!(audit(&b"-1\n"[..]).unwrap().looked.game_code, GameCode::Unknown);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GameCode {
    /// The game code is not known.
    #[default]
    Unknown,
    /// The checksum of the game code is one of id's.
    Original,
    /// The checksum is unknown: a modified game, whose rules are not known.
    Modified,
}

/// The checksums that id's game code has in its releases, as servers print them.
const ORIGINAL: [&[u8]; 3] = [b"24778", b"51103", b"17032"];

impl GameCode {
    /// The game code that a server's version text names; `None` for any other text.
    pub(crate) fn of_version(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii_end();
        let known = |crc: &[u8]| if ORIGINAL.contains(&crc) { Self::Original } else { Self::Modified };
        let number = |text: &[u8]| {
            let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            text.get(text.len().saturating_sub(digits)..).filter(|it| !it.is_empty()).map(known)
        };
        if text.starts_with(b"\x02\n") && text.windows(8).any(|it| it == b" SERVER ") {
            return number(text.strip_suffix(b" CRC)")?);
        }
        let starts = server_text(text).starts_with(b"Server: ");
        number(text.strip_suffix(b" crc)").filter(|_| starts)?)
    }
}

/// A text of the server without its color mark and the line break before it.
pub(crate) fn server_text(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(b"\x02").unwrap_or(text);
    text.strip_prefix(b"\n").unwrap_or(text)
}

/// The kind of game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum GameMode {
    /// One player, alone.
    #[default]
    Solo,
    /// Several players, together.
    Coop,
    /// Several players, against each other.
    Deathmatch,
}

/// The rules of a level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) play: GameMode,
    pub(crate) code: GameCode,
    /// Whether many frames came late, so that others were lost or reordered as well.
    pub(crate) lossy: bool,
    /// Whether the game code is id's: by the version text, or without one by the level, which is one of id's.
    pub(crate) original: bool,
}

impl Rules {
    /// The rules of the level that begins.
    pub(crate) fn of(world: &World, code: GameCode) -> Self {
        let play = match (world.level.game_type, world.level.max_clients) {
            (0, ..=1) => GameMode::Solo,
            (0, _) => GameMode::Coop,
            _ => GameMode::Deathmatch,
        };
        let is_known = code == GameCode::Original;
        let original = is_known || code == GameCode::Unknown && is_original(world.level.models.get(1));
        Self { play, code, lossy: false, original }
    }

    /// The weight of a breach of the game code's rules; `None` if it means nothing. The engine refuses its
    /// own cheats in deathmatch, and modified games have rules of their own there, so in deathmatch the code
    /// must be known to be id's.
    pub(crate) fn weight(self, usual: AuditSeverity) -> Option<AuditSeverity> {
        match (self.play, self.code) {
            _ if self.lossy => None,
            (GameMode::Deathmatch, GameCode::Original)
            | (GameMode::Solo | GameMode::Coop, GameCode::Unknown | GameCode::Original) => Some(usual),
            (GameMode::Deathmatch, _) => None,
            (_, GameCode::Modified) => Some(usual.min(AuditSeverity::Suspicious)),
        }
    }
}

/// Whether this is a level of id's game for one player, by its file.
fn is_original(model: &[u8]) -> bool {
    let name = model.strip_prefix(b"maps/").and_then(|it| it.strip_suffix(b".bsp"));
    // not from SCHEMA: names of levels
    matches!(name, Some(b"start" | b"end" | [b'e', b'1'..=b'4', b'm', b'1'..=b'8']))
}

/// The bits of the items in this game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    /// The table with the names of the bits.
    pub(crate) table: &'static [(u64, &'static str)],
    /// Whether the game stores two kinds of ammunition in one number, which changes with the weapon.
    pub(crate) own_ammo: bool,
    pub(crate) pentagram: u32,
    /// The items that come only from pickups.
    pub(crate) got: u32,
    /// The runes of id's game, which all players have together.
    pub(crate) runes: u32,
    /// The items that all players receive together, or that they have from the start.
    pub(crate) shared: u32,
    pub(crate) weapons: u32,
    /// Green, yellow and red armor.
    pub(crate) armors: ArmorBits,
}

/// The bits of green, yellow and red armor.
pub(crate) type ArmorBits = [u32; 3];

impl Default for Bits {
    fn default() -> Self {
        Self {
            table: ITEMS,
            own_ammo: false,
            pentagram: 0,
            got: 0,
            runes: 0,
            shared: 0,
            weapons: 0,
            armors: [0; 3],
        }
    }
}

impl Bits {
    /// The bits of a level, by the files that it loads.
    pub(crate) fn of(world: &World) -> Self {
        let loads = |names: &[&[u8]]| world.level.models.iter().any(|model| names.contains(&model.bytes()));
        let rogue = loads(&[b"progs/v_lava.mdl", b"progs/v_multi.mdl"]);
        let hipnotic = loads(&[b"progs/v_hammer.mdl", b"progs/v_laserg.mdl"]);
        let table = match (hipnotic, rogue) {
            (true, _) => ITEMS_HIPNOTIC,
            (_, true) => ITEMS_ROGUE,
            _ => ITEMS,
        };
        let sum = |names: &[&str]| bits(table, names);
        let weapons = sum(&[
            "Super Shotgun",
            "Nailgun",
            "Super Nailgun",
            "Grenade Launcher",
            "Rocket Launcher",
            "Thunderbolt",
        ]);
        let keys = sum(&["Silver Key", "Gold Key"]);
        let runes = sum(&["Rune 1", "Rune 2", "Rune 3", "Rune 4"]);
        let powers = sum(&["Ring of Shadows", "Pentagram of Protection", "Biosuit", "Quad Damage"]);
        Self {
            table,
            own_ammo: rogue,
            pentagram: sum(&["Pentagram of Protection"]),
            got: weapons | keys | powers | runes,
            runes,
            shared: keys | runes,
            weapons,
            armors: ["Green Armor", "Yellow Armor", "Red Armor"].map(|name| sum(&[name])),
        }
    }
}

/// The bits of these names in a table of names.
pub(crate) fn bits(table: &[(u64, &str)], names: &[&str]) -> u32 {
    table.iter().filter(|(_, name)| names.contains(name)).fold(0, |sum, (bit, _)| sum | *bit as u32)
}

/// The number of a named kind in a table of names.
pub(crate) fn number(table: &[(i64, &str)], name: &str) -> Option<u8> {
    table.iter().find(|(_, it)| *it == name).and_then(|(number, _)| u8::try_from(*number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_tell_their_game_code() {
        for (text, code) in [
            (&b"\x02\nVERSION 1.09 SERVER (24778 CRC)"[..], Some(GameCode::Original)),
            (b"\x02\nFITZQUAKE 0.85 SERVER (22264 CRC)\n", Some(GameCode::Modified)),
            (b"Server: DarkPlaces-Quake build 00:46:22 (progs 24778 crc)", Some(GameCode::Original)),
            (b"\nServer: DarkPlaces-Quake Linux (progs 9 crc)\n", Some(GameCode::Modified)),
            (b"\x02\nVERSION 1.09 SERVER ( CRC)", None),
            (b"player entered the game\n", None),
        ] {
            assert_eq!(GameCode::of_version(text), code, "{}", text.escape_ascii());
        }
    }
}
