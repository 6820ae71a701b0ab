//! Mends recordings of several levels, which players stop at the first change of level.
//!
//! What stops them is taken out: a disconnect that is not the end, and blocks without messages; of Quake II also what
//! makes a client connect anew, to the player itself, and pieces of files that nobody asked for. The levels, and
//! everything else in them, stay as they are.

use moviola_format::{Block, Context, Demo, Dialect, Game, Piece, Quake, Quake2, Str, dem, dm2};
use std::io::{self, Read, Write};

/// What was taken out.
///
/// ```
/// use moviola_text::{Fixed, fix_multi};
/// let nothing = fix_multi(&b"no recording"[..], Vec::new()).unwrap();
/// assert_eq!(nothing, Fixed::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Messages that stop players.
    pub messages: u64,
    /// Blocks in which nothing is, or nothing was left.
    pub blocks: u64,
}

/// Commands that a server of Quake II sends to its clients when the level changes. Quake has the second too, but there
/// the player needs it: it is what lets the next level's sign-on begin at its first number again.
// schema-once: console commands; one is called like a message.
const COMMANDS: [&[u8]; 2] = [b"reconnect", b"changing"];

/// Copies a recording without what stops players between its levels; what is no recording is copied as it is.
///
/// ```
/// use moviola_text::{Fixed, fix_multi};
/// let recording = [&[1, 0, 0, 0, 6][..], &[0; 4], &[1, 0, 0, 0, 6], &[0xff; 4]].concat();
/// let mut mended = Vec::new();
/// let fixed = fix_multi(&recording[..], &mut mended).unwrap();
/// assert_eq!(fixed, Fixed { messages: 0, blocks: 1 });
/// assert_eq!(mended.len(), recording.len() - 4);
/// ```
///
/// # Errors
/// When reading or writing fails.
pub fn fix_multi<R: Read, W: Write>(input: R, mut output: W) -> io::Result<Fixed> {
    let mut demo = Demo::new(input)?;
    match demo.game() {
        Some(Game::Quake) => mend::<Quake, _, _>(demo, output),
        Some(Game::Quake2) => mend::<Quake2, _, _>(demo, output),
        None => {
            while let Some(piece) = demo.next_piece()? {
                piece.write(Game::Quake, &mut output)?;
            }
            Ok(Fixed::default())
        }
    }
}

/// What a message does to a player at a change of level.
trait Stops: Dialect {
    fn verdict(message: &Self::Message<'_>) -> Verdict;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Plays,
    /// Stops the player wherever it stands.
    Stops,
    /// Is right at the end, and nowhere else.
    Ends,
}

impl Stops for Quake {
    fn verdict(message: &dem::Message<'_>) -> Verdict {
        match message {
            dem::Message::Disconnect(_) => Verdict::Ends,
            _ => Verdict::Plays,
        }
    }
}

impl Stops for Quake2 {
    fn verdict(message: &dm2::Message<'_>) -> Verdict {
        match message {
            dm2::Message::StuffText(it) if is_command(it.string) => Verdict::Stops,
            dm2::Message::Reconnect(_) | dm2::Message::Download(_) => Verdict::Stops,
            dm2::Message::Disconnect(_) => Verdict::Ends,
            _ => Verdict::Plays,
        }
    }
}

fn is_command(string: Str<'_>) -> bool {
    COMMANDS.contains(&string.bytes().trim_ascii())
}

/// A block as it is to be, kept back until it is known whether another one follows.
#[derive(Default)]
struct Held {
    angles: [u32; 3],
    /// Without what stops players, and without what ends a recording.
    inside: Vec<u8>,
    /// Without what stops players.
    last: Vec<u8>,
    stops: u64,
    ends: u64,
}

impl Held {
    fn new<D: Stops>(block: &Block<'_>, context: &mut Context) -> Self {
        let mut held = Self { angles: block.angles, ..Self::default() };
        let mut messages = block.messages::<D>(*context);
        while let Some(entry) = messages.next() {
            let bytes = block.data.get(entry.at..messages.pos()).unwrap_or_default();
            let verdict = D::verdict(&entry.message);
            match verdict {
                Verdict::Plays => held.inside.extend_from_slice(bytes),
                Verdict::Stops => held.stops += 1,
                Verdict::Ends => held.ends += 1,
            }
            if verdict != Verdict::Stops {
                held.last.extend_from_slice(bytes);
            }
        }
        held.inside.extend_from_slice(messages.rest());
        held.last.extend_from_slice(messages.rest());
        *context = *messages.context();
        held
    }

    fn write(&self, is_last: bool, game: Game, fixed: &mut Fixed, output: &mut impl Write) -> io::Result<()> {
        let data = if is_last { &self.last } else { &self.inside };
        fixed.messages += self.stops + if is_last { 0 } else { self.ends };
        if data.is_empty() {
            fixed.blocks += 1;
            return Ok(());
        }
        Piece::Block(Block { angles: self.angles, ..Block::new(data) }).write(game, output)
    }
}

fn mend<D: Stops, R: Read, W: Write>(mut demo: Demo<R>, mut output: W) -> io::Result<Fixed> {
    let mut fixed = Fixed::default();
    let mut context = Context::of(D::GAME);
    let mut held: Option<Held> = None;
    while let Some(piece) = demo.next_piece()? {
        let block = match piece {
            Piece::Block(block) if !block.is_truncated() && !block.is_from_client() => block,
            other => {
                if let Some(held) = held.take() {
                    held.write(!matches!(other, Piece::Block(_)), D::GAME, &mut fixed, &mut output)?;
                }
                other.write(D::GAME, &mut output)?;
                continue;
            }
        };
        if block.data.is_empty() {
            fixed.blocks += 1;
            continue;
        }
        let next = Held::new::<D>(&block, &mut context);
        if let Some(held) = held.replace(next) {
            held.write(false, D::GAME, &mut fixed, &mut output)?;
        }
    }
    if let Some(held) = held {
        held.write(true, D::GAME, &mut fixed, &mut output)?;
    }
    Ok(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quake(blocks: &[&[u8]]) -> Vec<u8> {
        let mut file = b"-1\n".to_vec();
        for block in blocks {
            Piece::Block(Block { angles: [7, 8, 9], ..Block::new(block) })
                .write(Game::Quake, &mut file)
                .unwrap();
        }
        file
    }

    fn quake2(blocks: &[&[u8]]) -> Vec<u8> {
        let mut file = Vec::new();
        for block in blocks {
            Piece::Block(Block::new(block)).write(Game::Quake2, &mut file).unwrap();
        }
        Piece::End.write(Game::Quake2, &mut file).unwrap();
        file
    }

    fn mended(file: &[u8]) -> (Vec<u8>, Fixed) {
        let mut out = Vec::new();
        let fixed = fix_multi(file, &mut out).unwrap();
        (out, fixed)
    }

    #[test]
    fn quake_goes_through_the_change_of_level() {
        let file = quake(&[b"\x01\x09reconnect\n\0", b"\x02", b"", b"\x01", b"\x01\x02"]);
        let (out, fixed) = mended(&file);
        assert_eq!(out, quake(&[b"\x01\x09reconnect\n\0", b"\x01", b"\x01\x02"]));
        assert_eq!(fixed, Fixed { messages: 1, blocks: 2 });
    }

    #[test]
    fn quake2_goes_through_the_change_of_level() {
        let file = quake2(&[
            b"\x06\x0bchanging\n\0",
            b"\x08",
            b"",
            b"\x06\x0breconnect\n\0\x06",
            b"\x10\x02\0\x32ab",
            b"\x0bbf\n\0",
        ]);
        let (out, fixed) = mended(&file);
        assert_eq!(out, quake2(&[b"\x06", b"\x06\x06", b"\x0bbf\n\0"]));
        assert_eq!(fixed, Fixed { messages: 4, blocks: 3 });
    }

    #[test]
    fn what_is_well_stays_as_it_is() {
        for file in [
            quake(&[b"\x01", b"\x01\x02"]),
            quake2(&[b"\x06", b"\x07"]),
            b"no recording".to_vec(),
            Vec::new(),
        ] {
            assert_eq!(mended(&file), (file, Fixed::default()));
        }
    }

    #[test]
    fn a_second_time_changes_nothing() {
        let (once, _) = mended(&quake2(&[b"\x06\x07", b"", b"\x06", b"\x3c?", b"\x06"]));
        assert_eq!(mended(&once), (once, Fixed::default()));
    }
}
