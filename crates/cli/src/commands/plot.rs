//! `moviola plot`: charts of recordings.

// not from SCHEMA, all words: charts have words of their own for colors, axes and kinds.

use crate::cli::{Verbosity, choice};
use crate::failure::Outcome;
use crate::input::{Files, Input, is_dash, printable};
use crate::inside;
use crate::maps::MapPlaces;
use crate::output::Output;
use crate::output::{Destination, Kind};
use crate::parallel::in_order;
use crate::progress::Bar;
use anyhow::{Result, bail};
use clap::Args;
use moviola::export::{Chart, PlotOptions, Story, plot_on_maps};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
The extension of OUT selects SVG or PNG. An SVG follows the viewer's light or dark
setting; with --dark it is always dark. In a browser, a mark shows its meaning when
the mouse is on it.

Charts:
  path      the path through a level from above, with kills, pickups, deaths; for a
            match (.mvd, .mvd2) the paths of all players
  heat      the places where players were, over many recordings of a level
  vitals    health and armor over time
  speed     speed over ground over time
  timeline  the events over time, a lane for each kind

A recording of input (DOOM's .lmp or Duke's .dmo) has one chart: the keys and turns
of each player.

Examples:
  moviola plot run.dem -o run.svg
  moviola plot run.dem -o speed.png --kind speed --dark
  moviola plot run.dem -o path.svg --by speed --level 2
  moviola plot demos -o heat.svg --kind heat
  moviola plot match.mvd -o ways.svg
  moviola plot run.dem -o run.svg --maps --game id1
  moviola plot match.mvd -o bob.svg --kind vitals --player Bob
  moviola plot run.lmp -o run.svg";

/// Draw charts: the path through a level, health, speed, events
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PlotArgs {
    #[command(flatten)]
    files: Files,
    /// Write to OUT, which ends in .svg or .png; `-` is an SVG on standard output.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Replace OUT if it exists.
    #[arg(long)]
    force: bool,
    /// The kind of chart.
    #[arg(long, value_name = "KIND", default_value = "path", value_parser = choice(Chart::ALL, |it| it.name()))]
    kind: Chart,
    /// Color a path by time, the default, or by speed.
    #[arg(long, value_name = "WHAT", value_parser = ["time", "speed"])]
    by: Option<String>,
    /// Draw this level instead of the one with the most to see.
    #[arg(long, value_name = "N")]
    level: Option<u32>,
    /// Draw the player with this name. Without it, `path` shows all players of a match (.mvd).
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Draw on a dark background.
    #[arg(long)]
    dark: bool,
    #[command(flatten)]
    maps: MapPlaces,
}

/// The number of pixels of a PNG for each of the picture's own.
#[cfg(feature = "png")]
const SCALE: f32 = 2.0;

pub(crate) fn run(options: &PlotArgs, talk: Verbosity) -> Result<Outcome> {
    if options.by.is_some() && options.kind != Chart::Path {
        bail!("--by colors a path: a {} chart has none", options.kind.name());
    }
    if !matches!(options.kind, Chart::Path | Chart::Heat) {
        options.maps.refuse("--kind path or heat")?;
    }
    let is_png = match options.output.extension().and_then(|it| it.to_str()) {
        Some(it) if it.eq_ignore_ascii_case("svg") => false,
        Some(it) if it.eq_ignore_ascii_case("png") => true,
        _ if is_dash(&options.output) => false,
        _ => bail!("{}: end the name in .svg or .png", printable(&options.output)),
    };
    let target = Destination { output: Some(options.output.clone()), force: options.force };
    let mut writer = target.open(if is_png { Kind::Recording } else { Kind::Text })?.buffered();
    let stories = stories(options, talk)?;
    let by_speed = options.by.as_deref() == Some("speed");
    let player = options.player.clone();
    let manner = PlotOptions { dark: options.dark, level: options.level, by_speed, player };
    let mut maps = options.maps.open(talk.quiet)?;
    let svg = plot_on_maps(&stories, options.kind, &manner, &mut |name| maps.find(name))?;
    if is_png {
        #[cfg(feature = "png")]
        writer.write_all(&moviola::export::png(&svg, SCALE)?)?;
        #[cfg(not(feature = "png"))]
        bail!("this moviola was built without PNG: write an SVG");
    } else {
        writer.write_all(svg.as_bytes())?;
    }
    Output::finish(writer)?;
    Ok(Outcome::Good)
}

fn stories(options: &PlotArgs, talk: Verbosity) -> Result<Vec<Story>> {
    let (files, wrong) = options.files.list();
    if let Some(line) = wrong.first() {
        bail!("{line}");
    }
    let total = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|about| about.len()).sum();
    let bar = Bar::bytes(Some(total), talk.quiet);
    let (mut stories, mut trouble) = (Vec::new(), None);
    let found = options.files.has_folder();
    in_order(
        &files,
        |file: &PathBuf| inside::each(Path::new(file), &bar, found, |input| story(input, found)),
        |results| {
            for result in results {
                match result {
                    // A map of many recordings has no marks.
                    Ok(Some(story)) if options.kind == Chart::Heat => {
                        stories.push(Story { events: Vec::new(), ..story });
                    }
                    Ok(Some(story)) => stories.push(story),
                    Ok(None) => {}
                    Err(line) => trouble = trouble.take().or(Some(line)),
                }
            }
            trouble.is_none()
        },
    );
    bar.finish();
    match trouble {
        Some(line) => bail!("{line}"),
        None => Ok(stories),
    }
}

/// A recording's story; `None` for another file found in a folder.
fn story(mut input: Input, found: bool) -> Result<Option<Story>> {
    if !input.is_recording()? {
        return if found { Ok(None) } else { Err(input.no_recording()) };
    }
    let name = input.name().to_owned();
    Ok(Some(Story::read(input, &name)?))
}
