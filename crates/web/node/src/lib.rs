//! WebAssembly exports for Node.js: calls of the library, without logic of their own. The public functions and types are in
//! `web/node/src`.
//!
//! Small values go to JavaScript as JSON; columns go as typed arrays, and each text of a column goes once.

use js_sys::{Float32Array, Float64Array, Int32Array, Uint8Array, Uint32Array};
use moviola_analyse::{Events, watch};
use moviola_check::Summary;
use moviola_export::columns::{ColumnValues, Columns, FilledColumn};
use moviola_export::{Files, Id, TableFormat, harvest, tables};
use moviola_text::{CompileError, CompileOptions, DecompileOptions};
use serde::Serialize;
use std::io;
use wasm_bindgen::prelude::*;

/// The summary of a recording, as `moviola info --json` prints it.
#[wasm_bindgen]
pub fn info(bytes: &[u8]) -> Result<String, String> {
    Summary::read(bytes).map(|it| json(&it)).map_err(words)
}

/// The events of a recording, as `moviola events --json` prints them.
#[wasm_bindgen]
pub fn events(bytes: &[u8]) -> Result<String, String> {
    let mut found = Vec::new();
    let mut events = Events::new(|event| found.push(event));
    watch(bytes, &mut [&mut events]).map_err(words)?;
    drop(events);
    Ok(json(&found))
}

/// A recording as text.
#[wasm_bindgen]
pub fn decompile(bytes: &[u8]) -> Result<String, String> {
    let mut text = Vec::new();
    moviola_text::decompile(bytes, &mut text, &DecompileOptions::default()).map_err(words)?;
    String::from_utf8(text).map_err(words)
}

/// A text as a recording. The error is a list of mistakes as JSON.
#[wasm_bindgen]
pub fn compile(text: &str) -> Result<Uint8Array, String> {
    let mut bytes = Vec::new();
    match moviola_text::compile(text.as_bytes(), &mut bytes, &CompileOptions::default()) {
        Ok(_) => Ok(Uint8Array::from(bytes.as_slice())),
        Err(CompileError::Mistakes(list)) => {
            Err(json(&list.into_iter().map(Mistake::of).collect::<Vec<_>>()))
        }
        Err(CompileError::Io(why)) => {
            Err(json(&[Mistake { message: why.to_string(), ..Mistake::default() }]))
        }
    }
}

/// A mistake in a text.
#[derive(Default, Serialize)]
struct Mistake {
    code: &'static str,
    message: String,
    line: u64,
    column: usize,
    length: usize,
    help: Option<String>,
}

impl Mistake {
    fn of(it: moviola_text::Diagnostic) -> Self {
        let (message, help) = (it.message, it.help);
        Self { code: it.code.number(), message, line: it.line, column: it.column, length: it.length, help }
    }
}

/// The version of the tables.
#[wasm_bindgen(js_name = schemaVersion)]
pub fn schema_version() -> i32 {
    tables::SCHEMA_VERSION
}

/// The names of all tables.
#[wasm_bindgen(js_name = tableNames)]
pub fn table_names() -> Vec<String> {
    tables::ALL.iter().map(|table| table.name.to_owned()).collect()
}

/// The rows of a table, as columns.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Table(Columns);

#[wasm_bindgen]
impl Table {
    /// The rows of the table with this name; `None` if there is no such table.
    pub fn of(bytes: &[u8], name: &str) -> Result<Option<Self>, String> {
        let Some(table) = tables::ALL.iter().find(|table| table.name == name) else { return Ok(None) };
        let mut files = Files::<io::Sink>::new(TableFormat::Jsonl);
        files.keep(table);
        let id = Id::of(bytes).map_err(words)?;
        harvest(bytes, id, "", &mut files).map_err(words)?;
        Ok(files.kept().pop().map(Self))
    }

    /// The number of rows.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> usize {
        self.0.rows
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.0.table.columns.iter().map(|column| column.name.to_owned()).collect()
    }

    /// For each row, whether a column has a value; `None` if all rows have one.
    pub fn there(&self, column: usize) -> Option<Uint8Array> {
        let there = self.0.columns.get(column)?.there.as_ref()?;
        Some(Uint8Array::from(there.iter().map(|it| u8::from(*it)).collect::<Vec<_>>().as_slice()))
    }

    /// The values of a column as a typed array; of texts and lists, the index of each in `distinct`.
    pub fn values(&self, column: usize) -> JsValue {
        let Some(FilledColumn { values, .. }) = self.0.columns.get(column) else { return JsValue::UNDEFINED };
        match values {
            ColumnValues::Bool(all) => {
                Uint8Array::from(all.iter().map(|it| u8::from(*it)).collect::<Vec<_>>().as_slice()).into()
            }
            ColumnValues::Int(all) => Int32Array::from(all.as_slice()).into(),
            // Blocks and sizes of files are far below the greatest whole number of a double.
            ColumnValues::Long(all) => {
                Float64Array::from(all.iter().map(|it| *it as f64).collect::<Vec<_>>().as_slice()).into()
            }
            ColumnValues::Float(all) => Float32Array::from(all.as_slice()).into(),
            ColumnValues::Double(all) => Float64Array::from(all.as_slice()).into(),
            ColumnValues::Texts(_, rows) | ColumnValues::Lists(_, rows) => {
                Uint32Array::from(rows.as_slice()).into()
            }
        }
    }

    /// The kind of a column: `bool`, `number` or `text`. A column of lists is of kind `text`.
    pub fn kind(&self, column: usize) -> String {
        let kind = self.0.columns.get(column).map(|it| &it.values);
        let kind = match kind {
            Some(ColumnValues::Bool(_)) => "bool",
            Some(ColumnValues::Texts(..) | ColumnValues::Lists(..)) => "text",
            _ => "number",
        };
        kind.to_owned()
    }

    /// The distinct texts or lists of a column, as a JSON array.
    pub fn distinct(&self, column: usize) -> String {
        match self.0.columns.get(column).map(|it| &it.values) {
            Some(ColumnValues::Texts(distinct, _)) => {
                json(&distinct.iter().map(|it| it.as_str()).collect::<Vec<_>>())
            }
            Some(ColumnValues::Lists(distinct, _)) => {
                json(&distinct.iter().map(|it| it.iter().collect::<Vec<_>>()).collect::<Vec<_>>())
            }
            _ => json(&[(); 0]),
        }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn words(why: impl ToString) -> String {
    why.to_string()
}
