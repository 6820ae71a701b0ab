//! Removes messages at which an engine stops: damage inside of a block whose messages can still be read.

use super::clean::BlockFacts;
use super::header::without_damage;
use crate::machinery::block_writer::is_open;
use crate::machinery::bridge;
use crate::machinery::bridge::quake2::FIELD_OF_VIEW;
use moviola_check::{CheckCode, Engine, Problem, StopJudge};
use moviola_format::dm2::PacketEntities;
use moviola_format::{
    Answer, Block, Context, Deltas, Dialect, Entry, Flags, Game, Message, Messages, Quake, Quake2, Str, dem,
    dm2, write_message,
};

/// The engine for which a recording is mended: the first that speaks its protocol.
const ENGINES: [&str; 4] = ["quakespasm", "darkplaces", "yamagi", "q2pro"];

pub(super) fn engine_for(context: &Context) -> Option<&'static Engine> {
    let speaks = |engine: &&Engine| {
        let protocol = i64::from(context.protocol);
        protocol == 0 || engine.effect(CheckCode::ProtocolSpoken, protocol).is_none()
    };
    let mut engines = ENGINES.into_iter().filter_map(Engine::find).filter(|it| it.game == context.game);
    engines.find(speaks)
}

/// Removes the messages at which an engine stops, block by block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StopFilter {
    /// Whether the engine had no objection at all to the last block.
    is_silent: bool,
    /// Whether facts that are known only at the end of the recording may change the judgment of an objection.
    depends_on_end: bool,
}

/// A block after messages were taken out of it.
#[derive(Debug, Default)]
pub(super) struct Filtered {
    pub(super) kept: Vec<u8>,
    /// The number of removed messages, and of removed bytes that were not messages.
    pub(super) removed: u64,
    pub(super) lost: u64,
    /// The number of texts to which the missing NUL was added.
    pub(super) ended: u64,
}

impl StopFilter {
    /// The block without the messages that are damage; `None` if it has no such message.
    pub(super) fn filter(
        &mut self,
        stops: &mut StopJudge,
        data: &[u8],
        around: &BlockFacts<'_>,
        kind: MessageKind,
    ) -> Option<Filtered> {
        let BlockFacts { context, is_truncated, .. } = *around;
        let mut found = self.look(stops, data, context)?;
        let judge = SuspectBlock { kind, context, data };
        found.retain(|stop| judge.is_damaged_by(stop));
        if found.is_empty() {
            return None;
        }
        Some(BlockFilter { data, is_truncated, context, stops: &found, is_junk: false }.run_filter())
    }

    /// A damaged block without these messages.
    pub(super) fn remove_stops(data: &[u8], around: &BlockFacts<'_>, stops: &[Problem]) -> Option<Filtered> {
        let BlockFacts { context, is_truncated, .. } = *around;
        let of = BlockFilter { data, is_truncated, context, stops, is_junk: true };
        (!stops.is_empty()).then(|| of.run_filter())
    }

    /// Whether a block causes one of these findings for the engine.
    pub(super) fn rejects(
        &mut self,
        stops: &mut StopJudge,
        codes: &[CheckCode],
        data: &[u8],
        context: &Context,
    ) -> bool {
        let found = self.look(stops, data, context).unwrap_or_default();
        found.iter().any(|stop| codes.contains(&stop.code))
    }

    /// The engine's problems with a block; `None` if no engine speaks the protocol.
    fn look(&mut self, stops: &mut StopJudge, data: &[u8], context: &Context) -> Option<Vec<Problem>> {
        let played = stops.look(&Block::new(data), context);
        let engine = engine_for(if context.protocol == 0 { &played.after } else { context })?;
        let found = played.problems(engine);
        self.is_silent = found.is_empty();
        self.depends_on_end |= found.iter().any(|stop| depends_on_kind(stop.code));
        Some(found.to_vec())
    }

    /// Whether one of the engine's objections must be judged again when the end of the recording is known.
    pub(super) fn depends_on_end(self) -> bool {
        self.depends_on_end
    }

    /// Whether the engine had no objection at all to the last block. May be called once for each block.
    pub(super) fn was_without_objection(&mut self) -> bool {
        std::mem::take(&mut self.is_silent)
    }
}

/// The context in which the next block is read.
pub(super) fn context_after(data: &[u8], context: &Context) -> Context {
    fn of<D: Dialect>(data: &[u8], context: Context) -> Context {
        let mut messages = Messages::<D>::new(data, context);
        messages.by_ref().for_each(drop);
        *messages.context()
    }
    match context.game {
        Game::Quake | Game::QuakeWorld => of::<Quake>(data, *context),
        Game::Quake2 => of::<Quake2>(data, *context),
    }
}

/// The kind of the recording, since a message that is normal in one kind is damage in another.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageKind {
    pub(super) is_clients: bool,
    pub(super) is_nehahra: bool,
}

/// Whether the kind of the recording determines if an objection is due to damage.
fn depends_on_kind(code: CheckCode) -> bool {
    matches!(
        code,
        CheckCode::OutOfPlace
            | CheckCode::RelayFrame
            | CheckCode::ServerFrame
            | CheckCode::MessageKnown
            | CheckCode::TempEntityKnown
    )
}

/// A block with messages that may be damage.
struct SuspectBlock<'s> {
    kind: MessageKind,
    context: &'s Context,
    data: &'s [u8],
}

impl SuspectBlock<'_> {
    /// Whether the message of Quake II that announces a level names a protocol that does not exist.
    fn has_no_protocol(&self, at: usize) -> bool {
        let protocol = self.data.get(at.saturating_add(1)..).and_then(<[u8]>::first_chunk);
        let mut announced = *self.context;
        protocol.is_some_and(|protocol| {
            let is_known = announced.set_quake2_protocol(i32::from_le_bytes(*protocol), 0);
            !is_known || announced.protocol_name().is_none()
        })
    }

    /// Whether a stop is certainly damage. Other stops come from recordings of other engines, which `convert` handles.
    fn is_damaged_by(&self, stop: &Problem) -> bool {
        let Self { context, .. } = self;
        match stop.code {
            code if code.is_always_damage() => true,
            CheckCode::OutOfPlace | CheckCode::RelayFrame | CheckCode::ServerFrame => self.kind.is_clients,
            // Damaged bytes that look like the beginning of another level.
            CheckCode::SecondLevel => self.has_no_protocol(stop.at),
            CheckCode::MessageKnown if stop.value == i64::from(dem::Bad::OP) => true,
            // Other engines know more messages than the engine for which the recording is repaired.
            CheckCode::MessageKnown | CheckCode::TempEntityKnown => {
                context.darkplaces == moviola_format::DarkPlaces::No
                    && context.nehahra != Answer::Yes
                    && !self.kind.is_nehahra
            }
            CheckCode::ProtocolSpoken if context.game == Game::Quake => {
                let speaks = |engine: &Engine| {
                    engine.game == Game::Quake && engine.effect(stop.code, stop.value).is_none()
                };
                self.data.get(stop.at) == Some(&dem::Version::OP)
                    || !moviola_check::ENGINES.iter().any(speaks)
            }
            _ => false,
        }
    }
}

/// The decision about a message.
enum Fate {
    Keep,
    Drop,
    /// The message is dropped with the rest of the block, since it is not a message at all.
    DropRest,
    /// These bytes replace the message.
    Other(Vec<u8>),
}

fn fate_of_other<'m>(message: &impl Message<'m>, context: &Context) -> Fate {
    let mut out = Vec::new();
    write_message(message, &mut out, context);
    Fate::Other(out)
}

/// The player's state with a field of view that engines can draw.
fn view(it: &dm2::PlayerInfo<'_>, context: &Context) -> Fate {
    let flags = Flags::canonical(it.flags.bits() | dm2::PlayerInfo::fov, context);
    fate_of_other(&dm2::Message::from(dm2::PlayerInfo { flags, fov: FIELD_OF_VIEW, ..*it }), context)
}

/// A block that is being filtered.
struct BlockFilter<'s> {
    data: &'s [u8],
    is_truncated: bool,
    context: &'s Context,
    stops: &'s [Problem],
    /// Whether the stops are junk that was read as messages: then only they are removed, and the bytes after
    /// them are kept.
    is_junk: bool,
}

impl BlockFilter<'_> {
    fn run_filter(&self) -> Filtered {
        match self.context.game {
            Game::Quake | Game::QuakeWorld => self.quake(),
            Game::Quake2 => self.quake2(),
        }
    }

    fn quake(&self) -> Filtered {
        self.filter::<Quake>(|entry, context| match &entry.message {
            dem::Message::CenterPrint(it) if self.rejects(entry.at, CheckCode::CenterText) => {
                let most = engine_for(context).and_then(|engine| engine.most(CheckCode::CenterText));
                let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or_default();
                let string = bridge::wire(it.string.bytes().get(..most).unwrap_or_default());
                fate_of_other(&dem::Message::from(dem::CenterPrint { string: Str::new(&string) }), context)
            }
            _ => self.fate(entry.at),
        })
    }

    fn quake2(&self) -> Filtered {
        let mut fates = self.fates_of_frames().into_iter();
        self.filter::<Quake2>(|entry, context| {
            if let Some(Fate::Drop) = fates.next() {
                return Fate::Drop;
            }
            match &entry.message {
                dm2::Message::PacketEntities(it) => self.entities(entry, it, context),
                dm2::Message::PlayerInfo(it) if self.rejects(entry.at, CheckCode::FieldOfView) => {
                    view(it, context)
                }
                dm2::Message::ConfigString(it) if self.rejects(entry.at, CheckCode::ConfigRoom) => {
                    self.config_string(entry.at, it, context)
                }
                _ => self.fate(entry.at),
            }
        })
    }

    fn rejects(&self, at: usize, code: CheckCode) -> bool {
        self.stop(at).is_some_and(|stop| stop.code == code)
    }

    /// A config string that does not run over the end of the list.
    fn config_string(&self, at: usize, it: &dm2::ConfigString<'_>, context: &Context) -> Fate {
        let over = self.stop(at).and_then(|stop| usize::try_from(stop.value).ok()).unwrap_or_default();
        let text = it.string.bytes();
        let string = bridge::wire(text.get(..text.len().saturating_sub(over)).unwrap_or_default());
        fate_of_other(
            &dm2::Message::from(dm2::ConfigString { index: it.index, string: Str::new(&string) }),
            context,
        )
    }

    fn stop(&self, at: usize) -> Option<&Problem> {
        self.stops.iter().find(|stop| stop.at == at)
    }

    fn fate(&self, at: usize) -> Fate {
        match self.stop(at) {
            None => Fate::Keep,
            Some(stop) if stop.code == CheckCode::HighByteInString => self.without_high_bytes(at),
            Some(_) if self.is_junk => Fate::Drop,
            Some(stop)
                if matches!(
                    stop.code,
                    CheckCode::MessageKnown | CheckCode::RelayFrame | CheckCode::SecondLevel
                ) =>
            {
                Fate::DropRest
            }
            Some(stop) if stop.code == CheckCode::OutOfPlace => Fate::Keep,
            Some(stop) if stop.code == CheckCode::UnterminatedString && !self.is_truncated => {
                let message = self.data.get(at..).unwrap_or_default();
                // Only the NUL of the string is missing.
                if is_open(message, *self.context) {
                    Fate::Other([message, &[0]].concat())
                } else {
                    Fate::Drop
                }
            }
            Some(_) => Fate::Drop,
        }
    }

    /// The message with 127 in the place of each byte 255, which ends a text for id's engines.
    fn without_high_bytes(&self, at: usize) -> Fate {
        fn end<D: Dialect>(data: &[u8], at: usize, context: &Context) -> usize {
            let mut messages = Messages::<D>::new(data, *context);
            messages.by_ref().find(|entry| entry.at == at);
            messages.pos()
        }
        let end = match self.context.game {
            Game::Quake | Game::QuakeWorld => end::<Quake>(self.data, at, self.context),
            Game::Quake2 => end::<Quake2>(self.data, at, self.context),
        };
        let plain = |byte: &u8| if *byte == u8::MAX { *byte & i8::MAX as u8 } else { *byte };
        Fate::Other(self.data.get(at..end).unwrap_or_default().iter().map(plain).collect())
    }

    /// The list without the entities whose numbers are too large for the engine.
    fn entities(&self, entry: &Entry<dm2::Message<'_>>, it: &PacketEntities<'_>, context: &Context) -> Fate {
        let most = self.stop(entry.at).filter(|stop| stop.code == CheckCode::EntityNumber);
        let Some(most) = most.and_then(|_| engine_for(context)?.most(CheckCode::EntityNumber)) else {
            return self.fate(entry.at);
        };
        let fitting = it.entities.iter().filter(|delta| i64::from(delta.entity.0) <= most);
        let mut buffer = Vec::new();
        let entities = Deltas::encode(fitting, &mut buffer);
        fate_of_other(&dm2::Message::from(PacketEntities { entities }), context)
    }

    /// The fates of messages in incomplete frames, by their order in the block.
    fn fates_of_frames(&self) -> Vec<Fate> {
        const FRAME_PARTS: [u8; 3] = [dm2::FrameMessage::OP, dm2::PlayerInfo::OP, dm2::PacketEntities::OP];
        if !self.stops.iter().any(|stop| stop.code == CheckCode::OutOfPlace) {
            return Vec::new();
        }
        let messages = Messages::<Quake2>::new(self.data, *self.context);
        let ops: Vec<u8> = messages.map(|entry| entry.message.op()).collect();
        let is_part_of_whole = |at: usize| {
            let place = ops.get(at).and_then(|op| FRAME_PARTS.iter().position(|part| part == op));
            place.is_some_and(|place| {
                let first = at.checked_sub(place);
                first.and_then(|first| ops.get(first..first.saturating_add(3))) == Some(&FRAME_PARTS[..])
            })
        };
        let fate = |(at, op): (usize, &u8)| {
            if FRAME_PARTS.contains(op) && !is_part_of_whole(at) { Fate::Drop } else { Fate::Keep }
        };
        ops.iter().enumerate().map(fate).collect()
    }

    fn filter<D: Dialect>(&self, mut fate: impl FnMut(&Entry<D::Message<'_>>, &Context) -> Fate) -> Filtered {
        let mut filtered = Filtered { kept: Vec::with_capacity(self.data.len()), ..Filtered::default() };
        let (kept, mut at) = (&mut filtered.kept, 0);
        let mut messages = Messages::<D>::new(self.data, *self.context);
        while let Some(entry) = &messages.next() {
            let bytes = self.data.get(at..messages.pos()).unwrap_or_default();
            at = messages.pos();
            match fate(entry, messages.context()) {
                Fate::Keep => kept.extend_from_slice(bytes),
                Fate::Other(other) => {
                    let is_ended = other.starts_with(bytes);
                    filtered.ended = filtered.ended.saturating_add(u64::from(is_ended));
                    filtered.removed = filtered.removed.saturating_add(u64::from(!is_ended));
                    kept.extend_from_slice(&other);
                }
                Fate::Drop => filtered.removed = filtered.removed.saturating_add(1),
                Fate::DropRest => {
                    filtered.removed = filtered.removed.saturating_add(1);
                    filtered.lost = self.data.len().saturating_sub(at) as u64;
                    if let Some((kept, lost)) = without_damage(self.data, self.context) {
                        return Filtered { kept, lost: lost as u64, ..Filtered::default() };
                    }
                    return filtered;
                }
            }
        }
        kept.extend_from_slice(self.data.get(at..).unwrap_or_default());
        filtered
    }
}
