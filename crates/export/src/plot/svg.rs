//! The part of SVG that charts need. Colors are CSS classes, so that one picture fits light and dark pages.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use std::fmt::{Display, Write};

/// A picture that is being drawn.
#[derive(Debug)]
pub(super) struct Svg {
    text: String,
}

/// The position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The colors of the background, texts, lines and series on light pages. Color-blind readers can distinguish
/// those of the series (after Okabe and Ito); the colors for dark pages are lighter.
const LIGHT: [&str; 11] = [
    "#ffffff", "#1a1a1a", "#5f5f5f", "#e3e3e3", "#8a8a8a", "#0072b2", "#d55e00", "#007a5a", "#cc79a7",
    "#a87400", "#4d4d4d",
];
const DARK: [&str; 11] = [
    "#14171a", "#f0f0f0", "#a8adb3", "#2d3238", "#70767d", "#56b4e9", "#ff8f45", "#2fc79b", "#e7a5cb",
    "#f0c541", "#d0d0d0",
];

/// The names of the colors in CSS classes: `f-` fills, `l-` draws lines.
const NAMES: [&str; 11] =
    ["paper", "ink", "dim", "grid", "axis", "blue", "red", "green", "pink", "yellow", "gray"];

fn rules(colors: &[&str; 11]) -> String {
    let rule = |(name, color): (&&str, &&str)| {
        format!(".f-{name}{{fill:{color}}}.l-{name}{{stroke:{color};fill:none}}")
    };
    NAMES.iter().zip(colors).map(rule).collect()
}

impl Svg {
    /// A picture of this size. It is always dark with `dark`; otherwise it follows the reader's settings, and
    /// is light without any.
    pub(super) fn new(width: f64, height: f64, dark: bool) -> Self {
        let mut style = rules(if dark { &DARK } else { &LIGHT });
        if !dark {
            let _ = write!(style, "@media(prefers-color-scheme:dark){{{}}}", rules(&DARK));
        }
        let mut svg = Self { text: String::new() };
        let _ = writeln!(
            svg.text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" \
             font-size=\"12\">\n<style>{style}</style>"
        );
        svg.rect([0.0, 0.0, width, height], "f-paper");
        svg
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    /// A rectangle: left, top, width, height.
    pub(super) fn rect(&mut self, [x, y, width, height]: [f64; 4], class: &str) {
        let [x, y, width, height] = [x, y, width, height].map(Short);
        let line =
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" class=\"{class}\"/>");
        self.line_of(&line);
    }

    /// Draws a rectangle in a color without a class.
    pub(super) fn cell(&mut self, [x, y, width, height]: [f64; 4], color: &str) {
        let [x, y, width, height] = [x, y, width, height].map(Short);
        let line =
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>");
        self.line_of(&line);
    }

    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], class: &str, extra: &str) {
        let ([x1, y1], [x2, y2]) = (from.map(Short), to.map(Short));
        let line =
            format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" class=\"{class}\"{extra}/>");
        self.line_of(&line);
    }

    /// Draws a line through points; `how` is its class or its own color.
    pub(super) fn polyline(&mut self, points: impl IntoIterator<Item = [f64; 2]>, how: &str) {
        let mut line = String::from("<polyline points=\"");
        for (at, [x, y]) in points.into_iter().enumerate() {
            let _ = write!(line, "{}{},{}", if at == 0 { "" } else { " " }, Short(x), Short(y));
        }
        let _ = write!(line, "\" fill=\"none\" stroke-linejoin=\"round\" {how}/>");
        self.line_of(&line);
    }

    pub(super) fn words(&mut self, [x, y]: [f64; 2], anchor: Anchor, class: &str, size: f64, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, text) = (Short(x), Short(y), escaped(text));
        let line =
            format!("<text x=\"{x}\" y=\"{y}\"{anchor} class=\"{class}\" font-size=\"{size}\">{text}</text>");
        self.line_of(&line);
    }

    /// A path of a class; nothing for an empty one.
    pub(super) fn path(&mut self, path: &str, class: &str) {
        if !path.is_empty() {
            self.line_of(&format!("<path class=\"{class}\" d=\"{path}\"/>"));
        }
    }

    /// Draws within a clipping frame: left, top, right, bottom.
    pub(super) fn clipped(
        &mut self,
        name: &str,
        [left, top, right, bottom]: [f64; 4],
        draw: impl FnOnce(&mut Self),
    ) {
        let (x, y, width, height) = (Short(left), Short(top), Short(right - left), Short(bottom - top));
        self.line_of(&format!(
            "<clipPath id=\"{name}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath>\n\
             <g clip-path=\"url(#{name})\">"
        ));
        draw(self);
        self.line_of("</g>");
    }

    /// Adds a piece of SVG unchanged.
    pub(super) fn raw(&mut self, piece: &str) {
        self.line_of(piece);
    }

    /// A text that is read upwards.
    pub(super) fn upwards(&mut self, [x, y]: [f64; 2], text: &str) {
        let (x, y, text) = (Short(x), Short(y), escaped(text));
        let line = format!(
            "<text transform=\"translate({x} {y}) rotate(-90)\" text-anchor=\"middle\" class=\"f-dim\">{text}</text>"
        );
        self.line_of(&line);
    }

    /// A shape around a point, with a text that appears when the pointer is over it.
    pub(super) fn mark(&mut self, shape: Shape, [x, y]: [f64; 2], size: f64, color: &str, title: &str) {
        let at = |dx: f64, dy: f64| format!("{} {}", Short(x + dx * size), Short(y + dy * size));
        let title =
            if title.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(title)) };
        let (filled, lined) =
            (format!("class=\"f-{color}\""), format!("class=\"l-{color}\" stroke-width=\"2\""));
        let edge = "stroke-width=\"0.8\" style=\"paint-order:stroke\"";
        let line = match shape {
            Shape::Dot => {
                let (x, y, size) = (Short(x), Short(y), Short(size));
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{size}\" {filled} {edge}>{title}</circle>")
            }
            Shape::Ring => {
                let (x, y, size) = (Short(x), Short(y), Short(size));
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{size}\" {lined}>{title}</circle>")
            }
            Shape::Cross => {
                let path =
                    format!("M{}L{}M{}L{}", at(-1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0), at(1.0, -1.0));
                format!("<path d=\"{path}\" {lined}>{title}</path>")
            }
            Shape::Square => {
                let path =
                    format!("M{}L{}L{}L{}Z", at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0));
                format!("<path d=\"{path}\" {filled} {edge}>{title}</path>")
            }
            Shape::Diamond => {
                let path = format!("M{}L{}L{}L{}Z", at(0.0, -1.3), at(1.3, 0.0), at(0.0, 1.3), at(-1.3, 0.0));
                format!("<path d=\"{path}\" {lined}>{title}</path>")
            }
            Shape::Triangle => {
                let path = format!("M{}L{}L{}Z", at(0.0, -1.3), at(1.2, 0.9), at(-1.2, 0.9));
                format!("<path d=\"{path}\" {filled} {edge}>{title}</path>")
            }
            Shape::Star => {
                let point = |n: u32| {
                    let turn = f64::from(n) * std::f64::consts::PI / 5.0 - std::f64::consts::FRAC_PI_2;
                    let far = if n.is_multiple_of(2) { 1.6 } else { 0.65 };
                    at(turn.cos() * far, turn.sin() * far)
                };
                let points: Vec<String> = (0..10).map(point).collect();
                format!("<path d=\"M{}Z\" {filled} {edge}>{title}</path>", points.join("L"))
            }
        };
        self.line_of(&line);
    }

    fn line_of(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// The shapes of marks, which make them distinguishable without color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Dot,
    Ring,
    Cross,
    Square,
    Diamond,
    Triangle,
    Star,
}

/// A number with one digit after the point: less than a tenth of a pixel is invisible.
struct Short(f64);

impl Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        match (tenths / 10, (tenths % 10).abs()) {
            (whole, 0) => write!(f, "{whole}"),
            (0, rest) if tenths < 0 => write!(f, "-0.{rest}"),
            (whole, rest) => write!(f, "{whole}.{rest}"),
        }
    }
}

/// A text escaped for XML, which cannot contain control codes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// A color of the ramp from dark blue over green to yellow (after "viridis"), whose brightness rises
/// steadily, so that it is readable in gray and by the color-blind. The darkest and the brightest part are
/// left out, since each is invisible on one of the two backgrounds.
pub(super) fn ramp(part: f64) -> String {
    const STOPS: [[f64; 3]; 7] = [
        [70.0, 50.0, 127.0],
        [54.0, 92.0, 141.0],
        [39.0, 127.0, 142.0],
        [31.0, 161.0, 135.0],
        [74.0, 194.0, 109.0],
        [159.0, 218.0, 58.0],
        [230.0, 212.0, 30.0],
    ];
    let place = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let low = (place as usize).min(STOPS.len() - 2);
    let share = place - low as f64;
    let (from, to) = (STOPS.get(low).unwrap_or(&STOPS[0]), STOPS.get(low + 1).unwrap_or(&STOPS[0]));
    let mix = |at: usize| {
        let (from, to) = (from.get(at).unwrap_or(&0.0), to.get(at).unwrap_or(&0.0));
        (from + (to - from) * share).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_texts_are_safe() {
        assert_eq!(
            [1.0, 0.04, -0.3, -12.36, 7.5].map(|it| Short(it).to_string()),
            ["1", "0", "-0.3", "-12.4", "7.5"]
        );
        assert_eq!(escaped("<a & \"b\">\n"), "&lt;a &amp; &quot;b&quot;&gt; ");
    }

    #[test]
    fn the_ramp_has_two_ends() {
        assert_eq!((ramp(-1.0), ramp(2.0)), ("#46327f".to_owned(), "#e6d41e".to_owned()));
    }
}
