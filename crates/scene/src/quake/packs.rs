//! The status bars of the games: id's, and those of the mission packs, whose own pictures are in their `gfx.wad`.
//!
//! Dissolution of Eternity has scores of teams on its bar too. They depend on a setting of the server that recordings
//! do not contain, so they are not drawn.

use super::Maker;
use super::bar::BLINK;
use moviola_format::names::{bit, quake};
use moviola_state::quake::MissionPack;

/// Items by their bit, with the name or the ending of the name of their pictures.
pub(super) type Icons = &'static [(u32, &'static str)];

const fn item(name: &str) -> u32 {
    bit(quake::ITEMS, name) as u32
}

const fn hipnotic(name: &str) -> u32 {
    bit(quake::ITEMS_HIPNOTIC, name) as u32
}

const fn rogue(name: &str) -> u32 {
    bit(quake::ITEMS_ROGUE, name) as u32
}

/// The parts of a bar that differ between the games.
pub(super) struct BarKind {
    /// The picture behind the inventory: usually, and with one of `powered` in hand.
    inventory: [&'static str; 2],
    /// The symbol beside the number of the ammunition in hand.
    pub(super) ammo: Icons,
    /// The armors, the best first.
    pub(super) armor: Icons,
    /// The items in the inventory from left to right, and the position of the first one.
    pub(super) items: (Icons, i32),
    /// The items after these, and the distance between them.
    pub(super) last: (Icons, i32),
    /// The keys on the bar itself, one below the other.
    pub(super) keys: Icons,
    /// The weapons that are drawn over the usual ones while they are in hand, starting at the nailgun's place.
    powered: Icons,
}

const ITEMS: Icons = &[
    (item("Silver Key"), "sb_key1"),
    (item("Gold Key"), "sb_key2"),
    (item("Ring of Shadows"), "sb_invis"),
    (item("Pentagram of Protection"), "sb_invuln"),
    (item("Biosuit"), "sb_suit"),
    (item("Quad Damage"), "sb_quad"),
];

/// The distance from one item to the next.
pub(super) const ITEM_WIDTH: i32 = 16;

static ID: BarKind = BarKind {
    inventory: ["ibar"; 2],
    ammo: &[
        (item("Shells"), "sb_shells"),
        (item("Nails"), "sb_nails"),
        (item("Rockets"), "sb_rocket"),
        (item("Cells"), "sb_cells"),
    ],
    armor: &[
        (item("Red Armor"), "sb_armor3"),
        (item("Yellow Armor"), "sb_armor2"),
        (item("Green Armor"), "sb_armor1"),
    ],
    items: (ITEMS, 192),
    last: (
        &[
            (item("Rune 1"), "sb_sigil1"),
            (item("Rune 2"), "sb_sigil2"),
            (item("Rune 3"), "sb_sigil3"),
            (item("Rune 4"), "sb_sigil4"),
        ],
        8,
    ),
    keys: &[],
    powered: &[],
};

static HIPNOTIC: BarKind = BarKind {
    inventory: ["ibar"; 2],
    ammo: ID.ammo,
    armor: ID.armor,
    items: (
        &[
            (hipnotic("Ring of Shadows"), "sb_invis"),
            (hipnotic("Pentagram of Protection"), "sb_invuln"),
            (hipnotic("Biosuit"), "sb_suit"),
            (hipnotic("Quad Damage"), "sb_quad"),
        ],
        192 + 2 * ITEM_WIDTH,
    ),
    last: (&[(hipnotic("Wetsuit"), "sb_wsuit"), (hipnotic("Empathy Shields"), "sb_eshld")], ITEM_WIDTH),
    keys: &[(hipnotic("Silver Key"), "sb_key1"), (hipnotic("Gold Key"), "sb_key2")],
    powered: &[],
};

static ROGUE: BarKind = BarKind {
    inventory: ["r_invbar2", "r_invbar1"],
    ammo: &[
        (rogue("Shells"), "sb_shells"),
        (rogue("Nails"), "sb_nails"),
        (rogue("Rockets"), "sb_rocket"),
        (rogue("Cells"), "sb_cells"),
        (rogue("Lava Nails"), "r_ammolava"),
        // The game has these two pictures the wrong way round.
        (rogue("Plasma"), "r_ammomulti"),
        (rogue("Multi Rockets"), "r_ammoplasma"),
    ],
    armor: &[
        (rogue("Red Armor"), "sb_armor3"),
        (rogue("Yellow Armor"), "sb_armor2"),
        (rogue("Green Armor"), "sb_armor1"),
    ],
    items: (ITEMS, 192),
    last: (&[(rogue("Power Shield"), "r_shield1"), (rogue("Anti-Grav Belt"), "r_agrav1")], ITEM_WIDTH),
    keys: &[],
    powered: &[
        (rogue("Lava Nailgun"), "r_lava"),
        (rogue("Super Lava Nailgun"), "r_superlava"),
        (rogue("Multi Grenade Launcher"), "r_gren"),
        (rogue("Multi Rocket Launcher"), "r_multirock"),
        (rogue("Plasma Gun"), "r_plasma"),
    ],
};

/// The width of a weapon in the inventory.
pub(super) const WEAPON_WIDTH: i32 = 24;

/// The places of Scourge of Armagon's new weapons, and of the grenade launcher, which the proximity gun shares.
const LASER: i32 = 176;
const MJOLNIR: i32 = LASER + WEAPON_WIDTH;
const GRENADES: i32 = 4 * WEAPON_WIDTH;

impl BarKind {
    pub(super) fn of(pack: MissionPack) -> &'static Self {
        match pack {
            MissionPack::Id => &ID,
            MissionPack::Hipnotic => &HIPNOTIC,
            MissionPack::Rogue => &ROGUE,
        }
    }

    /// The picture behind the inventory, with this weapon in hand.
    pub(super) fn inventory(&self, in_hand: u32) -> &'static str {
        let [usual, powered] = self.inventory;
        if self.powered.iter().any(|(bit, _)| *bit == in_hand) { powered } else { usual }
    }

    /// The powered weapon in hand with its place.
    fn powered(&self, in_hand: u32) -> Option<(String, i32)> {
        let mut all = self.powered.iter().zip(2..);
        all.find(|((bit, _), _)| *bit == in_hand)
            .map(|((_, name), at)| ((*name).to_owned(), at * WEAPON_WIDTH))
    }
}

impl Maker<'_> {
    /// The pictures of a mission pack's own weapons, with their places.
    pub(super) fn weapons_of_pack(&self, pack: MissionPack, in_hand: u32) -> Vec<(String, i32)> {
        match pack {
            MissionPack::Id => Vec::new(),
            MissionPack::Rogue => ROGUE.powered(in_hand).into_iter().collect(),
            MissionPack::Hipnotic => self.hipnotic_weapons(in_hand),
        }
    }

    fn hipnotic_weapons(&self, in_hand: u32) -> Vec<(String, i32)> {
        let has = |weapon: u32| self.world().vitals.items & weapon != 0;
        let draws_attention =
            |weapon: u32| in_hand == weapon || self.picked_up(weapon).is_some_and(|age| age < BLINK);
        let mut weapons = Vec::new();
        let mut draw = |weapon: u32, name: &str, at: i32| {
            weapons.push((format!("{}_{name}", self.family(weapon, in_hand)), at));
        };
        let (laser, mjolnir) = (hipnotic("Laser Cannon"), hipnotic("Mjolnir"));
        if has(laser) {
            draw(laser, "laser", LASER);
        }
        if has(mjolnir) {
            draw(mjolnir, "mjolnir", MJOLNIR);
        }
        // The two weapons share a place. If the player has both, the picture shows both, with the one that is in hand
        // or new on top.
        let (grenades, proximity) = (hipnotic("Grenade Launcher"), hipnotic("Proximity Gun"));
        match (has(grenades), has(proximity)) {
            (true, true) if draws_attention(grenades) => draw(grenades, "gren_prox", GRENADES),
            (true, true) => draw(proximity, "prox_gren", GRENADES),
            (false, true) => draw(proximity, "prox", GRENADES),
            (_, false) => {}
        }
        weapons
    }
}
