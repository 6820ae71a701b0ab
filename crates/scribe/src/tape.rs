//! The file builder: blocks are appended to the tape, which counts them.

use crate::{End, Game, Message, Sample, Wire};

/// A recording that is being written.
#[derive(Clone, Debug)]
pub struct Tape {
    game: Game,
    bytes: Vec<u8>,
    header: usize,
    blocks: usize,
    messages: usize,
    raw_blocks: usize,
    protocols: Vec<i32>,
    maps: Vec<String>,
    titles: Vec<String>,
}

impl Tape {
    /// A Quake recording that begins with these header bytes, usually the CD track and a newline.
    pub fn dem(header: &[u8]) -> Self {
        Self::new(Game::Quake, header)
    }

    /// A Quake II recording, which has no header.
    pub fn dm2() -> Self {
        Self::new(Game::Quake2, &[])
    }

    fn new(game: Game, header: &[u8]) -> Self {
        Self {
            game,
            bytes: header.to_vec(),
            header: header.len(),
            blocks: 0,
            messages: 0,
            raw_blocks: 0,
            protocols: Vec::new(),
            maps: Vec::new(),
            titles: Vec::new(),
        }
    }

    /// Records that the next messages announce a level.
    pub fn announce(&mut self, protocol: i32, map: &str, title: &str) {
        self.protocols.push(protocol);
        self.maps.push(map.to_owned());
        self.titles.push(title.to_owned());
    }

    /// A DEM block: length, three camera angles, messages.
    pub fn dem_block(&mut self, camera: [f32; 3], messages: &[Message]) {
        self.dem_block_raw(camera, messages, &[]);
    }

    /// A DEM block with bytes after its messages that a reader need not understand.
    pub fn dem_block_raw(&mut self, camera: [f32; 3], messages: &[Message], tail: &[u8]) {
        self.count(messages, tail);
        self.bytes.extend(dem_block(camera, messages, tail));
    }

    /// A DM2 block: length, messages. Without messages it is the empty block between levels.
    pub fn dm2_block(&mut self, messages: &[Message]) {
        self.dm2_block_raw(messages, &[]);
    }

    /// A DM2 block with bytes after its messages that a reader need not understand.
    pub fn dm2_block_raw(&mut self, messages: &[Message], tail: &[u8]) {
        self.count(messages, tail);
        self.bytes.extend(dm2_block(messages, tail));
    }

    /// A `DarkPlaces` client-to-server block: bit 31 of the length is set, and readers of server messages
    /// skip it (wire A0.4).
    pub fn dem_block_upward(&mut self, camera: [f32; 3], data: &[u8]) {
        self.count(&[], data);
        let length = data.len() as u32 | 0x8000_0000;
        self.bytes.extend(Wire::new().u32(length).each(camera, Wire::f32).raw(data).done());
    }

    /// Bytes that are not a block: end mark, junk, a part of a block.
    pub fn loose(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The end mark of DM2: a block length of -1.
    pub fn mark(&mut self) {
        self.loose(&[0xFF; 4]);
    }

    /// Closes the recording.
    pub fn finish(self, name: &'static str, about: &'static str, ends: End) -> Sample {
        Sample {
            name,
            about,
            game: self.game,
            bytes: self.bytes,
            header: self.header,
            blocks: self.blocks,
            messages: self.messages,
            raw_blocks: self.raw_blocks,
            protocol: self.protocols.first().copied().unwrap_or(0),
            protocols: self.protocols,
            maps: self.maps,
            titles: self.titles,
            ends,
        }
    }

    fn count(&mut self, messages: &[Message], tail: &[u8]) {
        self.blocks += 1;
        self.messages += messages.len();
        self.raw_blocks += usize::from(!tail.is_empty());
    }
}

/// The bytes of a DEM block (D2 6.2).
pub(crate) fn dem_block(camera: [f32; 3], messages: &[Message], tail: &[u8]) -> Vec<u8> {
    let body = [messages.concat().as_slice(), tail].concat();
    Wire::new().i32(body.len() as i32).each(camera, Wire::f32).raw(&body).done()
}

/// The bytes of a DM2 block (M2 2.2).
pub(crate) fn dm2_block(messages: &[Message], tail: &[u8]) -> Vec<u8> {
    let body = [messages.concat().as_slice(), tail].concat();
    Wire::new().i32(body.len() as i32).raw(&body).done()
}
