//! Strings of a recording, shared: a snapshot of a world copies a pointer, not the bytes.

use crate::hash::{Fold, Hash64};
use moviola_format::Str;
use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A string of the game: bytes without the NUL that ended them.
///
/// ```
/// use moviola_state::Text;
/// assert_eq!(Text::new(b"\xd2anger").bytes(), b"\xd2anger");
/// assert!(Text::default().is_empty());
/// ```
#[derive(Clone, Default, Eq, PartialOrd, Ord)]
pub struct Text(Option<Arc<[u8]>>);

impl Text {
    /// A string of these bytes.
    pub fn new(bytes: &[u8]) -> Self {
        Self((!bytes.is_empty()).then(|| bytes.into()))
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether the string is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl PartialEq for Text {
    /// Compares the pointers first, so that the bytes of copies need not be compared.
    fn eq(&self, other: &Self) -> bool {
        let are_one =
            self.0.as_ref().zip(other.0.as_ref()).is_some_and(|(one, other)| Arc::ptr_eq(one, other));
        are_one || self.bytes() == other.bytes()
    }
}

impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        self.bytes()
    }
}

impl From<Str<'_>> for Text {
    fn from(string: Str<'_>) -> Self {
        Self::new(string.bytes())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.bytes().escape_ascii())
    }
}

impl Fold for Text {
    fn fold(&self, hash: &mut Hash64) {
        hash.bytes(self.bytes());
    }
}

/// A table of strings that grows to the highest number set.
///
/// ```
/// use moviola_state::{Strings, Text};
/// let models: Strings = [Text::default(), Text::new(b"maps/e1m1.bsp")].into_iter().collect();
/// assert_eq!((models.get(1), models.get(200)), (&b"maps/e1m1.bsp"[..], &b""[..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings(Arc<Vec<Text>>);

impl Strings {
    /// The string of this number; empty if none was set.
    pub fn get(&self, number: usize) -> &[u8] {
        self.0.get(number).map_or(&[], Text::bytes)
    }

    /// All strings up to the highest that was set.
    pub fn iter(&self) -> impl Iterator<Item = &Text> {
        self.0.iter()
    }

    /// The strings that are not empty, with their numbers.
    ///
    /// ```
    /// use moviola_state::{Strings, Text};
    /// let sounds: Strings = [Text::default(), Text::new(b"misc/null.wav")].into_iter().collect();
    /// assert_eq!(sounds.set_ones().collect::<Vec<_>>(), [(1, &b"misc/null.wav"[..])]);
    /// assert_eq!(sounds.iter().count(), 2);
    /// ```
    pub fn set_ones(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.iter().map(Text::bytes).enumerate().filter(|(_, bytes)| !bytes.is_empty())
    }

    pub(crate) fn set(&mut self, number: usize, text: Text) {
        let strings = Arc::make_mut(&mut self.0);
        if strings.len() <= number {
            strings.resize(number.saturating_add(1), Text::default());
        }
        if let Some(place) = strings.get_mut(number) {
            *place = text;
        }
    }
}

impl FromIterator<Text> for Strings {
    fn from_iter<I: IntoIterator<Item = Text>>(texts: I) -> Self {
        Self(Arc::new(texts.into_iter().collect()))
    }
}

impl Fold for Strings {
    fn fold(&self, hash: &mut Hash64) {
        self.0.fold(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_grows_and_a_copy_stays() {
        let mut table = Strings::default();
        table.set(3, Text::new(b"three"));
        let copy = table.clone();
        table.set(3, Text::default());
        assert_eq!((table.get(3), copy.get(3), copy.get(9)), (&b""[..], &b"three"[..], &b""[..]));
        assert_eq!(copy.set_ones().collect::<Vec<_>>(), [(3, &b"three"[..])]);
    }
}
