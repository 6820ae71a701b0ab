//! Random numbers that are the same every time: a stream from a seed.

/// Random numbers from a seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The random numbers of an event, by its block and its number in the block.
    pub(crate) fn of(block: u64, number: u64) -> Self {
        let mut dice = Self(block.wrapping_mul(0xD134_2543_DE82_EF95) ^ number.rotate_left(32));
        dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A whole number from 0 to `n` - 1.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// A whole number from 0 to `n` - 1, as a float.
    pub(crate) fn whole_number(&mut self, n: u32) -> f32 {
        self.below(n) as f32
    }

    /// From 0 to 1.
    pub(crate) fn part(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// From -1 to 1.
    pub(crate) fn signed_unit(&mut self) -> f32 {
        self.part() * 2.0 - 1.0
    }

    /// From -1 to 1 on each axis.
    pub(crate) fn cube(&mut self) -> [f32; 3] {
        [self.signed_unit(), self.signed_unit(), self.signed_unit()]
    }

    /// From -`n`/2 to `n`/2 - 1 on each axis, in whole numbers.
    pub(crate) fn box_of(&mut self, n: u32) -> [f32; 3] {
        let half = (n / 2) as f32;
        [self.whole_number(n) - half, self.whole_number(n) - half, self.whole_number(n) - half]
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn the_same_event_falls_the_same_way() {
        let row = |block, number| {
            let mut dice = Dice::of(block, number);
            [dice.below(1000), dice.below(1000), dice.below(1000)]
        };
        assert_eq!(row(7, 1), row(7, 1));
        assert_ne!(row(7, 1), row(7, 2));
        assert_ne!(row(7, 1), row(8, 1));
        let mut dice = Dice::of(1, 1);
        for _ in 0..1000 {
            assert!(dice.below(6) < 6);
            assert!((-1.0..=1.0).contains(&dice.signed_unit()));
        }
    }
}
