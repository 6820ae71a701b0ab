//! Fights against bosses, which the documents of 1996 left for a volunteer (dem-1.0.9, section 4.2.3).
//!
//! Only bosses make these sounds, and a server of Quake sends a sound to every client, also to those who do not see
//! the boss. The sounds are those of `boss.qc`, `oldone.qc`, `hiparma.qc` and Quake II's `m_boss*.c`.

use crate::events::queue::EventQueue;
use crate::{EventKind, Evidence, PassPosition};

/// The meaning of a sound that only a boss makes.
///
/// ```
/// use moviola_analyse::vocabulary::BossSound;
/// let sound = BossSound::of(b"boss1/pain.wav").unwrap();
/// assert_eq!((sound.name, sound.state), ("Chthon", "hurt"));
/// assert_eq!(BossSound::of(b"ogre/ogdrag.wav"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BossSound {
    /// The boss.
    pub name: &'static str,
    /// `awake`, `hurt` or `dead`.
    pub state: &'static str,
}

const AWAKE: &str = "awake";
const HURT: &str = "hurt";
const DEAD: &str = "dead";

#[rustfmt::skip]
const SOUNDS: &[(&[u8], &str, &str)] = &[
    // Lightning hurts Chthon: once on easy skill, three times on the others.
    (b"boss1/sight1.wav", "Chthon", AWAKE),
    (b"boss1/pain.wav", "Chthon", HURT),
    (b"boss1/death.wav", "Chthon", DEAD),
    (b"boss2/death.wav", "Shub-Niggurath", DEAD),
    (b"armagon/sight.wav", "Armagon", AWAKE),
    (b"armagon/pain.wav", "Armagon", HURT),
    (b"armagon/death.wav", "Armagon", DEAD),
    (b"bosstank/btkpain1.wav", "Supertank", HURT),
    (b"bosstank/btkpain2.wav", "Supertank", HURT),
    (b"bosstank/btkpain3.wav", "Supertank", HURT),
    (b"bosstank/btkdeth1.wav", "Supertank", DEAD),
    (b"bosshovr/bhvpain1.wav", "Hornet", HURT),
    (b"bosshovr/bhvpain2.wav", "Hornet", HURT),
    (b"bosshovr/bhvpain3.wav", "Hornet", HURT),
    (b"bosshovr/bhvdeth1.wav", "Hornet", DEAD),
    (b"boss3/bs3pain1.wav", "Jorg", HURT),
    (b"boss3/bs3pain2.wav", "Jorg", HURT),
    (b"boss3/bs3pain3.wav", "Jorg", HURT),
    (b"boss3/bs3deth1.wav", "Jorg", DEAD),
    (b"makron/pain1.wav", "Makron", HURT),
    (b"makron/pain2.wav", "Makron", HURT),
    (b"makron/pain3.wav", "Makron", HURT),
    (b"makron/death.wav", "Makron", DEAD),
];

impl BossSound {
    /// The meaning of the sound in this file, if it is a boss's.
    pub fn of(name: &[u8]) -> Option<Self> {
        SOUNDS.iter().find(|row| row.0 == name).map(|row| Self { name: row.1, state: row.2 })
    }
}

/// The bosses of a level that were heard.
#[derive(Debug, Default)]
pub(crate) struct Bosses {
    fights: Vec<Fight>,
}

/// The fight against one boss.
#[derive(Debug)]
struct Fight {
    name: &'static str,
    /// The time at which it was first heard.
    since: Option<f64>,
    hits: i32,
}

impl Bosses {
    /// A boss is heard at a position.
    pub(crate) fn hear(
        &mut self,
        sound: BossSound,
        origin: Option<[f64; 3]>,
        here: &PassPosition,
        out: &mut EventQueue,
    ) {
        let BossSound { name, state } = sound;
        let known = self.fights.iter().position(|fight| fight.name == name);
        let at = known.unwrap_or_else(|| {
            self.fights.push(Fight { name, since: here.time, hits: 0 });
            self.fights.len().saturating_sub(1)
        });
        let Some(fight) = self.fights.get_mut(at) else { return };
        fight.hits = fight.hits.saturating_add(i32::from(state == HURT));
        let seconds = known.and_then(|_| Some(here.time? - fight.since?));
        let hits = fight.hits;
        if state == DEAD {
            // A level may have several bosses of a kind, one after the other.
            self.fights.retain(|fight| fight.name != name);
        }
        out.push(here, EventKind::Boss { name, state, hits, seconds, origin }, Evidence::SOUND);
    }
}
