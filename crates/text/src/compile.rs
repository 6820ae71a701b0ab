//! Turns a text into a recording, statement by statement; only one statement's text and one block's bytes are
//! in memory.

use crate::address::Container;
use crate::body::Body;
use crate::line_ends::LineEnds;
use crate::parse::{FastParser, Memory, ParseStop, Parser};
use crate::read_again::check_again;
use crate::recognize::is_utf16;
use crate::scan::{Origin, Scanner, Span, newlines};
use crate::statement::{self, Rows, Statement, TopStatement};
use crate::window::{self, Window};
use crate::{CompileError, CompileOptions, Compiled, Diagnostic, TextCode};
use bumpalo::Bump;
use moviola_format::{
    Block, Context, Dialect, Entry, Game, MAX_BLOCK, Piece, RecordTime, Stamp, Table, client, with_table,
    write_message,
};
use std::io::{Read, Write};

/// The greatest length of a statement's text.
const LONGEST: usize = 1 << 26;

/// The number of bytes that are kept of a comment that is longer than the window.
const LONGEST_COMMENT: usize = 1 << 14;

/// The only protocol of Quake that LMPC knows.
pub(crate) const LMPCS: i32 = 15;

/// The first bytes of the texts that LMPC makes of Quake's recordings.
const LMPCS_START: &[u8] = b"// source: DEM binary file";

/// The mark that some editors put before a text in UTF-8, which is skipped.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Turns a text into the recording that it describes.
///
/// ```
/// use moviola_text::{compile, CompileOptions};
/// let mut recording = Vec::new();
/// compile(&b"block { nop; }\nendblock;\n"[..], &mut recording, &CompileOptions::default()).unwrap();
/// assert_eq!(recording, b"\x01\0\0\0\x06\xff\xff\xff\xff");
/// ```
///
/// # Errors
/// When reading or writing fails, or the text has mistakes. The recording up to the first mistake was
/// written.
pub fn compile<R: Read, W: Write>(
    mut input: R,
    mut output: W,
    options: &CompileOptions,
) -> Result<Compiled, CompileError> {
    compile_streams(&mut LineEnds::new(&mut input), &mut output, Compiler::new(options))
}

/// Turns the text of one block, or of several, into the bytes that they have in a recording at a place with this
/// context. The header, the end mark and the bytes between blocks, which the text of a part may have, are left out.
///
/// ```
/// use moviola_format::Context;
/// use moviola_text::{CompileError, compile_part};
/// let mut bytes = Vec::new();
/// compile_part(b"block { nop; }", &mut bytes, &Context::quake2()).unwrap();
/// assert_eq!(bytes, b"\x01\0\0\0\x06");
/// let quake = compile_part(b"block { nop; }", &mut bytes, &Context::quake());
/// let Err(CompileError::Mistakes(mistakes)) = quake else { panic!("no camera") };
/// assert_eq!(mistakes[0].message, "this block has no `camera`");
/// ```
///
/// # Errors
/// The mistakes of the text.
pub fn compile_part(text: &[u8], output: &mut Vec<u8>, context: &Context) -> Result<Compiled, CompileError> {
    let options = CompileOptions::default();
    let compiler =
        Compiler { context: *context, game: Some(context.game), is_part: true, ..Compiler::new(&options) };
    compile_streams(&mut LineEnds::new(text), output, compiler)
}

fn compile_streams(
    input: &mut dyn Read,
    output: &mut dyn Write,
    mut compiler: Compiler<'_>,
) -> Result<Compiled, CompileError> {
    let options = compiler.options;
    let mut window = Window::new();
    let mut mistakes = Vec::new();
    let mut origin = Origin::START;
    let mut start = None;
    while !window.complete {
        window.fill(input)?;
        if origin.offset == 0 && window.text().starts_with(MARK) {
            window.advance(MARK.len());
            origin.offset = MARK.len() as u64;
            origin.line_start = origin.offset;
        }
        if origin.offset == 0 && is_utf16(window.text()) {
            let mut scan = Scanner::new(window.text(), origin, true);
            let help = "texts are ASCII: save it as UTF-8, or in what your editor calls ANSI";
            let message = "this text is in UTF-16".into();
            scan.mistake(TextCode::StrayCharacter, Span { offset: 0, len: 2 }, message, help);
            return Err(CompileError::Mistakes(scan.mistakes));
        }
        compiler.is_lmpcs |= !options.lmpc && origin.line == 1 && window.text().starts_with(LMPCS_START);
        start.get_or_insert_with(|| Scanner::new(window.text(), origin, true).place(Span::default()));
        let done = compiler.window(&window, origin, &mut mistakes);
        if !window.complete && done == 0 && window.text().len() > LONGEST {
            let mut scan = Scanner::new(window.text(), origin, true);
            let message = "this statement is longer than 64 MB".to_owned();
            let help = "a brace or a quote may be missing near its start";
            scan.mistake(TextCode::TooLong, Span { offset: 0, len: 1 }, message, help);
            mistakes.append(&mut scan.mistakes);
        }
        let sound = compiler.out.get(..compiler.sound).unwrap_or_default();
        output.write_all(sound)?;
        compiler.summary.bytes += sound.len() as u64;
        compiler.out.clear();
        compiler.sound = 0;
        if mistakes.len() >= options.limit || mistakes.iter().any(|it| it.code == TextCode::TooLong) {
            break;
        }
        origin = compiler.advance(origin, &mut window, done);
    }
    mistakes.truncate(options.limit);
    if !mistakes.is_empty() {
        return Err(CompileError::Mistakes(mistakes));
    }
    if let Some(start) = start.filter(|_| !compiler.has_started) {
        let help = "a recording of Quake begins with `track \"-1\\n\";`, one of Quake II with `block {`";
        let (message, help) = ("this text says nothing".to_owned(), Some(help.to_owned()));
        compiler.summary.warnings.push(Diagnostic { code: TextCode::SaysNothing, message, help, ..start });
    }
    output.flush()?;
    Ok(compiler.summary)
}

/// The state of compiling that is kept between windows.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Compiler<'o> {
    options: &'o CompileOptions,
    out: Vec<u8>,
    /// The number of output bytes before the first mistake.
    sound: usize,
    data: Vec<u8>,
    context: Context,
    game: Option<Game>,
    has_track: bool,
    /// Whether it is the text of an MVD2.
    is_mvd2: bool,
    has_started: bool,
    /// Whether the text is of a part, whose header and end mark are those of the recording.
    is_part: bool,
    /// Whether statements of a block were found outside of a block, which was already reported.
    outside: bool,
    summary: Compiled,
    /// The report of a `length` beyond the end of the last block, which is wrong only if more bytes follow.
    claimed: Option<Diagnostic>,
    /// The report of a `length` greater than its block in the current statement.
    claims: Option<Diagnostic>,
    /// Whether LMPC made the text, by its first line.
    is_lmpcs: bool,
    /// The last unknown protocol that was reported.
    strange: Option<i32>,
    arena: Bump,
    /// The rows of the tables that were used so far.
    rows: Vec<(Table, Rows)>,
    memory: Memory,
    /// The block that the end of the window cuts.
    open: Option<Open>,
    /// The place in the window up to which lines were counted, and their number.
    lines: (usize, u64),
    /// The places in the window where the middle of a long comment was left out, and the length of each
    /// omission.
    gaps: Vec<(usize, u64)>,
    /// The start of the comment that the end of the window cuts.
    cut_comment: Option<usize>,
}

/// A block that is longer than the window.
struct Open {
    body: Body,
    /// Whether the part read so far ends in an unterminated string.
    unterminated: bool,
    /// The place of its keyword.
    place: Diagnostic,
}

impl<'o> Compiler<'o> {
    fn new(options: &'o CompileOptions) -> Self {
        Self {
            options,
            out: Vec::with_capacity(window::SIZE),
            sound: 0,
            data: Vec::new(),
            context: Context::quake(),
            game: None,
            has_track: false,
            is_mvd2: false,
            has_started: false,
            is_part: false,
            outside: false,
            summary: Compiled::default(),
            claimed: None,
            claims: None,
            is_lmpcs: false,
            strange: None,
            arena: Bump::new(),
            rows: Vec::new(),
            memory: Memory::new(),
            open: None,
            lines: (0, 0),
            gaps: Vec::new(),
            cut_comment: None,
        }
    }

    /// Drops the part of the window that is done; returns the origin of the rest.
    fn advance(&mut self, origin: Origin, window: &mut Window, done: usize) -> Origin {
        let read = window.text().get(..done).unwrap_or(window.text());
        let place = |at| origin.place(at, &self.gaps);
        let newline = read.iter().rposition(|byte| *byte == b'\n');
        let (counted, lines) = std::mem::take(&mut self.lines);
        let next = Origin {
            offset: place(done),
            line: origin.line + lines + newlines(read.get(counted..).unwrap_or_default()),
            line_start: newline.map_or(origin.line_start, |newline| place(newline + 1)),
        };
        window.advance(done);
        self.shorten(window, done);
        next
    }

    /// Leaves out the middle of a comment that is longer than the window.
    fn shorten(&mut self, window: &mut Window, done: usize) {
        self.gaps.retain(|(at, _)| *at > done);
        self.gaps.iter_mut().for_each(|(at, _)| *at -= done);
        if let Some(start) = self.cut_comment.take().and_then(|at| at.checked_sub(done)) {
            let kept = start + LONGEST_COMMENT;
            if let Some(more) = window.text().len().checked_sub(kept).filter(|more| *more > 0) {
                window.shorten(kept);
                match self.gaps.last_mut().filter(|(at, _)| *at == kept) {
                    Some((_, length)) => *length += more as u64,
                    None => self.gaps.push((kept, more as u64)),
                }
            }
        }
    }

    /// Compiles the statements of a window; returns the length of the part that is done.
    fn window(&mut self, window: &Window, origin: Origin, mistakes: &mut Vec<Diagnostic>) -> usize {
        let (text, complete) = (window.text(), window.complete);
        let mut scan = Scanner::new(text, origin, complete);
        scan.sheet = window.sheet();
        scan.limit = self.options.limit;
        scan.gaps.clone_from(&self.gaps);
        let mut done = 0;
        loop {
            let saved = (
                self.context,
                self.game,
                self.has_track,
                self.has_started,
                self.outside,
                self.summary.blocks,
            );
            let written = self.out.len();
            self.claims = None;
            scan.hit_end = false;
            if self.open.is_none() && scan.next().is_none() {
                self.cut_comment = scan.cut_comment;
                return if complete {
                    text.len()
                } else {
                    done.max(scan.pos.min(text.len())).min(safe_end(text, done))
                };
            }
            scan = self.statement(scan);
            self.arena.reset();
            if self.open.is_some() {
                self.note(&mut scan, mistakes);
                return scan.pos;
            }
            if scan.must_wait() {
                // The window ends inside this statement: undo it, and read it again with more text.
                self.out.truncate(written);
                (
                    self.context,
                    self.game,
                    self.has_track,
                    self.has_started,
                    self.outside,
                    self.summary.blocks,
                ) = saved;
                return done;
            }
            done = scan.pos.min(text.len());
            if self.out.len() > written {
                self.summary.warnings.extend(std::mem::replace(&mut self.claimed, self.claims.take()));
            }
            self.note(&mut scan, mistakes);
            if mistakes.is_empty() {
                self.sound = self.out.len();
            }
            if mistakes.len() >= self.options.limit {
                return done;
            }
        }
    }

    /// Takes over the reported mistakes, in the order of their places.
    fn note(&mut self, scan: &mut Scanner<'_>, mistakes: &mut Vec<Diagnostic>) {
        mistakes.append(&mut scan.mistakes);
        self.summary.warnings.append(&mut scan.warnings);
        for noted in [mistakes, &mut self.summary.warnings] {
            noted.sort_by_key(|it| it.offset);
            noted.truncate(self.options.limit);
        }
    }

    /// Compiles one statement outside of blocks.
    fn statement<'t>(&mut self, scan: Scanner<'t>) -> Scanner<'t> {
        let arena = std::mem::take(&mut self.arena);
        let mut parser = Parser::new(scan, &arena, self.context);
        parser.lmpc = self.options.lmpc;
        parser.outside = self.outside;
        let outcome = match self.open.take() {
            Some(open) => {
                self.go_on(&mut parser, open);
                Ok(())
            }
            None => self.top(&mut parser),
        };
        self.outside = parser.outside;
        if outcome == Err(ParseStop::Mistake) {
            parser.scan.recover();
            // Without this, a `}` that closes nothing would be read forever.
            if parser.scan.peek() == Some(b'}') {
                parser.scan.pos += 1;
            }
        }
        self.context = parser.context;
        let scan = parser.scan;
        self.arena = arena;
        self.cut_comment = scan.cut_comment;
        scan
    }

    fn top(&mut self, parser: &mut Parser<'_, '_>) -> Result<(), ParseStop> {
        let first = !std::mem::replace(&mut self.has_started, true);
        let (top, word) = statement::top(parser)?;
        match top {
            TopStatement::Track(bytes) => return self.track(parser, word, first, bytes),
            TopStatement::Block if self.game == Some(Game::QuakeWorld) => {
                let message = "this is not QuakeWorld's, and this is a recording of QuakeWorld".into();
                let help = "its blocks are `sblock` in a QWD, `mblock` and `hblock` in an MVD";
                parser.scan.mistake(TextCode::WrongGame, word, message, help);
                return Err(ParseStop::Mistake);
            }
            TopStatement::Block | TopStatement::Between if self.is_mvd2 => {
                let message = "this is a recording MVD2, which has no such blocks".into();
                parser.scan.mistake(TextCode::WrongGame, word, message, "its blocks are `m2block`");
                return Err(ParseStop::Mistake);
            }
            TopStatement::Block => self.block(parser, word, None),
            TopStatement::Mvd2Header | TopStatement::Contained(Container::Mvd2)
                if self.game.is_some_and(|it| it != Game::Quake2 || !self.is_mvd2 && !self.is_part)
                    || top == TopStatement::Mvd2Header && self.is_mvd2 =>
            {
                let message = "this is of a recording MVD2, and this is another recording".into();
                parser.scan.mistake(TextCode::WrongGame, word, message, "an MVD2 begins with `mvd2;`");
                return Err(ParseStop::Mistake);
            }
            TopStatement::Mvd2Header => {
                (self.game, self.is_mvd2) = (Some(Game::Quake2), true);
                if parser.context.game != Game::Quake2 {
                    parser.context = Context::quake2();
                }
                if !self.is_part {
                    self.piece(&Piece::Header(b"MVD2"));
                }
            }
            TopStatement::Contained(Container::Mvd2) => {
                (self.game, self.is_mvd2) = (Some(Game::Quake2), true);
                self.block(parser, word, Some(Container::Mvd2));
            }
            TopStatement::Contained(_) | TopStatement::Record(_)
                if self.game.is_some_and(|it| it != Game::QuakeWorld) =>
            {
                let message = "this is QuakeWorld's, and this is not a recording of QuakeWorld".into();
                let help = "the blocks of Quake and of Quake II are called `block`";
                parser.scan.mistake(TextCode::WrongGame, word, message, help);
                return Err(ParseStop::Mistake);
            }
            TopStatement::Contained(container) => {
                self.game = Some(Game::QuakeWorld);
                self.block(parser, word, Some(container));
            }
            TopStatement::Record(message) => self.record(&parser.context, &message),
            TopStatement::Between | TopStatement::End
                if matches!(self.game, Some(Game::Quake | Game::QuakeWorld)) =>
            {
                let (message, help) = match self.game {
                    Some(Game::QuakeWorld) => (
                        "this is Quake II's, and this is a recording of QuakeWorld",
                        "a recording of Quake II has blocks that are called `block`",
                    ),
                    _ => (
                        "this is Quake II's, and this is a recording of Quake",
                        "a recording of Quake II has no `track` and no `camera`",
                    ),
                };
                parser.scan.mistake(TextCode::WrongGame, word, message.into(), help);
            }
            TopStatement::Between => {
                self.game = Some(Game::Quake2);
                if parser.context.game != Game::Quake2 {
                    parser.context = Context::quake2();
                }
                self.piece(&Piece::Block(Block::new(&[])));
            }
            TopStatement::End | TopStatement::Raw(_) if self.is_part => {}
            TopStatement::End if self.is_mvd2 => self.piece(&Piece::EndOfMvd2),
            TopStatement::End => self.piece(&Piece::End),
            TopStatement::Raw(data) => self.piece(&Piece::Raw(data)),
        }
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        let game = match piece {
            Piece::End => Game::Quake2,
            _ => self.game.unwrap_or(Game::Quake2),
        };
        self.summary.blocks += u64::from(matches!(piece, Piece::Block(_)));
        self.summary.game = self.game;
        // Writing to memory does not fail.
        let _ = piece.write(game, &mut self.out);
    }

    fn track(
        &mut self,
        parser: &mut Parser<'_, '_>,
        word: Span,
        first: bool,
        bytes: &[u8],
    ) -> Result<(), ParseStop> {
        if self.has_track || !first {
            let help = "it is the file's first line, before all blocks";
            parser.scan.mistake(TextCode::TrackPlace, word, "`track` can only come first".into(), help);
            return Err(ParseStop::Mistake);
        }
        self.has_track = true;
        if self.is_part {
            return Ok(());
        }
        self.game = Some(Game::Quake);
        self.summary.game = self.game;
        // LMPC's strings end at their first NUL, and so does this one. The exception is a complete header with its line
        // end, which contains bytes of blocks because the first line has no end of its own.
        if !parser.lmpc && bytes.last().is_some_and(|byte| *byte != b'\n') {
            parser.scan.open_header(word);
        }
        let cuts = parser.lmpc && !bytes.ends_with(b"\n");
        let end = bytes.iter().position(|byte| *byte == 0).filter(|_| cuts).unwrap_or(bytes.len());
        self.out.extend_from_slice(bytes.get(..end).unwrap_or(bytes));
        Ok(())
    }

    fn block(&mut self, parser: &mut Parser<'_, '_>, word: Span, container: Option<Container>) {
        let game = *self.game.get_or_insert_with(|| statement::game_of_block(parser));
        if !parser.scan.must_wait() {
            self.data.clear();
            parser.open_end = false;
            parser.context.mvd = container.is_some_and(Container::is_mvd);
            self.statements(parser, word, Body { container, ..Body::default() }, game);
        }
    }

    /// Compiles a record of QuakeWorld, which makes a block of its own.
    fn record(&mut self, context: &Context, message: &client::Message<'_>) {
        self.game = Some(Game::QuakeWorld);
        let time = match message {
            client::Message::Command(it) => it.time,
            client::Message::SetSequence(it) => it.time,
        };
        let mut data = Vec::new();
        write_message(message, &mut data, context);
        let stamp = Stamp::Record { mvd: matches!(time, RecordTime::Delta(_)) };
        self.piece(&Piece::Block(Block { stamp, ..Block::new(&data) }));
    }

    /// Continues a block that the last window did not contain to its end.
    fn go_on(&mut self, parser: &mut Parser<'_, '_>, open: Open) {
        parser.open_end = open.unterminated;
        parser.scan.passed_place = Some(open.place);
        self.statements(parser, Span::GONE, open.body, self.game.unwrap_or(Game::Quake));
    }

    fn statements(&mut self, parser: &mut Parser<'_, '_>, word: Span, body: Body, game: Game) {
        let table = body.container.map_or(game.table(), Container::table);
        with_table!(table, D => self.statements_of::<D>(parser, word, body, table));
    }

    /// Compiles the statements of a block, up to its end or to the one that the end of the window cuts.
    fn statements_of<D: Dialect>(
        &mut self,
        parser: &mut Parser<'_, '_>,
        word: Span,
        mut body: Body,
        table: Table,
    ) {
        let mut data = std::mem::take(&mut self.data);
        // Nearly all texts use one table, and the others three at most.
        if !self.rows.iter().any(|(known, _)| *known == table) {
            self.rows.push((table, Rows::of::<D>()));
        }
        let Some((_, rows)) = self.rows.iter().find(|(known, _)| *known == table) else { return };
        loop {
            // A message after a length, or with a kind of more than a byte, goes through the slow path only. So do
            // those of Q2PRO's extended limits, because the fast path does not know which messages they replace.
            if crate::FAST_PATHS
                && let Some(sheet) = parser.scan.sheet
                && !D::PREFIXED
                && !(parser.lmpc || parser.open_end || body.unicast.is_some() || parser.context.raw)
                && !parser.context.limits.is_extended()
            {
                let mut fast = FastParser::new(sheet, rows, &mut self.memory, &parser.context, parser.arena);
                if D::GAME == Game::Quake
                    && body.camera.is_none()
                    && let Some((angles, end)) = fast.camera(parser.scan.pos)
                {
                    body.camera = Some(angles);
                    parser.scan.pos = end;
                }
                while let Some(end) = fast.message::<D>(parser.scan.pos, &mut data) {
                    parser.scan.pos = end;
                }
            }
            let checkpoint = (parser.scan.pos, parser.scan.report_counts(), parser.context, parser.open_end);
            let (body_before, len_before) = (body, data.len());
            let outcome = statement::next::<D>(parser, rows, word);
            let closed = outcome.is_none();
            body.mistaken |= matches!(outcome, Some(Err(_)));
            if let Some(Ok((statement, name))) = outcome {
                let protocol = Some(parser.context.protocol);
                let is_strange = parser.context.raw && matches!(statement, Statement::Message(_));
                if is_strange && self.strange != protocol && !parser.lmpc && !parser.scan.must_wait() {
                    self.strange = protocol;
                    parser.scan.strange_protocol(name, parser.context.protocol);
                }
                Self::take::<D>(parser, &mut body, &mut data, statement, name);
                if self.is_lmpcs && D::GAME == Game::Quake && Some(parser.context.protocol) != protocol {
                    parser.scan.protocol_unknown_to_lmpc(name, parser.context.protocol);
                }
            }
            if parser.scan.must_wait() {
                // Only this statement is read again, so that a long block costs no more than many short ones.
                let noted;
                (parser.scan.pos, noted, parser.context, parser.open_end) = checkpoint;
                parser.scan.forget(noted);
                data.truncate(len_before);
                let place = parser.scan.passed_place.take().unwrap_or_else(|| {
                    let place = parser.scan.place(word);
                    self.lines = (word.offset, place.line - parser.scan.line());
                    place
                });
                // Diagnostics cannot point to places that the next window does not contain.
                let body = Body { unicast_at: Span::GONE, length_at: Span::GONE, ..body_before };
                self.open = Some(Open { body, unterminated: parser.open_end, place });
                break;
            }
            if closed || parser.scan.mistakes.len() >= self.options.limit {
                self.finish(parser, word, &body, &data, D::GAME);
                break;
            }
        }
        parser.scan.passed_place = None;
        self.data = data;
    }

    /// Adds a statement to the current block.
    #[inline(always)]
    fn take<'a, D: Dialect>(
        parser: &mut Parser<'_, 'a>,
        body: &mut Body,
        data: &mut Vec<u8>,
        statement: Statement<'a, D::Message<'a>>,
        word: Span,
    ) {
        match statement {
            Statement::Message(message) => {
                let at = data.len();
                let entry = Entry { at, unicast: body.unicast.take(), message };
                entry.write(data, &parser.context);
                if parser.has_mask() || parser.open_end {
                    check_again::<D>(parser, word, &message, data.get(at..).unwrap_or_default());
                }
                D::observe(&message, &mut parser.context);
                // LMPC knows only protocol 15 of Quake, and reads every other one as if it were 15.
                if parser.lmpc && D::GAME == Game::Quake && !matches!(parser.context.protocol, 0 | LMPCS) {
                    parser.scan.protocol_read_as_lmpcs(word, parser.context.protocol);
                    statement::set_protocol(&mut parser.context, LMPCS, [0; 3]);
                }
            }
            Statement::Camera(angles) => {
                if body.camera.replace(angles).is_some() {
                    let help = "every block has one: take one of them out";
                    let message = "this block has a `camera` already".into();
                    parser.scan.mistake(TextCode::Camera, word, message, help);
                }
            }
            Statement::Length(length) => {
                body.length = Some(length);
                body.length_at =
                    Span { offset: word.offset, len: parser.scan.pos.saturating_sub(word.offset) };
            }
            Statement::FromClient => body.from_client = true,
            Statement::Unicast(client) => {
                if body.unicast.replace(client).is_some() && !parser.lmpc {
                    parser.scan.lonely_unicast(body.unicast_at);
                }
                body.unicast_at = word;
            }
            Statement::Habit(set) => parser.context.items_bit = set,
            Statement::Protocol(number, flags) => statement::set_protocol(&mut parser.context, number, flags),
            Statement::Address(line) => body.address.take(line),
            Statement::Raw(bytes) => data.extend_from_slice(bytes),
            Statement::Unknown(id, bytes) => {
                match (id, body.unicast.take()) {
                    (id, Some(client)) if !parser.lmpc => data.extend([id | 0x80, client]),
                    (id, _) => data.push(id),
                }
                data.extend_from_slice(bytes);
            }
        }
    }

    /// Writes the block that was read.
    fn finish(&mut self, parser: &mut Parser<'_, '_>, word: Span, body: &Body, data: &[u8], game: Game) {
        // A statement with a mistake may have been the camera.
        if body.camera.is_none() && game == Game::Quake && !body.mistaken {
            let help = "three angles: `camera 0.0 90.0 0.0;`";
            parser.scan.mistake(TextCode::Camera, word, "this block has no `camera`".into(), help);
        }
        if body.unicast.is_some() && !parser.lmpc && !body.mistaken {
            parser.scan.lonely_unicast(body.unicast_at);
        }
        if data.len() > MAX_BLOCK {
            let help = format!("no engine reads a block of more than {MAX_BLOCK} bytes");
            let message = format!("this block is {} bytes long", data.len());
            parser.scan.mistake(TextCode::TooLong, word, message, help);
        }
        if parser.lmpc && game == Game::Quake && data.is_empty() && body.length.is_none() {
            // LMPC writes no block with only a camera.
            return;
        }
        if body.container == Some(Container::Mvd2) {
            let length = body.length.map_or(data.len(), |it| usize::try_from(it).unwrap_or_default());
            if length == 0 && data.is_empty() && !body.mistaken {
                let help = "`endblock;` is the end of the recording";
                let message = "a block without messages would end the recording".into();
                parser.scan.mistake(TextCode::MissingField, word, message, help);
                return;
            }
            if length.max(data.len()) > usize::from(u16::MAX) {
                let message = format!("this block is {} bytes long", length.max(data.len()));
                let help = "the blocks of an MVD2 have 65,535 bytes at most";
                parser.scan.mistake(TextCode::TooLong, word, message, help);
                return;
            }
        }
        let stamp = match body.container.map(|it| body.address.stamp(it)) {
            None => Stamp::None,
            Some(Ok(stamp)) => stamp,
            Some(Err((message, help))) => {
                if !body.mistaken {
                    parser.scan.mistake(TextCode::MissingField, word, message.into(), help);
                }
                return;
            }
        };
        let mut block = Block { angles: body.camera.unwrap_or_default(), stamp, ..Block::new(data) };
        if let Some(length) = body.length {
            block.length = length;
            self.claims = parser.scan.untrue_length(body.length_at, length, data.len());
        }
        if body.from_client {
            block.length |= i32::MIN;
        }
        self.piece(&Piece::Block(block));
    }
}

/// The end of the part that can be dropped of a window without another statement: an unclosed comment must
/// stay whole.
fn safe_end(text: &[u8], done: usize) -> usize {
    let rest = text.get(done..).unwrap_or_default();
    rest.iter().rposition(|byte| *byte == b'\n').map_or(done, |newline| done + newline + 1)
}
