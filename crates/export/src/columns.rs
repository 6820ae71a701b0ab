//! The rows of a table as columns in memory, for programs that read columns directly, such as Arrow.

use crate::schema::{Cells, Kind, Row, Table, Value};
use crate::{Word, WordList};
use bytes::Bytes;
use std::collections::HashMap;

/// The columns of a table, with the values of all of its rows.
///
/// ```
/// use moviola_export::{Files, Form, columns::Values, schema::Row, tables::Players};
/// let mut files = Files::<Vec<u8>>::new(Form::Csv);
/// files.keep(Players::TABLE);
/// files.row(&Players { slot: 3, ..Players::default() }).unwrap();
/// let columns = files.kept().remove(0);
/// assert_eq!((columns.table.name, columns.rows), ("players", 1));
/// assert_eq!(columns.columns[2].values, Values::Int(vec![3]));
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    /// The table, with the names and kinds of the columns.
    pub table: &'static Table,
    /// The number of rows.
    pub rows: usize,
    /// The columns, in the order of the table.
    pub columns: Vec<Filled>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    /// For a column whose cells may be empty, whether each row has a value; the value of an empty cell is
    /// zero.
    pub there: Option<Vec<bool>>,
    /// The values.
    pub values: Values,
}

/// The values of a column. Each distinct text or list is stored once, and the rows hold its index.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// The values of a [`Kind::Bool`] column.
    Bool(Vec<bool>),
    /// The values of a [`Kind::Int`] column.
    Int(Vec<i32>),
    /// The values of a [`Kind::Long`] column.
    Long(Vec<i64>),
    /// The values of a [`Kind::Float`] column.
    Float(Vec<f32>),
    /// The values of a [`Kind::Double`] column.
    Double(Vec<f64>),
    /// The distinct texts of a [`Kind::Text`] or [`Kind::Name`] column, and the index of each row's text.
    Texts(Vec<Word>, Vec<u32>),
    /// The distinct lists of a [`Kind::List`] column, and the index of each row's list.
    Lists(Vec<WordList>, Vec<u32>),
}

/// Collects the rows of a table into columns.
#[derive(Debug)]
pub(crate) struct Collector {
    columns: Columns,
    /// For each column, the indexes of its distinct texts.
    numbers: Vec<Numbers>,
}

/// The index of each distinct text, and the last text with its index.
#[derive(Debug, Default)]
struct Numbers {
    known: HashMap<Bytes, u32>,
    last: Option<(Bytes, u32)>,
}

impl Numbers {
    /// The index of a text, and whether the text is new.
    fn of(&mut self, text: &Bytes) -> (u32, bool) {
        if let Some((last, number)) = &self.last
            && std::ptr::eq(last.as_ref(), text.as_ref())
        {
            return (*number, false);
        }
        let next = self.known.len() as u32;
        let number = *self.known.entry(text.clone()).or_insert(next);
        self.last = Some((text.clone(), number));
        (number, number == next)
    }
}

impl Collector {
    pub(crate) fn new(table: &'static Table) -> Self {
        let filled = |kind| match kind {
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::Int => Values::Int(Vec::new()),
            Kind::Long => Values::Long(Vec::new()),
            Kind::Float => Values::Float(Vec::new()),
            Kind::Double => Values::Double(Vec::new()),
            Kind::Text | Kind::Name => Values::Texts(Vec::new(), Vec::new()),
            Kind::List => Values::Lists(Vec::new(), Vec::new()),
        };
        let columns = table.columns.iter();
        let columns = columns
            .map(|column| Filled { there: column.optional.then(Vec::new), values: filled(column.kind) });
        let columns = Columns { table, rows: 0, columns: columns.collect() };
        Self { numbers: table.columns.iter().map(|_| Numbers::default()).collect(), columns }
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
    fn cell(&mut self, at: usize, value: Value<'_>) {
        let (Some(column), Some(numbers)) = (self.columns.columns.get_mut(at), self.numbers.get_mut(at))
        else {
            return;
        };
        if let Some(there) = &mut column.there {
            there.push(value != Value::Null);
        }
        match (&mut column.values, value) {
            (Values::Bool(all), Value::Bool(it)) => all.push(it),
            (Values::Int(all), Value::Int(it)) => all.push(it),
            (Values::Long(all), Value::Long(it)) => all.push(it),
            (Values::Float(all), Value::Float(it)) => all.push(it),
            (Values::Double(all), Value::Double(it)) => all.push(it),
            (Values::Texts(distinct, rows), Value::Text(it)) => {
                let (number, is_new) = numbers.of(it.bytes());
                if is_new {
                    distinct.push(it.clone());
                }
                rows.push(number);
            }
            (Values::Lists(distinct, rows), Value::List(it)) => {
                let (number, is_new) = numbers.of(it.key());
                if is_new {
                    distinct.push(it.clone());
                }
                rows.push(number);
            }
            // An empty cell is stored as zero. The only other case, a value of another kind than its column,
            // cannot occur.
            (Values::Bool(all), _) => all.push(false),
            (Values::Int(all), _) => all.push(0),
            (Values::Long(all), _) => all.push(0),
            (Values::Float(all), _) => all.push(0.0),
            (Values::Double(all), _) => all.push(0.0),
            (Values::Texts(_, rows) | Values::Lists(_, rows), _) => rows.push(0),
        }
    }
}
