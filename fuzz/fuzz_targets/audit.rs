//! The audit of any recording ends, and its result is small.
#![no_main]

#[path = "../src/audit.rs"]
mod audit;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| audit::audit(bytes));
