//! Pickups in QuakeWorld. KTX's notes, the game's lines and the items that players carry tell of the same one, which
//! becomes one event that cites all of them.

use super::{MAX_SCORE_DELAY, QuakeWorldEvents};
use crate::events::queue::WaitEnd;
use crate::quake::tables::{BACKPACK, ModelMeaning};
use crate::{EventKind, Evidence, GameText, PassPosition};
use moviola_state::quakeworld::World;

impl QuakeWorldEvents {
    /// Adds the event of an item that KTX names, or adds the details to the event of the line about the same item.
    pub(super) fn picks(
        &mut self,
        slot: Option<u8>,
        name: &str,
        (entity, respawn): (u16, Option<f64>),
        here: &PassPosition,
    ) {
        let taker = self.taker(slot);
        if let Some(who) = taker.clone() {
            self.items.taken(who, (Some(entity), name), here, &mut self.out);
        }
        let now = here.time;
        let added = self.out.amend(|event| {
            let EventKind::Pickup { player, item, entity: of, respawn: comes, .. } = &mut event.kind else {
                return false;
            };
            // The bits of the items show which weapon a backpack had, and have an event of their own.
            let is_seen = event.evidence == Evidence::ITEMS;
            let is_at_once =
                if is_seen { is_near(event.time, now) && name != BAG } else { event.time == now };
            let is_same_pickup = is_at_once && *player == taker && of.is_none() && is_one(item.text(), name);
            if is_same_pickup {
                (*of, *comes) = (Some(entity), respawn);
                // The game's line does not say which kind of armor or health it was.
                if matches!(item.text(), VAGUE_ARMOR | VAGUE_HEALTH) && name != NAMELESS {
                    *item = GameText::new(name.as_bytes());
                }
                event.evidence |= Evidence::MESSAGE;
            }
            is_same_pickup
        });
        if !added {
            let (item, entity) = (GameText::new(name.as_bytes()), Some(entity));
            let kind = EventKind::Pickup { item, amount: None, player: taker, entity, respawn };
            self.out.hold(
                here,
                kind,
                Evidence::MESSAGE,
                here.block.saturating_add(MAX_SCORE_DELAY),
                WaitEnd::Stands,
            );
        }
    }

    /// Adds the event of a line about an item, which only the player who took it received.
    pub(super) fn receive(
        &mut self,
        item: &[u8],
        amount: Option<i32>,
        slot: Option<u8>,
        here: &PassPosition,
    ) {
        let taker = self.taker(slot);
        let (now, text) = (here.time, GameText::new(item));
        if let Some(who) = taker.clone() {
            self.items.taken(who, (None, text.text()), here, &mut self.out);
        }
        let added = self.out.amend(|event| {
            let EventKind::Pickup { player, item, entity, amount: much, .. } = &mut event.kind else {
                return false;
            };
            let is_seen = event.evidence == Evidence::ITEMS && is_near(event.time, now);
            let is_noted = event.time == now && entity.is_some();
            let is_silent = !event.evidence.has(Evidence::PRINT);
            let same =
                (is_seen || is_noted) && *player == taker && is_silent && is_one(text.text(), item.text());
            if same {
                *much = amount;
                event.evidence |= Evidence::PRINT;
            }
            same
        });
        if !added {
            let kind = EventKind::Pickup { item: text, amount, player: taker, entity: None, respawn: None };
            self.out.hold(
                here,
                kind,
                Evidence::PRINT,
                here.block.saturating_add(MAX_SCORE_DELAY),
                WaitEnd::Stands,
            );
        }
    }

    /// Adds the event of a weapon that a player carries from now on, unless a line has reported it.
    pub(super) fn gets(&mut self, slot: u8, weapon: &'static str, here: &PassPosition) {
        let taker = self.taker(Some(slot));
        let added = self.out.amend(|event| {
            let EventKind::Pickup { player, item, .. } = &event.kind else { return false };
            let is_reported = !event.evidence.has(Evidence::ITEMS) && item.text() != NAMELESS;
            let same = is_reported
                && is_near(event.time, here.time)
                && *player == taker
                && is_one(item.text(), weapon);
            event.evidence |= if same { Evidence::ITEMS } else { Evidence::NONE };
            same
        });
        if added {
            return;
        }
        if let Some(who) = taker.clone() {
            self.items.taken(who, (None, weapon), here, &mut self.out);
        }
        let item = GameText::new(weapon.as_bytes());
        let kind = EventKind::Pickup { item, amount: None, player: taker, entity: None, respawn: None };
        let until = here.block.saturating_add(MAX_SCORE_DELAY);
        self.out.hold(here, kind, Evidence::ITEMS, until, WaitEnd::Stands);
    }
}

/// The item that an entity is, by the model that it has now or has at the level's beginning.
pub(super) fn item_name(world: &World, entity: u16) -> &'static str {
    let shown = world.entities.all();
    let now = shown.binary_search_by_key(&entity, |(number, _)| *number).ok().and_then(|at| shown.get(at));
    let looks = now.map(|(_, look)| look).into_iter().chain(world.baselines.get(&entity));
    let mut names = looks.filter_map(|look| {
        let model = world.level.models.get(look.model().into());
        if model == BACKPACK {
            Some(BAG)
        } else {
            ModelMeaning::of(model).item(look.skin()).map(|(name, _)| name)
        }
    });
    names.next().unwrap_or(NAMELESS)
}

/// The name of a backpack.
pub(super) const BAG: &str = "backpack";

/// The greatest number of seconds between a line about a weapon and the change of the items.
const NEAR: f64 = 0.25;

/// The name for an entity whose model is unknown.
const NAMELESS: &str = "item";

/// The words of the game's lines for any armor, and for any health.
const VAGUE_ARMOR: &str = "armor";
// not from SCHEMA: a name of items
const VAGUE_HEALTH: &str = "health";

/// Whether a printed name and a class of KTX name the same item: prints call every armor "armor", and use capitals.
pub(super) fn is_one(line: &str, name: &str) -> bool {
    let (line, name) = (line.to_ascii_lowercase(), name.to_ascii_lowercase());
    line == name
        || name == NAMELESS
        || line == "double-barrelled shotgun" && name == "super shotgun"
        || line == VAGUE_ARMOR && name.ends_with(" armor")
        // not from SCHEMA: names of items
        || line == VAGUE_HEALTH && (name.starts_with("health") || name == "megahealth")
        || line.starts_with("grenade") && name.starts_with("grenade")
        // Boxes of ammunition have their size after the name: "Cells 12".
        || name.strip_prefix(&line).is_some_and(|size| size.starts_with(' '))
        || name == BAG
}

/// Whether a change of a player's items may be that of a line.
fn is_near(one: Option<f64>, other: Option<f64>) -> bool {
    one.zip(other).is_some_and(|(one, other)| (one - other).abs() <= NEAR)
}
