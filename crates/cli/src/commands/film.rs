//! `moviola film`: makes a film of a recording, without the game.

use super::camera::CameraArgs;
use super::convert::ConvertArgs;
use super::view::ViewArgs;
use crate::cli::Verbosity;
use crate::edits::edited;
use crate::failure::{self, Outcome};
use crate::filming::{Pace, Target, frames_a_second, paced, parts_to_film};
use crate::input::{ReopenableInput, one_stdin, printable};
use crate::inside::{self, WantedFiles};
use crate::leftovers::stop_gently;
use crate::progress::Bar;
use crate::render;
use crate::scenes::{
    ViewOptions, above, first_player, is_of_server, look_through, projector, say_from_above, say_missing,
    say_unread,
};
use crate::sights::{Sights, film_span_time};
use anyhow::{Context as _, Result, bail};
use clap::Args;
use moviola::edit::Subtitle;
use moviola::film::{Caption, CaptionPlace, FilmOptions, FrameRate, Music, shoot};
use moviola::format::{Demo, Game};
use moviola::scene::Moment;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const AFTER_HELP: &str = "\
The extension of OUT selects the format: .mp4 (H.264 and Opus), .y4m (pictures
alone), .wav (sound alone), .gif and .webp (moving pictures, for short clips), or a
folder of PNGs if OUT ends in a slash. `-o -` writes Y4M for other programs. A .webp
is lossless: twice the size of a .gif of 256 colors, and 20 times that of an .mp4.
SPANS are those of `cut`: game times, levels, blocks, events; +0..+10 are seconds
since the recording began.

--speed takes the arguments of `retime`, and may be repeated: a speed, and the
parts that have it. 1..0.2 is a ramp: it begins at full speed and ends slow.

If the file of the level is missing, the view is from above: the players with their
paths so far, on the ground where players walk in the recording.

A film begins with the first picture that an engine would show: the player's view as
soon as the game is on, and at a change of levels the next level's.

Subtitles and titles keep their letters in the film's track. In the picture, letters
that the game's font lacks lose their accents, or become those that sound alike.

If you interrupt it, the film ends there, and still plays.

Examples:
  moviola film run.dem --game id1 -o run.mp4
  moviola film run.dem --game id1 --part 1:00..1:30 --size 1920x1080 --fps 60 -o part.mp4
  moviola film run.dem --game id1 --part 'kill -2 +2' --speed 1/2 -o kills.mp4
  moviola film run.dem --game id1 --speed '1..0.2 1:02..1:03' --speed '0.2 1:03..1:05' -o slow.mp4
  moviola film run.dem --game id1 --camera shots.toml --motion-blur 8 -o cinema.mp4
  moviola film run.dem --game id1 --subtitles run.srt --title 'E1M1 in 0:24' -o titled.mp4
  moviola film a.dem b.dem --join --game id1 -o both.mp4
  moviola film run.dem --game id1 --music game -o music.mp4
  moviola film run.dem --game id1 -o - | ffmpeg -i - run.webm";

/// Make a film of a recording, with sound
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct FilmArgs {
    /// The recording; several with --join.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write to OUT.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Replace OUT if it exists.
    #[arg(long)]
    pub(crate) force: bool,
    /// Film only these parts, in the order in which they are named.
    #[arg(long, value_name = "SPANS", allow_hyphen_values = true)]
    part: Option<String>,
    /// Make one film of several recordings.
    #[arg(long)]
    join: bool,
    /// Frames a second; also as a fraction, 30000/1001 [default: 60, and 25 for a GIF].
    #[arg(long, value_name = "N", value_parser = rate)]
    pub(crate) fps: Option<f64>,
    /// A speed, and the parts that have it: 0.5 is slow motion, `2 1:00..1:10` plays ten seconds at double speed.
    #[arg(long, value_name = "SPEED [SPANS]", allow_hyphen_values = true)]
    speed: Vec<String>,
    /// The quality of the picture: 18 looks almost like the original, 30 is coarse.
    #[arg(long, value_name = "N", default_value_t = 22, value_parser = clap::value_parser!(u8).range(1..=45))]
    pub(crate) quality: u8,
    /// Move the camera by a script for `moviola camera`.
    #[arg(long, value_name = "SCRIPT", conflicts_with_all = ["free", "who"])]
    camera: Option<PathBuf>,
    /// See through this player's eyes; the film leaves out the times in which the recording does not have the player's
    /// position. If left out, a match (.mvd, .mvd2) is seen through the eyes of the player with the most frags.
    #[arg(long, value_name = "NAME|N", conflicts_with = "free")]
    who: Option<String>,
    /// Show these subtitles in the picture and in a track of their own, from a .srt or .vtt file; its times are those
    /// of the film.
    #[arg(long, value_name = "SUBTITLES")]
    subtitles: Option<PathBuf>,
    /// Show this text in the first three seconds, and write it as the film's title.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Play this .ogg (Vorbis) or .flac file under the film, in a loop; `game` plays the tracks that the recording
    /// names, such as music/track02.ogg in the game's folders.
    #[arg(long, value_name = "FILE|game")]
    music: Option<PathBuf>,
    /// Blend N pictures into each frame, like the open shutter of a camera.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    motion_blur: u32,
    #[command(flatten)]
    seen: ViewOptions,
}

const SIZE: [u32; 2] = [1280, 720];

/// The seconds for which a title stays.
const TITLE: f64 = 3.0;

pub(crate) fn run(options: &FilmArgs, talk: Verbosity) -> Result<Outcome> {
    if options.files.len() > 1 && !options.join {
        bail!("several recordings need --join, which makes one film of them");
    }
    one_stdin(options.files.iter().chain(&options.camera).chain(&options.subtitles))?;
    let paces: Vec<Pace> = options.speed.iter().map(|words| Pace::parse(words)).collect::<Result<_>>()?;
    let captions = match captions(options, talk)? {
        Ok(captions) => captions,
        Err(outcome) => return Ok(outcome),
    };
    let mut look = options.seen.look(SIZE, false);
    look.size = even(look.size, talk.quiet);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let scene = options.seen.options(&look, false);
    let (rate, blur) = (FrameRate::of(frames_a_second(options)), options.motion_blur);
    let mut how = FilmOptions {
        rate,
        look,
        options: scene,
        threads,
        blur,
        captions,
        above: None,
        music: music(options)?,
    };
    let renderer = options.seen.renderer()?;
    let mut recordings = Vec::new();
    for file in &options.files {
        match recording(options, file, talk)? {
            Ok(recording) => recordings.push(recording),
            Err(outcome) => return Ok(outcome),
        }
    }
    say_silent(options, &recordings, talk.quiet)?;
    // A camera that somebody placed keeps its view, even of boxes in the dark.
    let is_placed = options.camera.is_some() || options.seen.places_camera();
    let mut reels = Vec::new();
    for (recording, cuts) in &recordings {
        let mut projector = projector(recording)?;
        let whole = parts_to_film(options.part.as_deref(), recording, &mut projector)?;
        let mut parts = paced(whole, &paces, recording, &mut projector)?;
        say_unread(&projector, recording, talk.quiet);
        let name = options.who.as_deref();
        let who = look_through(&mut projector, name, recording, (is_placed, talk.quiet))?;
        if let Some(player) = who.filter(|_| !is_placed) {
            parts = Sights::of(&mut projector, (player, name), talk.quiet)?.film(&parts)?;
        }
        reels.push((recording, Arc::new(cuts.clone()), projector, who, parts));
    }
    let total: u64 = reels.iter().flat_map(|(.., parts)| parts).map(|part| part.frames(how.rate)).sum();
    if total == 0 {
        let names: Vec<String> = recordings.iter().map(|(it, _)| printable(Path::new(it.name()))).collect();
        let mut seconds = 0.0;
        for (_, _, projector, ..) in &mut reels {
            projector.go(Moment::At(f64::MAX))?;
            seconds += projector.reel().seconds();
        }
        bail!(no_frame(&names.join(", "), options.part.as_deref(), seconds));
    }
    let mut film = Target::open(options, &how)?;
    let stop = stop_gently();
    let bar = Bar::frames(total, talk.quiet);
    let (mut before, mut missing) = (0, BTreeSet::new());
    for (recording, cuts, mut projector, who, parts) in reels {
        (how.options.who, how.options.cuts) = (who, cuts);
        how.above = if is_placed { None } else { Some(Arc::new(above(recording)?)) };
        let mut counted = 0;
        let mut goes_on = |done: u64| {
            bar.advance(done - counted);
            counted = done;
            !stop.is_requested()
        };
        before += shoot(&mut projector, &renderer, &parts, &how, before, film.film(), &mut goes_on)?;
        missing.extend(how.above.iter().flat_map(|above| above.missing()));
        if stop.is_requested() {
            break;
        }
    }
    bar.finish();
    film.finish()?;
    say_from_above(&missing, renderer.files(), talk.quiet);
    say_missing(renderer.files(), &missing, talk.quiet);
    if stop.is_requested() {
        failure::line(&format!("interrupted: the film has {before} of {total} frames"));
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::Good)
}

/// The reason why a film would have no frame.
fn no_frame(name: &str, part: Option<&str>, seconds: f64) -> String {
    let end = film_span_time(seconds);
    match part {
        Some(part) => {
            format!("{name}: `{part}` has no frame to film: the recording goes from +0.00 to {end}")
        }
        None => format!("{name}: it has no frame to film: it goes from +0.00 to {end}"),
    }
}

fn rate(word: &str) -> Result<f64, String> {
    let number = |it: &str| it.parse::<f64>().ok();
    let rate = match word.split_once('/') {
        Some((frames, seconds)) => {
            number(frames).zip(number(seconds)).map(|(frames, seconds)| frames / seconds)
        }
        None => number(word),
    };
    rate.filter(|it| (1.0..=1000.0).contains(it)).ok_or_else(|| "it goes from 1 to 1000".to_owned())
}

/// The size of a film, whose colors are stored for two by two pixels.
fn even(size: [u32; 2], quiet: bool) -> [u32; 2] {
    let even @ [width, height] = size.map(|side| side & !1);
    if even != size && !quiet {
        failure::line(&format!("note: the film has {width}x{height}: films have even sides"));
    }
    even
}

fn music(options: &FilmArgs) -> Result<Option<Music>> {
    let Some(file) = &options.music else { return Ok(None) };
    // not from SCHEMA: a word of the command line, not the field of a message.
    if file.as_os_str() == "game" {
        return Ok(Some(Music::OfTheGame));
    }
    let name = printable(file);
    let bytes = std::fs::read(file).with_context(|| name.clone())?;
    Ok(Some(Music::file(&name, bytes).with_context(|| name.clone())?))
}

/// A recording to film, and the blocks at which the view changes at once.
type FilmedRecording = (ReopenableInput, BTreeSet<u64>);

/// The recording to film: edited by the script of a camera, and for a server's recording the view of one of
/// its players; and the blocks at which the camera's view changes at once. Mistakes in the options or in the script are
/// printed, and the outcome is returned in their place.
fn recording(options: &FilmArgs, file: &Path, talk: Verbosity) -> Result<Result<FilmedRecording, Outcome>> {
    let recording = ReopenableInput::new(inside::single(file, WantedFiles::Recordings)?)?;
    if let Some(script) = &options.camera {
        let camera = CameraArgs::of(script, options.seen.game());
        let filmed = |input| Ok(edited(input, &camera, talk)?.map(|made| (made, camera.cuts())));
        if Demo::new(recording.open()?)?.game() == Some(Game::QuakeWorld) {
            // A camera is an edit of recordings of Quake, so the recording is first converted to one.
            return match edited(recording.open()?, &ConvertArgs::exact(), talk)? {
                Ok(converted) => filmed(converted.open()?),
                Err(outcome) => Ok(Err(outcome)),
            };
        }
        return filmed(recording.open()?);
    }
    let mut projector = projector(&recording)?;
    let is_of_server = is_of_server(&mut projector)?;
    let lacks_eyes = is_of_server && !projector.reel().has_screen() && !options.seen.places_camera();
    drop(projector);
    let who = match &options.who {
        Some(who) if is_of_server => who.clone(),
        None if lacks_eyes => first_player(&recording, talk.quiet)?.0.to_string(),
        _ => return Ok(Ok((recording, BTreeSet::new()))),
    };
    Ok(edited(recording.open()?, &ViewArgs::of(&who), talk)?.map(|made| (made, BTreeSet::new())))
}

/// Says that a recording names no music, which would otherwise be silence without a reason.
fn say_silent(options: &FilmArgs, recordings: &[FilmedRecording], quiet: bool) -> Result<()> {
    // not from SCHEMA: a word of the command line, not the field of a message.
    if quiet || options.music.as_ref().is_none_or(|music| music.as_os_str() != "game") {
        return Ok(());
    }
    for (recording, _) in recordings {
        let mut names_music = false;
        projector(recording)?.walk(|reel| names_music |= reel.track().is_some())?;
        if !names_music {
            let name = printable(Path::new(recording.name()));
            failure::line(&format!(
                "note: {name} names no track of music, so it has none; --music FILE plays a file"
            ));
        }
    }
    Ok(())
}

/// The texts over the film. Mistakes in their file are printed.
fn captions(options: &FilmArgs, talk: Verbosity) -> Result<Result<Vec<Caption>, Outcome>> {
    let mut captions = Vec::new();
    if let Some(title) = &options.title {
        captions.push(Caption { from: 0.0, to: TITLE, text: title.clone(), place: CaptionPlace::Middle });
    }
    if let Some(file) = &options.subtitles {
        let mut text = Vec::new();
        inside::single(file, WantedFiles::Files)?.read_to_end(&mut text)?;
        match Subtitle::parse(&text) {
            Ok(subtitles) => captions.extend(subtitles.cues().iter().map(|cue| Caption {
                from: cue.from,
                to: cue.to,
                text: cue.marked.clone(),
                place: CaptionPlace::Below,
            })),
            Err(found) => {
                render::mistakes(&found, &printable(file), false, talk.quiet, usize::MAX, "no film was made");
                return Ok(Err(Outcome::Bad));
            }
        }
    }
    Ok(Ok(captions))
}
