//! Tables in Arrow's memory, exported through its C interface, so that readers need neither a copy nor
//! `pyarrow`.

use crate::trouble::Trouble;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float32Array, Float64Array, Int32Array, Int64Array,
    RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use moviola_export::columns::{ColumnValues, Columns, FilledColumn};
use moviola_export::schema::ColumnKind;
use moviola_export::{Files, Id, TableFormat, harvest, tables};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// A table of one or more recordings. It has the Arrow PyCapsule interface: `polars.DataFrame(table)`,
/// `duckdb.sql("FROM table")`, `pyarrow.table(table)` and `pandas.DataFrame.from_arrow(table)` take it as it is.
#[pyclass(frozen, module = "moviola")]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    /// Its name.
    #[pyo3(get)]
    name: &'static str,
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// How many rows there are.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    fn __repr__(&self) -> String {
        let columns = self.schema.fields().len();
        format!("<moviola.Table {}: {} rows, {columns} columns>", self.name, self.num_rows())
    }

    /// The rows as an Arrow stream. A request for a different schema is ignored.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok::<RecordBatch, ArrowError>);
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

impl Table {
    pub(crate) fn of(name: &str, batches: Vec<RecordBatch>) -> Result<Self, Trouble> {
        let (table, schema) = known(name)?;
        Ok(Self { schema, batches, name: table.name })
    }
}

/// The table with this name, and its schema.
fn known(name: &str) -> Result<(&'static moviola_export::schema::Table, SchemaRef), Trouble> {
    let Some(table) = tables::ALL.iter().find(|table| table.name == name) else {
        let all: Vec<&str> = tables::ALL.iter().map(|table| table.name).collect();
        return Err(Trouble::new(format!("no table is called `{name}`: there are {}", all.join(", "))));
    };
    let field = |column: &moviola_export::schema::Column| {
        let kind = match column.kind {
            ColumnKind::Bool => DataType::Boolean,
            ColumnKind::Int => DataType::Int32,
            ColumnKind::Long => DataType::Int64,
            ColumnKind::Float => DataType::Float32,
            ColumnKind::Double => DataType::Float64,
            ColumnKind::Text => DataType::Utf8,
            ColumnKind::Name => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            ColumnKind::List => DataType::List(Arc::new(Field::new("item", DataType::Utf8, true))),
        };
        Field::new(column.name, kind, column.optional)
    };
    Ok((table, Arc::new(Schema::new(table.columns.iter().map(field).collect::<Vec<_>>()))))
}

/// The requested tables of one recording, made in one pass over it.
pub(crate) fn tables(data: &[u8], names: &[String], file: &str) -> Result<Vec<Table>, Trouble> {
    let made = names.iter().zip(batches(data, names, file)?);
    made.map(|(name, batch)| Table::of(name, vec![batch])).collect()
}

/// The rows of these tables.
pub(crate) fn batches(data: &[u8], names: &[String], file: &str) -> Result<Vec<RecordBatch>, Trouble> {
    let mut files = Files::<std::io::Sink>::new(TableFormat::Jsonl);
    for name in names {
        files.keep(known(name)?.0);
    }
    harvest(data, Id::of(data)?, file, &mut files)?;
    let mut kept = files.kept();
    // The tables in the requested order.
    kept.sort_by_key(|columns| names.iter().position(|name| name == columns.table.name));
    kept.into_iter()
        .map(|columns| {
            let (_, schema) = known(columns.table.name)?;
            batch(columns, schema).map_err(Trouble::new)
        })
        .collect()
}

/// The rows of a table as JSON Lines.
pub(crate) fn rows(data: &[u8], name: &str) -> Result<String, Trouble> {
    let mut files = Files::new(TableFormat::Jsonl);
    files.add(known(name)?.0, Vec::new())?;
    harvest(data, Id::of(data)?, "", &mut files)?;
    let text = files.finish()?.into_iter().flat_map(|(_, text)| text).collect();
    String::from_utf8(text).map_err(Trouble::new)
}

fn batch(columns: Columns, schema: SchemaRef) -> Result<RecordBatch, ArrowError> {
    let kinds = columns.table.columns.iter().map(|column| column.kind);
    let arrays = columns.columns.into_iter().zip(kinds).map(|(filled, kind)| array(filled, kind));
    RecordBatch::try_new(schema, arrays.collect::<Result<_, _>>()?)
}

fn array(FilledColumn { there, values }: FilledColumn, kind: ColumnKind) -> Result<ArrayRef, ArrowError> {
    let nulls = there.map(NullBuffer::from);
    let is_there = |at: usize| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(at));
    Ok(match values {
        ColumnValues::Bool(all) => Arc::new(BooleanArray::new(all.into(), nulls)),
        ColumnValues::Int(all) => Arc::new(Int32Array::new(all.into(), nulls)),
        ColumnValues::Long(all) => Arc::new(Int64Array::new(all.into(), nulls)),
        ColumnValues::Float(all) => Arc::new(Float32Array::new(all.into(), nulls)),
        ColumnValues::Double(all) => Arc::new(Float64Array::new(all.into(), nulls)),
        ColumnValues::Texts(distinct, rows) if kind == ColumnKind::Name => {
            let words: StringArray = distinct.iter().map(|word| Some(word.as_str())).collect();
            let keys: Vec<i32> = rows.into_iter().map(|row| row as i32).collect();
            Arc::new(DictionaryArray::try_new(Int32Array::new(keys.into(), nulls), Arc::new(words))?)
        }
        ColumnValues::Texts(distinct, rows) => {
            let text = |(at, row): (usize, &u32)| {
                is_there(at).then(|| distinct.get(*row as usize).map_or("", |word| word.as_str()))
            };
            Arc::new(rows.iter().enumerate().map(text).collect::<StringArray>())
        }
        ColumnValues::Lists(distinct, rows) => {
            let mut lists = ListBuilder::new(StringBuilder::new());
            for (at, row) in rows.iter().enumerate() {
                for text in distinct.get(*row as usize).into_iter().flat_map(|list| list.iter()) {
                    if is_there(at) {
                        lists.values().append_value(text);
                    }
                }
                lists.append(is_there(at));
            }
            Arc::new(lists.finish()) as Arc<dyn Array>
        }
    })
}
