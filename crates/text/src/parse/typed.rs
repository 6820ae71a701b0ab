//! Typing mistakes in the language's own signs: other ends of a field, other brackets, a missing brace or
//! quote. Each is reported as one mistake, and reading continues as if the right sign stood there.

use super::{IndexedField, Parser};
use crate::TextCode;
use crate::scan::Span;
use crate::statement_kind::StatementKind;
use moviola_format::{Field, Schema};

/// Words that are values.
const VALUES: [&[u8]; 3] = [b"inf", b"nan", b"unterminated"];

impl Parser<'_, '_> {
    /// Reports a `,`, `:` or bracket that stands in place of the `;`.
    #[cold]
    pub(super) fn other_end(&mut self) -> bool {
        let found = self.at_other_end();
        if found {
            let help = "every statement and field ends with `;`";
            self.instead_of(';', TextCode::MissingSemicolon, help);
        }
        found
    }

    /// Whether a sign was typed in place of a `;`: after it the next name or the end of the record follows.
    #[cold]
    pub(super) fn at_other_end(&mut self) -> bool {
        !self.lmpc
            && matches!(self.scan.next(), Some(b',' | b':' | b')' | b']'))
            && match self.behind_sign() {
                None | Some((b'}', _)) => true,
                Some((byte, word)) => self.is_name(byte, word),
            }
    }

    /// Takes a `)` or `]` in place of the `}` of a record, and reports it; in LMPC's mode, takes the `}`
    /// after characters without a meaning.
    #[cold]
    pub(crate) fn other_close(&mut self) -> bool {
        if self.lmpc {
            self.strays();
            return self.scan.take(b'}');
        }
        let comes = matches!(self.scan.next(), Some(b')' | b']'));
        // Before another field of the record, the brace is merely superfluous.
        let found = comes
            && self.behind_sign().is_none_or(|(_, word)| !self.is_field(word) || self.is_statement(word));
        if found {
            self.instead_of('}', TextCode::MissingBrace, "records and blocks end with `}`");
        }
        found
    }

    /// Takes a `)` or `]` in place of the `}` of a block, and reports it.
    #[cold]
    pub(crate) fn other_block_end(&mut self) -> bool {
        let ends = |word: &[u8]| StatementKind::is_behind_block(word);
        matches!(self.scan.next(), Some(b')' | b']'))
            && self.behind_sign().is_none_or(|(_, word)| ends(self.scan.slice(word)))
            && self.other_close()
    }

    /// Takes a `(` or `[` in place of a `{`, and reports it; a name must come after it, not a value. In
    /// LMPC's mode, takes the `{` after characters without a meaning.
    #[inline]
    pub(crate) fn other_open(&mut self) -> bool {
        if self.lmpc {
            self.strays();
            return self.scan.take(b'{');
        }
        matches!(self.scan.next(), Some(b'(' | b'[')) && self.opens_a_record()
    }

    #[cold]
    fn opens_a_record(&mut self) -> bool {
        let found = self.at_other_open();
        if found {
            self.instead_of('{', TextCode::MissingBrace, "records and blocks begin with `{`");
        }
        found
    }

    /// Whether a bracket is next, with a name after it.
    pub(super) fn at_other_open(&mut self) -> bool {
        !self.lmpc
            && matches!(self.scan.next(), Some(b'(' | b'['))
            && self.behind_sign().is_some_and(|(byte, word)| self.is_name(byte, word))
    }

    fn is_name(&self, byte: u8, word: Span) -> bool {
        (byte.is_ascii_alphabetic() || byte == b'_') && !VALUES.contains(&self.scan.slice(word))
    }

    /// The text after the sign at the cursor: a character, and the word that begins with it.
    fn behind_sign(&mut self) -> Option<(u8, Span)> {
        let pos = self.scan.pos;
        self.scan.pos += 1;
        let next = self.scan.next();
        let word = self.scan.word();
        self.scan.pos = pos;
        next.map(|byte| (byte, word))
    }

    /// Reports the sign at the cursor, and skips it.
    fn instead_of(&mut self, wanted: char, code: TextCode, help: &str) {
        let span = Span { offset: self.scan.pos, len: 1 };
        let typed = String::from_utf8_lossy(self.scan.slice(span)).into_owned();
        let message = format!("a `{wanted}` is expected here, not `{typed}`");
        self.scan.mistake_with(code, span, message, help, Some((span, wanted.into())));
        self.scan.pos += 1;
    }

    /// Reports a keyword without its `{`, if its fields and a `}` follow nevertheless: they are read as if
    /// the brace was there.
    #[inline]
    pub(super) fn brace_left_out(&mut self, schema: &Schema) -> bool {
        let word = self.scan.peek().is_some_and(|byte| byte.is_ascii_alphabetic());
        let found = word && !self.lmpc && self.fields_end_with_brace(schema);
        if found {
            self.missing_open(self.keyword);
        }
        found
    }

    /// Reports that a `{` is missing after this word.
    #[cold]
    pub(crate) fn missing_open(&mut self, keyword: Span) {
        let name = String::from_utf8_lossy(self.scan.slice(keyword)).into_owned();
        let fix = Some((Span { offset: keyword.offset + keyword.len, len: 0 }, " {".to_owned()));
        let message = format!("`{name}` needs a `{{`");
        self.scan.mistake_with(TextCode::MissingBrace, keyword, message, format!("`{name} {{ … }}`"), fix);
    }

    /// Whether fields of this row follow, up to a `}` that does not end the block.
    #[cold]
    fn fields_end_with_brace(&mut self, schema: &Schema) -> bool {
        let pos = self.scan.pos;
        let first = self.scan.word();
        let is_field = schema.lines().any(|(name, ..)| name.as_bytes() == self.scan.slice(first));
        let mut depth = 0u32;
        // A temporary entity's number is not a field of its row; a message of one value may have a word for
        // it.
        let single = matches!(schema.fields, [] | [Field { parts: [], .. }]);
        let is_unknown_word =
            !single && !VALUES.contains(&self.scan.slice(first)) && !self.is_statement(first);
        let closes = (is_field || is_unknown_word)
            && loop {
                match self.scan.next() {
                    None => break false,
                    Some(b'"') => {
                        self.scan.pos += self.scan.token().len.max(1);
                        continue;
                    }
                    Some(b'{') => depth += 1,
                    Some(b'}') if depth > 0 => depth -= 1,
                    Some(b'}') => {
                        self.scan.pos += 1;
                        let next = self.scan.word();
                        let ends = next.len == 0 && self.scan.peek().is_none();
                        break !ends && !StatementKind::is_behind_block(self.scan.slice(next));
                    }
                    Some(byte) if byte.is_ascii_alphabetic() => {
                        let word = self.scan.word();
                        if depth == 0 && self.is_statement(word) && !self.is_field(word) {
                            break false;
                        }
                        continue;
                    }
                    Some(_) => {}
                }
                self.scan.pos += 1;
            };
        self.scan.pos = pos;
        closes
    }

    /// Reports the values from `base` on that have no field's name before them, and names the field if the
    /// missing fields leave no doubt.
    #[cold]
    pub(super) fn report_nameless(&mut self, base: usize, nameless: &[Span]) {
        let named: Vec<&[u8]> =
            self.index.iter().skip(base).map(|spot: &IndexedField| self.scan.slice(spot.name)).collect();
        let schema = self.schema;
        let is_missing = |name: &&str| !named.contains(&name.as_bytes());
        let missing: Vec<&str> = schema
            .into_iter()
            .flat_map(|schema| schema.fields)
            .filter(|field| field.bit == 0)
            .flat_map(|field| match field.parts {
                [] => vec![field.name],
                parts => parts.iter().map(|part| part.name).collect(),
            })
            .filter(is_missing)
            .collect();
        let lines: Vec<&str> =
            schema.into_iter().flat_map(Schema::lines).map(|(name, ..)| name).filter(is_missing).collect();
        for (at, token) in nameless.iter().enumerate() {
            let called = self.called;
            let name = missing.get(at).filter(|_| missing.len() == nameless.len());
            if lines.is_empty() && self.scan.slice(*token) == b";" {
                let help = "take it out";
                let fix = Some((*token, String::new()));
                self.scan.mistake_with(
                    TextCode::StrayCharacter,
                    *token,
                    "`;` means nothing here".into(),
                    help,
                    fix,
                );
                continue;
            }
            let message = format!("this has no name of a field of `{called}` before it");
            let (help, fix) = match (name, lines.as_slice()) {
                (Some(name), _) => {
                    let before = Span { len: 0, ..*token };
                    (format!("`{name}` is missing before it"), Some((before, format!("{name} "))))
                }
                (None, []) => ("take it out: all its fields are there".to_owned(), None),
                (None, lines) => {
                    (format!("the fields that it has not yet are `{}`", lines.join("`, `")), None)
                }
            };
            self.scan.mistake_with(TextCode::UnknownField, *token, message, help, fix);
        }
    }

    /// Takes a string whose first quote is missing, if one is next, and reports it.
    #[cold]
    pub(super) fn quote_left_out(&mut self) -> bool {
        let end = if self.lmpc { None } else { self.scan.only_quote() };
        let Some(end) = end else { return false };
        let span = Span { offset: self.scan.pos, len: end - self.scan.pos };
        let message = "the first quote of this string is missing".into();
        let fix = Some((Span { len: 0, ..span }, "\"".to_owned()));
        self.scan.mistake_with(
            TextCode::ExpectedString,
            span,
            message,
            "strings stand in double quotes",
            fix,
        );
        self.scan.pos = end;
        true
    }

    /// Continues a string whose quote is followed by neither `;` nor a blank, because that quote may be
    /// inside the string.
    #[cold]
    pub(super) fn quotes_inside(&mut self) {
        let at = self.scan.pos;
        let word = self.scan.word();
        let is_name =
            self.is_field(word) || self.is_statement(word) || VALUES.contains(&self.scan.slice(word));
        self.scan.pos = at;
        let end = if self.lmpc || is_name && !self.scan.slice(word).is_empty() {
            None
        } else {
            self.scan.last_quote()
        };
        let Some(end) = end else { return };
        let first = Span { offset: at - 1, len: 1 };
        let inside = Span { offset: at - 1, len: end - at };
        let escaped = escape_quotes(&String::from_utf8_lossy(self.scan.slice(inside)));
        let message = "this quote ends the string, and more of it follows".into();
        let help = "a quote inside of a string is written `\\\"`";
        self.scan.mistake_with(TextCode::StrayCharacter, first, message, help, Some((inside, escaped)));
        self.scan.pos = end;
    }
}

/// Puts a backslash before each quote that has none yet.
fn escape_quotes(text: &str) -> String {
    let mut quoted = String::new();
    let mut escaped = false;
    for letter in text.chars() {
        if letter == '"' && !escaped {
            quoted.push('\\');
        }
        escaped = letter == '\\' && !escaped;
        quoted.push(letter);
    }
    quoted
}
