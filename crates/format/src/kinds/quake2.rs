//! Kinds of value that only Quake II has, except those of entities, players and frames.

use super::number::line;
use crate::context::{Context, Question};
use crate::dm2::CHANGED;
use crate::names::{Meaning, quake2};
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// A Quake II sound's flag byte; bits 5 to 7 have no meaning.
///
/// ```
/// use moviola_format::{Flags, SoundBits};
/// assert_eq!(SoundBits::SPARE, 0xE0);
/// assert!(SoundBits(4).has(4));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SoundBits(pub u8);

impl<'a> Scalar<'a> for SoundBits {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
}

impl Flags<'_> for SoundBits {
    const SPARE: u32 = 0xE0;
    #[inline(always)]
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

/// The entity that makes a sound and its channel, packed into 16 bits.
///
/// ```
/// use moviola_format::SoundSource;
/// let source = SoundSource(1 << 3 | 2);
/// assert_eq!((source.entity(), source.channel()), (1, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SoundSource(pub u16);

impl SoundSource {
    const CHANNEL: ValuePart =
        ValuePart::meaning("channel", Meaning::Value(quake2::SOUND_CHANNEL), "The channel of the entity.");
    const ENTITY: ValuePart =
        ValuePart::meaning("entity", Meaning::Entity, "The entity that makes the sound.");

    /// The channel.
    pub fn channel(self) -> u8 {
        (self.0 & 7) as u8
    }
    /// The entity.
    pub fn entity(self) -> u16 {
        self.0 >> 3
    }
}

impl<'a> Scalar<'a> for SoundSource {
    const PARTS: &'static [ValuePart] = &[Self::CHANNEL, Self::ENTITY];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        u16::read(reader).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::CHANNEL, self.channel());
        line(out, &Self::ENTITY, self.entity());
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        from.line(Self::CHANNEL.name)?;
        let channel = from.int(0, 7)? as u16;
        from.end()?;
        from.line(Self::ENTITY.name)?;
        let mut entity = from.int(-0x1000, 0x1FFF)? as u16;
        from.end()?;
        if from.wraps_values() {
            entity &= 0x7FF;
        }
        Ok(Self(entity << 3 | channel))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.entity() <= 0x7FF
    }
}

/// A direction: a number in the games' table of 162 normals.
///
/// ```
/// use moviola_format::Direction;
/// let up = Direction::nearest([0.0, 0.0, 1.0]);
/// assert_eq!(up.vector(), Some([0.0, 0.0, 1.0]));
/// assert_eq!(Direction(200).vector(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Direction(pub u8);

impl Direction {
    /// The unit vector, if the number is in the table.
    pub fn vector(self) -> Option<[f32; 3]> {
        crate::normals::NORMALS.get(usize::from(self.0)).copied()
    }

    /// The direction nearest to a vector.
    #[allow(clippy::float_cmp, reason = "one of the table is meant exactly")]
    pub fn nearest(vector: [f32; 3]) -> Self {
        // The vector is nearly always one of the table.
        if let Some(n) = crate::normals::NORMALS.iter().position(|normal| *normal == vector) {
            return Self(n as u8);
        }
        let product = |normal: &[f32; 3]| normal.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
        let mut best = (0, f32::MIN);
        for (n, normal) in (0u8..).zip(&crate::normals::NORMALS) {
            let found = product(normal);
            if found > best.1 {
                best = (n, found);
            }
        }
        Self(best.0)
    }
}

impl<'a> Scalar<'a> for Direction {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        match self.vector() {
            Some(vector) => vector.into_iter().for_each(|part| out.float(part.to_bits())),
            None => out.int(i64::from(self.0)),
        }
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        // One number is the index in the table; three numbers are the vector.
        let first = from.finite()?;
        if !from.more() {
            let index = f32::from_bits(first);
            return match index {
                0.0..256.0 if index.fract() == 0.0 => Ok(Self(index as u8)),
                _ => Err(from.refuse("a direction is three numbers, or one whole number from 0 to 255")),
            };
        }
        let vector = [first, from.finite()?, from.finite()?].map(f32::from_bits);
        Ok(Self::nearest(vector))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.vector().is_some()
    }
}

/// The flame's positions, one after the other.
///
/// ```
/// use moviola_format::dm2::TempEntity;
/// let flame = TempEntity::default();
/// assert_eq!(flame.more, Default::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlamePositions<'a>(pub &'a [u8; 18]);

impl Default for FlamePositions<'_> {
    fn default() -> Self {
        Self(&[0; 18])
    }
}

impl FlamePositions<'_> {
    const POS: [ValuePart; 3] = [
        ValuePart::new("pos2", "Another position."),
        ValuePart::new("pos3", "Another position."),
        ValuePart::new("pos4", "Another position."),
    ];
}

impl<'a> Scalar<'a> for FlamePositions<'a> {
    const PARTS: &'static [ValuePart] = &Self::POS;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.chunk().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        for (part, bytes) in Self::POS.iter().zip(self.0.as_chunks::<6>().0) {
            let mut reader = Reader::new(bytes, &const { Context::quake2() });
            line(out, part, <[super::Short8; 3]>::read(&mut reader).unwrap_or_default());
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let mut bytes = Vec::with_capacity(18);
        for part in &Self::POS {
            let position: [super::Short8; 3] = super::number::take_part(from, part)?;
            position.write(&mut Writer::new(&mut bytes, &Context::quake2()));
        }
        let Some(kept) = from.keep(&bytes).first_chunk() else {
            return Err(from.refuse("three positions are needed"));
        };
        Ok(Self(kept))
    }
}

/// A piece of a downloaded file; the bytes follow from protocol 32 on.
///
/// ```
/// use moviola_format::dm2::Download;
/// assert_eq!(Download::default().piece, Default::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DownloadPiece<'a> {
    /// The number of bytes; -1 if there is no such file.
    pub size: i16,
    /// The transferred share of the file, in percent.
    pub percent: u8,
    /// The bytes, if the protocol sends them.
    pub data: &'a [u8],
}

impl DownloadPiece<'_> {
    const SIZE: ValuePart =
        ValuePart::new("size", "The number of bytes; -1 means that there is no such file.");
    const PERCENT: ValuePart = ValuePart::new("percent", "How much of the file is through.");
    const DATA: ValuePart = ValuePart::new("data", "The bytes, which follow from protocol 32 on.");

    /// The reason why the game would not read exactly these bytes, if there is one.
    fn contradicts(&self, context: &Context) -> Option<&'static str> {
        let claimed = usize::try_from(self.size).unwrap_or_default();
        let follow = context.quake2_protocol() >= CHANGED;
        match self.data.len() {
            // As long as the protocol is unknown, it may be one that sends no bytes.
            0 if context.is_layout_open() || !follow => None,
            sent if !follow && sent > 0 => Some("before protocol 32 no bytes follow a download"),
            sent if sent != claimed => Some("`size` is not the number of bytes in `data`"),
            _ => None,
        }
    }
}

impl<'a> Scalar<'a> for DownloadPiece<'a> {
    const PARTS: &'static [ValuePart] = &[Self::SIZE, Self::PERCENT, Self::DATA];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let (size, percent) = (i16::read(reader)?, reader.byte()?);
        if size > 0 && reader.context().is_layout_open() {
            return Err(reader.stop(FaultKind::Undecided(Question::Layout)));
        }
        let follows = reader.context().quake2_protocol() >= CHANGED;
        let len = if follows { usize::try_from(size).unwrap_or(0) } else { 0 };
        Ok(Self { size, percent, data: reader.slice(len)? })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.size.write(writer);
        writer.byte(self.percent);
        writer.bytes(self.data);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::SIZE, self.size);
        line(out, &Self::PERCENT, self.percent);
        if !self.data.is_empty() {
            out.line(Self::DATA.name, Meaning::Number);
            out.data(self.data);
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let size = super::number::take_part(from, &Self::SIZE)?;
        let percent = super::number::take_part(from, &Self::PERCENT)?;
        let mut data: &[u8] = &[];
        if from.has(Self::DATA.name) {
            from.line(Self::DATA.name)?;
            data = from.data()?;
            from.end()?;
        }
        let piece = Self { size, percent, data };
        match piece.contradicts(from.context()).filter(|_| !from.wraps_values()) {
            Some(why) => Err(from.refuse_field(Self::SIZE.name, why)),
            None => Ok(piece),
        }
    }
}
