//! Parquet, compressed with zstd. Rows become columns of indexes, which are written as a row group when they are long
//! enough.

mod chunk;
mod encode;
mod index;
mod lists;
mod order;
mod rows;
mod series;

use crate::schema::{Column, ColumnKind, Row, Table};
use crate::tables::SCHEMA_VERSION;
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use rows::{MAX_COLUMNS, Rows};
use std::io::{self, Write};
use std::sync::Arc;

pub(super) struct File<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    rows: Rows,
}

impl<W: Write + Send> std::fmt::Debug for File<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("File").field("rows", &self.rows.count()).finish_non_exhaustive()
    }
}

impl<W: Write + Send> File<W> {
    pub(super) fn new(table: &Table, out: W) -> io::Result<Self> {
        let rows = Rows::new(table);
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

    /// Adds a row of a subject.
    #[inline]
    pub(super) fn row<R: Row>(&mut self, row: &R, subject: u16) -> io::Result<()> {
        const { assert!(R::TABLE.columns.len() <= MAX_COLUMNS) };
        self.rows.add(row, subject);
        if self.rows.is_full() { self.group() } else { Ok(()) }
    }

    /// Adds the last row of a subject once more, with the times of another. Returns whether the group has that row.
    #[inline]
    pub(super) fn repeat_row<R: Row>(&mut self, now: &R, subject: u16) -> io::Result<bool> {
        if !self.rows.repeat_row(now, subject) {
            return Ok(false);
        }
        if self.rows.is_full() {
            self.group()?;
        }
        Ok(true)
    }

    #[cold]
    fn group(&mut self) -> io::Result<()> {
        self.rows.write(&mut self.writer).map_err(error)
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        if self.rows.count() > 0 {
            self.group()?;
        }
        self.writer.into_inner().map_err(error)
    }
}

/// An error of the output is returned unchanged; other errors are the Parquet writer's.
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
            ColumnKind::Bool => (Physical::BOOLEAN, None),
            ColumnKind::Int => (Physical::INT32, None),
            ColumnKind::Long => (Physical::INT64, None),
            ColumnKind::Float => (Physical::FLOAT, None),
            ColumnKind::Double => (Physical::DOUBLE, None),
            ColumnKind::Text | ColumnKind::Name => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnKind::List => return list(column),
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
