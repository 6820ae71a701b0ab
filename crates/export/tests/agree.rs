//! The tables have the same numbers as the report and the events, and nothing that the recording does not
//! contain.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "../../format/tests/common/corpus.rs"]
mod corpus;

use moviola_analyse::Report;
use moviola_export::{Files, Id, TableFormat, harvest, tables};
use serde_json::Value;

/// The rows of a table.
fn rows(bytes: &[u8], wanted: &str) -> Vec<Value> {
    let mut files = Files::new(TableFormat::Jsonl);
    let table = tables::ALL.iter().find(|table| table.name == wanted).unwrap();
    files.add(table, Vec::new()).unwrap();
    harvest(bytes, Id::of(bytes).unwrap(), "x", &mut files).unwrap();
    let (_, text) = files.finish().unwrap().remove(0);
    std::str::from_utf8(&text).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The samples, and recordings of the corpus whose levels end in an unusual way.
fn recordings() -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|it| it == "dem" || it == "dm2")).collect();
    if let Some(folder) = corpus::corpus() {
        let unusual = [
            "dm2/quake2__kengur.dm2",
            "dm2/Quake2BotArchive__demo1.dm2",
            "dem/LibreQuake__demo3.dem",
            "ours/yq_cl2.dm2",
        ];
        paths.extend(unusual.map(|path| folder.join(path)));
    }
    let real =
        paths.into_iter().map(|path| (path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap()));
    let made = moviola_scribe::samples().into_iter().map(|sample| (sample.name.to_string(), sample.bytes));
    real.chain(made).collect()
}

fn single(value: Option<f64>) -> Option<f32> {
    value.map(|value| value as f32)
}

#[test]
fn levels_end_as_in_the_report() {
    for (name, bytes) in recordings() {
        let report = Report::read(&bytes[..]).unwrap();
        let rows = rows(&bytes, "levels");
        // A level that is announced and never shown has no events.
        let shown = rows.len() == report.levels.len();
        assert!(shown || report.levels.is_empty(), "{name}");
        for (row, level) in rows.iter().zip(&report.levels) {
            let how = row["ending"].as_str().unwrap_or("left");
            assert_eq!(
                (how, single(row["ending_time"].as_f64())),
                (level.how, single(level.seconds)),
                "{name}"
            );
            if row["first_time"].is_null() {
                assert!(row["monsters"].is_null() && row["total_secrets"].is_null(), "{name}");
                continue;
            }
            for (tally, names) in
                [(level.kills, ["monsters", "total_monsters"]), (level.secrets, ["secrets", "total_secrets"])]
            {
                let counts = names.map(|name| row[name].as_i64());
                let known = tally.map(|it| [Some(it.done), Some(it.total)]).unwrap_or_default();
                assert_eq!(counts, known, "{name}");
            }
        }
    }
}

#[test]
fn a_recording_is_as_long_as_the_report_says() {
    for (name, bytes) in recordings() {
        let report = Report::read(&bytes[..]).unwrap();
        for row in rows(&bytes, "recordings") {
            let duration = row["duration"].as_f64();
            assert_eq!(single(duration), report.length.map(|length| length as f32), "{name}");
            assert_eq!(duration.is_none(), report.frames == 0, "{name}");
        }
    }
}

/// A block of a recording.
fn block(data: &[u8]) -> Vec<u8> {
    [&(data.len() as u32).to_le_bytes()[..], &[0; 12], data].concat()
}

#[test]
fn packets_out_of_order_make_no_recording_longer() {
    let mut file = b"-1\n".to_vec();
    file.extend(block(b"\x0b\x0f\0\0\0\x01\0Hall\0maps/e1m1.bsp\0\0\0"));
    for time in [10.0f32, 10.05, 10.15, 10.1, 10.25, 10.2, 10.3, 10.22, 10.35] {
        file.extend(block(&[&b"\x07"[..], &time.to_le_bytes()].concat()));
    }
    let report = Report::read(&file[..]).unwrap();
    assert_eq!((report.length, report.levels[0].length), (Some(0.35), 0.35));
    assert_eq!(rows(&file, "recordings")[0]["duration"], Value::from(0.35));
}

#[test]
fn ticks_without_data_have_no_row() {
    let mut file = b"-1\n".to_vec();
    file.extend(block(b"\x0b\x0f\0\0\0\x01\0Hall\0maps/e1m1.bsp\0\0\0"));
    file.extend(block(b"\x19\x02"));
    assert!(rows(&file, "ticks").is_empty());
    assert_eq!(rows(&file, "recordings")[0]["duration"], Value::Null);
    // A time alone is not a state of the player.
    file.extend(block(b"\x07\0\0\x80\x3f\x19\x03"));
    assert!(rows(&file, "ticks").is_empty());
    file.extend(block(&[&b"\x07\0\0\0\x40\x0f\0\x02\x01\x10\0\0\x64\0"[..], &[25; 5], &[1]].concat()));
    let ticks = rows(&file, "ticks");
    assert_eq!(ticks.len(), 1);
    assert_eq!((&ticks[0]["level_time"], &ticks[0]["health"]), (&Value::from(2.0), &Value::from(100)));
    let messages = rows(&file, "messages");
    assert!(messages[0]["level_time"].is_null() && messages.last().unwrap()["level_time"] == 2.0);
}

/// A join by the time finds every pair.
#[test]
fn events_and_ticks_have_the_same_times() {
    let mut pairs = 0;
    for (name, bytes) in recordings() {
        let ticks = rows(&bytes, "ticks");
        for event in rows(&bytes, "events") {
            let same = |tick: &&Value| ["block", "level"].iter().all(|key| tick[*key] == event[*key]);
            let first = ticks.partition_point(|tick| tick["block"].as_u64() < event["block"].as_u64());
            let Some(tick) = ticks.get(first).filter(same) else { continue };
            // The last event of a level may come after a time that belongs to the next level.
            assert_eq!(tick["level_time"], event["level_time"], "{name} {event}");
            assert_eq!(tick["recording_time"], event["recording_time"], "{name} {event}");
            pairs += 1;
        }
    }
    assert!(pairs > 400, "{pairs}");
}

/// The recorder's events are where `ticks` have the player.
#[test]
fn own_actions_have_a_place() {
    let (mut placed, mut bare) = (0, 0);
    for (name, bytes) in recordings() {
        let ticks = rows(&bytes, "ticks");
        for event in rows(&bytes, "events") {
            let json: Value = serde_json::from_str(event["json"].as_str().unwrap()).unwrap();
            if !["pickup", "secret", "weapon", "shot"].contains(&event["kind"].as_str().unwrap())
                || json["own"] == false
            {
                continue;
            }
            let at = |row: &Value| ["x", "y", "z"].map(|key| single(row[key].as_f64()));
            let first = ticks.partition_point(|tick| tick["block"].as_u64() < event["block"].as_u64());
            let tick = ticks.get(first).filter(|tick| tick["block"] == event["block"]);
            if let Some(tick) = tick.filter(|tick| tick["x"].is_number() && tick["client"].is_null()) {
                assert_eq!(at(&event), at(tick), "{name} {event}");
                placed += 1;
            } else {
                bare += 1;
            }
        }
    }
    assert!(placed > 100 && placed > bare, "{placed} {bare}");
}

/// Al dies at the place where he was visible.
#[test]
fn a_death_in_sight_has_the_place_of_the_body() {
    let mut file = b"-1\n".to_vec();
    file.extend(block(b"\x0b\x0f\0\0\0\x04\x01Hall\0maps/e1m1.bsp\0progs/player.mdl\0\0\0\x05\x01\0\x0d\0Me\0\x0d\x01Al\0\x19\x03"));
    // Entity 2 has model 2 and stands at x = 10.
    file.extend(block(b"\x07\0\0\x80\x3f\x83\x04\x02\x02\x50\0\x08Al suicides\n\0"));
    let events = rows(&file, "events");
    let kill = events.iter().find(|event| event["kind"] == "kill").unwrap();
    assert_eq!((&kill["player"], &kill["x"]), (&"Al".into(), &Value::from(10.0)));
    let kills = rows(&file, "kills");
    let kill = &kills[0];
    assert_eq!(
        (&kill["attacker"], &kill["victim"], &kill["how"]),
        (&"Al".into(), &"Al".into(), &"suicide".into())
    );
    assert_eq!(
        (&kill["victim_x"], &kill["map"], &kill["is_suicide"]),
        (&Value::from(10.0), &"e1m1".into(), &true.into())
    );
    let positions = rows(&file, "positions");
    assert_eq!((&positions[0]["name"], &positions[0]["is_alive"]), (&"Al".into(), &true.into()));
}

/// If a kind of event has a table, each event of that kind is a row of the table, with the same players and times.
#[test]
fn events_are_in_the_tables_of_their_kinds() {
    let mut all = 0;
    for (name, bytes) in recordings() {
        let events = rows(&bytes, "events");
        let of_kind =
            |kind: &str| events.iter().filter(|row| row["kind"] == kind).cloned().collect::<Vec<_>>();
        for (kind, table, names) in [
            ("kill", "kills", [("player", "victim"), ("player_slot", "victim_slot")]),
            ("chat", "chat", [("level", "level"), ("player_slot", "slot")]),
            ("shot", "shots", [("x", "x"), ("player_slot", "slot")]),
            ("pickup", "pickups", [("what", "item"), ("amount", "amount")]),
            ("damage", "damages", [("amount", "damage_health"), ("block", "block")]),
        ] {
            let (events, found) = (of_kind(kind), rows(&bytes, table));
            assert_eq!(events.len(), found.len(), "{name} {table}");
            for (event, row) in events.iter().zip(&found) {
                for key in ["recording", "block", "level", "level_time", "recording_time"] {
                    assert_eq!(event[key], row[key], "{name} {table} {key}");
                }
                for (old, new) in names {
                    let same = match (event[old].as_f64(), row[new].as_f64()) {
                        (Some(one), Some(other)) => (one - other).abs() < 1e-6,
                        // The table may have a position even if the event has none.
                        (None, Some(_)) if old == "x" => true,
                        _ => event[old] == row[new] || event[old] == "" && row[new].is_null(),
                    };
                    assert!(same, "{name} {table} {old}: {event} {row}");
                }
                all += 1;
            }
        }
        let seen = of_kind("item_seen").len() + of_kind("item_back").len();
        let taken = of_kind("item_taken").len();
        let items = rows(&bytes, "items");
        assert_eq!(items.len(), seen, "{name}");
        assert_eq!(items.iter().filter(|row| row["taken_block"].is_number()).count(), taken, "{name}");
    }
    assert!(all > 200, "{all}");
}

/// The recorder has the same values in `positions` and in `ticks`.
#[test]
fn positions_and_ticks_agree() {
    let mut all = 0;
    for (name, bytes) in recordings() {
        let positions = rows(&bytes, "positions");
        for tick in rows(&bytes, "ticks").iter().filter(|tick| tick["client"].is_null()) {
            let first = positions.partition_point(|row| row["block"].as_u64() < tick["block"].as_u64());
            let same_block = positions[first..].iter().take_while(|row| row["block"] == tick["block"]);
            let Some(own) = same_block.into_iter().find(|row| row["is_recorder"] == true) else { continue };
            for key in [
                "level_time",
                "recording_time",
                "x",
                "y",
                "z",
                "velocity_x",
                "pitch",
                "yaw",
                "on_ground",
                "weapon",
            ] {
                assert_eq!(own[key], tick[key], "{name} {key} {tick}");
            }
            all += 1;
        }
    }
    assert!(all > 1000, "{all}");
}
