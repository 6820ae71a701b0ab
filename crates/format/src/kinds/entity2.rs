//! Quake II's entities: the flag word of up to four bytes, numbers of up to three widths, and the list of a frame.

use super::number::line;
use super::stride2::{STRIDES, flag_word};
use crate::context::Context;
use crate::dm2::SpawnBaseline;
use crate::names::Meaning;
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};
use std::cell::Cell;

/// A flag word of up to four bytes: the top bit of each announces another.
///
/// ```
/// use moviola_format::{EntityBits, Flags, Context};
/// // A bit of the second byte requires the bit that announces that byte.
/// let flags = EntityBits::canonical(1 << 14, &Context::quake2());
/// assert!(flags.has(1 << 14) && flags.has(1 << 7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EntityBits {
    bits: u32,
    /// The bits whose fields are read: in a list, REMOVE and the number zero end a record before its fields.
    live: u32,
}

impl EntityBits {
    /// More bytes of flags follow.
    const MORE: [u32; 3] = [1 << 7, 1 << 15, 1 << 23];
    /// The entity's number has 16 bits.
    pub(crate) const LONG_NUMBER: u32 = 1 << 8;
    /// The bits that announce more bytes.
    pub(super) const MORE_BITS: u32 = Self::MORE[0] | Self::MORE[1] | Self::MORE[2];
    /// The entity is no longer there.
    pub(super) const REMOVE: u32 = 1 << 6;
    /// The bits of its fields.
    pub(super) const FIELDS: u32 = {
        let (mut bits, mut fields) = (0, SpawnBaseline::SCHEMA.fields);
        while let [first, rest @ ..] = fields {
            (bits, fields) = (bits | first.bit, rest);
        }
        bits & !Self::REMOVE
    };

    /// Whether the record has fields, or removes the entity.
    ///
    /// ```
    /// use moviola_format::{Context, EntityBits, Flags};
    /// let flags = |bits| EntityBits::canonical(bits, &Context::quake2());
    /// assert!(flags(1 << 11).changes() && !flags(1 << 8).changes());
    /// ```
    #[inline(always)]
    pub fn changes(self) -> bool {
        self.live & Self::FIELDS != 0
    }
}

impl EntityBits {
    /// A flag word byte by byte, near the end of a block. Inlined, because passing the reader to a function
    /// would keep it in memory instead of registers.
    #[inline(always)]
    fn read_bytes(reader: &mut Reader<'_, '_>) -> Result<u32, Stop> {
        let mut bits = u32::from(reader.byte()?);
        for (n, more) in Self::MORE.into_iter().enumerate() {
            if bits & more == 0 {
                break;
            }
            bits |= u32::from(reader.byte()?) << (8 * n + 8);
        }
        Ok(bits)
    }
}

impl<'a> Scalar<'a> for EntityBits {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let bits = match reader.rest().first_chunk() {
            // All bytes together, without a branch for each.
            Some(bytes) => {
                let (bits, count) = flag_word(*bytes);
                reader.slice(count)?;
                bits
            }
            None => Self::read_bytes(reader)?,
        };
        let mut live = bits;
        if reader.listed() {
            let high = if bits & Self::LONG_NUMBER != 0 { reader.peek_at(1) } else { Some(0) };
            let ends = bits & Self::REMOVE != 0 && !reader.context().mvd;
            if ends || (reader.peek() == Some(0) && high == Some(0)) {
                live &= Self::REMOVE;
            }
        }
        Ok(Self { bits, live })
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.bits as u8);
        for (n, more) in Self::MORE.into_iter().enumerate() {
            if self.bits & more == 0 {
                break;
            }
            writer.byte((self.bits >> (8 * n + 8)) as u8);
        }
    }
}

impl Flags<'_> for EntityBits {
    const SPARE: u32 = 1 << 13 | 0xF << 28;

    #[inline(always)]
    fn bits(&self) -> u32 {
        self.bits
    }
    #[inline(always)]
    fn has(&self, bit: u32) -> bool {
        self.live & bit != 0
    }
    #[inline(always)]
    fn canonical(implied: u32, _: &Context) -> Self {
        let mut bits = implied & !Self::MORE_BITS;
        if bits >> 24 != 0 {
            bits |= Self::MORE[2];
        }
        if bits >> 16 != 0 {
            bits |= Self::MORE[1];
        }
        if bits >> 8 != 0 {
            bits |= Self::MORE[0];
        }
        Self { bits, live: bits }
    }
    #[inline(always)]
    fn listed(self, context: &Context) -> Self {
        let is_whole = self.bits & Self::REMOVE == 0 || context.mvd;
        if is_whole { self } else { Self { live: Self::REMOVE, ..self } }
    }
    fn exactly(bits: u32, _: &Context) -> Self {
        let mut sent = bits & 0xFF;
        for (n, more) in Self::MORE.into_iter().enumerate() {
            if sent & more == 0 {
                break;
            }
            sent |= bits & 0xFF << (8 * n + 8);
        }
        Self { bits: sent, live: sent }
    }
}

/// An entity's number.
///
/// ```
/// use moviola_format::{EntityNumber, dm2::SpawnBaseline};
/// assert_eq!(SpawnBaseline::default().entity, EntityNumber::default());
/// ```
pub type EntityNumber = super::ByteOrShort<{ EntityBits::LONG_NUMBER }>;

/// An animation frame: a byte, 16 bits, or both, of which the second counts.
///
/// ```
/// use moviola_format::dm2::SpawnBaseline;
/// assert_eq!(SpawnBaseline::default().frame.value(), 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    byte: u8,
    short: i16,
    has_both: bool,
}

impl Frame {
    const BYTE: u32 = 1 << 4;
    const SHORT: u32 = 1 << 17;

    /// A frame in the form that engines send: one byte if it fits.
    ///
    /// ```
    /// use moviola_format::Frame;
    /// assert_eq!((Frame::new(7).value(), Frame::new(300).value()), (7, 300));
    /// ```
    pub fn new(value: i32) -> Self {
        match u8::try_from(value) {
            Ok(byte) => Self { byte, ..Self::default() },
            Err(_) => Self { short: value as i16, ..Self::default() },
        }
    }

    /// The frame that is shown.
    pub fn value(self) -> i32 {
        if self.has_both || self.short != 0 { i32::from(self.short) } else { i32::from(self.byte) }
    }
}

impl<'a> Scalar<'a> for Frame {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let flags = reader.flags();
        let byte = if flags & Self::BYTE != 0 { reader.byte()? } else { 0 };
        let short = if flags & Self::SHORT != 0 { i16::read(reader)? } else { 0 };
        Ok(Self { byte, short, has_both: flags & (Self::BYTE | Self::SHORT) == Self::BYTE | Self::SHORT })
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        let flags = writer.flags();
        if flags & Self::BYTE != 0 {
            writer.byte(self.byte);
        }
        if flags & Self::SHORT != 0 {
            self.short.write(writer);
        }
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        if self.has_both {
            out.int(i64::from(self.byte));
        }
        out.int(i64::from(self.value()));
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        if from.wraps_values() {
            // LMPC takes every value below 256 for a byte, negative ones too.
            let wide = from.int(i64::from(i32::MIN), i64::from(i32::MAX))?;
            let (byte, short) = if wide < 256 { (wide as u8, 0) } else { (0, wide as i16) };
            return Ok(Self { byte, short, has_both: false });
        }
        let first = from.int(-0x8000, 0x7FFF)? as i16;
        if from.more() {
            let Ok(byte) = u8::try_from(first) else {
                return Err(from.refuse("the first of two frames is sent as a byte: 0 to 255"));
            };
            return Ok(Self { byte, short: from.int(-0x8000, 0x7FFF)? as i16, has_both: true });
        }
        Ok(match u8::try_from(first) {
            Ok(byte) if !from.wants(Self::SHORT) => Self { byte, short: 0, has_both: false },
            _ => Self { byte: 0, short: first, has_both: false },
        })
    }
    #[inline(always)]
    fn implied(&self, _: u32, _: &Context) -> u32 {
        match self {
            Self { has_both: true, .. } => Self::BYTE | Self::SHORT,
            Self { short: 0..=0xFF, .. } => Self::BYTE,
            _ => Self::SHORT,
        }
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        !self.has_both && self.short >= 0
    }
}

/// A number of 8, 16 or 32 bits: two bits of the flag word select the width (both: 32).
///
/// ```
/// use moviola_format::{Context, Effects, Scalar};
/// // 300 needs 16 bits, and requires the bit for them.
/// assert_eq!(Effects { 0: 300 }.implied(0, &Context::quake2()), 1 << 19);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sized32<const BYTE: u32, const SHORT: u32>(pub u32);

impl<const BYTE: u32, const SHORT: u32> Sized32<BYTE, SHORT> {
    #[inline(always)]
    fn read_as(reader: &mut Reader<'_, '_>) -> Result<u32, Stop> {
        match (reader.flags() & BYTE != 0, reader.flags() & SHORT != 0) {
            (true, true) => u32::read(reader),
            (false, true) => u16::read(reader).map(u32::from),
            (true, false) => u8::read(reader).map(u32::from),
            (false, false) => Ok(0),
        }
    }
    #[inline(always)]
    fn write_as(value: u32, writer: &mut Writer<'_>) {
        match (writer.flags() & BYTE != 0, writer.flags() & SHORT != 0) {
            (true, true) => value.write(writer),
            (false, true) => (value as u16).write(writer),
            (true, false) => writer.byte(value as u8),
            (false, false) => {}
        }
    }
    /// The engines use 16 bits only below 0x8000.
    #[inline(always)]
    fn bits_for(value: u32) -> u32 {
        match value {
            0..=0xFF => BYTE,
            0x100..=0x7FFF => SHORT,
            _ => BYTE | SHORT,
        }
    }
}

impl<'a, const BYTE: u32, const SHORT: u32> Scalar<'a> for Sized32<BYTE, SHORT> {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Self::read_as(reader).map(Self)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        Self::write_as(self.0, writer);
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let value = from.int(i64::from(i32::MIN), i64::from(u32::MAX))? as u32;
        // LMPC takes the upper half for negative numbers, and those for a byte.
        Ok(Self(if from.wraps_values() && value > i32::MAX as u32 { value & 0xFF } else { value }))
    }
    #[inline(always)]
    fn implied(&self, _: u32, _: &Context) -> u32 {
        Self::bits_for(self.0)
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        i32::try_from(self.0).is_ok()
    }
}

/// A skin: its low byte is the skin, the rest the weapon visible in a player's hands ("vwep").
///
/// ```
/// use moviola_format::Skin;
/// // The third skin, with the second weapon of the list in hand.
/// let skin = Skin(2 << 8 | 3);
/// assert_eq!((skin.0 & 0xFF, skin.0 >> 8), (3, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Skin(pub u32);

type SkinSize = Sized32<{ 1 << 16 }, { 1 << 25 }>;

impl Skin {
    const SKIN: ValuePart = ValuePart::meaning("skin", Meaning::Skin, "The skin, or the color of a beam.");
    const VWEP: ValuePart = ValuePart::new("vwep", "The weapon seen in a player's hands.");
}

impl<'a> Scalar<'a> for Skin {
    const PARTS: &'static [ValuePart] = &[Self::SKIN, Self::VWEP];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        SkinSize::read_as(reader).map(Self)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        SkinSize::write_as(self.0, writer);
    }
    #[inline(always)]
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::SKIN, self.0 as u8);
        if self.0 >> 8 != 0 {
            line(out, &Self::VWEP, self.0 >> 8);
        }
    }
    #[inline(always)]
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        from.line(Self::SKIN.name)?;
        let skin = from.int(i64::from(i32::MIN), i64::from(u32::MAX))? as u32;
        from.end()?;
        if !from.has(Self::VWEP.name) {
            return Ok(Self(skin));
        }
        from.line(Self::VWEP.name)?;
        let vwep = from.int(-0x80_0000, 0xFF_FFFF)? as u32;
        from.end()?;
        Ok(Self(skin | vwep << 8))
    }
    #[inline(always)]
    fn implied(&self, _: u32, _: &Context) -> u32 {
        SkinSize::bits_for(self.0)
    }
}

/// The effects of an entity.
///
/// ```
/// use moviola_format::dm2::SpawnBaseline;
/// use moviola_format::names::{Meaning, quake2};
/// assert_eq!(SpawnBaseline::default().effects.0, 0);
/// assert_eq!(Meaning::Bits(quake2::EFFECTS).name(1).unwrap().to_string(), "EF_ROTATE");
/// ```
pub type Effects = Sized32<{ 1 << 14 }, { 1 << 19 }>;

/// The flags of an entity's drawing.
///
/// ```
/// use moviola_format::dm2::SpawnBaseline;
/// assert_eq!(SpawnBaseline::default().renderfx.0, 0);
/// ```
pub type RenderFx = Sized32<{ 1 << 12 }, { 1 << 18 }>;

/// A record of a list of entities.
///
/// ```
/// use moviola_format::{Delta, Deltas, EntityNumber, dm2::SpawnBaseline};
/// let mut buffer = Vec::new();
/// let still = SpawnBaseline { entity: EntityNumber { 0: 7 }, ..SpawnBaseline::default() };
/// // After a record with fields comes at least the list's end.
/// let list = Deltas::encode([still; 3], &mut buffer);
/// assert!(matches!(list.deltas().next(), Some(Delta::Bare(_, EntityNumber { 0: 7 }))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it is looked at where it is made")]
pub enum Delta {
    /// A record without fields: the entity is unchanged, or is removed.
    Bare(EntityBits, EntityNumber),
    /// A record with the changed fields.
    Full(SpawnBaseline),
}

impl Delta {
    /// Its flags, and the entity's number.
    ///
    /// ```
    /// use moviola_format::{Delta, EntityNumber, dm2::SpawnBaseline};
    /// let moved = SpawnBaseline { entity: EntityNumber { 0: 7 }, ..SpawnBaseline::default() };
    /// assert_eq!(Delta::Full(moved).head(), (moved.flags, 7));
    /// ```
    #[inline(always)]
    pub fn head(&self) -> (EntityBits, u16) {
        match self {
            Self::Bare(flags, entity) => (*flags, entity.0),
            Self::Full(it) => (it.flags, it.entity.0),
        }
    }
}

/// The entities of a frame: records up to one with the number zero.
///
/// ```
/// use moviola_format::{Deltas, dm2::SpawnBaseline};
/// let mut buffer = Vec::new();
/// let list = Deltas::encode([SpawnBaseline::default(); 2], &mut buffer);
/// assert_eq!(list.iter().count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deltas<'a> {
    records: &'a [u8],
    end: &'a [u8],
    /// The union of all flag words.
    bits: u32,
}

impl Default for Deltas<'_> {
    fn default() -> Self {
        Self { records: &[], end: &Self::END, bits: 0 }
    }
}

impl<'a> Deltas<'a> {
    /// The end of the list in the form that every engine writes.
    const END: [u8; 2] = [0, 0];
    const RECORD: ValuePart = ValuePart::new("packetentity", "The changes of one entity.");
    const ODD_END: ValuePart = ValuePart::new("end", "The end of the list, where it is not two zero bytes.");

    /// The union of its entities' flag words, so that a search for a rare bit can skip the list.
    ///
    /// ```
    /// use moviola_format::Deltas;
    /// assert_eq!(Deltas::default().bits(), 0);
    /// ```
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The entities that changed.
    pub fn iter(&self) -> impl Iterator<Item = SpawnBaseline> + use<'a> {
        self.deltas().map(|delta| match delta {
            Delta::Bare(flags, entity) => SpawnBaseline { flags, entity, ..SpawnBaseline::default() },
            Delta::Full(entity) => entity,
        })
    }

    /// The deltas of the list. It does not build the entities of records without fields, which are most.
    #[inline(always)]
    pub fn deltas(&self) -> impl Iterator<Item = Delta> + use<'a> {
        let mut reader = Reader::new(self.records, &const { Context::quake2() });
        reader.set_listed(true);
        std::iter::from_fn(
            #[inline(always)]
            move || {
                if let Some((flags, entity, width)) = Self::unchanged(reader.rest()) {
                    reader.seek(reader.pos() + width);
                    return Some(Delta::Bare(flags, entity));
                }
                if reader.is_empty() { None } else { SpawnBaseline::build(&mut reader).ok().map(Delta::Full) }
            },
        )
    }

    /// The flags and the entity's number of each record. It reads no fields.
    ///
    /// ```
    /// use moviola_format::{Deltas, EntityNumber, dm2::SpawnBaseline};
    /// let mut buffer = Vec::new();
    /// let moved = SpawnBaseline { entity: EntityNumber { 0: 7 }, ..SpawnBaseline::default() };
    /// let list = Deltas::encode([moved; 2], &mut buffer);
    /// assert_eq!(list.heads().collect::<Vec<_>>(), [(moved.flags, 7); 2]);
    /// ```
    pub fn heads(&self) -> impl Iterator<Item = (EntityBits, u16)> + use<'a> {
        let (strides, mut rest) = (&*STRIDES, self.records);
        std::iter::from_fn(move || {
            let (stride, bits, number) = strides.first(rest)?;
            rest = rest.get(stride..)?;
            Some((EntityBits { bits, live: bits }.listed(&const { Context::quake2() }), number))
        })
    }

    /// The first record and its length, if it has no fields: most only state that an entity is there, some
    /// remove one.
    #[inline(always)]
    fn unchanged(records: &[u8]) -> Option<(EntityBits, EntityNumber, usize)> {
        let head = records.first_chunk::<6>()?;
        let [a, b, c, d, ..] = *head;
        let (bits, count) = flag_word([a, b, c, d]);
        let flags = EntityBits { bits, live: bits }.listed(&const { Context::quake2() });
        if flags.changes() {
            return None;
        }
        let long = bits & EntityBits::LONG_NUMBER != 0;
        let [low, high] = [count, count + 1].map(|at| head.get(at).copied().unwrap_or_default());
        let number = u16::from_le_bytes([low, if long { high } else { 0 }]);
        Some((flags, super::ByteOrShort(number), count + 1 + usize::from(long)))
    }

    /// Shows the list's end if it differs from the one that every engine writes.
    fn show_end<S: ValueSink<'a>>(&self, out: &mut S) {
        if self.end != Self::END {
            out.line(Self::ODD_END.name, Meaning::Number);
            out.data(self.end);
            out.end();
        }
    }

    /// Whether a list with these bytes contains this entity, with all its fields.
    fn holds(bytes: &[u8], entity: &SpawnBaseline) -> bool {
        let mut reader = Reader::new(bytes, &const { Context::quake2() });
        reader.set_listed(true);
        let read = SpawnBaseline::build(&mut reader);
        reader.is_empty() && read.is_ok_and(|read| SpawnBaseline { flags: entity.flags, ..read } == *entity)
    }

    /// A list of these entities, written to `buffer`.
    pub fn encode(entities: impl IntoIterator<Item = SpawnBaseline>, buffer: &'a mut Vec<u8>) -> Self {
        buffer.clear();
        let mut bits = 0;
        for entity in entities {
            bits |= entity.flags.bits();
            entity.walk(&mut Writer::new(buffer, &Context::quake2()));
        }
        Self { records: buffer, end: &Self::END, bits }
    }
}

impl<'a> Scalar<'a> for Deltas<'a> {
    const PARTS: &'static [ValuePart] = &[Self::RECORD, Self::ODD_END];
    const LIST: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        let all = reader.rest();
        let mut rest = all;
        let strides = &*STRIDES;
        let mut bits = 0;
        while let Some((stride, flags, _)) = strides.first(rest) {
            let Some(after) = rest.get(stride..) else { break };
            rest = after;
            bits |= flags;
        }
        let whole = all.len() - rest.len();
        if let (Some((records, _)), Some((end, _))) =
            (all.split_at_checked(whole), rest.split_at_checked(Self::END.len()))
            && end == Self::END
        {
            reader.seek(start + whole + end.len());
            return Ok(Self { records, end, bits });
        }
        // An end of another form, and an incomplete record, are left to the reader.
        reader.seek(start + whole);
        reader.set_listed(true);
        let outcome = loop {
            let at = reader.pos();
            match SpawnBaseline::build(reader) {
                Ok(entity) if entity.entity.0 == 0 => break Ok(at),
                Ok(entity) => bits |= entity.flags.bits(),
                Err(fault) => break Err(fault),
            }
        };
        reader.set_listed(false);
        let at = outcome?;
        let all = reader.since(start);
        let (records, end) = all.split_at_checked(at - start).unwrap_or((all, &[]));
        Ok(Self { records, end, bits })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.records);
        writer.bytes(self.end);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        // The records are read here and not with `iter`, which would copy each entity before it is shown.
        let mut reader = Reader::new(self.records, &const { Context::quake2() });
        reader.set_listed(true);
        out.records(Self::RECORD.name, &mut reader, |_: &SpawnBaseline| false);
        self.show_end(out);
    }
    fn read_and_show<S: ValueSink<'a>>(
        _: &Field,
        reader: &mut Reader<'a, '_>,
        out: &mut S,
    ) -> Result<Self, Stop> {
        let start = reader.pos();
        reader.set_listed(true);
        let bits = Cell::new(0);
        let end = out.records(Self::RECORD.name, reader, |entity: &SpawnBaseline| {
            let ends = entity.entity.0 == 0;
            bits.set(bits.get() | if ends { 0 } else { entity.flags.bits() });
            ends
        });
        reader.set_listed(false);
        let end = end.ok_or(Stop)?;
        let (records, end) = reader.since(start).split_at_checked(end - start).ok_or(Stop)?;
        let it = Self { records, end, bits: bits.get() };
        it.show_end(out);
        Ok(it)
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        /// A capacity that is enough for most frames.
        const USUAL_CAPACITY: usize = 512;
        let mut bytes = Vec::with_capacity(USUAL_CAPACITY);
        let (implies, cuts) = (from.implies(), from.wraps_values());
        let fits = |entity: &SpawnBaseline, bytes: &[u8]| {
            let is_plain = implies && entity.flags.bits & EntityBits::REMOVE == 0;
            if entity.entity.0 == 0 && !cuts {
                let number = SpawnBaseline::SCHEMA.fields.first().map(|field| field.name);
                Err((number, "the entity 0 would end the list"))
            } else if is_plain || cuts || Self::holds(bytes, entity) {
                Ok(())
            } else {
                Err((None, "an entity that is removed has no other fields in a list"))
            }
        };
        let (mut start, mut bits) = (0, 0);
        while from.wire(Self::RECORD.name, &mut bytes, &const { Context::quake2() }, fits)? {
            let mut head = [0; 4];
            head.iter_mut().zip(bytes.iter().skip(start)).for_each(|(to, from)| *to = *from);
            bits |= flag_word(head).0;
            start = bytes.len();
        }
        let mut end: &[u8] = &Self::END;
        if from.has(Self::ODD_END.name) {
            from.line(Self::ODD_END.name)?;
            end = from.data()?;
            from.end()?;
            let mut reader = Reader::new(end, &const { Context::quake2() });
            if Self::read(&mut reader).is_err() || !reader.is_empty() {
                return Err(from.refuse("these bytes do not end a list"));
            }
        }
        Ok(Self { records: from.keep(&bytes), end, bits })
    }
    fn bare(&self) -> bool {
        false
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.end == Self::END
    }
}
