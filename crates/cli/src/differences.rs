//! Prints the differences that `diff` found, for people.

use crate::units;
use anstyle::{AnsiColor, Style};
use moviola::diff::{
    Change, ChangeKind, DiffTotals, FieldChange, MessageChange, PiecePlace, ViewChange, ViewTotals,
};
use std::io::{self, Write};

const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const BOTH: Style = AnsiColor::Yellow.on_default();

/// The most letters of a value that are shown.
const MAX_LETTERS: usize = 60;

/// The most parts of a picture that are named.
const MAX_PARTS: usize = 12;

/// Prints differences; consecutive pieces that only one side has are summed up.
pub(crate) struct Printer<'n> {
    names: [&'n str; 2],
    verbose: bool,
    /// Consecutive pieces that only one side has.
    waiting: Option<OneSided>,
}

struct OneSided {
    side: usize,
    first: PiecePlace,
    last: PiecePlace,
    pieces: u64,
    bytes: u64,
}

impl<'n> Printer<'n> {
    pub(crate) fn new(a: &'n str, b: &'n str, verbose: bool) -> Self {
        Self { names: [a, b], verbose, waiting: None }
    }

    pub(crate) fn change(&mut self, out: &mut impl Write, change: &Change) -> io::Result<()> {
        match (change.a, change.b) {
            (Some(place), None) if !self.verbose => self.one_sided(out, 0, place),
            (None, Some(place)) if !self.verbose => self.one_sided(out, 1, place),
            _ => {
                self.flush(out)?;
                self.piece(out, change)
            }
        }
    }

    fn one_sided(&mut self, out: &mut impl Write, side: usize, place: PiecePlace) -> io::Result<()> {
        if let Some(waiting) = self.waiting.as_mut().filter(|it| it.side == side) {
            waiting.last = place;
            waiting.pieces += 1;
            waiting.bytes += place.bytes;
            return Ok(());
        }
        self.flush(out)?;
        self.waiting = Some(OneSided { side, first: place, last: place, pieces: 1, bytes: place.bytes });
        Ok(())
    }

    fn flush(&mut self, out: &mut impl Write) -> io::Result<()> {
        let Some(OneSided { side, first, last, pieces, bytes }) = self.waiting.take() else { return Ok(()) };
        let (sign, style) = if side == 0 { ('-', OLD) } else { ('+', NEW) };
        let name = self.names.get(side).copied().unwrap_or_default();
        let size = units::counted(bytes, "byte");
        let (from, to) = (place_text(&first), place_text(&last));
        let what =
            if pieces == 1 { from } else { format!("{from} to {to}, {}", units::counted(pieces, "block")) };
        writeln!(out, "{style}{sign} only in {name}: {what}, {size}{style:#}")
    }

    fn piece(&self, out: &mut impl Write, change: &Change) -> io::Result<()> {
        let Change { piece, a, b, fields, messages } = change;
        let at = |place: &PiecePlace| match place.block {
            Some(_) => place_text(place),
            None => format!("{piece} at {}", place_text(place)),
        };
        match (a, b) {
            (Some(a), Some(b)) if a.block == b.block => writeln!(out, "{}", at(a))?,
            (Some(a), Some(b)) => writeln!(out, "{}, in {}: {}", at(a), self.names[1], at(b))?,
            (Some(a), None) => writeln!(out, "{}, only in {}", at(a), self.names[0])?,
            (None, Some(b)) => writeln!(out, "{}, only in {}", at(b), self.names[1])?,
            (None, None) => {}
        }
        if change.is_in_bytes_only() {
            writeln!(out, "  the same in other bytes")?;
        }
        fields.iter().try_for_each(|it| line(out, it))?;
        messages.iter().try_for_each(|it| message(out, it))
    }

    pub(crate) fn totals(&mut self, out: &mut impl Write, totals: &DiffTotals) -> io::Result<()> {
        self.flush(out)?;
        let DiffTotals { same, changed, in_bytes_only, removed, added } = *totals;
        if totals.is_same() {
            return writeln!(out, "the same: {}", units::counted(same, "block"));
        }
        let only = match in_bytes_only {
            0 => String::new(),
            count => format!(" ({} in their bytes only)", units::count(count)),
        };
        let [a, b] = self.names;
        writeln!(
            out,
            "{} the same, {} changed{only}, {} only in {a}, {} only in {b}",
            units::counted(same, "block"),
            units::count(changed),
            units::count(removed),
            units::count(added)
        )
    }

    pub(crate) fn view(&self, out: &mut impl Write, change: &ViewChange) -> io::Result<()> {
        let place = change.a.or(change.b).unwrap_or_default();
        let blocks = units::counted(change.blocks, "block");
        let until = change.until.filter(|_| change.blocks > 1);
        let until = until.map_or_else(String::new, |time| format!(" until {}", units::time(time)));
        let [a, b] = self.names;
        match (&change.a, &change.b) {
            (Some(_), None) => {
                writeln!(out, "{OLD}- only in {a}: {}{until}, {blocks}{OLD:#}", place_text(&place))
            }
            (None, Some(_)) => {
                writeln!(out, "{NEW}+ only in {b}: {}{until}, {blocks}{NEW:#}", place_text(&place))
            }
            _ => {
                writeln!(out, "{}{until}, {blocks}", place_text(&place))?;
                let most = if self.verbose { usize::MAX } else { MAX_PARTS };
                change.parts.iter().take(most).try_for_each(|it| line(out, it))?;
                match change.parts.len().saturating_sub(most) {
                    0 => Ok(()),
                    more => writeln!(out, "  ... and {more} more (-v shows them)"),
                }
            }
        }
    }

    pub(crate) fn view_totals(&self, out: &mut impl Write, totals: &ViewTotals) -> io::Result<()> {
        let ViewTotals { same, changed, removed, added } = *totals;
        if totals.is_same() {
            return writeln!(out, "a viewer sees the same: {}", units::counted(same, "block"));
        }
        let [a, b] = self.names;
        writeln!(
            out,
            "a viewer sees the same in {}, something else in {}, {} only in {a}, {} only in {b}",
            units::counted(same, "block"),
            units::count(changed),
            units::count(removed),
            units::count(added)
        )
    }
}

fn message(out: &mut impl Write, it: &MessageChange) -> io::Result<()> {
    let (sign, style) = match it.how {
        ChangeKind::Changed => ('~', BOTH),
        ChangeKind::Removed => ('-', OLD),
        ChangeKind::Added => ('+', NEW),
    };
    let sided = |field: &FieldChange| match (it.how, &field.old, &field.new) {
        (ChangeKind::Changed, Some(_), None) => "-",
        (ChangeKind::Changed, None, Some(_)) => "+",
        _ => "",
    };
    let fields: Vec<String> = it.fields.iter().map(|it| format!("{}{}", sided(it), field(it))).collect();
    let colon = if fields.is_empty() { "" } else { ": " };
    writeln!(out, "  {style}{sign}{style:#} {}{colon}{}", it.message, fields.join(", "))
}

/// A field in a line of its own, with the mark of the side that has it.
fn line(out: &mut impl Write, it: &FieldChange) -> io::Result<()> {
    let (sign, style) = match (&it.old, &it.new) {
        (Some(_), None) => ('-', OLD),
        (None, Some(_)) => ('+', NEW),
        _ => ('~', BOTH),
    };
    writeln!(out, "  {style}{sign}{style:#} {}", field(it))
}

fn field(it: &FieldChange) -> String {
    let FieldChange { name, old, new } = it;
    match (old, new) {
        (Some(old), Some(new)) => {
            let from = common(old, new);
            format!("{name} {} -> {}", short(old, from), short(new, from))
        }
        // A mark has no value: its name shows that it is there.
        (Some(value), None) | (None, Some(value)) if value.is_empty() => name.clone(),
        (Some(value), None) | (None, Some(value)) => format!("{name} {}", short(value, 0)),
        (None, None) => name.clone(),
    }
}

/// The length of the common beginning of two values.
fn common(old: &str, new: &str) -> usize {
    old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count()
}

/// A value, or the part of a long one with the difference.
fn short(value: &str, from: usize) -> String {
    let length = value.chars().count();
    if length <= MAX_LETTERS {
        return value.to_owned();
    }
    let start = from.saturating_sub(MAX_LETTERS / 3).min(length - MAX_LETTERS);
    let part: String = value.chars().skip(start).take(MAX_LETTERS).collect();
    let before = if start > 0 { "..." } else { "" };
    let after = if start + MAX_LETTERS < length { "..." } else { "" };
    format!("{before}{part}{after}")
}

fn place_text(place: &PiecePlace) -> String {
    let position =
        place.block.map_or_else(|| format!("offset {}", place.offset), |block| format!("block {block}"));
    place.time.map_or_else(|| position.clone(), |time| format!("{position} at {}", units::time(time)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shown_where_they_differ() {
        let (old, new) = ("a".repeat(200), format!("{}b{}", "a".repeat(150), "a".repeat(49)));
        let field = field(&FieldChange { name: "x".into(), old: Some(old), new: Some(new) });
        assert!(field.len() < 160 && field.contains('b'), "{field}");
    }
}
