//! What a table is: columns with a type, a unit and a note, and rows that offer their cells one by one.
//!
//! `tables!` turns one list into the structs of rows and their [`Table`]s. Parquet's schema, CSV's header, the keys
//! of JSON and `docs/schema.md` are all made from that.

use crate::Word;

/// The type of a column.
///
/// ```
/// assert_eq!(moviola_export::schema::Kind::Long.sql(), "BIGINT");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// A number of 32 bits, as games send them.
    Float,
    /// A number of 64 bits.
    Double,
    /// UTF-8.
    Text,
}

impl Kind {
    /// Its name in SQL.
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Bool => "BOOLEAN",
            Self::Int => "INTEGER",
            Self::Long => "BIGINT",
            Self::Float => "FLOAT",
            Self::Double => "DOUBLE",
            Self::Text => "VARCHAR",
        }
    }
}

/// A column of a table.
///
/// ```
/// use moviola_export::schema::{Column, Kind, Row};
/// use moviola_export::tables::Ticks;
/// let Column { kind, unit, .. } = Ticks::TABLE.columns.iter().find(|it| it.name == "velocity_x").unwrap();
/// assert_eq!((*kind, *unit), (Kind::Float, "units/s"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Whether a cell may be empty.
    pub optional: bool,
    /// The unit of its numbers, or "".
    pub unit: &'static str,
    /// What it is.
    pub note: &'static str,
}

/// A table as data.
///
/// ```
/// use moviola_export::{schema::Table, tables};
/// let names: Vec<&str> = tables::ALL.iter().map(|table: &&Table| table.name).collect();
/// assert_eq!(names[..3], ["recordings", "levels", "players"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its place among all tables.
    pub index: usize,
    /// What a row is.
    pub note: &'static str,
    /// Its columns in their order.
    pub columns: &'static [Column],
}

/// A row of a table.
///
/// ```
/// use moviola_export::{schema::Row, tables::Levels};
/// assert_eq!(Levels::TABLE.columns[1].name, "level");
/// ```
pub trait Row {
    /// The table.
    const TABLE: &'static Table;
    /// Offers every cell, in the order of the columns.
    fn cells<C: Cells>(&self, cells: &mut C);
}

/// Whoever takes the cells of rows: a line of CSV, a JSON object, the columns of a Parquet file.
///
/// ```
/// use moviola_export::{schema::{Cells, Row, Value}, tables::Players};
/// /// Counts the cells that are empty.
/// struct Empty(usize);
/// impl Cells for Empty {
///     fn cell(&mut self, _: usize, value: Value<'_>) {
///         self.0 += usize::from(value == Value::Null);
///     }
/// }
/// let mut empty = Empty(0);
/// Players::default().cells(&mut empty);
/// assert_eq!(empty.0, 6);
/// ```
pub trait Cells {
    /// The cell of the column with this number.
    fn cell(&mut self, at: usize, value: Value<'_>);
}

/// What is in a cell.
///
/// ```
/// use moviola_export::{Word, schema::{Cell, Value}};
/// assert_eq!(Some(7).value(), Value::Int(7));
/// assert_eq!(Word::from("dm4").value(), Value::Text(&Word::from("dm4")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing.
    Null,
    /// Of [`Kind::Bool`].
    Bool(bool),
    /// Of [`Kind::Int`].
    Int(i32),
    /// Of [`Kind::Long`].
    Long(i64),
    /// Of [`Kind::Float`].
    Float(f32),
    /// Of [`Kind::Double`].
    Double(f64),
    /// Of [`Kind::Text`].
    Text(&'a Word),
}

/// A type that a cell's value may have in a row's struct.
///
/// ```
/// use moviola_export::schema::{Cell, Kind};
/// assert_eq!((Option::<f32>::KIND, Option::<f32>::OPTIONAL), (Kind::Float, true));
/// ```
pub trait Cell {
    /// The type of its column.
    const KIND: Kind;
    /// Whether it may be empty.
    const OPTIONAL: bool = false;
    /// The value.
    fn value(&self) -> Value<'_>;
}

macro_rules! cells {
    ($($type:ty => $kind:ident,)*) => { $(
        impl Cell for $type {
            const KIND: Kind = Kind::$kind;
            #[inline(always)]
            fn value(&self) -> Value<'_> {
                Value::$kind(*self)
            }
        }
    )* };
}
cells! { bool => Bool, i32 => Int, i64 => Long, f32 => Float, f64 => Double, }

impl Cell for Word {
    const KIND: Kind = Kind::Text;
    #[inline(always)]
    fn value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl<T: Cell> Cell for Option<T> {
    const KIND: Kind = T::KIND;
    const OPTIONAL: bool = true;
    #[inline(always)]
    fn value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, T::value)
    }
}

/// Declares the tables: a struct for the rows of each, and [`ALL`](crate::tables::ALL).
///
/// A column is `name: type as "unit",`, the unit left out where there is none.
macro_rules! tables {
    ($(
        $(#[doc = $about:literal])*
        $name:ident = $index:literal $text:literal {
            $( $(#[doc = $note:literal])* $column:ident : $type:ty $(as $unit:literal)?, )*
        }
    )*) => {
        $(
            $(#[doc = $about])*
            #[derive(Clone, Debug, Default, PartialEq)]
            pub struct $name {
                $( $(#[doc = $note])* pub $column: $type, )*
            }

            impl $crate::schema::Row for $name {
                const TABLE: &'static $crate::schema::Table = &$crate::schema::Table {
                    name: $text,
                    index: $index,
                    note: concat!($($about),*),
                    columns: &[ $( $crate::schema::Column {
                        name: stringify!($column),
                        kind: <$type as $crate::schema::Cell>::KIND,
                        optional: <$type as $crate::schema::Cell>::OPTIONAL,
                        unit: concat!($($unit)?),
                        note: concat!($($note),*),
                    }, )* ],
                };

                #[inline(always)]
                fn cells<C: $crate::schema::Cells>(&self, cells: &mut C) {
                    let mut at = 0;
                    $(
                        cells.cell(at, $crate::schema::Cell::value(&self.$column));
                        at += 1;
                    )*
                    let _ = at;
                }
            }
        )*

        /// All tables, by their place.
        pub const ALL: &[&$crate::schema::Table] = &[ $( <$name as $crate::schema::Row>::TABLE, )* ];
    };
}
pub(crate) use tables;
