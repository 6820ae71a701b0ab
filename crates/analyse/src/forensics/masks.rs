//! The bits of masks: an engine sets those that it needs and no others.

use super::{Engine, proof};
use crate::Here;
use crate::audit::book::{Book, Held};
use crate::audit::findings::Code;
use moviola_format::Flags;
use moviola_format::dem::{ClientData, Sound, UpdateEntity};
use moviola_state::quake::Baseline;

/// Judges masks.
#[derive(Debug, Default)]
pub(super) struct Masks {
    /// What entities are like unless an update says otherwise: model, frame, colours, skin.
    baselines: Vec<Option<[u16; 4]>>,
    strange: Held,
    items: Held,
}

/// The versions of servers that leave the bit of the items clear.
const CLEAR: u16 = 107;
/// A number with a fraction is cut off on the wire, so a few may look needless.
const SURE: u64 = 3;
/// The eyes' height and the volume and fading of sounds that go without saying.
const VIEW_HEIGHT: i8 = 22;
const VOLUME: u8 = 255;
const ATTENUATION: u8 = 64;

impl Masks {
    /// The level is over.
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
    pub(super) fn update(&mut self, it: &UpdateEntity, playing: bool, here: &Here) {
        type U = UpdateEntity;
        let has = |bit: u32| it.flags.has(bit);
        if !playing || !has(U::modelindex | U::frame | U::colormap | U::skin | U::effects) {
            return;
        }
        let base = self.baselines.get(usize::from(it.entity.0)).copied().flatten();
        let [model, frame, colormap, skin] = base.unwrap_or_default();
        // The high bytes of later protocols come with the low ones, whatever these are.
        let needless = has(U::modelindex) && !has(U::modelindex_high) && it.modelindex.0 == model
            || has(U::frame) && !has(U::frame_high) && u16::from(it.frame) == frame
            || has(U::colormap) && u16::from(it.colormap) == colormap
            || has(U::skin) && u16::from(it.skin) == skin
            || has(U::effects) && it.effects == 0;
        if needless {
            let entity = it.entity.0;
            self.strange
                .add(|| proof(here, format!("an update of entity {entity} says what its baseline says")));
        }
    }

    pub(super) fn state(&mut self, it: &ClientData, engine: Engine, here: &Here) {
        let has = |bit: u32| it.flags.has(bit);
        let needless = has(ClientData::view_ofs_z) && it.view_ofs_z.0 == VIEW_HEIGHT
            || has(ClientData::weaponframe) && it.weaponframe == 0 && !has(ClientData::weaponframe_high)
            || has(ClientData::armorvalue) && it.armorvalue == 0 && !has(ClientData::armorvalue_high);
        if needless {
            self.strange.add(|| proof(here, "a player's state that says what goes without saying"));
        }
        if engine == Engine::WinQuake(CLEAR) && it.sets_items_bit() {
            self.items.add(|| proof(here, "a state of a 1.07 server with the bit of the items"));
        }
    }

    pub(super) fn sound(&mut self, it: &Sound, here: &Here) {
        let needless = it.flags.has(Sound::vol) && it.vol.0 == VOLUME
            || it.flags.has(Sound::attenuation) && it.attenuation.0 == ATTENUATION;
        if needless {
            self.strange.add(|| proof(here, "a sound that says what goes without saying"));
        }
    }

    pub(super) fn end(&mut self, book: &mut Book) {
        if self.strange.count >= SURE {
            self.strange.enter(book, Code::StrangeMasks, Code::StrangeMasks.severity());
        }
        self.items.enter(book, Code::ItemsBit, Code::ItemsBit.severity());
    }
}
