//! `moviola still`: pictures of moments.

use crate::cli::Verbosity;
use crate::failure::{self, Outcome};
use crate::input::{ReopenableInput, is_dash, printable};
use crate::inside::{self, WantedFiles};
use crate::output::{Destination, Kind, Output};
use crate::scenes::{
    Projector, ViewOptions, above, look_through, parse_spans, projector, runs, say_from_above, say_missing,
    time_of,
};
use crate::sights::{Sights, film_span_time};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use moviola::edit::{SpanEnd, SpanStart};
use moviola::film::{OverheadRecording, Sheet, write_png};
use moviola::render::{LookOptions, Renderer};
use moviola::scene::{Hud, Moment, SceneOptions};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
A MOMENT is a game time (12.5, 1:12.5), a block (#250, counted from 0: the state
right after it), seconds since the recording began (+30), or an event
(kill \"Ranger\", death -1), as in `cut`; of a span (1:00..1:10) its beginning. Each of
several moments gets its own file: OUT.png becomes OUT-1.png, OUT-2.png. Where a level
is not shown yet, because play has not begun, the picture is the first one of the
level, as in an engine.

If the file of the level is missing, the view is from above: the players with their
paths so far, on the ground where players walk in the recording. With --plain
or a camera of your own (--eye, --angles, --free), models are boxes in the dark
instead. If other files are missing, surfaces have flat colors and models are
boxes; a list names the missing files.

Examples:
  moviola still run.dem 1:12.5 --game id1 -o shot.png
  moviola still run.dem 'kill \"Ranger\"' --game id1 -o kill.png
  moviola still run.dem --sheet 4x4 --game id1 -o sheet.png
  moviola still run.dem '#250' --plain --size 640x480 --fov 90 --game id1 -o x.png";

/// Draw pictures of moments, or a contact sheet of a whole recording
#[derive(Debug, Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("lit", |it| it.help("Use colored light (.lit) where the level has it: on, unless --plain turns it off")),
    mut_arg("hud", |it| it.help("The status bar and texts: on, minimal or off; a sheet has none unless this is given")),
)]
pub(crate) struct StillArgs {
    /// The recording; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The moments to draw.
    #[arg(value_name = "MOMENT", required_unless_present = "sheet")]
    moments: Vec<String>,
    #[command(flatten)]
    target: Destination,
    /// Draw one picture of the whole recording, with this many moments across and down; each has 320x180
    /// pixels unless --size says otherwise.
    #[arg(long, value_name = "NxM", value_parser = grid, conflicts_with = "moments")]
    sheet: Option<[u32; 2]>,
    /// Draw for a comparison with engines: the bare state in gray light, without anything that moves, fades or falls at
    /// random.
    #[arg(long)]
    plain: bool,
    /// See through this player's eyes, at the nearest moment for which the recording has the player's position. If left
    /// out, a match (.mvd, .mvd2) is seen through the eyes of the player with the most frags.
    #[arg(long, value_name = "NAME|N")]
    who: Option<String>,
    #[command(flatten)]
    seen: ViewOptions,
}

/// The usual sizes of a picture, and of one on a sheet.
const SIZE: [u32; 2] = [1280, 720];
const CELL: [u32; 2] = [320, 180];

fn grid(word: &str) -> Result<[u32; 2], String> {
    let sides =
        word.split_once('x').and_then(|(across, down)| Some([across.parse().ok()?, down.parse().ok()?]));
    match sides {
        Some(sides @ [1..=16, 1..=16]) => Ok(sides),
        _ => Err("a sheet is two numbers from 1 to 16 with an x between, 4x4".to_owned()),
    }
}

pub(crate) fn run(options: &StillArgs, talk: Verbosity) -> Result<Outcome> {
    if options.moments.len() > 1 && options.target.is_stdout() {
        bail!("several pictures need a name: with -o shot.png they become shot-1.png, shot-2.png");
    }
    refuse_other_endings(options.target.output.as_deref())?;
    // Checked before anything is drawn: a picture must not go to a terminal.
    options.target.refuse_terminal(Kind::Recording)?;
    let recording = ReopenableInput::new(inside::single(&options.file, WantedFiles::Recordings)?)?;
    let mut projector = projector(&recording)?;
    let usual = if options.sheet.is_some() { CELL } else { SIZE };
    let look = options.seen.look(usual, options.plain);
    let mut scene = options.seen.options(&look, options.plain);
    if options.sheet.is_some() && !options.seen.names_hud() {
        // A status bar would cover most of a picture this small.
        (scene.hud, scene.texts) = (Hud::Off, false);
    }
    let places_camera = options.seen.places_camera();
    let how = (places_camera, talk.quiet);
    scene.who = look_through(&mut projector, options.who.as_deref(), &recording, how)?;
    let sights = match scene.who.filter(|_| !places_camera) {
        Some(player) => Some(Sights::of(&mut projector, (player, options.who.as_deref()), talk.quiet)?),
        None => None,
    };
    let renderer = options.seen.renderer()?;
    let is_placed = options.plain || places_camera;
    let recording_above = (!is_placed).then_some(&recording);
    let shown = Shown {
        quiet: talk.quiet,
        renderer: &renderer,
        look: &look,
        scene: &scene,
        sights,
        recording_above,
        above: OnceCell::new(),
    };
    if let Some(grid) = options.sheet {
        let (size, rgba) = shown.sheet(&mut projector, grid)?;
        write(&options.target, size, &rgba)?;
    } else {
        for (word, number) in options.moments.iter().zip(1..) {
            let moment = moment(word, &recording, &mut projector)?;
            let rgba = shown.draw(&mut projector, moment)?;
            let target = match &options.target.output {
                Some(output) if options.moments.len() > 1 => {
                    Destination { output: Some(numbered(output, number)), force: options.target.force }
                }
                output => Destination { output: output.clone(), force: options.target.force },
            };
            write(&target, look.size, &rgba)?;
        }
    }
    let missing = shown.above.get().map(OverheadRecording::missing).unwrap_or_default().into_iter().collect();
    say_from_above(&missing, renderer.files(), talk.quiet);
    say_missing(renderer.files(), &missing, talk.quiet);
    Ok(Outcome::Good)
}

struct Shown<'a> {
    quiet: bool,
    renderer: &'a Renderer,
    look: &'a LookOptions,
    scene: &'a SceneOptions,
    /// The times in which the player is in sight through whose eyes the pictures are, if that is not the recorder.
    sights: Option<Sights>,
    /// The recording, unless the camera's view is kept where the level is missing.
    recording_above: Option<&'a ReopenableInput>,
    /// The view from above: it takes a pass over the recording, which most pictures do not need.
    above: OnceCell<OverheadRecording>,
}

impl Shown<'_> {
    fn draw(&self, projector: &mut Projector<'_>, moment: Moment) -> Result<Vec<u8>> {
        let moment = self.reached(projector, moment)?;
        let files = self.renderer.files();
        if let Some(recording) = self.recording_above
            && let Some(level) = projector.reel().files().first()
            && files.bsp(level).is_none()
        {
            if self.above.get().is_none() {
                let _ = self.above.set(above(recording)?);
            }
            let seen = self
                .above
                .get()
                .and_then(|it| Some((it, it.look(projector.reel(), moment, self.scene, files)?)));
            if let Some((above, seen)) = seen {
                return Ok(above.frame(&seen, self.look.size).rgba);
            }
        }
        let scene = projector.reel().scene(moment, self.scene, &**files);
        Ok(self.renderer.render(&scene, self.look).rgba)
    }

    /// Goes to a moment, or to the last one of the recording, with a note, if it is after the end.
    fn reached(&self, projector: &mut Projector<'_>, moment: Moment) -> Result<Moment> {
        let is_there = projector.go(moment)?;
        let end = projector.reel().seconds();
        let moment = match moment {
            Moment::At(time) if !is_there && time > end => {
                if !self.quiet {
                    let end = film_span_time(end);
                    failure::line(&format!("note: the recording ends at {end}; its last moment is drawn"));
                }
                projector.go(Moment::At(end))?;
                Moment::At(end)
            }
            moment => moment,
        };
        match &self.sights {
            Some(sights) => sights.still(projector, moment),
            None => Ok(moment),
        }
    }

    /// Moments at even distances, each in the middle of its part of the recording, or of the time in which a player is in
    /// sight.
    fn sheet(&self, projector: &mut Projector<'_>, grid: [u32; 2]) -> Result<([u32; 2], Vec<u8>)> {
        projector.go(Moment::At(f64::MAX))?;
        let seconds = projector.reel().seconds();
        let count = grid[0] * grid[1];
        let mut sheet = Sheet::new(grid, self.look.size);
        for place in 0..count {
            let part = (f64::from(place) + 0.5) / f64::from(count);
            let time = self.sights.as_ref().map_or(seconds * part, |sights| sights.share(part));
            sheet.put(place, &self.draw(projector, Moment::At(time))?);
        }
        Ok(sheet.picture())
    }
}

fn write(target: &Destination, size: [u32; 2], rgba: &[u8]) -> Result<()> {
    let mut writer = target.open(Kind::Recording)?.buffered();
    write_png(&mut writer, size, rgba)?;
    Output::finish(writer)
}

/// Refuses the names of other pictures, which would not fit the file's contents. A name without an ending may be a
/// device.
fn refuse_other_endings(output: Option<&Path>) -> Result<()> {
    let Some(output) = output.filter(|it| !is_dash(it)) else { return Ok(()) };
    match output.extension() {
        Some(ending) if !ending.eq_ignore_ascii_case("png") => {
            bail!("{}: pictures are PNG files: end the name in .png", printable(output))
        }
        _ => Ok(()),
    }
}

/// `shot.png` as `shot-2.png`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or("png".into(), |it| it.to_string_lossy());
    path.with_file_name(format!("{stem}-{number}.{ending}"))
}

/// The moment that a word names.
fn moment(word: &str, recording: &ReopenableInput, projector: &mut Projector<'_>) -> Result<Moment> {
    if let Some(block) = word.strip_prefix('#').and_then(|it| it.parse().ok()) {
        if !projector.go(Moment::AfterBlock(block))? && projector.reel().blocks() <= block {
            let last = projector.reel().blocks().checked_sub(1);
            let last = last.ok_or_else(|| anyhow!("{}: has no block", recording.name()))?;
            bail!("{}: has no block {block}: the last one is {last}", printable(Path::new(recording.name())));
        }
        return Ok(Moment::AfterBlock(block));
    }
    if word.trim().is_empty() {
        bail!("a moment is missing: the word is empty; `moviola still --help` has examples");
    }
    let digits = word.strip_prefix('+').unwrap_or(word);
    let is_time = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b':' || byte == b'.')
        && !word.contains("..");
    if is_time && word.starts_with('+') {
        let spans = parse_spans(&format!("{word}.."))?;
        if let Some(SpanEnd::Film(seconds)) = spans.iter().next().and_then(|span| span.from.as_ref()) {
            return Ok(Moment::At(*seconds));
        }
    }
    let no_such_moment = || anyhow!("`{word}`: there is no such moment");
    if is_time
        && let Some(time) = time_of(&parse_spans(&format!("{word}.."))?, false).filter(|time| *time > 0.0)
    {
        let (_, shows) = projector.at_clock(time)?.ok_or_else(no_such_moment)?;
        // The block is the first at or after the time; a time between two blocks is earlier than it by this much.
        return Ok(Moment::At(projector.reel().seconds() - (shows - time).clamp(0.0, MAX_STEP)));
    }
    let asked = if is_time { format!("{word}..") } else { word.to_owned() };
    Ok(Moment::AfterBlock(first_block(&asked, recording, projector)?.ok_or_else(no_such_moment)?))
}

/// The first block of a span. One pass over the recording finds the span; the projector, which goes there anyway, finds a
/// time in it.
fn first_block(
    text: &str,
    recording: &ReopenableInput,
    projector: &mut Projector<'_>,
) -> Result<Option<u64>> {
    let found = parse_spans(text)?.find(recording.open()?).map_err(|error| anyhow!("`{text}`: {error}"))?;
    match found.start() {
        Some(SpanStart { block, times: None }) => return Ok(Some(block)),
        // Before the first time of a level its clock shows 0.
        Some(SpanStart { block, times: Some((from, to)) }) if from > 0.0 => {
            let at = projector.at_clock_from(block, from)?;
            if let Some((block, _)) = at.filter(|(_, clock)| *clock <= to) {
                return Ok(Some(block));
            }
        }
        _ => {}
    }
    let found = runs(recording, &parse_spans(text)?)?;
    Ok(found.first().map(|run| run.first))
}

/// In a running game, two blocks are not farther apart than this.
const MAX_STEP: f64 = 0.1;
