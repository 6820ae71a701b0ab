//! Prints the tables of Quake and Quake II as lines: table, keyword, id, fields; the parts of a field stand behind it.
//! Those of QuakeWorld have common words such as `jump` and `text`, in which no search finds second definitions.

use moviola_format::{Game, Table};

fn main() {
    for table in Table::ALL.into_iter().filter(|table| table.game() != Game::QuakeWorld) {
        for row in table.schema() {
            let names: Vec<&str> = row.lines().map(|(name, ..)| name).collect();
            println!("{}\t{}\t{}\t{}", table.title(), row.name, row.op, names.join("\t"));
        }
    }
}
