//! The messages of protocol 15 that need no more than a few arguments (D2 section 7).

use super::Net;
use crate::{Message, Wire};

/// Id 0x00: never sent on purpose.
pub fn bad() -> Message {
    vec![0x00]
}

/// Id 0x01: has no effect.
pub fn nop() -> Message {
    vec![0x01]
}

/// Id 0x02: the server is gone; normally the only message of the last block.
pub fn disconnect() -> Message {
    vec![0x02]
}

/// Id 0x03: one value of the player's state.
pub fn updatestat(index: u8, value: i32) -> Message {
    Wire::id(0x03).u8(index).i32(value).done()
}

/// Id 0x04: the protocol, without the rest of a level's announcement.
pub fn version(protocol: i32) -> Message {
    Wire::id(0x04).i32(protocol).done()
}

/// Id 0x05: the entity the camera sits in.
pub fn setview(entity: i16) -> Message {
    Wire::id(0x05).i16(entity).done()
}

/// Id 0x07: seconds since the level began.
pub fn time(seconds: f32) -> Message {
    Wire::id(0x07).f32(seconds).done()
}

/// Id 0x08: text for the console.
pub fn print(text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x08).str0(text).done()
}

/// Id 0x09: a console command for the client.
pub fn stufftext(text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x09).str0(text).done()
}

/// Id 0x0A: turns the camera.
pub fn setangle(net: &Net, degrees: [f32; 3]) -> Message {
    Wire::id(0x0A).each(degrees, |wire, value| wire.angle(net.angle, value)).done()
}

/// Id 0x0B: announces a level. The first name in either list has index 1. Protocol 999 has its flags right
/// after its number (wire A3).
pub fn serverinfo<T: AsRef<[u8]>>(
    net: &Net,
    maxclients: u8,
    gametype: u8,
    title: impl AsRef<[u8]>,
    models: &[T],
    sounds: &[T],
) -> Message {
    Wire::id(0x0B)
        .i32(net.protocol)
        .opt((net.protocol == 999).then_some(net.flags), Wire::u32)
        .u8(maxclients)
        .u8(gametype)
        .str0(title)
        .list(models)
        .list(sounds)
        .done()
}

/// Id 0x0C: a light that changes over time.
pub fn lightstyle(style: u8, text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x0C).u8(style).str0(text).done()
}

/// Id 0x0D: the name of a player.
pub fn updatename(player: u8, netname: impl AsRef<[u8]>) -> Message {
    Wire::id(0x0D).u8(player).str0(netname).done()
}

/// Id 0x0E: the frags of a player.
pub fn updatefrags(player: u8, frags: i16) -> Message {
    Wire::id(0x0E).u8(player).i16(frags).done()
}

/// Id 0x11: the colors of a player, each 0 to 15.
pub fn updatecolors(player: u8, shirt: u8, pants: u8) -> Message {
    Wire::id(0x11).u8(player).u8(shirt << 4 | pants & 0x0F).done()
}

/// Id 0x12: particles. The direction is in sixteenths and stays three bytes in every protocol; the count comes
/// before the color (errata 1.1: the older document has them the other way round).
pub fn particle(net: &Net, origin: [f32; 3], direction: [i8; 3], count: u8, color: u8) -> Message {
    Wire::id(0x12).pos(net.coord, origin).each(direction, Wire::i8).u8(count).u8(color).done()
}

/// Id 0x13: a hit: the points that the armor and the player lost, and the position that it came from.
pub fn damage(net: &Net, save: u8, take: u8, origin: [f32; 3]) -> Message {
    Wire::id(0x13).u8(save).u8(take).pos(net.coord, origin).done()
}

/// Id 0x15: obsolete; the engine stops at it.
pub fn spawnbinary() -> Message {
    vec![0x15]
}

/// Id 0x18: pause on or off.
pub fn setpause(state: u8) -> Message {
    Wire::id(0x18).u8(state).done()
}

/// Id 0x19: the step of the signing on, 1 to 3.
pub fn signonnum(step: u8) -> Message {
    Wire::id(0x19).u8(step).done()
}

/// Id 0x1A: text in the middle of the screen.
pub fn centerprint(text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x1A).str0(text).done()
}

/// Id 0x1B: one more monster is dead.
pub fn killedmonster() -> Message {
    vec![0x1B]
}

/// Id 0x1C: one more secret is found.
pub fn foundsecret() -> Message {
    vec![0x1C]
}

/// Id 0x1E: the ranking screen.
pub fn intermission() -> Message {
    vec![0x1E]
}

/// Id 0x1F: the end of an episode.
pub fn finale(text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x1F).str0(text).done()
}

/// Id 0x20: the music.
pub fn cdtrack(from: u8, to: u8) -> Message {
    Wire::id(0x20).u8(from).u8(to).done()
}

/// Id 0x21: the help screen of the shareware.
pub fn sellscreen() -> Message {
    vec![0x21]
}

/// Id 0x22: a text between levels, since 1.07.
pub fn cutscene(text: impl AsRef<[u8]>) -> Message {
    Wire::id(0x22).str0(text).done()
}
