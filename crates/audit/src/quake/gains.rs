//! What the player gets, and whether an item is to be heard, read or seen for it.
//!
//! Each pickup has a sound, a text and a flash. Texts and flashes come in the block behind the frame, so a gain without
//! a sound waits for them a moment before it is written down. By id's rules an item explains what it can give and no
//! more; what other games give is not known, so there any item explains.

use super::super::book::{Book, Held, Proof};
use super::super::findings::Code;
use super::super::rules::{GameCode, Play};
use super::blows::Rest;
use super::goods::Goods;
use super::{Pair, Signs, may_be_two};
use moviola_analyse::Severity;
use moviola_analyse::space::distance;
use moviola_format::names::Meaning;
use std::collections::VecDeque;

/// Judges gains.
#[derive(Debug, Default)]
pub(super) struct Gains {
    waiting: VecDeque<Gain>,
    traces: Traces,
    /// What lines spoke of lately: a network may lose the frame, but not the text.
    lately: VecDeque<(f64, Goods)>,
    /// When anything told of an item that is not known by its name.
    told: Option<f64>,
    now: f64,
    falls: Falls,
    /// A gain of this level stood where a frame is missing: somebody cuts.
    is_cut: bool,
    /// The level's excess was written down.
    excess: bool,
}

/// What this level shows of items at all: the rest may have been taken out.
#[derive(Debug, Default)]
struct Traces {
    /// Texts or flashes.
    texts: bool,
    /// Lines that say which item it is.
    lines: bool,
    /// Anything is heard.
    sounds: bool,
}

/// Losses without a blow. Nobody cheats health away: the blows were taken out, or a frame with them.
#[derive(Debug, Default)]
struct Falls {
    held: Held,
    /// Losses that wait, in games of several players: the frame of the blow may come late.
    fresh: VecDeque<(f64, Proof)>,
}

impl Falls {
    /// What is older than that waited long enough.
    fn settle(&mut self, until: f64) {
        while self.fresh.front().is_some_and(|(time, _)| *time < until)
            && let Some((_, proof)) = self.fresh.pop_front()
        {
            self.held.add(|| proof);
        }
    }
}

/// A gain that waits for its explanation.
#[derive(Debug)]
struct Gain {
    time: f64,
    code: Code,
    /// What it is and how much, and how much of it items explain that were read of.
    what: What,
    read: i32,
    weight: Severity,
    proof: Proof,
    /// The step of the clock that brought it.
    step: f64,
}

impl Gain {
    /// A frame is missing before it, and the item was in that.
    fn cut_out(&mut self) {
        (self.code, self.weight) = (Code::Splice, Severity::Suspicious);
    }
}

/// A gain of one kind, and how much.
#[derive(Clone, Copy, Debug)]
enum What {
    Health(i32),
    Armor,
    Weapons(i32),
    Others(i32),
    /// Of the kind with this place.
    Ammo(usize, i32),
}

impl What {
    fn size(self) -> i32 {
        match self {
            Self::Health(size) | Self::Weapons(size) | Self::Others(size) | Self::Ammo(_, size) => size,
            Self::Armor => 1,
        }
    }

    /// How much of it these items can give.
    fn part(self, goods: &Goods) -> i32 {
        match self {
            Self::Health(_) => goods.health,
            Self::Armor => goods.armors,
            Self::Weapons(_) => goods.weapons,
            Self::Others(_) => goods.others,
            Self::Ammo(kind, _) => goods.ammo.get(kind).copied().unwrap_or_default(),
        }
    }
}

/// So long a text may come after the gain.
const WAIT: f64 = 0.75;
/// No more wait at a time; a player gets few things in so short a time.
const WAITING: usize = 32;
/// Health above 100 and armour of modified games come and go by so much.
const REGENERATION: i32 = 5;
/// Shells, nails, rockets, cells, armour and health that can be carried.
const MOST_AMMO: [i32; 4] = [100, 200, 100, 100];
const MOST_ARMOR: i32 = 200;
const MOST_HEALTH: i32 = 250;
/// So many losses without a hit are no commands of a console.
const MANY_FALLS: u64 = 3;
/// So many weapons at once are no backpack's.
const MANY_WEAPONS: u32 = 3;
const NAMES: [&str; 4] = ["shells", "nails", "rockets", "cells"];
/// What items of id's game and the backpacks of its monsters give, of each kind, and of health.
const USUAL_AMMO: [&[i32]; 4] = [&[5, 20, 40], &[25, 30, 50], &[2, 5, 10], &[5, 6, 12, 15]];
const USUAL_HEALTH: &[i32] = &[15, 25, 100];

impl Gains {
    /// What a block tells. An item that is heard or read of explains what waits.
    pub(super) fn notice(&mut self, signs: &Signs, code: GameCode) {
        self.traces.texts |= signs.item_text;
        self.traces.sounds |= signs.sound;
        if code == GameCode::Original {
            self.read(signs);
            return;
        }
        // Modified games speak of their gifts in words of their own.
        if signs.item_sound || signs.item_text || code == GameCode::Modified && signs.words {
            self.waiting.clear();
            self.told = Some(self.now);
        }
    }

    /// By id's rules: what is read of explains what waits, as far as its size goes.
    fn read(&mut self, signs: &Signs) {
        let mut goods = signs.read;
        self.traces.lines |= goods != Goods::default();
        if signs.item_text && !self.traces.lines {
            // A flash, and texts that say of what were taken out.
            goods.add(Goods::any());
        }
        if goods == Goods::default() {
            return;
        }
        self.waiting.retain_mut(|gain| {
            gain.read = gain.read.saturating_add(gain.what.part(&goods));
            gain.read < gain.what.size()
        });
        self.lately.push_back((self.now, goods));
        if self.lately.len() > WAITING {
            self.lately.pop_front();
        }
    }

    /// A frame came late: what was just seen may have its cause in it.
    pub(super) fn late(&mut self) {
        self.waiting.clear();
        self.falls.fresh.clear();
    }

    /// The level is over.
    pub(super) fn leave(&mut self) {
        self.falls.settle(f64::INFINITY);
        let falls = std::mem::take(&mut self.falls);
        *self = Self { falls, ..Self::default() };
    }

    /// The recording is over.
    pub(super) fn end(&mut self, book: &mut Book) {
        // `give h 9` leaves the same mark, and nobody gives himself less again and again.
        let weight =
            if self.falls.held.count < MANY_FALLS { Severity::Note } else { Code::BlowsGone.severity() };
        self.falls.held.enter(book, Code::BlowsGone, weight);
    }

    pub(super) fn judge(&mut self, pair: &Pair<'_>, rest: Rest, book: &mut Book) {
        self.now = pair.now.time;
        // Frames may become shorter at the very place: what comes next shows how long one is.
        if let Some(short) = pair.short {
            let two = self.waiting.iter_mut().filter(|gain| may_be_two(gain.step, short));
            two.for_each(Gain::cut_out);
        }
        self.falls.settle(pair.now.time - WAIT);
        while self.lately.front().is_some_and(|(time, _)| pair.now.time - time > WAIT) {
            self.lately.pop_front();
        }
        while self.waiting.front().is_some_and(|gain| pair.now.time - gain.time > WAIT) {
            if let Some(gain) = self.waiting.pop_front()
                && (self.traces.texts || self.traces.sounds)
            {
                book.weigh(gain.code, gain.weight, || gain.proof);
            }
        }
        let (before, now) = (pair.before, pair.now);
        // In deathmatch the engine refuses its cheats, and so does id's game code.
        let weight = pair.rules.weight(Severity::Strong).filter(|_| pair.rules.play != Play::Deathmatch);
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
        // Who comes back in a game of several players comes with things.
        let comes = pair.signs.teleport && (pair.rules.play != Play::Solo || modified);
        if any || comes || pair.fresh {
            return;
        }
        self.changes(pair, rest, weight, book);
    }

    fn changes(&mut self, pair: &Pair<'_>, rest: Rest, weight: Severity, book: &mut Book) {
        let (before, now) = (pair.before, pair.now);
        // Other games have other things in the place of id's runes.
        let got = if pair.rules.original { pair.bits.got } else { pair.bits.got & !pair.bits.runes };
        let items = now.vitals.items & !before.vitals.items & got;
        let weapons = (items & pair.bits.weapons).count_ones();
        if weapons >= MANY_WEAPONS && pair.signs.heard.weapons == 0 && pair.signs.read.weapons == 0 {
            // With all ammunition to the brim it is the same in any game.
            let full = now.ammo.iter().zip(MOST_AMMO).all(|(have, most)| *have >= most);
            let weight = if full { Severity::Strong } else { weight };
            book.weigh(Code::AllWeapons, weight, || arms(pair, items));
            return;
        }
        if rest.health != 0 {
            self.health(pair, rest.health, weight, book);
        }
        if rest.armor > Self::slack(pair) {
            let says = format!("armour {} becomes {}", before.armor, now.armor);
            let numbers = [("before", f64::from(before.armor)), ("after", f64::from(now.armor))];
            self.wait(pair, (Code::ArmorGiven, What::Armor, true), weight, says, &numbers);
        }
        let ammo = before.ammo.into_iter().zip(now.ammo).zip(MOST_AMMO);
        let modified = pair.rules.code == GameCode::Modified;
        // Modified games load weapons, and change one kind of ammunition into another.
        let loads = modified && (before.weapon != now.weapon || ammo.clone().any(|((was, is), _)| is < was));
        let least = if modified { REGENERATION } else { 0 };
        for (kind, (((was, is), most), (name, usual))) in
            ammo.zip(NAMES.into_iter().zip(USUAL_AMMO)).enumerate()
        {
            let gain = is.saturating_sub(was);
            if gain > least && !pair.bits.own_ammo && !loads {
                let says = format!("{name}: {was} become {is}");
                let numbers = [("before", f64::from(was)), ("after", f64::from(is))];
                let usual = is == most || usual.contains(&gain);
                self.wait(pair, (Code::AmmoGiven, What::Ammo(kind, gain), usual), weight, says, &numbers);
            }
        }
        let shared = if pair.rules.play == Play::Solo { 0 } else { pair.bits.shared };
        let armors = pair.bits.armors.into_iter().fold(0, |sum, bit| sum | bit);
        let another = now.vitals.items & !before.vitals.items & armors;
        // More points are told of above; another kind may come with fewer.
        if another != 0 && rest.armor <= 0 && pair.rules.code == GameCode::Original {
            let says = format!("{} from nowhere", names(pair, another));
            let numbers = [("items", f64::from(another))];
            self.wait(pair, (Code::ItemGiven, What::Armor, true), weight, says, &numbers);
        }
        let arms = items & pair.bits.weapons;
        for (items, weapons) in [(arms, true), (items & !arms & !shared, false)] {
            if items != 0 {
                let count = items.count_ones() as i32;
                let what = if weapons { What::Weapons(count) } else { What::Others(count) };
                let says = format!("{} from nowhere", names(pair, items));
                self.wait(pair, (Code::ItemGiven, what, true), weight, says, &[("items", f64::from(items))]);
            }
        }
    }

    /// How much a modified game may give back without being asked.
    fn slack(pair: &Pair<'_>) -> i32 {
        if pair.rules.code == GameCode::Original { 0 } else { REGENERATION }
    }

    fn health(&mut self, pair: &Pair<'_>, rest: i32, weight: Severity, book: &mut Book) {
        let (before, now) = (pair.before, pair.now);
        let says = format!("health {} becomes {}", before.health, now.health);
        let numbers = [("before", f64::from(before.health)), ("after", f64::from(now.health))];
        if rest > Self::slack(pair) {
            let usual = now.health == 100 || USUAL_HEALTH.contains(&rest);
            // Next to a blow it may be the blow that is told wrongly.
            let (code, weight, says) = match pair.signs.blow {
                Some(blow) => {
                    let says = format!("a blow of {} points, but {says}", blow.health);
                    (Code::BlowDisagrees, weight.min(Code::BlowDisagrees.severity()), says)
                }
                None => (Code::HealthSet, weight, says),
            };
            self.wait(pair, (code, What::Health(rest), usual), weight, says, &numbers);
        } else if rest < -REGENERATION && pair.signs.blow.is_none() {
            // A network loses blows without anybody's doing.
            if pair.gap && pair.rules.play != Play::Solo {
                return;
            }
            let proof = pair.proof(says + " without a blow", &numbers);
            // Modified games have poison and drains that tell nothing of a blow.
            if pair.rules.code == GameCode::Modified {
                book.weigh(Code::BlowsGone, Severity::Note, || proof);
            } else if pair.rules.play == Play::Solo {
                self.falls.held.add(|| proof);
            } else if self.falls.fresh.len() < WAITING {
                self.falls.fresh.push_back((now.time, proof));
            }
        }
    }

    fn wait(
        &mut self,
        pair: &Pair<'_>,
        (code, what, usual): (Code, What, bool),
        weight: Severity,
        says: String,
        numbers: &[(&'static str, f64)],
    ) {
        if self.waiting.len() >= WAITING {
            return;
        }
        let is_network = pair.gap || pair.rules.play != Play::Solo;
        let told = self.told.filter(|_| is_network && pair.rules.code != GameCode::Original);
        if told.is_some_and(|told| pair.now.time - told <= WAIT) {
            return;
        }
        let (mut heard, mut read) = (0, 0);
        if pair.rules.code == GameCode::Original {
            heard = what.part(&pair.signs.heard);
            read = what.part(&pair.signs.read);
            // A network may lose the frame of the gain, but not its text.
            if is_network {
                let lately = self.lately.iter().map(|(_, goods)| what.part(goods));
                read = lately.fold(read, i32::saturating_add);
            }
            // Where no texts are, of two items at once only one may be heard.
            let heard = if self.traces.texts { heard } else { heard.saturating_mul(2) };
            if heard.max(read) >= what.size() {
                return;
            }
        }
        // Where no item of the level has a text, they were taken out, and a crowded frame may have lost the sound.
        let doubtful = !self.traces.texts && usual;
        // An item is there, and gives less: a level may have items of its own.
        let weight = if doubtful || heard.max(read) > 0 { weight.min(Severity::Suspicious) } else { weight };
        let proof = pair.proof(says, numbers);
        let mut gain = Gain { time: pair.now.time, code, what, read, weight, proof, step: pair.step() };
        if pair.gap || pair.short.is_some_and(|short| may_be_two(gain.step, short)) {
            gain.cut_out();
            self.is_cut = true;
        } else if self.is_cut && usual && pair.rules.play == Play::Solo {
            // Where frames were cut out, this may be one that left no gap.
            gain.cut_out();
        }
        self.waiting.push_back(gain);
    }

    fn excess(&mut self, pair: &Pair<'_>, book: &mut Book) {
        let now = pair.now;
        let ammo = NAMES.iter().zip(now.ammo).zip(MOST_AMMO).map(|((name, have), most)| (*name, have, most));
        // schema-once: words for people
        let vitals = [("armour", now.armor, MOST_ARMOR), ("health", now.health, MOST_HEALTH)];
        let Some((name, have, most)) = ammo.chain(vitals).find(|(_, have, most)| have > most) else { return };
        self.excess = true;
        let known = pair.rules.code == GameCode::Original;
        let weight = if known { Severity::Strong } else { Severity::Suspicious };
        let numbers = [("have", f64::from(have)), ("most", f64::from(most))];
        book.weigh(Code::BeyondLimits, weight, || {
            pair.proof(format!("{have} {name}, of {most} at most"), &numbers)
        });
    }

    fn resurrection(pair: &Pair<'_>, weight: Severity, book: &mut Book) {
        const STEP: f64 = 64.0;
        let (before, now) = (pair.before, pair.now);
        let (Some(was), Some(is)) = (before.origin, now.origin) else { return };
        if pair.rules.play == Play::Solo && !pair.signs.teleport && distance(was, is) < STEP {
            let numbers = [("before", f64::from(before.health)), ("after", f64::from(now.health))];
            let says = format!("health {} becomes {} where the player lay", before.health, now.health);
            // In modified games, those with bots for one, the dead of a game for one player may live again.
            let modified = pair.rules.code == GameCode::Modified;
            let weight = if modified { Severity::Note } else { weight };
            book.weigh(Code::Resurrection, weight, || pair.proof(says, &numbers));
        }
    }
}

fn arms(pair: &Pair<'_>, items: u32) -> Proof {
    let [shells, nails, rockets, cells] = pair.now.ammo;
    let says =
        format!("{}; {shells} shells, {nails} nails, {rockets} rockets, {cells} cells", names(pair, items));
    let numbers = [
        ("items", f64::from(items)),
        ("shells", f64::from(shells)),
        ("nails", f64::from(nails)),
        ("rockets", f64::from(rockets)),
        ("cells", f64::from(cells)),
    ];
    pair.proof(says, &numbers)
}

fn names(pair: &Pair<'_>, items: u32) -> String {
    let name = Meaning::Bits(pair.bits.table).name(i64::from(items));
    name.map_or_else(String::new, |name| name.to_string().replace(" | ", ", "))
}
