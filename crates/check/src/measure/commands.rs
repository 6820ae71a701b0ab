//! Finds console commands that a recording runs during playback.

use crate::findings::CheckCode;
use crate::judge::Judge;
use crate::place::ReaderPosition;
use moviola_format::{Danger, OpenCommand, Str};

#[derive(Clone, Debug, Default)]
pub(super) struct Commands(OpenCommand);

impl Commands {
    pub(super) fn measure_text(&mut self, judge: &mut Judge, here: &ReaderPosition, text: Str<'_>) {
        for danger in self.0.dangers(text.bytes(), here.block) {
            let code = match danger {
                Danger::ChangesSettings => CheckCode::SettingCommand,
                _ => CheckCode::DangerousCommand,
            };
            judge.observe(code, 0, here.message());
        }
    }
}
