//! `Script`: edits as the lines of a text, each in the words of a command.
//!
//! This module knows no commands. The program that has them takes the words of each line, and reports
//! mistakes with their position in the line.

use crate::{EditCode, Mistake};
use std::ops::Range;

/// A script: a command on each line, as typed in a shell, but without the names of the input and the output.
///
/// Words have blanks between them; a word with blanks in it is quoted as in a shell, `'like this'` or `"like
/// this"`. The text after `# ` is a comment, and so is a line that begins with `#`.
///
/// ```
/// use moviola_edit::{EditCode, Script, Spans, Strip};
/// let script = Script::parse("cut 0:05..0:10  # the jump\n\n# strip sounds\nstrip caht\n").unwrap();
/// let [cut, strip] = script.lines() else { unreachable!() };
/// assert_eq!(cut.words().collect::<Vec<_>>(), ["cut", "0:05..0:10"]);
/// assert!(Spans::parse(cut.words().nth(1).unwrap()).is_ok());
/// // A mistake in a word gets its place in the script.
/// let mistake = strip.place(Strip::parse(strip.words().nth(1).unwrap()).unwrap_err());
/// assert_eq!((mistake.line, mistake.column, &*mistake.source), (4, 7, "strip caht"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    lines: Vec<Line>,
}

/// A line of a script: a command.
///
/// ```
/// use moviola_edit::{EditCode, Script};
/// let script = Script::parse("set player.1.name='The Ranger'").unwrap();
/// let line = &script.lines()[0];
/// assert_eq!(line.words().last(), Some("player.1.name=The Ranger"));
/// let mistake = line.mistake(EditCode::Line, "unknown", "set");
/// assert_eq!((mistake.column, mistake.length), (1, 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    number: u64,
    text: String,
    words: Vec<Word>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Word {
    text: String,
    /// For each byte of the text its offset in the line, and the offset of the end.
    places: Vec<usize>,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// A mistake for each line in which a quote is not closed.
    ///
    /// ```
    /// use moviola_edit::Script;
    /// let mistakes = Script::parse("cut 1..2\ncut 'level 2\n").unwrap_err();
    /// assert_eq!((mistakes[0].line, mistakes[0].column), (2, 5));
    /// ```
    pub fn parse(text: &str) -> Result<Self, Vec<Mistake>> {
        let (mut lines, mut mistakes) = (Vec::new(), Vec::new());
        for (number, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            match words(text) {
                Ok(words) if words.is_empty() => {}
                Ok(words) => lines.push(Line { number, text: text.to_owned(), words }),
                Err(open) => {
                    let mistake =
                        Mistake::new(EditCode::Line, "this quote is not closed", text, open..open + 1);
                    mistakes.push(mistake.in_line(number));
                }
            }
        }
        if mistakes.is_empty() { Ok(Self { lines }) } else { Err(mistakes) }
    }

    /// The lines with a command.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}

impl Line {
    /// Its words, the command's name first.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| &*word.text)
    }

    /// The text of the line without its comment.
    ///
    /// ```
    /// let script = moviola_edit::Script::parse("  strip 'chat'  # quiet").unwrap();
    /// assert_eq!(script.lines()[0].text(), "strip 'chat'");
    /// ```
    pub fn text(&self) -> &str {
        let range = self.range(0, self.words.len());
        let quoted = |at: usize| self.text.as_bytes().get(at).is_some_and(|it| matches!(it, b'\'' | b'"'));
        let start = range.start - usize::from(range.start > 0 && quoted(range.start - 1));
        let end = range.end + usize::from(quoted(range.end));
        self.text.get(start..end).unwrap_or_default()
    }

    /// A mistake in one of its words; without such a word, in everything after the command's name.
    pub fn mistake(&self, code: EditCode, message: impl Into<String>, word: &str) -> Mistake {
        let at = self.words.iter().position(|it| it.text == word);
        let from = usize::from(self.words.len() > 1);
        let range = at.map_or_else(|| self.range(from, self.words.len()), |at| self.range(at, at + 1));
        Mistake::new(code, message, &*self.text, range).in_line(self.number)
    }

    /// Moves a mistake in one of its words, or in several with blanks between, to its place in the line.
    #[must_use]
    pub fn place(&self, mistake: Mistake) -> Mistake {
        let start = mistake.column.saturating_sub(1);
        let places = self.places(&mistake.source);
        let at = |byte: usize| places.get(byte).or(places.last()).copied();
        let range = match (at(start), at(start.saturating_add(mistake.length))) {
            // A word that goes on in quotes ends before the closing quote.
            (Some(from), Some(to)) => from..to.max(from),
            _ => self.range(usize::from(self.words.len() > 1), self.words.len()),
        };
        Mistake {
            line: self.number,
            column: range.start.saturating_add(1),
            length: range.len(),
            source: self.text.clone(),
            ..mistake
        }
    }

    /// For each byte of a text that was made of the line's words, its offset in the line; empty if no words were
    /// used.
    fn places(&self, text: &str) -> Vec<usize> {
        for first in 0..self.words.len() {
            let (mut joined, mut places) = (String::new(), Vec::new());
            for word in self.words.iter().skip(first) {
                if !joined.is_empty() {
                    joined.push(' ');
                }
                joined.push_str(&word.text);
                places.extend_from_slice(&word.places);
                if joined.trim() == text.trim() && joined.len() >= text.len() {
                    return places;
                }
            }
            // A value stands after its name: `--to=15`.
            if let Some(word) = self.words.get(first)
                && !text.is_empty()
                && let Some(at) = word.text.find(text)
            {
                return word.places.get(at..).unwrap_or_default().to_vec();
            }
        }
        Vec::new()
    }

    /// The range of these words in the line.
    fn range(&self, from: usize, to: usize) -> Range<usize> {
        let start = self.words.get(from).and_then(|word| word.places.first()).copied().unwrap_or_default();
        let last = to.checked_sub(1).and_then(|at| self.words.get(at));
        start..last.and_then(|word| word.places.last()).copied().unwrap_or(start).max(start)
    }
}

/// A word as a line of a script needs it: in quotes if it has blanks or quotes in it.
///
/// ```
/// use moviola_edit::{Script, quoted};
/// assert_eq!([quoted("1..2"), quoted("level 2"), quoted("don't")], ["1..2", "'level 2'", "\"don't\""]);
/// let odd = "say \"it's\" \\";
/// assert_eq!(Script::parse(&format!("strip {}", quoted(odd))).unwrap().lines()[0].words().nth(1), Some(odd));
/// ```
pub fn quoted(word: &str) -> String {
    let is_plain = |sign: char| !sign.is_whitespace() && !matches!(sign, '\'' | '"' | '#');
    // A script has a line for each command, so a word cannot have several.
    let word = word.replace(['\n', '\r'], " ");
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    // Quoted parts of both kinds side by side make one word; in single quotes no sign has a special meaning.
    let parts =
        word.split('\'').map(|part| if part.is_empty() { String::new() } else { format!("'{part}'") });
    match (word.contains('\''), word.contains('\\')) {
        (false, _) => format!("'{word}'"),
        (true, false) => format!("\"{}\"", word.replace('"', "\\\"")),
        (true, true) => parts.collect::<Vec<_>>().join("\"'\""),
    }
}

/// The words of a line. An error is the offset of a quote that is not closed.
fn words(line: &str) -> Result<Vec<Word>, usize> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<Word>, None::<(char, usize)>);
    let mut signs = line.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let next = signs.peek().map(|(_, next)| *next);
        let end = at.saturating_add(sign.len_utf8());
        match (quote, sign) {
            (Some((open, _)), sign) if sign == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some((sign, at));
                word.get_or_insert_default().end(end);
            }
            (None, '#') if word.is_none() && (words.is_empty() || next.is_none_or(char::is_whitespace)) => {
                break;
            }
            (None, sign) if sign.is_whitespace() => words.extend(word.take()),
            // A quote in quotes.
            (Some(('"', _)), '\\') if next == Some('"') => {
                signs.next();
                word.get_or_insert_default().push('"', end);
            }
            (_, sign) => word.get_or_insert_default().push(sign, at),
        }
    }
    words.extend(word);
    match quote {
        Some((_, open)) => Err(open),
        None => Ok(words),
    }
}

impl Word {
    fn push(&mut self, sign: char, at: usize) {
        self.places.pop();
        self.text.push(sign);
        self.places.extend(at..=at.saturating_add(sign.len_utf8()));
    }

    /// Sets the end of the word, in case no further sign follows.
    fn end(&mut self, at: usize) {
        if self.places.is_empty() {
            self.places.push(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Line {
        Script::parse(text).unwrap().lines().first().unwrap().clone()
    }

    #[test]
    fn words_are_split_as_a_shell_does_it() {
        let words = |text: &str| first(text).words().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words("  cut   1..2 # there"), ["cut", "1..2"]);
        assert_eq!(words("cut #1..#2"), ["cut", "#1..#2"]);
        assert_eq!(words(r#"cut 'chat "in here" +5'"#), ["cut", r#"chat "in here" +5"#]);
        assert_eq!(words(r#"cut "chat \"in\" +5","level 2""#), ["cut", r#"chat "in" +5,level 2"#]);
        assert_eq!(words(r"ghost C:\demos\new.dem ''"), ["ghost", r"C:\demos\new.dem", ""]);
        assert_eq!(words("\u{feff}cut 1..2\r\n"), ["cut", "1..2"]);
        assert!(Script::parse("#cut 1..2\n\n  # strip chat").unwrap().lines().is_empty());
    }

    #[test]
    fn mistakes_find_their_place() {
        let spot = |line: &str, source: &str, at: Range<usize>| {
            let line = first(line);
            let mistake = line.place(Mistake::new(EditCode::Span, "no", source, at));
            let start = mistake.column - 1;
            mistake.source[start..start + mistake.length].to_owned()
        };
        assert_eq!(spot("cut 1..2,x", "1..2,x", 5..6), "x");
        assert_eq!(spot("cut 'level 2, x'", "level 2, x", 9..10), "x");
        assert_eq!(spot("cut level 2, x", "level 2, x", 9..10), "x");
        assert_eq!(spot(r#"cut "chat \"a\" y""#, r#"chat "a" y"#, 9..10), "y");
        assert_eq!(spot("convert --to=17", "17", 0..2), "17");
        assert_eq!(spot("cut 1..2", "what is not there", 3..5), "1..2");
        assert_eq!(spot("squeeze", "x", 0..1), "squeeze");
    }
}
