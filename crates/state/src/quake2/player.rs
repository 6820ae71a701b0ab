//! A player's own state, which each frame sends to one client.
//!
//! The rules are those of id's `CL_ParsePlayerstate`.

use super::Config;
use crate::hash::{Fold, Hash64, folds};
use moviola_format::dm2::PlayerInfo;
use moviola_format::{Angle16, Flags, Quarters, Short8, Volume};

/// A number of the status bar, with its meaning in id's own game.
///
/// ```
/// use moviola_state::quake2::{PlayerState, Stat};
/// assert_eq!(PlayerState::default().stat(Stat::Frags), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stat {
    /// The picture beside the health.
    HealthIcon = 0,
    /// Points of health.
    Health = 1,
    /// The picture of the ammunition in use.
    AmmoIcon = 2,
    /// Ammunition for the weapon in hand.
    Ammo = 3,
    /// The picture of the armor.
    ArmorIcon = 4,
    /// Points of armor.
    Armor = 5,
    /// The picture of the selected item.
    SelectedIcon = 6,
    /// The picture of the item that was just picked up.
    PickupIcon = 7,
    /// The config string with the name of the item that was just picked up.
    PickupString = 8,
    /// The picture of the effect that runs out.
    TimerIcon = 9,
    /// The seconds until the powerup runs out.
    Timer = 10,
    /// The picture that points to the field computer.
    HelpIcon = 11,
    /// The number of the selected item.
    SelectedItem = 12,
    /// The overlays on the picture: bit 0 is the layout, bit 1 the inventory.
    Layouts = 13,
    /// The player's score.
    Frags = 14,
    /// The flashing numbers: bit 0 for health, bit 1 for armor.
    Flashes = 15,
    /// The player whom the camera follows.
    Chase = 16,
    /// 1 is a spectator.
    Spectator = 17,
}

/// The state of a player; all zero before the first frame.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// head.step(&Block::new(b"\x14\x01\0\0\0\xff\xff\xff\xff\0\0\x11\0\0\x02\0\0\0\x64\0\x12\0\0"));
/// let player = head.world.frame().player(None).unwrap();
/// assert_eq!(player.stat(quake2::Stat::Health), 100);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerState {
    /// The kind of movement, as sent; a client that plays a recording freezes it.
    pub pm_type: u8,
    /// The position.
    pub origin: [Short8; 3],
    /// The velocity.
    pub velocity: [Short8; 3],
    /// The duration of a state of movement, in eight thousandths of a second.
    pub pm_time: u8,
    /// The states of movement, a bit each.
    pub pm_flags: u8,
    /// Gravity.
    pub gravity: i16,
    /// The angles added to the player's own.
    pub delta_angles: [Angle16; 3],
    /// The position of the eyes.
    pub view_offset: [Quarters; 3],
    /// The direction of the eyes.
    pub view_angles: [Angle16; 3],
    /// The angles by which a hit turned the view.
    pub kick_angles: [Quarters; 3],
    /// The weapon's model.
    pub gun_model: u8,
    /// The weapon's frame.
    pub gun_frame: u8,
    /// The position of the weapon.
    pub gun_offset: [Quarters; 3],
    /// The angles of the weapon.
    pub gun_angles: [Quarters; 3],
    /// The color over the screen.
    pub blend: [Volume; 4],
    /// The field of view in degrees.
    pub fov: u8,
    /// The flags of the view's drawing.
    pub rdflags: u8,
    /// The numbers of the status bar by place.
    pub stats: [i16; 32],
}

folds! {
    PlayerState {
        pm_type, origin, velocity, pm_time, pm_flags, gravity, delta_angles, view_offset, view_angles, kick_angles,
        gun_model, gun_frame, gun_offset, gun_angles, blend, fov, rdflags, stats,
    }
    Angle16 { 0: raw }
    Quarters { 0: raw }
}

impl PlayerState {
    /// A number of the status bar.
    pub fn stat(&self, stat: Stat) -> i16 {
        self.stats.get(stat as usize).copied().unwrap_or_default()
    }

    /// The state after a delta.
    #[inline]
    pub(super) fn change(&mut self, it: &PlayerInfo<'_>) {
        macro_rules! take {
            ($($place:ident: $field:ident;)*) => { $(
                if it.flags.has(PlayerInfo::$field) {
                    self.$place = it.$field;
                }
            )* };
        }
        take! {
            pm_type: pm_type;
            origin: origin;
            velocity: velocity;
            pm_time: pm_time;
            pm_flags: pm_flags;
            gravity: gravity;
            delta_angles: delta_angles;
            view_offset: viewoffset;
            view_angles: viewangles;
            kick_angles: kick_angles;
            gun_model: gunindex;
            gun_frame: gunframe;
            gun_offset: gunoffset;
            gun_angles: gunangles;
            blend: blend;
            fov: fov;
            rdflags: rdflags;
        }
        for (place, value) in it.stats.iter() {
            if let Some(stat) = self.stats.get_mut(usize::from(place)) {
                *stat = value;
            }
        }
    }

    /// Hashes the visible part: the camera, the weapon, the color over the screen, the status bar's numbers.
    /// The movement state steers only a live client, so it is left out, and numbers of pictures count by
    /// their names.
    pub(super) fn fold_view(&self, config: &Config, hash: &mut Hash64) {
        self.origin.fold(hash);
        (self.view_offset, self.view_angles).fold(hash);
        self.kick_angles.fold(hash);
        config.fold_model(self.gun_model, hash);
        self.gun_frame.fold(hash);
        (self.gun_offset, self.gun_angles).fold(hash);
        self.blend.fold(hash);
        [self.fov, self.rdflags].fold(hash);
        for (place, value) in self.stats.iter().enumerate() {
            if PICTURES.iter().any(|picture| *picture as usize == place) {
                hash.bytes(config.image(*value as u8));
            } else {
                value.fold(hash);
            }
        }
    }
}

/// The numbers of the status bar that stand for pictures.
const PICTURES: [Stat; 6] = [
    Stat::HealthIcon,
    Stat::AmmoIcon,
    Stat::ArmorIcon,
    Stat::SelectedIcon,
    Stat::PickupIcon,
    Stat::TimerIcon,
];
