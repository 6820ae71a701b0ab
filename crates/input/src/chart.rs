//! An SVG chart of the players' input over time: a lane for each kind of key press, and the turns.

// not from SCHEMA, all words: lanes of a picture

use crate::record::TicInput;
use crate::summary::InputSummary;
use std::fmt::Write as _;
use std::io::{self, Read};

/// Number of columns of the chart, however long the recording is.
const COLUMNS: usize = 900;
/// The greatest number of times on the axis, and the possible distances between them in seconds.
const MARKS: u64 = 10;
const STEPS: [u64; 12] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800];
const LEFT: usize = 90;
/// Room for half of the last time on the axis.
const RIGHT: usize = 44;
const TOP: usize = 60;
const LANE: usize = 26;
/// The height of the curve of turns above and below its middle.
const TURNS: usize = 55;
/// The height of a player's lanes and turns.
const PANEL: usize = LANES.len() * LANE + 2 * TURNS + 40;

/// A lane: its name, and whether a tic of input (of Duke's, if the flag is set) belongs to it.
type Lane = (&'static str, fn(&TicInput, bool) -> bool);

/// The lanes. Duke's key bits differ from DOOM's buttons.
const LANES: [Lane; 7] = [
    ("forward", |it, _| it.forward > 0),
    ("back", |it, _| it.forward < 0),
    ("side", |it, _| it.side != 0),
    ("SR50", |it, _| it.forward.abs() == 50 && it.side.abs() == 50),
    ("fire", |it, duke| if duke { it.buttons & 4 != 0 } else { it.buttons & 0x81 == 1 }),
    ("use", |it, duke| if duke { it.buttons & 1 << 29 != 0 } else { it.buttons & 0x82 == 2 }),
    ("weapon", |it, _| it.weapon > 0),
];

/// A column of pixels: the number of tics in each lane, the number of all tics, and the sum of the turns.
#[derive(Clone, Copy, Default)]
struct Column {
    lanes: [u64; LANES.len()],
    tics: u64,
    turn: i64,
}

/// The most players that are drawn; no game has more.
const PLAYERS: usize = 32;

/// Draws the input of all players as SVG, with one player below the other.
///
/// ```
/// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\x01\0\0\x32\0\0\x01\0\0\0\0\x80";
/// let svg = moviola_input::plot(&recording[..], None, "run.lmp", false).unwrap();
/// assert!(svg.starts_with("<svg") && svg.contains("run.lmp") && svg.matches("SR50").count() == 2);
/// ```
pub fn plot(source: impl Read, game: Option<&str>, name: &str, dark: bool) -> io::Result<String> {
    let mut players: Vec<Vec<Column>> = Vec::new();
    // Tics per column. When the recording outgrows the chart, pairs of columns are merged.
    let mut wide = 1u64;
    let summary = InputSummary::watched(source, game, |at, input| {
        if at.player >= PLAYERS {
            return;
        }
        while at.tic / wide >= COLUMNS as u64 {
            for columns in &mut players {
                halve(columns);
            }
            wide *= 2;
        }
        if players.len() <= at.player {
            players.resize(at.player + 1, vec![Column::default(); COLUMNS]);
        }
        let columns = players.get_mut(at.player);
        if let Some(column) = columns.and_then(|columns| columns.get_mut((at.tic / wide) as usize)) {
            column.tics += 1;
            column.turn += i64::from(input.turn);
            for (count, (_, is)) in column.lanes.iter_mut().zip(LANES) {
                *count += u64::from(is(&input, at.rate == 30));
            }
        }
    })?;
    Ok(draw(&players, wide, &summary, name, dark))
}

fn halve(columns: &mut [Column]) {
    for at in 0..COLUMNS {
        let pair = [columns.get(2 * at).copied(), columns.get(2 * at + 1).copied()];
        let mut sum = Column::default();
        for one in pair.into_iter().flatten() {
            sum.tics += one.tics;
            sum.turn += one.turn;
            sum.lanes.iter_mut().zip(one.lanes).for_each(|(sum, one)| *sum += one);
        }
        if let Some(place) = columns.get_mut(at) {
            *place = sum;
        }
    }
}

fn draw(players: &[Vec<Column>], wide: u64, summary: &InputSummary, name: &str, dark: bool) -> String {
    let (paper, ink, bar) =
        if dark { ("#16181c", "#d8dade", "#e0a458") } else { ("#ffffff", "#24292f", "#a8500c") };
    let (width, height) = (LEFT + COLUMNS + RIGHT, TOP + players.len().max(1) * PANEL + 20);
    let used = players.iter().filter_map(|columns| columns.iter().rposition(|it| it.tics > 0)).max();
    let used = used.map_or(1, |at| at + 1);
    let name: String = name.chars().filter(|it| !matches!(it, '<' | '>' | '&')).collect();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, sans-serif\" \
         shape-rendering=\"crispEdges\" font-size=\"12\"><rect width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/><g fill=\"{ink}\">\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{name}</text>\
         <text x=\"{LEFT}\" y=\"44\">{} {}, {} tics, {}: what was pressed</text>",
        summary.game,
        summary.map(),
        summary.tics,
        summary.length()
    );
    for (player, columns) in players.iter().enumerate() {
        let top = TOP + player * PANEL;
        if players.len() > 1 {
            write(
                &mut svg,
                format_args!("<text x=\"{LEFT}\" y=\"{}\">player {}</text>", top + 14, player + 1),
            );
        }
        panel(&mut svg, columns.get(..used).unwrap_or_default(), top + 20, bar);
    }
    let rate = if summary.format == "dmo" { 30 } else { 35 }; // not from SCHEMA: a file extension
    let whole = (used as u64 * wide).max(1);
    let step = STEPS.iter().find(|step| whole / rate / **step < MARKS).unwrap_or(&3600);
    for second in (0..=whole / rate).step_by(*step as usize) {
        let x = LEFT as f64 + COLUMNS as f64 * (second * rate) as f64 / whole as f64;
        let time = format!("{}:{:02}", second / 60, second % 60);
        write(
            &mut svg,
            format_args!("<text x=\"{x:.0}\" y=\"{}\" text-anchor=\"middle\">{time}</text>", height - 12),
        );
    }
    svg.push_str("</g></svg>\n");
    svg
}

/// Writing into a string cannot fail.
fn write(svg: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(what);
}

/// Draws the lanes and the turns of a player.
fn panel(svg: &mut String, columns: &[Column], top: usize, bar: &str) {
    let scale = COLUMNS as f64 / columns.len().max(1) as f64;
    let title = |svg: &mut String, y: usize, title: &str| {
        write(svg, format_args!("<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{title}</text>", LEFT - 8));
    };
    for (lane, (name, _)) in LANES.iter().enumerate() {
        let y = top + lane * LANE;
        title(svg, y + 16, name);
        for (at, column) in columns.iter().enumerate() {
            let count = column.lanes.get(lane).copied().unwrap_or_default();
            if count > 0 {
                let shade = 0.25 + 0.75 * count as f64 / column.tics.max(1) as f64;
                let (x, tall) = (LEFT as f64 + at as f64 * scale, LANE - 4);
                write(
                    svg,
                    format_args!(
                        "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{scale:.1}\" height=\"{tall}\" fill=\"{bar}\" opacity=\"{shade:.2}\"/>"
                    ),
                );
            }
        }
    }
    let middle = top + LANES.len() * LANE + TURNS;
    title(svg, middle + 4, "turn");
    let most = columns.iter().map(|it| it.turn.unsigned_abs()).max().unwrap_or_default().max(1);
    for (at, column) in columns.iter().enumerate().filter(|(_, it)| it.turn != 0) {
        let tall = TURNS as f64 * column.turn.unsigned_abs() as f64 / most as f64;
        // A turn to the left is drawn upward.
        let y = if column.turn > 0 { middle as f64 - tall } else { middle as f64 };
        let x = LEFT as f64 + at as f64 * scale;
        write(
            svg,
            format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{scale:.1}\" height=\"{tall:.1}\" fill=\"{bar}\"/>"
            ),
        );
    }
    write(svg, format_args!("<rect x=\"{LEFT}\" y=\"{middle}\" width=\"{COLUMNS}\" height=\"1\"/>"));
}
