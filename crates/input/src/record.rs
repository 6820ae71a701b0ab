//! The table of records: where in the bytes of a tic each movement stands, and the words of a text for them.
//!
//! A record is printed in LMPC's words. Where these would not give the same byte again, the byte itself is said, in
//! LMPC's own way for it: a letter and a number, `U0x40`.

pub(crate) use crate::words::Words;

/// The most bytes that a record can have.
pub(crate) const LONGEST: usize = 16;

/// What follows movement and buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extra {
    None,
    /// Look and fly, artifact; how many artifacts the game has.
    Artifact(u8),
    /// A second byte of buttons, inventory.
    Strife,
}

/// A kind of record: where its parts stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordForm {
    pub(crate) length: usize,
    /// Where movement ahead stands; to the side follows.
    pub(crate) forward: usize,
    pub(crate) turn: usize,
    /// How many bytes a turn has.
    pub(crate) wide: usize,
    pub(crate) buttons: usize,
    pub(crate) extra: Extra,
    pub(crate) weapons: &'static [&'static str],
    pub(crate) artifacts: &'static [&'static str],
    /// Duke's: 32 bits of keys; the bytes of a movement.
    pub(crate) keys: bool,
    /// Whether dsda-doom's byte of actions follows.
    pub(crate) actions: bool,
}

const DOOM_WEAPONS: &[&str] = &[
    "Fist/Chainsaw",
    "Pistol",
    "Shotgun/Super Shotgun",
    "Chaingun",
    "Rocket Launcher",
    "Plasma Gun",
    "BFG 9000",
    "Chainsaw",
];
const HERETIC_WEAPONS: &[&str] = &[
    "Staff/Gauntlets",
    "Elven Wand",
    "Ethereal Crossbow",
    "Dragon Claw",
    "Hellstaff",
    "Phoenix Rod",
    "Firemace",
    "Gauntlets",
];
const HERETIC_ARTIFACTS: &[&str] = &[
    "Ring of Invincibility",
    "Shadowsphere",
    "Quartz Flask",
    "Mystic Urn",
    "Tome of Power",
    "Torch",
    "Time Bomb of the Ancients",
    "Morph Ovum",
    "Wings of Wrath",
    "Chaos Device",
];
const HEXEN_ARTIFACTS: &[&str] = &[
    "Icon of the Defender",
    "Quartz Flask",
    "Mystic Urn",
    "Mystic Ambit Incant",
    "Dark Servant",
    "Torch",
    "Porkalator",
    "Wings of Wrath",
    "Disc of Repulsion",
    "Flechette",
    "Banishment Device",
    "Boots of Speed",
    "Krater of Might",
    "Dragonskin Bracers",
    "Chaos Device",
];

/// DOOM: ahead, side, turn, buttons.
pub(crate) static SHORT: RecordForm = RecordForm {
    length: 4,
    forward: 0,
    turn: 2,
    wide: 1,
    buttons: 3,
    extra: Extra::None,
    weapons: DOOM_WEAPONS,
    artifacts: &[],
    keys: false,
    actions: false,
};
/// With turns in 16 bits.
pub(crate) static LONG: RecordForm = RecordForm { length: 5, wide: 2, buttons: 4, ..SHORT };
/// `TASDoom`: the buttons first.
pub(crate) static TAS: RecordForm = RecordForm { forward: 1, turn: 3, buttons: 0, ..SHORT };
pub(crate) static HERETIC_RECORD: RecordForm = RecordForm {
    length: 6,
    extra: Extra::Artifact(10),
    weapons: HERETIC_WEAPONS,
    artifacts: HERETIC_ARTIFACTS,
    ..SHORT
};
pub(crate) static HEXEN_RECORD: RecordForm =
    RecordForm { extra: Extra::Artifact(15), weapons: &[], artifacts: HEXEN_ARTIFACTS, ..HERETIC_RECORD };
pub(crate) static STRIFE_RECORD: RecordForm =
    RecordForm { length: 6, extra: Extra::Strife, weapons: &[], ..SHORT };
/// Duke 1.0 and 1.1: movement on the map, turn, keys.
pub(crate) static DUKE_OLD: RecordForm =
    RecordForm { length: 10, forward: 0, turn: 4, wide: 2, buttons: 6, keys: true, weapons: &[], ..SHORT };
/// Duke since 1.3D: turn, horizon, ahead, side, keys.
pub(crate) static DUKE: RecordForm = RecordForm { forward: 2, turn: 0, wide: 1, ..DUKE_OLD };

/// The keys of Duke by their bits; four of them number a weapon.
const DUKE_KEYS: [&str; 32] = [
    "JU", "CR", "FW", "AU", "AD", "RU", "LL", "LR", "", "", "", "", "ST", "LU", "LD", "VI", "MK", "AR", "LC",
    "HW", "IL", "PA", "QK", "AM", "HD", "JP", "GQ", "IR", "TA", "UT", "IN", "EC",
];
/// Strife's second byte of buttons. LMPC calls the third bit running; the engine centers the view.
const STRIFE_KEYS: [&str; 8] = ["LU", "LD", "RU", "IN", "DR", "JU", "", "HE"];
const STRIFE_FREE: u8 = 0x40;

/// The first byte of a record that ends a recording instead.
pub(crate) const END: u8 = 0x80;
const PAUSE: u8 = 0x81;
const SAVE: u8 = 0x82;
const CHANGE: u8 = 4;

/// What a record does, in numbers, for tables and statistics.
///
/// ```
/// use moviola_input::InputSummary;
/// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\xff\x01\x80";
/// InputSummary::watched(&recording[..], None, |at, it| assert_eq!((at.tic, it.forward, it.turn), (0, 50, -1))).unwrap();
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicInput {
    /// Movement ahead; in Duke 1.0 and 1.1 along the map's x axis.
    pub forward: i32,
    /// Movement to the right; there along the y axis.
    pub side: i32,
    /// The turn to the left, in the units of the recording.
    pub turn: i32,
    /// The buttons, as they are in the recording.
    pub buttons: u32,
    /// Looking and flying, Duke's horizon, Strife's second byte of buttons.
    pub look: i32,
    /// Artifact or inventory.
    pub extra: u8,
    /// The weapon that is changed to, counted from 1; 0 is none.
    pub weapon: u8,
}

/// Which record it is.
///
/// ```
/// use moviola_input::InputSummary;
/// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\xff\x01\x80";
/// InputSummary::watched(&recording[..], None, |at, _| assert_eq!((at.player, at.rate), (0, 35))).unwrap();
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TicPlace {
    /// The tic, counted from 0.
    pub tic: u64,
    /// Which of the players, counted from 0.
    pub player: usize,
    /// How many tics a second has.
    pub rate: u64,
}

fn signed(bytes: &[u8], at: usize, wide: usize) -> i32 {
    match bytes.get(at..at + wide) {
        Some([byte]) => i32::from(*byte as i8),
        Some([low, high]) => i32::from(i16::from_le_bytes([*low, *high])),
        _ => 0,
    }
}

fn put(bytes: &mut [u8], at: usize, wide: usize, value: i32) {
    for (byte, value) in bytes.iter_mut().skip(at).take(wide).zip(value.to_le_bytes()) {
        *byte = value;
    }
}

impl RecordForm {
    /// How many bytes a movement has.
    fn reach(&self) -> usize {
        if self.keys { 2 } else { 1 }
    }

    /// The length of the record that begins these bytes; none where they are too few to say.
    pub(crate) fn measure(&self, bytes: &[u8]) -> Option<usize> {
        let mut length = self.length;
        if self.actions {
            let action = *bytes.get(length)?;
            length += 1
                + usize::from(action & 2 != 0)
                + usize::from(action & 4 != 0)
                + 2 * usize::from(action & 0x20 != 0);
        }
        (bytes.len() >= length).then_some(length)
    }

    /// The numbers of a record. Turning left is positive, as DOOM has it.
    pub(crate) fn input(&self, bytes: &[u8]) -> TicInput {
        let at = |at: usize| bytes.get(at).copied().unwrap_or_default();
        let buttons = if self.keys {
            u32::from_le_bytes([
                at(self.buttons),
                at(self.buttons + 1),
                at(self.buttons + 2),
                at(self.buttons + 3),
            ])
        } else {
            u32::from(at(self.buttons))
        };
        let turn = signed(bytes, self.turn, self.wide);
        let has_horizon = self.keys && self.wide == 1;
        let mut input = TicInput {
            forward: signed(bytes, self.forward, self.reach()),
            side: signed(bytes, self.forward + self.reach(), self.reach()),
            turn: if self.keys { -turn } else { turn },
            buttons,
            look: match self.extra {
                _ if has_horizon => signed(bytes, 1, 1),
                Extra::None => 0,
                _ => i32::from(at(self.buttons + 1)),
            },
            extra: if self.extra == Extra::None { 0 } else { at(self.buttons + 2) },
            weapon: 0,
        };
        input.weapon = self.weapon(input).unwrap_or_default() as u8;
        input
    }

    /// Whether the record changes to a weapon, and to which, counted from one.
    pub(crate) fn weapon(&self, input: TicInput) -> Option<u32> {
        if self.keys {
            return Some(input.buttons >> 8 & 15).filter(|weapon| *weapon > 0);
        }
        (input.buttons & 0x84 == 4).then_some((input.buttons >> 3 & 15) + 1)
    }

    /// Whether a record is nothing but a pause, or a saved game.
    pub(crate) fn is_pause(&self, bytes: &[u8]) -> bool {
        !self.keys && bytes.get(self.buttons).is_some_and(|byte| byte & 0x83 == PAUSE)
    }

    pub(crate) fn is_save(&self, bytes: &[u8]) -> bool {
        !self.keys && bytes.get(self.buttons).is_some_and(|byte| byte & 0x83 == SAVE)
    }

    /// The record of another kind that says the same; the turn in the other's bytes.
    pub(crate) fn turned_into(&self, other: &Self, bytes: &[u8]) -> Packed {
        let input = self.input(bytes);
        let mut made = Packed { bytes: [0; LONGEST], length: other.length + usize::from(other.actions) };
        let turn = match (self.wide, other.wide) {
            (1, 2) => input.turn << 8,
            (2, 1) => input.turn >> 8,
            _ => input.turn,
        };
        put(&mut made.bytes, other.forward, 1, input.forward);
        put(&mut made.bytes, other.forward + 1, 1, input.side);
        put(&mut made.bytes, other.turn, other.wide, turn);
        put(&mut made.bytes, other.buttons, 1, input.buttons as i32);
        made
    }

    /// Takes a pause or a saved game out.
    pub(crate) fn clear_buttons(&self, bytes: &mut [u8]) {
        put(bytes, self.buttons, 1, 0);
    }

    /// The words of a record. `paused` says whether the pause that it may have ends one.
    pub(crate) fn print(&self, bytes: &[u8], paused: bool, words: &mut Words) {
        words.length = 0;
        let input = self.input(bytes);
        if self.keys {
            return Self::print_duke(input, words);
        }
        let buttons = input.buttons as u8;
        words.way("GF", "GB", "G", input.forward, -128);
        words.way("SR", "SL", "S", input.side, -128);
        words.way("TL", "TR", "T", input.turn, if self.wide == 1 { -128 } else { -32768 });
        let weapon = buttons & 0x38;
        match buttons {
            0 => {}
            PAUSE => words.word(if paused { "PE" } else { "PS" }),
            0x80.. if buttons & 0xE3 == SAVE => words.number("SG", u32::from(buttons >> 2 & 7)),
            0..0x40 if buttons & CHANGE != 0 || weapon == 0 => {
                words.flag(buttons & 1 != 0, "FW");
                words.flag(buttons & 2 != 0, "UT");
                if buttons & CHANGE != 0 {
                    words.number("NW", u32::from(weapon >> 3) + 1);
                }
            }
            _ => words.byte("U", buttons),
        }
        match self.extra {
            Extra::None => {}
            Extra::Artifact(most) => {
                words.nibble(["LU", "LD", "LC"], input.look as u8 & 15);
                words.nibble(["FU", "FD", "FC"], input.look as u8 >> 4);
                let artifact = input.extra & 0x7F;
                if artifact > most && artifact != 0x21 {
                    words.byte("A", input.extra);
                } else {
                    words.flag(input.extra & 0x80 != 0, "JU");
                    match artifact {
                        0 => {}
                        0x21 => words.word("UA"),
                        _ => words.letter("AT", b'a' + artifact - 1),
                    }
                }
            }
            Extra::Strife => {
                let second = input.look as u8;
                if second & STRIFE_FREE == 0 {
                    STRIFE_KEYS
                        .iter()
                        .enumerate()
                        .for_each(|(bit, key)| words.flag(second >> bit & 1 != 0, key));
                } else {
                    words.byte("F", second);
                }
                if input.extra != 0 {
                    words.number("AC", u32::from(input.extra));
                }
            }
        }
        if self.actions {
            self.print_actions(bytes, words);
        }
        if words.length == 0 {
            words.word("WT");
        }
    }

    fn print_actions(&self, bytes: &[u8], words: &mut Words) {
        let mut rest = bytes.iter().skip(self.length);
        let Some(action) = rest.next().copied().filter(|action| *action != 0) else { return };
        words.byte("X", action);
        for (bit, word) in [(2, "XS"), (4, "XL")] {
            if action & bit != 0 {
                words.number(word, rest.next().copied().unwrap_or_default().into());
            }
        }
        if let (true, Some(low), Some(high)) = (action & 0x20 != 0, rest.next(), rest.next()) {
            words.signed("XV", i16::from_le_bytes([*low, *high]).into());
        }
    }

    fn print_duke(input: TicInput, words: &mut Words) {
        for (word, value) in [("GX", input.forward), ("GY", input.side)] {
            if value != 0 {
                words.signed(word, value);
            }
        }
        words.way("TL", "TR", "T", input.turn, i32::MIN);
        words.way("LU", "LD", "L", input.look, i32::MIN);
        for (bit, key) in DUKE_KEYS.iter().enumerate() {
            match bit {
                8 if input.buttons >> 8 & 15 != 0 => words.number("NW", input.buttons >> 8 & 15),
                8..12 => {}
                _ => words.flag(input.buttons >> bit & 1 != 0, key),
            }
        }
        if words.length == 0 {
            words.word("WT");
        }
    }

    /// What a person may want to know of the words: the names of weapon and artifact.
    pub(crate) fn remark(&self, bytes: &[u8]) -> &'static str {
        let input = self.input(bytes);
        let named = |names: &[&'static str], number: u32| names.get(number.checked_sub(1)? as usize).copied();
        let weapon = self.weapon(input).and_then(|weapon| named(self.weapons, weapon));
        weapon.or_else(|| named(self.artifacts, u32::from(input.extra & 0x7F))).unwrap_or_default()
    }

    /// A record out of its words, or the word that is wrong.
    pub(crate) fn parse<'w>(
        &self,
        words: impl Iterator<Item = &'w [u8]>,
        record: &mut Packed,
    ) -> Result<(), Slip<'w>> {
        *record = Packed { bytes: [0; LONGEST], length: self.length };
        let mut action = Action::default();
        for word in words {
            let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let (name, digits) = word.split_at(letters.min(word.len()));
            let number =
                if digits.is_empty() { None } else { Some(number(digits).ok_or(Slip::Number(word))?) };
            let bytes = &mut record.bytes;
            let done = match *name {
                [a] => self.raw(a.to_ascii_uppercase(), number, bytes, &mut action),
                [a, b] => {
                    self.word([a.to_ascii_uppercase(), b.to_ascii_uppercase()], number, bytes, &mut action)
                }
                [a, b, c] => self.artifact([a.to_ascii_uppercase(), b.to_ascii_uppercase()], c, bytes),
                _ => Err(false),
            };
            done.map_err(|is_range| if is_range { Slip::Range(word) } else { Slip::Unknown(word) })?;
        }
        if self.actions {
            action.add(record);
        }
        Ok(())
    }

    /// A byte as it is; LMPC takes 1 to 255.
    fn raw(
        &self,
        letter: u8,
        number: Option<i64>,
        bytes: &mut [u8],
        action: &mut Action,
    ) -> Result<(), bool> {
        let value = number.ok_or(false)?;
        let at = match letter {
            b'G' if !self.keys => self.forward,
            b'S' if !self.keys => self.forward + 1,
            b'T' if !self.keys => self.turn,
            b'U' if !self.keys => self.buttons,
            b'F' if self.extra != Extra::None => self.buttons + 1,
            b'A' if self.extra != Extra::None => self.buttons + 2,
            b'X' if self.actions => {
                action.byte = u8::try_from(value).map_err(|_| true)?;
                return Ok(());
            }
            _ => return Err(false),
        };
        let wide = if letter == b'T' { self.wide } else { 1 };
        let most = if wide == 2 { 0xFFFF } else { 0xFF };
        if !(0..=most).contains(&value) {
            return Err(true);
        }
        put(bytes, at, wide, value as i32);
        Ok(())
    }

    fn word(
        &self,
        name: [u8; 2],
        number: Option<i64>,
        bytes: &mut [u8],
        action: &mut Action,
    ) -> Result<(), bool> {
        let way = |sign: i64, wide: usize| {
            let most = 1i64 << (8 * wide - 1);
            let value = number.ok_or(false)? * sign;
            if (-most..most).contains(&value) { Ok(value as i32) } else { Err(true) }
        };
        let (move_, side, turn) = (self.reach(), self.forward + self.reach(), if self.keys { -1 } else { 1 });
        match &name {
            b"WT" => {}
            b"GF" if !self.keys => put(bytes, self.forward, 1, way(1, 1)?),
            b"GB" if !self.keys => put(bytes, self.forward, 1, way(-1, 1)?),
            b"SR" if !self.keys => put(bytes, side, 1, way(1, 1)?),
            b"SL" if !self.keys => put(bytes, side, 1, way(-1, 1)?),
            b"GX" if self.keys => put(bytes, self.forward, move_, way(1, 2)?),
            b"GY" if self.keys => put(bytes, side, move_, way(1, 2)?),
            b"TL" => put(bytes, self.turn, self.wide, way(turn, self.wide)?),
            b"TR" => put(bytes, self.turn, self.wide, way(-turn, self.wide)?),
            b"LU" | b"LD" if self.keys && number.is_some() && self.wide == 1 => {
                put(bytes, 1, 1, way(if name[1] == b'U' { 1 } else { -1 }, 1)?);
            }
            b"NW" if self.keys => self.set(bytes, ranged(number, 0, 15)? << 8, 0),
            _ if self.keys => {
                let bit = DUKE_KEYS.iter().position(|key| key.as_bytes() == name).ok_or(false)?;
                no_number(number)?;
                self.set(bytes, 1 << bit, 0);
            }
            b"FW" => self.set(bytes, 1, 0),
            b"UT" => self.set(bytes, 2, 0),
            b"NW" => {
                let weapon = ranged(number, 1, 16)? - 1;
                self.set(bytes, u32::from(CHANGE) | weapon << 3, 0);
            }
            b"PS" | b"PE" => self.set(bytes, PAUSE.into(), 0),
            b"SG" => self.set(bytes, u32::from(SAVE) | ranged(number, 0, 7)? << 2, 0),
            b"XS" if self.actions => action.save = ranged(number, 0, 255)? as u8,
            b"XL" if self.actions => action.load = ranged(number, 0, 255)? as u8,
            b"XV" if self.actions => action.look = way(1, 2)? as i16,
            _ => return self.beyond(name, number, bytes),
        }
        Ok(())
    }

    /// Words of Heretic, Hexen and Strife.
    fn beyond(&self, name: [u8; 2], number: Option<i64>, bytes: &mut [u8]) -> Result<(), bool> {
        let signed = |up: bool| {
            ranged(number, 0, 8).map(|value| if up { value & 15 } else { value.wrapping_neg() & 15 })
        };
        match (self.extra, &name) {
            (Extra::Strife, b"AC") => self.set(bytes, ranged(number, 0, 255)?, 2),
            (Extra::Strife, _) => {
                let bit = STRIFE_KEYS.iter().position(|key| key.as_bytes() == name).ok_or(false)?;
                no_number(number)?;
                self.set(bytes, 1 << bit, 1);
            }
            (Extra::Artifact(_), b"LU" | b"LD") => self.set(bytes, signed(name[1] == b'U')?, 1),
            (Extra::Artifact(_), b"FU" | b"FD") => self.set(bytes, signed(name[1] == b'U')? << 4, 1),
            (Extra::Artifact(_), b"LC") => self.set(bytes, 8, 1),
            (Extra::Artifact(_), b"FC") => self.set(bytes, 0x80, 1),
            (Extra::Artifact(_), b"JU") => self.set(bytes, 0x80, 2),
            (Extra::Artifact(_), b"UA") => self.set(bytes, 0x21, 2),
            _ => return Err(false),
        }
        Ok(())
    }

    /// `ATa` is the first artifact.
    fn artifact(&self, name: [u8; 2], letter: u8, bytes: &mut [u8]) -> Result<(), bool> {
        let letter = letter.to_ascii_lowercase();
        match self.extra {
            Extra::Artifact(most) if name == *b"AT" => {
                let number = letter.wrapping_sub(b'a').wrapping_add(1);
                if !(1..=most).contains(&number) {
                    return Err(true);
                }
                self.set(bytes, number.into(), 2);
                Ok(())
            }
            _ => Err(false),
        }
    }

    /// Sets bits of the buttons, or of the bytes behind them.
    fn set(&self, bytes: &mut [u8], bits: u32, behind: usize) {
        let wide = if self.keys { 4 } else { 1 };
        for (byte, bits) in bytes.iter_mut().skip(self.buttons + behind).take(wide).zip(bits.to_le_bytes()) {
            *byte |= bits;
        }
    }
}

fn no_number(number: Option<i64>) -> Result<(), bool> {
    if number.is_none() { Ok(()) } else { Err(false) }
}

fn ranged(number: Option<i64>, least: i64, most: i64) -> Result<u32, bool> {
    let value = number.ok_or(false)?;
    if (least..=most).contains(&value) { Ok(value as u32) } else { Err(true) }
}

/// A number as texts have it: decimal, or hexadecimal behind `0x`.
pub(crate) fn number(digits: &[u8]) -> Option<i64> {
    let (minus, digits) = match digits.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, digits),
    };
    let hex = digits.strip_prefix(b"0x").or(digits.strip_prefix(b"0X"));
    let (base, digits) = hex.map_or((10, digits), |digits| (16, digits));
    if digits.is_empty() || digits.len() > 12 {
        return None;
    }
    let value = digits.iter().try_fold(0i64, |value, byte| {
        Some(value * i64::from(base) + i64::from((*byte as char).to_digit(base)?))
    })?;
    Some(if minus { -value } else { value })
}

/// Which word of a record is wrong, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slip<'w> {
    Unknown(&'w [u8]),
    Number(&'w [u8]),
    Range(&'w [u8]),
}

/// The bytes of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Packed {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Packed {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut packed = Self { bytes: [0; LONGEST], length: bytes.len().min(LONGEST) };
        packed.bytes.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        packed
    }

    /// Nothing is pressed.
    pub(crate) fn idle(form: &RecordForm) -> Self {
        Self { bytes: [0; LONGEST], length: form.length + usize::from(form.actions) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

/// The actions of dsda-doom, which follow the rest of a record.
#[derive(Default)]
struct Action {
    byte: u8,
    save: u8,
    load: u8,
    look: i16,
}

impl Action {
    fn add(&self, record: &mut Packed) {
        let [low, high] = self.look.to_le_bytes();
        let all = [(true, self.byte), (self.byte & 2 != 0, self.save), (self.byte & 4 != 0, self.load)];
        let look = [(self.byte & 0x20 != 0, low), (self.byte & 0x20 != 0, high)];
        for (is_there, byte) in all.into_iter().chain(look) {
            if let (true, Some(place)) = (is_there, record.bytes.get_mut(record.length)) {
                *place = byte;
                record.length += 1;
            }
        }
    }
}
