//! Camera scripts: TOML, a table for each shot, with the words of `ReMaic`'s screenplays.

// not from SCHEMA, all words: the words of camera scripts

use super::read::Reader;
use super::rig::{Path, ease, paced};
use crate::machinery::players::Players;
use crate::{EditCode, Mistake, Spans};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A thing that a camera can follow.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    /// The player who recorded.
    Me,
    /// A player by a part of the name.
    Name(String),
    /// A player by the number, counted from 1.
    Player(u16),
    /// An entity by its number.
    Entity(u16),
}

impl Target {
    /// The player with the most similar name, if no player has exactly this one.
    pub(super) fn suggest_player(&self, players: &Players) -> Option<String> {
        let Self::Name(name) = self else { return None };
        if !players.called(name).is_empty() {
            return None;
        }
        let meant = players.nearest(name);
        Some(meant.map_or_else(|| players.listed(), |meant| format!("did you mean `player {meant}`?")))
    }
}

/// Where a camera is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CameraStand {
    Way(Path<3>),
    Chase {
        target: Target,
        distance_behind: f64,
        height_above: f64,
    },
    Orbit {
        target: Target,
        distance: f64,
        above: f64,
        from: f64,
        to: f64,
    },
    /// In the eyes of another player.
    Eyes(Target),
    /// Where the recorder of another recording, a file of this name, was.
    Recorded(String),
}

/// Where a camera looks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Look {
    At(Target),
    Way(Path<3>),
    Turn(Path<2>),
    /// In the direction in which the player looked whose eyes or path the camera takes.
    AsPlayer,
}

/// A shot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shot {
    pub(super) spans: Spans,
    /// The place of the spans in the script.
    pub(super) range: Range<usize>,
    pub(super) stand: CameraStand,
    pub(super) look: Look,
    pub(super) roll: Path<1>,
    pub(super) fov: Option<Path<1>>,
    /// Whether the status bar is shown.
    pub(super) hud: bool,
    pub(super) ease: bool,
    /// The times at which the camera is at the points of its paths. Only their proportions count. Empty for an even
    /// speed.
    pub(super) when: Vec<f64>,
    /// The places in the script that name the followed things.
    pub(super) targets: Vec<(Target, Range<usize>)>,
}

impl Shot {
    /// The point of a path at `progress`, from 0 at the shot's start to 1 at its end.
    pub(super) fn on<const N: usize>(&self, path: &Path<N>, progress: f64) -> [f64; N] {
        match paced(&self.when, progress, self.ease) {
            Some(parts) if path.points() == self.when.len() => path.part(parts),
            _ => path.timed(self.path_share(progress)),
        }
    }

    /// The point of a path through the level at this progress; the speed is even unless the points have times.
    pub(super) fn on_level(&self, path: &Path<3>, progress: f64) -> [f64; 3] {
        if path.points() == self.when.len() {
            self.on(path, progress)
        } else {
            path.even(self.path_share(progress))
        }
    }

    /// The part of its paths that is done at `progress`.
    pub(super) fn path_share(&self, progress: f64) -> f64 {
        if self.ease { ease(progress) } else { progress }
    }

    /// The place in the script that names this target.
    pub(super) fn place_of(&self, target: &Target) -> Range<usize> {
        let range = self.targets.iter().find(|(it, _)| it == target);
        range.map_or_else(|| self.range.clone(), |(_, place)| place.clone())
    }
}

/// A script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Script {
    pub(super) text: String,
    pub(super) shots: Vec<Shot>,
}

/// A mistake at these bytes of a script.
pub(super) fn mistake(text: &str, at: Range<usize>, message: impl Into<String>) -> Mistake {
    let start = at.start.min(text.len());
    let before = text.get(..start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(line_start..).unwrap_or_default().lines().next().unwrap_or_default();
    let first = start - line_start;
    let last = at.end.saturating_sub(line_start).min(line.len()).max(first);
    Mistake::new(EditCode::Script, message, line, first..last)
        .in_line(before.matches('\n').count() as u64 + 1)
}

impl Script {
    /// A shot by its number, and the line of the file that says when it is.
    pub(super) fn called(&self, shot: usize) -> String {
        if self.text.starts_with(LINES) {
            return format!("shot {}", shot + 1);
        }
        let start = self.shots.get(shot).map_or(0, |shot| shot.range.start);
        let line = self.text.get(..start).unwrap_or_default().matches('\n').count() + 1;
        format!("shot {} (line {line})", shot + 1)
    }

    /// A script of shots of one line each.
    pub(super) fn of_lines(lines: &[String]) -> Result<Self, Vec<Mistake>> {
        // Each shot is on a line of its own, which then is the source of its mistakes.
        let script = Self::parse(&format!("{LINES}{{\n{}\n}}]\n", lines.join("\n}, {\n")));
        let in_words = |mistake: Mistake| {
            if lines.contains(&mistake.source) {
                return mistake.in_line(1);
            }
            // A bracket or a quote is not closed.
            let whole = lines.first().map(String::as_str).unwrap_or_default();
            let mistake = Mistake::new(mistake.code, mistake.message, whole, 0..whole.len());
            mistake.help("a shot in one line is: at = \"+5..+8\", stay = [1, 2, 3], view = \"me\"")
        };
        script.map_err(|found| found.into_iter().map(in_words).collect())
    }

    pub(super) fn parse(text: &str) -> Result<Self, Vec<Mistake>> {
        let table = DeTable::parse(text).map_err(|error| {
            vec![
                mistake(text, error.span().unwrap_or_default(), error.message())
                    .help("scripts are TOML files"),
            ]
        })?;
        let mut mistakes = Vec::new();
        let mut shots = Vec::new();
        let table = table.get_ref();
        for (key, value) in table {
            if key.get_ref() == "shot"
                && let DeValue::Array(all) = value.get_ref()
            {
                for shot in all {
                    match shot.get_ref() {
                        DeValue::Table(it) => match (Reader { text, table: it, place: shot.span() }).shot() {
                            Ok(shot) => shots.push(shot),
                            Err(found) => mistakes.push(found),
                        },
                        _ => mistakes.push(mistake(text, shot.span(), "a shot is a table").help(SHOT)),
                    }
                }
            } else {
                let message = format!("a script has no key `{}`", key.get_ref());
                mistakes.push(mistake(text, key.span(), message).help(SHOT));
            }
        }
        if shots.is_empty() && mistakes.is_empty() {
            mistakes.push(mistake(text, 0..0, "there is no shot in this script").help(SHOT));
        }
        mistakes.sort_by_key(|it| it.line);
        if mistakes.is_empty() { Ok(Self { text: text.to_owned(), shots }) } else { Err(mistakes) }
    }
}

/// The first line of a script that is made of shots of one line each.
const LINES: &str = "shot = [";

const SHOT: &str = "each shot begins with a line [[shot]]";

/// A mistake in the words of a string of the script, as one in the script.
pub(super) fn within(text: &str, string: Range<usize>, found: &Mistake) -> Mistake {
    // After the quote.
    let start = string.start + found.column;
    let mut mistake = mistake(text, start..start + found.length, found.message.clone());
    mistake.code = found.code;
    mistake.help.clone_from(&found.help);
    mistake
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot(text: &str) -> Shot {
        Script::parse(&format!("[[shot]]\n{text}")).unwrap().shots.remove(0)
    }

    fn place(text: &str) -> (u64, usize, usize, EditCode) {
        let found = Script::parse(text).unwrap_err();
        (found[0].line, found[0].column, found[0].length, found[0].code)
    }

    #[test]
    fn all_the_verbs_are_read() {
        let it = shot(
            "at = '1..2'\nstay = [1, 2.5, -3]\nview = 'player 2'\nlean = 5\nfov = [90, 40]\nease = true",
        );
        assert_eq!(it.stand, CameraStand::Way(Path::new(vec![[1.0, 2.5, -3.0]])));
        assert_eq!(it.look, Look::At(Target::Player(2)));
        assert_eq!(
            (it.roll, it.fov, it.ease),
            (Path::new(vec![[5.0]]), Some(Path::new(vec![[90.0], [40.0]])), true)
        );
        let it =
            shot("at = '1..2'\nmove = [[0, 0, 0], [1, 1, 1]]\npan = [[5, 5, 5], [6, 6, 6]]\nroll = [0, 360]");
        assert_eq!(it.stand, CameraStand::Way(Path::new(vec![[0.0; 3], [1.0; 3]])));
        assert_eq!(it.look, Look::Way(Path::new(vec![[5.0; 3], [6.0; 3]])));
        let it = shot("at = '1..2'\nchase = 'player Ranger'\nbehind = 50");
        let target = Target::Name("Ranger".into());
        assert_eq!(
            it.stand,
            CameraStand::Chase { target: target.clone(), distance_behind: 50.0, height_above: 40.0 }
        );
        assert_eq!(it.look, Look::At(target));
        let it = shot("at = 'chat \"x\" +5'\norbit = 'entity 17'\nto = 90\nturn = [[0, 0], [10, 90]]");
        let target = Target::Entity(17);
        assert_eq!(
            it.stand,
            CameraStand::Orbit { target, distance: 160.0, above: 48.0, from: 0.0, to: 90.0 }
        );
        assert_eq!(it.look, Look::Turn(Path::new(vec![[0.0, 0.0], [10.0, 90.0]])));
    }

    #[test]
    fn mistakes_have_their_line() {
        use EditCode::{Script as S, Span};
        assert_eq!(place(""), (1, 1, 0, S));
        assert_eq!(place("[[shot]\n").0, 1);
        assert_eq!(place("[[shott]]\nat = 1\n"), (1, 3, 5, S));
        assert_eq!(place("[[shot]]\nstay = [1, 2, 3]\n"), (1, 1, 8, S));
        assert_eq!(place("[[shot]]\nat = '1..x'\nstay = [1, 2, 3]\n"), (2, 10, 1, Span));
        assert_eq!(place("[[shot]]\nat = '1..2'\n"), (1, 1, 8, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [1, 2]\n"), (3, 8, 6, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [1, 2, 'x']\n"), (3, 15, 3, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [1, 2, 3]\nmove = [[1, 2, 3]]\n"), (4, 8, 11, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [1, 2, 3]\nview = 'him'\n"), (4, 8, 5, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [1, 2, 3]\nbehind = 4\n"), (4, 1, 6, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [1, 2, 3]\nzoom = 4\n"), (4, 1, 4, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [1, 2, 3]\nfov = 200\n"), (4, 7, 3, S));
        let help = |word: &str| {
            Script::parse(&format!("[[shot]]\n{word} = 4\n")).unwrap_err()[0].help.clone().unwrap()
        };
        assert_eq!([help("mvoe"), help("distnce")], ["did you mean `move`?", "did you mean `distance`?"]);
        assert!(help("zoom").starts_with("it has at, stay"));
        assert_eq!(place("[[shot]]\nat = '1..2'\nmove = [[1, 2, 3]]\n"), (3, 8, 11, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [nan, 2, 3]\n"), (3, 9, 3, S));
    }
}
