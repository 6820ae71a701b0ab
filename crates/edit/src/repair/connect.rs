//! The stages of the connection that a level lacks. They are counted in the repaired blocks, not in the damaged ones,
//! since a message that is taken out no longer counts.

use moviola_format::names::quake2::CS_MODELS;
use moviola_format::{Context, FrameForm, Game, Messages, Quake, Quake2, Str, dem, dm2, write_message};
use moviola_state::quake::LAST_STAGE;

/// Follows the connection of client and server through the repaired recording.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "what was seen of the recording so far")]
pub(super) struct Connection {
    /// The stage that the current level has reached.
    stage: u8,
    announced: bool,
    /// Whether the current level was played, and whether any level was.
    plays: bool,
    has_played: bool,
    /// Quake II: whether the file of the level is known.
    is_named: bool,
    /// Whether a second level began before anything of the first was played.
    pub(super) begins_twice: bool,
    /// Whether a level is played that no message named.
    pub(super) lacks_level: bool,
}

/// The config string with the file of the level.
pub(crate) const LEVEL: i16 = CS_MODELS as i16 + 1;

const PRECACHE: &[u8] = b"precache\n\0";

/// Whether a command loads a level of Quake II.
pub(crate) fn loads(command: Str<'_>) -> bool {
    PRECACHE.strip_suffix(b"\n\0").is_some_and(|word| command.bytes().starts_with(word))
}

/// The missing bytes, each with the offset in the block at which they are inserted.
type MissingBytes = Vec<(usize, Vec<u8>)>;

impl Connection {
    /// The block with its missing stages, and their number; `None` if no stage is missing.
    pub(super) fn connect(&mut self, data: &[u8], context: &Context) -> Option<(Vec<u8>, u64)> {
        let mut missing = MissingBytes::new();
        let stages = match context.game {
            Game::Quake | Game::QuakeWorld => self.quake(data, context, &mut missing),
            Game::Quake2 => self.quake2(data, context, &mut missing),
        };
        if missing.is_empty() {
            return None;
        }
        let (mut out, mut from) = (Vec::with_capacity(data.len()), 0);
        for (at, bytes) in missing {
            out.extend_from_slice(data.get(from..at).unwrap_or_default());
            out.extend_from_slice(&bytes);
            from = at;
        }
        out.extend_from_slice(data.get(from..).unwrap_or_default());
        Some((out, stages))
    }

    fn quake(&mut self, data: &[u8], context: &Context, missing: &mut MissingBytes) -> u64 {
        let (mut messages, mut stages) = (Messages::<Quake>::new(data, *context), 0u64);
        while let Some(entry) = messages.next() {
            match &entry.message {
                dem::Message::ServerInfo(_) => self.enter(),
                dem::Message::SignonNum(it) => self.stage = self.stage.max(it.signon),
                dem::Message::UpdateEntity(_)
                | dem::Message::DarkPlacesFrame(_)
                | dem::Message::UpdateEntities(_)
                    if self.begins() =>
                {
                    let mut bytes = Vec::new();
                    for signon in self.stage.saturating_add(1)..=LAST_STAGE {
                        let stage = dem::Message::from(dem::SignonNum { signon });
                        write_message(&stage, &mut bytes, messages.context());
                        stages = stages.saturating_add(1);
                    }
                    self.reach(entry.at, bytes, missing);
                }
                _ => {}
            }
        }
        stages
    }

    fn quake2(&mut self, data: &[u8], context: &Context, missing: &mut MissingBytes) -> u64 {
        let (mut messages, mut stages) = (Messages::<Quake2>::new(data, *context), 0u64);
        while let Some(entry) = messages.next() {
            match &entry.message {
                dm2::Message::ServerData(_) => self.enter(),
                dm2::Message::ConfigString(it) if it.index == LEVEL => {
                    self.is_named = !it.string.bytes().is_empty();
                }
                dm2::Message::StuffText(it) if loads(it.string) => {
                    self.stage = LAST_STAGE;
                }
                // A server's own recording has no `precache`, and Relay records only messages that it
                // received.
                dm2::Message::FrameMessage(it) if it.head.form == FrameForm::Relay => drop(self.begins()),
                dm2::Message::FrameMessage(it) if it.head.form == FrameForm::Client && self.begins() => {
                    let mut bytes = Vec::new();
                    if self.stage < LAST_STAGE {
                        let load = dm2::Message::from(dm2::StuffText { string: Str::new(PRECACHE) });
                        write_message(&load, &mut bytes, messages.context());
                        stages = stages.saturating_add(1);
                    }
                    self.reach(entry.at, bytes, missing);
                }
                _ => {}
            }
        }
        stages
    }

    /// Whether the game of the current level has begun.
    pub(super) fn plays(&self) -> bool {
        self.plays
    }

    fn enter(&mut self) {
        self.begins_twice |= self.announced && !self.has_played;
        (self.announced, self.plays, self.stage, self.is_named) = (true, false, 0, false);
    }

    /// Quake II: whether the file of the current level is unknown and can still be named.
    pub(super) fn lacks_name(&self) -> bool {
        self.announced && !self.plays && !self.is_named
    }

    /// Whether the game of this level has not begun yet.
    fn begins(&mut self) -> bool {
        self.has_played = true;
        self.lacks_level |= !self.announced;
        !std::mem::replace(&mut self.plays, true)
    }

    fn reach(&mut self, at: usize, bytes: Vec<u8>, missing: &mut MissingBytes) {
        self.stage = self.stage.max(LAST_STAGE);
        if !bytes.is_empty() {
            missing.push((at, bytes));
        }
    }
}
