//! Checks on a platform without a test runner that pictures have the same bytes as on every other machine: `cargo
//! xtask targets` builds it for WebAssembly, and lets Node call `main`, which stops at the assertion.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "../tests/pinned/mod.rs"]
mod pinned;

fn main() {
    assert_eq!(pinned::hashes(), pinned::PINNED);
}
