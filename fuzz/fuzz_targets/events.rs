//! Events and reports of any bytes, and of messages made from entropy.
#![no_main]

#[path = "../src/events.rs"]
mod events;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| events::events(bytes));
