//! A report as one screen of text.

use super::facts::{AuditSeverity, LevelReport, PlayerReport, Report, Tally};
use super::players;
use super::sda::clock;
use std::fmt;

/// The greatest number of rows in a table on the screen.
const MAX_ROWS: usize = 16;

/// Rows in aligned columns: the first `left` columns are aligned to the left, the others to the right.
pub(super) fn table(f: &mut fmt::Formatter<'_>, rows: &[Vec<String>], left: usize) -> fmt::Result {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    for row in rows {
        let mut line = String::from(" ");
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let blanks = " ".repeat(width.saturating_sub(cell.chars().count()));
            line.push(' ');
            if at < left {
                line.extend([cell.as_str(), &blanks]);
            } else {
                line.extend([&blanks, cell.as_str()]);
            }
            line.push(' ');
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A length with one decimal. It is not the time of a record, so it is rounded in the usual way.
pub(super) fn short(seconds: f64) -> String {
    let mut text = clock((seconds * 10.0).round() / 10.0);
    text.truncate(text.len().saturating_sub(4));
    text
}

fn tally(tally: Option<Tally>) -> String {
    tally.map_or_else(|| "-".into(), |tally| format!("{}/{}", tally.done, tally.total))
}

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(String::from).to_vec()
}

impl Report {
    fn levels(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.levels.is_empty() {
            return Ok(());
        }
        // not from SCHEMA: the headings of a table
        let mut rows = vec![row(["level", "title", "time", "kills", "secrets", "recorded", "ended"])];
        let name = |level: &LevelReport| level.map.clone().unwrap_or_else(|| "?".into());
        for level in self.levels.iter().take(MAX_ROWS) {
            rows.push(vec![
                name(level),
                level.title.clone(),
                level.seconds.map_or_else(|| "-".into(), clock),
                tally(level.kills),
                tally(level.secrets),
                short(level.length),
                level.how.to_owned(),
            ]);
        }
        if self.level_count > 1 {
            rows.push(vec![
                "total".into(),
                format!("{} levels, {} with a time", self.level_count, self.timed_levels),
                self.seconds.map_or_else(|| "-".into(), clock),
                tally(self.kills),
                tally(self.secrets),
                self.length.map_or_else(|| "-".into(), short),
            ]);
        }
        writeln!(f)?;
        table(f, &rows, 2)?;
        // not from SCHEMA: a word for people
        more(f, self.level_count, ["level", "levels"])?;
        let alone = self.levels.iter().any(|level| level.scores.len() < 2 && level.kills.is_none());
        if self.format == Some("dm2") && alone {
            writeln!(
                f,
                "  kills and secrets: Quake II sends them only while the field computer (F1) is open"
            )?;
        }
        for level in self.levels.iter().filter(|level| level.printed.is_some()).take(MAX_ROWS) {
            let printed = level.printed.map(clock).unwrap_or_default();
            writeln!(f, "  {}: the game printed {printed}", name(level))?;
        }
        Ok(())
    }

    fn scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Shows the level with the highest scores, because each level begins with new ones.
        let scored = |level: &&LevelReport| {
            level.scores.iter().filter_map(|it| it.frags).map(|it| u64::from(it.unsigned_abs())).sum::<u64>()
        };
        let with_scores = self.levels.iter().filter(|level| !level.scores.is_empty());
        let Some(level) = with_scores.max_by_key(scored) else { return Ok(()) };
        if level.scores.len() < 2 && self.players.is_empty() {
            return Ok(());
        }
        // not from SCHEMA: the headings of a table
        let mut rows = vec![row(["player", "score", "kills", "deaths", "suicides", "streak"])];
        let number = |it: u64| if it == 0 { "-".to_owned() } else { it.to_string() };
        let numbers = |it: &PlayerReport| [it.kills, it.deaths, it.suicides, it.streak].map(number);
        let mut listed = Vec::new();
        let mut together = false;
        for (at, standing) in level.scores.iter().enumerate() {
            let of = players::place(&self.players, standing);
            // If several players of one name share their statistics, they are printed once.
            let again = of.is_some_and(|of| listed.contains(&of));
            together |= again && at < MAX_ROWS;
            listed.extend(of.filter(|_| !again));
            let cells = match of.and_then(|of| self.players.get(of)) {
                _ if again => ["\""; 4].map(String::from),
                Some(of) => numbers(of),
                None => ["-"; 4].map(String::from),
            };
            let score = standing.frags.map_or_else(|| "-".into(), |frags| frags.to_string());
            if at < MAX_ROWS {
                rows.push([standing.name.clone(), score].into_iter().chain(cells).collect());
            }
        }
        let left_names =
            || self.players.iter().enumerate().filter(|(at, _)| !listed.contains(at)).map(|(_, it)| it);
        for player in left_names().take(MAX_ROWS) {
            // If several players have the name, the slot is unknown.
            let there = level.scores.iter().any(|it| it.name == player.name);
            let name = [player.name.clone(), if there { "?" } else { "gone" }.into()];
            rows.push(name.into_iter().chain(numbers(player)).collect());
        }
        writeln!(f)?;
        table(f, &rows, 1)?;
        if together {
            writeln!(f, "  \": players with the same name; the first row has the kills and deaths of all")?;
        }
        // not from SCHEMA: a word for people
        more(f, level.scores.len().max(left_names().count()) as u64, ["player", "players"])
    }

    fn fights(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.weapons.is_empty() {
            return Ok(());
        }
        let followed = self.weapons.iter().any(|weapon| weapon.pellets.is_some());
        let hit = if followed { "pellets that hit" } else { "" };
        // not from SCHEMA: the headings of a table
        let mut rows = vec![row(["weapon", "shots", hit, "kills", "killed by"])];
        let number = |it: u64| if it == 0 { "-".to_owned() } else { it.to_string() };
        for weapon in self.weapons.iter().take(MAX_ROWS) {
            let hits = weapon.pellets.filter(|it| it.pellets > 0).map_or_else(
                || if followed { "-".into() } else { String::new() },
                |it| {
                    format!(
                        "{} of {} ({:.0}%)",
                        it.hits,
                        it.pellets,
                        100.0 * it.hits as f64 / it.pellets as f64
                    )
                },
            );
            rows.push(vec![
                weapon.weapon.clone(),
                weapon.shots.map_or_else(|| "-".to_owned(), number),
                hits,
                number(weapon.kills),
                number(weapon.deaths),
            ]);
        }
        writeln!(f)?;
        table(f, &rows, 1)
    }
}

/// Prints how many rows of a table were left out, with their name in the singular and the plural.
pub(super) fn more(f: &mut fmt::Formatter<'_>, count: u64, [thing, things]: [&str; 2]) -> fmt::Result {
    match count.saturating_sub(MAX_ROWS as u64) {
        0 => Ok(()),
        1 => writeln!(f, "  and 1 more {thing}"),
        rest => writeln!(f, "  and {rest} more {things}"),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.push(self.format.unwrap_or("no recording").to_owned());
        parts.extend(self.protocol.map(|protocol| format!("protocol {protocol}")));
        parts.extend(self.engine.clone());
        parts.extend(self.recorder.as_ref().map(|name| format!("recorded by {name}")));
        writeln!(f, "  {}", parts.join(", "))?;
        let unread = self.unread();
        let understood =
            if unread.is_empty() { ", all of them understood".to_owned() } else { format!("; {unread}") };
        let is_open = self.format == Some("dem") && !self.disconnected;
        let end = if is_open { ", without a disconnect at its end" } else { "" };
        writeln!(f, "  {} frames in {} blocks{understood}{end}", self.frames, self.blocks)?;
        let marks = |what: Option<AuditSeverity>, name: &str| match what {
            Some(weight) => format!("{} marks of {name}", weight.word()),
            None => format!("no marks of {name}"),
        };
        let both = [marks(self.editing, "editing"), marks(self.cheating, "cheating")].join(", ");
        let hint =
            if self.editing.or(self.cheating).is_some() { ": `moviola audit` has the evidence" } else { "" };
        if self.audited || self.editing.or(self.cheating).is_some() {
            writeln!(f, "  {both}{hint}")?;
        } else {
            writeln!(f, "  not audited for editing or cheating")?;
        }
        if self.dangerous_commands > 0 {
            // not from SCHEMA: the English word.
            let commands = if self.dangerous_commands == 1 { "command" } else { "commands" };
            let (count, dangers) = (self.dangerous_commands, self.dangers.join(", "));
            writeln!(f, "  {count} dangerous {commands} for the console: {dangers}")?;
        }
        self.levels(f)?;
        if self.matches.is_empty() {
            self.scores(f)?;
        }
        for one in self.matches.iter().take(MAX_ROWS) {
            one.print(f)?;
        }
        more(f, self.matches.len() as u64, ["match", "matches"])?;
        self.fights(f)
    }
}
