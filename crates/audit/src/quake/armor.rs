//! Armor has a kind, which limits its points and determines the share of a blow that it saves (`items.qc`,
//! `combat.qc`).
//!
//! `T_Damage` saves the kind's share of a blow, rounded up, and takes the rest from health, rounded up as
//! well. Several blows within a frame arrive as one message, so each may have added a point.

use super::super::book::{FindingList, PendingEvidence};
use super::super::findings::AuditCode;
use super::super::rules::{ArmorBits, GameCode, Rules};
use super::FramePair;
use moviola_analyse::AuditSeverity;

/// Judges armor.
#[derive(Debug, Default)]
pub(super) struct Armor {
    /// Frames with more points than the kind has.
    beyond: PendingEvidence,
    /// The blows in which the armor saved another share than its kind saves, and the number of blows with the right
    /// share.
    odd: PendingEvidence,
    agree: u64,
}

/// A kind of armor: the most points, and the share that it saves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ArmorType {
    name: &'static str,
    maximum: i32,
    share: f64,
}

/// The three kinds, in the order of their bits.
const SORTS: [ArmorType; 3] = [
    // not from SCHEMA: a word for people
    ArmorType { name: "green", maximum: 100, share: 0.3 },
    ArmorType { name: "yellow", maximum: 150, share: 0.6 },
    // not from SCHEMA: a word for people
    ArmorType { name: "red", maximum: 200, share: 0.8 },
];

/// The bits of items that documents give for items that were not sent.
const UNSENT: u32 = 0x4001;
/// Points are whole numbers, so the share of a smaller blow cannot be determined.
const MIN_POINTS: i32 = 8;
/// The least number of points of one blow, which limits how many blows may be in one frame.
const MIN_BLOW: i32 = 8;
/// If this many blows disagree, and more disagree than agree, several blows within a frame do not explain it.
const CERTAIN_BLOWS: u64 = 3;

impl Armor {
    pub(super) fn judge(&mut self, pair: &FramePair<'_>) {
        let (before, now) = (pair.before, pair.now);
        let known = pair.rules.code != GameCode::Modified && now.has_state && !pair.fresh;
        let sent = now.vitals.items != UNSENT && before.vitals.items != UNSENT;
        if !(known && sent && before.in_play() && now.in_play()) || pair.gap {
            return;
        }
        let sort = sort(now.vitals.items, pair.bits.armors);
        let most = sort.map_or(0, |sort| sort.maximum);
        if now.armor > most {
            let kind = sort.map_or("no kind", |sort| sort.name);
            let description = format!("{} points of armor of {kind}, which has {most} at most", now.armor);
            self.beyond.add(|| {
                pair.proof(description, &[("have", f64::from(now.armor)), ("most", f64::from(most))])
            });
        }
        if let Some(sort) = sort
            && sort_before(pair) == Some(sort)
        {
            self.share(pair, sort);
        }
    }

    /// Judges a blow if the armor has the same kind before and after, and is not used up.
    fn share(&mut self, pair: &FramePair<'_>, sort: ArmorType) {
        let Some(blow) = pair.signs.blow else { return };
        let (save, take) = (i32::from(blow.armor), i32::from(blow.health));
        let total = save.saturating_add(take);
        let taken_on = pair.signs.in_sounds.armors > 0 || pair.signs.in_texts.armors > 0;
        let worn = pair.before.armor.saturating_sub(pair.now.armor);
        if taken_on || worn != save || pair.now.armor <= 0 || total < MIN_POINTS {
            return;
        }
        let blows = f64::from((total / MIN_BLOW).saturating_add(1));
        let (save, total) = (f64::from(save), f64::from(total));
        let fits = sort.share * (total - blows)..=sort.share * total + blows;
        if fits.contains(&save) {
            self.agree = self.agree.saturating_add(1);
            return;
        }
        let (name, usual) = (sort.name, (sort.share * total).ceil());
        let description = format!("{name} armor saves {save} of {total} points; its share is {usual}");
        self.odd.add(|| pair.proof(description, &[("saved", save), ("of", total), ("share", usual)]));
    }

    pub(super) fn finish_level(&mut self, rules: Rules, book: &mut FindingList) {
        // Without a version text the game code may be that of a mod, with other kinds of armor.
        let of = |usual: AuditSeverity| match (rules.weight(usual), rules.code) {
            (Some(weight), GameCode::Original) => Some(weight),
            (Some(_), _) => Some(AuditSeverity::Note),
            (None, _) => None,
        };
        if let Some(weight) = of(AuditCode::ArmorKind.severity()) {
            self.beyond.enter(book, AuditCode::ArmorKind, weight);
        }
        if let Some(weight) = of(AuditCode::ArmorShare.severity())
            && self.odd.count >= CERTAIN_BLOWS
            && self.odd.count > self.agree
        {
            self.odd.enter(book, AuditCode::ArmorShare, weight);
        }
        *self = Self::default();
    }
}

/// The kind of armor that the player wears.
fn sort(items: u32, bits: ArmorBits) -> Option<ArmorType> {
    let worn = SORTS.into_iter().zip(bits).rev().find(|(_, bit)| items & bit != 0);
    worn.map(|(sort, _)| sort)
}

fn sort_before(pair: &FramePair<'_>) -> Option<ArmorType> {
    sort(pair.before.vitals.items, pair.bits.armors)
}
