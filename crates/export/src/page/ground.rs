//! The data of a page's map: the floor plan and the paths of the other players.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use super::{short, thinned};
use crate::plot::floor_plan;
use crate::{MapFiles, RecorderSample, StoryLevel};
use moviola_assets::FloorPlan;
use serde_json::{Value, json};

/// The most shapes in the plans of all levels together. They take about half of a page's size.
const MOST_OF_ALL: usize = 60_000;

/// The floor plans of some levels, in their order.
pub(super) fn plans(levels: &[StoryLevel], maps: &mut MapFiles<'_>) -> Vec<Option<FloorPlan>> {
    let most = (MOST_OF_ALL / levels.len().max(1)).min(FloorPlan::MOST_SHAPES);
    let plan = |level: &StoryLevel| floor_plan(level.map.as_str(), level.everywhere(), most, maps);
    levels.iter().map(plan).collect()
}

/// The layers of a plan: each shape is a list with x and y alternating.
pub(super) fn layers(plan: Option<&FloorPlan>) -> Vec<Value> {
    let flat = |shape: &[[i32; 2]]| shape.iter().flatten().copied().collect::<Vec<i32>>();
    let polygons = |all: &[Vec<[i32; 2]>]| all.iter().map(|it| flat(it)).collect::<Vec<_>>();
    let lines = |all: &[[[i32; 2]; 2]]| all.iter().map(|it| flat(it)).collect::<Vec<_>>();
    let layers = plan.into_iter().flat_map(|plan| &plan.layers).map(|layer| {
        json!({
            "shade": layer.shade,
            "floors": polygons(&layer.floors),
            "liquids": polygons(&layer.liquids),
            "steps": lines(&layer.steps),
            "walls": lines(&layer.walls),
        })
    });
    layers.collect()
}

/// The paths of the other players, with at most `most` samples in all.
pub(super) fn others(level: &StoryLevel, most: usize) -> Vec<Value> {
    let most = most / level.other_paths().count().max(1);
    let path_json = |name: &str, samples: &[RecorderSample]| {
        let (samples, begins) = thinned(samples, most.max(2));
        let axis = |at: usize| {
            let place = |sample: &&RecorderSample| {
                sample.at.and_then(|place| place.get(at).copied()).unwrap_or_default()
            };
            samples.iter().map(|sample| short(f64::from(place(sample)), 1.0)).collect::<Vec<_>>()
        };
        let times: Vec<Value> = samples.iter().map(|sample| short(f64::from(sample.time), 10.0)).collect();
        json!({ "name": name, "t": times, "x": axis(0), "y": axis(1), "begins": begins })
    };
    level.other_paths().map(|it| path_json(it.name.as_str(), &it.samples)).collect()
}
