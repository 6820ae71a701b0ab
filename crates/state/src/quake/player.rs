//! The recorder's own state, and the public state of each player.

use crate::Text;
use crate::hash::{Fold, Hash64, folds};
use moviola_format::dem::{ClientData, PlayerData};
use moviola_format::names::{quake, value};
use moviola_format::{Colors, DarkPlacesPlayer, Flags, PlayerValue, Whole};

/// One of the player's numbers: the places of the engine's `cl.stats`.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake::{self, Stat}};
/// let mut head = Playhead::<quake::World>::new();
/// // updatestat: 6 monsters in the level.
/// head.step(&Block::new(b"\x03\x0c\x06\0\0\0"));
/// assert_eq!(head.world.stats.get(Stat::TotalMonsters), 6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stat {
    /// Points of health.
    Health = 0,
    /// Never used.
    Frags = 1,
    /// The model of the weapon in hand.
    WeaponModel = 2,
    /// Ammunition for the weapon in hand.
    Ammo = 3,
    /// Points of armor.
    Armor = 4,
    /// The frame of the weapon's animation.
    WeaponFrame = 5,
    /// Shells.
    Shells = 6,
    /// Nails.
    Nails = 7,
    /// Rockets.
    Rockets = 8,
    /// Cells.
    Cells = 9,
    /// The weapon in hand, as sent: a bit, or in the mission packs the number of a bit.
    Weapon = 10,
    /// The number of secrets in the level.
    TotalSecrets = 11,
    /// The number of monsters in the level.
    TotalMonsters = 12,
    /// The number of secrets found.
    Secrets = 13,
    /// The number of monsters killed.
    Monsters = 14,
    /// The bits of the items, which only QuakeWorld sends as a stat.
    Items = 15,
}

/// All of the player's numbers.
///
/// `clientdata`, `updatestat` and the two counters write the same places, as in the engine.
///
/// ```
/// use moviola_state::quake::{Stat, Stats};
/// let stats = Stats::default();
/// assert_eq!(stats.get(Stat::Health), 0);
/// assert_eq!(stats.all().len(), 32);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats([i32; 32]);

impl Stats {
    /// The value of a stat.
    pub fn get(&self, stat: Stat) -> i32 {
        self.0.get(stat as usize).copied().unwrap_or_default()
    }

    /// All numbers by their place, named or not.
    pub fn all(&self) -> &[i32; 32] {
        &self.0
    }

    /// Sets a number by its place. An engine stops at a place that does not exist; here it is ignored.
    pub(super) fn set_at(&mut self, place: u8, value: i32) {
        if let Some(number) = self.0.get_mut(usize::from(place)) {
            *number = value;
        }
    }

    #[inline]
    fn set(&mut self, stat: Stat, value: i32) {
        self.set_at(stat as u8, value);
    }

    pub(super) fn count(&mut self, stat: Stat) {
        self.set(stat, self.get(stat).wrapping_add(1));
    }
}

/// The fields of `clientdata` about the recorder that are not in [`Stats`].
///
/// ```
/// use moviola_state::quake::World;
/// assert_eq!(World::new().vitals.items, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vitals {
    /// The items carried, a bit each.
    pub items: u32,
    /// The eyes' height above the origin.
    pub view_height: i8,
    /// The pitch that the engine suggests, to look along a slope.
    pub ideal_pitch: i8,
    /// The pitch, yaw and roll in degrees by which a hit turned the view.
    pub punch: [i8; 3],
    /// Speed, in 16 units a second.
    pub velocity: [i8; 3],
    /// The player stands on something.
    pub on_ground: bool,
    /// The player is in water.
    pub in_water: bool,
    /// The weapon's opacity: 1 is invisible, 255 solid, 0 the default.
    pub weapon_alpha: u8,
}

folds! {
    Stats { 0: all }
    Vitals { items, view_height, ideal_pitch, punch, velocity, on_ground, in_water, weapon_alpha }
    Player { name, frags, colors }
}

impl Vitals {
    /// The eyes' height if a message contains none.
    const VIEW_HEIGHT: i8 = 22;
    /// The items if a message contains none, from the document of DEM 1.0.9, which calls them a programmer's
    /// mistake.
    const ITEMS: u32 = 0x4001;

    #[inline]
    pub(super) fn update(&mut self, it: &ClientData, stats: &mut Stats) {
        let has = |bit: u32| it.flags.has(bit);
        let raw = |value: Whole| value.0;
        *self = Self {
            items: if it.items.sent { it.items.bits } else { Self::ITEMS },
            view_height: if has(ClientData::view_ofs_z) { it.view_ofs_z.0 } else { Self::VIEW_HEIGHT },
            ideal_pitch: it.punchangle_x.0,
            punch: [it.angles_1, it.angles_2, it.angles_3].map(raw),
            velocity: [it.vel_x, it.vel_y, it.vel_z].map(raw),
            on_ground: has(ClientData::uk_bit_b10),
            in_water: has(ClientData::uk_bit_b11),
            weapon_alpha: it.weaponalpha,
        };
        // A missing number is 0, and so is a high byte in protocols that do not have it.
        let wide = |low: u8, high: u8| i32::from(high) << 8 | i32::from(low);
        stats.set(Stat::WeaponFrame, wide(it.weaponframe, it.weaponframe_high));
        stats.set(Stat::Armor, wide(it.armorvalue, it.armorvalue_high));
        stats.set(Stat::WeaponModel, i32::from(it.weaponmodel_high) << 8 | i32::from(it.weaponmodel.0));
        stats.set(Stat::Health, i32::from(it.health));
        stats.set(Stat::Ammo, wide(it.currentammo, it.currentammo_high));
        stats.set(Stat::Shells, wide(it.ammo_shells, it.ammo_shells_high));
        stats.set(Stat::Nails, wide(it.ammo_nails, it.ammo_nails_high));
        stats.set(Stat::Rockets, wide(it.ammo_rockets, it.ammo_rockets_high));
        stats.set(Stat::Cells, wide(it.ammo_cells, it.ammo_cells_high));
        // The mission packs omit the byte if it would be 0.
        stats.set(Stat::Weapon, i32::from(it.weapon.byte));
    }
}

/// The stats that some protocols send in place of the fields of `clientdata`.
const ITEMS: u8 = value(quake::STAT, "ITEMS") as u8;
const VIEW_HEIGHT: u8 = value(quake::STAT, "VIEWHEIGHT") as u8;
const IDEAL_PITCH: u8 = value(quake::STAT, "IDEALPITCH") as u8;
const PUNCH: [u8; 3] = [
    value(quake::STAT, "PUNCHANGLE_X") as u8,
    value(quake::STAT, "PUNCHANGLE_Y") as u8,
    value(quake::STAT, "PUNCHANGLE_Z") as u8,
];

/// The nearest whole number of a byte.
fn nearest_byte(value: f64) -> i8 {
    value.round().clamp(-128.0, 127.0) as i8
}

impl Vitals {
    /// Sets the velocity in units a second.
    pub(super) fn move_at(&mut self, velocity: [f64; 3]) {
        self.velocity = velocity.map(|speed| nearest_byte(speed / 16.0));
    }

    /// Sets a stat that replaces a part of the player's own state.
    pub(super) fn take_stat(&mut self, index: u8, value: f64) {
        match index {
            ITEMS => self.items = value as i64 as u32,
            VIEW_HEIGHT => self.view_height = nearest_byte(value),
            IDEAL_PITCH => self.ideal_pitch = nearest_byte(value),
            _ => {
                for (punch, _) in self.punch.iter_mut().zip(PUNCH).filter(|(_, stat)| *stat == index) {
                    *punch = nearest_byte(value);
                }
            }
        }
    }

    /// Applies the state that `DarkPlaces` sends. Velocities and angles are rounded to those of other protocols.
    pub(super) fn update_darkplaces(&mut self, it: &PlayerData<'_>, has_stats_only: bool, stats: &mut Stats) {
        let sent = |value| it.state.value(value);
        let of = |values: [PlayerValue; 3]| values.map(|value| sent(value).unwrap_or_default());
        self.ideal_pitch = nearest_byte(sent(PlayerValue::IdealPitch).unwrap_or_default());
        self.punch =
            of([PlayerValue::PunchPitch, PlayerValue::PunchYaw, PlayerValue::PunchRoll]).map(nearest_byte);
        self.move_at(of([PlayerValue::SpeedX, PlayerValue::SpeedY, PlayerValue::SpeedZ]));
        self.on_ground = it.flags.has(PlayerData::uk_bit_b10);
        self.in_water = it.flags.has(PlayerData::uk_bit_b11);
        if let Some(height) = sent(PlayerValue::ViewHeight) {
            self.view_height = nearest_byte(height);
        } else if !has_stats_only {
            self.view_height = DarkPlacesPlayer::VIEW_HEIGHT;
        }
        if let Some(items) = it.state.items() {
            self.items = items;
        }
        if has_stats_only {
            return;
        }
        let mut take = |stat: Stat, value| stats.set(stat, sent(value).unwrap_or_default() as i32);
        take(Stat::WeaponFrame, PlayerValue::WeaponFrame);
        take(Stat::Armor, PlayerValue::Armor);
        take(Stat::WeaponModel, PlayerValue::WeaponModel);
        take(Stat::Health, PlayerValue::Health);
        take(Stat::Ammo, PlayerValue::Ammo);
        take(Stat::Shells, PlayerValue::Shells);
        take(Stat::Nails, PlayerValue::Nails);
        take(Stat::Rockets, PlayerValue::Rockets);
        take(Stat::Cells, PlayerValue::Cells);
        take(Stat::Weapon, PlayerValue::Weapon);
    }
}

/// The public state of a player.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// // Player 0 is called Bob, and has 3 frags.
/// head.step(&Block::new(b"\x0d\0Bob\0\x0e\0\x03\0"));
/// let player = &head.world.players[0];
/// assert_eq!((player.name.bytes(), player.frags), (&b"Bob"[..], 3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The name; empty if the slot is free.
    pub name: Text,
    /// The score.
    pub frags: i16,
    /// The colors of shirt and trousers.
    pub colors: Colors,
}

impl Fold for Colors {
    fn fold(&self, hash: &mut Hash64) {
        self.0.fold(hash);
    }
}
