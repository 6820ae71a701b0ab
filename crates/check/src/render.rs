//! An [`Explanation`] as plain text.

use crate::explain::{Explanation, FieldLine, MessageEntry, NameEntry};
use std::fmt::Write as _;

impl Explanation {
    /// The explanation as plain text.
    pub fn render(&self) -> String {
        let mut out = String::new();
        // Writing into a string cannot fail.
        let _ = self.render_into(&mut out);
        out
    }

    fn render_into(&self, out: &mut String) -> std::fmt::Result {
        match self {
            Self::Finding { code, severity, title, text, engines } => {
                writeln!(out, "{} ({}): {}\n", code.number(), severity.word(), title.replace("{}", "N"))?;
                text.lines().try_for_each(|line| writeln!(out, "{}", line.trim()))?;
                if !engines.is_empty() {
                    writeln!(out)?;
                }
                engines.iter().try_for_each(|it| {
                    let when = it.when.as_ref().map_or(String::new(), |when| format!("{when}: "));
                    writeln!(out, "  {:<12}{when}{}", it.engine, it.effect)
                })
            }
            Self::Entries { messages, fields, names } => {
                for (n, message) in messages.iter().enumerate() {
                    if n > 0 {
                        writeln!(out)?;
                    }
                    message.write(out)?;
                }
                if !messages.is_empty() && !fields.is_empty() {
                    writeln!(out)?;
                }
                fields.iter().try_for_each(|entry| {
                    writeln!(out, "{} of {} ({})", entry.field.name, entry.message, entry.game)?;
                    entry.field.write(out, 1)
                })?;
                if (!messages.is_empty() || !fields.is_empty()) && !names.is_empty() {
                    writeln!(out)?;
                }
                names.iter().try_for_each(|entry| entry.write(out))
            }
            Self::Engine { engine, about, game, objections } => {
                writeln!(out, "{engine} ({game}): {about}\n\nIn a recording it objects to\n")?;
                objections.iter().try_for_each(|it| {
                    let when = it.when.as_ref().map_or(String::new(), |when| format!(", {when}"));
                    let title = it.title.replace("{}", "N");
                    writeln!(out, "  {}  {title}{when}: {}", it.code.number(), it.effect)
                })
            }
        }
    }
}

impl NameEntry {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "{} = {} ({})", self.name, self.value, self.list)?;
        if !self.fields.is_empty() {
            writeln!(out, "  in {}", self.fields.join(", "))?;
        }
        match &self.has {
            Some(fields) if !fields.is_empty() => writeln!(out, "  with {}", fields.join(", ")),
            _ if self.list.ends_with(KINDS) && self.fields.is_empty() => {
                writeln!(
                    out,
                    "  not read: Moviola does not know its fields, so the rest of its block is kept raw"
                )
            }
            _ => Ok(()),
        }
    }
}

/// The end of the names of the lists of temporary entities.
const KINDS: &str = ".temp_entity";

impl MessageEntry {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        write!(out, "{} ({}), id {} = 0x{:02X}", self.name, self.game, self.id, self.id)?;
        if self.last_id != self.id {
            write!(out, " to {} = 0x{:02X}", self.last_id, self.last_id)?;
        }
        writeln!(out, "\n{}", self.note)?;
        let lmpc = if self.lmpc { "" } else { "; LMPC does not know it" };
        writeln!(out, "In C: {}, since {}{lmpc}.", self.c_name, self.since)?;
        if let Some(protocols) = &self.protocols {
            writeln!(out, "Only in: {protocols}.")?;
        }
        self.fields.iter().try_for_each(|field| field.write(out, 1))
    }
}

impl FieldLine {
    fn write(&self, out: &mut String, depth: usize) -> std::fmt::Result {
        let pad = "  ".repeat(depth);
        write!(out, "{pad}{}", self.name)?;
        if !self.kind.is_empty() {
            write!(out, ": {}", self.kind)?;
        }
        if self.bit != 0 {
            write!(out, ", if 0x{:04X}", self.bit)?;
        }
        if let Some(kinds) = &self.kinds {
            write!(out, ", in kinds {kinds}")?;
        }
        writeln!(out)?;
        writeln!(out, "{pad}  {}", self.note)?;
        if let Some(meaning) = self.meaning {
            writeln!(out, "{pad}  {meaning}")?;
        }
        self.values.iter().try_for_each(|(value, name)| writeln!(out, "{pad}    {value:<10} {name}"))?;
        self.parts.iter().try_for_each(|part| part.write(out, depth + 1))
    }
}
