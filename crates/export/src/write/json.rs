//! JSON Lines: an object in each row. Every key is in every object, so that a reader knows the columns from
//! the first.

use super::{float, push_integer};
use crate::schema::{CellValue, Cells, Column, Row, Table};
use std::io::{self, Write};

#[derive(Debug)]
pub(super) struct File<W> {
    out: W,
    line: Line,
}

#[derive(Debug)]
struct Line {
    columns: &'static [Column],
    text: Vec<u8>,
}

impl<W: Write> File<W> {
    pub(super) fn new(table: &'static Table, out: W) -> Self {
        Self { out, line: Line { columns: table.columns, text: Vec::new() } }
    }

    pub(super) fn row<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.line.text.clear();
        row.cells(&mut self.line);
        self.line.text.extend_from_slice(b"}\n");
        self.out.write_all(&self.line.text)
    }

    pub(super) fn finish(self) -> W {
        self.out
    }
}

impl Cells for Line {
    fn cell(&mut self, at: usize, value: CellValue<'_>) {
        self.text.extend_from_slice(if at == 0 { b"{\"" } else { b",\"" });
        if let Some(column) = self.columns.get(at) {
            self.text.extend_from_slice(column.name.as_bytes());
        }
        self.text.extend_from_slice(b"\":");
        match value {
            CellValue::Bool(value) => self.text.extend_from_slice(if value { b"true" } else { b"false" }),
            CellValue::Int(value) => push_integer(&mut self.text, value.into()),
            CellValue::Long(value) => push_integer(&mut self.text, value),
            CellValue::Float(value) if value.is_finite() => float(&mut self.text, value),
            CellValue::Double(value) if value.is_finite() => float(&mut self.text, value),
            // JSON has no number that is not finite.
            CellValue::Null | CellValue::Float(_) | CellValue::Double(_) => {
                self.text.extend_from_slice(b"null");
            }
            CellValue::Text(word) => {
                // Writing into memory cannot fail.
                let _ = serde_json::to_writer(&mut self.text, word.as_str());
            }
            CellValue::List(words) => self.text.extend_from_slice(words.to_json().as_bytes()),
        }
    }
}
