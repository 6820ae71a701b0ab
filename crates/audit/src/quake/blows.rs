//! Every blow is sent twice, by its own message and by the player's numbers: DEM 1.0.9, section 3.4.
//!
//! id's `T_Damage` counts the points for the message before it checks god mode, the pentagram and teammates,
//! and takes them from health after these checks. Armor loses its points in any case.

use super::super::Coverage;
use super::super::book::{FindingList, PendingEvidence};
use super::super::findings::AuditCode;
use super::super::rules::{GameCode, GameMode, Rules};
use super::FramePair;
use moviola_analyse::AuditSeverity;
use moviola_state::quake::World;

/// The changes between two frames that blows do not explain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnexplainedChanges {
    /// The unexplained change of health.
    pub(super) health: i32,
    /// The unexplained change of armor.
    pub(super) armor: i32,
}

/// Judges blows.
#[derive(Debug, Default)]
pub(super) struct BlowJudge {
    /// The blows without loss since the last blow with a loss.
    free: PendingEvidence,
    /// Blows whose points differ from the points that were lost.
    odd: PendingEvidence,
    /// The last time at which the player had the pentagram.
    pentagram: Option<f64>,
    /// The runs of blows without loss that are long enough.
    proved: PendingEvidence,
    /// The runs that are too short.
    single: PendingEvidence,
    /// Whether another entity has a player's model: bots play in a game with a single client, and in teams.
    company: bool,
}

/// The wire sends the points as bytes, which wrap around.
const BYTE: i32 = 256;
/// The time after the pentagram's end during which it still explains a blow without loss.
const AFTERGLOW: f64 = 0.2;
/// A tick of regeneration may heal a blow of fewer points than this.
const MIN_POINTS: u8 = 2;
/// This many blows without loss in a row are not chance.
const CERTAIN_BLOWS: u64 = 2;
/// The number for deathmatch, where the engine allows no god mode.
const SURE_IN_DEATHMATCH: u64 = 4;
/// A few ticks of healing and decay may coincide with a blow.
const TOLERANCE: i32 = 3;

impl BlowJudge {
    pub(super) fn judge(&mut self, pair: &FramePair<'_>, looked: &mut Coverage) -> UnexplainedChanges {
        let (before, now) = (pair.before, pair.now);
        let (lost, worn) = (before.health.saturating_sub(now.health), before.armor.saturating_sub(now.armor));
        if pair.rules.play == GameMode::Solo && !self.company {
            self.company = has_company(pair.world);
        }
        if (before.vitals.items | now.vitals.items) & pair.bits.pentagram != 0 {
            self.pentagram = Some(now.time);
        }
        let nothing = UnexplainedChanges::default();
        let Some(blow) = pair.signs.blow else {
            return UnexplainedChanges { health: lost.saturating_neg(), armor: worn.saturating_neg() };
        };
        if !(before.in_play() && now.in_play() && now.has_state) {
            return nothing;
        }
        looked.blows = looked.blows.saturating_add(1);
        let (take, save) = (i32::from(blow.health), i32::from(blow.armor));
        // With `teamplay 1` rockets of a player's own color do not hurt, including the player's own. A recording does
        // not show whose rocket it was, and shows the setting only if it changes. There only blows of the world (lava,
        // slime, drowning, falls) certainly come from no player.
        let alone = pair.rules.play == GameMode::Solo && !self.company;
        let may_be_friendly = !alone && blow.origin.iter().any(|part| part.value() != 0.0);
        let excused = self.pentagram.is_some_and(|end| now.time - end <= AFTERGLOW) || mates(pair);
        if lost.rem_euclid(BYTE) == take && worn.rem_euclid(BYTE) == save {
            if take > 0 && !excused {
                self.close(pair.rules);
            }
            return nothing;
        }
        if excused || lost == 0 && (pair.signs.pain || may_be_friendly) {
            return nothing;
        }
        if lost == 0 && blow.health >= MIN_POINTS && !pair.signs.item_sound {
            let numbers = [
                ("health_stays", f64::from(now.health)),
                ("armor_is", f64::from(now.armor)),
                ("told_health", f64::from(take)),
                ("told_armor", f64::from(save)),
            ];
            let description = format!("a hit of {take} points: health stays at {}", now.health);
            self.free.add(|| pair.proof(description, &numbers));
            return nothing;
        }
        let rest = UnexplainedChanges { health: take.saturating_sub(lost), armor: save.saturating_sub(worn) };
        if rest.health < -TOLERANCE || rest.armor < -TOLERANCE {
            if pair.gap {
                // The missing frame may contain another blow.
                return nothing;
            }
            let numbers = [("told_health", f64::from(take)), ("lost_health", f64::from(lost))];
            let description =
                format!("a hit of {take} and {save} points takes {lost} of health and {worn} of armor");
            self.odd.add(|| pair.proof(description, &numbers));
            return nothing;
        }
        if rest.health < 0 { UnexplainedChanges { health: 0, ..rest } } else { rest }
    }

    /// Ends a run of blows without loss, at a blow with a loss or at the end of the level.
    fn close(&mut self, rules: Rules) {
        let sure = if rules.play == GameMode::Deathmatch { SURE_IN_DEATHMATCH } else { CERTAIN_BLOWS };
        // A single blow without loss among others with a loss is not god mode, so it is kept separately.
        let to = if self.free.count < sure { &mut self.single } else { &mut self.proved };
        to.take(&mut self.free);
    }

    pub(super) fn finish_level(&mut self, rules: Rules, book: &mut FindingList) {
        self.close(rules);
        let company = std::mem::take(&mut self.company);
        let weight = rules.weight(AuditSeverity::Strong).filter(|_| !company);
        match weight {
            Some(weight) => self.proved.enter(book, AuditCode::BlowsWithoutLoss, weight),
            None => self.proved.clear(),
        }
        match weight.filter(|_| rules.play != GameMode::Deathmatch) {
            Some(_) => {
                // Mods have other kinds of armor, and shields.
                let modified = rules.code == GameCode::Modified;
                let weight = if modified { AuditSeverity::Note } else { AuditSeverity::Suspicious };
                self.single.enter(book, AuditCode::BlowWithoutLoss, weight);
                // In single player, by id's rules, only blows reduce health.
                let sure = rules.play == GameMode::Solo && rules.code == GameCode::Original;
                if self.odd.count > 2 || sure {
                    self.odd.enter(book, AuditCode::BlowDisagrees, weight);
                }
            }
            None => self.single.clear(),
        }
        self.odd.clear();
        self.pentagram = None;
    }
}

/// Whether another entity with a player's model is visible.
fn has_company(world: &World) -> bool {
    let is_player = |model: u16| world.level.models.get(usize::from(model)) == PLAYER;
    let own = u16::try_from(world.view.entity).unwrap_or_default();
    world.shown().any(|(number, entity)| number != own && is_player(entity.look.model))
}

/// The model of players.
const PLAYER: &[u8] = b"progs/player.mdl";

/// Whether a player of the same or an unknown color is in the game: with `teamplay 1` blows between them take
/// no health.
fn mates(pair: &FramePair<'_>) -> bool {
    let recorder_slot = usize::try_from(pair.world.view.entity).ok().and_then(|entity| entity.checked_sub(1));
    let Some(own) = recorder_slot.filter(|_| pair.rules.play != GameMode::Solo) else { return false };
    let Some(me) = pair.world.players.get(own) else { return false };
    let names = |slot: usize| pair.world.players.get(slot).is_some_and(|player| !player.name.is_empty());
    let slots = pair.world.shown().filter_map(|(number, _)| usize::from(number).checked_sub(1));
    let mut others = slots.filter(|slot| *slot != own && *slot < usize::from(pair.world.level.max_clients));
    if others.any(|slot| !names(slot)) {
        return true;
    }
    let players = pair.world.players.iter().enumerate();
    players
        .filter(|(slot, player)| *slot != own && !player.name.is_empty())
        .any(|(_, player)| player.colors.pants() == me.colors.pants())
}
