//! Kinds of value of FTE's form of Quake's protocols: acknowledgements, and the parts of an entity that predict its
//! movement.

use super::Seconds;
use super::number::{line, take_part};
use super::space::Angle;
use crate::context::{AngleKind, Context, Extensions};
use crate::names::Meaning;
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The server's clock, and with FTE's prediction the low half of the number of the newest command that the server had
/// received.
///
/// ```
/// use moviola_format::{Seconds, ServerTime};
/// let time = ServerTime::from(Seconds::new(1.5));
/// assert_eq!((time.value(), time.command), (1.5, None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ServerTime {
    /// The clock.
    pub seconds: Seconds,
    /// The number of the command.
    pub command: Option<u16>,
}

impl ServerTime {
    /// Seconds since the level began.
    pub fn value(self) -> f32 {
        self.seconds.value()
    }

    /// The same time, counted by another clock.
    #[must_use]
    pub fn at(self, seconds: Seconds) -> Self {
        Self { seconds, ..self }
    }
}

impl From<Seconds> for ServerTime {
    fn from(seconds: Seconds) -> Self {
        Self { seconds, command: None }
    }
}

impl<'a> Scalar<'a> for ServerTime {
    const MOST: usize = 4;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let seconds = Seconds::read(reader)?;
        let command = if reader.context().acknowledges() { Some(u16::read(reader)?) } else { None };
        Ok(Self { seconds, command })
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        self.seconds.write(writer);
        if writer.context().acknowledges() {
            self.command.unwrap_or_default().write(writer);
        }
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        self.seconds.put(out);
        if let Some(command) = self.command {
            out.int(i64::from(command));
        }
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let seconds = Seconds::take(from)?;
        let command = if from.context().acknowledges() { Some(from.int(0, 0xFFFF)? as u16) } else { None };
        Ok(Self { seconds, command })
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.command.is_none()
    }
}

/// The low half of the number of the newest command that the server had received; FTE sends it with prediction.
///
/// ```
/// assert!(moviola_format::CommandNumber::default().0.is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CommandNumber(pub Option<u16>);

impl<'a> Scalar<'a> for CommandNumber {
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Ok(Self(if reader.context().acknowledges() { Some(u16::read(reader)?) } else { None }))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if writer.context().acknowledges() {
            self.0.unwrap_or_default().write(writer);
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
        if !from.context().acknowledges() {
            return Ok(Self(None));
        }
        from.line(field.name)?;
        let number = from.int(0, 0xFFFF)? as u16;
        from.end()?;
        Ok(Self(Some(number)))
    }
}

/// Angles of an entity: those of a predicted entity have 16 bits, unless prediction was announced as an extension.
///
/// ```
/// use moviola_format::deltas::FteEntity;
/// assert!(!FteEntity::default().yaw.fine);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FteAngles<const N: usize> {
    /// The angles.
    pub angles: [Angle; N],
    /// Whether they have 16 bits because the entity is predicted.
    pub fine: bool,
}

impl<const N: usize> Default for FteAngles<N> {
    fn default() -> Self {
        Self { angles: [Angle::default(); N], fine: false }
    }
}

impl<const N: usize> FteAngles<N> {
    const USUAL: ValuePart = if N == 1 {
        ValuePart::new("angles_2", "The yaw.")
    } else {
        ValuePart::new("angles_13", "Pitch and roll.")
    };
    const FINE: ValuePart = if N == 1 {
        ValuePart::new("fine_angles_2", "The yaw of a predicted entity, in 16 bits.")
    } else {
        ValuePart::new("fine_angles_13", "Pitch and roll of a predicted entity, in 16 bits each.")
    };

    fn kind(fine: bool, context: &Context) -> AngleKind {
        if fine { AngleKind::Short } else { context.angle }
    }
}

impl<'a, const N: usize> Scalar<'a> for FteAngles<N> {
    const PARTS: &'static [ValuePart] = &[Self::USUAL, Self::FINE];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let fine = reader.flags() & FtePrediction::FLAG != 0 && !reader.context().acknowledges();
        let mut it = Self { fine, ..Self::default() };
        let kind = Self::kind(fine, reader.context());
        for angle in &mut it.angles {
            *angle = Angle::read_as(kind, reader)?;
        }
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let fine = writer.flags() & FtePrediction::FLAG != 0 && !writer.context().acknowledges();
        let kind = Self::kind(fine, writer.context());
        for angle in self.angles {
            // In a state made of several changes, one part may be from a message in which angles had another size.
            let fits = angle.kind() == kind;
            (if fits { angle } else { Angle::nearest(kind, angle.value()) }).write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        let part = if self.fine { &Self::FINE } else { &Self::USUAL };
        out.line(part.name, part.meaning);
        self.angles.iter().for_each(|angle| angle.put(out));
        out.end();
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let fine = !from.context().acknowledges() && from.has(Self::FINE.name);
        let mut it = Self { fine, ..Self::default() };
        from.line(if fine { Self::FINE.name } else { Self::USUAL.name })?;
        let kind = Self::kind(fine, from.context());
        for angle in &mut it.angles {
            *angle = Angle::take_as(kind, from)?;
        }
        from.end()?;
        Ok(it)
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        if self.fine { bit | FtePrediction::FLAG } else { bit }
    }
}

/// The data with which a client predicts an entity's movement.
///
/// ```
/// use moviola_format::deltas::FteEntity;
/// assert_eq!(FteEntity::default().prediction.velocity(), [0; 3]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FtePrediction {
    /// Which of the values were sent.
    bits: u8,
    /// The values, in the order of [`VALUES`](Self::VALUES).
    values: [i16; 8],
    /// The view's pitch and roll, and its yaw, each if the entity's own are sent too; otherwise the weapon's frame.
    view: [Option<i16>; 3],
    weapon_frame: Option<u16>,
}

impl FtePrediction {
    /// The bit of the entity's flag word that announces it.
    pub(crate) const FLAG: u32 = 1 << 6;
    /// The bits of the entity's flag word for its pitch and roll, and for its yaw.
    const ANGLES: [u32; 3] = [1 << 3, 1 << 3, 1 << 4];
    const LAST: u8 = 1 << 7;
    /// The values by the bit that announces them, and whether they have 16 bits.
    const VALUES: [(u8, bool, ValuePart); 8] = [
        (1, true, ValuePart::new("move_forward", "The speed that the player asks for, forwards.")),
        (2, true, ValuePart::new("move_side", "The speed that the player asks for, to the right.")),
        (4, true, ValuePart::new("move_up", "The speed that the player asks for, upwards.")),
        (8, false, ValuePart::new("movetype", "How it moves.")),
        (16, true, ValuePart::new("velocity_x", "Its velocity along x, in eighths.")),
        (16, true, ValuePart::new("velocity_y", "Its velocity along y, in eighths.")),
        (32, true, ValuePart::new("velocity_z", "Its velocity along z, in eighths.")),
        (64, false, ValuePart::new("msec", "How old the position is, in thousandths of a second.")),
    ];
    const VIEW: ValuePart =
        ValuePart::new("view_angles", "Where the player looks: pitch and roll, yaw, or all three.");
    const WEAPON: ValuePart = ValuePart::new("weaponframe", "The frame of the weapon's animation.");

    /// The velocity in eighths.
    pub fn velocity(&self) -> [i16; 3] {
        let [_, _, _, _, x, y, z, _] = self.values;
        [x, y, z]
    }

    /// The weapon's frame, if it is sent here.
    pub fn weapon_frame(&self) -> Option<u16> {
        self.weapon_frame
    }
}

impl<'a> Scalar<'a> for FtePrediction {
    const PARTS: &'static [ValuePart] = &[
        Self::VALUES[0].2,
        Self::VALUES[1].2,
        Self::VALUES[2].2,
        Self::VALUES[3].2,
        Self::VALUES[4].2,
        Self::VALUES[5].2,
        Self::VALUES[6].2,
        Self::VALUES[7].2,
        Self::VIEW,
        Self::WEAPON,
    ];
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut it = Self { bits: reader.byte()?, ..Self::default() };
        for ((bit, is_short, _), value) in Self::VALUES.iter().zip(&mut it.values) {
            if it.bits & bit != 0 {
                *value = if *is_short { i16::read(reader)? } else { i16::from(reader.byte()?) };
            }
        }
        if it.bits & Self::LAST == 0 {
            return Ok(it);
        }
        if reader.context().acknowledges() {
            for (flag, angle) in Self::ANGLES.into_iter().zip(&mut it.view) {
                if reader.flags() & flag != 0 {
                    *angle = Some(i16::read(reader)?);
                }
            }
            return Ok(it);
        }
        let low = u16::from(reader.byte()?);
        if low & 0x80 == 0 {
            it.weapon_frame = Some(low);
            return Ok(it);
        }
        let high = u16::from(reader.byte()?);
        if high == 0 {
            // A server would have sent the short form.
            return Err(reader.stop_behind(FaultKind::Value(0)));
        }
        it.weapon_frame = Some(low & 0x7F | high << 7);
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.bits);
        for ((bit, is_short, _), value) in Self::VALUES.iter().zip(self.values) {
            match (self.bits & bit != 0, is_short) {
                (true, true) => value.write(writer),
                (true, false) => writer.byte(value as u8),
                _ => {}
            }
        }
        if self.bits & Self::LAST == 0 {
            return;
        }
        if writer.context().acknowledges() {
            for (flag, angle) in Self::ANGLES.into_iter().zip(self.view) {
                if writer.flags() & flag != 0 {
                    angle.unwrap_or_default().write(writer);
                }
            }
            return;
        }
        let frame = self.weapon_frame.unwrap_or_default();
        if frame < 0x80 {
            writer.byte(frame as u8);
        } else {
            writer.byte(frame as u8 | 0x80);
            writer.byte((frame >> 7) as u8);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        for ((bit, _, part), value) in Self::VALUES.iter().zip(self.values) {
            if self.bits & bit != 0 {
                line(out, part, value);
            }
        }
        if let Some(frame) = self.weapon_frame {
            line(out, &Self::WEAPON, frame);
        } else if self.bits & Self::LAST != 0 {
            out.line(Self::VIEW.name, Meaning::Number);
            self.view.iter().flatten().for_each(|angle| out.int(i64::from(*angle)));
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let mut it = Self::default();
        for ((bit, is_short, part), value) in Self::VALUES.iter().zip(&mut it.values) {
            // One flag announces the velocities along x and y.
            if it.bits & bit == 0 && !from.has(part.name) {
                continue;
            }
            it.bits |= bit;
            from.line(part.name)?;
            let [least, most] = if *is_short { [-0x8000, 0x7FFF] } else { [0, 0xFF] };
            *value = from.int(least, most)? as i16;
            from.end()?;
        }
        if from.context().acknowledges() && from.has(Self::VIEW.name) {
            it.bits |= Self::LAST;
            from.line(Self::VIEW.name)?;
            let mut angles = [0; 3];
            let mut count = 0;
            for angle in &mut angles {
                if !from.more() {
                    break;
                }
                *angle = from.int(-0x8000, 0x7FFF)? as i16;
                count += 1;
            }
            from.end()?;
            let [first, second, third] = angles;
            it.view = match count {
                0 => [None; 3],
                1 => [None, None, Some(first)],
                2 => [Some(first), Some(second), None],
                _ => [Some(first), Some(second), Some(third)],
            };
        } else if !from.context().acknowledges() && from.has(Self::WEAPON.name) {
            it.bits |= Self::LAST;
            it.weapon_frame = Some(take_part::<A, u16>(from, &Self::WEAPON)? & 0x7FFF);
        }
        Ok(it)
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        // Flags without any value make no line of text.
        if self.bits == 0 { 0 } else { bit }
    }
}

/// The size of an entity, which prediction needs: 16 packed bits, or one of several forms.
///
/// ```
/// use moviola_format::deltas::FteEntity;
/// assert_eq!(FteEntity::default().solid.value, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FteSolid {
    /// The form: 0 to 3 without a value, or the number of the value's bits; `None` for 16 bits without a form.
    pub form: Option<u8>,
    /// The packed size.
    pub value: u32,
}

impl FteSolid {
    /// The number of bytes after the form.
    fn width(form: u8) -> Option<usize> {
        match form {
            0..=3 => Some(0),
            16 => Some(2),
            32 => Some(4),
            _ => None,
        }
    }

    fn has_forms(context: &Context) -> bool {
        context.extensions.fte2 & Extensions::NEWSIZEENCODING != 0
    }
}

impl<'a> Scalar<'a> for FteSolid {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if !Self::has_forms(reader.context()) {
            return Ok(Self { form: None, value: u32::from(u16::read(reader)?) });
        }
        let form = reader.byte()?;
        let value = match Self::width(form) {
            Some(2) => u32::from(u16::read(reader)?),
            Some(4) => u32::read(reader)?,
            Some(_) => 0,
            None => return Err(reader.stop_behind(FaultKind::Value(form))),
        };
        Ok(Self { form: Some(form), value })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let width = match self.form {
            Some(form) => {
                writer.byte(form);
                Self::width(form).unwrap_or_default()
            }
            None => 2,
        };
        writer.bytes(self.value.to_le_bytes().get(..width).unwrap_or_default());
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        if let Some(form) = self.form {
            out.int(i64::from(form));
            if Self::width(form) == Some(0) {
                return;
            }
        }
        out.int(i64::from(self.value));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        if !Self::has_forms(from.context()) {
            return Ok(Self { form: None, value: from.int(0, 0xFFFF)? as u32 });
        }
        let form = from.int(0, 0xFF)? as u8;
        let value = match Self::width(form) {
            Some(0) => 0,
            Some(width) => from.int(0, (1 << (8 * width)) - 1)? as u32,
            None => return Err(from.refuse("this form of a size does not exist: 0 to 3, 16 or 32")),
        };
        Ok(Self { form: Some(form), value })
    }
}
