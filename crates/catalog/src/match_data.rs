//! The data of a `QuakeWorld` recording about its match: teams, scores, mode, server and date.
// schema-once, all words: keys of server info, and columns of a catalog

use crate::query::moment;
use crate::table::Recording;
use moviola_analyse::{GameText, PassPosition, Watch};
use moviola_export::Word;
use moviola_state::quakeworld::{Player, World};
use std::sync::Arc;

/// Watches a match to its end.
#[derive(Default)]
pub(crate) struct Match {
    /// The players when the scores were shown, or else the last ones.
    players: Arc<Vec<Player>>,
    is_over: bool,
    mode: Option<Word>,
    hostname: Option<Word>,
    played: Option<i64>,
}

fn text(bytes: &[u8]) -> Option<Word> {
    let text = GameText::new(bytes).line();
    (!text.trim().is_empty()).then(|| Word::from(text.trim()))
}

/// The moment in KTX's statistics: `"date": "2026-03-27 13:00:59 +0000"`, in the server's own time.
fn date(statistics: &[u8]) -> Option<i64> {
    const KEY: &[u8] = b"\"date\": \"";
    let at = statistics.windows(KEY.len()).position(|it| it == KEY)?.checked_add(KEY.len())?;
    let text = statistics.get(at..)?.split(|byte| *byte == b'"').next()?;
    let text = std::str::from_utf8(text).ok()?;
    let mut words = text.split_whitespace();
    let day = moment(words.next()?)?;
    let mut clock =
        words.next().unwrap_or("0").split(':').map(|part| part.parse::<i64>().unwrap_or_default());
    let seconds =
        (0..3).fold(0, |sum: i64, _| sum.saturating_mul(60).saturating_add(clock.next().unwrap_or_default()));
    let zone = words.next().and_then(|zone| zone.parse::<i64>().ok()).unwrap_or_default();
    let away = (zone / 100).saturating_mul(3600).saturating_add((zone % 100).saturating_mul(60));
    Some(day.saturating_add(seconds.saturating_sub(away).saturating_mul(1000)))
}

impl Watch for Match {
    fn quakeworld(&mut self, world: &World, _: &PassPosition) {
        if !self.is_over {
            self.players = Arc::clone(&world.players);
        }
        self.is_over |= world.intermission && !world.players.is_empty();
        if self.mode.is_none() {
            self.mode = text(world.value(b"mode"));
            self.hostname = text(world.value(b"hostname"));
        }
        if self.played.is_none() {
            let epoch = std::str::from_utf8(world.value(b"epoch")).ok().and_then(|it| it.parse::<i64>().ok());
            let epoch = epoch.filter(|seconds| (0..1 << 40).contains(seconds)).map(|seconds| seconds * 1000);
            self.played = epoch.or_else(|| world.demoinfo_complete.then(|| date(&world.demoinfo)).flatten());
        }
    }
}

impl Match {
    pub(crate) fn fill(self, row: &mut Recording) {
        let plays = |player: &&Player| player.is_here() && !player.is_spectator();
        let mut players: Vec<&Player> = self.players.iter().filter(plays).collect();
        players.sort_by_key(|player| std::cmp::Reverse(player.frags));
        let mut teams: Vec<String> =
            players.iter().map(|player| GameText::new(player.team()).line()).collect();
        teams.retain(|team| !team.is_empty());
        teams.sort_unstable();
        teams.dedup();
        row.score = players.first().map(|player| player.frags.into());
        let score = |player: &&Player| format!("{} {}", GameText::new(player.name()).line(), player.frags);
        row.scores = Some(players.iter().map(score).collect());
        row.teams = Some(teams.into_iter().collect());
        (row.mode, row.hostname, row.played) = (self.mode, self.hostname, self.played);
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
}
