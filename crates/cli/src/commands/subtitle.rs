//! `moviola subtitle`: texts in the middle of the screen.

use crate::edits::{EditArgs, MistakePlace, Plan, PlanError, beside};
use crate::inside::{self, WantedFiles};
use clap::Args;
use moviola::edit::Subtitle;
use std::io::Read;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
The texts stand in the middle of the screen, in lines of 40 characters, as long
as the file says. Times are seconds since the first frame of the recording, over
all levels. **Bold** and <b>bold</b> become bronze letters (Quake II: green);
letters that the games' font lacks lose their accents.

A subtitle can also be written in the command, with times and text in one
argument; `|` begins a new line. Then a script for `moviola edit` needs no file
beside it.

Examples:
  moviola subtitle run.dem run.srt -o film.dem
  moviola subtitle run.dem --say '00:05.0 --> 00:08.5 It begins' -o film.dem
  moviola subtitle run.dm2 run.vtt -o film.dm2
  moviola subtitle --shift -2.5 run.dem run.srt -o film.dem    all of it earlier
  gzip -dc run.dem.gz | moviola subtitle - run.srt -o film.dem";

/// The arguments of `subtitle`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SubtitleArgs {
    /// The subtitles: a .srt or .vtt file.
    #[arg(value_name = "SUBTITLES", required_unless_present = "say", conflicts_with = "say")]
    file: Option<PathBuf>,
    /// A subtitle in one line, instead of a file; may be repeated.
    #[arg(long, value_name = "TIMES TEXT")]
    say: Vec<String>,
    /// Show the subtitles this many seconds later; earlier, if negative.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true)]
    shift: f64,
}

impl EditArgs for SubtitleArgs {
    fn files(&self) -> &[PathBuf] {
        self.file.as_slice()
    }

    fn plan(&self, folder: &Path) -> Result<Plan, PlanError> {
        let Some(file) = &self.file else {
            let asked = MistakePlace::Word("--say");
            return match Subtitle::parse_lines(&self.say) {
                Ok(subtitle) => Ok(Plan::of(asked, subtitle.shifted(self.shift))),
                Err(found) => Err(PlanError::Mistakes(asked, found)),
            };
        };
        let mut file = inside::single(&beside(folder, file), WantedFiles::Files)?;
        let asked = MistakePlace::File(file.name().to_owned());
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        match Subtitle::parse(&text) {
            Ok(subtitle) => Ok(Plan::of(asked, subtitle.shifted(self.shift))),
            Err(found) => Err(PlanError::Mistakes(asked, found)),
        }
    }
}
