//! The reasons why an edit is impossible.

use crate::Mistake;
use moviola_format::{Context, Format, Game};
use std::{fmt, io};

/// The reason why an edit could not be done.
///
/// ```
/// use moviola_edit::Error;
/// use moviola_format::{Foreign, Format};
/// let error = Error::game(Format::Foreign(Foreign::HalfLife)).unwrap_err();
/// assert_eq!(error.to_string(), "HLDEMO files cannot be edited yet");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading or writing failed.
    Io(io::Error),
    /// Mistakes in the request: in spans, a script, or a file of subtitles.
    Mistakes(Vec<Mistake>),
    /// The input is not a readable recording.
    NotARecording(Format),
    /// The edit is impossible for this recording. The text gives the reason and a way out.
    Impossible(String),
    /// An error in another file than the edited recording.
    OfFile(String, Box<Self>),
}

impl Error {
    /// The game of a recording, for edits of Quake and Quake II.
    pub fn game(format: Format) -> Result<Game, Self> {
        match Self::any_game(format)? {
            Game::QuakeWorld => Err(Self::Impossible(
                "this edit is for recordings of Quake and Quake II: `moviola convert --to 666` \
                     converts a recording of QuakeWorld to one of Quake"
                    .into(),
            )),
            game => Ok(game),
        }
    }

    /// The recording is an MVD2.
    pub(crate) fn of_mvd2() -> Self {
        Self::Impossible(
            "this edit is not for MVD2 recordings, which have all players: `moviola view FILE --player NAME` extracts one player's"
                .into(),
        )
    }

    /// The game of a recording, for edits of all games.
    pub fn any_game(format: Format) -> Result<Game, Self> {
        if format == Format::Mvd2 {
            return Err(Self::of_mvd2());
        }
        Self::game_or_mvd2(format)
    }

    /// The game of a recording, for edits that handle recordings MVD2 too.
    pub(crate) fn game_or_mvd2(format: Format) -> Result<Game, Self> {
        format.game().ok_or(Self::NotARecording(format))
    }

    /// The messages of the recording's protocol are kept raw.
    pub(crate) fn unread(context: &Context, done: &str) -> Self {
        let name = context.protocol_name().map_or(String::new(), |name| format!(" ({name})"));
        Self::Impossible(format!(
            "protocol {}{name} cannot be read, so it cannot be {done}",
            context.protocol
        ))
    }

    /// The recording has Q2PRO's extended limits.
    pub(crate) fn extended_limits(context: &Context, done: &str) -> Self {
        Self::Impossible(format!(
            "protocol {} has Q2PRO's extended limits, with which a recording cannot be {done} yet: `moviola convert --to 34` \
             makes one that can",
            context.protocol
        ))
    }

    /// The protocol has lists of changes in the place of updates.
    pub(crate) fn lists_entities(context: &Context, done: &str) -> Self {
        let name = context.protocol_name().map_or(String::new(), |name| format!(" ({name})"));
        let protocol = context.protocol;
        Self::Impossible(format!(
            "protocol {protocol}{name} sends entities in another form than Quake's, which cannot be {done} yet"
        ))
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Mistake> for Error {
    fn from(mistake: Mistake) -> Self {
        Self::Mistakes(vec![mistake])
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Mistakes(mistakes) => match mistakes.as_slice() {
                [] => f.write_str("a mistake"),
                [first, ..] => write!(f, "{}", first.message),
            },
            Self::NotARecording(Format::Empty) => f.write_str("the input is empty"),
            Self::NotARecording(Format::Foreign(foreign)) => {
                write!(f, "{} files cannot be edited yet", foreign.name().to_uppercase())
            }
            Self::NotARecording(_) => {
                f.write_str("the input is not a recording of Quake, QuakeWorld or Quake II")
            }
            Self::Impossible(why) => f.write_str(why),
            Self::OfFile(name, error) => write!(f, "{name}: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
