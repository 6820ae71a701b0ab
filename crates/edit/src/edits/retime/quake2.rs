//! Quake II: the frames of a span are rebuilt, ten a second of the new time. All that follow get new numbers.

use super::tween::{is_beam, tween};
use crate::machinery::block_writer::is_open;
use crate::machinery::bridge::quake2 as bridge;
use crate::machinery::bridge::reencode::{BlockMessage, FramePart, FramesOfBlock, Reencoded, reencode_read};
use crate::machinery::ordered::{Suspects, are_same, change_others};
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
    last_frame: Option<Arc<Frame>>,
    /// The entities that it changed, and whether all of its entities are in order.
    changed: Suspects,
    is_ordered: bool,
    /// The entities in which the last frame that was written may differ from those that are made now, and whether a frame
    /// was written since they were collected.
    suspects: Suspects,
    is_sent: bool,
    /// The frame of the recording from which the span's frames are counted, and their number so far.
    start: i32,
    count: u32,
    /// The last frames that were written.
    sent: VecDeque<SentFrame>,
    /// Whether frames have other numbers than in the recording.
    is_moved: bool,
    /// The difference between the numbers of two frames, and the number from which the span's frames are
    /// counted.
    pace: f64,
    first_number: i32,
    /// A message that is added after every frame.
    beside: Vec<u8>,
    waiting: WaitingMessages,
    /// The last frame in bytes, the last block that was made, and a frame whose memory the next copy can reuse.
    encoded: Vec<u8>,
    last_block: Vec<u8>,
    spare: Option<Arc<Frame>>,
    /// The number of frames that were written.
    frames: u64,
    /// The length of the spans in tenths of a second, before and after the edit.
    taken: (f64, f64),
}

/// A frame that was written.
#[derive(Clone)]
struct SentFrame {
    /// The number of the recorded frame that this frame is; `None` for an interpolated one.
    source: Option<i32>,
    /// Whether it shows exactly the same as the recorded frame.
    is_same: bool,
    frame: Arc<Frame>,
}

/// A frame of a block outside of the spans, under its new number.
struct Renumbered {
    frame: Arc<Frame>,
    base: Option<Arc<Frame>>,
    /// Whether the base also shows the same as in the recording, so that the recorded differences can be copied.
    is_same: bool,
}

impl Renumbered {
    fn reencoded(&self) -> Reencoded<'_> {
        Reencoded { is_same: self.is_same, ..Reencoded::new(&self.frame, self.base.as_deref()) }
    }
}

/// The messages that are sent with the next frame.
#[derive(Clone, Default)]
struct WaitingMessages {
    /// Messages that precede the frame, and messages after it.
    before: MessageQueue,
    after: MessageQueue,
    /// Entities with an event; a frame can have one event of each entity.
    events: Vec<Entity>,
    /// The entities to which the last frame gave events. One that had left is in that frame alone.
    given: Vec<u16>,
    /// How many blocks could not be read to their end.
    unread: u64,
}

/// How many frames a client holds.
const RING: usize = 16;

/// How many frames of the game a second has.
const TENTHS: f64 = 10.0;

/// A longer gap between two frames is a jump of the clock; no frames are interpolated across it.
const GAP: i32 = RING as i32;

/// Two moments that differ by less than this, in tenths of a second, are the same.
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
                    to.push(bytes, it.end == block.data.len() && is_open(bytes, after));
                }
            }
        }
        // Unreadable bytes would hide the messages after them.
        let read = messages.last().map_or(0, |it| it.end);
        self.unread = self.unread.saturating_add(u64::from(read < block.data.len()));
    }

    fn take_events(&mut self, frame: &Frame) {
        for entity in frame.entities.iter().filter(|entity| entity.event != 0) {
            // Two footsteps within a tenth of a second sound like one.
            if !self.events.iter().any(|it| (it.number, it.event) == (entity.number, entity.event)) {
                self.events.push(*entity);
            }
        }
    }

    /// Adds the entities to the suspects that have events now or had one in the last frame.
    fn suspect_events(&mut self, frame: &Frame, suspects: &mut Suspects) {
        let given_before = self.given.len();
        self.given.extend(self.events.iter().map(|entity| entity.number));
        for number in &self.given {
            suspects.add(*number, frame);
        }
        self.given.drain(..given_before);
    }

    /// Gives the entities of a frame their events. An entity that has left appears once more for each of its
    /// events.
    fn give_events(&mut self, frame: &mut Frame, suspects: &Suspects) {
        suspects.change(&mut frame.entities, |entity| {
            let next = self.events.iter().position(|it| it.number == entity.number);
            entity.event = next.map_or(0, |at| self.events.remove(at).event);
        });
        while let Some(at) = self.events.iter().position(|it| frame.entity(it.number).is_none()) {
            let gone = self.events.remove(at);
            let place = frame.entities.partition_point(|it| it.number < gone.number);
            frame.entities.insert(place, gone);
        }
    }

    /// Makes a block of this frame and of the waiting messages, as many as fit.
    fn block(&mut self, frame: &[u8], bytes: &mut Vec<u8>) {
        bytes.clear();
        self.before.fill(frame.len(), bytes);
        bytes.extend_from_slice(frame);
        if self.before.is_empty() {
            self.after.fill(0, bytes);
        }
    }

    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// Messages in their order: their bytes together, and the length of each.
#[derive(Clone, Default)]
struct MessageQueue {
    bytes: Vec<u8>,
    lengths: VecDeque<usize>,
    /// The number of bytes that were taken out already.
    taken: usize,
}

impl MessageQueue {
    /// Adds a message, with the end of its text if that is missing.
    fn push(&mut self, message: &[u8], is_open: bool) {
        self.bytes.extend_from_slice(message);
        self.bytes.extend(is_open.then_some(0));
        self.lengths.push_back(message.len() + usize::from(is_open));
    }

    fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Moves as many messages into a block as fit beside its other messages. A message that is too long for any block
    /// gets one alone.
    fn fill(&mut self, beside: usize, to: &mut Vec<u8>) {
        while let Some(&length) = self.lengths.front() {
            let room = bridge::LIMIT.saturating_sub(beside).saturating_sub(to.len());
            if length > room && !(to.is_empty() && length > bridge::LIMIT) {
                return;
            }
            self.lengths.pop_front();
            let message = self.bytes.get(self.taken..).and_then(|rest| rest.get(..length));
            to.extend_from_slice(message.unwrap_or_default());
            self.taken += length;
            // To move the rest for each message would take long where many wait.
            if self.taken > self.bytes.len() / 2 {
                self.bytes.drain(..self.taken.min(self.bytes.len()));
                self.taken = 0;
            }
        }
    }
}

impl Timer {
    pub(crate) fn new(speed: f64) -> Self {
        Self {
            speed,
            head: Playhead::new(),
            frames_of_block: FramesOfBlock::default(),
            level: 1,
            last_frame: None,
            changed: Suspects::default(),
            is_ordered: false,
            suspects: Suspects::default(),
            is_sent: false,
            start: 0,
            count: 0,
            sent: VecDeque::new(),
            is_moved: false,
            pace: 1.0,
            first_number: 0,
            beside: Vec::new(),
            waiting: WaitingMessages::default(),
            encoded: Vec::new(),
            last_block: Vec::new(),
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

    /// Begins a block.
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
        is_inside: bool,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        if writer.place().level != self.level {
            self.leave(out)?;
            self.level = writer.place().level;
            self.sent.clear();
            self.is_moved = false;
        }
        let frames = self.frames_of_block.end(*writer.context(), &mut self.head);
        // A speed of 1 changes nothing, not even the encoding of a frame.
        let inside = is_inside && (self.speed - 1.0).abs() > f64::EPSILON;
        let is_servers = frames.iter().flatten().any(|frame| frame.form == FrameForm::Server);
        if is_servers && (inside || !self.beside.is_empty()) {
            let why = "engines do not play a server's own recording: extract a player's with `moviola view`";
            return Err(Error::Impossible(why.into()));
        }
        if inside && self.last_frame.is_some() {
            self.resample(&block, &frames, out)?;
        } else {
            self.leave(out)?;
            self.pass(&frames, writer, out)?;
            if inside && let Some(last) = frames.iter().flatten().rfind(|frame| frame.validity.is_drawn()) {
                self.begin(Arc::clone(last));
                self.is_ordered = false;
                self.suspects.forget();
                self.is_sent = false;
            }
        }
        self.frames_of_block.reuse(frames);
        Ok(())
    }

    /// Begins a span, or begins anew after the clock has jumped.
    fn begin(&mut self, frame: Arc<Frame>) {
        (self.start, self.count) = (frame.number, 1);
        self.first_number = self.sent.back().map_or(frame.number, |sent| sent.frame.number);
        self.last_frame = Some(frame);
    }

    /// The position of the next frame in the recording.
    fn due(&self) -> f64 {
        f64::from(self.start) + f64::from(self.count) * self.speed
    }

    /// A block of a span.
    fn resample(
        &mut self,
        block: &Block<'_>,
        frames: &[Option<Arc<Frame>>],
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let mut drawn = frames.iter().flatten().filter(|frame| frame.validity.is_drawn()).peekable();
        if drawn.peek().is_none() {
            self.waiting.take(block, &self.frames_of_block.messages, self.head.context);
        }
        let mut is_taken = false;
        for next in drawn {
            let Some(last) = self.last_frame.take() else { break };
            self.compare(next, frames.len() == 1);
            let now = f64::from(next.number);
            let gap = next.number.saturating_sub(last.number);
            let goes_on = (1..=GAP).contains(&gap);
            while goes_on && self.due() < now - NEAR {
                let way = (self.due() - f64::from(last.number)) / f64::from(gap);
                let mut between = self.copy_of(&last);
                tween(Arc::make_mut(&mut between), next, self.suspects.visit(), way);
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
                self.last_frame = Some(Arc::clone(next));
            } else {
                let copy = self.copy_of(next);
                self.emit(copy, Some(next.number), out)?;
                self.begin(Arc::clone(next));
            }
        }
        Ok(())
    }

    /// Finds out in which entities the next frames of the span may differ from the last one that was written. If the
    /// recorded frame is not the only one of its block, the differences are not known.
    fn compare(&mut self, next: &Frame, is_only: bool) {
        let is_ordered = next.entities.is_sorted_by(|one, other| one.number < other.number);
        let was_ordered = std::mem::replace(&mut self.is_ordered, is_ordered);
        if std::mem::replace(&mut self.is_sent, false) {
            // Those that the last recorded frame changed are still on their way.
            std::mem::swap(&mut self.suspects, &mut self.changed);
        }
        self.changed.set_changed(&self.head.world, is_only && was_ordered && is_ordered);
        self.suspects.add_all(&self.changed);
    }

    /// Writes a frame at a place that it did not have in the recording.
    fn emit(
        &mut self,
        mut frame: Arc<Frame>,
        source: Option<i32>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        (self.is_moved, self.is_sent) = (true, true);
        let number =
            self.first_number.saturating_add((f64::from(self.count) * self.pace - NEAR).ceil() as i32);
        self.count = self.count.saturating_add(1);
        self.taken.1 += 1.0;
        let new = Arc::make_mut(&mut frame);
        let base = self.sent.back().map(|sent| &*sent.frame);
        new.number = number;
        // Most frames give no events, and lose theirs while their old places are set.
        let has_events = !self.waiting.events.is_empty() || base.is_none();
        self.waiting.suspect_events(new, &mut self.suspects);
        if has_events {
            self.waiting.give_events(new, &self.suspects);
        }
        if let Some(base) = base {
            let was_there = |entity: &Entity, old: &Entity| {
                entity.number == old.number
                    && are_same(&entity.old_origin, &old.origin)
                    && (has_events || entity.event == 0)
            };
            change_others(&mut new.entities, base, self.suspects.visit(), was_there, |entity, old| {
                entity.event = if has_events { entity.event } else { 0 };
                if let Some(old) = old.filter(|_| !is_beam(entity)) {
                    entity.old_origin = old.origin;
                }
            });
        }
        self.encoded.clear();
        let (visit, world) = (self.suspects.visit(), &self.head.world);
        bridge::frame_of_visited(&frame, base, visit, world, &self.head.context, &mut self.encoded);
        self.encoded.extend_from_slice(&self.beside);
        self.keep(SentFrame { source, is_same: false, frame });
        self.waiting.block(&self.encoded, &mut self.last_block);
        out.block([0; 3], &self.last_block)
    }

    /// A copy of a frame that reuses the memory of a frame that is no longer needed.
    fn copy_of(&mut self, frame: &Frame) -> Arc<Frame> {
        let mut copy = self.spare.take().unwrap_or_default();
        match Arc::get_mut(&mut copy) {
            Some(copy) => copy.clone_from(frame),
            None => copy = Arc::new(frame.clone()),
        }
        copy
    }

    fn keep(&mut self, sent: SentFrame) {
        self.frames = self.frames.saturating_add(1);
        if self.sent.len() >= RING {
            // A frame of the recording is still in the world, which uses its memory again.
            let oldest = self.sent.pop_front().filter(|oldest| Arc::strong_count(&oldest.frame) == 1);
            self.spare = oldest.map(|oldest| oldest.frame);
        }
        self.sent.push_back(sent);
    }

    /// Ends the current span, if there is one: shows its last moment, and writes everything that waits.
    pub(crate) fn leave(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if let Some(last) = self.last_frame.take() {
            let is_sent = |sent: &SentFrame| sent.source == Some(last.number);
            // Events that no frame had room for get a frame of their own.
            while !self.sent.back().is_some_and(is_sent) || !self.waiting.events.is_empty() {
                let copy = self.copy_of(&last);
                self.emit(copy, Some(last.number), out)?;
            }
        }
        while !self.waiting.is_empty() {
            self.waiting.block(&[], &mut self.last_block);
            out.block([0; 3], &self.last_block)?;
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

    /// Handles a block outside of the spans; its frames get new numbers if earlier frames did.
    fn pass(
        &mut self,
        frames: &[Option<Arc<Frame>>],
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        let mut renumbered = Vec::new();
        for frame in frames {
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
            // The recorded differences can be copied only if the base shows the same as in the recording.
            let is_same =
                frame.base <= 0 || base.is_some_and(|sent| sent.is_same && sent.source == Some(frame.base));
            let base = base.map(|sent| Arc::clone(&sent.frame));
            renumbered.push(Some(Renumbered { frame: Arc::clone(&new), base, is_same }));
            self.keep(SentFrame { source: Some(frame.number), is_same: true, frame: new });
        }
        let shows = renumbered.iter().any(Option::is_some);
        if self.is_moved && !frames.is_empty() {
            let reencoded: Vec<Option<Reencoded<'_>>> =
                renumbered.iter().map(|it| it.as_ref().map(Renumbered::reencoded)).collect();
            let (messages, context) = (&self.frames_of_block.messages, writer.context_before());
            let mut bytes = Vec::with_capacity(block.data.len());
            reencode_read(&block, messages, context, &self.head.world, &reencoded, &mut bytes);
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
