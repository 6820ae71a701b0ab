//! The protocol that a level announces, including the parts that its number alone does not decide.

use super::number::{line, take_part};
use super::string::Str;
use crate::context::Context;
use crate::names::{Meaning, quake};
use crate::rules::spoken;
use crate::scalar::{Field, Part, Scalar, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The protocol that a `serverinfo` announces; 999 adds flags.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, ServerProtocol};
/// let context = Context::quake();
/// let wire = [0xE7, 3, 0, 0, 2, 0, 0, 0];
/// let protocol = ServerProtocol::read(&mut Reader::new(&wire, &context)).unwrap();
/// assert_eq!(protocol, ServerProtocol { version: 999, flags: 2 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ServerProtocol {
    /// The protocol.
    pub version: i32,
    /// The flags of 999.
    pub flags: u32,
}

impl ServerProtocol {
    /// The number that the re-release announces, which is `FitzQuake`'s; its announcement has one more
    /// string.
    pub(crate) const RERELEASE: i32 = spoken::FITZ;
    const VERSION: Part =
        Part::meaning("serverversion", Meaning::Value(quake::PROTOCOL), "The protocol spoken from here on.");
    const FLAGS: Part = Part::meaning(
        "protocolflags",
        Meaning::Bits(quake::PROTOCOL_FLAGS),
        "How protocol 999 sends coordinates and angles.",
    );
}

impl<'a> Scalar<'a> for ServerProtocol {
    const PARTS: &'static [Part] = &[Self::VERSION, Self::FLAGS];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let version = i32::read(reader)?;
        if spoken::FTE.contains(&version) {
            let mut base = version;
            while spoken::FTE.contains(&base) {
                u32::read(reader)?;
                base = i32::read(reader)?;
            }
            return Err(reader.stop(FaultKind::Extended(base)));
        }
        if version == Self::RERELEASE && is_rerelease(reader.rest()) {
            return Err(reader.stop(FaultKind::RawProtocol(version)));
        }
        let flags = if version == spoken::RMQ { u32::read(reader)? } else { 0 };
        Ok(Self { version, flags })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.version.write(writer);
        if self.version == spoken::RMQ {
            self.flags.write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::VERSION, self.version);
        if self.version == spoken::RMQ {
            out.word(Self::FLAGS.name, self.flags);
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let version = take_part(from, &Self::VERSION)?;
        let flags = if version == spoken::RMQ { take_part(from, &Self::FLAGS)? } else { 0 };
        Ok(Self { version, flags })
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.version != spoken::RMQ
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
