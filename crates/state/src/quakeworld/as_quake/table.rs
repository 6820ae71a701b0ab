//! Numbers that differ between QuakeWorld and Quake: temporary entities, effects, texts.

// not from SCHEMA, all words: commands of the console, and files of the game

use moviola_format::names::{bit, quake, quakeworld, value};

/// The protocol that is announced, and its flags: the protocol of today's engines, which has room for all values.
pub(super) const PROTOCOL: i32 = 999;
pub(super) const FLAGS: u32 =
    (bit(quake::PROTOCOL_FLAGS, "PRFL_FLOATCOORD") | bit(quake::PROTOCOL_FLAGS, "PRFL_SHORTANGLE")) as u32;

/// The kind of game that has a scoreboard.
pub(super) const DEATHMATCH: u8 = value(quake::GAME_TYPE, "deathmatch") as u8;

/// The last color of shirts and trousers.
pub(super) const LAST_COLOR: u8 = 13;

/// The importance of chat, and the byte with which Quake marks it.
pub(super) const CHAT_LEVEL: u8 = value(quakeworld::PRINT_LEVEL, "chat") as u8;
pub(super) const CHAT: u8 = value(quake::PRINT_MARK, "chat sound, colored") as u8;

/// Commands that change the picture and that Quake has too; all others are only for clients of QuakeWorld.
pub(super) const COMMANDS: &[&[u8]] = &[b"bf", b"v_cshift"];

/// By how many degrees the small and the big kick of a weapon turn the view, and how many degrees a second it returns.
pub(super) const KICKS: [f64; 2] = [-2.0, -4.0];
pub(super) const KICK_BACK: f64 = 10.0;

/// A message with more particles than this is an explosion.
pub(super) const MOST_PARTICLES: u32 = 254;

/// The height of the eyes of a living player, of a dead player, and of a player's severed head.
pub(super) const EYES: [i8; 3] = [22, -16, 8];

/// Models that messages do not name.
pub(super) const PLAYER: &[u8] = b"progs/player.mdl";
pub(super) const NAIL: &[u8] = b"progs/spike.mdl";

/// The highest entity number that all clients of Quake accept; nails without numbers get the numbers below it.
pub(super) const LAST_ENTITY: u16 = 599;

/// QuakeWorld's lights of powerups, which Quake has in white.
pub(super) const BLUE: u8 = 64;
pub(super) const RED: u8 = 128;
const COLORED: u8 = BLUE | RED;
/// The effects that have the same meaning in both games.
const SHARED_EFFECTS: u8 = 15;

/// An entity's effects in Quake's numbers. Those of colored light stay, for pictures that know them.
pub(super) fn effects(of: u8) -> u8 {
    const DIM: u8 = bit(quake::EFFECTS, "EF_DIMLIGHT") as u8;
    of & (SHARED_EFFECTS | COLORED) | if of & COLORED == 0 { 0 } else { DIM }
}

/// Quake's counterpart of a kind of QuakeWorld's temporary entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuakeTemp {
    /// A temporary entity of this kind.
    Effect(u8),
    /// Particles of a color: `each` of them, times the count in the message if it has one.
    Particles { color: u8, each: u32, counted: bool },
}

const fn same(name: &str) -> (u8, QuakeTemp) {
    (value(quakeworld::TEMP_ENTITY, name) as u8, QuakeTemp::Effect(value(quake::TEMP_ENTITY, name) as u8))
}

const fn particles(name: &str, color: u8, each: u32, counted: bool) -> (u8, QuakeTemp) {
    (value(quakeworld::TEMP_ENTITY, name) as u8, QuakeTemp::Particles { color, each, counted })
}

static EFFECTS: &[(u8, QuakeTemp)] = &[
    same("TE_SPIKE"),
    same("TE_SUPERSPIKE"),
    particles("TE_GUNSHOT", 0, 20, true),
    same("TE_EXPLOSION"),
    same("TE_TAREXPLOSION"),
    same("TE_LIGHTNING1"),
    same("TE_LIGHTNING2"),
    same("TE_WIZSPIKE"),
    same("TE_KNIGHTSPIKE"),
    same("TE_LIGHTNING3"),
    same("TE_LAVASPLASH"),
    same("TE_TELEPORT"),
    particles("TE_BLOOD", 73, 20, true),
    particles("TE_LIGHTNINGBLOOD", 225, 50, false),
];

/// Converts a temporary entity of QuakeWorld to Quake's.
pub(super) fn effect(kind: u8) -> Option<QuakeTemp> {
    EFFECTS.iter().find(|(known, _)| *known == kind).map(|(_, row)| *row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_row() {
        for (kind, name) in quakeworld::TEMP_ENTITY {
            assert!(effect(*kind as u8).is_some(), "{name}");
        }
        assert_eq!(effects(64), 64 | 8);
        assert_eq!(effects(2 | 16), 2);
    }
}
