//! What a name, a number or a code means, out of the tables.

use crate::findings::Code;
use moviola_format::names::Meaning;
use moviola_format::{Field, Game, Message, Schema, dem, dm2};
use serde::Serialize;
use std::fmt::Write as _;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Explanation {
    /// A finding.
    Finding {
        /// Its code.
        code: Code,
        /// How bad it is.
        severity: crate::Severity,
        /// What it is, in a line.
        title: &'static str,
        /// What it means, in full.
        text: &'static str,
        /// What each engine that minds does.
        engines: Vec<(&'static str, &'static str)>,
    },
    /// Messages, fields, or both: every row that fits.
    Entries {
        /// Whole messages.
        messages: Vec<MessageEntry>,
        /// Fields of messages.
        fields: Vec<FieldEntry>,
    },
}

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MessageEntry {
    /// Its game.
    pub game: &'static str,
    /// Its keyword.
    pub name: &'static str,
    /// Its first id.
    pub id: u8,
    /// Its last id, where it takes several.
    pub last_id: u8,
    /// What it is.
    pub note: String,
    /// The kind of its flag word, if it has one.
    pub flags: Option<&'static str>,
    /// Its fields in the order of the wire.
    pub fields: Vec<FieldLine>,
}

/// A field, and whose it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldEntry {
    /// The game.
    pub game: &'static str,
    /// The message.
    pub message: &'static str,
    /// The field.
    pub field: FieldLine,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldLine {
    /// Its keyword.
    pub name: &'static str,
    /// The kind of value.
    pub kind: String,
    /// The bits of the flag word on which it hangs; 0 is "always there".
    pub bit: u32,
    /// What it is.
    pub note: String,
    /// What its number stands for, where that is something in the recording.
    pub meaning: Option<&'static str>,
    /// The names of its values or bits.
    pub values: Vec<(String, &'static str)>,
    /// The lines by which it shows itself in a text, where they are several.
    pub parts: Vec<FieldLine>,
}

/// Explains a message's keyword or id (also in hexadecimal), a field's keyword, or the code of a finding.
///
/// ```
/// use moviola_check::explain;
/// assert!(explain("clientdata").unwrap().render().contains("health"));
/// assert!(explain("0x0f").unwrap().render().contains("clientdata"));
/// assert!(explain("M007").unwrap().render().contains("without messages"));
/// assert!(explain("no such thing").is_none());
/// ```
pub fn explain(what: &str) -> Option<Explanation> {
    let what = what.trim();
    if let Some(code) = Code::find(what) {
        return Some(finding(code));
    }
    let mut messages = Vec::new();
    let mut fields = Vec::new();
    let number = id(what);
    for (game, rows) in tables() {
        for row in rows {
            let named = row.name.eq_ignore_ascii_case(what) || row.rust.eq_ignore_ascii_case(what);
            if named || number.is_some_and(|id| (row.op..=row.last).contains(&id)) {
                messages.push(message(game, row));
            }
            for field in row.fields {
                let line = field_line(field);
                let own = field.name.eq_ignore_ascii_case(what);
                let found = if own {
                    Some(line)
                } else {
                    line.parts.into_iter().find(|it| it.name.eq_ignore_ascii_case(what))
                };
                fields.extend(found.map(|field| FieldEntry {
                    game: name_of(game),
                    message: row.name,
                    field,
                }));
            }
        }
    }
    let any = !messages.is_empty() || !fields.is_empty();
    any.then_some(Explanation::Entries { messages, fields })
}

fn tables() -> [(Game, &'static [Schema]); 2] {
    [(Game::Quake, dem::Message::SCHEMA), (Game::Quake2, dm2::Message::SCHEMA)]
}

fn name_of(game: Game) -> &'static str {
    match game {
        Game::Quake => "Quake",
        Game::Quake2 => "Quake II",
    }
}

fn id(what: &str) -> Option<u8> {
    match what.strip_prefix("0x").or_else(|| what.strip_prefix("0X")) {
        Some(digits) => u8::from_str_radix(digits, 16).ok(),
        None => what.parse().ok(),
    }
}

fn finding(code: Code) -> Explanation {
    let mut engines = Vec::new();
    for (game, _) in tables() {
        let rules = crate::engines::rules(game).iter().filter(|rule| rule.code == code);
        for (engine, cell) in rules.flat_map(|rule| crate::engines::of(game).zip(rule.cells)) {
            if !matches!(cell.test, crate::engines::Test::Never) {
                engines.push((engine.name, cell.effect.words()));
            }
        }
    }
    Explanation::Finding {
        code,
        severity: code.severity(),
        title: code.title(),
        text: code.explanation(),
        engines,
    }
}

fn message(game: Game, row: &Schema) -> MessageEntry {
    MessageEntry {
        game: name_of(game),
        name: row.name,
        id: row.op,
        last_id: row.last,
        note: tidy(row.note),
        flags: Some(row.flags).filter(|flags| !flags.is_empty()),
        fields: row.fields.iter().map(field_line).collect(),
    }
}

fn field_line(field: &Field) -> FieldLine {
    let parts = field.parts.iter().map(|part| line(part.name, String::new(), 0, part.note, part.meaning));
    FieldLine {
        parts: parts.collect(),
        ..line(field.name, tidy(field.kind).replace("<'a>", ""), field.bit, field.note, field.meaning)
    }
}

fn line(name: &'static str, kind: String, bit: u32, note: &str, meaning: Meaning) -> FieldLine {
    let (meaning, values) = values(meaning);
    FieldLine { name, kind, bit, note: tidy(note), meaning, values, parts: Vec::new() }
}

/// Documentation comments begin with a space.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn values(meaning: Meaning) -> (Option<&'static str>, Vec<(String, &'static str)>) {
    let word = match meaning {
        Meaning::Model => "a number of the level's models",
        Meaning::Sound => "a number of the level's sounds",
        Meaning::Player => "a player's slot, from 0",
        Meaning::Config(_) | Meaning::ConfigIndex => "a number of the config strings",
        Meaning::Entity => "an entity's number",
        Meaning::Palette => "a colour of the palette",
        Meaning::StatValue => "what it means depends on the stat",
        Meaning::Value(table) => {
            return (None, table.iter().map(|(value, name)| (value.to_string(), *name)).collect());
        }
        Meaning::Bits(table) => {
            return (None, table.iter().map(|(bit, name)| (format!("0x{bit:X}"), *name)).collect());
        }
        Meaning::Range(table) => {
            let range = |first: i64, last: i64| {
                if first == last { first.to_string() } else { format!("{first} to {last}") }
            };
            return (None, table.iter().map(|(first, last, name)| (range(*first, *last), *name)).collect());
        }
        Meaning::Number => return (None, Vec::new()),
    };
    (Some(word), Vec::new())
}

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
                writeln!(out, "{} ({}): {}\n", code.text(), severity.word(), title.replace("{}", "N"))?;
                text.lines().try_for_each(|line| writeln!(out, "{}", line.trim()))?;
                if !engines.is_empty() {
                    writeln!(out)?;
                }
                engines.iter().try_for_each(|(engine, effect)| writeln!(out, "  {engine:<12}{effect}"))
            }
            Self::Entries { messages, fields } => {
                for (n, message) in messages.iter().enumerate() {
                    if n > 0 {
                        writeln!(out)?;
                    }
                    message.render(out)?;
                }
                if !messages.is_empty() && !fields.is_empty() {
                    writeln!(out)?;
                }
                fields.iter().try_for_each(|entry| {
                    writeln!(out, "{} of {} ({})", entry.field.name, entry.message, entry.game)?;
                    entry.field.render(out, 1)
                })
            }
        }
    }
}

impl MessageEntry {
    fn render(&self, out: &mut String) -> std::fmt::Result {
        write!(out, "{} ({}), id {} = 0x{:02X}", self.name, self.game, self.id, self.id)?;
        if self.last_id != self.id {
            write!(out, " to {} = 0x{:02X}", self.last_id, self.last_id)?;
        }
        writeln!(out, "\n{}", self.note)?;
        self.fields.iter().try_for_each(|field| field.render(out, 1))
    }
}

impl FieldLine {
    fn render(&self, out: &mut String, depth: usize) -> std::fmt::Result {
        let pad = "  ".repeat(depth);
        write!(out, "{pad}{}", self.name)?;
        if !self.kind.is_empty() {
            write!(out, ": {}", self.kind)?;
        }
        if self.bit != 0 {
            write!(out, ", if 0x{:04X}", self.bit)?;
        }
        writeln!(out)?;
        writeln!(out, "{pad}  {}", self.note)?;
        if let Some(meaning) = self.meaning {
            writeln!(out, "{pad}  {meaning}")?;
        }
        self.values.iter().try_for_each(|(value, name)| writeln!(out, "{pad}    {value:<10} {name}"))?;
        self.parts.iter().try_for_each(|part| part.render(out, depth + 1))
    }
}
