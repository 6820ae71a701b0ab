//! Comma-separated values by RFC 4180, with a header. An empty cell stands for a missing value, `""` for an
//! empty text, and a JSON array for a list.
//!
//! A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula, and a player's name may
//! begin so. The safe form puts an apostrophe before such a text, which changes the value for every other
//! program.

use super::{float, push_integer};
use crate::schema::{CellValue, Cells, Row, Table};
use std::io::{self, Write};

#[derive(Debug)]
pub(super) struct File<W> {
    out: W,
    line: Line,
}

#[derive(Debug)]
struct Line {
    text: Vec<u8>,
    is_safe: bool,
}

impl<W: Write> File<W> {
    pub(super) fn new(table: &Table, mut out: W, is_safe: bool) -> io::Result<Self> {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Self { out, line: Line { text: Vec::new(), is_safe } })
    }

    pub(super) fn row<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.line.text.clear();
        row.cells(&mut self.line);
        self.line.text.push(b'\n');
        self.out.write_all(&self.line.text)
    }

    pub(super) fn finish(self) -> W {
        self.out
    }
}

impl Cells for Line {
    fn cell(&mut self, at: usize, value: CellValue<'_>) {
        if at > 0 {
            self.text.push(b',');
        }
        match value {
            CellValue::Null => {}
            CellValue::Bool(value) => self.text.extend_from_slice(if value { b"true" } else { b"false" }),
            CellValue::Int(value) => push_integer(&mut self.text, value.into()),
            CellValue::Long(value) => push_integer(&mut self.text, value),
            // Not-a-number and the infinities are `NaN`, `inf` and `-inf`.
            CellValue::Float(value) => float(&mut self.text, value),
            CellValue::Double(value) => float(&mut self.text, value),
            CellValue::Text(word) => self.quote(word.bytes()),
            CellValue::List(words) => self.quote(words.to_json().as_bytes()),
        }
    }
}

impl Line {
    fn quote(&mut self, text: &[u8]) {
        if self.is_safe && matches!(text, [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r', ..]) {
            self.is_safe = false;
            self.quote(&[b"'", text].concat());
            self.is_safe = true;
            return;
        }
        let plain = !text.is_empty() && !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'));
        if plain {
            return self.text.extend_from_slice(text);
        }
        self.text.push(b'"');
        for byte in text {
            if *byte == b'"' {
                self.text.push(b'"');
            }
            self.text.push(*byte);
        }
        self.text.push(b'"');
    }
}
