//! The audit of a Quake II recording.
//!
//! id's game code shows who is in god mode to everybody, by a shell of all three colours (`G_SetClientEffects`), and
//! tells a blow by the colour of the screen and the flash of the numbers (`P_DamageFeedback`).

use super::book::{Book, Held, Proof};
use super::findings::{Code, Severity};
use super::quake::said;
use super::rules::{GameCode, bits, number};
use super::{Looked, words};
use crate::Here;
use moviola_format::names::quake2::{EFFECTS, PM_TYPE, RENDERFX};
use moviola_state::quake2::{PlayerState, Stat, What, World};

/// The audit of a Quake II recording.
#[derive(Debug, Default)]
pub(super) struct Quake2 {
    level: u32,
    names: Option<Names>,
    frame: Option<i32>,
    before: Option<PlayerState>,
    shell: Held,
    white: Held,
    spectator: Held,
    /// Whether the game is id's, by its folder.
    original: bool,
    /// Whether it is a game for one player.
    solo: bool,
}

/// What the tables call what is looked for.
#[derive(Clone, Copy, Debug)]
struct Names {
    shell: u32,
    colors: u32,
    invulnerable: u32,
    spectator: u8,
}

impl Names {
    fn new() -> Self {
        Self {
            shell: bits(EFFECTS, &["EF_COLOR_SHELL"]),
            colors: bits(RENDERFX, &["RF_SHELL_RED", "RF_SHELL_GREEN", "RF_SHELL_BLUE"]),
            invulnerable: bits(EFFECTS, &["EF_PENT"]),
            spectator: number(PM_TYPE, "PM_SPECTATOR").unwrap_or(u8::MAX),
        }
    }
}

/// So many frames make it sure.
const SURE: u64 = 2;
/// Longer than any game protects those who have just come, in frames.
const LASTING: u64 = 60;
/// No item of id's game gives more armour at once than its body armour.
const MOST_ARMOR: i16 = 100;

impl Quake2 {
    pub(super) fn look(&mut self, world: &World, here: &Here, book: &mut Book, looked: &mut Looked) {
        for happening in &world.moment {
            if let What::Print(_, text) = &happening.what
                && let Some(code) = words::line(text.bytes())
            {
                book.add(code, || said(here, text.bytes()));
            }
        }
        if here.level != self.level {
            self.leave(book);
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
        let Some(now) = frame.player(None).copied() else { return };
        looked.frames = looked.frames.saturating_add(1);
        self.solo = world.config.max_clients() == 1;
        let names = *self.names.get_or_insert_with(Names::new);
        self.own_model(world, names, here);
        if Self::is_spectator(world, &now, names) {
            self.spectator.add(|| Proof::new(here, format!("movement of kind {}", now.pm_type), &[]));
        }
        if let Some(before) = self.before.replace(now)
            && last.and_then(|it| it.checked_add(1)) == Some(frame.number)
        {
            self.compare(world, &before, &now, names, here, book);
        }
    }

    fn own_model(&mut self, world: &World, names: Names, here: &Here) {
        let own = world.own_entity().and_then(|number| world.frame().entity(number));
        if let Some(own) = own
            && own.effects & names.shell != 0
            && own.renderfx & names.colors == names.colors
        {
            let numbers =
                [("own_effects", f64::from(own.effects)), ("own_renderfx", f64::from(own.renderfx))];
            self.shell.add(|| Proof::new(here, "a shell of red, green and blue".to_owned(), &numbers));
        }
    }

    /// Who moves as a spectator in a game for one player, where there are none.
    fn is_spectator(world: &World, now: &PlayerState, names: Names) -> bool {
        world.config.max_clients() == 1 && now.pm_type == names.spectator && now.stat(Stat::Spectator) == 0
    }

    fn compare(
        &mut self,
        world: &World,
        before: &PlayerState,
        now: &PlayerState,
        names: Names,
        here: &Here,
        book: &mut Book,
    ) {
        let stat = |stat| (before.stat(stat), now.stat(stat));
        let ((health, health_now), (armor, armor_now)) = (stat(Stat::Health), stat(Stat::Armor));
        if health <= 0 || health_now <= 0 || now.stat(Stat::Spectator) != 0 {
            return;
        }
        let own = world.own_entity().and_then(|number| world.frame().entity(number));
        let invulnerable = own.is_some_and(|own| own.effects & names.invulnerable != 0);
        let same = health == health_now && armor == armor_now && now.stat(Stat::Flashes) == 0;
        if same && !invulnerable && white(now) > white(before) {
            let alpha = f64::from(white(now));
            let numbers =
                [("white", alpha), ("health_before", f64::from(health)), ("armor_before", f64::from(armor))];
            let says = format!("a white flash; health stays at {health}, armour at {armor}");
            self.white.add(|| Proof::new(here, says, &numbers));
        }
        let weight = |usual: Severity| {
            if self.original { usual } else { Severity::Note.max(usual.min(Severity::Suspicious)) }
        };
        // With a power screen or shield the status bar shows its cells and the armour by turns.
        let powered = [before, now].iter().any(|state| power_armor(world, state));
        let gain = if powered { 0 } else { armor_now.saturating_sub(armor) };
        if gain > MOST_ARMOR && self.original {
            let numbers = [("before", f64::from(armor)), ("after", f64::from(armor_now))];
            let says = format!("armour {armor} becomes {armor_now}");
            book.weigh(Code::ArmorLeap, weight(Severity::Strong), || Proof::new(here, says, &numbers));
        }
        let picked = now.stat(Stat::PickupIcon) != 0 || before.stat(Stat::PickupIcon) != 0;
        let rises = health_now > health || gain > 0;
        if rises && !picked && self.original && world.config.max_clients() == 1 {
            let numbers = [("health_before", f64::from(health)), ("health_after", f64::from(health_now))];
            let says = format!("health {health} becomes {health_now}, armour {armor} becomes {armor_now}");
            book.weigh(Code::GivenUnseen, weight(Severity::Suspicious), || Proof::new(here, says, &numbers));
        }
    }

    fn leave(&mut self, book: &mut Book) {
        let weight = if self.original { Severity::Strong } else { Severity::Suspicious };
        for (held, code) in [
            (&mut self.shell, Code::GodShell),
            (&mut self.white, Code::WhiteBlow),
            (&mut self.spectator, Code::SpectatorMove),
        ] {
            // Only id's game paints its blows like this; spectators and shells mean less in others.
            if held.count >= SURE && (self.original || code == Code::GodShell) {
                // Modified games of several players, under id's name as well, protect those who have just come.
                let protected = code == Code::GodShell && !self.solo;
                let protected = protected && (!self.original || held.count < LASTING);
                held.enter(book, code, if protected { Severity::Note } else { weight });
            }
            held.clear();
        }
        self.frame = None;
        self.before = None;
    }

    pub(super) fn end(&mut self, book: &mut Book) {
        self.leave(book);
    }
}

/// Whether the number of the armour is that of the cells which a power screen or shield is fed with.
fn power_armor(world: &World, state: &PlayerState) -> bool {
    let icon = u8::try_from(state.stat(Stat::ArmorIcon)).unwrap_or_default();
    world.config.image(icon).starts_with(b"i_power")
}

/// How white the screen is: the strength of a colour that is nothing but white.
fn white(state: &PlayerState) -> u8 {
    /// What is left of white when others are mixed in a little.
    const WHITE: u8 = 250;
    let [red, green, blue, alpha] = state.blend.map(|part| part.0);
    if [red, green, blue].into_iter().all(|part| part >= WHITE) { alpha } else { 0 }
}
