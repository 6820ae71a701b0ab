//! Makes an index in one pass over a recording. Its lists are bounded while they grow, so memory does not
//! depend on the length of the recording; at the end they are thinned once more, to 2 % of that length.

use crate::layout::{
    HEADER, Index, IndexedEvent, IndexedLevel, STOP, WholeBlock, level_bytes, mark_bytes, shortened,
};
use moviola_analyse::{Event, EventKind, Events, PassPosition, Watch, watch};
use moviola_export::Hashed;
use moviola_format::{Entry, Format, dem, dm2, qw};
use moviola_state::{quake, quake2, quakeworld};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Read};

/// The greatest number of entries in each table while the recording is read, some 10 MB in all.
const MOST_STOPS: usize = 1 << 16;
const MOST_LEVELS: usize = 1 << 13;
const MOST_MARKS: usize = 1 << 15;

/// The index may take one part in this many of the recording's length; short recordings may use `MIN_BYTES` bytes.
const PART: u64 = 50;
const MIN_BYTES: usize = 1024;

impl Index {
    /// Makes the index of a recording; `None` if the bytes are not a recording.
    pub fn of(source: impl Read) -> io::Result<Option<Self>> {
        let mut source = Hashed::new(source);
        let found = RefCell::new(EventIndex::default());
        let mut maker = Maker {
            index: None,
            is_whole: false,
            is_mvd: false,
            announced: 0,
            stops: StopCollector::default(),
        };
        let mut events = Events::new(|event: Event| found.borrow_mut().event(&event));
        watch(&mut source, &mut [&mut events, &mut maker])?;
        drop(events);
        let Some(mut index) = maker.index else { return Ok(None) };
        index.id = source.id().bytes();
        index.stops = maker.stops.stops;
        let mut found = found.into_inner();
        for level in &mut index.levels {
            level.name = found.names.remove(&level.number).unwrap_or_default();
        }
        index.marks = found.marks;
        index.marks.retain(|mark| mark.block < index.blocks);
        index.marks.sort_by_key(|mark| mark.block);
        index.thin();
        Ok(Some(index))
    }

    /// Drops entries until the index is small enough: the levels may take a third of the room, the marks another third,
    /// and the stops the rest.
    fn thin(&mut self) {
        let room = usize::try_from(self.length / PART).unwrap_or(usize::MAX).max(MIN_BYTES) - HEADER;
        while self.levels.iter().map(level_bytes).sum::<usize>() > room / 3 {
            match self.levels.len() {
                1 => self.levels.clear(),
                _ => every_second(&mut self.levels),
            }
        }
        while self.marks.iter().map(mark_bytes).sum::<usize>() > room / 3 {
            thin_marks(&mut self.marks);
        }
        let left = (room + HEADER + self.stops.len() * STOP).saturating_sub(self.most_bytes()) / STOP;
        if self.stops.len() > left {
            let step = self.stops.len().div_ceil(left.max(1));
            let mut number = 0..;
            self.stops.retain(|_| number.next().is_some_and(|number: usize| number.is_multiple_of(step)));
        }
    }
}

/// Drops every second entry of a list.
fn every_second<T>(list: &mut Vec<T>) {
    let mut keep = false;
    list.retain(|_| {
        keep = !keep;
        keep
    });
}

/// Drops every second mark of the most frequent kind, so that a thousand lines of chat displace no flag and
/// no secret.
fn thin_marks(marks: &mut Vec<IndexedEvent>) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for mark in &*marks {
        *counts.entry(&mark.kind).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(kind, count)| (*count, std::cmp::Reverse(*kind)));
    let Some(most) = most.map(|(kind, _)| kind.to_owned()) else { return };
    // Starts with a drop, so that each call removes at least one mark.
    let mut keep = true;
    marks.retain(|mark| {
        if mark.kind != most {
            return true;
        }
        keep = !keep;
        keep
    });
}

/// Whether an event is too frequent to be useful as a place to jump to.
fn is_frequent(kind: &EventKind) -> bool {
    use EventKind as K;
    let is_item =
        matches!(kind, K::ItemSeen { .. } | K::ItemBack { .. } | K::ItemTaken { .. } | K::Pickup { .. });
    let is_count = matches!(kind, K::Shot { .. } | K::Accuracy { .. } | K::Hit { .. });
    is_item || is_count || matches!(kind, K::Weapon { .. } | K::Console { .. } | K::Command { .. })
}

/// The part of the index that is made from events.
#[derive(Default)]
struct EventIndex {
    marks: Vec<IndexedEvent>,
    /// The names of levels, by the levels' numbers.
    names: HashMap<u32, String>,
}

impl EventIndex {
    fn event(&mut self, event: &Event) {
        if let EventKind::LevelStart { map: Some(map), .. } = &event.kind
            && self.names.len() < MOST_LEVELS
        {
            self.names.insert(event.level, shortened(&map.line()).to_owned());
        }
        let Ok(block) = u32::try_from(event.block) else { return };
        if is_frequent(&event.kind) {
            return;
        }
        if self.marks.len() >= MOST_MARKS {
            thin_marks(&mut self.marks);
        }
        let text = shortened(&event.kind.to_string()).to_owned();
        self.marks.push(IndexedEvent { block, kind: event.name().to_owned(), text });
    }
}

/// Stops at least `stride` bytes apart. The stride doubles whenever the list is full.
#[derive(Default)]
struct StopCollector {
    stops: Vec<WholeBlock>,
    stride: u64,
}

impl StopCollector {
    fn add(&mut self, stop: WholeBlock) {
        if self.is_apart(self.stops.last(), stop) {
            self.stops.push(stop);
        }
        while self.stops.len() >= MOST_STOPS {
            self.stride = (self.stride * 2).max(64);
            let all = std::mem::take(&mut self.stops);
            for stop in all {
                if self.is_apart(self.stops.last(), stop) {
                    self.stops.push(stop);
                }
            }
        }
    }

    fn is_apart(&self, last: Option<&WholeBlock>, stop: WholeBlock) -> bool {
        last.is_none_or(|last| stop.offset >= last.offset.saturating_add(self.stride))
    }
}

/// Collects the blocks from which playback can begin.
struct Maker {
    index: Option<Index>,
    /// Whether the current block can be shown alone.
    is_whole: bool,
    is_mvd: bool,
    /// The number of levels that were announced.
    announced: u32,
    stops: StopCollector,
}

impl Maker {
    /// A level is announced.
    fn level(&mut self, here: &PassPosition) {
        if let Some(index) = &mut self.index {
            if index.levels.len() >= MOST_LEVELS {
                every_second(&mut index.levels);
            }
            let block = here.block as u32;
            self.announced = self.announced.saturating_add(1);
            let number = self.announced;
            let level = IndexedLevel {
                number,
                offset: here.offset,
                first_block: block,
                first_frame: block,
                ..IndexedLevel::default()
            };
            index.levels.push(level);
        }
        self.is_whole = false;
    }

    /// A block was read.
    fn block(&mut self, here: &PassPosition) {
        let is_whole = std::mem::take(&mut self.is_whole) && here.fault.is_none();
        let Some(index) = &mut self.index else { return };
        let block = index.blocks;
        index.blocks = block.saturating_add(1);
        if !is_whole || index.blocks == u32::MAX {
            return;
        }
        let time = here.time.map(|time| time as f32).filter(|time| time.is_finite());
        self.stops.add(WholeBlock { offset: here.offset, block, time, level: here.level });
        if let Some(level) = index.levels.last_mut()
            && level.first_frame == level.first_block
        {
            level.first_frame = block;
        }
    }
}

impl Watch for Maker {
    fn begin(&mut self, format: Format) {
        self.is_mvd = format == Format::Mvd;
        self.index = format.game().map(|game| Index {
            length: 0,
            blocks: 0,
            id: [0; 16],
            game,
            stops: Vec::new(),
            levels: Vec::new(),
            marks: Vec::new(),
        });
    }

    fn wants_messages(&self) -> bool {
        true
    }

    /// After each `time` message, the server sends everything in sight again.
    fn quake_message(&mut self, entry: &Entry<dem::Message<'_>>, here: &PassPosition) {
        match entry.message {
            dem::Message::Time(_) => self.is_whole = true,
            dem::Message::ServerInfo(_) => self.level(here),
            _ => {}
        }
    }

    fn quake2_message(&mut self, entry: &Entry<dm2::Message<'_>>, here: &PassPosition) {
        match entry.message {
            dm2::Message::FrameMessage(it) => self.is_whole = it.head.seq2 == -1,
            dm2::Message::ServerData(_) => self.level(here),
            _ => {}
        }
    }

    /// In a QWD, a list of all entities comes with all players in sight. An MVD has only the changes of players, so
    /// playback can begin only at the beginning of a level.
    fn quakeworld_message(&mut self, entry: &Entry<qw::Message<'_>>, here: &PassPosition) {
        match entry.message {
            qw::Message::PacketEntities(_) => self.is_whole = !self.is_mvd,
            qw::Message::ServerData(_) => self.level(here),
            _ => {}
        }
    }

    fn quake(&mut self, _: &quake::World, here: &PassPosition) {
        self.block(here);
    }

    fn quakeworld(&mut self, _: &quakeworld::World, here: &PassPosition) {
        self.block(here);
    }

    fn quake2(&mut self, _: &quake2::World, here: &PassPosition) {
        self.block(here);
    }

    fn end(&mut self, here: &PassPosition) {
        if let Some(index) = &mut self.index {
            index.length = here.offset;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Quake recording of one level, with as many blocks as requested and a line of chat in each.
    struct LongRecording {
        remaining: u32,
        block: Vec<u8>,
        offset: usize,
    }

    impl Read for LongRecording {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.offset == self.block.len() && self.remaining > 0 {
                (self.remaining, self.offset) = (self.remaining - 1, 0);
                let body =
                    [&b"\x07\0\0\x80\x3f\x08\x01"[..], format!("Al: {}\n\0", self.remaining).as_bytes()]
                        .concat();
                self.block = [&(body.len() as u32).to_le_bytes()[..], &[0; 12], &body].concat();
            }
            let rest = self.block.get(self.offset..).unwrap_or_default();
            let length = rest.len().min(buffer.len());
            buffer[..length].copy_from_slice(&rest[..length]);
            self.offset += length;
            Ok(length)
        }
    }

    #[test]
    fn an_index_is_small_beside_its_recording() {
        let level = b"\x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0\0s\0\0\x01";
        for blocks in [1, 1000, 200_000] {
            let begin = [&b"-1\n"[..], &(level.len() as u32).to_le_bytes(), &[0; 12], level].concat();
            let source = begin.chain(LongRecording { remaining: blocks, block: Vec::new(), offset: 0 });
            let index = Index::of(source).unwrap().unwrap();
            assert_eq!((index.blocks, index.levels.len()), (blocks + 1, 1));
            let mut bytes = Vec::new();
            index.write(&mut bytes).unwrap();
            assert!(
                bytes.len() <= MIN_BYTES.max((index.length / PART) as usize),
                "{blocks}: {}",
                bytes.len()
            );
            assert!(index.stops.len() < MOST_STOPS && index.marks.len() <= MOST_MARKS);
            assert!(!index.stops.is_empty() && !index.marks.is_empty());
            assert_eq!(Index::read(&bytes), Ok(index));
        }
    }

    #[test]
    fn the_most_frequent_kind_makes_room() {
        let mark = |kind: &str| IndexedEvent { block: 0, kind: kind.into(), text: String::new() };
        let mut marks = vec![mark("chat"), mark("kill"), mark("chat"), mark("chat"), mark("chat")];
        thin_marks(&mut marks);
        assert_eq!(marks.iter().filter(|mark| mark.kind == "kill").count(), 1);
        assert_eq!(marks.len(), 3);
        for left in [2, 1, 0] {
            thin_marks(&mut marks);
            assert_eq!(marks.len(), left, "each call leaves something out");
        }
    }
}
