//! A text into a recording, statement by statement; no more of either is in memory than a block.

use crate::parse::{Parser, Stop};
use crate::scan::{Scanner, Span};
use crate::statement::{self, Rows, Statement, Top};
use crate::{Code, CompileError, CompileOptions, Compiled};
use bumpalo::Bump;
use moviola_format::{Block, Context, Dialect, Entry, Game, MAX_BLOCK, Messages, Piece, Quake, Quake2};
use std::io::{Read, Write};

/// How much text is read at once.
const WINDOW: usize = 1 << 18;

/// A block's text that is longer than this is not believed.
const LONGEST: usize = 1 << 26;

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
/// When reading or writing fails, or the text has mistakes. What stands before the first mistake was written.
pub fn compile<R: Read, W: Write>(
    mut input: R,
    mut output: W,
    options: &CompileOptions,
) -> Result<Compiled, CompileError> {
    let mut compiler = Compiler::new(options);
    let (mut window, mut complete) = (Vec::new(), false);
    let mut mistakes = Vec::new();
    // Where the window begins in the text, and on which line.
    let mut origin = (0u64, 1u64);
    while !complete || !window.is_empty() {
        if !complete {
            let wanted = WINDOW.max(window.len());
            let got = input.by_ref().take(wanted as u64).read_to_end(&mut window)?;
            complete = got < wanted;
        }
        let done = compiler.window(&window, origin, complete, &mut mistakes);
        if !complete && done == 0 && window.len() > LONGEST {
            let mut scan = Scanner::new(&window, origin, true);
            let message = "this statement is longer than 64 MB".to_owned();
            scan.mistake(Code::TooLong, Span { at: 0, len: 1 }, message, None);
            mistakes.append(&mut scan.mistakes);
        }
        if mistakes.is_empty() {
            output.write_all(&compiler.out)?;
            compiler.told.bytes += compiler.out.len() as u64;
        }
        compiler.out.clear();
        if mistakes.len() >= options.limit || mistakes.iter().any(|it| it.code == Code::TooLong) {
            break;
        }
        let read = window.get(..done).unwrap_or(&window);
        origin.0 += done as u64;
        origin.1 += bytecount(read);
        window.drain(..done);
        if complete {
            break;
        }
    }
    mistakes.truncate(options.limit);
    if !mistakes.is_empty() {
        return Err(CompileError::Mistakes(mistakes));
    }
    output.flush()?;
    Ok(compiler.told)
}

fn bytecount(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// The state of compiling that outlives a window.
struct Compiler<'o> {
    options: &'o CompileOptions,
    out: Vec<u8>,
    data: Vec<u8>,
    context: Context,
    game: Option<Game>,
    has_track: bool,
    begun: bool,
    told: Compiled,
    arena: Bump,
    rows: Option<Rows>,
}

impl<'o> Compiler<'o> {
    fn new(options: &'o CompileOptions) -> Self {
        Self {
            options,
            out: Vec::with_capacity(WINDOW),
            data: Vec::new(),
            context: Context::quake(),
            game: None,
            has_track: false,
            begun: false,
            told: Compiled::default(),
            arena: Bump::new(),
            rows: None,
        }
    }

    /// Compiles the statements of a window; gives how much of it is done with.
    fn window(
        &mut self,
        text: &[u8],
        origin: (u64, u64),
        complete: bool,
        mistakes: &mut Vec<crate::Diagnostic>,
    ) -> usize {
        let mut scan = Scanner::new(text, origin, complete);
        let mut done = 0;
        loop {
            let saved =
                (self.out.len(), self.context, self.game, self.has_track, self.begun, self.told.blocks);
            scan.hit_end = false;
            if scan.next().is_none() {
                return if complete {
                    text.len()
                } else {
                    done.max(scan.pos.min(text.len())).min(safe_end(text, done))
                };
            }
            scan = self.statement(scan);
            self.arena.reset();
            if scan.hit_end && !complete {
                // The window ends inside this statement: forget it, it comes again with more text.
                self.out.truncate(saved.0);
                (_, self.context, self.game, self.has_track, self.begun, self.told.blocks) = saved;
                return done;
            }
            done = scan.pos.min(text.len());
            mistakes.append(&mut scan.mistakes);
            if mistakes.len() >= self.options.limit {
                return done;
            }
        }
    }

    /// One statement of the outermost level.
    fn statement<'t>(&mut self, scan: Scanner<'t>) -> Scanner<'t> {
        let arena = std::mem::take(&mut self.arena);
        let mut parser = Parser::new(scan, &arena, self.context);
        parser.lmpc = self.options.lmpc;
        if self.top(&mut parser).is_err() {
            parser.scan.recover();
            // A `}` that closes nothing would stop us for ever.
            if parser.scan.peek() == Some(b'}') {
                parser.scan.pos += 1;
            }
        }
        self.context = parser.context;
        let scan = parser.scan;
        self.arena = arena;
        scan
    }

    fn top(&mut self, parser: &mut Parser<'_, '_>) -> Result<(), Stop> {
        let first = !std::mem::replace(&mut self.begun, true);
        let (top, word) = statement::top(parser)?;
        match top {
            Top::Track(bytes) => return self.track(parser, word, first, bytes),
            Top::Block => self.block(parser, word),
            Top::Between => {
                self.game = Some(Game::Quake2);
                self.piece(&Piece::Block(Block::new(&[])));
            }
            Top::End => self.piece(&Piece::End),
            Top::Raw(data) => self.piece(&Piece::Raw(data)),
        }
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        let game = match piece {
            Piece::End => Game::Quake2,
            _ => self.game.unwrap_or(Game::Quake2),
        };
        self.told.blocks += u64::from(matches!(piece, Piece::Block(_)));
        self.told.game = self.game;
        // Writing to memory does not fail.
        let _ = piece.write(game, &mut self.out);
    }

    fn track(
        &mut self,
        parser: &mut Parser<'_, '_>,
        word: Span,
        first: bool,
        bytes: &[u8],
    ) -> Result<(), Stop> {
        if self.has_track || !first {
            let help = Some("it is the file's first line, before all blocks".into());
            parser.scan.mistake(Code::TrackPlace, word, "`track` can only come first".into(), help);
            return Err(Stop::Mistake);
        }
        self.has_track = true;
        self.game = Some(Game::Quake);
        self.told.game = self.game;
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn block(&mut self, parser: &mut Parser<'_, '_>, word: Span) {
        let game = *self.game.get_or_insert_with(|| statement::game_of_block(parser));
        match game {
            Game::Quake => self.block_of::<Quake>(parser, word),
            Game::Quake2 => self.block_of::<Quake2>(parser, word),
        }
    }

    fn block_of<D: Dialect>(&mut self, parser: &mut Parser<'_, '_>, word: Span) {
        let mut data = std::mem::take(&mut self.data);
        data.clear();
        let mut body = Body { camera: None, length: None, from_client: false, unicast: None };
        parser.open_end = false;
        let rows = self.rows.get_or_insert_with(Rows::of::<D>);
        while let Some(outcome) = statement::next::<D>(parser, rows, word) {
            if let Ok((statement, name)) = outcome {
                Self::take::<D>(parser, &mut body, &mut data, statement, name);
            }
            if parser.scan.mistakes.len() >= self.options.limit {
                break;
            }
        }
        self.finish(parser, word, &body, &data, D::GAME);
        self.data = data;
    }

    /// Adds a statement to the block at hand.
    #[inline]
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
            }
            Statement::Camera(angles) => {
                if body.camera.replace(angles).is_some() {
                    parser.scan.mistake(Code::Camera, word, "this block has a `camera` already".into(), None);
                }
            }
            Statement::Length(length) => body.length = Some(length),
            Statement::FromClient => body.from_client = true,
            Statement::Unicast(client) => body.unicast = Some(client),
            Statement::Habit(set) => parser.context.items_bit = set,
            Statement::Raw(bytes) => data.extend_from_slice(bytes),
            Statement::Unknown(id, bytes) => {
                match (id, body.unicast.take()) {
                    (Some(id), Some(client)) if !parser.lmpc => data.extend([id | 0x80, client]),
                    _ => data.extend(id),
                }
                data.extend_from_slice(bytes);
            }
        }
    }

    /// Writes the block that was read.
    fn finish(&mut self, parser: &mut Parser<'_, '_>, word: Span, body: &Body, data: &[u8], game: Game) {
        if body.camera.is_none() && game == Game::Quake {
            let help = Some("three angles: `camera 0.0 90.0 0.0;`".into());
            parser.scan.mistake(Code::Camera, word, "this block has no `camera`".into(), help);
        }
        if data.len() > MAX_BLOCK {
            parser.scan.mistake(Code::TooLong, word, format!("this block has {} bytes", data.len()), None);
        }
        let mut block = Block { angles: body.camera.unwrap_or_default(), ..Block::new(data) };
        if let Some(length) = body.length {
            block.length = length;
        }
        if body.from_client {
            block.length |= i32::MIN;
        }
        self.piece(&Piece::Block(block));
    }
}

/// What a block says about itself.
struct Body {
    camera: Option<[u32; 3]>,
    length: Option<i32>,
    from_client: bool,
    unicast: Option<u8>,
}

/// A `mask` must agree with the fields, and nothing can follow an unterminated string: what was written must read as
/// what was said.
#[cold]
fn check_again<'a, D: Dialect>(
    parser: &mut Parser<'_, 'a>,
    word: Span,
    message: &D::Message<'a>,
    written: &[u8],
) {
    let context = Context { raw: false, ..parser.context };
    let mut messages = Messages::<D>::new(written, context);
    let same = messages.next().is_some_and(|entry| format!("{:?}", entry.message) == format!("{message:?}"));
    if same && messages.next().is_none() && messages.fault().is_none() {
        return;
    }
    if parser.has_mask() {
        let help = Some("without `mask` the fields imply it".into());
        parser.scan.mistake(Code::MaskDisagrees, word, "the `mask` does not fit these fields".into(), help);
    } else {
        let help = Some("an unterminated string reaches to the end of the block".into());
        let message = "fields follow the unterminated string in this".into();
        parser.scan.mistake(Code::UnterminatedInside, word, message, help);
    }
}

/// Up to where a window without another statement can be let go: a comment that is not closed must stay whole.
fn safe_end(text: &[u8], done: usize) -> usize {
    let rest = text.get(done..).unwrap_or_default();
    rest.iter().rposition(|byte| *byte == b'\n').map_or(done, |newline| done + newline + 1)
}
