//! JSON Lines: an object a row.

use super::{find, parsed, put, wrong};
use crate::WordList;
use crate::schema::{CellValue, ColumnKind, Row};
use serde_json::Value as Json;
use std::io;

pub(super) fn columns(file: &[u8]) -> io::Result<Vec<String>> {
    let first = lines(file).next().map(|line| object(1, line)).transpose()?;
    Ok(first.into_iter().flatten().map(|(name, _)| name).collect())
}

fn lines(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    file.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty())
}

fn object(number: usize, line: &[u8]) -> io::Result<serde_json::Map<String, Json>> {
    serde_json::from_slice(line).map_err(|error| wrong(number, &error.to_string()))
}

pub(super) fn rows<R: Row>(file: &[u8]) -> io::Result<Vec<R>> {
    let rows = lines(file).enumerate().map(|(index, line)| {
        let number = index.saturating_add(1);
        let object = object(number, line)?;
        let mut row = R::default();
        for (name, value) in &object {
            let Some(column) = find::<R>(name) else { continue };
            let fits = match (column.1.kind, value) {
                // A number that is not finite is written as null.
                (ColumnKind::Float | ColumnKind::Double, Json::Null) if !column.1.optional => Some(Ok(())),
                (_, Json::Null) => Some(put(&mut row, column, CellValue::Null, number)),
                (ColumnKind::Text | ColumnKind::Name, Json::String(text)) => {
                    parsed(ColumnKind::Text, text, |value| put(&mut row, column, value, number))
                }
                (ColumnKind::Bool, Json::Bool(value)) => {
                    Some(put(&mut row, column, CellValue::Bool(*value), number))
                }
                (ColumnKind::List, Json::Array(texts)) if texts.iter().all(Json::is_string) => {
                    let words: WordList = texts.iter().filter_map(Json::as_str).collect();
                    Some(put(&mut row, column, CellValue::List(&words), number))
                }
                (
                    ColumnKind::Int | ColumnKind::Long | ColumnKind::Float | ColumnKind::Double,
                    Json::Number(value),
                ) => {
                    let kind = column.1.kind;
                    parsed(kind, &value.to_string(), |value| put(&mut row, column, value, number))
                }
                _ => None,
            };
            fits.unwrap_or_else(|| {
                Err(wrong(number, &format!("`{name}` is not of type {}", column.1.kind.sql())))
            })?;
        }
        Ok(row)
    });
    rows.collect()
}
