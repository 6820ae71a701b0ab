//! The gap in time between two runs, as speedrunners show it: how much earlier or later the other run was
//! at the place where the recorder is now.

use crate::machinery::pose::{Point, distance};
use std::fmt::Write as _;

/// The path of another run through a level.
#[derive(Clone, Debug)]
pub(super) struct Track {
    points: Vec<(f64, Point)>,
    /// Points closer in time than this are left out.
    step: f64,
}

/// The most points that a track holds; beyond these only every second one is kept.
const MOST_POINTS: usize = 16_384;

/// Two runs that are further apart than this are at different places.
const SAME_PLACE: f64 = 96.0;

/// Of several times at which the other run was at a place, the one near the last gap counts: a second of difference
/// is worth this distance. It is far less than players run in a second, so it matters only between different passes
/// of the place, and not within one pass.
const DISTANCE_PER_SECOND: f64 = 16.0;

/// Where a run pauses for longer than this, its points are not connected.
const PAUSE: f64 = 0.5;

/// No run is faster than this for longer than a moment: a longer step is a teleport.
const FASTEST: f64 = 1000.0;
const MOMENT: f64 = 0.1;

impl Track {
    pub(super) fn new() -> Self {
        Self { points: Vec::new(), step: 0.0 }
    }

    /// Adds a position of the run. A time that is not later than the one before is ignored.
    pub(super) fn pass(&mut self, time: f64, place: Point) {
        if self.points.last().is_some_and(|(last, _)| time <= *last || time - last < self.step) {
            return;
        }
        self.points.push((time, place));
        if self.points.len() >= MOST_POINTS {
            let length = time - self.points.first().map_or(time, |(first, _)| *first);
            self.step = 2.0 * length / MOST_POINTS as f64;
            let mut at = 0_usize;
            self.points.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
    }

    /// The time at which the run was at a position; `None` if it never was.
    fn when(&self, place: Point, expected: f64) -> Option<f64> {
        let pause = PAUSE.max(4.0 * self.step);
        let nearest = |pair: &[(f64, Point)]| {
            let [(from, start), (to, end)] = *pair else { return None };
            let length = distance(&start, &end);
            let (mut time, mut there) = (from, start);
            if to - from < pause && length > 0.0 && length <= FASTEST * (to - from).max(MOMENT) {
                let along: f64 =
                    place.iter().zip(start).zip(end).map(|((at, from), to)| (at - from) * (to - from)).sum();
                let way = (along / (length * length)).clamp(0.0, 1.0);
                time += (to - from) * way;
                for (axis, end) in there.iter_mut().zip(end) {
                    *axis += (end - *axis) * way;
                }
            }
            let away = distance(&place, &there);
            (away <= SAME_PLACE).then(|| (away + DISTANCE_PER_SECOND * (time - expected).abs(), time))
        };
        let found = self.points.windows(2).filter_map(nearest).min_by(|one, other| one.0.total_cmp(&other.0));
        found.map(|(_, time)| time)
    }
}

/// The gaps to all ghosts of a level.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps {
    rivals: Vec<OtherRun>,
    /// When the gap was last shown.
    last: Option<f64>,
}

#[derive(Clone, Debug)]
struct OtherRun {
    name: String,
    track: Track,
    gap: f64,
}

/// The seconds from one text to the next. Engines show a text for two seconds, so that it stays on the
/// screen, and a person has the time to read it.
const EVERY: f64 = 1.0;

/// The most letters of a name, so that a line fits a screen of 40.
const NAME: usize = 30;

impl Gaps {
    /// The gaps to runs with these names.
    pub(super) fn of(rivals: impl IntoIterator<Item = (String, Track)>) -> Self {
        let rivals = rivals.into_iter().map(|(name, track)| OtherRun { name: short(&name), track, gap: 0.0 });
        Self { rivals: rivals.collect(), last: None }
    }

    /// Whether it is time for another text. After the clock goes back, the next text is due at once.
    pub(super) fn is_due(&self, now: f64) -> bool {
        !self.rivals.is_empty() && self.last.is_none_or(|last| now < last || now - last >= EVERY)
    }

    /// The text for the middle of the screen, with a NUL, if the player is at this position now; `None` if no other run
    /// was there. Each ghost is shown later by its shift.
    pub(super) fn text(&mut self, now: f64, place: Point, shifts: &[f64]) -> Option<Vec<u8>> {
        let (is_alone, mut text) = (self.rivals.len() == 1, String::new());
        for (rival, shift) in self.rivals.iter_mut().zip(shifts) {
            let Some(then) = rival.track.when(place, now - rival.gap - shift) else { continue };
            rival.gap = now - (then + shift);
            if !text.is_empty() {
                text.push('\n');
            }
            // Adding zero makes a gap of -0.0 positive.
            let tenths = (rival.gap * 10.0).round() / 10.0 + 0.0;
            let _ = write!(text, "{tenths:+.1}");
            if !is_alone {
                let _ = write!(text, " {}", rival.name);
            }
        }
        if text.is_empty() {
            return None;
        }
        self.last = Some(now);
        text.push('\0');
        Some(text.into_bytes())
    }
}

/// The name of a file without its folders, in the letters that games have.
fn short(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.chars().filter(char::is_ascii_graphic).take(NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: Option<Vec<u8>>) -> String {
        String::from_utf8(text.unwrap_or_default()).unwrap().trim_end_matches('\0').to_owned()
    }

    /// A run along x at this speed, from 1 s on.
    fn run(speed: f64, seconds: u32) -> Track {
        let mut track = Track::new();
        for tick in 0..seconds * 10 {
            let since = f64::from(tick) / 10.0;
            track.pass(1.0 + since, [since * speed, 0.0, 0.0]);
        }
        track
    }

    #[test]
    fn a_gap_is_the_time_at_the_same_place() {
        let mut gaps = Gaps::of([("x/slow.dem".into(), run(100.0, 20))]);
        // The recorder takes 3 seconds to the place for which the other run needs 9.
        assert_eq!(words(gaps.text(4.0, [900.0, 10.0, 0.0], &[0.0])), "-6.0");
        assert!(!gaps.is_due(4.5) && gaps.is_due(5.0) && gaps.is_due(3.0));
        assert_eq!(words(gaps.text(14.05, [900.0, 10.0, 0.0], &[0.0])), "+4.1");
        assert_eq!(words(gaps.text(10.0, [900.0, 0.0, 0.0], &[0.0])), "+0.0");
        assert_eq!(words(gaps.text(10.0, [900.0, 0.0, 0.0], &[2.5])), "-2.5", "a ghost that is shown later");
        assert_eq!(gaps.text(10.0, [900.0, 500.0, 0.0], &[0.0]), None, "nobody was there");
    }

    #[test]
    fn names_stand_beside_several_gaps() {
        let mut gaps =
            Gaps::of([("slow.dem".into(), run(100.0, 20)), ("a/qu\u{ef}ck.dem".into(), run(300.0, 4))]);
        assert_eq!(words(gaps.text(6.0, [300.0, 0.0, 0.0], &[0.0; 2])), "+2.0 slow.dem\n+4.0 quck.dem");
        assert_eq!(words(gaps.text(9.0, [1500.0, 0.0, 0.0], &[0.0; 2])), "-7.0 slow.dem");
    }

    #[test]
    fn of_two_visits_the_one_near_the_last_gap_counts() {
        let mut track = run(100.0, 10);
        // The other run waits at the end of its path, and then comes back.
        for tick in 0..30 {
            track.pass(11.0 + f64::from(tick) / 10.0, [990.0, 0.0, 0.0]);
        }
        for tick in 0..100 {
            track.pass(14.0 + f64::from(tick) / 10.0, [990.0 - f64::from(tick) * 10.0, 0.0, 0.0]);
        }
        let mut gaps = Gaps::of([(String::new(), track)]);
        assert_eq!(words(gaps.text(4.0, [200.0, 0.0, 0.0], &[0.0])), "+1.0");
        assert_eq!(words(gaps.text(13.0, [990.0, 0.0, 0.0], &[0.0])), "+1.0", "while it waits");
        assert_eq!(words(gaps.text(22.5, [200.0, 0.0, 0.0], &[0.0])), "+0.6");
    }

    #[test]
    fn a_long_run_takes_little_memory() {
        let mut track = Track::new();
        for tick in 0..200_000_u32 {
            track.pass(f64::from(tick) / 50.0, [f64::from(tick), 0.0, 0.0]);
        }
        assert!(track.points.len() < MOST_POINTS && track.points.len() > MOST_POINTS / 4);
        assert!((track.when([150_000.0, 0.0, 0.0], 2999.0).unwrap() - 3000.0).abs() < 0.1);
    }
}
