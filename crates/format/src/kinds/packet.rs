//! QuakeWorld's entities: the flag word that contains the number, model numbers of three widths, and the
//! lists of a packet.

use crate::context::{Context, CoordKind, Extensions};
use crate::qw::SpawnBaseline2;
use crate::rules::quakeworld::NEWEST;
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};
use std::fmt;

/// The flag word of an entity: 16 bits, then up to three more bytes.
///
/// On the wire the lower nine of the first 16 bits are the entity's number. Here the upper seven of them are
/// bits 0 to 6, and each further byte adds eight bits from bit 8 on.
///
/// ```
/// use moviola_format::{Context, Flags, PacketBits};
/// // A bit of the second byte requires the bit that announces that byte.
/// let flags = PacketBits::canonical(1 << 10, &Context::quakeworld());
/// assert_eq!(flags.bits(), 1 << 10 | 1 << 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PacketBits {
    bits: u32,
    /// The bits whose fields are on the wire.
    live: u32,
}

impl PacketBits {
    /// The packet removes the entity; no fields follow.
    pub const REMOVE: u32 = 1 << 5;
    const MORE: u32 = 1 << 6;
    /// The model's low byte is on the wire.
    pub(crate) const MODEL: u32 = 1 << 10;
    const EVEN_MORE: u32 = 1 << 15;
    const SCALE: u32 = 1 << 16;
    const TRANS: u32 = 1 << 17;
    const FATNESS: u32 = 1 << 18;
    /// The model's number is above 255: without `MODEL` 16 bits follow, with `MODEL` a byte to which 256 is
    /// added.
    pub(crate) const MODEL_DOUBLE: u32 = 1 << 19;
    const NUMBER_512: u32 = 1 << 21;
    const NUMBER_1024: u32 = 1 << 22;
    const YET_MORE: u32 = 1 << 23;
    const HEXEN2: u32 = 3 << 24;
    const COLOURMOD: u32 = 1 << 26;
    const DPFLAGS: u32 = 1 << 27;
    const TAGINFO: u32 = 1 << 28;
    /// The bits that announce no field: some extend the number, some announce another byte of flags.
    const NO_FIELDS: u32 = Self::MORE
        | Self::EVEN_MORE
        | Self::YET_MORE
        | Self::NUMBER_512
        | Self::NUMBER_1024
        | 1 << 14
        | 1 << 20
        | 1 << 31
        | 1 << 7;

    /// The bits whose fields are on the wire only if an extension was announced.
    const EXTENDED: [(u32, u32); 8] = [
        (Self::SCALE, Extensions::SCALE),
        (Self::TRANS, Extensions::TRANS),
        (Self::FATNESS, Extensions::FATNESS),
        (Self::MODEL_DOUBLE, Extensions::MODELDBL),
        (Self::HEXEN2, Extensions::HEXEN2),
        (Self::COLOURMOD, Extensions::COLOURMOD),
        (Self::DPFLAGS, Extensions::DPFLAGS),
        (Self::TAGINFO, Extensions::SETATTACHMENT),
    ];

    /// The bits whose fields are on the wire under these extensions.
    #[inline(always)]
    fn live(bits: u32, context: &Context) -> u32 {
        if bits & Self::REMOVE != 0 {
            return Self::REMOVE;
        }
        let mut live = bits & !Self::NO_FIELDS;
        if bits >> 16 != 0 {
            for (bit, extension) in Self::EXTENDED {
                if context.extensions.fte & extension == 0 {
                    live &= !bit;
                }
            }
        }
        live
    }

    /// Whether another byte of flags follows the bits read so far; `byte` counts the bytes after the first
    /// two.
    ///
    /// Engines disagree about a removed entity: `ezQuake` reads the first two of these bytes only if entities
    /// above 511 were announced, and never the third.
    #[inline(always)]
    fn has_next(bits: u32, byte: u32, context: &Context) -> bool {
        let removed = bits & Self::REMOVE != 0;
        match byte {
            0 => bits & Self::MORE != 0 && (!removed || context.extensions.fte & Extensions::ENTITYDBL != 0),
            1 => bits & Self::EVEN_MORE != 0 && context.extensions.has_longer_deltas(),
            _ => bits & Self::YET_MORE != 0 && !removed,
        }
    }

    /// Whether a field of the entity is on the wire.
    ///
    /// ```
    /// use moviola_format::{Context, Flags, PacketBits};
    /// assert!(PacketBits::canonical(1, &Context::quakeworld()).changes());
    /// ```
    pub fn changes(self) -> bool {
        self.live & !Self::REMOVE != 0
    }

    /// Whether the entity is removed.
    ///
    /// ```
    /// use moviola_format::{Context, Flags, PacketBits};
    /// assert!(PacketBits::canonical(PacketBits::REMOVE, &Context::quakeworld()).removes());
    /// ```
    pub fn removes(self) -> bool {
        self.bits & Self::REMOVE != 0
    }
}

impl<'a> Scalar<'a> for PacketBits {
    const MOST: usize = 5;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let word = u16::read(reader)?;
        reader.set_number(word & 0x1FF);
        let mut bits = u32::from(word >> 9);
        let context = reader.context();
        for byte in 0..3 {
            if !Self::has_next(bits, byte, context) {
                break;
            }
            bits |= u32::from(reader.byte()?) << (8 * byte + 8);
        }
        Ok(Self { bits, live: Self::live(bits, context) })
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.word((self.bits << 9) as u16);
        for byte in 0..3 {
            if !Self::has_next(self.bits, byte, writer.context()) {
                break;
            }
            writer.byte((self.bits >> (8 * byte + 8)) as u8);
        }
    }
}

impl Flags<'_> for PacketBits {
    #[inline(always)]
    fn bits(&self) -> u32 {
        self.bits
    }
    #[inline(always)]
    fn has(&self, bit: u32) -> bool {
        self.live & bit != 0
    }
    fn canonical(implied: u32, context: &Context) -> Self {
        let mut bits = implied;
        let fields_end = if context.extensions.has_longer_deltas() { 32 } else { 16 };
        if fields_end == 16 {
            bits &= 0xFFFF;
        }
        for (from, more) in [(24, Self::YET_MORE), (16, Self::EVEN_MORE), (8, Self::MORE)] {
            if bits >> from != 0 {
                bits |= more;
            }
        }
        Self { bits, live: Self::live(bits, context) }
    }
    fn exactly(bits: u32, context: &Context) -> Self {
        let mut sent = bits & 0x7F;
        for byte in 0..3 {
            if !Self::has_next(sent, byte, context) {
                break;
            }
            sent |= bits & (0xFF << (8 * byte + 8));
        }
        Self { bits: sent, live: Self::live(sent, context) }
    }
}

/// An entity's number: nine bits in the flag word, and two more if entities above 511 were announced.
///
/// ```
/// use moviola_format::{PacketNumber, qw::SpawnBaseline2};
/// assert_eq!(SpawnBaseline2::default().entity, PacketNumber(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PacketNumber(pub u16);

impl<'a> Scalar<'a> for PacketNumber {
    const MOST: usize = 0;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Ok(Self(reader.number() | ((reader.flags() >> 21 & 3) as u16) << 9))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.amend_word(self.0 & 0x1FF);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let most = if from.context().extensions.has_longer_deltas() { 2047 } else { 511 };
        from.int(0, most).map(|number| Self(number as u16))
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        bit | u32::from(self.0 >> 9) << 21
    }
}

/// A model's number of 8, 9 or 16 bits; two bits of the flag word decide which.
///
/// ```
/// use moviola_format::{PacketModel, qw::SpawnBaseline2};
/// assert_eq!(SpawnBaseline2::default().modelindex, PacketModel(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PacketModel(pub u16);

impl PacketModel {
    #[inline(always)]
    fn shape(flags: u32, context: &Context) -> (bool, bool) {
        let doubled =
            flags & PacketBits::MODEL_DOUBLE != 0 && context.extensions.fte & Extensions::MODELDBL != 0;
        (flags & PacketBits::MODEL != 0, doubled)
    }
}

impl<'a> Scalar<'a> for PacketModel {
    const MOST: usize = 2;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Ok(Self(match Self::shape(reader.flags(), reader.context()) {
            (false, true) => u16::read(reader)?,
            (_, doubled) => u16::from(reader.byte()?) + if doubled { 256 } else { 0 },
        }))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        match Self::shape(writer.flags(), writer.context()) {
            (false, true) => self.0.write(writer),
            _ => writer.byte(self.0 as u8),
        }
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let doubled = from.context().extensions.fte & Extensions::MODELDBL != 0;
        from.int(0, if doubled { 0xFFFF } else { 0xFF }).map(|number| Self(number as u16))
    }
    fn implied(&self, _: u32, _: &Context) -> u32 {
        match self.0 {
            0..=0xFF => PacketBits::MODEL,
            0x100..=0x1FF => PacketBits::MODEL | PacketBits::MODEL_DOUBLE,
            _ => PacketBits::MODEL_DOUBLE,
        }
    }
}

/// A coordinate of a player's or an entity's origin. An extension makes it a float while other coordinates
/// stay shorts.
///
/// ```
/// use moviola_format::{Coord, OriginCoord, qw::SpawnBaseline2};
/// assert_eq!(SpawnBaseline2::default().origin_x, OriginCoord(Coord::default()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OriginCoord(pub super::Coord);

impl<'a> Scalar<'a> for OriginCoord {
    const MOST: usize = 4;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let kind = reader.context().entity_coord;
        let raw = if kind == CoordKind::Short { i32::from(i16::read(reader)?) } else { i32::read(reader)? };
        Ok(Self(super::Coord::from_raw(kind, raw)))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        self.0.put(out);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        use crate::scalar::Unit;
        let kind = from.context().entity_coord;
        let raw = match kind {
            CoordKind::Short => from.fixed(Unit::Eighth, -0x8000, 0x7FFF)? as i32,
            _ => from.float()? as i32,
        };
        Ok(Self(super::Coord::from_raw(kind, raw)))
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        self.0.in_lmpc(context)
    }
}

/// The entities of a packet in their wire form; two zero bytes end them.
///
/// ```
/// use moviola_format::{Context, PacketList, Reader, Scalar};
/// let context = Context::quakeworld();
/// // Entity 5 is removed.
/// let list = PacketList::<false>::read(&mut Reader::new(&[5, 0x40, 0, 0], &context)).unwrap();
/// let entities: Vec<_> = list.iter().map(|it| (it.entity.0, it.flags.removes())).collect();
/// assert_eq!(entities, [(5, true)]);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PacketList<'a, const DELTA: bool> {
    records: &'a [u8],
    extensions: Extensions,
}

impl<'a, const DELTA: bool> PacketList<'a, DELTA> {
    const RECORD: ValuePart = ValuePart::new(
        if DELTA { "deltapacketentity" } else { "packetentity" },
        "An entity; its fields are those of `spawnbaseline2`.",
    );
    const END: [u8; 2] = [0; 2];

    /// The context in which `iter` parses the records again.
    fn context(extensions: Extensions) -> Context {
        let mut context = Context::quakeworld();
        context.set_quakeworld_protocol(NEWEST, extensions);
        context
    }

    /// The entities.
    pub fn iter(&self) -> impl Iterator<Item = SpawnBaseline2> + use<'a, DELTA> {
        let (mut rest, context) = (self.records, Self::context(self.extensions));
        std::iter::from_fn(move || {
            let mut reader = Reader::new(rest, &context);
            let entity = SpawnBaseline2::build(&mut reader).ok()?;
            rest = reader.rest();
            Some(entity)
        })
    }

    /// The entities in their wire form, without the two zero bytes.
    pub fn wire(&self) -> &'a [u8] {
        self.records
    }
}

impl<const DELTA: bool> fmt::Debug for PacketList<'_, DELTA> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, const DELTA: bool> Scalar<'a> for PacketList<'a, DELTA> {
    const PARTS: &'static [ValuePart] = &[Self::RECORD];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        let extensions = reader.context().extensions;
        while !reader.rest().starts_with(&Self::END) {
            SpawnBaseline2::build(reader)?;
        }
        let records = reader.since(start);
        reader.chunk::<2>()?;
        Ok(Self { records, extensions })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.records);
        writer.bytes(&Self::END);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        let context = Self::context(self.extensions);
        let mut reader = Reader::new(self.records, &context);
        out.records(Self::RECORD.name, &mut reader, |_: &SpawnBaseline2| false);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let (mut bytes, context) = (Vec::new(), *from.context());
        let fits = |_: &SpawnBaseline2, bytes: &[u8]| {
            if bytes.starts_with(&Self::END) {
                return Err((None, "entity 0 without fields would end the list"));
            }
            Ok(())
        };
        while from.wire(Self::RECORD.name, &mut bytes, &context, fits)? {}
        Ok(Self { records: from.keep(&bytes), extensions: context.extensions })
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        // LMPC prints changes, but its compiler refuses a list with any.
        !DELTA || self.records.is_empty()
    }
    fn bare(&self) -> bool {
        false
    }
}
