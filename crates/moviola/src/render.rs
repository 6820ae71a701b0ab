//! Mistakes in a text, as people and as programs read them. The only file that knows annotate-snippets.

use crate::failure::line;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use moviola::text::Diagnostic;
use serde_json::json;
use std::ops::Range;

/// Prints mistakes on standard error and, unless `briefly`, how many there are.
pub(crate) fn mistakes(mistakes: &[Diagnostic], name: &str, as_json: bool, briefly: bool) {
    for mistake in mistakes {
        if as_json {
            line(&json(mistake, name).to_string());
        } else {
            line(&format!("{}\n", picture(mistake, name, &Renderer::styled())));
        }
    }
    if let (Some(first), false) = (mistakes.first(), as_json || briefly) {
        let number = crate::units::things(mistakes.len() as u64, "mistake");
        line(&format!(
            "{name}: {number}; no recording was made. `moviola explain {}` says more",
            first.code.number()
        ));
    }
}

/// A mistake as a JSON object.
fn json(mistake: &Diagnostic, name: &str) -> serde_json::Value {
    json!({
        "file": name,
        "code": mistake.code.number(),
        "title": mistake.code.title(),
        "message": mistake.message,
        "line": mistake.line,
        "column": mistake.column,
        "length": mistake.length,
        "offset": mistake.offset,
        "help": mistake.help,
        "fix": mistake.fix.as_ref().map(|fix| json!({
            "offset": fix.offset,
            "length": fix.length,
            "replacement": fix.replacement,
        })),
    })
}

/// A mistake as a picture: its line, a caret, help, and the line as it would be mended.
fn picture(mistake: &Diagnostic, name: &str, renderer: &Renderer) -> String {
    let line = usize::try_from(mistake.line).unwrap_or(usize::MAX);
    let source = mistake.source.as_str();
    let at = mistake.column.saturating_sub(1);
    let span = within(source, at, mistake.length);
    let snippet =
        Snippet::source(source).line_start(line).path(name).annotation(AnnotationKind::Primary.span(span));
    let mut error = Level::ERROR.primary_title(&*mistake.message).id(mistake.code.number()).element(snippet);
    let mut mended = None;
    if let Some(fix) = &mistake.fix
        && let Some(at) = (at as u64).checked_add(fix.offset).and_then(|it| it.checked_sub(mistake.offset))
        && at <= source.len() as u64
    {
        let span = within(source, at as usize, fix.length);
        let title = mistake.help.as_deref().unwrap_or("change it like this");
        let patch = Snippet::source(source).line_start(line).patch(Patch::new(span, &*fix.replacement));
        mended = Some(Group::with_title(Level::HELP.secondary_title(title)).element(patch));
    } else if let Some(help) = &mistake.help {
        error = error.element(Level::HELP.message(&**help));
    }
    let groups: Vec<Group<'_>> = std::iter::once(error).chain(mended).collect();
    renderer.render(&groups)
}

/// Where a part of the line is in `source`, which has a sign for each byte that is no character.
fn within(source: &str, at: usize, length: usize) -> Range<usize> {
    let place = |wanted: usize| {
        let mut bytes = 0;
        let found = source.char_indices().find(|(_, character)| {
            let reached = bytes >= wanted;
            bytes += if *character == char::REPLACEMENT_CHARACTER { 1 } else { character.len_utf8() };
            reached
        });
        found.map_or(source.len(), |(place, _)| place)
    };
    place(at)..place(at.saturating_add(length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola::text::{Code, Fix};

    fn mistake() -> Diagnostic {
        Diagnostic {
            code: Code::UnknownField,
            message: "`orgin` is no field of `particle`".into(),
            line: 7,
            column: 3,
            length: 5,
            offset: 102,
            source: "  orgin 1.0 2.0 3.0;".into(),
            help: Some("did you mean `origin`?".into()),
            fix: Some(Fix { offset: 102, length: 5, replacement: "origin".into() }),
        }
    }

    #[test]
    fn a_mistake_is_shown_with_its_line() {
        let picture = picture(&mistake(), "a.txt", &Renderer::plain());
        assert!(picture.contains("error[T003]"), "{picture}");
        assert!(picture.contains("a.txt:7:3"), "{picture}");
        assert!(picture.contains("^^^^^"), "{picture}");
        assert!(picture.contains("did you mean `origin`?"), "{picture}");
    }

    #[test]
    fn no_place_is_too_odd_to_be_shown() {
        for (column, length, offset) in
            [(0, 0, 0), (1, 999, 5), (999, 1, 102), (usize::MAX, usize::MAX, u64::MAX)]
        {
            let odd = Diagnostic { column, length, offset, source: "\u{fffd}a\u{fffd}".into(), ..mistake() };
            picture(&odd, "a.txt", &Renderer::plain());
        }
    }

    #[test]
    fn bytes_that_are_no_characters_count_one() {
        assert_eq!(within("p \u{fffd}\u{fffd} 5;", 5, 1), 9..10);
        assert_eq!(within("p \u{e9} 5;", 5, 1), 5..6);
        assert_eq!(within("abc", 3, 1), 3..3);
    }

    #[test]
    fn programs_get_every_part() {
        let json = json(&mistake(), "a.txt");
        assert_eq!(json["code"], "T003");
        assert_eq!(json["fix"]["replacement"], "origin");
    }
}
