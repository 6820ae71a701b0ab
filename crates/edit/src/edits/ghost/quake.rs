//! Ghosts in Quake: an entity with an unused number, updated in each frame.

use super::gap::{Gaps, Track};
use super::runner::{Reel, Sample, SampleWithModel, Source};
use crate::machinery::bridge::quake::update;
use crate::machinery::models::with_models;
use crate::machinery::pose::Pose;
use crate::{BlockWriter, Error};
use moviola_check::largest_block;
use moviola_format::dem::{CenterPrint, Message, ServerInfo};
use moviola_format::{Entry, Game, Str, write_message};
use moviola_state::World as _;
use moviola_state::quake::{Baseline, Entity, PLAYING, World};
use std::collections::BTreeSet;

/// All ghosts of a recording.
pub(super) struct AllGhosts<'r> {
    sources: Vec<Source<'r>>,
    ghosts: Vec<Option<Runner<'r>>>,
    world: World,
    /// The models that the ghosts have.
    player_models: BTreeSet<Vec<u8>>,
    /// The models of the current level, by number from 1 on.
    models: Vec<Vec<u8>>,
    /// Whether a level begins in the block, whether the block has a frame of the game, and whether messages can be
    /// added to it.
    is_new: bool,
    is_frame: bool,
    pub(super) is_whole: bool,
    pub(super) shown_blocks: u64,
    pub(super) full_blocks: u64,
    /// The gaps to the ghosts, if they are shown.
    gaps: Option<Gaps>,
    own: RecorderEntity,
    pub(super) gaps_shown: u64,
}

/// The usual model of a player, for ghosts whose own model is not in the level and cannot be added.
pub(super) const PLAYER: &[u8] = b"progs/player.mdl";

/// The largest block that the first engines take.
const MAX_BLOCK: usize = largest_block(Game::Quake);

/// The greatest number of models of one recorder. More are a sign of a damaged recording.
const MOST_WORN: usize = 16;

/// Half transparent, for protocols with transparency.
const HALF_TRANSPARENT: u8 = 128;

/// The models that the recorders of the other recordings have.
pub(super) fn player_models(sources: &[Source<'_>]) -> Result<BTreeSet<Vec<u8>>, Error> {
    let mut models = BTreeSet::from([PLAYER.to_vec()]);
    for source in sources {
        let (mut reel, mut own) = (source.reel::<World>()?, RecorderEntity::default());
        while reel.step()? {
            let Some(sample) = Sample::of(own.of(&reel.head.world), &reel.head.world) else { continue };
            let name = reel.head.world.level.models.get(usize::from(sample.entity.look.model));
            if models.len() < MOST_WORN && !name.is_empty() && !models.contains(name) {
                models.insert(name.to_vec());
            }
        }
    }
    Ok(models)
}

impl<'r> AllGhosts<'r> {
    pub(super) fn new(sources: Vec<Source<'r>>, worn: BTreeSet<Vec<u8>>, has_gap: bool) -> Self {
        Self {
            sources,
            ghosts: Vec::new(),
            world: World::default(),
            player_models: worn,
            models: Vec::new(),
            is_new: false,
            is_frame: false,
            is_whole: true,
            shown_blocks: 0,
            full_blocks: 0,
            gaps: has_gap.then(Gaps::default),
            own: RecorderEntity::default(),
            gaps_shown: 0,
        }
    }

    pub(super) fn block(&mut self, writer: &BlockWriter<'_>) {
        self.world.begin_block(writer.block());
        (self.is_new, self.is_frame) = (false, false);
        self.is_whole = !writer.block().is_from_client() && !writer.block().is_truncated();
    }

    pub(super) fn message(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        if writer.block().is_from_client() {
            return writer.keep();
        }
        self.world.apply(entry);
        match &entry.message {
            Message::Time(_) => self.is_frame = true,
            Message::ServerInfo(it) => {
                self.is_new = true;
                return self.level(it, writer);
            }
            _ => {}
        }
        writer.keep();
    }

    /// Adds the missing models to the level, until no number is left.
    fn level(&mut self, it: &ServerInfo<'_>, writer: &mut BlockWriter<'_>) {
        let (models, announced) = with_models(it, self.player_models.iter(), writer.context());
        self.models = models;
        match announced {
            Some(bytes) => writer.put_bytes(&bytes),
            None => writer.keep(),
        }
    }

    pub(super) fn block_end(&mut self, writer: &mut BlockWriter<'_>) -> Result<(), Error> {
        if writer.block().is_from_client() {
            return Ok(());
        }
        self.world.end_block();
        if self.is_new {
            let map = self.world.level.models.get(1).to_vec();
            let ghosts = self.sources.iter_mut().map(|source| Runner::begin(source, &map));
            self.ghosts = ghosts.collect::<Result<_, _>>()?;
            self.own = RecorderEntity::default();
            if self.gaps.is_some() {
                let track = |source: &Source<'r>| Ok((source.name.clone(), track(source, &map)?));
                let tracks: Vec<_> = self.sources.iter().map(track).collect::<Result<_, Error>>()?;
                self.gaps = Some(Gaps::of(tracks));
            }
        }
        if !self.is_frame || !self.is_whole || self.world.signon != PLAYING {
            return Ok(());
        }
        let now = f64::from(self.world.clock.now.value());
        let context = *writer.context();
        let (mut shows, mut bytes) = (false, Vec::new());
        for (ghost, source) in self.ghosts.iter_mut().zip(&self.sources) {
            let Some(runner) = ghost else { continue };
            let Some((sample, name)) = runner.at(now - source.shift)? else { continue };
            let number = |name: &[u8]| self.models.iter().position(|it| it == name);
            let Some(model) = number(&name).or_else(|| number(PLAYER)) else { continue };
            let mut entity = Entity::default();
            entity.look = sample.entity.look;
            entity.look.model = model as u16 + 1;
            // The colormap is the number of a player of the ghost's recording, and the effects light up that player.
            // Neither belongs into this recording.
            (entity.look.colormap, entity.look.effects, entity.look.alpha) = (0, 0, HALF_TRANSPARENT);
            entity.place = sample.pose.place(&context);
            let message = update(source.number, &entity, &Baseline::default(), &context);
            let before = bytes.len();
            write_message(&Message::from(message), &mut bytes, &context);
            if writer.written().len() + bytes.len() > MAX_BLOCK {
                bytes.truncate(before);
                self.full_blocks += 1;
            }
            shows = true;
        }
        self.shown_blocks += u64::from(shows);
        if !bytes.is_empty() {
            writer.put_bytes(&bytes);
        }
        self.show_gap(now, writer);
        Ok(())
    }

    /// Shows the gap if it is due, unless the game itself shows a text in the middle of the screen.
    fn show_gap(&mut self, now: f64, writer: &mut BlockWriter<'_>) {
        let own = self.own.of(&self.world);
        let Some(gaps) = self.gaps.as_mut().filter(|gaps| gaps.is_due(now)) else { return };
        let has_text = self.world.center.as_ref().is_some_and(|(since, text)| {
            !text.bytes().is_empty() && now - f64::from(since.value()) < self.world.console.center_time()
        });
        let is_over = !self.world.is_played() || self.world.paused;
        let Some(here) = Sample::of(own, &self.world).filter(|_| !has_text && !is_over) else { return };
        let shifts: Vec<f64> = self.sources.iter().map(|source| source.shift).collect();
        let Some(text) = gaps.text(now, here.pose.origin, &shifts) else { return };
        let mut bytes = Vec::new();
        let message = CenterPrint { string: Str::new(&text) };
        write_message(&Message::from(message), &mut bytes, writer.context());
        if writer.written().len() + bytes.len() <= MAX_BLOCK {
            writer.put_bytes(&bytes);
            self.gaps_shown += 1;
        }
    }
}

/// The path that another run takes through a level, at its first visit.
fn track(source: &Source<'_>, map: &[u8]) -> Result<Track, Error> {
    let (mut reel, mut own, mut track, mut is_there) =
        (source.reel::<World>()?, RecorderEntity::default(), Track::new(), false);
    while reel.step()? {
        let world = &reel.head.world;
        if world.level.models.get(1) == map {
            is_there = true;
            if let Some(sample) = Sample::of(own.of(world), world) {
                track.pass(sample.time, sample.pose.origin);
            }
        } else if is_there {
            break;
        }
    }
    Ok(track)
}

impl Sample<Entity> {
    fn of(own: u16, world: &World) -> Option<Self> {
        let entity = *world.entity(own).filter(|_| world.signon == PLAYING)?;
        let time = f64::from(world.clock.now.value());
        (entity.is_shown(&world.clock) && time.is_finite()).then(|| Self {
            time,
            pose: Pose::of(&entity.place),
            entity,
        })
    }
}

/// The entity of the recorder, which stays the same while the view is that of a camera.
#[derive(Default)]
struct RecorderEntity(Option<u16>);

impl RecorderEntity {
    fn of(&mut self, world: &World) -> u16 {
        let seen = world.view.entity as u16;
        if (1..=u16::from(world.level.max_clients)).contains(&seen) {
            self.0 = Some(seen);
        }
        self.0.unwrap_or(seen)
    }
}

/// The player of another recording in the level, between two recorded moments.
struct Runner<'r> {
    reel: Reel<'r, World>,
    own: RecorderEntity,
    map: Vec<u8>,
    last_sample: Option<Sample<Entity>>,
    next_sample: Option<Sample<Entity>>,
    name: Vec<u8>,
}

impl<'r> Runner<'r> {
    /// The ghost at its first entry into this level; `None` if it never enters it.
    fn begin(source: &mut Source<'r>, map: &[u8]) -> Result<Option<Self>, Error> {
        let mut reel = source.reel::<World>()?;
        while reel.step()? {
            if reel.head.world.level.models.get(1) == map {
                let own = RecorderEntity::default();
                return Ok(Some(Self {
                    reel,
                    own,
                    map: map.to_vec(),
                    last_sample: None,
                    next_sample: None,
                    name: Vec::new(),
                }));
            }
        }
        Ok(None)
    }

    /// The runner at this time, and the name of the model; `None` before the runner enters the level and after leaving
    /// it.
    fn at(&mut self, now: f64) -> Result<Option<SampleWithModel<Entity>>, Error> {
        while self.next_sample.as_ref().is_none_or(|next| next.time <= now) {
            if let Some(next) = self.next_sample.take() {
                let models = &self.reel.head.world.level.models;
                self.name = models.get(usize::from(next.entity.look.model)).to_vec();
                self.last_sample = Some(next);
            }
            if !self.read_next()? {
                break;
            }
        }
        let sample = Sample::between(self.last_sample.as_ref(), self.next_sample.as_ref(), now);
        Ok(sample.map(|sample| (sample, self.name.clone())))
    }

    /// Reads the runner's next sample; false when the runner has left the level.
    fn read_next(&mut self) -> Result<bool, Error> {
        while self.reel.step()? {
            let world = &self.reel.head.world;
            if world.level.models.get(1) != self.map {
                return Ok(false);
            }
            let after = self.last_sample.as_ref().map_or(f64::NEG_INFINITY, |last| last.time);
            let own = self.own.of(world);
            if let Some(sample) = Sample::of(own, world).filter(|sample| sample.time > after) {
                self.next_sample = Some(sample);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
