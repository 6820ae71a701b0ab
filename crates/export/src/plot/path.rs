//! The path of the recorder through a level, seen from above: by time or by speed, with events marked
//! on it.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use super::frame::{Axis, Legend, UNITS, axes, clock, file_name, level, page, subtitle, whole_number};
use super::marks::{SORTS, marks};
use super::svg::{Shape, Svg, ramp};
use super::{MapFiles, NoPicture, PlotOptions, floor_plan, plan};
use crate::{PlayerPath, RecorderSample, Story, StoryLevel};
use moviola_assets::FloorPlan;

const SIZE: [f64; 2] = [800.0, 600.0];
/// Left, top, right and bottom of the map.
const MAP: [f64; 4] = [76.0, 64.0, 622.0, 544.0];
/// The number of colors that are taken from the ramp.
const COLORS: usize = 48;
/// The number of names for which the legend has room.
const MOST_NAMES: usize = 16;
/// The colors and dashes of other players' paths.
const OTHERS: [(&str, &str); 6] = [
    ("red", "none"),
    ("pink", "none"),
    ("yellow", "none"),
    ("red", "5 3"),
    ("pink", "5 3"),
    ("yellow", "5 3"),
];
/// A distance that no player walks within a tenth of a second: the line is interrupted there.
const JUMP: f64 = 160.0;

pub(super) fn draw(
    story: &Story,
    manner: &PlotOptions,
    maps: &mut MapFiles<'_>,
) -> Result<String, NoPicture> {
    let no_way = || NoPicture::NoWay(story.file.clone());
    let level = level(story, manner).map_err(|why| match why {
        NoPicture::NoTime(file) => NoPicture::NoWay(file),
        other => other,
    })?;
    if manner.player.is_none() && !manner.by_speed && level.ways.len() > 1 {
        return Ok(draw_all(story, level, manner, maps));
    }
    let samples: Vec<RecorderSample> = level.samples.iter().filter(|it| it.at.is_some()).copied().collect();
    let [first, .., last] = samples.as_slice() else { return Err(no_way()) };
    let marks = marks(story, level);
    let ends = marks.iter().flat_map(|mark| [Some(mark.at), mark.to]).flatten();
    // If a player was requested by name, the picture shows only that player.
    let others: Vec<&PlayerPath> = level.others.iter().filter(|_| manner.player.is_none()).collect();
    let seen = others.iter().flat_map(|way| way.samples.iter().filter_map(place));
    let points = samples.iter().filter_map(place).chain(ends).chain(seen);
    let (across, up) = map_axes(points);
    let kind = if manner.by_speed { "by speed" } else { "by time" };
    let title = format!("{} — path {kind}", level.name());
    let mut svg = page(SIZE, manner, &title, &subtitle(story, level));
    axes(
        &mut svg,
        (&across, UNITS, "east (units)"),
        (&up, UNITS, "north (units)"),
        [whole_number, whole_number],
    );
    let found = floor_plan(level.map.as_str(), level.everywhere(), FloorPlan::MOST_SHAPES, maps);
    if let Some(found) = &found {
        plan::draw(&mut svg, found, &across, &up, manner.dark);
    }
    let to_page = |[x, y]: [f64; 2]| [across.position_of(x), up.position_of(y)];
    let maximum = usual_most(&samples);
    let part = |sample: &RecorderSample| {
        if manner.by_speed {
            sample.speed / maximum
        } else {
            (sample.time - first.time) / (last.time - first.time)
        }
    };
    for (other, (class, dashes)) in others.iter().zip(OTHERS.iter().cycle()) {
        let how = format!("class=\"l-{class}\" stroke-width=\"1.3\" stroke-dasharray=\"{dashes}\"");
        draw_path(&mut svg, &other.samples, &to_page, |_| 0.0, &|_| how.clone());
    }
    if found.is_some() {
        halo(&mut svg, &samples, &to_page);
    }
    draw_path(&mut svg, &samples, &to_page, |sample| f64::from(part(sample)), &colored);
    // If there are many marks, they are small, so that they do not hide the path.
    let size = match marks.len() {
        0..=60 => 4.0,
        61..=160 => 3.0,
        _ => 2.2,
    };
    for mark in &marks {
        let Some(sort) = SORTS.get(mark.sort) else { continue };
        if let Some(to) = mark.to {
            let dashes = " stroke-dasharray=\"4 3\" stroke-width=\"1.2\"";
            svg.line(to_page(mark.at), to_page(to), &format!("l-{}", sort.color), dashes);
        }
        svg.mark(sort.shape, to_page(mark.at), size, sort.color, &mark.title);
    }
    for (sample, shape, title) in [(first, Shape::Triangle, "the start"), (last, Shape::Ring, "the end")] {
        if let Some(at) = place(sample) {
            svg.mark(shape, to_page(at), 6.0, "blue", title);
        }
    }
    let mut legend = Legend::new(648.0, 84.0);
    if manner.by_speed {
        legend.ramp(&mut svg, "speed over ground", ["0", &format!("≥ {maximum:.0} u/s")]);
    } else {
        let ends = [clock(f64::from(first.time)), clock(f64::from(last.time))];
        legend.ramp(&mut svg, "time in the level", [&ends[0], &ends[1]]);
    }
    legend.mark(&mut svg, Shape::Triangle, "blue", "start");
    legend.mark(&mut svg, Shape::Ring, "blue", "end");
    for (other, (class, dashes)) in others.iter().zip(OTHERS.iter().cycle()).take(MOST_NAMES) {
        let name: String = other.name.as_str().chars().take(16).collect();
        legend.line(&mut svg, class, &format!(" stroke-width=\"1.6\" stroke-dasharray=\"{dashes}\""), &name);
    }
    for (at, sort) in SORTS.iter().enumerate() {
        match marks.iter().filter(|mark| mark.sort == at).count() {
            0 => {}
            1 => legend.mark(&mut svg, sort.shape, sort.color, &format!("1 {}", sort.names[0])),
            count => legend.mark(&mut svg, sort.shape, sort.color, &format!("{count} {}", sort.names[1])),
        }
    }
    Ok(svg.finish())
}

/// The paths of all players of a match, a color each.
fn draw_all(story: &Story, level: &StoryLevel, manner: &PlotOptions, maps: &mut MapFiles<'_>) -> String {
    let marks = marks(story, level);
    let points = level.ways.iter().flat_map(|way| way.samples.iter().filter_map(place));
    let (across, up) = map_axes(points.chain(marks.iter().map(|mark| mark.at)));
    let title = format!("{} — paths of the players", level.name());
    let length = clock(level.length);
    let about = format!("{} · {} players · {length} recorded", file_name(&story.file), level.ways.len());
    let mut svg = page(SIZE, manner, &title, &about);
    axes(
        &mut svg,
        (&across, UNITS, "east (units)"),
        (&up, UNITS, "north (units)"),
        [whole_number, whole_number],
    );
    let found = floor_plan(level.map.as_str(), level.everywhere(), FloorPlan::MOST_SHAPES, maps);
    if let Some(found) = &found {
        plan::draw(&mut svg, found, &across, &up, manner.dark);
    }
    let to_page = |[x, y]: [f64; 2]| [across.position_of(x), up.position_of(y)];
    let part = |at: usize| at as f64 / level.ways.len().saturating_sub(1).max(1) as f64;
    for (at, one) in level.ways.iter().enumerate() {
        if found.is_some() {
            halo(&mut svg, &one.samples, &to_page);
        }
        draw_path(&mut svg, &one.samples, &to_page, |_| part(at), &colored);
    }
    let mut legend = Legend::new(648.0, 84.0);
    for (at, one) in level.ways.iter().enumerate().take(MOST_NAMES) {
        legend.ramped(&mut svg, part(at), one.name.as_str());
    }
    for (at, sort) in SORTS.iter().enumerate() {
        let of_sort = marks.iter().filter(|mark| mark.sort == at);
        of_sort.clone().for_each(|mark| svg.mark(sort.shape, to_page(mark.at), 2.6, sort.color, &mark.title));
        match of_sort.count() {
            0 => {}
            1 => legend.mark(&mut svg, sort.shape, sort.color, &format!("1 {}", sort.names[0])),
            count => legend.mark(&mut svg, sort.shape, sort.color, &format!("{count} {}", sort.names[1])),
        }
    }
    svg.finish()
}

/// The speed that one sample in fifty exceeds. The ramp ends there, since a single fall or teleport would
/// otherwise leave one color for all other speeds.
fn usual_most(samples: &[RecorderSample]) -> f32 {
    let mut speeds: Vec<f32> = samples.iter().map(|sample| sample.speed).collect();
    speeds.sort_by(f32::total_cmp);
    let at = speeds.len().saturating_sub(1) * 49 / 50;
    speeds.get(at).copied().unwrap_or_default().max(1.0)
}

fn place(sample: &RecorderSample) -> Option<[f64; 2]> {
    sample.at.map(|[x, y, _]| [x, y].map(f64::from))
}

/// Axes of one scale that contain all points.
pub(super) fn map_axes(points: impl Iterator<Item = [f64; 2]>) -> (Axis, Axis) {
    let [left, top, right, bottom] = MAP;
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for point in points {
        for at in 0..2 {
            if let (Some(low), Some(high), Some(value)) = (low.get_mut(at), high.get_mut(at), point.get(at)) {
                *low = low.min(*value);
                *high = high.max(*value);
            }
        }
    }
    let middle = [f64::midpoint(low[0], high[0]), f64::midpoint(low[1], high[1])];
    let (width, height) = (right - left, bottom - top);
    // A margin around the points, and at least the size of a room.
    let scale =
        ((high[0] - low[0]) * 1.08 / width).max((high[1] - low[1]) * 1.08 / height).max(256.0 / width);
    let range = |at: f64, size: f64| [at - scale * size / 2.0, at + scale * size / 2.0];
    (Axis::new(range(middle[0], width), [left, right]), Axis::new(range(middle[1], height), [bottom, top]))
}

/// The style of a path in a color of the ramp.
fn colored(part: f64) -> String {
    format!("stroke=\"{}\" stroke-width=\"2.2\" stroke-linecap=\"round\"", ramp(part))
}

/// Draws a line in the background's color under a path, so that it stands out from the floors.
fn halo(svg: &mut Svg, samples: &[RecorderSample], to_page: &dyn Fn([f64; 2]) -> [f64; 2]) {
    let how = "class=\"l-paper\" stroke-width=\"4.4\" stroke-opacity=\".65\" stroke-linecap=\"round\"";
    draw_path(svg, samples, to_page, |_| 0.0, &|_| how.to_owned());
}

/// Draws a path whose color changes, as a series of lines with one color each. Points that are too near to the last one
/// are left out.
fn draw_path(
    svg: &mut Svg,
    samples: &[RecorderSample],
    to_page: &dyn Fn([f64; 2]) -> [f64; 2],
    part: impl Fn(&RecorderSample) -> f64,
    how: &dyn Fn(f64) -> String,
) {
    let mut line: Vec<[f64; 2]> = Vec::new();
    let mut color = 0;
    let mut last_point: Option<([f64; 2], f32)> = None;
    let mut flush = |line: &mut Vec<[f64; 2]>, color: usize| {
        if line.len() > 1 {
            svg.polyline(line.iter().copied(), &how(color as f64 / (COLORS - 1) as f64));
        }
        line.clear();
    };
    for sample in samples {
        let Some(here) = place(sample) else { continue };
        let next = (part(sample).clamp(0.0, 1.0) * (COLORS - 1) as f64).round() as usize;
        let jumped = sample.begins
            || last_point.is_some_and(|([x, y], time)| {
                let most = JUMP * f64::from((sample.time - time) * 10.0).max(1.0);
                (here[0] - x).hypot(here[1] - y) > most
            });
        last_point = Some((here, sample.time));
        let point = to_page(here);
        if jumped {
            flush(&mut line, color);
        } else if next != color {
            let end = line.last().copied();
            line.push(point);
            flush(&mut line, color);
            line.extend(end.map(|_| point));
        }
        color = next;
        if line.last().is_none_or(|[x, y]| (point[0] - x).hypot(point[1] - y) >= 0.7) {
            line.push(point);
        }
    }
    flush(&mut line, color);
}
