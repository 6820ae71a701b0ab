//! A text in its canonical form, with its comments.
//!
//! Every statement is read and printed again, as a decompiled recording would say it. Comments go with what they
//! stand at: one at the end of a line with the line's statement or field, one on a line of its own with what follows.

use crate::parse::{Parser, Stop};
use crate::print::Printer;
use crate::scan::{Scanner, Span};
use crate::statement::{self, Rows, Statement, Top, UNKNOWN_DATA};
use crate::{CompileError, CompileOptions, Spoken};
use bumpalo::Bump;
use moviola_format::{Context, Game, Quake, Quake2, Show};
use std::io::{Read, Write};
use std::ops::Range;

/// Gives a text its canonical form; comments are kept. The text is held in memory as a whole.
///
/// ```
/// let mut out = Vec::new();
/// let text = b"block { // first\n sound{entity 5;channel 1; // loud\n soundnum 3; origin 1 2. 0x3; } camera 0 0 0;}";
/// moviola_text::format(&text[..], &mut out).unwrap();
/// let expected = "block { // first\n sound {\n  channel 1; // loud\n  entity 5;\n  soundnum 3;\n  origin 1.0 2.0 3.0;\n }\n camera 0.0 0.0 0.0;\n}\n";
/// assert_eq!(String::from_utf8(out).unwrap(), expected);
/// ```
///
/// # Errors
/// When reading or writing fails, or the text has mistakes.
pub fn format<R: Read, W: Write>(mut input: R, mut output: W) -> Result<(), CompileError> {
    let mut text = Vec::new();
    input.read_to_end(&mut text)?;
    let limit = CompileOptions::default().limit;
    let mut scan = Scanner::new(&text, (0, 1), true);
    let mut formatter = Formatter::default();
    let mut arena = Bump::new();
    loop {
        // What comes behind the last statement on its line still belongs to it.
        let more = formatter.comments_before(&mut scan, 0);
        if scan.mistakes.is_empty() {
            output.write_all(&formatter.printer.out)?;
        }
        formatter.printer.out.clear();
        if !more || scan.mistakes.len() >= limit {
            break;
        }
        let mut parser = Parser::new(scan, &arena, formatter.context);
        if formatter.top(&mut parser).is_err() {
            parser.scan.recover();
            parser.scan.take(b'}');
        }
        formatter.context = parser.context;
        scan = parser.scan;
        arena.reset();
    }
    if !scan.mistakes.is_empty() {
        scan.mistakes.truncate(limit);
        return Err(CompileError::Mistakes(scan.mistakes));
    }
    output.flush()?;
    Ok(())
}

struct Formatter {
    context: Context,
    game: Option<Game>,
    rows: Option<Rows>,
    printer: Printer,
    /// A message as printed, before its comments are put in.
    lines: Vec<u8>,
    begun: bool,
}

impl Default for Formatter {
    fn default() -> Self {
        let context = Context::quake();
        let mut printer = Printer::new(context);
        printer.comments = false;
        Self { context, game: None, rows: None, printer, lines: Vec::new(), begun: false }
    }
}

impl Formatter {
    /// Prints the comments and single empty lines up to the next statement; says whether there is one.
    fn comments_before(&mut self, scan: &mut Scanner<'_>, indent: usize) -> bool {
        let start = scan.pos;
        scan.skip();
        let mut newlines = 0;
        for piece in Trivia::of(scan.slice(Span { at: start, len: scan.pos - start })) {
            match piece {
                Trivia::Newline => newlines += 1,
                Trivia::Comment(comment) if newlines == 0 && self.begun => self.trail(comment),
                Trivia::Comment(comment) => {
                    self.empty_line(newlines);
                    self.printer.out.resize(self.printer.out.len() + indent, b' ');
                    self.printer.out.extend_from_slice(comment);
                    self.printer.out.push(b'\n');
                    newlines = 0;
                    self.begun = true;
                }
            }
        }
        if scan.peek().is_some_and(|byte| byte != b'}') {
            self.empty_line(newlines);
        }
        scan.peek().is_some()
    }

    fn empty_line(&mut self, newlines: usize) {
        if newlines > 1 && self.begun {
            self.printer.out.push(b'\n');
        }
    }

    /// Puts a comment at the end of the last line.
    fn trail(&mut self, comment: &[u8]) {
        if self.printer.out.last() == Some(&b'\n') {
            self.printer.out.pop();
        }
        self.printer.out.push(b' ');
        self.printer.out.extend_from_slice(comment);
        self.printer.out.push(b'\n');
    }

    fn top(&mut self, parser: &mut Parser<'_, '_>) -> Result<(), Stop> {
        let (top, word) = statement::top(parser)?;
        self.begun = true;
        match top {
            Top::Track(bytes) => {
                self.game = Some(Game::Quake);
                self.printer.statement("track", bytes);
                self.printer.out.push(b'\n');
            }
            Top::Between => {
                self.game = Some(Game::Quake2);
                self.printer.out.extend_from_slice(b"betweenblock;\n");
            }
            Top::End => self.printer.out.extend_from_slice(b"endblock;\n"),
            Top::Raw(bytes) => self.printer.bytes(0, "raw", bytes),
            Top::Block => {
                self.printer.out.extend_from_slice(b"block {\n");
                match *self.game.get_or_insert_with(|| statement::game_of_block(parser)) {
                    Game::Quake => self.block::<Quake>(parser, word),
                    Game::Quake2 => self.block::<Quake2>(parser, word),
                }
                self.printer.out.extend_from_slice(b"}\n");
            }
        }
        Ok(())
    }

    fn block<D: Spoken>(&mut self, parser: &mut Parser<'_, '_>, word: Span) {
        loop {
            self.comments_before(&mut parser.scan, 1);
            let start = parser.scan.pos;
            let rows = self.rows.get_or_insert_with(Rows::of::<D>);
            match statement::next::<D>(parser, rows, word) {
                None => return,
                Some(Err(_)) => {}
                Some(Ok((statement, _))) => {
                    let source = parser.scan.slice(Span { at: start, len: parser.scan.pos - start });
                    self.statement::<D>(parser, &statement, source);
                }
            }
        }
    }

    fn statement<'a, D: Spoken>(
        &mut self,
        parser: &mut Parser<'_, 'a>,
        statement: &Statement<'a, D::Message<'a>>,
        source: &[u8],
    ) {
        let before = std::mem::take(&mut self.printer.out);
        self.printer.out = std::mem::take(&mut self.lines);
        self.printer.context = parser.context;
        match statement {
            Statement::Message(message) => {
                self.printer.message(message, None);
                D::observe(message, &mut parser.context);
            }
            Statement::Camera(angles) => {
                self.printer.begin("camera");
                for angle in angles {
                    self.printer.float(*angle);
                }
                self.printer.out.extend_from_slice(b";\n");
            }
            Statement::Length(length) => self.line(&format!("length {length}")),
            Statement::FromClient => self.line("from_client"),
            Statement::Unicast(client) => self.line(&format!("unicast {client}")),
            Statement::Habit(set) => {
                parser.context.items_bit = *set;
                self.line(if *set { "habit items_bit set" } else { "habit items_bit clear" });
            }
            Statement::Protocol(number, flags) => {
                statement::speak(&mut parser.context, *number, *flags);
                let flags = if *flags == 0 { String::new() } else { format!(" {flags}") };
                self.line(&format!("protocol {number}{flags}"));
            }
            Statement::Raw(bytes) => self.printer.bytes(1, "raw", bytes),
            Statement::Unknown(id, bytes) => {
                self.printer.out.extend_from_slice(b" unknown {\n");
                if let Some(id) = id {
                    self.printer.out.extend_from_slice(format!("  id 0x{id:02X};\n").as_bytes());
                }
                if !bytes.is_empty() {
                    self.printer.bytes(2, UNKNOWN_DATA, bytes);
                }
                self.printer.out.extend_from_slice(b" }\n");
            }
        }
        self.lines = std::mem::replace(&mut self.printer.out, before);
        let mut notes = Notes::of(source);
        notes.put(&self.lines, &mut self.printer.out);
        self.lines.clear();
    }

    fn line(&mut self, words: &str) {
        self.printer.begin(words);
        self.printer.out.extend_from_slice(b";\n");
    }
}

/// What stands between statements.
enum Trivia<'t> {
    Newline,
    Comment(&'t [u8]),
}

impl<'t> Trivia<'t> {
    fn of(text: &'t [u8]) -> impl Iterator<Item = Self> {
        let mut lines = text.split_inclusive(|byte| *byte == b'\n').peekable();
        let mut newline = false;
        std::iter::from_fn(move || {
            if std::mem::take(&mut newline) {
                return Some(Self::Newline);
            }
            let line = lines.next()?;
            let comment = line.trim_ascii();
            let ends = line.ends_with(b"\n");
            if comment.is_empty() {
                return if ends { Some(Self::Newline) } else { lines.next().map(|_| Self::Newline) };
            }
            newline = ends;
            Some(Self::Comment(comment))
        })
    }
}

/// The comments inside of a message, each with the field at which it stands.
#[derive(Default)]
struct Notes<'t> {
    notes: Vec<Note<'t>>,
}

struct Note<'t> {
    text: &'t [u8],
    /// The field's keyword and how many of that name came before; none is the message's own line.
    field: (&'t [u8], usize),
    /// Whether it stands on a line of its own before the field.
    before: bool,
}

impl<'t> Notes<'t> {
    /// Goes over a message as written.
    fn of(source: &'t [u8]) -> Self {
        let mut notes = Self::default();
        if !source.windows(2).any(|pair| pair == b"//") {
            return notes;
        }
        let mut seen = Seen::default();
        let mut scan = Scanner::new(source, (0, 1), true);
        let (mut field, mut fresh): ((&[u8], usize), bool) = ((b"", 0), true);
        let mut waiting: Vec<&'t [u8]> = Vec::new();
        loop {
            let start = scan.pos;
            scan.skip();
            let mut newlines = 0;
            for piece in Trivia::of(scan.slice(Span { at: start, len: scan.pos - start })) {
                match piece {
                    Trivia::Newline => newlines += 1,
                    Trivia::Comment(text) if newlines == 0 => {
                        notes.notes.push(Note { text, field, before: false });
                    }
                    Trivia::Comment(text) => waiting.push(text),
                }
            }
            let token = scan.token();
            let word = scan.slice(token);
            match word.first() {
                None => break,
                Some(b';' | b'{' | b'}') => fresh = true,
                Some(_) if fresh => {
                    fresh = false;
                    field = seen.count(word);
                    notes.notes.extend(waiting.drain(..).map(|text| Note { text, field, before: true }));
                }
                Some(_) => {}
            }
            scan.pos += token.len.max(1);
        }
        notes.notes.extend(waiting.into_iter().map(|text| Note { text, field, before: false }));
        notes
    }

    /// Puts the printed lines and the comments together.
    fn put(&mut self, lines: &[u8], out: &mut Vec<u8>) {
        if self.notes.is_empty() {
            return out.extend_from_slice(lines);
        }
        let mut seen = Seen::default();
        let lines: Vec<&[u8]> = lines.split_inclusive(|byte| *byte == b'\n').collect();
        let mut field: (&[u8], usize) = (b"", 0);
        for (n, line) in lines.iter().enumerate() {
            let word = first_word(line);
            if let Some(word) = word.clone().and_then(|range| line.get(range)) {
                field = seen.count(word);
                for note in self.taken(field, true) {
                    let indent = line.len() - line.trim_ascii_start().len();
                    out.resize(out.len() + indent, b' ');
                    out.extend_from_slice(note);
                    out.push(b'\n');
                }
            }
            out.extend_from_slice(line.trim_ascii_end());
            // A list goes on over several lines: its comment stands behind the last.
            let goes_on = lines
                .get(n + 1)
                .is_some_and(|next| first_word(next).is_none() && !next.trim_ascii().starts_with(b"}"));
            if !goes_on {
                for note in self.taken(field, false) {
                    out.push(b' ');
                    out.extend_from_slice(note);
                    // Two at one place: the second on a line of its own would move at the next formatting.
                }
            }
            if n + 1 == lines.len() {
                for note in std::mem::take(&mut self.notes) {
                    out.push(b' ');
                    out.extend_from_slice(note.text);
                }
            }
            out.push(b'\n');
        }
    }

    /// The comments of a field, taken out.
    fn taken(&mut self, field: (&[u8], usize), before: bool) -> Vec<&'t [u8]> {
        let mut taken = Vec::new();
        self.notes.retain(|note| {
            let here = note.field == field && note.before == before;
            if here {
                taken.push(note.text);
            }
            !here
        });
        taken
    }
}

/// Counts how often a keyword came.
#[derive(Default)]
struct Seen<'t> {
    words: Vec<(&'t [u8], usize)>,
}

impl<'t> Seen<'t> {
    fn count(&mut self, word: &'t [u8]) -> (&'t [u8], usize) {
        if let Some(known) = self.words.iter_mut().find(|(known, _)| *known == word) {
            known.1 += 1;
            return *known;
        }
        self.words.push((word, 0));
        (word, 0)
    }
}

/// The keyword with which a printed line begins; a line that only goes on has none.
fn first_word(line: &[u8]) -> Option<Range<usize>> {
    let start = line.iter().position(|byte| *byte != b' ')?;
    let len = line.iter().skip(start).position(|byte| !crate::scan::is_word(*byte))?;
    let begins = line.get(start).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    (begins && len > 0).then_some(start..start + len)
}
