//! The tests of the audit, in one program so that linking happens once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_cmp,
    reason = "a test may fail, and compares floats that have to be the very same"
)]

mod audit;
mod audit_made;
mod audit_rules;
mod audit_rules2;
mod common;
mod forensics;
mod fuzz_audit;
mod statistics;

#[path = "../../../state/tests/common/mod.rs"]
mod files;
