//! Strings of the game: the bytes of the recording, and the text that a person reads.

use moviola_format::names::{is_plain, plain, readable, without_colors};
use moviola_state::quakeworld::without_chat_colors;
use std::borrow::Cow;
use std::fmt;

/// A string of the recording. [`GameText::text`] is its form for people; if that differs from the bytes,
/// [`GameText::hex`] contains them.
///
/// ```
/// use moviola_analyse::GameText;
/// let name = GameText::new(b"\xd2anger");
/// assert_eq!((name.text(), name.hex().as_deref()), ("Ranger", Some("d2616e676572")));
/// assert_eq!(name.bytes(), b"\xd2anger");
/// assert_eq!(GameText::new(b"Ranger").hex(), None);
/// assert_eq!(GameText::new(b"Two\nlines").line(), "Two lines");
/// assert_eq!(GameText::new(b"took {&cf13rl&cfff}\x87").text(), "took rl.");
/// assert!(GameText::default().is_empty());
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameText {
    bytes: Box<[u8]>,
    /// The readable form; `None` if it equals the bytes.
    text: Option<Box<str>>,
}

impl GameText {
    /// A string of these bytes.
    pub fn new(bytes: &[u8]) -> Self {
        Self::shown_as(bytes, &without_colors(bytes))
    }

    /// A line of QuakeWorld's chat, in which pairs of braces give words another color.
    ///
    /// ```
    /// use moviola_analyse::GameText;
    /// assert_eq!(GameText::of_chat(b"pack at {low-rl}\n").line(), "pack at low-rl");
    /// ```
    pub fn of_chat(bytes: &[u8]) -> Self {
        Self::shown_as(bytes, &without_chat_colors(bytes))
    }

    fn shown_as(bytes: &[u8], shown: &[u8]) -> Self {
        let differs = shown.len() < bytes.len() || !is_plain(bytes);
        Self { bytes: bytes.into(), text: differs.then(|| plain(shown).into()) }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text in readable form: ASCII without colors.
    pub fn text(&self) -> &str {
        match &self.text {
            Some(text) => text,
            None => std::str::from_utf8(&self.bytes).unwrap_or_default(),
        }
    }

    /// The text in one line.
    pub fn line(&self) -> String {
        self.as_line().into_owned()
    }

    /// The text in one line, which it usually is already.
    ///
    /// ```
    /// use moviola_analyse::GameText;
    /// assert_eq!(GameText::new(b"bf\n").as_line(), "bf");
    /// assert_eq!(GameText::new(b"Two\nlines\n").as_line(), "Two lines");
    /// ```
    pub fn as_line(&self) -> Cow<'_, str> {
        let text = self.text().trim_ascii();
        if text.bytes().any(|byte| byte.is_ascii_control()) {
            return Cow::Owned(readable(text.as_bytes()));
        }
        Cow::Borrowed(text)
    }

    /// The bytes in hex, if they differ from the text.
    pub fn hex(&self) -> Option<String> {
        self.text.as_ref().map(|_| self.digits())
    }

    /// The bytes in hex, if they differ from the text in one line.
    ///
    /// ```
    /// use moviola_analyse::GameText;
    /// assert_eq!(GameText::new(b"a\nb").line_hex().as_deref(), Some("610a62"));
    /// assert_eq!(GameText::new(b"Ranger").line_hex(), None);
    /// ```
    pub fn line_hex(&self) -> Option<String> {
        (self.as_line().as_bytes() != self.bytes()).then(|| self.digits())
    }

    fn digits(&self) -> String {
        use fmt::Write;
        let mut hex = String::new();
        for byte in &self.bytes {
            // Writing into a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        hex
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl From<&[u8]> for GameText {
    fn from(bytes: &[u8]) -> Self {
        Self::new(bytes)
    }
}

impl fmt::Debug for GameText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.bytes.escape_ascii())
    }
}

impl fmt::Display for GameText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.as_line())
    }
}
