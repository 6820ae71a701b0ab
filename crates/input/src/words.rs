//! The words of a record in print: LMPC's letters, and numbers in decimal.

/// The words of a record, in a fixed buffer so that printing does not allocate.
pub(crate) struct RecordText {
    bytes: [u8; 192],
    pub(crate) length: usize,
}

impl Default for RecordText {
    fn default() -> Self {
        Self { bytes: [0; 192], length: 0 }
    }
}

impl RecordText {
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

    pub(crate) fn digits(&mut self, sign: &str, value: u32) {
        self.push(sign.as_bytes());
        self.push(itoa::Buffer::new().format(value).as_bytes());
    }

    pub(crate) fn number(&mut self, word: &str, value: u32) {
        self.word(word);
        self.digits("", value);
    }

    /// Appends a word and a number in hexadecimal.
    pub(crate) fn hex(&mut self, word: &str, value: u32, digits: usize) {
        self.word(word);
        self.push(b"0x");
        for digit in (0..digits).rev() {
            let digit = (value >> (4 * digit) & 15) as usize;
            self.push(b"0123456789ABCDEF".get(digit..=digit).unwrap_or_default());
        }
    }
}
