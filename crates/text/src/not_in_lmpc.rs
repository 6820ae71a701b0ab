//! The parts of a recording that LMPC's language cannot express: the reasons, and the blocks left out of a
//! text for LMPC.

use crate::Omission;
use std::fmt;

/// The reason why LMPC cannot express a part of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotInLmpc {
    text: &'static str,
    message: &'static str,
    field: &'static str,
}

impl NotInLmpc {
    /// A reason about a block.
    pub(crate) const fn block(what: &'static str) -> Self {
        Self { text: what, message: "", field: "" }
    }

    /// The reason `text`, which is about a whole message.
    pub(crate) const fn message(what: &'static str, message: &'static str) -> Self {
        Self { text: what, message, field: "" }
    }

    /// A reason about a field of a message.
    pub(crate) const fn field(what: &'static str, message: &'static str, field: &'static str) -> Self {
        Self { text: what, message, field }
    }
}

impl fmt::Display for NotInLmpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text: what, message, field } = self;
        match (*message, *field) {
            ("", _) => f.write_str(what),
            (message, "") => write!(f, "{what}: `{message}`"),
            (message, field) => write!(f, "{what}: `{field}` of `{message}`"),
        }
    }
}

/// The blocks that were left out, with the reasons.
#[derive(Debug, Default)]
pub(crate) struct OmittedBlocks {
    reasons: Vec<(NotInLmpc, Omission)>,
    /// The last blocks that were left out in a row for one reason, for which no comment was printed yet.
    last: Option<(u64, u64, NotInLmpc)>,
}

impl OmittedBlocks {
    /// Adds a block that is left out; returns the comment about earlier ones, if it has to be printed now.
    pub(crate) fn add(&mut self, number: u64, why: NotInLmpc) -> Option<String> {
        if let Some((_, last, before)) = &mut self.last
            && *before == why
            && *last + 1 == number
        {
            *last = number;
            return None;
        }
        let comment = self.comment();
        self.last = Some((number, number, why));
        comment
    }

    /// The comment about the blocks that were left out last.
    pub(crate) fn comment(&mut self) -> Option<String> {
        let (first, last, why) = self.last.take()?;
        if let Some((_, omission)) = self.reasons.iter_mut().find(|(reason, _)| *reason == why) {
            omission.add(first, last);
        } else {
            let mut omission = Omission { why: why.to_string(), ..Omission::default() };
            omission.add(first, last);
            self.reasons.push((why, omission));
        }
        Some(if first == last {
            format!("// block {first} is left out: {why}\n")
        } else {
            format!("// blocks {first} to {last} are left out: {why}\n")
        })
    }

    /// All blocks and reasons, after the last comment was printed.
    pub(crate) fn omissions(self) -> impl Iterator<Item = Omission> {
        self.reasons.into_iter().map(|(_, omission)| omission)
    }
}
