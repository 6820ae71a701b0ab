//! The momentary content of a QuakeWorld block, which is not kept: texts, sounds and damage, with their
//! recipients.

use crate::Text;
use crate::hash::{Fold, Hash64, folds};
use moviola_format::{Coord, hidden, qw};

/// The recipients of a message.
///
/// ```
/// use moviola_state::quakeworld::Recipients;
/// assert!(Recipients::Several(0b101).includes(2) && !Recipients::Player(1).includes(2) && Recipients::All.includes(2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recipients {
    /// All players; in a QWD the recorder.
    #[default]
    All,
    /// One player, or the viewers who follow that player.
    Player(u8),
    /// Several players, a bit for each slot.
    Several(u32),
}

impl Recipients {
    /// Whether the player in this slot is a recipient.
    pub fn includes(self, slot: u8) -> bool {
        match self {
            Self::All => true,
            Self::Player(player) => player == slot,
            Self::Several(players) => players.checked_shr(slot.into()).unwrap_or_default() & 1 != 0,
        }
    }
}

/// Damage that a player or an entity took, from MVDSV's hidden message.
///
/// ```
/// use moviola_state::quakeworld::HiddenDamage;
/// assert_eq!(HiddenDamage::default().damage, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HiddenDamage {
    /// The cause of the damage, by its number in the game's code.
    pub with: u16,
    /// Whether the damage was splash damage.
    pub splash: bool,
    /// The entity that caused the damage.
    pub attacker: i16,
    /// The entity that was hurt.
    pub victim: i16,
    /// The points of damage.
    pub damage: i16,
}

/// The bit of splash damage.
const SPLASH: u16 = 0x8000;

impl From<&hidden::DamageDone<'_>> for HiddenDamage {
    fn from(it: &hidden::DamageDone<'_>) -> Self {
        Self {
            with: it.deathtype & !SPLASH,
            splash: it.deathtype & SPLASH != 0,
            attacker: it.attacker,
            victim: it.victim,
            damage: it.damage,
        }
    }
}

/// A text, sound, hit or command that occurs in a block.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quakeworld::{Happening, World}};
/// let mut head = Playhead::<World>::new();
/// head.step(&Block::new(b"\x1ahi\0"));
/// assert!(matches!(&head.world.moment[..], [Happening::CenterPrint { .. }]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Text for the console.
    Print {
        /// The importance of the text: 0 low, 1 medium, 2 high, 3 chat.
        level: u8,
        /// The text.
        text: Text,
        /// The recipients.
        to: Recipients,
    },
    /// Text in the middle of the screen.
    CenterPrint {
        /// The text.
        text: Text,
        /// The recipients.
        to: Recipients,
    },
    /// Text for a client's command buffer.
    Command {
        /// The text.
        text: Text,
        /// The recipients.
        to: Recipients,
    },
    /// A sound starts.
    Sound {
        /// The entity that makes the sound.
        entity: u16,
        /// The entity's channel.
        channel: u8,
        /// The sound's number in the level's list.
        number: u8,
        /// The origin of the sound.
        origin: [Coord; 3],
    },
    /// A player or an entity was hurt.
    Hurt(HiddenDamage),
    /// The input of the recorder in one frame of the client.
    Pressed {
        /// The pressed buttons: bit 0 fires, bit 1 jumps.
        buttons: u8,
        /// The impulse.
        impulse: u8,
    },
}

impl Happening {
    pub(super) fn sound(it: &qw::Sound) -> Self {
        let (entity, channel) = (it.source.entity(), it.source.channel());
        Self::Sound { entity, channel, number: it.soundnum, origin: it.origin }
    }
}

impl Fold for Recipients {
    fn fold(&self, hash: &mut Hash64) {
        match self {
            Self::All => [0u32, 0].fold(hash),
            Self::Player(slot) => [1, u32::from(*slot)].fold(hash),
            Self::Several(players) => [2, *players].fold(hash),
        }
    }
}

folds! {
    HiddenDamage { with, splash, attacker, victim, damage }
}

impl Fold for Happening {
    fn fold(&self, hash: &mut Hash64) {
        match self {
            Self::Print { level, text, to } => {
                [1, *level].fold(hash);
                text.fold(hash);
                to.fold(hash);
            }
            Self::CenterPrint { text, to } => {
                2u8.fold(hash);
                text.fold(hash);
                to.fold(hash);
            }
            Self::Command { text, to } => {
                3u8.fold(hash);
                text.fold(hash);
                to.fold(hash);
            }
            Self::Sound { entity, channel, number, origin } => {
                4u8.fold(hash);
                entity.fold(hash);
                [*channel, *number].fold(hash);
                origin.fold(hash);
            }
            Self::Hurt(it) => {
                5u8.fold(hash);
                it.fold(hash);
            }
            Self::Pressed { buttons, impulse } => [6, *buttons, *impulse].fold(hash),
        }
    }
}
