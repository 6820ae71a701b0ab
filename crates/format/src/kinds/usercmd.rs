//! A player's command in QuakeWorld, coded as the difference from a command without input.

use super::Angle16;
use super::number::{line, take_part};
use crate::context::Context;
use crate::rules::quakeworld::LONG_COMMANDS;
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};

/// A player's command: a byte of flags and the fields that it announces.
///
/// Up to protocol 26 the yaw is always sent, the speeds have 8 bits, and the topmost flag announces the time.
/// From protocol 27 on the topmost flag announces the yaw, and the time is always sent.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, UserCommand};
/// let context = Context::quakeworld();
/// let command = UserCommand::read(&mut Reader::new(&[0x20, 1, 13], &context)).unwrap();
/// assert_eq!((command.buttons, command.load), (1, 13));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UserCommand {
    bits: u8,
    /// Whether the command has the layout of protocol 27 and later.
    long: bool,
    /// Pitch, yaw and roll.
    pub angles: [Angle16; 3],
    /// The speed forwards, to the right, and up.
    pub speed: [i16; 3],
    /// Bit 0 fires, bit 1 jumps.
    pub buttons: u8,
    /// The impulse.
    pub impulse: u8,
    /// The duration of the command in milliseconds.
    pub load: u8,
}

const ANGLES: [ValuePart; 3] = [
    ValuePart::new("angles_1", "Pitch."),
    ValuePart::new("angles_2", "Yaw."),
    ValuePart::new("angles_3", "Roll."),
];
const SPEED: [ValuePart; 3] = [
    ValuePart::new("speed_x", "Speed forwards."),
    ValuePart::new("speed_y", "Speed to the right."),
    ValuePart::new("speed_z", "Speed upwards."),
];
pub(super) const FIRE: ValuePart = ValuePart::new("fire", "Fires.");
pub(super) const JUMP: ValuePart = ValuePart::new("jump", "Jumps.");
pub(super) const FLAG: ValuePart = ValuePart::new("flag", "Other buttons, by the numbers of their bits.");
const IMPULSE: ValuePart = ValuePart::new("impulse", "The impulse.");
const LOAD: ValuePart = ValuePart::new("load", "For how many milliseconds the command holds.");

impl UserCommand {
    const PITCH: u8 = 1 << 0;
    const ROLL: u8 = 1 << 1;
    const SPEED: [u8; 3] = [1 << 2, 1 << 3, 1 << 4];
    const BUTTONS: u8 = 1 << 5;
    const IMPULSE: u8 = 1 << 6;
    /// Announces the time before protocol 27, the yaw from protocol 27 on.
    const LAST: u8 = 1 << 7;

    fn is_long(context: &Context) -> bool {
        context.quakeworld_protocol() >= LONG_COMMANDS
    }

    /// Whether each of the three angles is on the wire.
    fn turns(bits: u8, long: bool) -> [bool; 3] {
        [bits & Self::PITCH != 0, !long || bits & Self::LAST != 0, bits & Self::ROLL != 0]
    }
}

/// Shows the buttons of a command: those with a name, then the others by the number of their bit.
pub(super) fn show_buttons<'a, S: ValueSink<'a>>(buttons: u8, sent: bool, out: &mut S) {
    for (bit, part) in [(1, &FIRE), (2, &JUMP)] {
        if buttons & bit != 0 {
            out.line(part.name, part.meaning);
            out.end();
        }
    }
    if buttons & !3 != 0 || sent && buttons == 0 {
        out.line(FLAG.name, FLAG.meaning);
        (2..8).filter(|bit| buttons & 1 << bit != 0).for_each(|bit| out.int(bit));
        out.end();
    }
}

/// Takes the buttons of a command; `None` if the text has no line for them.
pub(super) fn take_buttons<'a, A: ValueSource<'a>>(from: &mut A) -> Result<Option<u8>, A::Error> {
    let mut buttons = None;
    for (bit, part) in [(1, &FIRE), (2, &JUMP)] {
        if from.has(part.name) {
            from.line(part.name)?;
            from.end()?;
            *buttons.get_or_insert(0) |= bit;
        }
    }
    if from.has(FLAG.name) {
        from.line(FLAG.name)?;
        let buttons = buttons.get_or_insert(0);
        while from.more() {
            *buttons |= 1 << from.int(2, 7)?;
        }
        from.end()?;
    }
    Ok(buttons)
}

/// Takes a line that may be absent.
fn take_if<'a, A: ValueSource<'a>, T: Scalar<'a>>(
    from: &mut A,
    part: &ValuePart,
) -> Result<Option<T>, A::Error> {
    if from.has(part.name) { take_part(from, part).map(Some) } else { Ok(None) }
}

impl<'a> Scalar<'a> for UserCommand {
    const PARTS: &'static [ValuePart] =
        &[ANGLES[0], ANGLES[1], ANGLES[2], SPEED[0], SPEED[1], SPEED[2], FIRE, JUMP, FLAG, IMPULSE, LOAD];
    const MOST: usize = 16;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let long = Self::is_long(reader.context());
        let bits = reader.byte()?;
        let mut it = Self { bits, long, ..Self::default() };
        for (angle, there) in it.angles.iter_mut().zip(Self::turns(bits, long)) {
            *angle = Angle16(i16::read_if(reader, there)?);
        }
        for (speed, bit) in it.speed.iter_mut().zip(Self::SPEED) {
            *speed = if long {
                i16::read_if(reader, bits & bit != 0)?
            } else {
                i16::from(u8::read_if(reader, bits & bit != 0)?)
            };
        }
        it.buttons = u8::read_if(reader, bits & Self::BUTTONS != 0)?;
        it.impulse = u8::read_if(reader, bits & Self::IMPULSE != 0)?;
        it.load = u8::read_if(reader, long || bits & Self::LAST != 0)?;
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let long = Self::is_long(writer.context());
        writer.byte(self.bits);
        for (angle, there) in self.angles.iter().zip(Self::turns(self.bits, long)) {
            if there {
                angle.0.write(writer);
            }
        }
        for (speed, bit) in self.speed.iter().zip(Self::SPEED) {
            match (self.bits & bit != 0, long) {
                (true, true) => speed.write(writer),
                (true, false) => writer.byte(*speed as u8),
                _ => {}
            }
        }
        for (value, there) in [
            (self.buttons, self.bits & Self::BUTTONS != 0),
            (self.impulse, self.bits & Self::IMPULSE != 0),
            (self.load, long || self.bits & Self::LAST != 0),
        ] {
            if there {
                writer.byte(value);
            }
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        let is_set = |bit| self.bits & bit != 0;
        for ((angle, part), there) in self.angles.iter().zip(&ANGLES).zip(Self::turns(self.bits, self.long)) {
            if there {
                line(out, part, *angle);
            }
        }
        for ((speed, part), bit) in self.speed.iter().zip(&SPEED).zip(Self::SPEED) {
            if is_set(bit) {
                line(out, part, *speed);
            }
        }
        if is_set(Self::BUTTONS) {
            show_buttons(self.buttons, true, out);
        }
        if is_set(Self::IMPULSE) {
            line(out, &IMPULSE, self.impulse);
        }
        if self.long || is_set(Self::LAST) {
            line(out, &LOAD, self.load);
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let long = Self::is_long(from.context());
        let mut it = Self { long, ..Self::default() };
        for ((angle, part), bit) in
            it.angles.iter_mut().zip(&ANGLES).zip([Self::PITCH, Self::LAST, Self::ROLL])
        {
            let found =
                if bit == Self::LAST && !long { Some(take_part(from, part)?) } else { take_if(from, part)? };
            if let Some(found) = found {
                *angle = found;
                it.bits |= if bit == Self::LAST && !long { 0 } else { bit };
            }
        }
        for ((speed, part), bit) in it.speed.iter_mut().zip(&SPEED).zip(Self::SPEED) {
            if from.has(part.name) {
                from.line(part.name)?;
                let (least, most) = if long { (-0x8000, 0x7FFF) } else { (0, 0xFF) };
                *speed = from.int(least, most)? as i16;
                from.end()?;
                it.bits |= bit;
            }
        }
        if let Some(buttons) = take_buttons(from)? {
            it.buttons = buttons;
            it.bits |= Self::BUTTONS;
        }
        if let Some(impulse) = take_if(from, &IMPULSE)? {
            it.impulse = impulse;
            it.bits |= Self::IMPULSE;
        }
        if long {
            it.load = take_part(from, &LOAD)?;
        } else if let Some(load) = take_if(from, &LOAD)? {
            it.load = load;
            it.bits |= Self::LAST;
        }
        Ok(it)
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        // LMPC drops the list of other buttons, and compiles both named buttons if one of the two is given.
        self.bits & Self::BUTTONS == 0 || matches!(self.buttons, 2 | 3)
    }
}
