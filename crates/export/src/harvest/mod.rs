//! One pass over a recording that makes the rows of all requested tables. The code of each game sees every message
//! before the world changes, and the world after each block; the events come from the same pass.

mod events;
mod happened;
mod matches;
mod messages;
mod names;
mod people;
mod quake;
mod quake2;
mod quakeworld;
mod slots;
mod trail;

use crate::tables::{
    Chat, Damages, Entities, Events, Items, Kills, Levels, MatchCounts, Messages, Pickups, Positions,
    Recordings, SCHEMA_VERSION, Shots, Ticks,
};
use crate::write::Files;
use crate::{FixedWord, Id, Word, WordList};
use happened::{EventSurroundings, LyingItems};
use moviola_analyse::{Event, EventKind, Watch, watch};
use moviola_check::{Inspected, Inspection, Summary};
use moviola_format::names::{quake2::PROTOCOL, value};
use moviola_format::{Entry, Format, Game, Length, Message, Piece, dem, dm2, header_track, qw};
use moviola_state::{quake as q1, quake2 as q2, quakeworld as q3};
use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::mem::take;

/// The result of an export of one recording.
///
/// ```
/// use moviola_export::{Files, TableFormat, Harvest, Id, harvest};
/// let mut files = Files::<Vec<u8>>::new(TableFormat::Csv);
/// let Harvest { is_recording, .. } = harvest(&b"a text"[..], Id::of(&b"a text"[..]).unwrap(), "x", &mut files).unwrap();
/// assert!(!is_recording);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Harvest {
    /// The row of `recordings`.
    pub recording: Recordings,
    /// Whether it is a recording of a known game.
    pub is_recording: bool,
}

/// Writes the rows of a recording into the files.
///
/// ```
/// use moviola_export::{Files, TableFormat, Id, harvest, schema::Row, tables::Ticks};
/// let demo = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let mut files = Files::new(TableFormat::Jsonl);
/// files.add(Ticks::TABLE, Vec::new()).unwrap();
/// let harvest = harvest(&demo[..], Id::of(&demo[..]).unwrap(), "x.dem", &mut files).unwrap();
/// assert_eq!((harvest.recording.blocks, harvest.recording.levels), (1, 0));
/// ```
pub fn harvest<W: Write + Send>(
    source: impl Read,
    id: Id,
    file: &str,
    files: &mut Files<W>,
) -> io::Result<Harvest> {
    let pending = RefCell::new(Vec::new());
    let mut source = source;
    let mut start = Vec::new();
    let mut inspection = None;
    if files.wants::<Recordings>() {
        source.by_ref().take(Inspection::START as u64).read_to_end(&mut start)?;
        inspection = Some(Inspection::new(&start));
    }
    let mut harvester = Harvester {
        here: HarvestPosition { recording: id.word(), ..HarvestPosition::default() },
        quake: quake::QuakeHarvest::default(),
        quake2: quake2::Quake2Harvest::default(),
        quakeworld: quakeworld::QuakeWorldHarvest::default(),
        message_rows: files.wants::<Messages>().then(messages::MessageRows::default),
        match_rows: files.wants::<MatchCounts>().then(matches::MatchRows::default),
        number: 0,
        out: RowOutput {
            files,
            recording: Recordings {
                recording: id.word(),
                file: file.into(),
                schema_version: SCHEMA_VERSION,
                made_by: Word::from_static(env!("CARGO_PKG_VERSION")),
                ..Recordings::default()
            },
            error: None,
        },
        events: &pending,
        lying: LyingItems::default(),
        game: None,
        is_mvd2: false,
        length: Length::default(),
        inspection,
    };
    let source = start.as_slice().chain(source);
    if harvester.wants_events() {
        let mut events = moviola_analyse::Events::new(|event| pending.borrow_mut().push(event));
        watch(source, &mut [&mut events, &mut harvester])?;
    } else {
        watch(source, &mut [&mut harvester])?;
    }
    let Harvester { out: RowOutput { files, mut recording, error }, game, is_mvd2, inspection, .. } =
        harvester;
    if let Some(error) = error {
        return Err(error);
    }
    if let Some(inspection) = inspection {
        inspected(&mut recording, inspection.end());
    }
    if is_mvd2 {
        // The messages in it, and so the levels, have an older protocol.
        const MVD2: &str = "MVD2";
        recording.protocol = i32::try_from(value(PROTOCOL, MVD2)).ok();
        recording.protocol_name = Some(FixedWord::from_static(MVD2));
    }
    if game.is_some() {
        files.row(&recording)?;
    }
    Ok(Harvest { recording, is_recording: game.is_some() })
}

/// Copies the results of `check` into the row of `recordings`.
fn inspected(recording: &mut Recordings, inspected: Inspected) {
    let Inspected { summary, findings, .. } = inspected;
    let Summary { protocol, kind, engine, game_folder, maps, players, .. } = summary;
    let word = |text: Option<String>| {
        text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).map(Word::from)
    };
    recording.protocol = recording.protocol.or(protocol.as_ref().map(|it| it.number));
    recording.protocol_name = protocol.and_then(|it| it.name).map(FixedWord::from_static);
    recording.side = FixedWord::from_static(kind.word());
    recording.engine = word(engine);
    recording.folder = word(game_folder);
    recording.maps = maps.into_iter().collect();
    recording.players = players.into_iter().collect();
    let mut codes: Vec<&str> = findings.iter().map(|finding| finding.code.number()).collect();
    codes.sort_unstable();
    codes.dedup();
    recording.findings = codes.into_iter().collect::<WordList>();
    recording.severity =
        findings.iter().map(|finding| finding.severity).max().map(|it| FixedWord::from_static(it.word()));
}

/// The position of the pass.
#[derive(Debug, Default)]
struct HarvestPosition {
    recording: Word,
    /// The current block, counted from 0.
    block: i64,
    /// The level, counted from 1.
    level: i32,
    /// The level's clock, once it has a time.
    time: Option<f32>,
    /// The seconds of the recording before this block.
    recording_time: Option<f32>,
    /// The recent positions of the players.
    trail: trail::Trail,
}

/// The output of rows. An error is kept for the end, since a watcher cannot fail.
struct RowOutput<'f, W: Write + Send> {
    files: &'f mut Files<W>,
    recording: Recordings,
    error: Option<io::Error>,
}

impl<W: Write + Send> RowOutput<'_, W> {
    #[inline]
    fn row<R: crate::schema::Row>(&mut self, row: &R) {
        self.row_like(row, 0);
    }

    #[inline]
    fn row_like<R: crate::schema::Row>(&mut self, row: &R, subject: u16) {
        if self.error.is_none()
            && let Err(error) = self.files.row_like(row, subject)
        {
            self.error = Some(error);
        }
    }

    /// Writes the last row of a subject once more, with the time of another; returns whether that was possible.
    #[inline]
    fn repeat_row<R: crate::schema::Row>(&mut self, now: &R, subject: u16) -> bool {
        self.files.repeat_row(now, subject).unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            true
        })
    }

    fn wants<R: crate::schema::Row>(&self) -> bool {
        self.error.is_none() && self.files.wants::<R>()
    }
}

/// Makes the rows of a recording.
struct Harvester<'f, W: Write + Send> {
    here: HarvestPosition,
    quake: quake::QuakeHarvest,
    quake2: quake2::Quake2Harvest,
    quakeworld: quakeworld::QuakeWorldHarvest,
    message_rows: Option<messages::MessageRows>,
    match_rows: Option<matches::MatchRows>,
    /// The number of the next message in the block.
    number: usize,
    out: RowOutput<'f, W>,
    /// Events whose rows are not written yet.
    events: &'f RefCell<Vec<Event>>,
    /// The items that lie in the level.
    lying: LyingItems,
    game: Option<Game>,
    is_mvd2: bool,
    length: Length,
    inspection: Option<Inspection>,
}

impl<W: Write + Send> Harvester<'_, W> {
    fn add_message<'a, M: Message<'a>>(&mut self, entry: &Entry<M>) {
        if let Some(message_rows) = &mut self.message_rows {
            message_rows.add_message(
                &entry.message,
                (self.number, entry.at, entry.unicast),
                &self.here,
                &mut self.out,
            );
            self.number = self.number.saturating_add(1);
        }
    }

    /// Whether a requested table is made from events. `levels` is one, since an event ends a level.
    fn wants_events(&self) -> bool {
        let out = &self.out;
        let is_wanted = out.wants::<Events>() || out.wants::<Levels>() || out.wants::<Items>();
        is_wanted || self.match_rows.is_some() || self.wants_happened()
    }

    fn wants_happened(&self) -> bool {
        let out = &self.out;
        out.wants::<Kills>()
            || out.wants::<Damages>()
            || out.wants::<Pickups>()
            || out.wants::<Shots>()
            || out.wants::<Chat>()
    }

    /// Whether a wanted table needs the positions of players.
    fn wants_places(&self) -> bool {
        let out = &self.out;
        out.wants::<Positions>() || out.wants::<Ticks>() || out.wants::<Items>() || self.wants_happened()
    }

    /// Finishes a block.
    fn close(&mut self, there: &moviola_analyse::PassPosition) {
        if there.fault.is_some() {
            self.out.recording.damaged_blocks = self.out.recording.damaged_blocks.saturating_add(1);
        }
        self.number = 0;
        self.write_events();
    }

    fn tick(&mut self, there: &moviola_analyse::PassPosition) {
        if let Some(now) = there.time {
            self.length.tick(now);
            // Quake II's length counts its first frame; `recording_time` starts at 0 there.
            let first = if self.game == Some(Game::Quake2) { 0.1 } else { 0.0 };
            let seconds = self.length.seconds().unwrap_or_default() - first;
            // Rounded, since a sum of `f32` times has wrong last digits.
            let seconds = ((seconds.max(0.0) * 10_000.0).round() / 10_000.0) as f32;
            self.here.recording_time = Some(seconds);
            self.here.trail.time(self.here.block, seconds);
        }
    }

    /// Finishes the level: all of its rows are known.
    fn leave(&mut self, there: &moviola_analyse::PassPosition) {
        self.tick(there);
        self.length.end_level();
        self.write_events();
        self.lying.end(&mut self.out);
        self.here.trail.forget();
    }

    fn close_matches(&mut self) {
        if let Some(matches) = &mut self.match_rows {
            matches.close(&self.quakeworld.level.row.map, &self.here, &mut self.out);
        }
    }

    fn write_events(&mut self) {
        for event in take(&mut *self.events.borrow_mut()) {
            self.quake.level.take_facts(&event);
            self.quake2.level.take_facts(&event);
            self.quakeworld.level.take_facts(&event);
            if let Some(matches) = self.match_rows.as_mut().filter(|_| self.game == Some(Game::QuakeWorld)) {
                matches.event(&event);
            }
            if self.out.wants::<Events>() {
                self.out.row(&events::row(&event, &self.here));
            }
            let (level, people, recorder) = match self.game {
                Some(Game::Quake2) => self.quake2.level_and_players(),
                Some(Game::QuakeWorld) => self.quakeworld.level_and_players(),
                _ => self.quake.level_and_players(),
            };
            let around = EventSurroundings {
                recording: &self.here.recording,
                map: &level.row.map,
                people,
                trail: &self.here.trail,
                recorder,
                is_quake2: self.game == Some(Game::Quake2),
            };
            self.lying.event(&event, &around, &mut self.out);
        }
    }
}

impl<W: Write + Send> Watch for Harvester<'_, W> {
    fn begin(&mut self, format: Format) {
        self.game = format.game();
        self.is_mvd2 = format == Format::Mvd2;
        self.length = self.game.map(Length::of).unwrap_or_default();
        self.out.recording.game = FixedWord::from_static(match self.game {
            Some(Game::Quake2) => "quake2",
            Some(Game::QuakeWorld) => "quakeworld",
            _ => "quake",
        });
        self.out.recording.side = FixedWord::from_static("client"); // not from SCHEMA: a kind of recorder
        if let Some(inspection) = &mut self.inspection {
            inspection.take_format(format);
        }
    }

    fn file_piece(&mut self, piece: &Piece<'_>, _: &moviola_analyse::PassPosition) {
        if let Some(inspection) = &mut self.inspection {
            inspection.take_piece(piece);
        }
        match piece {
            Piece::Header(bytes) => self.out.recording.cd_track = header_track(bytes),
            Piece::Block(_) => {
                self.here.block = self.out.recording.blocks;
                self.out.recording.blocks = self.out.recording.blocks.saturating_add(1);
            }
            Piece::End | Piece::EndOfMvd2 | Piece::Raw(_) => {}
        }
    }

    fn wants_messages(&self) -> bool {
        true
    }

    #[inline]
    fn quake_message(&mut self, entry: &Entry<dem::Message<'_>>, _: &moviola_analyse::PassPosition) {
        self.quake.message(&entry.message, &mut self.here, &mut self.out);
        self.add_message(entry);
    }

    #[inline]
    fn quake2_message(&mut self, entry: &Entry<dm2::Message<'_>>, _: &moviola_analyse::PassPosition) {
        self.quake2.message(&entry.message, &mut self.here, &mut self.out);
        self.add_message(entry);
    }

    #[inline]
    fn quakeworld_message(&mut self, entry: &Entry<qw::Message<'_>>, _: &moviola_analyse::PassPosition) {
        self.quakeworld.message(&entry.message, &mut self.here, &mut self.out);
        self.add_message(entry);
    }

    fn leave_quake(&mut self, world: &q1::World, there: &moviola_analyse::PassPosition) {
        self.leave(there);
        self.quake.leave(world, &self.here, &mut self.out);
    }

    fn leave_quake2(&mut self, world: &q2::World, there: &moviola_analyse::PassPosition) {
        self.leave(there);
        self.quake2.leave(world, &self.here, &mut self.out);
    }

    fn leave_quakeworld(&mut self, world: &q3::World, there: &moviola_analyse::PassPosition) {
        self.leave(there);
        self.close_matches();
        self.quakeworld.leave(world, &self.here, &mut self.out);
    }

    fn quake(&mut self, world: &q1::World, there: &moviola_analyse::PassPosition) {
        if !there.from_client {
            self.tick(there);
            let places = self.wants_places();
            self.quake.block(world, places, &mut self.here, &mut self.out);
        }
        self.close(there);
    }

    fn quake2(&mut self, world: &q2::World, there: &moviola_analyse::PassPosition) {
        if !there.from_client {
            self.tick(there);
            let places = self.wants_places();
            self.quake2.block(world, places, &mut self.here, &mut self.out);
        }
        self.close(there);
    }

    fn quakeworld(&mut self, world: &q3::World, there: &moviola_analyse::PassPosition) {
        self.tick(there);
        self.here.time = there.time.map(|time| time as f32);
        let places = self.wants_places();
        self.quakeworld.block(world, places, &mut self.here, &mut self.out);
        self.close(there);
        if let Some(matches) = &mut self.match_rows {
            matches.block(world, there);
        }
    }

    fn end(&mut self, there: &moviola_analyse::PassPosition) {
        self.leave(there);
        self.close_matches();
        self.quake.end(&self.here, &mut self.out);
        self.quake2.end(&self.here, &mut self.out);
        self.quakeworld.end(&self.here, &mut self.out);
        self.out.recording.levels = self.here.level;
        self.out.recording.duration = self.length.seconds().map(|seconds| seconds as f32);
        self.out.recording.bytes = there.offset as i64;
    }
}

/// The last rows of entities: most of them are the same in the next frame.
#[derive(Debug)]
struct LastEntityRows<E> {
    /// The entities in the last rows, by their numbers.
    seen: Vec<Option<SeenEntity<E>>>,
    rows: Vec<Entities>,
    /// A row with the time of the frame.
    now: Entities,
}

/// An entity as it was in its last row.
#[derive(Clone, Copy, Debug)]
struct SeenEntity<E> {
    number: u16,
    entity: E,
    /// Whether it has an event, which is over in the next frame.
    has_event: bool,
}

impl<E> Default for LastEntityRows<E> {
    fn default() -> Self {
        Self { seen: Vec::new(), rows: Vec::new(), now: Entities::default() }
    }
}

impl<E: Copy + PartialEq> LastEntityRows<E> {
    /// How many rows are kept.
    const KEPT_ROWS: u16 = 1024;

    /// Begins a frame.
    fn frame(&mut self, block: i64, level_time: f32, recording_time: f32) {
        (self.now.block, self.now.level_time, self.now.recording_time) = (block, level_time, recording_time);
    }

    /// Writes the row of an entity. With `stays`, the entity is unchanged except that its event is over. `make` updates
    /// a row with the differences between the old and the new entity; without an old entity it fills the whole row.
    #[inline]
    fn row<W: Write + Send>(
        &mut self,
        (number, entity, stays): (u16, &E, bool),
        out: &mut RowOutput<'_, W>,
        make: impl FnOnce(&mut Entities, Option<&E>),
    ) {
        let Self { seen, rows, now } = self;
        let place = usize::from(number % Self::KEPT_ROWS);
        if seen.len() <= place {
            seen.resize(place + 1, None);
            rows.resize_with(place + 1, Entities::default);
        }
        let (Some(seen), Some(row)) = (seen.get_mut(place), rows.get_mut(place)) else { return };
        let last = seen.as_ref().filter(|seen| seen.number == number);
        let same = last.is_some_and(|last| stays && !last.has_event || last.entity == *entity);
        if same && out.repeat_row(now, number) {
            return;
        }
        if !same {
            make(row, last.map(|last| &last.entity));
            *seen = Some(SeenEntity { number, entity: *entity, has_event: row.event.is_some() });
        }
        (row.block, row.level_time, row.recording_time) = (now.block, now.level_time, now.recording_time);
        out.row_like(row, number);
    }

    /// Forgets the rows, because names or other data in them have changed.
    fn forget(&mut self) {
        self.seen.clear();
        self.rows.clear();
    }
}

/// The name of a level's file, without folder and ending.
fn map(file: &[u8]) -> Word {
    let name = file.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default();
    Word::of(name.strip_suffix(b".bsp").unwrap_or(name))
}

/// A finite time, for calculations.
fn finite(time: f32) -> Option<f32> {
    time.is_finite().then_some(time)
}

/// A level that is being played: its row as far as it is known, and the clock.
#[derive(Debug, Default)]
struct OpenLevel {
    row: Levels,
    is_on: bool,
    /// The time that the game printed.
    printed: Option<f64>,
}

impl OpenLevel {
    /// Begins a level at its announcement.
    fn begin(&mut self, here: &HarvestPosition) {
        let row = Levels {
            recording: here.recording.clone(),
            level: here.level,
            first_block: here.block,
            recording_time: Some(here.recording_time.unwrap_or_default()),
            ..Levels::default()
        };
        *self = Self { row, is_on: true, printed: None };
    }

    /// Reads facts about the level from an event.
    fn take_facts(&mut self, event: &Event) {
        if !self.is_on || i64::from(event.level) != i64::from(self.row.level) {
            return;
        }
        match &event.kind {
            EventKind::Console { text } => {
                self.printed = moviola_analyse::printed_time(&text.as_line()).or(self.printed);
            }
            EventKind::LevelEnd { how, seconds, kills, total_kills, secrets, total_secrets, .. } => {
                let row = &mut self.row;
                // not from SCHEMA: an ending of a level
                row.ending = (*how != "left").then(|| FixedWord::from_static(how));
                // For a cutscene the time that the game printed counts.
                // not from SCHEMA: an ending of a level
                let printed = self.printed.filter(|_| *how == "cutscene");
                row.ending_time = seconds.or(printed).map(|seconds| seconds as f32);
                // Counts that were never sent are 0 in the game's state.
                if row.first_time.is_some() {
                    (row.monsters, row.total_monsters) = (*kills, *total_kills);
                    (row.secrets, row.total_secrets) = (*secrets, *total_secrets);
                }
            }
            _ => {}
        }
    }

    fn tick(&mut self, time: f32) {
        if let Some(time) = finite(time) {
            self.row.first_time.get_or_insert(time);
            self.row.last_time = Some(time);
        }
    }

    /// The level is over: writes its row.
    fn end<W: Write + Send>(&mut self, here: &HarvestPosition, out: &mut RowOutput<'_, W>) {
        if !take(&mut self.is_on) {
            return;
        }
        let mut row = take(&mut self.row);
        row.last_block = here.block;
        out.row(&row);
    }
}
