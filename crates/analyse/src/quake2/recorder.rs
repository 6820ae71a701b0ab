//! The recorder: items, damage and position.

use super::fights::{Attacker, Fights, fell};
use super::tables::{powerup, weapon};
use crate::events::chat::Roster;
use crate::events::queue::EventQueue;
use crate::space::{distance, spot};
use crate::{EventKind, Evidence, GameText, PassPosition};
use moviola_format::names::quake2::{EVENT, PM_FLAGS};
use moviola_format::names::{bit, value};
use moviola_state::quake2::{PlayerState, Stat, World};

/// The player's state after the last frame.
#[derive(Debug, Default)]
pub(super) struct RecorderState {
    before: Option<PlayerState>,
    /// `None` before the player's first state in this level.
    alive: Option<bool>,
    weapon: GameText,
    powerup: Option<(&'static str, Option<f64>)>,
    /// Whether the block has the sound of the player's pickup.
    pub(super) heard_pickup: bool,
    /// The player's score.
    pub(super) frags: Option<i16>,
    /// The block in which `frags` last changed.
    pub(super) scored: u64,
    /// Whether the player was not frozen in the last frame.
    pub(super) was_playing: bool,
}

impl RecorderState {
    /// Examines a frame.
    #[allow(clippy::too_many_arguments, reason = "what is looked at, by whom, and where to put it")]
    pub(super) fn observe(
        &mut self,
        world: &World,
        here: &PassPosition,
        roster: &Roster,
        fights: &Fights,
        is_over: bool,
        out: &mut EventQueue,
    ) {
        let heard = std::mem::take(&mut self.heard_pickup);
        let Some(now) = world.drawn().player(None).copied() else { return };
        let old = self.before.replace(now);
        // After the end of a game all players start again.
        if !is_over {
            let frags = now.stat(Stat::Frags);
            if self.frags.replace(frags) != Some(frags) {
                self.scored = here.block;
            }
        }
        if old.is_none_or(|old| old.gun_model != now.gun_model) {
            self.observe_weapon(world, &now, here, out);
        }
        self.observe_powerup(world, &now, here, out);
        self.observe_pickup(world, old.as_ref(), &now, heard, here, out);
        if let Some(old) = &old {
            self.observe_damage(world, [old, &now], here, fights, roster, out);
            self.observe_place(world, old, &now, here, out);
        }
        self.observe_life(world, &now, here, roster, out);
        if let Some(old) = &old {
            observe_frags(world, old, &now, here, roster, out);
        }
    }

    fn observe_weapon(
        &mut self,
        world: &World,
        now: &PlayerState,
        here: &PassPosition,
        out: &mut EventQueue,
    ) {
        let model = world.config.model(now.gun_model);
        if now.gun_model == 0 || model.is_empty() {
            return;
        }
        let new = weapon(model).map_or_else(|| GameText::new(model), |name| GameText::new(name.as_bytes()));
        if new == self.weapon {
            return;
        }
        let before = std::mem::replace(&mut self.weapon, new.clone());
        if !before.is_empty() {
            out.push(here, EventKind::Weapon { weapon: new, before }, Evidence::WEAPON);
        }
    }

    fn observe_powerup(
        &mut self,
        world: &World,
        now: &PlayerState,
        here: &PassPosition,
        out: &mut EventQueue,
    ) {
        let icon = u8::try_from(now.stat(Stat::TimerIcon)).unwrap_or_default();
        let running = if icon == 0 { None } else { powerup(world.config.image(icon)) };
        if running == self.powerup.map(|(name, _)| name) {
            return;
        }
        if let Some((powerup, since)) = self.powerup.take() {
            let seconds = here.time.zip(since).map(|(now, since)| now - since);
            out.push(here, EventKind::PowerupEnd { powerup, seconds }, Evidence::STATS);
        }
        if let Some(powerup) = running {
            self.powerup = Some((powerup, here.time));
            out.push(here, EventKind::PowerupStart { powerup }, Evidence::STATS);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "two states, a sound and where to put it")]
    fn observe_pickup(
        &self,
        world: &World,
        old: Option<&PlayerState>,
        now: &PlayerState,
        was_heard: bool,
        here: &PassPosition,
        out: &mut EventQueue,
    ) {
        let string = now.stat(Stat::PickupString);
        let is_new = string != 0 && old.is_some_and(|old| old.stat(Stat::PickupString) != string);
        // If the same item is picked up twice within three seconds, only the sound shows the second pickup.
        if string == 0 || !(is_new || was_heard) || self.alive != Some(true) {
            return;
        }
        let item = GameText::new(world.config.get(usize::try_from(string).unwrap_or_default()));
        let evidence = Evidence::NONE.with(Evidence::STATS, is_new).with(Evidence::SOUND, was_heard);
        out.push(here, EventKind::pickup(item, None), evidence);
    }

    fn observe_damage(
        &self,
        world: &World,
        [old, now]: [&PlayerState; 2],
        here: &PassPosition,
        fights: &Fights,
        roster: &Roster,
        out: &mut EventQueue,
    ) {
        let lost = |stat| i32::from(old.stat(stat)).saturating_sub(i32::from(now.stat(stat)));
        let flashes = now.stat(Stat::Flashes);
        // Power armor and armor alternate on the status bar.
        let same_armor = old.stat(Stat::ArmorIcon) == now.stat(Stat::ArmorIcon) || now.stat(Stat::Armor) == 0;
        // The status bar shows no armor after death, so the armor lost in the deadly blow is not known.
        let alive = now.stat(Stat::Health) > 0;
        let (health, armor) =
            (lost(Stat::Health), if same_armor && alive { lost(Stat::Armor).max(0) } else { 0 });
        // Without a flash it is the megahealth that runs out; only the deadly hit has no flash.
        let deadly = now.stat(Stat::Health) <= 0 && old.stat(Stat::Health) > 0;
        if self.alive != Some(true) || (flashes.trailing_zeros() > 1 && !deadly) || health.max(armor) <= 0 {
            return;
        }
        let direction = fights.direction(world, now);
        let attacker = match direction.and_then(|direction| fights.attacker(world, now, direction)) {
            Some(Attacker::Monster(name)) => Some(GameText::new(name.as_bytes())),
            Some(Attacker::Player(slot)) => Some(roster.slot(slot).name),
            None => fell(world).then(|| GameText::new(b"world")),
        };
        let evidence = Evidence::STATS.with(Evidence::VIEW, direction.is_some());
        let evidence = evidence.with(Evidence::GUESS, direction.is_some() && attacker.is_some());
        let kind = EventKind::Damage {
            health: health.max(0),
            armor,
            health_left: now.stat(Stat::Health).into(),
            armor_left: now.stat(Stat::Armor).into(),
            direction,
            origin: None,
            attacker,
        };
        out.push(here, kind, evidence);
    }

    fn observe_life(
        &mut self,
        world: &World,
        now: &PlayerState,
        here: &PassPosition,
        roster: &Roster,
        out: &mut EventQueue,
    ) {
        /// A player without health who is not in a state of death is a spectator.
        const DEAD: std::ops::RangeInclusive<u8> = 2..=3;
        let health = now.stat(Stat::Health);
        let alive = health > 0 && !DEAD.contains(&now.pm_type);
        if self.alive == Some(alive) || (self.alive.is_none() && !alive) {
            return;
        }
        self.alive = Some(alive);
        let player = roster.slot(u8::try_from(world.server.client).unwrap_or_default());
        let origin = Some(spot(now.origin));
        let kind = if alive {
            EventKind::Spawn { player, origin, own: true }
        } else {
            EventKind::Death { player, origin, own: true }
        };
        out.push(here, kind, Evidence::STATS);
    }

    fn observe_place(
        &self,
        world: &World,
        old: &PlayerState,
        now: &PlayerState,
        here: &PassPosition,
        out: &mut EventQueue,
    ) {
        /// The event that an entity has when its player is teleported.
        const TELEPORT: u8 = value(EVENT, "EV_PLAYER_TELEPORT") as u8;
        /// A distance that no player can walk in one frame.
        const JUMP: f64 = 64.0;
        /// The state of movement after a teleport.
        const TIME_TELEPORT: u8 = bit(PM_FLAGS, "PMF_TIME_TELEPORT") as u8;
        let event = world.own_entity().and_then(|own| world.drawn().entity(own)).map(|it| it.event);
        let (from, to) = (spot(old.origin), spot(now.origin));
        let far = distance(from, to) > JUMP;
        let alive = self.alive == Some(true) && now.stat(Stat::Health) > 0;
        if event == Some(TELEPORT) && far && alive {
            let held = now.pm_flags & TIME_TELEPORT != 0;
            let evidence = Evidence::ENTITY.with(Evidence::MOVEMENT, held);
            out.push(here, EventKind::Teleport { from, to }, evidence);
        }
    }
}

/// Reads the recorder's own score from the status bar.
fn observe_frags(
    world: &World,
    old: &PlayerState,
    now: &PlayerState,
    here: &PassPosition,
    roster: &Roster,
    out: &mut EventQueue,
) {
    let frags = i32::from(now.stat(Stat::Frags));
    let change = frags.saturating_sub(old.stat(Stat::Frags).into());
    let Ok(slot) = u8::try_from(world.server.client) else { return };
    if change != 0 {
        out.push(here, EventKind::Frags { player: roster.slot(slot), frags, change }, Evidence::STATS);
    }
}
