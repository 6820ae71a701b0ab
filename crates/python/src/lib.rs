//! The functions of Moviola's library that the Python package calls: bytes in; tables, JSON and bytes out.
//! The package's own classes are in `python/moviola`.

mod arrow;
mod edits;
mod plan;
mod scan;
mod trouble;

use arrow::Table;
use edits::Edit;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList};
use serde::Serialize;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use trouble::{Fault, MoviolaError, Trouble};

/// The bytes of a recording in a file; in a container, of its only recording.
pub(crate) fn read_recording(path: &Path) -> io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    let mut found = None;
    for entry in moviola_container::Walk::new(file, moviola_container::WalkOptions::default())? {
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
    found.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it is not a recording"))
}

/// Reads the recording in a file or container.
#[pyfunction]
fn read<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| read_recording(&path));
    match bytes {
        Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
        Err(why) if why.kind() == io::ErrorKind::InvalidData => {
            Err(Trouble::new(format!("{}: {why}", path.display())).into())
        }
        Err(why) => Err(PyOSError::new_err((why.raw_os_error(), why.to_string(), path))),
    }
}

/// The requested tables of a recording, made in one pass over it.
#[pyfunction]
fn tables(py: Python<'_>, data: PyBackedBytes, names: Vec<String>, file: &str) -> PyResult<Vec<Table>> {
    Ok(py.detach(|| arrow::tables(&data, &names, file))?)
}

/// The rows of a table as JSON Lines.
#[pyfunction]
fn rows(py: Python<'_>, data: PyBackedBytes, name: &str) -> PyResult<String> {
    Ok(py.detach(|| arrow::rows(&data, name))?)
}

/// The names of all tables.
#[pyfunction]
fn table_names() -> Vec<&'static str> {
    moviola_export::tables::ALL.iter().map(|table| table.name).collect()
}

fn to_json(value: &impl Serialize) -> Result<String, Trouble> {
    serde_json::to_string(value).map_err(Trouble::new)
}

/// The output of `moviola info`, `events`, `report`, `check` and `audit` with `--json`.
#[pyfunction]
fn json(py: Python<'_>, data: PyBackedBytes, what: &str) -> PyResult<String> {
    let found = py.detach(|| match what {
        "info" => to_json(&moviola_check::Summary::read(&data[..])?),
        "check" => to_json(&moviola_check::check(&data[..])?),
        "audit" => to_json(&moviola_audit::audit(&data[..])?),
        "report" => to_json(&moviola_audit::audited_report(&data[..])?),
        "events" => {
            let mut found = Vec::new();
            let mut events = moviola_analyse::Events::new(|event| found.push(event));
            moviola_analyse::watch(&data[..], &mut [&mut events])?;
            drop(events);
            to_json(&found)
        }
        _ => Err(Trouble::new(format!("there is nothing called `{what}`"))),
    });
    Ok(found?)
}

/// A recording as text.
#[pyfunction]
fn decompile(py: Python<'_>, data: PyBackedBytes) -> PyResult<String> {
    let text = py.detach(|| {
        let mut text = Vec::new();
        moviola_text::decompile(&data[..], &mut text, &moviola_text::DecompileOptions::default())
            .map_err(Trouble::new)?;
        String::from_utf8(text).map_err(Trouble::new)
    });
    Ok(text?)
}

/// A text as a recording.
#[pyfunction]
fn compile<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyBytes>> {
    let compiled = py.detach(|| {
        let mut bytes = Vec::new();
        let options = moviola_text::CompileOptions::default();
        moviola_text::compile(text.as_bytes(), &mut bytes, &options).map(|_| bytes)
    });
    let fault = |it: moviola_text::Diagnostic| Fault {
        code: Some(it.code.number()),
        message: it.message,
        help: it.help,
        place: Some((it.line, it.column, it.length)),
    };
    let bytes = compiled.map_err(|error| match error {
        moviola_text::CompileError::Io(why) => Trouble::new(why),
        moviola_text::CompileError::Mistakes(list) => Trouble(list.into_iter().map(fault).collect()),
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// A recording after edits, which are given by their names and arguments and made in one pass.
#[pyfunction]
fn edit<'py>(py: Python<'py>, data: PyBackedBytes, edits: Vec<Edit>) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| edits::edited(&data, &edits))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Several recordings joined into one.
#[pyfunction]
fn join<'py>(py: Python<'py>, sources: Vec<PyBackedBytes>) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| edits::joined(&sources))?;
    Ok(PyBytes::new(py, &bytes))
}

/// The module that Python imports. Its functions share nothing without a lock, so free-threaded Python needs no global
/// one.
#[pymodule(gil_used = false)]
fn _moviola(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SCHEMA_VERSION", moviola_export::tables::SCHEMA_VERSION)?;
    let error = module.py().get_type::<MoviolaError>();
    // The attributes of an error that is raised without a mistake.
    error.setattr("code", module.py().None())?;
    error.setattr("mistakes", PyList::empty(module.py()))?;
    module.add("MoviolaError", error)?;
    module.add_class::<Table>()?;
    module.add_function(wrap_pyfunction!(read, module)?)?;
    module.add_function(wrap_pyfunction!(tables, module)?)?;
    module.add_function(wrap_pyfunction!(rows, module)?)?;
    module.add_function(wrap_pyfunction!(table_names, module)?)?;
    module.add_function(wrap_pyfunction!(json, module)?)?;
    module.add_function(wrap_pyfunction!(decompile, module)?)?;
    module.add_function(wrap_pyfunction!(compile, module)?)?;
    module.add_function(wrap_pyfunction!(edit, module)?)?;
    module.add_function(wrap_pyfunction!(join, module)?)?;
    module.add_function(wrap_pyfunction!(plan::floor_plan, module)?)?;
    module.add_function(wrap_pyfunction!(scan::scan, module)?)
}
