//! Where recording players were in a level, over many recordings.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use super::frame::{Legend, UNITS, axes, clock, file_name, level, page, whole_number};
use super::path::map_axes;
use super::svg::{Shape, ramp};
use super::{MapFiles, floor_plan, plan};
use super::{NoPicture, PlotOptions};
use crate::{Story, StoryLevel};
use moviola_assets::FloorPlan;
use std::collections::BTreeMap;

/// The side of a cell in units: about a player's width.
const CELL: f64 = 32.0;

pub(super) fn draw(
    stories: &[Story],
    manner: &PlotOptions,
    maps: &mut MapFiles<'_>,
) -> Result<String, NoPicture> {
    let (levels, others) = levels(stories, manner)?;
    let Some((_, first)) = levels.first() else {
        let file = stories.first().map_or("the recordings", |story| story.file.as_str());
        return Err(NoPicture::NoWay(file.to_owned()));
    };
    let mut cells: BTreeMap<[i64; 2], f64> = BTreeMap::new();
    let mut seconds = 0.0;
    for samples in levels.iter().flat_map(|(_, level)| level.all_ways()) {
        for (now, next) in samples.iter().zip(samples.iter().skip(1)) {
            // A long gap between samples does not show where the player was.
            let step = f64::from(next.time - now.time).clamp(0.0, 0.5);
            let Some([x, y, _]) = now.at else { continue };
            let cell = [x, y].map(|value| (f64::from(value) / CELL).floor() as i64);
            *cells.entry(cell).or_default() += step;
            seconds += step;
        }
    }
    let maximum = cells.values().copied().fold(0.0, f64::max);
    let corners = cells.keys().flat_map(|[x, y]| {
        let corner = |dx: i64, dy: i64| [(x + dx) as f64 * CELL, (y + dy) as f64 * CELL];
        [corner(0, 0), corner(1, 1)]
    });
    let (across, up) = map_axes(corners);
    let title = format!("{} — where players were", first.name());
    let files = match levels.as_slice() {
        [(story, _)] => file_name(&story.file).to_owned(),
        many => format!("{} recordings", many.len()),
    };
    let without = match others {
        0 => String::new(),
        others => format!(" · without {others} of another level that has its name"),
    };
    let about = format!("{files} · {} played{without}", clock(seconds.round()));
    let mut svg = page([800.0, 600.0], manner, &title, &about);
    axes(
        &mut svg,
        (&across, UNITS, "east (units)"),
        (&up, UNITS, "north (units)"),
        [whole_number, whole_number],
    );
    let ways = levels.iter().flat_map(|(_, level)| level.all_ways());
    if let Some(found) = floor_plan(first.map.as_str(), ways, FloorPlan::MOST_SHAPES, maps) {
        plan::draw(&mut svg, &found, &across, &up, manner.dark);
    }
    // The scale is logarithmic, since otherwise a player who stays in one place would hide everything else.
    let least = 0.05f64.min(maximum);
    let part = |time: f64| {
        if maximum > least { (time.max(least) / least).ln() / (maximum / least).ln() } else { 1.0 }
    };
    for ([x, y], time) in cells.iter().filter(|(_, time)| **time > 0.0) {
        let (left, right) = (across.position_of(*x as f64 * CELL), across.position_of((x + 1) as f64 * CELL));
        let (top, bottom) = (up.position_of((y + 1) as f64 * CELL), up.position_of(*y as f64 * CELL));
        svg.cell([left, top, right - left + 0.2, bottom - top + 0.2], &ramp(part(*time)));
    }
    let mut legend = Legend::new(648.0, 84.0);
    legend.ramp(&mut svg, "time in a cell (log)", [&format!("{least:.2} s"), &format!("{maximum:.1} s")]);
    legend.mark(&mut svg, Shape::Square, "green", &format!("a cell: {CELL} units"));
    Ok(svg.finish())
}

/// A level of a recording.
type HeatLevel<'s> = (&'s Story, &'s StoryLevel);

/// The levels to draw: in each recording, the visits to the level that was played most in all of them. Also returns the
/// number of different levels whose files have the same name.
fn levels<'s>(stories: &'s [Story], manner: &PlotOptions) -> Result<(Vec<HeatLevel<'s>>, usize), NoPicture> {
    if let ([story], Some(_)) = (stories, manner.level) {
        let only = level(story, manner)?;
        return Ok((if only.is_placed() { vec![(story, only)] } else { Vec::new() }, 0));
    }
    let all = stories.iter().flat_map(|story| story.levels.iter().map(move |level| (story, level)));
    let all: Vec<_> = all.filter(|(_, level)| level.is_placed()).collect();
    let identity = |level: &'s StoryLevel| (level.map.as_str(), level.title.as_str(), level.parts);
    let mut played: BTreeMap<(&str, &str, usize), f64> = BTreeMap::new();
    for (_, level) in &all {
        *played.entry(identity(level)).or_default() += level.length;
    }
    let most = played.iter().max_by(|one, other| one.1.total_cmp(other.1)).map(|(level, _)| *level);
    let named =
        all.iter().filter(|(_, level)| most.is_some_and(|(map, ..)| map == level.map.as_str())).count();
    let same: Vec<_> = all.into_iter().filter(|(_, level)| Some(identity(level)) == most).collect();
    let others = named.saturating_sub(same.len());
    Ok((same, others))
}
