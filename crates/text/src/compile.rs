//! A text into a recording, statement by statement; no more of either is in memory than a block.

use crate::parse::{Parser, Stop};
use crate::scan::{Scanner, Span};
use crate::{Code, CompileError, CompileOptions, Compiled, near};
use bumpalo::Bump;
use moviola_format::{
    Block, Context, Dialect, Entry, Game, MAX_BLOCK, Message, Messages, Piece, Quake, Quake2, Schema,
};
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

/// What a statement at the outermost level can be.
const STATEMENTS: [&str; 5] = ["block", "track", "betweenblock", "endblock", "raw"];

/// What a statement in a block can be beside the messages.
const IN_BLOCK: [&str; 7] = ["camera", "length", "from_client", "unicast", "habit", "unknown", "raw"];

/// What of these puts nothing behind an unterminated string.
const WITHOUT_BYTES: [&[u8]; 4] = [b"camera", b"length", b"from_client", b"habit"];

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
    rows: Rows,
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
            rows: Rows::default(),
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
            let saved = (self.out.len(), self.context, self.game, self.has_track, self.begun, self.told.blocks);
            scan.hit_end = false;
            if scan.next().is_none() {
                return if complete { text.len() } else { done.max(scan.pos.min(text.len())).min(safe_end(text, done)) };
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
        match parser.scan.peek() {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {}
            Some(b'}') => {
                let span = Span { at: parser.scan.pos, len: 1 };
                let help = Some("take it out, or look for a `}` too many above".into());
                parser.scan.mistake(Code::StrayBrace, span, "this `}` closes nothing".into(), help);
                return Err(Stop::Mistake);
            }
            _ => return parser.stray(),
        }
        let word = parser.scan.word();
        let first = !std::mem::replace(&mut self.begun, true);
        match parser.scan.slice(word) {
            b"block" => self.block(parser, word),
            b"track" => self.track(parser, word, first),
            b"betweenblock" => {
                parser.semicolon()?;
                self.game = Some(Game::Quake2);
                self.piece(&Piece::Block(Block::new(&[])));
                Ok(())
            }
            b"endblock" => {
                parser.semicolon()?;
                self.piece(&Piece::End);
                Ok(())
            }
            b"raw" => {
                let data = moviola_format::Ask::data(parser)?;
                parser.semicolon()?;
                self.piece(&Piece::Raw(data));
                Ok(())
            }
            _ => {
                unknown_statement(parser, word, STATEMENTS.into_iter());
                Err(Stop::Mistake)
            }
        }
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

    fn track(&mut self, parser: &mut Parser<'_, '_>, word: Span, first: bool) -> Result<(), Stop> {
        let mut bytes = Vec::new();
        if !parser.scan.string(&mut bytes) {
            return Err(Stop::Mistake);
        }
        parser.semicolon()?;
        if self.has_track || !first {
            let help = Some("it is the file's first line, before all blocks".into());
            parser.scan.mistake(Code::TrackPlace, word, "`track` can only come first".into(), help);
            return Err(Stop::Mistake);
        }
        self.has_track = true;
        self.game = Some(Game::Quake);
        self.told.game = self.game;
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    fn block(&mut self, parser: &mut Parser<'_, '_>, word: Span) -> Result<(), Stop> {
        if !parser.scan.take(b'{') {
            parser.scan.mistake(Code::MissingBrace, word, "`block` needs a `{`".into(), None);
            return Err(Stop::Mistake);
        }
        let game = match self.game {
            Some(game) => game,
            None => {
                let game = if has_camera(&mut parser.scan) { Game::Quake } else { Game::Quake2 };
                parser.context = Context::of(game);
                self.game = Some(game);
                game
            }
        };
        match game {
            Game::Quake => self.block_of::<Quake>(parser, word),
            Game::Quake2 => {
                parser.context.game = Game::Quake2;
                self.block_of::<Quake2>(parser, word)
            }
        }
        Ok(())
    }

    fn block_of<D: Dialect>(&mut self, parser: &mut Parser<'_, '_>, word: Span) {
        let mut data = std::mem::take(&mut self.data);
        data.clear();
        let mut body = Body { camera: None, length: None, from_client: false, unicast: None };
        parser.open_end = false;
        loop {
            match parser.scan.next() {
                Some(b'}') => {
                    parser.scan.pos += 1;
                    break;
                }
                None => {
                    let help = Some("it needs a `}`".into());
                    parser.scan.mistake(Code::MissingBrace, word, "this block is not closed".into(), help);
                    break;
                }
                Some(_) => {}
            }
            let before = parser.scan.pos;
            if self.in_block::<D>(parser, &mut body, &mut data).is_err() {
                if parser.scan.pos == before || parser.scan.peek() != Some(b'}') {
                    parser.scan.recover();
                }
                if parser.scan.mistakes.len() >= self.options.limit {
                    break;
                }
            }
        }
        self.finish(parser, word, &body, &data, D::GAME);
        self.data = data;
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

    /// One statement of a block.
    #[inline]
    fn in_block<D: Dialect>(
        &mut self,
        parser: &mut Parser<'_, '_>,
        body: &mut Body,
        data: &mut Vec<u8>,
    ) -> Result<(), Stop> {
        let word = parser.scan.word();
        if word.len == 0 {
            return parser.stray();
        }
        let name = parser.scan.slice(word);
        if parser.open_end && !WITHOUT_BYTES.contains(&name) {
            let help = Some("an unterminated string reaches to the end of the block".into());
            let message = "nothing can follow the unterminated string before this".into();
            parser.scan.mistake(Code::UnterminatedInside, word, message, help);
            parser.open_end = false;
        }
        let Some(row) = self.rows.find::<D>(name) else { return self.special::<D>(parser, body, data, word) };
        if row.families != 0 && !allows(&parser.context, row) {
            let message = format!("protocol {} has no `{}`", parser.context.protocol, row.name);
            parser.scan.mistake(Code::WrongProtocol, word, message, None);
        }
        let message = parser.message::<D::Message<'_>>(row, word)?;
        let at = data.len();
        let entry = Entry { at, unicast: body.unicast.take(), message };
        entry.write(data, &parser.context);
        if parser.has_mask() || parser.open_end {
            check_again::<D>(parser, word, &message, data.get(at..).unwrap_or_default());
        }
        D::observe(&message, &mut parser.context);
        Ok(())
    }

    /// The statements of a block that are no messages.
    #[cold]
    fn special<D: Dialect>(
        &mut self,
        parser: &mut Parser<'_, '_>,
        body: &mut Body,
        data: &mut Vec<u8>,
        word: Span,
    ) -> Result<(), Stop> {
        use moviola_format::Ask;
        match parser.scan.slice(word) {
            b"camera" => {
                let angles = [parser.float()?, parser.float()?, parser.float()?];
                parser.semicolon()?;
                if D::GAME == Game::Quake2 {
                    let help = Some("`camera` is Quake's; Quake II has `playerinfo`".into());
                    parser.scan.mistake(Code::WrongGame, word, "Quake II's blocks have no `camera`".into(), help);
                } else if body.camera.replace(angles).is_some() {
                    parser.scan.mistake(Code::Camera, word, "this block has a `camera` already".into(), None);
                }
                Ok(())
            }
            b"length" => {
                body.length = Some(parser.int(0, i64::from(i32::MAX))? as i32);
                parser.semicolon()
            }
            b"from_client" => {
                body.from_client = true;
                parser.semicolon()
            }
            b"unicast" => {
                body.unicast = Some(parser.int(0, 255)? as u8);
                parser.semicolon()
            }
            b"habit" => Self::habit(parser),
            b"raw" => {
                data.extend_from_slice(parser.data()?);
                parser.semicolon()
            }
            b"unknown" => Self::unknown(parser, data),
            _ => {
                let messages = near::rows(D::GAME).iter().map(|row| row.name);
                unknown_statement(parser, word, messages.chain(IN_BLOCK));
                Err(Stop::Mistake)
            }
        }
    }

    /// `habit items_bit clear;`: what the messages from here on imply.
    fn habit(parser: &mut Parser<'_, '_>) -> Result<(), Stop> {
        let known = parser.scan.take_word("items_bit");
        if known && parser.scan.take_word("set") {
            parser.context.items_bit = true;
        } else if known && parser.scan.take_word("clear") {
            parser.context.items_bit = false;
        } else {
            let token = parser.scan.token();
            let help = Some("`habit items_bit set;` or `habit items_bit clear;`".into());
            parser.scan.mistake(Code::NotPossible, token, "this is no habit".into(), help);
            return Err(Stop::Mistake);
        }
        parser.semicolon()
    }

    /// `unknown { id 0x3C; data 0x01 0x02; }`: bytes as they are.
    fn unknown(parser: &mut Parser<'_, '_>, data: &mut Vec<u8>) -> Result<(), Stop> {
        use moviola_format::Ask;
        if !parser.scan.take(b'{') {
            let token = parser.scan.token();
            parser.scan.mistake(Code::MissingBrace, token, "`unknown` needs a `{`".into(), None);
            return Err(Stop::Mistake);
        }
        let (mut id, mut rest): (Option<u8>, &[u8]) = (None, &[]);
        while !parser.scan.take(b'}') {
            if parser.scan.take_word("id") {
                id = Some(parser.int(0, 255)? as u8);
            } else if parser.scan.take_word("data") {
                rest = parser.data()?;
            } else {
                let token = parser.scan.token();
                let message = "`unknown` has an `id` and `data`".into();
                parser.scan.mistake(Code::UnknownField, token, message, None);
                return Err(Stop::Mistake);
            }
            parser.semicolon()?;
        }
        data.extend(id);
        data.extend_from_slice(rest);
        Ok(())
    }
}

/// What a block says about itself.
struct Body {
    camera: Option<[u32; 3]>,
    length: Option<i32>,
    from_client: bool,
    unicast: Option<u8>,
}

/// Whether messages of a row can be in this protocol. Nehahra's can be in any that the others left as it was.
fn allows(context: &Context, row: &Schema) -> bool {
    context.speaks(row.families) || row.families & moviola_format::family::NEHAHRA != 0 && !context.extended
}

/// A `mask` must agree with the fields, and nothing can follow an unterminated string: what was written must read as
/// what was said.
#[cold]
fn check_again<'a, D: Dialect>(parser: &mut Parser<'_, 'a>, word: Span, message: &D::Message<'a>, written: &[u8]) {
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

fn unknown_statement<'w>(parser: &mut Parser<'_, '_>, word: Span, known: impl Iterator<Item = &'w str>) {
    let name = String::from_utf8_lossy(parser.scan.slice(word)).into_owned();
    let owners = near::owners(parser.context.game, &name);
    let fix = near::nearest(&name, known);
    let help = match (&fix, owners.as_slice()) {
        (_, [first, ..]) => Some(format!("`{name}` is a field of `{first}`")),
        (Some(fix), []) => Some(format!("did you mean `{fix}`?")),
        (None, []) => None,
    };
    let fix = fix.filter(|_| owners.is_empty()).map(|fix| (word, fix.to_owned()));
    parser.scan.mistake_with(Code::UnknownStatement, word, format!("`{name}` is no statement"), help, fix);
}

/// Whether the block that begins at the cursor has a `camera`, and so is Quake's.
fn has_camera(scan: &mut Scanner<'_>) -> bool {
    let start = scan.pos;
    let mut found = false;
    while let Some(byte) = scan.next() {
        if byte == b'}' {
            break;
        }
        found |= scan.at_word("camera");
        if found {
            break;
        }
        scan.recover();
    }
    scan.pos = start;
    found
}

/// Up to where a window without another statement can be let go: a comment that is not closed must stay whole.
fn safe_end(text: &[u8], done: usize) -> usize {
    let rest = text.get(done..).unwrap_or_default();
    rest.iter().rposition(|byte| *byte == b'\n').map_or(done, |newline| done + newline + 1)
}

/// The rows of a table by their keywords.
#[derive(Default)]
struct Rows {
    buckets: Vec<Vec<&'static Schema>>,
}

impl Rows {
    const BUCKETS: usize = 256;

    fn bucket(name: &[u8]) -> usize {
        let at = |n: usize| name.get(n).copied().map_or(0, usize::from);
        (name.len() * 7 + at(0) * 31 + at(name.len() / 2) * 17 + at(name.len().wrapping_sub(2))) % Self::BUCKETS
    }

    #[inline]
    fn find<D: Dialect>(&mut self, name: &[u8]) -> Option<&'static Schema> {
        if self.buckets.is_empty() {
            self.buckets.resize_with(Self::BUCKETS, Vec::new);
            for row in <D::Message<'static> as Message<'static>>::SCHEMA {
                if let Some(bucket) = self.buckets.get_mut(Self::bucket(row.name.as_bytes())) {
                    bucket.push(row);
                }
            }
        }
        self.buckets.get(Self::bucket(name))?.iter().find(|row| row.name.as_bytes() == name).copied()
    }
}
