//! Ghosts in Quake II: entities in each frame, which wear the skins of the other recordings' players.

use super::gap::{Gaps, Track};
use super::runner::{Reel, Source};
use crate::machinery::bridge::added::AddedEntities;
use crate::machinery::bridge::quake2 as bridge;
use crate::machinery::bridge::wire;
use crate::{BlockWriter, EditOutput, Error};
use moviola_format::names::quake2::{CS_MODELS, CS_PLAYERSKINS, PLAYERS_MODEL, RENDERFX};
use moviola_format::{Block, FrameForm, Quake2, Short8, Str, dm2, names, write_message};
use moviola_state::quake2::{Entity, Frame, World};
use std::sync::Arc;

/// All ghosts of a recording.
pub(super) struct AllGhosts<'r> {
    sources: Vec<Source<'r>>,
    ghosts: Vec<Option<Runner<'r>>>,
    pub(super) added: AddedEntities,
    level: u32,
    /// The level has begun, and the ghosts with it.
    is_begun: bool,
    /// The gaps to the ghosts, if they are shown.
    gaps: Option<Gaps>,
    pub(super) gaps_shown: u64,
}

/// The model number that means the model of the player's skin.
const SKINNED: u8 = PLAYERS_MODEL as u8;

/// How it is drawn: half transparent.
const TRANSLUCENT: u32 = names::bit(RENDERFX, "RF_TRANSLUCENT") as u32;

/// The ghosts take the skins from this number downwards, since no game has this many players.
const LAST_SKIN: u16 = 255;

/// How many frames a second has.
const TENTHS: f64 = 10.0;

/// The number of missing frames up to which a ghost stays visible.
const PAUSE: i32 = 5;

fn map(world: &World) -> Vec<u8> {
    world.config.get(usize::from(CS_MODELS) + 1).to_vec()
}

impl<'r> AllGhosts<'r> {
    pub(super) fn new(sources: Vec<Source<'r>>, has_gap: bool) -> Self {
        Self {
            sources,
            ghosts: Vec::new(),
            added: AddedEntities::default(),
            level: 0,
            is_begun: false,
            gaps: has_gap.then(Gaps::default),
            gaps_shown: 0,
        }
    }

    pub(super) fn block_end(
        &mut self,
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let block = *writer.block();
        if block.is_truncated() {
            return Ok(());
        }
        if writer.place().level != self.level {
            self.level = writer.place().level;
            self.added.forget();
            (self.is_begun, self.ghosts) = (false, Vec::new());
        }
        let frames = self.added.play(&block);
        if frames.iter().flatten().any(|frame| frame.form != FrameForm::Client) {
            let why = "only a client's recording can have ghosts: make one with `moviola view`";
            return Err(Error::Impossible(why.into()));
        }
        let (mut loads, mut announces) = (false, false);
        for entry in block.messages::<Quake2>(self.added.context) {
            loads |= is_load(&entry.message);
            announces |= matches!(entry.message, dm2::Message::ServerData(_));
        }
        let mut skins = Vec::new();
        if !self.is_begun && (loads || !frames.is_empty()) {
            self.is_begun = true;
            skins = self.begin(writer)?;
        }
        if !announces {
            skins.drain(..).try_for_each(|skin| out.block(block.angles, &skin))?;
        }
        self.add_ghosts(&frames, writer)?;
        self.show_gap(&frames, writer);
        if !skins.is_empty() {
            // Engines forget all skins where a level is announced, so skins are sent between that and the loading.
            let (beginning, rest) = self.beginning(writer.written());
            out.block(block.angles, &beginning)?;
            skins.iter().try_for_each(|skin| out.block(block.angles, skin))?;
            writer.clear();
            writer.put_bytes(&rest);
        }
        Ok(())
    }

    /// The messages of a block that announces a level: those before the command that loads it, and the rest.
    fn beginning(&self, written: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let block = Block::new(written);
        let (mut messages, mut at) = (block.messages::<Quake2>(self.added.context), 0);
        while let Some(entry) = messages.next() {
            if is_load(&entry.message) || matches!(entry.message, dm2::Message::FrameMessage(_)) {
                break;
            }
            at = messages.pos();
        }
        let (beginning, rest) = written.split_at_checked(at).unwrap_or_default();
        (beginning.to_vec(), rest.to_vec())
    }

    /// Starts the ghosts of a level, and sends their skins, which engines need before they load the level.
    fn begin(&mut self, writer: &BlockWriter<'_>) -> Result<Vec<Vec<u8>>, Error> {
        let level = map(&self.added.head.world);
        let mut skins = Vec::new();
        if self.gaps.is_some() {
            let track = |source: &Source<'r>| Ok((source.name.clone(), track(source, &level)?));
            let tracks: Vec<_> = self.sources.iter().map(track).collect::<Result<_, Error>>()?;
            self.gaps = Some(Gaps::of(tracks));
        }
        for (slot, source) in (0..=LAST_SKIN).rev().zip(&mut self.sources) {
            let runner = Runner::begin(source, &level, slot)?;
            if let Some(runner) = &runner {
                let (text, mut bytes) = (wire(&runner.skin), Vec::new());
                let index = (CS_PLAYERSKINS + slot) as i16;
                let message = dm2::ConfigString { index, string: Str::new(&text) };
                write_message(&dm2::Message::from(message), &mut bytes, writer.context());
                skins.push(bytes);
            }
            self.ghosts.push(runner);
        }
        Ok(skins)
    }

    /// Puts the ghosts into the frames of a block.
    fn add_ghosts(&mut self, all: &[Option<Arc<Frame>>], writer: &mut BlockWriter<'_>) -> Result<(), Error> {
        let Self { sources, ghosts, added, .. } = self;
        added.put(all, writer, |frame| {
            let mut ghosts_here = Vec::new();
            for (ghost, source) in ghosts.iter_mut().zip(sources.iter()) {
                let Some(runner) = ghost else { continue };
                // A frame is a tenth of a second.
                let then = (source.shift * TENTHS).round() as i32;
                let entity = runner.at(frame.number.saturating_sub(then))?;
                ghosts_here.extend(entity.map(|entity| Entity { number: source.number, ..entity }));
            }
            Ok(ghosts_here)
        })
    }

    /// Shows the gap if it is due, unless the game itself shows a text in the middle of the screen.
    fn show_gap(&mut self, all: &[Option<Arc<Frame>>], writer: &mut BlockWriter<'_>) {
        let Some(frame) = all.iter().flatten().rfind(|frame| frame.validity.is_drawn()) else { return };
        let now = f64::from(frame.number) / TENTHS;
        let Some(gaps) = self.gaps.as_mut().filter(|gaps| gaps.is_due(now)) else { return };
        let text_since = self.added.head.world.screen(None).and_then(|screen| screen.center.as_ref());
        let has_text = text_since.is_some_and(|(since, text)| {
            !text.bytes().is_empty() && frame.number.saturating_sub(*since) < bridge::CENTER_FRAMES
        });
        let comes_text = || {
            let mut messages = writer.block().messages::<Quake2>(self.added.context);
            messages.by_ref().any(|entry| matches!(entry.message, dm2::Message::CenterPrint(_)))
        };
        // A player who is dead, or watches an intermission, does not run.
        let Some(state) = frame.player(None).filter(|state| state.pm_type == 0) else { return };
        if has_text || comes_text() {
            return;
        }
        // A frame is a tenth of a second, and so is a step of the shift.
        let shifts: Vec<f64> =
            self.sources.iter().map(|source| (source.shift * TENTHS).round() / TENTHS).collect();
        let Some(text) = gaps.text(now, state.origin.map(Short8::value), &shifts) else { return };
        let mut bytes = Vec::new();
        let message = dm2::CenterPrint { string: Str::new(&text) };
        write_message(&dm2::Message::from(message), &mut bytes, writer.context());
        if writer.written().len() + bytes.len() <= bridge::LIMIT {
            writer.put_bytes(&bytes);
            self.gaps_shown += 1;
        }
    }
}

/// Whether engines load the level at this message.
fn is_load(message: &dm2::Message<'_>) -> bool {
    // not from SCHEMA: a console command of Quake II.
    matches!(message, dm2::Message::StuffText(it) if it.string.bytes().starts_with(b"precache"))
}

/// The player of another recording in the level.
struct Runner<'r> {
    reel: Reel<'r, World>,
    map: Vec<u8>,
    /// The runner's name, model and skin, and the ghost's place in the list of skins.
    skin: Vec<u8>,
    slot: u16,
    last: Option<(i32, Entity)>,
    next: Option<(i32, Entity)>,
}

impl<'r> Runner<'r> {
    /// The runner at the first entry into this level; `None` if the level is never entered.
    fn begin(source: &mut Source<'r>, level: &[u8], slot: u16) -> Result<Option<Self>, Error> {
        let mut reel = source.reel::<World>()?;
        while reel.step()? {
            let world = &reel.head.world;
            if map(world) == level
                && let Some((number, entity)) = seen(world)
            {
                let own = world.own_entity().unwrap_or(1).saturating_sub(1);
                let skin = world.config.get(usize::from(CS_PLAYERSKINS + own.min(LAST_SKIN))).to_vec();
                let skin = if skin.is_empty() { b"ghost\\male/grunt".to_vec() } else { skin };
                let next = Some((number, entity));
                return Ok(Some(Self { reel, map: level.to_vec(), skin, slot, last: None, next }));
            }
        }
        Ok(None)
    }

    /// The runner's entity in the frame of this number, or in the last one before it; `None` before the runner enters
    /// the level and after leaving it.
    fn at(&mut self, number: i32) -> Result<Option<Entity>, Error> {
        while self.next.as_ref().is_some_and(|(next, _)| *next <= number) {
            self.last = self.next.take();
            while self.next.is_none() && self.reel.step()? {
                let world = &self.reel.head.world;
                if map(world) != self.map {
                    break;
                }
                let after = self.last.as_ref().map_or(i32::MIN, |(last, _)| *last);
                self.next = seen(world).filter(|(next, _)| *next > after);
            }
        }
        let here = self.last.as_ref().filter(|(last, _)| number.saturating_sub(*last) < PAUSE);
        Ok(here.map(|(_, entity)| {
            // The skin's higher part is the weapon in the hands.
            let skin = entity.skin & !0xFF | u32::from(self.slot);
            Entity { skin, renderfx: TRANSLUCENT, effects: 0, event: 0, sound: 0, solid: 0, ..*entity }
        }))
    }
}

/// The path that another run takes through a level, at its first visit.
fn track(source: &Source<'_>, level: &[u8]) -> Result<Track, Error> {
    let (mut reel, mut track, mut is_there) = (source.reel::<World>()?, Track::new(), false);
    while reel.step()? {
        let world = &reel.head.world;
        if map(world) == level {
            is_there = true;
            let frame = world.frame();
            if let Some(state) = frame.player(None).filter(|_| frame.validity.is_drawn()) {
                track.pass(f64::from(frame.number) / TENTHS, state.origin.map(Short8::value));
            }
        } else if is_there {
            break;
        }
    }
    Ok(track)
}

/// The recorder as an entity that other players see, and the number of the frame.
fn seen(world: &World) -> Option<(i32, Entity)> {
    let frame = world.frame();
    let own = world.own_entity()?;
    let entity = frame.entity(own).filter(|_| frame.validity.is_drawn())?;
    (entity.models.first() == Some(&SKINNED)).then_some((frame.number, *entity))
}
