//! Parquet, compressed with zstd. Rows are collected as words of 64 bits, some hundreds of them are turned into columns,
//! and columns are written as a row group when there is enough in them.

mod chunk;
mod index;

use crate::schema::{Cells, Column, Kind, Row, Table, Value};
use chunk::{Chunk, Number};
use index::{Numbers, Texts};
use parquet::basic::{LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::io::{self, Write};
use std::sync::Arc;
use zstd::bulk::Compressor;

/// How many rows a group has: what `DuckDB` works through in one thread, and little enough to be kept in memory.
const GROUP: usize = 122_880;

pub(super) struct File<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    rows: Rows,
    zstd: Compressor<'static>,
}

impl<W: Write + Send> std::fmt::Debug for File<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").field("rows", &self.rows.count).finish_non_exhaustive()
    }
}

/// How many rows are turned into columns at once: they stay in the nearest cache.
const TURN: usize = 256;

/// No table has more columns than this.
const WIDEST: usize = 64;

/// The rows of a group.
struct Rows {
    columns: Vec<Data>,
    count: usize,
    /// The rows that are not in the columns yet: a word for each cell, and for each row the bits of its empty ones.
    words: Vec<u64>,
    empty: Vec<u64>,
    /// The row and the column at hand.
    row: Box<[u64; WIDEST]>,
    column: Vec<u64>,
}

/// A column.
struct Data {
    kind: Kind,
    values: Numbers,
    /// For each row whether it has a value.
    there: Option<Vec<bool>>,
    /// The texts that the values number.
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
            words: Vec::new(),
            empty: Vec::new(),
            row: Box::new([0; WIDEST]),
            column: Vec::new(),
        };
        let maker = concat!("moviola ", env!("CARGO_PKG_VERSION")).to_owned();
        let properties = WriterProperties::builder().set_created_by(maker).build();
        let writer = SerializedFileWriter::new(out, schema(table).map_err(error)?, Arc::new(properties))
            .map_err(error)?;
        let zstd = Compressor::new(ZstdLevel::default().compression_level())?;
        Ok(Self { writer, rows, zstd })
    }

    #[inline]
    pub(super) fn row<R: Row>(&mut self, row: &R) -> io::Result<()> {
        const { assert!(R::TABLE.columns.len() <= WIDEST) };
        self.rows.add(row);
        if self.rows.count == GROUP { self.group() } else { Ok(()) }
    }

    #[cold]
    fn group(&mut self) -> io::Result<()> {
        self.rows.write(&mut self.writer, &mut self.zstd).map_err(error)
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        if self.rows.count > 0 {
            self.group()?;
        }
        self.writer.into_inner().map_err(error)
    }
}

/// What the output said stays what it is; all else is the writer's own.
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
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let field = Type::primitive_type_builder(column.name, physical);
        field.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    });
    Type::group_type_builder(table.name).with_fields(fields.collect::<Result<_>>()?).build().map(Arc::new)
}

/// A row on its way.
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
            Value::Bool(it) => u64::from(it),
            Value::Int(it) => it.bits(),
            Value::Long(it) => it.bits(),
            Value::Float(it) => it.bits(),
            Value::Double(it) => it.bits(),
            Value::Text(word) => {
                self.columns.get_mut(at).map_or(0, |column| column.texts.number(word.bytes()).into())
            }
        };
        if let Some(place) = self.words.get_mut(at) {
            *place = word;
        }
    }
}

impl Rows {
    #[inline]
    fn add<R: Row>(&mut self, row: &R) {
        let mut line = Line { words: &mut self.row, empty: 0, columns: &mut self.columns };
        row.cells(&mut line);
        self.empty.push(line.empty);
        self.words.extend_from_slice(self.row.get(..R::TABLE.columns.len()).unwrap_or_default());
        self.count += 1;
        if self.empty.len() == TURN {
            self.turn();
        }
    }

    /// Turns the rows at hand into columns.
    fn turn(&mut self) {
        let Self { columns, words, empty, column, .. } = self;
        let width = columns.len().max(1);
        let (some, all) = empty.iter().fold((0, u64::MAX), |(some, all), row| (some | row, all & row));
        for (at, Data { values, there, .. }) in columns.iter_mut().enumerate() {
            let bit = 1 << at;
            if let Some(there) = there {
                there.extend(empty.iter().map(|row| row & bit == 0));
            }
            if all & bit != 0 {
                continue;
            }
            column.clear();
            column.extend(words.chunks_exact(width).map(|row| row.get(at).copied().unwrap_or_default()));
            if some & bit != 0 {
                let mut rows = empty.iter();
                column.retain(|_| rows.next().is_some_and(|row| row & bit == 0));
            }
            values.extend(column);
        }
        words.clear();
        empty.clear();
    }

    fn write<W: Write + Send>(
        &mut self,
        writer: &mut SerializedFileWriter<W>,
        zstd: &mut Compressor<'static>,
    ) -> Result<()> {
        self.turn();
        let described = writer.schema_descr().columns().to_vec();
        let mut group = writer.next_row_group()?;
        let rows = std::mem::take(&mut self.count);
        for (Data { kind, values, there, texts }, column) in self.columns.iter_mut().zip(&described) {
            let nulls = there.as_ref().map_or(0, |there| there.iter().filter(|it| !**it).count() as u64);
            let chunk = match kind {
                Kind::Bool => Chunk::bools(&values.all()),
                Kind::Int => Chunk::numbers::<i32>(values, nulls),
                Kind::Long => Chunk::numbers::<i64>(values, nulls),
                Kind::Float => Chunk::numbers::<f32>(values, nulls),
                Kind::Double => Chunk::numbers::<f64>(values, nulls),
                // Files are looked up by their recording; the order of other texts says nothing.
                Kind::Text => Chunk::texts(&texts.take(), &values.all(), column.name() == "recording", nulls),
            };
            let (pages, close) = chunk.pages(column, rows, there.as_deref(), zstd)?;
            group.append_column(&pages, close)?;
            values.clear();
            there.iter_mut().for_each(Vec::clear);
        }
        group.close()?;
        Ok(())
    }
}
