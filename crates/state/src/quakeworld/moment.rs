//! What begins in a block of QuakeWorld and is not kept: texts, sounds, blows, and for whom they are.

use crate::Text;
use crate::hash::{Fold, Hash64, folds};
use moviola_format::{Coord, hidden, qw};

/// For whom something is.
///
/// ```
/// use moviola_state::quakeworld::To;
/// assert!(To::Several(0b101).includes(2) && !To::Player(1).includes(2) && To::All.includes(2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum To {
    /// Everybody; in a QWD the one who recorded.
    #[default]
    All,
    /// One player, or those who watch him.
    Player(u8),
    /// Several: a bit each.
    Several(u32),
}

impl To {
    /// Whether it is for the player in this slot too.
    pub fn includes(self, slot: u8) -> bool {
        match self {
            Self::All => true,
            Self::Player(player) => player == slot,
            Self::Several(players) => players.checked_shr(slot.into()).unwrap_or_default() & 1 != 0,
        }
    }
}

/// Damage that was done, as the server told it.
///
/// ```
/// use moviola_state::quakeworld::Hurt;
/// assert_eq!(Hurt::default().damage, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hurt {
    /// With what, by the number of the game's code.
    pub with: u16,
    /// Whether it was splash damage.
    pub splash: bool,
    /// The entity that did it.
    pub attacker: i16,
    /// The entity to which it was done.
    pub victim: i16,
    /// How much.
    pub damage: i16,
}

/// The bit of splash damage.
const SPLASH: u16 = 0x8000;

impl From<&hidden::DamageDone<'_>> for Hurt {
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

/// Something that begins in a block.
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
    /// Text on the console.
    Print {
        /// How important it is: 0 low, 1 medium, 2 high, 3 chat.
        level: u8,
        /// The text.
        text: Text,
        /// For whom.
        to: To,
    },
    /// Text in the middle of the screen.
    CenterPrint {
        /// The text.
        text: Text,
        /// For whom.
        to: To,
    },
    /// Text for a client's command buffer.
    Command {
        /// The text.
        text: Text,
        /// For whom.
        to: To,
    },
    /// A sound starts.
    Sound {
        /// The entity that makes it.
        entity: u16,
        /// Its channel.
        channel: u8,
        /// Its number in the level's list.
        number: u8,
        /// Where it comes from.
        origin: [Coord; 3],
    },
    /// Damage was done.
    Hurt(Hurt),
    /// What the player who recorded pressed in a frame of his client.
    Pressed {
        /// Bit 0 fires, bit 1 jumps.
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

impl Fold for To {
    fn fold(&self, hash: &mut Hash64) {
        match self {
            Self::All => [0u32, 0].fold(hash),
            Self::Player(slot) => [1, u32::from(*slot)].fold(hash),
            Self::Several(players) => [2, *players].fold(hash),
        }
    }
}

folds! {
    Hurt { with, splash, attacker, victim, damage }
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
