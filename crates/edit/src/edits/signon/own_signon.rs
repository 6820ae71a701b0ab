//! Finds the part of the beginning that a recording still has, so that only the rest is inserted.

use crate::repair::{LEVEL, Repair, loads, resynced};
use crate::{BlockWriter, Error, PieceSink, Rewrite, Stage, rewrite};
use moviola_format::names::quake2::{
    CS_GENERAL, CS_IMAGES, CS_ITEMS, CS_LIGHTS, CS_MAXCLIENTS, CS_MODELS, CS_PLAYERSKINS, CS_SOUNDS,
};
use moviola_format::{Demo, Entry, Lasts, Message as _, dem, dm2};
use moviola_state::quake::LAST_STAGE;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::ops::Range;

/// The beginning of a recording, as far as it can be read.
#[derive(Clone, Debug, Default)]
pub(super) struct SignonAsRead {
    /// The announcement of the level.
    pub(super) announced: Option<Announced>,
    /// Quake: the signon stages, and the block of each.
    stages: BTreeMap<u8, u64>,
    /// Quake: the messages of static entities and ambient sounds, each with its number.
    statics: BTreeMap<Vec<u8>, usize>,
    /// Quake II: the config strings, and whether the command to load them is there.
    strings: BTreeMap<i16, Vec<u8>>,
    is_loaded: bool,
    baselines: BTreeSet<u16>,
    plays: bool,
    /// The number of leading blocks that are from another recording and serve only as context.
    leading_blocks: u64,
}

/// A message that announces a level.
#[derive(Clone, Debug)]
pub(super) struct Announced {
    pub(super) block: u64,
    /// The block, and where in it the message is.
    data: Vec<u8>,
    message: Range<usize>,
}

/// A correction: the bytes that belong at this place of a block.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) place: Range<usize>,
    pub(super) right: Vec<u8>,
}

/// An announcement with at most this many damaged bytes is still recognized.
const DAMAGE: usize = 64;

/// This many damaged bytes are accepted anywhere in an announcement.
const SCRATCH: usize = 8;

/// At most this many damaged config strings are accepted.
const MAX_DAMAGED: usize = 4;

/// An announcement is recognized by this many bytes at its end.
const TAIL: usize = 48;

impl SignonAsRead {
    /// Reads the beginning of a recording that follows this many blocks of another recording.
    pub(super) fn after_blocks(lent: u64, recording: &[u8]) -> Result<Self, Error> {
        let mut own = Self { leading_blocks: lent, ..Self::default() };
        rewrite(recording, &mut own, io::sink())?;
        Ok(own)
    }

    /// The beginning of a recording, without the parts that are damaged.
    pub(super) fn mended(recording: &[u8]) -> Result<Self, Error> {
        let (mut own, mut repair) = (Self::default(), Repair::looking());
        let mut demo = Demo::new(resynced(Box::new(recording)))?;
        let mut last = Stage::to_file(&mut own, io::sink());
        let mut stages = Stage::new(&mut repair, &mut last);
        stages.begin(demo.format())?;
        while let Some(piece) = demo.next_piece()? {
            stages.take(&piece)?;
        }
        stages.end()?;
        drop(stages);
        drop(last);
        Ok(own)
    }

    /// The correction of Quake's announcement of the level, from the announcement in another recording.
    pub(super) fn patch(&self, right: &[u8]) -> Option<Patch> {
        let Announced { data, message, .. } = self.announced.as_ref()?;
        let rest = data.get(message.start..)?;
        let tail = right.get(right.len().saturating_sub(TAIL)..)?;
        let end = rest.windows(TAIL).position(|bytes| bytes == tail).map(|at| at.saturating_add(TAIL));
        let end = end.or_else(|| (message.len() == right.len()).then_some(right.len()))?;
        let found = rest.get(..end)?;
        let alike = |(one, other): &(&u8, &u8)| one == other;
        let before = found.iter().zip(right).take_while(alike).count();
        let most = found.len().min(right.len()).saturating_sub(before);
        let behind = found.iter().rev().zip(right.iter().rev()).take_while(alike).count().min(most);
        let middle = |bytes: &[u8]| {
            let middle = bytes.get(before..bytes.len().saturating_sub(behind)).unwrap_or_default();
            (middle.len(), middle.split(|byte| *byte == 0).count())
        };
        let ((wrong, ends), (lacks, others)) = (middle(found), middle(right));
        let is_damage = ends == others || message.len() != found.len() || wrong.max(lacks) <= SCRATCH;
        let place = message.start..message.start.saturating_add(end);
        (wrong.max(lacks) > 0 && wrong.max(lacks) <= DAMAGE && is_damage)
            .then(|| Patch { place, right: right.to_vec() })
    }

    /// Whether a recording of Quake lacks a message of another's beginning, which leads to this stage.
    pub(super) fn lacks(&mut self, stage: u8, message: &dem::Message<'_>, bytes: &[u8]) -> bool {
        let first = self.stages.keys().next().copied().unwrap_or(u8::MAX);
        let is_own = self.stages.contains_key(&stage);
        let is_past = if self.announced.is_some() {
            is_own || !(2..=LAST_STAGE).contains(&stage)
        } else {
            stage > first
        };
        match message {
            _ if is_past => false,
            _ if is_own && !is_of_level(message) => false,
            dem::Message::SpawnBaseline(it) => !self.has_baseline(it.entity),
            dem::Message::SpawnBaseline2(it) => !self.has_baseline(it.entity),
            _ => match self.statics.get_mut(bytes) {
                Some(left @ 1..) => {
                    *left = left.saturating_sub(1);
                    false
                }
                _ => true,
            },
        }
    }

    /// The block after which a stage of Quake's connection is missing.
    pub(super) fn before(&self, stage: u8) -> Option<u64> {
        let announced = self.announced.as_ref()?.block;
        Some(self.stages.range(..stage).next_back().map_or(announced, |(_, block)| *block))
    }

    /// The damaged config strings of Quake II, found by comparison with another recording.
    pub(super) fn hit(&self, others: &BTreeMap<i16, Vec<u8>>) -> BTreeMap<i16, Vec<u8>> {
        let names = [(0, CS_MAXCLIENTS - 1), (CS_MAXCLIENTS + 1, CS_LIGHTS), (CS_ITEMS, CS_PLAYERSKINS)];
        let is_name =
            |number: i16| names.iter().any(|(from, to)| (*from as i16..*to as i16).contains(&number));
        let is_hit = |(number, right): &(&i16, &Vec<u8>)| {
            let found = self.strings.get(number).filter(|found| found != right);
            let is_near = |found: &Vec<u8>| {
                let alike = |(one, other): &(&u8, &u8)| one == other;
                let before = found.iter().zip(*right).take_while(alike).count();
                let behind = found.iter().rev().zip(right.iter().rev()).take_while(alike).count();
                let alike = before.saturating_add(behind);
                alike.saturating_add(SCRATCH) >= found.len().max(right.len()) || before == found.len()
            };
            is_name(**number) && found.is_some_and(is_near)
        };
        let hit: BTreeMap<i16, Vec<u8>> =
            others.iter().filter(is_hit).map(|(number, right)| (*number, right.clone())).collect();
        // If many strings differ, the other recording is of another server.
        if hit.len() <= MAX_DAMAGED { hit } else { BTreeMap::new() }
    }

    /// Whether the beginning lacks this message of Quake II.
    pub(super) fn lacks_quake2(&self, message: &dm2::Message<'_>) -> bool {
        // The players are not a part of the level.
        let is_players = |index: i16| (CS_PLAYERSKINS as i16..CS_GENERAL as i16).contains(&index);
        match message {
            dm2::Message::ConfigString(it) => {
                !self.strings.contains_key(&it.index) && (self.announced.is_none() || !is_players(it.index))
            }
            dm2::Message::SpawnBaseline(it) => !self.has_baseline(it.entity.0 as i16),
            dm2::Message::StuffText(it) if loads(it.string) => self.announced.is_none() && !self.is_loaded,
            _ => self.announced.is_none(),
        }
    }

    fn has_baseline(&self, entity: i16) -> bool {
        self.baselines.contains(&(entity as u16))
    }

    /// Whether the recording has all config strings that another recording of the level has.
    pub(super) fn is_whole(&self, others: &BTreeMap<i16, Vec<u8>>) -> bool {
        let has_holes = |from: u16, to: u16| {
            let mut numbers = self.strings.range(from as i16 + 1..to as i16).map(|(number, _)| *number);
            let mut next = from as i16 + 1;
            numbers.any(|number| std::mem::replace(&mut next, number.saturating_add(1)) != number)
        };
        let holes = [(CS_MODELS, CS_SOUNDS), (CS_SOUNDS, CS_IMAGES), (CS_IMAGES, CS_LIGHTS)];
        let first = others.range(..LEVEL).all(|(number, _)| self.strings.contains_key(number));
        let is_complete = self.strings.contains_key(&LEVEL) && first && !self.baselines.is_empty();
        is_complete && !holes.iter().any(|(from, to)| has_holes(*from, *to))
    }

    /// Whether another recording is of this level, judged by the config strings that both have.
    pub(super) fn is_of(&self, others: &BTreeMap<i16, Vec<u8>>) -> bool {
        if let (Some(own), Some(other)) = (self.strings.get(&LEVEL), others.get(&LEVEL)) {
            return own == other;
        }
        let models = self.strings.range(LEVEL..CS_SOUNDS as i16);
        let (mut same, mut different) = (0u32, 0u32);
        for (number, name) in models {
            match others.get(number) {
                Some(other) if other == name => same = same.saturating_add(1),
                Some(_) => different = different.saturating_add(1),
                None => {}
            }
        }
        different <= same / 4
    }
}

impl Rewrite for SignonAsRead {
    fn source<'s>(&self, source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
        resynced(source)
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            _ if self.plays || writer.place().block < self.leading_blocks => {}
            dem::Message::ServerInfo(_) => self.announce(entry.at, writer),
            dem::Message::SignonNum(it) => drop(self.stages.insert(it.signon, self.number(writer))),
            dem::Message::SpawnBaseline(it) => drop(self.baselines.insert(it.entity as u16)),
            dem::Message::SpawnBaseline2(it) => drop(self.baselines.insert(it.entity as u16)),
            message if is_of_level(message) => {
                let count = self.statics.entry(writer.bytes().to_vec()).or_default();
                *count = count.saturating_add(1);
            }
            dem::Message::UpdateEntity(_)
            | dem::Message::DarkPlacesFrame(_)
            | dem::Message::UpdateEntities(_) => self.plays = true,
            _ => {}
        }
        writer.keep();
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            _ if self.plays => {}
            dm2::Message::ServerData(_) => self.announce(entry.at, writer),
            dm2::Message::ConfigString(it) => {
                self.strings.insert(it.index, it.string.bytes().to_vec());
            }
            dm2::Message::SpawnBaseline(it) => drop(self.baselines.insert(it.entity.0)),
            dm2::Message::StuffText(it) => self.is_loaded |= loads(it.string),
            dm2::Message::FrameMessage(_) => self.plays = true,
            _ => {}
        }
        writer.keep();
    }

    fn is_done(&self) -> bool {
        self.plays
    }
}

/// Whether a message describes the level itself, which is the same for every player in it.
fn is_of_level(message: &dem::Message<'_>) -> bool {
    message.schema().properties.lasts == Lasts::Level
}

impl SignonAsRead {
    fn announce(&mut self, at: usize, writer: &BlockWriter<'_>) {
        let message = at..at.saturating_add(writer.bytes().len());
        let data = writer.block().data.to_vec();
        self.announced = Some(Announced { block: self.number(writer), data, message });
    }

    /// The number of the current block, not counting the inserted blocks.
    fn number(&self, writer: &BlockWriter<'_>) -> u64 {
        writer.place().block.saturating_sub(self.leading_blocks)
    }
}
