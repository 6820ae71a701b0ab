//! Reads rows from the files that `write` makes, in each of the forms.

mod csv;
mod json;
#[cfg(feature = "parquet")]
mod parquet;

use crate::schema::{CellValue, Column, ColumnKind, Row};
use crate::write::TableFormat;
use crate::{Word, WordList};
use std::io;

/// Reads the rows of a table's file. Columns are found by their names: a missing one is empty, and columns
/// that the table does not have are ignored.
///
/// ```
/// use moviola_export::{TableFormat, rows, tables::Players};
/// let csv = b"level,name,frags,hat\n2,\"Al, the Axe\",,red\n";
/// let rows: Vec<Players> = rows(TableFormat::Csv, csv.to_vec()).unwrap();
/// assert_eq!((rows[0].level, rows[0].name.as_str(), rows[0].frags), (2, "Al, the Axe", None));
/// ```
pub fn rows<R: Row>(form: TableFormat, file: Vec<u8>) -> io::Result<Vec<R>> {
    match form {
        #[cfg(feature = "parquet")]
        TableFormat::Parquet => parquet::rows(file),
        TableFormat::Csv => csv::rows(&file),
        TableFormat::Jsonl => json::rows(&file),
    }
}

/// The names of a file's columns; of JSON Lines those of the first row, if there is one.
///
/// ```
/// use moviola_export::{TableFormat, columns};
/// assert_eq!(columns(TableFormat::Csv, b"level,name\n").unwrap(), ["level", "name"]);
/// assert_eq!(columns(TableFormat::Jsonl, b"{\"level\":2}\n").unwrap(), ["level"]);
/// ```
pub fn columns(form: TableFormat, file: &[u8]) -> io::Result<Vec<String>> {
    match form {
        #[cfg(feature = "parquet")]
        TableFormat::Parquet => parquet::columns(file),
        TableFormat::Csv => csv::columns(file),
        TableFormat::Jsonl => json::columns(file),
    }
}

/// The column of the table with this name.
fn find<R: Row>(name: &str) -> Option<(usize, &'static Column)> {
    R::TABLE.columns.iter().enumerate().find(|(_, column)| column.name == name)
}

/// Puts a value into a row; a value that does not fit is an error with its place.
fn put<R: Row>(
    row: &mut R,
    (at, column): (usize, &Column),
    value: CellValue<'_>,
    line: usize,
) -> io::Result<()> {
    if row.put(at, value) {
        return Ok(());
    }
    Err(wrong(line, &format!("`{}` is not of type {}", column.name, column.kind.sql())))
}

/// The error for a row, counted from 1.
fn wrong(row: usize, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("row {row}: {why}"))
}

/// Does `act` with the value that a column of this kind has in this text.
fn parsed<T>(kind: ColumnKind, text: &str, act: impl FnOnce(CellValue<'_>) -> T) -> Option<T> {
    let (word, words);
    let value = match kind {
        ColumnKind::Bool => CellValue::Bool(text.parse().ok()?),
        ColumnKind::Int => CellValue::Int(text.parse().ok()?),
        ColumnKind::Long => CellValue::Long(text.parse().ok()?),
        ColumnKind::Float => CellValue::Float(text.parse().ok()?),
        ColumnKind::Double => CellValue::Double(text.parse().ok()?),
        ColumnKind::Text | ColumnKind::Name => {
            word = Word::from(text);
            CellValue::Text(&word)
        }
        ColumnKind::List => {
            words = serde_json::from_str::<Vec<String>>(text).ok()?.into_iter().collect::<WordList>();
            CellValue::List(&words)
        }
    };
    Some(act(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Table;
    use crate::tables::{Levels, Messages};
    use crate::write::Files;

    fn written<R: Row>(form: TableFormat, table: &'static Table, rows: &[R]) -> Vec<u8> {
        let mut files = Files::new(form);
        files.add(table, Vec::new()).unwrap();
        for row in rows {
            files.row(row).unwrap();
        }
        files.finish().unwrap().pop().unwrap().1
    }

    #[test]
    fn every_table_format_reads_back() {
        let levels = [
            Levels {
                recording: "ab".into(),
                map: "e1m1".into(),
                title: "\"the\"\nSlip, gate \u{e9}\t".into(),
                protocol: -7,
                first_block: 1 << 40,
                first_time: Some(0.1),
                monsters: Some(0),
                ..Levels::default()
            },
            Levels { title_hex: Some("".into()), last_time: Some(1e30), ..Levels::default() },
        ];
        for &form in TableFormat::ALL {
            let file = written(form, Levels::TABLE, &levels);
            assert_eq!(rows::<Levels>(form, file).unwrap(), levels, "{form:?}");
            let empty = written::<Levels>(form, Levels::TABLE, &[]);
            let named = columns(form, &empty).unwrap();
            assert_eq!(named.len(), if form == TableFormat::Jsonl { 0 } else { Levels::TABLE.columns.len() });
            assert_eq!(rows::<Levels>(form, empty).unwrap(), []);
        }
        // A file of another table has only the common columns.
        let message = Messages { recording: "x".into(), text: Some("y".into()), ..Messages::default() };
        for &form in TableFormat::ALL {
            let file = written(form, Messages::TABLE, std::slice::from_ref(&message));
            assert_eq!(rows::<Levels>(form, file).unwrap()[0].recording.as_str(), "x", "{form:?}");
        }
    }

    #[test]
    fn a_damaged_table_is_an_error() {
        let error_of = |form, file: &[u8]| rows::<Levels>(form, file.to_vec()).unwrap_err().to_string();
        assert_eq!(error_of(TableFormat::Csv, b"level\n1\nx\n"), "row 2: `level` is not of type INTEGER");
        assert_eq!(error_of(TableFormat::Csv, b"level\n\n"), "row 1: `level` is not of type INTEGER");
        assert_eq!(error_of(TableFormat::Csv, b"level\n1,2\n"), "row 1: there are more cells than columns");
        assert_eq!(error_of(TableFormat::Csv, b"level,map\n1,\"a\n"), "row 1: a quote is not closed");
        assert_eq!(
            error_of(TableFormat::Jsonl, b"{\"level\":\"1\"}\n"),
            "row 1: `level` is not of type INTEGER"
        );
        assert!(error_of(TableFormat::Jsonl, b"{\"level\":1}\n[1]\n").starts_with("row 2: "));
        #[cfg(feature = "parquet")]
        for file in [&b""[..], b"PAR1", b"PAR1\xff\xff\xff\xffPAR1", b"PAR1abcdefgh\x08\0\0\0PAR1"] {
            assert!(rows::<Levels>(TableFormat::Parquet, file.to_vec()).is_err());
        }
    }
}
