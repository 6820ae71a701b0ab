//! Quake's world.
//!
//! The rules are those of id's client (`cl_parse.c`, `cl_main.c`), for protocols 666 and 999 `QuakeSpasm`'s.
//! Where an engine would stop with an error, the world goes on. Only `serverinfo` resets it.

mod console;
mod entity;
mod lasting;
mod level;
mod moment;
mod pack;
mod player;
mod view;

pub use console::Console;
pub use entity::{Baseline, Clock, Entity, EntityLook};
pub use lasting::LastingEntities;
pub use level::{CameraView, Ending, FinalScreen, Fog, HudPicture, Level, StaticSound};
pub use moment::{Damage, Effect, Happening, Particles, Sound};
pub use pack::MissionPack;
pub use player::{Player, Stat, Stats, Vitals};

/// The stage of the connection ([`World::signon`]) at which the game is on.
///
/// ```
/// use moviola_state::quake::{PLAYING, World};
/// assert!(World::new().signon < PLAYING);
/// ```
pub const PLAYING: u8 = value(SIGNON, "playing") as u8;

/// The last stage of the connection that a server announces. The client reaches [`PLAYING`] by itself after it.
///
/// ```
/// use moviola_state::quake::{LAST_STAGE, PLAYING};
/// assert!(LAST_STAGE < PLAYING);
/// ```
pub const LAST_STAGE: u8 = value(SIGNON, "begin") as u8;

use crate::hash::{Fold, Hash64};
use crate::pages::{Marks, Pages};
use crate::{Strings, Text};
use moviola_format::dem::{self, Message};
use moviola_format::names::quake::SIGNON;
use moviola_format::names::value;
use moviola_format::{Attenuation, Block, Context, Coord, Entry, Float, Quake, Seconds, StrList, Volume};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The world of a Quake recording.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// // The time is 1, the camera is in entity 5, which is updated; a baseline was never sent.
/// head.step(&Block::new(b"\x07\0\0\x80\x3f\x05\x05\0\x83\x04\x05\x02\x50\0"));
/// let world = &head.world;
/// assert_eq!(world.eyes().unwrap().look.model, 2);
/// assert_eq!(world.entities().filter(|(number, _)| *number == 5).count(), 1);
/// assert!(world.entity(5).unwrap().is_shown(&world.clock));
/// assert_eq!(world.baseline(5), quake::Baseline::default());
/// ```
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The level.
    pub level: Arc<Level>,
    /// The clock.
    pub clock: Clock,
    /// The stage of the connection; 4 is playing.
    pub signon: u8,
    /// The game is paused.
    pub paused: bool,
    /// Whether the server has disconnected.
    pub disconnected: bool,
    /// The camera.
    pub view: CameraView,
    /// The player's own state.
    pub vitals: Vitals,
    /// The player's stats: health, ammunition, kills, secrets.
    pub stats: Stats,
    /// The players by their slot.
    pub players: Arc<Vec<Player>>,
    /// The flicker of the light styles, by number.
    pub lights: Strings,
    /// Static entities, which never change.
    pub statics: Arc<Vec<Baseline>>,
    /// Sounds that never end.
    pub static_sounds: Arc<Vec<StaticSound>>,
    /// The music: a track, and the track after it.
    pub music: Option<[u8; 2]>,
    /// The end of the level.
    pub ending: Ending,
    /// The text in the middle of the screen and the time at which it was sent; each engine chooses how long it
    /// stays. The text of a finale or cutscene replaces it: [`Self::caption`].
    pub center: Option<(Seconds, Text)>,
    /// The last hit that the recorder took, and its time.
    pub damage: Option<(Seconds, Damage)>,
    /// The name of the sky's pictures; empty for the level's own sky.
    pub sky: Text,
    /// The fog.
    pub fog: Fog,
    /// Pictures on the screen, by the names under which they were shown (Nehahra).
    pub pictures: Arc<BTreeMap<Text, HudPicture>>,
    /// The settings made by console commands.
    pub console: Console,
    /// The events that began in the last block.
    pub moment: Vec<Happening>,
    /// The entities that stay until they are removed (FTE, `DarkPlaces`).
    pub lasting: LastingEntities,
    /// The player's stats that are texts, by number (FTE).
    pub stat_texts: Strings,
    baselines: Arc<Pages<Baseline>>,
    entities: Pages<Entity>,
    /// The entities that were updated at the current time: an index only, not a part of the state, because each entity
    /// also stores its time.
    updated: Marks,
}

impl World {
    /// The world before the first message.
    pub fn new() -> Self {
        Self::default()
    }

    /// The baseline of an entity.
    pub fn baseline(&self, number: u16) -> Baseline {
        self.baselines.get(number).copied().unwrap_or_default()
    }

    /// The baselines that are not empty, in the order of their numbers.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake};
    /// let mut head = Playhead::<quake::World>::new();
    /// head.step(&Block::new(b"\x16\x05\0\x02\0\0\0\x50\0\0\0\0\0\0\0\0"));
    /// assert!(head.world.baselines().any(|(number, _)| number == 5));
    /// ```
    pub fn baselines(&self) -> impl Iterator<Item = (u16, &Baseline)> {
        let none = Baseline::default();
        self.baselines.iter().filter(move |(_, baseline)| **baseline != none)
    }

    /// All entities on the pages in use: those that had an update in this level, and others that have not.
    pub fn entities(&self) -> impl Iterator<Item = (u16, &Entity)> {
        self.entities.iter()
    }

    /// An entity, shown or not.
    pub fn entity(&self, number: u16) -> Option<&Entity> {
        self.entities.get(number)
    }

    /// The entities that are drawn, the camera's own included, in the order of their numbers.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake};
    /// let mut head = Playhead::<quake::World>::new();
    /// // The time is 1; entity 5 has model 2 and stands at x = 10.
    /// head.step(&Block::new(b"\x07\0\0\x80\x3f\x83\x04\x05\x02\x50\0"));
    /// let (number, entity) = head.world.shown().next().unwrap();
    /// assert_eq!((number, entity.look.model, entity.place.origin[0].value()), (5, 2, 10.0));
    /// // Later no update contains it any more, so it is not drawn.
    /// head.step(&Block::new(b"\x07\0\0\0\x40"));
    /// assert_eq!(head.world.shown().count(), 0);
    /// ```
    pub fn shown(&self) -> impl Iterator<Item = (u16, &Entity)> {
        let updated = self.updated.iter(self.clock.epoch).filter(|number| *number != 0);
        let updated = updated.filter_map(|number| Some((number, self.entities.get(number)?)));
        updated.filter(|(_, entity)| entity.is_shown(&self.clock))
    }

    /// A copy without entities and baselines, which take up most of a world's size.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake};
    /// let mut head = Playhead::<quake::World>::new();
    /// head.step(&Block::new(b"\x07\0\0\x80\x3f\x83\x04\x05\x02\x50\0"));
    /// let copy = head.world.without_entities();
    /// assert_eq!((copy.clock.now.value(), copy.entities().count()), (1.0, 0));
    /// ```
    #[must_use]
    pub fn without_entities(&self) -> Self {
        Self {
            level: self.level.clone(),
            clock: self.clock,
            signon: self.signon,
            paused: self.paused,
            disconnected: self.disconnected,
            view: self.view,
            vitals: self.vitals,
            stats: self.stats,
            players: self.players.clone(),
            lights: self.lights.clone(),
            statics: self.statics.clone(),
            static_sounds: self.static_sounds.clone(),
            music: self.music,
            ending: self.ending.clone(),
            center: self.center.clone(),
            damage: self.damage,
            sky: self.sky.clone(),
            fog: self.fog,
            pictures: self.pictures.clone(),
            console: self.console.clone(),
            moment: self.moment.clone(),
            lasting: LastingEntities::default(),
            stat_texts: self.stat_texts.clone(),
            baselines: Arc::default(),
            entities: Pages::default(),
            updated: Marks::default(),
        }
    }

    /// The entity that holds the camera, if it exists.
    pub fn eyes(&self) -> Option<&Entity> {
        self.entity(self.view.entity as u16)
    }

    /// Whether the game goes on: no final screen has come, or only a cutscene without a text. `LibreQuake` sends one at the
    /// beginning of its demonstrations to hide the bars, while the player keeps body and eyes.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake};
    /// let mut head = Playhead::<quake::World>::new();
    /// assert!(head.world.is_played());
    /// head.step(&Block::new(b"\x22\0"));
    /// assert!(!head.world.is_played(), "nobody's body is there");
    /// ```
    pub fn is_played(&self) -> bool {
        match self.ending.scene {
            FinalScreen::Play => true,
            FinalScreen::Intermission | FinalScreen::Finale => false,
            FinalScreen::Cutscene => {
                let is_player = (1..=u16::from(self.level.max_clients)).contains(&(self.view.entity as u16));
                let has_body = self.eyes().is_some_and(|eyes| eyes.is_shown(&self.clock));
                self.ending.text.bytes().is_empty() && is_player && has_body
            }
        }
    }

    /// The text that a finale or cutscene shows: its own, or one that was sent later.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake};
    /// let mut head = Playhead::<quake::World>::new();
    /// head.step(&Block::new(b"\x1alook\0"));
    /// assert!(head.world.caption().is_none(), "while the game goes on, texts go by themselves");
    /// head.step(&Block::new(b"\x22\0"));
    /// assert_eq!(head.world.caption().unwrap().bytes(), b"");
    /// head.step(&Block::new(b"\x1alisten\0"));
    /// assert_eq!(head.world.caption().unwrap().bytes(), b"listen");
    /// ```
    pub fn caption(&self) -> Option<&Text> {
        match self.ending.scene {
            FinalScreen::Play | FinalScreen::Intermission => None,
            FinalScreen::Finale | FinalScreen::Cutscene => {
                Some(self.center.as_ref().map_or(&self.ending.text, |(_, text)| text))
            }
        }
    }

    fn player(&mut self, slot: u8) -> Option<&mut Player> {
        let players = Arc::make_mut(&mut self.players);
        if players.len() <= usize::from(slot) {
            players.resize(usize::from(slot).saturating_add(1), Player::default());
        }
        players.get_mut(usize::from(slot))
    }

    /// Begins a level: as in engines, everything but the settings is reset.
    fn enter(&mut self, it: &dem::ServerInfo<'_>) {
        let numbered =
            |list: StrList<'_>| std::iter::once(Text::default()).chain(list.iter().map(Text::from)).collect();
        let mut context = Context::quake();
        context.enter_level(it);
        let level = Level {
            protocol: it.protocol.version(),
            protocol_flags: it.protocol.flags(),
            lists_entities: context.lists_entities(),
            has_stats_only: context.sends_stats(),
            max_clients: it.maxclients,
            game_type: it.multi,
            title: it.mapname.into(),
            models: numbered(it.precache.models()),
            sounds: numbered(it.precache.sounds()),
        };
        *self = Self {
            level: Arc::new(level),
            players: Arc::new(vec![Player::default(); usize::from(it.maxclients)]),
            view: CameraView { angles: self.view.angles, ..CameraView::default() },
            moment: std::mem::take(&mut self.moment),
            console: std::mem::take(&mut self.console).enter(),
            ..Self::default()
        };
    }

    fn set_baseline(&mut self, number: i16, baseline: Baseline) {
        if let Some(place) = Arc::make_mut(&mut self.baselines).entry(number as u16) {
            *place = baseline;
        }
    }

    fn end(&mut self, scene: FinalScreen, text: Text) {
        self.ending = Ending { scene, time: self.clock.now, text };
        if self.caption().is_some() {
            // Engines keep this text and the centered one in one string.
            self.center = None;
        }
    }

    fn happens(&mut self, happening: Happening) {
        self.moment.push(happening);
    }
}

impl crate::World for World {
    type Dialect = Quake;

    fn begin_block(&mut self, block: &Block<'_>) {
        self.moment.clear();
        self.view.angles = block.angles.map(Float);
    }

    #[inline]
    fn apply(&mut self, entry: &Entry<Message<'_>>) {
        match &entry.message {
            Message::UpdateEntity(it) => {
                // The first update completes the connection.
                if self.signon == PLAYING - 1 {
                    self.signon = PLAYING;
                }
                let none = Baseline::default();
                let base = self.baselines.get(it.entity.0).unwrap_or(&none);
                if let Some(entity) = self.entities.entry(it.entity.0) {
                    entity.update(it, base, &self.clock);
                    self.updated.mark(it.entity.0, self.clock.epoch);
                }
            }
            Message::Time(it) => self.set_time(it.time.seconds),
            Message::ClientData(it) => self.vitals.update(it, &mut self.stats),
            Message::Sound(it) => self.happens(Happening::Sound(it.into())),
            Message::Particle(it) => self.happens(Happening::Particles(Particles {
                origin: it.origin,
                velocity: it.vel,
                count: it.count,
                color: it.color,
            })),
            Message::TempEntity(it) => self.happens(Happening::Effect(it.into())),
            other => self.apply_rare(other),
        }
    }

    #[inline]
    fn end_block(&mut self) {
        self.console.end_frame();
    }

    fn state_hash(&self) -> u64 {
        Hash64::of(|hash| self.fold(hash))
    }

    fn view_hash(&self) -> u64 {
        Hash64::of(|hash| self.fold_view(hash))
    }
}

impl World {
    fn apply_rare(&mut self, message: &Message<'_>) {
        match message {
            Message::ServerInfo(it) => self.enter(it),
            Message::Version(it) => Arc::make_mut(&mut self.level).protocol = it.serverversion,
            Message::SignonNum(it) => self.signon = it.signon,
            Message::Disconnect(_) => self.disconnected = true,
            Message::SetPause(it) => self.paused = it.pausestate != 0,
            Message::SetView(it) => self.view.entity = it.entity,
            Message::SetAngle(it) => self.view.set = Some(it.angles),
            Message::UpdateStat(it) => self.set_stat(it.index, f64::from(it.value)),
            Message::UpdateStatByte(it) => self.set_stat(it.index, f64::from(it.value)),
            Message::UpdateStatString(it) => self.stat_texts.set(usize::from(it.index), it.string.into()),
            Message::UpdateStatFloat(it) => self.set_stat(it.index, f64::from(it.value.value())),
            Message::PlayerData(it) => {
                self.vitals.update_darkplaces(it, self.level.has_stats_only, &mut self.stats);
            }
            Message::DarkPlacesFrame(it) => self.take_darkplaces_frame(it),
            Message::UpdateEntities(it) => self.take_fte_frame(it),
            Message::PrecacheOne(it) => self.precache(it.index, it.name.into()),
            Message::LightStyle(it) => self.lights.set(usize::from(it.style), it.string.into()),
            Message::CdTrack(it) => {
                self.music = Some([it.fromtrack, it.totrack]);
                self.console.forget(Console::TRACKS);
            }
            Message::SkyBox(it) => {
                self.sky = it.sky.into();
                self.console.forget(Console::SKIES);
            }
            Message::Fog(it) => {
                self.see_fog(Fog::Fitz([it.density, it.red, it.green, it.blue], it.time));
            }
            Message::NehahraFogMessage(it) => self.see_fog(Fog::Nehahra(it.fog)),
            Message::Intermission(_) => self.end(FinalScreen::Intermission, Text::default()),
            Message::Finale(it) => self.end(FinalScreen::Finale, it.string.into()),
            Message::Cutscene(it) => self.end(FinalScreen::Cutscene, it.string.into()),
            Message::UpdateName(_) | Message::UpdateFrags(_) | Message::UpdateColors(_) => {
                self.apply_player(message);
            }
            Message::SpawnBaseline(it) => self.set_baseline(it.entity, it.into()),
            Message::SpawnBaseline2(it) => self.set_baseline(it.entity, it.into()),
            Message::DarkPlacesBaseline(it) => self.set_baseline(it.entity, it.into()),
            Message::SpawnBaselineFte(it) => {
                if let Ok(number) = u16::try_from(it.entity.0) {
                    self.set_baseline(number as i16, (&it.state).into());
                }
            }
            Message::DarkPlacesStatic(it) => Arc::make_mut(&mut self.statics).push(it.into()),
            Message::SpawnStaticFte(it) => Arc::make_mut(&mut self.statics).push((&it.state).into()),
            Message::DarkPlacesStaticSound(it) => {
                self.add_static_sound(it.soundnum, it.origin, (it.vol, it.attenuation));
            }
            Message::SpawnStatic(it) => Arc::make_mut(&mut self.statics).push(it.into()),
            Message::SpawnStatic2(it) => Arc::make_mut(&mut self.statics).push(it.into()),
            Message::SpawnStaticSound(it) => {
                self.add_static_sound(it.soundnum.number, it.origin, (it.vol, it.attenuation));
            }
            Message::SpawnStaticSound2(it) => {
                self.add_static_sound(it.soundnum, it.origin, (it.vol, it.attenuation));
            }
            other => self.apply_happening(other),
        }
    }

    fn set_stat(&mut self, index: u8, value: f64) {
        self.stats.set_at(index, value as i32);
        self.take_vital(index, value);
    }

    /// Adds a model or a sound to the level. The upper two bits say which of them it is; particles are not kept.
    fn precache(&mut self, index: u16, name: Text) {
        let level = Arc::make_mut(&mut self.level);
        let number = usize::from(index & 0x3FFF);
        match index >> 14 {
            0 => level.models.set(number, name),
            2 => level.sounds.set(number, name),
            _ => {}
        }
    }

    fn see_fog(&mut self, fog: Fog) {
        self.fog = fog;
        self.console.forget(Console::FOGS);
    }

    fn add_static_sound(&mut self, number: u16, origin: [Coord; 3], how: (Volume, Attenuation)) {
        let sound = StaticSound { number, origin, volume: how.0, attenuation: how.1 };
        Arc::make_mut(&mut self.static_sounds).push(sound);
    }

    fn apply_player(&mut self, message: &Message<'_>) {
        match message {
            Message::UpdateName(it) => {
                if let Some(player) = self.player(it.player) {
                    player.name = it.netname.into();
                }
            }
            Message::UpdateFrags(it) => {
                if let Some(player) = self.player(it.player) {
                    player.frags = it.frags;
                }
            }
            Message::UpdateColors(it) => {
                if let Some(player) = self.player(it.player) {
                    player.colors = it.colors;
                }
            }
            _ => {}
        }
    }

    fn apply_happening(&mut self, message: &Message<'_>) {
        let happening = match message {
            Message::Print(it) => Happening::Print(it.string.into()),
            Message::StuffText(it) => {
                self.console.feed(it.string.bytes());
                Happening::Command(it.string.into())
            }
            Message::CenterPrint(it) => {
                let text = Text::from(it.string);
                self.center = Some((self.clock.now, text.clone()));
                Happening::CenterPrint(text)
            }
            Message::Damage(it) => {
                let damage = Damage { armor: it.save, health: it.take, origin: it.origin };
                self.damage = Some((self.clock.now, damage));
                Happening::Damage(damage)
            }
            Message::KilledMonster(_) => {
                self.stats.count(Stat::Monsters);
                Happening::Kill
            }
            Message::FoundSecret(_) => {
                self.stats.count(Stat::Secrets);
                Happening::Secret
            }
            Message::ShowLmp(it) => {
                let picture = HudPicture { file: it.lmp.into(), at: [it.x, it.y].map(i16::from) };
                Arc::make_mut(&mut self.pictures).insert(it.slot.into(), picture);
                return;
            }
            Message::DarkPlacesPicture(it) => {
                let picture = HudPicture { file: it.lmp.into(), at: [it.x, it.y] };
                Arc::make_mut(&mut self.pictures).insert(it.slot.into(), picture);
                return;
            }
            Message::DarkPlacesTempEntity(it) => match it.effect.in_usual_form() {
                Some(usual) => Happening::Effect((&usual).into()),
                None => Happening::DarkPlacesEffect(it.effect.values()),
            },
            Message::HideLmp(it) => {
                Arc::make_mut(&mut self.pictures).remove(&Text::from(it.slot));
                return;
            }
            Message::StopSound(it) => Happening::StopSound(it.source),
            Message::LocalSound(it) => Happening::LocalSound(it.soundnum.0),
            Message::BonusFlash(_) => Happening::Flash,
            Message::SellScreen(_) => Happening::SellScreen,
            Message::Achievement(it) => Happening::Achievement(it.name.0.into()),
            Message::SpriteEffect(it) => Happening::Foreign(u16::from(it.modelindex), it.origin),
            Message::SpriteEffect2(it) => Happening::Foreign(it.modelindex, it.origin),
            Message::TrailParticles(it) => Happening::Foreign(it.effect, it.trace_endpos),
            Message::PointParticles(it) => Happening::Foreign(it.effect, it.origin),
            Message::PointParticles1(it) => Happening::Foreign(it.effect, it.origin),
            Message::VoiceChat(it) => Happening::Voice(it.player),
            _ => return,
        };
        self.happens(happening);
    }
}

impl Fold for World {
    fn fold(&self, hash: &mut Hash64) {
        #[rustfmt::skip]
        let Self {
            level, clock, signon, paused, disconnected, view, vitals, stats, players, lights, statics, static_sounds,
            music, ending, center, damage, sky, fog, pictures, console, moment, lasting, stat_texts,
            baselines, entities, updated: _,
        } = self;
        level.fold(hash);
        (clock.now, clock.before).fold(hash);
        [*signon, u8::from(*paused), u8::from(*disconnected)].fold(hash);
        view.fold(hash);
        vitals.fold(hash);
        stats.fold(hash);
        players.fold(hash);
        lights.fold(hash);
        statics.fold(hash);
        static_sounds.fold(hash);
        music.fold(hash);
        ending.fold(hash);
        center.fold(hash);
        damage.fold(hash);
        sky.fold(hash);
        fog.fold(hash);
        pictures.fold(hash);
        console.fold(hash);
        moment.fold(hash);
        lasting.fold(hash);
        stat_texts.fold(hash);
        // A page also contains default values, which all worlds share; so the number of pages must not count.
        let none = Baseline::default();
        for (number, baseline) in baselines.iter().filter(|(_, baseline)| **baseline != none) {
            number.fold(hash);
            baseline.fold(hash);
        }
        let none = Entity::default();
        for (number, entity) in entities.iter().filter(|(_, entity)| **entity != none) {
            number.fold(hash);
            entity.fold(clock, hash);
        }
    }
}
