//! Checks that pictures have the bytes of every other machine, where no test runs: `cargo xtask targets` builds it for
//! WebAssembly, and lets Node call `main`, which stops at the assertion.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "../tests/pinned/mod.rs"]
mod pinned;

fn main() {
    assert_eq!(pinned::hashes(), pinned::PINNED);
}
