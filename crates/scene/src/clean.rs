//! The last step of every scene: it removes numbers of damaged recordings that cannot be drawn.

use crate::vector::{bounded, is_finite};
use crate::{DynamicLight, Model, Scene};

impl Scene {
    /// Drops items without a finite place, and makes all other numbers finite.
    pub(crate) fn clean(&mut self) {
        if !self.time.is_finite() {
            self.time = 0.0;
        }
        self.brushes.retain(|it| is_finite(it.place) && is_finite(it.angles));
        self.sprites.retain(|it| is_finite(it.place) && it.scale.is_finite());
        self.beams.retain(|it| is_finite(it.from) && is_finite(it.to));
        self.particles.retain(|it| is_finite(it.place));
        self.lights.retain(|it| is_finite(it.place) && it.radius.is_finite());
        self.models.iter_mut().for_each(Model::clean);
        if let Some(weapon) = &mut self.weapon {
            weapon.clean();
        }
        for DynamicLight { color, .. } in &mut self.lights {
            *color = bounded(*color);
        }
        self.camera.eye = bounded(self.camera.eye);
        self.camera.angles = bounded(self.camera.angles);
        for sound in &mut self.sounds {
            if !sound.start.is_finite() {
                sound.start = 0.0;
            }
        }
        self.sounds.sort_by(|a, b| a.start.total_cmp(&b.start));
    }
}

impl Model {
    fn clean(&mut self) {
        self.place = bounded(self.place);
        self.angles = bounded(self.angles);
        self.lit_at = bounded(self.lit_at);
        if !self.pose.time.is_finite() {
            self.pose.time = 0.0;
        }
    }
}
