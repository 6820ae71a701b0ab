//! Writes `docs/schema.md` from the tables, or with `typescript` their types for Node.js. `cargo xtask generated` runs it.

use moviola_catalog::ROWS;
use moviola_export::schema::{Column, ColumnKind};
use moviola_export::tables::{ALL, SCHEMA_VERSION};
use moviola_export::tics::TICS;
use std::io::{self, Write};

const START: &str = "\
# The tables of `moviola export` and `moviola catalog`

Made from the lists in `crates/export/src/tables.rs`, `crates/export/src/tics.rs` and `crates/catalog/src/table.rs`; `cargo xtask generated --bless` writes it anew.

The columns and their types are the same in Parquet, CSV and JSON Lines, and for every recording. Units are the game's:
32 units are about a meter. A cell marked *may be empty* is null in Parquet and JSON, and nothing between the commas in
CSV, where an empty text is `\"\"`. `VARCHAR, one of a few` is a word of a short list, and a column with a dictionary;
`VARCHAR[]` is a list, in CSV an array of JSON. Text is what a person reads on the screen; `_hex` columns hold the bytes
where they differ from it. A number that is not finite is `NaN`, `inf` or `-inf` in CSV and null in JSON.

[export.md](export.md) shows how to make the tables and what to ask them. The table
`tics` is that of DOOM's and Duke's recordings. The last one is what `moviola catalog` makes, and its columns are the
words of `moviola find`.
";

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    if std::env::args().nth(1).is_some_and(|it| it == "typescript") {
        return typescript(&mut out);
    }
    out.write_all(START.as_bytes())?;
    writeln!(
        out,
        "\nThis is version {SCHEMA_VERSION} of the tables, `schema_version`. Columns may be added without another version; what is \
         renamed, removed or\nchanges its type or meaning makes one, and the changelog says what. Keys of `--json` are held to the \
         same promise."
    )?;
    for table in ALL.iter().chain(&[TICS, ROWS]) {
        writeln!(out, "\n## {}\n\n{}\n", table.name, table.note.trim())?;
        writeln!(out, "| column | type | unit | |\n|---|---|---|---|")?;
        for column in table.columns {
            let empty = if column.optional { "; may be empty" } else { "" };
            let few = if column.kind == ColumnKind::Name { ", one of a few" } else { "" };
            let (name, kind, unit) = (column.name, column.kind.sql(), column.unit);
            writeln!(out, "| `{name}` | {kind}{few}{empty} | {unit} | {} |", column.note.trim())?;
        }
    }
    Ok(())
}

/// The rows of the tables as types.
fn typescript(out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "// Made from the lists in crates/export/src/tables.rs; `cargo xtask generated --bless` writes it anew."
    )?;
    writeln!(out, "\n/** The rows of each table. */\nexport interface Tables {{")?;
    for table in ALL {
        writeln!(out, "  /** {} */\n  {}: {{", table.note.trim(), table.name)?;
        for column in table.columns {
            let unit = if column.unit.is_empty() { String::new() } else { format!(" In {}.", column.unit) };
            writeln!(out, "    /** {}{unit} */", column.note.trim())?;
            writeln!(out, "    {}: {};", column.name, type_of(column))?;
        }
        writeln!(out, "  }};")?;
    }
    writeln!(out, "}}")
}

fn type_of(column: &Column) -> String {
    let kind = match column.kind {
        ColumnKind::Bool => "boolean",
        ColumnKind::Int | ColumnKind::Long | ColumnKind::Float | ColumnKind::Double => "number",
        ColumnKind::Text | ColumnKind::Name => "string",
        ColumnKind::List => "string[]",
    };
    format!("{kind}{}", if column.optional { " | null" } else { "" })
}
