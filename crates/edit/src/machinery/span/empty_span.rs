//! Explains in messages why a span has nothing in it, or nothing after its end.

use super::found::{ALL, NEAR, SpanLevel};
use super::survey::{End, SoughtSpan};
use super::{Span, SpanEnd, Spans, span_time};
use crate::{EditCode, Mistake};
use std::ops::Range;

/// The mistake for a span with nothing in it; `place` is its range in the words.
pub(super) fn mistake(
    spans: &Spans,
    span: &Span,
    at: Range<usize>,
    sought: &SoughtSpan<'_>,
    levels: &[SpanLevel],
    film: f64,
) -> Mistake {
    if let Some(end) = sought.ends.iter().find(|end| end.event.is_some() && end.hits.is_empty()) {
        let (message, help) = no_event(end);
        return Mistake::new(EditCode::NoSuchEvent, message, &spans.text, at).help(help);
    }
    let help = match sought.around {
        [Some(before), Some(after)] => {
            format!(
                "there is no frame in it: there is one at {}, and the next at {}",
                span_time(before),
                span_time(after)
            )
        }
        _ if sought.film.is_some() => {
            format!("engines show the recording for {}: ..+{} is all of it", span_time(film), span_time(film))
        }
        _ => {
            let words = spans.text.get(at.clone()).unwrap_or_default();
            [extent(span, levels), by_film(span, words, film).unwrap_or_default()].concat()
        }
    };
    let message = "nothing of the recording is in this span";
    Mistake::new(EditCode::NothingThere, message, &spans.text, at).help(help)
}

/// The span with film times in place of game times, if the recording is long enough: people confuse the two, since the
/// game's clock seldom begins at 0.
fn by_film(span: &Span, words: &str, film: f64) -> Option<String> {
    let (Some(SpanEnd::Time(from)), Some(SpanEnd::Time(_)) | None) = (&span.from, &span.to) else {
        return None;
    };
    let other = words.replacen("..", if span.to.is_some() { "..+" } else { ".." }, 1);
    (*from < film && span.levels.is_none()).then(|| format!("; +{other} counts from the first frame"))
}

/// The message that an event is not there, and its help.
fn no_event(end: &End<'_>) -> (String, String) {
    let (word, text) = end.event.map_or(("", ""), |event| (event.kind.word(), &*event.text));
    if text.is_empty() {
        return (
            format!("there is no `{word}` in the recording"),
            "`moviola events` lists all events".into(),
        );
    }
    let help = match end.similar_words.nearest(text) {
        Some(meant) => format!("did you mean {word} \"{meant}\"?"),
        None => format!("`{word}` looks for a part of the text; case does not matter"),
    };
    (format!("nothing in the recording has the text \"{text}\""), help)
}

/// The blocks or times that the recording has.
fn extent(span: &Span, levels: &[SpanLevel]) -> String {
    let Some(last) = levels.last() else { return "the recording has no blocks".into() };
    let count = levels.len();
    let (level, last_level) = span.levels.unwrap_or(ALL);
    if level as usize > count {
        return format!("there is no level {level}: the recording has {count}");
    }
    if matches!((&span.from, &span.to), (Some(SpanEnd::Block(_)), _) | (_, Some(SpanEnd::Block(_)))) {
        return format!("the blocks are #0..#{}", last.last);
    }
    let times: Vec<String> = levels
        .iter()
        .enumerate()
        .filter(|(at, _)| (level as usize..=last_level as usize).contains(&(at + 1)))
        .filter_map(|(at, level)| {
            let (from, to) = level.times?;
            let words = format!("{}..{}", span_time(from), span_time(to));
            Some(if count > 1 { format!("level {}: {words}", at + 1) } else { words })
        })
        .take(8)
        .collect();
    if times.is_empty() {
        "no game time passes in it".into()
    } else {
        format!("its times are {}", times.join(", "))
    }
}

/// The end of the recording or level, if the span names a later one.
pub(super) fn end_before(span: &Span, levels: &[SpanLevel]) -> Option<String> {
    let (_, last) = span.levels.unwrap_or(ALL);
    match span.to {
        Some(SpanEnd::Block(to)) => {
            let end = levels.last()?.last;
            (to > end).then(|| format!("the last block, which is #{end}"))
        }
        Some(SpanEnd::Time(to)) => {
            let of = levels.iter().take(usize::try_from(last).unwrap_or(usize::MAX));
            let ends = of.filter_map(|level| Some(level.times?.1));
            let end = ends.max_by(f64::total_cmp)?;
            let what = if span.levels.is_some() { "the level's end" } else { "the end" };
            (to > end + NEAR).then(|| format!("{what}, which is at {}", span_time(end)))
        }
        _ => None,
    }
}

/// A note that the span's times occur in several levels; `None` if they do not, or if the span names a level.
pub(super) fn in_several(span: &Span, words: &str, levels: &[SpanLevel]) -> Option<String> {
    let time = |point: &Option<SpanEnd>| match point {
        None => Some(None),
        Some(SpanEnd::Time(time)) => Some(Some(*time)),
        Some(_) => None,
    };
    let (from, to) = (time(&span.from)?, time(&span.to)?);
    // A span with an open end means the whole recording, so all levels are meant.
    let (from, to) = (from?, to?);
    let is_in = |level: &SpanLevel| {
        level.times.is_some_and(|(first, last)| first <= to + NEAR && from - NEAR <= last)
    };
    let all = levels.iter().enumerate().filter(|(_, level)| is_in(level)).map(|(at, _)| at.saturating_add(1));
    let numbers: Vec<String> = all.map(|number| number.to_string()).collect();
    let (first, count) = (numbers.first()?, numbers.len());
    let film = words.replacen("..", "..+", 1);
    (span.levels.is_none() && count > 1).then(|| {
        format!(
            "{words} is in {count} levels ({}) and selects each of them: level {first} {words} selects one, +{film} \
             counts from the first frame",
            numbers.get(..count.min(8)).unwrap_or_default().join(", "),
        )
    })
}
