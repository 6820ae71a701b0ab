//! Reads a client's messages, since only its commands contain the view angles.

use crate::bytes::Bytes;

const NOP: u8 = 1;
const MOVE: u8 = 3;
const STRING_COMMAND: u8 = 4;
const DELTA: u8 = 5;
const SPECTATOR_MOVE: u8 = 6;

/// A client's message that this crate needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClientMessage<'a> {
    /// A console command for the server.
    Line(&'a [u8]),
    /// The newest command of a move.
    Move(Command),
}

/// The input of a player in one frame of the client.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Command {
    pub(super) angles: [u16; 3],
    pub(super) moves: [i16; 3],
    pub(super) buttons: u8,
    pub(super) impulse: u8,
    pub(super) milliseconds: u8,
}

/// Reads the messages of a client's packet, up to the first that is unknown.
pub(super) fn sent(body: &[u8]) -> impl Iterator<Item = ClientMessage<'_>> {
    let mut bytes = Bytes::new(body);
    std::iter::from_fn(move || {
        loop {
            match bytes.u8()? {
                NOP => {}
                DELTA => drop(bytes.u8()?),
                SPECTATOR_MOVE => drop(bytes.take(6)?),
                STRING_COMMAND => return bytes.string().map(ClientMessage::Line),
                MOVE => return commands(&mut bytes).map(ClientMessage::Move),
                _ => return None,
            }
        }
    })
}

/// Reads a move: a checksum, the loss in percent, and three commands, each as a delta from the one before. The newest
/// command is returned; the other two are only repeated in case packets were lost.
fn commands(bytes: &mut Bytes<'_>) -> Option<Command> {
    bytes.take(2)?;
    let mut command = Command::default();
    for _ in 0..3 {
        let bits = bytes.u8()?;
        let has = |bit: u8| bits & bit != 0;
        let [pitch, yaw, roll] = &mut command.angles;
        for (bit, angle) in [(0x01, pitch), (0x80, yaw), (0x02, roll)] {
            if has(bit) {
                *angle = bytes.u16()?;
            }
        }
        let [forward, side, up] = &mut command.moves;
        for (bit, speed) in [(0x04, forward), (0x08, side), (0x10, up)] {
            if has(bit) {
                *speed = bytes.i16()?;
            }
        }
        if has(0x20) {
            command.buttons = bytes.u8()?;
        }
        if has(0x40) {
            command.impulse = bytes.u8()?;
        }
        command.milliseconds = bytes.u8()?;
    }
    Some(command)
}
