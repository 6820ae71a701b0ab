//! Quake II's protocols: how a `serverdata` sets the form of the messages that follow.

use crate::context::{Context, Era, Q2proLimits};
use crate::dm2::{CHANGED, NEWEST, OLDEST};
use crate::game::Game;
use crate::names::quake2;

impl Context {
    /// Applies the protocol of a Quake II `serverdata`. Once a protocol has been set, an unknown one is
    /// ignored, and the result is false.
    ///
    /// ```
    /// use moviola_format::Context;
    /// let mut context = Context::quake2();
    /// assert_eq!(context.quake2_protocol(), 34);
    /// context.set_quake2_protocol(26, 1);
    /// assert_eq!(context.quake2_protocol(), 26);
    /// ```
    pub fn set_quake2_protocol(&mut self, protocol: i32, isdemo: u8) -> bool {
        let limits = Q2proLimits::of_protocol(protocol);
        let decoded = matches!(protocol, OLDEST..=NEWEST) || limits.is_extended();
        if !decoded && !self.is_credible_protocol(protocol, quake2::PROTOCOL) {
            return false;
        }
        *self = Self { protocol, isdemo, raw: !decoded, limits, ..Self::quake2() };
        true
    }

    /// Whether the recording is of Quake II's test release, whose message ids differ from those of the table.
    pub(crate) fn foreign_ids(&self) -> bool {
        self.game == Game::Quake2 && self.protocol == crate::dm2::Q2TEST
    }

    /// The Quake II protocol. Before one is named, it is the newest that fits the layout seen so far.
    ///
    /// ```
    /// use moviola_format::{Context, Era, dm2::CHANGED};
    /// let old = Context { layout: Era::Old, ..Context::quake2() };
    /// assert_eq!(old.quake2_protocol(), CHANGED - 1);
    /// ```
    #[inline]
    pub fn quake2_protocol(&self) -> i32 {
        match (self.protocol, self.layout) {
            (0, Era::Old | Era::SurelyOld) => CHANGED - 1,
            (0, _) => NEWEST,
            (named, _) => named,
        }
    }

    /// Whether it is still undecided which of Quake II's two layouts the messages have.
    #[inline]
    pub(crate) fn is_layout_open(&self) -> bool {
        self.protocol == 0 && self.layout == Era::Open
    }
}
