//! The common parts of the commands of the cutting room: a recording in, edits, a recording out, and a line
//! about each.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{self, Input, ReopenableInput, is_dash, list, one_stdin, printable};
use crate::inside::{self, WantedFiles};
use crate::leftovers::make_folder;
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::render;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use moviola::edit::{
    Capture, Chain, EditSummary, Error, FailedEdit, FoundSpans, Mistake, OpenInput, Rewrite, Spans,
};
use moviola::format::Game;
use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The recording that is edited.
#[derive(Debug, Args)]
pub(crate) struct Original {
    /// The recording; `-` is standard input. With -o DIR, a folder of recordings, or several of them.
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
}

/// Where the edited recording goes, and how mistakes are printed.
#[derive(Debug, Args)]
pub(crate) struct EditTarget {
    #[command(flatten)]
    pub(crate) out: Destination,
    /// Print mistakes as JSON Lines on standard error.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of an edit's command, without its input and output: those that a line of a script has too.
pub(crate) trait EditArgs {
    /// The edit that the arguments describe. File names in them are relative to this folder.
    fn plan(&self, folder: &Path) -> Result<Plan, PlanError>;

    /// The files that they name for reading; one of them can be standard input.
    fn files(&self) -> &[PathBuf] {
        &[]
    }
}

/// A requested edit.
pub(crate) struct Plan {
    mistake_place: MistakePlace,
    looks_only: bool,
    add: AddEdit,
    /// Makes a film of the edited recording.
    film: Option<Capture>,
}

type AddEdit = Box<dyn FnOnce(&mut Chain<'static>) -> Result<(), Error>>;

/// The source of a mistake: a word of the command line, or a file.
pub(crate) enum MistakePlace {
    /// A word of the command, by its name in the help.
    Word(&'static str),
    File(String),
}

/// The reason why a plan cannot be made.
pub(crate) enum PlanError {
    Mistakes(MistakePlace, Vec<Mistake>),
    Trouble(anyhow::Error),
}

impl Plan {
    /// An edit that needs nothing of the recording.
    pub(crate) fn of(asked: MistakePlace, edit: impl Rewrite + Clone + 'static) -> Self {
        let add = move |chain: &mut Chain<'_>| {
            chain.then(edit);
            Ok(())
        };
        Self { mistake_place: asked, looks_only: false, add: Box::new(add), film: None }
    }

    /// An edit that looks at the recording before it joins the others.
    pub(crate) fn looking(
        place: MistakePlace,
        add: impl FnOnce(&mut Chain<'static>) -> Result<(), Error> + 'static,
    ) -> Self {
        Self { mistake_place: place, looks_only: true, add: Box::new(add), film: None }
    }

    /// An edit of the parts that spans name.
    pub(crate) fn parts<R: Rewrite + Clone + 'static>(
        spans: &str,
        make: impl FnOnce(FoundSpans) -> R + 'static,
    ) -> Result<Self, PlanError> {
        let spans = Spans::parse(spans).map_err(|mistake| PlanError::word(SPANS, mistake))?;
        Ok(Self::looking(MistakePlace::Word(SPANS), move |chain| {
            let found = spans.find(chain.open()?)?;
            let notes = found.notes().to_vec();
            chain.then(make(found));
            for note in notes {
                chain.note(note);
            }
            Ok(())
        }))
    }

    /// This plan, and a script beside the edited recording that makes a film of it.
    pub(crate) fn and_film(self, film: Capture) -> Self {
        Self { film: Some(film), ..self }
    }
}

impl PlanError {
    /// A mistake in a word of the command.
    pub(crate) fn word(name: &'static str, mistake: Mistake) -> Self {
        Self::Mistakes(MistakePlace::Word(name), vec![mistake])
    }
}

impl From<anyhow::Error> for PlanError {
    fn from(error: anyhow::Error) -> Self {
        Self::Trouble(error)
    }
}

impl From<io::Error> for PlanError {
    fn from(error: io::Error) -> Self {
        Self::Trouble(error.into())
    }
}

/// The path of a file that a command's words name.
pub(crate) fn beside(folder: &Path, file: &Path) -> PathBuf {
    if is_dash(file) { file.to_owned() } else { folder.join(file) }
}

/// The name of the words with spans, for mistakes in them.
const SPANS: &str = "SPANS";

/// How spans are written, for the help of the commands that take them.
pub(crate) const HOW_SPANS: &str = "\
Spans, separated by commas:
  12.5..1:30             game time, in seconds, m:ss or h:mm:ss; leave out either
                         end, or both for the whole recording
  +5..+8                 seconds since the first frame of the recording; in
                         `level 2 +5..+8`, since the first frame of that level
  #100..#200             blocks, counted from 0
  level 2                a level; level 2 0:10..0:20 is a part of it
  level 2..4             levels 2 to 4; level 2.. is level 2 and all later ones
  'chat \"cut here\" +5'   from an event until 5 seconds after it; -5 is before it,
                         -5 +5 around it; also print, centerprint, command
  'chat \"in\"..chat \"out\"'  from one event to another
  'kill -3 +2'           any event of `moviola events`: kill, pickup, secret, damage...,
                         alone or with a text: 'pickup \"rocket\" -1 +2'";

/// Takes a recording through the edits of a command, and reports the result.
pub(crate) fn edit(
    original: &Original,
    asked: &dyn EditArgs,
    to: &EditTarget,
    talk: Verbosity,
) -> Result<Outcome> {
    if original.input.is_dir() {
        edit_folder(&original.input, asked, to, talk)
    } else {
        edit_one(original, asked, to, talk)
    }
}

/// Prints the mistakes in the words of an edit; `None` if there is none.
pub(crate) fn refused(asked: &dyn EditArgs, to: &EditTarget, talk: Verbosity) -> Result<Option<Outcome>> {
    asked.plan(Path::new("")).err().map(|refused| refuse(refused, to.json, NO_RECORDING, talk)).transpose()
}

/// Takes every recording of a folder, and of the folders in it, through the edit, into files of the same names in
/// another folder. A recording that cannot be edited is reported, and the next one is edited.
fn edit_folder(folder: &Path, asked: &dyn EditArgs, to: &EditTarget, talk: Verbosity) -> Result<Outcome> {
    let Some(out) = to.out.output.as_deref().filter(|out| !is_dash(out)) else {
        bail!("{} is a folder: name another one for the edited recordings, with -o DIR", printable(folder));
    };
    if let Some(outcome) = refused(asked, to, talk)? {
        return Ok(outcome);
    }
    let (files, wrong) = list(&[folder.to_owned()]);
    for wrong in &wrong {
        failure::print_error(&wrong.to_string());
    }
    let mut outcome = if wrong.is_empty() { Outcome::Good } else { Outcome::Trouble };
    let mut count = 0_u64;
    for (file, _) in files {
        let name = file.strip_prefix(folder).unwrap_or(&file);
        let is_recording = inside::single(&file, WantedFiles::Recordings)
            .and_then(|mut input| Ok(WantedFiles::Recordings.takes(&mut input, &printable(name))?));
        if !is_recording.unwrap_or_default() {
            continue;
        }
        count += 1;
        let target = out.join(name);
        if let Some(parent) = target.parent() {
            make_folder(parent)?;
        }
        let to = EditTarget { out: Destination { output: Some(target), force: to.out.force }, json: to.json };
        match edit_one(&Original { input: file }, asked, &to, talk) {
            Ok(done) => outcome = outcome.max(done),
            Err(error) => {
                failure::print_error(&failure::words(&error));
                outcome = Outcome::Trouble;
            }
        }
    }
    if count == 0 {
        bail!("there is no recording in {}", printable(folder));
    }
    Ok(outcome)
}

fn edit_one(original: &Original, asked: &dyn EditArgs, to: &EditTarget, talk: Verbosity) -> Result<Outcome> {
    one_stdin(asked.files().iter().chain([&original.input]))?;
    let plan = match asked.plan(Path::new("")) {
        Ok(plan) => plan,
        Err(refused) => return refuse(refused, to.json, NO_RECORDING, talk),
    };
    match carry_out(original, vec![plan], to, talk)? {
        EditOutcome::Out { name, summaries, also } => {
            summaries.iter().flatten().for_each(|summary| report(&name, summary, talk));
            also.print(talk);
            Ok(Outcome::Good)
        }
        EditOutcome::Stopped { asked, error: Error::Mistakes(mistakes), .. } => {
            refuse(PlanError::Mistakes(asked, mistakes), to.json, NO_RECORDING, talk)
        }
        EditOutcome::Stopped { name, error, .. } => Err(in_file(error, &name)),
    }
}

/// The recording that an edit makes, to be read several times. If the edit is refused, the reason is printed and the
/// outcome returned.
pub(crate) fn edited(
    input: Input,
    args: &dyn EditArgs,
    verbosity: Verbosity,
) -> Result<Result<ReopenableInput, Outcome>> {
    let plan = match args.plan(Path::new("")) {
        Ok(plan) => plan,
        Err(refused) => return Ok(Err(refuse(refused, false, NO_FILM, verbosity)?)),
    };
    let name = input.name().to_owned();
    let (open, _) = opener(input, true)?;
    let mut chain = Chain::of(open);
    let add = |chain: &mut Chain<'static>| (plan.add)(chain);
    let made = match add(&mut chain) {
        Ok(()) => {
            ReopenableInput::keep_output(&name, |file| chain.write(file).map_err(|failed| failed.error))?
        }
        Err(error) => Err(error),
    };
    match made {
        Ok(made) => Ok(Ok(made)),
        Err(Error::Mistakes(mistakes)) => {
            let refused = PlanError::Mistakes(plan.mistake_place, mistakes);
            Ok(Err(refuse(refused, false, NO_FILM, verbosity)?))
        }
        Err(error) => Err(in_file(error, &name)),
    }
}

/// The result of the edits.
pub(crate) enum EditOutcome {
    /// The summaries of the edits of each plan, and the file beside the recording.
    Out { name: String, summaries: Vec<Vec<EditSummary>>, also: FilmScript },
    /// The plan that failed; there is no recording.
    Stopped { name: String, plan: usize, asked: MistakePlace, error: Error },
}

/// Takes a recording through edits, in one pass. Mistakes are found before anything is written.
pub(crate) fn carry_out(
    original: &Original,
    plans: Vec<Plan>,
    to: &EditTarget,
    verbosity: Verbosity,
) -> Result<EditOutcome> {
    let mut input = inside::single_or_stdin(Some(&original.input), WantedFiles::Recordings)?;
    let (name, size) = (input.name().to_owned(), input.size());
    let is_damaged = input.has_damaged_beginning()?;
    let stopped = |failed: FailedEdit, asked, ends: &[usize]| match failed.error {
        Error::NotARecording(_) if is_damaged => Err(anyhow!(input::damaged_beginning(&name))),
        _ => stopped(failed, &name, asked, ends),
    };
    let (open, bar) = opener(input, plans.iter().any(|plan| plan.looks_only))?;
    let film = plans.iter().find_map(|plan| plan.film.clone());
    let (mut chain, mut asked, mut ends) = (Chain::of(open), Vec::new(), Vec::new());
    for plan in plans {
        asked.push(plan.mistake_place);
        let added = (plan.add)(&mut chain).map_err(|error| chain.find_failed(error));
        ends.push(chain.len());
        if let Err(failed) = added {
            return stopped(failed, asked, &ends);
        }
    }
    let makes_film = film.is_some();
    let script = Script::open(film, &to.out)?;
    let mut writer = to.out.open(Kind::Recording)?.buffered();
    let shown = Bar::bytes(size, verbosity.quiet);
    bar.set(Some(shown.clone()));
    let written = chain.write(&mut writer);
    shown.finish();
    let summaries = match written {
        Ok(all) => all,
        Err(failed) => return stopped(failed, asked, &ends),
    };
    Output::finish(writer)?;
    let also = match script {
        Some(script) => FilmScript::Script(script.write(summaries.last())?),
        None if makes_film => FilmScript::NoScript,
        None => FilmScript::Nothing,
    };
    let mut all = summaries.into_iter();
    let mut from = 0;
    let of_plan = |end: usize| all.by_ref().take(end - std::mem::replace(&mut from, end)).collect();
    Ok(EditOutcome::Out { name, summaries: ends.into_iter().map(of_plan).collect(), also })
}

/// Finds the plan that failed.
fn stopped(failed: FailedEdit, name: &str, asked: Vec<MistakePlace>, ends: &[usize]) -> Result<EditOutcome> {
    let last = ends.len().saturating_sub(1);
    let plan = ends.iter().position(|end| failed.edit < *end).unwrap_or(last);
    match (failed.error, asked.into_iter().nth(plan)) {
        (Error::Io(error), _) => Err(error.into()),
        (error, Some(asked)) => Ok(EditOutcome::Stopped { name: name.to_owned(), plan, asked, error }),
        (error, None) => Err(in_file(error, name)),
    }
}

/// Opens an input: any number of times, or only once and then without a copy of it. The next reader advances the bar
/// that is set.
fn opener(input: Input, again: bool) -> Result<(OpenInput<'static>, Rc<Cell<Option<Bar>>>)> {
    let bar = Rc::new(Cell::new(None::<Bar>));
    let watch = Rc::clone(&bar);
    let watched = move |input: Input| match watch.take() {
        Some(bar) => input.watched(&bar),
        None => input,
    };
    if again {
        let input = ReopenableInput::new(input)?;
        let open = move || Ok(Box::new(watched(input.open().map_err(io::Error::other)?)) as _);
        return Ok((Rc::new(open), bar));
    }
    let input = RefCell::new(Some(input));
    let open = move || {
        let input = input.take().ok_or_else(|| io::Error::other("the input was read already"))?;
        Ok(Box::new(watched(input)) as _)
    };
    Ok((Rc::new(open), bar))
}

/// A script beside the edited recording, opened before either appears.
struct Script {
    film: Capture,
    recording: PathBuf,
    writer: io::BufWriter<Output>,
}

impl Script {
    fn open(film: Option<Capture>, out: &Destination) -> Result<Option<Self>> {
        let (Some(film), Some(recording)) = (film, out.output.clone().filter(|path| !is_dash(path))) else {
            return Ok(None);
        };
        // The script writes its film beside the recording, with this ending.
        if recording.extension().is_some_and(|it| it.eq_ignore_ascii_case("mp4")) {
            let (name, own) = (printable(&recording), printable(&recording.with_extension("dem")));
            bail!("{name}: name the recording, as {own}: the script beside it makes the film");
        }
        let place = Destination { output: Some(recording.with_extension("sh")), force: out.force };
        Ok(Some(Self { film, recording, writer: place.open(Kind::Text)?.buffered() }))
    }

    fn write(mut self, summary: Option<&EditSummary>) -> Result<PathBuf> {
        let game = summary.and_then(|summary| summary.game).unwrap_or(Game::Quake);
        let name = self.recording.file_name().unwrap_or_default().as_encoded_bytes();
        self.writer.write_all(self.film.script(game, name).as_bytes())?;
        Output::finish(self.writer)?;
        Ok(self.recording.with_extension("sh"))
    }
}

/// The script that makes a film of the edited recording, and lies beside it.
pub(crate) enum FilmScript {
    Nothing,
    /// The script that makes a film of it.
    Script(PathBuf),
    /// No script, since the recording is not in a file.
    NoScript,
}

impl FilmScript {
    /// Prints where it is.
    pub(crate) fn print(&self, talk: Verbosity) {
        match self {
            Self::Script(script) if !talk.quiet => {
                failure::line(&format!("  sh {} makes the film", shell_word(&printable(script))));
            }
            Self::NoScript if !talk.quiet => {
                failure::line("  no script for the film was written: it needs -o FILE");
            }
            _ => {}
        }
    }
}

/// A name quoted for a shell.
fn shell_word(name: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./".contains(it);
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// Prints the summary of an edit, and its notes.
pub(crate) fn report(name: &str, summary: &EditSummary, talk: Verbosity) {
    if !talk.quiet {
        failure::line(&format!("{name}: {summary}"));
        for note in &summary.notes {
            failure::line(&format!("  {note}"));
        }
    }
}

/// The error for a file that could not be edited.
pub(crate) fn in_file(error: Error, name: &str) -> anyhow::Error {
    match error {
        Error::Io(error) => error.into(),
        // This error names the file itself.
        error @ Error::OfFile(..) => error.into(),
        error => anyhow::anyhow!("{name}: {error}"),
    }
}

/// What mistakes in the words of an edit, or in those of a film's camera, prevented.
const NO_RECORDING: &str = "no recording was made";
const NO_FILM: &str = "no film was made";

/// Reports why nothing was written.
fn refuse(refused: PlanError, json: bool, prevented: &str, talk: Verbosity) -> Result<Outcome> {
    let print = |found: &[Mistake], name: &str| {
        render::mistakes(found, name, json, talk.quiet, usize::MAX, prevented);
    };
    match refused {
        PlanError::Trouble(error) => Err(error),
        PlanError::Mistakes(MistakePlace::Word(name), found) => {
            print(&found, name);
            Ok(Outcome::Trouble)
        }
        PlanError::Mistakes(MistakePlace::File(name), found) => {
            print(&found, &name);
            Ok(Outcome::Bad)
        }
    }
}

/// Prints the mistakes in the words of an edit.
pub(crate) fn mistakes(found: &[Mistake], asked: &str, to: &EditTarget, talk: Verbosity) -> Outcome {
    render::mistakes(found, asked, to.json, talk.quiet, usize::MAX, NO_RECORDING);
    Outcome::Bad
}
