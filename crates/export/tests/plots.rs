//! Charts of the samples, compared with those that were looked at; `BLESS=1` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use moviola_export::{Chart, Manner, NoPicture, Story, plot};
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

/// A picture without the words that show when one points at a mark: those are the events' own.
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
        let light = Manner::default();
        compare(&format!("quake-{}.svg", chart.name()), &plot(&quake, *chart, &light).unwrap());
        let dark = Manner { dark: true, by_speed: true, level: Some(1) };
        compare(&format!("quake2-{}-dark.svg", chart.name()), &plot(&quake2, *chart, &dark).unwrap());
    }
}

#[test]
fn a_chart_is_sound_whatever_it_is_of() {
    for sample in moviola_scribe::samples() {
        let story = Story::read(&sample.bytes[..], "a<b>&\"c\".dem").unwrap();
        for chart in Chart::ALL {
            match plot(std::slice::from_ref(&story), *chart, &Manner::default()) {
                Ok(svg) => {
                    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{}", sample.name);
                    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{} {chart:?}", sample.name);
                    assert!(!svg.contains("a<b>"), "{}", sample.name);
                }
                Err(NoPicture::NoWay(_)) => {}
                Err(NoPicture::NoVitals(_)) if *chart == Chart::Vitals => {}
                Err(refused) => panic!("{}: {refused}", sample.name),
            }
        }
    }
}

/// Nobody recorded his own way: it is that of a player who is seen, and his health is not told.
#[test]
fn a_server_shows_a_player() {
    let Some(folder) = corpus::corpus() else { return };
    let bytes = std::fs::read(folder.join("ours/yq_srv.dm2")).unwrap();
    let story = Story::read(&bytes[..], "srv.dm2").unwrap();
    let [scene] = &story.scenes[..] else { panic!("{} levels", story.scenes.len()) };
    assert_eq!(
        (scene.seen.as_ref().map(moviola_export::Word::as_str), story.recorder()),
        (Some("Oracle"), None)
    );
    assert!(scene.samples.len() > 200 && scene.samples.iter().all(|it| it.speed < 400.0));
    let vitals = plot(&[story], Chart::Vitals, &Manner::default());
    assert!(matches!(vitals, Err(NoPicture::NoVitals(_))));
}

/// The camera of an intermission is there a moment before the intermission is announced.
#[test]
fn the_way_ends_where_the_player_stops() {
    let Some(folder) = corpus::corpus() else { return };
    let bytes = std::fs::read(folder.join("dem/LibreQuake__lav_LibreHades.dem")).unwrap();
    let story = Story::read(&bytes[..], "run.dem").unwrap();
    let samples = &story.scenes.first().unwrap().samples;
    let [.., before, last] = &samples[..] else { panic!("a way") };
    assert!((before.at[0] - last.at[0]).hypot(before.at[1] - last.at[1]) < 32.0, "{before:?}, {last:?}");
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let two = [story("yq_sp.dm2"), story("yq_chg.dm2")];
    let manner = Manner { level: Some(9), ..Manner::default() };
    let said =
        |chart, manner: &Manner, stories: &[Story]| plot(stories, chart, manner).unwrap_err().to_string();
    assert_eq!(
        said(Chart::Path, &manner, &two),
        "a path chart is of one recording: only `heat` takes several"
    );
    assert_eq!(said(Chart::Path, &manner, &two[..1]), "there is no level 9: the recording has 1 level");
    assert_eq!(
        said(Chart::Heat, &Manner::default(), &[]),
        "nothing in the recordings tells where its player was"
    );
}
