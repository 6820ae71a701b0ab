//! One definition: messages are defined in the tables and nowhere else.
//!
//! The words come from the tables themselves, through an example that prints SCHEMA. If such a word is a whole string
//! literal elsewhere, that is a second definition. So is a constant named like an id or a bit, and a bare number that
//! is compared with an id or a flag word. If a word has another meaning, the line or the one above says
//! `// not from SCHEMA: why`; a file with many such words (events, columns) says once `// not from SCHEMA, all words: why`.

use crate::args::Args;
use crate::lex::{Kind, Token, tokens};
use crate::{Outcome, repo, run};
use std::collections::BTreeMap;
use std::path::Path;

/// Prints a line a message: game, keyword, id and fields, between tabs.
const PRINTER: &str = "examples/schema";
const PRINTER_SOURCE: &str = "crates/format/examples/schema.rs";

/// The macros whose calls are the tables.
const TABLE_MACROS: &[&str] = &["messages"];

/// Where words may occur: the list of kinds, which name their own lines; the names of values; and the tests'
/// independent writer, which repeats the documents on purpose.
const EXEMPT: &[&str] = &["crates/format/src/kinds", "crates/format/src/names", "crates/scribe"];

/// How the engines' sources name ids and bits.
const ID_PREFIXES: &[&str] =
    &["SVC_", "TE_", "U_", "SU_", "SND_", "PS_", "RF_", "EF_", "MZ_", "PMF_", "PRFL_"];

/// The names of ids and flag words in the sources: a number next to one of these belongs in a row.
const HOLDERS: &[&str] = &["op", "flags"];

const EXCUSE: &str = "// not from SCHEMA: ";
const EXCUSE_ALL: &str = "// not from SCHEMA, all words: ";

pub(crate) fn task(args: Args) -> Outcome {
    args.finish()?;
    check()
}

pub(crate) fn check() -> Outcome {
    if !Path::new(PRINTER_SOURCE).is_file() {
        return Err(format!("{PRINTER_SOURCE} IS MISSING: without it nobody knows the words of SCHEMA"));
    }
    let printed = run::output(&mut run::ours(PRINTER)?)?;
    let printed = String::from_utf8_lossy(&printed);
    let words = words(&printed)?;
    let mut findings = Vec::new();
    for path in repo::tracked()?.iter().filter(|path| is_searched(path)) {
        let source = repo::text(path)?;
        for (line, what) in search(&source, &words) {
            findings.push(format!("{}:{line}: {what}", path.display()));
        }
    }
    repo::verdict(&findings, &format!("{} words of SCHEMA", words.len()))
}

/// Whether a file is source of a crate: tests and examples may repeat words.
fn is_searched(path: &Path) -> bool {
    let mut parts = path.iter();
    let source =
        parts.next().is_some_and(|part| part == "crates") && parts.nth(1).is_some_and(|part| part == "src");
    source && repo::has_extension(path, &["rs"]) && !EXEMPT.iter().any(|folder| path.starts_with(folder))
}

/// Every keyword and field name, with its description.
fn words(printed: &str) -> Result<BTreeMap<&str, String>, String> {
    let mut words = BTreeMap::new();
    for line in printed.lines() {
        let mut parts = line.split('\t');
        let (Some(game), Some(message), Some(_id)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(format!("the example `schema` printed a line without game, keyword and id: {line}"));
        };
        for field in parts.filter(|field| !field.is_empty()) {
            words.entry(field).or_insert_with(|| format!("a field of `{message}` ({game})"));
        }
        words.insert(message, format!("a message of {game}"));
    }
    if words.is_empty() { Err("the example `schema` printed nothing".into()) } else { Ok(words) }
}

/// The second definitions in a source, each with its line.
fn search(source: &str, words: &BTreeMap<&str, String>) -> Vec<(usize, String)> {
    let tokens = tokens(source);
    let lines: Vec<&str> = source.lines().collect();
    let own_words = lines.iter().any(|line| line.starts_with(EXCUSE_ALL));
    let excused = |line: usize| {
        let above = lines.get(line.saturating_sub(2)..line);
        above.is_some_and(|near| near.iter().any(|line| line.contains(EXCUSE)))
    };
    let mut findings = Vec::new();
    let mut rest = tokens.as_slice();
    let mut last_token = None;
    while let Some((token, after)) = rest.split_first() {
        rest = skip(rest).unwrap_or(after);
        let found = match token.kind {
            Kind::Text(text) if !own_words => words.get(text).map(|what| format!("\"{text}\" is {what}")),
            Kind::Word(name) if last_token == Some(Kind::Word("const")) && is_id_name(name) => {
                Some(format!("`{name}` names an id or a bit"))
            }
            Kind::Word("match") => {
                findings.extend(arms(after).into_iter().filter(|(line, _)| !excused(*line)));
                None
            }
            Kind::Word(name) if HOLDERS.contains(&name) => {
                held_against(after).map(|number| format!("`{name}` is held against the bare number {number}"))
            }
            _ => None,
        };
        findings.extend(found.filter(|_| !excused(token.line)).map(|what| (token.line, what)));
        last_token = Some(token.kind);
    }
    findings
}

fn is_id_name(name: &str) -> bool {
    ID_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The number after an id's or a flag word's name to which it is compared, with which it is masked, or by which it is
/// shifted.
fn held_against<'a>(after: &[Token<'a>]) -> Option<&'a str> {
    let mut kinds = after.iter().map(|token| token.kind).peekable();
    // `.0`, `()` and a closing bracket belong to the name.
    while let Some(kind) =
        kinds.next_if(|kind| matches!(kind, Kind::Sign('.' | '(' | ')') | Kind::Word("0" | "bits")))
    {
        if kind == Kind::Sign('(') && !matches!(kinds.peek(), Some(Kind::Sign(')'))) {
            return None;
        }
    }
    let mut operator = String::new();
    while let Some(Kind::Sign(sign)) =
        kinds.next_if(|kind| matches!(kind, Kind::Sign('=' | '!' | '&' | '|' | '<' | '>')))
    {
        operator.push(sign);
    }
    let holds = matches!(operator.as_str(), "==" | "!=" | "&" | "|" | "&=" | "|=" | "<" | ">" | "<=" | ">=");
    match kinds.next() {
        Some(Kind::Word(number)) if holds && is_number(number) && number != "0" => Some(number),
        _ => None,
    }
}

/// The bare numbers among the arms of a `match` on an id.
fn arms(after: &[Token]) -> Vec<(usize, String)> {
    let Some(open) = after.iter().position(|token| token.kind == Kind::Sign('{')) else { return Vec::new() };
    let (subject, body) = after.split_at(open);
    let named = subject.iter().rev().find_map(|token| match token.kind {
        Kind::Word(name) if name != "self" => Some(name),
        _ => None,
    });
    if named != Some("op") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let (mut depth, mut before) = (0_usize, Kind::Sign(','));
    for token in body {
        match token.kind {
            Kind::Sign('{' | '(' | '[') => depth += 1,
            Kind::Sign('}' | ')' | ']') => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            Kind::Word(number)
                if depth == 1
                    && is_number(number)
                    && matches!(before, Kind::Sign('{' | '}' | ',' | '|' | '=' | '.')) =>
            {
                findings.push((token.line, format!("an arm takes the id {number} by its bare number")));
            }
            _ => {}
        }
        before = token.kind;
    }
    findings
}

/// If a table or an item only for tests begins here, the tokens after it.
fn skip<'t, 'a>(rest: &'t [Token<'a>]) -> Option<&'t [Token<'a>]> {
    let kinds = |length| {
        rest.get(..length).map(|few: &[Token]| few.iter().map(|token| token.kind).collect::<Vec<_>>())
    };
    if let Some([Kind::Word(name), Kind::Sign('!'), Kind::Sign('{' | '(')]) = kinds(3).as_deref()
        && TABLE_MACROS.contains(name)
    {
        return Some(past_group(rest));
    }
    let cfg = [Kind::Sign('#'), Kind::Sign('['), Kind::Word("cfg"), Kind::Sign('('), Kind::Word("test")];
    (kinds(cfg.len()).as_deref() == Some(&cfg)).then(|| {
        let item = rest.iter().position(|token| token.kind == Kind::Sign(']')).unwrap_or(0);
        past_group(rest.get(item + 1..).unwrap_or_default())
    })
}

/// The tokens after the first group in braces, or after the first `;` if that precedes the group.
fn past_group<'t, 'a>(rest: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let mut depth = 0_usize;
    let end = rest.iter().position(|token| match token.kind {
        Kind::Sign('{' | '(' | '[') => {
            depth += 1;
            false
        }
        Kind::Sign(close @ ('}' | ')' | ']')) => {
            depth = depth.saturating_sub(1);
            depth == 0 && close == '}'
        }
        Kind::Sign(';') => depth == 0,
        _ => false,
    });
    end.and_then(|end| rest.get(end + 1..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{is_searched, search, words};
    use std::path::Path;

    const PRINTED: &str = "quake\tclientdata\t15\thealth\tammo\nquake\tnop\t1\n";

    fn lines(source: &str) -> Vec<usize> {
        let words = words(PRINTED).unwrap();
        search(source, &words).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn second_definitions_are_found() {
        assert_eq!(lines("f(\"clientdata\");\nf(b\"health\");\nconst SVC_NOP: u8 = 1;"), [1, 2, 3]);
    }

    #[test]
    fn other_text_is_left_alone() {
        assert_eq!(lines("// \"nop\"\nf(\"the health\", nop);\nconst SUM: u8 = 1;"), [0; 0]);
    }

    #[test]
    fn bare_ids_and_bits_are_found() {
        assert_eq!(
            lines("if op == 15 {}\nif it.flags.0 & 0x8000 != 0 {}\nif flags.bits() & 1 << 3 != 0 {}"),
            [1, 2, 3]
        );
        assert_eq!(
            lines("match it.op() {\n 15 => a,\n 1 | 2..=3 => b,\n Nop::OP => c(4),\n _ => d,\n}"),
            [2, 3, 3, 3]
        );
        assert_eq!(
            lines("op == Nop::OP; flags & Nop::bit; flags == 0; match count { 15 => a, _ => b }"),
            [0; 0]
        );
        assert_eq!(lines("// not from SCHEMA: no protocol has it\nif flags & 0x8000 != 0 {}"), [0; 0]);
    }

    #[test]
    fn a_file_may_have_words_of_its_own() {
        let source = "//! Events.\n// not from SCHEMA, all words: events have names too\nf(\"nop\");\nconst SVC_NOP: u8 = 1;";
        assert_eq!(lines(source), [4]);
    }

    #[test]
    fn tables_and_tests_may_contain_keywords() {
        assert_eq!(lines("messages! { Nop = 1 \"nop\" {} }\nf(\"nop\");"), [2]);
        assert_eq!(lines("#[cfg(test)]\nmod tests { fn f() { g(\"nop\"); } }\nf(\"nop\");"), [3]);
        assert_eq!(lines("#[cfg(test)]\nmod tests;\nf(\"nop\");"), [3]);
    }

    #[test]
    fn an_excuse_holds_for_its_line_and_the_next() {
        assert_eq!(lines("// not from SCHEMA: a verb\nf(\"nop\");\nf(\"nop\");"), [3]);
    }

    #[test]
    fn only_sources_of_crates_are_searched() {
        assert!(is_searched(Path::new("crates/text/src/a/b.rs")));
        assert!(!is_searched(Path::new("crates/text/tests/b.rs")));
        assert!(!is_searched(Path::new("crates/scribe/src/lib.rs")));
        assert!(!is_searched(Path::new("xtask/src/schema.rs")));
    }

    #[test]
    fn a_bad_schema_is_an_error() {
        assert!(words("").is_err());
        assert!(words("quake\tnop\n").is_err());
    }
}
