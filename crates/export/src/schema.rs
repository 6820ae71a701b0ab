//! The description of a table: columns with a type, a unit and a note, and rows that offer their cells one by
//! one.
//!
//! `tables!` turns one list into the structs of rows and their [`Table`]s. Parquet's schema, CSV's header, the keys
//! of JSON and `docs/schema.md` are all made from that.

use crate::{FixedWord, Word, WordList};

/// The type of a column.
///
/// ```
/// assert_eq!(moviola_export::schema::ColumnKind::Long.sql(), "BIGINT");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
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
    /// A word out of a small set, stored with a dictionary.
    Name,
    /// A list of texts.
    List,
}

impl ColumnKind {
    /// Its name in SQL.
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Bool => "BOOLEAN",
            Self::Int => "INTEGER",
            Self::Long => "BIGINT",
            Self::Float => "FLOAT",
            Self::Double => "DOUBLE",
            Self::Text | Self::Name => "VARCHAR",
            Self::List => "VARCHAR[]",
        }
    }
}

/// A column of a table.
///
/// ```
/// use moviola_export::schema::{Column, ColumnKind, Row};
/// use moviola_export::tables::Ticks;
/// let Column { kind, unit, .. } = Ticks::TABLE.columns.iter().find(|it| it.name == "velocity_x").unwrap();
/// assert_eq!((*kind, *unit), (ColumnKind::Float, "units/s"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: ColumnKind,
    /// Whether a cell may be empty.
    pub optional: bool,
    /// The unit of its numbers, or "".
    pub unit: &'static str,
    /// A description.
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
    /// A description of its rows.
    pub note: &'static str,
    /// Its columns in their order.
    pub columns: &'static [Column],
}

/// A row of a table.
///
/// ```
/// use moviola_export::schema::{Row, CellValue};
/// use moviola_export::tables::Levels;
/// assert_eq!(Levels::TABLE.columns[1].name, "level");
/// let mut row = Levels::default();
/// assert!(row.put(1, CellValue::Int(3)) && !row.put(1, CellValue::Bool(true)));
/// assert_eq!(row.level, 3);
/// ```
pub trait Row: Default {
    /// The table.
    const TABLE: &'static Table;
    /// Offers every cell, in the order of the columns.
    fn cells<C: Cells>(&self, cells: &mut C);
    /// Fills the cell of the column with this number; returns whether the column accepts such a value.
    fn put(&mut self, at: usize, value: CellValue<'_>) -> bool;
}

/// A receiver for the cells of a row: a line of CSV, a JSON object, or the columns of a Parquet file.
///
/// ```
/// use moviola_export::{schema::{Cells, Row, CellValue}, tables::Players};
/// /// Counts the cells that are empty.
/// struct Empty(usize);
/// impl Cells for Empty {
///     fn cell(&mut self, _: usize, value: CellValue<'_>) {
///         self.0 += usize::from(value == CellValue::Null);
///     }
/// }
/// let mut empty = Empty(0);
/// Players::default().cells(&mut empty);
/// assert_eq!(empty.0, 9);
/// ```
pub trait Cells {
    /// The cell of the column with this number.
    fn cell(&mut self, at: usize, value: CellValue<'_>);
}

/// The content of a cell.
///
/// ```
/// use moviola_export::{Word, schema::{Cell, CellValue}};
/// assert_eq!(Some(7).value(), CellValue::Int(7));
/// assert_eq!(Word::from("dm4").value(), CellValue::Text(&Word::from("dm4")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellValue<'a> {
    /// An empty cell.
    Null,
    /// Of [`ColumnKind::Bool`].
    Bool(bool),
    /// Of [`ColumnKind::Int`].
    Int(i32),
    /// Of [`ColumnKind::Long`].
    Long(i64),
    /// Of [`ColumnKind::Float`].
    Float(f32),
    /// Of [`ColumnKind::Double`].
    Double(f64),
    /// The value of a [`ColumnKind::Text`] or [`ColumnKind::Name`] column.
    Text(&'a Word),
    /// The value of a [`ColumnKind::List`] column.
    List(&'a WordList),
}

/// A type that a cell's value may have in a row's struct.
///
/// ```
/// use moviola_export::schema::{Cell, ColumnKind};
/// assert_eq!((Option::<f32>::KIND, Option::<f32>::OPTIONAL), (ColumnKind::Float, true));
/// ```
pub trait Cell {
    /// The type of its column.
    const KIND: ColumnKind;
    /// Whether it may be empty.
    const OPTIONAL: bool = false;
    /// The value.
    fn value(&self) -> CellValue<'_>;
    /// Takes a value; returns whether it is of this type.
    fn put(&mut self, value: CellValue<'_>) -> bool;
}

macro_rules! cells {
    ($($type:ty => $kind:ident,)*) => { $(
        impl Cell for $type {
            const KIND: ColumnKind = ColumnKind::$kind;
            #[inline(always)]
            fn value(&self) -> CellValue<'_> {
                CellValue::$kind(*self)
            }
            fn put(&mut self, value: CellValue<'_>) -> bool {
                let CellValue::$kind(value) = value else { return false };
                *self = value;
                true
            }
        }
    )* };
}
cells! { bool => Bool, i32 => Int, i64 => Long, f32 => Float, f64 => Double, }

impl Cell for Word {
    const KIND: ColumnKind = ColumnKind::Text;
    #[inline(always)]
    fn value(&self) -> CellValue<'_> {
        CellValue::Text(self)
    }
    fn put(&mut self, value: CellValue<'_>) -> bool {
        let CellValue::Text(value) = value else { return false };
        *self = value.clone();
        true
    }
}

impl Cell for FixedWord {
    const KIND: ColumnKind = ColumnKind::Name;
    #[inline(always)]
    fn value(&self) -> CellValue<'_> {
        CellValue::Text(&self.0)
    }
    fn put(&mut self, value: CellValue<'_>) -> bool {
        self.0.put(value)
    }
}

impl Cell for WordList {
    const KIND: ColumnKind = ColumnKind::List;
    #[inline(always)]
    fn value(&self) -> CellValue<'_> {
        CellValue::List(self)
    }
    fn put(&mut self, value: CellValue<'_>) -> bool {
        let CellValue::List(value) = value else { return false };
        *self = value.clone();
        true
    }
}

impl<T: Cell + Default> Cell for Option<T> {
    const KIND: ColumnKind = T::KIND;
    const OPTIONAL: bool = true;
    #[inline(always)]
    fn value(&self) -> CellValue<'_> {
        self.as_ref().map_or(CellValue::Null, T::value)
    }
    fn put(&mut self, value: CellValue<'_>) -> bool {
        let mut inner = T::default();
        let fits = value == CellValue::Null || inner.put(value);
        *self = (fits && value != CellValue::Null).then_some(inner);
        fits
    }
}

/// Declares tables: a struct for the rows of each, and `ALL`, which has all of them.
///
/// A column is `name: type as "unit",`, the unit left out where there is none.
///
/// ```
/// mod fruit {
///     moviola_export::tables! {
///         /// A row for each apple.
///         Apples = 0 "apples" {
///             /// How heavy it is.
///             weight: f32 as "g",
///         }
///     }
/// }
/// assert_eq!(fruit::ALL[0].columns[0].unit, "g");
/// ```
#[macro_export]
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

                fn put(&mut self, at: usize, value: $crate::schema::CellValue<'_>) -> bool {
                    let mut here = 0;
                    $(
                        if at == here {
                            return $crate::schema::Cell::put(&mut self.$column, value);
                        }
                        here += 1;
                    )*
                    at < here
                }
            }
        )*

        /// All tables, in the order of their numbers.
        pub const ALL: &[&$crate::schema::Table] = &[ $( <$name as $crate::schema::Row>::TABLE, )* ];
    };
}
