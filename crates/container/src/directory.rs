//! The files of one archive by their index, for callers that repeatedly read a few of many files.

use crate::archive::{Archive, Content};
use crate::fault::ContainerFault;
use crate::inflate::{Checked, Crc};
use crate::kind::{self, ContainerKind};
use crate::limits::{Budget, Limits, Metered};
use crate::section::Section;
use std::fmt;
use std::io::{self, BufReader, Read, Seek};

/// An archive with random access to its files.
///
/// A [`Walk`](crate::Walk) reads everything once, including archives in archives; this keeps the archive open
/// and reads only its own files.
///
/// ```
/// use moviola_container::{Directory, Limits};
/// use std::io::Cursor;
///
/// let mut pak = b"PACK\x10\0\0\0\x40\0\0\0-1\n\x00demo1.dem".to_vec();
/// pak.resize(16 + 56, 0);
/// pak.extend([12, 0, 0, 0, 3, 0, 0, 0]);
/// let mut archive = Directory::open(Cursor::new(pak), Limits::default()).unwrap().unwrap();
/// assert_eq!(archive.names().unwrap(), [(0, "demo1.dem".to_owned())]);
/// assert_eq!(archive.read(0, 1 << 20).unwrap(), b"-1\n");
/// assert!(archive.read(0, 2).is_err(), "it is larger than that");
/// ```
pub struct Directory {
    archive: Box<dyn Archive>,
    limits: Limits,
    length: u64,
}

impl Directory {
    /// Opens an archive; `None` if the file is not one.
    pub fn open(file: impl Read + Seek + Send + 'static, limits: Limits) -> io::Result<Option<Self>> {
        let file = Section::whole(file)?;
        let length = file.length();
        let budget = Budget::new(limits, length);
        let kind = ContainerKind::of_section(&file)?;
        let archive = kind::open(kind, file, &budget)?;
        Ok(archive.map(|archive| Self { archive, limits, length }))
    }

    /// The names of its files, each with its place in the directory. Folders are left out.
    pub fn names(&mut self) -> io::Result<Vec<(usize, String)>> {
        let mut names = Vec::new();
        for index in 0..self.archive.count() {
            let member = self.archive.member(index)?;
            if let Some(member) = member.filter(|it| it.name.len() <= self.limits.name) {
                names.push((index, member.name));
            }
        }
        Ok(names)
    }

    /// A file's bytes, if there are at most `most`. The limits are counted separately for each file.
    pub fn read(&mut self, index: usize, most: u64) -> io::Result<Vec<u8>> {
        let budget = Budget::new(self.limits, self.length);
        let content = self.archive.open(index)?;
        let mut bytes = Vec::new();
        let stream: Box<dyn Read> = match content {
            Content::Stream(stream) | Content::Parts(_, stream) => stream,
            Content::Stored(section, layer, crc) => stored(section, layer, crc),
        };
        Metered { inner: stream, budget }.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(ContainerFault::limit(format!("it has more than {most} bytes, which is the limit")));
        }
        Ok(bytes)
    }
}

fn stored(section: Section, layer: &'static str, crc: Crc) -> Box<dyn Read> {
    let size = section.length();
    Box::new(Checked::new(BufReader::with_capacity(1 << 16, section), layer, size, crc))
}

impl fmt::Debug for Directory {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Directory").field("files", &self.archive.count()).finish_non_exhaustive()
    }
}
