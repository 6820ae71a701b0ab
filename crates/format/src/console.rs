//! The console's language: the commands that a recording makes engines run, and the way in which engines
//! split them.

/// A command for the console.
///
/// ```
/// use moviola_format::{Command, commands};
/// let all: Vec<_> = commands(b"bf; bind x \"a;b\"\n\"fov\" 90").collect();
/// assert_eq!(all[1].bare(), b" bind x \"a;b\"");
/// assert_eq!((all[2].name(), all[2].rest()), (&b"fov"[..], &b"90"[..]));
/// assert!(all[1].is_finished() && !all[2].is_finished());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a>(&'a [u8]);

/// The commands of a text: they end at line breaks, and at `;` outside of quotes, which a line break closes.
///
/// ```
/// assert_eq!(moviola_format::commands(b"\"a;\nb;c").count(), 3);
/// ```
pub fn commands(text: &[u8]) -> impl Iterator<Item = Command<'_>> {
    let mut quoted = false;
    let single = text.split_inclusive(move |byte| {
        quoted ^= *byte == b'"';
        let ends = *byte == b'\n' || *byte == b';' && !quoted;
        quoted &= *byte != b'\n';
        ends
    });
    single.map(Command)
}

impl<'a> Command<'a> {
    /// Its bytes, with the line break or `;` that ends it.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// Its bytes without the line break or `;` that ends it.
    pub fn bare(self) -> &'a [u8] {
        self.0.strip_suffix(b"\n").or_else(|| self.0.strip_suffix(b";")).unwrap_or(self.0)
    }

    /// Whether its end was sent; engines append the next text to an unfinished command.
    pub fn is_finished(self) -> bool {
        self.bare().len() < self.0.len()
    }

    /// The name of a command or variable: the first word, which may be quoted.
    pub fn name(self) -> &'a [u8] {
        word(self.bare()).0
    }

    /// The arguments: everything after the name.
    ///
    /// ```
    /// let set = moviola_format::commands(b"v_cshift 9 0 0 50\n").next().unwrap();
    /// assert_eq!(set.rest(), b"9 0 0 50");
    /// ```
    pub fn rest(self) -> &'a [u8] {
        word(self.bare()).1.trim_ascii()
    }

    /// The command that is this one's argument.
    ///
    /// ```
    /// let sent_on = moviola_format::commands(b"cmd \"say\" hi\n").next().unwrap();
    /// assert_eq!((sent_on.inner().name(), sent_on.inner().rest()), (&b"say"[..], &b"hi"[..]));
    /// ```
    #[must_use]
    pub fn inner(self) -> Self {
        Self(self.rest())
    }
}

/// The first word, without its quotes, and the text after it.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let start = text.iter().position(|byte| *byte > b' ').unwrap_or(text.len());
    let (_, text) = text.split_at(start);
    let (text, end) = match text.strip_prefix(b"\"") {
        Some(quoted) => (quoted, quoted.iter().position(|byte| *byte == b'"')),
        None => (text, text.iter().position(|byte| *byte <= b' ' || *byte == b'"')),
    };
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word, rest.strip_prefix(b"\"").unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_the_console_does() {
        let all: Vec<_> = commands(b"bf\nbind x \"a;b\"; echo c\n\"d;\ne;f").map(Command::bytes).collect();
        assert_eq!(all, [&b"bf\n"[..], b"bind x \"a;b\";", b" echo c\n", b"\"d;\n", b"e;", b"f"]);
        assert_eq!(commands(b"").count(), 0);
        for (text, name, rest) in [
            (&b" fov  90 \n"[..], &b"fov"[..], &b"90"[..]),
            (b"\"say\"hi;", b"say", b"hi"),
            (b"\"open", b"open", b""),
            (b"a\"b\"", b"a", b"b\""),
            (b" ;", b"", b""),
        ] {
            let command = commands(text).next().unwrap();
            assert_eq!((command.name(), command.rest()), (name, rest), "{text:?}");
        }
    }
}
