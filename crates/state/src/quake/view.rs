//! Hashes the picture and sound that a person at the screen gets after a block.
//!
//! Models and sounds are hashed by name and positions by value, so that neither the width of a protocol's fields nor
//! the order of the precache lists makes a difference. Four things do not count: values that the block's angles
//! override in playback, data that steers only a live client, clocks, and commands (except settings of the picture and
//! the flash of a picked up item).

use super::{Baseline, Entity, EntityLook, Fog, Stat, World};
use crate::Strings;
use crate::hash::{Fold, Hash64};
use moviola_format::{Coord, Placement};

impl World {
    pub(super) fn fold_view(&self, hash: &mut Hash64) {
        self.fold_screen(hash);
        self.fold_scene(hash);
        let mut shown = 0;
        for (number, entity) in self.shown() {
            number.fold(hash);
            self.fold_entity(entity, hash);
            shown += 1;
        }
        hash.add(shown);
        for happening in &self.moment {
            happening.fold_view(&self.level.sounds, hash);
        }
    }

    /// The status bar, the scores and all text over the picture.
    fn fold_screen(&self, hash: &mut Hash64) {
        self.level.title.fold(hash);
        (self.level.max_clients, self.level.game_type).fold(hash);
        for (place, value) in self.stats.all().iter().enumerate() {
            // The weapon's model counts by name, below.
            if place != Stat::WeaponModel as usize {
                value.fold(hash);
            }
        }
        self.vitals.items.fold(hash);
        self.players.fold(hash);
        self.paused.fold(hash);
        self.disconnected.fold(hash);
        self.ending.scene.fold(hash);
        if let Some(text) = self.caption() {
            text.fold(hash);
        }
        self.pictures.fold(hash);
        self.console.fold_settings(hash);
    }

    /// The camera, the weapon in hand, and the lasting scenery: lights, statics, sky, music.
    fn fold_scene(&self, hash: &mut Hash64) {
        let vitals = &self.vitals;
        self.view.entity.fold(hash);
        self.view.angles.iter().for_each(|angle| hash.real(f64::from(angle.value())));
        (vitals.view_height, vitals.punch).fold(hash);
        (vitals.velocity, vitals.on_ground).fold(hash);
        vitals.weapon_alpha.fold(hash);
        named(&self.level.models, self.stats.get(Stat::WeaponModel) as u16, hash);
        named(&self.level.models, 1, hash);
        self.lights.fold(hash);
        for Baseline { look, place } in self.statics.iter() {
            self.fold_look(look, place, hash);
        }
        for sound in self.static_sounds.iter() {
            named(&self.level.sounds, sound.number, hash);
            places(&sound.origin, hash);
            (sound.volume, sound.attenuation).fold(hash);
        }
        self.music.fold(hash);
        self.sky.fold(hash);
        match &self.fog {
            // The duration of the change is visible only during the change.
            Fog::Fitz(colors, _) => colors.fold(hash),
            fog => fog.fold(hash),
        }
    }

    fn fold_entity(&self, entity: &Entity, hash: &mut Hash64) {
        self.fold_look(&entity.look, &entity.place, hash);
        entity.transparency.floats().for_each(|float| hash.real(f64::from(float)));
        entity.forcelink.fold(hash);
    }

    fn fold_look(&self, look: &EntityLook, place: &Placement, hash: &mut Hash64) {
        let EntityLook { model, frame, colormap, skin, effects, alpha, scale } = *look;
        named(&self.level.models, model, hash);
        frame.fold(hash);
        [colormap, skin, effects, alpha, scale].fold(hash);
        places(&place.origin, hash);
        // A float can express a direction with any number of full turns; other widths cannot.
        place.angles.iter().for_each(|angle| hash.real(angle.value().rem_euclid(360.0)));
    }
}

/// Folds a position by its value, so that the width in which it was sent does not count.
pub(super) fn places(origin: &[Coord; 3], hash: &mut Hash64) {
    for part in origin {
        hash.real(part.value());
    }
}

/// Folds a model or sound by its name, so that a list in another order is the same.
pub(super) fn named(names: &Strings, number: u16, hash: &mut Hash64) {
    hash.bytes(names.get(usize::from(number)));
    hash.add(u64::from(number != 0));
}
