//! Quake II: frames that build on lost ones are told anew, on what a client still holds.
//!
//! What changed in the frames that are lost is not known; the rest of a frame is all there, and so is all that changes
//! behind it. An engine without this shows a picture that stands still.

use crate::bridge::retell::{Told, frames, retell};
use moviola_format::{Block, Context, FrameForm, Quake2, dm2, write_message};
use moviola_state::Playhead;
use moviola_state::quake2::{Frame, Validity, World};

/// Follows the frames of what was written, as a client does.
#[derive(Clone, Default)]
pub(super) struct Mender {
    /// Behind the last block that was written.
    head: Playhead<World>,
    /// The last frame that can be built on.
    last: Option<Frame>,
}

impl Mender {
    /// A block as it is to be, and how many of its frames are told anew; none where all can be resolved.
    pub(super) fn mend(&mut self, data: &[u8], context: &Context) -> Option<(Vec<u8>, u64)> {
        self.head.context = *context;
        let lacks = frames(&Block::new(data), &self.head).iter().flatten().any(is_lost);
        let mended = lacks.then(|| self.anew(data)).flatten();
        let now = mended.as_ref().map_or(data, |(bytes, _)| bytes);
        let before = self.head.world.server.clone();
        self.head.step(&Block::new(now));
        if self.head.world.server != before {
            self.last = None;
        }
        let frame = self.head.world.frame();
        if frame.form == FrameForm::Client && matches!(frame.validity, Validity::Full | Validity::Delta) {
            self.last = Some(frame.clone());
        }
        mended
    }

    /// The block with its lost frames built on the last that is there.
    fn anew(&self, data: &[u8]) -> Option<(Vec<u8>, u64)> {
        let base = self.last.as_ref();
        let found = frames(&Block::new(data), &self.head);
        let lost: Vec<bool> = found.iter().map(|frame| frame.as_ref().is_some_and(is_lost)).collect();
        let based = self.built_on(base.map_or(-1, |base| base.number), data, &lost);
        let block = Block::new(&based);
        let mut resolved = frames(&block, &self.head);
        for (_, state) in resolved.iter_mut().flatten().flat_map(|frame| &mut frame.players) {
            // What is told in full without its field of view has none.
            state.fov = if state.fov == 0 { FIELD_OF_VIEW } else { state.fov };
        }
        let told = |(frame, is_lost)| Option::filter(frame, |_| is_lost).map(|frame| Told { frame, base });
        let told: Vec<Option<Told<'_>>> =
            resolved.iter().map(Option::as_ref).zip(lost.iter().copied()).map(told).collect();
        let count = told.iter().flatten().count() as u64;
        (count > 0).then(|| (retell(&block, &self.head, &told), count))
    }

    /// The block with another number where its lost frames say what they build on.
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

/// The field of view with which players of Quake II begin.
pub(super) const FIELD_OF_VIEW: u8 = 90;

fn is_lost(frame: &Frame) -> bool {
    let can_build = matches!(frame.validity, Validity::Full | Validity::Delta | Validity::None);
    frame.form == FrameForm::Client && !can_build
}
