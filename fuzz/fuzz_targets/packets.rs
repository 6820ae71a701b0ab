//! Any bytes as single packets of each protocol, for every parser of packets.
#![no_main]

#[path = "../src/packets.rs"]
mod packets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| packets::packets(bytes));
