//! Charts of the samples, compared with those that were looked at; `BLESS=1` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use moviola_export::{Chart, Manner, NoPicture, Story, plot};
use std::path::{Path, PathBuf};

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
                Err(refused) => assert!(matches!(refused, NoPicture::NoWay(_)), "{}: {refused}", sample.name),
            }
        }
    }
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
