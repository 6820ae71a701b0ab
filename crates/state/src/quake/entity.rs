//! Entities: their look and position, and whether a client draws them.
//!
//! The rules are those of id's `cl_parse.c` and `cl_main.c`, for protocols 666 and 999 `QuakeSpasm`'s.

use crate::hash::{Fold, Hash64, folds};
use moviola_format::dem::{SpawnBaseline, SpawnBaseline2, SpawnStatic, SpawnStatic2, UpdateEntity};
use moviola_format::{Flags, Placement, Seconds, Transparency};

/// The look of an entity.
///
/// ```
/// use moviola_state::quake::Baseline;
/// assert_eq!(Baseline::default().look.model, 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityLook {
    /// The number of its model in the level's list; 0 is none.
    pub model: u16,
    /// The frame of the model.
    pub frame: u16,
    /// The player whose colors it has, counted from 1; 0 is none.
    pub colormap: u8,
    /// The skin.
    pub skin: u8,
    /// Lights and trails.
    pub effects: u8,
    /// The opacity: 1 is invisible, 255 solid, 0 the default.
    pub alpha: u8,
    /// The scale, in sixteenths.
    pub scale: u8,
}

/// The scale of an entity whose message contains none.
const SCALE: u8 = 16;

impl Default for EntityLook {
    fn default() -> Self {
        Self { model: 0, frame: 0, colormap: 0, skin: 0, effects: 0, alpha: 0, scale: SCALE }
    }
}

/// An entity's baseline: the state on which updates build. Also the state of a static entity.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// // spawnbaseline: entity 7 has model 3.
/// head.step(&Block::new(b"\x16\x07\0\x03\0\0\0\0\0\0\0\0\0\0\0\0"));
/// assert_eq!(head.world.baseline(7).look.model, 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The look.
    pub look: EntityLook,
    /// The position and direction.
    pub place: Placement,
}

folds! {
    EntityLook { model, frame, colormap, skin, effects, alpha, scale }
    Baseline { look, place }
}

impl Fold for Placement {
    fn fold(&self, hash: &mut Hash64) {
        let Self { origin, angles } = self;
        origin.fold(hash);
        angles.fold(hash);
    }
}

/// The four messages that carry a baseline have the same fields, in two widths.
macro_rules! baselines {
    ($( $message:ident, $it:ident => $frame:expr, $alpha:expr, $scale:expr; )*) => { $(
        impl From<&$message> for Baseline {
            fn from($it: &$message) -> Self {
                let look = EntityLook {
                    model: $it.default_modelindex.0,
                    frame: $frame,
                    colormap: $it.default_colormap,
                    skin: $it.default_skin,
                    effects: 0,
                    alpha: $alpha,
                    scale: $scale,
                };
                Self { look, place: $it.place }
            }
        }
    )* };
}

macro_rules! scale {
    ($message:ident, $it:ident) => {
        if $it.flags.has($message::default_scale) { $it.default_scale } else { SCALE }
    };
}

baselines! {
    SpawnBaseline, it => u16::from(it.default_frame), 0, SCALE;
    SpawnStatic, it => u16::from(it.default_frame), 0, SCALE;
    SpawnBaseline2, it => it.default_frame.0, it.default_alpha, scale!(SpawnBaseline2, it);
    SpawnStatic2, it => it.default_frame.0, it.default_alpha, scale!(SpawnStatic2, it);
}

/// An entity as the last update left it.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// // Entity 5 stands at x = 10.
/// head.step(&Block::new(b"\x07\0\0\x80\x3f\x82\x05\x50\0"));
/// let entity = head.world.entity(5).unwrap();
/// assert_eq!(entity.place.origin[0].value(), 10.0);
/// assert_eq!(entity.seen.value(), 1.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Entity {
    /// The look.
    pub look: EntityLook,
    /// The position.
    pub place: Placement,
    /// Nehahra's alpha and brightness.
    pub transparency: Transparency,
    /// The time of its next step, in 255ths of a second after `seen`.
    pub lerpfinish: Option<u8>,
    /// It moves in steps, so clients do not smooth its movement.
    pub step: bool,
    /// Whether it jumps to its position, because it has no earlier one from which to interpolate.
    pub forcelink: bool,
    /// The clock at its last update.
    pub seen: Seconds,
    /// The number of the clock's reading at that update; see [`Clock`].
    pub(super) epoch: u32,
}

/// The clock of the level, from the last two `time` messages.
///
/// A client draws an entity if its last update has the current time; an entity that was once not drawn
/// returns only with a new update. So each reading of the clock gets a number, and a clock that returns to an
/// earlier time does not bring back old entities. Where lists of entities come (see [`Level::lists_entities`]),
/// an entity stays until a list removes it.
///
/// [`Level::lists_entities`]: crate::quake::Level::lists_entities
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake};
/// let mut head = Playhead::<quake::World>::new();
/// head.step(&Block::new(b"\x07\0\0\x80\x3f"));
/// head.step(&Block::new(b"\x07\0\0\0\x40"));
/// assert_eq!((head.world.clock.before.value(), head.world.clock.now.value()), (1.0, 2.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Seconds since the level began.
    pub now: Seconds,
    /// The time of the message before.
    pub before: Seconds,
    pub(super) epoch: u32,
}

impl Clock {
    #[inline]
    pub(super) fn set(&mut self, time: Seconds) {
        self.before = self.now;
        self.now = time;
        // Engines compare the floats: not-a-number never equals itself, and zero has no sign.
        #[allow(clippy::float_cmp)]
        if self.now.value() != self.before.value() {
            self.epoch = self.epoch.wrapping_add(1);
        }
    }
}

impl Entity {
    /// Whether a client draws it, its number aside.
    #[inline]
    pub fn is_shown(&self, clock: &Clock) -> bool {
        self.look.model != 0 && self.epoch == clock.epoch && !clock.now.value().is_nan()
    }

    /// Sets the fields in the update, and all others from the baseline; nothing remains of the entity's earlier state.
    #[inline]
    pub(super) fn update(&mut self, it: &UpdateEntity, base: &Baseline, clock: &Clock) {
        let has = |bit: u32| it.flags.has(bit);
        let had_model = self.look.model != 0;
        let added = it.transparency.darkplaces();
        let was = added.filter(|it| it.delta).map(|_| (self.look, self.place));
        // Copying the whole baseline first is fastest, because most updates contain few fields.
        self.look = base.look;
        self.place = base.place;
        if let Some(was) = was {
            (self.look, self.place) = was;
        }
        let look = &mut self.look;
        let [x, y, z] = &mut self.place.origin;
        let [pitch, yaw, roll] = &mut self.place.angles;
        macro_rules! take {
            ($($place:expr => $field:ident $(. $raw:tt)?;)*) => { $(
                if has(UpdateEntity::$field) {
                    $place = it.$field $(. $raw)?;
                }
            )* };
        }
        take! {
            look.model => modelindex.0;
            look.colormap => colormap;
            look.skin => skin;
            look.effects => effects;
            *x => origin_x;
            *y => origin_y;
            *z => origin_z;
            *pitch => angles_1.0;
            *yaw => angles_2.0;
            *roll => angles_3.0;
        }
        if has(UpdateEntity::frame) {
            look.frame = u16::from(it.frame);
        }
        if it.flags.0 & EXTENDED != 0 {
            take! {
                look.alpha => alpha;
                look.scale => scale;
            }
            look.frame = with_high(look.frame, it.frame_high, has(UpdateEntity::frame_high));
            look.model = with_high(look.model, it.modelindex_high, has(UpdateEntity::modelindex_high));
        }
        if let Some(added) = added {
            look.alpha = added.alpha.map_or(look.alpha, |alpha| alpha.wrapping_add(1));
            look.scale = added.scale.unwrap_or(look.scale);
            look.frame =
                with_high(look.frame, added.frame_high.unwrap_or_default(), added.frame_high.is_some());
            look.model =
                with_high(look.model, added.model_high.unwrap_or_default(), added.model_high.is_some());
        }
        let step = has(UpdateEntity::new);
        #[allow(clippy::float_cmp)]
        let fresh = self.seen.value() != clock.before.value();
        self.forcelink = fresh || step || (look.model == 0 && had_model);
        self.transparency = it.transparency;
        self.lerpfinish = has(UpdateEntity::lerpfinish).then_some(it.lerpfinish);
        self.step = step;
        self.seen = clock.now;
        self.epoch = clock.epoch;
    }

    /// Sets a complete state, for protocols in which entities stay until they are removed.
    pub(super) fn stand(&mut self, state: Baseline, step: bool, clock: &Clock) {
        let had_model = self.look.model != 0;
        self.forcelink = step || state.look.model == 0 || !had_model;
        (self.look, self.place) = (state.look, state.place);
        (self.transparency, self.lerpfinish, self.step) = (Transparency::default(), None, step);
        (self.seen, self.epoch) = (clock.now, clock.epoch);
    }

    /// Keeps the entity, unchanged, for the present time.
    pub(super) fn stay(&mut self, clock: &Clock) {
        if self.epoch != clock.epoch {
            self.forcelink = self.step;
        }
        (self.seen, self.epoch) = (clock.now, clock.epoch);
    }

    /// Folds every field. The clock's reading is not folded, only whether the entity is shown.
    pub(super) fn fold(&self, clock: &Clock, hash: &mut Hash64) {
        let Self { look, place, transparency, lerpfinish, step, forcelink, seen, epoch: _ } = self;
        look.fold(hash);
        place.fold(hash);
        transparency.floats().for_each(|float| hash.add(u64::from(float.to_bits())));
        lerpfinish.fold(hash);
        step.fold(hash);
        forcelink.fold(hash);
        seen.fold(hash);
        self.is_shown(clock).fold(hash);
    }
}

/// The bits that only protocols 666 and 999 have.
const EXTENDED: u32 = UpdateEntity::alpha
    | UpdateEntity::scale
    | UpdateEntity::frame_high
    | UpdateEntity::modelindex_high
    | UpdateEntity::lerpfinish;

/// A number with its high byte, if the update contains one.
#[inline]
fn with_high(number: u16, high: u8, given: bool) -> u16 {
    if given { number & 0xFF | u16::from(high) << 8 } else { number }
}
