//! Walks through a container and the containers in it.

use crate::archive::{Archive, Content, Gunzip, Member, Stream};
use crate::date;
use crate::fault::{ContainerError, ContainerFault};
use crate::inflate::Checked;
use crate::kind::{self, ContainerKind};
use crate::limits::{Budget, CountedInput, Limits, Metered};
use crate::name::{self, INSIDE, Names};
use crate::salvage::is_damage;
use crate::section::{NewSpill, Section};
use std::fmt;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::sync::Arc;
use std::time::SystemTime;

/// The options of a walk through a container.
///
/// ```
/// let options = moviola_container::WalkOptions { nested: false, ..Default::default() };
/// assert!(options.spill.is_none());
/// ```
#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// The limits.
    pub limits: Limits,
    /// Whether nested containers are opened too; otherwise they count as files.
    pub nested: bool,
    /// Whether files are searched without the archive's directory if that is missing or damaged, as in an
    /// archive that was cut off. The damage is reported first, as [`ContainerError`] of the archive, and then the
    /// files that were found.
    ///
    /// ```
    /// use moviola_container::{WalkOptions, Walk};
    /// // A zip archive that ends after the data of its first file.
    /// let torn = b"PK\x03\x04\x0a\0\0\0\0\0\0\0\0\0\x0d\xe2\x5c\xe9\x03\0\0\0\x03\0\0\0\x05\0\0\0a.dem-1\n";
    /// assert!(Walk::stream(&torn[..], WalkOptions::default()).is_err());
    /// let damaged = WalkOptions { damaged: true, ..WalkOptions::default() };
    /// let mut walk = Walk::stream(&torn[..], damaged).unwrap();
    /// assert!(walk.next().unwrap().is_err());
    /// assert_eq!(walk.next().unwrap().unwrap().path(), "a.dem");
    /// ```
    pub damaged: bool,
    /// Makes a temporary file for an archive in an archive that is too large for [`Limits::memory`].
    pub spill: Option<NewSpill>,
    /// Called with a message for people if a part was left out that was not content.
    pub warn: Option<ContainerWarning>,
}

/// A function that takes messages about a container; they do not contain its name.
///
/// ```
/// use moviola_container::{ContainerWarning, WalkOptions};
/// let warn = ContainerWarning::new(|what| eprintln!("runs.gz: {what}"));
/// let options = WalkOptions { warn: Some(warn), ..WalkOptions::default() };
/// ```
#[derive(Clone)]
pub struct ContainerWarning(Arc<dyn Fn(&str) + Send + Sync>);

impl ContainerWarning {
    /// Creates a warning handler that calls this function.
    pub fn new(take: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(take))
    }

    pub(crate) fn report(&self, what: &str) {
        (self.0)(what);
    }
}

impl fmt::Debug for ContainerWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContainerWarning")
    }
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { limits: Limits::default(), nested: true, damaged: false, spill: None, warn: None }
    }
}

/// All files in a container, one after the other; a file that is not a container counts as a container of
/// itself.
///
/// Each [`ContainerEntry`] is read independently, in any order, and may outlive the walk. After a [`ContainerError`] the walk
/// continues with the files that can still be found; when the [`Limits`] on sizes, counts or depth are
/// exceeded, it ends.
///
/// ```
/// use moviola_container::{WalkOptions, Walk};
/// use std::io::{Cursor, Read};
///
/// let mut pak = b"PACK\x10\0\0\0\x40\0\0\0-1\n\x00demo1.dem".to_vec();
/// pak.resize(16 + 56, 0);
/// pak.extend([12, 0, 0, 0, 3, 0, 0, 0]);
/// for file in Walk::new(Cursor::new(pak), WalkOptions::default()).unwrap() {
///     let mut file = file.unwrap();
///     let mut content = String::new();
///     file.read_to_string(&mut content).unwrap();
///     assert_eq!((file.path(), content.as_str()), ("demo1.dem", "-1\n"));
/// }
///
/// let mut plain = Walk::new(Cursor::new(&b"-1\n"[..]), WalkOptions::default()).unwrap();
/// assert_eq!(plain.next().unwrap().unwrap().path(), "");
/// assert!(plain.next().is_none());
/// ```
pub struct Walk {
    options: WalkOptions,
    budget: Budget,
    kind: ContainerKind,
    /// The outermost file, if it is not an archive.
    root: Option<ContainerEntry>,
    levels: Vec<OpenArchive>,
    /// The damage of the archive that was opened last, if its files were found nevertheless.
    trouble: Option<ContainerError>,
    wanted_member: Option<String>,
}

/// An archive that is being walked through.
struct OpenArchive {
    path: String,
    archive: Box<dyn Archive>,
    next: usize,
    depth: u32,
    names: Names,
}

impl OpenArchive {
    fn new(path: &str, archive: Box<dyn Archive>, depth: u32) -> Self {
        Self { path: path.to_owned(), archive, next: 0, depth, names: Names::default() }
    }
}

/// The result of opening a file.
enum Opened {
    /// A plain file, and the data of the gzip files around it.
    File(Stream, Gzipped),
    /// An archive, its depth in others, and its damage if it has any.
    Archive(Box<dyn Archive>, u32, Option<io::Error>),
}

/// The name and time of a file in the gzip files around it.
#[derive(Clone, Copy, Default)]
struct Gzipped {
    /// Whether it is in a gzip file.
    is: bool,
    /// The time of its last change.
    modified: Option<SystemTime>,
}

impl Walk {
    /// Starts with a file.
    pub fn new(file: impl Read + Seek + Send + 'static, options: WalkOptions) -> io::Result<Self> {
        let file = Section::whole(file)?;
        let budget = Budget::new(options.limits, file.length());
        let (kind, size) = (ContainerKind::of_section(&file)?, file.length());
        Self::start(Content::Stored(file, "", crate::inflate::Crc::Absent), kind, Some(size), budget, options)
    }

    /// Starts with a stream. Archives have their directory at the end, so the whole stream is stored before
    /// reading; gzip and plain files are not stored.
    pub fn stream(stream: impl Read + Send + 'static, options: WalkOptions) -> io::Result<Self> {
        let budget = Budget::new(options.limits, 0);
        let (start, stream) = peek(CountedInput { inner: stream, budget: budget.clone() })?;
        Self::start(Content::Stream(Box::new(stream)), ContainerKind::of(&start), None, budget, options)
    }

    fn start(
        root: Content,
        kind: ContainerKind,
        size: Option<u64>,
        budget: Budget,
        options: WalkOptions,
    ) -> io::Result<Self> {
        let (root_file, levels, trouble) = (None, Vec::new(), None);
        let mut walk = Self { options, budget, kind, root: root_file, levels, trouble, wanted_member: None };
        match walk.unwrap_layers(root, 0)? {
            Opened::File(stream, Gzipped { is: gunzipped, modified }) => {
                let size = size.filter(|_| kind == ContainerKind::Plain);
                walk.root = Some(ContainerEntry { path: String::new(), size, gunzipped, modified, stream });
            }
            Opened::Archive(archive, depth, damage) => {
                walk.trouble = damage.map(|error| ContainerError { path: String::new(), error });
                walk.levels.push(OpenArchive::new("", archive, depth));
            }
        }
        Ok(walk)
    }

    /// Selects only the file with this path, or all files in the container with this path. Nothing else is
    /// opened.
    ///
    /// ```
    /// # use moviola_container::{WalkOptions, Walk};
    /// # fn find(file: std::fs::File) -> std::io::Result<()> {
    /// let mut found = Walk::new(file, WalkOptions::default())?.only("pak0.pak:demo1.dem");
    /// if let Some(Ok(demo)) = found.next() {
    ///     assert_eq!(demo.path(), "pak0.pak:demo1.dem");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn only(self, path: &str) -> Self {
        let only = Some(path.to_owned());
        // The outermost file has no path inside itself.
        Self { wanted_member: only, root: self.root.filter(|_| path.is_empty()), ..self }
    }

    /// The kind of the outermost file.
    pub fn kind(&self) -> ContainerKind {
        self.kind
    }

    /// Unpacks the layers around a file until its bytes or its directory can be read.
    fn unwrap_layers(&self, mut content: Content, mut depth: u32) -> io::Result<Opened> {
        let mut gunzipped = Gzipped::default();
        loop {
            let (kind, start, inner) = match content {
                Content::Parts(archive, _) => {
                    self.budget.count_files(archive.count() as u64)?;
                    return Ok(Opened::Archive(archive, self.deeper(depth)?, None));
                }
                Content::Stored(section, layer, crc) => {
                    let start = section.start(ContainerKind::PEEK as u64)?;
                    (ContainerKind::of_section(&section)?, start, Content::Stored(section, layer, crc))
                }
                Content::Stream(stream) => {
                    let (start, stream) = peek(stream)?;
                    (ContainerKind::of(&start), start, Content::Stream(Box::new(stream)))
                }
            };
            if kind == ContainerKind::Plain {
                return Ok(Opened::File(self.file(inner), gunzipped));
            }
            depth = self.deeper(depth)?;
            if kind == ContainerKind::Gzip {
                // The innermost of several layers counts.
                let modified =
                    start.get(4..).and_then(|rest| rest.first_chunk()).copied().map(u32::from_le_bytes);
                gunzipped =
                    Gzipped { is: true, modified: modified.and_then(date::unix).or(gunzipped.modified) };
                let inner = Gunzip::new(self.file(inner), self.options.warn.clone());
                content = Content::Stream(Box::new(Metered { inner, budget: self.budget.clone() }));
                continue;
            }
            let (section, damage) = match inner {
                Content::Stored(section, ..) => (section, None),
                other => self.keep(self.file(other))?,
            };
            let (archive, damage) = self.open(kind, section, damage)?;
            return Ok(Opened::Archive(archive, depth, damage));
        }
    }

    /// Stores an archive from a stream; also returns the damage that salvaging can tolerate.
    fn keep(&self, stream: Stream) -> io::Result<(Section, Option<io::Error>)> {
        let WalkOptions { limits, spill, damaged, .. } = self.options;
        if damaged {
            return Section::keep_what_comes(stream, limits.memory, spill);
        }
        Ok((Section::keep(stream, limits.memory, spill)?, None))
    }

    /// Opens an archive, together with the damage of the layers below, and returns all of its damage.
    fn open(
        &self,
        kind: ContainerKind,
        section: Section,
        inner_error: Option<io::Error>,
    ) -> io::Result<(Box<dyn Archive>, Option<io::Error>)> {
        let damage = match kind::open(kind, section.clone(), &self.budget) {
            Ok(Some(archive)) => return Ok((archive, inner_error)),
            // Callers pass only archives, so this is unreachable.
            Ok(None) => return Err(io::ErrorKind::InvalidData.into()),
            Err(error) if self.options.damaged && is_damage(&error) => error,
            Err(error) => return Err(error),
        };
        // If an inner layer was damaged, that is the cause of this damage.
        let damage = inner_error.unwrap_or(damage);
        let archive = match kind::salvage(kind, section, &self.budget) {
            Ok(Some(archive)) => archive,
            Err(error) if !is_damage(&error) => return Err(error),
            Ok(None) | Err(_) => return Err(damage),
        };
        let files = match archive.count() {
            1 => "1 file".into(),
            count => format!("{count} files"),
        };
        // In a PAK, the names and places of files are in the directory alone, so what is left of it was used.
        let how = if kind == ContainerKind::Pak { "in what is left of" } else { "without" };
        let fault = ContainerFault::new("", format!("{damage}; {files} found {how} the directory"));
        Ok((archive, Some(fault.into())))
    }

    /// The content as a stream.
    fn file(&self, content: Content) -> Stream {
        match content {
            Content::Stream(stream) | Content::Parts(_, stream) => stream,
            Content::Stored(section, layer, crc) => {
                let size = section.length();
                let inner = BufReader::with_capacity(1 << 16, section);
                let metered = Metered { inner, budget: self.budget.clone() };
                Box::new(Checked::new(metered, layer, size, crc))
            }
        }
    }

    fn deeper(&self, depth: u32) -> io::Result<u32> {
        let depth = depth.saturating_add(1);
        self.budget.check_depth(depth)?;
        Ok(depth)
    }

    /// Whether a path is selected, or may lead to a selected one.
    fn is_wanted(&self, path: &str) -> bool {
        self.wanted_member
            .as_deref()
            .is_none_or(|only| only.is_empty() || is_at(path, only) || is_at(only, path))
    }

    /// Examines the next file of the innermost archive.
    fn step(&mut self) -> Option<Result<Option<ContainerEntry>, ContainerError>> {
        let level = self.levels.last_mut()?;
        if level.next >= level.archive.count() {
            self.levels.pop();
            return Some(Ok(None));
        }
        let (index, depth) = (level.next, level.depth);
        level.next = level.next.saturating_add(1);
        let mut path = name::join(&level.path, &format!("#{index}"));
        let result = level.archive.member(index).and_then(|member| {
            let Some(member) = member else { return Ok(None) };
            if !member.name.is_empty() {
                path = name::join(&level.path, &level.names.unused(&member.name));
            }
            let most = self.options.limits.name;
            if path.len() > most {
                path = path.chars().take(40).collect::<String>() + "...";
                return Err(ContainerFault::limit(format!(
                    "its name has more than {most} bytes, which is the limit"
                )));
            }
            Ok(Some(member))
        });
        let entry = result.and_then(|member| match member {
            Some(member) if self.is_wanted(&path) => self.enter(index, &path, &member, depth),
            _ => Ok(None),
        });
        Some(entry.map_err(|error| ContainerError { path, error }))
    }

    fn enter(
        &mut self,
        index: usize,
        path: &str,
        member: &Member,
        depth: u32,
    ) -> io::Result<Option<ContainerEntry>> {
        let Some(level) = self.levels.last_mut() else { return Ok(None) };
        let content = level.archive.open(index)?;
        let found = if self.options.nested {
            self.unwrap_layers(content, depth)?
        } else {
            Opened::File(self.file(content), Gzipped::default())
        };
        match found {
            Opened::File(stream, Gzipped { is: gunzipped, modified }) => {
                let is_asked =
                    self.wanted_member.as_deref().is_none_or(|only| only.is_empty() || is_at(path, only));
                let (path, size) = (path.to_owned(), Some(member.size));
                let modified = modified.or(member.modified);
                Ok(is_asked.then_some(ContainerEntry { path, size, gunzipped, modified, stream }))
            }
            Opened::Archive(archive, depth, damage) => {
                self.trouble = damage.map(|error| ContainerError { path: path.to_owned(), error });
                self.levels.push(OpenArchive::new(path, archive, depth));
                Ok(None)
            }
        }
    }
}

/// Whether a path is that of a container, or leads into it.
fn is_at(path: &str, container: &str) -> bool {
    path.strip_prefix(container).is_some_and(|rest| rest.is_empty() || rest.starts_with(INSIDE))
}

impl Iterator for Walk {
    type Item = Result<ContainerEntry, ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(root) = self.root.take() {
            return Some(Ok(root));
        }
        loop {
            if let Some(trouble) = self.trouble.take() {
                return Some(Err(trouble));
            }
            if self.budget.is_over() {
                return None;
            }
            match self.step()? {
                Ok(None) => {}
                Ok(Some(entry)) => return Some(Ok(entry)),
                Err(trouble) => return Some(Err(trouble)),
            }
        }
    }
}

impl fmt::Debug for Walk {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Walk")
            .field("kind", &self.kind)
            .field("only", &self.wanted_member)
            .finish_non_exhaustive()
    }
}

type Peeked<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// Reads a stream's first bytes, and returns them with a stream that still includes them.
fn peek<R: Read>(mut stream: R) -> io::Result<(Vec<u8>, Peeked<R>)> {
    let mut start = Vec::new();
    stream.by_ref().take(ContainerKind::PEEK as u64).read_to_end(&mut start)?;
    Ok((start.clone(), Cursor::new(start).chain(stream)))
}

/// A file in a container, which can be read once.
///
/// The size and the checksum are checked at the end: if they are wrong, the last read fails.
///
/// ```
/// use moviola_container::{ContainerKind, WalkOptions, Walk};
/// use std::io::{Cursor, Read};
/// let mut walk = Walk::stream(&b"-1\n"[..], WalkOptions::default()).unwrap();
/// assert_eq!(walk.kind(), ContainerKind::Plain);
/// let mut entry = walk.next().unwrap().unwrap();
/// // A stream's length is not known before it was read.
/// assert_eq!((entry.path(), entry.claimed_size()), ("", None));
/// assert!(!entry.is_gunzipped());
/// let mut content = Vec::new();
/// entry.read_to_end(&mut content).unwrap();
/// assert_eq!(content, b"-1\n");
/// ```
pub struct ContainerEntry {
    path: String,
    size: Option<u64>,
    gunzipped: bool,
    modified: Option<SystemTime>,
    stream: Stream,
}

impl ContainerEntry {
    /// Its path inside, with `:` between the path of an archive and the path in it; empty for a file that is
    /// not in an archive.
    ///
    /// A gzip file adds nothing to the path: `run.dem.gz` in a zip is `run.dem.gz`, and reading it gives its
    /// content.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The size that the directory states, which for a gzip file is the packed size.
    pub fn claimed_size(&self) -> Option<u64> {
        self.size
    }

    /// The time of its last change, if the archive contains it. Zip and Dzip store a local time without its
    /// zone; it is read as UTC. PAK files have no dates.
    ///
    /// ```
    /// use moviola_container::{WalkOptions, Walk};
    /// use std::time::{Duration, UNIX_EPOCH};
    /// // An empty gzip file.
    /// let gzip = b"\x1f\x8b\x08\0\x00\x94\xcb\x31\0\x03\x03\0\0\0\0\0\0\0\0\0";
    /// let file = Walk::stream(&gzip[..], WalkOptions::default()).unwrap().next().unwrap().unwrap();
    /// assert_eq!(file.modified(), Some(UNIX_EPOCH + Duration::from_secs(835_425_280)));
    /// ```
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// Whether it is the content of a gzip file with this path, so that an extension `.gz` of the path is not
    /// its own.
    pub fn is_gunzipped(&self) -> bool {
        self.gunzipped
    }
}

impl Read for ContainerEntry {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl fmt::Debug for ContainerEntry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Entry")
            .field("path", &self.path)
            .field("claimed_size", &self.size)
            .finish_non_exhaustive()
    }
}
