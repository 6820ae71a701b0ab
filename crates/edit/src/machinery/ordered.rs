//! Quake II: the entities of a frame, for a caller that asks for them in the order of their numbers, as frames have them.
//! To search the list from its beginning for each of them would take most of an edit's time.

use moviola_state::quake2::{Entity, Frame};

/// The entities of a frame.
pub(crate) struct OrderedEntities<'f> {
    frame: &'f Frame,
    at: usize,
}

impl<'f> OrderedEntities<'f> {
    pub(crate) fn of(frame: &'f Frame) -> Self {
        Self { frame, at: 0 }
    }

    /// The entity with this number.
    pub(crate) fn find(&mut self, number: u16) -> Option<&'f Entity> {
        let entities = &self.frame.entities;
        let is_before = |it: &&Entity| it.number < number;
        self.at += entities.get(self.at..).unwrap_or_default().iter().take_while(is_before).count();
        // In a damaged recording the order may be another one.
        entities.get(self.at).filter(|it| it.number == number).or_else(|| {
            self.at = 0;
            self.frame.entity(number)
        })
    }
}
