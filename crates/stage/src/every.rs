//! A recording with every message that a protocol has, for testers of readers.
// not from SCHEMA, all words: the text is the language's own

use crate::record;
use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::{
    Block, Context, Demo, Dialect, Entry, Game, Message, Messages, Piece, Schema, dem, dm2, family, qw,
    with_table,
};
use std::io;

/// The error if a protocol is unknown or kept raw, so that no recording with all of its messages can be made.
///
/// ```
/// let unheard = moviola_stage::all_messages(7).unwrap_err();
/// assert!(unheard.to_string().starts_with("the messages of protocol 7 are not known here; there are 15, 26, 27,"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingMessages {
    protocol: i32,
    known_numbers: Vec<i32>,
}

impl std::fmt::Display for MissingMessages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known: Vec<String> = self.known_numbers.iter().map(i32::to_string).collect();
        write!(
            f,
            "the messages of protocol {} are not known here; there are {}",
            self.protocol,
            known.join(", ")
        )
    }
}

impl std::error::Error for MissingMessages {}

/// Patterns of bytes from which values are made: zeros, small numbers, large ones, and mixtures.
const PATTERNS: [fn(usize) -> u8; 6] =
    [|_| 0, |_| 1, |at| at as u8, |at| 255 - at as u8, |at| (at * 37 + 11) as u8, |_| 0x7F];

/// The messages that can follow a frame's head.
const FOLLOWERS: &[&[u8]] =
    &[&[dm2::PlayerInfo::OP, dm2::PacketEntities::OP], &[dm2::PlayerInfo::OP], &[dm2::PacketEntities::OP]];

/// The length of a pattern in bytes.
const LONG: usize = 512;

/// A recording with every message that a protocol of a game has, each several times with different values: a
/// block for each, after one that announces a level. It is not for playing, since its messages make no
/// sense.
///
/// ```
/// use moviola_stage::all_messages;
/// let recording = all_messages(34).unwrap();
/// assert_eq!(recording, all_messages(34).unwrap());
/// assert!(recording.ends_with(b"\xff\xff\xff\xff"));
/// ```
pub fn all_messages(protocol: i32) -> Result<Vec<u8>, MissingMessages> {
    let Some((game, context)) = context(protocol) else {
        return Err(MissingMessages {
            protocol,
            known_numbers: (0..=20_000).filter(|it| context(*it).is_some()).collect(),
        });
    };
    let mut out = Vec::new();
    // Writing into memory cannot fail.
    let _ = with_table!(game.table(), D => write::<D>(&mut out, protocol, context));
    Ok(out)
}

/// The game that speaks a protocol, and the context for reading it; `None` if no game does.
fn context(protocol: i32) -> Option<(Game, Context)> {
    let (mut quake, mut quake2) = (Context::quake(), Context::quake2());
    let found = [
        (Game::Quake, quake.set_quake_protocol(protocol, 0), quake),
        (Game::Quake2, quake2.set_quake2_protocol(protocol, 1), quake2),
    ];
    let mut read =
        found.into_iter().filter(|(_, is_known, it)| *is_known && !it.raw && it.protocol == protocol);
    read.next().map(|(game, _, context)| (game, context))
}

/// The announcement of a level.
fn announcement(game: Game, protocol: i32) -> String {
    match game {
        Game::Quake => format!(
            // Only protocol 999 has fields for its flags.
            "track \"-1\\n\"; block {{ camera 0.0 0.0 0.0; serverinfo {{ serverversion {protocol}; {}maxclients 4; \
             multi 1; mapname \"All messages\"; models \"maps/start.bsp\" \"progs/player.mdl\"; sounds \"a.wav\"; }} }}\n",
            if protocol == 999 { "protocolflags 0; " } else { "" }
        ),
        // `context` returns no protocol of this game.
        Game::QuakeWorld => String::new(),
        Game::Quake2 => format!(
            "block {{ serverdata {{ serverversion {protocol}; key 1; isdemo 1; game \"\"; client 0; \
             mapname \"All messages\"; }} }}\n"
        ),
    }
}

fn write<D: Dialect>(out: &mut Vec<u8>, protocol: i32, mut context: Context) -> io::Result<()> {
    out.extend(record(&announcement(D::GAME, protocol)).unwrap_or_default());
    // Continues in the context that a reader has after the announcement.
    if let Some(announced) = announced::<D>(out)? {
        context = announced;
    }
    let last = |row: &Schema| D::GAME == Game::Quake && row.op == dem::Disconnect::OP;
    let rows = || <D::Message<'_> as Message<'_>>::SCHEMA.iter();
    for row in rows().filter(|row| !last(row)).chain(rows().filter(|row| last(row))) {
        for data in examples::<D>(row, &mut context) {
            Piece::Block(Block::new(&data)).write(D::GAME, &mut *out)?;
        }
    }
    if D::GAME == Game::Quake2 {
        Piece::End.write(D::GAME, &mut *out)?;
    }
    Ok(())
}

/// The context after the announcement, as a reader of the file has it.
fn announced<D: Dialect>(file: &[u8]) -> io::Result<Option<Context>> {
    let mut demo = Demo::new(file)?;
    while let Some(piece) = demo.next_piece()? {
        if let Piece::Block(block) = piece {
            let mut messages = Messages::<D>::new(block.data, Context::of(D::GAME));
            messages.by_ref().for_each(drop);
            return Ok(Some(*messages.context()));
        }
    }
    Ok(None)
}

/// Whether a protocol has a message. Messages of the re-release alone are in a protocol that is kept raw.
fn is_spoken<D: Dialect>(row: &Schema, context: &Context) -> bool {
    let has = |row: &Schema| row.families != family::RERELEASE && context.has_family(row.families);
    // If a family has its own message with an id, it replaces the common one.
    let mut rows = <D::Message<'_> as Message<'_>>::SCHEMA.iter().filter(|other| other.families != 0);
    let own = rows.find(|other| (other.op..=other.last).contains(&row.op) && has(other));
    own.map_or(row.families == 0, |own| own.name == row.name)
}

/// Blocks with a message of this row, all different. The context continues after them.
fn examples<D: Dialect>(row: &Schema, context: &mut Context) -> Vec<Vec<u8>> {
    let is_frame = D::GAME == Game::Quake2 && row.op == dm2::FrameMessage::OP;
    let announces = match D::GAME {
        Game::Quake => dem::ServerInfo::OP,
        Game::Quake2 => dm2::ServerData::OP,
        Game::QuakeWorld => qw::ServerData::OP,
    };
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    if row.op == announces || !is_spoken::<D>(row, context) {
        return blocks;
    }
    let step = usize::from(row.last.abs_diff(row.op)).div_ceil(PATTERNS.len()).max(1);
    for (number, pattern) in PATTERNS.iter().enumerate() {
        let bytes: Vec<u8> = (0..LONG).map(pattern).collect();
        let op = (usize::from(row.op) + number * step).min(row.last.into()) as u8;
        // The form of a frame is recognized by the messages after it.
        let followers: &[&[u8]] = if is_frame { FOLLOWERS } else { &[&[]] };
        for followers in followers {
            let kept = EntropyBytes::default();
            let mut entropy = Entropy::new(if number == 0 { &[] } else { &bytes }, &kept, *context);
            let ops = std::iter::once(op).chain(followers.iter().copied());
            let made: Vec<D::Message<'_>> = ops.map_while(|op| entropy.message(op).ok()).collect();
            let mut data = Vec::new();
            for message in &made {
                Entry { at: data.len(), unicast: None, message: *message }.write(&mut data, context);
            }
            let is_whole = made.len() == followers.len() + 1;
            let after = if is_whole { reads::<D>(&data, &made, *context) } else { None };
            if let Some(after) = after.filter(|_| !blocks.contains(&data)) {
                *context = after;
                blocks.push(data);
            }
        }
    }
    blocks
}

/// Reads a block of these messages, and returns the context after it; `None` if other messages are read.
fn reads<D: Dialect>(data: &[u8], made: &[D::Message<'_>], context: Context) -> Option<Context> {
    let mut messages = Messages::<D>::new(data, context);
    let read: Vec<_> = messages.by_ref().map(|entry| entry.message.op()).collect();
    let same = made.iter().map(Message::op).eq(read) && messages.rest().is_empty();
    let after = *messages.context();
    (same && messages.fault().is_none() && after.protocol == context.protocol && !after.raw).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn seen<D: Dialect>(file: &[u8]) -> (BTreeSet<&'static str>, Context) {
        let mut demo = Demo::new(file).unwrap();
        let (mut names, mut context) = (BTreeSet::new(), Context::of(D::GAME));
        while let Some(piece) = demo.next_piece().unwrap() {
            assert!(!matches!(piece, Piece::Raw(_)), "{piece:?} behind {names:?}");
            let Piece::Block(block) = piece else { continue };
            let mut messages = Messages::<D>::new(block.data, context);
            names.extend(messages.by_ref().map(|entry| entry.message.schema().name));
            assert!(messages.rest().is_empty(), "{:?}", messages.fault());
            context = *messages.context();
        }
        (names, context)
    }

    fn has_all<D: Dialect>(protocol: i32, file: &[u8]) {
        let (names, context) = seen::<D>(file);
        let rows = <D::Message<'_> as Message<'_>>::SCHEMA.iter();
        for row in rows.filter(|row| is_spoken::<D>(row, &context)) {
            assert!(names.contains(row.name), "protocol {protocol} has no {}", row.name);
        }
    }

    #[test]
    fn every_message_of_every_protocol_is_there_and_read() {
        let known = all_messages(-1).unwrap_err().known_numbers;
        assert!(known.len() > 15, "{known:?}");
        for protocol in known {
            let file = all_messages(protocol).unwrap();
            with_table!(context(protocol).unwrap().0.table(), D => has_all::<D>(protocol, &file));
        }
    }
}
