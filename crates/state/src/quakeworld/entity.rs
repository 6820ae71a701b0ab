//! `QuakeWorld`'s entities other than players: the baselines of a level, and the entities of each packet,
//! which are sent as deltas from an earlier packet.

use crate::hash::{Fold, Hash64};
use moviola_format::qw::{SpawnBaseline, SpawnBaseline2};
use moviola_format::{
    Angle, Context, Coord, Flags, OriginCoord, PacketBits, PacketModel, PacketNumber, Placement, Scalar,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The state of an entity after the last message about it, with all fields.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quakeworld::World};
/// let mut head = Playhead::<World>::new();
/// // A packet with entity 9, with its model and frame.
/// head.step(&Block::new(b"\x2f\x09\xa0\x04\x07\x02\0\0"));
/// let (number, entity) = &head.world.entities.all()[0];
/// assert_eq!((*number, entity.model(), entity.frame()), (9, 7, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Entity(SpawnBaseline2);

macro_rules! copied {
    ($to:expr, $from:expr, $has:expr, $($field:ident)*) => { $(
        if $has(SpawnBaseline2::$field) {
            $to.$field = $from.$field;
        }
    )* };
}

/// The bits of the fields in which two entities differ.
macro_rules! differing {
    ($one:expr, $other:expr, $($field:ident)*) => {
        0 $( | if $one.$field == $other.$field { 0 } else { SpawnBaseline2::$field } )*
    };
}

/// Every field of an entity except its model, whose width is part of the bits.
macro_rules! fields {
    ($macro:ident!($($before:expr),*)) => {
        $macro!(
            $($before,)* frame colormap skin effects origin_x angles_1 origin_y angles_2 origin_z angles_3 scale trans
            fatness drawflags abslight colormod dpflags taginfo light lightstyle effects_high
        )
    };
}

impl Entity {
    /// The number of the model.
    pub fn model(&self) -> u16 {
        self.0.modelindex.0
    }

    /// The frame of the model.
    pub fn frame(&self) -> u8 {
        self.0.frame
    }

    /// The skin.
    pub fn skin(&self) -> u8 {
        self.0.skin
    }

    /// Lights and trails.
    pub fn effects(&self) -> u8 {
        self.0.effects
    }

    /// The player whose colors it has, counted from 1; 0 is none.
    pub fn colormap(&self) -> u8 {
        self.0.colormap
    }

    /// The opacity, where it is sent (FTE): 0 is invisible, 255 solid.
    pub fn alpha(&self) -> Option<u8> {
        (self.0.trans != 0).then_some(self.0.trans)
    }

    /// The position and direction.
    pub fn place(&self) -> Placement {
        let it = &self.0;
        Placement {
            origin: [it.origin_x.0, it.origin_y.0, it.origin_z.0],
            angles: [it.angles_1, it.angles_2, it.angles_3],
        }
    }

    /// The message that changes another state into this one. Its bits announce only the fields that differ.
    ///
    /// ```
    /// use moviola_format::{Context, Flags};
    /// use moviola_state::quakeworld::Entity;
    /// let same = Entity::default().since(&Entity::default(), 9, &Context::quakeworld());
    /// assert_eq!((same.entity.0, same.flags.changes()), (9, false));
    /// ```
    pub fn since(&self, base: &Self, number: u16, context: &Context) -> SpawnBaseline2 {
        let [it, of] = [self.fitting(context), base.fitting(context)];
        let mut bits = fields!(differing!(it, of));
        if it.modelindex != of.modelindex {
            bits |= it.modelindex.implied(0, context);
        }
        let number = PacketNumber(number);
        let bits = number.implied(bits, context);
        SpawnBaseline2 { flags: PacketBits::canonical(bits, context), entity: number, ..it }
    }

    /// The state with coordinates and angles in the widths of the context, since a baseline's may differ.
    fn fitting(&self, context: &Context) -> SpawnBaseline2 {
        let coord = |OriginCoord(it): OriginCoord| {
            let is_fit = it.kind() == context.entity_coord;
            OriginCoord(if is_fit { it } else { Coord::nearest(context.entity_coord, it.value()) })
        };
        let angle = |it: Angle| {
            if it.kind() == context.angle { it } else { Angle::nearest(context.angle, it.value()) }
        };
        let it = self.0;
        SpawnBaseline2 {
            origin_x: coord(it.origin_x),
            origin_y: coord(it.origin_y),
            origin_z: coord(it.origin_z),
            angles_1: angle(it.angles_1),
            angles_2: angle(it.angles_2),
            angles_3: angle(it.angles_3),
            ..it
        }
    }

    fn change(&mut self, it: &SpawnBaseline2) {
        let has = |bit| it.flags.has(bit);
        let to = &mut self.0;
        fields!(copied!(to, it, has));
        copied!(to, it, has, modelindex);
    }

    /// Whether all fields are zero, as those of an entity without a baseline.
    pub(super) fn is_blank(&self) -> bool {
        let place = self.place();
        let is_there = place.origin.iter().any(|it| it.value() != 0.0);
        let is_turned = place.angles.iter().any(|it| it.value() != 0.0);
        let blank = SpawnBaseline2::default();
        let rest = SpawnBaseline2 {
            flags: blank.flags,
            entity: blank.entity,
            origin_x: blank.origin_x,
            origin_y: blank.origin_y,
            origin_z: blank.origin_z,
            angles_1: blank.angles_1,
            angles_2: blank.angles_2,
            angles_3: blank.angles_3,
            ..self.0
        };
        !is_there && !is_turned && rest == blank
    }

    pub(super) fn of_baseline(it: &SpawnBaseline2) -> Self {
        let mut entity = Self::default();
        entity.change(it);
        entity
    }

    pub(super) fn baseline(it: &SpawnBaseline) -> Self {
        let [origin_x, origin_y, origin_z] = it.place.origin.map(OriginCoord);
        let [angles_1, angles_2, angles_3] = it.place.angles;
        Self(SpawnBaseline2 {
            modelindex: PacketModel(it.default_modelindex.into()),
            frame: it.default_frame,
            colormap: it.default_colormap,
            skin: it.default_skin,
            origin_x,
            origin_y,
            origin_z,
            angles_1,
            angles_2,
            angles_3,
            ..SpawnBaseline2::default()
        })
    }
}

/// The number of packets that a client keeps. Changes since an older one cannot be understood.
const KEPT_PACKETS: usize = 64;

type List = Arc<Vec<(u16, Entity)>>;

/// The entities of the last packet, and of those before it.
///
/// ```
/// assert!(moviola_state::quakeworld::Entities::default().all().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Entities {
    now: List,
    /// The lists of the last packets of a QWD by the low bits of their numbers.
    past: Arc<Vec<Option<(u32, List)>>>,
    /// Whether the last list was a delta from an unknown packet, so that the entities are those of an older packet.
    is_stale: bool,
    /// The number of lists so far, and of the lists that changed more than positions, frames and lights.
    count: u64,
    looks: u64,
}

impl Entities {
    /// The entities of the last packet, by their numbers.
    pub fn all(&self) -> &[(u16, Entity)] {
        &self.now
    }

    /// The number of packets that brought entities. While this number does not change, the entities do not change
    /// either.
    pub fn packets(&self) -> u64 {
        self.count
    }

    /// A counter that changes whenever an entity may have appeared, vanished, or changed its model or skin.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Whether the last list was a delta from a packet that is not in the recording. Clients continue to show the old
    /// entities.
    pub fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Keeps at most `most` entities, those nearest to a position; returns the number of removed ones.
    ///
    /// ```
    /// let mut none = moviola_state::quakeworld::Entities::default();
    /// assert_eq!(none.keep_nearest(64, [0.0; 3]), 0);
    /// ```
    pub fn keep_nearest(&mut self, most: usize, place: [f64; 3]) -> usize {
        let removed_count = self.now.len().saturating_sub(most);
        if removed_count > 0 {
            let far = |entity: &Entity| {
                let at = entity.place().origin.map(Coord::value);
                at.iter().zip(place).map(|(one, other)| (one - other) * (one - other)).sum::<f64>()
            };
            let mut near = self.now.to_vec();
            near.sort_by(|(_, one), (_, other)| far(one).total_cmp(&far(other)));
            near.truncate(most);
            near.sort_by_key(|(number, _)| *number);
            self.now = Arc::new(near);
        }
        removed_count
    }

    /// Applies the entities of a packet. `delta_from` is the low byte of the packet on which they build; an MVD has no
    /// numbers, so there it is always the packet before.
    pub(super) fn take(
        &mut self,
        changes: impl Iterator<Item = SpawnBaseline2>,
        delta_from: Option<u8>,
        packet: Option<u32>,
        baselines: &BTreeMap<u16, Entity>,
    ) {
        self.count = self.count.wrapping_add(1);
        if delta_from.is_some() && packet.is_none() {
            self.is_stale = false;
            return self.change(changes, baselines);
        }
        self.looks = self.looks.wrapping_add(1);
        let none = List::default();
        let base = match delta_from {
            None => Some(&none),
            Some(low) => self
                .past
                .get(usize::from(low) % KEPT_PACKETS)
                .and_then(Option::as_ref)
                .filter(|(number, _)| *number as u8 == low)
                .map(|(_, list)| list),
        };
        self.is_stale = base.is_none();
        let Some(base) = base else { return };
        let mut list = Vec::with_capacity(base.len());
        let mut old = base.iter().peekable();
        for change in changes {
            let number = change.entity.0;
            while let Some(entity) = old.next_if(|(old, _)| *old < number) {
                list.push(*entity);
            }
            let before = old.next_if(|(old, _)| *old == number);
            if change.flags.removes() {
                continue;
            }
            let mut entity = before
                .map_or_else(|| baselines.get(&number).copied().unwrap_or_default(), |(_, entity)| *entity);
            entity.change(&change);
            // The list must stay sorted, because it is searched by number.
            match list.binary_search_by_key(&number, |(number, _)| *number) {
                Ok(at) => {
                    if let Some(place) = list.get_mut(at) {
                        *place = (number, entity);
                    }
                }
                Err(at) => list.insert(at, (number, entity)),
            }
        }
        list.extend(old.copied());
        self.now = Arc::new(list);
        if let Some(number) = packet {
            let past = Arc::make_mut(&mut self.past);
            past.resize(KEPT_PACKETS, None);
            if let Some(place) = past.get_mut(number as usize % KEPT_PACKETS) {
                *place = Some((number, Arc::clone(&self.now)));
            }
        }
    }

    /// Changes the current list in place, since most of it stays the same. An MVD needs this for nearly every packet.
    fn change(&mut self, changes: impl Iterator<Item = SpawnBaseline2>, baselines: &BTreeMap<u16, Entity>) {
        let list = Arc::make_mut(&mut self.now);
        let (mut latest, mut is_new_look) = (None, false);
        for change in changes {
            let number = change.entity.0;
            let found = list.binary_search_by_key(&number, |(number, _)| *number);
            // If an entity's number is not greater than the one before, the entity starts from its baseline again, as
            // in a whole list.
            let follows = latest.is_none_or(|latest| number > latest);
            latest = latest.max(Some(number));
            is_new_look |= found.is_err()
                || change.flags.removes()
                || change.flags.has(SpawnBaseline2::modelindex)
                || change.flags.has(SpawnBaseline2::skin);
            let fresh = || baselines.get(&number).copied().unwrap_or_default();
            match found {
                Ok(at) if change.flags.removes() => {
                    if follows {
                        list.remove(at);
                    }
                }
                Err(_) if change.flags.removes() => {}
                Ok(at) => {
                    if let Some((_, entity)) = list.get_mut(at) {
                        *entity = if follows { *entity } else { fresh() };
                        entity.change(&change);
                    }
                }
                Err(at) => {
                    let mut entity = fresh();
                    entity.change(&change);
                    list.insert(at, (number, entity));
                }
            }
        }
        self.looks = self.looks.wrapping_add(u64::from(is_new_look));
    }
}

impl Fold for Entity {
    fn fold(&self, hash: &mut Hash64) {
        let place = self.place();
        self.model().fold(hash);
        [self.frame(), self.skin(), self.effects(), self.colormap(), self.0.trans].fold(hash);
        self.0.colormod.fold(hash);
        place.origin.fold(hash);
        place.angles.fold(hash);
    }
}

impl Fold for Entities {
    fn fold(&self, hash: &mut Hash64) {
        for (number, entity) in self.now.iter() {
            number.fold(hash);
            entity.fold(hash);
        }
        self.is_stale.fold(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Playhead;
    use crate::quakeworld::World;
    use moviola_format::{Block, Stamp};

    fn packet(number: u32, data: &[u8], head: &mut Playhead<World>) {
        let stamp = Stamp::Qwd { time: 0, numbers: Some([number, 0]) };
        head.step(&Block { stamp, ..Block::new(data) });
    }

    #[test]
    fn changes_build_on_the_packet_that_they_name() {
        let mut head = Playhead::<World>::new();
        // Entity 9 with model 5, in a whole list.
        packet(301, b"\x2f\x09\x80\x04\x05\0\0", &mut head);
        assert_eq!(head.world.entities.all()[0].1.model(), 5);
        packet(302, b"\x30\x2d\x0b\x80\x04\x06\0\0", &mut head);
        let models = |head: &Playhead<World>| {
            head.world.entities.all().iter().map(|(number, it)| (*number, it.model())).collect::<Vec<_>>()
        };
        assert_eq!(models(&head), [(9, 5), (11, 6)]);
        // Since packet 301 (low byte 2d), which had no entity 11; entity 9 is removed.
        packet(303, b"\x30\x2d\x09\x40\x0a\x80\x04\x07\0\0", &mut head);
        assert_eq!(models(&head), [(10, 7)]);
        // Changes since an unknown packet: clients keep the entities that they have.
        packet(304, b"\x30\x10\x09\x80\x04\x08\0\0", &mut head);
        assert_eq!((models(&head), head.world.entities.is_stale()), (vec![(10, 7)], true));
    }

    #[test]
    fn an_mvd_builds_on_the_list_before() {
        let mut head = Playhead::<World>::new();
        let stamp = Stamp::Mvd { msec: 0, kind: 6, players: 0 };
        head.step(&Block { stamp, ..Block::new(b"\x2f\x09\x80\x04\x05\0\0") });
        head.step(&Block { stamp, ..Block::new(b"\x30\xff\x0a\x80\x04\x06\0\0") });
        let numbers: Vec<u16> = head.world.entities.all().iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [9, 10]);
        // A new animation frame does not change the look, a new model does. An entity that occurs twice starts again,
        // and a removed one disappears.
        let looks = head.world.entities.looks();
        head.step(&Block { stamp, ..Block::new(b"\x30\xff\x09\xa0\0\x07\0\0") });
        assert_eq!(head.world.entities.looks(), looks);
        head.step(&Block { stamp, ..Block::new(b"\x30\xff\x09\x80\x04\x08\x09\xa0\0\x02\0\0") });
        let (number, entity) = head.world.entities.all()[0];
        assert_eq!((number, entity.model(), entity.frame()), (9, 0, 2));
        assert_ne!(head.world.entities.looks(), looks);
        head.step(&Block { stamp, ..Block::new(b"\x30\xff\x09\x40\x0c\x40\0\0") });
        assert_eq!(head.world.entities.all().len(), 1);
    }

    #[test]
    fn an_entity_is_sent_as_its_differences() {
        let context = Context::quakeworld();
        let mut entity = Entity::default();
        entity.change(&SpawnBaseline2 {
            flags: PacketBits::canonical(SpawnBaseline2::skin | SpawnBaseline2::frame, &context),
            skin: 3,
            frame: 4,
            ..SpawnBaseline2::default()
        });
        let sent =
            entity.since(&Entity::default(), 600, &Context { extensions: context.extensions, ..context });
        assert!(sent.flags.has(SpawnBaseline2::skin) && !sent.flags.has(SpawnBaseline2::effects));
        let mut again = Entity::default();
        again.change(&sent);
        assert_eq!(again.since(&entity, 1, &context).flags.bits(), 0);
    }
}
