//! The kinds of events on the command line, and the kind that was meant by a word for one.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, Error};
use moviola::analyse::EventKind;
use std::ffi::OsStr;

/// Takes the name of a kind of events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventKindParser;

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(EventKind::ROWS.iter().map(|row| row.name))
}

impl TypedValueParser for EventKindParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        names().parse_ref(command, arg, value).map_err(|mut error| {
            if let Some(meant) = value.to_str().and_then(EventKind::meant_by) {
                error.insert(ContextKind::SuggestedValue, ContextValue::String(meant.kind.to_owned()));
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(EventKind::ROWS.iter().map(|row| PossibleValue::new(row.name))))
    }
}
