//! The level's floor plan under a map: floors shaded by height, the higher the nearer to the color of light.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use super::frame::Axis;
use super::svg::Svg;
use moviola_assets::{FloorPlan, PlanLayer};
use std::fmt::Write;

/// A shape that is smaller than this on the page is left out.
const MIN_SIZE: f64 = 0.4;

/// The colors of the lowest floor, the highest one, liquids, walls and steps, on light paper and on dark.
const LIGHT: [[u8; 3]; 5] =
    [[168, 180, 194], [238, 241, 245], [146, 196, 222], [64, 70, 78], [120, 130, 142]];
const DARK: [[u8; 3]; 5] = [[42, 50, 59], [102, 114, 128], [32, 70, 96], [176, 186, 197], [112, 124, 137]];

/// Draws a plan within the frame of two axes.
pub(super) fn draw(svg: &mut Svg, plan: &FloorPlan, across: &Axis, up: &Axis, is_dark: bool) {
    let shades: Vec<u8> = plan.layers.iter().map(|layer| layer.shade).collect();
    let mut style = rules(if is_dark { &DARK } else { &LIGHT }, &shades);
    if !is_dark {
        let _ = write!(style, "@media(prefers-color-scheme:dark){{{}}}", rules(&DARK, &shades));
    }
    svg.raw(&format!("<style>{style}</style>"));
    let frame = [
        across.position_of(across.low),
        up.position_of(up.high),
        across.position_of(across.high),
        up.position_of(up.low),
    ];
    svg.clipped("plan", frame, |svg| {
        for layer in &plan.layers {
            draw_layer(svg, layer, frame, |[x, y]| {
                [across.position_of(f64::from(x)), up.position_of(f64::from(y))]
            });
        }
    });
}

/// The rules of style for these shades of floors, of liquids and of lines.
fn rules([low, high, liquid, wall, step]: &[[u8; 3]; 5], shades: &[u8]) -> String {
    let color = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    let mut css = String::new();
    for shade in shades {
        let mut mixed = *low;
        for (part, high) in mixed.iter_mut().zip(high) {
            let (from, to) = (f64::from(*part), f64::from(*high));
            *part = (from + (to - from) * f64::from(*shade) / 255.0).round() as u8;
        }
        // A thin edge of the same color closes the gap between two shapes.
        let _ = write!(css, ".p{shade}{{fill:{0};stroke:{0};stroke-width:.5}}", color(mixed));
    }
    let (liquid, wall, step) = (color(*liquid), color(*wall), color(*step));
    let _ = write!(
        css,
        ".p-liquid{{fill:{liquid};fill-opacity:.8}}.p-wall{{stroke:{wall};stroke-width:1.3;fill:none}}\
         .p-step{{stroke:{step};stroke-width:.5;fill:none}}"
    );
    css
}

fn draw_layer(svg: &mut Svg, layer: &PlanLayer, frame: [f64; 4], to_page: impl Fn([i32; 2]) -> [f64; 2]) {
    let path = |shapes: &mut dyn Iterator<Item = &[[i32; 2]]>, end: &str| {
        let mut path = String::new();
        for shape in shapes {
            let points: Vec<[f64; 2]> = shape.iter().map(|point| to_page(*point)).collect();
            if is_seen(&points, frame) {
                svg_path(&mut path, &points, end);
            }
        }
        path
    };
    let floors = path(&mut layer.floors.iter().map(Vec::as_slice), "z");
    let liquids = path(&mut layer.liquids.iter().map(Vec::as_slice), "z");
    let steps = path(&mut layer.steps.iter().map(<[_; 2]>::as_slice), "");
    let walls = path(&mut layer.walls.iter().map(<[_; 2]>::as_slice), "");
    svg.path(&floors, &format!("p{}", layer.shade));
    svg.path(&liquids, "p-liquid");
    svg.path(&steps, "p-step");
    svg.path(&walls, "p-wall");
}

/// Whether a shape is large enough to be seen, and at least partly within the frame.
fn is_seen(points: &[[f64; 2]], [left, top, right, bottom]: [f64; 4]) -> bool {
    let span = |at: usize| {
        let all = || points.iter().filter_map(|point| point.get(at).copied());
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((x0, x1), (y0, y1)) = (span(0), span(1));
    let is_within = x1 > left && x0 < right && y1 > top && y0 < bottom;
    is_within && (x1 - x0).max(y1 - y0) >= MIN_SIZE
}

/// Adds a shape in tenths of a pixel, each point by its distance from the last: that takes the fewest digits.
fn svg_path(path: &mut String, points: &[[f64; 2]], end: &str) {
    let mut last = [0i64; 2];
    for (at, point) in points.iter().enumerate() {
        let here = point.map(|it| (it * 10.0).round() as i64);
        let (mark, from) = if at == 0 { ('M', [0; 2]) } else { ('l', last) };
        let (x, y) = (tenths(here[0].saturating_sub(from[0])), tenths(here[1].saturating_sub(from[1])));
        let _ = write!(path, "{mark}{x} {y}");
        last = here;
    }
    path.push_str(end);
}

fn tenths(value: i64) -> String {
    let (sign, value) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    match value % 10 {
        0 => format!("{sign}{}", value / 10),
        rest if value < 10 => format!("{sign}.{rest}"),
        rest => format!("{sign}{}.{rest}", value / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_takes_few_digits() {
        let mut path = String::new();
        svg_path(&mut path, &[[1.25, 100.0], [1.0, 99.5], [21.04, 99.5]], "z");
        assert_eq!(path, "M1.3 100l-.3 -.5l20 0z");
    }

    #[test]
    fn shapes_outside_of_the_frame_are_left_out() {
        let frame = [0.0, 0.0, 100.0, 100.0];
        assert!(is_seen(&[[-5.0, 5.0], [5.0, 5.0]], frame));
        assert!(!is_seen(&[[-5.0, 5.0], [-1.0, 90.0]], frame));
        assert!(!is_seen(&[[5.0, 5.0], [5.2, 5.1]], frame), "it is too small");
    }
}
