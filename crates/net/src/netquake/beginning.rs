//! The messages that a recording of Quake needs at its start if it begins in the middle of a level: the recorded
//! messages of the level's signon, and the newest message about each part of the state that is sent only once.

use crate::tape::{Title, map_name};
use moviola_format::dem::{Message, UpdateStat};
use moviola_format::names::quake::{SIGNON, STAT};
use moviola_format::names::value;
use moviola_format::{Context, write_message};
use std::collections::BTreeMap;

/// The most bytes that are kept of each kind. A server with a longer beginning cannot be recorded from the middle.
const LONGEST: usize = 4 << 20;

/// The signon stage at which the level's beginning is complete.
const COMPLETE_STAGE: u8 = value(SIGNON, "spawn") as u8;

/// The stats that the client counts itself, one for each message.
const SECRETS: u8 = value(STAT, "SECRETS") as u8;
const MONSTERS: u8 = value(STAT, "MONSTERS") as u8;

/// A part of the state, in the order in which engines send them. The last number distinguishes players, light styles,
/// stats; pictures have names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Name(u8),
    Frags(u8),
    Colors(u8),
    Light(u8),
    Stat(u8),
    View,
    Music,
    Pause,
    Sky,
    Fog,
    Picture(Vec<u8>),
    /// Intermission, finale, cutscene.
    Ending,
    Signon,
}

/// The state of a level so far.
#[derive(Debug, Default)]
pub(super) struct LevelBeginning {
    pub(super) title: Title,
    stage: u8,
    signon: Vec<Vec<u8>>,
    size: usize,
    parts: BTreeMap<Part, Vec<u8>>,
    parts_size: usize,
    stats: BTreeMap<u8, i32>,
}

impl LevelBeginning {
    /// Whether all messages of the signon have arrived.
    pub(super) fn is_complete(&self) -> bool {
        self.stage >= COMPLETE_STAGE
    }

    /// The messages of the blocks with which a recording begins here.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Vec<u8>> {
        let parts: Vec<u8> = self.parts.values().flatten().copied().collect();
        let parts = Some(parts).filter(|parts| self.is_complete() && !parts.is_empty());
        self.signon.iter().cloned().chain(parts)
    }

    /// Keeps a whole message of the signon.
    pub(super) fn keep(&mut self, body: &[u8]) {
        if self.size + body.len() <= LONGEST {
            self.size += body.len();
            self.signon.push(body.to_vec());
        }
    }

    /// Handles a message of the server, with its bytes; returns whether a new level begins with it.
    pub(super) fn take(&mut self, message: &Message<'_>, bytes: &[u8], context: &Context) -> bool {
        let part = match message {
            Message::ServerInfo(it) => {
                let player = std::mem::take(&mut self.title.player);
                *self = Self::default();
                self.title.player = player;
                if let Some(path) = it.precache.models().iter().next() {
                    self.title.map = map_name(path.bytes());
                }
                return true;
            }
            Message::SignonNum(it) => {
                self.stage = it.signon;
                if it.signon <= COMPLETE_STAGE {
                    return false;
                }
                Part::Signon
            }
            Message::UpdateName(it) => Part::Name(it.player),
            Message::UpdateFrags(it) => Part::Frags(it.player),
            Message::UpdateColors(it) => Part::Colors(it.player),
            Message::LightStyle(it) => Part::Light(it.style),
            Message::UpdateStat(it) => {
                self.stats.insert(it.index, it.value);
                Part::Stat(it.index)
            }
            Message::UpdateStatByte(it) => {
                self.stats.insert(it.index, it.value.into());
                Part::Stat(it.index)
            }
            Message::UpdateStatFloat(it) => Part::Stat(it.index),
            Message::KilledMonster(_) => return self.count(MONSTERS, context),
            Message::FoundSecret(_) => return self.count(SECRETS, context),
            Message::SetView(_) => Part::View,
            Message::CdTrack(_) => Part::Music,
            Message::SetPause(_) => Part::Pause,
            Message::SkyBox(_) => Part::Sky,
            Message::Fog(_) | Message::NehahraFogMessage(_) => Part::Fog,
            Message::ShowLmp(it) => Part::Picture(it.slot.bytes().to_vec()),
            Message::DarkPlacesPicture(it) => Part::Picture(it.slot.bytes().to_vec()),
            Message::HideLmp(it) => Part::Picture(it.slot.bytes().to_vec()),
            Message::Intermission(_) | Message::Finale(_) | Message::Cutscene(_) => Part::Ending,
            _ => return false,
        };
        self.put(part, bytes);
        false
    }

    fn put(&mut self, part: Part, bytes: &[u8]) {
        let old = self.parts.get(&part).map_or(0, Vec::len);
        let size = self.parts_size - old + bytes.len();
        if size <= LONGEST {
            self.parts_size = size;
            self.parts.insert(part, bytes.to_vec());
        }
    }

    /// Adds one to a stat, as the client does.
    fn count(&mut self, index: u8, context: &Context) -> bool {
        let value = self.stats.entry(index).or_default();
        *value = value.wrapping_add(1);
        let (message, mut bytes) = (UpdateStat { index, value: *value }, Vec::new());
        write_message(&Message::UpdateStat(message), &mut bytes, context);
        self.put(Part::Stat(index), &bytes);
        false
    }
}
