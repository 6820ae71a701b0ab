//! Draws the health and armor or the speed of the recorder over time.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use super::frame::{Axis, Legend, NUMBERS, SECONDS, axes, clock, page, sampled, subtitle, whole_number};
use super::svg::{Anchor, Shape, Svg};
use super::{NoPicture, PlotOptions};
use crate::{RecorderSample, Story, StoryLevel};
use moviola_analyse::EventKind;
use moviola_format::Game;

const SIZE: [f64; 2] = [800.0, 400.0];
const LEFT: f64 = 64.0;
const RIGHT: f64 = 660.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 344.0;
const LEGEND: f64 = 676.0;

fn frame(svg: &mut Svg, level: &StoryLevel, most: f64, name: &str) -> (Axis, Axis) {
    let ends =
        [level.samples.first(), level.samples.last()].map(|it| it.map_or(0.0, |it| f64::from(it.time)));
    let across = Axis::new(ends, [LEFT, RIGHT]);
    let up = Axis::new([0.0, most], [BOTTOM, TOP]);
    axes(svg, (&across, SECONDS, "time in the level (m:ss)"), (&up, NUMBERS, name), [clock, whole_number]);
    (across, up)
}

/// A line that keeps a value until the next sample.
fn steps(
    svg: &mut Svg,
    samples: &[RecorderSample],
    to_page: impl Fn(f64, f64) -> [f64; 2],
    of: impl Fn(&RecorderSample) -> f64,
    style: &str,
) {
    for samples in stretches(samples) {
        let mut points: Vec<[f64; 2]> = Vec::new();
        let mut last = None;
        for sample in samples {
            let (time, value) = (f64::from(sample.time), of(sample));
            if last == Some(value) {
                continue;
            }
            points.extend(last.map(|before| to_page(time, before)));
            points.push(to_page(time, value));
            last = Some(value);
        }
        if let (Some(sample), Some(value)) = (samples.last(), last) {
            points.push(to_page(f64::from(sample.time), value));
        }
        svg.polyline(points, style);
    }
}

/// The runs of samples without a break; lines connect only the samples of one run.
fn stretches(samples: &[RecorderSample]) -> impl Iterator<Item = &[RecorderSample]> {
    samples.chunk_by(|_, next| !next.begins)
}

pub(super) fn draw(story: &Story, manner: &PlotOptions) -> Result<String, NoPicture> {
    let level = sampled(story, manner)?;
    if !level.has_vitals() {
        return Err(NoPicture::NoVitals(story.file.clone()));
    }
    let title = format!("{} — health and armor", level.name());
    let mut svg = page(SIZE, manner, &title, &subtitle(story, level));
    let most = f64::from(level.most_vitals().clamp(100, 1000)) * 1.05;
    let (across, up) = frame(&mut svg, level, most, "points");
    let to_page = |time: f64, value: f64| [across.position_of(time), up.position_of(value.clamp(0.0, most))];
    let samples = level.samples.as_slice();
    let armor = "class=\"l-blue\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"";
    steps(&mut svg, samples, to_page, |sample| f64::from(sample.armor), armor);
    let health = "class=\"l-red\" stroke-width=\"2\"";
    steps(&mut svg, samples, to_page, |sample| f64::from(sample.health.max(0)), health);
    let (mut hurt, mut deaths, mut powerups) = (0, 0, Powerups::default());
    for event in story.events_of(level) {
        let Some(time) = event.time else { continue };
        let label = || format!("{} {}: {}", clock(time), event.name(), event.kind);
        match &event.kind {
            EventKind::Damage { health_left, health, .. } if *health > 0 => {
                hurt += 1;
                svg.mark(Shape::Dot, to_page(time, f64::from(*health_left)), 2.4, "red", &label());
            }
            EventKind::Death { own: true, .. } => {
                deaths += 1;
                svg.mark(Shape::Square, to_page(time, 0.0), 4.0, "ink", &label());
            }
            EventKind::PowerupStart { powerup } => powerups.begin(powerup, across.position_of(time)),
            EventKind::PowerupEnd { powerup, .. } => {
                powerups.end(&mut svg, powerup, across.position_of(time));
            }
            _ => {}
        }
    }
    powerups.close(&mut svg);
    let mut legend = Legend::new(LEGEND, TOP + 14.0);
    legend.line(&mut svg, "red", " stroke-width=\"2\"", "health");
    legend.line(&mut svg, "blue", " stroke-width=\"1.6\" stroke-dasharray=\"5 3\"", "armor");
    if powerups.has_any {
        legend.line(&mut svg, "yellow", " stroke-width=\"4\"", "powerup");
    }
    if hurt > 0 {
        legend.mark(&mut svg, Shape::Dot, "red", &format!("hurt {hurt}×"));
    }
    if deaths > 0 {
        legend.mark(&mut svg, Shape::Square, "ink", &format!("died {deaths}×"));
    }
    Ok(svg.finish())
}

/// The bars for powerups above the lines, from their beginnings to their ends.
#[derive(Default)]
struct Powerups {
    running: Vec<(&'static str, f64)>,
    /// The right end of the last name. A name that would overlap it is left out.
    named: f64,
    has_any: bool,
}

impl Powerups {
    fn begin(&mut self, name: &'static str, x: f64) {
        self.running.push((name, x));
    }

    fn end(&mut self, svg: &mut Svg, name: &str, x: f64) {
        let Some(at) = self.running.iter().position(|(running, _)| *running == name) else { return };
        let (name, from) = self.running.remove(at);
        self.draw(svg, name, [from, x]);
    }

    fn close(&mut self, svg: &mut Svg) {
        for (name, from) in std::mem::take(&mut self.running) {
            self.draw(svg, name, [from, RIGHT]);
        }
    }

    fn draw(&mut self, svg: &mut Svg, name: &str, [from, to]: [f64; 2]) {
        /// The approximate width of a letter.
        const LETTER: f64 = 5.6;
        self.has_any = true;
        svg.line([from, TOP + 2.0], [to.max(from + 1.0), TOP + 2.0], "l-yellow", " stroke-width=\"4\"");
        svg.line([from, TOP], [from, BOTTOM], "l-yellow", " stroke-dasharray=\"2 2\"");
        let end = from + 3.0 + name.chars().count() as f64 * LETTER;
        if from >= self.named && end <= RIGHT {
            svg.words([from + 3.0, TOP + 14.0], Anchor::Start, "f-yellow", 10.0, name);
            self.named = end + LETTER;
        }
    }
}

/// The speed of a player who only runs. A greater speed takes skill, or a push.
fn running(story: &Story) -> f64 {
    if story.game == Some(Game::Quake2) { 300.0 } else { 320.0 }
}

pub(super) fn draw_speed(story: &Story, manner: &PlotOptions) -> Result<String, NoPicture> {
    let level = sampled(story, manner)?;
    let title = format!("{} — speed over ground", level.name());
    let mut svg = page(SIZE, manner, &title, &subtitle(story, level));
    let running = running(story);
    let maximum = level.samples.iter().map(|sample| sample.speed).fold(0.0f32, f32::max);
    let (across, up) =
        frame(&mut svg, level, (f64::from(maximum) * 1.05).max(running * 1.2), "units a second");
    // Of all samples in a pixel the fastest is drawn, which readers look for.
    let line = |samples: &[RecorderSample]| {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for sample in samples {
            let point = [across.position_of(f64::from(sample.time)), up.position_of(f64::from(sample.speed))];
            match points.last_mut() {
                Some(last) if point[0] - last[0] < 0.5 => last[1] = last[1].min(point[1]),
                _ => points.push(point),
            }
        }
        points
    };
    svg.line(
        [LEFT, up.position_of(running)],
        [RIGHT, up.position_of(running)],
        "l-yellow",
        " stroke-dasharray=\"5 3\" stroke-width=\"1.5\"",
    );
    for samples in stretches(&level.samples) {
        svg.polyline(line(samples), "class=\"l-blue\" stroke-width=\"1.4\"");
    }
    let mut legend = Legend::new(LEGEND, TOP + 14.0);
    legend.line(&mut svg, "blue", " stroke-width=\"2\"", "speed");
    legend.line(
        &mut svg,
        "yellow",
        " stroke-dasharray=\"5 3\" stroke-width=\"1.5\"",
        &format!("running ({running})"),
    );
    let (mut way, mut time) = (0.0, 0.0);
    for (now, next) in level.samples.iter().zip(level.samples.iter().skip(1)) {
        let step = if next.begins { 0.0 } else { f64::from(next.time - now.time) };
        way += f64::from(now.speed) * step;
        time += step;
    }
    for (row, text) in
        [format!("most {maximum:.0}"), format!("mean {:.0}", way / f64::max(time, 0.001))].iter().enumerate()
    {
        svg.words([LEGEND, TOP + 64.0 + row as f64 * 18.0], Anchor::Start, "f-dim", 12.0, text);
    }
    Ok(svg.finish())
}
