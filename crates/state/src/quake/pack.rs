//! The mission packs: which game code a level uses, and the numbers of its items and weapons.

use crate::Strings;
use moviola_format::names::quake::{
    ITEMS, ITEMS_HIPNOTIC, ITEMS_ROGUE, WEAPON, WEAPON_HIPNOTIC, WEAPON_ROGUE,
};

/// The game code whose item numbers a level uses.
///
/// ```
/// use moviola_state::quake::MissionPack;
/// assert_eq!(MissionPack::Id.weapons()[1], (1, "Shotgun"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissionPack {
    /// id's Quake, without a mission pack.
    #[default]
    Id,
    /// Scourge of Armagon.
    Hipnotic,
    /// Dissolution of Eternity.
    Rogue,
}

impl MissionPack {
    /// The game code, recognized by the weapons that only a mission pack loads.
    pub fn of(models: &Strings) -> Self {
        let has = |name: &[u8]| models.iter().any(|model| model.bytes() == name);
        if has(b"progs/v_hammer.mdl") || has(b"progs/v_prox.mdl") || has(b"progs/v_laserg.mdl") {
            Self::Hipnotic
        } else if has(b"progs/v_lava.mdl") || has(b"progs/v_multi.mdl") {
            Self::Rogue
        } else {
            Self::Id
        }
    }

    /// The bits of the items carried.
    pub fn items(self) -> &'static [(u64, &'static str)] {
        match self {
            Self::Id => ITEMS,
            Self::Hipnotic => ITEMS_HIPNOTIC,
            Self::Rogue => ITEMS_ROGUE,
        }
    }

    /// The numbers of weapons in hand.
    pub fn weapons(self) -> &'static [(i64, &'static str)] {
        match self {
            Self::Id => WEAPON,
            Self::Hipnotic => WEAPON_HIPNOTIC,
            Self::Rogue => WEAPON_ROGUE,
        }
    }

    /// The bits of the powerups, which are the items that end by themselves after some seconds.
    ///
    /// ```
    /// use moviola_state::quake::MissionPack;
    /// assert_eq!(MissionPack::Id.powerups() & 1 << 22, 1 << 22);
    /// ```
    pub fn powerups(self) -> u32 {
        // Ring, pentagram, suit and quad are the same everywhere.
        const COMMON: u32 = 0xF << 19;
        match self {
            Self::Id => COMMON,
            Self::Hipnotic => COMMON | 3 << 24,
            Self::Rogue => COMMON | 3 << 29,
        }
    }

    /// The bit of the weapon in hand, from [`Stat::Weapon`]: the mission packs send the number of the bit.
    ///
    /// [`Stat::Weapon`]: crate::quake::Stat::Weapon
    ///
    /// ```
    /// use moviola_state::quake::MissionPack;
    /// assert_eq!((MissionPack::Id.weapon_bit(32), MissionPack::Rogue.weapon_bit(5), MissionPack::Rogue.weapon_bit(-1)), (32, 32, 0));
    /// ```
    pub fn weapon_bit(self, weapon: i32) -> u32 {
        match self {
            Self::Id => weapon as u32,
            Self::Hipnotic | Self::Rogue => {
                u32::try_from(weapon).ok().and_then(|number| 1u32.checked_shl(number)).unwrap_or_default()
            }
        }
    }
}
