//! The parts of a recording that do not fit into id's limits, and the numbers of models, sounds and images there.

use std::collections::BTreeMap;

/// Something of a recording with Q2PRO's extended limits for which protocol 34 has no place.
///
/// ```
/// use moviola_format::q2pro::PlainLoss;
/// assert_eq!(PlainLoss::Fog.words(), "changes of the fog");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlainLoss {
    /// A coordinate beyond 4096 units.
    Coordinate,
    /// A model, a sound or an image beyond the 255 of id.
    Number,
    /// A config string beyond id's.
    ConfigString,
    /// The opacity, the scale or the further effects of an entity.
    Look,
    /// The volume or the attenuation of a continuous sound.
    LoopSound,
    /// A temporary effect that only Q2PRO has.
    Effect,
    /// Fog.
    Fog,
    /// The second color over the screen, which shows damage.
    DamageColor,
    /// A stat above 31.
    Stat,
}

impl PlainLoss {
    /// The name, for a list of losses.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Coordinate => "coordinates beyond 4096 units, of which the limit stays",
            Self::Number => "uses of models, sounds and images beyond the 255 that have a number",
            Self::ConfigString => "config strings that have no number",
            Self::Look => "changes of an entity's opacity, scale or further effects",
            Self::LoopSound => "volumes and attenuations of continuous sounds",
            Self::Effect => "temporary effects that only Q2PRO knows",
            Self::Fog => "changes of the fog",
            Self::DamageColor => "changes of the second color over the screen",
            Self::Stat => "stats above 31",
        }
    }
}

/// The numbers of models, sounds or images of a level. One beyond id's limit gets a number that no other one has so far,
/// from the highest downwards, because a level gives its numbers from the lowest upwards.
#[derive(Clone, Debug)]
pub(super) struct LevelNumbers {
    is_used: [bool; 256],
    moved: BTreeMap<u16, u8>,
    last_number: u8,
}

impl LevelNumbers {
    /// Numbers up to `last_number`.
    pub(super) fn new(last: u8) -> Self {
        Self { is_used: [false; 256], moved: BTreeMap::new(), last_number: last }
    }

    /// The number of a thing that the level names, if one is free.
    pub(super) fn name(&mut self, number: u16) -> Option<u8> {
        let own = u8::try_from(number).ok();
        if let Some(known) = own.or_else(|| self.moved.get(&number).copied()) {
            // The level itself uses this number, so the file that was moved there loses it.
            if own.is_some() {
                self.moved.retain(|_, moved| *moved != known);
            }
            self.use_up(known);
            return Some(known);
        }
        let free =
            (1..=self.last_number).rev().find(|free| self.is_used.get(usize::from(*free)) == Some(&false))?;
        self.use_up(free);
        self.moved.insert(number, free);
        Some(free)
    }

    fn use_up(&mut self, number: u8) {
        if let Some(place) = self.is_used.get_mut(usize::from(number)) {
            *place = true;
        }
    }

    /// The number under which a thing is used, if it has one.
    pub(super) fn of(&self, number: u16) -> Option<u8> {
        u8::try_from(number).ok().or_else(|| self.moved.get(&number).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_the_limit_gets_a_free_one() {
        let mut numbers = LevelNumbers::new(254);
        assert_eq!((numbers.name(7), numbers.name(300), numbers.name(301)), (Some(7), Some(254), Some(253)));
        assert_eq!((numbers.of(7), numbers.of(301), numbers.of(302)), (Some(7), Some(253), None));
        // The level names its model 254 later.
        assert_eq!((numbers.name(254), numbers.of(300)), (Some(254), None));
    }
}
