//! Errors as Python code sees them: the program's message, its code, and the place of each mistake.

use moviola_edit::{Error, Mistake};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

pyo3::create_exception!(
    moviola,
    MoviolaError,
    PyValueError,
    "An error in the words of the program.\n\n`code` is its code, such as `T002`, which `moviola explain` describes, or None. `mistakes` has a dictionary for \
     each mistake: `code`, `message`, `help`, and where it has a place `line`, `column` and `length`."
);

/// A mistake in a text or in the arguments of an edit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fault {
    pub(crate) code: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// Line and column, counted from 1, and the length.
    pub(crate) place: Option<(u64, usize, usize)>,
}

/// An error that was made without access to Python.
#[derive(Clone, Debug)]
pub(crate) struct Trouble(pub(crate) Vec<Fault>);

impl Trouble {
    /// An error without a code.
    pub(crate) fn new(why: impl std::fmt::Display) -> Self {
        Self(vec![Fault { message: why.to_string(), ..Fault::default() }])
    }

    /// All mistakes, a line each.
    pub(crate) fn words(&self) -> String {
        let line = |it: &Fault| {
            let place = it.place.filter(|(line, ..)| *line > 0);
            let place = place.map(|(line, column, _)| format!("{line}:{column}: ")).unwrap_or_default();
            let code = it.code.map(|code| format!("{code}: ")).unwrap_or_default();
            let help = it.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            format!("{place}{code}{}{help}", it.message)
        };
        self.0.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl From<Mistake> for Trouble {
    fn from(it: Mistake) -> Self {
        Self::from(vec![it])
    }
}

impl From<Vec<Mistake>> for Trouble {
    fn from(list: Vec<Mistake>) -> Self {
        let fault = |it: Mistake| Fault {
            code: Some(it.code.number()),
            message: it.message,
            help: it.help,
            place: Some((it.line, it.column, it.length)),
        };
        Self(list.into_iter().map(fault).collect())
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        match error {
            Error::Mistakes(list) => Self::from(list),
            other => Self::new(other),
        }
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::new(error)
    }
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> Self {
        Python::attach(|py| trouble.raise(py).unwrap_or_else(|error| error))
    }
}

impl Trouble {
    fn raise(&self, py: Python<'_>) -> PyResult<PyErr> {
        let error = MoviolaError::new_err(self.words());
        let mistakes = PyList::empty(py);
        for fault in &self.0 {
            let entry = PyDict::new(py);
            entry.set_item("code", fault.code)?;
            // not from SCHEMA: a key of a dictionary
            entry.set_item("message", &fault.message)?;
            entry.set_item("help", &fault.help)?;
            if let Some((line, column, length)) = fault.place {
                entry.set_item("line", line)?;
                entry.set_item("column", column)?;
                entry.set_item("length", length)?;
            }
            mistakes.append(entry)?;
        }
        let code = self.0.first().and_then(|fault| fault.code);
        error.value(py).setattr("code", code)?;
        error.value(py).setattr("mistakes", mistakes)?;
        Ok(error)
    }
}
