//! The events of a level over time, in a lane for each kind.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use super::frame::{SECONDS, axes, clock, level, page, subtitle};
use super::svg::{Anchor, Shape, Svg};
use super::{NoPicture, PlotOptions, frame::Axis};
use crate::{Story, StoryLevel};
use moviola_analyse::{Event, EventKind};

/// A lane: its name, shape and color, and the test for its events.
type Lane = (&'static str, Shape, &'static str, fn(&EventKind) -> bool);

const LANES: &[Lane] = &[
    ("kills", Shape::Cross, "red", |kind| matches!(kind, EventKind::Monster { .. } | EventKind::Kill { .. })),
    ("bosses", Shape::Star, "red", |kind| matches!(kind, EventKind::Boss { .. })),
    ("deaths", Shape::Square, "ink", |kind| matches!(kind, EventKind::Death { own: true, .. })),
    ("damage", Shape::Dot, "red", |kind| matches!(kind, EventKind::Damage { .. })),
    ("shots", Shape::Dot, "gray", |kind| matches!(kind, EventKind::Shot { own: true, .. })),
    ("weapons", Shape::Triangle, "blue", |kind| matches!(kind, EventKind::Weapon { .. })),
    ("pickups", Shape::Dot, "green", |kind| matches!(kind, EventKind::Pickup { .. })),
    ("powerups", Shape::Star, "yellow", |kind| matches!(kind, EventKind::PowerupStart { .. })),
    ("teleports", Shape::Diamond, "pink", |kind| matches!(kind, EventKind::Teleport { .. })),
    ("secrets", Shape::Star, "yellow", |kind| matches!(kind, EventKind::Secret { .. })),
    ("flags", Shape::Triangle, "green", |kind| matches!(kind, EventKind::Flag { .. })),
    ("chat", Shape::Ring, "blue", |kind| matches!(kind, EventKind::Chat { .. })),
    ("players", Shape::Diamond, "gray", |kind| {
        matches!(kind, EventKind::Join { .. } | EventKind::Leave { .. })
    }),
    ("texts", Shape::Ring, "gray", |kind| matches!(kind, EventKind::Centerprint { .. })),
];

const LANE: f64 = 26.0;
const TOP: f64 = 68.0;

pub(super) fn draw(story: &Story, manner: &PlotOptions) -> Result<String, NoPicture> {
    let level = level(story, manner)?;
    let lanes: Vec<(&Lane, Vec<&Event>)> = LANES
        .iter()
        .map(|lane| (lane, story.events_of(level).filter(|event| (lane.3)(&event.kind)).collect::<Vec<_>>()))
        .filter(|(_, events)| !events.is_empty())
        .collect();
    let bottom = TOP + LANE * lanes.len().max(1) as f64;
    let title = format!("{} — what happened", level.name());
    let mut svg = page([800.0, bottom + 56.0], manner, &title, &subtitle(story, level));
    let Some(across) = time_axis(level, lanes.iter().flat_map(|(_, events)| events)) else {
        return Err(NoPicture::NoTime(story.file.clone()));
    };
    let up = Axis::new([0.0, 1.0], [bottom, TOP]);
    axes(
        &mut svg,
        (&across, SECONDS, "time in the level (m:ss)"),
        (&up, &[2.0], ""),
        [clock, |_| String::new()],
    );
    for (row, (lane, events)) in lanes.iter().enumerate() {
        let y = TOP + LANE * (row as f64 + 0.5);
        draw_lane(&mut svg, &across, y, lane, events);
    }
    if lanes.is_empty() {
        svg.words([400.0, TOP + 16.0], Anchor::Middle, "f-dim", 12.0, "nothing that is known");
    }
    Ok(svg.finish())
}

/// The level's time. If the player has no samples in it, the time of its events.
fn time_axis<'e>(level: &StoryLevel, events: impl Iterator<Item = &'e &'e Event>) -> Option<Axis> {
    let played = level.samples.iter().map(|sample| f64::from(sample.time));
    let times: Vec<f64> = played.chain(events.filter_map(|event| event.time)).collect();
    let ends = match level.samples.as_slice() {
        [first, .., last] => [first.time, last.time].map(f64::from),
        _ => [times.iter().copied().min_by(f64::total_cmp)?, times.iter().copied().max_by(f64::total_cmp)?],
    };
    // At the left the names of lanes need more room than numbers; at the right their counts need less room than a
    // legend.
    Some(Axis::new(ends, [96.0, 736.0]))
}

fn draw_lane(svg: &mut Svg, across: &Axis, y: f64, (name, shape, color, _): &Lane, events: &[&Event]) {
    let (left, right) = (across.position_of(across.low), across.position_of(across.high));
    svg.line([left, y], [right, y], "l-grid", "");
    svg.words([left - 8.0, y + 4.0], Anchor::End, "f-ink", 12.0, name);
    svg.words([right + 12.0, y + 4.0], Anchor::Start, "f-dim", 12.0, &format!("{}×", events.len()));
    let mut last = f64::NEG_INFINITY;
    for event in events {
        let Some(time) = event.time else { continue };
        let x = across.position_of(time.clamp(across.low, across.high));
        // Marks that overlap are drawn once.
        if x - last >= 1.0 {
            svg.mark(
                *shape,
                [x, y],
                3.6,
                color,
                &format!("{} {}: {}", clock(time), event.name(), event.kind),
            );
            last = x;
        }
    }
}
