//! Quake II: a further part of the current level is added without its header, because engines would load the level
//! again, and viewers would see that.

use crate::machinery::bridge::quake2 as bridge;
use crate::{EditOutput, Error};
use moviola_format::names::quake2::{CS_MODELS, RECORD_RELAY, RECORD_SERVER};
use moviola_format::{Block, Context, Message as _, Piece, Quake2, dm2};
use moviola_state::Playhead;
use moviola_state::quake2::World;

/// Follows recordings of Quake II, and decides at the beginning of each how much of its header is written.
#[derive(Default)]
pub(super) struct Parts {
    /// The state at the end of the recording before this one.
    seen: Option<World>,
    /// The state after the last block of this recording.
    head: Playhead<World>,
    /// The blocks of this recording before its first frame.
    header: Vec<Vec<u8>>,
    size: usize,
    plays: bool,
}

/// A limit on the bytes of a level's beginning, which no level reaches.
const MAX_BEGINNING: usize = 1 << 22;

impl Parts {
    /// Begins another recording.
    pub(super) fn turn(&mut self) {
        let head = std::mem::take(&mut self.head);
        *self = Self { seen: Some(head.world).filter(|world| world.frame().number != 0), ..Self::default() };
    }

    /// Handles a block; returns whether it is kept back for now.
    pub(super) fn keeps_back(&mut self, block: &Block<'_>, out: &mut EditOutput<'_>) -> Result<bool, Error> {
        let old_head = (!self.plays && self.seen.is_some()).then(|| self.head.clone());
        self.head.step(block);
        let Some(before) = old_head else { return Ok(false) };
        let is_header = self.head.world.frame().number == 0 && self.size <= MAX_BEGINNING;
        if is_header {
            self.size = self.size.saturating_add(block.data.len());
            self.header.push(block.data.to_vec());
            return Ok(true);
        }
        self.begin(&before, out)?;
        Ok(false)
    }

    /// At the first frame, or at the end: writes the messages that the audience needs before it.
    fn begin(&mut self, now: &Playhead<World>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.plays = true;
        let header = std::mem::take(&mut self.header);
        let kind = |world: &World| kind(world.server.isdemo);
        if let Some(seen) = self.seen.as_ref().filter(|seen| kind(seen) != kind(&now.world)) {
            return Err(Error::Impossible(format!(
                "{} cannot be joined after {}: `moviola view` extracts one player's recording from it",
                kind(&now.world),
                kind(seen)
            )));
        }
        if self.seen.as_ref().is_some_and(|seen| !is_one_level(seen, &now.world)) {
            out.note("another level begins: id's engine stops there, others go on if they have its map");
        }
        let Some(seen) = self.seen.take().filter(|seen| is_one_level(seen, &now.world)) else {
            return header.iter().try_for_each(|data| out.piece(&Piece::Block(Block::new(data))));
        };
        let mut blocks = bridge::changes(&seen, &now.world, &now.context);
        blocks.extend(bridge::screens(Some(&seen), &now.world, &now.context));
        blocks.extend(header.iter().map(|data| beside_the_level(data, &now.context)));
        let blocks = blocks.iter().filter(|data| !data.is_empty());
        blocks.into_iter().try_for_each(|data| out.block([0; 3], data))
    }

    /// The recording is over.
    pub(super) fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.header.is_empty() {
            return Ok(());
        }
        self.seen = None;
        let now = self.head.clone();
        self.begin(&now, out)
    }
}

/// The kind of a recording: engines play only clients' recordings, and no engine plays two kinds in one file.
fn kind(isdemo: u8) -> &'static str {
    match isdemo {
        RECORD_SERVER => "a server's recording",
        isdemo if isdemo & RECORD_RELAY != 0 => "a Relay recording",
        _ => "a player's recording",
    }
}

/// The config string that names the level's file.
const MAP: usize = CS_MODELS as usize + 1;

/// Whether both worlds are of one level and one player: everything that only a header can change is the same.
fn is_one_level(one: &World, other: &World) -> bool {
    let server_of = |world: &World| {
        let server = &world.server;
        (server.protocol, server.client, bridge::is_servers(world), server.game.clone())
    };
    let map = one.config.get(MAP);
    !map.is_empty() && map == other.config.get(MAP) && server_of(one) == server_of(other)
}

/// The texts and sounds of a header's block, which are not part of the level's state.
fn beside_the_level(data: &[u8], context: &Context) -> Vec<u8> {
    let (mut kept, mut at) = (Vec::new(), 0);
    let mut messages = Block::new(data).messages::<Quake2>(*context);
    while let Some(entry) = messages.next() {
        let bytes = data.get(at..messages.pos()).unwrap_or_default();
        at = messages.pos();
        // Effects would be drawn again over the current picture, so only texts and sounds stay.
        let is_text = matches!(entry.message, dm2::Message::Print(_) | dm2::Message::CenterPrint(_));
        let is_beside = is_text || entry.message.schema().properties.heard;
        if is_beside {
            kept.extend_from_slice(bytes);
        }
    }
    kept
}
