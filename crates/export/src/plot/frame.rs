//! The parts that every chart has: title, axes with their ticks, and a legend.

use super::svg::{Anchor, Shape, Svg, ramp};
use super::{NoPicture, PlotOptions};
use crate::{Story, StoryLevel};

/// One axis: a range of values, and the pixels that it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    pub(super) fn new([low, high]: [f64; 2], [from, to]: [f64; 2]) -> Self {
        Self { low, high: if high > low { high } else { low + 1.0 }, from, to }
    }

    pub(super) fn position_of(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Values at even steps, at least `apart` pixels from each other.
    fn ticks(&self, steps: &[f64], apart: f64) -> Vec<f64> {
        let scale = (self.to - self.from).abs() / (self.high - self.low);
        let last = steps.last().copied().unwrap_or(1.0);
        let mut step = steps.iter().copied().find(|step| step * scale >= apart).unwrap_or(last);
        while step * scale < apart {
            step *= 2.0;
        }
        let first = (self.low / step).ceil();
        (0..1000)
            .map(|n| (first + f64::from(n)) * step)
            .take_while(|tick| *tick <= self.high + step * 1e-6)
            .collect()
    }
}

/// Steps of game units: levels are built on powers of two.
pub(super) const UNITS: &[f64] = &[16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0];
/// Steps of seconds.
pub(super) const SECONDS: &[f64] =
    &[0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0];
/// Steps of numbers.
pub(super) const NUMBERS: &[f64] = &[1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

/// Seconds as `m:ss` or `h:mm:ss`, with tenths where the steps are that fine.
pub(crate) fn clock(seconds: f64) -> String {
    let tenths = (seconds * 10.0).round() as i64;
    let (minutes, rest) = (tenths.div_euclid(600), tenths.rem_euclid(600));
    let minutes =
        if minutes < 60 { minutes.to_string() } else { format!("{}:{:02}", minutes / 60, minutes % 60) };
    match rest % 10 {
        0 => format!("{minutes}:{:02}", rest / 10),
        tenth => format!("{minutes}:{:02}.{tenth}", rest / 10),
    }
}

/// The requested level.
pub(super) fn level<'s>(story: &'s Story, manner: &PlotOptions) -> Result<&'s StoryLevel, NoPicture> {
    let found = match manner.level {
        None => story.longest(),
        Some(number) => {
            let found = story.levels.iter().find(|level| level.number == number);
            Some(found.ok_or(NoPicture::NoLevel(number, story.levels.len()))?)
        }
    };
    found.ok_or_else(|| NoPicture::NoTime(story.file.clone()))
}

/// The requested level, if it has more than one sample.
pub(super) fn sampled<'s>(story: &'s Story, manner: &PlotOptions) -> Result<&'s StoryLevel, NoPicture> {
    let level = level(story, manner)?;
    if level.samples.len() > 1 { Ok(level) } else { Err(NoPicture::NoTime(story.file.clone())) }
}

/// The text below the title.
pub(super) fn subtitle(story: &Story, level: &StoryLevel) -> String {
    let mut parts = vec![file_name(&story.file).to_owned()];
    let name = level.seen.as_ref().map(crate::Word::as_str).or(story.recorder());
    parts.extend(name.filter(|name| !name.is_empty()).map(str::to_owned));
    if story.levels.len() > 1 {
        parts.push(format!("level {} of {}", level.number, story.levels.len()));
    }
    parts.extend((level.length > 0.0).then(|| format!("{} recorded", clock(level.length))));
    parts.join(" · ")
}

/// The last part of a path, which identifies the file.
pub(crate) fn file_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// A picture with a title.
pub(super) fn page([width, height]: [f64; 2], manner: &PlotOptions, title: &str, subtitle: &str) -> Svg {
    let mut svg = Svg::new(width, height, manner.dark);
    let fits = |text: &str, room: usize| {
        let short: String = text.chars().take(room).collect();
        if short.len() < text.len() { format!("{short}…") } else { short }
    };
    svg.words([16.0, 28.0], Anchor::Start, "f-ink", 18.0, &fits(title, 72));
    svg.words([16.0, 47.0], Anchor::Start, "f-dim", 12.0, &fits(subtitle, 110));
    svg
}

/// The lines of a grid with their numbers and units, below and at the left.
pub(super) fn axes(
    svg: &mut Svg,
    x: (&Axis, &[f64], &str),
    y: (&Axis, &[f64], &str),
    text: [fn(f64) -> String; 2],
) {
    let ((across, x_steps, x_name), (up, y_steps, y_name)) = (x, y);
    let [left, right] = [across.from, across.to];
    let [bottom, top] = [up.from, up.to];
    let [x_text, y_text] = text;
    for tick in across.ticks(x_steps, 56.0) {
        let x = across.position_of(tick);
        svg.line([x, top], [x, bottom], "l-grid", "");
        svg.words([x, bottom + 16.0], Anchor::Middle, "f-dim", 11.0, &x_text(tick));
    }
    // A map has the same grid both ways.
    let apart = if x_steps == y_steps { 56.0 } else { 34.0 };
    for tick in up.ticks(y_steps, apart) {
        let y = up.position_of(tick);
        svg.line([left, y], [right, y], "l-grid", "");
        svg.words([left - 6.0, y + 4.0], Anchor::End, "f-dim", 11.0, &y_text(tick));
    }
    svg.line([left, bottom], [right, bottom], "l-axis", "");
    svg.line([left, top], [left, bottom], "l-axis", "");
    svg.words([f64::midpoint(left, right), bottom + 36.0], Anchor::Middle, "f-dim", 12.0, x_name);
    svg.upwards([18.0, f64::midpoint(top, bottom)], y_name);
}

/// A whole number.
pub(super) fn whole_number(value: f64) -> String {
    format!("{value:.0}")
}

/// The lines of a legend, from the top down.
#[derive(Debug)]
pub(super) struct Legend {
    x: f64,
    y: f64,
}

impl Legend {
    pub(super) fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(super) fn mark(&mut self, svg: &mut Svg, shape: Shape, color: &str, text: &str) {
        svg.mark(shape, [self.x + 8.0, self.y - 4.0], 4.5, color, "");
        svg.words([self.x + 22.0, self.y], Anchor::Start, "f-ink", 12.0, text);
        self.y += 20.0;
    }

    pub(super) fn line(&mut self, svg: &mut Svg, color: &str, extra: &str, text: &str) {
        let (from, to) = ([self.x, self.y - 4.0], [self.x + 16.0, self.y - 4.0]);
        svg.line(from, to, &format!("l-{color}"), extra);
        svg.words([self.x + 22.0, self.y], Anchor::Start, "f-ink", 12.0, text);
        self.y += 20.0;
    }

    /// A line of a color of the ramp.
    pub(super) fn ramped(&mut self, svg: &mut Svg, part: f64, text: &str) {
        let short: String = text.chars().take(16).collect();
        let how = format!("stroke=\"{}\" stroke-width=\"3\"", ramp(part));
        svg.polyline([[self.x, self.y - 4.0], [self.x + 16.0, self.y - 4.0]], &how);
        svg.words([self.x + 22.0, self.y], Anchor::Start, "f-ink", 12.0, &short);
        self.y += 20.0;
    }

    /// Draws a ramp of colors with a label at each end.
    pub(super) fn ramp(&mut self, svg: &mut Svg, name: &str, ends: [&str; 2]) {
        const WIDTH: f64 = 120.0;
        svg.words([self.x, self.y], Anchor::Start, "f-ink", 12.0, name);
        for part in 0..30 {
            let part = f64::from(part);
            let cell = [self.x + part * WIDTH / 30.0, self.y + 8.0, WIDTH / 30.0 + 0.3, 10.0];
            svg.cell(cell, &ramp(part / 29.0));
        }
        svg.words([self.x, self.y + 32.0], Anchor::Start, "f-dim", 11.0, ends[0]);
        svg.words([self.x + WIDTH, self.y + 32.0], Anchor::End, "f-dim", 11.0, ends[1]);
        self.y += 58.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_even_and_not_too_near() {
        let axis = Axis::new([-300.0, 700.0], [0.0, 500.0]);
        assert_eq!(axis.ticks(UNITS, 56.0), [-256.0, -128.0, 0.0, 128.0, 256.0, 384.0, 512.0, 640.0]);
        let long = Axis::new([0.0, 100_000.0], [0.0, 500.0]);
        assert!(long.ticks(UNITS, 56.0).len() < 10);
        assert_eq!((clock(61.25), clock(3600.0)), ("1:01.3".into(), "1:00:00".into()));
    }
}
