//! Quake's protocols: how a `serverinfo` or a `version` sets the form of the messages that follow.

use crate::context::{AngleKind, Answer, Context, CoordKind, ItemsRule};
use crate::game::Game;
use crate::kinds::ServerProtocol;
use crate::names::bit;
use crate::names::quake::{self, PROTOCOL_FLAGS};

/// The numbers of Quake's protocols, looked up by name.
pub(crate) mod spoken {
    use crate::names::quake::PROTOCOL;
    use crate::names::value;

    const fn named(name: &str) -> i32 {
        value(PROTOCOL, name) as i32
    }
    pub(crate) const NETQUAKE: i32 = named("NetQuake");
    pub(crate) const NEHAHRA: i32 = named("Nehahra");
    pub(crate) const FITZ: i32 = named("FitzQuake");
    pub(crate) const FITZ_PLUS: i32 = named("FitzQuake Plus");
    pub(crate) const RMQ: i32 = named("RMQ");
    pub(crate) const BJP: i32 = named("BJP");
    pub(crate) const BJP_2: i32 = named("BJP 2");
    pub(crate) const BJP_3: i32 = named("BJP 3");
    /// The numbers before the protocol that announce FTE's extensions, each followed by 32 flags.
    pub(crate) const FTE: [i32; 2] = [named("FTEX extensions"), named("FTE2 extensions")];
}

impl Context {
    /// Applies the protocol of a Quake `serverinfo`. Once a protocol has been set, an unknown one is ignored,
    /// and the result is false.
    ///
    /// ```
    /// use moviola_format::Context;
    /// let mut context = Context::quake();
    /// context.set_quake_protocol(666, 0);
    /// context.set_quake_protocol(604509961, 0);
    /// assert_eq!(context.protocol, 666);
    /// ```
    pub fn set_quake_protocol(&mut self, protocol: i32, flags: u32) -> bool {
        if !self.believes(protocol, quake::PROTOCOL) {
            return false;
        }
        let mut next =
            Self { protocol, protocol_flags: flags, server_version: self.server_version, ..Self::quake() };
        match protocol {
            // The flags belong to the level: they stay when a `version` changes the protocol.
            spoken::NETQUAKE => next.set_flags(flags),
            spoken::FITZ | spoken::RMQ => {
                next.extended = true;
                next.set_flags(flags);
            }
            spoken::NEHAHRA => next.nehahra = Answer::Yes,
            spoken::FITZ_PLUS => (next.extended, next.entity_angle) = (true, AngleKind::Short),
            spoken::BJP | spoken::BJP_2 | spoken::BJP_3 => {
                next.wide_models = true;
                next.wide_sounds = protocol != spoken::BJP;
                next.wide_static_sounds = match protocol {
                    spoken::BJP_2 => Answer::Yes,
                    spoken::BJP_3 => Answer::Open,
                    _ => Answer::No,
                };
            }
            _ => next.raw = true,
        }
        if next.extended {
            next.nehahra = Answer::No;
            next.items = ItemsRule::Always;
        }
        *self = next;
        true
    }

    /// Applies the flags of protocol 999. If several flags for one width are set, floats win, then the
    /// widest.
    fn set_flags(&mut self, flags: u32) {
        let has = |bit: u64| u64::from(flags) & bit != 0;
        self.coord = match () {
            () if has(const { bit(PROTOCOL_FLAGS, "PRFL_FLOATCOORD") }) => CoordKind::Float,
            () if has(const { bit(PROTOCOL_FLAGS, "PRFL_INT32COORD") }) => CoordKind::Long,
            () if has(const { bit(PROTOCOL_FLAGS, "PRFL_24BITCOORD") }) => CoordKind::Mixed,
            () => CoordKind::Short,
        };
        self.angle = match () {
            () if has(const { bit(PROTOCOL_FLAGS, "PRFL_FLOATANGLE") }) => AngleKind::Float,
            () if has(const { bit(PROTOCOL_FLAGS, "PRFL_SHORTANGLE") }) => AngleKind::Short,
            () => AngleKind::Byte,
        };
        self.entity_angle = self.angle;
        self.raw = has(const { bit(PROTOCOL_FLAGS, "PRFL_MOREFLAGS") });
    }

    /// Whether the server is the one that sends items without setting their bit, by the version that it
    /// printed.
    ///
    /// ```
    /// use moviola_format::Context;
    /// assert!(Context { server_version: 107, ..Context::quake() }.leaves_items_bit_clear());
    /// ```
    pub fn leaves_items_bit_clear(&self) -> bool {
        self.server_version == 107
    }

    /// Whether the re-release of Quake made the recording. Its `serverinfo` names protocol 666 but has
    /// another layout.
    pub fn is_rerelease(&self) -> bool {
        self.game == Game::Quake && self.raw && !self.fte && self.protocol == ServerProtocol::RERELEASE
    }
}
