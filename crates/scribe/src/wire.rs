//! The byte builder: every number of the documents in its width on the wire.

/// An encoded message: its id byte and everything that belongs to it.
pub type Message = Vec<u8>;

/// The encoding of a coordinate (wire 0.1, A3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coord {
    /// A short in eighths of a unit: both documents.
    Eighths,
    /// A short of whole units and a byte of 1/255 fractions: RMQ with flag 0x08.
    Fixed24,
    /// A long in sixteenths: RMQ with flag 0x80.
    Sixteenths,
    /// A float: RMQ with flag 0x10.
    Float,
}

/// The encoding of an angle (wire 0.1, A3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Angle {
    /// One byte for the full circle: both documents.
    Byte,
    /// A short for the full circle: RMQ with flag 0x02, and entity updates of protocol 668.
    Short,
    /// Degrees as a float: RMQ with flag 0x04.
    Float,
}

/// Collects bytes; each method appends one value and returns the builder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Wire(Vec<u8>);

impl Wire {
    /// An empty builder.
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// A builder that starts with the id byte of a message.
    pub fn id(id: u8) -> Self {
        Self(vec![id])
    }

    /// Unchanged bytes.
    pub fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// An unsigned byte.
    pub fn u8(self, value: u8) -> Self {
        self.raw(&[value])
    }

    /// A signed byte.
    pub fn i8(self, value: i8) -> Self {
        self.raw(&value.to_le_bytes())
    }

    /// An unsigned short.
    pub fn u16(self, value: u16) -> Self {
        self.raw(&value.to_le_bytes())
    }

    /// A signed short.
    pub fn i16(self, value: i16) -> Self {
        self.raw(&value.to_le_bytes())
    }

    /// An unsigned long.
    pub fn u32(self, value: u32) -> Self {
        self.raw(&value.to_le_bytes())
    }

    /// A signed long.
    pub fn i32(self, value: i32) -> Self {
        self.raw(&value.to_le_bytes())
    }

    /// A float, bit for bit.
    pub fn f32(self, value: f32) -> Self {
        self.u32(value.to_bits())
    }

    /// A string and the zero byte after it.
    pub fn str0(self, text: impl AsRef<[u8]>) -> Self {
        self.raw(text.as_ref()).u8(0)
    }

    /// A list of strings, closed by an empty one.
    pub fn list<T: AsRef<[u8]>>(self, texts: &[T]) -> Self {
        texts.iter().fold(self, Self::str0).u8(0)
    }

    /// A value that may be left out.
    pub fn opt<T>(self, value: Option<T>, put: impl Fn(Self, T) -> Self) -> Self {
        match value {
            Some(value) => put(self, value),
            None => self,
        }
    }

    /// Several values of one kind.
    pub fn each<T: Copy, const N: usize>(self, values: [T; N], put: impl Fn(Self, T) -> Self) -> Self {
        values.into_iter().fold(self, put)
    }

    /// A coordinate in eighths, rounded to the nearest.
    pub fn coord16(self, value: f32) -> Self {
        self.i16((value * 8.0).round() as i16)
    }

    /// A coordinate as whole units, rounded down, and 1/255 parts.
    pub fn coord24(self, value: f32) -> Self {
        let whole = value.floor();
        self.i16(whole as i16).u8(((value - whole) * 255.0).round() as u8)
    }

    /// A coordinate in sixteenths, rounded to the nearest.
    pub fn coord32i(self, value: f32) -> Self {
        self.i32((value * 16.0).round() as i32)
    }

    /// A coordinate as a float.
    pub fn coordf(self, value: f32) -> Self {
        self.f32(value)
    }

    /// A coordinate in the given width.
    pub fn coord(self, kind: Coord, value: f32) -> Self {
        match kind {
            Coord::Eighths => self.coord16(value),
            Coord::Fixed24 => self.coord24(value),
            Coord::Sixteenths => self.coord32i(value),
            Coord::Float => self.coordf(value),
        }
    }

    /// Three coordinates in the given width.
    pub fn pos(self, kind: Coord, place: [f32; 3]) -> Self {
        self.each(place, |wire, value| wire.coord(kind, value))
    }

    /// Three coordinates in eighths, the form of Quake II.
    pub fn pos16(self, place: [f32; 3]) -> Self {
        self.pos(Coord::Eighths, place)
    }

    /// Degrees as one byte of 256 steps, rounded to the nearest.
    pub fn angle8(self, degrees: f32) -> Self {
        self.u8((degrees * 256.0 / 360.0).round() as i32 as u8)
    }

    /// Degrees as a short of 65536 steps, rounded to the nearest.
    pub fn angle16(self, degrees: f32) -> Self {
        self.u16((degrees * 65536.0 / 360.0).round() as i32 as u16)
    }

    /// Degrees as a float.
    pub fn anglef(self, degrees: f32) -> Self {
        self.f32(degrees)
    }

    /// An angle in the given width.
    pub fn angle(self, kind: Angle, degrees: f32) -> Self {
        match kind {
            Angle::Byte => self.angle8(degrees),
            Angle::Short => self.angle16(degrees),
            Angle::Float => self.anglef(degrees),
        }
    }

    /// The bytes collected.
    pub fn done(self) -> Message {
        self.0
    }
}
