//! Charts of the samples, compared with charts that a person has approved; `BLESS=1` writes them again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use moviola_export::{Chart, NoPicture, PlotOptions, Story, plot};
use std::path::{Path, PathBuf};

#[path = "../../format/tests/common/corpus.rs"]
mod corpus;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn story(sample: &str) -> Story {
    let bytes = std::fs::read(here("../../samples").join(sample)).unwrap();
    Story::read(&bytes[..], sample).unwrap()
}

/// A picture without the texts that appear over a mark, which are the words of events.
fn bare(svg: &str) -> String {
    let mut parts = svg.split("<title>");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.map(|part| part.split_once("</title>").unwrap().1).collect::<String>()
}

fn compare(name: &str, svg: &str) {
    let svg = bare(svg);
    let path = here("tests/plots").join(name);
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    if old != svg {
        if std::env::var_os("BLESS").is_some() {
            return std::fs::write(&path, svg).unwrap();
        }
        panic!("{name} is not the picture that was looked at: look at it, then BLESS=1");
    }
}

#[test]
fn charts_are_as_they_were() {
    let quake = [story("quake1.07_DM1.dem")];
    let quake2 = [story("yq_sp.dm2")];
    for chart in Chart::ALL {
        let light = PlotOptions::default();
        compare(&format!("quake-{}.svg", chart.name()), &plot(&quake, *chart, &light).unwrap());
        let dark = PlotOptions { dark: true, by_speed: true, level: Some(1), ..PlotOptions::default() };
        compare(&format!("quake2-{}-dark.svg", chart.name()), &plot(&quake2, *chart, &dark).unwrap());
    }
}

#[test]
fn every_chart_is_sound_svg() {
    for sample in moviola_scribe::samples() {
        let story = Story::read(&sample.bytes[..], "a<b>&\"c\".dem").unwrap();
        for chart in Chart::ALL {
            match plot(std::slice::from_ref(&story), *chart, &PlotOptions::default()) {
                Ok(svg) => {
                    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{}", sample.name);
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{} {chart:?}", sample.name);
                    assert!(!svg.contains("a<b>"), "{}", sample.name);
                }
                Err(NoPicture::NoWay(_)) if matches!(chart, Chart::Path | Chart::Heat) => {}
                Err(NoPicture::NoTime(_)) => {}
                Err(NoPicture::NoVitals(_)) if *chart == Chart::Vitals => {}
                Err(refused) => panic!("{}: {refused}", sample.name),
            }
        }
    }
}

/// The server recorded: the path is that of a visible player, whose health is unknown.
#[test]
fn a_server_shows_a_player() {
    let Some(folder) = corpus::corpus() else { return };
    let bytes = std::fs::read(folder.join("ours/yq_srv.dm2")).unwrap();
    let story = Story::read(&bytes[..], "srv.dm2").unwrap();
    let [level] = &story.levels[..] else { panic!("{} levels", story.levels.len()) };
    assert_eq!(
        (level.seen.as_ref().map(moviola_export::Word::as_str), story.recorder()),
        (Some("Oracle"), None)
    );
    assert!(level.samples.len() > 200 && level.samples.iter().all(|it| it.speed < 400.0));
    let vitals = plot(&[story], Chart::Vitals, &PlotOptions::default());
    assert!(matches!(vitals, Err(NoPicture::NoVitals(_))));
}

/// After a match only the client is left that stands for the recorder, without a body: the path keeps its player's name.
#[test]
fn the_path_of_a_match_is_of_a_player() {
    let Some(folder) = corpus::corpus() else { return };
    let file = folder.join("qw/real/github_packetflinger_q2demo__test.mvd2");
    let story = Story::read(&std::fs::read(file).unwrap()[..], "test.mvd2").unwrap();
    let seen = story.levels[0].seen.as_ref().map(moviola_export::Word::as_str);
    assert_eq!(seen, Some("[bmw]RaFi"));
}

/// The recording has no places of the player, but the player's state and events.
#[test]
fn numbers_and_events_need_no_places() {
    let block = |data: &[u8]| [&(data.len() as u32).to_le_bytes()[..], &[0; 12], data].concat();
    let mut file = b"-1\n".to_vec();
    file.extend(block(b"\x0b\x0f\0\0\0\x01\0Hall\0maps/e1m1.bsp\0\0\0\x05\x01\0\x19\x03"));
    for (time, health) in [(1.0f32, 100u8), (2.0, 60), (3.0, 20)] {
        let numbers = [&b"\x0f\0\x02\x01\x10\0\0"[..], &[health, 0], &[25; 5], &[1]].concat();
        file.extend(block(&[&b"\x07"[..], &time.to_le_bytes(), &numbers, b"\x1aTake the key\0"].concat()));
    }
    let story = Story::read(&file[..], "hall.dem").unwrap();
    assert_eq!(story.levels[0].samples.iter().map(|it| it.health).collect::<Vec<_>>(), [100, 60, 20]);
    let drawn = |story: &Story, chart| plot(std::slice::from_ref(story), chart, &PlotOptions::default());
    assert!(drawn(&story, Chart::Vitals).unwrap().contains("health"));
    assert!(drawn(&story, Chart::Speed).is_ok());
    assert!(drawn(&story, Chart::Timeline).unwrap().contains("3×"));
    for chart in [Chart::Path, Chart::Heat] {
        assert_eq!(drawn(&story, chart), Err(NoPicture::NoWay("hall.dem".into())));
    }
    // Events alone have times as well.
    let mut bare = story;
    bare.levels[0].samples.clear();
    assert!(drawn(&bare, Chart::Timeline).unwrap().contains("3×"));
    assert_eq!(drawn(&bare, Chart::Vitals), Err(NoPicture::NoTime("hall.dem".into())));
}

/// The camera is at the place of an intermission a moment before the intermission is announced.
#[test]
fn the_way_ends_where_the_player_stops() {
    let Some(folder) = corpus::corpus() else { return };
    let bytes = std::fs::read(folder.join("dem/LibreQuake__lav_LibreHades.dem")).unwrap();
    let story = Story::read(&bytes[..], "run.dem").unwrap();
    let samples = &story.levels.first().unwrap().samples;
    let [.., before, last] = &samples[..] else { panic!("a way") };
    let [[x, y, _], [end_x, end_y, _]] = [before.at, last.at].map(Option::unwrap);
    assert!((x - end_x).hypot(y - end_y) < 32.0, "{before:?}, {last:?}");
}

/// A level is more than the name of its file.
#[test]
fn heat_is_of_one_level() {
    let one = story("quake1.07_DM1.dem");
    let (mut same, mut other, mut titled) = (one.clone(), one.clone(), one.clone());
    same.file = "same.dem".into();
    other.levels[0].parts += 1;
    titled.levels[0].title = "Another Hall".into();
    let all = [one, same, other, titled];
    let svg = plot(&all, Chart::Heat, &PlotOptions::default()).unwrap();
    assert!(svg.contains(">2 recordings · ") && svg.contains("without 2 of another level that has its name"));
    assert!(!plot(&all[..2], Chart::Heat, &PlotOptions::default()).unwrap().contains("without"));
}

#[test]
fn charts_without_data_are_reported() {
    let two = [story("yq_sp.dm2"), story("yq_chg.dm2")];
    let manner = PlotOptions { level: Some(9), ..PlotOptions::default() };
    let error_of = |chart, manner: &PlotOptions, stories: &[Story]| {
        plot(stories, chart, manner).unwrap_err().to_string()
    };
    assert_eq!(
        error_of(Chart::Path, &manner, &two),
        "a path chart is of one recording: only `heat` takes several"
    );
    assert_eq!(error_of(Chart::Path, &manner, &two[..1]), "there is no level 9: the recording has 1 level");
    assert_eq!(
        error_of(Chart::Heat, &PlotOptions::default(), &[]),
        "nothing in the recordings tells where its player was"
    );
}
