//! Plain numbers: integers, floats by their bits, bytes that count in some unit, and flags that carry no data.

use crate::context::Context;
use crate::scalar::{Flags, Scalar, Unit, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};

macro_rules! integers { ($($int:ty)*) => { $(
    impl<'a> Scalar<'a> for $int {
        const MOST: usize = size_of::<$int>();

        #[inline(always)]
        fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
            reader.array().map(<$int>::from_le_bytes)
        }
        #[inline(always)]
        fn read_if(reader: &mut Reader<'a, '_>, present: bool) -> Result<Self, Stop> {
            let raw = reader.array_if(present).map(<$int>::from_le_bytes)?;
            Ok(raw & (0 as $int).wrapping_sub(<$int>::from(present)))
        }
        #[inline(always)]
        fn write(&self, writer: &mut Writer<'_>) {
            writer.array(self.to_le_bytes());
        }
        #[inline(always)]
        fn put<S: ValueSink<'a>>(&self, out: &mut S) {
            out.int(i64::from(*self));
        }
        #[inline(always)]
        fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
            from.int(i64::from(<$int>::MIN), i64::from(<$int>::MAX)).map(|value| value as $int)
        }
    }
)* } }
integers!(u8 i8 u16 i16 u32 i32);

impl<'a, T: Scalar<'a>, const N: usize> Scalar<'a> for [T; N]
where
    [T; N]: Default,
{
    const MOST: usize = N * T::MOST;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut all = Self::default();
        for one in &mut all {
            *one = T::read(reader)?;
        }
        Ok(all)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        for one in self {
            one.write(writer);
        }
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        for one in self {
            one.put(out);
        }
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let mut all = Self::default();
        for one in &mut all {
            *one = T::take(from)?;
        }
        Ok(all)
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        self.iter().all(|one| one.in_lmpc(context))
    }
}

macro_rules! units { ($( $(#[doc = $about:literal])* $name:ident($raw:ty) $unit:ident )*) => { $(
    $(#[doc = $about])*
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct $name(pub $raw);

    impl $name {
        /// The number that the raw value stands for.
        pub fn value(self) -> f64 {
            Unit::$unit.value(i64::from(self.0))
        }
        /// The value nearest to a number; a number outside the range becomes the end of the range.
        pub fn nearest(value: f64) -> Self {
            Self(Unit::$unit.nearest(value).clamp(i64::from(<$raw>::MIN), i64::from(<$raw>::MAX)) as $raw)
        }
    }

    impl<'a> Scalar<'a> for $name {
        const MOST: usize = size_of::<$raw>();

        #[inline(always)]
        fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
            <$raw>::read(reader).map(Self)
        }
        #[inline(always)]
        fn read_if(reader: &mut Reader<'a, '_>, present: bool) -> Result<Self, Stop> {
            <$raw>::read_if(reader, present).map(Self)
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
            let raw = from.fixed(Unit::$unit, i64::from(<$raw>::MIN), i64::from(<$raw>::MAX))?;
            Ok(Self(raw as $raw))
        }
    }
)* } }

units! {
    /// A signed byte that the documents show as a float.
    Whole(i8) Whole
    /// A signed byte in quarters: offsets of the Quake II view and gun.
    Quarters(i8) Quarter
    /// A signed byte in sixteenths: a particle's direction.
    Sixteenths(i8) Sixteenth
    /// A volume or a part of a color blend: 255 is 1.
    Volume(u8) Part255
    /// An attenuation, how fast a sound fades with distance: 64 is 1.
    Attenuation(u8) SixtyFourth
    /// A Quake II sound's delay in thousandths of a second.
    Thousandths(u8) Thousandth
    /// A Quake II coordinate in eighths.
    Short8(i16) Eighth
}

macro_rules! floats { ($( $(#[doc = $doc:literal])* $name:ident $medium:ident, )*) => { $(
    $(#[doc = $doc])*
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct $name(pub u32);

    impl $name {
        /// The number that the bits encode.
        pub fn value(self) -> f32 {
            f32::from_bits(self.0)
        }
        /// The bits of a number.
        pub fn new(value: f32) -> Self {
            Self(value.to_bits())
        }
    }

    impl<'a> Scalar<'a> for $name {
        const MOST: usize = 4;

        #[inline(always)]
        fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
            u32::read(reader).map(Self)
        }
        #[inline(always)]
        fn write(&self, writer: &mut Writer<'_>) {
            self.0.write(writer);
        }
        #[inline(always)]
        fn put<S: ValueSink<'a>>(&self, out: &mut S) {
            out.$medium(self.0);
        }
        #[inline(always)]
        fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
            from.$medium().map(Self)
        }
    }
)* } }

floats! {
    /// A float, carried as its bits so that not-a-number and minus zero come back.
    ///
    /// ```
    /// use moviola_format::Float;
    /// assert_eq!(Float::new(-0.0).0, 0x8000_0000);
    /// assert_eq!(Float(0x3fc0_0000).value(), 1.5);
    /// ```
    Float float,
    /// A time in seconds: a float that a text shows with its unit.
    ///
    /// ```
    /// use moviola_format::Seconds;
    /// assert_eq!(Seconds::new(12.5).value(), 12.5);
    /// ```
    Seconds seconds,
}

/// A bit of the flag word that needs no further data.
///
/// ```
/// use moviola_format::{Mark, Scalar};
/// assert_eq!(Mark::MOST, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark;

impl<'a> Scalar<'a> for Mark {
    const MOST: usize = 0;

    #[inline(always)]
    fn read(_: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Ok(Self)
    }
    #[inline(always)]
    fn write(&self, _: &mut Writer<'_>) {}
}

/// A flag word of one byte without extensions.
///
/// ```
/// use moviola_format::{Bits8, Flags};
/// assert!(Bits8(0x41).has(0x40));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits8(pub u8);

impl<'a> Scalar<'a> for Bits8 {
    const MOST: usize = 1;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
}

impl Flags<'_> for Bits8 {
    #[inline(always)]
    fn bits(&self) -> u32 {
        u32::from(self.0)
    }
    #[inline(always)]
    fn canonical(implied: u32, _: &Context) -> Self {
        Self(implied as u8)
    }
    fn exactly(bits: u32, _: &Context) -> Self {
        Self(bits as u8)
    }
}

/// A flag word of two bytes without extensions.
///
/// ```
/// use moviola_format::{Bits16, Flags};
/// assert!(Bits16(0x0140).has(0x0100));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bits16(pub u16);

impl<'a> Scalar<'a> for Bits16 {
    const MOST: usize = 2;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        u16::read(reader).map(Self)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
}

impl Flags<'_> for Bits16 {
    #[inline(always)]
    fn bits(&self) -> u32 {
        u32::from(self.0)
    }
    #[inline(always)]
    fn canonical(implied: u32, _: &Context) -> Self {
        Self(implied as u16)
    }
    fn exactly(bits: u32, _: &Context) -> Self {
        Self(bits as u16)
    }
}

/// A number of one byte, or of two if a bit of the flag word is set.
///
/// ```
/// use moviola_format::{ByteOrShort, Context, Scalar, Writer};
/// let (mut out, context) = (Vec::new(), Context::quake());
/// let mut writer = Writer::new(&mut out, &context);
/// ByteOrShort::<0x40>(7).write(&mut writer);
/// writer.set_flags(0x40);
/// ByteOrShort::<0x40>(7).write(&mut writer);
/// assert_eq!(out, [7, 7, 0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteOrShort<const LONG: u32>(pub u16);

impl<const LONG: u32> ByteOrShort<LONG> {
    /// The bit of the flag word for a number of two bytes.
    pub(crate) const BIT: u32 = LONG;
}

impl<'a, const LONG: u32> Scalar<'a> for ByteOrShort<LONG> {
    const MOST: usize = 2;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let long = reader.flags() & LONG != 0;
        Ok(Self(if long { u16::read(reader)? } else { u16::from(reader.byte()?) }))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        if writer.flags() & LONG != 0 { self.0.write(writer) } else { writer.byte(self.0 as u8) }
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        if from.wraps_values() {
            // LMPC takes every value below 256 for a byte, negative ones too.
            let wide = from.int(i64::from(i32::MIN), i64::from(i32::MAX))?;
            return Ok(Self(if wide < 256 { u16::from(wide as u8) } else { wide as u16 }));
        }
        from.int(0, 0xFFFF).map(|value| Self(value as u16))
    }
    #[inline(always)]
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        if self.0 > 0xFF { bit | LONG } else { bit }
    }
}

/// A value that the protocols of most recordings do not have, so that the fast reader does not make room for it.
///
/// ```
/// use moviola_format::{Extra, dem::Sound};
/// assert_eq!(Sound::default().speed, Extra(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extra<T>(pub T);

impl<'a, T: Scalar<'a>> Scalar<'a> for Extra<T> {
    const MOST: usize = 0;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        T::read(reader).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        self.0.put(out);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        T::take(from).map(Self)
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        false
    }
}

/// Two nibbles: a player's colors, shirt and trousers.
///
/// ```
/// use moviola_format::Colors;
/// let colors = Colors(0xD4);
/// assert_eq!((colors.shirt(), colors.pants()), (13, 4));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Colors(pub u8);

impl Colors {
    /// The shirt's color.
    pub fn shirt(self) -> u8 {
        self.0 >> 4
    }
    /// The trousers' color.
    pub fn pants(self) -> u8 {
        self.0 & 15
    }
}

impl<'a> Scalar<'a> for Colors {
    const MOST: usize = 1;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.shirt()));
        out.int(i64::from(self.pants()));
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let shirt = from.int(0, 15)? as u8;
        let pants = from.int(0, 15)? as u8;
        Ok(Self(shirt << 4 | pants))
    }
}

/// Shows one of the lines of a kind of value that has several.
#[inline(always)]
pub(crate) fn line<'a, S: ValueSink<'a>, T: Scalar<'a>>(out: &mut S, part: &ValuePart, value: T) {
    out.line(part.name, part.meaning);
    value.put(out);
    out.end();
}

/// Takes one of a kind's own lines.
#[inline(always)]
pub(crate) fn take_part<'a, A: ValueSource<'a>, T: Scalar<'a>>(
    from: &mut A,
    part: &ValuePart,
) -> Result<T, A::Error> {
    from.line(part.name)?;
    let value = T::take(from)?;
    from.end()?;
    Ok(value)
}
