//! The words of a record as they are printed: LMPC's letters, and numbers in decimal.

/// The words of a record, on a line that is not allocated.
pub(crate) struct Words {
    bytes: [u8; 160],
    pub(crate) length: usize,
}

impl Default for Words {
    fn default() -> Self {
        Self { bytes: [0; 160], length: 0 }
    }
}

impl Words {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(self.length..self.length + bytes.len()) {
            place.copy_from_slice(bytes);
            self.length += bytes.len();
        }
    }

    pub(crate) fn word(&mut self, word: &str) {
        if self.length > 0 {
            self.push(b" ");
        }
        self.push(word.as_bytes());
    }

    pub(crate) fn flag(&mut self, is_set: bool, word: &str) {
        if is_set {
            self.word(word);
        }
    }

    pub(crate) fn letter(&mut self, word: &str, letter: u8) {
        self.word(word);
        self.push(&[letter]);
    }

    pub(crate) fn number(&mut self, word: &str, value: u32) {
        self.word(word);
        let (mut digits, mut at, mut value) = ([0; 10], 10, value);
        while let (true, Some(digit)) = (at == 10 || value > 0, digits.get_mut(at - 1)) {
            *digit = b'0' + (value % 10) as u8;
            value /= 10;
            at -= 1;
        }
        self.push(digits.get(at..).unwrap_or_default());
    }

    pub(crate) fn signed(&mut self, word: &str, value: i32) {
        if value < 0 {
            self.word(word);
            self.push(b"-");
            let length = self.length;
            self.number("", value.unsigned_abs());
            // The number came as a word of its own: the blank before it goes.
            self.bytes.copy_within(length + 1..self.length, length);
            self.length -= 1;
        } else {
            self.number(word, value.unsigned_abs());
        }
    }

    /// A movement one way or the other; LMPC has no word for the lowest value that there is.
    pub(crate) fn way(&mut self, plus: &str, minus: &str, raw: &str, value: i32, lowest: i32) {
        match value {
            0 => {}
            _ if value == lowest => {
                self.word(raw);
                self.push(if lowest == -128 { b"0x80" } else { b"0x8000" });
            }
            1.. => self.number(plus, value.unsigned_abs()),
            _ => self.number(minus, value.unsigned_abs()),
        }
    }

    pub(crate) fn byte(&mut self, word: &str, value: u8) {
        self.word(word);
        let digit = |value: u8| b"0123456789ABCDEF".get(usize::from(value & 15)).copied().unwrap_or(b'0');
        self.push(&[b'0', b'x', digit(value >> 4), digit(value)]);
    }

    /// Looking or flying: up, down, or back to the middle.
    pub(crate) fn nibble(&mut self, [up, down, middle]: [&str; 3], value: u8) {
        match value {
            0 => {}
            8 => self.word(middle),
            1..8 => self.number(up, value.into()),
            _ => self.number(down, u32::from(16 - value)),
        }
    }
}
