//! Quake II's protocols: what a `serverdata` settles about the messages that follow.

use crate::context::{Context, Era};
use crate::dm2::{CHANGED, NEWEST, OLDEST};
use crate::game::Game;
use crate::names::quake2;

impl Context {
    /// What a `serverdata` of Quake II settles. After the first, a protocol that nobody knows settles nothing, and the
    /// answer is no.
    ///
    /// ```
    /// use moviola_format::Context;
    /// let mut context = Context::quake2();
    /// assert_eq!(context.quake2_protocol(), 34);
    /// context.set_quake2_protocol(26, 1);
    /// assert_eq!(context.quake2_protocol(), 26);
    /// ```
    pub fn set_quake2_protocol(&mut self, protocol: i32, isdemo: u8) -> bool {
        let decoded = matches!(protocol, OLDEST..=NEWEST);
        if !decoded && !self.believes(protocol, quake2::PROTOCOL) {
            return false;
        }
        *self = Self { protocol, isdemo, raw: !decoded, ..Self::quake2() };
        true
    }

    /// Whether not even the ids are those of the table: the test release of Quake II.
    pub(crate) fn foreign_ids(&self) -> bool {
        self.game == Game::Quake2 && self.protocol == crate::dm2::Q2TEST
    }

    /// The Quake II protocol; where none was named the newest that fits what was seen.
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

    /// Whether nothing tells yet by which of Quake II's two layouts a message is to be read.
    #[inline]
    pub(crate) fn is_layout_open(&self) -> bool {
        self.protocol == 0 && self.layout == Era::Open
    }
}
