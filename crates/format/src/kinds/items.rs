//! The items that a Quake player carries, and the weapon in hand.

use crate::context::{Answer, Context, ItemsRule, Question};
use crate::names::{Meaning, quake};
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The items that the player carries: 32 bits, which old engines omit if they did not change.
///
/// ```
/// use moviola_format::Items;
/// use moviola_format::names::{Meaning, quake};
/// let items = Items { bits: 0x1001, sent: true };
/// let names = Meaning::Bits(quake::ITEMS).name(items.bits.into()).unwrap();
/// assert_eq!(names.to_string(), "Shotgun | Axe");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Items {
    /// The items.
    pub bits: u32,
    /// Whether they were sent at all.
    pub sent: bool,
}

impl Default for Items {
    fn default() -> Self {
        Self { bits: 0, sent: true }
    }
}

/// One of LMPC's words for items: list entry `n` stands for a bit.
struct ItemWord {
    part: ValuePart,
    bits: &'static [(i64, u32)],
}

const fn word(
    name: &'static str,
    meaning: Meaning,
    note: &'static str,
    bits: &'static [(i64, u32)],
) -> ItemWord {
    ItemWord { part: ValuePart::meaning(name, meaning, note), bits }
}

const fn mark(name: &'static str, note: &'static str, bit: &'static [(i64, u32)]) -> ItemWord {
    word(name, Meaning::Number, note, bit)
}

impl Items {
    /// The bit of the flag word that announces them.
    ///
    /// ```
    /// use moviola_format::{Items, dem::ClientData};
    /// let mut data = ClientData::default();
    /// data.flags.0 |= Items::BIT;
    /// assert!(data.sets_items_bit());
    /// ```
    pub const BIT: u32 = 0x0200;
    const NOT_SENT: ValuePart = ValuePart::new("no_items", "The items were not sent (before Quake 1.07).");

    const WORDS: [ItemWord; 12] = [
        word(
            "weapons",
            Meaning::Value(quake::LIST_WEAPONS),
            "The weapons the player has.",
            &[(1, 12), (2, 0), (3, 1), (4, 2), (5, 3), (6, 4), (7, 5), (8, 6), (9, 7)],
        ),
        word(
            "ammotype",
            Meaning::Value(quake::LIST_AMMO),
            "The kind of ammunition shown.",
            &[(1, 8), (2, 9), (3, 10), (4, 11)],
        ),
        word(
            "armortype",
            Meaning::Value(quake::LIST_ARMOR),
            "The kind of armor worn.",
            &[(1, 13), (2, 14), (3, 15)],
        ),
        mark("megahealth", "Health above 100 by a mega health.", &[(1, 16)]),
        word("keys", Meaning::Value(quake::LIST_KEYS), "The keys.", &[(1, 17), (2, 18)]),
        word(
            "power_ups",
            Meaning::Value(quake::LIST_POWER_UPS),
            "The powerups at work.",
            &[(1, 19), (2, 20), (3, 21), (4, 22)],
        ),
        mark("uk_items_b23", "Item bit 23; the mission packs use it.", &[(1, 23)]),
        mark("uk_items_b24", "Item bit 24; the mission packs use it.", &[(1, 24)]),
        mark("uk_items_b25", "Item bit 25; the mission packs use it.", &[(1, 25)]),
        mark("uk_items_b26", "Item bit 26; the mission packs use it.", &[(1, 26)]),
        mark("uk_items_b27", "Item bit 27; the mission packs use it.", &[(1, 27)]),
        word("runes", Meaning::Value(quake::LIST_RUNES), "The runes.", &[(1, 28), (2, 29), (3, 30), (4, 31)]),
    ];
}

impl<'a> Scalar<'a> for Items {
    #[expect(clippy::indexing_slicing, reason = "a wrong index would not compile")]
    const PARTS: &'static [ValuePart] = &{
        let mut parts = [Self::NOT_SENT; Self::WORDS.len() + 1];
        let mut n = 0;
        while n < Self::WORDS.len() {
            parts[n] = Self::WORDS[n].part;
            n += 1;
        }
        parts
    };

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        if reader.flags() & Self::BIT == 0 {
            match reader.context().items {
                ItemsRule::Always | ItemsRule::Likely => {}
                ItemsRule::ByBit | ItemsRule::LikelyByBit => return Ok(Self { bits: 0, sent: false }),
                ItemsRule::Unknown => return Err(reader.stop(FaultKind::Undecided(Question::Items))),
            }
        }
        Ok(Self { bits: u32::read(reader)?, sent: true })
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        if self.sent {
            self.bits.write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        if !self.sent {
            out.line(Self::NOT_SENT.name, Meaning::Number);
            return out.end();
        }
        for word in &Self::WORDS {
            if !word.bits.iter().any(|(_, bit)| self.bits & 1 << bit != 0) {
                continue;
            }
            out.line(word.part.name, word.part.meaning);
            if word.bits.len() > 1 {
                word.bits.iter().filter(|(_, bit)| self.bits & 1 << bit != 0).for_each(|(n, _)| out.int(*n));
            }
            out.end();
        }
    }
    #[inline(always)]
    fn key(&self) -> Option<u64> {
        self.sent.then_some(u64::from(self.bits))
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        if from.has(Self::NOT_SENT.name) {
            from.line(Self::NOT_SENT.name)?;
            from.end()?;
            return Ok(Self { bits: 0, sent: false });
        }
        let mut bits = 0;
        for word in &Self::WORDS {
            if !from.has(word.part.name) {
                continue;
            }
            from.line(word.part.name)?;
            if let [(_, only)] = word.bits {
                bits |= 1 << only;
            }
            while word.bits.len() > 1 && from.more() {
                let n = from.int(1, word.bits.len() as i64)?;
                // The entries are numbered from 1.
                bits |= word.bits.get(n.wrapping_sub(1) as usize).map_or(0, |(_, bit)| 1 << bit);
            }
            from.end()?;
        }
        Ok(Self { bits, sent: true })
    }
    #[inline(always)]
    fn implied(&self, _: u32, context: &Context) -> u32 {
        if self.sent && context.items_bit { Self::BIT } else { 0 }
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.sent
    }
}

/// The weapon in hand: a byte of bits, which the mission packs omit if it would be zero.
///
/// ```
/// use moviola_format::{ActiveWeapon, Context, Scalar, Writer};
/// let mut out = Vec::new();
/// ActiveWeapon { byte: 32, sent: true }.write(&mut Writer::new(&mut out, &Context::quake()));
/// ActiveWeapon { byte: 0, sent: false }.write(&mut Writer::new(&mut out, &Context::quake()));
/// assert_eq!(out, [32]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActiveWeapon {
    /// The byte.
    pub byte: u8,
    /// Whether it was sent.
    pub sent: bool,
}

impl Default for ActiveWeapon {
    fn default() -> Self {
        Self { byte: 0, sent: true }
    }
}

impl ActiveWeapon {
    const WEAPON: ValuePart =
        ValuePart::meaning("weapon", Meaning::Value(quake::LIST_WEAPONS), "The weapon in hand.");
    const NOT_SENT: ValuePart =
        ValuePart::new("no_weapon", "The byte was left out (the mission packs do, without a weapon).");
}

impl<'a> Scalar<'a> for ActiveWeapon {
    const PARTS: &'static [ValuePart] = &[Self::WEAPON, Self::NOT_SENT];

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        // The mission packs send a bit's number or nothing; then the next byte belongs to the next message.
        if reader.context().mission_pack {
            match reader.context().weapon_byte {
                Answer::Open => return Err(reader.stop(FaultKind::Undecided(Question::Weapon))),
                Answer::No => return Ok(Self { byte: 0, sent: false }),
                Answer::Yes => {}
            }
        }
        reader.byte().map(|byte| Self { byte, sent: true })
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_>) {
        if self.sent {
            writer.byte(self.byte);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        if !self.sent {
            out.line(Self::NOT_SENT.name, Meaning::Number);
            return out.end();
        }
        out.line(Self::WEAPON.name, Self::WEAPON.meaning);
        if self.byte == 0 {
            out.int(1);
        }
        (0..8).filter(|bit| self.byte & 1 << bit != 0).for_each(|bit| out.int(bit + 2));
        out.end();
    }
    #[inline(always)]
    fn key(&self) -> Option<u64> {
        self.sent.then_some(u64::from(self.byte))
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        if from.has(Self::NOT_SENT.name) {
            from.line(Self::NOT_SENT.name)?;
            from.end()?;
            return Ok(Self { byte: 0, sent: false });
        }
        from.line(Self::WEAPON.name)?;
        let (mut byte, mut count, mut has_axe) = (0u8, 0, false);
        while from.more() {
            let n = from.int(1, 9)?;
            count += 1;
            has_axe |= n == 1;
            if n > 1 {
                byte |= 1 << (n - 2);
            }
        }
        if count == 0 {
            return Err(from.refuse("the weapon in hand is missing: 1 is the axe"));
        }
        // Byte 0 stands for the axe alone. LMPC ignored a 1 among other weapons.
        if has_axe && byte != 0 && !from.wraps_values() {
            return Err(from.refuse("1 is the axe, which nobody holds together with another weapon"));
        }
        from.end()?;
        Ok(Self { byte, sent: true })
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.sent
    }
}
