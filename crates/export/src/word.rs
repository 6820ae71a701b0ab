//! Text of a cell: shared, so that a name in a million rows costs a pointer in each.

use bytes::Bytes;
use moviola_format::names::readable;
use std::fmt;

/// A piece of text; a copy shares it.
///
/// ```
/// use moviola_export::Word;
/// assert_eq!(Word::from("e1m1").as_str(), "e1m1");
/// assert_eq!(Word::of(b"\xd2anger").as_str(), "Ranger");
/// assert_eq!(Word::hex(b"\xd2anger").unwrap().as_str(), "d2616e676572");
/// assert_eq!(Word::hex(b"Ranger"), None);
/// assert_eq!(Word::digits(b"\x01\xff").bytes().as_ref(), b"01ff");
/// const PLAYER: Word = Word::from_static("player");
/// assert!(!PLAYER.is_empty());
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(Bytes);

/// The empty text.
pub(crate) static EMPTY: Word = Word::from_static("");

impl Word {
    /// A game's string as a person reads it.
    pub fn of(bytes: &[u8]) -> Self {
        Self(readable(bytes).into())
    }

    /// A game's string in hexadecimal digits, if its readable text differs from its bytes.
    pub fn hex(bytes: &[u8]) -> Option<Self> {
        (readable(bytes).as_bytes() != bytes).then(|| Self::digits(bytes))
    }

    /// Bytes in hexadecimal digits.
    pub fn digits(bytes: &[u8]) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |half: u8| DIGITS.get(usize::from(half)).copied().unwrap_or_default();
        Self(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The text as shared bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// Becomes a copy of another text. Nothing is done if it is a copy already.
    #[inline]
    pub(crate) fn share(&mut self, other: &Self) {
        if !std::ptr::eq(self.0.as_ref(), other.0.as_ref()) {
            self.0.clone_from(&other.0);
        }
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self(Bytes::copy_from_slice(text.as_bytes()))
    }
}

impl From<String> for Word {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl Word {
    /// A word from a string literal.
    pub const fn from_static(text: &'static str) -> Self {
        Self(Bytes::from_static(text.as_bytes()))
    }
}

/// A word from a fixed list of the program: `teamkill`, `Rocket Launcher`.
///
/// ```
/// use moviola_export::FixedWord;
/// assert_eq!(FixedWord::from_static("quake2").as_str(), "quake2");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FixedWord(pub Word);

impl FixedWord {
    /// A name from a string literal.
    pub const fn from_static(text: &'static str) -> Self {
        Self(Word::from_static(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// A list of texts. Clones share the memory.
///
/// ```
/// use moviola_export::WordList;
/// let words: WordList = ["start", "e1m1"].into_iter().collect();
/// assert_eq!(words.iter().collect::<Vec<_>>(), ["start", "e1m1"]);
/// assert_eq!(words.to_json(), r#"["start","e1m1"]"#);
/// assert!(WordList::default().is_empty());
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordList(Bytes);

/// The byte after each text of a list, which a game's strings cannot contain.
const END: u8 = 0;

impl WordList {
    /// The list without texts.
    pub(crate) const EMPTY: Self = Self(Bytes::new());

    /// Becomes a copy of another list. Nothing is done if it is a copy already.
    #[inline]
    pub(crate) fn share(&mut self, other: &Self) {
        if !std::ptr::eq(self.0.as_ref(), other.0.as_ref()) {
            self.0.clone_from(&other.0);
        }
    }

    /// The texts in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_inclusive(|byte| *byte == END).map(|text| {
            let text = text.strip_suffix(&[END]).unwrap_or(text);
            std::str::from_utf8(text).unwrap_or_default()
        })
    }

    /// Whether the list has no texts.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The list as a JSON array, which is also its form in CSV.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.iter().collect::<Vec<_>>()).unwrap_or_default()
    }

    /// The bytes of the list, each text followed by [`END`]; equal lists have equal keys.
    pub(crate) fn key(&self) -> &Bytes {
        &self.0
    }

    /// The list with this [key](Self::key).
    #[cfg(feature = "parquet")]
    pub(crate) fn of_key(key: Bytes) -> Self {
        Self(key)
    }
}

impl<T: AsRef<str>> FromIterator<T> for WordList {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut all = Vec::new();
        for text in texts {
            all.extend(text.as_ref().bytes().filter(|byte| *byte != END));
            all.push(END);
        }
        Self(all.into())
    }
}

impl fmt::Debug for WordList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}
