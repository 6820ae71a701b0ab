//! `QuakeWorld`: the recording of one player out of an MVD.
//!
//! An MVD has everything that any player was sent. Each moment of it becomes a packet with the messages for
//! the player, the places of all players, and a whole list of entities, so that no packet builds on another
//! one.

use crate::machinery::bridge::quakeworld::{entities, last_block, numbers, player};
use crate::{BlockWriter, EditOutput, Error};
use moviola_format::names::quakeworld::{EXTENSION, FTE};
use moviola_format::names::{bit, value};
use moviola_format::qw::{self, Message};
use moviola_format::{Block, Context, Coord, Entry, Game, Stamp, Table};
use moviola_state::Playhead;
use moviola_state::quakeworld::{Body, Happening, Recipients, World};

/// Makes a QWD out of the blocks of an MVD.
#[derive(Clone, Debug)]
pub(super) struct Viewer {
    player: u8,
    head: Playhead<World>,
    /// Texts before the first announcement of a level, with which a QWD begins.
    early: Option<Vec<u8>>,
    /// Whether the level has begun, so that packets have players and entities.
    is_playing: bool,
    /// The messages of the moment that is being gathered, for its packet.
    current_messages: Vec<u8>,
    /// The packets and the player's commands that wait to be written.
    ready: Vec<(Stamp, Vec<u8>)>,
    /// The number of the last packet.
    number: u32,
    /// The place of the player in the last packet, and its millisecond.
    last: Option<([f64; 3], u64)>,
    pub(super) frames: u64,
    /// The number of entities that were left out because a packet has no room for more.
    crowded: u64,
}

/// The greatest number of entities in a packet for clients without FTE's extension, and with it.
const USUAL_MAX_ENTITIES: usize = 64;
const EXTENDED: usize = 256;
/// FTE's extension for packets with more entities.
const MANY_ENTITIES: u32 = bit(FTE, "256PACKETENTITIES") as u32;
/// The word that announces MVDSV's extensions, which a QWD of a viewer does not have.
const MVD1: i32 = value(EXTENSION, "MVD1") as i32;
/// A packet of more bytes is written as two.
const LONGEST: usize = 1300;

impl Viewer {
    pub(super) fn new(player: u8) -> Self {
        Self {
            player,
            head: Playhead::new(),
            early: Some(Vec::new()),
            is_playing: false,
            current_messages: Vec::new(),
            ready: Vec::new(),
            number: 0,
            last: None,
            frames: 0,
            crowded: 0,
        }
    }

    fn time(&self) -> f32 {
        self.head.world.seconds().unwrap_or_default() as f32
    }

    /// Begins a block. If it has a new time, the moment before it is over.
    pub(super) fn begin(&mut self, block: &Block<'_>) {
        let is_later = block.clock().1.is_some_and(|msec| msec > 0);
        if is_later && self.is_playing {
            self.frame();
        }
        self.head.step(block);
    }

    /// Whether a block is for the player.
    fn is_for_player(&self, block: &Block<'_>) -> bool {
        block.table(Game::QuakeWorld) == Table::QuakeWorld && self.head.world.audience().includes(self.player)
    }

    pub(super) fn message(&mut self, entry: &Entry<Message<'_>>, writer: &BlockWriter<'_>) {
        if !self.is_for_player(writer.block()) {
            return;
        }
        let bytes = writer.bytes();
        match &entry.message {
            Message::ServerData(it) => {
                self.is_playing = false;
                self.announce(it, bytes);
            }
            Message::PlayerState(_)
            | Message::PacketEntities(_)
            | Message::DeltaPacketEntities(_)
            | Message::Disconnect(_) => {}
            Message::SetAngle(it) if it.angles.address.is_some() => {
                // In an MVD the player's number precedes the angles.
                if it.angles.address == Some(self.player) {
                    self.current_messages.push(qw::SetAngle::SCHEMA.op);
                    self.current_messages.extend_from_slice(bytes.get(2..).unwrap_or_default());
                }
            }
            Message::NumberedNails(_) => self.nails(bytes),
            // A stat of the player to whom the block is addressed. Blocks for all players have no such player.
            Message::UpdateStat(_) | Message::UpdateStatLong(_)
                if self.head.world.audience() != Recipients::Player(self.player) => {}
            _ => match &mut self.early {
                Some(early) => early.extend_from_slice(bytes),
                None => self.current_messages.extend_from_slice(bytes),
            },
        }
    }

    /// The announcement of a level for a player: with the player's slot where the server's time was.
    fn announce(&mut self, it: &qw::ServerData<'_>, bytes: &[u8]) {
        let pairs = it.extensions.pairs().count();
        let rest = bytes.get(1 + 8 * pairs..).unwrap_or_default();
        // The protocol and the level's number, then the folder up to its NUL, then the time.
        let folder =
            rest.get(8..).and_then(|text| text.iter().position(|byte| *byte == 0)).unwrap_or_default();
        let (before, behind) = rest.split_at_checked(folder.saturating_add(9)).unwrap_or((rest, &[]));
        self.current_messages.push(qw::ServerData::SCHEMA.op);
        for (word, flags) in it.extensions.pairs().filter(|(word, _)| *word != MVD1) {
            self.current_messages.extend(word.to_le_bytes());
            self.current_messages.extend(flags.to_le_bytes());
        }
        self.current_messages.extend_from_slice(before);
        self.current_messages.push(self.player);
        self.current_messages.extend_from_slice(behind.get(4..).unwrap_or_default());
        self.current_messages.extend(self.early.take().unwrap_or_default());
    }

    /// Writes the nails without their numbers.
    fn nails(&mut self, bytes: &[u8]) {
        const NAIL: usize = 7;
        let Some((count, nails)) = bytes.get(1..).and_then(<[u8]>::split_first) else { return };
        self.current_messages.extend([qw::NailList::SCHEMA.op, *count]);
        nails
            .chunks_exact(NAIL)
            .for_each(|nail| self.current_messages.extend_from_slice(nail.get(1..).unwrap_or_default()));
    }

    /// Ends the current packet.
    fn flush(&mut self) {
        if self.current_messages.is_empty() {
            return;
        }
        self.number = self.number.saturating_add(1);
        let stamp = Stamp::Qwd { time: self.time().to_bits(), numbers: Some([self.number, self.number]) };
        self.ready.push((stamp, std::mem::take(&mut self.current_messages)));
    }

    /// A moment is over: writes the player's command, and the packet with players and entities.
    fn frame(&mut self) {
        let world = self.head.world.clone();
        let Some(body) = world.bodies.get(usize::from(self.player)) else { return self.flush() };
        self.ready.push((Stamp::Record { mvd: false }, command(self.time(), body)));
        if self.current_messages.len() > LONGEST {
            self.flush();
        }
        let context = self.head.context;
        for (slot, body) in (0..=u8::MAX).zip(world.bodies.iter()) {
            let is_here =
                world.players.get(usize::from(slot)).is_some_and(|it| it.is_here() && !it.is_spectator());
            if is_here && body.seen.is_some() {
                self.place(slot, body, &world, &context);
            }
        }
        let seen = self.near(&world, body, &context);
        self.current_messages.extend(entities(&seen, &context));
        self.frames = self.frames.saturating_add(1);
        self.flush();
    }

    /// The world with only as many entities as a packet has room for: those nearest to the player.
    fn near(&mut self, world: &World, body: &Body, context: &Context) -> World {
        let most = if context.extensions.fte & MANY_ENTITIES == 0 { USUAL_MAX_ENTITIES } else { EXTENDED };
        let mut near = world.clone();
        let left = near.entities.keep_nearest(most, body.origin.map(Coord::value));
        self.crowded = self.crowded.saturating_add(left as u64);
        near
    }

    /// Writes a player in the form of a QWD.
    fn place(&mut self, slot: u8, body: &Body, world: &World, context: &Context) {
        let own = (slot == self.player).then(|| self.speed(body, world.now.unwrap_or_default()));
        self.current_messages.extend(player(slot, body, own, 0, context));
    }

    /// The velocity since the packet before.
    fn speed(&mut self, body: &Body, now: u64) -> [i16; 3] {
        let at = body.origin.map(Coord::value);
        let last = self.last.replace((at, now));
        let Some((from, then)) = last.filter(|(_, then)| *then < now) else { return [0; 3] };
        let seconds = now.saturating_sub(then) as f64 / 1000.0;
        let [x, y, z] = at;
        let [was_x, was_y, was_z] = from;
        // A teleport is not a movement.
        [x - was_x, y - was_y, z - was_z].map(|way| {
            let speed = way / seconds;
            if speed.abs() > 2000.0 { 0 } else { speed as i16 }
        })
    }

    /// Finishes a block: writes the packets that are ready.
    pub(super) fn block(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if !self.is_playing {
            self.flush();
            let skins = |it: &Happening| matches!(it, Happening::Command { text, .. } if text.bytes().starts_with(b"skins"));
            if self.head.world.moment.iter().any(skins) {
                self.is_playing = true;
                let next = i32::try_from(self.number).unwrap_or(i32::MAX).saturating_add(1);
                let record = numbers(self.time(), next, self.number);
                self.ready.push((Stamp::Record { mvd: false }, record));
            }
        }
        std::mem::take(&mut self.ready).iter().try_for_each(|(stamp, data)| out.stamped(*stamp, data))
    }

    pub(super) fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.is_playing {
            self.frame();
        }
        std::mem::take(&mut self.ready).iter().try_for_each(|(stamp, data)| out.stamped(*stamp, data))?;
        if self.crowded > 0 {
            out.note(format!(
                "{} times an entity was left out: a packet has room for {USUAL_MAX_ENTITIES}, and the nearest are in it",
                self.crowded
            ));
        }
        let (stamp, data) = last_block(false, self.time().to_bits());
        out.stamped(stamp, &data)
    }
}

/// The record of a player's command. Only its view angles are known.
fn command(time: f32, body: &Body) -> Vec<u8> {
    let turns = body.angles.map(|turn| turn.value() as f32);
    let mut record = [&time.to_le_bytes()[..], &[moviola_format::client::Command::SCHEMA.op]].concat();
    // The duration of the command, then three bytes without a meaning.
    record.extend([0; 4]);
    record.extend(turns.iter().flat_map(|turn| turn.to_le_bytes()));
    // Speed, buttons and impulse.
    record.extend([0; 8]);
    record.extend(turns.iter().flat_map(|turn| turn.to_le_bytes()));
    record
}
