//! Prints `docs/events.md` from the table of events: `cargo xtask generated --bless` calls it.

use moviola_analyse::{FieldRow, Kind, Listed};

const HEAD: &str = "\
# Events

What `moviola events` says, and what its JSON Lines hold. This page is generated from the table of the source;
`cargo xtask generated --bless` writes it.

Every event has

| key | what it is |
| --- | --- |
| `file` | the recording |
| `time` | the game's time in seconds: of the level's clock in Quake, of the frame's number in Quake II; missing before a level's first |
| `block` | the block, counted from 0 as in the text |
| `level` | the level, counted from 1; 0 before the first is announced |
| `kind` | one of the kinds below |
| `origin` | where: of what its kind gives no place, where he stood who did it or died of it, as far as he is seen |
| `evidence` | what tells of it: what agrees is named together, as `[\"print\",\"sound\",\"items\"]` for a pickup that was printed, heard, and seen in what is carried |

and the fields of its kind; one that is not known is missing. A `text` is plain ASCII; where the recording has other
bytes, bronze letters for example, they stand in `NAME_hex`. A `player` is a name, with the slot, counted from 0, in
`NAME_slot` where it is known. A `place` is three coordinates.
";

/// A note without its point, for a table.
fn note(row: &FieldRow) -> &str {
    row.note.trim_end_matches('.')
}

fn main() {
    println!("{HEAD}");
    for row in Kind::ROWS {
        println!("## {}\n\n{}\n", row.name, row.note);
        if row.listed == Listed::OnRequest {
            println!("`events` lists it with `--kind {}` or `-v` alone.\n", row.name);
        }
        if row.fields.is_empty() {
            continue;
        }
        println!("| field | type | what it is |\n| --- | --- | --- |");
        for field in row.fields {
            println!("| `{}` | {} | {} |", field.name, field.kind, note(field));
        }
        println!();
    }
}
