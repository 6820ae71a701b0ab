//! The repository's own tasks.
fn main() {}
