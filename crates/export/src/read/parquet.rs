//! Parquet, row by row.

use super::{find, put, wrong};
use crate::schema::{CellValue, Column, Row};
use crate::{Word, WordList};
use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::io;

pub(super) fn columns(file: &[u8]) -> io::Result<Vec<String>> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(file)).map_err(error)?;
    let fields = reader.metadata().file_metadata().schema().get_fields();
    Ok(fields.iter().map(|field| field.name().to_owned()).collect())
}

// For `map_err`, which passes its error by value.
#[allow(clippy::needless_pass_by_value)]
fn error(error: parquet::errors::ParquetError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

pub(super) fn rows<R: Row>(file: Vec<u8>) -> io::Result<Vec<R>> {
    let reader = SerializedFileReader::new(Bytes::from(file)).map_err(error)?;
    let fields = reader.metadata().file_metadata().schema().get_fields();
    let columns: Vec<Option<(usize, &Column)>> = fields.iter().map(|field| find::<R>(field.name())).collect();
    let read = reader.get_row_iter(None).map_err(error)?;
    let rows = read.enumerate().map(|(index, fields)| {
        let fields = fields.map_err(error)?;
        let mut row = R::default();
        for ((_, field), column) in fields.get_column_iter().zip(&columns) {
            let Some(column) = *column else { continue };
            let line = index.saturating_add(1);
            let (word, words);
            let value = match field {
                Field::Null => CellValue::Null,
                Field::Bool(value) => CellValue::Bool(*value),
                Field::Int(value) => CellValue::Int(*value),
                Field::Long(value) => CellValue::Long(*value),
                Field::Float(value) => CellValue::Float(*value),
                Field::Double(value) => CellValue::Double(*value),
                Field::Str(text) => {
                    word = Word::from(text.as_str());
                    CellValue::Text(&word)
                }
                Field::ListInternal(list) => {
                    let text = |field: &Field| match field {
                        Field::Str(text) => Some(text.clone()),
                        _ => None,
                    };
                    words = list.elements().iter().filter_map(text).collect::<WordList>();
                    CellValue::List(&words)
                }
                _ => return Err(wrong(line, &format!("`{}` is of a type that is not read", column.1.name))),
            };
            put(&mut row, column, value, line)?;
        }
        Ok(row)
    });
    rows.collect()
}
