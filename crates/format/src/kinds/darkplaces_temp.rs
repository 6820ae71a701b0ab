//! Temporary entities of `DarkPlaces`: the game's own kinds and those that it added.

use super::number::{line, take_part};
use super::space::Coord;
use super::string::Str;
use super::te;
use super::temp::TempKind;
use crate::context::{Context, CoordKind};
use crate::dem::TempEntity;
use crate::names::{Meaning, quake, value};
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// A part of a temporary entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// A position.
    At(&'static str),
    /// A single coordinate.
    Length(&'static str),
    /// Three signed bytes.
    Direction,
    /// Three unsigned bytes.
    Color,
    /// A byte.
    Byte(&'static str),
    /// 16 bits.
    Short(&'static str),
    /// A string.
    Text,
}

impl Piece {
    fn width(self, coord: usize) -> usize {
        match self {
            Self::At(_) => 3 * coord,
            Self::Length(_) => coord,
            Self::Direction | Self::Color => 3,
            Self::Byte(_) => 1,
            Self::Short(_) => 2,
            Self::Text => 0,
        }
    }
}

/// Declares the pieces of the temporary entities that `DarkPlaces` added. The numbers are only in the list of names.
macro_rules! pieces { ($( $name:ident: [$($piece:expr),*], )*) => {
    mod added {
        use super::*;
        $( pub(super) const $name: u8 = value(quake::TEMP_ENTITY, stringify!($name)) as u8; )*
    }
    fn pieces(kind: u8) -> Option<&'static [Piece]> {
        match kind { $( added::$name => Some(&[$($piece),*]), )* _ => None }
    }
} }

const ORIGIN: Piece = Piece::At("origin");
const SECOND: Piece = Piece::At("trace_endpos");
const THIRD: Piece = Piece::At("direction");
const COUNT: Piece = Piece::Byte("count");
const MANY: Piece = Piece::Short("many");
const COLOR: Piece = Piece::Byte("color");
const FALLS: Piece = Piece::Byte("gravity");
const RADIUS: Piece = Piece::Byte("radius");
const DURATION: Piece = Piece::Byte("duration");

pieces! {
    TE_BLOOD: [ORIGIN, Piece::Direction, COUNT],
    TE_SPARK: [ORIGIN, Piece::Direction, COUNT],
    TE_BLOODSHOWER: [ORIGIN, SECOND, Piece::Length("speed"), MANY],
    TE_EXPLOSIONRGB: [ORIGIN, Piece::Color],
    TE_PARTICLECUBE: [ORIGIN, SECOND, THIRD, MANY, COLOR, FALLS, Piece::Length("speed")],
    TE_PARTICLERAIN: [ORIGIN, SECOND, THIRD, MANY, COLOR],
    TE_PARTICLESNOW: [ORIGIN, SECOND, THIRD, MANY, COLOR],
    TE_GUNSHOTQUAD: [ORIGIN],
    TE_SPIKEQUAD: [ORIGIN],
    TE_SUPERSPIKEQUAD: [ORIGIN],
    TE_EXPLOSIONQUAD: [ORIGIN],
    TE_SMALLFLASH: [ORIGIN],
    TE_CUSTOMFLASH: [ORIGIN, RADIUS, DURATION, Piece::Color],
    TE_FLAMEJET: [ORIGIN, THIRD, COUNT],
    TE_PLASMABURN: [ORIGIN],
    TE_TEI_G3: [ORIGIN, SECOND, THIRD],
    TE_TEI_SMOKE: [ORIGIN, THIRD, COUNT],
    TE_TEI_BIGEXPLOSION: [ORIGIN],
    TE_TEI_PLASMAHIT: [ORIGIN, THIRD, COUNT],
}

/// A temporary entity of `DarkPlaces` in its wire form: the game's own kinds and those that were added.
///
/// ```
/// use moviola_format::{Context, DarkPlacesEffect, Reader, Scalar};
/// let mut context = Context::quake();
/// context.set_quake_protocol(3504, 0);
/// // A spark at (0, 0, 1).
/// let wire = [51, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F, 9, 8, 7, 20];
/// let spark = DarkPlacesEffect::read(&mut Reader::new(&wire, &context)).unwrap();
/// assert_eq!((spark.kind(), spark.values().origin[2].value()), (51, 1.0));
/// assert!(spark.in_usual_form().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DarkPlacesEffect<'a> {
    /// The kind, and the fields after it.
    wire: &'a [u8],
    coord: CoordKind,
}

impl Default for DarkPlacesEffect<'_> {
    fn default() -> Self {
        Self { wire: &[added::TE_PLASMABURN, 0, 0, 0, 0, 0, 0], coord: CoordKind::Short }
    }
}

/// The most pieces that a temporary entity has.
const PIECES: usize = 7;

impl<'a> DarkPlacesEffect<'a> {
    const KIND: ValuePart = ValuePart::meaning(
        "entitytype",
        Meaning::Value(quake::TEMP_ENTITY),
        "The kind of the temporary entity.",
    );
    const MODEL: ValuePart = ValuePart::new("model", "The model of the bolt (Nehahra).");
    const DIRECTION: ValuePart = ValuePart::new("velocity", "Where it goes, in whole units.");
    const RGB: ValuePart = ValuePart::new("rgb", "Red, green and blue.");

    /// Its number.
    pub fn kind(&self) -> u8 {
        self.wire.first().copied().unwrap_or_default()
    }

    /// The effect in the form that other protocols have, if its kind is one of the game's own.
    pub fn in_usual_form(&self) -> Option<TempEntity<'a>> {
        TempKind::new(self.kind())?;
        TempEntity::build(&mut Reader::new(self.wire, &self.context())).ok()
    }

    /// Its values.
    pub fn values(&self) -> DarkPlacesEffectValues {
        let context = self.context();
        let mut reader = Reader::new(self.wire.get(1..).unwrap_or_default(), &context);
        let mut values = DarkPlacesEffectValues { kind: self.kind(), ..DarkPlacesEffectValues::default() };
        for piece in Self::pieces_of(self.kind()).into_iter().flatten().flatten() {
            // The bytes were checked when they were read or made.
            if values.take(piece, &mut reader).is_err() {
                break;
            }
        }
        values
    }

    fn context(&self) -> Context {
        Context { coord: self.coord, ..Context::quake() }
    }

    /// The pieces of a kind: of an added one by the table above, otherwise by the table of the game's own kinds.
    fn pieces_of(kind: u8) -> Option<[Option<Piece>; PIECES]> {
        let mut all = [None; PIECES];
        if let Some(added) = pieces(kind) {
            all.iter_mut().zip(added).for_each(|(to, piece)| *to = Some(*piece));
            return Some(all);
        }
        let usual = TempKind::new(kind)?;
        let [model, entity, origin, second, color, range, _] = &mut all;
        *model = usual.has(te::MODEL).then_some(Piece::Text);
        *entity = usual.has(te::ENTITY).then_some(Piece::Short("entity"));
        *origin = usual.has(te::ORIGIN).then_some(ORIGIN);
        *second = usual.has(te::END | te::RGB).then_some(SECOND);
        *color = usual.has(te::COLORS).then_some(COLOR);
        *range = usual.has(te::COLORS).then_some(Piece::Byte("range"));
        Some(all)
    }

    fn skip(piece: Piece, reader: &mut Reader<'a, '_>) -> Result<(), Stop> {
        if piece == Piece::Text {
            return Str::read(reader).map(drop);
        }
        let coord = match reader.context().coord {
            CoordKind::Short => 2,
            CoordKind::Mixed => 3,
            CoordKind::Long | CoordKind::Float => 4,
        };
        reader.slice(piece.width(coord)).map(drop)
    }
}

/// The values of a temporary entity of `DarkPlaces`. Those that its kind does not have are 0.
///
/// ```
/// use moviola_format::{Context, DarkPlacesEffect, Reader, Scalar};
/// let mut context = Context::quake();
/// context.set_quake_protocol(3504, 0);
/// let wire = [51, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F, 9, 8, 0xFF, 20];
/// let values = DarkPlacesEffect::read(&mut Reader::new(&wire, &context)).unwrap().values();
/// assert_eq!((values.direction.map(|part| part.value()), values.count), ([9.0, 8.0, -1.0], 20));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DarkPlacesEffectValues {
    /// The kind.
    pub kind: u8,
    /// Where it is, or one corner of a box.
    pub origin: [Coord; 3],
    /// The end of a line, or the other corner of a box.
    pub end: [Coord; 3],
    /// Where it goes, in units per second.
    pub direction: [Coord; 3],
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// How much of it there is.
    pub count: u16,
    /// The first color.
    pub color: u8,
    /// How fast its particles are.
    pub speed: Coord,
    /// Whether its particles fall.
    pub falls: bool,
    /// The radius of the light, in 8 units.
    pub radius: u8,
    /// How long the light lasts, in 256ths of a second.
    pub duration: u8,
}

impl DarkPlacesEffectValues {
    /// Reads a piece.
    fn take(&mut self, piece: Piece, reader: &mut Reader<'_, '_>) -> Result<(), Stop> {
        match piece {
            ORIGIN => self.origin = Scalar::read(reader)?,
            SECOND => self.end = Scalar::read(reader)?,
            Piece::At(_) => self.direction = Scalar::read(reader)?,
            Piece::Direction => {
                let way = <[i8; 3]>::read(reader)?;
                self.direction = way.map(|part| Coord::nearest(CoordKind::Float, part.into()));
            }
            Piece::Length(_) => self.speed = Scalar::read(reader)?,
            Piece::Color => self.rgb = Scalar::read(reader)?,
            MANY => self.count = Scalar::read(reader)?,
            COUNT => self.count = u8::read(reader)?.into(),
            COLOR => self.color = Scalar::read(reader)?,
            FALLS => self.falls = u8::read(reader)? != 0,
            RADIUS => self.radius = Scalar::read(reader)?,
            DURATION => self.duration = Scalar::read(reader)?,
            Piece::Byte(_) | Piece::Short(_) | Piece::Text => DarkPlacesEffect::skip(piece, reader)?,
        }
        Ok(())
    }
}

impl<'a> Scalar<'a> for DarkPlacesEffect<'a> {
    const PARTS: &'static [ValuePart] = &[
        Self::KIND,
        Self::MODEL,
        ValuePart::meaning("entity", Meaning::Entity, "The entity that shoots."),
        ValuePart::new("origin", "Where it is, or one corner of a box."),
        ValuePart::new("trace_endpos", "The end of a line, or the other corner of a box."),
        ValuePart::new("direction", "Where it goes."),
        Self::DIRECTION,
        Self::RGB,
        ValuePart::new("count", "How much of it there is."),
        ValuePart::new("many", "The number of particles."),
        ValuePart::meaning("color", Meaning::Palette, "The first color."),
        ValuePart::new("range", "The number of colors."),
        ValuePart::new("speed", "How fast the particles are."),
        ValuePart::new("gravity", "Whether the particles fall."),
        ValuePart::new("radius", "The radius of the light, in 8 units."),
        ValuePart::new("duration", "How long the light lasts, in 256ths of a second."),
    ];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        let kind = reader.byte()?;
        let Some(pieces) = Self::pieces_of(kind) else {
            return Err(reader.stop(FaultKind::UnknownTempEntity(kind)));
        };
        for piece in pieces.into_iter().flatten() {
            Self::skip(piece, reader)?;
        }
        Ok(Self { wire: reader.since(start), coord: reader.context().coord })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.wire);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::KIND, self.kind());
        let context = self.context();
        let mut reader = Reader::new(self.wire.get(1..).unwrap_or_default(), &context);
        for piece in Self::pieces_of(self.kind()).into_iter().flatten().flatten() {
            let part = Self::part(piece);
            out.line(part.name, part.meaning);
            // The bytes were checked when they were read or made.
            let shown = match piece {
                Piece::At(_) => <[Coord; 3]>::read(&mut reader).map(|it| it.put(out)),
                Piece::Length(_) => Coord::read(&mut reader).map(|it| it.put(out)),
                Piece::Direction => <[i8; 3]>::read(&mut reader).map(|it| it.put(out)),
                Piece::Color => <[u8; 3]>::read(&mut reader).map(|it| it.put(out)),
                Piece::Byte(_) => u8::read(&mut reader).map(|it| it.put(out)),
                Piece::Short(_) => i16::read(&mut reader).map(|it| it.put(out)),
                Piece::Text => Str::read(&mut reader).map(|it| it.put(out)),
            };
            out.end();
            if shown.is_err() {
                return;
            }
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let kind: u8 = take_part(from, &Self::KIND)?;
        let Some(pieces) = Self::pieces_of(kind) else {
            return Err(from.refuse("no temporary entity of DarkPlaces has this number"));
        };
        let (mut wire, context) = (vec![kind], *from.context());
        let mut writer = Writer::new(&mut wire, &context);
        for piece in pieces.into_iter().flatten() {
            let part = Self::part(piece);
            match piece {
                Piece::At(_) => take_part::<A, [Coord; 3]>(from, &part)?.write(&mut writer),
                Piece::Length(_) => take_part::<A, Coord>(from, &part)?.write(&mut writer),
                Piece::Direction => take_part::<A, [i8; 3]>(from, &part)?.write(&mut writer),
                Piece::Color => take_part::<A, [u8; 3]>(from, &part)?.write(&mut writer),
                Piece::Byte(_) => take_part::<A, u8>(from, &part)?.write(&mut writer),
                Piece::Short(_) => take_part::<A, i16>(from, &part)?.write(&mut writer),
                Piece::Text => take_part::<A, Str<'a>>(from, &part)?.write(&mut writer),
            }
        }
        Ok(Self { wire: from.keep(&wire), coord: context.coord })
    }
    fn bare(&self) -> bool {
        false
    }
}

impl DarkPlacesEffect<'_> {
    /// The line of a piece.
    fn part(piece: Piece) -> ValuePart {
        let name = match piece {
            Piece::Direction => return Self::DIRECTION,
            Piece::Color => return Self::RGB,
            Piece::Text => return Self::MODEL,
            Piece::At(name) | Piece::Length(name) | Piece::Byte(name) | Piece::Short(name) => name,
        };
        <Self as Scalar<'_>>::PARTS.iter().find(|part| part.name == name).copied().unwrap_or(Self::KIND)
    }
}
