//! The events that a map marks, with their places and shapes.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use super::frame::clock;
use super::svg::Shape;
use crate::{Story, StoryLevel};
use moviola_analyse::{Event, EventKind};

/// A kind of mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkKind {
    pub(super) shape: Shape,
    pub(super) color: &'static str,
    /// The name in the singular and the plural.
    pub(super) names: [&'static str; 2],
}

/// The kinds, in the order in which they are drawn.
pub(super) const SORTS: &[MarkKind] = &[
    MarkKind { shape: Shape::Dot, color: "green", names: ["pickup", "pickups"] },
    MarkKind { shape: Shape::Diamond, color: "pink", names: ["teleport", "teleports"] },
    MarkKind { shape: Shape::Cross, color: "red", names: ["kill", "kills"] },
    MarkKind { shape: Shape::Square, color: "ink", names: ["death", "deaths"] },
    MarkKind { shape: Shape::Ring, color: "gray", names: ["death of another", "deaths of others"] },
    MarkKind { shape: Shape::Star, color: "yellow", names: ["secret", "secrets"] },
];

/// An event on the map.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) sort: usize,
    pub(super) at: [f64; 2],
    /// The destination of a teleport.
    pub(super) to: Option<[f64; 2]>,
    pub(super) title: String,
}

/// The marks of a level.
pub(super) fn marks(story: &Story, level: &StoryLevel) -> Vec<Mark> {
    story.events_of(level).filter_map(|event| mark(event, story, level)).collect()
}

fn mark(event: &Event, story: &Story, level: &StoryLevel) -> Option<Mark> {
    let (sort, at, to) = place(event, story, level)?;
    let time = event.time.map_or_else(String::new, |time| format!("{} ", clock(time)));
    Some(Mark { sort, at, to, title: format!("{time}{}: {}", event.name(), event.kind) })
}

/// The kind of an event that is marked on a map, its position, and the destination of a teleport.
pub(crate) fn place(
    event: &Event,
    story: &Story,
    level: &StoryLevel,
) -> Option<(usize, [f64; 2], Option<[f64; 2]>)> {
    let flat = |[x, y, _]: [f64; 3]| [x, y];
    let recorder_position = || {
        let [x, y, _] = level.sample(event.block)?.at?;
        Some([x, y].map(f64::from))
    };
    let is_own = |name: &moviola_analyse::GameText| story.recorder() == Some(name.text());
    Some(match &event.kind {
        // The position of the event's player if it is known, or else the recorder's.
        EventKind::Pickup { player: Some(_), .. } => (0, flat(event.origin?.map(f64::from)), None),
        EventKind::Pickup { .. } => (0, recorder_position()?, None),
        EventKind::Teleport { from, to } => (1, flat(*from), Some(flat(*to))),
        EventKind::Monster { origin, .. } => (2, origin.map(flat).or_else(recorder_position)?, None),
        EventKind::Kill { attacker: Some(attacker), class, .. }
            if *class == "kill" && is_own(&attacker.name) =>
        {
            (2, recorder_position()?, None)
        }
        EventKind::Death { player, origin, own: by_own } if *by_own || level.is_of(player) => {
            (3, origin.map(flat).or_else(recorder_position)?, None)
        }
        EventKind::Death { origin, .. } => {
            (4, flat((*origin).or(event.origin.map(|at| at.map(f64::from)))?), None)
        }
        EventKind::Secret { .. } => (5, recorder_position()?, None),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::SORTS;

    /// A legend's text starts 670 pixels from the left of a map, which is 800 wide. Letters of this size are about
    /// 6 pixels wide. The singular stands after "1 ", the plural after a count of up to three digits.
    #[test]
    fn names_fit_into_the_legend() {
        for [one, several] in SORTS.iter().map(|sort| sort.names) {
            assert!((2 + one.len()) * 6 <= 130, "{one}");
            assert!((4 + several.len()) * 6 <= 130, "{several}");
        }
    }
}
