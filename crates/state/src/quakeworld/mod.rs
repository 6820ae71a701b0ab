//! QuakeWorld's world: in a QWD the view of one client, in an MVD that of all players.
//!
//! The rules are those of `ezQuake` and MVDSV. A block's stamp gives the time and the players for whom it is. Entities
//! are the last whole list with the changes since; changes in a QWD build on packets by their numbers, so 64 lists are
//! kept, as in clients.

mod as_quake;
mod chat;
mod clock;
mod entity;
mod moment;
mod player;

pub use as_quake::{AsQuake, MessageSink};
pub use chat::without_chat_colors;
pub use clock::MatchClock;
pub use entity::{Entities, Entity};
pub use moment::{Happening, HiddenDamage, Recipients};
pub use player::{Body, Player};

use crate::hash::{Fold, Hash64, folds};
use crate::{Strings, Text};
use moviola_format::names::quakeworld::WHOLE_INFO;
use moviola_format::qw::Message;
use moviola_format::{
    Audience, Block, ClientRecords, Context, Entry, Fault, Hidden, NameList, QuakeWorld, Stamp, Table,
    client, hidden, info_pairs,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The greatest number of slots of a QuakeWorld server.
pub const SLOTS: usize = 32;

/// The properties of a level, and the files that it loads.
///
/// ```
/// use moviola_state::quakeworld::World;
/// assert_eq!(World::new().level.map(), b"");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The protocol; 0 before the first level.
    pub protocol: i32,
    /// The title.
    pub title: Text,
    /// The game's folder.
    pub game: Text,
    /// The models by number; number 0 stands for no model, number 1 for the level itself.
    pub models: Strings,
    /// The sounds by number; number 0 stands for no sound.
    pub sounds: Strings,
}

impl Level {
    /// The level's file; empty before the list of models.
    pub fn map(&self) -> &[u8] {
        self.models.get(1)
    }
}

/// The world of a QuakeWorld recording.
///
/// ```
/// use moviola_format::{Block, Stamp};
/// use moviola_state::{Playhead, quakeworld::{Happening, Recipients, World}};
/// let mut head = Playhead::<World>::new();
/// let stamp = Stamp::Mvd { msec: 250, kind: 2 << 3 | 4, players: 0 };
/// head.step(&Block { stamp, ..Block::new(b"\x08\x03Bob: hi\n\0") });
/// assert_eq!(head.world.seconds(), Some(0.25));
/// assert!(matches!(&head.world.moment[..], [Happening::Print { level: 3, to: Recipients::Player(2), .. }]));
/// ```
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct World {
    /// The current level.
    pub level: Arc<Level>,
    /// The server info.
    pub info: Arc<BTreeMap<Text, Text>>,
    /// The time in milliseconds: in a QWD the client's clock, in an MVD the time since its start.
    pub now: Option<u64>,
    /// Whether the recording is an MVD, which has all players.
    pub is_mvd: bool,
    /// The slot of the recording client, and whether it is a spectator; `None` in an MVD.
    pub recorder: Option<(u8, bool)>,
    /// The players by slot.
    pub players: Arc<Vec<Player>>,
    /// The position and look of each player, by slot.
    pub bodies: Arc<Vec<Body>>,
    /// The entities that are not players.
    pub entities: Entities,
    /// The baselines of the level's entities that are not blank, by their numbers.
    pub baselines: Arc<BTreeMap<u16, Entity>>,
    /// The flicker of each group of lights, by its number.
    pub lights: Arc<BTreeMap<u8, Text>>,
    /// Each player's stats by slot: of all players in an MVD, of the recorder in a QWD.
    pub stats: Arc<Vec<[i32; 32]>>,
    /// The clock of the match.
    pub clock: MatchClock,
    /// Whether the game is paused.
    pub paused: bool,
    /// Whether the level is over and its scores are shown.
    pub intermission: bool,
    /// Whether a `disconnect` has ended the recording.
    pub disconnected: bool,
    /// The JSON statistics of the match that KTX writes, as far as they were sent.
    pub demoinfo: Arc<Vec<u8>>,
    /// Whether the last part of `demoinfo` was read.
    pub demoinfo_complete: bool,
    /// The happenings of the last block.
    pub moment: Vec<Happening>,
    /// The number of the packet of a QWD that the current block is.
    packet: Option<u32>,
    /// The recipients of the current block. A block with the audience `same` inherits them.
    to: Recipients,
    /// Whether the current block has set a stat, and whether it has brought the place of a player.
    has_stats: bool,
    has_bodies: bool,
}

/// The greatest size of the statistics that is kept.
const LONGEST_INFO: usize = 1 << 20;

impl World {
    /// The world before the first message.
    pub fn new() -> Self {
        Self::default()
    }

    /// The time of the recording in seconds.
    pub fn seconds(&self) -> Option<f64> {
        self.now.map(|msec| msec as f64 / 1000.0)
    }

    /// The value of a key in the server info.
    pub fn value(&self, key: &[u8]) -> &[u8] {
        self.info.get(key).map_or(&[], Text::bytes)
    }

    /// The number of the QWD's packet that is the current block.
    pub fn packet(&self) -> Option<u32> {
        self.packet
    }

    /// The recipients of the current block.
    pub fn audience(&self) -> Recipients {
        self.to
    }

    /// Whether the current block has set a stat of any player.
    pub fn has_stats(&self) -> bool {
        self.has_stats
    }

    /// Whether the current block has the position of any player. The world can answer this cheaply; if a caller kept a
    /// copy of all bodies to compare them, the world would have to copy them at each change.
    pub fn has_bodies(&self) -> bool {
        self.has_bodies
    }

    fn player(&mut self, slot: u8) -> Option<&mut Player> {
        let players = Arc::make_mut(&mut self.players);
        players.resize_with(SLOTS, Player::default);
        players.get_mut(usize::from(slot))
    }

    fn body(&mut self, slot: u8) -> Option<&mut Body> {
        self.has_bodies = true;
        let bodies = Arc::make_mut(&mut self.bodies);
        bodies.resize_with(SLOTS, Body::default);
        bodies.get_mut(usize::from(slot))
    }

    /// Sets a stat: in an MVD that of the player to whom the block is addressed, in a QWD the recorder's.
    fn stat(&mut self, index: u8, value: i32) {
        let ((Recipients::Player(slot), _) | (_, Some((slot, _)))) = (self.to, self.recorder) else { return };
        let stats = Arc::make_mut(&mut self.stats);
        stats.resize(SLOTS, [0; 32]);
        let place = stats.get_mut(usize::from(slot)).and_then(|stats| stats.get_mut(usize::from(index)));
        if let Some(place) = place {
            *place = value;
            self.has_stats = true;
        }
    }

    /// Reads the whole server info from its command; later messages change single keys.
    fn command(&mut self, text: &[u8]) {
        if let Some(info) = text.strip_prefix(WHOLE_INFO) {
            let info = info.split(|byte| *byte == b'"').next().unwrap_or_default();
            let mut pairs = BTreeMap::new();
            for (key, value) in info_pairs(info) {
                pairs.entry(Text::new(key)).or_insert_with(|| Text::new(value));
            }
            self.info = Arc::new(pairs);
            self.status(false);
        } else if text.trim_ascii() == b"//ktx matchstart" {
            self.clock.begin(self.now);
        }
    }

    /// Reads the state of the match from the server info.
    fn status(&mut self, is_change: bool) {
        let mut clock = self.clock;
        clock.set(self.value(b"status"), self.value(b"timelimit"), self.now, is_change);
        self.clock = clock;
    }

    fn tick(&mut self, block: &Block<'_>) {
        let (seconds, msec) = block.clock();
        if let Some(seconds) = seconds.filter(|it| *it >= 0.0) {
            self.now = Some((f64::from(seconds) * 1000.0).round() as u64);
        }
        if let Some(msec) = msec {
            self.now = Some(self.now.unwrap_or_default().saturating_add(msec.into()));
        }
    }

    /// Sets a baseline. Without a baseline all fields begin with zero, so a blank baseline, of which `ezQuake`
    /// records two thousand, is not stored.
    fn baseline(&mut self, number: u16, baseline: Entity) {
        if !baseline.is_blank() {
            Arc::make_mut(&mut self.baselines).insert(number, baseline);
        } else if self.baselines.contains_key(&number) {
            Arc::make_mut(&mut self.baselines).remove(&number);
        }
    }

    /// Applies a message about entities that are not players.
    fn entity(&mut self, message: &Message<'_>) {
        match message {
            Message::PacketEntities(it) => {
                self.entities.take(it.entities.iter(), None, self.packet, &self.baselines);
            }
            Message::DeltaPacketEntities(it) => {
                self.entities.take(it.entities.iter(), Some(it.frame), self.packet, &self.baselines);
            }
            Message::SpawnBaseline(it) => {
                if let Ok(number) = u16::try_from(it.entity) {
                    self.baseline(number, Entity::baseline(it));
                }
            }
            Message::SpawnBaseline2(it) => self.baseline(it.entity.0, Entity::of_baseline(it)),
            _ => {}
        }
    }

    fn hidden(&mut self, message: &hidden::Message<'_>) {
        match message {
            hidden::Message::DamageDone(it) => self.moment.push(Happening::Hurt(HiddenDamage::from(it))),
            hidden::Message::DemoInfo(it) => {
                let text = Arc::make_mut(&mut self.demoinfo);
                if it.part == 1 || self.demoinfo_complete {
                    text.clear();
                }
                if text.len().saturating_add(it.text.0.len()) <= LONGEST_INFO {
                    text.extend_from_slice(it.text.0);
                }
                // The last part has the number 0.
                self.demoinfo_complete = it.part == 0;
            }
            _ => {}
        }
    }
}

/// Adds one part to a list of names.
fn listed<const KIND: u8>(strings: &mut Strings, part: &NameList<'_, KIND>) {
    let first = usize::from(part.first.unwrap_or_default());
    for (number, name) in part.names.iter().enumerate() {
        strings.set(first.saturating_add(number).saturating_add(1), Text::from(name));
    }
}

impl crate::World for World {
    type Dialect = QuakeWorld;

    fn begin_block(&mut self, block: &Block<'_>) {
        self.moment.clear();
        (self.has_stats, self.has_bodies) = (false, false);
        self.is_mvd = block.stamp.is_mvd();
        self.tick(block);
        self.packet = match block.stamp {
            // The highest bit is not a part of the number.
            Stamp::Qwd { numbers: Some([number, _]), .. } => Some(number & 0x7FFF_FFFF),
            _ => None,
        };
        if let Stamp::Mvd { kind, players, .. } = block.stamp {
            self.to = match Audience::of(kind) {
                Some(Audience::Single | Audience::Stats) => Recipients::Player(Audience::player(kind)),
                Some(Audience::Multiple) => Recipients::Several(players),
                Some(Audience::Same) => self.to,
                Some(Audience::All) | None => Recipients::All,
            };
        }
    }

    fn apply_other_table(&mut self, block: &Block<'_>, context: &Context) -> Option<Option<Fault>> {
        match block.table(moviola_format::Game::QuakeWorld) {
            Table::Hidden => {
                let mut messages = block.messages::<Hidden>(*context);
                for entry in messages.by_ref() {
                    self.hidden(&entry.message);
                }
                Some(messages.fault())
            }
            Table::Client => {
                let mut messages = block.messages::<ClientRecords>(*context);
                for entry in messages.by_ref() {
                    if let client::Message::Command(it) = entry.message {
                        self.moment.push(Happening::Pressed { buttons: it.buttons.0, impulse: it.impulse.0 });
                    }
                }
                Some(messages.fault())
            }
            _ => None,
        }
    }

    fn apply(&mut self, entry: &Entry<Message<'_>>) {
        let to = self.to;
        match &entry.message {
            Message::ServerData(it) => {
                let (now, is_mvd, packet) = (self.now, self.is_mvd, self.packet);
                *self = Self {
                    now,
                    is_mvd,
                    packet,
                    to,
                    moment: std::mem::take(&mut self.moment),
                    ..Self::default()
                };
                self.recorder = it.client.slot().map(|slot| (slot, it.client.is_spectator()));
                self.level = Arc::new(Level {
                    protocol: it.flags.0,
                    title: Text::from(it.mapname),
                    game: Text::from(it.game),
                    ..Level::default()
                });
            }
            Message::ModelList(it) => listed(&mut Arc::make_mut(&mut self.level).models, &it.list),
            Message::ModelListShort(it) => listed(&mut Arc::make_mut(&mut self.level).models, &it.list),
            Message::SoundList(it) => listed(&mut Arc::make_mut(&mut self.level).sounds, &it.list),
            Message::ServerInfo(it) => {
                let name = Text::from(it.name);
                let is_status = name.bytes() == b"status";
                Arc::make_mut(&mut self.info).insert(name, Text::from(it.string));
                if is_status {
                    self.status(true);
                }
            }
            Message::UpdateUserInfo(it) => {
                if let Some(player) = self.player(it.player) {
                    player.set_user(it);
                }
            }
            Message::SetInfo(it) => {
                if let Some(player) = self.player(it.player) {
                    Arc::make_mut(&mut player.info).insert(Text::from(it.name), Text::from(it.string));
                }
            }
            Message::UpdateFrags(it) => {
                if let Some(player) = self.player(it.player) {
                    player.frags = it.frags;
                }
            }
            Message::UpdatePing(it) => {
                if let Some(player) = self.player(it.player) {
                    player.ping = it.ping;
                }
            }
            Message::UpdatePl(it) => {
                if let Some(player) = self.player(it.player) {
                    player.loss = it.loss;
                }
            }
            Message::UpdateEnterTime(it) => {
                if let Some(player) = self.player(it.player) {
                    player.entered = it.entertime;
                }
            }
            Message::PlayerState(it) => {
                let now = self.now.unwrap_or_default();
                if let Some(body) = self.body(it.player) {
                    body.change(it, now);
                }
            }
            Message::PlayerInfo(it) => {
                let now = self.now.unwrap_or_default();
                if let Some(body) = self.body(it.player) {
                    body.replace(it, now);
                }
            }
            Message::PacketEntities(_)
            | Message::DeltaPacketEntities(_)
            | Message::SpawnBaseline(_)
            | Message::SpawnBaseline2(_) => self.entity(&entry.message),
            Message::LightStyle(it) => {
                Arc::make_mut(&mut self.lights).insert(it.style, Text::from(it.string));
            }
            Message::UpdateStat(it) => self.stat(it.index, it.value.into()),
            Message::UpdateStatLong(it) => self.stat(it.index, it.value),
            Message::SetPause(it) => self.paused = it.pausestate != 0,
            Message::Intermission(_) => self.intermission = true,
            Message::Disconnect(_) => self.disconnected = true,
            Message::Connless(it) if it.packet.ends() => self.disconnected = true,
            Message::StuffText(it) => {
                self.command(it.string.bytes());
                self.moment.push(Happening::Command { text: Text::from(it.string), to });
            }
            Message::Print(it) => {
                self.moment.push(Happening::Print { level: it.level, text: Text::from(it.string), to });
            }
            Message::CenterPrint(it) => {
                self.moment.push(Happening::CenterPrint { text: Text::from(it.string), to });
            }
            Message::Sound(it) => self.moment.push(Happening::sound(it)),
            _ => {}
        }
    }

    fn end_block(&mut self) {}

    fn state_hash(&self) -> u64 {
        Hash64::of(|hash| self.fold(hash))
    }

    fn view_hash(&self) -> u64 {
        Hash64::of(|hash| {
            self.bodies.fold(hash);
            self.entities.fold(hash);
            self.lights.fold(hash);
            self.moment.fold(hash);
            self.players.fold(hash);
        })
    }
}

folds! {
    Level { protocol, title, game, models, sounds }
}

impl Fold for World {
    fn fold(&self, hash: &mut Hash64) {
        #[rustfmt::skip]
        let Self {
            level, info, now, is_mvd, recorder, players, bodies, entities, baselines, lights, stats,
            // These fields follow from the others and their times, and differ in a part of a match.
            clock: _, paused, intermission, disconnected, demoinfo, demoinfo_complete, moment, packet, to,
            // These fields belong to the block, not to the state after it.
            has_stats: _, has_bodies: _,
        } = self;
        level.fold(hash);
        info.fold(hash);
        now.fold(hash);
        recorder.fold(hash);
        players.fold(hash);
        bodies.fold(hash);
        entities.fold(hash);
        baselines.fold(hash);
        lights.fold(hash);
        stats.fold(hash);
        packet.fold(hash);
        [*is_mvd, *paused, *intermission, *disconnected, *demoinfo_complete].fold(hash);
        hash.bytes(demoinfo);
        moment.fold(hash);
        to.fold(hash);
    }
}
