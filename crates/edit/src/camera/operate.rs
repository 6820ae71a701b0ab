//! The operator: where the camera is in a frame, by its shot and by where things are.

use super::rig::{beside, forward, look_at};
use super::route::Route;
use super::script::{CameraStand, Look, Shot, Target};
use crate::machinery::players::Players;
use crate::machinery::pose::{Point, Pose, distance, turn};
use moviola_assets::Bsp;
use std::collections::BTreeMap;

/// Something to follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Subject {
    pub(super) origin: [f64; 3],
    /// The direction that it faces, and how far it looks down.
    pub(super) yaw: f64,
    pub(super) pitch: f64,
    /// Whether the recording sent it in this frame.
    pub(super) is_sent: bool,
}

/// The visible things of a level in a frame.
pub(super) trait Stage {
    /// The recorder, at the position of the eyes.
    fn recorder(&self) -> Option<Subject>;
    /// The name of the level's file.
    fn level(&self) -> &[u8];
    /// An entity.
    fn entity(&self, number: u16) -> Option<Subject>;
    /// The players' names, and their numbers, counted from 1.
    fn players(&self) -> Vec<(u16, String)>;
    /// The number of entities that earlier frames had and this frame does not send, and whose last place is near this
    /// one.
    fn unsent_near(&self, place: &Point) -> usize;

    /// The number of the player whose name contains this.
    fn named(&self, name: &str) -> Option<u16> {
        let wanted = name.to_lowercase();
        let found = self.players().into_iter().find(|(_, name)| name.to_lowercase().contains(&wanted));
        found.map(|(number, _)| number)
    }

    /// The thing to follow.
    fn subject(&self, target: &Target, players: &Players) -> Option<Subject> {
        match target {
            Target::Me => self.recorder(),
            other => self.entity(self.number(other, players)?),
        }
    }

    /// The entity that is followed; `None` for the recorder. If no player has the name at the moment,
    /// it is the player who has it at another.
    fn number(&self, target: &Target, players: &Players) -> Option<u16> {
        let ever = |name: &str| Some(u16::from(*players.called(name).first()?) + 1);
        match target {
            Target::Me => None,
            Target::Name(name) => self.named(name).or_else(|| ever(name)),
            Target::Player(number) | Target::Entity(number) => Some(*number),
        }
    }
}

/// The result of a shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ShotResult {
    pub(super) frames: u64,
    /// The seconds in which the thing that it follows was not sent.
    pub(super) lost: f64,
    /// The seconds in which walls kept it nearer than the script says.
    pub(super) held: f64,
    /// The thing to follow that is not there.
    pub(super) missing: Option<Target>,
    /// The frames filmed without the level's file; the greatest distance in them between the camera and the recording
    /// player, and the most things near the camera that were not sent.
    pub(super) unjudged: u64,
    pub(super) farthest: f64,
    pub(super) unsent: usize,
    /// The seconds in which the recorder could not see a good part of the picture, and the largest such part.
    pub(super) blind: f64,
    pub(super) hidden: f64,
    /// The seconds in which the camera was in a wall or outside of the level.
    pub(super) walled: f64,
    /// A coordinate that the protocol cannot express, and the one that it would be instead.
    pub(super) beyond: Option<(f64, f64)>,
}

impl ShotResult {
    /// The remarks about the shot: missing parts of the picture, and places where the camera left its path.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.lost > 0.0 {
            let lost = self.lost;
            notes.push(format!("its target was not sent for {lost:.1} s; the last known place is used"));
        }
        if self.held > 0.0 {
            let held = self.held;
            notes.push(format!("for {held:.1} s walls keep the camera closer than the script does"));
        }
        if self.blind > 0.0 {
            notes.push(format!(
                "for {:.1} s the camera sees parts of the level that the recorder could not see, up to {:.0} %; movement there was not recorded",
                self.blind,
                self.hidden * 100.0
            ));
        }
        if self.walled > 0.0 {
            notes.push(format!("for {:.1} s the camera is in a wall or outside of the level", self.walled));
        }
        if self.farthest > FAR {
            notes.push(format!(
                "up to {:.0} units away from the recorder; places that only the camera sees were perhaps not recorded",
                self.farthest
            ));
        }
        if self.unsent > 0 {
            let (things, were) = if self.unsent == 1 { ("thing", "was") } else { ("things", "were") };
            notes.push(format!(
                "up to {} {things} near the camera {were} not sent: gone, or out of sight of the recorder",
                self.unsent
            ));
        }
        notes
    }
}

/// Moves the camera.
#[derive(Clone, Debug)]
pub(super) struct CameraOperator {
    pub(super) results: Vec<ShotResult>,
    /// All players of the recording.
    pub(super) players: Players,
    /// The levels whose files are known, by name.
    pub(super) maps: BTreeMap<Vec<u8>, Bsp>,
    /// Whether walls hold a camera that follows something, or are only reported.
    pub(super) held_by_walls: bool,
    /// The ways taken from other recordings, by the names of their files.
    pub(super) routes: BTreeMap<String, Route>,
    last: Option<Last>,
}

/// The last frame that was filmed: its shot and time, and the direction of the camera's target.
#[derive(Clone, Copy, Debug)]
struct Last {
    shot: usize,
    time: f64,
    yaw: f64,
    pitch: f64,
}

/// The distance from the recorder within which a camera sees everything that the server sent, and the distance
/// that it sees itself. Both are guesses: rooms are seldom larger.
pub(super) const FAR: f64 = 1000.0;

/// Whether a camera may see one place from another. It is asked for every entity of every frame.
#[inline]
pub(super) fn is_near(place: Point, to: &Point) -> bool {
    distance(&place, to) < FAR
}

/// The seconds in which a camera that follows something makes most of a turn.
const LAG: f64 = 0.3;

/// The seconds in which the pitch of a player's eyes makes most of a turn. A body leans only a third as far as
/// its player looks up or down, so that its steps are three times as large as those of the yaw.
const NOD: f64 = 0.1;

/// If a larger part of a picture than this was not recorded, there is a remark.
const MUCH: f64 = 0.1;

/// The height of a player's eyes above the origin.
pub(super) const EYES: f64 = 22.0;

/// The height above its origin at which the camera looks at a thing.
const HEAD: f64 = 16.0;

impl CameraOperator {
    pub(super) fn new(shots: usize) -> Self {
        Self {
            results: vec![ShotResult::default(); shots],
            players: Players::default(),
            maps: BTreeMap::new(),
            held_by_walls: true,
            routes: BTreeMap::new(),
            last: None,
        }
    }

    /// Checks a place of a shot against the place that the recording's protocol can express.
    pub(super) fn check_sent(&mut self, shot: usize, place: [f64; 3], sent: [f64; 3]) {
        let beyond = place.into_iter().zip(sent).find(|(place, sent)| (place - sent).abs() > 1.0);
        if let Some(take) = self.results.get_mut(shot) {
            take.beyond = take.beyond.or(beyond);
        }
    }

    /// The camera's pose, and whether a new shot begins with it; `None` if there is nothing to follow.
    pub(super) fn film(
        &mut self,
        (number, shot, progress): (usize, &Shot, f64),
        (now, length): (f64, f64),
        stage: &dyn Stage,
    ) -> Option<(Pose, bool)> {
        let last_of_shot = self.last.filter(|last| last.shot == number);
        let passed = last_of_shot.map_or(0.0, |last| (now - last.time).max(0.0));
        let (mut is_sent, takes, players) = (true, &mut self.results, &self.players);
        let mut find = |target: &Target| {
            let subject = stage.subject(target, players);
            if let (None, Some(take)) = (&subject, takes.get_mut(number)) {
                take.missing.get_or_insert_with(|| target.clone());
            }
            is_sent &= subject.as_ref().is_some_and(|subject| subject.is_sent);
            subject
        };
        let t = shot.path_share(progress);
        let (mut yaw, mut pitch, mut anchor) = (0.0, 0.0, None);
        let mut as_player = [0.0; 3];
        let origin = match &shot.stand {
            CameraStand::Way(path) => shot.on_level(path, progress),
            CameraStand::Chase { target, distance_behind: behind, height_above: above } => {
                let subject = find(target)?;
                // A camera that turned as quickly as a player would make people sick.
                yaw = last_of_shot.map_or(subject.yaw, |Last { yaw, .. }| {
                    yaw + turn(yaw, subject.yaw) * (1.0 - (-passed / LAG).exp())
                });
                anchor = Some(subject.origin);
                beside(subject.origin, yaw, -behind, *above)
            }
            CameraStand::Orbit { target, distance, above, from, to } => {
                let subject = find(target)?;
                anchor = Some(subject.origin);
                beside(subject.origin, from + (to - from) * t, *distance, *above)
            }
            CameraStand::Eyes(target) => {
                let subject = find(target)?;
                pitch = last_of_shot.map_or(subject.pitch, |Last { pitch, .. }| {
                    pitch + turn(pitch, subject.pitch) * (1.0 - (-passed / NOD).exp())
                });
                as_player = [pitch, subject.yaw, 0.0];
                beside(subject.origin, 0.0, 0.0, EYES)
            }
            CameraStand::Recorded(file) => {
                let route = self.routes.get(file).filter(|route| route.level == stage.level())?;
                let pose = route.at(t * length);
                as_player = pose.angles;
                pose.origin
            }
        };
        // A camera beside a player or a thing is not moved through walls, if the level's file is known.
        let level = self.maps.get(stage.level()).filter(|_| self.held_by_walls);
        let reached = anchor.zip(level).map(|([x, y, z], level)| level.reach([x, y, z + HEAD], origin));
        let is_held = reached.is_some_and(|reached| distance(&reached, &origin) > 1.0);
        let origin = reached.unwrap_or(origin);
        let mut angles = match &shot.look {
            Look::At(target) => {
                let [x, y, z] = find(target)?.origin;
                look_at(origin, [x, y, z + HEAD])
            }
            Look::Way(path) => look_at(origin, shot.on_level(path, progress)),
            Look::Turn(path) => {
                let [pitch, yaw] = shot.on(path, progress);
                [pitch, yaw, 0.0]
            }
            Look::AsPlayer => as_player,
        };
        let [.., roll] = &mut angles;
        let [tilt] = shot.on(&shot.roll, progress);
        *roll += tilt;
        self.last = Some(Last { shot: number, time: now, yaw, pitch });
        if let Some(take) = self.results.get_mut(number) {
            take.frames += 1;
            take.lost += if is_sent { 0.0 } else { passed };
            take.held += if is_held { passed } else { 0.0 };
            let me = stage.recorder().map(|me| me.origin);
            match (self.maps.get(stage.level()), me) {
                (Some(level), Some([x, y, z])) => {
                    let hidden = level.hidden(origin, forward(angles), [x, y, z + EYES]).unwrap_or(0.0);
                    take.blind += if hidden > MUCH { passed } else { 0.0 };
                    take.hidden = take.hidden.max(hidden);
                    take.walled += if level.cluster_at(origin).is_none() { passed } else { 0.0 };
                }
                (None, Some(me)) => {
                    take.unjudged += 1;
                    take.farthest = take.farthest.max(distance(&me, &origin));
                    take.unsent = take.unsent.max(stage.unsent_near(&origin));
                }
                (_, None) => {}
            }
        }
        Some((Pose { origin, angles }, last_of_shot.is_none()))
    }

    /// Ends the shot: the recording goes on without the camera.
    pub(super) fn rest(&mut self) {
        self.last = None;
    }
}
