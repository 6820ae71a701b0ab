//! The numbers in recordings with Q2PRO's extended limits: coordinates of up to 23 bits, and wider models, sounds and
//! angles.

use super::number::line;
use super::{Attenuation, ByteOrShort, Sized32, Volume};
use crate::context::Context;
use crate::names::{Meaning, quake2};
use crate::scalar::{Field, Flags, Scalar, Unit, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The least and the greatest coordinate of 15 bits, and of 23 bits.
const SHORT: std::ops::RangeInclusive<i32> = -0x4000..=0x3FFF;
const LONG: std::ops::RangeInclusive<i32> = -0x40_0000..=0x3F_FFFF;

/// A number of 15 bits, or of 23 bits if the lowest bit on the wire is set; also returns which.
fn read_23(reader: &mut Reader<'_, '_>) -> Result<(i32, bool), Stop> {
    let low = i16::read(reader)?;
    if low & 1 == 0 {
        return Ok((i32::from(low >> 1), false));
    }
    let high = i8::read(reader)?;
    Ok(((i32::from(high) << 16 | i32::from(low as u16)) >> 1, true))
}

fn write_15(raw: i32, writer: &mut Writer<'_>) {
    ((raw << 1) as i16).write(writer);
}

fn write_23(raw: i32, writer: &mut Writer<'_>) {
    ((raw << 1 | 1) as i16).write(writer);
    writer.byte((raw >> 15) as u8);
}

fn take_eighths<'a, A: ValueSource<'a>>(
    from: &mut A,
    range: &std::ops::RangeInclusive<i32>,
) -> Result<i32, A::Error> {
    from.fixed(Unit::Eighth, i64::from(*range.start()), i64::from(*range.end())).map(|raw| raw as i32)
}

const I16: std::ops::RangeInclusive<i32> = -0x8000..=0x7FFF;

/// A coordinate in eighths: 16 bits, or from protocol 3435 on 15 bits if it fits, and else 23.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, WideCoord};
/// let mut context = Context::quake2();
/// context.set_quake2_protocol(3435, 1);
/// let far = WideCoord::read(&mut Reader::new(&[0x01, 0xE2, 0x04], &context)).unwrap();
/// assert_eq!((far.eighths(), far.value()), (160_000, 20_000.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WideCoord(i32);

impl WideCoord {
    /// The coordinate in units of the game.
    pub fn value(self) -> f64 {
        Unit::Eighth.value(i64::from(self.0))
    }
    /// The coordinate in eighths of a unit.
    pub const fn eighths(self) -> i32 {
        self.0
    }
}

impl<'a> Scalar<'a> for WideCoord {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if !reader.context().limits.has_wide_coords() {
            return i16::read(reader).map(|raw| Self(raw.into()));
        }
        let (raw, is_long) = read_23(reader)?;
        if is_long && SHORT.contains(&raw) {
            // Q2PRO would have sent the short form.
            return Err(reader.stop_behind(FaultKind::Value((raw >> 15) as u8)));
        }
        Ok(Self(raw))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if !writer.context().limits.has_wide_coords() {
            (self.0 as i16).write(writer);
        } else if SHORT.contains(&self.0) {
            write_15(self.0, writer);
        } else {
            write_23(self.0, writer);
        }
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.fixed(i64::from(self.0), Unit::Eighth);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let wide = from.context().limits.has_wide_coords();
        take_eighths(from, if wide { &LONG } else { &I16 }).map(Self)
    }
}

/// The three forms of a coordinate that changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum ChangeForm {
    /// 16 bits, in protocol 3434.
    #[default]
    Short,
    /// 15 bits that are added to the value before.
    Difference,
    /// 23 bits.
    Long,
}

/// A coordinate that changed, in eighths. From protocol 3435 on it is a small difference to the value before, or the new
/// value.
///
/// `NAME` is the place in the list of its names: the coordinates of the position, then those of the velocity.
///
/// ```
/// use moviola_format::{ChangeCoord, Context, Reader, Scalar};
/// let mut context = Context::quake2();
/// context.set_quake2_protocol(3435, 1);
/// let read = |bytes: &[u8]| ChangeCoord::<0>::read(&mut Reader::new(bytes, &context)).unwrap();
/// assert_eq!(read(&[0x10, 0x00]).after(100), 108);
/// assert_eq!(read(&[0x11, 0x00, 0x00]).after(100), 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChangeCoord<const NAME: usize> {
    raw: i32,
    form: ChangeForm,
}

/// The names of the coordinates, each of the new value and of the difference.
const NAMES: [[ValuePart; 2]; 6] = {
    const fn of(value: &'static str, change: &'static str) -> [ValuePart; 2] {
        [
            ValuePart::new(value, "The new value."),
            ValuePart::new(change, "The difference to the value before."),
        ]
    }
    [
        of("origin_x", "origin_x_change"),
        of("origin_y", "origin_y_change"),
        of("origin_z", "origin_z_change"),
        of("velocity_x", "velocity_x_change"),
        of("velocity_y", "velocity_y_change"),
        of("velocity_z", "velocity_z_change"),
    ]
};

impl<const NAME: usize> ChangeCoord<NAME> {
    #[expect(clippy::indexing_slicing, reason = "only the compiler carries it out")]
    const LINES: &'static [ValuePart; 2] = &NAMES[NAME];

    /// The value in eighths, after this change of the value `before`.
    pub const fn after(self, before: i32) -> i32 {
        match self.form {
            ChangeForm::Difference => before.saturating_add(self.raw),
            _ => self.raw,
        }
    }
}

impl<'a, const NAME: usize> Scalar<'a> for ChangeCoord<NAME> {
    const PARTS: &'static [ValuePart] = Self::LINES;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if !reader.context().limits.has_wide_coords() {
            return i16::read(reader).map(|raw| Self { raw: i32::from(raw), form: ChangeForm::Short });
        }
        let (raw, is_long) = read_23(reader)?;
        Ok(Self { raw, form: if is_long { ChangeForm::Long } else { ChangeForm::Difference } })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        match self.form {
            ChangeForm::Short => (self.raw as i16).write(writer),
            ChangeForm::Difference => write_15(self.raw, writer),
            ChangeForm::Long => write_23(self.raw, writer),
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        let [value, change] = Self::LINES;
        out.line(if self.form == ChangeForm::Difference { change.name } else { value.name }, Meaning::Number);
        out.fixed(i64::from(self.raw), Unit::Eighth);
        out.end();
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let [value, change] = Self::LINES;
        let wide = from.context().limits.has_wide_coords();
        let (name, form, range) = match (from.has(change.name), wide) {
            (true, _) => (change.name, ChangeForm::Difference, &SHORT),
            (false, true) => (value.name, ChangeForm::Long, &LONG),
            (false, false) => (value.name, ChangeForm::Short, &I16),
        };
        from.line(name)?;
        let raw = take_eighths(from, range)?;
        if form == ChangeForm::Difference && !wide {
            return Err(from.refuse("protocol 3434 has only new values"));
        }
        from.end()?;
        Ok(Self { raw, form })
    }
}

/// The model of an entity: 8 bits, or 16 if one of its four models needs them.
///
/// ```
/// assert_eq!(moviola_format::q2pro::Q2proEntity::default().modelindex.0, 0);
/// ```
pub type Q2proModel = ByteOrShort<{ 1 << 28 }>;

/// Further effects of an entity.
///
/// ```
/// assert_eq!(moviola_format::q2pro::Q2proEntity::default().morefx.0, 0);
/// ```
pub type MoreEffects = Sized32<{ 1 << 29 }, { super::Q2proBits::MORE_EFFECTS_16 }>;

/// An angle of an entity, in 65536ths of a turn: 16 bits are sent if one of its angles needs them, else the upper 8.
///
/// ```
/// use moviola_format::{Context, Q2proAngle, Scalar};
/// assert_eq!(Q2proAngle(0x4000).value(), 90.0);
/// assert_eq!(Q2proAngle(0x4001).implied(4, &Context::quake2()), 4 | 1 << 13);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Q2proAngle(pub i16);

impl Q2proAngle {
    const WIDE: u32 = 1 << 13;

    /// The angle in degrees.
    pub fn value(self) -> f64 {
        Unit::Degrees65536.value(i64::from(self.0))
    }
}

impl<'a> Scalar<'a> for Q2proAngle {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if reader.flags() & Self::WIDE != 0 {
            return i16::read(reader).map(Self);
        }
        i8::read(reader).map(|raw| Self(i16::from(raw) << 8))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if writer.flags() & Self::WIDE != 0 { self.0.write(writer) } else { writer.byte((self.0 >> 8) as u8) }
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.fixed(i64::from(self.0), Unit::Degrees65536);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        from.angle(Unit::Degrees65536, 16).map(|raw| Self(raw as i16))
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        let [low, _] = self.0.to_le_bytes();
        if low == 0 { bit } else { bit | Self::WIDE }
    }
}

/// The continuous sound of an entity, with its volume and attenuation if they are sent.
///
/// ```
/// use moviola_format::{Context, LoopSound, Reader, Scalar};
/// let context = Context::quake2();
/// let sound = LoopSound::read(&mut Reader::new(&[0x05, 0x41, 51], &context)).unwrap();
/// assert_eq!((sound.index(), sound.volume().map(|it| it.0), sound.attenuation()), (0x105, Some(51), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LoopSound {
    word: u16,
    volume: Volume,
    attenuation: Attenuation,
}

impl LoopSound {
    const VOLUME: u16 = 0x4000;
    const ATTENUATION: u16 = 0x8000;
    const INDEX: u16 = 0x3FFF;
    const LINES: [ValuePart; 3] = [
        ValuePart::meaning("sound", Meaning::Config(quake2::CS_SOUNDS), "The sound's number."),
        ValuePart::new("loop_volume", "Its volume; 1 when absent."),
        ValuePart::meaning(
            "loop_attenuation",
            Meaning::Value(quake2::ATTENUATION_RAW),
            "How fast it fades with distance.",
        ),
    ];

    /// The number of the sound.
    pub const fn index(self) -> u16 {
        self.word & Self::INDEX
    }
    /// Its volume, if it is sent.
    pub fn volume(self) -> Option<Volume> {
        (self.word & Self::VOLUME != 0).then_some(self.volume)
    }
    /// Its attenuation, if it is sent.
    pub fn attenuation(self) -> Option<Attenuation> {
        (self.word & Self::ATTENUATION != 0).then_some(self.attenuation)
    }
}

impl<'a> Scalar<'a> for LoopSound {
    const PARTS: &'static [ValuePart] = &Self::LINES;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut it = Self { word: u16::read(reader)?, ..Self::default() };
        if it.word & Self::VOLUME != 0 {
            it.volume = Scalar::read(reader)?;
        }
        if it.word & Self::ATTENUATION != 0 {
            it.attenuation = Scalar::read(reader)?;
        }
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.word.write(writer);
        if let Some(volume) = self.volume() {
            volume.write(writer);
        }
        if let Some(attenuation) = self.attenuation() {
            attenuation.write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        let [index, volume, attenuation] = &Self::LINES;
        line(out, index, self.index());
        if let Some(value) = self.volume() {
            line(out, volume, value);
        }
        if let Some(value) = self.attenuation() {
            line(out, attenuation, value);
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let [index, volume, attenuation] = &Self::LINES;
        from.line(index.name)?;
        let mut it = Self { word: from.int(0, i64::from(Self::INDEX))? as u16, ..Self::default() };
        from.end()?;
        if from.has(volume.name) {
            it.word |= Self::VOLUME;
            it.volume = super::number::take_part(from, volume)?;
        }
        if from.has(attenuation.name) {
            it.word |= Self::ATTENUATION;
            it.attenuation = super::number::take_part(from, attenuation)?;
        }
        Ok(it)
    }
}

/// A number of 8 bits, or from protocol 3435 on of 16.
///
/// ```
/// use moviola_format::{Context, Q2proNumber, Scalar, Writer};
/// let lengths = [3434, 3435].map(|protocol| {
///     let (mut out, mut context) = (Vec::new(), Context::quake2());
///     context.set_quake2_protocol(protocol, 1);
///     Q2proNumber(7).write(&mut Writer::new(&mut out, &context));
///     out.len()
/// });
/// assert_eq!(lengths, [1, 2]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Q2proNumber(pub u16);

impl<'a> Scalar<'a> for Q2proNumber {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let wide = reader.context().limits.has_wide_coords();
        Ok(Self(if wide { u16::read(reader)? } else { reader.byte()?.into() }))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if writer.context().limits.has_wide_coords() {
            self.0.write(writer);
        } else {
            writer.byte(self.0 as u8);
        }
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let most = if from.context().limits.has_wide_coords() { 0xFFFF } else { 0xFF };
        from.int(0, most).map(|value| Self(value as u16))
    }
}

/// The model of the player's weapon, and its skin in the upper three bits.
///
/// ```
/// use moviola_format::GunModel;
/// assert_eq!((GunModel(0x2007).model(), GunModel(0x2007).skin()), (7, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GunModel(pub u16);

impl GunModel {
    const MODEL_BITS: u32 = 13;
    const MODEL: u16 = (1 << Self::MODEL_BITS) - 1;
    const LINES: [ValuePart; 2] = [
        ValuePart::meaning("gunindex", Meaning::Config(quake2::CS_MODELS), "The model."),
        ValuePart::new("gunskin", "The skin; 0 when absent."),
    ];

    /// The model.
    pub const fn model(self) -> u16 {
        self.0 & Self::MODEL
    }
    /// The skin.
    pub const fn skin(self) -> u8 {
        (self.0 >> Self::MODEL_BITS) as u8
    }
}

impl<'a> Scalar<'a> for GunModel {
    const PARTS: &'static [ValuePart] = &Self::LINES;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        u16::read(reader).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        let [model, skin] = &Self::LINES;
        line(out, model, self.model());
        if self.skin() != 0 {
            line(out, skin, self.skin());
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let [model, skin] = &Self::LINES;
        from.line(model.name)?;
        let mut word = from.int(0, i64::from(Self::MODEL))? as u16;
        from.end()?;
        if from.has(skin.name) {
            from.line(skin.name)?;
            word |= (from.int(0, 7)? as u16) << Self::MODEL_BITS;
            from.end()?;
        }
        Ok(Self(word))
    }
}

/// The flag byte of a sound, of which some bits are spare; bit 5 makes its number one of 16 bits.
///
/// ```
/// use moviola_format::{Flags, WideSoundBits};
/// assert!(WideSoundBits::<0xC0>(0x28).has(0x20));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WideSoundBits<const SPARE: u32>(pub u8);

/// The flag byte of a sound of Q2PRO's server.
///
/// ```
/// use moviola_format::{Flags, Q2proSoundBits};
/// assert_eq!(Q2proSoundBits::SPARE, 0xC0);
/// ```
pub type Q2proSoundBits = WideSoundBits<0xC0>;

/// The flag byte of a sound in an MVD2.
///
/// ```
/// use moviola_format::{Flags, MatchSoundBits};
/// assert_eq!(MatchSoundBits::SPARE, 0xC4);
/// ```
pub type MatchSoundBits = WideSoundBits<0xC4>;

impl<'a, const SPARE: u32> Scalar<'a> for WideSoundBits<SPARE> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
}

impl<const SPARE: u32> Flags<'_> for WideSoundBits<SPARE> {
    const SPARE: u32 = SPARE;
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
