//! Whatever a recording claims, its audit is small and ends.
#![no_main]

#[path = "../src/audit.rs"]
mod audit;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| audit::audit(bytes));
