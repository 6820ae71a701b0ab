//! The kinds of value of the entities of FTE's form of Quake and of `DarkPlaces`, which contain only the changes since
//! an earlier frame.

use super::number::line;
use super::space::{Angle, Coord};
use crate::context::{AngleKind, Context, CoordKind};
use crate::scalar::{Field, Flags, Scalar, Unit, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The flag word of such an entity: a byte, and up to three more that bits 7, 15 and 23 announce.
///
/// The highest bit is never sent. Here it stands for a removed entity, which the wire marks with bit 15 of the
/// entity's number. `SPARE` are bits that engines refuse.
///
/// ```
/// use moviola_format::{Context, DeltaBits, Flags};
/// let flags = DeltaBits::<0>::canonical(1 << 16, &Context::quake());
/// assert_eq!(flags.bits(), 1 << 16 | 1 << 15 | 1 << 7);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeltaBits<const SPARE: u32>(pub u32);

impl<const SPARE: u32> DeltaBits<SPARE> {
    /// The entity is removed.
    pub const REMOVE: u32 = 1 << 31;
    /// The bits that announce another byte, and the first bit of that byte.
    const MORE: [(u32, u32); 3] = [(1 << 7, 8), (1 << 15, 16), (1 << 23, 24)];
}

impl<'a, const SPARE: u32> Scalar<'a> for DeltaBits<SPARE> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if reader.number() != 0 {
            return Ok(Self(Self::REMOVE));
        }
        let mut bits = u32::from(reader.byte()?);
        for (more, shift) in Self::MORE {
            if bits & more == 0 {
                break;
            }
            bits |= u32::from(reader.byte()?) << shift;
        }
        if bits & (SPARE | Self::REMOVE) != 0 {
            return Err(reader.stop_behind(FaultKind::Value((bits >> 24) as u8)));
        }
        Ok(Self(bits))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if self.0 & Self::REMOVE != 0 {
            return writer.amend_word(1 << 15);
        }
        writer.byte(self.0 as u8);
        for (more, shift) in Self::MORE {
            if self.0 & more == 0 {
                break;
            }
            writer.byte((self.0 >> shift) as u8);
        }
    }
}

impl<const SPARE: u32> Flags<'_> for DeltaBits<SPARE> {
    fn bits(&self) -> u32 {
        self.0
    }
    fn canonical(implied: u32, _: &Context) -> Self {
        if implied & Self::REMOVE != 0 {
            return Self(Self::REMOVE);
        }
        let mut bits = implied;
        for (more, shift) in Self::MORE.into_iter().rev() {
            if bits >> shift != 0 {
                bits |= more;
            }
        }
        Self(bits)
    }
    fn exactly(bits: u32, _: &Context) -> Self {
        if bits & Self::REMOVE != 0 {
            return Self(Self::REMOVE);
        }
        let mut sent = bits & 0xFF;
        for (more, shift) in Self::MORE {
            if sent & more == 0 {
                break;
            }
            sent |= bits & (0xFF << shift);
        }
        Self(sent & !SPARE)
    }
}

/// The number of an entity in a list of `DarkPlaces`; on the wire its highest bit removes the entity.
///
/// ```
/// use moviola_format::{ListedEntity, deltas::DarkPlacesEntity};
/// assert_eq!(DarkPlacesEntity::default().entity, ListedEntity(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListedEntity(pub u16);

impl<'a> Scalar<'a> for ListedEntity {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let word = u16::read(reader)?;
        reader.set_number(word >> 15);
        Ok(Self(word & 0x7FFF))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.word(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        from.int(0, 0x7FFF).map(|number| Self(number as u16))
    }
}

/// The number of an entity in FTE's list: 14 bits, or 22. A baseline and a static thing have none here.
///
/// ```
/// use moviola_format::{DeltaEntity, deltas::FteEntity};
/// assert_eq!(FteEntity::default().entity, DeltaEntity(None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeltaEntity(pub Option<u32>);

impl DeltaEntity {
    /// The bit for a number of 22 bits.
    const LONG: u16 = 1 << 14;
    /// The greatest number.
    pub(crate) const MOST_NUMBER: u32 = (1 << 22) - 1;
}

impl<'a> Scalar<'a> for DeltaEntity {
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.set_number(0);
        if !reader.listed() {
            return Ok(Self(None));
        }
        let word = u16::read(reader)?;
        reader.set_number(word >> 15);
        let mut number = u32::from(word & (Self::LONG - 1));
        if word & Self::LONG != 0 {
            let high = reader.byte()?;
            if high == 0 {
                // A server would have sent the short form.
                return Err(reader.stop_behind(FaultKind::Value(high)));
            }
            number |= u32::from(high) << 14;
        }
        Ok(Self(Some(number)))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        match self.0 {
            Some(number @ 0..0x4000) => writer.word(number as u16),
            Some(number) => {
                writer.word(number as u16 & (Self::LONG - 1) | Self::LONG);
                writer.byte((number >> 14) as u8);
            }
            None => {}
        }
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        if let Some(number) = self.0 {
            out.line(field.name, field.meaning);
            out.int(i64::from(number));
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        if !from.has(field.name) {
            return Ok(Self(None));
        }
        from.line(field.name)?;
        let number = from.int(0, i64::from(Self::MOST_NUMBER))? as u32;
        from.end()?;
        Ok(Self(Some(number)))
    }
}

/// An entity's number outside of lists: 16 bits, or up to 23 with FTE's entities.
///
/// ```
/// use moviola_format::{WideEntity, TagInfo};
/// assert_eq!(TagInfo::default().entity, WideEntity(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WideEntity(pub u32);

impl<'a> Scalar<'a> for WideEntity {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let word = u32::from(u16::read(reader)?);
        if word & 0x8000 == 0 || !reader.context().replaces_updates() {
            return Ok(Self(word));
        }
        let number = (word & 0x7FFF) << 8 | u32::from(reader.byte()?);
        if number < 0x8000 {
            // A server would have sent the short form.
            return Err(reader.stop_behind(FaultKind::Value(number as u8)));
        }
        Ok(Self(number))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if self.0 < 0x8000 || !writer.context().replaces_updates() {
            return (self.0 as u16).write(writer);
        }
        ((self.0 >> 8) as u16 | 0x8000).write(writer);
        writer.byte(self.0 as u8);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let most = if from.context().replaces_updates() { 0x7F_FFFF } else { 0xFFFF };
        from.int(0, most).map(|number| Self(number as u32))
    }
}

/// The entity to which another one is attached, and the part of it.
///
/// ```
/// use moviola_format::deltas::DarkPlacesEntity;
/// assert_eq!(DarkPlacesEntity::default().attachment.index, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TagInfo {
    /// The entity.
    pub entity: WideEntity,
    /// The part.
    pub index: u8,
}

impl<'a> Scalar<'a> for TagInfo {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Ok(Self { entity: Scalar::read(reader)?, index: reader.byte()? })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.entity.write(writer);
        writer.byte(self.index);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        self.entity.put(out);
        out.int(i64::from(self.index));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        Ok(Self { entity: Scalar::take(from)?, index: from.int(0, 0xFF)? as u8 })
    }
}

/// The effects of an entity in 8, 16 or 32 bits; flags decide, differently with FTE and with `DarkPlaces`.
///
/// ```
/// use moviola_format::{Context, Scalar, SizedEffects};
/// // DarkPlaces: 16 bits need bit 19 beside bit 6.
/// assert_eq!(SizedEffects::<false>(0x100).implied(0, &Context::quake()), 1 << 6 | 1 << 19);
/// // FTE: 16 bits are bit 29 alone.
/// assert_eq!(SizedEffects::<true>(0x100).implied(0, &Context::quake()), 1 << 29);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SizedEffects<const FTE: bool>(pub u32);

impl<const FTE: bool> SizedEffects<FTE> {
    /// The flags for 8, 16 and 32 bits.
    const FORMS: [u32; 3] =
        if FTE { [1 << 5, 1 << 29, 1 << 5 | 1 << 29] } else { [1 << 6, 1 << 6 | 1 << 19, 1 << 6 | 1 << 20] };

    fn width(flags: u32) -> usize {
        let has = |form: u32| flags & form == form;
        let [_, short, long] = Self::FORMS;
        if has(long) {
            4
        } else if has(short) {
            2
        } else {
            1
        }
    }
}

impl<'a, const FTE: bool> Scalar<'a> for SizedEffects<FTE> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let width = Self::width(reader.flags());
        let bytes = reader.slice(width)?;
        Ok(Self(bytes.iter().rev().fold(0, |effects, byte| effects << 8 | u32::from(*byte))))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let width = Self::width(writer.flags());
        writer.bytes(self.0.to_le_bytes().get(..width).unwrap_or_default());
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        from.int(0, i64::from(u32::MAX)).map(|effects| Self(effects as u32))
    }
    fn implied(&self, _: u32, _: &Context) -> u32 {
        let [byte, short, long] = Self::FORMS;
        match self.0 {
            0..=0xFF => byte,
            0x100..=0xFFFF => short,
            _ => long,
        }
    }
}

/// A place of an entity of `DarkPlaces`: three coordinates in eighths, or three floats.
///
/// ```
/// use moviola_format::{Context, CoordKind, DarkPlacesOrigin, Coord, Scalar};
/// let at = DarkPlacesOrigin([Coord::nearest(CoordKind::Float, 1.0); 3]);
/// assert_eq!(at.implied(1 << 1, &Context::quake()), 1 << 1 | 1 << 11);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DarkPlacesOrigin(pub [Coord; 3]);

impl DarkPlacesOrigin {
    const FINE: u32 = 1 << 11;
    const SHORT: ValuePart = ValuePart::new("origin", "Where it is, in eighths of a unit.");
    const FLOAT: ValuePart = ValuePart::new("origin32", "Where it is, as floats.");

    fn is_fine(&self) -> bool {
        self.0.iter().any(|coord| coord.kind() == CoordKind::Float)
    }
}

impl<'a> Scalar<'a> for DarkPlacesOrigin {
    const PARTS: &'static [ValuePart] = &[Self::SHORT, Self::FLOAT];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut it = Self::default();
        let fine = reader.flags() & Self::FINE != 0;
        for coord in &mut it.0 {
            *coord = if fine {
                Coord::from_raw(CoordKind::Float, i32::read(reader)?)
            } else {
                Coord::from_raw(CoordKind::Short, i32::from(i16::read(reader)?))
            };
        }
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, if self.is_fine() { &Self::FLOAT } else { &Self::SHORT }, self.0);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let fine = from.has(Self::FLOAT.name);
        from.line(if fine { Self::FLOAT.name } else { Self::SHORT.name })?;
        let mut it = Self::default();
        for coord in &mut it.0 {
            *coord = if fine {
                Coord::from_raw(CoordKind::Float, from.float()? as i32)
            } else {
                Coord::from_raw(CoordKind::Short, from.fixed(Unit::Eighth, -0x8000, 0x7FFF)? as i32)
            };
        }
        from.end()?;
        Ok(it)
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        if self.is_fine() { bit | Self::FINE } else { bit }
    }
}

/// The direction of an entity of `DarkPlaces`, in angles of 8 or 16 bits.
///
/// ```
/// use moviola_format::{DarkPlacesAngles, deltas::DarkPlacesEntity};
/// assert_eq!(DarkPlacesEntity::default().angles, DarkPlacesAngles::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DarkPlacesAngles(pub [Angle; 3]);

impl DarkPlacesAngles {
    const FINE: u32 = 1 << 12;
    const BYTES: ValuePart = ValuePart::new("angles", "Pitch, yaw and roll, in 8 bits each.");
    const SHORTS: ValuePart = ValuePart::new("angles16", "Pitch, yaw and roll, in 16 bits each.");

    fn kind(fine: bool) -> AngleKind {
        if fine { AngleKind::Short } else { AngleKind::Byte }
    }

    fn is_fine(&self) -> bool {
        self.0.iter().any(|angle| angle.kind() == AngleKind::Short)
    }
}

impl<'a> Scalar<'a> for DarkPlacesAngles {
    const PARTS: &'static [ValuePart] = &[Self::BYTES, Self::SHORTS];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut it = Self::default();
        let kind = Self::kind(reader.flags() & Self::FINE != 0);
        for angle in &mut it.0 {
            *angle = Angle::read_as(kind, reader)?;
        }
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, if self.is_fine() { &Self::SHORTS } else { &Self::BYTES }, self.0);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let fine = from.has(Self::SHORTS.name);
        from.line(if fine { Self::SHORTS.name } else { Self::BYTES.name })?;
        let mut it = Self::default();
        for angle in &mut it.0 {
            *angle = Angle::take_as(Self::kind(fine), from)?;
        }
        from.end()?;
        Ok(it)
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        if self.is_fine() { bit | Self::FINE } else { bit }
    }
}

/// Kinds of value that are bytes of which only the length is understood.
macro_rules! measured { ($( $(#[doc = $about:literal])* $name:ident = $measure:ident, )*) => { $(
    $(#[doc = $about])*
    ///
    /// ```
    #[doc = concat!("assert!(moviola_format::", stringify!($name), "::default().0.is_empty());")]
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct $name<'a>(pub &'a [u8]);

    impl<'a> Scalar<'a> for $name<'a> {
        fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
            let first = reader.peek().unwrap_or_default();
            match $measure(reader.rest()) {
                Some(length) => reader.slice(length).map(Self),
                None if reader.is_empty() => Err(reader.end()),
                None => Err(reader.stop(FaultKind::Value(first))),
            }
        }
        fn write(&self, writer: &mut Writer<'_>) {
            writer.bytes(self.0);
        }
        fn put<S: ValueSink<'a>>(&self, out: &mut S) {
            out.data(self.0);
        }
        fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
            let bytes = from.data()?;
            if $measure(bytes) != Some(bytes.len()) {
                return Err(from.refuse("the first bytes do not announce this many"));
            }
            Ok(Self(bytes))
        }
    }
)* } }

measured! {
    /// The animation of an entity of `DarkPlaces`: up to four frames that are blended, or a skeleton.
    Animation = animation,
    /// The skeleton of an entity of FTE.
    BoneData = bone_data,
    /// How an entity of FTE is drawn, and its brightness if that is fixed.
    DrawFlags = draw_flags,
    /// The trail of an entity of FTE, and the particles that it emits.
    TrailEffect = trail_effect,
}

/// The size of the pose of one bone.
const BONE: usize = 14;

fn animation(bytes: &[u8]) -> Option<usize> {
    match bytes {
        // A frame and its age, without a share of the blend.
        [0, ..] => Some(5),
        // Each frame has 16 bits for its number, 16 for its age, and 8 for its share.
        [kind @ 1..=3, ..] => Some(1 + 5 * (usize::from(*kind) + 1)),
        [4, _, _, bones, ..] => Some(4 + BONE * usize::from(*bones)),
        _ => None,
    }
}

fn bone_data(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.first()?;
    let base = if flags & 0x40 == 0 { 0 } else { 3 };
    match flags & 0xBF {
        0 => Some(1 + base),
        0x80 => Some(2 + BONE * usize::from(*bytes.get(1)?) + base),
        _ => None,
    }
}

fn draw_flags(bytes: &[u8]) -> Option<usize> {
    Some(if bytes.first()? & 7 == 7 { 2 } else { 1 })
}

fn trail_effect(bytes: &[u8]) -> Option<usize> {
    Some(if bytes.get(1)? & 0x80 == 0 { 2 } else { 4 })
}
