//! All numbers of a match's players in one list: those that the recording's events show, beside the game's own.

use super::of_match::{DamageTally, MatchItem, MatchPlayer, MatchReport, MatchWeapon};

/// A number that is counted for a player of a match.
///
/// ```
/// use moviola_analyse::{MatchPlayer, MatchReport};
/// let al = MatchPlayer { name: "Al".into(), kills: 3, ..MatchPlayer::default() };
/// let one = MatchReport { players: vec![al], ..MatchReport::default() };
/// let kills = one.counts().into_iter().find(|it| it.what == "kills").unwrap();
/// assert_eq!((kills.player.name.as_str(), kills.shown, kills.reported), ("Al", Some(3), None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchCount<'m> {
    /// The player.
    pub player: &'m MatchPlayer,
    /// The weapon, if it is a number of a weapon.
    pub weapon: Option<&'m str>,
    /// The item, if it is a number of an item.
    pub item: Option<&'m str>,
    /// The kind of number.
    pub what: &'static str,
    /// The number by the recording's events; `None` if the recording does not have it.
    pub shown: Option<i64>,
    /// The game's own number; `None` if the game did not write it into the recording.
    pub reported: Option<i64>,
}

/// The names of a player's own numbers, and the numbers.
// not from SCHEMA, all words: kinds of numbers
fn own(player: &MatchPlayer) -> [(&'static str, Option<i64>); 11] {
    let count = |it: u64| i64::try_from(it).ok();
    let damage = |of: fn(&DamageTally) -> i64| player.damage.as_ref().map(of);
    [
        ("frags", player.frags),
        ("kills", count(player.kills)),
        ("deaths", count(player.deaths)),
        ("suicides", count(player.suicides)),
        ("teamkills", count(player.teamkills)),
        ("streak", count(player.streak)),
        ("damage given", damage(|it| it.given)),
        ("damage taken", damage(|it| it.taken)),
        ("damage to the team", damage(|it| it.team)),
        ("damage to himself", damage(|it| it.own)),
        ("ping", player.ping),
    ]
}

/// The names of a weapon's numbers, and the numbers.
// not from SCHEMA, all words: kinds of numbers
fn of_weapon(weapon: &MatchWeapon) -> [(&'static str, Option<i64>); 5] {
    let count = |it: Option<u64>| it.and_then(|it| i64::try_from(it).ok());
    [
        ("attacks", count(weapon.attacks)),
        ("hits", count(weapon.hits)),
        ("kills", count(Some(weapon.kills))),
        ("deaths", count(Some(weapon.deaths))),
        ("taken", count(weapon.taken)),
    ]
}

/// The elements of both lists by their names, each once, in the order of the first list.
fn paired<'m, T>(
    shown: &'m [T],
    reported: &'m [T],
    name: fn(&T) -> &str,
) -> Vec<(Option<&'m T>, Option<&'m T>)> {
    let find = |list: &'m [T], wanted: &T| list.iter().find(|it| name(it) == name(wanted));
    let both = shown.iter().map(|it| (Some(it), find(reported, it)));
    let rest = reported.iter().filter(|it| find(shown, it).is_none()).map(|it| (None, Some(it)));
    both.chain(rest).collect()
}

impl MatchReport {
    /// All numbers of its players, as far as the recording or the game has them.
    pub fn counts<'m>(&'m self) -> Vec<MatchCount<'m>> {
        let reported = self.statistics.as_ref().map_or(&[][..], |it| &it.players);
        let mut counts = Vec::new();
        for (shown, reported) in paired(&self.players, reported, |it| &it.name) {
            let Some(player) = shown.or(reported) else { continue };
            let mut add = |weapon, item, what, shown: Option<i64>, reported: Option<i64>| {
                if shown.is_some() || reported.is_some() {
                    counts.push(MatchCount { player, weapon, item, what, shown, reported });
                }
            };
            let of = |it: Option<&MatchPlayer>, at: usize| own(it?).get(at).and_then(|(_, number)| *number);
            for (at, (what, _)) in own(player).into_iter().enumerate() {
                add(None, None, what, of(shown, at), of(reported, at));
            }
            let weapons = |it: Option<&'m MatchPlayer>| it.map_or(&[][..], |it| &it.weapons);
            for (shown, reported) in paired(weapons(shown), weapons(reported), |it| &it.weapon) {
                let Some(weapon) = shown.or(reported) else { continue };
                let of = |it: Option<&MatchWeapon>, at: usize| {
                    of_weapon(it?).get(at).and_then(|(_, number)| *number)
                };
                for (at, (what, _)) in of_weapon(weapon).into_iter().enumerate() {
                    add(Some(weapon.weapon.as_str()), None, what, of(shown, at), of(reported, at));
                }
            }
            let items = |it: Option<&'m MatchPlayer>| it.map_or(&[][..], |it| &it.items);
            for (shown, reported) in paired(items(shown), items(reported), |it| &it.item) {
                let Some(item) = shown.or(reported) else { continue };
                let name = Some(item.item.as_str());
                let taken = |it: Option<&MatchItem>| it.and_then(|it| i64::try_from(it.taken).ok());
                // not from SCHEMA: kinds of numbers
                add(None, name, "taken", taken(shown), taken(reported));
                add(None, name, "seconds", None, reported.and_then(|it| it.seconds));
            }
        }
        counts
    }
}
