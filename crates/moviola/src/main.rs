//! The `moviola` program.
fn main() {}
