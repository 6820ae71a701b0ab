//! Floor plans of levels, out of the game's files.

use crate::trouble::Trouble;
use moviola_assets::{Bsp, FloorPlan, GameFiles, PlanLayer};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::io;
use std::path::PathBuf;

/// The floor plan of a level as JSON, for players who were at these positions; `None` if it has no floor.
#[pyfunction]
pub(crate) fn floor_plan(
    py: Python<'_>,
    level: &str,
    game: Vec<PathBuf>,
    places: Vec<[f32; 3]>,
) -> PyResult<Option<String>> {
    py.detach(|| {
        let level = read_level(level, &game).map_err(Trouble::new)?;
        let plan = FloorPlan::of(&level, &places, FloorPlan::MOST_SHAPES);
        Ok(plan.map(|plan| {
            let layers: Vec<Value> = plan.layers.iter().map(layer).collect();
            json!({ "corners": plan.corners, "layers": layers }).to_string()
        }))
    })
}

fn layer(it: &PlanLayer) -> Value {
    json!({ "shade": it.shade, "floors": it.floors, "liquids": it.liquids, "steps": it.steps, "walls": it.walls })
}

fn read_level(level: &str, game: &[PathBuf]) -> io::Result<Bsp> {
    let name = format!("maps/{level}.bsp");
    let files = GameFiles::open(game)?;
    let missing = || io::Error::other(format!("{name} is not in {}", files.places().join(", ")));
    let bytes = files.read(&name).ok_or_else(missing)??;
    Bsp::read(&bytes).map_err(|why| io::Error::other(format!("{name}: {why}")))
}
