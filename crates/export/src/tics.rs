//! The table of input recordings: a row for each player in each tic.

// not from SCHEMA, all words: columns of a table

use crate::{Files, Id, Word};
use moviola_input::InputSummary;
use std::io::{self, Read, Write};

crate::tables! {
    /// The input of a player in a tic of DOOM's or Duke's recordings.
    Tics = 0 "tics" {
        /// The id of the recording: the first 32 hexadecimal digits of the SHA-256 of its bytes.
        recording: Word,
        /// The tic, counted from 1.
        tic: i64,
        /// The time at which it begins.
        time: f64 as "seconds",
        /// The number of the player, counted from 1.
        player: i32,
        /// Movement ahead; back is negative. Duke 1.0 and 1.1: along the map's x axis.
        forward: i32,
        /// Movement to the right; left is negative. Duke 1.0 and 1.1: along the y axis.
        side: i32,
        /// The turn to the left, in the units of the recording: 256 or 65536 to a circle.
        turn: i32,
        /// The byte of buttons, or Duke's 32 bits.
        buttons: i64,
        /// The weapon to which the player changes.
        weapon: Option<i32>,
        /// Look and fly of Heretic and Hexen, Strife's second buttons, Duke's horizon.
        look: i32,
        /// Artifact or inventory.
        artifact: i32,
        /// The byte of actions in dsda-doom's own recordings: 1 jump, 2 save, 4 load, 8 god, 16 noclip, 32 look.
        actions: i32,
        /// The change of the view's pitch in dsda-doom's own recordings.
        pitch: i32,
    }
}

/// The table of [`Tics`].
///
/// ```
/// assert_eq!(moviola_export::tics::TICS.name, "tics");
/// ```
pub const TICS: &crate::schema::Table = <Tics as crate::schema::Row>::TABLE;

/// Writes the rows of an input recording. `game` forces the recording's layout.
///
/// ```
/// use moviola_export::tics::{TICS, tics};
/// use moviola_export::{Files, TableFormat, Id};
/// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\xff\x1c\x80";
/// let mut files = Files::new(TableFormat::Csv);
/// files.add(TICS, Vec::new()).unwrap();
/// tics(&recording[..], Id::of(&recording[..]).unwrap(), None, &mut files).unwrap();
/// let (_, csv) = files.finish().unwrap().pop().unwrap();
/// assert!(String::from_utf8(csv).unwrap().ends_with(",1,0.0,1,50,0,-1,28,4,0,0,0,0\n"));
/// ```
pub fn tics<W: Write + Send>(
    source: impl Read,
    id: Id,
    game: Option<&str>,
    files: &mut Files<W>,
) -> io::Result<()> {
    let recording = id.word();
    let mut written = Ok(());
    InputSummary::watched(source, game, |at, input| {
        if written.is_err() {
            return;
        }
        written = files.row(&Tics {
            recording: recording.clone(),
            tic: at.tic as i64 + 1,
            time: at.tic as f64 / at.rate as f64,
            player: at.player as i32 + 1,
            forward: input.forward,
            side: input.side,
            turn: input.turn,
            buttons: i64::from(input.buttons),
            weapon: (input.weapon > 0).then_some(input.weapon.into()),
            look: input.look,
            artifact: input.extra.into(),
            actions: input.actions.into(),
            pitch: input.pitch,
        });
    })?;
    written
}
