//! The records of a QuakeWorld recording that are not messages of a server: the commands of the recording
//! player, and the sequence numbers from which packets are counted. A block with such a
//! [`Stamp`](crate::Stamp) is one record, with its time.

use crate::context::Context;
use crate::game::Game;
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::wire::{FaultKind, Reader, Stop};

messages! {
    /// A command of the recorder: the input in one frame of the client.
    Command<'a> = 0 "cblock" [dem_cmd, Frame, lmpc, since QuakeWorld] {
        /// The time.
        time: RecordTime,
        /// The command's duration in milliseconds, in the lowest byte; the three bytes above it are leftovers
        /// from memory.
        load: i32,
        /// The direction of the player's view: pitch, yaw and roll.
        angles: [Float; 3],
        /// Speed forwards, to the right, and up.
        speed: [i16; 3],
        /// The pressed buttons.
        buttons: Buttons,
        /// The impulse; 0 when absent.
        impulse: Impulse,
        /// The prediction of weapons by newer builds of ezQuake.
        prediction: Prediction<'a>,
        /// The direction of the recording's view: pitch, yaw and roll.
        uk_angles: [Float; 3],
    }

    /// The sequence numbers of the packets that follow.
    SetSequence = 2 "fblock" [dem_set, Connection, lmpc, since QuakeWorld] {
        /// The time.
        time: RecordTime,
        /// The number of the next packet to the server.
        seq1: i32,
        /// The number of the last packet from the server.
        seq2: i32,
    }
}

/// The records of a QuakeWorld recording that are not messages of a server.
///
/// ```
/// use moviola_format::{Block, ClientRecords, Context, Stamp, client::Message};
/// let data = b"\0\0\x80\x3f\x02\x05\0\0\0\x04\0\0\0";
/// let block = Block { stamp: Stamp::Record { mvd: false }, ..Block::new(data) };
/// let entry = block.messages::<ClientRecords>(Context::quakeworld()).next().unwrap();
/// assert!(matches!(entry.message, Message::SetSequence(it) if it.seq1 == 5 && it.seq2 == 4));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientRecords;

impl crate::Dialect for ClientRecords {
    type Message<'a> = Message<'a>;
    const GAME: Game = Game::QuakeWorld;
    const PREFIXED: bool = true;
    fn open(reader: &mut Reader<'_, '_>) -> Result<u8, Stop> {
        let op = reader.peek_at(RecordTime::size(reader.context()));
        match op.filter(|_| reader.pos() == 0) {
            Some(op) => Ok(op),
            None => Err(reader.stop(FaultKind::Framing)),
        }
    }
    fn can_change_context(_: u8) -> bool {
        false
    }
    fn observe(_: &Message<'_>, _: &mut Context) {}
}
