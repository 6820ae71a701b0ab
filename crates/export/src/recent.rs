//! A cache of texts by their address in memory: all rows share the texts of model and player names.

use bytes::Bytes;

/// The indexes of recent texts. A reference to each text is kept, so that its address is not reused.
#[derive(Debug, Default)]
pub(crate) struct RecentTexts {
    places: Vec<Option<(Bytes, u32)>>,
}

impl RecentTexts {
    const PLACES: usize = 128;

    /// The index of a text, if it is in the cache.
    #[inline]
    pub(crate) fn get(&self, text: &Bytes) -> Option<u32> {
        match self.places.get(Self::place(text)) {
            Some(Some((it, number))) if std::ptr::eq(it.as_ref(), text.as_ref()) => Some(*number),
            _ => None,
        }
    }

    /// Keeps the index of a text.
    pub(crate) fn put(&mut self, text: &Bytes, number: u32) {
        self.places.resize(Self::PLACES, None);
        if let Some(place) = self.places.get_mut(Self::place(text)) {
            *place = Some((text.clone(), number));
        }
    }

    /// Models and names are few; words are at least eight bytes apart in memory.
    #[inline]
    fn place(text: &Bytes) -> usize {
        let address = text.as_ptr() as usize;
        (address >> 4 ^ address >> 10) % Self::PLACES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_recognized_by_its_address_alone() {
        let texts: Vec<Bytes> = (0..1000).map(|n| Bytes::from(format!("text {n}"))).collect();
        let mut recent = RecentTexts::default();
        for (number, text) in (0..).zip(&texts) {
            assert_eq!(recent.get(text), None);
            recent.put(text, number);
            assert_eq!(recent.get(&text.clone()), Some(number));
        }
        assert_eq!(recent.get(&Bytes::from("text 999".to_owned())), None);
    }
}
