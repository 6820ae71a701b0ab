//! The data about Quake II's recorder beside playerinfo's plain fields: inventory and status bar.

use crate::names::{Meaning, quake2};
use crate::scalar::{Field, Record, Scalar, ValuePart, ValueSink, ValueSource};
use crate::table::{self, Schema};
use crate::wire::{Reader, Stop, Writer};

/// The counts of all items that the player carries.
///
/// ```
/// use moviola_format::Inventory;
/// let mut bytes = [0; 512];
/// bytes[2 * 7] = 1;
/// let inventory = Inventory(&bytes);
/// assert_eq!(inventory.count(7), 1);
/// assert_eq!(inventory.counts().sum::<i16>(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inventory<'a>(pub &'a [u8; 512]);

impl Inventory<'_> {
    /// The number of item `index`.
    pub fn count(&self, index: u8) -> i16 {
        self.counts().nth(usize::from(index)).unwrap_or_default()
    }
    /// All 256 counts.
    pub fn counts(&self) -> impl Iterator<Item = i16> + use<'_> {
        self.0.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair))
    }
}

impl Default for Inventory<'_> {
    fn default() -> Self {
        Self(&[0; 512])
    }
}

impl<'a> Scalar<'a> for Inventory<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.chunk().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        self.counts().for_each(|count| out.int(i64::from(count)));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let mut counts = [[0; 2]; 256];
        for count in &mut counts {
            *count = i16::take(from)?.to_le_bytes();
        }
        let Some(kept) = from.keep(counts.as_flattened()).first_chunk() else {
            return Err(from.refuse("an inventory has 256 counts"));
        };
        Ok(Self(kept))
    }
}

/// The changed ones of the player's 32 numbers of the status bar: a word with a bit for each, and their
/// values.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, Stats};
/// let context = Context::quake2();
/// let wire = [0b10, 0, 0, 0, 100, 0];
/// let stats = Stats::read(&mut Reader::new(&wire, &context)).unwrap();
/// assert_eq!(stats.iter().collect::<Vec<_>>(), [(1, 100)]);
/// assert!(!stats.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stats<'a>(&'a [u8]);

impl Default for Stats<'_> {
    fn default() -> Self {
        Self(&[0; 4])
    }
}

impl<'a> Stats<'a> {
    pub(super) const STATS: ValuePart =
        ValuePart::new("stats", "The numbers of the status bar that changed.");
    pub(super) const STAT: ValuePart = ValuePart::new("stat", "One of them: its `index` and its `value`.");

    /// These numbers, by index in rising order, written to `buffer`.
    ///
    /// ```
    /// use moviola_format::Stats;
    /// let mut buffer = Vec::new();
    /// let stats = Stats::encode([(1, 100), (13, 2)], &mut buffer);
    /// assert_eq!(stats.iter().collect::<Vec<_>>(), [(1, 100), (13, 2)]);
    /// ```
    pub fn encode(values: impl IntoIterator<Item = (u8, i16)>, buffer: &'a mut Vec<u8>) -> Self {
        buffer.clear();
        buffer.extend_from_slice(&[0; 4]);
        let mut bits = 0u32;
        for (index, value) in values.into_iter().filter(|(index, _)| *index < 32) {
            bits |= 1 << index;
            buffer.extend_from_slice(&value.to_le_bytes());
        }
        if let Some(place) = buffer.first_chunk_mut() {
            *place = bits.to_le_bytes();
        }
        Self(buffer)
    }

    /// The numbers that changed: index and value.
    pub fn iter(&self) -> impl Iterator<Item = (u8, i16)> + use<'a> {
        let (bits, values) = self
            .0
            .split_first_chunk()
            .map_or((0, &[][..]), |(bits, values)| (u32::from_le_bytes(*bits), values));
        let values = values.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair));
        let mut rest = bits;
        let places = std::iter::from_fn(move || {
            let place = (rest != 0).then(|| rest.trailing_zeros() as u8)?;
            rest &= rest - 1;
            Some(place)
        });
        places.zip(values)
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.0.len() <= 4
    }
}

impl<'a> Scalar<'a> for Stats<'a> {
    const PARTS: &'static [ValuePart] = &[Self::STATS, Self::STAT];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        let bits = u32::read(reader)?;
        reader.slice(2 * bits.count_ones() as usize)?;
        Ok(Self(reader.since(start)))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        if self.is_empty() {
            return;
        }
        out.open(Self::STATS.name);
        for (index, value) in self.iter() {
            out.record(Self::STAT.name, &Stat { index, value });
        }
        out.close();
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        if !from.open(Self::STATS.name)? {
            return Ok(Self::default());
        }
        let mut found = [None; 32];
        while let Some(stat) = from.record::<Stat>(Self::STAT.name)? {
            match found.get_mut(usize::from(stat.index)) {
                Some(place @ None) => *place = Some(stat.value),
                Some(_) => return Err(from.refuse_field(Stat::INDEX.name, "this stat was given before")),
                None => return Err(from.refuse_field(Stat::INDEX.name, "stats are numbered 0 to 31")),
            }
        }
        from.close()?;
        let bits = found.iter().rev().fold(0u32, |bits, it| bits << 1 | u32::from(it.is_some()));
        let values = found.iter().flatten().flat_map(|value| value.to_le_bytes());
        let wire: Vec<u8> = bits.to_le_bytes().into_iter().chain(values).collect();
        Ok(Self(from.keep(&wire)))
    }
}

/// One number of the status bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Stat {
    pub(super) index: u8,
    pub(super) value: i16,
}

impl Stat {
    pub(super) const INDEX: Field = Field {
        name: "index",
        kind: "u8",
        bit: 0,
        meaning: Meaning::Value(quake2::STAT),
        note: "Which number.",
        parts: &[],
    };
    const VALUE: Field = Field {
        name: "value",
        kind: "i16",
        meaning: Meaning::StatValue,
        note: "What it is now.",
        ..Self::INDEX
    };
}

impl<'a> Record<'a> for Stat {
    const SCHEMA: Schema = Schema {
        op: 0,
        last: 0,
        name: Stats::STAT.name,
        rust: "Stat",
        note: Stats::STAT.note,
        properties: table::Properties::part(crate::Origin::Quake2),
        families: 0,
        flags: "",
        fields: &[Self::INDEX, Self::VALUE],
    };
    fn build<S: table::Source<'a>>(source: &mut S) -> Result<Self, S::Error> {
        Ok(Self { index: source.field(&Self::INDEX)?, value: source.field(&Self::VALUE)? })
    }
    fn walk<K: table::Sink<'a>>(&self, sink: &mut K) {
        sink.field(&Self::INDEX, &self.index);
        sink.field(&Self::VALUE, &self.value);
    }
}
