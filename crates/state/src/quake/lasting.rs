//! The entities of FTE's extended protocols of Quake and of `DarkPlaces`: they stay until they are removed, and each
//! message about one contains only the changed fields.

use super::entity::{Baseline, Entity, EntityLook};
use super::{PLAYING, World};
use crate::hash::{Fold, Hash64};
use moviola_format::deltas::{DarkPlacesEntity, FteEntity};
use moviola_format::dem::{DarkPlacesBaseline, DarkPlacesFrame, DarkPlacesStatic, UpdateEntities};
use moviola_format::{FteState, LargeState, Seconds};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The entities that stay, each stored as one record of the wire format with all its fields.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// head.step(&Block::new(b"\x0b\xb0\x0d\0\0\x01\0a\0maps/a.bsp\0\0\0"));
/// // Entity 5 gets model 2, and stays although the next frame does not contain it.
/// head.step(&Block::new(b"\x07\0\0\x80\x3f\x39\x01\0\0\0\0\0\0\0\x05\0\x09\x02\0\x80"));
/// head.step(&Block::new(b"\x07\0\0\0\x40\x39\x02\0\0\0\0\0\0\0\0\x80"));
/// assert_eq!(head.world.shown().next().unwrap().1.look.model, 2);
/// // A block without a list changes nothing either.
/// head.step(&Block::new(b"\x07\0\0\x40\x40"));
/// assert_eq!(head.world.shown().next().unwrap().1.look.model, 2);
/// assert_eq!(head.world.lasting.records().count(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastingEntities {
    records: Arc<BTreeMap<u16, Arc<[u8]>>>,
    /// The number of the last frame.
    pub frame: i32,
}

impl LastingEntities {
    /// The entities with their numbers, in order: each as the bytes of a record that creates the entity.
    pub fn records(&self) -> impl Iterator<Item = (u16, &[u8])> {
        self.records.iter().map(|(number, record)| (*number, &**record))
    }

    /// Whether there are no entities.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    fn set(&mut self, number: u16, record: Option<Vec<u8>>) {
        let records = Arc::make_mut(&mut self.records);
        match record {
            Some(record) => {
                records.insert(number, record.into());
            }
            None => {
                records.remove(&number);
            }
        }
    }
}

impl Fold for LastingEntities {
    fn fold(&self, hash: &mut Hash64) {
        for (number, record) in self.records() {
            number.fold(hash);
            hash.add(record.len() as u64);
            for byte in record {
                hash.add(u64::from(*byte));
            }
        }
    }
}

/// The opacity in the form of protocol 666, where 0 is the default and 1 invisible.
fn opacity(alpha: u8) -> u8 {
    alpha.wrapping_add(1)
}

impl From<&LargeState> for Baseline {
    fn from(it: &LargeState) -> Self {
        let look = EntityLook {
            model: it.modelindex,
            frame: it.frame,
            colormap: it.colormap,
            skin: it.skin,
            ..EntityLook::default()
        };
        Self { look, place: it.place }
    }
}

impl From<&DarkPlacesBaseline> for Baseline {
    fn from(it: &DarkPlacesBaseline) -> Self {
        (&it.state).into()
    }
}

impl From<&DarkPlacesStatic> for Baseline {
    fn from(it: &DarkPlacesStatic) -> Self {
        (&it.state).into()
    }
}

impl From<&FteState<'_>> for Baseline {
    fn from(it: &FteState<'_>) -> Self {
        let mut all = Self::default();
        if let Some(state) = it.entity() {
            all.take_fte(&state);
        }
        all
    }
}

impl Baseline {
    /// Takes the fields that an entity of FTE has.
    fn take_fte(&mut self, it: &FteEntity<'_>) {
        let has = |bit: u32| it.flags.0 & bit != 0;
        let Self { look, place } = self;
        let ([x, y, z], [pitch, yaw, roll]) = (&mut place.origin, &mut place.angles);
        macro_rules! take { ($($place:expr => $field:ident $(. $raw:tt)* $(as $kind:ty)?;)*) => { $(
            if has(FteEntity::$field) {
                $place = it.$field $(. $raw)* $(as $kind)?;
            }
        )* } }
        take! {
            look.model => modelindex.0;
            look.frame => frame.0;
            look.colormap => colormap;
            look.skin => skin.0 as u8;
            look.effects => effects.0 as u8;
            look.scale => scale;
            *z => origin_z;
        }
        if has(FteEntity::alpha) {
            look.alpha = opacity(it.alpha);
        }
        if has(FteEntity::origin_xy) {
            [*x, *y] = it.origin_xy;
        }
        if has(FteEntity::tilt) {
            [*pitch, *roll] = it.tilt.angles;
        }
        if has(FteEntity::yaw) {
            [*yaw] = it.yaw.angles;
        }
    }

    /// Takes the fields that an entity of `DarkPlaces` has.
    fn take_darkplaces(&mut self, it: &DarkPlacesEntity<'_>) {
        let has = |bit: u32| it.flags.0 & bit != 0;
        let Self { look, place } = self;
        macro_rules! take { ($($place:expr => $field:ident $(. $raw:tt)? $(as $kind:ty)?;)*) => { $(
            if has(DarkPlacesEntity::$field) {
                $place = it.$field $(. $raw)? $(as $kind)?;
            }
        )* } }
        take! {
            look.model => modelindex.0;
            look.frame => frame.0;
            look.colormap => colormap;
            look.skin => skin;
            look.effects => effects.0 as u8;
            look.scale => scale;
            place.origin => origin.0;
            place.angles => angles.0;
        }
        if has(DarkPlacesEntity::alpha) {
            look.alpha = opacity(it.alpha);
        }
    }
}

/// The bit in the render flags of both engines for a movement in steps.
const STEP: u8 = 1;

impl World {
    pub(super) fn take_darkplaces_frame(&mut self, it: &DarkPlacesFrame<'_>) {
        self.lasting.frame = it.frame;
        let context = it.entities.context();
        for change in it.entities.iter() {
            let number = change.entity.0;
            if change.flags.0 & DarkPlacesEntity::remove != 0 {
                self.remove(number);
                continue;
            }
            let old = self.lasting.records.get(&number).cloned();
            let old = old.as_deref().and_then(|record| it.entities.one(record));
            let whole = change.onto(old, &context);
            self.lasting.set(number, Some(DarkPlacesEntity::bytes(&whole, &context)));
            let mut state = Baseline::default();
            state.take_darkplaces(&whole);
            self.show(number, state, whole.renderflags & STEP != 0);
        }
        self.begin();
    }

    pub(super) fn take_fte_frame(&mut self, it: &UpdateEntities<'_>) {
        #[allow(clippy::float_cmp, reason = "engines compare the floats")]
        if it.time.value() != self.clock.now.value() {
            self.set_time(it.time);
        }
        let context = it.entities.context();
        for change in it.entities.iter() {
            let number = change.entity.0.unwrap_or_default();
            let Ok(number) = u16::try_from(number) else { continue };
            if change.flags.0 & FteEntity::remove != 0 {
                if number == 0 {
                    let all: Vec<u16> = self.lasting.records.keys().copied().collect();
                    for number in all {
                        self.remove(number);
                    }
                } else {
                    self.remove(number);
                }
                continue;
            }
            let old = self.lasting.records.get(&number).cloned();
            let old = old.as_deref().and_then(|record| it.entities.one(record));
            let merged = change.onto(old, &context);
            self.lasting.set(number, Some(FteEntity::bytes(&merged, &context)));
            let is_reset = merged.flags.0 & FteEntity::reset != 0;
            let mut state = if is_reset { self.baseline(number) } else { Baseline::default() };
            state.take_fte(&merged);
            if number == self.view.entity as u16 && context.sends_stats() {
                self.vitals.move_at(merged.prediction.velocity().map(|eighths| f64::from(eighths) / 8.0));
            }
            self.show(number, state, merged.eflags & STEP != 0);
        }
        self.begin();
    }

    /// Removes an entity.
    fn remove(&mut self, number: u16) {
        self.lasting.set(number, None);
        if let Some(entity) = self.entities.entry(number) {
            *entity = Entity::default();
        }
    }

    /// An entity has this state from now on.
    fn show(&mut self, number: u16, state: Baseline, step: bool) {
        let clock = self.clock;
        if let Some(entity) = self.entities.entry(number) {
            entity.stand(state, step, &clock);
            self.updated.mark(number, clock.epoch);
        }
    }

    /// Begins play, with the first list.
    fn begin(&mut self) {
        if self.signon == PLAYING - 1 {
            self.signon = PLAYING;
        }
    }

    /// Sets the clock. Entities of lists stay at the new time too.
    pub(super) fn set_time(&mut self, time: Seconds) {
        self.clock.set(time);
        let clock = self.clock;
        for number in self.lasting.records.keys() {
            if let Some(entity) = self.entities.entry(*number) {
                entity.stay(&clock);
                self.updated.mark(*number, clock.epoch);
            }
        }
    }

    /// Sets a stat that other protocols send with the player's state.
    pub(super) fn take_vital(&mut self, index: u8, value: f64) {
        if self.level.has_stats_only {
            self.vitals.take_stat(index, value);
        }
    }
}
