//! Measures Quake's messages.

use super::Measure;
use super::clock::Clock;
use crate::findings::CheckCode;
use crate::judge::Judge;
use crate::place::Place;
use crate::scan::SeenMessage;
use moviola_format::dem::{
    CenterPrint, Cutscene, Finale, Message, ServerInfo, ShowLmp, SpawnBaseline, SpawnBaseline2, UpdateEntity,
};
use moviola_format::names::{quake as names, value};
use moviola_format::{
    Answer, DarkPlaces, Extensions, Flags, Items, SoundChannel, SoundNumber, Str, UpdateBits, te,
};

/// Ids from this one up to the entity updates are not known to Quake's own engine.
const ADDED: std::ops::Range<u8> = ShowLmp::OP..UpdateEntity::OP;

/// A bit of flag words that has no meaning in protocol 15, and announces more flags or floats elsewhere.
const SPARE: u32 = UpdateBits::MORE;

/// Bits of a sound's flags that have no meaning in protocol 15, and announce wide numbers elsewhere.
const SPARE_SOUND: u32 = SoundChannel::LARGE | SoundNumber::LARGE;

/// The signon stage before the first entity update, and the stage that this update causes.
const BEGIN: u8 = 3;
const PLAYING: u8 = 4;

/// The state after earlier messages.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// The number of players for whom there are slots; `None` before the level is announced.
    maxclients: Option<u8>,
    /// The place of the announcement.
    announced: Option<Place>,
    signon: u8,
    /// Whether entities were sent in this level, and whether they were sent before anything was visible.
    shown: bool,
    /// Whether anything of the recording is visible.
    played: bool,
    /// Whether a part of it could not be read.
    unread: bool,
    statics: i64,
    clock: Clock,
    /// The place where the clock jumped forward by so much that its time may be damaged.
    risen: Option<Place>,
}

impl State {
    /// Notes unreadable bytes, which may contain the message that seems to be missing.
    pub(super) fn unread(&mut self) {
        self.unread = true;
    }

    /// Ends the level, and with `file` the file. If the client never reached the last stage, nothing of the level was
    /// visible.
    pub(super) fn close(&mut self, judge: &mut Judge, file: bool) {
        self.played |= self.signon >= PLAYING;
        let Some(place) = self.announced.take() else { return };
        if self.signon < PLAYING && !self.unread && (self.shown || file && !self.played) {
            judge.observe(CheckCode::NoSignon, 0, place);
        }
    }

    pub(super) fn measure_message(
        &mut self,
        judge: &mut Judge,
        seen: &SeenMessage<'_>,
        message: &Message<'_>,
    ) {
        let here = seen.here;
        let extended = seen.context.extended || seen.context.fte || seen.context.darkplaces != DarkPlaces::No;
        match message {
            Message::UpdateEntity(it) => {
                self.check_announced(judge, seen, it.entity.0);
                judge.number(CheckCode::EntityNumber, i64::from(it.entity.0), || here.message());
                self.shown = true;
                if self.signon == BEGIN {
                    self.signon = PLAYING;
                }
                if it.flags.0 & SPARE != 0 && !extended {
                    let nehahra = seen.context.nehahra == Answer::Yes;
                    let code = if nehahra { CheckCode::NehahraUpdate } else { CheckCode::SpareUpdateBit };
                    judge.observe(code, i64::from(seen.context.protocol), here.message());
                }
                if self.maxclients.is_some_and(|max| it.colormap > max) {
                    judge.observe(CheckCode::Colormap, i64::from(it.colormap), here.message());
                }
            }
            Message::DarkPlacesFrame(_) | Message::UpdateEntities(_) => {
                self.shown = true;
                if self.signon == BEGIN {
                    self.signon = PLAYING;
                }
            }
            Message::Time(it) => {
                let tick = self.clock.set(f64::from(it.time.value()));
                judge.number(CheckCode::ClockBack, tick.before_pickup, || here.message());
                judge.number(CheckCode::ClockSparks, tick.sparks, || here.message());
                if tick.rises {
                    self.risen = Some(here.message());
                }
                if tick.leaps {
                    let torn = self.risen.filter(|_| tick.returns);
                    judge.observe(CheckCode::ClockLeap, 0, torn.unwrap_or_else(|| here.message()));
                }
            }
            Message::ClientData(it) => {
                self.clock.items(it.items.bits);
                if !it.items.sent {
                    judge.observe(CheckCode::ItemsAbsent, 0, here.message());
                } else if it.flags.0 & Items::BIT == 0 {
                    judge.observe(CheckCode::ItemsUnmarked, 0, here.message());
                }
                if !it.weapon.sent {
                    judge.observe(CheckCode::WeaponAbsent, 0, here.message());
                }
                if it.flags.0 & SPARE != 0 && !extended {
                    judge.observe(CheckCode::SpareClientBit, 0, here.message());
                }
            }
            Message::Sound(it) => {
                let entity = i64::from(it.source.entity);
                self.check_announced(judge, seen, it.source.entity);
                // A number that does not fit into a signed field is negative, and passes.
                if extended || entity < 0x1000 {
                    judge.number(CheckCode::SoundEntity, entity, || here.message());
                }
                if it.flags.bits() & SPARE_SOUND != 0 && !extended {
                    judge.observe(CheckCode::SpareSoundBits, 0, here.message());
                }
            }
            Message::TempEntity(it) => {
                let kind = i64::from(it.flags.number());
                if kind > LONG_KNOWN {
                    judge.observe(CheckCode::TempEntityKnown, kind, here.message());
                }
                if it.flags.has(te::COLORS) && it.range == 0 {
                    judge.observe(CheckCode::NoColors, 0, here.message());
                }
                if kind == EXPLOSION {
                    self.clock.explodes();
                }
                Measure::string(judge, seen, it.model);
            }
            _ => self.measure_rare(judge, seen, message),
        }
    }

    fn measure_rare(&mut self, judge: &mut Judge, seen: &SeenMessage<'_>, message: &Message<'_>) {
        let here = seen.here;
        let mut text = |string: Str<'_>| Measure::string(judge, seen, string);
        match message {
            Message::Print(it) => text(it.string),
            Message::Particle(it) if it.count == EXPLOSION_COUNT => self.clock.explodes(),
            Message::StuffText(it) => text(it.string),
            Message::CenterPrint(CenterPrint { string })
            | Message::Finale(Finale { string })
            | Message::Cutscene(Cutscene { string }) => {
                text(*string);
                judge.number(CheckCode::CenterText, string.bytes().len() as i64, || here.message());
            }
            Message::SkyBox(it) => text(it.sky),
            Message::HideLmp(it) => text(it.slot),
            Message::ShowLmp(it) => [it.slot, it.lmp].into_iter().for_each(text),
            Message::LightStyle(it) => {
                text(it.string);
                judge.number(CheckCode::LightStyles, i64::from(it.style), || here.message());
            }
            Message::ServerInfo(it) => self.begin(judge, seen, it),
            Message::Version(it) => {
                judge.observe(CheckCode::ProtocolSpoken, i64::from(it.serverversion), here.message());
            }
            Message::UpdateStat(it) => {
                judge.number(CheckCode::StatIndex, i64::from(it.index), || here.message());
            }
            Message::UpdateName(it) => {
                text(it.netname);
                self.player(judge, seen, it.player);
            }
            Message::UpdateFrags(it) => self.player(judge, seen, it.player),
            Message::UpdateColors(it) => self.player(judge, seen, it.player),
            Message::SignonNum(it) => {
                let stage = i64::from(it.signon);
                if it.signon > PLAYING || self.signon == PLAYING {
                    judge.observe(CheckCode::SignonStage, stage, here.message());
                }
                if it.signon <= self.signon {
                    judge.observe(CheckCode::SignonOrder, stage, here.message());
                }
                self.signon = self.signon.max(it.signon);
            }
            Message::SetView(it) => judge.observe(CheckCode::View, i64::from(it.entity), here.message()),
            Message::SpawnBaseline(SpawnBaseline { entity, .. })
            | Message::SpawnBaseline2(SpawnBaseline2 { entity, .. }) => {
                // As engines read it: a negative number is far too large.
                self.check_announced(judge, seen, *entity as u16);
                judge.number(CheckCode::EntityNumber, i64::from(*entity as u16), || here.message());
            }
            Message::SpawnStatic(_) | Message::SpawnStatic2(_) => {
                self.check_announced(judge, seen, 0);
                self.statics += 1;
                judge.number(CheckCode::StaticEntities, self.statics, || here.message());
            }
            _ => {}
        }
        let op = moviola_format::Message::op(message);
        // These dialects have their own findings, and engines that know them read their messages.
        let is_own = seen.context.fte || seen.context.darkplaces != DarkPlaces::No;
        if ADDED.contains(&op) && !is_own
            || matches!(message, Message::Bad(_) | Message::SpawnBinary(_) | Message::Cutscene(_))
        {
            judge.observe(CheckCode::MessageKnown, i64::from(op), here.message());
        }
    }

    /// A level is announced.
    fn begin(&mut self, judge: &mut Judge, seen: &SeenMessage<'_>, it: &ServerInfo<'_>) {
        let here = seen.here;
        self.close(judge, false);
        *self = Self {
            maxclients: Some(it.maxclients),
            announced: Some(here.message()),
            played: self.played,
            unread: self.unread,
            ..Self::default()
        };
        let mut text = |string: Str<'_>| Measure::string(judge, seen, string);
        text(it.mapname);
        it.precache.models().iter().chain(it.precache.sounds().iter()).for_each(&mut text);
        if !it.precache.sounds().is_terminated() {
            judge.observe(CheckCode::UnterminatedString, 0, here.message());
        }
        let protocol = i64::from(it.protocol.version());
        judge.observe(CheckCode::ProtocolSpoken, protocol, here.message());
        if it.protocol.extensions() != Extensions::default() {
            judge.observe(CheckCode::Extended, protocol, here.message());
        }
        judge.observe(CheckCode::MaxClients, i64::from(it.maxclients), here.message());
        let count = |list: moviola_format::StrList<'_>| list.iter().count() as i64;
        let models = count(it.precache.models());
        if models == 0 {
            judge.observe(CheckCode::NoModels, 0, here.message());
        }
        judge.number(CheckCode::Models, models, || here.message());
        judge.number(CheckCode::Sounds, count(it.precache.sounds()), || here.message());
    }

    fn player(&self, judge: &mut Judge, seen: &SeenMessage<'_>, slot: u8) {
        // Before a level is announced there are no slots for players.
        if self.maxclients.map_or(!self.unread, |max| slot >= max) {
            judge.observe(CheckCode::PlayerSlot, i64::from(slot), seen.here.message());
        }
    }

    /// Checks that an entity is not named before a level is announced.
    fn check_announced(&self, judge: &mut Judge, seen: &SeenMessage<'_>, entity: u16) {
        if self.maxclients.is_none() && !self.unread {
            judge.observe(CheckCode::TooEarly, i64::from(entity == 0), seen.here.message());
        }
    }
}

/// The explosion of a rocket, and the particle count that means an explosion.
const EXPLOSION: i64 = value(names::TEMP_ENTITY, "TE_EXPLOSION");
const EXPLOSION_COUNT: u8 = value(names::PARTICLE_COUNT, "explosion, 1024") as u8;

/// The last of the kinds of temporary entities that every engine knows.
const LONG_KNOWN: i64 = value(names::TEMP_ENTITY, "TE_TELEPORT");
