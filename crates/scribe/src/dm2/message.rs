//! The messages that need no more than a few arguments (M2 section 3, wire C2).

use crate::{Message, Wire};

/// Isdemo: a bare copy of the network stream; also the value in the second level of a client recording
/// (errata 2.22).
pub const RECORD_NETWORK: u8 = 0x00;
/// Isdemo: recorded by a client.
pub const RECORD_CLIENT: u8 = 0x01;
/// Isdemo: recorded by a server, since 3.17.
pub const RECORD_SERVER: u8 = 0x02;
/// Isdemo: recorded by the Relay modification.
pub const RECORD_RELAY: u8 = 0x80;

/// Id 0x00: never sent on purpose.
pub fn bad() -> Message {
    vec![0x00]
}

/// Id 0x01: a player fires; bit 7 of the value means silenced.
pub fn muzzleflash(entity: i16, value: u8) -> Message {
    Wire::id(0x01).i16(entity).u8(value).done()
}

/// Id 0x02: a monster fires.
pub fn muzzleflash2(entity: i16, value: u8) -> Message {
    Wire::id(0x02).i16(entity).u8(value).done()
}

/// Id 0x04: the text of the field computer or the score board.
pub fn layout(text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x04).str0(text).done()
}

/// Id 0x05: the number of each item that the player has.
pub fn inventory(counts: &[i16; 256]) -> Message {
    Wire::id(0x05).each(*counts, Wire::i16).done()
}

/// Id 0x06: has no effect.
pub fn nop() -> Message {
    vec![0x06]
}

/// Id 0x07: the server is gone.
pub fn disconnect() -> Message {
    vec![0x07]
}

/// Id 0x08: the client is to connect anew.
pub fn reconnect() -> Message {
    vec![0x08]
}

/// The arguments of [`sound`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sound {
    /// Index in the list of sounds.
    pub index: u8,
    /// Bit 0, in 1/255; 255 when left out.
    pub volume: Option<u8>,
    /// Bit 1, in 1/64; 64 when left out.
    pub attenuation: Option<u8>,
    /// Bit 4, in milliseconds.
    pub offset: Option<u8>,
    /// Bit 3: entity and channel (0 to 7).
    pub source: Option<(u16, u8)>,
    /// Bit 2: the position.
    pub origin: Option<[f32; 3]>,
    /// Additional mask bits; bits 5 to 7 have no data.
    pub bits: u8,
}

/// Id 0x09: a sound starts. The offset precedes the source, and the source the position.
pub fn sound(data: &Sound) -> Message {
    let fields = [
        (0x01, data.volume.is_some()),
        (0x02, data.attenuation.is_some()),
        (0x10, data.offset.is_some()),
        (0x08, data.source.is_some()),
        (0x04, data.origin.is_some()),
    ];
    let mask = fields.iter().filter(|(_, on)| *on).fold(data.bits, |mask, (bit, _)| mask | bit);
    Wire::id(0x09)
        .u8(mask)
        .u8(data.index)
        .opt(data.volume, Wire::u8)
        .opt(data.attenuation, Wire::u8)
        .opt(data.offset, Wire::u8)
        .opt(data.source, |wire, (entity, channel)| wire.u16(entity << 3 | u16::from(channel) & 7))
        .opt(data.origin, Wire::pos16)
        .done()
}

/// Id 0x0A: text for the console; levels are 0 pickup, 1 death, 2 critical, 3 chat.
pub fn print(level: u8, text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x0A).u8(level).str0(text).done()
}

/// Id 0x0B: a console command for the client.
pub fn stufftext(text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x0B).str0(text).done()
}

/// The arguments of [`serverdata`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serverdata {
    /// The protocol.
    pub protocol: i32,
    /// The server's count of levels; recorders add 0x10000 (errata 2.26).
    pub key: i32,
    /// One of the `RECORD_` values.
    pub isdemo: u8,
    /// The game directory, empty for the plain game.
    pub game: &'static str,
    /// The player, -1 for none.
    pub client: i16,
    /// The displayed name of the level.
    pub title: &'static str,
}

/// Id 0x0C: announces a level.
pub fn serverdata(data: &Serverdata) -> Message {
    let wire = Wire::id(0x0C).i32(data.protocol).i32(data.key).u8(data.isdemo);
    wire.str0(data.game).i16(data.client).str0(data.title).done()
}

/// Id 0x0D: one of the strings all clients share.
pub fn configstring(index: i16, text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x0D).i16(index).str0(text).done()
}

/// Id 0x0F: text in the middle of the screen.
pub fn centerprint(text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x0F).str0(text).done()
}

/// Id 0x10: a part of a file. `None` stands for a file that does not exist, and writes a size of -1. The data
/// follows only from protocol 32 on; before, there is only its size (M2 3.17).
pub fn download(protocol: i32, percent: u8, data: Option<&[u8]>) -> Message {
    match data {
        None => Wire::id(0x10).i16(-1).u8(percent).done(),
        Some(data) => {
            let wire = Wire::id(0x10).i16(data.len() as i16).u8(percent);
            if protocol >= 32 { wire.raw(data).done() } else { wire.done() }
        }
    }
}

/// Id 0x13: never written by any program, with an unknown layout (M2 3.20, errata 2.25); only the id is
/// written.
pub fn deltapacketentities() -> Message {
    vec![0x13]
}

/// The arguments of [`frame`] and [`frame_relay`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The number of this frame.
    pub sequence: i32,
    /// The frame it is based on, -1 for none.
    pub delta: i32,
    /// Packets dropped to keep the rate; protocol 26 has no such byte (errata 2.20).
    pub suppressed: u8,
    /// The visible areas of the map.
    pub areas: &'a [u8],
}

/// Id 0x14 in client recordings; playerinfo and packetentities follow as messages of their own id.
pub fn frame(protocol: i32, data: &Frame<'_>) -> Message {
    put_frame(protocol, data).done()
}

/// Id 0x14 in Relay recordings: the client form and the numbers of the connected clients (M2 3.21).
pub fn frame_relay(protocol: i32, data: &Frame<'_>, connected: &[u8]) -> Message {
    put_frame(protocol, data).u8(connected.len() as u8).raw(connected).done()
}

fn put_frame(protocol: i32, data: &Frame<'_>) -> Wire {
    Wire::id(0x14)
        .i32(data.sequence)
        .i32(data.delta)
        .opt((protocol != 26).then_some(data.suppressed), Wire::u8)
        .u8(data.areas.len() as u8)
        .raw(data.areas)
}

/// Id 0x14 in server recordings: only the number; packetentities follow.
pub fn frame_server(sequence: i32) -> Message {
    Wire::id(0x14).i32(sequence).done()
}

/// A message for one client of a Relay recording: bit 7 of the id and the client after it (M2 2.5).
pub fn unicast(client: u8, message: &[u8]) -> Message {
    match message.split_first() {
        Some((id, rest)) => Wire::id(id | 0x80).u8(client).raw(rest).done(),
        None => Message::new(),
    }
}
