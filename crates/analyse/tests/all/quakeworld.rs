//! Matches of QuakeWorld: the counts are those of the game's own statistics, and each event is made once.

use crate::files::corpus;
use moviola_analyse::{Event, Events, Here, Kind, PlayerReport, Report, Watch, watch};
use moviola_state::quakeworld;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A recording of the collection; `None` without the collection.
fn recording(name: &str) -> Option<Vec<u8>> {
    corpus().map(|folder| std::fs::read(folder.join("qw").join(name)).unwrap())
}

fn matches() -> Vec<PathBuf> {
    let Some(folder) = corpus() else { return Vec::new() };
    let files = std::fs::read_dir(folder.join("qw/real")).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|it| it == "mvd")).collect()
}

fn events(file: &[u8]) -> Vec<Event> {
    let mut all = Vec::new();
    watch(file, &mut [&mut Events::new(|event| all.push(event))]).unwrap();
    all
}

/// The statistics that the game wrote into the MVD, and the scores at that moment.
#[derive(Default)]
struct Statistics {
    text: Vec<u8>,
    frags: BTreeMap<Vec<u8>, i32>,
}

impl Watch for Statistics {
    fn quakeworld(&mut self, world: &quakeworld::World, _: &Here) {
        if world.demoinfo_complete && self.text.is_empty() {
            self.text.clone_from(&world.demoinfo);
            let playing = world.players.iter().filter(|it| it.is_here() && !it.is_spectator());
            self.frags = playing.map(|it| (plain(it.name()), it.frags.into())).collect();
        }
    }
}

fn plain(name: &[u8]) -> Vec<u8> {
    name.iter().map(|byte| byte & 0x7F).collect()
}

/// A player's name in a report, with bit 7 of each byte removed.
fn of_report(player: &PlayerReport) -> Vec<u8> {
    let digits = |hex: &String| {
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(byte).collect()
    };
    plain(&player.name_hex.as_ref().map_or_else(|| player.name.clone().into_bytes(), digits))
}

/// Each player's frags, deaths and kills in the game's own statistics.
fn by_the_game(text: &[u8]) -> BTreeMap<Vec<u8>, [i64; 3]> {
    let latin: String = text.iter().map(|byte| char::from(*byte)).collect();
    let told: serde_json::Value = serde_json::from_str(&latin).unwrap();
    let players = told["players"].as_array().unwrap();
    let name = |it: &serde_json::Value| {
        it["name"].as_str().unwrap().chars().map(|letter| letter as u8 & 0x7F).collect::<Vec<u8>>()
    };
    let numbers =
        |it: &serde_json::Value| ["frags", "deaths", "kills"].map(|key| it["stats"][key].as_i64().unwrap());
    players.iter().map(|it| (name(it), numbers(it))).collect()
}

#[test]
fn counts_are_those_of_the_game() {
    let (mut players, mut deaths, mut told_deaths, mut kills, mut told_kills) = (0, 0, 0, 0, 0);
    for path in matches() {
        let file = std::fs::read(&path).unwrap();
        let mut statistics = Statistics::default();
        watch(&file[..], &mut [&mut statistics]).unwrap();
        if statistics.text.is_empty() {
            continue;
        }
        let expected = by_the_game(&statistics.text);
        let report = Report::read(&file[..]).unwrap();
        for (name, [frags, its_deaths, its_kills]) in &expected {
            let Some(found) = statistics.frags.get(name) else { continue };
            assert_eq!(i64::from(*found), *frags, "{}: {}", path.display(), name.escape_ascii());
            let counted = report.players.iter().find(|it| of_report(it) == *name);
            let counted = counted.map_or([0, 0], |it| [it.deaths as i64, it.kills as i64]);
            println!("{} {its_deaths} {its_kills} {counted:?}", name.escape_ascii());
            players += 1;
            deaths += its_deaths;
            told_deaths += its_deaths.min(&counted[0]);
            kills += its_kills;
            told_kills += its_kills.min(&counted[1]);
        }
    }
    println!("{players} players: {told_deaths} of {deaths} deaths, {told_kills} of {kills} kills");
    assert!(corpus().is_none() || players > 4, "{players}");
    assert!(told_deaths * 100 >= deaths * 99, "{told_deaths} of {deaths} deaths");
}

/// Chat is sent to each player once, and makes one event.
#[test]
fn chat_is_told_once() {
    let Some(file) = recording("ours/basic.mvd") else { return };
    let chat: Vec<(String, String, bool)> = events(&file)
        .into_iter()
        .filter_map(|event| match event.kind {
            Kind::Chat { player, text, team, .. } => {
                Some((player.name.text().to_owned(), text.text().to_owned(), team))
            }
            _ => None,
        })
        .collect();
    let said = |who: &str, text: &str, team| (who.to_owned(), text.to_owned(), team);
    assert_eq!(
        chat.iter().filter(|it| **it == said("anna", "hello from anna", false)).count(),
        1,
        "{chat:?}"
    );
}

#[test]
fn both_recordings_of_one_game_tell_the_same_deaths() {
    let kills = |name: &str| {
        let file = recording(name)?;
        let mut kills = 0;
        let told = events(&file);
        for event in &told {
            kills += usize::from(matches!(event.kind, Kind::Kill { .. }));
        }
        let starts = told.iter().filter(|it| matches!(it.kind, Kind::LevelStart { .. })).count();
        assert_eq!(starts, 1, "{name}");
        Some(kills)
    };
    let (Some(server), Some(client)) = (kills("ours/bots.mvd"), kills("ours/bots.qwd")) else { return };
    assert!(server > 2 && server.abs_diff(client) <= 2, "{server} and {client}");
}

#[test]
fn a_small_match() {
    // A server's recording: a level, two players, a death, the resulting change of score, and a line that two
    // players receive.
    let block = |msec: u8, kind: u8, data: &[u8]| {
        [&[msec, kind][..], &(data.len() as u32).to_le_bytes(), data].concat()
    };
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let file = [
        block(0, 6, &level),
        block(0, 6, b"\x2d\0maps/hall.bsp\0\0\0"),
        block(0, 6, b"\x28\0\x01\0\0\0\\name\\Al\0\x28\x01\x02\0\0\0\\name\\Bob\0\x09skins\n\0"),
        block(10, 6, b"\x08\x01Bob rides Al's rocket\n\0"),
        block(0, 6, b"\x0e\0\x01\0"),
        block(10, 4, b"\x08\x03Al: ha\n\0"),
        block(0, 12, b"\x08\x03Al: ha\n\0"),
        block(10, 6, b"\x02EndOfDemo\0"),
    ]
    .concat();
    let names: Vec<&str> = events(&file).iter().map(Event::name).collect();
    assert_eq!(names, ["level_start", "command", "kill", "frags", "chat", "disconnect", "level_end"]);
    let report = Report::read(&file[..]).unwrap();
    let al = report.players.iter().find(|it| it.name == "Al").unwrap();
    assert_eq!((al.kills, al.deaths, report.levels[0].scores[0].frags), (1, 0, Some(1)));
}
