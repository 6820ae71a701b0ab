//! A part of a file that can be read independently of other parts.

use crate::fault::ContainerFault;
use crate::salvage::is_damage;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A source from which archives are read.
pub(crate) trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// A store for data that is too large for memory, for example a temporary file.
///
/// ```
/// use moviola_container::Spill;
/// use std::io::Cursor;
/// let place: Box<dyn Spill> = Box::new(Cursor::new(Vec::new()));
/// drop(place);
/// ```
pub trait Spill: Read + Write + Seek + Send {}

impl<T: Read + Write + Seek + Send> Spill for T {}

/// Creates such a store.
///
/// ```
/// use moviola_container::{NewSpill, WalkOptions};
/// use std::io::Cursor;
/// // More memory; a temporary file would be better.
/// let spill: NewSpill = || Ok(Box::new(Cursor::new(Vec::new())));
/// let options = WalkOptions { spill: Some(spill), ..WalkOptions::default() };
/// ```
pub type NewSpill = fn() -> io::Result<Box<dyn Spill>>;

/// A part of a shared file, with a read position of its own.
#[derive(Clone)]
pub(crate) struct Section {
    file: Arc<Mutex<dyn ReadSeek>>,
    start: u64,
    length: u64,
    offset: u64,
}

impl Section {
    /// All of a file.
    pub(crate) fn whole(mut file: impl ReadSeek + 'static) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        Ok(Self { file: Arc::new(Mutex::new(file)), start: 0, length, offset: 0 })
    }

    /// A stream, kept in memory up to the limit `memory`, and beyond it in `spill`.
    pub(crate) fn keep(stream: impl Read, memory: u64, spill: Option<NewSpill>) -> io::Result<Self> {
        match Self::keep_what_comes(stream, memory, spill)? {
            (whole, None) => Ok(whole),
            (_, Some(damage)) => Err(damage),
        }
    }

    /// Keeps a stream that may be damaged: the data before the damage is kept, and the damage is
    /// returned.
    pub(crate) fn keep_what_comes(
        mut stream: impl Read,
        memory: u64,
        spill: Option<NewSpill>,
    ) -> io::Result<(Self, Option<io::Error>)> {
        let mut damage = None;
        let mut until_damage = UntilDamage { stream: &mut stream, damage: &mut damage };
        let mut bytes = Vec::new();
        until_damage.by_ref().take(memory.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= memory {
            return Ok((Self::whole(Cursor::new(bytes))?, damage));
        }
        let Some(spill) = spill else {
            let what = format!("a nested archive of more than {memory} bytes: unpack it first");
            return Err(ContainerFault::limit(what));
        };
        let mut file = spill()?;
        file.write_all(&bytes)?;
        drop(bytes);
        io::copy(&mut until_damage, &mut file)?;
        Ok((Self::whole(file)?, damage))
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// A part of this part; `None` if it reaches beyond the end.
    pub(crate) fn part(&self, start: u64, length: u64) -> Option<Self> {
        start.checked_add(length).filter(|end| *end <= self.length)?;
        Some(Self { file: Arc::clone(&self.file), start: self.start.checked_add(start)?, length, offset: 0 })
    }

    /// Everything from an offset on.
    pub(crate) fn from(&self, start: u64) -> Option<Self> {
        self.part(start, self.length.checked_sub(start)?)
    }

    /// The first bytes, at most `most`.
    pub(crate) fn start(&self, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Self { offset: 0, ..self.clone() }.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// A stream that ends at its damage.
struct UntilDamage<'a, R> {
    stream: &'a mut R,
    damage: &'a mut Option<io::Error>,
}

impl<R: Read> Read for UntilDamage<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.damage.is_some() {
            return Ok(0);
        }
        match self.stream.read(buffer) {
            Err(error) if is_damage(&error) => {
                *self.damage = Some(error);
                Ok(0)
            }
            result => result,
        }
    }
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.length.saturating_sub(self.offset);
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let (buffer, _) = buffer.split_at_mut(most);
        if buffer.is_empty() {
            return Ok(0);
        }
        // If a reader has panicked, the file's position does not matter, because every read seeks first.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.start.saturating_add(self.offset)))?;
        let got = file.read(buffer)?;
        self.offset = self.offset.saturating_add(got as u64);
        Ok(got)
    }
}

impl Seek for Section {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.offset.checked_add_signed(by),
        };
        self.offset = at.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_on_their_own() {
        let whole = Section::whole(Cursor::new(b"0123456789".to_vec())).unwrap();
        let mut part = whole.part(2, 5).unwrap();
        let mut inner = part.part(1, 3).unwrap();
        let (mut a, mut b) = (String::new(), String::new());
        part.by_ref().take(2).read_to_string(&mut a).unwrap();
        inner.read_to_string(&mut b).unwrap();
        part.read_to_string(&mut a).unwrap();
        assert_eq!((a.as_str(), b.as_str()), ("23456", "345"));
        assert!(part.part(3, 3).is_none() && whole.part(u64::MAX, 2).is_none() && whole.from(11).is_none());
        assert_eq!(part.seek(SeekFrom::End(-1)).unwrap(), 4);
        assert!(part.seek(SeekFrom::Current(-5)).is_err());
    }

    #[test]
    fn a_section_too_large_for_memory_is_spilled() {
        assert!(Section::keep(io::repeat(7).take(10), 10, None).is_ok());
        assert!(Section::keep(io::repeat(7).take(11), 10, None).is_err());
        let spill = || Ok(Box::new(Cursor::new(Vec::new())) as Box<dyn Spill>);
        let kept = Section::keep(io::repeat(7).take(11), 10, Some(spill)).unwrap();
        assert_eq!(kept.start(100).unwrap(), [7; 11]);
    }
}
