//! The summary of an edit, as numbers and as one line.

use moviola_format::Game;
use std::fmt;

/// The summary of an edit.
///
/// ```
/// use moviola_edit::EditSummary;
/// let summary = EditSummary { read: 584, same: 90, changed: 2, added: 1, bytes_in: 34340, bytes_out: 9001, ..EditSummary::default() };
/// assert_eq!((summary.written(), summary.dropped()), (93, 492));
/// assert_eq!(summary.to_string(), "584 blocks: 492 dropped, 2 changed, 1 added; 34,340 -> 9,001 bytes");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditSummary {
    /// The game; `None` if the input was not a recording.
    pub game: Option<Game>,
    /// How many blocks were read.
    pub read: u64,
    /// Whether reading ended after these blocks, since the edit needed no more.
    pub stopped: bool,
    /// Whether these are blocks of a recording that was made by other means and replaces the input: see
    /// [`ReplacementSource`](crate::ReplacementSource).
    pub replaced: bool,
    /// How many blocks were written as they were.
    pub same: u64,
    /// How many blocks were rewritten.
    pub changed: u64,
    /// How many blocks were written that were not in the recording.
    pub added: u64,
    /// How many bytes were read.
    pub bytes_in: u64,
    /// How many bytes were written.
    pub bytes_out: u64,
    /// The edit's own report, in a few words.
    pub about: String,
    /// Notes about the result, a line each.
    pub notes: Vec<String>,
}

impl EditSummary {
    /// How many blocks were written.
    pub fn written(&self) -> u64 {
        self.same.saturating_add(self.changed).saturating_add(self.added)
    }

    /// How many blocks were left out.
    pub fn dropped(&self) -> u64 {
        self.read.saturating_sub(self.same).saturating_sub(self.changed)
    }
}

impl fmt::Display for EditSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done: Vec<String> =
            [(self.dropped(), "dropped"), (self.changed, "changed"), (self.added, "added")]
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!("{} {what}", thousands(count)))
                .collect();
        if !self.about.is_empty() {
            write!(f, "{}; ", self.about)?;
        }
        if self.replaced {
            return write!(f, "{} blocks, {} bytes", thousands(self.written()), thousands(self.bytes_out));
        }
        if done.is_empty() && self.bytes_in == self.bytes_out {
            return f.write_str(if self.about.is_empty() {
                "nothing changed"
            } else {
                "the blocks stay as they are"
            });
        }
        let blocks = if self.read == 1 { "block" } else { "blocks" };
        let which = if self.stopped { "the first " } else { "" };
        write!(f, "{which}{} {blocks}", thousands(self.read))?;
        if !done.is_empty() {
            write!(f, ": {}", done.join(", "))?;
        }
        write!(f, "; {} -> {} bytes", thousands(self.bytes_in), thousands(self.bytes_out))
    }
}

/// A number with its noun, in the singular or the plural.
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A whole number with commas between its thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
