//! The parts of a `serverdata`, which announces a level of QuakeWorld: extensions, protocol, recorder and
//! physics.

use super::number::{line, take_part};
use super::{Seconds, Str};
use crate::context::{Context, Extensions};
use crate::names::{Meaning, quakeworld, value};
use crate::rules::quakeworld::MOVEVARS;
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The extensions before the protocol of a QuakeWorld level, in their wire form.
///
/// ```
/// use moviola_format::{Context, ExtensionList, Reader, Scalar};
/// let context = Context::quakeworld();
/// let wire = b"MVD1\x20\0\0\0\x1c\0\0\0";
/// let list = ExtensionList::read(&mut Reader::new(wire, &context)).unwrap();
/// assert_eq!((list.pairs().count(), list.all().mvd1), (1, 0x20));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExtensionList<'a>(&'a [u8]);

impl<'a> ExtensionList<'a> {
    pub(crate) const EXTENSION: ValuePart = ValuePart::meaning(
        "extension",
        Meaning::Value(quakeworld::EXTENSION),
        "A word that announces extensions, and their flags.",
    );

    /// The extensions in these bytes of the wire.
    pub(crate) fn from_wire(wire: &'a [u8]) -> Self {
        Self(wire)
    }

    /// The words that announce extensions, each with its flags, in the order of the wire.
    pub fn pairs(self) -> impl Iterator<Item = (i32, u32)> + use<'a> {
        let int = |bytes: &[u8; 4]| i32::from_le_bytes(*bytes);
        let mut words = self.0.as_chunks::<4>().0.iter().map(int);
        std::iter::from_fn(move || Some((words.next()?, words.next()? as u32)))
    }

    /// The flags of each word. If a word occurs twice, the last one counts, as in the engines.
    pub fn all(self) -> Extensions {
        let mut all = Extensions::default();
        for (word, flags) in self.pairs() {
            match i64::from(word) {
                FTEX => all.fte = flags,
                FTE2 => all.fte2 = flags,
                _ => all.mvd1 = flags,
            }
        }
        all
    }

    /// Whether this word announces extensions.
    pub(crate) fn is_announced_by(word: i32) -> bool {
        quakeworld::EXTENSION.iter().any(|(known, _)| *known == i64::from(word))
    }
}

const FTEX: i64 = value(quakeworld::EXTENSION, "FTEX");
const FTE2: i64 = value(quakeworld::EXTENSION, "FTE2");

impl<'a> Scalar<'a> for ExtensionList<'a> {
    const PARTS: &'static [ValuePart] = &[Self::EXTENSION];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        while reader.rest().first_chunk().is_some_and(|word| Self::is_announced_by(i32::from_le_bytes(*word)))
        {
            reader.chunk::<8>()?;
        }
        let it = Self(reader.since(start));
        match it.all().unread() {
            Some(bits) => Err(reader.stop(FaultKind::Extension(bits))),
            None => Ok(it),
        }
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        for (word, flags) in self.pairs() {
            out.line(Self::EXTENSION.name, Self::EXTENSION.meaning);
            out.int(i64::from(word));
            out.int(i64::from(flags));
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let mut pairs = Vec::new();
        while from.has(Self::EXTENSION.name) {
            from.line(Self::EXTENSION.name)?;
            let word = from.int(i64::from(i32::MIN), i64::from(i32::MAX))? as i32;
            if !Self::is_announced_by(word) {
                return Err(from.refuse("no extensions are announced by this number"));
            }
            pairs.extend(word.to_le_bytes());
            pairs.extend((from.int(0, i64::from(u32::MAX))? as u32).to_le_bytes());
            from.end()?;
        }
        let it = Self(from.keep(&pairs));
        if it.all().unread_in(from.context().game).is_some() {
            return Err(from
                .refuse("the effect of these extensions on messages is not known: use `unknown` or `raw`"));
        }
        Ok(it)
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.0.is_empty()
    }
}

/// The protocol of a QuakeWorld level. It decides whether the physics follow, so it is the message's flag
/// word.
///
/// LMPC does not know extensions: it took the word that announces them for a protocol. A text with such a
/// protocol is compiled to the bytes that LMPC would have written.
///
/// ```
/// use moviola_format::{Flags, WorldProtocol};
/// assert!(WorldProtocol(28).has(WorldProtocol::PHYSICS));
/// assert!(!WorldProtocol(24).has(WorldProtocol::PHYSICS));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WorldProtocol(pub i32);

impl WorldProtocol {
    /// The flag of the physics.
    pub const PHYSICS: u32 = 1;
    const VERSION: ValuePart = ValuePart::meaning(
        "serverversion",
        Meaning::Value(quakeworld::PROTOCOL),
        "The protocol spoken from here on.",
    );
}

impl<'a> Scalar<'a> for WorldProtocol {
    const PARTS: &'static [ValuePart] = &[Self::VERSION];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        i32::read(reader).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::VERSION, self.0);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        take_part(from, &Self::VERSION).map(Self)
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        // LMPC demands the physics, which protocol 24 does not have.
        self.0 >= MOVEVARS
    }
}

impl Flags<'_> for WorldProtocol {
    const DERIVED: bool = false;
    fn bits(&self) -> u32 {
        if self.0 >= MOVEVARS { Self::PHYSICS } else { 0 }
    }
    fn canonical(_: u32, _: &Context) -> Self {
        Self::default()
    }
    fn exactly(_: u32, _: &Context) -> Self {
        Self::default()
    }
}

/// The recorder of a level: in a QWD the player's slot, with bit 7 set for a spectator; in an MVD the server,
/// with its clock.
///
/// ```
/// use moviola_format::{Context, Reader, LevelRecorder, Scalar};
/// let context = Context::quakeworld();
/// let spectator = LevelRecorder::read(&mut Reader::new(&[0x83], &context)).unwrap();
/// assert_eq!((spectator.slot(), spectator.is_spectator()), (Some(3), true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelRecorder {
    /// The slot of a player, or of a spectator with bit 7 set.
    Client(u8),
    /// The server's clock when the recording began.
    Server(Seconds),
}

impl Default for LevelRecorder {
    fn default() -> Self {
        Self::Client(0)
    }
}

impl LevelRecorder {
    const CLIENT: ValuePart =
        ValuePart::new("client", "The slot of the player who recorded; 128 more is a spectator.");
    const TIME: ValuePart = ValuePart::new("servertime", "The server's clock when it began to record.");

    /// The slot of the recorder; `None` in an MVD.
    pub fn slot(self) -> Option<u8> {
        match self {
            Self::Client(client) => Some(client & 0x7F),
            Self::Server(_) => None,
        }
    }

    /// Whether a spectator made the recording.
    pub fn is_spectator(self) -> bool {
        matches!(self, Self::Client(0x80..))
    }
}

impl<'a> Scalar<'a> for LevelRecorder {
    const PARTS: &'static [ValuePart] = &[Self::CLIENT, Self::TIME];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if reader.context().mvd {
            Seconds::read(reader).map(Self::Server)
        } else {
            reader.byte().map(Self::Client)
        }
    }
    fn write(&self, writer: &mut Writer<'_>) {
        match self {
            Self::Client(client) => writer.byte(*client),
            Self::Server(time) => time.write(writer),
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        match self {
            Self::Client(client) => line(out, &Self::CLIENT, *client),
            Self::Server(time) => line(out, &Self::TIME, *time),
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        if from.context().mvd {
            take_part(from, &Self::TIME).map(Self::Server)
        } else {
            take_part(from, &Self::CLIENT).map(Self::Client)
        }
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.slot().is_some()
    }
}

/// The ten physics values of a level, as the bits of floats: gravity, stopspeed, maxspeed, spectatormaxspeed,
/// accelerate, airaccelerate, wateraccelerate, friction, waterfriction, entgravity.
///
/// ```
/// use moviola_format::Physics;
/// assert_eq!(Physics::default().values(), [0.0; 10]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Physics<'a>(&'a [u8; 40]);

impl Default for Physics<'_> {
    fn default() -> Self {
        Self(&[0; 40])
    }
}

impl Physics<'_> {
    fn bits(&self) -> impl Iterator<Item = u32> + use<'_> {
        self.0.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// The values as floats.
    pub fn values(&self) -> [f32; 10] {
        let mut all = [0.0; 10];
        all.iter_mut().zip(self.bits()).for_each(|(value, bits)| *value = f32::from_bits(bits));
        all
    }
}

impl<'a> Scalar<'a> for Physics<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.chunk().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        self.bits().for_each(|bits| out.float(bits));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let mut bytes = [0; 40];
        for place in bytes.as_chunks_mut::<4>().0 {
            *place = from.float()?.to_le_bytes();
        }
        let Some(kept) = from.keep(&bytes).first_chunk() else {
            return Err(from.refuse("ten numbers are needed"));
        };
        Ok(Self(kept))
    }
}

/// A string that is present only in MVDs.
///
/// ```
/// use moviola_format::{Block, Context, QuakeWorld};
/// // A disconnect in a QWD has no text.
/// assert_eq!(Block::new(b"\x02\x02").messages::<QuakeWorld>(Context::quakeworld()).count(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MvdStr<'a>(pub Option<Str<'a>>);

impl<'a> Scalar<'a> for MvdStr<'a> {
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let string = if reader.context().mvd { Some(Str::read(reader)?) } else { None };
        Ok(Self(string))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if let Some(string) = self.0 {
            string.write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        if let Some(string) = self.0 {
            string.show(field, out);
        }
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        let string = if from.context().mvd { Some(Str::take_field(field, from)?) } else { None };
        Ok(Self(string))
    }
    fn bare(&self) -> bool {
        self.0.is_some()
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.0.is_none()
    }
}
