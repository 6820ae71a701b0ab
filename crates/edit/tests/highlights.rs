//! Highlights are what happens, with their margins, and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod common;

use common::recordings;
use moviola_analyse::{Event, Events, watch};
use moviola_edit::{Error, Found, Out, Pen, Place, Rewrite, highlights, rewrite};

/// What has to be kept, and what may be.
const ALWAYS: [&str; 5] = ["kill", "pickup", "damage", "chat", "secret"];
const BESIDE: [&str; 4] = ["death", "flag", "monster", "powerup_start"];

const BEFORE: f64 = 1.0;
const AFTER: f64 = 0.5;

/// Where each block is, and whether it is kept.
struct Blocks(Found, Vec<(Place, bool)>);

impl Rewrite for Blocks {
    fn block_end(&mut self, pen: &mut Pen<'_>, _: &mut Out<'_>) -> Result<(), Error> {
        self.1.push((*pen.place(), self.0.holds(pen.place())));
        Ok(())
    }
}

/// Whether a time is in the margins of an event, which are a hair longer than said.
fn is_near(time: f64, event: f64, hair: f64) -> bool {
    (event - BEFORE - hair..=event + AFTER + hair).contains(&time)
}

#[test]
fn what_happens_is_kept_and_nothing_else() {
    let (mut kept, mut out) = ([0; ALWAYS.len()], 0);
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game).into_iter().filter(|it| it.bytes.len() < 1 << 20) {
            let Ok(found) = highlights(&recording.bytes[..], BEFORE, AFTER) else { continue };
            let mut all: Vec<(u32, f64, &str)> = Vec::new();
            let mut events = Events::new(|event: Event| {
                let time = event.time.filter(|time| time.is_finite());
                all.extend(time.map(|time| (event.level.max(1), time, event.name())));
            });
            watch(&recording.bytes[..], &mut [&mut events]).unwrap();
            drop(events);
            let mut blocks = Blocks(found, Vec::new());
            rewrite(&recording.bytes[..], &mut blocks, std::io::sink()).unwrap();
            for (place, is_kept) in blocks.1 {
                let Some(time) = place.time.filter(|time| time.is_finite()) else { continue };
                let near = |names: &[&str], hair: f64| {
                    let is = |(level, event, name): &(u32, f64, &str)| {
                        *level == place.level && names.contains(name) && is_near(time, *event, hair)
                    };
                    all.iter().any(is)
                };
                for (name, kept) in ALWAYS.iter().zip(&mut kept) {
                    if near(&[name], -0.001) {
                        assert!(is_kept, "{}: {name} at {time}", recording.name);
                        *kept += 1;
                    }
                }
                let has_reason = near(&ALWAYS, 0.001) || near(&BESIDE, 0.001);
                assert!(!is_kept || has_reason, "{}: nothing at {time}", recording.name);
                out += u32::from(!is_kept);
            }
        }
    }
    assert!(kept.iter().all(|kept| *kept > 10) && out > 100, "{kept:?} {out}");
}
