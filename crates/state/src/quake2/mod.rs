//! Quake II's world.
//!
//! The rules are those of id's client (`cl_parse.c`, `cl_ents.c`). Where an engine would stop with an error,
//! the world goes on. Only `serverdata` resets it. A client's recording contains one player's state; a
//! server's contains none, but every entity; a Relay recording contains each client's. A recording with Q2PRO's extended
//! limits is held as protocol 34 would have it.

mod config;
mod entity;
mod frame;
pub mod layout;
mod moment;
mod player;
mod view;

pub use config::Config;
pub use entity::Entity;
pub use frame::{Changes, Frame, Validity};
pub use moment::{Effect, Happening, MomentKind, Sound};
pub use player::{PlayerState, Stat};

use crate::Text;
use crate::hash::{Fold, Hash64, folds};
use crate::pages::Pages;
use frame::Frames;
use moviola_format::dm2::{self, Message};
use moviola_format::q2pro::AsPlain;
use moviola_format::{Block, Entry, FrameHead, Q2proLimits, Quake2};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The properties that the server sends when a level begins.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// head.step(&Block::new(b"\x0c\x22\0\0\0\x01\0\0\0\x01ctf\0\x02\0The ScreenEdge\0"));
/// let server = &head.world.server;
/// assert_eq!((server.protocol, server.client, server.game.bytes()), (34, 2, &b"ctf"[..]));
/// assert_eq!(head.world.own_entity(), Some(3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerData {
    /// The protocol; 0 before the first level.
    pub protocol: i32,
    /// The server's number for this start of a level.
    pub key: i32,
    /// The kind of recording.
    pub isdemo: u8,
    /// The game's folder; empty is the original.
    pub game: Text,
    /// The recorder's number; -1 is none.
    pub client: i16,
    /// The level's title.
    pub title: Text,
}

/// The texts and numbers that one client has over the picture.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// head.step(&Block::new(b"\x0fYou need the blue key\0"));
/// let (_, text) = head.world.screen(None).unwrap().center.as_ref().unwrap();
/// assert_eq!(text.bytes(), b"You need the blue key");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// The program of the scores or the field computer; shown while the stat `Layouts` says so.
    pub layout: Text,
    /// The number of each item carried, if it was sent. Shown while the stat `Layouts` says so.
    pub inventory: Option<Arc<[i16; 256]>>,
    /// The text in the middle of the screen and the frame in which it was sent; each engine chooses how long it
    /// stays.
    pub center: Option<(i32, Text)>,
    /// The config strings that only this client was sent (Relay).
    pub own: BTreeMap<i16, Text>,
}

/// The world of a Quake II recording.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// head.step(&Block::new(b"\x0d\0\0The ScreenEdge\0"));
/// assert_eq!(head.world.config.get(0), b"The ScreenEdge");
/// assert_eq!((head.world.own_entity(), head.world.out_of_place), (Some(1), 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The values of the level's `serverdata` message.
    pub server: Arc<ServerData>,
    /// The config strings.
    pub config: Config,
    /// The number of changes to the config strings of players and to the number of players. While it is the same, both
    /// are unchanged. It exists because other config strings change with every frame. It is not part of the state.
    pub cast_changes: u64,
    /// The number of changes to the config strings of models. While it stays the same, so do the models.
    pub model_changes: u64,
    /// The screens: the recorder's has the key `None`; in Relay recordings each client to which a screen was sent has
    /// an entry.
    pub screens: Vec<(Option<u8>, Screen)>,
    /// Whether the server has disconnected.
    pub disconnected: bool,
    /// The events that began in the last block.
    pub moment: Vec<Happening>,
    /// The number of players' states and lists of entities outside of any frame; an engine stops there.
    pub out_of_place: u32,
    baselines: Arc<Pages<Entity>>,
    frames: Frames,
    /// Turns messages of Q2PRO's extended limits into those of protocol 34. It is not part of the state.
    plain: Option<Box<AsPlain>>,
}

impl World {
    /// The world before the first message.
    pub fn new() -> Self {
        Self::default()
    }

    /// The last frame, valid or not.
    pub fn frame(&self) -> &Frame {
        &self.frames.last
    }

    /// The last frame, shared, so that a caller can keep it without a copy.
    pub fn shared_frame(&self) -> Arc<Frame> {
        Arc::clone(&self.frames.last)
    }

    /// A hash of the state without the bases of frames whose base was found. Recordings that encode the same frames
    /// with other deltas have the same hash.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, World as _, quake2};
    /// let first = Block::new(b"\x14\x01\0\0\0\xff\xff\xff\xff\0\0\x11\0\0\0\0\0\0\x12\0\0");
    /// let [in_full, by_difference] = [-1i32, 1].map(|base| {
    ///     let mut head = Playhead::<quake2::World>::new();
    ///     head.step(&first);
    ///     let frame = [&b"\x14\x02\0\0\0"[..], &base.to_le_bytes(), b"\0\0\x11\0\0\0\0\0\0\x12\0\0"].concat();
    ///     head.step(&Block::new(&frame));
    ///     head.world
    /// });
    /// assert_ne!(in_full.state_hash(), by_difference.state_hash());
    /// assert_eq!(in_full.hash_without_bases(), by_difference.hash_without_bases());
    /// ```
    pub fn hash_without_bases(&self) -> u64 {
        let mut world = self.clone();
        world.frames.forget_bases();
        crate::World::state_hash(&world)
    }

    /// Whether a frame with this head would be valid after the blocks so far.
    ///
    /// ```
    /// use moviola_format::FrameHead;
    /// use moviola_state::quake2::{Validity, World};
    /// let [full, delta] = [-1, 5].map(|seq2| FrameHead { seq1: 6, seq2, ..FrameHead::default() });
    /// assert_eq!(World::new().validity(&full), Validity::Full);
    /// assert_eq!(World::new().validity(&delta), Validity::TooOld);
    /// ```
    pub fn validity(&self, head: &FrameHead<'_>) -> Validity {
        self.frames.validity(head)
    }

    /// The last frame that could be drawn, which is on the screen.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake2::{self, Validity}};
    /// let mut head = Playhead::<quake2::World>::new();
    /// // A full frame, number 1, of a client whose stat 1, the health, is 100; entity 7 stands at x = 1.
    /// let first = b"\x14\x01\0\0\0\xff\xff\xff\xff\0\0\x11\0\0\x02\0\0\0\x64\0\x12\x01\x07\x08\0\0\0";
    /// head.step(&Block::new(first));
    /// let state = head.world.drawn().player(None).unwrap();
    /// assert_eq!(state.stat(quake2::Stat::Health), 100);
    /// assert_eq!(head.world.drawn().entity(7).unwrap().origin[0].value(), 1.0);
    /// // Frame 30 builds on 29, which never came: it is taken in and marked, and the picture stays.
    /// head.step(&Block::new(b"\x14\x1e\0\0\0\x1d\0\0\0\0\0\x11\0\0\0\0\0\0\x12\0\0"));
    /// assert_eq!(head.world.frame().validity, Validity::TooOld);
    /// assert_eq!(head.world.drawn().number, 1);
    /// ```
    pub fn drawn(&self) -> &Frame {
        &self.frames.drawn
    }

    /// The number of frames drawn so far. It is not part of the state.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake2};
    /// let mut head = Playhead::<quake2::World>::new();
    /// head.step(&Block::new(b"\x14\x01\0\0\0\xff\xff\xff\xff\0\0\x11\0\0\0\0\0\0\x12\0\0"));
    /// assert_eq!(head.world.frames_drawn(), 1);
    /// ```
    pub fn frames_drawn(&self) -> u64 {
        self.frames.count
    }

    /// The differences between the entities on the screen and those on it when `since` frames had been drawn.
    /// `None` if they are not known; then each entity may have changed.
    pub fn changes(&self, since: u64) -> Option<&Changes> {
        self.frames.changes(since)
    }

    /// The baseline of an entity.
    pub fn baseline(&self, number: u16) -> Entity {
        self.baselines.get(number).copied().unwrap_or_default()
    }

    /// The baselines that were sent, in the order of their numbers.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake2};
    /// let mut head = Playhead::<quake2::World>::new();
    /// head.step(&Block::new(b"\x0e\x01\x05\x50\0"));
    /// assert!(head.world.baselines().any(|(number, _)| number == 5));
    /// ```
    pub fn baselines(&self) -> impl Iterator<Item = (u16, &Entity)> {
        let none = Entity::default();
        self.baselines.iter().filter(move |(_, baseline)| **baseline != none)
    }

    /// The screen of the recorder, or of a Relay recording's client. A client to which no screen was sent has the
    /// common screen.
    pub fn screen(&self, client: Option<u8>) -> Option<&Screen> {
        let of = |client| self.screens.iter().find(|(of, _)| *of == client);
        of(client).or_else(|| of(None)).map(|(_, screen)| screen)
    }

    /// The number of the recorder's own entity, if there is a recorder.
    pub fn own_entity(&self) -> Option<u16> {
        u16::try_from(self.server.client).ok()?.checked_add(1)
    }

    /// Begins a level: as in engines, everything is reset.
    fn enter(&mut self, it: &dm2::ServerData<'_>) {
        let server = ServerData {
            protocol: it.serverversion,
            key: it.key,
            isdemo: it.isdemo,
            game: it.game.into(),
            client: it.client,
            title: it.mapname.into(),
        };
        *self = Self {
            server: Arc::new(server),
            moment: std::mem::take(&mut self.moment),
            out_of_place: self.out_of_place,
            cast_changes: self.cast_changes.wrapping_add(1),
            model_changes: self.model_changes.wrapping_add(1),
            frames: self.frames.begin_anew(),
            plain: Q2proLimits::of_protocol(it.serverversion).is_extended().then(Box::default),
            ..Self::default()
        };
    }

    /// Changes one client's screen if the message is for that client, else all screens.
    fn apply_screen(&mut self, client: Option<u8>, message: &Message<'_>) {
        if !self.screens.iter().any(|(of, _)| *of == client) {
            let like_all = self.screen(None).cloned().unwrap_or_default();
            self.screens.push((client, like_all));
        }
        let number = self.frames.last.number;
        for (of, screen) in &mut self.screens {
            if client.is_none() || *of == client {
                screen.apply(number, message);
            }
        }
    }
}

impl Screen {
    fn apply(&mut self, frame: i32, message: &Message<'_>) {
        match message {
            Message::Layout(it) => self.layout = it.string.into(),
            Message::InventoryMessage(it) => {
                let mut counts = [0; 256];
                for (place, count) in counts.iter_mut().zip(it.counts.counts()) {
                    *place = count;
                }
                self.inventory = Some(Arc::new(counts));
            }
            Message::CenterPrint(it) => self.center = Some((frame, it.string.into())),
            Message::ConfigString(it) => {
                self.own.insert(it.index, it.string.into());
            }
            _ => {}
        }
    }
}

/// The momentary event of a message, if it has one.
fn happening(message: &Message<'_>) -> Option<MomentKind> {
    Some(match message {
        Message::Sound(it) => MomentKind::Sound(it.into()),
        Message::MuzzleFlash(it) => MomentKind::PlayerFlash(it.entity, it.value),
        Message::MuzzleFlash2(it) => MomentKind::MonsterFlash(it.entity, it.value),
        Message::TempEntity(it) => MomentKind::Effect(it.into()),
        Message::Print(it) => MomentKind::Print(it.level, it.string.into()),
        Message::CenterPrint(it) => MomentKind::CenterPrint(it.string.into()),
        Message::StuffText(it) => MomentKind::Command(it.string.into()),
        Message::Reconnect(_) => MomentKind::Reconnect,
        Message::Download(it) => MomentKind::Download(it.piece.size, it.piece.percent),
        _ => return None,
    })
}

impl crate::World for World {
    type Dialect = Quake2;

    fn begin_block(&mut self, _: &Block<'_>) {
        self.moment.clear();
    }

    #[inline]
    fn apply(&mut self, entry: &Entry<Message<'_>>) {
        match &entry.message {
            Message::ServerData(_) => self.apply_plain(entry),
            _ if self.plain.is_none() => self.apply_plain(entry),
            message => {
                let Some(mut plain) = self.plain.take() else { return };
                plain.message(message, |message| self.apply_plain(&Entry { message: *message, ..*entry }));
                self.plain = Some(plain);
            }
        }
    }

    fn end_block(&mut self) {
        self.frames.finish();
    }

    fn state_hash(&self) -> u64 {
        Hash64::of(|hash| self.fold(hash))
    }

    fn view_hash(&self) -> u64 {
        Hash64::of(|hash| self.fold_view(hash))
    }
}

impl World {
    /// Applies a message of id's protocols.
    #[inline]
    fn apply_plain(&mut self, entry: &Entry<Message<'_>>) {
        let client = entry.unicast;
        match &entry.message {
            // These are most messages, and the ones without an event.
            Message::FrameMessage(it) => return self.frames.begin(&it.head),
            Message::PlayerInfo(it) => {
                let in_place = self.frames.player(client, it);
                self.out_of_place = self.out_of_place.wrapping_add(u32::from(!in_place));
                return;
            }
            Message::PacketEntities(it) => {
                let in_place = self.frames.entities(it, &self.baselines);
                self.out_of_place = self.out_of_place.wrapping_add(u32::from(!in_place));
                return;
            }
            Message::ServerData(it) => self.enter(it),
            Message::ConfigString(it) if client.is_none() => {
                self.config.set(it.index, it.string.into());
                let (is_cast, is_model) = (Config::is_player_string(it.index), Config::is_model(it.index));
                self.cast_changes = self.cast_changes.wrapping_add(u64::from(is_cast));
                self.model_changes = self.model_changes.wrapping_add(u64::from(is_model));
            }
            Message::SpawnBaseline(it) => {
                if let Some(place) = Arc::make_mut(&mut self.baselines).entry(it.entity.0) {
                    *place = Entity::default();
                    place.change(it);
                }
            }
            Message::Disconnect(_) => self.disconnected = true,
            Message::Layout(_)
            | Message::InventoryMessage(_)
            | Message::CenterPrint(_)
            | Message::ConfigString(_) => {
                self.apply_screen(client, &entry.message);
            }
            _ => {}
        }
        if let Some(what) = happening(&entry.message) {
            self.moment.push(Happening { client, what });
        }
    }
}

folds! {
    ServerData { protocol, key, isdemo, game, client, title }
    Screen { layout, inventory, center, own }
}

impl Fold for World {
    fn fold(&self, hash: &mut Hash64) {
        #[rustfmt::skip]
        let Self {
            server, config, cast_changes: _, model_changes: _, screens, disconnected, moment, out_of_place, baselines,
            frames, plain: _,
        } = self;
        server.fold(hash);
        config.fold(hash);
        screens.fold(hash);
        disconnected.fold(hash);
        moment.fold(hash);
        out_of_place.fold(hash);
        let none = Entity::default();
        for (_, baseline) in baselines.iter().filter(|(_, baseline)| **baseline != none) {
            baseline.fold(hash);
        }
        frames.fold(hash);
    }
}
