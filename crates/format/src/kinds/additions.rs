//! The fields that Nehahra and `DarkPlaces` add to an entity's update of protocol 15.

use super::number::{line, take_part};
use crate::context::{Answer, Context, DarkPlaces};
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};

/// Nehahra's three floats after an entity update: a mark, the alpha, and with mark 2 a brightness. Or the
/// bytes of `DarkPlaces`, which are announced by two further bytes of flags.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, Transparency};
/// let mut context = Context::quake();
/// context.set_quake_protocol(250, 0);
/// let wire: Vec<u8> = [1f32, 0.5].iter().flat_map(|it| it.to_le_bytes()).collect();
/// let glass = Transparency::read(&mut Reader::new(&wire, &context)).unwrap();
/// assert_eq!(glass.floats().collect::<Vec<_>>(), [1.0, 0.5]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transparency {
    bytes: [[u8; 4]; 3],
    form: Form,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Form {
    #[default]
    Absent,
    /// The mark, the alpha, and the brightness.
    Nehahra,
    /// Two bytes of flags, and up to eight bytes that they announce.
    DarkPlaces,
}

/// The additions of `DarkPlaces` to an update, each if it was sent.
///
/// ```
/// use moviola_format::dem::UpdateEntity;
/// assert!(UpdateEntity::default().transparency.darkplaces().is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DarkPlacesAdditions {
    /// Missing fields keep the values of the update before, not those of the baseline.
    pub delta: bool,
    /// The opacity: 255 is solid.
    pub alpha: Option<u8>,
    /// The scale, in sixteenths.
    pub scale: Option<u8>,
    /// The high byte of the effects.
    pub effects_high: Option<u8>,
    /// The high byte of the frame.
    pub frame_high: Option<u8>,
    /// The high byte of the model's number.
    pub model_high: Option<u8>,
}

/// The bit of the second byte of flags, which announces the third.
const MORE: u16 = 1 << 7;
const DELTA: u16 = 1 << 0;
const ALPHA: (u16, ValuePart) =
    (1 << 1, ValuePart::new("dp_alpha", "The opacity (DarkPlaces): 255 is solid."));
const SCALE: (u16, ValuePart) =
    (1 << 2, ValuePart::new("dp_scale", "The scale, in sixteenths (DarkPlaces)."));
const EFFECTS: (u16, ValuePart) =
    (1 << 3, ValuePart::new("dp_effects", "The high byte of the effects (DarkPlaces)."));
const FRAME: (u16, ValuePart) =
    (1 << 10, ValuePart::new("dp_frame", "The high byte of the frame (DarkPlaces)."));
const MODEL: (u16, ValuePart) =
    (1 << 11, ValuePart::new("dp_model", "The high byte of the model's number (DarkPlaces)."));
/// The bytes in the order of the wire, by their flags.
const BYTES: [(u16, ValuePart); 8] = [
    ALPHA,
    SCALE,
    EFFECTS,
    (1 << 4, ValuePart::new("dp_glowsize", "The size of the glow, in 4 units (DarkPlaces).")),
    (1 << 5, ValuePart::new("dp_glowcolor", "The color of the glow (DarkPlaces).")),
    (1 << 6, ValuePart::new("dp_colormod", "The color by which it is multiplied (DarkPlaces).")),
    FRAME,
    MODEL,
];
const FLAGS: ValuePart = ValuePart::new("dp_flags", "The flags of the parts that DarkPlaces adds.");

/// The bytes that these flags announce.
fn announced(flags: u16) -> impl Iterator<Item = &'static (u16, ValuePart)> {
    const ALL: &[(u16, ValuePart)] = &BYTES;
    ALL.iter().filter(move |(flag, _)| flags & flag != 0)
}

impl Transparency {
    /// Nehahra's floats as sent; empty if the protocol has none.
    pub fn floats(&self) -> impl Iterator<Item = f32> + use<'_> {
        self.bytes.iter().take(self.len()).map(|bytes| f32::from_le_bytes(*bytes))
    }

    /// The additions of `DarkPlaces`, if there are any.
    pub fn darkplaces(&self) -> Option<DarkPlacesAdditions> {
        let (flags, bytes) = self.flags_and_bytes()?;
        let value_of = |(wanted, _): (u16, ValuePart)| {
            let mut sent = announced(flags).zip(bytes);
            sent.find(|((flag, _), _)| *flag == wanted).map(|(_, byte)| byte)
        };
        Some(DarkPlacesAdditions {
            delta: flags & DELTA != 0,
            alpha: value_of(ALPHA),
            scale: value_of(SCALE),
            effects_high: value_of(EFFECTS),
            frame_high: value_of(FRAME),
            model_high: value_of(MODEL),
        })
    }

    /// Whether Nehahra may have sent it: the mark is 0, 1 or 2, and an alpha is between 0 and 1.
    pub(crate) fn is_plausible(&self) -> bool {
        let [mark, alpha, _] = self.bytes.map(f32::from_le_bytes);
        self.form != Form::Nehahra || [0.0, 1.0, 2.0].contains(&mark) && (0.0..=1.0).contains(&alpha)
    }

    fn len(&self) -> usize {
        let [mark, ..] = self.bytes;
        match self.form {
            #[allow(clippy::float_cmp)]
            Form::Nehahra if f32::from_le_bytes(mark) == 2.0 => 3,
            Form::Nehahra => 2,
            Form::Absent | Form::DarkPlaces => 0,
        }
    }

    fn flags_and_bytes(&self) -> Option<(u16, [u8; 8])> {
        let (flags, bytes) = self.bytes.as_flattened().split_first_chunk::<2>()?;
        let bytes = *bytes.first_chunk()?;
        (self.form == Form::DarkPlaces).then_some((u16::from_le_bytes(*flags), bytes))
    }

    fn of_darkplaces(flags: u16, bytes: [u8; 8]) -> Self {
        let mut it = Self { form: Form::DarkPlaces, ..Self::default() };
        let all = flags.to_le_bytes().into_iter().chain(bytes);
        it.bytes.as_flattened_mut().iter_mut().zip(all).for_each(|(to, from)| *to = from);
        it
    }
}

impl<'a> Scalar<'a> for Transparency {
    const MOST: usize = 0;
    const SILENT: bool = true;
    const PARTS: &'static [ValuePart] = &[
        ValuePart::new("transparency", "Nehahra: a mark, the alpha, and with mark 2 the brightness."),
        FLAGS,
        BYTES[0].1,
        BYTES[1].1,
        BYTES[2].1,
        BYTES[3].1,
        BYTES[4].1,
        BYTES[5].1,
        BYTES[6].1,
        BYTES[7].1,
    ];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let context = reader.context();
        if context.darkplaces as u8 != DarkPlaces::No as u8 {
            // The flags precede the entity's number.
            let flags = reader.number();
            let mut bytes = [0; 8];
            for (byte, _) in bytes.iter_mut().zip(announced(flags)) {
                *byte = reader.byte()?;
            }
            return Ok(Self::of_darkplaces(flags, bytes));
        }
        if context.nehahra != Answer::Yes || context.extended {
            return Ok(Self::default());
        }
        let mut it = Self { bytes: [reader.array()?, reader.array()?, [0; 4]], form: Form::Nehahra };
        if it.len() == 3 {
            let [.., last] = &mut it.bytes;
            *last = reader.array()?;
        }
        Ok(it)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        if let Some((flags, bytes)) = self.flags_and_bytes() {
            let sent = flags.to_le_bytes();
            writer.behind_flags(if flags & MORE == 0 { sent.get(..1).unwrap_or_default() } else { &sent });
            return writer.bytes(bytes.get(..announced(flags).count()).unwrap_or_default());
        }
        let [mark, alpha, brightness] = &self.bytes;
        if self.form == Form::Nehahra {
            writer.bytes(mark);
            writer.bytes(alpha);
        }
        if self.len() == 3 {
            writer.bytes(brightness);
        }
    }
    #[inline(always)]
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        match self.form {
            Form::Absent => {}
            Form::Nehahra => {
                out.line(field.name, field.meaning);
                // Not a loop: a closure would keep the printer's state out of registers.
                let [mark, alpha, brightness] = self.bytes.map(u32::from_le_bytes);
                out.float(mark);
                out.float(alpha);
                if self.len() == 3 {
                    out.float(brightness);
                }
                out.end();
            }
            Form::DarkPlaces => {
                let (flags, bytes) = self.flags_and_bytes().unwrap_or_default();
                line(out, &FLAGS, flags);
                for ((_, part), byte) in announced(flags).zip(bytes) {
                    line(out, part, byte);
                }
            }
        }
    }
    fn is_offered<A: ValueSource<'a>>(field: &Field, from: &mut A) -> bool {
        from.has(field.name) || from.context().darkplaces != DarkPlaces::No && from.has(FLAGS.name)
    }
    #[inline(always)]
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        if from.context().darkplaces != DarkPlaces::No {
            let flags: u16 = take_part(from, &FLAGS)?;
            if flags > 0xFF && flags & MORE == 0 {
                return Err(from.refuse("the upper eight flags need flag 128"));
            }
            let mut bytes = [0; 8];
            for (byte, (_, part)) in bytes.iter_mut().zip(announced(flags)) {
                *byte = take_part(from, part)?;
            }
            return Ok(Self::of_darkplaces(flags, bytes));
        }
        from.line(field.name)?;
        if from.context().extended {
            return Err(from.refuse("this protocol has `alpha` instead"));
        }
        let mut it = Self {
            bytes: [from.float()?.to_le_bytes(), from.float()?.to_le_bytes(), [0; 4]],
            form: Form::Nehahra,
        };
        if it.len() == 3 {
            let [.., last] = &mut it.bytes;
            *last = from.float()?.to_le_bytes();
        }
        from.end()?;
        Ok(it)
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        if self.form == Form::Absent { 0 } else { bit }
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.form == Form::Absent
    }
}
