//! Temporary entities: their number decides which fields they have, so it is their flag word.

use super::number::{line, take_part};
use crate::context::{Context, Question};
use crate::dm2::CHANGED;
use crate::names::{Meaning, quake, quake2, value};
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// Bits that stand for the fields of temporary entities in the tables.
///
/// ```
/// use moviola_format::{Flags, TempKind, te};
/// assert!(TempKind::new(5).unwrap().has(te::ENTITY | te::ORIGIN | te::END));
/// ```
pub mod te {
    /// `model` (Nehahra's lightning names it).
    pub const MODEL: u32 = 1;
    /// `dest_entity`, `entity`, `dest_origin`: lightning between two.
    pub const DEST: u32 = 1 << 1;
    /// `entity`.
    pub const ENTITY: u32 = 1 << 2;
    /// `count`, one byte.
    pub const COUNT: u32 = 1 << 3;
    /// `count` as 16 bits, and the six positions of the flame.
    pub const FLAME: u32 = 1 << 4;
    /// `origin`.
    pub const ORIGIN: u32 = 1 << 5;
    /// `trace_endpos`.
    pub const END: u32 = 1 << 6;
    /// `movedir`.
    pub const DIR: u32 = 1 << 7;
    /// `color` and `range`.
    pub const COLORS: u32 = 1 << 8;
    /// `rgb`.
    pub const RGB: u32 = 1 << 9;
    /// `style`.
    pub const STYLE: u32 = 1 << 10;
    /// `pos1`.
    pub const POS1: u32 = 1 << 11;
    /// `flash_entity`.
    pub const FLASH: u32 = 1 << 12;
    /// `plat2flags`.
    pub const STEAM: u32 = 1 << 13;
    /// `wait`.
    pub const WAIT: u32 = 1 << 14;
    /// `type`.
    pub const TYPE: u32 = 1 << 15;
    /// `style` is a kind of splash, not a color. All 16 bits are in use, so Quake II reuses the bit of a field that
    /// only Quake has.
    pub const SPLASH: u32 = COLORS;
    /// `damage`: points of damage that the player dealt (Q2PRO). Reuses the bit of a field that only Quake has.
    pub const DAMAGE: u32 = MODEL;
}
use te::{
    COLORS, COUNT, DAMAGE, DEST, DIR, END, ENTITY, FLAME, FLASH, MODEL, ORIGIN, POS1, RGB, SPLASH, STEAM,
    STYLE, TYPE, WAIT,
};

/// Declares the fields of each kind of temporary entity, and whether LMPC reads the kind as engines do. The
/// numbers of the kinds are only in the lists of names (`$names`).
macro_rules! kinds {
    ($module:ident of $names:path { $( $name:ident [$lmpc:ident]: $fields:expr, )* }) => {
        mod $module {
            use super::*;
            $( pub(super) const $name: u8 = value($names, stringify!($name)) as u8; )*

            /// The fields of a kind; `None` if there is no such kind.
            pub(super) const fn fields(kind: u8) -> Option<u32> {
                match kind { $( $name => Some($fields), )* _ => None }
            }

            /// Whether LMPC reads the kind as engines do.
            #[allow(dead_code, reason = "LMPC knows none of Q2PRO's kinds")]
            pub(super) const fn in_lmpc(kind: u8) -> bool {
                match kind { $( $name => $crate::answer::$lmpc, )* _ => false }
            }
        }
    };
}

/// An entity's bolt between two points.
const BOLT: u32 = ENTITY | ORIGIN | END;
/// A point, and the direction away from the surface that was hit.
const IMPACT: u32 = ORIGIN | DIR;
/// A line between two points.
const LINE: u32 = ORIGIN | END;

// The kinds from 14 on are Nehahra's.
kinds! { quake_kinds of quake::TEMP_ENTITY {
    TE_SPIKE [lmpc]: ORIGIN,
    TE_SUPERSPIKE [lmpc]: ORIGIN,
    TE_GUNSHOT [lmpc]: ORIGIN,
    TE_EXPLOSION [lmpc]: ORIGIN,
    TE_TAREXPLOSION [lmpc]: ORIGIN,
    TE_LIGHTNING1 [lmpc]: BOLT,
    TE_LIGHTNING2 [lmpc]: BOLT,
    TE_WIZSPIKE [lmpc]: ORIGIN,
    TE_KNIGHTSPIKE [lmpc]: ORIGIN,
    TE_LIGHTNING3 [lmpc]: BOLT,
    TE_LAVASPLASH [lmpc]: ORIGIN,
    TE_TELEPORT [lmpc]: ORIGIN,
    TE_EXPLOSION2 [lmpc]: ORIGIN | COLORS,
    TE_BEAM [lmpc]: BOLT,
    TE_IMPLOSION [no_lmpc]: ORIGIN,
    TE_RAILTRAIL [no_lmpc]: ORIGIN | END,
    TE_EXPLOSION3 [no_lmpc]: ORIGIN | RGB,
    TE_LIGHTNING4 [no_lmpc]: MODEL | BOLT,
} }

// LMPC refuses kind 31, which id's clients do not read either, and reads the color of kind 37 as 16 bits
// instead of a byte.
kinds! { quake2_kinds of quake2::TEMP_ENTITY {
    TE_GUNSHOT [lmpc]: IMPACT,
    TE_BLOOD [lmpc]: IMPACT,
    TE_BLASTER [lmpc]: IMPACT,
    TE_RAILTRAIL [lmpc]: LINE,
    TE_SHOTGUN [lmpc]: IMPACT,
    TE_EXPLOSION1 [lmpc]: ORIGIN,
    TE_EXPLOSION2 [lmpc]: ORIGIN,
    TE_ROCKET_EXPLOSION [lmpc]: ORIGIN,
    TE_GRENADE_EXPLOSION [lmpc]: ORIGIN,
    TE_SPARKS [lmpc]: IMPACT,
    TE_SPLASH [lmpc]: COUNT | IMPACT | STYLE | SPLASH,
    TE_BUBBLETRAIL [lmpc]: LINE,
    TE_SCREEN_SPARKS [lmpc]: IMPACT,
    TE_SHIELD_SPARKS [lmpc]: IMPACT,
    TE_BULLET_SPARKS [lmpc]: IMPACT,
    TE_LASER_SPARKS [lmpc]: COUNT | IMPACT | STYLE,
    TE_PARASITE_ATTACK [lmpc]: ENTITY | LINE,
    TE_ROCKET_EXPLOSION_WATER [lmpc]: ORIGIN,
    TE_GRENADE_EXPLOSION_WATER [lmpc]: ORIGIN,
    TE_MEDIC_CABLE_ATTACK [lmpc]: ENTITY | LINE,
    TE_BFG_EXPLOSION [lmpc]: ORIGIN,
    TE_BFG_BIGEXPLOSION [lmpc]: ORIGIN,
    TE_BOSSTPORT [lmpc]: ORIGIN,
    TE_BFG_LASER [lmpc]: LINE,
    TE_GRAPPLE_CABLE [lmpc]: ENTITY | LINE | POS1,
    TE_WELDING_SPARKS [lmpc]: COUNT | IMPACT | STYLE,
    TE_GREENBLOOD [lmpc]: IMPACT,
    TE_BLUEHYPERBLASTER [lmpc]: LINE,
    TE_PLASMA_EXPLOSION [lmpc]: ORIGIN,
    TE_TUNNEL_SPARKS [lmpc]: COUNT | IMPACT | STYLE,
    TE_BLASTER2 [lmpc]: IMPACT,
    TE_RAILTRAIL2 [no_lmpc]: LINE,
    TE_FLAME [lmpc]: ENTITY | FLAME | ORIGIN | POS1,
    TE_LIGHTNING [lmpc]: DEST | ENTITY | ORIGIN,
    TE_DEBUGTRAIL [lmpc]: LINE,
    TE_PLAIN_EXPLOSION [lmpc]: ORIGIN,
    TE_FLASHLIGHT [lmpc]: ORIGIN | FLASH,
    TE_FORCEWALL [no_lmpc]: LINE | STYLE,
    TE_HEATBEAM [lmpc]: ENTITY | LINE,
    TE_MONSTER_HEATBEAM [lmpc]: ENTITY | LINE,
    TE_STEAM [lmpc]: COUNT | IMPACT | STYLE | STEAM | WAIT,
    TE_BUBBLETRAIL2 [lmpc]: LINE,
    TE_MOREBLOOD [lmpc]: IMPACT,
    TE_HEATBEAM_SPARKS [lmpc]: IMPACT,
    TE_HEATBEAM_STEAM [lmpc]: IMPACT,
    TE_CHAINFIST_SMOKE [lmpc]: ORIGIN,
    TE_ELECTRIC_SPARKS [lmpc]: IMPACT,
    TE_TRACKER_EXPLOSION [lmpc]: ORIGIN,
    TE_TELEPORT_EFFECT [lmpc]: ORIGIN,
    TE_DBALL_GOAL [lmpc]: ORIGIN,
    TE_WIDOWBEAMOUT [lmpc]: TYPE | ORIGIN,
    TE_NUKEBLAST [lmpc]: ORIGIN,
    TE_WIDOWSPLASH [lmpc]: ORIGIN,
    TE_EXPLOSION1_BIG [lmpc]: ORIGIN,
    TE_EXPLOSION1_NP [lmpc]: ORIGIN,
    TE_FLECHETTE [lmpc]: IMPACT,
} }

// Before protocol 32 these numbers had other meanings.
kinds! { old_kinds of quake2::TEMP_ENTITY_OLD {
    TE_PLASMATRAIL [lmpc]: LINE,
    TE_GREENBLOOD [lmpc]: IMPACT,
} }

// The kinds that Q2PRO's extended limits add.
kinds! { q2pro_kinds of quake2::TEMP_ENTITY_Q2PRO {
    TE_BLUEHYPERBLASTER_2 [no_lmpc]: IMPACT,
    TE_BFG_ZAP [no_lmpc]: LINE,
    TE_BERSERK_SLAM [no_lmpc]: IMPACT,
    TE_GRAPPLE_CABLE_2 [no_lmpc]: ENTITY | LINE,
    TE_POWER_SPLASH [no_lmpc]: ENTITY | COUNT,
    TE_LIGHTNING_BEAM [no_lmpc]: ENTITY | LINE,
    TE_EXPLOSION1_NL [no_lmpc]: ORIGIN,
    TE_EXPLOSION2_NL [no_lmpc]: ORIGIN,
    TE_DAMAGE_DEALT [no_lmpc]: DAMAGE,
} }

const KIND: ValuePart = ValuePart::new("entitytype", "The kind of the temporary entity.");

/// The number of one of Quake's temporary entities.
///
/// ```
/// use moviola_format::{TempKind, names};
/// let explosion = TempKind::new(3).unwrap();
/// assert_eq!(names::value_name(names::quake::TEMP_ENTITY, explosion.number().into()), Some("TE_EXPLOSION"));
/// assert_eq!(TempKind::new(99), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TempKind {
    kind: u8,
    fields: u16,
}

impl TempKind {
    const KIND: ValuePart = ValuePart { meaning: Meaning::Value(quake::TEMP_ENTITY), ..KIND };

    /// The temporary entity of this number, if there is one.
    pub const fn new(kind: u8) -> Option<Self> {
        match quake_kinds::fields(kind) {
            Some(fields) => Some(Self { kind, fields: fields as u16 }),
            None => None,
        }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.kind
    }
}

impl<'a> Scalar<'a> for TempKind {
    const PARTS: &'static [ValuePart] = &[Self::KIND];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let kind = reader.byte()?;
        Self::new(kind).ok_or_else(|| reader.stop(FaultKind::UnknownTempEntity(kind)))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.kind);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::KIND, self.kind);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let kind: u8 = take_part(from, &Self::KIND)?;
        Self::new(kind).ok_or_else(|| from.refuse("no temporary entity of Quake has this number"))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        quake_kinds::in_lmpc(self.kind)
    }
}

impl Flags<'_> for TempKind {
    const DERIVED: bool = false;
    #[inline(always)]
    fn bits(&self) -> u32 {
        u32::from(self.fields)
    }
    fn canonical(_: u32, _: &Context) -> Self {
        Self::default()
    }
    fn exactly(_: u32, _: &Context) -> Self {
        Self::default()
    }
}

/// The number of one of Quake II's temporary entities.
///
/// ```
/// use moviola_format::{Flags, TempKind2, te};
/// let steam = TempKind2::new(40, -1, 34).unwrap();
/// assert_eq!((steam.number(), steam.nextid()), (40, -1));
/// assert!(!steam.was_another());
/// assert!(!steam.has(te::WAIT));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TempKind2 {
    kind: u8,
    nextid: i16,
    fields: u16,
}

impl TempKind2 {
    const KIND: ValuePart = ValuePart { meaning: Meaning::Value(quake2::TEMP_ENTITY), ..KIND };
    const KIND_OLD: ValuePart = ValuePart { meaning: Meaning::Value(quake2::TEMP_ENTITY_OLD), ..KIND };
    const KIND_Q2PRO: ValuePart = ValuePart { meaning: Meaning::Value(quake2::TEMP_ENTITY_Q2PRO), ..KIND };
    const NEXTID: ValuePart = ValuePart::new("nextid", "The number of the steam; -1 is a short one.");
    const DIR: &'static str = "movedir";
    const END: &'static str = "trace_endpos";

    /// The temporary entity of this number in this protocol; `nextid` counts for steam only.
    pub const fn new(kind: u8, nextid: i16, protocol: i32) -> Option<Self> {
        let fields = match old_kinds::fields(kind) {
            Some(fields) if protocol < CHANGED => fields,
            _ => match quake2_kinds::fields(kind) {
                Some(fields) => fields,
                None => return None,
            },
        };
        // Steam with the id -1 is momentary, so it has no duration.
        let fields = if nextid == -1 { fields & !WAIT } else { fields };
        Some(Self { kind, nextid, fields: fields as u16 })
    }

    /// The temporary entity of this number in a recording with Q2PRO's extended limits.
    ///
    /// ```
    /// use moviola_format::{Flags, TempKind2, te};
    /// assert!(TempKind2::of_q2pro(128, 0).is_some_and(|kind| kind.has(te::DAMAGE)));
    /// assert_eq!(TempKind2::new(128, 0, 34), None);
    /// ```
    pub const fn of_q2pro(kind: u8, nextid: i16) -> Option<Self> {
        match q2pro_kinds::fields(kind) {
            Some(fields) => Some(Self { kind, nextid, fields: fields as u16 }),
            // Q2PRO has no flame.
            None if kind == quake2_kinds::TE_FLAME => None,
            None => Self::new(kind, nextid, CHANGED),
        }
    }

    const fn of(kind: u8, nextid: i16, context: &Context, protocol: i32) -> Option<Self> {
        if context.limits.is_extended() {
            Self::of_q2pro(kind, nextid)
        } else {
            Self::new(kind, nextid, protocol)
        }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.kind
    }

    /// Whether its number stood for something else before protocol 32.
    pub const fn was_another(self) -> bool {
        old_kinds::fields(self.kind).is_some()
    }

    /// This kind under the number that it has since protocol 32.
    ///
    /// ```
    /// use moviola_format::TempKind2;
    /// let old = TempKind2::new(26, 0, 31).unwrap();
    /// assert_eq!((old.today().number(), old.today().today().number()), (27, 27));
    /// ```
    #[must_use]
    pub const fn today(self) -> Self {
        let is_line = self.fields as u32 & END != 0;
        let kind = match (self.kind, is_line) {
            (old_kinds::TE_PLASMATRAIL, true) => quake2_kinds::TE_BLUEHYPERBLASTER,
            (old_kinds::TE_GREENBLOOD, false) => quake2_kinds::TE_GREENBLOOD,
            (kind, _) => kind,
        };
        Self { kind, ..self }
    }

    /// The number of the steam effect.
    pub const fn nextid(self) -> i16 {
        self.nextid
    }
}

impl<'a> Scalar<'a> for TempKind2 {
    const PARTS: &'static [ValuePart] = &[Self::KIND, Self::NEXTID];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let kind = reader.byte()?;
        let nextid = if kind == quake2_kinds::TE_STEAM { i16::read(reader)? } else { 0 };
        let protocol = reader.context().quake2_protocol();
        let it = Self::of(kind, nextid, reader.context(), protocol);
        let it = it.ok_or_else(|| reader.stop(FaultKind::UnknownTempEntity(kind)))?;
        if it.was_another() && reader.context().is_layout_open() {
            return Err(reader.stop(FaultKind::Undecided(Question::Layout)));
        }
        Ok(it)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.kind);
        if self.kind == quake2_kinds::TE_STEAM {
            self.nextid.write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        // The fields show which meaning the number has, since two meanings were swapped.
        let fields = Some(u32::from(self.fields));
        let old = self.was_another() && fields == old_kinds::fields(self.kind);
        let part = match (old, q2pro_kinds::fields(self.kind)) {
            (true, _) => &Self::KIND_OLD,
            (false, Some(_)) => &Self::KIND_Q2PRO,
            (false, None) => &Self::KIND,
        };
        line(out, part, self.kind);
        if self.kind == quake2_kinds::TE_STEAM {
            line(out, &Self::NEXTID, self.nextid);
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let kind: u8 = take_part(from, &Self::KIND)?;
        let nextid = if kind == quake2_kinds::TE_STEAM { take_part(from, &Self::NEXTID)? } else { 0 };
        let mut protocol = from.context().quake2_protocol();
        // In a text without a serverdata, the fields show which of the two meanings is meant.
        let (dir, end) = (from.has(Self::DIR), from.has(Self::END));
        if dir != end {
            let has = if dir { DIR } else { END };
            protocol = match old_kinds::fields(kind) {
                Some(fields) if fields & has != 0 => 0,
                Some(_) => CHANGED,
                None => protocol,
            };
        }
        Self::of(kind, nextid, from.context(), protocol)
            .ok_or_else(|| from.refuse("no temporary entity of Quake II has this number"))
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        if self.was_another() { old_kinds::in_lmpc(self.kind) } else { quake2_kinds::in_lmpc(self.kind) }
    }
}

impl Flags<'_> for TempKind2 {
    const DERIVED: bool = false;
    #[inline(always)]
    fn bits(&self) -> u32 {
        u32::from(self.fields)
    }
    fn canonical(_: u32, _: &Context) -> Self {
        Self::default()
    }
    fn exactly(_: u32, _: &Context) -> Self {
        Self::default()
    }
}

/// The number of particles: a byte, and for the flame 16 bits.
///
/// ```
/// use moviola_format::dm2::TempEntity;
/// assert_eq!(TempEntity::default().count.0, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TempCount(pub i16);

impl<'a> Scalar<'a> for TempCount {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if reader.flags() & FLAME != 0 {
            return i16::read(reader).map(Self);
        }
        reader.byte().map(|count| Self(i16::from(count)))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if writer.flags() & FLAME != 0 { self.0.write(writer) } else { writer.byte(self.0 as u8) }
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.0));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let [min, max] = if from.wants(FLAME) { [-0x8000, 0x7FFF] } else { [0, 0xFF] };
        from.int(min, max).map(|count| Self(count as i16))
    }
}

/// The kind of splash, or a color: a byte.
///
/// LMPC took a wall of particles' color for 16 bits, and so swallowed the next byte. Its texts have both
/// bytes in one number, which is recognized because it exceeds a byte, and is written as both bytes.
///
/// ```
/// use moviola_format::dm2::TempEntity;
/// assert_eq!(TempEntity::default().style.byte, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TempStyle {
    /// The style or color.
    pub byte: u8,
    /// Whether it is a style of splash.
    splash: bool,
    swallowed: Option<u8>,
}

impl TempStyle {
    /// A style of splash, or a color.
    pub(crate) const fn of(byte: u8, splash: bool) -> Self {
        Self { byte, splash, swallowed: None }
    }
}

impl<'a> Scalar<'a> for TempStyle {
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let splash = reader.flags() & SPLASH != 0;
        reader.byte().map(|byte| Self { byte, splash, swallowed: None })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.byte);
        if let Some(next) = self.swallowed {
            writer.byte(next);
        }
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        out.line(field.name, if self.splash { Meaning::Value(quake2::SPLASH) } else { Meaning::Palette });
        self.put(out);
        out.end();
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        let next = self.swallowed.unwrap_or_default();
        out.int(i64::from(u16::from_le_bytes([self.byte, next])));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        if !from.wants(END | STYLE) {
            let splash = from.wants(SPLASH);
            return from.int(0, 0xFF).map(|byte| Self { byte: byte as u8, splash, swallowed: None });
        }
        let style = from.int(-0x8000, 0xFFFF)?;
        let [byte, next] = (style as u16).to_le_bytes();
        let spills = !(0..=0xFF).contains(&style);
        if spills {
            from.spills(byte, next)?;
        }
        let both = from.wraps_values() || spills;
        Ok(Self { byte, splash: false, swallowed: both.then_some(next) })
    }
}
