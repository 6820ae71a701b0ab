//! The rows of a group. Most rows of an entity differ from its last row only in the time. So equal cells are stored
//! once, as a line; a row is the number of a line and the number of an instant. When the group is written, they become
//! columns.

use super::chunk::{Chunk, Number};
use super::encode::{Encoded, encode};
use super::index::{DistinctNumbers, Texts};
use super::lists::Lists;
use super::order::{Order, Page, PendingRows};
use crate::schema::{CellValue, Cells, Column, ColumnKind, Row, Table};
use moviola_format::names::same;
use parquet::errors::Result;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnDescPtr;
use rayon::prelude::*;
use std::io::Write;
use std::marker::PhantomData;

/// The number of rows in a group: as many as `DuckDB` processes in one thread, and few enough to be kept in memory.
const GROUP: usize = 122_880;

/// A group ends earlier if its texts have this many bytes, since each event has texts that no other row repeats.
const TEXTS: usize = 8 << 20;

/// How many lines are turned into columns at a time, so that they fit into the nearest cache.
const LINES_AT_A_TIME: usize = 256;

/// The most columns that a table may have.
pub(super) const MAX_COLUMNS: usize = 64;

/// Means that there is no line.
const NONE: u32 = u32::MAX;

/// The rows of a group.
pub(super) struct Rows {
    columns: Vec<ColumnData>,
    count: usize,
    /// Whether the rows must be written now.
    is_full: bool,
    /// The rows. Lines have all cells except those of the [`MOVING`] columns, which the instants have.
    coming: PendingRows,
    /// The numbers of lines and of instants.
    lines: u32,
    instants: u32,
    /// The cells of the last instant, and the bits of those that are empty.
    now: Option<(Moment, u64)>,
    /// The lines that are not in the columns yet: for each line the indexes of its values, and the bits of its empty
    /// cells.
    turn: Vec<u32>,
    empty_cells: Vec<u64>,
    /// The current row: a word for each cell.
    row: Box<[u64; MAX_COLUMNS]>,
    alike: SimilarRows,
}

/// The tables in which the rows of a subject lie together, since nearly every subject has a row at every instant.
const BY_ENTITY: [&str; 1] = ["entities"]; // not from SCHEMA: names of exported tables

/// The number of subjects whose last lines are cached. If there are more, subjects share places, and only the last one
/// of a place is cached.
const SUBJECTS: usize = 1024;

/// The columns in which repeated rows differ, because nothing of an entity changed but the time. In tables with such
/// rows, no cell of these columns is empty.
const MOVING: [&str; 3] = ["block", "level_time", "recording_time"]; // not from SCHEMA: columns of our tables

/// The words of the [`MOVING`] columns.
type Moment = [u64; MOVING.len()];

/// The bits of the columns that are [`MOVING`], computed by the compiler so that code for other cells is left out.
const fn moving(columns: &[Column]) -> u64 {
    let (mut bits, mut rest, mut at) = (0, columns, 0);
    while let [column, behind @ ..] = rest {
        if is_moving(column) {
            bits |= 1 << at;
        }
        (rest, at) = (behind, at + 1);
    }
    bits
}

const fn is_moving(column: &Column) -> bool {
    let mut names: &[&str] = &MOVING;
    while let [name, others @ ..] = names {
        if same(column.name.as_bytes(), name.as_bytes()) {
            return true;
        }
        names = others;
    }
    false
}

/// A cache of the last row of each subject, which the next row resembles. Only the cells that differ are looked up.
#[derive(Default)]
struct SimilarRows {
    /// For each subject the cells of its last row as words, and the indexes of their values.
    words: Vec<u64>,
    numbers: Vec<u32>,
    /// For each subject the bits of the cells with known indexes, and of the empty cells.
    known: Vec<u64>,
    empty_cells: Vec<u64>,
    /// For each subject the line of its last row; [`NONE`] if it has none in this group.
    lines: Vec<u32>,
    /// The subject that has the place.
    subjects: Vec<u16>,
}

/// The last row of a subject.
struct Last<'a> {
    words: &'a mut [u64],
    numbers: &'a mut [u32],
    known: &'a mut u64,
    empty_cells: &'a mut u64,
    line: &'a mut u32,
}

impl SimilarRows {
    /// The last row of a subject.
    #[inline(always)]
    fn last(&mut self, subject: usize, width: usize) -> Option<Last<'_>> {
        let (begin, end) = (subject * width, (subject + 1) * width);
        if self.known.len() <= subject {
            self.grow(subject, width);
        }
        Some(Last {
            words: self.words.get_mut(begin..end)?,
            numbers: self.numbers.get_mut(begin..end)?,
            known: self.known.get_mut(subject)?,
            empty_cells: self.empty_cells.get_mut(subject)?,
            line: self.lines.get_mut(subject)?,
        })
    }

    #[cold]
    fn grow(&mut self, subject: usize, width: usize) {
        self.words.resize((subject + 1) * width, 0);
        self.numbers.resize((subject + 1) * width, 0);
        self.known.resize(subject + 1, 0);
        self.empty_cells.resize(subject + 1, 0);
        self.lines.resize(subject + 1, NONE);
        self.subjects.resize(subject + 1, 0);
    }

    /// Forgets the indexes and lines, which are not valid in a new group.
    fn forget(&mut self) {
        self.known.fill(0);
        self.lines.fill(NONE);
    }
}

/// A column.
pub(super) struct ColumnData {
    kind: ColumnKind,
    is_moving: bool,
    values: DistinctNumbers,
    /// For each line, or instant, the index of its value. For an empty cell the index is meaningless, and after the
    /// last value of a column there may be none.
    numbers: Vec<u32>,
    /// For each line, or instant, whether it has a value.
    there: Option<Vec<bool>>,
    /// The texts to which the values are indexes.
    texts: Texts,
}

impl ColumnData {
    /// The index of a value; texts and booleans are indexes already.
    #[inline]
    fn number(&mut self, word: u64) -> u32 {
        match self.kind {
            ColumnKind::Bool | ColumnKind::Text | ColumnKind::Name | ColumnKind::List => word as u32,
            _ => self.values.number(word),
        }
    }
}

/// A row while its cells are taken.
struct Line<'c> {
    words: &'c mut [u64; MAX_COLUMNS],
    empty_cells: u64,
    columns: &'c mut [ColumnData],
}

impl Cells for Line<'_> {
    #[inline(always)]
    fn cell(&mut self, at: usize, value: CellValue<'_>) {
        let word = match value {
            CellValue::Null => {
                self.empty_cells |= 1 << at;
                0
            }
            CellValue::Text(word) => {
                self.columns.get_mut(at).map_or(0, |column| column.texts.number(word.bytes()).into())
            }
            CellValue::List(words) => {
                self.columns.get_mut(at).map_or(0, |column| column.texts.number(words.key()).into())
            }
            plain => bits(&plain),
        };
        if let Some(place) = self.words.get_mut(at) {
            *place = word;
        }
    }
}

/// The bits of a value that is not text.
#[inline(always)]
fn bits(value: &CellValue<'_>) -> u64 {
    match *value {
        CellValue::Bool(it) => u64::from(it),
        CellValue::Int(it) => it.bits(),
        CellValue::Long(it) => it.bits(),
        CellValue::Float(it) => it.bits(),
        CellValue::Double(it) => it.bits(),
        CellValue::Null | CellValue::Text(_) | CellValue::List(_) => 0,
    }
}

/// Collects the [`MOVING`] cells of a row.
struct MovingCells<R> {
    taken: Moment,
    count: usize,
    row: PhantomData<R>,
}

impl<R: Row> Cells for MovingCells<R> {
    #[inline(always)]
    fn cell(&mut self, at: usize, value: CellValue<'_>) {
        if const { moving(R::TABLE.columns) } >> at & 1 != 0
            && let Some(place) = self.taken.get_mut(self.count)
        {
            *place = bits(&value);
            self.count += 1;
        }
    }
}

impl Rows {
    pub(super) fn new(table: &Table) -> Self {
        let column = |column: &Column| ColumnData {
            kind: column.kind,
            is_moving: is_moving(column),
            values: DistinctNumbers::default(),
            numbers: Vec::new(),
            there: column.optional.then(Vec::new),
            texts: Texts::default(),
        };
        Self {
            columns: table.columns.iter().map(column).collect(),
            count: 0,
            is_full: false,
            coming: PendingRows::new(BY_ENTITY.contains(&table.name)),
            lines: 0,
            instants: 0,
            now: None,
            turn: Vec::with_capacity(LINES_AT_A_TIME * table.columns.len()),
            empty_cells: Vec::new(),
            row: Box::new([0; MAX_COLUMNS]),
            alike: SimilarRows::default(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    #[inline]
    pub(super) fn add<R: Row>(&mut self, row: &R, subject: u16) {
        let place = usize::from(subject) % SUBJECTS;
        let (line, empty) = self.line(row, place);
        self.place(row, (subject, place, line), empty);
    }

    /// Adds the last row of a subject once more, with the [`MOVING`] cells of another row, none of which is empty.
    /// Returns false if the subject has no last row.
    #[inline]
    pub(super) fn repeat_row<R: Row>(&mut self, now: &R, subject: u16) -> bool {
        let place = usize::from(subject) % SUBJECTS;
        let line = self.alike.lines.get(place).copied().unwrap_or(NONE);
        if line == NONE || self.alike.subjects.get(place) != Some(&subject) {
            return false;
        }
        self.place(now, (subject, place, line), 0);
        true
    }

    #[inline]
    fn place<R: Row>(&mut self, row: &R, (subject, place, line): (u16, usize, u32), empty: u64) {
        let moving = const { moving(R::TABLE.columns) };
        if moving != 0 {
            let mut cells = MovingCells::<R> { taken: Moment::default(), count: 0, row: PhantomData };
            row.cells(&mut cells);
            let now = Some((cells.taken, empty & moving));
            if now != self.now {
                self.now = now;
                self.instant(moving, cells.taken, empty & moving);
            }
        }
        if let Some(last) = self.alike.subjects.get_mut(place) {
            *last = subject;
        }
        self.coming.add(subject, place, line, self.instants.wrapping_sub(1));
        self.count += 1;
        self.is_full |= self.count >= GROUP;
    }

    /// Adds a line, unless the last one at this place has the same cells. Returns its number and the bits of the empty
    /// cells.
    fn line<R: Row>(&mut self, row: &R, place: usize) -> (u32, u64) {
        let Self { columns, lines, turn, empty_cells: empty, row: words, alike, .. } = self;
        let Some(last) = alike.last(place, R::TABLE.columns.len()) else { return (0, 0) };
        let mut line = Line { words, empty_cells: 0, columns };
        row.cells(&mut line);
        let nothing = line.empty_cells;
        let pairs = words.iter().zip(&*last.words).enumerate();
        let mut differing = pairs.fold(0, |bits, (at, (word, last))| bits | u64::from(word != last) << at);
        differing |= !*last.known & (u64::MAX >> (MAX_COLUMNS - last.words.len()));
        differing &= !nothing & !const { moving(R::TABLE.columns) };
        if differing == 0 && nothing == *last.empty_cells && *last.line != NONE {
            return (*last.line, nothing);
        }
        *last.empty_cells = nothing;
        *last.known |= differing;
        while differing != 0 {
            let at = differing.trailing_zeros() as usize;
            differing &= differing - 1;
            if let (Some(word), Some(before), Some(number), Some(column)) =
                (words.get(at), last.words.get_mut(at), last.numbers.get_mut(at), columns.get_mut(at))
            {
                (*before, *number) = (*word, column.number(*word));
            }
        }
        turn.extend_from_slice(last.numbers);
        empty.push(nothing);
        let number = *lines;
        *last.line = number;
        *lines += 1;
        if empty.len() == LINES_AT_A_TIME {
            self.turn();
        }
        (number, nothing)
    }

    /// Adds an instant: the words of the columns with these bits.
    fn instant(&mut self, mut moving: u64, moment: Moment, empty: u64) {
        for word in moment {
            let at = moving.trailing_zeros();
            moving &= moving.wrapping_sub(1);
            let Some(column) = self.columns.get_mut(at as usize) else { break };
            let is_there = empty >> at & 1 == 0;
            let number = if is_there { column.values.number(word) } else { 0 };
            column.numbers.push(number);
            if let Some(there) = &mut column.there {
                there.push(is_there);
            }
        }
        self.instants += 1;
    }

    /// Moves the collected lines into the columns.
    fn turn(&mut self) {
        let Self { columns, turn, empty_cells: empty, lines, .. } = self;
        let all = empty.iter().fold(u64::MAX, |all, row| all & row);
        let width = columns.len().max(1);
        let before = (*lines as usize).saturating_sub(empty.len());
        for (at, ColumnData { numbers, there, is_moving, .. }) in columns.iter_mut().enumerate() {
            if *is_moving {
                continue;
            }
            let bit = 1 << at;
            if all & bit == 0 {
                // Room for more rows, in few steps: the rows of a group that is begun are often many.
                if numbers.capacity() - numbers.len() < empty.len() {
                    numbers.reserve(empty.len().max(numbers.len() * 3));
                }
                numbers.resize(before, 0);
                let rows = turn.chunks_exact(width);
                numbers.extend(rows.map(|row| row.get(at).copied().unwrap_or_default()));
            }
            if let Some(there) = there {
                there.extend(empty.iter().map(|row| row & bit == 0));
            }
        }
        turn.clear();
        empty.clear();
        let texts: usize = columns.iter().map(|column| column.texts.size()).sum();
        self.is_full |= texts >= TEXTS;
    }

    /// Encodes the columns of the group on all idle cores, and writes them in their order.
    pub(super) fn write<W: Write + Send>(&mut self, writer: &mut SerializedFileWriter<W>) -> Result<()> {
        self.turn();
        let described = writer.schema_descr().columns().to_vec();
        let Self { columns, coming, .. } = &mut *self;
        let [lines, instants] = &coming.finish();
        let columns = columns.par_iter_mut().zip(&described);
        let encoded: Vec<Result<Encoded>> = columns
            .map(|(data, column)| data.encode(column, if data.is_moving { instants } else { lines }))
            .collect();
        let mut group = writer.next_row_group()?;
        for column in encoded {
            let (pages, close) = column?;
            group.append_column(&pages, close)?;
        }
        group.close()?;
        self.alike.forget();
        self.coming.clear();
        (self.lines, self.instants) = (0, 0);
        (self.now, self.count, self.is_full) = (None, 0, false);
        Ok(())
    }
}

impl ColumnData {
    /// Encodes the column, and clears it.
    fn encode(&mut self, column: &ColumnDescPtr, order: &Order<'_>) -> Result<Encoded> {
        let Self { kind, values, numbers, there, texts, .. } = self;
        let distinct = texts.take();
        let lines = Lines::new(numbers, there.as_deref(), order);
        let encoded = match kind {
            ColumnKind::Bool => encode(&Chunk::bools(), &lines, column),
            ColumnKind::Int => encode(&Chunk::numbers::<i32>(values, &lines), &lines, column),
            ColumnKind::Long => encode(&Chunk::numbers::<i64>(values, &lines), &lines, column),
            ColumnKind::Float => encode(&Chunk::numbers::<f32>(values, &lines), &lines, column),
            ColumnKind::Double => encode(&Chunk::numbers::<f64>(values, &lines), &lines, column),
            ColumnKind::Text | ColumnKind::Name => {
                encode(&Chunk::texts(&distinct, lines.values), &lines, column)
            }
            ColumnKind::List => {
                let lists = Lists::of(&distinct);
                let chunk = Chunk::texts(lists.texts(), lists.values(&lines));
                encode(&chunk, &Lines { lists: Some(&lists), ..lines }, column)
            }
        };
        values.clear();
        numbers.clear();
        there.iter_mut().for_each(Vec::clear);
        encoded
    }
}

/// The cells of a column by their lines, and the lines of the rows.
pub(super) struct Lines<'a> {
    /// For each line the index of its value.
    pub(super) numbers: &'a [u32],
    /// If a cell may be empty, whether each line has a value.
    pub(super) there: Option<&'a [bool]>,
    /// Whether all lines have a value.
    pub(super) is_full: bool,
    /// The index of the value, if all lines have the same value.
    pub(super) constant: Option<u32>,
    pub(super) order: &'a Order<'a>,
    /// How many rows have a value.
    pub(super) values: usize,
    /// The texts in the lists, if the values are lists.
    pub(super) lists: Option<&'a Lists>,
}

impl<'a> Lines<'a> {
    fn new(numbers: &'a [u32], there: Option<&'a [bool]>, order: &'a Order<'a>) -> Self {
        let is_full = there.is_none_or(|there| there.iter().all(|it| *it));
        let has_none = there.is_some_and(|there| there.iter().all(|it| !*it));
        let first = numbers.first().copied().filter(|_| is_full);
        let constant = first.filter(|first| numbers.iter().all(|it| it == first));
        let mut lines = Self { numbers, there, is_full, constant, order, values: 0, lists: None };
        lines.values = match () {
            () if is_full => order.rows,
            () if has_none => 0,
            () => {
                let runs = order.pages.iter().flat_map(Page::runs);
                runs.filter(|(line, _)| lines.has(*line)).map(|(_, count)| count as usize).sum()
            }
        };
        lines
    }

    /// Whether a line has a value.
    #[inline]
    pub(super) fn has(&self, line: u32) -> bool {
        self.there.is_none_or(|there| there.get(line as usize).copied().unwrap_or_default())
    }

    /// The index of a line's value.
    #[inline]
    pub(super) fn number(&self, line: u32) -> u32 {
        self.numbers.get(line as usize).copied().unwrap_or_default()
    }
}
