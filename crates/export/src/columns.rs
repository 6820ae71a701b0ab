//! The rows of a table as columns in memory, for programs that read columns directly, such as Arrow.

use crate::recent::RecentTexts;
use crate::schema::{CellValue, Cells, ColumnKind, Row, Table};
use crate::{Word, WordList};
use bytes::Bytes;
use std::collections::HashMap;

/// The columns of a table, with the values of all of its rows.
///
/// ```
/// use moviola_export::{Files, TableFormat, columns::ColumnValues, schema::Row, tables::Players};
/// let mut files = Files::<Vec<u8>>::new(TableFormat::Csv);
/// files.keep(Players::TABLE);
/// files.row(&Players { slot: 3, ..Players::default() }).unwrap();
/// let columns = files.kept().remove(0);
/// assert_eq!((columns.table.name, columns.rows), ("players", 1));
/// assert_eq!(columns.columns[2].values, ColumnValues::Int(vec![3]));
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    /// The table, with the names and kinds of the columns.
    pub table: &'static Table,
    /// The number of rows.
    pub rows: usize,
    /// The columns, in the order of the table.
    pub columns: Vec<FilledColumn>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct FilledColumn {
    /// For a column whose cells may be empty: whether each row has a value. The value of an empty cell is stored as
    /// zero.
    pub there: Option<Vec<bool>>,
    /// The values.
    pub values: ColumnValues,
}

/// The values of a column. Each distinct text or list is stored once, and the rows hold its index.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// The values of a [`ColumnKind::Bool`] column.
    Bool(Vec<bool>),
    /// The values of a [`ColumnKind::Int`] column.
    Int(Vec<i32>),
    /// The values of a [`ColumnKind::Long`] column.
    Long(Vec<i64>),
    /// The values of a [`ColumnKind::Float`] column.
    Float(Vec<f32>),
    /// The values of a [`ColumnKind::Double`] column.
    Double(Vec<f64>),
    /// The distinct texts of a [`ColumnKind::Text`] or [`ColumnKind::Name`] column, and the index of each row's text.
    Texts(Vec<Word>, Vec<u32>),
    /// The distinct lists of a [`ColumnKind::List`] column, and the index of each row's list.
    Lists(Vec<WordList>, Vec<u32>),
}

/// Collects the rows of a table into columns.
#[derive(Debug)]
pub(crate) struct Collector {
    columns: Columns,
    /// For each column, the indexes of its distinct texts.
    numbers: Vec<TextNumbers>,
}

/// The index of each distinct text.
#[derive(Debug, Default)]
struct TextNumbers {
    numbers: HashMap<Bytes, u32>,
    recent: RecentTexts,
}

impl TextNumbers {
    /// The index of a text, and whether the text is new.
    fn of(&mut self, text: &Bytes) -> (u32, bool) {
        if let Some(number) = self.recent.get(text) {
            return (number, false);
        }
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(text.clone()).or_insert(next);
        self.recent.put(text, number);
        (number, number == next)
    }
}

impl Collector {
    pub(crate) fn new(table: &'static Table) -> Self {
        let filled = |kind| match kind {
            ColumnKind::Bool => ColumnValues::Bool(Vec::new()),
            ColumnKind::Int => ColumnValues::Int(Vec::new()),
            ColumnKind::Long => ColumnValues::Long(Vec::new()),
            ColumnKind::Float => ColumnValues::Float(Vec::new()),
            ColumnKind::Double => ColumnValues::Double(Vec::new()),
            ColumnKind::Text | ColumnKind::Name => ColumnValues::Texts(Vec::new(), Vec::new()),
            ColumnKind::List => ColumnValues::Lists(Vec::new(), Vec::new()),
        };
        let columns = table.columns.iter();
        let columns = columns.map(|column| FilledColumn {
            there: column.optional.then(Vec::new),
            values: filled(column.kind),
        });
        let columns = Columns { table, rows: 0, columns: columns.collect() };
        Self { numbers: table.columns.iter().map(|_| TextNumbers::default()).collect(), columns }
    }

    pub(crate) fn row<R: Row>(&mut self, row: &R) {
        row.cells(self);
        self.columns.rows += 1;
    }

    pub(crate) fn finish(self) -> Columns {
        self.columns
    }
}

impl Cells for Collector {
    // The kind of a value is known where a row's cells are taken.
    #[inline(always)]
    fn cell(&mut self, at: usize, value: CellValue<'_>) {
        let (Some(column), Some(numbers)) = (self.columns.columns.get_mut(at), self.numbers.get_mut(at))
        else {
            return;
        };
        if let Some(there) = &mut column.there {
            there.push(value != CellValue::Null);
        }
        match (&mut column.values, value) {
            (ColumnValues::Bool(all), CellValue::Bool(it)) => all.push(it),
            (ColumnValues::Int(all), CellValue::Int(it)) => all.push(it),
            (ColumnValues::Long(all), CellValue::Long(it)) => all.push(it),
            (ColumnValues::Float(all), CellValue::Float(it)) => all.push(it),
            (ColumnValues::Double(all), CellValue::Double(it)) => all.push(it),
            (ColumnValues::Texts(distinct, rows), CellValue::Text(it)) => {
                let (number, is_new) = numbers.of(it.bytes());
                if is_new {
                    distinct.push(it.clone());
                }
                rows.push(number);
            }
            (ColumnValues::Lists(distinct, rows), CellValue::List(it)) => {
                let (number, is_new) = numbers.of(it.key());
                if is_new {
                    distinct.push(it.clone());
                }
                rows.push(number);
            }
            // An empty cell is stored as zero. No other value gets here, since each value has its column's type.
            (ColumnValues::Bool(all), _) => all.push(false),
            (ColumnValues::Int(all), _) => all.push(0),
            (ColumnValues::Long(all), _) => all.push(0),
            (ColumnValues::Float(all), _) => all.push(0.0),
            (ColumnValues::Double(all), _) => all.push(0.0),
            (ColumnValues::Texts(_, rows) | ColumnValues::Lists(_, rows), _) => rows.push(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Players;
    use crate::{Files, TableFormat};

    #[test]
    fn equal_texts_have_one_index_wherever_they_lie() {
        let mut files = Files::<Vec<u8>>::new(TableFormat::Csv);
        files.keep(Players::TABLE);
        let names: Vec<Word> = (0..500).map(|n| Word::from(format!("player {}", n % 200))).collect();
        for name in names.iter().chain(&names) {
            files.row(&Players { name: name.clone(), ..Players::default() }).unwrap();
        }
        let kept = files.kept().remove(0);
        let at = Players::TABLE.columns.iter().position(|column| column.name == "name").unwrap();
        let ColumnValues::Texts(distinct, rows) = &kept.columns[at].values else { panic!() };
        assert_eq!((distinct.len(), rows.len(), kept.rows), (200, 1000, 1000));
        assert!(names.iter().chain(&names).zip(rows).all(|(name, row)| distinct[*row as usize] == *name));
    }
}
