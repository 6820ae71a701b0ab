//! Reads the facts about a recording that a server needs before it shows the recording: its game and its first level.

use crate::quakeworld::map_of;
use crate::tape::map_name;
use moviola_format::dm2::{self, ConfigString};
use moviola_format::names::quake2::{CS_MODELS, RECORD_CLIENT};
use moviola_format::{Context, Demo, Format, Game, Messages, Piece, Quake, Quake2, dem};
use std::io::{self, Read};

/// The most blocks to search for the level; a whole recording names it within them.
const BLOCKS: usize = 64;

/// The game and the first level of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First {
    /// The game.
    pub game: Game,
    /// The level in which it begins; empty if the recording does not name it.
    pub map: String,
    /// Whether a player recorded it. A server's own recording has no view that a client could be shown.
    pub is_players: bool,
}

impl First {
    /// Reads a recording until its level is known; `None` if it is not a recording.
    pub fn of(recording: impl Read) -> io::Result<Option<Self>> {
        let mut demo = Demo::new(recording)?;
        let Some(game) = demo.format().game() else { return Ok(None) };
        let mut first = Self { game, map: String::new(), is_players: demo.format() != Format::Mvd };
        let (mut quake, mut quake2, mut blocks) = (Context::quake(), Context::quake2(), 0);
        while let Some(piece) = demo.next_piece()? {
            let Piece::Block(block) = piece else { continue };
            blocks += 1;
            match game {
                Game::Quake => quake = first.quake(block.data, quake),
                Game::QuakeWorld => first.map = map_of(block.data).unwrap_or_default(),
                Game::Quake2 => quake2 = first.quake2(block.data, quake2),
            }
            if !first.map.is_empty() || blocks > BLOCKS {
                break;
            }
        }
        Ok(Some(first))
    }

    fn quake(&mut self, body: &[u8], context: Context) -> Context {
        let mut messages = Messages::<Quake>::new(body, context);
        for entry in messages.by_ref() {
            if let dem::Message::ServerInfo(it) = entry.message
                && let Some(path) = it.precache.models().iter().next()
            {
                self.map = map_name(path.bytes());
            }
        }
        *messages.context()
    }

    fn quake2(&mut self, body: &[u8], context: Context) -> Context {
        let mut messages = Messages::<Quake2>::new(body, context);
        for entry in messages.by_ref() {
            match entry.message {
                dm2::Message::ServerData(it) => self.is_players = it.isdemo == RECORD_CLIENT,
                dm2::Message::ConfigString(ConfigString { index, string })
                    if index == CS_MODELS as i16 + 1 =>
                {
                    self.map = map_name(string.bytes());
                }
                _ => {}
            }
        }
        *messages.context()
    }
}
