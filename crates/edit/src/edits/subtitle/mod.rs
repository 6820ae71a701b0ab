//! Subtitles: texts in the middle of the screen that stay as long as a subtitle file specifies.
//!
//! An engine removes such a text after about two seconds, which players can change; so it is sent again while
//! it has to stay, and an empty one is sent when it has to go.

mod markup;
mod read;
mod wrap;

pub use read::{Cue, OneLine};

use crate::machinery::film::Film;
use crate::{BlockWriter, EditOutput, Error, Mistake, Rewrite};
use moviola_check::largest_block;
use moviola_format::{Block, Entry, Fault, Format, Game, Str, dem, dm2, qw};

/// The seconds after which a text is sent again: engines show it for 2 seconds (Quake) and 2.5 (Quake II),
/// unless a setting changes that.
const REPEAT_AFTER: f64 = 1.5;

/// The reason why a subtitle cannot be seen: [`Screen::Taken`].
const SCREEN_TAKEN: &str = "where the scores or a text of the game are shown until the end of the level";

/// The tolerance of a film's times: a hundredth of Quake's shortest frame.
const TOLERANCE: f64 = 1e-4;

/// Puts subtitles into a recording of either game. Times are those of the film: seconds since its first frame, over
/// all levels.
///
/// ```
/// use moviola_edit::{Subtitle, rewrite};
/// let mut subtitle = Subtitle::parse(b"1\n00:00:00,000 --> 00:00:02,000\nThe **Slipgate**\n").unwrap();
/// let recording = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let mut edited = Vec::new();
/// let summary = rewrite(&recording[..], &mut subtitle, &mut edited).unwrap();
/// assert!(edited.ends_with(b"\x07\0\0\0\x40\x1aThe \xd3\xec\xe9\xf0\xe7\xe1\xf4\xe5\0"));
/// assert_eq!(summary.about, "1 of 1 subtitle, in 1 message");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Subtitle {
    cues: Vec<Cue>,
    /// The number of their letters that the font lacks.
    strange: usize,
    game: Game,
    film: Film,
    /// Whether the block belongs to a frame, so that a text can be added to it.
    fits: bool,
    /// Whether the block writes over the middle of the screen itself.
    overwritten: bool,
    screen: Screen,
    /// For each subtitle, whether the game's scores or its own text hide it.
    hidden: Vec<bool>,
    /// Whether texts were shown in a cutscene.
    in_cutscene: bool,
    /// The text on the screen, and the time at which it appeared.
    shown: Option<(Vec<u8>, f64)>,
    /// For each subtitle, whether it was shown.
    seen: Vec<bool>,
    sent: u64,
}

/// How Quake draws texts in the middle of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Screen {
    /// For some seconds, as always in Quake II.
    Play,
    /// A cutscene without a text: the next text appears letter by letter and stays until another replaces it.
    Scene,
    /// Either scores, over which no text is drawn, or a text of the game. Both stay until the level is over.
    Taken,
}

impl Screen {
    fn of(text: Str<'_>) -> Self {
        if text.bytes().is_empty() { Self::Scene } else { Self::Taken }
    }
}

impl Subtitle {
    /// Reads a file of subtitles, .srt or .vtt.
    ///
    /// # Errors
    /// All mistakes of the file, with their places.
    pub fn parse(file: &[u8]) -> Result<Self, Vec<Mistake>> {
        read::cues(file).map(Self::of)
    }

    /// Takes subtitles of one line each: `00:05.0 --> 00:08.5 It begins`.
    ///
    /// # Errors
    /// All mistakes in them; the source of each is its line.
    ///
    /// ```
    /// use moviola_edit::Subtitle;
    /// let subtitle = Subtitle::parse_lines(&["00:01.0 --> 00:02.0 one|two".to_owned()]).unwrap();
    /// assert_eq!(subtitle.cues()[0].text, b"one\ntwo");
    /// ```
    pub fn parse_lines(lines: &[String]) -> Result<Self, Vec<Mistake>> {
        read::parse_lines(lines).map(Self::of)
    }

    fn of((cues, strange): (Vec<Cue>, usize)) -> Self {
        Self {
            seen: vec![false; cues.len()],
            hidden: vec![false; cues.len()],
            cues,
            strange,
            game: Game::Quake,
            film: Film::default(),
            fits: false,
            overwritten: false,
            screen: Screen::Play,
            in_cutscene: false,
            shown: None,
            sent: 0,
        }
    }

    /// The subtitles, in the order of their times.
    pub fn cues(&self) -> &[Cue] {
        &self.cues
    }

    /// Moves the subtitles by this many seconds, to an earlier time if negative.
    ///
    /// ```
    /// use moviola_edit::Subtitle;
    /// let late = Subtitle::parse(b"00:01,0 --> 00:02,0\nx\n").unwrap().shifted(10.0);
    /// assert_eq!(late.cues()[0].from, 11.0);
    /// ```
    #[must_use]
    pub fn shifted(mut self, seconds: f64) -> Self {
        for cue in &mut self.cues {
            cue.from += seconds;
            cue.to += seconds;
        }
        self
    }

    /// The text that must be on the screen now.
    fn current_text(&mut self) -> Vec<u8> {
        let now = self.film.now + TOLERANCE;
        let mut text = Vec::new();
        let up_to = self.cues.partition_point(|cue| cue.from <= now);
        let marks = if self.screen == Screen::Taken { &mut self.hidden } else { &mut self.seen };
        for (cue, seen) in self.cues.iter().zip(marks).take(up_to).filter(|(cue, _)| now < cue.to) {
            if !text.is_empty() {
                text.push(b'\n');
            }
            text.extend_from_slice(&cue.text);
            *seen = true;
        }
        text
    }

    /// The text to send with this frame.
    fn next(&mut self, room: usize) -> Option<Vec<u8>> {
        if !self.fits {
            return None;
        }
        let current_text = self.current_text();
        if self.screen == Screen::Taken {
            return None;
        }
        let now = self.film.now;
        let send = match &self.shown {
            None => !current_text.is_empty(),
            // The recording's own text has replaced the subtitle.
            Some(_) if current_text.is_empty() && self.overwritten => {
                self.shown = None;
                false
            }
            Some((text, since)) => {
                let is_gone = self.screen == Screen::Play && now - since + TOLERANCE >= REPEAT_AFTER;
                *text != current_text || self.overwritten || is_gone
            }
        };
        if !send || current_text.len() > room {
            return None;
        }
        self.in_cutscene |= self.screen == Screen::Scene;
        self.shown = (!current_text.is_empty()).then(|| (current_text.clone(), now));
        Some(current_text)
    }

    fn put(&mut self, text: &[u8], writer: &mut BlockWriter<'_>) {
        self.sent += 1;
        let wire = [text, &[0]].concat();
        let string = Str::new(&wire);
        match self.game {
            Game::Quake => writer.put(&dem::Message::from(dem::CenterPrint { string })),
            Game::QuakeWorld => writer.put(&qw::Message::from(qw::CenterPrint { string })),
            Game::Quake2 => writer.put(&dm2::Message::from(dm2::CenterPrint { string })),
        }
    }
}

impl Rewrite for Subtitle {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("given subtitles")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.game = Error::any_game(format)?;
        Ok(())
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        (self.fits, self.overwritten) = (self.film.block(self.game, writer), false);
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn moves_end(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
        match entry.message {
            qw::Message::CenterPrint(_) => self.overwritten = true,
            qw::Message::ServerData(_) => (self.screen, self.shown) = (Screen::Play, None),
            qw::Message::Intermission(_) => (self.screen, self.shown) = (Screen::Taken, None),
            qw::Message::Finale(it) => (self.screen, self.shown) = (Screen::of(it.string), None),
            qw::Message::Disconnect(_) | qw::Message::Connless(_) => self.fits = false,
            _ => {}
        }
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
        self.fits |= self.film.quake(&entry.message);
        match entry.message {
            dem::Message::CenterPrint(_) => self.overwritten = true,
            dem::Message::ServerInfo(_) => (self.screen, self.shown) = (Screen::Play, None),
            dem::Message::Intermission(_) => (self.screen, self.shown) = (Screen::Taken, None),
            dem::Message::Finale(it) => (self.screen, self.shown) = (Screen::of(it.string), None),
            dem::Message::Cutscene(it) => (self.screen, self.shown) = (Screen::of(it.string), None),
            dem::Message::Disconnect(_) => self.fits = false,
            _ => {}
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
        self.fits |= self.film.quake2(&entry.message);
        match entry.message {
            dm2::Message::CenterPrint(_) => self.overwritten = true,
            dm2::Message::ServerData(_) => self.shown = None,
            dm2::Message::Disconnect(_) | dm2::Message::Reconnect(_) => self.fits = false,
            _ => {}
        }
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        writer.keep();
        self.fits = false;
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        // A message takes one byte for its id and one for the NUL, and the message before it may need a NUL too.
        let room = largest_block(self.game).saturating_sub(writer.block().data.len() + 3);
        if Block::is_truncated(writer.block()) {
            self.fits = false;
        }
        if let Some(text) = self.next(room) {
            self.put(&text, writer);
        }
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.strange > 0 {
            let letters = if self.strange == 1 { "letter is" } else { "letters are" };
            out.note(format!("{} {letters} unlike any of the game's font, and became `?`", self.strange));
        }
        if self.in_cutscene {
            out.note("the recording has a cutscene, in which the game writes texts letter by letter");
        }
        let unseen: Vec<&Cue> =
            self.cues.iter().zip(&self.seen).filter(|(_, seen)| !**seen).map(|(cue, _)| cue).collect();
        let Some(first) = unseen.first() else { return Ok(()) };
        let length = self.film.now;
        let cue_count = self.cues.len();
        let hidden = self.hidden.iter().zip(&self.seen).filter(|(hidden, seen)| **hidden && !**seen).count();
        if hidden > 0 && hidden == unseen.len() && hidden == cue_count {
            return Err(Error::Impossible(format!("the subtitles fall {SCREEN_TAKEN}")));
        }
        if hidden > 0 && unseen.len() == cue_count {
            return Err(Error::Impossible(format!(
                "no subtitle can be shown: {hidden} of {cue_count} fall {SCREEN_TAKEN}, the others come when nothing is drawn, or \
                 after the end, which is at {length:.1} s"
            )));
        }
        if unseen.len() == self.cues.len() {
            let why = format!(
                "none of the subtitles falls into the recording, which runs {length:.1} s; the first is in line {}, at {:.1} s",
                first.line, first.from
            );
            return Err(Error::Impossible(why));
        }
        let late = unseen.iter().filter(|cue| cue.from > length).count();
        if late > 0 {
            out.note(format!(
                "{late} of {cue_count} subtitles would come after the end, which is at {length:.1} s"
            ));
        }
        if hidden > 0 {
            out.note(format!("{hidden} of {cue_count} subtitles fall {SCREEN_TAKEN}"));
        }
        if unseen.len() > late + hidden {
            out.note(format!(
                "{} of {cue_count} subtitles fall between two frames",
                unseen.len() - late - hidden
            ));
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let seen = self.seen.iter().filter(|seen| **seen).count();
        let plural = |number: usize| if number == 1 { "" } else { "s" };
        format!(
            "{seen} of {} subtitle{}, in {} message{}",
            self.cues.len(),
            plural(self.cues.len()),
            self.sent,
            plural(usize::try_from(self.sent).unwrap_or(usize::MAX))
        )
    }
}
