//! `Squeeze`: the same recording in fewer bytes. After every block the state is the same.

mod quakeworld;

use crate::machinery::bridge::reencode::{Reencoded, frames, reencode};
use crate::machinery::bridge::{quake as bridge, quake2 as bridge2};
use crate::{BlockWriter, EditOutput, Error, Rewrite};
use moviola_format::{
    ClientBits, Context, Entry, Flags, Format, FrameForm, Game, Items, client, dem, dm2, qw, write_message,
};
use moviola_state::quake2::{Frame, Validity};
use moviola_state::{Playhead, World as _, quake, quake2};
use std::sync::Arc;

/// Makes a recording smaller without changing the state after any block.
///
/// Quake: left out are fields of updates that equal the baseline, and values of the player that equal their defaults.
/// Quake II: each frame builds on the recent frame that makes it shortest, and repeats no value of that frame; an old
/// origin is left out where it is the last place, but never that of a beam or of an entity that is new in the frame.
/// The only difference in the state is the number of the frame on which each frame builds. `QuakeWorld`: values that
/// the client has already, blank baselines, fields of players and entities that are as they were; lists of all entities
/// become lists of changes where the client can understand them.
///
/// ```
/// use moviola_edit::{Squeeze, rewrite};
/// // Entity 5 is where its baseline has it, and an update repeats that.
/// let recording = b"-1\n\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x80\x05\x01";
/// # let recording = b"-1\n\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x82\x05\0\0";
/// let mut small = Vec::new();
/// let summary = rewrite(&recording[..], &mut Squeeze::default(), &mut small).unwrap();
/// assert_eq!(summary.bytes_in - summary.bytes_out, 2);
/// ```
#[derive(Clone, Default)]
pub struct Squeeze {
    quake: quake::World,
    quake2: Playhead<quake2::World>,
    quakeworld: Box<quakeworld::Squeezer>,
    /// The frames that a client holds, by the lowest bits of their numbers.
    ring: [Option<HeldFrame>; RING],
    /// Whether the block begins a level, at which a client forgets all frames; the frames of such a block are not used
    /// as bases.
    is_level: bool,
    /// The number of entities in all frames so far.
    entities: usize,
    spare: Vec<u8>,
    bytes: [u64; 2],
}

/// A frame that a client holds, and the number of entities in the frames before it.
#[derive(Clone)]
struct HeldFrame {
    frame: Arc<Frame>,
    first: usize,
}

const RING: usize = 16;

/// How many entities a client keeps for all its frames together, less a margin.
const ENTITIES: usize = 800;

/// The number of held frames that are tried as the base of a frame.
const TRIED: usize = 3;

/// About how many entities a frame must send if it builds on `base`. Counting stops at `most`.
fn differences(frame: &Frame, base: &Frame, most: usize) -> usize {
    let mut old = base.entities.iter().peekable();
    let mut count = 0;
    for entity in &frame.entities {
        while old.next_if(|old| old.number < entity.number).is_some() {
            count += 1;
        }
        let old = old.next_if(|old| old.number == entity.number);
        count += usize::from(!old.is_some_and(|old| old.is_alike(entity)));
        if count >= most {
            return most;
        }
    }
    count + old.count()
}

fn slot(number: i32) -> usize {
    (number & (RING as i32 - 1)) as usize
}

impl Rewrite for Squeeze {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("squeezed")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        Error::any_game(format).map(drop)
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.is_level = false;
        match writer.context().game {
            Game::Quake => self.quake.begin_block(writer.block()),
            Game::QuakeWorld => self.quakeworld.begin(writer.block()),
            Game::Quake2 => {}
        }
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.quake.apply(entry);
        let context = writer.context();
        let squeezed = match &entry.message {
            dem::Message::UpdateEntity(it) => self.quake.entity(it.entity.0).map(|entity| {
                bridge::update(it.entity.0, entity, &self.quake.baseline(it.entity.0), context).into()
            }),
            dem::Message::ClientData(it) => Some(self.client_data(it, context).into()),
            _ => None,
        };
        let small: Option<dem::Message<'_>> = squeezed;
        self.spare.clear();
        if let Some(small) = small {
            write_message(&small, &mut self.spare, context);
        }
        if self.spare.is_empty() || self.spare.len() >= writer.bytes().len() {
            writer.keep();
        } else {
            writer.put_bytes(&self.spare);
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.is_level |= matches!(entry.message, dm2::Message::ServerData(_));
        writer.keep();
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn moves_end(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.quakeworld.message(entry, writer);
    }

    fn record(&mut self, entry: &Entry<client::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.quakeworld.record(&entry.message);
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        match writer.context().game {
            Game::Quake => self.quake.end_block(),
            Game::Quake2 if !writer.block().is_truncated() => self.squeeze_quake2(writer),
            Game::Quake2 | Game::QuakeWorld => {}
        }
        let [before, after] = &mut self.bytes;
        *before += writer.block().data.len() as u64;
        *after += writer.written().len() as u64;
        writer.write(out)
    }

    fn outcome(&self) -> String {
        let [before, after] = self.bytes;
        let saved = before.saturating_sub(after);
        let tenths = saved.saturating_mul(1000).checked_div(before).unwrap_or_default();
        format!("{}.{} % smaller", tenths / 10, tenths % 10)
    }
}

impl Squeeze {
    /// The player's state without fields that are 0; whether items and weapon were sent stays as it was.
    fn client_data(&self, it: &dem::ClientData, context: &Context) -> dem::ClientData {
        let mut small = bridge::client_data(&self.quake, context);
        let items = it.flags.bits() & Items::BIT;
        small.flags = ClientBits::canonical(small.flags.bits() & !Items::BIT | items, context);
        (small.items, small.weapon) = (it.items, it.weapon);
        small
    }

    fn squeeze_quake2(&mut self, writer: &mut BlockWriter<'_>) {
        let block = *writer.block();
        if self.is_level {
            self.ring = Default::default();
            self.quake2.step(&block);
            return;
        }
        let all = frames(&block, &self.quake2);
        let reencoded: Vec<Option<Reencoded<'_>>> =
            all.iter().map(|frame| self.shortest(frame.as_deref()?, all.len() == 1)).collect();
        // A frame sent in full names -1 or any lower number as its base.
        let is_plain =
            all.iter().flatten().all(|frame| frame.base > 0 || frame.base == -1 || frame.base == 0);
        if is_plain && reencoded.iter().any(Option::is_some) {
            let small = reencode(&block, &self.quake2.context, &self.quake2.world, &reencoded);
            if small.len() < block.data.len() {
                writer.clear();
                writer.put_bytes(&small);
            }
        }
        self.quake2.step(&block);
        for frame in all.into_iter().flatten() {
            let first = self.entities;
            self.entities = first.saturating_add(frame.entities.len());
            if let Some(place) = self.ring.get_mut(slot(frame.number)) {
                *place = Some(HeldFrame { frame, first });
            }
        }
    }

    /// The shortest encoding of a frame; `is_alone` in its block means that all frames before it are held.
    fn shortest<'s>(&'s self, frame: &'s Frame, is_alone: bool) -> Option<Reencoded<'s>> {
        let original_base = match frame.validity {
            Validity::Full => None,
            Validity::Delta | Validity::FromInvalid => {
                let held = self.ring.get(slot(frame.base))?.as_ref();
                Some(&*held.filter(|held| held.frame.number == frame.base)?.frame)
            }
            _ => return None,
        };
        if !is_alone || frame.validity == Validity::FromInvalid || frame.form != FrameForm::Client {
            return Some(Reencoded::new(frame, original_base));
        }
        // Only the most similar frames are tried, because encoding a frame takes longer than comparing it.
        let mut near: Vec<(usize, std::cmp::Reverse<i32>, &Frame)> = Vec::with_capacity(TRIED + 1);
        // The newest frames come first: they are usually the most similar, so that counting stops early for the others.
        let last = (1..RING as i32).filter_map(|back| self.ring.get(slot(frame.number.wrapping_sub(back))));
        for held in last.flatten().filter(|held| self.can_be_base(held, frame)) {
            let most = near.get(TRIED - 1).map_or(usize::MAX, |worst| worst.0.saturating_add(1));
            let (base, number) = (&*held.frame, std::cmp::Reverse(held.frame.number));
            near.push((differences(frame, base, most), number, base));
            near.sort_by_key(|it| (it.0, it.1));
            near.truncate(TRIED);
        }
        let is_tried =
            original_base.is_some_and(|own| near.iter().any(|(.., base)| base.number == own.number));
        let all = near.into_iter().map(|(_, _, base)| Some(base)).chain((!is_tried).then_some(original_base));
        let size = |base: Option<&Frame>| {
            let mut bytes = Vec::with_capacity(bridge2::LIMIT);
            bridge2::frame(frame, base, &self.quake2.world, &self.quake2.context, &mut bytes);
            // Of equally short encodings, the one with the newest base is taken.
            (bytes.len(), std::cmp::Reverse(base.map_or(0, |base| base.number)))
        };
        Some(Reencoded::new(frame, all.min_by_key(|base| size(*base))?))
    }

    /// Whether a frame can build on this one: it was drawn, and a client still has all of it.
    fn can_be_base(&self, held: &HeldFrame, frame: &Frame) -> bool {
        let distance = frame.number.wrapping_sub(held.frame.number);
        held.frame.number > 0
            && (1..RING as i32).contains(&distance)
            && matches!(held.frame.validity, Validity::Full | Validity::Delta)
            && held.frame.form == FrameForm::Client
            && self.entities.saturating_sub(held.first) <= ENTITIES
    }
}
