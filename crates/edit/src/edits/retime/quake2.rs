//! Quake II: the frames of a span are rebuilt, ten a second of the new time. All that follow get new numbers.

use super::tween::{is_beam, tween};
use crate::machinery::block_writer::is_open;
use crate::machinery::bridge::quake2 as bridge;
use crate::machinery::bridge::reencode::{BlockMessage, FramePart, FramesOfBlock, Reencoded, reencode_read};
use crate::machinery::ordered::{are_same, change_others};
use crate::{BlockWriter, EditOutput, Error};
use moviola_format::{Block, Context, Entry, FrameForm, dm2};
use moviola_state::Playhead;
use moviola_state::quake2::{Entity, Frame, World};
use std::collections::VecDeque;
use std::sync::Arc;

/// Makes the frames of a recording.
#[derive(Clone)]
pub(crate) struct Timer {
    speed: f64,
    /// The state after the last message.
    head: Playhead<World>,
    /// The frames of the current block.
    frames_of_block: FramesOfBlock,
    level: u32,
    /// The last frame of the current span.
    last: Option<Arc<Frame>>,
    /// The frame of the recording from which the span's frames are counted, and their number so far.
    start: i32,
    count: u32,
    /// The last frames that were written.
    sent: VecDeque<SentFrame>,
    /// Whether frames have other numbers than they had.
    is_moved: bool,
    /// The difference between the numbers of two frames, and the number from which the span's frames are
    /// counted.
    pace: f64,
    first: i32,
    /// A message that is added after every frame.
    beside: Vec<u8>,
    waiting: WaitingMessages,
    /// The last frame in bytes, the last block that was made, and a frame whose memory the next copy can use.
    encoded: Vec<u8>,
    made: Vec<u8>,
    spare: Option<Frame>,
    /// The number of frames that were written.
    frames: u64,
    /// The length of the spans in tenths of a second, before and after the edit.
    taken: (f64, f64),
}

/// A frame that was written.
#[derive(Clone)]
struct SentFrame {
    /// The number of the recording's frame that it is; `None` for one in between.
    source: Option<i32>,
    /// Whether it shows exactly what that frame of the recording shows.
    is_same: bool,
    frame: Arc<Frame>,
}

/// A frame of a block outside of the spans, under its new number.
struct Renumbered {
    frame: Arc<Frame>,
    base: Option<Arc<Frame>>,
    /// Whether its differences to the base are those of the recording.
    is_same: bool,
}

impl Renumbered {
    fn reencoded(&self) -> Reencoded<'_> {
        Reencoded { frame: &self.frame, base: self.base.as_deref(), is_same: self.is_same }
    }
}

/// The messages that are sent with the next frame.
#[derive(Clone, Default)]
struct WaitingMessages {
    /// Messages that precede the frame, and messages after it.
    before: VecDeque<Vec<u8>>,
    after: VecDeque<Vec<u8>>,
    /// Entities with an event; a frame can have one event of each entity.
    events: Vec<Entity>,
    /// How many blocks could not be read to their end.
    unread: u64,
}

/// How many frames a client holds.
const RING: usize = 16;

/// How many frames of the game a second has.
const TENTHS: f64 = 10.0;

/// A longer gap between two frames is a jump of the clock, and nothing is in between.
const GAP: i32 = RING as i32;

/// Two moments this close are the same, in tenths of a second.
const NEAR: f64 = 1e-6;

impl WaitingMessages {
    /// Takes the messages of a block, but not its frames. `after` is the context after the block.
    fn take(&mut self, block: &Block<'_>, messages: &[BlockMessage], after: Context) {
        let mut to = &mut self.before;
        for it in messages {
            match it.part {
                FramePart::Head => to = &mut self.after,
                FramePart::Player | FramePart::Entities => {}
                FramePart::Nothing => {
                    let bytes = block.data.get(it.at..it.end).unwrap_or_default();
                    let mut message = bytes.to_vec();
                    if it.end == block.data.len() && is_open(bytes, after) {
                        message.push(0);
                    }
                    to.push_back(message);
                }
            }
        }
        // Unreadable bytes would hide the messages after them.
        let read = messages.last().map_or(0, |it| it.end);
        self.unread = self.unread.saturating_add(u64::from(read < block.data.len()));
    }

    fn take_events(&mut self, frame: &Frame) {
        for entity in frame.entities.iter().filter(|entity| entity.event != 0) {
            // Two steps in a tenth of a second sound like one.
            if !self.events.iter().any(|it| (it.number, it.event) == (entity.number, entity.event)) {
                self.events.push(*entity);
            }
        }
    }

    /// Gives the entities of a frame their events. An entity that has left appears once more for each of its
    /// events.
    fn give_events(&mut self, frame: &mut Frame) {
        if self.events.is_empty() {
            return frame.entities.iter_mut().for_each(|entity| entity.event = 0);
        }
        for entity in &mut frame.entities {
            let next = self.events.iter().position(|it| it.number == entity.number);
            entity.event = next.map_or(0, |at| self.events.remove(at).event);
        }
        while let Some(at) = self.events.iter().position(|it| frame.entity(it.number).is_none()) {
            let gone = self.events.remove(at);
            let place = frame.entities.partition_point(|it| it.number < gone.number);
            frame.entities.insert(place, gone);
        }
    }

    /// Makes a block of this frame and of the waiting messages, as many as fit.
    fn block(&mut self, frame: &[u8], bytes: &mut Vec<u8>) {
        bytes.clear();
        fill(&mut self.before, frame.len(), bytes);
        bytes.extend_from_slice(frame);
        if self.before.is_empty() {
            fill(&mut self.after, 0, bytes);
        }
    }

    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// Moves as many messages into a block as fit beside its other messages. A message that is too long for any block gets
/// one alone.
fn fill(from: &mut VecDeque<Vec<u8>>, beside: usize, bytes: &mut Vec<u8>) {
    while let Some(message) = from.pop_front() {
        let room = bridge::LIMIT.saturating_sub(beside).saturating_sub(bytes.len());
        if message.len() > room && !(bytes.is_empty() && message.len() > bridge::LIMIT) {
            return from.push_front(message);
        }
        bytes.extend_from_slice(&message);
    }
}

impl Timer {
    pub(crate) fn new(speed: f64) -> Self {
        Self {
            speed,
            head: Playhead::new(),
            frames_of_block: FramesOfBlock::default(),
            level: 1,
            last: None,
            start: 0,
            count: 0,
            sent: VecDeque::new(),
            is_moved: false,
            pace: 1.0,
            first: 0,
            beside: Vec::new(),
            waiting: WaitingMessages::default(),
            encoded: Vec::new(),
            made: Vec::new(),
            spare: None,
            frames: 0,
            taken: (0.0, 0.0),
        }
    }

    /// A timer that writes this many frames a second, each with the message `beside`. Their numbers still count tenths of
    /// a second, so that an engine's clock continues as before.
    pub(crate) fn with_frame_rate(per_second: f64, beside: Vec<u8>) -> Self {
        let pace = TENTHS / per_second;
        Self { pace, beside, ..Self::new(pace) }
    }

    /// The number of frames that were written.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// The length of the spans in seconds, before and after the edit.
    pub(super) fn taken(&self) -> (f64, f64) {
        (self.taken.0 / TENTHS, self.taken.1 / TENTHS)
    }

    /// A block begins.
    pub(crate) fn block(&mut self, block: &Block<'_>) {
        self.frames_of_block.begin(block, &mut self.head);
    }

    /// A message of the block.
    pub(crate) fn message(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &BlockWriter<'_>) {
        self.frames_of_block.message(entry, writer.end(), &mut self.head);
    }

    /// The block is over.
    pub(crate) fn block_end(
        &mut self,
        writer: &mut BlockWriter<'_>,
        inside: bool,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        if writer.place().level != self.level {
            self.leave(out)?;
            self.level = writer.place().level;
            self.sent.clear();
            self.is_moved = false;
        }
        let all = self.frames_of_block.end(*writer.context(), &mut self.head);
        // A speed of 1 changes nothing, not even the encoding of a frame.
        let inside = inside && (self.speed - 1.0).abs() > f64::EPSILON;
        let is_servers = all.iter().flatten().any(|frame| frame.form == FrameForm::Server);
        if is_servers && (inside || !self.beside.is_empty()) {
            let why = "engines do not play a server's own recording: extract a player's with `moviola view`";
            return Err(Error::Impossible(why.into()));
        }
        if inside && self.last.is_some() {
            self.resample(&block, &all, out)?;
        } else {
            self.leave(out)?;
            self.pass(&all, writer, out)?;
            if inside && let Some(last) = all.into_iter().flatten().rfind(|frame| frame.validity.is_drawn()) {
                self.begin(last);
            }
        }
        Ok(())
    }

    /// A span begins, or its clock jumps.
    fn begin(&mut self, frame: Arc<Frame>) {
        (self.start, self.count) = (frame.number, 1);
        self.first = self.sent.back().map_or(frame.number, |sent| sent.frame.number);
        self.last = Some(frame);
    }

    /// The position of the next frame in the recording.
    fn due(&self) -> f64 {
        f64::from(self.start) + f64::from(self.count) * self.speed
    }

    /// A block of a span.
    fn resample(
        &mut self,
        block: &Block<'_>,
        all: &[Option<Arc<Frame>>],
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let mut drawn = all.iter().flatten().filter(|frame| frame.validity.is_drawn()).peekable();
        if drawn.peek().is_none() {
            self.waiting.take(block, &self.frames_of_block.messages, self.head.context);
        }
        let mut is_taken = false;
        for next in drawn {
            let Some(last) = self.last.take() else { break };
            let now = f64::from(next.number);
            let gap = next.number.saturating_sub(last.number);
            let goes_on = (1..=GAP).contains(&gap);
            while goes_on && self.due() < now - NEAR {
                let way = (self.due() - f64::from(last.number)) / f64::from(gap);
                let mut between = self.copy_of(&last);
                tween(&mut between, next, way);
                self.emit(between, None, out)?;
            }
            if !std::mem::replace(&mut is_taken, true) {
                self.waiting.take(block, &self.frames_of_block.messages, self.head.context);
            }
            self.waiting.take_events(next);
            if goes_on {
                self.taken.0 += f64::from(gap);
                if self.due() < now + NEAR {
                    let copy = self.copy_of(next);
                    self.emit(copy, Some(next.number), out)?;
                }
                self.last = Some(Arc::clone(next));
            } else {
                let copy = self.copy_of(next);
                self.emit(copy, Some(next.number), out)?;
                self.begin(Arc::clone(next));
            }
        }
        Ok(())
    }

    /// Writes a frame at a place that it did not have in the recording.
    fn emit(&mut self, mut frame: Frame, source: Option<i32>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.is_moved = true;
        let number = self.first.saturating_add((f64::from(self.count) * self.pace - NEAR).ceil() as i32);
        self.count = self.count.saturating_add(1);
        self.taken.1 += 1.0;
        self.waiting.give_events(&mut frame);
        let base = self.sent.back().map(|sent| &*sent.frame);
        frame.number = number;
        if let Some(base) = base {
            let was_there = |entity: &Entity, old: &Entity| {
                entity.number == old.number && are_same(&entity.old_origin, &old.origin)
            };
            change_others(&mut frame.entities, base, was_there, |entity, old| match old {
                Some(old) if !is_beam(entity) => entity.old_origin = old.origin,
                _ => {}
            });
        }
        self.encoded.clear();
        bridge::frame(&frame, base, &self.head.world, &self.head.context, &mut self.encoded);
        self.encoded.extend_from_slice(&self.beside);
        self.keep(SentFrame { source, is_same: false, frame: Arc::new(frame) });
        self.waiting.block(&self.encoded, &mut self.made);
        out.block([0; 3], &self.made)
    }

    /// A copy of a frame, in the memory of one that is not needed any more.
    fn copy_of(&mut self, frame: &Frame) -> Frame {
        let mut copy = self.spare.take().unwrap_or_default();
        copy.clone_from(frame);
        copy
    }

    fn keep(&mut self, sent: SentFrame) {
        self.frames = self.frames.saturating_add(1);
        if self.sent.len() >= RING {
            self.spare = self.sent.pop_front().and_then(|oldest| Arc::into_inner(oldest.frame));
        }
        self.sent.push_back(sent);
    }

    /// Ends the current span, if there is one: shows its last moment, and writes everything that waits.
    pub(crate) fn leave(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if let Some(last) = self.last.take() {
            let is_sent = |sent: &SentFrame| sent.source == Some(last.number);
            // Events that no frame had room for get a frame of their own.
            while !self.sent.back().is_some_and(is_sent) || !self.waiting.events.is_empty() {
                let copy = self.copy_of(&last);
                self.emit(copy, Some(last.number), out)?;
            }
        }
        while !self.waiting.is_empty() {
            self.waiting.block(&[], &mut self.made);
            out.block([0; 3], &self.made)?;
        }
        Ok(())
    }

    /// The recording is over.
    pub(crate) fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.leave(out)?;
        if self.waiting.unread > 0 {
            let blocks = self.waiting.unread;
            out.note(format!("{blocks} blocks of the spans could not be read completely, and lack the rest"));
        }
        Ok(())
    }

    /// A block outside of the spans; its frames get new numbers if frames before them did.
    fn pass(
        &mut self,
        all: &[Option<Arc<Frame>>],
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        let mut renumbered = Vec::new();
        for frame in all {
            let Some(frame) = frame else {
                renumbered.push(None);
                continue;
            };
            if !frame.validity.is_drawn() {
                renumbered.push(self.repeat());
                continue;
            }
            let mut new = Arc::clone(frame);
            if self.is_moved
                && let Some(sent) = self.sent.back()
            {
                let gap = sent.source.map_or(1, |source| frame.number.saturating_sub(source));
                Arc::make_mut(&mut new).number = sent.frame.number.saturating_add(gap.max(1));
            }
            let held = |sent: &&SentFrame| sent.source == Some(frame.base);
            let is_near = |sent: &&SentFrame| new.number.saturating_sub(sent.frame.number) < GAP;
            let base = if frame.base > 0 {
                self.sent.iter().rev().find(held).or(self.sent.back()).filter(is_near)
            } else {
                None
            };
            // An engine counts on the state of the base. Where that is the recorded one, so are the differences to it.
            let is_same =
                frame.base <= 0 || base.is_some_and(|sent| sent.is_same && sent.source == Some(frame.base));
            let base = base.map(|sent| Arc::clone(&sent.frame));
            renumbered.push(Some(Renumbered { frame: Arc::clone(&new), base, is_same }));
            self.keep(SentFrame { source: Some(frame.number), is_same: true, frame: new });
        }
        let shows = renumbered.iter().any(Option::is_some);
        if self.is_moved && !all.is_empty() {
            let reencoded: Vec<Option<Reencoded<'_>>> =
                renumbered.iter().map(|it| it.as_ref().map(Renumbered::reencoded)).collect();
            let (messages, context) = (&self.frames_of_block.messages, writer.context_before());
            let bytes = reencode_read(&block, messages, context, &self.head.world, &reencoded);
            writer.clear();
            writer.put_bytes(&bytes);
        }
        if shows && !self.beside.is_empty() {
            writer.put_bytes(&self.beside);
        }
        writer.write(out)
    }

    /// Writes the last picture again under the next number, in the place of a frame that a client cannot draw.
    fn repeat(&mut self) -> Option<Renumbered> {
        let last = Arc::clone(&self.sent.back().filter(|_| self.is_moved)?.frame);
        let mut same = Frame::clone(&last);
        same.number = last.number.saturating_add(1);
        for entity in &mut same.entities {
            entity.event = 0;
        }
        let same = Arc::new(same);
        self.keep(SentFrame { source: None, is_same: false, frame: Arc::clone(&same) });
        Some(Renumbered { frame: same, base: Some(last), is_same: false })
    }
}
