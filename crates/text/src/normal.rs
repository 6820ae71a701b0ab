//! Writes a recording in the form that LMPC gives it on a round trip: flag words as the fields imply them,
//! every string with its end, no blocks with only a camera. The text that [`DecompileOptions::normal`] asks
//! for compiles to the same bytes. Nearly all messages of Quake have this form already, so their bytes are
//! copied; the others go through their text.
//!
//! [`DecompileOptions::normal`]: crate::DecompileOptions::normal

use crate::compile::LMPCS;
use crate::level::{LevelNames, TextDialect};
use crate::parse::Parser;
use crate::print::{Page, PrintOptions, Printer};
use crate::scan::{Origin, Scanner};
use crate::statement;
use bumpalo::Bump;
use moviola_format::{Block, Context, Demo, Entry, Format, Game, Message as _, Piece, Quake, Quake2};
use std::io::{self, Read, Write};

/// LMPC truncates strings at this many bytes, so shorter blocks and messages have no truncated string.
const LMPCS_LONGEST: usize = 2048;

/// Writes a recording as LMPC would, whose text cannot express everything in a recording.
///
/// ```
/// // A player's state without the items bit, which LMPC always sets.
/// let player = b"\x0f\0\0\0\0\0\0\x64\0\0\0\0\0\0\0";
/// let block = [&(player.len() as u32).to_le_bytes()[..], &[0; 12], player].concat();
/// let mut written = Vec::new();
/// moviola_text::normalize(&[b"-1\n", &block[..]].concat()[..], &mut written).unwrap();
/// assert_eq!(written[3 + 16..][..3], [15, 0, 2]);
/// ```
///
/// # Errors
/// When reading or writing fails.
pub fn normalize<R: Read, W: Write>(mut input: R, mut output: W) -> io::Result<()> {
    let mut demo = Demo::new(&mut input as &mut dyn Read)?;
    let game = demo.game().unwrap_or(Game::Quake);
    match game {
        Game::Quake => Normalizer::new(game).run::<Quake>(demo, &mut output)?,
        Game::Quake2 if demo.format() != Format::Mvd2 => {
            Normalizer::new(game).run::<Quake2>(demo, &mut output)?;
        }
        // LMPC's changes to QWDs on a round trip are not known, and it does not know MVD2s, so they are copied.
        Game::Quake2 | Game::QuakeWorld => {
            while let Some(piece) = demo.next_piece()? {
                piece.write(game, &mut output)?;
            }
        }
    }
    output.flush()
}

struct Normalizer {
    game: Game,
    /// The context after the blocks read so far.
    context: Context,
    printer: Printer,
    /// The printed text is thrown away: a message that this page can print has its usual form, so its bytes
    /// are copied.
    page: Page,
    level: LevelNames,
    arena: Bump,
    data: Vec<u8>,
}

impl Normalizer {
    fn new(game: Game) -> Self {
        let context = Context::of(game);
        let mut printer = Printer::new(context);
        (printer.comments, printer.normal, printer.step) = (false, true, 0);
        let (page, level, arena) = (Page::new(), LevelNames::default(), Bump::new());
        Self { game, context, printer, page, level, arena, data: Vec::new() }
    }

    fn run<D: TextDialect>(
        mut self,
        mut demo: Demo<&mut dyn Read>,
        mut output: &mut dyn Write,
    ) -> io::Result<()> {
        while let Some(piece) = demo.next_piece()? {
            match piece {
                Piece::Block(block) => self.block::<D>(&block, &mut output)?,
                Piece::Header(bytes) => {
                    // LMPC's strings end at their NUL, except a first line that continues into the first
                    // block.
                    let nul = bytes.iter().position(|byte| *byte == 0).filter(|_| !bytes.ends_with(b"\n"));
                    output.write_all(bytes.get(..nul.unwrap_or(bytes.len())).unwrap_or(bytes))?;
                }
                Piece::Raw(_) | Piece::End | Piece::EndOfMvd2 => piece.write(self.game, &mut output)?,
            }
        }
        Ok(())
    }

    fn block<D: TextDialect>(&mut self, block: &Block<'_>, mut output: &mut dyn Write) -> io::Result<()> {
        self.data.clear();
        let mut messages = block.messages::<D>(self.context);
        loop {
            let from = messages.pos();
            let context = self.readers(messages.context());
            // In Quake II LMPC truncates numbers that fit the wire, for example entities of sounds, so every
            // message goes through its text.
            let is_plain = self.game == Game::Quake && block.data.len() < LMPCS_LONGEST;
            if is_plain && !messages.context().raw && messages.fault().is_none() {
                self.page.clear();
                let manner = PrintOptions { comments: false, step: 0, context: &context, level: &self.level };
                self.page.print(&mut messages, &manner);
            }
            self.data.extend_from_slice(block.data.get(from..messages.pos()).unwrap_or_default());
            if self.page.is_full() {
                continue;
            }
            let Some(entry) = messages.next() else { break };
            let context = self.readers(messages.context());
            let bytes = block.data.get(entry.at..messages.pos()).unwrap_or_default();
            self.message::<D>(&entry, bytes, &context);
        }
        self.data.extend_from_slice(messages.rest());
        self.context = *messages.context();
        let is_whole = !block.is_truncated() && !block.is_from_client();
        if self.game == Game::Quake && self.data.is_empty() && is_whole {
            return Ok(());
        }
        let mut written = Block { angles: block.angles, ..Block::new(&self.data) };
        if !is_whole {
            written.length = block.length;
        }
        Piece::Block(written).write(self.game, &mut output)
    }

    /// The context with the habits that LMPC's own recordings have.
    fn readers(&self, context: &Context) -> Context {
        Context { items_bit: Context::of(self.game).items_bit, ..*context }
    }

    /// Adds a message with these bytes in the form that LMPC writes.
    fn message<D: TextDialect>(&mut self, entry: &Entry<D::Message<'_>>, bytes: &[u8], context: &Context) {
        let head = if entry.unicast.is_some() { 2 } else { 1 };
        self.page.clear();
        let manner = PrintOptions { comments: false, step: 0, context, level: &self.level };
        let fields = bytes.get(head..).unwrap_or_default();
        let is_plain = self.game == Game::Quake && bytes.len() < LMPCS_LONGEST;
        if !(is_plain && self.page.print_one::<D>(entry.message.op(), fields, &manner))
            && self.through_text::<D>(entry, context).is_some()
        {
            return;
        }
        self.data.extend_from_slice(bytes);
    }

    /// Adds a message by compiling its text; `None` if LMPC would read that text differently or not at all.
    fn through_text<D: TextDialect>(
        &mut self,
        entry: &Entry<D::Message<'_>>,
        context: &Context,
    ) -> Option<()> {
        let knows = self.game == Game::Quake2 || matches!(context.protocol, 0 | LMPCS);
        let Self { printer, arena, .. } = self;
        printer.out.clear();
        (printer.context, printer.lmpc, printer.beyond) = (*context, !knows, None);
        printer.message(&entry.message, None);
        if printer.beyond.is_some() && !knows {
            return None;
        }
        let mut reader = *context;
        if !knows {
            statement::set_protocol(&mut reader, LMPCS, [0; 3]);
        }
        arena.reset();
        let mut parser = Parser::new(Scanner::new(&printer.out, Origin::START, true), arena, reader);
        parser.lmpc = true;
        let word = parser.scan.word();
        let message = parser.message::<D::Message<'_>>(entry.message.schema(), word).ok()?;
        if !parser.scan.mistakes.is_empty() {
            return None;
        }
        Entry { at: 0, unicast: entry.unicast, message }.write(&mut self.data, &reader);
        Some(())
    }
}
