//! The layouts of file records: the `records!` macro, with a row for each field, and the bytes from which
//! records are read.
//!
//! A row has the field's type in memory and then its type in the file, once for each kind of file that has
//! the record. [`Absent`] marks a field that a kind of file does not have.

use crate::error::AssetError;

/// Bytes of a file, and their offset in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'f> {
    part: &'static str,
    rest: &'f [u8],
    offset: usize,
}

impl<'f> Bytes<'f> {
    /// A whole file.
    pub(crate) fn new(part: &'static str, bytes: &'f [u8]) -> Self {
        Self { part, rest: bytes, offset: 0 }
    }

    /// These bytes, with another name for error messages.
    pub(crate) fn named(self, part: &'static str) -> Self {
        Self { part, ..self }
    }

    /// A part of these bytes; a part that reaches beyond their end is an error.
    pub(crate) fn part(&self, part: &'static str, start: i64, length: i64) -> Result<Self, AssetError> {
        let range = || {
            let start = usize::try_from(start).ok()?;
            let end = start.checked_add(usize::try_from(length).ok()?)?;
            Some((start, self.rest.get(start..end)?))
        };
        let Some((start, bytes)) = range() else {
            let most = self.rest.len();
            let problem = format!("{length} bytes from {start} on do not fit into {most}");
            return Err(AssetError::new(part, self.offset, problem));
        };
        Ok(Self { part, rest: bytes, offset: self.offset.saturating_add(start) })
    }

    /// All bytes from an offset on.
    pub(crate) fn from(&self, part: &'static str, start: i64) -> Result<Self, AssetError> {
        let length = i64::try_from(self.rest.len()).unwrap_or(i64::MAX).saturating_sub(start);
        self.part(part, start, length)
    }

    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn remaining(&self) -> &'f [u8] {
        self.rest
    }

    /// An error at this place.
    pub(crate) fn error(&self, problem: impl Into<std::borrow::Cow<'static, str>>) -> AssetError {
        AssetError::new(self.part, self.offset, problem)
    }

    /// The next `length` bytes.
    pub(crate) fn take(&mut self, length: usize) -> Result<&'f [u8], AssetError> {
        let Some((taken, rest)) = self.rest.split_at_checked(length) else {
            let left = self.rest.len();
            return Err(self.error(format!("{length} bytes are needed and {left} are left")));
        };
        self.rest = rest;
        self.offset = self.offset.saturating_add(length);
        Ok(taken)
    }

    /// The next `count` items of `size` bytes each. A wrong count is an error before memory is used.
    pub(crate) fn take_many(&mut self, count: usize, size: usize) -> Result<&'f [u8], AssetError> {
        match count.checked_mul(size) {
            Some(length) => self.take(length),
            None => Err(self.error(format!("{count} times {size} bytes are more than any file has"))),
        }
    }

    /// The next value.
    pub(crate) fn value<W: Wire>(&mut self) -> Result<W, AssetError> {
        let start = *self;
        W::get(self.take(W::SIZE)?).ok_or_else(|| start.error("it cannot be read"))
    }

    /// The next `count` values.
    pub(crate) fn value_list<W: Wire>(&mut self, count: usize) -> Result<Vec<W>, AssetError> {
        let start = *self;
        let bytes = self.take_many(count, W::SIZE)?;
        let values: Option<Vec<W>> = bytes.chunks_exact(W::SIZE.max(1)).map(W::get).collect();
        values.ok_or_else(|| start.error("it cannot be read"))
    }

    /// The next value as a count, which must not exceed `most`.
    pub(crate) fn count(&mut self, what: &str, most: usize) -> Result<usize, AssetError> {
        let start = *self;
        let count: i32 = self.value()?;
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= most)
            .ok_or_else(|| start.error(format!("{count} {what}, where 0 to {most} are possible")))
    }

    /// The next record.
    pub(crate) fn record<R: Record>(&mut self, layout: usize) -> Result<R, AssetError> {
        let start = *self;
        let bytes = self.take(R::size(layout))?;
        R::get(bytes, layout).map_err(|field| start.error(format!("`{field}` has an impossible value")))
    }

    /// All remaining bytes as records.
    pub(crate) fn records<R: Record>(mut self, layout: usize) -> Result<Vec<R>, AssetError> {
        let (size, length) = (R::size(layout), self.rest.len());
        if size == 0 || !length.is_multiple_of(size) {
            return Err(self.error(format!("{length} bytes are not a multiple of {size}")));
        }
        let mut records = Vec::with_capacity(length / size);
        while !self.rest.is_empty() {
            records.push(self.record(layout)?);
        }
        Ok(records)
    }

    /// The next `count` records.
    pub(crate) fn some_records<R: Record>(
        &mut self,
        count: usize,
        layout: usize,
    ) -> Result<Vec<R>, AssetError> {
        let start = *self;
        let bytes = self.take_many(count, R::size(layout))?;
        Bytes { rest: bytes, ..start }.records(layout)
    }
}

/// A type of values in a file.
pub(crate) trait Wire: Sized {
    const SIZE: usize;
    fn get(bytes: &[u8]) -> Option<Self>;
}

/// Converts a value in a file to a type in memory.
pub(crate) trait FromFile<W>: Sized {
    fn of(wire: W) -> Option<Self>;
}

/// A record that is read field by field.
pub(crate) trait Record: Sized {
    /// Its size in bytes in a kind of file.
    fn size(layout: usize) -> usize;
    /// Reads it; the error is the name of the field that could not be read.
    fn get(bytes: &[u8], layout: usize) -> Result<Self, &'static str>;
}

/// A field that a kind of file does not have.
pub(crate) struct Absent;

/// Bytes that are skipped.
pub(crate) struct Pad<const N: usize>;

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Wire for $type {
            const SIZE: usize = size_of::<$type>();

            fn get(bytes: &[u8]) -> Option<Self> {
                Some(<$type>::from_le_bytes(*bytes.first_chunk()?))
            }
        }
    )+};
}

numbers!(u8, i8, u16, i16, u32, i32, f32);

macro_rules! conversions {
    ($($type:ty: $($wire:ty),+;)+) => {$($(
        impl FromFile<$wire> for $type {
            fn of(wire: $wire) -> Option<Self> {
                <$type>::try_from(wire).ok()
            }
        }
    )+)+};
}

conversions! {
    u8: u8;
    u32: u8, u16, u32, i32;
    i32: u16, i16, i32, u32;
    f32: i16, f32;
}

impl<W: Wire + Copy, const N: usize> Wire for [W; N] {
    const SIZE: usize = W::SIZE * N;

    fn get(bytes: &[u8]) -> Option<Self> {
        let mut values = [W::get(bytes)?; N];
        for (value, bytes) in values.iter_mut().zip(bytes.chunks_exact(W::SIZE)) {
            *value = W::get(bytes)?;
        }
        Some(values)
    }
}

impl<T: FromFile<W> + Copy + Default, W: Copy, const N: usize> FromFile<[W; N]> for [T; N] {
    fn of(wire: [W; N]) -> Option<Self> {
        let mut values = [T::default(); N];
        for (value, wire) in values.iter_mut().zip(wire) {
            *value = T::of(wire)?;
        }
        Some(values)
    }
}

impl Wire for Absent {
    const SIZE: usize = 0;

    fn get(_: &[u8]) -> Option<Self> {
        Some(Self)
    }
}

impl<T: Default> FromFile<Absent> for T {
    fn of(_: Absent) -> Option<Self> {
        Some(Self::default())
    }
}

impl<const N: usize> Wire for Pad<N> {
    const SIZE: usize = N;

    fn get(_: &[u8]) -> Option<Self> {
        Some(Self)
    }
}

impl<const N: usize> FromFile<Pad<N>> for () {
    fn of(_: Pad<N>) -> Option<Self> {
        Some(())
    }
}

/// A name in a fixed number of bytes, up to its NUL.
impl<const N: usize> FromFile<[u8; N]> for String {
    fn of(wire: [u8; N]) -> Option<Self> {
        Some(name_of(&wire))
    }
}

/// The text before the first NUL. A byte that is not ASCII becomes the character with its number, so that
/// different names stay different.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    bytes.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}

/// Makes structs from tables: a row for each field, `field: type in memory = [type in the file, …]`, with a column for
/// each kind of file.
macro_rules! records {
    ($(
        $(#[$about:meta])*
        $vis:vis struct $name:ident {
            $($(#[$note:meta])* $field:ident: $type:ty = [$($wire:ty),+];)+
        }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        $vis struct $name {
            $($(#[$note])* pub $field: $type,)+
        }

        impl $crate::record::Record for $name {
            fn size(layout: usize) -> usize {
                let sizes = [$([$(<$wire as $crate::record::Wire>::SIZE),+].as_slice()),+];
                sizes.iter().map(|columns| columns.get(layout).copied().unwrap_or_default()).sum()
            }

            fn get(bytes: &[u8], layout: usize) -> Result<Self, &'static str> {
                let mut rest = bytes;
                $(
                    let columns: &[(usize, fn(&[u8]) -> Option<$type>)] = &[$((
                        <$wire as $crate::record::Wire>::SIZE,
                        |bytes| $crate::record::FromFile::of(<$wire as $crate::record::Wire>::get(bytes)?),
                    )),+];
                    let Some((size, read)) = columns.get(layout) else { return Err(stringify!($field)) };
                    let Some((taken, left)) = rest.split_at_checked(*size) else {
                        return Err(stringify!($field));
                    };
                    rest = left;
                    let Some($field) = read(taken) else { return Err(stringify!($field)) };
                )+
                let _ = rest;
                Ok(Self { $($field),+ })
            }
        }
    )+};
}

pub(crate) use records;
