//! One pass over a recording: shows every piece and every message once to a watcher.

use crate::place::ReaderPosition;
use moviola_format::{
    Block, ClientRecords, Context, Demo, Dialect, Entry, Fault, Format, Game, Hidden, Messages, Mvd2, Piece,
    Quake, Quake2, QuakeWorld, Stamp, client, dem, dm2, hidden, is_time, mvd2, qw, with_table,
};
use std::io::{self, Read};

/// A message as a watcher gets it: its place, and the context after it.
pub(crate) struct SeenMessage<'s> {
    pub(crate) here: &'s ReaderPosition,
    pub(crate) context: &'s Context,
    /// The only client for which it was sent (Relay).
    pub(crate) unicast: Option<u8>,
}

/// The rest of a block after its messages were read.
pub(crate) struct BlockRest<'s> {
    pub(crate) block: &'s Block<'s>,
    /// The bytes that could not be read as messages.
    pub(crate) raw: &'s [u8],
    pub(crate) fault: Option<Fault>,
    /// How many messages were read.
    pub(crate) messages: u64,
    /// The context before the block and after its last message.
    pub(crate) before: &'s Context,
    pub(crate) context_after: &'s Context,
}

/// A watcher of a pass over a recording.
pub(crate) trait Watch {
    /// Receives the kind of the file, first of all.
    fn take_format(&mut self, format: Format) {
        let _ = format;
    }
    /// A piece, before its messages.
    fn take_piece(&mut self, here: &ReaderPosition, piece: &Piece<'_>, context: &Context) {
        let _ = (here, piece, context);
    }
    /// A message of Quake.
    fn quake(&mut self, seen: &SeenMessage<'_>, message: &dem::Message<'_>) {
        let _ = (seen, message);
    }
    /// A message of Quake II.
    fn quake2(&mut self, seen: &SeenMessage<'_>, message: &dm2::Message<'_>) {
        let _ = (seen, message);
    }
    /// A message of an MVD2.
    fn mvd2(&mut self, seen: &SeenMessage<'_>, message: &mvd2::Message<'_>) {
        let _ = (seen, message);
    }
    /// A message of QuakeWorld.
    fn quakeworld(&mut self, seen: &SeenMessage<'_>, message: &qw::Message<'_>) {
        let _ = (seen, message);
    }
    /// A hidden message of an MVD.
    fn hidden(&mut self, seen: &SeenMessage<'_>, message: &hidden::Message<'_>) {
        let _ = (seen, message);
    }
    /// A record of QuakeWorld, which is not a server's message.
    fn client_message(&mut self, seen: &SeenMessage<'_>, message: &client::Message<'_>) {
        let _ = (seen, message);
    }
    /// Whether the rest of a block that begins with the clock of a frame must be read.
    fn wants_frame(&self, seen: &SeenMessage<'_>, block: &Block<'_>) -> bool {
        let _ = (seen, block);
        true
    }
    /// A block was read.
    fn block_end<D: Dialect>(&mut self, here: &ReaderPosition, rest: &BlockRest<'_>) {
        let _ = (here, rest);
    }
    /// Called after the file was read; `here.offset` is its length.
    fn end(&mut self, here: &ReaderPosition) {
        let _ = here;
    }
}

/// Two watchers of the same pass.
impl<A: Watch, B: Watch> Watch for (A, B) {
    fn take_format(&mut self, format: Format) {
        self.0.take_format(format);
        self.1.take_format(format);
    }
    fn take_piece(&mut self, here: &ReaderPosition, piece: &Piece<'_>, context: &Context) {
        self.0.take_piece(here, piece, context);
        self.1.take_piece(here, piece, context);
    }
    fn quake(&mut self, seen: &SeenMessage<'_>, message: &dem::Message<'_>) {
        self.0.quake(seen, message);
        self.1.quake(seen, message);
    }
    fn quake2(&mut self, seen: &SeenMessage<'_>, message: &dm2::Message<'_>) {
        self.0.quake2(seen, message);
        self.1.quake2(seen, message);
    }
    fn mvd2(&mut self, seen: &SeenMessage<'_>, message: &mvd2::Message<'_>) {
        self.0.mvd2(seen, message);
        self.1.mvd2(seen, message);
    }
    fn quakeworld(&mut self, seen: &SeenMessage<'_>, message: &qw::Message<'_>) {
        self.0.quakeworld(seen, message);
        self.1.quakeworld(seen, message);
    }
    fn hidden(&mut self, seen: &SeenMessage<'_>, message: &hidden::Message<'_>) {
        self.0.hidden(seen, message);
        self.1.hidden(seen, message);
    }
    fn client_message(&mut self, seen: &SeenMessage<'_>, message: &client::Message<'_>) {
        self.0.client_message(seen, message);
        self.1.client_message(seen, message);
    }
    fn wants_frame(&self, seen: &SeenMessage<'_>, block: &Block<'_>) -> bool {
        self.0.wants_frame(seen, block) || self.1.wants_frame(seen, block)
    }
    fn block_end<D: Dialect>(&mut self, here: &ReaderPosition, rest: &BlockRest<'_>) {
        self.0.block_end::<D>(here, rest);
        self.1.block_end::<D>(here, rest);
    }
    fn end(&mut self, here: &ReaderPosition) {
        self.0.end(here);
        self.1.end(here);
    }
}

/// The facts about a game that the pass needs: its clock and its levels.
pub(crate) trait Subject: Dialect {
    /// Reads times and levels in a message; returns true if a frame begins with it.
    fn clock(message: &Self::Message<'_>, here: &mut ReaderPosition) -> bool;
    fn show<W: Watch>(watch: &mut W, seen: &SeenMessage<'_>, message: &Self::Message<'_>);
}

impl Subject for Quake {
    #[inline(always)]
    fn clock(message: &dem::Message<'_>, here: &mut ReaderPosition) -> bool {
        match message {
            dem::Message::Time(it) => here.time = readable(it.time.value()),
            dem::Message::ServerInfo(_) => begin_level(here),
            _ => {}
        }
        matches!(message, dem::Message::Time(_))
    }
    fn show<W: Watch>(watch: &mut W, seen: &SeenMessage<'_>, message: &dem::Message<'_>) {
        watch.quake(seen, message);
    }
}

impl Subject for Quake2 {
    #[inline(always)]
    fn clock(message: &dm2::Message<'_>, here: &mut ReaderPosition) -> bool {
        match message {
            dm2::Message::FrameMessage(it) => here.time = Some(f64::from(it.head.seq1) * FRAME),
            dm2::Message::ServerData(_) => begin_level(here),
            _ => {}
        }
        matches!(message, dm2::Message::FrameMessage(_))
    }
    fn show<W: Watch>(watch: &mut W, seen: &SeenMessage<'_>, message: &dm2::Message<'_>) {
        watch.quake2(seen, message);
    }
}

impl Subject for Mvd2 {
    /// Frames have no numbers: each is a tenth of a second after the one before.
    fn clock(message: &mvd2::Message<'_>, here: &mut ReaderPosition) -> bool {
        let is_level = matches!(message, mvd2::Message::ServerData(_));
        if is_level {
            begin_level(here);
        }
        let is_frame = is_level || matches!(message, mvd2::Message::FrameMessage(_));
        if is_frame {
            *here.time.get_or_insert(0.0) += FRAME;
        }
        false
    }
    fn show<W: Watch>(watch: &mut W, seen: &SeenMessage<'_>, message: &mvd2::Message<'_>) {
        watch.mvd2(seen, message);
    }
}

impl Subject for QuakeWorld {
    /// The time is in the head of the block, not in a message.
    #[inline(always)]
    fn clock(message: &qw::Message<'_>, here: &mut ReaderPosition) -> bool {
        if let qw::Message::ServerData(_) = message {
            let time = here.time;
            begin_level(here);
            here.time = time;
        }
        false
    }
    fn show<W: Watch>(watch: &mut W, seen: &SeenMessage<'_>, message: &qw::Message<'_>) {
        watch.quakeworld(seen, message);
    }
}

impl Subject for Hidden {
    fn clock(_: &hidden::Message<'_>, _: &mut ReaderPosition) -> bool {
        false
    }
    fn show<W: Watch>(watch: &mut W, seen: &SeenMessage<'_>, message: &hidden::Message<'_>) {
        watch.hidden(seen, message);
    }
}

impl Subject for ClientRecords {
    fn clock(_: &client::Message<'_>, _: &mut ReaderPosition) -> bool {
        false
    }
    fn show<W: Watch>(watch: &mut W, seen: &SeenMessage<'_>, message: &client::Message<'_>) {
        watch.client_message(seen, message);
    }
}

/// How long a frame of Quake II lasts, in seconds.
const FRAME: f64 = 0.1;

/// A time with which a place can be found; `None` for values that result from damage.
fn readable(time: f32) -> Option<f64> {
    Some(f64::from(time)).filter(|time| is_time(*time))
}

fn begin_level(here: &mut ReaderPosition) {
    here.level = here.level.saturating_add(1);
    here.time = None;
}

/// Reads a recording and shows it to a watcher.
pub(crate) fn scan<W: Watch>(source: impl Read, watch: W) -> io::Result<W> {
    let mut demo = Demo::new(source)?;
    let mut scanner = Scanner::new(watch);
    scanner.take_format(demo.format());
    while let Some(piece) = demo.next_piece()? {
        scanner.take_piece(&piece);
    }
    Ok(scanner.end())
}

/// Shows a recording to a watcher, for a caller that reads the pieces itself.
pub(crate) struct Scanner<W> {
    watch: W,
    game: Game,
    context: Context,
    here: ReaderPosition,
}

impl<W: Watch> Scanner<W> {
    pub(crate) fn new(watch: W) -> Self {
        Self { watch, game: Game::Quake, context: Context::of(Game::Quake), here: ReaderPosition::default() }
    }

    pub(crate) fn take_format(&mut self, format: Format) {
        self.watch.take_format(format);
        self.game = format.game().unwrap_or(Game::Quake);
        self.context = Context::of(self.game);
    }

    pub(crate) fn take_piece(&mut self, piece: &Piece<'_>) {
        let Self { watch, game, context, here } = self;
        here.inside = matches!(piece, Piece::Block(_));
        if let Piece::Block(block) = piece {
            here.block += 1;
            here.data = here.offset + block.head_size(*game) as u64;
            match block.stamp {
                Stamp::Qwd { time, .. } => here.time = readable(f32::from_bits(time)),
                Stamp::Mvd { msec, .. } => {
                    *here.time.get_or_insert(0.0) += f64::from(msec) / 1000.0;
                }
                Stamp::None | Stamp::Mvd2 | Stamp::Record { .. } => {}
            }
        }
        here.at = 0;
        watch.take_piece(here, piece, context);
        if let Piece::Block(block) = piece {
            *context = with_table!(block.table(*game), D => messages::<D, W>(block, *context, here, watch));
        }
        here.offset += piece.size(*game);
    }

    pub(crate) fn end(mut self) -> W {
        self.here.inside = false;
        self.watch.end(&self.here);
        self.watch
    }
}

/// Shows the messages of one block; returns the context after it.
pub(crate) fn messages<D: Subject, W: Watch>(
    block: &Block<'_>,
    before: Context,
    here: &mut ReaderPosition,
    watch: &mut W,
) -> Context {
    let mut messages: Messages<'_, D> = block.messages(before);
    let (mut count, mut is_enough) = (0, false);
    while let Some(Entry { at, unicast, message }) = messages.next() {
        count += 1;
        here.at = at;
        let is_frame = D::clock(&message, here);
        let seen = SeenMessage { here, context: messages.context(), unicast };
        D::show(watch, &seen, &message);
        is_enough = is_frame && at == 0 && !watch.wants_frame(&seen, block);
        if is_enough {
            break;
        }
    }
    let after = *messages.context();
    here.at = messages.pos();
    let raw = if is_enough { &[] } else { messages.rest() };
    let fault = messages.fault();
    watch.block_end::<D>(
        here,
        &BlockRest { block, raw, fault, messages: count, before: &before, context_after: &after },
    );
    // A client's messages do not change the meaning of the server's blocks.
    if block.is_from_client() { before } else { after }
}
