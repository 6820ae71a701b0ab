//! Highlights: the parts of a recording in which something happens.

use crate::span::follow;
use crate::{Error, Found};
use moviola_analyse::{Event, Events, Kind};
use std::io::Read;

/// How many parts there are at most; more than that are no highlights.
const MOST: usize = 4096;

/// Finds what is interesting in a recording: kills, pickups, damage, chat, secrets, flags and powerups, with so many
/// seconds before and after each. [`Cut::keep`](crate::Cut::keep) makes a recording of them.
///
/// ```
/// use moviola_edit::{Cut, highlights, rewrite};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-every-message").unwrap().bytes;
/// let found = highlights(&recording[..], 3.0, 2.0).unwrap();
/// let mut film = Vec::new();
/// rewrite(&recording[..], &mut Cut::keep(found), &mut film).unwrap();
/// assert!(!film.is_empty());
/// ```
///
/// # Errors
/// When nothing of interest happens, it is no recording or of a protocol that cannot be read, or reading fails.
pub fn highlights<R: Read>(source: R, before: f64, after: f64) -> Result<Found, Error> {
    let mut windows: Vec<(u32, f64, f64)> = Vec::new();
    let mut events = Events::new(|event: Event| {
        let Some(time) = event.time.filter(|time| time.is_finite() && is_interesting(&event.kind)) else {
            return;
        };
        let (level, from, to) = (event.level.max(1), time - before, time + after);
        let is_full = windows.len() >= MOST;
        let is_near = |end: f64| is_full || from <= end;
        match windows.last_mut() {
            // An event may be told of a little later than it was.
            Some((of, start, end)) if *of == level && is_near(*end) && to >= *start => {
                (*start, *end) = (start.min(from), end.max(to));
            }
            _ => windows.push((level, from, to)),
        }
    });
    let levels = follow(source, &mut events)?;
    drop(events);
    if windows.is_empty() {
        let why = "nothing of interest happens in it: no kill, pickup, damage, chat or secret";
        return Err(Error::Impossible(why.into()));
    }
    Ok(Found::of_times(windows, levels))
}

fn is_interesting(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Kill { .. }
            | Kind::Pickup { .. }
            | Kind::Damage { .. }
            | Kind::Chat { .. }
            | Kind::Secret { .. }
            | Kind::Monster { .. }
            | Kind::PowerupStart { .. }
            | Kind::Flag { .. }
            | Kind::Death { .. }
    )
}
