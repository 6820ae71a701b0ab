//! A match of `QuakeWorld` as a part of the screen: players, scores, weapons, and items of the level that each player took.
// not from SCHEMA, all words: heads of tables

use super::of_match::{MatchPlayer, MatchReport};
use super::words::{more, short, table};
use std::fmt;

/// How many rows a table has at most.
const MAX_ROWS: usize = 16;

/// The short names of weapons and items at the heads of columns, in their order. A column without numbers is left out.
const WEAPONS: &[(&str, &str)] = &[
    ("Axe", "axe"),
    ("Shotgun", "sg"),
    ("Super Shotgun", "ssg"),
    ("Nailgun", "ng"),
    ("Super Nailgun", "sng"),
    ("Grenade Launcher", "gl"),
    ("Rocket Launcher", "rl"),
    ("Thunderbolt", "lg"),
];
const ITEMS: &[(&str, &str)] = &[
    ("Red Armor", "red"),
    ("Yellow Armor", "yellow"),
    ("Green Armor", "green"),
    ("Megahealth", "mega"),
    ("Quad Damage", "quad"),
    ("Pentagram of Protection", "pent"),
    ("Ring of Shadows", "ring"),
    ("Grenade Launcher", "gl"),
    ("Rocket Launcher", "rl"),
    ("Thunderbolt", "lg"),
];

/// A table about the players of a match, for a screen or a page.
///
/// ```
/// assert!(moviola_analyse::MatchTable::default().rows.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchTable {
    /// The heads of the columns; the first column has the players' names.
    pub head: Vec<String>,
    /// A row for each player.
    pub rows: Vec<Vec<String>>,
}

impl MatchReport {
    /// The match in one line: its kind, place, time, length and result.
    ///
    /// ```
    /// use moviola_analyse::MatchReport;
    /// let one = MatchReport { mode: Some("duel".into()), start: Some(12.5), is_start_exact: true, ..MatchReport::default() };
    /// assert_eq!(one.summary(), "duel, began at 0:12.5");
    /// ```
    pub fn summary(&self) -> String {
        let mut parts: Vec<String> = self.mode.iter().chain(&self.hostname).cloned().collect();
        parts.extend(self.start.map(|start| {
            let about = if self.is_start_exact { "" } else { "about " };
            if start < 0.0 {
                format!("began {about}{} before the recording", short(-start))
            } else {
                format!("began at {about}{}", short(start))
            }
        }));
        parts.extend(self.end.zip(self.start).map(|(end, start)| format!("{} long", short(end - start))));
        let counts = [
            (self.rounds, "round"),
            (self.overtimes, "overtime"),
            (self.breaks, "break"),
            (self.pauses, "pause"),
        ];
        for (count, what) in counts {
            parts.extend((count > 0).then(|| format!("{count} {what}{}", if count == 1 { "" } else { "s" })));
        }
        let teams = self.teams.iter().map(|it| format!("{} {}", it.team, it.frags));
        parts.extend(teams);
        if !self.spectators.is_empty() {
            parts.push(format!("watched by {}", self.spectators.join(" and ")));
        }
        parts.join(", ")
    }

    pub(super) fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        writeln!(f, "  match: {}", self.summary())?;
        for MatchTable { head, rows } in [self.scores(), self.accuracy(), self.items()] {
            if head.len() > 1 {
                writeln!(f)?;
                table(f, &[vec![head], rows].concat(), 1)?;
            }
        }
        more(f, self.players.len() as u64, ["player", "players"])?;
        let Some(statistics) = &self.statistics else { return Ok(()) };
        writeln!(f)?;
        match self.differences.as_slice() {
            [] => writeln!(f, "  the game's own statistics of {} players agree", statistics.players.len()),
            all => {
                writeln!(f, "  the game's own statistics differ:")?;
                for difference in all.iter().take(MAX_ROWS) {
                    writeln!(f, "    {difference}")?;
                }
                more(f, all.len() as u64, ["difference", "differences"])
            }
        }
    }

    /// How well each player did.
    pub fn scores(&self) -> MatchTable {
        // not from SCHEMA: the headings of a table
        let head = [
            "player",
            "team",
            "score",
            "kills",
            "deaths",
            "suicides",
            "team kills",
            "streak",
            "damage",
            "taken",
            "ping",
        ];
        let count = |it: u64| if it == 0 { "-".to_owned() } else { it.to_string() };
        let number = |it: Option<i64>| it.map_or_else(|| "-".to_owned(), |it| it.to_string());
        let row = |player: &MatchPlayer| {
            let mut cells =
                vec![player.name.clone(), player.team.clone().unwrap_or_default(), number(player.frags)];
            let tallies = [player.kills, player.deaths, player.suicides, player.teamkills, player.streak];
            cells.extend(tallies.map(count));
            cells.extend([player.damage.map(|it| it.given), player.damage.map(|it| it.taken)].map(number));
            cells.push(number(player.ping));
            cells
        };
        without_empty_columns(
            head.map(String::from).to_vec(),
            self.players.iter().take(MAX_ROWS).map(row).collect(),
        )
    }

    /// The share of each player's shots that hit, by weapon, as the game counted them.
    pub fn accuracy(&self) -> MatchTable {
        self.cells("hits", WEAPONS, |player, name| {
            let weapon = player.weapons.iter().find(|it| it.weapon == name)?;
            let (hits, attacks) = weapon.hits.zip(weapon.attacks.filter(|attacks| *attacks > 0))?;
            Some(format!("{hits}/{attacks} {:.0}%", 100.0 * hits as f64 / attacks as f64))
        })
    }

    /// The armors, powerups and weapons that each player took.
    pub fn items(&self) -> MatchTable {
        self.cells("taken", ITEMS, |player, name| {
            player.items.iter().find(|it| it.item == name).map(|it| it.taken.to_string())
        })
    }

    fn cells(
        &self,
        subject: &str,
        columns: &[(&str, &str)],
        cell: impl Fn(&MatchPlayer, &str) -> Option<String>,
    ) -> MatchTable {
        let head = std::iter::once(subject).chain(columns.iter().map(|it| it.1)).map(String::from).collect();
        let row = |player: &MatchPlayer| {
            let cells = columns.iter().map(|(name, _)| cell(player, name).unwrap_or_else(|| "-".to_owned()));
            std::iter::once(player.name.clone()).chain(cells).collect()
        };
        without_empty_columns(head, self.players.iter().take(MAX_ROWS).map(row).collect())
    }
}

/// The table without columns that have no value in any row; the first column stays.
fn without_empty_columns(head: Vec<String>, rows: Vec<Vec<String>>) -> MatchTable {
    let is_full = |at: usize| {
        at == 0 || rows.iter().any(|row| row.get(at).is_some_and(|it| !it.is_empty() && it != "-"))
    };
    let keep: Vec<bool> = (0..head.len()).map(is_full).collect();
    let kept = |row: Vec<String>| {
        row.into_iter().zip(&keep).filter(|(_, keep)| **keep).map(|(cell, _)| cell).collect()
    };
    MatchTable { head: kept(head), rows: rows.into_iter().map(kept).collect() }
}
