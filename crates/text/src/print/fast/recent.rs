//! The ends of lines, with the meanings of a line's numbers, and a memory of recent ones.

use super::PrintOptions;
use crate::level::Ending;
use moviola_format::names::Meaning;

/// Recent ends of lines whose numbers have the same names in all recordings.
#[derive(Debug)]
pub(super) struct Recent(Vec<[Slot; 2]>);

type Slot = Option<(Key, Box<Ending>)>;

/// The table of names, and the numbers.
pub(super) type Key = (usize, u64);

impl Default for Recent {
    fn default() -> Self {
        Self(vec![[None, None]; Self::PLACES])
    }
}

impl Recent {
    const PLACES: usize = 128;

    /// The key of a line's numbers, if it has one: one number, or up to eight numbers of a byte each, with
    /// their count.
    #[inline]
    fn key(meaning: Meaning, numbers: &[i64]) -> Option<Key> {
        // Two tables of different kinds with the same bytes may share their memory.
        let table = match meaning {
            Meaning::Value(table) => table.as_ptr().addr(),
            Meaning::Bits(table) => table.as_ptr().addr() + 1,
            Meaning::Range(table) => table.as_ptr().addr() + 2,
            Meaning::Solid => 0,
            _ => return None,
        };
        if let [number] = numbers {
            return Some((table, *number as u64));
        }
        let mut all = numbers.len() as u64;
        for number in numbers {
            all = all << 8 | u64::from(u8::try_from(*number).ok()?);
        }
        (numbers.len() < 8).then_some((table, all | 1 << 63))
    }

    /// The two possible places of a line's end.
    #[inline]
    fn places(&mut self, (table, numbers): Key) -> Option<&mut [Slot; 2]> {
        let mixed = (numbers ^ table as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0.get_mut((mixed >> 57) as usize)
    }

    /// The place of a line's end, if it was printed recently.
    #[inline]
    fn find(&mut self, key: Key) -> Option<usize> {
        self.places(key)?.iter().position(|place| place.as_ref().is_some_and(|(known, _)| *known == key))
    }

    /// The line's end at this place.
    #[inline]
    fn get(&mut self, key: Key, place: usize) -> Option<&Ending> {
        self.places(key)?.get(place)?.as_ref().map(|(_, ending)| &**ending)
    }

    /// Keeps a line's end, in place of the older of two.
    fn keep(&mut self, key: Key, ending: Box<Ending>) {
        if let Some([newer, older]) = self.places(key) {
            *older = newer.replace((key, ending));
        }
    }
}

/// The name of a field, and the number that determines its lines. In one recording a name has one kind of
/// such values.
pub(super) type StanzaKey = (&'static str, u64);

/// The lines of kinds of value that have several, by their keys.
#[derive(Debug)]
pub(super) struct Stanzas(Vec<(StanzaKey, Vec<u8>)>);

impl Default for Stanzas {
    fn default() -> Self {
        Self(vec![(("", 0), Vec::new()); 1 << Self::BITS])
    }
}

impl Stanzas {
    const BITS: u32 = 7;

    #[inline]
    fn place(&mut self, (field, value): StanzaKey) -> Option<&mut (StanzaKey, Vec<u8>)> {
        let mixed = (value ^ field.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0.get_mut((mixed >> (64 - Self::BITS)) as usize)
    }

    /// Lines that were printed recently.
    #[inline]
    pub(super) fn find(&mut self, key: StanzaKey) -> Option<&[u8]> {
        self.place(key).filter(|(known, _)| *known == key).map(|(_, text)| &**text)
    }

    /// Keeps lines.
    #[inline(never)]
    pub(super) fn keep(&mut self, key: StanzaKey, text: &[u8]) {
        if let Some((known, kept)) = self.place(key) {
            *known = key;
            kept.clear();
            kept.extend_from_slice(text);
        }
    }
}

/// The end of a line with the meanings of its numbers, in `scratch` if it is not known already.
#[inline(never)]
pub(super) fn explain<'e>(
    meaning: Meaning,
    numbers: &[i64],
    previous: i64,
    manner: &PrintOptions<'_>,
    recent: &'e mut Recent,
    scratch: &mut Vec<u8>,
) -> Option<&'e Ending> {
    let key = Recent::key(meaning, numbers);
    if let Some(key) = key
        && let Some(place) = recent.find(key)
    {
        return recent.get(key, place);
    }
    scratch.clear();
    let mut between: &[u8] = b"; // ";
    for number in numbers {
        if let Some(name) = manner.level.name(meaning, *number, previous, manner.context.game) {
            scratch.extend_from_slice(between);
            name.put(scratch);
            between = b", ";
        }
    }
    scratch.extend_from_slice(if scratch.is_empty() { b";\n" } else { b"\n" });
    if let Some(key) = key
        && let Some(ending) = Ending::new(scratch)
    {
        recent.keep(key, ending);
    }
    None
}
