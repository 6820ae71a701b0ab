//! Floor plans and the paths of other players, in the samples and the free game data.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use moviola_analyse::Report;
use moviola_assets::{Bsp, GameFiles};
use moviola_export::{Chart, PlotOptions, Story, page_on_maps, plot, plot_on_maps};
use std::path::{Path, PathBuf};

#[path = "../../format/tests/common/corpus.rs"]
mod corpus;
#[path = "../../assets/tests/common/game.rs"]
mod game;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

fn level(name: &str) -> Option<Bsp> {
    let files = GameFiles::open(&[samples().join("librequake/lq_e0m9.pk3")]).unwrap();
    Some(Bsp::read(&files.read(name)?.unwrap()).unwrap())
}

fn story(bytes: &[u8]) -> Story {
    Story::read(bytes, "run.dem").unwrap()
}

/// The level of the sample is bundled, so this is true of every clone.
#[test]
fn a_floor_plan_lies_under_the_way() {
    let bytes = std::fs::read(samples().join("qs_15_lq_e0m9.dem")).unwrap();
    let story = [story(&bytes)];
    let manner = PlotOptions::default();
    for chart in [Chart::Path, Chart::Heat] {
        let bare = plot(&story, chart, &manner).unwrap();
        let svg = plot_on_maps(&story, chart, &manner, &mut level).unwrap();
        assert!(!bare.contains("p-wall") && svg.contains("class=\"p-wall\""), "{chart:?}");
        // The plan is under everything but the grid.
        let (plan, way) =
            (svg.find("p-wall\" d").unwrap(), svg.rfind("<polyline").or(svg.rfind("<rect")).unwrap());
        assert!(plan < way && !svg.contains("NaN"), "{chart:?}");
    }
    let mut asked = 0;
    let vitals = plot_on_maps(&story, Chart::Vitals, &manner, &mut |_| {
        asked += 1;
        None
    });
    assert_eq!((vitals.is_ok(), asked), (true, 0), "no map is read for it");
}

#[test]
fn a_page_has_the_plan_of_each_level_and_stays_small() {
    let bytes = std::fs::read(samples().join("qs_15_lq_e0m9.dem")).unwrap();
    let (story, report) = (story(&bytes), Report::read(&bytes[..]).unwrap());
    let page = page_on_maps(&story, &report, &mut level);
    let (_, data) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let layers = data["levels"][0]["plan"].as_array().unwrap();
    assert!(layers.len() > 1 && layers.iter().any(|layer| !layer["walls"].as_array().unwrap().is_empty()));
    assert!(page.len() < 5 << 20);
}

/// A large level with all its rooms: the plan keeps its bounds.
#[test]
fn the_plan_of_a_large_level_is_small() {
    let Some(game) = game::game() else { return };
    let file = std::fs::read(game.join("big/maps/lq_e1m1.bsp")).unwrap();
    let bytes = std::fs::read(game.join("big/flight_lq_e1m1.dem")).unwrap();
    let mut find = |_: &str| Some(Bsp::read(&file).unwrap());
    let svg = plot_on_maps(&[story(&bytes)], Chart::Path, &PlotOptions::default(), &mut find).unwrap();
    assert!(svg.len() < 300_000, "{}", svg.len());
    let page = page_on_maps(&story(&bytes), &Report::read(&bytes[..]).unwrap(), &mut find);
    assert!(page.len() < 600_000, "{}", page.len());
}

/// The recorder and the other visible player are both in the picture, by name.
#[test]
fn other_players_are_there_as_far_as_they_were_seen() {
    let Some(folder) = corpus::corpus() else { return };
    let bytes = std::fs::read(folder.join("qw/ours/duel.qwd")).unwrap();
    let story = story(&bytes);
    let level = story.longest().unwrap();
    let names: Vec<&str> = level.other_paths().map(|way| way.name.as_str()).collect();
    assert_eq!((names.as_slice(), level.seen.is_none()), (&["anna"][..], true));
    let svg = plot(&[story], Chart::Path, &PlotOptions::default()).unwrap();
    assert!(svg.contains(">anna</text>"));
    // A match of Quake from the view of one of its players.
    let camper = std::fs::read(folder.join("dem/QuakeOfficialArchive__CAMPER.DEM")).unwrap();
    let story = Story::read(&camper[..], "camper.dem").unwrap();
    let level = story.longest().unwrap();
    let mut ways = level.other_paths().map(|way| (way.name.as_str(), way.samples.len()));
    assert!(ways.all(|(name, count)| !name.is_empty() && count > 1 && story.recorder() != Some(name)));
    assert!(level.other_paths().count() > 0);
}
