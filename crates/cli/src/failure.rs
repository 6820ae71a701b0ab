//! The outcomes of a run, and the one line about an error that stopped it.

use std::io::{self, Write};
use std::process::ExitCode;

/// The exit code that shells report for an interrupted program.
pub(crate) const INTERRUPTED: u8 = 130;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All is well.
    Good,
    /// The files were read, and at least one has a problem.
    Bad,
    /// A file could not be read or written, or the command line makes no sense.
    Trouble,
    /// It was interrupted, and finished properly.
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Good => Self::SUCCESS,
            Outcome::Bad => Self::from(1),
            Outcome::Trouble => Self::from(2),
            Outcome::Interrupted => Self::from(INTERRUPTED),
        }
    }
}

/// Prints the line, and returns the exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        // The reader of our output has stopped reading, which is not a failure.
        return ExitCode::SUCCESS;
    }
    print_error(&words(error));
    Outcome::Trouble.into()
}

/// An error as one line.
pub(crate) fn words(error: &anyhow::Error) -> String {
    match error.downcast_ref::<io::Error>() {
        // Inputs and outputs that were opened name themselves; only standard output is also written to
        // directly.
        Some(cause) if cause.raw_os_error().is_some() && error.chain().len() == 1 => {
            format!("cannot write standard output: {}", plain(cause))
        }
        // The error says what failed, and the cause of the system says why.
        Some(cause) if cause.raw_os_error().is_some() => format!("{error}: {}", plain(cause)),
        _ => format!("{error:#}"),
    }
}

/// Prints an error as one line.
pub(crate) fn print_error(what: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    line(&format!("{style}error:{style:#} {what}"));
}

/// Prints a warning as one line.
pub(crate) fn warn(what: &str) {
    let style = anstyle::AnsiColor::Yellow.on_default().bold();
    line(&format!("{style}warning:{style:#} {what}"));
}

/// Prints a line on standard error; if even that fails, nothing can be done.
pub(crate) fn line(what: &str) {
    let _ = writeln!(anstream::stderr(), "{what}");
}

/// Whether the error is only a reader of our output that has stopped reading.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The system's error, in plain words.
pub(crate) fn plain(error: &io::Error) -> String {
    match error.kind() {
        // Our own texts say more than the kind.
        _ if error.get_ref().is_some() => error.to_string(),
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "no space left on the disk".into(),
        io::ErrorKind::NotADirectory => "a part of its path is a file, not a folder".into(),
        io::ErrorKind::IsADirectory => "is a folder, not a file".into(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or_default().to_owned()
        }
    }
}

/// An error with the file's name in front, which libraries do not know.
pub(crate) fn named(error: &io::Error, doing: &str, name: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{doing} {name}: {}", plain(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_error_is_printed_without_its_number() {
        assert_eq!(plain(&io::Error::from_raw_os_error(5)), "Input/output error");
        assert_eq!(plain(&io::ErrorKind::StorageFull.into()), "no space left on the disk");
    }

    #[test]
    fn a_broken_pipe_is_found_under_its_name() {
        let error = named(&io::ErrorKind::BrokenPipe.into(), "cannot write", "x");
        assert!(is_broken_pipe(&error.into()));
        assert!(!is_broken_pipe(&anyhow::anyhow!("x")));
    }
}
