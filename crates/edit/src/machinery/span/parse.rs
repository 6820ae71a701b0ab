//! Parses spans. The language is small enough for a parser without tables; every mistake has its place and
//! its help.

use super::{Span, SpanEnd, SpanEvent, SpanEventKind};
use crate::{EditCode, Mistake};
use moviola_analyse::EventKind;
use moviola_text::nearest;
use std::ops::Range;

const HELP: &str = "spans are 12.5..1:30, +5..+8, #100..#200, level 2, level 2..4, chat \"text\" -5 +5, or kill -2 +2, with commas between";

const FIRST: &str =
    "one recording, or a folder of them, comes before the spans, and in a script none: run.dem 5..7";

/// Words for the level of a recording.
const OTHER_LEVELS: [&str; 4] = ["map", "maps", "levels", "episode"];

// not from SCHEMA: the word for a level of the recording
const LEVEL: &str = "level";

/// All spans of a text, with their ranges in it.
pub(super) fn spans(text: &str) -> Result<Vec<(Span, Range<usize>)>, Mistake> {
    let mut words = WordScanner { text, offset: 0 };
    let mut spans = Vec::new();
    loop {
        words.blanks();
        let start = words.offset;
        let span = words.span()?;
        spans.push((span, start..words.offset));
        words.blanks();
        if words.rest().is_empty() {
            return Ok(spans);
        }
        if !words.eat(",") {
            return Err(words.unexpected("a comma was expected between two spans"));
        }
    }
}

struct WordScanner<'t> {
    text: &'t str,
    offset: usize,
}

impl WordScanner<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        self.offset = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        self.offset += if found { what.len() } else { 0 };
        found
    }

    /// Takes a word of the language, unless a longer word begins with it.
    fn eat_word(&mut self, word: &str) -> bool {
        let longer = |rest: &str| rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        let found = self.rest().strip_prefix(word).is_some_and(|rest| !longer(rest));
        self.offset += if found { word.len() } else { 0 };
        found
    }

    /// The text from here up to the next blank, comma or `..`.
    fn here(&self) -> Range<usize> {
        let rest = self.rest();
        let ends = [rest.find([' ', ',', '\t']), rest.find("..")];
        let length = ends.into_iter().flatten().min().unwrap_or(rest.len());
        // A mistake points at one sign at least, even at the end of the text.
        let first = rest.chars().next().map_or(1, char::len_utf8);
        self.offset..self.offset + length.max(first)
    }

    fn mistake(&self, code: EditCode, message: impl Into<String>, at: Range<usize>) -> Mistake {
        Mistake::new(code, message, self.text, at)
    }

    /// A mistake: something unexpected.
    fn unexpected(&self, expected: &str) -> Mistake {
        let at = self.here();
        let found = self.text.get(at.clone()).unwrap_or_default();
        let message = if found.is_empty() {
            format!("{expected}, not the end")
        } else {
            format!("{expected}, not `{found}`")
        };
        let meant = self.dots().map(|meant| format!("did you mean `{meant}`?"));
        let help = meant.unwrap_or_else(|| if self.is_file() { FIRST.into() } else { HELP.into() });
        self.mistake(EditCode::Span, message, at).help(help)
    }

    /// The span that was probably meant by two ends with a dash between, as people write them elsewhere.
    fn dots(&self) -> Option<String> {
        let between = |sign: char| sign == ',' || sign.is_whitespace();
        let start = self.text.get(..self.offset)?.rfind(between).map_or(0, |at| at + 1);
        let word = self.text.get(start..)?.split(between).next()?;
        let (from, to) = word.split_once('-')?;
        let bare = |end: &str| {
            end.starts_with(|sign: char| sign.is_ascii_digit())
                && end.bytes().all(|sign| sign.is_ascii_digit() || b":.".contains(&sign))
                && !end.contains("..")
        };
        match (from.strip_prefix('#'), to.strip_prefix('#').unwrap_or(to)) {
            (Some(from), to) if bare(from) && bare(to) => Some(format!("#{from}..#{to}")),
            (None, _) if bare(from) && bare(to) => Some(format!("{from}..{to}")),
            _ => None,
        }
    }

    /// Whether the text has the file name of a recording in it.
    fn is_file(&self) -> bool {
        let text = self.text.to_ascii_lowercase();
        let is_file =
            |word: &str| [".dem", ".dm2", ".qwd", ".mvd"].iter().any(|ending| word.ends_with(ending));
        text.split([',', ' ']).any(is_file)
    }

    fn span(&mut self) -> Result<Span, Mistake> {
        let start = self.offset;
        let levels = self.levels(start)?;
        let behind_levels = self.offset;
        self.blanks();
        if levels.is_some() && (self.is_over() || levels.is_some_and(|(first, last)| first != last)) {
            return Ok(Span { levels, from: None, to: None });
        }
        if self.is_over() {
            return Err(self.unexpected("a span was expected"));
        }
        let from = if self.rest().starts_with("..") { None } else { Some(self.point()?) };
        self.blanks();
        if !self.eat("..") {
            return match from {
                Some((SpanEnd::Event(event, first), offsets)) => Ok(around(levels, event, first, &offsets)),
                Some((SpanEnd::Block(block), _)) => {
                    Ok(Span { levels, from: Some(SpanEnd::Block(block)), to: Some(SpanEnd::Block(block)) })
                }
                _ => {
                    let words = self.text.get(start..self.offset).unwrap_or_default().trim_end();
                    let help = format!(
                        "write {words}.. for everything after it, or {words}..{words} for this moment"
                    );
                    Err(self
                        .mistake(EditCode::Span, "a time alone is not a span", start..start + words.len())
                        .help(help))
                }
            };
        }
        self.blanks();
        let open = self.is_over();
        if open && from.is_none() && levels.is_some() {
            let level = self.text.get(start..behind_levels).unwrap_or_default();
            let help = format!("write {level} for all of it, or {level}.. for it and all later ones");
            let message = "a part of a level needs a beginning or an end";
            return Err(self.mistake(EditCode::Span, message, start..self.offset).help(help));
        }
        let to = if open { None } else { Some(self.point()?.0) };
        let from = from.map(|(point, _)| point);
        let backwards = match (&from, &to) {
            (Some(SpanEnd::Time(from)), Some(SpanEnd::Time(to)))
            | (Some(SpanEnd::Film(from)), Some(SpanEnd::Film(to))) => from > to,
            (Some(SpanEnd::Block(from)), Some(SpanEnd::Block(to))) => from > to,
            _ => false,
        };
        if backwards {
            let message = "this span ends before it begins";
            return Err(self
                .mistake(EditCode::Backwards, message, start..self.offset)
                .help("swap start and end"));
        }
        Ok(Span { levels, from, to })
    }

    /// Whether the span ends here.
    fn is_over(&self) -> bool {
        self.rest().is_empty() || self.rest().starts_with(',')
    }

    /// The levels that a span begins with: `level 2`, `level 2..4`, `level 2..`, `..level 4`.
    fn levels(&mut self, start: usize) -> Result<Option<(u32, u32)>, Mistake> {
        if self.eat("..") {
            self.blanks();
            if self.eat_word(LEVEL) {
                return Ok(Some((0, self.level()?)));
            }
            self.offset = start;
        }
        if !self.eat_word(LEVEL) {
            return Ok(None);
        }
        let first = self.level()?;
        // After a blank, a part of the level follows.
        if !self.eat("..") {
            return Ok(Some((first, first)));
        }
        let word_end = self.offset;
        self.blanks();
        if self.is_over() {
            return Ok(Some((first, u32::MAX)));
        }
        self.eat_word(LEVEL);
        self.blanks();
        let here = self.here();
        let is_number = self.text.get(here.clone()).is_some_and(|word| word.parse::<u32>().is_ok());
        if !is_number {
            let rest = self.text.get(word_end..here.end).unwrap_or_default().trim_start();
            let help = format!("write level {first} ..{rest} for a part of level {first}");
            return Err(self.unexpected("the number of the last level was expected").help(help));
        }
        let last = self.level()?;
        if first > last {
            let message = "this span ends before it begins";
            return Err(self
                .mistake(EditCode::Backwards, message, start..self.offset)
                .help("swap start and end"));
        }
        Ok(Some((first, last)))
    }

    fn level(&mut self) -> Result<u32, Mistake> {
        self.blanks();
        let digits = self.digits();
        match digits.parse() {
            Ok(level) if level > 0 => {
                self.offset += digits.len();
                Ok(level)
            }
            _ => Err(self.unexpected("the number of a level was expected, counted from 1")),
        }
    }

    fn digits(&self) -> String {
        self.rest().chars().take_while(char::is_ascii_digit).collect()
    }

    /// A point, and the offsets that were given for an event.
    fn point(&mut self) -> Result<(SpanEnd, Vec<f64>), Mistake> {
        if self.eat("#") {
            let digits = self.digits();
            let Ok(block) = digits.parse() else {
                return Err(self.unexpected("the number of a block was expected"));
            };
            self.offset += digits.len();
            return Ok((SpanEnd::Block(block), Vec::new()));
        }
        if let Some(kind) = SpanEventKind::all().find(|kind| self.eat_word(kind.word())) {
            let event = SpanEvent { kind, text: self.text_of(kind)? };
            let mut offsets = Vec::new();
            loop {
                let before = self.offset;
                self.blanks();
                if offsets.len() == 2 || !self.rest().starts_with(['+', '-']) {
                    self.offset = before;
                    let first = offsets.first().copied().unwrap_or(0.0);
                    return Ok((SpanEnd::Event(event, first), offsets));
                }
                let sign = if self.eat("-") { -1.0 } else { 1.0 };
                self.eat("+");
                offsets.push(sign * self.seconds()?);
            }
        }
        if self.eat("+") {
            return Ok((SpanEnd::Film(self.seconds()?), Vec::new()));
        }
        Ok((SpanEnd::Time(self.seconds()?), Vec::new()))
    }

    /// The text of an event; an event of the analysis may have none.
    fn text_of(&mut self, kind: SpanEventKind) -> Result<String, Mistake> {
        let before = self.offset;
        self.blanks();
        if matches!(kind, SpanEventKind::Happens(_)) && !self.rest().starts_with('"') {
            self.offset = before;
            return Ok(String::new());
        }
        self.quoted()
    }

    fn quoted(&mut self) -> Result<String, Mistake> {
        self.blanks();
        if !self.eat("\"") {
            return Err(self.unexpected("a text in double quotes was expected"));
        }
        let Some(length) = self.rest().find('"') else {
            let at = self.offset - 1..self.text.len();
            return Err(self
                .mistake(EditCode::Span, "this text has no end", at)
                .help("close it with a second \""));
        };
        let text = self.rest().get(..length).unwrap_or_default().to_owned();
        if text.is_empty() {
            return Err(self.mistake(
                EditCode::Span,
                "an empty text matches everything",
                self.offset - 1..self.offset + 1,
            ));
        }
        self.offset += length + 1;
        Ok(text)
    }

    /// Seconds, m:ss or h:mm:ss.
    fn seconds(&mut self) -> Result<f64, Mistake> {
        let at = self.here();
        let word = self.text.get(at.clone()).unwrap_or_default();
        let is_plain = |part: &&str| part.starts_with(|c: char| c.is_ascii_digit());
        let parts: Option<Vec<f64>> =
            word.split(':').map(|part| Some(part).filter(is_plain)?.parse().ok()).collect();
        match parts {
            Some(parts) if parts.iter().skip(1).any(|part| *part >= 60.0) => {
                let message = "the number after a colon is less than 60";
                let help = "a time is 90, 1:30 or 0:01:30: seconds, m:ss or h:mm:ss";
                Err(self.mistake(EditCode::Span, message, at).help(help))
            }
            Some(parts) if parts.len() <= 3 && parts.iter().all(|part| part.is_finite()) => {
                self.offset = at.end;
                Ok(parts.into_iter().fold(0.0, |sum, part| sum * 60.0 + part))
            }
            _ => {
                let mistake = self.unexpected("a time, a block, a level or an event was expected");
                let known = SpanEventKind::all().map(SpanEventKind::word).chain([LEVEL]);
                let other = EventKind::meant_by(word).map(|meant| meant.to_string());
                let is_level = OTHER_LEVELS.iter().any(|other| word.eq_ignore_ascii_case(other));
                let level = is_level.then(|| format!("{LEVEL} 1"));
                let meant = other.or(level).or_else(|| nearest(word, known).map(str::to_owned));
                let meant = meant.map(|meant| format!("did you mean `{meant}`?"));
                Err(match meant {
                    Some(help) => mistake.help(help),
                    None => mistake,
                })
            }
        }
    }
}

/// An event with its seconds before and after.
fn around(levels: Option<(u32, u32)>, event: SpanEvent, first: f64, offsets: &[f64]) -> Span {
    let second = offsets.get(1).copied().unwrap_or(0.0);
    let (before, after) = (first.min(second).min(0.0), first.max(second).max(0.0));
    let to = Some(SpanEnd::Event(event.clone(), after));
    Span { levels, from: Some(SpanEnd::Event(event, before)), to }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SpanEnd::{Block, Time};

    fn single_span(text: &str) -> Span {
        let mut all = spans(text).unwrap();
        assert_eq!(all.len(), 1, "{text}");
        all.remove(0).0
    }

    fn plain(from: Option<SpanEnd>, to: Option<SpanEnd>) -> Span {
        Span { levels: None, from, to }
    }

    fn cut_here() -> SpanEvent {
        SpanEvent { kind: SpanEventKind::Chat, text: "cut here".into() }
    }

    #[test]
    fn spans_of_all_kinds_are_read() {
        assert_eq!(single_span("12.5..1:30"), plain(Some(Time(12.5)), Some(Time(90.0))));
        assert_eq!(single_span(" ..1:00:01 "), plain(None, Some(Time(3601.0))));
        assert_eq!(single_span("0.."), plain(Some(Time(0.0)), None));
        assert_eq!(single_span("+5..+1:30"), plain(Some(SpanEnd::Film(5.0)), Some(SpanEnd::Film(90.0))));
        assert_eq!(
            single_span("level 2 ..+4"),
            Span { levels: Some((2, 2)), ..plain(None, Some(SpanEnd::Film(4.0))) }
        );
        assert_eq!(single_span("#100..#200"), plain(Some(Block(100)), Some(Block(200))));
        assert_eq!(single_span("#7"), plain(Some(Block(7)), Some(Block(7))));
        let levels = |first, last| Span { levels: Some((first, last)), from: None, to: None };
        assert_eq!(single_span("level 2"), levels(2, 2));
        assert_eq!(single_span("level 2.."), levels(2, u32::MAX));
        assert_eq!(
            [single_span("level 2..4"), single_span("level 2.. level 4")],
            [levels(2, 4), levels(2, 4)]
        );
        assert_eq!(single_span("level 2..2"), levels(2, 2));
        assert_eq!(single_span("..level 4"), levels(0, 4));
        assert_eq!(single_span("level 2 1..2"), Span { levels: Some((2, 2)), ..single_span("1..2") });
        assert_eq!(single_span("level 2 ..4"), Span { levels: Some((2, 2)), ..single_span("..4") });
        assert_eq!(spans("level 2.., 1..2").unwrap().len(), 2);
        let event = |seconds| Some(SpanEnd::Event(cut_here(), seconds));
        assert_eq!(single_span("chat \"cut here\""), plain(event(0.0), event(0.0)));
        assert_eq!(single_span("chat \"cut here\" +5"), plain(event(0.0), event(5.0)));
        assert_eq!(single_span("chat \"cut here\" -5"), plain(event(-5.0), event(0.0)));
        assert_eq!(single_span("chat \"cut here\" -5 +0:10"), plain(event(-5.0), event(10.0)));
        assert_eq!(single_span("chat \"cut here\" +1..1:00"), plain(event(1.0), Some(Time(60.0))));
        assert_eq!(single_span("..chat \"cut here\" -2"), plain(None, event(-2.0)));
        assert_eq!(spans("1..2,3..4 , level 1").unwrap().len(), 3);
        let kill = |text: &str, seconds| {
            Some(SpanEnd::Event(
                SpanEvent { kind: SpanEventKind::Happens("kill"), text: text.into() },
                seconds,
            ))
        };
        assert_eq!(single_span(".."), plain(None, None));
        assert_eq!(single_span("kill"), plain(kill("", 0.0), kill("", 0.0)));
        assert_eq!(single_span("kill -2 +1"), plain(kill("", -2.0), kill("", 1.0)));
        assert_eq!(single_span("kill \"Bob\" ..1:00"), plain(kill("Bob", 0.0), Some(Time(60.0))));
    }

    #[test]
    fn mistakes_suggest_the_nearest_words() {
        let help = |text: &str| spans(text).unwrap_err().help.unwrap();
        assert_eq!(help("kil -2 +2"), "did you mean `kill`?");
        assert_eq!([help("frag"), help("Kills -2 +2")], ["did you mean `kill`?"; 2]);
        for (word, meant) in [
            ("died", "death"),
            ("rl", "kill \"Rocket Launcher\""),
            ("item", "pickup"),
            ("Health -2 +2", "pickup \"health\""),
            ("quad", "powerup_start \"quad\""),
            ("say", "chat"),
            ("map", "level 1"),
        ] {
            assert_eq!(help(word), format!("did you mean `{meant}`?"));
        }
        assert_eq!(help("levl 1"), "did you mean `level`?");
        assert_eq!(help("5-7"), "did you mean `5..7`?");
        assert_eq!(help("1..2,0:05-0:07.5"), "did you mean `0:05..0:07.5`?");
        assert_eq!([help("#10-20"), help("#10-#20")], ["did you mean `#10..#20`?"; 2]);
        assert_eq!([help("5..7-9"), help("x-7")], [HELP; 2]);
        assert_eq!([help("runs/Run.DEM"), help("two.qwd,5..7")], [FIRST; 2]);
        assert_eq!(help("level 2..0:30"), "write level 2 ..0:30 for a part of level 2");
        assert_eq!(help("level 2 .."), "write level 2 for all of it, or level 2.. for it and all later ones");
    }

    #[test]
    fn mistakes_have_their_place() {
        let places: [(&str, usize, usize, EditCode); 23] = [
            ("", 1, 1, EditCode::Span),
            ("1..x", 4, 1, EditCode::Span),
            ("1..2 3..4", 6, 1, EditCode::Span),
            ("1..2,", 6, 1, EditCode::Span),
            ("5..3", 1, 4, EditCode::Backwards),
            ("#9..#3", 1, 6, EditCode::Backwards),
            ("level x", 7, 1, EditCode::Span),
            ("level 0", 7, 1, EditCode::Span),
            ("chat cut", 6, 3, EditCode::Span),
            ("chat \"cut", 6, 4, EditCode::Span),
            ("12.5", 1, 4, EditCode::Span),
            ("1..nan", 4, 3, EditCode::Span),
            ("levels 2", 1, 6, EditCode::Span),
            ("level 4..2", 1, 10, EditCode::Backwards),
            ("level 2..1:30", 10, 4, EditCode::Span),
            ("level 2..level x", 16, 1, EditCode::Span),
            ("level 2..4 1..2", 12, 1, EditCode::Span),
            ("level 2 ..", 1, 10, EditCode::Span),
            ("..level 0", 9, 1, EditCode::Span),
            ("1:70..", 1, 4, EditCode::Span),
            ("+5..+3", 1, 6, EditCode::Backwards),
            ("+5", 1, 2, EditCode::Span),
            ("+x..", 2, 1, EditCode::Span),
        ];
        for (text, column, length, code) in places {
            let mistake = spans(text).unwrap_err();
            assert_eq!((mistake.column, mistake.length, mistake.code), (column, length, code), "{text}");
        }
    }
}
