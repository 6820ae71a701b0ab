//! Quake: blocks between those of the recording, so that slow motion does not stutter. Engines interpolate
//! over a tenth of a second at most (`CL_LerpPoint`), and not at all where a monster moves in steps.
//!
//! Between two blocks everything is on the straight line from its place in the first to its place in the
//! second. A step of a monster is drawn out over the tenth of a second that follows it, as newer engines do
//! it at the usual speed.

use crate::machinery::bridge::quake::{client_data, update};
use crate::machinery::pose::{Pose, turn};
use crate::{BlockWriter, EditOutput, Error};
use moviola_check::largest_block;
use moviola_format::dem::{Message, Time};
use moviola_format::{Block, Context, Entry, Float, Game, Seconds, write_message};
use moviola_state::World as _;
use moviola_state::quake::{Entity, PLAYING, Vitals, World};
use std::collections::BTreeMap;

/// Makes the blocks in between.
#[derive(Clone, Debug, Default)]
pub(super) struct Smoother {
    world: World,
    last_moment: Option<Moment>,
    /// The monsters that move in steps.
    steps: BTreeMap<u16, Step>,
    /// Whether the block has a time of the game.
    is_frame: bool,
    /// The number of added blocks, and the number of gaps in which the entities did not fit into a block.
    added: u64,
    full_blocks: u64,
}

/// The end of a block.
#[derive(Clone, Debug)]
struct Moment {
    /// The time in the recording, and the time at which the result shows it.
    time: f64,
    shown_at: f64,
    /// The world with its list of entities emptied, and the entities that were shown.
    world: World,
    entities: Vec<(u16, Entity)>,
    /// The steps of monsters that were going on.
    steps: BTreeMap<u16, Step>,
}

/// A step of a monster: where it began, where it leads, and when it began.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: Pose,
    to: Pose,
    start: f64,
}

/// The longest step from block to block.
const MAX_STEP: f64 = 0.05;

/// How long a monster takes for a step.
const TENTH: f64 = 0.1;

/// No blocks are added where a recording pauses for longer than this.
const PAUSE: f64 = 0.5;

impl Step {
    fn pose_at(&self, time: f64) -> Pose {
        self.from.toward_unless_jump(&self.to, ((time - self.start) / TENTH).clamp(0.0, 1.0))
    }
}

impl Smoother {
    pub(super) fn block(&mut self, block: &Block<'_>) {
        self.world.begin_block(block);
        self.is_frame = false;
    }

    /// Handles a message. Returns true if it was written in a changed form.
    pub(super) fn message(
        &mut self,
        entry: &Entry<Message<'_>>,
        is_inside: bool,
        writer: &mut BlockWriter<'_>,
    ) -> bool {
        self.world.apply(entry);
        match &entry.message {
            Message::ServerInfo(_) => {
                self.last_moment = None;
                self.steps.clear();
            }
            Message::Time(_) => self.is_frame = true,
            Message::UpdateEntity(it) if is_inside => {
                let number = it.entity.0;
                let Some(entity) = self.world.entity(number).copied().filter(|it| it.step) else {
                    self.steps.remove(&number);
                    return false;
                };
                let context = *writer.context();
                let pose = self.step(number, &entity);
                let smooth = interpolated(&entity, &pose, &context);
                writer.put(&Message::from(update(number, &smooth, &self.world.baseline(number), &context)));
                return true;
            }
            _ => {}
        }
        false
    }

    /// The pose of a monster that has come to a new place, or stays.
    fn step(&mut self, number: u16, entity: &Entity) -> Pose {
        let (now, to) = (f64::from(self.world.clock.now.value()), Pose::of(&entity.place));
        let was_shown = || {
            let last = self.last_moment.as_ref()?;
            last.entities.iter().find(|(it, old)| *it == number && old.look.model == entity.look.model)
        };
        let step = match self.steps.get(&number) {
            Some(step) if was_shown().is_some() && now >= step.start && !step.to.jumps(&to) => {
                if step.to == to { *step } else { Step { from: step.pose_at(now), to, start: now } }
            }
            _ => match was_shown() {
                // The entity existed already before the span.
                Some((_, old)) if !Pose::of(&old.place).jumps(&to) => {
                    Step { from: Pose::of(&old.place), to, start: now }
                }
                _ => Step { from: to, to, start: now },
            },
        };
        self.steps.insert(number, step);
        step.pose_at(now)
    }

    /// Ends the block, which has this time in the result, and writes the blocks before it.
    pub(super) fn block_end(
        &mut self,
        shown_at: Option<f64>,
        is_inside: bool,
        writer: &BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        self.world.end_block();
        if !is_inside {
            self.steps.clear();
        }
        let (Some(shown_at), true) = (shown_at.filter(|_| self.world.signon == PLAYING), self.is_frame)
        else {
            return Ok(());
        };
        let time = f64::from(self.world.clock.now.value());
        let now = Moment {
            time,
            shown_at,
            world: self.world.without_entities(),
            entities: self.world.shown().map(|(number, entity)| (number, *entity)).collect(),
            steps: self.steps.clone(),
        };
        if let (Some(last), true) = (self.last_moment.take(), is_inside)
            && (0.0..=PAUSE).contains(&(now.time - last.time))
        {
            self.between(&last, &now, writer, out)?;
        }
        self.last_moment = Some(now);
        Ok(())
    }

    fn between(
        &mut self,
        last: &Moment,
        now: &Moment,
        writer: &BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let parts = ((now.shown_at - last.shown_at) / MAX_STEP - 0.01).ceil();
        let context = *writer.context();
        let limit = largest_block(Game::Quake).max(writer.block().data.len());
        let mut part = 1.0;
        while part < parts {
            let way = part / parts;
            let bytes = self.frame(last, now, way, &context);
            if bytes.len() > limit {
                self.full_blocks += 1;
                return Ok(());
            }
            out.block(angles(last, now, way), &bytes)?;
            self.added += 1;
            part += 1.0;
        }
        Ok(())
    }

    /// The messages of an added block, at a fraction of the way from one moment to the next.
    fn frame(&self, last: &Moment, now: &Moment, way: f64, context: &Context) -> Vec<u8> {
        let mut bytes = Vec::new();
        let shown_at = Seconds::new((last.shown_at + (now.shown_at - last.shown_at) * way) as f32);
        write_message(&Message::from(Time { time: shown_at.into() }), &mut bytes, context);
        let mut world = last.world.clone();
        if !view_jumps(last, now) {
            world.vitals = between(&last.world.vitals, &now.world.vitals, way);
        }
        write_message(&Message::from(client_data(&world, context)), &mut bytes, context);
        let time = last.time + (now.time - last.time) * way;
        for (number, entity) in &last.entities {
            let pose = Pose::of(&entity.place);
            let next = || now.entities.iter().find(|(it, _)| it == number).map(|(_, next)| next);
            let pose = match last.steps.get(number).filter(|_| entity.step) {
                Some(step) => step.pose_at(time),
                None => match next().filter(|next| next.look.model == entity.look.model) {
                    Some(next) if !entity.step && !next.forcelink => {
                        pose.toward_unless_jump(&Pose::of(&next.place), way)
                    }
                    _ => pose,
                },
            };
            let entity = interpolated(entity, &pose, context);
            let message = update(*number, &entity, &self.world.baseline(*number), context);
            write_message(&Message::from(message), &mut bytes, context);
        }
        bytes
    }

    /// The blocks that were added.
    pub(super) fn added(&self) -> u64 {
        self.added
    }

    pub(super) fn end(&self, out: &mut EditOutput<'_>) {
        if self.full_blocks > 0 {
            out.note(format!("{} steps have too many entities for added blocks", self.full_blocks));
        }
    }
}

/// An entity at another pose, marked so that engines interpolate from there on.
fn interpolated(entity: &Entity, pose: &Pose, context: &Context) -> Entity {
    let stands = *pose == Pose::of(&entity.place);
    let place = if stands { entity.place } else { pose.place(context) };
    let mut entity = *entity;
    (entity.place, entity.step, entity.lerpfinish) = (place, false, None);
    entity
}

/// Whether the eyes jump: a teleporter, another camera.
fn view_jumps(last: &Moment, now: &Moment) -> bool {
    let eyes = |moment: &Moment| {
        let number = moment.world.view.entity as u16;
        moment.entities.iter().find(|(it, _)| *it == number).map(|(_, eyes)| Pose::of(&eyes.place))
    };
    last.world.view.entity != now.world.view.entity
        || eyes(last).zip(eyes(now)).is_some_and(|(from, to)| from.jumps(&to))
}

/// The angles of the view at a fraction of the way.
fn angles(last: &Moment, now: &Moment, way: f64) -> [u32; 3] {
    let (from, to) = (last.world.view.angles, now.world.view.angles);
    if view_jumps(last, now) {
        return from.map(|Float(bits)| bits);
    }
    let mut angles = from.map(|Float(bits)| bits);
    for (angle, (from, to)) in angles.iter_mut().zip(from.into_iter().zip(to)) {
        let (from, to) = (f64::from(from.value()), f64::from(to.value()));
        if from.is_finite() && to.is_finite() {
            *angle = ((from + turn(from, to) * way) as f32).to_bits();
        }
    }
    angles
}

/// The view's kick after a hit, the velocity and the height of the eyes, at a fraction of the way.
fn between(from: &Vitals, to: &Vitals, way: f64) -> Vitals {
    let mut vitals = *from;
    let on = |from: i8, to: i8| (f64::from(from) + (f64::from(to) - f64::from(from)) * way).round() as i8;
    for (now, to) in vitals.punch.iter_mut().zip(to.punch) {
        *now = on(*now, to);
    }
    for (now, to) in vitals.velocity.iter_mut().zip(to.velocity) {
        *now = on(*now, to);
    }
    vitals.view_height = on(from.view_height, to.view_height);
    vitals
}
