//! Mistakes in the words of an edit, which the program renders as it renders those of a text.

use moviola_text::{Diagnostic, MistakeKind};

/// A mistake in spans, in a script or in a file of subtitles.
///
/// ```
/// use moviola_edit::{EditCode, Mistake};
/// let mistake = Mistake::new(EditCode::Span, "no time", "00:00 -> 5", 6..8).in_line(3);
/// assert_eq!((mistake.line, mistake.column, mistake.length), (3, 7, 2));
/// assert_eq!(mistake.code.title(), "not a span");
/// assert!(mistake.code.explanation().contains("level 2"));
/// ```
pub type Mistake = Diagnostic<EditCode>;

impl MistakeKind for EditCode {
    fn number(self) -> &'static str {
        self.number()
    }
    fn title(self) -> &'static str {
        self.title()
    }
}

moviola_format::codes! {
    /// The mistakes that edits know.
    pub enum EditCode;

    /// A span that cannot be read. Times are `12.5..1:30` or `..2:00` (game time, ends included), blocks
    /// `#100..#200`, a level is `level 2`, an event is `chat "cut here"` with seconds before and after it. Several
    /// are separated by commas.
    Span "E001" "not a span"
    /// A span ends before it begins.
    Backwards "E002" "a span that ends before it begins"
    /// There is nothing of the recording in the span: it lies past the end, before the beginning, or in a level that
    /// the recording does not have.
    NothingThere "E003" "nothing there"
    /// No event of the recording has this text. Capitals and small letters are the same; a part of the text is
    /// enough.
    NoSuchEvent "E004" "no such event"
    /// A file of subtitles has something else where the times of a subtitle should be. Both kinds of file write them like
    /// `00:01:05,500 --> 00:01:08,000`, with a comma or a point, and the text in the lines below, up to an empty one.
    SubtitleTime "E101" "not the times of a subtitle"
    /// A subtitle is longer than what engines keep of a text in the middle of the screen.
    SubtitleLong "E102" "subtitle too long"
    /// The messages to remove from a recording are given by words like `chat` and `sounds`, or by the names
    /// of messages. `moviola explain` describes messages.
    StripWord "E201" "it is not one of these"
    /// A recording cannot do without some messages: engines refuse it, stop, or show another game.
    StripNeeded "E202" "a message that engines need"
    /// A setting is `name=value`: `cdtrack=4`, and for each player `player.1.name`, in Quake
    /// `player.1.colors` and in Quake II `player.1.skin`. A player is given by the number, counted from 1, or
    /// by the name in the recording or a part of it: `player.Ranger.name`.
    Setting "E301" "not a setting"
    /// The recording has no such player, or no information about this player. `moviola info` lists the
    /// players.
    NoSuchPlayer "E302" "no such player"
    /// A camera script is a TOML file with a table `[[shot]]` for each shot. `at` has its spans;
    /// `stay`, `move`, `chase` or `orbit` the position of the camera; `view`, `pan` or `turn` its direction; `lean` and `roll`
    /// its tilt; and `fov` the field of view.
    Script "E401" "mistake in a camera script"
    /// The target of a shot is not in the recording while the shot lasts.
    NoTarget "E402" "nothing to follow"
    /// A speed is a number from 0.01 to 100: 0.5 is half as fast, 2 twice as fast. `1/2`, `50%` and `0.5x` mean the same.
    Speed "E501" "not a speed"
    /// Pictures are taken at 1 to 1000 a second; films use 24 to 60.
    FrameRate "E502" "not a frame rate"
    /// The command for each picture is one line for the engine's console, such as `screenshot`.
    Command "E503" "not a command"
    /// A script has a command of the cutting room on each line, in its own words, without the recording and `-o`:
    /// `cut 0:05..0:10`, `strip chat`, `set player.1.name=Bob`. A word with spaces is quoted. Files are
    /// beside the script. `moviola COMMAND --help` explains a command.
    Line "E601" "not a line of a script"
    /// The edit in this line is impossible for the recording as the lines before it make it.
    Edit "E602" "an edit that cannot be done"
    /// The text to insert is a message in the words of a text, such as `centerprint "Go"`, or `command TEXT`
    /// with harmless commands for the console, `fov DEGREES`, or `fade SECONDS`. `moviola explain` describes
    /// the messages.
    Insert "E701" "nothing that can be inserted"
    /// The text of a block is `block { ... }` as `moviola decompile` writes it, in one word. Several blocks may take the
    /// place of one. A block is named by its number, counted from 0.
    BlockText "E702" "not the text of a block"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_once() {
        let numbers: std::collections::BTreeSet<_> = EditCode::ALL.iter().map(|code| code.number()).collect();
        assert_eq!(numbers.len(), EditCode::ALL.len());
        assert!(
            EditCode::ALL
                .iter()
                .all(|code| !code.explanation().trim().is_empty() && !code.title().is_empty())
        );
    }
}
