//! Camera scripts: TOML, a table for each shot, with the words of `ReMaic`'s screenplays.

// schema-once, all words: the words of camera scripts

use super::rig::{Path, Point};
use crate::players::Players;
use crate::{Code, Mistake, Spans};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a camera can follow.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    /// Who recorded.
    Me,
    /// A player by a part of his name.
    Name(String),
    /// A player by his number, counted from 1.
    Player(u16),
    /// An entity by its number.
    Entity(u16),
}

impl Target {
    /// Who may be meant by a name that none of these players has.
    pub(super) fn meant(&self, players: &Players) -> Option<String> {
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
pub(super) enum Stand {
    Way(Path<3>),
    Chase { target: Target, behind: f64, above: f64 },
    Orbit { target: Target, distance: f64, above: f64, from: f64, to: f64 },
}

/// Where a camera looks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Look {
    At(Target),
    Way(Path<3>),
    Turn(Path<2>),
}

/// A shot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shot {
    pub(super) spans: Spans,
    /// Where in the script the spans are said.
    pub(super) said: Range<usize>,
    pub(super) stand: Stand,
    pub(super) look: Look,
    pub(super) roll: Path<1>,
    pub(super) fov: Option<Path<1>>,
    pub(super) ease: bool,
    /// Where in the script it is said what it follows.
    targets: Vec<(Target, Range<usize>)>,
}

impl Shot {
    /// Where in the script it is said that it follows this.
    pub(super) fn said_of(&self, target: &Target) -> Range<usize> {
        let said = self.targets.iter().find(|(it, _)| it == target);
        said.map_or_else(|| self.said.clone(), |(_, place)| place.clone())
    }
}

/// A script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Script {
    pub(super) text: String,
    pub(super) shots: Vec<Shot>,
}

const KEYS: &str = "at, stay, move, chase, orbit, view, pan, turn, lean, roll, fov, ease";

/// The words that need another one beside them.
const PARTS: [(&str, &[&str]); 5] = [
    ("behind", &["chase"]),
    ("above", &["chase", "orbit"]),
    ("distance", &["orbit"]),
    ("from", &["orbit"]),
    ("to", &["orbit"]),
];

/// A mistake at these bytes of a script.
pub(super) fn mistake(text: &str, at: Range<usize>, message: impl Into<String>) -> Mistake {
    let start = at.start.min(text.len());
    let before = text.get(..start).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(line_start..).unwrap_or_default().lines().next().unwrap_or_default();
    let first = start - line_start;
    let last = at.end.saturating_sub(line_start).min(line.len()).max(first);
    Mistake::new(Code::Script, message, line, first..last).in_line(before.matches('\n').count() as u64 + 1)
}

impl Script {
    /// A shot by its number, and the line that says when it is.
    pub(super) fn called(&self, shot: usize) -> String {
        let said = self.shots.get(shot).map_or(0, |shot| shot.said.start);
        let line = self.text.get(..said).unwrap_or_default().matches('\n').count() + 1;
        format!("shot {} (line {line})", shot + 1)
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
                let message = format!("a script has nothing called `{}`", key.get_ref());
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

const SHOT: &str = "each shot begins with a line [[shot]]";

type Value<'t> = &'t Spanned<DeValue<'t>>;

struct Reader<'t> {
    text: &'t str,
    table: &'t DeTable<'t>,
    place: Range<usize>,
}

impl<'t> Reader<'t> {
    fn get(&self, key: &str) -> Option<Value<'t>> {
        self.table.iter().find(|(it, _)| it.get_ref() == key).map(|(_, value)| value)
    }

    fn wrong(&self, at: Range<usize>, message: impl Into<String>, help: &str) -> Mistake {
        mistake(self.text, at, message).help(help)
    }

    fn shot(&self) -> Result<Shot, Mistake> {
        for (key, _) in self.table {
            let name: &str = key.get_ref();
            let part = PARTS.iter().find(|(part, _)| *part == name);
            if part.is_none() && !KEYS.split(", ").any(|known| known == name) {
                return Err(self.wrong(
                    key.span(),
                    format!("a shot has nothing called `{name}`"),
                    &format!("it has {KEYS}"),
                ));
            }
            if let Some((_, owners)) = part
                && !owners.iter().any(|owner| self.get(owner).is_some())
            {
                let owners = owners.join(" or ");
                return Err(self.wrong(
                    key.span(),
                    format!("`{name}` belongs to {owners}"),
                    &format!("add {owners}, or take it away"),
                ));
            }
        }
        let Some(at) = self.get("at") else {
            return Err(self.wrong(
                self.place.clone(),
                "this shot does not say when",
                "add a line like at = \"0:05..0:10\"",
            ));
        };
        let words = self.string(at)?;
        let spans = Spans::parse(words).map_err(|it| within(self.text, at.span(), &it))?;
        let stand = self.stand()?;
        let look = self.look(&stand)?;
        let roll = match self.one_of(&["lean", "roll"])? {
            None => vec![[0.0]],
            Some((_, value)) => self.numbers(value)?,
        };
        let fov = match self.get("fov") {
            None => None,
            Some(value) => {
                let fov = self.numbers(value)?;
                if fov.iter().any(|[degrees]| !(1.0..=179.0).contains(degrees)) {
                    return Err(self.wrong(
                        value.span(),
                        "a field of view has 1 to 179 degrees",
                        "90 is the usual",
                    ));
                }
                Some(Path::new(fov))
            }
        };
        let ease = match self.get("ease") {
            None => false,
            Some(value) => match value.get_ref() {
                DeValue::Boolean(yes) => *yes,
                _ => {
                    return Err(self.wrong(
                        value.span(),
                        "true or false was expected",
                        "ease = true starts and stops softly",
                    ));
                }
            },
        };
        let targets = ["chase", "orbit", "view"].into_iter().filter_map(|key| {
            let value = self.get(key)?;
            Some((self.target(value).ok()?, value.span()))
        });
        let (targets, roll) = (targets.collect(), Path::new(roll));
        Ok(Shot { spans, said: at.span(), stand, look, roll, fov, ease, targets })
    }

    /// The one of these that is there.
    fn one_of(&self, keys: &[&'static str]) -> Result<Option<(&'static str, Value<'t>)>, Mistake> {
        let mut found = keys.iter().filter_map(|key| self.get(key).map(|value| (*key, value)));
        let first = found.next();
        if let (Some((one, _)), Some((other, value))) = (first, found.next()) {
            return Err(self.wrong(
                value.span(),
                format!("`{other}` beside `{one}`"),
                "a shot has one of them",
            ));
        }
        Ok(first)
    }

    fn stand(&self) -> Result<Stand, Mistake> {
        let number = |key: &str, usual: f64| self.get(key).map_or(Ok(usual), |value| self.number(value));
        Ok(match self.one_of(&["stay", "move", "chase", "orbit"])? {
            Some(("stay", value)) => Stand::Way(Path::new(vec![self.point(value)?])),
            Some(("move", value)) => {
                let way = self.points(value)?;
                if way.len() < 2 {
                    let help = "write [[x, y, z], [x, y, z]], or stay = [x, y, z] for one place";
                    return Err(self.wrong(value.span(), "a way has two places at least", help));
                }
                Stand::Way(Path::new(way))
            }
            Some(("chase", value)) => Stand::Chase {
                target: self.target(value)?,
                behind: number("behind", 96.0)?,
                above: number("above", 40.0)?,
            },
            Some((_, value)) => {
                let from = number("from", 0.0)?;
                Stand::Orbit {
                    target: self.target(value)?,
                    distance: number("distance", 160.0)?,
                    above: number("above", 48.0)?,
                    from,
                    to: number("to", from + 360.0)?,
                }
            }
            None => {
                let help = "add stay = [x, y, z], move = [[x, y, z], ...], chase = \"me\" or orbit = \"me\"";
                return Err(self.wrong(
                    self.place.clone(),
                    "this shot does not say where the camera is",
                    help,
                ));
            }
        })
    }

    fn look(&self, stand: &Stand) -> Result<Look, Mistake> {
        Ok(match self.one_of(&["view", "pan", "turn"])? {
            Some(("view", value)) if matches!(value.get_ref(), DeValue::String(_)) => {
                Look::At(self.target(value)?)
            }
            Some(("view", value)) => Look::Way(Path::new(vec![self.point(value)?])),
            Some(("pan", value)) => Look::Way(Path::new(self.points(value)?)),
            Some((_, value)) => Look::Turn(Path::new(self.lists(value)?)),
            None => Look::At(match stand {
                Stand::Chase { target, .. } | Stand::Orbit { target, .. } => target.clone(),
                Stand::Way(_) => Target::Me,
            }),
        })
    }

    fn string(&self, value: Value<'t>) -> Result<&'t str, Mistake> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.as_ref()),
            _ => Err(self.wrong(value.span(), "a text in quotes was expected", "at = \"0:05..0:10\"")),
        }
    }

    fn target(&self, value: Value<'t>) -> Result<Target, Mistake> {
        let help = "say \"me\", \"player 2\", \"player Ranger\" or \"entity 17\"";
        let words = self.string(value)?;
        let number = |word: &str| word.trim().parse::<u16>().ok().filter(|number| *number > 0);
        let target = if words == "me" {
            Some(Target::Me)
        } else if let Some(who) = words.strip_prefix("player ") {
            let name = || Target::Name(who.trim().to_owned());
            Some(number(who).map_or_else(name, Target::Player)).filter(|_| !who.trim().is_empty())
        } else {
            words.strip_prefix("entity ").and_then(number).map(Target::Entity)
        };
        target.ok_or_else(|| self.wrong(value.span(), format!("`{words}` is nothing to follow"), help))
    }

    fn number(&self, value: Value<'t>) -> Result<f64, Mistake> {
        let number = match value.get_ref() {
            DeValue::Integer(it) if it.radix() == 10 => it.as_str().parse::<f64>().ok(),
            DeValue::Float(it) => it.as_str().parse::<f64>().ok(),
            _ => None,
        };
        // What no protocol can send is no place.
        let number = number.filter(|it| it.is_finite() && it.abs() <= 1e6);
        number.ok_or_else(|| {
            self.wrong(value.span(), "a number was expected", "places are in units of the game")
        })
    }

    fn list<const N: usize>(&self, value: Value<'t>) -> Result<[f64; N], Mistake> {
        let wrong = || {
            let what = if N == 3 { "[x, y, z]" } else { "[pitch, yaw]" };
            self.wrong(
                value.span(),
                format!("{what} was expected"),
                &format!("write {N} numbers with commas between"),
            )
        };
        let DeValue::Array(all) = value.get_ref() else { return Err(wrong()) };
        let numbers: Vec<f64> = all.iter().map(|it| self.number(it)).collect::<Result<_, _>>()?;
        numbers.try_into().map_err(|_| wrong())
    }

    fn point(&self, value: Value<'t>) -> Result<Point, Mistake> {
        self.list(value)
    }

    fn points(&self, value: Value<'t>) -> Result<Vec<Point>, Mistake> {
        self.lists(value)
    }

    /// A list of lists, or one of these alone.
    fn lists<const N: usize>(&self, value: Value<'t>) -> Result<Vec<[f64; N]>, Mistake> {
        match value.get_ref() {
            DeValue::Array(all) if all.iter().any(|it| matches!(it.get_ref(), DeValue::Array(_))) => {
                all.iter().map(|it| self.list(it)).collect()
            }
            _ => self.list(value).map(|one| vec![one]),
        }
    }

    /// Numbers one after the other, or one alone.
    fn numbers(&self, value: Value<'t>) -> Result<Vec<[f64; 1]>, Mistake> {
        match value.get_ref() {
            DeValue::Array(all) if all.iter().count() > 0 => {
                all.iter().map(|it| self.number(it).map(|it| [it])).collect()
            }
            _ => self.number(value).map(|one| vec![[one]]),
        }
    }
}

/// A mistake in the words of a string of the script, as one in the script.
pub(super) fn within(text: &str, string: Range<usize>, found: &Mistake) -> Mistake {
    // Behind the quote.
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

    fn place(text: &str) -> (u64, usize, usize, Code) {
        let found = Script::parse(text).unwrap_err();
        (found[0].line, found[0].column, found[0].length, found[0].code)
    }

    #[test]
    fn all_the_verbs_are_read() {
        let it = shot(
            "at = '1..2'\nstay = [1, 2.5, -3]\nview = 'player 2'\nlean = 5\nfov = [90, 40]\nease = true",
        );
        assert_eq!(it.stand, Stand::Way(Path::new(vec![[1.0, 2.5, -3.0]])));
        assert_eq!(it.look, Look::At(Target::Player(2)));
        assert_eq!(
            (it.roll, it.fov, it.ease),
            (Path::new(vec![[5.0]]), Some(Path::new(vec![[90.0], [40.0]])), true)
        );
        let it =
            shot("at = '1..2'\nmove = [[0, 0, 0], [1, 1, 1]]\npan = [[5, 5, 5], [6, 6, 6]]\nroll = [0, 360]");
        assert_eq!(it.stand, Stand::Way(Path::new(vec![[0.0; 3], [1.0; 3]])));
        assert_eq!(it.look, Look::Way(Path::new(vec![[5.0; 3], [6.0; 3]])));
        let it = shot("at = '1..2'\nchase = 'player Ranger'\nbehind = 50");
        let target = Target::Name("Ranger".into());
        assert_eq!(it.stand, Stand::Chase { target: target.clone(), behind: 50.0, above: 40.0 });
        assert_eq!(it.look, Look::At(target));
        let it = shot("at = 'chat \"x\" +5'\norbit = 'entity 17'\nto = 90\nturn = [[0, 0], [10, 90]]");
        let target = Target::Entity(17);
        assert_eq!(it.stand, Stand::Orbit { target, distance: 160.0, above: 48.0, from: 0.0, to: 90.0 });
        assert_eq!(it.look, Look::Turn(Path::new(vec![[0.0, 0.0], [10.0, 90.0]])));
    }

    #[test]
    fn mistakes_have_their_line() {
        use Code::{Script as S, Span};
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
        assert_eq!(place("[[shot]]\nat = '1..2'\nmove = [[1, 2, 3]]\n"), (3, 8, 11, S));
        assert_eq!(place("[[shot]]\nat = '1..2'\nstay = [nan, 2, 3]\n"), (3, 9, 3, S));
    }
}
