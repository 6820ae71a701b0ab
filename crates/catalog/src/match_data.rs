//! The data of a `QuakeWorld` recording about its match: teams, scores, mode, server and date.
// not from SCHEMA, all words: keys of server info, and columns of a catalog

use crate::query::moment;
use crate::table::Recording;
use moviola_analyse::{GameText, PassPosition, Watch};
use moviola_export::Word;
use moviola_format::{Context, Hidden, Piece, WeaponOrder, hidden};
use moviola_state::quakeworld::{Happening, Player, World};
use std::sync::Arc;

/// Watches a match to its end.
#[derive(Default)]
pub(crate) struct Match {
    /// The players at the time when the scores were shown, or else the last known ones.
    players: Arc<Vec<Player>>,
    is_over: bool,
    is_teamplay: bool,
    mode: Option<Word>,
    hostname: Option<Word>,
    /// The mode in KTX's line at the end of a match.
    final_mode: Option<Word>,
    /// The date, and its source.
    played: Option<(DateSource, i64)>,
}

/// The sources of a match's date, the best first: a server's time in UTC, a server's local time, and the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum DateSource {
    /// The info `epoch` of the server: seconds in UTC.
    Epoch,
    /// The `date` in KTX's statistics, with its zone.
    Statistics,
    /// A hidden message with the moment at which the recording began, in UTC.
    HiddenMessage,
    /// KTX's line `matchdate: `, with the server's time zone.
    Print,
    /// The command `//recorddate`.
    Command,
    /// The key `serverdemo` in the server info: the name that the server gives its recording.
    FileName,
}

fn text(bytes: &[u8]) -> Option<Word> {
    let text = GameText::new(bytes).line();
    (!text.trim().is_empty()).then(|| Word::from(text.trim()))
}

/// The date in KTX's statistics: `"date": "2026-03-27 13:00:59 +0000"`, in the server's time zone.
fn date(statistics: &[u8]) -> Option<i64> {
    const KEY: &[u8] = b"\"date\": \"";
    let at = statistics.windows(KEY.len()).position(|it| it == KEY)?.checked_add(KEY.len())?;
    moment_of(statistics.get(at..)?.split(|byte| *byte == b'"').next()?)
}

/// The moment of a day, a clock and a zone, of which the last two may be missing.
fn moment_of(text: &[u8]) -> Option<i64> {
    let mut words = std::str::from_utf8(text).ok()?.split_whitespace();
    let day = moment(words.next()?)?;
    let mut clock =
        words.next().unwrap_or("0").split(':').map(|part| part.parse::<i64>().unwrap_or_default());
    let seconds =
        (0..3).fold(0, |sum: i64, _| sum.saturating_mul(60).saturating_add(clock.next().unwrap_or_default()));
    let zone = words.next().map(zone).unwrap_or_default();
    let away = (zone / 100).saturating_mul(3600).saturating_add((zone % 100).saturating_mul(60));
    Some(day.saturating_add(seconds.saturating_sub(away).saturating_mul(1000)))
}

/// The time zones of servers by name, with the hours and minutes to be added for UTC as a number.
const ZONES: &[(&str, i64)] = &[
    ("WEST", 100),
    ("BST", 100),
    ("CET", 100),
    ("CEST", 200),
    ("EET", 200),
    ("EEST", 300),
    ("MSK", 300),
    ("EST", -500),
    ("EDT", -400),
    ("CST", -600),
    ("CDT", -500),
    ("PST", -800),
    ("PDT", -700),
    ("AEST", 1000),
    ("AEDT", 1100),
];

/// `+0200` or `CEST`; a zone of unknown name is taken for UTC, which is less than a day off.
fn zone(word: &str) -> i64 {
    let named = ZONES.iter().find(|(name, _)| *name == word).map(|(_, zone)| *zone);
    named.or_else(|| word.parse().ok()).unwrap_or_default()
}

/// The date in the name that a server gives its recording: `duel_a_vs_b[dm4]20240501-1229.mvd`, or with a year of two
/// digits.
fn moment_of_name(name: &[u8]) -> Option<i64> {
    let text = String::from_utf8_lossy(name);
    let (before, clock) = text.rsplit_once('-')?;
    let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
    let day = before.get(before.len().checked_sub(if digits >= 8 { 8 } else { 6 })?..)?;
    let (year, rest) = day.split_at_checked(day.len().checked_sub(4)?)?;
    let century = if year.len() == 2 { "20" } else { "" };
    let (month, day) = rest.split_at_checked(2)?;
    let (hour, minute) = clock.get(..4)?.split_at_checked(2)?;
    moment_of(format!("{century}{year}-{month}-{day} {hour}:{minute}").as_bytes())
}

/// The second of the words in quotes of `//finalscores "date" "mode" "map" …`.
fn mode_of_scores(line: &[u8]) -> Option<Word> {
    let mode = line.split(|byte| *byte == b'"').nth(3)?;
    // Server info has it in small letters.
    text(&mode.to_ascii_lowercase())
}

impl Watch for Match {
    fn quakeworld(&mut self, world: &World, _: &PassPosition) {
        if !self.is_over {
            self.players = Arc::clone(&world.players);
        }
        self.is_teamplay = !matches!(world.value(b"teamplay"), b"" | b"0");
        self.is_over |= world.intermission && !world.players.is_empty();
        if self.mode.is_none() {
            self.mode = text(world.value(b"mode"));
            self.hostname = text(world.value(b"hostname"));
        }
        for happening in &world.moment {
            match happening {
                Happening::Print { text, .. } => {
                    if let Some(when) = text.bytes().strip_prefix(b"matchdate: ") {
                        self.date(DateSource::Print, moment_of(when));
                    }
                }
                Happening::Command { text, .. } => self.command(text.bytes()),
                _ => {}
            }
        }
        if self.played.is_none_or(|(source, _)| source > DateSource::Epoch) {
            let epoch = std::str::from_utf8(world.value(b"epoch")).ok().and_then(|it| it.parse::<i64>().ok());
            let epoch = epoch.filter(|seconds| (0..1 << 40).contains(seconds)).map(|seconds| seconds * 1000);
            self.date(DateSource::Epoch, epoch);
        }
        if self.played.is_none_or(|(source, _)| source > DateSource::Statistics) && world.demoinfo_complete {
            self.date(DateSource::Statistics, date(&world.demoinfo));
        }
        if self.played.is_none() {
            self.date(DateSource::FileName, moment_of_name(world.value(b"serverdemo")));
        }
    }

    fn file_piece(&mut self, piece: &Piece<'_>, _: &PassPosition) {
        let Piece::Block(block) = piece else { return };
        if !block.stamp.is_hidden()
            || self.played.is_some_and(|(source, _)| source <= DateSource::HiddenMessage)
        {
            return;
        }
        for entry in block.messages::<Hidden>(Context::quakeworld()) {
            let start = match entry.message {
                hidden::Message::WeaponInstruction(it) => match it.order {
                    WeaponOrder::Start(moment) => moment,
                    WeaponOrder::Order { .. } => continue,
                },
                hidden::Message::DemoStart(it) => it.unix_msec.value,
                _ => continue,
            };
            self.date(DateSource::HiddenMessage, i64::try_from(start).ok());
        }
    }
}

impl Match {
    /// Sets the date, unless a better source has set one.
    fn date(&mut self, source: DateSource, moment: Option<i64>) {
        if self.played.is_none_or(|(known, _)| source < known) {
            self.played = moment.map(|moment| (source, moment)).or(self.played);
        }
    }

    /// Reads a command that is data for a recording.
    fn command(&mut self, line: &[u8]) {
        if let Some(when) = line.strip_prefix(b"//recorddate ") {
            let when = String::from_utf8_lossy(when).replace('T', " ").replace('Z', " +0000");
            self.date(DateSource::Command, moment_of(when.as_bytes()));
        } else if line.starts_with(b"//finalscores ") {
            self.final_mode = mode_of_scores(line);
        }
    }

    pub(crate) fn fill(self, row: &mut Recording) {
        let plays = |player: &&Player| player.is_here() && !player.is_spectator();
        let mut players: Vec<&Player> = self.players.iter().filter(plays).collect();
        players.sort_by_key(|player| std::cmp::Reverse(player.frags));
        let mut teams: Vec<String> =
            players.iter().map(|player| GameText::new(player.team()).line()).collect();
        teams.retain(|team| !team.is_empty());
        teams.sort_unstable();
        teams.dedup();
        // In team play the match is between teams: the score of a team is the sum of its players' scores.
        let is_of_teams = self.is_teamplay && (2..players.len()).contains(&teams.len());
        let sum = |team: &String| -> i32 {
            let mates = players.iter().filter(|player| GameText::new(player.team()).line() == *team);
            mates.map(|player| i32::from(player.frags)).fold(0, i32::saturating_add)
        };
        let mut scores: Vec<(String, i32)> =
            teams.iter().filter(|_| is_of_teams).map(|team| (team.clone(), sum(team))).collect();
        scores.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        let of = |player: &&Player| (GameText::new(player.name()).line(), i32::from(player.frags));
        scores.extend(players.iter().map(of));
        row.score = scores.first().map(|(_, score)| *score);
        row.scores = Some(scores.iter().map(|(name, score)| format!("{name} {score}")).collect());
        row.teams = Some(teams.into_iter().collect());
        (row.mode, row.hostname) = (self.mode.or(self.final_mode), self.hostname);
        row.played = self.played.map(|(_, moment)| moment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_statistics_are_moments() {
        let date_of = |text: &str| date(format!("{{\"version\": 3,\"date\": \"{text}\",\"map\"").as_bytes());
        assert_eq!(date_of("1970-01-02 00:00:01 +0000"), Some(86_401_000));
        assert_eq!(date_of("1970-01-02 02:00:01 +0200"), Some(86_401_000));
        assert_eq!(date_of("1970-01-02"), Some(86_400_000));
        assert_eq!((date_of("yesterday"), date(b"{}")), (None, None));
    }

    /// The row of a recording of one level, with these messages in blocks for all players, and these hidden messages.
    fn of(messages: &[&[u8]], hidden: &[u8]) -> Recording {
        let block = |head: &[u8], data: &[u8]| [head, &(data.len() as u32).to_le_bytes(), data].concat();
        let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
        let messages = messages.iter().flat_map(|data| block(&[10, 6], data)).collect();
        let file = [block(&[0, 6], &level), block(&[0, 3, 0, 0, 0, 0], hidden), messages].concat();
        let (mut found, mut row) = (Match::default(), Recording::default());
        moviola_analyse::watch(&file[..], &mut [&mut found]).unwrap();
        found.fill(&mut row);
        row
    }

    #[test]
    fn the_score_of_a_match_is_that_of_its_teams() {
        let player = |slot: u8, name: &str, team: &str, frags: u8| {
            let info = format!("\\name\\{name}\\team\\{team}\0");
            [&[40, slot, 1, 0, 0, 0][..], info.as_bytes(), &[14, slot, frags, 0]].concat()
        };
        let four = [
            player(0, "a", "red", 10),
            player(1, "b", "red", 5),
            player(2, "c", "blue", 12),
            player(3, "d", "blue", 1),
        ]
        .concat();
        let scores =
            |row: &Recording| row.scores.as_ref().map(|it| it.iter().map(str::to_owned).collect::<Vec<_>>());
        let teams = of(&[b"\x34teamplay\x002\0", &four], b"");
        let expected = ["red 15", "blue 13", "c 12", "a 10", "b 5", "d 1"];
        assert_eq!((teams.score, scores(&teams).unwrap()), (Some(15), expected.map(String::from).to_vec()));
        // Teams of a match without teamplay are colors.
        assert_eq!(of(&[&four], b"").score, Some(12));
        let two = [player(0, "a", "red", 10), player(2, "c", "blue", 12)].concat();
        assert_eq!(of(&[b"\x34teamplay\x002\0", &two], b"").score, Some(12));
    }

    #[test]
    fn a_match_without_epoch_has_a_date_and_a_mode() {
        const NOON: i64 = 1_641_294_000_000;
        let print = of(&[b"\x08\x02matchdate: 2022-01-04 12:00:00 CET\n\0"], b"");
        assert_eq!(print.played, Some(NOON));
        let name = of(&[b"\x34serverdemo\x002on2_a_vs_b[dm4]220104-1100.mvd\0"], b"");
        assert_eq!(name.played, Some(NOON));
        let name = of(&[b"\x34serverdemo\x00duel_a_vs_b[dm4]20220104-1100.mvd\0"], b"");
        assert_eq!(name.played, Some(NOON));
        let command = of(&[b"\x09//recorddate 2022-01-04T11:00:00Z\n\0"], b"");
        assert_eq!(command.played, Some(NOON));
        let hidden = [&b"\x08\0\0\0\x09\0"[..], &NOON.to_le_bytes()].concat();
        assert_eq!(of(&[], &hidden).played, Some(NOON));
        let both =
            of(&[b"\x08\x02matchdate: 2022-01-04 12:00:00 CET\n\0", b"\x34epoch\x001641294001\0"], b"");
        assert_eq!(both.played, Some(NOON + 1000));
        let mode = of(&[b"\x09//finalscores \"Jan 04, 09:18\" \"FFA\" \"dm4\" \"a\" 5\n\0"], b"");
        assert!(mode.mode == text(b"ffa"));
    }
}
