//! Turns events into the rows of the tables `kills`, `damages`, `pickups`, `shots`, `chat` and `items`.

// not from SCHEMA, all words: events have fields and kinds of their own.

use super::RowOutput;
use super::people::People;
use super::trail::{Trail, TrailSpot, distance};
use crate::tables::{Chat, Damages, Items, Kills, Pickups, Shots};
use crate::{FixedWord, Word};
use moviola_analyse::{Event, EventKind, EventPlayer, GameText};
use moviola_state::quake::MissionPack;
use std::collections::BTreeMap;
use std::io::Write;

/// The state of the recording at the time of an event.
pub(super) struct EventSurroundings<'a> {
    pub(super) recording: &'a Word,
    pub(super) map: &'a Word,
    pub(super) people: &'a People,
    pub(super) trail: &'a Trail,
    /// The slot of the recorder.
    pub(super) recorder: Option<u8>,
    pub(super) is_quake2: bool,
}

/// The unfinished rows of `items`: the items that are present in the level, by their entity.
#[derive(Debug, Default)]
pub(super) struct LyingItems {
    open: BTreeMap<u16, Items>,
    /// The level of these items.
    level: u32,
}

/// A player as cells: name, slot, team.
type Person = (Option<Word>, Option<i32>, Option<Word>);

/// The greatest distance, in units, between an item's origin and the player who may have taken it.
const MAX_DISTANCE: f32 = 128.0;

impl EventSurroundings<'_> {
    fn person(&self, who: Option<&EventPlayer>) -> Person {
        let Some(who) = who else { return (None, None, None) };
        let name = Word::of(who.name.bytes());
        let team = who.slot.and_then(|slot| self.people.team(slot));
        ((!name.is_empty()).then_some(name), who.slot.map(i32::from), team)
    }

    fn in_slot(&self, slot: Option<u8>) -> Person {
        let Some(slot) = slot else { return (None, None, None) };
        (self.people.name_of(slot), Some(slot.into()), self.people.team(slot))
    }

    fn last_spot(&self, who: Option<&EventPlayer>, event: &Event) -> Option<TrailSpot> {
        self.trail.at(who?.slot, event.block as i64)
    }

    fn time(&self, event: &Event) -> (Option<f32>, Option<f32>) {
        let time = event.time.map(|time| time as f32);
        (time, time.and_then(|_| self.trail.time_of(event.block as i64)))
    }
}

fn split(place: Option<[f32; 3]>) -> [Option<f32>; 3] {
    place.map_or([None; 3], |place| place.map(Some))
}

fn flat(place: [f64; 3]) -> [f32; 3] {
    place.map(|it| it as f32)
}

fn fixed_word(word: &'static str) -> Option<FixedWord> {
    (!word.is_empty()).then(|| FixedWord::from_static(word))
}

impl LyingItems {
    /// Writes the rows of an event to the requested tables.
    pub(super) fn event<W: Write + Send>(
        &mut self,
        event: &Event,
        around: &EventSurroundings<'_>,
        out: &mut RowOutput<'_, W>,
    ) {
        match &event.kind {
            EventKind::Kill { .. } if out.wants::<Kills>() => {
                if let Some(row) = kill(event, around) {
                    out.row(&row);
                }
            }
            EventKind::Damage { .. } if out.wants::<Damages>() => {
                if let Some(row) = damage(event, around) {
                    out.row(&row);
                }
            }
            EventKind::Pickup { item, amount, player, .. } if out.wants::<Pickups>() => {
                out.row(&pickup(event, (item, *amount, player.as_ref()), around));
            }
            EventKind::Hit { .. } if out.wants::<Damages>() => {
                if let Some(row) = hit(event, around) {
                    out.row(&row);
                }
            }
            EventKind::Shot { .. } if out.wants::<Shots>() => {
                if let Some(row) = shot(event, around) {
                    out.row(&row);
                }
            }
            EventKind::Chat { player, text, team, .. } if out.wants::<Chat>() => {
                let (level_time, recording_time) = around.time(event);
                let (name, slot, of_team) = around.person(Some(player));
                out.row(&Chat {
                    recording: around.recording.clone(),
                    block: event.block as i64,
                    level: event.level as i32,
                    map: around.map.clone(),
                    level_time,
                    recording_time,
                    player: name,
                    slot,
                    team: of_team,
                    text: text.line().into(),
                    text_hex: text.line_hex().map(Word::from),
                    is_team: *team,
                });
            }
            EventKind::ItemSeen { entity, item, origin } if out.wants::<Items>() => {
                self.appeared(event, (*entity, item, *origin), ("seen", None), around, out);
            }
            EventKind::ItemBack { entity, item, origin, seconds } if out.wants::<Items>() => {
                self.appeared(event, (*entity, item, *origin), ("back", *seconds), around, out);
            }
            EventKind::ItemTaken { entity, own, player, .. } if out.wants::<Items>() => {
                self.taken(event, *entity, (*own, player.as_ref()), around, out);
            }
            EventKind::LevelEnd { .. } => self.end(out),
            _ => {}
        }
    }

    fn appeared<W: Write + Send>(
        &mut self,
        event: &Event,
        (entity, item, origin): (u16, &'static str, [f64; 3]),
        (how, away): (&'static str, Option<f64>),
        around: &EventSurroundings<'_>,
        out: &mut RowOutput<'_, W>,
    ) {
        if self.level != event.level {
            self.end(out);
            self.level = event.level;
        }
        let [x, y, z] = flat(origin);
        let row = Items {
            recording: around.recording.clone(),
            level: event.level as i32,
            map: around.map.clone(),
            entity: entity.into(),
            item: FixedWord::from_static(item),
            x,
            y,
            z,
            came: FixedWord::from_static(how),
            first_block: event.block as i64,
            first_time: event.time.map(|time| time as f32),
            away: away.map(in_milliseconds),
            ..Items::default()
        };
        if let Some(before) = self.open.insert(entity, row) {
            out.row(&before);
        }
    }

    fn taken<W: Write + Send>(
        &mut self,
        event: &Event,
        entity: u16,
        (own, player): (Option<bool>, Option<&EventPlayer>),
        around: &EventSurroundings<'_>,
        out: &mut RowOutput<'_, W>,
    ) {
        let Some(mut row) = self.open.remove(&entity) else { return };
        let block = event.block as i64;
        row.taken_block = Some(block);
        (row.taken_time, row.recording_time) = around.time(event);
        let but = around.recorder.filter(|_| own == Some(false));
        let known = player.and_then(|player| player.slot).or(around.recorder.filter(|_| own == Some(true)));
        let taker = known.or_else(|| around.trail.nearest([row.x, row.y, row.z], block, MAX_DISTANCE, but));
        row.is_guess = taker.map(|_| known.is_none());
        (row.player, row.slot, row.team) = around.in_slot(taker);
        out.row(&row);
    }

    /// Ends the level: writes the items that were not taken.
    pub(super) fn end<W: Write + Send>(&mut self, out: &mut RowOutput<'_, W>) {
        for row in std::mem::take(&mut self.open).into_values() {
            out.row(&row);
        }
    }
}

/// The seconds as `f32`, rounded to milliseconds, since a difference of two `f32` times has wrong last
/// digits.
fn in_milliseconds(seconds: f64) -> f32 {
    ((seconds * 1000.0).round() / 1000.0) as f32
}

fn kill(event: &Event, around: &EventSurroundings<'_>) -> Option<Kills> {
    let EventKind::Kill { victim, attacker, class, weapon, text } = &event.kind else { return None };
    let is_suicide = *class == "suicide";
    let killer = attacker.as_ref().or(victim.as_ref().filter(|_| is_suicide));
    let (level_time, recording_time) = around.time(event);
    let (attacker, attacker_slot, attacker_team) = around.person(killer);
    let (victim_name, victim_slot, victim_team) = around.person(victim.as_ref());
    let origin = around.last_spot(victim.as_ref(), event).map(|seen| seen.origin).or(event.origin);
    let by = around.last_spot(killer, event);
    let [victim_x, victim_y, victim_z] = split(origin);
    let [attacker_x, attacker_y, attacker_z] = split(by.map(|seen| seen.origin));
    let same_team = !is_suicide && attacker_team.is_some() && attacker_team == victim_team;
    Some(Kills {
        recording: around.recording.clone(),
        block: event.block as i64,
        level: event.level as i32,
        map: around.map.clone(),
        level_time,
        recording_time,
        attacker,
        attacker_slot,
        is_team: *class == "teamkill" || same_team && *class == "kill",
        attacker_team,
        victim: victim_name,
        victim_slot,
        victim_team,
        assister: None,
        assister_slot: None,
        weapon: fixed_word(weapon),
        how: FixedWord::from_static(class),
        is_suicide,
        victim_x,
        victim_y,
        victim_z,
        attacker_x,
        attacker_y,
        attacker_z,
        distance: origin.zip(by).map(|(of, by)| distance(of, by.origin)),
        attacker_health: by.and_then(|seen| seen.health),
        attacker_armor: by.and_then(|seen| seen.armor),
        text: Word::from(text.text()),
    })
}

fn damage(event: &Event, around: &EventSurroundings<'_>) -> Option<Damages> {
    let EventKind::Damage { health, armor, health_left, armor_left, direction, origin, attacker } =
        &event.kind
    else {
        return None;
    };
    let (level_time, recording_time) = around.time(event);
    let (victim, victim_slot, victim_team) = around.in_slot(around.recorder);
    let attacker_slot = attacker.as_ref().and_then(|name| around.people.slot_of(&Word::of(name.bytes())));
    let here = around.trail.at(around.recorder, event.block as i64).map(|seen| seen.origin);
    let [victim_x, victim_y, victim_z] = split(here.or(event.origin));
    let [attacker_x, attacker_y, attacker_z] = split(origin.map(flat));
    Some(Damages {
        recording: around.recording.clone(),
        block: event.block as i64,
        level: event.level as i32,
        map: around.map.clone(),
        level_time,
        recording_time,
        attacker: attacker.as_ref().map(GameText::bytes).filter(|it| !it.is_empty()).map(Word::of),
        attacker_slot: attacker_slot.map(i32::from),
        attacker_team: attacker_slot.and_then(|slot| around.people.team(slot)),
        victim,
        victim_slot,
        victim_team,
        weapon: None,
        damage_health: Some(*health),
        damage_armor: Some(*armor),
        damage: health.saturating_add(*armor),
        health_left: Some(*health_left),
        armor_left: Some(*armor_left),
        direction: direction.map(|it| it as f32),
        is_splash: None,
        victim_x,
        victim_y,
        victim_z,
        attacker_x,
        attacker_y,
        attacker_z,
    })
}

/// The row for damage that the server itself reported (`dmgdone`).
fn hit(event: &Event, around: &EventSurroundings<'_>) -> Option<Damages> {
    let EventKind::Hit { attacker, victim, weapon, damage, splash } = &event.kind else { return None };
    let (level_time, recording_time) = around.time(event);
    let (of, by) = (around.last_spot(Some(victim), event), around.last_spot(attacker.as_ref(), event));
    let [victim_x, victim_y, victim_z] = split(of.map(|seen| seen.origin).or(event.origin));
    let [attacker_x, attacker_y, attacker_z] = split(by.map(|seen| seen.origin));
    let (attacker, attacker_slot, attacker_team) = around.person(attacker.as_ref());
    let (victim, victim_slot, victim_team) = around.person(Some(victim));
    Some(Damages {
        recording: around.recording.clone(),
        block: event.block as i64,
        level: event.level as i32,
        map: around.map.clone(),
        level_time,
        recording_time,
        attacker,
        attacker_slot,
        attacker_team,
        victim,
        victim_slot,
        victim_team,
        weapon: fixed_word(weapon),
        damage: *damage,
        is_splash: Some(*splash),
        victim_x,
        victim_y,
        victim_z,
        attacker_x,
        attacker_y,
        attacker_z,
        ..Damages::default()
    })
}

fn pickup(
    event: &Event,
    (item, amount, player): (&GameText, Option<i32>, Option<&EventPlayer>),
    around: &EventSurroundings<'_>,
) -> Pickups {
    let (level_time, recording_time) = around.time(event);
    let taker = player.map_or(around.recorder, |player| player.slot);
    let (player, slot, team) = around.in_slot(taker);
    let here = around.trail.at(taker, event.block as i64).map(|seen| seen.origin);
    let [x, y, z] = split(event.origin.or(here));
    Pickups {
        recording: around.recording.clone(),
        block: event.block as i64,
        level: event.level as i32,
        map: around.map.clone(),
        level_time,
        recording_time,
        player,
        slot,
        team,
        item: Word::from(item.text()),
        weapon: weapon_in(item.text()).filter(|_| !around.is_quake2).map(FixedWord::from_static),
        amount,
        x,
        y,
        z,
    }
}

/// The first weapon in the game's line about an item, or about all that is in a backpack.
fn weapon_in(line: &str) -> Option<&'static str> {
    // not from SCHEMA, all words: what the game calls a weapon that has another name elsewhere
    const OTHER_NAME: (&str, &str) = ("double-barrelled shotgun", "Super Shotgun");
    let packs = [MissionPack::Id, MissionPack::Hipnotic, MissionPack::Rogue];
    let names = || packs.iter().flat_map(|pack| pack.weapons()).map(|(_, name)| *name);
    line.split(", ").map(|part| part.strip_prefix("the ").unwrap_or(part)).find_map(|part| {
        if part.eq_ignore_ascii_case(OTHER_NAME.0) {
            return Some(OTHER_NAME.1);
        }
        names().find(|name| name.eq_ignore_ascii_case(part))
    })
}

fn shot(event: &Event, around: &EventSurroundings<'_>) -> Option<Shots> {
    let EventKind::Shot { player, weapon, own, pellets, hits } = &event.kind else { return None };
    let (level_time, recording_time) = around.time(event);
    let (name, slot, team) = around.person(Some(player));
    let seen = around.last_spot(Some(player), event);
    let [x, y, z] = split(event.origin.or(seen.map(|seen| seen.origin)));
    let [pitch, yaw, _] = split(seen.map(|seen| seen.angles));
    Some(Shots {
        recording: around.recording.clone(),
        block: event.block as i64,
        level: event.level as i32,
        map: around.map.clone(),
        level_time,
        recording_time,
        player: name,
        slot,
        team,
        is_recorder: *own,
        weapon: fixed_word(weapon),
        pellets: pellets.map(i32::from),
        hits: hits.map(i32::from),
        x,
        y,
        z,
        pitch,
        yaw,
    })
}
