//! Capture: a recording that takes pictures of itself, and a script that makes a film of them.
//!
//! The engine's clock advances by the time of one picture in each frame (`host_framerate`, `fixedtime`). Quake's
//! engines interpolate between the recording's frames: the recording repeats the command as often as pictures are
//! due, and waits a frame after each. Quake II's engines cannot be made to wait for a frame, so the recording has a
//! frame for every picture.

mod script;

use crate::edits::retime::quake2::Timer;
use crate::machinery::film::Film;
use crate::{BlockWriter, EditCode, EditOutput, Error, Mistake, Rewrite};
use moviola_check::largest_block;
use moviola_format::{Context, Entry, Fault, Format, Game, Piece, Str, dem, dm2, write_message};

/// Makes a recording take a picture of itself for each frame of a film.
///
/// ```
/// use moviola_edit::{Capture, rewrite};
/// use moviola_format::Game;
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
/// let mut capture = Capture::new(25.0, "screenshot").unwrap();
/// let mut film = Vec::new();
/// rewrite(&recording[..], &mut capture, &mut film).unwrap();
/// assert!(capture.pictures() > 0);
/// assert!(capture.script(Game::Quake, "film.dem").contains("host_framerate 0.04\n"));
/// assert!(Capture::new(0.0, "screenshot").is_err());
/// ```
#[derive(Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says another thing of the block at hand, and all mix"
)]
pub struct Capture {
    fps: f64,
    command: String,
    game: Game,
    film: Film,
    /// Whether a level is loaded and shown.
    plays: bool,
    /// The time of the first picture.
    start: Option<f64>,
    /// The number of pictures requested so far.
    pictures: u64,
    /// Whether the block has a moment of the game, and can be added to.
    is_frame: bool,
    is_whole: bool,
    /// Whether the engine got the command that ends the film.
    is_over: bool,
    /// Makes the frames of Quake II.
    timer: Option<Timer>,
}

/// No engine takes more pictures per second.
const FASTEST: f64 = 1000.0;

/// How much too early a picture may be: a hundredth of Quake's shortest frame.
const TOLERANCE: f64 = 1e-4;

/// The largest block that the first engines take.
const MAX_BLOCK: usize = largest_block(Game::Quake);

/// The name of a command that only the script's engine has: the film is over.
const DONE: &str = "moviola_done";

impl Capture {
    /// Takes this many pictures a second with this command.
    ///
    /// # Errors
    /// When the number of pictures is out of range, or `command` is not a command.
    pub fn new(fps: f64, command: &str) -> Result<Self, Mistake> {
        if !(1.0..=FASTEST).contains(&fps) {
            let text = fps.to_string();
            let message = format!("`{text}` pictures a second cannot be taken");
            let at = 0..text.len();
            return Err(Mistake::new(EditCode::FrameRate, message, text, at).help("films use 24 to 60"));
        }
        let command = command.trim();
        let is_line = !command.is_empty() && command.bytes().all(|byte| (b' '..0x7F).contains(&byte));
        if !is_line || command.len() > LONGEST {
            let message = "not a command for an engine's console";
            return Err(Mistake::new(EditCode::Command, message, command, 0..command.len())
                .help("write one line, such as screenshot"));
        }
        Ok(Self {
            fps,
            command: command.to_owned(),
            game: Game::Quake,
            film: Film::default(),
            plays: false,
            start: None,
            pictures: 0,
            is_frame: false,
            is_whole: true,
            is_over: false,
            timer: None,
        })
    }

    /// The number of pictures requested so far.
    pub fn pictures(&self) -> u64 {
        self.timer.as_ref().map_or(self.pictures, Timer::frames)
    }

    /// A shell script that plays the recording of this name and game, which lies beside it, and makes a film of the pictures.
    pub fn script(&self, game: Game, recording: impl AsRef<[u8]>) -> String {
        script::script(game, self.fps, recording.as_ref())
    }

    /// The number of pictures that are due, and the commands for them, as far as there is room.
    fn due(&self, room: usize) -> Option<(u64, Vec<u8>)> {
        let start = self.start?;
        let all = ((self.film.now - start + TOLERANCE) * self.fps).floor() as u64 + 1;
        let mut due = all.saturating_sub(self.pictures);
        let mut text = Vec::new();
        // A frame passes after each picture, so that late commands do not take two pictures of the same frame.
        let line = format!("{}\nwait\n", self.command);
        while due > 0 && text.len() + line.len() * due as usize > room.min(LONGEST_TEXT) {
            due -= 1;
        }
        (0..due).for_each(|_| text.extend_from_slice(line.as_bytes()));
        text.push(0);
        (due > 0).then_some((due, text))
    }
}

/// A command for the console, as a message.
fn command(game: Game, command: &str) -> Vec<u8> {
    let (text, mut bytes) = (format!("{command}\n\0"), Vec::new());
    let (string, context) = (Str::new(text.as_bytes()), Context::of(game));
    match game {
        Game::Quake | Game::QuakeWorld => {
            write_message(&dem::Message::from(dem::StuffText { string }), &mut bytes, &context);
        }
        Game::Quake2 => write_message(&dm2::Message::from(dm2::StuffText { string }), &mut bytes, &context),
    }
    bytes
}

/// The longest command, and the longest text of commands that engines take in one message.
const LONGEST: usize = 200;
const LONGEST_TEXT: usize = 1000;

impl Rewrite for Capture {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("filmed")
    }

    fn knows_quakeworld(&self) -> bool {
        // Taken only to report, with the reason, that a recording of QuakeWorld cannot be captured.
        true
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        if Error::any_game(format)? == Game::QuakeWorld {
            let why = "engines of QuakeWorld do not take pictures by a recording's commands: `moviola film` makes a film \
                of it without an engine, and ezQuake one by its own command, `demo_capture start SECONDS`";
            return Err(Error::Impossible(why.into()));
        }
        self.game = Error::game(format)?;
        self.timer = (self.game == Game::Quake2)
            .then(|| Timer::with_frame_rate(self.fps, command(self.game, &self.command)));
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        // After an end, and after bytes that are not a block, nothing is played.
        if !matches!(piece, Piece::Header(_)) {
            self.end(out)?;
        }
        out.piece(piece)
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.is_whole = !writer.block().is_from_client() && !writer.block().is_truncated();
        self.is_frame = false;
        if let Some(timer) = self.timer.as_mut().filter(|_| self.is_whole) {
            timer.block(writer.block());
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let Some(timer) = self.timer.as_mut().filter(|_| self.is_whole) {
            timer.message(entry, writer);
        }
        writer.keep();
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            // An engine plays from the first update on.
            dem::Message::UpdateEntity(_)
            | dem::Message::DarkPlacesFrame(_)
            | dem::Message::UpdateEntities(_) => self.plays = true,
            dem::Message::ServerInfo(_) => self.plays = false,
            dem::Message::Disconnect(_) if !std::mem::replace(&mut self.is_over, true) => {
                writer.put_bytes(&command(self.game, DONE));
            }
            _ => {}
        }
        self.is_frame |= self.film.quake(&entry.message);
        writer.keep();
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        self.is_whole &= self.timer.is_some();
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if let Some(timer) = self.timer.as_mut().filter(|_| self.is_whole) {
            return timer.block_end(writer, true, out);
        }
        if writer.block().is_truncated() {
            self.end(out)?;
        }
        if self.is_frame && self.is_whole && self.plays && !self.is_over {
            self.start.get_or_insert(self.film.now);
            let room = MAX_BLOCK.saturating_sub(writer.written().len()).saturating_sub(2);
            if let Some((due, text)) = self.due(room) {
                self.pictures = self.pictures.saturating_add(due);
                writer.put(&dem::Message::from(dem::StuffText { string: Str::new(&text) }));
            }
        }
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if let Some(timer) = &mut self.timer {
            timer.end(out)?;
        }
        if !std::mem::replace(&mut self.is_over, true) {
            out.block([0; 3], &command(self.game, DONE))?;
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let pictures = crate::machinery::summary::thousands(self.pictures());
        format!("{pictures} pictures, {} a second", self.fps)
    }
}
