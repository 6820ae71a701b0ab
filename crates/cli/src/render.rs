//! Prints mistakes for people and for programs. The only file that uses annotate-snippets.

use crate::failure::line;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use moviola::catalog::QueryMistake;
use moviola::text::{Diagnostic, Fix, MistakeKind};
use serde_json::json;
use std::ops::Range;

/// A mistake to print.
pub(crate) struct PrintedMistake<'m> {
    code: &'static str,
    title: &'static str,
    message: &'m str,
    line: u64,
    column: usize,
    length: usize,
    /// Its offset in the text; `None` if only its line is known.
    offset: Option<u64>,
    source: &'m str,
    /// The number of bytes of the line before `source`.
    skipped: usize,
    help: Option<&'m str>,
    fix: Option<&'m Fix>,
    warning: bool,
    /// Whether reading stopped here, so that there may be more mistakes.
    more: bool,
}

impl<'m, C: MistakeKind> From<&'m Diagnostic<C>> for PrintedMistake<'m> {
    fn from(it: &'m Diagnostic<C>) -> Self {
        Self {
            code: it.code.number(),
            title: it.code.title(),
            message: &it.message,
            line: it.line,
            column: it.column,
            length: it.length,
            offset: it.offset,
            source: &it.source,
            skipped: it.skipped,
            help: it.help.as_deref(),
            fix: it.fix.as_ref(),
            warning: it.code.is_warning(),
            more: false,
        }
    }
}

/// Prints mistakes on standard error and, unless `briefly`, their number and the fate of the text, `became`.
/// If there are as many as `limit`, there may be more.
pub(crate) fn mistakes<C: MistakeKind>(
    mistakes: &[Diagnostic<C>],
    name: &str,
    as_json: bool,
    briefly: bool,
    limit: usize,
    became: &str,
) {
    let mut shown: Vec<PrintedMistake<'_>> = mistakes.iter().map(PrintedMistake::from).collect();
    let more = shown.len() >= limit;
    shown.last_mut().into_iter().for_each(|last| last.more = more);
    print(&shown, name, as_json);
    if let (Some(first), false) = (shown.first(), as_json || briefly) {
        let number = crate::units::counted(mistakes.len() as u64, "mistake");
        let number = if more { format!("the first {number}, there may be more") } else { number };
        let code = first.code;
        line(&format!("{name}: {number}; {became}. `moviola explain {code}` says more"));
    }
}

/// Prints things in a text that are probably mistakes, although a recording was made of it.
pub(crate) fn warnings(warnings: &[Diagnostic], name: &str, as_json: bool) {
    print(&warnings.iter().map(PrintedMistake::from).collect::<Vec<_>>(), name, as_json);
}

fn print(shown: &[PrintedMistake<'_>], name: &str, as_json: bool) {
    for mistake in shown {
        if as_json {
            line(&json(mistake, name).to_string());
        } else {
            line(&format!("{}\n", picture(mistake, name, &Renderer::styled())));
        }
    }
}

/// Prints the mistake in a question to a catalog.
pub(crate) fn question(mistake: &QueryMistake) {
    let source = mistake.source.as_str();
    let span = within(source, mistake.range().start, mistake.length);
    let snippet = Snippet::source(source).annotation(AnnotationKind::Primary.span(span));
    let mut error = Level::ERROR.primary_title(&*mistake.message).element(snippet);
    if let Some(help) = &mistake.help {
        error = error.element(Level::HELP.message(&**help));
    }
    line(&Renderer::styled().render(&[error]));
}

/// A mistake as a JSON object.
fn json(mistake: &PrintedMistake<'_>, name: &str) -> serde_json::Value {
    let mut object = json!({
        "file": name,
        "code": mistake.code,
        "title": mistake.title,
        "warning": mistake.warning,
        // not from SCHEMA: a key of JSON
        "message": mistake.message,
        "line": mistake.line,
        "column": mistake.column,
        "length": mistake.length,
        "help": mistake.help,
        "fix": mistake.fix.map(|fix| json!({
            "offset": fix.offset,
            "length": fix.length,
            "replacement": fix.replacement,
        })),
    });
    if let Some(all) = object.as_object_mut() {
        if let Some(offset) = mistake.offset {
            all.insert("offset".into(), offset.into());
        }
        if mistake.more {
            all.insert("more".into(), true.into());
        }
    }
    object
}

/// A mistake as a picture: its line, a caret, help, and the corrected line.
fn picture(mistake: &PrintedMistake<'_>, name: &str, renderer: &Renderer) -> String {
    let line = usize::try_from(mistake.line).unwrap_or(usize::MAX);
    let PrintedMistake { source, skipped, .. } = *mistake;
    let at = mistake.column.saturating_sub(1).saturating_sub(skipped);
    let span = within(source, at, mistake.length);
    let letters = |text: &str, at: usize| text.get(..at).unwrap_or_default().chars().count();
    let column = skipped + letters(source, span.start) + 1;
    let Excerpt { text, span } = Excerpt::around(source, skipped, span);
    let column_shown = letters(&text, span.start) + 1;
    let snippet =
        Snippet::source(text).line_start(line).path(name).annotation(AnnotationKind::Primary.span(span));
    let level = if mistake.warning { Level::WARNING } else { Level::ERROR };
    let mut error = level.primary_title(mistake.message).id(mistake.code).element(snippet);
    let mut mended = None;
    if let Some((fix, span)) = mistake.fix.and_then(|fix| Some((fix, fix_in_line(mistake, fix, at)?))) {
        let Excerpt { text, span } = Excerpt::around(source, skipped, span);
        let title = mistake.help.unwrap_or("change it like this");
        let patch = Snippet::source(text).line_start(line).patch(Patch::new(span, &*fix.replacement));
        mended = Some(Group::with_title(Level::HELP.secondary_title(title)).element(patch));
    } else if let Some(help) = mistake.help {
        error = error.element(Level::HELP.message(help));
    }
    let groups: Vec<Group<'_>> = std::iter::once(error).chain(mended).collect();
    let picture = renderer.render(&groups);
    if column == column_shown {
        return picture;
    }
    // The library counts columns in the excerpt.
    picture.replacen(&format!("{name}:{line}:{column_shown}"), &format!("{name}:{line}:{column}"), 1)
}

/// The range of a fix in the line of a mistake that is at byte `at`, if both this and the replacement are
/// short enough to be shown.
fn fix_in_line(mistake: &PrintedMistake<'_>, fix: &Fix, at: usize) -> Option<Range<usize>> {
    let at = (at as u64).checked_add(fix.offset)?.checked_sub(mistake.offset?)?;
    let span = within(mistake.source, usize::try_from(at).ok()?, fix.length);
    let shown = at <= mistake.source.len() as u64 && span.len() < WIDTH && fix.replacement.len() < WIDTH;
    shown.then_some(span)
}

/// Longer lines are shown in part.
const WIDTH: usize = 120;

/// A line, or the part of a long one around a place; and that place in it.
struct Excerpt {
    text: String,
    span: Range<usize>,
}

impl Excerpt {
    /// `skipped` bytes of the line are not in `source`.
    fn around(source: &str, skipped: usize, span: Range<usize>) -> Self {
        const DOTS: &str = "...";
        if skipped == 0 && source.len() <= WIDTH {
            return Self { text: source.to_owned(), span };
        }
        let start = source.floor_char_boundary(span.start.saturating_sub(WIDTH / 2));
        let end = source.ceil_char_boundary(start.saturating_add(WIDTH).max(span.start + WIDTH / 2));
        let dots = |cut: bool| if cut { DOTS } else { "" };
        let before = dots(skipped > 0 || start > 0);
        let part = source.get(start..end).unwrap_or_default();
        let place = |at: usize| before.len() + at.min(end) - start;
        let (first, last) = (place(span.start), place(span.end));
        Self { text: format!("{before}{part}{}", dots(end < source.len())), span: first..last }
    }
}

/// The range of a part of the line in `source`, which has a sign for each byte that is not a character.
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
    use moviola::text::{Fix, TextCode};

    fn mistake() -> Diagnostic {
        Diagnostic {
            code: TextCode::UnknownField,
            message: "`orgin` is not a field of `particle`".into(),
            line: 7,
            column: 3,
            length: 5,
            offset: Some(102),
            source: "  orgin 1.0 2.0 3.0;".into(),
            skipped: 0,
            help: Some("did you mean `origin`?".into()),
            fix: Some(Fix { offset: 102, length: 5, replacement: "origin".into() }),
        }
    }

    #[test]
    fn a_mistake_is_shown_with_its_line() {
        let picture = picture(&PrintedMistake::from(&mistake()), "a.txt", &Renderer::plain());
        assert!(picture.contains("error[T003]"), "{picture}");
        assert!(picture.contains("a.txt:7:3"), "{picture}");
        assert!(picture.contains("^^^^^"), "{picture}");
        assert!(picture.contains("did you mean `origin`?"), "{picture}");
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let line = format!("{}orgin 1.0;{}", "nop; ".repeat(100), " nop;".repeat(100));
        let (column, offset) = (250_001, 250_000);
        let fix = Some(Fix { offset, length: 5, replacement: "origin".into() });
        let far =
            Diagnostic { column, offset: Some(offset), source: line, skipped: 249_500, fix, ..mistake() };
        let picture = picture(&PrintedMistake::from(&far), "a.txt", &Renderer::plain());
        assert!(picture.contains("a.txt:7:250001"), "{picture}");
        assert!(picture.lines().all(|line| line.len() < WIDTH + 20), "{picture}");
        let lines: Vec<&str> = picture.lines().collect();
        let caret = lines.iter().position(|line| line.contains("^^^^^")).unwrap();
        assert_eq!(lines[caret].find('^'), lines[caret - 1].find("orgin"), "{picture}");
        assert!(picture.contains("nop; origin 1.0; nop;"), "{picture}");
    }

    #[test]
    fn no_place_is_too_odd_to_be_shown() {
        for (column, length, offset) in
            [(0, 0, 0), (1, 999, 5), (999, 1, 102), (usize::MAX, usize::MAX, u64::MAX)]
        {
            let odd = Diagnostic {
                column,
                length,
                offset: Some(offset),
                source: "\u{fffd}a\u{fffd}".into(),
                ..mistake()
            };
            picture(&PrintedMistake::from(&odd), "a.txt", &Renderer::plain());
        }
    }

    #[test]
    fn bytes_that_are_not_characters_count_as_one() {
        assert_eq!(within("p \u{fffd}\u{fffd} 5;", 5, 1), 9..10);
        assert_eq!(within("p \u{e9} 5;", 5, 1), 5..6);
        assert_eq!(within("abc", 3, 1), 3..3);
    }

    #[test]
    fn programs_get_every_part() {
        let json = json(&PrintedMistake::from(&mistake()), "a.txt");
        assert_eq!(json["code"], "T003");
        assert_eq!(json["fix"]["replacement"], "origin");
    }
}
