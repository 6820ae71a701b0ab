//! Quake II: the entities of a frame, for a caller that asks for them in the order of their numbers, as frames have them.
//! To search the list from its beginning for each of them would take most of an edit's time.

use moviola_state::quake2::{Entity, Frame};

/// The entities of a frame.
pub(crate) struct OrderedEntities<'f> {
    frame: &'f Frame,
    at: usize,
    /// Whether the frame's entities are in order; found out when it is first needed.
    is_ordered: Option<bool>,
}

impl<'f> OrderedEntities<'f> {
    pub(crate) fn of(frame: &'f Frame) -> Self {
        Self { frame, at: 0, is_ordered: None }
    }

    /// The entity with this number.
    #[inline]
    pub(crate) fn find(&mut self, number: u16) -> Option<&'f Entity> {
        let entities = &self.frame.entities;
        while entities.get(self.at).is_some_and(|it| it.number < number) {
            self.at += 1;
        }
        entities.get(self.at).filter(|it| it.number == number).or_else(|| self.find_anywhere(number))
    }

    /// In a damaged recording the entities may be out of order.
    fn find_anywhere(&mut self, number: u16) -> Option<&'f Entity> {
        let entities = &self.frame.entities;
        let before = self.at.checked_sub(1).and_then(|at| entities.get(at));
        let is_passed = before.is_some_and(|it| it.number >= number);
        if !is_passed && *self.is_ordered.get_or_insert_with(|| entities.is_sorted_by_key(|it| it.number)) {
            return None;
        }
        self.at = 0;
        self.frame.entity(number)
    }
}

/// Whether two triples are the same. Edits compare the places of all entities in every frame, and nearly all are the same:
/// a comparison of the arrays themselves is a loop for each.
#[inline]
pub(crate) fn are_same<T: Copy + PartialEq>([one, two, three]: &[T; 3], [x, y, z]: &[T; 3]) -> bool {
    one == x && two == y && three == z
}
