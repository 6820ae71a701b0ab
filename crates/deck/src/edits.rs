//! Texts, report, check, audit and edits. A site loads the code for them after the recording is on the screen, so code that
//! plays calls none of it.

use crate::script::{self, SAY, SUBTITLE, srt};
use crate::shot_path::{self, CameraPlace};
use crate::{AuditSummary, Deck, RecordingInspection, ScriptError, carried_out, inspection};
use moviola_edit::{OneLine, film_time, quoted};
use moviola_scene::Vec3;
use moviola_text::{DecompileOptions, decompile};

impl Deck {
    /// The text of one block.
    ///
    /// ```
    /// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
    /// let deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// assert!(deck.text(0).contains("nop;"));
    /// ```
    pub fn text(&self, block: u64) -> String {
        let options = DecompileOptions { blocks: Some((block, block)), ..DecompileOptions::default() };
        let mut text = Vec::new();
        match decompile(&*self.shown, &mut text, &options) {
            Ok(_) => {
                // The header and the end mark are those of the whole recording, not of the block, so they are left out.
                let text = String::from_utf8_lossy(&text);
                let is_of_block = |line: &&str| !line.starts_with("track ") && *line != "endblock;";
                let lines: Vec<&str> = text.lines().filter(is_of_block).collect();
                format!("{}\n", lines.join("\n").trim())
            }
            Err(error) => format!("// {error}\n"),
        }
    }

    /// The report and the check of the recording after its edits. Each takes a pass over the recording, so call this
    /// only when they are shown.
    ///
    /// # Errors
    /// A sentence for people; reading from memory does not fail.
    pub fn inspect(&self) -> Result<RecordingInspection, String> {
        inspection::inspect(&self.shown, &self.clock).map_err(|error| format!("{}: {error}", self.name))
    }

    /// The audit of the recording after its edits. It takes a pass over the recording, so call this only when it is
    /// shown.
    ///
    /// # Errors
    /// A sentence for people; reading from memory does not fail.
    pub fn audit(&self) -> Result<AuditSummary, String> {
        inspection::audit(&self.shown, &self.clock).map_err(|error| format!("{}: {error}", self.name))
    }

    /// Runs a script on the original recording; all other methods then work on the result.
    ///
    /// # Errors
    /// The mistakes of the script; then nothing changes.
    ///
    /// ```
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x84\x3f";
    /// let mut deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// deck.edit("retime 0.5").unwrap();
    /// assert_eq!((deck.about().seconds, deck.about().edited), (0.0625, true));
    /// deck.edit("").unwrap();
    /// assert_eq!(deck.save(), file);
    /// ```
    pub fn edit(&mut self, script: &str) -> Result<(), Vec<ScriptError>> {
        let made = carried_out(self.original.clone(), script, self.game_files())?;
        self.show(made).map_err(|message| vec![ScriptError::of_script(message)])
    }

    /// The line of a script that shows a text from a moment on, for some seconds.
    ///
    /// ```
    /// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x84\x3f";
    /// let deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// assert_eq!(deck.subtitle(0.1, 2.0, "Go").unwrap(), "subtitle --say '00:00.031 --> 00:02.031 Go'");
    /// ```
    ///
    /// # Errors
    /// A sentence for people, where the recording cannot be edited.
    pub fn subtitle(&self, seconds: f64, length: f64, text: &str) -> Result<String, String> {
        let from = self.film_time(seconds)?;
        let cue = OneLine { from, to: from + length.max(0.1), text: text.trim().to_owned() };
        Ok(format!("{SUBTITLE} {SAY} {}", quoted(&cue.to_string())))
    }

    /// The script with an additional camera position from this moment on; several positions within a short time make a
    /// path.
    ///
    /// # Errors
    /// A sentence for people, where the recording cannot be edited.
    pub fn camera(&self, script: &str, seconds: f64, [eye, angles]: [Vec3; 2]) -> Result<String, String> {
        let [pitch, yaw, _] = angles.map(f64::from);
        let placed =
            CameraPlace { at: self.film_time(seconds)?, eye: eye.map(f64::from), turn: [pitch, yaw] };
        Ok(shot_path::place(script, placed))
    }

    /// The line of a script that replaces a block of the edited recording by this text.
    ///
    /// ```
    /// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
    /// let deck = moviola_deck::Deck::open("run.dem", file.to_vec()).unwrap();
    /// let text = "block { // 0\n camera 0.0 0.0 0.0;\n}";
    /// assert_eq!(deck.replace(0, text).unwrap(), "replace #0 'block { camera 0.0 0.0 0.0; }'");
    /// let wrong = deck.replace(0, "block {\n camera 0.0 0.0 0.0;\n nopp; }").unwrap_err();
    /// assert_eq!((wrong[0].line, wrong[0].column), (3, 2));
    /// ```
    ///
    /// # Errors
    /// The mistakes of the text, with their places in it.
    pub fn replace(&self, block: u64, text: &str) -> Result<String, Vec<ScriptError>> {
        script::replaced(&self.shown, block, text)
    }

    /// The subtitles of a script as an SRT file.
    pub fn srt(&self, script: &str) -> String {
        srt(script)
    }

    /// The moment on the clock that edits use, to the thousandth before.
    fn film_time(&self, seconds: f64) -> Result<f64, String> {
        let time = film_time(&*self.shown, self.block_at(seconds)).map_err(|error| error.to_string())?;
        Ok((time * 1000.0).floor() / 1000.0)
    }
}
