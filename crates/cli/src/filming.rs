//! The parts of a recording with their speeds, and the files that `film` writes.

use crate::commands::film::FilmArgs;
use crate::input::{ReopenableInput, is_dash, printable};
use crate::output::{Destination, Kind, Output};
use crate::scenes::{Projector, parse_spans, runs, time_of};
use anyhow::{Result, anyhow, bail};
use moviola::edit::{Span, SpanEnd, Spans, Speed};
use moviola::film::{
    Caption, CaptionPlace, Film, FilmOptions, FilmPart, GifFilm, Mp4Film, PngFilm, WavFilm, WebpFilm, Y4mFilm,
};
use moviola::scene::Moment;
use std::fs;
use std::io::{self, BufWriter};
use std::path::Path;

/// The speed of parts of a recording.
pub(crate) struct Pace {
    /// The speeds at their beginning and at their end.
    speed: [f64; 2],
    /// The parts to film; without any, the whole recording.
    spans: Option<String>,
}

impl Pace {
    /// Reads `0.5`, `1/2 1:00..1:10` or `1..0.2 1:00..1:10`.
    pub(crate) fn parse(words: &str) -> Result<Self> {
        let (speed, spans) = match words.trim().split_once(char::is_whitespace) {
            Some((speed, spans)) => (speed, Some(spans.trim().to_owned())),
            None => (words.trim(), None),
        };
        let one = |word: &str| {
            let speed = Speed::parse(word).map(Speed::factor);
            speed.map_err(|mistake| anyhow!("--speed `{words}`: {}", mistake.message))
        };
        let speed = match speed.split_once("..") {
            Some((first, last)) => [one(first)?, one(last)?],
            None => [one(speed)?; 2],
        };
        Ok(Self { speed, spans })
    }
}

/// The parts at their speeds. If several speeds are given for a moment, the last one counts.
pub(crate) fn paced(
    parts: Vec<FilmPart>,
    paces: &[Pace],
    recording: &ReopenableInput,
    projector: &mut Projector<'_>,
) -> Result<Vec<FilmPart>> {
    let mut paced_parts = parts;
    for pace in paces {
        let stretches = match &pace.spans {
            Some(spans) => parts_to_film(Some(spans), recording, projector)?,
            // A ramp without parts of its own runs over each part of the film.
            None => paced_parts.clone(),
        };
        for stretch in stretches {
            let stretch = FilmPart { speed: pace.speed, ..stretch };
            paced_parts = paced_parts.iter().flat_map(|part| overlaid(*part, stretch)).collect();
        }
    }
    Ok(paced_parts)
}

/// Splits a part into up to three, where a stretch has a speed of its own.
fn overlaid(part: FilmPart, stretch: FilmPart) -> Vec<FilmPart> {
    let (from, to) = (part.from.max(stretch.from), part.to.min(stretch.to));
    if from >= to {
        return vec![part];
    }
    let pieces = [piece(part, part.from, from), piece(stretch, from, to), piece(part, to, part.to)];
    pieces.into_iter().filter(|piece| piece.from < piece.to).collect()
}

/// A piece of a part. Its speed changes evenly with the film's time, so its square changes evenly with the
/// recording's.
pub(crate) fn piece(part: FilmPart, from: f64, to: f64) -> FilmPart {
    let [first, last] = part.speed;
    let at = |time: f64| {
        let share = ((time - part.from) / (part.to - part.from)).clamp(0.0, 1.0);
        (first * first + (last * last - first * first) * share).sqrt()
    };
    let is_even = (first - last).abs() < f64::EPSILON;
    let speed = if is_even { part.speed } else { [at(from), at(to)] };
    FilmPart { from, to, speed }
}

/// The parts to film in the order of the words, in seconds of the recording, whose end the projector passes.
pub(crate) fn parts_to_film(
    spans: Option<&str>,
    recording: &ReopenableInput,
    projector: &mut Projector<'_>,
) -> Result<Vec<FilmPart>> {
    let Some(words) = spans else {
        projector.go(Moment::At(f64::MAX))?;
        return Ok(vec![FilmPart { to: projector.reel().seconds(), ..FilmPart::default() }]);
    };
    let mut parts = Vec::new();
    for span in parse_spans(words)?.each() {
        if let Some(part) = since_start(&span) {
            parts.push(part);
            continue;
        }
        // A time between two blocks lies before the first block, or after the last one, by this much.
        let asked = [time_of(&span, false), time_of(&span, true)];
        for run in runs(recording, &span)? {
            let lead = projector.reel().lead();
            let from = projector.when(run.first)? - lead;
            // The block at a time is not a part of what ends at that time.
            let to = projector.when(run.last)? - if asked[1].is_some() { lead } else { 0.0 };
            let early =
                asked[0].zip(run.times).map_or(0.0, |(time, (first, _))| (first - time).clamp(0.0, MAX_STEP));
            let late =
                asked[1].zip(run.times).map_or(0.0, |(time, (_, last))| (time - last).clamp(0.0, MAX_STEP));
            parts.push(FilmPart { from: (from - early).max(0.0), to: to + late, ..FilmPart::default() });
        }
    }
    Ok(within(parts, projector)?)
}

/// In a running game, two blocks are not farther apart than this.
const MAX_STEP: f64 = 0.1;

/// Cuts the parts off at the recording's end.
fn within(mut parts: Vec<FilmPart>, projector: &mut Projector<'_>) -> io::Result<Vec<FilmPart>> {
    projector.go(Moment::At(f64::MAX))?;
    let end = projector.reel().seconds();
    for part in &mut parts {
        part.to = part.to.min(end);
    }
    parts.retain(|part| part.to > part.from);
    Ok(parts)
}

/// `+0..+10`: seconds since the recording began, which may lie between two blocks.
fn since_start(spans: &Spans) -> Option<FilmPart> {
    let mut all = spans.iter();
    match (all.next()?, all.next()) {
        (Span { levels: None, from: Some(SpanEnd::Film(from)), to }, None) => match to {
            Some(SpanEnd::Film(to)) => Some(FilmPart { from: *from, to: *to, ..FilmPart::default() }),
            None => Some(FilmPart { from: *from, to: f64::MAX, ..FilmPart::default() }),
            _ => None,
        },
        _ => None,
    }
}

/// The kind of a film with its open file.
pub(crate) enum Target {
    Mp4(Box<Mp4Film<BufWriter<Output>>>),
    Y4m(Y4mFilm<BufWriter<Output>>),
    Wav(WavFilm<BufWriter<Output>>),
    Png(PngFilm),
    Gif(Box<GifFilm<BufWriter<Output>>>),
    Webp(WebpFilm<BufWriter<Output>>),
}

/// Programs slow a GIF down beyond this: they show ten hundredths of a second for a frame of one.
const GIF_FPS: f64 = 50.0;

/// The usual frames a second of a GIF, and of every other film.
const USUAL_FPS: [f64; 2] = [25.0, 60.0];

/// The frames a second of a film.
pub(crate) fn frames_a_second(options: &FilmArgs) -> f64 {
    let [of_gif, of_others] = USUAL_FPS;
    let is_gif = has_ending(&options.output.to_string_lossy(), "gif");
    options.fps.unwrap_or(if is_gif { of_gif } else { of_others })
}

fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it.eq_ignore_ascii_case(ending))
}

impl Target {
    pub(crate) fn open(options: &FilmArgs, how: &FilmOptions) -> Result<Self> {
        let (size, rate) = (how.look.size, how.rate);
        // A title is in the picture and in the metadata of the film, but is not a subtitle.
        let subtitles: Vec<Caption> =
            how.captions.iter().filter(|it| it.place == CaptionPlace::Below).cloned().collect();
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
                let title = options.title.as_deref().unwrap_or_default();
                let film = Mp4Film::new(open()?, size, rate, options.quality)?;
                Self::Mp4(Box::new(film.with_words(&subtitles, title)))
            }
            () if has_ending(&name, "wav") => Self::Wav(WavFilm::new(open()?)?),
            () if has_ending(&name, "gif") && frames_a_second(options) > GIF_FPS => {
                bail!("a GIF has at most {GIF_FPS} frames a second: --fps {} is usual", USUAL_FPS[0])
            }
            () if has_ending(&name, "gif") => Self::Gif(Box::new(GifFilm::new(open()?, size, rate)?)),
            () if has_ending(&name, "webp") => Self::Webp(WebpFilm::new(open()?, size, rate)?),
            () => bail!(
                "{}: end the name in .mp4, .y4m, .wav, .gif or .webp, or in / for a folder of PNGs",
                printable(&options.output)
            ),
        })
    }

    pub(crate) fn film(&mut self) -> &mut (dyn Film + Send) {
        match self {
            Self::Mp4(film) => &mut **film,
            Self::Y4m(film) => film,
            Self::Wav(film) => film,
            Self::Png(film) => film,
            Self::Gif(film) => &mut **film,
            Self::Webp(film) => film,
        }
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        self.film().finish()?;
        match self {
            Self::Mp4(film) => Output::finish(film.into_inner()),
            Self::Y4m(film) => Output::finish(film.into_inner()),
            Self::Wav(film) => Output::finish(film.into_inner()),
            Self::Gif(film) => Output::finish(film.into_inner()?),
            Self::Webp(film) => Output::finish(film.into_inner()),
            Self::Png(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_applies_to_its_part_alone() {
        let whole = FilmPart { to: 10.0, ..FilmPart::default() };
        let ramp = FilmPart { from: 2.0, to: 6.0, speed: [1.0, 0.5] };
        let parts = overlaid(whole, ramp);
        let ends: Vec<(f64, f64)> = parts.iter().map(|it| (it.from, it.to)).collect();
        assert_eq!(ends, [(0.0, 2.0), (2.0, 6.0), (6.0, 10.0)]);
        // Halfway through the ramp in the recording's time, the speed is most of the way to its end.
        let half = piece(ramp, 2.0, 4.0);
        assert!((half.speed[1] - 0.790_569).abs() < 1e-6);
        let both = half.seconds() + piece(ramp, 4.0, 6.0).seconds();
        assert!((both - ramp.seconds()).abs() < 1e-9);
    }

    #[test]
    fn speeds_are_the_words_of_retime() {
        let pace = Pace::parse("1/2..25%  1:00..1:10").unwrap();
        assert_eq!((pace.speed, pace.spans.as_deref()), ([0.5, 0.25], Some("1:00..1:10")));
        assert!(Pace::parse("slow").is_err());
    }
}
