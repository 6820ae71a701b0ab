//! Carries out the lines of an edit script in memory: the commands that need nothing but the recording.

use moviola_edit::{
    Chain, Code, Cut, Error, Found, Line, Mistake, Open, Retime, Script, Spans, Speed, Strip,
};
use serde::Serialize;
use std::io::Cursor;
use std::rc::Rc;
use std::sync::Arc;

/// A mistake in a script, with its place.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let wrong = moviola_deck::edited(file.to_vec().into(), "cut 1..x").unwrap_err();
/// assert_eq!((wrong[0].line, wrong[0].column), (1, 8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrong {
    /// The line, counted from 1.
    pub line: u64,
    /// The byte in the line, counted from 1.
    pub column: usize,
    /// The number of bytes that are meant.
    pub length: usize,
    /// The mistake in one line.
    pub message: String,
    /// A way to mend it.
    pub help: Option<String>,
}

impl Wrong {
    /// A mistake that no word of the script is the reason of.
    pub(crate) fn whole(message: String) -> Self {
        Self { line: 1, column: 1, length: 0, message, help: None }
    }
}

impl From<Mistake> for Wrong {
    fn from(it: Mistake) -> Self {
        Self { line: it.line, column: it.column, length: it.length, message: it.message, help: it.help }
    }
}

/// The recording that a script makes of one; the same bytes as `moviola edit` writes.
///
/// ```
/// let file = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0\x40";
/// let slow = moviola_deck::edited(file.to_vec().into(), "# all of it\nretime 0.5\n").unwrap();
/// assert_ne!(slow, file);
/// ```
pub fn edited(recording: Arc<[u8]>, script: &str) -> Result<Vec<u8>, Vec<Wrong>> {
    let wrong = |found: Vec<Mistake>| found.into_iter().map(Wrong::from).collect::<Vec<_>>();
    let script = Script::parse(script).map_err(wrong)?;
    let open: Open<'static> = Rc::new(move || Ok(Box::new(Cursor::new(Arc::clone(&recording)))));
    let mut chain = Chain::of(open);
    for line in script.lines() {
        add(&mut chain, line).map_err(|error| wrong(placed(line, error)))?;
    }
    let mut made = Vec::new();
    match chain.write(&mut made) {
        Ok(_) => Ok(made),
        Err(failed) => {
            let Some(line) = script.lines().get(failed.edit) else {
                return Err(vec![Wrong::whole(failed.error.to_string())]);
            };
            Err(wrong(placed(line, failed.error)))
        }
    }
}

/// The commands of a script that the deck carries out, in the words of the command line.
const COMMANDS: &str = "the deck carries out cut, drop, retime and strip; `moviola edit` has all commands";

/// Adds the edit of a line.
fn add(chain: &mut Chain<'static>, line: &Line) -> Result<(), Error> {
    let words: Vec<&str> = line.words().collect();
    let parse = |spans: &str| Spans::parse(spans).map_err(mistake);
    match *words.as_slice() {
        ["cut", spans] => {
            let found = parse(spans)?.find(chain.open()?)?;
            chain.then(Cut::keep(found));
        }
        ["drop", spans] => {
            let found = parse(spans)?.find(chain.open()?)?;
            chain.then(Cut::drop(found));
        }
        ["retime", speed] => chain.then(Retime::new(Speed::parse(speed).map_err(mistake)?, Found::all())),
        ["retime", speed, spans] => {
            let speed = Speed::parse(speed).map_err(mistake)?;
            let found = parse(spans)?.find(chain.open()?)?;
            chain.then(Retime::new(speed, found));
        }
        ["strip", what] => chain.then(Strip::parse(what).map_err(mistake)?),
        [name @ ("cut" | "drop" | "retime" | "strip"), ..] => {
            let message = format!("`{name}` needs other words");
            let help = match name {
                "retime" => "a speed, and the spans if not all: retime 0.5 +10..+12",
                "strip" => "what to take out, with commas between: strip chat,sounds",
                _ => "the spans in one word: cut +10..+20",
            };
            return Err(mistake(line.mistake(Code::Line, message, name).help(help)));
        }
        _ => {
            let name = words.first().copied().unwrap_or_default();
            let message = format!("the deck has no command `{name}`");
            return Err(mistake(line.mistake(Code::Line, message, name).help(COMMANDS)));
        }
    }
    Ok(())
}

fn mistake(found: Mistake) -> Error {
    Error::Mistakes(vec![found])
}

/// The mistakes of a line, at their places in the script.
fn placed(line: &Line, error: Error) -> Vec<Mistake> {
    match error {
        // A mistake of the line as a whole has its place already.
        Error::Mistakes(found) => {
            found.into_iter().map(|it| if it.source == line.said() { it } else { line.place(it) }).collect()
        }
        error => vec![line.mistake(Code::Edit, error.to_string(), "")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Arc<[u8]> {
        moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes.into()
    }

    #[test]
    fn mistakes_have_their_line() {
        let of = |script: &str| edited(sample(), script).unwrap_err();
        assert_eq!((of("strip chat\ncutt 1..2")[0].line, of("strip caht")[0].column), (2, 7));
        assert!(of("cut")[0].help.is_some() && of("camera x.toml")[0].help.as_deref() == Some(COMMANDS));
        assert_eq!(of("cut 'level 2")[0].column, 5);
    }

    #[test]
    fn lines_are_carried_out_one_after_the_other() {
        let both = edited(sample(), "strip prints\ncut #5..").unwrap();
        let first: Arc<[u8]> = edited(sample(), "strip prints").unwrap().into();
        assert_eq!(both, edited(first, "cut #5..").unwrap());
        assert_eq!(edited(sample(), "").unwrap(), *sample());
    }
}
