//! Judges the player's gains: whether the sound, text or flash of an item accompanies them.
//!
//! Each pickup has a sound, a text and a flash. Texts and flashes come in the block after the frame, so a
//! gain without a sound waits for them a moment before it is reported. By id's rules an item explains the
//! amount that it can give and no more. The amounts in other games are not known, so there any item explains
//! a gain.

use super::super::book::{FindingList, PendingEvidence, Proof};
use super::super::findings::AuditCode;
use super::super::rules::{GameCode, GameMode};
use super::blows::UnexplainedChanges;
use super::items::ItemAmounts;
use super::{FramePair, Signs, may_be_two};
use moviola_analyse::AuditSeverity;
use moviola_analyse::space::distance;
use moviola_format::names::Meaning;
use std::collections::VecDeque;

/// Judges gains.
#[derive(Debug, Default)]
pub(super) struct Gains {
    waiting: VecDeque<Gain>,
    traces: Traces,
    /// The items in recent lines: a network may lose the frame of a gain, but not its text.
    lately: VecDeque<(f64, ItemAmounts)>,
    /// The last time at which a sound or text announced an item that is not known by name.
    unnamed: Option<f64>,
    now: f64,
    falls: UnexplainedLosses,
    /// Whether a gain of this level fell on a missing frame: then frames were cut out of the level.
    is_cut: bool,
    /// Whether the level's excess was reported.
    excess: bool,
}

/// The signs of items that occur in this level at all; signs that do not occur may have been removed.
#[derive(Debug, Default)]
struct Traces {
    /// Whether the level has texts or flashes.
    texts: bool,
    /// Whether the level has lines that name the item.
    lines: bool,
    /// Whether the level has sounds.
    sounds: bool,
}

/// The losses without a blow. No cheat lowers health, so the blows or their frames were removed.
#[derive(Debug, Default)]
struct UnexplainedLosses {
    evidence: PendingEvidence,
    /// The losses in multiplayer games that are not certain yet, since the frame of the blow may come late.
    fresh: VecDeque<(f64, Proof)>,
}

impl UnexplainedLosses {
    /// Accepts the losses from before `until`, which have waited long enough.
    fn settle(&mut self, until: f64) {
        while self.fresh.front().is_some_and(|(time, _)| *time < until)
            && let Some((_, proof)) = self.fresh.pop_front()
        {
            self.evidence.add(|| proof);
        }
    }
}

/// A gain that waits for an explanation.
#[derive(Debug)]
struct Gain {
    time: f64,
    code: AuditCode,
    /// The kind and amount of the gain, and the amount that items in texts explain.
    what: GainKind,
    read: i32,
    weight: AuditSeverity,
    proof: Proof,
    /// The step of the clock in which it came.
    step: f64,
}

impl Gain {
    /// Attributes the gain to an item in a missing frame before it.
    fn cut_out(&mut self) {
        (self.code, self.weight) = (AuditCode::Splice, AuditSeverity::Suspicious);
    }
}

/// The kind and amount of a gain.
#[derive(Clone, Copy, Debug)]
enum GainKind {
    Health(i32),
    Armor,
    Weapons(i32),
    Others(i32),
    /// Ammunition of the kind with this index.
    Ammo(usize, i32),
}

impl GainKind {
    fn size(self) -> i32 {
        match self {
            Self::Health(size) | Self::Weapons(size) | Self::Others(size) | Self::Ammo(_, size) => size,
            Self::Armor => 1,
        }
    }

    /// The greatest amount of this kind that the items can give.
    fn part(self, goods: &ItemAmounts) -> i32 {
        match self {
            Self::Health(_) => goods.health,
            Self::Armor => goods.armors,
            Self::Weapons(_) => goods.weapons,
            Self::Others(_) => goods.others,
            Self::Ammo(kind, _) => goods.ammo.get(kind).copied().unwrap_or_default(),
        }
    }
}

/// The greatest delay of a text after the gain, in seconds.
const MAX_TEXT_DELAY: f64 = 0.75;
/// The greatest number of waiting gains; a player gets few items in this time.
const MAX_WAITING: usize = 32;
/// Modified games change health above 100 and armor by up to this amount without an item.
const REGENERATION: i32 = 5;
/// The greatest amounts that can be carried: shells, nails, rockets, cells, armor and health.
const MOST_AMMO: [i32; 4] = [100, 200, 100, 100];
const MOST_ARMOR: i32 = 200;
const MOST_HEALTH: i32 = 250;
/// From this number of losses without a hit on, console commands do not explain them.
const MANY_FALLS: u64 = 3;
/// A backpack does not contain this many weapons.
const MANY_WEAPONS: u32 = 3;
const NAMES: [&str; 4] = ["shells", "nails", "rockets", "cells"];
/// The amounts in items of id's game and in the backpacks of its monsters, for each kind of ammunition and
/// for health.
const USUAL_AMMO: [&[i32]; 4] = [&[5, 20, 40], &[25, 30, 50], &[2, 5, 10], &[5, 6, 12, 15]];
const USUAL_HEALTH: &[i32] = &[15, 25, 100];

impl Gains {
    /// Takes the signs of items in a block, which may explain waiting gains.
    pub(super) fn take_signs(&mut self, signs: &Signs, code: GameCode) {
        self.traces.texts |= signs.item_text;
        self.traces.sounds |= signs.sound;
        if code == GameCode::Original {
            self.read(signs);
            return;
        }
        // In modified games any text may announce an item.
        if signs.item_sound || signs.item_text || code == GameCode::Modified && signs.words {
            self.waiting.clear();
            self.unnamed = Some(self.now);
        }
    }

    /// By id's rules, explains waiting gains by the items in texts, up to the amounts that these give.
    fn read(&mut self, signs: &Signs) {
        let mut goods = signs.in_texts;
        self.traces.lines |= goods != ItemAmounts::default();
        if signs.item_text && !self.traces.lines {
            // A flash without a text, since the texts that name the item were removed.
            goods.add(ItemAmounts::any());
        }
        if goods == ItemAmounts::default() {
            return;
        }
        self.waiting.retain_mut(|gain| {
            gain.read = gain.read.saturating_add(gain.what.part(&goods));
            gain.read < gain.what.size()
        });
        self.lately.push_back((self.now, goods));
        if self.lately.len() > MAX_WAITING {
            self.lately.pop_front();
        }
    }

    /// Drops the waiting gains and losses when a frame came late, since that frame may explain them.
    pub(super) fn late(&mut self) {
        self.waiting.clear();
        self.falls.fresh.clear();
    }

    /// Ends the level.
    pub(super) fn leave(&mut self) {
        self.falls.settle(f64::INFINITY);
        let falls = std::mem::take(&mut self.falls);
        *self = Self { falls, ..Self::default() };
    }

    /// Handles the end of the recording.
    pub(super) fn end(&mut self, book: &mut FindingList) {
        // `give h 9` leaves the same mark, but nobody repeats a command that lowers the own health.
        let weight = if self.falls.evidence.count < MANY_FALLS {
            AuditSeverity::Note
        } else {
            AuditCode::BlowsGone.severity()
        };
        self.falls.evidence.enter(book, AuditCode::BlowsGone, weight);
    }

    pub(super) fn judge(&mut self, pair: &FramePair<'_>, rest: UnexplainedChanges, book: &mut FindingList) {
        self.now = pair.now.time;
        // If frames become shorter here, this step may have been two frames, which the next step will show.
        if let Some(short) = pair.short {
            let two = self.waiting.iter_mut().filter(|gain| may_be_two(gain.step, short));
            two.for_each(Gain::cut_out);
        }
        self.falls.settle(pair.now.time - MAX_TEXT_DELAY);
        while self.lately.front().is_some_and(|(time, _)| pair.now.time - time > MAX_TEXT_DELAY) {
            self.lately.pop_front();
        }
        while self.waiting.front().is_some_and(|gain| pair.now.time - gain.time > MAX_TEXT_DELAY) {
            if let Some(gain) = self.waiting.pop_front()
                && (self.traces.texts || self.traces.sounds)
            {
                book.weigh(gain.code, gain.weight, || gain.proof);
            }
        }
        let (before, now) = (pair.before, pair.now);
        // In deathmatch the engine refuses its cheats, and so does id's game code.
        let weight =
            pair.rules.weight(AuditSeverity::Strong).filter(|_| pair.rules.play != GameMode::Deathmatch);
        let Some(weight) = weight.filter(|_| now.own_eyes && before.own_eyes) else { return };
        if before.health <= 0 && now.health > 0 && !pair.fresh {
            Self::resurrection(pair, weight, book);
        }
        if !(before.in_play() && now.in_play()) {
            return;
        }
        if !self.excess && pair.rules.code != GameCode::Modified {
            self.excess(pair, book);
        }
        let modified = pair.rules.code == GameCode::Modified;
        let item = pair.signs.item_sound || modified && pair.signs.noise || pair.signs.item_text;
        let any = item && pair.rules.code != GameCode::Original;
        // A player who respawns in a multiplayer game receives items.
        let comes = pair.signs.teleport && (pair.rules.play != GameMode::Solo || modified);
        if any || comes || pair.fresh {
            return;
        }
        self.changes(pair, rest, weight, book);
    }

    fn changes(
        &mut self,
        pair: &FramePair<'_>,
        rest: UnexplainedChanges,
        weight: AuditSeverity,
        book: &mut FindingList,
    ) {
        let (before, now) = (pair.before, pair.now);
        // Mods use the bits of id's runes for other items.
        let got = if pair.rules.original { pair.bits.got } else { pair.bits.got & !pair.bits.runes };
        let items = now.vitals.items & !before.vitals.items & got;
        let weapons = (items & pair.bits.weapons).count_ones();
        if weapons >= MANY_WEAPONS && pair.signs.in_sounds.weapons == 0 && pair.signs.in_texts.weapons == 0 {
            // If all ammunition is at its limit, this is true in every game.
            let full = now.ammo.iter().zip(MOST_AMMO).all(|(have, most)| *have >= most);
            let weight = if full { AuditSeverity::Strong } else { weight };
            book.weigh(AuditCode::AllWeapons, weight, || arms(pair, items));
            return;
        }
        if rest.health != 0 {
            self.health(pair, rest.health, weight, book);
        }
        if rest.armor > Self::slack(pair) {
            let description = format!("armor {} becomes {}", before.armor, now.armor);
            let numbers = [("before", f64::from(before.armor)), ("after", f64::from(now.armor))];
            self.add_pending(
                pair,
                (AuditCode::ArmorGiven, GainKind::Armor, true),
                weight,
                description,
                &numbers,
            );
        }
        let ammo = before.ammo.into_iter().zip(now.ammo).zip(MOST_AMMO);
        let modified = pair.rules.code == GameCode::Modified;
        // In modified games weapons must be reloaded, and ammunition of one kind may become another.
        let loads = modified && (before.weapon != now.weapon || ammo.clone().any(|((was, is), _)| is < was));
        let least = if modified { REGENERATION } else { 0 };
        for (kind, (((was, is), most), (name, usual))) in
            ammo.zip(NAMES.into_iter().zip(USUAL_AMMO)).enumerate()
        {
            let gain = is.saturating_sub(was);
            if gain > least && !pair.bits.own_ammo && !loads {
                let description = format!("{name}: {was} become {is}");
                let numbers = [("before", f64::from(was)), ("after", f64::from(is))];
                let usual = is == most || usual.contains(&gain);
                self.add_pending(
                    pair,
                    (AuditCode::AmmoGiven, GainKind::Ammo(kind, gain), usual),
                    weight,
                    description,
                    &numbers,
                );
            }
        }
        let shared = if pair.rules.play == GameMode::Solo { 0 } else { pair.bits.shared };
        let armors = pair.bits.armors.into_iter().fold(0, |sum, bit| sum | bit);
        let another = now.vitals.items & !before.vitals.items & armors;
        // A rise of the points was judged above. A new kind of armor may have fewer points than the old armor.
        if another != 0 && rest.armor <= 0 && pair.rules.code == GameCode::Original {
            let description = format!("{} from nowhere", names(pair, another));
            // not from SCHEMA: the name of a number in the evidence.
            let numbers = [("items", f64::from(another))];
            self.add_pending(
                pair,
                (AuditCode::ItemGiven, GainKind::Armor, true),
                weight,
                description,
                &numbers,
            );
        }
        let arms = items & pair.bits.weapons;
        for (items, weapons) in [(arms, true), (items & !arms & !shared, false)] {
            if items != 0 {
                let count = items.count_ones() as i32;
                let what = if weapons { GainKind::Weapons(count) } else { GainKind::Others(count) };
                let description = format!("{} from nowhere", names(pair, items));
                // not from SCHEMA: the name of a number in the evidence.
                let numbers = [("items", f64::from(items))];
                self.add_pending(pair, (AuditCode::ItemGiven, what, true), weight, description, &numbers);
            }
        }
    }

    /// The amount that a modified game may restore without an item.
    fn slack(pair: &FramePair<'_>) -> i32 {
        if pair.rules.code == GameCode::Original { 0 } else { REGENERATION }
    }

    fn health(&mut self, pair: &FramePair<'_>, rest: i32, weight: AuditSeverity, book: &mut FindingList) {
        let (before, now) = (pair.before, pair.now);
        let description = format!("health {} becomes {}", before.health, now.health);
        let numbers = [("before", f64::from(before.health)), ("after", f64::from(now.health))];
        if rest > Self::slack(pair) {
            let is_usual_health = now.health == 100 || USUAL_HEALTH.contains(&rest);
            // In the frame of a hit, the changed number may be the hit's points and not the health.
            let (code, weight, description) = match pair.signs.blow {
                Some(blow) => {
                    let description = format!("a hit of {} points, but {description}", blow.health);
                    (AuditCode::BlowDisagrees, weight.min(AuditCode::BlowDisagrees.severity()), description)
                }
                None => (AuditCode::HealthSet, weight, description),
            };
            self.add_pending(
                pair,
                (code, GainKind::Health(rest), is_usual_health),
                weight,
                description,
                &numbers,
            );
        } else if rest < -REGENERATION && pair.signs.blow.is_none() {
            // A network can lose the message of a blow.
            if pair.gap && pair.rules.play != GameMode::Solo {
                return;
            }
            let proof = pair.proof(description + " without a hit", &numbers);
            // Modified games have poison and drains that send no message of a blow.
            if pair.rules.code == GameCode::Modified {
                book.weigh(AuditCode::BlowsGone, AuditSeverity::Note, || proof);
            } else if pair.rules.play == GameMode::Solo {
                self.falls.evidence.add(|| proof);
            } else if self.falls.fresh.len() < MAX_WAITING {
                self.falls.fresh.push_back((now.time, proof));
            }
        }
    }

    fn add_pending(
        &mut self,
        pair: &FramePair<'_>,
        (code, what, usual): (AuditCode, GainKind, bool),
        weight: AuditSeverity,
        description: String,
        numbers: &[(&'static str, f64)],
    ) {
        if self.waiting.len() >= MAX_WAITING {
            return;
        }
        let is_network = pair.gap || pair.rules.play != GameMode::Solo;
        let unnamed = self.unnamed.filter(|_| is_network && pair.rules.code != GameCode::Original);
        if unnamed.is_some_and(|unnamed| pair.now.time - unnamed <= MAX_TEXT_DELAY) {
            return;
        }
        let (mut heard, mut read) = (0, 0);
        if pair.rules.code == GameCode::Original {
            heard = what.part(&pair.signs.in_sounds);
            read = what.part(&pair.signs.in_texts);
            // A network may lose the frame of the gain, but not its text.
            if is_network {
                let lately = self.lately.iter().map(|(_, goods)| what.part(goods));
                read = lately.fold(read, i32::saturating_add);
            }
            // Without texts, only one of two items that are taken at the same time may be heard.
            let heard = if self.traces.texts { heard } else { heard.saturating_mul(2) };
            if heard.max(read) >= what.size() {
                return;
            }
        }
        // If no item of the level has a text, the texts were removed, and a crowded frame may have lost the
        // sound.
        let doubtful = !self.traces.texts && usual;
        // An item was taken that gives less by id's rules, but the level may have special items.
        let weight =
            if doubtful || heard.max(read) > 0 { weight.min(AuditSeverity::Suspicious) } else { weight };
        let proof = pair.proof(description, numbers);
        let mut gain = Gain { time: pair.now.time, code, what, read, weight, proof, step: pair.step() };
        if pair.gap || pair.short.is_some_and(|short| may_be_two(gain.step, short)) {
            gain.cut_out();
            self.is_cut = true;
        } else if self.is_cut && usual && pair.rules.play == GameMode::Solo {
            // Frames were cut out of this level, so the gain may be due to another such place, even without a visible
            // gap.
            gain.cut_out();
        }
        self.waiting.push_back(gain);
    }

    fn excess(&mut self, pair: &FramePair<'_>, book: &mut FindingList) {
        let now = pair.now;
        let ammo = NAMES.iter().zip(now.ammo).zip(MOST_AMMO).map(|((name, have), most)| (*name, have, most));
        // not from SCHEMA: words for people
        let vitals = [("armor", now.armor, MOST_ARMOR), ("health", now.health, MOST_HEALTH)];
        let Some((name, have, most)) = ammo.chain(vitals).find(|(_, have, most)| have > most) else { return };
        self.excess = true;
        let known = pair.rules.code == GameCode::Original;
        let weight = if known { AuditSeverity::Strong } else { AuditSeverity::Suspicious };
        let numbers = [("have", f64::from(have)), ("most", f64::from(most))];
        book.weigh(AuditCode::BeyondLimits, weight, || {
            pair.proof(format!("{have} {name}, of {most} at most"), &numbers)
        });
    }

    fn resurrection(pair: &FramePair<'_>, weight: AuditSeverity, book: &mut FindingList) {
        const STEP: f64 = 64.0;
        let (before, now) = (pair.before, pair.now);
        let (Some(was), Some(is)) = (before.origin, now.origin) else { return };
        if pair.rules.play == GameMode::Solo && !pair.signs.teleport && distance(was, is) < STEP {
            let numbers = [("before", f64::from(before.health)), ("after", f64::from(now.health))];
            let description = format!("health {} becomes {} where the player lay", before.health, now.health);
            // In modified games, for example those with bots, players may come back to life in single player.
            let modified = pair.rules.code == GameCode::Modified;
            let weight = if modified { AuditSeverity::Note } else { weight };
            book.weigh(AuditCode::Resurrection, weight, || pair.proof(description, &numbers));
        }
    }
}

fn arms(pair: &FramePair<'_>, items: u32) -> Proof {
    let [shells, nails, rockets, cells] = pair.now.ammo;
    let description =
        format!("{}; {shells} shells, {nails} nails, {rockets} rockets, {cells} cells", names(pair, items));
    let numbers = [
        // not from SCHEMA: the name of a number in the evidence.
        ("items", f64::from(items)),
        ("shells", f64::from(shells)),
        ("nails", f64::from(nails)),
        ("rockets", f64::from(rockets)),
        ("cells", f64::from(cells)),
    ];
    pair.proof(description, &numbers)
}

fn names(pair: &FramePair<'_>, items: u32) -> String {
    let name = Meaning::Bits(pair.bits.table).name(i64::from(items));
    name.map_or_else(String::new, |name| name.to_string().replace(" | ", ", "))
}
