//! QuakeWorld's protocols: what a `serverdata` settles about the messages that follow.

use crate::context::{AngleKind, Context, CoordKind, Extensions};
use crate::game::Game;
use crate::names::quakeworld::{FTE, FTE2, MVD1};
use crate::names::{bit, quakeworld};

/// From this protocol on a `serverdata` ends with ten numbers of the game's physics.
pub(crate) const MOVEVARS: i32 = 25;
/// From this protocol on lists of models and sounds come in parts.
pub(crate) const PARTS: i32 = 26;
/// From this protocol on a command's speeds have 16 bits.
pub(crate) const LONG_COMMANDS: i32 = 27;
/// The newest protocol, and the one of recordings that name none.
pub(crate) const NEWEST: i32 = 28;

/// Extensions of the game, as masks.
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
    const FLOAT_ORIGINS: u32 = bit(MVD1, "FLOATCOORDS") as u32;
    const HIGHLAGTELEPORT: u32 = bit(MVD1, "HIGHLAGTELEPORT") as u32;
    pub(crate) const WEAPONPREDICTION: u32 = bit(MVD1, "WEAPONPREDICTION") as u32;

    /// Those of FTE that give a second byte of flags to entities.
    const LONGER_DELTAS: u32 = Self::SCALE
        | Self::TRANS
        | Self::FATNESS
        | Self::HEXEN2
        | Self::COLOURMOD
        | Self::DPFLAGS
        | Self::MODELDBL
        | Self::ENTITYDBL
        | Self::ENTITYDBL2;

    /// Whether entities may have a second byte of flags and more.
    #[inline(always)]
    pub(crate) fn has_longer_deltas(&self) -> bool {
        self.fte & Self::LONGER_DELTAS != 0
    }

    /// The first word that has a bit without a name, or one that changes the `serverdata` itself in a way that is not
    /// read. Its messages are kept raw: nobody knows their lengths.
    pub(crate) fn unread(&self) -> Option<u32> {
        let unnamed = |table, word: u32| crate::names::unnamed_bits(table, u64::from(word)) as u32;
        let words = [
            unnamed(FTE, self.fte) | self.fte & Self::SPLITSCREEN,
            unnamed(FTE2, self.fte2) | self.fte2 & Self::MAXPLAYERS,
            unnamed(MVD1, self.mvd1),
        ];
        words.into_iter().find(|word| *word != 0)
    }
}

impl Context {
    /// What a `serverdata` of QuakeWorld settles. After the first, a protocol that nobody knows settles nothing, and
    /// the answer is no.
    ///
    /// ```
    /// use moviola_format::{Context, CoordKind, Extensions};
    /// let mut context = Context::quakeworld();
    /// assert!(context.set_quakeworld_protocol(28, Extensions { fte: 0x8000, ..Extensions::default() }));
    /// assert_eq!(context.coord, CoordKind::Float);
    /// ```
    pub fn set_quakeworld_protocol(&mut self, protocol: i32, extensions: Extensions) -> bool {
        if !self.believes(protocol, quakeworld::PROTOCOL) {
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

    /// The QuakeWorld protocol; the newest while none was named.
    ///
    /// ```
    /// assert_eq!(moviola_format::Context::quakeworld().quakeworld_protocol(), 28);
    /// ```
    #[inline]
    pub fn quakeworld_protocol(&self) -> i32 {
        if self.protocol == 0 { NEWEST } else { self.protocol }
    }

    /// Whether downloads come in chunks; never in an MVD.
    pub(crate) fn sends_chunks(&self) -> bool {
        !self.mvd && self.extensions.fte & Extensions::CHUNKEDDOWNLOADS != 0
    }

    /// Whether a byte stands before the angles of a `setangle`: in MVDs the player, and an extension tells why the
    /// view turns.
    #[inline]
    pub(crate) fn addresses_angles(&self) -> bool {
        self.game == Game::QuakeWorld && (self.mvd || self.extensions.mvd1 & Extensions::HIGHLAGTELEPORT != 0)
    }
}
