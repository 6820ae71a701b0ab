//! QuakeWorld's players: the data of the scoreboard, and each player's last position and look.

use crate::Text;
use crate::hash::folds;
use moviola_format::{Angle16, Coord, Flags, Seconds, info_pairs, info_value, qw};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A player or a spectator, as on the scoreboard.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quakeworld};
/// let mut head = Playhead::<quakeworld::World>::new();
/// head.step(&Block::new(b"\x28\x02\x07\0\0\0\\name\\Bob\\team\\red\0\x0e\x02\x05\0"));
/// let bob = &head.world.players[2];
/// assert_eq!((bob.name(), bob.team(), bob.frags), (&b"Bob"[..], &b"red"[..], 5));
/// assert!(bob.is_here() && !bob.is_spectator());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The user info: the first value of each key. It is shared, since scores and pings change far more often.
    pub info: Arc<BTreeMap<Text, Text>>,
    /// A number that the server gives to no other connection.
    pub user: i32,
    /// The score.
    pub frags: i16,
    /// The ping in milliseconds; 999 if it is not known.
    pub ping: i16,
    /// The share of the player's packets that are lost, in percent.
    pub loss: u8,
    /// The time since the player connected, in seconds.
    pub entered: Seconds,
}

impl Player {
    /// The value of a key in the user info.
    pub fn value(&self, key: &[u8]) -> &[u8] {
        self.info.get(key).map_or(&[], Text::bytes)
    }

    /// The player's name.
    pub fn name(&self) -> &[u8] {
        self.value(b"name") // not from SCHEMA: a key of user info
    }

    /// The player's team.
    pub fn team(&self) -> &[u8] {
        self.value(b"team")
    }

    /// Whether a player is in this slot.
    pub fn is_here(&self) -> bool {
        !self.info.is_empty()
    }

    /// Whether the player is a spectator.
    pub fn is_spectator(&self) -> bool {
        !matches!(self.value(b"*spectator"), b"" | b"0")
    }

    /// The colors of shirt and trousers.
    pub fn colors(&self) -> [u8; 2] {
        [&b"topcolor"[..], b"bottomcolor"].map(|key| {
            let text = std::str::from_utf8(self.value(key)).ok();
            text.and_then(|text| text.parse().ok()).unwrap_or_default()
        })
    }

    /// Replaces the player's number and user info.
    pub(super) fn set_user(&mut self, it: &qw::UpdateUserInfo<'_>) {
        self.user = it.user;
        let info = it.string.bytes();
        // If a key occurs twice, the first one counts.
        let first = info_pairs(info).filter(|(key, value)| info_value(info, key) == Some(value));
        self.info = Arc::new(first.map(|(key, value)| (Text::new(key), Text::new(value))).collect());
    }
}

/// The last position and look of a player.
///
/// In an MVD the server interpolates positions to the time of the frame. In a QWD they are those of the
/// player's last command, which is [`age`](Body::age) old.
///
/// ```
/// use moviola_format::{Block, Stamp};
/// use moviola_state::{Playhead, quakeworld};
/// let mut head = Playhead::<quakeworld::World>::new();
/// let stamp = Stamp::Mvd { msec: 13, kind: 6, players: 0 };
/// head.step(&Block { stamp, ..Block::new(b"\x2a\x03\x01\0\0\x50\0") });
/// let body = head.world.bodies[3];
/// assert_eq!((body.origin[0].value(), body.seen), (10.0, Some(13)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// The position.
    pub origin: [Coord; 3],
    /// The direction of the view: pitch, yaw and roll.
    pub angles: [Angle16; 3],
    /// The model; 0 if it was not sent, which in a QWD stands for the usual player model.
    pub model: u16,
    /// The frame.
    pub frame: u8,
    /// The skin.
    pub skin: u8,
    /// Lights and trails.
    pub effects: u8,
    /// The weapon's frame.
    pub weapon_frame: u8,
    /// The speed in units a second, which only a QWD has.
    pub velocity: Option<[i16; 3]>,
    /// Whether the player is dead.
    pub dead: bool,
    /// Whether the player was gibbed.
    pub gib: bool,
    /// The age of the position, in milliseconds.
    pub age: u8,
    /// The time of the last update, in milliseconds of the recording; `None` before the first one.
    pub seen: Option<u64>,
}

/// Bits of the flag word in a QWD for states of a player.
const DEAD: u32 = 1 << 9;
const GIB: u32 = 1 << 10;

impl Body {
    /// Whether the player is dead; `None` if the player was never seen in the level.
    ///
    /// ```
    /// assert_eq!(moviola_state::quakeworld::Body::default().is_dead(), None);
    /// ```
    pub fn is_dead(&self) -> Option<bool> {
        self.seen.map(|_| self.dead)
    }

    pub(super) fn change(&mut self, it: &qw::PlayerState, now: u64) {
        let has = |bit| it.flags.has(bit);
        self.frame = it.frame;
        let places = [
            (qw::PlayerState::origin_x, it.origin_x),
            (qw::PlayerState::origin_y, it.origin_y),
            (qw::PlayerState::origin_z, it.origin_z),
        ];
        for (place, (bit, value)) in self.origin.iter_mut().zip(places) {
            if has(bit) {
                *place = value;
            }
        }
        let turns = [
            (qw::PlayerState::angles_1, it.angles_1),
            (qw::PlayerState::angles_2, it.angles_2),
            (qw::PlayerState::angles_3, it.angles_3),
        ];
        for (place, (bit, value)) in self.angles.iter_mut().zip(turns) {
            if has(bit) {
                *place = value;
            }
        }
        if has(qw::PlayerState::modelindex) {
            self.model = it.modelindex.into();
        }
        if has(qw::PlayerState::skin) {
            self.skin = it.skin;
        }
        if has(qw::PlayerState::effects) {
            self.effects = it.effects;
        }
        if has(qw::PlayerState::weaponframe) {
            self.weapon_frame = it.weaponframe;
        }
        (self.dead, self.gib) = (has(qw::PlayerState::dead), has(qw::PlayerState::gib));
        self.seen = Some(now);
    }

    /// Replaces everything with a message of a QWD, which is always complete.
    pub(super) fn replace(&mut self, it: &qw::PlayerInfo<'_>, now: u64) {
        let has = |bit| it.flags.has(bit);
        *self = Self {
            origin: it.origin.map(|place| place.0),
            angles: it.command.angles,
            model: it.modelindex.into(),
            frame: it.frame,
            skin: it.uk_byte6,
            effects: it.weapon.0,
            weapon_frame: it.weaponframe.frame,
            velocity: Some([it.cspeed_x.0, it.cspeed_y.0, it.cspeed_z.0]),
            dead: has(DEAD),
            gib: has(GIB),
            age: it.ping.0,
            seen: Some(now),
        };
    }
}

folds! {
    Player { info, user, frags, ping, loss, entered }
    Body { origin, angles, model, frame, skin, effects, weapon_frame, velocity, dead, gib, age, seen }
}
