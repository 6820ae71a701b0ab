//! Draws the contents of a terminal: converts our program's escape sequences to SVG.

use std::fmt::Write;

/// A sign's width and a line's height, at the size of letters below, in the usual fonts.
const SIGN: f64 = 8.4;
const LINE: usize = 19;
const EDGE: usize = 16;

/// The eight colors, as terminals show them on a dark background.
const COLORS: [&str; 8] =
    ["#5c6370", "#ff7a7a", "#8fd17f", "#e8c268", "#78b1ff", "#cf9bf0", "#62cfd8", "#ffffff"];

/// How the signs that follow look.
#[derive(Clone, Copy, Default, PartialEq)]
struct Look {
    bold: bool,
    color: Option<&'static str>,
}

impl Look {
    /// Applies a sequence `ESC [ 1 ; 31 m`.
    fn set(&mut self, codes: &str) {
        for code in codes.split(';') {
            match code.parse().unwrap_or(0) {
                0_usize => *self = Self::default(),
                1 => self.bold = true,
                22 => self.bold = false,
                39 => self.color = None,
                code @ (30..=37 | 90..=97) => self.color = COLORS.get(code % 10).copied(),
                _ => {}
            }
        }
    }
}

/// Draws lines of a terminal.
pub(crate) fn picture(shown: &str) -> String {
    let lines: Vec<Vec<(Look, String)>> = lines(shown);
    let length = |line: &[(Look, String)]| line.iter().map(|(_, words)| words.chars().count()).sum::<usize>();
    let longest = lines.iter().map(|line| length(line)).max().unwrap_or(0);
    let (width, height) = (wide(longest).ceil() as usize + 2 * EDGE, lines.len() * LINE + 2 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#16181d\"/>\n"
    );
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| length(line) > 0) {
        let (y, long) = (EDGE + number * LINE + 14, wide(length(line)));
        // Writing into a string cannot fail.
        let _ = write!(
            svg,
            "<text x=\"{EDGE}\" y=\"{y}\" fill=\"#d7dae0\" textLength=\"{long:.1}\" xml:space=\"preserve\">"
        );
        for (look, words) in line {
            let color = look.color.map(|color| format!(" fill=\"{color}\"")).unwrap_or_default();
            let bold = if look.bold { " font-weight=\"bold\"" } else { "" };
            let _ = write!(svg, "<tspan{color}{bold}>{}</tspan>", escaped(words));
        }
        svg.push_str("</text>\n");
    }
    svg + "</svg>\n"
}

/// The runs of signs that look alike, line by line.
fn lines(shown: &str) -> Vec<Vec<(Look, String)>> {
    let mut look = Look::default();
    let line = |line: &str| {
        let mut runs: Vec<(Look, String)> = Vec::new();
        let mut parts = line.split("\u{1b}[");
        runs.push((look, parts.next().unwrap_or_default().to_owned()));
        for part in parts {
            let (codes, words) = part.split_once('m').unwrap_or(("", part));
            look.set(codes);
            runs.push((look, words.to_owned()));
        }
        runs.retain(|(_, words)| !words.is_empty());
        runs
    };
    shown.trim_end().lines().map(line).collect()
}

fn wide(signs: usize) -> f64 {
    signs as f64 * SIGN
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_drawn_and_end() {
        let svg = picture("a \u{1b}[1m\u{1b}[91mbad\u{1b}[0m <b>\n\n\u{1b}[32mgood");
        assert!(svg.contains("<tspan>a </tspan><tspan fill=\"#ff7a7a\" font-weight=\"bold\">bad</tspan>"));
        assert!(
            svg.contains("<tspan> &lt;b&gt;</tspan></text>") && svg.contains("<tspan fill=\"#8fd17f\">good")
        );
        assert_eq!(svg.matches("<text").count(), 2);
    }
}
