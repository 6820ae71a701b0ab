//! Positions and angles, in the widths in which the protocol sends them.

use super::number::{line, take_part};
use super::temp::te;
use crate::context::{AngleKind, Context, CoordKind};
use crate::scalar::{Field, Scalar, Unit, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};

macro_rules! of_some_width {
    ($name:ident $kind:ident) => {
        impl $name {
            /// A value of a given width from its raw bits.
            pub const fn from_raw(kind: $kind, raw: i32) -> Self {
                Self { kind, raw: raw.to_le_bytes() }
            }

            /// The encoding in which it is sent.
            #[inline]
            pub const fn kind(self) -> $kind {
                self.kind
            }

            /// The raw bits.
            #[inline]
            pub const fn raw(self) -> i32 {
                i32::from_le_bytes(self.raw)
            }
        }
    };
}

/// A coordinate as sent: the width and the raw bits.
///
/// ```
/// use moviola_format::{Coord, CoordKind};
/// let x = Coord::nearest(CoordKind::Short, 100.1);
/// assert_eq!((x.kind(), x.raw(), x.value()), (CoordKind::Short, 801, 100.125));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Coord {
    kind: CoordKind,
    raw: [u8; 4],
}

of_some_width! { Coord CoordKind }

impl Coord {
    /// The coordinate in units of the game.
    ///
    /// ```
    /// use moviola_format::{Coord, CoordKind};
    /// assert_eq!(Coord::from_raw(CoordKind::Short, -12).value(), -1.5);
    /// ```
    pub fn value(self) -> f64 {
        let raw = self.raw();
        match self.kind {
            CoordKind::Short => Unit::Eighth.value(i64::from(raw)),
            CoordKind::Long => Unit::Sixteenth.value(i64::from(raw)),
            CoordKind::Mixed => f64::from(raw >> 8) + f64::from(raw & 0xFF) / 255.0,
            CoordKind::Float => f64::from(f32::from_bits(raw as u32)),
        }
    }

    /// The nearest coordinate that this width can express.
    pub fn nearest(kind: CoordKind, value: f64) -> Self {
        let raw = match kind {
            CoordKind::Short => (value * 8.0).round().clamp(-32768.0, 32767.0) as i32,
            CoordKind::Long => (value * 16.0).round() as i32,
            CoordKind::Mixed => mixed(value),
            CoordKind::Float => (value as f32).to_bits() as i32,
        };
        Self::from_raw(kind, raw)
    }
}

/// Whole units and 255ths; 255 of them are the next unit.
fn mixed(value: f64) -> i32 {
    let parts = (value.clamp(-32768.0, 32767.0) * 255.0).round() as i32;
    parts.div_euclid(255) << 8 | parts.rem_euclid(255)
}

impl<'a> Scalar<'a> for Coord {
    const MOST: usize = 2;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let kind = reader.context().coord;
        if kind == CoordKind::Short {
            return i16::read(reader).map(|raw| Self::from_raw(kind, i32::from(raw)));
        }
        let raw = match kind {
            CoordKind::Mixed => {
                let [low, high, part] = reader.array()?;
                i32::from(i16::from_le_bytes([low, high])) << 8 | i32::from(part)
            }
            _ => i32::read(reader)?,
        };
        Ok(Self::from_raw(kind, raw))
    }
    #[inline(always)]
    fn read_if(reader: &mut Reader<'a, '_>, present: bool) -> Result<Self, Stop> {
        if reader.context().coord == CoordKind::Short {
            return i16::read_if(reader, present).map(|raw| Self::from_raw(CoordKind::Short, i32::from(raw)));
        }
        if present { Self::read(reader) } else { Ok(Self::default()) }
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        let raw = self.raw();
        match self.kind {
            CoordKind::Short => (raw as i16).write(writer),
            CoordKind::Mixed => {
                ((raw >> 8) as i16).write(writer);
                writer.byte(raw as u8);
            }
            CoordKind::Long | CoordKind::Float => raw.write(writer),
        }
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        let raw = self.raw();
        match self.kind {
            CoordKind::Short => out.fixed(i64::from(raw), Unit::Eighth),
            CoordKind::Long => out.fixed(i64::from(raw), Unit::Sixteenth),
            CoordKind::Mixed => out.mixed(raw),
            CoordKind::Float => out.float(raw as u32),
        }
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let kind = from.context().coord;
        let raw = match kind {
            CoordKind::Short => from.fixed(Unit::Eighth, -0x8000, 0x7FFF)? as i32,
            CoordKind::Long => from.fixed(Unit::Sixteenth, i64::from(i32::MIN), i64::from(i32::MAX))? as i32,
            CoordKind::Mixed => from.mixed()?,
            CoordKind::Float => from.float()? as i32,
        };
        Ok(Self::from_raw(kind, raw))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.kind == CoordKind::Short
    }
}

/// An angle as sent: the width and the raw bits.
///
/// ```
/// use moviola_format::{Angle, AngleKind};
/// let left = Angle::from_raw(AngleKind::Byte, 64);
/// assert_eq!((left.kind(), left.raw(), left.value()), (AngleKind::Byte, 64, 90.0));
/// assert_eq!(Angle::nearest(AngleKind::Byte, 90.4), left);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Angle {
    kind: AngleKind,
    raw: [u8; 4],
}

of_some_width! { Angle AngleKind }

impl Angle {
    /// The angle in degrees.
    pub fn value(self) -> f64 {
        let raw = self.raw();
        match self.kind {
            AngleKind::Byte => Unit::Degrees256.value(i64::from(raw)),
            AngleKind::Short => Unit::Degrees65536.value(i64::from(raw)),
            AngleKind::Float => f64::from(f32::from_bits(raw as u32)),
        }
    }

    /// The nearest angle that this width can express.
    pub fn nearest(kind: AngleKind, value: f64) -> Self {
        let raw = match kind {
            AngleKind::Byte => i32::from(Unit::Degrees256.nearest(value) as i8),
            AngleKind::Short => i32::from(Unit::Degrees65536.nearest(value) as i16),
            AngleKind::Float => (value as f32).to_bits() as i32,
        };
        Self::from_raw(kind, raw)
    }

    #[inline(always)]
    pub(crate) fn read_as(kind: AngleKind, reader: &mut Reader<'_, '_>) -> Result<Self, Stop> {
        let raw = match kind {
            AngleKind::Byte => i32::from(i8::read(reader)?),
            AngleKind::Short => i32::from(i16::read(reader)?),
            AngleKind::Float => i32::read(reader)?,
        };
        Ok(Self::from_raw(kind, raw))
    }

    #[inline(always)]
    pub(crate) fn take_as<'a, A: ValueSource<'a>>(kind: AngleKind, from: &mut A) -> Result<Self, A::Error> {
        let raw = match kind {
            AngleKind::Byte => from.angle(Unit::Degrees256, 8)? as i32,
            AngleKind::Short => from.angle(Unit::Degrees65536, 16)? as i32,
            AngleKind::Float => from.float()? as i32,
        };
        Ok(Self::from_raw(kind, raw))
    }
}

impl<'a> Scalar<'a> for Angle {
    const MOST: usize = 1;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Self::read_as(reader.context().angle, reader)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        let raw = self.raw();
        match self.kind {
            AngleKind::Byte => writer.byte(raw as u8),
            AngleKind::Short => (raw as i16).write(writer),
            AngleKind::Float => raw.write(writer),
        }
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        let raw = self.raw();
        match self.kind {
            AngleKind::Byte => out.fixed(i64::from(raw), Unit::Degrees256),
            AngleKind::Short => out.fixed(i64::from(raw), Unit::Degrees65536),
            AngleKind::Float => out.float(raw as u32),
        }
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let kind = from.context().angle;
        Self::take_as(kind, from)
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.kind == AngleKind::Byte
    }
}

/// An angle of an entity update: protocol 668 sends these, and only these, as 16 bits.
///
/// ```
/// use moviola_format::{Angle, AngleKind, EntityAngle};
/// let angle = EntityAngle(Angle::from_raw(AngleKind::Short, 0x2000));
/// assert_eq!(angle.0.value(), 45.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EntityAngle(pub Angle);

impl<'a> Scalar<'a> for EntityAngle {
    const MOST: usize = 1;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Angle::read_as(reader.context().entity_angle, reader).map(Self)
    }
    #[inline(always)]
    fn read_if(reader: &mut Reader<'a, '_>, present: bool) -> Result<Self, Stop> {
        if reader.context().entity_angle == AngleKind::Byte {
            return i8::read_if(reader, present)
                .map(|raw| Self(Angle::from_raw(AngleKind::Byte, i32::from(raw))));
        }
        if present { Self::read(reader) } else { Ok(Self::default()) }
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        self.0.put(out);
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let kind = from.context().entity_angle;
        Angle::take_as(kind, from).map(Self)
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        self.0.in_lmpc(context)
    }
}

/// A Quake II angle of 8 bits.
///
/// ```
/// use moviola_format::Angle8;
/// assert_eq!(Angle8::nearest(90.0), Angle8(64));
/// assert_eq!(Angle8(-64).value(), -90.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Angle8(pub i8);

/// A Quake II angle of 16 bits.
///
/// ```
/// use moviola_format::Angle16;
/// assert_eq!(Angle16::nearest(90.0), Angle16(0x4000));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Angle16(pub i16);

macro_rules! angles { ($($name:ident $raw:ty, $unit:ident $bits:literal)*) => { $(
    impl $name {
        /// The angle in degrees.
        pub fn value(self) -> f64 {
            Unit::$unit.value(i64::from(self.0))
        }
        /// The nearest angle; a full turn becomes 0.
        pub fn nearest(value: f64) -> Self {
            Self(Unit::$unit.nearest(value) as $raw)
        }
    }
    impl<'a> Scalar<'a> for $name {
        #[inline(always)]
        fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
            <$raw>::read(reader).map(Self)
        }
        #[inline(always)]
        fn write(&self, writer: &mut Writer<'_>) {
            self.0.write(writer);
        }
        #[inline(always)]
        fn put<S: ValueSink<'a>>(&self, out: &mut S) {
            out.fixed(i64::from(self.0), Unit::$unit);
        }
        #[inline(always)]
        fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
            from.angle(Unit::$unit, $bits).map(|raw| Self(raw as $raw))
        }
    }
)* } }
angles!(Angle8 i8, Degrees256 8 Angle16 i16, Degrees65536 16);

/// The position and angles of a baseline or a static entity, which the wire interleaves.
///
/// ```
/// use moviola_format::dem::SpawnStatic;
/// let torch = SpawnStatic::default();
/// assert_eq!(torch.place.origin[2].value(), 0.0);
/// assert_eq!(torch.place.angles[1].value(), 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The position.
    pub origin: [Coord; 3],
    /// The angles.
    pub angles: [Angle; 3],
}

impl Placement {
    pub(crate) const ORIGIN: ValuePart = ValuePart::new("default_origin", "Where it is.");
    pub(crate) const ANGLES: ValuePart = ValuePart::new("default_angles", "How it is turned.");
}

impl<'a> Scalar<'a> for Placement {
    const MOST: usize = 9;

    const PARTS: &'static [ValuePart] = &[Self::ORIGIN, Self::ANGLES];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut it = Self::default();
        for (coord, angle) in it.origin.iter_mut().zip(&mut it.angles) {
            *coord = Coord::read(reader)?;
            *angle = Angle::read(reader)?;
        }
        Ok(it)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        for (coord, angle) in self.origin.iter().zip(&self.angles) {
            coord.write(writer);
            angle.write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::ORIGIN, self.origin);
        line(out, &Self::ANGLES, self.angles);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        Ok(Self { origin: take_part(from, &Self::ORIGIN)?, angles: take_part(from, &Self::ANGLES)? })
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        self.origin.in_lmpc(context) && self.angles.in_lmpc(context)
    }
}

/// The end of a line; a colored explosion of Nehahra has its color there instead.
///
/// ```
/// use moviola_format::dem::TempEntity;
/// let bolt = TempEntity::default();
/// assert!(!bolt.trace_endpos.is_color);
/// assert_eq!(bolt.trace_endpos.parts[0].value(), 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EndPos {
    /// The position, or red, green and blue.
    pub parts: [Coord; 3],
    /// Whether it is a color.
    pub is_color: bool,
}

impl EndPos {
    const END: ValuePart = ValuePart::new("trace_endpos", "Where a line ends.");
    const RGB: ValuePart = ValuePart::new("rgb", "Red, green and blue (Nehahra).");
}

impl<'a> Scalar<'a> for EndPos {
    const PARTS: &'static [ValuePart] = &[Self::END, Self::RGB];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let is_color = reader.flags() & te::RGB != 0;
        Ok(Self { parts: Scalar::read(reader)?, is_color })
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        self.parts.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, if self.is_color { &Self::RGB } else { &Self::END }, self.parts);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let is_color = from.wants(te::RGB);
        Ok(Self { parts: take_part(from, if is_color { &Self::RGB } else { &Self::END })?, is_color })
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        !self.is_color && self.parts.in_lmpc(context)
    }
}
