//! The matches of a `QuakeWorld` recording: each player's counts between the start and the end, and the counts of the
//! game itself. Warm-ups do not count.
// not from SCHEMA, all words: items, and phases of a match

use super::statistics::Statistics;
use crate::{Event, EventKind, EventPlayer, Evidence, GameText, PassPosition, digits};
use moviola_state::quakeworld::{Player, World};
use serde::Serialize;
use std::sync::Arc;

/// A match of `QuakeWorld`. A recording without the game's line about its start has one for the level.
///
/// ```
/// use moviola_analyse::MatchReport;
/// assert!(MatchReport::default().players.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MatchReport {
    /// The level, counted from 1.
    pub level: u32,
    /// The kind of match, as the server info has it.
    pub mode: Option<String>,
    /// The server's name.
    pub hostname: Option<String>,
    /// The time of its start, in seconds of the recording; negative if the start was cut off.
    #[serde(serialize_with = "digits::some")]
    pub start: Option<f64>,
    /// Whether that is known exactly. If not, it may have begun up to a minute earlier.
    pub is_start_exact: bool,
    /// When it ended, if that is known.
    #[serde(serialize_with = "digits::some")]
    pub end: Option<f64>,
    /// The number of rounds that began, in Clan Arena, Wipeout and `HoonyMode`.
    pub rounds: u64,
    /// How often the time was over and the score was even.
    pub overtimes: u64,
    /// How often players stopped it.
    pub breaks: u64,
    /// How often the game was paused.
    pub pauses: u64,
    /// The teams of a match of teams, the best first.
    pub teams: Vec<MatchTeam>,
    /// The players, the best first.
    pub players: Vec<MatchPlayer>,
    /// The spectators.
    pub spectators: Vec<String>,
    /// The game's own counts, if they are in the recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Differences between the game's own counts and the counts of the recording's events.
    pub differences: Vec<CountDifference>,
}

/// A team's score.
///
/// ```
/// let red = moviola_analyse::MatchTeam { team: "red".into(), frags: 7 };
/// assert_eq!(serde_json::to_string(&red).unwrap(), r#"{"team":"red","frags":7}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MatchTeam {
    /// Its name.
    pub team: String,
    /// The sum of its players' scores.
    pub frags: i64,
}

/// A player in a match.
///
/// ```
/// assert_eq!(moviola_analyse::MatchPlayer::default().frags, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MatchPlayer {
    /// The name.
    pub name: String,
    /// The bytes of the name in hex, if they differ from its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_hex: Option<String>,
    /// The slot, as far as it is known.
    pub slot: Option<u8>,
    /// The team.
    pub team: Option<String>,
    /// Whether it is a bot of the game, as far as that is known.
    pub is_bot: bool,
    /// The ping in milliseconds, in the last scores.
    pub ping: Option<i64>,
    /// The score.
    pub frags: Option<i64>,
    /// The number of other players killed.
    pub kills: u64,
    /// How often he died.
    pub deaths: u64,
    /// How often he killed himself. Deaths by the level are not counted here, as the game does not count them.
    pub suicides: u64,
    /// The number of players of the same team killed.
    pub teamkills: u64,
    /// The most kills in one life.
    pub streak: u64,
    /// Points of damage, if the recording has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<DamageTally>,
    /// The player's weapons.
    pub weapons: Vec<MatchWeapon>,
    /// The items that the player took.
    pub items: Vec<MatchItem>,
}

/// Points of damage of a player.
///
/// ```
/// assert_eq!(moviola_analyse::DamageTally::default().given, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DamageTally {
    /// Damage to players of other teams.
    pub given: i64,
    /// Damage by players of other teams.
    pub taken: i64,
    /// Damage to players of the same team.
    pub team: i64,
    /// To himself.
    pub own: i64,
}

/// A weapon of a player.
///
/// ```
/// assert_eq!(moviola_analyse::MatchWeapon::default().attacks, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MatchWeapon {
    /// The weapon.
    pub weapon: String,
    /// The number of shots, or of pellets for shotguns, as the game counted them.
    pub attacks: Option<u64>,
    /// How many of these hit.
    pub hits: Option<u64>,
    /// How often he got it while he did not have it, out of backpacks too, if the recording has what he carried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<u64>,
    /// The number of players killed with it.
    pub kills: u64,
    /// How often he was killed with it.
    pub deaths: u64,
}

/// A kind of item that a player took.
///
/// ```
/// assert_eq!(moviola_analyse::MatchItem::default().taken, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MatchItem {
    /// The item.
    pub item: String,
    /// How often.
    pub taken: u64,
    /// For how many seconds the player had it, if the game counted them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<i64>,
}

/// A number that differs between the game's own count and the recording's events.
///
/// ```
/// let it = moviola_analyse::CountDifference { player: "Al".into(), what: "deaths".into(), shown: 3, reported: 4 };
/// assert_eq!(it.to_string(), "Al: deaths 3, the game says 4");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountDifference {
    /// The player.
    pub player: String,
    /// The kind of number: `frags`, `kills`, `deaths`, `suicides`, `teamkills`, `streak`, an item, points of damage, a
    /// weapon's `attacks`, `hits`, `kills`, `deaths` and `takes`; `player` for a name that the recording does not have.
    pub what: String,
    /// The count by the recording's events.
    pub shown: i64,
    /// The game's own count.
    #[serde(rename = "told")]
    pub reported: i64,
}

impl std::fmt::Display for CountDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.what == UNKNOWN {
            return write!(
                f,
                "{}: the game has counted a player of this name, who is not in the recording",
                self.player
            );
        }
        write!(f, "{}: {} {}, the game says {}", self.player, self.what, self.shown, self.reported)
    }
}

/// The kind of difference of a player who is not in the recording.
const UNKNOWN: &str = "player"; // not from SCHEMA: a word for people

/// The numbers of matches that are listed, and of players, weapons and items of each.
const MAX_LISTED: usize = 100;

/// Further counts of a player, which are only needed to compare them with the game's own counts.
#[derive(Clone, Copy, Debug, Default)]
struct ComparedFacts {
    /// The streak of the current life.
    running: u64,
    /// Whether the recording has the lines that the game sends to the player at pickups.
    has_lines: bool,
}

/// The matches of a recording, for a pass that has its events: it shows each event, then each block.
///
/// ```
/// let mut matches = moviola_analyse::Matches::default();
/// // A level in which nobody plays is no match.
/// matches.close();
/// assert!(matches.take().is_empty());
/// ```
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Matches {
    finished: Vec<MatchReport>,
    /// The current match.
    now: MatchReport,
    /// The counts for the comparison, for each player at the same index.
    beside: Vec<ComparedFacts>,
    is_over: bool,
    /// Whether a match is in progress.
    is_going_on: bool,
    /// Whether the scores are final: from the statistics, or from the intermission.
    is_settled: bool,
    has_takes: bool,
    /// Whether the recording has the items that the players carry.
    has_items: bool,
    /// The recorder of a QWD.
    recorder: Option<u8>,
    players: Arc<Vec<Player>>,
}

impl Matches {
    /// Returns the matches that are over.
    pub fn take(&mut self) -> Vec<MatchReport> {
        std::mem::take(&mut self.finished)
    }

    /// Follows the match through a block of the recording.
    pub fn look(&mut self, world: &World, here: &PassPosition) {
        self.now.level = here.level;
        self.recorder = world.recorder.map(|(slot, _)| slot);
        // Each round of HoonyMode starts the clock again.
        let is_known = self.is_going_on && self.now.is_start_exact;
        if let Some(start) = world.clock.start().filter(|_| !is_known) {
            (self.now.start, self.now.is_start_exact) = (Some(start), world.clock.is_exact());
        }
        if !self.is_settled && !Arc::ptr_eq(&self.players, &world.players) {
            self.players = Arc::clone(&world.players);
        }
        self.is_settled |= world.intermission || world.demoinfo_complete;
        if self.now.mode.is_none() && !world.info.is_empty() {
            let value = |key: &[u8]| {
                let text = GameText::new(world.value(key)).line();
                (!text.is_empty()).then_some(text)
            };
            // not from SCHEMA: keys of server info
            (self.now.mode, self.now.hostname) = (value(b"mode"), value(b"hostname"));
        }
        if world.demoinfo_complete && self.now.statistics.is_none() {
            self.now.statistics = Statistics::read(&world.demoinfo);
        }
    }

    /// Counts an event.
    pub fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Match { what } => self.phase(what, event.time),
            EventKind::Pause { on: true } => self.now.pauses = self.now.pauses.saturating_add(1),
            _ if self.is_over => {}
            EventKind::Kill { victim, attacker, class, weapon, .. } => {
                self.kill(victim.as_ref(), attacker.as_ref(), (class, weapon));
            }
            EventKind::Hit { attacker, victim, damage, weapon, .. } => {
                self.hit(attacker.as_ref(), victim, (*damage).into(), weapon);
            }
            EventKind::Accuracy { player, weapon, attacks, hits } => {
                if let Some(weapon) = self.weapon(player, weapon) {
                    let count = |it: i32| u64::try_from(it).ok();
                    (weapon.attacks, weapon.hits) = (count(*attacks), count(*hits));
                }
            }
            EventKind::Pickup { player, item, amount, entity, .. } => {
                self.has_takes |= entity.is_some();
                let Some(player) = player.clone().or_else(|| self.recorder()) else { return };
                if let Some(beside) = self.place(&player).and_then(|place| self.beside.get_mut(place)) {
                    // The lines that KTX writes for recordings have the entity.
                    beside.has_lines |= entity.is_none() && event.evidence.has(Evidence::PRINT);
                }
                self.item(&player, item.text(), *amount);
                if event.evidence.has(Evidence::ITEMS) {
                    self.has_items = true;
                    let name = item_of(item.text(), None).unwrap_or_default();
                    if let Some(weapon) = self.weapon(&player, &name) {
                        weapon.taken = Some(weapon.taken.unwrap_or_default().saturating_add(1));
                    }
                }
            }
            _ => {}
        }
    }

    /// The recorder of a QWD, who has no name in the recorder's own events.
    fn recorder(&self) -> Option<EventPlayer> {
        let slot = self.recorder?;
        self.players.get(usize::from(slot)).map(|player| EventPlayer::new(Some(slot), player.name()))
    }

    // not from SCHEMA: an event of a match
    fn phase(&mut self, what: &str, time: Option<f64>) {
        match what {
            // HoonyMode starts each round like a match.
            "start" if self.is_going_on => self.now.rounds = self.now.rounds.max(1).saturating_add(1),
            "start" => {
                self.now.players.clear();
                self.beside.clear();
                (self.now.rounds, self.now.overtimes, self.now.pauses, self.now.end) = (0, 0, 0, None);
                (self.is_over, self.is_going_on) = (false, true);
            }
            "round" => self.now.rounds = self.now.rounds.saturating_add(1),
            "overtime" => self.now.overtimes = self.now.overtimes.saturating_add(1),
            "break" => {
                self.now.breaks = self.now.breaks.saturating_add(1);
                self.is_going_on = false;
            }
            "end" => {
                self.now.end = time;
                (self.is_over, self.is_going_on) = (true, false);
            }
            _ => {}
        }
    }

    /// The index of a player by name. An unknown name is a new player; a known one is the same player, since players
    /// who reconnect get another slot.
    fn place(&mut self, who: &EventPlayer) -> Option<usize> {
        let name = who.name.as_line();
        let players = &mut self.now.players;
        let of = |it: &MatchPlayer| it.name == name && (it.slot == who.slot || who.slot.is_none());
        let found = players.iter().position(of).or_else(|| players.iter().position(|it| it.name == name));
        if found.is_none() && players.len() < MAX_LISTED {
            let (name, name_hex) = (name.into_owned(), who.name.line_hex());
            players.push(MatchPlayer { name, name_hex, slot: who.slot, ..MatchPlayer::default() });
            self.beside.push(ComparedFacts::default());
            return players.len().checked_sub(1);
        }
        found
    }

    fn player(&mut self, who: &EventPlayer) -> Option<&mut MatchPlayer> {
        let place = self.place(who)?;
        self.now.players.get_mut(place)
    }

    fn weapon(&mut self, who: &EventPlayer, name: &str) -> Option<&mut MatchWeapon> {
        let weapons = &mut self.player(who)?.weapons;
        let found = weapons.iter().position(|it| it.weapon == name);
        if found.is_none() && weapons.len() < MAX_LISTED && !name.is_empty() {
            weapons.push(MatchWeapon { weapon: name.to_owned(), ..MatchWeapon::default() });
            return weapons.last_mut();
        }
        weapons.get_mut(found?)
    }

    /// Whether two players are in the same team of a team match.
    fn is_one_team(&self, one: &EventPlayer, other: &EventPlayer) -> bool {
        let of = |who: &EventPlayer| Some(self.players.get(usize::from(who.slot?))?.team());
        !is_each_for_himself(&self.now)
            && of(one).is_some_and(|team| !team.is_empty() && of(other) == Some(team))
    }

    fn kill(
        &mut self,
        victim: Option<&EventPlayer>,
        attacker: Option<&EventPlayer>,
        (class, weapon): (&str, &str),
    ) {
        // not from SCHEMA: kinds of death
        let is_kill = class == "kill";
        if let Some(place) = victim.and_then(|who| self.place(who)) {
            if let Some(player) = self.now.players.get_mut(place) {
                player.deaths = player.deaths.saturating_add(1);
                player.suicides = player.suicides.saturating_add(u64::from(class == "suicide"));
            }
            if let Some(beside) = self.beside.get_mut(place) {
                beside.running = 0;
            }
        }
        if let Some(weapon) = victim.filter(|_| is_kill).and_then(|who| self.weapon(who, weapon)) {
            weapon.deaths = weapon.deaths.saturating_add(1);
        }
        let Some(attacker) = attacker.filter(|_| is_kill || class == "teamkill") else { return };
        let Some(place) = self.place(attacker) else { return };
        let running = self.beside.get_mut(place).map_or(0, |beside| {
            beside.running = beside.running.saturating_add(u64::from(is_kill));
            beside.running
        });
        if let Some(player) = self.now.players.get_mut(place) {
            let count = if is_kill { &mut player.kills } else { &mut player.teamkills };
            *count = count.saturating_add(1);
            player.streak = player.streak.max(running);
        }
        if let Some(weapon) = Some(attacker).filter(|_| is_kill).and_then(|who| self.weapon(who, weapon)) {
            weapon.kills = weapon.kills.saturating_add(1);
        }
    }

    fn hit(&mut self, attacker: Option<&EventPlayer>, victim: &EventPlayer, damage: i64, weapon: &str) {
        // If players end their own lives by a command, the amount of damage is only a mark.
        // not from SCHEMA: a cause of death
        if weapon == "kill command" {
            return;
        }
        let Some(attacker) = attacker else { return };
        let is_own = attacker == victim;
        let is_team = !is_own && self.is_one_team(attacker, victim);
        let mut add = |who: &EventPlayer, of: fn(&mut DamageTally) -> &mut i64| {
            if let Some(player) = self.player(who) {
                let sum = of(player.damage.get_or_insert_default());
                *sum = sum.saturating_add(damage);
            }
        };
        match (is_own, is_team) {
            (true, _) => add(attacker, |it| &mut it.own),
            (_, true) => add(attacker, |it| &mut it.team),
            _ => {
                add(attacker, |it| &mut it.given);
                add(victim, |it| &mut it.taken);
            }
        }
    }

    fn item(&mut self, who: &EventPlayer, text: &str, amount: Option<i32>) {
        let Some(item) = item_of(text, amount) else { return };
        let Some(items) = self.player(who).map(|player| &mut player.items) else { return };
        if let Some(item) = items.iter_mut().find(|it| it.item == item) {
            item.taken = item.taken.saturating_add(1);
        } else if items.len() < MAX_LISTED {
            items.push(MatchItem { item, taken: 1, seconds: None });
        }
    }

    /// The level is over.
    pub fn close(&mut self) {
        let mut it = std::mem::take(self);
        it.settle();
        self.finished = it.finished;
        if self.finished.len() < MAX_LISTED && (!it.now.players.is_empty() || it.now.statistics.is_some()) {
            self.finished.push(it.now);
        }
    }

    /// Adds the scoreboard and the numbers derived from it.
    fn settle(&mut self) {
        let board = Arc::clone(&self.players);
        for (slot, player) in (0..=u8::MAX).zip(board.iter()).filter(|(_, player)| player.is_here()) {
            let name = GameText::new(player.name());
            if player.is_spectator() {
                if self.now.spectators.len() < MAX_LISTED {
                    self.now.spectators.push(name.line());
                }
                continue;
            }
            let Some(of) = self.player(&EventPlayer::new(Some(slot), player.name())) else { continue };
            of.slot = Some(slot);
            of.frags = Some(player.frags.into());
            // not from SCHEMA: the ping that is not known
            of.ping = Some(i64::from(player.ping)).filter(|ping| *ping != 999);
            of.team = Some(GameText::new(player.team()).line()).filter(|team| !team.is_empty());
        }
        if let Some(statistics) = &self.now.statistics {
            self.now.differences = differences(
                &self.now.players,
                &self.beside,
                &statistics.players,
                [self.has_takes, self.has_items],
            );
        }
        let now = &mut self.now;
        now.players.sort_by_key(|it| (std::cmp::Reverse(it.frags), std::cmp::Reverse(it.kills)));
        for player in &mut now.players {
            player.weapons.sort_by(|one, other| one.weapon.cmp(&other.weapon));
            player.items.sort_by(|one, other| one.item.cmp(&other.item));
        }
        for player in &now.players {
            let (Some(team), Some(frags)) = (&player.team, player.frags) else { continue };
            match now.teams.iter_mut().find(|it| it.team == *team) {
                Some(it) => it.frags = it.frags.saturating_add(frags),
                None => now.teams.push(MatchTeam { team: team.clone(), frags }),
            }
        }
        now.teams.sort_by_key(|it| std::cmp::Reverse(it.frags));
        if now.teams.len() >= now.players.len() || is_each_for_himself(now) {
            now.teams.clear();
        }
        if let Some(statistics) = &now.statistics {
            for player in &mut now.players {
                player.is_bot = statistics.players.iter().any(|it| it.name == player.name && it.is_bot);
            }
        }
    }
}

/// Whether the match has no teams. Players may still set the name of a team.
fn is_each_for_himself(one: &MatchReport) -> bool {
    // not from SCHEMA: kinds of match
    matches!(one.mode.as_deref(), Some("ffa" | "1on1" | "duel" | "tot" | "race"))
}

/// The items that are counted, by the game's line or KTX's entity; the rest is ammunition.
fn item_of(text: &str, amount: Option<i32>) -> Option<String> {
    let line = text.to_ascii_lowercase();
    // not from SCHEMA: names of items
    let name = match (line.as_str(), amount) {
        ("health", Some(15)) => "Health 15",
        ("health", Some(25)) => "Health 25",
        ("health", Some(100)) => "Megahealth",
        ("double-barrelled shotgun", _) => "Super Shotgun",
        ("health" | "backpack" | "item" | "shells" | "nails" | "spikes" | "rockets" | "cells", _) => {
            return None;
        }
        _ if line.contains(',') || line.starts_with(|first: char| first.is_ascii_digit()) => return None,
        _ => return Some(titled(text)),
    };
    Some(name.to_owned())
}

/// Each word with a capital, as models are called: the game's lines have some without.
fn titled(text: &str) -> String {
    let word = |word: &str| {
        if word == "of" {
            return word.to_owned();
        }
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The differences between our counts and the game's own.
///
/// A number is compared where the recording has all of it. Of items, those that KTX's lines for recordings speak of, and
/// the small healths of players whose own lines are there. The game limits damage to the health that was left, so only
/// less damage than it counted is a difference. How it counts the streak of a player who ends his own life is not known.
fn differences(
    shown: &[MatchPlayer],
    beside: &[ComparedFacts],
    reported: &[MatchPlayer],
    [has_takes, has_items]: [bool; 2],
) -> Vec<CountDifference> {
    let mut differences = Vec::new();
    for player in reported {
        let mut compare = |what: &str, shown: i64, reported: i64| {
            if shown != reported && differences.len() < MAX_LISTED {
                let (player, what) = (player.name.clone(), what.to_owned());
                differences.push(CountDifference { player, what, shown, reported });
            }
        };
        let found = shown.iter().zip(beside).find(|(it, _)| it.name == player.name);
        let Some((shown, beside)) = found else {
            compare(UNKNOWN, 0, i64::from(has_numbers(player)));
            continue;
        };
        if let (Some(shown), Some(reported)) = (shown.frags, player.frags) {
            compare("frags", shown, reported);
        }
        let mut count = |what: &str, shown: u64, reported: u64| {
            compare(what, shown.cast_signed(), reported.cast_signed());
        };
        count("kills", shown.kills, player.kills);
        count("deaths", shown.deaths, player.deaths);
        count("teamkills", shown.teamkills, player.teamkills);
        count("suicides", shown.suicides, player.suicides);
        if shown.suicides == 0 && player.streak > 0 {
            count("streak", shown.streak, player.streak);
        }
        for weapon in &player.weapons {
            let nothing = MatchWeapon::default();
            let counted = shown.weapons.iter().find(|it| it.weapon == weapon.weapon).unwrap_or(&nothing);
            let mut compare_counts = |what: &str, shown: u64, reported: u64| {
                count(&format!("{what} of {}", weapon.weapon), shown, reported);
            };
            compare_counts("kills", counted.kills, weapon.kills);
            compare_counts("deaths", counted.deaths, weapon.deaths);
            if let Some(reported) = weapon.taken.filter(|_| has_items) {
                compare_counts("takes", counted.taken.unwrap_or_default(), reported);
            }
            // KTX sends its lines about these counts at each change.
            for (what, shown, reported) in
                [("attacks", counted.attacks, weapon.attacks), ("hits", counted.hits, weapon.hits)]
            {
                if let (Some(shown), Some(reported)) = (shown, reported) {
                    compare_counts(what, shown, reported);
                }
            }
        }
        // not from SCHEMA: names of items
        let is_large =
            |name: &str| name.ends_with("Armor") || name == "Megahealth" || name.ends_with("Damage");
        let is_small = |name: &str| matches!(name, "Health 15" | "Health 25");
        for item in player
            .items
            .iter()
            .filter(|it| has_takes && is_large(&it.item) || beside.has_lines && is_small(&it.item))
        {
            let found = shown.items.iter().find(|it| it.item == item.item).map_or(0, |it| it.taken);
            count(&item.item, found, item.taken);
        }
        if let (Some(shown), Some(reported)) = (shown.damage, player.damage) {
            let sums = [
                ("damage given", shown.given, reported.given),
                ("damage taken", shown.taken, reported.taken),
                ("damage to the team", shown.team, reported.team),
                ("damage to himself", shown.own, reported.own),
            ];
            for (what, shown, reported) in sums.into_iter().filter(|(_, shown, reported)| shown < reported) {
                compare(what, shown, reported);
            }
        }
    }
    differences
}

/// Whether a player has any number that is not 0.
fn has_numbers(player: &MatchPlayer) -> bool {
    let counts = [player.kills, player.deaths, player.suicides, player.teamkills];
    player.frags.is_some_and(|frags| frags != 0) || counts.iter().any(|count| *count > 0)
}
