//! The pass that finds levels and events. Texts and commands are found in messages. Kills, pickups and the
//! like need the game's state, which is slower and done only if a span asks for them.

use super::find::{Hit, MOST, plain};
use super::found::{ALL, NEAR, SpanLevel, SpanPart};
use super::level_marks::LevelMarks;
use super::similar_words::SimilarWords;
use super::{Span, SpanEnd, SpanEvent, SpanEventKind, Spans};
use crate::machinery::film::Film;
use crate::machinery::level_change::{leaves_level, takes_away};
use crate::machinery::place::PlaceUpdate;
use crate::{BlockPlace, Error};
use moviola_analyse::{Events, PassPosition, Watch, watch};
use moviola_format::names::quake::PRINT_MARK;
use moviola_format::names::quake2::{CS_MODELS, PRINT_LEVEL};
use moviola_format::names::{readable, value, without_colors};
use moviola_format::{
    Context, Demo, Entry, FaultKind, Format, Game, Messages, Mvd2, Piece, Quake, Quake2, QuakeWorld, Table,
    dem, dm2, mvd2, qw,
};
use moviola_state::quakeworld::without_chat_colors;
use moviola_state::{quake, quake2, quakeworld};
use std::io::Read;

/// The pass that finds the levels and the events.
#[derive(Default)]
pub(super) struct Survey<'s> {
    pub(super) sought: Vec<SoughtSpan<'s>>,
    pub(super) levels: Vec<SpanLevel>,
    pub(super) courses: Vec<LevelMarks>,
    /// The context of a recording whose protocol is kept raw.
    pub(super) unread: Option<Context>,
    is_done: bool,
    /// Whether some block is outside of all spans that have no events.
    is_missed: bool,
    /// The ends of spans whose event occurs in this block, as indexes of span and end.
    now: Vec<(usize, usize)>,
    /// The map that this block names.
    map: Option<String>,
    /// The time for which an engine has shown the recording, and whether it has begun to.
    film: Film,
    is_shown: bool,
}

/// A requested span, with the results of the search so far.
pub(super) struct SoughtSpan<'s> {
    pub(super) ends: [End<'s>; 2],
    /// The part of a span without events, and whether a block was in it.
    pub(super) plain: Option<SpanPart>,
    pub(super) is_met: bool,
    /// The last time before it, and the first after it.
    pub(super) around: [Option<f64>; 2],
    /// The last level and block of it.
    bound: (u32, u64),
    /// The blocks of the film's seconds, if the span names such times.
    pub(super) film: Option<FilmWindow>,
}

/// The blocks between two moments of the film, which are found while it runs: its clock never goes back, so a window of
/// seconds is a run of blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilmWindow {
    /// The two moments, the levels in which they count, and the film's time at the first picture of these levels, once
    /// it is known.
    wanted: (f64, f64),
    levels: (u32, u32),
    start: Option<f64>,
    /// The first and the last block of the window.
    pub(super) blocks: Option<(u64, u64)>,
}

impl FilmWindow {
    fn of(span: &Span) -> Option<Self> {
        let moment = |point: &Option<SpanEnd>| match point {
            Some(SpanEnd::Film(seconds)) => Some(*seconds),
            _ => None,
        };
        let (from, to) = (moment(&span.from), moment(&span.to));
        let wanted = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
        let levels = span.levels.unwrap_or(ALL);
        from.or(to).is_some().then_some(Self { wanted, levels, start: None, blocks: None })
    }

    /// Takes a block that ends at this time of the film.
    fn pass(&mut self, place: &BlockPlace, now: f64) {
        let (first, last) = self.levels;
        if !(first..=last).contains(&place.level) {
            return;
        }
        // For a span of later levels, the seconds count from the first picture of these levels.
        let since = now - *self.start.get_or_insert(if first > 1 { now } else { 0.0 });
        let (from, to) = self.wanted;
        if from - NEAR <= since && since <= to + NEAR {
            let (first, _) = self.blocks.unwrap_or((place.block, place.block));
            self.blocks = Some((first, place.block));
        }
    }
}

/// An end of a span: its event, if it names one, the blocks with that event, and similar texts to suggest.
#[derive(Default)]
pub(super) struct End<'s> {
    pub(super) event: Option<&'s SpanEvent>,
    pub(super) hits: Vec<Hit>,
    pub(super) similar_words: SimilarWords,
}

impl<'s> SoughtSpan<'s> {
    fn new(span: &'s Span) -> Self {
        let block = if let Some(SpanEnd::Block(block)) = span.to { block } else { u64::MAX };
        Self {
            ends: span.events().map(|event| End { event, ..End::default() }),
            plain: plain(span),
            film: FilmWindow::of(span),
            is_met: false,
            around: [None; 2],
            bound: (span.levels.map_or(u32::MAX, |(_, last)| last), block),
        }
    }
}

impl End<'_> {
    /// Whether its event is found only by following the game.
    fn is_seen(&self) -> bool {
        self.event.is_some_and(|event| matches!(event.kind, SpanEventKind::Happens(_)))
    }

    /// Whether the end's event is of one of these kinds and has this text.
    fn has_text(&mut self, kinds: &[SpanEventKind], text: &str) -> bool {
        let Some(event) = self.event.filter(|event| kinds.contains(&event.kind)) else { return false };
        let is_it = is_in(text, &event.text);
        if !is_it && self.hits.is_empty() {
            self.similar_words.compare(&event.text, text);
        }
        is_it
    }
}

impl<'s> Survey<'s> {
    pub(super) fn new(spans: &'s Spans) -> Self {
        Self { sought: spans.iter().map(SoughtSpan::new).collect(), ..Self::default() }
    }

    /// Whether every block is in a span without events.
    pub(super) fn is_all_held(&self) -> bool {
        !self.is_missed && !self.levels.is_empty()
    }

    /// The time for which an engine has shown the recording so far.
    pub(super) fn film(&self) -> f64 {
        self.film.now
    }

    fn quake_message(&mut self, message: &dem::Message<'_>) {
        self.is_shown |= self.film.quake(message);
        match message {
            dem::Message::Print(it) => match it.string.bytes() {
                [CHAT_MARK, text @ ..] => self.text(&[SpanEventKind::Chat, SpanEventKind::Print], text),
                text => self.text(&[SpanEventKind::Print], text),
            },
            dem::Message::ServerInfo(it) => {
                self.map = it.precache.models().iter().next().map(|model| stem(model.bytes()));
            }
            dem::Message::CenterPrint(it) => self.text(&[SpanEventKind::CenterPrint], it.string.bytes()),
            dem::Message::StuffText(it) => self.text(&[SpanEventKind::Command], it.string.bytes()),
            _ => {}
        }
    }

    fn quake2_message(&mut self, message: &dm2::Message<'_>) {
        self.is_shown |= self.film.quake2(message);
        match message {
            dm2::Message::Print(it) if it.level == PRINT_CHAT => {
                self.text(&[SpanEventKind::Chat, SpanEventKind::Print], it.string.bytes());
            }
            dm2::Message::Print(it) => self.text(&[SpanEventKind::Print], it.string.bytes()),
            dm2::Message::ConfigString(it) if u16::try_from(it.index) == Ok(CS_MODELS + 1) => {
                self.map = Some(stem(it.string.bytes()));
            }
            dm2::Message::CenterPrint(it) => self.text(&[SpanEventKind::CenterPrint], it.string.bytes()),
            dm2::Message::StuffText(it) => self.text(&[SpanEventKind::Command], it.string.bytes()),
            _ => {}
        }
    }

    /// Takes a message of an MVD2, and Quake II's messages inside of it.
    fn mvd2_message(&mut self, message: &mvd2::Message<'_>) {
        use mvd2::Message as M;
        self.is_shown |= self.film.mvd2(message);
        match message {
            M::ServerData(it) => it.config.iter().for_each(|it| self.quake2_message(&it.into())),
            M::ConfigString(it) => {
                self.quake2_message(&dm2::ConfigString { index: it.index, string: it.string }.into());
            }
            M::Print(it) => self.quake2_message(&dm2::Print { level: it.level, string: it.string }.into()),
            M::Unicast(it) => self.read_messages(it.letter.messages()),
            M::UnicastReliable(it) => self.read_messages(it.letter.messages()),
            M::MulticastAll(it) => self.read_messages(it.letter.messages()),
            M::MulticastHear(it) => self.read_messages(it.letter.messages()),
            M::MulticastSee(it) => self.read_messages(it.letter.messages()),
            M::MulticastAllReliable(it) => self.read_messages(it.letter.messages()),
            M::MulticastHearReliable(it) => self.read_messages(it.letter.messages()),
            M::MulticastSeeReliable(it) => self.read_messages(it.letter.messages()),
            M::Nop(_) | M::FrameMessage(_) | M::Sound(_) => {}
        }
    }

    fn read_messages(&mut self, messages: Messages<'_, Quake2>) {
        messages.for_each(|entry| self.quake2_message(&entry.message));
    }

    fn quakeworld_message(&mut self, message: &qw::Message<'_>) {
        match message {
            qw::Message::Print(it) if it.level == PRINT_CHAT => {
                let text = without_chat_colors(it.string.bytes());
                self.text(&[SpanEventKind::Chat, SpanEventKind::Print], &text);
            }
            qw::Message::Print(it) => self.text(&[SpanEventKind::Print], it.string.bytes()),
            qw::Message::ModelList(it) if it.list.first.is_none_or(|first| first == 0) => {
                self.map = it.list.names.iter().next().map(|model| stem(model.bytes()));
            }
            qw::Message::CenterPrint(it) => self.text(&[SpanEventKind::CenterPrint], it.string.bytes()),
            qw::Message::StuffText(it) => self.text(&[SpanEventKind::Command], it.string.bytes()),
            _ => {}
        }
    }

    fn text(&mut self, kinds: &[SpanEventKind], text: &[u8]) {
        if self.sought.iter().all(|asked| asked.plain.is_some()) {
            return;
        }
        // Spans quote texts as the lists of events show them.
        let text = readable(&without_colors(text));
        for (at, asked) in self.sought.iter_mut().enumerate() {
            for (end, asked) in asked.ends.iter_mut().enumerate() {
                if asked.has_text(kinds, &text) && !self.now.contains(&(at, end)) {
                    self.now.push((at, end));
                }
            }
        }
    }

    fn arrive(&mut self, place: &BlockPlace) {
        let number = place.level as usize;
        if self.levels.len() < number {
            let next = SpanLevel { first: place.block, ..SpanLevel::default() };
            self.levels.resize(number, next);
            self.courses.resize(number, LevelMarks::default());
        }
        let mut is_held = false;
        self.is_done = true;
        for asked in &mut self.sought {
            let (level, block) = asked.bound;
            self.is_done &= place.level > level || place.block > block;
            if let Some(film) = asked.film.as_mut().filter(|_| self.is_shown) {
                film.pass(place, self.film.now);
            }
            if let Some(part) = &asked.plain {
                asked.is_met = asked.is_met || part.holds(place);
                if !asked.is_met {
                    part.close_in(place, &mut asked.around);
                }
                is_held = is_held || part.may_hold(place);
            }
        }
        self.is_missed |= !is_held;
        if let Some(level) = self.levels.last_mut() {
            level.last = place.block;
            if let Some(map) = self.map.take() {
                level.map = map;
            }
            if let Some(time) = place.time.filter(|time| !time.is_nan()) {
                let (from, to) = level.times.unwrap_or((time, time));
                level.times = Some((from.min(time), to.max(time)));
            }
        }
        for (span, end) in self.now.drain(..) {
            let end = self.sought.get_mut(span).and_then(|asked| asked.ends.get_mut(end));
            if let Some(end) = end.filter(|end| end.hits.len() < MOST) {
                end.hits.push(Hit {
                    block: place.block,
                    level: place.level,
                    time: place.time.unwrap_or(0.0),
                });
            }
        }
    }

    /// Whether some requested events are found only by following the game.
    fn wants_events(&self) -> bool {
        self.sought.iter().flat_map(|asked| &asked.ends).any(End::is_seen)
    }

    /// Reads the recording, and follows the game in it if necessary.
    pub(super) fn read<R: Read>(&mut self, source: R) -> Result<(), Error> {
        if !self.wants_events() {
            let mut demo = Demo::new(source)?;
            return match Error::game_or_mvd2(demo.format())? {
                Game::Quake => self.look::<Quake, _>(&mut demo),
                Game::Quake2 if demo.format() == Format::Mvd2 => self.look::<Mvd2, _>(&mut demo),
                Game::Quake2 => self.look::<Quake2, _>(&mut demo),
                Game::QuakeWorld => self.look_at_quakeworld(&mut demo),
            };
        }
        // Events of the game and texts of messages are looked for in the same pass.
        let again = |end: &End<'s>| End { event: end.event, ..End::default() };
        let mut found_ends: Vec<[End<'_>; 2]> =
            self.sought.iter().map(|asked| asked.ends.each_ref().map(again)).collect();
        let mut events = Events::new(|event: moviola_analyse::Event| {
            let (block, level, time) = (event.block, event.level.max(1), event.time.unwrap_or(0.0));
            let (kind, text) = (SpanEventKind::Happens(event.name()), event.kind.to_string());
            for end in found_ends.iter_mut().flatten() {
                if end.has_text(&[kind], &text) && end.hits.len() < MOST {
                    let is_new_block = end.hits.last().is_none_or(|last| last.block != block);
                    end.hits.extend(is_new_block.then_some(Hit { block, level, time }));
                }
            }
        });
        follow_beside(self, source, &mut [&mut events])?;
        drop(events);
        let ends = self.sought.iter_mut().flat_map(|asked| &mut asked.ends);
        for (end, seen) in ends.zip(found_ends.into_iter().flatten()).filter(|(end, _)| end.is_seen()) {
            *end = seen;
        }
        Ok(())
    }
}

/// Lets watchers follow a recording, and returns its levels. An error if the protocol is unknown and kept
/// raw.
pub(crate) fn follow<R: Read>(source: R, watchers: &mut [&mut dyn Watch]) -> Result<Vec<SpanLevel>, Error> {
    let mut survey = Survey::default();
    follow_beside(&mut survey, source, watchers)?;
    match survey.unread {
        Some(context) => Err(Error::unread(&context, "searched")),
        None => Ok(survey.levels),
    }
}

fn follow_beside<R: Read>(
    survey: &mut Survey<'_>,
    source: R,
    watchers: &mut [&mut dyn Watch],
) -> Result<(), Error> {
    let mut surveyed = SurveyWatcher { survey, format: Format::Empty };
    let mut all: Vec<&mut dyn Watch> = vec![&mut surveyed];
    all.extend(watchers.iter_mut().map(|watcher| &mut **watcher as &mut dyn Watch));
    watch(source, &mut all)?;
    Error::game_or_mvd2(surveyed.format).map(drop)
}

/// The name of a map out of the file of its model.
fn stem(file: &[u8]) -> String {
    let text = readable(file);
    let name = text.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".bsp").unwrap_or(name).to_owned()
}

/// The first byte of a player's chat (Quake), and its print level (Quake II).
const CHAT_MARK: u8 = value(PRINT_MARK, "chat sound, colored") as u8;
const PRINT_CHAT: u8 = value(PRINT_LEVEL, "PRINT_CHAT") as u8;

/// Whether a text has a part, regardless of capitals.
fn is_in(text: &str, part: &str) -> bool {
    part.is_empty() || text.to_lowercase().contains(&part.to_lowercase())
}

impl Survey<'_> {
    /// Goes through a recording and takes the texts of its messages.
    fn look<D: SurveyedMessages, R: Read>(&mut self, demo: &mut Demo<R>) -> Result<(), Error> {
        let (mut place, mut context) = (BlockPlace::start(), Context::of(D::GAME));
        while let Some(piece) = demo.next_piece()? {
            let Piece::Block(block) = piece else { continue };
            let (BlockPlace { level, time, .. }, under) = (place, context);
            let (mut messages, mut is_odd) = (block.messages::<D>(context), false);
            for entry in messages.by_ref() {
                D::update_place(&entry.message, &mut place);
                is_odd |= D::survey_message(&entry.message, self);
            }
            is_odd |= messages.fault().is_some() && !block.is_from_client();
            context = *messages.context();
            if context.raw && self.unread.is_none() {
                self.unread = Some(context);
            }
            self.arrive(&place);
            if let Some(course) = self.courses.last_mut() {
                let before = time.filter(|_| level == place.level);
                course.pass(place.block, [before, place.time], under, is_odd || context.raw);
            }
            if self.is_done {
                break;
            }
            place = place.next_block();
        }
        Ok(())
    }
}

impl Survey<'_> {
    /// Goes through a recording of QuakeWorld, whose blocks have their times in their heads.
    fn look_at_quakeworld<R: Read>(&mut self, demo: &mut Demo<R>) -> Result<(), Error> {
        let (mut place, mut context) = (BlockPlace::start(), Context::quakeworld());
        while let Some(piece) = demo.next_piece()? {
            let Piece::Block(block) = piece else { continue };
            let BlockPlace { level, time, .. } = place;
            place.tick(&block);
            if let Some(now) = place.time {
                self.is_shown |= self.film.quakeworld(now);
            }
            if block.table(Game::QuakeWorld) == Table::QuakeWorld {
                let mut messages = block.messages::<QuakeWorld>(context);
                for entry in messages.by_ref() {
                    QuakeWorld::update_place(&entry.message, &mut place);
                    self.quakeworld_message(&entry.message);
                }
                context = *messages.context();
            }
            self.arrive(&place);
            if let Some(course) = self.courses.last_mut() {
                let before = time.filter(|_| level == place.level);
                // Packets build on each other, so every one has to be read.
                course.pass(place.block, [before, place.time], context, true);
            }
            if self.is_done {
                break;
            }
            place = place.next_block();
        }
        Ok(())
    }
}

/// The messages that matter to a survey.
trait SurveyedMessages: PlaceUpdate {
    /// Takes a message. Returns whether blocks with it may be changed even if they are kept, or change the
    /// state of later blocks.
    fn survey_message(message: &Self::Message<'_>, survey: &mut Survey<'_>) -> bool;
}

impl SurveyedMessages for Quake {
    #[inline]
    fn survey_message(message: &Self::Message<'_>, survey: &mut Survey<'_>) -> bool {
        survey.quake_message(message);
        match message {
            dem::Message::Disconnect(_) => true,
            // A command may change settings of the picture, which a later part then needs.
            dem::Message::StuffText(it) => {
                leaves_level(it.string) || quake::Console::can_change_settings(it.string.bytes())
            }
            _ => false,
        }
    }
}

impl SurveyedMessages for Quake2 {
    #[inline]
    fn survey_message(message: &Self::Message<'_>, survey: &mut Survey<'_>) -> bool {
        survey.quake2_message(message);
        takes_away(message)
    }
}

impl SurveyedMessages for Mvd2 {
    fn survey_message(message: &Self::Message<'_>, survey: &mut Survey<'_>) -> bool {
        survey.mvd2_message(message);
        // Frames build on each other, so every block has to be read.
        true
    }
}

/// A survey as a watcher, in one pass with other watchers that follow the game.
struct SurveyWatcher<'w, 's> {
    survey: &'w mut Survey<'s>,
    format: Format,
}

impl SurveyWatcher<'_, '_> {
    fn arrive(&mut self, here: &PassPosition, game: Game) {
        if self.survey.unread.is_none() {
            self.survey.unread = here.fault.and_then(|fault| kept_raw(fault.kind, game));
        }
        self.survey.arrive(&BlockPlace::of(here.block, here.level, here.time));
    }
}

/// The context in which a block was not read, if the reason is that its protocol is kept raw.
fn kept_raw(fault: FaultKind, game: Game) -> Option<Context> {
    let of = |protocol, fte| Some(Context { protocol, fte, raw: true, ..Context::of(game) });
    match fault {
        FaultKind::RawProtocol(protocol) => of(protocol, false),
        FaultKind::Extended(protocol) => of(protocol, true),
        _ => None,
    }
}

impl Watch for SurveyWatcher<'_, '_> {
    fn begin(&mut self, format: Format) {
        self.format = format;
    }

    fn wants_messages(&self) -> bool {
        true
    }

    fn quake_message(&mut self, entry: &Entry<dem::Message<'_>>, _: &PassPosition) {
        self.survey.quake_message(&entry.message);
    }

    fn quake2_message(&mut self, entry: &Entry<dm2::Message<'_>>, _: &PassPosition) {
        self.survey.quake2_message(&entry.message);
    }

    fn quake(&mut self, _: &quake::World, here: &PassPosition) {
        self.arrive(here, Game::Quake);
    }

    fn quake2(&mut self, _: &quake2::World, here: &PassPosition) {
        self.arrive(here, Game::Quake2);
    }

    fn quakeworld_message(&mut self, entry: &Entry<qw::Message<'_>>, _: &PassPosition) {
        self.survey.quakeworld_message(&entry.message);
    }

    fn quakeworld(&mut self, _: &quakeworld::World, here: &PassPosition) {
        if let Some(now) = here.time {
            self.survey.is_shown |= self.survey.film.quakeworld(now);
        }
        self.arrive(here, Game::QuakeWorld);
    }
}
