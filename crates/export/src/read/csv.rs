//! Reads comma-separated values, as `write` makes them or as a spreadsheet saves them.

use super::{find, parsed, wrong};
use crate::schema::{CellValue, Row};
use std::borrow::Cow;
use std::io;

pub(super) fn columns(file: &[u8]) -> io::Result<Vec<String>> {
    let text = text(file)?;
    let mut cells = Vec::new();
    if !text.is_empty() {
        record(text, &mut cells).ok_or_else(|| wrong(1, "a quote is not closed"))?;
    }
    Ok(cells.into_iter().map(|(name, _)| name.into_owned()).collect())
}

fn text(file: &[u8]) -> io::Result<&str> {
    let text = std::str::from_utf8(file)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

pub(super) fn rows<R: Row>(file: &[u8]) -> io::Result<Vec<R>> {
    let mut rest = text(file)?;
    let mut columns = Vec::new();
    let mut cells = Vec::new();
    let mut rows = Vec::new();
    while !rest.is_empty() {
        let line = rows.len().saturating_add(1);
        cells.clear();
        rest = record(rest, &mut cells).ok_or_else(|| wrong(line, "a quote is not closed"))?;
        if columns.is_empty() {
            columns.extend(cells.iter().map(|(name, _)| find::<R>(name)));
            continue;
        }
        if cells.len() > columns.len() {
            return Err(wrong(line, "there are more cells than columns"));
        }
        let mut row = R::default();
        for ((text, quoted), column) in cells.iter().zip(&columns) {
            let Some((at, column)) = *column else { continue };
            let fits = if text.is_empty() && !quoted && column.optional {
                row.put(at, CellValue::Null)
            } else {
                parsed(column.kind, text, |value| row.put(at, value)).unwrap_or_default()
            };
            if !fits {
                return Err(wrong(line, &format!("`{}` is not of type {}", column.name, column.kind.sql())));
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A cell, and whether it was in quotes.
type Cell<'t> = (Cow<'t, str>, bool);

/// Splits a line into cells; returns `None` if a quote is not closed.
fn record<'t>(mut rest: &'t str, cells: &mut Vec<Cell<'t>>) -> Option<&'t str> {
    loop {
        let cell: Cell<'t>;
        if let Some(inner) = rest.strip_prefix('"') {
            let (text, behind) = quoted(inner)?;
            (cell, rest) = ((text, true), behind);
        } else {
            let end = rest.find([',', '\n']).unwrap_or(rest.len());
            let (text, behind) = rest.split_at_checked(end)?;
            (cell, rest) = ((text.trim_end_matches('\r').into(), false), behind);
        }
        cells.push(cell);
        match rest.split_at_checked(1) {
            Some((",", behind)) => rest = behind,
            Some(("\n", behind)) => return Some(behind),
            _ => return Some(rest.trim_start_matches('\r').strip_prefix('\n').unwrap_or_default()),
        }
    }
}

/// The text in quotes, and the rest after them.
fn quoted(inner: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut from = 0;
    let mut doubled = false;
    loop {
        let end = from + inner.get(from..)?.find('"')?;
        let behind = inner.get(end + 1..)?;
        if behind.starts_with('"') {
            doubled = true;
            from = end + 2;
            continue;
        }
        let text = inner.get(..end)?;
        return Some((if doubled { text.replace("\"\"", "\"").into() } else { text.into() }, behind));
    }
}
