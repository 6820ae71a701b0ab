//! Ghosts in QuakeWorld: each is a player in a free slot, so that every engine draws it and the scores have its name.
//! Clocks of such recordings begin anywhere, so runs are compared by the time since their first moment in the level.

use super::gap::{Gaps, Track};
use super::quake::PLAYER;
use super::runner::{Sample, SampleWithModel, Source};
use crate::machinery::bridge::quakeworld as bridge;
use crate::machinery::pose::Pose;
use crate::{BlockWriter, Error};
use moviola_format::qw::{CenterPrint, Message};
use moviola_format::{
    Angle16, Audience, ClientRecords, Context, Coord, Demo, Entry, Format, Game, Piece, Stamp, Str, Table,
    client, write_message,
};
use moviola_state::quakeworld::{Body, Player, SLOTS, World};
use moviola_state::{Playhead, World as _};
use std::collections::BTreeMap;
use std::io::Read;

/// All ghosts of a recording.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the block")]
pub(super) struct AllGhosts<'r> {
    sources: Vec<Source<'r>>,
    /// The ghosts of the level, and whether each is in the scores.
    ghosts: Vec<(Option<Runner<'r>>, bool)>,
    world: World,
    /// The time of the level's first moment.
    start: Option<f64>,
    /// Whether a level was announced in the block, it has players for all, and it can be added to.
    is_new: bool,
    is_frame: bool,
    is_whole: bool,
    /// Whether the last block that names an audience is for all.
    is_for_all: bool,
    pub(super) shown_blocks: u64,
    pub(super) full_blocks: u64,
    gaps: Option<Gaps>,
    pub(super) gaps_shown: u64,
}

/// The numbers of users that ghosts have on the server: servers count from 1.
const FIRST_USER: i32 = 30_000;

/// Slots that are free during the whole recording, the last ones first.
pub(super) fn free_slots(source: impl Read) -> Result<Vec<u8>, Error> {
    let (mut demo, mut head, mut used) = (Demo::new(source)?, Playhead::<World>::new(), [false; SLOTS]);
    let mut players = std::sync::Arc::default();
    while let Some(piece) = demo.next_piece()? {
        let Piece::Block(block) = piece else { continue };
        head.step(&block);
        if !std::sync::Arc::ptr_eq(&players, &head.world.players) {
            players = std::sync::Arc::clone(&head.world.players);
            for (used, player) in used.iter_mut().zip(players.iter()) {
                *used |= Player::is_here(player);
            }
        }
    }
    Ok((0..=u8::MAX).zip(used).filter(|(_, used)| !used).map(|(slot, _)| slot).rev().collect())
}

impl<'r> AllGhosts<'r> {
    pub(super) fn new(sources: Vec<Source<'r>>, has_gap: bool) -> Self {
        Self {
            sources,
            ghosts: Vec::new(),
            world: World::default(),
            start: None,
            is_new: false,
            is_frame: false,
            is_whole: true,
            is_for_all: true,
            shown_blocks: 0,
            full_blocks: 0,
            gaps: has_gap.then(Gaps::default),
            gaps_shown: 0,
        }
    }

    pub(super) fn block(&mut self, writer: &BlockWriter<'_>) {
        let block = writer.block();
        self.world.begin_block(block);
        (self.is_frame, self.is_whole) = (false, !block.is_truncated());
        if let Stamp::Mvd { kind, .. } = block.stamp {
            match Audience::of(kind) {
                Some(Audience::Same) => {}
                audience => self.is_for_all = audience == Some(Audience::All),
            }
        }
    }

    pub(super) fn message(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.world.apply(entry);
        match &entry.message {
            Message::ServerData(_) => self.is_new = true,
            Message::PlayerInfo(_) | Message::PlayerState(_) => self.is_frame = true,
            _ => {}
        }
        writer.keep();
    }

    pub(super) fn mark_incomplete(&mut self) {
        self.is_whole = false;
    }

    pub(super) fn block_end(&mut self, writer: &mut BlockWriter<'_>) -> Result<(), Error> {
        self.world.end_block();
        if std::mem::take(&mut self.is_new) {
            self.start = None;
            self.ghosts.clear();
        }
        let is_moment = self.is_frame && self.is_whole && self.is_for_all;
        let Some(now) = self.world.seconds().filter(|_| is_moment) else { return Ok(()) };
        let start = match self.start {
            Some(start) => start,
            None => self.enter(now)?,
        };
        let since = now - start;
        let context = *writer.context();
        let (mut shows, mut bytes) = (false, Vec::new());
        for ((runner, is_known), source) in self.ghosts.iter_mut().zip(&self.sources) {
            let slot = source.number as u8;
            let Some(it) = runner else { continue };
            let (mut message, found) = (Vec::new(), it.at(since - source.shift)?);
            let is_there = found.is_some();
            match found {
                Some((sample, model)) => {
                    if !*is_known {
                        let user = FIRST_USER.saturating_add(slot.into());
                        message = bridge::user_info(slot, user, &it.tape.player().info, &context);
                    }
                    let models = &self.world.level.models;
                    // A player who has no model of their own has the usual one.
                    let number = |name: &[u8]| {
                        (1..=u8::MAX).find(|at| !name.is_empty() && models.get((*at).into()) == name)
                    };
                    let Some(model) = number(&model).or_else(|| number(PLAYER)) else { continue };
                    message.extend(body_message(
                        slot,
                        &sample.as_ghost(model.into(), &context),
                        &self.world,
                        &context,
                    ));
                }
                None if *is_known => message = bridge::user_info(slot, 0, &BTreeMap::default(), &context),
                None => continue,
            }
            if writer.written().len() + bytes.len() + message.len() > bridge::LONGEST {
                self.full_blocks += 1;
                continue;
            }
            *is_known = is_there;
            shows |= is_there;
            bytes.extend(message);
        }
        self.shown_blocks += u64::from(shows);
        if !bytes.is_empty() {
            writer.put_bytes(&bytes);
        }
        self.show_gap(since, writer);
        Ok(())
    }

    /// At the first moment of the level, the other runs begin.
    fn enter(&mut self, now: f64) -> Result<f64, Error> {
        self.start = Some(now);
        let map = self.world.level.map().to_vec();
        let begin = |source: &Source<'r>| Ok((Runner::begin(source, &map)?, false));
        self.ghosts = self.sources.iter().map(begin).collect::<Result<_, Error>>()?;
        if self.gaps.is_some() {
            let track = |source: &Source<'r>| Ok((source.name.clone(), track(source, &map)?));
            self.gaps = Some(Gaps::of(self.sources.iter().map(track).collect::<Result<Vec<_>, Error>>()?));
        }
        Ok(now)
    }

    /// Shows the gap to the recorder where it is due.
    fn show_gap(&mut self, since: f64, writer: &mut BlockWriter<'_>) {
        let Some(gaps) = self.gaps.as_mut().filter(|gaps| gaps.is_due(since)) else { return };
        let Some((me, _)) = self.world.recorder.filter(|_| !self.world.intermission) else { return };
        let Some(body) = self.world.bodies.get(usize::from(me)).filter(|it| it.seen.is_some()) else {
            return;
        };
        let shifts: Vec<f64> = self.sources.iter().map(|source| source.shift).collect();
        let Some(text) = gaps.text(since, body.origin.map(Coord::value), &shifts) else { return };
        writer.put(&Message::from(CenterPrint { string: Str::new(&text) }));
        self.gaps_shown += 1;
    }
}

/// The message with a ghost's place.
fn body_message(slot: u8, body: &Body, world: &World, context: &Context) -> Vec<u8> {
    if !world.is_mvd {
        return bridge::player(slot, body, None, 0, context);
    }
    let mut bytes = Vec::new();
    write_message(&Message::from(bridge::state(slot, body, context)), &mut bytes, context);
    bytes
}

/// The path that another run takes through a level, at its first visit.
fn track(source: &Source<'_>, map: &[u8]) -> Result<Track, Error> {
    let mut track = Track::new();
    if let Some(mut runner) = Runner::begin(source, map)? {
        while runner.read_next()? {
            runner.last_sample = runner.next_sample.take();
            if let Some(sample) = &runner.last_sample {
                track.pass(sample.time, sample.pose.origin);
            }
        }
    }
    Ok(track)
}

impl Sample<Body> {
    /// The player at this pose, with a model of the ghost's level and without lights.
    fn as_ghost(&self, model: u16, context: &Context) -> Body {
        Body {
            origin: self.pose.origin.map(|place| Coord::nearest(context.coord, place)),
            angles: self.pose.angles.map(Angle16::nearest),
            model,
            effects: 0,
            ..self.entity
        }
    }
}

/// Another recording while it is read: its world, and the direction of its player's view.
struct Tape<'r> {
    demo: Demo<Box<dyn Read + 'r>>,
    head: Playhead<World>,
    view: [f64; 3],
}

impl<'r> Tape<'r> {
    fn open(source: &Source<'r>) -> Result<Self, Error> {
        let demo = Demo::new((source.open)()?)?;
        match demo.format() {
            Format::Qwd => Ok(Self { demo, head: Playhead::new(), view: [0.0; 3] }),
            Format::Mvd => {
                let why =
                    "is of a whole match: `moviola view --player NAME` makes the recording of one player";
                Err(Error::Impossible(format!("{} {why}", source.name)))
            }
            _ => Err(Error::Impossible(format!("{} is of another game", source.name))),
        }
    }

    /// Reads the next block; false at the end.
    fn step(&mut self) -> Result<bool, Error> {
        while let Some(piece) = self.demo.next_piece()? {
            let Piece::Block(block) = piece else { continue };
            if block.table(Game::QuakeWorld) == Table::Client {
                for entry in block.messages::<ClientRecords>(self.head.context) {
                    if let client::Message::Command(it) = entry.message {
                        self.view = it.uk_angles.map(|angle| f32::from_bits(angle.0).into());
                    }
                }
            }
            self.head.step(&block);
            return Ok(true);
        }
        Ok(false)
    }

    fn player(&self) -> Player {
        let slot = self.head.world.recorder.map_or(0, |(slot, _)| slot);
        self.head.world.players.get(usize::from(slot)).cloned().unwrap_or_default()
    }

    /// The recorder's state, if this block brought the position, and the time by the recording's own clock.
    fn now(&self) -> Option<(f64, Sample<Body>)> {
        let world = &self.head.world;
        let (slot, is_spectator) = world.recorder?;
        let body = *world.bodies.get(usize::from(slot))?;
        let time =
            world.seconds().filter(|_| !is_spectator && body.seen.is_some() && body.seen == world.now)?;
        let pose = Pose { origin: body.origin.map(Coord::value), angles: self.view };
        Some((time, Sample { time, pose, entity: body }))
    }
}

/// The player of another recording in the level, between two recorded moments.
struct Runner<'r> {
    tape: Tape<'r>,
    map: Vec<u8>,
    start: Option<f64>,
    last_sample: Option<Sample<Body>>,
    next_sample: Option<Sample<Body>>,
    model: Vec<u8>,
}

impl<'r> Runner<'r> {
    /// The ghost at its first entry into this level; `None` if it never enters it.
    fn begin(source: &Source<'r>, map: &[u8]) -> Result<Option<Self>, Error> {
        let mut tape = Tape::open(source)?;
        while tape.step()? {
            if tape.head.world.level.map() == map {
                let map = map.to_vec();
                return Ok(Some(Self {
                    tape,
                    map,
                    start: None,
                    last_sample: None,
                    next_sample: None,
                    model: Vec::new(),
                }));
            }
        }
        Ok(None)
    }

    /// The runner at this time, and the name of the model; `None` before the runner enters the level and after leaving
    /// it.
    fn at(&mut self, now: f64) -> Result<Option<SampleWithModel<Body>>, Error> {
        while self.next_sample.as_ref().is_none_or(|next| next.time <= now) {
            if let Some(next) = self.next_sample.take() {
                self.model = self.tape.head.world.level.models.get(usize::from(next.entity.model)).to_vec();
                self.last_sample = Some(next);
            }
            if !self.read_next()? {
                break;
            }
        }
        let sample = Sample::between(self.last_sample.as_ref(), self.next_sample.as_ref(), now);
        Ok(sample.map(|sample| (sample, self.model.clone())))
    }

    /// Reads the runner's next sample; false when the runner has left the level.
    fn read_next(&mut self) -> Result<bool, Error> {
        while self.tape.step()? {
            if self.tape.head.world.level.map() != self.map {
                return Ok(false);
            }
            let Some((time, mut sample)) = self.tape.now() else { continue };
            sample.time = time - *self.start.get_or_insert(time);
            if self.last_sample.as_ref().is_none_or(|last| sample.time > last.time) {
                self.next_sample = Some(sample);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
