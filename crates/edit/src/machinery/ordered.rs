//! Quake II: the entities of frames, for a caller that asks for them in the order of their numbers, as frames have them.
//! To search the list from its beginning for each of them would take most of an edit's time, and to look at all of them
//! most of the rest: in a network game three of 28 change.

use moviola_state::quake2::{Entity, Frame, World};

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

    /// Passes over the entities that are next in both lists. Returns the rest of the other list.
    #[inline]
    pub(crate) fn skip_same<'e>(&mut self, entities: &'e [Entity]) -> &'e [Entity] {
        let pairs = entities.iter().zip(self.rest);
        let same = pairs.take_while(|(one, other)| one.number == other.number).count();
        self.rest = self.rest.get(same..).unwrap_or_default();
        entities.get(same..).unwrap_or_default()
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

/// An entity in which two frames may differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suspect {
    number: u16,
    /// Where it probably is in the lists of both frames, as far as the places of the other suspects are right too.
    place: u16,
}

/// The entities in which frames may differ, in the order of their numbers, or the fact that any may. All others are the same
/// in each of the frames: without an event, and their old places are their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Suspects {
    list: Vec<Suspect>,
    /// Whether only those of the list may differ. Then the entities of the frames are in order.
    is_known: bool,
}

impl Suspects {
    /// Any entity may differ.
    pub(crate) fn forget(&mut self) {
        self.is_known = false;
        self.list.clear();
    }

    /// The entities that the last frame of this world changed, if it builds on the frame drawn before.
    /// `are_ordered` says whether the entities of both frames are in order.
    pub(crate) fn set_changed(&mut self, world: &World, are_ordered: bool) {
        let changes = world.changes(world.frames_drawn().wrapping_sub(1)).filter(|_| are_ordered);
        self.forget();
        let Some(changes) = changes else { return };
        self.is_known = true;
        let entities = &world.drawn().entities;
        let numbered =
            changes.updated.iter().filter_map(|at| Some((*at, entities.get(*at as usize)?.number)));
        self.list.extend(numbered.map(|(at, number)| Suspect { number, place: at as u16 }));
        for number in &changes.gone {
            self.add(*number, world.drawn());
        }
    }

    /// Adds an entity. The frame is one in whose list it probably is at the same place as in those of the frames.
    pub(crate) fn add(&mut self, number: u16, frame: &Frame) {
        if self.is_known
            && let Err(at) = self.list.binary_search_by_key(&number, |it| it.number)
        {
            let place = frame.entities.partition_point(|it| it.number < number) as u16;
            self.list.insert(at, Suspect { number, place });
        }
    }

    /// Adds the suspects of other frames.
    pub(crate) fn add_all(&mut self, others: &Self) {
        if !(self.is_known && others.is_known) {
            return self.forget();
        }
        let mut at = 0;
        for other in &others.list {
            while self.list.get(at).is_some_and(|it| it.number < other.number) {
                at += 1;
            }
            match self.list.get_mut(at) {
                Some(it) if it.number == other.number => *it = *other,
                _ => self.list.insert(at, *other),
            }
        }
    }

    /// Begins to visit them.
    pub(crate) fn visit(&self) -> Visit<'_> {
        if self.is_known { Visit { rest: Some(&self.list), place: 0 } } else { Visit::all() }
    }

    /// Calls `change` with each entity of the list that may differ.
    #[inline]
    pub(crate) fn change(&self, mut entities: &mut [Entity], mut change: impl FnMut(&mut Entity)) {
        let mut visit = self.visit();
        loop {
            let (to, _) = visit.next(entities, &[], |_, _| false);
            let Some([entity, rest @ ..]) = std::mem::take(&mut entities).get_mut(to..) else { return };
            entities = rest;
            change(entity);
        }
    }
}

/// A way through the lists of two frames that passes over entities that are the same.
pub(crate) struct Visit<'s> {
    /// The next suspects; `None` if all entities must be compared.
    rest: Option<&'s [Suspect]>,
    /// The probable place of the entities at which the lists begin.
    place: u16,
}

impl Visit<'_> {
    /// Visits all entities that differ.
    pub(crate) fn all() -> Self {
        Self { rest: None, place: 0 }
    }

    /// The numbers of entities with which the rests of both lists begin and which need no look.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        to: &[Entity],
        from: &[Entity],
        are_same: impl Fn(&Entity, &Entity) -> bool,
    ) -> (usize, usize) {
        let Some(suspects) = &mut self.rest else {
            // Most entities of most frames are the same, so this loop has nothing else in it.
            let same = to.iter().zip(from).take_while(|(one, other)| are_same(one, other)).count();
            return (same, same);
        };
        let (mut at, mut from_at) = (0, 0);
        while let [suspect, rest @ ..] = *suspects {
            *suspects = rest;
            let ahead = usize::from(suspect.place.saturating_sub(self.place));
            self.place = suspect.place.saturating_add(1);
            let found;
            (at, found) = suspect.find(to, at, ahead);
            let found_in_from;
            (from_at, found_in_from) = suspect.find(from, from_at, ahead);
            if found || found_in_from {
                return (at, from_at);
            }
        }
        (to.len(), from.len())
    }
}

impl Suspect {
    /// Where it is in a list from `start` on, or where it would be; and whether it is there.
    #[inline(always)]
    fn find(self, entities: &[Entity], start: usize, ahead: usize) -> (usize, bool) {
        // The numbers of a list are in order, so this cannot be another entity.
        if entities.get(start + ahead).is_some_and(|it| it.number == self.number) {
            return (start + ahead, true);
        }
        let mut at = start;
        while let Some(entity) = entities.get(at) {
            if entity.number >= self.number {
                return (at, entity.number == self.number);
            }
            at += 1;
        }
        (at, false)
    }
}

/// Changes entities by those with their numbers in another frame, except where `are_same` says that nothing is to be done.
#[inline]
pub(crate) fn change_others(
    mut entities: &mut [Entity],
    other: &Frame,
    mut visit: Visit<'_>,
    are_same: impl Fn(&Entity, &Entity) -> bool,
    mut change: impl FnMut(&mut Entity, Option<&Entity>),
) {
    let mut others = OrderedEntities::of(other);
    loop {
        let (same, passed) = visit.next(entities, others.rest, &are_same);
        others.rest = others.rest.get(passed..).unwrap_or_default();
        let Some([entity, rest @ ..]) = std::mem::take(&mut entities).get_mut(same..) else { return };
        entities = rest;
        let other = others.find(entity.number);
        if !other.is_some_and(|other| are_same(entity, other)) {
            change(entity, other);
        }
    }
}

/// Whether two triples are the same. Edits compare the places of all entities in every frame, and nearly all are the same:
/// a comparison of the arrays themselves is a loop for each.
#[inline]
pub(crate) fn are_same<T: Copy + PartialEq>([one, two, three]: &[T; 3], [x, y, z]: &[T; 3]) -> bool {
    one == x && two == y && three == z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machinery::bridge::quake2::entities;
    use moviola_format::{Context, Short8};

    /// A frame with the entities whose bits are set in `there`, at x = 1 where the bit in `moved` is set.
    fn frame(there: u32, moved: u32) -> Frame {
        let has = |bits: u32, number: u16| bits & 1 << number != 0;
        let mut frame = Frame::default();
        let numbers = (1..=9).filter(|number| has(there, *number));
        frame.entities = numbers
            .map(|number| {
                let place = [Short8(i16::from(has(moved, number))); 3];
                Entity { number, origin: place, old_origin: place, ..Entity::default() }
            })
            .collect();
        frame
    }

    #[test]
    fn entities_that_are_no_suspects_need_no_look() {
        let (world, context) = (World::new(), Context::quake2());
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for _ in 0..3000 {
            let [there, was_there, moved, had_moved] = [random(), random(), random(), random()];
            // Some differ, some are suspects all the same, and the places are more or less right.
            let was_there = (was_there & random()) ^ there;
            let had_moved = (had_moved & random()) ^ moved;
            let (to, from) = (frame(there, moved), frame(was_there, had_moved));
            let differs = (there ^ was_there) | ((moved ^ had_moved) & there) | (random() & random());
            let mut suspects = Suspects { list: Vec::new(), is_known: true };
            for number in (1..=9).filter(|number| differs & 1 << number != 0) {
                suspects.add(number, if random() & 1 == 0 { &to } else { &from });
            }
            let bytes = |visit: Visit<'_>| {
                let mut bytes = Vec::new();
                entities(&to, Some(&from), visit, &world, &context, &mut bytes);
                bytes
            };
            assert_eq!(bytes(suspects.visit()), bytes(Visit::all()), "{to:?} {from:?} {suspects:?}");
            // Another frame's differences at their new places.
            let mut changed = to.clone();
            change_others(
                &mut changed.entities,
                &from,
                suspects.visit(),
                |_, _| false,
                |entity, old| {
                    entity.event = 1 + u8::from(old.is_some());
                },
            );
            for (entity, before) in changed.entities.iter().zip(&to.entities) {
                let is_suspect = differs & 1 << entity.number != 0;
                assert!(!is_suspect || entity.event != before.event, "{entity:?} {suspects:?}");
            }
        }
    }
}
