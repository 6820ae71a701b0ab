//! Writes the generated parts of `docs` from the tables. `cargo xtask generated` runs it; its argument names
//! the file to write. The text between the file's marks is replaced, all other text stays.

use moviola_format::names::{ALL, Meaning};
use moviola_format::{Field, Flags, Message, Schema, TempKind, TempKind2, dem, dm2, family};
use moviola_text::{StatementKind, TextCode};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

type Outcome = Result<String, Box<dyn Error>>;

const END: &str = "<!-- end of generated -->";

fn main() -> Result<(), Box<dyn Error>> {
    let paper = match std::env::args().nth(1).as_deref() {
        Some("text") => text(),
        Some("values") => values(),
        Some("diagnostics") => diagnostics(),
        _ => Err("say text, values or diagnostics".into()),
    }?;
    print!("{paper}");
    Ok(())
}

fn read(name: &str) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    Ok(std::fs::read_to_string(path)?)
}

/// Replaces the text between the marks of this name in a file.
fn put(paper: &str, mark: &str, fresh: &str) -> Outcome {
    let start = format!("<!-- generated: {mark} -->\n");
    let (before, rest) = paper.split_once(&start).ok_or_else(|| format!("no mark for {mark}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("no end for {mark}"))?;
    Ok(format!("{before}{start}{fresh}{END}{after}"))
}

/// The manual of the language: all messages of the games.
fn text() -> Outcome {
    let paper = read("text.md")?;
    let known = known_kinds(&paper)?;
    let quake = messages(dem::Message::SCHEMA, &known)?
        + &temp_entities("Quake", dem::Message::SCHEMA, &kinds_of_quake());
    let quake2 = messages(dm2::Message::SCHEMA, &known)?
        + &temp_entities("Quake II", dm2::Message::SCHEMA, &kinds_of_quake2());
    let paper = put(&paper, "statements", &statements()?)?;
    put(&put(&paper, "quake", &quake)?, "quake2", &quake2)
}

/// The statements that are not messages.
fn statements() -> Outcome {
    let mut out = String::from("\n| statement | games | example | meaning |\n| --- | --- | --- | --- |\n");
    for kind in StatementKind::ALL {
        let games: Vec<&str> = kind.games().iter().map(|game| game.title()).collect();
        let place = match (kind.is_outside(), kind.is_inside()) {
            (true, true) => "Anywhere.",
            (true, false) => "Outside of blocks.",
            _ => "In a block.",
        };
        let (keyword, games) = (kind.keyword(), games.join(", "));
        writeln!(out, "| `{keyword}` | {games} | `{}` | {} {place} |", kind.example(), tidy(kind.note()))?;
    }
    Ok(out)
}

/// The kinds of value that the manual explains.
fn known_kinds(paper: &str) -> Result<BTreeSet<&str>, Box<dyn Error>> {
    let (_, chapter) =
        paper.split_once("\n## The kinds of value\n").ok_or("no chapter about kinds of value")?;
    let chapter = chapter.split("\n## ").next().unwrap_or_default();
    let cells = chapter.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    Ok(cells.flat_map(|cell| cell.split(", ")).collect())
}

fn messages(rows: &[Schema], known: &BTreeSet<&str>) -> Outcome {
    let mut out = String::from("\n| id | message | in C | meaning |\n| --- | --- | --- | --- |\n");
    for row in rows {
        let c_name = row.properties.c_name;
        writeln!(out, "| {} | `{}` | `{c_name}` | {} |", ids(row), row.name, tidy(row.note))?;
    }
    for row in rows.iter().filter(|row| !row.fields.is_empty() || !row.flags.is_empty()) {
        write!(out, "\n### {}\n\n{}", row.name, tidy(row.note))?;
        if row.families != 0 {
            write!(out, " Only in {}.", families(row.families))?;
        }
        if !row.properties.lmpc {
            out.push_str(" LMPC does not know it.");
        }
        let bare = matches!(row.fields, [only] if only.parts.is_empty() && row.flags.is_empty());
        out.push_str(if bare { " Written in one line.\n" } else { "\n" });
        out.push_str("\n| field | kind | sent if | meaning |\n| --- | --- | --- | --- |\n");
        if row.flags.starts_with("Temp") {
            writeln!(
                out,
                "| `entitytype` | byte |  | The kind of the effect.{} |",
                see(temp_names(row, ""))
            )?;
            if row.flags.ends_with('2') {
                writeln!(
                    out,
                    "| `nextid` | signed short | by kind | The number of the steam; -1 is a short one. |"
                )?;
            }
        }
        for field in row.fields {
            let kind = field.words();
            let single = kind.split(" × ").last().unwrap_or_default();
            if !known.contains(single) {
                return Err(format!("the manual does not say what kind of value `{single}` is").into());
            }
            let bit = match field.bit {
                0 => String::new(),
                _ if row.flags.starts_with("Temp") => "by kind".into(),
                bit => format!("0x{bit:X}"),
            };
            if field.parts.is_empty() {
                let name = field.name.trim_start_matches("r#");
                writeln!(out, "| `{name}` | {kind} | {bit} | {}{} |", tidy(field.note), see(field.meaning))?;
            }
            for part in field.parts {
                writeln!(
                    out,
                    "| `{}` | {kind} | {bit} | {}{} |",
                    part.name,
                    tidy(part.note),
                    see(part.meaning)
                )?;
            }
        }
    }
    Ok(out)
}

fn ids(row: &Schema) -> String {
    if row.op == row.last { row.op.to_string() } else { format!("{} to {}", row.op, row.last) }
}

fn families(bits: u16) -> String {
    let all = [
        (family::FITZ, "666, 668 and 999"),
        (family::NEHAHRA, "Nehahra"),
        (family::RERELEASE, "the re-release's additions to 15, 666 and 999"),
        (family::DARKPLACES, "DarkPlaces 5 to 8 and its additions to 15"),
        (family::NEW_DARKPLACES, "DarkPlaces 5 to 8"),
        (family::FTE, "FTE's extensions"),
        (family::REPLACEMENT, "FTE's lists of entities"),
        (family::Q2PRO, "3434 to 3436"),
    ];
    let names: Vec<&str> = all.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name).collect();
    names.join(", and in ")
}

/// The place where the numbers of a field are explained.
fn see(meaning: Meaning) -> String {
    let text_of = |what: &str| format!(" {what}");
    match meaning {
        Meaning::Number | Meaning::Entity | Meaning::Player => String::new(),
        Meaning::Model => text_of("A number of the level's models."),
        Meaning::Sound => text_of("A number of the level's sounds."),
        Meaning::Config(base) => text_of(&format!("The number of a config string, less {base}.")),
        Meaning::Counts(base) => text_of(&format!("In the order of the config strings from {base} on.")),
        Meaning::Solid => {
            text_of("In eights: 5 bits to the sides, 5 down, 6 up less 4; 31 is a part of the level.")
        }
        Meaning::ConfigIndex => text_of("[Config strings](values.md#quake2config)"),
        Meaning::Palette => text_of("A number of the palette."),
        Meaning::Skin => text_of("With the model 255, the player's number, from 0."),
        Meaning::StatValue => text_of("What it means depends on the `index`."),
        table => ALL
            .iter()
            .find(|(_, other)| *other == table)
            .map_or_else(String::new, |(name, _)| format!(" [Values](values.md#{})", name.replace('.', ""))),
    }
}

fn tidy(note: &str) -> String {
    note.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// A kind of temporary entity: its number, a remark, and the bits of its fields.
type Kind = (u8, &'static str, u32);

fn kinds_of_quake() -> Vec<Kind> {
    (0..=u8::MAX).filter_map(|kind| Some((kind, "", TempKind::new(kind)?.bits()))).collect()
}

fn kinds_of_quake2() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for kind in 0..=u8::MAX {
        let fields = |nextid, protocol| TempKind2::new(kind, nextid, protocol).map(|kind| kind.bits());
        let usual = fields(0, 34);
        let odd = [(fields(-1, 34), ", `nextid` -1"), (fields(0, 26), ", before 32")];
        kinds.extend(usual.map(|bits| (kind, "", bits)));
        kinds.extend(
            odd.into_iter()
                .filter(|(bits, _)| *bits != usual)
                .filter_map(|(bits, note)| Some((kind, note, bits?))),
        );
    }
    kinds
}

/// The names of a game's temporary entities.
fn temp_names(row: &Schema, age: &str) -> Meaning {
    let game = if row.flags.ends_with('2') { "quake2" } else { "quake" };
    let name = format!("{game}.temp_entity{age}");
    ALL.iter().find(|(table, _)| *table == name).map_or(Meaning::Number, |(_, meaning)| *meaning)
}

fn temp_entities(game: &str, rows: &[Schema], kinds: &[Kind]) -> String {
    let Some(row) = rows.iter().find(|row| row.flags.starts_with("Temp")) else { return String::new() };
    let mut out =
        format!("\n### Temporary entities of {game}\n\n| kind | name | fields |\n| --- | --- | --- |\n");
    for (kind, remark, bits) in kinds {
        let names = temp_names(row, if remark.ends_with("32") { "_old" } else { "" });
        let name = names.name(i64::from(*kind)).map_or_else(String::new, |name| name.to_string());
        let own = (*kind == 40 && rows.iter().any(|row| row.flags.ends_with('2'))).then_some("nextid");
        let there = row.fields.iter().filter(|field: &&Field| field.bit & bits != 0);
        let fields: Vec<String> = own
            .into_iter()
            .chain(there.flat_map(|field| {
                let own = field.parts.is_empty().then_some(field.name.trim_start_matches("r#"));
                own.into_iter().chain(field.parts.iter().map(|part| part.name))
            }))
            .map(|name| format!("`{name}`"))
            .collect();
        for part in ["| ", &kind.to_string(), remark, " | ", &name, " | ", &fields.join(", "), " |\n"] {
            out.push_str(part);
        }
    }
    out
}

/// The meanings of numbers: every table of names.
fn values() -> Outcome {
    let mut out = String::from(
        "# What numbers stand for\n\n\
         The comments that `moviola decompile` writes come from these tables, and so does what `moviola explain` says.\n\
         This page is generated from the tables of the source; `cargo xtask generated --bless` writes it.\n",
    );
    for (name, meaning) in ALL {
        write!(out, "\n## {name}\n\n")?;
        let users = users(name, *meaning);
        if !users.is_empty() {
            writeln!(out, "In {}.\n", users.join(", "))?;
        }
        match meaning {
            Meaning::Value(rows) => {
                out.push_str("| value | name |\n| --- | --- |\n");
                rows.iter().try_for_each(|(value, name)| writeln!(out, "| {value} | {} |", tidy(name)))?;
            }
            Meaning::Bits(rows) => {
                out.push_str("| bit | name |\n| --- | --- |\n");
                rows.iter().try_for_each(|(bit, name)| writeln!(out, "| 0x{bit:X} | {} |", tidy(name)))?;
            }
            Meaning::Range(rows) => {
                out.push_str("| values | name |\n| --- | --- |\n");
                for (first, last, name) in *rows {
                    let range = if first == last { first.to_string() } else { format!("{first} to {last}") };
                    writeln!(out, "| {range} | {} |", tidy(name))?;
                }
            }
            other => return Err(format!("{name} is not a table: {other:?}").into()),
        }
    }
    Ok(out)
}

/// The fields whose numbers the table explains.
fn users(table: &str, meaning: Meaning) -> Vec<String> {
    let rows = if table.starts_with("quake2.") { dm2::Message::SCHEMA } else { dem::Message::SCHEMA };
    let mut users = Vec::new();
    for row in rows {
        for (field, other, _) in row.lines() {
            if other == meaning {
                users.push(format!("`{field}` of `{}`", row.name));
            }
        }
    }
    users
}

/// The mistakes: their words are generated, their examples are not.
fn diagnostics() -> Outcome {
    let mut paper = read("diagnostics.md")?;
    let mut table = String::from("\n| code | mistake |\n| --- | --- |\n");
    for code in TextCode::ALL {
        let (number, title) = (code.number(), code.title());
        let anchor: String = format!("{number} {title}")
            .to_lowercase()
            .chars()
            .filter_map(|letter| match letter {
                ' ' | '-' | '_' => Some(if letter == ' ' { '-' } else { letter }),
                letter => letter.is_alphanumeric().then_some(letter),
            })
            .collect();
        writeln!(table, "| [{number}](#{anchor}) | {title} |")?;
        if !paper.contains(&format!("<!-- generated: {number} -->\n")) {
            write!(paper, "\n<!-- generated: {number} -->\n{END}\n")?;
        }
        let about: Vec<&str> = code.explanation().lines().map(str::trim).collect();
        paper = put(&paper, number, &format!("## {number}: {title}\n\n{}\n", about.join("\n")))?;
    }
    put(&paper, "all", &table)
}
