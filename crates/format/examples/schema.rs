//! Prints the tables as lines: table, keyword, id, fields; the parts of a field stand behind it.

use moviola_format::Table;

fn main() {
    for table in Table::ALL {
        for row in table.schema() {
            let names: Vec<&str> = row.lines().map(|(name, ..)| name).collect();
            println!("{}\t{}\t{}\t{}", table.title(), row.name, row.op, names.join("\t"));
        }
    }
}
