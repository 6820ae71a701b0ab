//! `Insert`: puts a message, a command for the console or a fade into a recording.

// not from SCHEMA, all words: the words of `insert`

use super::strip::is_safe;
use crate::machinery::film::Film;
use crate::{BlockPlace, BlockWriter, EditCode, EditOutput, Error, FoundSpans, Mistake, Rewrite};
use moviola_check::largest_block;
use moviola_format::{
    Block, Context, Dialect, Entry, Fault, Format, Game, Lasts, Message, OpenCommand, Quake, Quake2,
    QuakeWorld, Str, commands, dem, dm2, qw, write_message,
};
use moviola_text::{Arena, Diagnostic, parse_message};

/// The longest fade in seconds.
const LONGEST: f64 = 60.0;

/// Puts a message at the beginning of each part that the spans name, into the first frame there.
///
/// ```
/// use moviola_edit::{Insert, Spans, rewrite};
/// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let found = Spans::parse("1..").unwrap().find(&recording[..]).unwrap();
/// let mut insert = Insert::parse("centerprint \"Go\"").unwrap().at(found);
/// let mut edited = Vec::new();
/// let summary = rewrite(&recording[..], &mut insert, &mut edited).unwrap();
/// assert!(edited.ends_with(b"\x07\0\0\0\x40\x1aGo\0"));
/// assert_eq!(summary.about, "1 message at 1 place");
/// ```
#[derive(Clone)]
pub struct Insert {
    what: Insertion,
    /// The request as given, for mistakes in it.
    words: String,
    found: FoundSpans,
    game: Game,
    film: Film,
    /// Whether the previous block belongs to a part.
    was_inside: bool,
    /// Whether a part has begun that has no frame yet.
    is_due: bool,
    /// Whether the block belongs to a frame, so that a message can be added to it.
    fits: bool,
    /// The film's time at which the current fade began.
    fading: Option<f64>,
    messages: u64,
    places: u64,
    /// What the message does to those who play the recording, for notes.
    risks: Vec<String>,
}

/// The message or effect to insert.
#[derive(Clone, Debug, PartialEq)]
enum Insertion {
    /// A message in the words of a text.
    Message(String),
    /// A line for the console.
    Command(String),
    /// A fade to black that takes this many seconds; from black, if negative.
    Fade(f64),
}

impl Insert {
    /// Reads the request: a message in the words of a text, `command TEXT`, `fov DEGREES` or `fade SECONDS`.
    ///
    /// # Errors
    /// A mistake, if the request is none of these, or is a command that may change the machine of the person
    /// who plays the recording.
    ///
    /// ```
    /// use moviola_edit::Insert;
    /// assert!(Insert::parse("command bf").is_ok() && Insert::parse("fade 2").is_ok());
    /// assert!(Insert::parse("command \"unbindall\"").err().unwrap().message.contains("unbindall"));
    /// ```
    pub fn parse(words: &str) -> Result<Self, Mistake> {
        let trimmed = words.trim();
        let (word, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        let rest = rest.trim().trim_end_matches(';').trim_end();
        let mistake = |message: String| Mistake::new(EditCode::Insert, message, words, 0..words.len());
        let number = |least: f64, most: f64| {
            let number = rest.trim_end_matches('s').parse::<f64>().ok();
            number
                .filter(|it| (least..=most).contains(it))
                .ok_or_else(|| mistake(format!("`{word}` needs a number from {least} to {most} after it")))
        };
        let insertion = match word {
            "" => return Err(mistake("there is nothing to insert".to_owned())),
            "fov" => Insertion::Command(format!("fov {}", number(1.0, 170.0)?)),
            "fade" => Insertion::Fade(
                Some(number(-LONGEST, LONGEST)?)
                    .filter(|it| *it != 0.0)
                    .ok_or_else(|| mistake("a fade needs more than 0 seconds".to_owned()))?,
            ),
            "command" => {
                let text = rest.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(rest);
                let text = text.trim_end_matches("\\n");
                if let Some(command) = commands(text.as_bytes()).find(|command| !is_safe(*command)) {
                    let name = String::from_utf8_lossy(command.name()).into_owned();
                    let what = format!(
                        "`{name}` may change keys, settings or files of the person who plays the recording"
                    );
                    return Err(mistake(what).help("`moviola explain M014` says which commands are harmless"));
                }
                Insertion::Command(text.to_owned())
            }
            _ => {
                let message = trimmed.trim_end_matches(';').trim_end();
                // A message with fields ends with its brace.
                let end = if message.ends_with('}') { "" } else { ";" };
                Insertion::Message(format!("{message}{end}"))
            }
        };
        Ok(Self {
            what: insertion,
            words: words.to_owned(),
            found: FoundSpans::all(),
            game: Game::Quake,
            film: Film::default(),
            was_inside: false,
            is_due: false,
            fits: false,
            fading: None,
            messages: 0,
            places: 0,
            risks: Vec::new(),
        })
    }

    /// Inserts at the beginning of each of these parts.
    #[must_use]
    pub fn at(self, found: FoundSpans) -> Self {
        Self { found, ..self }
    }

    /// Whether the block at this place begins a part.
    fn begins(&mut self, place: &BlockPlace) -> bool {
        let is_inside = self.found.holds(place);
        let was_inside = std::mem::replace(&mut self.was_inside, is_inside);
        is_inside && !was_inside
    }

    /// The console command for this moment of a fade.
    fn shade(&mut self, seconds: f64) -> Option<String> {
        let since = self.film.now - self.fading?;
        let share = (since / seconds.abs()).clamp(0.0, 1.0);
        if share >= 1.0 {
            self.fading = None;
        }
        let share = if seconds < 0.0 { 1.0 - share } else { share };
        Some(format!("v_cshift 0 0 0 {:.0}", 255.0 * share))
    }

    /// Puts a command for the console into the block; false if the block is too full.
    fn command(&mut self, line: &str, writer: &mut BlockWriter<'_>) -> bool {
        let wire = [line.as_bytes(), b"\n\0"].concat();
        let string = Str::new(&wire);
        match self.game {
            Game::Quake => self.write(&dem::Message::from(dem::StuffText { string }), writer),
            Game::QuakeWorld => self.write(&qw::Message::from(qw::StuffText { string }), writer),
            Game::Quake2 => self.write(&dm2::Message::from(dm2::StuffText { string }), writer),
        }
    }

    /// Puts a message into the block; false if the block is too full.
    fn message<D: Dialect>(&mut self, text: &str, writer: &mut BlockWriter<'_>) -> Result<bool, Error> {
        let arena = Arena::default();
        match parse_message::<D>(text.as_bytes(), writer.context(), &arena) {
            Ok(message) => {
                self.find_risks(&message, writer.context());
                Ok(self.write(&message, writer))
            }
            Err(mistakes) => Err(Error::Mistakes(mistakes.iter().map(|it| self.mistake(it)).collect())),
        }
    }

    fn write<'m, M: Message<'m>>(&mut self, message: &M, writer: &mut BlockWriter<'_>) -> bool {
        let mut bytes = Vec::new();
        write_message(message, &mut bytes, writer.context());
        // The block's last message may lack its NUL.
        if writer.written().len() + bytes.len() + 1 > largest_block(self.game) {
            return false;
        }
        writer.put(message);
        self.messages += 1;
        true
    }

    /// Remembers what the message does to those who play the recording. It is inserted nevertheless, since somebody wrote it
    /// in full.
    fn find_risks<'m, M: Message<'m>>(&mut self, message: &M, context: &Context) {
        let name = message.schema().name;
        let mut risks = Vec::new();
        match message.schema().properties.lasts {
            Lasts::Connection => {
                risks
                    .push(format!("`{name}` begins or leaves a level: players may not show what follows it"));
            }
            Lasts::Command => {
                let mut bytes = Vec::new();
                write_message(message, &mut bytes, context);
                // The text of the command stands between the message's id and a NUL.
                let text = bytes.get(1..bytes.len().saturating_sub(1)).unwrap_or_default();
                let dangers = OpenCommand::default().dangers(text, 0);
                risks.extend(
                    dangers
                        .iter()
                        .map(|danger| format!("`{name}`: the command {} where it is played", danger.words())),
                );
            }
            _ => {}
        }
        for risk in risks {
            if !self.risks.contains(&risk) {
                self.risks.push(risk);
            }
        }
    }

    /// A mistake in the message, at its place in the request.
    fn mistake(&self, found: &Diagnostic) -> Mistake {
        let from = found.column.saturating_sub(1).min(self.words.len());
        let to = from.saturating_add(found.length).min(self.words.len());
        let mistake = Mistake::new(EditCode::Insert, found.message.clone(), self.words.clone(), from..to);
        Mistake { help: found.help.clone(), ..mistake }
    }
}

impl Rewrite for Insert {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("given messages")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.game = Error::any_game(format)?;
        if self.game == Game::Quake2 && matches!(self.what, Insertion::Fade(_)) {
            let why = "Quake II has no command that fades the screen: `moviola film` can fade its films";
            return Err(Error::Impossible(why.into()));
        }
        Ok(())
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.fits = self.film.block(self.game, writer);
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
        self.fits &= !matches!(entry.message, qw::Message::Disconnect(_) | qw::Message::Connless(_));
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
        self.fits |= self.film.quake(&entry.message);
        self.fits &= !matches!(entry.message, dem::Message::Disconnect(_));
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
        self.fits |= self.film.quake2(&entry.message);
        self.fits &= !matches!(entry.message, dm2::Message::Disconnect(_) | dm2::Message::Reconnect(_));
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        writer.keep();
        self.fits = false;
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.is_due |= self.begins(writer.place());
        if !self.fits || Block::is_truncated(writer.block()) {
            return writer.write(out);
        }
        let is_due = self.is_due;
        let is_done = match self.what.clone() {
            Insertion::Fade(seconds) => {
                if is_due {
                    self.fading = Some(self.film.now);
                }
                if let Some(line) = self.shade(seconds) {
                    self.command(&line, writer);
                }
                is_due
            }
            Insertion::Command(line) => is_due && self.command(&line, writer),
            Insertion::Message(text) if is_due => match self.game {
                Game::Quake => self.message::<Quake>(&text, writer)?,
                Game::QuakeWorld => self.message::<QuakeWorld>(&text, writer)?,
                Game::Quake2 => self.message::<Quake2>(&text, writer)?,
            },
            Insertion::Message(_) => false,
        };
        // If a block is too full, the message goes into the next one.
        self.is_due &= !is_done;
        self.places += u64::from(is_done);
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.places == 0 {
            return Err(Error::Impossible("there is no frame to insert it into".into()));
        }
        self.risks.drain(..).for_each(|risk| out.note(risk));
        Ok(())
    }

    fn outcome(&self) -> String {
        let plural = |number: u64| if number == 1 { "" } else { "s" };
        let (messages, places) = (self.messages, self.places);
        format!("{messages} message{} at {places} place{}", plural(messages), plural(places))
    }
}
