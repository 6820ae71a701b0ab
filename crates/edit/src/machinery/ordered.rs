//! Quake II: the entities of a frame, for a caller that asks for them in the order of their numbers, as frames have them.
//! To search the list from its beginning for each of them would take most of an edit's time.

use moviola_state::quake2::{Entity, Frame};

/// The entities of a frame.
pub(crate) struct OrderedEntities<'f> {
    frame: &'f Frame,
    /// The entities after the last one that was asked for.
    rest: &'f [Entity],
    /// Whether the frame's entities are in order; found out when it is first needed.
    is_ordered: Option<bool>,
}

impl<'f> OrderedEntities<'f> {
    pub(crate) fn of(frame: &'f Frame) -> Self {
        Self { frame, rest: &frame.entities, is_ordered: None }
    }

    /// The entity with this number.
    #[inline]
    pub(crate) fn find(&mut self, number: u16) -> Option<&'f Entity> {
        while let [first, rest @ ..] = self.rest
            && first.number < number
        {
            self.rest = rest;
        }
        match self.rest {
            [first, rest @ ..] if first.number == number => {
                self.rest = rest;
                Some(first)
            }
            _ => self.find_anywhere(number),
        }
    }

    /// In a damaged recording the entities may be out of order.
    #[inline(never)]
    fn find_anywhere(&mut self, number: u16) -> Option<&'f Entity> {
        let entities = &self.frame.entities;
        let before = entities.len().checked_sub(self.rest.len() + 1).and_then(|at| entities.get(at));
        let is_passed = before.is_some_and(|it| it.number >= number);
        if !is_passed && *self.is_ordered.get_or_insert_with(|| entities.is_sorted_by_key(|it| it.number)) {
            return None;
        }
        self.rest = entities;
        self.frame.entity(number)
    }
}

/// The number of entities with which both lists begin and which are the same. Most entities of most frames are, so this
/// loop has nothing else in it.
#[inline]
pub(crate) fn same_beginning(
    one: &[Entity],
    other: &[Entity],
    are_same: impl Fn(&Entity, &Entity) -> bool,
) -> usize {
    one.iter().zip(other).take_while(|(one, other)| are_same(one, other)).count()
}

/// Changes entities by those with their numbers in another frame, except where `are_same` says that nothing is to be done.
pub(crate) fn change_others(
    mut entities: &mut [Entity],
    other: &Frame,
    are_same: impl Fn(&Entity, &Entity) -> bool,
    mut change: impl FnMut(&mut Entity, Option<&Entity>),
) {
    let mut others = OrderedEntities::of(other);
    loop {
        let same = same_beginning(entities, others.rest, &are_same);
        others.rest = others.rest.get(same..).unwrap_or_default();
        let Some([entity, rest @ ..]) = std::mem::take(&mut entities).get_mut(same..) else { return };
        entities = rest;
        let other = others.find(entity.number);
        change(entity, other);
    }
}

/// Whether two triples are the same. Edits compare the places of all entities in every frame, and nearly all are the same:
/// a comparison of the arrays themselves is a loop for each.
#[inline]
pub(crate) fn are_same<T: Copy + PartialEq>([one, two, three]: &[T; 3], [x, y, z]: &[T; 3]) -> bool {
    one == x && two == y && three == z
}
