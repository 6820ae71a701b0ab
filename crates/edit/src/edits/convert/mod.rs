//! `Convert`: a recording in another protocol, or as an engine needs it, with a report of the losses.

mod losses;
mod numbers;
mod quake;
mod quake2;
mod quakeworld;
mod survey;
mod target;
mod text;
mod turn;

use crate::machinery::summary::thousands;
use crate::{BlockWriter, EditOutput, Error, Rewrite, rewrite};
use losses::Losses;
use moviola_check::{CheckCode, Engine};
use moviola_format::{Entry, Fault, FaultKind, Format, Game, Piece, dem, dm2, qw};
use std::io::{self, Read};
use survey::Survey;
use target::Target;

/// Converts a recording to another protocol, or for an engine, or both.
///
/// Every message is encoded again for the target protocol. A value without an exact equal becomes the nearest
/// one, a message without any equal is left out, and the report counts both. Models and sounds with too high
/// numbers get free lower ones, as long as the level uses no more than fit. For an engine, the findings of
/// `check` about it are mended where that is possible.
///
/// ```
/// use moviola_check::Engine;
/// use moviola_edit::{Convert, rewrite};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-666").unwrap().bytes;
/// let mut convert = Convert::to(15).engine(Engine::find("id-1.09").unwrap());
/// convert.look(&recording[..]).unwrap();
/// let mut old = Vec::new();
/// let summary = rewrite(&recording[..], &mut convert, &mut old).unwrap();
/// assert!(summary.about.starts_with("666 to 15"));
/// for line in summary.notes {
///     println!("{line}");
/// }
/// ```
#[derive(Clone, Default)]
pub struct Convert {
    target: Target,
    fits: Vec<survey::NewNumbers>,
    side: GameConverter,
    losses: Losses,
    /// The protocols of the first level before and after the conversion.
    protocols: Option<[i32; 2]>,
    unread: u64,
    ended: bool,
    /// QuakeWorld: the player whose view is shown.
    player: Option<String>,
    who: quakeworld::ShownPlayers,
}

#[derive(Clone, Default)]
enum GameConverter {
    #[default]
    Neither,
    Quake(Box<quake::QuakeConverter>),
    Quake2(quake2::Quake2Converter),
    QuakeWorld(Box<quakeworld::QuakeWorldConverter>),
}

/// The first line of a Quake recording that asks for no CD track.
const HEADER: &[u8] = b"-1\n";

impl Convert {
    /// To this protocol: 15, 666 or 999 of Quake, 34 of Quake II.
    pub fn to(protocol: i32) -> Self {
        Self { target: Target { protocol: Some(protocol), ..Target::default() }, ..Self::default() }
    }

    /// For this engine, in the recording's own protocol if the engine speaks it.
    ///
    /// ```
    /// use moviola_check::Engine;
    /// use moviola_edit::{Convert, rewrite};
    /// // The size of the block, 13, would be white space to Quake before 1.09.
    /// let recording = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08ten letters\0";
    /// let mut old = Convert::for_engine(Engine::find("id-1.06").unwrap());
    /// let mut padded = Vec::new();
    /// rewrite(&recording[..], &mut old, &mut padded).unwrap();
    /// assert_eq!((padded[3], &padded[19..21]), (14, &b"\x01\x08"[..]));
    /// ```
    pub fn for_engine(engine: &'static Engine) -> Self {
        Self::default().engine(engine)
    }

    /// Converts for this engine as well.
    #[must_use]
    pub fn engine(mut self, engine: &'static Engine) -> Self {
        self.target.engine = Some(engine);
        self
    }

    /// For a match of QuakeWorld, whose recording has all players: shows the view of this player, given by number,
    /// counted from 1, or by a part of the name. The default is the player with the most frags.
    ///
    /// ```
    /// let mut convert = moviola_edit::Convert::to(666).of_player("Bob");
    /// assert!(convert.look(&b"-1\n"[..]).is_err(), "this is no match");
    /// ```
    #[must_use]
    pub fn of_player(mut self, who: impl Into<String>) -> Self {
        self.player = Some(who.into());
        self
    }

    /// The protocols that a recording can be converted to.
    ///
    /// ```
    /// assert_eq!(moviola_edit::Convert::protocols().collect::<Vec<_>>(), [15, 666, 999, 34]);
    /// ```
    pub fn protocols() -> impl Iterator<Item = i32> {
        target::PROTOCOLS.iter().flat_map(|(_, known)| known.iter().copied())
    }

    /// Looks at the recording first: which models and sounds are used, where not all of them fit.
    ///
    /// # Errors
    /// When the recording cannot be converted to that, or reading fails.
    pub fn look<R: Read>(&mut self, recording: R) -> Result<(), Error> {
        let mut survey = Survey::new(self.target);
        rewrite(recording, &mut survey, io::sink())?;
        if let Some(playing) = survey.playing.take() {
            self.who = playing.find(self.player.as_deref())?;
        } else if self.player.is_some() {
            return Err(Error::Impossible(
                "only a match of QuakeWorld (.mvd) has the views of several players".into(),
            ));
        }
        self.target.is_as_today = !survey.is_old;
        self.fits = survey.finish();
        Ok(())
    }

    fn enter(&mut self, from: i32, writer: &BlockWriter<'_>, flags: u32) {
        let mut context = *writer.context();
        match context.game {
            Game::Quake | Game::QuakeWorld => context.set_quake_protocol(from, flags),
            Game::Quake2 => context.set_quake2_protocol(from, 0),
        };
        self.protocols.get_or_insert([from, self.target.context(&context).protocol]);
    }
}

impl Rewrite for Convert {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("converted")
    }

    fn needs_updates(&self) -> Option<&'static str> {
        Some("converted")
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn knows_q2pro(&self) -> bool {
        true
    }

    fn makes(&self, format: Format) -> Format {
        match format.game() {
            Some(Game::QuakeWorld) => Format::Quake { header: HEADER.len() },
            _ => format,
        }
    }

    fn begin(&mut self, format: Format, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let game = Error::any_game(format)?;
        if game == Game::QuakeWorld {
            self.target.check(Game::Quake)?;
            self.side = GameConverter::QuakeWorld(Box::new(quakeworld::QuakeWorldConverter::new(
                self.target,
                &self.who,
            )));
            return out.piece(&Piece::Header(HEADER));
        }
        self.target.check(game)?;
        self.side = match game {
            Game::Quake | Game::QuakeWorld => GameConverter::Quake(Box::new(quake::QuakeConverter::new(
                self.target,
                std::mem::take(&mut self.fits),
            ))),
            Game::Quake2 => GameConverter::Quake2(quake2::Quake2Converter::new(self.target)),
        };
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        match (piece, &mut self.side) {
            (Piece::Header(line), GameConverter::Quake(side)) => {
                out.piece(&Piece::Header(&side.header(line)))
            }
            (Piece::Raw(bytes), side)
                if self.target.engine.is_some() || matches!(side, GameConverter::QuakeWorld(_)) =>
            {
                self.unread = self.unread.saturating_add(bytes.len() as u64);
                Ok(())
            }
            (Piece::End, _) => {
                self.ended = true;
                out.piece(piece)
            }
            _ => out.piece(piece),
        }
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let dem::Message::ServerInfo(it) = &entry.message {
            self.enter(it.protocol.version(), writer, it.protocol.flags());
        }
        if let GameConverter::Quake(side) = &mut self.side {
            side.message(entry, writer, &mut self.losses);
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let dm2::Message::ServerData(it) = &entry.message {
            self.enter(it.serverversion, writer, 0);
        }
        if let GameConverter::Quake2(side) = &mut self.side {
            side.message(entry, writer, &mut self.losses);
        }
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        if let GameConverter::QuakeWorld(side) = &mut self.side {
            side.begin_block(writer.block(), writer.context());
        }
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, _: &mut BlockWriter<'_>) {
        if let GameConverter::QuakeWorld(side) = &mut self.side {
            side.message(entry, &mut self.losses);
        }
    }

    fn remainder(&mut self, fault: Fault, writer: &mut BlockWriter<'_>) {
        let (code, value) = match fault.kind {
            FaultKind::DarkPlaces => (CheckCode::DarkPlacesUpdate, 0),
            FaultKind::UnknownMessage(op) | FaultKind::GameCode(op) => {
                (CheckCode::UnknownMessage, i64::from(op))
            }
            FaultKind::UnknownTempEntity(kind) => (CheckCode::UnknownTempEntity, i64::from(kind)),
            _ => (CheckCode::ShortMessage, 0),
        };
        let keeps = writer.block().is_from_client()
            || match &self.side {
                GameConverter::Quake(side) => side.keeps_unread(code, value),
                GameConverter::Quake2(side) => side.keeps_unread(code, value),
                GameConverter::QuakeWorld(_) => false,
                GameConverter::Neither => true,
            };
        if keeps {
            writer.keep();
        } else {
            self.unread = self.unread.saturating_add(writer.bytes().len() as u64);
        }
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        match &mut self.side {
            GameConverter::Quake(side) => side.block_end(writer, &mut self.losses, out),
            GameConverter::Quake2(side) => side.block_end(writer, &mut self.losses, out),
            GameConverter::QuakeWorld(side) => side.block_end(&mut self.losses, out),
            GameConverter::Neither => writer.write(out),
        }
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if matches!(self.side, GameConverter::Quake2(_))
            && !self.ended
            && self.target.rejects(CheckCode::MissingMark, 0)
        {
            out.piece(&Piece::End)?;
        }
        if let GameConverter::QuakeWorld(side) = &mut self.side {
            side.end(&mut self.losses, out)?;
            if side.frames == 0 {
                return Err(Error::Impossible("there is no frame in it, so there is nothing to see".into()));
            }
        }
        if let GameConverter::Quake2(side) = &mut self.side {
            side.end(&mut self.losses);
        }
        if self.unread > 0 {
            self.losses
                .add_loss(format!("left out: {} bytes that could not be read", thousands(self.unread)));
        }
        self.losses.lines().for_each(|line| out.note(line));
        Ok(())
    }

    fn outcome(&self) -> String {
        if let (GameConverter::QuakeWorld(side), Some(to)) = (&self.side, self.target.protocol) {
            let name = &self.who.name;
            return format!(
                "QuakeWorld to {to}, {} frames through the eyes of {name}",
                thousands(side.frames)
            );
        }
        let protocol = match self.protocols {
            Some([from, to]) if from == to => format!("{from} stays"),
            Some([from, to]) => format!("{from} to {to}"),
            None => "no level in it".to_owned(),
        };
        let engine = self.target.engine.map_or_else(String::new, |engine| format!(" for {}", engine.name));
        let lost = if self.losses.is_empty() { "nothing lost" } else { "with losses" };
        format!("{protocol}{engine}, {lost}")
    }
}
