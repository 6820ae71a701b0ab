//! An index out of one pass over a recording.

use crate::layout::{Block, Index, Level, Mark};
use moviola_analyse::{Event, Events, Here, Kind, Watch, watch};
use moviola_export::Hashed;
use moviola_format::{Entry, Format, dem, dm2};
use moviola_state::{quake, quake2};
use std::cell::RefCell;
use std::io::{self, Read};

impl Index {
    /// Makes the index of a recording; none for what is none.
    pub fn of(source: impl Read) -> io::Result<Option<Self>> {
        let mut source = Hashed::new(source);
        let marks = RefCell::new(Vec::new());
        let mut maker = Maker { index: None, is_whole: false };
        let mut events = Events::new(|event: Event| marks.borrow_mut().push(event));
        watch(&mut source, &mut [&mut events, &mut maker])?;
        drop(events);
        let Some(mut index) = maker.index else { return Ok(None) };
        index.id = source.id().bytes();
        for event in marks.take() {
            if let Kind::LevelStart { map: Some(map), .. } = &event.kind
                && let Some(level) = index.levels.get_mut((event.level as usize).wrapping_sub(1))
            {
                level.name = map.line();
            }
            if !is_busy(&event.kind) && (event.block as usize) < index.blocks.len() {
                let (kind, text) = (event.name().to_owned(), event.kind.to_string());
                index.marks.push(Mark { block: event.block as u32, kind, text });
            }
        }
        index.marks.sort_by_key(|mark| mark.block);
        Ok(Some(index))
    }
}

/// What happens all the time is nothing to jump to.
fn is_busy(kind: &Kind) -> bool {
    use Kind as K;
    let is_item =
        matches!(kind, K::ItemSeen { .. } | K::ItemBack { .. } | K::ItemTaken { .. } | K::Pickup { .. });
    is_item || matches!(kind, K::Shot { .. } | K::Weapon { .. } | K::Console { .. } | K::Command { .. })
}

/// Notes where the blocks are.
struct Maker {
    index: Option<Index>,
    /// The block at hand can be shown by itself.
    is_whole: bool,
}

impl Maker {
    /// A level is announced.
    fn level(&mut self, here: &Here) {
        if let Some(index) = &mut self.index {
            // Until something of it is seen.
            let block = here.block as u32;
            index.levels.push(Level { first_block: block, first_frame: block, name: String::new() });
        }
        self.is_whole = false;
    }

    /// A block was read.
    fn block(&mut self, here: &Here) {
        let is_whole = std::mem::take(&mut self.is_whole) && here.fault.is_none();
        let Some(index) = &mut self.index else { return };
        let time = here.time.map(|time| time as f32).filter(|time| time.is_finite());
        let block = Block { offset: here.offset, time, level: here.level, is_whole };
        let number = index.blocks.len() as u32;
        index.blocks.push(block);
        if let Some(level) = index.levels.last_mut()
            && is_whole
            && level.first_frame == level.first_block
        {
            level.first_frame = number;
        }
    }
}

impl Watch for Maker {
    fn format(&mut self, format: Format) {
        self.index = format.game().map(|game| Index {
            length: 0,
            id: [0; 16],
            game,
            blocks: Vec::new(),
            levels: Vec::new(),
            marks: Vec::new(),
        });
    }

    fn wants_messages(&self) -> bool {
        true
    }

    /// What is in sight is said anew behind each time.
    fn quake_message(&mut self, entry: &Entry<dem::Message<'_>>, here: &Here) {
        match entry.message {
            dem::Message::Time(_) => self.is_whole = true,
            dem::Message::ServerInfo(_) => self.level(here),
            _ => {}
        }
    }

    fn quake2_message(&mut self, entry: &Entry<dm2::Message<'_>>, here: &Here) {
        match entry.message {
            dm2::Message::FrameMessage(it) => self.is_whole = it.head.seq2 == -1,
            dm2::Message::ServerData(_) => self.level(here),
            _ => {}
        }
    }

    fn quake(&mut self, _: &quake::World, here: &Here) {
        self.block(here);
    }

    fn quake2(&mut self, _: &quake2::World, here: &Here) {
        self.block(here);
    }

    fn end(&mut self, here: &Here) {
        if let Some(index) = &mut self.index {
            index.length = here.offset;
        }
    }
}
