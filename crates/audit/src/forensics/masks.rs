//! The bits of flag words: an engine sets only the bits that it needs.
//!
//! id's server compares the numbers of game code, which are floats, with the values on the wire
//! (`SV_WriteEntitiesToClient`, `SV_WriteClientdataToMessage`). A modified game with a skin of 0.5, or a
//! frame of 256, makes it send a field again and again although the value on the wire does not change. Models
//! and volumes are whole numbers in the server too.

use super::{Engine, Stage, proof};
use crate::book::{FindingList, PendingEvidence, WeighedEvidence};
use crate::findings::AuditCode;
use moviola_analyse::{AuditSeverity, PassPosition};
use moviola_format::Flags;
use moviola_format::dem::{ClientData, Sound, UpdateEntity};
use moviola_state::quake::Baseline;

/// Judges flag words.
#[derive(Debug, Default)]
pub(super) struct Masks {
    /// The baselines of entities: model, frame, colors, skin.
    baselines: Vec<Option<[u16; 4]>>,
    evidence: WeighedEvidence,
    items: PendingEvidence,
}

/// The version of the servers that leave the items bit clear.
const CLEAR: u16 = 107;
/// The wire truncates a number with a fraction, so a few bits may look needless.
const CERTAIN_COUNT: u64 = 3;
/// The defaults of the eyes' height, and of the volume and attenuation of sounds.
const VIEW_HEIGHT: i8 = 22;
const VOLUME: u8 = 255;
const ATTENUATION: u8 = 64;

impl Masks {
    /// Ends the level.
    pub(super) fn leave(&mut self) {
        self.baselines.clear();
    }

    pub(super) fn baseline(&mut self, number: i16, base: Baseline) {
        let place = usize::from(number as u16);
        if self.baselines.len() <= place {
            self.baselines.resize(place.saturating_add(1), None);
        }
        if let Some(it) = self.baselines.get_mut(place) {
            let look = base.look;
            *it = Some([look.model, look.frame, u16::from(look.colormap), u16::from(look.skin)]);
        }
    }

    #[inline]
    pub(super) fn update(&mut self, it: &UpdateEntity, stage: Stage, here: &PassPosition) {
        type U = UpdateEntity;
        let has = |bit: u32| it.flags.has(bit);
        if !stage.playing || !has(U::modelindex | U::frame | U::colormap | U::skin | U::effects) {
            return;
        }
        let base = self.baselines.get(usize::from(it.entity.0)).copied().flatten();
        let [model, frame, colormap, skin] = base.unwrap_or_default();
        // The high bytes of later protocols follow the low ones, whatever their values.
        let repeats_model = has(U::modelindex) && !has(U::modelindex_high) && it.modelindex.0 == model;
        let needless = repeats_model
            || has(U::frame) && !has(U::frame_high) && u16::from(it.frame) == frame
            || has(U::colormap) && u16::from(it.colormap) == colormap
            || has(U::skin) && u16::from(it.skin) == skin
            || has(U::effects) && it.effects == 0;
        if needless {
            let entity = it.entity.0;
            let description = || proof(here, format!("an update of entity {entity} repeats its baseline"));
            self.evidence.add(weight(repeats_model, stage), description);
        }
    }

    pub(super) fn state(&mut self, it: &ClientData, stage: Stage, here: &PassPosition) {
        let has = |bit: u32| it.flags.has(bit);
        let needless = has(ClientData::view_ofs_z) && it.view_ofs_z.0 == VIEW_HEIGHT
            || has(ClientData::weaponframe) && it.weaponframe == 0 && !has(ClientData::weaponframe_high)
            || has(ClientData::armorvalue) && it.armorvalue == 0 && !has(ClientData::armorvalue_high);
        if needless {
            let description = || proof(here, "a player's state with needless values");
            self.evidence.add(weight(false, stage), description);
        }
        if stage.engine == Engine::WinQuake(CLEAR) && it.sets_items_bit() {
            self.items.add(|| proof(here, "a state of a 1.07 server with the bit of the items"));
        }
    }

    pub(super) fn sound(&mut self, it: &Sound, stage: Stage, here: &PassPosition) {
        let whole = it.flags.has(Sound::vol) && it.vol.0 == VOLUME;
        let needless = whole || it.flags.has(Sound::attenuation) && it.attenuation.0 == ATTENUATION;
        if needless {
            let description = || proof(here, "a sound with needless values");
            self.evidence.add(weight(whole, stage), description);
        }
    }

    pub(super) fn end(&mut self, book: &mut FindingList) {
        if self.evidence.count() >= CERTAIN_COUNT {
            self.evidence.enter(book, AuditCode::StrangeMasks);
        }
        self.items.enter(book, AuditCode::ItemsBit, AuditCode::ItemsBit.severity());
    }
}

/// The weight of a needless bit. If the number on the server can have a fraction, the game code of a mod can cause it.
fn weight(whole: bool, stage: Stage) -> AuditSeverity {
    if whole { AuditCode::StrangeMasks.severity() } else { stage.unless_mod(AuditCode::StrangeMasks) }
}
