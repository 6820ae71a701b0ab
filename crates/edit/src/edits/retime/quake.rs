//! Quake: the times are encoded again. Everything else is kept, also the velocity in the player's state, so
//! that the view moves as before.

use crate::{BlockWriter, EditOutput};
use moviola_format::dem::{self, Message, UpdateEntity};
use moviola_format::{Entry, Flags, Seconds};

/// Computes the new times of a recording.
#[derive(Clone)]
pub(super) struct Timer {
    speed: f64,
    /// The last time of the level, and whether it was in a span.
    before: Option<(f64, bool)>,
    /// The seconds by which the current time is later than it was.
    shift: f64,
    /// The length of the spans before and after the edit.
    taken: (f64, f64),
    /// The number of steps that became too long for engines.
    jumps: u64,
}

/// Over a longer step an engine does not interpolate movement (`CL_LerpPoint`).
const MAX_STEP: f64 = 0.1;

impl Timer {
    pub(super) fn new(speed: f64) -> Self {
        Self { speed, before: None, shift: 0.0, taken: (0.0, 0.0), jumps: 0 }
    }

    pub(super) fn message(&mut self, entry: &Entry<Message<'_>>, inside: bool, writer: &mut BlockWriter<'_>) {
        let slower = 1.0 / self.speed;
        match &entry.message {
            Message::ServerInfo(_) => {
                (self.before, self.shift) = (None, 0.0);
                writer.keep();
            }
            Message::Time(it) => match self.new_time(it.time.seconds, inside) {
                Some(time) => writer.put(&Message::from(dem::Time { time: it.time.at(time) })),
                None => writer.keep(),
            },
            // FTE repeats the time before the entities of the frame.
            Message::UpdateEntities(it) => match self.new_time(it.time, inside) {
                Some(time) => writer.put(&Message::from(dem::UpdateEntities { time, ..*it })),
                None => writer.keep(),
            },
            // The next step of a monster and the duration of a fade of fog are times as well.
            Message::UpdateEntity(it) if inside && it.flags.has(UpdateEntity::lerpfinish) => {
                let lerpfinish = (f64::from(it.lerpfinish) * slower).round() as u8;
                writer.put(&Message::from(UpdateEntity { lerpfinish, ..*it }));
            }
            Message::Fog(it) if inside => {
                let time = (f64::from(it.time) * slower).round() as i16;
                writer.put(&Message::from(dem::Fog { time, ..*it }));
            }
            _ => writer.keep(),
        }
    }

    /// The new time; `None` if it does not change.
    fn new_time(&mut self, time: Seconds, inside: bool) -> Option<Seconds> {
        let now = f64::from(time.value());
        if !now.is_finite() {
            return None;
        }
        if let Some((then, true)) = self.before.filter(|_| inside)
            && now > then
        {
            let (was, is) = (now - then, (now - then) / self.speed);
            self.shift += is - was;
            self.taken.0 += was;
            self.taken.1 += is;
            self.jumps += u64::from(was <= MAX_STEP && is > MAX_STEP);
        }
        self.before = Some((now, inside));
        let shifted = Seconds::new((now + self.shift) as f32);
        (self.shift != 0.0 && shifted.value().is_finite()).then_some(shifted)
    }

    /// The last time on the clock of the result.
    pub(super) fn now(&self) -> Option<f64> {
        self.before.map(|(now, _)| now + self.shift)
    }

    pub(super) fn end(&self, out: &mut EditOutput<'_>) {
        if self.jumps > 0 {
            out.note(format!(
                "{} more than 0.1 s now, and engines do not smooth such long steps",
                if self.jumps == 1 {
                    "1 step takes".to_owned()
                } else {
                    format!("{} steps take", self.jumps)
                }
            ));
        }
    }

    /// The length of the spans in seconds, before and after the edit.
    pub(super) fn taken(&self) -> (f64, f64) {
        self.taken
    }
}
