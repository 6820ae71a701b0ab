//! Explains a name, a number or a code from the tables.

use crate::engines::{ENGINES, Engine, NumberTest, ranges};
use crate::findings::CheckCode;
use moviola_format::names::{ALL, Meaning};
use moviola_format::{
    Field, Flags, Game, Scalar, Schema, Table, TempKind, TempKind2, ValuePart, WorldTempKind, dem, dm2,
    family, qw, words,
};
use serde::Serialize;

/// The explanation of a name, a number or a code.
///
/// ```
/// use moviola_check::{Explanation, explain};
/// assert!(matches!(explain("M007"), Some(Explanation::Finding { .. })));
/// assert!(matches!(explain("clientdata"), Some(Explanation::Entries { .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Explanation {
    /// A finding.
    Finding {
        /// Its code.
        code: CheckCode,
        /// How bad it is.
        severity: crate::Severity,
        /// A one-line description.
        title: &'static str,
        /// The full explanation.
        text: &'static str,
        /// The engines that object to it, with their reactions.
        engines: Vec<EngineEntry>,
    },
    /// Messages, fields, or both: every row that fits.
    Entries {
        /// Whole messages.
        messages: Vec<MessageEntry>,
        /// Fields of messages.
        fields: Vec<FieldEntry>,
        /// Names of values.
        names: Vec<NameEntry>,
    },
    /// An engine.
    Engine {
        /// Its name.
        engine: &'static str,
        /// Its full name.
        about: &'static str,
        /// Its game.
        game: &'static str,
        /// The findings to which it objects.
        #[serde(rename = "minds")]
        objections: Vec<EngineObjection>,
    },
}

/// A finding to which an engine objects.
///
/// ```
/// use moviola_check::{Explanation, explain};
/// let Some(Explanation::Engine { objections, .. }) = explain("darkplaces") else { panic!() };
/// assert!(objections.iter().any(|it| it.code.number() == "M202"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineObjection {
    /// The finding.
    pub code: CheckCode,
    /// A one-line description.
    pub title: &'static str,
    /// The numbers to which the engine objects, if not to all.
    pub when: Option<String>,
    /// The engine's reaction.
    pub effect: &'static str,
}

/// A value that has a name.
///
/// ```
/// use moviola_check::{Explanation, explain};
/// let Some(Explanation::Entries { names, .. }) = explain("TE_BEAM") else { panic!() };
/// assert_eq!((names[0].value.as_str(), names[0].list), ("13", "quake.temp_entity"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NameEntry {
    /// The name.
    pub name: &'static str,
    /// The number, range or bit.
    pub value: String,
    /// The list of names that it is from.
    pub list: &'static str,
    /// The fields that can have it.
    pub fields: Vec<String>,
    /// The fields of a temporary entity of this kind.
    pub has: Option<Vec<&'static str>>,
}

/// An engine's reaction to a finding.
///
/// ```
/// use moviola_check::{Explanation, explain};
/// let Some(Explanation::Finding { engines, .. }) = explain("M007") else { panic!("no finding") };
/// assert!(engines.iter().any(|entry| entry.engine == "quakespasm"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineEntry {
    /// The engine.
    pub engine: &'static str,
    /// The numbers to which it reacts so, if not to all.
    pub when: Option<String>,
    /// The reaction, in words.
    pub effect: &'static str,
}

/// A message.
///
/// ```
/// use moviola_check::{Explanation, explain};
/// let Some(Explanation::Entries { messages, .. }) = explain("cdtrack") else { panic!("no entries") };
/// assert_eq!((messages[0].game, messages[0].id), ("Quake", 32));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MessageEntry {
    /// Its game.
    pub game: &'static str,
    /// Its keyword.
    pub name: &'static str,
    /// Its first id.
    pub id: u8,
    /// The last id, if the message has several.
    pub last_id: u8,
    /// A description of it.
    pub note: String,
    /// The name in the C sources of the engine that first sent the message.
    pub c_name: &'static str,
    /// The game or engine that first sent the message.
    pub since: &'static str,
    /// Whether LMPC's language has the message.
    pub lmpc: bool,
    /// The protocols that have it, if not all have.
    pub protocols: Option<String>,
    /// The kind of its flag word, if it has one.
    pub flags: Option<String>,
    /// Its fields in the order of the wire.
    pub fields: Vec<FieldLine>,
}

/// A field, with its game and message.
///
/// ```
/// use moviola_check::{Explanation, explain};
/// let Some(Explanation::Entries { fields, .. }) = explain("fromtrack") else { panic!("no entries") };
/// assert_eq!((fields[0].message, fields[0].field.name), ("cdtrack", "fromtrack"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldEntry {
    /// The game.
    pub game: &'static str,
    /// The message.
    pub message: &'static str,
    /// The field.
    pub field: FieldLine,
}

/// A field of a message.
///
/// ```
/// use moviola_check::{Explanation, explain};
/// let Some(Explanation::Entries { messages, .. }) = explain("setpause") else { panic!("no entries") };
/// assert_eq!(messages[0].fields[0].values[1], ("1".to_owned(), "on"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldLine {
    /// Its keyword.
    pub name: &'static str,
    /// The kind of value.
    pub kind: String,
    /// The bits of the flag word that announce it; 0 if it is always there.
    pub bit: u32,
    /// The kinds of temporary entities that have it, where it depends on these.
    pub kinds: Option<String>,
    /// A description of it.
    pub note: String,
    /// The meaning of its number in the recording, for example the name of an entity, if it has one.
    pub meaning: Option<&'static str>,
    /// The names of its values or bits.
    pub values: Vec<(String, &'static str)>,
    /// The lines of the field in a text, if there are several.
    pub parts: Vec<FieldLine>,
}

/// Explains a message's keyword or id (also in hexadecimal), a field's keyword, alone or as `message.field`, their names
/// in the games' C sources, the name of a value, an engine, or the code of a finding.
///
/// ```
/// use moviola_check::explain;
/// assert!(explain("clientdata").unwrap().render().contains("health"));
/// assert!(explain("clientdata.health").unwrap().render().contains("Points of health"));
/// assert!(explain("0x0f").unwrap().render().contains("clientdata"));
/// assert!(explain("TE_BEAM").unwrap().render().contains("trace_endpos"));
/// assert_eq!(explain("U_NOLERP"), explain("updateentity.new"));
/// assert!(explain("quakespasm").unwrap().render().contains("M201"));
/// assert!(explain("M007").unwrap().render().contains("without messages"));
/// assert!(explain("no such thing").is_none());
/// ```
pub fn explain(what: &str) -> Option<Explanation> {
    let what = what.trim();
    if let Some(code) = CheckCode::find(what) {
        return Some(finding(code));
    }
    if let Some(engine) = ENGINES.iter().find(|engine| engine.name.eq_ignore_ascii_case(what)) {
        return Some(explain_engine(engine));
    }
    let mut messages = Vec::new();
    let mut fields = Vec::new();
    let number = id(what);
    let (owner, member) = what.split_once('.').map_or((None, what), |(owner, field)| (Some(owner), field));
    for (game, row) in rows() {
        let called = |name: &str| is_called(row, name);
        if called(what) || number.is_some_and(|id| (row.op..=row.last).contains(&id)) {
            messages.push(message(game, row));
        }
        if owner.is_some_and(|owner| !called(owner)) {
            continue;
        }
        let named = |line: &FieldLine| line.name.eq_ignore_ascii_case(member);
        for line in message(game, row).fields {
            let found = if named(&line) { Some(line) } else { line.parts.into_iter().find(named) };
            let entry = |field| FieldEntry { game: Game::title(game), message: row.name, field };
            fields.extend(found.map(entry));
        }
        for (_, field) in row.properties.c_bits.iter().filter(|(bit, _)| bit.eq_ignore_ascii_case(what)) {
            let line = row.fields.iter().find(|it| it.name == *field).map(|it| field_line(game, row, it));
            let entry = |field| FieldEntry { game: Game::title(game), message: row.name, field };
            fields.extend(line.map(entry));
        }
    }
    let names = if names(what).is_empty() { protocols(what) } else { names(what) };
    let any = !messages.is_empty() || !fields.is_empty() || !names.is_empty();
    any.then_some(Explanation::Entries { messages, fields, names })
}

/// Whether a message has this name: as its keyword, its type in Rust, or its name in C. The C name is usually
/// `svc_` and the keyword; this form is accepted for every message, also for those with another C name.
fn is_called(row: &Schema, name: &str) -> bool {
    let keyword = name.get(..4).filter(|it| it.eq_ignore_ascii_case("svc_")).and(name.get(4..));
    row.name.eq_ignore_ascii_case(keyword.unwrap_or(name))
        || row.rust.eq_ignore_ascii_case(name)
        || row.properties.c_name.eq_ignore_ascii_case(name)
}

/// The known name that is nearest to a word without an explanation.
///
/// ```
/// assert_eq!(moviola_check::suggest("clientdat").as_deref(), Some("clientdata"));
/// assert_eq!(moviola_check::suggest("something else"), None);
/// ```
pub fn suggest(what: &str) -> Option<String> {
    let (owner, member) = what.trim().split_once('.').unwrap_or(("", what.trim()));
    let mut known: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
    for (_, row) in rows().filter(|(_, row)| owner.is_empty() || row.name.eq_ignore_ascii_case(owner)) {
        known.push(row.name);
        known.extend(row.lines().map(|(name, ..)| name));
    }
    known.extend(CheckCode::ALL.iter().map(|code| code.number()));
    known.extend(ALL.iter().flat_map(|(_, list)| values(*list).1).map(|(_, name)| name));
    let lower: Vec<String> = known.iter().map(|word| word.to_lowercase()).collect();
    let found = moviola_text::nearest(&member.to_lowercase(), lower.iter().map(String::as_str))?;
    let word = known.get(lower.iter().position(|word| word == found)?)?;
    Some(if owner.is_empty() { (*word).to_owned() } else { format!("{owner}.{word}") })
}

fn explain_engine(engine: &'static Engine) -> Explanation {
    let at = crate::engines::of(engine.game).position(|other| other.name == engine.name).unwrap_or(0);
    let cells =
        crate::engines::rules(engine.game).iter().filter_map(|rule| Some((rule.code, rule.cells.get(at)?)));
    let objections = cells.filter(|(_, cell)| !matches!(cell.test, NumberTest::Never)).map(|(code, cell)| {
        EngineObjection {
            code,
            title: code.title(),
            when: when(code, cell.test),
            effect: cell.effect.words(),
        }
    });
    Explanation::Engine {
        engine: engine.name,
        about: engine.about,
        game: Game::title(engine.game),
        objections: objections.collect(),
    }
}

/// The numbers of a test in words; `None` for the numbers of header readers, which have a meaning only in this crate.
fn when(code: CheckCode, test: NumberTest) -> Option<String> {
    test.words().filter(|_| code != CheckCode::HeaderUnreadable)
}

/// Every value of this name.
fn names(what: &str) -> Vec<NameEntry> {
    entries(|_, _, name| name.eq_ignore_ascii_case(what))
}

/// Every protocol of this number.
fn protocols(number: &str) -> Vec<NameEntry> {
    entries(|list, value, _| value == number && list.ends_with(".protocol"))
}

/// The named values that `is_wanted` accepts, given their list, number and name.
fn entries(is_wanted: impl Fn(&str, &str, &str) -> bool) -> Vec<NameEntry> {
    let mut found = Vec::new();
    for (list, meaning) in ALL {
        for (value, name) in values(*meaning).1.into_iter().filter(|it| is_wanted(list, &it.0, it.1)) {
            let is_there = |line: &FieldLine| line.values.contains(&(value.clone(), name));
            let (mut fields, mut has) = (Vec::new(), None);
            for (game, row) in rows().filter(|(game, _)| list.split('.').next() == Some(prefix(*game))) {
                for line in message(game, row).fields {
                    let matching = std::iter::once(&line).chain(&line.parts).find(|line| is_there(line));
                    fields.extend(matching.map(|line| format!("{}.{}", row.name, line.name)));
                }
                if !kind_line(game, row).is_empty()
                    && fields.last().is_some_and(|it| it.starts_with(row.name))
                {
                    has = value.parse().ok().map(|kind| fields_of_kind(game, row, kind));
                }
            }
            // Effects of DarkPlaces have forms that share a name of a field.
            fields.dedup();
            found.push(NameEntry { name, value, list, fields, has });
        }
    }
    found
}

/// The beginning of the names of a game's lists.
fn prefix(game: Game) -> &'static str {
    match game {
        Game::Quake => "quake",
        Game::Quake2 => "quake2",
        Game::QuakeWorld => "quakeworld",
    }
}

/// The fields of a kind of temporary entity.
fn fields_of_kind(game: Game, row: &Schema, kind: u8) -> Vec<&'static str> {
    row.fields.iter().filter(|field| kind_has(game, kind, field.bit)).map(|field| field.name).collect()
}

fn kind_has(game: Game, kind: u8, bit: u32) -> bool {
    match game {
        Game::Quake => TempKind::new(kind).is_some_and(|it| it.has(bit)),
        Game::Quake2 => TempKind2::new(kind, 0, dm2::NEWEST).is_some_and(|it| it.has(bit)),
        Game::QuakeWorld => WorldTempKind::new(kind).is_some_and(|it| it.has(bit)),
    }
}

fn rows() -> impl Iterator<Item = (Game, &'static Schema)> {
    Table::ALL.into_iter().flat_map(|table| table.schema().iter().map(move |row| (table.game(), row)))
}

fn id(what: &str) -> Option<u8> {
    match what.strip_prefix("0x").or_else(|| what.strip_prefix("0X")) {
        Some(digits) => u8::from_str_radix(digits, 16).ok(),
        None => what.parse().ok(),
    }
}

fn finding(code: CheckCode) -> Explanation {
    let mut engines = Vec::new();
    for game in Game::ALL {
        let rules = crate::engines::rules(game).iter().filter(|rule| rule.code == code);
        for (engine, cell) in rules.flat_map(|rule| crate::engines::of(game).zip(rule.cells)) {
            if !matches!(cell.test, NumberTest::Never) {
                let when = when(code, cell.test);
                engines.push(EngineEntry { engine: engine.name, when, effect: cell.effect.words() });
            }
        }
    }
    Explanation::Finding {
        code,
        severity: code.severity(),
        title: code.title(),
        text: code.explanation(),
        engines,
    }
}

fn message(game: Game, row: &Schema) -> MessageEntry {
    MessageEntry {
        game: Game::title(game),
        name: row.name,
        id: row.op,
        last_id: row.last,
        note: tidy(row.note),
        c_name: row.properties.c_name,
        since: row.properties.since.name(),
        lmpc: row.properties.lmpc,
        protocols: speakers(row.families),
        flags: Some(words(row.flags)).filter(|flags| !flags.is_empty()),
        fields: kind_line(game, row)
            .into_iter()
            .chain(row.fields.iter().map(|field| field_line(game, row, field)))
            .collect(),
    }
}

/// The families of protocols in words.
fn speakers(families: u16) -> Option<String> {
    let words = [
        (family::FITZ, "protocols 666, 668 and 999"),
        (family::NEHAHRA, "Nehahra"),
        (family::RERELEASE, "the re-release's game code"),
        (family::Q2PRO, "protocols 3434, 3435 and 3436"),
    ];
    let spoken: Vec<_> =
        words.into_iter().filter(|(bit, _)| families & bit != 0).map(|(_, word)| word).collect();
    (!spoken.is_empty()).then(|| spoken.join(", "))
}

fn field_line(game: Game, row: &Schema, field: &Field) -> FieldLine {
    let parts = field.parts.iter().map(part_line).collect();
    let mut entry = line(field.name, field.words(), field.bit, field.note, field.meaning);
    if let Some(more) = field.in_flags() {
        entry.note = format!("{} {more}", entry.note);
    }
    match kinds_with(game, row, field.bit) {
        Some(kinds) => {
            FieldLine { parts, kinds: Some(kinds).filter(|kinds| !kinds.is_empty()), bit: 0, ..entry }
        }
        None => FieldLine { parts, ..entry },
    }
}

fn part_line(part: &ValuePart) -> FieldLine {
    line(part.name, String::new(), 0, part.note, part.meaning)
}

/// The line for a temporary entity's kind, which replaces the flag word of other messages.
fn kind_line(game: Game, row: &Schema) -> Vec<FieldLine> {
    let parts = match game {
        Game::Quake if row.op == dem::TempEntity::OP => TempKind::PARTS,
        Game::Quake2 if row.op == dm2::TempEntity::OP => TempKind2::PARTS,
        Game::QuakeWorld if row.op == qw::TempEntity::OP && row.name == qw::TempEntity::SCHEMA.name => {
            WorldTempKind::PARTS
        }
        _ => return Vec::new(),
    };
    let mut lines: Vec<FieldLine> = parts.iter().map(part_line).collect();
    if let Some(kinds) = lines.first_mut() {
        // Some kinds have a name here although their fields are not known.
        let decoded = |value: &str| value.parse().is_ok_and(|kind| kind_has(game, kind, u32::MAX));
        kinds.values.retain(|(value, _)| decoded(value));
    }
    lines
}

/// The kinds of temporary entities that have the fields of this bit; `None` for other messages.
fn kinds_with(game: Game, row: &Schema, bit: u32) -> Option<String> {
    let has = |kind: u8| kind_has(game, kind, bit);
    kind_line(game, row).first()?;
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for kind in (0..=u8::MAX).filter(|kind| has(*kind)).map(i64::from) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == kind => *last = kind,
            _ => runs.push((kind, kind)),
        }
    }
    Some(ranges(&runs))
}

fn line(name: &'static str, kind: String, bit: u32, note: &str, meaning: Meaning) -> FieldLine {
    let (meaning, values) = values(meaning);
    FieldLine { name, kind, bit, kinds: None, note: tidy(note), meaning, values, parts: Vec::new() }
}

/// Joins the lines of a documentation comment, each of which begins with a space.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn values(meaning: Meaning) -> (Option<&'static str>, Vec<(String, &'static str)>) {
    let word = match meaning {
        Meaning::Model => "a number of the level's models",
        Meaning::Sound => "a number of the level's sounds",
        Meaning::Player => "a player's slot, from 0",
        Meaning::Config(_) | Meaning::ConfigIndex => "a number of the config strings",
        Meaning::Counts(_) => "one for each of the items that the config strings name",
        Meaning::Solid => {
            "a size in eights: 5 bits to the sides, 5 down, 6 up less 4; 31 is a part of the level"
        }
        Meaning::Entity => "an entity's number",
        Meaning::Palette => "a color of the palette",
        Meaning::Skin => "with the model 255, a player's slot, from 0",
        Meaning::StatValue => "what it means depends on the stat",
        Meaning::Value(table) => {
            return (None, table.iter().map(|(value, name)| (value.to_string(), *name)).collect());
        }
        Meaning::Bits(table) => {
            return (None, table.iter().map(|(bit, name)| (format!("0x{bit:X}"), *name)).collect());
        }
        Meaning::Range(table) => {
            return (
                None,
                table.iter().map(|(first, last, name)| (ranges(&[(*first, *last)]), *name)).collect(),
            );
        }
        Meaning::Number => return (None, Vec::new()),
    };
    (Some(word), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_c_sources_lead_to_their_rows() {
        let found = |name: &str| match explain(name) {
            Some(Explanation::Entries { messages, fields, .. }) => (messages, fields),
            other => panic!("{name}: {other:?}"),
        };
        for (game, row) in rows() {
            let c_name = row.properties.c_name;
            for name in [c_name, &format!("svc_{}", row.name), &c_name.to_lowercase()] {
                assert!(found(name).0.contains(&message(game, row)), "{name}");
            }
            for (bit, field) in row.properties.c_bits {
                let names_it = |it: &FieldEntry| {
                    it.game == Game::title(game) && it.message == row.name && it.field.name == *field
                };
                assert!(found(bit).1.iter().any(names_it), "{bit}");
            }
        }
        assert_eq!(explain("U_NOLERP"), explain("updateentity.new"));
        assert!(explain("svc").is_none() && explain("svc_nothing").is_none());
    }
}
