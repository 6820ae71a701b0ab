//! Joins recordings into one, so that engines play one after the other.

mod parts;
mod quakeworld;

use crate::edits::cut::{bytes, reconnect};
use crate::machinery::drive::File;
use crate::{BlockWriter, EditOutput, EditSummary, Error, PieceSink, Rewrite, Stage};
use moviola_format::{Block, Demo, Entry, Fault, Format, Game, Piece, Str, dem, dm2, qw};
use moviola_state::World as _;
use moviola_state::quake::World;
use parts::Parts;
use std::io::{Read, Write};

/// Joins recordings of one game, levels or parts of levels, into one.
///
/// The messages that end a recording are kept only at the end. In Quake, a `reconnect`, which engines need,
/// sends the client to each next recording. In Quake II, the header of the next recording does so; a part of
/// the current level continues without a header.
///
/// ```
/// use moviola_edit::{join, levels};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
/// let mut both = Vec::new();
/// join(vec![&recording[..], &recording[..]], &mut both).unwrap();
/// assert_eq!(levels(&both[..]).unwrap().len(), 2);
/// ```
///
/// # Errors
/// When one is not a recording, or of another game than the first; or when reading or writing fails.
pub fn join<R: Read, W: Write>(sources: Vec<R>, sink: W) -> Result<EditSummary, Error> {
    let mut file = File::new(sink);
    let (mut all, mut game) = (EditSummary::default(), None);
    let count = sources.len();
    let mut seam = Seam::default();
    for (at, source) in sources.into_iter().enumerate() {
        let mut demo = Demo::new(source)?;
        let this = Error::any_game(demo.format())?;
        seam.number = at.saturating_add(1);
        if *game.get_or_insert(this) != this {
            let number = seam.number;
            return Err(Error::Impossible(format!("recording {number} is of another game than the first")));
        }
        (seam.is_first, seam.is_last, seam.is_new) = (at == 0, seam.number == count, at > 0);
        let mut link = Link { sink: &mut file, is_first: at == 0 };
        let mut stage = Stage::new(&mut seam, &mut link);
        stage.begin(demo.format())?;
        while let Some(piece) = demo.next_piece()? {
            stage.take(&piece)?;
        }
        stage.end()?;
        all = sum(all, stage.summary());
    }
    file.end()?;
    all.about = format!("{count} recordings joined");
    Ok(all)
}

fn sum(all: EditSummary, one: &EditSummary) -> EditSummary {
    EditSummary {
        game: one.game,
        read: all.read + one.read,
        stopped: false,
        replaced: false,
        same: all.same + one.same,
        changed: all.changed + one.changed,
        added: all.added + one.added,
        bytes_in: all.bytes_in + one.bytes_in,
        bytes_out: all.bytes_out + one.bytes_out,
        about: String::new(),
        notes: [all.notes, one.notes.clone()].concat(),
    }
}

/// The output file, into which all recordings are written.
struct Link<'f> {
    sink: &'f mut dyn PieceSink,
    is_first: bool,
}

impl PieceSink for Link<'_> {
    fn begin(&mut self, format: Format) -> Result<(), Error> {
        if self.is_first { self.sink.begin(format) } else { Ok(()) }
    }
    fn take(&mut self, piece: &Piece<'_>) -> Result<(), Error> {
        self.sink.take(piece)
    }
    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// The changes to each recording at its ends.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "where the recording stands, and how the one before it ended"
)]
struct Seam {
    /// The number of the recording, counted from 1.
    number: usize,
    is_first: bool,
    is_last: bool,
    /// Whether the next block is the first of another recording.
    is_new: bool,
    /// Whether the recording announced its level, and whether it shows a level without an announcement.
    is_announced: bool,
    is_headless: bool,
    reconnects: bool,
    /// Whether the recording before this one ended with a tint on the screen.
    was_tinted: bool,
    ends: bool,
    game: Option<Game>,
    angles: [u32; 3],
    parts: Parts,
    /// The settings of the picture that commands made so far: an engine keeps them from level to level.
    picture: World,
    quakeworld: quakeworld::Seam,
}

/// The command that removes a tint from the screen, after a console command that may have no end yet.
const CLEAR: &[u8] = b"\nv_cshift 0 0 0 0\n\0";

fn clear_message() -> dem::Message<'static> {
    dem::StuffText { string: Str::new(CLEAR) }.into()
}

/// Whether a tint is left on the screen: the last of the four numbers of the tint command is its percentage.
fn is_tinted(picture: &World) -> bool {
    let words = picture.console.get("v_cshift").unwrap_or_default();
    let percent = words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(3);
    percent.is_some_and(|word| word.iter().any(|digit| matches!(digit, b'1'..=b'9')))
}

impl Rewrite for Seam {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("joined")
    }

    fn begin(&mut self, format: Format, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if !self.is_first {
            out.follow_recording();
        }
        self.game = format.game();
        if let Some(word) = self.quakeworld.turn(format) {
            return Err(Error::Impossible(format!(
                "recording {} is a {word}: join recordings of one kind",
                self.number
            )));
        }
        self.parts.turn();
        (self.is_announced, self.is_headless) = (false, false);
        self.picture.end_block();
        if is_tinted(&self.picture) {
            self.was_tinted = true;
            self.picture.apply(&Entry { at: 0, unicast: None, message: clear_message() });
        }
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        // The end mark is written once, and bytes that are not a block must not precede another recording.
        if matches!(piece, Piece::Header(_)) && self.is_first { out.piece(piece) } else { Ok(()) }
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let ends = matches!(entry.message, dem::Message::Disconnect(_));
        match entry.message {
            dem::Message::ServerInfo(_) => self.is_announced = true,
            dem::Message::ClientData(_)
            | dem::Message::PlayerData(_)
            | dem::Message::DarkPlacesFrame(_)
            | dem::Message::UpdateEntities(_)
            | dem::Message::UpdateEntity(_) => {
                self.is_headless |= !self.is_announced;
            }
            _ => {}
        }
        if let dem::Message::StuffText(_) = entry.message {
            self.picture.apply(entry);
        }
        if self.is_last || !ends {
            writer.keep();
        }
        self.ends = ends && self.is_last;
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let ends = matches!(entry.message, dm2::Message::Disconnect(_) | dm2::Message::Reconnect(_));
        match entry.message {
            dm2::Message::ServerData(_) => self.is_announced = true,
            dm2::Message::FrameMessage(_) => self.is_headless |= !self.is_announced,
            _ => {}
        }
        if self.is_last || !ends {
            writer.keep();
        }
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn moves_end(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let ends = match &entry.message {
            qw::Message::Disconnect(_) => true,
            qw::Message::Connless(it) => it.packet.ends(),
            qw::Message::ServerData(_) => {
                self.is_announced = true;
                false
            }
            qw::Message::PacketEntities(_) | qw::Message::DeltaPacketEntities(_) => {
                self.is_headless |= !self.is_announced;
                false
            }
            _ => false,
        };
        if self.is_last || !ends {
            writer.keep();
        }
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.is_headless && !self.is_first {
            return Err(Error::Impossible(format!(
                "recording {} does not name its level: `moviola repair --signon` adds a beginning",
                self.number
            )));
        }
        if writer.block().is_truncated() {
            out.note("a recording ends inside a block, which was left out");
            return Ok(());
        }
        if self.game == Some(Game::QuakeWorld) {
            let is_new = std::mem::take(&mut self.is_new);
            return self.quakeworld.block(is_new, writer, out);
        }
        if writer.written().is_empty() {
            return Ok(());
        }
        if self.game == Some(Game::Quake2) && self.parts.keeps_back(&Block::new(writer.written()), out)? {
            return Ok(());
        }
        if std::mem::take(&mut self.is_new) && self.game == Some(Game::Quake) {
            if !self.reconnects {
                out.block(self.angles, &reconnect())?;
            }
            if std::mem::take(&mut self.was_tinted) {
                out.block(self.angles, &bytes(&clear_message()))?;
            }
        }
        self.reconnects = writer.written().ends_with(&reconnect());
        self.angles = writer.angles;
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.parts.end(out)?;
        match self.game {
            Some(Game::Quake) if self.is_last && !self.ends => {
                out.block(self.angles, &bytes(&dem::Disconnect {}.into()))
            }
            Some(Game::Quake2) if self.is_last => out.piece(&Piece::End),
            _ => Ok(()),
        }
    }
}
