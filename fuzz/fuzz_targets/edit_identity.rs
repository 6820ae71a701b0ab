//! An edit that changes nothing gives the identical file, for any file.
#![no_main]

#[path = "../src/edit.rs"]
mod edit;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| edit::edit_identity(bytes));
