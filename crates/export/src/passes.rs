//! Shares the tables of one recording among several cores: each core makes some of them in a pass of its own.

use crate::schema::Table;

/// Tables that are worth a pass of their own, the largest first: making their rows takes much longer than stepping
/// through the recording once more.
const SEPARATE_PASSES: [&[&str]; 3] = [&["messages"], &["entities"], &["positions", "ticks"]]; // not from SCHEMA: names of exported tables

/// Divides the tables into at most as many parts as there are cores. The bytes of a table do not depend on the other
/// tables in its part.
///
/// ```
/// use moviola_export::{passes, tables};
/// let usual = || tables::ALL.iter().copied().filter(|table| table.name != "messages");
/// assert_eq!(passes(usual().collect(), 1).len(), 1);
/// let parts = passes(usual().collect(), 2);
/// assert_eq!((parts.len(), parts[0][0].name), (2, "entities"));
/// assert_eq!(parts.concat().len(), usual().count());
/// ```
pub fn passes(tables: Vec<&'static Table>, cores: usize) -> Vec<Vec<&'static Table>> {
    let (mut parts, mut rest) = (Vec::new(), tables);
    for apart in SEPARATE_PASSES {
        let (own, others): (Vec<_>, Vec<_>) = rest.iter().partition(|table| apart.contains(&table.name));
        if parts.len() + 1 < cores && !own.is_empty() && !others.is_empty() {
            parts.push(own);
            rest = others;
        }
    }
    parts.push(rest);
    parts
}
