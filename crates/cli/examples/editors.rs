//! Writes the syntax files under `editors`, from the tables and the few words of the language itself.
//! `cargo xtask generated` runs it; the argument names the file to print.

use moviola::format::{Schema, Table};
use moviola::text::StatementKind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::ExitCode;

/// Words in a message that are none of its fields.
const IN_MESSAGE: [&str; 9] =
    ["mask", "unknown_mask_bits", "unterminated", "items_bit", "set", "clear", "id", "data", "flags"];

/// Numbers that are words.
const NUMBERS: [&str; 2] = ["nan", "inf"];

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("textmate") => println!("{:#}", textmate(&Vocabulary::new())),
        // Sublime Text and bat read YAML, which JSON is too.
        Some("sublime") => println!("%YAML 1.2\n---\n{:#}", sublime(&Vocabulary::new())),
        Some("vim") => print!("{}", vim(&Vocabulary::new())),
        _ => {
            eprintln!("say textmate, sublime or vim");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// The words of the language, each in one class.
struct Vocabulary {
    statements: BTreeSet<&'static str>,
    messages: BTreeSet<&'static str>,
    fields: BTreeSet<&'static str>,
}

impl Vocabulary {
    fn new() -> Self {
        let schemas = || Table::ALL.into_iter().flat_map(Table::schema);
        let statements: BTreeSet<_> = StatementKind::ALL.iter().map(|it| it.keyword()).collect();
        let messages: BTreeSet<_> =
            schemas().map(|row| row.name).filter(|word| !statements.contains(word)).collect();
        let fields = schemas().flat_map(Schema::lines).map(|(name, ..)| name).chain(IN_MESSAGE);
        let fields = fields.filter(|word| !statements.contains(word) && !messages.contains(word));
        Self { fields: fields.filter(|word| !word.is_empty()).collect(), statements, messages }
    }
}

/// The patterns that color the words on their own, as scopes of `TextMate` and the expressions that find
/// them.
fn patterns(words: &Vocabulary) -> Vec<(&'static str, String)> {
    let one_of = |words: &BTreeSet<&str>| {
        let words: Vec<&str> = words.iter().copied().collect();
        format!("\\b(?:{})\\b", words.join("|"))
    };
    let number = format!(
        "-?(?:\\b0x[0-9A-Fa-f]+\\b|\\b[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?[smh]?|\\b(?:{})\\b)",
        NUMBERS.join("|")
    );
    vec![
        ("comment.line.double-slash.moviola", "//.*$".into()),
        ("keyword.control.moviola", one_of(&words.statements)),
        ("entity.name.function.moviola", one_of(&words.messages)),
        ("variable.other.member.moviola", one_of(&words.fields)),
        ("constant.numeric.moviola", number),
        ("punctuation.terminator.moviola", ";".into()),
        ("punctuation.section.block.moviola", "[{}]".into()),
    ]
}

const NAME: &str = "Moviola";
const SCOPE: &str = "source.moviola";
const FILES: [&str; 2] = ["dem.txt", "dm2.txt"];
/// The first line of a text: its header, or else the first statement of Quake or of Quake II.
const FIRST_LINE: &str = "^// source: |^track \"|^block \\{";
const STRING: &str = "string.quoted.double.moviola";
const STRING_ENDS: &str = "\"|(?=$)";
const ESCAPE: (&str, &str) = ("constant.character.escape.moviola", "\\\\(?:[0-3]?[0-7]{1,2}|.)");

fn textmate(words: &Vocabulary) -> Value {
    let pattern = |(name, expression): (&str, String)| json!({ "name": name, "match": expression });
    let string = json!({
        "name": STRING,
        "begin": "\"",
        "end": STRING_ENDS,
        "patterns": [{ "name": ESCAPE.0, "match": ESCAPE.1 }]
    });
    let patterns: Vec<Value> = patterns(words).into_iter().map(pattern).chain([string]).collect();
    json!({
        "name": NAME,
        "scopeName": SCOPE,
        "fileTypes": FILES,
        "firstLineMatch": FIRST_LINE,
        "foldingStartMarker": "\\{\\s*(//.*)?$",
        "foldingStopMarker": "^\\s*\\}",
        "patterns": patterns
    })
}

fn sublime(words: &Vocabulary) -> Value {
    let pattern = |(scope, expression): (&str, String)| json!({ "scope": scope, "match": expression });
    let string = json!({ "match": "\"", "scope": STRING, "push": "string" });
    let main: Vec<Value> = patterns(words).into_iter().map(pattern).chain([string]).collect();
    json!({
        "name": NAME,
        "scope": SCOPE,
        "file_extensions": FILES,
        "first_line_match": FIRST_LINE,
        "contexts": {
            "main": main,
            "string": [
                { "meta_content_scope": STRING },
                { "match": ESCAPE.1, "scope": ESCAPE.0 },
                { "match": STRING_ENDS, "scope": STRING, "pop": true }
            ]
        }
    })
}

fn vim(words: &Vocabulary) -> String {
    let mut file = String::from(
        "\" Vim syntax file: recordings of Quake and Quake II as text\n\
         \" Generated from the tables of Moviola; `cargo xtask generated --bless` writes it.\n\
         if exists(\"b:current_syntax\")\n  finish\nendif\n\n",
    );
    for (group, words) in [
        ("moviolaStatement", &words.statements),
        ("moviolaMessage", &words.messages),
        ("moviolaField", &words.fields),
        ("moviolaNumber", &NUMBERS.into_iter().collect()),
    ] {
        for word in words {
            file.extend(["syn keyword ", group, " ", word, "\n"]);
        }
        file.push('\n');
    }
    file.push_str(
        "syn match moviolaNumber \"-\\?\\<\\d\\+\\(\\.\\d*\\)\\?\\([eE][-+]\\?\\d\\+\\)\\?[smh]\\?\\>\"\n\
         syn match moviolaNumber \"-\\?\\<\\d\\+\\.\"\n\
         syn match moviolaNumber \"\\<0x\\x\\+\\>\"\n\
         syn match moviolaEscape \"\\\\\\([0-3]\\?\\o\\{1,2}\\|.\\)\" contained\n\
         syn region moviolaString start=+\"+ skip=+\\\\\\\\\\|\\\\\"+ end=+\"\\|$+ oneline contains=moviolaEscape\n\
         syn match moviolaComment \"//.*$\"\n\
         syn region moviolaBlock start=\"{\" end=\"}\" transparent fold\n\
         syn sync minlines=200\n\n\
         hi def link moviolaStatement Statement\n\
         hi def link moviolaMessage Function\n\
         hi def link moviolaField Identifier\n\
         hi def link moviolaNumber Number\n\
         hi def link moviolaEscape SpecialChar\n\
         hi def link moviolaString String\n\
         hi def link moviolaComment Comment\n\n\
         let b:current_syntax = \"moviola\"\n",
    );
    file
}
