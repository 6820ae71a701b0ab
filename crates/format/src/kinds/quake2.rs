//! Kinds of value that only Quake II has.

use super::number::line;
use crate::context::Context;
use crate::dm2::SpawnBaseline;
use crate::names::{Meaning, quake2};
use crate::scalar::{Ask, Field, Flags, Part, Record, Scalar, Show};
use crate::table::{self, Schema};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// A flag word of up to four bytes: the top bit of each says that another follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EntityBits {
    bits: u32,
    /// In a list, REMOVE and the number zero end a record before its fields.
    inert: bool,
}

impl EntityBits {
    /// More bytes of flags follow.
    const MORE: [u32; 3] = [1 << 7, 1 << 15, 1 << 23];
    /// The entity's number has 16 bits.
    pub(crate) const LONG_NUMBER: u32 = 1 << 8;
    /// The entity is no longer there.
    const REMOVE: u32 = 1 << 6;
}

impl<'a> Scalar<'a> for EntityBits {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut bits = u32::from(reader.byte()?);
        for (n, more) in Self::MORE.into_iter().enumerate() {
            if bits & more == 0 {
                break;
            }
            bits |= u32::from(reader.byte()?) << (8 * n + 8);
        }
        let mut inert = false;
        if reader.listed() {
            let high = if bits & Self::LONG_NUMBER != 0 { reader.peek_at(1) } else { Some(0) };
            inert = bits & Self::REMOVE != 0 || (reader.peek() == Some(0) && high == Some(0));
        }
        Ok(Self { bits, inert })
    }
    #[inline]
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
        self.bits & bit != 0 && (!self.inert || bit == Self::REMOVE)
    }
    #[inline]
    fn canonical(implied: u32, _: &Context) -> Self {
        let mut bits = implied & !(Self::MORE[0] | Self::MORE[1] | Self::MORE[2]);
        if bits >> 24 != 0 {
            bits |= Self::MORE[2];
        }
        if bits >> 16 != 0 {
            bits |= Self::MORE[1];
        }
        if bits >> 8 != 0 {
            bits |= Self::MORE[0];
        }
        Self { bits, inert: false }
    }
    #[inline]
    fn listed(self) -> Self {
        Self { inert: self.bits & Self::REMOVE != 0, ..self }
    }
    fn exactly(bits: u32, _: &Context) -> Self {
        let mut sent = bits & 0xFF;
        for (n, more) in Self::MORE.into_iter().enumerate() {
            if sent & more == 0 {
                break;
            }
            sent |= bits & 0xFF << (8 * n + 8);
        }
        Self { bits: sent, inert: false }
    }
}

/// A Quake II sound's flag byte; bits 5 to 7 mean nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SoundBits(pub u8);

impl<'a> Scalar<'a> for SoundBits {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
}

impl Flags<'_> for SoundBits {
    const SPARE: u32 = 0xE0;
    #[inline(always)]
    fn bits(&self) -> u32 {
        u32::from(self.0)
    }
    fn canonical(implied: u32, _: &Context) -> Self {
        Self(implied as u8)
    }
    fn exactly(bits: u32, _: &Context) -> Self {
        Self(bits as u8)
    }
}

/// An entity's number.
pub type EntityNumber = super::ByteOrShort<{ EntityBits::LONG_NUMBER }>;

/// An animation frame: a byte, a short, or both, of which the second wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    byte: u8,
    short: i16,
    both: bool,
}

impl Frame {
    const BYTE: u32 = 1 << 4;
    const SHORT: u32 = 1 << 17;

    /// The frame that is shown.
    pub fn value(self) -> i32 {
        if self.both || self.short != 0 { i32::from(self.short) } else { i32::from(self.byte) }
    }
}

impl<'a> Scalar<'a> for Frame {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let flags = reader.flags();
        let byte = if flags & Self::BYTE != 0 { reader.byte()? } else { 0 };
        let short = if flags & Self::SHORT != 0 { i16::read(reader)? } else { 0 };
        Ok(Self { byte, short, both: flags & (Self::BYTE | Self::SHORT) == Self::BYTE | Self::SHORT })
    }
    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        let flags = writer.flags();
        if flags & Self::BYTE != 0 {
            writer.byte(self.byte);
        }
        if flags & Self::SHORT != 0 {
            self.short.write(writer);
        }
    }
    fn put<S: Show<'a>>(&self, out: &mut S) {
        if self.both {
            out.int(i64::from(self.byte));
        }
        out.int(i64::from(self.value()));
    }
    fn take<A: Ask<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let first = from.int(-0x8000, 0x7FFF)? as i16;
        if from.more() {
            let Ok(byte) = u8::try_from(first) else {
                return Err(from.refuse("the first of two frames is sent as a byte: 0 to 255"));
            };
            return Ok(Self { byte, short: from.int(-0x8000, 0x7FFF)? as i16, both: true });
        }
        Ok(match u8::try_from(first) {
            Ok(byte) if !from.wants(Self::SHORT) => Self { byte, short: 0, both: false },
            _ => Self { byte: 0, short: first, both: false },
        })
    }
    #[inline]
    fn implied(&self, _: u32, _: &Context) -> u32 {
        match self {
            Self { both: true, .. } => Self::BYTE | Self::SHORT,
            Self { short: 0..=0xFF, .. } => Self::BYTE,
            _ => Self::SHORT,
        }
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        !self.both && self.short >= 0
    }
}

/// A number of 8, 16 or 32 bits: two bits of the flag word say which (both: 32).
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
    #[inline]
    fn write_as(value: u32, writer: &mut Writer<'_>) {
        match (writer.flags() & BYTE != 0, writer.flags() & SHORT != 0) {
            (true, true) => value.write(writer),
            (false, true) => (value as u16).write(writer),
            (true, false) => writer.byte(value as u8),
            (false, false) => {}
        }
    }
    /// The engines take 16 bits only below 0x8000.
    #[inline]
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
    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        Self::write_as(self.0, writer);
    }
    fn put<S: Show<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: Ask<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let value = from.int(i64::from(i32::MIN), i64::from(u32::MAX))? as u32;
        // LMPC took the upper half for negative, and that for a byte.
        Ok(Self(if from.cuts() && value > i32::MAX as u32 { value & 0xFF } else { value }))
    }
    #[inline]
    fn implied(&self, _: u32, _: &Context) -> u32 {
        Self::bits_for(self.0)
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        i32::try_from(self.0).is_ok()
    }
}

/// A skin: its low byte is the skin, the rest the weapon seen in a player's hands ("vwep").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Skin(pub u32);

type SkinSize = Sized32<{ 1 << 16 }, { 1 << 25 }>;

impl Skin {
    const SKIN: Part = Part::new("skin", "The skin, or the colour of a beam.");
    const VWEP: Part = Part::new("vwep", "The weapon seen in a player's hands.");
}

impl<'a> Scalar<'a> for Skin {
    const PARTS: &'static [Part] = &[Self::SKIN, Self::VWEP];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        SkinSize::read_as(reader).map(Self)
    }
    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        SkinSize::write_as(self.0, writer);
    }
    fn show<S: Show<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::SKIN, self.0 as u8);
        if self.0 >> 8 != 0 {
            line(out, &Self::VWEP, self.0 >> 8);
        }
    }
    fn ask<A: Ask<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
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
    #[inline]
    fn implied(&self, _: u32, _: &Context) -> u32 {
        SkinSize::bits_for(self.0)
    }
}

/// Effects of an entity.
pub type Effects = Sized32<{ 1 << 14 }, { 1 << 19 }>;

/// How an entity is drawn.
pub type RenderFx = Sized32<{ 1 << 12 }, { 1 << 18 }>;

/// Which entity makes a sound, on which channel: packed into 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SoundSource(pub u16);

impl SoundSource {
    const CHANNEL: Part =
        Part::meaning("channel", Meaning::Value(quake2::SOUND_CHANNEL), "Which of the entity's channels.");
    const ENTITY: Part = Part::meaning("entity", Meaning::Entity, "The entity that makes the sound.");

    /// The channel.
    pub fn channel(self) -> u8 {
        (self.0 & 7) as u8
    }
    /// The entity.
    pub fn entity(self) -> u16 {
        self.0 >> 3
    }
}

impl<'a> Scalar<'a> for SoundSource {
    const PARTS: &'static [Part] = &[Self::CHANNEL, Self::ENTITY];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        u16::read(reader).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn show<S: Show<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::CHANNEL, self.channel());
        line(out, &Self::ENTITY, self.entity());
    }
    fn ask<A: Ask<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        from.line(Self::CHANNEL.name)?;
        let channel = from.int(0, 7)? as u16;
        from.end()?;
        from.line(Self::ENTITY.name)?;
        let mut entity = from.int(-0x1000, 0x1FFF)? as u16;
        from.end()?;
        if from.cuts() {
            entity &= 0x7FF;
        }
        Ok(Self(entity << 3 | channel))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.entity() <= 0x7FF
    }
}

/// A direction: a number in the games' table of 162 normals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Direction(pub u8);

impl Direction {
    /// The unit vector, if the number is in the table.
    pub fn vector(self) -> Option<[f32; 3]> {
        crate::normals::NORMALS.get(usize::from(self.0)).copied()
    }

    /// The direction nearest to a vector.
    pub fn nearest(vector: [f32; 3]) -> Self {
        let product = |normal: &[f32; 3]| normal.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
        let mut best = (0, f32::MIN);
        for (n, normal) in (0u8..).zip(&crate::normals::NORMALS) {
            let found = product(normal);
            if found > best.1 {
                best = (n, found);
            }
        }
        Self(best.0)
    }
}

impl<'a> Scalar<'a> for Direction {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
    fn put<S: Show<'a>>(&self, out: &mut S) {
        match self.vector() {
            Some(vector) => vector.into_iter().for_each(|part| out.float(part.to_bits())),
            None => out.int(i64::from(self.0)),
        }
    }
    fn take<A: Ask<'a>>(from: &mut A) -> Result<Self, A::Error> {
        // One number is the table's index, three are the vector itself.
        let first = from.float()?;
        if !from.more() {
            let index = f32::from_bits(first);
            return match index {
                0.0..256.0 if index.fract() == 0.0 => Ok(Self(index as u8)),
                _ => Err(from.refuse("a direction is three numbers, or one whole number from 0 to 255")),
            };
        }
        let vector = [first, from.float()?, from.float()?].map(f32::from_bits);
        Ok(Self::nearest(vector))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.vector().is_some()
    }
}

/// The counts of everything the player carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inventory<'a>(pub &'a [u8; 512]);

impl Inventory<'_> {
    /// How many of item `index`.
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
    fn put<S: Show<'a>>(&self, out: &mut S) {
        self.counts().for_each(|count| out.int(i64::from(count)));
    }
    fn take<A: Ask<'a>>(from: &mut A) -> Result<Self, A::Error> {
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

/// Positions that lie one behind the other: the flame's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlamePositions<'a>(pub &'a [u8; 18]);

impl Default for FlamePositions<'_> {
    fn default() -> Self {
        Self(&[0; 18])
    }
}

impl FlamePositions<'_> {
    const POS: [Part; 3] = [
        Part::new("pos2", "Another position."),
        Part::new("pos3", "Another position."),
        Part::new("pos4", "Another position."),
    ];
}

impl<'a> Scalar<'a> for FlamePositions<'a> {
    const PARTS: &'static [Part] = &Self::POS;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.chunk().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn show<S: Show<'a>>(&self, _: &Field, out: &mut S) {
        for (part, bytes) in Self::POS.iter().zip(self.0.as_chunks::<6>().0) {
            let mut reader = Reader::new(bytes, &const { Context::quake2() });
            line(out, part, <[super::Short8; 3]>::read(&mut reader).unwrap_or_default());
        }
    }
    fn ask<A: Ask<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let mut bytes = Vec::with_capacity(18);
        for part in &Self::POS {
            let position: [super::Short8; 3] = super::number::ask(from, part)?;
            position.write(&mut Writer::new(&mut bytes, Context::quake2()));
        }
        let Some(kept) = from.keep(&bytes).first_chunk() else {
            return Err(from.refuse("three positions are needed"));
        };
        Ok(Self(kept))
    }
}

/// The player's 32 numbers of the status bar, as far as they changed: a word that says which, and their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stats<'a>(&'a [u8]);

impl Default for Stats<'_> {
    fn default() -> Self {
        Self(&[0; 4])
    }
}

impl<'a> Stats<'a> {
    const STATS: Part = Part::new("stats", "The numbers of the status bar that changed.");
    const STAT: Part = Part::new("stat", "One of them: its `index` and its `value`.");

    /// The numbers that changed: index and value.
    pub fn iter(&self) -> impl Iterator<Item = (u8, i16)> + use<'a> {
        let (bits, values) = self
            .0
            .split_first_chunk()
            .map_or((0, &[][..]), |(bits, values)| (u32::from_le_bytes(*bits), values));
        let values = values.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair));
        (0..32u8).filter(move |n| bits & 1 << n != 0).zip(values)
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.0.len() <= 4
    }
}

impl<'a> Scalar<'a> for Stats<'a> {
    const PARTS: &'static [Part] = &[Self::STATS, Self::STAT];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        let bits = u32::read(reader)?;
        reader.slice(2 * bits.count_ones() as usize)?;
        Ok(Self(reader.since(start)))
    }
    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn show<S: Show<'a>>(&self, _: &Field, out: &mut S) {
        if self.is_empty() {
            return;
        }
        out.open(Self::STATS.name);
        for (index, value) in self.iter() {
            out.record(Self::STAT.name, &Stat { index, value });
        }
        out.close();
    }
    fn ask<A: Ask<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let mut found = [None; 32];
        if from.open(Self::STATS.name)? {
            while let Some(stat) = from.record::<Stat>(Self::STAT.name)? {
                match found.get_mut(usize::from(stat.index)) {
                    Some(place @ None) => *place = Some(stat.value),
                    Some(_) => return Err(from.refuse("this stat was given before")),
                    None => return Err(from.refuse("stats are numbered 0 to 31")),
                }
            }
            from.close()?;
        }
        let bits = found.iter().rev().fold(0u32, |bits, it| bits << 1 | u32::from(it.is_some()));
        let values = found.iter().flatten().flat_map(|value| value.to_le_bytes());
        let wire: Vec<u8> = bits.to_le_bytes().into_iter().chain(values).collect();
        Ok(Self(from.keep(&wire)))
    }
}

/// One number of the status bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Stat {
    index: u8,
    value: i16,
}

impl Stat {
    const INDEX: Field = Field {
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

/// A piece of a downloaded file; the bytes follow from protocol 32 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DownloadPiece<'a> {
    /// How many bytes; -1 says that there is no such file.
    pub size: i16,
    /// How much of the file is through.
    pub percent: u8,
    /// The bytes, where they follow.
    pub data: &'a [u8],
}

impl DownloadPiece<'_> {
    const SIZE: Part = Part::new("size", "How many bytes; -1 says that there is no such file.");
    const PERCENT: Part = Part::new("percent", "How much of the file is through.");
    const DATA: Part = Part::new("data", "The bytes, which follow from protocol 32 on.");
}

impl<'a> Scalar<'a> for DownloadPiece<'a> {
    const PARTS: &'static [Part] = &[Self::SIZE, Self::PERCENT, Self::DATA];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let (size, percent) = (i16::read(reader)?, reader.byte()?);
        let follows = reader.context().quake2_protocol() >= 32;
        let len = if follows { usize::try_from(size).unwrap_or(0) } else { 0 };
        Ok(Self { size, percent, data: reader.slice(len)? })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.size.write(writer);
        writer.byte(self.percent);
        writer.bytes(self.data);
    }
    fn show<S: Show<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::SIZE, self.size);
        line(out, &Self::PERCENT, self.percent);
        if !self.data.is_empty() {
            out.line(Self::DATA.name, Meaning::Number);
            out.data(self.data);
            out.end();
        }
    }
    fn ask<A: Ask<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let size = super::number::ask(from, &Self::SIZE)?;
        let percent = super::number::ask(from, &Self::PERCENT)?;
        let mut data: &[u8] = &[];
        if from.has(Self::DATA.name) {
            from.line(Self::DATA.name)?;
            data = from.data()?;
            from.end()?;
        }
        Ok(Self { size, percent, data })
    }
}

/// The entities of a frame: records up to one with the number zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deltas<'a> {
    records: &'a [u8],
    end: &'a [u8],
}

impl Default for Deltas<'_> {
    fn default() -> Self {
        Self { records: &[], end: &Self::END }
    }
}

impl<'a> Deltas<'a> {
    /// The end of the list as every engine writes it.
    const END: [u8; 2] = [0, 0];
    const RECORD: Part = Part::new("packetentity", "One entity: what changed.");
    const ODD_END: Part = Part::new("end", "The end of the list, where it is not two zero bytes.");

    /// The entities that changed.
    pub fn iter(&self) -> impl Iterator<Item = SpawnBaseline> + use<'a> {
        let mut reader = Reader::new(self.records, &const { Context::quake2() });
        reader.set_listed(true);
        std::iter::from_fn(
            move || {
                if reader.is_empty() { None } else { SpawnBaseline::build(&mut reader).ok() }
            },
        )
    }

    /// A list of these entities, put into `buffer`.
    pub fn encode(entities: impl IntoIterator<Item = SpawnBaseline>, buffer: &'a mut Vec<u8>) -> Self {
        buffer.clear();
        for entity in entities {
            entity.walk(&mut Writer::new(buffer, Context::quake2()));
        }
        Self { records: buffer, end: &Self::END }
    }
}

impl<'a> Scalar<'a> for Deltas<'a> {
    const PARTS: &'static [Part] = &[Self::RECORD, Self::ODD_END];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        reader.set_listed(true);
        let outcome = loop {
            let at = reader.pos();
            match SpawnBaseline::build(reader) {
                Ok(entity) if entity.entity.0 == 0 => break Ok(at),
                Ok(_) => {}
                Err(fault) => break Err(fault),
            }
        };
        reader.set_listed(false);
        let at = outcome?;
        let all = reader.since(start);
        let (records, end) = all.split_at_checked(at - start).unwrap_or((all, &[]));
        Ok(Self { records, end })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        for entity in self.iter() {
            entity.walk(writer);
        }
        writer.bytes(self.end);
    }
    fn show<S: Show<'a>>(&self, _: &Field, out: &mut S) {
        for entity in self.iter() {
            out.record(Self::RECORD.name, &entity);
        }
        if self.end != Self::END {
            out.line(Self::ODD_END.name, Meaning::Number);
            out.data(self.end);
            out.end();
        }
    }
    fn ask<A: Ask<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let mut bytes = Vec::new();
        while let Some(entity) = from.record::<SpawnBaseline>(Self::RECORD.name)? {
            if entity.entity.0 == 0 {
                return Err(from.refuse("the entity 0 would end the list"));
            }
            entity.walk(&mut Writer::new(&mut bytes, Context::quake2()));
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
        Ok(Self { records: from.keep(&bytes), end })
    }
    fn bare(&self) -> bool {
        false
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.end == Self::END
    }
}

/// A frame's head, in one of three forms: a client's, a server's, a relay's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameHead<'a> {
    /// Which form it has.
    pub form: FrameForm,
    /// The frame's number.
    pub seq1: i32,
    /// The frame that it builds on; -1 (and 0) is none.
    pub seq2: i32,
    /// How many packets the server held back; protocol 26 does not send it.
    pub uk_b1: Option<u8>,
    /// Which areas of the level can be seen, a bit each.
    pub areas: &'a [u8],
    /// Which players are connected, a bit each (Relay).
    pub connected: &'a [u8],
}

/// The forms of a frame's head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FrameForm {
    /// As a client gets it.
    #[default]
    Client,
    /// As a server records it: only its number.
    Server,
    /// As Relay records it: a client's, and who is connected.
    Relay,
}

impl<'a> FrameHead<'a> {
    const NUMBER: Part = Part::new("frame", "The frame's number (a server's recording has no more).");
    const SEQ1: Part = Part::new("seq1", "The frame's number.");
    const SEQ2: Part = Part::new("seq2", "The frame that it builds on; -1 is none.");
    const SUPPRESS: Part = Part::new("uk_b1", "How many packets the server held back.");
    const AREAS: Part = Part::new("areas", "Which areas of the level can be seen, a bit each.");
    const CONNECTED: Part = Part::new("connected", "Which players are connected, a bit each (Relay).");
    /// What follows a head: the player's state, or in a server's recording the entities at once.
    const NEXT: [u8; 2] = [crate::dm2::PlayerInfo::SCHEMA.op, crate::dm2::PacketEntities::SCHEMA.op];
    /// A serverdata's word for a Relay recording.
    const ISDEMO_RELAY: u8 = 0x80;
    const ISDEMO_SERVER: u8 = 2;

    fn read_form(form: FrameForm, reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let seq1 = i32::read(reader)?;
        if form == FrameForm::Server {
            return Ok(Self { form, seq1, ..Self::default() });
        }
        let seq2 = i32::read(reader)?;
        let uk_b1 = if reader.context().quake2_protocol() == 26 { None } else { Some(reader.byte()?) };
        let areas = Self::read_bytes(reader)?;
        let connected = if form == FrameForm::Relay { Self::read_bytes(reader)? } else { &[] };
        Ok(Self { form, seq1, seq2, uk_b1, areas, connected })
    }

    fn read_bytes(reader: &mut Reader<'a, '_>) -> Result<&'a [u8], Stop> {
        let count = usize::from(reader.byte()?);
        reader.slice(count)
    }

    /// Whether what follows fits the form.
    fn fits(&self, reader: &Reader<'_, '_>) -> bool {
        let Some(next) = reader.peek() else { return false };
        let [player, entities] = Self::NEXT;
        match self.form {
            FrameForm::Client => next == player && self.areas.len() <= 32,
            FrameForm::Server => next == entities,
            FrameForm::Relay => [player, entities].contains(&(next & 0x7F)),
        }
    }
}

impl<'a> Scalar<'a> for FrameHead<'a> {
    const PARTS: &'static [Part] =
        &[Self::NUMBER, Self::SEQ1, Self::SEQ2, Self::SUPPRESS, Self::AREAS, Self::CONNECTED];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        use FrameForm::{Client, Relay, Server};
        let isdemo = reader.context().isdemo;
        let forms = match isdemo {
            Self::ISDEMO_RELAY => [Relay, Client, Server],
            Self::ISDEMO_SERVER => [Server, Client, Relay],
            _ => [Client, Server, Relay],
        };
        for form in forms {
            let mut attempt = reader.clone();
            if let Ok(head) = Self::read_form(form, &mut attempt)
                && head.fits(&attempt)
            {
                reader.seek(attempt.pos());
                return Ok(head);
            }
        }
        Err(reader.stop(FaultKind::FrameShape))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.seq1.write(writer);
        if self.form == FrameForm::Server {
            return;
        }
        self.seq2.write(writer);
        if let Some(suppressed) = self.uk_b1 {
            writer.byte(suppressed);
        }
        writer.byte(self.areas.len() as u8);
        writer.bytes(self.areas);
        if self.form == FrameForm::Relay {
            writer.byte(self.connected.len() as u8);
            writer.bytes(self.connected);
        }
    }
    fn show<S: Show<'a>>(&self, _: &Field, out: &mut S) {
        if self.form == FrameForm::Server {
            return line(out, &Self::NUMBER, self.seq1);
        }
        line(out, &Self::SEQ1, self.seq1);
        line(out, &Self::SEQ2, self.seq2);
        if let Some(suppressed) = self.uk_b1 {
            line(out, &Self::SUPPRESS, suppressed);
        }
        out.line(Self::AREAS.name, Meaning::Number);
        out.data(self.areas);
        out.end();
        if self.form == FrameForm::Relay {
            out.line(Self::CONNECTED.name, Meaning::Number);
            out.data(self.connected);
            out.end();
        }
    }
    fn ask<A: Ask<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        use super::number::ask;
        if from.bare() {
            let seq1 = ask(from, &Self::NUMBER)?;
            return Ok(Self { form: FrameForm::Server, seq1, ..Self::default() });
        }
        let (seq1, seq2) = (ask(from, &Self::SEQ1)?, ask(from, &Self::SEQ2)?);
        let uk_b1 = if from.has(Self::SUPPRESS.name) { Some(ask(from, &Self::SUPPRESS)?) } else { None };
        let areas = Self::ask_bytes(from, &Self::AREAS)?;
        let mut it = Self { form: FrameForm::Client, seq1, seq2, uk_b1, areas, connected: &[] };
        if from.has(Self::CONNECTED.name) {
            it.form = FrameForm::Relay;
            it.connected = Self::ask_bytes(from, &Self::CONNECTED)?;
        }
        Ok(it)
    }
    fn bare(&self) -> bool {
        self.form == FrameForm::Server
    }
}

impl<'a> FrameHead<'a> {
    fn ask_bytes<A: Ask<'a>>(from: &mut A, part: &Part) -> Result<&'a [u8], A::Error> {
        from.line(part.name)?;
        let bytes = from.data()?;
        from.end()?;
        if bytes.len() > 255 {
            return Err(from.refuse("at most 255 bytes"));
        }
        Ok(bytes)
    }
}
