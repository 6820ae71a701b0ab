//! The kinds of value of QuakeWorld's downloads, voice messages and connectionless packets.

use super::Str;
use super::number::{line, take_part};
use crate::context::Context;
use crate::names::Meaning;
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// A piece of a downloaded file: its size, the progress, and its bytes.
///
/// ```
/// use moviola_format::qw::Download;
/// assert_eq!(Download::default().piece, moviola_format::DownloadBytes::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DownloadBytes<'a> {
    /// The number of bytes in `data`; below zero the server does not have the file.
    pub size: i16,
    /// The transferred share of the file, in percent.
    pub percent: u8,
    /// The bytes.
    pub data: &'a [u8],
}

impl DownloadBytes<'_> {
    const SIZE: ValuePart =
        ValuePart::new("size", "The number of bytes; -1 means that there is no such file.");
    const PERCENT: ValuePart = ValuePart::new("percent", "How much of the file is through.");
    const DATA: ValuePart = ValuePart::new("data", "The bytes.");
}

impl<'a> Scalar<'a> for DownloadBytes<'a> {
    const PARTS: &'static [ValuePart] = &[Self::SIZE, Self::PERCENT, Self::DATA];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let (size, percent) = (i16::read(reader)?, reader.byte()?);
        Ok(Self { size, percent, data: reader.slice(usize::try_from(size).unwrap_or(0))? })
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
        let (size, percent): (i16, u8) = (take_part(from, &Self::SIZE)?, take_part(from, &Self::PERCENT)?);
        let mut data: &[u8] = &[];
        if from.has(Self::DATA.name) {
            from.line(Self::DATA.name)?;
            data = from.data()?;
            from.end()?;
        }
        if data.len() != usize::try_from(size).unwrap_or(0) {
            return Err(from.refuse_field(Self::SIZE.name, "`size` is not the number of bytes in `data`"));
        }
        Ok(Self { size, percent, data })
    }
}

/// A piece of a file that is downloaded in chunks of 1024 bytes. A negative chunk number stands for a header
/// with the file's size and name.
///
/// ```
/// use moviola_format::{Context, Extensions, Reader, Scalar, DownloadChunkBytes};
/// let context = Context::quakeworld();
/// let wire = b"\xff\xff\xff\xff\x10\0\0\0maps/a.bsp\0";
/// let answer = DownloadChunkBytes::read(&mut Reader::new(wire, &context)).unwrap();
/// assert!(matches!(answer, DownloadChunkBytes::File { size: 16, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DownloadChunkBytes<'a> {
    /// The number of a chunk, and its bytes.
    Chunk(i32, &'a [u8; 1024]),
    /// The header of a file.
    File {
        /// A negative number, since this is not a chunk.
        chunk: i32,
        /// The number of bytes of the file; below zero the server does not send it.
        size: i32,
        /// The file's name.
        name: Str<'a>,
    },
}

impl Default for DownloadChunkBytes<'_> {
    fn default() -> Self {
        Self::File { chunk: -1, size: 0, name: Str::default() }
    }
}

impl DownloadChunkBytes<'_> {
    const CHUNK: ValuePart =
        ValuePart::new("chunk", "Which 1024 bytes of the file; below zero it is about the file.");
    const DATA: ValuePart = ValuePart::new("data", "The 1024 bytes.");
    const SIZE: ValuePart = ValuePart::new("size", "How long the file is; below zero it is not sent.");
    const NAME: ValuePart = ValuePart::new("name", "The file's name.");
}

impl<'a> Scalar<'a> for DownloadChunkBytes<'a> {
    const PARTS: &'static [ValuePart] = &[Self::CHUNK, Self::DATA, Self::SIZE, Self::NAME];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let chunk = i32::read(reader)?;
        if chunk >= 0 {
            return Ok(Self::Chunk(chunk, reader.chunk()?));
        }
        Ok(Self::File { chunk, size: i32::read(reader)?, name: Str::read(reader)? })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        match self {
            Self::Chunk(chunk, bytes) => {
                chunk.write(writer);
                writer.bytes(*bytes);
            }
            Self::File { chunk, size, name } => {
                chunk.write(writer);
                size.write(writer);
                name.write(writer);
            }
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        match *self {
            Self::Chunk(chunk, bytes) => {
                line(out, &Self::CHUNK, chunk);
                out.line(Self::DATA.name, Meaning::Number);
                out.data(bytes);
                out.end();
            }
            Self::File { chunk, size, name } => {
                line(out, &Self::CHUNK, chunk);
                line(out, &Self::SIZE, size);
                line(out, &Self::NAME, name);
            }
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let chunk: i32 = take_part(from, &Self::CHUNK)?;
        if chunk < 0 {
            let (size, name) = (take_part(from, &Self::SIZE)?, take_part(from, &Self::NAME)?);
            return Ok(Self::File { chunk, size, name });
        }
        from.line(Self::DATA.name)?;
        let data = from.data()?;
        from.end()?;
        match data.first_chunk().filter(|_| data.len() == 1024) {
            Some(bytes) => Ok(Self::Chunk(chunk, bytes)),
            None => Err(from.refuse_field(Self::DATA.name, "a chunk has 1024 bytes")),
        }
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        false
    }
}

/// Bytes after their number, which has 16 bits.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, ShortBytes};
/// let context = Context::quakeworld();
/// assert_eq!(ShortBytes::read(&mut Reader::new(&[2, 0, 7, 8], &context)), Ok(ShortBytes(&[7, 8])));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShortBytes<'a>(pub &'a [u8]);

impl<'a> Scalar<'a> for ShortBytes<'a> {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let len = u16::read(reader)?;
        reader.slice(usize::from(len)).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        (self.0.len() as u16).write(writer);
        writer.bytes(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.data(self.0);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let bytes = from.data()?;
        if bytes.len() > usize::from(u16::MAX) {
            return Err(from.refuse("there is room for 65535 bytes"));
        }
        Ok(Self(bytes))
    }
    fn bare(&self) -> bool {
        false
    }
}

/// A connectionless packet: three more bytes of 255, a letter, and the letter's data up to the packet's end.
///
/// ```
/// use moviola_format::{Context, OutOfBand, Reader, Scalar};
/// let context = Context::quakeworld();
/// let packet = OutOfBand::read(&mut Reader::new(b"\xff\xff\xffnhello\0", &context)).unwrap();
/// assert_eq!((packet.letter(), packet.data()), (Some(b'n'), &b"hello\0"[..]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OutOfBand<'a>(&'a [u8]);

impl<'a> OutOfBand<'a> {
    const MARK: [u8; 3] = [0xFF; 3];
    const ID: ValuePart = ValuePart::new("id", "The letter of a packet without a name.");
    const DATA: ValuePart = ValuePart::new("data", "The bytes of a packet without a name.");
    /// The packets for which LMPC has a keyword, and whether a string follows the letter.
    const KNOWN: [(u8, ValuePart, bool); 6] = [
        (2, ValuePart::new("disconnect", "The connection has ended."), true),
        (b'B', ValuePart::new("client_command", "A command for the console."), true),
        (b'c', ValuePart::new("challenge", "A number to be connected with."), true),
        (b'j', ValuePart::new("connect", "The connection begins."), false),
        (b'k', ValuePart::new("ping", "A question whether the client is there."), false),
        (b'n', ValuePart::new("console", "Text for the console."), true),
    ];

    /// The letter, which is the type of the packet.
    pub fn letter(self) -> Option<u8> {
        self.0.first().copied()
    }

    /// Whether the packet ends the recording or the connection.
    ///
    /// ```
    /// assert!(!moviola_format::OutOfBand::default().ends());
    /// ```
    pub fn ends(self) -> bool {
        self.letter() == Some(Self::KNOWN[0].0)
    }

    /// The bytes after the letter.
    pub fn data(self) -> &'a [u8] {
        self.0.get(1..).unwrap_or_default()
    }

    /// The packet's row in `KNOWN`, if its data has the form that the row demands.
    fn known(self) -> Option<&'static (u8, ValuePart, bool)> {
        let known = Self::KNOWN.iter().find(|(letter, ..)| Some(*letter) == self.letter())?;
        let fits = if known.2 {
            // The text records whether the string ends with a NUL; no byte may follow the NUL.
            !self.data().is_empty() && Str::new(self.data()).wire().len() == self.data().len()
        } else {
            self.data().is_empty()
        };
        fits.then_some(known)
    }
}

impl<'a> Scalar<'a> for OutOfBand<'a> {
    const PARTS: &'static [ValuePart] = &[
        Self::KNOWN[0].1,
        Self::KNOWN[1].1,
        Self::KNOWN[2].1,
        Self::KNOWN[3].1,
        Self::KNOWN[4].1,
        Self::KNOWN[5].1,
        Self::ID,
        Self::DATA,
    ];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        // A byte of 255 is a connectionless packet only at the start of a packet.
        let opens = reader.pos() <= 1 && reader.rest().starts_with(&Self::MARK);
        let Some(packet) = reader.rest().get(Self::MARK.len()..).filter(|it| opens && !it.is_empty()) else {
            return Err(reader.stop(FaultKind::UnknownMessage(0xFF)));
        };
        reader.seek(usize::MAX);
        Ok(Self(packet))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(&Self::MARK);
        writer.bytes(self.0);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        if let Some((_, part, has_string)) = self.known() {
            out.line(part.name, part.meaning);
            if *has_string {
                out.string(Str::new(self.data()));
            }
            return out.end();
        }
        line(out, &Self::ID, self.letter().unwrap_or_default());
        out.line(Self::DATA.name, Meaning::Number);
        out.data(self.data());
        out.end();
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        for (letter, part, has_string) in &Self::KNOWN {
            if !from.has(part.name) {
                continue;
            }
            from.line(part.name)?;
            let mut packet = vec![*letter];
            if *has_string {
                packet.extend_from_slice(from.string()?.wire());
            }
            from.end()?;
            return Ok(Self(from.keep(&packet)));
        }
        let id: u8 = take_part(from, &Self::ID)?;
        from.line(Self::DATA.name)?;
        let mut packet = vec![id];
        packet.extend_from_slice(from.data()?);
        from.end()?;
        Ok(Self(from.keep(&packet)))
    }
    fn bare(&self) -> bool {
        false
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        // LMPC writes a challenge as a connection, and reads only the packets for which it has a keyword.
        self.known().is_some_and(|(letter, ..)| *letter != b'c')
    }
}
