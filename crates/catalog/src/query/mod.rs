//! Questions to a catalog: `map=e1m1 player~"ranger" length<2:00`, and the test of a row.
// not from SCHEMA, all words: they are columns of a catalog

mod date;
mod parse;

pub(crate) use date::{day_and_time, moment};

use crate::read::Depth;
use crate::table::{FULL, ROWS, Recording};
use moviola_export::WordList;
use moviola_export::schema::{CellValue, Cells, Column, Row};
use moviola_text::Diagnostic;

/// A query on a catalog.
///
/// All conditions must be true unless `or`, `not` or parentheses combine them otherwise. A condition is a
/// column, one of `=` `!=` `<` `<=` `>` `>=` `~` `!~`, and a value; `~` compares with a part of a text.
/// Capitals and small letters are equal. In a cell with several names, one match is enough. A single word is
/// searched in the names of files, maps and players. Numbers may be times (`2:00`) or sizes (`10M`), and
/// times since 1970 may be dates (`2020`, `2020-07`, `2020-07-04`, in UTC). `none` stands for an empty cell.
///
/// ```
/// use moviola_catalog::{Query, Recording};
/// let query = Query::parse("map=e1m1 (player~rang or levels>3) length<2:00").unwrap();
/// let row = Recording {
///     maps: ["start", "e1m1"].into_iter().collect(),
///     players: ["Al", "Ranger"].into_iter().collect(),
///     length: Some(119.5),
///     ..Recording::default()
/// };
/// assert!(query.takes(&row));
/// assert!(!query.takes(&Recording { length: Some(120.0), ..row }));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Query(Node);

/// A mistake in a question, with its place.
///
/// ```
/// use moviola_catalog::Query;
/// let mistake = Query::parse("lenght<2:00").unwrap_err();
/// assert_eq!(mistake.message, "no column is called `lenght`");
/// assert_eq!((mistake.range(), mistake.help.as_deref()), (0..6, Some("did you mean `length`?")));
/// ```
pub type QueryMistake = Diagnostic<()>;

impl Query {
    /// Reads a question.
    pub fn parse(text: &str) -> Result<Self, QueryMistake> {
        parse::parse(text).map(Self)
    }

    /// Whether a row matches the query.
    pub fn takes(&self, row: &Recording) -> bool {
        self.0.takes(row)
    }

    /// How thoroughly recordings must be read to answer. A player can be a bot, which is not a client: only the events
    /// name it.
    ///
    /// ```
    /// use moviola_catalog::{Depth, Query};
    /// assert_eq!(Query::parse("map=e1m1").unwrap().depth(), Depth::Quick);
    /// assert_eq!(Query::parse("not (map=e1m1 or kills>10)").unwrap().depth(), Depth::Full);
    /// ```
    pub fn depth(&self) -> Depth {
        let full = self.0.uses_column(&|column| {
            column.is_none_or(|it| [PLAYERS, COUNT].contains(&it) || FULL.contains(&it))
        });
        if full { Depth::Full } else { Depth::Quick }
    }

    /// Whether a row was read too quickly for the question, so that it cannot be answered.
    ///
    /// ```
    /// use moviola_catalog::{Depth, Query, recording};
    /// let quick = recording(&b"-1\n"[..], Depth::Quick).unwrap().unwrap();
    /// assert!(Query::parse("kills=0").unwrap().needs_more(&quick));
    /// assert!(!Query::parse("levels=0").unwrap().needs_more(&quick));
    /// ```
    pub fn needs_more(&self, row: &Recording) -> bool {
        row.findings.is_none() && self.0.uses_column(&|column| column.is_some_and(|it| FULL.contains(&it)))
    }
}

/// A part of a question.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Test(Test),
    /// A word that is searched everywhere, in small letters.
    Word(String),
}

/// A condition.
#[derive(Clone, Debug)]
struct Test {
    at: usize,
    column: &'static Column,
    comparison: Comparison,
    value: ComparedValue,
}

impl PartialEq for Test {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.comparison, &self.value) == (other.at, other.comparison, &other.value)
    }
}

/// The comparison of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Is,
    IsNot,
    Below,
    AtMost,
    Above,
    AtLeast,
    Has,
    HasNot,
}

/// The value with which a cell is compared.
#[derive(Clone, Debug, PartialEq)]
enum ComparedValue {
    Nothing,
    Number(f64),
    /// A year, a month or a day: its first and its last millisecond.
    Span(i64, i64),
    /// A text, in small letters.
    Text(String),
}

impl Node {
    fn takes(&self, row: &Recording) -> bool {
        match self {
            Self::All(nodes) => nodes.iter().all(|node| node.takes(row)),
            Self::Any(nodes) => nodes.iter().any(|node| node.takes(row)),
            Self::Not(node) => !node.takes(row),
            Self::Test(test) => test.takes(row),
            Self::Word(word) => std::iter::once(row.file.as_str())
                .chain(row.maps.iter())
                .chain(row.players.iter())
                .any(|it| it.to_lowercase().contains(word)),
        }
    }

    /// Whether the query uses a column for which `such` is true; words that are searched everywhere use none.
    fn uses_column(&self, such: &dyn Fn(Option<&str>) -> bool) -> bool {
        match self {
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().any(|node| node.uses_column(such)),
            Self::Not(node) => node.uses_column(such),
            Self::Test(test) => such(Some(test.column.name)),
            Self::Word(_) => such(None),
        }
    }
}

/// The columns in which a quick reading knows only clients: the names of players, and their number.
const PLAYERS: &str = "players";
const COUNT: &str = "player_count";

/// Tests the value of one column in a row.
struct CellTest<'t> {
    test: &'t Test,
    holds: bool,
}

impl Cells for CellTest<'_> {
    fn cell(&mut self, at: usize, value: CellValue<'_>) {
        if at == self.test.at {
            self.holds = self.test.holds(value);
        }
    }
}

impl Test {
    fn takes(&self, row: &Recording) -> bool {
        let mut look = CellTest { test: self, holds: false };
        row.cells(&mut look);
        look.holds
    }

    fn holds(&self, value: CellValue<'_>) -> bool {
        let number = match value {
            CellValue::Bool(it) => f64::from(u8::from(it)),
            CellValue::Int(it) => it.into(),
            CellValue::Long(it) => it as f64,
            CellValue::Float(it) => it.into(),
            CellValue::Double(it) => it,
            CellValue::Null => return self.text(""),
            CellValue::Text(word) => return self.text(word.as_str()),
            CellValue::List(words) => return self.list(words),
        };
        let (first, last) = match self.value {
            ComparedValue::Number(sought) => (sought, sought),
            ComparedValue::Span(first, last) => (first as f64, last as f64),
            ComparedValue::Nothing | ComparedValue::Text(_) => {
                return matches!(self.comparison, Comparison::IsNot | Comparison::HasNot);
            }
        };
        match self.comparison {
            Comparison::Is | Comparison::Has => (first..=last).contains(&number),
            Comparison::IsNot | Comparison::HasNot => !(first..=last).contains(&number),
            Comparison::Below => number < first,
            Comparison::AtMost => number <= last,
            Comparison::Above => number > last,
            Comparison::AtLeast => number >= first,
        }
    }

    /// Whether a list meets the condition: one match suffices for `=` and `~`, but `!=` and `!~` are true
    /// only if no entry matches.
    fn list(&self, words: &WordList) -> bool {
        match self.comparison {
            _ if words.is_empty() => self.text(""),
            Comparison::IsNot | Comparison::HasNot => words.iter().all(|word| self.text(word)),
            _ => words.iter().any(|word| self.text(word)),
        }
    }

    fn text(&self, cell: &str) -> bool {
        let has = |sought: &str| cell.to_lowercase().contains(sought);
        let is = |sought: &str| cell.to_lowercase() == sought;
        match (&self.value, self.comparison) {
            (ComparedValue::Nothing, Comparison::Is | Comparison::Has) => cell.is_empty(),
            (ComparedValue::Nothing, _) => !cell.is_empty(),
            (ComparedValue::Text(sought), Comparison::Has) => has(sought),
            (ComparedValue::Text(sought), Comparison::HasNot) => !has(sought),
            (ComparedValue::Text(sought), Comparison::Is) => is(sought),
            (ComparedValue::Text(sought), Comparison::IsNot) => !is(sought),
            // An unknown number is neither equal to a number, nor below or above it.
            (ComparedValue::Number(_) | ComparedValue::Span(..), how) => {
                matches!(how, Comparison::IsNot | Comparison::HasNot)
            }
            (ComparedValue::Text(_), _) => false,
        }
    }
}

/// The column of this name, or of one of the names that people try first.
pub(crate) fn column(name: &str) -> Option<(usize, &'static Column)> {
    const ALIASES: [(&str, &str); 15] = [
        ("map", "maps"),
        ("player", "players"),
        ("size", "bytes"),
        ("path", "file"),
        ("name", "file"),
        ("hash", "recording"),
        ("id", "recording"),
        ("finding", "findings"),
        ("track", "cd_track"),
        ("port", "engine"),
        ("wad", "wads"),
        ("iwad", "wads"),
        ("team", "teams"),
        ("host", "hostname"),
        ("date", "played"),
    ];
    let name = ALIASES.iter().find(|(other, _)| *other == name).map_or(name, |(_, name)| name);
    ROWS.columns.iter().enumerate().find(|(_, column)| column.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Recording {
        Recording {
            file: "demos/Old.zip:run.dem".into(),
            maps: ["start", "e1m1"].into_iter().collect(),
            players: ["Al", "The Ranger"].into_iter().collect(),
            engine: Some("FitzQuake 0.85".into()),
            protocol: Some(666),
            bytes: 2_500_000,
            length: Some(90.5),
            findings: Some(["M002", "M101"].into_iter().collect()),
            modified: 1_593_864_000_000, // noon of the fourth of July 2020
            kills: Some(0),
            ..Recording::default()
        }
    }

    #[test]
    fn questions_are_answered() {
        for (query, yes) in [
            ("", true),
            ("map=e1m1", true),
            ("MAP=E1M1", true),
            ("map=E1M1", true),
            ("map=e1", false),
            ("map~e1", true),
            ("map!=e1m1", false),
            ("player=\"the ranger\"", true),
            ("player!~rang", false),
            ("length<1:31", true),
            ("length<=90.5 length>=1:30.5 length>1:30", true),
            ("bytes>2M size<2.6m", true),
            ("protocol=666", true),
            ("protocol!=15", true),
            ("track=none", true),
            ("track>0", false),
            ("engine=none", false),
            ("engine!=none", true),
            ("finding=m101", true),
            ("finding=m10", false),
            ("recorder=none", true),
            ("modified=2020 modified=2020-07 modified=2020-07-04", true),
            ("modified>2020 or modified<2020 or modified=2020-08", false),
            ("modified>=2020 modified<=2020-07 modified>2020-07-03 modified<2021", true),
            ("modified>1593860000000", true),
            ("kills=0 deaths=none", true),
            ("old.zip", true),
            ("ranger", true),
            ("nobody", false),
            ("not nobody", true),
            ("map=x or map=e1m1", true),
            ("map=x or map=e1m1 protocol=15", false),
            ("(map=x or map=e1m1) protocol=666", true),
            ("not (map=x or map=e1m1)", false),
            ("\"or\"", false),
        ] {
            assert_eq!(Query::parse(query).unwrap().takes(&row()), yes, "{query}");
        }
    }

    #[test]
    fn every_column_can_be_asked_for() {
        for column in ROWS.columns {
            Query::parse(&format!("{}=none", column.name)).unwrap().takes(&row());
        }
        assert!(FULL.iter().all(|name| ROWS.columns.iter().any(|column| column.name == *name)));
    }
}
