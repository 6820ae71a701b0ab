//! Parses questions, and finds the mistakes in them.

use super::{COUNT, ComparedValue, Comparison, Node, PLAYERS, QueryMistake, Test, column, date};
use crate::table::ROWS;
use moviola_export::schema::ColumnKind;
use std::ops::Range;

/// The greatest depth of nested parentheses and `not`.
const DEEPEST: usize = 64;

/// The unit of columns that can be compared with a date.
const SINCE_1970: &str = "milliseconds"; // not from SCHEMA: a unit

pub(super) fn parse(text: &str) -> Result<Node, QueryMistake> {
    let mut parser = Parser { text, offset: 0, depth: 0 };
    let node = parser.disjunction()?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.mistake(parser.offset..parser.offset + 1, "this `)` closes nothing", None)),
    }
}

struct Parser<'t> {
    text: &'t str,
    offset: usize,
    depth: usize,
}

/// The comparison signs; the longer ones come first.
const SIGNS: [(&str, Comparison); 8] = [
    ("!=", Comparison::IsNot),
    ("!~", Comparison::HasNot),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("=", Comparison::Is),
    ("~", Comparison::Has),
    ("<", Comparison::Below),
    (">", Comparison::Above),
];

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    /// The next sign that is not a blank.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.offset += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    fn mistake(&self, at: Range<usize>, message: impl Into<String>, help: Option<String>) -> QueryMistake {
        let at = at.start.min(self.text.len())..at.end.min(self.text.len());
        QueryMistake { help, ..QueryMistake::new((), message, self.text, at) }
    }

    /// If the next word is exactly this one, skips it and returns true.
    fn word(&mut self, word: &str) -> bool {
        self.peek();
        let rest = self.rest();
        let next = rest.get(..word.len()).filter(|it| it.eq_ignore_ascii_case(word));
        let behind = rest.get(word.len()..).and_then(|it| it.chars().next());
        let is_next = next.is_some() && behind.is_none_or(|it| it.is_whitespace() || matches!(it, '(' | ')'));
        self.offset += if is_next { word.len() } else { 0 };
        is_next
    }

    fn disjunction(&mut self) -> Result<Node, QueryMistake> {
        let mut nodes = vec![self.conjunction()?];
        loop {
            let at = self.offset;
            if !self.word("or") && !self.word("||") {
                break;
            }
            nodes.push(self.conjunction()?);
            if let [Node::All(left), .., Node::All(right)] = nodes.as_slice()
                && (left.is_empty() || right.is_empty())
            {
                let help = Some("add a condition; the word itself is `\"or\"`".into());
                self.peek();
                let from = self.text.get(at..).map_or(at, |it| at + it.len() - it.trim_start().len());
                return Err(self.mistake(from..from + 2, "`or` needs a condition on both sides", help));
            }
        }
        Ok(if nodes.len() == 1 { nodes.swap_remove(0) } else { Node::Any(nodes) })
    }

    fn conjunction(&mut self) -> Result<Node, QueryMistake> {
        let mut nodes = Vec::new();
        loop {
            let at = self.offset;
            if matches!(self.peek(), None | Some(')')) {
                break;
            }
            if self.word("or") || self.word("||") {
                self.offset = at;
                break;
            }
            if self.word("and") || self.word("&&") {
                continue;
            }
            nodes.push(self.condition()?);
        }
        Ok(Node::All(nodes))
    }

    fn condition(&mut self) -> Result<Node, QueryMistake> {
        let from = self.offset;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.mistake(from..from + 1, "too many nested parentheses", None));
        }
        let node = if self.peek() == Some('(') {
            let from = self.offset;
            self.offset += 1;
            let node = self.disjunction()?;
            if self.peek() != Some(')') {
                let help = Some("close it with a `)`".into());
                return Err(self.mistake(from..from + 1, "this `(` is not closed", help));
            }
            self.offset += 1;
            node
        } else if self.word("not") {
            if matches!(self.peek(), None | Some(')')) {
                return Err(self.mistake(from..self.offset, "`not` needs a condition after it", None));
            }
            Node::Not(Box::new(self.condition()?))
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn test(&mut self) -> Result<Node, QueryMistake> {
        let from = self.offset;
        if self.peek() == Some('"') {
            return Ok(Node::Word(self.quoted()?.to_lowercase()));
        }
        let rest = self.rest();
        let length = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_')).unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let Some((sign, how)) = SIGNS.into_iter().find(|(sign, _)| behind.starts_with(sign)) else {
            let (word, _) = self.value();
            return Ok(Node::Word(word.to_lowercase()));
        };
        let Some((at, column)) = column(&name.to_ascii_lowercase()) else {
            let message = match name {
                "" => format!("there is no column before `{sign}`"),
                name => format!("no column is called `{name}`"),
            };
            let names = || ROWS.columns.iter().map(|column| column.name);
            let near = moviola_text::nearest(&name.to_ascii_lowercase(), names());
            let before =
                self.text.get(..from).and_then(|it| it.split_whitespace().next_back()).unwrap_or_default();
            let help = match near {
                _ if name.is_empty() && self::column(&before.to_ascii_lowercase()).is_some() => {
                    let behind = behind.get(sign.len()..).and_then(|it| it.split_whitespace().next());
                    format!("leave the blanks out: `{before}{sign}{}`", behind.unwrap_or("..."))
                }
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err(self.mistake(from..from + length.max(sign.len()), message, Some(help)));
        };
        self.offset += length + sign.len();
        // `players=3` compares the number of players; a player with such a name is `players="3"`, or
        // `player=3`.
        let (at, column) = match super::column(COUNT) {
            Some(count) if column.name == name && name == PLAYERS && self.is_count() => count,
            _ => (at, column),
        };
        let is_text = matches!(column.kind, ColumnKind::Text | ColumnKind::Name | ColumnKind::List);
        if is_text
            && matches!(how, Comparison::Below | Comparison::AtMost | Comparison::Above | Comparison::AtLeast)
        {
            let help = Some(format!("`{name}` is text: ask with `=`, or with `~` for a part of it"));
            return Err(self.mistake(from..self.offset, format!("`{sign}` is for numbers"), help));
        }
        let start = self.offset;
        let (value, is_quoted) =
            if self.rest().starts_with('"') { (self.quoted()?, true) } else { self.value() };
        let here = start..self.offset;
        if value.is_empty() && !is_quoted {
            let help = Some(format!("write it after the sign, without a space: `{name}{sign}...`"));
            return Err(self.mistake(from..start, format!("`{name}{sign}` has no value"), help));
        }
        let value = if !is_quoted && value.eq_ignore_ascii_case("none") || is_text && value.is_empty() {
            ComparedValue::Nothing
        } else if is_text {
            ComparedValue::Text(value.to_lowercase())
        } else if let Some((first, last)) = date::span(&value).filter(|_| column.unit == SINCE_1970) {
            ComparedValue::Span(first, last)
        } else if let Some(number) = number(&value) {
            ComparedValue::Number(number)
        } else {
            let (what, help) = match column.unit {
                SINCE_1970 => ("date", "dates are 2020, 2020-07 or 2020-07-04"),
                _ => ("number", "numbers are 666, 1.5, 10M (a size), 2:00 (a time) or none"),
            };
            let message = format!("`{name}` is a {what}, and `{value}` is not");
            return Err(self.mistake(here, message, Some(help.to_owned())));
        };
        Ok(Node::Test(Test { at, column, comparison: how, value }))
    }

    /// Whether a number is next.
    fn is_count(&self) -> bool {
        let mut word = self.rest().split(|it: char| it.is_whitespace() || matches!(it, '(' | ')'));
        word.next().is_some_and(|word| word.parse::<u32>().is_ok())
    }

    /// A value up to the next blank or parenthesis.
    fn value(&mut self) -> (String, bool) {
        let rest = self.rest();
        let length =
            rest.find(|it: char| it.is_whitespace() || matches!(it, '(' | ')')).unwrap_or(rest.len());
        self.offset += length;
        (rest.get(..length).unwrap_or_default().to_owned(), false)
    }

    /// A value in quotes; in it `\"` is a quote.
    fn quoted(&mut self) -> Result<String, QueryMistake> {
        let from = self.offset;
        let mut value = String::new();
        let mut signs = self.rest().char_indices().skip(1);
        while let Some((at, sign)) = signs.next() {
            match sign {
                '"' => {
                    self.offset = from + at + 1;
                    return Ok(value);
                }
                '\\' => value.extend(signs.next().map(|(_, sign)| sign)),
                sign => value.push(sign),
            }
        }
        Err(self.mistake(from..self.text.len(), "this quote is not closed", Some("add a `\"`".into())))
    }
}

/// A number, a time as `m:ss` or `h:mm:ss`, or a size with `k`, `M` or `G` after it.
fn number(text: &str) -> Option<f64> {
    let (digits, unit) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (text.get(..at)?, 1e3),
        (at, 'm' | 'M') => (text.get(..at)?, 1e6),
        (at, 'g' | 'G') => (text.get(..at)?, 1e9),
        _ => (text, 1.0),
    };
    let one = |part: &str| part.parse().ok().filter(|number: &f64| number.is_finite());
    if !digits.contains(':') {
        return Some(one(digits)? * unit);
    }
    let parts: Option<Vec<f64>> = digits.split(':').map(|part| one(part).filter(|it| *it >= 0.0)).collect();
    parts
        .filter(|parts| digits.len() == text.len() && parts.len() <= 3)
        .map(|it| it.iter().fold(0.0, |sum, it| sum * 60.0 + it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_say_where_they_are() {
        for (query, at, message) in [
            ("map=e1m1 lenght<2:00", "lenght", "no column is called `lenght`"),
            ("map=e1m1 =5", "=", "there is no column before `=`"),
            ("length<soon", "soon", "`length` is a number, and `soon` is not"),
            ("length<-1:00", "-1:00", "`length` is a number, and `-1:00` is not"),
            ("length<2020-07", "2020-07", "`length` is a number, and `2020-07` is not"),
            ("modified>2020-13", "2020-13", "`modified` is a date, and `2020-13` is not"),
            ("map<e1m1", "map<", "`<` is for numbers"),
            ("map= e1m1", "map=", "`map=` has no value"),
            ("player~\"ran", "\"ran", "this quote is not closed"),
            ("(map=e1m1", "(", "this `(` is not closed"),
            ("map=e1m1)", ")", "this `)` closes nothing"),
            ("map=e1m1 or", "or", "`or` needs a condition on both sides"),
            ("or map=e1m1", "or", "`or` needs a condition on both sides"),
            ("map=e1m1 not", "not", "`not` needs a condition after it"),
        ] {
            let mistake = parse(query).unwrap_err();
            assert_eq!(
                (query.get(mistake.range()).unwrap(), mistake.message.as_str()),
                (at, message),
                "{query}"
            );
        }
        let help = |query: &str| parse(query).unwrap_err().help.unwrap();
        assert_eq!(help("map=e1m1 and kills > 5"), "leave the blanks out: `kills>5`");
        assert!(help("=5").starts_with("there are "));
        assert_eq!(parse("kills>5 && (map=a || map=b)"), parse("kills>5 and (map=a or map=b)"));
        let deep = "(".repeat(100_000);
        assert_eq!(parse(&deep).unwrap_err().message, "too many nested parentheses");
        assert_eq!(parse(&"not ".repeat(100_000)).unwrap_err().message, deep_message());
    }

    fn deep_message() -> &'static str {
        "too many nested parentheses"
    }

    #[test]
    fn numbers_are_read() {
        let read = ["2:00", "1:00:00.5", "1.5k", "10M", "-3", "x", "", "1:2:3:4", "1:00k", "inf"].map(number);
        let wanted = [Some(120.0), Some(3600.5), Some(1500.0), Some(1e7), Some(-3.0)];
        assert_eq!(read[..5], wanted);
        assert!(read[5..].iter().all(Option::is_none), "{read:?}");
    }
}
