//! Parquet, compressed with zstd. Rows are collected as columns and written as a row group when there are enough.

use crate::schema::{Cells, Column, Kind, Row, Table, Value};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use std::io::{self, Write};
use std::sync::Arc;

/// How many rows a group has: what `DuckDB` works through in one thread, and little enough to be kept in memory.
const GROUP: usize = 122_880;

pub(super) struct File<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Columns,
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
    there: Option<Vec<i16>>,
}

enum Values {
    Bool(Vec<bool>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Text(Texts),
}

/// Texts, each with how often it comes: most are the same as the one before.
#[derive(Default)]
struct Texts(Vec<(Bytes, usize)>);

impl<W: Write + Send> File<W> {
    pub(super) fn new(table: &Table, out: W) -> io::Result<Self> {
        let columns = table.columns.iter().map(Data::new).collect();
        let writer =
            SerializedFileWriter::new(out, schema(table).map_err(error)?, Arc::new(properties(table)))
                .map_err(error)?;
        Ok(Self { writer, columns: Columns { rows: 0, columns } })
    }

    #[inline]
    pub(super) fn row<R: Row>(&mut self, row: &R) -> io::Result<()> {
        row.cells(&mut self.columns);
        self.columns.rows += 1;
        if self.columns.rows == GROUP { self.group() } else { Ok(()) }
    }

    #[cold]
    fn group(&mut self) -> io::Result<()> {
        self.columns.write(&mut self.writer).map_err(error)
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

/// Text is told by dictionary; whole numbers by what changes; floats as they are, since few come twice.
fn properties(table: &Table) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("moviola ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_enabled(false);
    for column in table.columns {
        let path = ColumnPath::from(column.name);
        properties = match column.kind {
            // Files are looked up by their recording; the order of other texts is not worth a comparison each.
            Kind::Text if column.name == "recording" => properties.set_column_dictionary_enabled(path, true),
            Kind::Text => properties
                .set_column_dictionary_enabled(path.clone(), true)
                .set_column_statistics_enabled(path, EnabledStatistics::None),
            Kind::Int | Kind::Long => properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED),
            Kind::Bool | Kind::Float | Kind::Double => properties,
        };
    }
    properties.build()
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
            there.push(i16::from(value != Value::Null));
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
    fn write<W: Write + Send>(&mut self, writer: &mut SerializedFileWriter<W>) -> Result<()> {
        let mut group = writer.next_row_group()?;
        for Data { values, there } in &mut self.columns {
            let Some(mut column) = group.next_column()? else { break };
            let levels = there.as_deref();
            match values {
                Values::Bool(values) => put::<BoolType>(&mut column, values, levels),
                Values::Int(values) => put::<Int32Type>(&mut column, values, levels),
                Values::Long(values) => put::<Int64Type>(&mut column, values, levels),
                Values::Float(values) => put::<FloatType>(&mut column, values, levels),
                Values::Double(values) => put::<DoubleType>(&mut column, values, levels),
                Values::Text(texts) => texts.put(&mut column, levels),
            }?;
            column.close()?;
            if let Some(there) = there {
                there.clear();
            }
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

fn put<T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: &mut Vec<T::T>,
    levels: Option<&[i16]>,
) -> Result<()> {
    column.typed::<T>().write_batch(values, levels, None)?;
    values.clear();
    Ok(())
}

/// How many texts are written at once.
const BATCH: usize = 4096;

impl Texts {
    #[inline]
    fn push(&mut self, text: &Bytes) {
        match self.0.last_mut() {
            Some((last, count)) if std::ptr::eq(last.as_ref(), text.as_ref()) => *count += 1,
            _ => self.0.push((text.clone(), 1)),
        }
    }

    /// A text that comes often is copied for one batch, which is then written again and again.
    fn put(&mut self, column: &mut SerializedColumnWriter<'_>, levels: Option<&[i16]>) -> Result<()> {
        let column = column.typed::<ByteArrayType>();
        let mut batch = Vec::with_capacity(BATCH);
        if let Some(levels) = levels {
            batch.extend(
                self.0.drain(..).flat_map(|(text, count)| std::iter::repeat_n(ByteArray::from(text), count)),
            );
            column.write_batch(&batch, Some(levels), None)?;
            return Ok(());
        }
        for (text, mut count) in self.0.drain(..) {
            let text = ByteArray::from(text);
            if count >= BATCH {
                column.write_batch(&batch, None, None)?;
                batch.clear();
                batch.resize(BATCH, text.clone());
                while count >= BATCH {
                    column.write_batch(&batch, None, None)?;
                    count -= BATCH;
                }
                batch.clear();
            }
            batch.extend(std::iter::repeat_n(text, count));
            if batch.len() >= BATCH {
                column.write_batch(&batch, None, None)?;
                batch.clear();
            }
        }
        column.write_batch(&batch, None, None)?;
        Ok(())
    }
}
