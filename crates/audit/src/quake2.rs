//! The audit of a Quake II recording.
//!
//! id's game code shows every player in god mode by a shell of all three colors (`G_SetClientEffects`), and
//! shows a blow by the color of the screen and the flash of the numbers (`P_DamageFeedback`).

use super::book::{FindingList, PendingEvidence, Proof};
use super::findings::AuditCode;
use super::pace::{PaceJudge, Step};
use super::quake::text_proof;
use super::rules::{GameCode, bits, number};
use super::{Coverage, words};
use moviola_analyse::AuditSeverity;
use moviola_analyse::space::{distance, length, spot};
use moviola_analyse::{GameText, PassPosition};
use moviola_format::names::quake2::{EFFECTS, EVENT, PM_FLAGS, PM_TYPE, PRINT_LEVEL, RENDERFX};
use moviola_format::names::value;
use moviola_state::quake2::{Entity, MomentKind, PlayerState, Stat, World};
use std::sync::Arc;

/// The audit of a Quake II recording.
#[derive(Debug, Default)]
pub(super) struct Quake2Audit {
    level: u32,
    names: Option<Names>,
    frame: Option<i32>,
    last_player: Option<PlayerState>,
    shell: PendingEvidence,
    white: PendingEvidence,
    spectator: PendingEvidence,
    leaps: PendingEvidence,
    pace: PaceJudge,
    apart: PendingEvidence,
    /// Whether the game is id's, by its folder.
    original: bool,
    /// Whether it is a game for one player.
    solo: bool,
    arms: WeaponCheck,
}

/// The names in the tables of the bits that the audit looks for.
#[derive(Clone, Copy, Debug)]
struct Names {
    shell: u32,
    colors: u32,
    invulnerable: u32,
    spectator: u8,
    normal: u8,
    dead: [u8; 2],
    teleported: u8,
    arrives: u8,
}

impl Names {
    fn new() -> Self {
        Self {
            shell: bits(EFFECTS, &["EF_COLOR_SHELL"]),
            colors: bits(RENDERFX, &["RF_SHELL_RED", "RF_SHELL_GREEN", "RF_SHELL_BLUE"]),
            invulnerable: bits(EFFECTS, &["EF_PENT"]),
            spectator: number(PM_TYPE, "PM_SPECTATOR").unwrap_or(u8::MAX),
            normal: number(PM_TYPE, "PM_NORMAL").unwrap_or(u8::MAX),
            dead: ["PM_DEAD", "PM_GIB"].map(|name| number(PM_TYPE, name).unwrap_or(u8::MAX)),
            teleported: number(EVENT, "EV_PLAYER_TELEPORT").unwrap_or(u8::MAX),
            arrives: bits(PM_FLAGS, &["PMF_TIME_TELEPORT"]) as u8,
        }
    }
}

/// This many frames make a finding certain.
const CERTAIN_FRAMES: u64 = 2;
/// Longer than any game protects newly arrived players, in frames.
const MAX_PROTECTION: u64 = 60;
/// The least distance of a leap; frames are a tenth of a second apart.
const MIN_LEAP: f64 = 300.0;
const FRAME: f64 = 0.1;
/// A player who is resurrected is within this distance of his death.
const NEAR: f64 = 64.0;
/// The level of the prints in which the game answers a player's commands (`Cmd_God_f`).
const PRINT_HIGH: u8 = value(PRINT_LEVEL, "PRINT_HIGH") as u8;
/// The greatest amount of armor that an item of id's game gives at once, which is the body armor's.
const MOST_ARMOR: i16 = 100;

impl Quake2Audit {
    pub(super) fn examine(
        &mut self,
        world: &World,
        here: &PassPosition,
        book: &mut FindingList,
        looked: &mut Coverage,
    ) {
        for happening in &world.moment {
            if let MomentKind::Print(PRINT_HIGH, text) = &happening.what
                && let Some(code) = words::line(text.bytes())
            {
                let names = world.config.players().map(|(_, name, _)| name);
                let is_name = words::names_line(text.bytes(), names);
                let weight = if is_name { AuditSeverity::Note } else { code.severity() };
                book.weigh(code, weight, || text_proof(here, text.bytes()));
            }
        }
        if here.level != self.level {
            self.finish_level(book);
            self.level = here.level;
            self.original = matches!(world.server.game.bytes(), b"" | b"baseq2");
            self.solo = false;
            let modified = if self.original { GameCode::Original } else { GameCode::Modified };
            looked.game_code = modified;
        }
        let frame = world.frame();
        if self.frame == Some(frame.number) || !frame.validity.is_drawn() {
            return;
        }
        let last = self.frame.replace(frame.number);
        let names = *self.names.get_or_insert_with(Names::new);
        self.solo = world.config.max_clients() == 1;
        self.shells(world, names, here);
        looked.frames = looked.frames.saturating_add(1);
        looked.models_only |= world.own_entity().is_none();
        let Some(now) = frame.player(None).copied() else { return };
        if self.solo && self.original {
            self.arms.examine(world, self.last_player.as_ref(), &now, here, book);
        }
        if self.is_spectator(&now, names) {
            self.spectator.add(|| Proof::new(here, format!("movement of kind {}", now.pm_type), &[]));
        }
        if let Some(before) = self.last_player.replace(now)
            && last.and_then(|it| it.checked_add(1)) == Some(frame.number)
        {
            self.compare(world, &before, &now, names, here, book);
        }
    }

    /// Checks the shells of the recorder, or of all players in a server's recording.
    fn shells(&mut self, world: &World, names: Names, here: &PassPosition) {
        let is_god =
            |it: &&Entity| it.effects & names.shell != 0 && it.renderfx & names.colors == names.colors;
        let numbers =
            |it: &Entity| [("own_effects", f64::from(it.effects)), ("own_renderfx", f64::from(it.renderfx))];
        let description = "a shell of red, green and blue";
        if let Some(own) = world.own_entity() {
            if let Some(own) = world.frame().entity(own).filter(is_god) {
                self.shell.add(|| Proof::new(here, description.to_owned(), &numbers(own)));
            }
            return;
        }
        let players = 1..=u16::from(world.config.max_clients());
        for player in world.frame().entities.iter().filter(|it| players.contains(&it.number)).filter(is_god) {
            self.shell.add(|| {
                let slot = u8::try_from(player.number.saturating_sub(1)).unwrap_or(u8::MAX);
                let name = GameText::new(world.config.player(slot).0).line();
                Proof::new(here, format!("{name}, entity {}: {description}", player.number), &numbers(player))
            });
        }
    }

    /// Reports a movement within a frame that no speed and no teleport explains.
    fn leap(
        &mut self,
        world: &World,
        before: &PlayerState,
        now: &PlayerState,
        names: Names,
        here: &PassPosition,
    ) {
        let event = world.own_entity().and_then(|number| world.frame().entity(number)).map(|it| it.event);
        let arrives = [before, now].iter().any(|it| it.pm_flags & names.arrives != 0);
        let plays = [before, now].iter().all(|it| it.pm_type == names.normal);
        if !plays || arrives || event == Some(names.teleported) {
            return self.pace.stop();
        }
        let movement = Step {
            length: distance(spot(before.origin), spot(now.origin)),
            speeds: [before, now].map(|it| length(spot(it.velocity))),
            seconds: FRAME,
            blur: 0.0,
            grain: 0.0,
        };
        if (Step { grain: MIN_LEAP, ..movement }).is_leap(MIN_LEAP) {
            let (length, speed) = (movement.length, movement.most());
            let description = format!("{length:.0} units in a frame, at {speed:.0} units a second");
            // not from SCHEMA: the name of a number in the evidence.
            self.leaps.add(|| Proof::new(here, description, &[("distance", length), ("speed", speed)]));
            return self.pace.stop();
        }
        let times = here.time.map(|time| [time - FRAME, time]).unwrap_or_default();
        if let Some((description, numbers)) =
            self.pace.judge(&movement, movement.is_too_far() || movement.hardly_moves(), times)
        {
            self.apart.add(|| Proof::new(here, description, &numbers));
        }
    }

    /// Whether the player moves as a spectator in a single-player game, which has none.
    fn is_spectator(&self, now: &PlayerState, names: Names) -> bool {
        self.solo && now.pm_type == names.spectator && now.stat(Stat::Spectator) == 0
    }

    fn compare(
        &mut self,
        world: &World,
        before: &PlayerState,
        now: &PlayerState,
        names: Names,
        here: &PassPosition,
        book: &mut FindingList,
    ) {
        let stat = |stat| (before.stat(stat), now.stat(stat));
        let ((health, health_now), (armor, armor_now)) = (stat(Stat::Health), stat(Stat::Armor));
        let rose = names.dead.contains(&before.pm_type) && now.pm_type == names.normal;
        if self.solo && self.original && rose && health <= 0 && health_now > 0 {
            let numbers = [("before", f64::from(health)), ("after", f64::from(health_now))];
            let description = format!("health {health} becomes {health_now} where the player lay");
            if distance(spot(before.origin), spot(now.origin)) < NEAR {
                book.add(AuditCode::Resurrection, || Proof::new(here, description, &numbers));
            }
        }
        if health <= 0 || health_now <= 0 || now.stat(Stat::Spectator) != 0 {
            return;
        }
        self.leap(world, before, now, names, here);
        let own = world.own_entity().and_then(|number| world.frame().entity(number));
        let invulnerable = own.is_some_and(|own| own.effects & names.invulnerable != 0);
        let is_unchanged = health == health_now && armor == armor_now && now.stat(Stat::Flashes) == 0;
        if is_unchanged && !invulnerable && white(now) > white(before) {
            let alpha = f64::from(white(now));
            let numbers =
                [("white", alpha), ("health_before", f64::from(health)), ("armor_before", f64::from(armor))];
            let description = format!("a white flash; health stays at {health}, armor at {armor}");
            self.white.add(|| Proof::new(here, description, &numbers));
        }
        let weight = |usual: AuditSeverity| {
            if self.original { usual } else { AuditSeverity::Note.max(usual.min(AuditSeverity::Suspicious)) }
        };
        // With a power screen or shield, the status bar alternates between its cells and the armor.
        let powered = [before, now].iter().any(|state| power_armor(world, state));
        let gain = if powered { 0 } else { armor_now.saturating_sub(armor) };
        if gain > MOST_ARMOR && self.original {
            let numbers = [("before", f64::from(armor)), ("after", f64::from(armor_now))];
            let description = format!("armor {armor} becomes {armor_now}");
            book.weigh(AuditCode::ArmorLeap, weight(AuditSeverity::Strong), || {
                Proof::new(here, description, &numbers)
            });
        }
        let picked = now.stat(Stat::PickupIcon) != 0 || before.stat(Stat::PickupIcon) != 0;
        let rises = health_now > health || gain > 0;
        if rises && !picked && self.original && self.solo {
            let numbers = [("health_before", f64::from(health)), ("health_after", f64::from(health_now))];
            let description =
                format!("health {health} becomes {health_now}, armor {armor} becomes {armor_now}");
            book.weigh(AuditCode::GivenUnseen, weight(AuditSeverity::Suspicious), || {
                Proof::new(here, description, &numbers)
            });
        }
        let (icons, (ammo, ammo_now)) = (stat(Stat::AmmoIcon), stat(Stat::Ammo));
        let same = icons.0 == icons.1 && icons.0 != 0 && before.gun_model == now.gun_model;
        let plays = before.pm_type == names.normal && now.pm_type == names.normal;
        if same && plays && ammo_now > ammo && !picked && self.original && self.solo {
            let numbers = [("before", f64::from(ammo)), ("after", f64::from(ammo_now))];
            let description = format!("ammunition: {ammo} becomes {ammo_now}");
            book.weigh(AuditCode::GivenUnseen, weight(AuditSeverity::Suspicious), || {
                Proof::new(here, description, &numbers)
            });
        }
    }

    fn finish_level(&mut self, book: &mut FindingList) {
        let weight = if self.original { AuditSeverity::Strong } else { AuditSeverity::Suspicious };
        for (held, code) in [
            (&mut self.shell, AuditCode::GodShell),
            (&mut self.white, AuditCode::WhiteBlow),
            (&mut self.spectator, AuditCode::SpectatorMove),
        ] {
            // Only id's game marks blows in this way; in other games, spectators and shells mean less.
            if held.count >= CERTAIN_FRAMES && (self.original || code == AuditCode::GodShell) {
                // Modified multiplayer games, also those under id's name, protect newly arrived players.
                let protected = code == AuditCode::GodShell && !self.solo;
                let protected = protected && (!self.original || held.count < MAX_PROTECTION);
                held.enter(book, code, if protected { AuditSeverity::Note } else { weight });
            }
            held.clear();
        }
        // Multiplayer games have hooks, cameras and arenas without visible effects.
        let sure = self.original && self.solo;
        self.leaps.enter(book, AuditCode::Jump, if sure { weight } else { AuditSeverity::Note });
        self.leaps.clear();
        if sure {
            self.apart.enter(book, AuditCode::PlaceAndSpeed, AuditCode::PlaceAndSpeed.severity());
        }
        self.apart.clear();
        self.pace.stop();
        self.arms = WeaponCheck::default();
        self.frame = None;
        self.last_player = None;
    }

    pub(super) fn end(&mut self, book: &mut FindingList) {
        self.finish_level(book);
    }
}

/// The items of the inventory at each look, and the items that were picked up since the last one.
#[derive(Debug, Default)]
struct WeaponCheck {
    carried: Option<Arc<[i16; 256]>>,
    pickups: u32,
}

/// The weapons in the levels of id's game.
const WEAPONS: [&[u8]; 9] = [
    b"Shotgun",
    b"Super Shotgun",
    b"Machinegun",
    b"Chaingun",
    b"Grenade Launcher",
    b"Rocket Launcher",
    b"HyperBlaster",
    b"Railgun",
    b"BFG10K",
];
/// This number of new weapons does not appear at once without pickups.
const MANY_WEAPONS: usize = 3;

impl WeaponCheck {
    fn examine(
        &mut self,
        world: &World,
        before: Option<&PlayerState>,
        now: &PlayerState,
        here: &PassPosition,
        book: &mut FindingList,
    ) {
        let shows = |state: &PlayerState| (state.stat(Stat::PickupIcon), state.stat(Stat::PickupString));
        let heard = world.moment.iter().any(|it| match &it.what {
            MomentKind::Sound(sound) => {
                let name = world.config.sound(sound.number);
                Some(sound.source.entity()) == world.own_entity() && name.ends_with(b"pkup.wav")
            }
            _ => false,
        });
        if heard || before.is_none_or(|before| shows(before) != shows(now)) {
            self.pickups = self.pickups.saturating_add(1);
        }
        let Some(counts) = world.screen(None).and_then(|screen| screen.inventory.as_ref()) else { return };
        if self.carried.as_ref().is_some_and(|old| Arc::ptr_eq(old, counts)) {
            return;
        }
        let Some(old) = self.carried.replace(Arc::clone(counts)) else {
            self.pickups = 0;
            return;
        };
        let pickups = std::mem::take(&mut self.pickups);
        let places = (0..=u8::MAX).zip(old.iter().zip(counts.iter()));
        let new =
            places.filter(|(_, (was, is))| **was == 0 && **is > 0).map(|(place, _)| world.config.item(place));
        let new: Vec<String> =
            new.filter(|name| WEAPONS.contains(name)).map(|name| GameText::new(name).line()).collect();
        if new.len() >= MANY_WEAPONS && (pickups as usize) < new.len() {
            let numbers = [("new_weapons", new.len() as f64), ("picked_up", f64::from(pickups))];
            let description = format!("{}, and {pickups} things were picked up", new.join(", "));
            book.add(AuditCode::AllWeapons, || Proof::new(here, description, &numbers));
        }
    }
}

/// Whether the armor's number is that of the cells of a power screen or shield.
fn power_armor(world: &World, state: &PlayerState) -> bool {
    let icon = u8::try_from(state.stat(Stat::ArmorIcon)).unwrap_or_default();
    world.config.image(icon).starts_with(b"i_power")
}

/// The whiteness of the screen: the strength of a color that is purely white.
fn white(state: &PlayerState) -> u8 {
    /// The least component of a white into which other colors were mixed a little.
    const WHITE: u8 = 250;
    let [red, green, blue, alpha] = state.blend.map(|part| part.0);
    if [red, green, blue].into_iter().all(|part| part >= WHITE) { alpha } else { 0 }
}
