//! Converts a QuakeWorld recording to the messages that a server of Quake would send for the view of one player. Both
//! pictures and converted files are made of these messages, so that they agree. Numbers of models, sounds and entities
//! stay; `table.rs` has the numbers that differ between the two games.

mod frame;
mod table;

use super::{SLOTS, World};
use crate::Text;
use moviola_format::dem::{self, Message};
use moviola_format::qw::{self, Message as QwMessage};
use moviola_format::{
    Angle16, Attenuation, Block, ClientRecords, Colors, Context, Coord, CoordKind, EndPos, Flags as _, Float,
    ModelNumber, Placement, Precache, QuakeSoundBits, Reader, Scalar, ServerProtocol, SoundChannel,
    SoundNumber, StaticSound, Str, TempKind, Volume, client, commands,
};
use table::QuakeTemp;

/// The function that gets Quake's messages.
pub type MessageSink<'t> = &'t mut dyn FnMut(&Message<'_>);

/// Turns a QuakeWorld recording into Quake's messages.
///
/// ```
/// use moviola_format::{Block, dem::Message};
/// use moviola_state::{Playhead, quakeworld::{AsQuake, World}};
/// let (mut head, mut sent) = (Playhead::<World>::new(), Vec::new());
/// let block = Block::new(b"\x08\x03Bob: hi\n\0");
/// let mut as_quake = AsQuake::default();
/// let entry = block.messages::<moviola_format::QuakeWorld>(head.context).next().unwrap();
/// head.step(&block);
/// as_quake.message(&head.world, &entry.message, &mut |message| {
///     if let Message::Print(it) = message {
///         sent.push(it.string.bytes().to_vec());
///     }
/// });
/// assert_eq!(sent, [b"\x01Bob: hi\n"], "with the byte by which a client of Quake knows chat");
/// ```
#[derive(Clone, Debug)]
pub struct AsQuake {
    /// The slot of the player whose view is shown; `None` for the first player who plays.
    eyes: Option<u8>,
    /// The slot in which a client of Quake has each player, and the number of slots.
    slots: [u8; SLOTS],
    room: u8,
    level: LevelState,
}

/// The state of a level so far.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four facts that change on their own")]
struct LevelState {
    /// Whether the level is announced, and whether play has begun.
    is_announced: bool,
    plays: bool,
    /// The time at which the level begins, and that of the last frame, in milliseconds of the recording.
    begins: u64,
    frame: Option<u64>,
    /// A bit for each slot whose player's weapon fires, and a bit for each slot whose muzzle flash was shown. All
    /// frames with the same time show a flash, later ones do not.
    flashes: u32,
    shown: u32,
    /// The time and the angle of the last kick of a weapon.
    kick: Option<(u64, f64)>,
    nails: Vec<moviola_format::Nail>,
    /// Whether the frame's number is odd. Nails without numbers get different entities in odd and even frames, so that
    /// a client takes none for a nail of the frame before.
    is_odd: bool,
    /// The position of the intermission's camera.
    intermission: Option<Placement>,
    /// The direction of the recorder's view.
    turn: [Float; 3],
    /// The last position of the eyes, and its time.
    last: Option<(u64, [f64; 3])>,
    /// The numbers of the status bar as sent, for those that have messages of their own.
    totals: [i32; 4],
    /// Whether the current block has a frame or entities.
    has_frame: bool,
    has_nails: bool,
}

impl Default for AsQuake {
    fn default() -> Self {
        let slots = std::array::from_fn(|slot| slot as u8);
        Self { eyes: None, slots, room: SLOTS as u8, level: LevelState::default() }
    }
}

impl AsQuake {
    /// The effects for the blue and the red light around a player. Their bits are above Quake's own effects.
    pub const BLUE: u8 = table::BLUE;
    /// See [`BLUE`](Self::BLUE).
    pub const RED: u8 = table::RED;
    /// The models that are recognized by their names: those of players and nails.
    pub const MODELS: [&[u8]; 2] = [table::PLAYER, table::NAIL];

    /// Shows the recording through the eyes of the player in this slot, from the next level on.
    #[must_use]
    pub fn through(mut self, slot: u8) -> Self {
        self.eyes = Some(slot);
        self
    }

    /// Moves these players, given by their slots, into the first `room` slots, for clients that have fewer slots than
    /// QuakeWorld.
    ///
    /// ```
    /// use moviola_state::quakeworld::AsQuake;
    /// let few = AsQuake::default().with_room(16, &[20, 3]);
    /// assert_eq!((few.entity(21), few.entity(4), few.entity(1), few.entity(400)), (1, 2, 3, 400));
    /// ```
    #[must_use]
    pub fn with_room(mut self, room: u8, first: &[u8]) -> Self {
        let rest = (0..SLOTS as u8).filter(|slot| !first.contains(slot));
        for (new, old) in (0..).zip(first.iter().copied().chain(rest)) {
            if let Some(slot) = self.slots.get_mut(usize::from(old)) {
                *slot = new;
            }
        }
        self.room = room;
        self
    }

    /// The slot of the player whose view is shown.
    pub fn eyes(&self, world: &World) -> Option<u8> {
        let recorder = world.recorder.map(|(slot, _)| slot);
        let plays = |(slot, it): (u8, &super::Player)| (it.is_here() && !it.is_spectator()).then_some(slot);
        let first = || (0..).zip(world.players.iter()).find_map(plays);
        recorder.or(self.eyes).or_else(first)
    }

    /// Whether play has begun and the last block was a part of a frame.
    pub fn is_frame(&self, world: &World) -> bool {
        self.level.plays && self.level.frame == world.now
    }

    /// The number under which a client of Quake has an entity: players have the numbers of their slots.
    pub fn entity(&self, number: u16) -> u16 {
        let slot = number.checked_sub(1).and_then(|slot| self.slots.get(usize::from(slot)));
        slot.map_or(number, |slot| u16::from(*slot) + 1)
    }

    /// The angles of the view: pitch, yaw and roll.
    pub fn turn(&self, world: &World) -> [Float; 3] {
        if let Some(place) = &self.level.intermission {
            return place.angles.map(|angle| Float::new(angle.value() as f32));
        }
        if !world.is_mvd {
            return self.level.turn;
        }
        let body = self.eyes(world).and_then(|slot| world.bodies.get(usize::from(slot)));
        body.map_or_else(Default::default, |body| {
            body.angles.map(|angle: Angle16| Float::new(angle.value() as f32))
        })
    }

    /// Takes a block of records, which contain the direction of the recorder's view; returns the new direction.
    ///
    /// ```
    /// use moviola_format::{Block, Context};
    /// use moviola_state::quakeworld::AsQuake;
    /// assert_eq!(AsQuake::default().record(&Block::new(b"\x01"), &Context::quakeworld()), None);
    /// ```
    pub fn record(&mut self, block: &Block<'_>, context: &Context) -> Option<[Float; 3]> {
        if !matches!(block.stamp, moviola_format::Stamp::Record { .. }) {
            return None;
        }
        block.messages::<ClientRecords>(*context).find_map(|entry| match entry.message {
            client::Message::Command(it) => {
                self.level.turn = it.uk_angles;
                Some(it.uk_angles)
            }
            client::Message::SetSequence(_) => None,
        })
    }

    /// Emits Quake's messages for a message that was applied to the world.
    pub fn message(&mut self, world: &World, message: &QwMessage<'_>, emit: MessageSink<'_>) {
        match message {
            QwMessage::ServerData(_) => {
                let turn = self.level.turn;
                self.level =
                    LevelState { begins: world.now.unwrap_or_default(), turn, ..LevelState::default() };
            }
            QwMessage::SpawnStatic(_)
            | QwMessage::SpawnStatic2(_)
            | QwMessage::SpawnStaticSound(_)
            | QwMessage::SpawnBaseline(_)
            | QwMessage::SpawnBaseline2(_)
            | QwMessage::LightStyle(_) => {
                self.announce(world, emit);
                self.level_message(world, message, emit);
            }
            QwMessage::PlayerState(_)
            | QwMessage::PlayerInfo(_)
            | QwMessage::PacketEntities(_)
            | QwMessage::DeltaPacketEntities(_) => self.level.has_frame = true,
            QwMessage::NailList(it) => self.see_nails(it.nails.iter()),
            QwMessage::NumberedNails(it) => self.see_nails(it.nails.iter()),
            QwMessage::UpdateUserInfo(it) if self.level.is_announced => self.player(world, it.player, emit),
            QwMessage::SetInfo(it) if self.level.is_announced => self.player(world, it.player, emit),
            QwMessage::UpdateFrags(it) if self.level.is_announced => self.frags(world, it.player, emit),
            QwMessage::MuzzleFlash(it) => {
                let slot = u32::try_from(it.entity).ok().and_then(|number| number.checked_sub(1));
                let player = slot.and_then(|slot| 1u32.checked_shl(slot)).unwrap_or_default();
                self.level.flashes |= player;
                self.level.shown &= !player;
            }
            _ => self.happening(world, message, emit),
        }
    }

    fn see_nails(&mut self, nails: impl Iterator<Item = moviola_format::Nail>) {
        if !self.level.has_nails {
            self.level.nails.clear();
        }
        self.level.has_nails = true;
        self.level.nails.extend(nails);
    }

    /// Announces the level, once its models are known.
    fn announce(&mut self, world: &World, emit: MessageSink<'_>) {
        if self.level.is_announced || world.level.map().is_empty() {
            return;
        }
        self.level.is_announced = true;
        let mut lists = Vec::new();
        for list in [&world.level.models, &world.level.sounds] {
            list.iter().skip(1).for_each(|name| lists.extend(wire(name)));
            lists.push(0);
        }
        let context = Context::quake();
        let precache = Precache::read(&mut Reader::new(&lists, &context)).unwrap_or_default();
        emit(&Message::from(dem::ServerInfo {
            protocol: ServerProtocol::new(table::PROTOCOL, table::FLAGS),
            maxclients: self.room,
            multi: table::DEATHMATCH,
            mapname: Str::new(&wire(&world.level.title)),
            precache,
        }));
        emit(&Message::from(dem::SignonNum { signon: 1 }));
        for slot in 0..SLOTS as u8 {
            self.player(world, slot, emit);
            self.frags(world, slot, emit);
        }
        for (style, text) in world.lights.iter() {
            emit(&Message::from(dem::LightStyle { style: *style, string: Str::new(&wire(text)) }));
        }
    }

    /// Emits the messages for things that a level has from its beginning on.
    fn level_message(&self, world: &World, message: &QwMessage<'_>, emit: MessageSink<'_>) {
        let baseline = |number: u16, emit: MessageSink<'_>| {
            // Recordings of clients have one for every number. A blank one is none, and the numbers of most are beyond those
            // of Quake's own engines, which stop there.
            let Some(look) = world.baselines.get(&number) else { return };
            emit(&Message::from(dem::SpawnBaseline {
                entity: self.entity(number) as i16,
                default_modelindex: ModelNumber(look.model()),
                default_frame: look.frame(),
                default_colormap: self.colormap(look.colormap()),
                default_skin: look.skin(),
                place: look.place(),
            }));
        };
        match message {
            QwMessage::SpawnBaseline(it) => baseline(it.entity as u16, emit),
            QwMessage::SpawnBaseline2(it) => baseline(it.entity.0, emit),
            QwMessage::SpawnStatic(it) => emit(&Message::from(dem::SpawnStatic {
                default_modelindex: ModelNumber(it.default_modelindex.into()),
                default_frame: it.default_frame,
                default_colormap: self.colormap(it.default_colormap),
                default_skin: it.default_skin,
                place: it.place,
            })),
            QwMessage::SpawnStatic2(it) => emit(&Message::from(dem::SpawnStatic {
                default_modelindex: ModelNumber(it.modelindex.0),
                default_frame: it.frame,
                default_colormap: self.colormap(it.colormap),
                default_skin: it.skin,
                place: Placement {
                    origin: [it.origin_x.0, it.origin_y.0, it.origin_z.0],
                    angles: [it.angles_1, it.angles_2, it.angles_3],
                },
            })),
            QwMessage::SpawnStaticSound(it) => emit(&Message::from(dem::SpawnStaticSound {
                origin: it.origin,
                soundnum: StaticSound { number: it.soundnum.into(), short: false },
                vol: it.vol,
                attenuation: it.attenuation,
            })),
            QwMessage::LightStyle(it) => {
                emit(&Message::from(dem::LightStyle { style: it.style, string: it.string }));
            }
            _ => {}
        }
    }

    /// The name and the colors of a player; spectators are not on the scoreboard.
    fn player(&self, world: &World, slot: u8, emit: MessageSink<'_>) {
        let Some(new) = self.slots.get(usize::from(slot)).copied().filter(|new| *new < self.room) else {
            return;
        };
        let known = world.players.get(usize::from(slot)).filter(|it| it.is_here() && !it.is_spectator());
        let name = known.map_or(&[][..], super::Player::name);
        let name = [name, &[0]].concat();
        emit(&Message::from(dem::UpdateName { player: new, netname: Str::new(&name) }));
        if let Some(it) = known {
            let [shirt, pants] = it.colors().map(|color| color.min(table::LAST_COLOR));
            let colors = Colors(shirt << 4 | pants);
            emit(&Message::from(dem::UpdateColors { player: new, colors }));
        }
    }

    fn frags(&self, world: &World, slot: u8, emit: MessageSink<'_>) {
        let new = self.slots.get(usize::from(slot)).copied().filter(|new| *new < self.room);
        let known = world.players.get(usize::from(slot)).filter(|it| it.is_here() && !it.is_spectator());
        if let (Some(player), Some(it)) = (new, known) {
            emit(&Message::from(dem::UpdateFrags { player, frags: it.frags }));
        }
    }

    /// Sends the sounds, effects and texts of a moment.
    fn happening(&mut self, world: &World, message: &QwMessage<'_>, emit: MessageSink<'_>) {
        match message {
            QwMessage::Sound(it) => emit(&Message::from(self.sound(it))),
            QwMessage::StopSound(it) => {
                let SoundChannel { channel, entity } = it.source;
                let source = SoundChannel { channel, entity: self.entity(entity) };
                emit(&Message::from(dem::StopSound { source }));
            }
            QwMessage::TempEntity(it) => self.effect(it, emit),
            QwMessage::SetPause(it) => emit(&Message::from(dem::SetPause { pausestate: it.pausestate })),
            QwMessage::Intermission(it) => {
                self.level.intermission = Some(Placement { origin: it.origin, angles: it.angles });
                self.level.has_frame = self.level.plays;
                emit(&Message::from(dem::Intermission {}));
            }
            QwMessage::Finale(it) => emit(&Message::from(dem::Finale { string: it.string })),
            QwMessage::CdTrack(it) => {
                emit(&Message::from(dem::CdTrack { fromtrack: it.track, totrack: it.track }));
            }
            QwMessage::KilledMonster(_) => emit(&Message::from(dem::KilledMonster {})),
            QwMessage::FoundSecret(_) => emit(&Message::from(dem::FoundSecret {})),
            QwMessage::Disconnect(_) => emit(&Message::from(dem::Disconnect {})),
            QwMessage::Connless(it) if it.packet.ends() => emit(&Message::from(dem::Disconnect {})),
            _ if self.eyes(world).is_some_and(|slot| world.audience().includes(slot)) || !world.is_mvd => {
                self.addressed(world, message, emit);
            }
            _ => {}
        }
    }

    /// Makes the messages of events that only some players receive.
    fn addressed(&mut self, world: &World, message: &QwMessage<'_>, emit: MessageSink<'_>) {
        let now = world.now.unwrap_or_default();
        match message {
            QwMessage::Print(it) => {
                let mark: &[u8] = if it.level == table::CHAT_LEVEL { &[table::CHAT] } else { &[] };
                let text = [mark, it.string.bytes(), &[0]].concat();
                emit(&Message::from(dem::Print { string: Str::new(&text) }));
            }
            QwMessage::CenterPrint(it) => emit(&Message::from(dem::CenterPrint { string: it.string })),
            QwMessage::StuffText(it) => {
                let mut all = commands(it.string.bytes());
                if all.any(|command| table::COMMANDS.contains(&command.name())) {
                    emit(&Message::from(dem::StuffText { string: it.string }));
                }
            }
            QwMessage::Damage(it) => {
                emit(&Message::from(dem::Damage { save: it.save, take: it.take, origin: it.origin }));
            }
            QwMessage::SmallKick(_) => self.level.kick = Some((now, table::KICKS[0])),
            QwMessage::BigKick(_) => self.level.kick = Some((now, table::KICKS[1])),
            QwMessage::SellScreen(_) => emit(&Message::from(dem::SellScreen {})),
            _ => {}
        }
    }

    fn sound(&self, it: &qw::Sound) -> dem::Sound {
        let (vol, attenuation) = (it.source.vol(), it.source.attenuation());
        let mut bits = 0;
        bits |= if vol.is_some() { dem::Sound::vol } else { 0 };
        bits |= if attenuation.is_some() { dem::Sound::attenuation } else { 0 };
        dem::Sound {
            flags: QuakeSoundBits::canonical(bits, &Context::quake()),
            vol: vol.unwrap_or(Volume(0)),
            attenuation: attenuation.unwrap_or(Attenuation(0)),
            source: SoundChannel { channel: it.source.channel(), entity: self.entity(it.source.entity()) },
            soundnum: SoundNumber(it.soundnum.into()),
            origin: it.origin,
            ..dem::Sound::default()
        }
    }

    fn effect(&self, it: &qw::TempEntity, emit: MessageSink<'_>) {
        match table::effect(it.flags.number()) {
            Some(QuakeTemp::Effect(kind)) => {
                let Some(flags) = TempKind::new(kind) else { return };
                emit(&Message::from(dem::TempEntity {
                    flags,
                    entity: self.entity(it.entity as u16) as i16,
                    origin: it.origin,
                    trace_endpos: EndPos { parts: it.trace_endpos, is_color: false },
                    ..dem::TempEntity::default()
                }));
            }
            Some(QuakeTemp::Particles { color, each, counted }) => {
                let times = if counted { u32::from(it.count) } else { 1 };
                let count = each.saturating_mul(times).min(table::MOST_PARTICLES) as u8;
                let vel = Default::default();
                emit(&Message::from(dem::Particle { origin: it.origin, vel, count, color }));
            }
            None => {}
        }
    }

    /// Ends the block, and makes its frame if it has one.
    pub fn end_block(&mut self, world: &World, emit: MessageSink<'_>) {
        if self.level.has_frame {
            self.announce(world, emit);
            if self.level.is_announced {
                self.begin(world, emit);
                self.frame(world, emit);
            }
        }
        (self.level.has_frame, self.level.has_nails) = (false, false);
    }

    /// Begins play, after the level is loaded.
    fn begin(&mut self, world: &World, emit: MessageSink<'_>) {
        if self.level.plays {
            return;
        }
        self.level.plays = true;
        emit(&Message::from(dem::SignonNum { signon: 2 }));
        let eyes = self.eyes(world).map_or(0, |slot| self.entity(u16::from(slot) + 1));
        emit(&Message::from(dem::SetView { entity: eyes as i16 }));
        emit(&Message::from(dem::SignonNum { signon: 3 }));
    }
}

/// A text with its NUL.
fn wire(text: &Text) -> Vec<u8> {
    [text.bytes(), &[0]].concat()
}

/// A coordinate in the width that stores it most exactly.
fn coord(value: f64) -> Coord {
    Coord::nearest(CoordKind::Float, value)
}
