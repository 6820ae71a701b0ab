//! The functions of Moviola's library that the Python package calls: bytes in; tables, JSON and bytes out.
//! The package's own classes are in `python/moviola`.

mod arrow;
mod edits;
mod plan;
mod scan;

use arrow::Table;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use serde::Serialize;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

pyo3::create_exception!(moviola, MoviolaError, PyValueError, "What Moviola says is wrong, in its words.");

/// The recording in a file, or the only one in a container.
pub(crate) fn read_recording(path: &Path) -> io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    let mut found = None;
    for entry in moviola_container::Walk::new(file, moviola_container::Options::default())? {
        let mut entry = entry.map_err(|trouble| trouble.error)?;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        if moviola_format::sniff(&bytes, true).game().is_none() {
            continue;
        }
        if found.replace(bytes).is_some() {
            let message = "it holds several recordings: unpack the one that is meant";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
    }
    found.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it is no recording"))
}

/// Reads the recording in a file or container.
#[pyfunction]
fn read<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| read_recording(&path));
    match bytes {
        Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
        Err(why) if why.kind() == io::ErrorKind::InvalidData => {
            Err(MoviolaError::new_err(format!("{}: {why}", path.display())))
        }
        Err(why) => Err(PyOSError::new_err((why.raw_os_error(), why.to_string(), path))),
    }
}

/// A table of a recording.
#[pyfunction]
fn table(py: Python<'_>, data: PyBackedBytes, name: &str, file: &str) -> PyResult<Table> {
    py.detach(|| arrow::table(&data, name, file))
}

/// The rows of a table as JSON Lines.
#[pyfunction]
fn rows(py: Python<'_>, data: PyBackedBytes, name: &str) -> PyResult<String> {
    py.detach(|| arrow::rows(&data, name))
}

/// The names of all tables.
#[pyfunction]
fn table_names() -> Vec<&'static str> {
    moviola_export::tables::ALL.iter().map(|table| table.name).collect()
}

fn to_json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|why| MoviolaError::new_err(why.to_string()))
}

/// What `moviola info`, `events`, `report`, `check` and `audit` say with `--json`.
#[pyfunction]
fn json(py: Python<'_>, data: PyBackedBytes, what: &str) -> PyResult<String> {
    let failed = |why: io::Error| MoviolaError::new_err(why.to_string());
    py.detach(|| match what {
        "info" => to_json(&moviola_check::Summary::read(&data[..]).map_err(failed)?),
        "check" => to_json(&moviola_check::check(&data[..]).map_err(failed)?),
        "audit" => to_json(&moviola_audit::audit(&data[..]).map_err(failed)?),
        "report" => to_json(&moviola_audit::audited_report(&data[..]).map_err(failed)?),
        "events" => {
            let mut found = Vec::new();
            let mut events = moviola_analyse::Events::new(|event| found.push(event));
            moviola_analyse::watch(&data[..], &mut [&mut events]).map_err(failed)?;
            drop(events);
            to_json(&found)
        }
        _ => Err(MoviolaError::new_err(format!("there is nothing called `{what}`"))),
    })
}

/// A recording as text.
#[pyfunction]
fn decompile(py: Python<'_>, data: PyBackedBytes) -> PyResult<String> {
    py.detach(|| {
        let mut text = Vec::new();
        moviola_text::decompile(&data[..], &mut text, &moviola_text::DecompileOptions::default())
            .map_err(|why| MoviolaError::new_err(why.to_string()))?;
        String::from_utf8(text).map_err(|why| MoviolaError::new_err(why.to_string()))
    })
}

/// A text as a recording.
#[pyfunction]
fn compile<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyBytes>> {
    let made = py.detach(|| {
        let mut bytes = Vec::new();
        let options = moviola_text::CompileOptions::default();
        moviola_text::compile(text.as_bytes(), &mut bytes, &options).map(|_| bytes)
    });
    match made {
        Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
        Err(moviola_text::CompileError::Io(why)) => Err(MoviolaError::new_err(why.to_string())),
        Err(moviola_text::CompileError::Mistakes(list)) => {
            let line = |it: &moviola_text::Diagnostic| {
                let help = it.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
                format!("{}:{}: {}: {}{help}", it.line, it.column, it.code.number(), it.message)
            };
            let words: Vec<String> = list.iter().map(line).collect();
            Err(MoviolaError::new_err(words.join("\n")))
        }
    }
}

/// A recording with edits, given as their names and words, in one pass.
#[pyfunction]
fn edit<'py>(
    py: Python<'py>,
    data: PyBackedBytes,
    edits: Vec<(String, Vec<String>)>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| edits::edited(&data, &edits)).map_err(MoviolaError::new_err)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Moviola's rooms for Python.
#[pymodule]
fn _moviola(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SCHEMA_VERSION", moviola_export::tables::SCHEMA_VERSION)?;
    module.add("MoviolaError", module.py().get_type::<MoviolaError>())?;
    module.add_class::<Table>()?;
    module.add_function(wrap_pyfunction!(read, module)?)?;
    module.add_function(wrap_pyfunction!(table, module)?)?;
    module.add_function(wrap_pyfunction!(rows, module)?)?;
    module.add_function(wrap_pyfunction!(table_names, module)?)?;
    module.add_function(wrap_pyfunction!(json, module)?)?;
    module.add_function(wrap_pyfunction!(decompile, module)?)?;
    module.add_function(wrap_pyfunction!(compile, module)?)?;
    module.add_function(wrap_pyfunction!(edit, module)?)?;
    module.add_function(wrap_pyfunction!(plan::floor_plan, module)?)?;
    module.add_function(wrap_pyfunction!(scan::scan, module)?)
}
