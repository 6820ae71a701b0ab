//! Parquet, compressed with zstd. Rows are collected as columns and written as a row group when there are enough.

mod chunk;
mod index;

use crate::schema::{Cells, Column, Kind, Row, Table, Value};
use chunk::Chunk;
use index::Texts;
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
    columns: Columns,
    zstd: Compressor<'static>,
}

impl<W: Write + Send> std::fmt::Debug for File<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").field("rows", &self.columns.rows).finish_non_exhaustive()
    }
}

/// The rows of a group, column by column.
struct Columns {
    rows: usize,
    columns: Vec<Data>,
}

/// A column's values, those that are there, and for each row whether it is there.
struct Data {
    values: Values,
    there: Option<Vec<bool>>,
}

enum Values {
    Bool(Vec<bool>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Text(Texts),
}

impl<W: Write + Send> File<W> {
    pub(super) fn new(table: &Table, out: W) -> io::Result<Self> {
        let columns = table.columns.iter().map(Data::new).collect();
        let maker = concat!("moviola ", env!("CARGO_PKG_VERSION")).to_owned();
        let properties = WriterProperties::builder().set_created_by(maker).build();
        let writer = SerializedFileWriter::new(out, schema(table).map_err(error)?, Arc::new(properties))
            .map_err(error)?;
        let zstd = Compressor::new(ZstdLevel::default().compression_level())?;
        Ok(Self { writer, columns: Columns { rows: 0, columns }, zstd })
    }

    #[inline]
    pub(super) fn row<R: Row>(&mut self, row: &R) -> io::Result<()> {
        row.cells(&mut self.columns);
        self.columns.rows += 1;
        if self.columns.rows == GROUP { self.group() } else { Ok(()) }
    }

    #[cold]
    fn group(&mut self) -> io::Result<()> {
        self.columns.write(&mut self.writer, &mut self.zstd).map_err(error)
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        if self.columns.rows > 0 {
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

impl Data {
    fn new(column: &Column) -> Self {
        let values = match column.kind {
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::Int => Values::Int(Vec::new()),
            Kind::Long => Values::Long(Vec::new()),
            Kind::Float => Values::Float(Vec::new()),
            Kind::Double => Values::Double(Vec::new()),
            Kind::Text => Values::Text(Texts::default()),
        };
        Self { values, there: column.optional.then(Vec::new) }
    }
}

impl Cells for Columns {
    #[inline(always)]
    fn cell(&mut self, at: usize, value: Value<'_>) {
        let Some(column) = self.columns.get_mut(at) else { return };
        if let Some(there) = &mut column.there {
            there.push(value != Value::Null);
        }
        match (&mut column.values, value) {
            (Values::Bool(values), Value::Bool(value)) => values.push(value),
            (Values::Int(values), Value::Int(value)) => values.push(value),
            (Values::Long(values), Value::Long(value)) => values.push(value),
            (Values::Float(values), Value::Float(value)) => values.push(value),
            (Values::Double(values), Value::Double(value)) => values.push(value),
            (Values::Text(texts), Value::Text(word)) => texts.push(word.bytes()),
            // A row has the types of its table; only nothing is left.
            _ => {}
        }
    }
}

impl Columns {
    fn write<W: Write + Send>(
        &mut self,
        writer: &mut SerializedFileWriter<W>,
        zstd: &mut Compressor<'static>,
    ) -> Result<()> {
        let described = writer.schema_descr().columns().to_vec();
        let mut group = writer.next_row_group()?;
        let rows = std::mem::take(&mut self.rows);
        for (Data { values, there }, column) in self.columns.iter_mut().zip(&described) {
            let nulls = there.as_ref().map_or(0, |there| there.iter().filter(|it| !**it).count() as u64);
            let chunk = match values {
                Values::Bool(values) => Chunk::bools(values),
                Values::Int(values) => Chunk::numbers(values, nulls),
                Values::Long(values) => Chunk::numbers(values, nulls),
                Values::Float(values) => Chunk::numbers(values, nulls),
                Values::Double(values) => Chunk::numbers(values, nulls),
                // Files are looked up by their recording; the order of other texts says nothing.
                Values::Text(texts) => Chunk::texts(&texts.take(), column.name() == "recording", nulls),
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

impl Values {
    fn clear(&mut self) {
        match self {
            Self::Bool(values) => values.clear(),
            Self::Int(values) => values.clear(),
            Self::Long(values) => values.clear(),
            Self::Float(values) => values.clear(),
            Self::Double(values) => values.clear(),
            // It was taken.
            Self::Text(_) => {}
        }
    }
}
