//! Finds levels from which the texts were removed: items make sounds but print nothing.

use crate::book::{FindingList, PendingEvidence, Proof};
use crate::findings::AuditCode;
use crate::rules::{GameCode, Rules};
use moviola_analyse::{AuditSeverity, PassPosition};
use moviola_state::quake::{Happening, World};

/// Judges the texts of a level.
#[derive(Debug, Default)]
pub(super) struct Texts {
    level: u32,
    /// Whether any text or command was seen.
    words: bool,
    /// Whether the level or its game code is id's: modified games may have silent items.
    original: bool,
    items: PendingEvidence,
}

/// If this many items have no text, the texts were removed.
const SILENT: u64 = 3;

impl Texts {
    pub(super) fn judge(
        &mut self,
        world: &World,
        code: GameCode,
        here: &PassPosition,
        book: &mut FindingList,
    ) {
        if here.level != self.level {
            self.end(book);
            self.level = here.level;
            self.original = Rules::of(world, code).original;
        }
        for happening in &world.moment {
            match happening {
                Happening::Print(_)
                | Happening::Command(_)
                | Happening::CenterPrint(_)
                | Happening::Flash => {
                    self.words = true;
                }
                Happening::Sound(sound) if i32::from(sound.source.entity) == i32::from(world.view.entity) => {
                    let name = world.level.sounds.get(usize::from(sound.number));
                    if ITEMS.iter().any(|item| name.starts_with(item)) {
                        let description = format!("{}, and no text", name.escape_ascii());
                        self.items.add(|| Proof::new(here, description, &[]));
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn end(&mut self, book: &mut FindingList) {
        if !self.words && self.items.count >= SILENT {
            let weight = if self.original { AuditCode::TextsGone.severity() } else { AuditSeverity::Note };
            self.items.enter(book, AuditCode::TextsGone, weight);
        }
        *self = Self::default();
    }
}

/// The sounds of items for which id's game and its kin have a text.
const ITEMS: [&[u8]; 6] = [
    b"items/health1.wav",
    b"items/r_item",
    b"items/armor1.wav",
    b"weapons/pkup.wav",
    b"weapons/lock4.wav",
    b"items/damage.wav",
];
