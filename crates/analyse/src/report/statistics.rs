//! The statistics of a match that KTX writes into an MVD when it is over (`demoinfo`): JSON with names of its own.

// not from SCHEMA, all words: KTX's keys

use super::of_match::{DamageTally, MatchItem, MatchPlayer, MatchWeapon};
use crate::GameText;
use crate::quakeworld::weapon_of;
use serde::Serialize;
use serde_json::Value;

/// The game's own counts of a match.
///
/// ```
/// use moviola_analyse::Statistics;
/// let text = br#"{"version": 3, "map": "dm4", "players": [{"name": "\u00c1l", "stats": {"frags": 5, "deaths": 2}}]}"#;
/// let statistics = Statistics::read(text).unwrap();
/// let al = &statistics.players[0];
/// assert_eq!((statistics.map.as_deref(), al.name.as_str(), al.frags, al.deaths), (Some("dm4"), "Al", Some(5), 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// The version of the format.
    pub version: Option<i64>,
    /// The date, as the server wrote it.
    pub date: Option<String>,
    /// The level's file.
    pub map: Option<String>,
    /// The server's name.
    pub hostname: Option<String>,
    /// The kind of match: `duel`, `2on2`, `ffa` ...
    pub mode: Option<String>,
    /// The limit of time, in minutes.
    pub time_limit: Option<i64>,
    /// The rules of items: the server's `deathmatch`.
    pub deathmatch: Option<i64>,
    /// How long it was, in seconds.
    pub duration: Option<i64>,
    /// The name that the server gave to the recording.
    pub demo: Option<String>,
    /// The players.
    pub players: Vec<MatchPlayer>,
}

/// The greatest numbers of players, weapons and items that are read.
const MAX_ENTRIES: usize = 64;

/// KTX's names of items.
const ITEMS: &[(&str, &str)] = &[
    ("health_15", "Health 15"),
    ("health_25", "Health 25"),
    ("health_100", "Megahealth"),
    ("ga", "Green Armor"),
    ("ya", "Yellow Armor"),
    ("ra", "Red Armor"),
    ("q", "Quad Damage"),
    ("p", "Pentagram of Protection"),
    ("r", "Ring of Shadows"),
    ("s", "Biosuit"),
];

impl Statistics {
    /// Reads the statistics; `None` where the text is not a JSON object. KTX does not escape the bytes of names, so the
    /// text need not be UTF-8.
    pub fn read(text: &[u8]) -> Option<Self> {
        let latin: String = text.iter().map(|byte| char::from(*byte)).collect();
        let object: Value = serde_json::from_str(&latin).ok()?;
        let players = object.as_object()?.get("players").and_then(Value::as_array);
        let number = |key: &str| object.get(key).and_then(Value::as_i64);
        let word = |key: &str| object.get(key).and_then(game_text).map(|it| it.line());
        Some(Self {
            version: number("version"),
            date: word("date"),
            map: word("map"),
            hostname: word("hostname"),
            mode: word("mode"),
            time_limit: number("tl"),
            deathmatch: number("dm"),
            duration: number("duration"),
            demo: word("demo"),
            players: players.into_iter().flatten().take(MAX_ENTRIES).filter_map(player).collect(),
        })
    }
}

/// A string whose letters stand for single bytes.
fn game_text(value: &Value) -> Option<GameText> {
    let bytes: Option<Vec<u8>> = value.as_str()?.chars().map(|letter| u8::try_from(letter).ok()).collect();
    Some(GameText::new(&bytes?))
}

fn player(object: &Value) -> Option<MatchPlayer> {
    let name = game_text(object.get("name")?)?;
    let count = |group: &str, key: &str| object.get(group).and_then(|it| it.get(key)).and_then(Value::as_i64);
    let some = |group: &str, key: &str| count(group, key).and_then(|it| u64::try_from(it).ok());
    let stat = |key: &str| some("stats", key).unwrap_or_default();
    let damage = |key: &str| count("dmg", key).unwrap_or_default();
    let weapons = object.get("weapons").and_then(Value::as_object).into_iter().flatten().take(MAX_ENTRIES);
    let items = object.get("items").and_then(Value::as_object).into_iter().flatten().take(MAX_ENTRIES);
    Some(MatchPlayer {
        name: name.line(),
        name_hex: name.line_hex(),
        slot: None,
        team: object.get("team").and_then(game_text).map(|team| team.line()).filter(|team| !team.is_empty()),
        is_bot: object.get("bot").is_some(),
        ping: object.get("ping").and_then(Value::as_i64),
        frags: count("stats", "frags"),
        kills: stat("kills"),
        deaths: stat("deaths"),
        suicides: stat("suicides"),
        teamkills: stat("tk"),
        streak: some("spree", "max").unwrap_or_default(),
        damage: object.get("dmg").map(|_| DamageTally {
            given: damage("given"),
            taken: damage("taken"),
            team: damage("team"),
            own: damage("self"),
        }),
        weapons: weapons.filter_map(|(name, object)| weapon(name, object)).collect(),
        items: items.filter_map(|(name, object)| item(name, object)).collect(),
    })
}

fn weapon(name: &str, object: &Value) -> Option<MatchWeapon> {
    let count = |path: &str| object.pointer(path).and_then(Value::as_u64);
    Some(MatchWeapon {
        weapon: weapon_of(name)?.to_owned(),
        attacks: count("/acc/attacks"),
        hits: count("/acc/hits"),
        // KTX leaves a number out if it is 0.
        taken: object.get("pickups").map(|_| count("/pickups/taken").unwrap_or_default()),
        kills: count("/kills/total").unwrap_or_default(),
        deaths: count("/deaths").unwrap_or_default(),
    })
}

fn item(name: &str, object: &Value) -> Option<MatchItem> {
    let item = ITEMS.iter().find(|(key, _)| *key == name).map_or(name, |(_, item)| item);
    let taken = object.get("took").and_then(Value::as_u64)?;
    Some(MatchItem { item: item.to_owned(), taken, seconds: object.get("time").and_then(Value::as_i64) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_of_the_game_is_read() {
        let text = br#"{"mode": "duel", "players": [
            {"name": "Bob\u0010", "team": "red", "ping": 13, "stats": {"frags": -1, "tk": 2, "kills": 3},
             "dmg": {"given": 10, "self": 4}, "spree": {"max": 2},
             "weapons": {"rl": {"acc": {"attacks": 16, "hits": 3}, "kills": {"total": 1}, "deaths": 2}, "bfg": {}},
             "items": {"ya": {"took": 2, "time": 30}, "health_100": {"took": 1}, "x": {}}},
            {"stats": {}}, 7]}"#;
        let statistics = Statistics::read(text).unwrap();
        assert_eq!((statistics.mode.as_deref(), statistics.players.len()), (Some("duel"), 1));
        let bob = &statistics.players[0];
        assert_eq!((bob.frags, bob.teamkills, bob.kills, bob.streak), (Some(-1), 2, 3, 2));
        assert_eq!(bob.damage, Some(DamageTally { given: 10, own: 4, ..DamageTally::default() }));
        let rl = &bob.weapons[0];
        assert_eq!(
            (rl.weapon.as_str(), rl.attacks, rl.kills, rl.deaths),
            ("Rocket Launcher", Some(16), 1, 2)
        );
        let items: Vec<(&str, u64)> = bob.items.iter().map(|it| (it.item.as_str(), it.taken)).collect();
        assert_eq!(items.len(), 2);
        assert!(items.contains(&("Yellow Armor", 2)) && items.contains(&("Megahealth", 1)));
        for odd in [&b""[..], b"[]", b"{", b"7"] {
            assert_eq!(Statistics::read(odd), None);
        }
        assert_eq!(Statistics::read(b"{\"map\": \"\xc4m4\"}").unwrap().map.as_deref(), Some("Dm4"));
    }
}
