//! Measures Quake II's messages.

use super::Measure;
use crate::findings::CheckCode;
use crate::judge::Judge;
use crate::place::{Place, ReaderPosition};
use crate::scan::SeenMessage;
use moviola_format::dm2::{CHANGED, Message, OLDEST, PlayerInfo};
use moviola_format::names::quake2::{CS_MODELS, MAX_CONFIGSTRINGS, id_config, q2pro_part};
use moviola_format::q2pro::Q2proPlayer;
use moviola_format::{Flags, FrameForm, Str, te};

/// The number of frames that a client keeps as bases of later ones.
const KEPT_FRAMES: usize = 16;

/// The command that loads the level.
const PRECACHE: &[u8] = b"precache"; // not from SCHEMA: a command of the console

/// Commands with which a server sends its clients to the next level, which then must begin before the next frame; and
/// the command that disconnects them.
// not from SCHEMA: commands of the console
const NEXT_LEVEL_COMMANDS: [&[u8]; 2] = [b"changing", b"reconnect"];
const DISCONNECT: &[u8] = b"disconnect"; // not from SCHEMA: a command of the console

/// The config string that names the level's file; the size of each string, and of all together.
const MAP: i64 = CS_MODELS as i64 + 1;
const SLOT: i64 = 64;
const CONFIG_BYTES: i64 = MAX_CONFIGSTRINGS as i64 * SLOT;

/// The greatest number of an entity with Q2PRO's extended limits.
const LAST_ENTITY: i64 = 8191;

/// The message that must come next in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ExpectedMessage {
    #[default]
    Anything,
    Player,
    Entities,
}

/// The state after earlier messages.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    levels: u32,
    /// The place of a config string before any level is announced.
    early: Option<Place>,
    /// The place where a level was announced, until its first frame.
    announced: Option<Place>,
    /// The place where the client was asked to reconnect.
    reconnect: Option<Place>,
    /// The place at which the client was sent to the next level, and whether frames of this level followed, since the
    /// level goes on for some frames.
    sent: Option<(Place, bool)>,
    /// Whether the level is loaded, or was reported as not loaded.
    loaded: bool,
    /// Whether a config string names the level's file.
    named: bool,
    /// Whether the current frame is a full one, not a delta.
    is_full_frame: bool,
    expected: ExpectedMessage,
    /// The last frames that can be built on, each in its place.
    frames: [Option<i32>; KEPT_FRAMES],
}

impl State {
    pub(super) fn begin_block(&mut self) {
        self.expected = ExpectedMessage::Anything;
    }

    pub(super) fn end_block(&mut self, judge: &mut Judge, here: &ReaderPosition) {
        if self.expected != ExpectedMessage::Anything {
            judge.observe(CheckCode::OutOfPlace, 0, here.message());
        }
    }

    /// Ends the file; `unread` says whether a part of it could not be read.
    pub(super) fn close(&self, judge: &mut Judge, unread: bool) {
        if let Some(place) = self.announced.filter(|_| !unread) {
            judge.observe(CheckCode::NoSignon, 0, place);
        }
        if let Some((place, true)) = self.sent {
            judge.observe(CheckCode::SentAway, 0, place);
        }
    }

    pub(super) fn measure_message(
        &mut self,
        judge: &mut Judge,
        seen: &SeenMessage<'_>,
        message: &Message<'_>,
    ) {
        let here = seen.here;
        if seen.unicast.is_some() {
            judge.observe(CheckCode::RelayFrame, 0, here.message());
        }
        self.order(judge, seen, message);
        let mut text = |string: Str<'_>| Measure::string(judge, seen, string);
        match message {
            Message::FrameMessage(it) => self.frame(judge, seen, &it.head),
            Message::PacketEntities(it) => {
                for (_, number) in it.entities.heads() {
                    judge.number(CheckCode::EntityNumber, i64::from(number), || here.message());
                }
            }
            Message::Q2proEntities(_) | Message::Q2proPlayerInfo(_) => self.q2pro(judge, here, message),
            Message::SpawnBaseline(it) => {
                judge.number(CheckCode::EntityNumber, i64::from(it.entity.0), || here.message());
            }
            Message::Sound(it) => {
                // Engines read the 16 bits with a sign, and check only whether the entity is too large.
                let entity = it.source.0 as i16 >> 3;
                judge.number(CheckCode::SoundEntity, i64::from(entity), || here.message());
            }
            Message::TempEntity(it) => {
                let kind = it.flags.number();
                judge.observe(CheckCode::TempEntityKnown, i64::from(kind), here.message());
                if it.flags.was_another() && seen.context.quake2_protocol() < CHANGED {
                    judge.observe(CheckCode::OldTempEntity, i64::from(kind), here.message());
                }
                if it.flags.has(te::DIR) {
                    judge.number(CheckCode::Direction, i64::from(it.movedir.0), || here.message());
                }
            }
            Message::MuzzleFlash(it) => {
                judge.observe(CheckCode::FlashEntity, i64::from(it.entity), here.message());
            }
            Message::MuzzleFlash2(it) => {
                judge.observe(CheckCode::FlashEntity, i64::from(it.entity), here.message());
            }
            Message::ConfigString(it) => {
                text(it.string);
                self.config(judge, seen, i64::from(it.index), it.string.bytes());
            }
            Message::PlayerInfo(it) => {
                let has_fov = it.flags.has(PlayerInfo::fov);
                // Only a full frame inherits nothing from an earlier frame.
                if has_fov || self.is_full_frame {
                    judge.observe(
                        CheckCode::FieldOfView,
                        if has_fov { i64::from(it.fov) } else { 0 },
                        here.message(),
                    );
                }
            }
            Message::Reconnect(_) => self.reconnect = Some(here.message()),
            Message::Print(it) => text(it.string),
            Message::CenterPrint(it) => text(it.string),
            Message::Layout(it) => text(it.string),
            Message::StuffText(it) => {
                text(it.string);
                self.loaded |= it.string.bytes().starts_with(PRECACHE);
                match it.string.bytes().trim_ascii() {
                    DISCONNECT => judge.observe(CheckCode::SentAway, 0, here.message()),
                    command if NEXT_LEVEL_COMMANDS.contains(&command) => {
                        self.sent = self.sent.or(Some((here.message(), false)));
                    }
                    _ => {}
                }
            }
            Message::Download(it) => {
                judge.observe(CheckCode::Download, 0, here.message());
                judge.observe(CheckCode::DownloadSize, i64::from(it.piece.size), here.message());
                if it.piece.size > 0 && seen.context.quake2_protocol() < CHANGED {
                    judge.observe(CheckCode::OldDownload, 0, here.message());
                }
            }
            Message::ServerData(it) => {
                [it.game, it.mapname].into_iter().for_each(text);
                judge.observe(CheckCode::ProtocolSpoken, i64::from(it.serverversion), here.message());
                self.levels += 1;
                match (self.levels, self.early) {
                    (1, Some(place)) => judge.observe(CheckCode::EarlyConfig, 0, place),
                    (2, _) => judge.observe(CheckCode::SecondLevel, 0, here.message()),
                    _ => {}
                }
                let announced = (self.levels == 1).then(|| here.message());
                *self = Self { levels: self.levels, announced, ..Self::default() };
            }
            Message::Bad(_) | Message::DeltaPacketEntities(_) => {
                let op = moviola_format::Message::op(message);
                judge.observe(CheckCode::MessageKnown, i64::from(op), here.message());
            }
            _ => {}
        }
    }

    /// Messages with Q2PRO's extended limits.
    fn q2pro(&self, judge: &mut Judge, here: &ReaderPosition, message: &Message<'_>) {
        match message {
            Message::Q2proEntities(it) => {
                for entity in it.entities.iter().filter(|it| i64::from(it.entity.0) > LAST_ENTITY) {
                    judge.number(CheckCode::EntityNumber, i64::from(entity.entity.0), || here.message());
                }
            }
            Message::Q2proPlayerInfo(it) => {
                let fov = it.player.get().filter(|it| it.flags.has(Q2proPlayer::fov)).map(|it| it.fov);
                if fov.is_some() || self.is_full_frame {
                    let fov = i64::from(fov.unwrap_or_default());
                    judge.observe(CheckCode::FieldOfView, fov, here.message());
                }
            }
            _ => {}
        }
    }

    fn config(&mut self, judge: &mut Judge, seen: &SeenMessage<'_>, index: i64, text: &[u8]) {
        let part = u16::try_from(index).ok().filter(|_| seen.context.limits.is_extended());
        if let Some(number) = part.filter(|number| q2pro_part(*number).is_some()) {
            if id_config(number).map(i64::from) == Some(MAP) {
                self.named = !text.is_empty();
            }
            return;
        }
        judge.observe(CheckCode::ConfigIndex, index, seen.here.message());
        self.early = self.early.or_else(|| (self.levels == 0).then(|| seen.here.message()));
        if index == MAP {
            self.named = !text.is_empty();
        }
        let over = index * SLOT + text.len() as i64 + 1 - CONFIG_BYTES;
        if over > 0 && index < CONFIG_BYTES / SLOT {
            judge.observe(CheckCode::ConfigRoom, over, seen.here.message());
        }
    }

    /// Checks the order of a frame's parts, which a client requires.
    fn order(&mut self, judge: &mut Judge, seen: &SeenMessage<'_>, message: &Message<'_>) {
        let (fits, next) = match (message, self.expected) {
            (Message::PlayerInfo(_) | Message::Q2proPlayerInfo(_), expected) => {
                (expected == ExpectedMessage::Player, ExpectedMessage::Entities)
            }
            (Message::PacketEntities(_) | Message::Q2proEntities(_), expected) => {
                (expected == ExpectedMessage::Entities, ExpectedMessage::Anything)
            }
            (Message::FrameMessage(it), expected) => {
                // A form other than a client's is reported separately.
                let next = if it.head.form == FrameForm::Client {
                    ExpectedMessage::Player
                } else {
                    ExpectedMessage::Entities
                };
                (expected == ExpectedMessage::Anything, next)
            }
            (_, expected) => (expected == ExpectedMessage::Anything, ExpectedMessage::Anything),
        };
        if !fits {
            judge.observe(CheckCode::OutOfPlace, 0, seen.here.message());
        }
        self.expected = next;
    }

    fn frame(&mut self, judge: &mut Judge, seen: &SeenMessage<'_>, head: &moviola_format::FrameHead<'_>) {
        let here = seen.here;
        self.announced = None;
        match head.form {
            FrameForm::Server => return judge.observe(CheckCode::ServerFrame, 0, here.message()),
            FrameForm::Relay => return judge.observe(CheckCode::RelayFrame, 0, here.message()),
            FrameForm::Client => {}
        }
        if let Some(place) = self.reconnect.take() {
            judge.observe(CheckCode::Reconnect, 0, place);
        }
        self.sent = self.sent.map(|(place, _)| (place, true));
        if head.uk_b1.is_some() && seen.context.quake2_protocol() == OLDEST {
            judge.observe(CheckCode::OddFrame, 0, here.message());
        }
        if !self.loaded {
            self.loaded = true;
            judge.observe(CheckCode::NoPrecache, 0, here.message());
        }
        if !self.named {
            self.named = true;
            judge.observe(CheckCode::NoMap, 0, here.message());
        }
        let slot = |number: i32| number as usize % KEPT_FRAMES;
        // Every number up to 0 marks a full frame.
        let whole = head.seq2 <= 0;
        self.is_full_frame = whole;
        let valid = whole || self.frames.get(slot(head.seq2)).copied().flatten() == Some(head.seq2);
        if !valid {
            judge.observe(CheckCode::DeltaMissing, i64::from(head.seq2), here.message());
        }
        if let Some(kept) = self.frames.get_mut(slot(head.seq1)) {
            *kept = valid.then_some(head.seq1);
        }
    }
}
