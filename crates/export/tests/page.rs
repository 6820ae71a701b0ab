//! The page: it is self-contained, its data can be read, and nothing in a recording can break out of it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../format/tests/common/corpus.rs"]
mod corpus;

use moviola_analyse::Report;
use moviola_export::{Story, page};

fn pages() -> Vec<(String, String, Story)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let real =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let real = real.map(|path| (path.to_string_lossy().into_owned(), std::fs::read(path).unwrap()));
    let made = moviola_scribe::samples().into_iter().map(|sample| (sample.name.to_string(), sample.bytes));
    real.chain(made)
        .map(|(name, bytes)| {
            let story = Story::read(&bytes[..], &name).unwrap();
            let page = page(&story, &Report::read(&bytes[..]).unwrap());
            (name, page, story)
        })
        .collect()
}

fn data(page: &str) -> &str {
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    data.split_once("</script>").unwrap().0
}

#[test]
fn the_data_is_whole() {
    for (name, page, story) in pages() {
        let data: serde_json::Value = serde_json::from_str(data(&page)).unwrap();
        let levels = data["levels"].as_array().unwrap();
        assert_eq!(levels.len(), story.levels.len(), "{name}");
        for (shown, level) in levels.iter().zip(&story.levels) {
            let length = |key: &str| shown[key].as_array().unwrap().len();
            for key in ["b", "w", "s", "h", "a", "m"] {
                assert_eq!(length(key), length("t"), "{name} {key}");
            }
            let steps: u64 = shown["b"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).sum();
            assert_eq!(steps, level.samples.last().map_or(0, |it| it.block), "{name}");
            let placed = level.samples.iter().filter(|it| it.at.is_some()).count() > 1;
            for key in ["x", "y", "z"] {
                assert_eq!(length(key), if placed { length("t") } else { 0 }, "{name} {key}");
            }
            assert_eq!(length("t"), level.samples.len(), "{name}: few samples are all there");
            assert!(length("events") <= story.events_of(level).count(), "{name}");
        }
    }
}

/// The scores of `OpenTDM` are lines of a layout that only the report reads; the last line disappears when the match is
/// over.
#[test]
fn scores_are_those_of_the_report() {
    let Some(folder) = corpus::corpus() else { return };
    let bytes = std::fs::read(folder.join("dm2/q2demo__myr.dm2")).unwrap();
    let story = Story::read(&bytes[..], "match.dm2").unwrap();
    let page = page(&story, &Report::read(&bytes[..]).unwrap());
    let page_data: serde_json::Value = serde_json::from_str(data(&page)).unwrap();
    let players = page_data["levels"][0]["players"].as_array().unwrap();
    let scores: Vec<_> =
        players.iter().map(|it| (it["name"].as_str().unwrap(), it["frags"].as_i64())).collect();
    assert_eq!(scores[..2], [("stg", Some(17)), ("myrmidon^", Some(4))]);
}

/// In this game the text about the selected hook is printed 3861 times.
#[test]
fn a_line_of_the_console_is_listed_five_times() {
    let Some(folder) = corpus::corpus() else { return };
    let bytes = std::fs::read(folder.join("dem/QuakeBotArchive__MBOT2.DEM")).unwrap();
    let page = page(&Story::read(&bytes[..], "b").unwrap(), &Report::read(&bytes[..]).unwrap());
    let page_data: serde_json::Value = serde_json::from_str(data(&page)).unwrap();
    let texts =
        page_data["levels"][0]["events"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap());
    let hooks: Vec<&str> = texts.filter(|text| text.starts_with("Grappling hook selected.")).collect();
    assert_eq!((hooks.len(), hooks[4]), (5, "Grappling hook selected. (×3861 in all)"));
}

#[test]
fn the_game_is_named() {
    let Some(folder) = corpus::corpus() else { return };
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for (file, game) in [
        (samples.join("quake1.07_DM1.dem"), "Quake"),
        (samples.join("yq_chg.dm2"), "Quake II"),
        (folder.join("qw/ours/duo.qwd"), "QuakeWorld"),
    ] {
        let about = page_data(&std::fs::read(file).unwrap())["about"].as_str().unwrap().to_owned();
        assert!(about.split(" · ").any(|part| part == game), "{about}");
    }
}

/// The data of the page about a recording.
fn page_data(bytes: &[u8]) -> serde_json::Value {
    let page = page(&Story::read(bytes, "b").unwrap(), &Report::read(bytes).unwrap());
    serde_json::from_str(data(&page)).unwrap()
}

#[test]
fn everything_that_is_marked_is_on_the_map() {
    let mut recordings: Vec<Vec<u8>> =
        moviola_scribe::samples().into_iter().map(|sample| sample.bytes).collect();
    if let Some(folder) = corpus::corpus() {
        let server = std::fs::read(folder.join("ours/yq_srv.dm2")).unwrap();
        let marked = page_data(&server);
        let events = marked["levels"][0]["events"].as_array().unwrap();
        let there = |kind: &str| events.iter().filter(|it| it["kind"] == kind && it["x"].is_number()).count();
        assert_eq!((there("monster"), there("death")), (6, 1), "of a player who is seen as well");
        recordings.push(server);
    }
    for bytes in recordings {
        for level in page_data(&bytes)["levels"].as_array().unwrap() {
            let number = |value: &serde_json::Value| value.as_f64().unwrap();
            let corners: Vec<f64> = level["box"].as_array().unwrap().iter().map(number).collect();
            let [left, right, bottom, top] = corners[..] else { panic!("{corners:?}") };
            let placed = !level["x"].as_array().unwrap().is_empty();
            for event in level["events"].as_array().unwrap().iter().filter(|it| placed && it["x"].is_number())
            {
                let (x, y) = (number(&event["x"]), number(&event["y"]));
                assert!((left - 0.1..=right + 0.1).contains(&x), "{event} {corners:?}");
                assert!((bottom - 0.1..=top + 0.1).contains(&y), "{event} {corners:?}");
            }
        }
    }
}

/// The messages of this protocol are not read, so there are no times and no numbers.
#[test]
fn missing_data_is_not_on_the_page() {
    let data = b"\x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0\0\x02";
    let bytes = [&b"-1\n"[..], &(data.len() as u32).to_le_bytes(), &[0; 12], data].concat();
    let page_data = page_data(&bytes);
    assert_eq!(page_data["about"], "b · Quake");
    assert_eq!(page_data["table"][0], serde_json::json!(["hall: Hall", "not finished", "–", "–"]));
    assert!(page_data["facts"].as_array().unwrap().iter().all(|fact| fact[0] != "frames"));
    let events = page_data["levels"][0]["events"].as_array().unwrap();
    assert!(!events.is_empty() && events.iter().all(|event| event["t"].is_null()));
}

#[test]
fn a_page_is_as_long_as_its_report() {
    let bytes =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/quake1.07_DM1.dem")).unwrap();
    let report = Report::read(&bytes[..]).unwrap();
    let about = page_data(&bytes)["about"].as_str().unwrap().to_owned();
    let tenths = (report.length.unwrap() * 10.0).round() as u64;
    let clock = format!("{}:{:02}.{} recorded", tenths / 600, tenths % 600 / 10, tenths % 10);
    assert!(about.ends_with(&clock), "{about}, {clock}");
    assert!(report.to_string().contains(clock.trim_end_matches(" recorded")), "{report}");
}

#[test]
fn a_page_loads_and_sends_nothing() {
    for (name, page, _) in pages() {
        for word in ["src=", "href=", "url(", "import(", "fetch(", "XMLHttpRequest"] {
            assert!(!page.contains(word), "{name} {word}");
        }
        assert!(!data(&page).contains('<'), "{name}");
        assert_eq!(page.matches("<script").count(), 2, "{name}");
        assert!(
            !page.contains("@TITLE@") && !page.contains("@DATA@") && !page.contains("@SCRIPT@"),
            "{name}"
        );
    }
}

#[test]
fn a_name_that_looks_like_a_page_is_a_name() {
    let bytes = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
    let story = Story::read(&bytes[..], "<script>alert('@DATA@')<b>.dem").unwrap();
    let page = page(&story, &Report::read(&bytes[..]).unwrap());
    assert_eq!(page.matches("<script").count(), 2);
    assert!(data(&page).contains("alert('@DATA@')"));
}

#[test]
fn an_empty_page_names_the_file_and_the_unread_part() {
    // A block with a message that no protocol has.
    let demo = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x7f";
    let story = Story::read(&demo[..], "demos/of/somebody/run.dem").unwrap();
    let page = page(&story, &Report::read(&demo[..]).unwrap());
    assert!(page.contains("<title>run.dem") && !page.contains("somebody"));
    assert!(page.contains("1 block could not be read completely"));
}
