//! The kinds of value in the hidden messages of an MVD and in QuakeWorld's records.

use super::Seconds;
use super::number::{line, take_part};
use super::usercmd::{show_buttons, take_buttons};
use crate::context::Context;
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::stamp::{COMMAND, SET};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The bytes up to the end of a hidden message. It is the last field of each, so `write` puts the message's
/// length in front of it.
///
/// ```
/// use moviola_format::{HiddenRest, hidden::DemoInfo};
/// assert_eq!(DemoInfo::default().text, HiddenRest(b""));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HiddenRest<'a>(pub &'a [u8]);

impl<'a> Scalar<'a> for HiddenRest<'a> {
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let rest = reader.rest();
        reader.slice(rest.len()).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
        writer.replace_op(|op, length| {
            let mut head = (length as u32).to_le_bytes().to_vec();
            head.extend([op, 0]);
            head
        });
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        if self.0.is_empty() {
            return;
        }
        out.line(field.name, field.meaning);
        out.data(self.0);
        out.end();
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        if !from.has(field.name) {
            return Ok(Self::default());
        }
        from.line(field.name)?;
        let bytes = from.data()?;
        from.end()?;
        Ok(Self(bytes))
    }
    fn bare(&self) -> bool {
        false
    }
}

/// The kind and the bytes of a hidden message that cannot be read.
///
/// ```
/// use moviola_format::{HiddenBytes, hidden::UnknownHidden};
/// assert_eq!(UnknownHidden::default().message, HiddenBytes { kind: 0, data: b"" });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HiddenBytes<'a> {
    /// The kind: 16 bits, or 16 more if the first ones are all set.
    pub kind: u32,
    /// The bytes.
    pub data: &'a [u8],
}

impl HiddenBytes<'_> {
    const KIND: ValuePart = ValuePart::new("kind", "The kind of the message.");
    const DATA: ValuePart = ValuePart::new("data", "Its bytes.");
    /// The kind after which another 16 bits follow.
    const LONGER: u32 = 0xFFFF;

    /// The kind with which these bytes begin, and its number of bytes.
    pub(crate) fn kind_of(bytes: &[u8]) -> Option<(u32, usize)> {
        let low = u32::from(u16::from_le_bytes(*bytes.first_chunk()?));
        if low != Self::LONGER {
            return Some((low, 2));
        }
        let high = u16::from_le_bytes(*bytes.get(2..)?.first_chunk()?);
        Some((low + u32::from(high), 4))
    }
}

impl<'a> Scalar<'a> for HiddenBytes<'a> {
    const PARTS: &'static [ValuePart] = &[Self::KIND, Self::DATA];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let Some((kind, size)) = Self::kind_of(reader.rest()) else { return Err(reader.end()) };
        reader.slice(size)?;
        let data = reader.rest();
        reader.slice(data.len())?;
        Ok(Self { kind, data })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let low = self.kind.min(Self::LONGER);
        (low as u16).write(writer);
        if low == Self::LONGER {
            ((self.kind - low) as u16).write(writer);
        }
        writer.bytes(self.data);
        writer.replace_op(|_, _| (self.data.len() as u32).to_le_bytes().to_vec());
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::KIND, self.kind);
        if !self.data.is_empty() {
            out.line(Self::DATA.name, Self::DATA.meaning);
            out.data(self.data);
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        from.line(Self::KIND.name)?;
        let most = i64::from(Self::LONGER + u32::from(u16::MAX));
        let kind = from.int(0, most)? as u32;
        from.end()?;
        let mut data: &[u8] = &[];
        if from.has(Self::DATA.name) {
            from.line(Self::DATA.name)?;
            data = from.data()?;
            from.end()?;
        }
        if crate::hidden::has_form(kind, data, from.context()) {
            return Err(from.refuse("a hidden message of this kind and size has a name of its own"));
        }
        Ok(Self { kind, data })
    }
    fn bare(&self) -> bool {
        false
    }
}

/// A `paused_duration` message without its length, as MVDSV first wrote it: the kind in 16 bits, then
/// milliseconds.
///
/// ```
/// use moviola_format::{Unframed, hidden::PausedBare};
/// assert_eq!(PausedBare::default().msec, Unframed(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Unframed(pub u8);

impl Unframed {
    const KIND: [u8; 2] = [10, 0];

    /// Whether a block consists of exactly one such message.
    pub(crate) fn is_at(block: &[u8]) -> bool {
        block.len() == Self::KIND.len() + 1 && block.starts_with(&Self::KIND)
    }
}

impl<'a> Scalar<'a> for Unframed {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if !Self::is_at(reader.rest()) {
            return Err(reader.stop(FaultKind::Framing));
        }
        let [_, _, msec] = reader.array()?;
        Ok(Self(msec))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
        writer.replace_op(|_, _| Self::KIND.to_vec());
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        from.int(0, 0xFF).map(|msec| Self(msec as u8))
    }
}

/// An order of weapons (20 bytes), or the time at which the recording began (8 bytes, in test builds of early
/// 2026).
///
/// ```
/// use moviola_format::{WeaponOrder, hidden::WeaponInstruction};
/// assert!(matches!(WeaponInstruction::default().order, WeaponOrder::Order { player: 0, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WeaponOrder {
    /// An order.
    Order {
        /// The player's slot.
        player: u8,
        /// Flags of the order.
        flags: u8,
        /// The sequence number of the command.
        sequence: i32,
        /// The mode in which the weapons are chosen.
        mode: i32,
        /// The weapons, best first.
        weapons: [u8; 10],
    },
    /// Milliseconds since 1970.
    Start(u64),
}

impl Default for WeaponOrder {
    fn default() -> Self {
        Self::Order { player: 0, flags: 0, sequence: 0, mode: 0, weapons: [0; 10] }
    }
}

impl WeaponOrder {
    const PLAYER: ValuePart = ValuePart::meaning("player", crate::Meaning::Player, "Whose.");
    const FLAGS: ValuePart = ValuePart::new("flags", "How the order is meant.");
    const SEQUENCE: ValuePart = ValuePart::new("sequence", "The number of the command.");
    const MODE: ValuePart = ValuePart::new("mode", "How weapons are chosen.");
    const WEAPONS: ValuePart = ValuePart::new("weapons", "The weapons, best first.");
    const START: ValuePart =
        ValuePart::new("start", "Milliseconds since 1970: the upper and the lower 32 bits.");
}

impl<'a> Scalar<'a> for WeaponOrder {
    const PARTS: &'static [ValuePart] =
        &[Self::PLAYER, Self::FLAGS, Self::SEQUENCE, Self::MODE, Self::WEAPONS, Self::START];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if reader.rest().len() == 8 {
            return reader.array().map(|bytes| Self::Start(u64::from_le_bytes(bytes)));
        }
        Ok(Self::Order {
            player: reader.byte()?,
            flags: reader.byte()?,
            sequence: i32::read(reader)?,
            mode: i32::read(reader)?,
            weapons: reader.array()?,
        })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        match self {
            Self::Start(time) => writer.bytes(&time.to_le_bytes()),
            Self::Order { player, flags, sequence, mode, weapons } => {
                writer.bytes(&[*player, *flags]);
                sequence.write(writer);
                mode.write(writer);
                writer.bytes(weapons);
            }
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        match self {
            Self::Start(time) => line(out, &Self::START, [(time >> 32) as u32, *time as u32]),
            Self::Order { player, flags, sequence, mode, weapons } => {
                line(out, &Self::PLAYER, *player);
                line(out, &Self::FLAGS, *flags);
                line(out, &Self::SEQUENCE, *sequence);
                line(out, &Self::MODE, *mode);
                line(out, &Self::WEAPONS, *weapons);
            }
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        if from.has(Self::START.name) {
            let [upper, lower]: [u32; 2] = take_part(from, &Self::START)?;
            return Ok(Self::Start(u64::from(upper) << 32 | u64::from(lower)));
        }
        Ok(Self::Order {
            player: take_part(from, &Self::PLAYER)?,
            flags: take_part(from, &Self::FLAGS)?,
            sequence: take_part(from, &Self::SEQUENCE)?,
            mode: take_part(from, &Self::MODE)?,
            weapons: take_part(from, &Self::WEAPONS)?,
        })
    }
}

/// A number of variable length: seven bits a byte, the lowest first; the topmost bit is set if more bytes
/// follow.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, VariableNumber};
/// let context = Context::quakeworld();
/// let number = VariableNumber::read(&mut Reader::new(&[0xac, 0x02], &context)).unwrap();
/// assert_eq!(number.value, 300);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VariableNumber {
    /// The number.
    pub value: u64,
    /// The number of bytes; 0 stands for the smallest number that suffices.
    length: u8,
}

impl VariableNumber {
    const MOST_BYTES: u8 = 10;

    fn needs(value: u64) -> u8 {
        (64 - value.leading_zeros()).div_ceil(7).max(1) as u8
    }
}

impl<'a> Scalar<'a> for VariableNumber {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut it = Self::default();
        loop {
            let byte = reader.byte()?;
            let bits = u64::from(byte & 0x7F);
            let shifted = bits.checked_shl(7 * u32::from(it.length)).filter(|it| *it != 0 || bits == 0);
            let Some(shifted) = shifted.filter(|_| it.length < 9 || byte <= 1) else {
                return Err(reader.stop(FaultKind::Value(byte)));
            };
            it.value |= shifted;
            it.length += 1;
            if byte & 0x80 == 0 {
                let usual = it.length == Self::needs(it.value);
                return Ok(if usual { Self { length: 0, ..it } } else { it });
            }
        }
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let length = if self.length == 0 { Self::needs(self.value) } else { self.length };
        for n in 0..length {
            let more = if n + 1 < length { 0x80 } else { 0 };
            writer.byte((self.value >> (7 * u32::from(n))) as u8 & 0x7F | more);
        }
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int((self.value >> 32) as i64);
        out.int((self.value & 0xFFFF_FFFF) as i64);
        if self.length != 0 {
            out.int(i64::from(self.length));
        }
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let half = i64::from(u32::MAX);
        let value = (from.int(0, half)? as u64) << 32 | from.int(0, half)? as u64;
        let mut length = 0;
        if from.more() {
            length = from.int(i64::from(Self::needs(value)), i64::from(Self::MOST_BYTES))? as u8;
            if length == Self::needs(value) {
                length = 0;
            }
        }
        Ok(Self { value, length })
    }
}

/// The time and the type byte of a QuakeWorld record: seconds in a QWD, milliseconds since the block before
/// in an MVD.
///
/// ```
/// use moviola_format::{RecordTime, client::SetSequence};
/// assert_eq!(SetSequence::default().time, RecordTime::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordTime {
    /// Seconds (QWD).
    Time(Seconds),
    /// Milliseconds since the block before (MVD).
    Delta(u8),
}

impl Default for RecordTime {
    fn default() -> Self {
        Self::Time(Seconds(0))
    }
}

impl RecordTime {
    const TIME: ValuePart = ValuePart::new("time", "When, in seconds.");
    const MSEC: ValuePart = ValuePart::new("msec", "Milliseconds since the block before.");

    /// The number of bytes of the time, which the type byte follows.
    pub(crate) fn size(context: &Context) -> usize {
        if context.mvd { 1 } else { 4 }
    }
}

impl<'a> Scalar<'a> for RecordTime {
    const PARTS: &'static [ValuePart] = &[Self::TIME, Self::MSEC];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let it = if reader.context().mvd {
            Self::Delta(reader.byte()?)
        } else {
            Self::Time(Seconds::read(reader)?)
        };
        match reader.byte()? {
            COMMAND | SET => Ok(it),
            _ => Err(reader.stop_behind(FaultKind::Framing)),
        }
    }
    fn write(&self, writer: &mut Writer<'_>) {
        match self {
            Self::Time(time) => writer.before_op(&time.0.to_le_bytes()),
            Self::Delta(msec) => writer.before_op(&[*msec]),
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        match self {
            Self::Time(time) => line(out, &Self::TIME, *time),
            Self::Delta(msec) => line(out, &Self::MSEC, *msec),
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        if from.has(Self::MSEC.name) {
            return take_part(from, &Self::MSEC).map(Self::Delta);
        }
        take_part(from, &Self::TIME).map(Self::Time)
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        matches!(self, Self::Time(_))
    }
}

/// The pressed buttons: bit 0 fires, bit 1 jumps.
///
/// ```
/// use moviola_format::{Buttons, client::Command};
/// assert_eq!(Command::default().buttons, Buttons(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Buttons(pub u8);

impl<'a> Scalar<'a> for Buttons {
    const PARTS: &'static [ValuePart] = &[super::usercmd::FIRE, super::usercmd::JUMP, super::usercmd::FLAG];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        show_buttons(self.0, false, out);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        Ok(Self(take_buttons(from)?.unwrap_or_default()))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        // LMPC drops the list of other buttons.
        self.0 & !3 == 0
    }
}

/// The impulse of a command, which the text omits if it is 0.
///
/// ```
/// use moviola_format::{Impulse, client::Command};
/// assert_eq!(Command::default().impulse, Impulse(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Impulse(pub u8);

impl<'a> Scalar<'a> for Impulse {
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        if self.0 != 0 {
            self.0.show(field, out);
        }
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        if from.has(field.name) { u8::take_field(field, from).map(Self) } else { Ok(Self(0)) }
    }
}

/// Four more bytes in the commands that newer builds of ezQuake write; only the record's length shows them.
///
/// ```
/// use moviola_format::{Prediction, client::Command};
/// assert_eq!(Command::default().prediction, Prediction(None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prediction<'a>(pub Option<&'a [u8; 4]>);

impl Prediction<'_> {
    /// The number of bytes that follow the prediction: the angles of the view.
    const BYTES_AFTER: usize = 12;
}

impl<'a> Scalar<'a> for Prediction<'a> {
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let is_there = reader.rest().len() == Self::BYTES_AFTER + 4;
        Ok(Self(if is_there { Some(reader.chunk()?) } else { None }))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if let Some(bytes) = self.0 {
            writer.bytes(bytes);
        }
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        if let Some(bytes) = self.0 {
            bytes.show(field, out);
        }
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        if !from.has(field.name) {
            return Ok(Self(None));
        }
        let bytes: [u8; 4] = Scalar::take_field(field, from)?;
        Ok(Self(from.keep(&bytes).first_chunk()))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.0.is_none()
    }
}
