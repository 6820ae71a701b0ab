//! Common mistakes in place of the language's own signs: other quotes, other comments, commas in numbers,
//! strings without an end.

use super::{Scanner, Span, is_word, string_len};
use crate::{Diagnostic, TextCode};
use bstr::ByteSlice;
use moviola_format::names::{plain, unmarked};

/// The distance in which the end of a C comment is searched.
const LONGEST_COMMENT: usize = 1 << 10;

/// Other quotes: those that word processors put in place of straight ones, in UTF-8 and as one byte, and
/// single straight ones.
const QUOTES: [&[u8]; 13] = [
    "\u{201C}".as_bytes(),
    "\u{201D}".as_bytes(),
    "\u{201E}".as_bytes(),
    "\u{2018}".as_bytes(),
    "\u{2019}".as_bytes(),
    "\u{AB}".as_bytes(),
    "\u{BB}".as_bytes(),
    b"\x91",
    b"\x92",
    b"\x93",
    b"\x94",
    b"'",
    b"`",
];

fn is_word_of_floats(text: &[u8]) -> bool {
    text.starts_with(b"nan") || text.starts_with(b"inf")
}

/// The content of a string in the games' characters; `None` if a letter has no such form.
fn in_font(text: &str) -> Option<String> {
    let mut escaped = String::new();
    for letter in text.chars() {
        match unmarked(letter.encode_utf8(&mut [0; 4])).as_slice() {
            _ if letter.is_ascii() => escaped.push(letter),
            b"?" => return None,
            bytes => push_escaped(bytes, &mut escaped),
        }
    }
    Some(escaped)
}

/// Appends bytes in the form that strings have in a text.
fn push_escaped(bytes: &[u8], escaped: &mut String) {
    for byte in bytes {
        match byte {
            b'"' | b'\\' => escaped.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => escaped.push(char::from(*byte)),
            _ => escaped.extend(format!("\\{byte:03o}").chars()),
        }
    }
}

/// Whether this text after a quote shows that the quote ended a string.
fn ends_string(behind: &[u8]) -> bool {
    let next = behind.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    match next {
        None | Some(b';' | b'}') => true,
        Some(b'"') => behind.first() != Some(&b'"'),
        Some(_) => behind.trim_ascii_start().starts_with(b"//"),
    }
}

impl<'t> Scanner<'t> {
    /// Whether LMPC's lexer echoed and skipped the character at the cursor, because nothing in it begins with
    /// that character.
    pub(crate) fn means_nothing_to_lmpc(&self, byte: u8) -> bool {
        let rest = self.rest();
        let is_number = |behind: &[u8]| behind.first().is_some_and(u8::is_ascii_digit);
        match byte {
            b';' | b':' | b'{' | b'}' | b'"' => false,
            // LMPC could not read its own spelling of floats that are not finite, but we can.
            b'-' => !rest.get(1..).is_some_and(|rest| is_number(rest) || is_word_of_floats(rest)),
            _ => !is_word(byte),
        }
    }

    /// Whether the next character is a quote that is not straight.
    pub(crate) fn at_quote(&mut self) -> bool {
        self.skip();
        QUOTES.iter().any(|quote| self.rest().starts_with(quote))
    }

    /// Takes a string in quotes that are not straight, if one is next, and reports a mistake.
    #[cold]
    pub(super) fn foreign_quotes(&mut self) -> bool {
        let rest = self.rest();
        let Some(quote) = QUOTES.iter().find(|quote| rest.starts_with(quote)) else { return false };
        let line = rest.get(quote.len()..string_len(rest)).unwrap_or_default();
        let is_end = |at: usize| {
            let behind = line.get(at..).unwrap_or_default();
            [&b"\""[..]]
                .iter()
                .chain(&QUOTES)
                .find(|quote| behind.starts_with(quote))
                .map(|quote| (at, quote.len()))
        };
        // An apostrophe may stand inside the string.
        let ends: Vec<(usize, usize)> = (0..line.len()).filter_map(is_end).collect();
        let last = |(at, len): &&(usize, usize)| {
            line.get(at + len..).is_some_and(|rest| !rest.first().is_some_and(|byte| is_word(*byte)))
        };
        let end = ends.iter().find(last);
        let inside = end.and_then(|(at, _)| line.get(..*at)).and_then(|inside| inside.to_str().ok());
        let length = quote.len() + end.map_or(line.len(), |(at, len)| at + len);
        let span = Span { offset: self.pos, len: length };
        let message = format!("`{}` is not a quote here", quote.to_str_lossy());
        let fix = inside.map(|inside| (span, format!("\"{}\"", inside.replace('"', "\\\""))));
        self.mistake_with(
            TextCode::StrayCharacter,
            span,
            message,
            "strings stand in straight quotes: `\"hello\"`",
            fix,
        );
        self.pos += length.max(1);
        true
    }

    /// The letter at the cursor, which may have several bytes.
    pub(crate) fn letter(&self) -> Span {
        let (letter, len) = bstr::decode_utf8(self.rest());
        Span { offset: self.pos, len: if letter.is_some() { len } else { 1 } }
    }

    /// At a comma with a digit or a minus after it: the end of the decimals, if the comma is used as a
    /// decimal point; `None` if it separates values.
    pub(crate) fn decimals(&self) -> Option<usize> {
        let in_number = |byte: &&u8| byte.is_ascii_digit() || matches!(**byte, b'.' | b',' | b'-');
        let before = self.text.get(..self.pos)?.iter().rev().take_while(in_number).collect::<Vec<_>>();
        let after = self.text.get(self.pos + 1..)?.iter().take_while(in_number).collect::<Vec<_>>();
        let digits = |letters: &[&u8]| letters.iter().all(|byte| byte.is_ascii_digit());
        let whole = before.strip_suffix(&[&b'-']).unwrap_or(&before);
        let is_one = !whole.is_empty() && digits(whole) && digits(&after);
        is_one.then_some(self.pos + 1 + after.len())
    }

    /// Extends the fix of the last mistake, about the header, so that it also adds the line end.
    #[cold]
    pub(crate) fn mend_header(&mut self) {
        let fix = self.mistakes.last_mut().and_then(|last| last.fix.as_mut());
        if let Some(fix) = fix
            && let Some((before, behind)) = fix.replacement.rsplit_once('"')
        {
            fix.replacement = format!("{before}\\n\"{behind}");
        }
    }

    /// Warns about a header that does not end with its line.
    #[cold]
    pub(crate) fn open_header(&mut self, keyword: Span) {
        let string = self.last_token(keyword.offset, self.pos);
        let fix =
            Some((Span { offset: string.offset + string.len.saturating_sub(1), len: 0 }, "\\n".to_owned()));
        let message = "engines read the header up to a line end, and this has none".into();
        self.warn(TextCode::OpenHeader, string, message, "a CD track is written `track \"4\\n\";`", fix);
    }

    /// Warns about a message of an unknown protocol.
    #[cold]
    pub(crate) fn strange_protocol(&mut self, keyword: Span, protocol: i32) {
        let message = format!("messages of protocol {protocol} are not known: it is written as usual");
        let help = "`serverversion` names the protocol, or `protocol`: see `moviola explain T030`";
        self.warn(TextCode::StrangeProtocol, keyword, message, help, None);
    }

    /// Warns that the text is LMPC's, of a recording in a protocol that LMPC read as 15.
    #[cold]
    pub(crate) fn protocol_unknown_to_lmpc(&mut self, keyword: Span, protocol: i32) {
        if protocol == crate::compile::LMPCS {
            return;
        }
        let message =
            format!("LMPC made this text and took protocol {protocol} for 15; here it is read as {protocol}");
        let help = "`moviola lmpc -l` compiles it as LMPC did; better decompile the recording anew";
        self.warn(TextCode::UnknownToLmpc, keyword, message, help, None);
    }

    /// Warns that the text is of a protocol that is read as 15, as LMPC does.
    #[cold]
    pub(crate) fn protocol_read_as_lmpcs(&mut self, keyword: Span, protocol: i32) {
        let message = format!("the text is of protocol {protocol}; it is read as 15, as LMPC did");
        let help = format!("`moviola compile` reads it as {protocol}");
        self.warn(TextCode::UnknownToLmpc, keyword, message, help, None);
    }

    /// The warning about a `length` greater than its block, which applies only if anything follows; a smaller
    /// one is reported immediately.
    #[cold]
    pub(crate) fn untrue_length(&mut self, at: Span, length: i32, size: usize) -> Option<Diagnostic> {
        let claimed = usize::try_from(length).unwrap_or_default();
        let help = "take it out: compiling counts".to_owned();
        let bytes = if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") };
        let fix = (at != Span::GONE).then(|| (at, String::new()));
        if claimed < size {
            let message = format!("the block is {bytes} long: what is more is read as a block of its own");
            self.warn(TextCode::UntrueLength, at, message, help, fix);
            return None;
        }
        let message = format!("the block is {bytes} long: readers take what follows for the rest of it");
        (claimed > size).then(|| self.diagnostic(TextCode::UntrueLength, at, message, help, fix))
    }

    /// Reports a `unicast` that no message follows.
    #[cold]
    pub(crate) fn lonely_unicast(&mut self, at: Span) {
        let help = "it says for whom the message after it was";
        self.mistake(TextCode::Misplaced, at, "no message follows this `unicast`".into(), help);
    }

    /// Whether the last mistake reaches to the cursor, so that its consequences need no report.
    pub(crate) fn is_reported_here(&self) -> bool {
        let before = self.text.get(..self.pos).unwrap_or_default().trim_ascii_end().len();
        let end = |it: &Diagnostic| Some(it.offset? + it.length as u64);
        self.mistakes
            .last()
            .is_some_and(|it| it.code == TextCode::OpenString && end(it) == Some(self.offset(before)))
    }

    /// Whether the last mistake is in the current statement or field.
    pub(crate) fn is_reported_in_statement(&self) -> bool {
        let Some(last) = self.mistakes.last().and_then(|it| it.offset) else { return false };
        let Some(length) = self.offset(self.pos).checked_sub(last) else { return false };
        let start = usize::try_from(length).ok().and_then(|length| self.pos.checked_sub(length));
        let between = start.and_then(|start| self.text.get(start..self.pos));
        between.is_some_and(|text| !text.iter().any(|byte| matches!(byte, b';' | b'{' | b'}')))
    }

    /// Whether two words would be one without the characters between them.
    pub(crate) fn joins(&self, span: Span) -> bool {
        let before = span.offset.checked_sub(1).and_then(|at| self.text.get(at));
        before.zip(self.text.get(span.offset + span.len)).is_some_and(|(a, b)| is_word(*a) && is_word(*b))
    }

    /// Whether there was a string without an end since this keyword, which may have swallowed the brace.
    pub(crate) fn has_open_string(&self, since: Span) -> bool {
        let start = match &self.passed_place {
            Some(gone) if since == Span::GONE => gone.offset,
            _ => Some(self.offset(since.offset)),
        };
        self.mistakes.iter().any(|it| it.code == TextCode::OpenString && it.offset >= start)
    }

    pub(super) fn open_string(&mut self, start: usize) -> bool {
        let rest = self.text.get(start..).unwrap_or_default();
        let len = string_len(rest);
        if let Some(newline) = self.string_end_below(start) {
            let span = Span { offset: start, len: newline - start };
            let fix = (Span { offset: newline, len: 1 }, "\\n".to_owned());
            let message = "this string does not end on its line".into();
            let help = "a line break is written `\\n`";
            self.mistake_with(TextCode::OpenString, span, message, help, Some(fix));
            return true;
        }
        // The statement may end after it, and the records around it.
        let ends = rest.get(len..).is_some_and(|after| after.trim_ascii_start().starts_with(b";"));
        let span = Span { offset: start, len };
        let quoted = rest.get(1..len).unwrap_or_default();
        let quote = QUOTES.iter().find(|quote| quoted.ends_with(quote));
        let (quote, help) = match quote {
            Some(quote) => (quote.len(), "the quote at its end is not a straight one: write `\"`"),
            None => (0, "close it with `\"`; a line break is written `\\n`"),
        };
        let fix = (Span { offset: start + len - quote, len: quote }, if ends { "\"" } else { "\";" }.into());
        let message = "this string does not end on its line".into();
        self.mistake_with(TextCode::OpenString, span, message, help, Some(fix));
        self.pos = start + len;
        false
    }

    /// The end of the line of the string from `start`, if the string continues to a quote in the next line;
    /// then the cursor moves past that quote.
    fn string_end_below(&mut self, start: usize) -> Option<usize> {
        let line = self.text.get(start..)?.find_byte(b'\n')?;
        let pos = std::mem::replace(&mut self.pos, start + line + 1);
        let end = if self.at_text(b"\";") { Some(self.pos + 1) } else { self.only_quote() };
        self.pos = end.unwrap_or(pos);
        end.map(|_| start + line)
    }

    /// Warns about the letters beyond ASCII in the string from `start` to the cursor, and shows the games'
    /// characters for them.
    #[cold]
    pub(super) fn foreign_letters(&mut self, start: usize) {
        let string = self.slice(Span { offset: start, len: self.pos - start });
        let first = string.iter().position(|byte| !byte.is_ascii()).unwrap_or_default();
        let last = string.iter().rposition(|byte| !byte.is_ascii()).unwrap_or_default();
        let foreign = string.get(first..=last).unwrap_or_default();
        // If it is not UTF-8, it is LMPC's, with the games' own characters as bytes: these are intended.
        let Ok(odd) = foreign.to_str() else { return };
        let Some(letter) = odd.chars().next() else { return };
        let len = letter.len_utf8();
        let shown = plain(odd.as_bytes().get(..len).unwrap_or_default());
        let message = format!("`{letter}` is not a letter of the games: they show `{shown}`");
        let help = "write it in ASCII, or its bytes as `\\ooo` if they are meant";
        let at = start + first;
        let fix = in_font(odd).map(|written| (Span { offset: at, len: odd.len() }, written));
        self.warn(TextCode::ForeignLetter, Span { offset: at, len }, message, help, fix);
    }

    /// Warns that this backslash has no effect on the letter after it, which was already taken.
    #[cold]
    pub(super) fn idle_backslash(&mut self, at: usize) {
        let rest = self.text.get(at + 1..).unwrap_or_default();
        let hex = rest.get(1..3).and_then(|digits| u8::from_str_radix(digits.to_str().ok()?, 16).ok());
        let (len, byte) = match (rest.first(), hex) {
            (Some(b'x'), Some(byte)) => (4, Some(byte)),
            (Some(b't'), _) => (2, Some(b'\t')),
            _ => (2, None),
        };
        let span = Span { offset: at, len };
        let written = self.slice(span).to_str_lossy().into_owned();
        let message = format!("`{written}` is `{}` here", written.trim_start_matches('\\'));
        let octal = byte.map(|byte| format!("\\{byte:03o}"));
        let help = match &octal {
            Some(octal) => format!("this byte is written `{octal}`"),
            None => "a backslash itself is written `\\\\`; bytes are written in octal: `\\101`".to_owned(),
        };
        let fix = octal.unwrap_or_else(|| format!("\\{written}"));
        self.warn(TextCode::IdleBackslash, span, message, help, Some((span, fix)));
    }

    /// Whether the string just taken seems to continue after its quote.
    #[inline]
    pub(crate) fn goes_on(&self) -> bool {
        self.text.get(self.pos).is_some_and(|byte| {
            !matches!(
                byte,
                b';' | b' ' | b'\n' | b'\t' | b'\r' | b'"' | b'}' | b'/' | b',' | b':' | b')' | b']'
            )
        })
    }

    /// Whether a word stands on the same line after the quote of the string just taken.
    #[inline]
    pub(crate) fn goes_on_in_words(&self) -> bool {
        self.text.get(self.pos) == Some(&b' ')
            && self.rest().iter().find(|byte| **byte != b' ').is_some_and(|byte| is_word(*byte))
    }

    /// The end of a string of which only the last quote is there: a quote on this line, with no end of a
    /// statement or string before it.
    pub(crate) fn only_quote(&mut self) -> Option<usize> {
        let line = self.statement_line();
        let escaped = |at: usize| at.checked_sub(1).and_then(|at| line.get(at)) == Some(&b'\\');
        let mut signs = line.iter().enumerate().filter(|(_, byte)| matches!(byte, b'"' | b';' | b'{' | b'}'));
        let (at, _) = signs.find(|(at, byte)| **byte != b'"' || !escaped(*at))?;
        let before = line.get(..at)?;
        let is_one = line.get(at) == Some(&b'"') && !before.is_empty() && !before.contains_str("//");
        (is_one && ends_string(line.get(at + 1..)?)).then_some(self.pos + at + 1)
    }

    /// The end of a string with quotes inside: after the first quote on this line that a `;` follows, or
    /// after the line's last quote.
    pub(crate) fn last_quote(&mut self) -> Option<usize> {
        let line = self.statement_line();
        let ends = |at: &usize| line.get(at + 1..).is_some_and(ends_string);
        line.find_iter(b"\"")
            .filter(|at| line.get(at.wrapping_sub(1)) != Some(&b'\\'))
            .find(ends)
            .map(|at| self.pos + at + 1)
    }

    /// The rest of the statement's line.
    fn statement_line(&mut self) -> &'t [u8] {
        let line = self.line_rest();
        self.hit_end |= line.len() < LONGEST_COMMENT && self.rest().len() == line.len();
        line
    }

    /// Whether the next token is a number that begins with its point.
    pub(crate) fn at_point(&mut self) -> bool {
        self.skip();
        let rest = self.rest();
        let rest = rest.strip_prefix(b"-").unwrap_or(rest);
        matches!(rest, [b'.', b'0'..=b'9', ..])
    }

    /// The word before the brace at `at`, for pointing to a record; the brace itself if there is none.
    pub(crate) fn word_before(&self, at: usize) -> Span {
        let before = self.text.get(..at).unwrap_or_default().trim_ascii_end();
        let len = before.iter().rev().take_while(|byte| is_word(**byte)).count();
        if len == 0 { Span { offset: at, len: 1 } } else { Span { offset: before.len() - len, len } }
    }

    /// Whether only blanks precede this on its line.
    pub(crate) fn begins_line(&self, token: Span) -> bool {
        let before = self.text.get(..token.offset).unwrap_or_default();
        before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b'\n')
    }

    /// The next few characters.
    pub(crate) fn next_letters(&self) -> &'t [u8] {
        let rest = self.rest();
        rest.get(..3).unwrap_or(rest)
    }

    /// The rest of the line, or its beginning if it is long, so that a line with many such comments is not
    /// searched to its end for each.
    pub(crate) fn line_rest(&self) -> &'t [u8] {
        let rest = self.rest();
        rest.get(..LONGEST_COMMENT).unwrap_or(rest).split(|byte| *byte == b'\n').next().unwrap_or_default()
    }

    /// Whether exactly these characters follow directly.
    pub(crate) fn at_text(&self, text: &[u8]) -> bool {
        self.rest().starts_with(text)
    }

    /// Goes past a C comment, or after the line on which it begins.
    pub(crate) fn step_over_comment(&mut self) {
        let rest = self.rest();
        let rest = rest.get(..LONGEST_COMMENT).unwrap_or(rest);
        let end = rest.find(b"*/").map(|at| at + 2);
        self.pos += end.unwrap_or_else(|| self.line_rest().len().max(1)).min(rest.len());
    }
}
