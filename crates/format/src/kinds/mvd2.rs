//! The kinds of value in the messages of MVD2, except the lists of a frame: the version, the config strings of a
//! level, and messages of Quake II inside of others.

use super::SoundSource;
use super::number::{line, take_part};
use crate::context::Context;
use crate::dm2;
use crate::messages::{Dialect, Messages};
use crate::mvd2::PROTOCOL;
use crate::names::{Meaning, quake2};
use crate::scalar::{Field, Flags, Record, Scalar, ValuePart, ValueSink, ValueSource};
use crate::table::{Message, Schema, Sink, Source, write_message};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The protocol of an MVD2, Q2PRO's version of it, and its flags. Up to version 2011 the flags are the upper bits of the
/// message's id.
///
/// ```
/// use moviola_format::{MatchVersion, mvd2::ServerData};
/// assert_eq!(ServerData::default().version, MatchVersion { version: 2010, ..MatchVersion::default() });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatchVersion {
    /// The version.
    pub version: u16,
    /// The flags in a word of their own, from version 2012 on.
    pub flags: u16,
    /// The upper bits of the message's id.
    pub upper: u8,
}

impl Default for MatchVersion {
    fn default() -> Self {
        Self { version: 2010, flags: 0, upper: 0 }
    }
}

impl MatchVersion {
    const PROTOCOL: ValuePart =
        ValuePart::meaning("serverversion", Meaning::Value(quake2::PROTOCOL), "The protocol.");
    const VERSION: ValuePart = ValuePart::new("version", "Q2PRO's version of it: 2009 to 2013.");
    const FLAGS: ValuePart =
        ValuePart::meaning("flags", Meaning::Bits(quake2::MVD2_FLAGS), "How the server records.");
    const UPPER: ValuePart =
        ValuePart::new("upper", "The upper bits of the id, where the flags have a place of their own.");
    /// The first version whose flags have a word of their own.
    const OWN_WORD: u16 = 2012;
    /// The flags that change the form of all messages after them.
    const EXTENDED: u16 = 4 | 8;

    fn has_own_word(self) -> bool {
        self.version >= Self::OWN_WORD
    }

    /// The flags of both words together.
    pub fn all_flags(self) -> u16 {
        if self.has_own_word() { self.flags } else { u16::from(self.upper) }
    }

    fn is_read(self) -> bool {
        (2009..=2013).contains(&self.version) && self.all_flags() & Self::EXTENDED == 0
    }
}

impl<'a> Scalar<'a> for MatchVersion {
    const PARTS: &'static [ValuePart] = &[Self::PROTOCOL, Self::VERSION, Self::FLAGS, Self::UPPER];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let upper = reader.number() as u8;
        let protocol = i32::read(reader)?;
        let mut it = Self { version: u16::read(reader)?, flags: 0, upper };
        if it.has_own_word() {
            it.flags = u16::read(reader)?;
        }
        if protocol == PROTOCOL && it.is_read() {
            Ok(it)
        } else {
            Err(reader.stop(FaultKind::RawProtocol(protocol)))
        }
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.amend_op(self.upper << 5);
        PROTOCOL.write(writer);
        self.version.write(writer);
        if self.has_own_word() {
            self.flags.write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::PROTOCOL, PROTOCOL);
        line(out, &Self::VERSION, self.version);
        line(out, &Self::FLAGS, self.all_flags());
        if self.has_own_word() && self.upper != 0 {
            line(out, &Self::UPPER, self.upper);
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let protocol: i32 = take_part(from, &Self::PROTOCOL)?;
        let version = take_part(from, &Self::VERSION)?;
        let flags: u16 = take_part(from, &Self::FLAGS)?;
        let mut it = Self { version, flags, upper: 0 };
        if !it.has_own_word() {
            it = Self { version, flags: 0, upper: (flags & 7) as u8 };
        } else if from.has(Self::UPPER.name) {
            from.line(Self::UPPER.name)?;
            it.upper = from.int(0, 7)? as u8;
            from.end()?;
        }
        if protocol != PROTOCOL || !it.is_read() || it.all_flags() != flags {
            return Err(
                from.refuse("an MVD2 has protocol 37, a version from 2009 to 2013, and no extended limits")
            );
        }
        Ok(it)
    }
}

/// The three upper bits of a message's id, which the text omits if they are 0.
///
/// ```
/// use moviola_format::{UpperBits, mvd2::Sound};
/// assert_eq!(Sound::default().upper, UpperBits(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UpperBits(pub u8);

impl<'a> Scalar<'a> for UpperBits {
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Ok(Self(reader.number() as u8))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.amend_op(self.0 << 5);
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        if self.0 != 0 {
            self.0.show(field, out);
        }
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        if !from.has(field.name) {
            return Ok(Self(0));
        }
        from.line(field.name)?;
        let bits = from.int(0, 7)? as u8;
        from.end()?;
        Ok(Self(bits))
    }
}

/// Bytes after their number, which is a byte.
///
/// ```
/// use moviola_format::{CountedBytes, mvd2::FrameMessage};
/// assert_eq!(FrameMessage::default().areas, CountedBytes(b""));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CountedBytes<'a>(pub &'a [u8]);

impl<'a> Scalar<'a> for CountedBytes<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let length = reader.byte()?;
        reader.slice(usize::from(length)).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0.len() as u8);
        writer.bytes(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.data(self.0);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let bytes = from.data()?;
        if bytes.len() > 255 {
            return Err(from.refuse("at most 255 bytes"));
        }
        Ok(Self(bytes))
    }
}

/// The config strings of a level, up to the index after the last one that is possible.
///
/// ```
/// use moviola_format::{ConfigStrings, Context, Reader, Scalar};
/// let context = Context::quake2();
/// let list = ConfigStrings::read(&mut Reader::new(b"\0\0The Edge\0\x20\x08", &context)).unwrap();
/// assert_eq!(list.iter().map(|it| it.index).collect::<Vec<_>>(), [0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConfigStrings<'a>(&'a [u8]);

impl<'a> ConfigStrings<'a> {
    const RECORD: ValuePart = ValuePart::new("configstring", "One of them: its `index` and its `string`.");
    const END: [u8; 2] = quake2::MAX_CONFIGSTRINGS.to_le_bytes();

    /// The list with these records, in their wire form.
    pub(crate) fn of(records: &'a [u8]) -> Self {
        Self(records)
    }

    /// The config strings.
    pub fn iter(&self) -> impl Iterator<Item = dm2::ConfigString<'a>> + use<'a> {
        let mut reader = Reader::new(self.0, &const { Context::quake2() });
        std::iter::from_fn(
            move || if reader.is_empty() { None } else { dm2::ConfigString::build(&mut reader).ok() },
        )
    }
}

impl<'a> Scalar<'a> for ConfigStrings<'a> {
    const PARTS: &'static [ValuePart] = &[Self::RECORD];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        while !reader.rest().starts_with(&Self::END) {
            dm2::ConfigString::build(reader)?;
        }
        let records = reader.since(start);
        reader.chunk::<2>()?;
        Ok(Self(records))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
        writer.bytes(&Self::END);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        self.iter().for_each(|it| out.record(Self::RECORD.name, &it));
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let (mut bytes, context) = (Vec::new(), *from.context());
        let fits = |_: &dm2::ConfigString<'_>, bytes: &[u8]| {
            let index = dm2::ConfigString::SCHEMA.fields.first().map(|field| field.name);
            if bytes.starts_with(&Self::END) {
                return Err((index, "this index would end the list"));
            }
            if bytes.last() == Some(&0) { Ok(()) } else { Err((None, "the string must have its end")) }
        };
        while from.wire(Self::RECORD.name, &mut bytes, &context, fits)? {}
        Ok(Self(from.keep(&bytes)))
    }
    fn bare(&self) -> bool {
        false
    }
}

/// The entity that makes a sound and its channel. They are always there in an MVD2, and servers set their flag too.
///
/// ```
/// use moviola_format::{Context, MatchSource, Scalar, mvd2::Sound};
/// assert_eq!(Sound::default().source.implied(0, &Context::quake2()), 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatchSource(pub SoundSource);

impl<'a> Scalar<'a> for MatchSource {
    const PARTS: &'static [ValuePart] = SoundSource::PARTS;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        SoundSource::read(reader).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        self.0.show(field, out);
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        SoundSource::take_field(field, from).map(Self)
    }
    fn implied(&self, bit: u32, _: &Context) -> u32 {
        bit | dm2::Sound::source
    }
}

/// The keyword of a record in a [`Letter`] that has a message of Quake II inside.
pub const LETTER_MESSAGE: &str = "message";
/// A [`Letter`] for all clients.
pub const TO_ALL: usize = 0;
/// A [`Letter`] for one client.
pub const TO_CLIENT: usize = 1;
/// A [`Letter`] for the clients near a place.
pub const FROM_LEAF: usize = 2;

/// Messages of Quake II inside of a message of an MVD2, with the client who gets them, or the place around which all
/// clients get them. Their length has 11 bits, of which three are in the id.
///
/// ```
/// use moviola_format::{Letter, TO_CLIENT, dm2::Message};
/// let letter = Letter::<TO_CLIENT> { place: 3, data: b"\x0b/cmd\0\x06" };
/// let mut messages = letter.messages();
/// assert!(matches!(messages.next().unwrap().message, Message::StuffText(_)));
/// assert!(matches!(messages.next().unwrap().message, Message::Nop(_)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Letter<'a, const LEAD: usize> {
    /// The client, or the leaf of the level's tree in which the place is; 0 for all clients.
    pub place: u16,
    /// The messages.
    pub data: &'a [u8],
}

impl<'a, const LEAD: usize> Letter<'a, LEAD> {
    const PLACE: ValuePart = if LEAD == TO_CLIENT {
        ValuePart::meaning("client", Meaning::Player, "The client that got the messages.")
    } else {
        ValuePart::new("leaf", "The leaf of the level's tree in which the place is.")
    };
    const MESSAGE: ValuePart = ValuePart::new(LETTER_MESSAGE, "A message of Quake II.");
    const REST: ValuePart = ValuePart::new("rest", "Bytes that are not such messages.");
    const MOST: usize = 0x7FF;

    fn context() -> Context {
        let mut context = Context::quake2();
        context.set_quake2_protocol(dm2::NEWEST, 0);
        context
    }

    /// The messages.
    pub fn messages(&self) -> Messages<'a, dm2::Quake2> {
        Messages::new(self.data, Self::context())
    }

    /// Shows each message that a letter can have, and whether the end of its last string is missing, up to the first one
    /// that it cannot have. Returns the offset after the last whole one.
    pub(crate) fn each(&self, mut show: impl FnMut(&dm2::Message<'a>, bool)) -> usize {
        let (mut messages, mut behind) = (self.messages(), 0);
        while let Some(entry) = messages.next() {
            if entry.unicast.is_some() || !Self::is_possible(entry.message.op()) {
                break;
            }
            let bytes = self.data.get(entry.at..messages.pos()).unwrap_or_default();
            let is_open = messages.rest().is_empty() && Self::is_open(bytes);
            show(&entry.message, is_open);
            if !is_open {
                behind = messages.pos();
            }
        }
        behind
    }

    /// Whether an MVD2 message can carry messages with this id: in place of those of a frame and of a new level MVD2
    /// has messages of its own.
    fn is_possible(op: u8) -> bool {
        !dm2::Quake2::can_change_context(op)
            && !matches!(op, dm2::PlayerInfo::OP | dm2::PacketEntities::OP | dm2::DeltaPacketEntities::OP)
    }

    /// Whether a message ends without the end of its last string. A text could not have anything after it.
    fn is_open(message: &[u8]) -> bool {
        let longer = [message, &[0]].concat();
        let mut messages = Messages::<dm2::Quake2>::new(&longer, Self::context());
        messages.next().is_some() && messages.rest().is_empty()
    }
}

impl<'a, const LEAD: usize> Scalar<'a> for Letter<'a, LEAD> {
    const PARTS: &'static [ValuePart] =
        if LEAD == TO_ALL { &[Self::MESSAGE, Self::REST] } else { &[Self::PLACE, Self::MESSAGE, Self::REST] };

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let length = u16::from(reader.byte()?) | reader.number() << 8;
        let place = match LEAD {
            TO_ALL => 0,
            TO_CLIENT => u16::from(reader.byte()?),
            _ => u16::read(reader)?,
        };
        Ok(Self { place, data: reader.slice(usize::from(length))? })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        let length = self.data.len();
        writer.amend_op(((length >> 8) as u8) << 5);
        writer.byte(length as u8);
        match LEAD {
            TO_ALL => {}
            TO_CLIENT => writer.byte(self.place as u8),
            _ => self.place.write(writer),
        }
        writer.bytes(self.data);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        if LEAD != TO_ALL {
            line(out, &Self::PLACE, self.place);
        }
        let rest = self.each(|message, is_open| {
            if !is_open {
                out.open(Self::MESSAGE.name);
                message.walk(&mut Named(out));
                out.close();
            }
        });
        if let Some(rest @ [_, ..]) = self.data.get(rest..) {
            out.line(Self::REST.name, Meaning::Number);
            out.data(rest);
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let place = match LEAD {
            TO_ALL => 0,
            TO_CLIENT => u16::from(take_part::<_, u8>(from, &Self::PLACE)?),
            _ => take_part(from, &Self::PLACE)?,
        };
        let (mut bytes, context) = (Vec::new(), Self::context());
        while from.open(Self::MESSAGE.name)? {
            let rows: &[Schema] = dm2::Message::SCHEMA;
            let row = rows.iter().find(|row| Self::is_possible(row.op) && from.has(row.name));
            let Some(row) = row else {
                return Err(from.refuse("this needs one message of Quake II that is not a part of a frame"));
            };
            let message = dm2::Message::build(row.op, &mut Named(from))?;
            let start = bytes.len();
            write_message(&message, &mut bytes, &context);
            if Self::is_open(bytes.get(start..).unwrap_or_default()) {
                return Err(from.refuse("a string must have its end here: use `rest` for such bytes"));
            }
            from.close()?;
        }
        if from.has(Self::REST.name) {
            from.line(Self::REST.name)?;
            bytes.extend_from_slice(from.data()?);
            from.end()?;
        }
        if bytes.len() > Self::MOST {
            return Err(from.refuse("these messages are longer than 2047 bytes"));
        }
        Ok(Self { place, data: from.keep(&bytes) })
    }
    fn bare(&self) -> bool {
        false
    }
}

/// Shows and takes messages as records under their names.
struct Named<'s, S>(&'s mut S);

impl<'a, S: ValueSink<'a>> Sink<'a> for Named<'_, S> {
    fn flags<F: Flags<'a>>(&mut self, _: &F) {}
    fn field<T: Scalar<'a>>(&mut self, _: &'static Field, _: &T) {}
    fn row<R: Record<'a>>(&mut self, record: &R) {
        self.0.record(R::SCHEMA.name, record);
    }
}

impl<'a, A: ValueSource<'a>> Named<'_, A> {
    /// The error for a message of Quake II in a place where a record was expected.
    fn lost(&mut self) -> A::Error {
        self.0.refuse("a message of Quake II is missing here")
    }
}

impl<'a, A: ValueSource<'a>> Source<'a> for Named<'_, A> {
    type Error = A::Error;
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, A::Error> {
        Err(self.lost())
    }
    fn field<T: Scalar<'a>>(&mut self, _: &'static Field) -> Result<T, A::Error> {
        Err(self.lost())
    }
    fn optional<T: Scalar<'a>>(&mut self, _: &'static Field, _: bool) -> Result<T, A::Error> {
        Err(self.lost())
    }
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F, A::Error> {
        Ok(flags)
    }
    fn record<R: Record<'a>, T>(&mut self, done: impl FnOnce(&mut Self, Result<R, A::Error>) -> T) -> T {
        let built = match self.0.record::<R>(R::SCHEMA.name) {
            Ok(Some(record)) => Ok(record),
            Ok(None) => Err(self.lost()),
            Err(error) => Err(error),
        };
        done(self, built)
    }
    fn has_family(&self, families: u16) -> bool {
        const { Context::quake2() }.has_family(families)
    }
    fn unknown(&mut self, _: u8) -> A::Error {
        self.lost()
    }
}
