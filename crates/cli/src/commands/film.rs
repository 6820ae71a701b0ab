//! `moviola film`: a film of a recording, without the game.

use crate::cli::Talk;
use crate::failure::{self, Outcome};
use crate::input::{Again, Input, is_dash, one_stdin, printable};
use crate::leftovers::stop_gently;
use crate::output::{Destination, Kind, Output};
use crate::progress::Bar;
use crate::scenes::{Projector, Seen, parse_spans, projector, runs, say_missing, time_of, when};
use anyhow::{Result, bail};
use clap::Args;
use moviola::edit::{Point, Span, Spans};
use moviola::film::{Film, FrameRate, Mp4Film, Part, PngFilm, Shoot, WavFilm, Y4mFilm, shoot};
use moviola::scene::Moment;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

const MORE: &str = "\
The ending of OUT says what is made: .mp4 (H.264 and Opus), .y4m (pictures alone),
.wav (sound alone), or a folder of PNGs where OUT ends in a slash. `-o -` writes
Y4M for other programs. SPANS are those of `cut`: game times, levels, blocks,
events; +0..+10 are seconds since the recording began.

Interrupted, the film ends there, and plays.

Examples:
  moviola film run.dem --game id1 -o run.mp4
  moviola film run.dem --game id1 --part 1:00..1:30 --size 1920x1080 --fps 60 -o part.mp4
  moviola film run.dem --game id1 --part 'kill -2 +2' --speed 0.5 -o kills.mp4
  moviola film a.dem b.dem --join --game id1 -o both.mp4
  moviola film run.dem --game id1 -o - | ffmpeg -i - run.webm";

/// Make a film of a recording, with sound
#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct Options {
    /// The recording; several with --join.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to OUT.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Replace OUT if it exists.
    #[arg(long)]
    force: bool,
    /// Film these parts alone, one behind the other.
    #[arg(long, value_name = "SPANS", allow_hyphen_values = true)]
    part: Option<String>,
    /// One film of several recordings.
    #[arg(long)]
    join: bool,
    /// Frames a second.
    #[arg(long, value_name = "N", default_value_t = 60.0)]
    fps: f64,
    /// Seconds of the recording in a second of the film: 0.5 is slow motion.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    speed: f64,
    /// How fine the picture is: 18 is hardly told from the original, 30 is coarse.
    #[arg(long, value_name = "N", default_value_t = 22, value_parser = clap::value_parser!(u8).range(1..=45))]
    quality: u8,
    #[command(flatten)]
    seen: Seen,
}

const SIZE: [u32; 2] = [1280, 720];

pub(crate) fn run(options: &Options, talk: Talk) -> Result<Outcome> {
    if options.files.len() > 1 && !options.join {
        bail!("several recordings become one film with --join");
    }
    if !(0.01..=100.0).contains(&options.speed) || !(1.0..=1000.0).contains(&options.fps) {
        bail!("--speed goes from 0.01 to 100, --fps from 1 to 1000");
    }
    one_stdin(&options.files)?;
    let mut look = options.seen.look(SIZE, false);
    look.size = look.size.map(|side| side & !1);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let scene = options.seen.options(&look, false);
    let how = Shoot { rate: FrameRate::of(options.fps), speed: options.speed, look, options: scene, threads };
    let renderer = options.seen.renderer()?;
    let recordings: Vec<Again> = options
        .files
        .iter()
        .map(|file| Again::new(Input::open_or_stdin(Some(file))?))
        .collect::<Result<_>>()?;
    let mut parts = Vec::new();
    for recording in &recordings {
        parts.push(wanted(options, recording)?);
    }
    let total: u64 = parts.iter().flatten().map(|part| part.frames(how.rate, how.speed)).sum();
    if total == 0 {
        bail!("there is nothing to film in it: not a single frame");
    }
    let mut film = Target::open(options, &how)?;
    let stop = stop_gently();
    let bar = Bar::steps(total, talk.quiet);
    let mut before = 0;
    for (recording, parts) in recordings.iter().zip(&parts) {
        let mut projector = projector(recording)?;
        let mut said = 0;
        let mut goes_on = |done: u64| {
            bar.advance(done - said);
            said = done;
            !stop.asked()
        };
        before += shoot(&mut projector, &renderer, parts, &how, film.film(), &mut goes_on)?;
        if stop.asked() {
            break;
        }
    }
    bar.finish();
    film.finish()?;
    say_missing(&renderer, talk.quiet);
    if stop.asked() {
        failure::line(&format!("interrupted: the film has {before} of {total} frames"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::Good)
}

/// The parts that are filmed, in seconds of the recording.
fn wanted(options: &Options, recording: &Again) -> Result<Vec<Part>> {
    let mut projector = projector(recording)?;
    let Some(words) = &options.part else {
        projector.go(Moment::At(f64::MAX))?;
        return Ok(vec![Part { from: 0.0, to: projector.reel().seconds() }]);
    };
    if let Some(part) = since_start(&parse_spans(words)?) {
        projector.go(Moment::At(f64::MAX))?;
        let end = projector.reel().seconds();
        let part = Part { from: part.from.min(end), to: part.to.min(end) };
        return Ok(vec![part]);
    }
    let (spans, found) = runs(recording, words)?;
    let mut parts = Vec::new();
    for run in found {
        let from = when(&mut projector, run.first)?;
        let to = when(&mut projector, run.last)?;
        // A time between two blocks is as much before the first, or behind the last.
        let asked = [time_of(&spans, false), time_of(&spans, true)];
        let early = asked[0].zip(run.times).map_or(0.0, |(time, (first, _))| (first - time).clamp(0.0, STEP));
        let late = asked[1].zip(run.times).map_or(0.0, |(time, (_, last))| (time - last).clamp(0.0, STEP));
        parts.push(Part { from: (from - early).max(0.0), to: to + late });
    }
    Ok(within(parts, &mut projector)?)
}

/// Two blocks of a game that goes on are not farther apart.
const STEP: f64 = 0.1;

/// Parts without what lies beyond the recording's end.
fn within(mut parts: Vec<Part>, projector: &mut Projector<'_>) -> io::Result<Vec<Part>> {
    projector.go(Moment::At(f64::MAX))?;
    let end = projector.reel().seconds();
    for part in &mut parts {
        part.to = part.to.min(end);
    }
    parts.retain(|part| part.to > part.from);
    Ok(parts)
}

/// `+0..+10`: seconds since the recording began, which may lie between two blocks.
fn since_start(spans: &Spans) -> Option<Part> {
    let mut all = spans.iter();
    match (all.next()?, all.next()) {
        (Span { levels: None, from: Some(Point::Film(from)), to }, None) => match to {
            Some(Point::Film(to)) => Some(Part { from: *from, to: *to }),
            None => Some(Part { from: *from, to: f64::MAX }),
            _ => None,
        },
        _ => None,
    }
}

/// A film and the file that it becomes.
enum Target {
    Mp4(Box<Mp4Film<BufWriter<Output>>>),
    Y4m(Y4mFilm<BufWriter<Output>>),
    Wav(WavFilm<BufWriter<Output>>),
    Png(PngFilm),
}

fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it.eq_ignore_ascii_case(ending))
}

impl Target {
    fn open(options: &Options, how: &Shoot) -> Result<Self> {
        let (size, rate) = (how.look.size, how.rate);
        let name = options.output.to_string_lossy().into_owned();
        let target = Destination { output: Some(options.output.clone()), force: options.force };
        let open = || Ok::<_, anyhow::Error>(target.open(Kind::Recording)?.buffered());
        if name.ends_with('/') {
            fs::create_dir_all(&options.output)?;
            let is_empty = fs::read_dir(&options.output)?.next().is_none();
            if !is_empty && !options.force {
                bail!(
                    "{} is not empty: name another folder, or write over what is in it with --force",
                    printable(&options.output)
                );
            }
            return Ok(Self::Png(PngFilm::new(&options.output)));
        }
        Ok(match () {
            () if is_dash(&options.output) || has_ending(&name, "y4m") => {
                Self::Y4m(Y4mFilm::new(open()?, size, rate)?)
            }
            () if has_ending(&name, "mp4") => {
                Self::Mp4(Box::new(Mp4Film::new(open()?, size, rate, options.quality)?))
            }
            () if has_ending(&name, "wav") => Self::Wav(WavFilm::new(open()?)?),
            () => bail!(
                "{}: end the name in .mp4, .y4m or .wav, or in / for a folder of PNGs",
                printable(&options.output)
            ),
        })
    }

    fn film(&mut self) -> &mut (dyn Film + Send) {
        match self {
            Self::Mp4(film) => &mut **film,
            Self::Y4m(film) => film,
            Self::Wav(film) => film,
            Self::Png(film) => film,
        }
    }

    fn finish(mut self) -> Result<()> {
        self.film().finish()?;
        match self {
            Self::Mp4(film) => Output::finish(film.into_inner()),
            Self::Y4m(film) => Output::finish(film.into_inner()),
            Self::Wav(film) => Output::finish(film.into_inner()),
            Self::Png(_) => Ok(()),
        }
    }
}
