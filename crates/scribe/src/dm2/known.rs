//! Protocols that a reader should recognize by their first message and keep raw (wire C1.1, C7 to C9).
//!
//! Only the announcement follows the fact sheet; the blocks after it are bytes of roughly the right shape,
//! and every block counts as raw.

use crate::{End, Sample, Tape, Wire};

const TITLE: &str = "Outer Base";

pub(super) fn samples() -> Vec<Sample> {
    let known = [
        ("dm2-35-known", "Protocol 35, R1Q2's, as it goes over the wire (wire C7.3)", 35, r1q2()),
        ("dm2-36-known", "Protocol 36, Q2PRO's, as it goes over the wire (wire C7.4)", 36, q2pro()),
        ("dm2-56-known", "Protocol 56, KMQuake2; only its number is known", 56, plain(56)),
        ("dm2-2022-known", "Protocol 2022, recordings of the 2023 release (wire C9)", 2022, rerelease(2022)),
        ("dm2-2023-known", "Protocol 2023, the network of the 2023 release (wire C9)", 2023, rerelease(2023)),
    ];
    let mut samples: Vec<Sample> = known
        .into_iter()
        .map(|(name, about, protocol, head)| raw(name, about, protocol, &head, 0x14, true))
        .collect();
    samples.push(raw(
        "dm2-25-test",
        "The test release's protocol 25: ids are five lower, no end mark (wire C8); what follows the number in \
         its serverdata is a guess",
        25,
        &test_release(),
        0x12,
        false,
    ));
    samples
}

fn raw(name: &'static str, about: &'static str, protocol: i32, head: &[u8], frame: u8, mark: bool) -> Sample {
    let mut tape = Tape::dm2();
    tape.announce(protocol, "", TITLE);
    tape.dm2_block_raw(&[], head);
    for sequence in 1..=20 {
        let noise = sequence as u8;
        let block =
            Wire::id(frame).i32(sequence).i32(-1).u8(0).u8(2).raw(&[0xFF, 0x0F, noise, 0xAA, 0x55]).done();
        tape.dm2_block_raw(&[], &block);
    }
    if mark {
        tape.mark();
    }
    tape.finish(name, about, if mark { End::Mark } else { End::Open })
}

/// The serverdata of 34 under another number, and one string.
fn plain(protocol: i32) -> Vec<u8> {
    head(protocol).i32(0x1234).u8(1).str0("").i16(0).str0(TITLE).raw(&map_string(0x0D)).done()
}

fn head(protocol: i32) -> Wire {
    Wire::id(0x0C).i32(protocol)
}

fn map_string(id: u8) -> Vec<u8> {
    Wire::id(id).i16(33).str0("maps/base1.bsp").done()
}

/// After the title: enhanced, minor version, advanced deltas, strafe jumping.
fn r1q2() -> Vec<u8> {
    let wire = head(35).i32(0x1234).u8(1).str0("").i16(0).str0(TITLE);
    wire.u8(0).u16(1905).u8(0).u8(0).raw(&map_string(0x0D)).done()
}

/// After the title: minor version, server state, flags.
fn q2pro() -> Vec<u8> {
    let wire = head(36).i32(0x1234).u8(1).str0("").i16(0).str0(TITLE);
    wire.u16(1024).u8(2).u16(1).raw(&map_string(0x0D)).done()
}

/// A tick rate precedes the game directory.
fn rerelease(protocol: i32) -> Vec<u8> {
    let wire = head(protocol).i32(0x1234).u8(1).u8(40).str0("baseq2").i16(0).str0(TITLE);
    wire.raw(&map_string(0x0D)).done()
}

fn test_release() -> Vec<u8> {
    let wire = Wire::id(0x07).i32(25).i32(0x1234).u8(1).str0("").i16(0).str0(TITLE);
    wire.raw(&map_string(0x08)).done()
}
