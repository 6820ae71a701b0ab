//! Blocks without the messages at which an engine stops: what damage leaves behind where the framing is sound.

use crate::bridge;
use crate::bridge::quake2::FIELD_OF_VIEW;
use crate::pen::is_open;
use moviola_check::{Code, Engine, Stop, Stops};
use moviola_format::dm2::PacketEntities;
use moviola_format::{
    Answer, Block, Context, Deltas, Dialect, Entry, Flags, Game, Message, Messages, Quake, Quake2, Str, dem,
    dm2, write_message,
};

/// The engine for which a recording is mended: the first that speaks its protocol.
const ENGINES: [&str; 4] = ["quakespasm", "darkplaces", "yamagi", "q2pro"];

/// How often a block is looked at again: what was hidden behind a message shows when that is gone.
const ROUNDS: usize = 16;

pub(super) fn engine_for(context: &Context) -> Option<&'static Engine> {
    let speaks = |engine: &&Engine| {
        let protocol = i64::from(context.protocol);
        protocol == 0 || engine.effect(Code::ProtocolSpoken, protocol).is_none()
    };
    let mut engines = ENGINES.into_iter().filter_map(Engine::find).filter(|it| it.game == context.game);
    engines.find(speaks)
}

/// Takes the messages at which an engine stops out of block after block.
#[derive(Clone, Debug, Default)]
pub(super) struct Sieve {
    stops: Option<Stops>,
    /// It is a recording of Quake II, and of a client: a frame of that form was met.
    pub(super) is_clients: bool,
    /// Under what the next block is read by whoever reads what was written.
    context: Option<Context>,
}

impl Sieve {
    /// A block as it is to be, and how many messages are gone; none where it is well. The contexts are those before and
    /// behind the block as it was read.
    pub(super) fn sift(
        &mut self,
        data: &[u8],
        is_truncated: bool,
        [before, after]: [&Context; 2],
    ) -> Option<(Vec<u8>, u64)> {
        let read = self.context.unwrap_or(*before);
        // What was lost before may have been what told how this is to be read.
        let (legible, behind) = legible(data, &read);
        let sifted = self.sift_legible(legible, is_truncated, [&read, after]);
        let is_cut = legible.len() < data.len();
        let sifted = sifted.or_else(|| is_cut.then(|| (legible.to_vec(), 1)));
        self.context = Some(sifted.as_ref().map_or(behind, |(kept, _)| self::legible(kept, &read).1));
        sifted
    }

    fn sift_legible(
        &mut self,
        data: &[u8],
        is_truncated: bool,
        [before, after]: [&Context; 2],
    ) -> Option<(Vec<u8>, u64)> {
        let engine = engine_for(if before.protocol == 0 { after } else { before })?;
        if self.stops.as_ref().is_none_or(|stops| stops.engine() != engine) {
            self.stops = Some(Stops::new(engine));
        }
        let stops = self.stops.as_mut()?;
        let mut sifted: Option<(Vec<u8>, u64)> = None;
        for _ in 0..ROUNDS {
            let now = sifted.as_ref().map_or(data, |(kept, _)| kept);
            let mut found = stops.look(&Block::new(now), before);
            let kind = Kind { is_clients: self.is_clients, context: before, data: now };
            found.retain(|stop| kind.is_damaged_by(stop));
            if found.is_empty() {
                break;
            }
            let of = Sifted { data: now, is_truncated, context: before, stops: &found };
            let (kept, gone) = match before.game {
                Game::Quake => of.quake(),
                Game::Quake2 => of.quake2(),
            };
            let sum = sifted.map_or(0, |(_, gone)| gone).saturating_add(gone);
            sifted = Some((kept, sum));
        }
        let now = sifted.as_ref().map_or(data, |(kept, _)| kept);
        stops.play(&Block::new(now), before);
        sifted
    }
}

/// Whether a level is announced in a block of Quake.
pub(super) fn announces(data: &[u8], context: &Context) -> bool {
    let mut messages = Messages::<Quake>::new(data, *context);
    messages.any(|entry| matches!(entry.message, dem::Message::ServerInfo(_)))
}

/// What of a block can be read, and under what the next one is read.
fn legible<'d>(data: &'d [u8], context: &Context) -> (&'d [u8], Context) {
    fn of<D: Dialect>(data: &[u8], context: Context) -> (usize, Context) {
        let mut messages = Messages::<D>::new(data, context);
        messages.by_ref().for_each(drop);
        (messages.pos(), *messages.context())
    }
    let (len, behind) = match context.game {
        Game::Quake => of::<Quake>(data, *context),
        Game::Quake2 => of::<Quake2>(data, *context),
    };
    (data.get(..len).unwrap_or_default(), behind)
}

/// What kind of recording a block is of: the same message is at home in one and damage in another.
struct Kind<'s> {
    is_clients: bool,
    context: &'s Context,
    data: &'s [u8],
}

impl Kind<'_> {
    /// Whether it can be but damage. Of what else engines mind, other engines made it: that is a conversion's matter.
    fn is_damaged_by(&self, stop: &Stop) -> bool {
        let Self { context, .. } = self;
        match stop.code {
            Code::EntityNumber
            | Code::SoundEntity
            | Code::PlayerSlot
            | Code::LightStyles
            | Code::Colormap
            | Code::StatIndex
            | Code::View
            | Code::SignonOrder
            | Code::SignonStage
            | Code::FlashEntity
            | Code::Direction
            | Code::ConfigIndex
            | Code::SpareUpdateBit
            | Code::SpareClientBit
            | Code::SpareSoundBits
            | Code::TooEarly
            | Code::NoColors
            | Code::CenterText
            | Code::FieldOfView
            | Code::ConfigRoom
            | Code::UnterminatedString => true,
            Code::OutOfPlace | Code::RelayFrame | Code::ServerFrame => self.is_clients,
            Code::MessageKnown if stop.value == i64::from(dem::Bad::OP) => true,
            // Other engines have more messages than the one it is mended for.
            Code::MessageKnown | Code::TempEntityKnown => {
                !context.darkplaces && context.nehahra != Answer::Yes
            }
            Code::ProtocolSpoken if context.game == Game::Quake => {
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

/// What is to be with a message.
enum Fate {
    Keep,
    Drop,
    /// Goes, and with it what stands behind it: it is no message at all.
    DropRest,
    /// Is another one.
    Other(Vec<u8>),
}

fn other<'m>(message: &impl Message<'m>, context: &Context) -> Fate {
    let mut out = Vec::new();
    write_message(message, &mut out, context);
    Fate::Other(out)
}

/// A player's state with a field of view that can be drawn.
fn view(it: &dm2::PlayerInfo<'_>, context: &Context) -> Fate {
    let flags = Flags::canonical(it.flags.bits() | dm2::PlayerInfo::fov, context);
    other(&dm2::Message::from(dm2::PlayerInfo { flags, fov: FIELD_OF_VIEW, ..*it }), context)
}

/// A block on its way through the sieve.
struct Sifted<'s> {
    data: &'s [u8],
    is_truncated: bool,
    context: &'s Context,
    stops: &'s [Stop],
}

impl Sifted<'_> {
    fn quake(&self) -> (Vec<u8>, u64) {
        self.sift::<Quake>(|entry, context| match &entry.message {
            dem::Message::CenterPrint(it) if self.minds(entry.at, Code::CenterText) => {
                let most = engine_for(context).and_then(|engine| engine.most(Code::CenterText));
                let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or_default();
                let string = bridge::wire(it.string.bytes().get(..most).unwrap_or_default());
                other(&dem::Message::from(dem::CenterPrint { string: Str::new(&string) }), context)
            }
            _ => self.fate(entry.at),
        })
    }

    fn quake2(&self) -> (Vec<u8>, u64) {
        let mut fates = self.fates_of_frames().into_iter();
        self.sift::<Quake2>(|entry, context| {
            if let Some(Fate::Drop) = fates.next() {
                return Fate::Drop;
            }
            match &entry.message {
                dm2::Message::PacketEntities(it) => self.entities(entry, it, context),
                dm2::Message::PlayerInfo(it) if self.minds(entry.at, Code::FieldOfView) => view(it, context),
                dm2::Message::ConfigString(it) if self.minds(entry.at, Code::ConfigRoom) => {
                    self.config_string(entry.at, it, context)
                }
                _ => self.fate(entry.at),
            }
        })
    }

    fn minds(&self, at: usize, code: Code) -> bool {
        self.stop(at).is_some_and(|stop| stop.code == code)
    }

    /// A config string that does not run over the end of the list.
    fn config_string(&self, at: usize, it: &dm2::ConfigString<'_>, context: &Context) -> Fate {
        let over = self.stop(at).and_then(|stop| usize::try_from(stop.value).ok()).unwrap_or_default();
        let text = it.string.bytes();
        let string = bridge::wire(text.get(..text.len().saturating_sub(over)).unwrap_or_default());
        other(&dm2::Message::from(dm2::ConfigString { index: it.index, string: Str::new(&string) }), context)
    }

    fn stop(&self, at: usize) -> Option<&Stop> {
        self.stops.iter().find(|stop| stop.at == at)
    }

    fn fate(&self, at: usize) -> Fate {
        match self.stop(at) {
            None => Fate::Keep,
            Some(stop) if matches!(stop.code, Code::MessageKnown | Code::RelayFrame) => Fate::DropRest,
            Some(stop) if stop.code == Code::OutOfPlace => Fate::Keep,
            Some(stop) if stop.code == Code::UnterminatedString && !self.is_truncated => {
                let message = self.data.get(at..).unwrap_or_default();
                // The string is all there, but for its end.
                if is_open(message, *self.context) {
                    Fate::Other([message, &[0]].concat())
                } else {
                    Fate::Drop
                }
            }
            Some(_) => Fate::Drop,
        }
    }

    /// A list of entities without those for which there is no room.
    fn entities(&self, entry: &Entry<dm2::Message<'_>>, it: &PacketEntities<'_>, context: &Context) -> Fate {
        let most = self.stop(entry.at).filter(|stop| stop.code == Code::EntityNumber);
        let Some(most) = most.and_then(|_| engine_for(context)?.most(Code::EntityNumber)) else {
            return self.fate(entry.at);
        };
        let fitting = it.entities.iter().filter(|delta| i64::from(delta.entity.0) <= most);
        let mut buffer = Vec::new();
        let entities = Deltas::encode(fitting, &mut buffer);
        other(&dm2::Message::from(PacketEntities { entities }), context)
    }

    /// Which messages are parts of a frame that lacks another part, by their order in the block.
    fn fates_of_frames(&self) -> Vec<Fate> {
        const WHOLE: [u8; 3] = [dm2::FrameMessage::OP, dm2::PlayerInfo::OP, dm2::PacketEntities::OP];
        if !self.stops.iter().any(|stop| stop.code == Code::OutOfPlace) {
            return Vec::new();
        }
        let messages = Messages::<Quake2>::new(self.data, *self.context);
        let ops: Vec<u8> = messages.map(|entry| entry.message.op()).collect();
        let is_part_of_whole = |at: usize| {
            let place = ops.get(at).and_then(|op| WHOLE.iter().position(|part| part == op));
            place.is_some_and(|place| {
                let first = at.checked_sub(place);
                first.and_then(|first| ops.get(first..first.saturating_add(3))) == Some(&WHOLE[..])
            })
        };
        let fate = |(at, op): (usize, &u8)| {
            if WHOLE.contains(op) && !is_part_of_whole(at) { Fate::Drop } else { Fate::Keep }
        };
        ops.iter().enumerate().map(fate).collect()
    }

    fn sift<D: Dialect>(
        &self,
        mut fate: impl FnMut(&Entry<D::Message<'_>>, &Context) -> Fate,
    ) -> (Vec<u8>, u64) {
        let (mut out, mut gone, mut at) = (Vec::with_capacity(self.data.len()), 0u64, 0);
        let mut messages = Messages::<D>::new(self.data, *self.context);
        while let Some(entry) = &messages.next() {
            let bytes = self.data.get(at..messages.pos()).unwrap_or_default();
            at = messages.pos();
            match fate(entry, messages.context()) {
                Fate::Keep => out.extend_from_slice(bytes),
                Fate::Other(other) => {
                    gone = gone.saturating_add(u64::from(!other.starts_with(bytes)));
                    out.extend_from_slice(&other);
                }
                Fate::Drop => gone = gone.saturating_add(1),
                Fate::DropRest => return (out, gone.saturating_add(1)),
            }
        }
        out.extend_from_slice(self.data.get(at..).unwrap_or_default());
        (out, gone)
    }
}
