//! Prints the tables as lines: game, keyword, id, fields; the parts of a field stand behind it.

use moviola_format::{Message, Schema, dem, dm2};

fn main() {
    print_rows("quake", dem::Message::SCHEMA);
    print_rows("quake2", dm2::Message::SCHEMA);
}

fn print_rows(game: &str, rows: &[Schema]) {
    for row in rows {
        let names: Vec<&str> = row.lines().map(|(name, ..)| name).collect();
        println!("{game}\t{}\t{}\t{}", row.name, row.op, names.join("\t"));
    }
}
