//! The places at which parts were joined or cut: clocks, levels, farewells.

use super::{Engine, Farewell, Stage, proof};
use crate::book::{FindingList, Proof};
use crate::findings::AuditCode;
use moviola_analyse::{AuditSeverity, PassPosition};
use moviola_format::Block;
use moviola_format::dem::{Disconnect, Message, ServerInfo};
use moviola_state::quake::{LAST_STAGE, Stat, World};

/// Judges seams.
#[derive(Debug, Default)]
pub(super) struct Seams {
    levels: u32,
    /// Whether the server has announced another level.
    reconnect: bool,
    /// The version texts of this level and of the one before.
    version: Option<Vec<u8>>,
    former: Option<Vec<u8>>,
    protocol: Option<i32>,
    /// The stages of joining that were seen.
    stages: u8,
    /// The other messages that a joining client receives, as far as they were seen.
    received: SignonContents,
    solo: bool,
    last_block: Option<Last>,
    farewell: Farewell,
    /// The first block after the farewell; its weight depends on whether another level follows.
    after: Option<Proof>,
    /// A level without the command that leads to it, until its first frame shows whether the clock continues.
    joined: Option<(AuditSeverity, Proof)>,
    /// The clock of the last frame, in any level.
    clock: Option<f64>,
    leap: Option<Leap>,
}

/// A leap of the clock, until the next frame shows whether all steps are that long, as with `host_framerate`.
#[derive(Clone, Debug)]
struct Leap {
    step: f64,
    /// Whether the step before was as long.
    is_steady: bool,
    clock: Proof,
    splice: Option<Proof>,
}

impl Leap {
    fn report(self, is_steady: bool, book: &mut FindingList) {
        let weight =
            |code: AuditCode| if self.is_steady || is_steady { AuditSeverity::Note } else { code.severity() };
        book.weigh(AuditCode::ClockLeap, weight(AuditCode::ClockLeap), || self.clock);
        if let Some(splice) = self.splice {
            let steady = self.is_steady || is_steady;
            book.weigh(
                AuditCode::Splice,
                if steady { AuditSeverity::Note } else { AuditCode::Splice.severity() },
                || splice,
            );
        }
    }
}

/// The messages that a server sends to a joining client before the last stage. Recorders that start later
/// write them too, except the view angles.
#[derive(Clone, Copy, Debug, Default)]
struct SignonContents {
    /// Whether any entity's initial state was seen. Synthetic recordings have none at all.
    has_entities: bool,
    counts: bool,
    styles: bool,
}

impl SignonContents {
    /// The name of the missing part; `None` if nothing is missing.
    fn missing(self) -> Option<&'static str> {
        match self {
            Self { has_entities: false, .. } => None,
            Self { counts: false, .. } => Some("no message has the number of secrets and monsters"),
            Self { styles: false, .. } => Some("the level has no light styles"),
            _ => None,
        }
    }
}

/// The state after the last frame.
#[derive(Clone, Copy, Debug)]
struct Last {
    time: f64,
    origin: Option<[f64; 3]>,
    kills: i32,
    health: i32,
}

/// The greatest length of a version text.
const VERSION: usize = 128;
/// The longest step of the clock in a single-player game without `host_framerate`.
const MAX_STEP: f64 = 0.6;
/// Steps that differ by less count as equal: the wire has 32 bits of the clock.
const STEADY_DIFFERENCE: f64 = 0.01;
/// The greatest advance of the clock while a client joins a level again.
const SAME_CLOCK: f64 = 60.0;
/// Farther than any player gets in a tenth of a second.
const MIN_LEAP: f64 = 300.0;
/// The stages of every join: two and three.
const STAGES: u8 = 0b1100;

impl Seams {
    pub(super) fn begin(&mut self, block: &Block<'_>, here: &PassPosition) {
        // After the server's `disconnect`, id's recorder writes one of its own (`CL_Stop_f`).
        let is_farewell = block.data.iter().all(|byte| *byte == Disconnect::OP);
        if !is_farewell && self.farewell.is_passed() {
            self.after = Some(proof(here, "a block after the server's disconnect"));
        }
    }

    /// Handles the end of the recording.
    pub(super) fn end(&mut self, book: &mut FindingList) {
        self.finish_level(book);
        if let Some((_, proof)) = self.joined.take() {
            book.weigh(AuditCode::Joined, AuditSeverity::Note, || proof);
        }
        // Bot programs continue to write after the server's farewell.
        if let Some(after) = self.after.take() {
            book.weigh(AuditCode::AfterFarewell, AuditSeverity::Note, || after);
        }
    }

    fn finish_level(&mut self, book: &mut FindingList) {
        if let Some(leap) = self.leap.take() {
            leap.report(false, book);
        }
    }

    fn command(&mut self, text: &[u8]) {
        /// The command with which a server sends its clients to the next level.
        // not from SCHEMA: the command of the console
        const RECONNECT: &[u8] = b"reconnect";
        self.reconnect |= text.windows(RECONNECT.len()).any(|it| it == RECONNECT);
    }

    pub(super) fn version(&mut self, text: &[u8]) {
        self.version = Some(text.get(..VERSION).unwrap_or(text).to_vec());
    }

    pub(super) fn message(
        &mut self,
        message: &Message<'_>,
        stage: Stage,
        here: &PassPosition,
        book: &mut FindingList,
    ) {
        match message {
            Message::SignonNum(it) => {
                self.stages |= 1u8.checked_shl(u32::from(it.signon)).unwrap_or_default();
                if it.signon == LAST_STAGE
                    && let Some(missing) = self.received.missing()
                {
                    let weight = stage.unless_begun_late(AuditCode::Greeting);
                    book.weigh(AuditCode::Greeting, weight, || proof(here, missing));
                }
            }
            Message::StuffText(it) => self.command(it.string.bytes()),
            Message::UpdateStat(it) => self.received.counts |= it.index == Stat::TotalMonsters as u8,
            Message::SpawnBaseline(_) | Message::SpawnBaseline2(_) => self.received.has_entities = true,
            Message::LightStyle(_) => self.received.styles = true,
            _ => {}
        }
    }

    /// Handles the start of a level. `one_packet` is true for engines that send everything in one packet and do not
    /// send the command that leads to the next level.
    pub(super) fn level(
        &mut self,
        info: &ServerInfo<'_>,
        one_packet: bool,
        stage: Stage,
        here: &PassPosition,
        book: &mut FindingList,
    ) {
        self.finish_level(book);
        if let Some(after) = self.after.take() {
            book.weigh(AuditCode::AfterFarewell, AuditCode::AfterFarewell.severity(), || after);
        }
        if let Some((weight, proof)) = self.joined.take() {
            book.weigh(AuditCode::Joined, weight, || proof);
        }
        let later = self.levels > 0;
        self.levels = self.levels.saturating_add(1);
        if later && !self.reconnect && !one_packet {
            let description = "a level without the command that leads to it";
            self.joined = Some((stage.unless_unknown(AuditCode::Joined), proof(here, description)));
        }
        let protocol = info.protocol.version();
        let other = self.protocol.is_some_and(|former| former != protocol);
        // A recording that begins in the middle of a level has no version text.
        let versions = self.version.as_ref().zip(self.former.as_ref()).is_some_and(|(is, was)| is != was);
        if later && (other || versions) {
            let text = |text: &Option<Vec<u8>>| {
                text.as_deref().unwrap_or_default().trim_ascii().escape_ascii().to_string()
            };
            let (was, is) = (text(&self.former), text(&self.version));
            let from = self.protocol.unwrap_or_default();
            // In FitzQuake's family `sv_protocol` changes the protocol from the next level on.
            let is_setting = !versions && stage.engine == Engine::Fitz;
            let weight = if is_setting { AuditSeverity::Note } else { AuditCode::TwoEngines.severity() };
            book.weigh(AuditCode::TwoEngines, weight, || {
                proof(here, format!("protocol {from}, \"{was}\", then protocol {protocol}, \"{is}\""))
            });
        }
        self.protocol = Some(protocol);
        self.former = self.version.take();
        self.reconnect = false;
        self.stages = 0;
        self.received = SignonContents::default();
        self.last_block = None;
        self.solo = info.multi == 0 && info.maxclients <= 1;
    }

    /// Handles the end of the join.
    pub(super) fn joined(&mut self, stage: Stage, here: &PassPosition, book: &mut FindingList) {
        if self.stages & STAGES != STAGES {
            let weight = stage.unless_begun_late(AuditCode::Signon);
            book.weigh(AuditCode::Signon, weight, || proof(here, "the game goes on, but nobody joined it"));
        }
    }

    /// Judges a complete block.
    pub(super) fn judge(
        &mut self,
        world: &World,
        here: &PassPosition,
        is_frame: bool,
        book: &mut FindingList,
    ) {
        if world.disconnected {
            self.farewell.mark_sent();
        }
        let time = f64::from(world.clock.now.value());
        if !is_frame || !time.is_finite() {
            return;
        }
        let before = self.clock.replace(time);
        if let Some((weight, proof)) = self.joined.take() {
            // If the clock continues, the client only joined the same server again, and no recordings were joined.
            let goes_on = before.is_some_and(|before| (0.0..=SAME_CLOCK).contains(&(time - before)));
            let weight = if goes_on { AuditSeverity::Note } else { weight };
            book.weigh(AuditCode::Joined, weight, || proof);
        }
        if !self.solo {
            return;
        }
        let eyes = world.eyes().filter(|it| it.is_shown(&world.clock));
        let now = Last {
            time,
            origin: eyes.map(|it| it.place.origin.map(moviola_format::Coord::value)),
            kills: world.stats.get(Stat::Monsters),
            health: world.stats.get(Stat::Health),
        };
        let Some(last) = self.last_block.replace(now) else { return };
        let step = now.time - last.time;
        let mut is_steady = false;
        if let Some(leap) = self.leap.take() {
            is_steady = (step - leap.step).abs() < STEADY_DIFFERENCE;
            leap.report(is_steady, book);
        }
        if step < 0.0 {
            let description = format!("from {:.3} back to {:.3}", last.time, now.time);
            book.add(AuditCode::ClockBack, || {
                Proof::new(here, description, &[("from", last.time), ("to", now.time)])
            });
        } else if step > MAX_STEP {
            let description = format!("from {:.3} to {:.3}", last.time, now.time);
            let clock = Proof::new(here, description, &[("from", last.time), ("to", now.time)]);
            self.leap = Some(Leap { step, is_steady, clock, splice: splice(&last, &now, here) });
        }
    }
}

/// A proof that the player's state leapt with the clock; `None` if it did not.
fn splice(last: &Last, now: &Last, here: &PassPosition) -> Option<Proof> {
    if let (Some(was), Some(is)) = (last.origin, now.origin) {
        let way = was.iter().zip(is).map(|(was, is)| (was - is).powi(2)).sum::<f64>().sqrt();
        if way > MIN_LEAP {
            let description = format!("the player is {way:.0} units from the place before");
            return Some(Proof::new(here, description, &[("distance", way)]));
        }
    }
    (last.health != now.health || last.kills != now.kills).then(|| {
        let description = format!(
            "health {} and {} kills become {} and {}",
            last.health, last.kills, now.health, now.kills
        );
        let numbers = [("health_before", f64::from(last.health)), ("health_after", f64::from(now.health))];
        Proof::new(here, description, &numbers)
    })
}
