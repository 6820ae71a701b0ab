//! The checksum of zip and gzip, instead of the crate of this name: the tables of that one are 16 kB of numbers that do
//! not compress, and the page is loaded over networks. It has the functions that `flate2` and `moviola-container` call.

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let (mut value, mut bit) = (at as u32, 0);
        while bit < 8 {
            value = if value & 1 == 1 { value >> 1 ^ 0xEDB8_8320 } else { value >> 1 };
            bit += 1;
        }
        table[at] = value;
        at += 1;
    }
    table
};

/// The checksum of bytes.
pub fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher.finalize()
}

/// The checksum of bytes that arrive in pieces.
#[derive(Clone, Debug, Default)]
pub struct Hasher(u32);

impl Hasher {
    /// The checksum of no bytes.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0 = !bytes.iter().fold(!self.0, |crc, byte| crc >> 8 ^ TABLE[(crc as u8 ^ byte) as usize]);
    }

    /// The checksum.
    pub fn finalize(self) -> u32 {
        self.0
    }

    /// Starts again with no bytes.
    pub fn reset(&mut self) {
        self.0 = 0;
    }

    /// The checksum of two pieces together. Only writers of archives need it, and the page writes none, so it does
    /// nothing.
    pub fn combine(&mut self, _: &Self) {
        unimplemented!("checksums are not combined here")
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_the_checksum_of_zip() {
        assert_eq!(super::hash(b"123456789"), 0xCBF4_3926);
    }
}
