//! The rows of an archive's catalog: known rows are looked up, and recordings that occur twice are marked.

use crate::read::Depth;
use crate::table::{ROWS, Recording};
use moviola_export::{Files, TableFormat, Word, columns, rows};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// The data by which an unchanged file is recognized without being read.
///
/// ```
/// use moviola_catalog::FileStamp;
/// let stamp = FileStamp { bytes: 19, modified: 1_700_000_000_000 };
/// assert_ne!(stamp, FileStamp { bytes: 20, ..stamp });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Its size.
    pub bytes: i64,
    /// The time of its last change, in milliseconds since 1970.
    pub modified: i64,
}

/// The columns by which a catalog's file is recognized.
const OWN: [&str; 4] = ["file", "recording", "file_bytes", "modified"]; // not from SCHEMA: columns of a catalog

/// The rows of an archive.
///
/// ```
/// use moviola_catalog::{Catalog, Depth, FileStamp, recording};
/// use moviola_export::TableFormat;
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";
/// let row = || recording(&file[..], Depth::Quick).unwrap().unwrap();
/// let stamp = FileStamp { bytes: 20, modified: 5 };
///
/// let mut catalog = Catalog::default();
/// catalog.add("run.dem", None, stamp, row());
/// catalog.add("old.zip:run.dem", Some("old.zip"), stamp, row());
/// let mut csv = Vec::new();
/// catalog.write(TableFormat::Csv, &mut csv).unwrap();
///
/// let catalog = Catalog::read(TableFormat::Csv, csv).unwrap();
/// assert_eq!(catalog.rows()[1].same_as.as_ref().unwrap().as_str(), "run.dem");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    rows: Vec<Recording>,
}

impl Catalog {
    /// Reads a catalog's file. The file of another table, and any other text, is refused.
    pub fn read(form: TableFormat, file: Vec<u8>) -> io::Result<Self> {
        let invalid_data = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        // In this form, a catalog without rows is a file without lines.
        if form != TableFormat::Jsonl || !file.is_empty() {
            let named = columns(form, &file)?;
            if let Some(missing) = OWN.iter().find(|own| !named.iter().any(|it| it == *own)) {
                return Err(invalid_data(format!("it has no column `{missing}`")));
            }
        }
        let rows: Vec<Recording> = rows(form, file)?;
        if rows.iter().any(|row| row.recording.is_empty()) {
            return Err(invalid_data("a row has no hash".into()));
        }
        Ok(Self { rows })
    }

    /// Writes a catalog's file, with recordings that occur twice marked.
    pub fn write<W: Write + Send>(&mut self, form: TableFormat, out: W) -> io::Result<W> {
        self.mark();
        let mut files = Files::new(form);
        files.add(ROWS, out)?;
        for row in &self.rows {
            files.row(row)?;
        }
        files.finish()?.pop().map(|(_, out)| out).ok_or_else(|| io::ErrorKind::Other.into())
    }

    /// The rows.
    pub fn rows(&self) -> &[Recording] {
        &self.rows
    }

    /// Adds a recording that was read: its file, the container of the file, if it is in one, and the stamp of
    /// that.
    pub fn add(&mut self, file: &str, container: Option<&str>, stamp: FileStamp, row: Recording) {
        let FileStamp { bytes, modified } = stamp;
        let (file, container) = (Word::from(file), container.map(Word::from));
        self.rows.push(Recording { file, container, file_bytes: bytes, modified, ..row });
    }

    /// Adds rows that are known.
    pub fn keep(&mut self, rows: impl IntoIterator<Item = Recording>) {
        self.rows.extend(rows);
    }

    /// The rows of the catalog, moved out of it.
    pub fn into_rows(self) -> Vec<Recording> {
        self.rows
    }

    /// The rows by their files, to be looked up.
    pub fn known(self) -> KnownFiles {
        let mut known = KnownFiles::default();
        // Nearly every file has one row, of a kilobyte. Without an explicit capacity, a list would allocate room for
        // four.
        let one = || Vec::with_capacity(1);
        for row in self.rows {
            let file = row.container.as_ref().unwrap_or(&row.file).clone();
            known.0.entry(file).or_insert_with(one).push(row);
        }
        known
    }

    /// How many recordings are equal to an earlier one.
    pub fn twice(&self) -> usize {
        self.rows.iter().filter(|row| row.same_as.is_some()).count()
    }

    /// Marks each repeated recording with the file of the first one; [`write`](Self::write) does so itself.
    ///
    /// ```
    /// use moviola_catalog::{Catalog, Depth, FileStamp, recording};
    /// let mut catalog = Catalog::default();
    /// for name in ["a.dem", "b.dem"] {
    ///     let row = recording(&b"-1\n"[..], Depth::Quick).unwrap().unwrap();
    ///     catalog.add(name, None, FileStamp { bytes: 3, modified: 5 }, row);
    /// }
    /// catalog.mark();
    /// assert_eq!(catalog.rows()[1].same_as.as_ref().unwrap().as_str(), "a.dem");
    /// ```
    pub fn mark(&mut self) {
        let mut first: HashMap<Word, Word> = HashMap::new();
        for row in &mut self.rows {
            row.same_as = first.get(&row.recording).cloned();
            if row.same_as.is_none() {
                first.insert(row.recording.clone(), row.file.clone());
            }
        }
    }
}

/// The known rows of files, so that unchanged files need not be read again.
///
/// ```
/// use moviola_catalog::{Catalog, Depth, FileStamp, recording};
/// let mut catalog = Catalog::default();
/// let stamp = FileStamp { bytes: 20, modified: 5 };
/// catalog.add("run.dem", None, stamp, recording(&b"-1\n"[..], Depth::Quick).unwrap().unwrap());
/// let known = catalog.known();
/// let mut again = Catalog::default();
/// again.keep(known.rows("run.dem", stamp, Depth::Quick).unwrap().iter().cloned());
/// assert_eq!((again.rows().len(), again.twice()), (1, 0));
/// assert!(known.rows("run.dem", stamp, Depth::Full).is_none(), "there is more to be found out");
/// assert!(known.rows("run.dem", FileStamp { modified: 6, ..stamp }, Depth::Quick).is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct KnownFiles(HashMap<Word, Vec<Recording>>);

/// The signs between the names of a folder and of a file in it.
const SEPARATORS: [char; 2] = ['/', '\\'];

impl KnownFiles {
    /// The rows of a file, or of everything in a container, if it has not changed since, and if this version made the
    /// rows, at least as thoroughly.
    pub fn rows(&self, file: &str, stamp: FileStamp, depth: Depth) -> Option<&[Recording]> {
        let rows = self.of(file);
        let is_fresh = |row: &Recording| {
            (row.file_bytes, row.modified) == (stamp.bytes, stamp.modified)
                && row.version.as_str() == env!("CARGO_PKG_VERSION")
                && (depth == Depth::Quick || row.findings.is_some())
        };
        (!rows.is_empty() && rows.iter().all(is_fresh)).then_some(rows)
    }

    /// The rows of a file, even if it has changed since.
    ///
    /// ```
    /// assert!(moviola_catalog::KnownFiles::default().of("run.dem").is_empty());
    /// ```
    pub fn of(&self, file: &str) -> &[Recording] {
        self.0.get(&Word::from(file)).map_or(&[], Vec::as_slice)
    }

    /// The rows of a file, or of all files in a folder, even if they have changed since; in the order of
    /// their names.
    ///
    /// ```
    /// use moviola_catalog::{Catalog, Depth, FileStamp, recording};
    /// let mut catalog = Catalog::default();
    /// let row = recording(&b"-1\n"[..], Depth::Quick).unwrap().unwrap();
    /// catalog.add("runs/a.dem", None, FileStamp { bytes: 3, modified: 5 }, row);
    /// let known = catalog.known();
    /// assert_eq!((known.below("runs").len(), known.below("run").len()), (1, 0));
    /// ```
    pub fn below(&self, folder: &str) -> Vec<Recording> {
        let is_below = |file: &str| {
            let rest = file.strip_prefix(folder);
            rest.is_some_and(|rest| {
                rest.is_empty() || folder.ends_with(SEPARATORS) || rest.starts_with(SEPARATORS)
            })
        };
        let files: BTreeMap<&str, &Vec<Recording>> = self
            .0
            .iter()
            .map(|(file, rows)| (file.as_str(), rows))
            .filter(|(file, _)| is_below(file))
            .collect();
        files.into_values().flatten().cloned().collect()
    }
}
