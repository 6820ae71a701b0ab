//! LMPC's order of a message's lines: all axes of one vector come before those of the next, although on the wire they
//! alternate. The parser asks for the fields in the order of the wire.

use super::{Cursor, KEYWORD, Result, UnusualForm, line_end};
use crate::axes::vector;
use moviola_format::{Field, ValueSource};

/// The lines of two vectors, one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Vectors {
    /// No field of either vector was asked for yet.
    Ahead,
    /// The cursor is in one of them, and the next field of the other vector is at `other`. The lines of the second one
    /// begin at `middle`.
    Open { other: usize, middle: usize },
    /// A field after the vectors was asked for.
    Over,
}

impl<const APART: bool> Cursor<'_, '_, APART> {
    /// Goes to the line of this field, if it is the next one of either vector.
    #[inline(always)]
    pub(super) fn find(&mut self, field: &'static Field) -> Result<()> {
        if vector(field.name).len() == field.name.len() {
            return self.leave_vectors();
        }
        if self.vectors == Vectors::Ahead {
            let middle = self.end_of_vector();
            self.vectors = Vectors::Open { other: middle, middle };
        }
        if !self.has(field.name)
            && let Vectors::Open { other, .. } = &mut self.vectors
        {
            std::mem::swap(other, &mut self.offset);
        }
        Ok(())
    }

    /// Goes to the end of both vectors, if all lines of both were read.
    #[inline(always)]
    pub(super) fn leave_vectors(&mut self) -> Result<()> {
        if let Vectors::Open { other, middle } = self.vectors {
            if self.offset.min(other) != middle {
                return Err(UnusualForm);
            }
            self.offset = self.offset.max(other);
            self.vectors = Vectors::Over;
        }
        Ok(())
    }

    /// The place after the lines of the vector whose first line is next.
    #[inline(never)]
    fn end_of_vector(mut self) -> usize {
        let first: &[u8; KEYWORD] = self.peek();
        let name = first.split(|byte| matches!(byte, b' ' | b';')).next().unwrap_or_default();
        let Some((_, vector)) = name.split_last().filter(|(_, vector)| vector.ends_with(b"_")) else {
            return self.offset;
        };
        for _ in 0..3 {
            if !self.peek::<KEYWORD>().starts_with(vector) {
                break;
            }
            self.offset = line_end(self.sheet, self.offset);
            self.arrive();
        }
        self.offset
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::fast::{FastParser, Memory};
    use crate::statement::Rows;
    use crate::window::{AHEAD, SIZE};
    use bumpalo::Bump;
    use moviola_format::{Context, Quake};

    /// The bytes of a message, if the fast path reads it.
    fn read(memory: &mut Memory, text: &str) -> Option<Vec<u8>> {
        let mut sheet = vec![0; SIZE + AHEAD];
        sheet.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
        let (rows, arena, mut data) = (Rows::of::<Quake>(), Bump::new(), Vec::new());
        let sheet = sheet.first_chunk()?;
        let mut parser = FastParser::new(sheet, &rows, memory, &const { Context::quake() }, &arena);
        let end = parser.message::<Quake>(0, &mut data);
        end.map(|end| {
            assert_eq!(text.as_bytes().get(end..), Some(&b"\n"[..]), "it reads {text} to its end");
            data
        })
    }

    #[test]
    fn both_orders_are_the_same_message() {
        const ORIGIN: [&str; 3] = ["  origin_x 1.5;\n", "  origin_y -8.0; // low\n", "  origin_z 24.0;\n"];
        const ANGLES: [&str; 3] = ["  angles_1 0.0;\n", "  angles_2 90.0;\n", "  angles_3 45.0;\n"];
        let mut memory = Memory::new();
        for chosen in 0..64_u32 {
            let has = |bit: usize| chosen >> bit & 1 == 1;
            let lines = |all: &[&'static str; 3], first: usize| -> Vec<&'static str> {
                (0..3).map(|axis| if has(first + axis) { all[axis] } else { "" }).collect()
            };
            let (origin, angles) = (lines(&ORIGIN, 0), lines(&ANGLES, 3));
            let ours: String = origin.iter().zip(&angles).flat_map(|(one, other)| [*one, *other]).collect();
            let texts =
                [ours, [&origin[..], &angles].concat().concat(), [&angles[..], &origin].concat().concat()];
            let [ours, origin_first, angles_first] = texts.map(|lines| {
                read(&mut memory, &format!("updateentity {{\n  entity 5;\n  frame 3;\n{lines} }}\n"))
            });
            assert!(ours.is_some() && ours == origin_first && ours == angles_first, "{chosen:b}");
        }
    }

    #[test]
    fn other_orders_are_left_to_the_careful_parser() {
        let of =
            |lines: &str| read(&mut Memory::new(), &format!("updateentity {{\n entity 5;\n{lines} }}\n"));
        assert_eq!(of(" origin_y 1.0;\n origin_x 1.0;\n"), None);
        assert_eq!(of(" origin_x 1.0;\n angles_1 0.0;\n origin_z 1.0;\n angles_1 0.0;\n"), None);
        assert_eq!(of(" origin_x 1.0;\n origin_x 1.0;\n"), None);
    }
}
