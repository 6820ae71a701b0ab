//! The page about a folder of recordings: the recordings, the players, and the best time of each level, with
//! links to the pages of the recordings.

// not from SCHEMA, all words: the heads of tables

use super::{STYLE, escaped, filled};
use crate::plot::clock;
use moviola_analyse::Report;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const PAGE: &str = include_str!("folder.html");

/// The most players that the page lists.
const MOST_PLAYERS: usize = 500;

/// The page about a folder, recording by recording.
///
/// ```
/// use moviola_analyse::Report;
/// use moviola_export::FolderPage;
/// let report = Report::read(&b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01"[..]).unwrap();
/// let mut folder = FolderPage::default();
/// folder.add("runs/a&b.dem", "a&b.html", &report);
/// let page = folder.html("My runs");
/// assert!(page.contains("<title>My runs</title>") && page.contains("<a href=\"a&amp;b.html\">runs/a&amp;b.dem</a>"));
/// ```
#[derive(Debug, Default)]
pub struct FolderPage {
    rows: Vec<Row>,
    /// The best time of each level, by its map.
    times: BTreeMap<String, Time>,
    players: BTreeMap<String, Player>,
    seconds: f64,
}

#[derive(Debug)]
struct Row {
    name: String,
    link: String,
    maps: String,
    players: String,
    length: Option<f64>,
    result: String,
}

#[derive(Debug)]
struct Time {
    seconds: f64,
    player: String,
    link: String,
    /// The number of recordings in which the level was finished.
    runs: u64,
}

#[derive(Debug, Default)]
struct Player {
    recordings: u64,
    kills: u64,
    deaths: u64,
    streak: u64,
}

impl FolderPage {
    /// Adds a recording; `link` is the page about it.
    pub fn add(&mut self, name: &str, link: &str, report: &Report) {
        let mut maps: Vec<&str> = report.levels.iter().filter_map(|level| level.map.as_deref()).collect();
        maps.dedup();
        let recorder = report.recorder.clone().unwrap_or_default();
        for level in &report.levels {
            let (Some(map), Some(seconds)) = (&level.map, level.seconds) else { continue };
            let new = Time { seconds, player: recorder.clone(), link: link.to_owned(), runs: 0 };
            let best = self.times.entry(map.clone()).or_insert(new);
            best.runs += 1;
            if seconds < best.seconds {
                let runs = best.runs;
                *best = Time { seconds, player: recorder.clone(), link: link.to_owned(), runs };
            }
        }
        for player in report.players.iter().filter(|player| !player.name.is_empty()) {
            let all = self.players.entry(player.name.clone()).or_default();
            all.recordings += 1;
            all.kills += player.kills;
            all.deaths += player.deaths;
            all.streak = all.streak.max(player.streak);
        }
        self.seconds += report.length.unwrap_or_default();
        let players: Vec<&str> = report.players.iter().map(|it| it.name.as_str()).collect();
        self.rows.push(Row {
            name: name.to_owned(),
            link: link.to_owned(),
            maps: few(&maps, 3),
            players: if players.is_empty() { recorder } else { few(&players, 4) },
            length: report.length,
            result: result(report),
        });
    }

    /// The number of recordings.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the page has no recording.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The whole page.
    pub fn html(&self, title: &str) -> String {
        let count =
            |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let facts = [
            count(self.rows.len(), "recording"),
            count(self.players.len(), "player"),
            count(self.times.len(), "finished level"),
            format!("{} recorded", clock(self.seconds)),
        ];
        filled(PAGE, |mark, out| {
            match mark {
                "TITLE" => out.push_str(&escaped(title)),
                "ABOUT" => out.push_str(&facts.join(" · ")),
                "STYLE" => out.push_str(STYLE),
                "RECORDINGS" => self.recordings(out),
                "TIMES" => self.best(out),
                "PLAYERS" => self.scores(out),
                _ => return false,
            }
            true
        })
    }

    fn recordings(&self, out: &mut String) {
        let row = |row: &Row| {
            [
                link(&row.link, &row.name),
                escaped(&row.maps),
                escaped(&row.players),
                row.length.map_or_else(|| "-".to_owned(), clock),
                escaped(&row.result),
            ]
        };
        table(out, &["recording", "levels", "players", "length", "result"], 3, self.rows.iter().map(row));
    }

    fn best(&self, out: &mut String) {
        let row = |(map, time): (&String, &Time)| {
            [link(&time.link, map), escaped(&time.player), run_time(time.seconds), time.runs.to_string()]
        };
        table(out, &["level", "by", "time", "runs"], 2, self.times.iter().map(row));
    }

    fn scores(&self, out: &mut String) {
        let mut players: Vec<(&String, &Player)> = self.players.iter().collect();
        players.sort_by_key(|(_, it)| std::cmp::Reverse((it.kills, it.recordings)));
        let row = |(name, it): &(&String, &Player)| {
            [
                escaped(name),
                it.recordings.to_string(),
                it.kills.to_string(),
                it.deaths.to_string(),
                it.streak.to_string(),
            ]
        };
        let shown = players.iter().take(MOST_PLAYERS).map(row);
        table(out, &["player", "recordings", "kills", "deaths", "best streak"], 1, shown);
        if players.len() > MOST_PLAYERS {
            let _ = write!(out, "<p class=\"dim\">and {} more</p>", players.len() - MOST_PLAYERS);
        }
    }
}

/// The result of a recording in a few words: the time of the run, or the winner of the last level.
fn result(report: &Report) -> String {
    if let Some(seconds) = report.seconds {
        let levels = if report.timed_levels == 1 {
            String::new()
        } else {
            format!(" for {} levels", report.timed_levels)
        };
        return run_time(seconds) + &levels;
    }
    let scores = report.levels.last().map(|level| level.scores.as_slice()).unwrap_or_default();
    match scores {
        [first, second, ..] => match (first.frags, second.frags) {
            (Some(most), Some(less)) => format!("{} {most} : {less} {}", first.name, second.name),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// A time as speedrunners write it, to the thousandth.
fn run_time(seconds: f64) -> String {
    let thousandths = (seconds * 1000.0).round() as u64;
    format!("{}:{:02}.{:03}", thousandths / 60_000, thousandths / 1000 % 60, thousandths % 1000)
}

/// The first names of a list, and the number of the others.
fn few(names: &[&str], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown = names.get(..names.len().min(most)).unwrap_or_default().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn link(to: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(to), escaped(text))
}

/// A table with cells of HTML. The columns from `numbers` on are aligned as numbers, except a last column of words.
fn table<const N: usize>(
    out: &mut String,
    heads: &[&str; N],
    numbers: usize,
    rows: impl Iterator<Item = [String; N]>,
) {
    let class = |column: usize, head: &str| {
        if column >= numbers && head != "result" { " class=\"number\"" } else { "" }
    };
    out.push_str("<table><thead><tr>");
    for (column, head) in heads.iter().enumerate() {
        let _ = write!(out, "<th{}>{head}</th>", class(column, head));
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        out.push_str("<tr>");
        for (column, (cell, head)) in row.iter().zip(heads).enumerate() {
            let _ = write!(out, "<td{}>{cell}</td>", class(column, head));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_time_of_a_level_stays() {
        let report = |seconds: f64, name: &str| {
            let mut report = Report::read(&b"-1\n"[..]).unwrap();
            report.recorder = Some(name.to_owned());
            report.levels.resize_with(1, Default::default);
            report.levels[0].map = Some("e1m1".to_owned());
            report.levels[0].seconds = Some(seconds);
            report
        };
        let mut page = FolderPage::default();
        page.add("slow.dem", "slow.html", &report(30.5, "Al"));
        page.add("fast.dem", "fast.html", &report(24.25, "<Bob>"));
        page.add("slower.dem", "slower.html", &report(40.0, "Al"));
        let html = page.html("Runs");
        let best = html.split("Best times").nth(1).unwrap();
        assert!(best.contains("<a href=\"fast.html\">e1m1</a></td><td>&lt;Bob&gt;</td>"), "{best}");
        assert!(best.contains("0:24.250") && best.contains(">3</td>"), "{best}");
    }

    #[test]
    fn times_are_to_the_thousandth() {
        assert_eq!((run_time(59.9996).as_str(), run_time(83.5).as_str()), ("1:00.000", "1:23.500"));
    }
}
