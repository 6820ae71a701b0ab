//! Corrects a damaged protocol number: of the known protocols, it takes the one with which the recording can be read.

use moviola_format::names::quake;
use moviola_format::{Block, Context, Dialect, Game, Message, Quake, Quake2, dem, dm2};

/// The bytes of a recording that are enough to find its protocol.
pub(super) const ENOUGH: usize = 1 << 18;

/// A wrong protocol number, and the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// Its offset in the block.
    pub(super) place: usize,
    pub(super) old_protocol: i32,
    pub(super) new_protocol: i32,
}

/// The right protocol number for the block with which these bytes begin; `None` if it is not clear.
pub(super) fn find_protocol(bytes: &[u8], before: &Context) -> Option<Hit> {
    let block = blocks(bytes, before.game).next()?;
    let place = match before.game {
        Game::Quake | Game::QuakeWorld => announced::<Quake>(&block, before),
        Game::Quake2 => announced::<Quake2>(&block, before),
    }?;
    let place = before.game.block_head().saturating_add(place).saturating_add(1);
    let old_protocol = *bytes.get(place..)?.first_chunk()?;
    let mut tried = bytes.to_vec();
    let mut best: Option<((usize, bool, usize), i32)> = None;
    for protocol in known(before.game) {
        let right = protocol.to_le_bytes();
        tried.get_mut(place..)?.first_chunk_mut().map(|bytes| *bytes = right)?;
        let same = right.iter().zip(old_protocol).filter(|(right, wrong)| **right == *wrong).count();
        let (reads, last) = reads(&tried, before);
        // All levels of a recording have the same protocol.
        let score = (reads, last == protocol, same);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, protocol));
        }
    }
    let ((reads, ..), right) = best?;
    let all = blocks(bytes, before.game).count();
    let wrong = i32::from_le_bytes(old_protocol);
    (reads > 1 && reads >= all.div_ceil(2)).then_some(Hit { place, old_protocol: wrong, new_protocol: right })
}

/// The protocols that can be read, the likeliest first.
fn known(game: Game) -> Vec<i32> {
    match game {
        Game::Quake | Game::QuakeWorld => {
            let protocols = quake::PROTOCOL.iter().filter_map(|(number, _)| i32::try_from(*number).ok());
            let is_read = |protocol: &i32| {
                let mut context = Context::quake();
                context.set_quake_protocol(*protocol, 0) && !context.raw
            };
            protocols.filter(is_read).collect()
        }
        Game::Quake2 => (dm2::OLDEST..=dm2::NEWEST).rev().collect(),
    }
}

/// The blocks in these bytes.
fn blocks(mut bytes: &[u8], game: Game) -> impl Iterator<Item = Block<'_>> {
    std::iter::from_fn(move || {
        let length = i32::from_le_bytes(*bytes.first_chunk()?);
        let (_, behind) = bytes.split_at_checked(game.block_head())?;
        let (data, rest) = behind.split_at_checked(usize::try_from(length).ok()?)?;
        bytes = rest;
        Some(Block::new(data))
    })
}

/// The offset in a block at which a level is announced.
fn announced<D: Dialect>(block: &Block<'_>, before: &Context) -> Option<usize> {
    let op = if D::GAME == Game::Quake { dem::ServerInfo::OP } else { dm2::ServerData::OP };
    let entry = block.messages::<D>(*before).find(|entry| entry.message.op() == op);
    entry.map(|entry| entry.at)
}

/// The number of blocks that can be read to their ends, and the protocol of the last one.
fn reads(bytes: &[u8], before: &Context) -> (usize, i32) {
    fn of<D: Dialect>(bytes: &[u8], mut context: Context) -> (usize, i32) {
        let is_read = |block: &Block<'_>| {
            let mut messages = block.messages::<D>(context);
            messages.by_ref().for_each(drop);
            context = *messages.context();
            messages.fault().is_none() && !context.raw
        };
        let reads = blocks(bytes, D::GAME).filter(is_read).count();
        (reads, context.protocol)
    }
    match before.game {
        Game::Quake | Game::QuakeWorld => of::<Quake>(bytes, *before),
        Game::Quake2 => of::<Quake2>(bytes, *before),
    }
}
