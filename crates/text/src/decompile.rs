//! Turns a recording into text, piece by piece.

use crate::address::{Address, Container};
use crate::level::{TextDialect, block_time};
use crate::not_in_lmpc::{NotInLmpc, OmittedBlocks};
use crate::print::{Page, PrintOptions, Printer};
use crate::statement::{self, UNKNOWN_DATA};
use crate::statement_kind::StatementKind;
use crate::{DecompileOptions, Decompiled, Omission};
use moviola_format::{Block, ClientRecords, Context, Demo, Dialect, Entry, Fault, Game, Messages};
use moviola_format::{Hidden, Mvd2, Piece, Quake, Quake2, QuakeWorld, Stamp, Table, UNICAST, mvd2};
use std::io::{self, Read, Write};

/// Turns a recording into text. A file that is not a recording becomes a list of raw bytes.
///
/// ```
/// use moviola_text::{decompile, DecompileOptions};
/// let mut text = Vec::new();
/// decompile(&b"\x01\0\0\0\x06\xff\xff\xff\xff"[..], &mut text, &DecompileOptions::default()).unwrap();
/// assert_eq!(text, b"block { // 0\n nop;\n}\nendblock;\n");
/// ```
///
/// # Errors
/// When reading or writing fails.
pub fn decompile<R: Read, W: Write>(
    mut input: R,
    mut output: W,
    options: &DecompileOptions,
) -> io::Result<Decompiled> {
    // Streams are passed as trait objects, so that only this function is compiled for each kind of stream.
    // Reads and writes are large and few, so the indirect calls cost nothing.
    decompile_streams(&mut input, &mut output, options)
}

fn decompile_streams(
    input: &mut dyn Read,
    output: &mut dyn Write,
    options: &DecompileOptions,
) -> io::Result<Decompiled> {
    let demo = Demo::new(input)?;
    match demo.game() {
        Some(Game::Quake2) => Decompiler::<Quake2>::new(output, options).run(demo),
        Some(Game::QuakeWorld) => Decompiler::<QuakeWorld>::new(output, options).run(demo),
        _ => Decompiler::<Quake>::new(output, options).run(demo),
    }
}

/// The amount of text that is gathered before it is written.
const CHUNK: usize = 1 << 16;

/// A block with a longer text is written before the block ends.
const LONG_BLOCK: usize = 1 << 18;

/// LMPC crashes at blocks of this size, as experiments showed.
const LMPCS_LONGEST: usize = 1 << 16;

/// LMPC refuses longer blocks of a QWD; the head of the block counts.
const LMPCS_LONGEST_QWD: usize = 2048;

/// The number of raw bytes in one statement, limited because a compiler keeps a statement whole.
const LONG_DATA: usize = 1 << 14;

struct Decompiler<'o, D> {
    output: &'o mut dyn Write,
    options: &'o DecompileOptions,
    printer: Printer,
    page: Page,
    /// The context after the blocks read so far.
    context: Context,
    /// The context that a reader of the text knows from the part printed so far.
    reader: Context,
    time: Option<f64>,
    /// MVD2: the number of frames so far, which have no numbers.
    frames: u64,
    /// Whether the block before was wanted: pieces that are not blocks are printed if it was.
    in_part: bool,
    left_out: OmittedBlocks,
    /// The number of omitted bytes outside of blocks.
    outside: u64,
    /// Whether an end mark was printed.
    ended: bool,
    summary: Decompiled,
    dialect: std::marker::PhantomData<D>,
}

impl<'o, D: TextDialect> Decompiler<'o, D> {
    fn new(output: &'o mut dyn Write, options: &'o DecompileOptions) -> Self {
        let context = Context::of(D::GAME);
        let mut printer = Printer::new(context);
        printer.comments = !options.bare;
        printer.step = usize::from(!options.bare);
        printer.lmpc = options.lmpc;
        printer.normal = options.normal;
        let begins = options.blocks.is_none_or(|(from, _)| from == 0);
        Self {
            output,
            options,
            printer,
            page: Page::new(),
            context,
            reader: context,
            time: None,
            frames: 0,
            in_part: begins && options.time.is_none_or(|(from, _)| from <= 0.0),
            left_out: OmittedBlocks::default(),
            outside: 0,
            ended: false,
            summary: Decompiled::default(),
            dialect: std::marker::PhantomData,
        }
    }

    fn run(mut self, mut demo: Demo<&mut dyn Read>) -> io::Result<Decompiled> {
        self.summary.game = demo.game();
        if let Some(source) = self.options.source.as_ref().filter(|_| !self.options.bare) {
            let name = moviola_format::names::readable(source.as_bytes());
            self.printer.out.extend_from_slice(format!("// source: {name}\n\n").as_bytes());
        }
        let game = demo.game().unwrap_or(Game::Quake);
        let mut at = 0;
        while let Some(piece) = demo.next_piece()? {
            match piece {
                Piece::Block(block) => self.block(&block, at)?,
                _ => self.print_piece(&piece),
            }
            at += piece.size(game);
            if self.printer.out.len() > CHUNK {
                self.flush()?;
            }
        }
        self.summary.bytes = at;
        self.say_left_out(self.printer.out.len());
        self.summary.omissions.extend(self.left_out.omissions());
        self.left_out = OmittedBlocks::default();
        if self.outside > 0 {
            let why = format!("{} bytes outside of blocks", self.outside);
            self.summary.omissions.push(Omission { why, ..Omission::default() });
        }
        self.flush()?;
        self.output.flush()?;
        Ok(self.summary)
    }

    /// Writes the printed text: first the page, then the careful printer's text.
    fn flush(&mut self) -> io::Result<()> {
        for text in [self.page.text(), &self.printer.out] {
            if !text.is_empty() {
                self.output.write_all(text)?;
            }
        }
        self.page.clear();
        self.printer.out.clear();
        Ok(())
    }

    /// Empties the page into the printer's text, after everything printed before.
    #[inline]
    fn turn_page(&mut self) -> io::Result<()> {
        if self.page.is_full() || !self.page.add(&self.printer.out) {
            return self.flush();
        }
        self.printer.out.clear();
        Ok(())
    }

    /// Prints a piece that is not a block.
    fn print_piece(&mut self, piece: &Piece<'_>) {
        self.say_left_out(self.printer.out.len());
        let printer = &mut self.printer;
        match piece {
            Piece::Header(_) if self.summary.game == Some(Game::Quake2) => {
                if printer.lmpc {
                    let why = "the first bytes of an MVD2".into();
                    self.summary.omissions.push(Omission { why, ..Omission::default() });
                } else {
                    printer.plain_line(0, StatementKind::Mvd2Header.example());
                }
            }
            Piece::Header(bytes) => {
                let mut bytes = *bytes;
                if printer.lmpc && (bytes.len() > 9 || bytes.contains(&0)) {
                    // LMPC's texts always contain a header.
                    printer.out.extend_from_slice(b"// the header is left out: LMPC does not take it\n");
                    let why = "the header: it takes up to nine bytes without a NUL".into();
                    self.summary.omissions.push(Omission { why, ..Omission::default() });
                    bytes = b"-1\n";
                }
                printer.statement(StatementKind::Track.keyword(), bytes);
                if printer.comments {
                    match bytes {
                        b"-1\n" => printer.comment("default track"),
                        b"" => printer.comment("warning: empty CD track"),
                        _ => {}
                    }
                }
                printer.out.push(b'\n');
            }
            Piece::Raw(_) if !self.in_part => {}
            Piece::Raw(bytes) => {
                if printer.lmpc {
                    self.outside += bytes.len() as u64;
                } else {
                    printer.bytes(0, StatementKind::Raw.keyword(), bytes);
                    if self.summary.game.is_some() {
                        self.summary.outside += bytes.len() as u64;
                        self.put_comment(Some("these bytes are not a block"));
                    }
                }
            }
            // LMPC's texts end there.
            Piece::End if self.ended && printer.lmpc => self.outside += piece.size(D::GAME),
            Piece::EndOfMvd2 if printer.lmpc => self.outside += piece.size(D::GAME),
            Piece::End | Piece::EndOfMvd2 => {
                self.ended = true;
                printer.plain_line(0, StatementKind::EndBlock.example());
            }
            Piece::Block(_) => {}
        }
    }

    /// Whether the caller wants this block.
    fn is_wanted(&self, number: u64) -> bool {
        let in_time = match (self.options.time, self.time) {
            (Some((from, to)), Some(time)) => from <= time && time <= to,
            (Some((from, _)), None) => from <= 0.0,
            (None, _) => true,
        };
        in_time && self.options.blocks.is_none_or(|(from, to)| from <= number && number <= to)
    }

    fn block(&mut self, block: &Block<'_>, at: u64) -> io::Result<()> {
        let number = self.summary.blocks;
        self.summary.blocks += 1;
        if self.printer.comments || self.options.time.is_some() || D::GAME == Game::QuakeWorld {
            self.time = match (D::GAME, block.stamp) {
                (Game::QuakeWorld, _) => self.stamped(block),
                (_, Stamp::Mvd2) => Some(self.frame_time(block)),
                _ => block_time::<D>(block.data, self.context).or(self.time),
            };
        }
        if let (Some(time), Some(_)) = (self.time, self.options.time) {
            let (least, most) = self.summary.times.unwrap_or((time, time));
            self.summary.times = Some((least.min(time), most.max(time)));
        }
        self.in_part = self.is_wanted(number);
        if !self.in_part {
            self.pass(block, number);
            return Ok(());
        }
        if self.options.normal && D::GAME == Game::Quake && block.data.is_empty() {
            return Ok(());
        }
        let start = self.printer.out.len();
        self.printer.beyond = None;
        match (D::GAME, block.table(D::GAME)) {
            (Game::Quake2, _) if block.data.is_empty() && block.length == 0 => {
                self.printer.plain_line(0, StatementKind::BetweenBlock.example());
            }
            (_, Table::Client) => self.record(block, number),
            (_, table) => {
                self.head(block, number);
                match table {
                    Table::Hidden => self.messages::<Hidden>(block, at)?,
                    Table::Mvd2 => self.messages::<Mvd2>(block, at)?,
                    _ => self.messages::<D>(block, at)?,
                }
                self.printer.out.extend_from_slice(b"}\n");
            }
        }
        if self.ended {
            self.printer.beyond = Some(NotInLmpc::block("a block after the end mark"));
        }
        if block.data.len() >= LMPCS_LONGEST {
            self.printer.beyond =
                Some(NotInLmpc::block("a block of 65,536 bytes or more, at which LMPC crashes"));
        }
        let is_of_qwd = matches!(block.stamp, Stamp::Qwd { .. });
        if is_of_qwd && block.head_size(D::GAME) + block.data.len() > LMPCS_LONGEST_QWD {
            self.printer.beyond =
                Some(NotInLmpc::block("a block of more than 2048 bytes, which LMPC refuses in a QWD"));
        }
        if let Some(why) = self.printer.beyond.filter(|_| self.options.lmpc) {
            self.printer.out.truncate(start);
            let comment = self.left_out.add(number, why).unwrap_or_default();
            self.printer.out.extend_from_slice(comment.as_bytes());
        } else {
            self.say_left_out(start);
            self.summary.printed += 1;
        }
        Ok(())
    }

    /// The time of a QuakeWorld block: a QWD's blocks have it, in an MVD it is the sum of the milliseconds so far.
    fn stamped(&mut self, block: &Block<'_>) -> Option<f64> {
        let (seconds, msec) = block.clock();
        let summed = |msec: u8| self.time.unwrap_or_default() + f64::from(msec) / 1000.0;
        seconds.map(f64::from).or_else(|| msec.map(summed)).or(self.time)
    }

    /// The time of the last frame up to this block's end; ten frames are a second.
    fn frame_time(&mut self, block: &Block<'_>) -> f64 {
        let is_frame = |entry: &Entry<mvd2::Message<'_>>| {
            matches!(entry.message, mvd2::Message::FrameMessage(_) | mvd2::Message::ServerData(_))
        };
        self.frames += block.messages::<Mvd2>(self.context).filter(is_frame).count() as u64;
        self.frames as f64 / 10.0
    }

    /// Prints a record of QuakeWorld, which is a statement of its own.
    fn record(&mut self, block: &Block<'_>, number: u64) {
        let mut messages = block.messages::<ClientRecords>(self.context);
        let Some(entry) = messages.next().filter(|_| messages.rest().is_empty()) else {
            return self.printer.bytes(0, StatementKind::Raw.keyword(), block.data);
        };
        let start = self.printer.out.len();
        self.printer.base = 0;
        self.printer.lmpc = self.options.lmpc;
        self.printer.context = *messages.context();
        self.printer.message(&entry.message, None);
        self.printer.base = 1;
        if self.printer.comments {
            let brace = self.printer.out.iter().skip(start).position(|byte| *byte == b'\n');
            let mut comment = Vec::new();
            self.number(&mut comment, number);
            let place = brace.map_or(start, |at| start + at);
            self.printer.out.splice(place..place, comment);
        }
    }

    /// Prints the comment with the block's number and time.
    fn number(&self, out: &mut Vec<u8>, number: u64) {
        out.extend_from_slice(b" // ");
        crate::number::digits(out, number);
        if let Some(time) = self.time {
            out.extend_from_slice(b", ");
            clock(out, time);
        }
    }

    /// Inserts the comment about the blocks that were left out before this place of the printed text.
    fn say_left_out(&mut self, place: usize) {
        if let Some(comment) = self.left_out.comment() {
            self.printer.out.splice(place..place, comment.into_bytes());
        }
    }

    /// Skips a block that is not printed, but takes the names and the context that later blocks need from it.
    fn pass(&mut self, block: &Block<'_>, number: u64) {
        if self.options.blocks.is_some_and(|(_, last)| number > last) {
            return;
        }
        match block.table(D::GAME) {
            Table::Mvd2 => return self.pass_over::<Mvd2>(block),
            table if table != D::GAME.table() => return,
            _ => {}
        }
        self.pass_over::<D>(block);
    }

    fn pass_over<M: TextDialect>(&mut self, block: &Block<'_>) {
        let mut messages = block.messages::<M>(self.context);
        for entry in &mut messages {
            M::take_names(&entry.message, &mut self.printer.level);
            M::note(&entry.message, &mut self.printer.level);
        }
        self.context = *messages.context();
    }

    /// Prints the protocol if only a block that is not in this text announced it.
    fn print_protocol_again(&mut self) {
        // LMPC knows one protocol of Quake, and has no keyword for others.
        if self.options.lmpc || self.options.normal && D::GAME == Game::Quake {
            return;
        }
        let (_, flags) = protocol_of(&self.context);
        statement::set_protocol(&mut self.reader, self.context.protocol, flags);
        let comment = if self.printer.comments { " // as in an earlier block" } else { "" };
        let line = statement::protocol_line(self.context.protocol, flags);
        self.printer.plain_line(1, &format!("{line}{comment}"));
    }

    /// Prints `block {` and the statements before the block's messages.
    fn head(&mut self, block: &Block<'_>, number: u64) {
        let mut comment = Vec::new();
        if self.printer.comments {
            self.number(&mut comment, number);
        }
        let printer = &mut self.printer;
        let container = Container::of(&block.stamp);
        let kind = container.map_or(StatementKind::Block, Container::kind);
        printer.out.extend_from_slice(kind.keyword().as_bytes());
        printer.out.extend_from_slice(b" {");
        printer.out.append(&mut comment);
        printer.out.push(b'\n');
        Address::lines(&block.stamp).for_each(|line| line.print(printer));
        if let Stamp::Mvd { .. } | Stamp::Mvd2 = block.stamp {
            printer.beyond = Some(NotInLmpc::block("a block of an MVD"));
        }
        if block.is_from_client() {
            printer.beyond = Some(NotInLmpc::block("a block from the client"));
            printer.plain_line(1, StatementKind::FromClient.example());
        }
        if block.is_truncated() {
            printer.beyond = Some(NotInLmpc::block("a truncated block"));
            printer.plain_line(1, &format!("{} {};", StatementKind::Length.keyword(), block.claimed()));
        }
        if D::GAME == Game::Quake {
            if block.data.is_empty() {
                printer.beyond = Some(NotInLmpc::block("a block without messages"));
            }
            printer.begin(StatementKind::Camera.keyword());
            for angle in block.angles {
                moviola_format::ValueSink::float(printer, angle);
            }
            if block.angles.iter().any(|angle| !f32::from_bits(*angle).is_finite()) {
                printer.beyond = Some(NotInLmpc::block("an angle of the camera that is not a number"));
            }
            printer.out.extend_from_slice(b";\n");
        } else if block.data.is_empty() {
            printer.beyond = Some(NotInLmpc::block("a block without messages"));
        }
    }

    fn messages<M: TextDialect>(&mut self, block: &Block<'_>, at: u64) -> io::Result<()> {
        let head = block.head_size(D::GAME) as u64;
        // Raw bytes are printed the same under every protocol, and so are hidden messages.
        if !self.context.raw && !M::PREFIXED && protocol_of(&self.reader) != protocol_of(&self.context) {
            self.print_protocol_again();
        }
        let mut messages = block.messages::<M>(self.context);
        // Not every part of a text contains protocol 15: it matters only before a message that may change the
        // protocol.
        let mut protocol_changes = self.reader.protocol != self.context.protocol;
        let fast = crate::FAST_PATHS
            && !(M::PREFIXED || self.options.lmpc || self.options.normal || self.options.offsets);
        let mut direction = None;
        loop {
            if direction != Some(messages.turns()) {
                direction = Some(messages.turns());
                self.printer.context = Context { items_bit: self.reader.items_bit, ..*messages.context() };
            }
            if fast && !messages.context().raw && messages.fault().is_none() {
                self.turn_page()?;
                let Printer { comments, step, ref context, ref level, .. } = self.printer;
                self.page.print(&mut messages, &PrintOptions { comments, step, context, level });
                if direction != Some(messages.turns()) || self.page.is_full() {
                    continue;
                }
            }
            // Used in place, because moving it out of the option would copy it.
            let Some(entry) = &messages.next() else { break };
            if direction != Some(messages.turns()) {
                direction = Some(messages.turns());
                self.printer.context = Context { items_bit: self.reader.items_bit, ..*messages.context() };
            }
            self.write_early()?;
            if self.options.offsets && self.printer.comments {
                self.offset(at + head + entry.at as u64);
            }
            if protocol_changes && M::changes_protocol(&entry.message) {
                self.print_protocol_again();
                protocol_changes = false;
            }
            self.message::<M>(entry, block.data.get(entry.at..messages.pos()).unwrap_or_default(), fast)?;
            M::observe(&entry.message, &mut self.reader);
            if M::begins_level(&entry.message) {
                protocol_changes = false;
                direction = None;
            }
        }
        self.write_early()?;
        self.context = *messages.context();
        if let Some(fault) = messages.fault().filter(|_| !self.context.raw) {
            self.summary.damaged += 1;
            self.summary.damage.get_or_insert_with(|| (self.summary.blocks - 1, fault.to_string()));
        }
        let offset = at + head + messages.pos() as u64;
        self.remainder(&messages, offset)
    }

    /// Prints any message with the careful printer; `bytes` are the message's.
    fn message<M: TextDialect>(
        &mut self,
        entry: &Entry<M::Message<'_>>,
        bytes: &[u8],
        fast: bool,
    ) -> io::Result<()> {
        let (start, before) = (self.printer.out.len(), self.printer.beyond);
        if let Some(client) = entry.unicast {
            self.printer.plain_line(1, &format!("{} {client};", StatementKind::Unicast.keyword()));
        }
        // LMPC has no habits; a message that LMPC would write differently is detected on its own.
        if let Some(set) = M::habit(&entry.message, &self.printer.context) {
            self.habit(set);
        }
        M::take_names(&entry.message, &mut self.printer.level);
        let note = M::note(&entry.message, &mut self.printer.level);
        // With `normal`, a reader takes every protocol of Quake for 15, so messages that are encoded
        // differently in the recording's protocol are printed as bytes.
        let as_15 = self.options.normal
            && D::GAME == Game::Quake
            && !matches!(self.printer.context.protocol, 0 | crate::compile::LMPCS);
        self.printer.lmpc = self.options.lmpc || as_15;
        let fast = fast && note.is_none() && !M::begins_level(&entry.message);
        if fast && self.print_fast::<M>(entry, bytes)? {
            return Ok(());
        }
        self.printer.message(&entry.message, note);
        if self.printer.lmpc
            && self.printer.beyond != before
            && let Some(why) = self.printer.beyond
            && self.in_bytes::<M>(entry, bytes, start, why)
        {
            self.printer.beyond = before;
        }
        Ok(())
    }

    /// Prints a message onto the page, if it is of the usual form.
    fn print_fast<M: TextDialect>(
        &mut self,
        entry: &Entry<M::Message<'_>>,
        bytes: &[u8],
    ) -> io::Result<bool> {
        let (op, fields) = match (entry.unicast, bytes) {
            (None, [op, fields @ ..]) => (*op, fields),
            (Some(_), [op, _, fields @ ..]) => (op & !UNICAST, fields),
            _ => return Ok(false),
        };
        self.turn_page()?;
        let Printer { comments, step, ref context, ref level, .. } = self.printer;
        let manner = PrintOptions { comments, step, context, level };
        Ok(self.page.print_one::<M>(op, fields, &manner))
    }

    /// Replaces the text from `start` on, for which LMPC has no words, with bytes: LMPC accepts `unknown`
    /// anywhere. Exceptions are a message after `unicast`, which LMPC would then forget, and the messages
    /// that give it the protocol of Quake II.
    fn in_bytes<M: TextDialect>(
        &mut self,
        entry: &Entry<M::Message<'_>>,
        bytes: &[u8],
        start: usize,
        reason: NotInLmpc,
    ) -> bool {
        let is_needed = entry.unicast.is_some() || D::GAME == Game::Quake2 && M::begins_level(&entry.message);
        let (false, Some((id, data))) = (is_needed, bytes.split_first()) else { return false };
        // LMPC's `unknown` needs at least one byte after the first.
        if data.is_empty() && self.options.lmpc {
            return false;
        }
        self.printer.out.truncate(start);
        self.unknown(*id, data, self.printer.comments.then(|| reason.to_string()));
        self.summary.in_bytes += 1;
        true
    }

    /// Prints bytes, of which the first is in the place of a message's id.
    fn unknown(&mut self, id: u8, data: &[u8], reason: Option<String>) {
        let reason = reason.map_or(String::new(), |reason| format!(" // {reason}"));
        self.printer.plain_line(1, &format!("{} {{{reason}", StatementKind::Unknown.keyword()));
        self.printer.plain_line(2, &format!("id 0x{id:02X};"));
        self.printer.bytes(2, UNKNOWN_DATA, data);
        self.printer.plain_line(1, "}");
    }

    /// Writes a long block's text before the block's end, unless the end decides whether LMPC can read it.
    fn write_early(&mut self) -> io::Result<()> {
        if self.printer.out.len() > LONG_BLOCK && !self.options.lmpc { self.flush() } else { Ok(()) }
    }

    /// Prints a habit of the recording, which holds until the next level begins.
    fn habit(&mut self, set: bool) {
        if self.options.lmpc || self.options.normal {
            // LMPC has no habits: it cannot express a message that deviates from its own.
            return;
        }
        self.reader.items_bit = set;
        self.printer.context.items_bit = set;
        self.printer.plain_line(1, &statement::habit_line(set));
    }

    /// Puts a comment after the line that was just printed.
    fn put_comment(&mut self, reason: Option<&str>) {
        if let Some(reason) = reason.filter(|_| self.printer.comments) {
            self.printer.out.truncate(self.printer.out.trim_ascii_end().len());
            self.printer.comment(reason);
            self.printer.out.push(b'\n');
        }
    }

    fn offset(&mut self, offset: u64) {
        self.printer.out.extend_from_slice(format!("  // 0x{offset:08X}\n").as_bytes());
    }

    /// Prints the raw remainder of a block.
    fn remainder<M: Dialect>(&mut self, messages: &Messages<'_, M>, offset: u64) -> io::Result<()> {
        let Some((id, data)) = messages.rest().split_first() else { return Ok(()) };
        if self.options.offsets && self.printer.comments {
            self.offset(offset);
        }
        let reason = messages.fault().filter(|_| self.printer.comments).map(|fault: Fault| fault.to_string());
        if data.is_empty() {
            self.printer.beyond = Some(NotInLmpc::block("a single byte that is not a message"));
            self.printer.bytes(1, StatementKind::Raw.keyword(), &[*id]);
            self.put_comment(reason.as_deref());
            return Ok(());
        }
        // LMPC has no other statement for such bytes.
        let (data, more) =
            data.split_at(if self.options.lmpc { data.len() } else { data.len().min(LONG_DATA) });
        self.unknown(*id, data, reason);
        for data in more.chunks(LONG_DATA) {
            self.write_early()?;
            self.printer.bytes(1, StatementKind::Raw.keyword(), data);
        }
        Ok(())
    }
}

/// The values of a context that decide how a text is compiled; before a protocol is known, those of the usual
/// one.
fn protocol_of(context: &Context) -> (i32, [u32; 3]) {
    let flags = [context.protocol_flags, context.extensions.fte, context.extensions.fte2];
    match (context.game, context.protocol) {
        (Game::Quake, 0) => (15, flags),
        (Game::Quake, protocol) => (protocol, flags),
        // A layout found by trials shows in the fields of the messages for which it matters.
        (Game::Quake2, 0) => (Context::quake2().quake2_protocol(), [0; 3]),
        (Game::Quake2, protocol) => (protocol, [0; 3]),
        (Game::QuakeWorld, _) => {
            let moviola_format::Extensions { fte, fte2, mvd1 } = context.extensions;
            (context.quakeworld_protocol(), [fte, fte2, mvd1])
        }
    }
}

/// A time as people write it: minutes, seconds, hundredths.
fn clock(out: &mut Vec<u8>, time: f64) {
    let hundredths = (time * 100.0).clamp(-1e15, 1e15) as i64;
    let (minutes, rest) = (hundredths.abs() / 6000, hundredths.abs() % 6000);
    if hundredths < 0 {
        out.push(b'-');
    }
    crate::number::digits(out, minutes.unsigned_abs());
    let digit = |n: i64| b'0' + (n % 10) as u8;
    out.extend_from_slice(&[
        b':',
        digit(rest / 1000),
        digit(rest / 100),
        b'.',
        digit(rest / 10),
        digit(rest),
    ]);
}
