//! Parquet, compressed with zstd. The cells of a row become indexes of their columns' values, some hundreds
//! of rows are then turned into columns, and columns are written as a row group when they are long enough.

mod chunk;
mod index;

use crate::WordList;
use crate::schema::{Cells, Column, Kind, Row, Table, Value};
use crate::tables::SCHEMA_VERSION;
use bytes::Bytes;
use chunk::{Chunk, Number, Shape};
use index::{Numbers, Texts};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, Type, TypePtr};
use rayon::prelude::*;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::sync::Arc;
use zstd::bulk::Compressor;

/// The rows of a group: as many as `DuckDB` processes in one thread, and few enough to be kept in memory.
const GROUP: usize = 122_880;

/// A group ends earlier if its texts are this long: each event has some of its own.
const TEXTS: usize = 8 << 20;

pub(super) struct File<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    rows: Rows,
}

impl<W: Write + Send> std::fmt::Debug for File<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").field("rows", &self.rows.count).finish_non_exhaustive()
    }
}

/// How many rows are turned into columns at a time: they stay in the nearest cache.
const TURN: usize = 256;

/// No table has more columns than this.
const WIDEST: usize = 64;

/// The rows of a group.
struct Rows {
    columns: Vec<Data>,
    count: usize,
    /// Whether they must be written.
    is_full: bool,
    /// The rows that are not in the columns yet, one after the other: the indexes of their values, and for each row
    /// the bits of its empty cells.
    turn: Vec<u32>,
    empty: Vec<u64>,
    /// The current row: a word for each cell.
    row: Box<[u64; WIDEST]>,
    alike: Alike,
}

/// The columns in which equal rows may differ, because nothing of an entity changed but the time. No cell of them is
/// empty in the tables whose rows are said to be equal.
const MOVING: [&str; 3] = ["block", "level_time", "recording_time"]; // schema-once: columns of our tables

/// The bits of the columns that are [`MOVING`]; known when the program is compiled, so that their cells alone are taken.
const fn moving(columns: &[Column]) -> u64 {
    let (mut bits, mut rest, mut at) = (0, columns, 0);
    while let [column, behind @ ..] = rest {
        let mut names: &[&str] = &MOVING;
        while let [name, others @ ..] = names {
            if is_same(column.name.as_bytes(), name.as_bytes()) {
                bits |= 1 << at;
            }
            names = others;
        }
        (rest, at) = (behind, at + 1);
    }
    bits
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let (mut one, mut other) = (one, other);
    while let ([first, one_rest @ ..], [second, other_rest @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    one.is_empty() && other.is_empty()
}

/// Rows resemble the last ones of their kinds. Only the cells that differ are looked up.
#[derive(Default)]
struct Alike {
    /// For each kind the words of its last row, and the indexes of their values.
    words: Vec<u64>,
    numbers: Vec<u32>,
    /// For each kind the bits of the cells with known indexes, and of the empty cells.
    known: Vec<u64>,
    empty: Vec<u64>,
}

/// A column.
struct Data {
    kind: Kind,
    values: Numbers,
    /// For each row whether it has a value.
    there: Option<Vec<bool>>,
    /// The texts to which the values are indexes.
    texts: Texts,
}

impl<W: Write + Send> File<W> {
    pub(super) fn new(table: &Table, out: W) -> io::Result<Self> {
        let column = |column: &Column| Data {
            kind: column.kind,
            values: Numbers::default(),
            there: column.optional.then(Vec::new),
            texts: Texts::default(),
        };
        let rows = Rows {
            columns: table.columns.iter().map(column).collect(),
            count: 0,
            is_full: false,
            turn: Vec::with_capacity(TURN * table.columns.len()),
            empty: Vec::new(),
            row: Box::new([0; WIDEST]),
            alike: Alike::default(),
        };
        let maker = concat!("moviola ", env!("CARGO_PKG_VERSION")).to_owned();
        let version = KeyValue::new("schema_version".to_owned(), SCHEMA_VERSION.to_string());
        let properties = WriterProperties::builder()
            .set_created_by(maker)
            .set_key_value_metadata(Some(vec![version]))
            .build();
        let writer = SerializedFileWriter::new(out, schema(table).map_err(error)?, Arc::new(properties))
            .map_err(error)?;
        Ok(Self { writer, rows })
    }

    /// Adds a row of a kind; `same` says that it equals the last one of the kind except for the times.
    #[inline]
    pub(super) fn row<R: Row>(&mut self, row: &R, kind: u16, same: bool) -> io::Result<()> {
        const { assert!(R::TABLE.columns.len() <= WIDEST) };
        self.rows.add(row, kind, same);
        if self.rows.is_full { self.group() } else { Ok(()) }
    }

    #[cold]
    fn group(&mut self) -> io::Result<()> {
        self.rows.write(&mut self.writer).map_err(error)
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        if self.rows.count > 0 {
            self.group()?;
        }
        self.writer.into_inner().map_err(error)
    }
}

/// An error of the output is returned as it is; others are the writer's own.
fn error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn schema(table: &Table) -> Result<TypePtr> {
    let fields = table.columns.iter().map(|column| {
        let (physical, logical) = match column.kind {
            Kind::Bool => (Physical::BOOLEAN, None),
            Kind::Int => (Physical::INT32, None),
            Kind::Long => (Physical::INT64, None),
            Kind::Float => (Physical::FLOAT, None),
            Kind::Double => (Physical::DOUBLE, None),
            Kind::Text | Kind::Name => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::List => return list(column),
        };
        let field = Type::primitive_type_builder(column.name, physical);
        field.with_repetition(repetition(column)).with_logical_type(logical).build().map(Arc::new)
    });
    Type::group_type_builder(table.name).with_fields(fields.collect::<Result<_>>()?).build().map(Arc::new)
}

fn repetition(column: &Column) -> Repetition {
    if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED }
}

/// The type of a list of texts, in the three levels that Parquet prescribes.
fn list(column: &Column) -> Result<TypePtr> {
    let text = Type::primitive_type_builder("element", Physical::BYTE_ARRAY)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::String))
        .build()?;
    let entry = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(text)])
        .build()?;
    Type::group_type_builder(column.name)
        .with_repetition(repetition(column))
        .with_logical_type(Some(LogicalType::List))
        .with_converted_type(ConvertedType::LIST)
        .with_fields(vec![Arc::new(entry)])
        .build()
        .map(Arc::new)
}

/// The texts of lists: each distinct text once, and its index for each text of each row in order.
#[derive(Default)]
struct Listed {
    texts: Vec<Bytes>,
    values: Vec<u32>,
    /// The number of texts in each row.
    lengths: Vec<u32>,
}

impl Listed {
    fn of(lists: &[Bytes], rows: &[u32], there: Option<&[bool]>) -> Self {
        let mut texts = Texts::default();
        let known: Vec<Vec<u32>> = lists
            .iter()
            .map(|key| {
                let words = WordList::of_key(key.clone());
                words.iter().map(|text| texts.number(&Bytes::copy_from_slice(text.as_bytes()))).collect()
            })
            .collect();
        let mut listed = Self::default();
        let mut add = |row: &u32| {
            let list = known.get(*row as usize).map(Vec::as_slice).unwrap_or_default();
            listed.values.extend_from_slice(list);
            listed.lengths.push(list.len() as u32);
        };
        match there {
            None => rows.iter().for_each(add),
            Some(there) => {
                let (mut rows, empty) = (rows.iter(), known.len() as u32);
                for it in there {
                    add(if *it { rows.next().unwrap_or(&empty) } else { &empty });
                }
            }
        }
        listed.texts = texts.take();
        listed
    }
}

impl Data {
    /// The index of a value; texts and booleans are indexes already.
    #[inline]
    fn number(&mut self, word: u64) -> u32 {
        match self.kind {
            Kind::Bool | Kind::Text | Kind::Name | Kind::List => word as u32,
            _ => self.values.number(word),
        }
    }
}

impl Alike {
    /// The last row of a kind.
    #[inline(always)]
    fn last(&mut self, kind: usize, width: usize) -> Option<Last<'_>> {
        let (begin, end) = (kind * width, (kind + 1) * width);
        if self.known.len() <= kind {
            self.words.resize(end, 0);
            self.numbers.resize(end, 0);
            self.known.resize(kind + 1, 0);
            self.empty.resize(kind + 1, 0);
        }
        Some(Last {
            words: self.words.get_mut(begin..end)?,
            numbers: self.numbers.get_mut(begin..end)?,
            known: self.known.get_mut(kind)?,
            empty: self.empty.get_mut(kind)?,
        })
    }
}

/// The last row of a kind.
struct Last<'a> {
    words: &'a mut [u64],
    numbers: &'a mut [u32],
    known: &'a mut u64,
    empty: &'a mut u64,
}

/// A row while its cells are taken.
struct Line<'c> {
    words: &'c mut [u64; WIDEST],
    empty: u64,
    columns: &'c mut [Data],
}

impl Cells for Line<'_> {
    #[inline(always)]
    fn cell(&mut self, at: usize, value: Value<'_>) {
        let word = match value {
            Value::Null => {
                self.empty |= 1 << at;
                0
            }
            Value::Text(word) => {
                self.columns.get_mut(at).map_or(0, |column| column.texts.number(word.bytes()).into())
            }
            Value::List(words) => {
                self.columns.get_mut(at).map_or(0, |column| column.texts.number(words.key()).into())
            }
            plain => bits(&plain),
        };
        if let Some(place) = self.words.get_mut(at) {
            *place = word;
        }
    }
}

/// The bits of a value that is not text.
#[inline(always)]
fn bits(value: &Value<'_>) -> u64 {
    match *value {
        Value::Bool(it) => u64::from(it),
        Value::Int(it) => it.bits(),
        Value::Long(it) => it.bits(),
        Value::Float(it) => it.bits(),
        Value::Double(it) => it.bits(),
        Value::Null | Value::Text(_) | Value::List(_) => 0,
    }
}

/// Takes the cells of a row that are [`MOVING`], and no others.
struct MovingCells<'c, R>(&'c mut [u64; WIDEST], PhantomData<R>);

impl<R: Row> Cells for MovingCells<'_, R> {
    #[inline(always)]
    fn cell(&mut self, at: usize, value: Value<'_>) {
        if const { moving(R::TABLE.columns) } >> at & 1 != 0
            && let Some(place) = self.0.get_mut(at)
        {
            *place = bits(&value);
        }
    }
}

impl Rows {
    #[inline]
    fn add<R: Row>(&mut self, row: &R, kind: u16, same: bool) {
        let Self { columns, count, turn, empty, row: words, alike, .. } = self;
        let Some(last) = alike.last(kind.into(), R::TABLE.columns.len()) else { return };
        // In a new group the indexes of the last row are not valid.
        let mut differing = if same && *last.known != 0 {
            row.cells(&mut MovingCells::<R>(words, PhantomData));
            const { moving(R::TABLE.columns) }
        } else {
            let mut line = Line { words, empty: 0, columns };
            row.cells(&mut line);
            *last.empty = line.empty;
            let words = words.iter().zip(&*last.words).enumerate();
            let bits = words.fold(0, |bits, (at, (word, last))| bits | u64::from(word != last) << at);
            bits | !*last.known & (u64::MAX >> (WIDEST - last.words.len()))
        };
        differing &= !*last.empty;
        *last.known |= differing;
        while differing != 0 {
            let at = differing.trailing_zeros() as usize;
            differing &= differing - 1;
            if let (Some(word), Some(before), Some(number), Some(column)) =
                (words.get(at), last.words.get_mut(at), last.numbers.get_mut(at), columns.get_mut(at))
            {
                (*before, *number) = (*word, column.number(*word));
            }
        }
        turn.extend_from_slice(last.numbers);
        empty.push(*last.empty);
        *count += 1;
        if empty.len() == TURN {
            self.turn();
        }
    }

    /// Moves the collected rows into the columns.
    fn turn(&mut self) {
        let Self { columns, turn, empty, .. } = self;
        let (some, all) = empty.iter().fold((0, u64::MAX), |(some, all), row| (some | row, all & row));
        let width = columns.len().max(1);
        for (at, Data { values, there, .. }) in columns.iter_mut().enumerate() {
            let bit = 1 << at;
            let numbers = turn.chunks_exact(width).map(|row| row.get(at).copied().unwrap_or_default());
            if all & bit == 0 {
                values.make_room(empty.len());
            }
            if some & bit == 0 {
                values.rows.extend(numbers);
            } else if all & bit == 0 {
                let there = numbers.zip(&*empty).filter(|(_, empty)| *empty & bit == 0);
                values.rows.extend(there.map(|(number, _)| number));
            }
            match there {
                Some(there) if some & bit == 0 || all & bit != 0 => {
                    there.resize(there.len() + empty.len(), some & bit == 0);
                }
                Some(there) => there.extend(empty.iter().map(|row| row & bit == 0)),
                None => {}
            }
        }
        turn.clear();
        empty.clear();
        let texts: usize = columns.iter().map(|column| column.texts.size()).sum();
        self.is_full = self.count >= GROUP || texts >= TEXTS;
    }

    /// Encodes the columns of the group on the cores that have nothing else to do, and writes them in their order.
    fn write<W: Write + Send>(&mut self, writer: &mut SerializedFileWriter<W>) -> Result<()> {
        self.turn();
        self.alike.known.fill(0);
        let described = writer.schema_descr().columns().to_vec();
        let rows = std::mem::take(&mut self.count);
        self.is_full = false;
        let columns = self.columns.par_iter_mut().zip(&described);
        let encoded: Vec<Result<(Bytes, ColumnCloseResult)>> = columns
            .map_init(compressor, |zstd, (data, column)| {
                let zstd = zstd.as_mut().map_err(|why| ParquetError::General(why.to_string()))?;
                data.encode(column, rows, zstd)
            })
            .collect();
        let mut group = writer.next_row_group()?;
        for column in encoded {
            let (pages, close) = column?;
            group.append_column(&pages, close)?;
        }
        group.close()?;
        Ok(())
    }
}

fn compressor() -> io::Result<Compressor<'static>> {
    Compressor::new(ZstdLevel::default().compression_level())
}

impl Data {
    /// Encodes the column, and begins it anew.
    fn encode(
        &mut self,
        column: &ColumnDescPtr,
        rows: usize,
        zstd: &mut Compressor<'static>,
    ) -> Result<(Bytes, ColumnCloseResult)> {
        let Self { kind, values, there, texts } = self;
        let flags = there.as_deref();
        let shape = flags.map_or(Shape::Full, Shape::Empty);
        let distinct = texts.take();
        let mut add = |chunk: &Chunk<'_>, shape: &Shape<'_>| chunk.pages(column, rows, shape, zstd);
        let encoded = match kind {
            Kind::Bool => add(&Chunk::bools(&values.rows), &shape),
            Kind::Int => add(&Chunk::numbers::<i32>(values), &shape),
            Kind::Long => add(&Chunk::numbers::<i64>(values), &shape),
            Kind::Float => add(&Chunk::numbers::<f32>(values), &shape),
            Kind::Double => add(&Chunk::numbers::<f64>(values), &shape),
            Kind::Text | Kind::Name => add(&Chunk::texts(&distinct, &values.rows), &shape),
            Kind::List => {
                let listed = Listed::of(&distinct, &values.rows, flags);
                let shape = Shape::Lists(&listed.lengths, flags);
                add(&Chunk::texts(&listed.texts, &listed.values), &shape)
            }
        };
        values.clear();
        there.iter_mut().for_each(Vec::clear);
        encoded
    }
}
