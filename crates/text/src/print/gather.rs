//! LMPC's order of a message's lines: all axes of a vector together, `origin_x` to `origin_z`, then `angles_1` to
//! `angles_3`. In Quake's updates and its player they alternate on the wire, and so in our own texts.

use crate::axes::{alternate, vector};
use moviola_format::{Field, Schema};

/// The lines of a message's fields while it is printed.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// For each printed field, the vector that it belongs to and the offset of its lines in the output; empty if the
    /// lines of the message are not reordered.
    lines: Vec<(&'static [u8], usize)>,
    is_wanted: bool,
    /// The last row, and whether its vectors alternate.
    row: Option<(&'static Schema, bool)>,
    /// The lines in their new order.
    ordered: Vec<u8>,
}

impl Gathered {
    /// Begins a message of this row. `is_lmpcs` says whether its lines get LMPC's order.
    #[inline]
    pub(super) fn begin(&mut self, row: &'static Schema, is_lmpcs: bool) {
        self.lines.clear();
        self.is_wanted = is_lmpcs && self.has_axes_apart(row);
    }

    fn has_axes_apart(&mut self, row: &'static Schema) -> bool {
        if let Some((last, answer)) = self.row
            && std::ptr::eq(last, row)
        {
            return answer;
        }
        let answer = alternate(row.fields);
        self.row = Some((row, answer));
        answer
    }

    /// Records that the lines of a field begin at this offset of the output.
    #[inline]
    pub(super) fn field(&mut self, field: &'static Field, at: usize) {
        if self.is_wanted {
            // A field of several lines is not an axis.
            let vector = if field.parts.is_empty() { vector(field.name) } else { b"" };
            self.lines.push((vector, at));
        }
    }

    /// Ends the message, whose output begins with a brace at `from`: puts the lines of each vector together.
    #[inline]
    pub(super) fn put_in_order(&mut self, out: &mut Vec<u8>, from: usize) {
        self.is_wanted = false;
        let is_apart = |(at, (name, _)): (usize, &(&[u8], usize))| {
            let before = self.lines.get(..at).unwrap_or_default();
            let is_same = |(other, _): &(&[u8], usize)| other == name;
            !name.is_empty() && !before.last().is_some_and(is_same) && before.iter().any(is_same)
        };
        if self.lines.iter().enumerate().any(is_apart) {
            self.reorder(out, from);
        }
    }

    fn reorder(&mut self, out: &mut Vec<u8>, from: usize) {
        let Some(brace) = out.get(from..).and_then(|it| it.iter().position(|byte| *byte == b'\n')) else {
            return;
        };
        // The first field may have printed the brace.
        if let Some((_, first)) = self.lines.first_mut() {
            *first = (*first).max(from + brace + 1);
        }
        let Self { lines, ordered, .. } = self;
        ordered.clear();
        let first = lines.first().map_or(out.len(), |(_, first)| *first);
        let mut take = |number: usize| {
            let start = lines.get(number).map_or(0, |(_, start)| *start);
            let end = lines.get(number + 1).map_or(out.len(), |(_, next)| *next);
            ordered.extend_from_slice(out.get(start..end).unwrap_or_default());
        };
        for (number, (name, _)) in lines.iter().enumerate() {
            let is_same = |(_, (other, _)): &(usize, &(&[u8], usize))| !name.is_empty() && other == name;
            if lines.iter().enumerate().take(number).any(|it| is_same(&it)) {
                continue;
            }
            take(number);
            lines.iter().enumerate().skip(number + 1).filter(is_same).for_each(|(other, _)| take(other));
        }
        out.truncate(first);
        out.extend_from_slice(ordered);
    }
}
