//! The protocol that a level announces, including the parts that its number alone does not decide.

use super::number::{line, take_part};
use super::serverdata::ExtensionList;
use super::string::Str;
use crate::context::{Context, Extensions};
use crate::game::Game;
use crate::names::{Meaning, quake};
use crate::rules::spoken;
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The protocol that a `serverinfo` announces; 999 adds flags, and FTE its extensions.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, ServerProtocol};
/// let context = Context::quake();
/// let wire = [0xE7, 3, 0, 0, 2, 0, 0, 0];
/// let protocol = ServerProtocol::read(&mut Reader::new(&wire, &context)).unwrap();
/// assert_eq!((protocol.version(), protocol.flags()), (999, 2));
/// let wire = b"FTE2\x28\0\0\0\x9A\x02\0\0id1\0";
/// let protocol = ServerProtocol::read(&mut Reader::new(wire, &context)).unwrap();
/// assert_eq!((protocol.version(), protocol.extensions().fte2), (666, 0x28));
/// assert_eq!(protocol.folder().unwrap().bytes(), b"id1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServerProtocol<'a> {
    /// A protocol without announced extensions, with the flags of 999.
    Plain {
        /// The protocol's number.
        version: i32,
        /// The flags of 999.
        flags: u32,
    },
    /// FTE's form in its wire form: extensions, protocol, the flags of 999, and the folder of the game.
    Extended(&'a [u8]),
}

impl Default for ServerProtocol<'_> {
    fn default() -> Self {
        Self::Plain { version: 0, flags: 0 }
    }
}

/// The parts of FTE's form.
struct Parts<'a> {
    extensions: ExtensionList<'a>,
    version: i32,
    flags: u32,
    folder: Option<Str<'a>>,
}

impl<'a> ServerProtocol<'a> {
    /// The number that the re-release announces, which is `FitzQuake`'s; its announcement has one more
    /// string.
    pub(crate) const RERELEASE: i32 = spoken::FITZ;
    const VERSION: ValuePart = ValuePart::meaning(
        "serverversion",
        Meaning::Value(quake::PROTOCOL),
        "The protocol spoken from here on.",
    );
    const FLAGS: ValuePart = ValuePart::meaning(
        "protocolflags",
        Meaning::Bits(quake::PROTOCOL_FLAGS),
        "How protocol 999 sends coordinates and angles.",
    );
    const FOLDER: ValuePart =
        ValuePart::new("gamedir", "The game's folder, which FTE names if it predicts movement.");
    /// The protocols that FTE's extensions can precede.
    const EXTENSIBLE: [i32; 5] = [spoken::NETQUAKE, spoken::FITZ, spoken::RMQ, spoken::BJP_3, spoken::DP_7];

    /// A protocol without extensions.
    pub const fn new(version: i32, flags: u32) -> Self {
        Self::Plain { version, flags }
    }

    /// The protocol's number.
    pub fn version(&self) -> i32 {
        self.parts().version
    }

    /// The flags of protocol 999.
    pub fn flags(&self) -> u32 {
        self.parts().flags
    }

    /// FTE's extensions.
    pub fn extensions(&self) -> Extensions {
        self.parts().extensions.all()
    }

    /// The folder of the game, which is sent with FTE's prediction.
    pub fn folder(&self) -> Option<Str<'a>> {
        self.parts().folder
    }

    fn parts(&self) -> Parts<'a> {
        match *self {
            Self::Plain { version, flags } => {
                Parts { extensions: ExtensionList::default(), version, flags, folder: None }
            }
            Self::Extended(wire) => {
                let context = Context::quake();
                let mut reader = Reader::new(wire, &context);
                // The bytes were checked when they were read or made.
                Self::read_parts(&mut reader).unwrap_or(Parts {
                    extensions: ExtensionList::default(),
                    version: 0,
                    flags: 0,
                    folder: None,
                })
            }
        }
    }

    fn announces(rest: &[u8]) -> bool {
        rest.first_chunk().is_some_and(|word| spoken::FTE.contains(&i32::from_le_bytes(*word)))
    }

    fn read_parts(reader: &mut Reader<'a, '_>) -> Result<Parts<'a>, Stop> {
        let start = reader.pos();
        while Self::announces(reader.rest()) {
            reader.chunk::<8>()?;
        }
        let extensions = ExtensionList::from_wire(reader.since(start));
        let all = extensions.all();
        let version = i32::read(reader)?;
        if all.unread_in(Game::Quake).is_some() || !Self::EXTENSIBLE.contains(&version) {
            return Err(reader.stop(FaultKind::Extended(version)));
        }
        let flags = if version == spoken::RMQ { u32::read(reader)? } else { 0 };
        let folder = if all.fte2 & Extensions::PREDINFO != 0 { Some(Str::read(reader)?) } else { None };
        Ok(Parts { extensions, version, flags, folder })
    }
}

impl<'a> Scalar<'a> for ServerProtocol<'a> {
    const PARTS: &'static [ValuePart] = &[ExtensionList::EXTENSION, Self::VERSION, Self::FLAGS, Self::FOLDER];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if Self::announces(reader.rest()) {
            let start = reader.pos();
            Self::read_parts(reader)?;
            return Ok(Self::Extended(reader.since(start)));
        }
        let version = i32::read(reader)?;
        if version == Self::RERELEASE && is_rerelease(reader.rest()) {
            return Err(reader.stop(FaultKind::RawProtocol(version)));
        }
        let flags = if version == spoken::RMQ { u32::read(reader)? } else { 0 };
        Ok(Self::Plain { version, flags })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        match *self {
            Self::Plain { version, flags } => {
                version.write(writer);
                if version == spoken::RMQ {
                    flags.write(writer);
                }
            }
            Self::Extended(wire) => writer.bytes(wire),
        }
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        let parts = self.parts();
        parts.extensions.show(field, out);
        line(out, &Self::VERSION, parts.version);
        if parts.version == spoken::RMQ {
            out.word(Self::FLAGS.name, parts.flags);
        }
        if let Some(folder) = parts.folder {
            line(out, &Self::FOLDER, folder);
        }
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        let extensions = ExtensionList::take_field(field, from)?;
        let version = take_part(from, &Self::VERSION)?;
        let flags = if version == spoken::RMQ { take_part(from, &Self::FLAGS)? } else { 0 };
        if extensions.pairs().next().is_none() {
            return Ok(Self::Plain { version, flags });
        }
        if extensions.pairs().any(|(word, _)| !spoken::FTE.contains(&word))
            || !Self::EXTENSIBLE.contains(&version)
        {
            return Err(from.refuse("FTE's extensions cannot stand before this protocol"));
        }
        let mut wire = Vec::new();
        let context = Context::quake();
        let mut writer = Writer::new(&mut wire, &context);
        extensions.write(&mut writer);
        Self::Plain { version, flags }.write(&mut writer);
        if extensions.all().fte2 & Extensions::PREDINFO != 0 {
            let folder: Str<'a> = take_part(from, &Self::FOLDER)?;
            folder.write(&mut writer);
        }
        Ok(Self::Extended(from.keep(&wire)))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        matches!(self, Self::Plain { version, .. } if *version != spoken::RMQ)
    }
}

/// Whether the re-release's engine announces this level: it writes the game's folder between the number of
/// players and the kind of game. This is assumed only if otherwise the first model would not be a level.
fn is_rerelease(behind_version: &[u8]) -> bool {
    let opens_level = |from: &[u8]| {
        let title = Str::new(from.get(1..).unwrap_or_default());
        from.get(1 + title.wire().len()..).is_some_and(|models| models.starts_with(b"maps/"))
    };
    let usual = behind_version.get(1..).unwrap_or_default();
    let folder = Str::new(usual);
    let named = !folder.bytes().is_empty() && folder.bytes().iter().all(u8::is_ascii_graphic);
    named && !opens_level(usual) && usual.get(folder.wire().len()..).is_some_and(opens_level)
}
