//! Kinds of value that only Quake has, except the player's items and weapon.

use super::number::{line, take_part};
use super::string::Str;
use crate::context::{Answer, Context, DarkPlaces, Question};
use crate::names::{Meaning, quake};
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// Adds the bits that announce another byte of flags, if the word is `long`.
fn chained(mut bits: u32, long: bool) -> u32 {
    if !long {
        return bits & 0xFFFF;
    }
    if bits >> 24 != 0 {
        bits |= 1 << 23;
    }
    if bits >> 16 != 0 {
        bits |= 1 << 15;
    }
    bits
}

/// Reads the extension bytes that bits 15 and 23 announce.
#[inline(always)]
fn read_extension(mut bits: u32, reader: &mut Reader<'_, '_>) -> Result<u32, Stop> {
    if bits & 1 << 15 != 0 {
        bits |= u32::from(reader.byte()?) << 16;
        if bits & 1 << 23 != 0 {
            bits |= u32::from(reader.byte()?) << 24;
        }
    }
    Ok(bits)
}

#[inline(always)]
fn write_extension(bits: u32, writer: &mut Writer<'_>) {
    if bits & 1 << 15 != 0 {
        writer.byte((bits >> 16) as u8);
        if bits & 1 << 23 != 0 {
            writer.byte((bits >> 24) as u8);
        }
    }
}

/// The flag word of `clientdata`: 16 bits, and in 666 and 999 up to 32.
///
/// ```
/// use moviola_format::{ClientBits, Context, Flags};
/// let mut context = Context::quake();
/// context.set_quake_protocol(666, 0);
/// // A bit of the third byte requires the bit that announces that byte.
/// assert_eq!(ClientBits::canonical(0x1_0000, &context), ClientBits(0x1_8000));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClientBits(pub u32);

impl<'a> Scalar<'a> for ClientBits {
    const MOST: usize = 4;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let bits = u32::from(u16::read(reader)?);
        Ok(Self(if reader.context().has_long_client_bits() { read_extension(bits, reader)? } else { bits }))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        (self.0 as u16).write(writer);
        if writer.context().has_long_client_bits() {
            write_extension(self.0, writer);
        }
    }
}

impl Flags<'_> for ClientBits {
    #[inline(always)]
    fn bits(&self) -> u32 {
        self.0
    }
    #[inline(always)]
    fn canonical(implied: u32, context: &Context) -> Self {
        Self(chained(implied, context.has_long_client_bits()))
    }
    fn exactly(bits: u32, context: &Context) -> Self {
        Self(if context.has_long_client_bits() { bits } else { bits & 0xFFFF })
    }
}

/// The flag word of an entity update: seven bits in the message's id, then up to three bytes more.
///
/// ```
/// use moviola_format::{Context, Flags, UpdateBits};
/// // A bit of the second byte requires the lowest bit, which announces that byte.
/// assert_eq!(UpdateBits::canonical(0x4000, &Context::quake()), UpdateBits(0x4001));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UpdateBits(pub u32);

impl UpdateBits {
    /// The bit that announces a third byte, or Nehahra's floats; plain protocol 15 does not use it.
    pub const MORE: u32 = 1 << 15;
}

impl<'a> Scalar<'a> for UpdateBits {
    const MOST: usize = 3;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut bits = u32::from(reader.op() & 0x7F);
        if bits & 1 != 0 {
            bits |= u32::from(reader.byte()?) << 8;
            if bits & 1 << 15 != 0 {
                let context = reader.context();
                if context.extended {
                    bits = read_extension(bits, reader)?;
                } else if context.darkplaces != DarkPlaces::No {
                    let added = read_extension(bits, reader)? >> 16;
                    reader.set_number(added as u16);
                } else if context.nehahra == Answer::Open {
                    return Err(reader.stop_behind(FaultKind::Undecided(Question::Nehahra)));
                }
            }
        }
        Ok(Self(bits))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.amend_op(self.0 as u8 & 0x7F);
        if self.0 & 1 != 0 {
            writer.byte((self.0 >> 8) as u8);
            if writer.context().extended {
                write_extension(self.0, writer);
            }
        }
    }
}

impl Flags<'_> for UpdateBits {
    #[inline(always)]
    fn bits(&self) -> u32 {
        self.0
    }
    #[inline(always)]
    fn canonical(implied: u32, context: &Context) -> Self {
        let bits = chained(implied, context.extended);
        Self(if bits >> 8 != 0 { bits | 1 } else { bits })
    }
    fn exactly(bits: u32, context: &Context) -> Self {
        let bits = if context.extended { bits } else { bits & 0xFFFF };
        Self(if bits & 1 != 0 { bits & !0x80 } else { bits & 0x7F })
    }
}

/// A model's number: 8 bits, 16 in the BJP protocols.
///
/// ```
/// use moviola_format::{Context, ModelNumber, Scalar, Writer};
/// let (mut out, mut context) = (Vec::new(), Context::quake());
/// ModelNumber(9).write(&mut Writer::new(&mut out, &context));
/// context.set_quake_protocol(10000, 0);
/// ModelNumber(9).write(&mut Writer::new(&mut out, &context));
/// assert_eq!(out, [9, 9, 0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModelNumber(pub u16);

impl<'a> Scalar<'a> for ModelNumber {
    const MOST: usize = 1;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let wide = reader.context().wide_models;
        Ok(Self(if wide { u16::read(reader)? } else { u16::from(reader.byte()?) }))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        if writer.context().wide_models { self.0.write(writer) } else { writer.byte(self.0 as u8) }
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let max = if from.context().wide_models { 0xFFFF } else { 0xFF };
        from.int(0, max).map(|value| Self(value as u16))
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        !context.wide_models
    }
}

/// The flag word of a sound: 8 bits, and with FTE's entities up to 24.
///
/// Further bits come as a number of variable length. Its first byte begins with as many ones as bytes follow.
///
/// ```
/// use moviola_format::{Context, Flags, QuakeSoundBits, dem::Sound};
/// // Protocol 15 has no further bits, so this announces nothing.
/// assert!(!QuakeSoundBits::exactly(0x80, &Context::quake()).has(Sound::pitch));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct QuakeSoundBits {
    bits: u32,
    /// The bits whose fields are on the wire.
    live: u32,
}

impl QuakeSoundBits {
    /// The volume and the attenuation, which all protocols have.
    const USUAL: u32 = 0x03;
    /// The speed, which `DarkPlaces` and FTE have.
    const SPEED: u32 = 0x20;
    /// The part that only FTE sends.
    const FTE: u32 = 0x1C0;
    /// More bits follow.
    const MORE: u32 = 0x04;

    #[inline(always)]
    fn new(bits: u32, context: &Context) -> Self {
        let mut mask = Self::USUAL;
        if context.replaces_updates() {
            mask |= Self::SPEED | Self::FTE;
        } else if context.darkplaces as u8 != DarkPlaces::No as u8 {
            mask |= Self::SPEED;
        }
        Self { bits, live: bits & mask }
    }

    /// The bits after the first eight.
    fn read_more(reader: &mut Reader<'_, '_>) -> Result<u32, Stop> {
        let first = reader.byte()?;
        let more = match first {
            0..0x80 => u32::from(first),
            0x80..0xC0 => u32::from(first & 0x3F) << 8 | u32::from(reader.byte()?),
            0xC0..0xE0 => u32::from(first & 0x1F) << 16 | u32::from(u16::read(reader)?),
            // No flags are known there.
            _ => return Err(reader.stop_behind(FaultKind::Value(first))),
        };
        let least = match first {
            0..0x80 => 0,
            0x80..0xC0 => 0x80,
            _ => 0x4000,
        };
        if more < least {
            // A server would have sent a shorter form.
            return Err(reader.stop_behind(FaultKind::Value(first)));
        }
        Ok(more)
    }
}

impl<'a> Scalar<'a> for QuakeSoundBits {
    const MOST: usize = 1;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut bits = u32::from(reader.byte()?);
        if reader.context().replaces_updates() && bits & Self::MORE != 0 {
            bits |= Self::read_more(reader)? << 8;
        }
        Ok(Self::new(bits, reader.context()))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.bits as u8);
        if writer.context().replaces_updates() && self.bits & Self::MORE != 0 {
            match self.bits >> 8 {
                more @ 0..0x80 => writer.byte(more as u8),
                more @ 0x80..0x4000 => writer.bytes(&[(more >> 8) as u8 | 0x80, more as u8]),
                more => writer.bytes(&[(more >> 16) as u8 | 0xC0, more as u8, (more >> 8) as u8]),
            }
        }
    }
}

impl Flags<'_> for QuakeSoundBits {
    #[inline(always)]
    fn bits(&self) -> u32 {
        self.bits
    }
    #[inline(always)]
    fn has(&self, bit: u32) -> bool {
        self.live & bit != 0
    }
    #[inline(always)]
    fn canonical(implied: u32, context: &Context) -> Self {
        let more = if implied >> 8 == 0 { 0 } else { Self::MORE };
        Self::new(implied | more, context)
    }
    fn exactly(bits: u32, context: &Context) -> Self {
        let long = context.replaces_updates() && bits & Self::MORE != 0;
        Self::new(if long { bits & 0x1FFF_FFFF } else { bits & 0xFF }, context)
    }
}

/// The entity that makes a sound and its channel, packed into 16 bits, or 24 for large numbers.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, SoundChannel};
/// let context = Context::quake();
/// let source = SoundChannel::read(&mut Reader::new(&[0x0A, 0], &context)).unwrap();
/// assert_eq!(source, SoundChannel { channel: 2, entity: 1 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SoundChannel {
    /// The channel.
    pub channel: u8,
    /// The entity.
    pub entity: u16,
}

impl SoundChannel {
    /// The bit of the flag word for the form that is not packed.
    pub const LARGE: u32 = 0x08;
    const CHANNEL: ValuePart =
        ValuePart::meaning("channel", Meaning::Value(quake::SOUND_CHANNEL), "The channel of the entity.");
    const ENTITY: ValuePart =
        ValuePart::meaning("entity", Meaning::Entity, "The entity that makes the sound.");

    fn unpack(packed: u16) -> Self {
        Self { channel: (packed & 7) as u8, entity: packed >> 3 }
    }
}

impl<'a> Scalar<'a> for SoundChannel {
    const MOST: usize = 3;

    const PARTS: &'static [ValuePart] = &[Self::CHANNEL, Self::ENTITY];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if reader.flags() & Self::LARGE != 0 && reader.context().has_large_sounds() {
            let entity = u16::read(reader)?;
            return Ok(Self { entity, channel: reader.byte()? });
        }
        u16::read(reader).map(Self::unpack)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        if writer.flags() & Self::LARGE != 0 && writer.context().has_large_sounds() {
            self.entity.write(writer);
            writer.byte(self.channel);
        } else {
            (self.entity << 3 | u16::from(self.channel & 7)).write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::CHANNEL, self.channel);
        line(out, &Self::ENTITY, self.entity);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        if from.bare() {
            // The form of LMPC before 3.0: only the packed number.
            from.line(Self::ENTITY.name)?;
            let packed = from.int(-0x8000, 0xFFFF)? as u16;
            from.end()?;
            return Ok(Self::unpack(packed));
        }
        let [channels, entities] =
            if from.context().has_large_sounds() { [0xFF, 0xFFFF] } else { [7, 0x1FFF] };
        from.line(Self::CHANNEL.name)?;
        let channel = from.int(0, channels)? as u8;
        from.end()?;
        from.line(Self::ENTITY.name)?;
        let entity = from.int(0, entities)? as u16;
        from.end()?;
        Ok(Self { channel, entity })
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        if self.channel > 7 || self.entity > 0x1FFF { bit | Self::LARGE } else { bit }
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.channel <= 7 && self.entity <= 0x1FFF
    }
}

/// A sound's number: 8 bits, or 16 by a flag or a BJP protocol.
///
/// ```
/// use moviola_format::{Context, Scalar, SoundNumber};
/// let mut context = Context::quake();
/// context.set_quake_protocol(666, 0);
/// // A large number requires the bit for 16 bits.
/// assert_eq!(SoundNumber(300).implied(0, &context), 0x10);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SoundNumber(pub u16);

impl SoundNumber {
    /// The bit of the flag word for a number of 16 bits.
    pub const LARGE: u32 = 0x10;

    #[inline(always)]
    fn is_wide(flags: u32, context: &Context) -> bool {
        context.wide_sounds || flags & Self::LARGE != 0 && context.has_large_sounds()
    }
}

impl<'a> Scalar<'a> for SoundNumber {
    const MOST: usize = 2;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let wide = Self::is_wide(reader.flags(), reader.context());
        Ok(Self(if wide { u16::read(reader)? } else { u16::from(reader.byte()?) }))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        if Self::is_wide(writer.flags(), writer.context()) {
            self.0.write(writer);
        } else {
            writer.byte(self.0 as u8);
        }
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let wide = from.context().has_large_sounds() || from.context().wide_sounds;
        from.int(0, if wide { 0xFFFF } else { 0xFF }).map(|value| Self(value as u16))
    }
    fn implied(&self, bit: u32, context: &Context) -> u32 {
        if self.0 > 0xFF && context.has_large_sounds() { bit | Self::LARGE } else { bit }
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        self.0 <= 0xFF && !context.wide_sounds
    }
}

/// A static sound's number: 8 bits; 16 in protocol 10001, and by some engines in 10002.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, StaticSound};
/// let context = Context::quake();
/// let sound = StaticSound::read(&mut Reader::new(&[5], &context)).unwrap();
/// assert_eq!(sound, StaticSound { number: 5, short: false });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StaticSound {
    /// The sound.
    pub number: u16,
    /// Whether protocol 10002 sent it as 16 bits, which a text must contain.
    pub short: bool,
}

impl StaticSound {
    const SHORT: ValuePart = ValuePart::meaning(
        "soundnum_short",
        Meaning::Sound,
        "The sound, sent as 16 bits although others send 8 (10002).",
    );
}

impl<'a> Scalar<'a> for StaticSound {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let context = reader.context();
        let open = context.protocol == 10002;
        match context.wide_static_sounds {
            Answer::Open => Err(reader.stop(FaultKind::Undecided(Question::StaticSound))),
            Answer::Yes => Ok(Self { number: u16::read(reader)?, short: open }),
            Answer::No => Ok(Self { number: u16::from(reader.byte()?), short: false }),
        }
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if self.short || writer.context().protocol == 10001 {
            self.number.write(writer);
        } else {
            writer.byte(self.number as u8);
        }
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        out.line(if self.short { Self::SHORT.name } else { field.name }, Meaning::Sound);
        out.int(i64::from(self.number));
        out.end();
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        let protocol = from.context().protocol;
        let short = protocol == 10002 && from.has(Self::SHORT.name);
        from.line(if short { Self::SHORT.name } else { field.name })?;
        let number = from.int(0, if short || protocol == 10001 { 0xFFFF } else { 0xFF })? as u16;
        from.end()?;
        Ok(Self { number, short })
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        !self.short && context.protocol != 10001
    }
}

/// Nehahra's fog: off, or on with density and color.
///
/// ```
/// use moviola_format::{Context, NehahraFog, Scalar, Writer};
/// let mut out = Vec::new();
/// NehahraFog::default().write(&mut Writer::new(&mut out, &Context::quake()));
/// assert_eq!(out, [0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NehahraFog {
    /// 0 for no fog.
    pub enable: u8,
    /// The density, as the bits of a float.
    pub density: u32,
    /// Red, green, blue.
    pub color: [u8; 3],
}

impl NehahraFog {
    const ENABLE: ValuePart = ValuePart::new("enable", "Whether there is fog; zero sends nothing more.");
    const DENSITY: ValuePart = ValuePart::new("density", "How dense it is.");
    const COLOR: ValuePart = ValuePart::new("color", "Red, green and blue.");
}

impl<'a> Scalar<'a> for NehahraFog {
    const PARTS: &'static [ValuePart] = &[Self::ENABLE, Self::DENSITY, Self::COLOR];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let enable = reader.byte()?;
        if enable == 0 {
            return Ok(Self::default());
        }
        Ok(Self { enable, density: u32::read(reader)?, color: reader.array()? })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.enable);
        if self.enable != 0 {
            self.density.write(writer);
            writer.bytes(&self.color);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::ENABLE, self.enable);
        if self.enable != 0 {
            line(out, &Self::DENSITY, super::Float(self.density));
            line(out, &Self::COLOR, self.color);
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let enable = take_part(from, &Self::ENABLE)?;
        if enable == 0 {
            return Ok(Self::default());
        }
        let density: super::Float = take_part(from, &Self::DENSITY)?;
        Ok(Self { enable, density: density.0, color: take_part(from, &Self::COLOR)? })
    }
}

/// The re-release's local sound: a flag byte, then a number of 8 or 16 bits.
///
/// ```
/// use moviola_format::{LocalSoundNumber, dem::LocalSound};
/// assert_eq!(LocalSound::default().soundnum, LocalSoundNumber::default());
/// ```
pub type LocalSoundNumber = super::ByteOrShort<0x10>;

/// An achievement's name, whose beginning distinguishes the re-release's message from DarkPlaces' with the
/// same id.
///
/// ```
/// use moviola_format::{AchievementName, Context, Reader, Scalar};
/// let context = Context::quake();
/// assert!(AchievementName::read(&mut Reader::new(b"ACH_PACIFIST\0", &context)).is_ok());
/// assert!(AchievementName::read(&mut Reader::new(b"\x01\x02", &context)).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AchievementName<'a>(pub Str<'a>);

impl<'a> Scalar<'a> for AchievementName<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let name = Str::new(reader.rest());
        if !reader.is_empty() && !name.bytes().starts_with(b"ACH_") {
            return Err(reader.stop_behind(FaultKind::Value(reader.op())));
        }
        Str::read(reader).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.string(self.0);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        from.string().map(Self)
    }
}
