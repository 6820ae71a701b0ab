//! Runs the lines of an edit script in memory: only commands that need no files besides the recording.

use crate::SharedBytes;
use moviola_assets::GameFiles;
use moviola_edit::{
    Camera, Chain, Cut, EditCode, Error, FoundSpans, Line, Mistake, OneLine, OpenInput, Replace, Retime,
    Rewrite, Script, Spans, Speed, Strip, Subtitle, rewrite,
};
use serde::Serialize;
use std::io::{self, Cursor};
use std::rc::Rc;

/// A mistake in a script, with its place.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let wrong = moviola_deck::edited(file.to_vec().into(), "cut 1..x").unwrap_err();
/// assert_eq!((wrong[0].line, wrong[0].column), (1, 8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScriptError {
    /// The line, counted from 1.
    pub line: u64,
    /// The byte in the line, counted from 1.
    pub column: usize,
    /// The number of bytes that are meant.
    pub length: usize,
    /// The mistake in one line.
    pub message: String,
    /// A suggestion how to correct it.
    pub help: Option<String>,
}

impl ScriptError {
    /// A mistake that no word of the script is the reason of.
    pub(crate) fn of_script(message: String) -> Self {
        Self { line: 1, column: 1, length: 0, message, help: None }
    }
}

/// The line of a script that replaces a block by this text, if the text has no mistakes. The positions of mistakes are
/// those in the text.
pub(crate) fn replaced(recording: &[u8], block: u64, text: &str) -> Result<String, Vec<ScriptError>> {
    let wrong = |error| match error {
        Error::Mistakes(found) => found.into_iter().map(ScriptError::from).collect(),
        error => vec![ScriptError::of_script(error.to_string())],
    };
    rewrite(recording, &mut Replace::new(block, text), io::sink()).map_err(wrong)?;
    Ok(Replace::line(block, text))
}

impl From<Mistake> for ScriptError {
    fn from(it: Mistake) -> Self {
        Self { line: it.line, column: it.column, length: it.length, message: it.message, help: it.help }
    }
}

/// The result of a script.
///
/// ```
/// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f";
/// let files = moviola_assets::GameFiles::default();
/// let made = moviola_deck::carried_out(file.to_vec().into(), "strip chat", &files).unwrap();
/// assert!(made.recording == file && made.notes.is_empty() && made.ways.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditedRecording {
    /// The recording.
    pub recording: Vec<u8>,
    /// Notes about the result for the user, each with its line, counted from 1.
    pub notes: Vec<(u64, String)>,
    /// The paths of its cameras, as lists of places.
    pub ways: Vec<Vec<[f64; 3]>>,
}

/// The result of running a script on a recording: the same bytes as `moviola edit` writes.
///
/// ```
/// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let slow = moviola_deck::edited(file.to_vec().into(), "# all of it\nretime 0.5\n").unwrap();
/// assert_ne!(slow, file);
/// ```
pub fn edited(recording: SharedBytes, script: &str) -> Result<Vec<u8>, Vec<ScriptError>> {
    carried_out(recording, script, &GameFiles::default()).map(|made| made.recording)
}

/// Like [`edited`], with notes and camera paths. The levels in the game's files are only used for notes about cameras
/// and walls, so the resulting recording does not depend on them.
///
/// # Errors
/// The mistakes of the script.
pub fn carried_out(
    recording: SharedBytes,
    script: &str,
    game: &GameFiles,
) -> Result<EditedRecording, Vec<ScriptError>> {
    let to_errors = |found: Vec<Mistake>| found.into_iter().map(ScriptError::from).collect::<Vec<_>>();
    let script = Script::parse(script).map_err(to_errors)?;
    let open: OpenInput<'static> = Rc::new(move || Ok(Box::new(Cursor::new(recording.clone()))));
    let mut chain = Chain::of(open);
    let mut result = EditedRecording::default();
    let (mut steps, mut mistakes) = (Vec::new(), Vec::new());
    for line in script.lines() {
        match step(line) {
            Ok(step) => steps.push((line, step)),
            Err(error) => mistakes.extend(placed(line, error)),
        }
    }
    if !mistakes.is_empty() {
        return Err(to_errors(mistakes));
    }
    for (line, step) in steps {
        step(&mut chain, game, &mut result).map_err(|error| to_errors(placed(line, error)))?;
    }
    match chain.write(&mut result.recording) {
        Ok(summaries) => {
            let notes = |(line, summary): (&Line, moviola_edit::EditSummary)| {
                let number = line.mistake(EditCode::Line, "", "").line;
                summary.notes.into_iter().map(move |note| (number, note))
            };
            result.notes = script.lines().iter().zip(summaries).flat_map(notes).collect();
            Ok(result)
        }
        Err(failed) => {
            let Some(line) = script.lines().get(failed.edit) else {
                return Err(vec![ScriptError::of_script(failed.error.to_string())]);
            };
            Err(to_errors(placed(line, failed.error)))
        }
    }
}

/// The commands of a script that the deck carries out, in the words of the command line.
const COMMANDS: &str =
    "the deck has cut, drop, retime, strip, subtitle, camera and replace; `moviola edit` has all commands";

/// The texts after the words `--say` or `--shot` of a line, each as one word after its `name`.
fn inline(words: &[&str], name: &str) -> Option<Vec<String>> {
    let (pairs, rest) = words.as_chunks::<2>();
    let texts: Option<Vec<String>> =
        pairs.iter().map(|[flag, text]| (*flag == name).then(|| (*text).to_owned())).collect();
    texts.filter(|texts| rest.is_empty() && !texts.is_empty())
}

/// The subtitles in the lines of a script as a subtitle file, each with the time in its line.
pub(crate) fn srt(script: &str) -> String {
    let Ok(script) = Script::parse(script) else { return String::new() };
    let mut cues: Vec<OneLine> = Vec::new();
    for line in script.lines() {
        if let [SUBTITLE, rest @ ..] = line.words().collect::<Vec<_>>().as_slice() {
            let lines = inline(rest, SAY).unwrap_or_default();
            cues.extend(lines.iter().filter_map(|it| OneLine::parse(it).ok()));
        }
    }
    cues.sort_by(|one, other| one.from.total_cmp(&other.from));
    let cues: Vec<String> = (1..).zip(cues).map(|(number, cue)| cue.srt(number)).collect();
    cues.join("\n")
}

/// Words of the script lines that the deck itself writes.
pub(crate) const SUBTITLE: &str = "subtitle";
pub(crate) const SAY: &str = "--say";
pub(crate) const CAMERA: &str = "camera";
pub(crate) const SHOT: &str = "--shot";

/// Adds an edit to a chain, where it works on the result of the edits before.
type Step = Box<dyn FnOnce(&mut Chain<'static>, &GameFiles, &mut EditedRecording) -> Result<(), Error>>;

/// Reads a line. All lines are read before the first step is taken, so that the mistakes of all are found.
fn step(line: &Line) -> Result<Step, Error> {
    let words: Vec<&str> = line.words().collect();
    let parse = |spans: &str| Spans::parse(spans).map_err(mistake);
    Ok(match *words.as_slice() {
        ["cut", spans] => on_spans(Some(parse(spans)?), |chain, found| chain.then(Cut::keep(found))),
        ["drop", spans] => on_spans(Some(parse(spans)?), |chain, found| chain.then(Cut::drop(found))),
        ["retime", speed, ref spans @ ..] if spans.len() < 2 => {
            let speed = Speed::parse(speed).map_err(mistake)?;
            let spans = spans.first().map(|spans| parse(spans)).transpose()?;
            on_spans(spans, move |chain, found| chain.then(Retime::new(speed, found)))
        }
        ["strip", what] => simple(Strip::parse(what).map_err(mistake)?),
        [SUBTITLE, ref rest @ ..] if inline(rest, SAY).is_some() => {
            let lines = inline(rest, SAY).unwrap_or_default();
            simple(Subtitle::parse_lines(&lines).map_err(Error::Mistakes)?)
        }
        [CAMERA, ref rest @ ..] if inline(rest, SHOT).is_some() => {
            let shots = inline(rest, SHOT).unwrap_or_default();
            filmed(Camera::shots(&shots).map_err(Error::Mistakes)?)
        }
        ["replace", block, text] => simple(Replace::parse(block, text).map_err(mistake)?),
        [name @ ("cut" | "drop" | "retime" | "strip" | "replace" | SUBTITLE | CAMERA), ..] => {
            let message = format!("`{name}` needs other arguments");
            let help = match name {
                "retime" => "a speed, and the spans if not all: retime 0.5 +10..+12",
                "strip" => "the content to remove, separated by commas: strip chat,sounds",
                "replace" => "a block and its text: replace #149 'block { ... }'",
                SUBTITLE => "the deck reads no files: subtitle --say '00:05.0 --> 00:08.0 It begins'",
                CAMERA => "the deck reads no files: camera --shot 'at = \"+5..+8\", chase = \"me\"'",
                _ => "the spans as one argument: cut +10..+20",
            };
            return Err(mistake(line.mistake(EditCode::Line, message, name).help(help)));
        }
        _ => {
            let name = words.first().copied().unwrap_or_default();
            let message = format!("the deck has no command `{name}`");
            return Err(mistake(line.mistake(EditCode::Line, message, name).help(COMMANDS)));
        }
    })
}

/// A step for an edit that needs nothing but its line.
fn simple(edit: impl Rewrite + Clone + 'static) -> Step {
    Box::new(move |chain, _, _| {
        chain.then(edit);
        Ok(())
    })
}

/// An edit of spans, or of the whole recording.
fn on_spans(spans: Option<Spans>, add: impl FnOnce(&mut Chain<'static>, FoundSpans) + 'static) -> Step {
    Box::new(move |chain, _, _| {
        let found = match spans {
            Some(spans) => spans.find(chain.open()?)?,
            None => FoundSpans::all(),
        };
        add(chain, found);
        Ok(())
    })
}

fn filmed(mut camera: Camera) -> Step {
    Box::new(move |chain, game, made| {
        camera.find(|| chain.open())?;
        camera.ignore_walls();
        for level in camera.levels().collect::<Vec<_>>() {
            // If the level's file is missing or damaged, a note says that walls were not checked.
            if let Some(Ok(file)) = game.read(&level) {
                let _ = camera.map(&level, &file);
            }
        }
        made.ways.extend(camera.ways());
        chain.then(camera);
        Ok(())
    })
}

fn mistake(found: Mistake) -> Error {
    Error::Mistakes(vec![found])
}

/// The mistakes of a line, with their positions in the script.
fn placed(line: &Line, error: Error) -> Vec<Mistake> {
    match error {
        // A mistake of the line as a whole has its place already.
        Error::Mistakes(found) => {
            found.into_iter().map(|it| if it.source == line.text() { it } else { line.place(it) }).collect()
        }
        error => vec![line.mistake(EditCode::Edit, error.to_string(), "")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> SharedBytes {
        moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes.into()
    }

    #[test]
    fn mistakes_have_their_line() {
        let of = |script: &str| edited(sample(), script).unwrap_err();
        assert_eq!((of("strip chat\ncutt 1..2")[0].line, of("strip caht")[0].column), (2, 7));
        assert!(of("cut")[0].help.is_some() && of("squeeze")[0].help.as_deref() == Some(COMMANDS));
        assert!(of("camera x.toml")[0].help.as_deref().unwrap().starts_with("the deck reads no files"));
        let mistakes = of("strip chat\nsubtitle --say '00:01 -> 00:02 x'");
        assert_eq!((mistakes[0].line, mistakes[0].message.as_str()), (2, "a time is missing"));
        let shot = &of("camera --shot 'at = \"1..2\", stay = [1, 2]'")[0];
        assert_eq!((shot.line, shot.column, shot.length), (1, 36, 6), "{shot:?}");
        assert_eq!(of("cut 'level 2")[0].column, 5);
        let all: Vec<u64> =
            of("cutt 1..2\nstrip chat\nstrip caht\nretime x\ncut 1..y").iter().map(|it| it.line).collect();
        assert_eq!(all, [1, 3, 4, 5]);
    }

    #[test]
    fn lines_are_carried_out_one_after_the_other() {
        let both = edited(sample(), "strip prints\ncut #5..").unwrap();
        let first: SharedBytes = edited(sample(), "strip prints").unwrap().into();
        assert_eq!(both, edited(first, "cut #5..").unwrap());
        assert_eq!(edited(sample(), "").unwrap(), *sample());
    }
}
