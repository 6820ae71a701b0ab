//! QuakeWorld's protocols: how a `serverdata` sets the form of the messages that follow.

use crate::context::{AngleKind, Context, CoordKind, Extensions};
use crate::game::Game;
use crate::names::quakeworld::{FTE, FTE2, MVD1};
use crate::names::{bit, quakeworld};

/// The first protocol whose `serverdata` ends with ten physics values.
pub(crate) const MOVEVARS: i32 = 25;
/// The first protocol with lists of models and sounds in parts.
pub(crate) const PARTS: i32 = 26;
/// The first protocol whose commands have speeds of 16 bits.
pub(crate) const LONG_COMMANDS: i32 = 27;
/// The newest protocol, and the default of recordings without a `serverdata`.
pub(crate) const NEWEST: i32 = 28;

/// The extensions that change the form of messages, as masks.
impl Extensions {
    pub(crate) const TRANS: u32 = bit(FTE, "TRANS") as u32;
    pub(crate) const SCALE: u32 = bit(FTE, "SCALE") as u32;
    pub(crate) const FATNESS: u32 = bit(FTE, "FATNESS") as u32;
    pub(crate) const HULLSIZE: u32 = bit(FTE, "HULLSIZE") as u32;
    pub(crate) const MODELDBL: u32 = bit(FTE, "MODELDBL") as u32;
    pub(crate) const ENTITYDBL: u32 = bit(FTE, "ENTITYDBL") as u32;
    pub(crate) const ENTITYDBL2: u32 = bit(FTE, "ENTITYDBL2") as u32;
    const FLOATCOORDS: u32 = bit(FTE, "FLOATCOORDS") as u32;
    pub(crate) const COLOURMOD: u32 = bit(FTE, "COLOURMOD") as u32;
    const SPLITSCREEN: u32 = bit(FTE, "SPLITSCREEN") as u32;
    pub(crate) const HEXEN2: u32 = bit(FTE, "HEXEN2") as u32;
    pub(crate) const SETATTACHMENT: u32 = bit(FTE, "SETATTACHMENT") as u32;
    const CHUNKEDDOWNLOADS: u32 = bit(FTE, "CHUNKEDDOWNLOADS") as u32;
    pub(crate) const DPFLAGS: u32 = bit(FTE, "DPFLAGS") as u32;
    const MAXPLAYERS: u32 = bit(FTE2, "MAXPLAYERS") as u32;
    pub(crate) const REPLACEMENTDELTAS: u32 = bit(FTE2, "REPLACEMENTDELTAS") as u32;
    pub(crate) const PREDINFO: u32 = bit(FTE2, "PREDINFO") as u32;
    pub(crate) const NEWSIZEENCODING: u32 = bit(FTE2, "NEWSIZEENCODING") as u32;
    /// FTE's extensions of Quake's protocols: game code in the client, and hints at kinds of levels.
    const QUAKE_FTE: u32 =
        (bit(FTE, "CSQC") | bit(FTE, "HLBSP") | bit(FTE, "Q2BSP") | bit(FTE, "Q3BSP")) as u32;
    const FLOAT_ORIGINS: u32 = bit(MVD1, "FLOATCOORDS") as u32;
    const HIGHLAGTELEPORT: u32 = bit(MVD1, "HIGHLAGTELEPORT") as u32;
    pub(crate) const WEAPONPREDICTION: u32 = bit(MVD1, "WEAPONPREDICTION") as u32;

    /// The extensions of FTE that give entities more than one byte of further flags.
    const LONGER_DELTAS: u32 = Self::SCALE
        | Self::TRANS
        | Self::FATNESS
        | Self::HEXEN2
        | Self::COLOURMOD
        | Self::DPFLAGS
        | Self::MODELDBL
        | Self::ENTITYDBL
        | Self::ENTITYDBL2;

    /// Whether entities may have more than one byte of further flags.
    #[inline(always)]
    pub(crate) fn has_longer_deltas(&self) -> bool {
        self.fte & Self::LONGER_DELTAS != 0
    }

    /// The bits of the first extension word that cannot be read in this game.
    pub(crate) fn unread_in(&self, game: Game) -> Option<u32> {
        if game != Game::Quake {
            return self.unread();
        }
        let unnamed = crate::names::unnamed_bits(FTE2, u64::from(self.fte2)) as u32;
        [self.fte & !Self::QUAKE_FTE, unnamed, self.mvd1].into_iter().find(|word| *word != 0)
    }

    /// The extensions that change the `serverdata` itself, so that no message after it can be read.
    pub(crate) fn unread(&self) -> Option<u32> {
        let words = [self.fte & Self::SPLITSCREEN, self.fte2 & Self::MAXPLAYERS];
        words.into_iter().find(|word| *word != 0)
    }

    /// The bits of the first extension word that has bits without a name. Most extensions change few messages, so
    /// messages are read as if no such bit was announced, until one cannot be read.
    ///
    /// ```
    /// use moviola_format::Extensions;
    /// assert_eq!(Extensions { mvd1: 0x1020, ..Extensions::default() }.unnamed(), Some(0x1000));
    /// ```
    pub fn unnamed(&self) -> Option<u32> {
        let unnamed = |table, word: u32| crate::names::unnamed_bits(table, u64::from(word)) as u32;
        let words = [unnamed(FTE, self.fte), unnamed(FTE2, self.fte2), unnamed(MVD1, self.mvd1)];
        words.into_iter().find(|word| *word != 0)
    }
}

impl Context {
    /// Applies the protocol and extensions of a QuakeWorld `serverdata`. Once a protocol has been set, an
    /// unknown one is ignored, and the result is false.
    ///
    /// ```
    /// use moviola_format::{Context, CoordKind, Extensions};
    /// let mut context = Context::quakeworld();
    /// assert!(context.set_quakeworld_protocol(28, Extensions { fte: 0x8000, ..Extensions::default() }));
    /// assert_eq!(context.coord, CoordKind::Float);
    /// ```
    pub fn set_quakeworld_protocol(&mut self, protocol: i32, extensions: Extensions) -> bool {
        if !self.is_credible_protocol(protocol, quakeworld::PROTOCOL) {
            return false;
        }
        let mut next = Self { protocol, extensions, mvd: self.mvd, ..Self::quakeworld() };
        let is_long = extensions.fte & Extensions::FLOATCOORDS != 0;
        if is_long {
            next.coord = CoordKind::Float;
            (next.angle, next.entity_angle) = (AngleKind::Short, AngleKind::Short);
        }
        if is_long || extensions.mvd1 & Extensions::FLOAT_ORIGINS != 0 {
            next.entity_coord = CoordKind::Float;
        }
        next.raw = !quakeworld::PROTOCOL.iter().any(|(known, _)| *known == i64::from(protocol))
            || extensions.unread().is_some();
        *self = next;
        true
    }

    /// The QuakeWorld protocol, and the newest one before a `serverdata` names it.
    ///
    /// ```
    /// assert_eq!(moviola_format::Context::quakeworld().quakeworld_protocol(), 28);
    /// ```
    #[inline]
    pub fn quakeworld_protocol(&self) -> i32 {
        if self.protocol == 0 { NEWEST } else { self.protocol }
    }

    /// Whether downloads are sent in chunks, which MVDs never contain.
    ///
    /// ```
    /// assert!(!moviola_format::Context::quakeworld().sends_chunks());
    /// ```
    pub fn sends_chunks(&self) -> bool {
        !self.mvd && self.extensions.fte & Extensions::CHUNKEDDOWNLOADS != 0
    }

    /// Whether a byte precedes the angles of a `setangle`: the player in MVDs, or the reason for the turn
    /// under MVDSV's extension.
    ///
    /// ```
    /// use moviola_format::Context;
    /// assert!(Context { mvd: true, ..Context::quakeworld() }.addresses_angles());
    /// ```
    #[inline]
    pub fn addresses_angles(&self) -> bool {
        self.game == Game::QuakeWorld && (self.mvd || self.extensions.mvd1 & Extensions::HIGHLAGTELEPORT != 0)
    }
}
