//! Rows as columns in memory, for programs that take columns as they are, such as Arrow's.

use crate::schema::{Cells, Kind, Row, Table, Value};
use crate::{Word, Words};
use bytes::Bytes;
use std::collections::HashMap;

/// The columns of a table.
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
    /// The table.
    pub table: &'static Table,
    /// How many rows there are.
    pub rows: usize,
    /// The columns, in the order of the table.
    pub columns: Vec<Filled>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    /// Where cells may be empty: which of them have a value. Those that have none hold a zero.
    pub there: Option<Vec<bool>>,
    /// The values.
    pub values: Values,
}

/// The values of a column. Texts and lists are kept once, and rows have their numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Of [`Kind::Bool`].
    Bool(Vec<bool>),
    /// Of [`Kind::Int`].
    Int(Vec<i32>),
    /// Of [`Kind::Long`].
    Long(Vec<i64>),
    /// Of [`Kind::Float`].
    Float(Vec<f32>),
    /// Of [`Kind::Double`].
    Double(Vec<f64>),
    /// Of [`Kind::Text`] and [`Kind::Name`]: the different ones, and which of them each row has.
    Texts(Vec<Word>, Vec<u32>),
    /// Of [`Kind::List`].
    Lists(Vec<Words>, Vec<u32>),
}

/// Collects the rows of a table.
#[derive(Debug)]
pub(crate) struct Collector {
    columns: Columns,
    /// For each column of texts the number of each.
    numbers: Vec<Numbers>,
}

/// The numbers of different texts, and the one that came last.
#[derive(Debug, Default)]
struct Numbers {
    known: HashMap<Bytes, u32>,
    last: Option<(Bytes, u32)>,
}

impl Numbers {
    /// The number of a text, and whether it is a new one.
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
            // Nothing, as a zero; a row has no value of another type than its column.
            (Values::Bool(all), _) => all.push(false),
            (Values::Int(all), _) => all.push(0),
            (Values::Long(all), _) => all.push(0),
            (Values::Float(all), _) => all.push(0.0),
            (Values::Double(all), _) => all.push(0.0),
            (Values::Texts(_, rows) | Values::Lists(_, rows), _) => rows.push(0),
        }
    }
}
