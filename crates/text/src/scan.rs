//! The characters of a text: blanks and comments, words, numbers, strings.
//!
//! A [`Scanner`] walks through a window of the text. It records when it reads past the window's end, so that
//! its caller can read more text and try again.

mod mistakes;
mod number;

use crate::window::Sheet;
use crate::{Diagnostic, Fix, TextCode};
use bstr::ByteSlice;
pub(crate) use number::{NUMBER, Number, Plain, plain, units, whole};

/// The number of bytes of a line that a diagnostic contains before its place, and from it on.
const EXCERPT: usize = 1 << 9;

/// The greatest length of a diagnostic's message, which quotes the text; the middle of a longer one is left
/// out.
const LONGEST_MESSAGE: usize = 300;

/// The place in the whole text where a window begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) offset: u64,
    /// Its line, counted from 1.
    pub(crate) line: u64,
    /// The place where that line begins.
    pub(crate) line_start: u64,
}

impl Origin {
    pub(crate) const START: Self = Self { offset: 0, line: 1, line_start: 0 };

    /// The place in the whole text of a place in the window; `gaps` are the places of omissions before it,
    /// with their lengths.
    pub(crate) fn place(&self, at: usize, gaps: &[(usize, u64)]) -> u64 {
        let gone: u64 = gaps.iter().filter(|(gap, _)| *gap <= at).map(|(_, length)| length).sum();
        self.offset + at as u64 + gone
    }
}

/// A place in the window: its start and its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) offset: usize,
    pub(crate) len: usize,
}

impl Span {
    /// The token that [`Scanner::gone`] remembers.
    pub(crate) const GONE: Self = Self { offset: usize::MAX, len: 0 };
}

/// More than the longest keyword of a field and the characters after it.
const HERE: usize = 32;

/// Walks over text.
#[derive(Debug)]
pub(crate) struct Scanner<'t> {
    text: &'t [u8],
    /// The text with the stop characters after it, for a reader that does not check for the window's end.
    pub(crate) sheet: Option<&'t Sheet>,
    pub(crate) pos: usize,
    /// The characters at the token to which [`arrive`](Scanner::arrive) went; zeros after the text.
    here: [u8; HERE],
    /// Whether it read past the end.
    pub(crate) hit_end: bool,
    /// Whether the window reaches to the end of the text.
    complete: bool,
    origin: Origin,
    /// The places in the window where the middle of a long comment was left out, and the length of each
    /// omission.
    pub(crate) gaps: Vec<(usize, u64)>,
    /// The start of the comment that the end of the window cuts.
    pub(crate) cut_comment: Option<usize>,
    pub(crate) mistakes: Vec<Diagnostic>,
    /// A place in the text that the window no longer contains: the keyword of a block longer than the window.
    pub(crate) passed_place: Option<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The greatest number of mistakes, and of warnings, that are kept.
    pub(crate) limit: usize,
}

#[inline(always)]
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t [u8], origin: Origin, complete: bool) -> Self {
        Self {
            text,
            sheet: None,
            pos: 0,
            here: [0; HERE],
            hit_end: false,
            complete,
            origin,
            gaps: Vec::new(),
            cut_comment: None,
            mistakes: Vec::new(),
            warnings: Vec::new(),
            passed_place: None,
            limit: usize::MAX,
        }
    }

    /// The next character, if there is one.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let next = self.text.get(self.pos).copied();
        self.hit_end |= next.is_none();
        next
    }

    #[inline]
    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.pos + ahead).copied()
    }

    pub(crate) fn slice(&self, span: Span) -> &'t [u8] {
        self.text.get(span.offset..span.offset + span.len).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'t [u8] {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The next characters; `None` near the window's end, where the careful path is used.
    #[inline(always)]
    fn ahead<const N: usize>(&self) -> Option<&'t [u8; N]> {
        self.text.get(self.pos..)?.first_chunk()
    }

    /// Steps over blanks and comments.
    #[inline(always)]
    pub(crate) fn skip(&mut self) {
        if !self.skip_indent() {
            self.skip_more();
        }
    }

    /// Skips a line end and up to seven blanks; returns whether another character follows.
    #[inline(always)]
    fn skip_indent(&mut self) -> bool {
        let Some([first, rest @ ..]) = self.ahead::<10>() else { return false };
        if *first > b' ' {
            return *first != b'/';
        }
        let mut word = [0; 8];
        word.copy_from_slice(rest.get(..8).unwrap_or(&[0; 8]));
        let blanks = (u64::from_le_bytes(word) ^ 0x2020_2020_2020_2020).trailing_zeros() as usize / 8;
        if !matches!(*first, b' ' | b'\n') {
            return false;
        }
        self.pos += 1 + blanks;
        rest.get(blanks).is_some_and(|byte| *byte > b' ' && *byte != b'/')
    }

    #[inline(never)]
    fn skip_more(&mut self) {
        loop {
            match self.text.get(self.pos) {
                Some(b' ' | b'\n' | b'\t' | b'\r' | 0x0C) => self.pos += 1,
                Some(b'/') if self.peek_at(1) == Some(b'/') => self.skip_comment(),
                Some(_) => return,
                None => {
                    self.hit_end = true;
                    return;
                }
            }
            if self.skip_indent() {
                return;
            }
        }
    }

    fn skip_comment(&mut self) {
        let rest = self.rest();
        let newline = rest.find_byte(b'\n');
        if newline.is_none() {
            self.hit_end = true;
            self.cut_comment = Some(self.pos);
        }
        self.pos = newline.map_or(self.text.len(), |newline| self.pos + newline + 1);
    }

    /// Skips blanks and comments, then returns the next character.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<u8> {
        self.skip();
        self.peek()
    }

    /// Goes to the next token, and loads its characters once for all later comparisons.
    #[inline(always)]
    pub(crate) fn arrive(&mut self) {
        self.skip();
        match self.ahead() {
            Some(here) => self.here = *here,
            None => self.arrive_late(),
        }
    }

    /// [`arrive`](Scanner::arrive) near the end of the window.
    #[cold]
    fn arrive_late(&mut self) {
        self.hit_end = true;
        let rest = self.rest();
        self.here = [0; HERE];
        self.here.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    }

    /// Whether the token to which [`arrive`](Scanner::arrive) went is exactly this word.
    ///
    /// Inlined, because the word is then a constant and compared as one or two numbers.
    #[inline(always)]
    pub(crate) fn is_here(&self, word: &str) -> bool {
        self.here.first() == word.as_bytes().first()
            && self.here.get(..word.len()) == Some(word.as_bytes())
            && self.here.get(word.len()).is_some_and(|byte| *byte == b' ' || !is_word(*byte))
    }

    /// Whether exactly this word is next, after any blanks.
    pub(crate) fn at_word(&mut self, word: &str) -> bool {
        self.skip();
        let rest = self.rest();
        if !rest.starts_with(word.as_bytes()) {
            self.hit_end |= rest.len() <= word.len();
            return false;
        }
        let after = rest.get(word.len());
        self.hit_end |= after.is_none();
        after.is_none_or(|byte| !is_word(*byte))
    }

    /// Takes this word if it is next.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.pos += word.len();
        }
        found
    }

    /// Takes exactly these characters, if they follow directly.
    pub(crate) fn take_text(&mut self, text: &[u8]) -> bool {
        let found = self.rest().starts_with(text);
        self.hit_end |= self.rest().len() < text.len();
        self.pos += if found { text.len() } else { 0 };
        found
    }

    /// Takes any word.
    #[inline]
    pub(crate) fn word(&mut self) -> Span {
        self.skip();
        let len = self.rest().iter().position(|byte| !is_word(*byte)).unwrap_or_else(|| {
            self.hit_end = true;
            self.rest().len()
        });
        let span = Span { offset: self.pos, len };
        self.pos += len;
        span
    }

    /// Takes this character if it is next.
    #[inline(always)]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        if self.text.get(self.pos) == Some(&byte) {
            self.pos += 1;
            return true;
        }
        self.take_further(byte)
    }

    /// Takes this character, if it is next after blanks.
    #[inline(never)]
    fn take_further(&mut self, byte: u8) -> bool {
        let found = self.next() == Some(byte);
        self.pos += usize::from(found);
        found
    }

    /// The token at the cursor, for pointing to it.
    pub(crate) fn token(&mut self) -> Span {
        self.skip();
        let rest = self.rest();
        let len = match rest.first() {
            None => 0,
            Some(b'"') => string_len(rest),
            Some(b';' | b'{' | b'}') => 1,
            Some(_) => rest
                .iter()
                .position(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b';' | b'{' | b'}' | b'"'))
                .unwrap_or(rest.len()),
        };
        let len = len.min(rest.len());
        let comment = rest.get(1..len).filter(|_| rest.first() != Some(&b'"')).and_then(|it| it.find(b"//"));
        Span { offset: self.pos, len: comment.map_or(len, |at| at + 1) }
    }

    /// The last token of the statement that begins at `start` and contains or precedes the cursor, except `;`
    /// and braces.
    #[cold]
    pub(crate) fn last_token(&mut self, start: usize, end: usize) -> Span {
        let mut last = Span { offset: start, len: 1 };
        if self.must_wait() {
            // The limit of mistakes is reached, so the place does not matter; to search from `start` could take long.
            return last;
        }
        let pos = std::mem::replace(&mut self.pos, start);
        loop {
            let token = self.token();
            if token.len == 0 || token.offset >= end {
                break;
            }
            if !matches!(self.peek(), Some(b';' | b'{' | b'}')) {
                last = token;
            }
            self.pos += token.len;
        }
        self.pos = pos;
        last
    }

    /// The last word of this name between `start` and the cursor, except in strings and comments.
    #[cold]
    pub(crate) fn last_word(&mut self, name: &str, start: usize) -> Option<Span> {
        let end = std::mem::replace(&mut self.pos, start);
        let mut last = None;
        loop {
            let token = self.token();
            if token.len == 0 || token.offset >= end {
                break;
            }
            if self.slice(token) == name.as_bytes() {
                last = Some(token);
            }
            self.pos += token.len;
        }
        self.pos = end;
        last
    }

    /// Takes a string in quotes; appends its bytes with a NUL.
    pub(crate) fn string(&mut self, bytes: &mut Vec<u8>) -> bool {
        if self.next() != Some(b'"') {
            if self.foreign_quotes() {
                return true;
            }
            let token = self.token();
            // A word alone was meant as a string.
            let word = self.slice(token);
            let alone =
                self.text.get(token.offset + token.len) == Some(&b';') && !word.is_empty() && word.is_ascii();
            let fix = alone.then(|| (token, format!("\"{}\"", String::from_utf8_lossy(word))));
            let message = "a string in double quotes is expected here".into();
            let help = if alone { "put it in quotes" } else { "strings stand in double quotes: `\"hello\"`" };
            self.mistake_with(TextCode::ExpectedString, token, message, help, fix);
            return false;
        }
        let start = self.pos;
        self.pos += 1;
        loop {
            let rest = self.rest();
            let Some(len) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n')) else {
                self.hit_end = true;
                return self.open_string(start);
            };
            bytes.extend_from_slice(rest.get(..len).unwrap_or_default());
            self.pos += len;
            match self.peek() {
                Some(b'"') => {
                    self.pos += 1;
                    if !self.slice(Span { offset: start, len: self.pos - start }).is_ascii() {
                        self.foreign_letters(start);
                    }
                    return true;
                }
                Some(b'\\') => self.escape(bytes),
                _ => return self.open_string(start),
            }
        }
    }

    /// One to three octal digits, `n`, `r`, or any other character for itself.
    fn escape(&mut self, bytes: &mut Vec<u8>) {
        self.pos += 1;
        let Some(byte) = self.peek() else { return };
        let (mut value, mut digits) = (0u32, 0);
        while let (Some(digit @ b'0'..=b'7'), true) = (self.peek_at(digits), digits < 3) {
            value = value * 8 + u32::from(digit - b'0');
            digits += 1;
        }
        if digits > 0 {
            if value > 0xFF {
                let span = Span { offset: self.pos - 1, len: digits + 1 };
                let message = format!("{} does not fit a byte", String::from_utf8_lossy(self.slice(span)));
                let help = "the highest is `\\377`; a backslash itself is written `\\\\`";
                self.mistake(TextCode::OutOfRange, span, message, help);
            }
            self.pos += digits;
            return bytes.push(u8::try_from(value).unwrap_or(u8::MAX));
        }
        self.pos += 1;
        match byte {
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            other => {
                bytes.push(other);
                if other.is_ascii_alphanumeric() {
                    self.idle_backslash(self.pos - 2);
                }
            }
        }
    }

    /// Whether the last read went past the window's end but not the text's, so that it is repeated with more
    /// text.
    #[inline]
    pub(crate) fn must_wait(&self) -> bool {
        self.hit_end && !self.complete
    }

    /// The line on which the window begins.
    pub(crate) fn line(&self) -> u64 {
        self.origin.line
    }

    /// The place in the whole text of a place in the window.
    pub(crate) fn offset(&self, at: usize) -> u64 {
        self.origin.place(at, &self.gaps)
    }

    /// A place in the form of a diagnostic.
    pub(crate) fn place(&self, span: Span) -> Diagnostic {
        let at = span.offset.min(self.text.len());
        let (before, after) = self.text.split_at_checked(at).unwrap_or((self.text, &[]));
        let newline = before.iter().rposition(|byte| *byte == b'\n');
        let first = newline.map_or(0, |newline| newline + 1);
        let line_start = newline.map_or(self.origin.line_start, |_| self.offset(first));
        let column = (self.offset(at) - line_start) as usize + 1;
        let behind = after.iter().take(EXCERPT).position(|byte| *byte == b'\n');
        // A letter of several bytes is never cut.
        let letter = |at: &usize| self.text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
        let cut = at.saturating_sub(EXCERPT);
        let start = if cut > first { (cut..at).take(4).find(letter).unwrap_or(cut) } else { first };
        let end = at + behind.unwrap_or(EXCERPT.min(after.len()));
        let end = (at..=end).rev().take(4).find(letter).unwrap_or(end);
        let source = String::from_utf8_lossy(self.text.get(start..end).unwrap_or_default());
        Diagnostic {
            code: TextCode::MissingBrace,
            message: String::new(),
            line: self.origin.line + newlines(before),
            column,
            length: span.len.max(1),
            offset: Some(self.offset(at)),
            source: source.trim_end_matches('\r').to_owned(),
            skipped: (column - 1).saturating_sub(at - start),
            help: None,
            fix: None,
        }
    }

    /// Reports a mistake.
    #[cold]
    pub(crate) fn mistake(&mut self, code: TextCode, span: Span, message: String, help: impl Into<String>) {
        self.mistake_with(code, span, message, help, None);
    }

    /// Whether the limit of mistakes is reached.
    pub(crate) fn is_full(&self) -> bool {
        self.mistakes.len() >= self.limit || self.must_wait()
    }

    /// The numbers of mistakes and warnings so far, to return to with [`Self::forget`].
    pub(crate) fn report_counts(&self) -> (usize, usize) {
        (self.mistakes.len(), self.warnings.len())
    }

    /// Removes later reports, because their text will be read, and reported, once more.
    #[cold]
    pub(crate) fn forget(&mut self, noted: (usize, usize)) {
        self.mistakes.truncate(noted.0);
        self.warnings.truncate(noted.1);
    }

    /// Reports a mistake with a fix.
    #[cold]
    pub(crate) fn mistake_with(
        &mut self,
        code: TextCode,
        span: Span,
        message: String,
        help: impl Into<String>,
        fix: Option<(Span, String)>,
    ) {
        // The rest of the text, which is not read yet, may correct the mistake.
        if self.is_full() {
            return;
        }
        let diagnostic = self.diagnostic(code, span, message, help.into(), fix);
        let is_same = |last: &Diagnostic| last.code == code && last.offset == diagnostic.offset;
        if self.mistakes.last().is_some_and(is_same) {
            // A list that lacks many numbers is reported once.
            return;
        }
        self.mistakes.push(diagnostic);
    }

    /// Reports a warning: the text is valid, but probably not as intended.
    #[cold]
    pub(crate) fn warn(
        &mut self,
        code: TextCode,
        span: Span,
        message: String,
        help: impl Into<String>,
        fix: Option<(Span, String)>,
    ) {
        let offset = self.offset(span.offset);
        let is_same = |it: &Diagnostic| it.code == code && it.offset == Some(offset);
        // A string may be read twice.
        if self.warnings.len() < self.limit && !self.warnings.iter().any(is_same) {
            let diagnostic = self.diagnostic(code, span, message, help.into(), fix);
            self.warnings.push(diagnostic);
        }
    }

    pub(crate) fn diagnostic(
        &self,
        code: TextCode,
        span: Span,
        message: String,
        help: String,
        fix: Option<(Span, String)>,
    ) -> Diagnostic {
        let place = match &self.passed_place {
            Some(gone) if span == Span::GONE => gone.clone(),
            _ => self.place(span),
        };
        let fix = fix.map(|(span, replacement)| Fix {
            offset: self.offset(span.offset),
            length: span.len,
            replacement,
        });
        Diagnostic { code, message: shortened(message), help: Some(shortened(help)), fix, ..place }
    }

    /// After a mistake: goes past the end of the current statement.
    pub(crate) fn recover(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.next() {
                None => return,
                Some(b';') if depth == 0 => {
                    self.pos += 1;
                    return;
                }
                Some(b'{') => depth += 1,
                Some(b'}') if depth == 0 => return,
                Some(b'}') => {
                    depth -= 1;
                    if depth == 0 {
                        self.pos += 1;
                        return;
                    }
                }
                Some(b'"') => {
                    self.pos += self.token().len.max(1);
                    continue;
                }
                Some(_) => {}
            }
            self.pos += 1;
        }
    }
}

/// Shortens a message that quotes a word of thousands of letters.
fn shortened(words: String) -> String {
    if words.len() <= LONGEST_MESSAGE {
        return words;
    }
    let half = LONGEST_MESSAGE / 2;
    let (start, end) = (words.floor_char_boundary(half), words.ceil_char_boundary(words.len() - half));
    format!("{}...{}", words.get(..start).unwrap_or_default(), words.get(end..).unwrap_or_default())
}

/// The length of the string at the start of `text`, with its quotes. If it does not end on its line, the
/// characters that may end the statement and the records around it are not counted.
fn string_len(text: &[u8]) -> usize {
    let mut len = 1;
    loop {
        match text.get(len) {
            Some(b'"') => return len + 1,
            Some(b'\\') if !matches!(text.get(len + 1), Some(b'\n') | None) => len += 2,
            Some(b'\n') | None => break,
            Some(_) => len += 1,
        }
    }
    let mut line = text.get(..len).unwrap_or(text);
    // A comment after such a string is not a mistake either.
    let before = line.rfind(b"//").and_then(|at| line.get(..at)).map(<[u8]>::trim_ascii_end);
    if let Some(before) = before.filter(|before| matches!(before.last(), Some(b';' | b'}'))) {
        line = before;
    }
    line.trim_end_with(|letter| matches!(letter, ';' | '}' | ' ' | '\t' | '\r')).len()
}

/// The number of line ends in `bytes`. Counting in bytes, over a length known to the compiler, lets it
/// process 16 at a time.
pub(crate) fn newlines(bytes: &[u8]) -> u64 {
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    let (parts, rest) = bytes.as_chunks::<240>();
    parts.iter().map(|part| u64::from(count(part))).sum::<u64>() + u64::from(count(rest))
}
