//! A text in its canonical form, with its comments.
//!
//! Every statement is read and printed again, as a decompiled recording would say it. Comments go with what they
//! stand at: one at the end of a line with the line's statement or field, one on a line of its own with what follows.

mod notes;

use crate::parse::{Parser, Stop};
use crate::print::Printer;
use crate::scan::{Scanner, Span};
use crate::statement::{self, Rows, Statement, Top, UNKNOWN_DATA};
use crate::{CompileError, CompileOptions, Spoken, compile};
use bumpalo::Bump;
use moviola_format::{Context, Game, Quake, Quake2, Show};
use std::io::{self, Read, Write};

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
    format_streams(&mut input, &mut output)
}

fn format_streams(input: &mut dyn Read, output: &mut dyn Write) -> Result<(), CompileError> {
    let mut text = Vec::new();
    input.read_to_end(&mut text)?;
    // What cannot be compiled has the same mistakes here, in the same order.
    compile(&text[..], io::sink(), &CompileOptions::default())?;
    let mut scan = Scanner::new(&text, (0, 1), true);
    let mut formatter = Formatter::default();
    let mut arena = Bump::new();
    while formatter.comments_before(&mut scan, 0) {
        let mut parser = Parser::new(scan, &arena, formatter.context);
        let outcome = formatter.top(&mut parser);
        formatter.context = parser.context;
        scan = parser.scan;
        arena.reset();
        if outcome.is_err() {
            return Err(CompileError::Mistakes(scan.mistakes));
        }
        output.write_all(&formatter.printer.out)?;
        formatter.printer.out.clear();
    }
    output.write_all(&formatter.printer.out)?;
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
                Trivia::Comment(comment) => {
                    self.empty_line(newlines);
                    notes::own_line(indent, comment, &mut self.printer.out);
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

    fn top(&mut self, parser: &mut Parser<'_, '_>) -> Result<(), Stop> {
        let start = parser.scan.pos;
        let (top, word) = statement::top(parser)?;
        self.begun = true;
        let source = with_comment(&mut parser.scan, start);
        let before = self.begin_lines();
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
            Top::Block => self.printer.out.extend_from_slice(b"block {\n"),
        }
        self.end_lines(before, source);
        if top == Top::Block {
            match *self.game.get_or_insert_with(|| statement::game_of_block(parser)) {
                Game::Quake => self.block::<Quake>(parser, word),
                Game::Quake2 => self.block::<Quake2>(parser, word),
            }
            let brace = parser.scan.pos.saturating_sub(1);
            notes::merge(with_comment(&mut parser.scan, brace), b"}\n", &mut self.printer.out);
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
                    let source = with_comment(&mut parser.scan, start);
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
        let before = self.begin_lines();
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
                self.printer.out.extend_from_slice(format!("  id 0x{id:02X};\n").as_bytes());
                if !bytes.is_empty() {
                    self.printer.bytes(2, UNKNOWN_DATA, bytes);
                }
                self.printer.out.extend_from_slice(b" }\n");
            }
        }
        self.end_lines(before, source);
    }

    /// From here on a statement is printed apart; gives what was printed before.
    fn begin_lines(&mut self) -> Vec<u8> {
        std::mem::replace(&mut self.printer.out, std::mem::take(&mut self.lines))
    }

    /// Puts the statement that was printed apart behind what was printed before, with the comments of its source.
    fn end_lines(&mut self, before: Vec<u8>, source: &[u8]) {
        self.lines = std::mem::replace(&mut self.printer.out, before);
        notes::merge(source, &self.lines, &mut self.printer.out);
        self.lines.clear();
    }

    fn line(&mut self, words: &str) {
        self.printer.begin(words);
        self.printer.out.extend_from_slice(b";\n");
    }
}

/// The statement from `start` to the cursor, and the comment behind it on its line.
fn with_comment<'t>(scan: &mut Scanner<'t>, start: usize) -> &'t [u8] {
    let end = scan.pos;
    while matches!(scan.peek(), Some(b' ' | b'\t' | b'\r' | 0x0C)) {
        scan.pos += 1;
    }
    if scan.take_text(b"//") {
        while scan.peek().is_some_and(|byte| byte != b'\n') {
            scan.pos += 1;
        }
    } else {
        scan.pos = end;
    }
    scan.slice(Span { at: start, len: scan.pos - start })
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
