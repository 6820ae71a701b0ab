//! What was said before in the very same letters, and the bytes that it was: of a frame's entities most say again what
//! they said in the frame before.
//!
//! Only the first letters behind the keyword choose a place, for where a record ends is not known yet: what is kept
//! there is then compared as a whole. So it is found by looking at it once, without reading a field.

use crate::window::AHEAD;

/// The longest text that is kept: with more, few are found again.
const TEXT: usize = 192;

/// The most bytes that are kept. A power of two is copied at once.
const DATA: usize = 32;

/// How many are kept. They must stay in the nearer caches, or finding them is no gain.
const PLACES: usize = 1 << 10;

/// Which letters choose a place: those of the first fields, for a keyword of a dozen.
const FIRST: usize = 16;

/// What was said of late, under one context.
#[derive(Debug)]
pub(crate) struct Seen {
    said: Vec<Said>,
    /// Of what was last at each place: what comes but once takes nobody's.
    signs: Vec<u32>,
    /// How often all was forgotten.
    age: u64,
}

#[derive(Clone, Copy, Debug)]
struct Said {
    text: [u8; TEXT],
    data: [u8; DATA],
    /// How much of each there is.
    length: usize,
    bytes: usize,
    age: u64,
}

/// Where what begins with these letters has its place, and by what it is known again.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    at: usize,
    sign: u32,
}

impl Seen {
    const NONE: Said = Said { text: [0; TEXT], data: [0; DATA], length: 0, bytes: 0, age: 0 };

    pub(crate) fn new() -> Self {
        Self { said: vec![Self::NONE; PLACES], signs: vec![0; PLACES], age: 1 }
    }

    /// Forgets all: what is said from now on may mean other bytes.
    pub(crate) fn forget(&mut self) {
        self.age += 1;
    }

    /// Where what begins here has its place.
    #[inline(always)]
    pub(crate) fn place(text: &[u8; AHEAD]) -> Place {
        const ODD: [u64; 4] =
            [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0xD6E8_FEB8_6659_FD93, 0xA076_1D64_78BD_642F];
        let words = text.get(FIRST..).unwrap_or_default().as_chunks().0;
        let products = words.iter().zip(ODD).map(|(word, odd)| u64::from_le_bytes(*word).wrapping_mul(odd));
        let sum = products.fold(0, |sum, product| sum ^ product);
        Place { at: (sum >> 48) as usize % PLACES, sign: (sum >> 16) as u32 }
    }

    /// Appends the bytes of what comes to `data`, if it was said before; gives how long the text of it is.
    #[inline(always)]
    pub(crate) fn again(&self, place: Place, text: &[u8; AHEAD], data: &mut Vec<u8>) -> Option<usize> {
        let said = self.said.get(place.at)?;
        let kept = said.text.get(..said.length)?;
        if said.age != self.age || text.get(..said.length)? != kept {
            return None;
        }
        let len = data.len() + said.bytes;
        data.extend_from_slice(&said.data);
        data.truncate(len);
        Some(said.length)
    }

    /// Keeps what was said, the second time that something with these first letters is.
    #[inline(always)]
    pub(crate) fn keep(&mut self, place: Place, text: &[u8; AHEAD], length: usize, data: &[u8]) {
        let Some(sign) = self.signs.get_mut(place.at) else { return };
        if std::mem::replace(sign, place.sign) == place.sign && length <= TEXT && data.len() <= DATA {
            self.say(place, text, length, data);
        }
    }

    #[inline(never)]
    fn say(&mut self, place: Place, text: &[u8; AHEAD], length: usize, data: &[u8]) {
        if let Some(said) = self.said.get_mut(place.at)
            && let (Some(letters), Some(bytes)) = (text.first_chunk(), said.data.get_mut(..data.len()))
        {
            said.text = *letters;
            bytes.copy_from_slice(data);
            (said.length, said.bytes, said.age) = (length, data.len(), self.age);
        }
    }
}
