//! Quake II: frames whose base frame is lost are encoded again, against a frame that the client still has.
//!
//! The changes in the lost frames stay lost, but everything else is kept. Without this step, engines show a
//! still picture until the next full frame.

use crate::machinery::bridge::quake2::FIELD_OF_VIEW;
use crate::machinery::bridge::reencode::{self, Reencoded, frames, reencode};
use moviola_format::dm2::SpawnBaseline;
use moviola_format::{Block, Context, Flags, FrameForm, FrameHead, Quake2, dm2, write_message};
use moviola_state::Playhead;
use moviola_state::quake2::{Frame, Validity, World};
use std::sync::Arc;

/// Follows the written frames as a client does.
#[derive(Clone, Default)]
pub(super) struct Mender {
    /// The state after the last block that was written.
    head: Playhead<World>,
    /// The state after a block that `mend` found undamaged, so that `play` need not read the block again.
    next: Option<Playhead<World>>,
    /// The frames that a client keeps as bases, by the lowest bits of their numbers, and the number of the
    /// last frame.
    held: [Option<Arc<Frame>>; RING],
    last_number: i32,
}

const RING: usize = 16;

fn slot(number: i32) -> usize {
    (number & (RING as i32 - 1)) as usize
}

/// The damage of a frame.
#[derive(Clone, Copy, PartialEq)]
enum FrameDamage {
    Nothing,
    /// The base frame is missing.
    Lost,
    /// The frame removes entities that do not exist.
    Crooked,
}

impl Mender {
    /// The block with its broken frames encoded again, and their number; `None` if all frames are right.
    pub(super) fn mend(&mut self, data: &[u8], context: &Context) -> Option<(Vec<u8>, u64)> {
        self.head.context = *context;
        let mut next = self.head.clone();
        let found = reencode::play(&Block::new(data), &mut next);
        let wrong = self.wrong(data, &found);
        let is_wrong = wrong.iter().any(|it| *it != FrameDamage::Nothing);
        let mended = is_wrong.then(|| self.encoded_again(data, &wrong)).flatten();
        self.next = mended.is_none().then_some(next);
        mended
    }

    /// Plays a block in its written form; if `mend` found it whole, it must be the block that it saw last.
    pub(super) fn play(&mut self, data: &[u8], context: &Context) {
        let before = self.head.world.server.clone();
        if let Some(next) = self.next.take() {
            self.head = next;
        } else {
            self.head.context = *context;
            self.head.step(&Block::new(data));
        }
        if self.head.world.server != before {
            (self.held, self.last_number) = Default::default();
        }
        let frame = self.head.world.frame();
        if frame.form == FrameForm::Client
            && matches!(frame.validity, Validity::Full | Validity::Delta)
            && frame.number != self.last_number
            && let Some(place) = self.held.get_mut(slot(frame.number))
        {
            (*place, self.last_number) = (Some(self.head.world.shared_frame()), frame.number);
        }
    }

    fn find_frame(&self, number: i32) -> Option<&Frame> {
        self.held.get(slot(number))?.as_deref().filter(|frame| frame.number == number)
    }

    /// Whether a frame with this head lacks its base, after the blocks so far.
    pub(super) fn lacks_base(&self, head: &FrameHead<'_>) -> bool {
        head.form == FrameForm::Client && !can_be_base(self.head.world.validity(head))
    }

    /// Whether a frame is held, and has an entity.
    pub(super) fn holds(&self, frame: i32, entity: u16) -> bool {
        self.find_frame(frame).is_some_and(|frame| frame.entity(entity).is_some())
    }

    /// The damage of each of a block's frames.
    fn wrong(&self, data: &[u8], found: &[Option<Arc<Frame>>]) -> Vec<FrameDamage> {
        let mut wrong_numbers = Vec::new();
        let mut frames = found.iter();
        for entry in Block::new(data).messages::<Quake2>(self.head.context) {
            match entry.message {
                dm2::Message::FrameMessage(_) => {
                    let is_lost = frames.next().and_then(Option::as_deref).is_some_and(is_lost);
                    wrong_numbers.push(if is_lost { FrameDamage::Lost } else { FrameDamage::Nothing });
                }
                dm2::Message::PacketEntities(it) => {
                    let frame = wrong_numbers.len().checked_sub(1).and_then(|at| found.get(at)?.as_ref());
                    // The frames of a Relay recording have several parts, one for each player, and no base is
                    // ever lost there.
                    let frame = frame.filter(|frame| frame.form == FrameForm::Client);
                    let base = frame.and_then(|frame| self.find_frame(frame.base));
                    let is_there = |number| base.is_some_and(|base| base.entity(number).is_some());
                    let mut gone = it.entities.heads().filter(|(flags, _)| flags.has(SpawnBaseline::remove));
                    let is_crooked = frame.is_some() && gone.any(|(_, number)| !is_there(number));
                    if let Some(wrong) =
                        wrong_numbers.last_mut().filter(|it| is_crooked && **it == FrameDamage::Nothing)
                    {
                        *wrong = FrameDamage::Crooked;
                    }
                }
                _ => {}
            }
        }
        wrong_numbers
    }

    /// The block with its broken frames encoded against the last frame that the client has.
    fn encoded_again(&self, data: &[u8], wrong: &[FrameDamage]) -> Option<(Vec<u8>, u64)> {
        let newest = self.find_frame(self.last_number);
        let lost: Vec<bool> = wrong.iter().map(|it| *it == FrameDamage::Lost).collect();
        let based = self.built_on(newest.map_or(-1, |base| base.number), data, &lost);
        let block = Block::new(&based);
        let mut resolved = frames(&block, &self.head);
        for (_, state) in resolved.iter_mut().flatten().flat_map(|frame| &mut Arc::make_mut(frame).players) {
            // A frame sent in full without a field of view would set it to 0.
            state.fov = if state.fov == 0 { FIELD_OF_VIEW } else { state.fov };
        }
        let reencoded: Vec<Option<Reencoded<'_>>> = resolved
            .iter()
            .zip(wrong)
            .map(|(frame, wrong)| match (frame, wrong) {
                (None, _) | (_, FrameDamage::Nothing) => None,
                (Some(frame), FrameDamage::Lost) => Some(Reencoded::new(frame, newest)),
                (Some(frame), FrameDamage::Crooked) => {
                    Some(Reencoded::new(frame, self.find_frame(frame.base)))
                }
            })
            .collect();
        let count = reencoded.iter().flatten().count() as u64;
        (count > 0).then(|| (reencode(&block, &self.head.context, &self.head.world, &reencoded), count))
    }

    /// The block with another base number in its broken frames.
    fn built_on(&self, base: i32, data: &[u8], lost: &[bool]) -> Vec<u8> {
        let (mut based, mut at, mut lost) = (Vec::with_capacity(data.len()), 0, lost.iter());
        let mut messages = Block::new(data).messages::<Quake2>(self.head.context);
        while let Some(entry) = messages.next() {
            let bytes = data.get(at..messages.pos()).unwrap_or_default();
            at = messages.pos();
            match entry.message {
                dm2::Message::FrameMessage(mut it) if lost.next() == Some(&true) => {
                    it.head.seq2 = base;
                    write_message(&dm2::Message::from(it), &mut based, messages.context());
                }
                _ => based.extend_from_slice(bytes),
            }
        }
        based
    }
}

fn is_lost(frame: &Frame) -> bool {
    frame.form == FrameForm::Client && !can_be_base(frame.validity)
}

fn can_be_base(validity: Validity) -> bool {
    matches!(validity, Validity::Full | Validity::Delta | Validity::None)
}
