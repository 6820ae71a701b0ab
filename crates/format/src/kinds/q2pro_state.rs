//! The flag words of entities and players in recordings with Q2PRO's extended limits, and the parts of a player's state
//! that have a form of their own.

use super::number::take_part;
use super::player2::{Stat, Stats};
use super::{EntityBits, Volume};
use crate::context::{Context, Q2proLimits};
use crate::names::Meaning;
use crate::q2pro::Q2proFog;
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The flag word of an entity: up to five bytes on the wire, of which the top bit of the first four announces another.
///
/// The announcing bits follow from the others. Here their places have the two bits of the fifth byte, and the number of
/// bytes that were announced without need.
///
/// ```
/// use moviola_format::{Context, Flags, Q2proBits, q2pro::Q2proEntity};
/// let flags = Q2proBits::canonical(Q2proEntity::scale, &Context::quake2());
/// assert_eq!(flags.wire(), ([0x80, 0x80, 0x80, 0x80, 1], 5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Q2proBits {
    bits: u32,
    /// The bits whose fields are read, as in [`EntityBits`].
    live: u32,
}

impl Q2proBits {
    /// The bits that announce another byte.
    const MORE: u32 = 0x8080_8080;
    /// The places of the bits 0 and 1 of the fifth byte.
    const SCALE: u32 = 1 << 7;
    pub(super) const MORE_EFFECTS_16: u32 = 1 << 15;
    /// The places of the number of needless bytes.
    const NEEDLESS: [u32; 2] = [1 << 23, 1 << 31];
    const NEEDLESS_BITS: u32 = Self::NEEDLESS[0] | Self::NEEDLESS[1];
    const MOST_BYTES: usize = 5;

    /// The number of bytes that a word needs.
    fn needed(word: u64) -> usize {
        let used = 8 - word.leading_zeros() as usize / 8;
        used.clamp(1, Self::MOST_BYTES)
    }

    fn of_word(word: u64, needless: usize) -> Self {
        let mut bits = word as u32;
        let places = [
            (word >> 32 & 1 != 0, Self::SCALE),
            (word >> 33 & 1 != 0, Self::MORE_EFFECTS_16),
            (needless & 1 != 0, Self::NEEDLESS[0]),
            (needless & 2 != 0, Self::NEEDLESS[1]),
        ];
        places.into_iter().filter(|(is_set, _)| *is_set).for_each(|(_, place)| bits |= place);
        Self { bits, live: bits }
    }

    /// The word without the announcing bits, and the number of bytes that are sent.
    fn word(self) -> (u64, usize) {
        let has = |place: u32| u64::from(self.bits & place != 0);
        let word =
            u64::from(self.bits & !Self::MORE) | has(Self::SCALE) << 32 | has(Self::MORE_EFFECTS_16) << 33;
        let needless = has(Self::NEEDLESS[0]) | has(Self::NEEDLESS[1]) << 1;
        (word, (Self::needed(word) + needless as usize).min(Self::MOST_BYTES))
    }

    /// The bytes on the wire, and their number.
    pub fn wire(self) -> ([u8; 5], usize) {
        let (word, count) = self.word();
        let mut bytes = [0; Self::MOST_BYTES];
        for (n, (byte, part)) in bytes.iter_mut().zip(word.to_le_bytes()).enumerate() {
            *byte = if n + 1 < count { part | 0x80 } else { part };
        }
        (bytes, count)
    }
}

impl<'a> Scalar<'a> for Q2proBits {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let (mut word, mut count) = (0u64, 0);
        loop {
            let byte = reader.byte()?;
            let is_last = count == Self::MOST_BYTES - 1;
            // Only the first two bits of the fifth byte have a meaning.
            if is_last && byte > 3 {
                return Err(reader.stop_behind(FaultKind::Value(byte)));
            }
            word |= u64::from(byte & 0x7F) << (8 * count);
            count += 1;
            if is_last || byte & 0x80 == 0 {
                break;
            }
        }
        let needless = count - Self::needed(word);
        if needless > 3 {
            return Err(reader.stop_behind(FaultKind::Value(0)));
        }
        let mut it = Self::of_word(word, needless);
        if reader.listed() {
            let long = it.bits & EntityBits::LONG_NUMBER != 0;
            let high = if long { reader.peek_at(1) } else { Some(0) };
            let ends = it.bits & EntityBits::REMOVE != 0 && !reader.context().mvd;
            if ends || (reader.peek() == Some(0) && high == Some(0)) {
                it.live &= EntityBits::REMOVE;
            }
        }
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let (bytes, count) = self.wire();
        writer.bytes(bytes.get(..count).unwrap_or_default());
    }
}

impl Flags<'_> for Q2proBits {
    const SPARE: u32 = Self::NEEDLESS_BITS;

    fn bits(&self) -> u32 {
        self.bits
    }
    fn has(&self, bit: u32) -> bool {
        self.live & bit != 0
    }
    fn canonical(implied: u32, context: &Context) -> Self {
        // No field implies a needless byte, but a text can ask for it.
        Self::exactly(implied, context)
    }
    fn listed(self, context: &Context) -> Self {
        let is_whole = self.bits & EntityBits::REMOVE == 0 || context.mvd;
        if is_whole { self } else { Self { live: EntityBits::REMOVE, ..self } }
    }
    fn exactly(bits: u32, _: &Context) -> Self {
        let (word, count) = Self { bits, live: bits }.word();
        Self::of_word(word, count - Self::needed(word))
    }
}

/// The flag word of a player: two bytes, and in protocol 3436 a third one if the highest bit is set.
///
/// ```
/// use moviola_format::{Context, Flags, Q2proPlayerBits, q2pro::Q2proPlayer};
/// let mut context = Context::quake2();
/// context.set_quake2_protocol(3436, 1);
/// assert_eq!(Q2proPlayerBits::canonical(Q2proPlayer::fog, &context).bits(), 0x1_8000);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Q2proPlayerBits(u32);

impl Q2proPlayerBits {
    const MORE: u32 = 1 << 15;

    fn has_third(bits: u32, context: &Context) -> bool {
        bits & Self::MORE != 0 && context.limits == Q2proLimits::Fog
    }
}

impl<'a> Scalar<'a> for Q2proPlayerBits {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut bits = u32::from(u16::read(reader)?);
        if Self::has_third(bits, reader.context()) {
            bits |= u32::from(reader.byte()?) << 16;
        }
        Ok(Self(bits))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        (self.0 as u16).write(writer);
        if Self::has_third(self.0, writer.context()) {
            writer.byte((self.0 >> 16) as u8);
        }
    }
}

impl Flags<'_> for Q2proPlayerBits {
    const SPARE: u32 = 0xFE_0000;

    fn bits(&self) -> u32 {
        self.0
    }
    fn canonical(implied: u32, context: &Context) -> Self {
        Self::exactly(if implied >> 16 != 0 { implied | Self::MORE } else { implied }, context)
    }
    fn exactly(bits: u32, context: &Context) -> Self {
        Self(if Self::has_third(bits, context) { bits & 0xFF_FFFF } else { bits & 0xFFFF })
    }
}

/// The colors over the screen. Protocol 3434 sends one, of four numbers; later ones a bit for each number of two colors,
/// the second of which is damage, and the numbers.
///
/// ```
/// use moviola_format::{Context, Q2proBlend, Reader, Scalar};
/// let mut context = Context::quake2();
/// context.set_quake2_protocol(3435, 1);
/// let blend = Q2proBlend::read(&mut Reader::new(&[0b1001, 255, 128], &context)).unwrap();
/// assert_eq!(blend.parts().collect::<Vec<_>>(), [(0, 255), (3, 128)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Q2proBlend {
    /// The numbers that are sent, if a byte says so.
    mask: Option<u8>,
    values: [u8; 8],
}

impl Q2proBlend {
    const BITS: ValuePart = ValuePart::new(
        "blend_bits",
        "Which numbers are sent: a bit each for red, green, blue and opacity, then for those of damage.",
    );
    const BLEND: ValuePart = ValuePart::new("blend", "The numbers.");
    /// Protocol 3434 sends all four numbers of one color.
    const PLAIN: u8 = 0x0F;

    /// The numbers that are sent, each with its place: red, green, blue and opacity, then those of damage.
    pub fn parts(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let mask = self.mask.unwrap_or(Self::PLAIN);
        (0..8u8).zip(self.values).filter(move |(place, _)| mask & 1 << place != 0)
    }

    fn sent(&mut self) -> impl Iterator<Item = &mut u8> {
        let mask = self.mask.unwrap_or(Self::PLAIN);
        (0..8u8)
            .zip(&mut self.values)
            .filter(move |(place, _)| mask & 1 << place != 0)
            .map(|(_, value)| value)
    }
}

impl<'a> Scalar<'a> for Q2proBlend {
    const PARTS: &'static [ValuePart] = &[Self::BITS, Self::BLEND];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut it = Self::default();
        if reader.context().limits.has_wide_coords() {
            it.mask = Some(reader.byte()?);
        }
        for value in it.sent() {
            *value = reader.byte()?;
        }
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if let Some(mask) = self.mask {
            writer.byte(mask);
        }
        self.parts().for_each(|(_, value)| writer.byte(value));
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        if let Some(mask) = self.mask {
            out.word(Self::BITS.name, u32::from(mask));
        }
        if self.mask != Some(0) {
            out.line(Self::BLEND.name, Meaning::Number);
            self.parts().for_each(|(_, value)| Volume(value).put(out));
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let mut it = Self::default();
        if from.context().limits.has_wide_coords() {
            it.mask = Some(take_part(from, &Self::BITS)?);
        }
        if it.mask != Some(0) {
            from.line(Self::BLEND.name)?;
            for value in it.sent() {
                *value = Volume::take(from)?.0;
            }
            from.end()?;
        }
        Ok(it)
    }
}

/// The changes of the fog around a player.
///
/// ```
/// use moviola_format::q2pro::Q2proPlayer;
/// assert_eq!(Q2proPlayer::default().fog.0.density, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FogChange(pub Q2proFog);

impl FogChange {
    const FOG: ValuePart = ValuePart::new(
        "fog",
        "The changes: `color`, `density`, `skyfactor`, `height_density`, `height_falloff`, `start_color`, `end_color`, \
         `start_dist`, `end_dist`.",
    );
}

impl<'a> Scalar<'a> for FogChange {
    const PARTS: &'static [ValuePart] = &[Self::FOG];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let outside = reader.flags();
        let fog = Q2proFog::build(reader);
        reader.set_flags(outside);
        fog.map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let outside = writer.flags();
        self.0.walk(writer);
        writer.set_flags(outside);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        out.record(Self::FOG.name, &self.0);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        match from.record::<Q2proFog>(Self::FOG.name)? {
            Some(fog) => Ok(Self(fog)),
            None => Err(from.refuse("the fog is missing")),
        }
    }
    fn bare(&self) -> bool {
        false
    }
}

/// The changed ones of the numbers of the status bar: 32 in protocol 3434, and 64 in later ones, whose word of bits has
/// seven bits in each byte.
///
/// ```
/// use moviola_format::{Context, Q2proStats, Reader, Scalar};
/// let mut context = Context::quake2();
/// context.set_quake2_protocol(3435, 1);
/// let stats = Q2proStats::read(&mut Reader::new(&[0x82, 0x01, 100, 0, 7, 0], &context)).unwrap();
/// assert_eq!(stats.iter().collect::<Vec<_>>(), [(1, 100), (7, 7)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Q2proStats<'a> {
    /// The bits of the numbers.
    bits: u64,
    values: &'a [u8],
}

impl<'a> Q2proStats<'a> {
    /// The numbers that changed: index and value.
    pub fn iter(&self) -> impl Iterator<Item = (u8, i16)> + use<'a> {
        let bits = self.bits;
        let values = self.values.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair));
        (0..64u8).filter(move |n| bits & 1 << n != 0).zip(values)
    }

    /// A number in bytes of seven bits, the lowest first.
    fn read_bits(reader: &mut Reader<'a, '_>) -> Result<u64, Stop> {
        let (mut bits, mut shift) = (0u64, 0u32);
        loop {
            let byte = reader.byte()?;
            let part = u64::from(byte & 0x7F);
            // Q2PRO sends neither needless bytes nor more than 64 bits.
            let is_needless = byte == 0 && shift > 0;
            if is_needless || shift > 63 || part << shift >> shift != part {
                return Err(reader.stop_behind(FaultKind::Value(byte)));
            }
            bits |= part << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(bits);
            }
        }
    }
}

impl<'a> Scalar<'a> for Q2proStats<'a> {
    const PARTS: &'static [ValuePart] = Stats::PARTS;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let wide = reader.context().limits.has_wide_coords();
        let bits = if wide { Self::read_bits(reader)? } else { u64::from(u32::read(reader)?) };
        let values = reader.slice(2 * bits.count_ones() as usize)?;
        Ok(Self { bits, values })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if writer.context().limits.has_wide_coords() {
            let mut bits = self.bits;
            while bits > 0x7F {
                writer.byte(bits as u8 | 0x80);
                bits >>= 7;
            }
            writer.byte(bits as u8);
        } else {
            (self.bits as u32).write(writer);
        }
        writer.bytes(self.values);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        if self.bits == 0 {
            return;
        }
        out.open(Stats::STATS.name);
        for (index, value) in self.iter() {
            out.record(Stats::STAT.name, &Stat { index, value });
        }
        out.close();
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let wide = from.context().limits.has_wide_coords();
        let mut it = Self::default();
        if !from.open(Stats::STATS.name)? {
            return Ok(it);
        }
        let mut found = std::collections::BTreeMap::new();
        while let Some(stat) = from.record::<Stat>(Stats::STAT.name)? {
            if stat.index >= if wide { 64 } else { 32 } {
                return Err(from.refuse_field(
                    Stat::INDEX.name,
                    "stats are numbered 0 to 31, and from protocol 3435 on to 63",
                ));
            }
            if found.insert(stat.index, stat.value).is_some() {
                return Err(from.refuse_field(Stat::INDEX.name, "this stat was given before"));
            }
        }
        from.close()?;
        it.bits = found.keys().fold(0, |bits, index| bits | 1 << index);
        let bytes: Vec<u8> = found.values().flat_map(|value| value.to_le_bytes()).collect();
        it.values = from.keep(&bytes);
        Ok(it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each word of up to five bytes is read as it is written, with its needless bytes.
    #[test]
    fn a_flag_word_keeps_its_bytes() {
        let context = Context::quake2();
        let words: [&[u8]; 8] = [
            &[0x10],
            &[0x80, 0x00],
            &[0x80, 0x80, 0x80, 0x00],
            &[0x90, 0x88, 0x80, 0x01],
            &[0x80, 0x80, 0x80, 0x80, 0x01],
            &[0x81, 0x82, 0x84, 0x88, 0x03],
            &[0x81, 0x82, 0x84, 0x88, 0x00],
            &[0xFF, 0xFF, 0xFF, 0xFF, 0x03],
        ];
        for wire in words {
            let flags = Q2proBits::read(&mut Reader::new(wire, &context)).unwrap();
            let (bytes, count) = flags.wire();
            assert_eq!(&bytes[..count], wire);
            assert_eq!(Q2proBits::exactly(flags.bits(), &context), flags);
        }
        for wire in [&[0x80, 0x80, 0x80, 0x80, 0x00][..], &[0x80, 0x80, 0x80, 0x80, 0x04]] {
            assert!(Q2proBits::read(&mut Reader::new(wire, &context)).is_err(), "{wire:x?}");
        }
    }
}
