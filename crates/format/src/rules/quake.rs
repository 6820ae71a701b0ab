//! Quake's protocols: how a `serverinfo` or a `version` sets the form of the messages that follow.

use crate::context::{AngleKind, Answer, Context, CoordKind, DarkPlaces, Extensions, ItemsRule};
use crate::dem::ServerInfo;
use crate::game::Game;
use crate::kinds::ServerProtocol;
use crate::names::bit;
use crate::names::quake::{self, PROTOCOL_FLAGS};

/// The numbers of Quake's protocols, looked up by name.
pub(crate) mod spoken {
    use crate::names::quake::PROTOCOL;
    use crate::names::value;

    const fn item_bit(name: &str) -> i32 {
        value(PROTOCOL, name) as i32
    }
    pub(crate) const NETQUAKE: i32 = item_bit("NetQuake");
    pub(crate) const NEHAHRA: i32 = item_bit("Nehahra");
    pub(crate) const FITZ: i32 = item_bit("FitzQuake");
    pub(crate) const FITZ_PLUS: i32 = item_bit("FitzQuake Plus");
    pub(crate) const RMQ: i32 = item_bit("RMQ");
    pub(crate) const BJP: i32 = item_bit("BJP");
    pub(crate) const BJP_2: i32 = item_bit("BJP 2");
    pub(crate) const BJP_3: i32 = item_bit("BJP 3");
    pub(crate) const DP_5: i32 = item_bit("DarkPlaces 5");
    pub(crate) const DP_6: i32 = item_bit("DarkPlaces 6");
    pub(crate) const DP_7: i32 = item_bit("DarkPlaces 7");
    pub(crate) const DP_8: i32 = item_bit("DarkPlaces 8");
    /// The numbers before the protocol that announce FTE's extensions, each followed by 32 flags.
    pub(crate) const FTE: [i32; 2] = [item_bit("FTEX extensions"), item_bit("FTE2 extensions")];
}

/// The dialect of `DarkPlaces` that a protocol's number stands for.
fn darkplaces(protocol: i32) -> Option<DarkPlaces> {
    Some(match protocol {
        spoken::DP_5 => DarkPlaces::Five,
        spoken::DP_6 => DarkPlaces::Six,
        spoken::DP_7 => DarkPlaces::Seven,
        spoken::DP_8 => DarkPlaces::Eight,
        _ => return None,
    })
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
        if !self.is_credible_protocol(protocol, quake::PROTOCOL) {
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
            _ => match darkplaces(protocol) {
                Some(which) => next.set_darkplaces(which),
                None => next.raw = true,
            },
        }
        if next.extended {
            next.nehahra = Answer::No;
            next.items = ItemsRule::Always;
        }
        *self = next;
        true
    }

    /// Applies the protocol of a `DarkPlaces` server.
    fn set_darkplaces(&mut self, which: DarkPlaces) {
        self.darkplaces = which;
        self.nehahra = Answer::No;
        self.coord = CoordKind::Float;
        (self.angle, self.entity_angle) = (AngleKind::Short, AngleKind::Short);
        // Servers up to the fifth protocol always set the bit of the items.
        self.items = if which == DarkPlaces::Five { ItemsRule::Always } else { ItemsRule::ByBit };
    }

    /// Applies the extensions that FTE's form of a `serverinfo` announces.
    ///
    /// ```
    /// use moviola_format::{Context, Extensions};
    /// let mut context = Context::quake();
    /// context.set_quake_protocol(666, 0);
    /// context.set_quake_extensions(Extensions { fte2: 8, ..Extensions::default() });
    /// assert!(context.lists_entities());
    /// ```
    pub fn set_quake_extensions(&mut self, extensions: Extensions) {
        if extensions != Extensions::default() {
            (self.extensions, self.fte, self.nehahra) = (extensions, true, Answer::No);
        }
    }

    /// Whether the protocol sends lists of changed entities, which stay until they are removed.
    ///
    /// ```
    /// use moviola_format::Context;
    /// let mut context = Context::quake();
    /// context.set_quake_protocol(3502, 0);
    /// assert!(context.lists_entities());
    /// ```
    pub fn lists_entities(&self) -> bool {
        self.darkplaces >= DarkPlaces::Five || self.replaces_updates()
    }

    /// Whether FTE's entities replace Quake's updates.
    #[inline]
    pub(crate) fn replaces_updates(&self) -> bool {
        self.fte && self.extensions.fte2 & Extensions::REPLACEMENTDELTAS != 0
    }

    /// Whether the server says which of the player's commands it has received, and stats replace `clientdata`.
    #[inline]
    pub(crate) fn acknowledges(&self) -> bool {
        self.fte && self.extensions.fte2 & Extensions::PREDINFO != 0
    }

    /// Whether stats take the place of `clientdata`.
    ///
    /// ```
    /// use moviola_format::Context;
    /// let mut context = Context::quake();
    /// context.set_quake_protocol(3503, 0);
    /// assert!(context.sends_stats());
    /// ```
    pub fn sends_stats(&self) -> bool {
        self.darkplaces >= DarkPlaces::Six || self.acknowledges()
    }

    /// Applies the protocol and the extensions of a level. Once a protocol has been set, an unknown one is ignored,
    /// and the result is false.
    ///
    /// ```
    /// use moviola_format::{Context, dem::ServerInfo};
    /// assert!(Context::quake().enter_level(&ServerInfo::default()));
    /// ```
    pub fn enter_level(&mut self, info: &ServerInfo<'_>) -> bool {
        let entered = self.set_quake_protocol(info.protocol.version(), info.protocol.flags());
        if entered {
            self.set_quake_extensions(info.protocol.extensions());
        }
        entered
    }

    /// Whether a sound's flag word announces large numbers of entities and sounds.
    #[inline(always)]
    pub(crate) fn has_large_sounds(&self) -> bool {
        self.extended || self.fte || self.darkplaces as u8 != DarkPlaces::No as u8
    }

    /// Whether the flag word of `clientdata` has more than 16 bits.
    #[inline(always)]
    pub(crate) fn has_long_client_bits(&self) -> bool {
        self.extended || self.darkplaces as u8 != DarkPlaces::No as u8
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
