//! Recordings that are odd as files: headers, ends, empty and damaged blocks, several levels.

use super::play::TICKS;
use super::{Level, Net, Play, disconnect, nop, print, stufftext, time};
use crate::tape::dem_block;
use crate::{End, Message, Sample, Tape, Wire};

pub(super) fn samples() -> Vec<Sample> {
    let mut samples = headers();
    samples.extend([
        open_strings(),
        strange_cameras(),
        empty_blocks(),
        upward(),
        cut("dem-cut-block", "The last block is announced whole and cut inside its messages", 40),
        cut("dem-cut-header", "The file stops inside the 16 bytes before the last block's messages", 9),
        no_disconnect(),
        trailing(
            "dem-trailing-short",
            "A few bytes behind the disconnect block, too few for a block",
            b"\x1A\0\0",
        ),
        trailing(
            "dem-trailing-text",
            "Text behind the disconnect block, whose first four bytes are not a likely length",
            b"this demo was recorded by hand, have fun",
        ),
        levels(
            "dem-15-levels",
            "Two levels of protocol 15",
            &[(Net::netquake(), "e1m1"), (Net::netquake(), "e1m2")],
        ),
        levels(
            "dem-15-666-999-levels",
            "Three levels, each in another protocol",
            &[(Net::netquake(), "e1m1"), (Net::fitz(), "e1m2"), (Net::rmq(0x82), "e1m3")],
        ),
        glued(),
        damaged(),
        damaged_last(),
        huge_length(),
    ]);
    samples
}

fn slipgate() -> Play {
    Play::new(Net::netquake(), Level::slipgate())
}

/// A short game under a header; the first block contains these messages besides the announcement.
fn headed(name: &'static str, about: &'static str, header: &[u8], first: &[Message]) -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(header);
    if !first.is_empty() {
        tape.dem_block([0.0; 3], first);
    }
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..6);
    Play::stop(&mut tape);
    tape.finish(name, about, End::Disconnect)
}

/// A print with a length that makes the block exactly this many bytes long.
fn print_of(length: usize) -> Message {
    print(vec![b'-'; length - 2])
}

fn headers() -> Vec<Sample> {
    let safe = [print_of(200)];
    vec![
        headed("dem-header-none", "No CD track line at all (D2 6.1.1)", b"", &safe),
        headed("dem-header-track", "A track of two digits", b"10\n", &[]),
        headed(
            "dem-header-sign-behind",
            "The sign behind the number, right for 1.09 only (D2 6.1.2)",
            b"1-\n",
            &[],
        ),
        headed(
            "dem-header-blank-behind",
            "A blank instead of the newline; the length of the first block begins with an L, which gives the \
             bytes `-1 L` and zeros (wire A0.2 shows them without saying where the header ends)",
            b"-1 ",
            &[print_of(0x4C)],
        ),
        headed("dem-header-blank-before", "A blank before the number", b" 2\n", &[]),
        headed("dem-header-return", "A carriage return before the newline", b"2\r\n", &[]),
        headed("dem-header-hex", "A number as C would write it", b"0x2\n", &[]),
        headed("dem-header-zeros", "A number with a leading zero", b"02\n", &[]),
        headed("dem-header-plus", "A number with a plus sign", b"+2\n", &[]),
        headed(
            "dem-header-bare-number",
            "A number and no newline, the first block follows at once",
            b"-1",
            &safe,
        ),
        headed("dem-header-empty-line", "A newline and no number", b"\n", &[]),
        headed(
            "dem-header-blank-length",
            "The length of the first block begins with a byte that is a newline too; readers before 1.09 choke \
             on it (D2 6.1.1)",
            b"-1\n",
            &[print_of(0x0A)],
        ),
    ]
}

/// Blocks whose last string lacks its zero byte.
fn open_strings() -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    let mut open = print("You got the nailgun");
    open.pop();
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..5);
    tape.dem_block(Play::camera(5), &[time(1.7), open]);
    play.run(&mut tape, 5..8);
    tape.dem_block(Play::camera(8), &[time(2.0), vec![0x09]]);
    play.run(&mut tape, 8..TICKS);
    Play::stop(&mut tape);
    tape.finish(
        "dem-open-strings",
        "Two blocks end inside a string, one of them right behind its id",
        End::Disconnect,
    )
}

/// Camera angles and times that would change if they were computed with.
fn strange_cameras() -> Sample {
    let bits = [
        [0x7FC0_0001, 0xFFC0_1234, 0x7F80_0001],
        [0x8000_0000, 0x0000_0001, 0x807F_FFFF],
        [0x7F80_0000, 0xFF80_0000, 0x7F7F_FFFF],
        [0x7FFF_FFFF, 0xFFFF_FFFF, 0x0080_0000],
    ];
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    for (tick, camera) in bits.into_iter().enumerate() {
        let mut block = play.tick(tick);
        block.extend(camera.map(|bits| time(f32::from_bits(bits))));
        tape.dem_block(camera.map(f32::from_bits), &block);
    }
    play.run(&mut tape, 4..TICKS);
    Play::stop(&mut tape);
    tape.finish(
        "dem-strange-floats",
        "Cameras and times that are NaN with a payload, negative zero, denormal or infinite",
        End::Disconnect,
    )
}

/// Blocks without messages, with a camera and without.
fn empty_blocks() -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..5);
    tape.dem_block([0.0; 3], &[]);
    play.run(&mut tape, 5..9);
    tape.dem_block(Play::camera(9), &[]);
    tape.dem_block(Play::camera(10), &[]);
    tape.dem_block(Play::camera(11), &[nop()]);
    play.run(&mut tape, 9..TICKS);
    Play::stop(&mut tape);
    tape.finish(
        "dem-empty-blocks",
        "Blocks that are nothing but a camera; id's engine stops at them",
        End::Disconnect,
    )
}

/// Messages that the client sent, between those that it received.
fn upward() -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    for tick in 0..TICKS {
        tape.dem_block_upward(Play::camera(tick), &[0x03, 0xCD, 0xCC, 0x8C, 0x3F, 0, 64, 0, 0, 0, 0]);
        tape.dem_block(Play::camera(tick), &play.tick(tick));
    }
    Play::stop(&mut tape);
    tape.finish(
        "dem-darkplaces-upward",
        "Client-to-server blocks with bit 31 of the length set; their length is the other 31 bits (wire A0.4)",
        End::Disconnect,
    )
}

fn cut(name: &'static str, about: &'static str, left: usize) -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..10);
    let block = dem_block(Play::camera(10), &play.tick(10), &[]);
    tape.loose(block.get(..left).unwrap_or(&block));
    tape.finish(name, about, End::Cut(left))
}

fn no_disconnect() -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..TICKS);
    tape.finish("dem-no-disconnect", "The file stops behind a whole block", End::Open)
}

fn trailing(name: &'static str, about: &'static str, junk: &[u8]) -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..TICKS);
    Play::stop(&mut tape);
    tape.loose(junk);
    tape.finish(name, about, End::Trailing(junk.len()))
}

fn levels(name: &'static str, about: &'static str, maps: &[(Net, &'static str)]) -> Sample {
    let mut tape = Tape::dem(b"-1\n");
    for (place, &(net, map)) in maps.iter().enumerate() {
        let title =
            ["the Slipgate Complex", "Castle of the Damned", "the Necropolis"].get(place).unwrap_or(&"");
        let play = Play::new(net, Level { map, title, ..Level::slipgate() });
        play.sign_on(&mut tape);
        play.run(&mut tape, 0..TICKS);
        if place + 1 < maps.len() {
            tape.dem_block(Play::camera(TICKS), &[stufftext("reconnect\n")]);
        }
    }
    Play::stop(&mut tape);
    tape.finish(name, about, End::Disconnect)
}

/// Two recordings joined by hand: a disconnect block in the middle.
fn glued() -> Sample {
    let mut tape = Tape::dem(b"-1\n");
    for (map, title) in [("e1m1", "the Slipgate Complex"), ("start", "Introduction")] {
        let play = Play::new(Net::netquake(), Level { map, title, ..Level::slipgate() });
        play.sign_on(&mut tape);
        play.run(&mut tape, 0..TICKS);
        Play::stop(&mut tape);
    }
    tape.finish("dem-glued", "Two levels with a disconnect block between them", End::Disconnect)
}

/// A block that is unreadable from some byte on, between good ones.
fn damaged() -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..9);
    let good = play.tick(9);
    tape.dem_block_raw(Play::camera(9), &good, &[60, 0xDE, 0xAD, 0xBE, 0xEF, 0xFF, 0x0F, 0x00]);
    play.run(&mut tape, 10..TICKS);
    Play::stop(&mut tape);
    tape.finish(
        "dem-damaged-block",
        "One block ends with the unknown id 60 and bytes behind it",
        End::Disconnect,
    )
}

/// A last block of random bytes.
fn damaged_last() -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..TICKS);
    tape.dem_block_raw(Play::camera(TICKS), &[], &[0x3C, 0x3D, 0x3E, 0x3F, 0x00, 0x15]);
    tape.finish("dem-damaged-last-block", "The last block begins with an unknown id", End::Open)
}

/// A length far beyond the file. It is not negative, because with bit 31 it would be a `DarkPlaces` client block.
fn huge_length() -> Sample {
    let play = slipgate();
    let mut tape = Tape::dem(b"-1\n");
    play.sign_on(&mut tape);
    play.run(&mut tape, 0..10);
    let block = Wire::new().i32(0x7F00_0001).each(Play::camera(10), Wire::f32).raw(&disconnect()).done();
    tape.loose(&block);
    tape.finish("dem-huge-length", "The last block claims two thousand million bytes", End::Cut(block.len()))
}
