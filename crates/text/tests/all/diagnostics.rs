//! The messages about mistakes: one example for every code, and each suggested fix corrects the mistake.

use crate::common::{one_shown, try_compile};
use crate::mistakes::{MISTAKES, long_texts};
use moviola_text::*;
use std::collections::BTreeMap;

/// All mistakes of a text, or else its warnings.
fn diagnostics_of(text: &str) -> Vec<Diagnostic> {
    match compile(text.as_bytes(), &mut Vec::new(), &CompileOptions::default()) {
        Ok(compiled) => compiled.warnings,
        Err(CompileError::Mistakes(mistakes)) => mistakes,
        Err(CompileError::Io(error)) => panic!("{error}"),
    }
}

/// Every text with mistakes, under the code that it is an example of.
fn cases() -> Vec<(TextCode, String)> {
    let short = MISTAKES.iter().map(|(code, text)| (*code, (*text).to_string()));
    short.chain(long_texts()).collect()
}

fn mended(text: &str, fix: &Fix) -> String {
    let at = fix.offset as usize;
    let mut bytes = text.as_bytes().to_vec();
    bytes.splice(at..at + fix.length, fix.replacement.bytes());
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_picture_of_every_mistake() {
    let mut pages: BTreeMap<&str, String> = BTreeMap::new();
    for (code, text) in cases() {
        let reported = diagnostics_of(&text);
        let first = reported.first().unwrap_or_else(|| panic!("nothing is reported about\n{text}"));
        assert_eq!(first.code, code, "{}\n{text}", one_shown(first));
        let page =
            pages.entry(code.number()).or_insert_with(|| format!("{}: {}\n", code.number(), code.title()));
        for mistake in &reported {
            assert!(mistake.help.is_some(), "{}", one_shown(mistake));
            *page += "\n";
            *page += &one_shown(mistake).replace(|it: char| it.is_control() && it != '\n', "?");
            if let Some(fix) = &mistake.fix {
                let mended = mended(&text, fix);
                let line = mended[..fix.offset as usize].matches('\n').count();
                page.push_str("  fix: ");
                page.push_str(mended.lines().nth(line).unwrap_or_default());
                page.push('\n');
            }
        }
    }
    for code in TextCode::ALL {
        assert!(pages.contains_key(code.number()), "no text has the mistake {code:?}");
        assert!(!code.explanation().trim().is_empty());
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("snapshots");
    settings.bind(|| pages.into_iter().for_each(|(name, page)| insta::assert_snapshot!(name, page)));
}

#[test]
fn fixes_mend() {
    let mut tried = 0;
    for (_, text) in cases() {
        for mistake in diagnostics_of(&text) {
            let Some(fix) = &mistake.fix else { continue };
            let after = diagnostics_of(&mended(&text, fix));
            let again = after.iter().any(|it| it.offset == mistake.offset && it.code == mistake.code);
            assert!(!again, "{}\nis still there in\n{}", one_shown(&mistake), mended(&text, fix));
            let fewer = after.len() < diagnostics_of(&text).len();
            assert!(fewer, "{}\nother mistakes followed from\n{}", one_shown(&mistake), mended(&text, fix));
            tried += 1;
        }
    }
    assert!(tried >= 8, "only {tried} fixes");
}

/// The reported places are right, for any size of the pieces that are read.
#[test]
fn places_are_right() {
    for (_, text) in cases() {
        for mistake in diagnostics_of(&text) {
            let before = &text.as_bytes()[..mistake.offset.unwrap() as usize];
            let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
            assert_eq!(mistake.line as usize, 1 + before.iter().filter(|byte| **byte == b'\n').count());
            assert_eq!(mistake.column, 1 + before.len() - line_start, "{}", one_shown(&mistake));
            let line = text[line_start..].lines().next().unwrap_or_default();
            assert!(line[mistake.skipped..].starts_with(&mistake.source), "{}", one_shown(&mistake));
            assert!(mistake.column - mistake.skipped <= 1 + line.len().min(512));
            let cut = line.len() - mistake.skipped - mistake.source.len();
            assert!(cut == 0 || mistake.source.len() > 500, "{}", one_shown(&mistake));
            assert!(mistake.length >= 1);
        }
    }
}

/// The places are also right in a line longer than one read, for any size of the pieces.
#[test]
fn places_are_right_in_long_lines() {
    let start = "track \"\"; block { camera 0 0 0;";
    for (count, comment) in [(3000, ""), (20_000, ""), (60_000, ""), (100_000, "// ünlike\n")] {
        let nops = " nop;".repeat(count);
        let text = format!("{start}{nops}{comment}{nops} # print \"ö{}\"; setview x; }}", "é".repeat(2000));
        let reported = diagnostics_of(&text);
        assert_eq!(reported.len(), 2, "{}", crate::common::shown(&reported));
        for (mistake, what) in reported.iter().zip(["#", "x"]) {
            let line_start = text.rfind('\n').map_or(0, |newline| newline + 1);
            let at = mistake.offset.unwrap() as usize;
            assert_eq!((mistake.column, &text[at..=at]), (at - line_start + 1, what));
            assert_eq!(mistake.line, 1 + u64::from(!comment.is_empty()));
            let shown = &mistake.source[mistake.column - 1 - mistake.skipped..];
            assert!(shown.starts_with(what) && mistake.source.len() <= 1024, "{}", one_shown(mistake));
            assert!(!mistake.source.contains(char::REPLACEMENT_CHARACTER));
        }
    }
}

#[test]
fn a_long_word_is_not_quoted_whole() {
    for inside in ["blub", "setview 1", "setview blub", "print \"a\"; damage { blub", "setview 1 ยง"] {
        let text =
            format!("track \"\"; block {{ camera 0 0 0; {}; }}", inside.to_owned() + &"11é".repeat(9000));
        for mistake in diagnostics_of(&text) {
            assert!(mistake.message.len() <= 303, "{}", mistake.message);
            assert!(mistake.help.is_some_and(|help| help.len() <= 303));
        }
    }
}

#[test]
fn all_mistakes_up_to_the_limit() {
    let line = " updatefrags { player 1; frags 70000; }\n setview x;\n";
    let text = format!("track \"-1\\n\";\nblock {{\n camera 0.0 0.0 0.0;\n{}}}\n", line.repeat(30));
    for limit in [1, 2, 20, 21, 60, 1000] {
        let options = CompileOptions { limit, ..CompileOptions::default() };
        let found = try_compile(text.as_bytes(), &options).unwrap_err();
        assert_eq!(found.len(), limit.min(60));
        assert!(found.windows(2).all(|pair| pair[0].offset < pair[1].offset), "not in order");
    }
}

/// One mistake is reported once, and the text after it is understood.
#[test]
fn mistakes_do_not_spread() {
    for (code, text) in cases() {
        let alone = matches!(
            code,
            TextCode::MissingBrace | TextCode::OpenString | TextCode::StrayBrace | TextCode::WrongGame
        );
        let allowed = if alone { 4 } else { 1 + usize::from(code == TextCode::StrayCharacter) };
        let found = diagnostics_of(&text);
        assert!(found.len() <= allowed, "{}\n{text}", crate::common::shown(&found));
    }
}
