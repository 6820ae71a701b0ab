//! The pass that finds levels and events: what a recording says is heard in its messages; what happens in it, only who
//! follows the game sees.

use super::course::Course;
use super::find::{Hit, Hits, Level, MOST};
use super::{Event, Kind, Point, Span, Spans};
use crate::fix_multi::{leaves_level, takes_away};
use crate::place::Places;
use crate::{Error, Place};
use moviola_analyse::{Events, Here, Watch, watch};
use moviola_format::names::quake2::CS_MODELS;
use moviola_format::names::readable;
use moviola_format::{Context, Demo, Entry, Format, Game, Piece, Quake, Quake2, dem, dm2};
use moviola_state::{quake, quake2};
use std::io::Read;

/// The pass that finds the levels and the events.
pub(super) struct Survey<'s> {
    asked: Vec<[Option<&'s Event>; 2]>,
    pub(super) hits: Vec<Hits>,
    pub(super) levels: Vec<Level>,
    pub(super) courses: Vec<Course>,
    /// Up to which level or block each span may go.
    bounds: Vec<(u32, u64)>,
    is_done: bool,
    /// The texts of this block that an event has, by span and end.
    now: Vec<(usize, usize)>,
    /// The map that this block names.
    map: Option<String>,
}

impl<'s> Survey<'s> {
    pub(super) fn new(spans: &'s Spans) -> Self {
        let event = |point: &'s Option<Point>| match point {
            Some(Point::Event(event, _)) => Some(event),
            _ => None,
        };
        let asked: Vec<_> = spans.iter().map(|span| [event(&span.from), event(&span.to)]).collect();
        let hits = asked.iter().map(|_| Hits::default()).collect();
        let bound = |span: &Span| {
            let block = if let Some(Point::Block(block)) = span.to { block } else { u64::MAX };
            (span.levels.map_or(u32::MAX, |(_, last)| last), block)
        };
        let bounds = spans.iter().map(bound).collect();
        let (levels, courses) = (Vec::new(), Vec::new());
        Self { asked, hits, levels, courses, bounds, is_done: false, now: Vec::new(), map: None }
    }

    fn hear_quake(&mut self, message: &dem::Message<'_>) {
        match message {
            dem::Message::Print(it) => match it.string.bytes() {
                [TALK, text @ ..] => self.hear(&[Kind::Chat, Kind::Print], text),
                text => self.hear(&[Kind::Print], text),
            },
            dem::Message::ServerInfo(it) => {
                self.map = it.precache.models().iter().next().map(|model| stem(model.bytes()));
            }
            dem::Message::CenterPrint(it) => self.hear(&[Kind::CenterPrint], it.string.bytes()),
            dem::Message::StuffText(it) => self.hear(&[Kind::Command], it.string.bytes()),
            _ => {}
        }
    }

    fn hear_quake2(&mut self, message: &dm2::Message<'_>) {
        match message {
            dm2::Message::Print(it) if it.level == PRINT_CHAT => {
                self.hear(&[Kind::Chat, Kind::Print], it.string.bytes());
            }
            dm2::Message::Print(it) => self.hear(&[Kind::Print], it.string.bytes()),
            dm2::Message::ConfigString(it) if u16::try_from(it.index) == Ok(CS_MODELS + 1) => {
                self.map = Some(stem(it.string.bytes()));
            }
            dm2::Message::CenterPrint(it) => self.hear(&[Kind::CenterPrint], it.string.bytes()),
            dm2::Message::StuffText(it) => self.hear(&[Kind::Command], it.string.bytes()),
            _ => {}
        }
    }

    fn hear(&mut self, kinds: &[Kind], text: &[u8]) {
        if self.asked.iter().flatten().all(Option::is_none) {
            return;
        }
        let text = readable(text);
        for (at, ends) in self.asked.iter().enumerate() {
            for (end, event) in ends.iter().enumerate() {
                let fits = |event: &Event| kinds.contains(&event.kind) && is_in(&text, &event.text);
                if event.is_some_and(fits) && !self.now.contains(&(at, end)) {
                    self.now.push((at, end));
                }
            }
        }
    }

    fn arrive(&mut self, place: &Place) {
        let number = place.level as usize;
        if self.levels.len() < number {
            let next = Level { first: place.block, ..Level::default() };
            self.levels.resize(number, next);
            self.courses.resize(number, Course::default());
        }
        let is_past = |(level, block): &(u32, u64)| place.level > *level || place.block > *block;
        self.is_done = self.bounds.iter().all(is_past);
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
            let hits = self.hits.get_mut(span).and_then(|hits| hits.get_mut(end));
            if let Some(hits) = hits.filter(|hits| hits.len() < MOST) {
                hits.push(Hit { block: place.block, level: place.level, time: place.time.unwrap_or(0.0) });
            }
        }
    }

    /// Whether events are asked for that only a look at the game itself tells.
    fn wants_events(&self) -> bool {
        self.asked.iter().flatten().flatten().any(|event| matches!(event.kind, Kind::Happens(_)))
    }

    /// Reads the recording, and follows the game in it if need be.
    pub(super) fn read<R: Read>(&mut self, source: R) -> Result<(), Error> {
        if !self.wants_events() {
            let mut demo = Demo::new(source)?;
            return match Error::game(demo.format())? {
                Game::Quake => self.look::<Quake, _>(&mut demo),
                Game::Quake2 => self.look::<Quake2, _>(&mut demo),
            };
        }
        let (asked, mut hits) = (self.asked.clone(), vec![Hits::default(); self.asked.len()]);
        let mut events = Events::new(|event: moviola_analyse::Event| {
            let (block, level, time) = (event.block, event.level.max(1), event.time.unwrap_or(0.0));
            let fits = |asked: &&Event| {
                asked.kind == Kind::Happens(event.name()) && is_in(&event.kind.to_string(), &asked.text)
            };
            for (ends, hits) in asked.iter().zip(&mut hits) {
                for (end, hits) in ends.iter().zip(hits) {
                    let is_other = hits.last().is_none_or(|last: &Hit| last.block != block);
                    if end.as_ref().is_some_and(fits) && is_other && hits.len() < MOST {
                        hits.push(Hit { block, level, time });
                    }
                }
            }
        });
        let mut watched = Watched { survey: self, format: Format::Empty };
        watch(source, &mut [&mut watched, &mut events])?;
        drop(events);
        Error::game(watched.format)?;
        for (all, found) in self.hits.iter_mut().flatten().zip(hits.into_iter().flatten()) {
            all.extend(found);
        }
        Ok(())
    }
}

/// The name of a map out of the file of its model.
fn stem(file: &[u8]) -> String {
    let text = readable(file);
    let name = text.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".bsp").unwrap_or(name).to_owned()
}

/// The mark of what a player says (Quake), and its level (Quake II).
const TALK: u8 = 1;
const PRINT_CHAT: u8 = 3;

/// Whether a text has a part, whatever its capitals.
fn is_in(text: &str, part: &str) -> bool {
    part.is_empty() || text.to_lowercase().contains(&part.to_lowercase())
}

impl Survey<'_> {
    /// Goes through a recording and hears what its messages say.
    fn look<D: Heard, R: Read>(&mut self, demo: &mut Demo<R>) -> Result<(), Error> {
        let (mut place, mut context) = (Place::start(), Context::of(D::GAME));
        while let Some(piece) = demo.next_piece()? {
            let Piece::Block(block) = piece else { continue };
            let (Place { level, time, .. }, under) = (place, context);
            let (mut messages, mut is_odd) = (block.messages::<D>(context), false);
            for entry in messages.by_ref() {
                D::moves(&entry.message, &mut place);
                is_odd |= D::hear(&entry.message, self);
            }
            is_odd |= messages.fault().is_some() && !block.is_from_client();
            context = *messages.context();
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

/// The messages that say something to a survey.
trait Heard: Places {
    /// Hears a message, and says whether blocks with it may not go out as they came in when they are kept, or change
    /// what comes behind them.
    fn hear(message: &Self::Message<'_>, survey: &mut Survey<'_>) -> bool;
}

impl Heard for Quake {
    #[inline]
    fn hear(message: &Self::Message<'_>, survey: &mut Survey<'_>) -> bool {
        survey.hear_quake(message);
        match message {
            dem::Message::Disconnect(_) => true,
            // What it changes about the picture has to be told to whoever comes later.
            dem::Message::StuffText(it) => {
                leaves_level(it.string) || quake::Console::heeds(it.string.bytes())
            }
            _ => false,
        }
    }
}

impl Heard for Quake2 {
    #[inline]
    fn hear(message: &Self::Message<'_>, survey: &mut Survey<'_>) -> bool {
        survey.hear_quake2(message);
        takes_away(message)
    }
}

/// The same pass, beside others that follow the game.
struct Watched<'w, 's> {
    survey: &'w mut Survey<'s>,
    format: Format,
}

impl Watch for Watched<'_, '_> {
    fn format(&mut self, format: Format) {
        self.format = format;
    }

    fn wants_messages(&self) -> bool {
        true
    }

    fn quake_message(&mut self, entry: &Entry<dem::Message<'_>>, _: &Here) {
        self.survey.hear_quake(&entry.message);
    }

    fn quake2_message(&mut self, entry: &Entry<dm2::Message<'_>>, _: &Here) {
        self.survey.hear_quake2(&entry.message);
    }

    fn quake(&mut self, _: &quake::World, here: &Here) {
        self.survey.arrive(&Place::of(here.block, here.level, here.time));
    }

    fn quake2(&mut self, _: &quake2::World, here: &Here) {
        self.survey.arrive(&Place::of(here.block, here.level, here.time));
    }
}
