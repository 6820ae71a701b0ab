//! A cache of printed records and parsed lines, since players press the same keys for many tics.

/// The longest key in bytes; a longer one is not cached.
const LONGEST: usize = 24;
const SLOTS: usize = 1024;

/// Values by short keys. Keys with the same hash share a slot, which has the newest of them.
pub(crate) struct Cache<V>(Vec<([u8; LONGEST], usize, V)>);

impl<V: Clone + Default> Cache<V> {
    pub(crate) fn new() -> Self {
        Self(vec![([0; LONGEST], 0, V::default()); SLOTS])
    }

    fn slot(key: &[u8]) -> usize {
        let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        let hash = key.iter().fold(0, mix);
        (hash ^ hash >> 29) as usize % SLOTS
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<&V> {
        let (known, length, value) = self.0.get(Self::slot(key))?;
        (known.get(..*length) == Some(key) && *length > 0).then_some(value)
    }

    pub(crate) fn keep(&mut self, key: &[u8], value: V) {
        if let Some(known) = self.0.get_mut(Self::slot(key))
            && let Some(place) = known.0.get_mut(..key.len())
        {
            place.copy_from_slice(key);
            (known.1, known.2) = (key.len(), value);
        }
    }
}
