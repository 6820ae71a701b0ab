//! A column of a catalog as a key for sorting rows, and for showing them.

use crate::query::{column, day_and_time};
use crate::table::{FULL, ROWS, Recording};
use moviola_export::schema::{CellValue, Cells, Column, ColumnKind, Row};
use std::cmp::Ordering;
use std::str::FromStr;

/// A column of a catalog.
///
/// Its name is that of a [`Query`](crate::Query); the words that people try first are accepted too: `map` for
/// `maps`.
///
/// ```
/// use moviola_catalog::{CatalogColumn, Recording};
/// let key: CatalogColumn = "length".parse().unwrap();
/// let [short, long] = [10.0, 70.5].map(|length| Recording { length: Some(length), ..Recording::default() });
/// assert!(key.compare(&short, &long).is_lt());
/// assert_eq!(key.column().unit, "seconds");
/// let wrong = "lenght".parse::<CatalogColumn>().unwrap_err();
/// assert!(wrong.starts_with("there is no column `lenght`; did you mean `length`? The columns are file, "));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogColumn(usize);

impl FromStr for CatalogColumn {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let name = name.trim().to_ascii_lowercase();
        let names = || ROWS.columns.iter().map(|column| column.name);
        column(&name).map(|(at, _)| Self(at)).ok_or_else(|| {
            let meant = moviola_text::nearest(&name, names());
            let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            let end = if meant.is_empty() { "." } else { "" };
            let all = names().collect::<Vec<_>>().join(", ");
            format!("there is no column `{name}`{meant}{end} The columns are {all}")
        })
    }
}

impl CatalogColumn {
    /// The column.
    pub fn column(self) -> &'static Column {
        const NO_COLUMN: Column =
            Column { name: "", kind: ColumnKind::Text, optional: true, unit: "", note: "" };
        ROWS.columns.get(self.0).unwrap_or(&NO_COLUMN)
    }

    /// Whether only a [full](crate::Depth::Full) reading fills it.
    ///
    /// ```
    /// use moviola_catalog::CatalogColumn;
    /// assert!("kills".parse::<CatalogColumn>().unwrap().is_full() && !"maps".parse::<CatalogColumn>().unwrap().is_full());
    /// ```
    pub fn is_full(self) -> bool {
        FULL.contains(&self.column().name)
    }

    /// Looks at a row's cell of this column.
    ///
    /// ```
    /// use moviola_catalog::{CatalogColumn, Recording};
    /// use moviola_export::schema::CellValue;
    /// let key: CatalogColumn = "levels".parse().unwrap();
    /// let row = Recording { levels: 3, ..Recording::default() };
    /// assert!(key.look(&row, |value| value == CellValue::Int(3)));
    /// ```
    pub fn look<T>(self, row: &Recording, look: impl FnMut(CellValue<'_>) -> T) -> T
    where
        T: Default,
    {
        let mut looking = CellReader { column: self.0, seek: look, seen: T::default() };
        row.cells(&mut looking);
        looking.seen
    }

    /// The order of two rows: by number, or by word regardless of capitals. An empty cell comes last.
    pub fn compare(self, one: &Recording, other: &Recording) -> Ordering {
        self.rank(one).cmp(&self.rank(other))
    }

    /// The order of two rows from the largest cell to the smallest. An empty cell comes last here too.
    ///
    /// ```
    /// use moviola_catalog::{CatalogColumn, Recording};
    /// let rows = [Some(1), None, Some(2)].map(|kills| Recording { kills, ..Recording::default() });
    /// let key: CatalogColumn = "kills".parse().unwrap();
    /// assert!(key.compare_descending(&rows[2], &rows[0]).is_lt() && key.compare_descending(&rows[1], &rows[0]).is_gt());
    /// ```
    pub fn compare_descending(self, one: &Recording, other: &Recording) -> Ordering {
        match (self.rank(one), self.rank(other)) {
            (one @ Rank::Empty, other) | (one, other @ Rank::Empty) => one.cmp(&other),
            (one, other) => other.cmp(&one),
        }
    }

    fn rank(self, row: &Recording) -> Rank {
        self.look(row, |value| match value {
            CellValue::Null => Rank::Empty,
            CellValue::Bool(it) => Rank::Number(ordered(f64::from(u8::from(it)))),
            CellValue::Int(it) => Rank::Number(ordered(it.into())),
            CellValue::Long(it) => Rank::Number(ordered(it as f64)),
            CellValue::Float(it) => Rank::Number(ordered(it.into())),
            CellValue::Double(it) => Rank::Number(ordered(it)),
            CellValue::Text(word) if word.is_empty() => Rank::Empty,
            CellValue::Text(word) => Rank::Words(vec![word.as_str().to_lowercase()]),
            CellValue::List(words) if words.is_empty() => Rank::Empty,
            CellValue::List(words) => Rank::Words(words.iter().map(str::to_lowercase).collect()),
        })
    }
}

/// A cell as a value with an order.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Number(i64),
    Words(Vec<String>),
    /// An unknown value comes after all others.
    #[default]
    Empty,
}

/// A whole number with the order of a float, as in [`f64::total_cmp`]; the sign of 0 does not matter.
fn ordered(number: f64) -> i64 {
    let bits = (number + 0.0).to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// Reads the value of one column in a row.
struct CellReader<F, T> {
    column: usize,
    seek: F,
    seen: T,
}

impl<T, F: FnMut(CellValue<'_>) -> T> Cells for CellReader<F, T> {
    fn cell(&mut self, at: usize, value: CellValue<'_>) {
        if at == self.column {
            self.seen = (self.seek)(value);
        }
    }
}

/// Milliseconds since 1970 as a date and a time of day in UTC, in the form of questions: `2020-07-04
/// 12:00:00`.
///
/// ```
/// assert_eq!(moviola_catalog::moment(1_593_864_000_000), "2020-07-04 12:00:00");
/// ```
pub fn moment(milliseconds: i64) -> String {
    let ((year, month, day), seconds) = day_and_time(milliseconds);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_order() {
        let numbers = [f64::NEG_INFINITY, -2.5, -0.1, 0.0, 0.1, 1.0, 1e9, f64::INFINITY];
        assert!(numbers.map(ordered).is_sorted_by(|one, other| one < other));
        assert_eq!(ordered(-0.0), ordered(0.0));
    }

    #[test]
    fn every_column_sorts_with_empty_cells_last() {
        let full = Recording {
            file: "A.dem".into(),
            maps: ["e1m1"].into_iter().collect(),
            time: Some(30.0),
            ..Recording::default()
        };
        for column in ROWS.columns {
            let key: CatalogColumn = column.name.parse().unwrap();
            assert_eq!(key.column().name, column.name);
            assert!(key.compare(&full, &Recording::default()).is_le() || !column.optional, "{}", column.name);
        }
        let file: CatalogColumn = "name".parse().unwrap();
        assert!(file.compare(&full, &Recording { file: "b.dem".into(), ..Recording::default() }).is_lt());
        assert!("map".parse::<CatalogColumn>().unwrap().compare(&Recording::default(), &full).is_gt());
    }
}
