//! A lexer of Rust sources that is just fine enough to distinguish string literals from comments.

/// A token of Rust source and the line on which it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind<'a>,
    pub(crate) line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    /// The text between the quotes of a string or byte string, escapes untouched.
    Text(&'a str),
    /// A name, a keyword or a number.
    Word(&'a str),
    /// Any other character that is not white space.
    Sign(char),
}

/// All tokens of a source. Comments, characters and lifetimes are left out.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { rest: source, line: 1 };
    std::iter::from_fn(|| lexer.next_token()).collect()
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lexer<'a> {
    /// Takes this many bytes, or all if there are fewer.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn next_token(&mut self) -> Option<Token<'a>> {
        loop {
            let first = self.rest.chars().next()?;
            let line = self.line;
            if first.is_whitespace() {
                self.take(first.len_utf8());
            } else if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.block_comment();
            } else if let Some(text) = self.string() {
                return Some(Token { kind: Kind::Text(text), line });
            } else if first == '\'' {
                self.character_or_lifetime();
            } else if first.is_alphanumeric() || first == '_' {
                let word = self.take(word_length(self.rest));
                return Some(Token { kind: Kind::Word(word), line });
            } else {
                self.take(first.len_utf8());
                return Some(Token { kind: Kind::Sign(first), line });
            }
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        while let Some(next) = self.rest.chars().next() {
            if self.rest.starts_with("/*") {
                depth += 1;
                self.take(2);
            } else if self.rest.starts_with("*/") {
                depth -= 1;
                self.take(2);
                if depth == 0 {
                    return;
                }
            } else {
                self.take(next.len_utf8());
            }
        }
    }

    /// A string of any kind that begins here: `""`, `b""`, `c""`, `r#""#`, `br""`, `cr""`.
    fn string(&mut self) -> Option<&'a str> {
        let prefix = self.rest.find(|c: char| !matches!(c, 'b' | 'c' | 'r'))?;
        let (letters, after) = self.rest.split_at(prefix);
        let hashes = after.find(|c| c != '#')?;
        let raw = letters.ends_with('r');
        let known = matches!(letters, "" | "b" | "c" | "r" | "br" | "cr");
        if !known || (hashes > 0 && !raw) || !after.get(hashes..)?.starts_with('"') {
            return None;
        }
        self.take(prefix + hashes + 1);
        let close = format!("\"{}", "#".repeat(hashes));
        let end = if raw { self.rest.find(&close) } else { closing_quote(self.rest) };
        let text = self.take(end.unwrap_or(self.rest.len()));
        self.take(close.len());
        Some(text)
    }

    /// `'a'`, `'\n'` and `'\u{1F3AC}'` are characters; `'a` without a second quote is a lifetime.
    fn character_or_lifetime(&mut self) {
        self.take(1);
        if let Some(escaped) = self.rest.strip_prefix('\\') {
            let skipped = escaped.chars().next().map_or(0, char::len_utf8);
            let end = escaped.get(skipped..).and_then(|rest| rest.find('\''));
            self.take(1 + skipped + end.unwrap_or(0) + 1);
        } else if let Some(one) = self.rest.chars().next() {
            let quoted = self.rest.get(one.len_utf8()..).is_some_and(|rest| rest.starts_with('\''));
            self.take(if quoted { one.len_utf8() + 1 } else { word_length(self.rest) });
        }
    }
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    fn texts(source: &str) -> Vec<&str> {
        let text = |kind| if let Kind::Text(text) = kind { Some(text) } else { None };
        tokens(source).into_iter().filter_map(|token| text(token.kind)).collect()
    }

    #[test]
    fn strings_of_every_kind() {
        let source = r##"f("a", b"b", r"c\", r#"d"e"#, c"g", "h\"i\\")"##;
        assert_eq!(texts(source), ["a", "b", "c\\", "d\"e", "g", r#"h\"i\\"#]);
        assert_eq!(texts("br##\"j\"#k\"## \"l\""), ["j\"#k", "l"]);
    }

    #[test]
    fn comments_characters_and_lifetimes_are_not_strings() {
        let source = "// \"a\"\n/* \"b\" /* \"c\" */ \"d\" */ '\"' '\\'' '\\u{22}' b'\"' &'a str \"e\"";
        assert_eq!(texts(source), ["e"]);
    }

    #[test]
    fn lines_are_counted() {
        let found = tokens("a\n\"b\nc\" d");
        let lines: Vec<_> = found.iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 3]);
    }

    #[test]
    fn unfinished_sources_end() {
        for source in ["\"a", "r#\"a\"", "/* a", "'", "'\\", "b"] {
            assert!(tokens(source).len() <= 1);
        }
    }
}
