//! Reads records with fields in any order, and continues after a mistake, so that the rest of a record is
//! still checked.

use super::values::MASK;
use super::{Group, IndexedField, Mode, ParseStop, Parser, Result, Word};
use crate::SPARE_BITS;
use crate::scan::Span;
use crate::statement_kind::StatementKind;
use crate::{TextCode, similar};
use bstr::ByteSlice;
use moviola_format::Schema;

impl Parser<'_, '_> {
    /// Reads a record again, by an index of its fields.
    #[cold]
    pub(super) fn out_of_order<T>(
        &mut self,
        start: usize,
        build: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let base = self.index.len();
        let used_up = std::mem::take(&mut self.used_up);
        let (outer, groups) = (self.outer.len(), self.groups.len());
        self.scan.pos = start;
        self.nameless = false;
        let end = self.make_index();
        self.mode = Mode::Indexed(base);
        self.word = Word::default();
        let outcome = build(self).and_then(|record| self.unused(base).map(|()| record));
        self.index.truncate(base);
        // A mistake in a group of lines leaves the group open.
        self.outer.truncate(outer);
        self.groups.truncate(groups);
        self.used_up = used_up;
        self.scan.pos = end;
        outcome.map_err(|_| ParseStop::Stepped)
    }

    /// Indexes the lines of a group of this name in a record that is read by its index, because they may be
    /// in any order too. The `{` of the group was already read.
    #[cold]
    pub(super) fn open_by_index(&mut self, name: &'static str) {
        let keyword = std::mem::replace(&mut self.keyword, self.scan.word_before(self.scan.pos - 1));
        let called = std::mem::replace(&mut self.called, name);
        let used_up = std::mem::take(&mut self.used_up);
        let base = self.index.len();
        let end = self.make_index();
        self.mode = Mode::Indexed(base);
        self.groups.push(Group { end, keyword, name: called, used_up });
    }

    /// Ends a group of lines that was read by its index, from `base` on.
    #[cold]
    pub(super) fn close_by_index(&mut self, base: usize) -> Result<()> {
        self.unused(base)?;
        self.index.truncate(base);
        if let Some(group) = self.groups.pop() {
            self.scan.pos = group.end;
            (self.keyword, self.called, self.used_up) = (group.keyword, group.name, group.used_up);
        }
        Ok(())
    }

    /// Skips the record whose fields begin at `start`.
    #[cold]
    pub(super) fn skip_record(&mut self, start: usize) {
        let base = self.index.len();
        self.scan.pos = start;
        self.scan.pos = self.make_index();
        self.index.truncate(base);
    }

    /// Indexes the fields up to the record's `}`; returns the place after it.
    fn make_index(&mut self) -> usize {
        let base = self.index.len();
        // Values without a field's name.
        let mut nameless = Vec::new();
        let end = self.index_fields(&mut nameless);
        if !nameless.is_empty() {
            self.nameless = true;
            self.report_nameless(base, &nameless);
        }
        end
    }

    fn index_fields(&mut self, nameless: &mut Vec<Span>) -> usize {
        loop {
            if self.lmpc {
                self.strays();
            }
            match self.scan.next() {
                Some(b'}') => {
                    self.scan.pos += 1;
                    return self.scan.pos;
                }
                Some(b')' | b']') if self.other_close() => return self.scan.pos,
                Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                    let name = self.scan.word();
                    if self.is_beyond(name) {
                        self.not_closed(Some(name));
                        return name.offset;
                    }
                    if self.lmpc {
                        self.strays();
                    }
                    let braces = self.scan.next() == Some(b'{');
                    self.index.push(IndexedField {
                        name,
                        values: self.scan.pos + usize::from(braces),
                        used: false,
                    });
                    self.skip_values();
                }
                Some(b'"' | b'-' | b'.' | b';' | b'{' | b'0'..=b'9') => {
                    nameless.push(self.scan.token());
                    self.skip_values();
                }
                // The mistake of this field was reported; the next token may be another field.
                Some(_) => {
                    let before = self.scan.pos;
                    let _ = self.stray();
                    self.scan.pos = self.scan.pos.max(before + 1);
                }
                None => {
                    self.not_closed(None);
                    return self.scan.pos;
                }
            }
        }
    }

    fn not_closed(&mut self, before: Option<Span>) {
        let keyword = self.keyword;
        if self.scan.has_open_string(keyword) {
            return;
        }
        let (help, fix) = match before {
            Some(before) => {
                let next = String::from_utf8_lossy(self.scan.slice(before)).into_owned();
                let fix = (Span { offset: before.offset, len: 0 }, "}\n ".to_owned());
                (format!("it needs a `}}` before `{next}`"), Some(fix))
            }
            None => ("it needs a `}`".to_owned(), None),
        };
        self.scan.mistake_with(
            TextCode::MissingBrace,
            keyword,
            format!("`{}` is not closed", self.called),
            help,
            fix,
        );
    }

    /// Skips a field's values past its `;` or `}`, or up to the next field if the `;` is missing,
    /// which reading will report.
    fn skip_values(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.scan.next() {
                Some(b';') if depth == 0 => break,
                Some(b'{') => depth += 1,
                Some(b'(' | b'[') if self.at_other_open() => depth += 1,
                Some(b',' | b':' | b')' | b']') if depth == 0 && self.at_other_end() => break,
                Some(b'}') if depth > 1 => depth -= 1,
                Some(b'}') if depth == 1 => break,
                Some(b'}') | None => return,
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let word = self.scan.word();
                    if self.scan.slice(word) == b"nan" && self.scan.peek() == Some(b'(') {
                        // The bits and the unit after it belong to the number: `nan(0x7FC01234)s`.
                        self.scan.pos = word.offset;
                        self.scan.pos += self.scan.token().len;
                        continue;
                    }
                    let next = self.is_field(word) || self.is_slip(word);
                    if depth == 0 && next || StatementKind::is_behind_block(self.scan.slice(word)) {
                        self.scan.pos = word.offset;
                        return;
                    }
                    continue;
                }
                Some(b'"') => {
                    self.scan.pos += self.scan.token().len.max(1);
                    continue;
                }
                Some(_) => {}
            }
            self.scan.pos += 1;
        }
        self.scan.pos += 1;
    }

    /// Skips superfluous values of a field, past its `;` or up to a token that cannot belong to it.
    pub(super) fn skip_excess(&mut self) {
        loop {
            match self.scan.next() {
                Some(b';') => {
                    self.scan.pos += 1;
                    return;
                }
                None | Some(b'{' | b'}') => return,
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let word = self.scan.word();
                    if self.is_field(word) || self.is_statement(word) {
                        self.scan.pos = word.offset;
                        return;
                    }
                }
                Some(_) => self.scan.pos += self.scan.token().len.max(1),
            }
        }
    }

    /// Whether a field or a statement begins with this token, or a record ends.
    pub(super) fn begins(&mut self, token: Span) -> bool {
        matches!(self.scan.peek(), None | Some(b'}')) || self.is_field(token) || self.is_statement(token)
    }

    /// Whether this is a field of the current record.
    pub(super) fn is_field(&self, word: Span) -> bool {
        let name = self.scan.slice(word);
        let lines = self.schema.into_iter().flat_map(Schema::lines).map(|(field, ..)| field);
        lines.chain([SPARE_BITS, MASK]).any(|field| field.as_bytes() == name)
    }

    /// Whether this may be a misspelled field: the first word of a line, and similar to a field of the
    /// current record.
    fn is_slip(&self, word: Span) -> bool {
        let name = self.scan.slice(word).to_str_lossy();
        let lines = self.schema.into_iter().flat_map(Schema::lines).map(|(field, ..)| field);
        self.scan.begins_line(word) && similar::nearest(&name, lines).is_some()
    }

    /// Whether this is the first word of a statement of a block.
    pub(super) fn is_statement(&self, word: Span) -> bool {
        let name = self.scan.slice(word);
        StatementKind::find(name).is_some()
            || similar::rows(self.context.game).iter().any(|row| row.name.as_bytes() == name)
    }

    /// Whether the current record must have ended before this word, which is not one of its fields.
    fn is_beyond(&mut self, word: Span) -> bool {
        // In a message that carries messages, their keywords take the place of fields.
        if self.is_field(word) || self.called == moviola_format::LETTER_MESSAGE {
            return false;
        }
        let name = self.scan.slice(word);
        StatementKind::is_behind_block(name)
            || name == self.called.as_bytes()
            || self.is_statement(word) && self.lacks_its_brace()
    }

    /// Whether the braces from here on show that the `}` of the current record is missing: then the `}` that seems to
    /// close the outer records closes the block, because no statement of a block follows.
    fn lacks_its_brace(&mut self) -> bool {
        let pos = self.scan.pos;
        let mut depth = self.outer.len();
        let lacks = loop {
            match self.scan.next() {
                None => break true,
                Some(b'{') => depth += 1,
                Some(b'}') if depth == 0 => {
                    self.scan.pos += 1;
                    let next = self.scan.word();
                    break next.len == 0 && self.scan.peek().is_none()
                        || StatementKind::is_behind_block(self.scan.slice(next));
                }
                Some(b'}') => depth -= 1,
                Some(b'"') => {
                    self.scan.pos += self.scan.token().len.max(1);
                    continue;
                }
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let word = self.scan.word();
                    if StatementKind::is_behind_block(self.scan.slice(word)) {
                        break true;
                    }
                    continue;
                }
                Some(_) => {}
            }
            self.scan.pos += 1;
        };
        self.scan.pos = pos;
        lacks
    }
}
