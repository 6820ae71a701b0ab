//! Highlights keep the interesting events with their margins, and nothing else.

use crate::common::{corpus, recordings};
use moviola_analyse::{Event, Events, watch};
use moviola_edit::{BlockPlace, BlockWriter, EditOutput, Error, FoundSpans, Highlights, Rewrite, rewrite};

/// The kinds of events that must be kept, and those that may be.
const ALWAYS: [&str; 5] = ["kill", "pickup", "damage", "chat", "secret"];
const BESIDE: [&str; 4] = ["death", "flag", "monster", "powerup_start"];

const BEFORE: f64 = 1.0;
const AFTER: f64 = 0.5;

/// Where each block is, and whether it is kept.
struct Blocks(FoundSpans, Vec<(BlockPlace, bool)>);

impl Rewrite for Blocks {
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.1.push((*writer.place(), self.0.holds(writer.place())));
        Ok(())
    }
}

/// Whether a time is in the margins of an event, which are slightly longer than requested.
fn is_near(time: f64, event: f64, hair: f64) -> bool {
    (event - BEFORE - hair..=event + AFTER + hair).contains(&time)
}

#[test]
fn highlights_keep_only_the_events() {
    let (mut kept, mut out) = ([0; ALWAYS.len()], 0);
    let asked = Highlights::new(BEFORE, AFTER).of_kinds(ALWAYS.into_iter().chain(BESIDE));
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game).into_iter().filter(|it| it.bytes.len() < 1 << 20) {
            let Ok(found) = asked.find(&recording.bytes[..]) else { continue };
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

/// The number of kept seconds and of parts.
fn kept_seconds(recording: &[u8], asked: &Highlights) -> Option<(f64, usize)> {
    let mut blocks = Blocks(asked.find(recording).ok()?, Vec::new());
    rewrite(recording, &mut blocks, std::io::sink()).unwrap();
    let (mut seconds, mut parts, mut before) = (0.0, 0, None);
    for (place, is_kept) in blocks.1.iter().filter(|(place, _)| place.time.is_some()) {
        if *is_kept && let Some((level, time)) = before {
            seconds += if level == place.level { place.time.unwrap() - time } else { 0.0 };
        }
        parts += usize::from(*is_kept && before.is_none());
        before = is_kept.then_some((place.level, place.time.unwrap()));
    }
    Some((seconds, parts))
}

#[test]
fn the_default_is_the_players_own_kills_and_top_the_best_of_them() {
    let mut fewer = 0;
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game).into_iter().filter(|it| it.bytes.len() < 1 << 20) {
            let all = Highlights::new(BEFORE, AFTER).of_kinds(["kill"]);
            let own = Highlights::new(BEFORE, AFTER);
            let (Some(all), Some(first)) =
                (kept_seconds(&recording.bytes, &all), kept_seconds(&recording.bytes, &own))
            else {
                continue;
            };
            let best = kept_seconds(&recording.bytes, &own.clone().top(1)).unwrap();
            assert!(best.0 <= first.0 && best.1 <= 1, "{}: {best:?} of {first:?}", recording.name);
            fewer += u32::from(first.0 < all.0);
        }
    }
    // In each of the samples the recorder made every kill.
    assert!(fewer > 0 || corpus().is_none());
}
