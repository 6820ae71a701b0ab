//! The output of rows: a file for each table, in one of three forms.

mod csv;
mod json;
#[cfg(feature = "parquet")]
mod parquet;

use crate::columns::{Collector, Columns};
use crate::schema::{Row, Table};
use std::io::{self, Write};

/// The form of the files.
///
/// ```
/// use moviola_export::TableFormat;
/// assert!(TableFormat::ALL.contains(&TableFormat::Csv));
/// assert_eq!(TableFormat::Jsonl.name(), "jsonl");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Apache Parquet.
    #[cfg(feature = "parquet")]
    Parquet,
    /// Comma-separated values with a header.
    Csv,
    /// A JSON object in each line.
    Jsonl,
}

impl TableFormat {
    /// All forms that are built in.
    pub const ALL: &[Self] = &[
        #[cfg(feature = "parquet")]
        Self::Parquet,
        Self::Csv,
        Self::Jsonl,
    ];

    /// Its name, which is the files' extension.
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => "parquet",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
        }
    }

    /// The form of a file's extension.
    ///
    /// ```
    /// use moviola_export::TableFormat;
    /// assert_eq!(TableFormat::of("CSV"), Some(TableFormat::Csv));
    /// assert_eq!(TableFormat::of("xlsx"), None);
    /// ```
    pub fn of(extension: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|form| form.name().eq_ignore_ascii_case(extension))
    }
}

/// Writes the rows of one table.
#[derive(Debug)]
enum Writer<W: Write + Send> {
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::File<W>>),
    Csv(csv::File<W>),
    Json(json::File<W>),
    Kept(Box<Collector>),
}

impl<W: Write + Send> Writer<W> {
    fn new(table: &'static Table, form: TableFormat, is_safe: bool, out: W) -> io::Result<Self> {
        Ok(match form {
            #[cfg(feature = "parquet")]
            TableFormat::Parquet => Self::Parquet(Box::new(parquet::File::new(table, out)?)),
            TableFormat::Csv => Self::Csv(csv::File::new(table, out, is_safe)?),
            TableFormat::Jsonl => Self::Json(json::File::new(table, out)),
        })
    }

    #[inline]
    fn row<R: Row>(&mut self, row: &R, subject: u16) -> io::Result<()> {
        // Only Parquet uses the subject: the other forms write whole lines.
        let _ = subject;
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(file) => file.row(row, subject),
            Self::Csv(file) => file.row(row),
            Self::Json(file) => file.row(row),
            Self::Kept(columns) => {
                columns.row(row);
                Ok(())
            }
        }
    }

    /// Finishes the file and returns its output; `None` for a file without an output, which keeps its rows in memory.
    fn finish(self) -> io::Result<Option<W>> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet(file) => file.finish().map(Some),
            Self::Csv(file) => Ok(Some(file.finish())),
            Self::Json(file) => Ok(Some(file.finish())),
            Self::Kept(_) => Ok(None),
        }
    }
}

/// The files of one recording: writes each row to the file of its table, if that table is wanted.
///
/// ```
/// use moviola_export::{Files, TableFormat, Word, schema::Row, tables::Players};
/// let mut files = Files::new(TableFormat::Csv);
/// files.add(Players::TABLE, Vec::new()).unwrap();
/// assert!(files.wants::<Players>());
/// files.row(&Players { name: Word::from("Ranger"), frags: Some(3), ..Players::default() }).unwrap();
/// let (table, csv) = files.finish().unwrap().pop().unwrap();
/// assert_eq!(table.name, "players");
/// assert!(String::from_utf8(csv).unwrap().ends_with(",0,0,Ranger,,,,,false,3,,,,,0,0\n"));
/// ```
#[derive(Debug)]
pub struct Files<W: Write + Send> {
    form: TableFormat,
    is_safe: bool,
    writers: Vec<Option<(&'static Table, Writer<W>)>>,
}

impl<W: Write + Send> Files<W> {
    /// A set without files.
    pub fn new(form: TableFormat) -> Self {
        Self { form, is_safe: false, writers: Vec::new() }
    }

    /// In CSV, puts an apostrophe before texts that a spreadsheet would take for formulas.
    ///
    /// ```
    /// use moviola_export::{Files, TableFormat, Word, schema::Row, tables::Players};
    /// let mut files = Files::new(TableFormat::Csv).safe_for_spreadsheets();
    /// files.add(Players::TABLE, Vec::new()).unwrap();
    /// files.row(&Players { name: Word::from("=1+1"), ..Players::default() }).unwrap();
    /// let (_, csv) = files.finish().unwrap().pop().unwrap();
    /// assert!(String::from_utf8(csv).unwrap().contains(",'=1+1,"));
    /// ```
    #[must_use]
    pub fn safe_for_spreadsheets(self) -> Self {
        Self { is_safe: true, ..self }
    }

    /// Adds the file of a table.
    pub fn add(&mut self, table: &'static Table, out: W) -> io::Result<()> {
        let writer = Writer::new(table, self.form, self.is_safe, out)?;
        self.put(table, writer);
        Ok(())
    }

    /// Keeps the rows of a table in memory as columns instead of writing a file.
    pub fn keep(&mut self, table: &'static Table) {
        self.put(table, Writer::Kept(Box::new(Collector::new(table))));
    }

    fn put(&mut self, table: &'static Table, writer: Writer<W>) {
        if self.writers.len() <= table.index {
            self.writers.resize_with(table.index.saturating_add(1), || None);
        }
        if let Some(place) = self.writers.get_mut(table.index) {
            *place = Some((table, writer));
        }
    }

    /// The columns of the tables that were kept in memory.
    pub fn kept(self) -> Vec<Columns> {
        let kept = self.writers.into_iter().flatten().filter_map(|(_, writer)| match writer {
            Writer::Kept(columns) => Some(columns.finish()),
            _ => None,
        });
        kept.collect()
    }

    /// Whether rows of this table are wanted.
    pub fn wants<R: Row>(&self) -> bool {
        matches!(self.writers.get(R::TABLE.index), Some(Some(_)))
    }

    /// Writes a row.
    #[inline]
    pub fn row<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.row_like(row, 0)
    }

    /// Writes a row that resembles the last one of its subject, for example an entity. This is faster if there are few
    /// subjects.
    #[inline]
    pub fn row_like<R: Row>(&mut self, row: &R, subject: u16) -> io::Result<()> {
        match self.writers.get_mut(R::TABLE.index) {
            Some(Some((_, writer))) => writer.row(row, subject),
            _ => Ok(()),
        }
    }

    /// Writes the last row of a subject once more, with the block and the times of `now`. Returns false if that was
    /// not possible; then the row must be written in the usual way.
    ///
    /// ```
    /// use moviola_export::{Files, TableFormat, schema::Row, tables::Entities};
    /// let mut files = Files::new(TableFormat::Csv);
    /// files.add(Entities::TABLE, Vec::new()).unwrap();
    /// files.row_like(&Entities { entity: 7, ..Entities::default() }, 7).unwrap();
    /// let next = Entities { entity: 7, block: 1, ..Entities::default() };
    /// if !files.repeat_row(&next, 7).unwrap() {
    ///     files.row_like(&next, 7).unwrap();
    /// }
    /// let (_, csv) = files.finish().unwrap().pop().unwrap();
    /// assert_eq!(csv.iter().filter(|byte| **byte == b'\n').count(), 3);
    /// ```
    #[inline]
    pub fn repeat_row<R: Row>(&mut self, now: &R, subject: u16) -> io::Result<bool> {
        match self.writers.get_mut(R::TABLE.index) {
            #[cfg(feature = "parquet")]
            Some(Some((_, Writer::Parquet(file)))) => file.repeat_row(now, subject),
            _ => {
                let _ = (now, subject);
                Ok(false)
            }
        }
    }

    /// Writes the remaining rows, and returns the outputs.
    pub fn finish(self) -> io::Result<Vec<(&'static Table, W)>> {
        let writers = self.writers.into_iter().flatten();
        let finished = writers.map(|(table, writer)| Ok(writer.finish()?.map(|out| (table, out))));
        finished.filter_map(Result::transpose).collect()
    }
}

/// A whole number in digits.
fn push_integer(text: &mut Vec<u8>, value: i64) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// A number in the fewest digits that read back to it.
fn float(text: &mut Vec<u8>, value: impl zmij::Float) {
    text.extend_from_slice(zmij::Buffer::new().format(value).as_bytes());
}
