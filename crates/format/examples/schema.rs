//! Prints the tables of Quake and Quake II as lines: table, keyword, id, fields; the parts of a field follow it. The
//! tables of QuakeWorld are left out: they have common words such as `jump` and `text`, so a search for second
//! definitions would find too much.

use moviola_format::{Game, Table};

fn main() {
    for table in Table::ALL.into_iter().filter(|table| table.game() != Game::QuakeWorld) {
        for row in table.schema() {
            let names: Vec<&str> = row.lines().map(|(name, ..)| name).collect();
            println!("{}\t{}\t{}\t{}", table.title(), row.name, row.op, names.join("\t"));
        }
    }
}
