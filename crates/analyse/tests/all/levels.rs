//! The levels in a report agree with the counts of a second, independent reading, for every recording: maps,
//! frames, times, kills, secrets, scores.

use crate::files::{Recording, recordings};
use crate::reference::Stop;
use crate::reference::dem::{Dem, Tally};
use crate::reference::dm2::Dm2;
use moviola_analyse::{LevelReport, Report};
use moviola_format::names::readable;
use moviola_format::{Demo, Piece};
use std::collections::BTreeMap;

/// The file of a level, without folder and extension.
fn bare(map: &[u8]) -> String {
    let map = readable(map);
    let map = map.strip_prefix("maps/").unwrap_or(&map);
    map.strip_suffix(".bsp").unwrap_or(map).to_owned()
}

/// The counts by another way of reading; `None` if that does not know the dialect.
fn tallies(recording: &Recording) -> Option<Vec<Tally>> {
    // The header is not needed for counting levels.
    let mut demo = Demo::new(&recording.bytes[..]).unwrap();
    let Some(Piece::Header(line)) = demo.next_piece().unwrap() else { return None };
    let start = line.len();
    let mut count = 0;
    while let Some(piece) = demo.next_piece().unwrap() {
        count += usize::from(matches!(piece, Piece::Block(_)));
    }
    let mut expected = Dem::default();
    let blocks = crate::reference::bytes::blocks(&recording.bytes, 16, start);
    // Blocks from a client to its server are foreign too.
    if blocks.len() != count {
        return None;
    }
    for (head, data) in blocks {
        if let Err(Stop::Foreign) = expected.block(head, data) {
            return None;
        }
    }
    expected.close();
    Some(expected.tallies)
}

fn same(level: &LevelReport, tally: &Tally, recording: &str) {
    assert_eq!(level.map.clone().unwrap_or_default(), bare(&tally.map), "{recording}");
    let what = format!("{recording}, {}", bare(&tally.map));
    assert_eq!(level.frames, tally.frames as u64, "{what}: frames");
    // A cutscene ends a run only if the game prints a time.
    let printed = level.printed.filter(|_| level.how == "cutscene" && tally.ended.is_none());
    assert_eq!(level.seconds, tally.ended.map(f64::from).or(printed), "{what}: time");
    let (kills, secrets) = (level.kills.unwrap(), level.secrets.unwrap());
    let found = [kills.done, kills.total, secrets.done, secrets.total];
    assert_eq!(found, tally.counts.map(i64::from), "{what}: kills and secrets");
    let mut found: Vec<_> =
        level.scores.iter().map(|it| (i32::from(it.slot), it.name.clone(), it.frags.unwrap())).collect();
    found.sort_unstable();
    let expected: Vec<_> =
        tally.frags.iter().map(|(slot, name, frags)| (*slot, readable(name), *frags)).collect();
    assert_eq!(found, expected, "{what}: scores");
}

#[test]
fn quake_of_every_recording() {
    let (mut levels, mut timed) = (0, 0);
    for recording in recordings(moviola_scribe::Game::Quake) {
        let Some(tallies) = tallies(&recording) else {
            println!("{}: foreign", recording.name);
            continue;
        };
        let report = Report::read(&recording.bytes[..]).unwrap();
        assert_eq!(report.level_count, tallies.len() as u64, "{}", recording.name);
        for (level, tally) in report.levels.iter().zip(&tallies) {
            same(level, tally, &recording.name);
            levels += 1;
            timed += usize::from(level.seconds.is_some());
        }
    }
    println!("{levels} levels, {timed} of them with a time");
    let least = if crate::files::corpus().is_some() { [100, 12] } else { [10, 0] };
    assert!(levels >= least[0] && timed >= least[1], "{levels} {timed}");
}

/// The counts of the slow reading for a level of Quake II.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tally2 {
    map: String,
    frames: usize,
    /// The time when the player froze without a weapon, and the scores were shown or no other player was in
    /// the game.
    ended: Option<f64>,
    is_over: bool,
    /// Slot, name and score, if it is known.
    scores: Vec<(u8, String, Option<i64>)>,
    /// Kills and secrets with their totals, as last shown on the field computer.
    progress: Option<[i64; 4]>,
    played: bool,
    /// The last scores shown.
    shown: Vec<(i64, i64)>,
    /// The recorder's score until the end of the game, and whether it changed after the scores were
    /// shown.
    own: Option<(i64, i64)>,
    is_newer: bool,
    layout: Vec<u8>,
}

/// The lines of a layout that begin with a player's name and a number; the first line of each player.
fn lines_of_scores(world: &Dm2, words: &[String]) -> Vec<(i64, i64)> {
    let mut scores: BTreeMap<i64, i64> = BTreeMap::new();
    for line in words.iter().filter_map(|word| word.strip_prefix('"')) {
        let mut best: Option<(usize, i64, i64)> = None;
        for slot in 0..=255 {
            let Some(skin) = world.config.get(&(1312 + slot)) else { continue };
            let name = String::from_utf8_lossy(skin.split(|byte| *byte == b'\\').next().unwrap_or_default());
            let Some(rest) = line.strip_prefix(&*name).filter(|_| !name.is_empty()) else { continue };
            let number = rest.split(' ').find(|word| !word.is_empty()).map(str::parse::<i64>);
            if let (true, Some(Ok(number))) = (rest.starts_with(' '), number) {
                best = best.max(Some((name.len(), i64::from(slot), number)));
            }
        }
        if let Some((_, slot, number)) = best {
            scores.entry(slot).or_insert(number);
        }
    }
    scores.into_iter().collect()
}

/// The words of a layout; a text in quotes is one word.
fn words(layout: &[u8]) -> Vec<String> {
    let layout = String::from_utf8_lossy(layout);
    let parts = layout.split('"').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![format!("\"{part}")],
        })
        .collect()
}

/// Kills, goals and secrets as the field computer writes them: `  4/ 10     0/0       1/1`.
fn progress(word: &str) -> Option<[i64; 4]> {
    let line = word.strip_prefix('"')?.split('/').map(str::trim).collect::<Vec<_>>().join("/");
    let parts: Vec<&str> = line.split_whitespace().collect();
    let numbers = parts.iter().map(|part| {
        let (done, all) = part.split_once('/')?;
        Some([done.parse().ok()?, all.parse().ok()?])
    });
    match numbers.collect::<Option<Vec<[i64; 2]>>>()?[..] {
        [kills, _, secrets] => Some([kills[0], kills[1], secrets[0], secrets[1]]),
        _ => None,
    }
}

impl Tally2 {
    fn look(&mut self, world: &Dm2) {
        self.map = bare(world.config.get(&33).map_or(&[], |it| &it[..]));
        self.frames = world.frame_count;
        let Some(player) = world.drawn.players.get(&None) else { return self.name(world, None) };
        let get = |name, at| player.get(&(name, at)).copied().unwrap_or_default();
        let clients = world.config.get(&30).map(|it| String::from_utf8_lossy(it).parse().unwrap_or(0));
        let scores_shown = get("stats", 13) & 1 != 0 || clients.unwrap_or(0) <= 1;
        let frozen = get("pm_type", 0) == 4;
        if frozen && get("gunindex", 0) == 0 && scores_shown && self.played {
            self.is_over = true;
            // The status bar of a deathmatch shows frags. Its duration is not the time of a run.
            let bar = (5..29).filter_map(|at| world.config.get(&at)).flatten();
            let bar = String::from_utf8_lossy(&bar.copied().collect::<Vec<u8>>()).into_owned();
            if !bar.split_whitespace().collect::<Vec<_>>().join(" ").contains("num 3 14") {
                self.ended.get_or_insert(f64::from(world.drawn.seq1) / 10.0);
            }
        }
        self.played = !frozen;
        let words = words(&world.layout);
        let numbers = words.windows(5).filter(|it| it[0] == "client");
        let shown: Vec<(i64, i64)> =
            numbers.filter_map(|it| Some((it[3].parse().ok()?, it[4].parse().ok()?))).collect();
        let is_new = std::mem::replace(&mut self.layout, world.layout.clone()) != world.layout;
        if !shown.is_empty() {
            self.shown = shown;
            self.is_newer &= !is_new;
        }
        self.progress = words.iter().find_map(|word| progress(word)).or(self.progress);
        if !self.is_over || self.own.is_none() {
            let own = Some((i64::from(world.client), get("stats", 14)));
            self.is_newer |= !is_new && self.own != own;
            self.own = own;
        }
        let scores = lines_of_scores(world, &words);
        if scores.len() > 1 && !words.iter().any(|word| word == "client") {
            self.shown = scores;
            self.is_newer &= !is_new;
        }
        self.name(world, self.own);
    }

    fn name(&mut self, world: &Dm2, own: Option<(i64, i64)>) {
        let names = (0u8..=255).filter_map(|slot| {
            let skin = world.config.get(&(1312 + i32::from(slot)))?;
            let name = readable(skin.split(|byte| *byte == b'\\').next()?);
            let of = |it: &(i64, i64)| it.0 == i64::from(slot);
            let (shown, own) = (self.shown.iter().copied().find(of), own.filter(of));
            let score = if self.is_newer { own.or(shown) } else { shown.or(own) };
            (!name.is_empty()).then(|| (slot, name, score.map(|it| it.1)))
        });
        self.scores = names.collect();
    }

    fn same(&self, level: &LevelReport, what: &str) {
        assert_eq!(level.map.clone().unwrap_or_default(), self.map, "{what}");
        assert_eq!(level.frames, self.frames as u64, "{what}: frames");
        assert_eq!(level.seconds, self.ended, "{what}: time");
        let mut found: Vec<_> =
            level.scores.iter().map(|it| (it.slot, it.name.clone(), it.frags.map(i64::from))).collect();
        found.sort_unstable();
        assert_eq!(found, self.scores, "{what}: scores");
        let [kills, all_kills, secrets, all_secrets] = self.progress.unwrap_or_default();
        assert_eq!(level.kills.is_some(), self.progress.is_some(), "{what}: kills");
        // Monsters that died after the field computer was shown are counted by their entities.
        if let (Some(found), Some(found_secrets)) = (level.kills, level.secrets) {
            assert!(found.done >= kills && found.total == all_kills, "{what}: {found:?}");
            assert_eq!((found_secrets.done, found_secrets.total), (secrets, all_secrets), "{what}: secrets");
        }
    }
}

#[test]
fn quake2_of_every_recording() {
    let (mut levels, mut scored, mut timed) = (0, 0, 0);
    for recording in recordings(moviola_scribe::Game::Quake2) {
        let mut expected = Dm2::default();
        let mut tallies: Vec<Tally2> = Vec::new();
        let mut foreign = false;
        // The header is not needed for counting levels.
        let mut demo = Demo::new(&recording.bytes[..]).unwrap();
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { continue };
            let before = (expected.key, expected.title.clone(), expected.config.len());
            foreign |= expected.block(block.data) == Err(Stop::Foreign);
            let now = (expected.key, expected.title.clone(), expected.config.len());
            if (before.0, &before.1) != (now.0, &now.1) || (before.2 > now.2) {
                tallies.push(Tally2::default());
            }
            if let Some(tally) = tallies.last_mut() {
                tally.look(&expected);
            }
        }
        if foreign {
            continue;
        }
        let report = Report::read(&recording.bytes[..]).unwrap();
        assert_eq!(report.levels.len(), tallies.len(), "{}", recording.name);
        for (level, tally) in report.levels.iter().zip(&tallies) {
            tally.same(level, &format!("{}, {}", recording.name, tally.map));
            levels += 1;
            scored += usize::from(tally.scores.iter().any(|it| it.2.is_some_and(|score| score != 0)));
            timed += usize::from(tally.ended.is_some());
        }
    }
    println!("{levels} levels, {scored} with scores, {timed} with a time");
    let least = if crate::files::corpus().is_some() { [40, 2, 1] } else { [3, 0, 0] };
    assert!(levels >= least[0] && scored >= least[1] && timed >= least[2], "{levels} {scored} {timed}");
}
