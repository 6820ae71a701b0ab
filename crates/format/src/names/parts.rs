//! Builds tables that share rows: the rows that a mission pack or a mod has in common with id's game exist
//! only once.

/// The rows of `table` from `first` on and before `end`; an `end` past the table does not compile.
pub(super) const fn rows<T>(table: &'static [T], first: usize, end: usize) -> &'static [T] {
    table.split_at(end).0.split_at(first).1
}

/// The parts one after the other. `N` is the total number of rows, which the compiler checks.
#[allow(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "runs in the compiler alone, where it is an error to fail"
)]
pub(super) const fn joined<T: Copy, const N: usize>(parts: &[&[T]]) -> [T; N] {
    let mut all = [parts[0][0]; N];
    let (mut part, mut row, mut at) = (0, 0, 0);
    while part < parts.len() {
        if row < parts[part].len() {
            all[at] = parts[part][row];
            (row, at) = (row + 1, at + 1);
        } else {
            (part, row) = (part + 1, 0);
        }
    }
    assert!(at == N, "a table has another length");
    all
}
