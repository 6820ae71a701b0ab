//! The words after a task's name. Options may stand anywhere; unknown words are an error.

use crate::Outcome;
use std::str::FromStr;

pub(crate) struct Args(Vec<String>);

impl Args {
    pub(crate) fn new(words: impl Iterator<Item = String>) -> Self {
        Self(words.collect())
    }

    /// Takes `--name`, if it is among the words.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let found = self.0.iter().position(|word| word == name);
        found.map(|at| self.0.remove(at)).is_some()
    }

    /// Takes `--name VALUE`, if it is among the words.
    pub(crate) fn value<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, String> {
        let Some(at) = self.0.iter().position(|word| word == name) else {
            return Ok(None);
        };
        self.0.remove(at);
        if at >= self.0.len() {
            return Err(format!("{name} needs a value"));
        }
        let value = self.0.remove(at);
        value.parse().map(Some).map_err(|_| format!("{name}: `{value}` is not a value for it"))
    }

    /// Takes the first word that is not an option.
    pub(crate) fn word(&mut self) -> Option<String> {
        let found = self.0.iter().position(|word| !word.starts_with('-'));
        found.map(|at| self.0.remove(at))
    }

    /// Takes all remaining words.
    pub(crate) fn rest(self) -> Vec<String> {
        self.0
    }

    /// Fails if a word remains.
    pub(crate) fn finish(self) -> Outcome {
        match self.0.first() {
            None => Ok(()),
            Some(word) => Err(format!("`{word}` is not understood here")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Args;

    fn args(line: &str) -> Args {
        Args::new(line.split_whitespace().map(String::from))
    }

    #[test]
    fn options_stand_anywhere() {
        let mut given = args("read_write --seconds 5 --loud");
        assert_eq!(given.value::<u32>("--seconds"), Ok(Some(5)));
        assert!(given.flag("--loud"));
        assert_eq!(given.word().as_deref(), Some("read_write"));
        assert_eq!(given.finish(), Ok(()));
    }

    #[test]
    fn unknown_and_invalid_arguments_are_errors() {
        assert!(args("--what").finish().is_err());
        assert!(args("--seconds").value::<u32>("--seconds").is_err());
        assert!(args("--seconds soon").value::<u32>("--seconds").is_err());
    }
}
