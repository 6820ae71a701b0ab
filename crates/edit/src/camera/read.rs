//! Reads a shot from its table in a camera script; every mistake has its place and a suggestion.

// not from SCHEMA, all words: the words of camera scripts

use super::rig::Path;
use super::script::{CameraStand, Look, Shot, Target, mistake, within};
use crate::machinery::pose::Point;
use crate::{Mistake, Spans};
use moviola_text::nearest;
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const KEYS: &str =
    "at, stay, move, chase, orbit, eyes, path, view, pan, turn, lean, roll, fov, hud, ease, when";

/// The keys that are only allowed together with another key.
const PARTS: [(&str, &[&str]); 5] = [
    ("behind", &["chase"]),
    ("above", &["chase", "orbit"]),
    ("distance", &["orbit"]),
    ("from", &["orbit"]),
    ("to", &["orbit"]),
];

/// A number of things in words.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

type Value<'t> = &'t Spanned<DeValue<'t>>;

/// The table of a shot, and where it is in the text of the script.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) table: &'t DeTable<'t>,
    pub(super) place: Range<usize>,
}

impl<'t> Reader<'t> {
    fn get(&self, key: &str) -> Option<Value<'t>> {
        self.table.iter().find(|(it, _)| it.get_ref() == key).map(|(_, value)| value)
    }

    fn mistake(&self, at: Range<usize>, message: impl Into<String>, help: &str) -> Mistake {
        mistake(self.text, at, message).help(help)
    }

    pub(super) fn shot(&self) -> Result<Shot, Mistake> {
        self.table.iter().try_for_each(|(key, _)| self.is_known(key))?;
        let Some(at) = self.get("at") else {
            let help = "add a line like at = \"0:05..0:10\"";
            return Err(self.mistake(self.place.clone(), "this shot has no time", help));
        };
        let spans = Spans::parse(self.string(at)?).map_err(|it| within(self.text, at.span(), &it))?;
        let stand = self.position()?;
        let look = self.look(&stand)?;
        let roll = match self.one_of(&["lean", "roll"])? {
            None => vec![[0.0]],
            Some((_, value)) => self.numbers(value)?,
        };
        let (fov, when) = (self.fov()?, self.when(&stand, &look)?);
        let ease = self.flag("ease", "ease = true starts and stops softly")?.unwrap_or(false);
        // The status bar has the numbers of the player who recorded, and not of the one in whose eyes the camera is.
        let hud = self.flag("hud", "hud = false hides the status bar")?;
        let hud = hud.unwrap_or(!matches!(stand, CameraStand::Eyes(_)));
        let targets = ["chase", "orbit", "eyes", "view"].into_iter().filter_map(|key| {
            let value = self.get(key)?;
            Some((self.target(value).ok()?, value.span()))
        });
        let (targets, roll) = (targets.collect(), Path::new(roll));
        Ok(Shot { spans, range: at.span(), stand, look, roll, fov, hud, ease, when, targets })
    }

    /// Checks that a key is known, and that the keys that it needs beside it are there too.
    fn is_known(&self, key: &Spanned<Cow<'_, str>>) -> Result<(), Mistake> {
        let name: &str = key.get_ref();
        let Some((_, owners)) = PARTS.iter().find(|(part, _)| *part == name) else {
            if KEYS.split(", ").any(|known| known == name) {
                return Ok(());
            }
            let known = KEYS.split(", ").chain(PARTS.iter().map(|(part, _)| *part));
            // The words are short, and slips seldom begin one.
            let meant =
                nearest(name, known).filter(|meant| meant.as_bytes().first() == name.as_bytes().first());
            let help = meant.map_or_else(|| format!("it has {KEYS}"), |it| format!("did you mean `{it}`?"));
            return Err(self.mistake(key.span(), format!("a shot has no key `{name}`"), &help));
        };
        if owners.iter().any(|owner| self.get(owner).is_some()) {
            return Ok(());
        }
        let owners = owners.join(" or ");
        let (message, help) =
            (format!("`{name}` belongs to {owners}"), format!("add {owners}, or remove it"));
        Err(self.mistake(key.span(), message, &help))
    }

    fn fov(&self) -> Result<Option<Path<1>>, Mistake> {
        let Some(value) = self.get("fov") else { return Ok(None) };
        let fov = self.numbers(value)?;
        if fov.iter().any(|[degrees]| !(1.0..=179.0).contains(degrees)) {
            return Err(self.mistake(
                value.span(),
                "a field of view has 1 to 179 degrees",
                "90 is the usual",
            ));
        }
        Ok(Some(Path::new(fov)))
    }

    fn flag(&self, key: &str, help: &str) -> Result<Option<bool>, Mistake> {
        match self.get(key).map(|value| (value.get_ref(), value.span())) {
            None => Ok(None),
            Some((DeValue::Boolean(yes), _)) => Ok(Some(*yes)),
            Some((_, place)) => Err(self.mistake(place, "true or false was expected", help)),
        }
    }

    /// The times at which the camera is at the points of its paths.
    fn when(&self, stand: &CameraStand, look: &Look) -> Result<Vec<f64>, Mistake> {
        let Some(value) = self.get("when") else { return Ok(Vec::new()) };
        let when: Vec<f64> = self.numbers(value)?.into_iter().map(|[time]| time).collect();
        let (place, way) = (value.span(), if let CameraStand::Way(path) = stand { path.points() } else { 0 });
        let turns = if let Look::Turn(path) = look { path.points() } else { way };
        if when.len() < 2 || when.len() != way || turns != way {
            let message = format!("{} for {way} places", counted(when.len(), "time"));
            let help = "`when` has a time for each place of `move`, and `turn` as many angles";
            return Err(self.mistake(place, message, help));
        }
        if !when.is_sorted_by(|one, other| one < other) {
            let help = "each time is later than the one before";
            return Err(self.mistake(place, "these times do not increase", help));
        }
        Ok(when)
    }

    /// The one of these keys that the shot has, with its value.
    fn one_of(&self, keys: &[&'static str]) -> Result<Option<(&'static str, Value<'t>)>, Mistake> {
        let mut found = keys.iter().filter_map(|key| self.get(key).map(|value| (*key, value)));
        let first = found.next();
        if let (Some((one, _)), Some((other, value))) = (first, found.next()) {
            return Err(self.mistake(
                value.span(),
                format!("`{other}` beside `{one}`"),
                "a shot has one of them",
            ));
        }
        Ok(first)
    }

    fn position(&self) -> Result<CameraStand, Mistake> {
        let number = |key: &str, usual: f64| self.get(key).map_or(Ok(usual), |value| self.number(value));
        Ok(match self.one_of(&["stay", "move", "chase", "orbit", "eyes", "path"])? {
            Some(("stay", value)) => CameraStand::Way(Path::new(vec![self.point(value)?])),
            Some(("move", value)) => {
                let way = self.points(value)?;
                if way.len() < 2 {
                    let help = "write [[x, y, z], [x, y, z]], or stay = [x, y, z] for one place";
                    return Err(self.mistake(value.span(), "a path needs at least two places", help));
                }
                CameraStand::Way(Path::new(way))
            }
            Some(("chase", value)) => CameraStand::Chase {
                target: self.target(value)?,
                distance_behind: number("behind", 96.0)?,
                height_above: number("above", 40.0)?,
            },
            Some(("eyes", value)) => match self.target(value)? {
                Target::Me => {
                    let help = "leave the shot out, or name another player: eyes = \"player 2\"";
                    return Err(self.mistake(value.span(), "these are the eyes of the recorder", help));
                }
                target => CameraStand::Eyes(target),
            },
            Some(("path", value)) => CameraStand::Recorded(self.string(value)?.to_owned()),
            Some((_, value)) => {
                let from = number("from", 0.0)?;
                CameraStand::Orbit {
                    target: self.target(value)?,
                    distance: number("distance", 160.0)?,
                    above: number("above", 48.0)?,
                    from,
                    to: number("to", from + 360.0)?,
                }
            }
            None => {
                let help = "add stay = [x, y, z], move = [[x, y, z], ...], chase = \"me\", orbit = \"me\", eyes = \"player 2\" or path = \"other.dem\"";
                return Err(self.mistake(
                    self.place.clone(),
                    "this shot has no position for the camera",
                    help,
                ));
            }
        })
    }

    fn look(&self, stand: &CameraStand) -> Result<Look, Mistake> {
        let look = self.one_of(&["view", "pan", "turn"])?;
        if let (CameraStand::Eyes(_), Some((key, value))) = (stand, look) {
            let message = format!("`{key}` beside `eyes`");
            return Err(self.mistake(value.span(), message, "the camera looks where the player looks"));
        }
        Ok(match look {
            Some(("view", value)) if matches!(value.get_ref(), DeValue::String(_)) => {
                Look::At(self.target(value)?)
            }
            Some(("view", value)) => Look::Way(Path::new(vec![self.point(value)?])),
            Some(("pan", value)) => Look::Way(Path::new(self.points(value)?)),
            Some((_, value)) => Look::Turn(Path::new(self.lists(value)?)),
            None if matches!(stand, CameraStand::Eyes(_) | CameraStand::Recorded(_)) => Look::AsPlayer,
            None => Look::At(match stand {
                CameraStand::Chase { target, .. } | CameraStand::Orbit { target, .. } => target.clone(),
                CameraStand::Way(_) | CameraStand::Eyes(_) | CameraStand::Recorded(_) => Target::Me,
            }),
        })
    }

    fn string(&self, value: Value<'t>) -> Result<&'t str, Mistake> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.as_ref()),
            _ => Err(self.mistake(value.span(), "a text in quotes was expected", "at = \"0:05..0:10\"")),
        }
    }

    fn target(&self, value: Value<'t>) -> Result<Target, Mistake> {
        let help = "others are \"me\", \"player 2\" and \"entity 17\"";
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
        target.ok_or_else(|| {
            // A name alone is the usual slip.
            let help = format!("write \"player {words}\" for a player of this name; {help}");
            self.mistake(value.span(), format!("`{words}` is not a target"), &help)
        })
    }

    fn number(&self, value: Value<'t>) -> Result<f64, Mistake> {
        let number = match value.get_ref() {
            DeValue::Integer(it) if it.radix() == 10 => it.as_str().parse::<f64>().ok(),
            DeValue::Float(it) => it.as_str().parse::<f64>().ok(),
            _ => None,
        };
        // A number that no protocol can send is not a coordinate.
        let number = number.filter(|it| it.is_finite() && it.abs() <= 1e6);
        number.ok_or_else(|| {
            self.mistake(value.span(), "a number was expected", "give places in units of the game")
        })
    }

    fn list<const N: usize>(&self, value: Value<'t>) -> Result<[f64; N], Mistake> {
        let mistake = || {
            let what = if N == 3 { "[x, y, z]" } else { "[pitch, yaw]" };
            self.mistake(
                value.span(),
                format!("{what} was expected"),
                &format!("write {N} numbers with commas between"),
            )
        };
        let DeValue::Array(all) = value.get_ref() else { return Err(mistake()) };
        let numbers: Vec<f64> = all.iter().map(|it| self.number(it)).collect::<Result<_, _>>()?;
        numbers.try_into().map_err(|_| mistake())
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
