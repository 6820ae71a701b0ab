//! The checks of the fuzz targets: plain functions that panic, so that a normal test can replay a failing input.

use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::*;
use std::io::{self, ErrorKind, Read};

/// Reads any bytes as a file, and as a block with the context that the first byte selects. Writing them again must give
/// the same bytes.
pub fn read_write(bytes: &[u8]) {
    file(bytes);
    let Some((choice, block)) = bytes.split_first() else { return };
    let context = context(*choice);
    with_table!(context.game.table(), D => drop(read_all::<D>(Messages::new(block, context))));
    if context.game == Game::QuakeWorld {
        drop(read_all::<Hidden>(Messages::new(block, context)));
        drop(read_all::<ClientRecords>(Messages::new(block, context)));
    }
}

/// A file is read in pieces whose sizes the first four bytes select, and gives the same result as the whole file.
pub fn chunks(bytes: &[u8]) {
    let Some((cuts, file)) = bytes.split_at_checked(4) else { return };
    let whole = pieces(file);
    let cut = pieces(Cut { file, cuts, turn: 0 });
    assert!(whole == cut, "read otherwise in pieces");
    let length: usize = whole.iter().map(|(_, bytes)| bytes.len()).sum();
    assert_eq!(length, file.len(), "bytes were lost");
}

/// Messages are made in the context that the first byte selects, and written as a block: the same messages are read.
pub fn structured(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let context = context(*choice);
    with_table!(context.game.table(), D => check_messages::<D>(bytes, context));
}

fn check_messages<D: Dialect>(bytes: &[u8], context: Context) {
    let (kept, mut block) = (EntropyBytes::default(), Vec::new());
    let written = Entropy::new(bytes, &kept, context).block::<D>(&mut block);
    let (block, _) = kept.keep(&block);
    let read = read_all(Messages::<D>::new(block, context));
    let (start, mut context, mut compared) = (context, context, 0);
    for made in &written {
        // If a question is open, the bytes may be read in another way that is equally valid.
        if is_open(&context) || is_announced(made, &context) {
            return;
        }
        let Some(read) = read.get(compared) else { break };
        if is_other_shape::<D>(&made.message, &read.message) {
            return;
        }
        assert_eq!(made, read);
        D::observe(&made.message, &mut context);
        compared += 1;
    }
    let mut messages = Messages::<D>::new(block, start);
    while messages.next().is_some() {}
    // If the first model of an announcement is not a level, it may also be the re-release's announcement.
    if messages.fault().is_some_and(|it| matches!(it.kind, FaultKind::RawProtocol(_))) {
        return;
    }
    assert!(compared == written.len(), "only {compared} of {} messages were read", written.len());
}

/// Whether the protocol in a `serverdata` is a number that announces extensions. A text can contain such a protocol,
/// but the bytes after it are then read as the flags of extensions.
fn is_announced<'a, M>(made: &Entry<M>, context: &Context) -> bool
where
    M: Message<'a>,
{
    if context.game != Game::QuakeWorld || made.message.op() != qw::ServerData::OP {
        return false;
    }
    let mut bytes = Vec::new();
    made.write(&mut bytes, context);
    let none = Ok(ExtensionList::default());
    let has_word = |bytes: &[u8]| ExtensionList::read(&mut Reader::new(bytes, context)) != none;
    bytes.windows(8).any(has_word)
}

/// Whether the head of a frame fits another form as well as its own.
fn is_other_shape<'a, D: Dialect>(made: &D::Message<'a>, read: &D::Message<'a>) -> bool {
    D::GAME == Game::Quake2 && made.op() == dm2::FrameMessage::OP && made != read
}

/// Whether a property of the next message is not known and must be guessed.
fn is_open(context: &Context) -> bool {
    let answers = [context.nehahra, context.wide_static_sounds];
    let open = context.items == ItemsRule::Unknown || answers.contains(&Answer::Open) || context.mission_pack;
    context.game == Game::Quake && open
}

/// One of all contexts in which blocks are read.
fn context(choice: u8) -> Context {
    let choice = usize::from(choice);
    let mut context = Context::quake();
    match choice {
        0..16 => {
            let (protocol, isdemo) = ([26, 31, 32, 34][choice % 4], [0, 1, 2, 0x80][choice / 4]);
            context = Context::quake2();
            context.set_quake2_protocol(protocol, isdemo);
        }
        16..48 => {
            let bits = (0u32..5).filter(|bit| (choice - 16) >> bit & 1 != 0);
            context.set_quake_protocol(999, bits.map(|bit| [2, 4, 8, 0x10, 0x80][bit as usize]).sum());
        }
        48..80 => {
            // The extensions of a serverdata: none, those of MVDSV and of ezQuake, and all that can be read.
            let extensions = [[0, 0, 0], [0x2140_7000, 2, 1], [0x0148_7008, 1, 0x20], [0x2148_F00F, 2, 0x33]];
            let [fte, fte2, mvd1] = extensions[choice / 2 % 4];
            context = Context::quakeworld();
            context.mvd = choice % 2 == 1;
            context.set_quakeworld_protocol(24 + choice as i32 / 8 % 5, Extensions { fte, fte2, mvd1 });
        }
        80..84 => {
            context = Context::quake2();
            context.set_quake2_protocol([3434, 3435, 3436, 3436][choice - 80], 1);
        }
        _ => {
            let protocol = [15, 250, 666, 668, 10000, 10001, 10002][choice % 7];
            context.set_quake_protocol(protocol, 0);
            // In half of the contexts all questions are answered.
            if choice >= 128 {
                let way = |bit: usize| if choice >> bit & 1 != 0 { Answer::Yes } else { Answer::No };
                if context.nehahra == Answer::Open {
                    context.nehahra = way(3);
                }
                if context.wide_static_sounds == Answer::Open {
                    context.wide_static_sounds = way(4);
                }
                if context.items == ItemsRule::Unknown {
                    context.items = if choice >> 5 & 1 != 0 { ItemsRule::ByBit } else { ItemsRule::Always };
                }
                context.mission_pack = choice >= 0xF0;
            }
        }
    }
    context
}

/// Reads a file and writes it again: its pieces, and the messages of its blocks.
fn file(bytes: &[u8]) {
    let mut demo = Demo::new(bytes).expect("memory can be read");
    let game = demo.game().unwrap_or(Game::Quake);
    let (mut context, mut copy) = (Context::of(game), Vec::with_capacity(bytes.len()));
    while let Some(piece) = demo.next_piece().expect("memory can be read") {
        piece.write(game, &mut copy).expect("memory can be written");
        let Piece::Block(block) = piece else { continue };
        context = with_table!(block.table(game), D => follow(block.messages::<D>(context)));
    }
    assert!(copy == bytes, "the pieces are not the file");
}

/// Reads and writes a block; returns the context after it.
fn follow<D: Dialect>(messages: Messages<'_, D>) -> Context {
    let mut behind = *messages.context();
    read_and_write(messages, &mut behind);
    behind
}

fn read_all<D: Dialect>(messages: Messages<'_, D>) -> Vec<Entry<D::Message<'_>>> {
    let mut behind = *messages.context();
    read_and_write(messages, &mut behind)
}

fn read_and_write<'a, D: Dialect>(
    mut messages: Messages<'a, D>,
    context: &mut Context,
) -> Vec<Entry<D::Message<'a>>> {
    let block = messages.rest();
    let (mut copy, mut entries) = (Vec::with_capacity(block.len()), Vec::new());
    while let Some(entry) = messages.next() {
        entry.write(&mut copy, context);
        *context = *messages.context();
        assert!(block.starts_with(&copy) && copy.len() == messages.pos(), "{entry:?} is written otherwise");
        entries.push(entry);
    }
    *context = *messages.context();
    assert_eq!(messages.fault().is_some(), !messages.rest().is_empty(), "a fault leaves bytes over");
    copy.extend_from_slice(messages.rest());
    assert!(copy == block, "the messages are not the block");
    entries
}

/// The offset and the bytes of each piece.
fn pieces(source: impl Read) -> Vec<(u64, Vec<u8>)> {
    let mut demo = Demo::new(source).expect("the source never fails");
    let game = demo.game().unwrap_or(Game::Quake);
    let mut all = Vec::new();
    loop {
        let mut bytes = Vec::new();
        match demo.next_piece().expect("the source never fails") {
            Some(piece) => piece.write(game, &mut bytes).expect("memory can be written"),
            None => return all,
        }
        all.push((demo.offset(), bytes));
    }
}

/// A reader that returns a chosen number of bytes at a time, or an interruption if the number is 0.
struct Cut<'a> {
    file: &'a [u8],
    cuts: &'a [u8],
    turn: usize,
}

impl Read for Cut<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.cuts.get(self.turn % self.cuts.len()).copied().map_or(1, usize::from);
        self.turn += 1;
        if length == 0 && self.turn.is_multiple_of(2) {
            return Err(ErrorKind::Interrupted.into());
        }
        let length = (length * length).max(1).min(buffer.len()).min(self.file.len());
        let (now, later) = self.file.split_at(length);
        buffer[..length].copy_from_slice(now);
        self.file = later;
        Ok(length)
    }
}
