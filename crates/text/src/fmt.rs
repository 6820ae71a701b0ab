//! A text in its canonical form, with its comments.
//!
//! Every statement is read and printed again in the form in which `decompile` prints it. A comment at the end
//! of a line stays with the line's statement or field; one on a line of its own stays with the text after it.

mod notes;

use crate::address::Container;
use crate::compile::MARK;
use crate::line_ends::LineEnds;
use crate::parse::{ParseStop, Parser};
use crate::print::Printer;
use crate::scan::{Origin, Scanner, Span};
use crate::statement::{self, Rows, Statement, TopStatement, UNKNOWN_DATA};
use crate::statement_kind::StatementKind;
use crate::{CompileError, CompileOptions, Compiled, Diagnostic, TextDialect, compile};
use bumpalo::Bump;
use moviola_format::{Context, Game, Hidden, Mvd2, Quake, Quake2, QuakeWorld, Table, ValueSink};
use std::io::{self, Read, Write};

/// The amount of text that is checked ahead of printing, so that all mistakes in a shorter text are reported
/// before any of it is printed.
const LOOKAHEAD: usize = 1 << 20;

/// Gives a text its canonical form; comments are kept. Memory does not grow with the text. Reports
/// the same mistakes and warnings as compiling.
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
/// When reading or writing fails, or the text has mistakes. The text before the first mistake may have been written.
pub fn format<R: Read, W: Write>(mut input: R, mut output: W) -> Result<Compiled, CompileError> {
    format_streams(&mut LineEnds::new(&mut input), &mut output)
}

fn format_streams(input: &mut dyn Read, output: &mut dyn Write) -> Result<Compiled, CompileError> {
    let mut tee = Tee { input, output, formatter: Formatter::default(), next_amount: LOOKAHEAD };
    // Compiling finds the mistakes, so they are the same and in the same order.
    let compiled = compile(&mut tee, io::sink(), &CompileOptions::default())?;
    tee.formatter.go(true, tee.output)?;
    if !tee.formatter.mistakes.is_empty() {
        return Err(CompileError::Mistakes(tee.formatter.mistakes));
    }
    if !tee.formatter.text.trim_ascii().is_empty() {
        return Err(io::Error::other("a part of the text could not be tidied").into());
    }
    tee.output.flush()?;
    Ok(compiled)
}

/// Passes a text to the compiler, which looks for mistakes, and to the formatter.
struct Tee<'s> {
    input: &'s mut dyn Read,
    output: &'s mut dyn Write,
    formatter: Formatter,
    /// The amount of text at which the formatter continues.
    next_amount: usize,
}

impl Read for Tee<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let formatter = &mut self.formatter;
        if formatter.text.len() >= self.next_amount {
            formatter.go(false, self.output)?;
            // An incomplete statement is read again, so the amount doubles to keep repetitions few.
            self.next_amount = LOOKAHEAD.max(2 * formatter.text.len());
        }
        let length = self.input.read(buffer)?;
        formatter.text.extend_from_slice(buffer.get(..length).unwrap_or_default());
        Ok(length)
    }
}

struct Formatter {
    /// The text that was read and not printed yet.
    text: Vec<u8>,
    mistakes: Vec<Diagnostic>,
    /// Whether the text begins inside a block.
    inside: bool,
    /// Whether it begins inside a comment that was printed in part.
    in_comment: bool,
    context: Context,
    game: Option<Game>,
    /// The kind of QuakeWorld block around the current statement.
    container: Option<Container>,
    rows: Vec<(Table, Rows)>,
    printer: Printer,
    /// A message as printed, before its comments are put in.
    lines: Vec<u8>,
    has_started: bool,
}

impl Default for Formatter {
    fn default() -> Self {
        let context = Context::quake();
        let mut printer = Printer::new(context);
        printer.comments = false;
        Self {
            text: Vec::new(),
            mistakes: Vec::new(),
            inside: false,
            in_comment: false,
            context,
            game: None,
            container: None,
            rows: Vec::new(),
            printer,
            lines: Vec::new(),
            has_started: false,
        }
    }
}

impl Formatter {
    /// Prints the statements that are complete.
    fn go(&mut self, complete: bool, output: &mut dyn Write) -> io::Result<()> {
        let mut text = std::mem::take(&mut self.text);
        if !self.has_started && text.starts_with(MARK) {
            text.drain(..MARK.len());
        }
        let mut done = self.comment_goes_on(&text, complete);
        let mut arena = Bump::new();
        let mut scan = Scanner::new(&text, Origin::START, complete);
        scan.pos = done;
        while self.mistakes.is_empty() && !self.in_comment {
            scan.hit_end = false;
            let saved = (self.context, self.game, self.inside, self.has_started, self.printer.out.len());
            let mut parser = Parser::new(scan, &arena, self.context);
            let more = self.step(&mut parser);
            self.context = parser.context;
            scan = parser.scan;
            arena.reset();
            if scan.must_wait() {
                let written;
                (self.context, self.game, self.inside, self.has_started, written) = saved;
                self.printer.out.truncate(written);
                break;
            }
            done = scan.pos;
            self.mistakes.append(&mut scan.mistakes);
            if self.printer.out.len() > LOOKAHEAD / 4 {
                output.write_all(&self.printer.out)?;
                self.printer.out.clear();
            }
            if !more {
                break;
            }
        }
        let rest = text.get(done..).unwrap_or_default();
        if !complete && self.mistakes.is_empty() && !self.in_comment {
            done += self.waiting_trivia(rest);
        }
        output.write_all(&self.printer.out)?;
        self.printer.out.clear();
        self.text = text;
        self.text.drain(..done);
        Ok(())
    }

    /// Prints the next statement with the comments before it; returns whether there was one.
    fn step(&mut self, parser: &mut Parser<'_, '_>) -> bool {
        if !self.inside {
            return self.comments_before(&mut parser.scan, 0) && self.top(parser).is_ok();
        }
        match (self.container, self.game) {
            (Some(Container::Hidden), _) => self.in_block::<Hidden>(parser, Table::Hidden),
            (Some(Container::Mvd2), _) => self.in_block::<Mvd2>(parser, Table::Mvd2),
            (Some(_), _) => self.in_block::<QuakeWorld>(parser, Table::QuakeWorld),
            (None, Some(Game::Quake)) => self.in_block::<Quake>(parser, Table::Quake),
            (None, _) => self.in_block::<Quake2>(parser, Table::Quake2),
        }
        true
    }

    /// Prints blanks and comments with nothing after them yet, and returns the length printed: whole lines,
    /// and long comments in parts.
    fn waiting_trivia(&mut self, rest: &[u8]) -> usize {
        let mut scan = Scanner::new(rest, Origin::START, false);
        scan.skip();
        if scan.pos < rest.len() {
            return 0;
        }
        let indent = usize::from(self.inside);
        let lines = rest.iter().rposition(|byte| *byte == b'\n').unwrap_or_default();
        let (whole, last) = rest.split_at_checked(lines).unwrap_or((rest, &[]));
        let is_comment = |line: &&[u8]| line.trim_ascii_start().starts_with(b"//");
        if is_comment(&last) && last.len() > LOOKAHEAD / 4 {
            let newlines = self.trivia(whole, indent) + usize::from(last.starts_with(b"\n"));
            self.empty_line(newlines);
            notes::own_line(indent, last.trim_ascii(), &mut self.printer.out);
            self.printer.out.pop();
            (self.has_started, self.in_comment) = (true, true);
            return rest.trim_ascii_end().len();
        }
        let Some(comment) =
            whole.split_inclusive(|byte| *byte == b'\n').rev().position(|line| is_comment(&line))
        else {
            // More than two empty lines count as two.
            let newlines = rest.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
            return newlines.map(|(at, _)| at).nth(2).unwrap_or_default();
        };
        // Up to the end of the last complete comment: the empty lines after it belong to the next statement.
        let behind: usize =
            whole.split_inclusive(|byte| *byte == b'\n').rev().take(comment).map(<[u8]>::len).sum();
        let done = whole.len() - behind;
        let done = done - usize::from(whole.get(..done).is_some_and(|part| part.ends_with(b"\n")));
        self.trivia(whole.get(..done).unwrap_or_default(), indent);
        done
    }

    /// Prints more of a comment that was printed in part; returns the length of the text used.
    fn comment_goes_on(&mut self, text: &[u8], complete: bool) -> usize {
        if !self.in_comment {
            return 0;
        }
        let newline = text.iter().position(|byte| *byte == b'\n');
        let part = text.get(..newline.unwrap_or(text.len())).unwrap_or_default();
        let shown = part.trim_ascii_end();
        self.printer.out.extend_from_slice(shown);
        if newline.is_none() && !complete {
            return shown.len();
        }
        self.in_comment = false;
        self.printer.out.push(b'\n');
        part.len()
    }

    /// Prints the comments and single empty lines up to the next statement; returns whether there is one.
    fn comments_before(&mut self, scan: &mut Scanner<'_>, indent: usize) -> bool {
        let start = scan.pos;
        scan.skip();
        let newlines = self.trivia(scan.slice(Span { offset: start, len: scan.pos - start }), indent);
        if scan.peek().is_some_and(|byte| byte != b'}') {
            self.empty_line(newlines);
        }
        scan.peek().is_some()
    }

    /// Prints comments, and single empty lines before them; returns the number of line ends after the last.
    fn trivia(&mut self, text: &[u8], indent: usize) -> usize {
        let mut newlines = 0;
        for piece in Trivia::of(text) {
            match piece {
                Trivia::Newline => newlines += 1,
                Trivia::Comment(comment) => {
                    self.empty_line(newlines);
                    notes::own_line(indent, comment, &mut self.printer.out);
                    newlines = 0;
                    self.has_started = true;
                }
            }
        }
        newlines
    }

    fn empty_line(&mut self, newlines: usize) {
        if newlines > 1 && self.has_started {
            self.printer.out.push(b'\n');
        }
    }

    fn top(&mut self, parser: &mut Parser<'_, '_>) -> Result<(), ParseStop> {
        let start = parser.scan.pos;
        let (top, _) = statement::top(parser)?;
        self.has_started = true;
        let source = with_comment(&mut parser.scan, start);
        let line_start = self.begin_lines();
        match top {
            TopStatement::Track(bytes) => {
                self.game = Some(Game::Quake);
                self.printer.statement(StatementKind::Track.keyword(), bytes);
                self.printer.out.push(b'\n');
            }
            TopStatement::Between => {
                self.game = Some(Game::Quake2);
                self.printer.plain_line(0, StatementKind::BetweenBlock.example());
            }
            TopStatement::End => self.printer.plain_line(0, StatementKind::EndBlock.example()),
            TopStatement::Raw(bytes) => self.printer.bytes(0, StatementKind::Raw.keyword(), bytes),
            TopStatement::Block => self.open(StatementKind::Block),
            TopStatement::Contained(container) => self.open(container.kind()),
            TopStatement::Mvd2Header => {
                self.game = Some(Game::Quake2);
                self.printer.plain_line(0, StatementKind::Mvd2Header.example());
            }
            TopStatement::Record(message) => {
                self.printer.base = 0;
                self.printer.message(&message, None);
                self.printer.base = 1;
            }
        }
        self.end_lines(line_start, source);
        match top {
            TopStatement::Block => {
                let after = parser.scan.pos;
                self.game.get_or_insert_with(|| statement::game_of_block(parser));
                parser.scan.pos = after;
                (self.inside, self.container) = (true, None);
            }
            TopStatement::Contained(container) => {
                self.game = Some(container.game());
                parser.context.mvd = container.is_mvd();
                (self.inside, self.container) = (true, Some(container));
            }
            _ => {}
        }
        Ok(())
    }

    fn in_block<D: TextDialect>(&mut self, parser: &mut Parser<'_, '_>, table: Table) {
        self.comments_before(&mut parser.scan, 1);
        let start = parser.scan.pos;
        if !self.rows.iter().any(|(known, _)| *known == table) {
            self.rows.push((table, Rows::of::<D>()));
        }
        let Some((_, rows)) = self.rows.iter().find(|(known, _)| *known == table) else { return };
        match statement::next::<D>(parser, rows, Span::default()) {
            None => {
                self.inside = false;
                let brace = parser.scan.pos.saturating_sub(1);
                notes::merge(with_comment(&mut parser.scan, brace), b"}\n", &mut self.printer.out);
            }
            Some(Err(_)) => {}
            Some(Ok((statement, _))) => {
                let source = with_comment(&mut parser.scan, start);
                self.statement::<D>(parser, &statement, source);
            }
        }
    }

    fn statement<'a, D: TextDialect>(
        &mut self,
        parser: &mut Parser<'_, 'a>,
        statement: &Statement<'a, D::Message<'a>>,
        source: &[u8],
    ) {
        let line_start = self.begin_lines();
        self.printer.context = parser.context;
        match statement {
            Statement::Message(message) => {
                self.printer.message(message, None);
                D::observe(message, &mut parser.context);
            }
            Statement::Camera(angles) => {
                self.printer.begin(StatementKind::Camera.keyword());
                for angle in angles {
                    self.printer.float(*angle);
                }
                self.printer.out.extend_from_slice(b";\n");
            }
            Statement::Length(length) => self.number(StatementKind::Length, i64::from(*length)),
            Statement::FromClient => self.printer.plain_line(1, StatementKind::FromClient.example()),
            Statement::Unicast(client) => self.number(StatementKind::Unicast, i64::from(*client)),
            Statement::Habit(set) => {
                parser.context.items_bit = *set;
                self.printer.plain_line(1, &statement::habit_line(*set));
            }
            Statement::Protocol(number, flags) => {
                statement::set_protocol(&mut parser.context, *number, *flags);
                self.printer.plain_line(1, &statement::protocol_line(*number, *flags));
            }
            Statement::Address(line) => line.print(&mut self.printer),
            Statement::Raw(bytes) => self.printer.bytes(1, StatementKind::Raw.keyword(), bytes),
            Statement::Unknown(id, bytes) => {
                self.printer.plain_line(1, &format!("{} {{", StatementKind::Unknown.keyword()));
                self.printer.out.extend_from_slice(format!("  id 0x{id:02X};\n").as_bytes());
                if !bytes.is_empty() {
                    self.printer.bytes(2, UNKNOWN_DATA, bytes);
                }
                self.printer.out.extend_from_slice(b" }\n");
            }
        }
        self.end_lines(line_start, source);
    }

    /// Starts printing a statement separately; returns the text printed before.
    fn begin_lines(&mut self) -> Vec<u8> {
        std::mem::replace(&mut self.printer.out, std::mem::take(&mut self.lines))
    }

    /// Appends the separately printed statement to the text before it, with the comments of its source.
    fn end_lines(&mut self, before: Vec<u8>, source: &[u8]) {
        self.lines = std::mem::replace(&mut self.printer.out, before);
        notes::merge(source, &self.lines, &mut self.printer.out);
        self.lines.clear();
    }

    fn open(&mut self, kind: StatementKind) {
        self.printer.plain_line(0, &format!("{} {{", kind.keyword()));
    }

    fn number(&mut self, kind: StatementKind, number: i64) {
        self.printer.plain_line(1, &format!("{} {number};", kind.keyword()));
    }
}

/// The statement from `start` to the cursor, and the comment after it on its line.
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
    scan.slice(Span { offset: start, len: scan.pos - start })
}

/// A part of the text between statements.
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
