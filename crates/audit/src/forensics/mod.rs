//! Finds the marks of edited files, which no engine writes.
//!
//! This is the only analysis that looks at messages: at their order, at the bits of their flag words, and at
//! the composition of blocks. An honest program must not be called an editor, so for each mark the question
//! is which other programs write it: a server's code, a modified game that writes messages itself
//! (`MSG_BROADCAST`), an engine that begins to record in the middle of a level, or a bot program with its own
//! recorder. If one of them can have written the mark, the finding is a note.

mod frames;
mod masks;
mod quake2;
mod seams;
mod texts;

use crate::book::{FindingList, Proof};
use crate::findings::AuditCode;
use crate::rules::{GameCode, server_text};
use moviola_analyse::{AuditSeverity, PassPosition};
use moviola_format::dem::Message;
use moviola_format::{Context, Entry, Piece, dm2};
use moviola_state::{quake, quake2 as q2};

/// The engine of the level's server, by its version text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Engine {
    /// The engine is unknown.
    #[default]
    Unknown,
    /// id's engine or one that prints the same line, with its version times 100.
    WinQuake(u16),
    /// An engine of `FitzQuake`'s family.
    Fitz,
    /// `DarkPlaces`.
    DarkPlaces,
}

impl Stage {
    /// The weight of a mark: a note in modified games, whose game code can leave the mark too.
    fn unless_mod(self, code: AuditCode) -> AuditSeverity {
        if self.code == GameCode::Original { code.severity() } else { AuditSeverity::Note }
    }

    /// The weight of a mark: a note for unknown engines, since they and the recorders of bot programs can leave the
    /// mark too.
    fn unless_unknown(self, code: AuditCode) -> AuditSeverity {
        if self.engine == Engine::Unknown { AuditSeverity::Note } else { code.severity() }
    }

    /// The weight of a missing part of a level's beginning.
    fn unless_begun_late(self, code: AuditCode) -> AuditSeverity {
        if self.versioned { code.severity() } else { AuditSeverity::Note }
    }
}

impl Engine {
    /// The engine named in a version text; `None` for any other text.
    fn of_version(text: &[u8]) -> Option<Self> {
        if let Some(rest) = text.strip_prefix(b"\x02\nVERSION ") {
            let digits = rest.iter().take_while(|byte| **byte != b' ').filter(|byte| byte.is_ascii_digit());
            let number = digits
                .take(4)
                .fold(0u16, |sum, digit| sum.saturating_mul(10).saturating_add(u16::from(digit & 15)));
            return Some(Self::WinQuake(number));
        }
        if text.starts_with(b"\x02\nFITZQUAKE ") {
            return Some(Self::Fitz);
        }
        server_text(text).starts_with(b"Server: ").then_some(Self::DarkPlaces)
    }
}

/// The state of the level, and the server that sent it.
#[derive(Clone, Copy, Debug, Default)]
struct Stage {
    engine: Engine,
    /// The origin of the game code.
    code: GameCode,
    /// Whether the level begins with the server's version text. Engines that begin to record in the middle of
    /// a level omit this text, and most of the level's beginning.
    versioned: bool,
    /// The last stage of joining.
    signon: u8,
    /// The number of frames with entities in this level.
    frames: u64,
    /// The entity of the view, once it was checked.
    view: Option<i16>,
    /// Whether the level is being played: the blocks that servers send during a join have other forms.
    playing: bool,
}

/// The forensics of a Quake recording.
#[derive(Debug, Default)]
pub(crate) struct Forensics {
    stage: Stage,
    /// Whether a version text was seen since the level began; it belongs to the next level.
    has_version: bool,
    /// The level's protocol has lists of entities, of which nothing is judged.
    has_lists: bool,
    frames: frames::Frames,
    masks: masks::Masks,
    seams: seams::Seams,
    texts: texts::Texts,
    quake2: quake2::Quake2Forensics,
}

impl Forensics {
    pub(crate) fn piece(&mut self, piece: &Piece<'_>, here: &PassPosition) {
        if let Piece::Block(block) = piece
            && !block.is_from_client()
        {
            self.frames.begin();
            self.seams.begin(block, here);
            self.quake2.begin(block.data.len());
        }
    }

    pub(crate) fn quake_message(
        &mut self,
        entry: &Entry<Message<'_>>,
        here: &PassPosition,
        book: &mut FindingList,
    ) {
        let stage = &mut self.stage;
        if let Message::ServerInfo(it) = &entry.message {
            let mut context = Context::quake();
            context.enter_level(it);
            self.has_lists = context.lists_entities();
        }
        if self.has_lists {
            return;
        }
        match &entry.message {
            Message::UpdateEntity(it) => {
                self.masks.update(it, *stage, here);
            }
            Message::ServerInfo(it) => {
                let habit = self.frames.leave(book);
                let one_packet = stage.engine == Engine::DarkPlaces || habit;
                self.seams.level(it, one_packet, *stage, here, book);
                self.masks.leave();
                let versioned = std::mem::take(&mut self.has_version);
                let Stage { engine, code, .. } = *stage;
                *stage = Stage { engine, code, versioned, ..Stage::default() };
            }
            Message::SignonNum(it) => stage.signon = it.signon,
            Message::Print(it) => {
                if let Some(engine) = Engine::of_version(it.string.bytes()) {
                    stage.engine = engine;
                    self.has_version = true;
                    self.seams.version(it.string.bytes());
                }
                if let Some(code) = GameCode::of_version(it.string.bytes()) {
                    stage.code = code;
                }
            }
            Message::ClientData(it) => self.masks.state(it, *stage, here),
            Message::Sound(it) => self.masks.sound(it, *stage, here),
            Message::SpawnBaseline(it) => self.masks.baseline(it.entity, it.into()),
            Message::SpawnBaseline2(it) => self.masks.baseline(it.entity, it.into()),
            _ => {}
        }
        self.frames.message(&entry.message);
        self.seams.message(&entry.message, self.stage, here, book);
    }

    pub(crate) fn quake2_message(
        &mut self,
        entry: &Entry<dm2::Message<'_>>,
        here: &PassPosition,
        book: &mut FindingList,
    ) {
        self.quake2.message(&entry.message, here, book);
    }

    /// Judges a complete block.
    pub(crate) fn quake(&mut self, world: &quake::World, here: &PassPosition, book: &mut FindingList) {
        if here.from_client {
            return;
        }
        if here.fault.is_none() {
            self.frames.judge(self.stage, here);
        }
        if self.frames.has_entities() {
            self.stage.frames = self.stage.frames.saturating_add(1);
            // If stages of joining are missing, the third frame is certainly one of the game.
            let playing = self.stage.signon >= quake::LAST_STAGE || self.stage.frames >= FRAMES;
            if playing && !self.stage.playing {
                self.seams.joined(self.stage, here, book);
            }
            self.stage.playing = playing;
        }
        self.observe_view(world, here, book);
        self.texts.judge(world, self.stage.code, here, book);
        self.seams.judge(world, here, self.frames.is_frame(), book);
    }

    /// Reports a view from an entity that is not a player's, which is a camera.
    fn observe_view(&mut self, world: &quake::World, here: &PassPosition, book: &mut FindingList) {
        let view = world.view.entity;
        if !self.stage.playing || self.stage.view.replace(view) == Some(view) {
            return;
        }
        if !(1..=i16::from(world.level.max_clients)).contains(&view) {
            let numbers = [("view_entity", f64::from(view))];
            book.add(AuditCode::Camera, || {
                Proof::new(here, format!("the view is that of entity {view}"), &numbers)
            });
        }
    }

    pub(crate) fn quake2(&mut self, world: &q2::World, here: &PassPosition, book: &mut FindingList) {
        self.quake2.judge(world, here, book);
    }

    pub(crate) fn end(&mut self, book: &mut FindingList) {
        self.frames.leave(book);
        self.seams.end(book);
        self.masks.end(book);
        self.texts.end(book);
        self.quake2.end(book);
    }
}

/// After this many frames with entities, the level is being played.
const FRAMES: u64 = 3;

/// Whether the server has sent its farewell, a `disconnect`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Farewell {
    /// No farewell was seen.
    #[default]
    No,
    /// The farewell was seen.
    Sent,
    /// The farewell was seen, and a message after it.
    Passed,
}

impl Farewell {
    /// Whether this is the first message after the farewell.
    fn is_passed(&mut self) -> bool {
        let passed = *self == Self::Sent;
        if passed {
            *self = Self::Passed;
        }
        passed
    }

    fn mark_sent(&mut self) {
        if *self == Self::No {
            *self = Self::Sent;
        }
    }
}

/// A proof without numbers.
fn proof(here: &PassPosition, description: impl Into<String>) -> Proof {
    Proof::new(here, description.into(), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_known_by_their_version_text() {
        for (text, engine) in [
            (&b"\x02\nVERSION 1.07 SERVER (24778 CRC)"[..], Some(Engine::WinQuake(107))),
            (b"\x02\nFITZQUAKE 0.85 SERVER (24778 CRC)\n", Some(Engine::Fitz)),
            (b"Server: DarkPlaces-Quake build 00:46:22 (progs 24778 crc)", Some(Engine::DarkPlaces)),
            (b"\nServer: DarkPlaces-Quake Linux (progs 9 crc)\n", Some(Engine::DarkPlaces)),
            (b"player entered the game\n", None),
        ] {
            assert_eq!(Engine::of_version(text), engine);
        }
    }
}
