//! Prints `docs/events.md` from the table of events, or with `typescript` their types for Node.js:
//! `cargo xtask generated --bless` calls it.

use moviola_analyse::{EventKind, FieldRow, Listed};

const HEAD: &str = "\
# Events

The events that `moviola events` lists, and the fields of its JSON Lines. `cargo xtask generated --bless` writes this page
from the table in the source.

Every event has

| key | meaning |
| --- | --- |
| `file` | the recording |
| `time` | the game's time in seconds: of the level's clock in Quake, of the frame's number in Quake II; missing before a level's first |
| `block` | the block, counted from 0 as in the text |
| `level` | the level, counted from 1; 0 before the first is announced |
| `kind` | one of the kinds below |
| `origin` | the place; if the kind has none, the position of the player who did it or died, if it is known |
| `evidence` | the sources of the event, such as `[\"print\",\"sound\",\"items\"]` for a pickup that was printed, heard, and seen among the items |

and the fields of its kind, except unknown ones. A `text` is plain ASCII; if the recording has other bytes, such as bronze
letters, `NAME_hex` contains them. A `player` is a name; `NAME_slot` is the slot, counted from 0, if it is known. A `place`
is three coordinates.
";

/// A note without its point, for a table.
fn note(row: &FieldRow) -> &str {
    row.note.trim_end_matches('.')
}

fn main() {
    if std::env::args().nth(1).is_some_and(|it| it == "typescript") {
        return typescript();
    }
    println!("{HEAD}");
    for row in EventKind::ROWS {
        println!("## {}\n\n{}\n", row.name, row.note);
        if row.listed == Listed::OnRequest {
            println!("`events` lists it with `--kind {}` or `-v` alone.\n", row.name);
        }
        if row.fields.is_empty() {
            continue;
        }
        println!("| field | type | meaning |\n| --- | --- | --- |");
        for field in row.fields {
            println!("| `{}` | {} | {} |", field.name, field.kind, note(field));
        }
        println!();
    }
}

/// The start of the types.
const TYPES: &str = "\
// Made from the list in crates/analyse/src/event/kinds.rs; `cargo xtask generated --bless` writes it anew.

/** The keys of every event. */
interface AnyEvent {
  /** The game's time in seconds; missing before a level's first. */
  time?: number;
  /** The block, counted from 0 as in the text. */
  block: number;
  /** The level, counted from 1; 0 before the first is announced. */
  level: number;
  /** The place, if the kind has no other: that of the player who did it or died of it. */
  origin?: [number, number, number];
  /** The parts of the recording that show it. */
  evidence?: string[];
}
";

/// The kinds of events as types. A field without a value is missing in an event.
fn typescript() {
    println!("{TYPES}");
    println!("/** The fields of each kind of event. */\nexport interface Kinds {{");
    for row in EventKind::ROWS {
        println!("  /** {} */\n  {}: {{", row.note, row.name);
        for FieldRow { name, kind, note } in row.fields {
            println!("    /** {note} */");
            let value = match *kind {
                "bool" => "boolean",
                "int" | "float" => "number",
                "place" => "[number, number, number]",
                _ => "string",
            };
            println!("    {name}?: {value};");
            if *kind == "player" {
                println!("    /** The player's slot, counted from 0. */\n    {name}_slot?: number;");
            }
            if ["player", "text"].contains(kind) {
                println!(
                    "    /** The exact bytes in hexadecimal, if they differ from the text. */\n    {name}_hex?: string;"
                );
            }
        }
        println!("  }};");
    }
    println!("}}\n");
    println!("/** The name of a kind of event. */\nexport type EventKind = keyof Kinds;\n");
    println!("/** An event; its `kind` tells which fields it has. */");
    println!("export type Event = {{ [K in EventKind]: AnyEvent & {{ kind: K }} & Kinds[K] }}[EventKind];");
}
