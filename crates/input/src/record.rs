//! Records: the position of each part in the bytes of a tic, and its words in a text. Each word is a row of a table,
//! which printing and parsing share. A byte that the words of its part cannot express is printed as LMPC prints it: as
//! a letter and a number, `U0x40`.

mod tables;

pub(crate) use crate::words::RecordText;
use tables::ACTIONS;
pub(crate) use tables::{DUKE, DUKE_OLD, HERETIC_RECORD, HEXEN_RECORD, LONG, SHORT, STRIFE_RECORD, TAS};

/// The most bytes that a record can have.
pub(crate) const LONGEST: usize = 16;

/// The meaning of a word for its part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartMeaning {
    /// A number, multiplied by this sign.
    Way(i64),
    /// A signed number.
    Signed,
    /// The word sets these bits; other words may set further bits of the byte.
    Bits(u32),
    /// The word sets the whole byte to this value.
    Whole(u32),
    /// A number from `minimum` to `maximum`, stored at the bit `shift`, together with these `bits`.
    Number {
        minimum: u32,
        maximum: u32,
        shift: u32,
        bits: u32,
    },
    /// Four bits at this shift: up, down, or centered.
    Up(u32),
    Down(u32),
    Middle(u32),
    /// An artifact, by its letter.
    Letter,
    /// The pause begins or, if true, ends.
    Pause(bool),
    /// The whole part as a number.
    Raw,
}

impl PartMeaning {
    /// The bits of the part that the word determines; no other word of the record may set them too.
    fn bits(self) -> u32 {
        match self {
            Bits(bits) => bits,
            Number { maximum: most, minimum: least, shift, bits } if bits != SAVE => {
                (most - least) << shift | bits
            }
            Up(shift) | Down(shift) | Middle(shift) => 15 << shift,
            // A tic can have both an artifact and a jump, which has a separate bit.
            Whole(_) | Letter => 0x7F,
            Way(_) | Signed | Number { .. } | Pause(_) | Raw => u32::MAX,
        }
    }
}

/// A word: its letters, its part of a record, and its meaning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    name: &'static str,
    part: Field,
    meaning: PartMeaning,
    about: &'static str,
}

/// The parts of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Forward,
    Side,
    Turn,
    Buttons,
    /// Look and fly, Strife's second buttons, Duke's horizon.
    Look,
    /// Artifact or inventory.
    Item,
    /// dsda-doom's byte of actions; its bits show which of the next parts follow.
    Action,
    Save,
    Load,
    Pitch,
}

/// The number of parts.
const PARTS: usize = Field::Pitch as usize + 1;

/// A kind of record: the places of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordForm {
    pub(crate) length: usize,
    /// The offset of the movement ahead; the movement to the side follows it.
    pub(crate) forward: usize,
    pub(crate) turn: usize,
    /// The size of a turn in bytes.
    pub(crate) wide: usize,
    pub(crate) buttons: usize,
    /// Whether two bytes follow the buttons.
    pub(crate) more: bool,
    pub(crate) words: &'static [&'static [Row]],
    pub(crate) weapons: &'static [&'static str],
    pub(crate) artifacts: &'static [&'static str],
    /// Whether the record is Duke's: 32 bits of keys, and two bytes for each movement.
    pub(crate) keys: bool,
    /// Whether dsda-doom's byte of actions follows.
    pub(crate) actions: bool,
}

/// The byte that ends a recording; no record can begin with it.
pub(crate) const END: u8 = 0x80;
const PAUSE: u32 = 0x81;
const SAVE: u32 = 0x82;
const CHANGE: u32 = 4;

use PartMeaning::{Bits, Down, Letter, Middle, Number, Pause, Raw, Signed, Up, Way, Whole};

/// The input of one player in one tic, as numbers.
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
    /// Movement to the right; in Duke 1.0 and 1.1 along the map's y axis.
    pub side: i32,
    /// The turn to the left, in the recording's units.
    pub turn: i32,
    /// The byte of buttons, unchanged.
    pub buttons: u32,
    /// Looking and flying, Duke's horizon, Strife's second byte of buttons.
    pub look: i32,
    /// Artifact or inventory.
    pub extra: u8,
    /// The number of the weapon to which the player changes, counted from 1; 0 if none.
    pub weapon: u8,
    /// dsda-doom's byte of actions: 1 jump, 2 save, 4 load, 8 god, 16 noclip, 32 look.
    pub actions: u8,
    /// dsda-doom's change of the view's pitch.
    pub pitch: i32,
}

/// The tic and the player of a record.
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
    /// The player, counted from 0.
    pub player: usize,
    /// Tics per second.
    pub rate: u64,
}

impl RecordForm {
    /// The offset and the size of a part in bytes; the size is 0 if the record has no such part.
    fn place(&self, part: Field) -> (usize, usize) {
        let reach = if self.keys { 2 } else { 1 };
        let more = usize::from(self.more);
        match part {
            Field::Forward => (self.forward, reach),
            Field::Side => (self.forward + reach, reach),
            Field::Turn => (self.turn, self.wide),
            Field::Buttons => (self.buttons, if self.keys { 4 } else { 1 }),
            // Duke's horizon follows its turn of one byte.
            Field::Look if self.keys => (1, usize::from(self.wide == 1)),
            Field::Look => (self.buttons + 1, more),
            Field::Item => (self.buttons + 2, more),
            Field::Action => (self.length, 1),
            Field::Save => (self.length + 1, 1),
            Field::Load => (self.length + 2, 1),
            Field::Pitch => (self.length + 3, 2),
        }
    }

    fn get(&self, bytes: &[u8], part: Field) -> u32 {
        let (at, wide) = self.place(part);
        let part = bytes.get(at..at + wide).unwrap_or_default();
        part.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
    }

    fn signed(&self, bytes: &[u8], part: Field) -> i32 {
        match (self.place(part).1, self.get(bytes, part)) {
            (1, value) => i32::from(value as u8 as i8),
            (_, value) => i32::from(value as u16 as i16),
        }
    }

    fn put(&self, bytes: &mut [u8], part: Field, value: u32) {
        let (at, wide) = self.place(part);
        let places = bytes.iter_mut().skip(at).take(wide);
        places.zip(value.to_le_bytes()).for_each(|(place, byte)| *place = byte);
    }

    /// The length of the record at the start of these bytes; `None` if the record is cut off.
    pub(crate) fn measure(&self, bytes: &[u8]) -> Option<usize> {
        let action = if self.actions { Some(*bytes.get(self.length)?) } else { None };
        let length = self.length
            + action.map_or(0, |action| 1 + parts_after(action).iter().map(|it| it.1).sum::<usize>());
        (bytes.len() >= length).then_some(length)
    }

    /// Copies a record so that each part of dsda-doom's has a fixed position; absent parts are zero.
    fn spread(&self, bytes: &[u8]) -> [u8; LONGEST] {
        let mut all = [0; LONGEST];
        all.iter_mut().zip(bytes).take(self.length + 1).for_each(|(place, byte)| *place = *byte);
        let action = all.get(self.length).copied().filter(|_| self.actions).unwrap_or_default();
        let mut rest = bytes.iter().skip(self.length + 1);
        for (part, wide) in parts_after(action) {
            let bytes = (0..wide).zip(rest.by_ref());
            let value = bytes.fold(0, |value, (at, byte)| value | u32::from(*byte) << (8 * at));
            self.put(&mut all, part, value);
        }
        all
    }

    /// Reverses `spread`: omits the parts that the byte of actions does not announce.
    fn gather(&self, all: [u8; LONGEST]) -> Packed {
        let mut packed = Packed { bytes: all, length: self.length + usize::from(self.actions) };
        if self.actions {
            for (part, wide) in parts_after(self.get(&all, Field::Action) as u8) {
                let value = self.get(&all, part).to_le_bytes();
                let places = packed.bytes.iter_mut().skip(packed.length).take(wide);
                places.zip(value).for_each(|(place, byte)| *place = byte);
                packed.length += wide;
            }
        }
        packed
    }

    /// The numbers of a record. A turn to the left is positive, as in DOOM.
    pub(crate) fn input(&self, bytes: &[u8]) -> TicInput {
        let turn = self.signed(bytes, Field::Turn);
        let look =
            if self.keys { self.signed(bytes, Field::Look) } else { self.get(bytes, Field::Look) as i32 };
        let mut input = TicInput {
            forward: self.signed(bytes, Field::Forward),
            side: self.signed(bytes, Field::Side),
            turn: if self.keys { -turn } else { turn },
            buttons: self.get(bytes, Field::Buttons),
            look,
            extra: self.get(bytes, Field::Item) as u8,
            weapon: 0,
            actions: 0,
            pitch: 0,
        };
        if self.actions {
            let all = self.spread(bytes);
            input.actions = self.get(&all, Field::Action) as u8;
            input.pitch = self.signed(&all, Field::Pitch);
        }
        input.weapon = match input.buttons {
            keys if self.keys => keys >> 8 & 15,
            buttons if buttons & 0x84 == CHANGE => (buttons >> 3 & 15) + 1,
            _ => 0,
        } as u8;
        input
    }

    /// Whether a record begins or ends a pause.
    pub(crate) fn is_pause(&self, bytes: &[u8]) -> bool {
        !self.keys && self.get(bytes, Field::Buttons) & 0x83 == PAUSE
    }

    pub(crate) fn is_save(&self, bytes: &[u8]) -> bool {
        !self.keys && self.get(bytes, Field::Buttons) & 0x83 == SAVE
    }

    /// Whether the turn of a record has bits that do not fit into the other kind of record.
    pub(crate) fn loses_turns(&self, other: &Self, bytes: &[u8]) -> bool {
        self.wide > other.wide && self.get(bytes, Field::Turn) & 0xFF != 0
    }

    /// Converts a record to another kind with the same input, and scales the turn to its size.
    pub(crate) fn turned_into(&self, other: &Self, bytes: &[u8]) -> Packed {
        let mut converted = Packed::idle(other);
        for part in [Field::Forward, Field::Side, Field::Buttons, Field::Look, Field::Item] {
            other.put(&mut converted.bytes, part, self.get(bytes, part));
        }
        let turn = self.signed(bytes, Field::Turn);
        let turn = match (self.wide, other.wide) {
            (1, 2) => turn << 8,
            (2, 1) => turn >> 8,
            _ => turn,
        };
        other.put(&mut converted.bytes, Field::Turn, turn as u32);
        converted
    }

    /// Clears all buttons, which removes a pause or a saved game.
    pub(crate) fn clear_buttons(&self, bytes: &mut [u8]) {
        self.put(bytes, Field::Buttons, 0);
    }

    fn tables(&self) -> impl Iterator<Item = &'static [Row]> {
        self.words.iter().copied().chain(self.actions.then_some(ACTIONS))
    }

    /// The words of a tic that `word` may mean, and their explanations.
    pub(crate) fn named(&self, word: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        let length = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (letters, digits) = word.as_bytes().split_at(length);
        // `T099` is a code of another list.
        let fits = digits.is_empty() || letters.len() > 1 || digits.starts_with(b"0x");
        let is_bare = move |row: &&Row| row.name.as_bytes().eq_ignore_ascii_case(letters);
        let rows = self.tables().flatten().filter(move |_| fits);
        rows.filter(move |row| is_bare(row) || row.is_meant(letters, false)).map(|row| (row.name, row.about))
    }

    /// Prints the words of a record. If the game is `paused`, a pause in the record ends it.
    pub(crate) fn print(&self, bytes: &[u8], paused: bool, words: &mut RecordText) {
        words.length = 0;
        let all = self.spread(bytes);
        for rows in self.tables().flat_map(|table| table.chunk_by(|a, b| a.part == b.part)) {
            self.print_part(rows, &all, paused, words);
        }
        if words.length == 0 {
            words.word("WT");
        }
    }

    /// Prints the words of a part; `left` has the bits that are not expressed by a word yet.
    fn print_part(&self, rows: &[Row], bytes: &[u8], paused: bool, words: &mut RecordText) {
        let Some(Row { part, .. }) = rows.first() else { return };
        let ((_, wide), start) = (self.place(*part), words.length);
        let (value, signed) = (self.get(bytes, *part), i64::from(self.signed(bytes, *part)));
        let mut left = value;
        for Row { name, meaning, .. } in rows.iter().filter(|_| value != 0) {
            left = match *meaning {
                // LMPC has no word for the lowest value of a part.
                Way(sign) if signed * sign > 0 && (self.keys || signed > -1 << (8 * wide - 1)) => {
                    words.number(name, signed.unsigned_abs() as u32);
                    0
                }
                Signed => {
                    words.word(name);
                    words.digits(if signed < 0 { "-" } else { "" }, signed.unsigned_abs() as u32);
                    0
                }
                Bits(bits) if left & bits == bits => {
                    words.word(name);
                    left & !bits
                }
                Whole(all) if left == all => {
                    words.word(name);
                    0
                }
                Pause(ends) if left == PAUSE && ends == paused => {
                    words.word(name);
                    0
                }
                Number { minimum: least, maximum: most, shift, bits } if left & bits == bits && left != 0 => {
                    let field = (most - least) << shift;
                    let rest = left & !(field | bits);
                    // A command to save the game has no other bits, and Duke has no weapon 0.
                    if bits == SAVE && rest != 0 || bits == 0 && left & field == 0 {
                        continue;
                    }
                    words.number(name, ((left & field) >> shift) + least);
                    rest
                }
                Up(shift) if (1..8).contains(&(left >> shift & 15)) => {
                    words.number(name, left >> shift & 15);
                    left & !(15 << shift)
                }
                Down(shift) if (9..16).contains(&(left >> shift & 15)) => {
                    words.number(name, 16 - (left >> shift & 15));
                    left & !(15 << shift)
                }
                Middle(shift) if left >> shift & 15 == 8 => {
                    words.word(name);
                    left & !(15 << shift)
                }
                Letter if (1..=self.artifacts.len() as u32).contains(&left) => {
                    words.word(name);
                    words.push(&[b'a' + left as u8 - 1]);
                    0
                }
                Raw if left != 0 => {
                    words.length = start;
                    words.hex(name, value, 2 * wide);
                    0
                }
                _ => left,
            };
        }
    }

    /// The comment for a record: the name of its weapon or artifact.
    pub(crate) fn comment(&self, bytes: &[u8]) -> &'static str {
        let input = self.input(bytes);
        let named =
            |names: &[&'static str], number: u8| names.get(usize::from(number).checked_sub(1)?).copied();
        let weapon = named(self.weapons, input.weapon);
        weapon.or_else(|| named(self.artifacts, input.extra & 0x7F)).unwrap_or_default()
    }

    /// Parses the words of a record; the error names the wrong word.
    pub(crate) fn parse<'w>(&self, words: impl Iterator<Item = &'w [u8]>) -> Result<Packed, Slip<'w>> {
        let (mut all, mut seen) = ([0; LONGEST], [0u32; PARTS]);
        for word in words.filter(|word| !word.eq_ignore_ascii_case(b"WT")) {
            let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            let (name, digits) = word.split_at(letters.min(word.len()));
            let number =
                if digits.is_empty() { None } else { Some(number(digits).ok_or(Slip::Number(word))?) };
            let row = self.tables().flatten().find(|row| row.is_meant(name, number.is_some()));
            let row = row.ok_or(Slip::Unknown(word))?;
            let value = self.value(row, name, number.unwrap_or_default()).ok_or(Slip::Range(word))?;
            if let Some(seen) = seen.get_mut(row.part as usize) {
                let bits = row.meaning.bits();
                if *seen & bits != 0 {
                    return Err(Slip::Twice(word));
                }
                *seen |= bits;
            }
            let before = self.get(&all, row.part);
            self.put(&mut all, row.part, before | value);
        }
        // After dsda-doom's byte of actions, a part is present if its bit is set.
        if self.actions {
            let is_seen = |part: Field| seen.get(part as usize).is_some_and(|bits| *bits != 0);
            let bits =
                PARTS_AFTER.iter().filter(|it| is_seen(it.0)).fold(0, |bits, it| bits | u32::from(it.1));
            let action = self.get(&all, Field::Action) | bits;
            self.put(&mut all, Field::Action, action);
        }
        Ok(self.gather(all))
    }

    /// The bits of a word; `None` if its number is out of range.
    fn value(&self, row: &Row, name: &[u8], number: i64) -> Option<u32> {
        let size = 8 * self.place(row.part).1;
        let within = |least: i64, most: i64| (least..=most).contains(&number).then_some(number as u32);
        Some(match row.meaning {
            Way(_) | Signed => {
                let value = if row.meaning == Way(-1) { -number } else { number };
                let most = 1i64 << (size - 1);
                return (-most..most).contains(&value).then_some(value as u32);
            }
            Raw => within(0, (1 << size) - 1)?,
            Bits(bits) | Whole(bits) => bits,
            Number { minimum: least, maximum: most, shift, bits } => {
                (within(least.into(), most.into())? - least) << shift | bits
            }
            Up(shift) => (within(0, 8)? & 15) << shift,
            Down(shift) => (within(0, 8)?.wrapping_neg() & 15) << shift,
            Middle(shift) => 8 << shift,
            Pause(_) => PAUSE,
            Letter => {
                let number = name.last()?.to_ascii_lowercase().checked_sub(b'a')? + 1;
                Some(number).filter(|it| usize::from(*it) <= self.artifacts.len())?.into()
            }
        })
    }
}

impl Row {
    /// Whether these letters name this row.
    fn is_meant(&self, name: &[u8], has_number: bool) -> bool {
        let is_letter = self.meaning == Letter;
        let wants = matches!(self.meaning, Way(_) | Signed | Raw | Up(_) | Down(_) | Number { .. });
        let name = name.get(..name.len().saturating_sub(usize::from(is_letter))).unwrap_or_default();
        wants == has_number && name.eq_ignore_ascii_case(self.name.as_bytes())
    }
}

/// The parts that follow dsda-doom's byte of actions: their bits in that byte, and their sizes.
const PARTS_AFTER: [(Field, u8, usize); 3] =
    [(Field::Save, 2, 1), (Field::Load, 4, 1), (Field::Pitch, 0x20, 2)];

/// These parts with their sizes for a byte of actions; an absent part has size 0.
fn parts_after(action: u8) -> [(Field, usize); 3] {
    PARTS_AFTER.map(|(part, bit, wide)| (part, if action & bit == 0 { 0 } else { wide }))
}

/// Parses a number: decimal, or hexadecimal after `0x`.
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

/// The wrong word of a record, and the kind of the mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slip<'w> {
    Unknown(&'w [u8]),
    Number(&'w [u8]),
    Range(&'w [u8]),
    /// Another word of the record already sets these bits.
    Twice(&'w [u8]),
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

    /// A record without any input.
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
