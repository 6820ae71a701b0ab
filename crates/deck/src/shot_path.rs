//! A camera shot that the user placed by flying, and its line in a script.

// not from SCHEMA, all words: the words of camera scripts

use crate::script::{CAMERA, SHOT};
use moviola_edit::{Script, quoted};
use std::fmt::Write as _;

/// The duration of a shot with a single position, in seconds.
const SINGLE_SHOT_SECONDS: f64 = 3.0;

/// A position that is more than this many seconds after the last one begins another shot.
const NEW_SHOT_AFTER: f64 = 30.0;

/// A position that is less than this many seconds from an earlier one replaces it.
const SAME_MOMENT: f64 = 0.05;

/// A place of the camera: its seconds of the film, where it is, and its pitch and yaw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CameraPlace {
    pub(crate) at: f64,
    pub(crate) eye: [f64; 3],
    pub(crate) turn: [f64; 2],
}

/// The positions of a shot, in the order of their times.
#[derive(Clone, Debug, PartialEq)]
struct ShotPath(Vec<CameraPlace>);

/// The script with an additional position of the camera. If the last line is a shot that was placed by flying and is
/// near in time, the position is added to it; otherwise it begins a new shot.
pub(crate) fn place(script: &str, placed: CameraPlace) -> String {
    let mut lines: Vec<&str> = script.trim_end().lines().collect();
    let last = lines.last().and_then(|line| read(line)).filter(|way| way.contains(placed.at));
    let mut path = match last {
        Some(way) => {
            lines.pop();
            way
        }
        None => ShotPath(Vec::new()),
    };
    path.0.retain(|it| (it.at - placed.at).abs() > SAME_MOMENT);
    path.0.push(placed);
    path.0.sort_by(|one, other| one.at.total_cmp(&other.at));
    let mut script: String = lines.into_iter().flat_map(|line| [line, "\n"]).collect();
    let _ = writeln!(script, "{CAMERA} {SHOT} {}", quoted(&path.words()));
    script
}

impl ShotPath {
    fn contains(&self, at: f64) -> bool {
        let ends = self.0.first().zip(self.0.last());
        ends.is_some_and(|(first, last)| (first.at - NEW_SHOT_AFTER..=last.at + NEW_SHOT_AFTER).contains(&at))
    }

    fn words(&self) -> String {
        let first = self.0.first().map_or(0.0, |it| it.at);
        let last = self.0.last().filter(|_| self.0.len() > 1).map_or(first + SINGLE_SHOT_SECONDS, |it| it.at);
        let mut before = None;
        // Turns take the shorter direction: from 350 to 10 degrees a camera must not pass 180.
        let turns: Vec<String> = self
            .0
            .iter()
            .map(|it| {
                let [pitch, yaw] = it.turn;
                let yaw = before
                    .map_or(yaw, |before: f64| before + (yaw - before + 180.0).rem_euclid(360.0) - 180.0);
                before = Some(yaw);
                list(&[pitch, yaw], 1)
            })
            .collect();
        let eyes: Vec<String> = self.0.iter().map(|it| list(&it.eye, 1)).collect();
        // Round outward to milliseconds, so that the first and last blocks stay inside the span.
        let [start, end] = [(first * 1000.0).floor() / 1000.0, (last * 1000.0).ceil() / 1000.0];
        let [start, end] = [start, end].map(|it| number(it, 3));
        let (eyes, turns) = (eyes.join(", "), turns.join(", "));
        if self.0.len() == 1 {
            return format!("at = \"+{start}..+{end}\", stay = {eyes}, turn = [{turns}]");
        }
        let when: Vec<f64> = self.0.iter().map(|it| it.at - first).collect();
        let when = list(&when, 3);
        format!("at = \"+{start}..+{end}\", move = [{eyes}], turn = [{turns}], when = {when}, ease = true")
    }
}

/// Reads a line that [`ShotPath::words`] wrote; `None` for any other line.
fn read(line: &str) -> Option<ShotPath> {
    let script = Script::parse(line).ok()?;
    let words: Vec<&str> = script.lines().first()?.words().collect();
    let [CAMERA, SHOT, words] = words.as_slice() else { return None };
    let after = |key: &str| words.split_once(&format!("{key} = ")).map(|(_, rest)| rest);
    let start: f64 = after("at")?.strip_prefix("\"+")?.split_once("..")?.0.parse().ok()?;
    let path_of = |eyes: Vec<f64>, turns: Vec<f64>, when: Vec<f64>| {
        let (eyes, turns) = (eyes.as_chunks().0.to_vec(), turns.as_chunks().0.to_vec());
        let is_whole = eyes.len() == when.len() && turns.len() == when.len();
        let placed = when.into_iter().zip(eyes).zip(turns);
        is_whole.then(|| {
            ShotPath(placed.map(|((at, eye), turn)| CameraPlace { at: start + at, eye, turn }).collect())
        })
    };
    let turns = numbers(after("turn")?)?;
    let way = match after("move") {
        Some(eyes) => path_of(numbers(eyes)?, turns, numbers(after("when")?)?),
        None => path_of(numbers(after("stay")?)?, turns, vec![0.0]),
    }?;
    // If writing the path again gives other words, a person wrote or changed the line, and it must not be lost.
    (way.words() == **words).then_some(way)
}

/// The numbers in brackets, up to where the first bracket closes.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let mut depth = 0_i32;
    let end = text.find(|sign: char| {
        depth += match sign {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    let inside = text.get(..end)?.replace(['[', ']'], " ");
    inside.split(',').map(|word| word.trim().parse().ok()).collect()
}

fn list(numbers: &[f64], digits: usize) -> String {
    let all: Vec<String> = numbers.iter().map(|it| number(*it, digits)).collect();
    format!("[{}]", all.join(", "))
}

/// A number without needless digits.
fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_edit::Camera;

    fn at(at: f64, x: f64, yaw: f64) -> CameraPlace {
        CameraPlace { at, eye: [x, 0.25, -3.0], turn: [10.0, yaw] }
    }

    #[test]
    fn places_become_a_shot_that_the_command_line_reads() {
        let one = place("strip chat\n", at(5.0, 1.0, 350.0));
        assert_eq!(
            one,
            "strip chat\ncamera --shot 'at = \"+5..+8\", stay = [1, 0.2, -3], turn = [[10, 350]]'\n"
        );
        // Positions that were placed out of order, one of them twice.
        let three = place(&place(&place(&one, at(9.5, 3.0, 20.0)), at(7.0, 2.0, 10.0)), at(9.5, 4.0, 30.0));
        let line = three.lines().last().unwrap();
        assert!(line.contains("\"+5..+9.5\"") && line.contains("when = [0, 2, 4.5]"), "{line}");
        assert!(line.contains("turn = [[10, 350], [10, 370], [10, 390]]"), "{line}");
        assert_eq!(three.lines().count(), 2);
        let script = Script::parse(line).unwrap();
        let word = script.lines()[0].words().last().unwrap().to_owned();
        assert_eq!(Camera::shots(&[word]).unwrap().ways()[0].len(), 33);
    }

    #[test]
    fn shots_written_by_hand_stay() {
        let own = "camera --shot 'at = \"+5..+8\", stay = [1, 2, 3], turn = [[0, 0]], lean = 5'\n";
        assert!(place(own, at(6.0, 0.0, 0.0)).starts_with(own));
        let far = place("", at(5.0, 1.0, 0.0));
        assert_eq!(place(&far, at(60.0, 1.0, 0.0)).lines().count(), 2);
    }
}
