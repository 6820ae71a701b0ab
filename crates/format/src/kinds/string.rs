//! Strings: bytes up to a NUL, or up to the end of the block, where the NUL may be missing.

use super::number::{line, take_part};
use crate::context::Context;
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};
use bstr::{BStr, ByteSlice};
use std::fmt;

/// A string of the games: bytes, not text, including the NUL at its end if there is one.
///
/// ```
/// use moviola_format::Str;
/// let name = Str::new(b"\xd2anger\0");
/// assert_eq!(name.bytes(), b"\xd2anger");
/// assert!(name.is_terminated());
/// assert!(!Str::new(b"cut of").is_terminated());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Str<'a>(&'a [u8]);

impl Default for Str<'_> {
    fn default() -> Self {
        Self(b"\0")
    }
}

impl<'a> Str<'a> {
    /// The string at the start of `wire`, up to and including its NUL.
    pub fn new(wire: &'a [u8]) -> Self {
        let end = wire.find_byte(0).map_or(wire.len(), |nul| nul + 1);
        Self(wire.get(..end).unwrap_or(wire))
    }

    /// The string as sent, with its NUL.
    ///
    /// ```
    /// use moviola_format::Str;
    /// assert_eq!(Str::new(b"one\0two\0").wire(), b"one\0");
    /// ```
    #[inline]
    pub fn wire(self) -> &'a [u8] {
        self.0
    }

    /// The string without its NUL.
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        self.0.strip_suffix(b"\0").unwrap_or(self.0)
    }

    /// Whether its NUL is there; only the last string of a block may lack it.
    #[inline]
    pub fn is_terminated(self) -> bool {
        self.0.last() == Some(&0)
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open_end = if self.is_terminated() { "" } else { "..." };
        write!(f, "{:?}{open_end}", BStr::new(self.bytes()))
    }
}

impl<'a> Scalar<'a> for Str<'a> {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let string = Self::new(reader.rest());
        if string.0.is_empty() {
            return Err(reader.end());
        }
        reader.slice(string.0.len()).map(Self)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    #[inline(always)]
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.string(*self);
    }
    #[inline(always)]
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        from.string()
    }
}

/// Strings that follow each other up to an empty one: the model and sound lists.
///
/// ```
/// use moviola_format::StrList;
/// let list = StrList::new(b"maps/e1m1.bsp\0*1\0\0");
/// let names: Vec<&[u8]> = list.iter().map(|name| name.bytes()).collect();
/// assert_eq!(names, [&b"maps/e1m1.bsp"[..], b"*1"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StrList<'a>(&'a [u8]);

impl Default for StrList<'_> {
    fn default() -> Self {
        Self(b"\0")
    }
}

impl<'a> StrList<'a> {
    /// The list at the start of `wire`, up to and including the empty string that ends it.
    pub fn new(wire: &'a [u8]) -> Self {
        let mut end = 0;
        loop {
            let string = Str::new(wire.get(end..).unwrap_or_default());
            end += string.wire().len();
            if string.wire().len() <= 1 || !string.is_terminated() {
                return Self(wire.get(..end).unwrap_or(wire));
            }
        }
    }

    /// The list as sent.
    #[inline]
    pub fn wire(self) -> &'a [u8] {
        self.0
    }

    /// Its strings, without the empty one that ends it.
    pub fn iter(self) -> impl Iterator<Item = Str<'a>> + use<'a> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let string = Str::new(rest);
            rest = rest.get(string.wire().len()..).unwrap_or_default();
            (!string.wire().is_empty() && string.wire() != b"\0").then_some(string)
        })
    }

    /// Whether the empty string at its end was sent.
    pub fn is_terminated(self) -> bool {
        self.0.ends_with(b"\0\0") || self.0 == b"\0"
    }
}

impl fmt::Debug for StrList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> Scalar<'a> for StrList<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let list = Self::new(reader.rest());
        if list.0.is_empty() {
            return Err(reader.end());
        }
        reader.slice(list.0.len()).map(Self)
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        for string in self.iter() {
            out.string(string);
        }
        if !self.is_terminated() && self.0.last() == Some(&0) {
            out.string(Str(b""));
        }
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let (mut bytes, mut open_end) = (Vec::new(), false);
        while from.more() {
            let string = from.string()?;
            if open_end {
                return Err(from.refuse("only the last string of a list can be unterminated"));
            }
            if string.wire() == b"\0" {
                return Err(from.refuse("an empty string would end the list"));
            }
            open_end = !string.is_terminated();
            bytes.extend_from_slice(string.wire());
        }
        if !open_end {
            bytes.push(0);
        }
        Ok(Self(from.keep(&bytes)))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.iter().next().is_some()
    }
}

/// The files of a level: its models, then its sounds, each numbered from 1.
///
/// ```
/// use moviola_format::{Context, Precache, Reader, Scalar};
/// let context = Context::quake();
/// let lists = b"maps/e1m1.bsp\0progs/player.mdl\0\0misc/null.wav\0\0";
/// let precache = Precache::read(&mut Reader::new(lists, &context)).unwrap();
/// assert_eq!(precache.models().iter().count(), 2);
/// assert_eq!(precache.sounds().iter().next().unwrap().bytes(), b"misc/null.wav");
/// assert_eq!(precache.sounds().wire(), b"misc/null.wav\0\0");
/// assert!(precache.models().is_terminated());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Precache<'a> {
    wire: &'a [u8],
}

impl Default for Precache<'_> {
    fn default() -> Self {
        Self { wire: b"\0\0" }
    }
}

impl<'a> Precache<'a> {
    const MODELS: ValuePart =
        ValuePart::new("models", "The models, from number 1; the first is the level itself.");
    const SOUNDS: ValuePart = ValuePart::new("sounds", "The sounds, from number 1.");

    /// The models; the first, number 1, is the level itself.
    pub fn models(self) -> StrList<'a> {
        StrList::new(self.wire)
    }
    /// The sounds, from number 1.
    pub fn sounds(self) -> StrList<'a> {
        StrList::new(self.wire.get(self.models().wire().len()..).unwrap_or_default())
    }
}

impl fmt::Debug for Precache<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Precache").field("models", &self.models()).field("sounds", &self.sounds()).finish()
    }
}

impl<'a> Scalar<'a> for Precache<'a> {
    const PARTS: &'static [ValuePart] = &[Self::MODELS, Self::SOUNDS];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        StrList::read(reader)?;
        StrList::read(reader)?;
        Ok(Self { wire: reader.since(start) })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.wire);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::MODELS, self.models());
        line(out, &Self::SOUNDS, self.sounds());
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let models: StrList<'a> = take_part(from, &Self::MODELS)?;
        let sounds: StrList<'a> = take_part(from, &Self::SOUNDS)?;
        if !models.is_terminated() {
            return Err(from.refuse("only the last list of a block can be unterminated"));
        }
        Ok(Self { wire: from.keep(&[models.wire(), sounds.wire()].concat()) })
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        self.models().in_lmpc(context) && self.sounds().in_lmpc(context)
    }
}

/// Everything up to the end of the block.
///
/// ```
/// use moviola_format::{Context, Reader, Rest, Scalar};
/// let context = Context::quake2();
/// let mut reader = Reader::new(&[1, 2, 3], &context);
/// reader.byte().unwrap();
/// assert_eq!(Rest::read(&mut reader), Ok(Rest(&[2, 3])));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rest<'a>(pub &'a [u8]);

impl<'a> Scalar<'a> for Rest<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let rest = reader.rest();
        reader.seek(usize::MAX);
        Ok(Self(rest))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.data(self.0);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        from.data().map(Self)
    }
    /// Never bare: the format documents write this field's keyword even where it is the message's only field.
    fn bare(&self) -> bool {
        false
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        !self.0.is_empty()
    }
}
