//! The data beside a block's bytes that its reading depends on: the protocol, and the habits of the engine
//! that sent it.
//!
//! Some rules cannot be seen on the wire. They are stored here as visible decisions, which are taken by
//! evidence (the version print) or, while a [`Question`] is open, by reading the rest of the block both ways.

use crate::game::Game;
use crate::kinds::{FrameHead, FrameShape};
use crate::names::{quake, quake2, quakeworld, value_name};
use crate::rules::spoken;
use std::fmt;

/// Families of protocols that share messages: the `in …` of a table's row.
pub mod family {
    /// FitzQuake 666, its cousin 668, and RMQ 999.
    pub const FITZ: u16 = 1;
    /// Nehahra, whether it announces 250, a BJP number or 15.
    pub const NEHAHRA: u16 = 2;
    /// The messages that the re-release's game code sends to any Quake engine.
    pub const RERELEASE: u16 = 4;
    /// The QuakeWorld messages that only MVDs have.
    pub const MVD: u16 = 8;
    /// Downloads in chunks, an extension of QuakeWorld.
    pub const CHUNKS: u16 = 16;
    /// `DarkPlaces`, also where it adds to protocol 15.
    pub const DARKPLACES: u16 = 32;
    /// `DarkPlaces` 5 to 8.
    pub const NEW_DARKPLACES: u16 = 128;
    /// FTE's extensions of Quake's protocols.
    pub const FTE: u16 = 256;
    /// FTE's entities, which replace Quake's updates.
    pub const REPLACEMENT: u16 = 512;
    /// Q2PRO's recordings with extended limits.
    pub const Q2PRO: u16 = 1024;
    /// The messages of `DarkPlaces` that FTE has too.
    pub(crate) const DARKPLACES_OR_FTE: u16 = DARKPLACES | FTE;
    /// The protocols that hide pictures.
    pub(crate) const NEHAHRA_OR_DARKPLACES: u16 = NEHAHRA | DARKPLACES;
    /// The protocols with a sky message.
    pub(crate) const SKIES: u16 = FITZ | NEHAHRA | DARKPLACES;
}

/// The extensions that a `serverdata` of QuakeWorld announces before its protocol, as flags.
///
/// ```
/// use moviola_format::{Context, Extensions};
/// assert_eq!(Context::of(moviola_format::Game::QuakeWorld).extensions, Extensions::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extensions {
    /// FTE's, announced as `FTEX`.
    pub fte: u32,
    /// FTE's second word, announced as `FTE2`.
    pub fte2: u32,
    /// MVDSV's, announced as `MVD1`.
    pub mvd1: u32,
}

/// The dialects of `DarkPlaces`, in their order in time. The form of the entities in its first four protocols depends
/// on earlier frames, so these are kept raw.
///
/// ```
/// use moviola_format::{Context, DarkPlaces};
/// let mut context = Context::quake();
/// context.set_quake_protocol(3504, 0);
/// assert_eq!(context.darkplaces, DarkPlaces::Seven);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DarkPlaces {
    /// Another engine's protocol.
    #[default]
    No,
    /// Protocol 15 with additions that are not announced.
    Quake,
    /// Protocol 3502.
    Five,
    /// Protocol 3503.
    Six,
    /// Protocol 3504.
    Seven,
    /// Protocol 3505.
    Eight,
}

/// The limits of a level of Quake II, which decide the widths of its messages: those of id, or those of Q2PRO, whose
/// recordings have a protocol for each of its three forms.
///
/// ```
/// use moviola_format::{Context, Q2proLimits};
/// let mut context = Context::quake2();
/// context.set_quake2_protocol(3435, 1);
/// assert_eq!(context.limits, Q2proLimits::Second);
/// assert!(context.limits.is_extended() && context.limits.has_wide_coords());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Q2proLimits {
    /// id's limits.
    #[default]
    Id,
    /// Protocol 3434: more models and sounds, and entities with an opacity and a scale.
    First,
    /// Protocol 3435: also larger levels, and 64 stats.
    Second,
    /// Protocol 3436: also fog.
    Fog,
}

impl Q2proLimits {
    /// The limits of a protocol.
    pub const fn of_protocol(protocol: i32) -> Self {
        match protocol {
            3434 => Self::First,
            3435 => Self::Second,
            3436 => Self::Fog,
            _ => Self::Id,
        }
    }

    /// The protocol of recordings with these limits; 34 for those of id, which older ones have too.
    ///
    /// ```
    /// use moviola_format::Q2proLimits;
    /// assert_eq!(Q2proLimits::of_protocol(Q2proLimits::Fog.protocol()), Q2proLimits::Fog);
    /// ```
    pub const fn protocol(self) -> i32 {
        match self {
            Self::Id => crate::dm2::NEWEST,
            Self::First => 3434,
            Self::Second => 3435,
            Self::Fog => 3436,
        }
    }

    /// Whether these are limits of Q2PRO, not of id.
    #[inline]
    pub const fn is_extended(self) -> bool {
        !matches!(self, Self::Id)
    }

    /// Whether coordinates have up to 23 bits.
    #[inline]
    pub const fn has_wide_coords(self) -> bool {
        matches!(self, Self::Second | Self::Fog)
    }

    /// The number under id's limits of the config string that has this number under these limits; `None` if id has no room
    /// for it.
    ///
    /// ```
    /// use moviola_format::Q2proLimits;
    /// // The file of the level.
    /// assert_eq!([Q2proLimits::Id, Q2proLimits::Fog].map(|limits| limits.id_config(63)), [Some(63), Some(33)]);
    /// ```
    pub fn id_config(self, index: i16) -> Option<i16> {
        if self.is_extended() {
            i16::try_from(quake2::id_config(u16::try_from(index).ok()?)?).ok()
        } else {
            Some(index)
        }
    }
}

/// The encoding of a coordinate.
///
/// ```
/// use moviola_format::{Context, CoordKind};
/// assert_eq!(Context::quake().coord, CoordKind::Short);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CoordKind {
    /// 16 bits in eighths.
    #[default]
    Short,
    /// 16 bits of whole units and a byte of 255ths (protocol 999); raw, the units are multiplied by 256.
    Mixed,
    /// 32 bits in sixteenths (protocol 999).
    Long,
    /// A float (protocol 999, Nehahra on DarkPlaces, DarkPlaces 5 to 8).
    Float,
}

/// The encoding of an angle.
///
/// ```
/// use moviola_format::{AngleKind, Context};
/// let mut context = Context::quake();
/// context.set_quake_protocol(999, 0x02);
/// assert_eq!(context.angle, AngleKind::Short);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AngleKind {
    /// 8 bits.
    #[default]
    Byte,
    /// 16 bits (protocol 668 for entities, 999).
    Short,
    /// A float (protocol 999).
    Float,
}

/// Whether a player's items are in `clientdata` even when their bit is clear.
///
/// ```
/// use moviola_format::{Context, ItemsRule};
/// let mut context = Context::quake();
/// assert_eq!(context.items, ItemsRule::Unknown);
/// context.set_quake_protocol(666, 0);
/// assert_eq!(context.items, ItemsRule::Always);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ItemsRule {
    /// No block has shown it yet. A version print says which is likelier; it may be from another recording.
    #[default]
    Unknown,
    /// The items are always sent: Quake 1.07 and later.
    Always,
    /// The items are sent if the bit is set: before 1.07.
    ByBit,
    /// This block is read as if they were always there, but could be read otherwise; the next block decides
    /// anew.
    Likely,
    /// This block is read as if the bit decided, but could be read otherwise; the next block decides anew.
    LikelyByBit,
}

/// An answer that may still be open.
///
/// ```
/// use moviola_format::{Answer, Context};
/// let mut context = Context::quake();
/// assert_eq!(context.nehahra, Answer::Open);
/// context.set_quake_protocol(250, 0);
/// assert_eq!(context.nehahra, Answer::Yes);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Not decided yet.
    #[default]
    Open,
    /// Decided: yes.
    Yes,
    /// Decided: no.
    No,
}

/// The layout of Quake II's messages, which changed with protocol 32.
///
/// ```
/// use moviola_format::Era;
/// assert_eq!(Era::Old.surely(), Era::SurelyOld);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Era {
    /// Not decided yet.
    #[default]
    Open,
    /// This block fits protocol 32 and later; the next block decides anew.
    New,
    /// This block fits the protocols before 32; the next block decides anew.
    Old,
    /// A block fitted only protocol 32 and later.
    SurelyNew,
    /// A block fitted only the protocols before 32.
    SurelyOld,
}

impl Era {
    /// The same layout, decided for all later blocks too.
    #[must_use]
    pub const fn surely(self) -> Self {
        match self {
            Self::New => Self::SurelyNew,
            Self::Old => Self::SurelyOld,
            other => other,
        }
    }
}

/// A question about the encoding that the bytes alone do not decide.
///
/// ```
/// use moviola_format::Question;
/// assert_eq!(Question::Weapon.to_string(), "whether the weapon byte was left out");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// Whether items follow although their bit is clear.
    Items,
    /// Whether protocol 15 has Nehahra's additions, or `DarkPlaces`'.
    Nehahra,
    /// Whether a mission pack left out the weapon byte.
    Weapon,
    /// Whether protocol 10002 sends a static sound's number as 16 bits.
    StaticSound,
    /// The form of the head of a Quake II frame.
    Frame,
    /// Whether Quake II without a serverdata has the layout since protocol 32.
    Layout,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Items => "whether the items follow although their bit is clear",
            Self::Nehahra => "whether this is Nehahra's dialect or DarkPlaces'",
            Self::Weapon => "whether the weapon byte was left out",
            Self::StaticSound => "whether a static sound's number has 16 bits",
            Self::Frame => "which form this frame has",
            Self::Layout => "whether this is laid out as before protocol 32",
        })
    }
}

/// The contexts of most blocks, for each of which reading is compiled separately.
///
/// ```
/// use moviola_format::{Context, Habit};
/// let mut context = Context::quake();
/// assert_eq!(context.habit(), Habit::Quake);
/// context.set_quake_protocol(666, 0);
/// assert_eq!(context.habit(), Habit::Fitz);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Habit {
    /// [`Context::quake`].
    Quake,
    /// `FitzQuake`'s protocol 666.
    Fitz,
    /// All other contexts.
    Other,
}

/// The protocol and the habits under which a block is read and written.
///
/// ```
/// use moviola_format::{Context, CoordKind};
/// let mut context = Context::quake();
/// context.set_quake_protocol(999, 0x80);
/// assert_eq!(context.coord, CoordKind::Long);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of a protocol, and they come in many mixes"
)]
pub struct Context {
    /// The game.
    pub game: Game,
    /// The protocol's number; 0 before the first one.
    pub protocol: i32,
    /// The flags that protocol 999 adds.
    pub protocol_flags: u32,
    /// The encoding of coordinates.
    pub coord: CoordKind,
    /// The encoding of angles.
    pub angle: AngleKind,
    /// The encoding of angles in entity updates.
    pub entity_angle: AngleKind,
    /// Whether flag words have the extension bytes of 666 and 999.
    pub extended: bool,
    /// Whether model numbers have 16 bits (the BJP protocols).
    pub wide_models: bool,
    /// Whether sound numbers have 16 bits (10001 and 10002).
    pub wide_sounds: bool,
    /// Whether static sounds' numbers have 16 bits (10001; 10002 is open).
    pub wide_static_sounds: Answer,
    /// Whether the protocol has Nehahra's additions.
    pub nehahra: Answer,
    /// The dialect of `DarkPlaces`.
    pub darkplaces: DarkPlaces,
    /// The rule by which items are sent.
    pub items: ItemsRule,
    /// The habit of setting the items bit; a text notes it if a recording does not have it.
    pub items_bit: bool,
    /// Whether the level is a mission pack's, so that the weapon byte may be missing.
    pub mission_pack: bool,
    /// Whether the next weapon byte is sent, once a mission pack raised that question.
    pub weapon_byte: Answer,
    /// Whether messages of this protocol are kept raw.
    pub raw: bool,
    /// Whether FTE's extensions of the protocol were announced.
    pub fte: bool,
    /// The server's version from its print, times 100; 0 before the print.
    pub server_version: u16,
    /// Quake II: the kind of recording, from its serverdata.
    pub isdemo: u8,
    /// Quake II: the form of the last frame's head.
    pub frames: Option<FrameShape>,
    /// Quake II: the form of the next frame's head, once that was a question.
    pub frame: Option<FrameShape>,
    /// Quake II: the layout of messages, if no serverdata gives the protocol.
    pub layout: Era,
    /// QuakeWorld, and FTE's form of Quake's protocols: the extensions that were announced.
    pub extensions: Extensions,
    /// QuakeWorld: how the coordinates of the origins of players and entities are encoded.
    pub entity_coord: CoordKind,
    /// QuakeWorld and Quake II: whether the current block belongs to an MVD or an MVD2.
    pub mvd: bool,
    /// Quake II: the limits that decide the widths of numbers.
    pub limits: Q2proLimits,
}

impl Context {
    /// The context before the first message of a Quake recording: protocol 15, nothing decided.
    pub const fn quake() -> Self {
        Self {
            game: Game::Quake,
            protocol: 0,
            protocol_flags: 0,
            coord: CoordKind::Short,
            angle: AngleKind::Byte,
            entity_angle: AngleKind::Byte,
            extended: false,
            wide_models: false,
            wide_sounds: false,
            wide_static_sounds: Answer::No,
            nehahra: Answer::Open,
            darkplaces: DarkPlaces::No,
            items: ItemsRule::Unknown,
            items_bit: true,
            mission_pack: false,
            weapon_byte: Answer::Open,
            raw: false,
            fte: false,
            server_version: 0,
            isdemo: 0,
            frames: None,
            frame: None,
            layout: Era::Open,
            extensions: Extensions { fte: 0, fte2: 0, mvd1: 0 },
            entity_coord: CoordKind::Short,
            mvd: false,
            limits: Q2proLimits::Id,
        }
    }

    /// The context of FitzQuake's 666 after a `serverinfo`.
    pub(crate) const fn fitz() -> Self {
        Self { extended: true, nehahra: Answer::No, items: ItemsRule::Always, ..Self::quake() }
    }

    /// The well-known context that this one equals, except for values that matter only in rare messages: at
    /// such a message a reader stops and starts again under the real context.
    pub fn habit(&self) -> Habit {
        if self.game != Game::Quake {
            return Habit::Other;
        }
        let plain = Self {
            protocol: 0,
            protocol_flags: 0,
            server_version: 0,
            items: ItemsRule::Unknown,
            items_bit: true,
            weapon_byte: Answer::Open,
            nehahra: Answer::Open,
            extended: false,
            ..*self
        };
        match (plain == Self::quake(), self.extended, self.nehahra) {
            (true, false, Answer::Open | Answer::No) => Habit::Quake,
            (true, true, Answer::No) if self.items == ItemsRule::Always => Habit::Fitz,
            _ => Habit::Other,
        }
    }

    /// The context before the first message of a Quake II recording: protocol 34.
    pub const fn quake2() -> Self {
        Self { game: Game::Quake2, ..Self::quake() }
    }

    /// The context before the first message of a QuakeWorld recording: protocol 28 without extensions.
    pub const fn quakeworld() -> Self {
        Self { game: Game::QuakeWorld, ..Self::quake() }
    }

    /// The context before the first message of a recording of `game`.
    ///
    /// ```
    /// use moviola_format::{Context, Game};
    /// assert_eq!(Context::of(Game::Quake2), Context::quake2());
    /// ```
    pub const fn of(game: Game) -> Self {
        match game {
            Game::Quake => Self::quake(),
            Game::Quake2 => Self::quake2(),
            Game::QuakeWorld => Self::quakeworld(),
        }
    }

    /// Whether the protocol has messages of one of these families.
    ///
    /// ```
    /// use moviola_format::{Context, family};
    /// let mut context = Context::quake();
    /// assert!(!context.has_family(family::FITZ));
    /// context.set_quake_protocol(666, 0);
    /// assert!(context.has_family(family::FITZ));
    /// ```
    #[inline]
    pub fn has_family(&self, families: u16) -> bool {
        families & family::FITZ != 0 && self.extended
            || families & family::NEHAHRA != 0 && self.nehahra == Answer::Yes
            || families & family::MVD != 0 && self.mvd
            || families & family::CHUNKS != 0 && self.sends_chunks()
            || families & family::DARKPLACES != 0 && self.darkplaces != DarkPlaces::No
            || families & family::NEW_DARKPLACES != 0 && self.darkplaces >= DarkPlaces::Five
            || families & (family::FTE | family::FITZ) != 0 && self.fte && !self.raw
            || families & family::REPLACEMENT != 0 && self.replaces_updates()
            || families & family::Q2PRO != 0 && self.limits.is_extended()
            || families & family::RERELEASE != 0
                && self.game == Game::Quake
                && matches!(self.protocol, 0 | spoken::NETQUAKE | spoken::FITZ | spoken::RMQ)
    }

    /// Whether only the game's own code in the client knows the form of this message.
    pub(crate) fn is_game_code(&self, op: u8) -> bool {
        const ENTITIES: u8 = 58;
        const PACKET: u8 = 83;
        op == ENTITIES && (self.darkplaces != DarkPlaces::No || self.fte) || op == PACKET && self.fte
    }

    /// The open question whose answer may explain an unknown id.
    pub(crate) fn question_about(&self, op: u8) -> Option<Question> {
        let added = crate::dem::adds(op, family::NEHAHRA);
        (self.game == Game::Quake && !self.extended && added && self.nehahra == Answer::Open)
            .then_some(Question::Nehahra)
    }

    /// Whether a new protocol number is plausible. A damaged byte may look like a new level; its protocol is
    /// then usually a number that nothing uses. Before the first level any number is accepted, since nothing
    /// can be lost.
    pub(crate) fn is_credible_protocol(&self, protocol: i32, known: &[(i64, &'static str)]) -> bool {
        self.protocol == 0 || value_name(known, i64::from(protocol)).is_some()
    }

    /// The ways to answer a question, the likeliest first.
    pub(crate) fn answers(&self, question: Question) -> Vec<Self> {
        let it = *self;
        match question {
            Question::Items => {
                let mut rules = [ItemsRule::Always, ItemsRule::ByBit];
                if matches!(self.server_version, 1..107) {
                    rules.reverse();
                }
                rules.map(|items| Self { items, ..it }).to_vec()
            }
            Question::Nehahra => [Answer::Yes, Answer::No].map(|nehahra| Self { nehahra, ..it }).to_vec(),
            Question::Weapon => {
                [Answer::Yes, Answer::No].map(|weapon_byte| Self { weapon_byte, ..it }).to_vec()
            }
            Question::StaticSound => {
                [Answer::No, Answer::Yes].map(|wide_static_sounds| Self { wide_static_sounds, ..it }).to_vec()
            }
            Question::Frame => {
                FrameHead::shapes(self).map(|shape| Self { frame: Some(shape), ..it }).collect()
            }
            Question::Layout => [Era::New, Era::Old].map(|layout| Self { layout, ..it }).to_vec(),
        }
    }

    /// This answer, but marked as a guess, so that it is valid for this block only.
    pub(crate) fn for_this_block(self) -> Self {
        let items = match self.items {
            ItemsRule::Always => ItemsRule::Likely,
            ItemsRule::ByBit => ItemsRule::LikelyByBit,
            other => other,
        };
        Self { items, ..self }
    }

    /// The context at the start of a new block.
    #[inline]
    pub(crate) fn next_block(mut self) -> Self {
        if matches!(self.items, ItemsRule::Likely | ItemsRule::LikelyByBit) {
            self.items = ItemsRule::Unknown;
        }
        self
    }

    /// The name of the protocol, if it has one.
    ///
    /// ```
    /// use moviola_format::Context;
    /// let mut context = Context::quake();
    /// context.set_quake_protocol(666, 0);
    /// assert_eq!(context.protocol_name(), Some("FitzQuake"));
    /// // Only the re-release's own recordings of this protocol are kept raw.
    /// let own = Context { raw: true, ..context };
    /// assert_eq!((own.is_rerelease(), own.protocol_name()), (true, Some("KEX")));
    /// ```
    pub fn protocol_name(&self) -> Option<&'static str> {
        let table = match self.game {
            Game::Quake if self.fte => return Some("FTE extensions"),
            Game::Quake if self.protocol == spoken::NETQUAKE && self.darkplaces == DarkPlaces::Quake => {
                return Some("NetQuake with DarkPlaces' additions");
            }
            Game::Quake if self.is_rerelease() => return Some("KEX"),
            Game::Quake => quake::PROTOCOL,
            Game::Quake2 => quake2::PROTOCOL,
            Game::QuakeWorld => quakeworld::PROTOCOL,
        };
        value_name(table, i64::from(self.protocol))
    }
}
