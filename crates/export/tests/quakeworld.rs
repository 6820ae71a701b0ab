//! Tables and charts of QuakeWorld's recordings, compared with notes that were made second by second while the
//! recordings were made.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use moviola_export::{Chart, Files, Id, PlotOptions, Story, TableFormat, harvest, plot, tables};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[path = "../../format/tests/common/corpus.rs"]
mod corpus;

/// The project's own recordings; absent from a clone without the collection.
fn ours() -> Option<PathBuf> {
    corpus::corpus().map(|folder| folder.join("qw/ours"))
}

type Rows = Vec<BTreeMap<String, String>>;

fn rows(bytes: &[u8], name: &str) -> BTreeMap<&'static str, Rows> {
    let mut files = Files::new(TableFormat::Csv);
    for table in tables::ALL.iter().filter(|table| table.name != "messages") {
        files.add(table, Vec::new()).unwrap();
    }
    harvest(bytes, Id::of(bytes).unwrap(), name, &mut files).unwrap();
    let read = |csv: Vec<u8>| {
        let text = String::from_utf8(csv).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let head = lines.next().unwrap();
        lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
    };
    files.finish().unwrap().into_iter().map(|(table, csv)| (table.name, read(csv))).collect()
}

#[test]
fn damage_is_where_the_truth_has_it() {
    let Some(folder) = ours() else { return };
    let labels = std::fs::read_to_string(folder.join("labels.tsv")).unwrap();
    let mut seen = 0;
    for line in labels.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, _, "in file: damage", _, text, second] = cells[..] else { continue };
        let words: Vec<&str> = text.split([' ', ':', ',']).filter(|word| !word.is_empty()).collect();
        let [_, _, attacker, _, victim, damage, ..] = words[..] else { panic!("{text}") };
        let slot = |entity: &str| (entity.parse::<i32>().unwrap() - 1).to_string();
        let tables = rows(&std::fs::read(folder.join(file)).unwrap(), file);
        let second: f64 = second.parse().unwrap();
        let is_it = |row: &BTreeMap<String, String>| {
            row["victim_slot"] == slot(victim)
                && (row["attacker_slot"] == slot(attacker) || row["attacker_slot"].is_empty())
                && row["damage"] == damage
                && (row["level_time"].parse::<f64>().unwrap() - second).abs() < 0.001
                && (row["weapon"] == "kill command") == (damage == "9999")
        };
        assert!(tables["damages"].iter().any(is_it), "{file}: {text} at {second}: {:?}", tables["damages"]);
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn items_of_a_match_are_taken_by_players_with_lines() {
    let Some(folder) = ours() else { return };
    let bytes = std::fs::read(folder.join("bots.mvd")).unwrap();
    let tables = rows(&bytes, "bots.mvd");
    // The texts that the file prints for its players, counted without any reader.
    let count = |text: &[u8]| bytes.windows(text.len()).filter(|it| *it == text).count();
    let of = |item: &str| tables["pickups"].iter().filter(|row| row["item"] == item).count();
    assert_eq!(of("nails"), count(b"You got the nails"));
    assert_eq!(of("shells"), count(b"You got the shells"));
    assert!(of("nails") > 0 && of("shells") > 0);
    let whole = |row: &BTreeMap<String, String>| !row["player"].is_empty() && !row["x"].is_empty();
    assert!(tables["pickups"].iter().all(whole), "{:?}", tables["pickups"]);
}

#[test]
fn a_match_has_the_rows_of_all_its_players() {
    let Some(folder) = ours() else { return };
    let tables = rows(&std::fs::read(folder.join("bots.mvd")).unwrap(), "bots.mvd");
    let names: Vec<&str> = tables["players"].iter().map(|row| row["name"].as_str()).collect();
    assert_eq!(names, ["anna", "/ bro", "/ goldenboy", "/ tincan", "/ grue", "hero"]);
    assert!(tables["players"].iter().all(|row| row["is_spectator"] == (row["name"] == "hero").to_string()));
    assert!(tables["positions"].iter().all(|row| row["name"] != "hero"), "a spectator is not a player");
    for slot in 0..5 {
        let of = |table: &str, column: &str| {
            tables[table].iter().filter(|row| row[column] == slot.to_string()).count()
        };
        assert!(of("positions", "slot") > 700 && of("ticks", "client") > 700, "{slot}");
    }
    // The health and armor of the attacker are known from the stats that a server writes for every player.
    assert!(tables["kills"].iter().all(|row| !row["attacker_health"].is_empty()), "{:?}", tables["kills"]);
    let armor = tables["entities"].iter().filter(|row| row["model"] == "progs/armor.mdl").count();
    assert!(armor > 1000, "{armor}");
}

#[test]
fn both_recordings_of_a_game_have_the_same_items_in_the_same_places() {
    let Some(folder) = ours() else { return };
    let items = |file: &str| {
        let tables = rows(&std::fs::read(folder.join(file)).unwrap(), file);
        let whole = |text: &str| text.parse::<f64>().unwrap().round() as i64;
        let places = tables["entities"].iter().filter(|row| row["model"].contains("armor.mdl"));
        let mut places: Vec<[i64; 3]> = places.map(|row| ["x", "y", "z"].map(|at| whole(&row[at]))).collect();
        places.sort_unstable();
        places.dedup();
        places
    };
    let (client, server) = (items("duo.qwd"), items("duo.mvd"));
    assert!(!client.is_empty());
    assert!(client.iter().all(|place| server.contains(place)), "{client:?} {server:?}");
}

#[test]
fn a_chart_shows_all_players_or_one() {
    let Some(folder) = ours() else { return };
    let bytes = std::fs::read(folder.join("bots.mvd")).unwrap();
    let story = Story::read(&bytes[..], "bots.mvd").unwrap();
    assert_eq!(story.levels[0].ways.len(), 5);
    let svg = |chart, player: Option<&str>| {
        let manner = PlotOptions { player: player.map(str::to_owned), ..PlotOptions::default() };
        plot(std::slice::from_ref(&story), chart, &manner)
    };
    let all = svg(Chart::Path, None).unwrap();
    assert!(["/ bro", "/ tincan", "/ grue"].iter().all(|name| all.contains(name)));
    let one = svg(Chart::Vitals, Some("/ grue")).unwrap();
    assert!(one.contains("/ grue") && one.contains("health"));
    let refused = svg(Chart::Path, Some("nobody")).unwrap_err().to_string();
    assert!(refused.contains("nobody in it is called nobody") && refused.contains("/ tincan"), "{refused}");
    let client = Story::read(&std::fs::read(folder.join("duo.qwd")).unwrap()[..], "duo.qwd").unwrap();
    assert_eq!(client.recorder(), Some("hero"));
    assert!(plot(&[client], Chart::Speed, &PlotOptions::default()).is_ok());
}

/// The game's lines call a weapon otherwise than those about deaths, and those about backpacks list several things.
#[test]
fn weapons_have_one_name_in_all_tables() {
    let Some(folder) = corpus::corpus() else { return };
    let name = "github_ParadokS81_quakeworld__2on2__sr__vs_red_dm4_20260327-1259.mvd";
    let tables = rows(&std::fs::read(folder.join("qw/real").join(name)).unwrap(), name);
    let mut weapons = BTreeMap::new();
    for row in &tables["pickups"] {
        *weapons.entry((row["item"].to_lowercase(), row["weapon"].clone())).or_insert(0) += 1;
    }
    let count = |item: &str, weapon: &str| weapons.get(&(item.into(), weapon.into())).copied().unwrap_or(0);
    assert_eq!((count("nailgun", "Nailgun"), count("double-barrelled shotgun", "Super Shotgun")), (12, 1));
    assert_eq!(
        (count("rocket launcher", "Rocket Launcher"), count("yellow armor", "")),
        (17, 2),
        "{weapons:?}"
    );
}

/// KTX's numbers stand beside those of the events, for each player, weapon and item of a match.
#[test]
fn the_numbers_of_a_match_are_those_of_its_report() {
    let Some(folder) = corpus::corpus() else { return };
    let mut with_statistics = 0;
    for name in [
        "ours/basic.mvd",
        "ours/bots.mvd",
        "ours/levels.mvd",
        "ours/duel.qwd",
        "real/github_ParadokS81_quakeworld__2on2__sr__vs_red_dm4_20260327-1259.mvd",
    ] {
        let bytes = std::fs::read(folder.join("qw").join(name)).unwrap();
        let report = moviola_analyse::Report::read(&bytes[..]).unwrap();
        let numbers: usize = report.matches.iter().map(|it| it.counts().len()).sum();
        let rows = &rows(&bytes, name)["match_counts"];
        assert_eq!(rows.len(), numbers, "{name}");
        let of = |player: &str, what: &str, weapon: &str| {
            let is_it = |row: &&BTreeMap<String, String>| {
                (&row["player"][..], &row["what"][..], &row["weapon"][..], &row["item"][..])
                    == (player, what, weapon, "")
            };
            let row = rows.iter().find(is_it).unwrap_or_else(|| panic!("{name}: {player} {what} {weapon}"));
            (row["shown"].clone(), row["reported"].clone())
        };
        for player in report.matches.iter().take(1).flat_map(|it| &it.players) {
            let (shown, reported) = of(&player.name, "deaths", "");
            assert_eq!(shown, player.deaths.to_string(), "{name}");
            assert!(reported.is_empty() || reported == shown, "{name}: {shown} {reported}");
            with_statistics += usize::from(!reported.is_empty());
            for weapon in &player.weapons {
                assert_eq!(of(&player.name, "kills", &weapon.weapon).0, weapon.kills.to_string(), "{name}");
            }
        }
    }
    assert!(with_statistics >= 4, "{with_statistics}");
}
