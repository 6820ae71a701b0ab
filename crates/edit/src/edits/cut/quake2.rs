//! Quake II: a header, then parts of a level. The first frame of each part is sent in full, and later frames whose base
//! was cut away are encoded again.

use super::{Beginning, pass};
use crate::machinery::bridge::quake2 as bridge;
use crate::machinery::bridge::reencode::{Reencoded, frames, reencode};
use crate::machinery::span::Run;
use crate::{BlockWriter, EditOutput, Error};
use moviola_format::dm2::Message;
use moviola_format::{Block, FrameForm, Piece, Quake2};
use moviola_state::Playhead;
use moviola_state::quake2::{Entity, Frame, World};
use std::sync::Arc;

/// Cuts a recording of Quake II.
#[derive(Clone, Default)]
pub(super) struct Cutter {
    /// The state before the current block.
    head: Playhead<World>,
    /// The current level; 0 before the first one.
    level: u32,
    header: Beginning,
    is_playing: bool,
    /// Whether a header was written for this level.
    is_begun: bool,
    /// The last state of the audience, if blocks after it were left out.
    seen: Option<World>,
    /// Whether the last block that was read was also written.
    goes_on: bool,
    /// How many levels were written.
    levels: u32,
    audience: Audience,
}

/// The written frames that a client still holds.
#[derive(Clone, Default)]
struct Audience {
    /// The numbers of the frames, each at the index of its lowest bits.
    ring: [i32; RING],
    /// The number of frames of this part that were written. After as many as the ring holds, the ring equals that of
    /// the recording's own client.
    frames: usize,
    last_frame: Option<Frame>,
}

const RING: usize = 16;

/// The greatest distance between a frame and its base, well below the distance at which a client forgets
/// frames.
const NEAR: i32 = 12;

fn slot(number: i32) -> usize {
    (number & (RING as i32 - 1)) as usize
}

impl Audience {
    fn take(&mut self, frame: &Frame) {
        if let Some(place) = self.ring.get_mut(slot(frame.number)) {
            *place = frame.number;
        }
        self.frames = self.frames.saturating_add(1);
        self.last_frame = Some(frame.clone());
    }

    /// Adds a frame that was not in the recording. No frame of the recording may build on it.
    fn take_made(&mut self, frame: &Frame) {
        if let Some(place) = self.ring.get_mut(slot(frame.number)) {
            *place = 0;
        }
        self.last_frame = Some(frame.clone());
    }

    /// Whether a frame can be copied: it builds on no frame, or on a frame that the client has, or it could not be
    /// drawn in the input either.
    fn can_play(&self, frame: &Frame) -> bool {
        let is_there = |base: i32| self.ring.get(slot(base)) == Some(&base);
        frame.form == FrameForm::Server
            || !frame.validity.is_drawn()
            || frame.base <= 0
            || is_there(frame.base)
    }

    /// The frame that the next one can build on: the last frame, if it is recent enough.
    fn base(&self, number: i32) -> Option<&Frame> {
        let near = |last: &&Frame| (1..=NEAR).contains(&number.wrapping_sub(last.number)) && last.number > 0;
        self.last_frame.as_ref().filter(near)
    }

    fn is_settled(&self) -> bool {
        self.frames > RING || self.last_frame.as_ref().is_some_and(|last| last.form == FrameForm::Server)
    }
}

impl Cutter {
    /// Handles a block that was read. Returns true if the next blocks need not be read, once it is known whether they
    /// are kept.
    pub(super) fn block(
        &mut self,
        writer: &mut BlockWriter<'_>,
        is_kept: bool,
        out: &mut EditOutput<'_>,
    ) -> Result<bool, Error> {
        let block = *writer.block();
        if block.data.is_empty() {
            return Ok(false);
        }
        if writer.place().level != self.level {
            self.turn_to(writer.place().level, out)?;
        }
        if !self.is_playing {
            if writer.place().time.is_none() && !self.header.is_full() {
                self.header.push(&block, is_kept);
                self.head.step(&block);
                return Ok(false);
            }
            self.is_playing = true;
            self.seen = Some(self.head.world.clone());
            // The recorder's own header is used, unless parts of it must be left out.
            if is_kept && self.header.keeps_all == self.header.any && (self.levels > 0 || self.level == 1) {
                self.begin_as_it_was(out)?;
                self.goes_on = true;
            }
        }
        if is_kept {
            self.write(&block, writer, out)?;
        } else if self.goes_on {
            self.seen = Some(self.head.world.clone());
        }
        self.goes_on = is_kept;
        self.head.step(&block);
        Ok(!is_kept || self.audience.is_settled())
    }

    /// Keeps or drops a block by the known facts about its run, without reading its messages.
    pub(super) fn pass(
        &mut self,
        run: &Run,
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        if run.keeps && !writer.block().data.is_empty() {
            writer.write(out)?;
        }
        pass(run, writer, &mut self.head);
        Ok(())
    }

    pub(super) fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.leave(out)?;
        if self.levels > 1 {
            out.note(format!(
                "{} levels are in it, after the first of which Quake II may stop: `moviola split`",
                self.levels
            ));
        }
        if out.blocks() > 0 { out.piece(&Piece::End) } else { Ok(()) }
    }

    /// Begins another level.
    fn turn_to(&mut self, level: u32, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.leave(out)?;
        self.level = level;
        self.header = Beginning::new();
        self.audience = Audience::default();
        self.seen = None;
        (self.is_playing, self.is_begun, self.goes_on) = (false, false, false);
        Ok(())
    }

    /// A level is over: its header is written now if it is kept although no part needs it.
    fn leave(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.header.any && !self.is_begun { self.begin_as_it_was(out) } else { Ok(()) }
    }

    fn begin_as_it_was(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.is_begun = true;
        self.levels = self.levels.saturating_add(1);
        self.header.write(out)
    }

    /// Writes a block of the play, and before it the messages that viewers need.
    fn write(
        &mut self,
        block: &Block<'_>,
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let is_first = !self.goes_on;
        let is_connecting = !self.is_begun;
        let quiet = if is_connecting { self.without_failures(block) } else { None };
        let block = &quiet.as_deref().map_or(*block, Block::new);
        if quiet.is_some() {
            writer.clear();
            writer.put_bytes(block.data);
        }
        if is_first {
            self.join(out)?;
        } else if self.audience.is_settled() {
            return writer.write(out);
        }
        let frames = frames(block, &self.head);
        if is_first && !frames.iter().flatten().next().is_some_and(|frame| frame.validity.is_drawn()) {
            self.show(out)?;
        }
        self.put(block, &frames, writer, out)
    }

    /// The current block without failed downloads before its first frame; `None` if it has none. A connecting
    /// client takes them for answers, and then requests the next file and checks the level once more.
    fn without_failures(&self, block: &Block<'_>) -> Option<Vec<u8>> {
        let mut messages = block.messages::<Quake2>(self.head.context);
        let (mut quiet, mut at) = (Vec::new(), 0);
        while let Some(entry) = &messages.next() {
            match &entry.message {
                Message::FrameMessage(_) => break,
                Message::Download(it) if it.piece.size < 0 => {}
                _ => quiet.extend_from_slice(block.data.get(at..messages.pos()).unwrap_or_default()),
            }
            at = messages.pos();
        }
        quiet.extend_from_slice(block.data.get(at..).unwrap_or_default());
        (quiet.len() < block.data.len()).then_some(quiet)
    }

    /// Brings the audience's config strings and screens to the state before the current block.
    fn join(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let (world, context) = (&self.head.world, &self.head.context);
        let mut blocks = Vec::new();
        if self.is_begun {
            let nothing = World::default();
            let seen = self.seen.as_ref().unwrap_or(&nothing);
            blocks.extend(bridge::changes(seen, world, context));
            blocks.extend(bridge::screens(Some(seen), world, context));
        } else {
            self.is_begun = true;
            self.levels = self.levels.saturating_add(1);
            blocks.extend(bridge::header(world, context));
        }
        self.audience = Audience::default();
        blocks.iter().try_for_each(|messages| out.block([0; 3], messages))
    }

    /// Writes the frame that is on the screen before the current block, which has no frame of its own.
    fn show(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let drawn = self.head.world.drawn().clone();
        if !drawn.validity.is_drawn() {
            return Ok(());
        }
        let mut bytes = Vec::new();
        bridge::frame(&drawn, None, &self.head.world, &self.head.context, &mut bytes);
        if bytes.len() > bridge::LIMIT && self.build_up(&drawn, 0, out)? {
            bytes.clear();
            bridge::frame(
                &drawn,
                self.audience.base(drawn.number),
                &self.head.world,
                &self.head.context,
                &mut bytes,
            );
        }
        self.audience.take(&drawn);
        out.block([0; 3], &bytes)
    }

    /// Writes the current block. Frames whose base the audience lacks are encoded again.
    fn put(
        &mut self,
        block: &Block<'_>,
        frames: &[Option<Arc<Frame>>],
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let anew = frames.iter().flatten().any(|frame| !self.audience.can_play(frame));
        if anew {
            let mut bytes = self.with_frames(block, frames);
            let first = frames.iter().flatten().next().filter(|frame| frame.form == FrameForm::Client);
            if bytes.len() > bridge::LIMIT
                && let Some(first) = first
            {
                // The other messages of the block take room as well.
                let mut frame_bytes = Vec::new();
                bridge::frame(
                    first,
                    self.audience.base(first.number),
                    &self.head.world,
                    &self.head.context,
                    &mut frame_bytes,
                );
                if self.build_up(first, bytes.len().saturating_sub(frame_bytes.len()), out)? {
                    bytes = self.with_frames(block, frames);
                }
            }
            writer.clear();
            writer.put_bytes(&bytes);
        }
        for frame in frames.iter().flatten() {
            self.audience.take(frame);
        }
        writer.write(out)
    }

    /// The current block, in which the frames that the audience could not play are encoded again.
    fn with_frames(&self, block: &Block<'_>, frames: &[Option<Arc<Frame>>]) -> Vec<u8> {
        let mut before = None;
        let reencoded: Vec<Option<Reencoded<'_>>> = frames
            .iter()
            .map(|frame| {
                let frame = frame.as_deref()?;
                // A second frame in a block builds on the first.
                let base = before.replace(frame).or_else(|| self.audience.base(frame.number));
                (!self.audience.can_play(frame)).then_some(Reencoded::new(frame, base))
            })
            .collect();
        reencode(block, &self.head.context, &self.head.world, &reencoded)
    }

    /// A full frame may be too long for a block. Then frames before it bring its entities, as many as fit
    /// into each. Returns whether that was possible: these frames need numbers of their own.
    fn build_up(&mut self, target: &Frame, beside: usize, out: &mut EditOutput<'_>) -> Result<bool, Error> {
        let (world, context) = (&self.head.world, &self.head.context);
        let quiet = |entity: &Entity| Entity { event: 0, ..*entity };
        let entities: Vec<Entity> = target.entities.iter().map(quiet).collect();
        let mut steps: Vec<Frame> = Vec::new();
        let mut blocks = Vec::new();
        let mut shown_count = 0;
        while shown_count < entities.len() {
            let base = steps.last();
            let mut step = target.clone();
            let mut fits = (shown_count, Vec::new());
            for more in shown_count.saturating_add(1)..=entities.len() {
                step.entities = entities.get(..more).unwrap_or_default().to_vec();
                let mut bytes = Vec::new();
                bridge::frame(&step, base, world, context, &mut bytes);
                if bytes.len().saturating_add(beside / 2) > bridge::LIMIT {
                    break;
                }
                fits = (more, bytes);
            }
            if fits.0 == shown_count {
                return Ok(false);
            }
            shown_count = fits.0;
            step.entities = entities.get(..shown_count).unwrap_or_default().to_vec();
            steps.push(step);
            blocks.push(fits.1);
        }
        let count = i32::try_from(steps.len()).unwrap_or(i32::MAX);
        let is_free = self
            .audience
            .last_frame
            .as_ref()
            .is_none_or(|last| target.number.wrapping_sub(last.number) > count);
        if target.number <= count || count >= NEAR || !is_free {
            out.note("a frame sent in full is longer than Quake II takes");
            return Ok(false);
        }
        for (at, step) in steps.iter_mut().enumerate() {
            step.number = target.number - count + at as i32;
        }
        let mut base: Option<&Frame> = None;
        for step in &steps {
            let mut bytes = Vec::new();
            bridge::frame(step, base, world, context, &mut bytes);
            out.block([0; 3], &bytes)?;
            base = Some(step);
        }
        for step in &steps {
            self.audience.take_made(step);
        }
        Ok(true)
    }
}
