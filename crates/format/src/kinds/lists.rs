//! The lists of QuakeWorld: the names of models and sounds, part by part, and the nails in flight.

use super::number::{line, take_part};
use super::{Angle8, StrList};
use crate::context::Context;
use crate::rules::quakeworld::PARTS as LIST_PARTS;
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};
use std::fmt;

/// A part of the list of models or sounds. Before protocol 26 the list comes in one message, without the two
/// numbers.
///
/// ```
/// use moviola_format::{Context, NameList, Reader, Scalar};
/// let context = Context::quakeworld();
/// let list = NameList::<0>::read(&mut Reader::new(b"\0maps/dm2.bsp\0*1\0\0\0", &context)).unwrap();
/// assert_eq!((list.first, list.names.iter().count(), list.next), (Some(0), 2, Some(0)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NameList<'a, const KIND: u8> {
    /// The number of names in the parts before; `None` before protocol 26.
    pub first: Option<u16>,
    /// The names of this part; the first name of the first part has the number 1.
    pub names: StrList<'a>,
    /// The `first` of the next part; 0 ends the list. `None` before protocol 26, or if the block ends before
    /// this byte.
    pub next: Option<u8>,
}

/// The values of `KIND`: models, sounds, or models with numbers above 255.
const MODELS: u8 = 0;
const SOUNDS: u8 = 1;
const MANY_MODELS: u8 = 2;

/// A part of the list of models.
///
/// ```
/// use moviola_format::qw::ModelList;
/// assert_eq!(ModelList::default().list, moviola_format::ModelNames::default());
/// ```
pub type ModelNames<'a> = NameList<'a, MODELS>;
/// A part of the list of sounds.
///
/// ```
/// use moviola_format::qw::SoundList;
/// assert_eq!(SoundList::default().list, moviola_format::SoundNames::default());
/// ```
pub type SoundNames<'a> = NameList<'a, SOUNDS>;
/// A part of the list of models whose first number has 16 bits.
///
/// ```
/// use moviola_format::qw::ModelListShort;
/// assert_eq!(ModelListShort::default().list, moviola_format::ManyModelNames::default());
/// ```
pub type ManyModelNames<'a> = NameList<'a, MANY_MODELS>;

impl<const KIND: u8> NameList<'_, KIND> {
    const FIRST: ValuePart = ValuePart::new("first", "The number before that of the first name.");
    const NAMES: ValuePart = ValuePart::new(
        if KIND == SOUNDS { "sounds" } else { "models" },
        "The names, as many as a packet holds.",
    );
    const NEXT: ValuePart = ValuePart::new("next", "Where the list goes on; 0 is its end.");

    fn in_parts(context: &Context) -> bool {
        KIND == MANY_MODELS || context.quakeworld_protocol() >= LIST_PARTS
    }
}

impl<'a, const KIND: u8> Scalar<'a> for NameList<'a, KIND> {
    const PARTS: &'static [ValuePart] = &[Self::FIRST, Self::NAMES, Self::NEXT];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let in_parts = Self::in_parts(reader.context());
        let first = match (in_parts, KIND) {
            (false, _) => None,
            (true, MANY_MODELS) => Some(u16::read(reader)?),
            (true, _) => Some(u16::from(reader.byte()?)),
        };
        let names = StrList::read(reader)?;
        let next = if in_parts && names.is_terminated() { Some(reader.byte()?) } else { None };
        Ok(Self { first, names, next })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        match self.first {
            Some(first) if KIND == MANY_MODELS => first.write(writer),
            Some(first) => writer.byte(first as u8),
            None => {}
        }
        self.names.write(writer);
        if let Some(next) = self.next {
            writer.byte(next);
        }
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        let Some(first) = self.first else { return self.names.show(field, out) };
        line(out, &Self::FIRST, first);
        line(out, &Self::NAMES, self.names);
        if let Some(next) = self.next {
            line(out, &Self::NEXT, next);
        }
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        let bare = from.bare();
        if !Self::in_parts(from.context()) {
            if !bare && from.has(Self::FIRST.name) {
                let why = "before protocol 26 a list comes in one message: its names stand without braces";
                return Err(from.refuse_field(Self::FIRST.name, why));
            }
            // A list without names is a keyword alone, which no value and no braces follow.
            let names = if bare { StrList::take_field(field, from)? } else { StrList::default() };
            return Ok(Self { first: None, names, next: None });
        }
        if bare {
            return Err(from.refuse("from protocol 26 on a list has `first` and `next`, and so braces"));
        }
        from.line(Self::FIRST.name)?;
        let first = from.int(0, if KIND == MANY_MODELS { 0xFFFF } else { 0xFF })? as u16;
        from.end()?;
        let names: StrList<'a> = take_part(from, &Self::NAMES)?;
        let next = if names.is_terminated() { Some(take_part(from, &Self::NEXT)?) } else { None };
        Ok(Self { first: Some(first), names, next })
    }
    fn bare(&self) -> bool {
        self.first.is_none()
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        // LMPC cannot read a list without names, and it has no list with numbers above 255.
        KIND != MANY_MODELS && self.names.in_lmpc(context)
    }
}

/// The nails in flight, six bytes each; in the MVD's message a number precedes each.
///
/// ```
/// use moviola_format::{Context, Nails, Reader, Scalar};
/// let context = Context::quakeworld();
/// let nails = Nails::<false>::read(&mut Reader::new(&[1, 0, 8, 0x80, 0, 8, 0x40], &context)).unwrap();
/// let nail = nails.iter().next().unwrap();
/// assert_eq!((nail.number, nail.origin, nail.angles[1].value()), (None, [0; 3], 90.0));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Nails<'a, const NUMBERED: bool>(&'a [u8]);

/// A nail in flight.
///
/// ```
/// assert_eq!(moviola_format::Nail::default().origin, [0; 3]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nail {
    /// The number of the nail, in MVDs.
    pub number: Option<u8>,
    /// The position, in steps of two units.
    pub origin: [i16; 3],
    /// Pitch in steps of 22.5 degrees, and yaw.
    pub angles: [Angle8; 2],
}

impl Nail {
    fn unpack(bytes: [u8; 6]) -> Self {
        // Three coordinates of twelve bits, four bits of pitch, and a byte of yaw.
        let [x, y, z] = [0, 12, 24].map(|bit| {
            let packed = bytes.iter().rev().fold(0u64, |packed, byte| packed << 8 | u64::from(*byte));
            (packed >> bit & 0xFFF) as i16 * 2 - 4096
        });
        let [.., last, yaw] = bytes;
        Self { number: None, origin: [x, y, z], angles: [last & 0xF0, yaw].map(|it| Angle8(it as i8)) }
    }

    fn pack(self) -> [u8; 6] {
        let [x, y, z] = self.origin.map(|it| (it / 2 + 2048) as u16);
        let [pitch, yaw] = self.angles.map(|it| it.0 as u8);
        [
            x as u8,
            (x >> 8) as u8 & 15 | (y as u8) << 4,
            (y >> 4) as u8,
            z as u8,
            (z >> 8) as u8 & 15 | pitch & 0xF0,
            yaw,
        ]
    }
}

impl<'a, const NUMBERED: bool> Nails<'a, NUMBERED> {
    const SIZE: usize = if NUMBERED { 7 } else { 6 };
    const NAIL: ValuePart =
        ValuePart::new("nail", "A spike: `number` in MVDs, `origin`, `angles_1` and `angles_2`.");
    const NUMBER: ValuePart = ValuePart::new("number", "By which it is known from frame to frame.");
    const ORIGIN: ValuePart = ValuePart::new("origin", "Where it is, in steps of two units.");
    const ANGLES: [ValuePart; 2] =
        [ValuePart::new("angles_1", "Pitch, in steps of 22.5 degrees."), ValuePart::new("angles_2", "Yaw.")];

    /// The nails.
    pub fn iter(self) -> impl Iterator<Item = Nail> + use<'a, NUMBERED> {
        self.0.chunks_exact(Self::SIZE).filter_map(|bytes| {
            let nail = Nail::unpack(*bytes.last_chunk()?);
            Some(Nail { number: bytes.first().copied().filter(|_| NUMBERED), ..nail })
        })
    }
}

impl<const NUMBERED: bool> fmt::Debug for Nails<'_, NUMBERED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, const NUMBERED: bool> Scalar<'a> for Nails<'a, NUMBERED> {
    const PARTS: &'static [ValuePart] =
        &[Self::NAIL, Self::NUMBER, Self::ORIGIN, Self::ANGLES[0], Self::ANGLES[1]];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let count = usize::from(reader.byte()?);
        reader.slice(count * Self::SIZE).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte((self.0.len() / Self::SIZE) as u8);
        writer.bytes(self.0);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        for nail in self.iter() {
            out.open(Self::NAIL.name);
            if let Some(number) = nail.number {
                line(out, &Self::NUMBER, number);
            }
            line(out, &Self::ORIGIN, nail.origin);
            for (angle, part) in nail.angles.iter().zip(&Self::ANGLES) {
                line(out, part, *angle);
            }
            out.close();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let mut bytes = Vec::new();
        while from.open(Self::NAIL.name)? {
            if bytes.len() >= 255 * Self::SIZE {
                return Err(from.refuse("one message holds up to 255 nails"));
            }
            if NUMBERED {
                bytes.push(take_part(from, &Self::NUMBER)?);
            }
            from.line(Self::ORIGIN.name)?;
            let mut origin = [0; 3];
            for part in &mut origin {
                *part = from.int(-4096, 4095)? as i16 & !1;
            }
            from.end()?;
            let angles = [take_part(from, &Self::ANGLES[0])?, take_part(from, &Self::ANGLES[1])?];
            from.close()?;
            bytes.extend(Nail { number: None, origin, angles }.pack());
        }
        Ok(Self(from.keep(&bytes)))
    }
    fn bare(&self) -> bool {
        false
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        !NUMBERED && !self.0.is_empty()
    }
}
