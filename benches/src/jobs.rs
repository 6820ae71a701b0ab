//! The measured jobs. Each processes a whole recording in memory.

use crate::Input;
use moviola_analyse::{Events, Report, Reporter, Watch, watch};
use moviola_edit::{Cut, Spans};
use moviola_format::{
    Block, Context, Demo, Dialect, Game, Piece, Quake, Quake2, QuakeWorld, dem, dm2, qw, with_table,
};
use moviola_text::{CompileOptions, DecompileOptions};
use std::hint::black_box;

/// Reads every message, typed; returns their number.
pub fn read(input: &Input) -> usize {
    let mut sum = 0;
    blocks(input, |block, context| {
        with_table!(block.table(input.game), D => {
            let mut messages = block.messages::<D>(*context);
            // The entry is used by reference: moving it out of the option would copy it, which takes as long as
            // reading.
            while let Some(entry) = &messages.next() {
                black_box(entry);
                sum += 1;
            }
            *context = *messages.context();
        });
    });
    sum
}

/// Skips all messages except one kind; returns the number of that kind.
pub fn count_prints(input: &Input) -> usize {
    match input.game {
        Game::Quake => each::<Quake>(input, |it| matches!(it, dem::Message::Print(_))),
        Game::Quake2 => each::<Quake2>(input, |it| matches!(it, dm2::Message::Print(_))),
        Game::QuakeWorld => each::<QuakeWorld>(input, |it| matches!(it, qw::Message::Print(_))),
    }
}

/// Reads every message and writes it again, into the same buffer; returns the number of bytes written.
pub fn read_write(input: &Input) -> usize {
    let (mut out, mut sum) = (Vec::new(), 0);
    blocks(input, |block, context| {
        out.clear();
        with_table!(block.table(input.game), D => {
            let mut messages = block.messages::<D>(*context);
            while let Some(entry) = &messages.next() {
                entry.write(&mut out, messages.context());
            }
            *context = *messages.context();
        });
        sum += black_box(&out).len();
    });
    sum
}

/// Converts the recording to text, in the same buffer each time.
pub fn decompile(input: &Input, bare: bool, text: &mut Vec<u8>) {
    text.clear();
    let options = DecompileOptions { bare, ..DecompileOptions::default() };
    // Writing to memory does not fail.
    let _ = moviola_text::decompile(&input.bytes[..], &mut *text, &options);
    black_box(text);
}

/// Converts a text to a recording, in the same buffer each time.
pub fn compile(text: &[u8], recording: &mut Vec<u8>) {
    recording.clear();
    // A decompiled text always compiles; after a mistake the recording would be too small.
    let _ = black_box(moviola_text::compile(text, &mut *recording, &CompileOptions::default()));
    black_box(recording);
}

/// Converts a recording of input to text.
pub fn decompile_pressed(recording: &[u8], text: &mut Vec<u8>) {
    text.clear();
    let _ = moviola_input::decompile(recording, &mut *text, &moviola_input::InputTextOptions::default());
    black_box(text);
}

/// Converts the text of a recording of input to bytes.
pub fn compile_pressed(text: &[u8], recording: &mut Vec<u8>) {
    recording.clear();
    let spool = std::io::Cursor::new(Vec::new());
    let _ = black_box(moviola_input::compile(text, &mut *recording, spool));
    black_box(recording);
}

/// Computes the world after each block, for a watcher that ignores it.
pub fn step(input: &Input) {
    struct Idle;
    impl Watch for Idle {}
    // Reading from memory does not fail.
    let _ = watch(black_box(&input.bytes[..]), &mut [&mut Idle]);
}

/// Finds all events; returns their number.
pub fn events(input: &Input) -> usize {
    let mut count = 0;
    let mut events = Events::new(|event| {
        black_box(&event);
        count += 1;
    });
    let _ = watch(black_box(&input.bytes[..]), &mut [&mut events]);
    drop(events);
    count
}

/// Cuts the first blocks after the sign-on, in two passes as the program does; returns the number of bytes left.
pub fn cut(input: &Input) -> u64 {
    let Ok(spans) = Spans::parse("#50..") else { return 0 };
    let Ok(found) = spans.find(black_box(&input.bytes[..])) else { return 0 };
    let cut = moviola_edit::rewrite(&input.bytes[..], &mut Cut::keep(found), std::io::sink());
    cut.map_or(0, |summary| summary.bytes_out)
}

/// Makes the report, without the audit that normally is a part of it.
pub fn report(input: &Input) -> Report {
    let mut reporter = Reporter::new();
    let _ = watch(black_box(&input.bytes[..]), &mut [&mut reporter]);
    reporter.report()
}

/// The time that the machine needs just to copy the bytes.
pub fn copy(input: &Input, to: &mut Vec<u8>) {
    to.clear();
    to.extend_from_slice(black_box(&input.bytes));
    black_box(to);
}

/// The number of messages of the game's own table for which `see` is true.
fn each<D: Dialect>(input: &Input, see: impl Fn(&D::Message<'_>) -> bool) -> usize {
    let mut sum = 0;
    blocks(input, |block, context| {
        if block.table(input.game) != input.game.table() {
            return;
        }
        let mut messages = block.messages::<D>(*context);
        while let Some(entry) = &messages.next() {
            sum += usize::from(see(&black_box(entry).message));
        }
        *context = *messages.context();
    });
    sum
}

fn blocks(input: &Input, mut see: impl FnMut(Block<'_>, &mut Context)) {
    let Ok(mut demo) = Demo::new(&input.bytes[..]) else { return };
    let mut context = Context::of(input.game);
    while let Ok(Some(piece)) = demo.next_piece() {
        if let Piece::Block(block) = piece {
            see(block, &mut context);
        }
    }
}
